"""Ratings as a metric: systems are scored, compared and divided into slices by their mean ratings."""

from __future__ import annotations

from dataclasses import replace

from bleu_core.dataset import Judgments
from bleu_core.scoring import HUMAN, HUMAN_LABEL, Metric, metric_of_scores


def metric_of_ratings(judgments: Judgments, segments: int, *, untested: str = "") -> Metric:
    """Return the metric whose score of a segment is its mean rating, and whose score of a system is the mean of these.

    Args:
        judgments: the ratings of the chosen judges; a higher rating is better.
        segments: S, the number of segments of the texts.
        untested: why differences by this metric are not tested, see RatingsPolicy.obstacle.

    Raises:
        AlignmentError: a rating is of a segment beyond the texts, or the ratings are of whole systems only.
    """
    table = judgments.segment_means(judgments.systems, segments, name=HUMAN)
    adjusted = ", adjusted for judges" if judgments.adjusted_means else ""
    return replace(
        metric_of_scores(table, label=HUMAN, untested=untested),
        label=HUMAN_LABEL,
        help=f"mean over segments of the mean rating of a segment by its judges{adjusted}",
        basis="adjusted ratings" if adjusted else "raw ratings",
        undefined="no segment of this system is rated",
    )
