"""Work divided among processes of this machine.

Python's own pools import the program's main module anew in each process, give up when one process dies, and leave
processes behind when their parent is killed. These processes import only what their work needs, get their tasks and
send their results through pipes, are replaced when they die, and end as soon as their parent does.
"""

from __future__ import annotations

import math
import os
import pickle
import struct
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any, NoReturn, Self, TypeVar

from bleu_core.errors import BleuCoreError
from bleu_core.progress import Progress

Task = TypeVar("Task")
Result = TypeVar("Result")

#: Tasks that a process has at a time: the one that it works on, and the next, for which it need not wait.
AT_HAND = 2

#: A task on which so many processes die is not given out again.
DEATHS = 3

#: Before the bytes of a message: their number.
LENGTH = struct.Struct("!Q")

#: What a process runs, given the folders from which modules are imported, and a function of a module.
START = "import sys; sys.path[:] = {path!r}; from {module} import {function}; {function}(*{arguments!r})"

#: BLAS, which counting has no use for, would start a thread per core in each process.
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

#: The limit on processors of a group of processes, as containers have it: microseconds used of microseconds passed.
GROUP_LIMIT = Path("/sys/fs/cgroup/cpu.max")

#: How far processes in the background stand behind others, as `nice` has it.
NICENESS = 10

#: Seconds without a result after which progress is told again, so that it may raise.
WAIT = 0.1

_CHOSEN: ContextVar[int | None] = ContextVar("workers", default=None)
#: The most processes of work in the background; None where work is not in the background.
_BACKGROUND: ContextVar[float | None] = ContextVar("background", default=None)


class WorkerError(BleuCoreError):
    """Processes died again and again on the same task."""


def available_cores() -> int:
    """The cores that this program may use."""
    affinity: Callable[[int], Any] | None = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    with suppress(OSError, ValueError):
        used, passed = GROUP_LIMIT.read_text(encoding="ascii").split()
        if used != "max":
            cores = min(cores, max(1, round(int(used) / int(passed))))
    return cores


def workers_for(*, much: bool) -> int:
    """How many processes are to share some work: as many as were chosen, else one per core if there is much to do.

    Args:
        much: whether the work takes a good deal longer than starting processes does.
    """
    chosen = _CHOSEN.get()
    if chosen is not None:
        return chosen
    cores, most = available_cores() if much else 1, _BACKGROUND.get()
    if most is None:
        return cores
    return int(min(cores - 1 if cores > 2 else cores, most))  # noqa: PLR2004 # one to each side


@contextmanager
def use_workers(number: int | None) -> Generator[None]:
    """Let work be shared by so many processes, however much it is; None leaves that to workers_for."""
    token = _CHOSEN.set(number)
    try:
        yield
    finally:
        _CHOSEN.reset(token)


@contextmanager
def in_background(most: int | None = None) -> Generator[None]:
    """Let processes yield to what else runs, and leave it one core where there are more than two; for servers.

    Args:
        most: processes that share some work, at most; None for as many as there are cores for.
    """
    token = _BACKGROUND.set(math.inf if most is None else most)
    try:
        yield
    finally:
        _BACKGROUND.reset(token)


class Processes:
    """A pool of processes, started when they are first needed, for one call after the other.

    Within `with` it is a function that runs another one, which must be importable by its module's name, on tasks. With
    one worker the tasks run in the calling process.
    """

    def __init__(self, workers: int) -> None:
        """Start nothing yet.

        Args:
            workers: how many processes.
        """
        self.workers = workers
        self._niceness = NICENESS if _BACKGROUND.get() is not None else 0
        self._pool: list[Worker] = []
        self._messages: SimpleQueue[tuple[Worker, bytes | None]] = SimpleQueue()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End all processes at once."""
        for worker in self._pool:
            worker.end()
        self._pool = []
        self._messages = SimpleQueue()

    def __call__(
        self,
        function: Callable[[Task], Result],
        tasks: Iterable[Task],
        /,
        *,
        total: int | None = None,
        progress: Progress | None = None,
    ) -> Generator[tuple[int, Result]]:
        """Run a function on all tasks.

        Args:
            function: of a module; pure, since a task is run again if its process dies.
            tasks: consumed as processes become free, in this process.
            total: how many there are, where it is known.
            progress: told after each result, and while there is none, how many tasks of how many are done; may raise,
                which ends all processes.

        Yields:
            The position of a task, from 0, and its result, in the order in which they are done, each once.

        Raises:
            WorkerError: processes died again and again on the same task.
            Exception: what the function raises.
        """
        run = self._here if self.workers == 1 else self._there
        done = 0
        try:
            for found in run(function, tasks):
                if found is not None:
                    yield found
                    done += 1
                if progress and total:
                    progress(done, total)
        except BaseException:  # that of a caller who wants no more results, too
            self.stop()
            raise

    def _here(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[tuple[int, Result]]:
        for position, task in enumerate(tasks):
            yield position, function(task)

    def _there(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[tuple[int, Result] | None]:
        """Results; None now and then while there is none."""
        rest = enumerate(tasks)
        again: deque[tuple[int, bytes]] = deque()  # tasks of processes that died
        deaths: dict[int, int] = {}

        def next_task() -> tuple[int, bytes] | None:
            if again:
                return again.popleft()
            return next(((position, pickle.dumps((function, task))) for position, task in rest), None)

        while True:
            self._hand_out(next_task)
            if not any(worker.at_hand for worker in self._pool):
                return
            try:
                worker, message = self._messages.get(timeout=WAIT)
            except Empty:
                yield None
                continue
            if message is None:
                self._pool.remove(worker)
                worker.end()
                if worker.at_hand:
                    position = worker.at_hand[0][0]
                    deaths[position] = deaths.get(position, 0) + 1
                    if deaths[position] == DEATHS:
                        raise _dead(worker)
                again.extendleft(reversed(worker.at_hand))
                continue
            position, _ = worker.at_hand.popleft()
            succeeded, found = pickle.loads(message)  # noqa: S301 # of our own process
            if not succeeded:
                raise found
            yield position, found

    def _hand_out(self, next_task: Callable[[], tuple[int, bytes] | None]) -> None:
        """Give each process what it can have at hand; first one task to each."""
        for wanted in range(1, AT_HAND + 1):
            for number in range(self.workers):
                if number < len(self._pool) and len(self._pool[number].at_hand) >= wanted:
                    continue
                task = next_task()
                if task is None:
                    return
                if number >= len(self._pool):
                    self._pool.append(Worker(self._messages, work, self._niceness))
                self._pool[number].give(task)


class Worker:
    """A process, as its parent sees it.

    Attributes:
        at_hand: the tasks that it was given and has not done, in this order, each with its position.
    """

    def __init__(
        self,
        messages: SimpleQueue[tuple[Worker, bytes | None]],
        function: Callable[..., NoReturn],
        *arguments: int,
        environment: Mapping[str, str] = ENVIRONMENT,
        max_message: int | None = None,
    ) -> None:
        """Start it.

        Args:
            messages: gets each message of the process, and None when the process has ended.
            function: what the process runs, of a module.
            arguments: of the function.
            environment: variables that the process has besides those of this one.
            max_message: bytes of a message at most; a process that announces more counts as ended. None for any number.
        """
        import subprocess  # loaded when first needed

        self.at_hand: deque[tuple[int, bytes]] = deque()
        self._process = subprocess.Popen(  # noqa: S603 # our own program
            [
                sys.executable,
                "-c",
                START.format(
                    path=sys.path, module=function.__module__, function=function.__name__, arguments=arguments
                ),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **environment},
            process_group=None if sys.platform == "win32" else 0,  # so that Ctrl-C reaches the parent alone
        )
        threading.Thread(target=self._listen, args=(messages, max_message), daemon=True).start()

    @property
    def status(self) -> int | None:
        """The exit status, when the process has ended: below 0 the number of the signal that killed it."""
        return self._process.poll()

    def give(self, task: tuple[int, bytes]) -> None:
        """Send a task; if the process has died, that is noticed where its results are awaited."""
        self.at_hand.append(task)
        self.send(task[1])

    def send(self, message: bytes) -> None:
        """Send a message; if the process has died, nothing happens."""
        with suppress(OSError, ValueError):
            _send(_pipe(self._process.stdin), message)

    def end(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.wait()
        with suppress(OSError):  # what was not sent
            _pipe(self._process.stdin).close()

    def _listen(self, messages: SimpleQueue[tuple[Worker, bytes | None]], max_message: int | None) -> None:
        with _pipe(self._process.stdout) as results:
            while (message := _receive(results, max_message)) is not None:
                messages.put((self, message))
        messages.put((self, None))
        self._process.wait()  # so that no process is left as a zombie


def connected() -> tuple[SimpleQueue[bytes], Callable[[bytes], None]]:
    """Take over standard input and output, as a process that was started by Worker; it ends when its parent does.

    Returns:
        The messages of the parent as they come, and a function that sends one to the parent.
    """
    tasks, results = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)  # what the work reads or prints disturbs nothing
    os.dup2(nowhere, 1)
    waiting: SimpleQueue[bytes] = SimpleQueue()

    def listen() -> None:
        while (task := _receive(tasks)) is not None:
            waiting.put(task)
        os._exit(0)  # the parent has ended, or wants no more

    def send(message: bytes) -> None:
        with suppress(OSError):  # the parent has ended
            _send(results, message)

    threading.Thread(target=listen, daemon=True).start()
    return waiting, send


def work(niceness: int) -> NoReturn:
    """What a process does: run the tasks that come through standard input until that is closed."""
    if sys.platform != "win32":
        os.nice(niceness)
    waiting, send = connected()
    while True:
        try:
            function, task = pickle.loads(waiting.get())  # noqa: S301 # of our own parent
            message = pickle.dumps((True, function(task)), protocol=pickle.HIGHEST_PROTOCOL)
        except Exception as error:  # noqa: BLE001 # whatever it is, the parent raises it
            message = _packed(error)
        send(message)


def _packed(error: Exception) -> bytes:
    """An error as a message; one that cannot be unpacked again becomes another with the same text."""
    try:
        message = pickle.dumps((False, error))
        pickle.loads(message)  # noqa: S301 # our own
    except Exception:  # noqa: BLE001 # whatever is wrong with it
        return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
    return message


def _send(pipe: IO[bytes], message: bytes) -> None:
    pipe.write(LENGTH.pack(len(message)))
    pipe.write(message)
    pipe.flush()


def _receive(pipe: IO[bytes], max_length: int | None = None) -> bytes | None:
    """The next message; None at the end, or where it is longer."""
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    if max_length is not None and length > max_length:
        return None
    message = pipe.read(length)
    return message if len(message) == length else None


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise RuntimeError("a process without pipes")
    return pipe


def _dead(worker: Worker) -> WorkerError:
    status = worker.status
    how = f"killed by signal {-status}" if status is not None and status < 0 else f"status {status}"
    return WorkerError(
        f"{DEATHS} processes ended while they worked on the same part ({how}); if memory ran out, use fewer processes "
        "(--workers)"
    )
