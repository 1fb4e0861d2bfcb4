"""BLEU and its factors: precisions, brevity penalty and lengths (Papineni et al. 2002, section 2.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Numbers


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bleu:
    """BLEU of summed counts; arrays share a leading shape, and the last axis of (..., N) is the order.

    Attributes:
        score: points, 0 to 100.
        precisions: (..., N) modified n-gram precisions as scored, smoothing included; fractions.
        brevity_penalty: fractions.
        hypothesis_length, reference_length: tokens; the reference length is the effective one.
        matches, totals: (..., N) numerators and denominators before smoothing.
    """

    score: npt.NDArray[np.float64]
    precisions: npt.NDArray[np.float64]
    brevity_penalty: npt.NDArray[np.float64]
    hypothesis_length: Numbers
    reference_length: Numbers
    matches: Numbers
    totals: Numbers

    @property
    def unmatched(self) -> npt.NDArray[np.bool_]:
        """(..., N) whether an order has no match, so that its precision is zero or due to smoothing alone."""
        return self.matches == 0
