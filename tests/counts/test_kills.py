"""Workers and whole commands killed at random moments: the same digits, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import psutil
import pytest

from bleu_core.counts import (
    ClusterRun,
    Counts,
    LineRange,
    SegmentCounts,
    Texts,
    count_texts,
    open_cluster,
    run_serially,
)
from bleu_core.counts.counting import count_lines, counted_of
from bleu_core.scoring import Counting

WORDS = ["the", "cat", "sat", "on", "a", "mat", ",", "not", "far", "from", "it", "."]


def text(random: Random, lines: int) -> list[str]:
    return [" ".join(random.choices(WORDS, k=random.randint(1, 30))) for _ in range(lines)]


def matches(counts: Counts) -> np.ndarray:
    assert isinstance(counts.data, SegmentCounts)
    return counts.data.matches


def workers_of(process: psutil.Process) -> list[psutil.Process]:
    """The processes below it that work, and not those that keep account of shared memory."""
    found = process.children(recursive=True)
    return [child for child in found if "resource_tracker" not in " ".join(child.cmdline())]


class KillingRun:
    """Runs tasks on a cluster, and kills a worker now and then."""

    def __init__(self, run: ClusterRun, kills: int) -> None:
        self.run = run
        self.random = Random(kills)
        self.left = kills
        self.next = 0.0

    def __call__(
        self, function: Callable[[Any], Any], tasks: Iterable[Any], /, *, total: int | None = None, progress: Any = None
    ) -> Iterator[tuple[int, Any]]:
        """Run tasks, as Run has it."""
        assert progress is None

        def kill(_done: int, _total: int) -> None:
            if self.left and time.monotonic() >= self.next:
                # Those that have started: Dask does not replace one that dies before.
                try:
                    connected = self.run._client.run(os.getpid)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
                except OSError:  # the last one that was killed was still known
                    return
                if not connected:
                    return
                os.kill(self.random.choice(list(connected.values())), signal.SIGKILL)
                self.left -= 1
                self.next = time.monotonic() + self.random.uniform(0.2, 3)

        return self.run(function, tasks, total=total, progress=kill)


@pytest.mark.slow
@pytest.mark.parametrize("kills", [1, 50])
def test_workers_that_are_killed_change_no_digit(kills: int) -> None:
    before = set(workers_of(psutil.Process()))  # such as a browser of other tests
    lines = 150_000
    random = Random(0)
    texts = Texts({name: text(random, lines) for name in "AB"}, {"R": text(random, lines)})
    expected = matches(count_texts(texts, counting=Counting(), run=run_serially))
    with open_cluster("local:2") as cluster:
        run = KillingRun(cluster, kills)
        while run.left:
            assert (matches(count_texts(texts, counting=Counting(), run=run)) == expected).all()
            lines_again = LineRange(0, 100_000)  # the count of a part, meanwhile
            counted = counted_of(texts, counting=Counting(), max_order=4, bundling=None)
            part = count_lines(texts, counted, lines_again, run=run)
            assert (matches(part) == expected[:, :100_000]).all()
    assert set(workers_of(psutil.Process())) <= before


@pytest.mark.slow
def test_a_command_that_is_killed_counts_the_rest_when_it_is_called_again(tmp_path: Path) -> None:
    random = Random(3)
    for name in ("A", "R"):
        (tmp_path / f"{name}.txt").write_text("\n".join(text(random, 1_000_000)) + "\n")
    files = ["--ref", str(tmp_path / "R.txt"), str(tmp_path / "A.txt")]
    start = "import sys; from bleu_core.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", start, "count", *files, "--format", "json", "--out"]
    subprocess.run([*command, str(tmp_path / "whole.counts")], check=True, stdout=subprocess.DEVNULL)
    again = [*command, str(tmp_path / "kept.counts"), "--cluster", "local:2", "--keep", str(tmp_path / "kept.sqlite")]
    places = tmp_path / "tmp"
    places.mkdir()
    environment = {**os.environ, "TMPDIR": str(places)}
    kills = 0
    while kills < 20:
        process = subprocess.Popen(again, stdout=subprocess.DEVNULL, env=environment)
        time.sleep(random.uniform(0.5, 6))
        below = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
        process.kill()
        if process.wait() == 0:  # it had counted the rest, and begins anew
            assert (tmp_path / "kept.counts").read_bytes() == (tmp_path / "whole.counts").read_bytes()
            (tmp_path / "kept.sqlite").unlink()
            continue
        assert process.returncode == -signal.SIGKILL
        assert psutil.wait_procs(below, timeout=10)[1] == []
        kills += 1
    subprocess.run(again, check=True, stdout=subprocess.DEVNULL, env=environment)
    assert (tmp_path / "kept.counts").read_bytes() == (tmp_path / "whole.counts").read_bytes()
    assert list(places.iterdir()) == []
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"A.txt", "R.txt", "whole.counts", "kept.counts", "kept.sqlite", "tmp"}
