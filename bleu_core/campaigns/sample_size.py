"""The width of the interval that a design can expect, and what a narrower one takes."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from typing import Literal

import numpy as np

from bleu_core.campaigns.declaration import MAX_JUDGES, CampaignPlan
from bleu_core.campaigns.differences import LEVEL, WIDTH, RatingTable
from bleu_core.campaigns.two_way_random_effects import (
    MIN_LEVELS,
    Variances,
    Weights,
    t_quantile,
    variance_of_mean,
    variances,
)
from bleu_core.dataset import Judgments, plural
from bleu_core.errors import SettingsError
from bleu_core.fields import REASON, field, result

What = Literal["segments", "judges", "ratings"]

#: No design is looked for beyond so many segments.
MAX_SEGMENTS = 100_000


@result
class DifferenceComponents:
    """How much one judge's difference of two systems varies on one segment, and for which reasons."""

    segment_deviation: float = field(
        "decimal", "Standard deviation between segments of the difference of two systems, in points of the scale."
    )
    judge_deviation: float = field("decimal", "The same between judges: how much their tastes in systems differ.")
    residual_deviation: float = field("decimal", "The same of the rest: what is left when segment and judge are given.")
    differences: int = field("count", "Differences that it rests on; 0 where it is assumed.")
    segments: int = field("count", "Segments of these.")
    judges: int = field("count", "Judges of these.")
    reason: str = field(REASON, default="")


@result
class DesignChange:
    """What enlarging one thing of a design does to the width."""

    what: What = field("text", "What is enlarged: segments, judges or ratings (judges per item); the rest stays.")
    now: int = field("count", "How many the plan has.")
    needed: int | None = field("count", "How many reach the width; null if none do.", null=True)
    width: float = field(WIDTH, "Width with as many as needed, or the narrowest one that more of them reach.")
    reason: str = field(REASON, "Why no number reaches the width.", default="")


@result
class ExpectedWidth:
    """What a design can show."""

    width: float = field(WIDTH, f"Width that the {LEVEL} interval of two systems' difference can be expected to have.")
    segments: int = field("count", "Segments of the design.")
    judges: int = field("count", "Judges of all groups.")
    ratings: int = field("count", "Judges per item, of all groups.")
    smallest: float = field(WIDTH, "Width that more segments alone cannot fall below: that of the judges' tastes.")
    wanted: float | None = field(WIDTH, "Width that is wanted.", default=None)
    changes: tuple[DesignChange, ...] = field("object", "What reaches the width that is wanted.", default=())
    reason: str = field(REASON, default="")


def difference_components(judgments: Judgments) -> DifferenceComponents:
    """Estimate from ratings, such as those of a pilot, how the differences of two systems vary.

    The model is d = mean + segment + judge + residual, with random segments and judges. The components are estimated
    for each pair of systems (`two_way_random_effects.variances`) and averaged over pairs, each weighted by its number of differences.
    A component whose mean is negative is 0. A component that its ratings cannot tell from the residual is a part of it:
    that of segments, where no segment was rated by two judges.

    Args:
        judgments: ratings of segments by judges, of two systems or more.

    Returns:
        NaN and a reason where there are not two judges and two segments.
    """
    table = RatingTable.of_judgments(judgments)
    weighted, weight = np.zeros(3), 0
    most = (0, 0)
    for pair in combinations(range(len(table.systems)), 2):
        values, segment, judge = table.paired(*pair)
        segments, segment = np.unique(segment, return_inverse=True)
        judges, judge = np.unique(judge, return_inverse=True)
        most = max(most[0], len(segments)), max(most[1], len(judges))
        if min(len(segments), len(judges)) < MIN_LEVELS:
            continue
        found = variances(values, segment, judge)
        weighted += len(values) * np.array([found.segment, found.judge, found.residual])
        weight += len(values)
    if not weight:
        return DifferenceComponents(
            segment_deviation=math.nan,
            judge_deviation=math.nan,
            residual_deviation=math.nan,
            differences=0,
            segments=most[0],
            judges=most[1],
            reason=f"two systems of the same {most[0]:,} {plural(most[0], 'segment')} were rated by {most[1]:,} "
            f"{plural(most[1], 'judge')}; at least {MIN_LEVELS} segments and {MIN_LEVELS} judges needed",
        )
    deviations = np.sqrt(np.maximum(weighted / weight, 0.0)).tolist()
    return DifferenceComponents(
        segment_deviation=deviations[0],
        judge_deviation=deviations[1],
        residual_deviation=deviations[2],
        differences=weight,
        segments=most[0],
        judges=most[1],
    )


def assumed_components(
    segment_deviation: float, judge_deviation: float, residual_deviation: float
) -> DifferenceComponents:
    """Components that are assumed: standard deviations in points of the scale, as in `DifferenceComponents`.

    Raises:
        SettingsError: one is negative or not finite, or all are 0.
    """
    given = {
        "segment_deviation": segment_deviation,
        "judge_deviation": judge_deviation,
        "residual_deviation": residual_deviation,
    }
    for name, value in given.items():
        if not 0 <= value < math.inf:
            raise SettingsError(f"{name}: {value} found, a number from 0 on expected, in points of the scale")
    if not any(given.values()):
        raise SettingsError("segment_deviation, judge_deviation, residual_deviation: 0 found, one above 0 expected")
    return DifferenceComponents(
        segment_deviation=segment_deviation,
        judge_deviation=judge_deviation,
        residual_deviation=residual_deviation,
        differences=0,
        segments=0,
        judges=0,
    )


def expected_width(
    plan: CampaignPlan,
    components: DifferenceComponents,
    *,
    segments: int | None = None,
    wanted: float | None = None,
) -> ExpectedWidth:
    """The width of the interval of two systems' difference that a plan can expect, if every item is rated.

    S segments that r of J judges rate have Var(mean) = segment / S + judge / J + residual / (S r), and the interval the
    degrees of freedom of `two_way_random_effects.variance_of_mean`. The width is that of the expected variance; half of the campaigns
    have about a wider one. Judges of all groups count together. Segments are taken as drawn singly: where segments of
    a document resemble each other, a plan that draws documents has a wider interval.

    Args:
        plan: the design.
        components: of a pilot, or assumed.
        segments: of the design, for a plan that draws documents.
        wanted: a width, in points of the scale: what reaches it?

    Raises:
        SettingsError: the plan draws documents and `segments` is not given, or a number means nothing.
    """
    count = plan.segments if segments is None else segments
    if count is None:
        raise SettingsError("segments: none found, the number of segments of the documents expected")
    if count < 1:
        raise SettingsError(f"segments: {count} found, a number from 1 on expected")
    if wanted is not None and not 0 < wanted < math.inf:
        raise SettingsError(f"wanted: {wanted} found, a width above 0 expected, in points of the scale")
    judges = sum(group.judges for group in plan.groups)
    ratings = sum(plan.ratings_in(group) for group in plan.groups)
    variance = Variances(
        components.segment_deviation**2, components.judge_deviation**2, components.residual_deviation**2
    )

    def width(of_segments: int = count, of_judges: int = judges, of_ratings: int = ratings) -> float:
        return _width(variance, of_segments, of_judges, of_ratings)

    found = width()
    changes: tuple[DesignChange, ...] = ()
    if wanted is not None and not math.isnan(found):
        all_rate = ratings == judges
        tries: tuple[tuple[What, int, int, Callable[[int], float]], ...] = (
            ("segments", count, MAX_SEGMENTS, lambda n: width(of_segments=n)),
            (
                "judges",
                judges,
                MAX_JUDGES,
                lambda n: width(of_judges=n, of_ratings=n if all_rate else ratings),
            ),
            ("ratings", ratings, judges, lambda n: width(of_ratings=n)),
        )
        changes = tuple(_change(*each, wanted=wanted, components=components) for each in tries)
    reason = components.reason
    if math.isnan(found) and not reason:
        reason = (
            f"{count} {plural(count, 'segment')} and {judges} {plural(judges, 'judge')}, at least {MIN_LEVELS} needed"
        )
    return ExpectedWidth(
        width=found,
        segments=count,
        judges=judges,
        ratings=ratings,
        smallest=width(of_segments=MAX_SEGMENTS),
        wanted=wanted,
        changes=changes,
        reason=reason,
    )


def _width(found: Variances, segments: int, judges: int, ratings: int) -> float:
    """Where the judges' loads are even."""
    n = segments * ratings
    judges = min(judges, n)
    if min(segments, judges) < MIN_LEVELS or math.isnan(found.residual):
        return math.nan
    if ratings == 1:  # segments and residual are one
        found = Variances(0.0, found.judge, found.segment + found.residual)
    variance, degrees = variance_of_mean(
        found, Weights(1 / segments, 1 / judges, 1 / n), n=n, segments=segments, judges=judges
    )
    return 2 * t_quantile(degrees) * math.sqrt(variance)


def _change(
    what: What, now: int, most: int, width: Callable[[int], float], *, wanted: float, components: DifferenceComponents
) -> DesignChange:
    """The least number that reaches the width; the width falls with the number."""
    narrowest = width(most)
    if not narrowest <= wanted:
        return DesignChange(
            what=what, now=now, needed=None, width=narrowest, reason=_stays(what, most, narrowest, components)
        )
    low, high = now, most  # `high` reaches it
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if width(middle) <= wanted else (middle + 1, high)
    return DesignChange(what=what, now=now, needed=high, width=width(high))


def _stays(what: What, most: int, narrowest: float, components: DifferenceComponents) -> str:
    stays = {
        "segments": f"what judges' tastes add stays (standard deviation {components.judge_deviation:.2f})",
        "judges": f"what segments add stays (standard deviation {components.segment_deviation:.2f})",
        "ratings": "there are no more judges, and what segments and judges' tastes add stays",
    }[what]
    words = "ratings per item" if what == "ratings" else what
    return f"{most:,} {words} reach a width of {narrowest:.2f}: {stays}"
