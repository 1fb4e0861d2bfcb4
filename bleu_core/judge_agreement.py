"""How judges agree with one another: Krippendorff's alpha, Kendall's tau of every two, and groups compared."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt

from bleu_core.corpus import plural
from bleu_core.correlation import MINIMUM_PAIRS, Correlation, kendall, pearson, spearman
from bleu_core.judges import judge_ratings
from bleu_core.judgments import Judge, Judgments
from bleu_core.krippendorff import CONFIDENCE, RESAMPLES, KrippendorffAlpha, Metric, alpha
from bleu_core.progress import Progress
from bleu_core.resampling import SEED

Codes = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

FEWEST_JUDGES = 2

#: Up to this many common items all pairs of items are compared at once, which is faster than sorting them.
FEW_ITEMS = 300


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class PairwiseKendall:
    """Kendall's tau-b of every two of J judges.

    Attributes:
        judges: J of them, by group and name.
        coefficients: (J, J) symmetric; NaN where undefined and on the diagonal.
        items: (J, J) how many items both rated; on the diagonal, the judge alone.
        mean: over the pairs that have a coefficient, each counted once; NaN without any.
        pairs: how many have one.
        reason: why there is no mean, else empty.
    """

    judges: tuple[Judge, ...]
    coefficients: Floats
    items: Codes
    mean: float
    pairs: int
    reason: str = ""

    def __iter__(self) -> Iterator[JudgePair]:
        """Every pair once."""
        for first, second in combinations(range(len(self.judges)), 2):
            items, coefficient = int(self.items[first, second]), float(self.coefficients[first, second])
            reason = ""
            if items < MINIMUM_PAIRS:
                reason = f"{items} {plural(items, 'item')} rated by both, at least {MINIMUM_PAIRS} needed"
            elif math.isnan(coefficient):
                reason = "one of the two gave all of these items the same rating"
            yield JudgePair(self.judges[first], self.judges[second], coefficient, items, reason)


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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
    """Kendall's tau-b of every two judges over the items that both rated.

    A judge's repeated ratings of an item are averaged first. Fewer than three common items, or equal ratings of all
    of them, have no coefficient.

    Args:
        judgments: the ratings.
        progress: told how many of the judges have been compared with all others.
    """
    from scipy import sparse  # loaded when first needed: scoring does without

    ratings = judge_ratings(judgments)
    count = len(ratings.judges)
    shape = count, int(ratings.item.max(initial=-1)) + 1
    rated_by = sparse.csr_array((np.ones(len(ratings.judge), np.int64), (ratings.judge, ratings.item)), shape=shape)
    items = (rated_by @ rated_by.T).toarray()
    coefficients = np.full((count, count), math.nan)
    own = [slice(*ends) for ends in pairwise(np.searchsorted(ratings.judge, np.arange(count + 1)).tolist())]
    # One judge's ratings lie spread over all items, so that another's items pick the common ones.
    spread = np.full(shape[1], math.nan)
    for first in range(count):
        spread[ratings.item[own[first]]] = ratings.ratings[own[first]]
        for second in range(first + 1, count):
            if items[first, second] < MINIMUM_PAIRS:
                continue
            x, y = spread[ratings.item[own[second]]], ratings.ratings[own[second]]
            common = ~np.isnan(x)
            x, y = x[common], y[common]
            if np.ptp(x) > 0 and np.ptp(y) > 0:
                coefficients[first, second] = coefficients[second, first] = _tau(x, y)
        spread[ratings.item[own[first]]] = math.nan
        if progress:
            progress(first + 1, count)
    for shared in (items, coefficients):
        shared.flags.writeable = False
    upper = np.triu_indices(count, 1)
    of_pairs = coefficients[upper]
    defined = of_pairs[~np.isnan(of_pairs)]
    if len(defined):
        return PairwiseKendall(ratings.judges, coefficients, items, float(defined.mean()), len(defined))
    reason = f"no two of {count} judges have a coefficient"
    if count < FEWEST_JUDGES:
        reason = f"{count} {plural(count, 'judge')}, at least {FEWEST_JUDGES} needed"
    elif items[upper].max() < MINIMUM_PAIRS:
        reason = f"no two of {count} judges rated {MINIMUM_PAIRS} items or more in common"
    return PairwiseKendall(ratings.judges, coefficients, items, math.nan, 0, reason)


def compare_groups(
    judgments: Judgments,
    metric: Metric = "interval",
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> GroupComparison:
    """Summarise every named group of judges, and compare the system means of every two.

    Args:
        judgments: the ratings.
        metric: of alpha.
        resamples: of alpha's interval; 0 for none.
        seed: of the draws.
    """
    groups = tuple(_group(name, judgments.of_group(name), metric, resamples, seed) for name in sorted(judgments.groups))
    return GroupComparison(groups, tuple(_compared(first, second) for first, second in combinations(groups, 2)))


def _tau(x: Floats, y: Floats) -> float:
    """Tau-b of ratings that vary."""
    if len(x) > FEW_ITEMS:
        from scipy import stats

        return float(stats.kendalltau(x, y, method="asymptotic").statistic)
    above_x, above_y, below_y = x[:, None] > x, y[:, None] > y, y[:, None] < y
    ordered_x, ordered_y = np.count_nonzero(above_x), np.count_nonzero(above_y)
    concordance = np.count_nonzero(above_x & above_y) - np.count_nonzero(above_x & below_y)
    # One root after the other, as SciPy does: of a perfect order they give exactly 1.
    found = concordance / math.sqrt(ordered_x) / math.sqrt(ordered_y)
    return max(-1.0, min(found, 1.0))


def _group(name: str, judgments: Judgments, metric: Metric, resamples: int, seed: int) -> GroupSummary:
    scores = judgments.rated["score"].to_numpy(np.float64)
    return GroupSummary(
        name,
        judgments.judge_count,
        len(scores),
        len(np.unique(judge_ratings(judgments).item)),
        float(scores.mean()),
        float(scores.std(ddof=1)) if len(scores) > 1 else math.nan,
        krippendorff_alpha(judgments, metric, resamples=resamples, seed=seed),
        dict(judgments.system_means()),
    )


def _compared(first: GroupSummary, second: GroupSummary) -> GroupPair:
    systems = tuple(sorted(first.system_means.keys() & second.system_means.keys()))
    x, y = (np.array([g.system_means[name] for name in systems], np.float64) for g in (first, second))
    found = [_renamed(correlate(x, y), x, y, first.group, second.group) for correlate in (pearson, spearman, kendall)]
    return GroupPair(first.group, second.group, systems, x, y, *found)


def _renamed(found: Correlation, x: Floats, y: Floats, first: str, second: str) -> Correlation:
    """The same, with the reason in terms of groups instead of BLEU and people."""
    if not found.reason or len(x) < MINIMUM_PAIRS:
        return found
    constant = first if np.ptp(x) <= np.ptp(y) else second
    return replace(found, reason=f"all systems have the same mean in the group {constant}")
