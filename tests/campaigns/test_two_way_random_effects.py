"""Means of values by judge and segment: against the analysis of variance, matrix algebra and simulated ratings."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from printed import Printed, printed_at_the_end
from scipy import stats
from simulated_campaigns import People, table_of_ratings

from bleu_core.arrays import Floats, Integers
from bleu_core.campaigns.two_way_random_effects import CrossedMean, crossed_mean, mean_weights, variances
from bleu_core.judges.variance_components import variance_components

SEED = 11
#: The standard error of a share near 95 % is then .3.
SAMPLES = 5000


def grid(values: Floats) -> tuple[Floats, Integers, Integers]:
    segment, judge = np.nonzero(~np.isnan(values))
    return values[segment, judge], segment, judge


@pytest.mark.parametrize("shape", [(6, 4), (50, 20), (3, 2), (2, 9)])
def test_balanced_values_have_the_components_of_the_analysis_of_variance(shape: tuple[int, int]) -> None:
    d = np.random.default_rng(sum(shape)).normal(size=shape) + np.arange(shape[0])[:, None]
    segments, judges = shape
    by_segment = judges * d.mean(axis=1).var(ddof=1)
    by_judge = segments * d.mean(axis=0).var(ddof=1)
    rest = d - d.mean(axis=1, keepdims=True) - d.mean(axis=0) + d.mean()
    residual = (rest**2).sum() / ((segments - 1) * (judges - 1))
    found = variances(*grid(d))
    assert found.residual == pytest.approx(residual)
    assert found.segment == pytest.approx((by_segment - residual) / judges)
    assert found.judge == pytest.approx((by_judge - residual) / segments)


def test_balanced_components_are_those_of_hendersons_third_method() -> None:
    values, segment, judge = grid(np.random.default_rng(3).normal(size=(12, 7)))
    theirs = variance_components({"segment": segment, "judge": judge}, values)
    ours = variances(values, segment, judge)
    estimates = {component.name: component.estimate for component in theirs.components}
    assert (ours.segment, ours.judge, ours.residual) == pytest.approx(
        (estimates["segment"], estimates["judge"], estimates["residual"])
    )


@pytest.mark.parametrize("seed", range(5))
def test_components_of_any_numbers_of_values_solve_the_equations_of_matrix_algebra(seed: int) -> None:
    random = np.random.default_rng(seed)
    d = random.normal(size=(9, 5))
    d[random.random(d.shape) < 0.4] = np.nan
    values, segment, judge = grid(d)
    segment, judge = (np.unique(each, return_inverse=True)[1] for each in (segment, judge))
    n = len(values)
    centre = np.eye(n) - 1 / n
    kernels = [np.equal.outer(factor, factor).astype(float) for factor in (segment, judge)] + [np.eye(n)]
    expected = [[np.trace(centre @ p @ centre @ q) for q in kernels] for p in kernels]
    observed = [values @ centre @ p @ centre @ values for p in kernels]
    found = variances(values, segment, judge)
    solved = np.linalg.solve(expected, observed)
    assert (found.segment, found.judge) == pytest.approx(tuple(solved[:2]))
    assert found.residual == pytest.approx(max(solved[2], 0))
    weights = mean_weights(segment, judge)
    assert (weights.segment, weights.judge, weights.residual) == pytest.approx(
        tuple(float(kernel.sum()) / n**2 for kernel in kernels)
    )


def test_with_one_rating_per_segment_the_interval_is_students_over_judges() -> None:
    # Each judge has segments of his own: his mean is all that he says.
    d = np.random.default_rng(8).normal(size=(5, 6)) + np.arange(5)[:, None]
    judge = np.repeat(np.arange(5), 6)
    found = crossed_mean(d.ravel(), np.arange(30), judge)
    theirs = stats.ttest_1samp(d.mean(axis=1), 0).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high))
    assert found.degrees_of_freedom == 4


def test_where_judges_agree_the_interval_is_students_over_segments() -> None:
    d = np.repeat(np.random.default_rng(9).normal(size=(40, 1)), 3, axis=1)
    found = crossed_mean(*grid(d))
    theirs = stats.ttest_1samp(d[:, 0], 0).confidence_interval(0.95)
    # The judges' mean square and the residual's are 0.
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high))
    assert found.degrees_of_freedom == pytest.approx(39)


@pytest.mark.parametrize(
    ("values", "segment", "judge", "reason"),
    [
        ([], [], [], "0 ratings, at least 2 needed"),
        ([1, 2], [0, 0], [0, 1], "1 segment, at least 2 needed"),
        ([1, 2], [0, 1], [4, 4], "1 judge, at least 2 needed"),
        ([1, 1, 1], [0, 1, 1], [0, 0, 1], "all values are the same"),
    ],
)
def test_a_mean_without_an_interval_says_why(
    values: list[float], segment: list[int], judge: list[int], reason: str
) -> None:
    found = crossed_mean(np.array(values, float), np.array(segment, int), np.array(judge, int))
    assert found.reason == reason
    assert math.isnan(found.low)
    assert math.isnan(found.degrees_of_freedom)


def test_the_order_of_values_and_the_numbers_of_segments_and_judges_do_not_matter() -> None:
    random = np.random.default_rng(1)
    values, segment, judge = grid(random.normal(size=(10, 4)))
    order = random.permutation(len(values))
    first = crossed_mean(values, segment, judge)
    second = crossed_mean(values[order], 90 - 7 * segment[order], 3 * judge[order] + 2)
    assert (first.low, first.high) == pytest.approx((second.low, second.high))


def test_where_documents_were_drawn_the_interval_is_for_other_documents() -> None:
    # 600 samples of 12 documents with 3 to 7 segments that resemble each other, rated by 8 judges: a share of 95 % has
    # a standard error of .9.
    random = np.random.default_rng(1)
    by_document, by_segment = [], []
    for _ in range(600):
        document = np.repeat(np.arange(12), random.integers(3, 8, size=12))
        d = 0.5 * random.normal(size=12)[document][:, None] + 0.6 * random.normal(size=(len(document), 1))
        d = d + 0.2 * random.normal(size=8) + 1.1 * random.normal(size=(len(document), 8))
        values, segment, judge = grid(d)
        by_document.append(covers(crossed_mean(values, document[segment], judge, drawn="document"), 0))
        by_segment.append(covers(crossed_mean(values, segment, judge), 0))
    assert 0.925 <= np.mean(by_document) <= 0.975
    assert np.mean(by_segment) < 0.9


# --- coverage ---------------------------------------------------------------------------------------------------

CASES: dict[str, People] = {
    "as the paper's: 50 × 20": People(),
    "judges of one taste": People(taste=0),
    "strong tastes": People(taste=0.4),
    "3 of 20 judges per segment": People(ratings=3),
    "100 × 10, 2 per segment": People(segments=100, judges=10, ratings=2),
    "20 × 4": People(segments=20, judges=4),
    "20 × 4, strong tastes": People(segments=20, judges=4, taste=0.4),
    "30 × 6, 20 % missing": People(segments=30, judges=6, missing=0.2),
    "40 × 8, uneven loads, tastes": People(segments=40, judges=8, uneven=True, taste=0.3),
    "40 × 8, lenient, strong drift": People(segments=40, judges=8, leniency=1, drift=1.5),
    "not rounded": People(rounded=False),
    "20 × 4, judges of one taste": People(segments=20, judges=4, taste=0),
    "20 × 4, 2 per segment": People(segments=20, judges=4, ratings=2),
}
#: The component of three judges can hardly be told from 0, and intervals are wider than need be.
CAUTIOUS = {"10 × 3": People(segments=10, judges=3)}


def covered(people: People, samples: int, seed: int = SEED) -> tuple[float, float, float]:
    """Shares of the intervals of a difference and of a mean that cover, and the median width of the former."""
    random, truth = np.random.default_rng(seed), people.true_means()
    differences: list[bool] = []
    means: list[bool] = []
    widths: list[float] = []
    for _ in range(samples):
        table = table_of_ratings(people.ratings_of(random))
        found = crossed_mean(*table.paired(0, 1))
        differences.append(covers(found, truth[0] - truth[1]))
        means.append(covers(table.mean(0), truth[0]))
        widths.append(found.high - found.low)
    return float(np.mean(differences)), float(np.mean(means)), float(np.median(widths))


def covers(found: CrossedMean, truth: float) -> bool:
    return found.low <= truth <= found.high


@pytest.fixture(scope="module")
def printed() -> Iterator[Printed]:
    with printed_at_the_end(decimals=1) as found:
        yield found


@pytest.mark.slow
@pytest.mark.parametrize("name", [*CASES, *CAUTIOUS])
def test_intervals_cover(printed: Printed, name: str) -> None:
    people = {**CASES, **CAUTIOUS}[name]
    difference, mean, width = covered(people, SAMPLES)
    printed.add(
        f"95 % intervals that cover, {SAMPLES:,} campaigns, %",
        {"campaign": name, "difference": 100 * difference, "mean": 100 * mean, "width": f"{width:.2f}"},
    )
    assert 0.93 <= difference <= (0.97 if name in CASES else 0.985)
    assert 0.925 <= mean <= 0.97  # of few judges, and of uneven loads, a little low


def test_intervals_of_a_campaign_like_the_papers_cover_in_a_small_sample() -> None:
    # 300 campaigns with a fixed seed; a share of 95 % has a standard error of 1.3.
    difference, mean, _ = covered(People(), 300)
    assert 0.91 <= difference <= 0.99
    assert 0.91 <= mean <= 0.99
