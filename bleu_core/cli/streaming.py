"""Scoring files of any length in chunks.

The digits are those of `evaluate`, since sums of counts are exact. Only plain text is streamed, compressed or
not; tables and anything that is wrong with the files are left to the way through a Corpus, which explains it.
"""

from __future__ import annotations

import io
import stat
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from bleu_core.counts import FileLines, IrregularError, is_no_text, text_of
from bleu_core.dataset import Identical
from bleu_core.formats import printable_path
from bleu_core.limits import DEFAULT_LIMITS, Limits
from bleu_core.processes import Processes
from bleu_core.progress import Progress
from bleu_core.scoring import (
    CHUNK_LINES,
    BleuSettings,
    CorpusScores,
    LineTokenizer,
    NgramStats,
    bleu,
    bleu_statistics,
    chunks,
    count_chunk,
    line_tokenizer,
    signature,
)


@dataclass(frozen=True, slots=True)
class StreamedScores:
    """Scores, and which texts were equal.

    Attributes:
        scores: as of an evaluation.
        copies: systems whose text equals a reference.
        oddities: what is unusual about the texts, in sentences that begin with the file.
    """

    scores: CorpusScores
    copies: Sequence[Identical]
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
    if any(is_no_text(path.name) for path in files) or not all(stat.S_ISREG(status.st_mode) for status in statuses):
        raise IrregularError
    tokenize = line_tokenizer(settings.counting)
    sums = np.zeros((len(systems), 2 + 2 * settings.max_order))
    copies = [(k, r) for k in range(len(systems)) for r in range(len(systems), len(files))]  # until they differ
    size = sum(status.st_size for status in statuses)
    segments = 0
    with ExitStack() as stack:
        readers = [stack.enter_context(path.open("rb")) for path in files]
        streams = [stack.enter_context(_lines(reader, encoding, limits)) for reader in readers]
        while True:
            texts = _read_together(streams)
            if not texts[0]:
                break
            segments += len(texts[0])
            copies = [(k, r) for k, r in copies if texts[k] == texts[r]]
            for part in chunks(*texts):
                sums += _sums([text[part] for text in texts], len(systems), tokenize, settings)
            if progress:
                progress(sum(reader.tell() for reader in readers), size)
    if not segments:
        raise IrregularError
    exact = sums if settings.reference_length == "average" else sums.astype(np.int64)
    scores = CorpusScores(
        systems=tuple(systems),
        references=tuple(references),
        settings=settings,
        segments=segments,
        signature=signature(settings, len(references)),
        scores=bleu(exact, settings),
    )
    names = [*systems, *references]
    in_order = [*range(len(systems), len(files)), *range(len(systems))]  # as files are read into a Corpus
    oddities = [
        f"{printable_path(files[k])}: {sentence}" for k in in_order for sentence in streams[k].oddities.sentences
    ]
    return StreamedScores(scores, [Identical(names[k], "reference", names[r]) for k, r in copies], oddities)


def score_files_in_processes(
    systems: Mapping[str, Path],
    references: Mapping[str, Path],
    settings: BleuSettings,
    run: Processes,
    *,
    encoding: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    progress: Progress | None = None,
) -> StreamedScores:
    """Score files as score_files does, with the same digits, in processes.

    Args:
        systems: name -> file.
        references: name -> file.
        settings: what was chosen; "average" reference lengths, whose sums depend on the order of adding, are not.
        run: the processes.
        encoding: as for score_files.
        limits: as for score_files.
        progress: told how much of how much is done.

    Raises:
        IrregularError, OSError: as score_files.
        FormatError: a file was changed while it was counted.
    """
    from bleu_core.counts import (  # loaded when first needed
        Bundling,
        SegmentCounts,
        Source,
        copies,
        count_texts,
        scan_files,
    )

    sources = [{name: Source(str(path), encoding) for name, path in files.items()} for files in (systems, references)]
    found = count_texts(
        scan_files(*sources, limits=limits, run=run),
        counting=settings.counting,
        max_order=settings.max_order,
        bundling=Bundling("lines", 1),
        workers=run.workers,
        limits=limits,
        run=run,
        progress=progress,
    )
    if isinstance(found.data, SegmentCounts):
        raise TypeError("sums expected")
    scores = CorpusScores(
        systems=tuple(systems),
        references=tuple(references),
        settings=settings,
        segments=found.counted.segments,
        signature=signature(settings, len(references)),
        scores=bleu(found.data.table(tuple(systems), settings).sums(), settings),
    )
    by_system, by_reference = found.oddities[: len(systems)], found.oddities[len(systems) :]
    about = zip((*references.values(), *systems.values()), (*by_reference, *by_system), strict=True)
    oddities = [f"{printable_path(path)}: {sentence}" for path, odd in about for sentence in odd.sentences]
    return StreamedScores(scores, copies(found.counted), oddities)


def _sums(
    texts: Sequence[Sequence[str]], systems: int, tokenize: LineTokenizer, settings: BleuSettings
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64 | np.int64]]:
    """Sums of one chunk, (K, 2 + 2N); float64 holds them exactly below 2**53."""
    counted = count_chunk(texts[:systems], texts[systems:], tokenize, settings.max_order)
    names = tuple(str(k) for k in range(systems))
    return bleu_statistics(NgramStats(names, *counted), settings).sums()


@contextmanager
def _lines(file: BinaryIO, encoding: str | None, limits: Limits) -> Generator[FileLines]:
    """The lines of a file, unpacked and decoded while they are read; they end at LF alone, as everywhere."""
    content, found, _ = text_of(file, encoding, limits)
    with io.TextIOWrapper(content, encoding=found, newline="\n") as reader:
        yield FileLines(reader, limits.line_length)


def _read_together(streams: Sequence[FileLines]) -> list[list[str]]:
    """The next lines of all files, the same number of each."""
    texts = [stream.take(CHUNK_LINES) for stream in streams]
    if len({len(text) for text in texts}) > 1:
        raise IrregularError
    return texts
