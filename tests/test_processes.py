"""Work in processes: every result once, whatever happens to the processes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from queue import SimpleQueue

import processed
import pytest

from bleu_core import processes
from bleu_core.errors import FormatError
from bleu_core.limits import LimitError
from bleu_core.processes import (
    QUEUE_DEPTH,
    Processes,
    Worker,
    WorkerError,
    available_cores,
    in_background,
    number_of_workers,
    run_tasks,
    use_workers,
)

LINUX = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked for in /proc")
PATIENCE = 20


@pytest.fixture
def pool() -> Iterator[Processes]:
    with Processes(2) as run:
        yield run


def children() -> set[int]:
    """The processes that this one has started and that have not ended, without Python's own tracker of resources."""
    found: set[int] = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
                tracker = b"resource_tracker" in (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if int(parent) == os.getpid() and state != "Z" and not tracker:
                found.add(int(entry.name))
    return found


def alive(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone(pids: set[int]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while any(map(alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not any(map(alive, pids))


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_every_result_comes_once(workers: int) -> None:
    told: list[tuple[int, int]] = []
    with Processes(workers) as run:
        found = list(run(processed.square, range(50), total=50, progress=lambda *done: told.append(done)))
        assert sorted(found) == [(i, i * i) for i in range(50)]
        assert [done for done, _ in groupby(told) if done[0]] == [(i, 50) for i in range(1, 51)]
        assert list(run(processed.square, [])) == []
        assert dict(run(processed.square, [7])) == {0: 49}


def test_a_killed_process_that_does_not_end_is_left_to_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[float] = []

    def wait(_: object, timeout: float | None = None) -> int:
        if timeout is None:  # in the thread that nothing waits for
            return 0
        limits.append(timeout)
        raise subprocess.TimeoutExpired("process", timeout)

    worker = Worker(SimpleQueue(), run_tasks, 0)
    with monkeypatch.context() as patch:
        patch.setattr(subprocess.Popen, "wait", wait)
        worker.end()
    assert limits == [processes.END_TIMEOUT_S]
    worker.end()
    assert worker.status == -signal.SIGKILL


def test_tasks_are_made_no_earlier_than_they_are_needed(pool: Processes) -> None:
    made = 0

    def tasks() -> Iterator[int]:
        nonlocal made
        for number in range(40):
            made += 1
            yield number

    for done, _ in enumerate(pool(processed.square, tasks()), start=1):
        assert made <= done + 2 * QUEUE_DEPTH


def test_large_tasks_and_results_pass(pool: Processes) -> None:
    found = dict(pool(processed.large, [10_000_000, 3_000_000, 0]))
    assert [len(found[i]) for i in range(3)] == [10_000_000, 3_000_000, 0]
    assert dict(pool(len, [b"x" * 10_000_000] * 6)) == dict.fromkeys(range(6), 10_000_000)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("kind", "error", "message"),
    [
        ("format", FormatError, "x.txt, line 3: wrong"),
        ("limit", LimitError, "too many"),
        ("other", KeyError, "other"),
    ],
)
def test_errors_arrive_as_they_are(workers: int, kind: str, error: type[Exception], message: str) -> None:
    with Processes(workers) as run, pytest.raises(error, match=message):
        list(run(processed.fail, [kind]))


def test_an_error_that_cannot_be_sent_arrives_with_its_text(pool: Processes) -> None:
    with pytest.raises(RuntimeError, match="OddError: 1 2"):
        list(pool(processed.fail, ["odd"]))


def test_what_the_work_prints_and_reads_is_not_in_the_way(pool: Processes) -> None:
    assert sorted(pool(processed.noisy, range(5))) == [(i, i) for i in range(5)]


@LINUX
def test_a_process_that_dies_is_replaced_and_its_tasks_are_run_again(pool: Processes, tmp_path: Path) -> None:
    names = [str(tmp_path / str(i)) for i in range(6)]
    assert sorted(pool(processed.die_once, names)) == [(i, str(i)) for i in range(6)]


@LINUX
def test_a_task_that_kills_process_after_process_is_given_up(pool: Processes) -> None:
    with pytest.raises(
        WorkerError, match=r"3 processes ended .*killed by signal 9\).* use fewer processes \(--workers\)"
    ):
        list(pool(processed.die, [1]))
    assert dict(pool(processed.square, [3])) == {0: 9}


def kill_while_working(rounds: int, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(rounds):
        with Processes(2) as run:
            expected = [(i, i * i) for i in range(3000)]
            ended = threading.Event()

            def kill(ended: threading.Event = ended) -> None:
                while not ended.wait(chance.random() * 0.3):
                    for pid in list(children())[:1]:
                        os.kill(pid, signal.SIGKILL)
                        return

            killer = threading.Thread(target=kill)
            killer.start()
            assert sorted(run(processed.square, range(3000))) == expected
            ended.set()
            killer.join()


@LINUX
def test_processes_killed_at_random_moments_change_nothing() -> None:
    kill_while_working(2, 1)


@LINUX
@pytest.mark.slow
def test_processes_killed_at_fifty_random_moments_change_nothing() -> None:
    kill_while_working(50, 2)


@LINUX
def test_no_process_is_left_when_work_is_stopped(pool: Processes) -> None:
    before = children()
    work = pool(processed.slowly, [0.0, *[60.0] * 8])
    next(work)
    started = children() - before
    assert len(started) == 2
    work.close()
    assert gone(started)


class StopError(Exception):
    """What a person's wish to stop raises."""


@LINUX
@pytest.mark.parametrize("done", [(), (0.0,)])
def test_progress_that_raises_ends_all_processes(pool: Processes, done: tuple[float, ...]) -> None:
    before = children()

    def stop(_done: int, _total: int) -> None:
        raise StopError

    with pytest.raises(StopError):
        list(pool(processed.slowly, [*done, *[60.0] * 8], total=8 + len(done), progress=stop))
    assert gone(children() - before)


ORPHANS = """
import sys
import processed
from bleu_core.processes import Processes

with Processes(2) as run:
    work = run(processed.slowly, [0.0, 0.0, *[60.0] * 8])
    print(*{pid for _, pid in (next(work), next(work))}, flush=True)
    next(work)
"""


def start(code: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
        start_new_session=True,
    )


@LINUX
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_process_outlives_its_parent(number: signal.Signals) -> None:
    with start(ORPHANS) as parent:
        assert parent.stdout is not None
        assert parent.stderr is not None
        pids = {int(pid) for pid in parent.stdout.readline().split()}
        assert pids
        os.killpg(parent.pid, number)
        parent.wait(PATIENCE)
        assert gone(pids)
        if number == signal.SIGINT:  # the parent's own traceback, and none of a process
            assert parent.stderr.read().count("Traceback") == 1


@pytest.mark.parametrize("how", ["script without a guard", "standard input"])
def test_the_main_module_is_not_run_again(tmp_path: Path, how: str) -> None:
    code = textwrap.dedent("""
        import processed
        from bleu_core.processes import Processes

        print("once", flush=True)
        with Processes(2) as run:
            print(sorted(run(processed.square, range(4))))
    """)
    script = tmp_path / "script.py"
    script.write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script) if how.startswith("script") else "-"],
        input=code,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
        check=True,
    )
    assert done.stdout == "once\n[(0, 0), (1, 1), (2, 4), (3, 9)]\n"


def test_it_works_in_a_thread() -> None:
    found: list[tuple[int, int]] = []

    def run() -> None:
        with Processes(2) as pool:
            found.extend(pool(processed.square, range(4)))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert sorted(found) == [(0, 0), (1, 1), (2, 4), (3, 9)]


def test_a_process_imports_what_its_work_needs_only(pool: Processes) -> None:
    found = dict(pool(processed.modules, [0]))[0]
    ours = {name for name in found if name.partition(".")[0] in {"bleu_core", "numpy", "pandas", "streamlit"}}
    assert ours <= {"bleu_core", "bleu_core.errors", "bleu_core.limits", "bleu_core.processes", "bleu_core.progress"}


def test_much_work_is_shared_by_all_cores_unless_another_number_is_chosen() -> None:
    assert number_of_workers(heavy=True) == available_cores() >= 1
    assert number_of_workers(heavy=False) == 1
    with use_workers(3):
        assert number_of_workers(heavy=True) == number_of_workers(heavy=False) == 3
        with use_workers(None):
            assert number_of_workers(heavy=True) == available_cores()
    assert number_of_workers(heavy=False) == 1


@pytest.mark.parametrize(("cores", "expected"), [(1, 1), (2, 2), (3, 2), (16, 15)])
def test_in_the_background_a_core_is_left_to_others_where_there_are_more_than_two(
    monkeypatch: pytest.MonkeyPatch, cores: int, expected: int
) -> None:
    monkeypatch.setattr(processes, "available_cores", lambda: cores)
    with in_background():
        assert number_of_workers(heavy=True) == expected
        assert number_of_workers(heavy=False) == 1
        with use_workers(4):
            assert number_of_workers(heavy=True) == 4
    with in_background(2):
        assert number_of_workers(heavy=True) == min(expected, 2)
        assert number_of_workers(heavy=False) == 1
    assert number_of_workers(heavy=True) == cores


@LINUX
def test_processes_in_the_background_yield_to_others() -> None:
    own = os.nice(0)
    with in_background(), Processes(2) as background, Processes(1) as here:
        assert dict(background(os.nice, [0])) == {0: min(own + processes.NICENESS, 19)}
        assert dict(here(os.nice, [0])) == {0: own}
    with Processes(2) as others:
        assert dict(others(os.nice, [0])) == {0: own}
