"""Intervals, and how each kind is made."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


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

    Of normal data those of Pearson's r cover what they say; 95 % intervals of heavy-tailed and skewed data cover 80 to
    91 %, and those of Kendall's tau near 1 some 91 to 94 % (tests/test_agreement_calibration.py).

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


def mean_interval(mean: float, standard_error: float, freedom: int, confidence: float = 0.95) -> Interval:
    """Student's interval of the mean of a sample.

    Args:
        mean: of the sample.
        standard_error: of the mean.
        freedom: degrees of freedom, n - 1.
        confidence: a fraction.

    Returns:
        NaN with fewer than two values.
    """
    from scipy import special

    if freedom < 1:
        return Interval(math.nan, math.nan, confidence)
    reach = float(special.stdtrit(freedom, (1 + confidence) / 2)) * standard_error
    return Interval(mean - reach, mean + reach, confidence)


def mean_p(t: float, freedom: int) -> float:
    """The two-sided p of Student's t; never 0 but the least number there is."""
    from scipy import special

    return max(2 * float(special.stdtr(freedom, -abs(t))), math.ulp(0))


def percentile_interval(
    values: npt.NDArray[np.float64], confidence: float = 0.95, *, expanded_for: int | None = None
) -> Interval:
    """The interval that leaves out the same share of resampled values on both sides.

    Args:
        values: (resamples,), those that are NaN left out; an interval of none is NaN.
        confidence: a fraction.
        expanded_for: the sample's size n, if the shares left out are to be those that make the interval of a mean as
            wide as Student's: plain percentiles are too narrow by sqrt((n - 1) / n) and by what t exceeds z.

    Source:
        Hesterberg (2015), What teachers should know about the bootstrap: the expanded percentile interval.
    """
    from scipy import special

    values = values[~np.isnan(values)]
    if not len(values):
        return Interval(math.nan, math.nan, confidence)
    share = (1 - confidence) / 2
    if expanded_for is not None and expanded_for > 1:
        reach = math.sqrt(expanded_for / (expanded_for - 1)) * float(special.stdtrit(expanded_for - 1, share))
        share = float(special.ndtr(reach))
    low, high = np.quantile(values, [share, 1 - share])
    return Interval(float(low), float(high), confidence)
