"""Uploaded segment scores as a metric: means, intervals and tests beside SciPy and plain loops, and gaps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from bleu_core.dataset import Corpus, ScoreTable
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.inference import (
    TESTS,
    Blocks,
    Test,
    block_scores,
    compare,
    document_blocks,
    equal_blocks,
    gate,
    ranked_pairs,
    score_intervals,
)
from bleu_core.scoring import ScoredCorpus, evaluate, find_metric, metric_of_scores, score_metric
from bleu_core.segments import reversals
from bleu_core.slicing import SliceTests, compare_slices

SEGMENTS = 300
NAMES = ("A", "B", "C")


def corpus(segments: int = SEGMENTS) -> Corpus:
    reference = tuple(f"word {s} of the text" for s in range(segments))
    return Corpus({name: tuple(f"{line} {name}" for line in reference) for name in NAMES}, {"R": reference})


def table(scores: np.ndarray, *, higher_is_better: bool = True, systems: tuple[str, ...] = NAMES) -> ScoreTable:
    made = ScoreTable.of_segments("COMET", systems, scores, origin="comet.csv")
    return replace(made, higher_is_better=higher_is_better)


def scored(scores: np.ndarray, *, higher_is_better: bool = True) -> ScoredCorpus:
    texts = corpus(scores.shape[1])
    return score_metric(texts, evaluate(texts), metric_of_scores(table(scores, higher_is_better=higher_is_better)))


@pytest.fixture
def scores() -> np.ndarray:
    generator = np.random.default_rng(1)
    ability = np.array([[0.80], [0.81], [0.78]])
    return ability + generator.normal(0, 0.05, (3, SEGMENTS)) + generator.normal(0, 0.08, SEGMENTS)


def with_gaps(scores: np.ndarray) -> np.ndarray:
    made = scores.copy()
    made[0, ::7] = np.nan
    made[2, :40] = np.nan
    return made


def test_the_score_of_a_system_is_the_mean_of_its_segments(scores: np.ndarray) -> None:
    result = scored(scores)
    np.testing.assert_allclose(result.scores, scores.mean(axis=1), rtol=1e-12)
    np.testing.assert_allclose(result.statistics.segment_scores, scores, rtol=1e-12)
    gaps = with_gaps(scores)
    result = scored(gaps)
    np.testing.assert_allclose(result.scores, np.nanmean(gaps, axis=1), rtol=1e-12)
    np.testing.assert_array_equal(np.isnan(result.statistics.segment_scores), np.isnan(gaps))
    assert result.statistics.has_gaps


def test_a_score_of_zero_is_no_gap() -> None:
    zeros = np.zeros((3, 30))
    zeros[1, 3] = np.nan
    result = scored(zeros)
    assert result.scores.tolist() == [0, 0, 0]
    assert result.statistics.scored.sum(axis=1).tolist() == [30, 29, 30]


@pytest.mark.parametrize("higher_is_better", [True, False])
def test_metric_says_which_scores_are_better_and_where_they_are_from(
    scores: np.ndarray, *, higher_is_better: bool
) -> None:
    result = scored(scores, higher_is_better=higher_is_better)
    better = "higher" if higher_is_better else "lower"
    assert result.signature.startswith("COMET|scores:")
    assert result.signature.endswith(f"|segments:300|better:{better}")
    order = np.argsort(scores.mean(axis=1))[:: -1 if higher_is_better else 1]
    pairs = ranked_pairs(result.statistics)
    assert pairs[0] == (order[0], order[1])
    assert "comet.csv" in result.metric.help


def test_other_scores_have_another_signature_and_fingerprint(scores: np.ndarray) -> None:
    one, other = metric_of_scores(table(scores)), metric_of_scores(table(scores + 1e-9))
    assert one.fingerprint != other.fingerprint
    assert one.fingerprint == metric_of_scores(table(scores.copy())).fingerprint


@pytest.mark.parametrize(("largest", "decimals"), [(0.9, 4), (1, 4), (5, 3), (25, 2), (100, 2), (-0.5, 4)])
def test_decimals_follow_the_scale(largest: float, decimals: int) -> None:
    assert metric_of_scores(table(np.full((3, 4), largest))).decimals == decimals
    assert find_metric("bleu").decimals == 2


def test_the_interval_is_that_of_a_plain_bootstrap(scores: np.ndarray) -> None:
    intervals = score_intervals(scored(scores), resamples=2000)
    generator = np.random.default_rng(5)
    for k, name in enumerate(NAMES):
        means = [generator.choice(scores[k], SEGMENTS).mean() for _ in range(2000)]
        low, high = np.percentile(means, [2.5, 97.5])
        width = high - low
        assert intervals.scores[name].low == pytest.approx(low, abs=0.08 * width)
        assert intervals.scores[name].high == pytest.approx(high, abs=0.08 * width)
        standard_error = scores[k].std(ddof=1) / np.sqrt(SEGMENTS)
        assert (intervals.scores[name].high - intervals.scores[name].low) / 3.92 == pytest.approx(
            standard_error, rel=0.1
        )


def test_the_p_values_are_those_of_scipy(scores: np.ndarray) -> None:
    statistics = scored(scores).statistics
    result = compare(statistics, [(1, 0), (2, 0)], correction="none")
    for pair, k in zip(result.pairs, (1, 2), strict=True):
        expected = stats.ttest_rel(scores[k], scores[0])
        assert pair.delta == pytest.approx(expected.statistic * stats.sem(scores[k] - scores[0]))
        assert float(pair.p_value) == pytest.approx(expected.pvalue, abs=0.01)
    blocks = equal_blocks(SEGMENTS, 20)
    result = compare(statistics, [(1, 0)], test="t", groups=blocks, correction="none")
    means = [[scores[k, blocks.labels == b].mean() for b in range(20)] for k in (1, 0)]
    assert float(result.pairs[0].p_value) == pytest.approx(stats.ttest_rel(means[0], means[1]).pvalue)


@pytest.mark.parametrize("test", TESTS)
def test_a_pair_with_gaps_is_compared_on_the_segments_of_both(scores: np.ndarray, test: Test) -> None:
    gaps = with_gaps(scores)
    pairs = [(1, 0), (2, 0), (2, 1)]
    result = compare(scored(gaps).statistics, pairs, test=test, resamples=500, trials=500)
    p_values = []
    for pair, (k, b) in zip(result.pairs, pairs, strict=True):
        rows = ~np.isnan(gaps[k]) & ~np.isnan(gaps[b])
        alone = compare(
            scored(gaps[:, rows]).statistics if rows.all() else _complete(gaps, rows, k, b),
            [(0, 1)],
            test=test,
            resamples=500,
            trials=500,
            correction="none",
        )
        assert pair.segments == rows.sum()
        assert (pair.score, pair.baseline_score) == pytest.approx((gaps[k, rows].mean(), gaps[b, rows].mean()))
        assert pair.delta == pytest.approx(alone.pairs[0].delta)
        assert float(pair.p_value) == pytest.approx(float(alone.pairs[0].p_value))
        assert pair.interval.low == pytest.approx(alone.pairs[0].interval.low)
        p_values.append(float(pair.p_value))
    assert float(result.pairs[int(np.argmin(p_values))].p_value_adjusted) == pytest.approx(min(1, 3 * min(p_values)))
    np.testing.assert_allclose(result.scores, np.nanmean(gaps, axis=1))
    assert "compared on the segments that both have (223 to 260 of 300)" in result.warnings[0]


def _complete(gaps: np.ndarray, rows: np.ndarray, k: int, b: int):  # noqa: ANN202 # statistics
    """The statistics of two systems on the segments that both have, without gaps."""
    texts = corpus(int(rows.sum()))
    texts = replace(texts, systems={NAMES[k]: texts.systems[NAMES[k]], NAMES[b]: texts.systems[NAMES[b]]})
    metric = metric_of_scores(table(gaps[[k, b]][:, rows], systems=(NAMES[k], NAMES[b])))
    result = score_metric(texts, evaluate(texts), metric).statistics
    assert not result.has_gaps
    return result


def test_documents_are_drawn_as_a_whole_without_the_gaps(scores: np.ndarray) -> None:
    gaps = with_gaps(scores)
    documents = document_blocks([f"d{s // 10}" for s in range(SEGMENTS)])
    result = compare(scored(gaps).statistics, [(2, 1)], groups=documents, resamples=500)
    assert (result.unit, result.units) == ("document", 26)  # four of 30 have no score by C


def test_too_few_common_segments_have_no_test(scores: np.ndarray) -> None:
    gaps = scores.copy()
    gaps[0, 19:] = np.nan
    result = compare(scored(gaps).statistics, [(1, 0), (2, 1)], resamples=200)
    few, enough = result.pairs
    assert np.isnan(few.p_value)
    assert np.isnan(few.p_value_adjusted)
    assert few.reason == "only 19 segments with scores by both systems, 20 expected"
    assert few.delta == pytest.approx(scores[1, :19].mean() - scores[0, :19].mean())
    assert enough.segments == SEGMENTS
    assert not np.isnan(enough.p_value)
    turned = few.reversed()
    assert (turned.score, turned.baseline_score) == (few.baseline_score, few.score)


def test_the_gate_uses_the_common_segments(scores: np.ndarray) -> None:
    gaps = with_gaps(scores)
    statistics = scored(gaps).statistics.select(["A", "B"])
    rows = ~np.isnan(gaps[0])
    outcome = gate(statistics, margin=0.001, resamples=500)
    assert outcome.units == rows.sum()
    assert outcome.delta == pytest.approx(gaps[1, rows].mean() - gaps[0, rows].mean())
    gaps[0, 10:] = np.nan
    with pytest.raises(SettingsError, match="segments with scores by both systems found, at least 20 expected"):
        gate(scored(gaps).statistics.select(["A", "B"]))


def test_neighbours_on_blocks_are_tested_on_common_segments(scores: np.ndarray) -> None:
    gaps = with_gaps(scores)
    blocks = equal_blocks(SEGMENTS, 5)
    result = block_scores(scored(gaps), blocks)
    places = [NAMES.index(name) for name in result.systems]
    for number, pair in enumerate(result.pairs, start=1):
        left, right = gaps[places[number - 1]], gaps[places[number]]
        both = ~np.isnan(left) & ~np.isnan(right)
        differences = [(right - left)[both & (blocks.labels == b)].mean() for b in range(5)]
        expected = stats.ttest_1samp(differences, 0)
        assert pair.test.p_value == pytest.approx(expected.pvalue)
        assert pair.test.mean_difference == pytest.approx(np.mean(differences))


def test_slices_are_compared_on_common_segments(scores: np.ndarray) -> None:
    gaps = with_gaps(scores)
    labels = ["odd" if s % 2 else "even" for s in range(SEGMENTS)]
    result = compare_slices(scored(gaps).statistics, labels, [(1, 0)], tests=SliceTests(resamples=300, trials=200))
    for part, odd in zip(result.slices, (0, 1), strict=True):
        rows = ~np.isnan(gaps[0]) & (np.arange(SEGMENTS) % 2 == odd)
        assert part.comparisons.pairs[0].segments == rows.sum()
        assert part.comparisons.pairs[0].delta == pytest.approx((gaps[1] - gaps[0])[rows].mean())
    assert not np.isnan(result.variation[0].p_value)


def test_a_subset_of_a_division_is_that_of_the_segments() -> None:
    documents = [*"aabbccab"]
    division, rows = document_blocks(documents), [7, 4, 5, 6]
    expected = document_blocks([documents[r] for r in rows])
    found = division.subset(rows)
    assert isinstance(found, Blocks)
    assert found.names == expected.names
    assert found.labels.tolist() == expected.labels.tolist()


def test_scores_of_other_systems_or_of_whole_systems_are_an_error() -> None:
    texts = corpus(30)
    others = table(np.ones((3, 30)), systems=("X", "Y", "Z"))
    with pytest.raises(
        AlignmentError, match=r"comet\.csv: no score by COMET of the systems A, B, C found; its systems"
    ):
        score_metric(texts, evaluate(texts), metric_of_scores(others))
    whole = ScoreTable.of_systems("COMET", {"A": 1.0}, origin="comet.csv")
    with pytest.raises(AlignmentError, match="COMET has scores of whole systems only, scores of segments expected"):
        metric_of_scores(whole)


def test_a_reversal_is_searched_on_common_segments(scores: np.ndarray) -> None:
    gaps = with_gaps(np.concatenate([scores[:1], scores[:1] + 0.002 * np.sin(np.arange(SEGMENTS)) + 1e-4, scores[2:]]))
    (result,) = reversals(scored(gaps).statistics, [(1, 0)])
    both = ~np.isnan(gaps[0])
    assert result.delta == pytest.approx((gaps[1] - gaps[0])[both].mean())
    removed = list(result.positions or ())
    assert removed
    assert both[removed].all()
    rest = both.copy()
    rest[removed] = False
    assert (gaps[1] - gaps[0])[rest].mean() <= 0
