"""Change of a digit in a number."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from bleu_core.diagnostics.probes.declaration import Change, Probe, Task

#: Digits with separators between them. Numbers joined to a letter are part of a name or of a word.
NUMBER = re.compile(r"\d+(?:[.,:\u066b\u066c]\d+)*")

DIGITS = 10


def _change(task: Task) -> Sequence[Change]:
    generator = task.generator()
    after = [_other_number(text, generator) for text in task.output]
    return [task.changed(after, "no segment has a number")]


def _other_number(text: str, generator: np.random.Generator) -> str:
    """Return a text with another digit in one of its numbers, which remains a number of the same length."""
    numbers = [match for match in NUMBER.finditer(text) if not _is_joined(text, *match.span())]
    if not numbers:
        return text
    number = numbers[int(generator.integers(len(numbers)))]
    digits = [place for place in range(*number.span()) if text[place].isdecimal()]
    place = digits[int(generator.integers(len(digits)))]
    present = int(text[place])
    first = 1 if place == digits[0] else 0  # no leading zero
    others = [digit for digit in range(first, DIGITS) if digit != present]
    other = others[int(generator.integers(len(others)))]
    return text[:place] + chr(ord(text[place]) - present + other) + text[place + 1 :]


def _is_joined(text: str, start: int, end: int) -> bool:
    """Return whether a letter of a script with capitals is adjacent to a span, possibly before a hyphen."""
    before = text[start - 1 : start] if text[start - 1 : start] != "-" else text[start - 2 : start - 1]
    return any(letter.lower() != letter.upper() for letter in (before, text[end : end + 1]))


PROBE = Probe(
    key="number",
    title="A number changed",
    doing="Changing a number",
    changed="In each segment with numbers, one digit of one number becomes another; no number begins with a new zero.",
    noticed="The number is wrong: a year, a price, a score.",
    source="Karpinska et al. (2022), DEMETR: Diagnosing Evaluation Metrics for Translation",
    change=_change,
)
