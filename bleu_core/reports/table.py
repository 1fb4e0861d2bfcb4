"""Tables of results, for people and for programs: text, LaTeX, TSV, XLSX.

A table knows of each column what kind of value it holds, and so how people and programs should see it.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from bleu_core.errors import one_line

if TYPE_CHECKING:
    import pandas as pd

Cell = str | int | float
Json = dict[str, object]
#: "bleu" is BLEU from 0 to 1, as the paper writes it; "points" are 0 to 100.
Kind = Literal["text", "count", "points", "bleu", "difference", "fraction", "number", "p"]

SMALLEST_P = 0.001

#: A row that begins with [ or * would be an argument of the command before it.
LATEX_ARGUMENT = re.compile(r"((?:\\\\|\\midrule|\\toprule)\s*)([*\[])")


def format_p(p_value: float) -> str:
    """Two significant digits; never 0."""
    if math.isnan(p_value):
        return "undefined"
    if p_value < SMALLEST_P:
        return f"< {SMALLEST_P}"
    return f"{p_value:#.2g}"


FORMATS: Mapping[Kind, Callable[[float], str]] = {
    "count": lambda value: f"{value:g}" if value % 1 else f"{value:.0f}",
    "points": lambda value: f"{value:.2f}",
    "bleu": lambda value: f"{value:.4f}",
    "difference": lambda value: f"{value:+.2f}",
    "fraction": lambda value: f"{value:.3f}",
    "number": lambda value: f"{value:.3f}",
    "p": format_p,
}


#: How a spreadsheet shows a number; all its digits are in the cell.
XLSX_FORMATS: Mapping[Kind, str] = {
    "points": "0.00",
    "bleu": "0.0000",
    "difference": "+0.00;-0.00;0.00",
    "fraction": "0.000",
    "number": "0.000",
    "p": "0.0000",
}


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of results.

    Attributes:
        kinds: column -> kind of its values, in the order of the columns.
        rows: one cell a column; NaN where there is no value.
    """

    kinds: Mapping[str, Kind]
    rows: tuple[tuple[Cell, ...], ...]

    def formatted(self) -> list[list[str]]:
        """The cells as people read them."""
        return [
            [format_cell(cell, kind) for cell, kind in zip(row, self.kinds.values(), strict=True)] for row in self.rows
        ]

    def without(self, *names: str) -> Table:
        """The table without some of its columns."""
        kept = [i for i, name in enumerate(self.kinds) if name not in names]
        kinds: dict[str, Kind] = {name: kind for name, kind in self.kinds.items() if name not in names}
        return Table(kinds, tuple(tuple(row[i] for i in kept) for row in self.rows))

    def for_people(self) -> Table:
        """The table without a column of notes where there is no note."""
        notes = list(self.kinds).index("note") if "note" in self.kinds else -1
        return self if notes < 0 or any(row[notes] for row in self.rows) else self.without("note")


def format_cell(cell: Cell, kind: Kind) -> str:
    """A cell as people read it; empty where there is no value."""
    if kind == "text" or isinstance(cell, str):
        return str(cell)
    if math.isnan(cell):
        return ""
    return FORMATS[kind](cell)


def to_text(table: Table) -> str:
    """A table for a terminal; control characters in names become visible escapes."""
    from tabulate import tabulate  # loaded when first needed: JSON does without

    table = table.for_people()
    rows = [[one_line(cell) for cell in row] for row in table.formatted()]
    labels = [one_line(label) for label in _labels(table)]
    return tabulate(rows, labels, "simple", disable_numparse=True, colalign=_alignment(table))


def to_latex(table: Table) -> str:
    """A table for a paper, with booktabs; names are escaped."""
    from tabulate import tabulate

    table = table.for_people()
    rows = table.formatted()
    text = tabulate(rows, _labels(table), "latex_booktabs", disable_numparse=True, colalign=_alignment(table))
    return LATEX_ARGUMENT.sub(r"\1{}\2", text)


def to_tsv(table: Table) -> str:
    """All digits, tab-separated; an empty cell is no value."""
    rows = _Rows()
    # Cells with a \r are quoted only where it is part of the line terminator.
    writer = csv.writer(rows, dialect="excel-tab", lineterminator="\r\n")
    writer.writerow(table.kinds)
    writer.writerows([["" if _is_nan(cell) else cell for cell in row] for row in table.rows])
    return "".join(row.removesuffix("\r\n") + "\n" for row in rows)


class _Rows(list[str]):
    """Rows as a CSV writer writes them, each at once."""

    def write(self, row: str) -> None:
        self.append(row)


def to_frame(table: Table) -> pd.DataFrame:
    """A table for pandas: all digits, one row per row of the table."""
    import pandas as pd  # loaded when first needed

    return pd.DataFrame(list(table.rows), columns=pd.Index(list(table.kinds)))


def to_xlsx(table: Table) -> bytes:
    """A workbook of one sheet with all digits; text is text, even where it looks like a formula or a link."""
    import xlsxwriter  # pyright: ignore[reportMissingTypeStubs] # loaded when first needed

    out = io.BytesIO()
    book: Any
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        bold = book.add_format({"bold": True})
        styles = {kind: book.add_format({"num_format": code}) for kind, code in XLSX_FORMATS.items()}
        for column, (name, kind) in enumerate(table.kinds.items()):
            sheet.write_string(0, column, _writable(name), bold)
            for row, cells in enumerate(table.rows, start=1):
                cell = cells[column]
                if isinstance(cell, str):
                    sheet.write_string(row, column, _writable(cell))
                elif math.isfinite(cell):
                    sheet.write_number(row, column, cell, styles.get(kind))
        sheet.freeze_panes(1, 1)
        sheet.autofit()
    return out.getvalue()


def _writable(text: str) -> str:
    """Half a surrogate pair, which a damaged file may hold, has no bytes in UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")


def none_if_nan(value: float) -> float | None:
    """JSON has no NaN: what is undefined is null."""
    return None if math.isnan(value) else value


def _labels(table: Table) -> list[str]:
    return [name if kind == "text" and name not in LABELS else label(name) for name, kind in table.kinds.items()]


#: Column names as people read them, where it is more than a blank for an underscore.
LABELS: Mapping[str, str] = {
    "bleu": "BLEU",
    "bleu_low": "BLEU low",
    "bleu_high": "BLEU high",
    "published_bleu": "published BLEU",
    "p_value": "p",
    "p_value_adjusted": "corrected p",
    "t": "t",
    "degrees_of_freedom": "df",
}


def label(name: str) -> str:
    """A column's name as people read it."""
    if name in LABELS:
        return LABELS[name]
    if name.startswith("precision_"):
        return "p" + name.removeprefix("precision_")
    return name.replace("_", " ") if name.isidentifier() else name  # a column may be named after a system


def _alignment(table: Table) -> tuple[str, ...]:
    return tuple("left" if kind == "text" else "right" for kind in table.kinds.values())


def _is_nan(cell: Cell) -> bool:
    return isinstance(cell, float) and math.isnan(cell)
