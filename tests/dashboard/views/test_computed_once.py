"""A changed choice computes nothing again that does not depend on it, nor does a page that is shown again."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from nightly import nightly
from pages import untick, visit
from streamlit.testing.v1 import AppTest

from bleu_core.scoring import Counting, bleu_score
from bleu_core.uploads import files
from dashboard.analysis import shared, view
from dashboard.session import work
from dashboard.session.cache import Results

Count = dict[str, int]


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Count:
    """How often each was called: n-grams counted, T derived, settings validated, the view made, and so on."""
    found: Count = {}

    def counted(place: object, name: str, of: str) -> None:
        function: Callable[..., object] = getattr(place, name)

        def call(*arguments: Any, **named: Any) -> object:
            found[of] = found.get(of, 0) + 1
            return function(*arguments, **named)

        monkeypatch.setattr(place, name, call)

    monkeypatch.setattr(work, "RESULTS", Results(2**30, 600))
    counted(shared, "evaluate", "n-grams")
    for name in ("bootstrap_scores", "metric_intervals", "score_intervals"):
        counted(shared, name, "resampled")
    counted(shared, "score_metric", "metrics")
    counted(bleu_score, "bleu_statistics_of_sums", "T")
    counted(Counting, "__post_init__", "settings")
    counted(import_module("dashboard.session.selection"), "settings_and_problem", "checks of controls")
    counted(view, "View", "views")
    counted(files, "translations_of", "human translations")
    return found


@pytest.mark.parametrize(
    "paths", [["ranking/pairs", "blocks", "segments"], *nightly([["", "two-systems/difference", "precision"]])]
)
def test_n_grams_are_counted_once_in_all(count: Count, app: AppTest, paths: list[str]) -> None:
    visit(app, "ranking/scores")
    assert count["n-grams"] == 1
    app.text_input(key="slice").set_value("length > 20").run()
    for path in paths:
        visit(app, path)
        assert not app.exception
    app.selectbox(key="smoothing").set_value("floor").run()
    assert count["n-grams"] == 1
    app.selectbox(key="tokenizer").set_value("char").run()  # which needs other n-grams
    assert count["n-grams"] == 2


@pytest.mark.parametrize("path", ["agreement/by-system", *nightly(["judges/agreement"])])
def test_another_choice_of_judges_resamples_no_text(count: Count, app: AppTest, path: str) -> None:
    for shown in ("ranking/scores", "two-systems/difference", "ranking/pairs", path):
        visit(app, shown)
    before = count["resampled"]
    assert before
    untick(app, "judges", "M01")
    for shown in (path, "ranking/pairs", "two-systems/difference", "ranking/scores"):
        visit(app, shown)
        assert not app.exception
    assert app.session_state["without_judges"] == ["M01"]
    assert count["resampled"] == before


@pytest.mark.parametrize("metric", ["BLEU", pytest.param("chrF2", marks=pytest.mark.slow)])
@pytest.mark.parametrize("path", [*nightly(["ranking/scores", "two-systems/difference", ""]), "ranking/pairs"])
def test_a_page_that_is_shown_again_computes_nothing_again(count: Count, app: AppTest, path: str, metric: str) -> None:
    app.session_state["metric"] = metric
    for slice_ in ("", "length > 20"):
        app.session_state["slice"] = slice_
        visit(app, path)
        visit(app, "data")
        count.clear()
        visit(app, path)
        assert not app.exception
        at_most: dict[str, int] = dict.fromkeys(("checks of controls", "settings", "views", "human translations"), 1)
        assert {of: number for of, number in count.items() if number > at_most.get(of, 0)} == {}
