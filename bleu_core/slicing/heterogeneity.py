"""Whether a difference varies between slices more than chance: Cochran's Q, referred to permutations of the labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats, Integers
from bleu_core.fields import AtMost
from bleu_core.inference import BATCH_CELLS, SEED, UNDEFINED_SCORE, Pair, check_draws
from bleu_core.progress import Progress
from bleu_core.scoring import SegmentStatistics

#: Permutations of the labels.
TRIALS = 1000

#: Sums are changed by this share of themselves to find how a score depends on them.
RELATIVE_STEP = 1e-4

#: With more units than this, random bundles of units are permuted: about so many, and at least so many in each slice.
MAX_PERMUTED_SINGLY, BUNDLES, BUNDLES_OF_SLICE = 20_000, 5_000, 50

#: Permuted values of Q that are this close to the observed one, relative to it, are equal but for rounding.
RELATIVE_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Variation:
    """Return whether the difference of a pair varies between slices.

    Attributes:
        system, baseline: names.
        q: Cochran's Q of the slices' differences; NaN where it is undefined.
        p_value: of Q, from permutations of the labels; NaN with Q. It is an AtMost where no permutation reaches Q.
        reason: why Q is undefined, else empty.
    """

    system: str
    baseline: str
    q: float
    p_value: float
    reason: str = ""


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
    plans, chapter 6), which needs no draws, and so can be computed anew for each permutation.

    Q is not referred to chi-squared, which holds for large slices only, but to Q of the same units with their labels
    permuted: p = (b + 1) / (trials + 1), where b permutations reach the observed Q. If the labels have nothing to do
    with the outputs, p is exact. If they have, for example because the scores of all systems are lower in one slice,
    and only the difference is the same in all slices, p is correct for large slices, because each permuted Q is
    divided by variances of its own (Chung and Romano 2013, Exact and asymptotically robust permutation tests). Null
    pairs are rejected as often as they should be (tests/slicing/test_variation_calibration.py).

    Args:
        statistics: of the units that are permuted: (K, U, columns).
        labels: (U,) the slice of each unit, from 0 to L - 1, all of which occur.
        pairs: P pairs of a system's and its baseline's index.
        trials: how many permutations.
        seed: of the permutations, which all pairs share.
        progress: told how many permutations of how many are done.

    Returns:
        P results, in the order of the pairs.

    Raises:
        SettingsError: a number is out of its range.
    """
    check_draws(seed, trials=trials)
    if not pairs:
        return ()
    generator = np.random.default_rng(seed)
    used = sorted({k for pair in pairs for k in pair})
    of_used = [(used.index(k), used.index(b)) for k, b in pairs]
    drawn, labels = _bundled(statistics.select([statistics.systems[k] for k in used]), labels, generator)
    order = np.argsort(labels, kind="stable")
    sizes = np.bincount(labels)
    rows = np.ascontiguousarray(drawn.values[:, order], np.float64)
    observed = _cochran_q(drawn, rows, sizes, of_used)
    beyond = np.zeros(len(pairs))
    at_once = max(1, BATCH_CELLS // rows.size)
    for start in range(0, trials, at_once):
        few = min(at_once, trials - start)
        orders = np.concatenate([generator.permutation(drawn.segments) for _ in range(few)])
        permuted = _cochran_q(drawn, rows[:, orders], sizes, of_used)
        # Of an undefined Q, or one of slices without variance, nothing is known: it counts against the claim.
        beyond += (~(permuted < observed * (1 - RELATIVE_TOLERANCE))).sum(axis=1)
        if progress:
            progress(start + few, trials)
    p_values = (beyond + 1) / (trials + 1)
    return tuple(
        _result(statistics, pair, float(q), float(p), reached=bool(b))
        for pair, q, p, b in zip(pairs, observed[:, 0], p_values, beyond, strict=True)
    )


def _result(statistics: SegmentStatistics, pair: Pair, q: float, p_value: float, *, reached: bool) -> Variation:
    system, baseline = (statistics.systems[k] for k in pair)
    if not math.isfinite(q):
        reason = UNDEFINED_SCORE if math.isnan(q) else "no variance in a slice"
        return Variation(system=system, baseline=baseline, q=math.nan, p_value=math.nan, reason=reason)
    return Variation(system=system, baseline=baseline, q=q, p_value=p_value if reached else AtMost(p_value))


def _bundled(
    statistics: SegmentStatistics, labels: Integers, generator: np.random.Generator
) -> tuple[SegmentStatistics, Integers]:
    """A long table with random bundles of units of one slice in place of single ones, and the bundles' labels.

    Sums over bundles drawn by chance vary as much as sums over as many single units, as in score_intervals.
    """
    sizes = np.bincount(labels)
    size = min(len(labels) // BUNDLES, int(sizes.min()) // BUNDLES_OF_SLICE)
    if len(labels) <= MAX_PERMUTED_SINGLY or size <= 1:
        return statistics, labels
    order = np.lexsort((generator.random(len(labels)), labels))  # by slice, in random order within each
    bundles_of = sizes // size
    starts, first = (np.concatenate([[0], np.cumsum(counts)[:-1]]) for counts in (sizes, bundles_of))
    of_sorted = labels[order]
    place = np.arange(len(labels)) - starts[of_sorted]
    bundle = np.empty_like(labels)
    bundle[order] = first[of_sorted] + place * bundles_of[of_sorted] // sizes[of_sorted]
    return statistics.grouped(bundle), np.repeat(np.arange(len(sizes)), bundles_of)


def slice_variances(
    statistics: SegmentStatistics, rows: Floats, sizes: npt.NDArray[np.intp], pairs: Sequence[Pair]
) -> tuple[Floats, Floats]:
    """The differences of pairs in each slice, and their variances.

    Args:
        statistics: names the function of the sums.
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
    # How much the score of a slice changes with each unit: the slope of the score in the sums, times the unit's row.
    effects = np.einsum("kuc,kuc->ku", rows, np.repeat(slopes, sizes, axis=1))
    differences = effects[systems] - effects[baselines]
    means = np.add.reduceat(differences, starts, axis=1) / sizes
    centred = differences - np.repeat(means, sizes, axis=1)
    return scores[systems] - scores[baselines], np.add.reduceat(centred**2, starts, axis=1)


def _cochran_q(
    statistics: SegmentStatistics, rows: Floats, sizes: npt.NDArray[np.intp], pairs: Sequence[Pair]
) -> Floats:
    """Q of each pair; infinite if the difference has no variance in a slice, NaN if a score is undefined.

    Args:
        statistics: names the function of the sums.
        rows: (K, D * U, columns), the units in D orders, in each those of the first slice first, and so on.
        sizes: (L,) units of each slice, U in all.
        pairs: P pairs of indices.

    Returns:
        (P, D).
    """
    orders = rows.shape[1] // int(sizes.sum())
    of_slices = slice_variances(statistics, rows, np.tile(sizes, orders), pairs)
    deltas, variances = (found.reshape(len(pairs), orders, len(sizes)) for found in of_slices)
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = 1 / variances
        means = (weights * deltas).sum(axis=-1) / weights.sum(axis=-1)
        found = (weights * (deltas - means[..., None]) ** 2).sum(axis=-1)
    undefined = np.isnan(deltas).any(axis=-1)
    return np.where(~undefined & (variances == 0).any(axis=-1), np.inf, found)


def _scores_and_slopes(statistics: SegmentStatistics, sums: Floats) -> tuple[Floats, Floats]:
    """Scores of sums, (K, L, columns), and their derivatives in each sum, by central differences; 0 where a sum is 0.

    A column that sums to 0 is 0 in all units, and cannot change.
    """
    columns = sums.shape[-1]
    one = np.eye(columns)[:, None, None]
    factors = 1 + RELATIVE_STEP * np.concatenate([np.zeros_like(one[:1]), one, -one])
    scores, higher, lower = np.split(statistics.score(sums * factors), [1, 1 + columns])  # in one call, which is faster
    slopes = np.moveaxis(higher - lower, 0, -1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return scores[0], np.where(sums == 0, 0.0, slopes / (2 * RELATIVE_STEP * sums))
