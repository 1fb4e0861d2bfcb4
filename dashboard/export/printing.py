"""The Paper page as one file to print or send: all figures and tables, nothing fetched from anywhere."""

from __future__ import annotations

from collections.abc import Sequence

import markupsafe
from plotly.offline import get_plotlyjs

from dashboard import figures
from dashboard.export.printed_tables import WIDTH, printed_table, templates
from dashboard.export.steps import Drawing, PaperStep

def printable_page(steps: Sequence[PaperStep], *, title: str, said: Sequence[str], signature: str) -> bytes:
    """All steps on one page.

    Args:
        steps: in their order.
        title: of the page.
        said: what stands at its beginning, a paragraph each.
        signature: of the settings.
    """
    text = templates().get_template("paper.html").render(
        title=title,
        said=said,
        steps=steps,
        signature=signature,
        printed_table=printed_table,
        drawn=_drawn,
        plotly=markupsafe.Markup(get_plotlyjs()),  # noqa: S704 # Plotly's own program
    )
    return text.encode("utf-8", "replace")


def _drawn(drawing: Drawing, name: str) -> markupsafe.Markup:
    """A figure that Plotly draws where it stands; its own text is escaped by Plotly."""
    figure = figures.for_print(drawing.figure, WIDTH)
    return markupsafe.Markup(  # noqa: S704
        figure.to_html(full_html=False, include_plotlyjs=False, div_id=name, config={"staticPlot": True})
    )
