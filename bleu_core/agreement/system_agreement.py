"""Agreement of a metric and judges on the order of systems, with intervals over systems and segments.

K systems, S segments; NaN if a score is missing. Three questions are distinguished. Does the agreement generalise to
other systems? bootstrap_systems gives an interval. To other text? stability gives the variation over segments. Which
systems determine it? leave_one_out and outliers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.agreement.correlation import MIN_ENTRIES
from bleu_core.agreement.segment_agreement import Method, row_coefficients
from bleu_core.arrays import Floats
from bleu_core.fields import REASON, Field, bounds, derived, field, inline, result
from bleu_core.inference import (
    CONFIDENCE,
    DECIMALS,
    SEED,
    TOLERANCE,
    Interval,
    bootstrap_weights,
    percentile_interval,
    resampled_deltas,
)
from bleu_core.scoring import SegmentStatistics

RESAMPLES = 5000
STABILITY_RESAMPLES = 1000
PERMUTATIONS = 1000

#: Factor from the median absolute deviation to the standard deviation of normal data.
MAD_TO_DEVIATION = 1.483

#: Robust deviations from the median beyond which a system is an outlier.
OUTLIER_CUTOFF = 2.5

LEVEL = f"{100 * CONFIDENCE:g}%"
UNDEFINED = Field("count", "Resamples in which the coefficient is undefined.")

#: Approximate number of cells of random signs or scores per batch.
BATCH_CELLS = 2_000_000

Mask = npt.NDArray[np.bool_]


@result
class SoftPairwiseAccuracy:
    """Soft pairwise accuracy: agreement of a metric and judges in their certainty about pairs of systems.

    Attributes:
        value: 0 to 1; NaN without a pair.
        interval: if it was asked for.
        reason: why it is undefined; empty if it is defined.
    """

    value: float = field(
        "fraction",
        "1 minus the mean difference between the p-values of the metric and of the ratings, both of rated segments.",
    )
    interval: Interval = inline(
        bounds("fraction", f"{LEVEL} interval over systems"), default=Interval(math.nan, math.nan, CONFIDENCE)
    )
    pairs: int = field("count", "Pairs of systems.")
    reason: str = field(REASON, default="")


@result
class SystemsBootstrap:
    """A bootstrap interval of a coefficient over systems, which generalises to other systems.

    Attributes:
        method: of the coefficient.
        coefficient: of the observed systems; NaN if it is undefined.
        interval: of the coefficient in the population of systems; NaN if there is none.
        systems: number of systems.
        undefined: these resamples are ignored.
        reason: why there is no coefficient or no interval; empty if there are both.
    """

    method: Method
    coefficient: float
    interval: Interval = inline(bounds("number", f"{LEVEL} interval"))
    systems: int
    resamples: int = field("count", "Resamples of the systems.")
    undefined: int = field(UNDEFINED)
    reason: str = field(REASON, default="")


@result
class Stability:
    """The variation of a coefficient over resampled segments, which is not a confidence interval.

    Each resample adds sampling noise to both scores a second time, which attenuates a correlation: the median is below
    the observed coefficient, and the bounds need not cover the coefficient in the population of segments.

    Attributes:
        method: of the coefficient.
        coefficient: NaN if it is undefined.
        median, low, high: of the resampled coefficients; low and high are symmetric quantiles.
        share: of the coefficients between low and high.
        undefined: these resamples are ignored.
        reason: why it is undefined; empty if it is defined.
    """

    method: Method

    @derived("text", "The coefficient.", key="coefficient", only="table")
    def title(self) -> str:
        """The name of the coefficient."""
        return self.method.replace("-", " ")

    coefficient: float = field("number", "Value on all segments.", key="all_segments", only="table")
    median: float = field("number", "Median over resamples of the segments.")
    low: float = field("number", f"Lower end of the range of {LEVEL} of the resamples.")
    high: float = field("number", f"Upper end of the range of {LEVEL} of the resamples.")
    share: float
    resamples: int = field("count", "Resamples of the segments.")
    undefined: int = field(UNDEFINED, only="json")
    reason: str = field(REASON, default="")


@dataclass(frozen=True, slots=True, eq=False)
class LeaveOneOut:
    """A coefficient without each system in turn.

    Attributes:
        method: of the coefficient.
        coefficient: of all systems; NaN if it is undefined.
        without: (K,) the coefficient without each system; NaN if it is undefined.
        reason: why the coefficient is undefined; empty if it is defined.
    """

    method: Method
    coefficient: float
    without: Floats
    reason: str = ""

    @property
    def changes(self) -> Floats:
        """Changes of the coefficient (K,) without each system."""
        return self.without - self.coefficient


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outliers:
    """Outlying systems, so much better or worse than the others that they determine a correlation.

    Attributes:
        median: of the human scores.
        deviation: their median absolute deviation, scaled to a standard deviation; in the unit of the ratings.
        robust_scores: (K,) distance from the median in deviations; NaN if undefined.
        cutoff: absolute robust score beyond which a system is an outlier.
        reason: why there are no robust scores; empty if there are.
    """

    median: float
    deviation: float
    robust_scores: Floats
    cutoff: float
    reason: str = ""

    @property
    def indices(self) -> tuple[int, ...]:
        """Indices of the outliers."""
        return tuple(np.flatnonzero(np.abs(self.robust_scores) > self.cutoff).tolist())


def permutation_p_values(scores: Floats, *, permutations: int = PERMUTATIONS, seed: int = SEED) -> Floats:
    """Return the one-sided p-values of the permutation test for all pairs of systems.

    Args:
        scores: (K, S) of segments, higher is better; each pair is compared on the segments that both have.
        permutations: number of random swaps of the scores of each segment between the two systems.
        seed: of the swaps, which all pairs share; equal to those of the authors' program with the same seed, as only
            segments with scores have swaps.

    Returns:
        (K, K) one-sided p of "row better than column"; NaN on the diagonal and without a common segment. Permutations
        that equal the observed difference count half, so that p of a pair and of the reversed pair sum to 1, equal
        systems have 0.5, and the order of the systems does not matter. (The authors count them fully.)

    Source:
        Thompson et al. (2024), arXiv 2409.09598; mt-metrics-eval, pce.py.
    """
    scores = scores[:, np.isfinite(scores).any(axis=0)]
    systems, segments = scores.shape
    first, second = np.triu_indices(systems, k=1)
    differences = scores[first] - scores[second]
    common = np.isfinite(differences).any(axis=1)
    differences = np.where(np.isfinite(differences), differences, 0)
    observed = differences.sum(axis=1)
    tolerance = TOLERANCE * np.abs(differences).sum(axis=1)  # sums in another order differ by rounding errors
    counts = np.zeros(len(first))
    generator = np.random.default_rng(seed)
    size = max(1, BATCH_CELLS // max(segments, len(first), 1))
    for start in range(0, permutations, size):
        uniform = generator.random(size=(min(size, permutations - start), segments), dtype=np.float32)
        counts += _count_exceeding(np.where(uniform > 1 / 2, 1.0, -1.0) @ differences.T, observed, tolerance)
    return _mirrored(np.where(common, counts / permutations, np.nan), systems)


def permutation_p_values_of_sums(
    table: SegmentStatistics, entries: Mask, *, permutations: int = PERMUTATIONS, seed: int = SEED
) -> Floats:
    """Return permutation_p_values for a score that is a function of sums, such as BLEU.

    Args:
        table: sums of K systems; if lower is better, p is of "row lower than column".
        entries: (K, S) whether a segment of a system counts; each pair is compared on the segments that count for both.
        permutations: number of random swaps.
        seed: of the swaps, which all pairs share that are compared on the same segments.
    """
    sign = 1 if table.higher_is_better else -1
    pairs_on: dict[bytes, list[tuple[int, int]]] = {}
    for a, b in zip(*(side.tolist() for side in np.triu_indices(len(table.systems), k=1)), strict=True):
        pairs_on.setdefault((entries[a] & entries[b]).tobytes(), []).append((a, b))
    upper = np.full(entries.shape[:1] * 2, np.nan)
    for common, pairs in pairs_on.items():
        segments = np.flatnonzero(np.frombuffer(common, np.bool_)).tolist()
        if not segments:
            continue
        on_common = table if len(segments) == table.segments else table.subset(segments)
        scores = sign * on_common.score(on_common.sums())
        observed = np.array([scores[a] - scores[b] for a, b in pairs])
        permuted = sign * resampled_deltas(on_common, pairs, "randomization", permutations, seed=seed)
        counts = _count_exceeding(permuted.T, observed, np.full(len(pairs), TOLERANCE))
        upper[tuple(np.transpose(pairs))] = np.where(np.isfinite(observed), counts / permutations, np.nan)
    return _mirrored(upper[np.triu_indices(len(table.systems), k=1)], len(table.systems))


def soft_pairwise_accuracy(
    metric: Floats, human: Floats, *, resamples: int | None = None, seed: int = SEED, confidence: float = CONFIDENCE
) -> SoftPairwiseAccuracy:
    """Compare the p-values of a metric with those of the ratings.

    Args:
        metric: (K, K) one-sided p-values, from permutation_p_values or permutation_p_values_of_sums.
        human: (K, K) one-sided p-values of the segments' mean ratings.
        resamples: number of resamples of systems for the interval; None for no interval.
        seed: of the resamples.
        confidence: level of the interval, a fraction.

    Source:
        Thompson et al. (2024), arXiv 2409.09598.
    """
    agreement = 1 - np.abs(metric - human)
    pairs = agreement[np.triu_indices(len(agreement), k=1)]
    pairs = pairs[~np.isnan(pairs)]
    if not len(pairs):
        return SoftPairwiseAccuracy(value=math.nan, pairs=0, reason="no pair of systems has both scores")
    value = float(pairs.mean())
    if resamples is None:
        return SoftPairwiseAccuracy(value=value, pairs=len(pairs))
    resampled = _pair_means(agreement, _draws(len(agreement), resamples, seed))
    return SoftPairwiseAccuracy(value=value, pairs=len(pairs), interval=percentile_interval(resampled, confidence))


def bootstrap_systems(
    metric: Floats,
    human: Floats,
    method: Method = "pearson",
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
) -> SystemsBootstrap:
    """Compute a bootstrap interval of a coefficient over systems.

    For Pearson's r, percentiles are expanded for the number of systems; without that, 95 % intervals for ten systems
    cover some 90 %. For ranks and pairs they are not, since a system drawn twice ties with itself, which widens the
    intervals already. With 10 to 30 systems, the intervals of r cover 94 to 97 % in normal and 92 to 96 % in
    heavy-tailed and skewed populations, where Fisher's cover 80 to 91 %; those of ranks and pairs cover 93 to 99 %, and
    are too wide for few systems with a clear order (tests/agreement/test_calibration.py). BCa and jackknife intervals
    covered no better.

    A system drawn twice forms no pair with itself. A perfect agreement has an interval for Pearson's r only: resampling
    cannot break a perfect order, although other systems could.

    Args:
        metric: (K,) scores of systems; systems without both scores are ignored.
        human: (K,) their ratings.
        method: of the coefficient.
        resamples: number of resamples.
        seed: of the resamples.
        confidence: level of the interval, a fraction.

    Source:
        Hesterberg (2015), What teachers should know about the bootstrap.
    """
    x, y, coefficient, reason = _observed(metric, human, method)
    if not reason and abs(coefficient) == 1 and method != "pearson":
        reason = "a perfect rank correlation has no interval"
    if not reason and method == "pairwise-accuracy" and coefficient == 0:
        reason = "a perfect rank correlation has no interval"  # the reversed order
    systems = len(x)
    undefined = Interval(math.nan, math.nan, confidence)
    if reason:
        return SystemsBootstrap(
            method=method,
            coefficient=coefficient,
            interval=undefined,
            systems=systems,
            resamples=0,
            undefined=0,
            reason=reason,
        )
    draws = _draws(systems, resamples, seed)
    if method == "pairwise-accuracy":
        is_agreeing = np.sign(x[:, None] - x) == np.sign(y[:, None] - y)
        resampled = _pair_means(is_agreeing.astype(np.float64), draws)
    else:
        resampled = row_coefficients(x[draws], y[draws], method)
    expanded_for = systems if method == "pearson" else None
    interval = percentile_interval(resampled, confidence, expanded_for=expanded_for)
    return SystemsBootstrap(
        method=method,
        coefficient=coefficient,
        interval=interval,
        systems=systems,
        resamples=resamples,
        undefined=int(np.isnan(resampled).sum()),
    )


def stability(
    metric: Floats | SegmentStatistics,
    human: Floats,
    method: Method = "pearson",
    *,
    resamples: int = STABILITY_RESAMPLES,
    seed: int = SEED,
    share: float = CONFIDENCE,
) -> Stability:
    """Resample segments, score the systems on them, and correlate.

    Args:
        metric: (K, S) segment scores, whose mean is the system's score; or a table of sums.
        human: (K, S) ratings of segments, whose mean is the system's rating.
        method: of the coefficient.
        resamples: number of resamples of S segments.
        seed: of the resamples.
        share: of the coefficients between low and high.
    """
    segments = human.shape[1]
    unit_weights = np.ones((1, segments))
    _, _, coefficient, reason = _observed(_scores(metric, unit_weights)[0], _scores(human, unit_weights)[0], method)
    if reason:
        return Stability(
            method=method,
            coefficient=coefficient,
            median=math.nan,
            low=math.nan,
            high=math.nan,
            share=share,
            resamples=0,
            undefined=0,
            reason=reason,
        )
    resampled = np.concatenate(
        [
            row_coefficients(_scores(metric, weights).round(DECIMALS), _scores(human, weights).round(DECIMALS), method)
            for weights in bootstrap_weights(segments, resamples, seed)
        ]
    )
    bounds = percentile_interval(resampled, share)
    undefined = int(np.isnan(resampled).sum())
    if undefined == resamples:
        reason = "the coefficient is undefined in every resample"
        return Stability(
            method=method,
            coefficient=coefficient,
            median=math.nan,
            low=math.nan,
            high=math.nan,
            share=share,
            resamples=resamples,
            undefined=undefined,
            reason=reason,
        )
    median = float(np.nanmedian(resampled))
    return Stability(
        method=method,
        coefficient=coefficient,
        median=median,
        low=bounds.low,
        high=bounds.high,
        share=share,
        resamples=resamples,
        undefined=undefined,
    )


def leave_one_out(metric: Floats, human: Floats, method: Method = "pearson") -> LeaveOneOut:
    """Compute the coefficient without each system in turn.

    Args:
        metric: (K,) scores of systems.
        human: (K,) their ratings.
        method: of the coefficient.
    """
    _, _, coefficient, reason = _observed(metric, human, method)
    systems = len(metric)
    left_out = np.eye(systems, dtype=np.bool_)
    x, y = (np.where(left_out, np.nan, np.round(scores, DECIMALS)) for scores in (metric, human))
    without = row_coefficients(x, y, method)
    has_enough = (np.isfinite(x) & np.isfinite(y)).sum(axis=1) >= MIN_ENTRIES
    return LeaveOneOut(method, coefficient, np.where(has_enough, without, np.nan), reason)


def outliers(human: Floats, *, cutoff: float = OUTLIER_CUTOFF) -> Outliers:
    """Find the systems with outlying mean ratings.

    Args:
        human: (K,) ratings of systems, or any score.
        cutoff: in robust deviations.

    Source:
        Mathur, Baldwin and Cohn (2020), 2020.acl-main.448; used since by the WMT metrics task.
    """
    undefined = np.full(len(human), np.nan)
    known = human[np.isfinite(human)]
    if len(known) < MIN_ENTRIES:
        return Outliers(
            median=math.nan, deviation=math.nan, robust_scores=undefined, cutoff=cutoff, reason=_too_few(len(known))
        )
    median = float(np.median(known))
    deviation = MAD_TO_DEVIATION * float(np.median(np.abs(known - median)))
    if round(deviation, DECIMALS) == 0:
        return Outliers(
            median=median,
            deviation=deviation,
            robust_scores=undefined,
            cutoff=cutoff,
            reason="more than half of the systems have the same score",
        )
    return Outliers(median=median, deviation=deviation, robust_scores=(human - median) / deviation, cutoff=cutoff)


def _observed(metric: Floats, human: Floats, method: Method) -> tuple[Floats, Floats, float, str]:
    """Return the rounded scores of systems that have both, their coefficient, and why there is none."""
    present = np.isfinite(metric) & np.isfinite(human)
    x, y = np.round(metric[present], DECIMALS), np.round(human[present], DECIMALS)
    if len(x) < MIN_ENTRIES:
        return x, y, math.nan, _too_few(len(x))
    coefficient = float(row_coefficients(x[None], y[None], method)[0])
    if not math.isnan(coefficient):
        return x, y, coefficient, ""
    constant = "all systems have the same score" if np.ptp(x) == 0 else "all systems have the same mean rating"
    return x, y, coefficient, constant


def _too_few(systems: int) -> str:
    return f"{systems} {'system' if systems == 1 else 'systems'}, at least {MIN_ENTRIES} needed"


def _draws(systems: int, resamples: int, seed: int) -> npt.NDArray[np.int64]:
    """Return resampled indices (resamples, K) of systems."""
    return np.random.default_rng(seed).integers(0, systems, size=(resamples, systems))


def _pair_means(values: Floats, draws: npt.NDArray[np.int64]) -> Floats:
    """Return the means of a matrix over pairs of drawn systems, without pairs of a system with itself."""
    systems = len(values)
    rows = np.arange(len(draws))[:, None] * systems
    weights = np.bincount((draws + rows).ravel(), minlength=len(draws) * systems).reshape(-1, systems)
    known = ~np.isnan(values) & ~np.eye(systems, dtype=np.bool_)
    total = ((weights @ np.where(known, values, 0)) * weights).sum(axis=1)
    pairs = ((weights @ known.astype(np.float64)) * weights).sum(axis=1)
    return np.divide(total, pairs, out=np.full(len(draws), np.nan), where=pairs > 0)


def _scores(scores: Floats | SegmentStatistics, weights: npt.NDArray[np.float64 | np.int64]) -> Floats:
    """Return scores (rows, K) of systems on weighted segments."""
    if isinstance(scores, SegmentStatistics):
        sign = 1 if scores.higher_is_better else -1
        return sign * scores.score(scores.weighted_sums(weights)).T
    known = np.isfinite(scores)
    counted = weights @ known.T.astype(np.float64)
    return np.divide(
        weights @ np.where(known, scores, 0).T, counted, out=np.full(counted.shape, np.nan), where=counted > 0
    )


def _count_exceeding(permuted: Floats, observed: Floats, tolerance: Floats) -> Floats:
    """Count the permutations (draws, P) that exceed the observed differences (P,); equal ones count half."""
    excess = permuted - observed
    return (excess > tolerance).sum(axis=0) + (np.abs(excess) <= tolerance).sum(axis=0) / 2


def _mirrored(upper: Floats, systems: int) -> Floats:
    """Return the matrix with these p-values above the diagonal and those of the reversed pairs below."""
    matrix = np.full((systems, systems), np.nan)
    first, second = np.triu_indices(systems, k=1)
    matrix[first, second], matrix[second, first] = upper, 1 - upper
    return matrix
