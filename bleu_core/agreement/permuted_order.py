"""Kendall's tau, pairwise accuracy and Spearman's r of two metrics whose scores are swapped at random, many times.

The plain way, segment_level.row_coefficients, looks at each pair of entries in each trial. But of a pair a swapped
metric has one of only four signs, by which of its two scores were swapped; so a count over pairs is a polynomial of
second degree in the swaps, m = 1 where a score was swapped, else 0:

    count(m) = constant + sum_i L_i m_i + 1/2 sum_ij Q_ij m_i m_j

with L_i = sum_j (F10 - F00)_ij and Q = F00 - F01 - F10 + F11, where F_uv(i, j) is what the pair counts if i (u) and j
(v) are swapped. One matrix product gives it for many trials.

Spearman's r is Pearson's of ranks, and an entry's rank, less the mean rank and twice that, is the sum of the signs of
its pairs: linear in the others' swaps, once for each of its own two scores.

All numbers that are multiplied are integers that float32 holds exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from bleu_core.agreement.segment_agreement import grouped, mean_of_groups, quotient
from bleu_core.arrays import Floats

#: Of entries in a group, so that sums over its pairs stay below 2**24; more are left to the plain way.
MAX_ENTRIES = 2000

#: Pairs of all groups, which are kept some ten times over, 4 bytes each.
MAX_PAIRS = 8_000_000

_Swaps = npt.NDArray[np.bool_]
_Exact = npt.NDArray[np.float32]
_Ranks = npt.NDArray[np.float32 | np.float64]


@dataclass(frozen=True, slots=True)
class _Count:
    """A count over pairs as a polynomial in the swaps: constant (G,), linear (G, n), quadratic (G, n, n)."""

    constant: _Exact
    linear: _Exact
    quadratic: _Exact

    @classmethod
    def of(cls, counted: Callable[[_Exact], _Exact], signs: tuple[_Exact, ...]) -> _Count:
        """From what a pair counts by its sign, and the signs of its four states."""
        f00, f01, f10, f11 = map(counted, signs)
        return cls(f00.sum(axis=(1, 2)) / 2, (f10 - f00).sum(axis=2), f00 - f01 - f10 + f11)

    def __call__(self, swapped: _Exact) -> Floats:
        """(G, trials, n) swaps to (G, trials)."""
        quadratic = np.einsum("gtn,gtn->gt", swapped @ self.quadratic, swapped)
        linear = np.einsum("gtn,gn->gt", swapped, self.linear)
        return (self.constant[:, None] + linear + quadratic / 2).astype(np.float64)


@dataclass(frozen=True, slots=True)
class SwappedOrder:
    """What two metrics' pairs of entries count under any swaps, G groups of n entries.

    Attributes:
        counts: of tau-b, concordant less discordant pairs and those not tied; of the accuracy, pairs of another order
            than people's.
        fixed: (G, 1) of tau-b, the pairs that people do not tie; of the accuracy, all pairs.
    """

    counts: tuple[_Count, ...]
    fixed: Floats

    def deltas(self, swapped: _Swaps) -> Floats:
        """The first metric's coefficient less the second's, (trials,), after swapping (trials, G, n)."""
        swaps = np.ascontiguousarray(swapped.transpose(1, 0, 2), np.float32)
        return self._mean(swaps) - self._mean(1 - swaps)

    def _mean(self, swaps: _Exact) -> Floats:
        """(trials,) the mean over the groups that have a coefficient."""
        first, *rest = (count(swaps) for count in self.counts)
        if rest:
            found = quotient(first, np.sqrt(rest[0]) * np.sqrt(self.fixed))
        else:
            found = quotient(self.fixed - first, np.broadcast_to(self.fixed, first.shape))
        return mean_of_groups(found)


@dataclass(frozen=True, slots=True)
class SwappedRanks:
    """Two metrics' ranks under any swaps, G groups of n entries; a rank here is the sum of the signs of its pairs.

    Attributes:
        fixed: for an entry's first score and for its other, (G, 1, n) its rank when no other is swapped.
        changes: for the same two, (G, n, n) what the swap of a row adds to a column's rank.
        human: (G, n) people's ranks.
    """

    fixed: tuple[_Exact, _Exact]
    changes: tuple[_Exact, _Exact]
    human: _Exact

    def deltas(self, swapped: _Swaps) -> Floats:
        """The first metric's coefficient less the second's, (trials,), after swapping (trials, G, n).

        The second metric has what the first would have if all were swapped the other way round.
        """
        swaps = swapped.transpose(1, 0, 2)
        moved = np.ascontiguousarray(swaps, np.float32)
        ranks: list[_Ranks] = []
        others: list[_Ranks] = []
        for fixed, changes in zip(self.fixed, self.changes, strict=True):
            gained: _Exact = moved @ changes
            all_swapped: _Exact = changes.sum(axis=1, keepdims=True)
            ranks.append(fixed + gained)
            others.append(fixed + (all_swapped - gained))
        return self._mean(np.where(swaps, ranks[1], ranks[0])) - self._mean(np.where(swaps, others[0], others[1]))

    def _mean(self, ranks: _Ranks) -> Floats:
        """(trials,) the mean over the groups that have a coefficient, from (G, trials, n) ranks."""
        of_metric, of_people = ranks.astype(np.float64), self.human.astype(np.float64)
        products = np.einsum("gtn,gn->gt", of_metric, of_people)
        squares = np.einsum("gtn,gtn->gt", of_metric, of_metric)
        rated = np.einsum("gn,gn->g", of_people, of_people)[:, None]
        return mean_of_groups(quotient(products, np.sqrt(squares) * np.sqrt(rated)))


def swapped_order(
    one: Floats, other: Floats, human: Floats, method: Literal["kendall", "spearman", "pairwise-accuracy"]
) -> SwappedOrder | SwappedRanks | None:
    """Prepare what the pairs of two metrics can count.

    Args:
        one: (G, n) scores, NaN where missing.
        other: the other metric's, missing where the first's are.
        human: ratings, likewise.
        method: of the coefficient.

    Returns:
        None where there are too many pairs.
    """
    (a, y), (b, _) = grouped(one, human, "system"), grouped(other, human, "system")
    groups, size = y.shape
    if size > MAX_ENTRIES or groups * size**2 > MAX_PAIRS:
        return None
    present = np.isfinite(y)
    both = present[:, :, None] & present[:, None, :] & ~np.eye(size, dtype=np.bool_)
    signs = tuple(_signs(u, v, both) for u in (a, b) for v in (a, b))
    of_people = _signs(y, y, both)
    if method == "spearman":
        f00, f01, f10, f11 = signs
        fixed = f00.sum(axis=2)[:, None], f10.sum(axis=2)[:, None]
        changes = (f01 - f00).swapaxes(1, 2), (f11 - f10).swapaxes(1, 2)
        return SwappedRanks(fixed, changes, of_people.sum(axis=2))
    if method == "kendall":
        counts = _Count.of(lambda sign: sign * of_people, signs), _Count.of(np.abs, signs)
        return SwappedOrder(counts, np.abs(of_people).sum(axis=(1, 2), dtype=np.float64)[:, None] / 2)
    different = _Count.of(lambda sign: (sign != of_people).astype(np.float32), signs)
    return SwappedOrder((different,), both.sum(axis=(1, 2), dtype=np.float64)[:, None] / 2)


def _signs(x: Floats, y: Floats, both: _Swaps) -> _Exact:
    """(G, n, n) the sign of each entry of one less each of the other; 0 where one is missing."""
    with np.errstate(invalid="ignore"):
        return np.where(both, np.sign(x[:, :, None] - y[:, None, :]), 0).astype(np.float32)
