"""Formats of numbers in sentences."""

from __future__ import annotations

from bleu_core.fields import decimal
from bleu_core.inference import ALPHA, CONFIDENCE
from bleu_core.results.table import format_p
from bleu_core.scoring import Metric

#: Name of every interval on the pages.
INTERVAL = f"{100 * CONFIDENCE:g}% interval"

#: Default significance level.
LEVEL = f"{100 * ALPHA:g}% level"

#: From this value on, two decimals would round a correlation to 1.
PERFECT_WHEN_ROUNDED = 0.995


def percent(fraction: float) -> str:
    """Format a fraction as a percentage: "74%"."""
    return f"{100 * fraction:.0f}%"


def coefficient(value: float) -> str:
    """Format a correlation with two decimals, or with four where two would round it to 1."""
    decimals = 2 if abs(value) < PERFECT_WHEN_ROUNDED or abs(value) == 1 else 4
    return decimal(value, decimals)


def signed(change: float, decimals: int = 2) -> str:
    """Format a difference with its sign; what rounds to zero is +0.00."""
    return decimal(change, decimals, signed=True)


def amount(value: float, metric: Metric) -> str:
    """Format a score, or a difference without its sign, with the metric's decimals and name: "0.30 BLEU"."""
    return f"{decimal(value, metric.decimals)} {metric.label}"


def rounds_to_zero(difference: float, decimals: int) -> bool:
    """Return whether a difference is zero when it is printed with that number of decimals."""
    return abs(difference) < 0.5 / 10**decimals


def p_of(p_value: float) -> str:
    """Format a p-value to follow the letter p: "= 0.012", "< 0.001", "≤ 0.0002", "≈ 0.0002"."""
    text = format_p(p_value)
    return text if text.startswith(("<", "≤", "≈")) else f"= {text}"
