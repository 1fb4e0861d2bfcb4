"""How figures look, and how systems are distinguished in them.

Streamlit lays its own colours for text and grid over the template, so that a figure follows the light or dark
page; what is drawn keeps the colours given here, which are readable on both and in print.
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

#: The pages' backgrounds, light and dark, as in .streamlit/config.toml.
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

#: As many as colours, so that systems differ in both.
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
#: On light pages and on paper, and on dark pages.
DARK_INK, LIGHT_INK = "#37434A", "#E8EDF0"
#: Of what is not to stand out: a system among more than there are colours, and lines between marks.
NEUTRAL = "#7F8B92"
PAPER_GRID = "#E3E7EA"

#: From a value below zero to one above it.
DIVERGING = ((0.0, COLORS[1]), (0.5, "#F4F4F2"), (1.0, COLORS[0]))

#: From few to many: each stands out from light and dark pages, and is darker than the one before it.
SEQUENTIAL = ((0.0, "#3B97D6"), (0.5, "#7D60C6"), (1.0, "#C22C58"))

#: Under white text.
UNDER_TEXT = "#66737B"

#: Between bars, as a share of their distance.
BAR_GAP = 0.28

TEMPLATE = go.layout.Template(layout=go.Layout(hoverlabel={"namelength": -1, "align": "left"}, bargap=BAR_GAP))

#: Fewer ticks do not show a scale.
MIN_TICKS = 4

WORD_JOINER = "\u2060"

#: Pixels.
TEXT_SIZE, CHARACTER_WIDTH = 13, 7

#: Characters of a line of the title of a horizontal axis.
TITLE_LINE = 38

#: A legend over the plot.
LEGEND_ABOVE = {"orientation": "h", "yanchor": "bottom", "y": 1.02, "xanchor": "left", "x": 0}

#: Pixels: the toolbar's height, above the legend; a row of the legend; what a name's mark takes; a narrow plot's width.
TOOLBAR, LEGEND_ROW, LEGEND_MARK, NARROW_PLOT = 28, 20, 46, 480

#: Of the layout of a figure of lines: a line under the pointer stands out, with all that has its legend group or name.
ISOLATED = {"isolates": True}

#: Given to every chart: no logo, no cloud, and no buttons to choose what dragging does, which is to zoom.
CONFIG = {
    "displaylogo": False,
    "displayModeBar": "hover",
    "showSendToCloud": False,
    "modeBarButtonsToRemove": ["lasso2d", "select2d", "autoScale2d", "zoom2d", "pan2d"],
}


def config(name: str) -> dict[str, Any]:
    """Plotly's configuration of a chart; its picture is a vector graphic that is called as the chart is."""
    return CONFIG | {"toImageButtonOptions": {"format": "svg", "filename": name}}


def finish(
    figure: go.Figure, *, height: int, xaxis: dict[str, Any], yaxis: dict[str, Any], right: int = 8, **layout: Any
) -> go.Figure:
    """Give a figure its size, axes and margins; all figures end with this.

    Args:
        figure: with its traces.
        height: pixels.
        xaxis: as in Plotly.
        yaxis: as in Plotly.
        right: margin for names beside the plot, pixels.
        **layout: more of Plotly's layout.
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
    return figure.update_layout(new, overwrite=True)  # four times as fast as looking for what is to be kept


def _wrapped(axis: dict[str, Any]) -> dict[str, Any]:
    """A horizontal axis whose title is broken into lines that a phone has room for."""
    title = axis.get("title")
    if not isinstance(title, str) or len(html.unescape(title)) <= TITLE_LINE or "<br>" in title:
        return axis
    lines = textwrap.wrap(html.unescape(title), TITLE_LINE, break_long_words=False, break_on_hyphens=False)
    return axis | {"title": "<br>".join(html.escape(line, quote=False) for line in lines)}


def _axis(axis: dict[str, Any]) -> dict[str, Any]:
    """An axis with the size of its text, unless it has its own."""
    text = {"tickfont": {"size": TEXT_SIZE}, "automargin": True, "zeroline": False}
    return text | ({} if "title" in axis else {"title": {"font": {"size": TEXT_SIZE}}}) | axis


def legend_height(names: Sequence[str], width: float, scale: float = 1.0) -> float:
    """Pixels that a legend takes above a plot; Plotly puts names that need several rows into columns.

    Args:
        names: as drawn.
        width: of the plot, pixels.
        scale: the size of the text by that on pages.
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
    """A key of colours that lies above the plot, where it takes nothing of the width."""
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
    """An axis with a place for each system, in the order given; names that do not fit are turned."""
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
    """A metric's label and unit, in which a difference is: "BLEU points"."""
    return plain(f"{label} {unit}".rstrip())


def axis_title(label: str, unit: str = "points") -> str:
    """A metric's label with its unit: "BLEU (points)"."""
    return plain(f"{label} ({unit})" if unit else label)


def error_bars(values: Sequence[float], intervals: Sequence[Interval] | None, color: str) -> dict[str, Any]:
    """Intervals as Plotly's error bars: how far each reaches from its value."""
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
    """Plotly draws no bar for None."""
    return None if math.isnan(length) else max(length, 0.0)


def bounds_text(interval: Interval | None, decimals: int = 2) -> str:
    """An interval for a hover text; empty where there is none."""
    return (
        ""
        if interval is None or math.isnan(interval.low)
        else f" ({decimal(interval.low, decimals)} to {decimal(interval.high, decimals)})"
    )


def minus(number: str) -> str:
    """A number with the minus sign that people read."""
    return number.replace("-", "−")


def log_ticks(low: float, high: float) -> dict[str, Any]:
    """Ticks of a logarithmic axis: 1 of each decade within the bounds; 1, 2 and 5, or all nine, where they are few."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    values: list[float] = []
    for steps in ((1,), (1, 2, 5), range(1, 10)):
        values = [m * 10.0**d for d in decades for m in steps if low * 0.99 <= m * 10.0**d <= high * 1.01]
        if len(values) >= MIN_TICKS:
            break
    return {"tickvals": values, "ticktext": [f"{value:,g}" if value < 1 else f"{value:,.0f}" for value in values]}


@dataclass(frozen=True, slots=True)
class Style:
    """How one system, or another series, is drawn.

    Attributes:
        color: of its marks.
        symbol: its marker.
        dash: of its line.
        muted: whether it is one of many that look the same.
    """

    color: str
    symbol: str
    dash: str = "solid"
    muted: bool = False


def styles(systems: Sequence[str], highlighted: Sequence[str] = ()) -> Mapping[str, Style]:
    """Give each system of the loaded data a colour and a marker.

    A system's place among all loaded systems, sorted by name, decides: neither the order in which files were added
    nor leaving some out changes a colour. More systems than there are colours share one, except those highlighted.

    Args:
        systems: names of all loaded systems.
        highlighted: those that stand out where there are more systems than colours; others than the first two are
            treated like the rest.
    """
    if len(systems) <= MAX_COLORS:
        return {name: Style(COLORS[i], SYMBOLS[i]) for i, name in enumerate(sorted(systems))}
    strong = {name: Style(COLORS[i], SYMBOLS[i + 1]) for i, name in enumerate(highlighted[:2])}
    return dict.fromkeys(systems, Style(NEUTRAL, SYMBOLS[0], muted=True)) | strong


def with_named(styles: Mapping[str, Style], named: Sequence[str]) -> Mapping[str, Style]:
    """The styles in which systems that are named beside a figure stand out, too.

    Args:
        styles: how each system is drawn.
        named: systems; those that are muted get colours that no other system has, as long as there are any.
    """
    used = {style.color for style in styles.values()}
    free = (i for i in range(MAX_COLORS) if COLORS[i] not in used)
    muted = [name for name in dict.fromkeys(named) if name in styles and styles[name].muted]
    new = {name: Style(COLORS[i], SYMBOLS[(i + 1) % len(SYMBOLS)]) for name, i in zip(muted, free, strict=False)}
    return {**styles, **new}


def distinct(styles: Mapping[str, Style], pair: Sequence[str]) -> Mapping[str, Style]:
    """The styles of two systems, highlighted if they would look the same otherwise."""
    looks = [styles[name] for name in pair]
    if looks[0].color != looks[-1].color:
        return dict(zip(pair, looks, strict=True))
    return {name: Style(COLORS[i], SYMBOLS[i + 1]) for i, name in enumerate(pair)}


def others(count: int, systems: int) -> str:
    """What systems of one look are called in a legend, of so many systems in all."""
    return f"{count} systems" if count == systems else "1 other system" if count == 1 else f"{count} other systems"


def numbered_style(number: int, dash: str = "") -> Style:
    """How a series is drawn that is no system's."""
    return Style(COLORS[number % len(COLORS)], SYMBOLS[number % len(SYMBOLS)], dash or "solid")


def plain(text: str) -> str:
    """User text as Plotly shows it literally: titles, labels and hover texts interpret tags, entities and %{…}."""
    return html.escape(" ".join(text.split()), quote=False).replace("%{", f"%{WORD_JOINER}{{")


def short(text: str, length: int = 28) -> str:
    """User text for an axis or a legend, cut in the middle where it is long; hover has all of it."""
    if len(text) <= length:
        return plain(text)
    head = (length - 1) * 2 // 3
    return plain(text[:head] + "…" + text[-(length - 1 - head) :])


def spread(positions: Sequence[float], gap: float) -> list[float]:
    """Move labels apart so that none are closer than the gap, each as near to its place as that allows.

    Args:
        positions: where the labels belong, in any order.
        gap: the least distance, in the same unit.
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
