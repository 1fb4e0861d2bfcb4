"""Work that several sessions ask for at the same time is done once; what ends one of them does not end the others."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import processed
import pytest

from bleu_core.persistent_processes import PersistentProcesses
from bleu_core.progress import Progress
from dashboard.session import work
from dashboard.session.cache import Computations, Results, Scope, SessionState
from dashboard.session.turns import Turns

ALICE, BOB, SERVER = Scope("alice", "files"), Scope("bob", "files"), Scope("", "files")

#: Seconds after which a test gives up.
SOON = 20


class StoppedError(Exception):
    """What Streamlit raises where a page draws, once it is to end."""


@pytest.fixture(autouse=True)
def bars(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, str, int, int]]:
    """Empty stores, and what progress bars show: the thread, what is done, how much, and of how much."""
    shown: list[tuple[int, str, int, int]] = []

    class Bar:
        def __init__(self, _: object, doing: str, what: str, **_more: object) -> None:
            self._text = f"{doing}, {what}"

        def show(self, done: int, total: int) -> None:
            shown.append((threading.get_ident(), self._text, done, total))
            if STOPPED.get(threading.get_ident()):
                raise StoppedError

        def empty(self) -> None:
            pass

    STOPPED.clear()
    monkeypatch.setattr(work, "RESULTS", Results(10**6, 600))
    monkeypatch.setattr(work, "COMPUTATIONS", Computations())
    monkeypatch.setattr(work, "PROGRESS_INTERVAL_S", 0.005)
    monkeypatch.setattr(work, "_ProgressBar", Bar)
    return shown


#: Threads that are to end where they draw next.
STOPPED: dict[int, bool] = {}


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    """Threads that stand for sessions."""
    with ThreadPoolExecutor(8) as sessions:
        yield sessions


class Slow:
    """Work that waits until it is allowed to finish, and counts how often it was begun."""

    def __init__(self, result: object = "result") -> None:
        self.result, self.begun = result, 0
        self.started, self.go_on = threading.Event(), threading.Event()
        self.thread = 0

    def __call__(self, progress: Progress) -> object:
        """Report some progress, wait, and report all of it."""
        self.begun += 1
        self.thread = threading.get_ident()
        progress(1, 4)
        self.started.set()
        assert self.go_on.wait(SOON)
        progress(4, 4)
        return self.result


class Asked:
    """Work known by a key alone."""

    def __init__(self, compute: Callable[[Progress], object], key: str = "key") -> None:
        self.compute, self.fingerprint, self.fingerprint_by_position = compute, key, key


@work.cached("Working", "steps")
def cached(progress: Progress, asked: Asked) -> Any:
    return asked.compute(progress)


@work.cached("Working", "steps", typed=True)
def typed(progress: Progress, asked: Asked) -> Any:
    return asked.compute(progress)


@work.shared("Working", "steps")
def shared(progress: Progress, asked: Asked) -> Any:
    return asked.compute(progress)


def ask(compute: Callable[[Progress], object], key: str = "key") -> Any:
    return cached(ALICE, Asked(compute, key))


def wait_for(condition: Callable[[], object]) -> None:
    """Wait until something holds."""
    pause = threading.Event()
    for _ in range(SOON * 100):
        if condition():
            return
        pause.wait(0.01)
    raise TimeoutError


def second_waits(pool: ThreadPoolExecutor, compute: Slow, shown: list[Any]) -> tuple[Future[Any], Future[Any]]:
    """Two sessions that ask for the same work, of which the first has begun and the second waits."""
    first = pool.submit(ask, compute)
    assert compute.started.wait(SOON)
    second = pool.submit(ask, compute)
    wait_for(lambda: any(thread != compute.thread for thread, *_ in shown))
    return first, second


def test_several_sessions_share_one_computation(pool: ThreadPoolExecutor, bars: list[Any]) -> None:
    compute = Slow()
    first, second = second_waits(pool, compute, bars)
    others = [pool.submit(ask, compute) for _ in range(4)]
    compute.go_on.set()
    found = [session.result(SOON) for session in (first, second, *others)]
    assert compute.begun == 1
    assert all(result is compute.result for result in found)
    assert ask(compute) is compute.result
    assert len(work.COMPUTATIONS) == 0


def test_who_waits_sees_the_progress_of_the_one_that_works(pool: ThreadPoolExecutor, bars: list[Any]) -> None:
    compute = Slow()
    first, second = second_waits(pool, compute, bars)
    wait_for(lambda: [shown for shown in bars if shown[0] != compute.thread][-1][1:] == ("Working, steps", 1, 4))
    compute.go_on.set()
    assert first.result(SOON) is second.result(SOON)


def test_when_the_one_that_works_is_stopped_another_takes_over(pool: ThreadPoolExecutor, bars: list[Any]) -> None:
    compute = Slow()
    first, second = second_waits(pool, compute, bars)
    STOPPED[compute.thread] = True
    compute.go_on.set()
    with pytest.raises(StoppedError):
        first.result(SOON)
    assert second.result(SOON) is compute.result
    assert compute.begun == 2
    assert len(work.COMPUTATIONS) == 0


def test_when_the_work_fails_everyone_gets_the_error(pool: ThreadPoolExecutor, bars: list[Any]) -> None:
    slow = Slow()

    def compute(progress: Progress) -> object:
        slow(progress)
        raise ZeroDivisionError

    first = pool.submit(ask, compute)
    assert slow.started.wait(SOON)
    second = pool.submit(ask, compute)
    wait_for(lambda: any(thread != slow.thread for thread, *_ in bars))
    slow.go_on.set()
    for session in (first, second):
        with pytest.raises(ZeroDivisionError):
            session.result(SOON)
    assert len(work.COMPUTATIONS) == 0


def test_who_waits_can_be_stopped_and_the_work_goes_on(pool: ThreadPoolExecutor, bars: list[Any]) -> None:
    compute = Slow()
    first, second = second_waits(pool, compute, bars)
    (waiting,) = {thread for thread, *_ in bars if thread != compute.thread}
    STOPPED[waiting] = True
    with pytest.raises(StoppedError):
        second.result(SOON)
    compute.go_on.set()
    assert first.result(SOON) is compute.result
    assert compute.begun == 1


def test_a_result_too_large_to_be_kept_reaches_those_who_wait(pool: ThreadPoolExecutor, bars: list[Any]) -> None:
    compute = Slow("x" * 2 * 10**6)
    first, second = second_waits(pool, compute, bars)
    compute.go_on.set()
    assert first.result(SOON) is second.result(SOON) is compute.result
    assert compute.begun == 1
    assert len(work.RESULTS) == 0


def test_different_work_does_not_wait(pool: ThreadPoolExecutor) -> None:
    compute = Slow()
    first = pool.submit(ask, compute)
    assert compute.started.wait(SOON)
    assert pool.submit(ask, lambda _: "other", "other key").result(SOON) == "other"
    assert not first.done()
    compute.go_on.set()
    assert first.result(SOON) is compute.result


def test_work_can_ask_for_other_work(pool: ThreadPoolExecutor) -> None:
    inner = Slow("inner")
    inner.go_on.set()
    outer = [pool.submit(ask, lambda _: (ask(inner, "inner"), "outer"), f"outer {n % 2}") for n in range(6)]
    assert {session.result(SOON) for session in outer} == {("inner", "outer")}
    assert inner.begun == 1


# --- whose results ----------------------------------------------------------------------------------------------


def at_once() -> Slow:
    """Work that does not wait."""
    compute = Slow()
    compute.go_on.set()
    return compute


def test_a_session_has_its_own_results_and_those_of_files_of_the_server_are_for_all() -> None:
    compute = at_once()
    for scope in (ALICE, ALICE, BOB, Scope("alice", "other files"), SERVER, SERVER):
        cached(scope, Asked(compute))
    assert compute.begun == 4


def test_data_of_no_session_have_results_of_their_own() -> None:
    compute, data = at_once(), object()
    for scope in (data, data, object(), work.scope(), work.scope()):
        cached(scope, Asked(compute))
    assert compute.begun == 4


def test_what_a_person_typed_is_not_for_all_though_the_files_are(monkeypatch: pytest.MonkeyPatch) -> None:
    compute = at_once()
    monkeypatch.setattr(work, "_is_run", lambda: True)
    for person in ("alice", "bob", "alice"):
        monkeypatch.setattr(work.st, "session_state", {"held": SessionState(key=person)})
        typed(SERVER, Asked(compute))
    assert compute.begun == 2


def test_what_a_person_typed_is_not_kept_for_all_where_no_page_says_who_it_was() -> None:
    compute = at_once()
    for _ in range(2):
        typed(SERVER, Asked(compute))
    assert compute.begun == 2


def test_numbers_are_computed_once_for_all_sessions_at_the_same_time(pool: ThreadPoolExecutor, bars: list[Any]) -> None:
    compute = Slow((1, 2.5))

    first = pool.submit(shared, Asked(compute))
    assert compute.started.wait(SOON)
    others = [pool.submit(shared, Asked(compute)) for _ in range(3)]
    wait_for(lambda: len({thread for thread, *_ in bars}) == 4)
    compute.go_on.set()
    assert all(session.result(SOON) is compute.result for session in (first, *others))
    assert compute.begun == 1


def test_a_shared_result_with_a_name_reaches_nobody(pool: ThreadPoolExecutor) -> None:
    compute = Slow({"system": 1.0})
    compute.go_on.set()
    for _ in range(2):
        with pytest.raises(TypeError, match="dict found in what all sessions share"):
            pool.submit(shared, Asked(compute)).result(SOON)
    assert (compute.begun, len(work.RESULTS)) == (2, 0)


# --- under which keys -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Options:
    """Known by what they hold."""

    draws: int
    names: tuple[str, ...] = ()


class Named:
    """Texts, whose fingerprint has names."""

    fingerprint = "digest", ("Alice's system",)


@work.cached("Adding", "numbers")
def added(_: Progress, first: object, second: object = Options(1), *, third: object = "") -> tuple[object, ...]:
    return first, second, third


def test_arguments_are_the_same_however_they_are_given() -> None:
    of = object()
    found = added(of, "x", Options(1))
    assert found is added(of, "x") is added(of, first="x", second=Options(1), third="")
    assert added(of, "x", Options(2)) is not found
    assert added(of, "x", third=Options(1, ("y",))) is not added(of, "x", third=Options(1, ("z",)))


def test_whether_a_result_is_known_can_be_asked_without_the_work() -> None:
    of = object()
    assert not added.is_known(of, "x")
    added(of, "x")
    assert added.is_known(of, "x")
    assert not added.is_known(of, "y")
    assert not added.is_known(object(), "x")


@pytest.mark.parametrize("value", [np.zeros(2), [1], {}, object(), (object(),), Asked], ids=range(6))
def test_what_is_not_known_by_what_it_holds_is_refused(value: object) -> None:
    if value is Asked:
        value = lambda: None  # noqa: E731 # a function, which may hold anything
    with pytest.raises(TypeError):
        added(object(), value)


def test_none_is_a_result_that_is_kept() -> None:
    compute = at_once()
    compute.result = None
    assert ask(compute) is ask(compute) is None
    assert compute.begun == 1


def test_a_fingerprint_with_names_is_refused_in_what_all_sessions_share() -> None:
    assert added(object(), Named())
    counted = work.shared("Adding", "numbers")(lambda _, __: 1)
    with pytest.raises(TypeError, match="Named found in the key of what all sessions share, which may have names"):
        counted(Named())
    assert counted(Options(1)) == 1


def test_work_goes_to_another_process_only_while_other_sessions_run(monkeypatch: pytest.MonkeyPatch) -> None:
    aside, turns = PersistentProcesses(1), Turns(2, 1)
    monkeypatch.setattr(work, "WORKER_PROCESSES", aside)
    monkeypatch.setattr(work, "TURNS", turns)
    with turns.take(lambda: None):
        assert work.offload(processed.process_of, 1) == os.getpid()
        with turns.take(lambda: None):
            there = work.offload(processed.process_of, 1)
    aside.end_idle()
    assert there != os.getpid()
    assert work.offload(processed.process_of, 1) == os.getpid()
