"""Agreement of a metric with raters inside and outside classes of segments."""

from __future__ import annotations

import math

import plotly.graph_objects as go

from bleu_core.agreement import AgreementByClass
from dashboard.figures import theme

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
