"""Warnings in words. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

from bleu_core.dataset import plural
from bleu_core.diagnostics import STRENGTHS, Finding
from bleu_core.errors import enumeration

#: Pixels: a line of chips, what surrounds a chip's title, and a character of it.
CHIPS_WIDTH, CHIP_AROUND, CHIP_CHARACTER = 900, 52, 6.6

#: From this strength on, a warning stands among a report's cautions.
CAUTIONS = ("caution", "alarm")

#: What ends a sentence.
ENDS = (".", "!", "?", "\u3002", "\uff01", "\uff1f")  # Chinese and full-width ones, too


def chips_named(titles: Sequence[str]) -> int:
    """How many chips with those titles have room in a line, with one that says how many more there are.

    Args:
        titles: the most important first.
    """
    widths = [CHIP_AROUND + CHIP_CHARACTER * len(title) for title in titles]
    if sum(widths) <= CHIPS_WIDTH:
        return len(titles)
    room = CHIPS_WIDTH - CHIP_AROUND - CHIP_CHARACTER * len("10 more")
    return max(1, sum(end <= room for end in accumulate(widths)))


def warnings_counted(found: Sequence[Finding]) -> str:
    """How many findings there are of each strength: "1 alarm, 2 cautions and 3 notes"; empty for none."""
    counts = [(strength, sum(each.strength == strength for each in found)) for strength in reversed(STRENGTHS)]
    named = [f"{count} {plural(count, strength)}" for strength, count in counts if count]
    return enumeration(named) if named else ""


def warnings_as_cautions(found: Sequence[Finding]) -> tuple[str, ...]:
    """What cautions and alarms have found, as a report's summary says it."""
    return tuple(each.message for each in found if each.strength in CAUTIONS)


def dismissal(title: str, reason: str) -> str:
    """That a warning was dismissed, and why."""
    if not reason:
        return f"Dismissed: {title}. No reason was given."
    return f"Dismissed: {title}. Reason: {reason}{'' if reason.endswith(ENDS) else '.'}"


def warnings_described(
    found: Sequence[Finding], titles: Mapping[str, str], dismissed: Mapping[str, str]
) -> tuple[str, ...]:
    """All findings for a report, a paragraph each, then those that were dismissed.

    Args:
        found: all findings.
        titles: key of a warning -> its title.
        dismissed: key -> the reason.
    """
    said = [
        f"{titles[each.key]} ({each.strength}). {each.message} {each.advice}"
        for each in found
        if each.key not in dismissed
    ]
    keys = dict.fromkeys(each.key for each in found if each.key in dismissed)
    of_dismissed = {key: " ".join(each.message for each in found if each.key == key) for key in keys}
    said += [f"{dismissal(titles[key], dismissed[key])} Found: {text}" for key, text in of_dismissed.items()]
    return tuple(said)
