"""The campaign that the server serves: its file, the check of tokens, and what is printed at the start."""

from __future__ import annotations

from pathlib import Path

from starlette.types import ASGIApp

from bleu_core.campaigns import CampaignStore, lead_link
from dashboard.rating.access import CampaignAccess

EXPOSED = "Open to {where}: the rating page, for judges with a link; everything else needs the lead's link."
MADE_BEFORE = "The lead's link was made before. For a new one: bleu-core campaign links {file} --lead --renew"


class ServedCampaign:
    """An open campaign file.

    Args:
        file: of the campaign.

    Raises:
        StoreError: it cannot be opened.
    """

    def __init__(self, file: Path) -> None:
        self._store = CampaignStore(file)

    def access(self, app: ASGIApp, path: str) -> CampaignAccess:
        """What lets judges and the lead reach their pages; arguments as `CampaignAccess`."""
        return CampaignAccess(app, self._store, path)

    def greeting(self, base: str, where: str) -> tuple[list[str], str]:
        """What is printed when the server starts, and the page to open first.

        Where no lead's link was ever made, one is, and is printed this once.

        Args:
            base: the address of the server.
            where: who reaches it.

        Returns:
            The lines, and the lead's link; empty where it was made before.
        """
        lines = [EXPOSED.format(where=where)]
        if self._store.token_made(None) is not None:
            return [*lines, MADE_BEFORE.format(file=self._store.path)], ""
        link = lead_link(base, self._store.new_token(None))
        return [*lines, f"The lead's link, shown this once: {link}"], link

    def close(self) -> None:
        """Close the file."""
        self._store.close()
