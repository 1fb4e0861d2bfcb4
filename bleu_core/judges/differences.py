"""Rating differences between two systems: Figures 3 and 4 of Papineni et al. (2002), for any pair and unit.

The paired t test uses the units in which both systems were rated. Over segments, the interval generalises to other text
rated by the same judges; over judges, it generalises to other judges of the same text, and n is small. Over each
judge's rating of each segment, as in the figures, n is large but the pairs are not independent, because judges rate the
same segments and differ in their preferences. In that case 95 % intervals cover 40 to 85 %
(tests/agreement/test_calibration.py): they reproduce the paper's, but do not generalise to other text or judges.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from bleu_core.arrays import Floats, Integers, worst_first
from bleu_core.fields import (
    BASELINE,
    DEGREES_OF_FREEDOM,
    P_VALUE,
    REASON,
    SYSTEM,
    Field,
    T,
    bounds,
    field,
    inline,
    result,
)
from bleu_core.inference import CONFIDENCE, DECIMALS, Interval, one_sample_t

if TYPE_CHECKING:
    import pandas as pd

Unit = Literal["judge and segment", "segment", "judge"]
UNITS: tuple[Unit, ...] = get_args(Unit)


UNIT = Field("text", "Unit of n: pairs of ratings by judge and segment, segments, or judges.")


@result
class PairedDifference:
    """The mean difference of ratings over units, with its paired t test.

    Attributes:
        unit: the kind of unit.
        n: number of units.
        mean: in the unit of the ratings; NaN without a unit.
        standard_deviation: of the differences (ddof = 1); NaN with fewer than two.
        t: NaN if it is undefined.
        degrees_of_freedom: n - 1, at least 0.
        p_value: two-sided; NaN if t is.
        interval: Student's interval of the mean; NaN with fewer than two differences.
        reason: why t is undefined; empty if it is defined.
    """

    unit: Unit
    n: int = field("count", "Units in which both systems were rated.", label="n")
    mean: float = field("difference", "System minus baseline, mean over the units.", key="mean_difference")
    standard_deviation: float = field("decimal", "Standard deviation of the differences.")
    interval: Interval = inline(bounds("difference", f"{100 * CONFIDENCE:g}% interval (Student's t)"))
    t: float = field(T)
    degrees_of_freedom: int = field(DEGREES_OF_FREEDOM)
    p_value: float = field(P_VALUE, "Two-sided p-value of the paired t-test, not corrected.")
    reason: str = field(REASON, default="")

    def negated(self) -> PairedDifference:
        """Return the difference of the reversed pair."""
        interval = Interval(-self.interval.high, -self.interval.low, self.interval.confidence)
        return replace(self, mean=-self.mean, t=-self.t, interval=interval)


@result
class RatingDifference:
    """The difference between two systems' ratings, better minus worse.

    Attributes:
        better, worse: names; better is the one with the higher mean rating.
        difference_of_means: difference between the systems' means over all their segments, in the unit of the ratings.
    """

    better: str = field(SYSTEM, key="system")
    worse: str = field(BASELINE, key="baseline")
    difference_of_means: float
    by_judge_and_segment: PairedDifference = field(
        "object", "Over all pairs of ratings by the same judge of the same segment, as in the 2002 paper."
    )
    by_segment: PairedDifference = field("object", "Over segments.")
    by_judge: PairedDifference = field("object", "Over judges.")

    def by(self, unit: Unit) -> PairedDifference:
        """Return the difference over a kind of unit."""
        differences = {d.unit: d for d in (self.by_judge_and_segment, self.by_segment, self.by_judge)}
        return differences[unit]

    @property
    def significant(self) -> bool:
        """Whether the interval over judges and segments excludes 0."""
        interval = self.by_judge_and_segment.interval
        return interval.low > 0 or interval.high < 0

    def reversed(self) -> RatingDifference:
        """Return the same pair with the systems exchanged, for pairs that other judges have ordered."""
        return RatingDifference(
            better=self.worse,
            worse=self.better,
            difference_of_means=-self.difference_of_means,
            by_judge_and_segment=self.by_judge_and_segment.negated(),
            by_segment=self.by_segment.negated(),
            by_judge=self.by_judge.negated(),
        )


@dataclass(frozen=True, slots=True, eq=False)
class RatingDifferences:
    """Differences of ratings between systems.

    Attributes:
        systems: K names by mean rating, in the reverse of best_first.
        means: (K,) the mean over a system's rated segments of the mean over judges.
        pairs: the pairs asked for.
        with_segments: whether segments are rated, or else whole systems.
    """

    systems: tuple[str, ...]
    means: Floats
    pairs: tuple[RatingDifference, ...]
    with_segments: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class _Ratings:
    """Ratings as matrices with one column per system; NaN if it was not rated."""

    by_judge_segment: Floats  # (pairs of judge and segment, K) the judge's mean rating
    by_segment: Floats  # (S, K) the mean over judges
    judges: Integers  # (pairs of judge and segment,) number of the judge


def compare_ratings(
    ratings: pd.DataFrame,
    *,
    pairs: Literal["neighbours", "all"] | Sequence[tuple[str, str]] = "neighbours",
    confidence: float = CONFIDENCE,
) -> RatingDifferences:
    """Compare the ratings of pairs of systems.

    A judge's repeated ratings of an item are averaged first. Over judges, each judge's difference is the mean over
    the segments in which that judge rated both systems. Judges with equal names in two groups are two judges.

    Args:
        ratings: columns segment, system, judge, score and group, higher is better, as in Judgments.table; rows
            without a score are ignored. Scores of whole systems belong to one segment without a number.
        pairs: "neighbours" in the order of the means, "all", or pairs of names; a pair with a system that has no
            ratings has no differences.
        confidence: level of the intervals, a fraction.

    Source:
        Papineni, Roukos, Ward and Zhu (2002), P02-1040, section 4, Figures 3 and 4.
    """
    names, matrices = _matrices(ratings)
    means = _row_means(matrices.by_segment.T)
    order = list(worst_first(names, means.round(DECIMALS)))
    ordered = tuple(names[k] for k in order)
    if pairs == "neighbours":
        ordered_pairs = list(zip(ordered[1:], ordered[:-1], strict=True))
    elif pairs == "all":
        ordered_pairs = [(better, worse) for worse, better in combinations(ordered, 2)]
    else:
        position = {name: k for k, name in enumerate(ordered)}
        # A system without ratings comes first.
        ordered_pairs = [(b, a) if position.get(a, -1) <= position.get(b, -1) else (a, b) for a, b in pairs]
    column = {name: k for k, name in enumerate(names)}
    differences = tuple(
        _difference(matrices, column, better=better, worse=worse, confidence=confidence)
        for better, worse in ordered_pairs
    )
    with_segments = bool(ratings.loc[ratings["score"].notna(), "segment"].notna().any())
    return RatingDifferences(ordered, means[order], differences, with_segments)


def directed_differences(ratings: pd.DataFrame, pairs: Sequence[tuple[str, str]]) -> RatingDifferences:
    """Compare pairs of systems, first minus second, whichever of the two these judges prefer.

    Args:
        ratings: as in compare_ratings.
        pairs: names; each difference has the first as better and the second as worse.
    """
    differences = compare_ratings(ratings, pairs=pairs)
    directed = (
        pair if (pair.better, pair.worse) == names else pair.reversed()
        for pair, names in zip(differences.pairs, pairs, strict=True)
    )
    return replace(differences, pairs=tuple(directed))


def paired_difference(differences: Floats, unit: Unit, confidence: float = CONFIDENCE) -> PairedDifference:
    """Return the paired t test of differences.

    Args:
        differences: one per unit; NaN values are ignored.
        unit: the kind of unit.
        confidence: of the interval, a fraction.
    """
    test = one_sample_t(differences[~np.isnan(differences)])
    deviation, reason = test.standard_deviation, ""
    if test.n < 2:  # noqa: PLR2004 # no deviation
        noun = {"judge and segment": "rating of one segment by one judge", "segment": "segment", "judge": "judge"}[unit]
        reason = f"1 {noun} in common, at least 2 needed" if test.n else f"no {noun} in common"
    elif math.isnan(test.t):
        deviation, reason = 0.0, "all differences are the same"
    return PairedDifference(
        unit=unit,
        n=test.n,
        mean=test.mean,
        standard_deviation=deviation,
        t=test.t,
        degrees_of_freedom=test.degrees_of_freedom,
        p_value=test.p_value,
        interval=test.interval(confidence),
        reason=reason,
    )


def _difference(
    matrices: _Ratings, column: dict[str, int], better: str, worse: str, confidence: float
) -> RatingDifference:
    def column_of(ratings: Floats, system: str) -> Floats:
        return ratings[:, column[system]] if system in column else np.full(len(ratings), np.nan)

    by_judge_segment = column_of(matrices.by_judge_segment, better) - column_of(matrices.by_judge_segment, worse)
    by_segment = column_of(matrices.by_segment, better) - column_of(matrices.by_segment, worse)
    common = ~np.isnan(by_judge_segment)
    counts = np.bincount(matrices.judges[common])
    sums = np.bincount(matrices.judges[common], weights=by_judge_segment[common])
    by_judge = np.divide(sums, counts, out=np.full(len(counts), np.nan), where=counts > 0)
    means = [_row_means(column_of(matrices.by_segment, system)[None])[0] for system in (better, worse)]
    return RatingDifference(
        better=better,
        worse=worse,
        difference_of_means=float(means[0] - means[1]),
        by_judge_and_segment=paired_difference(by_judge_segment, "judge and segment", confidence),
        by_segment=paired_difference(by_segment, "segment", confidence),
        by_judge=paired_difference(by_judge, "judge", confidence),
    )


def _matrices(ratings: pd.DataFrame) -> tuple[tuple[str, ...], _Ratings]:
    """Return the sorted names of K systems, and their ratings as matrices."""
    rated = ratings[ratings["score"].notna()]
    system, names = rated["system"].factorize(sort=True)
    # Missing segments, groups and judges count as values. Sorted, so that the order of rows does not matter.
    segment, _ = rated["segment"].factorize(sort=True, use_na_sentinel=False)
    judge = rated.groupby(["group", "judge"], dropna=False, sort=True).ngroup().to_numpy(np.int64)
    scores = rated["score"].to_numpy(np.float64)

    items, row = np.unique(judge * (int(segment.max(initial=0)) + 1) + segment, return_inverse=True)
    by_judge_segment = _mean_table(row, system, scores, (len(items), len(names)))
    judges, segments = np.divmod(items, int(segment.max(initial=0)) + 1)
    is_rated = ~np.isnan(by_judge_segment)
    row_of_rating, systems = np.nonzero(is_rated)
    shape = (int(segments.max(initial=-1)) + 1, len(names))
    by_segment = _mean_table(segments[row_of_rating], systems, by_judge_segment[is_rated], shape)
    return tuple(str(name) for name in names), _Ratings(by_judge_segment, by_segment, judges)


def _mean_table(rows: Integers, columns: Integers, values: Floats, shape: tuple[int, int]) -> Floats:
    """Return the mean of the values in each cell; NaN in empty cells."""
    cells = rows * shape[1] + columns
    # Sorted first, so that the sums do not depend on the order of the rows, not even in the last digit.
    order = np.lexsort((values, cells))
    counts = np.bincount(cells, minlength=shape[0] * shape[1])
    sums = np.bincount(cells[order], weights=values[order], minlength=shape[0] * shape[1])
    return np.divide(sums, counts, out=np.full(len(counts), np.nan), where=counts > 0).reshape(shape)


def _row_means(values: Floats) -> Floats:
    """Return the means (rows,) of the values that are not NaN; NaN for rows without any."""
    known = ~np.isnan(values)
    counts = known.sum(axis=1)
    sums = np.where(known, values, 0).sum(axis=1)
    return np.divide(sums, counts, out=np.full(len(values), np.nan), where=counts > 0)
