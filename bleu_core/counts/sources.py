"""Files with one segment per line: a scan of each before its lines are counted."""

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
    looks_like_other_file,
    marked_encoding,
    open_decompressed,
    printable_path,
    suffix_of,
)
from bleu_core.limits import DEFAULT_LIMITS, Limits

#: Beginnings of markup, JSON, PO, WebVTT and zips. Such a file may still be plain text: reading it into a Corpus, which
#: recognises formats, gives the same scores.
FORMAT_BEGINNINGS = (b"<", b"{", b"[", b"#", b"msgid", b"msgctxt", b"WEBVTT", b"PK\x03\x04")
#: The beginning of SRT: the number or the times of a cue, in the bytes of any encoding.
CUE_BEGINNING = re.compile(rb"[\d\0]++(?:[ \t\r\0]*+\n|:)")

#: Number of lines between two recorded offsets: a tenth of a second of counting.
OFFSET_LINES = 1 << 15

BLOCK_BYTES = 1 << 20
BLOCK_CHARACTERS = 1 << 18
DIGEST_BYTES = 16
UTF8 = codecs.lookup("utf-8").name
CARRIAGE_RETURN, NEWLINE = b"\r", b"\n"
ABSENT_LINE = "\0"

#: What changes with a file: size, times of change and inode, or the details that its server gives.
Stamp = tuple[int | str, ...]


class IrregularError(Exception):
    """The files are not plain, readable and equally long; reading them into a Corpus gives the error."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file with one segment per line, which may be compressed.

    Attributes:
        location: path or URL.
        encoding: encoding of a file without a byte order mark; None is UTF-8.
    """

    location: str
    encoding: str | None = None

    @property
    def name(self) -> str:
        """Name of the file, for messages."""
        return printable_path(self.location)

    @property
    def remote(self) -> bool:
        """Whether the location is a URL."""
        scheme, separator, _ = self.location.partition("://")
        return bool(separator) and scheme.replace("+", "").isalnum()

    def open(self) -> BinaryIO:
        """Open the file.

        Raises:
            OSError: it cannot be opened.
            BleuCoreError: its URL cannot be used.
        """
        if self.remote:
            from bleu_core.counts.urls import open_url  # loaded when first needed

            return open_url(self.location)
        return Path(self.location).open("rb")

    def stamp_of(self, file: BinaryIO) -> Stamp:
        """Return the stamp of the open file."""
        if self.remote:
            from bleu_core.counts.urls import stamp_of_url

            return stamp_of_url(self.location, file)
        return _stamp(os.fstat(file.fileno()))

    def stamp(self) -> Stamp:
        """Return the stamp of the file now at the path or URL; errors as for open."""
        if self.remote:
            from bleu_core.counts.urls import stamp_of_url

            return stamp_of_url(self.location)
        return _stamp(Path(self.location).stat())


@dataclass(frozen=True, slots=True, kw_only=True)
class ScannedText:
    """The result of a scan of a file.

    Attributes:
        source: the file.
        stamp: stamp of the file, by which changes are noticed.
        lines: number of lines.
        digest: blake2b of its lines in UTF-8, each with a line feed, in hexadecimal digits: equal for equal lines,
            whatever the compression, the encoding and the line ends.
        offsets: byte offset of every OFFSET_LINES-th line, from line 0 on; empty if the file can only be read from its
            beginning, as it is compressed or not in UTF-8.
    """

    source: Source
    stamp: Stamp
    lines: int
    digest: str
    offsets: tuple[int, ...]


def _stamp(status: os.stat_result) -> Stamp:
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def check_unchanged(source: Source, stamp: Stamp) -> None:
    """Check that the file at a path has not changed since it was scanned.

    Raises:
        FormatError: the file was changed or replaced.
        OSError: the file does not exist any more.
    """
    if source.stamp() != stamp:
        raise changed(source)


def changed(source: Source) -> FormatError:
    """Return the error about a file that has changed since it was scanned."""
    return FormatError(f"{source.name}: the file was changed while it was counted; count it again")


def is_not_plain_text(location: str) -> bool:
    """Return whether a file is, by its name, a table or of a kind that is refused."""
    return is_delimited(location) or suffix_of(location) in RESOURCE_ENDINGS


def scan(source: Source, limits: Limits = DEFAULT_LIMITS) -> ScannedText:
    """Read a file once for its number of lines, digest and offsets; the content of lines is not checked.

    Args:
        source: the file.
        limits: the limit on the ratio of a compression applies.

    Raises:
        IrregularError: the file is a table, a pipe, empty, of an unsupported kind, begins like markup, JSON or PO, or
            cannot be unpacked or decoded.
        OSError: it cannot be opened.
    """
    with source.open() as file:
        if is_not_plain_text(source.location) or not (source.remote or stat.S_ISREG(os.fstat(file.fileno()).st_mode)):
            raise IrregularError
        stamp = source.stamp_of(file)
        content, encoding, plain = text_of(file, source.encoding, limits)
        start = content.tell() if plain else 0
        scanner = _Scanner(start if plain else None)
        try:
            for block in _blocks(content, encoding):
                scanner.add(block)
        except (UnicodeError, BleuCoreError, OSError):
            check_unchanged(source, stamp)
            raise IrregularError from None
        lines = scanner.finish()
        check_unchanged(source, stamp)
    if not lines:
        raise IrregularError
    # An offset after the last line feed is not the beginning of a line.
    offsets = tuple(scanner.offsets[: -(-lines // OFFSET_LINES)]) if plain else ()
    return ScannedText(source=source, stamp=stamp, lines=lines, digest=scanner.digest, offsets=offsets)


def text_of(file: BinaryIO, encoding: str | None, limits: Limits) -> tuple[BinaryIO, str, bool]:
    """Return the text of a file as bytes, unpacked while they are read, after the byte order mark.

    Returns:
        The bytes, their encoding, and whether they are uncompressed UTF-8, so that reading can begin at any offset.

    Raises:
        IrregularError: the file is of an unsupported kind, or begins like markup, JSON or PO.
    """
    try:
        begin = open_decompressed(file, "", limits).read(HEAD_BYTES)
        check_supported(begin, "")
        mark, text_encoding = marked_encoding(begin, encoding)
        check_encoding(text_encoding, "")
        text = begin[len(mark) :].lstrip(b"\0 \t\r\n")
        if text.startswith(FORMAT_BEGINNINGS) or CUE_BEGINNING.match(text):
            raise IrregularError
        if looks_like_other_file(begin[len(mark) :].decode(text_encoding, "ignore")):
            raise IrregularError
        file.seek(0)
        content = open_decompressed(file, "", limits)
        content.read(len(mark))
    except (BleuCoreError, OSError):
        raise IrregularError from None
    return content, text_encoding, content is file and codecs.lookup(text_encoding).name == UTF8


def _blocks(content: BinaryIO, encoding: str) -> Iterator[bytes]:
    """Yield the text in UTF-8 by blocks."""
    if codecs.lookup(encoding).name == UTF8:
        yield from iter(lambda: content.read(BLOCK_BYTES), b"")
        return
    reader = io.TextIOWrapper(content, encoding=encoding, newline="\n")
    try:
        yield from iter(lambda: reader.read(BLOCK_CHARACTERS).encode("utf-8", "surrogatepass"), b"")
    finally:
        reader.detach()  # so that the file stays open


class _Scanner:
    """A counter of lines that also computes the digest and the offsets, block by block."""

    def __init__(self, start: int | None) -> None:
        """Begin at the first line.

        Args:
            start: the offset of the first line; None if offsets are not needed.
        """
        self.offsets = [] if start is None else [start]
        self.newlines = 0
        self._base = start
        self._digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
        self._held = b""  # a carriage return at the end of a block, which may precede a line feed
        self._open = False  # whether the last line has no line feed yet

    def add(self, block: bytes) -> None:
        """Add the next block, which is not empty."""
        newlines = block.count(NEWLINE)
        if self._base is not None:
            if (self.newlines + newlines) // OFFSET_LINES > self.newlines // OFFSET_LINES:
                ends = np.flatnonzero(np.frombuffer(block, np.uint8) == NEWLINE[0])
                noted = ends[OFFSET_LINES - 1 - self.newlines % OFFSET_LINES :: OFFSET_LINES]
                self.offsets += (self._base + noted + 1).tolist()
            self._base += len(block)
        self.newlines += newlines
        self._open = not block.endswith(NEWLINE)
        text = self._held + block
        self._held = CARRIAGE_RETURN if text.endswith(CARRIAGE_RETURN) else b""
        text = text.removesuffix(self._held)
        self._digest.update(text.replace(b"\r\n", NEWLINE) if CARRIAGE_RETURN in text else text)

    def finish(self) -> int:
        """Return the number of lines, after the last block."""
        self._digest.update(self._held + (NEWLINE if self._open else b""))
        return self.newlines + self._open

    @property
    def digest(self) -> str:
        """The digest in hexadecimal digits."""
        return self._digest.hexdigest()


def digest_of_lines(lines: Iterable[str | None]) -> str:
    """Return the digest of a file with these lines; an absent reference counts as NUL, which no text has."""
    digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
    for line in lines:
        digest.update((ABSENT_LINE if line is None else line).encode("utf-8", "surrogatepass") + NEWLINE)
    return digest.hexdigest()
