"""How figures look, and how systems are told apart on all of them.

Streamlit lays its own colours for text and grid over the template, so that a figure follows the light or dark
page; what is drawn keeps the colours given here, which are readable on both and in print.
"""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from bleu_core.inference import Interval

#: Okabe and Ito's colours, which the colour-blind can tell apart, without black and yellow.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C7A5B")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "triangle-down", "star")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
PATTERNS = ("", "/", ".", "x", "-")

INK = "#7A868D"
DARK_INK = "#37434A"
NEUTRAL = "#9AA5AB"
PAPER_GRID = "#E3E7EA"

#: Up to this many lines are named at their ends; more get a legend.
NAMED_AT_ENDS = 6

TEMPLATE = go.layout.Template(layout=go.Layout(hoverlabel={"namelength": -1, "align": "left"}, bargap=0.28))

#: Fewer ticks do not show a scale.
FEWEST_TICKS = 4

WORD_JOINER = "\u2060"

#: Pixels.
TEXT_SIZE, CHARACTER_WIDTH = 13, 7

#: A legend over the plot.
LEGEND_ABOVE = {"orientation": "h", "yanchor": "bottom", "y": 1.02, "xanchor": "left", "x": 0}

#: Given to every chart: no logo, no cloud, pictures as vectors.
CONFIG = {
    "displaylogo": False,
    "showSendToCloud": False,
    "toImageButtonOptions": {"format": "svg", "scale": 2},
    "modeBarButtonsToRemove": ["lasso2d", "select2d", "autoScale2d"],
}


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
    text = {"tickfont": {"size": TEXT_SIZE}, "title_font": {"size": TEXT_SIZE}, "automargin": True, "zeroline": False}
    return figure.update_layout(
        template=TEMPLATE,
        height=height,
        margin={"l": 8, "r": right, "t": 24, "b": 8, "pad": 4},
        xaxis=text | xaxis,
        yaxis=text | yaxis,
        **layout,
    )


def for_print(figure: go.Figure, width: int) -> go.Figure:
    """A copy that stands on white paper by itself, without the page's own theme; width in pixels."""
    copy = go.Figure(figure)
    axis = {"gridcolor": PAPER_GRID, "linecolor": INK}
    copy.update_xaxes(axis)
    copy.update_yaxes(axis)
    return copy.update_layout(width=width, paper_bgcolor="white", plot_bgcolor="white", font_color=DARK_INK)


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
        else f" ({interval.low:.{decimals}f} to {interval.high:.{decimals}f})"
    )


def log_ticks(low: float, high: float) -> dict[str, Any]:
    """Ticks of a logarithmic axis: 1 of each decade within the bounds; 1, 2 and 5, or all nine, where they are few."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    values: list[float] = []
    for steps in ((1,), (1, 2, 5), range(1, 10)):
        values = [m * 10.0**d for d in decades for m in steps if low * 0.99 <= m * 10.0**d <= high * 1.01]
        if len(values) >= FEWEST_TICKS:
            break
    return {"tickvals": values, "ticktext": [f"{value:,g}" if value < 1 else f"{value:,.0f}" for value in values]}


@dataclass(frozen=True, slots=True)
class Style:
    """How one system is drawn, everywhere."""

    color: str
    symbol: str
    dash: str
    pattern: str


def styles(systems: Sequence[str]) -> Mapping[str, Style]:
    """Give each system of the loaded data a colour and a marker; the first seven differ in both.

    The position among all loaded systems decides, so that leaving some out changes no colour.
    """
    return {
        name: Style(
            COLORS[i % len(COLORS)],
            SYMBOLS[i % len(SYMBOLS)],
            DASHES[i // len(COLORS) % len(DASHES)],
            PATTERNS[i // len(COLORS) % len(PATTERNS)],
        )
        for i, name in enumerate(systems)
    }


def numbered_style(number: int, dash: str = "") -> Style:
    """How a series is drawn that is no system's: the first seven differ in colour and marker, then dashes change."""
    line = dash or DASHES[number // len(COLORS) % len(DASHES)]
    return Style(COLORS[number % len(COLORS)], SYMBOLS[number % len(SYMBOLS)], line, "")


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
