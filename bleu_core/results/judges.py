"""Judges, their agreement and their ratings of systems as tables and JSON."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bleu_core.arrays import best_first
from bleu_core.dataset import Judge, Judgments
from bleu_core.fields import (
    BASELINE,
    DEGREES_OF_FREEDOM,
    P_VALUE,
    P_VALUE_ADJUSTED,
    REASON,
    SYSTEM,
    Cell,
    Field,
    T,
    Table,
    field,
    result,
    table_of,
)
from bleu_core.inference import CONFIDENCE, DECIMALS, adjust
from bleu_core.judges import (
    UNITS,
    GroupComparison,
    GroupPair,
    JudgeSummary,
    KrippendorffAlpha,
    PairwiseKendall,
    RatingDifferences,
    Unit,
    VarianceComponents,
    compare_groups,
    compare_ratings,
    judge_summaries,
    judge_variance,
    krippendorff_alpha,
    pairwise_kendall,
)

#: How a judge is called whom the file does not name.
UNNAMED = "(no name)"

#: Coefficients of pairs of judges are counted in steps of 0.1; those of fewer common items than this say little.
STEPS = 20
MANY_ITEMS = 10


@dataclass(frozen=True, slots=True)
class TauCounts:
    """How many pairs of judges have a Kendall's tau in each step.

    Attributes:
        edges: (steps + 1,) from -1 to 1.
        few, many: (steps,) pairs with fewer than MANY_ITEMS items in common, and with as many or more.
    """

    edges: tuple[float, ...]
    few: tuple[int, ...]
    many: tuple[int, ...]


def judge_names(judges: Sequence[Judge]) -> tuple[str, ...]:
    """What each judge is called; with the group where a name stands in two."""
    names = [judge.name or UNNAMED for judge in judges]
    count = Counter(names)
    return tuple(
        f"{name} ({judge.group or 'no group'})" if count[name] > 1 else name
        for name, judge in zip(names, judges, strict=True)
    )


_LEVEL = f"{100 * CONFIDENCE:g}%"

GROUP = Field("text", "Group of the judge.")
RATINGS = Field("count", "Number of ratings.")
MEAN = Field("decimal", "Mean of all ratings.")
STANDARD_DEVIATION = Field("decimal", "Standard deviation.")


@result
class JudgeRow:
    """What a judge gave."""

    group: str | None = field(GROUP, default=None)
    judge: str = field("text", "Name of the judge.")
    ratings: int = field(RATINGS)
    items: int = field("count", "Items (translated segments) that the judge rated.")
    systems: int = field("count", "Systems that the judge rated.")
    repeats: int = field("count", "Ratings of items that the judge had rated before.")
    mean: float = field(MEAN, "Mean of the judge's ratings.")
    standard_deviation: float = field(
        STANDARD_DEVIATION, "Standard deviation of the judge's ratings: how widely the judge uses the scale."
    )
    minimum: float = field("decimal", "Lowest rating.")
    maximum: float = field("decimal", "Highest rating.")
    repeat_deviation: float | None = field(
        "decimal", "Standard deviation between repeated ratings of an item.", default=None
    )
    repeat_alpha: float | None = field(
        "number",
        "Krippendorff's alpha between the judge's own ratings of items rated more than once.",
        default=None,
    )
    reason: str = field(REASON, default="")


@result
class AlphaRow:
    """Krippendorff's alpha of some judges."""

    judges: str = field("text", "Judges whose agreement is measured: all, or one group.")
    metric: str = field("text", "How the distance between two ratings is measured: interval or ordinal.")
    alpha: float = field("number", "Krippendorff's alpha: 1 is perfect agreement, 0 is chance.")
    low: float = field("number", f"Lower end of the {_LEVEL} interval of alpha.")
    high: float = field("number", f"Upper end of the {_LEVEL} interval of alpha.")
    items: int = field("count", "Items (translated segments) with two or more ratings.")
    ratings: int = field(RATINGS)
    rated_once: int = field("count", "Items with a single rating, which are left out.")
    reason: str = field(REASON, default="")


@result
class JudgePairRow:
    """Agreement of two judges."""

    judge: str = field("text", "One judge.")
    other: str = field("text", "The other judge.")
    kendall: float = field("number", "Kendall's tau-b of their ratings of the same items.")
    items: int = field("count", "Items that both rated.")
    reason: str = field(REASON, default="")


@result
class VarianceRow:
    """A source of the variance of ratings."""

    source: str = field("text", "Component of the variance.")
    levels: int = field("count", "Number of systems, segments or judges.")
    variance: float = field("number", "Estimated variance.")
    share: float = field("fraction", "Share of the variance of a single rating.")
    reason: str = field(REASON, default="")


@result
class GroupRow:
    """A group of judges."""

    group: str = field(GROUP)
    judges: int = field("count", "Number of judges.")
    ratings: int = field(RATINGS)
    items: int = field("count", "Items (translated segments) that the group rated.")
    mean: float = field(MEAN, "Mean of all ratings of the group.")
    standard_deviation: float = field(STANDARD_DEVIATION, "Standard deviation of all ratings of the group.")
    alpha: float = field("number", "Krippendorff's alpha within the group (interval).")
    low: float = field("number", f"Lower end of the {_LEVEL} interval of alpha.")
    high: float = field("number", f"Upper end of the {_LEVEL} interval of alpha.")
    reason: str = field(REASON, default="")


@result
class GroupPairRow:
    """Two groups of judges compared."""

    group: str = field(GROUP, "One group.")
    other: str = field("text", "The other group.")
    systems: int = field("count", "Systems that both rated.")
    difference: float = field("difference", "Mean difference over systems: second group minus first.")
    pearson: float = field("number", "Linear correlation of the two groups' mean ratings of systems.")
    spearman: float = field("number", "Spearman's rank correlation of the two groups' mean ratings.")
    kendall: float = field("number", "Kendall's rank correlation of the two groups' mean ratings.")
    reason: str = field(REASON, default="")


@result
class MeanKendall:
    """The mean of Kendall's tau-b over pairs of judges."""

    mean: float = field("number", "Mean of Kendall's tau-b.")
    pairs: int = field("count", "Pairs of judges.")
    reason: str = field(REASON, default="")


@result
class DifferenceRow:
    """How differently judges rate two systems."""

    judges: str | None = field("text", "Judges who rated: all, or one group.", default=None)
    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    unit: str = field("text", "What n counts: pairs of ratings by judge and segment, segments, or judges.")
    n: int = field("count", "Units in which both systems were rated.", label="n")
    mean_difference: float = field("difference", "System minus baseline, mean over the units.")
    standard_deviation: float = field(STANDARD_DEVIATION, "Standard deviation of the differences.")
    low: float = field("difference", f"Lower end of the {_LEVEL} interval (Student's t).")
    high: float = field("difference", f"Upper end of the {_LEVEL} interval (Student's t).")
    t: float = field(T)
    degrees_of_freedom: int = field(DEGREES_OF_FREEDOM)
    p_value: float = field(P_VALUE, "Two-sided p-value of the paired t-test, not corrected.")
    p_value_adjusted: float = field(
        P_VALUE_ADJUSTED,
        "p-value corrected for the number of pairs by Holm's method, separately for each unit and group.",
    )
    reason: str = field(REASON, default="")


@result
class JudgesReport:
    """What `bleu-core correlate` reports of judges, where the call asks for it."""

    judges: tuple[JudgeRow, ...] | None = field("object", "Summary of each judge's ratings.", default=None)
    krippendorff: tuple[AlphaRow, ...] | None = field("object", "Krippendorff's alpha.", default=None)
    variance: tuple[VarianceRow, ...] | None = field("object", "Variance components of the ratings.", default=None)
    groups: tuple[GroupRow, ...] | None = field("object", "Groups of judges.", default=None)
    group_pairs: tuple[GroupPairRow, ...] | None = field("object", "Pairs of groups of judges.", default=None)
    judge_pairs: tuple[JudgePairRow, ...] | None = field("object", "Pairs of judges.", default=None)
    pairwise_kendall: MeanKendall | None = field("object", "Kendall's tau-b over pairs of judges.", default=None)
    rater_differences: tuple[DifferenceRow, ...] | None = field(
        "object", "Differences between the ratings of pairs of systems.", default=None
    )


_DISTRIBUTION: Mapping[str, Field] = {
    "judge": Field("text", "Name of the judge."),
    "from": Field("number", "Lower end of the bin."),
    "to": Field("number", "Upper end of the bin."),
    "ratings": RATINGS,
    "share": Field("fraction", "Share of the judge's ratings."),
}


def judges_table(summaries: Sequence[JudgeSummary]) -> Table:
    """What each judge gave, and how they repeat themselves where any item was rated again."""
    return table_of(_judges(summaries), JudgeRow)


def _judges(summaries: Sequence[JudgeSummary]) -> tuple[JudgeRow, ...]:
    grouped = any(s.judge.group is not None for s in summaries)
    repeated = any(s.repeats for s in summaries)
    rows: list[JudgeRow] = []
    for s in summaries:
        # Only of those who rated something again is it worth a word why the repeats show nothing.
        reasons = [s.reason, f"repeats: {s.consistency.reason}" if s.repeats and s.consistency.reason else ""]
        rows.append(
            JudgeRow(
                group=(s.judge.group or "") if grouped else None,
                judge=s.judge.name or UNNAMED,
                ratings=s.ratings,
                items=s.items,
                systems=s.systems,
                repeats=s.repeats,
                mean=round(s.mean, DECIMALS) + 0.0,  # of z-scores it is 0, and not minus 0
                standard_deviation=s.standard_deviation,
                minimum=s.minimum,
                maximum=s.maximum,
                repeat_deviation=s.consistency.deviation if repeated else None,
                repeat_alpha=s.consistency.alpha if repeated else None,
                reason="; ".join(r for r in reasons if r),
            )
        )
    return tuple(rows)


def distribution_table(summaries: Sequence[JudgeSummary]) -> Table:
    """How many of a judge's ratings lie in each bin."""
    names = judge_names([s.judge for s in summaries])
    rows: list[tuple[Cell, ...]] = []
    for name, s in zip(names, summaries, strict=True):
        edges = s.edges.tolist()
        counts = s.histogram.tolist()
        rows += [(name, *ends, n, n / s.ratings) for *ends, n in zip(edges[:-1], edges[1:], counts, strict=True)]
    return Table(_DISTRIBUTION, tuple(rows))


def alphas(
    interval: KrippendorffAlpha, ordinal: KrippendorffAlpha, groups: GroupComparison
) -> Mapping[str, Sequence[KrippendorffAlpha]]:
    """Group of judges -> their agreement: all judges, then each group if there are several."""
    found: dict[str, Sequence[KrippendorffAlpha]] = {"all judges": (interval, ordinal)}
    if groups.pairs:
        found |= {f"group {g.group}": (g.alpha,) for g in groups.groups}
    return found


def alpha_table(alphas: Mapping[str, Sequence[KrippendorffAlpha]]) -> Table:
    """Krippendorff's alpha, by judges and metric.

    Args:
        alphas: who the judges are -> their agreement.
    """
    return table_of(_alphas(alphas), AlphaRow)


def _alphas(alphas: Mapping[str, Sequence[KrippendorffAlpha]]) -> tuple[AlphaRow, ...]:
    return tuple(
        AlphaRow(
            judges=name,
            metric=a.metric,
            alpha=a.coefficient,
            low=a.interval.low,
            high=a.interval.high,
            items=a.items,
            ratings=a.ratings,
            rated_once=a.rated_once,
            reason=a.reason,
        )
        for name, of_judges in alphas.items()
        for a in of_judges
    )


def judge_pairs_table(found: PairwiseKendall) -> Table:
    """Kendall's tau-b of all pairs of judges, or of those with the most shared items if there are many."""
    return table_of(_judge_pairs(found), JudgePairRow)


def _judge_pairs(found: PairwiseKendall) -> tuple[JudgePairRow, ...]:
    names = dict(zip(found.judges, judge_names(found.judges), strict=True))
    return tuple(
        JudgePairRow(judge=names[p.first], other=names[p.second], kendall=p.coefficient, items=p.items, reason=p.reason)
        for p in found
    )


def tau_counts(found: PairwiseKendall) -> TauCounts:
    """Count the pairs of judges by their coefficient."""
    # A tau on an edge, like 0.3, counts in the step that begins there, whatever its last digit.
    taus = np.round(found.taus, DECIMALS)
    items = found.common
    edges = np.round(np.linspace(-1, 1, STEPS + 1), DECIMALS)
    few, many = (
        np.histogram(taus[chosen & ~np.isnan(taus)], edges)[0].tolist()
        for chosen in (items < MANY_ITEMS, items >= MANY_ITEMS)
    )
    return TauCounts(tuple(edges.tolist()), tuple(few), tuple(many))


def tau_counts_table(counts: TauCounts) -> Table:
    """Pairs of judges by their Kendall's tau-b."""
    columns = {
        "from": Field("number", "Lower end of the bin."),
        "to": Field("number", "Upper end of the bin."),
        f"pairs_with_fewer_than_{MANY_ITEMS}_items": Field("count", "Pairs of judges with few shared items."),
        f"pairs_with_{MANY_ITEMS}_items_or_more": Field("count", "Pairs of judges with many shared items."),
    }
    return Table(columns, tuple(zip(counts.edges[:-1], counts.edges[1:], counts.few, counts.many, strict=True)))


def variance_table(found: VarianceComponents) -> Table:
    """Where the variance of a rating comes from."""
    return table_of(_variance(found), VarianceRow)


def _variance(found: VarianceComponents) -> tuple[VarianceRow, ...]:
    return tuple(
        VarianceRow(source=c.name, levels=c.levels, variance=c.estimate, share=c.share, reason=c.note)
        for c in found.components
    )


def groups_table(found: GroupComparison) -> Table:
    """The groups of judges."""
    return table_of(_groups(found), GroupRow)


def _groups(found: GroupComparison) -> tuple[GroupRow, ...]:
    return tuple(
        GroupRow(
            group=g.group,
            judges=g.judges,
            ratings=g.ratings,
            items=g.items,
            mean=g.mean,
            standard_deviation=g.standard_deviation,
            alpha=g.alpha.coefficient,
            low=g.alpha.interval.low,
            high=g.alpha.interval.high,
            reason=f"no alpha: {g.alpha.reason}" if g.alpha.reason else "",
        )
        for g in found.groups
    )


def group_pairs_table(found: GroupComparison) -> Table:
    """Two groups' means of systems beside each other."""
    return table_of(_group_pairs(found), GroupPairRow)


def _group_pairs(found: GroupComparison) -> tuple[GroupPairRow, ...]:
    return tuple(
        GroupPairRow(
            group=p.first,
            other=p.second,
            systems=len(p.systems),
            difference=p.difference,
            pearson=p.pearson.coefficient,
            spearman=p.spearman.coefficient,
            kendall=p.kendall.coefficient,
            reason=_reason(p),
        )
        for p in found.pairs
    )


def group_means_table(found: GroupComparison) -> Table:
    """The mean rating of each system by each group, the best system first."""
    columns = {"system": SYSTEM}
    columns |= {f"mean of {g.group}": Field("decimal", label=f"mean of {g.group}") for g in found.groups}
    rows = tuple(
        (name, *(g.system_means.get(name, math.nan) for g in found.groups)) for name in systems_of_groups(found)
    )
    return Table(columns, rows)


def systems_of_groups(found: GroupComparison) -> tuple[str, ...]:
    """Systems that any group rated, the one with the highest mean over groups first."""
    means: dict[str, list[float]] = {}
    for group in found.groups:
        for name, mean in group.system_means.items():
            means.setdefault(name, []).append(mean)
    names = tuple(means)
    return tuple(names[k] for k in best_first(names, [sum(means[name]) / len(means[name]) for name in names]))


def corrected(found: RatingDifferences, unit: Unit) -> tuple[float, ...]:
    """The p of each pair, corrected for their number by Holm's method; NaN where there is none."""
    p_values = np.array([pair.by(unit).p_value for pair in found.pairs], np.float64)
    return tuple(adjust(p_values, "holm").tolist())


def differences_table(results: Mapping[str, RatingDifferences], units: Sequence[Unit]) -> Table:
    """Two systems' difference over each unit, system minus baseline; p as it is, and corrected for their number.

    Args:
        results: who rated -> differences; one without a name where judges are not divided.
        units: which.
    """
    return table_of(_differences(results, units), DifferenceRow)


def _differences(results: Mapping[str, RatingDifferences], units: Sequence[Unit]) -> tuple[DifferenceRow, ...]:
    rows: list[DifferenceRow] = []
    for who, found in results.items():
        adjusted = {unit: corrected(found, unit) for unit in units}
        for i, pair in enumerate(found.pairs):
            for unit in units:
                d = pair.by(unit)
                rows.append(
                    DifferenceRow(
                        judges=who if any(results) else None,
                        system=pair.better,
                        baseline=pair.worse,
                        unit=unit,
                        n=d.n,
                        mean_difference=d.mean,
                        standard_deviation=d.standard_deviation,
                        low=d.interval.low,
                        high=d.interval.high,
                        t=d.t,
                        degrees_of_freedom=d.degrees_of_freedom,
                        p_value=d.p_value,
                        p_value_adjusted=adjusted[unit][i],
                        reason=d.reason,
                    )
                )
    return tuple(rows)


def of_judges(judgments: Judgments, systems: Collection[str]) -> JudgesReport:
    """All that is known of the judges of some systems, for `bleu-core correlate --judges`."""
    rated = judgments.of_systems(systems)
    groups = compare_groups(rated)
    of_all = krippendorff_alpha(rated), krippendorff_alpha(rated, "ordinal")
    every_two = pairwise_kendall(rated)
    return JudgesReport(
        judges=_judges(judge_summaries(rated)),
        krippendorff=_alphas(alphas(*of_all, groups)),
        variance=_variance(judge_variance(rated)),
        groups=_groups(groups) if groups.pairs else None,
        group_pairs=_group_pairs(groups) if groups.pairs else None,
        judge_pairs=_judge_pairs(every_two),
        pairwise_kendall=MeanKendall(
            mean=every_two.mean, pairs=every_two.pairs, reason=every_two.reason or every_two.note
        ),
    )


def of_differences(
    judgments: Judgments, systems: Collection[str], pairs: Literal["neighbours", "all"]
) -> tuple[DifferenceRow, ...]:
    """How differently judges rate pairs of systems, for `bleu-core correlate --differences`."""
    return _differences({"": compare_ratings(judgments.of_systems(systems).table, pairs=pairs)}, UNITS)


def judge_tables(report: JudgesReport) -> list[Table]:
    """The tables of what is reported of judges; the pairs of judges are too many to be read."""
    parts: list[tuple[Sequence[object] | None, type]] = [
        (report.judges, JudgeRow),
        (report.krippendorff, AlphaRow),
        (report.variance, VarianceRow),
        (report.groups, GroupRow),
        (report.group_pairs, GroupPairRow),
        (report.rater_differences, DifferenceRow),
    ]
    return [table_of(rows, kind) for rows, kind in parts if rows is not None]


def _reason(pair: GroupPair) -> str:
    return next((c.reason for c in (pair.pearson, pair.spearman, pair.kendall) if c.reason), "")
