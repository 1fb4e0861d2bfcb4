"""The figure itself as a file in the style and at the width of a paper or a slide.

The user's browser draws SVG and PNG; the server draws PDF, if a browser is installed there.
"""

from __future__ import annotations

import json
import re
import unicodedata
from base64 import b64encode
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streamlit.components import v2

from bleu_core.errors import BleuCoreError
from dashboard import analysis, session
from dashboard.exhibits import EXHIBITS
from dashboard.export import PNG_HEADER, FigureError, figure_file, obstacle, png_resolution
from dashboard.plots.on_paper import PRINT_SIZES, PrintSize, printed

if TYPE_CHECKING:
    import plotly.graph_objects as go

SCRIPT = Path(__file__).with_name("figure_files.js")

#: Format -> label of its button.
FORMATS = {"svg": "Figure (SVG)", "png": "Figure (PNG)", "pdf": "Figure (PDF)"}

#: Maximum number of systems in a file's name, and of characters of it and of a part of it.
MAX_NAMED, MAX_NAME_LENGTH, MAX_PART_LENGTH = 4, 100, 40


def figure_files(key: str, figure: go.Figure, within: str) -> None:
    """Draw a choice of widths, and download buttons for the figure of a chart.

    Args:
        key: of the chart.
        figure: as on the page.
        within: the slice that the figure is of, as it is described; empty for the whole text.
    """
    mounted = f"figure-files-{key}"
    files = v2.component("figure_files", html=_html(), js=SCRIPT.read_text("utf-8"), isolate_styles=False)
    data: dict[str, Any] = {"chart": f"chart-{key}"}
    request: Mapping[str, Any] = (session.control_value(mounted) or {}).get("asked") or {}
    if request.get("size") in PRINT_SIZES and request.get("format") in FORMATS:
        data["print"] = _file(key, figure, request, within)
    files(data=data, key=mounted, on_asked_change=_ignore)


def _ignore() -> None:
    """Do nothing: the rerun reads the value."""


def _html() -> str:
    options = "".join(f'<option value="{size.name}">{escape(size.label)}</option>' for size in PRINT_SIZES.values())
    missing = obstacle()
    off = ' disabled aria-describedby="figure-files-note"' if missing else ""
    buttons = "".join(
        f'<button type="button" data-format="{form}"{off if form == "pdf" else ""}>{label}</button>'
        for form, label in FORMATS.items()
    )
    note = f"No PDF: {missing}." if missing else ""
    return (
        f'<div class="figure-files"><label>Width<select aria-label="Width">{options}</select></label>{buttons}'
        f'<p id="figure-files-note" role="status">{escape(note)}</p></div>'
    )


def _file(key: str, figure: go.Figure, request: Mapping[str, Any], within: str) -> dict[str, Any]:
    """Return the data with which the browser draws or saves the requested file, or an error."""
    size = PRINT_SIZES[request["size"]]
    name = f"{_file_name(key, within)}-{size.name}"
    if request["format"] == "pdf":
        return {"id": request.get("id")} | _pdf(figure, size, name, within)
    drawn = printed(figure, size, within)
    layout: Any = drawn.layout
    return {
        "id": request.get("id"),
        "resolution": {"at": PNG_HEADER, "chunk": list(png_resolution(size.resolution))},
        "figure": json.loads(str(drawn.to_json())),
        "options": {
            "format": request["format"],
            "filename": name,
            "width": layout.width,
            "height": layout.height,
            "scale": size.scale if request["format"] == "svg" else size.dots,
        },
    }


def _pdf(figure: go.Figure, size: PrintSize, name: str, within: str) -> dict[str, str]:
    """Return the figure as a PDF in base 64, or the reason why it cannot be drawn."""
    try:
        content = figure_file(figure, size, "pdf", within)
    except FigureError as error:
        return {"error": f"No PDF: {error}."}
    return {"pdf": b64encode(content).decode(), "name": f"{name}.pdf"}


def _file_name(key: str, within: str) -> str:
    """Return a file name made of the page, the figure, the systems and the slice."""
    known = next((figure for figure in EXHIBITS.values() if figure.key == key), None)
    of_pair = known is not None and known.subject == "pair"
    parts = [key] if known is None else [known.page, known.name]
    try:
        systems: Sequence[str] = analysis.view_of(session.current_workspace(), session.selection()).compared.systems
    except BleuCoreError:
        systems = ()
    pair = [str(name) for name in map(session.control_value, analysis.PAIR_KEYS) if name in systems]
    return file_name(
        [*parts, *([*pair[:1], "vs", *pair[1:]] if of_pair and pair[1:] else _few(systems))],
        session.selection().expression if within else "",
    )


def _few(systems: Sequence[str]) -> list[str]:
    """Return the names of few systems, or the number of many."""
    return list(systems) if len(systems) <= MAX_NAMED else [f"{len(systems)} systems"]


def file_name(parts: Sequence[str], within: str = "") -> str:
    """Return a file name without its ending, of characters that every operating system allows.

    Args:
        parts: parts of the name; the first is dropped if the second begins with it.
        within: the expression of a slice.
    """
    names = [part for part in map(_allowed, (*parts, within)) if part]
    if names[1:] and names[1].startswith(names[0]):
        del names[0]
    return "-".join(names)[:MAX_NAME_LENGTH].rstrip("-")


def name_in_slice(stem: str, within: str) -> str:
    """Return the name of a file without its ending, with the expression of the slice that it is of, if any."""
    expression = session.selection().expression if within else ""
    return file_name([stem], expression) if expression else stem


def _allowed(text: str) -> str:
    letters = (c if unicodedata.category(c)[0] in "LNM" else "-" for c in unicodedata.normalize("NFC", text))
    return re.sub("-+", "-", "".join(letters)).strip("-")[:MAX_PART_LENGTH].lower()
