"""Differences pooled over test sets, and predictions: against statsmodels, SciPy and calculations by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats
from statsmodels.stats.meta_analysis import combine_effects

from bleu_core.arrays import Floats
from bleu_core.collection import PooledDifference, SetDifference, pool
from bleu_core.collection.meta_analysis import between_set_variances
from bleu_core.errors import SettingsError
from bleu_core.fields import table_of
from bleu_core.results.encoding import to_json

#: Four test sets, two of which differ more from the others than their errors explain.
DELTAS, ERRORS = (0.4, 1.9, 0.7, 1.3), (0.3, 0.4, 0.2, 0.6)

NAN = math.nan

#: Differences and errors in hundredths of a point, so that none differ by rounding errors alone.
SETS = st.lists(st.tuples(st.integers(-1000, 1000), st.integers(1, 500)), min_size=4, max_size=12)


def random_sets(seed: int) -> tuple[Floats, Floats]:
    """Differences and errors of 2 to 30 sets, with heterogeneity from none to three times an error."""
    generator = np.random.default_rng(seed)
    number = int(generator.integers(2, 31))
    errors = generator.uniform(0.1, 1, number)
    tau = generator.choice([0, 0.3, 1, 3]) * 0.5
    return generator.normal(generator.normal(), np.hypot(tau, errors)), errors


def numbers(pooled: PooledDifference) -> list[float]:
    """What is in points, then what has no unit."""
    prediction = pooled.prediction
    points = [pooled.delta, pooled.standard_error, pooled.interval.low, pooled.interval.high]
    predicted = [prediction.interval.low, prediction.interval.high]
    return [*points, *predicted, pooled.tau, pooled.weighted_error]


def without_unit(pooled: PooledDifference) -> list[float]:
    return [pooled.t, pooled.p_value, pooled.q, pooled.q_p_value, pooled.i_squared, pooled.error_factor]


def q_at(tau_squared: float, deltas: Floats, errors: Floats) -> float:
    weights = 1 / (errors**2 + tau_squared)
    mean = np.average(deltas, weights=weights)
    return float((weights * (deltas - mean) ** 2).sum())


@pytest.mark.parametrize("seed", range(200))
def test_pooled_differences_equal_those_of_statsmodels(seed: int) -> None:
    deltas, errors = random_sets(seed)
    # With 1e-9, it returns tau = 0 for some sets, where rounding makes its equation slightly negative at the solution.
    expected: Any = combine_effects(deltas, errors**2, method_re="iterated", use_t=True, atol=1e-6)
    pooled = pool(deltas, errors)
    low, high = expected.conf_int()[3]
    assert pooled.delta == pytest.approx(expected.mean_effect_re, abs=1e-6)
    assert pooled.standard_error == pytest.approx(expected.sd_eff_w_re_hksj, abs=1e-6)
    assert pooled.weighted_error == pytest.approx(expected.sd_eff_w_re, abs=1e-6)
    assert pooled.error_factor == pytest.approx(expected.scale_hksj_re, abs=1e-6)
    assert (pooled.interval.low, pooled.interval.high) == pytest.approx((low, high), abs=1e-6)
    assert pooled.tau**2 == pytest.approx(expected.tau2, abs=1e-6)
    homogeneity = expected.test_homogeneity()
    assert (pooled.q, pooled.q_p_value) == pytest.approx((homogeneity.statistic, homogeneity.pvalue), abs=1e-6)
    assert pooled.i_squared == pytest.approx(max(0, expected.i2), abs=1e-6)
    assert [each.weight for each in pooled.sets] == pytest.approx(expected.weights_rel_re, abs=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_p_is_that_of_t_with_one_degree_of_freedom_less_than_sets(seed: int) -> None:
    deltas, errors = random_sets(seed)
    pooled = pool(deltas, errors)
    assert pooled.degrees_of_freedom == len(deltas) - 1
    assert pooled.t == pytest.approx(pooled.delta / pooled.standard_error)
    assert pooled.p_value == pytest.approx(2 * stats.t.sf(abs(pooled.t), len(deltas) - 1))


def test_p_is_below_the_level_where_the_interval_excludes_zero() -> None:
    for seed in range(200):
        pooled = pool(*random_sets(seed), confidence=0.9)
        assert (pooled.p_value < 0.1) == (not pooled.spans_zero)


@pytest.mark.parametrize("smallest", [1, 1e-2, 1e-4, 1e-6])
def test_tau_solves_the_equation_of_paule_and_mandel_for_very_unequal_errors(smallest: float) -> None:
    deltas, errors = np.array([1.0, 2.0, 4.0, 1.5, -3.0]), np.array([smallest, 1, 0.5, 3, 0.1])
    pooled = pool(deltas, errors)
    root = optimize.brentq(lambda tau_squared: q_at(tau_squared, deltas, errors) - 4, 1e-9, 1e3, xtol=1e-14, rtol=1e-14)
    assert pooled.tau**2 == pytest.approx(root, rel=1e-9)
    assert pooled.error_factor == pytest.approx(1)


def test_many_variances_are_estimated_at_once() -> None:
    generator = np.random.default_rng(1)
    deltas, errors = generator.normal(0, 2, (50, 6)), generator.uniform(0.2, 2, (50, 6))
    at_once = between_set_variances(deltas, errors**2, np.asarray(5.0))
    assert at_once == pytest.approx([pool(d, e).tau ** 2 for d, e in zip(deltas, errors, strict=True)])
    assert 0 < (at_once == 0).sum() < 50


def test_the_prediction_interval_is_its_formula_by_hand() -> None:
    pooled = pool(DELTAS, ERRORS)
    tau_squared = optimize.brentq(lambda v: q_at(v, np.array(DELTAS), np.array(ERRORS)) - 3, 0, 10, xtol=1e-14)
    weights = [1 / (error**2 + tau_squared) for error in ERRORS]
    mean = sum(w * d for w, d in zip(weights, DELTAS, strict=True)) / sum(weights)
    deviations = sum(w * (d - mean) ** 2 for w, d in zip(weights, DELTAS, strict=True))
    variance = deviations / sum(weights) / 3
    assert tau_squared > 0
    t = 4.302652729749464  # the 97.5 % quantile with 2 degrees of freedom
    half_width = t * math.sqrt(variance + tau_squared + 0.35**2)  # 0.35: the median of 0.2, 0.3, 0.4 and 0.6
    prediction = pooled.prediction
    assert prediction.median_error == pytest.approx(0.35)
    assert prediction.degrees_of_freedom == 2
    assert prediction.interval.low == pytest.approx(mean - half_width)
    assert prediction.interval.high == pytest.approx(mean + half_width)
    assert prediction.spans_zero
    assert prediction.reason == ""


def test_without_heterogeneity_the_prediction_interval_has_the_errors_alone() -> None:
    pooled = pool([1.0, 1.2, 0.8, 1.0], [0.5] * 4)
    assert pooled.tau == 0
    variance = 0.08 / 3 / 4  # of the mean of four values, by their deviations
    half_width = stats.t.ppf(0.975, 2) * math.sqrt(variance + 0.25)
    assert pooled.prediction.interval.high == pytest.approx(1 + half_width)


def test_intervals_of_sets_are_normal_and_weights_sum_to_one() -> None:
    pooled = pool(DELTAS, ERRORS, names=("a", "b", "c", "d"), confidence=0.9)
    assert [each.name for each in pooled.sets] == ["a", "b", "c", "d"]
    for each, delta, error in zip(pooled.sets, DELTAS, ERRORS, strict=True):
        bounds = stats.norm.interval(0.9, delta, error)
        assert (each.interval.low, each.interval.high) == pytest.approx(bounds)
        assert each.interval.confidence == 0.9
    assert sum(each.weight for each in pooled.sets) == pytest.approx(1)
    assert max(pooled.sets, key=lambda each: each.weight).name == "c"  # the smallest error


def test_very_unequal_errors_are_found_among_the_sets_that_are_pooled() -> None:
    pooled = pool([1, 2, 3, 4, 5], [0.2, 0.3, 0.6, NAN, 0])
    assert pooled.error_ratio == pytest.approx(3)


def test_no_set_has_no_pooled_difference() -> None:
    for pooled in (pool([], []), pool([NAN], [0.3])):
        assert pooled.reason == pooled.prediction.reason == "no test set has a difference with a standard error"
        assert all(map(math.isnan, numbers(pooled) + without_unit(pooled)))
        assert pooled.number == pooled.degrees_of_freedom == 0


def test_one_set_has_its_difference_and_nothing_else() -> None:
    pooled = pool([1.5], [0.3])
    assert (pooled.delta, pooled.sets[0].weight, pooled.prediction.median_error) == (1.5, 1, 0.3)
    assert all(map(math.isnan, numbers(pooled)[1:] + without_unit(pooled)))
    assert pooled.reason == "only one test set"
    assert pooled.prediction.reason == "only one test set, at least 4 needed"
    assert pooled.spans_zero


def test_two_sets_are_pooled_with_one_degree_of_freedom() -> None:
    pooled = pool([1.0, 3.0], [0.5, 0.5])
    assert (pooled.delta, pooled.q) == (pytest.approx(2), pytest.approx(8))
    assert pooled.tau**2 == pytest.approx(2 - 0.25)
    assert pooled.standard_error == pytest.approx(1)
    assert pooled.interval.low == pytest.approx(2 - stats.t.ppf(0.975, 1))
    assert pooled.reason == ""


@pytest.mark.parametrize("number", [2, 3])
def test_fewer_than_four_sets_predict_nothing(number: int) -> None:
    pooled = pool(DELTAS[:number], ERRORS[:number])
    assert not math.isnan(pooled.p_value)
    assert pooled.prediction.reason == f"only {number} test sets, at least 4 needed"
    assert all(map(math.isnan, numbers(pooled)[4:6]))
    assert pooled.prediction.spans_zero


@pytest.mark.parametrize(
    ("delta", "error", "reason"),
    [
        (NAN, 0.3, "the difference is undefined"),
        (math.inf, 0.3, "the difference is undefined"),
        (1.0, NAN, "the standard error is undefined"),
        (1.0, math.inf, "the standard error is undefined"),
        (1.0, 0.0, "the standard error is 0"),
        (0.0, 1e-16, "the standard error is 0"),  # a rounding error, of equal outputs
    ],
)
def test_sets_without_an_error_are_left_out_with_a_reason(delta: float, error: float, reason: str) -> None:
    pooled = pool([*DELTAS[:2], delta, *DELTAS[2:]], [*ERRORS[:2], error, *ERRORS[2:]])
    left_out = pooled.sets[2]
    assert (left_out.name, left_out.reason) == ("3", reason)
    assert math.isnan(left_out.weight)
    assert math.isnan(left_out.interval.low)
    assert not math.isinf(left_out.delta)
    expected = pool(DELTAS, ERRORS)
    assert numbers(pooled) == numbers(expected)
    assert pooled.number == 4
    assert [each.name for each in pooled.pooled] == ["1", "2", "4", "5"]


@pytest.mark.parametrize("value", [0.0, 0.1, -2.3])
def test_equal_differences_have_no_interval(value: float) -> None:
    pooled = pool([value] * 5, [0.2, 0.3, 0.4, 0.3, 0.1])
    assert pooled.reason == pooled.prediction.reason == "the differences of all test sets are equal"
    assert pooled.delta == pytest.approx(value)
    assert (pooled.tau, pooled.i_squared) == (0, 0)
    assert pooled.q == pytest.approx(0)
    assert pooled.q_p_value == pytest.approx(1)
    assert all(map(math.isnan, [*numbers(pooled)[1:6], pooled.t, pooled.p_value]))


def test_a_tiny_p_is_not_zero() -> None:
    pooled = pool([100 + k / 1e5 for k in range(200)], [1e-3] * 200)
    assert 0 < pooled.p_value < 1e-300
    pooled = pool([0.0, 1e4, -1e4], [1.0] * 3)
    assert 0 < pooled.q_p_value < 1e-300


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="4 differences, 3 errors and 4 names found, equal numbers expected"):
        pool(DELTAS, ERRORS[:3])
    with pytest.raises(ValueError, match="4 differences, 4 errors and 1 names found, equal numbers expected"):
        pool(DELTAS, ERRORS, names=["a"])
    with pytest.raises(ValueError, match=r"standard error -0\.3 found, at least 0 expected"):
        pool([1, 2, 3], [0.2, NAN, -0.3])
    for confidence in (0, 1, 95, NAN):
        with pytest.raises(SettingsError, match=r"confidence .* found, a number between 0 and 1 expected"):
            pool(DELTAS, ERRORS, confidence=confidence)


def split(sets: Sequence[tuple[int, int]]) -> tuple[Floats, Floats]:
    deltas, errors = np.array(sets, np.float64).T / 100
    return deltas, errors


@given(SETS, st.randoms(use_true_random=False))
def test_the_order_of_sets_does_not_matter(sets: list[tuple[int, int]], random: Random) -> None:
    deltas, errors = split(sets)
    order = list(range(len(sets)))
    random.shuffle(order)
    pooled, shuffled = pool(deltas, errors), pool(deltas[order], errors[order])
    assert numbers(shuffled) == pytest.approx(numbers(pooled), rel=1e-6, abs=1e-6, nan_ok=True)
    assert without_unit(shuffled) == pytest.approx(without_unit(pooled), rel=1e-6, abs=1e-6, nan_ok=True)
    weights = [pooled.sets[k].weight for k in order]
    assert [each.weight for each in shuffled.sets] == pytest.approx(weights, abs=1e-6)


@given(SETS)
def test_exchanging_the_systems_negates_the_difference(sets: list[tuple[int, int]]) -> None:
    deltas, errors = split(sets)
    pooled, negated = pool(deltas, errors), pool(-deltas, errors)
    assert negated.delta == pytest.approx(-pooled.delta, abs=1e-9)
    assert negated.interval.low == pytest.approx(-pooled.interval.high, abs=1e-6, nan_ok=True)
    assert negated.prediction.interval.low == pytest.approx(-pooled.prediction.interval.high, abs=1e-6, nan_ok=True)
    assert negated.p_value == pytest.approx(pooled.p_value, nan_ok=True)
    assert (negated.tau, negated.q) == pytest.approx((pooled.tau, pooled.q), abs=1e-9)


@given(SETS, st.sampled_from([1e-3, 0.1, 7, 1e3]))
def test_the_scale_of_scores_does_not_matter(sets: list[tuple[int, int]], factor: float) -> None:
    deltas, errors = split(sets)
    pooled, scaled = pool(deltas, errors), pool(factor * deltas, factor * errors)
    expected = [factor * number for number in numbers(pooled)]
    assert numbers(scaled) == pytest.approx(expected, rel=1e-6, abs=1e-6 * factor, nan_ok=True)
    assert without_unit(scaled) == pytest.approx(without_unit(pooled), rel=1e-6, abs=1e-6, nan_ok=True)


@given(SETS, st.integers(-500, 500))
def test_a_constant_added_to_all_differences_is_added_to_what_is_predicted(
    sets: list[tuple[int, int]], constant: int
) -> None:
    deltas, errors = split(sets)
    pooled, moved = pool(deltas, errors), pool(deltas + constant, errors)
    assert moved.delta == pytest.approx(pooled.delta + constant, abs=1e-6)
    assert moved.tau == pytest.approx(pooled.tau, abs=1e-6)
    assert moved.prediction.interval.low == pytest.approx(
        pooled.prediction.interval.low + constant, abs=1e-5, nan_ok=True
    )


def test_the_result_is_a_row_of_a_table_and_an_object_in_json() -> None:
    pooled = pool([*DELTAS, 1.0], [*ERRORS, 0.0], names=("a", "b", "c", "d", "e"))
    table = table_of([pooled], PooledDifference)
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert row["pooled_sets"] == 4
    assert row["low"] == pooled.interval.low
    assert row["prediction_high"] == pooled.prediction.interval.high
    assert "sets" not in row
    sets = table_of(pooled.sets, SetDifference)
    assert [cells[0] for cells in sets.rows] == ["a", "b", "c", "d", "e"]
    written = to_json(pooled)
    assert written["prediction_low"] == pooled.prediction.interval.low
    assert written["confidence"] == 0.95
    assert written["sets"][0]["set"] == "a"
    assert written["sets"][4]["weight"] is None
    assert written["sets"][4]["reason"] == "the standard error is 0"
    few = to_json(pool(DELTAS[:3], ERRORS[:3]))
    assert few["prediction_low"] is None
    assert few["prediction_reason"] == "only 3 test sets, at least 4 needed"
