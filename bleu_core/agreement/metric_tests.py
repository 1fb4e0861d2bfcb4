"""Tests of which of two metrics agrees better with judges, and rankings of metrics.

Both metrics score the same systems and are compared with the same ratings, so that their correlations are dependent;
Williams' test and PERM-BOTH take that into account. For all scores, higher is better.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Literal

import numpy as np
import numpy.typing as npt

from bleu_core.agreement.correlation import MIN_ENTRIES, ROUNDING_ERROR
from bleu_core.agreement.permuted_accuracy import SwappedPairs, swapped_pairs
from bleu_core.agreement.permuted_order import SwappedOrder, SwappedRanks, swapped_order
from bleu_core.agreement.permuted_pairs import SwappedPoints
from bleu_core.agreement.permuted_products import SwappedProducts, swapped_products
from bleu_core.agreement.segment_agreement import (
    METHODS,
    Grouping,
    TestedMethod,
    calibrated_accuracy,
    grouped,
    mean_of_groups,
    row_coefficients,
)
from bleu_core.arrays import Floats
from bleu_core.dataset import RatedSegments
from bleu_core.fields import field, result
from bleu_core.inference import ALPHA, DECIMALS, SEED, TOLERANCE, Correction, adjust, significant, t_probability
from bleu_core.processes import Processes, number_of_workers
from bleu_core.progress import Progress, offset_progress, scaled_progress

MetricTest = Literal["williams", "perm-both"]
Alternative = Literal["two-sided", "greater"]

#: Statistic by which metrics are ranked: that of a test, or soft pairwise accuracy of systems.
RankingMethod = TestedMethod | Literal["spa"]
RANKING_METHODS: tuple[RankingMethod, ...] = (*METHODS, "acc-eq", "spa")

TRIALS = 1000

#: Approximate number of cells of swapped scores per batch.
BATCH_CELLS = 1_000_000

#: Number of swaps of all pairs of metrics from which on several processes share them: a few seconds of work.
MIN_SHARED_SWAPS = 200_000_000

_Statistic = Callable[[Floats, Floats], Floats]


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricDifference:
    """The difference between two metrics' agreement with the same ratings.

    Attributes:
        test: the test.
        method: of the coefficients.
        grouping: groups over which the coefficients are averaged; "none" for systems.
        first, second: the coefficients; NaN if undefined.
        statistic: Williams' t; NaN for permutations.
        degrees_of_freedom: of t; 0 for permutations.
        p_value: two-sided; NaN if it is undefined.
        p_greater: one-sided, small if the first metric agrees better.
        entries: number of systems, or of (system, segment), with scores of both metrics and ratings.
        trials: number of permutations; 0 for Williams' test.
        reason: why p is undefined; empty if it is defined.
    """

    test: MetricTest
    method: TestedMethod
    grouping: Grouping
    first: float
    second: float
    statistic: float
    degrees_of_freedom: int
    p_value: float
    p_greater: float
    entries: int
    trials: int
    reason: str = ""

    @property
    def delta(self) -> float:
        """First minus second coefficient."""
        return self.first - self.second


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SwappedDifferences:
    """Differences between two metrics' agreement with the same ratings under random swaps of their scores.

    Attributes:
        first, second: observed agreement of each metric; NaN if undefined.
        deltas: (trials,) first minus second after the swaps of each trial, NaN if undefined; (0,) with a reason.
        entries: number of systems, or of (system, segment), with the scores that are swapped.
        reason: why the two cannot be compared; empty if they can.
    """

    first: float
    second: float
    deltas: Floats
    entries: int
    reason: str = ""

    @property
    def delta(self) -> float:
        """The observed difference, first minus second."""
        return self.first - self.second


@result
class MetricRanking:
    """Metrics ranked by agreement with judges.

    Attributes:
        method, grouping, test: as in MetricDifference.
        metrics: M names, best agreement first, ties by name.
        coefficients: (M,).
        p_values: (M, M) two-sided and symmetric, or, for the alternative "greater", of "row agrees better than
            column", above the diagonal only; NaN on the diagonal and if undefined.
        p_values_adjusted: (M, M) corrected for the number of pairs.
        ranks: (M,) the cluster of each metric, from 1.
        alternative: of the tests between metrics.
        excluded: (name, reason) of metrics without a coefficient.
        rated: how many segments of the systems are rated; None if that is unknown.
    """

    method: RankingMethod = field("text", "Coefficient by which metrics are ranked.")
    grouping: Grouping = field(
        "text", "Whether there is one coefficient of all segments, or coefficients averaged over segments or systems."
    )
    test: MetricTest = field("text", "Test that compares two metrics.")
    correction: Correction = field("text", "Correction of p-values for the number of pairs.")
    alpha: float = field("fraction", "Significance level.")
    entries: int = field(
        "count", "Number of systems, or of translated segments, from which the coefficients are computed."
    )
    metrics: tuple[str, ...]
    coefficients: Floats
    p_values: Floats
    p_values_adjusted: Floats
    ranks: npt.NDArray[np.int64]
    alternative: Alternative
    excluded: tuple[tuple[str, str], ...] = ()
    rated: RatedSegments | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Metric:
    """A metric with standardised scores.

    Attributes:
        scores: (G, n) with one row per group; NaN if missing.
        coefficient: its agreement with ratings; NaN if undefined.
    """

    scores: Floats
    coefficient: float

    @classmethod
    def of(cls, scores: Floats, human: Floats, method: TestedMethod) -> _Metric:
        """Standardise scores (G, n), and compare them with ratings with the same missing values."""
        scores = standardised(scores)
        return cls(scores=scores, coefficient=float(_statistic(method)(scores[None], human)[0]))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Pair:
    """Two metrics whose agreement is compared under random swaps.

    Attributes:
        first, second: metrics with scores of the same entries.
        human: (G, n) ratings of these entries; NaN if missing.
        method, trials, seed: as in perm_both.
    """

    first: _Metric
    second: _Metric
    human: Floats
    method: TestedMethod
    trials: int
    seed: int

    def differences(self, progress: Progress | None) -> SwappedDifferences:
        """Return the differences; progress is called with the number of trials that are done and that of all."""
        a, b, h = self.first.scores, self.second.scores, self.human
        entries = int(np.isfinite(h).sum())
        reason = _undefined(self.first.coefficient, self.second.coefficient, entries)
        batches = [np.zeros(0)]
        prepared = None if reason else _prepared(a, b, h, self.method)
        statistic = _statistic(self.method)
        for done, swapped in random_swaps(h.shape, 0 if reason else self.trials, self.seed):
            if prepared:
                batches.append(prepared.deltas(swapped))
            else:
                batches.append(statistic(np.where(swapped, b, a), h) - statistic(np.where(swapped, a, b), h))
            if progress:
                progress(done, self.trials)
        if reason and progress:
            progress(self.trials, self.trials)
        return SwappedDifferences(
            first=self.first.coefficient,
            second=self.second.coefficient,
            deltas=np.concatenate(batches),
            entries=entries,
            reason=reason,
        )


def williams(first: Floats, second: Floats, human: Floats) -> MetricDifference:
    """Test whether two metrics' Pearson correlations with the same ratings of systems differ.

    Args:
        first: (K,) scores of systems; systems without both scores and a rating are ignored.
        second: (K,) scores by the other metric.
        human: (K,) ratings.

    Source:
        Williams (1959); Graham and Baldwin (2014), D14-1020; the one-sided p of mt-metrics-eval is
        p_greater if the first metric agrees better.
    """
    (a,), (b,), (h,) = _rows(first, second, human, "none")
    a, b, h = (values[np.isfinite(a)] for values in (a, b, h))
    n = len(h)
    r_a, r_b, r_ab = (float(row_coefficients(x[None], y[None], "pearson")[0]) for x, y in ((a, h), (b, h), (a, b)))
    reason = _undefined(r_a, r_b, n)
    if not reason and abs(r_ab) == 1 and math.isclose(r_a, r_b, abs_tol=ROUNDING_ERROR):
        reason = "one metric is a rescaled copy of the other"
    statistic = math.nan if reason else _williams_t(r_a, r_b, r_ab, n)
    if not reason and math.isnan(statistic):
        reason = "both metrics correlate perfectly with the ratings"
    greater = two_sided = math.nan
    if not reason:
        greater = t_probability(-statistic, n - 3)
        two_sided = 2 * t_probability(-abs(statistic), n - 3)
    degrees = max(n - 3, 0)
    return MetricDifference(
        test="williams",
        method="pearson",
        grouping="none",
        first=r_a,
        second=r_b,
        statistic=statistic,
        degrees_of_freedom=degrees,
        p_value=two_sided,
        p_greater=greater,
        entries=n,
        trials=0,
        reason=reason,
    )


def perm_both(
    first: Floats,
    second: Floats,
    human: Floats,
    method: TestedMethod = "pearson",
    grouping: Grouping = "none",
    *,
    trials: int = TRIALS,
    seed: int = SEED,
    progress: Progress | None = None,
) -> MetricDifference:
    """Test by permutation whether two metrics agree equally well with the same ratings.

    Both metrics are standardised over all their scores; then in each trial each score, of a system or of a system's
    segment, is swapped between them at random.

    At the 5 % level, the test rejects 5 % of pairs of equally good metrics, but 7 % for Pearson's r over 10 to 15
    systems with strong correlations (r = .9), for which williams rejects 5 % (tests/agreement/test_calibration.py).

    Args:
        first: (K,) scores of systems, or (K, S) of segments; entries without both scores and a rating are ignored.
        second: scores by the other metric, of the same shape.
        human: ratings of the same shape.
        method: the coefficient, or "acc-eq", the tie-calibrated accuracy, whose threshold is optimised in each trial.
        grouping: of the entries, at segment level.
        trials: number of permutations; p counts those that equal the observed difference, and the observed one itself.
        seed: of the swaps.
        progress: called with the number of trials that are done and the number of all.

    Returns:
        p_value from |delta|, p_greater from delta. The p of "metric 2 is better" in mt-metrics-eval is p_greater of
        (metric 2, metric 1), except that here the observed difference counts, so that p is never 0.

    Raises:
        ValueError: the shapes differ.

    Source:
        Deutsch, Dror and Roth (2021), arXiv 2104.00054 (PERM-BOTH); mt-metrics-eval, stats.py,
        PermutationSigDiff.
    """
    differences = swapped_differences(
        first, second, human, method=method, grouping=grouping, trials=trials, seed=seed, progress=progress
    )
    two_sided, greater = _p_values(differences)
    return MetricDifference(
        test="perm-both",
        method=method,
        grouping=grouping,
        first=differences.first,
        second=differences.second,
        statistic=math.nan,
        degrees_of_freedom=0,
        p_value=two_sided,
        p_greater=greater,
        entries=differences.entries,
        trials=int((~np.isnan(differences.deltas)).sum()),
        reason=differences.reason,
    )


def swapped_differences(
    first: Floats,
    second: Floats,
    human: Floats,
    *,
    method: TestedMethod,
    grouping: Grouping,
    trials: int = TRIALS,
    seed: int = SEED,
    progress: Progress | None = None,
) -> SwappedDifferences:
    """Return the differences of two metrics' coefficients under random swaps, from which perm_both computes p.

    The arguments are those of perm_both.

    Raises:
        ValueError: the shapes differ.
    """
    a, b, h = _rows(first, second, human, grouping)
    pair = _Pair(
        first=_Metric.of(a, h, method),
        second=_Metric.of(b, h, method),
        human=h,
        method=method,
        trials=trials,
        seed=seed,
    )
    return pair.differences(progress)


def swap_p_values(delta: float, deltas: Floats) -> tuple[float, float]:
    """Return the two-sided p and the p of "the first is better" of a permutation test.

    Args:
        delta: the observed difference, first minus second; it counts as one more trial, so that p is never 0.
        deltas: (trials,) the differences after the swaps of each trial; NaN is ignored.
    """
    deltas = deltas[~np.isnan(deltas)]  # without trials in which no group has a coefficient
    n_extreme = int((np.abs(deltas) >= abs(delta) - TOLERANCE).sum())
    n_greater = int((deltas >= delta - TOLERANCE).sum())
    return (n_extreme + 1) / (len(deltas) + 1), (n_greater + 1) / (len(deltas) + 1)


def _prepared(
    a: Floats, b: Floats, h: Floats, method: TestedMethod
) -> SwappedPairs | SwappedProducts | SwappedOrder | SwappedPoints | SwappedRanks | None:
    """Return the data for fast evaluation of many swaps; None if there are too many pairs."""
    if method == "acc-eq":
        return swapped_pairs(a, b, h)
    if method == "pearson":
        return swapped_products(a, b, h)
    return swapped_order(a, b, h, method)


def rank_metrics(
    metrics: Mapping[str, Floats],
    human: Floats,
    method: TestedMethod = "pearson",
    grouping: Grouping = "none",
    *,
    test: MetricTest = "perm-both",
    alternative: Alternative = "two-sided",
    correction: Correction = "holm",
    alpha: float = ALPHA,
    trials: int = TRIALS,
    seed: int = SEED,
    progress: Progress | None = None,
) -> MetricRanking:
    """Rank metrics by agreement with judges; metrics that do not differ significantly share a rank.

    All metrics are compared on the entries that all of them have. In the order of agreement, a metric starts a new
    cluster if some metric of the current cluster agrees significantly better.

    Args:
        metrics: name -> (K,) scores of systems, or (K, S) of segments.
        human: ratings of the same shape.
        method: as in perm_both; Williams' test supports only Pearson's r.
        grouping: as in perm_both.
        test: "perm-both" or "williams".
        alternative: "two-sided", or "greater", as in the WMT metrics task. As "greater" tests the higher of two
            coefficients, which is known only afterwards, it separates twice as many equally good metrics.
        correction: for the number of pairs; the metrics task uses "none".
        alpha: significance level of corrected p-values, a fraction.
        trials: number of permutations per pair.
        seed: of the swaps, the same for each pair.
        progress: called with the number of trials that are done and the number of all, over all pairs; Williams' test
            counts as one.

    Raises:
        ValueError: the shapes differ, or Williams' test is asked for anything but Pearson's r of systems.

    Source:
        The rule: mt-metrics-eval, data.py, AssignRanks; Freitag et al. (2022), 2022.wmt-1.2.
    """
    if test == "williams" and (method != "pearson" or human.ndim > 1):
        raise ValueError(f"{method} of shape {human.shape} found, pearson of systems expected (Williams' test)")
    comparable, excluded = _comparable(metrics, human, method, grouping)
    common = np.isfinite(human)
    for name in comparable:
        common &= np.isfinite(metrics[name])
    scores = {name: np.where(common, metrics[name], np.nan) for name in comparable}
    coefficient = {name: _coefficient(scores[name], human, method, grouping) for name in comparable}
    names = sorted(comparable, key=lambda name: (1 if math.isnan(coefficient[name]) else -coefficient[name], name))
    size = len(names)
    p_values = np.full((size, size), np.nan)
    pairs = list(combinations(range(size), 2))
    if test == "williams":
        by_pair = _williams_p_values([(scores[names[i]], scores[names[j]]) for i, j in pairs], human, progress)
    else:
        ratings = _rows(human, human, np.where(common, human, np.nan), grouping)[2]
        tested = [_Metric.of(_rows(scores[name], scores[name], human, grouping)[0], ratings, method) for name in names]
        draws = partial(_Pair, human=ratings, method=method, trials=trials, seed=seed)
        by_pair = _permutation_p_values([draws(first=tested[i], second=tested[j]) for i, j in pairs], progress)
    for position, (two_sided, greater) in by_pair:
        p_values[pairs[position]] = two_sided if alternative == "two-sided" else greater
    upper = np.triu_indices(size, k=1)
    return ranked(
        {name: coefficient[name] for name in names},
        p_values[upper],
        method=method,
        grouping=grouping,
        test=test,
        alternative=alternative,
        correction=correction,
        alpha=alpha,
        entries=int(common.sum()),
        excluded=excluded,
    )


def ranked(
    coefficient: Mapping[str, float],
    p_of_pairs: Floats,
    *,
    method: RankingMethod,
    grouping: Grouping = "none",
    test: MetricTest = "perm-both",
    alternative: Alternative = "two-sided",
    correction: Correction,
    alpha: float,
    entries: int,
    excluded: tuple[tuple[str, str], ...],
) -> MetricRanking:
    """Correct the p-values of all pairs of metrics, and divide the metrics into clusters.

    Args:
        coefficient: metric -> its coefficient, best first.
        p_of_pairs: p-values of the pairs, in the order of itertools.combinations.
        method: name of the coefficient.
        grouping: as in MetricRanking.
        test: as in MetricRanking.
        alternative: as in MetricRanking.
        correction: for the number of pairs.
        alpha: significance level of corrected p-values, a fraction.
        entries: as in MetricRanking.
        excluded: (name, reason) of metrics without a coefficient.
    """
    upper = np.triu_indices(len(coefficient), k=1)
    p_values, adjusted = (np.full((len(coefficient),) * 2, np.nan) for _ in range(2))
    p_values[upper], adjusted[upper] = p_of_pairs, adjust(p_of_pairs, correction)
    ranks = rank_clusters(adjusted, alpha)
    if alternative == "two-sided":
        for matrix in (p_values, adjusted):
            matrix.T[upper] = matrix[upper]
    return MetricRanking(
        test=test,
        method=method,
        grouping=grouping,
        metrics=tuple(coefficient),
        coefficients=np.array(list(coefficient.values())),
        p_values=p_values,
        p_values_adjusted=adjusted,
        ranks=ranks,
        alternative=alternative,
        correction=correction,
        alpha=alpha,
        entries=entries,
        excluded=excluded,
    )


def rank_clusters(p_values: Floats, alpha: float = ALPHA) -> npt.NDArray[np.int64]:
    """Return the cluster of each metric, from 1.

    A metric starts a new cluster if any metric of the current cluster is significantly better (p < alpha).

    Args:
        p_values: (M, M), metrics in the order of agreement, best first; above the diagonal p of "row agrees better than
            column". Undefined p-values are not significant.
        alpha: significance level, a fraction.

    Source:
        mt-metrics-eval, data.py, AssignRanks.
    """
    ranks = np.ones(len(p_values), np.int64)
    start = 0
    for i in range(1, len(p_values)):
        is_worse = bool(significant(p_values[start:i, i], alpha).any())
        start = i if is_worse else start
        ranks[i] = ranks[i - 1] + is_worse
    return ranks


def _p_values(differences: SwappedDifferences) -> tuple[float, float]:
    """Return what swap_p_values returns; NaN if the metrics cannot be compared."""
    if differences.reason:
        return math.nan, math.nan
    return swap_p_values(differences.delta, differences.deltas)


def _williams_p_values(
    pairs: Sequence[tuple[Floats, Floats]], human: Floats, progress: Progress | None
) -> Iterator[tuple[int, tuple[float, float]]]:
    """Yield the position of each pair of metrics, and its p-values, two-sided and of "the first is better"."""
    for position, (first, second) in enumerate(pairs):
        difference = williams(first, second, human)
        yield position, (difference.p_value, difference.p_greater)
        if progress:
            progress(position + 1, len(pairs))


def _permutation_p_values(
    pairs: Sequence[_Pair], progress: Progress | None
) -> Iterator[tuple[int, tuple[float, float]]]:
    """Yield what _williams_p_values yields, in any order; several processes share the work if it is much."""
    trials = sum(pair.trials for pair in pairs)
    swaps = sum(pair.trials * pair.human.size for pair in pairs)
    workers = min(number_of_workers(heavy=swaps >= MIN_SHARED_SWAPS), len(pairs))
    if workers > 1:
        report = scaled_progress(progress, 0, trials, trials)
        with Processes(workers) as run:
            yield from run(_pair_p_values, pairs, total=len(pairs), progress=report)
        return
    for position, pair in enumerate(pairs):
        yield position, _pair_p_values(pair, offset_progress(progress, position * pair.trials, trials))


def _pair_p_values(pair: _Pair, progress: Progress | None = None) -> tuple[float, float]:
    return _p_values(pair.differences(progress))


def _williams_t(r_a: float, r_b: float, r_ab: float, n: int) -> float:
    determinant = max(1 - r_a**2 - r_b**2 - r_ab**2 + 2 * r_a * r_b * r_ab, 0.0)
    mean = (r_a + r_b) / 2
    variance = 2 * determinant * (n - 1) / (n - 3) + mean**2 * (1 - r_ab) ** 3
    # As 1 - r_ab and the difference tend to 0, so does the variance.
    if variance <= ROUNDING_ERROR**2:
        return math.nan
    return (r_a - r_b) * math.sqrt((n - 1) * (1 + r_ab) / variance)


def _undefined(first: float, second: float, entries: int) -> str:
    """Return why the coefficients cannot be compared; empty if they can."""
    if entries <= MIN_ENTRIES:
        return f"{entries} entries with all three scores, at least {MIN_ENTRIES + 1} needed"
    if math.isnan(first) or math.isnan(second):
        subject = "both metrics" if math.isnan(first) and math.isnan(second) else "one metric"
        return f"the coefficient of {subject} is undefined: constant scores or ratings"
    return ""


def _rows(first: Floats, second: Floats, human: Floats, grouping: Grouping) -> tuple[Floats, Floats, Floats]:
    """Return the three scores with one row per group; NaN if one of them is missing."""
    if not first.shape == second.shape == human.shape:
        raise ValueError(f"shapes {first.shape}, {second.shape} and {human.shape} found, three equal shapes expected")
    if human.ndim == 1:  # systems: one row for any grouping
        first, second, human, grouping = first[None], second[None], human[None], "none"
    present = np.isfinite(first) & np.isfinite(second)
    human = np.where(present, human, np.nan)
    (a, h), (b, _) = grouped(first, human, grouping), grouped(second, human, grouping)
    return a, b, h


def standardised(scores: Floats) -> Floats:
    """Return z-scores over all scores, rounded, so that equal scores stay equal; constant scores are only rounded."""
    known = scores[np.isfinite(scores)]
    if len(known) and np.ptp(known) > 0:
        scores = (scores - known.mean()) / known.std()
    return scores.round(DECIMALS)


def random_swaps(shape: tuple[int, ...], trials: int, seed: int) -> Iterator[tuple[int, npt.NDArray[np.bool_]]]:
    """Yield the number of trials after each batch, and its swaps, (trials of the batch, rows, n)."""
    generator = np.random.default_rng(seed)
    size = max(1, BATCH_CELLS // max(math.prod(shape), 1))
    for start in range(0, trials, size):
        rows = min(size, trials - start)
        yield start + rows, generator.random((rows, *shape), np.float32) < 1 / 2


def _statistic(method: TestedMethod) -> _Statistic:
    """Return the function from scores (trials, rows, n) and ratings (rows, n) to coefficients (trials,)."""

    def mean_coefficients(scores: Floats, human: Floats) -> Floats:
        if method == "acc-eq":  # rows are groups already
            return np.array([calibrated_accuracy(trial, human, "system").accuracy for trial in scores])
        trials, groups, size = scores.shape
        shape = trials * groups, size
        ratings = np.broadcast_to(human, scores.shape).reshape(shape)
        coefficients = row_coefficients(scores.reshape(shape), ratings, method).reshape(trials, groups)
        return mean_of_groups(coefficients.T)

    return mean_coefficients


def _coefficient(scores: Floats, human: Floats, method: TestedMethod, grouping: Grouping) -> float:
    a, _, h = _rows(scores, scores, human, grouping)
    return float(_statistic(method)(a[None], h)[0])


def _comparable(
    metrics: Mapping[str, Floats], human: Floats, method: TestedMethod, grouping: Grouping
) -> tuple[list[str], tuple[tuple[str, str], ...]]:
    """Return the metrics that have a coefficient, and the others with the reason."""
    comparable: list[str] = []
    excluded: list[tuple[str, str]] = []
    for name, scores in metrics.items():
        entries = int((np.isfinite(scores) & np.isfinite(human)).sum())
        if entries <= MIN_ENTRIES:
            excluded.append((name, f"{entries} entries with both scores, at least {MIN_ENTRIES + 1} needed"))
        elif math.isnan(_coefficient(scores, human, method, grouping)):
            excluded.append((name, "the coefficient is undefined: constant scores or ratings"))
        else:
            comparable.append(name)
    return comparable, tuple(excluded)
