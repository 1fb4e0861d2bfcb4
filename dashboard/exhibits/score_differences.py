"""How often judges agree with a difference of some size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from bleu_core.agreement import DifferenceCurve, PublishedCurve
from bleu_core.fields import Table
from bleu_core.results.score_differences import differences_needed_table, score_differences_table
from dashboard import analysis
from dashboard.exhibits.data import Data
from dashboard.exhibits.declaration import Exhibit
from dashboard.plots import theme
from dashboard.plots.theme import Style

HEIGHT = 420

#: Number of points of a curve.
CURVE_POINTS = 101

#: End of the axis in points, without pairs of systems.
DEFAULT_REACH = 8.0

#: Alternating heights of the numbers of pairs.
LOWER, HIGHER = 0.03, 0.11


def agreement_by_difference(
    curve: DifferenceCurve | None,
    published: PublishedCurve | None,
    *,
    axis: str,
    marked: float | None = None,
    height: int = HEIGHT,
) -> go.Figure:
    """Draw the share of pairs in which judges agree over the difference of two scores.

    Args:
        curve: of the data, with its interval, and its pairs in groups; None where there are no ratings.
        published: of the metric, dashed; None if there is none.
        axis: title of the axis of differences, with its unit.
        marked: a difference to mark.
        height: in pixels.
    """
    figure = go.Figure()
    reach = DEFAULT_REACH if curve is None or not curve.max_difference > 0 else 1.05 * curve.max_difference
    x = np.linspace(0, reach, CURVE_POINTS)
    if curve is not None:
        _add_own(figure, curve, x)
    if published is not None and published.min_difference < reach:
        beyond = np.linspace(published.min_difference, reach, CURVE_POINTS)
        figure.add_trace(
            go.Scatter(
                x=beyond.tolist(),
                y=[published.share(value) for value in beyond],
                mode="lines",
                line={"color": theme.COLORS[1], "dash": "dash", "width": 2},
                name="published (Kocmi et al. 2024)",
                hovertemplate="%{x:.2f}: %{y:.0%}<extra>published</extra>",
            )
        )
    figure.add_hline(y=0.5, line={"color": theme.INK, "width": 1, "dash": "dot"})
    if marked is not None and marked <= reach:
        figure.add_vline(x=marked, line={"color": theme.INK, "width": 1})
    return theme.finish(
        figure,
        height=height,
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis={"title": theme.plain(axis), "range": [0, reach]},
        yaxis={"title": "share of pairs in which judges agree", "range": [-0.03, 1.06], "tickformat": ".0%"},
    )


def _add_own(figure: go.Figure, curve: DifferenceCurve, x: np.ndarray) -> None:
    color = theme.COLORS[0]
    if curve.is_fitted:
        bounds = [curve.share_interval(float(value)) for value in x]
        if not np.isnan(curve.interval.low):
            band = [*(b.high for b in bounds), *(b.low for b in reversed(bounds))]
            figure.add_trace(
                go.Scatter(
                    x=[*x.tolist(), *x[::-1].tolist()],
                    y=band,
                    fill="toself",
                    fillcolor="rgba(127, 139, 146, 0.2)",
                    line={"width": 0},
                    showlegend=False,
                    hoverinfo="skip",
                )
            )
        figure.add_trace(
            go.Scatter(
                x=x.tolist(),
                y=[curve.share(float(value)) for value in x],
                mode="lines",
                line={"color": color, "width": 2},
                name="fitted to these pairs",
                hovertemplate="%{x:.4~g}: %{y:.0%}<extra>fitted</extra>",
            )
        )
    groups = curve.groups()
    counts = [f"{group.accuracy.agreeing}/{group.accuracy.pairs}" for group in groups]
    figure.add_trace(
        go.Scatter(
            x=[group.mean for group in groups],
            y=[group.accuracy.value for group in groups],
            mode="markers",
            text=counts,
            marker={"color": color, "size": 9},
            name="pairs found (at the bottom: agreeing/all)",
            customdata=[[group.low, group.high] for group in groups],
            hovertemplate="differences %{customdata[0]:.4~g} to %{customdata[1]:.4~g}: %{text}<extra></extra>",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=[group.mean for group in groups],
            y=[HIGHER if n % 2 else LOWER for n in range(len(groups))],  # on one line they would overlap
            mode="text",
            text=counts,
            textfont={"size": theme.TEXT_SIZE},
            cliponaxis=False,
            showlegend=False,
            hoverinfo="skip",
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceCurves:
    """The share of pairs in which judges agree, by the difference of a metric.

    Attributes:
        metric: its label.
        curve: of the data; None where there are no ratings.
    """

    metric: str
    curve: DifferenceCurve | None

    @property
    def published(self) -> PublishedCurve | None:
        """The published curve of the metric, if there is one."""
        return analysis.published_curve(self.metric)


def _curves(data: Data) -> DifferenceCurves:
    return DifferenceCurves(metric=data.agreement.metric, curve=data.difference_curve)


def _figure(curves: DifferenceCurves, _styles: Mapping[str, Style], *, marked: float | None = None) -> go.Figure:
    return agreement_by_difference(curves.curve, curves.published, axis=f"difference in {curves.metric}", marked=marked)


def _table(curves: DifferenceCurves) -> Table:
    if curves.curve is None:
        return differences_needed_table(None, curves.published)
    return score_differences_table(curves.curve)


SCORE_DIFFERENCES = Exhibit(
    name="score-differences",
    page="Metrics",
    part="Meaning of a difference",
    title="Agreement of judges by score difference",
    compute=_curves,
    figure=_figure,
    table=_table,
    needs=("judgments",),
    subject="judges",
    key="score-differences",
)
