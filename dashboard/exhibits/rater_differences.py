"""Differences of ratings between systems."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from bleu_core.fields import decimal
from bleu_core.inference import significant
from bleu_core.judges import UNITS, RatingDifferences, Unit
from bleu_core.results.judges import corrected_p_values, differences_table
from bleu_core.results.table import format_p
from dashboard.exhibits.data import Data
from dashboard.exhibits.declaration import Exhibit
from dashboard.plots import theme
from dashboard.plots.theme import Style

#: Height in pixels of a pair's row with one unit, of each further unit, and of the axis and margins.
ROW, UNIT_ROW, AROUND = 42, 14, 90
#: Distance of the units of a pair, in rows.
UNIT_GAP = 0.22

#: Minimum number of observations of an interval that may widen the axis.
MIN_OBSERVATIONS = 5

#: Maximum number of characters of two names on one line.
MAX_LINE_LENGTH = 14


def common_axis(results: Sequence[RatingDifferences], units: Sequence[Unit]) -> tuple[float, float]:
    """Return an axis that includes zero, all means and intervals, so that adjacent panels have the same scale.

    Intervals of very few units, which may be a hundred times as wide as all others, may extend beyond it.
    """
    differences = [pair.by(unit) for result in results for pair in result.pairs for unit in units]
    ends = [0.0, *(d.mean for d in differences)]
    for d in [d for d in differences if d.n >= MIN_OBSERVATIONS] or differences:
        ends += [d.interval.low, d.interval.high]
    finite = [end for end in ends if math.isfinite(end)]
    low, high = min(finite), max(finite)
    padding = 0.06 * (high - low) or 1.0
    return low - padding, high + padding


def mean_differences(
    result: RatingDifferences,
    units: Sequence[Unit],
    *,
    axis: tuple[float, float] | None = None,
    rating: str = "mean rating",
) -> go.Figure:
    """Draw the mean difference of each pair with its 95% interval; hollow where not significant.

    Args:
        result: the pairs.
        units: units over which differences are averaged; several are drawn below one another.
        axis: ends of the axis.
        rating: name of the ratings, for the axis.
    """
    figure = go.Figure(
        go.Scatter(
            x=[0, 0],
            y=[-0.5, len(result.pairs) - 0.5],
            mode="lines",
            line={"color": theme.INK, "width": 1},
            showlegend=False,
            hoverinfo="skip",
        )
    )
    for n, unit in enumerate(units):
        style = UNITS.index(unit)
        adjusted = corrected_p_values(result, unit)
        differences = [pair.by(unit) for pair in result.pairs]
        color, symbol = theme.COLORS[style], theme.SYMBOLS[style]
        bounded = [i for i, d in enumerate(differences) if not math.isnan(d.interval.low)]
        bare = [i for i, d in enumerate(differences) if math.isnan(d.interval.low) and not math.isnan(d.mean)]
        for rows in (bounded, bare):  # separately, as Plotly draws ends of missing intervals
            means = [differences[i].mean for i in rows]
            intervals = [differences[i].interval for i in rows] if rows is bounded else None
            figure.add_trace(
                go.Scatter(
                    x=means,
                    y=[i + UNIT_GAP * (n - (len(units) - 1) / 2) for i in rows],
                    mode="markers",
                    name=f"by {unit}",
                    legendgroup=unit,
                    showlegend=rows is bounded,
                    marker={
                        "color": color,
                        "symbol": [symbol if significant(adjusted[i]) else f"{symbol}-open" for i in rows],
                        "size": 10,
                    },
                    error_x=theme.error_bars(means, intervals, color),
                    customdata=[_hover(result, i, unit, adjusted[i]) for i in rows],
                    hovertemplate="%{customdata}<extra></extra>",
                )
            )
    names = [(pair.better, pair.worse) for pair in result.pairs]
    between = " − " if all(len(better) + len(worse) <= MAX_LINE_LENGTH for better, worse in names) else "<br>− "
    labels = [f"{theme.short(better, 18)}{between}{theme.short(worse, 18)}" for better, worse in names]
    return theme.finish(
        figure,
        height=AROUND + (ROW + UNIT_ROW * (len(units) - 1)) * len(result.pairs),
        showlegend=len(units) > 1,
        legend=theme.LEGEND_ABOVE,
        xaxis={"title": f"difference of {rating}s", "range": list(axis or common_axis([result], units))},
        yaxis={
            "tickmode": "array",
            "tickvals": list(range(len(result.pairs))),
            "ticktext": labels,
            "showgrid": False,
            "range": [len(result.pairs) - 0.5, -0.5],
        },
    )


def _hover(result: RatingDifferences, i: int, unit: Unit, adjusted: float) -> str:
    pair = result.pairs[i]
    difference = pair.by(unit)
    text = (
        f"{theme.plain(pair.better)} minus {theme.plain(pair.worse)}<br>by {unit}, n {difference.n:,}<br>"
        f"{decimal(difference.mean, 3, signed=True)}{theme.bounds_text(difference.interval, 3)}"
    )
    if difference.reason:
        return f"{text}<br>{theme.plain(difference.reason)}"
    p_values = f"p {theme.plain(format_p(difference.p_value))}, corrected {theme.plain(format_p(adjusted))}"
    return f"{text}<br>t {decimal(difference.t)}, {p_values}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedPairs:
    """Differences of the mean ratings of pairs of systems.

    Attributes:
        differences: of the pairs.
        units: units over which the differences are averaged.
        group: of the judges; empty for all.
        standardised: whether ratings are standardised per judge.
    """

    differences: RatingDifferences
    units: Sequence[Unit]
    group: str = ""
    standardised: bool


def _rated_pairs(data: Data) -> RatedPairs:
    return RatedPairs(differences=data.rating_differences, units=("segment",), standardised=data.rated.standardised)


def _figure(rated: RatedPairs, _styles: Mapping[str, Style], *, axis: tuple[float, float] | None = None) -> go.Figure:
    rating = "standardised rating" if rated.standardised else "mean rating"
    return mean_differences(rated.differences, rated.units, axis=axis, rating=rating)


RATER_DIFFERENCES = Exhibit(
    name="rater-differences",
    page="Judges",
    part="Human ranking",
    title="Rating differences of neighbouring systems",
    compute=_rated_pairs,
    figure=_figure,
    table=lambda rated: differences_table({rated.group: rated.differences}, rated.units),
    needs=("judgments",),
    options=(),
    subject="judges",
    key="differences-0",
)
