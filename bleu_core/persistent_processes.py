"""Persistent processes for short tasks of a server's threads, which would otherwise block each other.

Python executes one thread at a time for most of such work. Starting a process takes longer than a task, so processes
are started once and kept until they have been idle for some time, or their parent ends.
"""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from typing import Any

from bleu_core.processes import POLL_INTERVAL_S, Worker, run_tasks

#: A call: a function of a module, its positional arguments and its keyword arguments.
Call = tuple[Callable[..., Any], tuple[Any, ...], Mapping[str, Any]]


class PersistentProcesses:
    """A limited number of processes, each for one call at a time; thread-safe.

    Args:
        workers: maximum number of processes; with 0 all calls are refused.
        timer: returns the time in seconds.
    """

    def __init__(self, workers: int, timer: Callable[[], float] = time.monotonic) -> None:
        self._workers = workers
        self._timer = timer
        self._lock = threading.Lock()
        self._busy = 0
        #: With the start of the idle time; the last one is used first.
        self._idle: list[tuple[float, _PooledProcess]] = []

    def call(
        self, function: Callable[..., Any], *arguments: Any, waiting: Callable[[], object], **named: Any
    ) -> tuple[Any] | None:
        """Call a function in a free process.

        Args:
            function: of a module that imports little; pure.
            arguments: of the function.
            waiting: called repeatedly until the result arrives; may raise, which ends the process.
            named: keyword arguments of the function.

        Returns:
            A tuple of the result alone; None if the call was not executed: no process is free, the process has died,
            or an argument cannot be pickled.

        Raises:
            Exception: as raised by the function.
        """
        try:
            request = pickle.dumps((_execute, (function, arguments, named)), pickle.HIGHEST_PROTOCOL)
        except (pickle.PicklingError, AttributeError, TypeError):  # depending on what cannot be pickled
            return None
        process = self._acquire()
        if process is None:
            return None
        try:
            message = process.ask(request, waiting)
        except BaseException:
            self._release(process, usable=False)
            raise
        self._release(process, usable=message is not None)
        if message is None:
            return None
        succeeded, value = pickle.loads(message)  # noqa: S301 # of our own process
        if not succeeded:
            raise value
        return (value,)

    def end_idle(self, seconds: float = 0) -> None:
        """End the processes that have been idle for that long."""
        since = self._timer() - seconds
        with self._lock:
            ended = [process for last, process in self._idle if last <= since]
            self._idle = [(last, process) for last, process in self._idle if last > since]
        for process in ended:
            process.end()

    def _acquire(self) -> _PooledProcess | None:
        with self._lock:
            if self._busy >= self._workers:
                return None
            self._busy += 1
            if self._idle:
                return self._idle.pop()[1]
        try:
            return _PooledProcess()
        except OSError:  # the system cannot start another process
            with self._lock:
                self._busy -= 1
            return None

    def _release(self, process: _PooledProcess, *, usable: bool) -> None:
        with self._lock:
            self._busy -= 1
            if usable:
                self._idle.append((self._timer(), process))
        if not usable:
            process.end()


class _PooledProcess:
    """A process and the queue of its messages."""

    def __init__(self) -> None:
        self._messages: SimpleQueue[tuple[Worker, bytes | None]] = SimpleQueue()
        self._worker = Worker(self._messages, run_tasks, 0)

    def ask(self, message: bytes, waiting: Callable[[], object]) -> bytes | None:
        """Send a message and wait for the answer, as long as `waiting` allows; return None if the process has ended."""
        self._worker.send(message)
        while True:
            try:
                return self._messages.get(timeout=POLL_INTERVAL_S)[1]
            except Empty:
                waiting()

    def end(self) -> None:
        self._worker.end()


def _execute(call: Call) -> Any:
    function, arguments, named = call
    return function(*arguments, **named)
