"""Agreement on systems: soft pairwise accuracy, other systems, other segments, single systems."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from bleu_core.agreement import Method, kendall, pearson, spearman
from bleu_core.agreement import system_agreement as system_level
from bleu_core.agreement.correlation import pairwise_accuracy
from bleu_core.agreement.segment_agreement import METHODS
from bleu_core.agreement.system_agreement import (
    bootstrap_systems,
    leave_one_out,
    outliers,
    permutation_p_values,
    permutation_p_values_of_sums,
    soft_pairwise_accuracy,
    stability,
)
from bleu_core.arrays import Floats
from bleu_core.dataset import Corpus
from bleu_core.scoring import BleuSettings, SegmentStatistics, evaluate

NAN = math.nan


def drawn(systems: int = 8, segments: int = 40, seed: int = 0) -> tuple[Floats, Floats]:
    generator = np.random.default_rng(seed)
    quality = generator.normal(size=(systems, 1))
    return (
        quality + generator.normal(size=(systems, segments)),
        quality + 2 * generator.normal(size=(systems, segments)),
    )


def coefficient(x: Floats, y: Floats, method: Method) -> float:
    if method == "pairwise-accuracy":
        return pairwise_accuracy(x, y).value
    return {"pearson": pearson, "spearman": spearman, "kendall": kendall}[method](x, y).coefficient


# --- soft pairwise accuracy -------------------------------------------------------------------------------------


def authors_p_values(scores: Floats, permutations: int, seed: int) -> Floats:
    """The definition of Thompson et al.'s program (mt-metrics-eval, pce.py), in float64 and one pair at a time."""
    systems, segments = scores.shape
    signs = 2 * np.rint(np.random.default_rng(seed).random((permutations, segments), np.float32)).astype(float) - 1
    found = np.full((systems, systems), NAN)
    for i, j in itertools.combinations(range(systems), 2):
        null = signs @ scores[i] - signs @ scores[j]
        found[i, j] = (null >= scores[i].sum() - scores[j].sum()).mean()
    return found


def test_p_values_are_the_authors_with_the_same_seed() -> None:
    scores, _ = drawn()
    upper = np.triu_indices(8, k=1)
    found = permutation_p_values(scores, permutations=700, seed=4)
    np.testing.assert_allclose(found[upper], authors_p_values(scores, 700, 4)[upper], atol=1e-12)


def test_p_values_do_not_depend_on_batches_or_the_order_of_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    scores, _ = drawn()
    wanted = permutation_p_values(scores)
    order = np.random.default_rng(1).permutation(8)
    np.testing.assert_allclose(permutation_p_values(scores[order]), wanted[np.ix_(order, order)], atol=1e-12)
    monkeypatch.setattr(system_level, "BATCH_CELLS", 123)
    np.testing.assert_array_equal(permutation_p_values(scores), wanted)


def test_p_values_of_all_swaps_by_hand() -> None:
    # Differences 1 and 2: the eight thousand draws are of 3, 1, -1, -3, equally often. 3 is reached once in four, and
    # that is a tie, which counts half: 1/8.
    found = permutation_p_values(np.array([[1.0, 2], [0, 0]]), permutations=8000)
    assert found[0, 1] == pytest.approx(1 / 8, abs=0.01)
    assert found[1, 0] == 1 - found[0, 1]
    assert np.isnan(np.diag(found)).all()


def test_equal_systems_are_as_likely_the_better() -> None:
    scores = np.repeat(drawn()[0][:1], 2, axis=0)
    assert permutation_p_values(scores)[0, 1] == 0.5


def test_pairs_are_compared_on_their_common_segments() -> None:
    scores, _ = drawn(3)
    scores[0, 10:] = NAN
    scores[1, :20] = NAN
    found = permutation_p_values(scores)
    assert np.isnan(found[0, 1])
    assert np.isnan(found[1, 0])
    assert not np.isnan(found[0, 2])


def test_segments_without_scores_do_not_matter() -> None:
    scores, _ = drawn()
    gaps = np.full((8, 60), NAN)
    gaps[:, np.random.default_rng(1).permutation(60)[:40]] = scores
    compact = gaps[:, np.isfinite(gaps).all(axis=0)]
    np.testing.assert_array_equal(permutation_p_values(gaps), permutation_p_values(compact))


def mean_table(scores: Floats, *, higher_is_better: bool = True) -> SegmentStatistics:
    """A score that is the sum of segment scores."""

    def first_column(sums: npt.NDArray[np.int64 | np.float64]) -> Floats:
        return sums[..., 0].astype(np.float64)

    names = tuple(str(k) for k in range(len(scores)))
    return SegmentStatistics(names, scores[..., None].copy(), first_column, higher_is_better)


def test_p_values_of_sums_are_those_of_scores_where_the_score_is_a_sum() -> None:
    scores, _ = drawn(4)
    wanted = permutation_p_values(scores, permutations=4000)
    found = permutation_p_values_of_sums(mean_table(scores), np.ones((4, 40), bool), permutations=4000)
    np.testing.assert_allclose(found, wanted, atol=0.04)  # other draws; standard errors below .008
    lower = permutation_p_values_of_sums(
        mean_table(-scores, higher_is_better=False), np.ones((4, 40), bool), permutations=4000
    )
    np.testing.assert_allclose(lower, found, atol=1e-12)


def test_p_values_of_bleu_tell_a_copy_from_noise() -> None:
    reference = tuple(f"w{k} w{k + 1} w{k + 2} w{k + 3} w{k + 4}" for k in range(30))
    worse = tuple(" ".join(line.split()[:4]) + " x" for line in reference)
    table = evaluate(Corpus({"copy": reference, "worse": worse}, {"R": reference}), BleuSettings()).statistics
    found = permutation_p_values_of_sums(table, np.ones((2, 30), bool))
    assert found[0, 1] < 0.01
    assert found[1, 0] > 0.99


def test_p_values_of_sums_are_of_the_segments_that_count_for_both_systems() -> None:
    scores, _ = drawn(4)
    table = mean_table(scores)
    entries = np.ones((4, 40), np.bool_)
    entries[:, 30:] = False  # rated for no system
    entries[3, :10] = False
    found = permutation_p_values_of_sums(table, entries)
    on_rated = permutation_p_values_of_sums(table.subset(range(30)), np.ones((4, 30), np.bool_))
    np.testing.assert_array_equal(found[:3, :3], on_rated[:3, :3])
    on_both = permutation_p_values_of_sums(table.subset(range(10, 30)), np.ones((4, 20), np.bool_))
    np.testing.assert_array_equal(found[3], on_both[3])
    entries[3, 10:] = False
    assert np.isnan(permutation_p_values_of_sums(table, entries)[3]).all()


def test_soft_pairwise_accuracy_by_hand() -> None:
    # |.1 - .3| = .2, |.5 - .5| = 0, |.9 - .5| = .4: 1 - .6 / 3.
    human, metric = np.full((2, 3, 3), NAN)
    upper = np.triu_indices(3, k=1)
    human[upper], metric[upper] = [0.1, 0.5, 0.9], [0.3, 0.5, 0.5]
    human.T[upper], metric.T[upper] = 1 - human[upper], 1 - metric[upper]
    found = soft_pairwise_accuracy(metric, human)
    assert (found.value, found.pairs, found.reason) == (pytest.approx(0.8), 3, "")
    assert math.isnan(found.interval.low)


def test_soft_pairwise_accuracy_of_certainty_is_pairwise_accuracy() -> None:
    generator = np.random.default_rng(3)
    x, y = (generator.permutation(9).astype(np.float64) for _ in "xy")
    p = [np.where(np.eye(9, dtype=bool), NAN, (v[:, None] < v).astype(float)) for v in (x, y)]
    assert soft_pairwise_accuracy(*p).value == pytest.approx(pairwise_accuracy(x, y).value)


def test_soft_pairwise_accuracy_has_an_interval_over_systems() -> None:
    metric, human = (permutation_p_values(scores) for scores in drawn())
    found = soft_pairwise_accuracy(metric, human, resamples=2000)
    assert 0 <= found.interval.low < found.value < found.interval.high <= 1
    assert soft_pairwise_accuracy(metric, human, resamples=2000) == found


@pytest.mark.parametrize("systems", [0, 1])
def test_no_pair_has_no_soft_accuracy(systems: int) -> None:
    p = permutation_p_values(np.zeros((systems, 5)))
    assert p.shape == (systems, systems)
    found = soft_pairwise_accuracy(p, p, resamples=10)
    assert math.isnan(found.value)
    assert found.reason
    assert permutation_p_values_of_sums(mean_table(np.zeros((systems, 5))), np.ones((systems, 5), bool)).shape == (
        systems,
        systems,
    )


# --- other systems ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_the_bootstrap_over_systems_is_of_coefficients_of_drawn_systems(method: Method) -> None:
    x, y = (scores.mean(axis=1) for scores in drawn(12))
    found = bootstrap_systems(x, y, method, resamples=400, seed=7)
    assert found.coefficient == pytest.approx(coefficient(x, y, method))
    assert (found.systems, found.resamples, found.reason) == (12, 400, "")
    draws = np.random.default_rng(7).integers(0, 12, (400, 12))
    if method == "pairwise-accuracy":
        wanted = []
        for draw in draws:
            pairs = [(i, j) for i, j in itertools.combinations(draw.tolist(), 2) if i != j]
            wanted.append(np.mean([np.sign(x[i] - x[j]) == np.sign(y[i] - y[j]) for i, j in pairs]))
    else:
        wanted = [coefficient(x[draw], y[draw], method) for draw in draws]
    share = 0.025
    if method == "pearson":  # Hesterberg (2015): the normal probability of sqrt(n / (n - 1)) t(.025, n - 1)
        share = float(stats.norm.cdf(math.sqrt(12 / 11) * stats.t.ppf(0.025, 11)))
        assert share == pytest.approx(0.0108, abs=1e-4)
    bounds = np.quantile(wanted, [share, 1 - share])
    assert (found.interval.low, found.interval.high) == (pytest.approx(bounds[0]), pytest.approx(bounds[1]))


def test_draws_without_a_coefficient_are_counted() -> None:
    x = np.array([1.0, 2, 3])
    found = bootstrap_systems(x, np.array([1.0, 3, 2]), resamples=2000)
    # All three draws are the same system with probability 3 / 27.
    assert found.undefined == pytest.approx(2000 / 9, rel=0.2)
    assert found.interval.low == pytest.approx(-1)


def test_a_perfect_order_has_no_interval() -> None:
    x = np.arange(8.0)
    for method in ("spearman", "kendall", "pairwise-accuracy"):
        for y in (x**3, -(x**3)):
            found = bootstrap_systems(x, y, method)  # type: ignore[arg-type]
            assert not math.isnan(found.coefficient)
            assert math.isnan(found.interval.low)
            assert found.reason == "a perfect rank correlation has no interval"
    assert bootstrap_systems(x, 2 * x).interval.low == 1


# --- other segments ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_stability_correlates_systems_on_drawn_segments(method: Method) -> None:
    metric, human = drawn()
    human[2, 5:] = NAN
    found = stability(metric, human, method, resamples=60, seed=11)
    assert found.coefficient == pytest.approx(coefficient(metric.mean(axis=1), np.nanmean(human, axis=1), method))
    draws = np.random.default_rng(11).integers(0, 40, (60, 40))
    wanted = []
    for draw in draws:
        known = ~np.isnan(human[:, draw]).all(axis=1)
        means = np.nanmean(human[known][:, draw], axis=1)
        wanted.append(coefficient(metric[known][:, draw].mean(axis=1), means, method))
    low, median, high = np.quantile(wanted, [0.025, 0.5, 0.975])
    assert [found.low, found.median, found.high] == pytest.approx([low, median, high])
    assert (found.share, found.resamples, found.undefined) == (0.95, 60, 0)


def test_stability_of_sums_is_of_the_score_of_sums() -> None:
    metric, human = drawn()
    wanted, found = stability(metric, human, resamples=50), stability(mean_table(metric), human, resamples=50)
    assert found.median == pytest.approx(wanted.median)
    lower = stability(mean_table(-metric, higher_is_better=False), human, resamples=50)
    assert lower.low == pytest.approx(wanted.low)


def test_drawing_segments_pulls_a_correlation_down() -> None:
    below = [found.median < found.coefficient for found in (stability(*drawn(seed=seed)) for seed in range(20))]
    assert sum(below) >= 18


# --- single systems ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_leave_one_out_is_the_coefficient_of_the_others(method: Method) -> None:
    x, y = (scores.mean(axis=1) for scores in drawn())
    found = leave_one_out(x, y, method)
    wanted = [coefficient(np.delete(x, k), np.delete(y, k), method) for k in range(8)]
    assert found.without.tolist() == pytest.approx(wanted)
    assert found.coefficient == pytest.approx(coefficient(x, y, method))
    np.testing.assert_allclose(found.changes, np.array(wanted) - found.coefficient)


def test_a_system_without_a_score_changes_nothing_when_left_out() -> None:
    x, y = (scores.mean(axis=1) for scores in drawn())
    x[3] = NAN
    assert leave_one_out(x, y).changes[3] == pytest.approx(0)


def test_outliers_by_hand() -> None:
    # Median 4; distances from it 3 1 0 1 2 46 0, their median 1.
    found = outliers(np.array([1.0, 3, 4, 5, 6, 50, 4]))
    assert found.median == 4
    assert found.deviation == pytest.approx(1.483)
    assert found.robust_scores == pytest.approx(np.array([-3, -1, 0, 1, 2, 46, 0]) / 1.483)
    assert found.indices == (5,)
    assert outliers(np.array([1.0, 3, 4, 5, 6, 50, 4]), cutoff=2).indices == (0, 5)


def test_outliers_equal_scipys_deviation() -> None:
    human = np.random.default_rng(5).standard_t(2, 30)
    found = outliers(np.append(human, NAN))
    wanted = np.abs(human - np.median(human)) / (1.483 * stats.median_abs_deviation(human))
    assert np.abs(found.robust_scores[:-1]) == pytest.approx(wanted)
    assert set(found.indices) == set(np.flatnonzero(wanted > 2.5).tolist())


# --- properties -------------------------------------------------------------------------------------------------

VECTORS = st.integers(3, 9).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(-5, 5).map(float), min_size=n, max_size=n).map(np.array)] * 2)
)


@given(VECTORS, st.sampled_from([np.exp, np.arctan, lambda v: v**3]), st.sampled_from(["kendall", "spearman"]))
@settings(deadline=None)
def test_monotone_transformations_leave_rank_statistics_alone(
    vectors: tuple[Floats, Floats], transform: Callable[[Floats], Floats], method: Method
) -> None:
    x, y = vectors
    for function in (
        lambda v: leave_one_out(v, y, method).without,
        lambda v: np.array([bootstrap_systems(v, y, method, resamples=50).interval.low]),
    ):
        np.testing.assert_allclose(function(transform(x / 5)), function(x), atol=1e-12)


@given(VECTORS, st.randoms(use_true_random=False), st.sampled_from(METHODS))
@settings(deadline=None)
def test_the_order_of_systems_changes_nothing(vectors: tuple[Floats, Floats], random: object, method: Method) -> None:
    x, y = vectors
    order = list(range(len(x)))
    random.shuffle(order)  # type: ignore[attr-defined]
    found, wanted = leave_one_out(x[order], y[order], method), leave_one_out(x, y, method)
    np.testing.assert_allclose(found.without, wanted.without[order], atol=1e-12)
    assert bootstrap_systems(x[order], y[order], method, resamples=5).coefficient == pytest.approx(
        wanted.coefficient, abs=1e-12, nan_ok=True
    )


# --- bad input --------------------------------------------------------------------------------------------------

V = np.array([3.0, 1, 4, 1, 5])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        (V[:0], V[:0], "0 systems, at least 3 needed"),
        (V[:1], V[:1], "1 system, at least 3 needed"),
        (V[:2], V[:2], "2 systems, at least 3 needed"),
        (np.full(5, NAN), V, "0 systems, at least 3 needed"),
        (V, np.full(5, NAN), "0 systems, at least 3 needed"),
        (np.array([1, 2, NAN, NAN, NAN]), np.array([NAN, NAN, 3, 4, 5]), "0 systems, at least 3 needed"),
        (np.full(5, 0.1 + 0.2), V, "all systems have the same score"),
        (V, np.ones(5), "all systems have the same mean rating"),
        (np.ones(5), np.ones(5), "all systems have the same score"),
    ],
)
def test_what_is_undefined_is_nan_with_a_reason(x: Floats, y: Floats, reason: str, method: Method) -> None:
    results = (
        bootstrap_systems(x, y, method, resamples=20),
        leave_one_out(x, y, method),
        stability(np.repeat(x[:, None], 4, axis=1), np.repeat(y[:, None], 4, axis=1), method, resamples=20),
    )
    if method == "pairwise-accuracy" and "same" in reason:
        assert all(0 <= found.coefficient <= 1 for found in results)  # ties are answers too
        return
    for found in results:
        assert math.isnan(found.coefficient)
        assert found.reason == reason
    assert math.isnan(results[0].interval.low)
    assert np.isnan(results[1].without).all()
    assert math.isnan(results[2].median)


def test_three_systems_have_no_coefficient_without_one() -> None:
    found = leave_one_out(V[:3], V[:3])
    assert found.coefficient == 1
    assert np.isnan(found.without).all()


@pytest.mark.parametrize("human", [V[:0], V[:2], np.full(5, NAN), np.array([1.0, 1, 1, 9])])
def test_outliers_need_three_scores_that_vary(human: Floats) -> None:
    found = outliers(human)
    assert found.reason
    assert found.indices == ()
    assert np.isnan(found.robust_scores).all()
