"""Judgments in tables with a header: a row per rating, or per segment with a column per judge or system."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from bleu_core.dataset import Judgments, UnusedRows
from bleu_core.errors import FormatError
from bleu_core.formats.cells import JUDGE_HEADERS, SEGMENT_HEADERS, SYSTEM_HEADERS, check_filled, numbers_restart
from bleu_core.formats.column_kinds import SOURCE_HEADERS, TRANSLATION_HEADERS, text_column
from bleu_core.formats.contents import Contents, judgment_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import SUFFIXES, Table, parse_table
from bleu_core.formats.number_tables import NO_OPTIONS, OWN, NumberRows, TableKind
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text
from bleu_core.limits import DEFAULT_LIMITS, Limits

T = TypeVar("T")

LABEL = "ratings, one per row"
#: Words for judges, alone or with a name or number, and for criteria, of which one is for the whole translation.
JUDGES = re.compile(r"^(?:judge|rater|annotator|worker|evaluator|reviewer|expert)s?(?:_|\d|:|$)")
CRITERIA = re.compile(
    r"(?:^|_)(?:adequacy|fluency|accuracy|quality|overall|comprehensibility|intelligibility|fidelity|faithfulness|"
    r"meaning|grammar|grammaticality|style|terminology|readability|naturalness|da|sqm|esa|mqm|mos)(?:$|_)"
)
OVERALL = re.compile(r"overall(?:_\w+)?|(?:\w+_)?overall|(?:translation_)?quality")
KIND = TableKind(
    key="ratings",
    what="rating",
    columns={
        "segment": SEGMENT_HEADERS,
        "system": SYSTEM_HEADERS,
        "judge": JUDGE_HEADERS,
        "score": ("score", "rating"),
        "document": ("document", "document_id", "doc", "doc_id"),
        "group": ("group",),
    },
    required=("system", "score"),
    several=JUDGES,
    criteria=CRITERIA,
    overall=OVERALL,
)
#: The note if segment numbers occur in several documents.
WITHIN_DOCUMENTS = (
    "segments are numbered within documents: the ratings can be matched with segments only if the documents of the "
    "texts are known; otherwise they count for systems only"
)


def read_ratings(
    text: Text,
    origin: str,
    *,
    first_segment: int = 1,
    own: Mapping[str, str] = NO_OPTIONS,
    limits: Limits = DEFAULT_LIMITS,
) -> Judgments:
    """Read judgments with a header; common synonyms of the column names are accepted.

    The columns system and score are required, unless there is a column per judge, for a single criterion, or per
    system, see number_tables; judge, group and document are optional. Without a column segment, each row is a
    system-level score. If a segment number occurs in several documents, segments are numbered within documents. A score
    that is empty, none or n/a is missing; its row is kept and counted.

    Args:
        text: the file's text.
        origin: the file, for messages.
        first_segment: the number the file gives the first segment, 1 or 0.
        own: the options of the format, see number_tables.
        limits: the limits for the file.

    Raises:
        FormatError: a required column is missing or occurs twice, a score is not a number, a segment is not a whole
            number from first_segment on, or there is no rating.
        LimitError: there are too many columns, systems, judges or groups.
    """
    table = parse_table(text, origin, limits=limits)
    if table is None:
        raise FormatError(f"{origin}: the file is empty; a header with the columns system and score expected")
    return judgments_of(table, KIND, origin, own=own, first_segment=first_segment, limits=limits)


def judgments_of(
    table: Table,
    kind: TableKind,
    origin: str,
    *,
    own: Mapping[str, str] = NO_OPTIONS,
    first_segment: int = 1,
    format: str = LABEL,  # noqa: A002 # as the attribute
    unused_rows: Iterable[UnusedRows] = (),
    notes: Sequence[str] = (),
    limits: Limits = DEFAULT_LIMITS,
) -> Judgments:
    """Return the ratings in a table of a kind; arguments and errors are those of read_ratings and from_ratings."""
    rows = NumberRows(table, kind, origin, own=own, first_segment=first_segment)
    cells, lines, times = rows.cells, table.lines, len(rows.numbers)
    documents = _or_none(cells.get("document"))
    numbers, positions = rows.segments, None
    if numbers and documents is not None and numbers_restart(numbers, documents):
        check_filled(cells["document"], lines, origin, "document")
        numbers, positions = None, numbers
        notes = (*notes, WITHIN_DOCUMENTS)
    is_wide = rows.named == "system"
    translations = None if is_wide else text_column(table, TRANSLATION_HEADERS)
    sources = text_column(table, SOURCE_HEADERS) if is_wide or translations is not None else None
    names = [column.name for column in rows.numbers for _ in lines]
    is_judged = rows.named == "judge" and times > 1
    return Judgments.from_ratings(
        names if is_wide else _repeated(cells.get("system", [rows.system] * len(lines)), times) or (),
        np.concatenate([column.values for column in rows.numbers]),
        _repeated(lines, times) or (),
        origin,
        segments=_repeated(numbers, times),
        positions=_repeated(positions, times),
        numbering="line" if positions is None else "document",
        judges=names if is_judged else _repeated(cells.get("judge"), times) or kind.averages,
        groups=_or_none(_repeated(cells.get("group"), times)),
        documents=_repeated(documents, times),
        sources=_or_none(_repeated(sources, times)),
        translations=_or_none(_repeated(translations, times)),
        averages=bool(kind.averages),
        first_segment=first_segment,
        format=format,
        unused_rows=unused_rows,
        notes=(*rows.notes, *notes),
        limits=limits,
    )


def _repeated(cells: Sequence[T] | None, times: int) -> Sequence[T] | None:
    """Return cells once per column of numbers."""
    return cells if cells is None or times == 1 else [*cells] * times


def _or_none(cells: Sequence[str] | None) -> list[str | None] | None:
    return None if cells is None else [cell or None for cell in cells]


def _read(source: Source, options: Options) -> Contents:
    first, own = options.first_segment, options.own
    judgments = read_ratings(source.text, source.name, first_segment=first, own=own, limits=source.limits)
    return judgment_contents(judgments, source)


FORMAT = Format(
    key="ratings",
    label=LABEL,
    description="tables of ratings: a row per rating, or a column per judge or system",
    roles=("judgments",),
    sniff=KIND.confidence,
    read=_read,
    endings=SUFFIXES,
    own=OWN,
)
