"""Texts that are out of line, and warnings where BLEU misleads, as tables and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bleu_core.alignment import MisalignedText, PlaceKind
from bleu_core.dataset import ROLE_NAMES, Column, most_common_length, plural
from bleu_core.diagnostics import STRENGTHS, Finding, Strength, find_warning
from bleu_core.errors import listed
from bleu_core.fields import REASON, Field, Table, field, result, table_of
from bleu_core.results.envelope import Envelope
from bleu_core.scoring import BleuSettings, signature

#: Segments that a sentence lists; of more, all but the first ones are counted.
LISTED_SEGMENTS = 5


@result
class CheckedText:
    """A text that was compared with the others."""

    file: str = field("text", "The file, as given on the command line.")
    name: str = field("text", "Name of the system or the reference.")
    role: str = field("text", "What the text is: system, reference or source.")
    lines: int = field("count", "Number of lines of the text.")
    places: int = field("count", "Number of places where it is out of line.")


@result
class PlaceResult:
    """A place where a text is out of line."""

    file: str = field("text", "The file, as given on the command line.")
    name: str | None = field("text", "Name of the text, where the file is a table of several.", default=None)
    line: int = field(
        "count",
        "Line, counted from 1 in the file: for missing, the line that stands where the text is absent; for doubled, "
        "the second copy; otherwise the first line concerned.",
    )
    kind: PlaceKind = field("text", "What is wrong: missing, doubled, split, joined or shifted.")
    lines: int = field(
        "count", "Number of lines that are missing, doubled or shifted, that were made of one, or that were made one."
    )


@result
class FindingResult:
    """What a warning found."""

    key: str = field("text", "Key of the warning, see docs/warnings.md.")
    systems: tuple[str, ...] = field("object", "Names of the systems it is about.")
    references: tuple[str, ...] = field("object", "Names of the references it is about.")
    found: str = field("text", "What was found.")
    strength: Strength = field(
        "text",
        "How much it matters: a note says what to know, a caution what limits conclusions, and an alarm that scores "
        "are probably misleading.",
    )
    advice: str = field("text", "What to do.")
    segments: tuple[int, ...] = field(
        "object", "Numbers of the segments it is about, from 1; empty where it is about no single segments."
    )


@result
class CheckReport(Envelope):
    """The JSON of `bleu-core check`."""

    texts: tuple[CheckedText, ...] = field("object", "The texts that were compared.")
    places: tuple[PlaceResult, ...] = field("object", "The places where a text is out of line.")
    findings: tuple[FindingResult, ...] | None = field(
        "object",
        "What the warnings found, the strongest first; null where the texts cannot be scored.",
        null=True,
        default=None,
    )
    reason: str | None = field(REASON, "Why no warning could be looked for.", default=None)


def check_report(
    columns: Sequence[Column],
    found: Sequence[MisalignedText],
    settings: BleuSettings,
    findings: Sequence[Finding] | None = None,
    reason: str = "",
) -> CheckReport:
    """The contract of `bleu-core check --format json`.

    Args:
        columns: the texts.
        found: those of them that are out of line.
        settings: of the call.
        findings: of the warnings; None where the texts cannot be scored.
        reason: why they cannot be scored, else empty.
    """
    references = [column for column in columns if column.role == "reference"]
    number = None if any(None in column.segments for column in references) else len(references)
    places = {id(one.column): one.places for one in found}
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
        findings=None if findings is None else tuple(map(finding_result, findings)),
        reason=reason or None,
    )


def finding_result(found: Finding) -> FindingResult:
    """What a warning found, as JSON has it; one that is often raised without cause says so."""
    return FindingResult(
        key=found.key,
        systems=found.systems,
        references=found.references,
        found=" ".join(filter(None, (found.message, find_warning(found.key).caveat))),
        strength=found.strength,
        advice=found.advice,
        segments=found.segments,
    )


def check_tables(report: CheckReport, *, whole: bool = False) -> list[Table]:
    """The texts, the places and the findings, if there are any.

    Args:
        report: what was found.
        whole: whether the findings have their sentences, which are long.
    """
    tables = [table_of(report.texts, CheckedText)]
    if report.places:
        tables.append(table_of(report.places, PlaceResult))
    if report.findings:
        tables.append(_findings_table(report.findings, whole=whole))
    return tables


def _findings_table(findings: Sequence[FindingResult], *, whole: bool) -> Table:
    columns = {
        "strength": Field("text", "How much it matters."),
        "warning": Field("text", "Key of the warning."),
        "systems": Field("text", "The systems it is about."),
        "references": Field("text", "The references it is about."),
        "segments": Field("count", "Number of segments it is about."),
        "found": Field("text", "What was found."),
        "advice": Field("text", "What to do."),
    }
    rows = tuple(
        (
            one.strength,
            one.key,
            ", ".join(one.systems) if whole else _few(one.systems, "systems"),
            ", ".join(one.references) if whole else _few(one.references, "references"),
            len(one.segments),
            one.found,
            one.advice,
        )
        for one in findings
    )
    table = Table(columns, rows)
    return table if whole else table.without("found", "advice")


def _few(names: Sequence[str], what: str) -> str:
    """One name, or how many there are."""
    return names[0] if len(names) == 1 else f"{len(names):,} {what}" if names else ""


def check_sentences(report: CheckReport) -> list[str]:
    """What was found, in sentences: each finding, how many there are, and the places."""
    if report.findings is None:
        return [f"Warnings were not looked for: {report.reason}.", check_sentence(report)]
    sentences = [_finding_sentence(number, one) for number, one in enumerate(report.findings, start=1)]
    return [*sentences, _count_sentence(report.findings), check_sentence(report)]


def _finding_sentence(number: int, one: FindingResult) -> str:
    numbers = listed([f"{segment:,}" for segment in one.segments], max_items=LISTED_SEGMENTS)
    where = f" {plural(len(one.segments), 'Segment')}: {numbers}." if one.segments else ""
    return f"{number}. {find_warning(one.key).title} ({one.strength}): {one.found}{where} {one.advice}"


def _count_sentence(findings: Sequence[FindingResult]) -> str:
    if not findings:
        return "No warning: nothing was found that makes BLEU misleading."
    counts = {strength: sum(one.strength == strength for one in findings) for strength in reversed(STRENGTHS)}
    parts = [f"{count:,} {plural(count, strength)}" for strength, count in counts.items() if count]
    return f"{len(findings):,} {plural(len(findings), 'warning')}: {', '.join(parts)}."


def check_sentence(report: CheckReport) -> str:
    """What was found, as a sentence."""
    texts, places = len(report.texts), len(report.places)
    if not places:
        return f"No line of the {texts:,} texts is missing, doubled, split, joined or shifted."
    wrong = sum(one.places > 0 for one in report.texts)
    return f"{places:,} {plural(places, 'place')} found in {wrong:,} of {texts:,} texts."
