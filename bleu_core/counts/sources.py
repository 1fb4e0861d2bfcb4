"""Texts with one segment per line, each in a file: what is noted of one before its lines are counted."""

from __future__ import annotations

import codecs
import hashlib
import io
import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from bleu_core.errors import BleuCoreError, FormatError
from bleu_core.formats import (
    HEAD_BYTES,
    RESOURCE_ENDINGS,
    check_encoding,
    check_supported,
    is_delimited,
    looks_like_resource_file,
    marked_encoding,
    open_decompressed,
    printable_path,
    suffix_of,
)
from bleu_core.limits import DEFAULT_LIMITS, Limits

#: What markup, JSON, PO, WebVTT and zips begin with. Such a file may be plain text all the same: the way through a
#: Corpus, on which formats are recognised, gives the same digits.
MARKUP = (b"<", b"{", b"[", b"#", b"msgid", b"msgctxt", b"WEBVTT", b"PK\x03\x04")
#: The same for SRT: the number or the times of a cue, in the bytes of any encoding.
CUE = re.compile(rb"[\d\0]++(?:[ \t\r\0]*+\n|:)")

#: The offset of every so many lines is noted: a tenth of a second of counting lies between two.
OFFSET_LINES = 1 << 15

BLOCK_BYTES = 1 << 20
BLOCK_CHARACTERS = 1 << 18
DIGEST_BYTES = 16
UTF8 = codecs.lookup("utf-8").name
CARRIAGE_RETURN, NEWLINE = b"\r", b"\n"
ABSENT_LINE = "\0"

#: What tells a file from what it was before: size, times of change and number of the file, or what its server tells.
Stamp = tuple[int | str, ...]


class IrregularError(Exception):
    """The files are not plain, readable and equally long; reading them into a Corpus gives the error."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file with one segment per line, which may be compressed.

    Attributes:
        location: its path or its URL.
        encoding: where it has no byte order mark; None is UTF-8.
    """

    location: str
    encoding: str | None = None

    @property
    def name(self) -> str:
        """The file, for messages."""
        return printable_path(self.location)

    @property
    def remote(self) -> bool:
        """Whether it is named by a URL."""
        scheme, separator, _ = self.location.partition("://")
        return bool(separator) and scheme.replace("+", "").isalnum()

    def open(self) -> BinaryIO:
        """The file, from its beginning.

        Raises:
            OSError: it cannot be opened.
            BleuCoreError: its URL cannot be used.
        """
        if self.remote:
            from bleu_core.counts.remote import open_url  # which files of this machine do without

            return open_url(self.location)
        return Path(self.location).open("rb")

    def stamp_of(self, file: BinaryIO) -> Stamp:
        """The stamp of the open file."""
        if self.remote:
            from bleu_core.counts.remote import stamp_of_url

            return stamp_of_url(self.location, file)
        return _stamp(os.fstat(file.fileno()))

    def stamp(self) -> Stamp:
        """The stamp of what its path or URL leads to now; errors as for open."""
        if self.remote:
            from bleu_core.counts.remote import stamp_of_url

            return stamp_of_url(self.location)
        return _stamp(Path(self.location).stat())


@dataclass(frozen=True, slots=True, kw_only=True)
class ScannedText:
    """What one pass over a file has found.

    Attributes:
        source: the file.
        stamp: by which a change of the file is noticed.
        lines: how many it has.
        digest: blake2b of its lines in UTF-8, each with a line feed, in hexadecimal digits: equal for equal lines,
            whatever the compression, the encoding and the line ends.
        offsets: the byte where every OFFSET_LINES-th line begins, from line 0 on; empty in a file that can only be read
            from its beginning, as it is compressed or not in UTF-8.
    """

    source: Source
    stamp: Stamp
    lines: int
    digest: str
    offsets: tuple[int, ...]


def _stamp(found: os.stat_result) -> Stamp:
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def check_unchanged(source: Source, stamp: Stamp) -> None:
    """Check that the path of a file still leads to what was scanned.

    Raises:
        FormatError: the file was changed or replaced.
        OSError: it is not there any more.
    """
    if source.stamp() != stamp:
        raise changed(source)


def changed(source: Source) -> FormatError:
    """The error about a file that is not what it was when it was scanned."""
    return FormatError(f"{source.name}: the file was changed while it was counted; count it again")


def is_no_text(location: str) -> bool:
    """Whether a file's name is that of a table, or of a kind that is refused."""
    return is_delimited(location) or suffix_of(location) in RESOURCE_ENDINGS


def scan(source: Source, limits: Limits = DEFAULT_LIMITS) -> ScannedText:
    """Go once through a file: number of lines, digest and offsets. What the lines hold is not looked at.

    Args:
        source: the file.
        limits: that on the ratio of a compression applies.

    Raises:
        IrregularError: the file is a table, a pipe, empty, of a kind that is not read, or begins as markup, JSON or PO
            does; or it cannot be unpacked or decoded.
        OSError: it cannot be opened.
    """
    with source.open() as file:
        if is_no_text(source.location) or not (source.remote or stat.S_ISREG(os.fstat(file.fileno()).st_mode)):
            raise IrregularError
        stamp = source.stamp_of(file)
        content, encoding, plain = text_of(file, source.encoding, limits)
        start = content.tell() if plain else 0
        tally = _Tally(start if plain else None)
        try:
            for block in _blocks(content, encoding):
                tally.add(block)
        except (UnicodeError, BleuCoreError, OSError):
            check_unchanged(source, stamp)
            raise IrregularError from None
        lines = tally.finish()
        check_unchanged(source, stamp)
    if not lines:
        raise IrregularError
    # An offset behind the last line feed is where a further line would begin.
    offsets = tuple(tally.offsets[: -(-lines // OFFSET_LINES)]) if plain else ()
    return ScannedText(source=source, stamp=stamp, lines=lines, digest=tally.digest, offsets=offsets)


def text_of(file: BinaryIO, encoding: str | None, limits: Limits) -> tuple[BinaryIO, str, bool]:
    """The bytes of a file's text: unpacked while they are read, and behind the byte order mark.

    Returns:
        The bytes, their encoding, and whether they are the file's own in UTF-8, so that any line can be read alone.

    Raises:
        IrregularError: the file is of a kind that is not read, or begins as markup, JSON or PO does.
    """
    try:
        begin = open_decompressed(file, "", limits).read(HEAD_BYTES)
        check_supported(begin, "")
        mark, found = marked_encoding(begin, encoding)
        check_encoding(found, "")
        text = begin[len(mark) :].lstrip(b"\0 \t\r\n")
        if text.startswith(MARKUP) or CUE.match(text):
            raise IrregularError
        if looks_like_resource_file(begin[len(mark) :].decode(found, "ignore")):
            raise IrregularError
        file.seek(0)
        content = open_decompressed(file, "", limits)
        content.read(len(mark))
    except (BleuCoreError, OSError):
        raise IrregularError from None
    return content, found, content is file and codecs.lookup(found).name == UTF8


def _blocks(content: BinaryIO, encoding: str) -> Iterator[bytes]:
    """The text in UTF-8, a block at a time."""
    if codecs.lookup(encoding).name == UTF8:
        yield from iter(lambda: content.read(BLOCK_BYTES), b"")
        return
    reader = io.TextIOWrapper(content, encoding=encoding, newline="\n")
    try:
        yield from iter(lambda: reader.read(BLOCK_CHARACTERS).encode("utf-8", "surrogatepass"), b"")
    finally:
        reader.detach()  # else the file would be closed with it


class _Tally:
    """Lines, digest and offsets of bytes that come block by block."""

    def __init__(self, start: int | None) -> None:
        """Begin.

        Args:
            start: the offset of the first line; None where offsets are of no use.
        """
        self.offsets = [] if start is None else [start]
        self.newlines = 0
        self._base = start
        self._digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
        self._held = b""  # a carriage return at the end of a block: what follows decides what it is
        self._open = False  # whether the last line has no line feed yet

    def add(self, block: bytes) -> None:
        """The next block, not empty."""
        found = block.count(NEWLINE)
        if self._base is not None:
            if (self.newlines + found) // OFFSET_LINES > self.newlines // OFFSET_LINES:
                ends = np.flatnonzero(np.frombuffer(block, np.uint8) == NEWLINE[0])
                chosen = ends[OFFSET_LINES - 1 - self.newlines % OFFSET_LINES :: OFFSET_LINES]
                self.offsets += (self._base + chosen + 1).tolist()
            self._base += len(block)
        self.newlines += found
        self._open = not block.endswith(NEWLINE)
        text = self._held + block
        self._held = CARRIAGE_RETURN if text.endswith(CARRIAGE_RETURN) else b""
        text = text.removesuffix(self._held)
        self._digest.update(text.replace(b"\r\n", NEWLINE) if CARRIAGE_RETURN in text else text)

    def finish(self) -> int:
        """The number of lines, when all blocks were added."""
        self._digest.update(self._held + (NEWLINE if self._open else b""))
        return self.newlines + self._open

    @property
    def digest(self) -> str:
        """In hexadecimal digits."""
        return self._digest.hexdigest()


def digest_of_lines(lines: Iterable[str | None]) -> str:
    """The digest that a file with these lines would have; an absent reference counts as NUL, which no text has."""
    digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
    for line in lines:
        digest.update((ABSENT_LINE if line is None else line).encode("utf-8", "surrogatepass") + NEWLINE)
    return digest.hexdigest()
