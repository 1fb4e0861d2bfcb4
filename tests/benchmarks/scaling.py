"""How counting scales: over processes, over Dask's workers, and over the number of pairs.

    uv run --extra test python -m tests.benchmarks --scaling [--shared 1000000] [--largest 100000000]

Times are wall times of one run, so that ratios mean something on a machine that nothing else uses; processor times and
the memory of all processes together are beside them.
"""

from __future__ import annotations

import os
import resource
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from bleu_core.counts import (
    BUNDLES,
    Bundling,
    Counted,
    CountedText,
    LineRange,
    RangeTask,
    Run,
    Source,
    combine_ranges,
    count_range,
    count_texts,
    open_cluster,
    scan_files,
)
from bleu_core.counts.lines import Oddities
from bleu_core.limits import Limits
from bleu_core.processes import Processes
from bleu_core.scoring import BleuSettings, Counting, counting_signature

#: Different pairs that generated texts are made of.
DIFFERENT = 50_000

#: Lines of a task.
LINES = 1 << 15

MEGABYTE = 2**20
BETWEEN_LOOKS = 0.05
PAGE = resource.getpagesize()


def processes(pairs: int, make: Callable[[int], tuple[list[str], list[str]]]) -> list[dict[str, object]]:
    """Counting files of that many pairs with one and with two processes, and with one and with two workers of Dask."""
    with tempfile.TemporaryDirectory() as folder:
        files = write_texts(Path(folder), pairs, make)
        ways: dict[str, Callable[[int], AbstractContextManager[Any]]] = {
            "processes": Processes,
            "workers of Dask": lambda workers: open_cluster(f"local:{workers}"),
        }
        return [
            row for name, start in ways.items() for _ in range(2) for row in _one_and_two(name, start, files, pairs)
        ]


def _one_and_two(
    name: str, start: Callable[[int], AbstractContextManager[Any]], files: Sequence[Path], pairs: int
) -> Iterator[dict[str, object]]:
    """What one takes, and what two take."""
    alone = 0.0
    for workers in (1, 2):
        begun = time.monotonic()
        with start(workers) as run:
            dict(run(len, ["", ""] * workers))  # so that all have started
            started = time.monotonic()
            with _memory() as memory:
                _count(files, run, workers)
            taken = time.monotonic() - started
        alone = alone or taken
        yield {
            f"{pairs:,} pairs": f"{workers} {name}",
            "start, s": started - begun,
            "count, s": taken,
            "MB": memory[-1] / MEGABYTE,
            "ratio": alone / taken,
        }


def _count(files: Sequence[Path], run: Run, workers: int) -> None:
    """All that `bleu-core count --bundles` does with a system's and a reference's file."""
    system, reference = ({path.stem: Source(str(path))} for path in files)
    texts = scan_files(system, reference, run=run)
    count_texts(texts, counting=Counting(), bundling=Bundling("lines", BUNDLES), run=run, workers=workers)


def write_texts(folder: Path, pairs: int, make: Callable[[int], tuple[list[str], list[str]]]) -> list[Path]:
    """A system's and a reference's file of that many pairs, made of DIFFERENT ones."""
    files = [folder / "system.txt", folder / "reference.txt"]
    for path, lines in zip(files, make(min(pairs, DIFFERENT)), strict=True):
        with path.open("w", encoding="utf-8") as file:
            for start in range(0, pairs, len(lines)):
                file.writelines(f"{line}\n" for line in lines[: pairs - start])
    return files


@contextmanager
def _memory() -> Generator[list[int]]:
    """The most memory that this process and those it has started hold together meanwhile, beyond that before."""
    before = _memory_of_session(os.getsid(0))
    most, ended = [0], threading.Event()

    def look() -> None:
        while not ended.wait(BETWEEN_LOOKS):
            most[0] = max(most[0], _memory_of_session(os.getsid(0)))

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield most
    finally:
        ended.set()
        thread.join()
        most[0] -= min(before, most[0])


def _memory_of_session(leader: int) -> int:
    """Resident bytes of all processes of a session."""
    total = 0
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if os.getsid(int(entry.name)) == leader:
                    total += int((entry / "statm").read_text().split()[1]) * PAGE
            except (OSError, IndexError):  # it has ended
                continue
    return total


@dataclass(frozen=True, slots=True)
class GeneratedText:
    """Lines that are made as they are needed; pairs recur in a mixed order.

    Attributes:
        side: 0 for the hypotheses, 1 for the references.
        first: the number of the first line.
        make: of a number, so many different hypotheses and references.
    """

    side: int
    first: int
    make: Callable[[int], tuple[list[str], list[str]]]

    def open(self, _stack: ExitStack, _limits: Limits) -> GeneratedLines:
        """The lines."""
        return GeneratedLines(_made(self.make)[self.side], self.first)

    def check(self) -> None:
        """Nothing can have changed."""


class GeneratedLines:
    """Gives the lines, some at a time: a run of the different ones that begins anywhere, the same on both sides."""

    def __init__(self, different: Sequence[str], first: int) -> None:
        self.different = different
        self.next = first
        self.oddities = Oddities()

    def read(self, count: int) -> list[str]:
        """That many lines."""
        first, self.next = self.next, self.next + count
        start = first * 48_271 % (len(self.different) - count)
        return list(self.different[start : start + count])


@cache
def _made(make: Callable[[int], tuple[list[str], list[str]]]) -> tuple[list[str], list[str]]:
    return make(DIFFERENT)


def streamed(largest: int, make: Callable[[int], tuple[list[str], list[str]]]) -> Iterator[dict[str, object]]:
    """Cost per pair, and memory, of texts that are generated while they are counted, up to that many pairs."""
    _made(make)
    pairs = 100_000
    while pairs <= largest:
        begun = time.process_time()
        counts = combine_ranges(enumerate(map(count_range, _tasks(pairs, make))), bundled=True)
        taken = time.process_time() - begun
        data: Any = counts.data
        table = data.table(("A",), BleuSettings())
        bleu = table.score(table.sums()).item()
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        yield {"pairs": f"{pairs:,}", "µs a pair": 1e6 * taken / pairs, "MB": most, "BLEU": bleu}
        pairs *= 10


def _tasks(pairs: int, make: Callable[[int], tuple[list[str], list[str]]]) -> Iterator[RangeTask]:
    counted = Counted(
        signature=counting_signature(Counting()),
        counting=Counting(),
        max_order=4,
        systems=(CountedText("A", ""),),
        references=(CountedText("R", ""),),
        documents=None,
        segments=pairs,
        bundling=Bundling("lines", BUNDLES),
    )
    place = partial(GeneratedText, make=make)
    for first in range(0, pairs, LINES):
        places: Any = (place(0, first), place(1, first))
        yield RangeTask(counted=counted, range=LineRange(first, min(LINES, pairs - first)), places=places)
