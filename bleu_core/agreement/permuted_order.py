"""Kendall's tau, pairwise accuracy and Spearman's rho of two metrics under many random swaps of their scores.

The direct method, row_coefficients, compares all pairs of entries in each trial. But under swaps a pair has only four
possible signs, depending on which of its two scores are swapped; so a count over pairs is a polynomial of second degree
in the swaps, m = 1 if a score is swapped, else 0:

    count(m) = constant + sum_i L_i m_i + 1/2 sum_ij Q_ij m_i m_j

with L_i = sum_j (F10 - F00)_ij and Q = F00 - F01 - F10 + F11, where F_uv(i, j) is the contribution of the pair if i (u)
and j (v) are swapped. One matrix product computes the counts of many trials.

Spearman's rho is Pearson's r of ranks. Twice the deviation of an entry's rank from the mean rank is the sum of the
signs of its pairs: a linear function of the others' swaps, one for each of its own two scores.

All factors are integers that float32 represents exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from bleu_core.agreement.permuted_pairs import SwappedPoints, swapped_points
from bleu_core.agreement.segment_agreement import grouped, mean_of_groups, quotient
from bleu_core.arrays import Floats

#: Minimum number of entries in a group for the way of permuted_pairs, from which on it is faster, and maximum number,
#: for which it takes some 300 MB.
MIN_LONG, MAX_LONG = 200, 50_000

#: Maximum number of entries in a group for Spearman's rho, for which sums over pairs are below 2**24.
MAX_ENTRIES = 2000

#: Maximum number of pairs in all groups; about ten arrays of this size with 4 bytes per pair are allocated.
MAX_PAIRS = 8_000_000

_Swaps = npt.NDArray[np.bool_]
_Exact = npt.NDArray[np.float32]
_Ranks = npt.NDArray[np.float32 | np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class _Count:
    """A count over pairs as a polynomial in the swaps: constant (G,), linear (G, n), quadratic (G, n, n)."""

    constant: _Exact
    linear: _Exact
    quadratic: _Exact

    @classmethod
    def of(cls, counted: Callable[[_Exact], _Exact], signs: tuple[_Exact, ...]) -> _Count:
        """Build from the contribution of a pair as a function of its sign, and the signs of its four states."""
        f00, f01, f10, f11 = map(counted, signs)
        return cls(f00.sum(axis=(1, 2)) / 2, (f10 - f00).sum(axis=2), f00 - f01 - f10 + f11)

    def __call__(self, swapped: _Exact) -> Floats:
        """Return the counts (G, trials) for swaps (G, trials, n)."""
        quadratic = np.einsum("gtn,gtn->gt", swapped @ self.quadratic, swapped)
        linear = np.einsum("gtn,gn->gt", swapped, self.linear)
        return (self.constant[:, None] + linear + quadratic / 2).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class SwappedOrder:
    """Counts over two metrics' pairs of entries as functions of swaps, for G groups of n entries.

    Attributes:
        counts: for tau-b, concordant minus discordant pairs, and untied pairs; for the accuracy, pairs in a different
            order than in the ratings.
        fixed: (G, 1) for tau-b, pairs without tied ratings; for the accuracy, all pairs.
    """

    counts: tuple[_Count, ...]
    fixed: Floats

    def deltas(self, swapped: _Swaps) -> Floats:
        """Return first minus second metric's coefficient, (trials,), after swaps (trials, G, n)."""
        swaps = np.ascontiguousarray(swapped.transpose(1, 0, 2), np.float32)
        return self._mean(swaps) - self._mean(1 - swaps)

    def _mean(self, swaps: _Exact) -> Floats:
        """Return the mean (trials,) over the groups that have a coefficient."""
        first, *rest = (count(swaps) for count in self.counts)
        if rest:
            coefficients = quotient(first, np.sqrt(rest[0]) * np.sqrt(self.fixed))
        else:
            coefficients = quotient(self.fixed - first, np.broadcast_to(self.fixed, first.shape))
        return mean_of_groups(coefficients)


@dataclass(frozen=True, slots=True, eq=False)
class SwappedRanks:
    """Ranks of two metrics as functions of swaps, for G groups of n entries; a rank is the sum of its pairs' signs.

    Attributes:
        fixed: for an entry's first and second score, (G, 1, n) its rank if no other entry is swapped.
        changes: for the same two scores, (G, n, n) change of a column's rank if a row is swapped.
        human: (G, n) ranks of the ratings.
    """

    fixed: tuple[_Exact, _Exact]
    changes: tuple[_Exact, _Exact]
    human: _Exact

    def deltas(self, swapped: _Swaps) -> Floats:
        """Return first minus second metric's coefficient, (trials,), after swaps (trials, G, n).

        The second metric has the ranks that the first would have under the complementary swaps.
        """
        swaps = swapped.transpose(1, 0, 2)
        swap_weights = np.ascontiguousarray(swaps, np.float32)
        ranks: list[_Ranks] = []
        complementary_ranks: list[_Ranks] = []
        for fixed, changes in zip(self.fixed, self.changes, strict=True):
            rank_changes: _Exact = swap_weights @ changes
            total_changes: _Exact = changes.sum(axis=1, keepdims=True)
            ranks.append(fixed + rank_changes)
            complementary_ranks.append(fixed + (total_changes - rank_changes))
        return self._mean(np.where(swaps, ranks[1], ranks[0])) - self._mean(
            np.where(swaps, complementary_ranks[0], complementary_ranks[1])
        )

    def _mean(self, ranks: _Ranks) -> Floats:
        """Return the mean (trials,) over the groups that have a coefficient, from ranks (G, trials, n)."""
        metric_ranks, human_ranks = ranks.astype(np.float64), self.human.astype(np.float64)
        products = np.einsum("gtn,gn->gt", metric_ranks, human_ranks)
        squares = np.einsum("gtn,gtn->gt", metric_ranks, metric_ranks)
        human_squares = np.einsum("gn,gn->g", human_ranks, human_ranks)[:, None]
        return mean_of_groups(quotient(products, np.sqrt(squares) * np.sqrt(human_squares)))


def swapped_order(
    metric_a: Floats, metric_b: Floats, human: Floats, method: Literal["kendall", "spearman", "pairwise-accuracy"]
) -> SwappedOrder | SwappedPoints | SwappedRanks | None:
    """Prepare the counts over pairs of two metrics.

    Args:
        metric_a: (G, n) scores; NaN if missing.
        metric_b: scores by the other metric, with the same missing values.
        human: ratings, with the same missing values.
        method: of the coefficient.

    Returns:
        None if there are too many pairs.
    """
    (a, y), (b, _) = grouped(metric_a, human, "system"), grouped(metric_b, human, "system")
    groups, size = y.shape
    if MIN_LONG <= size <= MAX_LONG and method != "spearman":
        return swapped_points(a, b, y, method)
    if size > MAX_ENTRIES or groups * size**2 > MAX_PAIRS:
        return None
    present = np.isfinite(y)
    is_pair = present[:, :, None] & present[:, None, :] & ~np.eye(size, dtype=np.bool_)
    signs = tuple(_signs(u, v, is_pair) for u in (a, b) for v in (a, b))
    human_signs = _signs(y, y, is_pair)
    if method == "spearman":
        f00, f01, f10, f11 = signs
        fixed = f00.sum(axis=2)[:, None], f10.sum(axis=2)[:, None]
        changes = (f01 - f00).swapaxes(1, 2), (f11 - f10).swapaxes(1, 2)
        return SwappedRanks(fixed, changes, human_signs.sum(axis=2))
    if method == "kendall":
        counts = _Count.of(lambda sign: sign * human_signs, signs), _Count.of(np.abs, signs)
        return SwappedOrder(counts, np.abs(human_signs).sum(axis=(1, 2), dtype=np.float64)[:, None] / 2)
    different = _Count.of(lambda sign: (sign != human_signs).astype(np.float32), signs)
    return SwappedOrder((different,), is_pair.sum(axis=(1, 2), dtype=np.float64)[:, None] / 2)


def _signs(x: Floats, y: Floats, is_pair: _Swaps) -> _Exact:
    """Return the signs (G, n, n) of each entry of x minus each of y; 0 if one is missing."""
    with np.errstate(invalid="ignore"):
        return np.where(is_pair, np.sign(x[:, :, None] - y[:, None, :]), 0).astype(np.float32)
