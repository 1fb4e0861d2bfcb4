"""Systems by test sets, with texts and shades of cells, and the forest plot of a pair, with names that have tags."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from several_sets import several

from bleu_core.collection import ScoresOverSets, TestSet, by_metric, evaluate_set, pool, score_over_sets
from bleu_core.results.test_sets import DAGGER, NextSet, mean_difference, next_set
from bleu_core.scoring import BleuSettings, find_metric
from bleu_core.uploads import by_test_set
from dashboard import words
from dashboard.exhibits import ForestOfSets, systems_by_sets
from dashboard.exhibits.over_sets import forest

HOSTILE = "<b>x</b> &lt; <a href='http://127.0.0.1:9/'>y</a>"
BLEU = find_metric("bleu")


def scored(baseline: str = "") -> ScoresOverSets:
    """Four test sets, the last one without C, by BLEU."""
    sets = [
        TestSet(name=name, files=own)
        for name, own in by_test_set(several(("en-de", "en-fr", "en-cs", "en-uk"))).items()
    ]
    evaluated = [evaluate_set(each, each.read(), BleuSettings(), ["bleu"]) for each in sets]
    return score_over_sets(by_metric(evaluated)["bleu"], baseline=baseline, resamples=500)


@pytest.fixture(scope="module")
def plain() -> ScoresOverSets:
    return scored()


@pytest.fixture(scope="module")
def from_b() -> ScoresOverSets:
    return scored("B")


def test_scores_are_shaded_from_the_worst_to_the_best_of_their_test_set(plain: ScoresOverSets) -> None:
    shown = systems_by_sets(plain)
    assert list(shown.table.columns)[:2] == ["system", "tier"]
    assert [row[0] for row in shown.table.rows] == ["A", "B", "C"]
    strengths = shown.strengths["score_en-de"]
    assert (strengths[0], strengths[2]) == (1, 0)
    assert 0 < strengths[1] < 1
    missing = shown.strengths["score_en-uk"]
    assert missing[:2] == [1, 0]
    assert math.isnan(missing[2])
    assert shown.texts["score_en-uk"][2] == ""
    assert shown.cell(plain, 2, "score_en-uk") == plain.by_set_and_system["en-uk", "C"]
    assert shown.cell(plain, 2, "mean") is None


def test_differences_share_a_scale_and_are_marked(from_b: ScoresOverSets) -> None:
    shown = systems_by_sets(from_b, differences=True)
    values = [value for own in shown.strengths.values() for value in own if not math.isnan(value)]
    assert max(map(abs, values)) == 1
    assert all(value > 0 for value in (own[0] for own in shown.strengths.values()))
    assert shown.strengths["delta_en-de"][2] < 0
    assert shown.texts["delta_en-de"][0].endswith(DAGGER)
    assert shown.texts["delta_en-de"][1] == ""
    delta, interval = mean_difference(from_b, "C")
    assert interval.low < delta < interval.high < 0
    means = {row.system: row.mean for row in from_b.systems}
    assert delta == pytest.approx(means["C"] - means["B"])


def test_intervals_are_in_the_cells_if_chosen(from_b: ScoresOverSets) -> None:
    cell = from_b.by_set_and_system["en-fr", "A"]
    assert cell.interval is not None
    assert cell.difference_interval is not None
    text = systems_by_sets(from_b, intervals=True).texts["score_en-fr"][0]
    assert text == f"{cell.score:.2f}{DAGGER} ({cell.interval.low:.2f} to {cell.interval.high:.2f})"
    text = systems_by_sets(from_b, differences=True, intervals=True).texts["delta_en-fr"][0]
    low, high = cell.difference_interval.low, cell.difference_interval.high
    assert text == f"+{cell.delta:.2f}{DAGGER} (+{low:.2f} to +{high:.2f})"


def test_lower_scores_are_better_where_the_metric_says_so(plain: ScoresOverSets) -> None:
    sets = [TestSet(name=name, files=own) for name, own in by_test_set(several(("en-de", "en-fr"))).items()]
    evaluated = [evaluate_set(each, each.read(), BleuSettings(), ["ter"]) for each in sets]
    by_ter = score_over_sets(by_metric(evaluated)["ter"], baseline="B", resamples=500)
    assert systems_by_sets(by_ter).strengths["score_en-de"][0] == 1
    assert systems_by_sets(by_ter, differences=True).strengths["delta_en-de"][0] > 0
    assert by_ter.by_set_and_system["en-de", "A"].delta < 0  # pyright: ignore[reportOptionalOperand]
    assert plain.scored.metric.higher_is_better


def drawn(row: NextSet) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    figure = forest(ForestOfSets(row=row, metric=BLEU), {}).to_dict()
    return figure["data"], figure["layout"]


def test_the_forest_has_each_set_the_pooled_difference_and_the_prediction() -> None:
    pooled = pool([1.0, 2.0, 3.0, 2.5], [0.5, 0.5, 0.5, 1.0], names=["a", HOSTILE, "c", "d"])
    data, layout = drawn(NextSet(metric="bleu", system="A", baseline="B", pooled=pooled))
    sets, summary, prediction = data
    assert (list(sets["x"]), list(sets["y"])) == ([1.0, 2.0, 3.0, 2.5], [0, 1, 2, 3])
    assert list(sets["customdata"]) == [[0], [1], [2], [3]]
    assert sets["marker"]["size"][0] > sets["marker"]["size"][3]
    assert (list(summary["x"]), list(prediction["x"])) == ([pooled.delta], [pooled.delta])
    assert prediction["error_x"]["array"][0] == pytest.approx(pooled.prediction.interval.high - pooled.delta)
    assert prediction["error_x"]["array"][0] > summary["error_x"]["array"][0]
    ticks = list(layout["yaxis"]["ticktext"])
    assert ticks[0] == f"a ({100 * pooled.sets[0].weight:.0f}%)"
    assert ticks[-2:] == ["pooled", "a new test set"]
    assert "<b>" not in ticks[1]
    assert all("<b>" not in text for text in sets["text"])
    assert layout["yaxis"]["range"] == [5.5, -0.5]


def test_without_a_prediction_the_forest_ends_with_the_pooled_difference() -> None:
    pooled = pool([1.0, 2.0], [0.5, math.nan], names=["a", "b"])
    data, layout = drawn(NextSet(metric="bleu", system="A", baseline="B", pooled=pooled))
    assert list(layout["yaxis"]["ticktext"])[-1] == "pooled"
    assert list(data[0]["marker"]["symbol"]) == ["square", "square-open"]
    assert "not pooled: the standard error is undefined" in data[0]["text"][1]
    assert data[1]["error_x"]["array"] in ((None,), [None])


def test_sentences_name_the_pooled_difference_and_what_varies(plain: ScoresOverSets) -> None:
    row = next_set(plain, "A", "B")
    sentence = words.pooled_sentence(row, BLEU)
    assert sentence.startswith(
        f"Pooled over 4 test sets, the difference A minus B is +{row.pooled.delta:.2f} BLEU (95%"
    )
    apart = NextSet(metric="bleu", system="A", baseline="B", pooled=pool([1.0, 9.0, 4.0], [0.1] * 3))
    assert words.heterogeneity(apart, BLEU).startswith("Most of the variation between test sets is more than")
    near = replace(apart, pooled=pool([1.0, 1.1, 1.05], [1.0] * 3))
    assert words.heterogeneity(near, BLEU).startswith("The standard errors of the test sets explain the variation")
    alone = replace(apart, pooled=pool([1.0], [1.0]))
    assert words.heterogeneity(alone, BLEU) == ""
    assert (
        words.pooled_sentence(alone, BLEU) == "The difference A minus B is +1.00 BLEU (1 test set; only one test set)."
    )


def test_sentences_on_cells_and_means(plain: ScoresOverSets, from_b: ScoresOverSets) -> None:
    assert words.cell_described(plain, plain.by_set_and_system["en-uk", "C"]) == (
        "C on en-uk: no score (en-uk has no output of C)."
    )
    assert words.cell_described(from_b, from_b.by_set_and_system["en-de", "C"]).endswith("): significant.")
    assert words.what_the_mean_is(plain) == (
        "Means and ranks are over the 3 of 4 test sets that all compared systems have; each test set counts alike."
    )
    assert words.sets_left_out({}) == ""
    assert words.sets_left_out({str(n): "no" for n in range(7)}).endswith("; and 2 more.")
    assert words.pairs_shown(plain) == "All 3 pairs of systems; p is corrected for 3 pairs of 3 systems."
