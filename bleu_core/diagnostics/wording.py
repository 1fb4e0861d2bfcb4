"""How warnings write lists of names, segments and shares."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.dataset import plural
from bleu_core.diagnostics.declaration import Strength
from bleu_core.errors import listed

#: Names that a sentence lists; of more, all but the first ones are counted.
MAX_NAMES = 5


def names(some: Sequence[str]) -> str:
    """Names as part of a sentence."""
    return listed(list(some), max_items=MAX_NAMES)


def share(part: int, of: int) -> str:
    """A number of segments as part of a sentence.

    >>> share(3, 400)
    '3 of 400 segments (0.8%)'
    """
    return f"{part:,} of {of:,} {plural(of, 'segment')} ({percent(part / max(of, 1))})"


def percent(fraction: float) -> str:
    """A fraction as a percentage, with a decimal below ten.

    >>> percent(0.956), percent(0.008), percent(0)
    ('96%', '0.8%', '0%')
    """
    shown = 100 * fraction
    return f"{shown:.0f}%" if shown == 0 or shown >= 9.95 else f"{shown:.1f}%"  # noqa: PLR2004 # two digits


def strength_of(part: float, *, caution: float, alarm: float) -> Strength:
    """How much a share matters.

    Args:
        part: the share, a fraction.
        caution: the least share that is a caution.
        alarm: the least share that is an alarm.
    """
    return "alarm" if part >= alarm else "caution" if part >= caution else "note"
