"""Coefficients and regression lines over systems, as in the JSON."""

from __future__ import annotations

from bleu_core.agreement.correlation import COEFFICIENT, Correlation, Regression
from bleu_core.fields import P_VALUE, REASON, field, result
from bleu_core.inference import CONFIDENCE

_INTERVAL = f"{100 * CONFIDENCE:g}% interval over systems"


@result
class Coefficient:
    """A coefficient of agreement over systems."""

    coefficient: float = field(COEFFICIENT)
    low: float = field("number", f"Lower end of the {_INTERVAL}.")
    high: float = field("number", f"Upper end of the {_INTERVAL}.")
    p_value: float = field(P_VALUE)
    reason: str = field(REASON, default="")

    @classmethod
    def of(cls, correlation: Correlation) -> Coefficient:
        """Convert a correlation, with the reason why it has no value or no interval."""
        low, high = correlation.interval.low, correlation.interval.high
        return cls(
            coefficient=correlation.coefficient,
            low=low,
            high=high,
            p_value=correlation.p_value,
            reason=correlation.note,
        )


@result
class RegressionLine:
    """The regression of mean ratings on scores."""

    slope: float = field("number", "Increase of the rating per point of the score.")
    intercept: float = field("number", "Rating at a score of 0.")
    reason: str = field(REASON, default="")

    @classmethod
    def of(cls, regression: Regression) -> RegressionLine:
        """Convert a regression, with the reason why it has no line."""
        return cls(slope=regression.slope, intercept=regression.intercept, reason=regression.reason)
