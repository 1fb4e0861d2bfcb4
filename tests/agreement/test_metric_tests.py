"""Which of two metrics agrees better with people."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nightly import nightly
from scipy import stats

from bleu_core.agreement import GROUPINGS, Grouping, Method, calibrated_accuracy, metric_tests, segment_correlation
from bleu_core.agreement.metric_tests import MetricDifference, perm_both, rank_clusters, rank_metrics, williams
from bleu_core.agreement.segment_agreement import METHODS
from bleu_core.arrays import Floats
from bleu_core.processes import use_workers

NAN = math.nan


def correlated(r12: float, r13: float, r23: float, size: int) -> Floats:
    """Three vectors with exactly these correlations."""
    noise = np.random.default_rng(0).normal(size=(size, 3))
    orthonormal, _ = np.linalg.qr(noise - noise.mean(axis=0))
    wanted = np.array([[1, r12, r13], [r12, 1, r23], [r13, r23, 1]])
    return (orthonormal @ np.linalg.cholesky(wanted).T).T


def test_williams_equals_the_r_package_psych() -> None:
    # psych, r.test, Steiger's (1980) case A: r.test(n = 103, r12 = .5, r13 = .4, r23 = .1) prints
    # "t value 0.89 with probability < 0.37".
    human, a, b = correlated(0.5, 0.4, 0.1, 103)
    found = williams(a, b, human)
    assert (found.first, found.second) == (pytest.approx(0.5), pytest.approx(0.4))
    assert found.statistic == pytest.approx(0.89, abs=0.005)
    assert found.p_value == pytest.approx(0.37, abs=0.007)
    assert found.degrees_of_freedom == 100


@given(st.integers(4, 60), st.floats(-0.9, 0.9), st.floats(-0.9, 0.9), st.floats(-0.9, 0.9))
def test_williams_follows_its_formula(n: int, r12: float, r13: float, r23: float) -> None:
    # Graham and Baldwin (2014), with k the determinant of the correlations.
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    if k < 1e-3:  # no such three vectors
        return
    human, a, b = correlated(r12, r13, r23, n)
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23))
    t /= math.sqrt(2 * k * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3)
    found = williams(a, b, human)
    assert found.statistic == pytest.approx(t, rel=1e-5, abs=1e-7)
    assert found.p_value == pytest.approx(2 * float(stats.t.sf(abs(t), n - 3)), rel=1e-5)
    assert found.p_greater == pytest.approx(float(stats.t.sf(t, n - 3)), rel=1e-5)


def test_the_other_way_round_is_the_mirror_image() -> None:
    human, a, b = correlated(0.8, 0.5, 0.3, 12)
    one, other = williams(a, b, human), williams(b, a, human)
    assert (one.delta, one.statistic) == (pytest.approx(-other.delta), pytest.approx(-other.statistic))
    assert one.p_value == pytest.approx(other.p_value)
    assert one.p_greater == pytest.approx(1 - other.p_greater)
    assert one.p_greater == pytest.approx(one.p_value / 2)  # the first agrees better


# --- PERM-BOTH --------------------------------------------------------------------------------------------------


def plain_permutation(a: Floats, b: Floats, human: Floats, method: Method, trials: int) -> tuple[float, float]:
    """As mt-metrics-eval's PermutationSigDiff, a trial at a time, on systems."""
    functions = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
    generator = np.random.default_rng(99)
    a, b = stats.zscore(a), stats.zscore(b)

    def delta(one: Floats, other: Floats) -> float:
        return float(functions[method](one, human)[0] - functions[method](other, human)[0])

    observed, greater, far = delta(a, b), 0, 0
    for _ in range(trials):
        swapped = generator.integers(0, 2, len(a)).astype(bool)
        drawn = delta(np.where(swapped, b, a), np.where(swapped, a, b))
        greater += drawn >= observed - 1e-9
        far += abs(drawn) >= abs(observed) - 1e-9
    return far / trials, greater / trials


@pytest.mark.parametrize("method", ["pearson", *nightly(["spearman", "kendall"])])
def test_permutation_of_systems_equals_a_plain_loop_but_for_chance(method: Method) -> None:
    generator = np.random.default_rng(5)
    human = generator.normal(size=14)
    a, b = human + generator.normal(size=14) / 2, 40 + 10 * (human + generator.normal(size=14))
    found = perm_both(a, b, human, method, trials=5000)
    two_sided, greater = plain_permutation(a, b, human=human, method=method, trials=1500)
    # Both are shares of draws; their standard errors are below .007 and .013.
    assert found.p_value == pytest.approx(two_sided, abs=0.05)
    assert found.p_greater == pytest.approx(greater, abs=0.05)


def test_all_permutations_of_four_systems() -> None:
    # Sixteen swaps, each as likely; 20,000 trials come within .02 of their shares.
    human, a, b = np.array([1, 2, 3, 4.0]), np.array([1, 3, 2, 4.0]), np.array([4, 1, 3, 2.0])
    x, y = stats.zscore(a), stats.zscore(b)
    deltas = []
    for bits in range(16):
        swapped = np.array([bool(bits >> k & 1) for k in range(4)])
        one, other = np.where(swapped, y, x), np.where(swapped, x, y)
        deltas.append(stats.pearsonr(one, human)[0] - stats.pearsonr(other, human)[0])
    observed = deltas[0]
    found = perm_both(a, b, human, trials=20_000)
    assert found.delta == pytest.approx(observed)
    assert found.p_greater == pytest.approx(np.mean(np.array(deltas) >= observed - 1e-9), abs=0.02)
    assert found.p_value == pytest.approx(np.mean(np.abs(deltas) >= abs(observed) - 1e-9), abs=0.02)


def scores(seed: int = 0, shape: tuple[int, ...] = (6, 30), gap: float = 0.1) -> tuple[Floats, Floats, Floats]:
    generator = np.random.default_rng(seed)
    human = generator.integers(0, 6, shape).astype(float)
    a, b = human + generator.normal(size=shape), human + 4 * generator.normal(size=shape)
    human[generator.random(shape) < gap] = NAN
    return a, b, human


@pytest.mark.parametrize("grouping", GROUPINGS)
@pytest.mark.parametrize("method", [*METHODS, "acc-eq"])
def test_coefficients_are_those_of_the_metrics_alone(method: metric_tests.TestedMethod, grouping: Grouping) -> None:
    a, b, human = scores()
    found = perm_both(a, b, human=human, method=method, grouping=grouping, trials=20)
    if method == "acc-eq":
        wanted = [calibrated_accuracy(x, human, grouping).accuracy for x in (a, b)]
    else:
        wanted = [segment_correlation(x, human, method, grouping).coefficient for x in (a, b)]
    # Standardising and rounding to 9 decimals keeps the coefficients but for noise.
    assert [found.first, found.second] == pytest.approx(wanted, abs=1e-7)
    assert found.entries == int(np.isfinite(human).sum())
    assert 1 / 21 <= found.p_value <= 1


@pytest.mark.parametrize("method", [*METHODS, "acc-eq"])
def test_a_better_metric_is_found_better_and_a_scale_does_not_matter(method: metric_tests.TestedMethod) -> None:
    a, b, human = scores(shape=(8, 60))
    found = perm_both(a, 1000 * b - 7, human=human, method=method, grouping="item", trials=200)
    assert found.delta > 0
    assert found.p_value < 0.02
    assert found.p_greater < 0.02
    assert perm_both(1000 * b - 7, a, human=human, method=method, grouping="item", trials=200).p_greater > 0.9


def test_the_seed_fixes_the_result_and_batches_do_not_change_it(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b, human = scores()
    wanted = perm_both(a, b, human=human, method="kendall", grouping="item", trials=100)
    assert perm_both(a, b, human=human, method="kendall", grouping="item", trials=100) == wanted or math.isnan(
        wanted.statistic
    )
    monkeypatch.setattr(metric_tests, "BATCH_CELLS", 700)
    found = perm_both(a, b, human=human, method="kendall", grouping="item", trials=100)
    assert (found.p_value, found.p_greater) == (wanted.p_value, wanted.p_greater)


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    perm_both(*scores(), trials=30, progress=lambda done, all_: told.append((done, all_)))
    assert told[-1] == (30, 30)


def test_equal_metrics_are_not_told_apart() -> None:
    a, _, human = scores()
    assert perm_both(a, 2 * a + 1, human=human, method="pearson", grouping="item", trials=50).p_value == 1
    found = williams(a[:, 0], 2 * a[:, 0] + 1, a[:, 1])
    assert math.isnan(found.p_value)
    assert found.reason == "one metric is a rescaled copy of the other"


# --- ranking ----------------------------------------------------------------------------------------------------


def test_clusters_by_hand() -> None:
    # b does not lose to a; c loses to a and opens the second cluster; d loses to a only, which no longer counts.
    p = np.full((4, 4), NAN)
    p[0, 1:], p[1, 2:], p[2, 3] = [0.2, 0.04, 0.01], [0.3, 0.06], 0.4
    assert rank_clusters(p).tolist() == [1, 1, 2, 2]
    assert rank_clusters(p, 0.001).tolist() == [1, 1, 1, 1]
    assert rank_clusters(np.full((3, 3), NAN)).tolist() == [1, 1, 1]
    assert rank_clusters(np.zeros((0, 0))).tolist() == []


def many(shape: tuple[int, ...]) -> tuple[dict[str, Floats], Floats]:
    generator = np.random.default_rng(6)
    human = generator.normal(size=shape)
    noise = {"poor": 20.0, "good": 0.3, "fair": 1.5, "twin": 0.3}
    return {name: human + scale * generator.normal(size=shape) for name, scale in noise.items()}, human


@pytest.mark.parametrize("correction", ["holm", "benjamini-hochberg", "none"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_metrics_are_ranked_by_agreement(
    correction: metric_tests.Correction, alternative: metric_tests.Alternative
) -> None:
    metrics, human = many((8, 40))
    found = rank_metrics(metrics, human, "pearson", "item", alternative=alternative, correction=correction, trials=300)
    assert set(found.metrics[:2]) == {"good", "twin"}
    assert found.metrics[2:] == ("fair", "poor")
    assert (np.diff(found.coefficients) < 0).all()
    assert found.ranks.tolist() == [1, 1, 2, 3]
    upper = np.triu_indices(4, k=1)
    assert (found.p_values_adjusted[upper] >= found.p_values[upper] - 1e-12).all()
    assert np.isnan(np.diag(found.p_values)).all()
    if alternative == "two-sided":
        np.testing.assert_array_equal(found.p_values, found.p_values.T)
    else:
        assert np.isnan(found.p_values[1, 0])
    first, second = found.metrics[1], found.metrics[2]
    pair = perm_both(metrics[first], metrics[second], human=human, method="pearson", grouping="item", trials=300)
    assert found.p_values[1, 2] == (pair.p_value if alternative == "two-sided" else pair.p_greater)


def test_metrics_of_systems_are_ranked_by_williams() -> None:
    metrics, human = many((30,))
    found = rank_metrics(metrics, human, test="williams")
    assert found.metrics[-1] == "poor"
    assert found.ranks[-1] > found.ranks[0] == 1
    i, j = 0, 3
    wanted = williams(metrics[found.metrics[i]], metrics[found.metrics[j]], human)
    assert found.p_values[i, j] == pytest.approx(wanted.p_value)
    with pytest.raises(ValueError, match="spearman of shape"):
        rank_metrics(metrics, human, "spearman", test="williams")


@pytest.mark.parametrize(("test", "steps"), [("williams", 1), ("perm-both", 20)])
def test_progress_of_a_ranking_grows_to_the_total(
    monkeypatch: pytest.MonkeyPatch, test: metric_tests.MetricTest, steps: int
) -> None:
    monkeypatch.setattr(metric_tests, "BATCH_CELLS", 30 * 10)
    metrics, human = many((30,))
    told: list[tuple[int, int]] = []
    rank_metrics(metrics, human, test=test, trials=20, progress=lambda *counts: told.append(counts))
    assert [done for done, _ in told] == list(range(min(steps, 10), 6 * steps + 1, min(steps, 10)))
    assert {of for _, of in told} == {6 * steps}


@pytest.mark.parametrize("method", ["kendall", "acc-eq"])
def test_a_ranking_by_two_processes_equals_that_by_one(method: metric_tests.TestedMethod) -> None:
    metrics, human = many((6, 30))
    told: list[tuple[int, int]] = []
    alone = rank_metrics(metrics, human, method, "item", trials=50)
    with use_workers(2):
        shared = rank_metrics(metrics, human, method, "item", trials=50, progress=lambda *counts: told.append(counts))
    assert shared.metrics == alone.metrics
    np.testing.assert_array_equal(shared.p_values, alone.p_values)
    assert told == sorted(told)
    assert told[-1] == (6 * 50, 6 * 50)


@pytest.mark.parametrize("method", [*METHODS, "acc-eq"])
def test_p_values_of_a_ranking_are_those_of_each_pair(method: metric_tests.TestedMethod) -> None:
    metrics, human = many((6, 30))
    found = rank_metrics(metrics, human, method, "item", trials=50)
    pairs = [
        perm_both(metrics[i], metrics[j], human, method, "item", trials=50) for i, j in combinations(found.metrics, 2)
    ]
    assert found.p_values[np.triu_indices(4, k=1)].tolist() == [pair.p_value for pair in pairs]


def test_metrics_without_a_coefficient_are_set_aside_with_the_reason() -> None:
    metrics, human = many((8, 40))
    strange = {"nothing": np.full((8, 40), NAN), "constant": np.ones((8, 40))}
    found = rank_metrics(metrics | strange, human, "pearson", "item", trials=20)
    assert len(found.metrics) == 4
    assert found.excluded == (
        ("nothing", "0 entries with both scores, at least 4 needed"),
        ("constant", "the coefficient is undefined: constant scores or ratings"),
    )
    assert rank_metrics(strange, human).metrics == ()


def test_metrics_are_compared_on_what_all_of_them_have() -> None:
    metrics, human = many((8, 40))
    metrics["fair"][0] = NAN
    found = rank_metrics(metrics, human, "pearson", "item", trials=20)
    assert found.entries == 7 * 40
    wanted = segment_correlation(metrics["good"][1:], human[1:], "pearson", "item").coefficient
    assert found.coefficients[found.metrics.index("good")] == pytest.approx(wanted)


def test_metrics_that_share_no_entry_have_no_coefficients() -> None:
    metrics, human = many((8, 40))
    half, rest = metrics["good"].copy(), metrics["fair"].copy()
    half[:4], rest[4:] = NAN, NAN
    found = rank_metrics({"half": half, "rest": rest}, human)
    assert found.entries == 0
    assert np.isnan(found.coefficients).all()
    assert found.ranks.tolist() == [1, 1]


# --- properties and bad input -----------------------------------------------------------------------------------


@given(st.integers(0, 99), st.sampled_from([np.exp, np.arctan, lambda v: v**3]))
@settings(deadline=None, max_examples=20)
def test_monotone_transformations_of_ratings_leave_rank_tests_alone(seed: int, transform: object) -> None:
    a, b, human = scores(seed, (12,), gap=0)
    for method in ("spearman", "kendall", "pairwise-accuracy"):
        wanted = perm_both(a, b, human, method, trials=50)  # type: ignore[arg-type]
        found = perm_both(a, b, transform(human), method, trials=50)  # type: ignore[operator, arg-type]
        assert (found.delta, found.p_value) == (pytest.approx(wanted.delta, nan_ok=True), wanted.p_value)


def assert_undefined(found: MetricDifference) -> None:
    assert math.isnan(found.p_value)
    assert math.isnan(found.p_greater)
    assert found.reason


V = np.array([3.0, 1, 4, 1, 5])
W = np.array([2.0, 7, 1, 8, 2])


@pytest.mark.parametrize(
    ("a", "b", "human"),
    [
        (V, W, np.ones(5)),
        (np.ones(5), W, V),
        (np.ones(5), np.ones(5), np.ones(5)),
        (np.full(5, NAN), W, V),
        (V, W, np.full(5, NAN)),
        (V[:0], W[:0], V[:0]),
        (V[:1], W[:1], V[:1]),
        (V[:2], W[:2], V[:2]),
        (V[:3], W[:3], V[:3]),
        (np.array([3, 1, NAN, NAN, NAN]), np.array([NAN, NAN, 1, 8, 2]), V),
    ],
)
def test_what_is_undefined_is_nan_with_a_reason(a: Floats, b: Floats, human: Floats) -> None:
    assert_undefined(williams(a, b, human))
    assert_undefined(perm_both(a, b, human))
    assert_undefined(perm_both(a[:, None], b[:, None], human=human[:, None], method="kendall", grouping="item"))


def test_two_perfect_metrics_are_not_told_apart() -> None:
    assert_undefined(williams(V, 2 * V, V))


def test_shapes_that_differ_are_refused() -> None:
    with pytest.raises(ValueError, match="three equal shapes expected"):
        perm_both(V, W[:4], V)
