"""The threshold above which segments skip review: against a plain implementation, and where it is undefined."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from bleu_core.agreement import (
    MetricScores,
    ReviewPart,
    ReviewThreshold,
    default_acceptable,
    percent_beside,
    review_threshold,
    shortest_within,
)
from bleu_core.agreement.review_choice import BOUND_CONFIDENCE, share_of
from bleu_core.arrays import Floats
from bleu_core.errors import SettingsError

SYSTEMS, SEGMENTS, DOCUMENTS = 4, 240, 24
IN_DOCUMENTS = [f"d{n % DOCUMENTS}" for n in range(SEGMENTS)]


@pytest.fixture
def drawn() -> tuple[Floats, Floats]:
    """Scores with ties and holes, and mean ratings from 0 to 100 that share a difficulty of segments and documents."""
    generator = np.random.default_rng(4)
    document = generator.normal(size=DOCUMENTS)[np.arange(SEGMENTS) % DOCUMENTS]
    ratings = 75 + 10 * (document + generator.normal(size=SEGMENTS) + generator.normal(size=(SYSTEMS, SEGMENTS)))
    ratings = ratings.clip(0, 100).round()
    scores = ((ratings + 6 * generator.normal(size=ratings.shape)) / 100).round(2)
    scores[generator.random(ratings.shape) < 0.05] = np.nan
    ratings[generator.random(ratings.shape) < 0.05] = np.nan
    return scores, ratings


def metric(scores: Floats, *, higher_is_better: bool = True) -> MetricScores:
    """Return a metric with these scores, in the direction in which higher is better."""
    names = tuple(f"system{k}" for k in range(len(scores)))
    return MetricScores(
        name="COMETKiwi",
        systems=names,
        system_scores=np.zeros(len(scores)),
        segment_scores=scores,
        higher_is_better=higher_is_better,
    )


def plain_share(entries: Sequence[tuple[int, bool]], related: Sequence[tuple[int, bool]], confidence: float) -> tuple:
    """Return a share with both one-sided bounds by loops: Korn and Graubard's formulas with SciPy's distributions."""
    n, counted = len(entries), sum(value for _, value in entries)
    x, effective = plain_effective(entries, related, confidence)
    if math.isnan(effective):
        return counted / n, 0.0, 1.0
    low = stats.beta.ppf(1 - confidence, x, effective - x + 1) if counted else 0.0
    high = stats.beta.ppf(confidence, x + 1, effective - x) if counted < n else 1.0
    return counted / n, low, high


def plain_effective(
    entries: Sequence[tuple[int, bool]], related: Sequence[tuple[int, bool]], confidence: float
) -> tuple[float, float]:
    """Return the effective numbers of counted and of all entries; NaN with one cluster."""
    n, counted = len(entries), sum(value for _, value in entries)
    effect, clusters, size = plain_effect(entries)
    if clusters < 2:
        return math.nan, math.nan
    other, _, other_size = plain_effect(related)
    correlation = 0.0 if math.isnan(other) or other_size <= 1 else min(max((other - 1) / (other_size - 1), 0), 1)
    least = 1 + correlation * (size - 1)
    effect = least if math.isnan(effect) else max(effect, least)
    t_ratio = stats.t.ppf(confidence, n - 1) / stats.t.ppf(confidence, clusters - 1)
    effective = min(n, n / max(effect, 1) * t_ratio**2)
    return counted / n * effective, effective


def plain_p_value(entries: Sequence[tuple[int, bool]], related: Sequence[tuple[int, bool]], limit: float) -> float:
    """Return the p-value of the hypothesis that the share exceeds the limit."""
    x, effective = plain_effective(entries, related, BOUND_CONFIDENCE)
    if math.isnan(effective) or all(value for _, value in entries):
        return 1.0
    return float(stats.beta.sf(limit, x + 1, effective - x))


def plain_effect(entries: Sequence[tuple[int, bool]]) -> tuple[float, int, float]:
    """Return the design effect, the number of clusters and the mean size of the cluster of an entry."""
    sizes, sums = Counter(unit for unit, _ in entries), defaultdict(int)
    for unit, value in entries:
        sums[unit] += value
    n, share, clusters = len(entries), sum(sums.values()) / len(entries), len(sizes)
    mean_size = sum(sizes[unit] for unit, _ in entries) / n
    if share in (0, 1) or clusters < 2:
        return math.nan, clusters, mean_size
    variance = clusters / (clusters - 1) * sum((sums[u] - share * sizes[u]) ** 2 for u in sizes) / n**2
    return variance / (share * (1 - share) / (n - 1)), clusters, mean_size


def plain_entries(part: ReviewPart, threshold: float = -math.inf) -> list[tuple[int, bool]]:
    """Return the unit of each entry that skips, and whether it is unacceptable."""
    entries = zip(part.scores.tolist(), part.units.tolist(), (~part.acceptable).tolist(), strict=True)
    return [(unit, bad) for score, unit, bad in entries if score >= threshold]


def plain_threshold(choice: ReviewPart, test: ReviewPart, limit: float, among: int) -> float | None:
    """Return the lowest score in the part for the choice that is recommended: tested one by one by loops."""
    ranked = sorted(choice.scores.tolist(), reverse=True)
    wanted = (math.ceil(round(100 ** (n / 59 - 1) * len(ranked), 9)) for n in range(60))
    candidates = list(dict.fromkeys(ranked[max(count, 1) - 1] for count in wanted))
    p_values = [plain_p_value(plain_entries(choice, score), plain_entries(choice), limit) for score in candidates]
    best = p_values.index(min(p_values))
    recommended = None
    for score in candidates[best:] if p_values[best] < 0.5 else []:
        below = max((other for other in ranked if other < score), default=-math.inf)
        threshold = shortest_within(below, score) if below > -math.inf else -math.inf
        if plain_share(plain_entries(test, threshold), plain_entries(test), 1 - 0.05 / among)[2] > limit:
            break
        recommended = score
    return recommended


@pytest.mark.parametrize("documents", [IN_DOCUMENTS, None])
@pytest.mark.parametrize(("limit", "among"), [(0.1, 1), (0.2, 1), (0.2, 5)])
def test_the_threshold_and_all_shares_are_those_of_a_plain_implementation(
    drawn: tuple[Floats, Floats], documents: list[str] | None, limit: float, among: int
) -> None:
    scores, ratings = drawn
    result = review_threshold(
        metric(scores), ratings, documents, acceptable=65, max_unacceptable=limit, seed=3, among=among
    )
    assert result.unit == ("segment" if documents is None else "document")
    assert result.choice is not None
    assert result.test is not None
    lowest = float(result.chosen_on.scores[result.chosen_on.scores >= result.threshold].min())
    assert lowest == plain_threshold(result.chosen_on, result.tested_on, limit, among)
    everything = plain_entries(result.tested_on)
    bound = plain_share(plain_entries(result.tested_on, result.threshold), everything, 1 - 0.05 / among)[2]
    assert result.upper_bound == pytest.approx(bound, abs=1e-9)
    assert result.upper_bound <= limit
    # The parts and the outcome of the part for the test, from the arrays themselves.
    used = np.isfinite(scores) & np.isfinite(ratings)
    units = np.arange(SEGMENTS) % DOCUMENTS if documents else np.arange(SEGMENTS)
    order = np.random.default_rng(3).permutation(sorted(set(units[used.any(axis=0)].tolist())))
    in_test = set(order[len(order) // 3 :].tolist())
    skipping, skip_bad, of_acceptable, everything = [], [], [], []
    for k in range(SYSTEMS):
        for s in range(SEGMENTS):
            if used[k, s] and units[s] in in_test:
                skips, good = bool(scores[k, s] >= result.threshold), bool(ratings[k, s] >= 65)
                skipping.append((units[s], skips))
                everything.append((units[s], not good))
                if skips:
                    skip_bad.append((units[s], not good))
                if good:
                    of_acceptable.append((units[s], skips))
    for share, entries, related in (
        (result.test.skipping, skipping, [(0, True)]),
        (result.test.unacceptable, skip_bad, everything),
        (result.test.recall, of_acceptable, skipping),
    ):
        expected = plain_share(entries, related, 0.975)
        assert (share.value, share.interval.low, share.interval.high) == pytest.approx(expected, abs=1e-9)
        assert (share.count, share.of) == (sum(value for _, value in entries), len(entries))
    assert result.test.precision.value == pytest.approx(1 - result.test.unacceptable.value)


def test_a_curve_has_the_outcome_of_every_threshold(drawn: tuple[Floats, Floats]) -> None:
    scores, ratings = drawn
    part = review_threshold(metric(scores), ratings, IN_DOCUMENTS, acceptable=65).chosen_on
    curve = part.curve()
    assert curve.thresholds.tolist() == sorted(set(part.scores.tolist()), reverse=True)  # ties skip together
    everything = list(zip(part.units.tolist(), (~part.acceptable).tolist(), strict=True))
    for t, threshold in enumerate(curve.thresholds.tolist()):
        outcome = part.outcome(threshold)
        counts = outcome.skipping.count, outcome.unacceptable.count
        assert counts == (curve.skipping[t], curve.unacceptable[t])
        skip = [entry for entry, score in zip(everything, part.scores.tolist(), strict=True) if score >= threshold]
        assert curve.bound[t] == pytest.approx(plain_share(skip, everything, BOUND_CONFIDENCE)[2], abs=1e-9)


def test_independent_entries_have_the_interval_of_clopper_and_pearson() -> None:
    everything, units = np.ones(80, np.bool_), np.arange(80)
    for count in (0, 1, 7, 80):
        share = share_of(np.arange(80) < count, everything, units)
        expected = stats.binomtest(count, 80).proportion_ci(method="exact")
        assert (share.interval.low, share.interval.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_equal_entries_of_a_cluster_count_about_once() -> None:
    once = share_of(np.arange(60) < 12, np.ones(60, np.bool_), np.arange(60))
    tenfold = np.repeat(np.arange(60), 10)
    repeated = share_of(tenfold < 12, np.ones(600, np.bool_), tenfold)
    assert repeated.interval.low == pytest.approx(once.interval.low, abs=0.005)
    assert repeated.interval.high == pytest.approx(once.interval.high, abs=0.005)
    without = share_of(tenfold < 0, np.ones(600, np.bool_), tenfold, related=tenfold < 12)  # none, but not of 600
    assert without.interval.high == pytest.approx(1 - 0.025 ** (1 / 60), abs=0.005)


def test_lower_scores_that_are_better_give_the_same_segments(drawn: tuple[Floats, Floats]) -> None:
    scores, ratings = drawn
    up = review_threshold(metric(scores), ratings, IN_DOCUMENTS, acceptable=65, max_unacceptable=0.2)
    down = review_threshold(
        metric(scores, higher_is_better=False), ratings, IN_DOCUMENTS, acceptable=65, max_unacceptable=0.2
    )
    assert down.threshold == -up.threshold  # the metric's own scores are the negated ones
    assert down.test is not None
    assert up.test is not None
    assert down.test.skipping == up.test.skipping
    own = -down.tested_on.scores
    assert int((own <= down.threshold).sum()) == down.test.skipping.count
    assert (np.diff(down.chosen_on.curve().thresholds) > 0).all()


def test_documents_stay_whole_and_a_segment_is_in_one_part_for_all_systems(drawn: tuple[Floats, Floats]) -> None:
    by_document = review_threshold(metric(drawn[0]), drawn[1], IN_DOCUMENTS, acceptable=65, max_unacceptable=0.2)
    assert (by_document.chosen_on.size, by_document.tested_on.size) == (8, 16)
    by_segment = review_threshold(metric(drawn[0]), drawn[1], ["one"] * SEGMENTS, acceptable=65, max_unacceptable=0.2)
    assert by_segment.documents == 1
    assert "segments of the same document can be in both" in by_segment.note
    for result in (by_document, by_segment):
        assert not set(result.chosen_on.units) & set(result.tested_on.units)
        assert result.entries == int((np.isfinite(drawn[0]) & np.isfinite(drawn[1])).sum())
    assert by_document.note == ""


def test_the_seed_draws_the_parts(drawn: tuple[Floats, Floats]) -> None:
    def units(seed: int) -> list[int]:
        part = review_threshold(metric(drawn[0]), drawn[1], IN_DOCUMENTS, acceptable=65, seed=seed).chosen_on
        return sorted(set(part.units.tolist()))

    assert units(1) == units(1)
    assert units(1) != units(2)


def test_a_threshold_has_as_few_decimals_as_its_neighbours_allow(drawn: tuple[Floats, Floats]) -> None:
    scores, ratings = drawn
    fine = scores + 0.000123
    result = review_threshold(metric(fine), ratings, IN_DOCUMENTS, acceptable=65, max_unacceptable=0.2)
    coarse = review_threshold(metric(scores), ratings, IN_DOCUMENTS, acceptable=65, max_unacceptable=0.2)
    assert result.choice is not None
    assert coarse.choice is not None
    assert result.choice.skipping.count == coarse.choice.skipping.count
    assert len(repr(result.threshold)) <= len("0.12")
    assert shortest_within(0.8274, 0.8312) == 0.83
    assert shortest_within(-3.2, -2.9) == -3
    assert shortest_within(0.1234567891, 0.1234567892) == 0.1234567892


def test_few_acceptable_segments_are_no_evidence() -> None:
    """With a limit of 5%, 58 acceptable of 58 have an upper bound above it, and 59 of 59 do not."""
    for skipping, found in ((58, False), (59, True)):
        ratings = np.zeros((1, 300))
        order = np.random.default_rng(12345).permutation(300)
        ratings[0, order[:50]] = ratings[0, order[100 : 100 + skipping]] = 5  # the first 100 are for the choice
        result = review_threshold(metric(ratings), ratings, acceptable=4)
        assert math.isnan(result.threshold) is not found
        if not found:
            assert result.reason == (
                "no threshold keeps the share of unacceptable segments at or below 5% with 95% confidence: at 5 or "
                "above, 0 of 58 segments are unacceptable in the part for the test, with an upper bound of 5.03%"
            )


def test_the_more_metrics_are_examined_the_more_evidence_is_needed() -> None:
    """By 0.05 / N: with a limit of 5%, 59, 72 and 104 acceptable segments of as many."""
    for among, needed in ((1, 59), (2, 72), (10, 104)):
        for skipping in (needed - 1, needed):
            ratings = np.zeros((1, 600))
            order = np.random.default_rng(12345).permutation(600)
            ratings[0, order[:50]] = ratings[0, order[200 : 200 + skipping]] = 5
            result = review_threshold(metric(ratings), ratings, acceptable=4, among=among)
            assert math.isnan(result.threshold) is (skipping < needed)
            if skipping == needed:
                assert result.upper_bound == pytest.approx(stats.beta.ppf(1 - 0.05 / among, 1, needed))
            else:
                assert result.reason.endswith("%")
                assert not result.reason.endswith(" 5.0%")
                assert ("for 10 metrics together" in result.reason) is (among == 10)


@pytest.mark.parametrize("limit", [0.05, 0.07, 0.123, 0.29])
def test_a_share_beside_a_limit_has_digits_that_tell_them_apart(limit: float) -> None:
    for difference in (0.03, 4e-4, 4e-5, 4e-6):
        below, above = percent_beside(limit - difference, limit), percent_beside(limit + difference, limit)
        assert float(below.removesuffix("%")) < 100 * limit < float(above.removesuffix("%"))
    assert float(percent_beside(limit, limit).removesuffix("%")) == pytest.approx(100 * limit)


def constant(value: float, *shape: int) -> Floats:
    return np.full(shape, value, np.float64)


def reason_of(scores: Floats, ratings: Floats, acceptable: float = 4) -> str:
    result = review_threshold(metric(scores), ratings, acceptable=acceptable)
    assert math.isnan(result.threshold)
    assert result.choice is None
    assert result.test is None
    return result.reason


def test_what_is_undefined_has_a_reason() -> None:
    scores = np.random.default_rng(0).random((2, 100))
    ratings = constant(3, 2, 100)
    assert reason_of(scores, ratings) == "no mean rating is 4 or more"
    assert reason_of(np.empty((2, 0)), ratings) == "COMETKiwi has no scores of segments"
    assert reason_of(constant(math.nan, 2, 100), ratings) == "COMETKiwi has no scores of segments"
    assert reason_of(scores, constant(math.nan, 2, 100)) == "no ratings of segments found"
    few = ratings.copy()
    few[:, 19:] = math.nan
    assert reason_of(scores, few) == "19 segments with a score and a rating found, at least 20 expected"
    disjoint = scores.copy()
    disjoint[:, :19] = math.nan
    assert reason_of(disjoint, few) == "0 segments with a score and a rating found, at least 20 expected"
    one = ratings.copy()
    one[0, np.random.default_rng(12345).permutation(100)[-1]] = 5
    assert reason_of(scores, one) == "no mean rating in the part for the choice is 4 or more"


def test_acceptable_segments_all_skip_and_equal_scores_skip_together() -> None:
    scores = np.random.default_rng(0).random((2, 200)) + 1
    result: ReviewThreshold = review_threshold(metric(scores), constant(5, 2, 200), acceptable=4)
    assert result.choice is not None
    assert result.choice.skipping.value == 1
    assert result.choice.unacceptable.value == 0
    half_bad = constant(5, 2, 200)
    half_bad[1] = 1
    assert reason_of(constant(1, 2, 200), half_bad) == (
        "the part for the choice has too little evidence of a threshold that keeps the share of unacceptable segments "
        "at or below 5%: at best, at 1 or above, 66 of 132 segments are unacceptable"
    )
    tied = review_threshold(metric(constant(1, 2, 200)), half_bad, acceptable=4, max_unacceptable=0.6)
    assert tied.threshold == 1
    assert tied.test is not None
    assert tied.test.skipping.value == tied.test.recall.value == 1


def test_no_segment_that_skips_in_the_other_part_has_a_reason() -> None:
    part = ReviewPart(
        name="test",
        scores=np.arange(5.0),
        acceptable=np.ones(5, np.bool_),
        units=np.arange(5),
        systems=np.zeros(5, np.int64),
        higher_is_better=True,
    )
    outcome = part.outcome(9)
    assert outcome.reason == "no segment skips review"
    assert math.isnan(outcome.unacceptable.value)
    assert math.isnan(outcome.precision.value)
    assert math.isnan(outcome.unacceptable.interval.high)
    assert outcome.recall.value == 0


def test_rounding_errors_of_means_do_not_decide() -> None:
    ratings = np.full((1, 60), 0.1 + 0.2 - 5e-17)
    result = review_threshold(metric(ratings), np.full((1, 60), (0.1 * 3 + 0.2 * 3) / 3 - 1e-16), acceptable=0.3)
    assert result.acceptable_share == 1


@pytest.mark.parametrize(
    ("ratings", "expected"),
    [
        ([-25, -1, 0], -1),
        ([0.0, 0.0], -1),
        ([-1.3, 0.4], 0),
        ([1, 5, 4], 4),
        ([2, 6, 4], 4.5),
        ([0, 6, 4], 4.5),
        ([1, 7], 5.5),
        ([0, 10], 7.5),
        ([12, 97], 75),
        ([0.2, 0.93], 0.75),
        ([0, 200], 150),
        ([math.nan, 1, 5], 4),
    ],
)
def test_the_default_acceptable_value_follows_the_scale(ratings: list[float], expected: float) -> None:
    assert default_acceptable(np.array(ratings, np.float64)) == expected
    assert math.isnan(default_acceptable(np.array([math.nan])))


@pytest.mark.parametrize(("acceptable", "limit"), [(math.nan, 0.05), (math.inf, 0.05), (4, 0.0), (4, 1.0), (4, -1.0)])
def test_settings_out_of_range_are_refused(acceptable: float, limit: float) -> None:
    with pytest.raises(SettingsError, match="expected"):
        review_threshold(metric(constant(1, 1, 30)), constant(5, 1, 30), acceptable=acceptable, max_unacceptable=limit)
