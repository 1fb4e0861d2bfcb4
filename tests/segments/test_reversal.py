"""Sets of segments that reverse the order of two systems: they do, few smaller ones exist, and none is made up."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
import sample
from hypothesis import given
from sacrebleu.metrics.bleu import BLEU
from scipy import stats
from texts import Texts, corpora

from bleu_core.arrays import Floats
from bleu_core.dataset import Corpus
from bleu_core.fields import AtMost
from bleu_core.inference import Comparison, Interval, compare
from bleu_core.scoring import BUILT_IN_METRICS, Numbers, SegmentStatistics, evaluate, score_metric
from bleu_core.segments import MAX_PERCENT, Reversal, expected_share, reversals

BEYOND = "over 10% of segments"


def mean_table(values: list[list[float]] | Floats, *, higher_is_better: bool = True) -> SegmentStatistics:
    """A metric that is the mean of values of segments, (K, S)."""
    table = np.stack([np.array(values, np.float64), np.ones(np.shape(values))], axis=-1)

    def mean(sums: Numbers) -> Floats:
        with np.errstate(invalid="ignore"):
            return (sums[..., 0] / sums[..., 1]).astype(np.float64)

    return SegmentStatistics(tuple("ABC"[: len(values)]), table, mean, higher_is_better=higher_is_better)


def difference(table: SegmentStatistics, found: Reversal, *, keep: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> float:
    """The difference of the pair on some of the segments."""
    scores = dict(zip(table.systems, table.score(table.values[:, keep].sum(axis=1)).tolist(), strict=True))
    return scores[found.system] - scores[found.baseline]


def without(table: SegmentStatistics, found: Reversal) -> float:
    """The difference of the pair without the segments of its set."""
    assert found.positions is not None
    keep = np.ones(table.segments, np.bool_)
    keep[list(found.positions)] = False
    return difference(table, found, keep=keep)


def sample_table(key: str = "bleu", segments: int | None = None) -> SegmentStatistics:
    """A metric's table of some systems of the sample, on its first segments."""
    whole = sample.corpus()
    corpus = Corpus(
        {name: whole.systems[name][:segments] for name in ("S1", "S2", "S3")},
        {name: texts[:segments] for name, texts in whole.references.items()},
    )
    return score_metric(corpus, evaluate(corpus), key).statistics


def pair_with(p_value: float, *, delta: float = 1.0, error: float = math.nan) -> Comparison:
    interval = Interval(math.nan, math.nan, 0.95)
    return Comparison(
        system="A",
        baseline="B",
        delta=delta,
        interval=interval,
        p_value=p_value,
        p_value_adjusted=p_value,
        standard_error=error,
    )


@pytest.mark.parametrize("key", BUILT_IN_METRICS)
def test_without_the_set_the_difference_has_the_opposite_sign(key: str) -> None:
    table = sample_table(key, 60)
    pairs = [(1, 0), (0, 1), (2, 0), (2, 1)]
    found = reversals(table, pairs)
    assert any(one.positions for one in found)
    for one, (k, b) in zip(found, pairs, strict=True):
        assert (one.system, one.baseline) == (table.systems[k], table.systems[b])
        if one.positions is None:
            assert (one.reason, math.isnan(one.share), math.isnan(one.remaining_delta)) == (BEYOND, True, True)
            continue
        assert without(table, one) == pytest.approx(one.remaining_delta, abs=1e-9)
        assert one.remaining_delta * one.delta < 0
        assert one.share == len(one.positions) / table.segments <= MAX_PERCENT / 100
        assert list(one.positions) == sorted(set(one.positions))
        assert one.reason == ""
    assert found[0].positions == found[1].positions  # the order of the pair does not matter


def test_sacrebleu_finds_the_order_reversed_without_the_set() -> None:
    few = sample.corpus()
    whole = Corpus(
        {name: few.systems[name][:150] for name in ("S3", "S2")},
        {name: texts[:150] for name, texts in few.references.items()},
    )
    table = evaluate(whole).statistics
    (found,) = reversals(table, [(0, 1)])
    assert found.positions is not None

    def delta(chosen: list[int]) -> float:
        references = [[str(texts[s]) for s in chosen] for texts in whole.references.values()]
        scores = [
            BLEU().corpus_score([whole.systems[name][s] for s in chosen], references).score for name in ("S3", "S2")
        ]
        return scores[0] - scores[1]

    everything = list(range(table.segments))
    assert delta(everything) == pytest.approx(found.delta)
    remaining = delta([s for s in everything if s not in found.positions])
    assert remaining == pytest.approx(found.remaining_delta)
    assert remaining < 0 < found.delta


@pytest.mark.parametrize("higher_is_better", [True, False])
def test_of_a_mean_the_fewest_segments_are_found(*, higher_is_better: bool) -> None:
    draws = np.random.default_rng(5)
    for _ in range(30):
        values = np.stack([draws.standard_t(3, 120) + 0.1, np.zeros(120)])
        table = mean_table(values, higher_is_better=higher_is_better)
        (found,) = reversals(table, [(0, 1)])
        ahead = values[0] * np.sign(values[0].sum())
        left = ahead.sum() - np.cumsum(np.sort(ahead)[::-1])
        fewest = int(np.argmax(left < 0)) + 1
        assert (found.positions is None) == (fewest > 12)
        if found.positions is not None:
            assert len(found.positions) == fewest


def test_values_of_a_system_that_add_up_to_nothing_count() -> None:
    values = np.zeros((2, 40))
    values[0] = 0.25
    values[1, 30:36] = [-9.0, -9.0, 4.0, 5.0, 6.0, 3.0]  # 0 in all
    (found,) = reversals(mean_table(values), [(0, 1)])
    assert found.positions == (30, 31)


def test_no_smaller_set_is_found_by_trying_all_single_segments_and_pairs() -> None:
    whole = sample_table()
    draws = np.random.default_rng(7)
    larger = 0
    for _ in range(150):
        table = whole.subset(draws.choice(whole.segments, 40, replace=False).tolist())
        for one, (k, b) in zip(reversals(table, [(0, 1), (1, 2)]), [(0, 1), (1, 2)], strict=True):
            size = len(one.positions) if one.positions else 5
            rows, sign = table.values[[k, b]], np.sign(one.delta)
            sums = rows.sum(axis=1)[:, None]
            if size > 1:
                scores = table.score(sums - rows)
                assert (sign * (scores[0] - scores[1])).min() >= 0
            if size > 2:
                larger += 1
                first, second = np.triu_indices(table.segments, 1)
                scores = table.score(sums - rows[:, first] - rows[:, second])
                assert (sign * (scores[0] - scores[1])).min() >= 0
    assert larger > 30


def test_each_segment_of_a_set_is_needed() -> None:
    table = sample_table(segments=150)
    for one in reversals(table, [(0, 1), (0, 2), (1, 2)]):
        for position in one.positions or ():
            keep = np.ones(table.segments, np.bool_)
            keep[list(one.positions or ())] = False
            keep[position] = True
            assert difference(table, one, keep=keep) * one.delta >= 0


def test_a_tie_is_not_a_reversal() -> None:
    values = np.zeros((2, 40))
    values[0, :2] = [2.0, 1.0]
    values[1, 5] = 1.0  # without the first segment, both sums are 1
    (found,) = reversals(mean_table(values), [(0, 1)])
    assert found.positions == (0, 1)
    assert found.remaining_delta == pytest.approx(-1 / 38)


def test_a_set_of_exactly_the_most_segments_is_found_and_one_more_is_not() -> None:
    for count, positions in ((4, (0, 1, 2, 3)), (5, None)):
        values = np.zeros((2, 40))
        values[0, :count] = 1.0
        values[1, 39] = 0.5
        (found,) = reversals(mean_table(values), [(0, 1)])
        assert found.positions == positions
        assert found.reason == ("" if positions else BEYOND)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([[1.0] * 20, [1.0] * 20], "the scores do not differ"),
        ([[1.0] * 20, [math.nan] * 20], "a score is undefined"),
        ([[2.0] * 20, [1.0] * 20], BEYOND),
        ([[2.0], [1.0]], BEYOND),
        ([[2.0, 0.0], [1.0, 0.0]], BEYOND),
    ],
)
def test_where_there_is_no_set_a_reason_is_given(values: list[list[float]], reason: str) -> None:
    (found,) = reversals(mean_table(values), [(0, 1)])
    assert (found.positions, found.reason) == (None, reason)
    assert math.isnan(found.share)


@given(corpora(systems=3, fewest_systems=2, segments=25))
def test_every_set_reverses_the_order_whatever_is_empty(texts: Texts) -> None:
    evaluation = evaluate(texts.corpus)
    for smoothing in ("exp", "none"):
        table = evaluation.with_settings(replace(evaluation.settings, smoothing=smoothing)).statistics
        for one in reversals(table, list(combinations(range(len(table.systems)), 2))):
            if one.positions is None:
                assert one.reason
            else:
                assert without(table, one) * one.delta < 0


def test_progress_counts_pairs() -> None:
    told: list[tuple[int, int]] = []
    reversals(mean_table([[1.0] * 10, [0.0] * 10]), [(0, 1), (1, 0)], progress=lambda *done: told.append(done))
    assert told == [(1, 2), (2, 2)]


@pytest.mark.parametrize(("segments", "z"), [(400, 0.5), (400, 2.0), (400, 3.0), (3000, 1.0), (3000, 4.0)])
def test_the_usual_share_is_that_of_normal_values(segments: int, z: float) -> None:
    draws = np.random.default_rng(3)
    shares: list[float] = []
    for _ in range(30):
        values = draws.standard_normal(segments)
        values = stats.zscore(values) + z / math.sqrt(segments)  # exactly z standard errors from 0
        (found,) = reversals(mean_table(np.stack([values, np.zeros(segments)])), [(0, 1)])
        shares.append(found.share)
    usual = expected_share(pair_with(2 * float(stats.norm.sf(z))), segments)
    assert usual == pytest.approx(np.mean(shares), abs=1 / segments)


def test_the_usual_share_follows_from_the_p_of_a_bootstrap() -> None:
    values = np.random.default_rng(1).standard_normal((2, 1000)) + np.array([[0.08], [0.0]])
    table = mean_table(values)
    (pair,) = compare(table, [(0, 1)], resamples=5000).pairs
    expected = stats.ttest_rel(*values)
    exact = expected_share(pair_with(float(expected.pvalue)), 1000)
    assert expected_share(pair, 1000) == pytest.approx(exact, rel=0.1)


def test_the_usual_share_falls_with_the_square_root_of_the_number_of_segments() -> None:
    shares = [expected_share(pair_with(0.05), segments) for segments in (500, 2000, 8000)]
    assert shares[0] / shares[1] == pytest.approx(2, rel=0.15)
    assert shares[1] / shares[2] == pytest.approx(2, rel=0.15)


def test_of_a_p_that_is_only_a_bound_the_standard_error_is_used() -> None:
    bound = pair_with(AtMost(0.001), delta=-8.0, error=2.0)
    assert expected_share(bound, 500) == expected_share(pair_with(2 * float(stats.norm.sf(4))), 500)
    assert expected_share(bound, 500) > expected_share(pair_with(0.001), 500)


@pytest.mark.parametrize(
    ("p_value", "segments", "share"),
    [(1.0, 50, 0.02), (1 - 1e-16, 50, 0.02), (math.nan, 50, math.nan), (5e-324, 1, 1.0), (1e-300, 3, 1.0)],
)
def test_the_usual_share_at_its_ends(p_value: float, segments: int, share: float) -> None:
    assert expected_share(pair_with(p_value), segments) == pytest.approx(share, nan_ok=True)
