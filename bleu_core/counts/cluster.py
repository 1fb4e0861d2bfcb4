"""Running tasks on a Dask cluster: workers on this machine, or those of a scheduler that runs elsewhere."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar
from uuid import uuid4

import numpy as np

from bleu_core.counts.local_cluster import dask, local_cluster, quiet
from bleu_core.errors import BleuCoreError, SettingsError
from bleu_core.invocation import install_extra
from bleu_core.processes import available_cores
from bleu_core.progress import Progress
from bleu_core.version import VERSION

#: Those of distributed, whose types are known in part.
Client = Any
Future = Any

Task = TypeVar("Task")
Result = TypeVar("Result")

#: Seconds to wait for a scheduler to answer, and for it to have a first worker.
SCHEDULER_SECONDS = 10.0
WORKER_SECONDS = 60.0

#: Times that a task is given out whose file could not be read, as a network may fail for a moment, or whose workers
#: died as often as Dask allows.
ATTEMPTS = 3

#: Tasks given out per thread of the workers. The next one is there when one is done, and their number is small even
#: where there are millions of tasks.
TASKS_PER_THREAD = 3

#: Seconds between two looks at how many workers there are, and between two calls of `progress` without a result.
LOOK_SECONDS = 5.0
TELL_SECONDS = 0.5

#: Asked of a worker, which may lack the project: its versions of it and of NumPy.
ITS_VERSIONS = "__import__('bleu_core.version').version.VERSION, __import__('numpy').__version__"


class ClusterError(BleuCoreError):
    """A cluster cannot be used, or has failed."""


@dataclass(slots=True)
class _PendingTask(Generic[Task]):
    """A task that was given out."""

    position: int
    task: Task
    future: Future
    attempts: int = 1


@contextmanager
def on_cluster(cluster: str) -> Generator[ClusterRun]:
    """Connect to a cluster, or start one; at the end, close what was started.

    Args:
        cluster: "local" (a worker for each core), "local:N" (N workers), the address of a scheduler ("tcp://...") or
            the path of a scheduler file.

    Yields:
        What runs tasks there, any number of times.

    Raises:
        SettingsError: `cluster` is none of these.
        ClusterError: Dask is not installed, the scheduler does not answer or has no workers, or workers have other
            versions of this project or of NumPy.
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
        stack.callback(client.close, timeout=SCHEDULER_SECONDS)
        _check_workers(client, cluster)
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
    """Run tasks on a cluster, as Run has it; `cluster` and the errors are those of `on_cluster` and `ClusterRun`."""
    with on_cluster(cluster) as run:
        yield from run(function, tasks, total=total, progress=progress)


class ClusterRun:
    """Runs tasks on a cluster that is connected."""

    def __init__(self, client: Client, cluster: str) -> None:
        self._client = client
        self._cluster = cluster
        self._looked = float("-inf")
        self._seen = time.monotonic()
        self._threads = 1

    @property
    def workers(self) -> int:
        """How many tasks the workers run at once, as of a few seconds ago.

        Raises:
            ClusterError: there has been no worker for a minute, or the connection is lost.
        """
        now = time.monotonic()
        if now - self._looked >= LOOK_SECONDS:
            try:
                found = sum(self._client.nthreads().values())
            except (OSError, RuntimeError, CancelledError):
                raise _lost(self._cluster) from None
            if found or now - self._looked > WORKER_SECONDS:  # nobody looked, which says nothing of the workers
                self._seen = now
            if now - self._seen > WORKER_SECONDS:
                raise ClusterError(f"--cluster {self._cluster}: no worker is left; start some, and start again")
            self._threads = max(1, found)
            self._looked = now
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
        """Run all tasks, as Run has it.

        A task whose worker dies is given out again by Dask. After as many deaths as its scheduler allows, or where a
        file cannot be read, it is given out anew, `ATTEMPTS` times in all.

        Args:
            function: of a module that the workers can import, too.
            tasks: consumed as they are needed.
            total: how many there are, where it is known.
            progress: told how many tasks of how many are done, also while none ends; may raise, which ends the work.

        Yields:
            The position of a task, from 0, and its result: in any order, each once.

        Raises:
            ClusterError: the connection is lost, or workers die again and again with the same task.
        """
        calls = _Calls[Task](self._client, self._cluster, function)
        upcoming = enumerate(tasks)
        done, ended = 0, False
        try:
            while True:
                most = TASKS_PER_THREAD * self.workers
                while not ended and len(calls.given) < most:
                    try:
                        calls.give(*next(upcoming))
                    except StopIteration:
                        ended = True
                if not calls.given:
                    return
                for position, result in calls.arrived():
                    done += 1
                    yield position, result
                    if progress and total:
                        progress(done, total)
                if progress and total:
                    progress(done, total)
        finally:
            calls.cancel()


class _Calls(Generic[Task]):
    """The calls of a function on tasks that were given out."""

    def __init__(self, client: Client, cluster: str, function: Callable[[Task], Any]) -> None:
        self.given: dict[Any, _PendingTask[Task]] = {}
        self._client = client
        self._cluster = cluster
        self._call = partial(_call, function, VERSION)
        self._ready: SimpleQueue[Future] = SimpleQueue()

    def give(self, position: int, task: Task, attempts: int = 1) -> None:
        """Give out a task."""
        # Keys are of one call alone: another client of the scheduler has no part in them.
        future = self._client.submit(self._call, task, key=f"bleu-core-{uuid4().hex}", pure=False)
        self.given[future.key] = _PendingTask(position, task, future, attempts)
        future.add_done_callback(self._ready.put)

    def arrived(self) -> Iterator[tuple[int, Any]]:
        """The results that are there, after a short wait for a first one; errors as for ClusterRun."""
        try:
            batch = [self._ready.get(timeout=TELL_SECONDS)]
        except Empty:
            return
        while not self._ready.empty():
            batch.append(self._ready.get())
        try:
            results = self._client.gather(batch)
        except Exception:  # noqa: BLE001 # whose it is shows when they are asked one by one
            results = [self._result(future) for future in batch]
        for future, result in zip(batch, results, strict=True):
            if result is not _AGAIN:
                yield self.given.pop(future.key).position, result

    def cancel(self) -> None:
        """Cancel what is not done."""
        if self.given:
            # Without a connection nothing is left to be cancelled.
            with suppress(OSError, RuntimeError, TimeoutError):
                self._client.cancel([given.future for given in self.given.values()], force=True)
            self.given.clear()

    def _result(self, future: Future) -> Any:
        """The result of a call, or _AGAIN if its task was given out once more."""
        given = self.given[future.key]
        try:
            return future.result()
        except dask().KilledWorker:  # Dask also blames a task that only waited where a worker died
            if given.attempts < ATTEMPTS:
                return self._again(given)
            raise ClusterError(
                f"--cluster {self._cluster}: workers died again and again that had task {given.position + 1:,}; see "
                "their logs, and whether they have enough memory"
            ) from None
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] in ("bleu_core", "numpy"):
                raise _unsuitable(self._cluster, "a worker", error) from None
            raise
        except (CancelledError, OSError) as error:
            if future.status != "error":
                raise _lost(self._cluster) from None
            if isinstance(error, CancelledError) or given.attempts == ATTEMPTS:
                raise
            return self._again(given)

    def _again(self, given: _PendingTask[Task]) -> object:
        """Give out a task once more."""
        del self.given[given.future.key]
        self.give(given.position, given.task, given.attempts + 1)
        return _AGAIN


_AGAIN = object()


def _call(function: Callable[[Task], Result], version: str, task: Task) -> Result:
    """Call a function on a worker, which may have joined after the others were looked at."""
    if version != VERSION:
        raise ClusterError(f"a worker has version {VERSION} of bleu_core, version {version} expected")
    return function(task)


def _local_workers(cluster: str) -> int | None:
    """The workers to start; None if there is a scheduler.

    Raises:
        SettingsError: the name of the cluster means nothing.
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
    """A client of a scheduler.

    Args:
        cluster: as named by the user.
        address: of the scheduler.
        security: its certificates; those of Dask's configuration if None.

    Raises:
        ClusterError: the scheduler does not answer.
    """
    try:
        return dask().Client(address, timeout=SCHEDULER_SECONDS, set_as_default=False, security=security)
    except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
        raise ClusterError(
            f"--cluster {cluster}: no scheduler answers at {address} within {SCHEDULER_SECONDS:g} seconds ({error})"
        ) from None


def _address_in(path: str) -> str:
    """The address in a scheduler file.

    Raises:
        ClusterError: there is none.
    """
    try:
        return str(json.loads(Path(path).read_bytes())["address"])
    except (OSError, ValueError, KeyError, TypeError):
        raise ClusterError(f"--cluster {path}: no address found, a file expected that dask-scheduler wrote") from None


def _check_workers(client: Client, cluster: str) -> None:
    """Check that there are workers, which have the same versions.

    Raises:
        ClusterError: they have not.
    """
    try:
        client.wait_for_workers(1, timeout=WORKER_SECONDS)
    except TimeoutError:
        raise ClusterError(
            f"--cluster {cluster}: the scheduler has no workers after {WORKER_SECONDS:g} seconds; start some"
        ) from None
    expected = np.__version__
    for worker, found in client.run(eval, ITS_VERSIONS, on_error="return").items():
        if isinstance(found, Exception):
            raise _unsuitable(cluster, worker, found)
        if found[0] != VERSION:
            raise ClusterError(
                f"--cluster {cluster}: worker {worker} has version {found[0]} of bleu_core, version {VERSION} expected"
            )
        if _major(found[1]) != _major(expected):
            raise ClusterError(
                f"--cluster {cluster}: worker {worker} has NumPy {found[1]}, NumPy {_major(expected)} expected"
            )


def _unsuitable(cluster: str, worker: str, error: Exception) -> ClusterError:
    """The error about a worker that cannot import what it needs."""
    return ClusterError(
        f"--cluster {cluster}: {worker} cannot import bleu_core and NumPy ({error}); install bleu-dashboard there"
    )


def _lost(cluster: str) -> ClusterError:
    return ClusterError(f"--cluster {cluster}: the connection to the scheduler is lost")


def _major(version: str) -> str:
    return version.partition(".")[0]
