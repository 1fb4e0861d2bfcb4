"""The quick soft pairwise accuracy of swapped metrics, against the plain way, a trial at a time."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_core.agreement import permutation_p_values, permuted_soft_accuracy
from bleu_core.agreement.metric_tests import random_swaps, standardised
from bleu_core.agreement.permuted_soft_accuracy import swapped_certainty, swapped_soft_accuracies
from bleu_core.arrays import Floats
from bleu_core.inference import SEED

PERMUTATIONS = 50


@st.composite
def matrices(draw: st.DrawFn) -> tuple[Floats, Floats, Floats]:
    """Two metrics and ratings with ties; missing values of single systems, or of whole segments."""
    shape = draw(st.integers(2, 5)), draw(st.integers(1, 9))
    generator = np.random.default_rng(draw(st.integers(0, 9999)))
    a = generator.integers(0, draw(st.integers(1, 6)), shape) * draw(st.sampled_from([1.0, 1 / 3]))
    b = generator.normal(size=shape) if draw(st.booleans()) else generator.integers(0, 3, shape).astype(float)
    human = generator.integers(0, draw(st.integers(1, 5)), shape).astype(float)
    missing = generator.random((shape[0] if draw(st.booleans()) else 1, shape[1])) < draw(st.sampled_from([0, 0.2]))
    missing[:, 0] = False  # else there may be no pair at all
    return np.where(missing, math.nan, a), np.where(missing, math.nan, b), human


def plain_accuracy(scores: Floats, certainty: Floats) -> float:
    """The definition of Thompson et al., a pair at a time; standardised scores that should be equal differ by 1e-9."""
    scores = scores[:, np.isfinite(scores).any(axis=0)]
    signs = np.random.default_rng(SEED).random((PERMUTATIONS, scores.shape[1]), np.float32) > 0.5
    agreements: list[float] = []
    for i, j in combinations(range(len(scores)), 2):
        differences = scores[i] - scores[j]
        present = np.isfinite(differences)
        excess = np.where(signs, differences, -differences)[:, present].sum(axis=1) - differences[present].sum()
        p_value = ((excess > 1e-7).mean() + (excess > -1e-7).mean()) / 2
        if present.any() and math.isfinite(certainty[i, j]):
            agreements.append(1 - abs(p_value - certainty[i, j]))
    return float(np.mean(agreements))


@given(matrices(), st.integers(0, 99))
def test_the_quick_way_equals_the_plain_way(scores: tuple[Floats, Floats, Floats], seed: int) -> None:
    a, b, human = scores
    certainty = permutation_p_values(human, permutations=PERMUTATIONS)
    quick = swapped_soft_accuracies(a, b, certainty, permutations=PERMUTATIONS, trials=6, swap_seed=seed)
    assert not quick.reason
    ((_, swaps),) = random_swaps(a.T.shape, 6, seed)
    a, b = standardised(a), standardised(b)
    assert [quick.first, quick.second] == pytest.approx([plain_accuracy(x, certainty) for x in (a, b)], abs=1e-12)
    plain = [
        plain_accuracy(np.where(swapped, b, a), certainty) - plain_accuracy(np.where(swapped, a, b), certainty)
        for swapped in swaps.swapaxes(1, 2)
    ]
    assert quick.deltas.tolist() == pytest.approx(plain, abs=1e-12)


def test_batches_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(1)
    a, b, human = generator.normal(size=(3, 4, 20))
    certainty = permutation_p_values(human)
    wanted = swapped_soft_accuracies(a, b, certainty, trials=10)
    monkeypatch.setattr(permuted_soft_accuracy, "BATCH_SIGNS", 20 * 300)  # 1,000 permutations make four batches
    monkeypatch.setattr(permuted_soft_accuracy, "BATCH_SUMS", 600)
    found = swapped_soft_accuracies(a, b, certainty, trials=10)
    assert found.deltas.tolist() == pytest.approx(wanted.deltas.tolist(), abs=1e-12)


def test_swapping_all_scores_swaps_the_metrics() -> None:
    generator = np.random.default_rng(3)
    a, b, human = generator.normal(size=(3, 5, 12))
    tests = swapped_certainty(a, b, permutation_p_values(human))
    first, second = tests.accuracies(np.array([np.zeros((5, 12)), np.ones((5, 12))], np.bool_))
    assert first.tolist() == pytest.approx(second[::-1].tolist())
    assert first[0] != second[0]


def test_equal_metrics_never_differ() -> None:
    generator = np.random.default_rng(4)
    a, human = generator.normal(size=(2, 4, 15))
    found = swapped_soft_accuracies(a, 3 * a - 1, permutation_p_values(human), trials=20)
    assert found.delta == pytest.approx(0, abs=1e-12)
    assert found.deltas.tolist() == pytest.approx([0] * 20, abs=1e-12)


def test_progress_counts_all_trials() -> None:
    generator = np.random.default_rng(5)
    a, b, human = generator.normal(size=(3, 4, 15))
    calls: list[tuple[int, int]] = []
    swapped_soft_accuracies(
        a, b, permutation_p_values(human), trials=20, progress=lambda done, total: calls.append((done, total))
    )
    assert calls[-1] == (20, 20)


def test_without_a_pair_there_is_a_reason() -> None:
    a = np.array([[1.0, math.nan], [math.nan, 2.0]])
    found = swapped_soft_accuracies(a, a, permutation_p_values(a), trials=20)
    assert found.reason == "no pair of systems has scores of both metrics and ratings"
    assert math.isnan(found.first)
    assert not len(found.deltas)


def test_other_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match=r"shapes \(2, 3\), \(2, 3\) and \(2, 3\) found, twice \(systems, segments\)"):
        swapped_soft_accuracies(np.ones((2, 3)), np.ones((2, 3)), np.ones((2, 3)))
