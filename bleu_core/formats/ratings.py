"""Judgments in long form with a header: one row per rating, or per score of a system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from bleu_core.dataset import Judgments
from bleu_core.errors import FormatError
from bleu_core.formats.cells import (
    SEGMENT_HEADERS,
    SYSTEM_HEADERS,
    check_filled,
    check_systems,
    join_cells,
    numbers_restart,
    parse_scores,
    parse_segments,
    strip_cells,
)
from bleu_core.formats.column_kinds import SOURCE_HEADERS, TRANSLATION_HEADERS, text_column
from bleu_core.formats.contents import Contents, judgment_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import SUFFIXES, Table, header_names, is_escaped, parse_table, unescape_cell
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text
from bleu_core.limits import DEFAULT_LIMITS, Limits

LABEL = "ratings, one per row"
SYNONYMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "segment": SEGMENT_HEADERS,
        "system": SYSTEM_HEADERS,
        "judge": ("judge", "judge_id", "rater", "rater_id", "annotator", "annotator_id", "worker", "worker_id"),
        "score": ("score", "rating"),
        "document": ("document", "document_id", "doc", "doc_id"),
        "group": ("group",),
    }
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


def read_ratings(text: Text, origin: str, *, first_segment: int = 1, limits: Limits = DEFAULT_LIMITS) -> Judgments:
    """Read judgments with a header; common synonyms of the column names are accepted.

    The columns system and score are required; judge, group and document are optional. Without a column segment, each
    row is a system-level score. If a segment number occurs in several documents, segments are numbered within
    documents. A score that is empty, none or n/a is missing; its row is kept and counted. Names that this program has
    escaped for spreadsheets are unescaped.

    Args:
        text: the file's text.
        origin: the file, for messages.
        first_segment: the number the file gives the first segment, 1 or 0.
        limits: the limits for the file.

    Raises:
        FormatError: a required column is missing or occurs twice, a score is not a number, a segment is not a whole
            number from first_segment on, or there is no rating.
        LimitError: there are too many columns, systems, judges or groups.
    """
    table = parse_table(text, origin, limits=limits)
    if table is None:
        raise FormatError(f"{origin}: the file is empty; a header with the columns system and score expected")
    positions_by_name = _positions(table, origin)
    columns = {name: strip_cells(table.columns[i]) for name, i in positions_by_name.items()}
    if is_escaped(table):
        columns |= {name: list(map(unescape_cell, columns[name])) for name in TEXT if name in columns}
    lines = table.lines
    check_systems(columns["system"], lines, origin)
    documents = _or_none(columns.get("document"))
    numbers = positions = None
    if "segment" in columns and lines:
        numbers = parse_segments(columns["segment"], lines, origin, first_segment)
        if documents is not None and numbers_restart(numbers, documents):
            check_filled(columns["document"], lines, origin, "document")
            numbers, positions = None, numbers
    translations = text_column(table, TRANSLATION_HEADERS)
    sources = None if translations is None else text_column(table, SOURCE_HEADERS)
    values = parse_scores(columns["score"], lines, origin, decimal_commas=table.decimal_commas)
    if np.isnan(values).all():
        raise FormatError(f"{origin}: no rating in {len(lines):,} rows below the header, at least 1 expected")
    return Judgments.from_ratings(
        columns["system"],
        values,
        lines,
        origin,
        segments=numbers,
        positions=positions,
        numbering="line" if positions is None else "document",
        judges=columns.get("judge", ""),
        groups=_or_none(columns.get("group")),
        documents=documents,
        sources=_or_none(sources),
        translations=_or_none(translations),
        first_segment=first_segment,
        format=LABEL,
        notes=(*table.notes, *([] if positions is None else [WITHIN_DOCUMENTS])),
        limits=limits,
    )


def _positions(table: Table, origin: str) -> dict[str, int]:
    positions: dict[str, int] = {}
    for name, synonyms in SYNONYMS.items():
        places = table.places(synonyms)
        if len(places) > 1:
            named = " and ".join(repr(table.header[i]) for i in places)
            raise FormatError(f"{origin}, line {table.line}: columns {named} both give the {name}; keep one")
        if places:
            positions[name] = places[0]
    for needed in ("system", "score"):
        if needed not in positions:
            raise FormatError(
                f"{origin}, line {table.line}: no column {needed} in the header ({join_cells(table.header)}); "
                f"one of {', '.join(SYNONYMS[needed])} expected"
            )
    return positions


def _or_none(cells: Sequence[str] | None) -> list[str | None] | None:
    return None if cells is None else [cell or None for cell in cells]


def _sniff(source: Source) -> float:
    return 0.6 if is_ratings(source.first_line, source.name) else 0


def _read(source: Source, options: Options) -> Contents:
    return judgment_contents(
        read_ratings(source.text, source.name, first_segment=options.first_segment, limits=source.limits), source
    )


FORMAT = Format(
    key="ratings",
    label=LABEL,
    description="tables with a header that names system and score",
    roles=("judgments",),
    sniff=_sniff,
    read=_read,
    endings=SUFFIXES,
)
