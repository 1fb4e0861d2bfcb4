"""Judgments in tables with a header: a row per rating, or per segment with a column per judge or system."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

import numpy as np

from bleu_core.dataset import Judgments
from bleu_core.errors import FormatError
from bleu_core.formats.cells import (
    JUDGE_HEADERS,
    SEGMENT_HEADERS,
    SYSTEM_HEADERS,
    check_filled,
    check_systems,
    numbers_restart,
    parse_scores,
    parse_segments,
    strip_cells,
)
from bleu_core.formats.column_kinds import SOURCE_HEADERS, TRANSLATION_HEADERS, text_column
from bleu_core.formats.contents import Contents, judgment_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import SUFFIXES, header_names, is_escaped, parse_table, unescape_cell
from bleu_core.formats.number_tables import OWN, NumberTable, is_number_table, layout_of
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text
from bleu_core.limits import DEFAULT_LIMITS, Limits

T = TypeVar("T")

LABEL = "ratings, one per row"
SYNONYMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "segment": SEGMENT_HEADERS,
        "system": SYSTEM_HEADERS,
        "judge": JUDGE_HEADERS,
        "score": ("score", "rating"),
        "document": ("document", "document_id", "doc", "doc_id"),
        "group": ("group",),
    }
)
#: Words for judges, alone or with a name or number, and for criteria, of which one is for the whole translation.
JUDGES = re.compile(r"^(?:judge|rater|annotator|worker|evaluator|reviewer|expert)s?(?:_|\d|:|$)")
CRITERIA = re.compile(
    r"(?:^|_)(?:adequacy|fluency|accuracy|quality|overall|comprehensibility|intelligibility|fidelity|faithfulness|"
    r"meaning|grammar|grammaticality|style|terminology|readability|naturalness|da|sqm|esa|mqm|mos)(?:$|_)"
)
OVERALL = re.compile(r"overall(?:_\w+)?|(?:\w+_)?overall|(?:translation_)?quality")
KIND = NumberTable(
    key="ratings",
    what="rating",
    columns=SYNONYMS,
    several=JUDGES,
    named="judge",
    criteria=CRITERIA,
    overall=OVERALL,
)
#: The note if segment numbers occur in several documents.
WITHIN_DOCUMENTS = (
    "segments are numbered within documents: the ratings can be matched with segments only if the documents of the "
    "texts are known; otherwise they count for systems only"
)
#: The columns of text.
TEXT = ("system", "judge", "document", "group")


def is_ratings(first_line: str, name: str = "") -> bool:
    """Return whether the first line of a file is a header of judgments, with at least a system and a score."""
    names = header_names(first_line, name)
    return all(not set(SYNONYMS[needed]).isdisjoint(names) for needed in ("system", "score"))


def read_ratings(
    text: Text,
    origin: str,
    *,
    first_segment: int = 1,
    own: Mapping[str, str] = MappingProxyType({}),
    limits: Limits = DEFAULT_LIMITS,
) -> Judgments:
    """Read judgments with a header; common synonyms of the column names are accepted.

    The columns system and score are required, unless there is a column per judge, for a single criterion, or per
    system, see number_tables; judge, group and document are optional. Without a column segment, each row is a
    system-level score. If a segment number occurs in several documents, segments are numbered within documents. A score
    that is empty, none or n/a is missing; its row is kept and counted. Names that this program has escaped for
    spreadsheets are unescaped.

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
    layout = layout_of(table, KIND, own, origin)
    columns = {name: strip_cells(table.columns[i]) for name, i in layout.roles.items()}
    if is_escaped(table):
        columns |= {name: list(map(unescape_cell, columns[name])) for name in TEXT if name in columns}
    lines, times = table.lines, len(layout.numbers)
    if "system" in columns:
        check_systems(columns["system"], lines, origin)
    documents = _or_none(columns.get("document"))
    numbers = positions = None
    if "segment" in columns and lines:
        numbers = parse_segments(columns["segment"], lines, origin, first_segment)
        if documents is not None and numbers_restart(numbers, documents):
            check_filled(columns["document"], lines, origin, "document")
            numbers, positions = None, numbers
    is_wide = layout.named == "system"
    translations = None if is_wide else text_column(table, TRANSLATION_HEADERS)
    sources = text_column(table, SOURCE_HEADERS) if is_wide or translations is not None else None
    of_columns = [
        parse_scores(strip_cells(table.columns[i]), lines, origin, decimal_commas=table.decimal_commas)
        for i, _ in layout.numbers
    ]
    values = np.concatenate(of_columns)
    if np.isnan(values).all():
        raise FormatError(f"{origin}: no rating in {len(lines):,} rows below the header, at least 1 expected")
    names = [name for _, name in layout.numbers for _ in lines]
    systems = names if is_wide else _repeated(columns.get("system"), times)
    is_judged = layout.named == "judge" and times > 1
    return Judgments.from_ratings(
        [layout.system] * len(values) if systems is None else systems,
        values,
        _repeated(lines, times) or (),
        origin,
        segments=_repeated(numbers, times),
        positions=_repeated(positions, times),
        numbering="line" if positions is None else "document",
        judges=names if is_judged else _repeated(columns.get("judge"), times) or "",
        groups=_or_none(_repeated(columns.get("group"), times)),
        documents=_repeated(documents, times),
        sources=_or_none(_repeated(sources, times)),
        translations=_or_none(_repeated(translations, times)),
        first_segment=first_segment,
        format=LABEL,
        notes=(*table.notes, *layout.notes, *([] if positions is None else [WITHIN_DOCUMENTS])),
        limits=limits,
    )


def _repeated(cells: Sequence[T] | None, times: int) -> Sequence[T] | None:
    """Return cells once per column of numbers."""
    return cells if cells is None or times == 1 else [*cells] * times


def _or_none(cells: Sequence[str] | None) -> list[str | None] | None:
    return None if cells is None else [cell or None for cell in cells]


def _sniff(source: Source) -> float:
    if is_ratings(source.first_line, source.name):
        return 0.6
    return 0.5 if is_number_table(source.first_line, source.name, KIND) else 0


def _read(source: Source, options: Options) -> Contents:
    first, own = options.first_segment, options.own
    judgments = read_ratings(source.text, source.name, first_segment=first, own=own, limits=source.limits)
    return judgment_contents(judgments, source)


FORMAT = Format(
    key="ratings",
    label=LABEL,
    description="tables of ratings: a row per rating, or a column per judge or system",
    roles=("judgments",),
    sniff=_sniff,
    read=_read,
    endings=SUFFIXES,
    own=OWN,
)
