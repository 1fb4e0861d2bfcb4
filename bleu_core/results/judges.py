"""Judges, their agreement and their ratings of systems, as tables and JSON."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from bleu_core.arrays import best_first
from bleu_core.dataset import Judge, Judgments
from bleu_core.fields import (
    BASELINE,
    P_VALUE_ADJUSTED,
    REASON,
    SYSTEM,
    Field,
    Table,
    field,
    fields_of,
    inline,
    result,
    table_of,
)
from bleu_core.inference import DECIMALS, adjust
from bleu_core.judges import (
    UNIT,
    UNITS,
    Consistency,
    GroupComparison,
    GroupPair,
    GroupSummary,
    JudgePair,
    JudgeSummary,
    KrippendorffAlpha,
    PairedDifference,
    PairwiseKendall,
    RatingDifferences,
    Unit,
    VarianceComponent,
    VarianceComponents,
    compare_groups,
    compare_ratings,
    judge_summaries,
    judge_variance,
    krippendorff_alpha,
    pairwise_kendall,
)

#: The name of a judge without a name in the file.
UNNAMED = "(no name)"

#: Number of bins of the coefficients of pairs of judges, and the minimum number of common items of an informative
#: coefficient.
TAU_BINS = 20
MANY_ITEMS = 10


@dataclass(frozen=True, slots=True)
class TauCounts:
    """The number of pairs of judges by Kendall's tau.

    Attributes:
        edges: (bins + 1,) edges from -1 to 1.
        few, many: (bins,) pairs with fewer than MANY_ITEMS common items, and with MANY_ITEMS or more.
    """

    edges: tuple[float, ...]
    few: tuple[int, ...]
    many: tuple[int, ...]


def judge_names(judges: Sequence[Judge]) -> tuple[str, ...]:
    """Return the name of each judge, with the group if the name occurs in two groups."""
    names = [judge.name or UNNAMED for judge in judges]
    count = Counter(names)
    return tuple(
        f"{name} ({judge.group or 'no group'})" if count[name] > 1 else name
        for name, judge in zip(names, judges, strict=True)
    )


GROUP = Field("text", "Group of the judge.")
RATINGS = Field("count", "Number of ratings.")


@result
class JudgeRow:
    """A judge with a summary of the ratings; without a group or repeats if no judge has any."""

    group: str | None = field(GROUP, default=None)
    judge: str = field("text", "Name of the judge.")
    summary: JudgeSummary = inline(JudgeSummary)
    consistency: Consistency | None = inline(Consistency)
    reason: str = field(REASON, default="")


@result
class AlphaRow:
    """Krippendorff's alpha of some judges."""

    judges: str = field("text", "Judges whose agreement is measured: all, or one group.")
    alpha: KrippendorffAlpha = inline(KrippendorffAlpha)


@result
class JudgePairRow:
    """Agreement of two judges, with their names."""

    judge: str = field("text", "One judge.")
    other: str = field("text", "The other judge.")
    pair: JudgePair = inline(JudgePair)


@result
class DifferenceRow:
    """The difference in judges' ratings of two systems."""

    judges: str | None = field("text", "Judges who rated: all, or one group.", default=None)
    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    difference: PairedDifference = inline({"unit": UNIT, **fields_of(PairedDifference)})
    p_value_adjusted: float = field(
        P_VALUE_ADJUSTED,
        "p-value corrected for the number of pairs by Holm's method, separately for each unit and group.",
    )


@result
class JudgesReport:
    """The fields of `bleu-core correlate` about judges, with `--judges` and `--differences`."""

    judges: tuple[JudgeRow, ...] | None = field("object", "Summary of each judge's ratings.", default=None)
    krippendorff: tuple[AlphaRow, ...] | None = field("object", "Krippendorff's alpha.", default=None)
    variance: tuple[VarianceComponent, ...] | None = field(
        "object", "Variance components of the ratings.", default=None
    )
    groups: tuple[GroupSummary, ...] | None = field("object", "Groups of judges.", default=None)
    group_pairs: tuple[GroupPair, ...] | None = field("object", "Pairs of groups of judges.", default=None)
    judge_pairs: tuple[JudgePairRow, ...] | None = field("object", "Pairs of judges.", default=None)
    pairwise_kendall: PairwiseKendall | None = field("object", "Kendall's tau-b over pairs of judges.", default=None)
    rater_differences: tuple[DifferenceRow, ...] | None = field(
        "object", "Differences between the ratings of pairs of systems.", default=None
    )


@result
class _Bin:
    """A bin of the histogram of a judge's ratings."""

    judge: str = field("text", "Name of the judge.")
    from_: float = field("number", "Lower end of the bin.")
    to: float = field("number", "Upper end of the bin.")
    ratings: int = field(RATINGS)
    share: float = field("fraction", "Share of the judge's ratings.")


@result
class _TauBin:
    """A bin of the histogram of Kendall's tau-b of pairs of judges."""

    from_: float = field("number", "Lower end of the bin.")
    to: float = field("number", "Upper end of the bin.")
    few: Mapping[int, int] = field(
        "count", "Pairs of judges with few shared items.", columns="pairs_with_fewer_than_{}_items"
    )
    many: Mapping[int, int] = field(
        "count", "Pairs of judges with many shared items.", columns="pairs_with_{}_items_or_more"
    )


@result
class _GroupMeans:
    """The mean ratings of a system by group of judges."""

    system: str = field(SYSTEM)
    means: Mapping[str, float] = field("decimal", columns="mean_{}", label="mean of {}")


def judges_table(summaries: Sequence[JudgeSummary]) -> Table:
    """Return a summary of each judge's ratings, with the consistency of repeated ratings if there are any."""
    return table_of(_judges(summaries), JudgeRow)


def _judges(summaries: Sequence[JudgeSummary]) -> tuple[JudgeRow, ...]:
    grouped = any(s.judge.group is not None for s in summaries)
    repeated = any(s.repeats for s in summaries)
    rows: list[JudgeRow] = []
    for s in summaries:
        # A reason about repeats is only given for judges with repeated ratings.
        reasons = [s.reason, f"repeats: {s.consistency.reason}" if s.repeats and s.consistency.reason else ""]
        rows.append(
            JudgeRow(
                group=(s.judge.group or "") if grouped else None,
                judge=s.judge.name or UNNAMED,
                summary=s,
                consistency=s.consistency if repeated else None,
                reason="; ".join(r for r in reasons if r),
            )
        )
    return tuple(rows)


def distribution_table(summaries: Sequence[JudgeSummary]) -> Table:
    """Return the number of each judge's ratings per bin."""
    names = judge_names([s.judge for s in summaries])
    rows: list[_Bin] = []
    for name, s in zip(names, summaries, strict=True):
        bins = zip(pairwise(s.edges.tolist()), s.histogram.tolist(), strict=True)
        rows += [
            _Bin(judge=name, from_=low, to=high, ratings=ratings, share=ratings / s.ratings)
            for (low, high), ratings in bins
        ]
    return table_of(rows, _Bin)


def alphas(
    interval: KrippendorffAlpha, ordinal: KrippendorffAlpha, groups: GroupComparison
) -> Mapping[str, Sequence[KrippendorffAlpha]]:
    """Return group of judges -> their agreement: all judges, then each group if there are several."""
    by_judges: dict[str, Sequence[KrippendorffAlpha]] = {"all judges": (interval, ordinal)}
    if groups.pairs:
        by_judges |= {f"group {g.group}": (g.alpha,) for g in groups.groups}
    return by_judges


def alpha_table(alphas: Mapping[str, Sequence[KrippendorffAlpha]]) -> Table:
    """Return Krippendorff's alpha by judges and metric.

    Args:
        alphas: group of judges -> their agreement.
    """
    return table_of(_alphas(alphas), AlphaRow)


def _alphas(alphas: Mapping[str, Sequence[KrippendorffAlpha]]) -> tuple[AlphaRow, ...]:
    return tuple(AlphaRow(judges=name, alpha=a) for name, coefficients in alphas.items() for a in coefficients)


def judge_pairs_table(kendall: PairwiseKendall) -> Table:
    """Return Kendall's tau-b of all pairs of judges, or of those with the most common items if there are many."""
    return table_of(_judge_pairs(kendall), JudgePairRow)


def _judge_pairs(kendall: PairwiseKendall) -> tuple[JudgePairRow, ...]:
    names = dict(zip(kendall.judges, judge_names(kendall.judges), strict=True))
    return tuple(JudgePairRow(judge=names[p.first], other=names[p.second], pair=p) for p in kendall)


def tau_counts(kendall: PairwiseKendall) -> TauCounts:
    """Count the pairs of judges by their coefficient."""
    # Rounding puts a tau on an edge, such as 0.3, into the bin that begins there, whatever its last digit.
    taus = np.round(kendall.taus, DECIMALS)
    items = kendall.common
    edges = np.round(np.linspace(-1, 1, TAU_BINS + 1), DECIMALS)
    few, many = (
        np.histogram(taus[selected & ~np.isnan(taus)], edges)[0].tolist()
        for selected in (items < MANY_ITEMS, items >= MANY_ITEMS)
    )
    return TauCounts(tuple(edges.tolist()), tuple(few), tuple(many))


def tau_counts_table(counts: TauCounts) -> Table:
    """Return the number of pairs of judges by Kendall's tau-b."""
    bins = zip(pairwise(counts.edges), counts.few, counts.many, strict=True)
    rows = [
        _TauBin(from_=low, to=high, few={MANY_ITEMS: few}, many={MANY_ITEMS: many}) for (low, high), few, many in bins
    ]
    return table_of(rows, _TauBin)


def variance_table(variance: VarianceComponents) -> Table:
    """Return the variance components of a rating."""
    return table_of(variance.components, VarianceComponent)


def groups_table(comparison: GroupComparison) -> Table:
    """Return the groups of judges."""
    return table_of(comparison.groups, GroupSummary)


def group_pairs_table(comparison: GroupComparison) -> Table:
    """Return comparisons of the mean ratings of two groups."""
    return table_of(comparison.pairs, GroupPair)


def group_means_table(comparison: GroupComparison) -> Table:
    """Return the mean rating of each system by each group, the best system first."""
    rows = [
        _GroupMeans(system=name, means={g.group: g.system_means.get(name, math.nan) for g in comparison.groups})
        for name in systems_of_groups(comparison)
    ]
    return table_of(rows, _GroupMeans)


def systems_of_groups(comparison: GroupComparison) -> tuple[str, ...]:
    """Return the systems that any group rated, the highest mean over groups first."""
    means: dict[str, list[float]] = {}
    for group in comparison.groups:
        for name, mean in group.system_means.items():
            means.setdefault(name, []).append(mean)
    names = tuple(means)
    return tuple(names[k] for k in best_first(names, [sum(means[name]) / len(means[name]) for name in names]))


def corrected_p_values(differences: RatingDifferences, unit: Unit) -> tuple[float, ...]:
    """Return the p of each pair, corrected for their number by Holm's method; NaN if undefined."""
    p_values = np.array([pair.by(unit).p_value for pair in differences.pairs], np.float64)
    return tuple(adjust(p_values, "holm").tolist())


def differences_table(results: Mapping[str, RatingDifferences], units: Sequence[Unit]) -> Table:
    """Return the rating differences over each unit, system minus baseline, with p and corrected p.

    Args:
        results: group of judges -> differences; one with an empty name if judges are not divided.
        units: the units.
    """
    return table_of(_differences(results, units), DifferenceRow)


def _differences(results: Mapping[str, RatingDifferences], units: Sequence[Unit]) -> tuple[DifferenceRow, ...]:
    rows: list[DifferenceRow] = []
    for group, differences in results.items():
        adjusted = {unit: corrected_p_values(differences, unit) for unit in units}
        rows += [
            DifferenceRow(
                judges=group if any(results) else None,
                system=pair.better,
                baseline=pair.worse,
                difference=pair.by(unit),
                p_value_adjusted=adjusted[unit][i],
            )
            for i, pair in enumerate(differences.pairs)
            for unit in units
        ]
    return tuple(rows)


def judges_report(judgments: Judgments, systems: Collection[str]) -> JudgesReport:
    """Return the results about the judges of some systems, for `bleu-core correlate --judges`."""
    rated = judgments.of_systems(systems)
    groups = compare_groups(rated)
    all_judges = krippendorff_alpha(rated), krippendorff_alpha(rated, "ordinal")
    pairwise = pairwise_kendall(rated)
    return JudgesReport(
        judges=_judges(judge_summaries(rated)),
        krippendorff=_alphas(alphas(*all_judges, groups)),
        variance=judge_variance(rated).components,
        groups=groups.groups if groups.pairs else None,
        group_pairs=groups.pairs or None,
        judge_pairs=_judge_pairs(pairwise),
        pairwise_kendall=pairwise,
    )


def difference_rows(
    judgments: Judgments, systems: Collection[str], pairs: Literal["neighbours", "all"]
) -> tuple[DifferenceRow, ...]:
    """Return the differences in ratings of pairs of systems, for `bleu-core correlate --differences`."""
    return _differences({"": compare_ratings(judgments.of_systems(systems).table, pairs=pairs)}, UNITS)


def judge_tables(report: JudgesReport) -> list[Table]:
    """Return the tables of a report about judges, without pairs of judges, of which there are too many."""
    parts: list[tuple[Sequence[object] | None, type]] = [
        (report.judges, JudgeRow),
        (report.krippendorff, AlphaRow),
        (report.variance, VarianceComponent),
        (report.groups, GroupSummary),
        (report.group_pairs, GroupPair),
        (report.rater_differences, DifferenceRow),
    ]
    return [table_of(rows, kind) for rows, kind in parts if rows is not None]
