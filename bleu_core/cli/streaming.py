"""Scoring files of any length in chunks.

The scores equal those of `evaluate`, since sums of counts are exact. Only plain text is streamed, compressed or not;
tables and invalid files are read into a Corpus, which reports what is wrong.
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

from bleu_core.counts import (
    OFFSET_LINES,
    FileLines,
    IrregularError,
    LineRange,
    ScannedText,
    Source,
    Texts,
    is_not_plain_text,
    read_lines,
    text_of,
)
from bleu_core.dataset import Corpus, Identical
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
    bleu_statistics,
    bleu_statistics_of_sums,
    chunks,
    count_chunk,
    line_tokenizer,
    signature,
)

#: Minimum number of outputs of a sample, if there are as many.
SAMPLE = 6_000
#: Maximum number of ranges of OFFSET_LINES lines that are read as a whole for a sample.
MAX_RANGES = 4


@dataclass(frozen=True, slots=True)
class StreamedScores:
    """Scores of streamed files, and notes on their texts.

    Attributes:
        scores: the scores of the corpus.
        copies: systems whose text equals a reference.
        oddities: sentences about unusual content, which begin with the file.
        sample: evenly spaced segments, for the assessment.
        sample_counts: the counts of the sample, if they were kept.
    """

    scores: CorpusScores
    copies: Sequence[Identical]
    oddities: Sequence[str]
    sample: Corpus
    sample_counts: NgramStats | None = None


class Sample:
    """Evenly spaced segments of texts that are read in order."""

    def __init__(self, systems: Sequence[str], references: Sequence[str]) -> None:
        """Begin with no segments of these texts."""
        self._systems, self._references = systems, references
        self._texts: list[list[str]] = [[] for _ in (*systems, *references)]
        self._counts: list[NgramStats] = []
        self._step, self._read = 1, 0
        self._max = 2 * max(1, SAMPLE // len(systems))

    def add(self, texts: Sequence[Sequence[str]], counts: NgramStats | None = None) -> None:
        """Add the next segments, which are the same of all texts, with their counts or without, but always alike."""
        first = -self._read % self._step
        if counts is not None:
            self._counts.append(counts.subset(range(first, len(texts[0]), self._step)))
        self._read += len(texts[0])
        for k, added in enumerate(texts):
            self._texts[k] += added[first :: self._step]
        while len(self._texts[0]) > self._max:
            if self._counts:
                self._counts = [self._all_counts.subset(range(0, len(self._texts[0]), 2))]
            self._texts = [own[::2] for own in self._texts]
            self._step *= 2

    @property
    def _all_counts(self) -> NgramStats:
        return NgramStats(
            tuple(self._systems),
            np.concatenate([counts.matches for counts in self._counts], axis=1),
            np.concatenate([counts.hypothesis_lengths for counts in self._counts], axis=1),
            np.concatenate([counts.reference_lengths for counts in self._counts], axis=1),
        )

    @property
    def counts(self) -> NgramStats | None:
        """The counts of the segments; None if they were added without."""
        return self._all_counts if self._counts else None

    @property
    def corpus(self) -> Corpus:
        """The segments."""
        texts = [tuple(text) for text in self._texts]
        size = len(self._systems)
        systems, references = (
            dict(zip(names, chosen, strict=True))
            for names, chosen in ((self._systems, texts[:size]), (self._references, texts[size:]))
        )
        return Corpus(systems, references)


def score_files(
    systems: Mapping[str, Path],
    references: Mapping[str, Path],
    settings: BleuSettings,
    *,
    encoding: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    progress: Progress | None = None,
) -> StreamedScores:
    """Score files of one segment per line, which may be compressed, without loading them.

    Args:
        systems: name -> file.
        references: name -> file.
        settings: the settings of BLEU.
        encoding: encoding of files without a byte order mark; None is UTF-8.
        limits: the limits on the length of a line and on the ratio of a compression apply; others do not, since only a
            chunk of lines is in memory.
        progress: called after each chunk with the number of bytes read and of all bytes.

    Raises:
        IrregularError: a file is a table, a pipe, of an unsupported kind, empty, undecodable or unreadable, begins like
            markup, JSON or PO, holds NUL, a line that is too long or line ends of CR alone, or differs from others in
            its number of lines.
        OSError: a file cannot be opened.
    """
    files = [*systems.values(), *references.values()]
    statuses = [path.stat() for path in files]
    # A pipe can be read only once, so it must not be opened here.
    if any(is_not_plain_text(path.name) for path in files) or not all(
        stat.S_ISREG(status.st_mode) for status in statuses
    ):
        raise IrregularError
    tokenize = line_tokenizer(settings.counting)
    sums = np.zeros((len(systems), 2 + 2 * settings.max_order))
    copies = [(k, r) for k in range(len(systems)) for r in range(len(systems), len(files))]  # until they differ
    size = sum(status.st_size for status in statuses)
    segments = 0
    sample = Sample(tuple(systems), tuple(references))
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
                texts_of_part = [text[part] for text in texts]
                counts = _counted(texts_of_part, tuple(systems), tokenize, settings)
                sums += bleu_statistics(counts, settings).sums()
                sample.add(texts_of_part, counts)
            if progress:
                progress(sum(reader.tell() for reader in readers), size)
    if not segments:
        raise IrregularError
    exact = sums if settings.reference_length == "average" else sums.astype(np.int64)
    scores = CorpusScores(
        references=tuple(references),
        settings=settings,
        signature=signature(settings, len(references)),
        statistics=bleu_statistics_of_sums(tuple(systems), exact[:, None], settings, bundled=segments),
    )
    names = [*systems, *references]
    reading_order = [*range(len(systems), len(files)), *range(len(systems))]  # as files are read into a Corpus
    oddities = [
        f"{printable_path(files[k])}: {sentence}" for k in reading_order for sentence in streams[k].oddities.sentences
    ]
    same = [Identical(names[k], "reference", names[r]) for k, r in copies]
    return StreamedScores(scores, same, oddities, sample=sample.corpus, sample_counts=sample.counts)


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
    """Score files in processes; the scores equal those of score_files.

    Args:
        systems: name -> file.
        references: name -> file.
        settings: the settings of BLEU, without "average" reference lengths, whose sums depend on the order of addition.
        run: the processes.
        encoding: as for score_files.
        limits: as for score_files.
        progress: called with the number of finished ranges and of all ranges.

    Raises:
        IrregularError, OSError: as for score_files.
        FormatError: a file was changed while it was counted.
    """
    from bleu_core.counts import (  # loaded when first needed
        Bundling,
        SegmentCounts,
        copies,
        count_texts,
        scan_files,
    )

    sources = [{name: Source(str(path), encoding) for name, path in files.items()} for files in (systems, references)]
    texts = scan_files(*sources, limits=limits, run=run)
    counts = count_texts(
        texts,
        counting=settings.counting,
        max_order=settings.max_order,
        bundling=Bundling("lines", 1),
        workers=run.workers,
        limits=limits,
        run=run,
        progress=progress,
    )
    if isinstance(counts.data, SegmentCounts):
        raise TypeError("sums expected")
    scores = CorpusScores(
        references=tuple(references),
        settings=settings,
        signature=signature(settings, len(references)),
        statistics=counts.data.table(tuple(systems), settings),
    )
    by_system, by_reference = counts.oddities[: len(systems)], counts.oddities[len(systems) :]
    oddities_by_path = zip((*references.values(), *systems.values()), (*by_reference, *by_system), strict=True)
    oddities = [f"{printable_path(path)}: {sentence}" for path, odd in oddities_by_path for sentence in odd.sentences]
    sample = read_sample(texts, limits=limits)
    return StreamedScores(scores, copies(counts.counted), oddities, sample)


def read_sample(texts: Texts, limits: Limits) -> Corpus:
    """Read a sample of scanned files: evenly spaced segments or, of many, runs of segments at evenly spaced places.

    Args:
        texts: the files.
        limits: as for score_files.

    Raises:
        IrregularError, FormatError, OSError: as for score_files_in_processes.
    """
    systems, references = tuple(texts.systems), tuple(texts.references)
    files = [text for text in texts.all if isinstance(text, ScannedText)]
    segments = files[0].lines
    if len(files[0].offsets) > MAX_RANGES and all(file.offsets for file in files):
        size = -(-SAMPLE // (len(systems) * len(files[0].offsets)))
        runs = [LineRange(first, min(size, segments - first)) for first in range(0, segments, OFFSET_LINES)]
        lines = [tuple(str(line) for run in runs for line in read_lines(file, run, limits)) for file in files]
        own = iter(lines)
        return Corpus(dict(zip(systems, own, strict=False)), dict(zip(references, own, strict=True)))
    sample = Sample(systems, references)
    with ExitStack() as stack:
        streams = [
            stack.enter_context(_lines(stack.enter_context(file.source.open()), file.source.encoding, limits))
            for file in files
        ]
        while (part := _read_together(streams))[0]:
            sample.add(part)
    return sample.corpus


def sample_of(corpus: Corpus) -> Corpus:
    """Return a sample of the systems and references of a corpus, as of files that are read in order."""
    step = max(1, corpus.segments * len(corpus.systems) // SAMPLE)
    return corpus if step == 1 else corpus.subset(range(0, corpus.segments, step))


def _counted(
    texts: Sequence[Sequence[str]], systems: tuple[str, ...], tokenize: LineTokenizer, settings: BleuSettings
) -> NgramStats:
    """Return the counts of one chunk."""
    return NgramStats(systems, *count_chunk(texts[: len(systems)], texts[len(systems) :], tokenize, settings.max_order))


@contextmanager
def _lines(file: BinaryIO, encoding: str | None, limits: Limits) -> Generator[FileLines]:
    """Open a reader of the lines of a file, which unpacks and decodes; lines end at LF alone."""
    content, text_encoding, _ = text_of(file, encoding, limits)
    with io.TextIOWrapper(content, encoding=text_encoding, newline="\n") as reader:
        yield FileLines(reader, limits.line_length)


def _read_together(streams: Sequence[FileLines]) -> list[list[str]]:
    """Read the next lines of all files, the same number of each."""
    texts = [stream.read(CHUNK_LINES) for stream in streams]
    if len({len(text) for text in texts}) > 1:
        raise IrregularError
    return texts
