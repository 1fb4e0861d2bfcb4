"""Tables of results as HTML for paper: all rows and columns, in pieces where they are wider than a page."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import jinja2
import markupsafe

from bleu_core.fields import Table
from bleu_core.results.table import formatted

#: Pixels that fit on a page of A4.
WIDTH = 680

#: What a table on paper takes, in pixels: a character, what surrounds a cell's text, and a column of text at most.
CHARACTER_WIDE, CELL_PADDING, MAX_COLUMN_WIDTH = 5.5, 10, 110


@dataclass(frozen=True, slots=True)
class _Cell:
    """Text, and how it stands in its column."""

    text: str
    align: str


@functools.cache
def templates() -> jinja2.Environment:
    """The templates of files to print; what is put into them is escaped."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader("dashboard", "export"), autoescape=True, undefined=jinja2.StrictUndefined
    )


def printed_table(table: Table, most: int | None = None) -> markupsafe.Markup:
    """A table as HTML, as people read it; cells and headers are literal text.

    Args:
        table: the rows.
        most: the most rows that are printed; a sentence says how many others there are. All if None.
    """
    rows = table.rows if most is None else table.rows[:most]
    shown = Table(table.columns, rows).for_people()
    html = (
        templates()
        .get_template("table.html")
        .render(pieces=_pieces(shown), shown=len(rows), others=len(table.rows) - len(rows))
    )
    return markupsafe.Markup(html)  # noqa: S704 # made by the template, which escapes


def _pieces(table: Table) -> list[list[list[_Cell]]]:
    """A header and the rows; where they do not fit beside each other, columns go below.

    Columns of text and counts at the beginning, which say what a row is, stand in each piece.
    """
    kinds = list(table.kinds.values())
    align = ["left" if kind == "text" else "right" for kind in kinds]
    rows = [table.titles, *formatted(table)]
    naming = next((i for i, kind in enumerate(kinds) if kind not in {"text", "count"}), len(kinds))
    return [
        [[_Cell(row[i], align[i]) for i in columns] for row in rows]
        for columns in _columns([_width(column) for column in zip(*rows, strict=True)], naming)
    ]


def _width(column: Sequence[str]) -> float:
    """Pixels; a header is broken at blanks, a long text goes on in the next line."""
    header, *cells = column
    longest = max([*map(len, header.split()), *map(len, cells)], default=0)
    return min(CHARACTER_WIDE * longest, MAX_COLUMN_WIDTH) + CELL_PADDING


def _columns(widths: Sequence[float], naming: int) -> list[list[int]]:
    """The columns of each piece: those that name a row, and as many others as fit."""
    if sum(widths) <= WIDTH or naming == len(widths):
        return [list(range(len(widths)))]
    first = list(range(naming))
    pieces: list[list[int]] = [[]]
    for i in range(naming, len(widths)):
        if pieces[-1] and sum(widths[k] for k in (*first, *pieces[-1], i)) > WIDTH:
            pieces.append([])
        pieces[-1].append(i)
    return [first + others for others in pieces]
