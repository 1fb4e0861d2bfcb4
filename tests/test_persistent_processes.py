"""Processes that stay: the same results as here, one call at a time in each, and none left behind."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import processed
import pytest

from bleu_core.errors import FormatError
from bleu_core.inference import bootstrap_scores, compare, text_needed
from bleu_core.persistent_processes import PersistentProcesses
from bleu_core.scoring import BleuSettings, bleu_statistics_of_sums


@pytest.fixture
def processes() -> Iterator[PersistentProcesses]:
    standing = PersistentProcesses(1)
    yield standing
    standing.end_idle()


def nothing() -> None:
    """Nothing is done while the result is awaited."""


def test_a_process_stays_for_the_next_call(processes: PersistentProcesses) -> None:
    found = [processes.call(processed.slowly, 0, waiting=nothing) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0] is not None
    assert found[0] != (os.getpid(),)


def test_no_process_is_started_for_a_call_beyond_their_number() -> None:
    assert PersistentProcesses(0).call(processed.square, 3, waiting=nothing) is None


def test_a_call_while_all_processes_are_busy_is_refused(processes: PersistentProcesses) -> None:
    waits, go_on = threading.Event(), threading.Event()

    def waiting() -> None:
        waits.set()
        assert go_on.wait(20)

    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(processes.call, processed.slowly, 0.5, waiting=waiting)
        assert waits.wait(20)
        assert processes.call(processed.square, 3, waiting=nothing) is None
        go_on.set()
        assert first.result(20) is not None
    assert processes.call(processed.square, 3, waiting=nothing) == (9,)


def test_an_error_is_raised_here_and_the_process_stays(processes: PersistentProcesses) -> None:
    before = processes.call(processed.slowly, 0, waiting=nothing)
    with pytest.raises(FormatError, match="line 3"):
        processes.call(processed.fail, "format", waiting=nothing)
    assert processes.call(processed.slowly, 0, waiting=nothing) == before


def test_a_process_that_dies_is_replaced(processes: PersistentProcesses) -> None:
    assert processes.call(processed.die, 1, waiting=nothing) is None
    assert processes.call(processed.square, 3, waiting=nothing) == (9,)


def test_what_cannot_be_sent_is_refused_and_takes_no_process(processes: PersistentProcesses) -> None:
    assert processes.call(lambda: 1, waiting=nothing) is None
    assert processes.call(processed.square, threading.Lock(), waiting=nothing) is None
    assert processes.call(processed.square, 3, waiting=nothing) == (9,)


class StoppedError(Exception):
    """What Streamlit raises once a page is to end."""


def test_whoever_stops_waiting_ends_the_process_at_once(processes: PersistentProcesses) -> None:
    before = processes.call(processed.slowly, 0, waiting=nothing)

    def stop() -> None:
        raise StoppedError

    with pytest.raises(StoppedError):
        processes.call(processed.slowly, 600, waiting=stop)
    after = processes.call(processed.slowly, 0, waiting=nothing)
    assert after is not None
    assert after != before


def test_processes_that_nobody_needs_are_ended() -> None:
    now = [0.0]
    standing = PersistentProcesses(1, lambda: now[0])
    first = standing.call(processed.slowly, 0, waiting=nothing)
    now[0] = 5
    standing.end_idle(10)
    assert standing.call(processed.slowly, 0, waiting=nothing) == first
    now[0] = 16
    standing.end_idle(10)
    second = standing.call(processed.slowly, 0, waiting=nothing)
    assert second not in (None, first)
    standing.end_idle()


def test_draws_are_the_same_as_here(processes: PersistentProcesses) -> None:
    counts = np.random.default_rng(5).integers(1, 30, size=(2, 40, 10))
    table = bleu_statistics_of_sums(("A", "B"), counts, BleuSettings())
    scores = bootstrap_scores(table, 300)
    there = processes.call(bootstrap_scores, table, 300, waiting=nothing)
    assert there is not None
    assert np.array_equal(there[0], scores)
    settings: dict[str, Any] = {"test": "randomization", "resampled_scores": scores, "keep_deltas": True}
    compared = processes.call(compare, table, [(1, 0)], waiting=nothing, **settings)
    assert compared is not None
    here = compare(table, [(1, 0)], **settings)
    assert repr(replace(compared[0], deltas=None)) == repr(replace(here, deltas=None))
    assert here.deltas is not None
    assert np.array_equal(compared[0].deltas, here.deltas)
    needed = processes.call(text_needed, table, "A", "B", resampled_scores=scores, waiting=nothing)
    assert needed is not None
    assert repr(needed[0]) == repr(text_needed(table, "A", "B", resampled_scores=scores))
