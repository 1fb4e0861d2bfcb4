"""Single judges: their ratings, use of the scale and consistency; z-scores."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bleu_core.agreement import NEARLY
from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import Judge, Judgments, plural
from bleu_core.inference import DECIMALS
from bleu_core.judges.krippendorff import MIN_ITEMS, MIN_RATINGS, moments, of_moments

if TYPE_CHECKING:
    import pandas as pd


#: Whole ratings over a range up to this have a bin a rating; all others share as many equal bins as BINS.
MAX_COMPLETE = 30
BINS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Consistency:
    """How a judge agrees with what the same judge gave before, on the items rated more than once.

    Attributes:
        items: how many the judge rated more than once.
        ratings: how many ratings these have.
        deviation: of one rating from another of the same item: the standard deviation within items, pooled, in the
            unit of the ratings (the repeatability of ISO 5725-2); NaN where no item was repeated.
        alpha: Krippendorff's, interval, with the repeats in the place of judges; NaN where it is undefined.
        reason: why alpha is undefined, else empty.
    """

    items: int
    ratings: int
    deviation: float
    alpha: float
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSummary:
    """What a judge gave. Ratings are counted one by one; an item is a segment of a system.

    Attributes:
        judge: with the group; judges of one name in two groups are two.
        ratings: how many.
        items: how many items they are of.
        systems: how many systems these are of.
        repeats: ratings of an item beyond the first.
        mean, minimum, maximum: in the unit of the ratings.
        standard_deviation: of all the ratings, one degree of freedom taken off; NaN for a single rating.
        edges: (bins + 1,) in the unit of the ratings, the same for all judges; a bin includes its lower edge, the
            last also its upper one.
        histogram: (bins,) how many ratings lie in each bin.
        consistency: on the repeats.
        reason: why z-scores of the ratings say nothing, else empty.
    """

    judge: Judge
    ratings: int
    items: int
    systems: int
    repeats: int
    mean: float
    standard_deviation: float
    minimum: float
    maximum: float
    edges: Floats
    histogram: Integers
    consistency: Consistency
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRatings:
    """One rating per judge and item, by numbers: a judge's repeated ratings of an item are averaged.

    Sorted by judge and item; whatever the order of the rows, the same numbers. n ratings.

    Attributes:
        judges: by group and name.
        systems: by name.
        judge, item, system, segment: (n,) from 0; segment is -1 where a rating is of none.
        document: (n,) from 0; -1 where it is not known.
        ratings: (n,) rounded to 9 decimals, so that float noise of averaging breaks no tie.
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
    """Sort judges by their mean rating, the lowest first; judges with equal means by group and name."""
    return tuple(sorted(summaries, key=lambda s: (round(s.mean, DECIMALS), s.judge.group or "", s.judge.name)))


def judge_summaries(judgments: Judgments) -> tuple[JudgeSummary, ...]:
    """Summarise every judge who gave a rating, by group and name."""
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
    items = np.bincount(_each(rating, judge), minlength=count)
    systems = np.bincount(_each(_pairs(judge, system), judge), minlength=count)
    mean, deviation, low, high = _mean_and_deviation(judge, scores, count)
    edges = _edges(scores)
    bins = len(edges) - 1
    place = np.searchsorted(edges, scores, side="right").astype(np.int64) - 1
    place[place == bins] -= 1  # the highest ratings lie on the last edge
    histogram = np.bincount(judge * bins + place, minlength=count * bins).reshape(count, bins)
    for shared in (edges, histogram):
        shared.flags.writeable = False
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
            reason=_without_scale(int(ratings[j]), float(low[j]), float(high[j])),
        )
        for j in range(count)
    )


def standardised(judgments: Judgments) -> Judgments:
    """Put all judges on one scale: the ratings less their judge's mean, over their judge's standard deviation.

    As WMT's direct assessment does: mean and deviation are of all the judge's ratings, repeats one by one, and one
    degree of freedom is taken off (R's sd and pandas' std in WMT's scripts). Take quality-control items out first or
    leave them in, as the campaign did. A judge whose ratings are all equal gets 0; of a judge with one rating nothing
    is known, and the rating becomes missing. (WMT leaves both out. JudgeSummary.reason names them.)

    Returns:
        The same rows in the same order, in standard deviations; the ratings given are left as they are.

    Source:
        Graham, Baldwin, Moffat and Zobel (2017), Can machine translation systems be evaluated by the crowd alone;
        github.com/ygraham/direct-assessment, trk-mean-sd.R and standardize-scrs.pl; make_rankings.py of
        github.com/wmt-conference/wmt21-news-systems.
    """
    table = judgments.table
    scores = table["score"].to_numpy(np.float64, copy=True)
    present = ~np.isnan(scores)
    if present.any():
        judges, judge = _judges(judgments.rated)
        mean, deviation, _, _ = _mean_and_deviation(judge, scores[present], len(judges))
        deviation[deviation == 0] = 1.0  # equal ratings lie at their mean, in any unit
        scores[present] = (scores[present] - mean[judge]) / deviation[judge]
    return replace(judgments, table=table.assign(score=scores))


def judge_ratings(judgments: Judgments) -> JudgeRatings:
    """Average the repeats, and number judges, systems, segments and items.

    Left out are ratings whose item numbers count neither lines nor segments of documents: two judges' ratings of one
    such number need not be of one text.
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
        judge=_each(rating, judge),
        item=_each(rating, item),
        system=_each(rating, system),
        segment=_each(rating, segment),
        document=_each(rating, _numbers(rated["document"])),
        ratings=np.round(means, DECIMALS),
    )


def _judges(rated: pd.DataFrame) -> tuple[tuple[Judge, ...], Integers]:
    """Who rated, by group and name, and the number of each row's judge; no group comes before all others."""
    group, judge = _numbers(rated["group"]), _numbers(rated["judge"])
    numbers = _pairs(group, judge)
    rows = rated.iloc[_each(numbers, np.arange(len(numbers)))]
    given = zip(rows["group"].astype(object), rows["judge"].astype(object), strict=True)
    judges = tuple(
        Judge(group if isinstance(group, str) else None, name if isinstance(name, str) else "") for group, name in given
    )
    return judges, numbers


def _segments(rated: pd.DataFrame) -> Integers:
    """The number of each row's segment (a line, or a position in a document where lines are unknown), -1 for none."""
    segment = _numbers(rated["segment"])
    if "position" not in rated:
        return segment
    position = _numbers(rated["position"])
    placed = _pairs(_numbers(rated["document"].where(rated["position"].notna())), position)
    found = _pairs(segment, placed)
    none = (segment < 0) & (position < 0)
    return np.where(none, -1, found - int(none.any()))


def _numbers(column: pd.Series) -> Integers:
    """Numbers from 0 in the order of the values, -1 where missing."""
    import pandas as pd  # loaded when first needed: scoring does without

    return pd.factorize(column, sort=True)[0].astype(np.int64)


def _pairs(first: Integers, second: Integers) -> Integers:
    """Numbers from 0 of the pairs, in their order; -1 counts as a value."""
    import pandas as pd

    if not len(first):
        return first
    return pd.factorize((first + 1) * (int(second.max()) + 2) + second + 1, sort=True)[0].astype(np.int64)


def _each(numbers: Integers, values: Integers) -> Integers:
    """The value that belongs to each number from 0, on whatever rows it stands."""
    found = np.empty(int(numbers.max(initial=-1)) + 1, np.int64)
    found[numbers] = values
    return found


def _mean_and_deviation(judge: Integers, scores: Floats, count: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Of each judge: mean, standard deviation (ddof = 1; NaN for one rating), lowest and highest rating."""
    order = np.argsort(scores)  # so that the order of the rows changes no digit of a sum
    judge, scores = judge[order], scores[order]
    size = np.bincount(judge, minlength=count)
    low, high = np.full(count, math.inf), np.full(count, -math.inf)
    np.minimum.at(low, judge, scores)
    np.maximum.at(high, judge, scores)
    # The mean of equal numbers can miss them by float noise, which would pass for a deviation.
    mean = np.where(low == high, low, np.bincount(judge, scores, count) / size)
    squares = np.bincount(judge, (scores - mean[judge]) ** 2, count)
    variance = np.divide(squares, size - 1, out=np.full(count, math.nan), where=size > 1)
    return mean, np.sqrt(variance), low, high


def _edges(scores: Floats) -> Floats:
    low, high = float(scores.min()), float(scores.max())
    if high - low <= MAX_COMPLETE and np.array_equal(scores, np.round(scores)):
        return low - 0.5 + np.arange(round(high - low) + 2, dtype=np.float64)
    if low == high:
        return np.array([low - 0.5, low + 0.5])
    return np.linspace(low, high, BINS + 1)


def _consistency(judge: Integers, rating: Integers, centred: Floats, count: int) -> tuple[Consistency, ...]:
    """Of each judge; rating numbers the pairs of judge and item, centred are the scores around the judge's mean."""
    order = np.argsort(rating, kind="stable")
    repeated = order[(np.bincount(rating) >= MIN_RATINGS)[rating[order]]]
    if not len(repeated):
        return (
            Consistency(items=0, ratings=0, deviation=math.nan, alpha=math.nan, reason="no item was rated twice"),
        ) * count
    scale = float(np.abs(centred[repeated]).max()) or 1.0  # whatever the unit, squares neither overflow nor vanish
    numbers = np.unique(rating[repeated], return_inverse=True)[1]
    table = moments(numbers, centred[repeated] / scale)
    owner = _each(numbers, judge[repeated])
    items = np.bincount(owner, minlength=count)
    sums = np.stack([np.bincount(owner, column, count) for column in table.T], axis=1)
    # An item's squared deviations from its mean are its pairs' squared differences over 2 m.
    squares = np.bincount(owner, table[:, 3] * (table[:, 0] - 1) / table[:, 0] / 2, count)
    found: list[Consistency] = []
    for j in range(count):
        if not items[j]:
            found.append(
                Consistency(items=0, ratings=0, deviation=math.nan, alpha=math.nan, reason="no item was rated twice")
            )
            continue
        ratings = round(float(sums[j, 0]))
        deviation = math.sqrt(squares[j] / (ratings - items[j])) * scale
        observed, expected = (float(part) for part in of_moments(sums[j]))
        reason = ""
        if items[j] < MIN_ITEMS:
            reason = f"1 item was rated twice, at least {MIN_ITEMS} needed"
        elif expected <= NEARLY:
            reason = "all repeated ratings are equal"
        value = math.nan if reason else 1 - observed / expected
        found.append(Consistency(items=int(items[j]), ratings=ratings, deviation=deviation, alpha=value, reason=reason))
    return tuple(found)


def _without_scale(ratings: int, low: float, high: float) -> str:
    if ratings < MIN_RATINGS:
        return f"{ratings} {plural(ratings, 'rating')}, at least {MIN_RATINGS} needed for a standard deviation"
    return f"all ratings are {low:g}" if low == high else ""
