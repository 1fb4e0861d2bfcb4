"""Mean ratings of systems and their differences, with intervals that generalise to other judges and segments."""

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
LOW = Field("decimal", f"Lower end of the {LEVEL} interval, which generalises to other judges and other segments.")
HIGH = Field("decimal", f"Upper end of the {LEVEL} interval, which generalises to other judges and other segments.")
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
    """The difference between two systems' mean ratings, over segments that the same judges rated for both."""

    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    n: int = field("count", "Pairs of ratings of the two systems, by the same judge of the same segment.", label="n")
    segments: int = field("count", "Segments of these pairs.")
    judges: int = field("count", "Judges of these pairs.")
    difference: float = field("difference", "Mean of the differences, system minus baseline, in points of the scale.")
    low: float = field(DIFFERENCE_LOW)
    high: float = field(DIFFERENCE_HIGH)
    width: float = field(WIDTH)
    degrees_of_freedom: float = field("decimal", "Degrees of freedom of the interval (Satterthwaite).", label="df")
    reason: str = field(REASON, default="")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RatingTable:
    """A table with one rating per judge, segment and system; a judge's repeated ratings of an item are averaged.

    Attributes:
        systems: K names.
        segment, judge: (C,) segment and judge of each of C rows: the pairs of a segment and a judge who rated it.
        unit: (C,) number of the unit that was drawn: the segment, or its document.
        ratings: (C, K) in points of the scale; NaN if a system was not rated.
        drawn: the kind of unit.
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
        """Build a table from n ratings.

        Args:
            systems: K names.
            segment: (n,) any numbers from 0.
            judge: (n,) any numbers from 0.
            system: (n,) from 0, below K.
            ratings: (n,) without NaN.
            unit: (n,) document of each rating if whole documents were drawn; None if segments were.
        """
        cells, row = np.unique(judge * (int(segment.max(initial=0)) + 1) + segment, return_inverse=True)
        judges, segments = np.divmod(cells, int(segment.max(initial=0)) + 1)
        cell = row * len(systems) + system
        size = len(cells) * len(systems)
        counts = np.bincount(cell, minlength=size)
        # Sorted first, so that the sums do not depend on the order of the rows, not even in the last digit.
        order = np.lexsort((ratings, cell))
        sums = np.bincount(cell[order], ratings[order], minlength=size)
        means = np.divide(sums, counts, out=np.full(size, np.nan), where=counts > 0)
        units = segments
        if unit is not None:
            unit_of_segment = np.zeros(int(segment.max(initial=0)) + 1, np.int64)
            unit_of_segment[segment] = unit
            units = unit_of_segment[segments]
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
        """Build a table from judgments; ratings without a segment are ignored, and judges are unique by group."""
        rated = judgments.rated
        rated = rated[rated["segment"].notna()]
        system, names = rated["system"].factorize(sort=True)
        segment, _ = rated["segment"].factorize(sort=True)
        judge = rated.groupby(["group", "judge"], dropna=False, sort=True).ngroup().to_numpy().astype(np.int64)
        scores = rated["score"].to_numpy(np.float64)
        return cls.of([str(name) for name in names], segment, judge=judge, system=system, ratings=scores)

    def paired(self, system: int, baseline: int) -> tuple[Floats, Integers, Integers]:
        """Return the differences of two systems by judges who rated both, with their units and judges."""
        differences = self.ratings[:, system] - self.ratings[:, baseline]
        known = ~np.isnan(differences)
        return differences[known], self.unit[known], self.judge[known]

    def segments(self, system: int, baseline: int) -> int:
        """Return the number of segments that some judge rated for both systems."""
        return len(np.unique(self.segment[~np.isnan(self.ratings[:, system] - self.ratings[:, baseline])]))

    def mean(self, system: int) -> CrossedMean:
        """Return the mean rating of a system with its interval."""
        known = ~np.isnan(self.ratings[:, system])
        return crossed_mean(self.ratings[known, system], self.unit[known], self.judge[known], drawn=self.drawn)


def system_means(table: RatingTable) -> tuple[SystemMean, ...]:
    """Return the mean ratings of the systems, highest first."""
    means: list[SystemMean] = []
    for k, system in enumerate(table.systems):
        mean = table.mean(k)
        means.append(
            SystemMean(system=system, ratings=mean.n, mean=mean.mean, low=mean.low, high=mean.high, reason=mean.reason)
        )
    order = best_first(table.systems, [round(entry.mean, DECIMALS) for entry in means])
    return tuple(means[k] for k in order)


def system_differences(table: RatingTable) -> tuple[SystemDifference, ...]:
    """Return the differences of all pairs, better minus worse system, largest first."""
    differences = [_difference(table, *pair) for pair in combinations(range(len(table.systems)), 2)]
    return tuple(sorted(differences, key=_closeness, reverse=True))


def closest(differences: Sequence[SystemDifference]) -> SystemDifference | None:
    """Return the pair of systems with the smallest difference; None if no pair has been rated."""
    known = [difference for difference in differences if difference.n]
    return min(known, key=_closeness, default=None)


def _difference(table: RatingTable, system: int, baseline: int) -> SystemDifference:
    values, unit, judge = table.paired(system, baseline)
    if len(values) and values.mean() < 0:
        values, system, baseline = -values, baseline, system
    mean = crossed_mean(values, unit, judge, drawn=table.drawn)
    return SystemDifference(
        system=table.systems[system],
        baseline=table.systems[baseline],
        n=mean.n,
        segments=table.segments(system, baseline),
        judges=mean.judges,
        difference=mean.mean,
        low=mean.low,
        high=mean.high,
        width=mean.high - mean.low,
        degrees_of_freedom=mean.degrees_of_freedom,
        reason=mean.reason,
    )


def _closeness(pair: SystemDifference) -> tuple[float, str, str]:
    return (-1.0 if math.isnan(pair.difference) else round(pair.difference, DECIMALS), pair.system, pair.baseline)
