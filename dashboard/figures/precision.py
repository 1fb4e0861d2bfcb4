"""Modified n-gram precision by order: its decay, and the bars of the paper's Figures 1 and 2."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from bleu_core.inference import Interval
from bleu_core.scoring import Bleu, Decay
from dashboard.figures import theme

HEIGHT = 460
#: Least distance of names at the lines' ends, as a share of the axis.
NAME_GAP = 0.05
#: Characters of a name at a line's end.
LONGEST_NAME = 20
#: Pixels from the plot down to a legend below its axis, and what axis and margins take of a figure's height.
LEGEND_GAP, BESIDE_PLOT = 66, 120


def decay_lines(
    systems: Sequence[str],
    scores: Bleu,
    decays: Sequence[Decay],
    styles: Mapping[str, theme.Style],
    *,
    logarithmic: bool = True,
    fits: bool = True,
    intervals: Mapping[str, Sequence[Interval]] | None = None,
    height: int = HEIGHT,
) -> go.Figure:
    """Draw each system's precision (fraction) over the order of n-gram, and the fitted exponential decay.

    On a logarithmic axis an exponential decay is a straight line. An order whose precision comes from smoothing
    alone is drawn hollow; one that is zero is not on a logarithmic axis.

    Args:
        systems: K names.
        scores: corpus BLEU, (K,).
        decays: K fits, drawn dotted.
        styles: how each system is drawn.
        logarithmic: whether the axis of precision is.
        fits: whether the fits are drawn.
        intervals: system -> interval of its precision at each order.
        height: pixels.
    """
    orders = list(range(1, scores.precisions.shape[-1] + 1))
    at_ends = len(systems) <= theme.NAMED_AT_ENDS
    figure = go.Figure()
    for k, name in enumerate(systems):
        bounds = intervals[name] if intervals else None
        figure.add_trace(_line(name, scores, k, styles[name], bounds))
        if fits and not decays[k].reason:
            figure.add_trace(_fit(name, orders, decays[k], styles[name]))
    theme.finish(
        figure,
        height=height if at_ends else height + 24 * math.ceil(len(systems) / 5),
        right=theme.CHARACTER_WIDTH * (min(max(map(len, systems)), LONGEST_NAME) + 2) + 16 if at_ends else 8,
        showlegend=not at_ends,
        legend=_legend_below(height),
        xaxis={"title": "order of n-gram", "tickvals": orders, "range": [0.85, orders[-1] + 0.15]},
        yaxis={"title": "modified precision (fraction)"},
    )
    positive = scores.precisions[scores.precisions > 0]
    if logarithmic and positive.size:
        bounds = [math.log10(positive.min() * 0.8), math.log10(min(positive.max() * 1.15, 1.1))]
        figure.update_yaxes(type="log", range=bounds, **theme.log_ticks(10 ** bounds[0], 10 ** bounds[1]))
    else:
        bounds = [0.0, float(scores.precisions.max()) * 1.06 or 1.0]
        figure.update_yaxes(range=bounds)
    if at_ends:
        _name_ends(figure, systems, scores, styles, bounds, logarithmic=logarithmic)
    return figure


def precision_bars(
    systems: Sequence[str],
    scores: Bleu,
    styles: Mapping[str, theme.Style],
    intervals: Mapping[str, Sequence[Interval]] | None = None,
) -> go.Figure:
    """Draw precision (fraction) as bars grouped by order, as in Figures 1 and 2 of Papineni et al. (2002)."""
    orders = [f"{n}-gram" for n in range(1, scores.precisions.shape[-1] + 1)]
    figure = go.Figure(
        [
            go.Bar(
                x=orders,
                y=scores.precisions[k].tolist(),
                name=theme.short(name),
                marker={
                    "color": styles[name].color,
                    "pattern": {"shape": styles[name].pattern, "fgcolor": "white", "size": 6},
                },
                error_y=theme.error_bars(
                    scores.precisions[k].tolist(), intervals[name] if intervals else None, color=theme.INK
                ),
                hovertemplate=f"{theme.plain(name)}<br>%{{x}}: %{{y:.3f}}<extra></extra>",
            )
            for k, name in enumerate(systems)
        ]
    )
    return theme.finish(
        figure,
        height=HEIGHT + 24 * math.ceil(len(systems) / 5),
        barmode="group",
        showlegend=True,
        legend=_legend_below(HEIGHT),
        xaxis={"title": "order of n-gram"},
        yaxis={"title": "modified precision (fraction)", "rangemode": "tozero"},
    )


def _line(name: str, scores: Bleu, k: int, style: theme.Style, intervals: Sequence[Interval] | None) -> go.Scatter:
    precisions = [p if p > 0 else None for p in scores.precisions[k].tolist()]
    hollow = [style.symbol + ("-open" if unmatched else "") for unmatched in scores.unmatched[k]]
    counts = [f"{m:g} of {t:g}" for m, t in zip(scores.matches[k], scores.totals[k], strict=True)]
    if intervals is not None:
        counts = [f"{theme.bounds_text(i, 3).strip()}<br>{count}" for i, count in zip(intervals, counts, strict=True)]
    return go.Scatter(
        x=list(range(1, len(precisions) + 1)),
        y=precisions,
        mode="lines+markers",
        name=theme.short(name),
        legendgroup=str(k),
        line={"color": style.color, "dash": style.dash, "width": 2},
        marker={"color": style.color, "symbol": hollow, "size": 9},
        error_y=theme.error_bars(scores.precisions[k].tolist(), intervals, color=style.color),
        customdata=counts,
        hovertemplate=f"{theme.plain(name)}<br>%{{x}}-grams: %{{y:.3f}}<br>%{{customdata}}<extra></extra>",
    )


def _fit(name: str, orders: list[int], decay: Decay, style: theme.Style) -> go.Scatter:
    along = np.linspace(orders[0], orders[-1], 25)
    return go.Scatter(
        x=along.tolist(),
        y=decay.at(along).tolist(),
        mode="lines",
        name=f"{theme.short(name)}, fitted decay",
        line={"color": style.color, "dash": "dot", "width": 1.2},
        opacity=0.75,
        showlegend=False,
        hovertemplate=f"{theme.plain(name)}<br>fitted: {decay.retention:.2f} kept per order<extra></extra>",
    )


def _name_ends(
    figure: go.Figure,
    systems: Sequence[str],
    scores: Bleu,
    styles: Mapping[str, theme.Style],
    bounds: list[float],
    *,
    logarithmic: bool,
) -> None:
    """Write each system's name at the end of its line."""
    drawn = [k for k in range(len(systems)) if (scores.precisions[k] > 0).any()]
    ends = {k: int(np.flatnonzero(scores.precisions[k] > 0)[-1]) for k in drawn}
    heights = [float(scores.precisions[k, ends[k]]) for k in drawn]
    if logarithmic:
        heights = [math.log10(h) for h in heights]
    for k, y in zip(drawn, theme.spread(heights, NAME_GAP * (bounds[1] - bounds[0])), strict=True):
        figure.add_annotation(
            x=ends[k] + 1,
            y=y,
            text=f'<span style="color:{styles[systems[k]].color}">■</span> {theme.short(systems[k], LONGEST_NAME)}',
            hovertext=theme.plain(systems[k]),
            font={"size": theme.TEXT_SIZE},
            xanchor="left",
            xshift=10,
            showarrow=False,
        )


def _legend_below(height: int) -> dict[str, Any]:
    return {"orientation": "h", "yanchor": "top", "y": -LEGEND_GAP / (height - BESIDE_PLOT), "xanchor": "left", "x": 0}
