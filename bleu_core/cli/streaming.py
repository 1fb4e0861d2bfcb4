"""Scoring files of any length in chunks.

The digits are those of `evaluate`, since sums of counts are exact. Only plain text is streamed, compressed or
not; tables and anything that is wrong with the files are left to the way through a Corpus, which explains it.
"""

from __future__ import annotations

import io
import stat
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from bleu_core.errors import BleuCoreError
from bleu_core.formats import (
    HEAD_BYTES,
    InvisibleCharacters,
    check_encoding,
    check_supported,
    is_delimited,
    marked_encoding,
    opened,
    printable_path,
    without_text,
)
from bleu_core.limits import DEFAULT_LIMITS, Limits
from bleu_core.progress import Progress
from bleu_core.scoring import (
    CHUNK_LINES,
    BleuSettings,
    CorpusScores,
    Hasher,
    NgramStats,
    bleu,
    chunks,
    count_chunk,
    make_hasher,
    signature,
    table,
)

BLOCK_CHARACTERS = 1 << 18

#: What markup, JSON and PO begin with. Such a file may be plain text all the same: the way through a Corpus, on which
#: formats are recognised, gives the same digits.
MARKUP = (b"<", b"{", b"[", b"#", b"msgid", b"msgctxt")


class IrregularError(Exception):
    """The files are not plain, readable and equally long; reading them into a Corpus gives the error."""


@dataclass(frozen=True, slots=True)
class StreamedScores:
    """Scores, and which texts were equal.

    Attributes:
        scores: as of an evaluation.
        copies: systems with a reference that their text is equal to.
        oddities: what is unusual about the texts, in sentences that begin with the file.
    """

    scores: CorpusScores
    copies: Sequence[tuple[str, str]]
    oddities: Sequence[str]


def score_files(
    systems: Mapping[str, Path],
    references: Mapping[str, Path],
    settings: BleuSettings,
    *,
    encoding: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    progress: Progress | None = None,
) -> StreamedScores:
    """Score files of one segment per line, which may be compressed, without keeping them.

    Args:
        systems: name -> file.
        references: name -> file.
        settings: what was chosen.
        encoding: of files without a byte order mark; None is UTF-8.
        limits: only those on the length of a line and on the ratio of a compression apply, since no more than a chunk
            of lines is kept.
        progress: told after each chunk how many bytes of how many are done.

    Raises:
        IrregularError: a file is a table, a pipe, of a kind that is not read, empty, undecodable, cannot be read,
            begins as markup, JSON or PO does, holds NUL, a line that is too long or line ends of CR alone, or differs
            in length.
        OSError: a file cannot be opened.
    """
    files = [*systems.values(), *references.values()]
    statuses = [path.stat() for path in files]
    # What a pipe gives can be read only once, so it must not even be opened here.
    if any(is_delimited(path.name) for path in files) or not all(stat.S_ISREG(status.st_mode) for status in statuses):
        raise IrregularError
    hasher = make_hasher(settings.counting)
    sums = np.zeros((len(systems), 2 + 2 * settings.max_order))
    copies = [(k, r) for k in range(len(systems)) for r in range(len(systems), len(files))]  # until they differ
    size = sum(status.st_size for status in statuses)
    segments = 0
    with ExitStack() as stack:
        readers = [stack.enter_context(path.open("rb")) for path in files]
        streams = [
            _Lines(stack.enter_context(_text(reader, encoding, limits)), limits.line_length) for reader in readers
        ]
        while True:
            texts = _read_together(streams)
            if not texts[0]:
                break
            segments += len(texts[0])
            copies = [(k, r) for k, r in copies if texts[k] == texts[r]]
            for part in chunks(*texts):
                sums += _sums([text[part] for text in texts], len(systems), hasher, settings)
            if progress:
                progress(sum(reader.tell() for reader in readers), size)
    if not segments:
        raise IrregularError
    exact = sums if settings.reference_length == "average" else sums.astype(np.int64)
    scores = CorpusScores(
        tuple(systems),
        tuple(references),
        settings,
        segments,
        signature(settings, len(references)),
        bleu(exact, settings),
    )
    names = [*systems, *references]
    in_order = [*range(len(systems), len(files)), *range(len(systems))]  # as files are read into a Corpus
    oddities = [f"{printable_path(files[k])}: {sentence}" for k in in_order for sentence in streams[k].oddities]
    return StreamedScores(scores, [(names[k], names[r]) for k, r in copies], oddities)


def _sums(
    texts: Sequence[Sequence[str]], systems: int, hasher: Hasher, settings: BleuSettings
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64 | np.int64]]:
    """Sums of one chunk, (K, 2 + 2N); float64 holds them exactly below 2**53."""
    counted = count_chunk(texts[:systems], texts[systems:], hasher, settings.max_order)
    names = tuple(str(k) for k in range(systems))
    return table(NgramStats(names, *counted), settings).sums()


class _Lines:
    """The lines of a text file, a block of characters at a time: a good deal faster than line by line."""

    def __init__(self, reader: io.TextIOWrapper, longest: int) -> None:
        self.reader = reader
        self.longest = longest  # characters of a line
        self.one_line = True  # so far
        self.ready: list[str] = []
        self.begun = ""  # the line that the last block broke off in
        self.ended = False
        self.invisible = InvisibleCharacters()
        self.empty = 0  # lines without text

    @property
    def oddities(self) -> tuple[str, ...]:
        """What is unusual about the lines that were taken, as in the report on a file."""
        return (*self.invisible.sentences, *without_text(self.empty))

    def take(self, count: int) -> list[str]:
        """That many lines, or what is left."""
        while len(self.ready) < count and not self.ended:
            self._read()
        taken, self.ready = self.ready[:count], self.ready[count:]
        self.empty += sum(not line or line.isspace() for line in taken)
        return taken

    def _read(self) -> None:
        try:
            block = self.reader.read(BLOCK_CHARACTERS)
        except (UnicodeError, BleuCoreError, OSError):
            raise IrregularError from None
        if "\0" in block:
            raise IrregularError
        self.invisible.add(block)
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


def _read_together(streams: Sequence[_Lines]) -> list[list[str]]:
    """The next lines of all files, the same number of each."""
    texts = [stream.take(CHUNK_LINES) for stream in streams]
    if len({len(text) for text in texts}) > 1:
        raise IrregularError
    return texts


def _text(file: BinaryIO, encoding: str | None, limits: Limits) -> io.TextIOWrapper:
    """Unpack and decode while reading; lines end at LF alone, as everywhere."""
    try:
        begin = opened(file, "", limits).read(HEAD_BYTES)
        check_supported(begin, "")
        mark, found = marked_encoding(begin, encoding)
        check_encoding(found, "")
        if begin[len(mark) :].lstrip(b"\0 \t\r\n").startswith(MARKUP):
            raise IrregularError
        file.seek(0)
        content = opened(file, "", limits)
        content.read(len(mark))
        return io.TextIOWrapper(content, encoding=found, newline="\n")
    except (BleuCoreError, OSError):
        raise IrregularError from None
