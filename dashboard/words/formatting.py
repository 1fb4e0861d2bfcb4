"""Numbers and lists of names as they stand in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.reports import format_p

MINUS = "−"

#: Correlations from here on would be rounded to 1.
PERFECT_WHEN_ROUNDED = 0.995


def percent(fraction: float) -> str:
    """A fraction in per cent."""
    return f"{100 * fraction:.0f}\N{NO-BREAK SPACE}%"


def coefficient(value: float) -> str:
    """A correlation with two decimals, or as many as keep it from being rounded to a perfect one."""
    decimals = 2 if abs(value) < PERFECT_WHEN_ROUNDED or abs(value) == 1 else 4
    return f"{value:.{decimals}f}".replace("-", MINUS)


def signed(change: float) -> str:
    """A difference with its sign and two decimals."""
    return f"{change:+.2f}".replace("-", MINUS)


def p_of(p_value: float) -> str:
    """A p-value behind the letter p: "= 0.012", "< 0.001", "≤ 0.0010"."""
    text = format_p(p_value)
    return text if text.startswith(("<", "≤")) else f"= {text}"


def enumeration(names: Sequence[str]) -> str:
    """One or more names as a list: "A", "A and B", "A, B and C"."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
