"""Ranges of lines, and the parts of a text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from bleu_core.errors import SettingsError


class LineRange(NamedTuple):
    """A range of consecutive lines.

    Attributes:
        first: number of the first line, from 0.
        lines: number of lines.
    """

    first: int
    lines: int

    @property
    def behind(self) -> int:
        """Number of the line after the last one, from 0."""
        return self.first + self.lines

    def __str__(self) -> str:
        """Return the range for messages, counted from 1."""
        return f"lines {self.first + 1:,} to {self.behind:,}" if self.lines else "no lines"


class Part(NamedTuple):
    """One of several parts of a text.

    Attributes:
        number: from 1 on.
        of: number of parts.
    """

    number: int
    of: int

    def range(self, lines: int) -> LineRange:
        """Return the lines of the part: parts differ by one line at most, and the longer ones come first.

        Args:
            lines: number of lines of the whole text.

        Raises:
            SettingsError: there are more parts than lines.
        """
        if self.of > lines:
            raise SettingsError(f"{self.of:,} parts found, at most {lines:,} expected, the number of segments")
        size, longer = divmod(lines, self.of)
        first = (self.number - 1) * size + min(self.number - 1, longer)
        return LineRange(first, size + (self.number <= longer))


def parse_part(text: str) -> Part:
    """Parse a part in the form I/N.

    >>> parse_part("7/100")
    Part(number=7, of=100)

    Raises:
        SettingsError: `text` has another form, or I is not from 1 to N.
    """
    match = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
    if match is None:
        raise SettingsError(f"part {text!r} found, a number and the number of parts expected, as in 7/100")
    part = Part(int(match[1]), int(match[2]))
    if not 1 <= part.number <= part.of:
        raise SettingsError(f"part {text!r} found, parts from 1/{part.of} to {part.of}/{part.of} expected")
    return part


def divided(lines: LineRange, size: int) -> Iterable[LineRange]:
    """Divide a range at multiples of a size, so that pieces begin where offsets are known."""
    first = lines.first
    while first < lines.behind:
        behind = min((first // size + 1) * size, lines.behind)
        yield LineRange(first, behind - first)
        first = behind
