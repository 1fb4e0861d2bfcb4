"""Resampling: the same draws and p-values as sacreBLEU, exact sums, whatever the batch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest

import sample_data
from bleu_core.arrays import Floats
from bleu_core.dataset import Corpus
from bleu_core.inference import all_pairs, baseline_pairs, bootstrap_weights, resampling
from bleu_core.inference.resampling import MIN_SEGMENTS_ROW_BY_ROW, bootstrap_batches, bootstrap_scores, swap_batches
from bleu_core.scoring import BleuSettings, SegmentStatistics, evaluate


def lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8").split("\n")[:-1])


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus(
        {path.stem: lines(path) for path in sample_data.systems()},
        {path.stem: lines(path) for path in sample_data.references()[:2]},
    )


@pytest.fixture(scope="module")
def table(corpus: Corpus) -> SegmentStatistics:
    return evaluate(corpus, BleuSettings()).statistics


def sacrebleu_test(corpus: Corpus, kind: str, samples: int) -> list[Any]:
    """What sacreBLEU finds, a system each; the first system is the baseline."""
    references: Any = [list(texts) for texts in corpus.references.values()]
    named: Any = [(name, list(texts)) for name, texts in corpus.systems.items()]
    metrics: Any = {"BLEU": BLEU(references=references)}
    _, results = PairedTest(named, metrics, references=None, test_type=kind, n_samples=samples)()
    return list(results["BLEU"])


def bootstrap_sums(table: SegmentStatistics, resamples: int) -> Floats:
    """All batches at once, (K, resamples, columns)."""
    return np.concatenate(list(bootstrap_batches(table, resamples)), axis=1)


def swap_sums(table: SegmentStatistics, pairs: Any, trials: int) -> tuple[Floats, Floats]:
    """All batches at once: the shuffled systems and the shuffled baselines, (P, trials, columns) each."""
    systems, baselines = zip(*swap_batches(table, pairs, trials), strict=True)
    return np.concatenate(systems, axis=1), np.concatenate(baselines, axis=1)


def test_weights_count_draws_of_as_many_segments() -> None:
    weights = np.concatenate(list(bootstrap_weights(7, 50)))
    assert weights.shape == (50, 7)
    assert (weights.sum(axis=1) == 7).all()


@pytest.mark.parametrize("segments", [1, MIN_SEGMENTS_ROW_BY_ROW - 1, MIN_SEGMENTS_ROW_BY_ROW])
def test_weights_are_how_often_each_segment_was_drawn(segments: int) -> None:
    drawn = np.random.default_rng(3).integers(0, segments, size=(5, segments))
    expected = [[row.count(segment) for segment in range(segments)] for row in drawn.tolist()]
    assert np.concatenate(list(bootstrap_weights(segments, 5, 3))).tolist() == expected


def test_draws_do_not_depend_on_the_batch(monkeypatch: pytest.MonkeyPatch, table: SegmentStatistics) -> None:
    whole = bootstrap_sums(table, 20)
    pairs = all_pairs(table.systems)
    swapped = swap_sums(table, pairs, 100)
    monkeypatch.setattr(resampling, "BATCH_CELLS", 1)
    assert np.array_equal(bootstrap_sums(table, 20), whole)
    for one, other in zip(swap_sums(table, pairs, 100), swapped, strict=True):
        assert np.array_equal(one, other)


def test_fewer_or_more_segments_than_there_are_can_be_drawn() -> None:
    for drawn in (2, 20):
        weights = np.concatenate(list(bootstrap_weights(7, 50, sample_size=drawn)))
        assert weights.shape == (50, 7)
        assert (weights.sum(axis=1) == drawn).all()


def test_bootstrap_sums_are_the_weighted_sums_exactly(table: SegmentStatistics) -> None:
    weights = np.concatenate(list(bootstrap_weights(table.segments, 5)))
    assert np.array_equal(bootstrap_sums(table, 5), np.einsum("rs,ksc->krc", weights, table.values))


def test_sums_beyond_float32_are_exact_too() -> None:
    large = SegmentStatistics(("A",), np.full((1, 3, 2), 2**30 + 1), lambda sums: sums[..., 0].astype(np.float64))
    assert set(bootstrap_sums(large, 4).ravel().tolist()) == {3.0 * (2**30 + 1)}


def test_a_swap_moves_between_two_systems_and_loses_nothing(table: SegmentStatistics) -> None:
    pairs = all_pairs(table.systems)
    systems, baselines = swap_sums(table, pairs, 10)
    for (k, b), ours, others in zip(pairs, systems, baselines, strict=True):
        assert (ours + others == table.sums()[k] + table.sums()[b]).all()


def test_swaps_are_of_whole_segments_and_the_same_in_all_pairs(table: SegmentStatistics) -> None:
    swaps = np.random.default_rng(12345).integers(2, size=(40, table.segments), dtype=np.bool_).astype(np.int64)
    pairs = all_pairs(table.systems)
    systems, _ = swap_sums(table, pairs, 40)
    for (k, b), ours in zip(pairs, systems, strict=True):
        assert np.array_equal(ours, swaps @ table.values[b] + (1 - swaps) @ table.values[k])


@pytest.mark.parametrize(("segments", "trials"), [(1, 1), (7, 50), (31, 64), (1000, 321)])
def test_swaps_are_the_booleans_of_numpys_generator(segments: int, trials: int) -> None:
    one, none = np.ones(segments, np.int64), np.zeros(segments, np.int64)
    # A row a segment in column, so that the sums of the shuffled baseline are the swaps themselves.
    table = SegmentStatistics(("A", "B"), np.stack([np.diag(none), np.diag(one)]), lambda sums: sums.sum(axis=-1))
    systems, baselines = swap_sums(table, [(1, 0)], trials)
    swaps = np.random.default_rng(12345).integers(2, size=(trials, segments), dtype=np.bool_)
    assert np.array_equal(baselines[0] == 1, swaps)
    assert np.array_equal(systems[0] == 0, swaps)


def test_results_do_not_depend_on_how_many_sums_are_handed_over(
    monkeypatch: pytest.MonkeyPatch, table: SegmentStatistics
) -> None:
    pairs = all_pairs(table.systems)
    monkeypatch.setattr(resampling, "BATCH_CELLS", 32 * table.segments)
    found: list[tuple[bytes, ...]] = []
    for handed_over in (1, 1000, 10**9):
        monkeypatch.setattr(resampling, "BATCH_SUMS", handed_over)
        scores = bootstrap_scores(table, 200)
        found.append((scores.tobytes(), *(sums.tobytes() for sums in swap_sums(table, pairs, 200))))
    assert found[0] == found[1] == found[2]


def test_identical_systems_cannot_be_told_apart_by_swaps() -> None:
    texts = ("a b c d e", "f g h i j", "a c e g i")
    table = evaluate(Corpus({"A": texts, "B": texts}, {"R": texts[::-1]}), BleuSettings()).statistics
    systems, baselines = swap_sums(table, [(1, 0)], 30)
    assert np.array_equal(systems, baselines)


def test_progress_is_told_after_each_batch(monkeypatch: pytest.MonkeyPatch, table: SegmentStatistics) -> None:
    monkeypatch.setattr(resampling, "BATCH_CELLS", 32 * table.segments)
    told: list[tuple[int, int]] = []
    bootstrap_scores(table, 70, progress=lambda *counts: told.append(counts))
    for _ in swap_batches(table, [(1, 0)], 70, progress=lambda *counts: told.append(counts)):
        pass
    assert told == [(32, 70), (64, 70), (70, 70)] * 2


def test_bootstrap_p_values_are_sacrebleus_own(
    corpus: Corpus, table: SegmentStatistics, monkeypatch: pytest.MonkeyPatch
) -> None:
    # sacreBLEU's rule: absolute differences, centred, that exceed the observed one (significance.py, _paired_bs_test).
    monkeypatch.setenv("SACREBLEU_SEED", "12345")
    theirs = sacrebleu_test(corpus, "bs", 1000)
    observed = table.score(table.sums())
    drawn = bootstrap_scores(table, 1000)
    for k in range(1, len(table.systems)):
        deltas = np.abs(drawn[k] - drawn[0])
        beyond = (deltas - deltas.mean() > abs(observed[k] - observed[0])).sum()
        assert (beyond + 1) / 1001 == theirs[k].p_value
        assert observed[k] == pytest.approx(theirs[k].score, rel=1e-9)


def test_randomisation_p_values_are_sacrebleus_own_without_ties(
    corpus: Corpus, table: SegmentStatistics, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "12345")
    theirs = sacrebleu_test(corpus, "ar", 500)
    observed = table.score(table.sums())
    systems, baselines = swap_sums(table, baseline_pairs(table.systems, table.systems[0]), 500)
    differences = np.abs(table.score(systems) - table.score(baselines))
    for k in range(1, len(table.systems)):
        beyond = (differences[k - 1] > abs(observed[k] - observed[0])).sum()
        assert (beyond + 1) / 501 == theirs[k].p_value
