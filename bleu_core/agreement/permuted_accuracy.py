"""Tie-calibrated accuracy of two metrics under many random swaps of their scores.

The direct method, calibrated_accuracy for each trial, sorts the differences of all pairs in each trial. But under swaps
a pair has only four possible differences, depending on which of its two scores are swapped. So the differences of all
pairs are sorted once, and each trial selects those that apply.

With a threshold above all differences every pair is a tie, and the accuracy is the share of pairs that judges tie,
whatever is swapped. As the threshold decreases, each pair whose difference it passes is no longer a tie: the accuracy
increases if the metric orders the pair as judges do, decreases if judges tie it, and is unchanged otherwise. The
maximum of the cumulative sum of these gains is the gain at the best threshold.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.agreement.segment_agreement import grouped, tie_gains
from bleu_core.arrays import Floats, Integers
from bleu_core.inference import DECIMALS

#: Maximum number of pairs, which take some 600 MB; with more, the direct method is used.
MAX_PAIRS = 2_000_000

#: Accuracy 1 as an integer: cumulative sums of integers are exact and eight times as fast as those of floats.
ACCURACY_SCALE = 2**62

_Swaps = npt.NDArray[np.bool_]
_States = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SwappedPairs:
    """P pairs of entries with n differences; each pair has four states, 2 * (first swapped) + (second swapped).

    Attributes:
        first, second: (P,) positions of each pair's entries.
        pairs, states: (n,) pair and state of each difference, sorted by size, largest first.
        gains: (n,) change of the accuracy, in units of 1 / ACCURACY_SCALE, when the pair stops being a tie.
    """

    first: Integers
    second: Integers
    pairs: Integers
    states: _States
    gains: Integers

    def deltas(self, swapped: _Swaps) -> Floats:
        """Return first minus second metric's accuracy, (trials,), after swaps (trials, groups, n)."""
        trials = swapped.reshape(len(swapped), -1).view(np.uint8)
        return np.array([self._delta(trial) for trial in trials])

    def _delta(self, swapped: _States) -> float:
        current_states = (2 * swapped[self.first] + swapped[self.second])[self.pairs]
        # The second metric has the other scores: its pairs are in the complementary states.
        return (
            self._max_gain(current_states == self.states) - self._max_gain(current_states == 3 - self.states)
        ) / ACCURACY_SCALE

    def _max_gain(self, applies: npt.NDArray[np.bool_]) -> int:
        return int(np.cumsum(self.gains * applies).max(initial=0))


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
    a, b, y = a.ravel(), b.ravel(), y.ravel()
    differences = np.stack([x[first] - z[second] for x in (a, b) for z in (a, b)], axis=1)
    differences = np.round(differences, DECIMALS).ravel()
    gains = tie_gains(differences, np.repeat(y[first] - y[second], 4))

    # A threshold passes equal differences together: losses are sorted first, so that no partial sum is too large.
    differing = np.flatnonzero(gains)
    order = differing[np.lexsort((-gains[differing], -np.abs(differences[differing])))]
    pairs, states = np.divmod(order, 4)
    counts = np.bincount(group, minlength=groups)
    shares = ACCURACY_SCALE // max(np.count_nonzero(counts), 1) // np.maximum(counts, 1)
    scaled_gains = np.multiply(-gains[order], shares[group[pairs]], dtype=np.int64)
    return SwappedPairs(first=first, second=second, pairs=pairs, states=states.astype(np.uint8), gains=scaled_gains)
