"""Contents of a table with one row per segment, by the roles of its columns: texts, documents, labels and ratings.

The roles are those that the user gives, or those that the headers and cells suggest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from bleu_core.dataset import Column, Judgments, Labels, Role
from bleu_core.errors import FormatError, listed
from bleu_core.formats.cells import MAX_NUMBER_LENGTH, parse_scores, strip_cells
from bleu_core.formats.contents import Contents, FileRole, judgment_contents, label_contents, text_contents
from bleu_core.formats.delimited import Table, is_escaped, unescape_cell
from bleu_core.formats.mapping import PlacedColumn
from bleu_core.formats.segment_ids import RowIds, key_columns, normal_ids, segment_ids
from bleu_core.formats.source import Source

#: The roles of columns of texts.
TEXTS: Mapping[str, Role] = MappingProxyType({role: role for role in ("source", "reference", "system", "document")})


def unescape_columns(table: Table, columns: Sequence[PlacedColumn]) -> Table:
    """Return a table with the text in columns as it was before this program escaped it for spreadsheets, if it did."""
    if not is_escaped(table):
        return table
    positions = {position for position, column in columns if column.role != "rating"}
    cells = (list(map(unescape_cell, cells)) if i in positions else cells for i, cells in enumerate(table.columns))
    return replace(table, columns=tuple(cells))


def row_ids(table: Table, kinds: Sequence[str | None], columns: Sequence[PlacedColumn]) -> RowIds:
    """Return the ids of the rows, by which the table is joined with others.

    Args:
        table: the table.
        kinds: what each column is; ids are in columns of the kinds document and number, and in those of languages.
        columns: the columns that the user gives, of which one may have the ids.
    """
    given = {position for position, column in columns if column.role == "id"}
    if given:
        kinds = ["number" if i in given else None if kind == "number" else kind for i, kind in enumerate(kinds)]
    return segment_ids(table.header, kinds, table.columns)._replace(is_given=bool(given))


def contents_of_columns(
    table: Table,
    columns: Sequence[PlacedColumn],
    source: Source,
    *,
    role: FileRole,
    label: str,
    ids: RowIds | None,
    notes: Sequence[str],
    pairs: tuple[str, ...] = (),
) -> Contents:
    """Build the contents of columns, at least one; all others are ignored.

    In a table of several references, an empty cell means that the segment has no such reference. Ratings are numbers;
    an empty cell is a missing rating.

    Args:
        table: a table with at least one row.
        columns: the columns with their roles.
        source: the file.
        role: the role of the file.
        label: the label of the format.
        ids: the ids of the rows; None in a table that is not joined with others.
        notes: sentences about what is unusual or not used.
        pairs: the language pairs that the table names.

    Raises:
        FormatError: a rating is not a number, a row of a file of documents has none, or nothing remains without a
            column of documents with empty cells.
        LimitError: there are too many systems, references or judges.
    """
    columns, without_documents = _filled_documents(table, columns, source.name, role)
    for kind in ("system", "reference"):
        source.limits.check(f"{kind}s", sum(column.role == kind for _, column in columns), source.name)
    several = sum(column.role == "reference" for _, column in columns) > 1
    used = {position for position, column in columns if column.role in TEXTS or column.role == "rating"}
    keys = () if ids is None else key_columns(table.header, table.columns, table.lines, ids=ids, used=used)
    texts = tuple(
        replace(
            _text(table, placed, TEXTS[placed.column.role], source.name, several=several),
            ids=None if ids is None else ids.ids,
            id_name="" if ids is None else ids.name,
            keys=keys,
        )
        for placed in columns
        if placed.column.role in TEXTS
    )
    judgments = _judgments(table, [placed for placed in columns if placed.column.role == "rating"], source, label)
    labels = _labels(table, [placed for placed in columns if placed.column.role == "label"], source.name)
    if texts:
        contents = text_contents(texts, source, role, label, pairs=pairs)
        if judgments is not None:
            report = replace(contents.report, ratings=len(judgments.rated), unused_rows=judgments.unused_rows)
            contents = replace(contents, report=report)
    elif judgments is not None:
        contents = judgment_contents(judgments, source)
    elif labels is not None:
        contents = label_contents(labels, source, label)
    else:
        names = listed(table.header)
        raise FormatError(f"{source.name}: no column of text found ({names}); check the header and the cells")
    return replace(
        contents,
        report=replace(contents.report, notes=(*notes, *without_documents)),
        judgments=judgments,
        labels=labels,
    )


def _filled_documents(
    table: Table, columns: Sequence[PlacedColumn], origin: str, role: FileRole
) -> tuple[Sequence[PlacedColumn], tuple[str, ...]]:
    """Leave out a column of documents with empty cells, as in an export of merged cells, and return a note on it.

    Raises:
        FormatError: the file is to give the documents.
    """
    for placed in columns:
        cells = strip_cells(table.columns[placed.position]) if placed.column.role == "document" else ()
        empty = [line for cell, line in zip(cells, table.lines, strict=False) if not cell]
        if empty:
            count = f"no document found in {len(empty):,} of {len(cells):,} rows (lines {listed(empty, max_items=3)})"
            advice = "write the document in every row, also where cells were merged"
            if role == "document":
                raise FormatError(f"{origin}: {count}; {advice}")
            note = f"column {placed.column.header} not used: {count}; to use the documents, {advice}"
            return [other for other in columns if other is not placed], (note,)
    return columns, ()


def _text(table: Table, placed: PlacedColumn, role: Role, origin: str, *, several: bool) -> Column:
    cells = table.columns[placed.position]
    if role == "reference" and several:
        return Column(role, placed.column.called, tuple(cell or None for cell in cells), origin)
    column = Column(role, placed.column.called, tuple(cells), origin)
    return replace(column, numbers=_whole_numbers(table)) if role == "document" else column


def _whole_numbers(table: Table) -> dict[str, tuple[int, ...]]:
    """Return the columns of whole numbers by header, whatever they count."""
    columns = zip(table.header, map(normal_ids, table.columns), strict=True)
    return {name: tuple(map(int, cells)) for name, cells in columns if all(map(_is_whole_number, cells))}


def _is_whole_number(cell: str) -> bool:
    return cell.isascii() and cell.isdecimal() and len(cell) <= MAX_NUMBER_LENGTH


def _judgments(table: Table, rated: Sequence[PlacedColumn], source: Source, label: str) -> Judgments | None:
    """Return the ratings in all columns of ratings; None if there is no such column."""
    if not rated:
        return None
    rows = len(table.lines)
    values: list[float] = []
    for position, _ in rated:
        cells = table.columns[position]
        values += parse_scores(cells, table.lines, source.name, decimal_commas=table.decimal_commas).tolist()
    return Judgments.from_ratings(
        [column.system for _, column in rated for _ in range(rows)],
        values,
        [*table.lines] * len(rated),
        source.name,
        segments=[*range(1, rows + 1)] * len(rated),
        judges=[column.name for _, column in rated for _ in range(rows)],
        format=label,
        limits=source.limits,
    )


def _labels(table: Table, labelled: Sequence[PlacedColumn], origin: str) -> Labels | None:
    """Return the labels of the segments; None if there is no column of labels."""
    if not labelled:
        return None
    return Labels(
        unit="segment",
        keys=tuple(range(1, len(table.lines) + 1)),
        columns={column.called: tuple(strip_cells(table.columns[i])) for i, column in labelled},
        lines=tuple(table.lines),
        origin=origin,
    )
