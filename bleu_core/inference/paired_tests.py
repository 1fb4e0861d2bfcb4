"""Paired tests on resampled statistics: resampled differences, p-values and their correction."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats
from bleu_core.errors import SettingsError
from bleu_core.inference.intervals import CONFIDENCE, ENOUGH_UNITS, Interval
from bleu_core.inference.resampling import SEED, Pair, bootstrap_scores, check_draws, swap_batches
from bleu_core.inference.student_t import expanded_share, normal_probability
from bleu_core.progress import Progress
from bleu_core.scoring import SegmentStatistics

Correction = Literal["holm", "benjamini-hochberg", "none"]

CORRECTIONS: tuple[Correction, ...] = get_args(Correction)

#: Points. Closer differences are equal up to rounding.
TOLERANCE = 1e-9

#: Minimum number of draws as extreme as the observed difference for which p is their share: the share of fewer is too
#: imprecise for a correction, which multiplies it.
MIN_EXTREME_DRAWS = 10

#: Approximate number of differences in memory: those of 10 pairs with 24,000 draws. They fit into a processor's cache.
BATCH_DELTAS = 250_000

#: Why a difference has no p-value.
UNDEFINED_SCORE = "a score is undefined"
NO_VARIANCE = "no variance"


@dataclass(frozen=True, slots=True, eq=False)
class BootstrapResults:
    """Results of the bootstrap for P pairs.

    Attributes:
        p_values: (P,) two-sided.
        extrapolated: (P,) whether p is from extrapolated_p instead of the share of draws that are as extreme.
        bounds: P intervals of the difference.
        errors: (P,) standard errors of the difference, points; NaN of a single resample.
        undefined: (P,) whether the score of any resample is undefined.
    """

    p_values: Floats
    extrapolated: npt.NDArray[np.bool_]
    bounds: Sequence[Interval]
    errors: Floats
    undefined: npt.NDArray[np.bool_]


def resampled_deltas(
    statistics: SegmentStatistics,
    pairs: Sequence[Pair],
    test: Literal["bootstrap", "randomization"],
    draws: int,
    *,
    seed: int = SEED,
    progress: Progress | None = None,
) -> Floats:
    """Return the differences of resampled or shuffled systems, (P, draws), points."""
    if test == "bootstrap":
        systems, baselines = (np.array(side, np.intp) for side in zip(*pairs, strict=True))
        scores = bootstrap_scores(statistics, draws, seed, progress=progress)
        return scores[systems] - scores[baselines]
    batches = swap_batches(statistics, pairs, draws, seed, progress=progress)
    return np.concatenate(
        [
            statistics.score(shuffled_systems) - statistics.score(shuffled_baselines)
            for shuffled_systems, shuffled_baselines in batches
        ],
        axis=1,
    )


def run_bootstrap(
    scores: Floats,
    pairs: Sequence[Pair],
    observed: Floats,
    rule: Literal["centred", "sacrebleu"] = "centred",
    *,
    confidence: float = CONFIDENCE,
    progress: Progress | None = None,
) -> BootstrapResults:
    """Test pairs by the bootstrap, in batches, so that not all differences are in memory.

    Args:
        scores: (K, resamples) of the resamples, points.
        pairs: P pairs of a system's and its baseline's index.
        observed: (P,) differences on the text.
        rule: whether p is from bootstrap_p, or extrapolated_p if few draws are as extreme, or from sacrebleu_p.
        confidence: of the intervals, a fraction.
        progress: called with the pairs done and their total.
    """
    resamples = scores.shape[1]
    p_values, errors = np.full(len(pairs), np.nan), np.full(len(pairs), np.nan)
    undefined = np.zeros(len(pairs), np.bool_)
    bounds: list[Interval] = []
    for batch, systems, baselines in _batches_of_pairs(pairs, resamples):
        deltas = scores[systems] - scores[baselines]
        p_values[batch] = (
            bootstrap_p(deltas, observed[batch]) if rule == "centred" else sacrebleu_p(deltas, observed[batch])
        )
        bounds += percentile_intervals(deltas, confidence)
        undefined[batch] = np.isnan(deltas).any(axis=1)
        if resamples > 1:
            errors[batch] = deltas.std(axis=1, ddof=1)
        if progress:
            progress(batch.stop, len(pairs))
    extrapolated = np.zeros(len(pairs), np.bool_)
    if rule == "centred":
        p_values, extrapolated = extrapolated_p(p_values, resamples, observed, errors)
    return BootstrapResults(
        p_values=p_values, extrapolated=extrapolated, bounds=bounds, errors=errors, undefined=undefined
    )


def run_randomization(
    statistics: SegmentStatistics,
    pairs: Sequence[Pair],
    observed: Floats,
    trials: int,
    *,
    seed: int = SEED,
    progress: Progress | None = None,
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Compute p-values of approximate randomisation, without keeping the differences of shuffles.

    Args:
        statistics: of K systems.
        pairs: P pairs of a system's and its baseline's index.
        observed: (P,) differences on the text, points.
        trials: number of shuffles.
        seed: of the shuffles.
        progress: called with the shuffles done and their total.

    Returns:
        (P,) p, NaN where a score is undefined, and (P,) whether it is from extrapolated_p, by the standard deviation of
        the shuffled differences. No p is below 2 / 2**units, that of the most extreme possible shuffle.
    """
    beyond, squares = np.zeros(len(pairs)), np.zeros(len(pairs))
    for shuffled_systems, shuffled_baselines in swap_batches(statistics, pairs, trials, seed, progress=progress):
        deltas = statistics.score(shuffled_systems) - statistics.score(shuffled_baselines)
        beyond += _as_large(deltas, observed).sum(axis=1)
        beyond[np.isnan(deltas).any(axis=1)] = np.nan
        squares += np.square(deltas).sum(axis=1)
    return _shuffled_p(
        (beyond + 1) / (trials + 1), observed, squares / trials, trials=trials, units=statistics.segments
    )


def p_of_shuffled(deltas: Floats, observed: Floats, units: int) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Compute the results of run_randomization from the differences of shuffled systems, (P, trials)."""
    p_values = randomization_p(deltas, observed)
    p_values[np.isnan(deltas).any(axis=1)] = np.nan
    return _shuffled_p(p_values, observed, np.square(deltas).mean(axis=1), trials=deltas.shape[1], units=units)


def _shuffled_p(
    p_values: Floats, observed: Floats, squares: Floats, *, trials: int, units: int
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Extrapolate p-values of shuffles; squares are the mean squares of the shuffled differences, (P,)."""
    # The mean of shuffled differences is 0, since a shuffle and its opposite are equally likely.
    p_values, extrapolated = extrapolated_p(p_values, trials, observed, np.sqrt(squares))
    return np.maximum(p_values, np.where(extrapolated, 2.0 ** (1 - units), 0)), extrapolated


def extrapolated_p(
    p_values: Floats, draws: int, observed: Floats, errors: Floats
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Replace the p-values of pairs with fewer than 10 draws as extreme as the observed difference.

    Their p is the smaller of 11 / (draws + 1), the p-value for 10 such draws, and the two tails of the normal
    distribution beyond the observed difference. It does not depend on the number of pairs.

    Args:
        p_values: (P,) (beyond + 1) / (draws + 1); NaN is kept.
        draws: number of draws.
        observed: (P,) differences on the text, points.
        errors: (P,) standard deviations of the difference under the null hypothesis, points; pairs for which they are
            unknown or 0 have no tail.

    Returns:
        (P,) p-values, never 0, and (P,) which of them were replaced.
    """
    few = np.rint(p_values * (draws + 1)) <= MIN_EXTREME_DRAWS  # the observed difference itself is counted
    known = few & (errors >= TOLERANCE)
    tails = np.ones_like(p_values)
    tails[known] = 2 * normal_probability(-np.abs(observed[known]) / errors[known])
    replaced = np.clip(np.minimum(tails, (MIN_EXTREME_DRAWS + 1) / (draws + 1)), math.ulp(0), 1)
    return np.where(few, replaced, p_values), few


def bootstrap_p(deltas: Floats, observed: Floats) -> Floats:
    """Compute two-sided p: the share of resampled differences as far from their mean as the observed one from 0.

    Args:
        deltas: (P, resamples).
        observed: (P,).

    Returns:
        (P,) (beyond + 1) / (resamples + 1).
    """
    centred = np.abs(deltas - deltas.mean(axis=1, keepdims=True))
    return _share(centred >= np.abs(observed)[:, None] - TOLERANCE)


def sacrebleu_p(deltas: Floats, observed: Floats) -> Floats:
    """Compute p by sacreBLEU's rule: the share of centred absolute differences that exceed the observed one.

    Near the threshold |delta| is hardly folded, so that centring it considers one tail only: this p is about half of a
    two-sided one, and is below 0.05 for some 11 % of pairs that differ by chance alone.

    Source:
        sacreBLEU 2.6, significance.py, _paired_bs_test.
    """
    folded = np.abs(deltas)
    return _share(folded - folded.mean(axis=1, keepdims=True) > np.abs(observed)[:, None])


def randomization_p(deltas: Floats, observed: Floats) -> Floats:
    """Compute two-sided p: the share of shuffled differences as large as the observed one.

    Equal differences count, so that identical texts have p = 1; sacreBLEU counts larger ones only.
    """
    return _share(_as_large(deltas, observed))


def adjust(p_values: Floats, correction: Correction = "holm") -> Floats:
    """Correct p-values for their number; NaN is kept and does not count.

    Source:
        Holm (1979), which controls the probability of any false positive; Benjamini and Hochberg (1995), which controls
        the expected share of false positives among the positives.

    Raises:
        SettingsError: there is no such correction.
    """
    if correction not in CORRECTIONS:
        raise SettingsError(f"correction {correction!r} found, one of {', '.join(CORRECTIONS)} expected")
    adjusted = p_values.copy()
    known = np.flatnonzero(~np.isnan(p_values))
    if correction == "none" or not known.size:
        return adjusted
    if correction == "benjamini-hochberg":
        from scipy import stats  # loaded when first needed

        adjusted[known] = stats.false_discovery_control(p_values[known])
        return adjusted
    order = known[np.argsort(p_values[known], kind="stable")]
    steps = p_values[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return adjusted


def percentile_intervals(values: Floats, confidence: float, units: int | None = None) -> list[Interval]:
    """Return percentile intervals of resampled values, (n, resamples), that exclude equal shares on both sides.

    If units is given and below 30, they are expanded to the width of Student's.
    """
    share = (1 - confidence) / 2
    if units is not None and 1 < units < ENOUGH_UNITS:
        share = expanded_share(share, units)
    low, high = np.quantile(values, [share, 1 - share], axis=1)
    return [Interval(float(a), float(b), confidence) for a, b in zip(low, high, strict=True)]


def check_arguments(
    statistics: SegmentStatistics, resamples: int | None, trials: int | None, seed: int, alpha: float
) -> None:
    """Check that there are segments, and that numbers are in their range.

    Raises:
        SettingsError: there is no segment, or a number is out of its range.
    """
    check_draws(seed, resamples=resamples, trials=trials)
    if not 0 < alpha < 1:
        raise SettingsError(f"alpha {alpha:g} found, a number between 0 and 1 expected")
    if not statistics.segments:
        raise SettingsError("no segment found, at least 1 expected")


def _as_large(deltas: Floats, observed: Floats) -> npt.NDArray[np.bool_]:
    """Return which differences, (P, draws), are as large as the observed one, in absolute value."""
    return np.abs(deltas) >= np.abs(observed)[:, None] - TOLERANCE


def _batches_of_pairs(
    pairs: Sequence[Pair], draws: int
) -> Iterator[tuple[slice, npt.NDArray[np.intp], npt.NDArray[np.intp]]]:
    """Yield pairs in batches: their slice, and the indices of their systems and of their baselines."""
    systems, baselines = (np.array(side, np.intp) for side in zip(*pairs, strict=True))
    step = max(1, BATCH_DELTAS // draws)
    for start in range(0, len(pairs), step):
        batch = slice(start, min(start + step, len(pairs)))
        yield batch, systems[batch], baselines[batch]


def _share(beyond: npt.NDArray[np.bool_]) -> Floats:
    """Return the share of draws, (P, draws), including the observed difference, so that it is never 0."""
    return (beyond.sum(axis=1) + 1) / (beyond.shape[1] + 1)
