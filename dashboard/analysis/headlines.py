"""What the data of a page support about which system is best: its first sentences."""

from __future__ import annotations

from collections.abc import Collection

from bleu_core.agreement import Agreement
from bleu_core.errors import AlignmentError
from bleu_core.inference import Comparisons
from bleu_core.results.headlines import Headline, headline, obstruction, verdict_between
from dashboard.analysis.available_metrics import score_rated_systems
from dashboard.analysis.metric_agreement import system_agreement
from dashboard.analysis.ratings_in_use import RatingsInUse, adjust_ratings
from dashboard.analysis.scores import ScoresInOrder, SystemScores
from dashboard.analysis.trust_warnings import open_obstructions


def headline_of(
    scores: ScoresInOrder, comparisons: Comparisons | None = None, *, systems: Collection[str] | None = None
) -> Headline:
    """What the scores, the tests and the open warnings support about which system is best.

    Args:
        scores: of all systems; human translations are left out.
        comparisons: of all pairs, or of all systems with a baseline; None where nothing is tested.
        systems: those that are compared; all if None.
    """
    ranked = {
        name: score
        for name, score in scores.of_system.items()
        if name not in scores.not_ranked and (systems is None or name in systems)
    }
    units = scores.scored.statistics.segments
    if not isinstance(scores, SystemScores):  # of counts files there is no text to look at, and no slice
        return headline(ranked, scores.metric, comparisons, units=units)
    view = scores.view
    return headline(
        ranked,
        scores.metric,
        comparisons,
        findings=open_obstructions(view, "scores"),
        references=view.evaluation.references,
        slice_chosen=view.slice_chosen,
        units=units,
    )


def leading_systems(scores: ScoresInOrder, comparisons: Comparisons | None) -> tuple[str, ...]:
    """The system with the best score, and those that headlines do not tell apart from it; empty without tests.

    Args:
        scores: of all systems; human translations are left out.
        comparisons: of all pairs; None where nothing is tested.
    """
    if comparisons is None or not scores.best_first:
        return ()
    best, *others = (name for name, _ in scores.best_first)
    return (best, *(other for other in others if not verdict_between(comparisons, best, other)))


def adjusted_agreement(ratings: RatingsInUse, metric: str) -> Agreement | None:
    """The agreement with ratings adjusted for judges, where an open alarm says that raw ones are not comparable.

    Args:
        ratings: in use.
        metric: the label of the metric.

    Returns:
        None where no alarm says so, or the ratings are adjusted already.
    """
    if ratings.adjusted:
        return None
    if obstruction(open_obstructions(ratings.view, "people"), "people", ratings.systems) is None:
        return None
    try:
        adjusted = adjust_ratings(ratings)
        return system_agreement(adjusted, score_rated_systems(adjusted, metric))
    except AlignmentError:  # without adjusted means there is nothing to compare raw ones with
        return None
