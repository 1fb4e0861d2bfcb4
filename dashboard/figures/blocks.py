"""How scores spread over blocks of text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from bleu_core.inference import BlockScores
from dashboard.figures import theme

HEIGHT = 440


def block_distributions(
    result: BlockScores, styles: Mapping[str, theme.Style], *, violin: bool = False, height: int = HEIGHT
) -> go.Figure:
    """Draw the spread of block scores per system, with every block's point.

    Args:
        result: block scores, the worst system first.
        styles: how each system is drawn.
        violin: a violin in place of a box.
        height: pixels.
    """
    names = [f"{name} ({size} segments)" for name, size in zip(result.blocks.names, result.blocks.sizes, strict=True)]
    label = theme.plain(result.metric.label)
    figure = go.Figure()
    for k, name in enumerate(result.systems):
        common = {
            "x": [name] * len(names),
            "y": _drawn(result.scores[k].tolist()),
            "name": theme.short(name),
            "marker": {"color": styles[name].color, "size": 5, "symbol": styles[name].symbol},
            "line": {"color": styles[name].color, "width": 1.5},
            "pointpos": 0,
            "jitter": 0.35,
            "text": [f"{theme.plain(name)}<br>block {theme.plain(block)}" for block in names],
            "hovertemplate": f"%{{text}}<br>{label} %{{y:.2f}}<extra></extra>",
        }
        if violin:
            figure.add_trace(
                go.Violin(**common, points="all", meanline_visible=True, spanmode="hard", hoveron="points")
            )
        else:
            figure.add_trace(go.Box(**common, boxpoints="all", boxmean=True, hoveron="points"))
    return _finish(figure, result, height)


def joined_blocks(result: BlockScores, styles: Mapping[str, theme.Style], *, height: int = HEIGHT) -> go.Figure:
    """Join each block's scores across systems: where lines rise together the difference is steady."""
    label = theme.plain(result.metric.label)
    figure = go.Figure()
    for b, (block, size) in enumerate(zip(result.blocks.names, result.blocks.sizes, strict=True)):
        figure.add_trace(
            go.Scatter(
                x=list(result.systems),
                y=_drawn(result.scores[:, b].tolist()),
                mode="lines",
                line={"color": theme.NEUTRAL, "width": 1},
                opacity=0.7,
                name=theme.short(block),
                hovertemplate=f"block {theme.plain(block)} ({size} segments)<br>{label} %{{y:.2f}}<extra></extra>",
            )
        )
    for k, name in enumerate(result.systems):
        figure.add_trace(
            go.Scatter(
                x=[name] * result.scores.shape[1],
                y=_drawn(result.scores[k].tolist()),
                mode="markers",
                marker={"color": styles[name].color, "symbol": styles[name].symbol, "size": 6},
                hoverinfo="skip",
                name=theme.short(name),
            )
        )
    return _finish(figure, result, height)


def _drawn(scores: Sequence[float]) -> list[float | None]:
    """Plotly draws no point for None."""
    return [None if math.isnan(score) else score for score in scores]


def _finish(figure: go.Figure, result: BlockScores, height: int) -> go.Figure:
    metric = result.metric
    first = "lowest" if metric.higher_is_better else "highest"
    return theme.finish(
        figure,
        height=height,
        showlegend=False,
        xaxis=theme.systems_axis(result.systems, title=f"system, {first} {theme.plain(metric.label)} first"),
        yaxis={"title": theme.axis_title(f"{metric.label} of a block", metric.unit), "rangemode": "tozero"},
    )
