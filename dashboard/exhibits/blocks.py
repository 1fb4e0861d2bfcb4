"""Scores on blocks of text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from bleu_core.fields import decimal
from bleu_core.inference import BlockScores
from bleu_core.results.blocks import block_score_table
from dashboard.exhibits.declaration import Exhibit
from dashboard.plots import theme

HEIGHT = 440

#: Maximum number of characters of a block's name; minimum distance of names as a share of the scores' range.
MAX_NAME_LENGTH, NAME_GAP = 14, 0.06

#: Minimum number of blocks of which the extremes are highlighted.
MIN_COMPARED = 3

#: Maximum number of blocks whose scores are joined by lines.
MAX_JOINED = 30

#: Maximum number of systems that are drawn side by side; more are drawn one below the other, in rows of a height in
#: pixels, so that their names can be read.
MAX_SIDE_BY_SIDE, ROW_HEIGHT, AROUND = 24, 22, 90


def block_distributions(
    result: BlockScores, styles: Mapping[str, theme.Style], *, violin: bool = False, height: int = HEIGHT
) -> go.Figure:
    """Draw the spread of block scores per system, with every block's point, whose customdata is (system, block).

    Args:
        result: block scores, the worst system first, which is drawn at the left or, of many, at the bottom.
        styles: style of each system.
        violin: draw a violin instead of a box.
        height: in pixels; more for many systems.
    """
    names = [f"{name} ({size} segments)" for name, size in zip(result.blocks.names, result.blocks.sizes, strict=True)]
    label = theme.plain(result.metric.label)
    figure = go.Figure()
    for k, name in enumerate(result.systems):
        common = {
            **_placed(result, [name] * len(names), _drawn(result.scores[k].tolist())),
            "customdata": [(k, b) for b in range(len(names))],
            "name": theme.short(name),
            "marker": {"color": styles[name].color, "size": 5, "symbol": styles[name].symbol},
            "line": {"color": styles[name].color, "width": 1.5},
            "pointpos": 0,
            "jitter": 0.35,
            "text": [f"{theme.plain(name)}<br>block {theme.plain(block)}" for block in names],
            "hovertemplate": f"%{{text}}<br>{label} {_score_in_hover(result)}<extra></extra>",
        }
        if violin:
            figure.add_trace(
                go.Violin(**common, points="all", meanline_visible=True, spanmode="hard", hoveron="points")
            )
        else:
            figure.add_trace(go.Box(**common, boxpoints="all", boxmean=True, hoveron="points"))
    return _finish(figure, result, height)


def joined_blocks(result: BlockScores, styles: Mapping[str, theme.Style], *, height: int = HEIGHT) -> go.Figure:
    """Join each block's scores across systems: where lines rise together the difference is consistent.

    A point's customdata is (system, block).

    The blocks on which scores rise most and least are named.

    With more than MAX_JOINED blocks, draw the deviation of each system's scores from the mean of all systems on the
    block.

    Args:
        result: block scores, the worst system first.
        styles: style of each system.
        height: in pixels.
    """
    if result.scores.shape[1] > MAX_JOINED:
        return _deviations(result, styles, height)
    label = theme.plain(result.metric.label)
    figure = go.Figure()
    extremes = steepest_blocks(result)
    looks = [styles[name] for name in result.systems]
    for b in sorted(range(result.scores.shape[1]), key=lambda b: b in extremes):  # extremes in front
        block = f"{result.blocks.unit} {theme.plain(result.blocks.names[b])}"
        about = f"{block} ({result.blocks.sizes[b]} segments)"
        figure.add_trace(
            go.Scatter(
                **_placed(result, list(result.systems), _drawn(result.scores[:, b].tolist()), oriented=False),
                mode="lines+markers",
                line={"color": theme.INK if b in extremes else theme.NEUTRAL, "width": 4 if b in extremes else 1},
                marker={"color": [s.color for s in looks], "symbol": [s.symbol for s in looks], "size": 6},
                name=block,
                customdata=[(k, b) for k in range(len(looks))],
                text=[f"{theme.plain(name)}<br>{about}" for name in result.systems],
                hovertemplate=f"%{{text}}<br>{label} {_score_in_hover(result)}<extra></extra>",
            )
        )
    names = {b: f"{result.blocks.unit} {theme.short(result.blocks.names[b], MAX_NAME_LENGTH)}" for b in extremes}
    _finish(figure, result, height).update_layout(meta=theme.ISOLATED)
    _name_blocks(figure, result, names)
    return figure


def steepest_blocks(result: BlockScores) -> tuple[int, ...]:
    """Return the blocks on which the scores rise least and most from the first system to the last.

    Return none with fewer than three blocks, or where a score is undefined.
    """
    rises = result.scores[-1] - result.scores[0]
    if len(rises) < MIN_COMPARED or len(result.systems) == 1 or np.isnan(rises).any():
        return ()
    low, high = int(np.argmin(rises)), int(np.argmax(rises))
    return (low, high) if rises[low] < rises[high] else ()


def _name_blocks(figure: go.Figure, result: BlockScores, names: Mapping[int, str]) -> None:
    """Write the names of some blocks after the ends of their lines."""
    if not names:
        return
    if is_sideways(result):  # above the last system, the lower score's to the left
        for b, anchor in zip(sorted(names, key=lambda b: float(result.scores[-1, b])), ("right", "left"), strict=True):
            figure.add_annotation(
                name=theme.plain(f"{result.blocks.unit} {result.blocks.names[b]}"),
                x=float(result.scores[-1, b]),
                y=result.systems[-1],
                text=names[b],
                font={"size": theme.TEXT_SIZE},
                xanchor=anchor,
                yanchor="bottom",
                yshift=6,
                showarrow=False,
            )
        return
    reach = result.scores[~np.isnan(result.scores)]
    gap = NAME_GAP * float(np.ptp(reach))
    for b, y in zip(names, theme.spread([float(result.scores[-1, b]) for b in names], gap), strict=True):
        figure.add_annotation(
            name=theme.plain(f"{result.blocks.unit} {result.blocks.names[b]}"),
            x=result.systems[-1],
            y=y,
            text=names[b],
            font={"size": theme.TEXT_SIZE},
            xanchor="left",
            xshift=8,
            showarrow=False,
        )
    right = theme.CHARACTER_WIDTH * (max(map(len, names.values())) + 1) + 8
    figure.update_layout(margin_r=right)


def _deviations(result: BlockScores, styles: Mapping[str, theme.Style], height: int) -> go.Figure:
    """Draw each system's block scores minus the mean of all systems on that block: a box and a point per block."""
    known: npt.NDArray[np.bool_] = np.asarray(np.isfinite(result.scores).all(axis=0))
    deviations = np.where(known, result.scores - result.scores.mean(axis=0), np.nan)
    label = theme.plain(result.metric.label)
    figure = go.Figure()
    for k, name in enumerate(result.systems):
        style = styles[name]
        figure.add_trace(
            go.Box(
                **_placed(result, [name] * len(known), _drawn(deviations[k].tolist())),
                customdata=[(k, b) for b in range(len(known))],
                name=theme.short(name),
                boxpoints="all",
                hoveron="points",
                pointpos=0,
                jitter=0.35,
                marker={"color": style.color, "symbol": style.symbol, "size": 4},
                line={"color": style.color, "width": 1.5},
                text=[
                    f"{theme.plain(name)}<br>block {theme.plain(block)}<br>"
                    f"{decimal(points, result.metric.decimals, signed=True)} {label}"
                    for block, points in zip(result.blocks.names, deviations[k].tolist(), strict=True)
                ],
                hovertemplate="%{text} from the block's mean<extra></extra>",
            )
        )
    if is_sideways(result):
        figure.add_vline(x=0, line={"color": theme.INK, "width": 1})
    else:
        figure.add_hline(y=0, line={"color": theme.INK, "width": 1})
    title = theme.axis_title(f"{result.metric.label} minus mean of block", result.metric.unit)
    return _finish(figure, result, height, title)


def _drawn(scores: Sequence[float]) -> list[float | None]:
    """Replace NaN by None, for which Plotly draws no point."""
    return [None if math.isnan(score) else score for score in scores]


def _finish(figure: go.Figure, result: BlockScores, height: int, title: str = "") -> go.Figure:
    """Add axes; that of scores does not begin at zero, since positions, not lengths, are drawn."""
    metric = result.metric
    first = "lowest" if metric.higher_is_better else "highest"
    scores = {"title": title or theme.axis_title(f"{metric.label} of a {result.blocks.unit}", metric.unit)}
    if is_sideways(result):
        count = len(result.systems)
        return theme.finish(
            figure,
            height=max(height, AROUND + ROW_HEIGHT * count),
            showlegend=False,
            xaxis=scores,
            yaxis=theme.systems_axis(result.systems, range=[-0.7, count], showgrid=False),
        )
    return theme.finish(
        figure,
        height=height,
        showlegend=False,
        xaxis=theme.systems_axis(result.systems, title=f"system, {first} {theme.plain(metric.label)} first"),
        yaxis=scores,
    )


def is_sideways(result: BlockScores) -> bool:
    """Return whether systems are drawn one below the other, the best at the top, since they are many."""
    return len(result.systems) > MAX_SIDE_BY_SIDE


def _placed(
    result: BlockScores, systems: Sequence[str], scores: Sequence[float | None], *, oriented: bool = True
) -> dict[str, Any]:
    """Return the coordinates of points, and the orientation of the boxes that they belong to."""
    if not is_sideways(result):
        return {"x": systems, "y": scores}
    return {"x": scores, "y": systems} | ({"orientation": "h"} if oriented else {})


def _score_in_hover(result: BlockScores) -> str:
    """Return the place of a score in the template of a hover text."""
    return f"%{{{'x' if is_sideways(result) else 'y'}:.{result.metric.decimals}f}}"


BLOCKS = Exhibit(
    name="blocks",
    page="Blocks",
    title="Scores on blocks of text",
    compute=lambda data: data.block_scores,
    figure=block_distributions,
    table=block_score_table,
    options=("metric", "blocks"),
    key="blocks",
)

SAME_BLOCKS = Exhibit(
    name="same-blocks",
    page="Blocks",
    title="The same blocks across systems",
    compute=lambda data: data.block_scores,
    figure=joined_blocks,
    table=block_score_table,
    needs=("two systems",),
    options=("metric", "blocks"),
    key="joined",
)
