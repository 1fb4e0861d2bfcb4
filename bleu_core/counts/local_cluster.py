"""A Dask cluster on this machine: a scheduler in this process and workers that end with it."""

from __future__ import annotations

import logging
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from multiprocessing import spawn
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bleu_core.processes import ENVIRONMENT, MAX_CRASHES

#: How Dask names the processes of its workers.
WORKERS_NAMED = "Dask Worker"

FOLDER = "bleu-core-cluster-"

#: Seconds between two looks for workers that are lost.
LOOK_SECONDS = 5

#: No pages about the state of the cluster, and no results on disks: there are few results at a time.
QUIET: Mapping[str, object] = MappingProxyType(
    {
        "distributed.scheduler.http.routes": [],
        "distributed.worker.http.routes": [],
        "distributed.worker.profile.enabled": False,
        # Dask would have memory given back to the system after each array, which takes longer than counting.
        "distributed.nanny.pre-spawn-environ": ENVIRONMENT,
        "distributed.worker.memory.target": False,
        "distributed.worker.memory.spill": False,
        "distributed.worker.memory.pause": False,
        "distributed.worker.memory.terminate": False,
    }
)


def dask() -> Any:
    """The package distributed, whose types are known in part; it takes half a second to load."""
    return import_module("distributed")


@contextmanager
def local_cluster(workers: int) -> Generator[tuple[str, Any]]:
    """Start a cluster, and end it with all its processes and files.

    Whoever connects to a scheduler can have its workers run any code, and every user of this machine reaches its ports.
    So all connections need a certificate that is made here and that no other process has.

    Args:
        workers: how many processes.

    Yields:
        The address of its scheduler, and the `Security` of its clients.
    """
    _remove_leftovers()
    with (
        _without_main_module(),
        tempfile.TemporaryDirectory(prefix=f"{FOLDER}{os.getpid()}-", ignore_cleanup_errors=True) as folder,
        import_module("dask").config.set({**QUIET, "temporary-directory": folder}),
        dask().LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=0,
            security=True,
            silence_logs=logging.CRITICAL + 1,
            scheduler_kwargs={
                "allowed_failures": MAX_CRASHES - 1,
                "dashboard": False,
                "dashboard_address": "127.0.0.1:0",
            },
        ) as cluster,
    ):
        try:
            with _replacing_lost(cluster, workers):
                yield cluster.scheduler_address, cluster.security
        finally:
            _end_workers(cluster)


@contextmanager
def quiet() -> Generator[None]:
    """Keep what Dask logs about workers from people, who are told in a sentence."""
    dask()  # its handlers are there from now on
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
    """Start workers without the main module of the program: it may import what they do not need, or start all again."""
    prepare = spawn.get_preparation_data

    def prepared(name: str) -> dict[str, Any]:
        found = prepare(name)
        if name.startswith(WORKERS_NAMED):
            return {key: value for key, value in found.items() if not key.startswith("init_main")}
        return found

    spawn.get_preparation_data = prepared
    try:
        yield
    finally:
        spawn.get_preparation_data = prepare


@contextmanager
def _replacing_lost(cluster: Any, workers: int) -> Generator[None]:
    """Start workers in place of those that Dask has given up: killed while starting, or often in a short time.

    Dask's own thread looks for them, since the calling one may be waiting for a result that no worker has any more.
    """
    ended = {dask().Status.closed, dask().Status.failed}

    def replace() -> None:
        for name, nanny in list(cluster.workers.items()):
            if nanny.status in ended:
                del cluster.workers[name]
        cluster.scale(workers)

    looks = import_module("tornado.ioloop").PeriodicCallback(replace, 1000 * LOOK_SECONDS)
    cluster.loop.add_callback(looks.start)
    try:
        yield
    finally:
        cluster.sync(_done, looks.stop)


async def _done(function: Callable[[], None]) -> None:
    """Call a function in Dask's thread."""
    function()


def _end_workers(cluster: Any) -> None:
    """End the processes at once: what they still do is of no use any more, and Dask would wait for it."""
    processes = import_module("psutil")
    for nanny in list(cluster.workers.values()):
        nanny.auto_restart = False
        if nanny.pid is None:  # a worker that is being replaced; to psutil None would be this process
            continue
        with suppress(processes.Error):
            processes.Process(nanny.pid).kill()


def _remove_leftovers() -> None:
    """Remove the folders of processes that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER}*"):
        found = re.match(rf"{FOLDER}([0-9]+)-", folder.name)
        if found and not import_module("psutil").pid_exists(int(found[1])):
            shutil.rmtree(folder, ignore_errors=True)
