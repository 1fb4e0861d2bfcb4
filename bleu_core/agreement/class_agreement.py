"""Agreement of a metric with judges by class of segments, compared with all other segments.

Each segment has a coefficient over its translations by all systems, such as Kendall's tau-b, as in the grouping "item"
of segment agreement. Agreement in a class is the mean coefficient of its segments, so that agreement on all segments is
that of segment_correlation. For an uninformative metric, the expectation of Kendall's tau is 0 in every class; pairwise
accuracies depend on the share of ties in the ratings, which differs between short and long segments.

Segments of a document are correlated. Intervals come from a bootstrap over documents, or over segments if documents are
unknown. p-values come from permutations of the membership of segments in the class: Welch's t of the difference, with a
standard error over documents, is compared with t of the permutations. If segments are exchangeable the test is exact;
otherwise t has about the same distribution, because its standard error allows for documents.

In the simulations of tests/agreement/test_calibration_by_class.py the 95% intervals of the difference cover it in 94
to 97% of samples. If classes do not differ, p is at most 0.05 in 3 to 6% of samples, even if documents differ both in
agreement and in the share of the class.

Source:
    Janssen (1997), Studentized permutation tests for non-i.i.d. hypotheses; DiCiccio and Romano (2017), Robust
    permutation tests for correlation and regression coefficients; Liang and Zeger (1986) on sums over clusters.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bleu_core.agreement.scatter_points import Scatter, scatter
from bleu_core.agreement.segment_agreement import TestedMethod, coefficients_by_group
from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import plural
from bleu_core.fields import P_VALUE, P_VALUE_ADJUSTED, REASON, AtMost, Field, bounds, field, inline, result
from bleu_core.inference import (
    CONFIDENCE,
    DECIMALS,
    SEED,
    Interval,
    Unit,
    adjust,
    bootstrap_weights,
    check_draws,
    document_blocks,
    percentile_interval,
    significant,
)
from bleu_core.progress import Progress
from bleu_core.slicing import ClassMembers, SegmentClass

#: Minimum number of segments with a coefficient, inside and outside a class, for a test.
MIN_SEGMENTS = 20

#: Minimum number of documents, inside and outside a class, for a standard error over documents.
MIN_DOCUMENTS = 10

RESAMPLES, TRIALS = 1000, 2000

#: Variances up to this are those of equal values.
MAX_ZERO_VARIANCE = 1e-24

#: Approximate number of cells per batch of permutations.
_BATCH_CELLS = 500_000

_LEVEL = f"{100 * CONFIDENCE:g}%"
_ITS_BOUNDS: Mapping[str, Field] = {
    "low": Field("number", f"Lower end of its {_LEVEL} interval."),
    "high": Field("number", f"Upper end of its {_LEVEL} interval."),
}


@result
class ClassAgreement:
    """Agreement of a metric with judges in a class of segments, and outside it.

    Attributes:
        documents: None if documents are unknown.
        inside, outside: NaN without a segment.
        interval: of the difference.
        p_value: an AtMost if no permutation reaches the observed difference.
        rank_difference: percentiles are among all translations.
        reason: why there is no test; empty if there is one.
    """

    segment_class: SegmentClass = inline(SegmentClass)
    segments: int = field("count", "Segments in the class with a coefficient.", label="inside n")
    others: int = field("count", "Segments outside the class with a coefficient.", label="outside n")
    documents: int | None = field("count", "Documents with segments of the class that have a coefficient.")
    inside: float = field("number", "Mean coefficient of segments in the class.")
    inside_interval: Interval = inline(_ITS_BOUNDS, prefix="inside_")
    outside: float = field("number", "Mean coefficient of all other segments.")
    outside_interval: Interval = inline(_ITS_BOUNDS, prefix="outside_")
    difference: float = field("number", "Inside minus outside.", label="inside − outside")
    interval: Interval = inline(bounds("number", f"{_LEVEL} interval of the difference"))
    p_value: float = field(P_VALUE, "Two-sided p-value, by permutations of the membership of segments in the class.")
    p_value_adjusted: float = field(P_VALUE_ADJUSTED, "p-value corrected for the number of classes (Holm).")
    rank_difference: float = field(
        "number",
        "Mean percentile of the score minus mean percentile of the rating, over all translations of the class, as a "
        "fraction. Above 0, the metric overrates them.",
    )
    rank_interval: Interval = inline(_ITS_BOUNDS, prefix="rank_")
    reason: str = field(REASON, default="")

    @property
    def is_significant(self) -> bool:
        """Whether p (Holm) is below the significance level."""
        return significant(self.p_value_adjusted)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementByClass:
    """Agreement of a metric with judges by class of segment.

    Attributes:
        method: of the coefficient.
        coefficient: the mean over all segments.
        threshold: of ties, calibrated on all segments, for acc-eq; else NaN.
        segments: number of segments with a coefficient.
        unit: unit of the bootstrap.
        documents: number of documents with a coefficient; 0 if documents are unknown.
        classes: in the order given.
        resamples: of the bootstrap.
        trials: permutations.
        seed: of both.
    """

    method: TestedMethod
    coefficient: float
    threshold: float
    segments: int
    unit: Unit
    classes: tuple[ClassAgreement, ...]
    resamples: int
    trials: int
    seed: int
    documents: int = 0

    @property
    def different(self) -> tuple[ClassAgreement, ...]:
        """The classes with a significant difference, largest first."""
        different = [agreement for agreement in self.classes if agreement.is_significant]
        return tuple(sorted(different, key=lambda agreement: -abs(agreement.difference)))

    @property
    def tested(self) -> int:
        """The number of classes that are tested."""
        return sum(not math.isnan(agreement.p_value) for agreement in self.classes)

    @property
    def missing(self) -> str:
        """The clause after "Not tested: " that says what is missing; empty if a class is tested."""
        if self.tested:
            return ""
        if self.segments < 2 * MIN_SEGMENTS:
            verb = "is" if self.segments == 1 else "are"
            return (
                f"this needs {MIN_SEGMENTS} segments with ratings of several systems inside and outside a class, "
                f"and there {verb} {self.segments:,} in all"
            )
        if self.unit == "document" and self.documents < MIN_DOCUMENTS:
            verb = "is" if self.documents == 1 else "are"
            return f"this needs {MIN_DOCUMENTS} documents, and there {verb} {self.documents:,}"
        documents = f", in {MIN_DOCUMENTS} documents," if self.unit == "document" else ""
        return (
            f"this needs {MIN_SEGMENTS} segments with ratings of several systems{documents} inside a class and as "
            "many outside it, and no class has them"
        )


def agreement_by_class(
    scores: Floats,
    ratings: Floats,
    classes: Sequence[ClassMembers],
    documents: Sequence[str] | None = None,
    *,
    method: TestedMethod = "kendall",
    resamples: int = RESAMPLES,
    trials: int = TRIALS,
    seed: int = SEED,
    progress: Progress | None = None,
) -> AgreementByClass:
    """Compare a metric's agreement inside and outside classes of segments.

    Args:
        scores: (K, S) scores of a metric, higher is better; NaN if missing.
        ratings: (K, S) mean ratings.
        classes: of the S segments.
        documents: document of each of the S segments, if known.
        method: coefficient over the translations of a segment.
        resamples: of the bootstrap.
        trials: permutations.
        seed: of both.
        progress: called with the number of classes that are done and the number of classes.

    Raises:
        ValueError: shapes differ.
        SettingsError: a number is out of its range.
    """
    check_draws(seed, resamples=resamples, trials=trials)
    coefficients, threshold = coefficients_by_group(scores, ratings, method)
    differences, entries = _rank_differences(scatter(scores.round(DECIMALS), ratings.round(DECIMALS)))
    count = len(coefficients)
    units = np.arange(count) if documents is None else document_blocks(documents).labels
    known = ~np.isnan(coefficients)
    values = np.where(known, coefficients, 0)
    members = np.array([segment_class.members for segment_class in classes], np.bool_).reshape(len(classes), count)
    # Numerators and denominators of three means per class: inside, outside, and rank differences inside.
    inside, outside = members & known, ~members & known
    columns = np.stack(
        [inside * values, inside, outside * values, outside, members * differences, members * entries],
        axis=-1,
        dtype=np.float64,
    )  # (classes, S, 6)
    rows = np.moveaxis(columns, 0, 1).reshape(count, -1)
    by_unit = _sums(rows, units).reshape(len(np.unique(units)), len(classes), columns.shape[-1])  # (units, classes, 6)
    used_units = by_unit[by_unit[..., [1, 3, 5]].any(axis=(1, 2))]
    resampled = _resampled(used_units, resamples, seed)
    agreements: list[ClassAgreement] = []
    for n, segment_class in enumerate(classes):
        if progress is not None:
            progress(n, len(classes))
        class_sums = by_unit[:, n]
        reason = segment_class.reason or _too_few(class_sums, with_documents=documents is not None)
        p_value = math.nan
        if not reason:
            p_value, reason = _permuted_p(values[known], inside[n][known], units=units[known], trials=trials, seed=seed)
        agreements.append(
            _class_agreement(
                segment_class,
                class_sums,
                resampled[:, n],
                p_value=p_value,
                reason=reason,
                with_documents=documents is not None,
            )
        )
    adjusted = adjust(np.array([agreement.p_value for agreement in agreements]))
    corrected = [
        replace(agreement, p_value_adjusted=type(agreement.p_value)(p))
        for agreement, p in zip(agreements, adjusted.tolist(), strict=True)
    ]
    total = int(known.sum())
    mean = float(coefficients[known].mean()) if total else math.nan
    unit: Unit = "segment" if documents is None else "document"
    return AgreementByClass(
        method=method,
        coefficient=mean,
        threshold=threshold,
        segments=total,
        unit=unit,
        classes=tuple(corrected),
        resamples=resamples,
        trials=trials,
        seed=seed,
        documents=0 if documents is None else len(np.unique(units[known])),
    )


def document_scores(
    scores: Floats, ratings: Floats, documents: Sequence[str]
) -> tuple[tuple[str, ...], Floats, Floats]:
    """Return mean scores and ratings of documents, over their segments with both.

    Args:
        scores: (K, S).
        ratings: (K, S).
        documents: document of each of the S segments.

    Returns:
        D names in the order of the text, and two arrays (K, D); NaN if no segment of a document has both.
    """
    blocks = document_blocks(documents)
    present = np.isfinite(scores) & np.isfinite(ratings)
    counts = _sums(present.T.astype(np.float64), blocks.labels).T
    means = [
        np.divide(
            _sums(np.where(present, values, 0).T, blocks.labels).T,
            counts,
            out=np.full(counts.shape, np.nan),
            where=counts > 0,
        )
        for values in (scores, ratings)
    ]
    return tuple(blocks.names), means[0], means[1]


def _rank_differences(points: Scatter) -> tuple[Floats, Floats]:
    """Return each segment's sum of percentile differences over its translations, and their number."""
    segment = points.entry % points.segments
    differences = points.x_percentile - points.y_percentile
    sums = np.bincount(segment, weights=differences, minlength=points.segments).astype(np.float64)
    return sums, np.bincount(segment, minlength=points.segments).astype(np.float64)


def _sums(rows: Floats, units: Integers) -> Floats:
    """Return the sums (U, columns) by unit of rows (S, columns)."""
    order = np.argsort(units, kind="stable")
    starts = np.flatnonzero(np.diff(units[order], prepend=-1))
    return np.add.reduceat(rows[order], starts, axis=0) if len(rows) else rows


def _resampled(by_unit: Floats, resamples: int, seed: int) -> Floats:
    """Return the sums (resamples, classes, 6) over units drawn with replacement from (U, classes, 6)."""
    units, classes, columns = by_unit.shape
    if not units:
        return np.zeros((resamples, classes, columns))
    rows = by_unit.reshape(units, -1)
    resampled = [weights.astype(np.float64) @ rows for weights in bootstrap_weights(units, resamples, seed)]
    return np.concatenate(resampled).reshape(-1, classes, columns)


def _too_few(class_sums: Floats, *, with_documents: bool) -> str:
    for column, where in ((1, "in the class"), (3, "outside the class")):
        segments, documents = int(class_sums[:, column].sum()), int(np.count_nonzero(class_sums[:, column]))
        if segments < MIN_SEGMENTS:
            observed = f"{segments} {plural(segments, 'segment')} with a coefficient {where} found"
            return f"{observed}, at least {MIN_SEGMENTS} expected"
        if with_documents and documents < MIN_DOCUMENTS:
            observed = f"segments {where} in {documents} {plural(documents, 'document')} found"
            return f"{observed}, in at least {MIN_DOCUMENTS} expected"
    return ""


def _class_agreement(
    segment_class: ClassMembers,
    class_sums: Floats,
    resampled: Floats,
    *,
    p_value: float,
    reason: str,
    with_documents: bool,
) -> ClassAgreement:
    """Return the agreement of a class from its sums (units, 6) and resampled sums (resamples, 6)."""
    inside, outside, ranks = (float(_mean(class_sums.sum(axis=0), column)) for column in (0, 2, 4))
    insides, outsides, rank_means = (_mean(resampled, column) for column in (0, 2, 4))
    sizes = np.count_nonzero(class_sums, axis=0)
    tested = not reason
    return ClassAgreement(
        segment_class=segment_class.segment_class,
        segments=int(class_sums[:, 1].sum()),
        others=int(class_sums[:, 3].sum()) if not segment_class.reason else 0,
        documents=int(np.count_nonzero(class_sums[:, 1])) if with_documents else None,
        inside=inside,
        inside_interval=_interval(insides, int(np.count_nonzero(class_sums[:, 1])), tested=tested),
        outside=outside if not segment_class.reason else math.nan,
        outside_interval=_interval(outsides, int(np.count_nonzero(class_sums[:, 3])), tested=tested),
        difference=inside - outside,
        interval=_interval(insides - outsides, int(min(sizes[1], sizes[3])), tested=tested),
        p_value=p_value,
        p_value_adjusted=p_value,
        rank_difference=ranks,
        rank_interval=_interval(rank_means, int(sizes[5]), tested=tested),
        reason=reason,
    )


def _mean(sums: Floats, column: int) -> Floats:
    """Return the quotients of a column and the next one; NaN if the denominator is 0."""
    numerators, denominators = sums[..., column], sums[..., column + 1]
    return np.divide(numerators, denominators, out=np.full(numerators.shape, np.nan), where=denominators > 0)


def _interval(values: Floats, units: int, *, tested: bool) -> Interval:
    """Return the percentile interval, expanded for the number of units; NaN if the class is not tested."""
    if not tested:
        return Interval(math.nan, math.nan, CONFIDENCE)
    return percentile_interval(values, expanded_for=units)


def _permuted_p(
    values: Floats, members: npt.NDArray[np.bool_], units: Integers, trials: int, seed: int
) -> tuple[float, str]:
    """Return the two-sided p of no difference, and why there is none.

    Args:
        values: (n,) coefficients.
        members: (n,) whether each segment is in the class.
        units: (n,) number of the document of each segment, or of the segment itself.
        trials: permutations.
        seed: of the permutations.
    """
    order = np.argsort(units, kind="stable")
    values, members, units = values[order], members[order], units[order]
    starts = np.flatnonzero(np.diff(units, prepend=-1))
    values = values - values.mean()
    observed = float(_cluster_t(members[None], values, starts)[0])
    if math.isnan(observed):
        return math.nan, "all coefficients are the same"
    generator = np.random.default_rng(seed)
    extreme, done = 0, 0
    while done < trials:
        rows = min(trials - done, max(1, _BATCH_CELLS // len(values)))
        permuted = generator.permuted(np.tile(members, (rows, 1)), axis=1)
        t = np.abs(_cluster_t(permuted, values, starts))
        extreme += int(np.count_nonzero(t >= abs(observed) - 1e-9))
        done += rows
    p_value = (extreme + 1) / (trials + 1)
    return p_value if extreme else AtMost(p_value), ""


def _cluster_t(members: npt.NDArray[np.bool_], values: Floats, starts: npt.NDArray[np.intp]) -> Floats:
    """Return the difference of means, inside minus outside, divided by its standard error over documents.

    Args:
        members: (trials, n) membership, with equally many members in each row.
        values: (n,) sorted by document.
        starts: first position of each document.
    """
    n, size = len(values), int(members[0].sum())
    if len(starts) == n:
        return _welch_t(members, values, size)
    document_sums = np.add.reduceat(values, starts)
    segments = np.diff(np.append(starts, n))
    sums = np.add.reduceat(np.where(members, values, 0), starts, axis=1)
    counts = np.add.reduceat(members, starts, axis=1, dtype=np.int32)
    inside = sums.sum(axis=1, keepdims=True) / size
    outside = (document_sums.sum() - size * inside) / (n - size)
    effects = (sums - inside * counts) / size
    effects -= (document_sums - sums - outside * (segments - counts)) / (n - size)
    return _quotient((inside - outside)[:, 0], np.einsum("td,td->t", effects, effects))


def _welch_t(members: npt.NDArray[np.bool_], values: Floats, size: int) -> Floats:
    """Return `_cluster_t` for documents of one segment each, which is faster."""
    powers = np.stack([values, values**2], axis=1)
    inside, inside_squares = (members.astype(np.float64) @ powers).T
    outside, outside_squares = powers.sum(axis=0)[:, None] - (inside, inside_squares)
    others = len(values) - size
    squares = (inside_squares - inside**2 / size) / size**2 + (outside_squares - outside**2 / others) / others**2
    return _quotient(inside / size - outside / others, squares)


def _quotient(differences: Floats, squares: Floats) -> Floats:
    """Divide differences by the roots of their variances; if these are 0, infinite, or NaN without a difference."""
    limits = np.where(np.abs(differences) > np.sqrt(MAX_ZERO_VARIANCE), np.copysign(np.inf, differences), np.nan)
    return np.divide(differences, np.sqrt(np.abs(squares)), out=limits, where=squares > MAX_ZERO_VARIANCE)
