"""Scatter plots of two scores of the same segments, as points or as a grid, with the largest disagreements."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bleu_core.arrays import Floats, Integers
from bleu_core.inference import DECIMALS

#: Size of the grid.
COLUMNS, ROWS = 60, 40


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scatter:
    """The n entries, (system, segment), that have both scores, and the C cells of a grid that contain them.

    Attributes:
        segments: number of segments S of each system.
        entry: (n,) system * S + segment, both from 0, ascending.
        x, y: (n,) the metric's score and the rating.
        x_percentile, y_percentile: (n,) fraction of the entries that are worse, plus half of those that are equal.
        cell: (n,) number of the cell of each entry.
        column, row: (C,) positions of the nonempty cells, from 0, row by row.
        counts: (C,) number of entries in each cell.
        first: (C,) first entry in each cell, as a position in `entry`.
        x_start, x_step, y_start, y_step: centre of the first column and row, and the distance between neighbours.
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
        """Return the position of an entry by system and segment, both from 0; None if it lacks a score."""
        code = system * self.segments + segment
        position = int(np.searchsorted(self.entry, code))
        return position if position < self.size and self.entry[position] == code else None

    def members(self, cell: int) -> Integers:
        """Return the positions of the entries in a cell, by system and segment."""
        return np.flatnonzero(self.cell == cell)

    def furthest(self, count: int) -> Integers:
        """Return the positions of the entries with the largest percentile differences, ties in their order."""
        differences = np.abs(self.x_percentile - self.y_percentile).round(DECIMALS)
        return np.argsort(-differences, kind="stable")[:count]


def scatter(
    metric: Floats, human: Floats, *, higher_is_better: bool = True, columns: int = COLUMNS, rows: int = ROWS
) -> Scatter:
    """Assign the entries that have both scores to the cells of a grid over their range.

    Args:
        metric: (K, S) scores; NaN if missing.
        human: (K, S) ratings, higher is better.
        higher_is_better: whether higher scores of the metric are better.
        columns: number of columns, over the metric's range.
        rows: number of rows, over the ratings' range.

    Raises:
        ValueError: the shapes differ.
    """
    if metric.shape != human.shape or metric.ndim != 2:  # noqa: PLR2004 # systems and segments
        raise ValueError(f"shapes {metric.shape} and {human.shape} found, (systems, segments) expected for both")
    entry = np.flatnonzero(np.isfinite(metric) & np.isfinite(human)).astype(np.int64)
    x, y = metric.ravel()[entry], human.ravel()[entry]
    column, x_start, x_step = _bins(x, columns)
    row, y_start, y_step = _bins(y, rows)
    cells, first, cell, counts = np.unique(
        row * columns + column, return_index=True, return_inverse=True, return_counts=True
    )
    oriented = x if higher_is_better else -x
    return Scatter(
        segments=metric.shape[1],
        entry=entry,
        x=x,
        y=y,
        x_percentile=_percentiles(oriented),
        y_percentile=_percentiles(y),
        cell=cell.astype(np.int64),
        column=cells % columns,
        row=cells // columns,
        counts=counts.astype(np.int64),
        first=first.astype(np.int64),
        x_start=x_start,
        x_step=x_step,
        y_start=y_start,
        y_step=y_step,
    )


def _bins(values: Floats, bins: int) -> tuple[Integers, float, float]:
    """Return the bin of each value, the centre of the first bin and the width; constant values have one bin."""
    if not len(values):
        return np.zeros(0, np.int64), 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    width = (high - low) / bins
    if not low < low + width < high:  # neighbouring floats have no values in between
        return np.zeros(len(values), np.int64), low, 1.0
    places = np.minimum(((values - low) / width).astype(np.int64), bins - 1)  # the highest value is on the last edge
    return places, low + width / 2, width


def _percentiles(values: Floats) -> Floats:
    from scipy import stats  # loaded when first needed: it costs more than scoring

    if not len(values):
        return values
    ranks = np.asarray(stats.rankdata(values.round(DECIMALS)), np.float64)
    return (ranks - 0.5) / len(values)
