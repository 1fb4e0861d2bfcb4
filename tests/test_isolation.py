"""Calls in a process of their own: whatever ends that process, this one goes on and says what happened."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import isolated_calls as calls
import pytest
from test_processes import LINUX, children, gone

from bleu_core import isolation
from bleu_core.errors import BleuCoreError, FormatError
from bleu_core.isolation import OutOfMemoryError, OutOfTimeError, StoppedError, isolated
from bleu_core.limits import LimitError
from bleu_core.processes import LENGTH_PREFIX
from bleu_core.progress import file_progress

#: Far more than any of these calls needs.
MEMORY, SECONDS = 2**31, 60


@pytest.fixture(autouse=True)
def _own_processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    pool = isolation._Pool()  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(isolation, "_POOL", pool)
    yield
    pool.end()


def call(function: Any, *arguments: object, data: bytes = b"", memory: int = MEMORY, seconds: int = SECONDS) -> Any:
    return isolated(function, data, *arguments, memory=memory, seconds=seconds)


def test_data_arguments_and_values_pass() -> None:
    assert call(calls.given, "ä", 1.5, None, data=b"x" * 3_000_000) == [3_000_000, "ä", 1.5, None]
    assert call(calls.text) == calls.text(b"")
    assert call(calls.printing) == ""


def test_a_process_that_gets_half_a_request_ends() -> None:
    program = "from bleu_core import isolation; isolation.IDLE_TIMEOUT_S = 0.1; isolation.serve()"
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(LENGTH_PREFIX.pack(4) + b"task")
        process.stdin.flush()
        assert process.wait(SECONDS) == 0


def test_a_process_serves_one_call_after_the_other() -> None:
    assert call(calls.process) == call(calls.process) != os.getpid()


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("abort", "SIGABRT"),
        ("SIGSEGV", "SIGSEGV"),
        ("SIGKILL", "SIGKILL, as when memory runs out"),
        ("exit", "status 3"),
        ("panic", "panic"),
    ],
)
def test_the_end_of_its_process_is_an_error_that_says_how(
    how: str, reason: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(StoppedError, match=rf"^{reason}$"):
        call(calls.end, how)
    assert call(calls.given) == [0]
    assert capfd.readouterr() == ("", "")


def test_a_call_that_ends_a_used_process_is_made_in_another_one() -> None:
    assert [call(calls.end_second), call(calls.end_second)] == ["first", "first"]


@pytest.mark.parametrize("kind", ["exit", "abort"])
def test_a_process_that_ended_while_it_waited_is_replaced(kind: str) -> None:
    before = call(calls.process)
    os.kill(before, signal.SIGTERM if kind == "exit" else signal.SIGABRT)
    assert call(calls.process) != before


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (b"\0" * 7 + b"\x05[1,2]", "an answer"),
        (b"\0" * 7 + b"\x03{\xff}", "an answer"),
        (b"\x10" * 8, "SIGKILL|status"),
    ],
)
def test_an_answer_that_is_none_stops_the_call(written: bytes, reason: str) -> None:
    with pytest.raises(StoppedError, match=reason):
        call(calls.nonsense, written)


@LINUX
def test_memory_is_limited() -> None:
    assert call(calls.allocate, 100_000_000) == 100_000_000
    with pytest.raises(OutOfMemoryError):
        call(calls.allocate, 600_000_000, memory=500_000_000)


@LINUX
def test_processor_time_is_limited() -> None:
    with pytest.raises(OutOfTimeError, match="SIGXCPU"):
        call(calls.compute, seconds=0)  # less than a second more than it has taken to start


def test_a_call_that_only_waits_is_ended_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    call(calls.given)  # starts
    monkeypatch.setattr(isolation, "TIMEOUT_PER_CPU_SECOND", 0)
    monkeypatch.setattr(isolation, "START_TIMEOUT_S", 0)
    with pytest.raises(OutOfTimeError, match="no answer"):
        call(calls.wait, seconds=1)


@pytest.mark.parametrize(
    ("kind", "error", "message"),
    [
        ("format", FormatError, r"^x\.parquet, row 3: wrong$"),
        ("limit", LimitError, "^too many$"),
        ("other", RuntimeError, r"^KeyError: 'other'"),
    ],
)
def test_errors_arrive(kind: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        call(calls.fail, kind)
    notes = "".join(getattr(caught.value, "__notes__", ()))
    assert ("in fail\n" in notes) == (kind == "other")
    with pytest.raises(RuntimeError, match="set is not JSON serializable"):
        call(calls.unwritable)


@LINUX
def test_progress_is_told_and_may_end_the_call() -> None:
    before = children()
    told: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> None:
        told.append((done, total))
        if done:
            raise InterruptedError

    with file_progress(stop), pytest.raises(InterruptedError):
        call(calls.wait)
    assert told[-1] == (1, 2)
    assert gone(children() - before)


def test_calls_of_several_threads_do_not_mix() -> None:
    found: dict[int, Any] = {}

    def ask(number: int) -> None:
        found[number] = [call(calls.given, number, data=b"x" * number) for _ in range(5)]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: [[number, number]] * 5 for number in range(4)}


def test_a_process_that_does_not_start_is_no_fault_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(BleuCoreError, match=r"^a process that reads files cannot be started \(status 1\)"):
        call(calls.given)


def run(code: str, *how: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *how],
        input=textwrap.dedent(code),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
        check=False,
    )


MAIN = """
import isolated_calls
from bleu_core.isolation import isolated

print("once", isolated(isolated_calls.given, b"abc", memory=2**31, seconds=60), flush=True)
"""


@pytest.mark.parametrize("how", ["script without a guard", "standard input"])
def test_the_main_module_is_not_run_again(tmp_path: Path, how: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(MAIN, encoding="utf-8")
    done = run(MAIN, str(script) if how.startswith("script") else "-")
    assert (done.stdout, done.stderr, done.returncode) == ("once [3]\n", "", 0)


FORKED = f"""{MAIN}
import os

pid = os.fork()
print(isolated(isolated_calls.given, b"abcd", memory=2**31, seconds=60), flush=True)
if pid:
    os.waitpid(pid, 0)
    print(isolated(isolated_calls.given, b"ab", memory=2**31, seconds=60), flush=True)
"""


@LINUX
def test_a_fork_has_processes_of_its_own() -> None:
    done = run(FORKED, "-W", "ignore", "-")
    assert (done.stdout, done.stderr, done.returncode) == ("once [3]\n[4]\n[4]\n[2]\n", "", 0)


@LINUX
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_no_process_outlives_its_parent(number: int) -> None:
    code = f"""
    import os, isolated_calls
    from bleu_core.isolation import isolated

    print(isolated(isolated_calls.process, b"", memory=2**31, seconds=60), flush=True)
    os.kill(os.getpid(), {number})
    """
    assert gone({int(run(code, "-").stdout)})


def test_a_process_imports_what_its_call_needs_only() -> None:
    ours = {name for name in call(calls.modules) if name.partition(".")[0] in {"bleu_core", "numpy", "pandas"}}
    base = {"errors", "fields", "isolation", "limits", "processes", "progress"}
    assert ours <= {"bleu_core", *(f"bleu_core.{name}" for name in base)}
