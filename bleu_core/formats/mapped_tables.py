"""Tables whose columns the user describes: texts, documents, labels and ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bleu_core.dataset import Column, Judgments, Labels, Role, SegmentId
from bleu_core.errors import FormatError
from bleu_core.formats.cells import join_cells, parse_scores, strip_cells
from bleu_core.formats.contents import Contents, judgment_contents, label_contents, text_contents
from bleu_core.formats.delimited import Table, check_cells, is_escaped, parse_table, unescape_cell
from bleu_core.formats.headers import classify_header
from bleu_core.formats.mapping import MappedColumn, check_columns
from bleu_core.formats.segment_ids import is_language_column, segment_ids
from bleu_core.formats.source import Source

LABEL = "table with columns as given"
TEXTS: Mapping[str, Role] = {role: role for role in ("source", "reference", "system", "document")}


def read_mapped(source: Source, mapped: Sequence[MappedColumn], role: Role) -> Contents:
    """Read the columns that are mapped, with one row per segment; all others are ignored.

    An unmapped column whose header announces ids identifies the rows, so that a table in another order is joined with
    others. In a table of several references, an empty cell means that the segment has no such reference. Ratings are
    numbers; an empty cell is a missing rating.

    Args:
        source: a table with a header.
        mapped: the mapped columns.
        role: the role of the file.

    Raises:
        FormatError: a column is not in the header, or twice, the table has no row, or a rating is not a number.
        LimitError: there are too many columns, cells, systems, references or judges.
        SettingsError: the columns do not go together.
    """
    check_columns(mapped)
    origin, limits = source.name, source.limits
    if any(column.role in TEXTS for column in mapped):
        check_cells(source.text, origin, limits)
    table = parse_table(source.text, origin, limits=limits)
    if table is None or not table.lines:
        raise FormatError(f"{origin}: no row below the header found, at least 1 expected")
    position_of = _places(table, mapped, origin)
    if is_escaped(table):
        texts_at = {position_of[column.header] for column in mapped if column.role != "rating"}
        cells = (
            list(map(unescape_cell, column)) if i in texts_at else column for i, column in enumerate(table.columns)
        )
        table = replace(table, columns=tuple(cells))
    for kind in ("system", "reference"):
        limits.check(f"{kind}s", sum(column.role == kind for column in mapped), origin)
    several = sum(column.role == "reference" for column in mapped) > 1
    ids = _ids(table, {position_of[column.header]: column.role for column in mapped})
    texts = tuple(
        _text(column, TEXTS[column.role], table.columns[position_of[column.header]], origin, several=several, ids=ids)
        for column in mapped
        if column.role in TEXTS
    )
    judgments = _judgments(source, table, [(c, position_of[c.header]) for c in mapped if c.role == "rating"])
    label_columns = {
        c.called: tuple(strip_cells(table.columns[position_of[c.header]])) for c in mapped if c.role == "label"
    }
    labels = Labels(
        unit="segment",
        keys=tuple(range(1, len(table.lines) + 1)),
        columns=label_columns,
        lines=tuple(table.lines),
        origin=origin,
    )
    if texts:
        contents = text_contents(texts, source, role, LABEL)
        if judgments is not None:
            report = replace(contents.report, ratings=len(judgments.rated), unused_rows=judgments.unused_rows)
            contents = replace(contents, report=report)
    elif judgments is not None:
        contents = judgment_contents(judgments, source)
    else:
        contents = label_contents(labels, source, LABEL)
    contents = replace(contents, report=replace(contents.report, notes=(*table.notes, *contents.report.notes)))
    return replace(contents, judgments=judgments, labels=labels if label_columns else None)


def _places(table: Table, mapped: Sequence[MappedColumn], origin: str) -> dict[str, int]:
    """Return the position of each mapped column, by its header."""
    header = strip_cells(table.header)
    positions: dict[str, int] = {}
    for column in mapped:
        matching = [i for i, name in enumerate(header) if name == column.header.strip()]
        if not matching:
            raise FormatError(
                f"{origin}, line {table.line}: no column {column.header!r} found in the header ({join_cells(header)})"
            )
        if len(matching) > 1:
            raise FormatError(
                f"{origin}, line {table.line}: {len(matching)} columns called {column.header!r} found; rename one"
            )
        positions[column.header] = matching[0]
    return positions


def _ids(table: Table, roles: Mapping[int, str]) -> tuple[SegmentId, ...] | None:
    """Return the ids of the rows, by columns mapped as documents and the headers of others; None if there are none.

    Args:
        table: the table.
        roles: the roles of the mapped columns, by position.
    """
    kinds = [classify_header(name) if i not in roles else roles[i] for i, name in enumerate(table.header)]
    if "document" in roles.values():
        kinds = [None if kind == "document" and i not in roles else kind for i, kind in enumerate(kinds)]
    names = table.header
    places = [i for i, kind in enumerate(kinds) if kind in ("document", "number") or is_language_column(names[i])]
    return segment_ids(
        [table.header[i] for i in places], [kinds[i] for i in places], [table.columns[i] for i in places]
    )


def _text(
    column: MappedColumn,
    role: Role,
    cells: Sequence[str],
    origin: str,
    *,
    several: bool,
    ids: tuple[SegmentId, ...] | None,
) -> Column:
    if role == "reference" and several:
        return Column(role, column.called, tuple(cell or None for cell in cells), origin, ids=ids)
    return Column(role, column.called, tuple(cells), origin, ids=ids)


def _judgments(source: Source, table: Table, rated: Sequence[tuple[MappedColumn, int]]) -> Judgments | None:
    """Return the ratings in all columns of ratings; None if there is no such column."""
    systems: list[str] = []
    judges: list[str] = []
    values: list[float] = []
    lines: list[int] = []
    segments: list[int | None] = []
    for column, place in rated:
        ratings = parse_scores(table.columns[place], table.lines, source.name, decimal_commas=table.decimal_commas)
        for segment, (value, line) in enumerate(zip(ratings.tolist(), table.lines, strict=True), start=1):
            systems.append(column.system)
            judges.append(column.name)
            values.append(value)
            lines.append(line)
            segments.append(segment)
    if not rated:
        return None
    return Judgments.from_ratings(
        systems, values, lines, source.name, segments=segments, judges=judges, format=LABEL, limits=source.limits
    )
