"""Agreement of a metric with judges on systems, its robustness, and rankings of metrics by agreement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bleu_core.agreement import (
    BLEU,
    Agreement,
    DoubtfulDirection,
    Grouping,
    MetricScores,
    MetricTest,
    RankingTest,
    Robustness,
    SegmentLevel,
    SystemLevel,
    TestedMethod,
    doubtful_directions,
    metric_agreement,
    robustness,
    segment_level,
    system_level,
    without_systems,
)
from bleu_core.dataset import Corpus, Judgments
from bleu_core.inference import Correction, Interval
from bleu_core.progress import Progress
from bleu_core.scoring import BleuEvaluation
from dashboard import session
from dashboard.analysis.available_metrics import (
    scorable_metrics,
    score_rated_systems,
)
from dashboard.analysis.ratings_in_use import RatingsInUse
from dashboard.analysis.scores import uploaded_tables

Intervals = Mapping[str, Interval]


def system_agreement(ratings: RatingsInUse, metric: MetricScores) -> Agreement:
    """Return the agreement of a metric with mean ratings.

    Raises:
        AlignmentError: no system has both.
    """
    return metric_agreement(metric, ratings.agreement)


def direction_warnings(ratings: RatingsInUse, labels: Sequence[str]) -> list[str]:
    """Return sentences about uploaded metrics whose direction may be wrong."""
    uploaded = uploaded_tables(ratings.view.workspace)
    scorable, _ = scorable_metrics(ratings, [label for label in labels if label in uploaded])
    if not scorable:
        return []
    return [doubtful.sentence for doubtful in _doubtful(ratings.scope, ratings, tuple(scorable))]


@session.cached("Comparing scores with ratings", "metrics")
def _doubtful(_: Progress, ratings: RatingsInUse, labels: tuple[str, ...]) -> Sequence[DoubtfulDirection]:
    scores = [score_rated_systems(ratings, label) for label in labels]
    return doubtful_directions(scores, ratings.systems, ratings.agreement.human, ratings.segment_means)


def agreement_without(agreement: Agreement, systems: Sequence[str]) -> Agreement | None:
    """Return the agreement without some systems; None if none are excluded or fewer than three remain."""
    return without_systems(agreement, systems) if systems else None


def robustness_of_agreement(ratings: RatingsInUse, label: str) -> Robustness:
    """Return the influence of single systems and of the text on the agreement of a metric with judges."""
    return _robustness(ratings.scope, ratings, label)


@session.cached("Resampling systems and segments", "steps")
def _robustness(progress: Progress, ratings: RatingsInUse, label: str) -> Robustness:
    metric = score_rated_systems(ratings, label)
    agreement = system_agreement(ratings, metric)
    place = {name: k for k, name in enumerate(ratings.systems)}
    means = ratings.segment_means[[place[name] for name in agreement.systems]]
    return robustness(metric.select(agreement.systems), agreement.human, means, progress=progress)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingOptions:
    """Options of rankings of metrics.

    Attributes:
        metrics: labels of the metrics compared with BLEU.
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
    """Rank the metrics by their agreement with judges over systems."""
    return _by_system(ratings.scope, ratings, options)


def rank_by_segment(ratings: RatingsInUse, options: RankingOptions) -> SegmentLevel:
    """Rank the metrics by their agreement with judges over segments."""
    return _by_segment(ratings.scope, ratings, options)


def ranking_intervals(result: SystemLevel, method: TestedMethod) -> Intervals | None:
    """Return each metric's interval over systems, by formula; None for pairwise accuracy, which has no formula."""
    if method not in ("pearson", "spearman", "kendall"):
        return None
    return {a.metric: next(c for c in a.correlations if c.method == method).interval for a in result.agreements}


@session.cached("Comparing metrics", "trials")
def _by_system(progress: Progress, ratings: RatingsInUse, options: RankingOptions) -> SystemLevel:
    return system_level(*_ranked(ratings, options), ranking=_test(options), without=ratings.without, progress=progress)


@session.cached("Comparing metrics", "trials")
def _by_segment(progress: Progress, ratings: RatingsInUse, options: RankingOptions) -> SegmentLevel:
    return segment_level(*_ranked(ratings, options), ranking=_test(options), without=ratings.without, progress=progress)


def _ranked(
    ratings: RatingsInUse, options: RankingOptions
) -> tuple[Corpus, BleuEvaluation, Judgments, Sequence[MetricScores]]:
    metrics = [score_rated_systems(ratings, label) for label in (BLEU, *options.metrics)]
    return ratings.view.workspace.corpus, ratings.view.evaluation, ratings.judgments, metrics


def _test(options: RankingOptions) -> RankingTest:
    return RankingTest(
        method=options.method, grouping=options.grouping, test=options.test, correction=options.correction
    )
