"""The mean of values crossed by judge and segment, with an interval that generalises to other judges and segments.

A value d[s, j] belongs to a segment s and a judge j, both random samples of a population: d[s, j] = mean + segment +
judge + residual. Values of a segment are correlated, and so are those of a judge; the variance of their mean is that by
segments, plus that by judges, minus that of single values, which both include (Cameron, Gelbach and Miller 2011, Robust
inference with multiway clustering, doi 10.1198/jbes.2010.07136). The components are estimated from the same three sums
as theirs: the squared sums of residuals by segment, by judge and of single values. With G / (G - 1) as corrections and
min(G) - 1 degrees of freedom their intervals cover 98 to 100 % with two to four judges. Here the sums are set equal to
their expectations under the model, so that the variance is unbiased for any numbers of values per segment and judge
(for balanced data, these are the estimates of the two-way analysis of variance), and the degrees of freedom are
Satterthwaite's (1946, An approximate distribution of estimates of variance components, doi 10.2307/3002019), at least
those of the smaller factor. In simulated campaigns 95 % intervals cover 94 to 96 %
(tests/campaigns/test_two_way_random_effects.py).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import plural
from bleu_core.inference import CONFIDENCE, DECIMALS, satterthwaite, t_quantile

#: Minimum number of segments, and of judges, for an interval.
MIN_LEVELS = 2
#: Singular values below this fraction of the largest are floating-point noise.
RANK_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossedMean:
    """A mean over n values by judge and segment.

    Attributes:
        n, segments, judges: numbers of values, segments and judges.
        mean: of the values, in their unit; NaN without one.
        standard_error: of the mean, over segments and judges; NaN if it is undefined.
        degrees_of_freedom: of Student's t; NaN with the standard error.
        low, high: of the interval; NaN with the standard error.
        reason: why there is no interval; empty if there is one.
    """

    n: int
    segments: int
    judges: int
    mean: float
    standard_error: float = math.nan
    degrees_of_freedom: float = math.nan
    low: float = math.nan
    high: float = math.nan
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Variances:
    """Components of the variance of a value, in squared units. The estimates are unbiased and can be negative."""

    segment: float
    judge: float
    residual: float


@dataclass(frozen=True, slots=True)
class Weights:
    """Factors by which each component of a value's variance contributes to that of the mean: sums of squared shares.

    For S segments that J judges all rate these are 1 / S, 1 / J and 1 / (S J).
    """

    segment: float
    judge: float
    residual: float


def crossed_mean(
    values: Floats,
    segment: Integers,
    judge: Integers,
    confidence: float = CONFIDENCE,
    *,
    drawn: Literal["segment", "document"] = "segment",
) -> CrossedMean:
    """Return the mean of values with an interval that generalises to other judges and segments.

    Args:
        values: (n,) without NaN.
        segment: (n,) segment of each value, any numbers; if whole documents were drawn, its document, so that the
            correlation within documents is taken into account.
        judge: (n,) judge of each value, any numbers.
        confidence: level of the interval, a fraction.
        drawn: the unit that `segment` numbers, for the reason.
    """
    segment, judge = _numbered(segment), _numbered(judge)
    n, segments, judges = len(values), _levels(segment), _levels(judge)
    mean = float(values.mean()) if n else math.nan
    for count, noun in ((n, "rating"), (segments, drawn), (judges, "judge")):
        if count < MIN_LEVELS:
            reason = f"{count} {plural(count, noun)}, at least {MIN_LEVELS} needed"
            return CrossedMean(n=n, segments=segments, judges=judges, mean=mean, reason=reason)
    if not np.ptp(values.round(DECIMALS)):
        return CrossedMean(n=n, segments=segments, judges=judges, mean=mean, reason="all values are the same")
    components, weights = variances(values, segment, judge), mean_weights(segment, judge)
    variance, degrees = variance_of_mean(components, weights, n=n, segments=segments, judges=judges)
    error = math.sqrt(variance)
    half_width = t_quantile((1 + confidence) / 2, degrees) * error
    return CrossedMean(
        n=n,
        segments=segments,
        judges=judges,
        mean=mean,
        standard_error=error,
        degrees_of_freedom=degrees,
        low=mean - half_width,
        high=mean + half_width,
    )


def variances(values: Floats, segment: Integers, judge: Integers) -> Variances:
    """Estimate the components of d = mean + segment + judge + residual from three sums of squares.

    The sums are set equal to their expectations, whatever the numbers of values (method of moments, as in Searle,
    Casella and McCulloch 1992, Variance Components, section 5.3). If no segment has two values, its component cannot
    be distinguished from the residual and is 0; likewise for judges. Henderson's method 3 gives the same estimates for
    balanced data.

    Args:
        values: (n,) without NaN.
        segment: (n,) numbers from 0 without gaps.
        judge: (n,) numbers from 0 without gaps.
    """
    n = len(values)
    residuals = values - values.mean()
    observed, components = [float(residuals @ residuals)], ["residual"]
    for name, factor in (("segment", segment), ("judge", judge)):
        if _levels(factor) < n:
            sums = np.bincount(factor, residuals)
            observed.append(float(sums @ sums))
            components.append(name)
    expected = _expectations(
        n, *([segment] if "segment" in components else []), *([judge] if "judge" in components else [])
    )
    solution = np.linalg.lstsq(expected, np.array(observed), rcond=RANK_TOLERANCE)[0]
    estimates = dict(zip(components, solution.tolist(), strict=True))
    return Variances(estimates.get("segment", 0.0), estimates.get("judge", 0.0), max(estimates["residual"], 0.0))


def mean_weights(segment: Integers, judge: Integers) -> Weights:
    """Return the weights of the components in the variance of the mean; arguments as `variances`."""
    n = len(segment)
    by_segment, by_judge = (np.bincount(factor) / n for factor in (segment, judge))
    return Weights(float(by_segment @ by_segment), float(by_judge @ by_judge), 1 / n)


def variance_of_mean(
    components: Variances, weights: Weights, *, n: int, segments: int, judges: int
) -> tuple[float, float]:
    """Return the variance of the mean and its degrees of freedom.

    The variance is that by segments plus that by judges minus that of single values. If it is not positive, it is the
    larger of the first two. If V = A + B - C has parts with a, b and c degrees of freedom, those of V are
    V^2 / (A^2 / a + B^2 / b + C^2 / c).

    Args:
        components: of the variance of one value.
        weights: of these components in the mean.
        n: number of values.
        segments: number of segments.
        judges: number of judges.
    """
    single = components.residual * weights.residual
    by_segment = components.segment * weights.segment + single
    by_judge = components.judge * weights.judge + single
    min_degrees = min(segments, judges) - 1.0
    if segments == n:  # the judges' sums contain all of the variance
        return max(by_judge, math.ulp(0)), judges - 1.0
    if judges == n:
        return max(by_segment, math.ulp(0)), segments - 1.0
    variance = by_segment + by_judge - single
    if variance <= 0 or min(by_segment, by_judge) < 0:
        return max(by_segment, by_judge, math.ulp(0)), min_degrees
    parts = (by_segment, segments - 1), (by_judge, judges - 1), (single, max(n - segments - judges + 1, 1))
    return variance, max(satterthwaite(parts, variance), min_degrees)


def _expectations(n: int, *factors: Integers) -> Floats:
    """Return the expected contribution of each component to each sum of squares: single values first, then factors.

    For residuals of the mean, M y with M = I - 1 1' / n, and Z the columns of a factor, the expectation of
    y' M P M y with P = Z Z' is the sum over components Q of trace(M P M Q), and
    trace(M P M Q) = trace(P Q) - 2 1' P Q 1 / n + 1' P 1 1' Q 1 / n^2. For single values P is the identity.
    """
    sizes = [np.ones(n), *(np.bincount(factor)[factor].astype(np.float64) for factor in factors)]  # P 1
    traces = np.full((len(sizes),) * 2, float(n))
    for k, size in enumerate(sizes[1:], start=1):
        traces[k, k] = size.sum()
    if len(factors) > 1:
        _, pairs = np.unique(factors[0] * (_levels(factors[1])) + factors[1], return_counts=True)
        traces[1, 2] = traces[2, 1] = float(pairs @ pairs)
    products = np.array(sizes) @ np.array(sizes).T
    totals = np.array([size.sum() for size in sizes])
    return traces - 2 * products / n + np.outer(totals, totals) / n**2


def _numbered(factor: Integers) -> Integers:
    return np.unique(factor, return_inverse=True)[1].astype(np.int64)


def _levels(factor: Integers) -> int:
    return int(factor.max(initial=-1)) + 1
