"""Tasks on a Dask cluster: local workers, workers that die, and what people are told when it cannot be used."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
from cluster_tasks import StoppedError, end_worker, modules, process, refuse, square, unreadable, unreadable_at_first

from bleu_core.counts import ClusterError, ClusterRun, open_cluster, run_on_cluster
from bleu_core.counts import cluster as cluster_module
from bleu_core.errors import BleuCoreError, SettingsError

#: Seconds.
PATIENCE = 60


@pytest.fixture(scope="module")
def cluster() -> Iterator[ClusterRun]:
    with open_cluster("local:2") as run:
        yield run


def client(cluster: ClusterRun) -> Any:
    return cluster._client  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]


def address(cluster: ClusterRun) -> str:
    return client(cluster).scheduler.address


@pytest.fixture
def certificates(cluster: ClusterRun) -> Iterator[None]:
    """Those of the cluster, as Dask's configuration would name them to another process."""
    held = client(cluster).security
    names = {"ca-file": held.tls_ca_file, "client.key": held.tls_client_key, "client.cert": held.tls_client_cert}
    with import_module("dask").config.set({f"distributed.comm.tls.{name}": text for name, text in names.items()}):
        yield


async def identity(where: str, context: ssl.SSLContext | None) -> dict[str, Any]:
    """What a scheduler or a worker says of itself to whoever connects."""
    comm = await import_module("distributed.comm").connect(where, timeout=5, ssl_context=context)
    try:
        await comm.write({"op": "identity", "reply": True})
        return await comm.read()
    finally:
        comm.abort()


def ask(where: str, context: ssl.SSLContext | None) -> dict[str, Any]:
    """Return the identity, asked for in a thread: the browser's tests leave an event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(identity(where, context))).result()


def test_only_who_has_its_certificate_reaches_a_local_cluster(cluster: ClusterRun) -> None:
    held = client(cluster).security.get_connection_args("client")["ssl_context"]
    made = import_module("distributed").Security.temporary().get_connection_args("client")["ssl_context"]
    none = ssl.create_default_context()
    none.check_hostname, none.verify_mode = False, ssl.CERT_NONE
    for where in (address(cluster), *client(cluster).nthreads()):
        assert "type" in ask(where, held)
        for reached, context in ((where, made), (where, none), (where.replace("tls://", "tcp://"), None)):
            with pytest.raises(OSError, match=r"certificate|reset|closed|alert"):
                ask(reached, context)


def test_every_task_has_one_result_at_its_position(cluster: ClusterRun) -> None:
    assert sorted(cluster(square, range(200))) == [(n, n * n) for n in range(200)]
    assert list(cluster(square, [])) == []


def test_both_workers_have_tasks(cluster: ClusterRun) -> None:
    assert cluster.workers == 2
    assert len(set(dict(cluster(process, [0.1] * 8)).values())) == 2


@pytest.mark.slow
def test_tasks_are_taken_as_they_are_needed(cluster: ClusterRun) -> None:
    taken = 0

    def tasks() -> Iterator[int]:
        nonlocal taken
        for n in range(300):
            taken = n + 1
            yield n

    ahead = [taken - done for done, _ in enumerate(cluster(square, tasks()), 1)]
    assert max(ahead) <= 2 * cluster_module.TASKS_PER_THREAD


def test_workers_import_neither_pandas_nor_scipy(cluster: ClusterRun) -> None:
    ((_, found),) = cluster(modules, [0])
    packages = {name.partition(".")[0] for name in found}
    assert "numpy" in packages
    assert not packages & {"pandas", "scipy", "sacrebleu", "pyarrow", "streamlit", "plotly", "dashboard", "lxml"}


@pytest.mark.slow
def test_a_program_needs_no_guard_and_its_imports_are_not_those_of_the_workers(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import pandas\nfrom cluster_tasks import modules\nfrom bleu_core.counts import run_on_cluster\n"
        "((_, found),) = run_on_cluster(modules, [0], cluster='local:1')\nprint('pandas' in found)\n"
    )
    path = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    run = subprocess.run(
        [sys.executable, str(program)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert (run.stdout, run.stderr) == ("False\n", "")


def test_an_error_of_the_function_is_raised_as_it_is(cluster: ClusterRun) -> None:
    with pytest.raises(ValueError, match=r"^2 is refused$"):
        list(cluster(refuse, range(5)))
    assert len(list(cluster(square, range(5)))) == 5


def test_a_file_that_cannot_be_read_for_a_moment_is_read_again(cluster: ClusterRun, tmp_path: Path) -> None:
    assert list(cluster(unreadable_at_first, [str(tmp_path)])) == [(0, 1)]
    with pytest.raises(FileNotFoundError, match="gone"):
        list(cluster(unreadable, [0]))


def test_a_killed_worker_changes_nothing(cluster: ClusterRun) -> None:
    results: dict[int, int] = {}
    given = 0

    def tasks() -> Iterator[float]:
        nonlocal given
        deadline = time.monotonic() + PATIENCE  # a process takes a while to start on a machine that has much to do
        while given < 40 or (len(set(results.values())) < 3 and time.monotonic() < deadline):
            given += 1
            yield 0.1

    for position, pid in cluster(process, tasks()):
        assert position not in results
        results[position] = pid
        if len(results) == 6:
            os.kill(pid, signal.SIGKILL)
    assert sorted(results) == list(range(given))
    assert len(set(results.values())) == 3  # another process has taken its place


@pytest.mark.slow
def test_a_task_on_which_workers_die_is_named(cluster: ClusterRun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "MAX_ATTEMPTS", 1)
    with pytest.raises(ClusterError, match=r"--cluster local:2: all workers that had task 1 died; see"):
        list(cluster(end_worker, [2]))
    assert len(list(cluster(square, range(5)))) == 5


@pytest.mark.slow  # nine workers die
def test_only_the_task_on_which_workers_die_is_named(cluster: ClusterRun) -> None:
    with pytest.raises(ClusterError, match=r"--cluster local:2: all workers that had task 3 died; see"):
        list(cluster(end_worker, [1, 1, 2]))
    assert len(list(cluster(square, range(5)))) == 5


def test_a_callback_that_raises_ends_the_work(cluster: ClusterRun) -> None:
    calls: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> None:
        calls.append((done, total))
        if done == 3:
            raise StoppedError

    with pytest.raises(StoppedError):
        list(cluster(square, range(100), total=100, progress=stop))
    assert sorted({done for done, _ in calls} - {0}) == [1, 2, 3]
    assert {total for _, total in calls} == {100}
    assert len(list(cluster(square, range(5)))) == 5


def test_a_worker_without_a_process_is_not_taken_for_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int | None] = []
    monkeypatch.setattr(psutil, "Process", ended.append)
    nanny = SimpleNamespace(pid=None, auto_restart=True)
    module = import_module("bleu_core.counts.local_cluster")  # whose function of this name is not meant
    module._end_workers(SimpleNamespace(workers={0: nanny}))  # noqa: SLF001
    assert ended == []
    assert not nanny.auto_restart


def test_a_cluster_without_workers_is_given_up_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    threads = {"tcp://a": 3}
    stub = SimpleNamespace(nthreads=lambda: threads, sync=lambda function, **_: function())
    run = ClusterRun(stub, "tcp://b")
    assert run.workers == 3
    threads = {}
    for _ in range(9):  # 54 seconds
        now += 6
        assert run.workers == 1
    threads = {"tcp://c": 2}
    now += 5
    assert run.workers == 2
    threads = {}
    now += 500  # nobody looked
    assert run.workers == 1
    for _ in range(10):
        now += 6
        assert run.workers == 1
    now += 6
    with pytest.raises(
        ClusterError, match="--cluster tcp://b: no worker is left; start workers, then start the program again"
    ):
        _ = run.workers


@pytest.fixture
def quick_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for lost tasks soon, and give up soon."""
    monkeypatch.setattr(cluster_module, "STALL_SECONDS", 0.3)
    monkeypatch.setattr(cluster_module, "PROGRESS_SECONDS", 0.1)


def lose_callback(_: ClusterRun, monkeypatch: pytest.MonkeyPatch, times: list[None]) -> None:
    """Call no function when a result has arrived."""
    future = import_module("distributed").Future
    original = future.add_done_callback
    monkeypatch.setattr(
        future, "add_done_callback", lambda self, function: times.pop() if times else original(self, function)
    )


def lose_request(cluster: ClusterRun, monkeypatch: pytest.MonkeyPatch, times: list[None]) -> None:
    """Do not tell the scheduler of a task, as if it had been released."""
    original = client(cluster).submit

    def submit(*arguments: Any, **named: Any) -> Any:
        if not times:
            return original(*arguments, **named)
        times.pop()
        return import_module("distributed").Future(named["key"], client(cluster))

    monkeypatch.setattr(client(cluster), "submit", submit)


def lose_messages(operation: str, monkeypatch: pytest.MonkeyPatch, times: list[None]) -> None:
    """Send no message of a kind from the scheduler, which runs in this process."""
    scheduler = import_module("distributed").Scheduler
    original = scheduler.send_all

    def without(messages: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
        kept: dict[str, list[dict[str, Any]]] = {}
        for where, listed in messages.items():
            for message in listed:
                if times and message["op"] == operation and "bleu-core" in str(message["key"]):
                    times.pop()
                else:
                    kept.setdefault(where, []).append(message)
        return kept

    def send_all(self: Any, client_msgs: dict[str, Any], worker_msgs: dict[str, Any]) -> None:
        original(self, without(client_msgs), without(worker_msgs))

    monkeypatch.setattr(scheduler, "send_all", send_all)


def lose_assignment(_: ClusterRun, monkeypatch: pytest.MonkeyPatch, times: list[None]) -> None:
    """Do not tell the worker of a task."""
    lose_messages("compute-task", monkeypatch, times)


def lose_report(_: ClusterRun, monkeypatch: pytest.MonkeyPatch, times: list[None]) -> None:
    """Do not tell the client that a task is finished."""
    lose_messages("key-in-memory", monkeypatch, times)


@pytest.mark.usefixtures("quick_checks")
@pytest.mark.parametrize("lose", [lose_callback, lose_request, lose_assignment, lose_report])
def test_a_lost_message_changes_nothing(
    cluster: ClusterRun,
    monkeypatch: pytest.MonkeyPatch,
    lose: Callable[[ClusterRun, pytest.MonkeyPatch, list[None]], None],
) -> None:
    times: list[None] = [None]
    lose(cluster, monkeypatch, times)
    assert sorted(cluster(square, range(9))) == [(n, n * n) for n in range(9)]
    assert times == []


@pytest.mark.usefixtures("quick_checks")
def test_a_task_that_is_lost_again_and_again_is_named(cluster: ClusterRun, monkeypatch: pytest.MonkeyPatch) -> None:
    lose_request(cluster, monkeypatch, [None] * cluster_module.MAX_ATTEMPTS)
    with pytest.raises(ClusterError, match=r"--cluster local:2: the scheduler or a worker lost task 1 3 times; see"):
        list(cluster(square, [7]))
    assert list(cluster(square, [7])) == [(0, 49)]


@pytest.mark.usefixtures("quick_checks")
def test_long_tasks_and_those_that_wait_behind_them_are_not_disturbed(
    cluster: ClusterRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def counted(name: str) -> Callable[..., Any]:
        method = getattr(client(cluster), name)

        def call(*arguments: Any, **named: Any) -> Any:
            calls.append(name)
            return method(*arguments, **named)

        return call

    for name in ("submit", "run_on_scheduler"):
        monkeypatch.setattr(client(cluster), name, counted(name))
    assert len(list(cluster(process, [1] * 4))) == 4
    assert calls.count("submit") == 4
    assert calls.count("run_on_scheduler") > 2


def test_a_task_is_lost_if_nobody_works_on_it_although_somebody_could() -> None:
    def places(*processing: int) -> dict[str, str]:
        tasks = {
            state: SimpleNamespace(state=state) for state in ("queued", "no-worker", "waiting", "released", "memory")
        }
        tasks["processing"] = SimpleNamespace(state="processing", processing_on=SimpleNamespace(address="tcp://a"))
        scheduler = SimpleNamespace(tasks=tasks, running=[SimpleNamespace(processing=range(n)) for n in processing])
        return cluster_module._places([*tasks, "forgotten"], scheduler)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]

    nowhere = dict.fromkeys(("waiting", "released", "memory", "forgotten"), "lost") | {"processing": "tcp://a"}
    assert places(1, 2) == nowhere | {"queued": "queued", "no-worker": "queued"}
    assert places(1, 0) == nowhere | {"queued": "lost", "no-worker": "lost"}
    assert places() == nowhere | {"queued": "no worker", "no-worker": "no worker"}


def test_a_scheduler_that_answers_no_more_ends_the_work(cluster: ClusterRun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "ANSWER_SECONDS", 0.2)
    silent = ClusterRun(client(cluster), "tcp://b")
    with monkeypatch.context() as patch:
        patch.setattr(client(cluster), "nthreads", partial(asyncio.sleep, PATIENCE))
        with pytest.raises(
            ClusterError, match=r"--cluster tcp://b: the scheduler has not answered for 0.2 seconds; check that it runs"
        ):
            list(silent(square, [1]))
    monkeypatch.undo()
    assert list(silent(square, [1])) == [(0, 1)]


@pytest.mark.usefixtures("quick_checks")
@pytest.mark.parametrize("method", ["run_on_scheduler", "nthreads"])
def test_a_scheduler_that_answers_no_more_while_it_has_tasks_ends_the_work(
    cluster: ClusterRun, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    lose_request(cluster, monkeypatch, [None])
    for name, seconds in (("ANSWER_SECONDS", 1), ("WORKER_COUNT_SECONDS", 0)):
        monkeypatch.setattr(cluster_module, name, seconds)
    started = time.monotonic()

    def stop(*_: object) -> Any:
        return asyncio.sleep(PATIENCE if time.monotonic() > started + 0.2 else 0, {"tcp://a": 1})

    monkeypatch.setattr(client(cluster), method, stop)
    with pytest.raises(ClusterError, match=r"the scheduler has not answered for 1 seconds"):
        list(cluster(square, [1]))


@pytest.mark.usefixtures("quick_checks")
def test_results_that_cannot_be_fetched_are_computed_again(
    cluster: ClusterRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_module, "ANSWER_SECONDS", 1.5)
    connected = client(cluster)
    fetched, gather = connected._gather_remote, []  # noqa: SLF001

    async def remote(*arguments: Any) -> Any:
        gather.append(None)
        if len(gather) <= 2:  # with the others, and alone
            connected._gather_keys = connected._gather_future = None  # noqa: SLF001
            await asyncio.sleep(PATIENCE)
        return await fetched(*arguments)

    monkeypatch.setattr(connected, "_gather_remote", remote)
    assert list(cluster(square, [3])) == [(0, 9)]
    assert len(gather) == 3


def test_a_scheduler_that_accepts_connections_but_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "SCHEDULER_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        where = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(ClusterError, match=rf"no scheduler answers at {where} within 0.5 seconds"):
            list(run_on_cluster(square, [1], cluster=where))


def test_workers_that_do_not_start_end_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "START_SECONDS", 0.5)
    monkeypatch.setattr(import_module("distributed").LocalCluster, "scale", lambda *_: None)
    with pytest.raises(ClusterError, match=r"--cluster local:1: the workers have not started after 0.5 seconds; use"):
        list(run_on_cluster(square, [1], cluster="local:1"))


@pytest.mark.slow
def test_folders_of_killed_processes_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left = tmp_path / "bleu-core-cluster-4194400-abc"
    (left / "dask-scratch-space").mkdir(parents=True)
    assert dict(run_on_cluster(square, [3], cluster="local:1")) == {0: 9}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("certificates")
def test_a_scheduler_is_found_by_its_address_and_by_its_file(cluster: ClusterRun, tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    file.write_text(json.dumps({"address": address(cluster)}))
    for where in (address(cluster), str(file)):
        assert dict(run_on_cluster(square, [3, 4], cluster=where)) == {0: 9, 1: 16}
    assert dict(cluster(square, [5])) == {0: 25}


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        ("local:0", "--cluster local:0: '0' found, a number of workers expected, as in local:4"),
        ("local:", "--cluster local:: '' found, a number of workers expected, as in local:4"),
        ("nowhere.json", "--cluster nowhere.json: no such file; expected are local, local:N, the address"),
    ],
)
def test_other_names_of_clusters_are_refused(where: str, sentence: str) -> None:
    with pytest.raises(SettingsError) as caught:
        list(run_on_cluster(square, [1], cluster=where))
    assert str(caught.value).startswith(sentence)


def test_a_file_without_an_address_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    file.write_text("{}")
    with pytest.raises(ClusterError, match="no address found, a file written by dask-scheduler expected"):
        list(run_on_cluster(square, [1], cluster=str(file)))


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "SCHEDULER_SECONDS", 0.5)
    with pytest.raises(ClusterError, match=r"no scheduler answers at tcp://127.0.0.1:9 within 0.5 seconds"):
        list(run_on_cluster(square, [1], cluster="tcp://127.0.0.1:9"))


def test_without_dask_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for missing, name in (("distributed", "Dask"), ("cryptography", "cryptography")):
        monkeypatch.setattr(
            cluster_module, "find_spec", lambda asked, missing=missing: None if asked == missing else asked
        )
        with pytest.raises(
            ClusterError, match=rf'{name}, which is not installed; install it with pip install "bleu-da'
        ):
            list(run_on_cluster(square, [1], cluster="local:1"))


@pytest.mark.usefixtures("certificates")
def test_workers_with_another_version_are_refused(cluster: ClusterRun, monkeypatch: pytest.MonkeyPatch) -> None:
    where = address(cluster)
    for name, value, sentence in (
        ("VERSION", "0.0.1", r"has version [0-9.]+ of bleu_core, version 0\.0\.1 expected"),
        ("np", SimpleNamespace(__version__="99.1.0"), r"has NumPy [0-9.]+, NumPy 99 expected"),
        ("VERSIONS_EXPRESSION", "__import__('no_such_package')", "cannot import bleu_core and NumPy"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(cluster_module, name, value)
            with pytest.raises(ClusterError, match=sentence) as caught:
                list(run_on_cluster(square, [1], cluster=where))
            assert isinstance(caught.value, BleuCoreError)


@pytest.mark.usefixtures("certificates")
def test_a_scheduler_without_the_package_is_refused(cluster: ClusterRun, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise ModuleNotFoundError("No module named 'bleu_core'")

    monkeypatch.setattr(import_module("distributed").Client, "run_on_scheduler", fail)
    with pytest.raises(ClusterError, match=r"the scheduler cannot import bleu_core and NumPy \(No module .*install"):
        list(run_on_cluster(square, [1], cluster=address(cluster)))


def test_a_worker_that_joins_later_is_checked_with_its_tasks(cluster: ClusterRun) -> None:
    call = partial(cluster_module._call, square, "0.0.1")  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    with pytest.raises(ClusterError, match=r"a worker has version [0-9.]+ of bleu_core, version 0\.0\.1 expected"):
        list(cluster(call, [1]))
