"""How well a metric and the judges agree on the order of systems, with intervals over systems and segments.

K systems, S segments; NaN where a score is missing. Three questions are kept apart. Would other systems agree too?
bootstrap_systems answers with an interval. Would the same systems, on other text? stability shows the spread. Which
systems decide? leave_one_out and outliers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.agreement.correlation import MINIMUM_PAIRS
from bleu_core.agreement.segment_agreement import Method, row_coefficients
from bleu_core.arrays import Floats
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

#: Scales a median absolute deviation to the standard deviation of normal data.
TO_DEVIATION = 1.483

#: Robust deviations from the median beyond which a system is an outlier.
CUTOFF = 2.5

#: About as many cells of drawn signs or gathered scores are made at once.
BATCH_CELLS = 2_000_000


@dataclass(frozen=True, slots=True)
class SoftPairwiseAccuracy:
    """How alike a metric and people are in how sure they are of each pair of systems.

    Attributes:
        value: 1 less the mean difference of their p-values, 0 to 1; NaN without a pair.
        pairs: how many it rests on.
        interval: over systems, where it was asked for.
        reason: why it is undefined, else empty.
    """

    value: float
    pairs: int
    interval: Interval = Interval(math.nan, math.nan, CONFIDENCE)  # noqa: RUF009 # frozen
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemsBootstrap:
    """An interval of a coefficient over systems: what other systems like these would show.

    Attributes:
        method: of the coefficient.
        coefficient: of the systems there are; NaN where it is undefined.
        interval: of the coefficient of the population that the systems stand for; NaN where there is none.
        systems: how many were drawn from, and drawn.
        resamples: how many draws.
        undefined: draws without a coefficient, left out.
        reason: why there is no coefficient or no interval, else empty.
    """

    method: Method
    coefficient: float
    interval: Interval
    systems: int
    resamples: int
    undefined: int
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stability:
    """How a coefficient moves when the segments are drawn anew. No confidence interval of it.

    Each resample adds the noise of sampling to both scores a second time, which pulls a correlation towards 0: the
    median lies below the observed coefficient, and the bounds need not cover what all text would show.

    Attributes:
        method: of the coefficient.
        coefficient: of all segments; NaN where it is undefined.
        median, low, high: of the resampled coefficients; low and high leave out the same share on both sides.
        share: of the coefficients that lie between low and high.
        resamples: how many draws.
        undefined: draws without a coefficient, left out.
        reason: why it is undefined, else empty.
    """

    method: Method
    coefficient: float
    median: float
    low: float
    high: float
    share: float
    resamples: int
    undefined: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LeaveOneOut:
    """A coefficient without each system in turn.

    Attributes:
        method: of the coefficient.
        coefficient: of all systems; NaN where it is undefined.
        without: (K,) the coefficient without each system; NaN where it is undefined.
        reason: why coefficient is undefined, else empty.
    """

    method: Method
    coefficient: float
    without: Floats
    reason: str = ""

    @property
    def changes(self) -> Floats:
        """(K,) what leaving each system out adds to the coefficient."""
        return self.without - self.coefficient


@dataclass(frozen=True, slots=True, kw_only=True)
class Outliers:
    """Systems so much better or worse than the rest that they decide a correlation by themselves.

    Attributes:
        median: of the human scores.
        deviation: their median absolute deviation, scaled to a standard deviation; in the unit of the ratings.
        robust_scores: (K,) distance from the median in deviations; NaN where undefined.
        cutoff: beyond which a system is an outlier.
        reason: why there are no robust scores, else empty.
    """

    median: float
    deviation: float
    robust_scores: Floats
    cutoff: float
    reason: str = ""

    @property
    def indices(self) -> tuple[int, ...]:
        """The outliers."""
        return tuple(np.flatnonzero(np.abs(self.robust_scores) > self.cutoff).tolist())


def permutation_p_values(scores: Floats, *, permutations: int = PERMUTATIONS, seed: int = SEED) -> Floats:
    """For each pair of systems, the probability that chance alone gives a difference at least this large.

    Args:
        scores: (K, S) of segments, higher is better; each pair is compared on the segments that both have.
        permutations: how many times the scores of each segment are swapped at random between the two.
        seed: of the swaps, which all pairs share; they are those of the authors' program with the same seed.

    Returns:
        (K, K) one-sided p of "row better than column"; NaN on the diagonal and without a common segment. A draw that
        equals the observed difference counts half, so that p and its mirror image sum to 1, two equal systems get
        0.5, and no order of the systems matters. (The authors count it whole.)

    Source:
        Thompson et al. (2024), arXiv 2409.09598; mt-metrics-eval, pce.py.
    """
    systems, segments = scores.shape
    first, second = np.triu_indices(systems, k=1)
    differences = scores[first] - scores[second]
    common = np.isfinite(differences).any(axis=1)
    differences = np.where(np.isfinite(differences), differences, 0)
    observed = differences.sum(axis=1)
    tolerance = TOLERANCE * np.abs(differences).sum(axis=1)  # sums in another order differ by noise
    beyond = np.zeros(len(first))
    generator = np.random.default_rng(seed)
    size = max(1, BATCH_CELLS // max(segments, len(first), 1))
    for start in range(0, permutations, size):
        drawn = generator.random(size=(min(size, permutations - start), segments), dtype=np.float32)
        beyond += _beyond(np.where(drawn > 1 / 2, 1.0, -1.0) @ differences.T, observed, tolerance)
    return _mirrored(np.where(common, beyond / permutations, np.nan), systems)


def permutation_p_values_of_sums(
    table: SegmentStatistics, *, permutations: int = PERMUTATIONS, seed: int = SEED
) -> Floats:
    """As permutation_p_values for a score that is no mean of segment scores but a function of sums, as BLEU is.

    Args:
        table: T of K systems; where lower is better, p is of "row lower than column".
        permutations: how many times segments are swapped.
        seed: of the swaps, which all pairs share.
    """
    pairs = list(zip(*(side.tolist() for side in np.triu_indices(len(table.systems), k=1)), strict=True))
    if not pairs or not table.segments:
        return np.full((len(table.systems),) * 2, np.nan)
    sign = 1 if table.higher_is_better else -1
    scores = sign * table.score(table.sums())
    observed = np.array([scores[a] - scores[b] for a, b in pairs])
    drawn = sign * resampled_deltas(table, pairs, "randomization", permutations, seed=seed)
    found = _beyond(drawn.T, observed, np.full(len(pairs), TOLERANCE)) / permutations
    return _mirrored(found, len(table.systems))


def soft_pairwise_accuracy(
    metric: Floats, human: Floats, *, resamples: int | None = None, seed: int = SEED, confidence: float = CONFIDENCE
) -> SoftPairwiseAccuracy:
    """Compare the p-values of a metric with those of people.

    Args:
        metric: (K, K) one-sided p-values, from permutation_p_values or permutation_p_values_of_sums.
        human: (K, K) likewise, of segment means of ratings.
        resamples: draws of systems for an interval; none is made if None.
        seed: of these.
        confidence: of the interval, a fraction.

    Source:
        Thompson et al. (2024), arXiv 2409.09598.
    """
    alike = 1 - np.abs(metric - human)
    pairs = alike[np.triu_indices(len(alike), k=1)]
    pairs = pairs[~np.isnan(pairs)]
    if not len(pairs):
        return SoftPairwiseAccuracy(math.nan, 0, reason="no pair of systems has both scores")
    value = float(pairs.mean())
    if resamples is None:
        return SoftPairwiseAccuracy(value, len(pairs))
    drawn = _pair_means(alike, _draws(len(alike), resamples, seed))
    return SoftPairwiseAccuracy(value, len(pairs), percentile_interval(drawn, confidence))


def bootstrap_systems(
    metric: Floats,
    human: Floats,
    method: Method = "pearson",
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
) -> SystemsBootstrap:
    """Draw systems with replacement for an interval of a coefficient.

    Of Pearson's r the percentiles are expanded for the number of systems, without which some 90 % of 95 % intervals
    cover with ten; of ranks and pairs they are plain, since a system drawn twice ties with itself, which widens them
    already. With 10 to 30 systems those of r cover 94 to 97 % of normal and 92 to 96 % of heavy-tailed and skewed
    populations, where Fisher's cover 80 to 91 %; those of ranks and pairs 93 to 99 %, too wide for few systems of a
    strong order (tests/agreement/test_calibration.py). BCa and jackknife intervals were tried and covered no better.

    A system drawn twice makes no pair with itself. Perfect agreement has no interval but Pearson's: no draw can break
    it, though other systems could.

    Args:
        metric: (K,) scores of systems; systems without both scores are left out.
        human: (K,) their ratings.
        method: of the coefficient.
        resamples: how many draws.
        seed: of the draws.
        confidence: a fraction.

    Source:
        Hesterberg (2015), What teachers should know about the bootstrap.
    """
    x, y, coefficient, reason = _observed(metric, human, method)
    if not reason and abs(coefficient) == 1 and method != "pearson":
        reason = "a perfect rank correlation has no interval"
    if not reason and method == "pairwise-accuracy" and coefficient == 0:
        reason = "a perfect rank correlation has no interval"  # the reverse one
    systems = len(x)
    nothing = Interval(math.nan, math.nan, confidence)
    if reason:
        return SystemsBootstrap(
            method=method,
            coefficient=coefficient,
            interval=nothing,
            systems=systems,
            resamples=0,
            undefined=0,
            reason=reason,
        )
    draws = _draws(systems, resamples, seed)
    if method == "pairwise-accuracy":
        alike = np.sign(x[:, None] - x) == np.sign(y[:, None] - y)
        found = _pair_means(alike.astype(np.float64), draws)
    else:
        found = row_coefficients(x[draws], y[draws], method)
    expanded_for = systems if method == "pearson" else None
    interval = percentile_interval(found, confidence, expanded_for=expanded_for)
    return SystemsBootstrap(
        method=method,
        coefficient=coefficient,
        interval=interval,
        systems=systems,
        resamples=resamples,
        undefined=int(np.isnan(found).sum()),
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
    """Draw segments with replacement, score the systems on them anew, and correlate.

    Args:
        metric: (K, S) segment scores, a system's score being their mean; or T, whose score is of the sums.
        human: (K, S) ratings of segments, a system's being their mean.
        method: of the coefficient.
        resamples: how many draws, each of S segments.
        seed: of the draws.
        share: of the coefficients to lie between low and high.
    """
    segments = human.shape[1]
    whole = np.ones((1, segments))
    _, _, coefficient, reason = _observed(_scores(metric, whole)[0], _scores(human, whole)[0], method)
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
    found = np.concatenate(
        [
            row_coefficients(_scores(metric, weights).round(DECIMALS), _scores(human, weights).round(DECIMALS), method)
            for weights in bootstrap_weights(segments, resamples, seed)
        ]
    )
    bounds = percentile_interval(found, share)
    undefined = int(np.isnan(found).sum())
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
    median = float(np.nanmedian(found))
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
    """The coefficient without each system in turn.

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
    enough = (np.isfinite(x) & np.isfinite(y)).sum(axis=1) >= MINIMUM_PAIRS
    return LeaveOneOut(method, coefficient, np.where(enough, without, np.nan), reason)


def outliers(human: Floats, *, cutoff: float = CUTOFF) -> Outliers:
    """Find the systems whose mean rating is an outlier.

    Args:
        human: (K,) ratings of systems, or any score.
        cutoff: in deviations.

    Source:
        Mathur, Baldwin and Cohn (2020), 2020.acl-main.448; used since by the WMT metrics task.
    """
    nothing = np.full(len(human), np.nan)
    known = human[np.isfinite(human)]
    if len(known) < MINIMUM_PAIRS:
        return Outliers(
            median=math.nan, deviation=math.nan, robust_scores=nothing, cutoff=cutoff, reason=_too_few(len(known))
        )
    median = float(np.median(known))
    deviation = TO_DEVIATION * float(np.median(np.abs(known - median)))
    if round(deviation, DECIMALS) == 0:
        return Outliers(
            median=median,
            deviation=deviation,
            robust_scores=nothing,
            cutoff=cutoff,
            reason="more than half of the systems have the same score",
        )
    return Outliers(median=median, deviation=deviation, robust_scores=(human - median) / deviation, cutoff=cutoff)


def _observed(metric: Floats, human: Floats, method: Method) -> tuple[Floats, Floats, float, str]:
    """Both scores of the systems that have both, rounded; their coefficient; why there is none."""
    present = np.isfinite(metric) & np.isfinite(human)
    x, y = np.round(metric[present], DECIMALS), np.round(human[present], DECIMALS)
    if len(x) < MINIMUM_PAIRS:
        return x, y, math.nan, _too_few(len(x))
    coefficient = float(row_coefficients(x[None], y[None], method)[0])
    if not math.isnan(coefficient):
        return x, y, coefficient, ""
    constant = "all systems have the same score" if np.ptp(x) == 0 else "all systems have the same mean rating"
    return x, y, coefficient, constant


def _too_few(systems: int) -> str:
    return f"{systems} {'system' if systems == 1 else 'systems'}, at least {MINIMUM_PAIRS} needed"


def _draws(systems: int, resamples: int, seed: int) -> npt.NDArray[np.int64]:
    """(resamples, K) indices of systems."""
    return np.random.default_rng(seed).integers(0, systems, size=(resamples, systems))


def _pair_means(alike: Floats, draws: npt.NDArray[np.int64]) -> Floats:
    """The mean of a matrix over pairs of drawn systems, those of a system with itself left out."""
    systems = len(alike)
    rows = np.arange(len(draws))[:, None] * systems
    weights = np.bincount((draws + rows).ravel(), minlength=len(draws) * systems).reshape(-1, systems)
    known = ~np.isnan(alike) & ~np.eye(systems, dtype=np.bool_)
    total = ((weights @ np.where(known, alike, 0)) * weights).sum(axis=1)
    pairs = ((weights @ known.astype(np.float64)) * weights).sum(axis=1)
    return np.divide(total, pairs, out=np.full(len(draws), np.nan), where=pairs > 0)


def _scores(scores: Floats | SegmentStatistics, weights: npt.NDArray[np.float64 | np.int64]) -> Floats:
    """Scores of systems on weighted segments, (rows, K)."""
    if isinstance(scores, SegmentStatistics):
        sign = 1 if scores.higher_is_better else -1
        return sign * scores.score(scores.weighted_sums(weights)).T
    known = np.isfinite(scores)
    counted = weights @ known.T.astype(np.float64)
    return np.divide(
        weights @ np.where(known, scores, 0).T, counted, out=np.full(counted.shape, np.nan), where=counted > 0
    )


def _beyond(drawn: Floats, observed: Floats, tolerance: Floats) -> Floats:
    """(P,) how many draws, (draws, P), exceed the observed difference; an equal one is half of one."""
    excess = drawn - observed
    return (excess > tolerance).sum(axis=0) + (np.abs(excess) <= tolerance).sum(axis=0) / 2


def _mirrored(upper: Floats, systems: int) -> Floats:
    """A matrix from the p-values of its upper triangle; below the diagonal is the other direction."""
    matrix = np.full((systems, systems), np.nan)
    first, second = np.triu_indices(systems, k=1)
    matrix[first, second], matrix[second, first] = upper, 1 - upper
    return matrix
