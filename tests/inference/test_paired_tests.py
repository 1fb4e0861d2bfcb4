"""Differences drawn, the p-values that follow and their correction: by hand, in full, and as published."""

from __future__ import annotations

import math
from itertools import product
from typing import Literal

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_core.arrays import Floats
from bleu_core.dataset import Corpus
from bleu_core.errors import SettingsError
from bleu_core.inference import CORRECTIONS, Correction, adjust, bootstrap_weights, resampled_deltas, resampling
from bleu_core.inference.paired_tests import (
    bootstrap_p,
    check_arguments,
    percentile_intervals,
    randomization_p,
    sacrebleu_p,
)
from bleu_core.inference.resampling import Pair
from bleu_core.scoring import BleuSettings, Numbers, SegmentStatistics, evaluate

Drawn = Literal["bootstrap", "randomization"]

WORDS = BleuSettings(tokenizer="none")
NAN = math.nan
P_VALUES = st.lists(st.floats(0, 1) | st.just(NAN), max_size=12).map(lambda found: np.array(found, np.float64))


def mean(sums: Numbers) -> Floats:
    return np.divide(sums[..., 0], sums[..., 1], dtype=np.float64)


def mean_table(values: npt.ArrayLike) -> SegmentStatistics:
    """Systems, (K, S), whose score is the mean over segments."""
    numbers = np.array(values, np.float64)
    table = np.stack([numbers, np.ones_like(numbers)], axis=-1)
    return SegmentStatistics(tuple(f"s{k}" for k in range(len(numbers))), table, mean)


def holm(p_values: list[float]) -> list[float]:
    """Holm (1979) as he puts it: the i-th smallest of m by m - i + 1, none below its predecessor, none above 1."""
    adjusted = [0.0] * len(p_values)
    least = 0.0
    for rank, i in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        least = max(least, (len(p_values) - rank) * p_values[i])
        adjusted[i] = min(least, 1.0)
    return adjusted


def benjamini_hochberg(p_values: list[float]) -> list[float]:
    """From the largest down: the i-th smallest of m by m / i, none above its successor."""
    adjusted = [0.0] * len(p_values)
    most = 1.0
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    for rank in range(len(order), 0, -1):
        most = min(most, p_values[order[rank - 1]] * len(order) / rank)
        adjusted[order[rank - 1]] = most
    return adjusted


def test_corrections_equal_those_of_r() -> None:
    # R: p.adjust(c(.01, .04, .03, .005), "holm") and "BH".
    raw = np.array([0.01, 0.04, 0.03, 0.005])
    assert adjust(raw, "holm").tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert adjust(raw, "benjamini-hochberg").tolist() == pytest.approx([0.02, 0.04, 0.04, 0.02])
    assert adjust(raw, "none").tolist() == raw.tolist()


def test_the_example_of_benjamini_and_hochberg() -> None:
    # Section 4.1 of their paper, 15 hypotheses of Neuhaus et al. (1992): at the 5 % level a familywise correction
    # rejects the three smallest, theirs the four smallest.
    smallest = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344]
    raw = np.array([*smallest, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000])
    assert (adjust(raw, "holm") < 0.05).sum() == 3
    assert (adjust(raw, "benjamini-hochberg") < 0.05).sum() == 4


@given(P_VALUES)
def test_corrections_equal_plain_loops_over_those_that_are_known(raw: Floats) -> None:
    known = ~np.isnan(raw)
    of_known = raw[known].tolist()
    assert adjust(raw, "holm")[known].tolist() == pytest.approx(holm(of_known))
    assert adjust(raw, "benjamini-hochberg")[known].tolist() == pytest.approx(benjamini_hochberg(of_known))


@pytest.mark.parametrize("correction", CORRECTIONS)
@given(raw=P_VALUES, data=st.data())
def test_what_every_correction_keeps(correction: Correction, raw: Floats, data: st.DataObject) -> None:
    before = raw.copy()
    adjusted = adjust(raw, correction)
    np.testing.assert_array_equal(raw, before)
    np.testing.assert_array_equal(np.isnan(adjusted), np.isnan(raw))
    known = ~np.isnan(raw)
    assert (adjusted[known] >= raw[known] * (1 - 1e-12)).all()
    assert (adjusted[known] <= 1).all()
    order = np.argsort(raw[known])
    assert (np.diff(adjusted[known][order]) >= 0).all()
    assert len(set(zip(raw[known].tolist(), adjusted[known].tolist(), strict=True))) == len(set(raw[known].tolist()))
    turned = np.array(data.draw(st.permutations(range(len(raw)))), np.intp)
    np.testing.assert_allclose(adjust(raw[turned], correction), adjusted[turned], rtol=1e-12)


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_undefined_p_values_stay_so_and_are_not_counted(
    correction: Correction,
) -> None:
    assert math.isnan(adjust(np.array([NAN]), correction)[0])
    assert adjust(np.array([]), correction).tolist() == []
    alone = adjust(np.array([NAN, 0.04, NAN]), correction)
    assert alone[1] == 0.04


def test_the_bootstraps_p_by_hand() -> None:
    # Mean 2; centred: -2, -1, 0, 1, 2. As far from 0 as 1.5: two, as 2: two (equal ones count), as 2.5: none.
    deltas = np.array([[0.0, 1, 2, 3, 4]])
    for observed, beyond in ((1.5, 2), (2.0, 2), (-2.0, 2), (1.0, 4), (2.5, 0), (0.0, 5)):
        assert bootstrap_p(deltas, np.array([observed])).tolist() == [(beyond + 1) / 6]


def test_sacrebleus_p_by_hand() -> None:
    # Absolute: 1, 1, 2, 4; mean 2; centred: -1, -1, 0, 2. Larger than 1.5: one; than 2: none, as equal ones do not
    # count; than 0: one.
    deltas = np.array([[-1.0, 1, -2, 4]])
    for observed, beyond in ((1.5, 1), (-1.5, 1), (2.0, 0), (0.0, 1)):
        assert sacrebleu_p(deltas, np.array([observed])).tolist() == [(beyond + 1) / 5]


def test_the_p_of_swaps_by_hand() -> None:
    deltas = np.array([[-3.0, -1, 0, 2, 3]])
    for observed, beyond in ((2.0, 3), (-2.0, 3), (3.0, 2), (-3.0, 2), (3.5, 0), (0.0, 5)):
        assert randomization_p(deltas, np.array([observed])).tolist() == [(beyond + 1) / 6]


def test_rounding_makes_no_difference_between_equal_ones() -> None:
    noise = np.array([[0.1 + 0.2, -0.3, 0.3 - 1e-12]])
    assert randomization_p(noise, np.array([0.3])).tolist() == [1]
    assert bootstrap_p(np.array([[0.3, -0.3 + 1e-12]]), np.array([0.3])).tolist() == [1]


def test_each_pair_has_its_own_p() -> None:
    deltas = np.array([[0.0, 1, 2, 3, 4], [0, 0, 0, 0, 0]])
    assert bootstrap_p(deltas, np.array([2.5, 0])).tolist() == [1 / 6, 1]
    assert randomization_p(deltas, np.array([2.5, 0])).tolist() == [3 / 6, 1]
    assert sacrebleu_p(deltas, np.array([2.5, 0])).tolist() == [1 / 6, 1 / 6]


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=20), st.floats(-100, 100), st.sampled_from(["bs", "ar", "sb"]))
def test_p_is_never_0_nor_above_1_and_knows_no_direction(drawn: list[float], observed: float, rule: str) -> None:
    p_of = {"bs": bootstrap_p, "ar": randomization_p, "sb": sacrebleu_p}[rule]
    deltas, of_pair = np.array([drawn]), np.array([observed])
    (found,) = p_of(deltas, of_pair)
    assert 1 / (len(drawn) + 1) <= found <= 1
    assert p_of(-deltas, -of_pair)[0] == found


# Unequal lengths, repeated words, an empty hypothesis: what differs by chance in a small corpus.
REFERENCE = (
    "the cat sat on the mat",
    "a dog ran in the park",
    "it is late now",
    "we will go home at noon today",
    "she reads the paper every day",
    "the train was late again",
    "they like to walk by the river",
    "he gave her the book",
    "rain is expected in the north",
)
ONE = (
    "the cat sat on a mat",
    "a dog runs in the park",
    "it is late",
    "we will go home at noon",
    "she is reading the paper every day",
    "",
    "they like to walk near the river",
    "he gave her a book",
    "rain is expected in north",
)
OTHER = (
    "the cat is on the mat",
    "dog ran in the park",
    "it is late now now",
    "we go home at noon today",
    "she reads the paper each day",
    "the train was late",
    "they walk by the river",
    "he gave the book",
    "rain expected in the north",
)


def exact_p(table: SegmentStatistics) -> float:
    """The share of all 2**S swaps of two systems whose difference is as large as the observed one."""
    swaps = np.array(list(product([0, 1], repeat=table.segments)))
    one, other = table.values
    deltas = table.score(swaps @ one + (1 - swaps) @ other) - table.score(swaps @ other + (1 - swaps) @ one)
    scores = table.score(table.sums())
    return float((np.abs(deltas) >= abs(scores[0] - scores[1]) - 1e-9).mean())


@pytest.mark.parametrize("swapped", [(), (0, 3), (1, 4, 6, 7), (2, 5, 8)])
def test_swaps_at_random_approach_all_swaps(swapped: tuple[int, ...]) -> None:
    # Swapping some segments beforehand changes what is observed, and so p, but not what is shuffled.
    one = tuple(OTHER[s] if s in swapped else ONE[s] for s in range(len(ONE)))
    other = tuple(ONE[s] if s in swapped else OTHER[s] for s in range(len(ONE)))
    table = evaluate(Corpus({"A": one, "B": other}, {"R": REFERENCE}), WORDS).statistics
    exact, trials = exact_p(table), 20_000
    scores = table.score(table.sums())
    (found,) = randomization_p(resampled_deltas(table, [(1, 0)], "randomization", trials), scores[1:] - scores[:1])
    assert 2 / 2**9 <= exact <= 1
    assert found == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / trials) + 1 / trials)


def test_three_segments_that_differ_cannot_show_much() -> None:
    # All differences point the same way: of 2**3 swaps two are as extreme. sacreBLEU says 1 / (trials + 1).
    one = tuple(ONE[s] if s < 3 else REFERENCE[s] for s in range(len(REFERENCE)))
    table = evaluate(Corpus({"A": one, "B": REFERENCE}, {"R": REFERENCE}), WORDS).statistics
    assert exact_p(table) == 0.25
    scores = table.score(table.sums())
    (found,) = randomization_p(resampled_deltas(table, [(1, 0)], "randomization", 10_000), scores[1:] - scores[:1])
    assert found == pytest.approx(0.25, abs=4 * math.sqrt(0.25 * 0.75 / 10_000))


def test_the_bootstraps_p_approaches_that_of_all_draws() -> None:
    # Four segments, 4**4 equally likely draws, in full; none at the threshold, as the mean is that of those drawn.
    table = mean_table([[3, 0.3, 1, 5.2], [1, 1, 0, 1.1]])
    scores = table.score(table.sums())
    observed = scores[:1] - scores[1:]
    differences = table.values[0, :, 0] - table.values[1, :, 0]
    every = np.array([differences[list(drawn)].mean() for drawn in product(range(4), repeat=4)])
    exact = float((np.abs(every - every.mean()) >= observed[0] - 1e-9).mean())
    (found,) = bootstrap_p(resampled_deltas(table, [(0, 1)], "bootstrap", 20_000), observed)
    assert np.abs(np.abs(every - every.mean()) - observed[0]).min() > 0.02
    assert 0.02 < exact < 0.5
    assert found == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 20_000))


PAIRS: tuple[Pair, ...] = ((1, 0), (2, 0), (0, 2))


def three(segments: int = 12) -> SegmentStatistics:
    return mean_table(np.random.default_rng(7).normal(size=(3, segments)))


def test_bootstrap_deltas_are_differences_of_scores_of_the_same_draws() -> None:
    table = three()
    weights = np.concatenate(list(bootstrap_weights(table.segments, 30)))
    scores = table.score(table.weighted_sums(weights))
    found = resampled_deltas(table, PAIRS, "bootstrap", 30)
    assert found.shape == (3, 30)
    np.testing.assert_allclose(found, [scores[k] - scores[b] for k, b in PAIRS], atol=1e-12)
    np.testing.assert_allclose(found[1], -found[2], atol=1e-12)


def test_swapped_deltas_are_signed_sums() -> None:
    # Of means over segments each swap turns one difference round.
    table = three()
    signs = 1 - 2 * np.random.default_rng(12345).integers(2, size=(40, table.segments), dtype=np.bool_).astype(int)
    found = resampled_deltas(table, PAIRS, "randomization", 40)
    expected = [signs @ (table.values[k, :, 0] - table.values[b, :, 0]) / table.segments for k, b in PAIRS]
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_identical_systems_never_differ(test: Drawn) -> None:
    deltas = resampled_deltas(mean_table([[0.1, 0.2, 0.7]] * 2), [(1, 0)], test, 50)
    assert (deltas == 0).all()


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_the_seed_decides(test: Drawn) -> None:
    table = three()
    drawn = [resampled_deltas(table, PAIRS, test, 20, seed=seed) for seed in (1, 1, 2)]
    np.testing.assert_array_equal(drawn[0], drawn[1])
    assert (drawn[0] != drawn[2]).any()


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_one_draw_is_enough_to_go_on(test: Drawn) -> None:
    assert resampled_deltas(three(1), PAIRS, test, 1).shape == (3, 1)


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_sums_beyond_float32_keep_their_last_digit(test: Drawn) -> None:
    # Counts of 2**40 that differ by one in each segment: float32 knows 2**24.
    counts = np.full((2, 50, 1), 2**40)
    counts[1] += 1
    table = SegmentStatistics(("A", "B"), counts, lambda sums: sums[..., 0].astype(np.float64))
    deltas = resampled_deltas(table, [(1, 0)], test, 20)
    if test == "bootstrap":
        assert (deltas == 50).all()
    else:
        assert set((deltas % 2).ravel().tolist()) == {0}
        assert (np.abs(deltas) <= 50).all()
        assert len(np.unique(deltas)) > 5


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_progress_grows_to_the_total(test: Drawn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resampling, "BATCH_CELLS", 32 * 12)
    told: list[tuple[int, int]] = []
    resampled_deltas(three(), PAIRS, test, 100, progress=lambda *counts: told.append(counts))
    assert told == [(32, 100), (64, 100), (96, 100), (100, 100)]


class StoppedError(Exception):
    """What a caller raises."""


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_progress_can_end_the_work(test: Drawn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resampling, "BATCH_CELLS", 32 * 12)
    told: list[int] = []

    def stop(done: int, _total: int) -> None:
        told.append(done)
        raise StoppedError

    with pytest.raises(StoppedError):
        resampled_deltas(three(), PAIRS, test, 100, progress=stop)
    assert told == [32]


def test_intervals_leave_out_the_same_share_on_both_sides() -> None:
    # Of 0 to 1000 the quantiles are 25 and 975.
    values = np.random.default_rng(3).permuted(np.arange(1001.0))
    found = percentile_intervals(np.stack([values, 2 * values]), 0.95)
    assert [(i.low, i.high, i.confidence) for i in found] == [
        (pytest.approx(25), pytest.approx(975), 0.95),
        (pytest.approx(50), pytest.approx(1950), 0.95),
    ]
    (wider,) = percentile_intervals(values[None], 0.99)
    assert (wider.low, wider.high) == (pytest.approx(5), pytest.approx(995))


@pytest.mark.parametrize(
    ("resamples", "trials", "seed", "alpha", "message"),
    [
        (0, None, 1, 0.05, "0 resamples found, at least 1 expected"),
        (-3, None, 1, 0.05, "-3 resamples found"),
        (None, 0, 1, 0.05, "0 trials found, at least 1 expected"),
        (None, None, -1, 0.05, "seed -1 found, 0 or more expected"),
        (None, None, 1, 0, "alpha 0 found, a number between 0 and 1 expected"),
        (None, None, 1, 1, "alpha 1 found"),
        (None, None, 1, -0.05, "alpha -0.05 found"),
        (None, None, 1, 5, "alpha 5 found"),
        (None, None, 1, NAN, "alpha nan found"),
    ],
)
def test_numbers_out_of_their_range_are_refused(
    *, resamples: int | None, trials: int | None, seed: int, alpha: float, message: str
) -> None:
    with pytest.raises(SettingsError, match=message):
        check_arguments(three(), resamples, trials=trials, seed=seed, alpha=alpha)


def test_no_segment_is_too_few() -> None:
    with pytest.raises(SettingsError, match="no segment found, at least 1 expected"):
        check_arguments(three(0), 1000, trials=1000, seed=0, alpha=0.05)


def test_numbers_in_their_range_are_not_refused() -> None:
    check_arguments(three(), None, trials=None, seed=0, alpha=0.5)
    check_arguments(three(1), 1, trials=1, seed=12345, alpha=1e-9)
