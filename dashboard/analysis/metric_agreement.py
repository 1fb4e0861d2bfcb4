"""How a metric agrees with people on systems, what that rests on, and which metrics agree best."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bleu_core.agreement import (
    BLEU,
    Agreement,
    Grouping,
    MetricRanking,
    MetricScores,
    MetricTest,
    Robustness,
    SegmentLevel,
    SystemLevel,
    TestedMethod,
    doubtful_directions,
    metric_agreement,
    robustness,
    segment_level,
    system_level,
    without,
)
from bleu_core.inference import Correction, Interval
from dashboard import session
from dashboard.analysis.available_metrics import scorable_metrics, score_rated_systems, uploaded_metrics
from dashboard.analysis.ratings_in_use import RatingsInUse

__all__ = [
    "Agreement",
    "Intervals",
    "MetricRanking",
    "RankingOptions",
    "Robustness",
    "SegmentLevel",
    "SystemLevel",
    "agreement_without",
    "direction_warnings",
    "rank_by_segment",
    "rank_by_system",
    "ranking_intervals",
    "robustness_of_agreement",
    "system_agreement",
]

Intervals = Mapping[str, Interval]


def system_agreement(ratings: RatingsInUse, metric: MetricScores) -> Agreement:
    """A metric beside mean ratings.

    Raises:
        AlignmentError: no system has both.
    """
    if metric.name == BLEU:
        return ratings.agreement
    return metric_agreement(metric, ratings.agreement)


def direction_warnings(ratings: RatingsInUse, labels: Sequence[str]) -> list[str]:
    """Sentences about those of the metrics that are uploaded and may be read in the wrong direction."""
    uploaded = uploaded_metrics(ratings.view.workspace)
    chosen, _ = scorable_metrics(ratings, [label for label in labels if label in uploaded])
    if not chosen:
        return []
    scores = [score_rated_systems(ratings, label) for label in chosen]
    found = session.remember(
        "directions",
        (ratings.key, ratings.view.workspace.digest, tuple(chosen)),
        lambda _: doubtful_directions(scores, ratings.systems, ratings.agreement.human, ratings.segment_means),
        doing="Comparing scores with ratings",
        what="metrics",
    )
    return [each.sentence for each in found]


def agreement_without(agreement: Agreement, systems: Sequence[str]) -> Agreement | None:
    """The agreement without some systems; None if there are none to leave out or fewer than three are left."""
    return without(agreement, systems) if systems else None


def robustness_of_agreement(ratings: RatingsInUse, metric: MetricScores, agreement: Agreement) -> Robustness:
    """What the agreement of a metric with people rests on: single systems, and the text."""
    place = {name: k for k, name in enumerate(ratings.systems)}
    rows = [place[name] for name in agreement.systems]
    of_these = metric.select(agreement.systems)
    return session.remember(
        "robustness",
        (ratings.key, ratings.view.workspace.digest, metric.name, metric.signature),
        lambda progress: robustness(of_these, agreement.human, ratings.segment_means[rows], progress=progress),
        doing="Resampling systems and segments",
        what="steps",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingOptions:
    """How metrics are ranked.

    Attributes:
        metrics: labels of those beside BLEU.
        method: the coefficient.
        test: of each pair of metrics, by systems.
        correction: for the number of pairs.
        grouping: of segments, by segments.
    """

    metrics: tuple[str, ...]
    method: TestedMethod = "pearson"
    test: MetricTest = "perm-both"
    correction: Correction = "holm"
    grouping: Grouping = "item"


def rank_by_system(ratings: RatingsInUse, options: RankingOptions) -> SystemLevel:
    """The metrics ranked by their agreement with people over systems."""
    return _rank("by system", system_level, ratings, options, test=options.test)


def rank_by_segment(ratings: RatingsInUse, options: RankingOptions) -> SegmentLevel:
    """The metrics ranked by their agreement with people over segments."""
    return _rank("by segment", segment_level, ratings, options, grouping=options.grouping)


def ranking_intervals(result: SystemLevel, method: TestedMethod) -> Intervals | None:
    """Each metric's interval over systems, by formula; None for pairwise accuracy, which has no formula."""
    if method not in ("pearson", "spearman", "kendall"):
        return None
    return {a.metric: next(c for c in a.correlations if c.method == method).interval for a in result.agreements}


def _rank(kind: str, rank: Callable[..., Any], ratings: RatingsInUse, options: RankingOptions, **of_level: str) -> Any:
    view = ratings.view
    metrics = [score_rated_systems(ratings, label) for label in options.metrics]
    return session.remember(
        kind,
        (ratings.key, view.workspace.digest, options),
        lambda progress: rank(
            view.workspace.corpus,
            view.evaluation,
            ratings.judgments,
            metrics,
            method=options.method,
            correction=options.correction,
            without=ratings.without,
            progress=progress,
            **of_level,
        ),
        doing="Comparing metrics",
        what="trials",
    )
