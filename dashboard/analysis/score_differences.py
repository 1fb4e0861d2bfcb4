"""How often judges agree with a difference between two scores."""

from __future__ import annotations

from bleu_core.agreement import PUBLISHED, DifferenceCurve, PublishedCurve, difference_curve
from bleu_core.errors import AlignmentError
from dashboard.analysis.available_metrics import score_rated_systems
from dashboard.analysis.metric_agreement import system_agreement
from dashboard.analysis.ratings_in_use import RatingsInUse

#: Labels of the metrics that have a published curve.
PUBLISHED_METRICS = tuple(PUBLISHED)


def curve_of_ratings(ratings: RatingsInUse, label: str) -> DifferenceCurve:
    """Return how often judges agree with a difference of the metric of that label, by its size.

    Raises:
        AlignmentError: the metric has no score of any rated system.
    """
    return difference_curve(system_agreement(ratings, score_rated_systems(ratings, label)))


def curve_of_metric(ratings: RatingsInUse | None, label: str) -> DifferenceCurve | None:
    """Return the curve of the metric of that label; None without ratings of systems with a score, or comparable means.

    Args:
        ratings: in use; None where there are none.
        label: of the metric.
    """
    if ratings is None or ratings.policy.obstacle:
        return None
    try:
        return curve_of_ratings(ratings, label)
    except AlignmentError:  # the pages about judges show the reason
        return None


def published_curve(label: str) -> PublishedCurve | None:
    """Return the published curve of the metric of that label, if there is one."""
    return PUBLISHED.get(label)
