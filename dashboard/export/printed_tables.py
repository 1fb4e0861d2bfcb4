"""Tables of results as HTML for paper: all rows and columns, in pieces where they are wider than a page."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import jinja2
import markupsafe

from bleu_core.fields import Table
from bleu_core.results.table import best_rows, formatted

#: Width of a page of A4 in pixels.
WIDTH = 680

#: Widths in print, in pixels: a character, the padding of a cell, and the maximum of a column of text.
CHARACTER_WIDTH_PX, CELL_PADDING_PX, MAX_COLUMN_WIDTH_PX = 5.5, 10, 110


@dataclass(frozen=True, slots=True)
class _Cell:
    """Text, its alignment, and whether it is bold."""

    text: str
    align: str
    bold: bool = False


@functools.cache
def templates() -> jinja2.Environment:
    """Return the templates of files to print; they escape their values."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader("dashboard", "export"), autoescape=True, undefined=jinja2.StrictUndefined
    )


def printed_table(table: Table, max_rows: int | None = None, *, bold_best: bool = False) -> markupsafe.Markup:
    """Return a table as HTML, formatted for users; cells and headers are literal text.

    Args:
        table: the rows.
        max_rows: maximum number of printed rows; a sentence gives the number of others. All if None.
        bold_best: whether the best value of a column is bold where the column declares which values are best.
    """
    shown = table.beginning(max_rows).for_people()
    html = (
        templates()
        .get_template("table.html")
        .render(
            pieces=_pieces(shown, best_rows(table) if bold_best else {}),
            shown=len(shown.rows),
            others=len(table.rows) - len(shown.rows),
        )
    )
    return markupsafe.Markup(html)  # noqa: S704 # made by the template, which escapes


def _pieces(table: Table, best: Mapping[str, frozenset[int]]) -> list[list[list[_Cell]]]:
    """Return a header and the rows; columns that do not fit side by side follow below.

    Leading columns of text and counts, which identify a row, are repeated in each piece.

    Args:
        table: the rows that are printed.
        best: column -> the rows with its best value, which is bold.
    """
    kinds = list(table.kinds.values())
    align = ["left" if kind == "text" else "right" for kind in kinds]
    bold = [best.get(name, frozenset()) for name in table.columns]
    rows = [table.titles, *formatted(table)]
    naming = next((i for i, kind in enumerate(kinds) if kind not in {"text", "count"}), len(kinds))
    return [
        [
            [_Cell(row[i], align[i], bold=number in bold[i]) for i in columns]
            for number, row in enumerate(rows, start=-1)  # the header comes first
        ]
        for columns in _columns([_width(column) for column in zip(*rows, strict=True)], naming)
    ]


def _width(column: Sequence[str]) -> float:
    """Return a width in pixels; headers are broken at blanks, and long texts are wrapped."""
    header, *cells = column
    max_length = max([*map(len, header.split()), *map(len, cells)], default=0)
    return min(CHARACTER_WIDTH_PX * max_length, MAX_COLUMN_WIDTH_PX) + CELL_PADDING_PX


def _columns(widths: Sequence[float], naming: int) -> list[list[int]]:
    """Return the columns of each piece: those that identify a row, and as many others as fit."""
    if sum(widths) <= WIDTH or naming == len(widths):
        return [list(range(len(widths)))]
    first = list(range(naming))
    pieces: list[list[int]] = [[]]
    for i in range(naming, len(widths)):
        if pieces[-1] and sum(widths[k] for k in (*first, *pieces[-1], i)) > WIDTH:
            pieces.append([])
        pieces[-1].append(i)
    return [first + others for others in pieces]
