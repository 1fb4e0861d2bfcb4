"""Pearson's r of two metrics whose scores are swapped at random, many times.

The plain way, segment_level.row_coefficients, looks at all scores in each trial. But an entry's score is a where it
was not swapped (m = 0) and b where it was (m = 1), so that every sum that r is made of is linear in the swaps:

    sum_i x_i = sum_i a_i + sum_i m_i (b_i - a_i),  and so with x_i squared and x_i y_i

and one matrix product gives all of them for many trials. What one metric has in a trial the other has in the opposite
one. A variance that is small beside the squares it is the difference of has few digits left, or is 0, which only the
scores tell: such trials of a group are left to the plain way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.agreement.segment_agreement import grouped, mean_of_groups, quotient, row_coefficients, varied
from bleu_core.arrays import Floats

#: Of a variance beside the mean square: twelve digits are left above it.
SMALL = 1e-4


@dataclass(frozen=True, slots=True, kw_only=True)
class SwappedProducts:
    """What r is made of under any swaps, G groups of n entries.

    Attributes:
        one, other, human: (G, n) scores and ratings, NaN where missing.
        constants: (G, 3) sums of the scores, their squares and their products with ratings, nothing swapped.
        changes: (G, n, 3) what each sum gains when the entry is swapped.
        sizes: (G, 1) entries.
        rated: (G, 1) the sum of squared ratings less their mean; 0 where all are equal.
    """

    one: Floats
    other: Floats
    human: Floats
    constants: Floats
    changes: Floats
    sizes: Floats
    rated: Floats

    def deltas(self, swapped: npt.NDArray[np.bool_]) -> Floats:
        """The first metric's coefficient less the second's, (trials,), after swapping (trials, G, n)."""
        gained = swapped.transpose(1, 0, 2).astype(np.float64) @ self.changes
        first = self.constants[:, None] + gained
        second = self.constants[:, None] + self.changes.sum(axis=1)[:, None] - gained
        return mean_of_groups(self._coefficients(first, swapped)) - mean_of_groups(self._coefficients(second, ~swapped))

    def _coefficients(self, sums: Floats, swapped: npt.NDArray[np.bool_]) -> Floats:
        """(G, trials) from the sums, (G, trials, 3)."""
        total, squares, products = np.moveaxis(sums, 2, 0)
        squared = squares - total**2 / self.sizes
        found = quotient(products, np.sqrt(np.maximum(squared, 0)) * np.sqrt(self.rated))
        groups, trials = np.nonzero((squared <= SMALL * squares) & (self.rated > 0))
        x = np.where(swapped[trials, groups], self.other[groups], self.one[groups])
        found[groups, trials] = row_coefficients(x, self.human[groups], "pearson")
        return found


def swapped_products(one: Floats, other: Floats, human: Floats) -> SwappedProducts:
    """Prepare what the entries of two metrics add to the sums.

    Args:
        one: (G, n) scores, NaN where missing.
        other: the other metric's, missing where the first's are.
        human: ratings, likewise.
    """
    (a, y), (b, _) = grouped(one, human, "system"), grouped(other, human, "system")
    present = np.isfinite(y)
    sizes = np.maximum(present.sum(axis=1, keepdims=True), 1).astype(np.float64)
    # Near 0 the squares have the most digits.
    middle = np.where(present, a + b, 0).sum(axis=1, keepdims=True) / (2 * sizes)
    low, high = (np.where(present, scores - middle, 0) for scores in (a, b))
    rating = np.where(present, y - np.where(present, y, 0).sum(axis=1, keepdims=True) / sizes, 0)
    rating[~varied(y, present)] = 0
    terms = (np.stack((x, x**2, x * rating), axis=2) for x in (low, high))
    before, after = terms
    rated = (rating**2).sum(axis=1, keepdims=True)
    return SwappedProducts(
        one=a, other=b, human=y, constants=before.sum(axis=1), changes=after - before, sizes=sizes, rated=rated
    )
