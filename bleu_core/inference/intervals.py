"""Intervals, the t-test of a mean, and the definition of significance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, overload

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats

#: Default level of significance, and confidence of intervals.
ALPHA = 0.05
CONFIDENCE = 0.95

#: Minimum number of units (segments, documents) for resampling: with 5, the p-value of a two-sided test by swaps is at
#: least 2 / 2**5 = 0.06, and the centred bootstrap of 2 or 3 units has no more than 3 or 10 values, which are often
#: closer to 0 than the observed difference, whatever the quality of the systems.
MIN_UNITS = 6

#: With fewer units than this, resampled values vary too little, and the plain percentile interval of a score is too
#: narrow. The percentiles are therefore expanded.
ENOUGH_UNITS = 30

#: Method of tests and intervals of the difference of two systems: by percentiles of bootstrap resamples, or by the
#: jackknife over units with Student's t.
Method = Literal["percentile", "jackknife"]

#: Numbers of units at which methods were measured -> the method for this number up to the next: the one whose tests at
#: the 5 % level reject 3.5 to 6.5 % of null pairs of documents. The percentile bootstrap rejects 12 to
#: 14 % with 6 of them and up to 7 % with 30, random swaps 3 % with 6 (tests/inference/test_few_units.py; docs).
METHODS: Mapping[int, Method] = {
    6: "jackknife",
    8: "jackknife",
    10: "jackknife",
    20: "jackknife",
    30: "jackknife",
    100: "percentile",
}

#: Decimals to which values are rounded before comparisons, so that rounding errors have no variance and break no ties.
DECIMALS = 9


@dataclass(frozen=True, slots=True)
class Interval:
    """Bounds of a value, in its unit; confidence is a fraction. NaN if there is no interval."""

    low: float
    high: float
    confidence: float


#: Minimum number of units for percentile intervals of differences.
MIN_PERCENTILE_UNITS = min(number for number, method in METHODS.items() if method == "percentile")


def method_for(units: int) -> Method | None:
    """Return the method of tests and intervals of a difference for a number of units; None for fewer than 6.

    A number between those of METHODS has the method of the next smaller one.
    """
    return next((METHODS[number] for number in sorted(METHODS, reverse=True) if number <= units), None)


def correlation_interval(method: str, coefficient: float, pairs: int, confidence: float = CONFIDENCE) -> Interval:
    """Return an interval of a correlation coefficient over pairs, on Fisher's scale.

    With too few pairs for the variance to exist nothing is excluded and the interval is -1 to 1. A perfect
    correlation lies at infinity on that scale: of Pearson's r the interval is the point, as in SciPy (the points lie
    on a line); of ranks there is none, since another sample could well break a perfect order.

    For normal data the intervals of Pearson's r have the nominal coverage; 95 % intervals of heavy-tailed and skewed
    data cover 80 to 91 %, and those of Kendall's tau near 1 some 91 to 94 % (tests/agreement/test_calibration.py).

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
        mean: of the values, in their unit; NaN without values.
        standard_deviation: with n - 1 in the denominator; NaN with fewer than two values.
        t: NaN with fewer than two values, or if all are equal.
        p_value: two-sided; NaN if t is, and at least the smallest positive number.
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
        """The sample size minus 1, at least 0."""
        return max(self.n - 1, 0)

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Return Student's interval of the mean; NaN with fewer than two values."""
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
    *, mean: float, standard_error: float, degrees_of_freedom: float, confidence: float = CONFIDENCE
) -> Interval:
    """Return Student's interval of a mean; for a sample, one_sample_t(sample).interval() returns the same.

    Args:
        mean: of the sample.
        standard_error: of the mean: the sample's standard deviation over the square root of its size.
        degrees_of_freedom: the sample size minus 1.
        confidence: a fraction.

    Returns:
        NaN with fewer than two values.
    """
    from scipy import special

    if degrees_of_freedom < 1:
        return Interval(math.nan, math.nan, confidence)
    half_width = float(special.stdtrit(degrees_of_freedom, (1 + confidence) / 2)) * standard_error
    return Interval(mean - half_width, mean + half_width, confidence)


def expanded_share(share: float, units: int) -> float:
    """Return the share of resampled values beyond a bound that corresponds to a share of Student's t.

    Args:
        share: on one side, a fraction below 0.5.
        units: number of resampled units, at least 2.

    Source:
        Hesterberg (2015), What teachers should know about the bootstrap: the expanded percentile interval.
    """
    from scipy import special  # loaded when first needed: scoring does without

    return float(special.ndtr(math.sqrt(units / (units - 1)) * special.stdtrit(units - 1, share)))


def expanded_p(p_values: Floats, units: int) -> Floats:
    """Convert two-sided p-values of resampling to those of Student's t, consistent with expanded intervals.

    Args:
        p_values: of any shape.
        units: number of resampled units, at least 2.
    """
    from scipy import special  # loaded when first needed: scoring does without

    return np.asarray(2 * special.stdtr(units - 1, math.sqrt((units - 1) / units) * special.ndtri(p_values / 2)))


def percentile_interval(
    values: npt.NDArray[np.float64], confidence: float = CONFIDENCE, *, expanded_for: int | None = None
) -> Interval:
    """Return the interval that excludes the same share of resampled values on both sides.

    Args:
        values: (resamples,); NaN values are ignored, and the interval of no values is NaN.
        confidence: a fraction.
        expanded_for: the sample size n, to make the interval of a mean as wide as Student's: plain percentiles are too
            narrow by sqrt((n - 1) / n) and by the ratio of z to t.

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
