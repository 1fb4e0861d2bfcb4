"""Meta-analysis of the difference between two systems over test sets, and its prediction for a new test set."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.errors import SettingsError
from bleu_core.fields import DELTA, P_VALUE, REASON, Field, bounds, derived, field, inline, result
from bleu_core.inference import CONFIDENCE, Interval, normal_quantile, t_quantile, two_sided_p

#: Minimum number of test sets for a prediction: with three, t has one degree of freedom, and the ends of an interval
#: would be at least 12.7 standard deviations from its centre.
MIN_PREDICTION_SETS = 4

#: Lowest coverage of 95 % prediction intervals in simulations of 4, 8 and 20 test sets, a fraction
#: (tests/collection/test_prediction_calibration.py; docs/test-sets.md).
PREDICTION_COVERAGE = 0.95

#: Largest ratio of standard errors for which p is as rarely below 0.05 for equal systems as it should be: in at most
#: 7.5 % of simulated collections of 3 sets or more, but in up to 16 % if the ratio is 10 (docs/test-sets.md).
MAX_ERROR_RATIO = 3

#: Standard errors, and ranges of differences, below this fraction of the largest value are rounding errors.
ROUNDING_TOLERANCE = 1e-9

#: Maximum steps of Newton's method, which takes one for equal errors and about four for others, and relative precision
#: of its result.
MAX_STEPS, RELATIVE_PRECISION = 200, 1e-12

UNDEFINED_DIFFERENCE = "the difference is undefined"
UNDEFINED_ERROR = "the standard error is undefined"
ZERO_ERROR = "the standard error is 0"
EQUAL_DIFFERENCES = "the differences of all test sets are equal"
NO_SETS = "no test set has a difference with a standard error"
_NEEDED = f"at least {MIN_PREDICTION_SETS} needed"


@result
class SetDifference:
    """The difference of two systems on a test set, as it is pooled.

    Attributes:
        name: of the test set.
        delta: system minus baseline, points.
        standard_error: of delta, points.
        interval: of delta, by the normal distribution; NaN without a standard error.
        weight: of the set in the pooled difference, a fraction; NaN if the set is left out.
        reason: why the set is left out, else empty.
    """

    name: str = field("text", "Name of the test set.", key="set")
    delta: float = field(DELTA)
    standard_error: float = field("points", "Standard error of the difference.")
    interval: Interval = inline(bounds("difference", "interval of the difference, by the normal distribution"))
    weight: float = field("fraction", "Weight of the test set in the pooled difference.")
    reason: str = field(REASON, default="")


@result
class Prediction:
    """The prediction interval of the difference between two systems on a new test set like the pooled ones.

    Attributes:
        interval: of the observed difference, for a test set with the median standard error, points.
        median_error: the median of the pooled sets' standard errors, points.
        degrees_of_freedom: of t in `interval`: test sets - 2.
        reason: why the interval is undefined, else empty.
    """

    interval: Interval = inline(bounds("difference", "prediction interval of the observed difference on a new set"))
    median_error: float = field("points", "Median standard error of the pooled sets, which the new set is to have.")
    degrees_of_freedom: int = field("count", "Degrees of freedom of t in the prediction interval.", only="json")
    reason: str = field(REASON, "Why there is no prediction interval.", default="")

    @property
    def spans_zero(self) -> bool:
        """Whether the interval of the observed difference contains 0 or is undefined."""
        return not (self.interval.low > 0 or self.interval.high < 0)


@result
class PooledDifference:
    """The difference between two systems over n test sets, by a random-effects meta-analysis.

    Attributes:
        sets: all test sets, in the order given; those without a weight are left out, with a reason.
        delta: the mean of the true differences, points; of a single set, its difference; NaN without any.
        standard_error: of delta, points, by Hartung and Knapp: weighted_error times the square root of error_factor.
            NaN with fewer than two sets or without variance.
        interval: of delta, by t with n - 1 degrees of freedom; NaN if the standard error is.
        t: delta / standard_error.
        p_value: two-sided, of delta = 0.
        q: Cochran's Q; NaN with fewer than two sets, as are the three that follow.
        q_p_value: the p-value of Q by chi-squared with n - 1 degrees of freedom: that no differences vary more than
            their errors explain.
        i_squared: I², the share of the variation of differences that their errors do not explain, a fraction.
        tau: the standard deviation of true differences between sets, points, by Paule and Mandel.
        weighted_error: the standard error that tau and the errors of the sets imply, points.
        error_factor: the weighted mean square of the deviations from delta, in units of their variance: 1 if tau is
            above 0, less if the differences vary less than their errors explain.
        reason: why the interval and p are undefined, else empty.
        prediction: for a new test set.
    """

    sets: tuple[SetDifference, ...] = field("object", "The test sets, with those that are left out.")

    @derived("count", "Number of test sets pooled.", key="pooled_sets", label="test sets")
    def number(self) -> int:
        """The number of test sets pooled, n."""
        return len(self.pooled)

    delta: float = field(DELTA, "Pooled difference: mean difference (system minus baseline) of test sets like these.")
    standard_error: float = field("points", "Standard error of the pooled difference, by Hartung and Knapp.")
    interval: Interval = inline(
        {
            **bounds("difference", "interval of the pooled difference"),
            "confidence": Field("fraction", "Confidence of all intervals.", only="json"),
        }
    )
    t: float = field("decimal", "Pooled difference divided by its standard error.")

    @derived("count", "Degrees of freedom of t and of Q.", label="df")
    def degrees_of_freedom(self) -> int:
        """The number of test sets pooled minus 1, at least 0."""
        return max(len(self.pooled) - 1, 0)

    p_value: float = field(P_VALUE, "Two-sided p-value of the pooled difference.")
    q: float = field("decimal", "Cochran's Q of the differences.", label="Q")
    q_p_value: float = field("p", "p-value of Q: that the true difference is the same on all test sets.", label="p (Q)")
    i_squared: float = field(
        "fraction", "Share of the variation of the differences that their standard errors do not explain.", label="I²"
    )
    tau: float = field("points", "Standard deviation of the true differences between test sets.")
    weighted_error: float = field(
        "points",
        "Standard error that tau and the standard errors of the sets imply, without the factor of Hartung and Knapp.",
        only="json",
    )
    error_factor: float = field(
        "number",
        "Factor of the variance by Hartung and Knapp: below 1 if the differences vary less than their errors explain.",
        only="json",
    )

    @derived(
        "decimal",
        f"Largest standard error of the sets divided by the smallest; above {MAX_ERROR_RATIO}, the p-value "
        "of few sets is too small.",
        only="json",
    )
    def error_ratio(self) -> float:
        """The largest standard error of the pooled sets divided by the smallest; NaN without any."""
        errors = [each.standard_error for each in self.pooled]
        return max(errors) / min(errors) if errors else math.nan

    reason: str = field(REASON, default="")
    prediction: Prediction = inline(Prediction, prefix="prediction_")

    @property
    def pooled(self) -> tuple[SetDifference, ...]:
        """The test sets that are pooled."""
        return tuple(each for each in self.sets if not each.reason)

    @property
    def spans_zero(self) -> bool:
        """Whether the interval contains 0 or is undefined."""
        return not (self.interval.low > 0 or self.interval.high < 0)


def pool(
    differences: Sequence[float] | Floats,
    errors: Sequence[float] | Floats,
    *,
    names: Sequence[str] = (),
    confidence: float = CONFIDENCE,
) -> PooledDifference:
    """Pool the differences between two systems on test sets, and predict the difference on a new test set.

    The true differences of the sets are taken as draws from a distribution with mean delta and standard deviation tau.
    tau is estimated by Paule and Mandel: with weights 1 / (tau**2 + error**2), the weighted sum of squared deviations
    equals its expectation, n - 1; if it is smaller even without tau, tau is 0. The variance of delta by Hartung and
    Knapp, which Sidik and Jonkman found independently, is the weighted mean of the squared deviations, divided by
    n - 1, with Student's t. It is not raised to that which tau and the errors imply where it is smaller: raised, the
    test at the 5 % level would reject 0 to 3 % of equal systems without heterogeneity, with less power (33 in place of
    54 % for 4 sets); as it is, it rejects 5 %, with errors that differ by a factor of 3 up to 7 %, and by one of 10 up
    to 16 % (3 sets or more; docs/test-sets.md).

    The prediction interval of the observed difference is delta -+ t * sqrt(SE**2 + tau**2 + m**2), with n - 2 degrees
    of freedom and m the median error (Higgins, Thompson and Spiegelhalter, with the new set's own error).

    The intervals of the sets are normal: they are those of the errors that are pooled.

    Args:
        differences: (n,) system minus baseline on each test set, points.
        errors: (n,) their standard errors, points; a set without an error, or with NaN, 0 or infinity, is left out.
        names: of the test sets; numbers from 1 if there are none.
        confidence: of all intervals, a fraction.

    Returns:
        Values are NaN, with a reason, where they are undefined: interval and p with fewer than two sets, or if all
        differences are equal, and predictions with fewer than four sets.

    Raises:
        SettingsError: the confidence is out of its range.
        ValueError: the numbers of differences, errors and names differ, or an error is negative.

    Source:
        Cochran (1954), The combination of estimates from different experiments, Biometrics 10.
        Paule and Mandel (1982), Consensus values and weighting factors, J. Res. NBS 87.
        Hartung and Knapp (2001), A refined method for the meta-analysis of controlled clinical trials with binary
        outcome, Statistics in Medicine 20; Sidik and Jonkman (2002), A simple confidence interval for meta-analysis,
        Statistics in Medicine 21; IntHout, Ioannidis and Borm (2014), The Hartung-Knapp-Sidik-Jonkman method for random
        effects meta-analysis is straightforward and considerably outperforms the standard DerSimonian-Laird method,
        BMC Medical Research Methodology 14.
        Higgins and Thompson (2002), Quantifying heterogeneity in a meta-analysis, Statistics in Medicine 21: I².
        Higgins, Thompson and Spiegelhalter (2009), A re-evaluation of random-effects meta-analysis, J. R. Statist. Soc.
        A 172.
    """
    if not 0 < confidence < 1:
        raise SettingsError(f"confidence {confidence:g} found, a number between 0 and 1 expected")
    names = names or [str(number) for number in range(1, len(differences) + 1)]
    if not len(differences) == len(errors) == len(names):
        raise ValueError(
            f"{len(differences)} differences, {len(errors)} errors and {len(names)} names found, equal numbers expected"
        )
    deltas, standard_errors = np.asarray(differences, np.float64), np.asarray(errors, np.float64)
    reasons = _reasons(deltas, standard_errors)
    used = np.array([not reason for reason in reasons], bool)
    estimates = Estimates.of(deltas[used], standard_errors[used]) if used.sum() > 1 else None
    weights, half_widths = np.full((2, len(names)), np.nan)
    weights[used] = 1 if estimates is None else estimates.weights
    half_widths[used] = normal_quantile((1 + confidence) / 2) * standard_errors[used]
    sets = tuple(
        SetDifference(
            name=names[k],
            delta=float(deltas[k]) if math.isfinite(deltas[k]) else math.nan,
            standard_error=float(standard_errors[k]) if math.isfinite(standard_errors[k]) else math.nan,
            interval=_interval(deltas[k], half_widths[k], confidence),
            weight=float(weights[k]),
            reason=reason,
        )
        for k, reason in enumerate(reasons)
    )
    return _undefined(sets, confidence) if estimates is None else _pooled(sets, estimates, confidence)


def _reasons(deltas: Floats, errors: Floats) -> list[str]:
    """Return why each set is left out; an empty text for sets that are pooled."""
    if (errors < 0).any():
        raise ValueError(f"standard error {np.nanmin(errors):g} found, at least 0 expected")
    defined = np.isfinite(deltas) & np.isfinite(errors)
    scale = _largest(deltas[defined], errors[defined])
    return [
        UNDEFINED_DIFFERENCE
        if not math.isfinite(delta)
        else UNDEFINED_ERROR
        if not math.isfinite(error)
        else ZERO_ERROR
        if error <= ROUNDING_TOLERANCE * scale
        else ""
        for delta, error in zip(deltas, errors, strict=True)
    ]


def _largest(deltas: Floats, errors: Floats) -> float:
    """Return the largest absolute value, of which rounding errors are a fraction; 0 for no sets."""
    return float(np.maximum(np.abs(deltas), errors).max(initial=0))


def _undefined(sets: tuple[SetDifference, ...], confidence: float) -> PooledDifference:
    """Return the result for at most one test set that can be pooled."""
    nan, only = math.nan, next((each for each in sets if not each.reason), None)
    return PooledDifference(
        sets=sets,
        delta=only.delta if only else nan,
        standard_error=nan,
        interval=Interval(nan, nan, confidence),
        t=nan,
        p_value=nan,
        q=nan,
        q_p_value=nan,
        i_squared=nan,
        tau=nan,
        weighted_error=nan,
        error_factor=nan,
        reason="only one test set" if only else NO_SETS,
        prediction=Prediction(
            interval=Interval(nan, nan, confidence),
            median_error=only.standard_error if only else nan,
            degrees_of_freedom=0,
            reason=f"only one test set, {_NEEDED}" if only else NO_SETS,
        ),
    )


def _pooled(sets: tuple[SetDifference, ...], estimates: Estimates, confidence: float) -> PooledDifference:
    """Return the result for two or more test sets."""
    from scipy import special  # loaded when first needed: scoring does without

    n, nan = estimates.number, math.nan
    scale = _largest(estimates.deltas, estimates.errors)
    equal = bool(np.ptp(estimates.deltas) <= ROUNDING_TOLERANCE * scale)
    error = nan if equal else float(estimates.standard_error)
    half_width = nan if equal else float(estimates.half_width(confidence))
    t, q = float(estimates.delta) / error, float(estimates.q)
    return PooledDifference(
        sets=sets,
        delta=float(estimates.delta),
        standard_error=error,
        interval=_interval(estimates.delta, half_width, confidence),
        t=t,
        p_value=nan if equal else two_sided_p(t, n - 1),
        q=q,
        q_p_value=max(float(special.chdtrc(n - 1, q)), math.ulp(0)),
        i_squared=max(0.0, 1 - (n - 1) / q) if q else 0.0,
        tau=math.sqrt(estimates.tau_squared),
        weighted_error=float(estimates.weighted_error),
        error_factor=float(estimates.factor),
        reason=EQUAL_DIFFERENCES if equal else "",
        prediction=_prediction(estimates, confidence, EQUAL_DIFFERENCES if equal else ""),
    )


def _prediction(estimates: Estimates, confidence: float, reason: str) -> Prediction:
    """Return the prediction; it is undefined for fewer than four sets, or for the given reason."""
    interval = Interval(math.nan, math.nan, confidence)
    if estimates.number < MIN_PREDICTION_SETS:
        reason = f"only {estimates.number} test sets, {_NEEDED}"
    if not reason:
        interval = _interval(estimates.delta, estimates.prediction_half_width(confidence), confidence)
    return Prediction(
        interval=interval,
        median_error=float(estimates.median_error),
        degrees_of_freedom=estimates.number - 2,
        reason=reason,
    )


def _interval(centre: float | Floats, half_width: float | Floats, confidence: float) -> Interval:
    return Interval(float(centre - half_width), float(centre + half_width), confidence)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Estimates:
    """Estimates by random effects, of one meta-analysis of n test sets or of many at once.

    Attributes:
        deltas, errors: (..., n) the differences and their standard errors, all finite, errors above 0.
        tau_squared: (...) the variance between sets, by Paule and Mandel.
        delta: (...) the pooled differences.
        weights: (..., n) fractions.
        weighted_error: (...) standard errors that tau and the errors imply.
        factor: (...) of the variance, by Hartung and Knapp.
        q: (...) Cochran's Q.
    """

    deltas: Floats
    errors: Floats
    tau_squared: Floats
    delta: Floats
    weights: Floats
    weighted_error: Floats
    factor: Floats
    q: Floats

    @classmethod
    def of(cls, deltas: Floats, errors: Floats) -> Estimates:
        """Pool the differences of n test sets, at least two, along the last axis."""
        n, variances = deltas.shape[-1], errors**2
        tau_squared = between_set_variances(deltas, variances, np.asarray(n - 1.0))
        moments = _Moments.of(deltas, variances, tau_squared)
        return cls(
            deltas=deltas,
            errors=errors,
            tau_squared=tau_squared,
            delta=moments.mean,
            weights=moments.weights / moments.total[..., None],
            weighted_error=1 / np.sqrt(moments.total),
            factor=moments.q / (n - 1),
            q=_Moments.of(deltas, variances, np.zeros_like(tau_squared)).q,
        )

    @property
    def number(self) -> int:
        """The number of test sets, n."""
        return self.deltas.shape[-1]

    @property
    def standard_error(self) -> Floats:
        """(...) of the pooled differences, by Hartung and Knapp."""
        return self.weighted_error * np.sqrt(self.factor)

    @property
    def median_error(self) -> Floats:
        """(...) the medians of the standard errors."""
        return np.asarray(np.median(self.errors, axis=-1))

    def half_width(self, confidence: float) -> Floats:
        """Return half the widths of the intervals of pooled differences, (...)."""
        return t_quantile((1 + confidence) / 2, self.number - 1) * self.standard_error

    def prediction_half_width(self, confidence: float) -> Floats:
        """Return half the widths of the prediction intervals of observed differences, (...)."""
        variance = self.standard_error**2 + self.tau_squared + self.median_error**2
        return t_quantile((1 + confidence) / 2, self.number - 2) * np.sqrt(variance)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Moments:
    """Weights of n differences for a variance between sets, and what they imply.

    Attributes:
        weights: (..., n) 1 / (variance of the set + variance between sets).
        total: (...) their sum.
        mean: (...) the weighted mean.
        q: (...) the weighted sum of squared deviations.
        slope: (...) how fast q falls with the variance between sets.
    """

    weights: Floats
    total: Floats
    mean: Floats
    q: Floats
    slope: Floats

    @classmethod
    def of(cls, deltas: Floats, variances: Floats, tau_squared: Floats) -> _Moments:
        weights = 1 / (variances + tau_squared[..., None])
        total = weights.sum(axis=-1)
        mean = (weights * deltas).sum(axis=-1) / total
        squares = weights * (deltas - mean[..., None]) ** 2
        return cls(
            weights=weights,
            total=total,
            mean=mean,
            q=np.asarray(squares.sum(axis=-1)),
            slope=np.asarray((weights * squares).sum(axis=-1)),
        )


def between_set_variances(deltas: Floats, variances: Floats, targets: Floats) -> Floats:
    """Return the variances between sets at which Q, with weights 1 / (variance + that between sets), is a target.

    The target n - 1 gives the estimate of Paule and Mandel. Q is a sum of fractions c / (a + tau**2), so that 1 / Q is
    concave and increases: Newton's method for 1 / Q never passes the solution, and takes one step if errors are equal.

    Args:
        deltas: (..., n).
        variances: (..., n) of the differences, squared standard errors.
        targets: (...) of Q, above 0; shapes are broadcast.

    Returns:
        (...) 0 where Q is below the target without variance between sets.

    Source:
        DerSimonian and Kacker (2007), Random-effects model for meta-analysis of clinical trials, Contemporary Clinical
        Trials 28, appendix 8, with Newton's method for 1 / Q in place of Q.
    """
    shape = np.broadcast_shapes(deltas.shape[:-1], variances.shape[:-1], targets.shape)
    tau_squared = np.zeros(shape)
    for _ in range(MAX_STEPS):
        moments = _Moments.of(deltas, variances, tau_squared)
        above = moments.q > targets
        ratios = np.divide(moments.q, moments.slope, out=np.zeros(shape), where=above)
        steps = ratios * (moments.q / targets - 1)
        tau_squared = tau_squared + steps
        if not (steps > RELATIVE_PRECISION * tau_squared).any():
            break
    return tau_squared
