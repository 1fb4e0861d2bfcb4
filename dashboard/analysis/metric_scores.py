"""The systems by several metrics at once, with tiers by each, and mean ratings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bleu_core.arrays import best_first
from bleu_core.dataset import ScoreTable
from bleu_core.inference import Comparisons, Disagreement, disagreements
from bleu_core.results.metric_scores import MetricColumn
from bleu_core.scoring import HUMAN_LABEL
from dashboard.analysis.available_metrics import DEFAULT_METRICS
from dashboard.analysis.ratings_in_use import RatingsInUse, ratings_or_none
from dashboard.analysis.scores import compared_by, metrics_on_offer, score_systems, uploaded_tables
from dashboard.analysis.significance import ComparisonOptions, compare_systems
from dashboard.analysis.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoresByMetric:
    """The systems by several metrics.

    Attributes:
        columns: the metrics, with intervals and comparisons where asked for.
        whole: label -> scores, of the chosen metrics with scores of whole systems only.
        human: system -> mean rating; None without ratings.
        human_raw: system -> raw mean rating; None if the ratings are not adjusted for judges.
        ratings: in use; None where there are none.
        disagreements: the pairs of systems on which metrics disagree significantly.
        not_ranked: human translations, which are not ranked and come last.
    """

    columns: tuple[MetricColumn, ...]
    whole: Mapping[str, ScoreTable]
    human: Mapping[str, float] | None
    disagreements: tuple[Disagreement, ...]
    not_ranked: tuple[str, ...] = ()
    human_raw: Mapping[str, float] | None = None
    ratings: RatingsInUse | None = None

    @property
    def comparisons(self) -> Mapping[str, Comparisons]:
        """Label of a metric -> comparisons of all pairs, where asked for."""
        return {c.scored.label: c.comparisons for c in self.columns if c.comparisons is not None}


def offered_labels(view: View) -> list[str]:
    """Return the labels of all metrics, those with scores of whole systems only last."""
    whole = [label for label, table in uploaded_tables(view.workspace).items() if table.level == "system"]
    return [*metrics_on_offer(view), *whole]


def default_labels(view: View) -> list[str]:
    """Return the labels of the metrics that are shown at first: BLEU, chrF2, TER and all uploaded ones."""
    offered = metrics_on_offer(view)
    first = next(iter(offered))
    registered = [label for label, metric in offered.items() if label == first or metric.key in DEFAULT_METRICS]
    return [*registered, *uploaded_tables(view.workspace)]


def scores_by_metric(
    view: View, labels: Sequence[str], options: ComparisonOptions, *, tiers: bool, intervals: bool
) -> ScoresByMetric:
    """Return the systems by several metrics, which share their resamples.

    Args:
        view: the data and settings.
        labels: of the metrics.
        options: of the comparisons.
        tiers: whether systems are compared.
        intervals: whether scores have intervals, if the switch of the sidebar allows them.
    """
    offered = metrics_on_offer(view)
    tables = uploaded_tables(view.workspace)
    columns: list[MetricColumn] = []
    for label in labels:
        if label not in offered:
            continue
        scores = score_systems(view, offered[label].key)
        compared = compared_by(view, offered[label].key)
        is_tested = tiers and len(compared) > 1 and not np.isnan(scores.scored.select(compared).scores).any()
        chosen = replace(options, metric=offered[label].key, baseline=None)
        columns.append(
            MetricColumn(
                scored=scores.scored,
                intervals=scores.intervals if intervals else None,
                comparisons=compare_systems(view, chosen) if is_tested else None,
                not_ranked=scores.not_ranked,
            )
        )
    whole = {label: tables[label] for label in labels if label not in offered and label in tables}
    ratings = ratings_or_none(view)
    human = None if ratings is None or HUMAN_LABEL in labels else ratings.judgments
    result = ScoresByMetric(
        columns=tuple(columns),
        whole=whole,
        human=None if human is None else human.system_means(),
        human_raw=None if human is None or not human.adjusted_means else human.raw_means,
        ratings=ratings,
        disagreements=(),
        not_ranked=view.not_ranked,
    )
    return replace(result, disagreements=disagreements(result.comparisons))


def systems_in_order(result: ScoresByMetric, order: str) -> list[str]:
    """Return the systems by the metric of that label, best first, or by mean rating; by name otherwise."""
    listed = _in_order(result, order)
    last = next((column.not_ranked for column in result.columns if column.scored.label == order), result.not_ranked)
    return [*(name for name in listed if name not in last), *last]


def _in_order(result: ScoresByMetric, order: str) -> list[str]:
    systems = result.columns[0].scored.systems if result.columns else next(iter(result.whole.values())).systems
    for column in result.columns:
        if column.scored.label == order:
            scored = column.scored
            higher = scored.metric.higher_is_better
            return [systems[k] for k in best_first(systems, scored.scores, higher_is_better=higher)]
    if order in result.whole:
        table = result.whole[order]
        values, higher = table.scores_of_systems, table.higher_is_better
    elif result.human is not None and order == PEOPLE:
        values, higher = result.human, True
    else:
        return sorted(systems)
    scores = [values.get(name, math.nan) for name in systems]
    return [systems[k] for k in best_first(systems, scores, higher_is_better=higher)]


#: The order by mean rating.
PEOPLE = "people"
