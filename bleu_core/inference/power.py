"""How much text is enough: the width of the interval, the detectable difference, and t by block size."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats
from bleu_core.errors import SettingsError
from bleu_core.inference.blocks import PairedT, equal_blocks, paired_t
from bleu_core.inference.intervals import ALPHA
from bleu_core.inference.paired_tests import TOLERANCE, check_arguments
from bleu_core.inference.resampling import SEED, bootstrap_scores
from bleu_core.inference.significance import BLOCKS, CONFIDENCE
from bleu_core.progress import Progress, offset_progress
from bleu_core.scoring import SegmentStatistics

#: Power that is usually asked for: a real difference is then missed once in five times.
POWER = 0.8

#: Resamples for each number of segments.
RESAMPLES = 1000

#: Fewer segments, or blocks, say nothing.
MIN_SEGMENTS, MIN_BLOCKS = 10, 3

#: Sizes of subsamples, and of blocks, grow by steps of 1, 2 and 5 a decade.
STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextNeeded:
    """Which difference between two systems a test set can detect, and how much text the observed one needs.

    Attributes:
        system, baseline: names.
        delta: system - baseline, points.
        segments: S of the test set.
        sizes: (n,) numbers of segments drawn, up to S.
        widths: (n,) of the 95 % interval of delta with so many segments, points.
        standard_error: of delta at S, points; NaN for a single segment or resample.
    """

    system: str
    baseline: str
    delta: float
    segments: int
    sizes: npt.NDArray[np.int64]
    widths: Floats
    standard_error: float

    def width_at(self, segments: Floats) -> Floats:
        """The width expected with so many segments: it falls with their square root, from that at S on."""
        from scipy import special  # loaded when first needed

        whole = 2 * float(special.ndtri((1 + CONFIDENCE) / 2)) * self.standard_error
        return whole * np.sqrt(self.segments / segments)

    def detectable(self, power: float = POWER, alpha: float = ALPHA) -> float:
        """The least true difference, in points, that a two-sided test on this text finds with that probability.

        Raises:
            SettingsError: the power is not between alpha and 1.
        """
        return detectable_difference(self.standard_error, power, alpha)

    def segments_needed(self, power: float = POWER, alpha: float = ALPHA) -> float:
        """How many segments such as these it takes to find the observed difference.

        Infinite where there is no difference; NaN where nothing is known of its spread.
        """
        if abs(self.delta) < TOLERANCE:
            return math.inf
        if not self.standard_error >= TOLERANCE:
            return math.nan
        return math.ceil(self.segments * (self.detectable(power, alpha) / abs(self.delta)) ** 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockSizes:
    """The paired t of two systems for many sizes of block.

    Attributes:
        sizes: (n,) mean number of segments per block.
        blocks: (n,) how many blocks.
        tests: n of them.
    """

    system: str
    baseline: str
    sizes: Floats
    blocks: npt.NDArray[np.int64]
    tests: tuple[PairedT, ...]

    @property
    def critical_t(self) -> Floats:
        """(n,) the t that is significant at 5 %, two-sided, with so many blocks."""
        from scipy import special  # loaded when first needed

        return np.asarray(special.stdtrit(self.blocks - 1, 1 - ALPHA / 2), np.float64)


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
    """Draw test sets of growing size from this one, and see how the interval of delta narrows.

    Each size is drawn with replacement (the m out of n bootstrap), so that S is one of many sizes and not the end.

    Args:
        statistics: T.
        system: a name.
        baseline: another.
        resamples: for each size.
        seed: of the draws.
        resampled_scores: (2, any number) scores of the system and of the baseline on resamples of S segments, where
            they are at hand; they are drawn if None. Whatever else is computed from them then has the same width and
            standard error.
        progress: told, now and then, how many resamples of how many are done.

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
        told = offset_progress(progress, before * resamples, len(sizes) * resamples)
        if size == statistics.segments and resampled_scores is not None:
            drawn = resampled_scores
        else:
            drawn = bootstrap_scores(statistics, resamples, seed, drawn=size, progress=told)
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
    )


def detectable_difference(standard_error: float, power: float = POWER, alpha: float = ALPHA) -> float:
    """The least true difference that a two-sided test finds with a probability.

    Args:
        standard_error: of the difference of two systems, as a Comparison has it, points.
        power: the probability, a fraction.
        alpha: level of significance, a fraction.

    Returns:
        Points; NaN where nothing is known of the spread.

    Raises:
        SettingsError: the power is not between alpha and 1.
    """
    return _reach(power, alpha) * standard_error


def t_by_block_size(statistics: SegmentStatistics, system: str, baseline: str) -> BlockSizes:
    """The paired t for blocks of one segment up to a third of the text: 20 blocks are one choice among many."""
    statistics = statistics.select([system, baseline])
    most = statistics.segments // MIN_BLOCKS
    numbers = sorted({max(MIN_BLOCKS, round(statistics.segments / size)) for size in _steps(1, most)}, reverse=True)
    numbers = sorted({*numbers, BLOCKS}, reverse=True)  # the paper's among them
    numbers = [number for number in numbers if number <= statistics.segments]
    tests: list[PairedT] = []
    for number in numbers:
        scores = statistics.score(statistics.sums_by_label(equal_blocks(statistics.segments, number).labels))
        tests.append(paired_t(scores[0], scores[1]))
    blocks = np.array(numbers, np.int64)
    return BlockSizes(
        system=system, baseline=baseline, sizes=statistics.segments / blocks, blocks=blocks, tests=tuple(tests)
    )


def _steps(first: int, last: int) -> list[int]:
    """1, 2, 5, 10, 20 and so on between two numbers, and the last."""
    decades = range(len(str(max(last, 1))))
    return [n for d in decades for s in STEPS if first <= (n := s * 10**d) < last] + [last] * (last > 0)


def _reach(power: float, alpha: float) -> float:
    """How many standard errors a true difference must be for a two-sided test to find it with that probability."""
    from scipy import special

    if not alpha <= power < 1:
        raise SettingsError(f"power {power:g} found, a number from {alpha:g} to below 1 expected")

    return float(special.ndtri(1 - alpha / 2) + special.ndtri(power))
