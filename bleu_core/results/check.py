"""Misaligned texts, and warnings where BLEU misleads, as tables and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from bleu_core.alignment import MisalignedText, PlaceKind
from bleu_core.dataset import ROLE_NAMES, Column, ScoreTable, most_common_length, plural
from bleu_core.diagnostics import STRENGTHS, Finding, find_warning
from bleu_core.errors import listed
from bleu_core.fields import REASON, Table, field, result, table_of
from bleu_core.results.envelope import Envelope, ReportedMetric, reported_metrics, whole_metric
from bleu_core.scoring import BleuSettings, ScoredCorpus, signature

#: Maximum number of segments that a sentence lists; further ones are counted.
MAX_LISTED_SEGMENTS = 5


@result
class CheckedText:
    """A text that was compared with the others."""

    file: str = field("text", "The file, as given on the command line.")
    name: str = field("text", "Name of the system or the reference.")
    role: str = field("text", "Role of the text: system, reference or source.")
    lines: int = field("count", "Number of lines of the text.")
    places: int = field("count", "Number of places where the text is misaligned.")


@result
class PlaceResult:
    """A place where a text is misaligned."""

    file: str = field("text", "The file, as given on the command line.")
    name: str | None = field("text", "Name of the text, if the file is a table of several.", default=None)
    line: int = field(
        "count",
        "Line in the file, from 1: for missing, the line at the position of the missing text; for doubled, the second "
        "copy; otherwise the first line concerned.",
    )
    kind: PlaceKind = field("text", "Kind of misalignment: missing, doubled, split, joined or shifted.")
    lines: int = field(
        "count",
        "Number of lines that are missing, doubled or shifted, that one line was split into, or that were joined.",
    )


@result
class CheckedMetric(ReportedMetric):
    """A metric of which the scores were checked."""

    systems: int = field("count", "Number of systems with a score.")
    scored_segments: int | None = field(
        "count",
        "Number of segments with a score by at least one system; absent for scores of whole systems.",
        default=None,
    )
    missing: int | None = field(
        "count", "Number of scores that these systems lack, of the segments of the texts.", default=None
    )


@result
class CheckReport(Envelope):
    """The JSON of `bleu-core check`."""

    texts: tuple[CheckedText, ...] = field("object", "The texts that were compared.")
    places: tuple[PlaceResult, ...] = field("object", "The places where a text is misaligned.")
    findings: tuple[Finding, ...] | None = field(
        "object",
        "The findings of the warnings, the strongest first; null if the texts cannot be scored.",
        null=True,
        default=None,
    )
    metrics: tuple[CheckedMetric, ...] | None = field(
        "object", "The metrics of the call whose scores were checked, if it names any.", default=None
    )
    reason: str | None = field(REASON, "Why the texts were not checked for warnings.", default=None)


def check_report(
    columns: Sequence[Column],
    misaligned: Sequence[MisalignedText],
    settings: BleuSettings,
    *,
    findings: Sequence[Finding] | None = None,
    metrics: Sequence[CheckedMetric] = (),
    reason: str = "",
) -> CheckReport:
    """Return the JSON report of `bleu-core check`.

    Args:
        columns: the texts.
        misaligned: the misaligned texts with their places.
        settings: the settings of the call.
        findings: the findings of the warnings; None if the texts cannot be scored.
        metrics: the checked metrics.
        reason: why the texts cannot be scored, else empty.
    """
    references = [column for column in columns if column.role == "reference"]
    number = None if any(None in column.segments for column in references) else len(references)
    places = {id(text.column): text.places for text in misaligned}
    texts_of = Counter(column.origin for column in columns)
    return CheckReport(
        signature=signature(settings, number),
        settings=settings,
        references=tuple(column.name for column in references),
        segments=most_common_length(columns),
        texts=tuple(
            CheckedText(
                file=column.place,
                name=column.name,
                role=ROLE_NAMES[column.role],
                lines=len(column.segments),
                places=len(places.get(id(column), ())),
            )
            for column in columns
        ),
        places=tuple(
            PlaceResult(
                file=column.place,
                name=column.name if texts_of[column.origin] > 1 else None,
                line=place.line,
                kind=place.kind,
                lines=place.lines,
            )
            for column in columns
            for place in places.get(id(column), ())
        ),
        findings=None if findings is None else tuple(map(_with_caveat, findings)),
        metrics=tuple(metrics) or None,
        reason=reason or None,
    )


def checked_metrics(metrics: Sequence[ScoredCorpus], whole: Mapping[str, ScoreTable]) -> tuple[CheckedMetric, ...]:
    """Return how many systems and segments have scores by each metric.

    Args:
        metrics: with scores of segments.
        whole: label -> scores, of metrics with scores of whole systems only.
    """
    checked: list[CheckedMetric] = []
    for metric, reported in zip(metrics, reported_metrics(metrics), strict=True):
        scores = np.isfinite(metric.statistics.segment_scores) & metric.statistics.scored
        has_scores = scores.any(axis=1)
        checked.append(
            CheckedMetric(
                **vars(reported),
                systems=int(has_scores.sum()),
                scored_segments=int(scores.any(axis=0).sum()),
                missing=int((~scores[has_scores]).sum()),
            )
        )
    for label, table in whole.items():
        reported = whole_metric(label, table)
        checked.append(CheckedMetric(**vars(reported), systems=int(np.isfinite(table.system_scores).sum())))
    return tuple(checked)


def _with_caveat(finding: Finding) -> Finding:
    """Return a finding whose message ends with the caveat of a warning that is often a false alarm."""
    return replace(finding, message=" ".join(filter(None, (finding.message, find_warning(finding.key).caveat))))


def check_tables(report: CheckReport, *, in_full: bool = False) -> list[Table]:
    """Return tables of the texts, and of the places, metrics and findings, if any.

    Args:
        report: the report.
        in_full: whether findings include their long sentences.
    """
    tables = [table_of(report.texts, CheckedText)]
    if report.places:
        tables.append(table_of(report.places, PlaceResult))
    if report.metrics:
        tables.append(table_of(report.metrics, CheckedMetric))
    if report.findings:
        tables.append(_findings_table(report.findings, in_full=in_full))
    return tables


@result
class _FindingRow:
    """A finding of a warning."""

    strength: str = field("text", "Severity: note, caution or alarm.")
    warning: str = field("text", "Key of the warning.")
    systems: str = field("text", "The systems concerned.")
    references: str = field("text", "The references concerned.")
    segments: int = field("count", "Number of segments concerned.")
    found: str = field("text", "What was found.")
    advice: str = field("text", "Recommended action.")


def _findings_table(findings: Sequence[Finding], *, in_full: bool) -> Table:
    rows = [
        _FindingRow(
            strength=finding.strength,
            warning=finding.key,
            systems=", ".join(finding.systems) if in_full else _name_or_count(finding.systems, "systems"),
            references=", ".join(finding.references) if in_full else _name_or_count(finding.references, "references"),
            segments=len(finding.segments),
            found=finding.message,
            advice=finding.advice,
        )
        for finding in findings
    ]
    table = table_of(rows, _FindingRow)
    return table if in_full else table.without("found", "advice")


def _name_or_count(names: Sequence[str], what: str) -> str:
    """Return the only name, or the number of names."""
    return names[0] if len(names) == 1 else f"{len(names):,} {what}" if names else ""


def check_sentences(report: CheckReport) -> list[str]:
    """Return sentences on each finding, on their number, and on the places."""
    if report.findings is None:
        return [f"The texts were not checked for warnings: {report.reason}.", check_sentence(report)]
    sentences = [_finding_sentence(number, finding) for number, finding in enumerate(report.findings, start=1)]
    return [*sentences, _count_sentence(report.findings), check_sentence(report)]


def _finding_sentence(number: int, finding: Finding) -> str:
    numbers = listed([f"{segment:,}" for segment in finding.segments], max_items=MAX_LISTED_SEGMENTS)
    where = f" {plural(len(finding.segments), 'Segment')}: {numbers}." if finding.segments else ""
    return (
        f"{number}. {find_warning(finding.key).title} ({finding.strength}): {finding.message}{where} {finding.advice}"
    )


def _count_sentence(findings: Sequence[Finding]) -> str:
    if not findings:
        return "No warning: no sign was found that BLEU misleads."
    counts = {strength: sum(finding.strength == strength for finding in findings) for strength in reversed(STRENGTHS)}
    parts = [f"{count:,} {plural(count, strength)}" for strength, count in counts.items() if count]
    return f"{len(findings):,} {plural(len(findings), 'warning')}: {', '.join(parts)}."


def check_sentence(report: CheckReport) -> str:
    """Return a sentence on the number of misaligned places."""
    texts, places = len(report.texts), len(report.places)
    if not places:
        return f"No line of the {texts:,} texts is missing, doubled, split, joined or shifted."
    wrong = sum(text.places > 0 for text in report.texts)
    return f"{places:,} {plural(places, 'place')} found in {wrong:,} of {texts:,} texts."
