"""Tables of per-segment sums, with the function that scores summed columns.

All resampling, blocks and tests work on these: a score is never an average of segment scores but a function of
sums over segments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

SHAPE = ("systems", "segments", "columns")

Numbers = npt.NDArray[np.int64 | np.float64]


@dataclass(frozen=True, slots=True)
class SumTable:
    """Per-segment sums of K systems.

    Attributes:
        systems: K names.
        table: (K, S, columns), read-only.
        score: summed columns of any leading shape, (..., columns), to scores in points, (...).
        higher_is_better: whether the better system scores higher, as in BLEU and chrF, or lower, as in TER.
        bundled: where each row sums a bundle of segments, the number of segments in all; else None.
    """

    systems: tuple[str, ...]
    table: Numbers
    score: Callable[[Numbers], npt.NDArray[np.float64]]
    higher_is_better: bool = True
    bundled: int | None = None

    def __post_init__(self) -> None:
        if self.table.ndim != len(SHAPE) or self.table.shape[0] != len(self.systems):
            raise ValueError(f"shape {self.table.shape} found, {SHAPE} expected for {len(self.systems)} systems")
        self.table.flags.writeable = False

    @property
    def segments(self) -> int:
        """S; of bundled segments, how many bundles there are."""
        return self.table.shape[1]

    @property
    def all_segments(self) -> int:
        """How many segments there are, bundled or not."""
        return self.segments if self.bundled is None else self.bundled

    def sums(self) -> Numbers:
        """Sums over all segments, (K, columns)."""
        return self.table.sum(axis=1)

    def by(self, labels: npt.NDArray[np.int64]) -> Numbers:
        """Sums over the segments that share a label.

        Args:
            labels: (S,), each from 0 to B - 1.

        Returns:
            (K, B, columns).

        Raises:
            ValueError: there is not a label a segment.
        """
        if len(labels) != self.segments:
            raise ValueError(f"{len(labels)} labels found, {self.segments} expected, one per segment")
        order = np.argsort(labels, kind="stable")
        present, starts = np.unique(labels[order], return_index=True)
        sums = np.zeros((self.table.shape[0], int(present[-1]) + 1, self.table.shape[2]), self.table.dtype)
        sums[:, present] = np.add.reduceat(self.table[:, order], starts, axis=1)
        return sums

    def grouped(self, labels: npt.NDArray[np.int64]) -> SumTable:
        """The table with groups of segments, documents for example, in place of segments.

        Args:
            labels: (S,) the group of each segment, 0 to B - 1.

        Returns:
            (K, B, columns): whoever draws from it draws whole groups.
        """
        return replace(self, table=self.by(labels))

    def select(self, systems: Sequence[str]) -> SumTable:
        """The table of some of the systems, in the order given."""
        if tuple(systems) == self.systems:
            return self  # whose table is read-only: no copy is needed
        return replace(self, systems=tuple(systems), table=self.table[[self.systems.index(s) for s in systems]])

    def subset(self, rows: Sequence[int]) -> SumTable:
        """The table of some of the segments, by their positions from 0."""
        return replace(self, table=self.table[:, list(rows)])

    def combine(self, weights: Numbers) -> npt.NDArray[np.float64]:
        """Weighted sums: for each row of W how often each segment counts.

        Args:
            weights: W, (rows, S).

        Returns:
            (K, rows, columns) as float64, exact while every sum stays below 2**53.
        """
        return np.matmul(weights.astype(np.float64), self.table.astype(np.float64, copy=False))


def ratio(numerator: Numbers, denominator: Numbers, where: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """The quotient, 0 elsewhere."""
    return np.divide(numerator, denominator, out=np.zeros(where.shape), where=where)
