"""Systems' mean ratings and the differences of these, with intervals for other judges of other segments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from bleu_core.arrays import Floats, Integers, best_first
from bleu_core.campaigns.two_way_random_effects import CrossedMean, crossed_mean
from bleu_core.dataset import Judgments
from bleu_core.fields import BASELINE, REASON, SYSTEM, Field, field, result
from bleu_core.inference import CONFIDENCE, DECIMALS

LEVEL = f"{100 * CONFIDENCE:g}%"
LOW = Field("decimal", f"Lower end of the {LEVEL} interval for other judges of other segments.")
HIGH = Field("decimal", f"Upper end of the {LEVEL} interval for other judges of other segments.")
DIFFERENCE_LOW = Field("difference", LOW.help)
DIFFERENCE_HIGH = Field("difference", HIGH.help)
WIDTH = Field("decimal", f"Width of the {LEVEL} interval of the difference, in points of the scale.")


@result
class SystemMean:
    """A system's mean rating."""

    system: str = field(SYSTEM)
    ratings: int = field("count", "Ratings of the system.")
    mean: float = field("decimal", "Mean rating, in points of the scale.", best="highest")
    low: float = field(LOW)
    high: float = field(HIGH)
    reason: str = field(REASON, default="")


@result
class SystemDifference:
    """The difference of two systems' mean ratings, over the judges' ratings of both."""

    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    n: int = field("count", "Pairs of ratings: one judge's of both systems' translations of one segment.", label="n")
    segments: int = field("count", "Segments of these pairs.")
    judges: int = field("count", "Judges who gave them.")
    difference: float = field("difference", "Mean of the differences, system minus baseline, in points of the scale.")
    low: float = field(DIFFERENCE_LOW)
    high: float = field(DIFFERENCE_HIGH)
    width: float = field(WIDTH)
    degrees_of_freedom: float = field("decimal", "Degrees of freedom of the interval (Satterthwaite).", label="df")
    reason: str = field(REASON, default="")


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingTable:
    """One rating per judge, segment and system; a judge's repeated ratings of an item are averaged.

    Attributes:
        systems: K names.
        segment, judge: (C,) numbers of the C pairs of a segment and a judge who rated it.
        unit: (C,) numbers of what was drawn: the segment's own, or that of its document.
        ratings: (C, K) in points of the scale, NaN where there is none.
        drawn: what the units are.
    """

    systems: tuple[str, ...]
    segment: Integers
    judge: Integers
    unit: Integers
    ratings: Floats
    drawn: Literal["segment", "document"] = "segment"

    @classmethod
    def of(
        cls,
        systems: Sequence[str],
        segment: Integers,
        judge: Integers,
        system: Integers,
        ratings: Floats,
        *,
        unit: Integers | None = None,
    ) -> RatingTable:
        """Arrange n ratings.

        Args:
            systems: K names.
            segment: (n,) any numbers from 0.
            judge: (n,) any numbers from 0.
            system: (n,) from 0, below K.
            ratings: (n,) without NaN.
            unit: (n,) numbers of the documents of the segments, where whole documents were drawn; None: segments were.
        """
        cells, row = np.unique(judge * (int(segment.max(initial=0)) + 1) + segment, return_inverse=True)
        judges, segments = np.divmod(cells, int(segment.max(initial=0)) + 1)
        place = row * len(systems) + system
        size = len(cells) * len(systems)
        counts = np.bincount(place, minlength=size)
        # Added in the order of their size, so that the order of the rows changes not even the last digit.
        order = np.lexsort((ratings, place))
        sums = np.bincount(place[order], ratings[order], minlength=size)
        means = np.divide(sums, counts, out=np.full(size, np.nan), where=counts > 0)
        units = segments
        if unit is not None:
            of_segment = np.zeros(int(segment.max(initial=0)) + 1, np.int64)
            of_segment[segment] = unit
            units = of_segment[segments]
        table = means.reshape(len(cells), len(systems))
        return cls(
            systems=tuple(systems),
            segment=segments,
            judge=judges,
            unit=units,
            ratings=table,
            drawn="segment" if unit is None else "document",
        )

    @classmethod
    def of_judgments(cls, judgments: Judgments) -> RatingTable:
        """Arrange judgments; ratings of no segment are left out, and judges of one name in two groups are two."""
        rated = judgments.rated
        rated = rated[rated["segment"].notna()]
        system, names = rated["system"].factorize(sort=True)
        segment, _ = rated["segment"].factorize(sort=True)
        judge = rated.groupby(["group", "judge"], dropna=False, sort=True).ngroup().to_numpy().astype(np.int64)
        scores = rated["score"].to_numpy(np.float64)
        return cls.of([str(name) for name in names], segment, judge=judge, system=system, ratings=scores)

    def paired(self, system: int, baseline: int) -> tuple[Floats, Integers, Integers]:
        """The differences of two systems by the judges who rated both, and the units and the judges of these."""
        differences = self.ratings[:, system] - self.ratings[:, baseline]
        known = ~np.isnan(differences)
        return differences[known], self.unit[known], self.judge[known]

    def segments(self, system: int, baseline: int) -> int:
        """How many segments of two systems were rated by the same judges."""
        return len(np.unique(self.segment[~np.isnan(self.ratings[:, system] - self.ratings[:, baseline])]))

    def mean(self, system: int) -> CrossedMean:
        """The mean rating of a system."""
        known = ~np.isnan(self.ratings[:, system])
        return crossed_mean(self.ratings[known, system], self.unit[known], self.judge[known], drawn=self.drawn)


def system_means(table: RatingTable) -> tuple[SystemMean, ...]:
    """The systems' mean ratings, highest first."""
    found: list[SystemMean] = []
    for k, system in enumerate(table.systems):
        mean = table.mean(k)
        found.append(
            SystemMean(system=system, ratings=mean.n, mean=mean.mean, low=mean.low, high=mean.high, reason=mean.reason)
        )
    order = best_first(table.systems, [round(one.mean, DECIMALS) for one in found])
    return tuple(found[k] for k in order)


def system_differences(table: RatingTable) -> tuple[SystemDifference, ...]:
    """The differences of all pairs of systems, the better one less the worse one, by the size of the difference."""
    found = [_difference(table, *pair) for pair in combinations(range(len(table.systems)), 2)]
    return tuple(sorted(found, key=_closeness, reverse=True))


def closest(differences: Sequence[SystemDifference]) -> SystemDifference | None:
    """The pair of systems whose means differ least; None where no pair has been rated."""
    known = [difference for difference in differences if difference.n]
    return min(known, key=_closeness, default=None)


def _difference(table: RatingTable, system: int, baseline: int) -> SystemDifference:
    values, unit, judge = table.paired(system, baseline)
    if len(values) and values.mean() < 0:
        values, system, baseline = -values, baseline, system
    found = crossed_mean(values, unit, judge, drawn=table.drawn)
    return SystemDifference(
        system=table.systems[system],
        baseline=table.systems[baseline],
        n=found.n,
        segments=table.segments(system, baseline),
        judges=found.judges,
        difference=found.mean,
        low=found.low,
        high=found.high,
        width=found.high - found.low,
        degrees_of_freedom=found.degrees_of_freedom,
        reason=found.reason,
    )


def _closeness(of: SystemDifference) -> tuple[float, str, str]:
    return (-1.0 if math.isnan(of.difference) else round(of.difference, DECIMALS), of.system, of.baseline)
