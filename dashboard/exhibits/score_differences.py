"""How often judges agree with a difference of some size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import plotly.graph_objects as go

from bleu_core.fields import Table
from bleu_core.results.score_differences import differences_needed_table, score_differences_table
from dashboard import analysis
from dashboard.analysis import DifferenceCurve, PublishedCurve
from dashboard.exhibits.data import Data
from dashboard.exhibits.declaration import Exhibit
from dashboard.figures import Style, agreement_by_difference


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceCurves:
    """The share of pairs in which judges agree, by the difference of a metric.

    Attributes:
        metric: its label.
        curve: of the data; None where there are no ratings.
    """

    metric: str
    curve: DifferenceCurve | None

    @property
    def published(self) -> PublishedCurve | None:
        """The published curve of the metric, if there is one."""
        return analysis.published_curve(self.metric)


def _curves(data: Data) -> DifferenceCurves:
    return DifferenceCurves(metric=data.agreement.metric, curve=data.difference_curve)


def _figure(found: DifferenceCurves, _styles: Mapping[str, Style], *, chosen: float | None = None) -> go.Figure:
    return agreement_by_difference(found.curve, found.published, axis=f"difference in {found.metric}", chosen=chosen)


def _table(found: DifferenceCurves) -> Table:
    if found.curve is None:
        return differences_needed_table(None, found.published)
    return score_differences_table(found.curve)


SCORE_DIFFERENCES = Exhibit(
    name="score-differences",
    page="Score differences",
    title="Agreement of raters by score difference",
    compute=_curves,
    figure=_figure,
    table=_table,
    needs=("judgments",),
    subject="judges",
    key="score-differences",
)
