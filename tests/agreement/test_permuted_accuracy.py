"""The quick tie-calibrated accuracy of swapped metrics, against the plain way, a trial at a time."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_core.agreement import GROUPINGS, Grouping, calibrated_accuracy
from bleu_core.agreement import permuted_accuracy as swapped_accuracy
from bleu_core.agreement.metric_tests import perm_both
from bleu_core.agreement.permuted_accuracy import swapped_pairs
from bleu_core.arrays import Floats


def plain_deltas(a: Floats, b: Floats, human: Floats, swapped: npt.NDArray[np.bool_]) -> list[float]:
    """The difference of the accuracies after each swap."""
    return [
        calibrated_accuracy(np.where(trial, b, a), human, "system").accuracy
        - calibrated_accuracy(np.where(trial, a, b), human, "system").accuracy
        for trial in swapped
    ]


@st.composite
def matrices(draw: st.DrawFn) -> tuple[Floats, Floats, Floats]:
    """Two metrics and ratings, in groups of different sizes; many ties, and differences equal but for noise."""
    shape = draw(st.integers(1, 5)), draw(st.integers(2, 7))
    generator = np.random.default_rng(draw(st.integers(0, 9999)))
    unit = draw(st.sampled_from([1.0, 0.1, 1e-9, 1 / 3, 1e6 + 0.1]))
    a, b = (unit * generator.integers(0, draw(st.integers(1, 6)), shape) for _ in range(2))
    if draw(st.booleans()):
        b = generator.normal(size=shape)
    human = generator.integers(0, draw(st.integers(1, 5)), shape).astype(float)
    missing = generator.random(shape) < draw(st.sampled_from([0, 0.2, 0.6]))
    missing[0, :2] = False  # else there may be no pair at all
    return tuple(np.where(missing, math.nan, x) for x in (a, b, human))  # type: ignore[return-value]


@given(scores=matrices(), seed=st.integers(0, 99), block=st.sampled_from([1, 2, 5, 128]), trials=st.integers(1, 17))
def test_the_quick_way_equals_the_plain_way_for_blocks_and_batches_of_any_size(
    scores: tuple[Floats, Floats, Floats], seed: int, block: int, trials: int
) -> None:
    swapped = np.random.default_rng(seed).random((trials, *scores[0].shape)) < 0.5
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(swapped_accuracy, "BLOCK", block)
        patch.setattr(swapped_accuracy, "BATCH_DIFFERENCES", 1)
        pairs = swapped_pairs(*scores)
        assert pairs
        deltas = pairs.deltas(swapped)
    assert deltas.tolist() == pytest.approx(plain_deltas(*scores, swapped), abs=1e-12)


def test_the_best_threshold_is_found_among_many_blocks() -> None:
    # 15 entries in each of 40 groups have 16,800 differences, some equal.
    generator = np.random.default_rng(4)
    human = generator.integers(0, 4, (40, 15)).astype(float)
    a, b = ((human + generator.normal(size=human.shape)).round(decimals) for decimals in (1, 9))
    human[generator.random(human.shape) < 0.1] = math.nan
    a[np.isnan(human)] = b[np.isnan(human)] = math.nan
    swapped = generator.random((10, 40, 15)) < 0.5
    pairs = swapped_pairs(a, b, human)
    assert pairs
    assert len(pairs.kinds) > 50 * swapped_accuracy.BLOCK
    assert pairs.deltas(swapped).tolist() == pytest.approx(plain_deltas(a, b, human, swapped), abs=1e-12)


def test_by_hand() -> None:
    # People tie x and y and put z above. The first metric, 0 1 5, is right about all three pairs at threshold 1; of
    # the other, 0 2 1, one pair is: x-z at 0, or x-y at 2, which ties the others too.
    # With y swapped 0 2 5 is right about three pairs at 2; of 0 1 1 one is: x-z at 0, or x-y at 1.
    # With z swapped: 0 1 1, one pair; 0 2 5, three.
    a, b, human = np.array([[0.0, 1, 5]]), np.array([[0.0, 2, 1]]), np.array([[1.0, 1, 2]])
    swapped = np.array([[[0, 0, 0]], [[0, 1, 0]], [[0, 0, 1]]], np.bool_)
    pairs = swapped_pairs(a, b, human)
    assert pairs
    assert pairs.deltas(swapped).tolist() == pytest.approx([2 / 3, 2 / 3, -2 / 3])


def test_pairs_that_always_tie_leave_nothing_to_sort() -> None:
    same = np.ones((2, 3))
    pairs = swapped_pairs(same, same, same)
    assert pairs
    assert pairs.deltas(np.zeros((2, 2, 3), np.bool_)).tolist() == [0, 0]


@pytest.mark.parametrize("grouping", GROUPINGS)
def test_the_permutation_is_the_same_either_way(monkeypatch: pytest.MonkeyPatch, grouping: Grouping) -> None:
    generator = np.random.default_rng(2)
    human = generator.integers(0, 4, (5, 12)).astype(float)
    human[generator.random(human.shape) < 0.1] = math.nan
    a, b = human + generator.normal(size=human.shape), np.round(human + 2 * generator.normal(size=human.shape))
    quick = perm_both(a, b, human=human, method="acc-eq", grouping=grouping, trials=200)
    monkeypatch.setattr(swapped_accuracy, "MAX_PAIRS", 0)
    plain = perm_both(a, b, human=human, method="acc-eq", grouping=grouping, trials=200)
    assert (quick.delta, quick.p_value, quick.p_greater) == (plain.delta, plain.p_value, plain.p_greater)


def test_too_many_pairs_are_left_to_the_plain_way() -> None:
    many = np.zeros((1, 2002))
    assert swapped_pairs(many, many, many) is None
