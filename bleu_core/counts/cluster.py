"""Running tasks on a Dask cluster: local workers, or those of an existing scheduler."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar, cast

import numpy as np

from bleu_core.counts.local_cluster import dask, local_cluster, quiet
from bleu_core.errors import BleuCoreError, SettingsError
from bleu_core.invocation import install_extra
from bleu_core.processes import available_cores
from bleu_core.progress import Progress
from bleu_core.version import VERSION

#: Classes of the package distributed, which is only partly typed.
Client = Any
Future = Any

Task = TypeVar("Task")
Result = TypeVar("Result")

#: Seconds to wait for a connection to a scheduler, for its first worker, and for the start of local workers.
SCHEDULER_SECONDS = 10.0
WORKER_SECONDS = 60.0
START_SECONDS = 300.0

#: Steps of connecting to a scheduler; Dask limits the time of each, but not that of the first message.
CONNECTION_STEPS = 3

#: Seconds to wait for the answer of a connected scheduler.
ANSWER_SECONDS = 60.0

#: Seconds without a result after which the scheduler and the workers are asked for the tasks.
STALL_SECONDS = 30.0

#: Attempts at a task whose file could not be read, as networks fail now and then, whose workers died as often as Dask
#: allows, or that was lost.
MAX_ATTEMPTS = 3

#: Submitted tasks per thread of the workers: no thread waits for its next task, and the scheduler never holds millions.
TASKS_PER_THREAD = 3

#: Seconds between two counts of the workers, and between two calls of `progress` without a result.
WORKER_COUNT_SECONDS = 5.0
PROGRESS_SECONDS = 0.5

#: An expression that a worker evaluates, as it may lack the project: its versions of the project and of NumPy.
VERSIONS_EXPRESSION = "__import__('bleu_core.version').version.VERSION, __import__('numpy').__version__"

#: Where a task is that no worker has.
QUEUED = "queued"
LOST = "lost"
NO_WORKER = "no worker"

#: States of a task that a worker has finished or given up.
ENDED_STATES = ("memory", "error", "released", "cancelled", "forgotten")


class ClusterError(BleuCoreError):
    """A cluster cannot be used, or has failed."""


@dataclass(slots=True)
class _SubmittedTask(Generic[Task]):
    """A task that was submitted to the scheduler."""

    position: int
    task: Task
    future: Future
    attempts: int = 1


@contextmanager
def open_cluster(cluster: str) -> Generator[ClusterRun]:
    """Connect to a cluster, or start one; on exit, close what was started.

    Args:
        cluster: "local" (a worker for each core), "local:N" (N workers), the address of a scheduler ("tcp://...") or
            the path of a scheduler file.

    Yields:
        A runner of tasks, which can be called any number of times.

    Raises:
        SettingsError: `cluster` is none of these.
        ClusterError: Dask is not installed, the scheduler does not answer or has no workers, or workers have other
            versions of this project or of NumPy, or so has the scheduler.
    """
    workers = _local_workers(cluster)
    if find_spec("distributed") is None:
        raise ClusterError(f"--cluster needs Dask, which is not installed; {install_extra('cluster')}")
    if workers is not None and find_spec("cryptography") is None:
        raise ClusterError(
            f"--cluster {cluster} needs cryptography, which is not installed; {install_extra('cluster')}"
        )
    with ExitStack() as stack:
        stack.enter_context(quiet())
        if workers is None:
            client = _connected(cluster, cluster if "://" in cluster else _address_in(cluster))
        else:
            client = _connected(cluster, *stack.enter_context(local_cluster(workers)))
        stack.callback(_close, client)
        _wait_for_workers(client, cluster, workers)
        _check_versions(client, cluster)
        yield ClusterRun(client, cluster)


def run_on_cluster(
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    /,
    *,
    cluster: str,
    total: int | None = None,
    progress: Progress | None = None,
) -> Iterator[tuple[int, Result]]:
    """Run tasks on a cluster, see Run; `cluster` and the errors are those of `open_cluster` and `ClusterRun`."""
    with open_cluster(cluster) as run:
        yield from run(function, tasks, total=total, progress=progress)


class ClusterRun:
    """A runner of tasks on a connected cluster."""

    def __init__(self, client: Client, cluster: str) -> None:
        self._client = client
        self._cluster = cluster
        self._counted_at = float("-inf")
        self._seen_at = time.monotonic()
        self._threads = 1

    @property
    def workers(self) -> int:
        """Number of tasks that the workers run at once, as of a few seconds ago.

        Raises:
            ClusterError: there has been no worker for a minute, the scheduler does not answer, or the connection is
                lost.
        """
        now = time.monotonic()
        if now - self._counted_at >= WORKER_COUNT_SECONDS:
            threads = sum(_ask(self._client, self._cluster, self._client.nthreads).values())
            if threads or now - self._counted_at > WORKER_SECONDS:  # not counted for so long: unknown, not absent
                self._seen_at = now
            if now - self._seen_at > WORKER_SECONDS:
                raise _no_worker(self._cluster)
            self._threads = max(1, threads)
            self._counted_at = now
        return self._threads

    def __call__(
        self,
        function: Callable[[Task], Result],
        tasks: Iterable[Task],
        /,
        *,
        total: int | None = None,
        progress: Progress | None = None,
    ) -> Iterator[tuple[int, Result]]:
        """Run all tasks, see Run.

        Dask repeats a task whose worker dies. After as many deaths as its scheduler allows, or if a file cannot be
        read, the task is submitted again, up to `MAX_ATTEMPTS` times in all. So is a task that neither the scheduler
        nor a worker has any more, see `STALL_SECONDS`; a task on which a worker works is never disturbed.

        Args:
            function: of a module that the workers can import, too.
            tasks: consumed as they are needed.
            total: their number, if known.
            progress: called with the number of finished tasks and of all tasks, also while none finishes; may raise,
                which ends the work.

        Yields:
            The position of a task, from 0, and its result: in any order, each once.

        Raises:
            ClusterError: the connection is lost, the scheduler does not answer, or workers die again and again with the
                same task, or lose it.
        """
        calls = _Calls[Task](self._client, self._cluster, function)
        upcoming = enumerate(tasks)
        done, ended = 0, False
        try:
            while True:
                max_tasks = TASKS_PER_THREAD * self.workers
                while not ended and len(calls.submitted) < max_tasks:
                    try:
                        calls.submit(*next(upcoming))
                    except StopIteration:
                        ended = True
                if not calls.submitted:
                    return
                for position, result in calls.finished():
                    done += 1
                    yield position, result
                    if progress and total:
                        progress(done, total)
                if progress and total:
                    progress(done, total)
        finally:
            calls.cancel()


class _Calls(Generic[Task]):
    """The calls of a function on submitted tasks."""

    def __init__(self, client: Client, cluster: str, function: Callable[[Task], Any]) -> None:
        self.submitted: dict[Any, _SubmittedTask[Task]] = {}
        self._client = client
        self._cluster = cluster
        self._call = partial(_call, function, VERSION)
        self._ready: SimpleQueue[Future] = SimpleQueue()
        self._checked_at = time.monotonic()
        self._missing: set[str] = set()

    def submit(self, position: int, task: Task, attempts: int = 1) -> None:
        """Submit a task."""
        from uuid import uuid4  # likewise

        # Keys are unique, so that calls never share a task with another client of the scheduler.
        future = self._client.submit(self._call, task, key=f"bleu-core-{uuid4().hex}", pure=False)
        self.submitted[future.key] = _SubmittedTask(position, task, future, attempts)
        future.add_done_callback(self._ready.put)

    def finished(self) -> Iterator[tuple[int, Any]]:
        """Yield the results that have arrived, after a short wait for the first one; errors as for ClusterRun."""
        if time.monotonic() - self._checked_at >= STALL_SECONDS:
            self._check()
        try:
            ready = [self._ready.get(timeout=PROGRESS_SECONDS)]
        except Empty:
            return
        while not self._ready.empty():
            ready.append(self._ready.get_nowait())
        # Each once, and without those that were submitted again.
        batch = list({future.key: future for future in ready if future.key in self.submitted}.values())
        try:
            results = self._client.sync(self._client.gather, batch, callback_timeout=ANSWER_SECONDS)
        except Exception:  # noqa: BLE001 # asking one by one shows which task failed
            results = [self._result(future) for future in batch]
        for future, result in zip(batch, results, strict=True):
            if result is not _UNFINISHED:
                yield self.submitted.pop(future.key).position, result
                self._checked_at = time.monotonic()

    def cancel(self) -> None:
        """Cancel the tasks that are not finished."""
        if self.submitted:
            self._cancel([submitted.future for submitted in self.submitted.values()])
            self.submitted.clear()

    def _cancel(self, futures: list[Future]) -> None:
        # Without a connection there is nothing to cancel.
        with suppress(OSError, RuntimeError):
            self._client.sync(self._client.cancel, futures, force=True, callback_timeout=SCHEDULER_SECONDS)

    def _check(self) -> None:
        """Take the results whose callback was lost, and submit tasks again that two checks in a row have not found.

        A message about a task may be under way during one check.

        Raises:
            ClusterError: the scheduler does not answer, there is no worker, or a task was lost too often.
        """
        for submitted in self.submitted.values():
            if submitted.future.done():
                self._ready.put(submitted.future)
        places = _ask(self._client, self._cluster, self._client.run_on_scheduler, _places, list(self.submitted))
        workers = {place for place in places.values() if place not in (QUEUED, LOST, NO_WORKER)}
        held: dict[str, Any] = {}
        with suppress(OSError, RuntimeError):  # Dask gives up a worker that does not answer for some minutes
            held = self._client.sync(
                self._client.run, _held, workers=list(workers), on_error="return", callback_timeout=ANSWER_SECONDS
            )
        missing: dict[str, str] = {}
        for key, place in places.items():
            if not self.submitted[key].future.done():
                keys = held.get(place)
                if place in (LOST, NO_WORKER) or (isinstance(keys, list) and key not in keys):
                    missing[key] = place
        for key in missing.keys() & self._missing:
            if missing[key] == NO_WORKER:
                raise _no_worker(self._cluster)
            self._resubmit_lost(self.submitted[key])
        self._missing = set(missing)
        self._checked_at = time.monotonic()

    def _result(self, future: Future) -> Any:
        """Return the result of a call, or _UNFINISHED if its task is run again."""
        from concurrent.futures import CancelledError  # slow to load, and needed by clusters only

        submitted = self.submitted[future.key]
        try:
            return future.result(timeout=ANSWER_SECONDS)
        except dask().KilledWorker:  # Dask also blames a task that only waited where a worker died
            if submitted.attempts < MAX_ATTEMPTS:
                return self._resubmit(submitted)
            raise ClusterError(
                f"--cluster {self._cluster}: all workers that had task {submitted.position + 1:,} died; see their "
                "logs, and check that they have enough memory"
            ) from None
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] in ("bleu_core", "numpy"):
                raise _unsuitable(self._cluster, "a worker", error) from None
            raise
        except (CancelledError, OSError) as error:
            if isinstance(error, TimeoutError) and future.status not in ("error", "cancelled"):
                return self._delayed(submitted)
            if future.status != "error":
                raise _lost(self._cluster) from None
            if isinstance(error, CancelledError) or submitted.attempts == MAX_ATTEMPTS:
                raise
            return self._resubmit(submitted)

    def _resubmit(self, submitted: _SubmittedTask[Task]) -> object:
        del self.submitted[submitted.future.key]
        self._cancel([submitted.future])
        self.submit(submitted.position, submitted.task, submitted.attempts + 1)
        return _UNFINISHED

    def _resubmit_lost(self, submitted: _SubmittedTask[Task]) -> object:
        if submitted.attempts < MAX_ATTEMPTS:
            return self._resubmit(submitted)
        raise ClusterError(
            f"--cluster {self._cluster}: the scheduler or a worker lost task {submitted.position + 1:,} "
            f"{MAX_ATTEMPTS} times; see their logs, start them again, then start the program again"
        )

    def _delayed(self, submitted: _SubmittedTask[Task]) -> object:
        """Return _UNFINISHED for a result that did not arrive in time; errors as for ClusterRun."""
        _ask(self._client, self._cluster, self._client.nthreads)  # an error if the scheduler does not answer
        if submitted.future.status == "finished":  # its worker does not answer
            return self._resubmit_lost(submitted)
        submitted.future.add_done_callback(self._ready.put)  # a worker died with the result: another one has the task
        return _UNFINISHED


#: In place of the result of a task that is run again.
_UNFINISHED = object()


def _places(keys: Sequence[str], dask_scheduler: Any) -> dict[str, str]:
    """Return the address of the worker that has each task, or QUEUED, LOST or NO_WORKER; called by the scheduler.

    Results are LOST, too: the client has not been told of them.
    """
    running = dask_scheduler.running
    idle = any(not worker.processing for worker in running)

    def place(key: str) -> str:
        task = dask_scheduler.tasks.get(key)
        if task is None:
            return LOST
        if task.state == "processing":
            return task.processing_on.address
        if task.state not in ("queued", "no-worker"):
            return LOST
        if not running:
            return NO_WORKER
        return LOST if idle else QUEUED

    return {key: place(key) for key in keys}


def _held(dask_worker: Any) -> list[str]:
    """Return the tasks that a worker has and has not finished; called by the worker."""
    return [key for key, task in dask_worker.state.tasks.items() if task.state not in ENDED_STATES]


def _call(function: Callable[[Task], Result], version: str, task: Task) -> Result:
    """Call a function on a worker, which may have joined after the versions of the others were checked."""
    if version != VERSION:
        raise ClusterError(f"a worker has version {VERSION} of bleu_core, version {version} expected")
    return function(task)


def _local_workers(cluster: str) -> int | None:
    """Return the number of workers to start; None if there is a scheduler.

    Raises:
        SettingsError: `cluster` names neither local workers nor a scheduler.
    """
    name, colon, number = cluster.partition(":")
    if name == "local":
        if not colon:
            return available_cores()
        if re.fullmatch("[1-9][0-9]{0,3}", number) is None:
            raise SettingsError(f"--cluster {cluster}: {number!r} found, a number of workers expected, as in local:4")
        return int(number)
    if "://" not in cluster and not Path(cluster).is_file():
        raise SettingsError(
            f"--cluster {cluster}: no such file; expected are local, local:N, the address of a scheduler as in "
            "tcp://127.0.0.1:8786, or a scheduler file"
        )
    return None


def _connected(cluster: str, address: str, security: Any = None) -> Client:
    """Connect to a scheduler.

    Args:
        cluster: the cluster, for messages.
        address: of the scheduler.
        security: the certificates to use; those of Dask's configuration if None.

    Raises:
        ClusterError: the scheduler does not answer.
    """
    connect = partial(dask().Client, address, timeout=SCHEDULER_SECONDS, set_as_default=False, security=security)
    try:
        return _in_time(connect, CONNECTION_STEPS * SCHEDULER_SECONDS)
    except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
        raise ClusterError(
            f"--cluster {cluster}: no scheduler answers at {address} within {SCHEDULER_SECONDS:g} seconds ({error})"
        ) from None


def _in_time(function: Callable[[], Result], seconds: float) -> Result:
    """Call a function in a thread, which is abandoned on timeout.

    Raises:
        TimeoutError: it does not return in time.
        Exception: as raised by the function.
    """
    results: SimpleQueue[tuple[Result | None, Exception | None]] = SimpleQueue()

    def run() -> None:
        try:
            results.put((function(), None))
        except Exception as error:  # noqa: BLE001 # raised in the calling thread
            results.put((None, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        result, error = results.get(timeout=seconds)
    except Empty:
        raise TimeoutError("no answer") from None
    if error is not None:
        raise error
    return cast("Result", result)


def _address_in(path: str) -> str:
    """Read the address in a scheduler file.

    Raises:
        ClusterError: the file holds no address.
    """
    try:
        return str(json.loads(Path(path).read_bytes())["address"])
    except (OSError, ValueError, KeyError, TypeError):
        raise ClusterError(f"--cluster {path}: no address found, a file written by dask-scheduler expected") from None


def _close(client: Client) -> None:
    """Close a client; one whose scheduler does not answer is left to Dask."""
    with suppress(OSError, RuntimeError):
        client.close(timeout=SCHEDULER_SECONDS)


def _ask(client: Client, cluster: str, function: Callable[..., Any], *arguments: object) -> Any:
    """Call a method of a client that sends a request to the scheduler.

    Raises:
        ClusterError: there is no answer, or no connection.
    """
    from concurrent.futures import CancelledError  # slow to load, and needed by clusters only

    try:
        return client.sync(function, *arguments, callback_timeout=ANSWER_SECONDS)
    except TimeoutError:
        raise ClusterError(
            f"--cluster {cluster}: the scheduler has not answered for {ANSWER_SECONDS:g} seconds; check that it runs "
            "and can be reached, then start the program again"
        ) from None
    except (OSError, RuntimeError, CancelledError):
        raise _lost(cluster) from None


def _wait_for_workers(client: Client, cluster: str, local: int | None) -> None:
    """Wait until a scheduler has a worker, or all `local` workers have started.

    Raises:
        ClusterError: it has none after some time.
    """
    number, seconds = (1, WORKER_SECONDS) if local is None else (local, START_SECONDS)
    try:
        client.sync(client.wait_for_workers, number, timeout=seconds, callback_timeout=seconds + ANSWER_SECONDS)
    except TimeoutError:
        if local is None:
            raise ClusterError(
                f"--cluster {cluster}: the scheduler has no workers after {seconds:g} seconds; start workers"
            ) from None
        raise ClusterError(
            f"--cluster {cluster}: the workers have not started after {seconds:g} seconds; use fewer, or check that "
            "the machine has free memory"
        ) from None


def _check_versions(client: Client, cluster: str) -> None:
    """Check that scheduler and workers have the same versions as this program: both import the functions of tasks.

    Raises:
        ClusterError: one has other versions, or the scheduler does not answer.
    """
    expected = np.__version__
    run = partial(client.run, on_error="return")
    answers = _ask(client, cluster, run, eval, VERSIONS_EXPRESSION)
    installed: dict[str, Any] = {f"worker {address}": answer for address, answer in answers.items()}
    try:
        installed["the scheduler"] = _ask(client, cluster, client.run_on_scheduler, eval, VERSIONS_EXPRESSION)
    except ImportError as error:
        installed["the scheduler"] = error
    for program, versions in installed.items():
        if isinstance(versions, Exception):
            raise _unsuitable(cluster, program, versions)
        if versions[0] != VERSION:
            raise ClusterError(
                f"--cluster {cluster}: {program} has version {versions[0]} of bleu_core, version {VERSION} expected"
            )
        if _major(versions[1]) != _major(expected):
            raise ClusterError(
                f"--cluster {cluster}: {program} has NumPy {versions[1]}, NumPy {_major(expected)} expected"
            )


def _unsuitable(cluster: str, program: str, error: Exception) -> ClusterError:
    """Return the error about a worker or a scheduler that cannot import what it needs."""
    return ClusterError(
        f"--cluster {cluster}: {program} cannot import bleu_core and NumPy ({error}); install bleu-dashboard there"
    )


def _lost(cluster: str) -> ClusterError:
    return ClusterError(f"--cluster {cluster}: the connection to the scheduler is lost")


def _no_worker(cluster: str) -> ClusterError:
    return ClusterError(f"--cluster {cluster}: no worker is left; start workers, then start the program again")


def _major(version: str) -> str:
    return version.partition(".")[0]
