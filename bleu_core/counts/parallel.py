"""Counting in as many processes as the texts need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from bleu_core.formats import StrPath
from bleu_core.processes import Processes, number_of_workers
from bleu_core.progress import Progress
from bleu_core.scoring import DEFAULT_COUNTING, Count, Counting, NgramStats, count_ngrams

#: Pairs of a hypothesis and its references from which on several processes count: half a second of counting.
MIN_PARALLEL_PAIRS = 200_000

#: Bytes of files that hold about this number of pairs.
MIN_PARALLEL_BYTES = 100 * MIN_PARALLEL_PAIRS


def processes_for(pairs: int) -> Processes:
    """Return the processes that count this number of pairs."""
    return Processes(number_of_workers(heavy=pairs >= MIN_PARALLEL_PAIRS))


def processes_for_files(files: Iterable[StrPath]) -> Processes:
    """Return the processes that count these files, by their size."""
    size = 0
    with suppress(OSError):  # reading the file reports what is wrong with it
        size = sum(Path(file).stat().st_size for file in files)
    return Processes(number_of_workers(heavy=size >= MIN_PARALLEL_BYTES))


def choose_counter(pairs: int) -> Count:
    """Return the function that counts texts with this number of pairs."""
    return count_ngrams if number_of_workers(heavy=pairs >= MIN_PARALLEL_PAIRS) == 1 else count_in_processes


def count_in_processes(
    systems: Mapping[str, Sequence[str]],
    references: Mapping[str, Sequence[str | None]],
    *,
    counting: Counting = DEFAULT_COUNTING,
    max_order: int = 4,
    progress: Progress | None = None,
) -> NgramStats:
    """Count n-grams in processes; the counts equal those of count_ngrams.

    Args:
        systems: name -> S hypotheses.
        references: name -> S references, None where absent.
        counting: how texts become tokens.
        max_order: N, the highest order to count.
        progress: called with the number of finished segments and of all segments; may raise, which ends the processes.

    Raises:
        SettingsError: the tokeniser lacks what it needs.
        WorkerError: processes died repeatedly on the same range.
    """
    from bleu_core.counts.counting import Texts, count_lines, counted_of  # loaded when first needed
    from bleu_core.counts.counts import SegmentCounts
    from bleu_core.counts.ranges import LineRange

    texts = Texts(systems, references)
    counted = counted_of(texts, counting=counting, max_order=max_order, bundling=None, digests=False)
    lines = LineRange(0, counted.segments)

    def report(ranges: int, all_ranges: int) -> None:
        if progress:
            progress(counted.segments * ranges // all_ranges, counted.segments)

    with processes_for(len(systems) * counted.segments) as run:
        data = count_lines(texts, counted, lines, workers=run.workers, run=run, progress=report).data
    if not isinstance(data, SegmentCounts):
        raise TypeError("counts per segment expected")
    return data.stats(tuple(systems))
