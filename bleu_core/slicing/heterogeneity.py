"""A test of heterogeneity between slices: Cochran's Q with permutations of the labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats, Integers
from bleu_core.fields import BASELINE, P_VALUE, REASON, SYSTEM, AtMost, field, result
from bleu_core.inference import BATCH_CELLS, SEED, UNDEFINED_SCORE, Pair, check_draws
from bleu_core.progress import Progress
from bleu_core.scoring import SegmentStatistics

#: Permutations of the labels.
TRIALS = 1000

#: Relative step of sums for numerical derivatives of scores.
RELATIVE_STEP = 1e-4

#: With more units than this, random bundles of units are permuted: their approximate number, and the minimum per slice.
MAX_UNBUNDLED_UNITS, BUNDLES, MIN_BUNDLES_PER_SLICE = 20_000, 5_000, 50

#: Relative tolerance within which permuted values of Q equal the observed one up to rounding.
RELATIVE_TOLERANCE = 1e-9


@result
class Variation:
    """The test of whether the difference of a pair varies between slices.

    Attributes:
        q: NaN if undefined.
        p_value: NaN if Q is; an AtMost if no permutation reaches Q.
        reason: why Q is undefined, else empty.
    """

    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    q: float = field("decimal", "Cochran's Q of the differences in the slices.", label="Q")
    p_value: float = field(
        P_VALUE,
        "p-value of Q: share of permutations of the labels in which the difference varies at least this much.",
    )
    reason: str = field(REASON, default="")


def variation(
    statistics: SegmentStatistics,
    labels: Integers,
    pairs: Sequence[Pair],
    *,
    trials: int = TRIALS,
    seed: int = SEED,
    progress: Progress | None = None,
) -> tuple[Variation, ...]:
    """Test whether the differences of pairs vary between slices more than chance.

    Q is the sum over slices of (d - m)**2 / v, where d is the difference of the slice's corpus scores, v its variance
    and m the mean of d weighted by 1 / v (Cochran 1954). v is the variance of the bootstrap over the units of the
    slice to first order (the infinitesimal jackknife: Efron 1982, The jackknife, the bootstrap and other resampling
    plans, chapter 6), which needs no draws and can be computed for each permutation.

    Q is not compared with chi-squared, which holds for large slices only, but with Q of the same units with permuted
    labels: p = (b + 1) / (trials + 1), where b permutations reach the observed Q. If the labels are independent of the
    outputs, p is exact. If they are not, for example because the scores of all systems are lower in one slice, and only
    the difference is the same in all slices, p is correct for large slices, because each permuted Q uses the variances
    of its permutation (Chung and Romano 2013, Exact and asymptotically robust permutation tests). Null pairs are
    rejected at the nominal rate (tests/slicing/test_variation_calibration.py).

    Args:
        statistics: of the permuted units, (K, U, columns).
        labels: (U,) the slice of each unit, from 0 to L - 1, all of which occur.
        pairs: P pairs of a system's and its baseline's index.
        trials: number of permutations.
        seed: of the permutations, which all pairs share.
        progress: called with the permutations done and their total.

    Returns:
        P results, in the order of the pairs; undefined if differences of these scores are not tested.

    Raises:
        SettingsError: a number is out of its range.
    """
    check_draws(seed, trials=trials)
    if not pairs:
        return ()
    if statistics.untested:
        return tuple(_undefined(statistics, pair, statistics.untested) for pair in pairs)
    if statistics.has_gaps:  # each pair is compared on the segments that both have a score of
        results: list[Variation] = []
        for pair in pairs:
            common = replace(statistics.common([statistics.systems[k] for k in pair]), has_gaps=False)
            results += variation(common, labels, [(0, 1)], trials=trials, seed=seed, progress=progress)
        return tuple(results)
    generator = np.random.default_rng(seed)
    used = sorted({k for pair in pairs for k in pair})
    used_pairs = [(used.index(k), used.index(b)) for k, b in pairs]
    unit_statistics, labels = _bundled(statistics.select([statistics.systems[k] for k in used]), labels, generator)
    order = np.argsort(labels, kind="stable")
    sizes = np.bincount(labels)
    # In memory, all values of a unit follow each other, so that permuted units are copied as a whole.
    units = np.ascontiguousarray(unit_statistics.values[:, order].transpose(1, 0, 2), np.float64)
    rows = units.transpose(1, 0, 2)
    observed = _cochran_q(unit_statistics, rows, sizes, used_pairs)
    beyond = np.zeros(len(pairs))
    batch_size = max(1, BATCH_CELLS // rows.size)
    for start in range(0, trials, batch_size):
        size = min(batch_size, trials - start)
        orders = np.concatenate([generator.permutation(unit_statistics.segments) for _ in range(size)])
        permuted = _cochran_q(unit_statistics, units[orders].transpose(1, 0, 2), sizes, used_pairs)
        # An undefined Q, or one of slices without variance, counts as reaching the observed Q, which is conservative.
        beyond += (~(permuted < observed * (1 - RELATIVE_TOLERANCE))).sum(axis=1)
        if progress:
            progress(start + size, trials)
    p_values = (beyond + 1) / (trials + 1)
    return tuple(
        _result(statistics, pair, float(q), float(p), reached=bool(b))
        for pair, q, p, b in zip(pairs, observed[:, 0], p_values, beyond, strict=True)
    )


def _result(statistics: SegmentStatistics, pair: Pair, q: float, p_value: float, *, reached: bool) -> Variation:
    system, baseline = (statistics.systems[k] for k in pair)
    if not math.isfinite(q):
        return _undefined(statistics, pair, UNDEFINED_SCORE if math.isnan(q) else "no variance in a slice")
    return Variation(system=system, baseline=baseline, q=q, p_value=p_value if reached else AtMost(p_value))


def _undefined(statistics: SegmentStatistics, pair: Pair, reason: str) -> Variation:
    system, baseline = (statistics.systems[k] for k in pair)
    return Variation(system=system, baseline=baseline, q=math.nan, p_value=math.nan, reason=reason)


def _bundled(
    statistics: SegmentStatistics, labels: Integers, generator: np.random.Generator
) -> tuple[SegmentStatistics, Integers]:
    """Replace the units of long texts by random bundles of units of one slice, and return the bundles' labels.

    Sums over random bundles have the same variance as sums over as many single units, as in score_intervals.
    """
    sizes = np.bincount(labels)
    size = min(len(labels) // BUNDLES, int(sizes.min()) // MIN_BUNDLES_PER_SLICE)
    if len(labels) <= MAX_UNBUNDLED_UNITS or size <= 1:
        return statistics, labels
    order = np.lexsort((generator.random(len(labels)), labels))  # by slice, in random order within each
    bundle_counts = sizes // size
    starts, first = (np.concatenate([[0], np.cumsum(counts)[:-1]]) for counts in (sizes, bundle_counts))
    sorted_labels = labels[order]
    place = np.arange(len(labels)) - starts[sorted_labels]
    bundle = np.empty_like(labels)
    bundle[order] = first[sorted_labels] + place * bundle_counts[sorted_labels] // sizes[sorted_labels]
    return statistics.grouped(bundle), np.repeat(np.arange(len(sizes)), bundle_counts)


def slice_variances(
    statistics: SegmentStatistics, rows: Floats, sizes: npt.NDArray[np.intp], pairs: Sequence[Pair]
) -> tuple[Floats, Floats]:
    """Return the differences of pairs in each slice, and their variances.

    Args:
        statistics: with the score function of the sums.
        rows: (K, U, columns), the units of the first slice, then those of the second, and so on.
        sizes: (L,) units of each slice, none 0.
        pairs: P pairs of indices.

    Returns:
        (P, L) differences, points, and (P, L) variances.
    """
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    systems, baselines = (np.array(side, np.intp) for side in zip(*pairs, strict=True))
    sums = np.add.reduceat(rows, starts, axis=1)  # (K, L, columns)
    scores, slopes = _scores_and_slopes(statistics, sums)
    # The effect of each unit on the score of its slice: the gradient of the score in the sums, times the unit's row.
    slopes_of_units = np.repeat(slopes.transpose(1, 0, 2), sizes, axis=0)
    effects = np.einsum("ukc,ukc->ku", rows.transpose(1, 0, 2), slopes_of_units)
    differences = effects[systems] - effects[baselines]
    means = np.add.reduceat(differences, starts, axis=1) / sizes
    centred = differences - np.repeat(means, sizes, axis=1)
    return scores[systems] - scores[baselines], np.add.reduceat(centred**2, starts, axis=1)


def _cochran_q(
    statistics: SegmentStatistics, rows: Floats, sizes: npt.NDArray[np.intp], pairs: Sequence[Pair]
) -> Floats:
    """Return Q of each pair; infinite if the difference has no variance in a slice, NaN if a score is undefined.

    Args:
        statistics: with the score function of the sums.
        rows: (K, D * U, columns), the units in D orders, in each those of the first slice first, and so on.
        sizes: (L,) units of each slice, U in all.
        pairs: P pairs of indices.

    Returns:
        (P, D).
    """
    orders = rows.shape[1] // int(sizes.sum())
    slice_values = slice_variances(statistics, rows, np.tile(sizes, orders), pairs)
    deltas, variances = (array.reshape(len(pairs), orders, len(sizes)) for array in slice_values)
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = 1 / variances
        means = (weights * deltas).sum(axis=-1) / weights.sum(axis=-1)
        q = (weights * (deltas - means[..., None]) ** 2).sum(axis=-1)
    undefined = np.isnan(deltas).any(axis=-1)
    return np.where(~undefined & (variances == 0).any(axis=-1), np.inf, q)


def _scores_and_slopes(statistics: SegmentStatistics, sums: Floats) -> tuple[Floats, Floats]:
    """Return scores of sums, (K, L, columns), and their derivatives by central differences; 0 where a sum is 0.

    A column with the sum 0 is 0 in all units, and cannot change.
    """
    columns = sums.shape[-1]
    unit_vectors = np.eye(columns)[:, None, None]
    factors = 1 + RELATIVE_STEP * np.concatenate([np.zeros_like(unit_vectors[:1]), unit_vectors, -unit_vectors])
    scores, higher, lower = np.split(statistics.score(sums * factors), [1, 1 + columns])  # in one call, which is faster
    slopes = np.moveaxis(higher - lower, 0, -1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return scores[0], np.where(sums == 0, 0.0, slopes / (2 * RELATIVE_STEP * sums))
