"""Student's t and the normal distribution: quantiles, p-values, intervals, and the test of a mean."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.inference.intervals import CONFIDENCE, DECIMALS, Interval

#: Points. Smaller standard errors are rounding errors.
MIN_ERROR = 1e-9

_Value = TypeVar("_Value", float, Floats)


def normal_quantile(probability: _Value) -> _Value:
    """Return the quantile of the standard normal distribution for a probability, or an array of them."""
    return _special("ndtri", probability)


def normal_probability(z: _Value) -> _Value:
    """Return the probability of values below z, or below each of an array, under the standard normal distribution."""
    return _special("ndtr", z)


def t_quantile(probability: float, degrees_of_freedom: _Value) -> _Value:
    """Return the quantile of Student's t for one or an array of degrees of freedom; NaN without any."""
    return _special("stdtrit", degrees_of_freedom, probability)


def t_probability(t: float, degrees_of_freedom: float) -> float:
    """Return the probability of values below t."""
    return float(_special("stdtr", degrees_of_freedom, t))


def two_sided_p(t: _Value, degrees_of_freedom: float | Floats) -> _Value:
    """Return the two-sided p of t, or of each of an array: at least the smallest positive number, NaN if t is."""
    return _special("stdtr", degrees_of_freedom, -abs(t), times=2)


def student_p(observed: Floats, errors: Floats, degrees_of_freedom: float | Floats) -> Floats:
    """Return two-sided p-values of differences by Student's t.

    Args:
        observed: differences of any shape, points.
        errors: their standard errors, points.
        degrees_of_freedom: of t, at least 1; one number, or one per difference.

    Returns:
        p-values of the same shape, never 0; 1 for no difference, NaN for a difference without a standard error.
    """
    p_values = np.where(np.abs(observed) < MIN_ERROR, 1.0, np.nan)
    known = errors >= MIN_ERROR
    degrees = np.broadcast_to(degrees_of_freedom, observed.shape)[known]
    p_values[known] = two_sided_p(observed[known] / errors[known], degrees)
    return p_values


def student_interval(
    estimate: float, *, standard_error: float, degrees_of_freedom: float, confidence: float = CONFIDENCE
) -> Interval:
    """Return Student's interval of an estimate; for a sample's mean, one_sample_t(sample).interval() returns the same.

    Args:
        estimate: a mean or a difference.
        standard_error: of the estimate.
        degrees_of_freedom: of t; for a mean, the sample size minus 1.
        confidence: a fraction.

    Returns:
        NaN without a degree of freedom, or if the estimate or its error is NaN.
    """
    half_width = t_quantile((1 + confidence) / 2, degrees_of_freedom) * standard_error
    return Interval(estimate - half_width, estimate + half_width, confidence)


def satterthwaite(parts: Iterable[tuple[float, float]], variance: float) -> float:
    """Return the degrees of freedom of a variance that is a sum or difference of others; NaN if it is 0.

    Args:
        parts: the variances that are added or subtracted, each with its degrees of freedom.
        variance: the result.

    Source:
        Satterthwaite (1946), An approximate distribution of estimates of variance components.
    """
    uncertainty = sum(part**2 / degrees for part, degrees in parts)
    return variance**2 / uncertainty if uncertainty else math.nan


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
        return student_interval(
            self.mean,
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
    n, nan = len(values), math.nan
    mean = float(values.mean()) if n else nan
    if n < 2:  # noqa: PLR2004 # no deviation
        return OneSampleT(n=n, mean=mean, standard_deviation=nan, t=nan, p_value=nan)
    deviation = float(values.std(ddof=1))
    if not np.ptp(values.round(DECIMALS)):
        return OneSampleT(n=n, mean=mean, standard_deviation=deviation, t=nan, p_value=nan)
    t = mean / (deviation / math.sqrt(n))
    return OneSampleT(n=n, mean=mean, standard_deviation=deviation, t=t, p_value=two_sided_p(t, n - 1))


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
    width = normal_quantile((1 + confidence) / 2) * math.sqrt(numerator / (pairs - lost))
    centre = math.atanh(coefficient)
    return Interval(math.tanh(centre - width), math.tanh(centre + width), confidence)


def expanded_share(share: float, units: int) -> float:
    """Return the share of resampled values beyond a bound that corresponds to a share of Student's t.

    Args:
        share: on one side, a fraction below 0.5.
        units: number of resampled units, at least 2.

    Source:
        Hesterberg (2015), What teachers should know about the bootstrap: the expanded percentile interval.
    """
    return normal_probability(math.sqrt(units / (units - 1)) * t_quantile(share, units - 1))


def expanded_p(p_values: Floats, units: int) -> Floats:
    """Convert two-sided p-values of resampling to those of Student's t, consistent with expanded intervals.

    Args:
        p_values: of any shape.
        units: number of resampled units, at least 2.
    """
    return two_sided_p(math.sqrt((units - 1) / units) * normal_quantile(p_values / 2), units - 1)


def percentile_interval(values: Floats, confidence: float = CONFIDENCE, *, expanded_for: int | None = None) -> Interval:
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


def _special(name: str, *arguments: float | Floats, times: float | None = None) -> Any:
    """Return the value of a function of scipy.special; if it is multiplied, at least the smallest positive number."""
    from scipy import special  # loaded when first needed: it costs more than scoring

    value: Any = getattr(special, name)(*arguments)
    value = value if times is None else np.maximum(times * value, math.ulp(0))
    return value if np.ndim(value) else float(value)
