"""Metrics by how well they agree with people."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from bleu_core.intervals import Interval
from bleu_core.metric_tests import MetricRanking
from bleu_core.table import format_p
from dashboard.figures import theme

ROW, FRAME = 30, 120

#: Metrics of which each two have room for their p in a cell.
MOST_NUMBERED = 12

BAND = "rgba(122,134,141,0.12)"


def ranked(ranking: MetricRanking, label: str, intervals: Mapping[str, Interval] | None = None) -> go.Figure:
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
        of_rank = np.flatnonzero(ranking.ranks == rank)
        figure.add_hrect(y0=of_rank[0] - 0.5, y1=of_rank[-1] + 0.5, fillcolor=BAND, line_width=0, layer="below")
    return theme.finish(
        figure,
        height=FRAME + ROW * len(names),
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


def told_apart(ranking: MetricRanking) -> go.Figure:
    """Draw the corrected p of each two metrics; cells below the level are filled."""
    names = [theme.short(name, 20) for name in ranking.metrics]
    places = list(range(len(names)))
    p_values = ranking.p_values_adjusted
    small = np.where(np.isnan(p_values), np.nan, (p_values <= ranking.alpha).astype(float))
    text = [["" if np.isnan(p) else format_p(p) for p in row] for row in p_values.tolist()]
    figure = go.Figure(
        go.Heatmap(
            z=small,
            x=places,
            y=places,
            colorscale=[[0, theme.INK], [1, theme.COLORS[0]]],
            zmin=0,
            zmax=1,
            showscale=False,
            xgap=2,
            ygap=2,
            customdata=text,
            hovertemplate="%{customdata}<extra></extra>",
            text=text if len(names) <= MOST_NUMBERED else None,
            texttemplate="%{text}" if len(names) <= MOST_NUMBERED else None,
            textfont={"color": "white"},
        )
    )
    for color, said in ((theme.COLORS[0], "told apart"), (theme.INK, "not shown")):
        marker = {"color": color, "symbol": "square", "size": 11}
        figure.add_trace(go.Scatter(x=[None], y=[None], mode="markers", name=said, marker=marker))
    ticks = {"tickmode": "array", "tickvals": places, "ticktext": names, "showgrid": False}
    return theme.finish(
        figure,
        height=FRAME + (ROW + 4) * len(names),
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis={**ticks, "range": [-0.5, len(names) - 0.5], "side": "bottom", "autotickangles": [0, -30, -60, -90]},
        yaxis={**ticks, "range": [len(names) - 0.5, -0.5]},
    )
