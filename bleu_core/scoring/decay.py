"""The decay of n-gram precision with the order.

Papineni et al. (2002), section 2.1.3: "the modified n-gram precision decays roughly exponentially with n". An
exponential decay is a straight line in log p_n over n, and its slope is the rate.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.scoring.bleu_factors import Bleu

MIN_ORDERS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Decay:
    """The least-squares line through log p_n over n.

    Attributes:
        rate: the slope; -0.5 means that the precision of each further order is exp(-0.5) = 61 % of the one before.
        intercept: the line at n = 0, natural logarithm.
        orders: the fitted orders, those with a match.
        r_squared: share of the variance of log p_n that the line explains; NaN with two orders, which any line fits.
        reason: why there is no line, else empty; without a line rate and intercept are NaN.
    """

    rate: float
    intercept: float
    orders: tuple[int, ...]
    r_squared: float
    reason: str = ""

    @property
    def retention(self) -> float:
        """The ratio of the precisions of consecutive orders; a fraction."""
        return float(np.exp(self.rate))

    def at(self, orders: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the fitted precisions, fractions."""
        return np.exp(self.intercept + self.rate * orders)


def fit_decay(scores: Bleu) -> tuple[Decay, ...]:
    """Fit the decay of each system's precisions; orders without matches are left out.

    Args:
        scores: corpus BLEU of K systems.

    Returns:
        K fits.
    """
    return tuple(_fit(p, ~u) for p, u in zip(scores.precisions, scores.unmatched, strict=True))


def _fit(precisions: npt.NDArray[np.float64], matched: npt.NDArray[np.bool_]) -> Decay:
    orders = np.flatnonzero(matched & (precisions > 0)) + 1
    used = tuple(int(n) for n in orders)
    if len(orders) < MIN_ORDERS:
        nan = float("nan")
        return Decay(
            rate=nan,
            intercept=nan,
            orders=used,
            r_squared=nan,
            reason=(
                f"{len(orders)} {'order' if len(orders) == 1 else 'orders'} with matches, at least 2 needed to fit a "
                "line"
            ),
        )
    logs = np.log(precisions[orders - 1])
    rate, intercept = np.polyfit(orders, logs, 1)
    residual = float(((logs - intercept - rate * orders) ** 2).sum())
    spread = float(((logs - logs.mean()) ** 2).sum())
    fits_any = len(orders) == MIN_ORDERS or spread == 0
    return Decay(
        rate=float(rate),
        intercept=float(intercept),
        orders=used,
        r_squared=float("nan") if fits_any else 1 - residual / spread,
    )
