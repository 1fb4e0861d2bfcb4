"""Rating differences between two systems: Figures 3 and 4 of Papineni et al. (2002), for any pair and unit.

The paired t is taken over what both systems have in common. Over segments the difference is of the system means, and
its interval holds for other text under the same judges; over judges it holds for other judges of the same text, and n
is small. Over each judge's rating of each segment, as in the figures, n is large but the pairs are not independent:
judges see the same segments and have their tastes. Where they do, 95 % intervals cover 40 to 85 %
(tests/agreement/test_calibration.py); read them as the paper's, not as what other text or judges would show.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from bleu_core.arrays import Floats, Integers, worst_first
from bleu_core.inference import CONFIDENCE, DECIMALS, Interval, one_sample_t

if TYPE_CHECKING:
    import pandas as pd

Unit = Literal["judge and segment", "segment", "judge"]
UNITS: tuple[Unit, ...] = get_args(Unit)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedDifference:
    """The mean difference of ratings over units, with its paired t.

    Attributes:
        unit: what n counts.
        n: units in which both systems were rated.
        mean: of the differences, in the unit of the ratings; NaN without one.
        standard_deviation: of the differences, one degree of freedom taken off; NaN with fewer than two.
        t: NaN where it is undefined.
        degrees_of_freedom: n - 1, at least 0.
        p_value: two-sided; NaN with t.
        interval: Student's, of the mean; NaN with fewer than two differences.
        reason: why t is undefined, else empty.
    """

    unit: Unit
    n: int
    mean: float
    standard_deviation: float
    t: float
    degrees_of_freedom: int
    p_value: float
    interval: Interval
    reason: str = ""

    def negated(self) -> PairedDifference:
        """Of the same pair the other way round."""
        turned = Interval(-self.interval.high, -self.interval.low, self.interval.confidence)
        return replace(self, mean=-self.mean, t=-self.t, interval=turned)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingDifference:
    """Two systems, the better less the worse one.

    Attributes:
        better, worse: names; better is the one with the higher mean rating.
        difference_of_means: of the systems' means over all their segments, in the unit of the ratings.
        by_judge_and_segment, by_segment, by_judge: the difference over each unit.
    """

    better: str
    worse: str
    difference_of_means: float
    by_judge_and_segment: PairedDifference
    by_segment: PairedDifference
    by_judge: PairedDifference

    def by(self, unit: Unit) -> PairedDifference:
        """The difference over a unit."""
        found = {d.unit: d for d in (self.by_judge_and_segment, self.by_segment, self.by_judge)}
        return found[unit]

    @property
    def significant(self) -> bool:
        """Whether the interval over judges and segments leaves out 0, on either side."""
        interval = self.by_judge_and_segment.interval
        return interval.low > 0 or interval.high < 0

    def reversed(self) -> RatingDifference:
        """The same, the worse one less the better one, as where other judges decided which one goes first."""
        return RatingDifference(
            better=self.worse,
            worse=self.better,
            difference_of_means=-self.difference_of_means,
            by_judge_and_segment=self.by_judge_and_segment.negated(),
            by_segment=self.by_segment.negated(),
            by_judge=self.by_judge.negated(),
        )


@dataclass(frozen=True, slots=True)
class RatingDifferences:
    """Differences of ratings between systems.

    Attributes:
        systems: K names by mean rating, in the reverse of best_first.
        means: (K,) the mean over a system's rated segments of the mean over judges.
        pairs: those asked for.
        with_segments: whether segments are rated; else whole systems are.
    """

    systems: tuple[str, ...]
    means: Floats
    pairs: tuple[RatingDifference, ...]
    with_segments: bool = True


@dataclass(frozen=True, slots=True)
class _Ratings:
    """Ratings as matrices with one column per system; NaN where it was not rated."""

    of_items: Floats  # (judges' items, K) a judge's mean of an item
    of_segments: Floats  # (S, K) the mean over judges
    judges: Integers  # (judges' items,) who


def compare_ratings(
    ratings: pd.DataFrame,
    *,
    pairs: Literal["neighbours", "all"] | Sequence[tuple[str, str]] = "neighbours",
    confidence: float = CONFIDENCE,
) -> RatingDifferences:
    """Compare the ratings of systems, two by two.

    A judge's repeated ratings of an item are averaged first. Over judges, each judge's difference is the mean over
    the segments in which that judge rated both systems. Judges of one name in two groups are two.

    Args:
        ratings: columns segment, system, judge, score and group, higher is better, as in Judgments.table; rows
            without a score do not count. Scores of whole systems are of one segment that has no number.
        pairs: "neighbours" in the order of the means, "all", or pairs of names; a pair that names a system without
            ratings has no differences.
        confidence: of the intervals, a fraction.

    Source:
        Papineni, Roukos, Ward and Zhu (2002), P02-1040, section 4, Figures 3 and 4.
    """
    names, matrices = _matrices(ratings)
    means = _row_means(matrices.of_segments.T)
    order = list(worst_first(names, means.round(DECIMALS)))
    ordered = tuple(names[k] for k in order)
    if pairs == "neighbours":
        chosen = list(zip(ordered[1:], ordered[:-1], strict=True))
    elif pairs == "all":
        chosen = [(better, worse) for worse, better in combinations(ordered, 2)]
    else:
        place = {name: k for k, name in enumerate(ordered)}
        # A name without ratings goes first.
        chosen = [(b, a) if place.get(a, -1) <= place.get(b, -1) else (a, b) for a, b in pairs]
    column = {name: k for k, name in enumerate(names)}
    found = tuple(
        _difference(matrices, column, better=better, worse=worse, confidence=confidence) for better, worse in chosen
    )
    with_segments = bool(ratings.loc[ratings["score"].notna(), "segment"].notna().any())
    return RatingDifferences(ordered, means[order], found, with_segments)


def directed_differences(ratings: pd.DataFrame, pairs: Sequence[tuple[str, str]]) -> RatingDifferences:
    """Compare pairs of systems, the first less the second, whichever of the two these judges prefer.

    Args:
        ratings: as in compare_ratings.
        pairs: names; in each difference they stand as better and worse.
    """
    found = compare_ratings(ratings, pairs=pairs)
    turned = (
        pair if (pair.better, pair.worse) == wanted else pair.reversed()
        for pair, wanted in zip(found.pairs, pairs, strict=True)
    )
    return replace(found, pairs=tuple(turned))


def paired_difference(differences: Floats, unit: Unit, confidence: float = CONFIDENCE) -> PairedDifference:
    """The paired t of differences.

    Args:
        differences: one per unit; NaN values are ignored.
        unit: what they are of.
        confidence: of the interval, a fraction.
    """
    found = one_sample_t(differences[~np.isnan(differences)])
    deviation, reason = found.standard_deviation, ""
    if found.n < 2:  # noqa: PLR2004 # no deviation
        what = {"judge and segment": "rating of one segment by one judge", "segment": "segment", "judge": "judge"}[unit]
        reason = f"1 {what} in common, at least 2 needed" if found.n else f"no {what} in common"
    elif math.isnan(found.t):
        deviation, reason = 0.0, "all differences are the same"
    return PairedDifference(
        unit=unit,
        n=found.n,
        mean=found.mean,
        standard_deviation=deviation,
        t=found.t,
        degrees_of_freedom=found.degrees_of_freedom,
        p_value=found.p_value,
        interval=found.interval(confidence),
        reason=reason,
    )


def _difference(
    matrices: _Ratings, column: dict[str, int], better: str, worse: str, confidence: float
) -> RatingDifference:
    def of(ratings: Floats, system: str) -> Floats:
        return ratings[:, column[system]] if system in column else np.full(len(ratings), np.nan)

    items = of(matrices.of_items, better) - of(matrices.of_items, worse)
    segments = of(matrices.of_segments, better) - of(matrices.of_segments, worse)
    common = ~np.isnan(items)
    counts = np.bincount(matrices.judges[common])
    sums = np.bincount(matrices.judges[common], weights=items[common])
    by_judge = np.divide(sums, counts, out=np.full(len(counts), np.nan), where=counts > 0)
    means = [_row_means(of(matrices.of_segments, system)[None])[0] for system in (better, worse)]
    return RatingDifference(
        better=better,
        worse=worse,
        difference_of_means=float(means[0] - means[1]),
        by_judge_and_segment=paired_difference(items, "judge and segment", confidence),
        by_segment=paired_difference(segments, "segment", confidence),
        by_judge=paired_difference(by_judge, "judge", confidence),
    )


def _matrices(ratings: pd.DataFrame) -> tuple[tuple[str, ...], _Ratings]:
    """The names of K systems, sorted, and their ratings as matrices."""
    rated = ratings[ratings["score"].notna()]
    system, names = rated["system"].factorize(sort=True)
    # Missing segments, groups and judges are values of their own. Sorted: the order of rows must not matter.
    segment, _ = rated["segment"].factorize(sort=True, use_na_sentinel=False)
    judge = rated.groupby(["group", "judge"], dropna=False, sort=True).ngroup().to_numpy(np.int64)
    scores = rated["score"].to_numpy(np.float64)

    items, row = np.unique(judge * (int(segment.max(initial=0)) + 1) + segment, return_inverse=True)
    of_items = _mean_table(row, system, scores, (len(items), len(names)))
    judges, segments = np.divmod(items, int(segment.max(initial=0)) + 1)
    there = ~np.isnan(of_items)
    at, systems = np.nonzero(there)
    shape = (int(segments.max(initial=-1)) + 1, len(names))
    of_segments = _mean_table(segments[at], systems, of_items[there], shape)
    return tuple(str(name) for name in names), _Ratings(of_items, of_segments, judges)


def _mean_table(rows: Integers, columns: Integers, values: Floats, shape: tuple[int, int]) -> Floats:
    """The mean of the values in each cell, NaN in empty ones."""
    cells = rows * shape[1] + columns
    # Values are added in the order of their size, so that the order of the rows changes not even the last digit.
    order = np.lexsort((values, cells))
    counts = np.bincount(cells, minlength=shape[0] * shape[1])
    sums = np.bincount(cells[order], weights=values[order], minlength=shape[0] * shape[1])
    return np.divide(sums, counts, out=np.full(len(counts), np.nan), where=counts > 0).reshape(shape)


def _row_means(values: Floats) -> Floats:
    """(rows,) means without gaps; NaN where there are only gaps."""
    known = ~np.isnan(values)
    counts = known.sum(axis=1)
    sums = np.where(known, values, 0).sum(axis=1)
    return np.divide(sums, counts, out=np.full(len(values), np.nan), where=counts > 0)
