"""The stopping rule: how many ratings are looked at, and what each look finds.

Whoever looks at an interval after every rating, and stops when it pleases, stops where chance has made it narrow, and
its coverage falls. A plan therefore fixes a few looks in advance, and each is made on exactly the first ratings stored:
what it finds does not depend on when somebody asks.
"""

from __future__ import annotations

import math
from collections.abc import Collection

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
    """A look at the difference of the closest two systems."""

    look: int = field("count", "Number of the look, from 1.")
    ratings: int = field("count", "It is made on so many ratings, the first that are stored.")
    made: bool = field("text", "Whether so many ratings have been stored.")
    system: str | None = field("text", "The better one of the closest two systems.", default=None)
    baseline: str | None = field("text", "The other one.", default=None)
    difference: float | None = field("difference", "The difference of their means.", default=None)
    low: float | None = field(DIFFERENCE_LOW, default=None)
    high: float | None = field(DIFFERENCE_HIGH, default=None)
    width: float | None = field(WIDTH, default=None)
    stop: bool | None = field("text", "Whether the stopping rule ends the campaign here.", default=None)
    reason: str = field(REASON, default="")


def planned_ratings(store: CampaignStore) -> int:
    """How many first ratings the whole design of a campaign has, without repeats and checks."""
    judges = sum(store.plan.ratings_in(group) for group in store.plan.groups)
    return judges * len(store.segments) * len(store.plan.systems)


def analysis_points(plan: CampaignPlan, ratings: int) -> tuple[int, ...]:
    """After how many stored first ratings the width is looked at, fixed by the plan in advance.

    Under the width rule these are the plan's looks, equally spaced, the last on all ratings; else it is one: the number
    at which the campaign ends.

    Args:
        plan: with the stopping rule.
        ratings: that the whole design has (`planned_ratings`).
    """
    rule = plan.stopping
    if rule.width is None:
        return (ratings if rule.ratings is None else min(rule.ratings, ratings),)
    points = {round(ratings * number / rule.looks) for number in range(1, rule.looks + 1)}
    return tuple(sorted(points - {0}))


def interim_analyses(
    plan: CampaignPlan, ratings: StoredRatings, expected: int, *, complete: bool, without: Collection[str] = ()
) -> tuple[InterimAnalysis, ...]:
    """All looks of a plan, with what those found that have been made.

    Args:
        plan: with the stopping rule.
        ratings: as stored.
        expected: first ratings of the whole design.
        complete: whether every item has an answer: then the last look is made, though items were skipped.
        without: excluded judges; their ratings count as stored, and are left out of the differences.
    """
    points = analysis_points(plan, expected)
    found: list[InterimAnalysis] = []
    for number, point in enumerate(points, start=1):
        made = ratings.rated >= point or (complete and point == points[-1])
        found.append(
            _analysis(plan, ratings, number=number, point=point, without=without)
            if made
            else InterimAnalysis(look=number, ratings=point, made=False)
        )
    return tuple(found)


def rule_sentence(plan: CampaignPlan, expected: int) -> str:
    """The stopping rule as it is announced."""
    points = analysis_points(plan, expected)
    if plan.stopping.width is not None:
        return (
            f"The campaign ends when the {LEVEL} interval of the difference between the closest two systems is "
            f"narrower than {plan.stopping.width:g} points. The width is looked at after "
            f"{'; '.join(f'{n:,}' for n in points)} ratings."
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


def _unfinished(differences: Collection[SystemDifference]) -> str:
    """Why the closest pair is not known yet."""
    if not differences:
        return "one system has no difference"
    for difference in differences:
        if math.isnan(difference.width):
            return f"{difference.system} and {difference.baseline}: {difference.reason}"
    return ""
