"""The score from which segments can skip review by people, chosen on part of the data and tested on the rest.

A segment of a system is acceptable if its mean rating is at least a value that the user sets. Segments skip review if
their score is at least as good as a threshold. The threshold is to keep the share of unacceptable segments among those
that skip at or below a limit.

Parts. A third of the documents is drawn for the choice, the others are for the test; segments where there are fewer
than 10 documents. Whole documents are drawn so that similar segments are not on both sides. A segment is in the same
part for all systems, since its translations share their difficulty.

Test. Thresholds at which 1% to 100% of the part for the choice skip are candidates. The one with the strongest evidence
there that the share keeps the limit is tested first in the other part, then laxer ones, one by one, until one fails;
the last that passed is recommended. A candidate passes if the upper confidence bound of its share of unacceptable
segments, in the part for the test, is at most the limit. As the order is fixed before the part for the test is used,
and the test ends at the first failure, no correction for the number of candidates is needed: whatever the metric, a
threshold whose true share exceeds the limit is recommended in at most 5% of draws. Among several metrics, each is
tested at 5% divided by their number (Bonferroni), so that this holds for all of them together. The bound also means
that a few acceptable segments are no evidence: with a limit of 5%, 59 of 59 must be acceptable.

Intervals. All shares are ratios of counts over documents or segments of several systems, which are not independent. The
interval of Clopper and Pearson holds for independent observations, so its number of observations is replaced by an
effective one, which has the variance of the ratio over documents or segments as clusters, and Student's t for their
number; for clusters of one entry the two are the same. With few unacceptable segments that variance is itself
uncertain, and often too small by chance. The design effect is therefore at least the one that follows from the
correlation of unacceptable segments within clusters in the whole part: without this, upper 95% bounds are below the
true share in up to 23% of samples (docs/measurements.md).

Source:
    Korn and Graubard (1998), Confidence intervals for proportions with small expected number of positive counts
    estimated from survey data, Survey Methodology 24; variance of a ratio over clusters: Cochran (1977), Sampling
    Techniques, chapter 6. Tests in a sequence that another part has fixed: Angelopoulos et al. (2021), Learn then test,
    arXiv 2110.01052; Laufer-Goldshtein et al. (2023), Efficiently controlling multiple risks with Pareto testing, ICLR.
    Precision and recall of a metric at a threshold: Perrella et al. (2024), arXiv 2410.05183.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from bleu_core.agreement.meta_evaluation import MetricScores
from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import MIN_RATED_SEGMENTS, plural
from bleu_core.errors import SettingsError
from bleu_core.fields import MINUS, REASON, Field, derived, exact, field, inline, result
from bleu_core.inference import CONFIDENCE, DECIMALS, SEED, Interval, check_draws, document_blocks, t_quantile

Bools = npt.NDArray[np.bool_]
Scores = TypeVar("Scores", float, Floats)

#: Default limit of the share of unacceptable segments among those that skip review.
MAX_UNACCEPTABLE = 0.05

#: Minimum number of documents to draw whole documents for the parts; else segments are drawn.
MIN_REVIEW_DOCUMENTS = 10

#: Shares of segments that skip, for tables of thresholds.
TABLE_SHARES = tuple(n / 20 for n in range(1, 21))

#: Tolerance of comparisons of mean ratings with the acceptable value: means have rounding errors.
ROUNDING = 10.0**-DECIMALS

#: Confidence of the upper bound that the limit is compared with, for all metrics together.
BOUND_CONFIDENCE = 0.95

#: A p-value in the part for the choice from which no threshold is tested: its segments speak against all of them.
HOPE = 0.5

#: Shares of the part for the choice that skip at the thresholds that can be tested: each 8% more than the one before.
CANDIDATE_SHARES = tuple(100 ** (n / 59 - 1) for n in range(60))

#: Names of the parts.
CHOICE, TEST = "choice", "test"

_LEVEL = f"{100 * CONFIDENCE:g}%"

THRESHOLD_HELP = (
    "Score from which segments skip review: at or above it, or at or below it if lower scores are better. It has as "
    "few decimals as the scores of the part for the choice allow."
)
PART_HELP = f"Part of the documents or segments: {CHOICE}, a third of them, or {TEST}, the others."
BOUND_HELP = (
    f"Upper bound of the share of unacceptable segments in the part for the test, which is compared with the limit: "
    f"one-sided, with {100 * BOUND_CONFIDENCE:g}% confidence for all metrics together."
)


@result
class Share:
    """A share of segments, as a fraction.

    Attributes:
        count: the numerator.
        of: the denominator.
        value: NaN if there is no segment to divide by.
        interval: NaN if there are fewer than two documents or segments.
        reason: why the share or its interval is undefined; empty if both are defined.
    """

    count: int = field("count", "Number of segments.")
    of: int = field("count", "Number of segments that it is a share of.")
    value: float = field("fraction", "The share.", key="share")
    interval: Interval = inline(
        {
            "low": Field("fraction", f"Lower end of its {_LEVEL} interval."),
            "high": Field("fraction", f"Upper end of its {_LEVEL} interval."),
        }
    )
    reason: str = field(REASON, default="")


@result
class ReviewOutcome:
    """The segments of one part that skip review at a threshold; a segment of each system counts as one.

    Attributes:
        part: the part.
        units: its number of documents or segments.
        threshold: in the metric's own direction.
        skipping: share of all segments that skip review.
        unacceptable: share of the segments that skip which are unacceptable.
        recall: share of the acceptable segments that skip.
        reason: why a share is undefined; empty if all are defined.
    """

    part: str = field("text", PART_HELP)
    units: int = field("count", "Number of documents or segments of the part.")
    threshold: float
    skipping: Share = field("object", "Segments that skip review, of all.")
    unacceptable: Share = field("object", "Unacceptable segments, of those that skip review.")

    @derived("object", "Acceptable segments, of those that skip review.")
    def precision(self) -> Share:
        """Share of the segments that skip which are acceptable."""
        bad = self.unacceptable
        interval = Interval(1 - bad.interval.high, 1 - bad.interval.low, bad.interval.confidence)
        return replace(bad, value=1 - bad.value, interval=interval, count=bad.of - bad.count)

    recall: Share = field("object", "Segments that skip review, of the acceptable ones.")
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReviewCurve:
    """All thresholds of one part, the strictest first; T unique scores.

    Attributes:
        thresholds: (T,) in the metric's own direction.
        skipping: (T,) numbers of segments that skip.
        unacceptable: (T,) how many of them are unacceptable.
        bound: (T,) upper confidence bound of their share; 1 if only one document or segment skips.
    """

    thresholds: Floats
    skipping: Integers
    unacceptable: Integers
    bound: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReviewPart:
    """The segments of one part that have a score and a rating, one entry per system and segment.

    Attributes:
        name: of the part.
        scores: (n,) higher is better.
        acceptable: (n,) whether the mean rating is at least the acceptable value.
        units: (n,) number of the document or of the segment of each entry.
        systems: (n,) position of the system of each entry.
        higher_is_better: of the metric's own scores.
    """

    name: str
    scores: Floats
    acceptable: Bools
    units: Integers
    systems: Integers
    higher_is_better: bool

    @property
    def size(self) -> int:
        """Number of documents or segments."""
        return len(np.unique(self.units))

    def of_system(self, system: int) -> ReviewPart:
        """Return the entries of the system at a position."""
        own = self.systems == system
        return replace(
            self,
            scores=self.scores[own],
            acceptable=self.acceptable[own],
            units=self.units[own],
            systems=self.systems[own],
        )

    def outcome(self, threshold: float) -> ReviewOutcome:
        """Return the shares at a threshold in the metric's own direction."""
        skips = self.scores >= _oriented(threshold, higher_is_better=self.higher_is_better)
        everything, bad = np.ones(len(self.scores), np.bool_), ~self.acceptable
        reason = ""
        if not len(self.scores):
            reason = "no segment has a score and a rating"
        elif not skips.any():
            reason = "no segment skips review"
        elif bad.all():
            reason = "no segment is acceptable"
        return ReviewOutcome(
            part=self.name,
            units=self.size,
            threshold=threshold,
            skipping=share_of(skips, everything, self.units, reason=reason),
            unacceptable=share_of(bad, skips, self.units, related=bad, reason=reason),
            recall=share_of(skips, self.acceptable, self.units, related=skips, reason=reason),
            reason=reason,
        )

    def bound(self, threshold: float, confidence: float) -> float:
        """Return the upper confidence bound of the share of unacceptable segments at a threshold; NaN if none skips."""
        skips = self.scores >= _oriented(threshold, higher_is_better=self.higher_is_better)
        if not skips.any():
            return math.nan
        bad = ~self.acceptable
        correlation = _correlation(_sums(bad, self.units))
        return float(_bounds(_sums(bad[skips], self.units[skips]), confidence, correlation)[1][0])

    def curve(self, confidence: float = BOUND_CONFIDENCE) -> ReviewCurve:
        """Return the segments that skip at every score of the part, with upper bounds of this confidence."""
        scores, sums, correlation = self._running()
        return ReviewCurve(
            thresholds=_oriented(scores, higher_is_better=self.higher_is_better),
            skipping=sums.n.astype(np.int64),
            unacceptable=sums.y.astype(np.int64),
            bound=_bounds(sums, confidence, correlation)[1],
        )

    def candidates(self, limit: float) -> tuple[Floats, Floats]:
        """Return thresholds that can be tested, and the p-values in this part that their share exceeds the limit.

        Returns:
            Both (C,), the strictest threshold first, where higher scores are better.
        """
        scores, sums, correlation = self._running()
        places = _places(sums.n, CANDIDATE_SHARES)
        thresholds = np.array([_shortest(scores, place) for place in places])
        return thresholds, _p_values(sums.at(places), limit, correlation)

    def bounds(self, thresholds: Floats, confidence: float) -> Floats:
        """Return the upper confidence bounds of the share of unacceptable segments; 1 if no segment skips.

        Args:
            thresholds: (C,) where higher scores are better.
            confidence: of each bound, a fraction.
        """
        scores, sums, correlation = self._running()
        skipping = np.searchsorted(-scores, -thresholds, side="right")
        bounds = np.ones(len(thresholds))
        bounds[skipping > 0] = _bounds(sums.at(skipping[skipping > 0] - 1), confidence, correlation)[1]
        return bounds

    def _running(self) -> tuple[Floats, _ClusterSums, float]:
        """Return the unique scores, highest first, the sums of what skips at each, and the correlation in clusters."""
        order = np.argsort(-self.scores, kind="stable")
        scores, bad = self.scores[order], ~self.acceptable[order]
        last = np.flatnonzero(np.diff(scores, append=-np.inf))  # of equal scores, all skip or none
        correlation = _correlation(_sums(bad, self.units[order])) if len(bad) else 0.0
        return scores[last], _running_sums(bad, self.units[order]).at(last), correlation


@result
class ReviewThreshold:
    """The threshold of a metric's scores from which segments skip review, and what it does in both parts.

    Attributes:
        metric: name of the metric.
        systems: K names.
        higher_is_better: of the metric's scores.
        signature: of the metric, if it has one.
        acceptable: the mean rating from which a segment is acceptable.
        max_unacceptable: limit of the share of unacceptable segments among those that skip, a fraction.
        seed: of the draw of the parts.
        unit: what was drawn for the parts and is a cluster of the intervals.
        documents: number of documents with ratings; 0 if documents are unknown.
        segments: number of segments with a score and a rating of at least one system.
        among: number of metrics among which this one is chosen.
        chosen_on: the part that thresholds to test are from.
        tested_on: the other part, in which they are tested.
        threshold: in the metric's own direction; NaN if there is none.
        choice: the outcome of the threshold in the first part; None if there is no threshold.
        test: the outcome in the other part; None if there is no threshold.
        reason: why there is no threshold; empty if there is one.
    """

    metric: str = field("text", "Name of the metric.")
    signature: str = field("text", "Signature of the metric; empty for scores of a file.", default="")
    higher_is_better: bool = field("text", "Whether a larger score is better.")
    threshold: float = field("number", THRESHOLD_HELP, default=math.nan)

    @derived("fraction", BOUND_HELP)
    def upper_bound(self) -> float:
        """Upper confidence bound of the share of unacceptable segments in the part for the test; NaN if none."""
        return math.nan if self.test is None else self.tested_on.bound(self.threshold, self.confidence)

    among: int = field("count", "Number of metrics that the confidence of the upper bound is for.")
    unit: str = field(
        "text", "Unit that was drawn for the parts and is a cluster of the intervals: document or segment."
    )
    documents: int = field("count", "Number of documents with ratings; 0 if they are unknown.")
    segments: int = field(
        "count", "Number of segments with a score and ratings of at least one system.", key="rated_segments"
    )

    @derived("count", "Number of segments of systems with a score and a mean rating.")
    def entries(self) -> int:
        """Number of ratings of segments of systems that have a score."""
        return len(self.chosen_on.scores) + len(self.tested_on.scores)

    @derived("fraction", "Share of them that are acceptable.", key="share_acceptable")
    def acceptable_share(self) -> float:
        """Share of all entries that are acceptable; NaN without an entry."""
        acceptable = int(self.chosen_on.acceptable.sum()) + int(self.tested_on.acceptable.sum())
        return acceptable / self.entries if self.entries else math.nan

    @derived("object", "The outcome in both parts; empty without a threshold.")
    def parts(self) -> tuple[ReviewOutcome, ...]:
        """The outcome of the threshold in both parts; empty without a threshold."""
        return () if self.choice is None or self.test is None else (self.choice, self.test)

    systems: tuple[str, ...]
    acceptable: float
    max_unacceptable: float
    seed: int
    chosen_on: ReviewPart = dataclasses.field(repr=False)
    tested_on: ReviewPart = dataclasses.field(repr=False)
    choice: ReviewOutcome | None = None
    test: ReviewOutcome | None = None
    reason: str = field(REASON, default="")

    @property
    def is_drawn(self) -> bool:
        """Whether both parts have entries, so that their curves can be drawn."""
        return bool(len(self.chosen_on.scores) and len(self.tested_on.scores))

    @property
    def confidence(self) -> float:
        """Confidence of the upper bound for this metric, which keeps that for all metrics together (Bonferroni)."""
        return _confidence(self.among)

    def thresholds(self, shares: Sequence[float] = TABLE_SHARES) -> tuple[float, ...]:
        """Return thresholds at which about these shares of the part for the choice skip, and the chosen threshold.

        Returns:
            Unique thresholds in the metric's own direction, the strictest first; none without an entry.
        """
        curve = self.chosen_on.curve()
        oriented = _oriented(curve.thresholds, higher_is_better=self.higher_is_better)
        values = {_shortest(oriented, place) for place in _places(curve.skipping.astype(np.float64), shares)}
        if not math.isnan(self.threshold):
            chosen = _oriented(self.threshold, higher_is_better=self.higher_is_better)
            values = {chosen, *values}
        return tuple(_oriented(value, higher_is_better=self.higher_is_better) for value in sorted(values, reverse=True))

    @property
    def note(self) -> str:
        """A sentence on the parts if they are not of documents; else empty."""
        if self.unit == "document":
            return ""
        known = f"{self.documents} {plural(self.documents, 'document')} with ratings found" if self.documents else ""
        known = known or "The documents of the segments are not known"
        return (
            f"{known}, at least {MIN_REVIEW_DOCUMENTS} needed to draw whole documents: the two parts are of segments, "
            "and segments of the same document can be in both."
        )


def review_threshold(
    metric: MetricScores,
    ratings: Floats,
    documents: Sequence[str] | None = None,
    *,
    acceptable: float,
    max_unacceptable: float = MAX_UNACCEPTABLE,
    seed: int = SEED,
    among: int = 1,
) -> ReviewThreshold:
    """Find the threshold from which segments skip review on part of the documents, and test it on the others.

    Args:
        metric: scores of K systems and their S segments; systems that it excludes are not used.
        ratings: (K, S) mean ratings of the same systems, larger is better; NaN if missing.
        documents: document of each of the S segments, if known.
        acceptable: the mean rating from which a segment is acceptable.
        max_unacceptable: limit of the share of unacceptable segments among those that skip, a fraction.
        seed: of the draw of the parts.
        among: number of metrics among which one is chosen by such thresholds, this one included.

    Raises:
        ValueError: shapes differ.
        SettingsError: a number is out of its range.
    """
    check_draws(seed)
    check_review(acceptable, max_unacceptable, among)
    rows = [k for k, name in enumerate(metric.systems) if name not in metric.excluded]
    if rows and len(rows) < len(metric.systems) and len(ratings) == len(metric.systems):
        metric, ratings = metric.select([metric.systems[k] for k in rows]), ratings[rows]
    scores = metric.segment_scores if metric.has_segments else np.full(ratings.shape, np.nan)
    if scores.shape != ratings.shape:
        raise ValueError(f"scores {scores.shape} and ratings {ratings.shape} differ in shape")
    present = np.isfinite(scores) & np.isfinite(ratings)
    labels = None if documents is None else document_blocks(documents).labels
    rated_segments = np.flatnonzero(present.any(axis=0))
    n_documents = 0 if labels is None else len(np.unique(labels[rated_segments]))
    by_document = labels is not None and n_documents >= MIN_REVIEW_DOCUMENTS
    units: Integers = labels if labels is not None and by_document else np.arange(ratings.shape[1], dtype=np.int64)
    first, second = _parts(units[rated_segments], seed)
    parts = [
        _part(
            name, scores, ratings, units, present=present & np.isin(units, part), acceptable=acceptable, metric=metric
        )
        for name, part in ((CHOICE, first), (TEST, second))
    ]
    threshold, reason = math.nan, _missing(metric, ratings, parts, segments=len(rated_segments), acceptable=acceptable)
    if not reason:
        threshold, reason = _recommended(parts[0], parts[1], max_unacceptable, among)
    return ReviewThreshold(
        metric=metric.name,
        systems=metric.systems,
        higher_is_better=metric.higher_is_better,
        signature=metric.signature,
        acceptable=acceptable,
        max_unacceptable=max_unacceptable,
        seed=seed,
        unit="document" if by_document else "segment",
        documents=n_documents,
        segments=len(rated_segments),
        among=among,
        chosen_on=parts[0],
        tested_on=parts[1],
        threshold=threshold,
        choice=None if reason else parts[0].outcome(threshold),
        test=None if reason else parts[1].outcome(threshold),
        reason=reason,
    )


def check_review(acceptable: float, max_unacceptable: float, among: int = 1) -> None:
    """Check the acceptable value, the limit and the number of metrics.

    Raises:
        SettingsError: a number is out of its range.
    """
    if not math.isfinite(acceptable):
        raise SettingsError(f"acceptable rating {acceptable} found, a finite number expected")
    if not 0 < max_unacceptable < 1:
        raise SettingsError(
            f"limit of unacceptable segments {max_unacceptable:g} found, a share between 0 and 1 expected"
        )
    if among < 1:
        raise SettingsError(f"{among} metrics to choose from found, at least 1 expected")


def default_acceptable(ratings: Floats) -> float:
    """Return an acceptable value that fits the scale of ratings: a default, which users should replace by their own.

    On scales without positive values, as of error weights (MQM), it is −1: one minor error. Ratings of both signs are
    taken for standardised ones, where it is 0, the average. On scales from 0 to 1, 1 to 5, 0 to 6, 1 to 7, 0 to 10 and
    0 to 100 it is three quarters of the scale. The scale is the first that holds all ratings.

    Args:
        ratings: single ratings, of any shape, in the direction of the judges' scale; NaN is ignored.

    Returns:
        NaN without a rating; three quarters of the way to the largest rating on any other scale.
    """
    values = ratings[np.isfinite(ratings)]
    if not len(values):
        return math.nan
    low, high = float(values.min()), float(values.max())
    if high <= 0:
        return -1.0
    if low < 0:
        return 0.0
    whole = bool((values == np.round(values)).all())
    scales = [(0, 1)] if not (whole and high > 1) else []
    scales += [(1, 5), (0, 6), (1, 7), (0, 10), (0, 100)]
    bottom, top = next(((b, t) for b, t in scales if b <= low and high <= t), (low, high))
    return bottom + 0.75 * (top - bottom)


def share_of(
    numerator: Bools, denominator: Bools, units: Integers, related: Bools | None = None, *, reason: str = ""
) -> Share:
    """Return the share of entries, with the interval of Korn and Graubard over units as clusters.

    A share of 0 or 1 has no variance over clusters, and that of a share near them is uncertain. The design effect is at
    least the one that follows from the correlation of a related property within clusters.

    Args:
        numerator: (n,) entries that are counted if they are in the denominator.
        denominator: (n,) entries that are divided by.
        units: (n,) number of the cluster of each entry, from 0.
        related: (n,) the related property; no correlation is assumed if it is None or the same for all.
        reason: why a share of these entries is undefined, if one is; empty if only its interval can be.
    """
    n, count = int(denominator.sum()), int((numerator & denominator).sum())
    undefined = Interval(math.nan, math.nan, CONFIDENCE)
    if not n:
        return Share(value=math.nan, interval=undefined, count=0, of=0, reason=reason)
    sums = _sums(numerator[denominator], units[denominator])
    if sums.clusters[0] <= 1:
        reason = reason or "they are all of one document or segment"
        return Share(value=count / n, interval=undefined, count=count, of=n, reason=reason)
    correlation = 0.0 if related is None else _correlation(_sums(related, units))
    low, high = (float(bound[0]) for bound in _bounds(sums, (1 + CONFIDENCE) / 2, correlation))
    return Share(value=count / n, interval=Interval(low, high, CONFIDENCE), count=count, of=n)


class _ClusterSums(NamedTuple):
    """Sums over clusters with x entries each, of which y are counted, for T sets of entries; each (T,).

    Attributes:
        n, y: numbers of entries, and of those that are counted.
        xx, xy, yy: sums of products over clusters.
        clusters: numbers of clusters with an entry.
    """

    n: Floats
    y: Floats
    xx: Floats
    xy: Floats
    yy: Floats
    clusters: Floats

    def at(self, places: Integers) -> _ClusterSums:
        """Return the sums of the sets of entries at these positions."""
        return _ClusterSums(*(column[places] for column in self))

    @property
    def share(self) -> Floats:
        """The shares of entries that are counted."""
        return self.y / self.n

    @property
    def mean_size(self) -> Floats:
        """The mean size of the cluster of an entry."""
        return self.xx / self.n

    def design_effect(self) -> Floats:
        """Return the variance of the share over clusters by that of independent entries; NaN for a share of 0 or 1."""
        p, c = self.share, self.clusters
        squares = self.yy - 2 * p * self.xy + p * p * self.xx
        independent = p * (1 - p) * self.n * self.n / np.maximum(self.n - 1, 1)
        defined = (self.y > 0) & (self.y < self.n) & (c > 1)
        return np.divide(c * squares, (c - 1) * independent, out=np.full(p.shape, np.nan), where=defined)


def _sums(counted: Bools, units: Integers) -> _ClusterSums:
    """Return the sums of one set of entries."""
    x = np.bincount(units).astype(np.float64)  # 0 for numbers without an entry
    y = np.bincount(units[counted], minlength=len(x)).astype(np.float64)
    columns = (x.sum(), y.sum(), (x * x).sum(), (x * y).sum(), (y * y).sum(), float(np.count_nonzero(x)))
    return _ClusterSums(*(np.array([column]) for column in columns))


def _running_sums(counted: Bools, units: Integers) -> _ClusterSums:
    """Return the sums of the first 1 to n entries.

    An entry adds to the products of its cluster only: with x entries before it, to the sum of squares 2x + 1.
    """
    order = np.argsort(units, kind="stable")
    starts = np.flatnonzero(np.diff(units[order], prepend=-1))
    first = np.repeat(starts, np.diff(np.append(starts, len(units))))
    cumulative = np.cumsum(counted[order])
    before = cumulative - counted[order]
    x, y = np.empty(len(units)), np.empty(len(units))
    x[order] = np.arange(len(units)) - first
    y[order] = before - before[first]
    new = counted.astype(np.float64)
    return _ClusterSums(
        n=np.arange(1.0, len(units) + 1),
        y=np.cumsum(new),
        xx=np.cumsum(2 * x + 1),
        xy=np.cumsum(y + new * (x + 1)),
        yy=np.cumsum(new * (2 * y + 1)),
        clusters=np.cumsum(x == 0, dtype=np.float64),
    )


def _correlation(sums: _ClusterSums) -> float:
    """Return the correlation within clusters that explains a design effect, from 0 to 1; 0 if it is undefined."""
    effect, size = float(sums.design_effect()[0]), float(sums.mean_size[0])
    return min(max((effect - 1) / (size - 1), 0.0), 1.0) if size > 1 and not math.isnan(effect) else 0.0


def _effective(sums: _ClusterSums, confidence: float, correlation: float) -> tuple[Bools, Floats, Floats]:
    """Return which sets have several clusters, and the effective numbers of entries that are counted and that are not.

    Args:
        sums: of T sets of entries.
        confidence: of one-sided bounds.
        correlation: within clusters; the design effect is at least the one that follows from it.
    """
    effect = np.fmax(sums.design_effect(), 1 + correlation * (sums.mean_size - 1))
    several = sums.clusters > 1
    n, clusters = np.where(several, sums.n, 2.0), np.where(several, sums.clusters, 2.0)
    ratio = t_quantile(confidence, n - 1) / t_quantile(confidence, clusters - 1)
    observations = np.minimum(n / np.maximum(effect, 1.0) * ratio**2, n)
    successes = sums.share * observations
    return several, successes, observations - successes


def _bounds(sums: _ClusterSums, confidence: float, correlation: float) -> tuple[Floats, Floats]:
    """Return lower and upper confidence bounds of shares, each one-sided; 0 and 1 with one cluster.

    Args:
        sums: of T sets of entries.
        confidence: of each bound, a fraction.
        correlation: within clusters, at least.
    """
    from scipy import special  # loaded when first needed: scoring does without

    several, successes, failures = _effective(sums, confidence, correlation)
    some, all_ = several & (sums.y > 0), ~several | (sums.y >= sums.n)
    low = np.where(some, special.betaincinv(np.where(some, successes, 1.0), failures + 1, 1 - confidence), 0.0)
    high = np.where(all_, 1.0, special.betaincinv(successes + 1, np.where(all_, 1.0, failures), confidence))
    return low, high


def _p_values(sums: _ClusterSums, limit: float, correlation: float) -> Floats:
    """Return the one-sided p-values of the hypotheses that shares exceed the limit; 1 with one cluster."""
    from scipy import special  # loaded when first needed: scoring does without

    several, successes, failures = _effective(sums, BOUND_CONFIDENCE, correlation)
    tested = several & (sums.y < sums.n)
    return np.where(tested, special.betainc(np.where(tested, failures, 1.0), successes + 1, 1 - limit), 1.0)


def _parts(units: Integers, seed: int) -> tuple[Integers, Integers]:
    """Draw a third of the units for the choice, rounded down, and return them and the others."""
    drawn = np.random.default_rng(seed).permutation(np.unique(units))
    return drawn[: len(drawn) // 3], drawn[len(drawn) // 3 :]


def _part(
    name: str,
    scores: Floats,
    ratings: Floats,
    units: Integers,
    *,
    present: Bools,
    acceptable: float,
    metric: MetricScores,
) -> ReviewPart:
    return ReviewPart(
        name=name,
        scores=scores[present],
        acceptable=(ratings >= acceptable - ROUNDING)[present],
        units=np.broadcast_to(units, present.shape)[present],
        systems=np.nonzero(present)[0],
        higher_is_better=metric.higher_is_better,
    )


def _missing(
    metric: MetricScores, ratings: Floats, parts: Sequence[ReviewPart], *, segments: int, acceptable: float
) -> str:
    """Return why the data allow no choice; empty if they do."""
    if not metric.has_segments or not np.isfinite(metric.segment_scores).any():
        return f"{metric.name} has no scores of segments"
    if not np.isfinite(ratings).any():
        return "no ratings of segments found"
    if segments < MIN_RATED_SEGMENTS:
        return (
            f"{segments} {plural(segments, 'segment')} with a score and a rating found, at least {MIN_RATED_SEGMENTS} "
            "expected"
        )
    if not any(part.acceptable.any() for part in parts):
        return f"no mean rating is {exact(acceptable)} or more"
    if not parts[0].acceptable.any():
        return f"no mean rating in the part for the choice is {exact(acceptable)} or more"
    return ""


def _recommended(choice: ReviewPart, test: ReviewPart, limit: float, among: int) -> tuple[float, str]:
    """Return the laxest threshold that passes, tested from the most promising one on, or why there is none."""
    candidates, p_values = choice.candidates(limit)
    first = int(np.argmin(p_values))
    bounds = test.bounds(candidates[first:], _confidence(among))
    passed = int(np.argmin([*(bounds <= limit).tolist(), False]))  # number of candidates before the first failure
    if p_values[first] < HOPE and passed:
        return _oriented(float(candidates[first + passed - 1]), higher_is_better=test.higher_is_better), ""
    start = _oriented(float(candidates[first]), higher_is_better=test.higher_is_better)
    at = f"{exact(start).replace('-', MINUS)} or {'above' if test.higher_is_better else 'below'}"
    of_limit = f"the share of unacceptable segments at or below {100 * limit:.10g}%"
    if p_values[first] >= HOPE:
        return math.nan, (
            f"the part for the choice has too little evidence of a threshold that keeps {of_limit}: at best, at {at}, "
            f"{_counted(choice.outcome(start))}"
        )
    return math.nan, (
        f"no threshold keeps {of_limit} with {bound_confidence(among)}: at {at}, {_counted(test.outcome(start))} in "
        f"the part for the test, with an upper bound of {percent_beside(float(bounds[0]), limit)}"
    )


def _counted(outcome: ReviewOutcome) -> str:
    return f"{outcome.unacceptable.count:,} of {outcome.unacceptable.of:,} segments are unacceptable"


def _confidence(among: int) -> float:
    """Return the confidence of the upper bound of one of several metrics (Bonferroni)."""
    return 1 - (1 - BOUND_CONFIDENCE) / among


def bound_confidence(among: int) -> str:
    """Name the confidence of upper bounds, and the number of metrics that it is for, as in `95% confidence`."""
    metrics = f" for {among:,} metrics together" if among > 1 else ""
    return f"{100 * BOUND_CONFIDENCE:g}% confidence{metrics}"


def percent_beside(fraction: float, limit: float) -> str:
    """Format a fraction as a percentage, with as many decimals as show on which side of a limit it is.

    >>> percent_beside(0.0504, 0.05), percent_beside(0.0123, 0.05), percent_beside(0.05, 0.05)
    ('5.04%', '1.2%', '5.0%')
    """
    for decimals in range(1, DECIMALS):
        rounded = round(100 * fraction, decimals)
        as_printed = round(100 * limit, DECIMALS)
        if (rounded > as_printed) == (fraction > limit) and (rounded < as_printed) == (fraction < limit):
            return f"{rounded:.{decimals}f}%"
    return f"{100 * fraction:.1f}%"


def _places(skipping: Floats, shares: Sequence[float]) -> Integers:
    """Return the positions, unique and in order, at which at least these shares of the last number skip."""
    if not len(skipping):
        return np.zeros(0, np.int64)
    wanted = np.array(shares) * skipping[-1] - ROUNDING
    places: Integers = np.asarray(np.searchsorted(skipping, wanted), np.int64)
    return np.unique(np.minimum(places, len(skipping) - 1))


def _shortest(scores: Floats, place: int) -> float:
    """Return the threshold with the fewest decimals that separates a score from the next lower one.

    Args:
        scores: (T,) unique, higher is better, the highest first.
        place: the position of the lowest score that skips.
    """
    score = float(scores[place])
    if place + 1 < len(scores):
        return shortest_within(float(scores[place + 1]), score)
    return shortest_within(score - max(float(scores[0]) - score, abs(score), 1.0) / 100, score)


def shortest_within(low: float, high: float) -> float:
    """Return the number above `low` and at most `high` with the fewest decimals, the largest of several.

    >>> shortest_within(0.8274, 0.8312), shortest_within(-3.0, -2.5)
    (0.83, -2.5)
    """
    for decimals in range(DECIMALS):
        value = math.floor(high * 10**decimals) / 10**decimals
        if low < value <= high:
            return value
    return high


def _oriented(scores: Scores, *, higher_is_better: bool) -> Scores:
    """Change between a metric's own scores and those where higher is better."""
    return scores + 0.0 if higher_is_better else 0.0 - scores  # avoids -0.0
