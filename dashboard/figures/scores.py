"""BLEU of each system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from bleu_core.inference import Interval
from dashboard.figures import theme

ROW_HEIGHT = 30


def score_bars(
    systems: Sequence[str],
    bleu: Sequence[float],
    styles: Mapping[str, theme.Style],
    *,
    intervals: Sequence[Interval] | None = None,
    height: int | None = None,
) -> go.Figure:
    """Draw corpus BLEU (points) as bars, the first system at the top.

    Args:
        systems: names, in the order they are to be drawn.
        bleu: their scores.
        styles: how each system is drawn.
        intervals: of the scores.
        height: pixels, at least; as high as the bars need if None.
    """
    ends = [i.high for i in intervals] if intervals else list(bleu)
    figure = go.Figure(
        go.Bar(
            x=list(bleu),
            y=list(systems),
            orientation="h",
            marker={
                "color": [styles[name].color for name in systems],
                "pattern": {"shape": [styles[name].pattern for name in systems], "fgcolor": "white", "size": 6},
            },
            error_x=theme.error_bars(bleu, intervals, color=theme.INK),
            customdata=[
                (theme.plain(name), theme.bounds_text(intervals[k] if intervals else None))
                for k, name in enumerate(systems)
            ],
            hovertemplate="%{customdata[0]}<br>BLEU %{x:.2f}%{customdata[1]}<extra></extra>",
        ),
    )
    figure.add_trace(  # behind the interval, which would strike through a number at the bar's end
        go.Scatter(
            x=ends,
            y=list(systems),
            mode="text",
            text=[f" {score:.1f}" for score in bleu],
            textposition="middle right",
            textfont={"size": theme.TEXT_SIZE},
            cliponaxis=False,
            hoverinfo="skip",
        )
    )
    return theme.finish(
        figure,
        height=max(height or 0, 90 + ROW_HEIGHT * len(systems)),
        showlegend=False,
        xaxis={"title": "BLEU (points)", "range": [0, max([*ends, 1]) * 1.1]},
        yaxis=theme.systems_axis(systems, autorange="reversed", showgrid=False)
        | {"ticktext": [theme.short(name) for name in systems]},
    )
