"""Texts that are out of line, as tables and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bleu_core.dataset import ROLE_NAMES, Column, most_common_length, plural
from bleu_core.fields import Table, field, result, table_of
from bleu_core.reports.envelope import Envelope
from bleu_core.scoring import BleuSettings, signature
from bleu_core.segments import MisalignedText, PlaceKind


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
class CheckReport(Envelope):
    """The JSON of `bleu-core check`."""

    texts: tuple[CheckedText, ...] = field("object", "The texts that were compared.")
    places: tuple[PlaceResult, ...] = field("object", "The places where a text is out of line.")


def check_report(columns: Sequence[Column], found: Sequence[MisalignedText], settings: BleuSettings) -> CheckReport:
    """The contract of `bleu-core check --format json`.

    Args:
        columns: the texts.
        found: those of them that are out of line.
        settings: of the call; they change nothing here.
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
    )


def check_tables(report: CheckReport) -> list[Table]:
    """The texts, and the places if there are any."""
    tables = [table_of(report.texts, CheckedText)]
    return [*tables, table_of(report.places, PlaceResult)] if report.places else tables


def check_sentence(report: CheckReport) -> str:
    """What was found, as a sentence."""
    texts, places = len(report.texts), len(report.places)
    if not places:
        return f"No line of the {texts:,} texts is missing, doubled, split, joined or shifted."
    wrong = sum(one.places > 0 for one in report.texts)
    return f"{places:,} {plural(places, 'place')} found in {wrong:,} of {texts:,} texts."
