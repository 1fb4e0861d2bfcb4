"""The gate: a candidate fails only if it is shown to be worse by more than the margin."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import sample_data
from bleu_core.dataset import Corpus
from bleu_core.errors import SettingsError
from bleu_core.inference import Gate, Verdict, compare, document_blocks, equal_blocks, gate, resampled_deltas
from bleu_core.scoring import Numbers, SegmentStatistics, evaluate

FEW = 200


def lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8").split("\n")[:FEW])


@pytest.fixture(scope="module")
def sample() -> SegmentStatistics:
    """S3 is better than S1."""
    systems = {path.stem: lines(path) for path in sample_data.systems() if path.stem in {"S1", "S3"}}
    return evaluate(Corpus(systems, {"R": lines(sample_data.references()[0])})).statistics


def mean(sums: Numbers) -> npt.NDArray[np.float64]:
    return np.divide(sums[..., 0], sums[..., 1], dtype=np.float64)


def differing(differences: npt.ArrayLike, *, higher_is_better: bool = True) -> SegmentStatistics:
    """A baseline that scores 50 on each segment and a candidate that differs by so much; the score is the mean."""
    candidate = 50 + np.array(differences, np.float64)
    numbers = np.stack([np.full_like(candidate, 50), candidate])
    table = np.stack([numbers, np.ones_like(numbers)], axis=-1)
    return SegmentStatistics(("old", "new"), table, mean, higher_is_better=higher_is_better)


def spread(difference: float, segments: int = 100) -> SegmentStatistics:
    """A candidate whose differences have that mean exactly, and standard deviation 1: 0.1 of the mean."""
    noise = np.random.default_rng(2).normal(size=segments)
    return differing(difference + (noise - noise.mean()) / noise.std())


def test_the_first_system_is_the_baseline_and_the_second_the_candidate(sample: SegmentStatistics) -> None:
    found = gate(sample)
    scores = sample.score(sample.sums())
    assert (found.baseline, found.system) == ("S1", "S3")
    assert found.delta == scores[1] - scores[0] > 0
    assert found.low < found.delta < found.high


def test_the_bounds_are_quantiles_of_resampled_differences(sample: SegmentStatistics) -> None:
    for alpha in (0.05, 0.2):
        found = gate(sample, alpha=alpha, resamples=500, seed=3)
        deltas = resampled_deltas(sample, [(1, 0)], "bootstrap", 500, seed=3)
        assert [found.low, found.high] == pytest.approx(np.quantile(deltas, [alpha, 1 - alpha]).tolist())
        assert (found.resamples, found.seed, found.alpha, found.margin) == (500, 3, alpha, 0.3)


def test_two_bounds_at_half_of_alpha_are_the_interval(sample: SegmentStatistics) -> None:
    found = gate(sample, alpha=0.025, resamples=1000)
    (pair,) = compare(sample, [(1, 0)], resamples=1000).pairs
    assert (found.low, found.high) == (pytest.approx(pair.interval.low), pytest.approx(pair.interval.high))


def test_the_bound_of_a_mean_is_the_normal_one() -> None:
    found = gate(spread(-0.5))
    assert found.high == pytest.approx(-0.5 + 1.645 * 0.1, abs=0.01)
    assert found.low == pytest.approx(-0.5 - 1.645 * 0.1, abs=0.01)


@pytest.mark.parametrize("margin", [0, 0.3, 100])
def test_identical_systems_pass_at_any_margin(margin: float) -> None:
    found = gate(differing([0.0] * 20), margin=margin)
    assert found.passed
    assert (found.delta, found.low, found.high) == (0, 0, 0)


@pytest.mark.parametrize(
    ("difference", "margin", "passed"),
    [
        (5, 0, True),
        (0, 0, True),
        (-0.10, 0, True),  # worse, but not shown to be
        (-0.20, 0, False),
        (-0.40, 0.3, True),  # shown to be worse, but not by more than the margin
        (-0.50, 0.3, False),
        (-5, 0.3, False),
        (-5, 4.9, True),
        (-5, 4.8, False),
    ],
)
def test_a_candidate_fails_if_it_is_at_best_worse_by_more_than_the_margin(
    difference: float, margin: float, *, passed: bool
) -> None:
    # The bound lies 0.1645 above the difference.
    assert gate(spread(difference), margin=margin).passed == passed


@given(st.floats(-3, 3), st.floats(0, 3))
def test_the_verdict_follows_from_the_bound(difference: float, margin: float) -> None:
    found = gate(spread(difference, 10), margin=margin, resamples=40)
    assert found.passed == (found.high >= -margin)


def test_a_bound_at_the_margin_passes() -> None:
    assert gate(differing([-0.5] * 8), margin=0.5).passed
    assert not gate(differing([-0.5] * 8), margin=0.4375).passed


def test_where_less_is_better_more_is_worse() -> None:
    for difference, passed in ((5.0, False), (0.4, True), (0.5, False), (-5.0, True), (0.0, True)):
        table = spread(difference)
        turned = SegmentStatistics(table.systems, table.values, table.score, higher_is_better=False)
        found = gate(turned)
        assert found.passed == passed
        assert found.delta == pytest.approx(difference)
        assert found.low < found.delta < found.high


def test_the_directions_mirror_each_other() -> None:
    # Twice the baseline minus the candidate is as much better as the candidate is worse.
    for difference in (-0.5, -0.4, 0.2):
        table = spread(difference)
        mirrored = differing(50 - table.values[1, :, 0], higher_is_better=False)
        up, down = gate(table), gate(mirrored)
        assert up.passed == down.passed
        assert (down.low, down.high) == (pytest.approx(-up.high), pytest.approx(-up.low))


def test_more_certainty_lets_more_pass() -> None:
    # 0.2 below, a standard error of 0.1: shown at 5 % (0.1645), not at 1 % (0.233).
    table = spread(-0.2)
    assert not gate(table, margin=0, alpha=0.05).passed
    assert gate(table, margin=0, alpha=0.01).passed


def test_a_better_translation_passes_and_a_worse_one_fails(sample: SegmentStatistics) -> None:
    assert gate(sample).passed
    turned = gate(sample.select(["S3", "S1"]))
    assert not turned.passed
    assert (turned.baseline, turned.system) == ("S3", "S1")


def test_whole_documents_can_be_drawn(sample: SegmentStatistics) -> None:
    groups = document_blocks([str(s // 2) for s in range(FEW)])
    found = gate(sample, groups=groups, resamples=300)
    deltas = resampled_deltas(sample.grouped(groups.labels), [(1, 0)], "bootstrap", 300)
    assert [found.low, found.high] == pytest.approx(np.quantile(deltas, [0.05, 0.95]).tolist())
    assert found.delta == gate(sample, resamples=300).delta
    assert found.high != gate(sample, resamples=300).high


def test_the_seed_decides(sample: SegmentStatistics) -> None:
    found = [gate(sample, resamples=50, seed=seed) for seed in (5, 5, 6)]
    assert found[0] == found[1]
    assert found[0].high != found[2].high


@pytest.mark.parametrize(
    "option",
    [
        {"margin": -0.1},
        {"margin": math.nan},
        {"margin": math.inf},
        {"alpha": 0},
        {"alpha": 0.5},
        {"alpha": 1},
        {"alpha": -1},
        {"alpha": math.nan},
        {"resamples": 0},
        {"resamples": -5},
        {"seed": -1},
    ],
)
def test_numbers_out_of_their_range_are_refused(option: Any) -> None:
    with pytest.raises(SettingsError, match="found"):
        gate(spread(0), **option)


def test_what_has_no_spread_for_want_of_segments_is_refused() -> None:
    for segments in (0, 1, 5):
        with pytest.raises(SettingsError, match="found"):
            gate(differing([-5.0] * segments))
    with pytest.raises(SettingsError, match="found"):
        gate(spread(-5), groups=equal_blocks(100, 1))
    with pytest.raises(SettingsError, match="5 blocks found, at least 6 expected: with fewer, there are no intervals"):
        gate(spread(-5), groups=equal_blocks(100, 5))


def test_one_resample_and_six_segments_do() -> None:
    found: Gate = gate(differing([-1.0, -3.0] * 50), resamples=1)
    assert found.low == found.high
    assert not found.passed
    assert math.isnan(found.segments_needed)
    assert found.reason
    assert not gate(differing([-1.0, -3.0] * 3), resamples=1).passed


# Three answers


@pytest.mark.parametrize(
    ("difference", "margin", "verdict"),
    [
        (0, 0.3, "not worse"),  # the lower bound is -0.1645
        (-0.13, 0.3, "not worse"),
        (-0.14, 0.3, "inconclusive"),
        (-0.30, 0.3, "inconclusive"),
        (-0.46, 0.3, "inconclusive"),
        (-0.47, 0.3, "worse"),
        (0, 0, "inconclusive"),
        (0.17, 0, "not worse"),
        (-0.17, 0, "worse"),
    ],
)
def test_the_answer_follows_from_both_bounds(difference: float, margin: float, verdict: Verdict) -> None:
    found = gate(spread(difference), margin=margin)
    assert found.verdict == verdict
    assert found.passed == (verdict != "worse")
    table = spread(difference)
    mirrored = gate(differing(50 - table.values[1, :, 0], higher_is_better=False), margin=margin)
    assert mirrored.verdict == verdict


def test_a_bound_at_the_margin_is_not_worse() -> None:
    assert gate(differing([-0.5] * 120), margin=0.5).verdict == "not worse"
    assert gate(differing([0.0] * 120), margin=0).verdict == "not worse"


def test_the_detectable_margin_and_the_segments_needed_are_those_of_a_test_of_non_inferiority() -> None:
    # 1.6449 and 0.8416 standard errors of 0.1, with 100 segments.
    found = gate(spread(0), margin=0.5)
    assert found.detectable_margin == pytest.approx(0.24865, rel=0.02)
    narrow = gate(spread(0), margin=0.1)
    assert narrow.segments_needed == pytest.approx(100 * 2.4865**2, rel=0.04)
    assert (narrow.unit, narrow.units) == ("segment", 100)
    wide = gate(spread(0), margin=1)
    t = stats.t.ppf(0.95, wide.segments_needed - 1) + stats.t.ppf(0.8, wide.segments_needed - 1)
    assert t / math.sqrt(wide.segments_needed) == pytest.approx(1, abs=0.1)
    assert gate(spread(0), margin=50).segments_needed == 6


def test_at_the_segments_needed_the_margin_is_detectable() -> None:
    for margin, segments in ((0.1, 400), (0.6, 40)):
        needed = int(gate(spread(0, segments), margin=margin).segments_needed)
        assert gate(spread(0, needed), margin=margin).detectable_margin == pytest.approx(margin, rel=0.03)


def test_with_no_margin_no_number_of_segments_is_enough() -> None:
    found = gate(spread(0), margin=0)
    assert math.isnan(found.segments_needed)
    assert "with a margin of 0" in found.reason
    same = gate(differing([0.0] * 120))
    assert math.isnan(same.segments_needed)
    assert "does not vary" in same.reason
    assert same.detectable_margin == 0


def test_documents_are_needed_where_documents_are_resampled() -> None:
    # Documents of five segments that differ alike: each is worth one segment.
    table = spread(0, 120)
    values = np.repeat(table.values[1, :, 0] - 50, 5)
    groups = document_blocks([str(s // 5) for s in range(600)])
    by_document = gate(differing(values), groups=groups, margin=0.1)
    assert (by_document.unit, by_document.units) == ("document", 120)
    assert by_document.segments_needed == gate(table, margin=0.1).segments_needed


def test_bundles_are_told_in_segments() -> None:
    table = spread(0, 2000)
    bundled = replace(table.grouped(np.random.default_rng(0).permutation(2000) % 200), bundled=2000)
    found = gate(bundled, margin=0.02)
    assert (found.unit, found.units) == ("bundle", 200)
    assert found.segments_needed == pytest.approx(gate(table, margin=0.02).segments_needed, rel=0.3)


@pytest.mark.parametrize("units", [6, 29, 99])
def test_with_few_units_bounds_are_students(units: int) -> None:
    table = spread(-0.4, units)

    found = gate(table)
    differences = table.values[1, :, 0] - 50
    upper = stats.ttest_1samp(differences, 0, alternative="less").confidence_interval(0.95)
    lower = stats.ttest_1samp(differences, 0, alternative="greater").confidence_interval(0.95)
    assert [found.low, found.high] == pytest.approx([lower.low, upper.high])
    assert found.resamples is None


@pytest.mark.parametrize(("number", "warned"), [(6, True), (29, True), (30, False)])
def test_few_segments_or_documents_are_warned_of(number: int, *, warned: bool) -> None:
    for table, groups, unit in (
        (spread(0, number), None, "segments"),
        (spread(0), document_blocks([str(s % number) for s in range(100)]), "documents"),
    ):
        found = gate(table, groups=groups, resamples=50)
        assert bool(found.warnings) == warned
        if warned:
            assert found.warnings[0].startswith(f"{number} {unit} found, at least 30 recommended")
