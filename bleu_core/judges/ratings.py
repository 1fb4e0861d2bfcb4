"""Ratings of single judges: use of the scale, consistency and z-scores."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bleu_core.agreement import ROUNDING_ERROR
from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import Judge, Judgments, plural
from bleu_core.fields import derived, field, result
from bleu_core.inference import DECIMALS
from bleu_core.judges.krippendorff import MIN_ITEMS, MIN_RATINGS, moments, of_moments

if TYPE_CHECKING:
    import pandas as pd


#: Integer ratings within a range up to this have one bin per value; all others have BINS bins of equal width.
MAX_INTEGER_RANGE = 30
BINS = 20


@result
class Consistency:
    """Agreement of a judge with the judge's own earlier ratings, on items rated more than once.

    Attributes:
        items: number of items that the judge rated more than once.
        ratings: number of ratings of these items.
        deviation: pooled standard deviation within items, in the unit of the ratings (the repeatability of
            ISO 5725-2); NaN if no item was repeated.
        alpha: Krippendorff's alpha (interval) with repeats in place of judges; NaN if it is undefined.
        reason: why alpha is undefined; empty if it is defined.
    """

    items: int
    ratings: int
    deviation: float = field(
        "decimal", "Standard deviation between repeated ratings of an item.", key="repeat_deviation"
    )
    alpha: float = field(
        "number",
        "Krippendorff's alpha between the judge's own ratings of items rated more than once.",
        key="repeat_alpha",
    )
    reason: str = ""


@result
class JudgeSummary:
    """Summary of a judge's ratings. Repeated ratings count separately; an item is a segment of a system.

    Attributes:
        judge: name and group; judges with equal names in two groups are two judges.
        ratings, items, systems: numbers of them.
        repeats: number of ratings of an item beyond the first.
        mean: in the unit of the ratings, like the minimum and the maximum.
        standard_deviation: of all ratings (ddof = 1); NaN for a single rating.
        edges: (bins + 1,) in the unit of the ratings, the same for all judges; a bin includes its lower edge, the
            last one also its upper edge.
        histogram: (bins,) number of ratings in each bin.
        consistency: of repeated ratings.
        reason: why z-scores of the ratings are not meaningful; empty if they are.
    """

    judge: Judge
    ratings: int = field("count", "Number of ratings.")
    items: int = field("count", "Items (translated segments) that the judge rated.")
    systems: int = field("count", "Systems that the judge rated.")
    repeats: int = field("count", "Repeated ratings of the same items by the judge.")
    mean: float

    @derived("decimal", "Mean of the judge's ratings.", key="mean")
    def rounded_mean(self) -> float:
        """The mean to 9 decimals: 0 for z-scores, and not minus 0."""
        return round(self.mean, DECIMALS) + 0.0

    standard_deviation: float = field(
        "decimal", "Standard deviation of the judge's ratings: their spread on the scale."
    )
    minimum: float = field("decimal", "Lowest rating.")
    maximum: float = field("decimal", "Highest rating.")
    edges: Floats
    histogram: Integers
    consistency: Consistency
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgeRatings:
    """One rating per judge and item as arrays; a judge's repeated ratings of an item are averaged.

    The n ratings are sorted by judge and item, independently of the order of the rows.

    Attributes:
        judges: sorted by group and name.
        systems: sorted by name.
        judge, item, system, segment: (n,) numbers from 0; segment is -1 for ratings without one.
        document: (n,) numbers from 0; -1 if it is unknown.
        ratings: (n,) rounded to 9 decimals, so that rounding errors of means break no ties.
    """

    judges: tuple[Judge, ...]
    systems: tuple[str, ...]
    judge: Integers
    item: Integers
    system: Integers
    segment: Integers
    document: Integers
    ratings: Floats


def by_mean(summaries: Iterable[JudgeSummary]) -> tuple[JudgeSummary, ...]:
    """Sort judges by their mean rating, lowest first; judges with equal means by group and name."""
    return tuple(sorted(summaries, key=lambda s: (round(s.mean, DECIMALS), s.judge.group or "", s.judge.name)))


def judge_summaries(judgments: Judgments) -> tuple[JudgeSummary, ...]:
    """Summarise every judge who gave a rating, sorted by group and name."""
    rated = judgments.rated
    if rated.empty:
        return ()
    judges, judge = _judges(rated)
    system = _numbers(rated["system"])
    item = _pairs(system, _segments(rated))
    scores: Floats = rated["score"].to_numpy(np.float64)
    count = len(judges)

    ratings = np.bincount(judge)
    rating = _pairs(judge, item)
    items = np.bincount(_values_by_number(rating, judge), minlength=count)
    systems = np.bincount(_values_by_number(_pairs(judge, system), judge), minlength=count)
    mean, deviation, low, high = _mean_and_deviation(judge, scores, count)
    edges = _edges(scores)
    bins = len(edges) - 1
    bin_number = np.searchsorted(edges, scores, side="right").astype(np.int64) - 1
    bin_number[bin_number == bins] -= 1  # the highest ratings are on the last edge
    histogram = np.bincount(judge * bins + bin_number, minlength=count * bins).reshape(count, bins)
    for array in (edges, histogram):
        array.flags.writeable = False
    consistency = _consistency(judge, rating, scores - mean[judge], count)
    return tuple(
        JudgeSummary(
            judge=judges[j],
            ratings=int(ratings[j]),
            items=int(items[j]),
            systems=int(systems[j]),
            repeats=int(ratings[j] - items[j]),
            mean=float(mean[j]),
            standard_deviation=float(deviation[j]),
            minimum=float(low[j]),
            maximum=float(high[j]),
            edges=edges,
            histogram=histogram[j],
            consistency=consistency[j],
            reason=_why_no_scale(int(ratings[j]), float(low[j]), float(high[j])),
        )
        for j in range(count)
    )


def standardised(judgments: Judgments) -> Judgments:
    """Standardise ratings by judge: subtract the judge's mean and divide by the judge's standard deviation.

    As in WMT's direct assessment, mean and standard deviation (ddof = 1, as R's sd and pandas' std in WMT's scripts)
    are of all ratings of the judge, with repeats counted separately. Whether quality-control items are included is up
    to the caller, and should be as in the campaign. Ratings of a judge who gave only one value become 0; the rating of
    a judge with a single one becomes missing. (WMT excludes both. JudgeSummary.reason names them.)

    Returns:
        The same rows in the same order, in standard deviations; the input is not changed.

    Source:
        Graham, Baldwin, Moffat and Zobel (2017), Can machine translation systems be evaluated by the crowd alone;
        github.com/ygraham/direct-assessment, trk-mean-sd.R and standardize-scrs.pl; make_rankings.py of
        github.com/wmt-conference/wmt21-news-systems.
    """
    table = judgments.table
    scores = table["score"].to_numpy(np.float64, copy=True)
    is_rated = ~np.isnan(scores)
    if is_rated.any():
        judges, judge = _judges(judgments.rated)
        mean, deviation, _, _ = _mean_and_deviation(judge, scores[is_rated], len(judges))
        deviation[deviation == 0] = 1.0  # equal ratings equal their mean, so the divisor does not matter
        scores[is_rated] = (scores[is_rated] - mean[judge]) / deviation[judge]
    return replace(judgments, table=table.assign(score=scores))


def judge_ratings(judgments: Judgments) -> JudgeRatings:
    """Average repeated ratings, and number judges, systems, segments and items.

    Ratings whose item numbers count neither lines nor segments of documents are ignored: equal numbers of two judges
    need not refer to the same text.
    """
    rated = judgments.rated
    if judgments.numbering == "item" and "position" in rated:
        rated = rated[rated["segment"].notna() | rated["position"].isna()]
    judges, judge = _judges(rated)
    system, segment = _numbers(rated["system"]), _segments(rated)
    item = _pairs(system, segment)
    rating = _pairs(judge, item)
    means = np.bincount(rating, rated["score"].to_numpy(np.float64)) / np.bincount(rating)
    return JudgeRatings(
        judges=judges,
        systems=tuple(sorted(rated["system"].unique())),
        judge=_values_by_number(rating, judge),
        item=_values_by_number(rating, item),
        system=_values_by_number(rating, system),
        segment=_values_by_number(rating, segment),
        document=_values_by_number(rating, _numbers(rated["document"])),
        ratings=np.round(means, DECIMALS),
    )


def _judges(rated: pd.DataFrame) -> tuple[tuple[Judge, ...], Integers]:
    """Return the judges, sorted by group and name (no group first), and the number of each row's judge."""
    group, judge = _numbers(rated["group"]), _numbers(rated["judge"])
    numbers = _pairs(group, judge)
    rows = rated.iloc[_values_by_number(numbers, np.arange(len(numbers)))]
    names = zip(rows["group"].astype(object), rows["judge"].astype(object), strict=True)
    judges = tuple(
        Judge(group if isinstance(group, str) else None, name if isinstance(name, str) else "") for group, name in names
    )
    return judges, numbers


def _segments(rated: pd.DataFrame) -> Integers:
    """Return each row's segment number (by line, or by position in a document without lines); -1 for none."""
    segment = _numbers(rated["segment"])
    if "position" not in rated:
        return segment
    position = _numbers(rated["position"])
    position_in_document = _pairs(_numbers(rated["document"].where(rated["position"].notna())), position)
    numbers = _pairs(segment, position_in_document)
    is_missing = (segment < 0) & (position < 0)
    return np.where(is_missing, -1, numbers - int(is_missing.any()))


def _numbers(column: pd.Series) -> Integers:
    """Return numbers from 0 in the order of the values; -1 for missing values."""
    import pandas as pd  # loaded when first needed: scoring does without

    return pd.factorize(column, sort=True)[0].astype(np.int64)


def _pairs(first: Integers, second: Integers) -> Integers:
    """Return numbers from 0 of the pairs, in their order; -1 counts as a value."""
    import pandas as pd

    if not len(first):
        return first
    return pd.factorize((first + 1) * (int(second.max()) + 2) + second + 1, sort=True)[0].astype(np.int64)


def _values_by_number(numbers: Integers, values: Integers) -> Integers:
    """Return the value of each number from 0; all rows with a number have the same value."""
    by_number = np.empty(int(numbers.max(initial=-1)) + 1, np.int64)
    by_number[numbers] = values
    return by_number


def _mean_and_deviation(judge: Integers, scores: Floats, count: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Return each judge's mean, standard deviation (ddof = 1; NaN for one rating), lowest and highest rating."""
    order = np.argsort(scores)  # so that sums do not depend on the order of the rows
    judge, scores = judge[order], scores[order]
    size = np.bincount(judge, minlength=count)
    low, high = np.full(count, math.inf), np.full(count, -math.inf)
    np.minimum.at(low, judge, scores)
    np.maximum.at(high, judge, scores)
    # The mean of equal numbers can differ from them by rounding errors, which would count as a deviation.
    mean = np.where(low == high, low, np.bincount(judge, scores, count) / size)
    squares = np.bincount(judge, (scores - mean[judge]) ** 2, count)
    variance = np.divide(squares, size - 1, out=np.full(count, math.nan), where=size > 1)
    return mean, np.sqrt(variance), low, high


def _edges(scores: Floats) -> Floats:
    low, high = float(scores.min()), float(scores.max())
    if high - low <= MAX_INTEGER_RANGE and np.array_equal(scores, np.round(scores)):
        return low - 0.5 + np.arange(round(high - low) + 2, dtype=np.float64)
    if low == high:
        return np.array([low - 0.5, low + 0.5])
    return np.linspace(low, high, BINS + 1)


def _consistency(judge: Integers, rating: Integers, centred: Floats, count: int) -> tuple[Consistency, ...]:
    """Return each judge's consistency, from numbers of the pairs of judge and item and from centred scores."""
    order = np.argsort(rating, kind="stable")
    repeated = order[(np.bincount(rating) >= MIN_RATINGS)[rating[order]]]
    if not len(repeated):
        return (
            Consistency(items=0, ratings=0, deviation=math.nan, alpha=math.nan, reason="no item was rated twice"),
        ) * count
    scale = float(np.abs(centred[repeated]).max()) or 1.0  # so that squares neither overflow nor underflow
    numbers = np.unique(rating[repeated], return_inverse=True)[1]
    table = moments(numbers, centred[repeated] / scale)
    judge_of_item = _values_by_number(numbers, judge[repeated])
    items = np.bincount(judge_of_item, minlength=count)
    sums = np.stack([np.bincount(judge_of_item, column, count) for column in table.T], axis=1)
    # The sum of an item's squared deviations from its mean is that of its pairs' squared differences over 2 m.
    squares = np.bincount(judge_of_item, table[:, 3] * (table[:, 0] - 1) / table[:, 0] / 2, count)
    consistencies: list[Consistency] = []
    for j in range(count):
        if not items[j]:
            consistencies.append(
                Consistency(items=0, ratings=0, deviation=math.nan, alpha=math.nan, reason="no item was rated twice")
            )
            continue
        ratings = round(float(sums[j, 0]))
        deviation = math.sqrt(squares[j] / (ratings - items[j])) * scale
        observed, expected = (float(value) for value in of_moments(sums[j]))
        reason = ""
        if items[j] < MIN_ITEMS:
            reason = f"1 item was rated twice, at least {MIN_ITEMS} needed"
        elif expected <= ROUNDING_ERROR:
            reason = "all repeated ratings are equal"
        alpha = math.nan if reason else 1 - observed / expected
        consistencies.append(
            Consistency(items=int(items[j]), ratings=ratings, deviation=deviation, alpha=alpha, reason=reason)
        )
    return tuple(consistencies)


def _why_no_scale(ratings: int, low: float, high: float) -> str:
    if ratings < MIN_RATINGS:
        return f"{ratings} {plural(ratings, 'rating')}, at least {MIN_RATINGS} needed for a standard deviation"
    return f"all ratings are {low:g}" if low == high else ""
