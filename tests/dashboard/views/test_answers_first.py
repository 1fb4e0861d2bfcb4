"""What a page answers comes before what follows it, and a page that was left keeps nothing."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
import streamlit as st
from pages import APP, said, upload, visit
from streamlit.testing.v1 import AppTest

from bleu_core.scoring import BleuEvaluation, NgramStats
from bleu_core.uploads import Workspace
from dashboard.analysis import trust_warnings
from dashboard.session import work
from dashboard.session.cache import Results, SessionStore
from dashboard.session.turns import Turns

LINES = "the cat sat on the mat\nit was a sunny day in the park\nwe all went home at night\n"


def files(name: str = "a") -> tuple[tuple[str, bytes], ...]:
    """A reference and two systems, the first of that name."""
    systems = {name: LINES.replace("cat", "dog"), "b": LINES.replace("went", "go")}
    return (("ref.txt", LINES.encode()), *((f"{system}.txt", text.encode()) for system, text in systems.items()))


@pytest.fixture
def events(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What happens in a run, in its order: figures and tables, looking for warnings, and waiting for others."""
    happened: list[str] = []

    def noted(name: Callable[..., str], function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            happened.append(name(*args, **options))
            return function(*args, **options)

        return call

    monkeypatch.setattr(work, "RESULTS", Results(2**30, 600))  # nothing is known from other tests
    for name, event in (("assess", "assessed"), ("count_texts", "counted"), ("findings", "warnings")):
        monkeypatch.setattr(trust_warnings, name, noted(partial(_named, event), getattr(trust_warnings, name)))
    monkeypatch.setattr(Turns, "follow", noted(partial(_named, "others"), Turns.follow))
    for name in ("plotly_chart", "dataframe"):
        monkeypatch.setattr(st, name, noted(lambda *_, key=None, **__: f"shown {key}", getattr(st, name)))
    return happened


def test_the_score_chart_is_on_its_way_before_warnings_are_looked_for(app: AppTest, events: list[str]) -> None:
    upload(app, *files())
    events.clear()
    visit(app, "")
    assert not app.exception
    chart, others = events.index("shown overview-scores"), events.index("others")
    assert events.index("assessed") < chart < others < events.index("shown overview-precision")
    assert max(k for k, event in enumerate(events) if event.startswith("shown")) < events.index("counted")
    assert events.count("assessed") == events.count("warnings") == 1


@pytest.mark.parametrize("path", ["ranking/scores", "ranking/pairs", "two-systems/difference"])
def test_a_headline_waits_only_for_the_assessment(app: AppTest, events: list[str], path: str) -> None:
    upload(app, *files())
    events.clear()
    visit(app, path)
    assert not app.exception
    first = next(k for k, event in enumerate(events) if event.startswith("shown"))
    assert events.index("assessed") < first < events.index("counted") < events.index("warnings")
    assert events.count("assessed") == 1


@pytest.mark.parametrize("path", ["precision", "blocks"])
def test_the_sidebar_looks_for_warnings_when_the_page_stands(app: AppTest, events: list[str], path: str) -> None:
    upload(app, *files())
    events.clear()
    visit(app, path)
    assert not app.exception
    others = events.index("others")
    shown = [k for k, event in enumerate(events) if event.startswith("shown")]
    assert shown
    assert max(shown) < others < events.index("counted")


def test_another_setting_counts_nothing_again_that_warnings_need_of_the_texts(app: AppTest, events: list[str]) -> None:
    upload(app, *files())
    visit(app, "")
    visit(app, "ranking/scores")
    app.toggle(key="lowercase").set_value(True).run()
    assert events.count("counted") == 1
    assert events.count("warnings") == 2  # what is found, not what is counted


def test_a_page_that_was_left_keeps_no_results(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "RESULTS", Results(2**30, 600))
    upload(app, *files("left"))
    for path in ("", "ranking/pairs", "blocks", "data"):
        visit(app, path)
    assert not app.exception
    work.RESULTS = Results(2**30, 600)
    assert _alive("left", BleuEvaluation, NgramStats) == []


def test_callbacks_are_those_of_the_widgets_on_the_page(app: AppTest) -> None:
    upload(app, *files())
    visit(app, "ranking/scores")
    callbacks = set(app.session_state["held"].callbacks)
    assert callbacks == {"scores", "scores-None"}
    visit(app, "data")
    assert callbacks.isdisjoint(app.session_state["held"].callbacks)


def test_a_page_that_lacks_something_drops_the_callbacks_of_the_page_before(app: AppTest) -> None:
    upload(app, *files())
    visit(app, "ranking/scores")
    assert app.session_state["held"].callbacks
    visit(app, "judges")  # there are no ratings
    assert "No human judgments are loaded" in said(app)
    assert app.session_state["held"].callbacks == {}


def test_a_session_that_has_ended_leaves_none_of_its_texts_even_if_streamlit_keeps_its_state(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    store = SessionStore(work.FILES_TTL_S, work.MAX_FILE_BYTES, lambda: now[0])
    monkeypatch.setattr(work, "RESULTS", Results(work.MAX_RESULT_BYTES, work.RESULT_TTL_S, lambda: now[0]))
    monkeypatch.setattr(work, "SESSIONS", store)
    monkeypatch.setattr("sys.argv", ["app.py"])
    apps = [AppTest.from_file(str(APP), default_timeout=60).run() for _ in range(2)]
    for app in apps:
        upload(app, *files("ended"))
        for path in ("", "two-systems/difference", "segments"):
            visit(app, path)
    assert _alive("ended", Workspace)
    now[0] = work.RESULT_TTL_S + 1
    work.sweep()
    now[0] = work.FILES_TTL_S + 2
    store.drop_ended(lambda _: False)
    store.drop_ended(lambda _: False)
    assert _alive("ended", Workspace, BleuEvaluation, NgramStats) == []
    assert len(apps) == 2  # as if Streamlit kept both


def _named(event: str, *_: object, **__: object) -> str:
    return event


def _alive(name: str, *kinds: type) -> list[object]:
    """The objects of some kinds that are about a system of that name."""
    gc.collect()
    return [found for found in gc.get_objects() if isinstance(found, kinds) and name in _systems(found)]


def _systems(of: Any) -> Sequence[str]:
    return tuple(of.corpus.systems) if isinstance(of, Workspace) else of.systems
