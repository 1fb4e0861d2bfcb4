"""Tie-calibrated accuracy of two metrics whose scores are swapped at random, many times.

The plain way, segment_level.calibrated_accuracy a trial at a time, sorts the differences of all pairs in each. But of
a pair a swapped metric has one of only four differences, by which of its two scores were swapped. So those of all
pairs are sorted once, and a trial selects those that are in force.

With a threshold above all differences every pair is a tie, and the accuracy is the share of pairs that people tie,
whatever is swapped. Going down from there, each pair whose difference is passed stops being a tie: it is won where the
metric orders it as people do, lost where people tie it, and wrong before and after otherwise. The largest running sum
of what is won is what the best threshold adds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.agreement.segment_agreement import grouped, tie_gains
from bleu_core.arrays import Floats, Integers
from bleu_core.inference import DECIMALS

#: So many pairs take some 600 MB; more are left to the plain way.
MAX_PAIRS = 2_000_000

#: The accuracy 1 as an integer: running sums of integers take an eighth of the time of floats, and do not drift.
WHOLE = 2**62

_Swaps = npt.NDArray[np.bool_]
_States = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True)
class SwappedPairs:
    """P pairs of entries, each in one of four states, 2 * (first is swapped) + (second is swapped), and n differences.

    Attributes:
        first, second: (P,) the places of a pair's entries among all.
        pairs, states: (n,) which pair has the difference, and in which state; sorted, the largest first.
        won: (n,) what is added to the accuracy, as a share of WHOLE, when that pair is no tie any more.
    """

    first: Integers
    second: Integers
    pairs: Integers
    states: _States
    won: Integers

    def deltas(self, swapped: _Swaps) -> Floats:
        """The first metric's accuracy less the second's, (trials,), after swapping (trials, groups, n)."""
        trials = swapped.reshape(len(swapped), -1).view(np.uint8)
        return np.array([self._delta(trial) for trial in trials])

    def _delta(self, swapped: _States) -> float:
        in_force = (2 * swapped[self.first] + swapped[self.second])[self.pairs]
        # The second metric has what the first has not: its pairs are in the opposite states.
        return (self._best(in_force == self.states) - self._best(in_force == 3 - self.states)) / WHOLE

    def _best(self, in_force: npt.NDArray[np.bool_]) -> int:
        return int(np.cumsum(self.won * in_force).max(initial=0))


def swapped_pairs(one: Floats, other: Floats, human: Floats) -> SwappedPairs | None:
    """Sort all that the pairs of two metrics can differ by.

    Args:
        one: (groups, n) scores, NaN where missing.
        other: the other metric's, missing where the first's are.
        human: ratings, likewise.

    Returns:
        None where there are too many pairs.
    """
    (a, y), (b, _) = grouped(one, human, "system"), grouped(other, human, "system")
    groups, size = y.shape
    if groups * (size * (size - 1) // 2) > MAX_PAIRS:
        return None
    present = np.isfinite(y)
    left, right = np.triu_indices(size, k=1)
    group, pair = np.nonzero(present[:, left] & present[:, right])
    first, second = group * size + left[pair], group * size + right[pair]
    a, b, y = a.ravel(), b.ravel(), y.ravel()
    apart = np.stack([x[first] - z[second] for x in (a, b) for z in (a, b)], axis=1)
    apart = np.round(apart, DECIMALS).ravel()
    gains = tie_gains(apart, np.repeat(y[first] - y[second], 4))

    # Of equal differences, which one threshold passes together, the lost first: then no sum on the way is too large.
    differing = np.flatnonzero(gains)
    order = differing[np.lexsort((-gains[differing], -np.abs(apart[differing])))]
    pairs, states = np.divmod(order, 4)
    counts = np.bincount(group, minlength=groups)
    shares = WHOLE // max(np.count_nonzero(counts), 1) // np.maximum(counts, 1)
    won = np.multiply(-gains[order], shares[group[pairs]], dtype=np.int64)
    return SwappedPairs(first=first, second=second, pairs=pairs, states=states.astype(np.uint8), won=won)
