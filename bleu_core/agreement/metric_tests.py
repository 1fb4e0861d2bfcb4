"""Which of two metrics agrees better with the judges, and a ranking of many.

Both metrics score the same systems and are compared with the same ratings, so that their correlations depend on each
other; Williams' test and PERM-BOTH take that into account. All scores are higher-is-better.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
import numpy.typing as npt

from bleu_core.agreement.correlation import MINIMUM_PAIRS, NEARLY
from bleu_core.agreement.permuted_accuracy import SwappedPairs, swapped_pairs
from bleu_core.agreement.permuted_order import SwappedOrder, SwappedRanks, swapped_order
from bleu_core.agreement.permuted_products import SwappedProducts, swapped_products
from bleu_core.agreement.segment_agreement import (
    Grouping,
    TestedMethod,
    calibrated_accuracy,
    grouped,
    mean_of_groups,
    row_coefficients,
)
from bleu_core.arrays import Floats
from bleu_core.dataset import RatedSegments
from bleu_core.inference import ALPHA, DECIMALS, SEED, TOLERANCE, Correction, adjust, significant
from bleu_core.progress import Progress, offset_progress

MetricTest = Literal["williams", "perm-both"]
Alternative = Literal["two-sided", "greater"]

TRIALS = 1000

#: About as many cells of swapped scores are made at once.
BATCH_CELLS = 1_000_000

_Statistic = Callable[[Floats, Floats], Floats]


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricDifference:
    """Two metrics' agreement with the same ratings.

    Attributes:
        test: which.
        method: of the coefficients.
        grouping: what the coefficients are averaged over; "none" of systems.
        first, second: the coefficients; NaN where one is undefined.
        statistic: Williams' t; NaN of a permutation, which has none.
        degrees_of_freedom: of t; 0 of a permutation.
        p_value: two-sided; NaN where it is undefined.
        p_greater: one-sided, small where the first metric agrees better.
        entries: systems, or (system, segment), with both metrics' and people's scores.
        trials: of the permutation; 0 of Williams' test.
        reason: why p is undefined, else empty.
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
        """The first coefficient less the second."""
        return self.first - self.second


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricRanking:
    """Metrics by their agreement with people.

    Attributes:
        test, method, grouping: as in MetricDifference.
        metrics: M names, the one that agrees best first, equal ones by name.
        coefficients: (M,).
        p_values: (M, M) of "row agrees better than column" if greater was asked for, else two-sided and symmetric;
            NaN on the diagonal and where undefined; one-sided p stand above the diagonal only.
        p_values_adjusted: (M, M) corrected for the number of pairs.
        ranks: (M,) the cluster of each metric, from 1.
        alternative, correction, alpha: of the tests between metrics.
        entries: what all of them were compared on.
        excluded: (name, reason) of metrics without a coefficient.
        rated: how many segments of the systems are rated; None where that is not known.
    """

    test: MetricTest
    method: TestedMethod
    grouping: Grouping
    metrics: tuple[str, ...]
    coefficients: Floats
    p_values: Floats
    p_values_adjusted: Floats
    ranks: npt.NDArray[np.int64]
    alternative: Alternative
    correction: Correction
    alpha: float
    entries: int
    excluded: tuple[tuple[str, str], ...] = ()
    rated: RatedSegments | None = None


def williams(first: Floats, second: Floats, human: Floats) -> MetricDifference:
    """Test whether two metrics' Pearson correlations with the same ratings of systems differ.

    Args:
        first: (K,) scores of systems; systems that lack one of the three are left out.
        second: (K,) of the other metric.
        human: (K,) ratings.

    Source:
        Williams (1959); Graham and Baldwin (2014), D14-1020; one-sided p in mt-metrics-eval is our
        p_greater where the first metric agrees better.
    """
    (a,), (b,), (h,) = _rows(first, second, human, "none")
    a, b, h = (values[np.isfinite(a)] for values in (a, b, h))
    n = len(h)
    r_a, r_b, r_ab = (float(row_coefficients(x[None], y[None], "pearson")[0]) for x, y in ((a, h), (b, h), (a, b)))
    reason = _undefined(r_a, r_b, n)
    if not reason and abs(r_ab) == 1 and math.isclose(r_a, r_b, abs_tol=NEARLY):
        reason = "one metric is a rescaled copy of the other"
    statistic = math.nan if reason else _williams_t(r_a, r_b, r_ab, n)
    if not reason and math.isnan(statistic):
        reason = "both metrics correlate perfectly with the ratings"
    greater = two_sided = math.nan
    if not reason:
        from scipy import special  # loaded when first needed: it costs more than scoring

        greater = float(special.stdtr(n - 3, -statistic))
        two_sided = 2 * float(special.stdtr(n - 3, -abs(statistic)))
    freedom = max(n - 3, 0)
    return MetricDifference(
        test="williams",
        method="pearson",
        grouping="none",
        first=r_a,
        second=r_b,
        statistic=statistic,
        degrees_of_freedom=freedom,
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

    Both metrics are standardised over all their scores, to be on one scale; then in each trial each score, of a
    system or of a system's segment, is swapped between them at random.

    Of equal metrics it tells 5 % apart at the 5 % level, but 7 % of pairs by Pearson's r of 10 to 15 systems that both
    follow closely (r = .9), where williams keeps to 5 % (tests/agreement/test_calibration.py).

    Args:
        first: (K,) scores of systems, or (K, S) of segments; entries that lack one of the three are left out.
        second: of the other metric, of the same shape.
        human: ratings of the same shape.
        method: of the coefficient, or "acc-eq", the tie-calibrated accuracy, whose threshold each trial finds anew.
        grouping: of the entries, at segment level.
        trials: how many; trials that equal the observed difference count, and so does that itself.
        seed: of the swaps.
        progress: told, now and then, how many trials of how many are done.

    Returns:
        p_value from |delta|, p_greater from delta; mt-metrics-eval's p of "metric 2 is better" is p_greater of
        (metric 2, metric 1) but for counting the observed difference, which keeps ours from 0.

    Raises:
        ValueError: the shapes differ.

    Source:
        Deutsch, Dror and Roth (2021), arXiv 2104.00054 (PERM-BOTH); mt-metrics-eval, stats.py,
        PermutationSigDiff.
    """
    a, b, h = _rows(first, second, human, grouping)
    a, b = (_standardised(scores).round(DECIMALS) for scores in (a, b))  # equal scores stay equal
    entries = int(np.isfinite(h).sum())
    statistic = _statistic(method)
    of_a, of_b = float(statistic(a[None], h)[0]), float(statistic(b[None], h)[0])
    reason = _undefined(of_a, of_b, entries)
    nan = math.nan
    if reason:
        return MetricDifference(
            test="perm-both",
            method=method,
            grouping=grouping,
            first=of_a,
            second=of_b,
            statistic=nan,
            degrees_of_freedom=0,
            p_value=nan,
            p_greater=nan,
            entries=entries,
            trials=0,
            reason=reason,
        )
    delta = of_a - of_b
    found: list[Floats] = []
    pairs = _prepared(a, b, h, method)
    for done, swapped in _swaps(h.shape, trials, seed):
        if pairs:
            found.append(pairs.deltas(swapped))
        else:
            found.append(statistic(np.where(swapped, b, a), h) - statistic(np.where(swapped, a, b), h))
        if progress:
            progress(done, trials)
    deltas = np.concatenate(found)
    deltas = deltas[~np.isnan(deltas)]  # trials in which no group has a coefficient
    as_far = int((np.abs(deltas) >= abs(delta) - TOLERANCE).sum())
    as_great = int((deltas >= delta - TOLERANCE).sum())
    two_sided, greater = ((count + 1) / (len(deltas) + 1) for count in (as_far, as_great))
    return MetricDifference(
        test="perm-both",
        method=method,
        grouping=grouping,
        first=of_a,
        second=of_b,
        statistic=nan,
        degrees_of_freedom=0,
        p_value=two_sided,
        p_greater=greater,
        entries=entries,
        trials=len(deltas),
        reason="",
    )


def _prepared(
    a: Floats, b: Floats, h: Floats, method: TestedMethod
) -> SwappedPairs | SwappedProducts | SwappedOrder | SwappedRanks | None:
    """What makes many swaps fast, where there is such a thing and the pairs are not too many."""
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
    """Rank metrics by agreement with the judges; metrics that do not differ significantly share a rank.

    All are compared on the entries that every one of them has. Going down the order, a metric opens the next cluster
    when some metric of the current one agrees significantly better than it does.

    Args:
        metrics: name -> (K,) scores of systems, or (K, S) of segments.
        human: ratings of the same shape.
        method: as in perm_both; Williams' test takes Pearson's r only.
        grouping: as in perm_both.
        test: "perm-both" or "williams".
        alternative: "two-sided", or "greater" as in the WMT metrics task: that the higher of two coefficients is so
            by chance. Since the higher one is chosen after the fact, "greater" separates twice as many by chance.
        correction: for the number of pairs; the metrics task makes "none".
        alpha: below which a corrected p is significant, a fraction.
        trials: of each permutation.
        seed: of the swaps, the same for each pair.
        progress: told, now and then, how many trials of how many are done, of all pairs together; Williams' test
            counts as one.

    Raises:
        ValueError: a shape differs, or Williams' test is asked for something else than Pearson's r of systems.

    Source:
        The rule: mt-metrics-eval, data.py, AssignRanks; Freitag et al. (2022), 2022.wmt-1.2.
    """
    if test == "williams" and (method != "pearson" or human.ndim > 1):
        raise ValueError(f"{method} of shape {human.shape} found, pearson of systems expected (Williams' test)")
    kept, excluded = _comparable(metrics, human, method, grouping)
    common = np.isfinite(human)
    for name in kept:
        common &= np.isfinite(metrics[name])
    scores = {name: np.where(common, metrics[name], np.nan) for name in kept}
    coefficient = {name: _coefficient(scores[name], human, method, grouping) for name in kept}
    names = sorted(kept, key=lambda name: (-coefficient[name] if coefficient[name] == coefficient[name] else 1, name))
    size = len(names)
    p_values = np.full((size, size), np.nan)
    pairs = list(combinations(range(size), 2))
    steps = 1 if test == "williams" else trials
    for before, (i, j) in enumerate(pairs):
        a, b = scores[names[i]], scores[names[j]]
        told = offset_progress(progress, before * steps, len(pairs) * steps)
        if test == "williams":
            found = williams(a, b, human)
        else:
            found = perm_both(
                a, b, human=human, method=method, grouping=grouping, trials=trials, seed=seed, progress=told
            )
        p_values[i, j] = found.p_value if alternative == "two-sided" else found.p_greater
        if told and not found.trials:  # a permutation told of its own
            told(steps, steps)
    upper = np.triu_indices(size, k=1)
    adjusted = np.full_like(p_values, np.nan)
    adjusted[upper] = adjust(p_values[upper], correction)
    ranks = rank_clusters(adjusted, alpha)
    if alternative == "two-sided":
        for matrix in (p_values, adjusted):
            matrix.T[upper] = matrix[upper]
    return MetricRanking(
        test=test,
        method=method,
        grouping=grouping,
        metrics=tuple(names),
        coefficients=np.array([coefficient[name] for name in names]),
        p_values=p_values,
        p_values_adjusted=adjusted,
        ranks=ranks,
        alternative=alternative,
        correction=correction,
        alpha=alpha,
        entries=int(common.sum()),
        excluded=excluded,
    )


def rank_clusters(p_values: Floats, alpha: float = ALPHA) -> npt.NDArray[np.int64]:
    """The cluster of each metric, from 1.

    A metric that any metric of the current cluster beats significantly (p < alpha) opens the next one.

    Args:
        p_values: (M, M), the metrics in the order of their agreement, best first; above the diagonal p of "row agrees
            better than column". What is undefined tells nothing apart.
        alpha: a fraction.

    Source:
        mt-metrics-eval, data.py, AssignRanks.
    """
    ranks = np.ones(len(p_values), np.int64)
    start = 0
    for i in range(1, len(p_values)):
        beaten = bool(significant(p_values[start:i, i], alpha).any())
        start = i if beaten else start
        ranks[i] = ranks[i - 1] + beaten
    return ranks


def _williams_t(r_a: float, r_b: float, r_ab: float, n: int) -> float:
    determinant = max(1 - r_a**2 - r_b**2 - r_ab**2 + 2 * r_a * r_b * r_ab, 0.0)
    mean = (r_a + r_b) / 2
    variance = 2 * determinant * (n - 1) / (n - 3) + mean**2 * (1 - r_ab) ** 3
    # As 1 - r_ab goes to 0 with the difference, so does the variance.
    if variance <= NEARLY**2:
        return math.nan
    return (r_a - r_b) * math.sqrt((n - 1) * (1 + r_ab) / variance)


def _undefined(first: float, second: float, entries: int) -> str:
    """Why the coefficients cannot be compared; empty when they can."""
    if entries <= MINIMUM_PAIRS:
        return f"{entries} entries with all three scores, at least {MINIMUM_PAIRS + 1} needed"
    if math.isnan(first) or math.isnan(second):
        which = "both metrics" if math.isnan(first) and math.isnan(second) else "one metric"
        return f"the coefficient of {which} is undefined: constant scores or ratings"
    return ""


def _rows(first: Floats, second: Floats, human: Floats, grouping: Grouping) -> tuple[Floats, Floats, Floats]:
    """The three scores as rows of groups, NaN where one of them is missing."""
    if not first.shape == second.shape == human.shape:
        raise ValueError(f"shapes {first.shape}, {second.shape} and {human.shape} found, three equal shapes expected")
    if human.ndim == 1:  # systems: one row, whatever segments would be grouped by
        first, second, human, grouping = first[None], second[None], human[None], "none"
    present = np.isfinite(first) & np.isfinite(second)
    human = np.where(present, human, np.nan)
    (a, h), (b, _) = grouped(first, human, grouping), grouped(second, human, grouping)
    return a, b, h


def _standardised(scores: Floats) -> Floats:
    """Less their mean, in standard deviations; constant ones stay as they are."""
    known = scores[np.isfinite(scores)]
    if not len(known) or np.ptp(known) == 0:
        return scores
    return (scores - known.mean()) / known.std()


def _swaps(shape: tuple[int, ...], trials: int, seed: int) -> Iterator[tuple[int, npt.NDArray[np.bool_]]]:
    """How many trials are done after this batch, and which scores it swaps, (trials of the batch, rows, n)."""
    generator = np.random.default_rng(seed)
    size = max(1, BATCH_CELLS // max(math.prod(shape), 1))
    for start in range(0, trials, size):
        rows = min(size, trials - start)
        yield start + rows, generator.random((rows, *shape), np.float32) < 1 / 2


def _statistic(method: TestedMethod) -> _Statistic:
    """The coefficient of each trial: scores (trials, rows, n) and ratings (rows, n) to (trials,)."""

    def averaged(scores: Floats, human: Floats) -> Floats:
        if method == "acc-eq":  # rows are groups already, as those of systems would be
            return np.array([calibrated_accuracy(trial, human, "system").accuracy for trial in scores])
        trials, groups, size = scores.shape
        rows = trials * groups, size
        ratings = np.broadcast_to(human, scores.shape).reshape(rows)
        found = row_coefficients(scores.reshape(rows), ratings, method).reshape(trials, groups)
        return mean_of_groups(found.T)

    return averaged


def _coefficient(scores: Floats, human: Floats, method: TestedMethod, grouping: Grouping) -> float:
    a, _, h = _rows(scores, scores, human, grouping)
    return float(_statistic(method)(a[None], h)[0])


def _comparable(
    metrics: Mapping[str, Floats], human: Floats, method: TestedMethod, grouping: Grouping
) -> tuple[list[str], tuple[tuple[str, str], ...]]:
    """The metrics that have a coefficient by themselves, and the others with the reason."""
    kept: list[str] = []
    excluded: list[tuple[str, str]] = []
    for name, scores in metrics.items():
        entries = int((np.isfinite(scores) & np.isfinite(human)).sum())
        if entries <= MINIMUM_PAIRS:
            excluded.append((name, f"{entries} entries with both scores, at least {MINIMUM_PAIRS + 1} needed"))
        elif math.isnan(_coefficient(scores, human, method, grouping)):
            excluded.append((name, "the coefficient is undefined: constant scores or ratings"))
        else:
            kept.append(name)
    return kept, tuple(excluded)
