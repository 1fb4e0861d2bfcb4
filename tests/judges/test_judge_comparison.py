"""A judge against the mean of the others beside the metrics, against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from judges.rosters import judgments_of
from scipy import stats

from bleu_core.agreement import MetricScores
from bleu_core.judges import MIN_JUDGED_ITEMS, judge_as_metric
from bleu_core.results.judge_as_metric import A_JUDGE, compared_table, judge_as_metric_note, judge_as_metric_report

SYSTEMS = ("a", "b", "c", "d", "e")
SEGMENTS = 30
JUDGES = ("J0", "J1", "J2")


def ratings(seed: int = 1) -> np.ndarray:
    """Return ratings of three judges of different quality, (J, K, S)."""
    generator = np.random.default_rng(seed)
    truth = generator.normal(0, 1, (len(SYSTEMS), SEGMENTS)) + np.arange(len(SYSTEMS))[:, None] / 2
    noise = generator.normal(0, 1, (len(JUDGES), *truth.shape)) * np.array([0.5, 0.8, 1.5])[:, None, None]
    return np.round(truth + noise, 3)


def rows_of(given: np.ndarray) -> list[tuple[int, str, str, float]]:
    """Return a row per rating that is not NaN."""
    return [
        (s + 1, SYSTEMS[k], JUDGES[j], float(given[j, k, s]))
        for j, k, s in np.ndindex(given.shape)
        if not np.isnan(given[j, k, s])
    ]


def metric_of(name: str, scores: np.ndarray) -> MetricScores:
    return MetricScores(name=name, systems=SYSTEMS, system_scores=scores.mean(axis=1), segment_scores=scores)


@pytest.fixture
def scores() -> np.ndarray:
    return np.round(ratings()[1] + np.random.default_rng(7).normal(0, 2, (len(SYSTEMS), SEGMENTS)), 3)


def test_each_judge_and_metric_has_the_coefficient_of_scipy_with_the_mean_of_the_others(scores: np.ndarray) -> None:
    given = ratings()
    found = judge_as_metric(judgments_of(rows_of(given)), [metric_of("m", scores)], method="pearson")
    for j, judge in enumerate(found.judges):
        others = np.delete(given, j, axis=0).mean(axis=0)
        assert judge.judge.name == JUDGES[j]
        assert judge.items == given[0].size
        assert judge.coefficient == pytest.approx(stats.pearsonr(given[j].ravel(), others.ravel()).statistic)
        assert judge.metrics == pytest.approx([stats.pearsonr(scores.ravel(), others.ravel()).statistic])
    assert found.mean == pytest.approx(np.mean([judge.coefficient for judge in found.judges]))


def test_only_items_with_another_judge_count_and_for_metrics_the_same_items(scores: np.ndarray) -> None:
    given = ratings()
    given[0, :, 20:] = np.nan  # J0 did not rate these
    given[1:, :, :3] = np.nan  # only J0 rated these
    found = judge_as_metric(judgments_of(rows_of(given)), [metric_of("m", scores)], method="kendall", grouping="system")
    first = found.judges[0]
    assert first.items == 17 * len(SYSTEMS)
    others = given[1:, :, 3:20].mean(axis=0)
    own = [stats.kendalltau(given[0, k, 3:20], others[k]).statistic for k in range(len(SYSTEMS))]
    of_metric = [stats.kendalltau(scores[k, 3:20], others[k]).statistic for k in range(len(SYSTEMS))]
    assert first.coefficient == pytest.approx(np.mean(own))
    assert first.metrics == pytest.approx([np.mean(of_metric)])


def test_repeated_ratings_of_a_judge_are_averaged_first(scores: np.ndarray) -> None:
    given = ratings()
    rows = rows_of(given)
    repeated = [(s, k, j, score + d) for s, k, j, score in rows for d in (-1.0, 1.0)]
    once, twice = (
        judge_as_metric(judgments_of(these), [metric_of("m", scores)], method="spearman") for these in (rows, repeated)
    )
    assert [j.items for j in once.judges] == [j.items for j in twice.judges]
    assert [j.coefficient for j in once.judges] == pytest.approx([j.coefficient for j in twice.judges])


def test_over_systems_means_are_of_the_common_items(scores: np.ndarray) -> None:
    given = ratings()
    given[0, 1, 10:] = np.nan
    found = judge_as_metric(judgments_of(rows_of(given)), [metric_of("m", scores)], method="pearson", over_systems=True)
    rated = ~np.isnan(given[0])
    others = given[1:].mean(axis=0)
    own, rest, metric = (
        [values[k][rated[k]].mean() for k in range(len(SYSTEMS))] for values in (given[0], others, scores)
    )
    assert found.judges[0].coefficient == pytest.approx(stats.pearsonr(own, rest).statistic)
    assert found.judges[0].metrics == pytest.approx([stats.pearsonr(metric, rest).statistic])


def test_a_judge_with_few_common_items_is_left_out_and_counted(scores: np.ndarray) -> None:
    given = ratings()
    given[2] = np.nan
    given[2].flat[: MIN_JUDGED_ITEMS - 1] = 1.0
    found = judge_as_metric(judgments_of(rows_of(given)), [metric_of("m", scores)], method="pearson")
    assert [judge.judge.name for judge in found.judges] == ["J0", "J1"]
    assert found.left_out == 1
    assert "means over the 2 judges (1 left out)" in judge_as_metric_note(found)


def test_without_two_judges_of_the_same_items_the_reason_is_given(scores: np.ndarray) -> None:
    given = ratings()
    alone = judge_as_metric(judgments_of(rows_of(given[:1])), [metric_of("m", scores)], method="pearson")
    assert alone.reason == "1 judge, at least 2 needed"
    given[0, :, 15:], given[1, :, :15], given[2] = np.nan, np.nan, np.nan
    apart = judge_as_metric(judgments_of(rows_of(given)), [metric_of("m", scores)], method="pearson")
    assert apart.reason == f"no judge shares {MIN_JUDGED_ITEMS} items with others; the most is 0"
    assert np.isnan(apart.mean)
    assert judge_as_metric_report(apart).compared == ()
    unnamed = judgments_of([(s, k, "", score) for s, k, _, score in rows_of(ratings())])
    found = judge_as_metric(unnamed, [metric_of("m", scores)], method="pearson")
    assert found.reason == "no rating names its judge and its segment"


def test_too_few_systems_have_no_coefficient_over_systems(scores: np.ndarray) -> None:
    given = ratings()
    given[:, 3:] = np.nan
    found = judge_as_metric(judgments_of(rows_of(given)), [metric_of("m", scores)], method="pearson", over_systems=True)
    assert {judge.reason for judge in found.judges} == {"3 systems with common items, at least 4 needed"}
    assert "3 systems with common items" in judge_as_metric_note(found)


def test_a_metric_without_a_coefficient_comes_last_with_a_reason(scores: np.ndarray) -> None:
    constant = metric_of("constant", np.ones_like(scores))
    found = judge_as_metric(judgments_of(rows_of(ratings())), [constant, metric_of("m", scores)], method="pearson")
    table = compared_table(found)
    assert [row[0] for row in table.rows] == [A_JUDGE, "m", "constant"]
    assert judge_as_metric_report(found).compared[-1].reason == "the coefficient is undefined for a judge"


def test_metrics_of_different_systems_are_refused(scores: np.ndarray) -> None:
    other = MetricScores(name="n", systems=SYSTEMS[::-1], system_scores=scores.mean(axis=1), segment_scores=scores)
    with pytest.raises(ValueError, match="same systems"):
        judge_as_metric(judgments_of(rows_of(ratings())), [metric_of("m", scores), other], method="pearson")
