"""The precision of each n-gram order, and how fast it decays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import plotly.graph_objects as go

from bleu_core.fields import Table
from bleu_core.inference import ScoreIntervals
from bleu_core.results.precisions import precision_table
from bleu_core.scoring import Decay, Evaluation
from dashboard import analysis
from dashboard.analysis import View
from dashboard.exhibits.declaration import Exhibit
from dashboard.figures import Style, decay_lines, precision_bars


@dataclass(frozen=True, slots=True, kw_only=True)
class Precision:
    """The precision of the compared systems.

    Attributes:
        evaluation: the compared systems.
        decays: the fitted decay of each.
        intervals: of the precisions, if scores have them.
    """

    evaluation: Evaluation
    decays: tuple[Decay, ...]
    intervals: ScoreIntervals | None


def precision_of(view: View) -> Precision:
    """Return the precision of a view's compared systems."""
    return Precision(evaluation=view.compared, decays=analysis.fitted_decays(view), intervals=view.intervals)


def _lines(
    found: Precision,
    styles: Mapping[str, Style],
    *,
    logarithmic: bool = True,
    fits: bool = True,
    height: int | None = None,
) -> go.Figure:
    return decay_lines(
        found.evaluation.systems,
        found.evaluation.scores,
        found.decays,
        styles,
        logarithmic=logarithmic,
        fits=fits,
        intervals=found.intervals and found.intervals.precisions,
        **({} if height is None else {"height": height}),
    )


def _bars(found: Precision, styles: Mapping[str, Style]) -> go.Figure:
    bounds = found.intervals and found.intervals.precisions
    return precision_bars(found.evaluation.systems, found.evaluation.scores, styles, bounds)


def _table(found: Precision) -> Table:
    return precision_table(found.evaluation, found.intervals)


PRECISION = Exhibit(
    name="precision",
    page="Precision",
    title="Precision by n-gram order, as lines",
    compute=lambda data: precision_of(data.view),
    figure=_lines,
    table=_table,
    key="precision",
)

PRECISION_BARS = Exhibit(
    name="precision-bars",
    page="Precision",
    title="Precision by n-gram order, as bars",
    compute=lambda data: precision_of(data.view),
    figure=_bars,
    table=_table,
)
