"""The best path through two texts, which aligns their lines, and shows missing, surplus, split and joined ones.

Dynamic programming over the rows of one text and the columns of the other, with five steps: a row and a column; a row
and two columns; two rows and a column; a row alone; columns alone. Of all pairs of lines only those in a band are
compared: row i and column i + d, where d is near 0 or near the difference between the numbers of lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from bleu_core.alignment.line_likeness import Scores

Costs = npt.NDArray[np.float64]

#: Cost of starting a run of lines that are in one text only, in addition to the cost of each line.
GAP_OPEN_COST = 3.0
#: Cost of a line that is two lines in the other text.
MERGE_COST = 7.5

#: Initial margin of the band around 0 and around the difference in numbers of lines, and factor by which it is widened.
_INITIAL_MARGIN, _MARGIN_FACTOR = 8, 4
#: Maximum number of cells of a band.
_MAX_CELLS = 4_000_000
#: If the scores of a stretch of the path sum to less than this, the band is widened.
_MIN_STRETCH_SCORE = -25.0
#: Rows that score better at one distance than at all others, by this sum, are on the best path: leaving it and
#: returning costs less.
_CERTAIN_LEAD = 60.0
#: Rows at each end of such a stretch that the path may still avoid.
_UNCERTAIN_ROWS = 3

_BOTH, _TWO_COLUMNS, _TWO_ROWS, _ROW, _COLUMNS = range(5)


@dataclass(frozen=True, slots=True)
class Step:
    """Rows and columns of the path that are not aligned one to one; rows or columns may be empty."""

    rows: range
    columns: range


@dataclass(frozen=True, slots=True)
class Path:
    """The best path.

    Attributes:
        steps: except those of one row and one column.
        likeness: mean score of the rows; below 0 for texts that have nothing in common.
        gain: its scores minus its costs, compared with aligning row i and column i; infinite if the numbers of lines
            differ.
    """

    steps: tuple[Step, ...]
    likeness: float
    gain: float


@dataclass(frozen=True, slots=True, eq=False)
class _Band:
    """Scores (rows, width) at some distances between row and column, ascending."""

    distances: npt.NDArray[np.int64]
    both: Scores
    two_columns: Scores
    two_rows: Scores


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """The last step of the best path to each node; all arrays are (rows + 1, width).

    Attributes:
        last_step: kind of the step.
        source: for columns alone, the position of the distance before them.
        opened: for a row alone, whether it is the first of its run.
    """

    last_step: npt.NDArray[np.int8]
    source: npt.NDArray[np.int32]
    opened: npt.NDArray[np.bool_]


def best_path(
    rows: int,
    columns: int,
    band: Callable[[int, int], tuple[Scores, Scores, Scores]],
    row_costs: Costs,
    column_costs: Costs,
) -> Path:
    """Find the best path; there must not be fewer columns than rows.

    Args:
        rows: number of rows.
        columns: number of columns.
        band: returns scores of all rows i and columns i + d, for a range of d, as Likeness.band.
        row_costs: of each row alone, in addition to GAP_OPEN_COST for the first of a run.
        column_costs: of each column alone, likewise.
    """
    margin, extra = _INITIAL_MARGIN, columns - rows
    while True:
        spans = _spans(margin, rows, columns)
        bands = [band(low, high) for low, high in spans]
        distances = np.concatenate([np.arange(low, high + 1) for low, high in spans])
        scored_band = _Band(distances, *(np.concatenate(parts, axis=1) for parts in zip(*bands, strict=True)))
        search = _Search(scored_band, extra, row_costs, column_costs)
        edges = {edge for span in spans for edge in span} - {-rows, columns}
        touches = bool(np.isin(search.row_distances, list(edges)).any())
        wider = _spans(margin * _MARGIN_FACTOR, rows, columns)
        cells = rows * sum(high - low + 1 for low, high in wider)
        if (
            wider == spans
            or cells > _MAX_CELLS
            or not (touches or _worst_stretch(search.row_scores) < _MIN_STRETCH_SCORE)
        ):
            break
        margin *= _MARGIN_FACTOR
    score = float(search.row_scores.sum()) - search.cost
    straight = float(scored_band.both[:, np.searchsorted(distances, 0)].sum(dtype=np.float64)) if not extra else -np.inf
    return Path(tuple(search.steps), float(search.row_scores.mean()), score - straight)


def _spans(margin: int, rows: int, columns: int) -> list[tuple[int, int]]:
    """Return the ranges of distances near 0 and near the difference in numbers, one or two."""
    extra = columns - rows
    first = max(-margin, -rows), min(margin, columns)
    last = max(extra - margin, -rows), min(extra + margin, columns)
    return [(first[0], last[1])] if last[0] <= first[1] + 1 else [first, last]


def _worst_stretch(scores: npt.NDArray[np.float64]) -> float:
    """Return the minimum sum of consecutive scores; 0 if all are positive."""
    sums = np.concatenate([[0.0], np.cumsum(scores)])
    return float((sums - np.maximum.accumulate(sums)).min())


class _Search:
    """The best path in a band.

    Attributes:
        steps: except those of one row and one column.
        row_scores: of each row on the path.
        row_distances: of each row, to its column, or to the first one of two.
        cost: of the path.
    """

    def __init__(self, band: _Band, extra: int, row_costs: Costs, column_costs: Costs) -> None:
        self._band, self._row_costs = band, row_costs
        self._skipped = np.concatenate([[0.0], np.cumsum(column_costs)])
        self._is_next = np.diff(band.distances) == 1  # whether the next distance is greater by one
        rows = len(band.both)
        self.steps: list[Step] = []
        self.row_scores, self.row_distances = np.zeros(rows), np.zeros(rows, dtype=np.int64)
        self.cost = 0.0
        # A node is the number of rows before it, and the position of the distance to the number of columns before it.
        node = 0, int(np.searchsorted(band.distances, 0))
        last = int(np.searchsorted(band.distances, extra))
        for start, stop, k in [*_certain_rows(band.both), (rows, rows, last)]:
            nearer = int(band.distances[node[1]] - band.distances[k])
            if nearer > start - node[0] or (nearer > 0 and nearer != node[1] - k):
                continue  # it cannot be reached
            if node != (start, k):
                self._trace(node, (start, k), self._fill(node, start - node[0]))
            self.row_scores[start:stop] = band.both[start:stop, k]
            self.row_distances[start:stop] = band.distances[k]
            node = stop, k

    def _fill(self, start: tuple[int, int], count: int) -> _Table:
        """Find the best path from a node to all nodes of the following rows."""
        band, first, width = self._band, start[0], len(self._band.distances)
        table = _Table(
            last_step=np.zeros((count + 1, width), dtype=np.int8),
            source=np.zeros((count + 1, width), dtype=np.int32),
            opened=np.ones((count + 1, width), dtype=bool),
        )
        positions = np.arange(width)
        unreachable = np.full(width, -np.inf)
        before_last, last = unreachable, unreachable.copy()
        last[start[1]] = 0.0
        self._skip_columns(first, last, table.last_step[0], table.source[0])
        run = unreachable  # the best path that ends with a row alone
        for row in range(1, count + 1):
            i = first + row - 1
            options = np.full((4, width), -np.inf)
            options[_BOTH] = last + band.both[i]
            joined = last[:-1] + band.two_columns[i, :-1] - MERGE_COST
            options[_TWO_COLUMNS, 1:] = np.where(self._is_next, joined, -np.inf)
            if row > 1:
                joined = before_last[1:] + band.two_rows[i - 1, 1:] - MERGE_COST
                options[_TWO_ROWS, :-1] = np.where(self._is_next, joined, -np.inf)
            opening, continuing = last[1:] - GAP_OPEN_COST, run[1:]
            table.opened[row, :-1] = opening >= continuing
            longer = np.maximum(opening, continuing) - self._row_costs[i]
            options[_ROW, :-1] = np.where(self._is_next, longer, -np.inf)
            run = options[_ROW]
            table.last_step[row] = options.argmax(axis=0)
            before_last, last = last, options[table.last_step[row], positions]
            self._skip_columns(first + row, last, table.last_step[row], table.source[row])
        return table

    def _skip_columns(
        self, row: int, best: npt.NDArray[np.float64], last_step: npt.NDArray[np.int8], source: npt.NDArray[np.int32]
    ) -> None:
        """Add steps of columns alone to the best paths of a row."""
        columns = self._skipped[np.clip(row + self._band.distances, 0, len(self._skipped) - 1)]
        sums = best + columns
        highest = np.maximum.accumulate(sums)
        source[:] = np.maximum.accumulate(np.where(sums == highest, np.arange(len(sums)), 0))
        after = highest - columns - GAP_OPEN_COST
        better = after > best
        best[better] = after[better]
        last_step[better] = _COLUMNS

    def _trace(self, start: tuple[int, int], stop: tuple[int, int], table: _Table) -> None:
        """Add the steps and scores of the best path between two nodes."""
        band, distances = self._band, self._band.distances
        (row, k), in_run = stop, False
        steps: list[Step] = []
        while (row, k) != start:
            column = int(row + distances[k])
            step = _ROW if in_run else int(table.last_step[row - start[0], k])
            in_run = False
            if step == _COLUMNS:
                k = int(table.source[row - start[0], k])
                steps.append(Step(range(row, row), range(int(row + distances[k]), column)))
                self.cost += GAP_OPEN_COST + float(self._skipped[column] - self._skipped[steps[-1].columns.start])
            elif step == _ROW:
                in_run = not table.opened[row - start[0], k]
                steps.append(Step(range(row - 1, row), range(column, column)))
                self.cost += float(self._row_costs[row - 1]) + (0.0 if in_run else GAP_OPEN_COST)
                self.row_distances[row - 1] = distances[k]
                row, k = row - 1, k + 1
            elif step == _BOTH:
                row -= 1
                self.row_scores[row], self.row_distances[row] = band.both[row, k], distances[k]
            elif step == _TWO_COLUMNS:
                steps.append(Step(range(row - 1, row), range(column - 2, column)))
                self.cost += MERGE_COST
                row, k = row - 1, k - 1
                self.row_scores[row], self.row_distances[row] = band.two_columns[row, k], distances[k]
            else:
                steps.append(Step(range(row - 2, row), range(column - 1, column)))
                self.cost += MERGE_COST
                row, k = row - 2, k + 1
                self.row_scores[row] = band.two_rows[row, k]
                self.row_distances[row : row + 2] = distances[k]
        self.steps += _runs_joined(steps[::-1])


def _certain_rows(both: Scores) -> Iterator[tuple[int, int, int]]:
    """Yield stretches that are certainly on the best path: first row, end, position of the distance."""
    if both.shape[1] == 1:
        yield 0, len(both), 0
        return
    best = both.argmax(axis=1)
    second, first = np.partition(both, -2, axis=1)[:, -2:].T
    lead = np.where(np.isfinite(second), first - second, 0.0)
    breaks = np.flatnonzero((best[1:] != best[:-1]) | (lead[1:] <= 0) | (lead[:-1] <= 0)) + 1
    sums = np.concatenate([[0.0], np.cumsum(lead, dtype=np.float64)])
    for start, stop in pairwise([0, *breaks.tolist(), len(both)]):
        if sums[stop] - sums[start] > _CERTAIN_LEAD and stop - start > 2 * _UNCERTAIN_ROWS:
            yield start + _UNCERTAIN_ROWS, stop - _UNCERTAIN_ROWS, int(best[start])


def _runs_joined(steps: Sequence[Step]) -> Iterator[Step]:
    """Join consecutive steps of rows alone."""
    run: Step | None = None
    for step in steps:
        alone = not step.columns
        if run is not None and alone and run.rows.stop == step.rows.start and run.columns == step.columns:
            run = Step(range(run.rows.start, step.rows.stop), run.columns)
            continue
        if run is not None:
            yield run
        run = step if alone else None
        if not alone:
            yield step
    if run is not None:
        yield run
