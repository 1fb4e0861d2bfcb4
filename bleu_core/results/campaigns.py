"""Campaigns of judgments, as tables and as JSON: the design, the judges' links, the state and the exported files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bleu_core.campaigns import EXPORTED, CampaignStatus, CampaignStore, Design, DesignChange, ExpectedWidth, Exports
from bleu_core.dataset import plural
from bleu_core.fields import Table, field, result, table_of
from bleu_core.results.envelope import TOOL
from bleu_core.version import VERSION

if TYPE_CHECKING:
    from bleu_core.campaigns import CampaignPlan


@result
class CampaignReport:
    """What every answer of `bleu-core campaign` begins with."""

    tool: str = field("text", "Name of the program.", only="json", default=TOOL)
    version: str = field("text", "Version of the program.", only="json", default=VERSION)
    warnings: tuple[str, ...] = field("object", "Warnings about the files and the results.", default=())
    title: str = field("text", "Title of the campaign.", only="json")
    digest: str = field("text", "Digest of the design: the same plan and texts give the same.", only="json")

    @property
    def caption(self) -> str:
        """Of its tables."""
        return f"Campaign {self.title} (design {self.digest})."


@result
class PlannedJudge:
    """A judge's list."""

    judge: str = field("text", "Pseudonym of the judge.")
    group: str = field("text", "Group of the judge.")
    source: str = field("text", "Whether the judge sees the source: yes or no.")
    segments: int = field("count", "Number of segments of which the judge rates all systems' translations.")
    ratings: int = field("count", "Number of ratings, without repeats and degraded copies.")
    repeats: int = field("count", "Number of ratings of what the judge has rated before.")
    degraded: int = field("count", "Number of ratings of degraded copies.")


@result
class CampaignDesignReport(CampaignReport):
    """The JSON of `bleu-core campaign create`."""

    file: str | None = field("text", "The campaign file that was written; null where none was.", null=True)
    systems: tuple[str, ...] = field("object", "Names of the systems.")
    segments: tuple[int, ...] = field("object", "Numbers of the segments that were drawn, from 1.")
    probabilities: tuple[float, ...] = field("object", "The probability with which each of them was drawn.")
    judges: tuple[PlannedJudge, ...] = field("object", "What each judge rates.")
    shortfalls: tuple[str, ...] = field("object", "What the plan asks for and its size does not allow, in sentences.")
    expected: ExpectedWidth | None = field(
        "object", "What the design can show, where ratings of a pilot or assumptions are given.", default=None
    )


@result
class JudgeLink:
    """The link of a judge, or of the lead."""

    judge: str = field("text", "Pseudonym of the judge; lead for the link to the dashboard.")
    link: str = field("text", "The link, where it is new: it is shown this once. Empty: the link made before is valid.")
    made: str = field("text", "When the link was made (UTC).")


@result
class CampaignLinksReport(CampaignReport):
    """The JSON of `bleu-core campaign links`."""

    links: tuple[JudgeLink, ...] = field("object", "The links.")


@result
class CampaignStateReport(CampaignReport):
    """The JSON of `bleu-core campaign open`, `pause`, `reopen` and `close`."""

    state: str = field("text", "The state: new, open, paused, closed or stopped.")


@result
class CampaignStatusReport(CampaignReport):
    """The JSON of `bleu-core campaign status`."""

    status: CampaignStatus = field(
        "object", "Where the campaign stands; means and differences are empty before the first look of the rule."
    )


@result
class ExportedFile:
    """A file of an export."""

    file: str = field("text", "Path of the file.")
    contents: str = field("text", "What it has.")


@result
class CampaignExportReport(CampaignReport):
    """The JSON of `bleu-core campaign export`."""

    files: tuple[ExportedFile, ...] = field("object", "The files that were written.")


@result
class CampaignBackupReport(CampaignReport):
    """The JSON of `bleu-core campaign backup`."""

    file: str = field("text", "Path of the copy.")
    judges: int = field("count", "Number of judges in the copy.")
    answers: int = field("count", "Number of answers in the copy: ratings and skips, revisions too.")
    comments: int = field("count", "Number of comments in the copy.")


def design_report(design: Design, file: str | None, expected: ExpectedWidth | None = None) -> CampaignDesignReport:
    """The contract of `bleu-core campaign create --format json`.

    Args:
        design: of the campaign.
        file: that was written; None where none was.
        expected: what the design can show; None where it is not known.
    """
    return CampaignDesignReport(
        title=design.plan.title,
        digest=design.digest,
        file=file,
        systems=design.plan.systems,
        segments=tuple(row + 1 for row in design.sample.segments),
        probabilities=design.sample.probabilities,
        judges=tuple(_planned(design)),
        shortfalls=design.shortfalls,
        expected=expected,
    )


def _planned(design: Design) -> list[PlannedJudge]:
    sees = {group.name: group.source for group in design.plan.groups}
    found: list[PlannedJudge] = []
    for judge in design.judges:
        ratings = {
            kind: sum(len(slot.items) for slot in judge.slots if slot.kind == kind)
            for kind in ("first", "repeat", "degraded")
        }
        found.append(
            PlannedJudge(
                judge=judge.name,
                group=judge.group,
                source="yes" if sees[judge.group] else "no",
                segments=len({design.items[item].segment for slot in judge.slots for item in slot.items}),
                ratings=ratings["first"],
                repeats=ratings["repeat"],
                degraded=ratings["degraded"],
            )
        )
    return found


def design_tables(report: CampaignDesignReport) -> list[Table]:
    """What each judge rates, and what reaches the width that is wanted."""
    changes = report.expected.changes if report.expected is not None else ()
    return [table_of(report.judges, PlannedJudge), *([table_of(changes, DesignChange)] if changes else [])]


def design_sentences(report: CampaignDesignReport) -> list[str]:
    """The size of the campaign, what it does not allow, and what was written."""
    ratings = sum(judge.ratings for judge in report.judges)
    size = (
        f"{len(report.segments):,} {plural(len(report.segments), 'segment')}, {len(report.systems):,} "
        f"{plural(len(report.systems), 'system')}, {len(report.judges):,} {plural(len(report.judges), 'judge')}: "
        f"{ratings:,} ratings and {sum(judge.repeats + judge.degraded for judge in report.judges):,} checks."
    )
    written = f"Campaign file: {report.file}" if report.file else "No campaign file was written."
    return [size, *report.shortfalls, *_width_sentences(report.expected), written]


def _width_sentences(found: ExpectedWidth | None) -> list[str]:
    if found is None:
        return []
    if found.reason:
        return [f"The width of intervals cannot be expected: {found.reason}."]
    width = f"The 95% interval of two systems' difference can be expected to be {found.width:.2f} points wide"
    wanted = "" if found.wanted is None else f" ({found.wanted:.2f} wanted)"
    return [f"{width}{wanted}; with more segments alone, not below {found.smallest:.2f}."]


def links_report(store: CampaignStore, links: Mapping[str | None, str | None]) -> CampaignLinksReport:
    """The contract of `bleu-core campaign links --format json`.

    Args:
        store: the campaign.
        links: judge, or None for the lead -> the new link; None where the one made before is valid.
    """
    return CampaignLinksReport(
        title=store.plan.title,
        digest=store.digest,
        links=tuple(
            JudgeLink(judge=judge or "lead", link=link or "", made=_time(store.token_created(judge)))
            for judge, link in links.items()
        ),
    )


def links_table(report: CampaignLinksReport) -> Table:
    """A link per row."""
    return table_of(report.links, JudgeLink)


def state_report(store: CampaignStore) -> CampaignStateReport:
    """The contract of the commands that change the state of a campaign."""
    return CampaignStateReport(title=store.plan.title, digest=store.digest, state=store.state)


def status_report(store: CampaignStore, status: CampaignStatus) -> CampaignStatusReport:
    """The contract of `bleu-core campaign status --format json`."""
    if not status.means_shown:
        status = replace(status, means=(), differences=(), closest=None)
    return CampaignStatusReport(title=store.plan.title, digest=store.digest, status=status)


def export_report(plan: CampaignPlan, digest: str, exports: Exports, paths: Sequence[str]) -> CampaignExportReport:
    """The contract of `bleu-core campaign export --format json`.

    Args:
        plan: of the campaign.
        digest: of its design.
        exports: what was written.
        paths: of its files, in their order.
    """
    return CampaignExportReport(
        title=plan.title,
        digest=digest,
        files=tuple(
            ExportedFile(file=path, contents=EXPORTED[name]) for name, path in zip(exports.files, paths, strict=True)
        ),
    )


def export_table(report: CampaignExportReport) -> Table:
    """A file per row."""
    return table_of(report.files, ExportedFile)


def backup_report(copy: CampaignStore) -> CampaignBackupReport:
    """The contract of `bleu-core campaign backup --format json`.

    Args:
        copy: that was made.
    """
    return CampaignBackupReport(
        title=copy.plan.title,
        digest=copy.digest,
        file=str(copy.path),
        judges=len(copy.judges),
        answers=len(copy.answers(all_revisions=True)),
        comments=len(copy.comments),
    )


def backup_sentence(report: CampaignBackupReport) -> str:
    """What the copy has."""
    return (
        f"{report.file} is a complete copy: {report.judges:,} {plural(report.judges, 'judge')}, {report.answers:,} "
        f"{plural(report.answers, 'answer')}, {report.comments:,} {plural(report.comments, 'comment')}."
    )


def _time(seconds: float | None) -> str:
    return "" if seconds is None else f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"
