"""Systems over test sets: the sample's segments divided into sets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleu_core.arrays import Floats, Numbers
from bleu_core.collection import (
    ScoredSet,
    by_metric,
    corrected,
    differences_over_sets,
    evaluate_set,
    score_over_sets,
)
from bleu_core.collection.scores import NO_COMMON_SET
from bleu_core.errors import SettingsError
from bleu_core.inference import all_pairs, baseline_pairs, compare, ranked_pairs, score_intervals
from bleu_core.scoring import BleuSettings, ScoredCorpus, SegmentStatistics, find_metric
from tests.divided import divided_sample, part_of_sample


@pytest.fixture(scope="module")
def sets() -> tuple[ScoredSet, ...]:
    made = divided_sample()
    return by_metric([evaluate_set(each, each.read(), BleuSettings(), ["bleu"]) for each in made])["bleu"]


def mean(sums: Numbers) -> Floats:
    return np.asarray(sums[..., 0] / sums[..., 1], np.float64)


def mean_set(name: str, values: Floats, systems: Sequence[str] = ("A", "B")) -> ScoredSet:
    """A set whose score is the mean over segments, (K, S)."""
    stacked = np.stack([values, np.ones_like(values)], axis=2)
    statistics = SegmentStatistics(tuple(systems), stacked, mean)
    return ScoredSet(name=name, scored=ScoredCorpus(find_metric("bleu"), "mean", statistics), target_language="en")


def test_cells_are_the_scores_with_the_intervals_of_each_set(sets: tuple[ScoredSet, ...]) -> None:
    results = score_over_sets(sets)
    for scored_set in sets:
        intervals = score_intervals(scored_set.scored).scores
        for system, score in scored_set.scores.items():
            cell = results.by_set_and_system[scored_set.name, system]
            assert cell.score == score
            assert cell.interval == intervals[system]


def test_differences_from_the_baseline_are_those_of_each_set(sets: tuple[ScoredSet, ...]) -> None:
    results = score_over_sets(sets, baseline="S1")
    for scored_set in sets:
        statistics = scored_set.scored.statistics
        alone = compare(statistics, baseline_pairs(statistics.systems, "S1"))
        for pair in alone.pairs:
            cell = results.by_set_and_system[scored_set.name, pair.system]
            assert (cell.delta, cell.difference_interval, cell.p_value) == (pair.delta, pair.interval, pair.p_value)
            assert cell.p_value_adjusted == pair.p_value_adjusted


def test_p_values_are_corrected_over_the_whole_table(sets: tuple[ScoredSet, ...]) -> None:
    (by_column,) = corrected([score_over_sets(sets, baseline="S1")], "column")
    (by_table,) = corrected([by_column], "table")
    p_values = [cell.p_value for cell in by_table.cells if cell.p_value is not None]
    adjusted = [cell.p_value_adjusted for cell in by_table.cells if cell.p_value_adjusted is not None]
    largest = max(range(len(p_values)), key=p_values.__getitem__)
    smallest = min(range(len(p_values)), key=p_values.__getitem__)
    assert adjusted[largest] >= p_values[largest]
    assert adjusted[smallest] == pytest.approx(p_values[smallest] * len(p_values))
    assert all(one >= other for one, other in zip(adjusted, p_values, strict=True))


@pytest.mark.parametrize("segments", [200, 60])
def test_one_set_has_the_comparisons_of_the_set_alone(sets: tuple[ScoredSet, ...], segments: int) -> None:
    scored_set = replace(sets[0], scored=sets[0].scored.subset(range(segments)))
    statistics = scored_set.scored.statistics
    over = score_over_sets([scored_set]).comparisons
    alone = compare(statistics, ranked_pairs(statistics))
    assert over is not None
    assert over.method == alone.method == ("percentile" if segments == 200 else "jackknife")
    for one, other in zip(over.pairs, alone.pairs, strict=True):
        assert (one.system, one.baseline) == (other.system, other.baseline)
        assert one.delta == pytest.approx(other.delta, abs=1e-12)
        assert (one.p_value, one.p_value_adjusted) == pytest.approx((other.p_value, other.p_value_adjusted))
        assert (one.interval.low, one.interval.high) == pytest.approx((other.interval.low, other.interval.high))


def test_means_are_over_the_sets_that_all_compared_systems_have(sets: tuple[ScoredSet, ...]) -> None:
    results = score_over_sets(sets)
    assert results.common == ("first", "third")
    assert results.missing_cells == {"S3": ("second",)}
    by_name = {row.system: row for row in results.systems}
    for name, row in by_name.items():
        scores = [scored_set.scores[name] for scored_set in (sets[0], sets[2])]
        assert row.mean == pytest.approx(np.mean(scores))
        assert row.interval.low < row.mean < row.interval.high
    assert [row.system for row in results.systems] == ["H2", "H1", "S3", "S2", "S1"]
    assert (by_name["H2"].first, by_name["H2"].mean_rank, by_name["S1"].mean_rank) == (2, 1, 5)
    assert (by_name["S3"].sets, by_name["S3"].missing, by_name["S1"].sets) == (2, ("second",), 3)
    without = score_over_sets(sets, systems=["S1", "S2", "H1"])
    assert without.common == ("first", "second", "third")


def test_the_score_of_all_segments_is_that_of_the_sets_together(sets: tuple[ScoredSet, ...]) -> None:
    whole = part_of_sample("both", range(400))
    (scored,) = by_metric([evaluate_set(whole, whole.read(), BleuSettings(), ["bleu"])])["bleu"]
    results = score_over_sets(sets[:2], systems=["S1", "S2"])
    for row in results.systems:
        assert row.all_segments == pytest.approx(scored.scores[row.system], abs=1e-12)


def test_there_is_no_score_of_all_segments_of_different_settings_or_languages(sets: tuple[ScoredSet, ...]) -> None:
    other = replace(sets[0], name="other", target_language="de")
    assert "different target languages (en, de)" in score_over_sets([sets[0], other]).pooled_reason
    unknown = [replace(each, target_language="") for each in (sets[0], other)]
    assert "unknown" in score_over_sets(unknown).pooled_reason
    settings_of_other = replace(sets[0], name="other", scored=replace(sets[0].scored, signature="tok:zh"))
    results = score_over_sets([sets[0], settings_of_other])
    assert "different settings" in results.pooled_reason
    assert all(row.all_segments is None for row in results.systems)
    assert not any(math.isnan(row.mean) for row in results.systems)


def test_without_a_set_of_all_systems_there_are_no_means() -> None:
    generator = np.random.default_rng(1)
    one, other = mean_set("x", generator.random((1, 50)), ["A"]), mean_set("y", generator.random((1, 50)), ["B"])
    results = score_over_sets([one, other])
    assert "no test set has all 2 compared systems (A lacks 1 of 2 test sets, B lacks 1 of 2" in results.mean_reason
    assert results.comparisons is None
    assert all(math.isnan(row.mean) and row.reason == NO_COMMON_SET for row in results.systems)
    assert results.by_set_and_system["x", "B"].reason == "x has no output of B"


def test_sets_of_equal_length_are_resampled_independently() -> None:
    """The variance of a mean over equal sets is the variance of one divided by their number."""
    values = np.random.default_rng(5).normal(size=(2, 400))
    alone = score_over_sets([mean_set("x", values)]).comparisons
    four = score_over_sets([mean_set(name, values) for name in "wxyz"]).comparisons
    assert alone is not None
    assert four is not None
    assert four.pairs[0].standard_error == pytest.approx(alone.pairs[0].standard_error / 2, rel=0.03)


def test_few_segments_of_several_sets_have_satterthwaites_degrees_of_freedom() -> None:
    generator = np.random.default_rng(6)
    values = [generator.normal(size=(2, size)) for size in (12, 30)]
    over = score_over_sets([mean_set(name, own) for name, own in zip("xy", values, strict=True)]).comparisons
    assert over is not None
    (pair,) = over.pairs
    first, second = (0, 1) if pair.system == "A" else (1, 0)
    differences = [own[first] - own[second] for own in values]
    parts = np.array([np.var(each, ddof=1) / len(each) for each in differences])
    error = math.sqrt(parts.sum()) / 2
    degrees = parts.sum() ** 2 / (parts**2 / [11, 29]).sum()
    from scipy import stats

    assert pair.standard_error == pytest.approx(error)
    assert pair.p_value == pytest.approx(2 * stats.t.sf(abs(pair.delta) / error, degrees))
    assert over.method == "jackknife"


def test_untested_and_missing_scores_have_a_reason() -> None:
    values = np.random.default_rng(2).normal(size=(2, 50))
    untested = mean_set("x", values)
    statistics = replace(untested.scored.statistics, untested="judges are confounded")
    untested = replace(untested, scored=replace(untested.scored, statistics=statistics))
    over = score_over_sets([untested, mean_set("y", values)]).comparisons
    assert over is not None
    assert not over.tested
    assert over.pairs[0].reason == "x: judges are confounded"
    assert all(row.tier is None for row in score_over_sets([untested]).systems)


@pytest.mark.parametrize("segments", [8, 60])
def test_a_constant_difference_has_a_reason_for_its_missing_p(segments: int) -> None:
    values = np.random.default_rng(4).normal(50, 5, segments)
    results = score_over_sets([mean_set(name, np.stack([values, values + 1])) for name in ("one", "two")])
    assert results.comparisons is not None
    (pair,) = results.comparisons.pairs
    assert math.isnan(pair.p_value)
    assert pair.reason == "no variance"


def test_human_translations_are_not_compared(sets: tuple[ScoredSet, ...]) -> None:
    humans = [replace(each, not_ranked=("H1", "H2")) for each in sets]
    results = score_over_sets(humans, baseline="S1")
    assert {row.system for row in results.systems} == {"S1", "S2", "S3"}
    assert results.by_set_and_system["first", "H2"].delta is None
    assert results.by_set_and_system["first", "H2"].score == sets[0].scores["H2"]


def test_the_differences_over_sets_have_the_errors_of_their_tests(sets: tuple[ScoredSet, ...]) -> None:
    results = score_over_sets(sets)
    over = differences_over_sets(results, "S3", "S1")
    assert over.sets == ("first", "third")
    for name, difference, error in zip(over.sets, over.differences, over.errors, strict=True):
        scored_set = next(each for each in sets if each.name == name)
        statistics = scored_set.scored.statistics.select(["S3", "S1"])
        pair = compare(statistics, [(0, 1)]).pairs[0]
        assert (difference, error) == pytest.approx((pair.delta, pair.standard_error))


def test_an_unknown_baseline_is_refused(sets: tuple[ScoredSet, ...]) -> None:
    with pytest.raises(SettingsError, match="baseline 'X' found"):
        score_over_sets(sets, baseline="X")
    with pytest.raises(SettingsError, match="no test set found"):
        score_over_sets([])


@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1), st.permutations(range(3)))
def test_the_order_of_sets_changes_no_mean_and_hardly_a_test(seed: int, order: Sequence[int]) -> None:
    generator = np.random.default_rng(seed)
    made = [mean_set(f"set{k}", generator.normal(size=(3, 120)), ["A", "B", "C"]) for k in range(3)]
    one, other = score_over_sets(made), score_over_sets([made[k] for k in order])
    assert [(row.system, row.first) for row in one.systems] == [(row.system, row.first) for row in other.systems]
    assert [row.mean for row in one.systems] == pytest.approx([row.mean for row in other.systems])
    assert one.comparisons is not None
    assert other.comparisons is not None
    for first, second in zip(one.comparisons.pairs, other.comparisons.pairs, strict=True):
        assert first.standard_error == pytest.approx(second.standard_error, rel=0.05)
    assert len(one.comparisons.pairs) == len(all_pairs(list("ABC")))
