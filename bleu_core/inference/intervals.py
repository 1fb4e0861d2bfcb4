"""Intervals, the t-test of a mean, and the definition of significance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, overload

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats

#: The usual level of significance, and the confidence of intervals.
ALPHA = 0.05
CONFIDENCE = 0.95

#: With fewer units (segments, documents) than this, nothing is said from resampling them: with 5, a two-sided test by
#: swaps cannot get below 2 / 2**5 = 0.06, and the centred bootstrap of 2 or 3 has no more than 3 or 10 values, which
#: often lie nearer to 0 than the difference observed, whatever the systems are worth.
MIN_UNITS = 6

#: With fewer units than this, resampled values vary too little: the plain percentile interval of a score would be too
#: narrow. Shares of resampled values are therefore expanded.
ENOUGH_UNITS = 30

#: How the difference of two systems is tested and bounded: by percentiles of bootstrap resamples, or by the jackknife
#: over units with Student's t.
Method = Literal["percentile", "jackknife"]

#: The numbers of units at which methods were measured, and the method from each of them on up to the next: the one
#: whose tests at the 5 % level reject 3.5 to 6.5 % of null pairs of documents. The percentile bootstrap rejects 12 to
#: 14 % with 6 of them and up to 7 % with 30, random swaps 3 % with 6 (tests/inference/test_few_units.py; docs).
METHODS: Mapping[int, Method] = {
    6: "jackknife",
    8: "jackknife",
    10: "jackknife",
    20: "jackknife",
    30: "jackknife",
    100: "percentile",
}

#: Values are compared after rounding to this: what is left is float noise, which has no variance and breaks no tie.
DECIMALS = 9


@dataclass(frozen=True, slots=True)
class Interval:
    """Bounds, in the unit of what they bound; confidence is a fraction. NaN where there is none."""

    low: float
    high: float
    confidence: float


#: From so many units on, differences are bounded by percentiles.
MIN_PERCENTILE_UNITS = min(number for number, method in METHODS.items() if method == "percentile")


def method_for(units: int) -> Method | None:
    """The method by which a difference is tested and bounded where so many units are resampled; None of fewer than 6.

    A number between those of METHODS has the method of the next smaller one.
    """
    return next((METHODS[number] for number in sorted(METHODS, reverse=True) if number <= units), None)


def correlation_interval(method: str, coefficient: float, pairs: int, confidence: float = CONFIDENCE) -> Interval:
    """An interval of a correlation coefficient over pairs, on Fisher's scale.

    With too few pairs for the variance to exist nothing is excluded and the interval is -1 to 1. A perfect
    correlation lies at infinity on that scale: of Pearson's r the interval is the point, as in SciPy (the points lie
    on a line); of ranks there is none, since another sample could well break a perfect order.

    Of normal data those of Pearson's r cover what they say; 95 % intervals of heavy-tailed and skewed data cover 80 to
    91 %, and those of Kendall's tau near 1 some 91 to 94 % (tests/agreement/test_calibration.py).

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


@overload
def significant(p_value: float, alpha: float = ALPHA) -> bool: ...
@overload
def significant(p_value: Floats, alpha: float = ALPHA) -> npt.NDArray[np.bool_]: ...
def significant(p_value: float | Floats, alpha: float = ALPHA) -> bool | npt.NDArray[np.bool_]:
    """Return whether a p-value is below the level of significance; one that equals it, or is NaN, is not.

    Args:
        p_value: one, or an array of any shape.
        alpha: the level, a fraction.
    """
    return p_value < alpha if isinstance(p_value, np.ndarray) else bool(p_value < alpha)


@dataclass(frozen=True, slots=True, kw_only=True)
class OneSampleT:
    """The t-test of whether the mean of a sample differs from 0.

    Attributes:
        n: the number of values.
        mean: of the values, in their unit; NaN without a value.
        standard_deviation: with n - 1 in the denominator; NaN with fewer than two values.
        t: NaN with fewer than two values, or if all are equal.
        p_value: two-sided; NaN with t, and never 0 but the smallest positive number.
    """

    n: int
    mean: float
    standard_deviation: float
    t: float
    p_value: float

    @property
    def standard_error(self) -> float:
        """Of the mean; NaN with fewer than two values."""
        return self.standard_deviation / math.sqrt(self.n) if self.n else math.nan

    @property
    def degrees_of_freedom(self) -> int:
        """The sample's size less 1, at least 0."""
        return max(self.n - 1, 0)

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Student's interval of the mean; NaN with fewer than two values."""
        return mean_interval(
            mean=self.mean,
            standard_error=self.standard_error,
            degrees_of_freedom=self.degrees_of_freedom,
            confidence=confidence,
        )


def one_sample_t(values: Floats) -> OneSampleT:
    """Test whether a mean differs from 0; of paired differences this is the paired t-test.

    The numbers are those of scipy.stats.ttest_1samp, which takes too long to load for a command that scores.

    Args:
        values: (n,) the sample, without NaN.
    """
    from scipy import special  # loaded when first needed: scoring does without

    n, nan = len(values), math.nan
    mean = float(values.mean()) if n else nan
    if n < 2:  # noqa: PLR2004 # no deviation
        return OneSampleT(n=n, mean=mean, standard_deviation=nan, t=nan, p_value=nan)
    deviation = float(values.std(ddof=1))
    if not np.ptp(values.round(DECIMALS)):
        return OneSampleT(n=n, mean=mean, standard_deviation=deviation, t=nan, p_value=nan)
    t = mean / (deviation / math.sqrt(n))
    p_value = max(2 * float(special.stdtr(n - 1, -abs(t))), math.ulp(0))
    return OneSampleT(n=n, mean=mean, standard_deviation=deviation, t=t, p_value=p_value)


def mean_interval(
    *, mean: float, standard_error: float, degrees_of_freedom: int, confidence: float = CONFIDENCE
) -> Interval:
    """Student's interval of a mean. Where the sample is at hand, one_sample_t(sample).interval() gives the same.

    Args:
        mean: of the sample.
        standard_error: of the mean: the sample's standard deviation over the square root of its size.
        degrees_of_freedom: the sample's size less 1.
        confidence: a fraction.

    Returns:
        NaN with fewer than two values.
    """
    from scipy import special

    if degrees_of_freedom < 1:
        return Interval(math.nan, math.nan, confidence)
    reach = float(special.stdtrit(degrees_of_freedom, (1 + confidence) / 2)) * standard_error
    return Interval(mean - reach, mean + reach, confidence)


def expanded_share(share: float, units: int) -> float:
    """The share of resampled values beyond a bound for which that share of Student's t lies beyond it.

    Args:
        share: on one side, a fraction below 0.5.
        units: how many were resampled, at least 2.

    Source:
        Hesterberg (2015), What teachers should know about the bootstrap: the expanded percentile interval.
    """
    from scipy import special  # loaded when first needed: scoring does without

    return float(special.ndtr(math.sqrt(units / (units - 1)) * special.stdtrit(units - 1, share)))


def expanded_p(p_values: Floats, units: int) -> Floats:
    """Two-sided p-values of resampled values, made those of Student's t: below 0.05 where the expanded interval is.

    Args:
        p_values: of any shape.
        units: how many were resampled, at least 2.
    """
    from scipy import special  # loaded when first needed: scoring does without

    return np.asarray(2 * special.stdtr(units - 1, math.sqrt((units - 1) / units) * special.ndtri(p_values / 2)))


def percentile_interval(
    values: npt.NDArray[np.float64], confidence: float = CONFIDENCE, *, expanded_for: int | None = None
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
    values = values[~np.isnan(values)]
    if not len(values):
        return Interval(math.nan, math.nan, confidence)
    share = (1 - confidence) / 2
    if expanded_for is not None and expanded_for > 1:
        share = expanded_share(share, expanded_for)
    low, high = np.quantile(values, [share, 1 - share])
    return Interval(float(low), float(high), confidence)
