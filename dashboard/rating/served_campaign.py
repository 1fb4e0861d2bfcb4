"""The campaign that the server serves: its file, the check of tokens, and the output at the start."""

from __future__ import annotations

import shlex
import time
from pathlib import Path

from starlette.types import ASGIApp

from bleu_core.campaigns import LEAD_LINK_HOURS, MAX_LEAD_SESSIONS, lead_link
from bleu_core.invocation import invocation
from dashboard.open_campaigns import close_campaigns, open_campaign
from dashboard.rating.access import CampaignAccess

EXPOSED = "Open to {where}: the rating page, for judges with a link; everything else needs the lead's link."
LEAD = f"The lead's link, for {LEAD_LINK_HOURS} hours and {MAX_LEAD_SESSIONS} browsers: {{link}}"
MADE_BEFORE = "The lead's link was made before, and has not expired."
NEW_LINK = "For a new one, at any time: {program} campaign links {file} --lead --url {base}"


class ServedCampaign:
    """An open campaign file.

    Args:
        file: of the campaign.

    Raises:
        StoreError: the file cannot be opened.
    """

    def __init__(self, file: Path) -> None:
        self._store = open_campaign(file)

    def access(self, app: ASGIApp, path: str) -> CampaignAccess:
        """Return the middleware of access control; arguments as `CampaignAccess`."""
        return CampaignAccess(app, self._store, path)

    def greeting(self, base: str, where: str) -> tuple[list[str], str]:
        """Return the lines printed when the server starts, and the page to open first.

        If the lead has no link, or an expired one, a new one is made.

        Args:
            base: the address of the server.
            where: who can reach it.

        Returns:
            The lines, and the lead's link; empty where it was made before.
        """
        made = self._store.token_created(None)
        usable = made is not None and time.time() - made <= 3600 * LEAD_LINK_HOURS
        link = "" if usable else lead_link(base, self._store.new_token(None))
        new = NEW_LINK.format(
            program=invocation("bleu-core"), file=shlex.quote(str(self._store.path)), base=shlex.quote(base)
        )
        return [EXPOSED.format(where=where), LEAD.format(link=link) if link else MADE_BEFORE, new], link

    def close(self) -> None:
        """Close the file, for all sessions too; the file is then complete."""
        close_campaigns()
