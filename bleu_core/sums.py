"""Tables of per-segment sums, with the function that scores summed columns.

All resampling, blocks and tests work on these: a score is never an average of segment scores but a function of
sums over segments.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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
    """

    systems: tuple[str, ...]
    table: Numbers
    score: Callable[[Numbers], npt.NDArray[np.float64]]

    def __post_init__(self) -> None:
        if self.table.ndim != len(SHAPE) or self.table.shape[0] != len(self.systems):
            raise ValueError(f"the shape {self.table.shape} found, {SHAPE} expected for {len(self.systems)} systems")
        self.table.flags.writeable = False

    @property
    def segments(self) -> int:
        """S."""
        return self.table.shape[1]

    def others(self, baseline: int) -> tuple[str, ...]:
        """The systems but for the one at the index."""
        return self.systems[:baseline] + self.systems[baseline + 1 :]

    def sums(self) -> Numbers:
        """Sums over all segments, (K, columns)."""
        return self.table.sum(axis=1)

    def by(self, labels: npt.NDArray[np.int64]) -> Numbers:
        """Sums over the segments that share a label.

        Args:
            labels: (S,), each from 0 to B - 1.

        Returns:
            (K, B, columns).
        """
        order = np.argsort(labels, kind="stable")
        present, starts = np.unique(labels[order], return_index=True)
        sums = np.zeros((self.table.shape[0], int(present[-1]) + 1, self.table.shape[2]), self.table.dtype)
        sums[:, present] = np.add.reduceat(self.table[:, order], starts, axis=1)
        return sums

    def combine(self, weights: Numbers) -> npt.NDArray[np.float64]:
        """Weighted sums: for each row of W how often each segment counts.

        Args:
            weights: W, (rows, S).

        Returns:
            (K, rows, columns) as float64, exact while every sum stays below 2**53.
        """
        return np.matmul(weights.astype(np.float64), self.table.astype(np.float64))
