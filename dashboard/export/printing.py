"""One self-contained file to print or send: sections with their figures and tables."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import markupsafe
from plotly.offline import get_plotlyjs

from bleu_core.results.envelope import only_slice
from dashboard.export.printed_tables import WIDTH, printed_table, templates
from dashboard.export.section import Drawing, Section
from dashboard.plots import on_paper


def printed_sections(
    sections: Sequence[Section],
    *,
    title: str,
    sentences: Sequence[str],
    signature: str,
    within: str = "",
    lines: int | None = None,
    created: date | None = None,
) -> bytes:
    """Return an HTML file, as UTF-8.

    Args:
        sections: in their order.
        title: of the file.
        sentences: paragraphs at its beginning.
        signature: of the settings.
        within: the slice that was used, as it is described; empty for the whole text.
        lines: number of lines to which each text of an example is cut in the short form; None in the full form.
        created: the date at the foot; None for no date.
    """
    drawn = any(section.drawings for section in sections)
    text = (
        templates()
        .get_template("report.html")
        .render(
            title=title,
            sentences=sentences,
            sections=sections,
            signature=signature,
            only=only_slice(within) if within else "",
            lines=lines,
            created=f"{created.day} {created:%B %Y}" if created else "",
            printed_table=printed_table,
            drawn=_drawn,
            plotly=markupsafe.Markup(get_plotlyjs()) if drawn else "",  # noqa: S704 # Plotly's own program
        )
    )
    return text.encode("utf-8", "replace")


def _drawn(drawing: Drawing, name: str) -> markupsafe.Markup:
    """Return a figure that Plotly draws in place; it escapes its text."""
    figure = on_paper.for_print(drawing.figure, WIDTH)
    return markupsafe.Markup(  # noqa: S704
        figure.to_html(full_html=False, include_plotlyjs=False, div_id=name, config={"staticPlot": True})
    )
