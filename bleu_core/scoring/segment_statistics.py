"""Sufficient statistics of segments, with the function that scores their sums.

All resampling, blocks and tests work on these: a score is never an average of segment scores but a function of
sums over segments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Numbers, read_only
from bleu_core.scoring.bleu_factors import Bleu

AXES = ("systems", "segments", "columns")


@dataclass(frozen=True, slots=True, eq=False)
class SegmentStatistics:
    """The statistics of each segment of K systems.

    Attributes:
        systems: K names.
        values: (K, S, columns), read-only.
        score: converts sums, (..., columns), to scores in points, (...).
        higher_is_better: whether the better system scores higher (BLEU, chrF) or lower (TER).
        bundled: the number of segments if each row is the sum of a bundle of segments; else None.
        score_of_one: converts the values of single segments, (..., columns), to scores; None if `score` does.
        decimals: of scores for people.
        has_gaps: whether some segments have no score by some systems; all their values are 0.
        factors: converts sums, (..., columns), to the factors of the score: precisions, brevity penalty and lengths;
            None for a metric without them.
        untested: why differences between these systems are not tested; empty if they are.
    """

    systems: tuple[str, ...]
    values: Numbers
    score: Callable[[Numbers], npt.NDArray[np.float64]]
    higher_is_better: bool = True
    bundled: int | None = None
    score_of_one: Callable[[Numbers], npt.NDArray[np.float64]] | None = None
    decimals: int = 2
    has_gaps: bool = False
    factors: Callable[[Numbers], Bleu] | None = None
    untested: str = ""

    def __post_init__(self) -> None:
        if self.values.ndim != len(AXES) or self.values.shape[0] != len(self.systems):
            raise ValueError(f"shape {self.values.shape} found, {AXES} expected for {len(self.systems)} systems")
        object.__setattr__(self, "values", read_only(self.values))

    @property
    def segments(self) -> int:
        """S; of bundled segments, the number of bundles."""
        return self.values.shape[1]

    @property
    def all_segments(self) -> int:
        """The number of segments, bundled or not."""
        return self.segments if self.bundled is None else self.bundled

    @property
    def segment_scores(self) -> npt.NDArray[np.float64]:
        """The score of each segment alone, (K, S), in points."""
        return (self.score_of_one or self.score)(self.values)

    @property
    def scored(self) -> npt.NDArray[np.bool_]:
        """Whether each system has a score of each segment, (K, S)."""
        return (self.values != 0).any(axis=2) if self.has_gaps else np.ones(self.values.shape[:2], np.bool_)

    def sums(self) -> Numbers:
        """Return the sums over all segments, (K, columns)."""
        return self.values.sum(axis=1)

    def sums_by_label(self, labels: npt.NDArray[np.int64]) -> Numbers:
        """Return the sums over the segments that share a label.

        Args:
            labels: (S,), each from 0 to B - 1.

        Returns:
            (K, B, columns).

        Raises:
            ValueError: the number of labels is not S.
        """
        if len(labels) != self.segments:
            raise ValueError(f"{len(labels)} labels found, {self.segments} expected, one per segment")
        order = np.argsort(labels, kind="stable")
        present, starts = np.unique(labels[order], return_index=True)
        sums = np.zeros((self.values.shape[0], int(present[-1]) + 1, self.values.shape[2]), self.values.dtype)
        sums[:, present] = np.add.reduceat(self.values[:, order], starts, axis=1)
        return sums

    def grouped(self, labels: npt.NDArray[np.int64]) -> SegmentStatistics:
        """Return the statistics of groups of segments, documents for example, in place of segments.

        Args:
            labels: (S,) the group of each segment, 0 to B - 1.

        Returns:
            Statistics of (K, B, columns), so that resampling draws whole groups.
        """
        return replace(self, values=self.sums_by_label(labels))

    def select(self, systems: Sequence[str]) -> SegmentStatistics:
        """Return the statistics of some of the systems, in the order given."""
        if tuple(systems) == self.systems:
            return self  # its values are read-only: no copy is needed
        return self._replaced(self.values[[self.systems.index(s) for s in systems]], tuple(systems))

    def subset(self, rows: Sequence[int]) -> SegmentStatistics:
        """Return the statistics of some of the segments, by their positions from 0."""
        return self._replaced(self.values[:, list(rows)], self.systems)

    def _replaced(self, values: Numbers, systems: tuple[str, ...]) -> SegmentStatistics:
        """Return the statistics of some of the values, which may have no gaps."""
        gaps = self.has_gaps and not (values != 0).any(axis=2).all()
        return replace(self, systems=systems, values=values, has_gaps=gaps)

    def common(self, systems: Sequence[str] | None = None) -> SegmentStatistics:
        """Return the statistics of systems on the segments of which all of them have a score; other values are 0.

        Args:
            systems: their names, in order; all if None.
        """
        chosen = self if systems is None else self.select(systems)
        if not chosen.has_gaps:
            return chosen
        by_all: npt.NDArray[np.bool_] = np.logical_and.reduce(chosen.scored, axis=0)
        return replace(chosen, values=np.where(by_all[:, None], chosen.values, 0))

    def on_common_segments(self) -> tuple[SegmentStatistics, list[int]]:
        """Return the statistics of the segments that all systems have a score of, and their positions from 0."""
        if not self.has_gaps:
            return self, list(range(self.segments))
        rows = np.flatnonzero(self.scored.all(axis=0)).tolist()
        return self.subset(rows), rows

    def weighted_sums(self, weights: Numbers) -> npt.NDArray[np.float64]:
        """Return weighted sums over segments.

        Args:
            weights: W, (rows, S), the weight of each segment.

        Returns:
            (K, rows, columns) as float64, exact for sums below 2**53.
        """
        return np.matmul(weights.astype(np.float64), self.values.astype(np.float64, copy=False))


def ratio(numerator: Numbers, denominator: Numbers, where: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Return the quotient, and 0 where the condition is false."""
    return np.divide(numerator, denominator, out=np.zeros(where.shape), where=where)
