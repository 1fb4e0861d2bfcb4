"""Counting in as many processes as the size of texts calls for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from bleu_core.formats import StrPath
from bleu_core.processes import Processes, number_of_workers
from bleu_core.progress import Progress
from bleu_core.scoring import DEFAULT_COUNTING, Count, Counting, NgramStats, count_ngrams

#: Pairs of a hypothesis and its references from which on counting is shared: half a second of it.
PAIRS = 200_000

#: Bytes of files that hold about so many pairs.
BYTES = 100 * PAIRS


def processes_for(pairs: int) -> Processes:
    """The processes to count so many pairs in."""
    return Processes(number_of_workers(heavy=pairs >= PAIRS))


def processes_for_files(files: Iterable[StrPath]) -> Processes:
    """The processes to count files in, by their size."""
    size = 0
    with suppress(OSError):  # whoever opens the file says what is wrong with it
        size = sum(Path(file).stat().st_size for file in files)
    return Processes(number_of_workers(heavy=size >= BYTES))


def counter_for(pairs: int) -> Count:
    """What counts texts of so many pairs."""
    return count_ngrams if number_of_workers(heavy=pairs >= PAIRS) == 1 else count_in_processes


def count_in_processes(
    systems: Mapping[str, Sequence[str]],
    references: Mapping[str, Sequence[str | None]],
    *,
    counting: Counting = DEFAULT_COUNTING,
    max_order: int = 4,
    progress: Progress | None = None,
) -> NgramStats:
    """Count as count_ngrams does, with the same integers, in processes.

    Args:
        systems: name -> S hypotheses.
        references: name -> S references, None where absent.
        counting: how texts become tokens.
        max_order: N, the highest order to count.
        progress: told how many segments of how many are done; may raise, which ends the processes.

    Raises:
        SettingsError: the tokeniser lacks what it needs.
        WorkerError: processes died again and again on the same range.
    """
    from bleu_core.counts.counting import Texts, count_lines, counted_of  # which small texts do without
    from bleu_core.counts.counts import SegmentCounts
    from bleu_core.counts.ranges import LineRange

    texts = Texts(systems, references)
    counted = counted_of(texts, counting=counting, max_order=max_order, bundling=None, digests=False)
    lines = LineRange(0, counted.segments)

    def tell(ranges: int, all_ranges: int) -> None:
        if progress:
            progress(counted.segments * ranges // all_ranges, counted.segments)

    with processes_for(len(systems) * counted.segments) as run:
        found = count_lines(texts, counted, lines, workers=run.workers, run=run, progress=tell).data
    if not isinstance(found, SegmentCounts):
        raise TypeError("counts per segment expected")
    return found.stats(tuple(systems))
