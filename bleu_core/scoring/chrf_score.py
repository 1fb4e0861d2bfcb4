"""The F-score of character n-grams, of sums of counts (Popović 2015, W15-3049)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Numbers
from bleu_core.scoring.segment_statistics import ratio

#: Weight of recall relative to precision.
BETA = 2


def chrf(sums: Numbers) -> npt.NDArray[np.float64]:
    """Compute chrF of summed n-gram counts.

    Precision and recall are means over the effective orders, those with n-grams on both sides. Without such an order,
    or without a match, the score is 0.

    Args:
        sums: (..., 3 * orders), for each order n-grams of the hypothesis, of the reference, and matches.

    Returns:
        Points, 0 to 100, (...).
    """
    hypothesis, reference, matches = sums[..., 0::3], sums[..., 1::3], sums[..., 2::3]
    effective = (hypothesis > 0) & (reference > 0)
    orders = np.maximum(effective.sum(axis=-1), 1)  # without any, the sums are 0, too
    # Added from the first order to the last, as cumsum does and sum does not: sacreBLEU's scores to the last digit.
    precision = ratio(matches, hypothesis, effective).cumsum(axis=-1)[..., -1] / orders
    recall = ratio(matches, reference, effective).cumsum(axis=-1)[..., -1] / orders
    weighted = BETA**2 * precision + recall
    return 100 * ratio((1 + BETA**2) * precision * recall, weighted, weighted > 0)
