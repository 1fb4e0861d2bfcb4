"""The precision of each n-gram order, and how fast it decays."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from bleu_core.arrays import best_first
from bleu_core.fields import Table
from bleu_core.inference import Interval, ScoreIntervals
from bleu_core.results.precisions import precision_table
from bleu_core.scoring import Bleu, BleuEvaluation, CorpusScores, Decay
from dashboard import analysis, words
from dashboard.analysis import View
from dashboard.exhibits.declaration import Exhibit
from dashboard.plots import theme
from dashboard.plots.theme import Style

HEIGHT = 460
#: On a logarithmic axis, an error bar is cut where it goes below the lowest precision divided by this.
MAX_BAR_LENGTH = 10

#: Minimum distance of names at the lines' ends, as a share of the axis and in pixels; height of axes and margins.
NAME_GAP, NAME_HIGH, AROUND = 0.05, 15, 80
#: Maximum number of characters of a name at a line's end.
MAX_NAME_LENGTH = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Precision:
    """The precision of the compared systems.

    Attributes:
        evaluation: the compared systems.
        decays: the fitted decay of each.
        intervals: of the precisions, if scores have them.
    """

    evaluation: BleuEvaluation | CorpusScores
    decays: tuple[Decay, ...]
    intervals: ScoreIntervals | None

    @property
    def by_order(self) -> Mapping[str, Sequence[Interval]] | None:
        """System -> interval of its precision at each order, if scores have them."""
        return self.intervals and self.intervals.precisions

    @property
    def named(self) -> tuple[str, ...]:
        """The systems whose precision falls slowest and fastest."""
        return words.systems_of_decay(self.evaluation.systems, self.decays)


def precision_of(view: View) -> Precision:
    """Return the precision of the systems of a view that are compared by BLEU."""
    evaluation, decays = analysis.compared_by_bleu(view), analysis.fitted_decays(view)
    return Precision(evaluation=evaluation, decays=decays, intervals=view.intervals)


def decay_lines(
    precision: Precision,
    styles: Mapping[str, Style],
    *,
    logarithmic: bool = True,
    fits: bool = True,
    height: int = HEIGHT,
) -> go.Figure:
    """Draw each system's precision (fraction) over the order of n-gram, and the fitted exponential decay.

    On a logarithmic axis an exponential decay is a straight line. An order whose precision results only from smoothing
    is drawn hollow; a precision of zero is not drawn on a logarithmic axis. The customdata of a point ends with the
    system, from 0.

    Args:
        precision: of the systems; the fits are drawn dotted.
        styles: style of each system.
        logarithmic: whether the axis of precision is logarithmic.
        fits: whether the fits are drawn.
        height: in pixels.
    """
    systems, scores, intervals = precision.evaluation.systems, precision.evaluation.scores, precision.by_order
    orders = list(range(1, scores.precisions.shape[-1] + 1))
    order = sorted(
        best_first(systems, scores.score), key=lambda k: not styles[systems[k]].muted
    )  # muted ones are drawn behind the others
    figure = go.Figure()
    for k in order:
        style = styles[systems[k]]
        bounds = intervals[systems[k]] if intervals and not style.muted else None
        figure.add_trace(_line(systems[k], scores, k=k, style=style, intervals=bounds))
        decay = precision.decays[k]
        if fits and not decay.reason and not style.muted:
            figure.add_trace(_fit(systems[k], orders, decay, style).update(legendgroup=str(k)))
    names = _names_of_ends(systems, styles)
    theme.finish(
        figure,
        height=height,
        right=theme.CHARACTER_WIDTH * (max(map(len, names.values()), default=0) + 2) + 16,
        showlegend=False,
        meta=theme.ISOLATED,
        xaxis={"title": "n-gram order", "tickvals": orders, "range": [0.85, orders[-1] + 0.15]},
        yaxis={"title": "modified precision (fraction)"},
    )
    positive = scores.precisions[scores.precisions > 0]
    if logarithmic and positive.size:
        ends = [i.low for bounds in (intervals or {}).values() for i in bounds if i.low > 0]
        lowest = max(min([float(positive.min()), *ends]) * 0.9, float(positive.min()) / MAX_BAR_LENGTH)
        bounds = [math.log10(min(lowest, float(positive.min()) * 0.8)), math.log10(min(positive.max() * 1.15, 1.1))]
        figure.update_yaxes(type="log", range=bounds, **theme.log_ticks(10 ** bounds[0], 10 ** bounds[1]))
    else:
        bounds = [0.0, float(scores.precisions.max()) * 1.06 or 1.0]
        figure.update_yaxes(range=bounds)
    _name_ends(
        figure,
        names,
        scores=scores,
        colors=[styles[name].color for name in systems],
        bounds=bounds,
        gap=max(NAME_GAP, NAME_HIGH / (height - AROUND)),
        logarithmic=logarithmic,
    )
    return figure


def precision_bars(precision: Precision, styles: Mapping[str, Style]) -> go.Figure:
    """Draw precision (fraction) as bars grouped by order, as in Figures 1 and 2 of Papineni et al. (2002).

    A bar's customdata is the system, from 0.
    """
    systems, scores, intervals = precision.evaluation.systems, precision.evaluation.scores, precision.by_order
    orders = [f"{n}-gram" for n in range(1, scores.precisions.shape[-1] + 1)]
    order = best_first(systems, scores.score)
    muted = [k for k in order if styles[systems[k]].muted]
    figure = go.Figure(
        [
            go.Bar(
                x=orders,
                y=scores.precisions[k].tolist(),
                customdata=[[k]] * len(orders),
                name=theme.others(len(muted), len(systems)) if k in muted else theme.short(name),
                showlegend=k not in muted[1:],
                marker={"color": styles[name].color},
                error_y=theme.error_bars(
                    scores.precisions[k].tolist(), intervals[name] if intervals else None, color=theme.INK
                ),
                hovertemplate=f"{theme.plain(name)}<br>%{{x}}: %{{y:.3f}}<extra></extra>",
            )
            for k, name in ((k, systems[k]) for k in order)
        ]
    )
    return theme.finish(
        figure,
        height=HEIGHT,
        barmode="group",
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis={"title": "n-gram order"},
        yaxis={"title": "modified precision (fraction)", "rangemode": "tozero"},
    )


def _line(name: str, scores: Bleu, k: int, style: Style, intervals: Sequence[Interval] | None) -> go.Scatter:
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
        line={"color": style.color, "dash": style.dash, "width": 1 if style.muted else 2},
        marker={"color": style.color, "symbol": hollow, "size": 5 if style.muted else 9},
        error_y=theme.error_bars(scores.precisions[k].tolist(), intervals, color=style.color),
        customdata=[(count, k) for count in counts],
        hovertemplate=f"{theme.plain(name)}<br>%{{x}}-grams: %{{y:.3f}}<br>%{{customdata[0]}}<extra></extra>",
    )


def _fit(name: str, orders: list[int], decay: Decay, style: Style) -> go.Scatter:
    along = np.linspace(orders[0], orders[-1], 25)
    return go.Scatter(
        x=along.tolist(),
        y=decay.at(along).tolist(),
        mode="lines",
        name=f"{theme.short(name)}, fitted decay",
        line={"color": style.color, "dash": "dot", "width": 1.2},
        opacity=0.75,
        showlegend=False,
        hovertemplate=f"{theme.plain(name)}<br>fitted decay: each order keeps {decay.retention:.2f}<extra></extra>",
    )


def _names_of_ends(systems: Sequence[str], styles: Mapping[str, Style]) -> dict[int, str]:
    """Return the names at the lines' ends, by a system's number; muted systems share one."""
    muted = [k for k, name in enumerate(systems) if styles[name].muted]
    names = {k: theme.short(name, MAX_NAME_LENGTH) for k, name in enumerate(systems) if k not in muted}
    if muted:
        names[muted[len(muted) // 2]] = theme.others(len(muted), len(systems))
    return names


def _name_ends(
    figure: go.Figure,
    names: Mapping[int, str],
    scores: Bleu,
    colors: Sequence[str],
    bounds: list[float],
    *,
    gap: float,
    logarithmic: bool,
) -> None:
    """Write names at the ends of lines, with a gap between them as a share of the axis."""
    drawn = [k for k in names if (scores.precisions[k] > 0).any()]
    ends = {k: int(np.flatnonzero(scores.precisions[k] > 0)[-1]) for k in drawn}
    heights = [float(scores.precisions[k, ends[k]]) for k in drawn]
    if logarithmic:
        heights = [math.log10(h) for h in heights]
    for k, y in zip(drawn, theme.spread(heights, gap * (bounds[1] - bounds[0])), strict=True):
        figure.add_annotation(
            name=str(k),
            x=ends[k] + 1,
            y=y,
            text=f'<span style="color:{colors[k]}">■</span> {names[k]}',
            font={"size": theme.TEXT_SIZE},
            xanchor="left",
            xshift=10,
            showarrow=False,
        )


def _table(precision: Precision) -> Table:
    return precision_table(precision.evaluation, precision.intervals)


PRECISION = Exhibit(
    name="precision",
    page="Precision",
    title="Precision by n-gram order, as lines",
    compute=lambda data: precision_of(data.view),
    figure=decay_lines,
    table=_table,
    options=(),
    named=lambda precision: precision.named,
    key="precision",
)

PRECISION_BARS = Exhibit(
    name="precision-bars",
    page="Precision",
    title="Precision by n-gram order, as bars",
    compute=lambda data: precision_of(data.view),
    figure=precision_bars,
    table=_table,
    options=(),
    named=lambda precision: precision.named,
)
