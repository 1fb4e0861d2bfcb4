"""Statistical power: the width of the interval by text length, the detectable difference, and t by block size."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats
from bleu_core.errors import SettingsError
from bleu_core.fields import BASELINE, SYSTEM, derived, field, inline, result, rows_of
from bleu_core.inference.blocks import PairedT, equal_blocks, paired_t, without_test
from bleu_core.inference.intervals import ALPHA
from bleu_core.inference.paired_tests import TOLERANCE, check_arguments
from bleu_core.inference.resampling import SEED, bootstrap_scores
from bleu_core.inference.significance import BLOCKS, CONFIDENCE
from bleu_core.inference.student_t import normal_quantile, t_quantile
from bleu_core.progress import Progress, offset_progress
from bleu_core.scoring import SegmentStatistics

#: Conventional power: a true difference is missed once in five times.
POWER = 0.8

#: Resamples for each number of segments.
RESAMPLES = 1000

#: Minimum numbers of segments and of blocks; results for fewer are not meaningful.
MIN_SEGMENTS, MIN_BLOCKS = 10, 3

#: Sizes of subsamples, and of blocks, are 1, 2 and 5 times powers of ten.
STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TextNeeded:
    """The difference between two systems that a test set can detect, and the text that the observed one needs.

    Attributes:
        system, baseline: names.
        delta: system - baseline, points.
        segments: S of the test set.
        sizes: (n,) numbers of segments drawn, up to S.
        widths: (n,) of the 95 % interval of delta for each size, points.
        standard_error: of delta at S, points; NaN for a single segment or resample.
        decimals: of scores and differences for people.
    """

    system: str
    baseline: str
    delta: float
    segments: int
    sizes: npt.NDArray[np.int64]
    widths: Floats
    standard_error: float
    decimals: int = 2

    def width_at(self, segments: Floats) -> Floats:
        """Return the expected width for numbers of segments: proportional to 1 / sqrt(segments), fitted at S."""
        width_of_text = 2 * normal_quantile((1 + CONFIDENCE) / 2) * self.standard_error
        return width_of_text * np.sqrt(self.segments / segments)

    def detectable(self, power: float = POWER, alpha: float = ALPHA) -> float:
        """Return the least true difference, in points, that a two-sided test on this text finds with a probability.

        Raises:
            SettingsError: the power is not between alpha and 1.
        """
        return detectable_difference(self.standard_error, power, alpha)

    def segments_needed(self, power: float = POWER, alpha: float = ALPHA) -> float:
        """Return the number of segments like these that a test needs to find the observed difference.

        Infinite if there is no difference; NaN if its standard error is unknown.
        """
        if abs(self.delta) < TOLERANCE:
            return math.inf
        if not self.standard_error >= TOLERANCE:
            return math.nan
        return math.ceil(self.segments * (self.detectable(power, alpha) / abs(self.delta)) ** 2)


@result
class BlockSizeTest:
    """The paired t over blocks of one size."""

    segments: float = field("number", "Mean number of segments per block.")
    blocks: int = field("count", "Number of blocks.")
    test: PairedT = inline(PairedT)


@result
class BlockSizes:
    """The paired t of two systems by block size.

    Attributes:
        sizes: (n,) mean number of segments per block.
        blocks: (n,) numbers of blocks.
        tests: n results.
        decimals: of differences for people.
    """

    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    sizes: Floats
    blocks: npt.NDArray[np.int64]
    tests: tuple[PairedT, ...]
    decimals: int = 2

    @derived("object", "Tests by block size.", key="tests")
    def by_size(self) -> tuple[BlockSizeTest, ...]:
        """The test with each block size."""
        return rows_of(BlockSizeTest, segments=self.sizes, blocks=self.blocks, test=self.tests)

    @property
    def critical_t(self) -> Floats:
        """(n,) critical t at the 5 % level, two-sided, for each number of blocks."""
        return t_quantile(1 - ALPHA / 2, (self.blocks - 1).astype(np.float64))


def text_needed(
    statistics: SegmentStatistics,
    system: str,
    baseline: str,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    resampled_scores: Floats | None = None,
    progress: Progress | None = None,
) -> TextNeeded:
    """Measure the interval of delta on test sets of growing size that are drawn from this one.

    Each size is drawn with replacement (the m out of n bootstrap), so that S is not treated differently from others.

    Args:
        statistics: of all systems.
        system: its name.
        baseline: name of the other system.
        resamples: per size.
        seed: of the draws.
        resampled_scores: (2, any number) scores of the system and of the baseline on resamples of S segments, so that
            other results from the same resamples have the same width and standard error; they are drawn if None.
        progress: called repeatedly with the resamples done and their total.

    Raises:
        SettingsError: a number is out of its range.
    """
    check_arguments(statistics, resamples, trials=None, seed=seed, alpha=ALPHA)
    statistics = statistics.select([system, baseline])
    scores = statistics.score(statistics.sums())
    sizes = _steps(min(MIN_SEGMENTS, statistics.segments), statistics.segments)
    widths: list[float] = []
    error = math.nan
    for before, size in enumerate(sizes):
        progress_of_size = offset_progress(progress, before * resamples, len(sizes) * resamples)
        if size == statistics.segments and resampled_scores is not None:
            drawn = resampled_scores
        else:
            drawn = bootstrap_scores(statistics, resamples, seed, sample_size=size, progress=progress_of_size)
        deltas = drawn[0] - drawn[1]
        low, high = np.quantile(deltas, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
        widths.append(float(high - low))
        error = float(deltas.std(ddof=1)) if len(deltas) > 1 and statistics.segments > 1 else math.nan
    return TextNeeded(
        system=system,
        baseline=baseline,
        delta=float(scores[0] - scores[1]),
        segments=statistics.segments,
        sizes=np.array(sizes),
        widths=np.array(widths),
        standard_error=error,
        decimals=statistics.decimals,
    )


def detectable_difference(standard_error: float, power: float = POWER, alpha: float = ALPHA) -> float:
    """Return the least true difference that a two-sided test finds with a given probability.

    Args:
        standard_error: of the difference of two systems, as in Comparison, points.
        power: the probability, a fraction.
        alpha: level of significance, a fraction.

    Returns:
        Points; NaN if the standard error is unknown.

    Raises:
        SettingsError: the power is not between alpha and 1.
    """
    return _detectable_errors(power, alpha) * standard_error


def t_by_block_size(statistics: SegmentStatistics, system: str, baseline: str) -> BlockSizes:
    """Compute the paired t for block sizes from one segment to a third of the text, besides the usual 20 blocks."""
    statistics = statistics.select([system, baseline])
    max_size = statistics.segments // MIN_BLOCKS
    numbers = sorted({max(MIN_BLOCKS, round(statistics.segments / size)) for size in _steps(1, max_size)}, reverse=True)
    numbers = sorted({*numbers, BLOCKS}, reverse=True)  # include the number of blocks of the paper
    numbers = [number for number in numbers if number <= statistics.segments]
    tests: list[PairedT] = []
    for number in numbers:
        scores = statistics.score(statistics.sums_by_label(equal_blocks(statistics.segments, number).labels))
        tests.append(without_test(paired_t(scores[0], scores[1]), statistics.untested))
    blocks = np.array(numbers, np.int64)
    return BlockSizes(
        system=system,
        baseline=baseline,
        sizes=statistics.segments / blocks,
        blocks=blocks,
        tests=tuple(tests),
        decimals=statistics.decimals,
    )


def _steps(first: int, last: int) -> list[int]:
    """Return 1, 2, 5, 10, 20 and so on between two numbers, and the last number."""
    decades = range(len(str(max(last, 1))))
    return [n for d in decades for s in STEPS if first <= (n := s * 10**d) < last] + [last] * (last > 0)


def _detectable_errors(power: float, alpha: float) -> float:
    """Return the true difference, in standard errors, that a two-sided test finds with a given probability."""
    if not alpha <= power < 1:
        raise SettingsError(f"power {power:g} found, a number from {alpha:g} to below 1 expected")
    return normal_quantile(1 - alpha / 2) + normal_quantile(power)
