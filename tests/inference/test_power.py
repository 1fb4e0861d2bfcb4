"""How much text is enough: against the normal theory of means, SciPy, and tests that are really made."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

import sample_data
from bleu_core.dataset import Corpus
from bleu_core.errors import SettingsError
from bleu_core.inference import (
    TextNeeded,
    bootstrap_scores,
    compare,
    detectable_difference,
    equal_blocks,
    t_by_block_size,
    text_needed,
)
from bleu_core.inference.blocks import paired_t
from bleu_core.inference.power import MIN_BLOCKS
from bleu_core.scoring import Numbers, SegmentStatistics, evaluate


def lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8").split("\n")[:-1])


@pytest.fixture(scope="module")
def sample() -> SegmentStatistics:
    systems = {path.stem: lines(path) for path in sample_data.systems()}
    return evaluate(Corpus(systems, {"R": lines(sample_data.references()[0])})).statistics


def mean(sums: Numbers) -> npt.NDArray[np.float64]:
    return np.divide(sums[..., 0], sums[..., 1], dtype=np.float64)


def of_means(values: npt.ArrayLike) -> SegmentStatistics:
    """Systems, (K, S), called A, B and so on, whose score is the mean over segments."""
    numbers = np.array(values, np.float64)
    return SegmentStatistics(tuple("ABCDEF"[: len(numbers)]), np.stack([numbers, np.ones_like(numbers)], axis=-1), mean)


def standard(segments: int, delta: float = 0.3, spread: float = 1.0) -> SegmentStatistics:
    """A is better than B by delta exactly, with differences of that standard deviation exactly."""
    generator = np.random.default_rng(13)
    noise = generator.normal(size=segments)
    baseline = generator.normal(size=segments)
    return of_means([baseline + delta + spread * (noise - noise.mean()) / noise.std(), baseline])


def needing(delta: float, error: float, segments: int = 400) -> TextNeeded:
    return TextNeeded(
        system="A",
        baseline="B",
        delta=delta,
        segments=segments,
        sizes=np.array([segments]),
        widths=np.array([3.92 * error]),
        standard_error=error,
    )


# Width


def test_the_width_falls_with_the_root_of_the_segments(sample: SegmentStatistics) -> None:
    for table, system, baseline in ((sample, "S2", "S3"), (standard(500), "A", "B")):
        found = text_needed(table, system, baseline)
        assert found.sizes.tolist() == [10, 20, 50, 100, 200, 500]
        scaled = found.widths * np.sqrt(found.sizes)
        large = found.sizes >= 50  # of a few segments BLEU is no mean
        assert scaled[large] == pytest.approx(np.full(large.sum(), scaled[-1]), rel=0.1)
        assert (np.diff(found.widths) < 0).all()
        assert found.width_at(found.sizes[large].astype(float)) == pytest.approx(found.widths[large], rel=0.12)


def test_the_width_of_means_is_the_normal_one() -> None:
    found = text_needed(standard(500), "A", "B", resamples=5000)
    assert found.standard_error == pytest.approx(1 / math.sqrt(500), rel=0.03)
    expected = 2 * stats.norm.ppf(0.975) / np.sqrt(found.sizes)
    assert found.widths == pytest.approx(expected, rel=0.06)
    ahead = np.array([500.0, 2000, 50_000])
    assert found.width_at(ahead) == pytest.approx(2 * stats.norm.ppf(0.975) / np.sqrt(ahead), rel=0.03)


def test_the_width_at_all_segments_is_that_of_the_interval(sample: SegmentStatistics) -> None:
    found = text_needed(sample, "S3", "S1", resamples=700, seed=9)
    pairs = [(sample.systems.index("S3"), sample.systems.index("S1"))]
    (pair,) = compare(sample, pairs, resamples=700, seed=9).pairs
    assert (pair.system, pair.baseline) == (found.system, found.baseline) == ("S3", "S1")
    assert found.widths[-1] == pytest.approx(pair.interval.high - pair.interval.low)
    assert found.delta == pair.delta
    assert (found.sizes[-1], found.segments) == (500, 500)


def test_the_direction_changes_the_sign_alone(sample: SegmentStatistics) -> None:
    found, turned = text_needed(sample, "S3", "S1"), text_needed(sample, "S1", "S3")
    assert turned.delta == -found.delta
    assert turned.widths == pytest.approx(found.widths)
    assert turned.standard_error == pytest.approx(found.standard_error)
    assert turned.segments_needed() == found.segments_needed()


def test_the_seed_decides(sample: SegmentStatistics) -> None:
    one, again, other = (text_needed(sample, "S3", "S1", resamples=50, seed=seed).widths for seed in (1, 1, 2))
    assert one.tolist() == again.tolist() != other.tolist()


def test_progress_grows_to_the_total_of_all_sizes(sample: SegmentStatistics) -> None:
    told: list[tuple[int, int]] = []
    text_needed(sample, "S3", "S1", resamples=50, progress=lambda *counts: told.append(counts))
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    assert {of for _, of in told} == {6 * 50}
    assert told[-1] == (300, 300)


# What can be found, and what it takes


def test_the_detectable_difference_is_the_textbooks() -> None:
    # 80 % power at 5 %: 1.960 + 0.842 standard errors; 90 % at 1 %: 2.576 + 1.282.
    found = needing(1, 0.25)
    assert found.detectable() == pytest.approx(2.802 * 0.25, abs=2e-4)
    assert found.detectable(0.9, 0.01) == pytest.approx(3.858 * 0.25, abs=3e-4)
    assert found.detectable(0.9) > found.detectable()


@pytest.mark.parametrize("sign", [1, -1])
def test_what_is_just_detectable_needs_the_segments_there_are(sign: int) -> None:
    error = 0.25
    just = needing(1, error).detectable()
    assert needing(sign * just, error).segments_needed() == 400
    assert needing(sign * just / 2, error).segments_needed() == 1600
    assert needing(sign * just * 2, error).segments_needed() == 100
    assert needing(sign * just * 0.999, error).segments_needed() > 400


def test_what_is_needed_makes_the_difference_detectable() -> None:
    found = needing(0.3, 0.25)
    larger = needing(0.3, 0.25 * math.sqrt(400 / found.segments_needed()), int(found.segments_needed()))
    assert larger.detectable() <= 0.3
    assert larger.detectable() == pytest.approx(0.3, rel=0.01)


def test_equal_systems_can_never_be_told_apart() -> None:
    values = np.random.default_rng(1).normal(size=50)
    found = text_needed(of_means([values, values]), "A", "B")
    assert found.segments_needed() == math.inf
    assert found.widths.tolist() == [0] * len(found.sizes)
    assert needing(0, 0.25).segments_needed() == math.inf
    assert needing(1e-13, 0.25).segments_needed() == math.inf  # rounding is no difference


@pytest.mark.parametrize("shape", [(2, 1), (2, 30)])
def test_without_a_spread_nothing_is_known(shape: tuple[int, int]) -> None:
    values = np.broadcast_to(np.array([[1.1], [1.2]]), shape)  # a constant difference but for rounding
    assert math.isnan(text_needed(of_means(values), "A", "B").segments_needed())


def test_one_resample_shows_no_spread(sample: SegmentStatistics) -> None:
    found = text_needed(sample, "S3", "S1", resamples=1)
    assert math.isnan(found.segments_needed())
    assert math.isnan(found.detectable())


def test_one_segment_shows_no_spread() -> None:
    found = text_needed(of_means([[1.0], [3.0]]), "A", "B")
    assert math.isnan(found.standard_error)
    assert math.isnan(found.detectable())


@pytest.mark.parametrize("power", [0, 0.04, 1, 1.5, -1, math.nan])
def test_a_power_that_no_test_has_is_refused(power: float) -> None:
    for ask in (needing(1, 0.25).detectable, needing(1, 0.25).segments_needed):
        with pytest.raises(SettingsError, match="power"):
            ask(power)


def test_a_test_finds_the_detectable_difference_four_times_in_five() -> None:
    # 4,000 test sets whose true difference is just that, each put to a two-sided z test.
    segments = 400
    found = text_needed(standard(segments, delta=0), "A", "B", resamples=4000)
    drawn = np.random.default_rng(17).normal(found.detectable(), 1, (4000, segments))
    z = drawn.mean(axis=1) / (drawn.std(axis=1, ddof=1) / math.sqrt(segments))
    rejected = 2 * stats.norm.sf(np.abs(z)) < 0.05
    assert rejected.mean() == pytest.approx(0.8, abs=0.03)


def test_the_segments_needed_find_the_observed_difference_four_times_in_five() -> None:
    found = text_needed(standard(200, delta=0.1), "A", "B", resamples=4000)
    segments = int(found.segments_needed())
    assert segments == pytest.approx((2.802 / 0.1) ** 2, rel=0.05)
    drawn = np.random.default_rng(19).normal(0.1, 1, (4000, segments))
    p_values = stats.ttest_rel(drawn, np.zeros_like(drawn), axis=1).pvalue
    assert (p_values < 0.05).mean() == pytest.approx(0.8, abs=0.03)


# t by size of block


def test_each_t_is_that_of_equal_blocks(sample: SegmentStatistics) -> None:
    found = t_by_block_size(sample, "S3", "S1")
    system, baseline = sample.systems.index("S3"), sample.systems.index("S1")
    assert (found.system, found.baseline) == ("S3", "S1")
    for size, blocks, test, critical in zip(found.sizes, found.blocks, found.tests, found.critical_t, strict=True):
        scores = sample.score(sample.sums_by_label(equal_blocks(500, int(blocks)).labels))
        theirs = stats.ttest_rel(scores[system], scores[baseline])
        assert size == 500 / blocks
        assert test == paired_t(scores[system], scores[baseline])
        assert (test.t, test.p_value) == (pytest.approx(theirs.statistic), pytest.approx(theirs.pvalue))
        assert (abs(test.t) > critical) == (test.p_value < 0.05)
        assert critical == pytest.approx(stats.t.ppf(0.975, blocks - 1))


def test_blocks_go_from_one_segment_to_a_third_of_the_text(sample: SegmentStatistics) -> None:
    found = t_by_block_size(sample, "S3", "S1")
    assert found.blocks.tolist() == [500, 250, 100, 50, 25, 20, 10, 5, 3]
    assert found.sizes[0] == 1
    assert (np.diff(found.blocks) < 0).all()


# Odd cases


@pytest.mark.parametrize("segments", [*range(1, 32), 99, 100, 101])
def test_any_number_of_segments_will_do(segments: int) -> None:
    table = of_means(np.random.default_rng(segments).normal(size=(2, segments)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found, by_size = text_needed(table, "A", "B", resamples=20), t_by_block_size(table, "A", "B")
        assert by_size.critical_t.shape == by_size.blocks.shape
    assert found.sizes[-1] == segments
    assert (np.diff(found.sizes) > 0).all()
    assert found.sizes.shape == found.widths.shape
    assert (found.widths >= 0).all()
    assert len(by_size.tests) == len(by_size.sizes) == len(by_size.blocks)
    assert ((by_size.blocks >= MIN_BLOCKS) & (by_size.blocks <= segments)).all()
    assert len(by_size.blocks) == 0 if segments < MIN_BLOCKS else by_size.blocks[0] == segments


def test_text_that_scores_nothing_has_no_width() -> None:
    table = evaluate(Corpus({"A": ("",) * 12, "B": ("x",) * 12}, {"R": ("a b c",) * 12})).statistics
    found, by_size = text_needed(table, "A", "B"), t_by_block_size(table, "A", "B")
    assert found.widths.tolist() == [0, 0]
    assert found.segments_needed() == math.inf
    assert {test.reason for test in by_size.tests} == {"no variance"}


@pytest.mark.parametrize("option", [{"resamples": 0}, {"seed": -1}])
def test_numbers_out_of_their_range_are_refused(option: Any) -> None:
    with pytest.raises(SettingsError, match="found"):
        text_needed(standard(20), "A", "B", **option)


def test_no_segment_is_too_few() -> None:
    with pytest.raises(SettingsError, match="no segment found"):
        text_needed(of_means(np.zeros((2, 0))), "A", "B")


def test_the_width_and_the_least_difference_are_those_of_the_comparison_with_the_same_resamples(
    sample: SegmentStatistics,
) -> None:
    index = {name: k for k, name in enumerate(sample.systems)}
    scores = bootstrap_scores(sample, 3000, 5)
    (pair,) = compare(sample, [(index["S3"], index["S1"])], resamples=3000, resampled_scores=scores).pairs
    of_pair = scores[[index["S3"], index["S1"]]]
    found = text_needed(sample, "S3", "S1", resamples=50, resampled_scores=of_pair)
    assert found.standard_error == pair.standard_error
    assert found.widths[-1] == pytest.approx(pair.interval.high - pair.interval.low, rel=1e-12)
    assert found.detectable() == detectable_difference(pair.standard_error)
    drawn = text_needed(sample, "S3", "S1", resamples=50)
    assert found.widths[:-1].tolist() == drawn.widths[:-1].tolist()


def test_the_least_difference_that_is_found_needs_a_power_above_the_level() -> None:
    assert detectable_difference(1.5) == pytest.approx(1.5 * (1.959964 + 0.841621), rel=1e-6)
    assert math.isnan(detectable_difference(math.nan))
    with pytest.raises(SettingsError, match="power"):
        detectable_difference(1.5, power=0.01)
