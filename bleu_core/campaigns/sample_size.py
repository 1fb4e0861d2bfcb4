"""Expected width of the interval for a design, and the sample size that a narrower interval needs."""

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
    variance_of_mean,
    variances,
)
from bleu_core.dataset import Judgments, plural
from bleu_core.errors import SettingsError
from bleu_core.fields import REASON, field, result
from bleu_core.inference import CONFIDENCE, t_quantile

Dimension = Literal["segments", "judges", "ratings"]

#: Largest number of segments that the search for a design considers.
MAX_SEGMENTS = 100_000


@result
class DifferenceComponents:
    """Variance components of the difference that one judge gives two systems on one segment."""

    segment_deviation: float = field(
        "decimal", "Between-segment standard deviation of the difference of two systems, in points of the scale."
    )
    judge_deviation: float = field(
        "decimal", "Between-judge standard deviation of the difference, in points of the scale."
    )
    residual_deviation: float = field(
        "decimal", "Residual standard deviation of the difference, in points of the scale."
    )
    differences: int = field("count", "Number of differences used; 0 if the components are assumed.")
    segments: int = field("count", "Number of segments of these differences.")
    judges: int = field("count", "Number of judges of these differences.")
    reason: str = field(REASON, default="")


@result
class DesignChange:
    """Effect of increasing one dimension of a design on the width."""

    what: Dimension = field("text", "Dimension that increases: segments, judges or ratings (judges per item).")
    now: int = field("count", "Number in the plan.")
    needed: int | None = field("count", "Number that reaches the width; null if none does.", null=True)
    width: float = field(WIDTH, "Width with the number needed, or the narrowest width that can be reached.")
    reason: str = field(REASON, "Why no number reaches the width.", default="")


@result
class ExpectedWidth:
    """Expected precision of a design."""

    width: float = field(WIDTH, f"Expected width of the {LEVEL} interval of the difference between two systems.")
    segments: int = field("count", "Segments of the design.")
    judges: int = field("count", "Judges of all groups.")
    ratings: int = field("count", "Judges per item, of all groups.")
    smallest: float = field(
        WIDTH, "Lower limit of the width with more segments alone, due to the variation between judges."
    )
    wanted: float | None = field(WIDTH, "Target width.", default=None)
    changes: tuple[DesignChange, ...] = field("object", "Changes that reach the target width.", default=())
    reason: str = field(REASON, default="")


def difference_components(judgments: Judgments) -> DifferenceComponents:
    """Estimate the variance components of differences between systems from ratings, such as those of a pilot.

    The model is d = mean + segment + judge + residual, with random segments and judges. The components are estimated
    for each pair of systems (`two_way_random_effects.variances`) and averaged over pairs, weighted by their numbers of
    differences. A component whose mean is negative is 0. A component that the ratings cannot distinguish from the
    residual is included in it, such as that of segments if no segment was rated by two judges.

    Args:
        judgments: judges' ratings of segments of at least two systems.

    Returns:
        Components that are NaN, with a reason, if there are fewer than two judges or two segments.
    """
    table = RatingTable.of_judgments(judgments)
    weighted, weight = np.zeros(3), 0
    max_counts = (0, 0)
    for pair in combinations(range(len(table.systems)), 2):
        values, segment, judge = table.paired(*pair)
        segments, segment = np.unique(segment, return_inverse=True)
        judges, judge = np.unique(judge, return_inverse=True)
        max_counts = max(max_counts[0], len(segments)), max(max_counts[1], len(judges))
        if min(len(segments), len(judges)) < MIN_LEVELS:
            continue
        components = variances(values, segment, judge)
        weighted += len(values) * np.array([components.segment, components.judge, components.residual])
        weight += len(values)
    if not weight:
        return DifferenceComponents(
            segment_deviation=math.nan,
            judge_deviation=math.nan,
            residual_deviation=math.nan,
            differences=0,
            segments=max_counts[0],
            judges=max_counts[1],
            reason=f"two systems of the same {max_counts[0]:,} {plural(max_counts[0], 'segment')} were rated by "
            f"{max_counts[1]:,} {plural(max_counts[1], 'judge')}; at least {MIN_LEVELS} segments and {MIN_LEVELS} "
            "judges needed",
        )
    deviations = np.sqrt(np.maximum(weighted / weight, 0.0)).tolist()
    return DifferenceComponents(
        segment_deviation=deviations[0],
        judge_deviation=deviations[1],
        residual_deviation=deviations[2],
        differences=weight,
        segments=max_counts[0],
        judges=max_counts[1],
    )


def assumed_components(
    segment_deviation: float, judge_deviation: float, residual_deviation: float
) -> DifferenceComponents:
    """Return assumed components: standard deviations in points of the scale, as in `DifferenceComponents`.

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
    """Return the expected width of the interval of two systems' difference under a plan, if every item is rated.

    If each of S segments is rated by r of J judges, Var(mean) = segment / S + judge / J + residual / (S r), and the
    interval has the degrees of freedom of `two_way_random_effects.variance_of_mean`. The width is that at the expected
    variance; about half of all campaigns have a wider interval. The judges of all groups are pooled. Segments are
    assumed to be drawn one by one: if segments of a document are correlated, a plan that draws documents has a wider
    interval.

    Args:
        plan: the design.
        components: of a pilot, or assumed.
        segments: number of segments, for a plan that draws documents.
        wanted: target width, in points of the scale; the result then has the changes that reach it.

    Raises:
        SettingsError: the plan draws documents and `segments` is not given, or a number is out of its range.
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

    def width(n_segments: int = count, n_judges: int = judges, n_ratings: int = ratings) -> float:
        return _width(variance, n_segments, n_judges, n_ratings)

    current = width()
    changes: tuple[DesignChange, ...] = ()
    if wanted is not None and not math.isnan(current):
        all_rate = ratings == judges
        options: tuple[tuple[Dimension, int, int, Callable[[int], float]], ...] = (
            ("segments", count, MAX_SEGMENTS, lambda n: width(n_segments=n)),
            (
                "judges",
                judges,
                MAX_JUDGES,
                lambda n: width(n_judges=n, n_ratings=n if all_rate else ratings),
            ),
            ("ratings", ratings, judges, lambda n: width(n_ratings=n)),
        )
        changes = tuple(_change(*option, wanted=wanted, components=components) for option in options)
    reason = components.reason
    if math.isnan(current) and not reason:
        reason = (
            f"{count} {plural(count, 'segment')} and {judges} {plural(judges, 'judge')}, at least {MIN_LEVELS} needed"
        )
    return ExpectedWidth(
        width=current,
        segments=count,
        judges=judges,
        ratings=ratings,
        smallest=width(n_segments=MAX_SEGMENTS),
        wanted=wanted,
        changes=changes,
        reason=reason,
    )


def _width(components: Variances, segments: int, judges: int, ratings: int) -> float:
    """Return the width for equal loads of the judges."""
    n = segments * ratings
    judges = min(judges, n)
    if min(segments, judges) < MIN_LEVELS or math.isnan(components.residual):
        return math.nan
    if ratings == 1:  # the components of segments and residuals cannot be separated
        components = Variances(0.0, components.judge, components.segment + components.residual)
    variance, degrees = variance_of_mean(
        components, Weights(1 / segments, 1 / judges, 1 / n), n=n, segments=segments, judges=judges
    )
    return 2 * t_quantile((1 + CONFIDENCE) / 2, degrees) * math.sqrt(variance)


def _change(
    what: Dimension,
    now: int,
    max_number: int,
    width: Callable[[int], float],
    *,
    wanted: float,
    components: DifferenceComponents,
) -> DesignChange:
    """Return the smallest number that reaches the width, which decreases with the number."""
    narrowest = width(max_number)
    if not narrowest <= wanted:
        return DesignChange(
            what=what, now=now, needed=None, width=narrowest, reason=_limit(what, max_number, narrowest, components)
        )
    low, high = now, max_number  # `high` reaches the width
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if width(middle) <= wanted else (middle + 1, high)
    return DesignChange(what=what, now=now, needed=high, width=width(high))


def _limit(what: Dimension, max_number: int, narrowest: float, components: DifferenceComponents) -> str:
    limit = {
        "segments": f"the variation between judges remains (standard deviation {components.judge_deviation:.2f})",
        "judges": f"the variation between segments remains (standard deviation {components.segment_deviation:.2f})",
        "ratings": "there are no more judges, and the variation between segments and between judges remains",
    }[what]
    noun = "ratings per item" if what == "ratings" else what
    return f"{max_number:,} {noun} reach a width of {narrowest:.2f}: {limit}"
