"""Large texts are counted in processes, to the same integers; whoever stops the count leaves no process behind."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest
from pages import visit
from streamlit.testing.v1 import AppTest

from bleu_core import processes
from bleu_core.counts import choose_counter, parallel
from bleu_core.progress import Progress
from dashboard.session import work
from dashboard.session.cache import Results

SYSTEMS = {"A": ["the cat sat on the mat", "a dog"] * 5000, "B": ["the cat is on a mat", "the dog"] * 5000}
REFERENCES = {"R": ["the cat sat on the mat", "the dog"] * 5000}


class StoppedError(Exception):
    """What Streamlit raises where a page draws, once it is to end."""


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[Any]]:
    """The processes that are started; there are two cores, every text is large, and no result is known."""
    found: list[subprocess.Popen[Any]] = []
    start = subprocess.Popen

    def noted(*arguments: Any, **more: Any) -> subprocess.Popen[Any]:
        found.append(start(*arguments, **more))
        return found[-1]

    monkeypatch.setattr(subprocess, "Popen", noted)
    monkeypatch.setattr(processes, "available_cores", lambda: 2)
    monkeypatch.setattr(parallel, "MIN_PARALLEL_PAIRS", 1)
    monkeypatch.setattr(work, "RESULTS", Results(10**8, 600))
    return found


def scores(app: AppTest) -> list[object]:
    """The tables of the page Scores."""
    return [table.value.to_dict() for table in visit(app, "ranking/scores").dataframe]


def test_large_texts_are_counted_in_processes_to_the_same_scores(
    app: AppTest, started: list[subprocess.Popen[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = scores(app)
    assert started
    assert all(process.poll() is not None for process in started)
    number = len(started)
    monkeypatch.setattr(parallel, "MIN_PARALLEL_PAIRS", 10**9)
    monkeypatch.setattr(work, "RESULTS", Results(10**8, 600))
    assert found
    assert scores(app) == found
    assert len(started) == number


def test_stop_ends_the_processes_at_once(started: list[subprocess.Popen[Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []

    class Bar:
        def __init__(self, *_: object, **_more: object) -> None:
            pass

        def show(self, done: int, total: int) -> None:
            told.append((done, total))
            raise StoppedError

    @work.cached("Counting", "segments")
    def counted(progress: Progress) -> object:
        count = choose_counter(len(SYSTEMS) * len(SYSTEMS["A"]))
        return count(SYSTEMS, REFERENCES, progress=progress)

    monkeypatch.setattr(work, "_ProgressBar", Bar)
    with pytest.raises(StoppedError):
        counted("files")
    assert len(told) == 1
    assert told[0][1] == len(SYSTEMS["A"])  # of segments, not of ranges
    assert started
    assert all(process.poll() is not None for process in started)
    assert not counted.is_known("files")
