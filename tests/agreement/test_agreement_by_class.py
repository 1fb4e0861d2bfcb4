"""Agreement of a metric with raters inside and outside classes of segments."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from bleu_core.agreement import (
    AgreementByClass,
    TestedMethod,
    agreement_by_class,
    calibrated_accuracy,
    document_scores,
    segment_correlation,
)
from bleu_core.arrays import Floats
from bleu_core.fields import AtMost
from bleu_core.slicing import SEGMENT_CLASSES, ClassMembers

SYSTEMS, SEGMENTS = 6, 240
DOCUMENTS = [f"d{n // 6}" for n in range(SEGMENTS)]


@pytest.fixture
def drawn() -> tuple[Floats, Floats]:
    """Scores and ratings that agree about as much everywhere; some missing, some tied."""
    generator = np.random.default_rng(3)
    ratings = generator.normal(size=(SYSTEMS, SEGMENTS)).round(1)
    scores = ratings + generator.normal(size=ratings.shape)
    ratings[generator.random(ratings.shape) < 0.05] = np.nan
    return scores, ratings


def members(*masks: np.ndarray) -> list[ClassMembers]:
    return [ClassMembers(one, mask) for one, mask in zip(SEGMENT_CLASSES, masks, strict=False)]


def taus_of(scores: Floats, ratings: Floats) -> Floats:
    pairs = zip(scores.T, ratings.T, strict=True)
    return np.array([stats.kendalltau(x, y, nan_policy="omit").statistic for x, y in pairs])


def some(share: float, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).random(SEGMENTS) < share


@pytest.mark.parametrize("method", ["pearson", "spearman", "kendall", "pairwise-accuracy"])
def test_agreement_on_all_segments_is_that_of_segment_agreement(
    drawn: tuple[Floats, Floats], method: TestedMethod
) -> None:
    found = agreement_by_class(*drawn, members(some(1.1)), method=method, trials=1, resamples=1)
    expected = segment_correlation(*drawn, method, "item").coefficient  # type: ignore[arg-type]
    assert found.coefficient == pytest.approx(expected, abs=1e-12)
    assert found.classes[0].inside == pytest.approx(expected, abs=1e-12)
    assert math.isnan(found.classes[0].outside)


def test_acc_eq_on_all_segments_is_the_calibrated_accuracy(drawn: tuple[Floats, Floats]) -> None:
    found = agreement_by_class(*drawn, [], method="acc-eq", trials=1, resamples=1)
    expected = calibrated_accuracy(*drawn)
    assert (found.coefficient, found.threshold) == pytest.approx((expected.accuracy, expected.threshold), abs=1e-12)


def test_agreement_inside_and_outside_is_that_of_the_segments_alone(drawn: tuple[Floats, Floats]) -> None:
    mask = some(0.3)
    found = agreement_by_class(*drawn, members(mask), trials=10, resamples=10).classes[0]
    taus = taus_of(*drawn)
    assert found.inside == pytest.approx(np.nanmean(taus[mask]))
    assert found.outside == pytest.approx(np.nanmean(taus[~mask]))
    assert found.difference == pytest.approx(np.nanmean(taus[mask]) - np.nanmean(taus[~mask]))
    assert (found.segments, found.others) == (np.isfinite(taus[mask]).sum(), np.isfinite(taus[~mask]).sum())


def test_without_documents_p_is_that_of_scipys_permuted_welch_test(drawn: tuple[Floats, Floats]) -> None:
    mask = some(0.3, 5)
    ours = agreement_by_class(*drawn, members(mask), trials=4000, resamples=10).classes[0]
    taus = taus_of(*drawn)
    inside, outside = (of[np.isfinite(of)] for of in (taus[mask], taus[~mask]))
    test = stats.permutation_test(
        (inside, outside),
        lambda a, b, axis: stats.ttest_ind(a, b, axis=axis, equal_var=False).statistic,
        n_resamples=4000,
        vectorized=True,
        rng=np.random.default_rng(1),
    )
    assert ours.p_value == pytest.approx(test.pvalue, abs=0.04)


@pytest.mark.parametrize("documents", [None, DOCUMENTS], ids=["segments", "documents"])
@pytest.mark.parametrize("method", ["kendall", "acc-eq"])
def test_a_class_with_shuffled_ratings_is_found_and_others_are_not(
    drawn: tuple[Floats, Floats], documents: list[str] | None, method: TestedMethod
) -> None:
    scores, ratings = drawn
    mask = some(0.25)
    ratings = ratings.copy()
    ratings[:, mask] = np.random.default_rng(1).permuted(ratings[:, mask], axis=0)
    found = agreement_by_class(scores, ratings, members(mask, some(0.25, 8), some(0.25, 9)), documents, method=method)
    assert [one.segment_class.key for one in found.different] == ["numbers"]
    planted, *others = found.classes
    assert isinstance(planted.p_value, AtMost)
    assert isinstance(planted.p_value_adjusted, AtMost)
    assert planted.interval.high < 0
    assert planted.difference < 0
    assert all(one.interval.low < 0 < one.interval.high for one in others)


def test_p_is_corrected_for_the_classes_that_have_one(drawn: tuple[Floats, Floats]) -> None:
    masks = [some(0.25, seed) for seed in range(3)] + [np.arange(SEGMENTS) < 5]
    found = agreement_by_class(*drawn, members(*masks), trials=200).classes
    p = sorted(one.p_value for one in found[:3])
    assert min(one.p_value_adjusted for one in found[:3]) == pytest.approx(min(3 * p[0], 1))
    assert math.isnan(found[3].p_value_adjusted)


def test_a_class_with_too_few_segments_or_documents_has_a_reason_and_no_p(drawn: tuple[Floats, Floats]) -> None:
    few, together = np.arange(SEGMENTS) < 19, np.arange(SEGMENTS) < 48
    missing = replace(members(few)[0], reason="no list of words")
    found = agreement_by_class(*drawn, [*members(few, together), missing], DOCUMENTS, trials=10).classes
    assert [one.reason for one in found] == [
        "19 segments with a coefficient in the class found, at least 20 expected",
        "segments in the class in 8 documents found, in at least 10 expected",
        "no list of words",
    ]
    assert all(math.isnan(one.p_value) and math.isnan(one.interval.low) for one in found)


def test_equal_coefficients_have_no_p() -> None:
    scores = np.tile(np.arange(4.0)[:, None], (1, 60))
    found = agreement_by_class(scores, scores, members(np.arange(60) < 30), trials=10).classes[0]
    assert (found.reason, found.inside, found.outside) == ("all coefficients are the same", 1.0, 1.0)


@pytest.mark.parametrize("documents", [None, DOCUMENTS])
def test_a_class_in_which_the_order_is_always_the_opposite_is_found(documents: list[str] | None) -> None:
    opposite = np.arange(SEGMENTS) % 2 == 0
    ratings = np.where(opposite, np.array([[2.0], [1.0]]), np.array([[1.0], [2.0]]))
    scores = np.repeat([[1.0], [2.0]], SEGMENTS, axis=1)
    (found,) = agreement_by_class(scores, ratings, members(opposite), documents).classes
    assert (found.inside, found.outside, found.reason) == (-1, 1, "")
    assert isinstance(found.p_value, AtMost)


def test_a_class_whose_scores_are_raised_is_overrated(drawn: tuple[Floats, Floats]) -> None:
    scores, ratings = drawn
    mask = some(0.25)
    found = agreement_by_class(scores + 2 * mask, ratings, members(mask), DOCUMENTS, trials=10).classes[0]
    assert found.rank_interval.low > 0.1
    assert found.rank_difference > 0.2


def test_document_scores_are_means_over_segments_with_both(drawn: tuple[Floats, Floats]) -> None:
    names, scores, ratings = document_scores(*drawn, DOCUMENTS)
    assert names[:2] == ("d0", "d1")
    present = np.isfinite(drawn[1][2, 6:12])
    assert scores[2, 1] == pytest.approx(drawn[0][2, 6:12][present].mean())
    assert ratings[2, 1] == pytest.approx(drawn[1][2, 6:12][present].mean())


def test_no_rating_at_all_gives_reasons() -> None:
    nothing = np.full((3, 30), np.nan)
    found: AgreementByClass = agreement_by_class(nothing, nothing, members(np.arange(30) < 15), trials=5)
    assert found.segments == 0
    assert found.classes[0].reason.startswith("0 segments")
