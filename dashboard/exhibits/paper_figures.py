"""Figures of the paper's steps, drawn from each step's declaration of data, axes and marks.

Values that the paper prints are drawn as hollow diamonds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
import plotly.graph_objects as go

from bleu_core.fields import decimal
from bleu_core.inference import CONFIDENCE, Interval
from bleu_core.paper import Axis, Bars, Box, Figure, Lines, Panel, Points, Regression, Series, Values
from dashboard.exhibits.system_agreement import bleu_and_ratings
from dashboard.plots import theme

#: Colour of the values that the paper prints.
PUBLISHED_COLOR = theme.COLORS[1]

#: Sizes of markers in pixels.
POINT, LINE_MARKER, DIAMOND, BOX_POINT = 10, 8, 14, 3

#: Maximum number of characters of a name below the plot, and of a line of a label with several lines.
MAX_NAME_LENGTH, MAX_LABEL_LENGTH = 20, 16

#: Distance of points of one category, as a share of the category, and of panels, as a share of the figure.
POINT_GAP, PANEL_GAP = 0.22, 0.04

#: A value with its sign in a hover text: Plotly would write a minus before a value that is rounded to zero.
SIGNED_Y = re.compile(r"\{y:\+\.(\d)f\}")

#: Placeholders in a hover text: {x}, {y} and {detail}, with a format.
PLACEHOLDER = re.compile(r"\{(x|y|detail)(:[^{}]*)?\}")


def draw(figure: Figure, styles: Mapping[str, theme.Style]) -> go.Figure:
    """Draw a figure of a step.

    Args:
        figure: the step's declaration.
        styles: style of each system.
    """
    content = figure.content
    if isinstance(content, Regression):
        return bleu_and_ratings(content.agreement, styles, content.humans, score=content.score)
    drawn = go.Figure()
    axes: dict[str, Any] = {}
    listed: set[str] = set()
    for number, panel in enumerate(content):
        suffix = "" if not number else str(number + 1)
        places = _places(panel)
        for shift, series in zip(_shifts(panel), panel.series, strict=True):
            if isinstance(series, Box):
                drawn.add_trace(_box(series, styles))
                continue
            trace = _trace(series, styles, places, shift)
            if len(content) > 1:
                trace.update(xaxis=f"x{suffix}", yaxis="y", legendgroup=series.name)
                trace.update(showlegend=series.name not in listed)
            listed.add(series.name)
            drawn.add_trace(trace)
        axes[f"xaxis{suffix}"] = _x_axis(panel, places) | _part(number, len(content))
        if figure.rule is not None:
            across = {"xref": f"x{suffix} domain", "x0": 0, "x1": 1, "yref": "y", "y0": figure.rule, "y1": figure.rule}
            drawn.add_shape(across, type="line", line={"color": theme.INK, "width": 1})
    return theme.finish(
        drawn,
        height=figure.height,
        showlegend=figure.legend,
        legend=theme.LEGEND_ABOVE,
        xaxis=axes.pop("xaxis", {}),
        yaxis=_y_axis(figure.y),
        **axes,
    )


def _places(panel: Panel) -> Mapping[str, int]:
    """Return category -> number on the axis, if only points are drawn; else nothing, as the axis has the names."""
    only_points = all(isinstance(series, Points) for series in panel.series)
    if panel.x.scale != "categories" or not only_points:
        return {}
    return {name: number for number, name in enumerate(panel.x.categories)}


def _shifts(panel: Panel) -> list[float]:
    """Return the offset of each series from the middle of its category; published values are in the middle."""
    moved = [isinstance(series, Points) and series.role == "computed" for series in panel.series]
    middle, done = (sum(moved) - 1) / 2, 0
    shifts: list[float] = []
    for moves in moved:
        shifts.append((done - middle) * POINT_GAP if moves else 0.0)
        done += moves
    return shifts


def _part(number: int, panels: int) -> dict[str, Any]:
    """Return the part of the figure's width that a panel takes."""
    return {"domain": [number / panels, (number + 1) / panels - (PANEL_GAP if number + 1 < panels else 0)]}


def _trace(series: Series, styles: Mapping[str, theme.Style], places: Mapping[str, int], shift: float) -> Any:
    look = _style(series, styles)
    x = [places[name] + shift for name in cast("Sequence[str]", series.x)] if places else list(series.x)
    common: dict[str, Any] = {
        "x": x,
        "y": _or_none(series.y),
        "name": theme.plain(series.name) if series.role == "reference" else theme.short(series.name),
        "hovertemplate": f"{theme.plain(series.name)}<br>{_hover(series.hover)}<extra></extra>",
        "error_y": _bars(series, theme.INK if isinstance(series, Bars) else look.color),
    }
    signed = SIGNED_Y.search(series.hover)
    if signed:
        common["hovertext"] = [decimal(float(y), int(signed[1]), signed=True) for y in series.y]
    if series.details:
        common["customdata"] = [theme.plain(d) if isinstance(d, str) else d for d in series.details]
    if isinstance(series, Bars):
        return go.Bar(**common, marker={"color": look.color})
    if series.role == "published":
        marker = {"symbol": "diamond-open", "size": DIAMOND, "color": look.color, "line": {"width": 2}}
        return go.Scatter(**common, mode="markers", marker=marker)
    if series.role == "reference":
        return go.Scatter(**common, mode="lines", line={"color": look.color, "dash": look.dash})
    marker = {"symbol": look.symbol, "color": look.color, "size": POINT}
    if isinstance(series, Lines):
        line = {"color": look.color, "dash": look.dash, "width": 2}
        return go.Scatter(**common, mode="lines+markers", line=line, marker=marker | {"size": LINE_MARKER})
    return go.Scatter(**common, mode="markers", marker=marker)


def _box(box: Box, styles: Mapping[str, theme.Style]) -> go.Box:
    color = styles[box.system].color
    return go.Box(
        x0=box.category,
        y=np.asarray(box.y),  # not as a list, which Plotly checks value by value
        name=theme.short(box.category),
        marker={"color": color, "size": BOX_POINT},
        line={"color": color},
        hoverinfo="y",
    )


def _style(series: Series, styles: Mapping[str, theme.Style]) -> theme.Style:
    if series.system:
        return styles[series.system]
    if series.role == "published":
        return theme.Style(PUBLISHED_COLOR, "diamond-open")
    if series.role == "reference":
        return theme.Style(theme.INK, "", series.dash or "dot")
    return theme.numbered_style(series.number, series.dash)


def _bars(series: Series, color: str) -> dict[str, Any]:
    """Return error bars, if the series has them."""
    if series.low is None or series.high is None:
        return {"visible": False}
    intervals = [Interval(low, high, CONFIDENCE) for low, high in zip(series.low, series.high, strict=True)]
    return theme.error_bars([float(y) for y in series.y], intervals, color)


def _x_axis(panel: Panel, places: Mapping[str, int]) -> dict[str, Any]:
    axis = panel.x
    title: dict[str, Any] = {"title": theme.short(axis.title)} if axis.title else {}
    if places:
        return title | _places_axis(axis)
    if axis.scale == "categories":
        return theme.systems_axis(axis.categories, **title)
    if axis.scale == "log":
        values = [float(x) for series in panel.series if isinstance(series, Series) for x in series.x]
        return title | {"type": "log"} | (theme.log_ticks(min(values), max(values)) if values else {})
    return title | ({"tickmode": "array", "tickvals": list(axis.ticks)} if axis.ticks else {})


def _places_axis(axis: Axis) -> dict[str, Any]:
    """Return an axis on which each category is a number, so that points of one category can have offsets."""
    several: dict[str, Any] = {}
    labels = [theme.short(name, MAX_NAME_LENGTH) for name in axis.categories]
    if axis.labels:
        labels = ["<br>".join(theme.short(line, MAX_LABEL_LENGTH) for line in lines) for lines in axis.labels]
        several = {
            "title": {"text": theme.short(axis.title), "font": {"size": theme.TEXT_SIZE}},
            "tickfont": {"size": theme.TEXT_SIZE - 1},
            "autotickangles": [0, 90],  # oblique labels would extend beyond the figure
            "ticklabeloverflow": "allow",
        }
    return several | {
        "tickmode": "array",
        "tickvals": list(range(len(labels))),
        "ticktext": labels,
        "range": [-0.6, len(labels) - 0.4],
        "showgrid": False,
        "zeroline": False,
        "automargin": True,
    }


def _y_axis(axis: Axis) -> dict[str, Any]:
    layout: dict[str, Any] = {"title": axis.title}
    if axis.from_zero:
        layout["rangemode"] = "tozero"
    if axis.range is not None:
        layout["range"] = list(axis.range)
    return layout


def _hover(text: str) -> str:
    """Return a hover text in Plotly's syntax."""

    def placeholder(match: re.Match[str]) -> str:
        name = "customdata" if match[1] == "detail" else match[1]
        return f"%{{{name}{match[2] or ''}}}"

    return PLACEHOLDER.sub(placeholder, SIGNED_Y.sub("%{hovertext}", theme.plain(text)))


def _or_none(values: Values) -> list[float | None]:
    """Replace NaN by None, for which Plotly leaves gaps."""
    return [None if np.isnan(value) else float(value) for value in values]
