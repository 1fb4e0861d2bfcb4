"""Tie-calibrated accuracy of two metrics under many random swaps of their scores.

The direct method, calibrated_accuracy for each trial, sorts the differences of all pairs in each trial. But under swaps
a pair has only four possible differences, depending on which of its two scores are swapped. So the differences of all
pairs are sorted once, and each trial selects those that apply.

With a threshold above all differences every pair is a tie, and the accuracy is the share of pairs that judges tie,
whatever is swapped. As the threshold decreases, each pair whose difference it passes is no longer a tie: the accuracy
increases if the metric orders the pair as judges do, decreases if judges tie it, and is unchanged otherwise. The
maximum of the cumulative sum of these gains is the gain at the best threshold.

The sorted differences are divided into blocks. The sum of a block's gains is computed for many trials at once, from the
numbers of differences that apply by block and gain; and so is the sum of its positive gains, which the cumulative sum
cannot exceed within the block. Only in blocks where this bound exceeds all sums at the ends of blocks is the cumulative
sum itself computed: in a few of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.agreement.permuted_pairs import counts_by_label
from bleu_core.agreement.segment_agreement import grouped, tie_gains
from bleu_core.arrays import Floats, Integers
from bleu_core.inference import DECIMALS

#: Maximum number of pairs, which take some 600 MB; with more, the direct method is used.
MAX_PAIRS = 2_000_000

#: Accuracy 1 as an integer: cumulative sums of integers are exact.
ACCURACY_SCALE = 2**62

#: Number of differences in a block, of which uint8 can count those that apply.
BLOCK = 128

#: Approximate number of differences of all trials that are selected at once.
BATCH_DIFFERENCES = 8_000_000

_Bools = npt.NDArray[np.bool_]
_Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SwappedPairs:
    """The n possible differences of the pairs of N entries, four per pair, in blocks, filled with gains of 0.

    Attributes:
        first, second: (n,) points of each difference, an entry's number or N more for its second score, in the order of
            size, largest first.
        values: (k,) distinct changes of the accuracy, in units of 1 / ACCURACY_SCALE, when a pair stops being a tie.
        kinds: (n,) number of the change for each difference.
        is_last: (n,) whether the next difference is smaller: a threshold passes equal differences together.
    """

    first: Integers
    second: Integers
    values: Integers
    kinds: Integers
    is_last: _Bools

    def deltas(self, swapped: _Bools) -> Floats:
        """Return first minus second metric's accuracy, (trials,), after swaps (trials, groups, n)."""
        swaps = swapped.reshape(len(swapped), -1)
        size = 8 * max(1, BATCH_DIFFERENCES // max(8 * len(self.kinds), 1))
        return np.concatenate([self._deltas(swaps[k : k + size]) for k in range(0, len(swaps), size)])

    def _deltas(self, swapped: _Bools) -> Floats:
        """Return the differences (trials,) after swaps (trials, N)."""
        is_second = np.packbits(np.ascontiguousarray(swapped.T), axis=1)
        points = np.concatenate((~is_second, is_second))  # bits: the trials in which the first metric has the score
        first, second = points.take(self.first, axis=0), points.take(self.second, axis=0)
        # The second metric has the other scores.
        gains = [self._max_gains(applies)[: len(swapped)] for applies in (first & second, ~(first | second))]
        return (gains[0] - gains[1]) / ACCURACY_SCALE

    def _max_gains(self, applies: _Bytes) -> Integers:
        """Return the gains (trials,) at the best thresholds.

        Args:
            applies: (n, bytes) bits of trials, whether each difference applies.
        """
        n, k = len(self.kinds), len(self.values)
        selected = np.unpackbits(applies).reshape(n, 8 * applies.shape[1])
        cells = np.arange(n) // BLOCK * k + self.kinds
        counts = counts_by_label(cells, n // BLOCK * k, selected).reshape(n // BLOCK, k, selected.shape[1])
        totals, increases = (np.einsum("bkt,k->bt", counts, v) for v in (self.values, np.maximum(self.values, 0)))
        ends = np.cumsum(totals, axis=0)
        starts = ends - totals
        best = np.where(self.is_last[BLOCK - 1 :: BLOCK, None], ends, 0).max(axis=0, initial=0)
        blocks, trials = np.nonzero(starts + increases > best)
        rows = BLOCK * blocks[:, None] + np.arange(BLOCK)
        gains = self.values[self.kinds[rows]] * selected[rows, trials[:, None]]
        sums = starts[blocks, trials, None] + np.cumsum(gains, axis=1)
        np.maximum.at(best, trials, np.where(self.is_last[rows], sums, 0).max(axis=1, initial=0))
        return best


def swapped_pairs(metric_a: Floats, metric_b: Floats, human: Floats) -> SwappedPairs | None:
    """Sort all possible differences of the pairs of two metrics.

    Args:
        metric_a: (groups, n) scores; NaN if missing.
        metric_b: scores by the other metric, with the same missing values.
        human: ratings, with the same missing values.

    Returns:
        None if there are too many pairs.
    """
    (a, y), (b, _) = grouped(metric_a, human, "system"), grouped(metric_b, human, "system")
    groups, size = y.shape
    if groups * (size * (size - 1) // 2) > MAX_PAIRS:
        return None
    present = np.isfinite(y)
    left, right = np.triu_indices(size, k=1)
    group, pair = np.nonzero(present[:, left] & present[:, right])
    first, second = group * size + left[pair], group * size + right[pair]
    points, ratings = np.append(a, b), y.ravel()
    human_differences = np.tile(ratings[first] - ratings[second], 4)
    first = np.concatenate((first, first, first + y.size, first + y.size))
    second = np.tile(np.append(second, second + y.size), 2)
    differences = np.round(points[first] - points[second], DECIMALS)
    gains = -tie_gains(differences, human_differences)
    counts = np.bincount(group, minlength=groups)
    shares = ACCURACY_SCALE // max(np.count_nonzero(counts), 1) // np.maximum(counts, 1)
    order = np.flatnonzero(gains)
    order = order[np.argsort(-np.abs(differences[order]))]
    is_last = np.append(np.diff(np.abs(differences[order])) != 0, True)[: len(order)]
    fill = 0, -len(order) % BLOCK
    scaled_gains = np.multiply(gains[order], shares[np.tile(group, 4)[order]], dtype=np.int64)
    values, kinds = np.unique(np.pad(scaled_gains, fill), return_inverse=True)
    return SwappedPairs(
        first=np.pad(first[order], fill),
        second=np.pad(second[order], fill),
        values=values,
        kinds=kinds,
        is_last=np.pad(is_last, fill),
    )
