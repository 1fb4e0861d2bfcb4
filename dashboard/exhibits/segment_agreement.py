"""The scores and ratings of segments, and classes of segments on which they disagree."""

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

#: Distance of the two marks of a class from the middle of its row.
MARK_OFFSET = 0.14


def agreement_by_class(agreement: AgreementByClass, *, axis: str) -> go.Figure:
    """Draw one row per class, with the coefficient inside (filled) and outside (hollow) and their intervals.

    Args:
        agreement: the classes.
        axis: title of the axis.
    """
    shown = [row for row in agreement.classes if not math.isnan(row.inside)]
    figure = go.Figure()
    figure.add_vline(x=agreement.coefficient, line={"color": theme.INK, "width": 1, "dash": "dot"})
    inside, outside = theme.numbered_style(0), theme.numbered_style(1)
    for name, style, offset, values, intervals, symbol in (
        ("in the class", inside, -MARK_OFFSET, [o.inside for o in shown], [o.inside_interval for o in shown], "circle"),
        (
            "other segments",
            outside,
            MARK_OFFSET,
            [o.outside for o in shown],
            [o.outside_interval for o in shown],
            "square",
        ),
    ):
        figure.add_trace(
            go.Scatter(
                x=[None if math.isnan(value) else value for value in values],
                y=[n + offset for n in range(len(shown))],
                mode="markers",
                name=name,
                marker={"color": style.color, "size": 10, "symbol": symbol},
                error_x=theme.error_bars(values, intervals, style.color),
                customdata=[[theme.plain(row.segment_class.title), row.segments, row.others] for row in shown],
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
            "ticktext": [f"{theme.plain(row.segment_class.title)} ({row.segments:,})" for row in shown],
            "range": [len(shown) - 0.5, -0.5],
            "showgrid": False,
        },
    )


HEIGHT = 520

#: Maximum number of segments drawn as markers; more are counted in squares.
MAX_MARKERS = 2000

#: Sizes in pixels of a marker, of the invisible markers that receive clicks on squares, and of the ring.
MARKER, CLICK_MARKER, RING = 8, 10, 18

#: Margin beyond the outermost points, as a share of the axis.
PADDING = 0.04

RING_COLOR = "#D55E00"


def scores_and_ratings(
    points: Scatter,
    metric: str,
    systems: Sequence[str],
    styles: Mapping[str, theme.Style],
    *,
    numbers: Sequence[int] | None = None,
    chosen: int | None = None,
    higher_is_better: bool = True,
    height: int = HEIGHT,
) -> go.Figure:
    """Draw mean rating over the metric's score, one point per segment of a system; its customdata is its position.

    The customdata of a square is the position of its first segment.

    Args:
        points: the segments with both scores.
        metric: name of the metric.
        systems: all systems, in the order of the numbers of segments.
        styles: style of each system.
        numbers: the number of each segment; from 1 if None.
        chosen: the position of the selected segment, which gets a ring.
        higher_is_better: whether a larger score of the metric is the better one.
        height: in pixels.
    """
    numbers = range(1, points.segments + 1) if numbers is None else numbers
    many = points.size > MAX_MARKERS
    figure = go.Figure()
    named = 0
    if many:
        _add_squares(figure, points, metric)
    else:
        named = _add_markers(
            figure, points, metric=metric, styles={name: styles[name] for name in systems}, numbers=numbers
        )
    if chosen is not None:
        figure.add_trace(
            go.Scatter(
                x=[float(points.x[chosen])],
                y=[float(points.y[chosen])],
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
            "range": _range(points.x, points.x_step),
        },
        yaxis={"title": "mean rating", "range": _range(points.y, points.y_step)},
    )


def _range(values: npt.NDArray[np.float64], step: float) -> list[float] | None:
    """Return the range of an axis, independent of the ring, with a margin for it and for half a square."""
    if not len(values):
        return None
    low, high = float(values.min()), float(values.max())
    margin = max((high - low) * PADDING, step)
    return [low - margin, high + margin]


def _add_markers(
    figure: go.Figure,
    points: Scatter,
    metric: str,
    styles: Mapping[str, theme.Style],
    numbers: Sequence[int],
) -> int:
    """Add a trace for each system that is not muted, below them one for all others; return the number of traces."""
    systems, owners = list(styles), points.entry // max(points.segments, 1)
    score = theme.plain(metric)
    others = [k for k, name in enumerate(systems) if styles[name].muted]
    separate = [[k] for k, name in enumerate(systems) if not styles[name].muted]
    traces = [others, *separate] if others else separate
    for members in traces:
        name = systems[members[0]]
        mine = np.flatnonzero(np.isin(owners, members))
        places = [divmod(int(entry), points.segments) for entry in points.entry[mine]]
        figure.add_trace(
            go.Scatter(
                x=points.x[mine].tolist(),
                y=points.y[mine].tolist(),
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


def _add_squares(figure: go.Figure, points: Scatter, metric: str) -> None:
    """Draw a heat map, which fills its squares at any width, and invisible markers that respond to clicks."""
    logs = np.full((ROWS, COLUMNS), np.nan)  # as counts may differ by a factor of a hundred
    logs[points.row, points.column] = np.log10(points.counts)
    decades = range(math.floor(math.log10(int(points.counts.max()))) + 1)
    x, y = points.x_start + points.x_step * points.column, points.y_start + points.y_step * points.row
    figure.add_trace(
        go.Heatmap(
            z=[[None if math.isnan(value) else value for value in line] for line in logs.round(3).tolist()],
            x0=points.x_start,
            dx=points.x_step,
            y0=points.y_start,
            dy=points.y_step,
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
            customdata=points.first.tolist(),
            mode="markers",
            marker={"symbol": "square", "size": CLICK_MARKER, "opacity": 0},
            selected={"marker": {"opacity": 0}},
            unselected={"marker": {"opacity": 0}},
            text=[f"{count:,} segments" if count > 1 else "1 segment" for count in points.counts.tolist()],
            hovertemplate=f"%{{text}}<br>{score} about %{{x:.3~g}}<br>mean rating about %{{y:.3~g}}<extra></extra>",
            showlegend=False,
        )
    )


def _scatter(agreement: SegmentAgreement, styles: Mapping[str, Style], *, chosen: int | None = None) -> go.Figure:
    """Draw a point for each segment and system; the one at the chosen position has a ring."""
    return scores_and_ratings(
        agreement.points,
        agreement.metric,
        agreement.systems,
        styles,
        numbers=agreement.numbers,
        chosen=chosen,
        higher_is_better=agreement.higher_is_better,
    )


def _scatter_table(agreement: SegmentAgreement) -> Table:
    return scatter_table(agreement.points, agreement.systems, numbers=agreement.numbers, decimals=agreement.decimals)


def _classes(agreement: AgreementByClass, _styles: Mapping[str, Style]) -> go.Figure:
    return agreement_by_class(agreement, axis=words.CLASS_COEFFICIENTS[agreement.method])


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
