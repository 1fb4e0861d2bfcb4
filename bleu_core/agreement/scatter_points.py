"""Two scores of the same segments as points or as a grid, and the largest disagreements."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bleu_core.arrays import Floats, Integers
from bleu_core.inference import DECIMALS

#: Of the grid.
COLUMNS, ROWS = 60, 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Scatter:
    """Entries, (system, segment), with both scores, and the cells of a grid that they lie in; n entries, C cells.

    Attributes:
        segments: S, of each system.
        entry: (n,) system * S + segment, both from 0, ascending.
        x, y: (n,) the metric's score and the rating.
        x_percentile, y_percentile: (n,) share of the entries that are worse, half of the equal ones included, 0 to 1.
        cell: (n,) which of the cells.
        column, row: (C,) places of the cells that hold an entry; from 0, row by row.
        counts: (C,) entries in them.
        first: (C,) the first entry in each, as a position in entry.
        x_start, x_step, y_start, y_step: centre of the first column and row, and the distance of two.
    """

    segments: int
    entry: Integers
    x: Floats
    y: Floats
    x_percentile: Floats
    y_percentile: Floats
    cell: Integers
    column: Integers
    row: Integers
    counts: Integers
    first: Integers
    x_start: float
    x_step: float
    y_start: float
    y_step: float

    @property
    def size(self) -> int:
        """The number of entries."""
        return len(self.entry)

    def find(self, system: int, segment: int) -> int | None:
        """The position of an entry, both numbers from 0; None where it lacks a score."""
        wanted = system * self.segments + segment
        position = int(np.searchsorted(self.entry, wanted))
        return position if position < self.size and self.entry[position] == wanted else None

    def members(self, cell: int) -> Integers:
        """Positions of the entries in a cell, by system and segment."""
        return np.flatnonzero(self.cell == cell)

    def furthest(self, count: int) -> Integers:
        """Positions of the entries whose percentiles differ most; of equal differences the first entry."""
        apart = np.abs(self.x_percentile - self.y_percentile).round(DECIMALS)
        return np.argsort(-apart, kind="stable")[:count]


def scatter(
    metric: Floats, human: Floats, *, higher_is_better: bool = True, columns: int = COLUMNS, rows: int = ROWS
) -> Scatter:
    """Put the entries that have both scores into the cells of a grid over their range.

    Args:
        metric: (K, S) scores, NaN where missing.
        human: (K, S) ratings, higher being better.
        higher_is_better: whether a larger score of the metric is the better one.
        columns: of the grid, over the metric's range.
        rows: of the grid, over the ratings' range.

    Raises:
        ValueError: the shapes differ.
    """
    if metric.shape != human.shape or metric.ndim != 2:  # noqa: PLR2004 # systems and segments
        raise ValueError(f"shapes {metric.shape} and {human.shape} found, (systems, segments) expected for both")
    entry = np.flatnonzero(np.isfinite(metric) & np.isfinite(human)).astype(np.int64)
    x, y = metric.ravel()[entry], human.ravel()[entry]
    column, x_start, x_step = _bins(x, columns)
    row, y_start, y_step = _bins(y, rows)
    places, first, cell, counts = np.unique(
        row * columns + column, return_index=True, return_inverse=True, return_counts=True
    )
    better = x if higher_is_better else -x
    return Scatter(
        segments=metric.shape[1],
        entry=entry,
        x=x,
        y=y,
        x_percentile=_percentiles(better),
        y_percentile=_percentiles(y),
        cell=cell.astype(np.int64),
        column=places % columns,
        row=places // columns,
        counts=counts.astype(np.int64),
        first=first.astype(np.int64),
        x_start=x_start,
        x_step=x_step,
        y_start=y_start,
        y_step=y_step,
    )


def _bins(values: Floats, bins: int) -> tuple[Integers, float, float]:
    """The bin of each value, the centre of the first bin and the width; equal values share one bin of width 1."""
    if not len(values):
        return np.zeros(0, np.int64), 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    width = (high - low) / bins
    if not low < low + width < high:  # nothing lies between two neighbouring floats
        return np.zeros(len(values), np.int64), low, 1.0
    places = np.minimum(((values - low) / width).astype(np.int64), bins - 1)  # the highest lies on the last edge
    return places, low + width / 2, width


def _percentiles(values: Floats) -> Floats:
    from scipy import stats  # loaded when first needed: it costs more than scoring

    if not len(values):
        return values
    ranks = np.asarray(stats.rankdata(values.round(DECIMALS)), np.float64)
    return (ranks - 0.5) / len(values)
