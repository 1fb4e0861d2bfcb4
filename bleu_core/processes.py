"""Distribution of work over processes of this machine.

Python's pools import the main module again in each process, fail when one process dies, and leave processes running
when their parent is killed. These processes import only what their work needs, exchange tasks and results through
pipes, are replaced when they die, and end when their parent does.
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

#: Tasks assigned to a process at a time: the current one, and the next one, so that it need not wait.
QUEUE_DEPTH = 2

#: Number of crashes after which a task is not assigned again.
MAX_CRASHES = 3

#: Prefix of a message: its number of bytes.
LENGTH_PREFIX = struct.Struct("!Q")

#: Code that a process runs, given the module search path, and a function of a module.
WORKER_CODE = "import sys; sys.path[:] = {path!r}; from {module} import {function}; {function}(*{arguments!r})"

#: BLAS, which counting does not use, would start a thread per core in each process.
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

#: CPU quota of a control group, as of a container: microseconds of CPU time per period, and the period.
CGROUP_CPU_LIMIT = Path("/sys/fs/cgroup/cpu.max")

#: Priority of background processes, in the unit of `nice`.
NICENESS = 10

#: Time to wait for the end of a killed process, which the system may delay while it reads a disk, in seconds.
END_TIMEOUT_S = 10.0

#: Time without a result after which progress is reported again, so that it may raise, in seconds.
POLL_INTERVAL_S = 0.1

_WORKERS: ContextVar[int | None] = ContextVar("workers", default=None)
#: Maximum number of processes of background work; None if work is not in the background.
_BACKGROUND: ContextVar[float | None] = ContextVar("background", default=None)


#: Whether this process runs a program of this project, which may change settings of the whole process.
_IS_OWN = threading.Event()


def own_process() -> None:
    """Declare that this process runs a program of this project; call it before NumPy loads.

    Counting does not use BLAS, which would start a thread per core when NumPy loads; and garbage collection pauses
    while files are read. A process that imports this project as a library keeps its own settings.
    """
    _IS_OWN.set()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", ENVIRONMENT["OPENBLAS_NUM_THREADS"])


def is_own_process() -> bool:
    """Return whether this process runs a program of this project."""
    return _IS_OWN.is_set()


class WorkerError(BleuCoreError):
    """Several processes died on the same task."""


def available_cores() -> int:
    """Return the number of cores that this program may use."""
    affinity: Callable[[int], Any] | None = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    with suppress(OSError, ValueError):
        quota, period = CGROUP_CPU_LIMIT.read_text(encoding="ascii").split()
        if quota != "max":
            cores = min(cores, max(1, round(int(quota) / int(period))))
    return cores


def number_of_workers(*, heavy: bool) -> int:
    """Return the number of processes for some work: as set by use_workers, else one per core if the work is heavy.

    Args:
        heavy: whether the work takes much longer than starting processes.
    """
    workers = _WORKERS.get()
    if workers is not None:
        return workers
    cores, maximum = available_cores() if heavy else 1, _BACKGROUND.get()
    if maximum is None:
        return cores
    return int(min(cores - 1 if cores > 2 else cores, maximum))  # noqa: PLR2004 # one core is left free


@contextmanager
def use_workers(number: int | None) -> Generator[None]:
    """Use this number of processes for any work; None leaves the choice to number_of_workers."""
    token = _WORKERS.set(number)
    try:
        yield
    finally:
        _WORKERS.reset(token)


@contextmanager
def in_background(max_workers: int | None = None) -> Generator[None]:
    """Run processes at low priority, and leave one core free if there are more than two; for servers.

    Args:
        max_workers: maximum number of processes; None for the number of cores.
    """
    token = _BACKGROUND.set(math.inf if max_workers is None else max_workers)
    try:
        yield
    finally:
        _BACKGROUND.reset(token)


class Processes:
    """A pool of processes that are started when first needed and used for several calls.

    Used as a context manager; calling it runs a function, which must be importable by its module's name, on tasks. With
    one worker the tasks run in the calling process.
    """

    def __init__(self, workers: int) -> None:
        """Create the pool without starting processes.

        Args:
            workers: number of processes.
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
            total: number of tasks, if known.
            progress: called after each result, and repeatedly without one, with the number of tasks done and the
                total; may raise, which ends all processes.

        Yields:
            The position of a task, from 0, and its result, in order of completion, each once.

        Raises:
            WorkerError: several processes died on the same task.
            Exception: as raised by the function.
        """
        run = self._run_in_process if self.workers == 1 else self._run_in_workers
        done = 0
        try:
            for result in run(function, tasks):
                if result is not None:
                    yield result
                    done += 1
                if progress and total:
                    progress(done, total)
        except BaseException:  # also if the caller stops iterating
            self.stop()
            raise

    def _run_in_process(
        self, function: Callable[[Task], Result], tasks: Iterable[Task]
    ) -> Iterator[tuple[int, Result]]:
        for position, task in enumerate(tasks):
            yield position, function(task)

    def _run_in_workers(
        self, function: Callable[[Task], Result], tasks: Iterable[Task]
    ) -> Iterator[tuple[int, Result] | None]:
        """Yield results, and None at intervals without one."""
        numbered_tasks = enumerate(tasks)
        retries: deque[tuple[int, bytes]] = deque()  # tasks of processes that died
        crashes: dict[int, int] = {}

        def next_task() -> tuple[int, bytes] | None:
            if retries:
                return retries.popleft()
            return next(((position, pickle.dumps((function, task))) for position, task in numbered_tasks), None)

        while True:
            self._fill_queues(next_task)
            if not any(worker.queue for worker in self._pool):
                return
            try:
                worker, message = self._messages.get(timeout=POLL_INTERVAL_S)
            except Empty:
                yield None
                continue
            if message is None:
                self._pool.remove(worker)
                worker.end()
                if worker.queue:
                    position = worker.queue[0][0]
                    crashes[position] = crashes.get(position, 0) + 1
                    if crashes[position] == MAX_CRASHES:
                        raise _crash_error(worker)
                retries.extendleft(reversed(worker.queue))
                continue
            position, _ = worker.queue.popleft()
            succeeded, value = pickle.loads(message)  # noqa: S301 # of our own process
            if not succeeded:
                raise value
            yield position, value

    def _fill_queues(self, next_task: Callable[[], tuple[int, bytes] | None]) -> None:
        """Fill the queue of each process, first with one task each."""
        for depth in range(1, QUEUE_DEPTH + 1):
            for number in range(self.workers):
                if number < len(self._pool) and len(self._pool[number].queue) >= depth:
                    continue
                task = next_task()
                if task is None:
                    return
                if number >= len(self._pool):
                    self._pool.append(Worker(self._messages, run_tasks, self._niceness))
                self._pool[number].assign(task)


class Worker:
    """The parent's handle of a process.

    Attributes:
        queue: the tasks assigned and not done, in order, each with its position.
    """

    def __init__(
        self,
        messages: SimpleQueue[tuple[Worker, bytes | None]],
        function: Callable[..., NoReturn],
        *arguments: int,
        environment: Mapping[str, str] = ENVIRONMENT,
        max_message: int | None = None,
    ) -> None:
        """Start the process.

        Args:
            messages: receives each message of the process, and None when the process has ended.
            function: what the process runs, of a module.
            arguments: of the function.
            environment: variables in addition to those of this process.
            max_message: maximum bytes of a message; a process that announces more counts as ended. None for no limit.
        """
        import subprocess  # loaded when first needed

        self.queue: deque[tuple[int, bytes]] = deque()
        self._process = subprocess.Popen(  # noqa: S603 # our own program
            [
                sys.executable,
                "-c",
                WORKER_CODE.format(
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
        """The exit status of a process that has ended; negative for the number of the signal that killed it."""
        return self._process.poll()

    def assign(self, task: tuple[int, bytes]) -> None:
        """Assign a task; the death of the process is noticed when its results are awaited."""
        self.queue.append(task)
        self.send(task[1])

    def send(self, message: bytes) -> None:
        """Send a message; do nothing if the process has died.

        A thread of the process reads all messages, also while a task runs, so that the pipe does not stay full.
        """
        with suppress(OSError, ValueError):
            _send(_pipe(self._process.stdin), message)

    def end(self) -> None:
        """Kill the process."""
        from subprocess import TimeoutExpired

        self._process.kill()
        try:
            self._process.wait(END_TIMEOUT_S)
        except TimeoutExpired:
            return  # its end is left to the system; closing the pipe could wait for it, too
        with suppress(OSError):  # unsent data
            _pipe(self._process.stdin).close()

    def _listen(self, messages: SimpleQueue[tuple[Worker, bytes | None]], max_message: int | None) -> None:
        with _pipe(self._process.stdout) as results:
            while (message := _receive(results, max_message)) is not None:
                messages.put((self, message))
        messages.put((self, None))
        self._process.wait()  # so that no process is left as a zombie; nothing waits for this thread


def connect_to_parent() -> tuple[SimpleQueue[bytes], Callable[[bytes], None]]:
    """Take over standard input and output in a process started by Worker, which ends when its parent does.

    Returns:
        A queue of the messages of the parent, and a function that sends a message to the parent.
    """
    tasks, results = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)  # so that the work cannot read or print messages
    os.dup2(null, 1)
    messages: SimpleQueue[bytes] = SimpleQueue()

    def listen() -> None:
        while (task := _receive(tasks)) is not None:
            messages.put(task)
        os._exit(0)  # the parent has ended or closed the pipe

    def send(message: bytes) -> None:
        with suppress(OSError):  # the parent has ended
            _send(results, message)

    threading.Thread(target=listen, daemon=True).start()
    return messages, send


def run_tasks(niceness: int) -> NoReturn:
    """Run the tasks that arrive on standard input until it is closed; the entry point of a process."""
    if sys.platform != "win32":
        os.nice(niceness)
    messages, send = connect_to_parent()
    while True:
        try:
            request = messages.get()  # without limit: the process ends with its parent
            function, task = pickle.loads(request)  # noqa: S301 # of our own parent
            message = pickle.dumps((True, function(task)), protocol=pickle.HIGHEST_PROTOCOL)
        except Exception as error:  # noqa: BLE001 # the parent raises it
            message = _pickled_error(error)
        send(message)


def _pickled_error(error: Exception) -> bytes:
    """Pickle an error; one that cannot be unpickled is replaced by a RuntimeError with the same text."""
    try:
        message = pickle.dumps((False, error))
        pickle.loads(message)  # noqa: S301 # our own
    except Exception:  # noqa: BLE001 # pickling may fail in any way
        return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
    return message


def _send(pipe: IO[bytes], message: bytes) -> None:
    pipe.write(LENGTH_PREFIX.pack(len(message)))
    pipe.write(message)
    pipe.flush()


def _receive(pipe: IO[bytes], max_length: int | None = None) -> bytes | None:
    """Return the next message; None at the end, or if it is longer."""
    prefix = pipe.read(LENGTH_PREFIX.size)
    if len(prefix) < LENGTH_PREFIX.size:
        return None
    (length,) = LENGTH_PREFIX.unpack(prefix)
    if max_length is not None and length > max_length:
        return None
    message = pipe.read(length)
    return message if len(message) == length else None


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise RuntimeError("a process without pipes")
    return pipe


def _crash_error(worker: Worker) -> WorkerError:
    status = worker.status
    cause = f"killed by signal {-status}" if status is not None and status < 0 else f"status {status}"
    return WorkerError(
        f"{MAX_CRASHES} processes ended while they worked on the same part ({cause}); if memory ran out, use fewer "
        "processes (--workers)"
    )
