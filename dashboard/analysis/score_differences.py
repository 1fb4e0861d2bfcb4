"""What a difference between two scores means to judges."""

from __future__ import annotations

from bleu_core.agreement import PUBLISHED, DifferenceCurve, PublishedCurve, difference_curve
from bleu_core.errors import AlignmentError
from dashboard.analysis.available_metrics import score_rated_systems
from dashboard.analysis.metric_agreement import system_agreement
from dashboard.analysis.ratings_in_use import choose_ratings
from dashboard.analysis.view import View

__all__ = [
    "PUBLISHED_METRICS",
    "DifferenceCurve",
    "PublishedCurve",
    "curve_of_metric",
    "difference_curve",
    "published_curve",
]

#: Labels of the metrics that have a published curve.
PUBLISHED_METRICS = tuple(PUBLISHED)


def curve_of_metric(view: View, label: str) -> DifferenceCurve | None:
    """The curve of the metric of that label; None where there are no ratings of systems with a score."""
    if view.workspace.judgments is None:
        return None
    try:
        ratings = choose_ratings(view)
        return difference_curve(system_agreement(ratings, score_rated_systems(ratings, label)))
    except AlignmentError:  # the pages about people show the reason
        return None


def published_curve(label: str) -> PublishedCurve | None:
    """The published curve of the metric of that label, if there is one."""
    return PUBLISHED.get(label)
