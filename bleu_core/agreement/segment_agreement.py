"""How well a metric's segment scores agree with the judges, with small differences calibrated as ties.

Scores are matrices, (K, S): K systems, S segments, NaN where one is missing. All values of a correlation are put into
groups first: all in one, one per system, or one per segment ("item": the systems' outputs for it); the coefficient of a
matrix is the mean over its groups.

Source:
    mt-metrics-eval, stats.py, AverageCorrelation; Deutsch, Foster and Freitag (2023), arXiv 2305.14324.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from bleu_core.agreement.correlation import MINIMUM_PAIRS, NEARLY
from bleu_core.arrays import Floats, Integers
from bleu_core.inference import DECIMALS

Method = Literal["pearson", "spearman", "kendall", "pairwise-accuracy"]
Grouping = Literal["none", "system", "item"]

#: What metrics are compared by: a coefficient, or the accuracy with ties calibrated.
TestedMethod = Method | Literal["acc-eq"]

METHODS: tuple[Method, ...] = get_args(Method)
GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)

#: Rows up to this long are compared pair by pair, all at once; longer ones by sorting, one at a time.
SHORT = 64

#: About as many pairs are compared at once.
BATCH_PAIRS = 2_000_000

#: Tie calibration sorts the differences of all pairs in a group; this many take some 2 s and 600 MB.
MAX_PAIRS = 20_000_000

_Signs = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentCorrelation:
    """Agreement of two scores segment by segment.

    Attributes:
        method: "pearson", "spearman", "kendall" (tau-b), or "pairwise-accuracy" (a tie agrees with a tie).
        grouping: what is averaged over: "none" (pooled), "system" or "item".
        coefficient: the mean over groups, -1 to 1, of the accuracy 0 to 1; NaN where it is undefined.
        p_value: two-sided, of no association, of a pooled correlation; NaN of averages and accuracies, which have none.
        entries: how many (system, segment) have both scores.
        groups: how many the mean is over.
        dropped: groups without a coefficient: fewer than two entries, or one side constant.
        by_group: (K,), (S,) or (1,), the coefficient of each group, NaN where it was dropped.
        reason: why it is undefined, else empty.
    """

    method: Method
    grouping: Grouping
    coefficient: float
    p_value: float
    entries: int
    groups: int
    dropped: int
    by_group: Floats
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibratedAccuracy:
    """Pairwise accuracy with tie calibration, acc_eq.

    Attributes:
        grouping: the pairs are those within a group; the accuracy is the mean over groups.
        accuracy: the highest over all thresholds, 0 to 1; NaN where it is undefined.
        threshold: metric scores that differ by no more are ties; the smallest that gives the accuracy; in the
            metric's unit.
        uncalibrated: the accuracy at threshold 0.
        entries: how many (system, segment) have both scores.
        groups: how many the mean is over.
        dropped: groups with fewer than two entries.
        reason: why it is undefined, else empty.
    """

    grouping: Grouping
    accuracy: float
    threshold: float
    uncalibrated: float
    entries: int
    groups: int
    dropped: int
    reason: str = ""


def segment_correlation(
    metric: Floats, human: Floats, method: Method = "pearson", grouping: Grouping = "none"
) -> SegmentCorrelation:
    """Correlate two scores of the same segments.

    Scores are rounded to 9 decimals first, so that float noise breaks no tie. Entries that lack a score (NaN) are
    left out. Groups without a coefficient are dropped and counted, as in mt-metrics-eval.

    Args:
        metric: (K, S) scores.
        human: (K, S) ratings, for example means over judges.
        method: of SegmentCorrelation.
        grouping: of SegmentCorrelation.

    Raises:
        ValueError: the shapes differ.
    """
    x, y = grouped(metric, human, grouping)
    entries = int(np.isfinite(x).sum())
    nan = math.nan
    if grouping == "none" and entries < MINIMUM_PAIRS:
        reason = f"{entries} segments with both scores, at least {MINIMUM_PAIRS} needed"
        return SegmentCorrelation(
            method=method,
            grouping=grouping,
            coefficient=nan,
            p_value=nan,
            entries=entries,
            groups=0,
            dropped=1,
            by_group=np.array([nan]),
            reason=reason,
        )
    by_group = row_coefficients(x, y, method)
    defined = ~np.isnan(by_group)
    count = int(defined.sum())
    coefficient = float(by_group[defined].mean()) if count else nan
    p_value = _pooled_p(x[0], y[0], method) if grouping == "none" and count else nan
    reason = "" if count else _without(x, y)
    dropped = len(by_group) - count
    return SegmentCorrelation(
        method=method,
        grouping=grouping,
        coefficient=coefficient,
        p_value=p_value,
        entries=entries,
        groups=count,
        dropped=dropped,
        by_group=by_group,
        reason=reason,
    )


def calibrated_accuracy(metric: Floats, human: Floats, grouping: Grouping = "item") -> CalibratedAccuracy:
    """Find the threshold below which differences of the metric are best taken as ties, and the accuracy it gives.

    A pair of entries is right where the metric orders it as people do, a tie with a tie included. Each threshold is
    tried: raising it past the difference of a pair makes that pair a tie, which is right where people tie.

    Args:
        metric: (K, S) scores; rounded to 9 decimals, as their differences are.
        human: (K, S) ratings.
        grouping: which pairs are compared; all with all ("none") only while they fit.

    Raises:
        ValueError: the shapes differ.

    Source:
        Deutsch, Foster and Freitag (2023), on tie calibration; mt-metrics-eval, tau_optimization.py, acc_23
        with all pairs; of equal accuracies the one of the smallest threshold.
    """
    x, y = grouped(metric, human, grouping)
    sizes = np.isfinite(x).sum(axis=1)
    entries, rated = int(sizes.sum()), sizes >= 2  # noqa: PLR2004 # a pair
    pairs = sizes[rated] * (sizes[rated] - 1) // 2
    groups, dropped = len(pairs), int((~rated).sum())
    nan = math.nan
    reason = ""
    if not groups:
        reason = "no group has two entries with both scores"
    elif pairs.sum() > MAX_PAIRS:
        reason = f"{pairs.sum():,} pairs found, at most {MAX_PAIRS:,} allowed; group by item"
    if reason:
        return CalibratedAccuracy(
            grouping=grouping,
            accuracy=nan,
            threshold=nan,
            uncalibrated=nan,
            entries=entries,
            groups=groups,
            dropped=dropped,
            reason=reason,
        )
    uncalibrated = float(row_coefficients(x, y, "pairwise-accuracy")[rated].mean())
    differences, gains = _ties_gained(x[rated], y[rated], pairs)
    order = np.argsort(differences)
    differences = differences[order]
    # The accuracy once all pairs up to here are ties; it counts where the next pair differs by more.
    gained = np.cumsum(gains[order]).round(12)
    last = np.append(differences[1:] != differences[:-1], True) if len(differences) else np.zeros(0, np.bool_)
    thresholds, gained = differences[last], gained[last]
    best = int(gained.argmax()) if len(gained) else 0
    if not len(gained) or gained[best] <= 0:
        return CalibratedAccuracy(
            grouping=grouping,
            accuracy=uncalibrated,
            threshold=0.0,
            uncalibrated=uncalibrated,
            entries=entries,
            groups=groups,
            dropped=dropped,
        )
    accuracy, threshold = uncalibrated + float(gained[best]) / groups, float(thresholds[best])
    return CalibratedAccuracy(
        grouping=grouping,
        accuracy=accuracy,
        threshold=threshold,
        uncalibrated=uncalibrated,
        entries=entries,
        groups=groups,
        dropped=dropped,
    )


def coefficients_by_group(
    metric: Floats, human: Floats, method: TestedMethod, grouping: Grouping = "item"
) -> tuple[Floats, float]:
    """The coefficient of each group, whose mean segment_correlation and calibrated_accuracy give.

    Args:
        metric: (K, S) scores.
        human: (K, S) ratings.
        method: "acc-eq" takes as ties what calibrated_accuracy takes as ties of all segments.
        grouping: of SegmentCorrelation.

    Returns:
        One coefficient per group, NaN where there is none, and the threshold of ties; NaN but of acc-eq.

    Raises:
        ValueError: the shapes differ.
    """
    if method != "acc-eq":
        return row_coefficients(*grouped(metric, human, grouping), method), math.nan
    threshold = calibrated_accuracy(metric, human, grouping).threshold
    x, y = grouped(metric, human, grouping)
    return _accuracies_within(x, y, threshold), threshold


def _accuracies_within(x: Floats, y: Floats, threshold: float) -> Floats:
    """The pairwise accuracy of each row, where differences of x up to a threshold are ties; NaN without a pair."""
    present = np.isfinite(x)
    first, second = np.triu_indices(x.shape[1], k=1)
    accuracies = [np.zeros(0)]
    for rows in _batches(len(x), len(first)):
        both = present[rows][:, first] & present[rows][:, second]
        apart = np.round(x[rows][:, first] - x[rows][:, second], DECIMALS)
        apart = np.where(np.abs(apart) <= threshold, 0, apart)
        right = both & (np.sign(apart) == np.sign(y[rows][:, first] - y[rows][:, second]))
        accuracies.append(quotient(right.sum(axis=1), both.sum(axis=1)))
    return np.concatenate(accuracies)


def grouped(metric: Floats, human: Floats, grouping: Grouping) -> tuple[Floats, Floats]:
    """Both scores with one row per group, rounded; NaN in both where one is missing.

    Returns:
        Two of (1, K * S), (K, S) or (S, K).

    Raises:
        ValueError: the shapes differ or are not (K, S).
    """
    if metric.shape != human.shape or metric.ndim != 2:  # noqa: PLR2004 # systems and segments
        raise ValueError(f"shapes {metric.shape} and {human.shape} found, (systems, segments) expected for both")
    present = np.isfinite(metric) & np.isfinite(human)
    x, y = (np.where(present, np.round(scores, DECIMALS), np.nan) for scores in (metric, human))
    if grouping == "none":
        return x.reshape(1, -1), y.reshape(1, -1)
    return (x, y) if grouping == "system" else (x.T, y.T)


def tie_gains(apart: Floats, rated: Floats) -> _Signs:
    """What it changes to take pairs as ties: 1 where they become right, -1 where they become wrong, else 0.

    A pair that people tie is gained by a tie, one that both order alike is lost; the others stay wrong, or right.

    Args:
        apart: the metric's differences, of any shape.
        rated: people's.
    """
    gained = (rated == 0) & (apart != 0)
    lost = np.sign(apart) * np.sign(rated) > 0
    return gained.astype(np.int8) - lost


def row_coefficients(x: Floats, y: Floats, method: Method) -> Floats:
    """Correlate the rows of two matrices, each row by itself and without its gaps.

    Args:
        x: (rows, n), NaN where missing, of a precision in which equal values are equal.
        y: likewise.
        method: of SegmentCorrelation.

    Returns:
        (rows,) NaN with fewer than two entries and, but of the accuracy, where x or y is constant.
    """
    present = np.isfinite(x) & np.isfinite(y)
    if method in {"kendall", "pairwise-accuracy"}:
        return _of_pairs(x, y, present, method)
    if method == "spearman":
        x, y = _ranks(x, present), _ranks(y, present)
    return _pearson(x, y, present)


def _pearson(x: Floats, y: Floats, present: npt.NDArray[np.bool_]) -> Floats:
    size = np.maximum(present.sum(axis=1, keepdims=True), 1)
    x, y = np.where(present, x, 0), np.where(present, y, 0)
    defined = varied(x, present) & varied(y, present)
    x = np.where(present, x - x.sum(axis=1, keepdims=True) / size, 0)
    y = np.where(present, y - y.sum(axis=1, keepdims=True) / size, 0)
    products = np.einsum("rn,rn->r", x, y)
    squares = np.sqrt(np.einsum("rn,rn->r", x, x)) * np.sqrt(np.einsum("rn,rn->r", y, y))
    return quotient(products, np.where(defined, squares, 0))


def varied(values: Floats, present: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which rows hold two different values; decided on the values, as squares of noise are not 0."""
    low = np.where(present, values, np.inf).min(axis=1, initial=np.inf)
    high = np.where(present, values, -np.inf).max(axis=1, initial=-np.inf)
    return low < high


def _ranks(values: Floats, present: npt.NDArray[np.bool_]) -> Floats:
    """Ranks within each row, ties shared; those of gaps mean nothing."""
    from scipy import stats  # loaded when first needed: it costs more than scoring

    if not values.size:
        return values
    return np.asarray(stats.rankdata(np.where(present, values, np.inf), axis=1), np.float64)


def _of_pairs(x: Floats, y: Floats, present: npt.NDArray[np.bool_], method: Method) -> Floats:
    concordance, ordered_x, ordered_y, different, pairs = _pair_counts(x, y, present)
    if method == "kendall":
        return quotient(concordance, np.sqrt(ordered_x) * np.sqrt(ordered_y))
    return quotient(pairs - different, pairs)


def quotient(
    numerators: npt.NDArray[np.float64 | np.int64], denominators: npt.NDArray[np.float64 | np.int64]
) -> Floats:
    """Counts to coefficients, of one shape: NaN where the denominator is 0; float noise is no imperfection."""
    found = np.divide(numerators, denominators, out=np.full(numerators.shape, np.nan), where=denominators > 0)
    return np.where(np.abs(np.abs(found) - 1) < NEARLY, np.sign(found), found)


def mean_of_groups(coefficients: Floats) -> Floats:
    """(G, trials) coefficients to (trials,) means over the groups that have one; NaN where none has."""
    known = ~np.isnan(coefficients)
    counts = known.sum(axis=0)
    total = np.where(known, coefficients, 0).sum(axis=0)
    return np.divide(total, counts, out=np.full(len(counts), np.nan), where=counts > 0)


def _pair_counts(x: Floats, y: Floats, present: npt.NDArray[np.bool_]) -> tuple[Integers, ...]:
    """Of each row: concordant less discordant pairs, pairs not tied in x, in y, of different sign, and all pairs."""
    if x.shape[1] > SHORT:
        rows = [np.array([_sorted_counts(a[p], b[p])]) for a, b, p in zip(x, y, present, strict=True)]
    else:
        rows = [
            np.stack(
                (
                    (signs_x * signs_y).sum(axis=1, dtype=np.int64),
                    np.count_nonzero(signs_x, axis=1),
                    np.count_nonzero(signs_y, axis=1),
                    np.count_nonzero(signs_x != signs_y, axis=1),
                    pairs,
                ),
                axis=1,
            )
            for signs_x, signs_y, pairs in _signs(x, y, present)
        ]
    return tuple(np.concatenate([np.zeros((0, 5), np.int64), *rows]).T)


def _signs(x: Floats, y: Floats, present: npt.NDArray[np.bool_]) -> Iterator[tuple[_Signs, _Signs, Integers]]:
    """Signs of the differences of all pairs in each row, 0 in both where an entry is missing, and how many are not."""
    first, second = np.triu_indices(x.shape[1], k=1)
    size = present.sum(axis=1)
    for rows in _batches(len(x), len(first)):
        there = present[rows]
        a, b = np.where(there, x[rows], 0), np.where(there, y[rows], 0)
        both = there[:, first] & there[:, second]
        of_x = (np.sign(a[:, first] - a[:, second]) * both).astype(np.int8)
        of_y = (np.sign(b[:, first] - b[:, second]) * both).astype(np.int8)
        yield of_x, of_y, size[rows] * (size[rows] - 1) // 2


def _batches(rows: int, pairs: int) -> Iterator[slice]:
    size = max(1, BATCH_PAIRS // max(pairs, 1))
    return (slice(start, start + size) for start in range(0, rows, size))


def _sorted_counts(x: Floats, y: Floats) -> tuple[int, ...]:
    """As _pair_counts of one long row, in n log n: tau-b and the ties tell the rest."""
    from scipy import stats

    codes_x, codes_y = (np.unique(values, return_inverse=True)[1] for values in (x, y))
    pairs = len(x) * (len(x) - 1) // 2
    tied_x, tied_y = _tied(codes_x), _tied(codes_y)
    tied = _tied(codes_x * (int(codes_y.max(initial=0)) + 1) + codes_y)
    ordered_x, ordered_y, concordance = pairs - tied_x, pairs - tied_y, 0
    if ordered_x and ordered_y:
        tau = float(stats.kendalltau(codes_x, codes_y).statistic)
        concordance = round(tau * math.sqrt(ordered_x) * math.sqrt(ordered_y))
    concordant = (pairs - tied_x - tied_y + tied + concordance) // 2
    return concordance, ordered_x, ordered_y, pairs - concordant - tied, pairs


def _tied(codes: npt.NDArray[np.int64]) -> int:
    counts = np.unique(codes, return_counts=True)[1]
    return int((counts * (counts - 1) // 2).sum())


def _ties_gained(x: Floats, y: Floats, pairs: Integers) -> tuple[Floats, Floats]:
    """Of all pairs whose tie changes something: the metric's difference, and what a tie adds to the row's accuracy."""
    present = np.isfinite(x)
    first, second = np.triu_indices(x.shape[1], k=1)
    differences: list[Floats] = []
    gains: list[Floats] = []
    for rows in _batches(len(x), len(first)):
        apart = np.round(x[rows][:, first] - x[rows][:, second], DECIMALS)
        rated = y[rows][:, first] - y[rows][:, second]
        gained = tie_gains(apart, rated)
        changed = (gained != 0) & present[rows][:, first] & present[rows][:, second]
        differences.append(np.abs(apart[changed]))
        gains.append((gained / pairs[rows, None])[changed])
    return np.concatenate(differences), np.concatenate(gains)


def _pooled_p(x: Floats, y: Floats, method: Method) -> float:
    from scipy import stats

    present = np.isfinite(x)
    x, y = x[present], y[present]
    if method == "pairwise-accuracy":
        return math.nan
    test = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}[method]
    return float(test(x, y).pvalue)


def _without(x: Floats, y: Floats) -> str:
    """Why no group has a coefficient."""
    present = np.isfinite(x)
    if not present.any():
        return "no segment has both scores"
    if (present.sum(axis=1) < 2).all():  # noqa: PLR2004 # a pair
        return "no group has two entries with both scores"
    for values, whose in ((x, "metric scores"), (y, "ratings")):
        if not varied(np.where(present, values, 0), present).any():
            return f"all {whose} of a group are the same, in every group"
    return "all metric scores or all ratings of a group are the same, in every group"
