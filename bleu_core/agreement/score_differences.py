"""Score differences and judges: how often judges agree with the sign of a difference, by its size."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from bleu_core.agreement.correlation import Agreement, PairwiseAccuracy
from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import RatedSegments
from bleu_core.fields import REASON, bounds, derived, field, inline, result
from bleu_core.inference import CONFIDENCE, Interval

Bools = npt.NDArray[np.bool_]

#: Maximum number of groups of pairs, and minimum number of pairs per group.
MAX_GROUPS, MIN_IN_GROUP = 6, 5

#: Minimum number of pairs for a curve, and of systems for its interval.
MIN_PAIRS = 10
MIN_SYSTEMS = 8

#: Coverage of the 95 % interval of the slope: the lowest and the highest share of 27 populations
#: from which 8, 12 or 20 systems were drawn (tests/agreement/test_calibration.py).
INTERVAL_COVERAGE = (0.92, 0.98)

#: Largest slope that the fit searches, in units of the inverse mean difference.
MAX_SLOPE = 1e6


@dataclass(frozen=True, slots=True)
class PublishedCurve:
    """A curve from many test sets: ceiling / (1 + exp(−slope · difference)).

    Attributes:
        ceiling: share of pairs that the curve approaches.
        slope: per point of the metric.
    """

    ceiling: float
    slope: float

    @property
    def min_difference(self) -> float:
        """The difference, in points, at which the curve passes one half; below it, the curve is not defined."""
        return -math.log(2 * self.ceiling - 1) / self.slope

    def share(self, difference: float) -> float:
        """Return the share of pairs with this difference in which judges agree; NaN if the curve is below one half."""
        if abs(difference) < self.min_difference:
            return math.nan
        return self.ceiling / (1 + math.exp(-self.slope * abs(difference)))

    def needed(self, share: float) -> float:
        """Return the difference, in points, at which judges agree in this share of pairs; NaN if there is none."""
        if not 0.5 <= share < self.ceiling:  # noqa: PLR2004 # one half: chance
            return math.nan
        return -math.log(self.ceiling / share - 1) / self.slope


#: Label of a metric -> its curve, from 6,530 pairs of systems in 94 languages; the data are not public.
#:
#: Source: Kocmi et al. (2024), 2024.acl-long.110, section 3.3, equation and Table 2; coefficients from its authors'
#: program mt-thresholds 0.0.1.
PUBLISHED: Mapping[str, PublishedCurve] = MappingProxyType(
    {
        "BLEU": PublishedCurve(0.8833333333333225, 0.9663926931178954),
        "chrF2": PublishedCurve(0.92999999999972, 1.1142732157139852),
    }
)


@dataclass(frozen=True, slots=True)
class DifferenceGroup:
    """Pairs of systems with differences of similar size.

    Attributes:
        low, high: the smallest and the greatest difference.
        mean: of the differences.
        accuracy: numbers of pairs, and of pairs in which judges agree.
    """

    low: float
    high: float
    mean: float
    accuracy: PairwiseAccuracy


@result
class DifferenceCurve:
    """The share of pairs in which judges agree with the sign of a difference: 1 / (1 + exp(−slope · difference)).

    The curve has no intercept: for a difference of 0 the share is one half. P pairs of K systems.

    Attributes:
        metric: name of the metric.
        systems: K names.
        pairs: (P, 2) positions of two systems, the one with the higher score first.
        differences: (P,) difference of their scores, in the metric's unit.
        agrees: (P,) whether judges put the pair in the same order; a tie agrees with a tie.
        slope, interval: NaN if there is none.
        reason: why there is no curve, or no interval of it; empty if there are both.
        rated: how many segments of the systems are rated; None if that is unknown.
        decimals: of scores and differences for people.
    """

    metric: str
    systems: tuple[str, ...]
    pairs: Integers = field("count", "Pairs of systems.", part=len)
    differences: Floats
    agrees: Bools
    slope: float = field(
        "number", "Slope per unit of the metric: judges agree in 1 / (1 + exp(−slope × difference)) of pairs."
    )
    interval: Interval = inline(bounds("number", f"{100 * CONFIDENCE:g}% interval of the slope"))
    reason: str = field(REASON, default="")
    rated: RatedSegments | None = None
    decimals: int = 2

    @property
    def is_fitted(self) -> bool:
        """Whether there is a curve."""
        return math.isfinite(self.slope)

    @derived("number", "Greatest difference; beyond it the curve is extrapolated.", key="greatest")
    def max_difference(self) -> float:
        """The largest difference; NaN without a pair. Beyond it the curve is extrapolated."""
        return float(self.differences.max()) if len(self.differences) else math.nan

    def share(self, difference: float) -> float:
        """Return the share of pairs with this difference in which judges agree; NaN if there is no curve."""
        return _logistic(self.slope * abs(difference))

    def share_interval(self, difference: float) -> Interval:
        """Return the interval of `share`."""
        low, high = (_logistic(bound * abs(difference)) for bound in (self.interval.low, self.interval.high))
        return Interval(low, high, self.interval.confidence)

    def needed(self, share: float) -> float:
        """Return the difference at which judges agree in this share of pairs; NaN if the curve does not reach it."""
        if not self.slope > 0:
            return math.nan
        return math.log(share / (1 - share)) / self.slope

    def beyond(self, difference: float) -> PairwiseAccuracy:
        """Return the accuracy of pairs with a larger difference."""
        larger = self.differences > difference
        return PairwiseAccuracy(agreeing=int(self.agrees[larger].sum()), pairs=int(larger.sum()))

    def groups(self) -> tuple[DifferenceGroup, ...]:
        """Return the pairs by size of the difference, in at most six groups of similar size."""
        order = np.argsort(self.differences, kind="stable")
        n_groups = max(1, min(MAX_GROUPS, len(order) // MIN_IN_GROUP))
        groups: list[DifferenceGroup] = []
        for rows in np.array_split(order, n_groups) if len(order) else ():
            sizes = self.differences[rows]
            accuracy = PairwiseAccuracy(agreeing=int(self.agrees[rows].sum()), pairs=len(rows))
            groups.append(DifferenceGroup(float(sizes[0]), float(sizes[-1]), float(sizes.mean()), accuracy))
        return tuple(groups)


def difference_curve(agreement: Agreement) -> DifferenceCurve:
    """Fit the curve to all pairs of systems that have a score and ratings.

    The slope is that of a logistic regression with Firth's penalty, so that it is finite even if judges agree with all
    pairs. Pairs share systems and are not independent: the interval is from the jackknife over systems, with Student's
    t.

    Args:
        agreement: of the scores with the mean ratings.

    Source:
        Firth (1993), Biometrika 80; Heinze and Schemper (2002), Statistics in Medicine 21. Tukey's jackknife with t:
        Efron and Tibshirani (1993), chapter 11.
    """
    scores, ratings = agreement.oriented_scores, agreement.human
    first, second = np.triu_indices(len(scores), k=1)
    delta = scores[first] - scores[second]
    agrees = np.sign(delta) == np.sign(ratings[first] - ratings[second])
    higher = np.where(delta >= 0, first, second)
    lower = np.where(delta >= 0, second, first)
    slope, interval, reason = math.nan, Interval(math.nan, math.nan, CONFIDENCE), ""
    if len(delta) < MIN_PAIRS:
        reason = f"{len(delta)} pairs of systems with ratings found, at least {MIN_PAIRS} are needed"
    elif not delta.any():
        reason = "all scores are equal"
    else:
        slope = fitted_slope(np.abs(delta), agrees)
        if len(scores) < MIN_SYSTEMS:
            reason = f"no interval: {len(scores)} systems with ratings found, at least {MIN_SYSTEMS} are needed"
        else:
            interval = _jackknife(np.abs(delta), agrees, first=first, second=second, slope=slope)
            reason = "no interval: without one system, all scores are equal" if math.isnan(interval.low) else ""
    return DifferenceCurve(
        metric=agreement.metric,
        systems=agreement.systems,
        pairs=np.stack([higher, lower], axis=1),
        differences=np.abs(delta),
        agrees=agrees,
        slope=slope,
        interval=interval,
        reason=reason,
        decimals=agreement.decimals,
        rated=agreement.rated,
    )


def fitted_slope(differences: Floats, agrees: Bools) -> float:
    """Estimate the slope b of P(agree) = 1 / (1 + exp(−b · difference)) by penalised maximum likelihood.

    Args:
        differences: (P,) 0 or more, not all 0.
        agrees: (P,) whether judges agree.
    """
    from scipy import optimize  # loaded when first needed: it costs more than scoring

    informative = differences > 0  # for a difference of 0, P is one half under any slope
    scale = float(differences[informative].mean())
    x, y = differences[informative] / scale, agrees[informative]

    def gradient(slope: float) -> float:
        """Return the derivative of the log-likelihood plus half the logarithm of the information."""
        p = _logistics(slope * x)
        weights = x * x * p * (1 - p)
        information = float(weights.sum())
        penalty = float((weights * x * (1 - 2 * p)).sum()) / (2 * information) if information else 0.0
        return float((x * (y - p)).sum()) + penalty

    end = 1.0
    while gradient(end) > 0 and end < MAX_SLOPE:
        end *= 2
    start = -1.0
    while gradient(start) < 0 and start > -MAX_SLOPE:
        start *= 2
    return float(optimize.brentq(gradient, start, end, xtol=1e-9)) / scale


def _jackknife(differences: Floats, agrees: Bools, first: Integers, second: Integers, slope: float) -> Interval:
    from scipy import stats

    count = int(second.max()) + 1
    slopes_without = np.full(count, np.nan)
    for system in range(count):
        remaining = (first != system) & (second != system)
        if differences[remaining].any():
            slopes_without[system] = fitted_slope(differences[remaining], agrees[remaining])
    deviation = math.sqrt((count - 1) / count * float(((slopes_without - slopes_without.mean()) ** 2).sum()))
    width = float(stats.t.ppf((1 + CONFIDENCE) / 2, count - 1)) * deviation
    return Interval(slope - width, slope + width, CONFIDENCE)


def _logistic(value: float) -> float:
    return float(_logistics(np.array(value)))


def _logistics(values: Floats) -> Floats:
    return 0.5 * (1 + np.tanh(values / 2))  # accurate, and without overflow
