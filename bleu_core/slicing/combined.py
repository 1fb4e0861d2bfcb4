"""Slice expressions composed of others."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.errors import SettingsError
from bleu_core.slicing.expression import Joined, parse


def combine_expressions(first: str, operator: str, second: str) -> str:
    """Combine two expressions by "and" or "or"; either may be empty."""
    if not first or not second:
        return first or second
    return " ".join((_enclosed(first, operator), operator, _enclosed(second, operator)))


def _enclosed(expression: str, operator: str) -> str:
    """Return an expression for use as an operand, in parentheses if precedence requires them or it is invalid."""
    try:
        parsed = parse(expression)
    except SettingsError:
        return f"({expression})"
    return f"({expression})" if isinstance(parsed, Joined) and parsed.by != operator else expression


def segments_among(numbers: Sequence[int], max_numbers: int | None = None) -> str:
    """Return an expression for segments, given by their numbers in ascending order.

    Args:
        numbers: from 1.
        max_numbers: only the first of them are included, at most this many; all if None.
    """
    ranges: list[list[int]] = []
    for number in numbers[:max_numbers]:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return "segment in " + ", ".join(f"{low}" if low == high else f"{low}-{high}" for low, high in ranges)
