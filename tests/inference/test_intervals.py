"""Intervals of correlation coefficients."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bleu_core.inference import (
    ALPHA,
    Interval,
    correlation_interval,
    one_sample_t,
    percentile_interval,
    significant,
    student_interval,
)

METHODS = ("pearson", "spearman", "kendall")
# Numerator and lost pairs of the variance on Fisher's scale.
VARIANCES = {"pearson": lambda _: (1.0, 3), "spearman": lambda r: (1 + r * r / 2, 3), "kendall": lambda _: (0.437, 4)}
Z = 1.959963984540054


@given(st.integers(0, 999), st.integers(4, 40), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_pearsons_interval_equals_scipys(seed: int, pairs: int, confidence: float) -> None:
    x, y = np.random.default_rng(seed).normal(size=(2, pairs))
    result = stats.pearsonr(x, y)
    wanted = result.confidence_interval(confidence)
    found = correlation_interval("pearson", float(result.statistic), pairs, confidence)
    assert (found.low, found.high) == (pytest.approx(wanted.low, rel=1e-9), pytest.approx(wanted.high, rel=1e-9))
    assert found.confidence == confidence


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("coefficient", [-0.9, -0.2, 0.0, 0.5, 0.99])
@pytest.mark.parametrize("pairs", [5, 14, 100])
def test_intervals_by_their_formula(method: str, coefficient: float, pairs: int) -> None:
    numerator, lost = VARIANCES[method](coefficient)
    width = Z * math.sqrt(numerator / (pairs - lost))
    found = correlation_interval(method, coefficient, pairs)
    assert math.atanh(found.low) == pytest.approx(math.atanh(coefficient) - width)
    assert math.atanh(found.high) == pytest.approx(math.atanh(coefficient) + width)


@pytest.mark.parametrize(("method", "pairs"), [("pearson", 3), ("pearson", 2), ("spearman", 3), ("kendall", 4)])
def test_too_few_pairs_exclude_nothing(method: str, pairs: int) -> None:
    assert correlation_interval(method, 0.9, pairs) == Interval(-1.0, 1.0, 0.95)
    assert correlation_interval(method, 1.0, pairs) == Interval(-1.0, 1.0, 0.95)


@pytest.mark.parametrize("coefficient", [-1.0, 1.0])
def test_a_perfect_pearson_has_no_width_as_in_scipy(coefficient: float) -> None:
    assert correlation_interval("pearson", coefficient, 10) == Interval(coefficient, coefficient, 0.95)
    x = np.arange(10.0)
    wanted = stats.pearsonr(x, coefficient * x).confidence_interval()
    assert (wanted.low, wanted.high) == (pytest.approx(coefficient), pytest.approx(coefficient))


@pytest.mark.parametrize("method", ["spearman", "kendall"])
@pytest.mark.parametrize("coefficient", [-1.0, 1.0])
def test_a_perfect_rank_correlation_has_no_interval(method: str, coefficient: float) -> None:
    found = correlation_interval(method, coefficient, 10)
    assert math.isnan(found.low)
    assert math.isnan(found.high)


@given(st.sampled_from(METHODS), st.floats(-0.999, 0.999), st.integers(5, 200))
def test_an_interval_holds_its_coefficient_and_is_symmetric_in_sign(
    method: str, coefficient: float, pairs: int
) -> None:
    found = correlation_interval(method, coefficient, pairs)
    assert -1 <= found.low <= coefficient <= found.high <= 1
    turned = correlation_interval(method, -coefficient, pairs)
    assert (turned.low, turned.high) == (pytest.approx(-found.high), pytest.approx(-found.low))


@given(st.sampled_from(METHODS), st.floats(-0.9, 0.9), st.integers(5, 100))
def test_more_pairs_and_less_confidence_are_narrower(method: str, coefficient: float, pairs: int) -> None:
    def width(n: int, confidence: float) -> float:
        found = correlation_interval(method, coefficient, n, confidence)
        return found.high - found.low

    assert width(pairs + 1, 0.95) < width(pairs, 0.95) < width(pairs, 0.99)


@given(st.integers(0, 99), st.integers(2, 40), st.sampled_from([0.5, 0.9, 0.95]))
def test_the_t_of_a_sample_and_its_interval_equal_scipys(seed: int, size: int, confidence: float) -> None:
    values = np.random.default_rng(seed).normal(1, 2, size)
    wanted = stats.ttest_1samp(values, 0)
    found = one_sample_t(values)
    assert (found.n, found.degrees_of_freedom) == (size, wanted.df)
    assert (found.mean, found.standard_deviation) == (pytest.approx(values.mean()), pytest.approx(values.std(ddof=1)))
    assert (found.t, found.p_value) == (pytest.approx(wanted.statistic), pytest.approx(wanted.pvalue))
    interval, theirs = found.interval(confidence), wanted.confidence_interval(confidence)
    assert (interval.low, interval.high) == (pytest.approx(theirs.low), pytest.approx(theirs.high))


@pytest.mark.parametrize("values", [[], [1.0]])
def test_fewer_than_two_values_have_no_t_and_no_interval(values: list[float]) -> None:
    found = one_sample_t(np.array(values))
    assert found.degrees_of_freedom == 0
    undefined = found.t, found.p_value, found.standard_error, found.interval().low, found.interval().high
    assert all(map(math.isnan, undefined))


def test_equal_values_have_no_t_but_an_interval() -> None:
    found = one_sample_t(np.array([0.1 + 0.2, 0.3, 0.3]))
    assert math.isnan(found.t)
    assert math.isnan(found.p_value)
    assert (found.interval().low, found.interval().high) == (pytest.approx(0.3), pytest.approx(0.3))


def test_what_makes_an_interval_is_passed_by_name() -> None:
    with pytest.raises(TypeError):
        student_interval(1.0, 2.0, 19)  # type: ignore[misc] # pyright: ignore[reportCallIssue]


@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.1])
def test_p_is_significant_below_the_level_only(alpha: float) -> None:
    p_values = np.array([0.0, math.nextafter(alpha, 0), alpha, math.nextafter(alpha, 1), 1.0, math.nan])
    wanted = [True, True, False, False, False, False]
    assert significant(p_values, alpha).tolist() == wanted
    assert [significant(p, alpha) for p in p_values.tolist()] == wanted
    assert significant(p_values[None], alpha).shape == (1, 6)


def test_the_level_is_5_percent_unless_said_otherwise() -> None:
    assert ALPHA == 0.05
    assert significant(0.0499)
    assert not significant(0.05)


def test_percentiles_leave_out_the_same_share_on_both_sides_and_no_gaps() -> None:
    values = np.append(np.arange(101.0), math.nan)
    found = percentile_interval(values, 0.9)
    assert (found.low, found.high, found.confidence) == (pytest.approx(5), pytest.approx(95), 0.9)
    assert math.isnan(percentile_interval(np.array([math.nan])).low)


@pytest.mark.parametrize("size", [5, 10, 30])
def test_expanded_percentiles_of_normal_means_are_students(size: int) -> None:
    # The means of resamples deviate by s * sqrt((n - 1) / n) / sqrt(n), which is what is made up for.
    quantiles = stats.norm.ppf((np.arange(200_000) + 0.5) / 200_000)
    means = 2 + quantiles * math.sqrt((size - 1) / size) / math.sqrt(size)
    wanted = student_interval(2, standard_error=1 / math.sqrt(size), degrees_of_freedom=size - 1)
    found = percentile_interval(means, expanded_for=size)
    assert (found.low, found.high) == (pytest.approx(wanted.low, abs=1e-3), pytest.approx(wanted.high, abs=1e-3))
