"""Formatting of names, segments and shares in warnings."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.dataset import plural
from bleu_core.diagnostics.declaration import Strength
from bleu_core.errors import listed

#: Maximum number of names in a sentence; further ones are counted.
MAX_NAMES = 5


def names(some: Sequence[str]) -> str:
    """Format names as part of a sentence."""
    return listed(list(some), max_items=MAX_NAMES)


def share(part: int, of: int) -> str:
    """Format a number of segments as part of a sentence.

    >>> share(3, 400)
    '3 of 400 segments (0.8%)'
    """
    return f"{part:,} of {of:,} {plural(of, 'segment')} ({percent(part / max(of, 1))})"


def percent(fraction: float) -> str:
    """Format a fraction as a percentage, with a decimal below ten.

    >>> percent(0.956), percent(0.008), percent(0)
    ('96%', '0.8%', '0%')
    """
    shown = 100 * fraction
    return f"{shown:.0f}%" if shown == 0 or shown >= 9.95 else f"{shown:.1f}%"  # noqa: PLR2004 # two digits


def strength_of(part: float, *, caution: float, alarm: float) -> Strength:
    """Return the severity of a share.

    Args:
        part: the share, a fraction.
        caution: minimum share for a caution.
        alarm: minimum share for an alarm.
    """
    return "alarm" if part >= alarm else "caution" if part >= caution else "note"
