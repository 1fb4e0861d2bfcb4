"""Agreement of segment scores with people's."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from timed import within_seconds

from bleu_core.agreement import GROUPINGS, Grouping, Method, calibrated_accuracy, segment_correlation
from bleu_core.agreement import segment_agreement as segment_level
from bleu_core.agreement.segment_agreement import METHODS, row_coefficients
from bleu_core.arrays import Floats

NAN = math.nan

SCIPYS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


def matrix(*rows: list[float]) -> Floats:
    return np.array(rows, np.float64)


def cells(values: st.SearchStrategy[float]) -> st.SearchStrategy[tuple[Floats, Floats]]:
    def of_shape(shape: tuple[int, int]) -> st.SearchStrategy[tuple[Floats, Floats]]:
        rows = st.lists(values, min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])
        return st.tuples(*[rows.map(lambda v: np.array(v, np.float64).reshape(shape))] * 2)

    return st.tuples(st.integers(1, 6), st.integers(1, 7)).flatmap(of_shape)


# Few whole numbers, so that ties, constants and gaps are common.
MATRICES = cells(st.sampled_from([NAN, *range(5)]))
FULL = cells(st.integers(0, 4).map(float))


def groups(x: Floats, y: Floats, grouping: Grouping) -> list[tuple[list[float], list[float]]]:
    """Pairs of entries, group by group, as mt-metrics-eval's AverageCorrelation makes them."""
    shaped = {"none": (x.reshape(1, -1), y.reshape(1, -1)), "system": (x, y), "item": (x.T, y.T)}[grouping]
    found = []
    for row_x, row_y in zip(*shaped, strict=True):
        both = [(a, b) for a, b in zip(row_x.tolist(), row_y.tolist(), strict=True) if a == a and b == b]  # noqa: PLR0124 # no NaN
        found.append(([a for a, _ in both], [b for _, b in both]))
    return found


def plain_accuracy(x: list[float], y: list[float], threshold: float = 0) -> float:
    right = pairs = 0
    for i, j in itertools.combinations(range(len(x)), 2):
        apart = 0.0 if abs(x[i] - x[j]) <= threshold else x[i] - x[j]
        right += np.sign(apart) == np.sign(y[i] - y[j])
        pairs += 1
    return right / pairs if pairs else NAN


def plain(x: list[float], y: list[float], method: Method) -> float:
    if method == "pairwise-accuracy":
        return plain_accuracy(x, y)
    if len(x) < 2 or len(set(x)) == 1 or len(set(y)) == 1:
        return NAN
    return float(SCIPYS[method](x, y)[0])


def as_expected(values: list[float]) -> object:
    return pytest.approx(values, abs=1e-12, nan_ok=True)


@given(MATRICES, st.sampled_from(METHODS), st.sampled_from(GROUPINGS))
@settings(max_examples=120)
def test_every_method_and_grouping_equals_scipy_group_by_group(
    scores: tuple[Floats, Floats], method: Method, grouping: Grouping
) -> None:
    wanted = [plain(x, y, method) for x, y in groups(*scores, grouping)]
    found = segment_correlation(*scores, method, grouping)
    if found.reason and grouping == "none":
        assert found.entries < 3 or np.isnan(wanted).all()
        return
    assert found.by_group.tolist() == as_expected(wanted)
    defined = [value for value in wanted if not math.isnan(value)]
    assert (found.groups, found.undefined_groups) == (len(defined), len(wanted) - len(defined))
    assert found.coefficient == pytest.approx(float(np.mean(defined)) if defined else NAN, abs=1e-12, nan_ok=True)
    assert bool(found.reason) == (not defined)
    assert found.entries == int((np.isfinite(scores[0]) & np.isfinite(scores[1])).sum())


@given(FULL, st.sampled_from(["kendall", "pairwise-accuracy"]))
def test_long_rows_are_counted_as_short_ones_are(scores: tuple[Floats, Floats], method: Method) -> None:
    wanted = row_coefficients(*scores, method)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segment_level, "MAX_PAIRWISE_LENGTH", 0)
        found = row_coefficients(*scores, method)
    assert found.tolist() == as_expected(wanted.tolist())


def test_rows_in_batches_are_counted_as_all_at_once() -> None:
    x, y = np.random.default_rng(1).integers(0, 9, (2, 40, 12)).astype(float)
    wanted = row_coefficients(x, y, "kendall"), calibrated_accuracy(x, y, "system")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segment_level, "BATCH_PAIRS", 100)
        found = row_coefficients(x, y, "kendall"), calibrated_accuracy(x, y, "system")
    np.testing.assert_array_equal(found[0], wanted[0])
    assert found[1] == wanted[1]


@pytest.mark.parametrize("method", ["pearson", "spearman", "kendall"])
def test_a_pooled_correlation_has_scipys_p(method: Method) -> None:
    x, y = np.random.default_rng(2).normal(size=(2, 4, 30)).round(9)
    x[0, 3] = NAN
    found = segment_correlation(x, y, method, "none")
    (a, b) = groups(x, y, "none")[0]
    assert (found.coefficient, found.p_value) == pytest.approx(tuple(SCIPYS[method](a, b)))
    assert math.isnan(segment_correlation(x, y, method, "item").p_value)


def test_values_of_mt_metrics_eval() -> None:
    # mt-metrics-eval, stats_test.py, testPearson and testKendall: two systems, three items.
    human, metric = matrix([1, 2, 3], [4, 5, 6]), matrix([2, 1, 4], [3, 3, 7])
    wanted = {
        "pearson": {"none": 0.776, "system": 0.760, "item": 1.0},
        "kendall": {"none": 0.552, "system": 0.575, "item": 1.0},
    }
    for method, by_grouping in wanted.items():
        for grouping, value in by_grouping.items():
            assert segment_correlation(metric, human, method, grouping).coefficient == pytest.approx(value, abs=5e-4)  # type: ignore[arg-type]


def test_groups_without_a_coefficient_are_dropped_and_counted_as_in_mt_metrics_eval() -> None:
    # mt-metrics-eval, stats_test.py, testNaNHandling: the first system's metric is constant, the second is perfect.
    found = segment_correlation(matrix([2, 2, 2], [4, 5, 6]), matrix([1, 2, 3], [4, 5, 6]), "pearson", "system")
    assert (found.coefficient, found.groups, found.undefined_groups) == (1, 1, 1)
    assert np.isnan(found.by_group[0])


# --- tie calibration --------------------------------------------------------------------------------------------


def plainly_calibrated(x: Floats, y: Floats, grouping: Grouping) -> tuple[float, float]:
    """Every threshold in turn, from the smallest, by the definition."""
    rated = [(a, b) for a, b in groups(x, y, grouping) if len(a) > 1]
    if not rated:
        return NAN, NAN
    thresholds = {abs(a - b) for row, _ in rated for a, b in itertools.combinations(row, 2)}
    best, at = -1.0, NAN
    for threshold in sorted({0.0, *thresholds}):
        accuracy = float(np.mean([plain_accuracy(a, b, threshold) for a, b in rated]))
        if accuracy > best + 1e-12:
            best, at = accuracy, threshold
    return best, at


@given(MATRICES, st.sampled_from(GROUPINGS))
@settings(max_examples=120, deadline=None)
def test_calibrated_accuracy_is_the_best_over_all_thresholds(scores: tuple[Floats, Floats], grouping: Grouping) -> None:
    found = calibrated_accuracy(*scores, grouping)
    wanted = plainly_calibrated(*scores, grouping)
    assert [found.accuracy, found.threshold] == as_expected(list(wanted))
    assert bool(found.reason) == math.isnan(wanted[0])
    plain_one = segment_correlation(*scores, "pairwise-accuracy", grouping).coefficient
    if found.entries >= 3:
        assert found.uncalibrated == pytest.approx(plain_one, nan_ok=True)


@pytest.mark.parametrize(
    ("human", "accuracy", "threshold"),
    [([1, 2, 3, 4], 1, 0), ([1, 1, 1, 4], 4 / 6, 4)],
)
def test_thresholds_of_mt_metrics_eval(human: list[float], accuracy: float, threshold: float) -> None:
    # mt-metrics-eval, tau_optimization_test.py: pairs of the metric 0, 2, 6, 8 differ by 2, 6, 8, 4, 6, 2.
    found = calibrated_accuracy(matrix([0, 2, 6, 8]), matrix(human), "none")
    assert (found.accuracy, found.threshold) == (pytest.approx(accuracy), threshold)


def test_rows_with_gaps_are_calibrated_as_in_mt_metrics_eval() -> None:
    # mt-metrics-eval, tau_optimization_test.py, test_regression_example; rows are groups.
    metric = matrix([0, 5, 2, 3, 2], [NAN, 2, 1, 5, 3], [9, 1, 5, 3, 8], [9, 3, 4, 4, 1], [NAN] * 5)
    human = matrix([1, 5, 2, 1, 1], [4, 2, 2, 1, 4], [5, 9, 2, 8, 7], [7, 6, NAN, 3, 2], [NAN] * 5)
    found = calibrated_accuracy(metric, human, "system")
    assert found.uncalibrated == pytest.approx(0.4666666666666667)
    assert (found.accuracy, found.threshold) == (pytest.approx(0.4916666666666668), 1)
    assert (found.groups, found.undefined_groups) == (4, 1)
    # stats_test.py, testKendallWithTiesOpt.
    assert calibrated_accuracy(matrix([2, 1, 1.5, 5, 3]), matrix([1, 2, 2, 3, 4]), "none").accuracy == pytest.approx(
        0.7
    )


def test_calibration_by_hand() -> None:
    # Metric 1 1.1 2 3 against 5 5 5 9. Pairs and differences: (1 1.1) .1, (1.1 2) .9, (1 2) 1, (2 3) 1, (1.1 3) 1.9,
    # (1 3) 2. People tie the first three. Threshold 0: the three with 9 are right, 3 / 6; .1: 4 / 6; .9: 5 / 6; 1: the
    # tie of (1 2) is gained, that of (2 3) lost, 5 / 6 again.
    found = calibrated_accuracy(matrix([1], [1.1], [2], [3]), matrix([5], [5], [5], [9]))
    assert (found.accuracy, found.uncalibrated) == (pytest.approx(5 / 6), pytest.approx(0.5))
    assert found.threshold == pytest.approx(0.9)


def test_more_pairs_than_fit_are_refused_with_a_reason() -> None:
    x = np.arange(7000.0).reshape(7, 1000)
    found = calibrated_accuracy(x, x, "none")
    assert math.isnan(found.accuracy)
    assert found.reason == "24,496,500 pairs found, at most 20,000,000 allowed; group by item"
    assert calibrated_accuracy(x, x, "item").accuracy == 1


# --- properties -------------------------------------------------------------------------------------------------

TRANSFORMATIONS = [np.exp, np.arctan, lambda v: v**3, lambda v: 5 * v - 2]


@given(MATRICES, st.sampled_from(TRANSFORMATIONS), st.sampled_from(GROUPINGS))
def test_monotone_transformations_leave_rank_statistics_alone(
    scores: tuple[Floats, Floats], transform: Callable[[Floats], Floats], grouping: Grouping
) -> None:
    x, y = scores
    methods: tuple[Method, ...] = ("spearman", "kendall", "pairwise-accuracy")
    for method in methods:
        wanted = segment_correlation(x, y, method, grouping).coefficient
        found = segment_correlation(transform(x), y, method, grouping).coefficient
        assert found == pytest.approx(wanted, abs=1e-12, nan_ok=True)


@given(MATRICES, st.randoms(use_true_random=False), st.sampled_from(METHODS), st.sampled_from(GROUPINGS))
def test_the_order_of_systems_and_segments_changes_nothing(
    scores: tuple[Floats, Floats], random: object, method: Method, grouping: Grouping
) -> None:
    x, y = scores
    systems, segments = list(range(x.shape[0])), list(range(x.shape[1]))
    random.shuffle(systems)  # type: ignore[attr-defined]
    random.shuffle(segments)  # type: ignore[attr-defined]
    a, b = x[systems][:, segments], y[systems][:, segments]
    wanted = segment_correlation(x, y, method, grouping).coefficient
    assert segment_correlation(a, b, method, grouping).coefficient == pytest.approx(wanted, abs=1e-12, nan_ok=True)
    one, other = calibrated_accuracy(a, b, grouping), calibrated_accuracy(x, y, grouping)
    assert one.accuracy == pytest.approx(other.accuracy, abs=1e-12, nan_ok=True)
    assert one.threshold == pytest.approx(other.threshold, nan_ok=True)


def test_float_noise_breaks_no_tie() -> None:
    noisy, exact = matrix([0.1 + 0.2], [0.3], [1]), matrix([2], [2], [3])
    assert segment_correlation(noisy, exact, "kendall", "item").coefficient == 1
    assert segment_correlation(noisy, exact, "pairwise-accuracy", "item").coefficient == 1


# --- bad input --------------------------------------------------------------------------------------------------

X = np.random.default_rng(3).normal(size=(5, 8))
GAPS = np.full((5, 8), NAN)
HALF = np.where(np.arange(8) < 4, X, NAN)
REST = np.where(np.arange(8) < 4, NAN, X)


@pytest.mark.parametrize("grouping", GROUPINGS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("metric", "human", "reason"),
    [
        (GAPS, X, "both scores"),
        (X, GAPS, "both scores"),
        (HALF, REST, "both scores"),
        (np.zeros((5, 0)), np.zeros((5, 0)), "both scores"),
        (np.ones((5, 8)), X, "all metric scores of a group are the same"),
        (X, np.ones((5, 8)), "all ratings of a group are the same"),
        (np.ones((5, 8)), np.ones((5, 8)), "the same"),
    ],
)
def test_what_is_undefined_is_nan_with_a_reason(
    metric: Floats, human: Floats, reason: str, method: Method, grouping: Grouping
) -> None:
    found = segment_correlation(metric, human, method, grouping)
    if method == "pairwise-accuracy" and found.entries:
        assert 0 <= found.coefficient <= 1  # ties are answers too
        return
    assert math.isnan(found.coefficient)
    assert math.isnan(found.p_value)
    assert found.groups == 0
    assert reason in found.reason


def test_one_system_has_no_items_and_two_systems_have_signs() -> None:
    one = segment_correlation(X[:1], X[:1], "pearson", "item")
    assert math.isnan(one.coefficient)
    assert one.reason == "no group has two entries with both scores"
    assert math.isnan(calibrated_accuracy(X[:1], X[:1]).accuracy)
    two = segment_correlation(X[:2], -X[:2], "pearson", "item")
    assert (two.coefficient, two.groups) == (-1, 8)


def test_two_entries_are_too_few_to_pool() -> None:
    found = segment_correlation(X[:1, :2], X[:1, :2], "pearson", "none")
    assert found.reason == "2 segments with both scores, at least 3 needed"


def test_infinite_scores_count_as_missing() -> None:
    x = X.copy()
    x[0, 0] = np.inf
    assert segment_correlation(x, X, "pearson", "none").entries == 39


def test_shapes_that_differ_are_refused() -> None:
    with pytest.raises(ValueError, match=r"\(5, 8\) and \(5, 7\) found"):
        segment_correlation(X, X[:, :7])


def test_much_is_correlated_in_little_time() -> None:
    generator = np.random.default_rng(4)
    cases: list[tuple[tuple[int, int], Grouping]] = [((100, 1000), "none"), ((15, 500), "item")]
    for shape, grouping in cases:
        y = generator.integers(0, 30, shape).astype(float)
        x = y + generator.normal(size=shape)

        def correlate(x: Floats = x, y: Floats = y, grouping: Grouping = grouping) -> None:
            for method in METHODS:
                segment_correlation(x, y, method, grouping)
            if grouping == "item":
                calibrated_accuracy(x, y)

        within_seconds(5, correlate)  # about 0.5 and 0.02 s on an idle machine
