"""A local Dask cluster: a scheduler in this process, and workers that end with it."""

from __future__ import annotations

import logging
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bleu_core.processes import ENVIRONMENT, MAX_CRASHES

#: The beginning of the names of Dask's worker processes.
WORKER_PREFIX = "Dask Worker"

FOLDER_PREFIX = "bleu-core-cluster-"

#: Seconds between two checks for lost workers.
WORKER_CHECK_SECONDS = 5

#: Seconds to wait for the scheduler to end.
CLOSE_SECONDS = 30

#: Options of Dask: no pages about the state of the cluster, and no results on disk, as there are few at a time.
DASK_OPTIONS: Mapping[str, object] = MappingProxyType(
    {
        "distributed.scheduler.http.routes": [],
        "distributed.worker.http.routes": [],
        "distributed.worker.profile.enabled": False,
        # Dask would return memory to the system after each array, which takes longer than counting.
        "distributed.nanny.pre-spawn-environ": ENVIRONMENT,
        "distributed.worker.memory.target": False,
        "distributed.worker.memory.spill": False,
        "distributed.worker.memory.pause": False,
        "distributed.worker.memory.terminate": False,
    }
)


def dask() -> Any:
    """Return the package distributed, which is only partly typed and takes half a second to load."""
    return import_module("distributed")


@contextmanager
def local_cluster(workers: int) -> Generator[tuple[str, Any]]:
    """Start a cluster; on exit, end it with all its processes and files.

    A client of a scheduler can run any code on its workers, and all users of this machine can reach its ports. All
    connections therefore need a certificate that is created here and that no other process has.

    Args:
        workers: number of processes.

    Yields:
        The address of the scheduler, and the `Security` of its clients.
    """
    _remove_leftovers()
    with (
        _without_main_module(),
        tempfile.TemporaryDirectory(prefix=f"{FOLDER_PREFIX}{os.getpid()}-", ignore_cleanup_errors=True) as folder,
        import_module("dask").config.set({**DASK_OPTIONS, "temporary-directory": folder}),
    ):
        cluster = dask().LocalCluster(
            n_workers=0,  # it would wait for workers without end
            threads_per_worker=1,
            memory_limit=0,
            security=True,
            silence_logs=logging.CRITICAL + 1,
            scheduler_kwargs={
                "allowed_failures": MAX_CRASHES - 1,
                "dashboard": False,
                "dashboard_address": "127.0.0.1:0",
            },
        )
        try:
            cluster.scale(workers)
            with _replacing_lost(cluster, workers):
                yield cluster.scheduler_address, cluster.security
        finally:
            _end_workers(cluster)
            with suppress(OSError):  # the scheduler ends with this process at the latest
                cluster.close(timeout=CLOSE_SECONDS)


@contextmanager
def quiet() -> Generator[None]:
    """Silence Dask's log messages about workers; errors are reported in one sentence instead."""
    dask()  # adds its handlers
    handlers = logging.getLogger("distributed").handlers
    levels = [handler.level for handler in handlers]
    for handler in handlers:
        handler.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for handler, level in zip(handlers, levels, strict=False):
            handler.setLevel(level)


@contextmanager
def _without_main_module() -> Generator[None]:
    """Start workers without the program's main module, which may import too much or start everything again."""
    from multiprocessing import spawn  # not needed without workers, and slow to load

    prepare = spawn.get_preparation_data

    def prepared(name: str) -> dict[str, Any]:
        data = prepare(name)
        if name.startswith(WORKER_PREFIX):
            return {key: value for key, value in data.items() if not key.startswith("init_main")}
        return data

    spawn.get_preparation_data = prepared
    try:
        yield
    finally:
        spawn.get_preparation_data = prepare


@contextmanager
def _replacing_lost(cluster: Any, workers: int) -> Generator[None]:
    """Replace workers that Dask has given up: killed while starting, or often in a short time.

    Dask's own thread checks for them, since the calling thread may be waiting for a result that no worker has any more.
    """
    ended = {dask().Status.closed, dask().Status.failed}

    def replace() -> None:
        for name, nanny in list(cluster.workers.items()):
            if nanny.status in ended:
                del cluster.workers[name]
        cluster.scale(workers)

    checks = import_module("tornado.ioloop").PeriodicCallback(replace, 1000 * WORKER_CHECK_SECONDS)
    cluster.loop.add_callback(checks.start)
    try:
        yield
    finally:
        with suppress(OSError):
            cluster.sync(_done, checks.stop, callback_timeout=CLOSE_SECONDS)


async def _done(function: Callable[[], None]) -> None:
    """Call a function in Dask's thread."""
    function()


def _end_workers(cluster: Any) -> None:
    """Kill the processes at once: Dask would wait for results that are not needed any more."""
    processes = import_module("psutil")
    for nanny in list(cluster.workers.values()):
        nanny.auto_restart = False
        if nanny.pid is None:  # being replaced; psutil would take None for this process
            continue
        with suppress(processes.Error):
            processes.Process(nanny.pid).kill()


def _remove_leftovers() -> None:
    """Remove the folders of processes that have ended."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER_PREFIX}*"):
        match = re.match(rf"{FOLDER_PREFIX}([0-9]+)-", folder.name)
        if match and not import_module("psutil").pid_exists(int(match[1])):
            shutil.rmtree(folder, ignore_errors=True)
