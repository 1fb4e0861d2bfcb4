"""Work that several sessions ask for at the same time is done once; what ends one of them does not end the others."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

import processed
import pytest

from bleu_core.progress import Progress
from bleu_core.standing_processes import StandingProcesses
from dashboard.session import without_page, work
from dashboard.session.cache import Computations, Holding, Results, Scope
from dashboard.session.turns import Turns

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
    monkeypatch.setattr(work, "STEP", 0.005)
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


def ask(compute: Callable[[Progress], object], key: object = "key") -> Any:
    return work.remember("kind", key, compute, doing="Working", what="steps")


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

ALICE, BOB, SERVER = ("alice", "files"), ("bob", "files"), ("", "files")


def asked(scope: Scope, compute: Slow) -> Any:
    """The result of some work for a session with these files, where no page is shown."""
    with without_page(scope):
        return work.remember("kind", "key", compute, doing="Working", what="steps")


def at_once() -> Slow:
    """Work that does not wait."""
    compute = Slow()
    compute.go_on.set()
    return compute


def test_a_session_has_its_own_results_and_those_of_files_of_the_server_are_for_all() -> None:
    compute = at_once()
    for scope in (ALICE, ALICE, BOB, ("alice", "other files"), SERVER, SERVER):
        asked(scope, compute)
    assert compute.begun == 4


def test_what_a_person_typed_is_not_for_all_though_the_files_are(monkeypatch: pytest.MonkeyPatch) -> None:
    compute = at_once()
    monkeypatch.setattr(work, "scope", lambda: SERVER)
    for person in ("alice", "bob", "alice"):
        monkeypatch.setattr(work.st, "session_state", {"held": Holding(key=person)})
        work.remember("kind", "key", compute, doing="Working", what="steps", typed=True)
    assert compute.begun == 2


def test_numbers_are_computed_once_for_all_sessions_at_the_same_time(pool: ThreadPoolExecutor, bars: list[Any]) -> None:
    compute = Slow((1, 2.5))

    def shared() -> Any:
        return work.share("kind", "content", compute, doing="Working", what="steps")

    first = pool.submit(shared)
    assert compute.started.wait(SOON)
    others = [pool.submit(shared) for _ in range(3)]
    wait_for(lambda: len({thread for thread, *_ in bars}) == 4)
    compute.go_on.set()
    assert all(session.result(SOON) is compute.result for session in (first, *others))
    assert compute.begun == 1


def test_a_shared_result_with_a_name_reaches_nobody(pool: ThreadPoolExecutor) -> None:
    compute = Slow({"system": 1.0})
    compute.go_on.set()
    ask_for = partial(work.share, "kind", "content", compute, doing="Working", what="steps")
    for _ in range(2):
        with pytest.raises(TypeError, match="dict found in what all sessions share"):
            pool.submit(ask_for).result(SOON)
    assert (compute.begun, len(work.RESULTS)) == (2, 0)


def test_work_goes_to_another_process_only_while_other_sessions_run(monkeypatch: pytest.MonkeyPatch) -> None:
    aside, turns = StandingProcesses(1), Turns(2, 1)
    monkeypatch.setattr(work, "ASIDE", aside)
    monkeypatch.setattr(work, "TURNS", turns)
    with turns.take(lambda: None):
        assert work.aside(processed.process_of, 1) == os.getpid()
        with turns.take(lambda: None):
            there = work.aside(processed.process_of, 1)
    aside.end_idle()
    assert there != os.getpid()
    assert work.aside(processed.process_of, 1) == os.getpid()
