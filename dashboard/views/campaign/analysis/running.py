"""A running campaign: its state, its judges and their links, and its files."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bleu_core.campaigns import (
    CampaignStore,
    Event,
    escape_cell,
    export_files,
    judge_link,
    lead_link,
)
from bleu_core.errors import BleuCoreError
from bleu_core.fields import Table, field, result, table_of
from bleu_core.uploads import Workspace
from dashboard import session

#: Names of downloaded files.
EXPORTS_NAME, LINKS_NAME = "campaign.zip", "links.csv"


@result
class LinkRow:
    """A judge and the time of the judge's link."""

    judge: str = field("text", "Pseudonym of the judge.")
    group: str = field("text", "Group of the judge.")
    made: str = field("text", "When the current link was made, by the server's clock; empty where there is none.")


@result
class CodeRow:
    """A judge and the code that proves completion."""

    judge: str = field("text", "Pseudonym of the judge.")
    code: str = field("text", "Code that the judge is shown at the end.")
    finished: str = field("text", "Whether the judge has answered everything, and so has seen the code.")


@dataclass(frozen=True, slots=True)
class JudgeLink:
    """A link that was just made; it is stored nowhere else.

    Attributes:
        judge: the pseudonym.
        link: to the rating page.
    """

    judge: str
    link: str


def change_state(store: CampaignStore, event: Event) -> str:
    """Open, pause, reopen, close or stop the campaign.

    Returns:
        The reason why that is impossible; empty on success.
    """
    return _problem(lambda: store.add_event(event))


def exclude_judge(store: CampaignStore, judge: str, reason: str) -> str:
    """Exclude a judge's ratings; returns as change_state."""
    return _problem(lambda: store.exclude(judge, reason))


def include_judge(store: CampaignStore, judge: str, reason: str) -> str:
    """Include a judge's ratings again; returns as change_state."""
    return _problem(lambda: store.include(judge, reason))


def make_links(store: CampaignStore, judges: Sequence[str], url: str) -> tuple[JudgeLink, ...]:
    """Make new links of judges, which invalidate the older ones.

    Args:
        store: the campaign.
        judges: pseudonyms.
        url: at which judges reach the server.

    Raises:
        StoreError: the file cannot be written.
    """
    return tuple(JudgeLink(judge=judge, link=judge_link(url, store.new_token(judge))) for judge in judges)


def link_of_lead(token: str, url: str) -> str:
    """Return the lead's link with a token that was just made.

    Args:
        token: of the lead.
        url: at which the browser reaches the server.
    """
    return lead_link(url, token)


def links_csv(links: Sequence[JudgeLink]) -> bytes:
    """Return links as a file for a spreadsheet, in which no cell is read as a formula."""
    text = io.StringIO(newline="")
    rows = csv.writer(text, lineterminator="\r\n")
    rows.writerow(("judge", "link"))
    rows.writerows([(escape_cell(link.judge), escape_cell(link.link)) for link in links])
    return text.getvalue().encode("utf-8-sig")


def judges_with_link(store: CampaignStore, judges: Sequence[str]) -> list[str]:
    """Return the judges for whom a link has been made."""
    return [judge for judge in judges if store.token_created(judge) is not None]


def links_table(store: CampaignStore) -> Table:
    """Return all judges, and when their links were made."""
    rows = [
        LinkRow(judge=row.judge, group=row.group, made=_when(store.token_created(row.judge)))
        for row in store.progress()
    ]
    return table_of(rows, LinkRow)


def codes_table(store: CampaignStore) -> Table:
    """Return the completion codes of all judges."""
    rows = [
        CodeRow(judge=judge, code=code, finished="yes" if store.completion_code(judge) else "no")
        for judge, code in store.codes.items()
    ]
    return table_of(rows, CodeRow)


def campaign_exports(store: CampaignStore) -> bytes:
    """Return all files of a campaign in one zip."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in export_files(store).files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def new_ratings(store: CampaignStore) -> bool:
    """Return whether the campaign has changed since its ratings were last loaded."""
    return session.followed_ratings().seen != store.changes


def texts_not_loaded(store: CampaignStore, workspace: Workspace) -> list[str]:
    """Return the systems of the campaign that are not loaded."""
    return [system for system in store.plan.systems if system not in workspace.corpus.systems]


def base_address(url: str, page: str) -> str:
    """Return the address at which this server is reached.

    Args:
        url: of a page, as the browser has it.
        page: the path of that page.
    """
    return url.partition("?")[0].rstrip("/").removesuffix(page).rstrip("/")


def clock_time(seconds: float) -> str:
    """Format a time in seconds since 1970 by the server's clock."""
    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")


def _when(seconds: float | None) -> str:
    return "" if seconds is None else clock_time(seconds)


def _problem(change: Callable[[], None]) -> str:
    try:
        change()
    except BleuCoreError as error:
        return str(error)
    return ""
