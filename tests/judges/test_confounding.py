"""Judges confounded with systems: rosters made so, random ones, crossed ones, and the ranking that follows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from judges.rosters import confounded_rows, judgments_of

from bleu_core.dataset import Judgments
from bleu_core.inference import adjust, significant
from bleu_core.judges import Adjustment, confounding, human_ranking, is_confounded, is_unbalanced


def ratings(*, confounded: bool, segments: int = 200, better: float = 0.0, seed: int = 0) -> Judgments:
    """Four systems, of which D is better by so much; where judges are confounded, the severe one rates A most often."""
    return judgments_of(confounded_rows("ABCD", segments=segments, confounded=confounded, better=better, seed=seed))


def test_a_roster_that_gives_one_system_the_severe_judge_is_confounded() -> None:
    found = confounding(ratings(confounded=True))
    assert found.confounded
    assert found.imbalance.p_value == pytest.approx(1 / 500)
    assert found.imbalance.deviation > 3 * found.imbalance.expected
    assert {effect.baseline for effect in found.misleading} == {"A"}
    for effect in found.misleading:
        assert effect.raw == pytest.approx(effect.adjusted + effect.effect)
        assert effect.raw > 1 > abs(effect.adjusted)
        assert effect.effect > 5 * effect.standard_error > 0


@pytest.mark.parametrize("seed", range(4))
def test_a_random_roster_is_not(seed: int) -> None:
    found = confounding(ratings(confounded=False, seed=seed))
    assert not found.confounded
    assert found.imbalance.p_value > 0.01
    assert found.means.severity_p < 0.01


@pytest.mark.parametrize("confounded", [True, False])
def test_the_quick_test_of_imbalance_says_what_the_whole_one_says(*, confounded: bool) -> None:
    judgments = ratings(confounded=confounded)
    assert is_unbalanced(judgments) == confounded == (confounding(judgments).imbalance.p_value < 0.01)
    assert is_confounded(judgments) == confounded == confounding(judgments).confounded


def test_a_crossed_roster_has_no_imbalance() -> None:
    generator = np.random.default_rng(1)
    rows = [
        (s, f"S{k}", f"J{j}", float(k + 5 * j + generator.normal()))
        for s in range(1, 31)
        for k in range(3)
        for j in range(3)
    ]
    found = confounding(judgments_of(rows))
    assert found.imbalance.deviation == pytest.approx(0, abs=1e-12)
    assert found.imbalance.p_value == 1.0
    assert not found.confounded


def test_without_a_segment_with_two_judges_imbalance_is_not_tested_and_the_reason_says_so() -> None:
    generator = np.random.default_rng(1)
    rows = [(s, f"S{k}", f"J{s % 3}", float(generator.normal())) for s in range(1, 31) for k in range(3)]
    found = confounding(judgments_of(rows))
    assert found.reason.startswith("no segment has two judges")
    assert math.isnan(found.imbalance.p_value)
    assert not found.confounded


def test_an_unbalanced_roster_of_equally_severe_judges_is_not_confounded() -> None:
    generator = np.random.default_rng(2)
    rows = [
        (s, f"S{k}", f"J{k if generator.random() < 0.8 else generator.integers(4)}", float(generator.normal()))
        for s in range(1, 201)
        for k in range(4)
    ]
    assert not confounding(judgments_of(rows)).confounded


def test_the_ranking_is_adjusted_where_judges_are_confounded() -> None:
    judgments = ratings(confounded=True, better=2.0)
    found = human_ranking(judgments)
    assert found.adjusted
    assert [rank.system for rank in found.ranks if rank.tier == 1] == ["D"]
    assert {rank.system for rank in found.ranks if rank.tier == 2} == {"A", "B", "C"}
    for rank in found.ranks:
        assert rank.mean == rank.adjusted
        assert rank.interval.low < rank.mean < rank.interval.high


def test_raw_means_of_a_confounded_roster_have_no_tiers_and_the_reason_says_so() -> None:
    found = human_ranking(ratings(confounded=True), adjustment="raw")
    assert not found.adjusted
    assert {rank.tier for rank in found.ranks} == {None}
    assert "confounded" in found.reason


@pytest.mark.parametrize("adjustment", ["raw", "adjusted"])
def test_p_values_are_corrected_for_all_pairs_and_agree_with_intervals(adjustment: Adjustment) -> None:
    found = human_ranking(ratings(confounded=False, better=0.4), adjustment=adjustment)
    assert len(found.pairs) == math.comb(4, 2)
    np.testing.assert_allclose(
        [pair.p_value_adjusted for pair in found.pairs], adjust(np.array([pair.p_value for pair in found.pairs]))
    )
    for pair in found.pairs:
        assert significant(pair.p_value) == (not pair.interval.low <= 0 <= pair.interval.high)
        assert pair.delta >= 0
        assert pair.interval.low + pair.interval.high == pytest.approx(2 * pair.delta)
    values = {rank.system: rank.mean for rank in found.ranks}
    assert [pair.delta for pair in found.pairs] == pytest.approx(
        [values[pair.system] - values[pair.baseline] for pair in found.pairs]
    )


def test_raw_differences_of_complete_ratings_are_tested_by_the_paired_t() -> None:
    from scipy import stats

    judgments = ratings(confounded=False, better=0.4)
    found = human_ranking(judgments, adjustment="raw")
    table = judgments.segment_means(found.means.systems, 200).scores
    place = {name: k for k, name in enumerate(found.means.systems)}
    for pair in found.pairs:
        expected = stats.ttest_rel(table[place[pair.system]], table[place[pair.baseline]])
        assert pair.p_value == pytest.approx(expected.pvalue)
        interval = expected.confidence_interval()
        assert (pair.interval.low, pair.interval.high) == pytest.approx((interval.low, interval.high))


def test_few_rated_segments_have_no_tiers() -> None:
    found = human_ranking(ratings(confounded=False, segments=10, better=9))
    assert {rank.tier for rank in found.ranks} == {None}
    assert found.reason.startswith("Only 10 segments are rated")


def test_ratings_of_whole_systems_have_no_tiers_and_no_intervals() -> None:
    judgments = Judgments.from_ratings(["A", "B"], np.array([1.0, 2.0]), [2, 3], "h.csv", segments=[None, None])
    found = human_ranking(judgments)
    assert [(rank.system, rank.mean, rank.tier) for rank in found.ranks] == [("B", 2.0, None), ("A", 1.0, None)]
    assert math.isnan(found.pairs[0].p_value)
    assert found.reason
