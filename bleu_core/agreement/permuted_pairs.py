"""Kendall's tau and pairwise accuracy of two metrics under many random swaps of their scores, for long groups.

The polynomial of permuted_order has a coefficient for each pair of entries, too many for long groups. But after swaps,
a metric has n of the 2n scores of both metrics, so that pairs are counted in many subsets of the same 2n points (x, y),
x a score and y the rating of its entry. With m = 1 for the points of a subset, else 0, its concordant minus discordant
pairs are

    1/2 m K m    with K_ij = sign(x_i - x_j) sign(y_i - y_j)

and those of the other points, 1 - m, are 1/2 (m K m - 2 m K 1 + 1 K 1), so that K m and K 1 give both metrics' counts.

The product K m is computed in three parts. Points are put in blocks of neighbouring values, once by y and once by x.
Points in the same block by y have a small matrix per block, and so have other points in the same block by x. For all
other pairs, the signs depend only on the blocks, and it suffices to count the points of each subset by both blocks.
The time per subset is proportional to n**1.5, but in matrix products, which for thousands of entries take less time
than sorting them.

All matrices have integers that float32 represents exactly, and sums over all points are computed in float64.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, TypeVar

import numpy as np
import numpy.typing as npt

from bleu_core.agreement.segment_agreement import mean_of_groups, quotient
from bleu_core.arrays import Floats, Integers

#: Minimum number of values in a block; a more frequent value has a block of its own. Longer groups have larger blocks.
MIN_BLOCK = 64

_Bools = npt.NDArray[np.bool_]
_Exact = npt.NDArray[np.float32]
_Count = TypeVar("_Count", np.float32, np.uint8)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SwappedPoints:
    """Counts over two metrics' pairs of entries as functions of swaps, for G groups of n entries.

    Attributes:
        present: (G, n) whether there are scores.
        points: number and points of each group with a pair of entries.
        method: of the coefficient.
    """

    present: _Bools
    points: tuple[tuple[int, _Points], ...]
    method: Literal["kendall", "pairwise-accuracy"]

    def deltas(self, swapped: _Bools) -> Floats:
        """Return first minus second metric's coefficient, (trials,), after swaps (trials, G, n)."""
        trials, groups, _ = swapped.shape
        coefficients = np.full((2, groups, trials), np.nan)
        for group, points in self.points:
            coefficients[:, group] = points.coefficients(swapped[:, group, self.present[group]], self.method)
        return mean_of_groups(coefficients[0]) - mean_of_groups(coefficients[1])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Points:
    """The scores of two metrics of the n entries of a group as 2n points, those of the first metric first.

    Attributes:
        x, y: (2n,) ranks of scores and ratings, the same for equal values.
        blocks: (2,) number of blocks by x and by y.
        cells: (2n,) number of the block by x, times the number of blocks by y, plus number of the block by y.
        parts: for pairs in the same block by y, and for others in the same block by x: (blocks, w) positions of the
            points of a block, filled with 2n; and (blocks, w, w) the elements of K.
    """

    x: Integers
    y: Integers
    blocks: tuple[int, int]
    cells: Integers
    parts: tuple[tuple[Integers, _Exact], tuple[Integers, _Exact]]

    @classmethod
    def of(cls, metric_a: Floats, metric_b: Floats, human: Floats) -> _Points:
        size = max(MIN_BLOCK, math.isqrt(2 * len(human)) // 2)
        x, x_blocks = _ranks_and_blocks(np.append(metric_a, metric_b), size)
        y, y_blocks = _ranks_and_blocks(np.append(human, human), size)
        blocks = int(x_blocks.max()) + 1, int(y_blocks.max()) + 1
        return cls(
            x=x,
            y=y,
            blocks=blocks,
            cells=x_blocks * blocks[1] + y_blocks,
            parts=(_part(y_blocks, (x, y), size), _part(x_blocks, (x, y_blocks), size)),
        )

    def coefficients(self, swapped: _Bools, method: Literal["kendall", "pairwise-accuracy"]) -> Floats:
        """Return both metrics' coefficients (2, trials) after swaps (trials, n)."""
        trials, entries = swapped.shape
        # The last subset has all points, and the last point is in no subset.
        members = np.zeros((2 * entries + 1, trials + 1), np.float32)
        members[entries:-1, :-1] = swapped.T
        members[:entries, :-1] = 1 - members[entries:-1, :-1]
        members[:-1, -1] = 1
        concordance = self._concordance(members)
        pairs = entries * (entries - 1) / 2
        tied, tied_human = _tied(self.x, members), _pairs(np.bincount(self.y) / 2).sum()
        if method == "kendall":
            return quotient(concordance, np.sqrt(pairs - tied) * np.sqrt(pairs - tied_human))
        tied_both = _tied(self.x * len(self.y) + self.y, members)
        concordant = (pairs - tied - tied_human + tied_both + concordance) / 2
        return quotient(concordant + tied_both, np.full_like(concordant, pairs))

    def _concordance(self, members: _Exact) -> Floats:
        """Return concordant minus discordant pairs (2, trials) of the subsets but the last, and of the other points."""
        concordance = np.zeros((2, members.shape[1] - 1))
        for chosen, products in self._products(members):
            squares = np.einsum("bwt,bwt->t", chosen, products, dtype=np.float64)  # m K m
            sums = np.einsum("bwt,bw->t", chosen, products[..., -1], dtype=np.float64)  # m K 1
            concordance[0] += squares[:-1] / 2
            concordance[1] += squares[:-1] / 2 - sums[:-1] + sums[-1] / 2
        return concordance

    def _products(self, members: _Exact) -> Iterator[tuple[_Exact, _Exact]]:
        """Yield m and K m by part of K, both (blocks, w, subsets)."""
        for positions, signs in self.parts:
            chosen = members[positions]
            yield chosen, signs @ chosen
        x_blocks, y_blocks = self.blocks
        chosen = counts_by_label(self.cells, x_blocks * y_blocks, members[:-1]).reshape(x_blocks, y_blocks, -1)
        up_to = np.array(list(accumulate(chosen)))  # much faster than cumsum along the first axis
        numbers = np.arange(y_blocks, dtype=np.float32)
        yield chosen, np.sign(numbers[:, None] - numbers) @ (2 * up_to - chosen - up_to[-1])


def swapped_points(
    metric_a: Floats, metric_b: Floats, human: Floats, method: Literal["kendall", "pairwise-accuracy"]
) -> SwappedPoints:
    """Divide the points of each group into blocks.

    Args:
        metric_a: (G, n) rounded scores; NaN if missing.
        metric_b: scores by the other metric, with the same missing values.
        human: ratings, with the same missing values.
        method: of the coefficient.
    """
    present = np.isfinite(human)
    points = tuple(
        (group, _Points.of(a[known], b[known], y[known]))
        for group, (a, b, y, known) in enumerate(zip(metric_a, metric_b, human, present, strict=True))
        if known.sum() > 1
    )
    return SwappedPoints(present=present, points=points, method=method)


def counts_by_label(labels: Integers, number: int, members: npt.NDArray[_Count]) -> npt.NDArray[_Count]:
    """Count the points of subsets by label.

    Args:
        labels: (N,) label of each point, from 0.
        number: of labels.
        members: (N, subsets) 1 for points of a subset, else 0.

    Returns:
        (number, subsets) in the type of members, which must hold the counts.
    """
    from scipy import sparse  # loaded when first needed: it costs more than scoring

    points = len(labels)
    has_label = (np.ones(points, members.dtype), labels, np.arange(points + 1))  # a column per point
    return np.asarray(sparse.csc_array(has_label, shape=(number, points)) @ members)


def _ranks_and_blocks(values: Floats, size: int) -> tuple[Integers, Integers]:
    """Return the ranks of values, and the numbers of their blocks of at least some size, in the same order."""
    _, ranks, frequencies = np.unique(values, return_inverse=True, return_counts=True)
    starts = np.cumsum(frequencies) - frequencies
    numbers = 2 * (starts // size) + (frequencies > size)
    return ranks, np.unique(numbers, return_inverse=True)[1][ranks]


def _part(blocks: Integers, ranks: tuple[Integers, Integers], size: int) -> tuple[Integers, _Exact]:
    """Return the positions of the points of each block, and the products of the signs of their differences.

    Larger blocks, which consist of one value, are left out.
    """
    sizes: Integers = np.bincount(blocks)
    starts = (np.cumsum(sizes) - sizes)[sizes < 2 * size, None]
    sizes = sizes[sizes < 2 * size, None]
    columns = np.arange(int(sizes.max(initial=0)))
    order = np.append(np.argsort(blocks, kind="stable"), np.zeros_like(columns))
    positions = np.where(columns < sizes, order[starts + columns], len(blocks))
    first, second = (np.append(values, 0).astype(np.float32)[positions] for values in ranks)
    signs = np.sign((first[:, :, None] - first[:, None, :]) * (second[:, :, None] - second[:, None, :]))
    return positions, signs


def _tied(labels: Integers, members: _Exact) -> Floats:
    """Return the pairs (2, trials) with equal labels in the subsets but the last, and in their complements."""
    _, labels, frequencies = np.unique(labels, return_inverse=True, return_counts=True)
    is_shared = frequencies > 1
    points = np.flatnonzero(is_shared[labels])
    numbers = np.cumsum(is_shared) - 1
    counts = counts_by_label(numbers[labels[points]], int(is_shared.sum()), members[points]).astype(np.float64)
    both = np.stack((counts[:, :-1], counts[:, -1:] - counts[:, :-1]))
    return _pairs(both).sum(axis=1)


def _pairs(counts: Floats) -> Floats:
    return counts * (counts - 1) / 2
