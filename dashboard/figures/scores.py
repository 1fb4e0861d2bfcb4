"""BLEU of each system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from dashboard.figures import theme

ROW_HEIGHT = 30


def score_bars(
    systems: Sequence[str], bleu: Sequence[float], styles: Mapping[str, theme.Style], *, height: int | None = None
) -> go.Figure:
    """Draw corpus BLEU (points) as bars, the first system at the top.

    Args:
        systems: names, in the order they are to be drawn.
        bleu: their scores.
        styles: how each system is drawn.
        height: pixels, at least; as high as the bars need if None.
    """
    figure = go.Figure(
        go.Bar(
            x=list(bleu),
            y=list(systems),
            orientation="h",
            marker={
                "color": [styles[name].color for name in systems],
                "pattern": {"shape": [styles[name].pattern for name in systems], "fgcolor": "white", "size": 6},
            },
            text=[f"{score:.1f}" for score in bleu],
            textposition="outside",
            cliponaxis=False,
            customdata=[theme.plain(name) for name in systems],
            hovertemplate="%{customdata}<br>BLEU %{x:.2f}<extra></extra>",
        ),
    )
    return theme.finish(
        figure,
        height=max(height or 0, 90 + ROW_HEIGHT * len(systems)),
        showlegend=False,
        xaxis={"title": "BLEU (points)", "range": [0, max([*bleu, 1]) * 1.1]},
        yaxis=theme.systems_axis(systems, autorange="reversed", showgrid=False)
        | {"ticktext": [theme.short(name) for name in systems]},
    )
