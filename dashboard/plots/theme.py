"""Styles of figures, and of systems in them.

Streamlit overrides the template's colours of text and grid, so that a figure follows the light or dark page; marks keep
the colours given here, which are readable on both and in print.
"""

from __future__ import annotations

import html
import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from bleu_core.fields import decimal
from bleu_core.inference import Interval

#: Backgrounds of pages, light and dark, as in .streamlit/config.toml.
PAGES = ("#FFFFFF", "#12181C")

#: Okabe and Ito's colours, darkened where needed, and four more. Each has a contrast of at least 3:1 with both pages.
COLORS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#C0629A",
    "#A67C00",
    "#2F93D6",
    "#8A63C8",
    "#866346",
    "#6F8A1E",
    "#D2335C",
)
MAX_COLORS = len(COLORS)

#: One symbol per colour, so that systems differ in both.
SYMBOLS = (
    "circle",
    "square",
    "diamond",
    "triangle-up",
    "cross",
    "x",
    "triangle-down",
    "star",
    "pentagon",
    "hexagram",
)

INK = "#7A868D"
#: Colours of text on light pages and in print, and on dark pages.
DARK_INK, LIGHT_INK = "#37434A", "#E8EDF0"
#: Colour of marks that are not highlighted: systems without a colour, and lines between marks.
NEUTRAL = "#7F8B92"
PAPER_GRID = "#E3E7EA"

#: Colour scale from a value below zero to one above it.
DIVERGING = ((0.0, COLORS[1]), (0.5, "#F4F4F2"), (1.0, COLORS[0]))

#: Colour scale from few to many: visible on light and dark pages, and increasingly dark.
SEQUENTIAL = ((0.0, "#3B97D6"), (0.5, "#7D60C6"), (1.0, "#C22C58"))

#: Background of white text.
UNDER_TEXT = "#66737B"

#: Gap between bars, as a share of their distance.
BAR_GAP = 0.28

TEMPLATE = go.layout.Template(layout=go.Layout(hoverlabel={"namelength": -1, "align": "left"}, bargap=BAR_GAP))

#: Minimum number of ticks of a logarithmic axis.
MIN_TICKS = 4

WORD_JOINER = "\u2060"

#: Size of text and average width of a character, in pixels.
TEXT_SIZE, CHARACTER_WIDTH = 13, 7

#: Maximum number of characters of a line of the title of a horizontal axis.
TITLE_LINE = 38

#: A legend above the plot.
LEGEND_ABOVE = {"orientation": "h", "yanchor": "bottom", "y": 1.02, "xanchor": "left", "x": 0}

#: Sizes in pixels: height of the toolbar above the legend, height of a row of the legend, width of a mark in the
#: legend, width of a narrow plot.
TOOLBAR, LEGEND_ROW, LEGEND_MARK, NARROW_PLOT = 28, 20, 46, 480

#: Layout metadata of a figure of lines: the line under the pointer is highlighted, with its legend group or name.
ISOLATED = {"isolates": True}

#: Configuration of every chart: no logo, no cloud, and no buttons for the mode of dragging, which zooms.
CONFIG = {
    "displaylogo": False,
    "displayModeBar": "hover",
    "showSendToCloud": False,
    "modeBarButtonsToRemove": ["lasso2d", "select2d", "autoScale2d", "zoom2d", "pan2d"],
}


def config(name: str) -> dict[str, Any]:
    """Return Plotly's configuration of a chart; its picture is a vector graphic with the chart's name."""
    return CONFIG | {"toImageButtonOptions": {"format": "svg", "filename": name}}


def finish(
    figure: go.Figure, *, height: int, xaxis: dict[str, Any], yaxis: dict[str, Any], right: int = 8, **layout: Any
) -> go.Figure:
    """Set the size, axes and margins of a figure; all figures end with this.

    Args:
        figure: with its traces.
        height: in pixels.
        xaxis: as in Plotly.
        yaxis: as in Plotly.
        right: margin for names beside the plot, in pixels.
        **layout: further arguments of Plotly's layout.
    """
    with_legend = layout.get("legend") is LEGEND_ABOVE and layout["showlegend"]
    top = TOOLBAR + (legend_height(_names_in_legend(figure), NARROW_PLOT) if with_legend else 0)
    new = {
        "height": height,
        "margin": {"l": 8, "r": right, "t": top, "b": 8, "pad": 4},
        "xaxis": _axis(_wrapped(xaxis)),
        "yaxis": _axis(yaxis),
        **layout,
    }
    figure.update_layout(template=TEMPLATE)
    return figure.update_layout(new, overwrite=True)  # four times as fast as merging


def color_text(figure: go.Figure, color: str) -> None:
    """Set the colour of all text outside the plot."""
    axes = [axis.plotly_name for axis in (*figure.select_xaxes(), *figure.select_yaxes())]
    places = ("font", *(f"{axis}.{text}" for axis in axes for text in ("tickfont", "title.font")))
    figure.plotly_relayout({f"{place}.color": color for place in places})  # a third of the time of update_xaxes etc.


def color_error_bars(figure: go.Figure, color: str, *, kinds: Sequence[str]) -> None:
    """Set the colour of error bars.

    Args:
        figure: the figure.
        color: of the bars.
        kinds: types of the traces that are changed.
    """
    traces: Any = figure.data
    chosen = [number for number, trace in enumerate(traces) if trace.type in kinds]
    if chosen:
        figure.plotly_restyle({"error_x.color": color, "error_y.color": color}, chosen)


def _wrapped(axis: dict[str, Any]) -> dict[str, Any]:
    """Wrap the title of a horizontal axis into lines that fit on a phone."""
    title = axis.get("title")
    if not isinstance(title, str) or len(html.unescape(title)) <= TITLE_LINE or "<br>" in title:
        return axis
    lines = textwrap.wrap(html.unescape(title), TITLE_LINE, break_long_words=False, break_on_hyphens=False)
    return axis | {"title": "<br>".join(html.escape(line, quote=False) for line in lines)}


def _axis(axis: dict[str, Any]) -> dict[str, Any]:
    """Set the size of an axis's text, unless it has one."""
    text = {"tickfont": {"size": TEXT_SIZE}, "automargin": True, "zeroline": False}
    return text | ({} if "title" in axis else {"title": {"font": {"size": TEXT_SIZE}}}) | axis


def legend_height(names: Sequence[str], width: float, scale: float = 1.0) -> float:
    """Return the height in pixels of a legend above a plot; Plotly puts names that need several rows into columns.

    Args:
        names: as drawn.
        width: of the plot, in pixels.
        scale: size of the text relative to that on pages.
    """
    widths = [scale * (LEGEND_MARK + CHARACTER_WIDTH * len(html.unescape(name))) for name in names]
    if sum(widths) <= width:
        return LEGEND_ROW * scale
    in_row = max(1, int(width // max(widths)))
    return LEGEND_ROW * scale * math.ceil(len(names) / in_row)


def _names_in_legend(figure: go.Figure) -> list[str]:
    drawn: Any = figure.data
    return [str(trace.name) for trace in drawn if trace.name and trace.showlegend is not False]


def bar_above(title: str) -> dict[str, Any]:
    """Return a colour bar above the plot, where it does not reduce the width."""
    return {
        "title": {"text": title, "side": "top"},
        "orientation": "h",
        "x": 0,
        "xanchor": "left",
        "y": 1.0,
        "yanchor": "bottom",
        "len": 0.45,
        "thickness": 8,
        "ypad": 0,
    }


def systems_axis(systems: Sequence[str], **axis: Any) -> dict[str, Any]:
    """Return an axis with a place for each system, in the given order; names that do not fit are rotated."""
    return {
        "type": "category",
        "categoryorder": "array",
        "categoryarray": list(systems),
        "tickmode": "array",
        "tickvals": list(systems),
        "ticktext": [short(name, 20) for name in systems],
        "autotickangles": [0, 30, 60, 90],
    } | axis


def label_and_unit(label: str, unit: str) -> str:
    """Return a metric's label and the unit of a difference: "BLEU points"."""
    return plain(f"{label} {unit}".rstrip())


def axis_title(label: str, unit: str = "points") -> str:
    """Return a metric's label with its unit: "BLEU (points)"."""
    return plain(f"{label} ({unit})" if unit else label)


def error_bars(values: Sequence[float], intervals: Sequence[Interval] | None, color: str) -> dict[str, Any]:
    """Return intervals as Plotly's error bars, with the distances of their ends from the values."""
    if intervals is None:
        return {"visible": False}
    pairs = list(zip(values, intervals, strict=True))
    return {
        "type": "data",
        "symmetric": False,
        "array": [_reach(interval.high - value) for value, interval in pairs],
        "arrayminus": [_reach(value - interval.low) for value, interval in pairs],
        "color": color,
        "thickness": 1.5,
        "width": 4,
    }


def _reach(length: float) -> float | None:
    """Return the length of an error bar, or None for NaN, for which Plotly draws none."""
    return None if math.isnan(length) else max(length, 0.0)


def bounds_text(interval: Interval | None, decimals: int = 2) -> str:
    """Return an interval for a hover text; empty where there is none."""
    return (
        ""
        if interval is None or math.isnan(interval.low)
        else f" ({decimal(interval.low, decimals)} to {decimal(interval.high, decimals)})"
    )


def minus(number: str) -> str:
    """Return a number with a typographic minus sign."""
    return number.replace("-", "−")


def log_ticks(low: float, high: float) -> dict[str, Any]:
    """Return ticks of a logarithmic axis within the bounds: 1 of each decade; 1, 2 and 5, or all nine, if few."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    values: list[float] = []
    for steps in ((1,), (1, 2, 5), range(1, 10)):
        values = [m * 10.0**d for d in decades for m in steps if low * 0.99 <= m * 10.0**d <= high * 1.01]
        if len(values) >= MIN_TICKS:
            break
    return {"tickvals": values, "ticktext": [f"{value:,g}" if value < 1 else f"{value:,.0f}" for value in values]}


@dataclass(frozen=True, slots=True)
class Style:
    """The style of one system, or of another series.

    Attributes:
        color: of its marks.
        symbol: its marker.
        dash: of its line.
        muted: whether it shares its style with many others.
    """

    color: str
    symbol: str
    dash: str = "solid"
    muted: bool = False


def styles(systems: Sequence[str], highlighted: Sequence[str] = ()) -> Mapping[str, Style]:
    """Return a colour and a marker for each system of the loaded data.

    They depend on the system's place among all loaded systems, sorted by name: neither the order in which files were
    added nor the exclusion of systems changes a colour. If there are more systems than colours, they share one, except
    those highlighted.

    Args:
        systems: names of all loaded systems.
        highlighted: systems that are highlighted if there are more systems than colours; at most the first two are
            used.
    """
    if len(systems) <= MAX_COLORS:
        return {name: Style(COLORS[i], SYMBOLS[i]) for i, name in enumerate(sorted(systems))}
    strong = {name: Style(COLORS[i], SYMBOLS[i + 1]) for i, name in enumerate(highlighted[:2])}
    return dict.fromkeys(systems, Style(NEUTRAL, SYMBOLS[0], muted=True)) | strong


def with_named(styles: Mapping[str, Style], named: Sequence[str]) -> Mapping[str, Style]:
    """Return styles in which the systems named with a figure are highlighted, too.

    Args:
        styles: style of each system.
        named: systems; muted ones get unused colours, if there are any.
    """
    used = {style.color for style in styles.values()}
    free = (i for i in range(MAX_COLORS) if COLORS[i] not in used)
    muted = [name for name in dict.fromkeys(named) if name in styles and styles[name].muted]
    new = {name: Style(COLORS[i], SYMBOLS[(i + 1) % len(SYMBOLS)]) for name, i in zip(muted, free, strict=False)}
    return {**styles, **new}


def distinct(styles: Mapping[str, Style], pair: Sequence[str]) -> Mapping[str, Style]:
    """Return the styles of two systems, highlighted if they would look the same otherwise."""
    looks = [styles[name] for name in pair]
    if looks[0].color != looks[-1].color:
        return dict(zip(pair, looks, strict=True))
    return {name: Style(COLORS[i], SYMBOLS[i + 1]) for i, name in enumerate(pair)}


def others(count: int, systems: int) -> str:
    """Return the name in a legend of systems of one style, of so many systems in all."""
    return f"{count} systems" if count == systems else "1 other system" if count == 1 else f"{count} other systems"


def numbered_style(number: int, dash: str = "") -> Style:
    """Return the style of a series that is not a system's."""
    return Style(COLORS[number % len(COLORS)], SYMBOLS[number % len(SYMBOLS)], dash or "solid")


def plain(text: str) -> str:
    """Escape user text so that Plotly, which interprets tags, entities and %{…}, shows it literally."""
    return html.escape(" ".join(text.split()), quote=False).replace("%{", f"%{WORD_JOINER}{{")


def short(text: str, length: int = 28) -> str:
    """Return user text for an axis or a legend, cut in the middle if it is long; hover texts have all of it."""
    if len(text) <= length:
        return plain(text)
    head = (length - 1) * 2 // 3
    return plain(text[:head] + "…" + text[-(length - 1 - head) :])


def spread(positions: Sequence[float], gap: float) -> list[float]:
    """Return positions of labels that are no closer than the gap, each as near to its place as possible.

    Args:
        positions: places of the labels, in any order.
        gap: the minimum distance, in the same unit.
    """
    order = sorted(range(len(positions)), key=lambda i: positions[i])
    groups: list[tuple[list[int], float]] = []  # labels that touch, with the middle of their block
    for i in order:
        members, middle = [i], positions[i]
        while groups:
            before, middle_before = groups[-1]
            if middle - middle_before >= gap * (len(members) + len(before)) / 2:
                break
            total = len(before) + len(members)
            middle = (middle_before * len(before) + middle * len(members)) / total
            members = before + members
            groups.pop()
        groups.append((members, middle))
    placed = [0.0] * len(positions)
    for members, middle in groups:
        for rank, i in enumerate(members):
            placed[i] = middle + (rank - (len(members) - 1) / 2) * gap
    return placed
