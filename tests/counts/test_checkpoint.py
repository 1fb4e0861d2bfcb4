"""Results kept in a file: what is counted again, and what happens to damaged and foreign files and full disks."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from pathlib import Path
from random import Random

import numpy as np
import pytest
from cluster_tasks import noted, square

from bleu_core.counts import Checkpoint, CheckpointError, run_serially
from bleu_core.digests import digest_of


def encoded(number: int) -> bytes:
    return str(number).encode()


def kept(path: Path) -> Checkpoint[int, int]:
    return Checkpoint(path, encode=encoded, decode=int)


def counted(path: Path, tasks: Iterable[int], function: Callable[[int], int] = square) -> tuple[dict[int, int], int]:
    """The results by position, and how many tasks were run."""
    runs = 0

    def counting_run(function: Callable[[int], int], tasks: Iterable[int], /, **_: object) -> Iterator[tuple[int, int]]:
        nonlocal runs
        for position, task in enumerate(tasks):
            runs += 1
            yield position, function(task)

    results = list(kept(path).run(counting_run, function, tasks))  # pyright: ignore[reportArgumentType]
    assert len(results) == len(dict(results))
    return dict(results), runs


def test_what_is_kept_is_not_run_again(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.sqlite"
    assert counted(path, range(10)) == ({n: n * n for n in range(10)}, 10)
    assert counted(path, range(10)) == ({n: n * n for n in range(10)}, 0)
    assert counted(path, [3, 40, 5, 41, 41]) == ({0: 9, 1: 1600, 2: 25, 3: 1681, 4: 1681}, 3)
    assert counted(path, []) == ({}, 0)


def test_another_function_has_results_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.sqlite"
    counted(path, range(3))
    assert counted(path, range(3), abs) == ({0: 0, 1: 1, 2: 2}, 3)


def test_another_version_counts_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "checkpoint.sqlite"
    counted(path, range(3))
    monkeypatch.setattr("bleu_core.counts.checkpoint.VERSION", "0.0.1")
    assert counted(path, range(3))[1] == 3


def test_progress_counts_what_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.sqlite"
    counted(path, [1, 3])
    calls: list[tuple[int, int]] = []

    def tell(done: int, total: int) -> None:
        calls.append((done, total))

    assert dict(kept(path).run(run_serially, square, range(4), total=4, progress=tell)) == {0: 0, 1: 1, 2: 4, 3: 9}
    assert sorted({done for done, _ in calls}) == [1, 2, 3, 4]
    assert {total for _, total in calls} == {4}


def test_work_that_was_stopped_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.sqlite"
    running = kept(path).run(run_serially, square, range(100))
    for _ in range(30):
        next(running)
    del running
    assert counted(path, range(100)) == ({n: n * n for n in range(100)}, 70)


def test_tasks_and_kept_results_are_taken_as_they_are_needed(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.sqlite"
    counted(path, range(50))
    taken = 0

    def tasks() -> Iterator[int]:
        nonlocal taken
        for n in range(5000):
            taken += 1
            yield n

    running = kept(path).run(run_serially, square, tasks())
    ahead = [taken - done for done, _ in zip(range(1, 200), running, strict=False)]
    assert max(ahead) <= 64


def test_a_damaged_result_is_counted_again(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.sqlite"
    counted(path, range(10))
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE results SET result = x'37' WHERE rowid = 4")
        connection.execute("UPDATE results SET checksum = x'00' WHERE rowid = 5")
        connection.execute("UPDATE results SET result = 'text' WHERE rowid = 6")
    connection.close()
    assert counted(path, range(10)) == ({n: n * n for n in range(10)}, 3)
    assert counted(path, range(10))[1] == 0


def test_other_files_are_refused(tmp_path: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_text("a text, and no database at all\n" * 100)
    with pytest.raises(CheckpointError, match=r"a.txt: file is not a database; a checkpoint file expected"):
        kept(text)
    assert text.read_text().startswith("a text")
    database = tmp_path / "b.sqlite"
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE results (a)")
    connection.close()
    before = database.read_bytes()
    with pytest.raises(CheckpointError, match=r"b.sqlite: a database of another program or version found"):
        kept(database)
    assert database.read_bytes() == before
    with pytest.raises(CheckpointError, match=r"c.sqlite: unable to open database file; the results stored so far"):
        kept(tmp_path / "none" / "c.sqlite")


def test_a_damaged_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.sqlite"
    counted(path, range(2000))
    content = bytearray(path.read_bytes())
    content[4096:] = Random(0).randbytes(len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match=r"checkpoint.sqlite: .*malformed; a checkpoint file expected"):
        counted(path, range(2000))


FULL = """
import resource, sys
from cluster_tasks import square
from bleu_core.counts import CheckpointError, Checkpoint, run_serially
kept = Checkpoint(sys.argv[1], encode=lambda n: b"%d" % n + bytes(20_000), decode=lambda b: int(b.rstrip(bytes(1))))
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
done = 0
try:
    for _ in kept.run(run_serially, square, range(200)):
        done += 1
except CheckpointError as error:
    print(done, error)
"""


def test_on_a_full_disk_what_was_kept_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bleu_core.counts.checkpoint.WRITE_SECONDS", 0.0)
    path = tmp_path / "checkpoint.sqlite"
    script = FULL.replace("kept = ", "import bleu_core.counts.checkpoint as k; k.WRITE_SECONDS = 0.0; kept = ", 1)
    run = subprocess.run(
        [sys.executable, "-c", script, str(path), "1000000"],
        capture_output=True,
        text=True,
        check=True,
        env=ENVIRONMENT,
    )
    done, sentence = run.stdout.split(" ", 1)
    assert "checkpoint.sqlite: " in sentence
    assert "the results stored so far remain" in sentence
    assert 5 < int(done) < 200
    with sqlite3.connect(path) as connection:
        (number,) = connection.execute("SELECT count(*) FROM results").fetchone()
    connection.close()
    assert number == int(done)


ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])}

#: Runs a number of tasks, each of which notes that it was run.
RUNNER = """
import sys
from cluster_tasks import noted
from bleu_core.counts import Checkpoint, run_serially
kept = Checkpoint(sys.argv[1], encode=lambda n: b"%d" % n, decode=int)
print(sum(result for _, result in kept.run(run_serially, noted, [(sys.argv[2], n) for n in range(int(sys.argv[3]))])))
"""


def start(path: Path, notes: Path, tasks: int = 60) -> subprocess.Popen[str]:
    call = [sys.executable, "-c", RUNNER, str(path), str(notes), str(tasks)]
    return subprocess.Popen(call, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)


def lines(path: Path) -> int:
    return len(path.read_text().splitlines()) if path.exists() else 0


@pytest.mark.parametrize(("kills", "tasks"), [(2, 60), pytest.param(20, 600, marks=pytest.mark.slow)])
def test_a_process_that_is_killed_loses_the_last_moments_only(tmp_path: Path, kills: int, tasks: int) -> None:
    path, notes = tmp_path / "checkpoint.sqlite", tmp_path / "notes"
    random = Random(1)
    for _ in range(kills):
        with start(path, notes, tasks) as process:
            goal = lines(notes) + random.randint(1, 20)
            while lines(notes) < goal:
                assert process.poll() is None
                time.sleep(random.uniform(0, 0.005))
            process.kill()
    with start(path, notes, tasks) as process:
        assert process.communicate()[0].strip() == str(sum(n * n for n in range(tasks)))
    # 0.2 s, and 0.02 s for each task: about ten results are lost with a process.
    assert lines(notes) <= tasks + 14 * kills
    assert sorted(path.parent.iterdir()) == [path, notes]  # no journal is left


def test_two_processes_may_use_one_file(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.sqlite"
    processes = [start(path, tmp_path / f"notes{i}") for i in range(2)]
    sums = [process.communicate()[0].strip() for process in processes]
    assert sums == [str(sum(n * n for n in range(60)))] * 2
    notes = [(str(tmp_path / "notes0"), n) for n in range(60)]
    store = Checkpoint[tuple[str, int], int](path, encode=encoded, decode=int)
    before = lines(tmp_path / "notes0")
    assert len(list(store.run(run_serially, noted, notes))) == 60
    assert lines(tmp_path / "notes0") == before


@dataclass(frozen=True)
class Held:
    """A value that tasks hold."""

    name: str
    values: tuple[object, ...]


def test_digests_tell_all_values_apart_and_depend_on_nothing_else() -> None:
    values = [
        *(None, True, 1, 1.0, "1", b"1", "", (), ((),), ("",), ("a", "b"), ("ab",), ("a", ("b",)), (("a",), "b")),
        *({"a": 1}, {"a": "1"}, {"b": 1}, Held("a", ()), Held("", ("a",)), Held("a", ("a",))),
        *(np.array([1, 2]), np.array([[1, 2]]), np.array([1, 2], np.int32), np.array([1.0, 2.0])),
    ]
    digests = [digest_of(value) for value in values]
    assert all(a != b for a, b in permutations(digests, 2))
    text = "ab"
    assert digest_of((text, text)) == digest_of((text, "".join(reversed("ba"))))
    with pytest.raises(TypeError, match="no digest of a partial"):
        digest_of((partial(square, 1),))
