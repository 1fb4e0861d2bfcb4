"""A count that is interrupted at any moment leaves nothing behind, and gives the same bytes when it is run again."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked for in /proc")

PAIRS = 120_000
PATIENCE = 30
PROGRAM = [sys.executable, "-c", "from bleu_core.cli import main; import sys; sys.exit(main())"]


class Files(NamedTuple):
    """A system, a reference, and what they give."""

    system: Path
    reference: Path
    expected: bytes
    seconds: float


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("texts")
    chance = random.Random(3)
    words = [f"word{i % 300}" for i in range(1000)]
    lines = [" ".join(chance.choices(words, k=chance.randint(5, 30))) for _ in range(5000)]
    system, reference = folder / "system.txt", folder / "reference.txt"
    for path in (system, reference):
        chance.shuffle(lines)
        path.write_text("".join(f"{line}\n" for line in lines * (PAIRS // len(lines))), encoding="utf-8")
    out = folder / "expected.counts"
    begun = time.monotonic()
    with started(Files(system, reference, b"", 0), out, "--workers", "2") as process:
        assert process.wait() == 0
    return Files(system, reference, out.read_bytes(), time.monotonic() - begun)


def started(files: Files, out: Path, *options: str) -> subprocess.Popen[str]:
    """A count that has been started."""
    call = [*PROGRAM, "count", "--ref", files.reference, files.system, "--out", out, *options]
    return subprocess.Popen(
        list(map(str, call)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def in_session(leader: int) -> set[int]:
    """The living processes of a session."""
    found: set[int] = set()
    for entry in Path("/proc").iterdir():
        try:
            state, _, _, session = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(session) == leader and state != "Z":
            found.add(int(entry.name))
    return found


def none_left(leader: int) -> bool:
    deadline = time.monotonic() + PATIENCE
    while (left := in_session(leader)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not left


def wait_for_workers(process: subprocess.Popen[str]) -> None:
    """Wait until a program has loaded its modules and started another process, or has ended."""
    while process.poll() is None and not in_session(process.pid) - {process.pid}:
        time.sleep(0.005)


def run_to_the_end(files: Files, out: Path, *options: str) -> None:
    with started(files, out, *options) as process:
        assert process.wait() == 0
    assert out.read_bytes() == files.expected


def kill_workers(files: Files, out: Path, kills: int, seed: int) -> int:
    """Kill a process at a random moment of a count, so many times; returns how many counts that took."""
    chance, hit, counts = random.Random(seed), 0, 0
    while hit < kills and counts < 5 * kills:
        counts += 1
        with started(files, out, "--workers", "2") as process:
            wait_for_workers(process)
            time.sleep(chance.random() * files.seconds / 2)
            workers = in_session(process.pid) - {process.pid}
            if workers and process.poll() is None:
                os.kill(chance.choice(sorted(workers)), signal.SIGKILL)
                hit += 1
            assert process.wait() == 0
            assert none_left(process.pid)
        assert out.read_bytes() == files.expected
        out.unlink()
    assert hit == kills
    return counts


def end_parents(files: Files, folder: Path, rounds: int, seed: int) -> int:
    """End the program in one of three ways at a random moment, so many times before its end; returns all runs."""
    chance, hit, number = random.Random(seed), 0, 0
    while hit < rounds and number < 5 * rounds:
        number += 1
        out = folder / f"{number}.counts"
        how = (signal.SIGKILL, signal.SIGINT, signal.SIGTERM)[hit % 3]
        with started(files, out, "--workers", "2") as process:
            wait_for_workers(process)
            time.sleep(chance.random() * files.seconds / 2)
            if process.poll() is None:
                os.killpg(process.pid, how) if how == signal.SIGINT else os.kill(process.pid, how)
            status = process.wait(PATIENCE)
            assert none_left(process.pid)
            assert process.stderr is not None
            errors = process.stderr.read()
        hit += status != 0
        if how == signal.SIGINT:
            assert status in {0, 130, -signal.SIGINT}  # the last while Python starts or ends
            assert "Traceback" not in errors
        assert {path.name for path in folder.iterdir()} <= {out.name}
        if out.exists():  # it was there whole when the end came
            assert out.read_bytes() == files.expected
        if hit % 3 == 0:  # the program has been ended in each of the ways
            run_to_the_end(files, out, "--workers", "2")
        out.unlink(missing_ok=True)
    assert hit == rounds
    return number


@pytest.mark.slow
def test_processes_that_are_killed_change_no_byte(files: Files, tmp_path: Path) -> None:
    kill_workers(files, tmp_path / "x.counts", 1, 1)


@pytest.mark.slow
def test_fifty_processes_that_are_killed_change_no_byte(files: Files, tmp_path: Path) -> None:
    counts = kill_workers(files, tmp_path / "x.counts", 50, 2)
    print(f"\n50 processes killed in {counts} counts")  # noqa: T201 # for people


def test_a_program_that_is_ended_leaves_nothing_and_can_be_run_again(files: Files, tmp_path: Path) -> None:
    end_parents(files, tmp_path, 3, 1)


@pytest.mark.slow
def test_a_program_that_is_ended_twenty_times_leaves_nothing_and_can_be_run_again(files: Files, tmp_path: Path) -> None:
    runs = end_parents(files, tmp_path, 21, 2)
    print(f"\n21 of {runs} programs ended before they were done")  # noqa: T201 # for people


def test_a_full_disk_is_told_and_what_was_there_stays(files: Files, tmp_path: Path) -> None:
    out = tmp_path / "x.counts"
    out.write_bytes(b"before")

    def little_space() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    call = [*PROGRAM, "count", "--ref", files.reference, files.system, "--out", out]
    done = subprocess.run(list(map(str, call)), capture_output=True, text=True, preexec_fn=little_space, check=False)
    assert done.returncode == 2
    assert done.stderr == f"bleu-core count: {out}: file too large\n"
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("x.counts", b"before")]


def test_a_file_that_grows_while_it_is_counted_is_refused(files: Files, tmp_path: Path) -> None:
    system = tmp_path / "system.txt"
    system.write_bytes(files.system.read_bytes())
    out = tmp_path / "x.counts"
    with started(Files(system, files.reference, b"", 0), out, "--workers", "2") as process:
        with system.open("ab") as file:
            while process.poll() is None:
                file.write(b"one more line\n")
                file.flush()
                time.sleep(0.002)
        assert process.returncode == 2
        assert process.stderr is not None
        assert "system.txt" in process.stderr.read()
    assert not out.exists()
