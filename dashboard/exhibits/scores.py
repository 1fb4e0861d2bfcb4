"""The scores of systems."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from bleu_core.fields import Table
from bleu_core.results.scores import metric_score_table, score_table
from dashboard.analysis import SystemScores
from dashboard.exhibits.declaration import Exhibit
from dashboard.figures import Style, score_bars


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
        height: pixels; that of a page if None.
        notes: system -> what else is said of it.
    """
    names = scores.ordered_systems() if names is None else names
    intervals = scores.intervals
    return score_bars(
        names,
        [scores.of_system[name] for name in names],
        styles,
        intervals=intervals and [intervals.scores[name] for name in names],
        label=scores.metric.label,
        unit=scores.metric.unit,
        notes=notes,
        **({} if height is None else {"height": height}),
    )


def scores_table(scores: SystemScores, names: list[str] | None = None) -> Table:
    """List the systems in an order, by score if None, and those without a score."""
    names = scores.ordered_systems() if names is None else names
    if scores.metric.key == "bleu":
        return score_table(scores.view.evaluation.select(names), scores.intervals, missing=scores.view.missing)
    return metric_score_table(scores.scored.select(names), scores.intervals, missing=scores.view.missing)


SCORES = Exhibit(
    name="scores",
    page="Scores",
    title="Scores",
    compute=lambda data: data.scores,
    figure=_figure,
    table=scores_table,
    key="scores",
)
