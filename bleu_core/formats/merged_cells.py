"""Merged cells of sheets: grouped headers, and values that stand for several rows or columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from bleu_core.dataset import plural
from bleu_core.errors import FormatError, listed
from bleu_core.formats.delimited import SNIFFED_LINES, format_cell
from bleu_core.formats.source import Source
from bleu_core.formats.xml_elements import iter_elements
from bleu_core.invocation import format_option

#: The rows of a sheet; an empty cell is an empty text.
Rows: TypeAlias = list[list[object]]
#: The elements of ODS that have positions.
ELEMENTS = ("table", "table-row", "table-cell", "covered-table-cell")


class Merged(NamedTuple):
    """Merged cells, by their first and last rows and columns from 0; the first cell has the value."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def columns(self) -> range:
        """All columns."""
        return range(self.left, self.right + 1)


def merged_in_ods(source: Source, sheet: str) -> list[Merged]:
    """Return the merged cells of a sheet.

    Args:
        source: the file content.xml of ODS.
        sheet: the name of the sheet.

    Raises:
        FormatError: it is not well-formed, or declares entities.
        LimitError: it has too many elements.
    """
    merged: list[Merged] = []
    inside = False
    row = column = 0
    repeated = 1  # repetitions of the current row
    for event, name, element in iter_elements(source, (), ELEMENTS):
        if event == "end":
            row += repeated if name == "table-row" else 0
            continue
        attributes = {str(key).rpartition("}")[2]: str(value) for key, value in element.items()}
        if name == "table":
            inside, row = attributes.get("name") == sheet, 0
        elif name == "table-row":
            column, repeated = 0, _count(attributes.get("number-rows-repeated"))
        else:
            height, width = (_count(attributes.get(f"number-{side}-spanned")) for side in ("rows", "columns"))
            if inside and height * width > 1:
                merged.append(Merged(row, column, row + height - 1, column + width - 1))
            column += _count(attributes.get("number-columns-repeated"))
    return merged


def _count(number: str | None) -> int:
    return int(number) if number and number.isascii() and number.isdigit() and len(number) < 10 else 1  # noqa: PLR2004 # digits


def find_grouped_header(rows: Rows, merged: Sequence[Merged], name: str) -> int | None:
    """Return the row (from 0) of the headers below others that are merged over them; None if there are none.

    Args:
        rows: the rows of a sheet.
        merged: its merged cells.
        name: the file, for messages.

    Raises:
        FormatError: only some cells of the first row are merged with those below, so that the header may end in either.
    """
    numbers = [i for i, row in enumerate(rows) if _filled(row)][:SNIFFED_LINES]
    header = None
    for row, following in pairwise(numbers):
        below = _filled(rows[following])
        if any(cells.top == row and len(below.intersection(cells.columns)) > 1 for cells in merged):
            header = following
        elif row == header or len(_filled(rows[row])) > 1:
            break
    if header is not None or not numbers:
        return header
    first, filled = numbers[0], _filled(rows[numbers[0]])
    bottoms = {cells.left: cells.bottom for cells in merged if cells.top == first < cells.bottom}
    if len(filled) == 1 or not filled.intersection(bottoms):
        return None
    bottom = max(bottoms.values())
    if filled.difference(bottoms):
        raise FormatError(
            f"{name}: only some cells of row {first + 1} merged with those below found, so that the headers may end in "
            f"row {first + 1} or {bottom + 1}; read the file with "
            f"{format_option(name, 'spreadsheet', header=str(bottom + 1))}, or with header=no if row {first + 1} is a "
            "segment"
        )
    return bottom


def fill_merged_cells(rows: Rows, merged: Sequence[Merged], header: int | None) -> tuple[str, ...]:
    """Fill merged cells below the header, and empty cells of the header itself.

    Columns without a header are not filled, since a column may be merged with others only to be wide; neither are empty
    rows. A row with nothing but one cell merged over several columns is a heading, and is emptied.

    Args:
        rows: the rows of a sheet, which are changed.
        merged: its merged cells.
        header: the row of the header, from 0; None if there is none.

    Returns:
        Sentences about what is filled or not used.
    """
    used = {i for i, row in enumerate(rows) if _filled(row)}
    names = [f"column {i}" for i in range(1, len(rows[0]) + 1)]
    if header is not None:
        _complete_header(rows, merged, header)
        names = [format_cell(value) for value in rows[header]]
    columns = {i for i, name in enumerate(names) if name.strip()}
    completed: dict[str, None] = {}
    headings: list[int] = []
    for cells in merged:
        row = cells.top
        if row not in used or (header is not None and row <= header) or cells.left not in _filled(rows[row]):
            continue
        value, places = rows[row][cells.left], columns.intersection(cells.columns)
        if len(places) > 1 and len(_filled(rows[row])) == 1:
            rows[row][cells.left] = ""
            headings.append(row + 1)
            continue
        for place in places:
            completed[names[place]] = None
            for covered in used.intersection(range(row, min(cells.bottom + 1, len(rows)))):
                rows[covered][place] = rows[covered][place] if _is_filled(rows[covered][place]) else value
    emptied = f"{plural(len(headings), 'row')} {listed(headings)} not used: only a merged cell found, such as a heading"
    return (
        *((f"merged cells in {listed(completed)} read as one value in each of their rows",) if completed else ()),
        *((emptied,) if headings else ()),
    )


def _complete_header(rows: Rows, merged: Sequence[Merged], header: int) -> None:
    """Fill the empty cells of the header with those of the row above that are not merged over several columns."""
    above = {cells.left: cells for cells in merged if cells.top < header}
    for place, value in enumerate(rows[header]):
        cells = above.get(place, Merged(header - 1, place, header, place))
        if not _is_filled(value) and cells.top >= 0 and cells.bottom >= header and cells.left == cells.right:
            rows[header][place] = rows[cells.top][place]


def _is_filled(value: object) -> bool:
    return not isinstance(value, str) or bool(value.strip())


def _filled(row: Sequence[object]) -> set[int]:
    return {i for i, value in enumerate(row) if _is_filled(value)}
