"""Texts of large files, decoded and checked in pieces, so that the whole text need not be in memory."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from functools import cached_property

from bleu_core.formats.text import (
    HEAD_CHARS,
    LineEnds,
    Text,
    byte_order_mark_repairs,
    count_line_ends,
    decode,
    detect_encoding,
)
from bleu_core.limits import DEFAULT_LIMITS, Limits

#: Bytes from which on the text of a file is decoded in pieces.
MIN_LARGE_BYTES = 2**22
#: Bytes that are decoded at a time.
PIECE_BYTES = 2**20


class _SuspectError(Exception):
    """A piece may be invalid; decode() decides."""


class LargeText(Text):
    """The text that `decode` gives for the bytes of a large file.

    Errors of `decode` that concern the text itself are raised when it is used. `content` is the whole text and stays in
    memory; `pieces` keeps nothing in memory.
    """

    def __init__(self, data: bytes, name: str, encoding: str | None = None, *, limits: Limits = DEFAULT_LIMITS) -> None:
        """Recognise the encoding.

        Args:
            data: the file's bytes.
            name: the file, for messages.
            encoding: as in decode.
            limits: the limits for the file.

        Raises:
            FormatError, LimitError, SettingsError: as detect_encoding.
        """
        mark, detected = detect_encoding(data, name, encoding, limits=limits)
        attributes = {
            "encoding": detected,
            "repairs": byte_order_mark_repairs(mark),
            "separator": None,
            "header": None,
            "above": 0,
        }
        for attribute, value in attributes.items():
            object.__setattr__(self, attribute, value)
        self._data = data
        self._name = name
        self._named = encoding
        self._limits = limits
        self._begin = len(mark)

    @cached_property
    def content(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride] # it is decoded when needed
        """The whole text; errors as for decode."""
        return decode(self._data, self._name, self._named, limits=self._limits).content

    @cached_property
    def beginning(self) -> str:  # pyright: ignore[reportIncompatibleMethodOverride] # it is decoded once
        """The first HEAD_CHARS characters and more, with the whole first line; errors as for decode."""
        pieces: list[str] = []
        size = 0
        for piece in self.pieces():
            pieces.append(piece)
            size += len(piece)
            if size > HEAD_CHARS:
                break
        return "".join(pieces)

    @cached_property
    def line_ends(self) -> LineEnds:  # pyright: ignore[reportIncompatibleMethodOverride] # they are counted once
        """The counts of its line ends; errors as for decode."""
        newlines = windows = returns = 0
        ended = False
        for piece in self.pieces():
            ends = count_line_ends(piece)
            newlines, windows, returns = newlines + ends.newlines, windows + ends.windows, returns + ends.returns
            ended = ends.ended
        return LineEnds(newlines, windows, returns, ended)

    @property
    def size(self) -> int:
        """The number of bytes, at least that of characters, since no character is less than a byte."""
        return len(self._data)

    def pieces(self) -> Iterator[str]:
        """Yield the text in pieces, each of which ends with a whole line.

        Raises:
            FormatError, LimitError, SettingsError: as decode, possibly after some pieces.
        """
        if "content" in self.__dict__:
            yield from super().pieces()
            return
        done = 0
        try:
            for piece in self._checked_pieces():
                yield piece
                done += len(piece)
        except (_SuspectError, UnicodeError, LookupError):
            rest = self.content[done:]  # raises the error, if there is one
            yield from Text(rest, self.encoding).pieces()

    def _checked_pieces(self) -> Iterator[str]:
        """Yield the pieces.

        Raises:
            _SuspectError: a piece may be invalid.
            LookupError, UnicodeError: the bytes cannot be decoded.
        """
        lines = characters = 0
        for piece in self._whole_lines():
            ends = count_line_ends(piece)
            lines += ends.lines + ends.returns - ends.windows
            characters += len(piece)
            if (
                "\0" in piece
                or lines > self._limits.lines
                or (len(piece) > self._limits.line_length and self._has_long_line(piece))
                or (ends.returns and not ends.newlines and characters == len(piece))
            ):
                raise _SuspectError
            yield piece

    def _has_long_line(self, piece: str) -> bool:
        return any(len(line) > self._limits.line_length for line in piece.split("\n"))

    def _whole_lines(self) -> Iterator[str]:
        """Yield the decoded text in pieces that end with whole lines; errors as for _checked_pieces."""
        decoder = codecs.getincrementaldecoder(self.encoding)()
        rest: list[str] = []
        waiting = 0
        for start in range(self._begin, len(self._data), PIECE_BYTES):
            text = decoder.decode(self._data[start : start + PIECE_BYTES], final=start + PIECE_BYTES >= len(self._data))
            end = text.rfind("\n") + 1
            if end:
                yield "".join((*rest, text[:end]))
                rest, waiting = [], 0
            rest.append(text[end:])
            waiting += len(text) - end
            if waiting > self._limits.line_length:
                raise _SuspectError
        last = "".join(rest)
        if last:
            yield last
