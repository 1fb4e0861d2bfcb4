"""Metrics by their agreement with the judges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import plotly.graph_objects as go

from bleu_core.results.agreement import p_values_table, ranking_table
from dashboard import analysis, words
from dashboard.analysis import Intervals, MetricRanking
from dashboard.exhibits.data import Data
from dashboard.exhibits.declaration import Exhibit
from dashboard.figures import Style, metric_p_values, metric_ranking


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedMetrics:
    """Metrics in the order of their agreement.

    Attributes:
        ranking: the order, and p of each pair.
        intervals: of the coefficients over systems; None over segments.
    """

    ranking: MetricRanking
    intervals: Intervals | None = None


def _ranked(data: Data) -> RankedMetrics:
    ranking, level = data.ranked_metrics, data.metrics_by_system
    return RankedMetrics(ranking=ranking, intervals=analysis.ranking_intervals(level, data.ranking_options.method))


def _figure(found: RankedMetrics, _styles: Mapping[str, Style]) -> go.Figure:
    return metric_ranking(found.ranking, words.COEFFICIENTS[found.ranking.method], found.intervals)


METRICS = Exhibit(
    name="metrics",
    page="Metrics",
    title="Agreement of metrics with the judges",
    compute=_ranked,
    figure=_figure,
    table=lambda found: ranking_table(found.ranking),
    needs=("judgments",),
    subject="judges",
    key="metric-ranks",
)

METRIC_PAIRS = Exhibit(
    name="metric-pairs",
    page="Metrics",
    title="Pairwise comparison of metrics",
    compute=_ranked,
    figure=lambda found, _: metric_p_values(found.ranking),
    table=lambda found: p_values_table(found.ranking),
    needs=("judgments",),
    subject="judges",
    key="metric-p",
)
