"""Calls in separate processes, for libraries in C++ or Rust that may abort on a damaged file.

Python can neither catch an abort or a segmentation fault nor stop a native function that takes too long or too much
memory. A process for such calls has limits on both, starts within tenths of a second, and is reused for the next call;
if it ends, the parent is not affected. Tasks are pickled, since the process trusts its parent. Results are JSON, since
a hostile file may have taken control of the process.
"""

from __future__ import annotations

import atexit
import gc
import json
import math
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NoReturn

from bleu_core import errors, limits
from bleu_core.errors import BleuCoreError
from bleu_core.processes import ENVIRONMENT, POLL_INTERVAL_S, Worker, available_cores, connect_to_parent
from bleu_core.progress import file_progress, report_progress

#: pyarrow uses the memory of the C library, which is not reserved in advance and so can be limited.
MEMORY_POOL = {"ARROW_DEFAULT_MEMORY_POOL": "system"}
#: Time that a process waits for its next call before it ends, in seconds.
IDLE_TIMEOUT_S = 60
#: Maximum time for the start of a process, in seconds, however busy the machine is.
START_TIMEOUT_S = 120
#: Wall-clock seconds allowed per second of processor time, likewise.
TIMEOUT_PER_CPU_SECOND = 20
#: Message of a process that has started.
READY = b"{}"
#: The errors that a process may report, by name.
ERRORS = {
    error.__name__: error
    for error in (errors.FormatError, errors.SettingsError, errors.AlignmentError, limits.LimitError)
}
#: File that sets the priority for killing a process when the machine runs out of memory, and the highest priority.
OOM_SCORE = Path("/proc/self/oom_score_adj"), "1000"


class StoppedError(BleuCoreError):
    """The process of a call ended before it returned a result."""


class OutOfMemoryError(StoppedError):
    """A call exceeded its memory limit."""


class OutOfTimeError(StoppedError):
    """A call exceeded its time limit."""


def isolated(function: Callable[..., Any], data: bytes, *arguments: object, memory: int, seconds: int) -> Any:
    """Call a function in a separate process.

    Args:
        function: of a module; its value must be serialisable as JSON. A BleuCoreError that it raises is raised here.
        data: its first argument.
        arguments: the others.
        memory: bytes that the process may use.
        seconds: of processor time that the call may take.

    Returns:
        The value as parsed from JSON: lists in place of tuples.

    Raises:
        StoppedError: the process ended; the message says how. OutOfMemoryError or OutOfTimeError if that was the cause.
        BleuCoreError: as the function raises it.
        RuntimeError: the function raised another error, whose traceback is attached as a note.
        Exception: what the progress callback raises, which ends the process.
    """
    task = pickle.dumps((function, arguments, memory, seconds))
    with _POOL.slot():
        while True:
            process = _POOL.acquire(max_message=memory)
            try:
                answer = process.call(task, data, START_TIMEOUT_S + TIMEOUT_PER_CPU_SECOND * seconds)
            except StoppedError as error:
                process.end()
                if process.calls == 1 or isinstance(error, OutOfTimeError):
                    raise
                continue  # an earlier call may have damaged it, or it had just timed out
            except BaseException:
                process.end()
                raise
            break
        _POOL.release(process)
    if "value" in answer:
        return answer["value"]
    if (kind := ERRORS.get(answer["error"])) is not None:
        raise kind(answer["message"])
    error = RuntimeError(f"{answer['error']}: {answer['message']}")
    error.add_note(str(answer.get("traceback")))
    raise error


class _Process:
    """A process that executes calls, one after the other.

    Attributes:
        calls: number of calls so far.
    """

    def __init__(self, max_message: int) -> None:
        self.calls = 0
        self._messages: SimpleQueue[tuple[Worker, bytes | None]] = SimpleQueue()
        self._worker = Worker(self._messages, serve, environment=ENVIRONMENT | MEMORY_POOL, max_message=max_message)

    @property
    def alive(self) -> bool:
        return self._worker.status is None

    def end(self) -> None:
        self._worker.end()

    def call(self, task: bytes, data: bytes, seconds: float) -> dict[str, Any]:
        """Return the answer to a task; raise StoppedError as `isolated` does."""
        if not self.calls:
            self._start()
        self.calls += 1
        self._worker.send(task)
        self._worker.send(data)
        done = (0, 1)
        deadline = time.monotonic() + seconds
        while True:
            message = self._message(deadline)
            if message is None:
                report_progress(*done)  # may raise, which ends the call
                continue
            answer = _parsed(message)
            if "done" not in answer:
                return answer
            done = answer["done"], answer["total"]
            report_progress(*done)

    def _start(self) -> None:
        try:
            while (message := self._message(time.monotonic() + START_TIMEOUT_S)) is None:
                report_progress(0, 1)
        except StoppedError as error:
            raise BleuCoreError(
                f"a process that reads files cannot be started ({error}); check that the machine has free memory"
            ) from None
        if message != READY:
            raise BleuCoreError(
                "a process that reads files cannot be started (unexpected answer); reinstall the program"
            )

    def _message(self, deadline: float) -> bytes | None:
        """Return the next message; None after an interval without one."""
        try:
            _, message = self._messages.get(timeout=POLL_INTERVAL_S)
        except Empty:
            if time.monotonic() > deadline:
                raise OutOfTimeError("no answer") from None
            return None
        if message is None:
            self.end()
            raise _exit_error(self._worker.status)
        return message


class _Pool:
    """Idle processes, and slots for as many simultaneous calls as there are cores, at least two."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Start without processes; after a fork, those of the parent are left to it."""
        self._lock = threading.Lock()
        self._idle: list[_Process] = []
        self._slots = threading.Semaphore(max(2, available_cores()))

    @contextmanager
    def slot(self) -> Generator[None]:
        """Wait for a free slot: the time of each call is limited."""
        while not self._slots.acquire(timeout=POLL_INTERVAL_S):
            report_progress(0, 1)
        try:
            yield
        finally:
            self._slots.release()

    def acquire(self, max_message: int) -> _Process:
        """Return an idle process, or a new one."""
        with self._lock:
            while self._idle:
                process = self._idle.pop()
                if process.alive:
                    return process
                process.end()
        return _Process(max_message)

    def release(self, process: _Process) -> None:
        with self._lock:
            self._idle.append(process)

    def end(self) -> None:
        with self._lock:
            while self._idle:
                self._idle.pop().end()


_POOL = _Pool()


@atexit.register
def _end() -> None:
    _POOL.end()


if sys.platform != "win32":
    os.register_at_fork(after_in_child=_POOL.reset)


def _parsed(message: bytes) -> dict[str, Any]:
    """Parse an answer or a progress report; raise StoppedError if it is neither, or if the call has stopped."""
    try:
        answer = json.loads(message.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        answer = None
    match answer:
        case {"done": int(), "total": int()} | {"value": _}:
            return answer
        case {"error": "MemoryError"}:
            raise OutOfMemoryError("out of memory")
        case {"error": "PanicException"}:  # of Rust
            raise StoppedError("panic")
        case {"error": str(), "message": str()}:
            return answer
        case _:
            raise StoppedError("an answer that cannot be read")


def _exit_error(status: int | None) -> StoppedError:
    """Return the error for the exit status of a process."""
    if status is None or status >= 0:
        return StoppedError(f"status {status}")
    with suppress(ValueError):
        name = signal.Signals(-status).name
        if name == "SIGXCPU":
            return OutOfTimeError(name)
        return StoppedError(f"{name}, as when memory runs out" if name == "SIGKILL" else name)
    return StoppedError(f"signal {-status}")


def serve() -> NoReturn:
    """Answer the calls that arrive on standard input; the entry point of such a process."""
    messages, send = connect_to_parent()
    with suppress(OSError):
        OOM_SCORE[0].write_text(OOM_SCORE[1], encoding="ascii")
    send(READY)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # discard what a library prints when it aborts
    gc.disable()  # as in all readers of files

    def report_to_parent(done: int, total: int) -> None:
        send(json.dumps({"done": done, "total": total}).encode())

    while True:
        try:
            task, data = messages.get(timeout=IDLE_TIMEOUT_S), messages.get(timeout=IDLE_TIMEOUT_S)
        except Empty:
            os._exit(0)
        function, arguments, memory, seconds = pickle.loads(task)  # noqa: S301 # of our own parent
        _limit(memory, seconds)
        with file_progress(report_to_parent):
            answer = _answer(function, data, arguments)
        send(answer)
        del task, data, answer, arguments
        gc.collect()
        gc.freeze()  # exclude loaded modules from later collections


def _answer(function: Callable[..., Any], data: bytes, arguments: tuple[object, ...]) -> bytes:
    """Return the value of a function, or the error that it raises, as JSON."""
    try:
        answer = {"value": function(data, *arguments)}
        return json.dumps(answer, ensure_ascii=False).encode("utf-8", "surrogatepass")
    except BleuCoreError as error:
        answer = {"error": type(error).__name__, "message": str(error)}
    except MemoryError:
        answer = {"error": "MemoryError"}  # also of pyarrow, under another name
    except BaseException as error:  # noqa: BLE001 # a panic of Rust is no Exception
        import traceback

        lines = "".join(traceback.format_exception(error))
        answer = {"error": type(error).__name__, "message": str(error), "traceback": lines}
    return json.dumps(answer).encode()


def _limit(memory: int, seconds: int) -> None:
    """Limit the memory of this process and the time of its next call, if the system supports it; disable core dumps."""
    try:
        import resource
    except ImportError:  # Windows
        return
    limited = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_DATA: memory,  # not all addresses, of which libraries reserve more than they use
        resource.RLIMIT_CPU: math.ceil(time.process_time()) + seconds,
    }
    for name, soft in limited.items():
        hard = resource.getrlimit(name)[1]
        with suppress(OSError, ValueError):
            resource.setrlimit(name, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))
