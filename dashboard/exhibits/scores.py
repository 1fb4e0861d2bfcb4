"""The scores of systems."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from bleu_core.fields import Table
from bleu_core.inference import Interval
from bleu_core.results.scores import score_table
from bleu_core.results.table import format_cell
from dashboard import analysis
from dashboard.analysis import SystemScores
from dashboard.exhibits.declaration import Exhibit
from dashboard.plots import theme
from dashboard.plots.theme import Style

ROW_HEIGHT = 30

#: Length of the axis relative to the highest score, if notes are written after the scores.
AXIS_SCALE_WITH_NOTES = 1.65

#: En space between the end of an interval and the score, as leading blanks are not drawn.
GAP = "\u2002"


def score_bars(
    systems: Sequence[str],
    scores: Sequence[float],
    styles: Mapping[str, theme.Style],
    *,
    intervals: Sequence[Interval] | None = None,
    height: int | None = None,
    label: str = "BLEU",
    unit: str = "points",
    decimals: int = 2,
    notes: Mapping[str, str] | None = None,
) -> go.Figure:
    """Draw corpus scores as bars, the first system at the top; an undefined one has no bar.

    The last part of a bar's customdata is the system, from 0.

    Args:
        systems: names, in the order in which they are drawn.
        scores: by the metric; NaN where undefined.
        styles: style of each system.
        intervals: of the scores.
        height: minimum in pixels; as high as the bars need if None.
        label: of the metric.
        unit: of the scores.
        decimals: of the scores.
        notes: system -> a note after its score.
    """
    notes = notes or {}
    highs = [i.high for i in intervals] if intervals else scores
    ends = [score if math.isnan(high) else high for score, high in zip(scores, highs, strict=True)]
    known = [end for end in ends if not math.isnan(end)]
    lowest = min([0.0, *(score for score in scores if not math.isnan(score))])
    figure = go.Figure(
        go.Bar(
            x=[None if math.isnan(score) else score for score in scores],
            y=list(systems),
            orientation="h",
            marker={
                "color": [styles[name].color for name in systems],
            },
            error_x=theme.error_bars(scores, intervals, color=theme.INK),
            customdata=[
                (theme.plain(name), theme.bounds_text(intervals[k] if intervals else None, decimals), k)
                for k, name in enumerate(systems)
            ],
            hovertemplate="%{customdata[0]}<br>"
            + theme.plain(label)
            + f" %{{x:.{decimals}f}}%{{customdata[1]}}<extra></extra>",
        ),
    )
    figure.add_trace(  # after the interval, which would strike through a number at the bar's end
        go.Scatter(
            x=[0 if math.isnan(end) else end for end in ends],
            y=list(systems),
            mode="text",
            text=[
                f"{GAP}undefined"
                if math.isnan(score)
                else f"{GAP}{format_cell(score, 'points', decimals)}{theme.plain(notes.get(name, ''))}"
                for name, score in zip(systems, scores, strict=True)
            ],
            textposition="middle right",
            textfont={"size": theme.TEXT_SIZE},
            cliponaxis=False,
            hoverinfo="skip",
        )
    )
    written = max(len(f"{score:.{decimals}f}") for score in scores) if scores else 0
    return theme.finish(
        figure,
        height=max(height or 0, 90 + ROW_HEIGHT * len(systems)),
        right=8 if notes else theme.CHARACTER_WIDTH * (written + 1) + 8,  # names beside the plot may leave little space
        showlegend=False,
        xaxis={
            "title": theme.axis_title(label, unit),
            "range": [lowest * 1.1, max([*known, 1]) * (AXIS_SCALE_WITH_NOTES if notes else 1.02)],
        },
        yaxis=theme.systems_axis(systems, autorange="reversed", showgrid=False)
        | {"ticktext": [theme.short(name) for name in systems]},
    )


def _figure(
    scores: SystemScores,
    styles: Mapping[str, Style],
    *,
    names: list[str] | None = None,
    height: int | None = None,
    notes: Mapping[str, str] | None = None,
) -> go.Figure:
    """Draw a bar for each system.

    Args:
        scores: of the systems.
        styles: of the bars.
        names: the systems in the order of the bars; by score if None.
        height: in pixels; that of a page if None.
        notes: system -> a note after its score.
    """
    if names is None:
        compared = analysis.compared_by(scores.view, scores.metric.key)
        names = [name for name in scores.ordered_systems() if name in compared]
    intervals = scores.intervals
    return score_bars(
        names,
        [scores.of_system[name] for name in names],
        styles,
        intervals=intervals and [intervals.scores[name] for name in names],
        label=scores.metric.label,
        unit=scores.metric.unit,
        decimals=scores.metric.decimals,
        notes=notes,
        **({} if height is None else {"height": height}),
    )


def scores_table(scores: SystemScores, names: list[str] | None = None) -> Table:
    """List the systems in an order, by score if None, and those without a score."""
    names = scores.ordered_systems() if names is None else names
    table = score_table(scores.scored.select(names), scores.intervals, missing=scores.view.missing)
    return table.with_unranked(scores.not_ranked)


SCORES = Exhibit(
    name="scores",
    page="Ranking",
    part="Scores",
    title="Scores",
    compute=lambda data: data.scores,
    figure=_figure,
    table=scores_table,
    key="scores",
)
