"""Counting texts range by range, in tasks that can run in any process and on any machine that can read the files."""

from __future__ import annotations

import io
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from bleu_core.arrays import Integers
from bleu_core.counts.bundles import Bundling, bundles_of_documents, bundles_of_lines
from bleu_core.counts.counts import BundleCounts, Counted, CountedText, Counts, SegmentCounts, concatenate_counts
from bleu_core.counts.lines import FileLines, GivenLines, LineReader
from bleu_core.counts.ranges import LineRange, Part, divided
from bleu_core.counts.sources import (
    OFFSET_LINES,
    IrregularError,
    ScannedText,
    Source,
    Stamp,
    changed,
    check_unchanged,
    digest_of_lines,
    scan,
    text_of,
)
from bleu_core.errors import AlignmentError
from bleu_core.limits import DEFAULT_LIMITS, Limits
from bleu_core.progress import Progress
from bleu_core.scoring import (
    CHUNK_LINES,
    Counting,
    LineTokenizer,
    chunks,
    count_chunk,
    counting_signature,
    line_tokenizer,
)

Task = TypeVar("Task")
Result = TypeVar("Result")


class Run(Protocol):
    """A runner of a pure function on tasks, in this process or in others."""

    def __call__(
        self,
        function: Callable[[Task], Result],
        tasks: Iterable[Task],
        /,
        *,
        total: int | None = None,
        progress: Progress | None = None,
    ) -> Iterator[tuple[int, Result]]:
        """Run all tasks.

        Args:
            function: a function of a module.
            tasks: the tasks, consumed as they are needed.
            total: number of tasks, if known.
            progress: called with the number of finished tasks and of all tasks; may raise, which ends the work.

        Yields:
            The position of a task, from 0, and its result: in any order, each once.
        """
        ...


def run_serially(
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    /,
    *,
    total: int | None = None,
    progress: Progress | None = None,
) -> Iterator[tuple[int, Result]]:
    """Run tasks one after the other in this process, see Run."""
    for position, task in enumerate(tasks):
        yield position, function(task)
        if progress and total:
            progress(position + 1, total)


@dataclass(frozen=True, slots=True)
class FilePlace:
    """The position in a file where the lines of a task begin.

    Attributes:
        source: the file.
        stamp: stamp of the file when it was scanned.
        offset: byte offset of the beginning of a line; None if the file is read from its beginning.
        skipped: number of lines between the offset and the first line of the task.
    """

    source: Source
    stamp: Stamp
    offset: int | None
    skipped: int

    def open(self, stack: ExitStack, limits: Limits) -> LineReader:
        """Open the file at this position.

        Raises:
            FormatError: the file has changed since it was scanned.
            IrregularError: it cannot be read.
            OSError: it cannot be opened.
        """
        file = stack.enter_context(self.source.open())
        if self.source.stamp_of(file) != self.stamp:
            raise changed(self.source)
        if self.offset is None:
            content, encoding, _ = text_of(file, self.source.encoding, limits)
        else:
            content, encoding = file, "utf-8"
            file.seek(self.offset)
        lines = FileLines(io.TextIOWrapper(content, encoding=encoding, newline="\n"), limits.line_length)
        lines.skip(self.skipped)
        stack.callback(lines.reader.detach)  # the file is closed as it was opened
        return lines

    def check(self) -> None:
        """Check, after counting, that the file has not changed since it was scanned; errors as for open."""
        check_unchanged(self.source, self.stamp)


@dataclass(frozen=True, slots=True)
class GivenText:
    """The lines of a task, in memory.

    Attributes:
        lines: the texts; None is a reference that is absent.
    """

    lines: Sequence[str | None]

    def open(self, _stack: ExitStack, _limits: Limits) -> LineReader:
        """Return a reader of the lines."""
        return GivenLines(self.lines)

    def check(self) -> None:
        """Do nothing: lines in memory do not change."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RangeTask:
    """A range of lines to be counted.

    Attributes:
        counted: the texts and the method of counting.
        range: the lines.
        places: the lines of each text: systems, then references.
        labels: (lines,) the bundle of each line; None if it follows from the line number.
        limits: the limits on the length of a line and on the ratio of a compression apply.
    """

    counted: Counted
    range: LineRange
    places: tuple[FilePlace | GivenText, ...]
    labels: Integers | None = None
    limits: Limits = DEFAULT_LIMITS


def count_range(task: RangeTask) -> Counts:
    """Count a range of lines: a pure function of the task and of the files that it names.

    Raises:
        FormatError: a file has changed since it was scanned.
        IrregularError: the lines are not plain text, see FileLines.read.
        OSError: a file cannot be opened.
        SettingsError: the tokeniser lacks what it needs.
    """
    tokenize = line_tokenizer(task.counted.counting)
    systems = len(task.counted.systems)
    pieces: list[SegmentCounts] = []
    sums: BundleCounts | None = None
    with _checked_for_changes(task.places), ExitStack() as stack:
        readers = [place.open(stack, task.limits) for place in task.places]
        for lines in divided(task.range, OFFSET_LINES):
            piece = _count_lines(task, readers, lines=lines.lines, systems=systems, tokenize=tokenize)
            if task.counted.bundling is None:
                pieces.append(piece)
                continue
            added = piece.bundled(_labels(task, lines), task.counted.bundling.number)
            sums = added if sums is None else sums + added
        oddities = tuple(reader.oddities for reader in readers)
    return Counts(task.counted, task.range, oddities, SegmentCounts.concatenate(pieces) if sums is None else sums)


@contextmanager
def _checked_for_changes(places: Sequence[FilePlace | GivenText]) -> Generator[None]:
    """Check on exit, also after an IrregularError, that no file has changed since it was scanned.

    Raises:
        FormatError: a file was changed.
        OSError: a file does not exist any more.
    """
    irregular: IrregularError | None = None
    try:
        yield
    except IrregularError as error:
        irregular = error
    for place in places:
        place.check()
    if irregular:
        raise irregular


def _count_lines(
    task: RangeTask, readers: Sequence[LineReader], lines: int, systems: int, tokenize: LineTokenizer
) -> SegmentCounts:
    """Count the next lines, chunk by chunk.

    Raises:
        FormatError: a file has fewer lines than were found in it.
    """
    pieces: list[SegmentCounts] = []
    for first in range(0, lines, CHUNK_LINES):
        count = min(CHUNK_LINES, lines - first)
        texts = [reader.read(count) for reader in readers]
        for text, place in zip(texts, task.places, strict=True):
            if len(text) < count and isinstance(place, FilePlace):
                raise changed(place.source)
        for chunk in chunks(*texts):
            chunk_texts: Any = [text[chunk] for text in texts]
            counts = count_chunk(chunk_texts[:systems], chunk_texts[systems:], tokenize, task.counted.max_order)
            pieces.append(SegmentCounts.of(*counts))
    return SegmentCounts.concatenate(pieces)


def _labels(task: RangeTask, lines: LineRange) -> Integers:
    """Return the bundles of some lines of a task."""
    if task.labels is not None:
        start = lines.first - task.range.first
        return task.labels[start : start + lines.lines]
    bundling = task.counted.bundling
    return bundles_of_lines(lines.first, lines.lines, 1 if bundling is None else bundling.number)


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts to be counted.

    Attributes:
        systems: name -> a scanned file, or S lines.
        references: name -> a scanned file, or S lines; None is a line that is absent.
        documents: the document of each of the S segments; None if segments are not bundled by documents.
    """

    systems: Mapping[str, ScannedText | Sequence[str]]
    references: Mapping[str, ScannedText | Sequence[str | None]]
    documents: Sequence[str] | None = None

    @property
    def all(self) -> tuple[ScannedText | Sequence[str | None], ...]:
        """The systems, then the references."""
        return (*self.systems.values(), *self.references.values())


def scan_files(
    systems: Mapping[str, Source],
    references: Mapping[str, Source],
    *,
    documents: Sequence[str] | None = None,
    limits: Limits = DEFAULT_LIMITS,
    run: Run = run_serially,
    progress: Progress | None = None,
) -> Texts:
    """Scan all files once.

    Args:
        systems: name -> file.
        references: name -> file.
        documents: the document of each line, if segments are bundled by documents.
        limits: as for scan.
        run: the runner that reads the files.
        progress: called with the number of files read and of all files.

    Raises:
        IrregularError: a file is not plain text, see scan, or the numbers of lines differ.
        OSError: a file cannot be opened.
    """
    sources = [*systems.values(), *references.values()]
    tasks = [(source, limits) for source in sources]
    by_position = dict(run(_scanned, tasks, total=len(tasks), progress=progress))
    scanned = [by_position[i] for i in range(len(sources))]
    lengths = {text.lines for text in scanned}
    if documents is not None:
        lengths.add(len(documents))
    if len(lengths) > 1:
        raise IrregularError
    return Texts(
        dict(zip(systems, scanned, strict=False)),
        dict(zip(references, scanned[len(systems) :], strict=True)),
        documents,
    )


def _scanned(task: tuple[Source, Limits]) -> ScannedText:
    return scan(*task)


def read_lines(text: ScannedText, lines: LineRange, limits: Limits = DEFAULT_LIMITS) -> Sequence[str | None]:
    """Read lines of a scanned file, from the last known offset on.

    Raises:
        FormatError: the file has changed since it was scanned.
        IrregularError: it cannot be read.
        OSError: it cannot be opened.
    """
    with ExitStack() as stack:
        return _place(text, lines).open(stack, limits).read(lines.lines)


def count_texts(
    texts: Texts,
    *,
    counting: Counting,
    max_order: int = 4,
    part: Part | None = None,
    bundling: Bundling | None = None,
    workers: int = 1,
    limits: Limits = DEFAULT_LIMITS,
    run: Run = run_serially,
    progress: Progress | None = None,
) -> Counts:
    """Count texts, or a part of them.

    Args:
        texts: the texts.
        counting: the tokeniser and the case.
        max_order: N, the maximum order of n-grams.
        part: the part to count; the whole text if None.
        bundling: the bundles whose sums are stored; None for counts per segment.
        workers: number of processes that `run` has, and of tasks for files that can only be read from the beginning.
        limits: the limits on the length of a line and on the ratio of a compression apply.
        run: the runner that counts ranges.
        progress: called with the number of ranges counted and of all ranges; may raise, which ends the work.

    Raises:
        FormatError: a file was changed since it was scanned.
        IrregularError: lines are not plain text, see FileLines.read.
        OSError: a file cannot be opened.
        SettingsError: the tokeniser lacks what it needs, or there are more parts than segments.
        AlignmentError: there is no system or no reference, or segments are to be bundled by unknown documents.
    """
    counted = counted_of(texts, counting=counting, max_order=max_order, bundling=bundling)
    lines = LineRange(0, counted.segments) if part is None else part.range(counted.segments)
    return count_lines(texts, counted, lines, workers=workers, limits=limits, run=run, progress=progress)


def count_lines(
    texts: Texts,
    counted: Counted,
    lines: LineRange,
    *,
    workers: int = 1,
    limits: Limits = DEFAULT_LIMITS,
    run: Run = run_serially,
    progress: Progress | None = None,
) -> Counts:
    """Count a range of lines of texts; the other arguments and the errors are those of count_texts."""
    ranges = list(divided(lines, _size(texts, lines, workers)))
    tasks = (range_task(texts, counted, line_range, limits) for line_range in ranges)
    results = run(count_range, tasks, total=len(ranges), progress=progress)
    return combine_ranges(results, bundled=counted.bundling is not None)


def combine_ranges(results: Iterable[tuple[int, Counts]], *, bundled: bool) -> Counts:
    """Combine the counts of all ranges.

    Args:
        results: positions and counts, as Run yields them.
        bundled: whether the counts are in bundles; they are then added as they arrive, which saves memory.
    """
    by_position: dict[int, Counts] = {}
    for position, counts in results:
        by_position[position] = counts
        if bundled and len(by_position) > 1:
            by_position = {min(by_position): concatenate_counts([by_position[i] for i in sorted(by_position)])}
    return concatenate_counts([by_position[position] for position in sorted(by_position)])


def counted_of(
    texts: Texts, *, counting: Counting, max_order: int, bundling: Bundling | None, digests: bool = True
) -> Counted:
    """Describe the texts and the method of counting; the errors are those of count_texts.

    Args:
        texts: the texts.
        counting: the tokeniser and the case.
        max_order: N.
        bundling: the bundles of segments, if any.
        digests: whether to compute digests of lines in memory, which only counts in files need.
    """
    if not texts.systems:
        raise AlignmentError("no system found, at least 1 expected; add the output of a system")
    if not texts.references:
        raise AlignmentError("no reference found, at least 1 expected; add a reference translation")
    documents = None
    if bundling is not None and bundling.by == "documents":
        if texts.documents is None:
            raise AlignmentError("the documents of the segments are not known; add --documents")
        documents = CountedText("documents", digest_of_lines(texts.documents))
    return Counted(
        signature=counting_signature(counting),
        counting=counting,
        max_order=max_order,
        systems=tuple(_counted_text(*item, digests) for item in texts.systems.items()),
        references=tuple(_counted_text(*item, digests) for item in texts.references.items()),
        documents=documents,
        segments=_lines(texts.all[0]),
        bundling=bundling,
    )


def range_task(texts: Texts, counted: Counted, lines: LineRange, limits: Limits = DEFAULT_LIMITS) -> RangeTask:
    """Return the task of counting a range."""
    labels = None
    if counted.documents is not None and counted.bundling is not None and texts.documents is not None:
        labels = bundles_of_documents(texts.documents[lines.first : lines.behind], counted.bundling.number)
    return RangeTask(
        counted=counted,
        range=lines,
        places=tuple(_place(text, lines) for text in texts.all),
        labels=labels,
        limits=limits,
    )


def _place(text: ScannedText | Sequence[str | None], lines: LineRange) -> FilePlace | GivenText:
    if not isinstance(text, ScannedText):
        return GivenText(text[lines.first : lines.behind])
    if not text.offsets:
        return FilePlace(text.source, text.stamp, None, lines.first)
    number, skipped = divmod(lines.first, OFFSET_LINES)
    return FilePlace(text.source, text.stamp, text.offsets[number], skipped)


def _size(texts: Texts, lines: LineRange, workers: int) -> int:
    """Return the number of lines per task: those between two offsets or, without offsets, one task per worker."""
    if all(text.offsets for text in texts.all if isinstance(text, ScannedText)):
        return OFFSET_LINES
    return max(OFFSET_LINES, -(-lines.behind // workers))


def _counted_text(name: str, text: ScannedText | Sequence[str | None], digests: bool) -> CountedText:  # noqa: FBT001
    if isinstance(text, ScannedText):
        return CountedText(name, text.digest)
    return CountedText(name, digest_of_lines(text) if digests else "")


def _lines(text: ScannedText | Sequence[str | None]) -> int:
    return text.lines if isinstance(text, ScannedText) else len(text)
