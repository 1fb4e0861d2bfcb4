"""The Paper page as one file to print or send: all figures and tables, nothing fetched from anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import jinja2
import markupsafe
from plotly.offline import get_plotlyjs

from bleu_core.fields import Table
from bleu_core.reports import formatted
from dashboard import figures
from dashboard.export.steps import Drawing, PaperStep

#: Pixels that fit on a page of A4.
WIDTH = 680

#: What a table on paper takes, in pixels: a character, what surrounds a cell's text, and a column of text at most.
CHARACTER_WIDE, CELL_PADDING, WIDEST_COLUMN = 5.5, 10, 110


@dataclass(frozen=True, slots=True)
class _Cell:
    """Text, and how it stands in its column."""

    text: str
    align: str


def printable_page(steps: Sequence[PaperStep], *, title: str, said: Sequence[str], signature: str) -> bytes:
    """All steps on one page.

    Args:
        steps: in their order.
        title: of the page.
        said: what stands at its beginning, a paragraph each.
        signature: of the settings.
    """
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("dashboard", ""), autoescape=True, undefined=jinja2.StrictUndefined
    )
    environment.globals |= {"pieces_of": _pieces, "drawn": _drawn}
    text = environment.get_template("paper.html").render(
        title=title,
        said=said,
        steps=steps,
        signature=signature,
        plotly=markupsafe.Markup(get_plotlyjs()),  # noqa: S704 # Plotly's own program
    )
    return text.encode("utf-8", "replace")


def _pieces(table: Table) -> list[list[list[_Cell]]]:
    """A header and the rows, as people read them; where they do not fit beside each other, columns go below.

    Columns of text and counts at the beginning, which say what a row is, stand in each piece.
    """
    table = table.for_people()
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
    return min(CHARACTER_WIDE * longest, WIDEST_COLUMN) + CELL_PADDING


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


def _drawn(drawing: Drawing, name: str) -> markupsafe.Markup:
    """A figure that Plotly draws where it stands; its own text is escaped by Plotly."""
    figure = figures.for_print(drawing.figure, WIDTH)
    return markupsafe.Markup(  # noqa: S704
        figure.to_html(full_html=False, include_plotlyjs=False, div_id=name, config={"staticPlot": True})
    )
