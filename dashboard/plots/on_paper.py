"""Printed figures: white background, type of 8 to 9 points, and marks that differ also without colour.

A figure of a page is modified, not redrawn: its colours become darker and lighter ones of the same hues, which differ
in greyscale, adjacent bars get patterns, and text gets a fixed size at the width of a column or page.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import plotly.graph_objects as go

from dashboard.plots import theme

#: Units; CSS pixels as browsers print them.
PIXELS_PER_INCH, MILLIMETRES_PER_INCH, POINTS_PER_INCH = 96, 25.4, 72

#: Sizes of text in points: in the plot and at ticks, and of titles of axes.
SMALL_PT, LARGE_PT = 8.0, 9.0

#: Size of text in print relative to that on screens; marks, rows and margins shrink with it.
SHRINK = SMALL_PT * PIXELS_PER_INCH / POINTS_PER_INCH / theme.TEXT_SIZE

#: Fonts that are widely available, with equal widths.
FAMILY = "Arial, Helvetica, Liberation Sans, sans-serif"

#: Minimum width in characters of the labels of ticks beside a plot.
MIN_TICK = 4

#: Average width of a character, and height of a line, in ems.
CHARACTER_WIDTH_EM, LINE_HEIGHT_EM = 0.6, 1.3

#: Margins and minimum height of a figure in pixels; maximum ratio of height to width of figures without rows.
MARGIN_PX, MIN_HEIGHT, MAX_ASPECT = 6, 130, 0.85

#: Colour on pages -> colour in print: the same hues, with different lightness.
COLORS: Mapping[str, str] = MappingProxyType(
    dict(
        zip(
            theme.COLORS,
            (
                "#03456E",
                "#E86D18",
                "#04825E",
                "#923870",
                "#3F2E02",
                "#3E9DE0",
                "#5C3999",
                "#9F7A5C",
                "#546F00",
                "#EE4F72",
            ),
            strict=True,
        )
    )
    | {"#B34A00": "#E08A4A", theme.UNDER_TEXT: "#E4E7E9", theme.INK: theme.DARK_INK}
)

#: Patterns of adjacent bars, in the order in which their colours appear.
PATTERNS = ("", "/", "\\", "x", "-", "|", "+", ".")

#: Dashes of lines without markers, in the same order.
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")

SPAN = re.compile(r'(?<=<span style="color:)#[0-9A-Fa-f]{6}')
TAG = re.compile(r"<[^<>]*+>")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintSize:
    """A size of printed figures.

    Attributes:
        name: as on the command line and in file names.
        label: label in menus.
        millimetres: the width.
        scale: magnification relative to paper; slides are larger.
        ratio: height by width; determined by the figure if None.
        resolution: dots per inch of pictures.
    """

    name: str
    label: str
    millimetres: float
    scale: float = 1.0
    ratio: float | None = None
    resolution: float = 600.0

    @property
    def pixels(self) -> float:
        """The width of the figure before scaling."""
        return self.millimetres / MILLIMETRES_PER_INCH * PIXELS_PER_INCH / self.scale

    @property
    def dots(self) -> float:
        """Dots of a picture per pixel of the figure."""
        return self.resolution / PIXELS_PER_INCH * self.scale


#: A column and a page of two-column papers, and a slide of 13.33 by 7.5 inches.
PRINT_SIZES: Mapping[str, PrintSize] = MappingProxyType(
    {
        size.name: size
        for size in (
            PrintSize(name="84", label="84 mm (column)", millimetres=84),
            PrintSize(name="174", label="174 mm (page)", millimetres=174),
            PrintSize(
                name="slide",
                label="slide (16:9)",
                millimetres=40 / 3 * MILLIMETRES_PER_INCH,
                scale=2,
                ratio=9 / 16,
                resolution=288,
            ),
        )
    }
)


def printed(figure: go.Figure, size: PrintSize, note: str = "") -> go.Figure:
    """Return a copy of a figure at one of the sizes, before scaling, with a note above it."""
    height = None if size.ratio is None else size.pixels * size.ratio
    return for_print(figure, size.pixels, height=height, note=note)


def for_print(figure: go.Figure, width: float, *, height: float | None = None, note: str = "") -> go.Figure:
    """Return a copy for white paper, independent of the page's theme.

    Args:
        figure: as on a page.
        width: in pixels, 96 per inch.
        height: in pixels; determined by the figure if None.
        note: a line above the figure, such as the slice that was used.
    """
    spec: dict[str, Any] = _recolored(figure.to_dict())
    layout: dict[str, Any] = spec["layout"]
    traces: list[dict[str, Any]] = spec["data"]
    _distinguish_without_color(traces)
    _shrink_marks(traces)
    layout["height"] = height or _height(layout, width)
    layout["width"] = width
    _set_margins(layout, traces, width)
    _set_type(spec, width)
    ink = {"color": theme.DARK_INK}
    layout |= {"paper_bgcolor": "white", "plot_bgcolor": "white", "template": "none"}
    layout["font"] = {"size": _pixels(SMALL_PT), "family": FAMILY} | ink
    for name, axis in _axes(layout):
        axis |= {"gridcolor": theme.PAPER_GRID, "linecolor": theme.INK, "zerolinecolor": theme.DARK_INK}
        axis["tickfont"] = (axis.get("tickfont") or {}) | ink
        if "showgrid" not in axis:
            axis["showgrid"] = True
        layout[name] = axis
    layout.setdefault("bargap", theme.BAR_GAP)
    if note:
        _add_note(layout, note, width, fixed_height=height is not None)
    return go.Figure(spec)


def _add_note(layout: dict[str, Any], note: str, width: float, *, fixed_height: bool) -> None:
    """Write a note, in as many lines as it needs, above all else."""
    size = _pixels(SMALL_PT)
    lines = textwrap.wrap(" ".join(note.split()), max(int((width - 2 * MARGIN_PX) / (CHARACTER_WIDTH_EM * size)), 1))
    height = LINE_HEIGHT_EM * size * len(lines)
    layout["title"] = {
        "text": "<br>".join(map(theme.plain, lines)),
        "font": {"size": size, "color": theme.DARK_INK},
        "x": 0,
        "xref": "container",
        "xanchor": "left",
        "y": 1,
        "yref": "container",
        "yanchor": "top",
        "pad": {"l": MARGIN_PX, "t": MARGIN_PX},
    }
    layout["margin"] = layout["margin"] | {"t": layout["margin"]["t"] + height}
    if not fixed_height:
        layout["height"] += height


def _pixels(points: float) -> float:
    return points * PIXELS_PER_INCH / POINTS_PER_INCH


def _axes(layout: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in list(layout):
        if re.fullmatch(r"[xy]axis\d*", name):
            yield name, layout[name]


def _recolored(part: Any, name: str = "") -> Any:
    """Replace the colours of pages in a part of a figure by those of print, also in names that are marked by them."""
    if isinstance(part, dict):
        return {key: _recolored(value, str(key)) for key, value in part.items()}
    if isinstance(part, list | tuple):
        return [_recolored(value, name) for value in part]
    if not isinstance(part, str):
        return part
    if "color" in name:
        return COLORS.get(part, part)
    return SPAN.sub(lambda match: COLORS.get(match[0], match[0]), part) if name in ("text", "ticktext") else part


def _distinguish_without_color(traces: list[dict[str, Any]]) -> None:
    """Give adjacent bars patterns, and lines without markers dashes, one per colour."""
    bars = [t for t in traces if t["type"] == "bar" and isinstance(t.get("marker", {}).get("color"), str)]
    lines = [
        t for t in traces if t["type"] == "scatter" and t.get("mode") == "lines" and t.get("line", {}).get("color")
    ]
    colors = list(dict.fromkeys(trace["marker"]["color"] for trace in bars))
    for trace in bars:
        shape = PATTERNS[colors.index(trace["marker"]["color"]) % len(PATTERNS)]
        trace["marker"]["pattern"] = {"shape": shape, "size": 5, "solidity": 0.3, "fillmode": "overlay"}
    named = [t for t in lines if t.get("showlegend") is not False and t["line"].get("dash", "solid") == "solid"]
    colors = list(dict.fromkeys(trace["line"]["color"] for trace in named))
    for trace in named:
        trace["line"]["dash"] = DASHES[colors.index(trace["line"]["color"]) % len(DASHES)]


def _shrink_marks(traces: list[dict[str, Any]]) -> None:
    for trace in traces:
        for part in ("marker", "line"):
            for what in ("size", "width"):
                value = trace.get(part, {}).get(what)
                if isinstance(value, int | float):
                    trace[part][what] = value * SHRINK
        for bar in ("error_x", "error_y"):
            if trace.get(bar, {}).get("color") and trace["type"] == "bar":
                trace[bar]["color"] = theme.DARK_INK


def _height(layout: Mapping[str, Any], width: float) -> float:
    """Return the height in pixels: as needed for figures with rows, else limited by the width."""
    height = layout["height"] * SHRINK
    axis = layout.get("yaxis", {})
    low, high = axis.get("range") or (0, 1)
    rows = axis.get("type") == "category" or (axis.get("tickmode") == "array" and low > high)
    return max(MIN_HEIGHT, height if rows else min(height, width * MAX_ASPECT))


def _set_margins(layout: dict[str, Any], traces: list[dict[str, Any]], width: float) -> None:
    """Remove the space of the toolbar; a legend above the plot gets as many rows as the width requires."""
    right = layout["margin"]["r"] * SHRINK
    legend = layout.get("legend", {})
    above = legend.get("orientation") == "h" and layout.get("showlegend")
    top = MARGIN_PX + (_legend_height(traces, width - right) if above else 0)
    layout["margin"] = {"l": MARGIN_PX, "r": max(right, MARGIN_PX), "t": top, "b": MARGIN_PX, "pad": 2}


def _legend_height(traces: list[dict[str, Any]], width: float) -> float:
    names = [str(t["name"]) for t in traces if t.get("name") and t.get("showlegend") is not False]
    return theme.legend_height(names, width, SHRINK)


def _set_type(spec: dict[str, Any], width: float) -> None:
    """Set the sizes of all text, and wrap titles that are too long for their axis."""
    layout, small, large = spec["layout"], _pixels(SMALL_PT), _pixels(LARGE_PT)
    for name, axis in _axes(layout):
        axis["tickfont"] = (axis.get("tickfont") or {}) | {"size": small}
        title: Any = axis.get("title")
        if not title:
            continue
        title = {"text": title} if isinstance(title, str) else dict(title)
        first, last = axis.get("domain") or (0, 1)
        along = layout["height"] * 0.75 if name.startswith("y") else _plot_width(layout, width) * (last - first)
        title["text"] = wrapped(str(title.get("text") or ""), int(along / (CHARACTER_WIDTH_EM * large)))
        title["font"] = {"size": large, "color": theme.DARK_INK}
        title["standoff"] = MARGIN_PX
        axis["title"] = title
    layout["legend"] = (layout.get("legend") or {}) | {"font": {"size": small}}
    for note in layout.get("annotations") or ():
        note["font"] = (note.get("font") or {}) | {"size": small}
    for trace in spec["data"]:
        if trace["type"] == "heatmap":
            _set_numbers(trace, layout, width)
        elif "textfont" in trace:
            trace["textfont"]["size"] = small
        bar = trace.get("colorbar")
        if bar:
            bar |= {"tickfont": {"size": small}, "thickness": 8}
            bar["title"] = (bar.get("title") or {}) | {"font": {"size": small}}


def _set_numbers(trace: dict[str, Any], layout: Mapping[str, Any], width: float) -> None:
    """Set the size of numbers in cells, or remove them if the cells are too small."""
    if "texttemplate" not in trace:
        return
    max_length = max((len(TAG.sub("", str(cell))) for row in trace["text"] for cell in row), default=0)
    available = _plot_width(layout, width) / max(len(trace["text"]), 1)
    if max_length * CHARACTER_WIDTH_EM * _pixels(SMALL_PT) > available:
        del trace["texttemplate"]
        trace.pop("textfont", None)
    else:
        trace["textfont"] = {"size": _pixels(SMALL_PT)}


def _plot_width(layout: Mapping[str, Any], width: float) -> float:
    """Return the approximate width of the plot in pixels, without the names beside it."""
    ticks = layout.get("yaxis", {}).get("ticktext") or ()
    lines = (html.unescape(TAG.sub("", line)) for tick in ticks for line in str(tick).split("<br>"))
    names = CHARACTER_WIDTH_EM * _pixels(SMALL_PT) * max(map(len, lines), default=MIN_TICK)
    return width - layout["margin"]["r"] - names - _pixels(LARGE_PT) * 2


def wrapped(text: str, length: int) -> str:
    """Wrap text in Plotly's syntax at blanks into lines of at most so many characters, if possible."""
    lines: list[str] = []
    for line in text.split("<br>"):
        lines.append("")
        for word in line.split(" "):
            longer = f"{lines[-1]} {word}" if lines[-1] else word
            if lines[-1] and len(html.unescape(TAG.sub("", longer))) > length:
                lines.append(word)
            else:
                lines[-1] = longer
    return "<br>".join(lines)
