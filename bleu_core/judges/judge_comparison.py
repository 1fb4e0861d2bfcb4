"""A judge against the others, compared as metrics are: how close metrics come to a person.

For each judge, the ratings are those of all other judges: the mean over them, of the items that the judge and at least
one other rated (an item is a segment of a system). The judge's own ratings, and the scores of each metric on these
items, are compared with them by the same coefficient. Judge and metrics thus have the same ratings and the same items,
and the coefficients are averaged over judges.

These coefficients are not those of a ranking of metrics, which compares with all judges on all rated items: there, the
mean rating is that of more judges and so less noisy. The judge is not tested against metrics: the coefficients of
different judges are not independent, since each judge is among the others of the next.

Ratings are not adjusted for judges, and a judge's repeated ratings of an item are averaged first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from bleu_core.agreement import Grouping, MetricScores, TestedMethod, coefficients_by_group
from bleu_core.arrays import Floats
from bleu_core.dataset import Judge, Judgments, plural
from bleu_core.fields import result
from bleu_core.inference import DECIMALS, MIN_COMMON_SEGMENTS

if TYPE_CHECKING:
    import pandas as pd

#: Minimum number of items that a judge has in common with others.
MIN_JUDGED_ITEMS = MIN_COMMON_SEGMENTS

#: Maximum number of judges: those with the most items in common with others, of equal ones the first by name.
MAX_COMPARED_JUDGES = 20

#: Minimum number of systems for coefficients over systems, as in rankings of metrics.
MIN_COMPARED_SYSTEMS = 4


@result
class JudgeAgainstOthers:
    """One judge's agreement with the mean of the others, and that of metrics on the same items.

    Attributes:
        judge: the judge.
        items: number of items with ratings by this judge and by others.
        coefficient: of the judge; NaN if it is undefined.
        metrics: (M,) coefficients of the metrics with the same ratings of the same items; NaN if undefined.
        reason: why the judge's coefficient is undefined; empty if it is defined.
    """

    judge: Judge
    items: int
    coefficient: float
    metrics: Floats
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAsMetric:
    """Judges against the others, and metrics against the same ratings.

    Attributes:
        method, grouping: of the coefficients.
        over_systems: whether they are over systems.
        names: M names of metrics.
        judges: by name; those with few common items are left out.
        left_out: number of judges with fewer than MIN_JUDGED_ITEMS common items, or beyond MAX_COMPARED_JUDGES.
        reason: why no judge is compared; empty if one is.
    """

    method: TestedMethod
    grouping: Grouping
    over_systems: bool
    names: tuple[str, ...]
    judges: tuple[JudgeAgainstOthers, ...]
    left_out: int
    reason: str = ""

    @property
    def defined(self) -> tuple[JudgeAgainstOthers, ...]:
        """The judges with a coefficient, over which means are taken."""
        return tuple(judge for judge in self.judges if not math.isnan(judge.coefficient))

    @property
    def mean(self) -> float:
        """The mean coefficient of a judge; NaN if no judge has one."""
        return float(np.mean([judge.coefficient for judge in self.defined])) if self.defined else math.nan


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Items:
    """The ratings of named judges, one per judge and item, sorted by judge and item.

    Attributes:
        judges: by group and name.
        judge, item: (n,) numbers; item = system * S + segment, from 0.
        rating: (n,).
        others: (n,) the mean of the other judges' ratings of the item; NaN if there is none.
    """

    judges: tuple[Judge, ...]
    judge: np.ndarray
    item: np.ndarray
    rating: Floats
    others: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    """How a score is compared with ratings."""

    method: TestedMethod
    grouping: Grouping
    over_systems: bool


def judge_as_metric(
    judgments: Judgments,
    metrics: Sequence[MetricScores],
    *,
    method: TestedMethod,
    grouping: Grouping = "none",
    over_systems: bool = False,
) -> JudgeAsMetric:
    """Compare each judge with the mean of the others, by the coefficient of a ranking of metrics.

    Args:
        judgments: the ratings.
        metrics: scores of the same K systems and S segments.
        method: the coefficient; "acc-eq" for segments only.
        grouping: of segments.
        over_systems: whether means of systems are compared, over the common items of each, in place of segments.

    Raises:
        ValueError: the metrics have different systems, or there are none.
        AlignmentError: a rating is of a segment that the texts do not have.
    """
    if len({metric.systems for metric in metrics}) != 1:
        raise ValueError("metrics of the same systems expected, at least 1")
    systems = metrics[0].systems
    segments = max(metric.segment_scores.shape[1] for metric in metrics)
    judgments.check_segments(segments)
    named = [metric for metric in metrics if over_systems or metric.has_segments]
    items = _items(judgments, systems, segments)
    common = np.bincount(items.judge[np.isfinite(items.others)], minlength=len(items.judges))
    enough: list[int] = [j for j in np.argsort(-common, kind="stable").tolist() if common[j] >= MIN_JUDGED_ITEMS]
    compared = sorted(enough[:MAX_COMPARED_JUDGES])
    way = _Way(method=method, grouping="none" if over_systems else grouping, over_systems=over_systems)
    results: list[JudgeAgainstOthers] = []
    for j in compared:
        rows = (items.judge == j) & np.isfinite(items.others)
        own, others = (
            _matrix(items.item[rows], values[rows], (len(systems), segments)) for values in (items.rating, items.others)
        )
        coefficient, reason = _coefficient(own, others, way)
        results.append(
            JudgeAgainstOthers(
                judge=items.judges[j],
                items=int(common[j]),
                coefficient=coefficient,
                metrics=np.array([_of_metric(metric, others, way) for metric in named]),
                reason=reason,
            )
        )
    return JudgeAsMetric(
        method=method,
        grouping=way.grouping,
        over_systems=over_systems,
        names=tuple(metric.name for metric in named),
        judges=tuple(results),
        left_out=len(items.judges) - len(results),
        reason="" if results else _why_none(items, int(common.max(initial=0))),
    )


def _items(judgments: Judgments, systems: Sequence[str], segments: int) -> _Items:
    import pandas as pd  # loaded when first needed: scoring does without

    named = cast("pd.DataFrame", judgments.rated[judgments.of_named_judges.to_numpy(bool)])
    rated = named[named["system"].isin(list(systems)) & named["segment"].notna()]
    order = {name: k for k, name in enumerate(systems)}
    table = pd.DataFrame(
        {
            "group": rated["group"].astype(object).where(rated["group"].notna(), ""),
            "judge": rated["judge"].astype(object),
            "item": rated["system"].astype(object).map(order).to_numpy(np.int64) * segments
            + rated["segment"].to_numpy(np.int64)
            - 1,
            "score": rated["score"].to_numpy(np.float64),
        }
    )
    means = table.groupby(["group", "judge", "item"], sort=True)["score"].mean().reset_index()
    numbers = means.groupby(["group", "judge"], sort=True).ngroup().to_numpy(np.int64)
    names = means[["group", "judge"]].drop_duplicates()
    item, rating = means["item"].to_numpy(np.int64), means["score"].to_numpy(np.float64)
    sums = np.bincount(item, rating, minlength=len(systems) * segments)[item]
    counts = np.bincount(item, minlength=len(systems) * segments)[item] - 1
    others = np.divide(sums - rating, counts, out=np.full(len(item), np.nan), where=counts > 0)
    return _Items(
        judges=tuple(Judge(group or None, judge) for group, judge in names.itertuples(index=False)),
        judge=numbers,
        item=item,
        rating=rating.round(DECIMALS),
        others=others.round(DECIMALS),
    )


def _matrix(item: np.ndarray, values: Floats, shape: tuple[int, int]) -> Floats:
    matrix = np.full(shape[0] * shape[1], np.nan)
    matrix[item] = values
    return matrix.reshape(shape)


def _means(matrix: Floats) -> Floats:
    """Return the means of the rows over entries that are not NaN, as one column; NaN for rows without any."""
    known = np.isfinite(matrix)
    counts = known.sum(axis=1)
    sums = np.where(known, matrix, 0).sum(axis=1)
    return np.divide(sums, counts, out=np.full(len(matrix), np.nan), where=counts > 0)[:, None]


def _coefficient(scores: Floats, ratings: Floats, way: _Way) -> tuple[float, str]:
    """Return the coefficient of two (K, S) matrices, and why it is undefined."""
    if way.over_systems:
        rated = int(np.isfinite(ratings).any(axis=1).sum())
        if rated < MIN_COMPARED_SYSTEMS:
            found = f"{rated} {plural(rated, 'system')} with common items"
            return math.nan, f"{found}, at least {MIN_COMPARED_SYSTEMS} needed"
        scores, ratings = _means(scores), _means(ratings)
    by_group, _ = coefficients_by_group(scores, ratings, way.method, way.grouping)
    defined = by_group[~np.isnan(by_group)]
    if not len(defined):
        return math.nan, "the coefficient is undefined: constant ratings, or too few common items per group"
    return float(defined.mean()), ""


def _of_metric(metric: MetricScores, ratings: Floats, way: _Way) -> float:
    """Return the coefficient of a metric on the items with ratings; over systems, of its scores on these segments."""
    scores = _system_scores(metric, np.isfinite(ratings)) if way.over_systems else metric.segment_scores
    return _coefficient(scores, ratings, way)[0]


def _system_scores(metric: MetricScores, rated: np.ndarray) -> Floats:
    """Return a metric's scores of systems on the rated segments of each, repeated for (K, S) entries; NaN elsewhere."""
    if metric.sums is not None:
        sign = 1 if metric.higher_is_better else -1
        columns = np.einsum("ksc,ks->kc", metric.sums.values, rated)  # not of pandas
        scores = sign * metric.sums.score(columns)
    elif metric.has_segments:
        scores = _means(np.where(rated, metric.segment_scores, np.nan))[:, 0]
    else:
        return np.full(rated.shape, np.nan)  # scores of whole systems are not of these segments
    scores = np.where(np.isnan(metric.system_scores), np.nan, scores)  # of systems that the metric is not compared on
    return np.where(rated, scores.round(DECIMALS)[:, None], np.nan)


def _why_none(items: _Items, max_common: int) -> str:
    count = len(items.judges)
    if not count:
        return "no rating names its judge and its segment"
    if count == 1:
        return "1 judge, at least 2 needed"
    return f"no judge shares {MIN_JUDGED_ITEMS} items with others; the most is {max_common}"
