"""Why two systems' BLEU differs: the terms of the difference, one after the other."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from bleu_core.fields import decimal
from bleu_core.scoring import Decomposition
from dashboard.figures import theme

HEIGHT = 300


def difference_terms(found: Decomposition, styles: Mapping[str, theme.Style]) -> go.Figure:
    """Draw the terms as a waterfall, from 0 to the difference, coloured by the system that each term favours.

    Args:
        found: the terms.
        styles: how each system is drawn.
    """
    looks = theme.distinct(styles, (found.baseline, found.system))
    orders = [f"precision {n}" for n in range(1, len(found.precisions) + 1)]
    figure = go.Figure(
        go.Waterfall(
            x=[*orders, "brevity", "difference"],
            y=[*found.terms.tolist(), found.delta],
            measure=["relative"] * len(found.terms) + ["total"],
            increasing={"marker": {"color": looks[found.system].color}},
            decreasing={"marker": {"color": looks[found.baseline].color}},
            totals={"marker": {"color": theme.INK}},
            connector={"mode": "spanning", "line": {"color": theme.INK, "width": 1}},
            customdata=[decimal(points, signed=True) for points in (*found.terms.tolist(), found.delta)],
            hovertemplate="%{x}: %{customdata} points<extra></extra>",
        )
    )
    return theme.finish(
        figure,
        height=HEIGHT,
        showlegend=False,
        xaxis={"showgrid": False},
        yaxis={
            "title": f"{theme.short(found.system, 14)} minus {theme.short(found.baseline, 14)} (points)",
            "zeroline": True,
        },
    )
