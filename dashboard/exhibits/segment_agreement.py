"""The scores of segments beside their ratings, and classes of segments on which they disagree."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from bleu_core.agreement import COLUMNS, ROWS, AgreementByClass, Scatter
from bleu_core.fields import Table
from bleu_core.results.agreement import scatter_table
from bleu_core.results.agreement_by_class import classes_table
from dashboard import words
from dashboard.analysis import SegmentAgreement
from dashboard.exhibits.declaration import Exhibit
from dashboard.plots import theme
from dashboard.plots.theme import Style

AROUND, ROW = 130, 46

#: How far the two marks of a class are from its row.
APART = 0.14


def agreement_by_class(found: AgreementByClass, *, axis: str) -> go.Figure:
    """One row per class, with the coefficient inside (filled) and outside (hollow) and their intervals.

    Args:
        found: the classes.
        axis: title of the axis.
    """
    shown = [one for one in found.classes if not math.isnan(one.inside)]
    figure = go.Figure()
    figure.add_vline(x=found.coefficient, line={"color": theme.INK, "width": 1, "dash": "dot"})
    inside, outside = theme.numbered_style(0), theme.numbered_style(1)
    for name, style, offset, values, intervals, symbol in (
        ("in the class", inside, -APART, [o.inside for o in shown], [o.inside_interval for o in shown], "circle"),
        ("other segments", outside, APART, [o.outside for o in shown], [o.outside_interval for o in shown], "square"),
    ):
        figure.add_trace(
            go.Scatter(
                x=[None if math.isnan(value) else value for value in values],
                y=[n + offset for n in range(len(shown))],
                mode="markers",
                name=name,
                marker={"color": style.color, "size": 10, "symbol": symbol},
                error_x=theme.error_bars(values, intervals, style.color),
                customdata=[[theme.plain(one.segment_class.title), one.segments, one.others] for one in shown],
                hovertemplate="%{customdata[0]}: %{x:.3f}<extra></extra>",
            )
        )
    return theme.finish(
        figure,
        height=AROUND + ROW * len(shown),
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis={"title": theme.plain(axis)},
        yaxis={
            "tickmode": "array",
            "tickvals": list(range(len(shown))),
            "ticktext": [f"{theme.plain(one.segment_class.title)} ({one.segments:,})" for one in shown],
            "range": [len(shown) - 0.5, -0.5],
            "showgrid": False,
        },
    )


HEIGHT = 520

#: More segments than this are counted in squares.
MAX_MARKERS = 2000

#: Pixels: of a marker, of the unseen ones that catch clicks on squares, and of the ring.
MARKER, CATCH, RING = 8, 10, 18

#: Share of an axis beyond the outermost points.
PADDING = 0.04

RING_COLOR = "#D55E00"


def scores_and_ratings(
    found: Scatter,
    metric: str,
    systems: Sequence[str],
    styles: Mapping[str, theme.Style],
    *,
    numbers: Sequence[int] | None = None,
    chosen: int | None = None,
    higher_is_better: bool = True,
    height: int = HEIGHT,
) -> go.Figure:
    """Draw mean rating over the metric's score, a point a segment of a system; its customdata is its position.

    That of a square is the position of its first segment.

    Args:
        found: the segments with both scores.
        metric: its name.
        systems: all, in the order the segments are numbered by.
        styles: how each is drawn.
        numbers: the number of each segment; from 1 on if None.
        chosen: the position of the segment that is read, which gets a ring.
        higher_is_better: whether a larger score of the metric is the better one.
        height: pixels.
    """
    numbers = range(1, found.segments + 1) if numbers is None else numbers
    many = found.size > MAX_MARKERS
    figure = go.Figure()
    named = 0
    if many:
        _add_squares(figure, found, metric)
    else:
        named = _add_markers(
            figure, found, metric=metric, styles={name: styles[name] for name in systems}, numbers=numbers
        )
    if chosen is not None:
        figure.add_trace(
            go.Scatter(
                x=[float(found.x[chosen])],
                y=[float(found.y[chosen])],
                customdata=[chosen],
                mode="markers",
                name="segment shown",
                marker={"symbol": "circle-open", "size": RING, "color": RING_COLOR, "line": {"width": 3}},
                selected={"marker": {"opacity": 1}},
                unselected={"marker": {"opacity": 1}},
                hoverinfo="skip",
                cliponaxis=False,
                showlegend=False,
            )
        )
    unit = "sentence BLEU, points" if metric == "BLEU" else theme.short(metric, 40)
    return theme.finish(
        figure,
        height=height,
        hovermode="closest",
        dragmode="zoom",
        legend=theme.LEGEND_ABOVE,
        showlegend=not many and named > 1,
        xaxis={
            "title": unit if higher_is_better else f"{unit} (lower is better)",
            "range": _range(found.x, found.x_step),
        },
        yaxis={"title": "mean rating", "range": _range(found.y, found.y_step)},
    )


def _range(values: npt.NDArray[np.float64], step: float) -> list[float] | None:
    """The same wherever the ring is; with room for it and for a square's half."""
    if not len(values):
        return None
    low, high = float(values.min()), float(values.max())
    room = max((high - low) * PADDING, step)
    return [low - room, high + room]


def _add_markers(
    figure: go.Figure,
    found: Scatter,
    metric: str,
    styles: Mapping[str, theme.Style],
    numbers: Sequence[int],
) -> int:
    """Add a trace for each system with a look of its own, below them one for all others; return how many."""
    systems, owners = list(styles), found.entry // max(found.segments, 1)
    score = theme.plain(metric)
    others = [k for k, name in enumerate(systems) if styles[name].muted]
    apart = [[k] for k, name in enumerate(systems) if not styles[name].muted]
    traces = [others, *apart] if others else apart
    for members in traces:
        name = systems[members[0]]
        mine = np.flatnonzero(np.isin(owners, members))
        places = [divmod(int(entry), found.segments) for entry in found.entry[mine]]
        figure.add_trace(
            go.Scatter(
                x=found.x[mine].tolist(),
                y=found.y[mine].tolist(),
                customdata=mine.tolist(),
                mode="markers",
                name=theme.short(name, 20) if members is not others else theme.others(len(others), len(systems)),
                marker={
                    "color": styles[name].color,
                    "symbol": styles[name].symbol,
                    "size": MARKER,
                    "opacity": 0.55,
                },
                unselected={"marker": {"opacity": 0.55}},
                text=[f"{theme.plain(systems[system])}, segment {numbers[segment]}" for system, segment in places],
                hovertemplate=f"%{{text}}<br>{score} %{{x:.4~g}}<br>mean rating %{{y:.3f}}<extra></extra>",
            )
        )
    return len(traces)


def _add_squares(figure: go.Figure, found: Scatter, metric: str) -> None:
    """The picture is a heat map, which fills its squares at any width; unseen markers make it answer to clicks."""
    logs = np.full((ROWS, COLUMNS), np.nan)  # as one square may hold a hundred times what others do
    logs[found.row, found.column] = np.log10(found.counts)
    decades = range(math.floor(math.log10(int(found.counts.max()))) + 1)
    x, y = found.x_start + found.x_step * found.column, found.y_start + found.y_step * found.row
    figure.add_trace(
        go.Heatmap(
            z=[[None if math.isnan(value) else value for value in line] for line in logs.round(3).tolist()],
            x0=found.x_start,
            dx=found.x_step,
            y0=found.y_start,
            dy=found.y_step,
            zmin=0,
            colorscale=theme.SEQUENTIAL,
            hoverinfo="skip",
            colorbar={
                **theme.bar_above("segments per square"),
                "tickvals": list(decades),
                "ticktext": [f"{10**decade:,}" for decade in decades],
            },
        )
    )
    score = theme.plain(metric)
    figure.add_trace(
        go.Scatter(
            x=x.tolist(),
            y=y.tolist(),
            customdata=found.first.tolist(),
            mode="markers",
            marker={"symbol": "square", "size": CATCH, "opacity": 0},
            selected={"marker": {"opacity": 0}},
            unselected={"marker": {"opacity": 0}},
            text=[f"{count:,} segments" if count > 1 else "1 segment" for count in found.counts.tolist()],
            hovertemplate=f"%{{text}}<br>{score} about %{{x:.3~g}}<br>mean rating about %{{y:.3~g}}<extra></extra>",
            showlegend=False,
        )
    )


def _scatter(found: SegmentAgreement, styles: Mapping[str, Style], *, chosen: int | None = None) -> go.Figure:
    """Draw a point for each segment and system; the one at that position has a ring."""
    return scores_and_ratings(
        found.points,
        found.metric,
        found.systems,
        styles,
        numbers=found.numbers,
        chosen=chosen,
        higher_is_better=found.higher_is_better,
    )


def _scatter_table(found: SegmentAgreement) -> Table:
    return scatter_table(found.points, found.systems, numbers=found.numbers)


def _classes(found: AgreementByClass, _styles: Mapping[str, Style]) -> go.Figure:
    return agreement_by_class(found, axis=words.CLASS_COEFFICIENTS[found.method])


SEGMENT_AGREEMENT = Exhibit(
    name="segment-agreement",
    page="Agreement",
    part="By segment",
    title="Scores and ratings of segments",
    compute=lambda data: data.segment_agreement,
    figure=_scatter,
    table=_scatter_table,
    needs=("judgments",),
    subject="judges",
    key="segments",
)

AGREEMENT_BY_CLASS = Exhibit(
    name="agreement-by-class",
    page="Agreement",
    part="By class",
    title="Agreement inside and outside classes of segments",
    compute=lambda data: data.agreement_by_class,
    figure=_classes,
    table=classes_table,
    needs=("judgments",),
    subject="judges",
    key="class-agreement",
)
