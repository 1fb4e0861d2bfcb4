"""The best path through two texts: which of their lines belong together, and which are missing, surplus, split or joined.

Dynamic programming over the rows of one text and the columns of the other, with five steps: a row and a column; a row and
two columns; two rows and a column; a row alone; columns alone. Of all pairs of lines only those in a band are compared:
row i and column i + d, where d is near 0 or near the difference between the numbers of lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from bleu_core.segments.line_likeness import Scores

Costs = npt.NDArray[np.float64]

#: Cost of the first line of a run that is in one text only, beside the cost of each line.
OPEN = 6.0
#: Cost of a line that is two lines in the other text.
MERGE = 7.5

#: Lines beyond 0 and beyond the difference in numbers that the band has at first, and how much wider it gets.
_MARGIN, _WIDER = 8, 4
#: Cells of the widest band.
_MOST_CELLS = 4_000_000
#: A sum of scores below this in a stretch of the path is reason to look further away.
_UNEXPLAINED = -25.0
#: Rows that fit at one distance better than at all others, by this in sum, are on the best path: to leave it and to come
#: back costs less.
_CERTAIN = 60.0
#: Rows at each end of such a stretch that the path may still miss.
_ENDS = 3

_BOTH, _TWO_COLUMNS, _TWO_ROWS, _ROW, _COLUMNS = range(5)


@dataclass(frozen=True, slots=True)
class Step:
    """Rows and columns of the path that do not belong together one by one; of one of both there may be none."""

    rows: range
    columns: range


@dataclass(frozen=True, slots=True)
class Path:
    """The best path.

    Attributes:
        steps: all but those of a row and a column.
        score: sum of all scores, less the costs.
        likeness: mean score of the rows; below 0 for texts that have nothing in common.
        gain: how much better the path is than that of row i and column i; infinite where the numbers differ.
    """

    steps: tuple[Step, ...]
    score: float
    likeness: float
    gain: float


@dataclass(frozen=True, slots=True)
class _Band:
    """Scores (rows, width) at some distances between row and column, ascending."""

    distances: npt.NDArray[np.int64]
    both: Scores
    two_columns: Scores
    two_rows: Scores


def best_path(
    rows: int,
    columns: int,
    band: Callable[[int, int], tuple[Scores, Scores, Scores]],
    row_costs: Costs,
    column_costs: Costs,
) -> Path:
    """Find the best path; there are as many columns as rows, or more.

    Args:
        rows: their number.
        columns: their number.
        band: scores of all rows i and columns i + d, for all d from one number to another, as Likeness.band.
        row_costs: of each row alone, beside OPEN for the first of a run.
        column_costs: of each column alone, likewise.
    """
    margin, extra = _MARGIN, columns - rows
    while True:
        spans = _spans(margin, rows, columns)
        found = [band(low, high) for low, high in spans]
        distances = np.concatenate([np.arange(low, high + 1) for low, high in spans])
        of_band = _Band(distances, *(np.concatenate(parts, axis=1) for parts in zip(*found, strict=True)))
        steps, row_scores, row_distances, cost = _search(of_band, extra, row_costs, column_costs)
        edges = {edge for span in spans for edge in span} - {-rows, columns}
        touches = bool(np.isin(row_distances, list(edges)).any())
        wider = _spans(margin * _WIDER, rows, columns)
        cells = rows * sum(high - low + 1 for low, high in wider)
        if wider == spans or cells > _MOST_CELLS or not (touches or _worst_stretch(row_scores) < _UNEXPLAINED):
            break
        margin *= _WIDER
    score = float(row_scores.sum()) - cost
    straight = float(of_band.both[:, np.searchsorted(distances, 0)].sum(dtype=np.float64)) if not extra else -np.inf
    return Path(tuple(steps), score, float(row_scores.mean()), score - straight)


def _spans(margin: int, rows: int, columns: int) -> list[tuple[int, int]]:
    """The distances near 0 and near the difference in numbers, as one span or two."""
    extra = columns - rows
    first = max(-margin, -rows), min(margin, columns)
    last = max(extra - margin, -rows), min(extra + margin, columns)
    return [(first[0], last[1])] if last[0] <= first[1] + 1 else [first, last]


def _worst_stretch(scores: npt.NDArray[np.float64]) -> float:
    """The least sum of consecutive scores; 0 if all are positive."""
    sums = np.concatenate([[0.0], np.cumsum(scores)])
    return float((sums - np.maximum.accumulate(sums)).min())


def _search(
    band: _Band, extra: int, row_costs: Costs, column_costs: Costs
) -> tuple[list[Step], npt.NDArray[np.float64], npt.NDArray[np.int64], float]:
    """The best path in the band.

    Returns:
        Its steps; for each row its score, and its distance to the column (the first one of two); the costs of the path.
    """
    rows = len(band.both)
    row_scores, row_distances = np.zeros(rows), np.zeros(rows, dtype=np.int64)
    node = 0, int(np.searchsorted(band.distances, 0))
    steps: list[Step] = []
    cost = 0.0
    last = int(np.searchsorted(band.distances, extra))
    for start, stop, k in [*_certain_rows(band.both), (rows, rows, last)]:
        nearer = int(band.distances[node[1]] - band.distances[k])
        if nearer > start - node[0] or (nearer > 0 and nearer != node[1] - k):
            continue  # no path leads there
        if node != (start, k):
            cost += _trace(band, node, (start, k), row_costs, column_costs, steps, row_scores, row_distances)
        row_scores[start:stop] = band.both[start:stop, k]
        row_distances[start:stop] = band.distances[k]
        node = stop, k
    return steps, row_scores, row_distances, cost


def _certain_rows(both: Scores) -> Iterator[tuple[int, int, int]]:
    """Stretches of rows that are on the best path at one distance: their first row, the end, the distance's position."""
    if both.shape[1] == 1:
        yield 0, len(both), 0
        return
    best = both.argmax(axis=1)
    second, first = np.partition(both, -2, axis=1)[:, -2:].T
    lead = np.where(np.isfinite(second), first - second, 0.0)
    breaks = np.flatnonzero((best[1:] != best[:-1]) | (lead[1:] <= 0) | (lead[:-1] <= 0)) + 1
    sums = np.concatenate([[0.0], np.cumsum(lead, dtype=np.float64)])
    for start, stop in pairwise([0, *breaks.tolist(), len(both)]):
        if sums[stop] - sums[start] > _CERTAIN and stop - start > 2 * _ENDS:
            yield start + _ENDS, stop - _ENDS, int(best[start])


def _trace(
    band: _Band,
    start: tuple[int, int],
    stop: tuple[int, int],
    row_costs: Costs,
    column_costs: Costs,
    steps: list[Step],
    row_scores: npt.NDArray[np.float64],
    row_distances: npt.NDArray[np.int64],
) -> float:
    """Find the best path between two nodes, add its steps, and fill in the scores and distances of its rows.

    A node is the number of rows before it, and the position of the distance to the number of columns before it.

    Returns:
        The costs of the path.
    """
    distances = band.distances
    first, width, count = start[0], len(distances), stop[0] - start[0]
    skipped = np.concatenate([[0.0], np.cumsum(column_costs)])
    next_is_one_more = np.diff(distances) == 1
    positions = np.arange(width)
    came = np.zeros((count + 1, width), dtype=np.int8)
    jumped = np.zeros((count + 1, width), dtype=np.int32)
    opened = np.ones((count + 1, width), dtype=bool)

    def skip_columns(row: int, best: npt.NDArray[np.float64]) -> None:
        """Add the steps of columns alone."""
        columns = skipped[np.clip(first + row + distances, 0, len(column_costs))]
        sums = best + columns
        highest = np.maximum.accumulate(sums)
        source = np.maximum.accumulate(np.where(sums == highest, positions, 0))
        after = highest - columns - OPEN
        better = after > best
        best[better] = after[better]
        came[row, better] = _COLUMNS
        jumped[row] = source

    before_last = np.full(width, -np.inf)
    last = before_last.copy()
    last[start[1]] = 0.0
    skip_columns(0, last)
    run = before_last.copy()  # the best path that ends with a row alone
    for row in range(1, count + 1):
        i = first + row - 1
        options = np.full((4, width), -np.inf)
        options[_BOTH] = last + band.both[i]
        options[_TWO_COLUMNS, 1:] = np.where(next_is_one_more, last[:-1] + band.two_columns[i, :-1] - MERGE, -np.inf)
        if row > 1:
            options[_TWO_ROWS, :-1] = np.where(
                next_is_one_more, before_last[1:] + band.two_rows[i - 1, 1:] - MERGE, -np.inf
            )
        opening, going_on = last[1:] - OPEN, run[1:]
        opened[row, :-1] = opening >= going_on
        run = np.full(width, -np.inf)
        run[:-1] = np.where(next_is_one_more, np.maximum(opening, going_on) - row_costs[i], -np.inf)
        options[_ROW] = run
        came[row] = options.argmax(axis=0)
        best = options[came[row], positions]
        skip_columns(row, best)
        before_last, last = last, best

    cost, row, k, in_run = 0.0, count, stop[1], False
    found: list[Step] = []
    while (row, k) != (0, start[1]):
        i, column = first + row, int(first + row + distances[k])
        step = _ROW if in_run else int(came[row, k])
        in_run = False
        if step == _COLUMNS:
            source = int(jumped[row, k])
            found.append(Step(range(i, i), range(column - int(distances[k] - distances[source]), column)))
            cost += OPEN + float(skipped[column] - skipped[found[-1].columns.start])
            k = source
        elif step == _ROW:
            found.append(Step(range(i - 1, i), range(column, column)))
            row_distances[i - 1] = distances[k]
            in_run = not opened[row, k]
            cost += float(row_costs[i - 1]) + (0.0 if in_run else OPEN)
            row, k = row - 1, k + 1
        elif step == _BOTH:
            row_scores[i - 1], row_distances[i - 1] = band.both[i - 1, k], distances[k]
            row -= 1
        elif step == _TWO_COLUMNS:
            found.append(Step(range(i - 1, i), range(column - 2, column)))
            row_scores[i - 1], row_distances[i - 1] = band.two_columns[i - 1, k - 1], distances[k - 1]
            cost += MERGE
            row, k = row - 1, k - 1
        else:
            found.append(Step(range(i - 2, i), range(column - 1, column)))
            row_scores[i - 2] = band.two_rows[i - 2, k + 1]
            row_distances[i - 2 : i] = distances[k + 1]
            cost += MERGE
            row, k = row - 2, k + 1
    steps += _runs_joined(found[::-1])
    return cost


def _runs_joined(steps: Sequence[Step]) -> Iterator[Step]:
    """The steps, with rows alone that follow each other as one."""
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
