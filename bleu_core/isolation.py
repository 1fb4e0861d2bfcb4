"""Calls in a process of their own, for libraries in C++ or Rust that a damaged file may make abort.

Nothing in Python can catch an abort or a segmentation fault, and nothing can end a native function that takes too long
or too much memory. A process for such calls has limits on both, starts within tenths of a second, and is kept for the
next call; one that ends takes nothing along. It is given its task as a pickle, since it trusts this process. It answers
in JSON, since this process does not trust what a hostile file may have made of it.
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
from bleu_core.processes import ENVIRONMENT, WAIT, Worker, available_cores, connected
from bleu_core.progress import tell, told_within_file

#: Of pyarrow: memory of the C library, which is not reserved in advance and so can be limited.
MEMORY_POOL = {"ARROW_DEFAULT_MEMORY_POOL": "system"}
#: Seconds that a process waits for its next call before it ends.
IDLE = 60
#: Seconds within which a process starts, however busy the machine is.
START = 120
#: Seconds for each second of processor time that a call may take, likewise.
PATIENCE = 20
#: What a process says when it has started.
READY = b"{}"
#: The errors that a process may report, by name.
ERRORS = {
    error.__name__: error
    for error in (errors.FormatError, errors.SettingsError, errors.AlignmentError, limits.LimitError)
}
#: The file in which a process says how soon it is to be killed when the machine's memory runs out, and the soonest.
KILLED_FIRST = Path("/proc/self/oom_score_adj"), "1000"


class StoppedError(BleuCoreError):
    """A call has ended its process, or was ended with it."""


class OutOfMemoryError(StoppedError):
    """A call needs more memory than it may have."""


class OutOfTimeError(StoppedError):
    """A call takes longer than it may."""


def isolated(function: Callable[..., Any], data: bytes, *arguments: object, memory: int, seconds: int) -> Any:
    """Call a function in a process of its own.

    Args:
        function: of a module; its value can be written as JSON, and a BleuCoreError that it raises is raised here.
        data: its first argument.
        arguments: the others.
        memory: bytes that the process may use.
        seconds: of processor time that the call may take.

    Returns:
        The value as it is read from JSON: lists in place of tuples.

    Raises:
        StoppedError: the process ended, with how it did; OutOfMemoryError or OutOfTimeError where that was the reason.
        BleuCoreError: as the function raises it.
        RuntimeError: the function raised any other error, whose traceback is a note of this one.
        Exception: what the progress callback raises, which ends the process.
    """
    task = pickle.dumps((function, arguments, memory, seconds))
    with _POOL.place():
        while True:
            process = _POOL.process(max_message=memory)
            try:
                answer = process.call(task, data, START + PATIENCE * seconds)
            except StoppedError as error:
                process.end()
                if process.calls == 1 or isinstance(error, OutOfTimeError):
                    raise
                continue  # an earlier call may have broken it, or it had just waited for too long
            except BaseException:
                process.end()
                raise
            break
        _POOL.keep(process)
    if "value" in answer:
        return answer["value"]
    if (kind := ERRORS.get(answer["error"])) is not None:
        raise kind(answer["message"])
    error = RuntimeError(f"{answer['error']}: {answer['message']}")
    error.add_note(str(answer.get("traceback")))
    raise error


class _Process:
    """A process for one call after the other.

    Attributes:
        calls: how many it was given.
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
        """The answer to a task; StoppedError as isolated."""
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
                tell(*done)  # may raise, which ends the call
                continue
            answer = _parsed(message)
            if "done" not in answer:
                return answer
            done = answer["done"], answer["total"]
            tell(*done)

    def _start(self) -> None:
        try:
            while (message := self._message(time.monotonic() + START)) is None:
                tell(0, 1)
        except StoppedError as error:
            raise BleuCoreError(
                f"a process that reads files cannot be started ({error}); see whether the machine has memory left"
            ) from None
        if message != READY:
            raise BleuCoreError(
                "a process that reads files cannot be started (another answer); install the program again"
            )

    def _message(self, deadline: float) -> bytes | None:
        """The next message; None after a while without one."""
        try:
            _, message = self._messages.get(timeout=WAIT)
        except Empty:
            if time.monotonic() > deadline:
                raise OutOfTimeError("no answer") from None
            return None
        if message is None:
            self.end()
            raise _ended(self._worker.status)
        return message


class _Pool:
    """Processes that wait for calls, and places for as many calls at a time as there are cores, but two at least."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin with no process, and leave others to whoever has them, as a fork does its parent's."""
        self._lock = threading.Lock()
        self._idle: list[_Process] = []
        self._places = threading.Semaphore(max(2, available_cores()))

    @contextmanager
    def place(self) -> Generator[None]:
        """Wait for a place."""
        while not self._places.acquire(timeout=WAIT):
            tell(0, 1)
        try:
            yield
        finally:
            self._places.release()

    def process(self, max_message: int) -> _Process:
        """One that waits, or a new one."""
        with self._lock:
            while self._idle:
                process = self._idle.pop()
                if process.alive:
                    return process
                process.end()
        return _Process(max_message)

    def keep(self, process: _Process) -> None:
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
    os.register_at_fork(after_in_child=_POOL.forget)


def _parsed(message: bytes) -> dict[str, Any]:
    """An answer, or how much of a call is done; StoppedError where it is neither, or where the call has stopped."""
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


def _ended(status: int | None) -> StoppedError:
    """How a process ended, by its status."""
    if status is None or status >= 0:
        return StoppedError(f"status {status}")
    with suppress(ValueError):
        name = signal.Signals(-status).name
        if name == "SIGXCPU":
            return OutOfTimeError(name)
        return StoppedError(f"{name}, as when memory runs out" if name == "SIGKILL" else name)
    return StoppedError(f"signal {-status}")


def serve() -> NoReturn:
    """What such a process does: answer the calls that come through standard input."""
    waiting, send = connected()
    with suppress(OSError):
        KILLED_FIRST[0].write_text(KILLED_FIRST[1], encoding="ascii")
    send(READY)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what a library says when it aborts is for nobody
    gc.disable()  # as for all readers of files, while they read

    def tell_parent(done: int, total: int) -> None:
        send(json.dumps({"done": done, "total": total}).encode())

    while True:
        try:
            task = waiting.get(timeout=IDLE)
        except Empty:
            os._exit(0)
        function, arguments, memory, seconds = pickle.loads(task)  # noqa: S301 # of our own parent
        data = waiting.get()
        _limit(memory, seconds)
        with told_within_file(tell_parent):
            answer = _answer(function, data, arguments)
        send(answer)
        del task, data, answer, arguments
        gc.collect()
        gc.freeze()  # modules, which need not be searched again


def _answer(function: Callable[..., Any], data: bytes, arguments: tuple[object, ...]) -> bytes:
    """The value of a function, or the error that it raises, as JSON."""
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
    """Limit the memory of this process, and the time of its next call, where the system can; write no core dumps."""
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
