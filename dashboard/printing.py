"""The Paper page as one file to print or send: all figures and tables, nothing fetched from anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import jinja2
import markupsafe
from plotly.offline import get_plotlyjs

from bleu_core.table import Table, label
from dashboard.figures import theme
from dashboard.paper_steps import Drawing, Step

#: Pixels that fit on a page of A4.
WIDTH = 720


@dataclass(frozen=True, slots=True)
class _Cell:
    """Text, and how it stands in its column."""

    text: str
    align: str


def html(steps: Sequence[Step], *, title: str, said: Sequence[str], signature: str) -> bytes:
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
    environment.globals |= {"rows_of": _rows, "drawn": _drawn}
    text = environment.get_template("paper.html").render(
        title=title,
        said=said,
        steps=steps,
        signature=signature,
        plotly=markupsafe.Markup(get_plotlyjs()),  # noqa: S704 # Plotly's own program
    )
    return text.encode("utf-8", "replace")


def _rows(table: Table) -> list[list[_Cell]]:
    """A header and the rows, as people read them."""
    table = table.for_people()
    align = ["left" if kind == "text" else "right" for kind in table.kinds.values()]
    rows = [[label(name) for name in table.kinds], *table.formatted()]
    return [[_Cell(text, side) for text, side in zip(row, align, strict=True)] for row in rows]


def _drawn(drawing: Drawing, name: str) -> markupsafe.Markup:
    """A figure that Plotly draws where it stands; its own text is escaped by Plotly."""
    figure = theme.for_print(drawing.figure, WIDTH)
    return markupsafe.Markup(  # noqa: S704
        figure.to_html(full_html=False, include_plotlyjs=False, div_id=name, config={"staticPlot": True})
    )
