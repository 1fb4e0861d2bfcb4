"""Agreement between judges: Krippendorff's alpha, Kendall's tau of pairs of judges, and comparisons of groups."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from bleu_core.agreement import MIN_ENTRIES, Correlation, kendall, pearson, spearman
from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import Judge, Judgments, plural
from bleu_core.fields import REASON, Field, bounds, derived, field, inline, result
from bleu_core.inference import SEED
from bleu_core.judges.krippendorff import CONFIDENCE, RESAMPLES, KrippendorffAlpha, Metric, alpha
from bleu_core.judges.ratings import JudgeRatings, judge_ratings
from bleu_core.progress import Progress

Numbers = npt.NDArray[np.int32]

MIN_JUDGES = 2

#: Up to this many common items all pairs of items are compared at once, which is faster than sorting them.
MAX_PAIRWISE_ITEMS = 300
#: Approximate number of comparisons of two items per batch.
BATCH_CELLS = 1_000_000

#: With more judges, only pairs with a coefficient are stored, and only MAX_LISTED_PAIRS of them are listed.
MAX_LISTED_JUDGES = 100
MAX_LISTED_PAIRS = math.comb(MAX_LISTED_JUDGES, 2)

#: Maximum number of pairs of ratings of one item by two judges; beyond it there is no coefficient. This number takes a
#: minute or two, and some hundred megabytes of memory.
MAX_RATING_PAIRS = 200_000_000


@result
class JudgePair:
    """Kendall's tau-b between two judges over the items that both rated.

    Attributes:
        first, second: the judges.
        coefficient: -1 to 1; NaN if it is undefined.
        items: number of items that both rated.
        reason: why it is undefined; empty if it is defined.
    """

    first: Judge
    second: Judge
    coefficient: float = field("number", "Kendall's tau-b of their ratings of the same items.", key="kendall")
    items: int = field("count", "Items that both rated.")
    reason: str = field(REASON, default="")


@result
class PairwiseKendall:
    """Kendall's tau-b of all pairs of J judges.

    Attributes:
        judges: J judges, sorted by group and name.
        rated: (J,) number of items that each judge rated.
        first, second: (P,) numbers of the judges of each pair with common items; with more than MAX_LISTED_JUDGES
            judges, of each pair with enough common items for a coefficient.
        common: (P,) number of items that both rated.
        taus: (P,) NaN if undefined.
        mean: over the pairs that have a coefficient; NaN without any.
        pairs: number of pairs that have a coefficient.
        reason: why there is no mean; empty if there is one.
    """

    judges: tuple[Judge, ...]
    rated: Integers
    first: Numbers
    second: Numbers
    common: Numbers
    taus: Floats
    mean: float = field("number", "Mean of Kendall's tau-b.")
    pairs: int = field("count", "Pairs of judges.")
    reason: str = ""

    @derived(REASON, key="reason")
    def limitation(self) -> str:
        """Why there is no mean, or which pairs are listed; empty if there is one and all are."""
        return self.reason or self.note

    @property
    def coefficients(self) -> Floats:
        """The symmetric matrix (J, J) of coefficients; NaN if undefined, and on the diagonal."""
        return self._matrix(self.taus, np.full(len(self.judges), math.nan))

    @property
    def items(self) -> Integers:
        """The matrix (J, J) of numbers of items that both rated; on the diagonal, those that the judge rated."""
        return self._matrix(self.common, self.rated)

    @property
    def note(self) -> str:
        """The selection of listed pairs; empty if all are listed."""
        if len(self.judges) <= MAX_LISTED_JUDGES:
            return ""
        selection = "those with the most shared items"
        if len(self.common) <= MAX_LISTED_PAIRS:
            selection = f"those with at least {MIN_ENTRIES} shared items"
        listed, count = min(len(self.common), MAX_LISTED_PAIRS), math.comb(len(self.judges), 2)
        return f"{listed:,} of {count:,} pairs of judges are listed: {selection}"

    def __iter__(self) -> Iterator[JudgePair]:
        """Yield every pair once; with more than MAX_LISTED_JUDGES judges, the pairs with the most common items."""
        for first, second, items, coefficient in self._listed():
            reason = ""
            if items < MIN_ENTRIES:
                reason = f"{items} {plural(items, 'item')} rated by both, at least {MIN_ENTRIES} needed"
            elif math.isnan(coefficient):
                reason = "one of the two judges gave all these items the same rating"
            yield JudgePair(
                first=self.judges[first],
                second=self.judges[second],
                coefficient=coefficient,
                items=items,
                reason=reason,
            )

    def _listed(self) -> list[tuple[int, int, int, float]]:
        if len(self.judges) <= MAX_LISTED_JUDGES:
            items, coefficients = self.items.tolist(), self.coefficients.tolist()
            return [(i, j, items[i][j], coefficients[i][j]) for i, j in combinations(range(len(self.judges)), 2)]
        rows = np.sort(np.argsort(-self.common, kind="stable")[:MAX_LISTED_PAIRS])
        columns = (self.first, self.second, self.common, self.taus)
        return list(zip(*(column[rows].tolist() for column in columns), strict=True))

    def _matrix(self, values: npt.NDArray[Any], diagonal: npt.NDArray[Any]) -> npt.NDArray[Any]:
        matrix = np.full((len(diagonal),) * 2, math.nan if values.dtype == np.float64 else 0, diagonal.dtype)
        matrix[self.first, self.second] = matrix[self.second, self.first] = values
        np.fill_diagonal(matrix, diagonal)
        return matrix


@result
class GroupSummary:
    """The ratings of one group of judges.

    Attributes:
        judges, ratings, items: numbers of them; repeated ratings count separately.
        standard_deviation: with ddof = 1; NaN for a single rating.
        alpha: agreement within the group.
        system_means: mean over a system's rated segments of the mean over the group's judges, by system.
    """

    group: str = field("text", "Group of the judge.")
    judges: int = field("count", "Number of judges.")
    ratings: int = field("count", "Number of ratings.")
    items: int = field("count", "Items (translated segments) that the group rated.")
    mean: float = field("decimal", "Mean of all ratings of the group.")
    standard_deviation: float = field("decimal", "Standard deviation of all ratings of the group.")
    alpha: KrippendorffAlpha = inline(
        {
            "alpha": Field("number", "Krippendorff's alpha within the group (interval)."),
            **bounds("number", f"{100 * CONFIDENCE:g}% interval of alpha"),
        }
    )
    system_means: dict[str, float]

    @derived(REASON, key="reason")
    def note(self) -> str:
        """Why there is no alpha; empty if there is one."""
        return f"no alpha: {self.alpha.reason}" if self.alpha.reason else ""


@result
class GroupPair:
    """Comparison of two groups' mean ratings of the systems that both rated.

    Attributes:
        first, second: the groups.
        systems: K systems that both rated, sorted by name.
        first_means, second_means: (K,) in the unit of the ratings.
        difference: NaN without a system.
        pearson, spearman, kendall: correlations of the means over systems; NaN with a reason if undefined.
    """

    first: str = field("text", "One group.", key="group")
    second: str = field("text", "The other group.", key="other")
    systems: tuple[str, ...] = field("count", "Systems that both rated.", part=len)
    first_means: Floats
    second_means: Floats
    difference: float = field("difference", "Mean difference over systems: second group minus first.")
    pearson: Correlation = field(
        "number", "Linear correlation of the two groups' mean ratings of systems.", part="coefficient"
    )
    spearman: Correlation = field(
        "number", "Spearman's rank correlation of the two groups' mean ratings.", part="coefficient"
    )
    kendall: Correlation = field(
        "number", "Kendall's rank correlation of the two groups' mean ratings.", part="coefficient"
    )

    @derived(REASON)
    def reason(self) -> str:
        """Why a correlation is undefined; empty if all are defined."""
        return next((c.reason for c in (self.pearson, self.spearman, self.kendall) if c.reason), "")


@dataclass(frozen=True, slots=True)
class GroupComparison:
    """Summaries of the named groups of judges, and comparisons of all pairs of groups."""

    groups: tuple[GroupSummary, ...]
    pairs: tuple[GroupPair, ...]


def krippendorff_alpha(
    judgments: Judgments,
    metric: Metric = "interval",
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
) -> KrippendorffAlpha:
    """Return Krippendorff's alpha of all judges; a judge's repeated ratings of an item are averaged first.

    An item is a segment of a system. Items rated by a single judge are excluded and counted.

    Args:
        judgments: the ratings.
        metric: "interval", "ordinal" or "nominal".
        resamples: number of resamples of items for the interval; 0 for no interval.
        seed: of the draws.
        confidence: level of the interval, a fraction.
    """
    ratings = judge_ratings(judgments)
    return alpha(ratings.item, ratings.ratings, metric, resamples=resamples, seed=seed, confidence=confidence)


def pairwise_kendall(judgments: Judgments, *, progress: Progress | None = None) -> PairwiseKendall:
    """Return Kendall's tau-b of all pairs of judges over the items that both rated.

    A judge's repeated ratings of an item are averaged first. The coefficient is undefined for fewer than three common
    items, and if one of the judges rated all of them equally.

    Args:
        judgments: the ratings.
        progress: called with the number of judges that have been compared with all later ones.
    """
    ratings = judge_ratings(judgments)
    count = len(ratings.judges)
    rated = np.bincount(ratings.judge, minlength=count)
    judges_per_item = np.bincount(ratings.item)
    rating_pairs = int((judges_per_item * (judges_per_item - 1) // 2).sum())
    min_common = 1 if count <= MAX_LISTED_JUDGES else MIN_ENTRIES
    size = min(math.comb(count, 2), rating_pairs) if rating_pairs <= MAX_RATING_PAIRS else 0
    # There can be millions of pairs; pages of an empty array that are never written take no memory.
    first, second, common = (np.empty(size, np.int32) for _ in range(3))
    taus = np.empty(size)
    n_pairs = 0
    for judge, pairs in enumerate(_by_first_judge(ratings) if size else ()):
        others, sizes, coefficients = _taus(*pairs, min_common)
        rows = slice(n_pairs, n_pairs := n_pairs + len(others))
        first[rows], second[rows], common[rows], taus[rows] = judge, others, sizes, coefficients
        if progress:
            progress(judge + 1, count)
    first, second, common, taus = first[:n_pairs], second[:n_pairs], common[:n_pairs], taus[:n_pairs]
    for array in (rated, first, second, common, taus):
        array.flags.writeable = False
    undefined = np.isnan(taus)
    defined_taus = taus[~undefined] if undefined.any() else taus
    reason = ""
    if rating_pairs > MAX_RATING_PAIRS:
        reason = f"{rating_pairs:,} pairs of ratings of the same item found, at most {MAX_RATING_PAIRS:,} are compared"
    elif count < MIN_JUDGES:
        reason = f"{count} {plural(count, 'judge')}, at least {MIN_JUDGES} needed"
    elif common.max(initial=0) < MIN_ENTRIES:
        reason = f"no two of {count} judges share at least {MIN_ENTRIES} items"
    elif not len(defined_taus):
        reason = f"the coefficient is undefined for all pairs of {count} judges"
    mean = float(defined_taus.mean()) if len(defined_taus) else math.nan
    return PairwiseKendall(
        judges=ratings.judges,
        rated=rated,
        first=first,
        second=second,
        common=common,
        taus=taus,
        mean=mean,
        pairs=len(defined_taus),
        reason=reason,
    )


def compare_groups(
    judgments: Judgments,
    metric: Metric = "interval",
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> GroupComparison:
    """Summarise every named group of judges, and compare the system means of all pairs of groups.

    Args:
        judgments: the ratings.
        metric: metric of alpha.
        resamples: number of resamples for alpha's interval; 0 for no interval.
        seed: of the draws.
    """
    groups = tuple(
        _group(name, judgments.of_group(name), metric=metric, resamples=resamples, seed=seed)
        for name in sorted(judgments.groups)
    )
    return GroupComparison(groups, tuple(_compared(first, second) for first, second in combinations(groups, 2)))


def _by_first_judge(ratings: JudgeRatings) -> Iterator[tuple[Integers, Floats, Floats]]:
    """Yield for each judge the later judges' ratings of the same items, sorted by judge and item.

    Yields:
        For n pairs of ratings: (n,) the later judge, (n,) the judge's rating, (n,) the later judge's rating.
    """
    by_item = np.argsort(ratings.item, kind="stable")  # and by judge
    position = np.empty(len(by_item), np.int64)
    position[by_item] = np.arange(len(by_item))
    judge, score = ratings.judge[by_item], ratings.ratings[by_item]
    ends = np.cumsum(np.bincount(ratings.item))[ratings.item]  # end of each rating's item, in this order
    bounds = np.searchsorted(ratings.judge, np.arange(len(ratings.judges) + 1))
    for start, end in pairwise(bounds.tolist()):
        starts = position[start:end] + 1
        sizes = ends[start:end] - starts
        cumulative = np.cumsum(sizes)
        rows = np.arange(int(cumulative[-1])) + np.repeat(starts - cumulative + sizes, sizes)
        order = np.argsort(judge[rows], kind="stable")
        yield judge[rows[order]], np.repeat(ratings.ratings[start:end], sizes)[order], score[rows[order]]


def _taus(judge: Integers, x: Floats, y: Floats, min_common: int) -> tuple[Integers, Integers, Floats]:
    """Return tau-b with each later judge who has at least a number of items in common.

    Args:
        judge: (n,) the later judge of each pair of ratings, ascending.
        x: (n,) the first judge's ratings.
        y: (n,) the later judge's ratings.
        min_common: minimum number of common items.

    Returns:
        The later judges, their numbers of common items, and tau, NaN if it is undefined.
    """
    others, starts, sizes = np.unique(judge, return_index=True, return_counts=True)
    taus = np.full(len(others), math.nan)
    for size in np.unique(sizes[sizes >= MIN_ENTRIES]).tolist():
        judges_of_size = np.flatnonzero(sizes == size)
        offsets: Integers = np.arange(size, dtype=np.int64)[:, None]
        batch_size = max(1, BATCH_CELLS // math.comb(size, 2))
        for start in range(0, len(judges_of_size), batch_size):
            batch = judges_of_size[start : start + batch_size]
            rows = starts[batch] + offsets
            taus[batch] = _column_taus(x[rows], y[rows])
    is_listed = sizes >= min_common
    return others[is_listed], sizes[is_listed], taus[is_listed]


def _column_taus(x: Floats, y: Floats) -> Floats:
    """Return tau-b of each column of two arrays (n, columns); NaN if either does not vary."""
    if len(x) > MAX_PAIRWISE_ITEMS:
        from scipy import stats  # loaded when first needed: scoring does without

        is_varied = (np.ptp(x, axis=0) > 0) & (np.ptp(y, axis=0) > 0)
        return np.array(
            [
                float(stats.kendalltau(column_x, column_y, method="asymptotic").statistic) if varies else math.nan
                for column_x, column_y, varies in zip(x.T, y.T, is_varied.tolist(), strict=True)
            ]
        )
    first, second = np.triu_indices(len(x), 1)
    order_x, order_y = np.sign(x[first] - x[second]), np.sign(y[first] - y[second])
    # Concordant minus discordant pairs, and the numbers of pairs without ties on each side.
    concordance = np.einsum("ij,ij->j", order_x, order_y)
    by_x, by_y = (np.einsum("ij,ij->j", order, order) for order in (order_x, order_y))
    # Division by one root after the other, as in SciPy, gives exactly 1 for a perfect order.
    with np.errstate(divide="ignore", invalid="ignore"):
        taus = concordance / np.sqrt(by_x) / np.sqrt(by_y)
    return np.where((by_x > 0) & (by_y > 0), np.clip(taus, -1.0, 1.0), math.nan)


def _group(name: str, judgments: Judgments, metric: Metric, resamples: int, seed: int) -> GroupSummary:
    scores = judgments.rated["score"].to_numpy(np.float64)
    return GroupSummary(
        group=name,
        judges=judgments.judge_count,
        ratings=len(scores),
        items=len(np.unique(judge_ratings(judgments).item)),
        mean=float(scores.mean()),
        standard_deviation=float(scores.std(ddof=1)) if len(scores) > 1 else math.nan,
        alpha=krippendorff_alpha(judgments, metric, resamples=resamples, seed=seed),
        system_means=dict(judgments.system_means()),
    )


def _compared(first: GroupSummary, second: GroupSummary) -> GroupPair:
    systems = tuple(sorted(first.system_means.keys() & second.system_means.keys()))
    x, y = (np.array([g.system_means[name] for name in systems], np.float64) for g in (first, second))
    with_groups = partial(_with_group_names, x=x, y=y, first=first.group, second=second.group)
    return GroupPair(
        first=first.group,
        second=second.group,
        systems=systems,
        first_means=x,
        second_means=y,
        difference=float((y - x).mean()) if systems else math.nan,
        pearson=with_groups(pearson(x, y)),
        spearman=with_groups(spearman(x, y)),
        kendall=with_groups(kendall(x, y)),
    )


def _with_group_names(correlation: Correlation, x: Floats, y: Floats, first: str, second: str) -> Correlation:
    """Return the correlation with a reason that names groups instead of BLEU and judges."""
    if not correlation.reason or len(x) < MIN_ENTRIES:
        return correlation
    constant = first if np.ptp(x) <= np.ptp(y) else second
    return replace(correlation, reason=f"all systems have the same mean rating in group {constant}")
