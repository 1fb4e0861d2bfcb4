"""Expressions for slices put together from others."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.errors import SettingsError
from bleu_core.slicing.expression import Joined, parse


def joined(one: str, by: str, other: str) -> str:
    """Two expressions combined by "and" or "or"; either may be empty."""
    if not one or not other:
        return one or other
    return " ".join((_enclosed(one, by), by, _enclosed(other, by)))


def _enclosed(expression: str, by: str) -> str:
    """An expression, in parentheses if it would be read otherwise beside "and" or "or", or cannot be read."""
    try:
        parsed = parse(expression)
    except SettingsError:
        return f"({expression})"
    return f"({expression})" if isinstance(parsed, Joined) and parsed.by != by else expression


def segments_among(numbers: Sequence[int], most: int | None = None) -> str:
    """An expression for segments by their numbers, in ascending order.

    Args:
        numbers: from 1.
        most: so many of them at most are named, the first ones; all if None.
    """
    ranges: list[list[int]] = []
    for number in numbers[:most]:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return "segment in " + ", ".join(f"{low}" if low == high else f"{low}-{high}" for low, high in ranges)
