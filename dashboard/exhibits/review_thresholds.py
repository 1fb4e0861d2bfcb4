"""The share of unacceptable segments among those that skip review, by the share that skips."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from bleu_core.agreement import ReviewPart, ReviewThreshold
from bleu_core.fields import exact
from bleu_core.results.review_threshold import thresholds_table
from dashboard.exhibits.declaration import Exhibit
from dashboard.plots import theme
from dashboard.plots.theme import Style

HEIGHT = 420

#: Maximum number of points of a line.
MAX_POINTS = 300

#: Minimum number of segments that skip at a point: shares of fewer vary too much to be seen as a line.
MIN_SKIPPING = 20


def shares_by_skipping(review: ReviewThreshold, *, height: int = HEIGHT) -> go.Figure:
    """Draw the share of unacceptable segments over the share that skips, in both parts, with the threshold.

    Args:
        review: with entries in both parts.
        height: in pixels.
    """
    figure = go.Figure()
    choice, test = theme.numbered_style(1), theme.numbered_style(0)
    _add_part(figure, review, review.chosen_on, name="part for the choice", color=choice.color, dash="dash")
    _add_bound(figure, review, test.color)
    _add_part(figure, review, review.tested_on, name="part for the test", color=test.color, dash="solid")
    figure.add_hline(y=review.max_unacceptable, line={"color": theme.INK, "width": 1, "dash": "dot"})
    if review.test is not None and review.test.skipping.count:
        unacceptable = review.test.unacceptable
        figure.add_vline(x=review.test.skipping.value, line={"color": theme.INK, "width": 1})
        figure.add_trace(
            go.Scatter(
                x=[review.test.skipping.value],
                y=[unacceptable.value],
                mode="markers",
                marker={"color": test.color, "size": 11},
                error_y=theme.error_bars([unacceptable.value], [unacceptable.interval], test.color),
                name=f"threshold {theme.minus(exact(review.threshold))}, with its interval",
                hovertemplate="%{x:.1%} skip review, %{y:.1%} of them unacceptable<extra>threshold</extra>",
            )
        )
    return theme.finish(
        figure,
        height=height,
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis={"title": "share of segments that skip review", "range": [0, 1.02], "tickformat": ".0%"},
        yaxis={"title": "unacceptable among them", "rangemode": "tozero", "tickformat": ".0%"},
    )


def _add_part(
    figure: go.Figure, review: ReviewThreshold, part: ReviewPart, *, name: str, color: str, dash: str
) -> None:
    curve = part.curve()
    places = _places(curve.skipping)
    sign = "≥" if review.higher_is_better else "≤"
    figure.add_trace(
        go.Scatter(
            x=(curve.skipping[places] / max(len(part.scores), 1)).tolist(),
            y=(curve.unacceptable[places] / curve.skipping[places]).tolist(),
            mode="lines",
            line={"color": color, "width": 2, "dash": dash},
            text=[f"{sign} {theme.minus(exact(value))}" for value in curve.thresholds[places].tolist()],
            name=name,
            hovertemplate="score %{text}: %{x:.1%} skip review, %{y:.1%} of them unacceptable"
            f"<extra>{name}</extra>",
        )
    )


def _add_bound(figure: go.Figure, review: ReviewThreshold, color: str) -> None:
    part = review.tested_on
    curve = part.curve(review.confidence)
    places = _places(curve.skipping)
    figure.add_trace(
        go.Scatter(
            x=(curve.skipping[places] / max(len(part.scores), 1)).tolist(),
            y=curve.bound[places].tolist(),
            mode="lines",
            line={"color": color, "width": 1, "dash": "dot"},
            name="its upper bound",
            hovertemplate="%{x:.1%} skip review: upper bound %{y:.1%}<extra></extra>",
        )
    )


def _places(skipping: np.ndarray) -> np.ndarray:
    """Return the positions of points with enough segments, at most MAX_POINTS, evenly spaced by segments that skip."""
    if not len(skipping):
        return np.zeros(0, np.int64)
    wanted = np.linspace(min(MIN_SKIPPING, skipping[-1]), skipping[-1], MAX_POINTS)
    return np.unique(np.searchsorted(skipping, wanted))


def _figure(review: ReviewThreshold, _styles: Mapping[str, Style]) -> go.Figure:
    return shares_by_skipping(review)


REVIEW_THRESHOLD = Exhibit(
    name="review-threshold",
    page="Metrics",
    part="Unread segments",
    title="Unacceptable segments among those that skip review",
    compute=lambda data: data.review_threshold,
    figure=_figure,
    table=thresholds_table,
    needs=("judgments",),
    subject="judges",
    key="review-threshold",
)
