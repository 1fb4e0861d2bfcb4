"""Campaigns of judgments, as tables and as JSON: design, judges' links, state and exported files."""

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
    """The fields at the beginning of all JSON of `bleu-core campaign`."""

    tool: str = field("text", "Name of the program.", only="json", default=TOOL)
    version: str = field("text", "Version of the program.", only="json", default=VERSION)
    warnings: tuple[str, ...] = field("object", "Warnings about the files and the results.", default=())
    title: str = field("text", "Title of the campaign.", only="json")
    digest: str = field("text", "Digest of the design: the same plan and texts have the same digest.", only="json")

    @property
    def caption(self) -> str:
        """Caption of the tables."""
        return f"Campaign {self.title} (design {self.digest})."


@result
class PlannedJudge:
    """The workload of a judge."""

    judge: str = field("text", "Pseudonym of the judge.")
    group: str = field("text", "Group of the judge.")
    source: str = field("text", "Whether the judge sees the source: yes or no.")
    segments: int = field("count", "Number of segments whose translations by all systems the judge rates.")
    ratings: int = field("count", "Number of ratings, without repeats and degraded copies.")
    repeats: int = field("count", "Number of repeated ratings.")
    degraded: int = field("count", "Number of ratings of degraded copies.")


@result
class CampaignDesignReport(CampaignReport):
    """The JSON of `bleu-core campaign create`."""

    file: str | None = field("text", "The campaign file that was written; null if there is none.", null=True)
    systems: tuple[str, ...] = field("object", "Names of the systems.")
    segments: tuple[int, ...] = field("object", "Numbers of the segments that were drawn, from 1.")
    probabilities: tuple[float, ...] = field("object", "Sampling probability of each segment.")
    judges: tuple[PlannedJudge, ...] = field("object", "Workload of each judge.")
    shortfalls: tuple[str, ...] = field("object", "Sentences on requirements of the plan that its size does not meet.")
    expected: ExpectedWidth | None = field(
        "object", "Expected width of intervals, if ratings of a pilot or assumptions are given.", default=None
    )


@result
class JudgeLink:
    """The link of a judge, or of the lead."""

    judge: str = field("text", "Pseudonym of the judge; lead for the link to the dashboard.")
    link: str = field("text", "The new link, which is shown only once; empty if the existing link is valid.")
    made: str = field("text", "Time when the link was created (UTC).")


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
        "object", "Status of the campaign; means and differences are empty before the first interim analysis."
    )


@result
class ExportedFile:
    """A file of an export."""

    file: str = field("text", "Path of the file.")
    contents: str = field("text", "Contents of the file.")


@result
class CampaignExportReport(CampaignReport):
    """The JSON of `bleu-core campaign export`."""

    files: tuple[ExportedFile, ...] = field("object", "The files that were written.")


@result
class CampaignBackupReport(CampaignReport):
    """The JSON of `bleu-core campaign backup`."""

    file: str = field("text", "Path of the copy.")
    judges: int = field("count", "Number of judges in the copy.")
    answers: int = field("count", "Number of answers in the copy: ratings and skips, including revisions.")
    comments: int = field("count", "Number of comments in the copy.")


def design_report(design: Design, file: str | None, expected: ExpectedWidth | None = None) -> CampaignDesignReport:
    """Return the JSON report of `bleu-core campaign create`.

    Args:
        design: the design of the campaign.
        file: the file that was written, if any.
        expected: the expected width of intervals, if known.
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
    sees_source = {group.name: group.source for group in design.plan.groups}
    planned: list[PlannedJudge] = []
    for judge in design.judges:
        ratings = {
            kind: sum(len(slot.items) for slot in judge.slots if slot.kind == kind)
            for kind in ("first", "repeat", "degraded")
        }
        planned.append(
            PlannedJudge(
                judge=judge.name,
                group=judge.group,
                source="yes" if sees_source[judge.group] else "no",
                segments=len({design.items[item].segment for slot in judge.slots for item in slot.items}),
                ratings=ratings["first"],
                repeats=ratings["repeat"],
                degraded=ratings["degraded"],
            )
        )
    return planned


def design_tables(report: CampaignDesignReport) -> list[Table]:
    """Return the workload of each judge, and the changes that reach the requested width."""
    changes = report.expected.changes if report.expected is not None else ()
    return [table_of(report.judges, PlannedJudge), *([table_of(changes, DesignChange)] if changes else [])]


def design_sentences(report: CampaignDesignReport) -> list[str]:
    """Return sentences on the size of the campaign, its shortfalls, the expected width and the file."""
    ratings = sum(judge.ratings for judge in report.judges)
    size = (
        f"{len(report.segments):,} {plural(len(report.segments), 'segment')}, {len(report.systems):,} "
        f"{plural(len(report.systems), 'system')}, {len(report.judges):,} {plural(len(report.judges), 'judge')}: "
        f"{ratings:,} ratings and {sum(judge.repeats + judge.degraded for judge in report.judges):,} checks."
    )
    written = f"Campaign file: {report.file}" if report.file else "No campaign file was written."
    return [size, *report.shortfalls, *_width_sentences(report.expected), written]


def _width_sentences(expected: ExpectedWidth | None) -> list[str]:
    if expected is None:
        return []
    if expected.reason:
        return [f"The expected width of intervals is not known: {expected.reason}."]
    width = f"The expected width of the 95% interval of two systems' difference is {expected.width:.2f} points"
    wanted = "" if expected.wanted is None else f" ({expected.wanted:.2f} requested)"
    return [f"{width}{wanted}; with more segments alone, it is at least {expected.smallest:.2f}."]


def links_report(store: CampaignStore, links: Mapping[str | None, str | None]) -> CampaignLinksReport:
    """Return the JSON report of `bleu-core campaign links`.

    Args:
        store: the campaign.
        links: judge, or None for the lead -> the new link; None if the existing link is valid.
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
    """Return a table of links."""
    return table_of(report.links, JudgeLink)


def state_report(store: CampaignStore) -> CampaignStateReport:
    """Return the JSON report of the commands that change the state of a campaign."""
    return CampaignStateReport(title=store.plan.title, digest=store.digest, state=store.state)


def status_report(store: CampaignStore, status: CampaignStatus) -> CampaignStatusReport:
    """Return the JSON report of `bleu-core campaign status`."""
    if not status.means_shown:
        status = replace(status, means=(), differences=(), closest=None)
    return CampaignStatusReport(title=store.plan.title, digest=store.digest, status=status)


def export_report(plan: CampaignPlan, digest: str, exports: Exports, paths: Sequence[str]) -> CampaignExportReport:
    """Return the JSON report of `bleu-core campaign export`.

    Args:
        plan: the plan of the campaign.
        digest: the digest of its design.
        exports: the exported files.
        paths: the paths of the files, in order.
    """
    return CampaignExportReport(
        title=plan.title,
        digest=digest,
        files=tuple(
            ExportedFile(file=path, contents=EXPORTED[name]) for name, path in zip(exports.files, paths, strict=True)
        ),
    )


def export_table(report: CampaignExportReport) -> Table:
    """Return a table of exported files."""
    return table_of(report.files, ExportedFile)


def backup_report(copy: CampaignStore) -> CampaignBackupReport:
    """Return the JSON report of `bleu-core campaign backup`.

    Args:
        copy: the copy.
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
    """Return a sentence on the contents of the copy."""
    return (
        f"{report.file} is a complete copy: {report.judges:,} {plural(report.judges, 'judge')}, {report.answers:,} "
        f"{plural(report.answers, 'answer')}, {report.comments:,} {plural(report.comments, 'comment')}."
    )


def _time(seconds: float | None) -> str:
    return "" if seconds is None else f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"
