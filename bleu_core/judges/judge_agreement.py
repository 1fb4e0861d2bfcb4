"""Agreement between judges: Krippendorff's alpha, Kendall's tau of pairs of judges, and comparison of groups."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from bleu_core.agreement import MINIMUM_PAIRS, Correlation, kendall, pearson, spearman
from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import Judge, Judgments, plural
from bleu_core.inference import SEED
from bleu_core.judges.krippendorff import CONFIDENCE, RESAMPLES, KrippendorffAlpha, Metric, alpha
from bleu_core.judges.ratings import JudgeRatings, judge_ratings
from bleu_core.progress import Progress

Numbers = npt.NDArray[np.int32]

MIN_JUDGES = 2

#: Up to this many common items all pairs of items are compared at once, which is faster than sorting them.
FEW_ITEMS = 300
#: About so many comparisons of two items are made at once.
BATCH_CELLS = 1_000_000

#: Of more judges only pairs with a coefficient are kept and at most as many are listed as these have.
LISTED_JUDGES = 100
LISTED_PAIRS = math.comb(LISTED_JUDGES, 2)

#: Two judges' ratings of one item are one pair of ratings; with more than these there is no coefficient. They take a
#: minute or two, and memory of some hundred megabytes.
MAX_RATING_PAIRS = 200_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePair:
    """Kendall's tau-b of two judges over the items that both rated.

    Attributes:
        first, second: the judges.
        coefficient: -1 to 1; NaN where it is undefined.
        items: how many both rated.
        reason: why it is undefined, else empty.
    """

    first: Judge
    second: Judge
    coefficient: float
    items: int
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairwiseKendall:
    """Kendall's tau-b of all pairs of J judges.

    Attributes:
        judges: J of them, by group and name.
        rated: (J,) how many items each rated.
        first, second: (P,) judges, by number, of the pairs that have items in common; of more than LISTED_JUDGES
            judges, of the pairs that have enough for a coefficient.
        common: (P,) how many items both rated.
        taus: (P,) NaN where undefined.
        mean: over the pairs that have a coefficient; NaN without any.
        pairs: how many have one.
        reason: why there is no mean, else empty.
    """

    judges: tuple[Judge, ...]
    rated: Integers
    first: Numbers
    second: Numbers
    common: Numbers
    taus: Floats
    mean: float
    pairs: int
    reason: str = ""

    @property
    def coefficients(self) -> Floats:
        """(J, J) symmetric; NaN where undefined and on the diagonal."""
        return self._matrix(self.taus, np.full(len(self.judges), math.nan))

    @property
    def items(self) -> Integers:
        """(J, J) how many items both rated; on the diagonal, the judge alone."""
        return self._matrix(self.common, self.rated)

    @property
    def note(self) -> str:
        """Which pairs are listed if not all are, else empty."""
        if len(self.judges) <= LISTED_JUDGES:
            return ""
        which = "those with the most shared items"
        if len(self.common) <= LISTED_PAIRS:
            which = f"those with at least {MINIMUM_PAIRS} shared items"
        listed, count = min(len(self.common), LISTED_PAIRS), math.comb(len(self.judges), 2)
        return f"{listed:,} of {count:,} pairs of judges are listed: {which}"

    def __iter__(self) -> Iterator[JudgePair]:
        """Every pair once; of more than LISTED_JUDGES judges, LISTED_PAIRS pairs with the most common items."""
        for first, second, items, coefficient in self._listed():
            reason = ""
            if items < MINIMUM_PAIRS:
                reason = f"{items} {plural(items, 'item')} rated by both, at least {MINIMUM_PAIRS} needed"
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
        if len(self.judges) <= LISTED_JUDGES:
            items, coefficients = self.items.tolist(), self.coefficients.tolist()
            return [(i, j, items[i][j], coefficients[i][j]) for i, j in combinations(range(len(self.judges)), 2)]
        most = np.sort(np.argsort(-self.common, kind="stable")[:LISTED_PAIRS])
        columns = (self.first, self.second, self.common, self.taus)
        return list(zip(*(column[most].tolist() for column in columns), strict=True))

    def _matrix(self, values: npt.NDArray[Any], diagonal: npt.NDArray[Any]) -> npt.NDArray[Any]:
        matrix = np.full((len(diagonal),) * 2, math.nan if values.dtype == np.float64 else 0, diagonal.dtype)
        matrix[self.first, self.second] = matrix[self.second, self.first] = values
        np.fill_diagonal(matrix, diagonal)
        return matrix


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupSummary:
    """The ratings of one group of judges.

    Attributes:
        group: its name.
        judges, ratings, items: how many; ratings are counted one by one.
        mean: of all ratings, in their unit.
        standard_deviation: of all ratings, one degree of freedom taken off; NaN for a single one.
        alpha: agreement within the group.
        system_means: mean over a system's rated segments of the mean over the group's judges, by system.
    """

    group: str
    judges: int
    ratings: int
    items: int
    mean: float
    standard_deviation: float
    alpha: KrippendorffAlpha
    system_means: dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPair:
    """Two groups' means of the systems that both rated.

    Attributes:
        first, second: the groups.
        systems: K that both rated, by name.
        first_means, second_means: (K,) in the unit of the ratings.
        pearson, spearman, kendall: of the two over systems; NaN and a reason where undefined.
    """

    first: str
    second: str
    systems: tuple[str, ...]
    first_means: Floats
    second_means: Floats
    pearson: Correlation
    spearman: Correlation
    kendall: Correlation

    @property
    def difference(self) -> float:
        """By how much the second group's mean over systems exceeds the first's; NaN without a system."""
        return float((self.second_means - self.first_means).mean()) if self.systems else math.nan


@dataclass(frozen=True, slots=True)
class GroupComparison:
    """Groups of judges, each and in pairs; groups that the files do not name are none."""

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
    """Krippendorff's alpha of all judges; a judge's repeated ratings of an item are averaged first.

    An item is a segment of a system. Items that a single judge rated are left out, and counted.

    Args:
        judgments: the ratings.
        metric: "interval", "ordinal" or "nominal".
        resamples: of the interval, over items; 0 for none.
        seed: of the draws.
        confidence: a fraction.
    """
    ratings = judge_ratings(judgments)
    return alpha(ratings.item, ratings.ratings, metric, resamples=resamples, seed=seed, confidence=confidence)


def pairwise_kendall(judgments: Judgments, *, progress: Progress | None = None) -> PairwiseKendall:
    """Kendall's tau-b of all pairs of judges over the items that both rated.

    A judge's repeated ratings of an item are averaged first. Fewer than three common items, or equal ratings of all
    of them, have no coefficient.

    Args:
        judgments: the ratings.
        progress: told how many of the judges have been compared with all later ones.
    """
    ratings = judge_ratings(judgments)
    count = len(ratings.judges)
    rated = np.bincount(ratings.judge, minlength=count)
    raters = np.bincount(ratings.item)
    rating_pairs = int((raters * (raters - 1) // 2).sum())
    fewest = 1 if count <= LISTED_JUDGES else MINIMUM_PAIRS
    size = min(math.comb(count, 2), rating_pairs) if rating_pairs <= MAX_RATING_PAIRS else 0
    # There can be millions of pairs; what is not written to takes no memory.
    first, second, common = (np.empty(size, np.int32) for _ in range(3))
    taus = np.empty(size)
    end = 0
    for judge, pairs in enumerate(_by_first_judge(ratings) if size else ()):
        others, sizes, found = _taus(*pairs, fewest)
        part = slice(end, end := end + len(others))
        first[part], second[part], common[part], taus[part] = judge, others, sizes, found
        if progress:
            progress(judge + 1, count)
    first, second, common, taus = first[:end], second[:end], common[:end], taus[:end]
    for shared in (rated, first, second, common, taus):
        shared.flags.writeable = False
    undefined = np.isnan(taus)
    defined = taus[~undefined] if undefined.any() else taus
    reason = ""
    if rating_pairs > MAX_RATING_PAIRS:
        reason = f"{rating_pairs:,} pairs of ratings of the same item found, at most {MAX_RATING_PAIRS:,} are compared"
    elif count < MIN_JUDGES:
        reason = f"{count} {plural(count, 'judge')}, at least {MIN_JUDGES} needed"
    elif common.max(initial=0) < MINIMUM_PAIRS:
        reason = f"no two of {count} judges share at least {MINIMUM_PAIRS} items"
    elif not len(defined):
        reason = f"the coefficient is undefined for all pairs of {count} judges"
    mean = float(defined.mean()) if len(defined) else math.nan
    return PairwiseKendall(
        judges=ratings.judges,
        rated=rated,
        first=first,
        second=second,
        common=common,
        taus=taus,
        mean=mean,
        pairs=len(defined),
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
        metric: of alpha.
        resamples: of alpha's interval; 0 for none.
        seed: of the draws.
    """
    groups = tuple(
        _group(name, judgments.of_group(name), metric=metric, resamples=resamples, seed=seed)
        for name in sorted(judgments.groups)
    )
    return GroupComparison(groups, tuple(_compared(first, second) for first, second in combinations(groups, 2)))


def _by_first_judge(ratings: JudgeRatings) -> Iterator[tuple[Integers, Floats, Floats]]:
    """For each judge the later judges' ratings of the same items, by judge and item.

    Yields:
        Of n pairs of ratings: (n,) the later judge, (n,) the judge's rating, (n,) the later judge's.
    """
    by_item = np.argsort(ratings.item, kind="stable")  # and by judge
    place = np.empty(len(by_item), np.int64)
    place[by_item] = np.arange(len(by_item))
    judge, score = ratings.judge[by_item], ratings.ratings[by_item]
    ends = np.cumsum(np.bincount(ratings.item))[ratings.item]  # of the item of each rating, in this order
    bounds = np.searchsorted(ratings.judge, np.arange(len(ratings.judges) + 1))
    for start, end in pairwise(bounds.tolist()):
        begins = place[start:end] + 1
        sizes = ends[start:end] - begins
        behind = np.cumsum(sizes)
        rows = np.arange(int(behind[-1])) + np.repeat(begins - behind + sizes, sizes)
        order = np.argsort(judge[rows], kind="stable")
        yield judge[rows[order]], np.repeat(ratings.ratings[start:end], sizes)[order], score[rows[order]]


def _taus(judge: Integers, x: Floats, y: Floats, fewest: int) -> tuple[Integers, Integers, Floats]:
    """Tau-b with each later judge who has at least so many items in common.

    Args:
        judge: (n,) the later judge of each pair of ratings, ascending.
        x: (n,) the first judge's ratings.
        y: (n,) the later judge's.
        fewest: common items.

    Returns:
        The later judges, how many items they have in common, and tau, NaN where it is undefined.
    """
    others, begins, sizes = np.unique(judge, return_index=True, return_counts=True)
    taus = np.full(len(others), math.nan)
    for size in np.unique(sizes[sizes >= MINIMUM_PAIRS]).tolist():
        chosen = np.flatnonzero(sizes == size)
        places: Integers = np.arange(size, dtype=np.int64)[:, None]
        step = max(1, BATCH_CELLS // math.comb(size, 2))
        for start in range(0, len(chosen), step):
            part = chosen[start : start + step]
            rows = begins[part] + places
            taus[part] = _column_taus(x[rows], y[rows])
    kept = sizes >= fewest
    return others[kept], sizes[kept], taus[kept]


def _column_taus(x: Floats, y: Floats) -> Floats:
    """Tau-b of each column of two (n, columns), NaN where either does not vary."""
    if len(x) > FEW_ITEMS:
        from scipy import stats  # loaded when first needed: scoring does without

        varied = (np.ptp(x, axis=0) > 0) & (np.ptp(y, axis=0) > 0)
        return np.array(
            [
                float(stats.kendalltau(of_x, of_y, method="asymptotic").statistic) if varies else math.nan
                for of_x, of_y, varies in zip(x.T, y.T, varied.tolist(), strict=True)
            ]
        )
    first, second = np.triu_indices(len(x), 1)
    order_x, order_y = np.sign(x[first] - x[second]), np.sign(y[first] - y[second])
    # Concordant pairs less discordant ones, and the pairs that each side orders.
    both = np.einsum("ij,ij->j", order_x, order_y)
    by_x, by_y = (np.einsum("ij,ij->j", order, order) for order in (order_x, order_y))
    # One root after the other, as SciPy does: of a perfect order they give exactly 1.
    with np.errstate(divide="ignore", invalid="ignore"):
        found = both / np.sqrt(by_x) / np.sqrt(by_y)
    return np.where((by_x > 0) & (by_y > 0), np.clip(found, -1.0, 1.0), math.nan)


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
    named = partial(_renamed, x=x, y=y, first=first.group, second=second.group)
    return GroupPair(
        first=first.group,
        second=second.group,
        systems=systems,
        first_means=x,
        second_means=y,
        pearson=named(pearson(x, y)),
        spearman=named(spearman(x, y)),
        kendall=named(kendall(x, y)),
    )


def _renamed(found: Correlation, x: Floats, y: Floats, first: str, second: str) -> Correlation:
    """The same, with the reason in terms of groups instead of BLEU and people."""
    if not found.reason or len(x) < MINIMUM_PAIRS:
        return found
    constant = first if np.ptp(x) <= np.ptp(y) else second
    return replace(found, reason=f"all systems have the same mean rating in group {constant}")
