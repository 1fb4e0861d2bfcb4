"""Intervals, and how each kind is made."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interval:
    """Bounds, in the unit of what they bound; confidence is a fraction. NaN where there is none."""

    low: float
    high: float
    confidence: float


def correlation_interval(method: str, coefficient: float, pairs: int, confidence: float = 0.95) -> Interval:
    """An interval of a correlation coefficient over pairs, on Fisher's scale.

    With too few pairs for the variance to exist nothing is excluded and the interval is -1 to 1. A perfect
    correlation lies at infinity on that scale: of Pearson's r the interval is the point, as in SciPy (the points lie
    on a line); of ranks there is none, since another sample could well break a perfect order.

    Args:
        method: "pearson" (Fisher 1921, variance 1 / (n - 3)), "spearman" (Bonett and Wright 2000,
            (1 + r**2 / 2) / (n - 3)) or "kendall" (Fieller, Hartley and Pearson 1957, 0.437 / (n - 4)).
        coefficient: -1 to 1.
        pairs: n.
        confidence: a fraction.
    """
    from scipy import special  # loaded when first needed: scoring does without

    numerator, lost = {
        "pearson": (1.0, 3),
        "spearman": (1 + coefficient**2 / 2, 3),
        "kendall": (0.437, 4),
    }[method]
    if pairs <= lost:
        return Interval(-1.0, 1.0, confidence)
    if abs(coefficient) >= 1:
        bound = coefficient if method == "pearson" else math.nan
        return Interval(bound, bound, confidence)
    width = float(special.ndtri((1 + confidence) / 2)) * math.sqrt(numerator / (pairs - lost))
    centre = math.atanh(coefficient)
    return Interval(math.tanh(centre - width), math.tanh(centre + width), confidence)
