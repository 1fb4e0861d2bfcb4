"""Headlines of pages: the conclusion about the best system that the data support."""

from __future__ import annotations

from collections.abc import Collection

from bleu_core.agreement import Agreement
from bleu_core.diagnostics import obstruction
from bleu_core.errors import AlignmentError
from bleu_core.inference import Comparisons
from bleu_core.results.headlines import Headline, headline, verdict_between
from dashboard.analysis.available_metrics import score_rated_systems
from dashboard.analysis.metric_agreement import system_agreement
from dashboard.analysis.ratings_in_use import RatingsInUse, adjust_ratings
from dashboard.analysis.scores import ScoresInOrder, SystemScores
from dashboard.analysis.trust_warnings import open_obstructions


def headline_of(
    scores: ScoresInOrder, comparisons: Comparisons | None = None, *, systems: Collection[str] | None = None
) -> Headline:
    """Return the conclusion about the best system that the scores, the tests and the open warnings support.

    Args:
        scores: of all systems; human translations are excluded.
        comparisons: of all pairs, or of all systems with a baseline; None where nothing is tested.
        systems: the compared systems; all if None.
    """
    ranked = {
        name: score
        for name, score in scores.of_system.items()
        if name not in scores.not_ranked and (systems is None or name in systems)
    }
    units = scores.scored.statistics.segments
    if not isinstance(scores, SystemScores):  # counts files have no text and no slice
        return headline(ranked, scores.metric, comparisons, units=units)
    view = scores.view
    return headline(
        ranked,
        scores.metric,
        comparisons,
        findings=open_obstructions(view, scores.metric.basis, scores.metric),
        references=view.evaluation.references,
        slice_chosen=view.slice_chosen,
        units=units,
    )


def leading_systems(scores: ScoresInOrder, comparisons: Comparisons | None) -> tuple[str, ...]:
    """Return the system with the best score, and those not significantly different from it; empty without tests.

    Args:
        scores: of all systems; human translations are excluded.
        comparisons: of all pairs; None where nothing is compared.
    """
    if comparisons is None or not comparisons.tested or not scores.best_first:
        return ()
    best, *others = (name for name, _ in scores.best_first)
    return (best, *(other for other in others if not verdict_between(comparisons, best, other)))


def adjusted_agreement(ratings: RatingsInUse, metric: str) -> Agreement | None:
    """Return the agreement with ratings adjusted for judges, if an open alarm says that raw ones are not comparable.

    Args:
        ratings: in use.
        metric: the label of the metric.

    Returns:
        None without such an alarm, or if the ratings are already adjusted.
    """
    if ratings.adjusted:
        return None
    if obstruction(open_obstructions(ratings.view, "raw ratings"), "raw ratings", ratings.systems) is None:
        return None
    try:
        adjusted = adjust_ratings(ratings)
        return system_agreement(adjusted, score_rated_systems(adjusted, metric))
    except AlignmentError:  # there are no adjusted means
        return None
