"""Intervals of correlation coefficients."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bleu_core.intervals import Interval, correlation_interval, mean_interval, percentile_interval

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
def test_the_interval_of_a_mean_equals_scipys(seed: int, size: int, confidence: float) -> None:
    values = np.random.default_rng(seed).normal(3, 2, size)
    wanted = stats.ttest_1samp(values, 0).confidence_interval(confidence)
    error = float(values.std(ddof=1)) / math.sqrt(size)
    found = mean_interval(float(values.mean()), error, size - 1, confidence)
    assert (found.low, found.high) == (pytest.approx(wanted.low), pytest.approx(wanted.high))


@pytest.mark.parametrize("size", [0, 1])
def test_the_mean_of_fewer_than_two_values_has_no_interval(size: int) -> None:
    found = mean_interval(1.0, math.nan, size - 1)
    assert math.isnan(found.low)
    assert math.isnan(found.high)


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
    wanted, found = mean_interval(2, 1 / math.sqrt(size), size - 1), percentile_interval(means, expanded_for=size)
    assert (found.low, found.high) == (pytest.approx(wanted.low, abs=1e-3), pytest.approx(wanted.high, abs=1e-3))
