"""A judge against the others, beside the metrics, for pages."""

from __future__ import annotations

from bleu_core.agreement import BLEU
from bleu_core.judges import JudgeAsMetric, judge_as_metric
from bleu_core.progress import Progress
from dashboard import session
from dashboard.analysis.available_metrics import score_rated_systems
from dashboard.analysis.metric_agreement import RankingOptions
from dashboard.analysis.ratings_in_use import RatingsInUse


def judge_beside_metrics(ratings: RatingsInUse, options: RankingOptions, *, over_systems: bool) -> JudgeAsMetric:
    """Compare each judge, and the metrics on the judge's items, with the mean of the others, before adjustment."""
    return _compared(ratings.scope, ratings, options, over_systems=over_systems)


@session.cached("Comparing judges with the others", "judges")
def _compared(_: Progress, ratings: RatingsInUse, options: RankingOptions, *, over_systems: bool) -> JudgeAsMetric:
    return judge_as_metric(
        ratings.given or ratings.judgments,
        [score_rated_systems(ratings, label) for label in (BLEU, *options.metrics)],
        method=options.method,
        grouping=options.grouping,
        over_systems=over_systems,
    )
