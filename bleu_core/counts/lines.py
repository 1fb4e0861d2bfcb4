"""Lines of text, some at a time: of a file from any place on, or of texts that are in memory."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from bleu_core.counts.sources import BLOCK_CHARACTERS, IrregularError
from bleu_core.errors import BleuCoreError
from bleu_core.formats import InvisibleCharacters, empty_segment_notes


@dataclass(frozen=True, slots=True)
class Oddities:
    """What is unusual about lines; those of parts add up.

    Attributes:
        empty: lines without text.
        invisible: invisible characters by name.
    """

    empty: int = 0
    invisible: Mapping[str, int] = field(default_factory=dict[str, int])

    def __add__(self, other: Oddities) -> Oddities:
        return Oddities(self.empty + other.empty, dict(Counter(self.invisible) + Counter(other.invisible)))

    @property
    def sentences(self) -> tuple[str, ...]:
        """As in the report on a file."""
        return (*InvisibleCharacters(self.invisible).sentences, *empty_segment_notes(self.empty))


class LineReader(Protocol):
    """Gives lines, some at a time."""

    def take(self, count: int) -> Sequence[str | None]:
        """That many lines, or what is left."""
        ...

    @property
    def oddities(self) -> Oddities:
        """Of the lines that were taken."""
        ...


class FileLines:
    """The lines of a text file, a block of characters at a time: a good deal faster than line by line."""

    def __init__(self, reader: io.TextIOWrapper, longest: int) -> None:
        """Begin where the reader stands.

        Args:
            reader: of the file; its lines end at LF alone.
            longest: characters of a line at most.
        """
        self.reader = reader
        self.longest = longest
        self.one_line = True  # so far
        self.ready: list[str] = []
        self.begun = ""  # the line that the last block broke off in
        self.ended = False
        self.invisible = InvisibleCharacters()
        self.empty = 0

    @property
    def oddities(self) -> Oddities:
        """Of the lines that were taken."""
        return Oddities(self.empty, dict(self.invisible.counts))

    def take(self, count: int) -> list[str]:
        """That many lines, or what is left.

        Raises:
            IrregularError: the file cannot be read or decoded, or holds NUL, a line that is too long or line ends of
                CR alone.
        """
        while len(self.ready) < count and not self.ended:
            self._read()
        taken, self.ready = self.ready[:count], self.ready[count:]
        self.empty += sum(not line or line.isspace() for line in taken)
        self.invisible.add("\n".join(taken))
        return taken

    def skip(self, count: int) -> None:
        """Leave out that many lines; errors as for take."""
        while count > 0 and (self.ready or not self.ended):
            if not self.ready:
                self._read()
            count, self.ready = count - len(self.ready[:count]), self.ready[count:]

    def _read(self) -> None:
        try:
            block = self.reader.read(BLOCK_CHARACTERS)
        except (UnicodeError, BleuCoreError, OSError):
            raise IrregularError from None
        if "\0" in block:
            raise IrregularError
        self.ended = not block
        if self.ended:
            if self.one_line and "\r" in self.begun[:-1]:
                raise IrregularError
            self.ready += [self.begun] if self.begun else []
            return
        lines = block.split("\n")
        lines[0] = self.begun + lines[0]
        if max(map(len, lines)) > self.longest:
            raise IrregularError
        self.begun = lines.pop()
        if not lines:
            return
        self.one_line = False
        self.ready += [line.removesuffix("\r") for line in lines] if "\r" in block or lines[0].endswith("\r") else lines


class GivenLines:
    """Lines that are in memory; None is a reference that is absent."""

    def __init__(self, lines: Sequence[str | None]) -> None:
        self.lines = lines
        self.taken = 0

    @property
    def oddities(self) -> Oddities:
        """None: texts in memory were looked at when they were read."""
        return Oddities()

    def take(self, count: int) -> Sequence[str | None]:
        """That many lines, or what is left."""
        self.taken += count
        return self.lines[self.taken - count : self.taken]
