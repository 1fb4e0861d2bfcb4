"""The difference between two systems has one interval and one p, whatever page asks for it."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Runner
from nightly import nightly
from streamlit.testing.v1 import AppTest

import sample_data
from bleu_core.inference import all_pairs, compare, text_needed


def ask_on_all_pages() -> None:
    """Compare the two best systems of the sample as every page does."""
    import streamlit as st

    from dashboard import analysis, session
    from dashboard.launch import parse

    session.start(parse([]))
    view = analysis.view_of(session.current_workspace(), session.selection(), systems=2)
    options = analysis.ComparisonOptions(**st.session_state.options)
    scores = analysis.score_systems(view, "bleu")
    best, second = (name for name, _ in scores.best_first[:2])
    with_baseline = analysis.ComparisonOptions(**st.session_state.options, baseline=second)
    st.session_state.table = view.compared.statistics
    st.session_state.names = best, second
    st.session_state.overview = analysis.compare_leaders(scores, options)
    st.session_state.significance = analysis.compare_systems(view, options).between(best, second)
    st.session_state.baseline = analysis.compare_systems(view, with_baseline).between(best, second)
    st.session_state.tests = analysis.run_three_tests(view, options, best, second).tests
    st.session_state.text, _ = analysis.estimate_text_needed(view, options, best, second)
    st.session_state.slices = analysis.compare_divided(view, "length", with_baseline).comparisons.whole.between(
        best, second
    )
    st.session_state.references = view.compared.references


def asked(**options: Any) -> AppTest:
    app = AppTest.from_function(ask_on_all_pages, default_timeout=60)
    app.session_state.options = options
    app.run()
    assert not app.exception
    return app


@pytest.mark.parametrize(
    "options",
    [
        *({}, {"draws": 300}, {"test": "t"}),
        *nightly([{"alpha": 0.01}, {"test": "randomization"}, {"test": "sacrebleu-bootstrap"}]),
    ],
    ids=str,
)
def test_the_two_best_systems_differ_by_the_same_on_every_page(options: dict[str, Any]) -> None:
    found = asked(**options).session_state
    pair = found.overview.pairs[0]
    assert (pair.system, pair.baseline) == found.names
    assert pair == found.significance
    other = found.baseline
    assert (other.p_value, other.interval, other.delta) == (pair.p_value, pair.interval, pair.delta)
    of_test = {tests.test: tests for tests in found.tests}
    if found.overview.test in of_test:
        alone = of_test[found.overview.test]
        assert alone.pairs[0].p_value == pytest.approx(pair.p_value, rel=1e-12)
        assert alone.pairs[0].interval.low == pytest.approx(pair.interval.low, rel=1e-9)
        assert (alone.resamples, alone.trials) == (found.overview.resamples, found.overview.trials)
    if found.overview.test == "bootstrap":
        assert found.text.standard_error == pytest.approx(pair.standard_error, rel=1e-9)
        assert found.text.widths[-1] == pytest.approx(pair.interval.high - pair.interval.low, rel=1e-9)


def test_what_the_pages_show_is_what_the_library_finds() -> None:
    found = asked().session_state
    table = found.table
    plain = compare(table, all_pairs(table.systems))
    pair = plain.between(*found.names)
    assert pair is not None
    assert found.significance.p_value == pair.p_value
    assert found.significance.p_value_adjusted == pair.p_value_adjusted
    assert found.significance.interval == pair.interval
    assert found.overview.resamples == plain.resamples
    needed = text_needed(table, *found.names)
    assert found.text.widths[:-1].tolist() == needed.widths[:-1].tolist()


def digits(pair: Any) -> tuple[str, ...]:
    """The difference, the interval and the uncorrected p of a pair as programs read them."""
    values = pair if isinstance(pair, dict) else {"low": pair.interval.low, "high": pair.interval.high}
    if not isinstance(pair, dict):
        values |= {"delta": pair.delta, "p_value": pair.p_value}
    return tuple(f"{values[name]:.12g}" for name in ("delta", "low", "high", "p_value"))


@pytest.mark.parametrize("test", ["bootstrap", *nightly(["randomization"])])
def test_the_command_line_and_the_pages_find_the_same_whatever_else_is_compared(run: Runner, test: str) -> None:
    found = asked(test=test).session_state
    best, second = found.names
    files = {path.stem: path for path in sample_data.systems()}
    references = [path for path in sample_data.references() if path.stem in found.references]
    call = ["compare", "--test", test, "--format", "json"]
    call += [str(part) for path in references for part in ("--ref", path)]
    ways = {
        "all": ["--all-pairs", *files.values()],
        "two": [files[second], files[best]],
        "baseline": ["--baseline", second, *files.values()],
        "another order": ["--all-pairs", "--correction", "none", "--alpha", 0.001, *reversed(files.values())],
    }
    pairs: dict[str, Any] = {"Significance": found.significance, "Overview": found.overview.pairs[0]}
    pairs |= {
        "a baseline": found.baseline,
        "Two systems": next(one for one in found.tests if one.test == test).pairs[0],
    }
    if test == "bootstrap":  # which slices are always compared by
        pairs["Slices"] = found.slices
    families: set[str] = set()
    for name, options in ways.items():
        content = run(*call, *options).json
        (pairs[name],) = [pair for pair in content["pairs"] if (pair["system"], pair["baseline"]) == (best, second)]
        families.add(content["family"])
    assert {name: digits(pair) for name, pair in pairs.items()} == dict.fromkeys(pairs, digits(found.significance))
    assert families == {"10 pairs of 5 systems", "1 pair", f"4 pairs with {second}", "none"}
