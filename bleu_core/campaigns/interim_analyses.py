"""Interim analyses: the stopping rule, applied to the first ratings that are stored.

If the interval were checked after every rating, a campaign would stop where the interval happens to be narrow, and its
coverage would fall. A plan therefore fixes a few interim analyses in advance, and each uses exactly the first n stored
ratings, so that its result does not depend on when it is computed.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from bleu_core.campaigns.declaration import CampaignPlan
from bleu_core.campaigns.differences import (
    DIFFERENCE_HIGH,
    DIFFERENCE_LOW,
    LEVEL,
    WIDTH,
    SystemDifference,
    closest,
    system_differences,
)
from bleu_core.campaigns.store import CampaignStore
from bleu_core.campaigns.stored_ratings import StoredRatings
from bleu_core.fields import REASON, field, result


@result
class InterimAnalysis:
    """An interim analysis of the difference between the closest two systems."""

    look: int = field("count", "Number of the interim analysis, from 1.")
    ratings: int = field("count", "Number of ratings used, in the order in which they are stored.")
    made: bool = field("text", "Whether this interim analysis has been made.")
    system: str | None = field("text", "The better of the closest two systems.", default=None)
    baseline: str | None = field("text", "The other of these systems.", default=None)
    difference: float | None = field("difference", "Difference between their means.", default=None)
    low: float | None = field(DIFFERENCE_LOW, default=None)
    high: float | None = field(DIFFERENCE_HIGH, default=None)
    width: float | None = field(WIDTH, default=None)
    stop: bool | None = field("text", "Whether the stopping rule ends the campaign here.", default=None)
    reason: str = field(REASON, default="")


def planned_ratings(store: CampaignStore) -> int:
    """Return the number of ratings that the design of a campaign plans, without repeats and checks."""
    judges = sum(store.plan.ratings_in(group) for group in store.plan.groups)
    return judges * len(store.segments) * len(store.plan.systems)


def analysis_points(plan: CampaignPlan, ratings: int) -> tuple[int, ...]:
    """Return the numbers of stored ratings at which interim analyses are made, which the plan fixes in advance.

    Under the width rule they are equally spaced and the last one has all ratings. Without it there is one: the number
    at which the campaign ends.

    Args:
        plan: with the stopping rule.
        ratings: number of ratings of the whole design (`planned_ratings`).
    """
    rule = plan.stopping
    if rule.width is None:
        return (ratings if rule.ratings is None else min(rule.ratings, ratings),)
    points = {round(ratings * number / rule.looks) for number in range(1, rule.looks + 1)}
    return tuple(sorted(points - {0}))


def interim_analyses(
    plan: CampaignPlan, ratings: StoredRatings, expected: int, *, complete: bool, without: Collection[str] = ()
) -> tuple[InterimAnalysis, ...]:
    """Return all interim analyses of a plan; those that have been made have results.

    Args:
        plan: with the stopping rule.
        ratings: as stored.
        expected: number of ratings of the whole design.
        complete: whether every item has an answer; the last analysis is then made even if items were skipped.
        without: excluded judges; their ratings count as stored, but are excluded from the differences.
    """
    points = analysis_points(plan, expected)
    analyses: list[InterimAnalysis] = []
    for number, point in enumerate(points, start=1):
        made = ratings.rated >= point or (complete and point == points[-1])
        analyses.append(
            _analysis(plan, ratings, number=number, point=point, without=without)
            if made
            else InterimAnalysis(look=number, ratings=point, made=False)
        )
    return tuple(analyses)


def rule_sentence(plan: CampaignPlan, expected: int) -> str:
    """Describe the stopping rule."""
    points = analysis_points(plan, expected)
    if plan.stopping.width is not None:
        return (
            f"The campaign ends when the {LEVEL} interval of the difference between the closest two systems is "
            f"narrower than {plan.stopping.width:g} points. The width is checked after "
            f"{_enumerated(points)} ratings."
        )
    if plan.stopping.ratings is not None:
        return f"The campaign ends after {points[0]:,} ratings."
    return f"The campaign ends when all items have an answer ({points[0]:,} ratings)."


def _analysis(
    plan: CampaignPlan, ratings: StoredRatings, number: int, point: int, without: Collection[str]
) -> InterimAnalysis:
    differences = system_differences(ratings.table(min(point, ratings.rated), without))
    pair = closest(differences)
    width = plan.stopping.width
    reason = _unfinished(differences)
    stop = True if width is None else not reason and pair is not None and pair.width < width
    if pair is None:
        return InterimAnalysis(look=number, ratings=point, made=True, stop=stop, reason=reason)
    return InterimAnalysis(
        look=number,
        ratings=point,
        made=True,
        system=pair.system,
        baseline=pair.baseline,
        difference=pair.difference,
        low=pair.low,
        high=pair.high,
        width=pair.width,
        stop=stop,
        reason=reason,
    )


def _enumerated(numbers: Sequence[int]) -> str:
    *first, last = (f"{number:,}" for number in numbers)
    return f"{', '.join(first)} and {last}" if first else last


def _unfinished(differences: Collection[SystemDifference]) -> str:
    """Return why the closest pair is not known yet; empty if it is."""
    if not differences:
        return "one system has no difference"
    for difference in differences:
        if math.isnan(difference.width):
            return f"{difference.system} and {difference.baseline}: {difference.reason}"
    return ""
