"""Pearson's r of two metrics under many random swaps of their scores.

The direct method, row_coefficients, uses all scores in each trial. But an entry's score is a if it is not swapped
(m = 0) and b if it is (m = 1), so that all sums from which r is computed are linear in the swaps:

    sum_i x_i = sum_i a_i + sum_i m_i (b_i - a_i),  and likewise for x_i squared and x_i y_i

and one matrix product computes them for many trials. The second metric has the scores of the complementary swaps. A
variance that is small relative to the squares of which it is the difference loses digits, or is 0, which only the
scores can decide: for such trials of a group the direct method is used.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.agreement.segment_agreement import grouped, is_varied, mean_of_groups, quotient, row_coefficients
from bleu_core.arrays import Floats

#: Minimum ratio of a variance to the mean square; above it, twelve digits remain.
MIN_VARIANCE_RATIO = 1e-4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SwappedProducts:
    """The sums from which r is computed as functions of swaps, for G groups of n entries.

    Attributes:
        metric_a, metric_b, human: (G, n) scores and ratings; NaN if missing.
        constants: (G, 3) sums of the scores, their squares and their products with ratings, without swaps.
        changes: (G, n, 3) change of each sum if the entry is swapped.
        sizes: (G, 1) number of entries.
        human_squares: (G, 1) sum of squares of the centred ratings; 0 if all are equal.
    """

    metric_a: Floats
    metric_b: Floats
    human: Floats
    constants: Floats
    changes: Floats
    sizes: Floats
    human_squares: Floats

    def deltas(self, swapped: npt.NDArray[np.bool_]) -> Floats:
        """Return first minus second metric's coefficient, (trials,), after swaps (trials, G, n)."""
        swap_changes = swapped.transpose(1, 0, 2).astype(np.float64) @ self.changes
        first = self.constants[:, None] + swap_changes
        second = self.constants[:, None] + self.changes.sum(axis=1)[:, None] - swap_changes
        return mean_of_groups(self._coefficients(first, swapped)) - mean_of_groups(self._coefficients(second, ~swapped))

    def _coefficients(self, sums: Floats, swapped: npt.NDArray[np.bool_]) -> Floats:
        """Return the coefficients (G, trials) from the sums (G, trials, 3)."""
        total, squares, products = np.moveaxis(sums, 2, 0)
        squared_deviations = squares - total**2 / self.sizes
        coefficients = quotient(products, np.sqrt(np.maximum(squared_deviations, 0)) * np.sqrt(self.human_squares))
        groups, trials = np.nonzero((squared_deviations <= MIN_VARIANCE_RATIO * squares) & (self.human_squares > 0))
        x = np.where(swapped[trials, groups], self.metric_b[groups], self.metric_a[groups])
        coefficients[groups, trials] = row_coefficients(x, self.human[groups], "pearson")
        return coefficients


def swapped_products(metric_a: Floats, metric_b: Floats, human: Floats) -> SwappedProducts:
    """Prepare the contributions of the entries of two metrics to the sums.

    Args:
        metric_a: (G, n) scores; NaN if missing.
        metric_b: scores by the other metric, with the same missing values.
        human: ratings, with the same missing values.
    """
    (a, y), (b, _) = grouped(metric_a, human, "system"), grouped(metric_b, human, "system")
    present = np.isfinite(y)
    sizes = np.maximum(present.sum(axis=1, keepdims=True), 1).astype(np.float64)
    # Centred, so that squares lose no digits.
    centre = np.where(present, a + b, 0).sum(axis=1, keepdims=True) / (2 * sizes)
    low, high = (np.where(present, scores - centre, 0) for scores in (a, b))
    rating = np.where(present, y - np.where(present, y, 0).sum(axis=1, keepdims=True) / sizes, 0)
    rating[~is_varied(y, present)] = 0
    terms = (np.stack((x, x**2, x * rating), axis=2) for x in (low, high))
    before, after = terms
    human_squares = (rating**2).sum(axis=1, keepdims=True)
    return SwappedProducts(
        metric_a=a,
        metric_b=b,
        human=y,
        constants=before.sum(axis=1),
        changes=after - before,
        sizes=sizes,
        human_squares=human_squares,
    )
