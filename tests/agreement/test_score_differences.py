"""How often judges agree with a difference, by its size."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize, special

from bleu_core.agreement import PUBLISHED, Agreement, DifferenceCurve, agreement_of_scores, difference_curve
from bleu_core.agreement.score_differences import fitted_slope
from bleu_core.arrays import Floats


def agreement(scores: Floats, ratings: Floats) -> Agreement:
    names = [f"system {k}" for k in range(len(scores))]
    return agreement_of_scores(
        dict(zip(names, scores.tolist(), strict=True)), dict(zip(names, ratings.tolist(), strict=True))
    )


def curve(scores: Floats, ratings: Floats) -> DifferenceCurve:
    return difference_curve(agreement(scores, ratings))


def drawn(systems: int, seed: int = 1) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=systems)
    return 30 + 2 * quality + rng.normal(size=systems), quality


@pytest.mark.parametrize("seed", range(5))
def test_the_slope_maximises_the_penalised_likelihood_as_scipy_finds_it(seed: int) -> None:
    found = curve(*drawn(9, seed))
    x, y = found.differences, found.agrees

    def loss(slope: float) -> float:
        p = special.expit(slope * x)
        likelihood = np.where(y, special.log_expit(slope * x), special.log_expit(-slope * x)).sum()
        return -float(likelihood + 0.5 * np.log((x * x * p * (1 - p)).sum()))

    assert found.slope == pytest.approx(optimize.minimize_scalar(loss).x, abs=1e-5)


def test_the_penalty_vanishes_with_the_number_of_pairs() -> None:
    rng = np.random.default_rng(2)
    differences = rng.exponential(2, size=20_000)
    agrees = rng.random(20_000) < special.expit(0.7 * differences)
    assert fitted_slope(differences, agrees) == pytest.approx(0.7, abs=0.03)


def test_pairs_are_those_of_pairwise_accuracy_and_ties_agree_with_ties() -> None:
    scores, ratings = np.array([1.0, 1, 2, 3, 4]), np.array([5.0, 5, 6, 4, 9])
    found, accuracy = curve(scores, ratings), agreement(scores, ratings).pairwise_accuracy
    assert (int(found.agrees.sum()), len(found.agrees)) == (accuracy.agreeing, accuracy.pairs)
    assert found.agrees[found.differences == 0].all()
    assert [found.beyond(d).pairs for d in (-1, 0, 1, 2, 3)] == [10, 9, 5, 2, 0]
    assert all(scores[high] >= scores[low] for high, low in found.pairs)


def test_a_curve_is_finite_where_raters_agree_with_every_pair() -> None:
    found = curve(np.arange(5.0), np.arange(5.0))
    assert found.beyond(0).value == 1
    assert 0 < found.slope < math.inf
    assert found.share(0) == 0.5
    assert 0.5 < found.share(1) < found.share(4) < 1
    assert math.isnan(found.share_interval(1).low)
    assert found.reason == "no interval: 5 systems with ratings found, at least 8 are needed"


def test_a_metric_that_raters_contradict_has_a_falling_curve_that_needs_no_difference_for_any_share() -> None:
    found = curve(np.arange(9.0), -np.arange(9.0))
    assert found.share(3) < 0.5
    assert math.isnan(found.needed(0.8))
    assert found.interval.high < 0


def test_fewer_than_ten_pairs_have_no_curve() -> None:
    found = curve(np.arange(4.0), np.arange(4.0))
    assert not found.is_fitted
    assert found.reason == "6 pairs of systems with ratings found, at least 10 are needed"
    assert math.isnan(found.share(1))


def test_equal_scores_have_no_curve() -> None:
    found = curve(np.ones(5), np.arange(5.0))
    assert (found.is_fitted, found.reason) == (False, "all scores are equal")
    assert curve(np.array([2.0] + [1.0] * 8), np.arange(9.0)).reason == (
        "no interval: without one system, all scores are equal"
    )


def test_the_interval_is_the_jackknife_by_hand() -> None:
    scores, ratings = drawn(8)
    found = curve(scores, ratings)
    without = [curve(np.delete(scores, k), np.delete(ratings, k)).slope for k in range(8)]
    deviation = math.sqrt(7 / 8 * sum((slope - sum(without) / 8) ** 2 for slope in without))
    assert found.interval.high - found.slope == pytest.approx(2.364624 * deviation)  # t with 7 degrees of freedom
    assert found.slope - found.interval.low == pytest.approx(2.364624 * deviation)
    share = found.share_interval(1.5)
    assert share.low < found.share(1.5) < share.high


def test_the_scale_and_sign_of_scores_do_not_matter() -> None:
    scores, ratings = drawn(9)
    one, other = curve(scores, ratings), curve(scores * 1e-4, ratings)
    assert other.slope == pytest.approx(one.slope * 1e4)
    assert other.interval.low == pytest.approx(one.interval.low * 1e4)
    assert curve(-scores, -ratings).slope == pytest.approx(one.slope)


def test_shuffled_ratings_agree_with_half_of_the_pairs() -> None:
    scores, ratings = drawn(12)
    rng = np.random.default_rng(3)
    shares = [curve(scores, rng.permutation(ratings)).share(3) for _ in range(200)]
    assert np.mean(shares) == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize(
    ("metric", "deltas"),
    [
        ("BLEU", [0.27, 0.52, 0.78, 1.06, 1.39, 1.79, 2.34, 3.35]),
        ("chrF2", [0.14, 0.33, 0.54, 0.76, 1.00, 1.28, 1.63, 2.12, 3.05]),
    ],
)
def test_published_curves_give_the_printed_thresholds(metric: str, deltas: list[float]) -> None:
    # Kocmi et al. (2024), Table 2: 50 to 85 or 90 percent.
    published = PUBLISHED[metric]
    levels = [0.5 + 0.05 * n for n in range(len(deltas))]
    assert [round(published.needed(level), 2) for level in levels] == deltas
    assert [published.share(published.needed(level)) for level in levels[1:]] == pytest.approx(levels[1:])
    assert math.isnan(published.needed(0.95))
    assert math.isnan(published.share(published.min_difference - 0.01))
