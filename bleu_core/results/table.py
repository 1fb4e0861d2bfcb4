"""Tables of results as text, TSV, XLSX and data frames.

The kind of value that each column of a table declares determines its format.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bleu_core.errors import one_line
from bleu_core.fields import MINUS, Approximate, AtMost, Cell, Field, Kind, Table, decimal, without_sign_of_zero

if TYPE_CHECKING:
    import pandas as pd

MIN_P = 0.001

#: Approximate p-values below this are written as "<".
MIN_APPROXIMATE_P = 1e-6

#: Maximum number of characters in a cell of a spreadsheet; longer texts would be omitted.
MAX_CELL_LENGTH = 32_767


def format_p(p_value: float) -> str:
    """Format a p-value with two significant digits; never as 0.

    Bounds and approximations are marked: "0.012", "< 0.001", "≤ 0.00050", "≈ 0.00023", "< 0.000001".
    """
    if math.isnan(p_value):
        return "undefined"
    if isinstance(p_value, AtMost):
        return f"≤ {_two_digits(p_value)}"
    if isinstance(p_value, Approximate):
        return f"≈ {_two_digits(p_value)}" if p_value >= MIN_APPROXIMATE_P else f"< {MIN_APPROXIMATE_P:f}"
    if p_value < MIN_P:
        return f"< {MIN_P}"
    return f"{p_value:#.2g}"


def _two_digits(number: float) -> str:
    """Format a positive number of at most 1 with two significant digits, without an exponent."""
    exponent = int(f"{number:.1e}".partition("e")[2])
    return f"{number:.{1 - exponent}f}"


#: Number of decimals by kind of value.
DECIMALS: Mapping[Kind, int] = {
    "points": 2,
    "difference": 2,
    "bleu": 4,
    "fraction": 3,
    "percent": 1,
    "decimal": 2,
    "number": 3,
}

#: Values that differ by less than this are equal.
EQUAL = 1e-9

#: Maximum number of decimals of a difference, which must not be rounded to zero.
MAX_DECIMALS = 9

#: Kinds of values that are written with a sign, plus or minus.
SIGNED: frozenset[Kind] = frozenset({"difference"})


def formatted(table: Table) -> list[list[str]]:
    """Return the cells, formatted for reading."""
    columns = table.columns.values()
    return [
        [format_cell(cell, column.kind, column.decimals) for cell, column in zip(row, columns, strict=True)]
        for row in table.rows
    ]


def format_cell(cell: Cell, kind: Kind, decimals: int | None = None) -> str:
    """Format a cell for reading, with the decimals of its kind if None; empty if there is no value."""
    if kind == "text" or isinstance(cell, str):
        return str(cell)
    if math.isnan(cell):
        return ""
    if kind == "p" or isinstance(cell, AtMost | Approximate):
        return format_p(cell)
    if kind in DECIMALS:
        return decimal(cell, DECIMALS[kind] if decimals is None else decimals, signed=kind in SIGNED)
    return (f"{cell:g}" if cell % 1 else f"{cell:z,.0f}").replace("-", MINUS)


def best_rows(table: Table) -> dict[str, frozenset[int]]:
    """Return the rows, from 0, with the best value of each column that declares which values are best.

    Values that are printed alike are equally good; if all are, none is the best.
    """
    best: dict[str, frozenset[int]] = {}
    for place, (name, column) in enumerate(table.columns.items()):
        values = {
            number: row[place]
            for number, row in enumerate(table.rows)
            if column.best and row[0] not in column.unranked and not isinstance(row[place], str)
        }
        numbers = [value for value in values.values() if not isinstance(value, str) and not math.isnan(value)]
        if not numbers:
            continue
        texts = {number: format_cell(value, column.kind, column.decimals) for number, value in values.items()}
        first = format_cell(max(numbers) if column.best == "highest" else min(numbers), column.kind, column.decimals)
        if len(set(texts.values()) - {""}) > 1:
            best[name] = frozenset(number for number, text in texts.items() if text == first)
    return best


def format_differences(*values: float, decimals: int = DECIMALS["difference"]) -> tuple[str, ...]:
    """Format differences with as many decimals as in tables, or more if one would be rounded to zero.

    >>> format_differences(0.77, -0.4), format_differences(0.001, 0.5), format_differences(0.0)
    (('0.77', '−0.40'), ('0.001', '0.500'), ('0',))
    """
    nonzero = [abs(value) for value in values if abs(value) >= EQUAL]
    enough = (d for d in range(decimals, MAX_DECIMALS) if all(value >= 0.5 / 10**d for value in nonzero))
    shown = next(enough, MAX_DECIMALS)
    return tuple(decimal(value, shown) if abs(value) >= EQUAL else "0" for value in values)


def xlsx_format(column: Field) -> str | None:
    """Return a spreadsheet's format of the numbers of a column, None for its default; the cell has all digits."""
    kind = column.kind
    if kind == "p":
        return "0.0000"
    if kind not in DECIMALS:
        return None
    digits = "0." + "0" * (DECIMALS[kind] if column.decimals is None else column.decimals)
    return f"+{digits};-{digits};{digits}" if kind in SIGNED else digits


def to_text(table: Table) -> str:
    """Return a table for a terminal; control characters in names become visible escapes."""
    from tabulate import tabulate  # loaded when first needed: JSON does without

    table = table.for_people()
    rows = [[one_line(cell) for cell in row] for row in formatted(table)]
    labels = [one_line(title) for title in table.titles]
    return tabulate(rows, labels, "simple", disable_numparse=True, colalign=_alignment(table))


def to_tsv(table: Table, *, escaped: bool = False) -> str:
    """Return a table as tab-separated values with all digits; undefined values are empty, and zero has no sign.

    Args:
        table: the table.
        escaped: whether text that a spreadsheet could run is escaped by `escape_cell`. If that changes any cell,
            all text is escaped, and a last column `escaped_by` is added. Otherwise cells are unchanged, since programs
            that read them do not expect such a column.
    """
    if escaped:
        table = _escaped(table)
    rows = _Rows()
    # Cells with \r are quoted only if \r is part of the line terminator.
    writer = csv.writer(rows, dialect="excel-tab", lineterminator="\r\n")
    writer.writerow(table.columns)
    writer.writerows([[_exact(cell) for cell in row] for row in table.rows])
    return "".join(row.removesuffix("\r\n") + "\n" for row in rows)


class _Rows(list[str]):
    """A list of rows to which a CSV writer writes."""

    def write(self, row: str) -> None:
        self.append(row)


def to_frame(table: Table) -> pd.DataFrame:
    """Return a table as a data frame with all digits."""
    import pandas as pd  # loaded when first needed

    return pd.DataFrame(list(table.rows), columns=pd.Index(list(table.columns)))


def to_xlsx(table: Table, note: str = "") -> bytes:
    """Return a workbook with all digits; text that looks like a formula or a link remains text.

    Args:
        table: of the first sheet.
        note: of a second sheet, which there is only with a note.
    """
    import xlsxwriter  # pyright: ignore[reportMissingTypeStubs] # loaded when first needed

    out = io.BytesIO()
    book: Any
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        bold = book.add_format({"bold": True})
        codes = {name: xlsx_format(column) for name, column in table.columns.items()}
        styles = {code: book.add_format({"num_format": code}) for code in codes.values() if code}
        for column, (name, code) in enumerate(codes.items()):
            sheet.write_string(0, column, _writable(name), bold)
            for row, cells in enumerate(table.rows, start=1):
                cell = cells[column]
                if isinstance(cell, str):
                    sheet.write_string(row, column, _writable(cell))
                elif math.isfinite(cell):
                    sheet.write_number(row, column, cell, styles[code] if code else None)
        sheet.freeze_panes(1, 1)
        sheet.autofit()
        if note:
            book.add_worksheet("note").write_string(0, 0, _writable(note))
    return out.getvalue()


def _writable(text: str) -> str:
    """Return text that a cell can hold: shortened, and without lone surrogates, which damaged files may have."""
    if len(text) > MAX_CELL_LENGTH:
        text = f"{text[: MAX_CELL_LENGTH - 1]}…"
    return text.encode("utf-8", "replace").decode("utf-8")


def _escaped(table: Table) -> Table:
    """Return the table with texts that no spreadsheet runs; the same table if nothing has to be changed."""
    from bleu_core.formats import ESCAPED, ESCAPED_BY, escape_cell  # loaded when first needed

    escaped = table.with_texts(escape_cell)
    if escaped.rows == table.rows:
        return table
    return escaped.extended(ESCAPED, Field("text", "The program that escaped the text."), ESCAPED_BY)


def _alignment(table: Table) -> tuple[str, ...]:
    return tuple("left" if kind == "text" else "right" for kind in table.kinds.values())


def _is_nan(cell: Cell) -> bool:
    return isinstance(cell, float) and math.isnan(cell)


def _exact(cell: Cell) -> Cell:
    """Return a cell with all digits; empty if there is no value."""
    return "" if _is_nan(cell) else without_sign_of_zero(cell)
