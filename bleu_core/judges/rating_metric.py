"""Ratings as a metric: systems are scored, compared and divided into slices by their mean ratings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from bleu_core.dataset import Judgments
from bleu_core.judges.adjustment_policy import ratings_policy
from bleu_core.scoring import HUMAN, HUMAN_LABEL, Metric, metric_of_scores

NOT_ADJUSTED = "judges are confounded with systems, and ratings are not adjusted for judges"


def metric_of_ratings(judgments: Judgments, segments: int, *, untested: str = "") -> Metric:
    """Return the metric whose score of a segment is its mean rating, and whose score of a system is the mean of these.

    Args:
        judgments: the ratings of the chosen judges; a higher rating is better.
        segments: S, the number of segments of the texts.
        untested: why differences by this metric are not tested, see why_untested.

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


def why_untested(judgments: Judgments, documents: Sequence[str] | None = None, *, humans: Collection[str] = ()) -> str:
    """Return why differences of systems by mean rating are not tested; empty if they are.

    They are not if judges are confounded with the rated systems (see confounding) and ratings are not adjusted for
    judges, or if no judges and segments connect the systems. This is a property of all ratings: two of the systems
    alone may have too few to show it.

    Args:
        judgments: the ratings of the chosen judges.
        documents: (S,) the document of each segment, if they are known.
        humans: human translations among the rated systems, which are not compared.
    """
    compared = [system for system in judgments.systems if system not in humans]
    policy = ratings_policy(judgments, compared, documents, adjustment="raw")
    return NOT_ADJUSTED if policy.confounded else policy.obstacle
