"""Where a metric and judges disagree: their agreement on segments of a class, and on all others.

Each segment has a coefficient over its translations, those of all systems: Kendall's tau-b, say, as in the grouping
"item" of segment agreement. Agreement in a class is the mean coefficient of its segments, so that of all segments is
what segment_correlation gives. Kendall's tau is expected to be 0 on segments of any class for a metric that knows
nothing; pairwise accuracies depend on how often judges tie, which differs between short and long segments, and are
best compared with that in mind.

Segments of a document are alike. Intervals come from a bootstrap over documents, or over segments where documents are
not known. p comes from permutations of which segments are in the class: Welch's t of the difference is compared with t
of the permutations, its standard error being that of sums over documents. If segments are exchangeable the test is
exact; if they are not, t has about the same distribution in any case, because it is divided by a standard error that
allows for documents.

In the simulations of tests/agreement/test_calibration_by_class.py the 95% intervals of the difference cover it in 94
to 97% of samples, and p is at most 0.05 in 3 to 6% of them where classes do not differ, also where documents differ
both in agreement and in the share of the class.

Source:
    Janssen (1997), Studentized permutation tests for non-i.i.d. hypotheses; DiCiccio and Romano (2017), Robust
    permutation tests for correlation and regression coefficients; Liang and Zeger (1986) on sums over clusters.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bleu_core.agreement.scatter_points import Scatter, scatter
from bleu_core.agreement.segment_agreement import TestedMethod, coefficients_by_group
from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import plural
from bleu_core.fields import AtMost
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

#: With fewer segments with a coefficient inside or outside, a class is listed without a test.
ENOUGH_SEGMENTS = 20

#: With fewer documents inside or outside, the standard error over documents says little.
ENOUGH_DOCUMENTS = 10

RESAMPLES, TRIALS = 1000, 2000

#: A variance up to this is that of equal values.
NOISE = 1e-24

#: Permutations are drawn as many at a time as make so many cells.
_CELLS = 500_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassAgreement:
    """Agreement of a metric with judges in a class of segments, and outside it.

    Attributes:
        segment_class: the class.
        segments: in the class, with a coefficient.
        others: outside it, with a coefficient.
        documents: with a segment in the class; None where documents are not known.
        inside, outside: mean coefficients; NaN without a segment.
        inside_interval, outside_interval: of them.
        difference: inside minus outside.
        interval: of the difference.
        p_value: two-sided, of no difference; an AtMost where no permutation reaches it.
        p_value_adjusted: by Holm's method for the number of classes.
        rank_difference: mean percentile of the metric's score minus that of the rating, over all translations of the
            class, as a fraction: above 0 where the metric overrates them. Percentiles are those among all translations.
        rank_interval: of it.
        reason: why there is no test, else empty.
    """

    segment_class: SegmentClass
    segments: int
    others: int
    documents: int | None
    inside: float
    inside_interval: Interval
    outside: float
    outside_interval: Interval
    difference: float
    interval: Interval
    p_value: float
    p_value_adjusted: float
    rank_difference: float
    rank_interval: Interval
    reason: str = ""

    @property
    def is_significant(self) -> bool:
        """Whether the corrected p is below the significance level."""
        return significant(self.p_value_adjusted)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementByClass:
    """Agreement of a metric with judges by class of segment.

    Attributes:
        method: of the coefficient.
        coefficient: the mean over all segments.
        threshold: of ties; NaN but of acc-eq, whose threshold is that of all segments.
        segments: with a coefficient.
        unit: what the bootstrap draws.
        documents: with a coefficient; 0 where documents are not known.
        classes: in the order in which they were given.
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
        """The classes with a significant difference, the largest first."""
        found = [one for one in self.classes if one.is_significant]
        return tuple(sorted(found, key=lambda one: -abs(one.difference)))

    @property
    def tested(self) -> int:
        """How many classes are tested."""
        return sum(not math.isnan(one.p_value) for one in self.classes)

    @property
    def missing(self) -> str:
        """What is missing where no class is tested: a clause for "Not tested: …"; empty where one is."""
        if self.tested:
            return ""
        if self.segments < 2 * ENOUGH_SEGMENTS:
            are = "is" if self.segments == 1 else "are"
            return (
                f"this needs {ENOUGH_SEGMENTS} segments with ratings of several systems inside and outside a class, "
                f"and there {are} {self.segments:,} in all"
            )
        if self.unit == "document" and self.documents < ENOUGH_DOCUMENTS:
            are = "is" if self.documents == 1 else "are"
            return f"this needs {ENOUGH_DOCUMENTS} documents, and there {are} {self.documents:,}"
        documents = f", in {ENOUGH_DOCUMENTS} documents," if self.unit == "document" else ""
        return (
            f"this needs {ENOUGH_SEGMENTS} segments with ratings of several systems{documents} inside a class and as "
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
    """Compare agreement inside and outside classes of segments.

    Args:
        scores: (K, S) of a metric, higher being better; NaN where missing.
        ratings: (K, S) mean ratings.
        classes: of the S segments.
        documents: S names, if known.
        method: of the coefficient over the translations of a segment.
        resamples: of the bootstrap.
        trials: permutations.
        seed: of both.
        progress: told how many classes of how many are done.

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
    members = np.array([one.members for one in classes], np.bool_).reshape(len(classes), count)
    # Numerators and denominators of three means of each class: inside, outside, and the ranks inside.
    inside, outside = members & known, ~members & known
    columns = np.stack(
        [inside * values, inside, outside * values, outside, members * differences, members * entries],
        axis=-1,
        dtype=np.float64,
    )  # (classes, S, 6)
    rows = np.moveaxis(columns, 0, 1).reshape(count, -1)
    by_unit = _sums(rows, units).reshape(len(np.unique(units)), len(classes), columns.shape[-1])  # (units, classes, 6)
    flat = by_unit[by_unit[..., [1, 3, 5]].any(axis=(1, 2))]
    drawn = _resampled(flat, resamples, seed)
    found: list[ClassAgreement] = []
    for n, one in enumerate(classes):
        if progress is not None:
            progress(n, len(classes))
        of_class = by_unit[:, n]
        reason = one.reason or _too_few(of_class, with_documents=documents is not None)
        p_value = math.nan
        if not reason:
            p_value, reason = _permuted_p(values[known], inside[n][known], units=units[known], trials=trials, seed=seed)
        found.append(
            _of_class(
                one,
                of_class,
                drawn[:, n],
                p_value=p_value,
                reason=reason,
                with_documents=documents is not None,
            )
        )
    adjusted = adjust(np.array([one.p_value for one in found]))
    corrected = [
        replace(one, p_value_adjusted=type(one.p_value)(p)) for one, p in zip(found, adjusted.tolist(), strict=True)
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
    """Mean scores and ratings of documents, over their segments with both.

    Args:
        scores: (K, S).
        ratings: (K, S).
        documents: S names.

    Returns:
        D names in the order of the text, and two of (K, D), NaN where no segment has both.
    """
    blocks = document_blocks(documents)
    present = np.isfinite(scores) & np.isfinite(ratings)
    counts = _sums(present.T.astype(np.float64), blocks.labels).T
    means = [
        np.divide(
            _sums(np.where(present, of_all, 0).T, blocks.labels).T,
            counts,
            out=np.full(counts.shape, np.nan),
            where=counts > 0,
        )
        for of_all in (scores, ratings)
    ]
    return tuple(blocks.names), means[0], means[1]


def _rank_differences(points: Scatter) -> tuple[Floats, Floats]:
    """Of each segment, the sum of its translations' differences in percentile, and how many translations it has."""
    segment = points.entry % points.segments
    apart = points.x_percentile - points.y_percentile
    sums = np.bincount(segment, weights=apart, minlength=points.segments).astype(np.float64)
    return sums, np.bincount(segment, minlength=points.segments).astype(np.float64)


def _sums(rows: Floats, units: Integers) -> Floats:
    """(S, columns) summed by unit, (U, columns)."""
    order = np.argsort(units, kind="stable")
    starts = np.flatnonzero(np.diff(units[order], prepend=-1))
    return np.add.reduceat(rows[order], starts, axis=0) if len(rows) else rows


def _resampled(by_unit: Floats, resamples: int, seed: int) -> Floats:
    """(U, classes, 6) sums to (resamples, classes, 6) sums of units drawn with replacement."""
    units, classes, columns = by_unit.shape
    if not units:
        return np.zeros((resamples, classes, columns))
    rows = by_unit.reshape(units, -1)
    drawn = [weights.astype(np.float64) @ rows for weights in bootstrap_weights(units, resamples, seed)]
    return np.concatenate(drawn).reshape(-1, classes, columns)


def _too_few(of_class: Floats, *, with_documents: bool) -> str:
    for column, where in ((1, "in the class"), (3, "outside the class")):
        segments, documents = int(of_class[:, column].sum()), int(np.count_nonzero(of_class[:, column]))
        if segments < ENOUGH_SEGMENTS:
            found = f"{segments} {plural(segments, 'segment')} with a coefficient {where} found"
            return f"{found}, at least {ENOUGH_SEGMENTS} expected"
        if with_documents and documents < ENOUGH_DOCUMENTS:
            found = f"segments {where} in {documents} {plural(documents, 'document')} found"
            return f"{found}, in at least {ENOUGH_DOCUMENTS} expected"
    return ""


def _of_class(
    one: ClassMembers, of_class: Floats, drawn: Floats, *, p_value: float, reason: str, with_documents: bool
) -> ClassAgreement:
    """The means of a class, (units, 6) sums, and their intervals, from (resamples, 6) sums."""
    inside, outside, ranks = (float(_mean(of_class.sum(axis=0), column)) for column in (0, 2, 4))
    of_inside, of_outside, of_ranks = (_mean(drawn, column) for column in (0, 2, 4))
    sizes = np.count_nonzero(of_class, axis=0)
    tested = not reason
    return ClassAgreement(
        segment_class=one.segment_class,
        segments=int(of_class[:, 1].sum()),
        others=int(of_class[:, 3].sum()) if not one.reason else 0,
        documents=int(np.count_nonzero(of_class[:, 1])) if with_documents else None,
        inside=inside,
        inside_interval=_interval(of_inside, int(np.count_nonzero(of_class[:, 1])), tested=tested),
        outside=outside if not one.reason else math.nan,
        outside_interval=_interval(of_outside, int(np.count_nonzero(of_class[:, 3])), tested=tested),
        difference=inside - outside,
        interval=_interval(of_inside - of_outside, int(min(sizes[1], sizes[3])), tested=tested),
        p_value=p_value,
        p_value_adjusted=p_value,
        rank_difference=ranks,
        rank_interval=_interval(of_ranks, int(sizes[5]), tested=tested),
        reason=reason,
    )


def _mean(sums: Floats, column: int) -> Floats:
    """The quotients of a column and the next one; NaN where that is 0."""
    numerators, denominators = sums[..., column], sums[..., column + 1]
    return np.divide(numerators, denominators, out=np.full(numerators.shape, np.nan), where=denominators > 0)


def _interval(values: Floats, units: int, *, tested: bool) -> Interval:
    """Percentiles, as wide as Student's for so many units; none where there are too few segments."""
    if not tested:
        return Interval(math.nan, math.nan, CONFIDENCE)
    return percentile_interval(values, expanded_for=units)


def _permuted_p(
    values: Floats, members: npt.NDArray[np.bool_], units: Integers, trials: int, seed: int
) -> tuple[float, str]:
    """The two-sided p of no difference, and why there is none.

    Args:
        values: (n,) coefficients.
        members: (n,) which are of segments in the class.
        units: (n,) document of each, or a number of its own.
        trials: permutations.
        seed: of them.
    """
    order = np.argsort(units, kind="stable")
    values, members, units = values[order], members[order], units[order]
    starts = np.flatnonzero(np.diff(units, prepend=-1))
    values = values - values.mean()
    observed = float(_cluster_t(members[None], values, starts)[0])
    if math.isnan(observed):
        return math.nan, "all coefficients are the same"
    generator = np.random.default_rng(seed)
    reached, done = 0, 0
    while done < trials:
        rows = min(trials - done, max(1, _CELLS // len(values)))
        permuted = generator.permuted(np.tile(members, (rows, 1)), axis=1)
        t = np.abs(_cluster_t(permuted, values, starts))
        reached += int(np.count_nonzero(t >= abs(observed) - 1e-9))
        done += rows
    p_value = (reached + 1) / (trials + 1)
    return p_value if reached else AtMost(p_value), ""


def _cluster_t(members: npt.NDArray[np.bool_], values: Floats, starts: npt.NDArray[np.intp]) -> Floats:
    """Difference of means, inside minus outside, by its standard error over documents; NaN where that is 0.

    Args:
        members: (trials, n), as many true in each row.
        values: (n,) sorted by document.
        starts: of the documents.
    """
    n, size = len(values), int(members[0].sum())
    if len(starts) == n:
        return _welch_t(members, values, size)
    of_documents = np.add.reduceat(values, starts)
    segments = np.diff(np.append(starts, n))
    sums = np.add.reduceat(np.where(members, values, 0), starts, axis=1)
    counts = np.add.reduceat(members, starts, axis=1, dtype=np.int32)
    inside = sums.sum(axis=1, keepdims=True) / size
    outside = (of_documents.sum() - size * inside) / (n - size)
    effects = (sums - inside * counts) / size
    effects -= (of_documents - sums - outside * (segments - counts)) / (n - size)
    return _quotient((inside - outside)[:, 0], np.einsum("td,td->t", effects, effects))


def _welch_t(members: npt.NDArray[np.bool_], values: Floats, size: int) -> Floats:
    """The same where every segment is a document of its own, which is faster."""
    both = np.stack([values, values**2], axis=1)
    inside, inside_squares = (members.astype(np.float64) @ both).T
    outside, outside_squares = both.sum(axis=0)[:, None] - (inside, inside_squares)
    others = len(values) - size
    squares = (inside_squares - inside**2 / size) / size**2 + (outside_squares - outside**2 / others) / others**2
    return _quotient(inside / size - outside / others, squares)


def _quotient(differences: Floats, squares: Floats) -> Floats:
    """Differences by the root of their variances; where that is float noise, infinite, or NaN without a difference."""
    without = np.where(np.abs(differences) > np.sqrt(NOISE), np.copysign(np.inf, differences), np.nan)
    return np.divide(differences, np.sqrt(np.abs(squares)), out=without, where=squares > NOISE)
