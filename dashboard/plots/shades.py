"""Backgrounds of the cells of tables by size, on light and dark pages, on which text can be read."""

from __future__ import annotations

import math

from dashboard.plots.theme import PAGES

#: Strongest background of a better and of a worse value: blue and orange, which people with any kind of colour vision
#: can tell apart; on light pages, then on dark ones.
BETTER = ("#8CC4F0", "#1D5B8C")
WORSE = ("#F5B583", "#8A4A12")

#: Text on them, on light pages and on dark ones.
TEXT = ("#1B2328", "#F4F7F9")


def shade(strength: float, *, dark: bool) -> str:
    """Return the CSS of a cell: its background and its text; empty for NaN.

    Args:
        strength: from -1, the worst, to 1, the best; 0 has the colour of the page.
        dark: whether the page is dark.
    """
    if math.isnan(strength):
        return ""
    end = (BETTER if strength > 0 else WORSE)[dark]
    background = mixed(PAGES[dark], end, min(abs(strength), 1.0))
    return f"background-color:{background};color:{TEXT[dark]}"


def mixed(first: str, second: str, share: float) -> str:
    """Return a colour between two colours, as #RRGGBB.

    >>> mixed("#000000", "#FFFFFF", 0.5)
    '#808080'
    """
    pairs = ((int(first[i : i + 2], 16), int(second[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + share * (b - a)):02X}" for a, b in pairs)
