"""Readers of lines, of files from any position on or of texts in memory."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from bleu_core.counts.sources import BLOCK_CHARACTERS, IrregularError, Source, text_of
from bleu_core.errors import BleuCoreError
from bleu_core.formats import InvisibleCharacters, empty_segment_notes
from bleu_core.limits import DEFAULT_LIMITS, Limits


@dataclass(frozen=True, slots=True)
class Oddities:
    """Unusual content of lines; the oddities of parts can be added.

    Attributes:
        empty: number of lines without text.
        invisible: name of an invisible character -> how often it occurs.
    """

    empty: int = 0
    invisible: Mapping[str, int] = field(default_factory=dict[str, int])

    def __add__(self, other: Oddities) -> Oddities:
        return Oddities(self.empty + other.empty, dict(Counter(self.invisible) + Counter(other.invisible)))

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences about the oddities, as in the report on a file."""
        return (*InvisibleCharacters(self.invisible).sentences, *empty_segment_notes(self.empty))


class LineReader(Protocol):
    """A reader of lines."""

    def read(self, count: int) -> Sequence[str | None]:
        """Read the next `count` lines, or all that remain."""
        ...

    @property
    def oddities(self) -> Oddities:
        """Oddities of the lines read so far."""
        ...


class FileLines:
    """A reader of a text file by blocks of characters, which is much faster than line by line."""

    def __init__(self, reader: io.TextIOWrapper, max_length: int) -> None:
        """Begin at the position of the reader.

        Args:
            reader: the file, opened so that lines end at LF alone.
            max_length: maximum number of characters per line.
        """
        self.reader = reader
        self.max_length = max_length
        self.one_line = True  # so far
        self.ready: list[str] = []
        self.incomplete = ""  # the beginning of the line at the end of the last block
        self.at_end = False
        self.invisible = InvisibleCharacters()
        self.empty = 0

    @property
    def oddities(self) -> Oddities:
        """Oddities of the lines read so far."""
        return Oddities(self.empty, dict(self.invisible.counts))

    def read(self, count: int) -> list[str]:
        """Read the next `count` lines, or all that remain.

        Raises:
            IrregularError: the file cannot be read or decoded, or holds NUL, a line that is too long or line ends of
                CR alone.
        """
        while len(self.ready) < count and not self.at_end:
            self._read_block()
        lines, self.ready = self.ready[:count], self.ready[count:]
        self.empty += sum(not line or line.isspace() for line in lines)
        self.invisible.add("\n".join(lines))
        return lines

    def skip(self, count: int) -> None:
        """Skip the next `count` lines; errors as for read."""
        while count > 0 and (self.ready or not self.at_end):
            if not self.ready:
                self._read_block()
            count, self.ready = count - len(self.ready[:count]), self.ready[count:]

    def _read_block(self) -> None:
        try:
            block = self.reader.read(BLOCK_CHARACTERS)
        except (UnicodeError, BleuCoreError, OSError):
            raise IrregularError from None
        if "\0" in block:
            raise IrregularError
        self.at_end = not block
        if self.at_end:
            if self.one_line and "\r" in self.incomplete[:-1]:
                raise IrregularError
            self.ready += [self.incomplete] if self.incomplete else []
            return
        lines = block.split("\n")
        lines[0] = self.incomplete + lines[0]
        if max(map(len, lines)) > self.max_length:
            raise IrregularError
        self.incomplete = lines.pop()
        if not lines:
            return
        self.one_line = False
        self.ready += [line.removesuffix("\r") for line in lines] if "\r" in block or lines[0].endswith("\r") else lines


class GivenLines:
    """A reader of lines in memory; None is a reference that is absent."""

    def __init__(self, lines: Sequence[str | None]) -> None:
        self.lines = lines
        self.position = 0

    @property
    def oddities(self) -> Oddities:
        """No oddities: texts in memory were checked when they were read."""
        return Oddities()

    def read(self, count: int) -> Sequence[str | None]:
        """Read the next `count` lines, or all that remain."""
        self.position += count
        return self.lines[self.position - count : self.position]


def first_lines(source: Source, count: int, limits: Limits = DEFAULT_LIMITS) -> list[str]:
    """Read the first lines of a file of plain text.

    Raises:
        IrregularError: as for FileLines.read, or the file is not plain text.
        OSError: it cannot be opened.
    """
    with source.open() as file:
        content, encoding, _ = text_of(file, source.encoding, limits)
        with io.TextIOWrapper(content, encoding=encoding, newline="\n") as reader:
            return FileLines(reader, limits.line_length).read(count)
