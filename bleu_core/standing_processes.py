"""Processes that stay for short pieces of work: a server's threads hand them what would keep each other waiting.

Python runs one thread at a time for most of what they do. Starting a process takes longer than such a piece of work,
so these are started once, and stay until nobody has needed them for a while, or their parent ends.
"""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from typing import Any

from bleu_core.processes import WAIT, Worker, work

#: What a process is to call: a function of a module, its arguments, and those that it takes by name.
Call = tuple[Callable[..., Any], tuple[Any, ...], Mapping[str, Any]]


class StandingProcesses:
    """Up to a number of processes, each for one call at a time; safe to use from several threads.

    Args:
        workers: how many processes at most; with 0 all calls are refused.
        timer: tells the time in seconds.
    """

    def __init__(self, workers: int, timer: Callable[[], float] = time.monotonic) -> None:
        self._workers = workers
        self._timer = timer
        self._lock = threading.Lock()
        self._busy = 0
        self._idle: list[tuple[float, _Standing]] = []  # with the time since when; the last one is used first

    def call(
        self, function: Callable[..., Any], *arguments: Any, waiting: Callable[[], object], **named: Any
    ) -> tuple[Any] | None:
        """Call a function in a process that is free.

        Args:
            function: of a module that imports little; pure.
            arguments: of the function.
            waiting: called now and then until the result is there; may raise, which ends the process.
            named: arguments that the function takes by name.

        Returns:
            The result alone; None if nothing was done: no process is free, the process has died, or an argument cannot
            be sent to another process.

        Raises:
            Exception: what the function raises.
        """
        try:
            asked = pickle.dumps((_called, (function, arguments, named)), pickle.HIGHEST_PROTOCOL)
        except (pickle.PicklingError, AttributeError, TypeError):  # which it is depends on what cannot be sent
            return None
        process = self._taken()
        if process is None:
            return None
        try:
            message = process.ask(asked, waiting)
        except BaseException:
            self._give_back(process, usable=False)
            raise
        self._give_back(process, usable=message is not None)
        if message is None:
            return None
        succeeded, found = pickle.loads(message)  # noqa: S301 # of our own process
        if not succeeded:
            raise found
        return (found,)

    def end_idle(self, seconds: float = 0) -> None:
        """End the processes that nobody has needed for that long."""
        since = self._timer() - seconds
        with self._lock:
            ended = [process for last, process in self._idle if last <= since]
            self._idle = [(last, process) for last, process in self._idle if last > since]
        for process in ended:
            process.end()

    def _taken(self) -> _Standing | None:
        with self._lock:
            if self._busy >= self._workers:
                return None
            self._busy += 1
            if self._idle:
                return self._idle.pop()[1]
        try:
            return _Standing()
        except OSError:  # no further process can be started
            with self._lock:
                self._busy -= 1
            return None

    def _give_back(self, process: _Standing, *, usable: bool) -> None:
        with self._lock:
            self._busy -= 1
            if usable:
                self._idle.append((self._timer(), process))
        if not usable:
            process.end()


class _Standing:
    """A process and the queue of its messages."""

    def __init__(self) -> None:
        self._messages: SimpleQueue[tuple[Worker, bytes | None]] = SimpleQueue()
        self._worker = Worker(self._messages, work, 0)

    def ask(self, message: bytes, waiting: Callable[[], object]) -> bytes | None:
        """Send a message, and wait for the answer; None if the process has ended."""
        self._worker.send(message)
        while True:
            try:
                return self._messages.get(timeout=WAIT)[1]
            except Empty:
                waiting()

    def end(self) -> None:
        self._worker.end()


def _called(call: Call) -> Any:
    function, arguments, named = call
    return function(*arguments, **named)
