"""Metrics by their agreement with the judges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from bleu_core.agreement import MetricRanking
from bleu_core.inference import Interval, significant
from bleu_core.results.agreement import p_values_table, ranking_table
from bleu_core.results.table import format_p
from dashboard import analysis, words
from dashboard.analysis import Intervals
from dashboard.exhibits.data import Data
from dashboard.exhibits.declaration import Exhibit
from dashboard.plots import theme
from dashboard.plots.theme import Style

#: Height in pixels of a row, and of the axis and margins.
ROW, FRAME = 30, 120

#: Maximum number of metrics whose cells show p; more have narrower rows, and need the page's whole width.
MAX_NUMBERED = 12
NARROW_ROW = 21

BAND = "rgba(122,134,141,0.12)"


def metric_ranking(ranking: MetricRanking, label: str, intervals: Mapping[str, Interval] | None = None) -> go.Figure:
    """Draw the metrics' coefficients, best first, clusters of equal rank on bands.

    Args:
        ranking: the metrics.
        label: of the coefficient.
        intervals: metric -> interval of its coefficient.
    """
    names = list(ranking.metrics)
    values = ranking.coefficients.tolist()
    bounds = [intervals[name] for name in names] if intervals and all(name in intervals for name in names) else None
    known = bounds is not None and not any(np.isnan(i.low) for i in bounds)
    color = theme.COLORS[0]
    figure = go.Figure(
        go.Scatter(
            x=values,
            y=list(range(len(names))),
            mode="markers",
            marker={"size": 11, "color": color},
            error_x=theme.error_bars(values, bounds if known else None, color),
            customdata=[[theme.plain(name), int(rank)] for name, rank in zip(names, ranking.ranks, strict=True)],
            hovertemplate="%{customdata[0]}: %{x:.3f}, rank %{customdata[1]}<extra></extra>",
        )
    )
    for rank in np.unique(ranking.ranks)[::2]:
        rows = np.flatnonzero(ranking.ranks == rank)
        figure.add_hrect(y0=rows[0] - 0.5, y1=rows[-1] + 0.5, fillcolor=BAND, line_width=0, layer="below")
    return theme.finish(
        figure,
        height=FRAME + (ROW if len(names) <= MAX_NUMBERED else NARROW_ROW) * len(names),
        showlegend=False,
        xaxis={"title": label},
        yaxis={
            "tickmode": "array",
            "tickvals": list(range(len(names))),
            "ticktext": [f"{rank}  {theme.short(name)}" for name, rank in zip(names, ranking.ranks, strict=True)],
            "range": [len(names) - 0.5, -0.5],
            "showgrid": False,
        },
    )


def metric_p_values(ranking: MetricRanking) -> go.Figure:
    """Draw the corrected p of each pair of metrics; cells below the level are filled.

    With many metrics, rows are numbered after their names, and every fifth column has its number.
    """
    few = len(ranking.metrics) <= MAX_NUMBERED
    rows = columns = [theme.short(name, 20) for name in ranking.metrics]
    if not few:
        columns = [str(n) if n == 1 or n % 5 == 0 else "" for n in range(1, len(rows) + 1)]
        rows = [f"{name}  {n}" for n, name in enumerate(rows, start=1)]
    places = list(range(len(rows)))
    p_values = ranking.p_values_adjusted
    small = np.where(np.isnan(p_values), np.nan, significant(p_values, ranking.alpha).astype(float))
    text = [["" if np.isnan(p) else format_p(p) for p in row] for row in p_values.tolist()]
    names = [theme.plain(name) for name in ranking.metrics]
    figure = go.Figure(
        go.Heatmap(
            z=small,
            x=places,
            y=places,
            colorscale=[[0, theme.UNDER_TEXT], [1, theme.COLORS[0]]],
            zmin=0,
            zmax=1,
            showscale=False,
            xgap=2 if few else 1,
            ygap=2 if few else 1,
            customdata=[[[names[i], names[j], p] for j, p in enumerate(row)] for i, row in enumerate(text)],
            hovertemplate="%{customdata[0]}, %{customdata[1]}: corrected p %{customdata[2]}<extra></extra>",
            text=text if few else None,
            texttemplate="%{text}" if few else None,
            textfont={"color": "white"},
        )
    )
    for color, meaning in ((theme.COLORS[0], "significant"), (theme.UNDER_TEXT, "not significant")):
        marker = {"color": color, "symbol": "square", "size": 11}
        figure.add_trace(go.Scatter(x=[None], y=[None], mode="markers", name=meaning, marker=marker))
    ticks = {"tickmode": "array", "tickvals": places, "showgrid": False}
    angles = [0, -30, -60, -90] if few else [0]
    return theme.finish(
        figure,
        height=FRAME + (ROW + 4 if few else NARROW_ROW) * len(rows),
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis={
            **ticks,
            "ticktext": columns,
            "range": [-0.5, len(rows) - 0.5],
            "side": "bottom",
            "autotickangles": angles,
            "ticklabeloverflow": "allow",
        },
        yaxis={**ticks, "ticktext": rows, "range": [len(rows) - 0.5, -0.5]},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedMetrics:
    """Metrics in the order of their agreement.

    Attributes:
        ranking: the order, and p of each pair.
        intervals: of the coefficients over systems; None over segments.
    """

    ranking: MetricRanking
    intervals: Intervals | None = None


def _ranked(data: Data) -> RankedMetrics:
    ranking, level = data.ranked_metrics, data.metrics_by_system
    return RankedMetrics(ranking=ranking, intervals=analysis.ranking_intervals(level, data.ranking_options.method))


def _figure(ranked: RankedMetrics, _styles: Mapping[str, Style]) -> go.Figure:
    return metric_ranking(ranked.ranking, words.COEFFICIENTS[ranked.ranking.method], ranked.intervals)


METRICS = Exhibit(
    name="metrics",
    page="Metrics",
    part="Best agreement",
    title="Agreement of metrics with the judges",
    compute=_ranked,
    figure=_figure,
    table=lambda ranked: ranking_table(ranked.ranking),
    needs=("judgments",),
    options=("metrics",),
    subject="judges",
    key="metric-ranks",
)

METRIC_PAIRS = Exhibit(
    name="metric-pairs",
    page="Metrics",
    part="Best agreement",
    title="Pairwise comparison of metrics",
    compute=_ranked,
    figure=lambda ranked, _: metric_p_values(ranked.ranking),
    table=lambda ranked: p_values_table(ranked.ranking),
    needs=("judgments",),
    options=("metrics",),
    subject="judges",
    key="metric-p",
)
