"""The campaign that the server was started with: its state, its judges and their links, and its files."""

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
    export_files,
    judge_link,
    lead_link,
    spreadsheet_text,
)
from bleu_core.errors import BleuCoreError
from bleu_core.fields import Table, field, result, table_of
from bleu_core.uploads import Workspace
from dashboard import session

#: Names of the files that are downloaded.
EXPORTS_NAME, LINKS_NAME = "campaign.zip", "links.csv"


@result
class LinkRow:
    """A judge and the link."""

    judge: str = field("text", "Pseudonym of the judge.")
    group: str = field("text", "Group of the judge.")
    made: str = field("text", "When the link in force was made, by the server's clock; empty where there is none.")


@result
class CodeRow:
    """A judge and the code that shows that everything is answered."""

    judge: str = field("text", "Pseudonym of the judge.")
    code: str = field("text", "The code that the judge is shown at the end.")
    finished: str = field("text", "Whether the judge has seen it, as everything is answered.")


@dataclass(frozen=True, slots=True)
class JudgeLink:
    """A link that was just made; only its judge and this object know it.

    Attributes:
        judge: the pseudonym.
        link: to the rating page.
    """

    judge: str
    link: str


def change_state(store: CampaignStore, event: Event) -> str:
    """Open, pause, reopen, close or stop the campaign.

    Returns:
        Why that cannot be done; empty if it was.
    """
    return _problem(lambda: store.add_event(event))


def exclude_judge(store: CampaignStore, judge: str, reason: str) -> str:
    """Leave a judge's ratings out; returns as change_state."""
    return _problem(lambda: store.exclude(judge, reason))


def include_judge(store: CampaignStore, judge: str, reason: str) -> str:
    """Let a judge's ratings count again; returns as change_state."""
    return _problem(lambda: store.include(judge, reason))


def make_links(store: CampaignStore, judges: Sequence[str], url: str) -> tuple[JudgeLink, ...]:
    """New links of judges; the older ones are void from now on.

    Args:
        store: the campaign.
        judges: pseudonyms.
        url: at which judges reach the server.

    Raises:
        StoreError: the file cannot be written.
    """
    return tuple(JudgeLink(judge=judge, link=judge_link(url, store.new_token(judge))) for judge in judges)


def link_of_lead(token: str, url: str) -> str:
    """The lead's link with a token that was just made.

    Args:
        token: of the lead.
        url: at which the browser reaches the server.
    """
    return lead_link(url, token)


def links_csv(links: Sequence[JudgeLink]) -> bytes:
    """Links as a file for a spreadsheet, in which no cell is read as a formula."""
    text = io.StringIO(newline="")
    rows = csv.writer(text, lineterminator="\r\n")
    rows.writerow(("judge", "link"))
    rows.writerows([(spreadsheet_text(one.judge), spreadsheet_text(one.link)) for one in links])
    return text.getvalue().encode("utf-8-sig")


def judges_with_link(store: CampaignStore, judges: Sequence[str]) -> list[str]:
    """Those of the judges for whom a link has been made."""
    return [judge for judge in judges if store.token_made(judge) is not None]


def links_table(store: CampaignStore) -> Table:
    """All judges, and when their links were made."""
    rows = [
        LinkRow(judge=one.judge, group=one.group, made=_when(store.token_made(one.judge))) for one in store.progress()
    ]
    return table_of(rows, LinkRow)


def codes_table(store: CampaignStore) -> Table:
    """The completion codes of all judges."""
    rows = [
        CodeRow(judge=judge, code=code, finished="yes" if store.completion_code(judge) else "no")
        for judge, code in store.codes.items()
    ]
    return table_of(rows, CodeRow)


def campaign_exports(store: CampaignStore) -> bytes:
    """All files of a campaign in one zip."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in export_files(store).files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def new_ratings(store: CampaignStore) -> bool:
    """Return whether the campaign has changed since its ratings were last taken in."""
    return session.followed_ratings().seen != store.changes


def texts_not_loaded(store: CampaignStore, workspace: Workspace) -> list[str]:
    """Systems of the campaign that are not loaded."""
    return [system for system in store.plan.systems if system not in workspace.corpus.systems]


def base_address(url: str, page: str) -> str:
    """The address at which this server is reached.

    Args:
        url: of a page, as the browser has it.
        page: the path of that page.
    """
    return url.partition("?")[0].rstrip("/").removesuffix(page).rstrip("/")


def clock_time(seconds: float) -> str:
    """A time in seconds since 1970 as the server's clock shows it."""
    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")


def _when(seconds: float | None) -> str:
    return "" if seconds is None else clock_time(seconds)


def _problem(change: Callable[[], None]) -> str:
    try:
        change()
    except BleuCoreError as error:
        return str(error)
    return ""
