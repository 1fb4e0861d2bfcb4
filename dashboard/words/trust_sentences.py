"""Sentences about warnings. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

from bleu_core.dataset import plural
from bleu_core.diagnostics import STRENGTHS, Finding
from bleu_core.errors import enumeration

#: Widths in pixels: a line of chips, the padding of a chip, and a character of its title.
CHIPS_WIDTH_PX, CHIP_PADDING_PX, CHARACTER_WIDTH_PX = 900, 52, 6.6

#: Strengths of the warnings that a report lists as cautions.
CAUTIONS = ("caution", "alarm")

#: Final punctuation of a sentence.
FINAL_PUNCTUATION = (".", "!", "?", "\u3002", "\uff01", "\uff1f")  # Chinese and full-width ones, too


def chips_named(titles: Sequence[str]) -> int:
    """Return how many chips with those titles fit in a line, with one that gives the number of further ones.

    Args:
        titles: the most important first.
    """
    widths = [CHIP_PADDING_PX + CHARACTER_WIDTH_PX * len(title) for title in titles]
    if sum(widths) <= CHIPS_WIDTH_PX:
        return len(titles)
    available = CHIPS_WIDTH_PX - CHIP_PADDING_PX - CHARACTER_WIDTH_PX * len("10 more")
    return max(1, sum(end <= available for end in accumulate(widths)))


def warnings_counted(findings: Sequence[Finding]) -> str:
    """Count the findings of each strength: "1 alarm, 2 cautions and 3 notes"; empty for none."""
    counts = [(strength, sum(finding.strength == strength for finding in findings)) for strength in reversed(STRENGTHS)]
    named = [f"{count} {plural(count, strength)}" for strength, count in counts if count]
    return enumeration(named) if named else ""


def warnings_as_cautions(findings: Sequence[Finding]) -> tuple[str, ...]:
    """Return the findings of cautions and alarms, for a report's summary."""
    return tuple(finding.message for finding in findings if finding.strength in CAUTIONS)


def dismissal(title: str, reason: str) -> str:
    """State that a warning was dismissed, and why."""
    if not reason:
        return f"Dismissed: {title}. No reason was given."
    return f"Dismissed: {title}. Reason: {reason}{'' if reason.endswith(FINAL_PUNCTUATION) else '.'}"


def warnings_described(
    findings: Sequence[Finding], titles: Mapping[str, str], dismissed: Mapping[str, str]
) -> tuple[str, ...]:
    """Describe all findings for a report, one paragraph each, then those that were dismissed.

    Args:
        findings: all findings.
        titles: key of a warning -> its title.
        dismissed: key -> the reason.
    """
    paragraphs = [
        f"{titles[finding.key]} ({finding.strength}). {finding.message} {finding.advice}"
        for finding in findings
        if finding.key not in dismissed
    ]
    keys = dict.fromkeys(finding.key for finding in findings if finding.key in dismissed)
    texts_of_dismissed = {key: " ".join(finding.message for finding in findings if finding.key == key) for key in keys}
    paragraphs += [
        f"{dismissal(titles[key], dismissed[key])} Found: {text}" for key, text in texts_of_dismissed.items()
    ]
    return tuple(paragraphs)
