"""What the server keeps: results within bounds of bytes and time, and a session's files until it has ended."""

from __future__ import annotations

import gc
import sys
import threading
import tracemalloc
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pages import APP, load, upload, visit
from streamlit.testing.v1 import AppTest

from bleu_core.inference import Interval
from bleu_core.project import ReportText
from bleu_core.scoring import evaluate
from bleu_core.uploads import File, assemble
from dashboard.session import files, work
from dashboard.session.cache import (
    Private,
    RemovedFile,
    Results,
    SessionState,
    SessionStore,
    Shared,
    UndoSnapshot,
    size,
)


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """The time in seconds."""
        return self.now


# --- results ----------------------------------------------------------------------------------------------------


def test_results_stay_below_their_bound_and_the_least_recently_used_go_first() -> None:
    results = Results(100_000, 600)
    for k in range(5):
        results.keep(k, np.zeros(3000))  # 24,000 bytes each, so that four fit
        assert results.get(0) is not None  # used again and again
        assert results.bytes <= 100_000
    assert [k for k in range(5) if results.get(k) is not None] == [0, 2, 3, 4]


def test_a_result_larger_than_the_bound_is_not_kept_and_drives_no_other_out() -> None:
    results = Results(100_000, 600)
    results.keep("small", np.zeros(100))
    results.keep("large", np.zeros(100_000))
    assert results.get("large") is None
    assert results.get("small") is not None


def test_a_result_is_dropped_some_time_after_its_last_use() -> None:
    clock = Clock()
    results = Results(10**6, 600, clock)
    kept = {name: np.zeros(3) for name in ("used", "unused")}
    gone = weakref.ref(kept["unused"])
    results.keep("used", kept.pop("used"))
    results.keep("unused", kept.pop("unused"))
    clock.now = 500
    assert results.get("used") is not None
    clock.now = 700
    results.drop_unused()
    assert gone() is None
    assert results.get("used") is not None
    clock.now = 1301
    results.drop_unused()
    assert (len(results), results.bytes) == (0, 0)


def test_many_threads_do_not_disturb_the_count_of_bytes() -> None:
    results = Results(50_000, 600)
    together = threading.Barrier(8)

    def use(thread: int) -> None:
        together.wait()
        for k in range(2000):
            key = (k * thread) % 37
            found = results.get(key)
            if found is None:
                results.keep(key, np.full(key * 20, key))
            else:
                assert (found == key).all()
            results.drop_unused()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(use, range(8)))
    left = [found for key in range(37) if (found := results.get(key)) is not None]
    assert results.bytes == sum(map(size, left)) <= 50_000


# --- what all sessions share ------------------------------------------------------------------------------------


def plain(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A function of a module, as the score of a metric is."""
    return values


def holding(name: str) -> Callable[[], str]:
    """A function that holds a name."""
    return lambda: name


@dataclass(frozen=True)
class Named:
    """Numbers with a name."""

    array: np.ndarray[Any, Any]
    name: str = ""


NUMBERS = {
    "an array": np.arange(3),
    "truth values": np.ones(2, np.bool_),
    "a number of NumPy": np.float64(1.5),
    "nothing": None,
    "tuples": (1, 2.5, (True, None, np.zeros(2))),
    "a dataclass of numbers": Interval(1.0, 2.0, 0.95),
    "a function of a module": plain,
}

NAMES = {
    "a text": "alice.txt",
    "bytes": b"text",
    "a path": Path("alice.txt"),
    "a table": pd.DataFrame({"system": ["A"]}),
    "a column": pd.Series([1.0], name="alice"),
    "a mapping": {"A": 1.0},
    "a list": [1.0],
    "a set": {1.0},
    "an array of objects": np.array(["A", None], object),
    "an array of texts": np.array(["A"]),
    "an array of bytes": np.array([b"A"]),
    "an array with names": np.zeros(2, [("alice", "f8")]),
    "an array of another class": np.ma.masked_array([1.0], fill_value=0),
    "a text in a tuple": (1, (2.0, "A")),
    "a dataclass with a name": Named(np.zeros(2)),
    "a class": Named,
    "a function with a name in it": holding("alice"),
    "a method": "alice".upper,
    "a partial function": partial(holding, "alice"),
    "a generator": (name for name in ["alice"]),
}


@pytest.mark.parametrize("value", NUMBERS.values(), ids=NUMBERS)
def test_numbers_can_be_shared(value: object) -> None:
    results = Results(10**6, 600)
    results.keep(Shared("kind", "content"), value)
    assert results.get(Shared("kind", "content")) is value


@pytest.mark.parametrize("value", NAMES.values(), ids=NAMES)
def test_what_may_hold_a_name_cannot_be_shared_but_a_session_can_keep_it(value: object) -> None:
    results = Results(10**6, 600)
    with pytest.raises(TypeError, match="in what all sessions share, numbers expected"):
        results.keep(Shared("kind", "content"), value)
    assert len(results) == 0
    results.keep(Private("owner", "files", "kind", "content"), value)
    assert results.get(Private("owner", "files", "kind", "content")) is value


def test_no_session_can_change_numbers_that_are_shared() -> None:
    array = np.zeros(3)
    Results(10**6, 600).keep(Shared("kind", "content"), (1, array))
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


def test_results_go_with_their_owner_and_those_without_one_stay() -> None:
    results = Results(10**6, 600)
    owners = ("gone", "there", "")
    keys = (*(Private(owner, "files", "kind", 1) for owner in owners), Shared("kind", 1))
    for key in keys:
        results.keep(key, 1)
    results.keep_only_of({"", "there"})
    assert [results.get(key) for key in keys] == [None, 1, 1, 1]


# --- estimates --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class WithParts:
    """Something that computes a part of itself once."""

    array: np.ndarray[Any, Any]

    @cached_property
    def twice(self) -> np.ndarray[Any, Any]:
        """As large as the array itself."""
        return self.array * 2


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.zeros((100, 100)), 80_000),
        (np.zeros((100, 100))[:1], 80_000),  # a view keeps all of it
        (pd.DataFrame({"x": np.zeros(10_000)}), 80_000),
        (["é" * 1000] * 50, sys.getsizeof("é" * 1000)),  # one text, fifty times
        (tuple(f"{k:01000}" for k in range(10_000)), 10_000 * sys.getsizeof("x" * 1000)),
        (MappingProxyType({k: np.zeros(1000) for k in range(500)}), 500 * 8000),
        ([{"x": (b"y" * 10_000,)}], 10_000),
    ],
    ids=["array", "view", "table", "repeated", "texts", "mapping", "nested"],
)
def test_sizes_are_near_to_what_the_parts_take(value: object, expected: int) -> None:
    assert expected <= size(value) <= 1.2 * expected + 2000


def test_what_was_computed_once_is_part_of_the_size() -> None:
    value = WithParts(np.zeros(10_000))
    before = size(value)
    assert value.twice.nbytes == 80_000
    assert size(value) - before == pytest.approx(80_000, rel=0.01)


def test_sizes_of_workspaces_and_counts_are_near_to_what_tracemalloc_finds() -> None:
    lines = ["".join(f"w{(k * n) % 997} " for n in range(20)) for k in range(4000)]
    data = [("\n".join(lines[k:] + lines[:k]) + "\n").encode() for k in range(5)]

    def of(make: Callable[[], object]) -> tuple[int, int]:
        gc.collect()
        tracemalloc.start()
        made = make()
        gc.collect()
        found = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        return size(made), found

    files = [File(f"s{k}.txt", given, "system" if k else "reference") for k, given in enumerate(data)]
    evaluate(assemble(files).corpus)  # what is loaded and made once is no part of it
    estimate, found = of(lambda: assemble([replace(file) for file in files]))  # files that have not been read
    assert estimate - sum(map(len, data)) == pytest.approx(found, rel=0.3)  # the files were there before
    corpus = assemble(files).corpus
    estimate, found = of(lambda: evaluate(corpus))
    assert estimate == pytest.approx(found, rel=0.3)


def test_a_class_takes_next_to_nothing() -> None:
    assert size((File, size)) < 10_000


def test_what_others_hold_is_not_counted() -> None:
    held = File("a.txt", b"x" * 100_000, "system")
    assert size((held, "y" * 1000)) > 100_000
    assert 1000 < size((held, "y" * 1000), without=File) < 2000


def test_what_refers_to_itself_has_a_size() -> None:
    value: list[object] = [1]
    value.append(value)
    assert 0 < size(value) < 1000


# --- files of sessions ------------------------------------------------------------------------------------------


BOUND = 10**6


def kept(store: SessionStore, session: str, size_of_file: int = 1) -> SessionState:
    """The state of a session with a file."""
    holding = store.create(session)
    holding.files = (File("a.txt", b"x" * size_of_file + b"\n", "system"),)
    return holding


def nobody(session: str) -> bool:
    """Who is connected."""
    del session
    return False


def test_files_of_an_ended_session_are_dropped_and_those_of_others_stay() -> None:
    clock = Clock()
    store = SessionStore(600, BOUND, clock)
    held = {name: kept(store, name) for name in ("stays", "ends", "comes back")}
    for holding in held.values():
        holding.fitted = {holding.scope.files: assemble(holding.files)}
    for clock.now in range(0, 1000, 30):
        connected = {"stays", "comes back"} if clock.now > 500 else {"stays"}
        if clock.now == 0:
            connected = set(held)
        ended = store.drop_ended(connected.__contains__)
        assert ended == (["ends"] if clock.now == 630 else [])
    assert [name for name in held if held[name].files] == ["stays", "comes back"]
    assert held["ends"].fitted == {}
    assert [store.has(holding) for holding in held.values()] == [True, False, True]


def test_a_session_without_anything_of_its_own_is_forgotten_once_it_cannot_come_back() -> None:
    clock = Clock()
    store = SessionStore(1800, BOUND, clock)
    store.reconnection = 120
    bare, opened, noted = store.create("bare"), kept(store, "opened"), store.create("noted")
    opened.opened = opened.files
    noted.notes["text"] = {1: "note"}
    ignoring = kept(store, "ignoring")
    ignoring.opened, ignoring.ignored_alerts = ignoring.files, frozenset({("digest", "ref")})
    clock.now = 121
    assert store.drop_ended(nobody) == ["bare", "opened"]
    assert not store.has(bare)
    assert noted.notes


def test_a_reload_takes_over_the_files_the_notes_the_ignored_alerts_and_the_key() -> None:
    clock = Clock()
    store = SessionStore(1800, BOUND, clock)
    store.reconnection = 120
    before = kept(store, "before")
    before.removed = (RemovedFile(before.files[0]),)
    before.notes["text"] = {1: "note"}
    before.ignored_alerts = frozenset({("digest", "ref")})
    before.report = ReportText(heading="For the board")
    before.before = UndoSnapshot(
        name="w", opened=before.files, files=(), dataset="sample", controls={}, notes=(), report=ReportText()
    )
    key, after = before.key, store.create("after")
    assert store.restore(key, after, {"after"}.__contains__)
    assert (after.key, after.files, after.removed, after.notes) == (key, before.files, before.removed, before.notes)
    assert after.ignored_alerts == {("digest", "ref")}
    assert (after.report, after.before) == (before.report, before.before)
    assert after.before is not None
    assert after.before.opened is after.files  # so that opening can be undone
    assert before.key != key
    clock.now = 121
    assert store.drop_ended({"after"}.__contains__) == ["before"]
    assert after.files
    third = store.create("third")
    assert store.restore(key, third, nobody)


def test_a_duplicated_tab_gets_a_key_of_its_own_and_no_change_of_one_shows_in_the_other() -> None:
    store = SessionStore(1800, BOUND)
    one = kept(store, "one")
    one.notes["text"] = {1: "note"}
    key, other = one.key, store.create("other")
    assert store.restore(key, other, {"one", "other"}.__contains__)
    assert one.key == key != other.key
    one.files = ()
    other.notes["text"][1] = other.notes["more"] = {2: "other"}
    assert len(other.files) == 1
    assert one.notes == {"text": {1: "note"}}


@pytest.mark.parametrize("key", ["", "x", "é\ud800", "A" * 43])
def test_another_key_gives_nothing(key: str) -> None:
    store = SessionStore(1800, BOUND)
    kept(store, "one")
    mine = store.create("mine")
    assert not store.restore(key, mine, nobody)
    assert not store.restore(mine.key, mine, nobody)
    assert mine.files == ()


def test_keys_are_random_long_and_not_printed() -> None:
    keys = {SessionState().key for _ in range(100)}
    assert len(keys) == 100
    assert min(map(len, keys)) >= 43  # 256 bits in base 64
    holding = SessionState()
    assert holding.key not in repr(holding)


def test_files_are_not_given_back_after_their_time_even_if_they_have_not_been_dropped() -> None:
    clock = Clock()
    store = SessionStore(1800, BOUND, clock)
    before = kept(store, "before")
    clock.now = 1801
    after = store.create("after")
    assert not store.restore(before.key, after, nobody)
    assert store.restore(before.key, after, {"before"}.__contains__)  # which has been connected all the time


def test_files_of_ended_sessions_stay_below_their_bound_and_the_oldest_go_first() -> None:
    clock = Clock()
    store = SessionStore(1800, BOUND, clock)
    held = [kept(store, str(k), 300_000) for k in range(5)]
    alive = {"0", "1", "2", "3", "4"}
    for clock.now, (ends, expected) in enumerate(
        [("1", []), ("0", []), ("3", []), ("2", ["1"]), ("none", []), ("4", ["0"])], start=1
    ):
        assert store.drop_ended(alive.__contains__) == []
        alive.discard(ends)
        assert store.drop_ended(alive.__contains__) == expected
    assert [bool(holding.files) for holding in held] == [False, False, True, True, True]
    assert store.drop_ended(nobody) == []


def test_only_what_other_sessions_hold_is_waited_for() -> None:
    store = SessionStore(1800, BOUND)
    mine = kept(store, "mine")
    assert not store.has_of_others("mine")
    assert store.has_of_others("other")
    mine.files = ()
    assert not store.has_of_others("other")


# --- the dashboard's sessions -----------------------------------------------------------------------------------

LINES = "the cat sat on the mat\nit was a sunny day in the park\nwe all went home at night\n"


class FakeServer:
    """Streamlit's server, of which only who is connected is known."""

    def __init__(self) -> None:
        self.connected = True
        self.uploaded_file_mgr = self
        self.without_uploads: list[str] = []

    def exists(self) -> bool:
        """Whether it runs."""
        return True

    def get_instance(self) -> FakeServer:
        """The only one."""
        return self

    def is_active_session(self, session: str) -> bool:
        """Whether a session is connected."""
        del session
        return self.connected

    def remove_session_files(self, session: str) -> None:
        """Drop a session's uploads."""
        self.without_uploads.append(session)


def test_half_an_hour_after_the_last_session_nothing_of_anybodys_texts_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, server = Clock(), FakeServer()
    monkeypatch.setattr("sys.argv", ["app.py"])
    monkeypatch.setattr(work, "RESULTS", Results(work.MAX_RESULT_BYTES, work.RESULT_TTL_S, clock))
    monkeypatch.setattr(work, "SESSIONS", SessionStore(work.FILES_TTL_S, work.MAX_FILE_BYTES, clock))
    monkeypatch.setattr(work, "runtime", server)
    sessions: list[AppTest] = []
    for k in range(5):
        app = AppTest.from_file(str(APP), default_timeout=60).run()
        load(app, ("ref.txt", LINES.encode()), (f"mine{k}.txt", LINES.replace("cat", f"cat{k}").encode()))
        visit(app, "ranking/scores")
        assert app.dataframe[0].value["system"].tolist() == [f"mine{k}"]
        sessions.append(app)
    assert len(work.RESULTS) > 5

    clock.now = 599
    work.sweep()
    assert len(work.RESULTS) > 5
    clock.now = 3600  # all are still connected, but think for an hour
    work.sweep()
    assert (len(work.RESULTS), work.RESULTS.bytes) == (0, 0)
    visit(sessions[3], "data")
    assert sessions[3].dataframe[0].value["file"].tolist() == ["ref.txt", "mine3.txt"]

    server.connected = False
    clock.now += 1799
    work.sweep()
    assert all(app.session_state["held"].files for app in sessions)
    clock.now += 2
    work.sweep()
    assert len(work.RESULTS) == 0
    assert [app.session_state["held"].files for app in sessions] == [()] * 5
    assert [app.session_state["held"].fitted for app in sessions] == [{}] * 5
    assert len(server.without_uploads) == 5


def test_results_of_a_session_are_dropped_with_its_files(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, server = Clock(), FakeServer()
    monkeypatch.setattr("sys.argv", ["app.py"])
    monkeypatch.setattr(work, "RESULTS", Results(work.MAX_RESULT_BYTES, work.RESULT_TTL_S, clock))
    monkeypatch.setattr(work, "SESSIONS", SessionStore(work.FILES_TTL_S, 0, clock))  # of which none fit
    monkeypatch.setattr(work, "runtime", server)
    app = AppTest.from_file(str(APP), default_timeout=60).run()
    upload(app, ("ref.txt", LINES.encode()), ("mine.txt", LINES.encode()))
    held: SessionState = app.session_state["held"]
    is_known = partial(files._read.is_known, held.scope)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    own: dict[str, Any] = {"files": held.files, "limits": app.session_state["limits"], "scope": held.scope}
    assert is_known(**own, shared_segments=False)
    server.connected = False
    work.sweep()
    assert not is_known(**own, shared_segments=False)
    assert len(work.RESULTS) > 0  # of the sample


def test_results_belong_to_the_files_and_their_names_and_those_of_the_server_to_nobody() -> None:
    file = File("a.txt", b"a\n", "system")
    one, other, named = SessionState(), SessionState(), SessionState()
    one.files, other.files, named.files = (file,), (file,), (replace(file, name="b.txt"),)
    assert one.scope[1] == other.scope[1] != named.scope[1]
    assert len({one.scope, other.scope, named.scope}) == 3
    one.opened, other.opened = one.files, (replace(file),)
    assert one.scope == other.scope == ("", one.scope[1])
    one.files = (replace(file, renamed="A"),)
    assert one.scope == (one.key, one.scope[1])
    assert one.scope[1] != other.scope[1]


def test_files_are_kept_for_as_long_as_a_tab_may_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, server = Clock(), FakeServer()
    server.connected = False
    monkeypatch.setattr(work, "SESSIONS", SessionStore(work.FILES_TTL_S, work.MAX_FILE_BYTES, clock))
    monkeypatch.setattr(work, "runtime", server)
    monkeypatch.setattr(work.st, "get_option", {"server.disconnectedSessionTTL": 3000}.get)
    holding = work.SESSIONS.create("session")
    holding.files = (File("a.txt", b"x\n", "system"),)
    for clock.now in (1900, 2999):
        work.sweep()
        assert len(holding.files) == 1
    clock.now = 3001
    work.sweep()
    assert len(holding.files) == 0
