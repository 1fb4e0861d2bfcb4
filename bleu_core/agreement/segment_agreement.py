"""Agreement of a metric's segment scores with judges, with correlations and tie-calibrated accuracy.

Scores are matrices (K, S) of K systems and S segments; NaN if one is missing. The values are grouped first: all in one
group, one group per system, or one per segment ("item": the systems' outputs for it); the coefficient of a matrix is
the mean over its groups.

Source:
    mt-metrics-eval, stats.py, AverageCorrelation; Deutsch, Foster and Freitag (2023), arXiv 2305.14324.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from bleu_core.agreement.correlation import ACCURACY, COEFFICIENT, MIN_ENTRIES, ROUNDING_ERROR
from bleu_core.arrays import Floats, Integers
from bleu_core.fields import P_VALUE, REASON, Field, field, result
from bleu_core.inference import DECIMALS

Method = Literal["pearson", "spearman", "kendall", "pairwise-accuracy"]
Grouping = Literal["none", "system", "item"]

#: Statistic by which metrics are compared: a coefficient, or the tie-calibrated accuracy.
TestedMethod = Method | Literal["acc-eq"]

METHODS: tuple[Method, ...] = get_args(Method)
GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)

#: Rows up to this length are compared pair by pair, all at once; longer rows by sorting, one at a time.
MAX_PAIRWISE_LENGTH = 64

#: Approximate number of pairs per batch.
BATCH_PAIRS = 2_000_000

#: Maximum number of pairs for tie calibration, which sorts their differences; these take some 2 s and 600 MB.
MAX_PAIRS = 20_000_000

_Signs = npt.NDArray[np.int8]


GROUPING = Field("text", "Grouping: none (all segments at once), or averaged by system or by item (segment).")
ENTRIES = Field("count", "Translated segments with both a score and a rating.")
GROUPS = Field("count", "Number of coefficients that were averaged.")
UNDEFINED_GROUPS = Field(
    "count",
    "Systems or segments without a coefficient, because they have fewer than two entries or all entries are equal.",
    former="dropped",
)
THRESHOLD = Field("number", "Differences of scores up to this threshold count as ties; in the metric's unit.")


@result
class SegmentCorrelation:
    """Correlation of two scores of the same segments.

    Attributes:
        method: "pearson", "spearman", "kendall" (tau-b), or "pairwise-accuracy" (a tie agrees with a tie).
        grouping: groups over which coefficients are averaged: "none" (pooled), "system" or "item".
        coefficient: the mean over groups, -1 to 1, or 0 to 1 for the accuracy; NaN if it is undefined.
        p_value: two-sided, of no association, for a pooled correlation; NaN for averages and accuracies.
        entries: number of (system, segment) with both scores.
        groups: number of groups with a coefficient.
        undefined_groups: number of groups without a coefficient: fewer than two entries, or one side constant.
        by_group: (K,), (S,) or (1,), the coefficient of each group; NaN for groups without one.
        reason: why the coefficient is undefined; empty if it is defined.
    """

    method: Method = field("text", "The coefficient.")
    grouping: Grouping = field(GROUPING)
    coefficient: float = field(COEFFICIENT)
    p_value: float = field(P_VALUE, undefined="averaged coefficients have no p-value")
    entries: int = field(ENTRIES)
    groups: int = field(GROUPS)
    undefined_groups: int = field(UNDEFINED_GROUPS)
    by_group: Floats
    reason: str = field(REASON, default="")


@result
class CalibratedAccuracy:
    """Pairwise accuracy with tie calibration, acc_eq.

    Attributes:
        grouping: pairs are formed within groups; the accuracy is the mean over groups.
        accuracy: the maximum over all thresholds, 0 to 1; NaN if it is undefined.
        threshold: the smallest one with this accuracy, in the metric's unit; differences up to it are ties.
        uncalibrated: the accuracy with threshold 0.
        entries: number of (system, segment) with both scores.
        groups: number of groups with at least two entries.
        undefined_groups: number of groups with fewer than two entries.
        reason: why the accuracy is undefined; empty if it is defined.
    """

    grouping: Grouping = field(GROUPING)
    accuracy: float = field(ACCURACY)
    threshold: float = field(THRESHOLD)
    uncalibrated: float = field("number", "Accuracy with a threshold of 0.")
    entries: int
    groups: int = field(GROUPS)
    undefined_groups: int = field(UNDEFINED_GROUPS)
    reason: str = field(REASON, default="")


def segment_correlation(
    metric: Floats, human: Floats, method: Method = "pearson", grouping: Grouping = "none"
) -> SegmentCorrelation:
    """Correlate two scores of the same segments.

    Scores are rounded to 9 decimals first, so that rounding errors do not break ties. Entries without both scores are
    ignored. Groups without a coefficient are left out and counted, as in mt-metrics-eval.

    Args:
        metric: (K, S) scores.
        human: (K, S) ratings, for example means over judges.
        method: as in SegmentCorrelation.
        grouping: as in SegmentCorrelation.

    Raises:
        ValueError: the shapes differ.
    """
    x, y = grouped(metric, human, grouping)
    entries = int(np.isfinite(x).sum())
    nan = math.nan
    if grouping == "none" and entries < MIN_ENTRIES:
        reason = f"{entries} segments with both scores, at least {MIN_ENTRIES} needed"
        return SegmentCorrelation(
            method=method,
            grouping=grouping,
            coefficient=nan,
            p_value=nan,
            entries=entries,
            groups=0,
            undefined_groups=1,
            by_group=np.array([nan]),
            reason=reason,
        )
    by_group = row_coefficients(x, y, method)
    defined = ~np.isnan(by_group)
    count = int(defined.sum())
    coefficient = float(by_group[defined].mean()) if count else nan
    p_value = _pooled_p(x[0], y[0], method) if grouping == "none" and count else nan
    reason = "" if count else _why_undefined(x, y)
    undefined = len(by_group) - count
    return SegmentCorrelation(
        method=method,
        grouping=grouping,
        coefficient=coefficient,
        p_value=p_value,
        entries=entries,
        groups=count,
        undefined_groups=undefined,
        by_group=by_group,
        reason=reason,
    )


def calibrated_accuracy(metric: Floats, human: Floats, grouping: Grouping = "item") -> CalibratedAccuracy:
    """Find the threshold up to which differences of the metric count as ties that maximises the accuracy.

    A pair of entries is correct if the metric orders it as judges do, including ties. All thresholds are compared: a
    threshold above the difference of a pair makes it a tie, which is correct if judges tie the pair.

    Args:
        metric: (K, S) scores; they and their differences are rounded to 9 decimals.
        human: (K, S) ratings.
        grouping: groups within which pairs are compared; "none" only up to MAX_PAIRS pairs.

    Raises:
        ValueError: the shapes differ.

    Source:
        Deutsch, Foster and Freitag (2023), on tie calibration; mt-metrics-eval, tau_optimization.py, acc_23
        with all pairs; ties between accuracies are resolved by the smallest threshold.
    """
    x, y = grouped(metric, human, grouping)
    sizes = np.isfinite(x).sum(axis=1)
    entries, has_pair = int(sizes.sum()), sizes >= 2  # noqa: PLR2004 # a pair
    pairs = sizes[has_pair] * (sizes[has_pair] - 1) // 2
    groups, undefined = len(pairs), int((~has_pair).sum())
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
            undefined_groups=undefined,
            reason=reason,
        )
    uncalibrated = float(row_coefficients(x, y, "pairwise-accuracy")[has_pair].mean())
    differences, gains = _ties_gained(x[has_pair], y[has_pair], pairs)
    order = np.argsort(differences)
    differences = differences[order]
    # The gain if all pairs up to here are ties; valid only where the next pair has a larger difference.
    cumulative_gains = np.cumsum(gains[order]).round(12)
    is_last = np.append(differences[1:] != differences[:-1], True) if len(differences) else np.zeros(0, np.bool_)
    thresholds, cumulative_gains = differences[is_last], cumulative_gains[is_last]
    best = int(cumulative_gains.argmax()) if len(cumulative_gains) else 0
    if not len(cumulative_gains) or cumulative_gains[best] <= 0:
        return CalibratedAccuracy(
            grouping=grouping,
            accuracy=uncalibrated,
            threshold=0.0,
            uncalibrated=uncalibrated,
            entries=entries,
            groups=groups,
            undefined_groups=undefined,
        )
    accuracy, threshold = uncalibrated + float(cumulative_gains[best]) / groups, float(thresholds[best])
    return CalibratedAccuracy(
        grouping=grouping,
        accuracy=accuracy,
        threshold=threshold,
        uncalibrated=uncalibrated,
        entries=entries,
        groups=groups,
        undefined_groups=undefined,
    )


def coefficients_by_group(
    metric: Floats, human: Floats, method: TestedMethod, grouping: Grouping = "item"
) -> tuple[Floats, float]:
    """Return the coefficient of each group; segment_correlation and calibrated_accuracy return their mean.

    Args:
        metric: (K, S) scores.
        human: (K, S) ratings.
        method: "acc-eq" uses the threshold of calibrated_accuracy on all segments.
        grouping: as in SegmentCorrelation.

    Returns:
        One coefficient per group, NaN if there is none, and the threshold of ties, NaN except for acc-eq.

    Raises:
        ValueError: the shapes differ.
    """
    if method != "acc-eq":
        return row_coefficients(*grouped(metric, human, grouping), method), math.nan
    threshold = calibrated_accuracy(metric, human, grouping).threshold
    x, y = grouped(metric, human, grouping)
    return _accuracies_within(x, y, threshold), threshold


def _accuracies_within(x: Floats, y: Floats, threshold: float) -> Floats:
    """Return the pairwise accuracy of each row; differences of x up to the threshold are ties; NaN without a pair."""
    present = np.isfinite(x)
    first, second = np.triu_indices(x.shape[1], k=1)
    accuracies = [np.zeros(0)]
    for rows in _batches(len(x), len(first)):
        is_pair = present[rows][:, first] & present[rows][:, second]
        differences = np.round(x[rows][:, first] - x[rows][:, second], DECIMALS)
        differences = np.where(np.abs(differences) <= threshold, 0, differences)
        correct = is_pair & (np.sign(differences) == np.sign(y[rows][:, first] - y[rows][:, second]))
        accuracies.append(quotient(correct.sum(axis=1), is_pair.sum(axis=1)))
    return np.concatenate(accuracies)


def grouped(metric: Floats, human: Floats, grouping: Grouping) -> tuple[Floats, Floats]:
    """Return both scores with one row per group, rounded; NaN in both if one is missing.

    Returns:
        Two arrays (1, K * S), (K, S) or (S, K).

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


def tie_gains(differences: Floats, human_differences: Floats) -> _Signs:
    """Return the effect of counting pairs as ties: 1 if they become correct, -1 if they become incorrect, else 0.

    Args:
        differences: of the metric, of any shape.
        human_differences: of the ratings, of the same shape.
    """
    gained = (human_differences == 0) & (differences != 0)
    lost = np.sign(differences) * np.sign(human_differences) > 0
    return gained.astype(np.int8) - lost


def row_coefficients(x: Floats, y: Floats, method: Method) -> Floats:
    """Correlate the rows of two matrices, ignoring missing values.

    Args:
        x: (rows, n) values, rounded so that equal values are exactly equal; NaN if missing.
        y: (rows, n) values, as x.
        method: as in SegmentCorrelation.

    Returns:
        (rows,) NaN with fewer than two entries and, except for the accuracy, if x or y is constant.
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
    defined = is_varied(x, present) & is_varied(y, present)
    x = np.where(present, x - x.sum(axis=1, keepdims=True) / size, 0)
    y = np.where(present, y - y.sum(axis=1, keepdims=True) / size, 0)
    products = np.einsum("rn,rn->r", x, y)
    squares = np.sqrt(np.einsum("rn,rn->r", x, x)) * np.sqrt(np.einsum("rn,rn->r", y, y))
    return quotient(products, np.where(defined, squares, 0))


def is_varied(values: Floats, present: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return which rows have different values, by the values, as squares of rounding errors are not 0."""
    low = np.where(present, values, np.inf).min(axis=1, initial=np.inf)
    high = np.where(present, values, -np.inf).max(axis=1, initial=-np.inf)
    return low < high


def _ranks(values: Floats, present: npt.NDArray[np.bool_]) -> Floats:
    """Return ranks within each row, with midranks for ties; ranks of missing values are arbitrary."""
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
    """Divide counts of one shape; NaN if the denominator is 0. Values near 1 and -1 become exact."""
    quotients = np.divide(numerators, denominators, out=np.full(numerators.shape, np.nan), where=denominators > 0)
    return np.where(np.abs(np.abs(quotients) - 1) < ROUNDING_ERROR, np.sign(quotients), quotients)


def mean_of_groups(coefficients: Floats) -> Floats:
    """Return the means (trials,) of coefficients (G, trials) over the groups that have one; NaN if none has."""
    known = ~np.isnan(coefficients)
    counts = known.sum(axis=0)
    total = np.where(known, coefficients, 0).sum(axis=0)
    return np.divide(total, counts, out=np.full(len(counts), np.nan), where=counts > 0)


def _pair_counts(x: Floats, y: Floats, present: npt.NDArray[np.bool_]) -> tuple[Integers, ...]:
    """Return per row: concordant minus discordant pairs, pairs untied in x, in y, of different sign, and all pairs."""
    if x.shape[1] > MAX_PAIRWISE_LENGTH:
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
    """Yield the signs of all differences in each row, 0 if an entry is missing, and the number of pairs."""
    first, second = np.triu_indices(x.shape[1], k=1)
    size = present.sum(axis=1)
    for rows in _batches(len(x), len(first)):
        is_present = present[rows]
        a, b = np.where(is_present, x[rows], 0), np.where(is_present, y[rows], 0)
        is_pair = is_present[:, first] & is_present[:, second]
        signs_x = (np.sign(a[:, first] - a[:, second]) * is_pair).astype(np.int8)
        signs_y = (np.sign(b[:, first] - b[:, second]) * is_pair).astype(np.int8)
        yield signs_x, signs_y, size[rows] * (size[rows] - 1) // 2


def _batches(rows: int, pairs: int) -> Iterator[slice]:
    size = max(1, BATCH_PAIRS // max(pairs, 1))
    return (slice(start, start + size) for start in range(0, rows, size))


def _sorted_counts(x: Floats, y: Floats) -> tuple[int, ...]:
    """Return the counts of `_pair_counts` for one long row in O(n log n), from tau-b and the numbers of ties."""
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
    """Return the differences of all pairs for which a tie matters, and its effect on the row's accuracy."""
    present = np.isfinite(x)
    first, second = np.triu_indices(x.shape[1], k=1)
    differences: list[Floats] = []
    gains: list[Floats] = []
    for rows in _batches(len(x), len(first)):
        row_differences = np.round(x[rows][:, first] - x[rows][:, second], DECIMALS)
        human_differences = y[rows][:, first] - y[rows][:, second]
        pair_gains = tie_gains(row_differences, human_differences)
        is_changed = (pair_gains != 0) & present[rows][:, first] & present[rows][:, second]
        differences.append(np.abs(row_differences[is_changed]))
        gains.append((pair_gains / pairs[rows, None])[is_changed])
    return np.concatenate(differences), np.concatenate(gains)


def _pooled_p(x: Floats, y: Floats, method: Method) -> float:
    from scipy import stats

    present = np.isfinite(x)
    x, y = x[present], y[present]
    if method == "pairwise-accuracy":
        return math.nan
    test = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}[method]
    return float(test(x, y).pvalue)


def _why_undefined(x: Floats, y: Floats) -> str:
    """Return why no group has a coefficient."""
    present = np.isfinite(x)
    if not present.any():
        return "no segment has both scores"
    if (present.sum(axis=1) < 2).all():  # noqa: PLR2004 # a pair
        return "no group has two entries with both scores"
    for values, noun in ((x, "metric scores"), (y, "ratings")):
        if not is_varied(np.where(present, values, 0), present).any():
            return f"all {noun} of a group are the same, in every group"
    return "all metric scores or all ratings of a group are the same, in every group"
