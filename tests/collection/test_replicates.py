"""Groups of runs: their patterns, and that their variances are those of statsmodels and of formulas by hand."""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm
from statsmodels.stats.sandwich_covariance import cov_cluster_2groups

from bleu_core.arrays import Floats, Numbers
from bleu_core.collection import (
    GroupComparison,
    GroupComparisons,
    compare_groups,
    group_scores,
    groups_of,
    ranked_group_pairs,
    seeds_of,
    with_single_systems,
)
from bleu_core.dataset import Corpus
from bleu_core.errors import SettingsError
from bleu_core.inference import bootstrap_scores, compare, document_blocks, effects, jackknife_errors
from bleu_core.scoring import SegmentStatistics, evaluate

SYSTEMS = ("base.s1", "base.s2", "large.s1", "large.s2", "large.s3", "online")


def mean_statistics(scores: Floats, systems: Sequence[str] | None = None) -> SegmentStatistics:
    """Statistics of a metric that is the mean of segment scores, (K, S)."""

    def mean(sums: Numbers) -> Floats:
        return np.asarray(sums[..., 0] / sums[..., 1], np.float64)

    names = tuple(systems or (f"r{k}" for k in range(len(scores))))
    return SegmentStatistics(names, np.stack([scores, np.ones_like(scores)], axis=2), mean)


def drawn(  # each is a component of variance
    runs: int, segments: int, *, seed: int, between: float = 1.0, shared: float = 5.0, residual: float = 3.0
) -> Floats:
    """Scores of runs on segments with known components of variance, (runs, segments)."""
    generator = np.random.default_rng(seed)
    return (
        30
        + between * generator.standard_normal((runs, 1))
        + shared * generator.standard_normal(segments)
        + residual * generator.standard_normal((runs, segments))
    )


def mean_squares(scores: Floats) -> Mapping[str, float]:
    """Mean squares of runs, segments and residuals of a two-way analysis of variance, by statsmodels."""
    runs, segments = scores.shape
    frame = pd.DataFrame(
        {
            "y": scores.ravel(),
            "run": np.repeat(np.arange(runs), segments),
            "segment": np.tile(np.arange(segments), runs),
        }
    )
    table = anova_lm(ols("y ~ C(run) + C(segment)", frame).fit())
    squares = (table["sum_sq"] / table["df"]).to_numpy().tolist()
    return dict(zip(map(str, table.index), squares, strict=True))


def only(comparisons: GroupComparisons) -> GroupComparison:
    """The only comparison."""
    (pair,) = comparisons.pairs
    return pair


def test_a_group_is_the_systems_that_match_its_pattern_in_their_order() -> None:
    groups = groups_of(["large=large.s?", "base=base.s*"], SYSTEMS)
    assert dict(groups) == {"large": SYSTEMS[2:5], "base": SYSTEMS[:2]}


def test_names_are_normalised_and_case_matters() -> None:
    assert groups_of([" b = B* "], ["B1", "b2", "B3"]) == {"b": ("B1", "B3")}
    decomposed = "Mu\u0308=Mu\u0308*"
    assert groups_of([decomposed], ["M\u00fc1", "M\u00fc2"]) == {"M\u00fc": ("M\u00fc1", "M\u00fc2")}


def test_a_group_may_have_the_name_of_its_own_run() -> None:
    assert groups_of(["base=base*"], ["base", "base.2"]) == {"base": ("base", "base.2")}


@pytest.mark.parametrize(
    ("patterns", "message"),
    [
        (["base"], "group 'base' found, NAME=PATTERN expected, such as base=base.s*"),
        (["=base*"], "group '=base*' found, NAME=PATTERN expected"),
        (["base= "], "group 'base= ' found, NAME=PATTERN expected"),
        (["b=nothing*"], "group 'b': no system that matches 'nothing*' found, a pattern of at least 2 of base.s1"),
        (["b=online"], "group 'b': 1 run found (online), at least 2 expected"),
        (["a=base*", "b=*.s1"], "run 'base.s1' found in the groups 'a' and 'b', one group per run expected"),
        (["a=base*", "a=large*"], "two groups called 'a' found, different names expected"),
        (["online=base*"], "group 'online': the name of another system found"),
    ],
)
def test_a_bad_pattern_is_an_error_of_one_line(patterns: list[str], message: str) -> None:
    for function in (groups_of, seeds_of):
        with pytest.raises(SettingsError) as caught:
            function(patterns, SYSTEMS)
        assert str(caught.value).startswith(message)
        assert "\n" not in str(caught.value)


def test_seeds_are_what_wildcards_match() -> None:
    assert seeds_of(["base=base.s*", "l=large.s[0-9]"], SYSTEMS) == {"base": ("1", "2"), "l": ("1", "2", "3")}
    assert seeds_of(["x=a*-?.[!b]"], ["a1-x.c", "a22-y.d"]) == {"x": ("1 x c", "22 y d")}
    assert seeds_of(["x=[]^a[\\]*"], ["^1", "a2", "[3", "\\4", "]5", "b6"]) == {
        "x": ("^ 1", "a 2", "[ 3", "\\ 4", "] 5")
    }
    assert seeds_of(["x=a.b+*"], ["a.b+1", "a.b+2", "aXb+3"]) == {"x": ("1", "2")}


def test_single_systems_are_groups_of_one_run() -> None:
    groups = with_single_systems(groups_of(["large=large*"], SYSTEMS), SYSTEMS)
    assert list(groups.items()) == [
        ("base.s1", ("base.s1",)),
        ("base.s2", ("base.s2",)),
        ("large", SYSTEMS[2:5]),
        ("online", ("online",)),
    ]


def test_mean_and_spread_are_those_of_the_runs() -> None:
    scores = drawn(5, 200, seed=1)
    (group,) = group_scores(mean_statistics(scores), {"g": tuple(f"r{k}" for k in range(5))})
    runs = scores.mean(axis=1)
    assert (group.group, group.runs, group.varies, group.reason) == ("g", 5, "runs and segments", "")
    assert group.score == pytest.approx(runs.mean())
    assert group.standard_deviation == pytest.approx(np.std(runs, ddof=1))
    assert (group.lowest, group.highest) == pytest.approx((runs.min(), runs.max()))
    assert [run.score for run in group.systems] == pytest.approx(runs)


def test_the_variance_is_that_of_a_two_way_random_effects_analysis_of_variance() -> None:
    runs, segments = 5, 120
    scores = drawn(runs, segments, seed=2)
    squares = mean_squares(scores)
    cells = runs * segments
    parts = {"C(run)": runs - 1, "C(segment)": segments - 1, "Residual": (runs - 1) * (segments - 1)}
    variance = (squares["C(run)"] + squares["C(segment)"] - squares["Residual"]) / cells
    degrees = variance**2 / sum((squares[part] / cells) ** 2 / df for part, df in parts.items())
    (group,) = group_scores(mean_statistics(scores), {"g": tuple(f"r{k}" for k in range(runs))})
    expected = stats.t.interval(0.95, degrees, loc=scores.mean(), scale=math.sqrt(variance))
    assert (group.interval.low, group.interval.high) == pytest.approx(expected, rel=1e-6)


def test_the_variance_is_close_to_that_of_two_way_clustering_in_statsmodels() -> None:
    runs, segments = 40, 60
    scores = drawn(runs, segments, seed=3)
    fit = ols("y ~ 1", pd.DataFrame({"y": scores.ravel()})).fit()
    by_run, by_segment = np.repeat(np.arange(runs), segments), np.tile(np.arange(segments), runs)
    covariance = cov_cluster_2groups(fit, by_run, by_segment, use_correction=True)[0]
    pair = only(compare_groups(*two(scores, np.zeros((2, segments))), [(0, 1)]))
    # The intersection is centred by the mean there, by runs and segments here.
    assert pair.standard_error == pytest.approx(math.sqrt(covariance[0, 0]), rel=0.02)


def test_of_a_single_system_only_segments_vary() -> None:
    scores = drawn(1, 300, seed=4)
    (group,) = group_scores(mean_statistics(scores), {"r0": ("r0",)})
    expected = stats.t.interval(0.95, 299, loc=scores.mean(), scale=stats.sem(scores[0]))
    assert (group.interval.low, group.interval.high) == pytest.approx(expected, rel=1e-6)
    assert math.isnan(group.standard_deviation)
    assert group.varies == "segments"


def test_equal_runs_have_the_interval_of_one_run() -> None:
    one = drawn(1, 300, seed=5)
    single, several = group_scores(
        mean_statistics(np.repeat(one, 4, axis=0)), {"one": ("r3",), "g": ("r0", "r1", "r2")}
    )
    assert several.interval.low == pytest.approx(single.interval.low)
    assert several.standard_deviation == pytest.approx(0, abs=1e-9)


def test_the_difference_and_its_variance_by_hand() -> None:
    first, second = drawn(3, 150, seed=6), drawn(5, 150, seed=7)
    pair = only(compare_groups(*two(first, second), [(0, 1)]))
    delta = first.mean() - second.mean()
    assert pair.delta == pytest.approx(delta)

    def residual(scores: Floats) -> float:
        centred = scores - scores.mean(axis=1, keepdims=True) - scores.mean(axis=0) + scores.mean()
        runs, segments = scores.shape
        return float(np.square(centred).sum() / ((runs - 1) * (segments - 1)) / (runs * segments))

    between = [float(scores.mean(axis=1).var(ddof=1)) / len(scores) for scores in (first, second)]
    by_segment = float((first.mean(axis=0) - second.mean(axis=0)).var(ddof=1)) / 150
    rest = [residual(first), residual(second)]
    variance = sum(between) + by_segment - sum(rest)
    assert variance > max(sum(between), by_segment)
    degrees = variance**2 / (
        between[0] ** 2 / 2
        + between[1] ** 2 / 4
        + by_segment**2 / 149
        + rest[0] ** 2 / (2 * 149)
        + rest[1] ** 2 / (4 * 149)
    )
    assert pair.standard_error == pytest.approx(math.sqrt(variance), rel=1e-6)
    assert pair.run_error == pytest.approx(math.sqrt(sum(between)))
    assert pair.segment_error == pytest.approx(math.sqrt(by_segment), rel=1e-6)
    assert pair.degrees_of_freedom == pytest.approx(degrees, rel=1e-6)
    assert pair.t == pytest.approx(delta / math.sqrt(variance), rel=1e-6)
    assert pair.p_value == pytest.approx(2 * stats.t.sf(abs(pair.t), degrees), rel=1e-6)
    expected = stats.t.interval(0.95, degrees, loc=delta, scale=math.sqrt(variance))
    assert (pair.interval.low, pair.interval.high) == pytest.approx(expected, rel=1e-6)


def test_without_variation_between_segments_it_is_welchs_test() -> None:
    first, second = drawn(3, 50, seed=8, shared=0, residual=0), drawn(5, 50, seed=9, shared=0, residual=0)
    pair = only(compare_groups(*two(first, second), [(0, 1)]))
    welch = stats.ttest_ind(first[:, 0], second[:, 0], equal_var=False)
    assert (pair.t, pair.degrees_of_freedom) == pytest.approx((welch.statistic, welch.df), rel=1e-6)
    assert pair.p_value == pytest.approx(welch.pvalue, rel=1e-6)


def test_two_single_systems_have_the_paired_t_over_segments() -> None:
    scores = drawn(2, 150, seed=10)
    result = compare_groups(mean_statistics(scores), {"r0": ("r0",), "r1": ("r1",)}, [(0, 1)])
    pair = only(result)
    expected = stats.ttest_rel(scores[0], scores[1])
    assert pair.p_value == pytest.approx(expected.pvalue, rel=1e-6)
    assert pair.degrees_of_freedom == pytest.approx(149)
    assert (pair.varies, math.isnan(pair.run_error), pair.reason) == ("segments", True, "")
    assert result.warnings == ("r0, r1: one run each: differences between runs are not considered",)


def test_with_few_runs_the_critical_value_is_the_weighted_mean_of_those_of_the_parts() -> None:
    first, second = drawn(2, 150, seed=37), drawn(2, 150, seed=38)
    pair = only(compare_groups(*two(first, second), [(0, 1)]))
    squares = [float(scores.mean(axis=1).var(ddof=1)) / 2 for scores in (first, second)]
    between = sum(squares)
    rest = pair.standard_error**2 - between
    assert rest > 0
    welch = between**2 / sum(square**2 for square in squares)
    critical = (between * stats.t.ppf(0.975, welch) + rest * stats.t.ppf(0.975, 149)) / (between + rest)
    assert (pair.interval.high - pair.delta) / pair.standard_error == pytest.approx(critical, rel=1e-6)
    assert pair.p_value == pytest.approx(2 * stats.t.sf(abs(pair.t), pair.degrees_of_freedom), rel=1e-6)


def test_a_single_system_is_taken_as_one_run_that_varies_as_the_others() -> None:
    """Without variation between segments, it is the t-test of two samples of which one has a single value."""
    scores = drawn(5, 50, seed=11, shared=0, residual=0)
    groups = {"g": ("r0", "r1", "r2", "r3"), "r4": ("r4",)}
    result = compare_groups(mean_statistics(scores), groups, [(0, 1), (1, 0)])
    expected = stats.ttest_ind(scores[:4, 0], scores[4:, 0])
    for pair in result.pairs:
        assert pair.p_value == pytest.approx(expected.pvalue, rel=1e-6)
        assert (pair.degrees_of_freedom, pair.varies) == (pytest.approx(3), "runs and segments")
    (warning,) = result.warnings[:1]
    assert warning.startswith("r4: one run: its scores are assumed to vary between runs as much as those of the")


def test_paired_runs_without_variation_between_segments_have_the_paired_t() -> None:
    first, second = drawn(4, 50, seed=12, shared=0, residual=0), drawn(4, 50, seed=13, shared=0, residual=0)
    statistics, groups = two(first, second)
    order = [2, 0, 3, 1]
    seeds = {"a": tuple("wxyz"), "b": tuple("wxyz"[k] for k in order)}
    pair = only(compare_groups(statistics, groups, [(0, 1)], seeds=seeds))
    expected = stats.ttest_rel(first[:, 0][order], second[:, 0])
    assert (pair.t, pair.p_value) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-6)
    assert (pair.runs_paired, pair.degrees_of_freedom) == (True, pytest.approx(3))


@pytest.mark.parametrize("seeds", [{}, {"a": ("1", "2", "3")}, {"a": ("1", "2", "3"), "b": ("1", "2", "4")}])
def test_runs_of_other_seeds_are_independent(seeds: Mapping[str, tuple[str, ...]]) -> None:
    statistics, groups = two(drawn(3, 80, seed=14), drawn(3, 80, seed=15))
    pair = only(compare_groups(statistics, groups, [(0, 1)], seeds=seeds))
    assert not pair.runs_paired
    assert pair == only(compare_groups(statistics, groups, [(0, 1)]))


def test_the_variance_is_never_below_a_component() -> None:
    floored = {"runs": 0, "segments": 0}
    for seed in range(60):
        statistics, groups = two(
            drawn(2, 40, seed=2 * seed, between=0, shared=0), drawn(2, 40, seed=2 * seed + 1, between=0, shared=0)
        )
        pair = only(compare_groups(statistics, groups, [(0, 1)]))
        least = max(pair.run_error, pair.segment_error)
        assert pair.standard_error >= least
        assert pair.standard_error**2 <= pair.run_error**2 + pair.segment_error**2
        if pair.standard_error == least:
            floored["runs" if least == pair.run_error else "segments"] += 1
    assert min(floored.values()) > 5


def test_reversing_a_pair_reverses_the_difference_alone() -> None:
    statistics, groups = two(drawn(3, 80, seed=16), drawn(4, 80, seed=17))
    forwards, backwards = compare_groups(statistics, groups, [(0, 1), (1, 0)]).pairs
    assert backwards.delta == -forwards.delta
    assert (backwards.interval.low, backwards.interval.high) == pytest.approx(
        (-forwards.interval.high, -forwards.interval.low)
    )
    assert backwards.p_value == pytest.approx(forwards.p_value)


def test_p_is_corrected_for_all_pairs_and_depends_on_no_other_group() -> None:
    scores = np.concatenate([drawn(3, 90, seed=18), drawn(3, 90, seed=19), drawn(3, 90, seed=20)])
    names = tuple(f"r{k}" for k in range(9))
    groups = {"a": names[:3], "b": names[3:6], "c": names[6:]}
    result = compare_groups(mean_statistics(scores), groups, [(1, 0), (2, 0)])
    p_values = sorted(pair.p_value for pair in result.pairs)
    assert sorted(pair.p_value_adjusted for pair in result.pairs) == pytest.approx(
        [min(1, 2 * p_values[0]), max(min(1, 2 * p_values[0]), p_values[1])]
    )
    assert result.family == "2 pairs with a"
    alone = only(compare_groups(mean_statistics(scores), {"a": names[:3], "b": names[3:6]}, [(1, 0)]))
    assert alone.p_value == result.pairs[0].p_value


def test_verdicts_follow_the_direction_of_the_metric() -> None:
    statistics, groups = two(drawn(3, 200, seed=21, between=0.1) + 5, drawn(3, 200, seed=22, between=0.1))
    result = compare_groups(statistics, groups, [(0, 1)])
    assert result.verdict(only(result)) == 1
    lower = compare_groups(replace(statistics, higher_is_better=False), groups, [(0, 1)])
    assert lower.verdict(only(lower)) == -1
    assert ranked_group_pairs(lower.groups, higher_is_better=False) == ((1, 0),)


def test_documents_vary_as_a_whole() -> None:
    first, second = drawn(3, 240, seed=23), drawn(3, 240, seed=24)
    documents = document_blocks([f"d{n // 2}" for n in range(240)])
    statistics, groups = two(first, second)
    result = compare_groups(statistics, groups, [(0, 1)], units=documents)
    halves = [scores.reshape(3, 120, 2).mean(axis=2) for scores in (first, second)]
    expected = only(compare_groups(*two(*halves), [(0, 1)]))
    assert only(result).p_value == pytest.approx(expected.p_value, rel=1e-6)
    assert (result.unit, result.units, only(result).varies) == ("document", 120, "runs and documents")


def test_few_units_have_no_interval_and_no_p() -> None:
    statistics, groups = two(drawn(3, 5, seed=25), drawn(3, 5, seed=26))
    result = compare_groups(statistics, groups, [(0, 1)])
    pair = only(result)
    assert math.isnan(pair.p_value)
    assert math.isnan(pair.p_value_adjusted)
    assert math.isnan(pair.interval.low)
    assert pair.reason == result.groups[0].reason == "only 5 segments, at least 6 needed"
    assert any("at least 6 expected" in warning for warning in result.warnings)


def test_an_undefined_score_is_a_reason() -> None:
    scores = drawn(6, 120, seed=27)
    statistics = mean_statistics(scores)
    values = np.array(statistics.values)
    values[5] = 0
    statistics = replace(statistics, values=values)
    groups = {"a": ("r0", "r1", "r2"), "b": ("r3", "r4", "r5")}
    with np.errstate(invalid="ignore"):
        result = compare_groups(statistics, groups, [(0, 1)])
    assert only(result).reason == result.groups[1].reason == "a score is undefined"
    assert math.isnan(only(result).p_value)
    assert result.groups[0].reason == ""


def test_equal_outputs_have_no_variance_and_differ_by_0() -> None:
    statistics = mean_statistics(np.repeat(drawn(1, 120, seed=28), 4, axis=0))
    pair = only(compare_groups(statistics, {"a": ("r0", "r1"), "b": ("r2", "r3")}, [(0, 1)]))
    assert (pair.delta, pair.p_value, pair.reason) == (0, 1, "no variance")
    shifted = mean_statistics(np.repeat([[30.0], [31.0]], 2, axis=0) * np.ones(120))
    pair = only(compare_groups(shifted, {"a": ("r0", "r1"), "b": ("r2", "r3")}, [(0, 1)]))
    assert math.isnan(pair.p_value)
    assert (pair.delta, pair.reason) == (-1, "no variance")


def test_statistics_that_are_not_tested_give_their_reason() -> None:
    statistics, groups = two(drawn(3, 120, seed=29), drawn(3, 120, seed=30))
    result = compare_groups(replace(statistics, untested="judges are confounded"), groups, [(0, 1)])
    assert only(result).reason == "judges are confounded"
    assert math.isnan(only(result).p_value)


def test_groups_are_compared_on_the_segments_that_all_their_runs_have() -> None:
    first, second = drawn(3, 150, seed=31), drawn(3, 150, seed=32)
    statistics, groups = two(first, second)
    values = np.array(statistics.values)
    values[0, :30] = 0
    values[4, 140:] = 0
    gaps = replace(statistics, values=values, has_gaps=True)
    pair = only(compare_groups(gaps, groups, [(0, 1)]))
    expected = only(compare_groups(*two(first[:, 30:140], second[:, 30:140]), [(0, 1)]))
    assert pair.segments == 110
    assert (pair.delta, pair.p_value) == pytest.approx((expected.delta, expected.p_value))
    few = values.copy()
    few[2, 40:] = 0
    pair = only(compare_groups(replace(gaps, values=few), groups, [(0, 1)]))
    assert pair.reason == "only 10 segments with scores by all runs, 20 expected"


def test_a_level_of_significance_outside_0_to_1_is_an_error() -> None:
    with pytest.raises(SettingsError, match="alpha 1 found"):
        compare_groups(*two(drawn(2, 20, seed=1), drawn(2, 20, seed=2)), [(0, 1)], alpha=1)


def test_the_segment_error_is_that_of_the_bootstrap() -> None:
    statistics = bleu_runs(400, 6)
    groups = {"a": statistics.systems[:3], "b": statistics.systems[3:]}
    pair = only(compare_groups(statistics, groups, [(0, 1)]))
    drawn_scores = bootstrap_scores(statistics, 4000, 1)
    deltas = drawn_scores[:3].mean(axis=0) - drawn_scores[3:].mean(axis=0)
    assert pair.segment_error == pytest.approx(float(deltas.std(ddof=1)), rel=0.06)
    assert pair.delta == pytest.approx(float((s := statistics.score(statistics.sums()))[:3].mean() - s[3:].mean()))


def test_two_single_systems_are_compared_as_by_compare() -> None:
    statistics = bleu_runs(400, 2)
    groups = {name: (name,) for name in statistics.systems}
    pair = only(compare_groups(statistics, groups, [(0, 1)]))
    (expected,) = compare(statistics, [(0, 1)]).pairs
    assert pair.standard_error == pytest.approx(expected.standard_error, rel=0.05)
    assert pair.standard_error == pytest.approx(effects(statistics).error(0, 1), rel=0.005)


def test_with_few_units_it_is_the_jackknife() -> None:
    statistics = bleu_runs(60, 2)
    groups = {name: (name,) for name in statistics.systems}
    pair = only(compare_groups(statistics, groups, [(0, 1)]))
    assert pair.standard_error == pytest.approx(float(jackknife_errors(statistics, [(0, 1)])[0]), rel=1e-9)
    (expected,) = compare(statistics, [(0, 1)]).pairs
    assert pair.p_value == pytest.approx(expected.p_value, rel=1e-9)


def test_memory_grows_with_runs_and_segments_not_with_pairs() -> None:
    runs, segments = 60, 4000
    statistics = mean_statistics(drawn(runs, segments, seed=33))
    groups = {f"g{k}": statistics.systems[3 * k : 3 * k + 3] for k in range(runs // 3)}
    pairs = [(later, earlier) for later in range(20) for earlier in range(later)]
    tracemalloc.start()
    try:
        compare_groups(statistics, groups, pairs)
        assert tracemalloc.get_traced_memory()[1] < 12 * runs * segments * 8
    finally:
        tracemalloc.stop()


def two(first: Floats, second: Floats) -> tuple[SegmentStatistics, Mapping[str, tuple[str, ...]]]:
    """Two groups of runs, a and b."""
    statistics = mean_statistics(np.concatenate([first, second]))
    return statistics, {"a": statistics.systems[: len(first)], "b": statistics.systems[len(first) :]}


def bleu_runs(segments: int, runs: int) -> SegmentStatistics:
    """Runs that replace words of the reference at random."""
    generator = np.random.default_rng(34)
    reference = [[f"w{n}" for n in generator.zipf(1.5, size=generator.integers(8, 30)) % 500] for _ in range(segments)]
    hard = generator.uniform(0.1, 0.5, segments)
    systems = {
        f"r{k}": tuple(
            " ".join(f"x{k}" if generator.random() < rate else word for word in words)
            for words, rate in zip(reference, hard, strict=True)
        )
        for k in range(runs)
    }
    corpus = Corpus(systems, {"R": tuple(map(" ".join, reference))})
    return evaluate(corpus).statistics
