"""Judges, their agreement and the systems they tell apart, as tables."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bleu_core.agreement import DECIMALS
from bleu_core.dataset import Judge, Judgments
from bleu_core.inference import adjust
from bleu_core.judges import (
    UNITS,
    GroupComparison,
    GroupPair,
    JudgeSummary,
    KrippendorffAlpha,
    PairwiseKendall,
    RaterDifferences,
    Unit,
    VarianceComponents,
    compare_groups,
    judge_summaries,
    judge_variance,
    krippendorff_alpha,
    pairwise_kendall,
    rater_differences,
)
from bleu_core.reports.table import Cell, Json, Kind, Table, none_if_nan

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


def judges_table(summaries: Sequence[JudgeSummary]) -> Table:
    """A judge a row: what they gave, and how they repeat themselves where any item was rated again."""
    grouped = any(s.judge.group is not None for s in summaries)
    repeated = any(s.repeats for s in summaries)
    kinds: dict[str, Kind] = {"group": "text"} if grouped else {}
    kinds |= {"judge": "text", "ratings": "count", "items": "count", "systems": "count", "repeats": "count"}
    kinds |= {"mean": "points", "standard_deviation": "points", "minimum": "points", "maximum": "points"}
    if repeated:
        kinds |= {"repeat_deviation": "points", "repeat_alpha": "number"}
    kinds |= {"note": "text"}
    rows: list[tuple[Cell, ...]] = []
    for s in summaries:
        group = (s.judge.group or "",) if grouped else ()
        mean = round(s.mean, DECIMALS) + 0.0  # of z-scores it is 0, and not minus 0
        given = (s.ratings, s.items, s.systems, s.repeats, mean, s.standard_deviation, s.minimum, s.maximum)
        again = (s.consistency.deviation, s.consistency.alpha) if repeated else ()
        # Only of those who rated something again is it worth a word why the repeats tell nothing.
        reasons = [s.reason, f"repeats: {s.consistency.reason}" if s.repeats and s.consistency.reason else ""]
        rows.append((*group, s.judge.name or UNNAMED, *given, *again, "; ".join(r for r in reasons if r)))
    return Table(kinds, tuple(rows))


def distribution_table(summaries: Sequence[JudgeSummary]) -> Table:
    """How many of a judge's ratings lie in each bin, a judge and bin a row."""
    kinds: dict[str, Kind] = {
        "judge": "text",
        "from": "number",
        "to": "number",
        "ratings": "count",
        "share": "fraction",
    }
    names = judge_names([s.judge for s in summaries])
    rows: list[tuple[Cell, ...]] = []
    for name, s in zip(names, summaries, strict=True):
        edges = s.edges.tolist()
        counts = s.histogram.tolist()
        rows += [(name, *ends, n, n / s.ratings) for *ends, n in zip(edges[:-1], edges[1:], counts, strict=True)]
    return Table(kinds, tuple(rows))


def alphas(
    interval: KrippendorffAlpha, ordinal: KrippendorffAlpha, groups: GroupComparison
) -> Mapping[str, Sequence[KrippendorffAlpha]]:
    """Who the judges are -> how far they agree; groups where there are two or more."""
    found: dict[str, Sequence[KrippendorffAlpha]] = {"all judges": (interval, ordinal)}
    if groups.pairs:
        found |= {f"group {g.group}": (g.alpha,) for g in groups.groups}
    return found


def alpha_table(alphas: Mapping[str, Sequence[KrippendorffAlpha]]) -> Table:
    """Krippendorff's alpha, of some judges under a metric a row.

    Args:
        alphas: who the judges are -> their agreement.
    """
    kinds: dict[str, Kind] = {
        "judges": "text",
        "metric": "text",
        "alpha": "number",
        "low": "number",
        "high": "number",
        "items": "count",
        "ratings": "count",
        "rated_once": "count",
        "note": "text",
    }
    rows = tuple(
        (
            name,
            a.metric,
            a.coefficient,
            a.interval.low,
            a.interval.high,
            a.items,
            a.ratings,
            a.rated_once,
            a.reason,
        )
        for name, found in alphas.items()
        for a in found
    )
    return Table(kinds, rows)


def judge_pairs_table(result: PairwiseKendall) -> Table:
    """Kendall's tau-b of every two judges; of many, of the pairs with the most items in common."""
    kinds: dict[str, Kind] = {"judge": "text", "other": "text", "kendall": "number", "items": "count", "note": "text"}
    names = dict(zip(result.judges, judge_names(result.judges), strict=True))
    rows = tuple((names[p.first], names[p.second], p.coefficient, p.items, p.reason) for p in result)
    return Table(kinds, rows)


def tau_counts(result: PairwiseKendall) -> TauCounts:
    """Count the pairs of judges by their coefficient."""
    # A tau on an edge, like 0.3, counts in the step that begins there, whatever its last digit.
    taus = np.round(result.taus, DECIMALS)
    items = result.common
    edges = np.round(np.linspace(-1, 1, STEPS + 1), DECIMALS)
    few, many = (
        np.histogram(taus[chosen & ~np.isnan(taus)], edges)[0].tolist()
        for chosen in (items < MANY_ITEMS, items >= MANY_ITEMS)
    )
    return TauCounts(tuple(edges.tolist()), tuple(few), tuple(many))


def tau_counts_table(counts: TauCounts) -> Table:
    """Pairs of judges by their Kendall's tau-b, a step a row."""
    few, many = f"pairs_with_fewer_than_{MANY_ITEMS}_items", f"pairs_with_{MANY_ITEMS}_items_or_more"
    kinds: dict[str, Kind] = {"from": "number", "to": "number", few: "count", many: "count"}
    return Table(kinds, tuple(zip(counts.edges[:-1], counts.edges[1:], counts.few, counts.many, strict=True)))


def variance_table(result: VarianceComponents) -> Table:
    """Where the variance of a rating comes from, a source a row."""
    kinds: dict[str, Kind] = {
        "source": "text",
        "levels": "count",
        "variance": "number",
        "share": "fraction",
        "note": "text",
    }
    rows = tuple((c.name, c.levels, c.estimate, c.share, c.note) for c in result.components)
    return Table(kinds, rows)


def groups_table(result: GroupComparison) -> Table:
    """A group of judges a row."""
    kinds: dict[str, Kind] = {
        "group": "text",
        "judges": "count",
        "ratings": "count",
        "items": "count",
        "mean": "points",
        "standard_deviation": "points",
        "alpha": "number",
        "low": "number",
        "high": "number",
        "note": "text",
    }
    rows: list[tuple[Cell, ...]] = []
    for g in result.groups:
        of_alpha = (g.alpha.coefficient, g.alpha.interval.low, g.alpha.interval.high)
        note = f"no alpha: {g.alpha.reason}" if g.alpha.reason else ""
        rows.append((g.group, g.judges, g.ratings, g.items, g.mean, g.standard_deviation, *of_alpha, note))
    return Table(kinds, tuple(rows))


def group_pairs_table(result: GroupComparison) -> Table:
    """Two groups' means of systems beside each other, a pair of groups a row."""
    kinds: dict[str, Kind] = {
        "group": "text",
        "other": "text",
        "systems": "count",
        "difference": "difference",
        "pearson": "number",
        "spearman": "number",
        "kendall": "number",
        "note": "text",
    }
    rows = tuple(
        (
            p.first,
            p.second,
            len(p.systems),
            p.difference,
            *(c.coefficient for c in (p.pearson, p.spearman, p.kendall)),
            _reason(p),
        )
        for p in result.pairs
    )
    return Table(kinds, rows)


def group_means_table(result: GroupComparison) -> Table:
    """The mean rating of each system by each group, the best system first."""
    kinds: dict[str, Kind] = {"system": "text"}
    kinds |= dict.fromkeys((f"mean of {g.group}" for g in result.groups), "points")
    rows = tuple(
        (name, *(g.system_means.get(name, math.nan) for g in result.groups)) for name in systems_of_groups(result)
    )
    return Table(kinds, rows)


def systems_of_groups(result: GroupComparison) -> tuple[str, ...]:
    """Systems that any group rated, the one with the highest mean over groups first."""
    means: dict[str, list[float]] = {}
    for group in result.groups:
        for name, mean in group.system_means.items():
            means.setdefault(name, []).append(mean)
    return tuple(sorted(means, key=lambda name: (-sum(means[name]) / len(means[name]), name)))


def corrected(result: RaterDifferences, unit: Unit) -> tuple[float, ...]:
    """The p of each pair, corrected for their number by Holm's method; NaN where there is none."""
    p_values = np.array([pair.by(unit).p_value for pair in result.pairs], np.float64)
    return tuple(adjust(p_values, "holm").tolist())


def differences_table(results: Mapping[str, RaterDifferences], units: Sequence[Unit]) -> Table:
    """Two systems' difference over a unit a row, system minus against; p as it is, and corrected for their number.

    Args:
        results: who rated -> differences; one without a name where judges are not divided.
        units: which.
    """
    kinds: dict[str, Kind] = {"judges": "text"} if any(results) else {}
    kinds |= {
        "system": "text",
        "against": "text",
        "unit": "text",
        "n": "count",
        "mean_difference": "difference",
        "standard_deviation": "points",
        "low": "difference",
        "high": "difference",
        "t": "points",
        "degrees_of_freedom": "count",
        "p_value": "p",
        "p_value_adjusted": "p",
        "note": "text",
    }
    rows: list[tuple[Cell, ...]] = []
    for who, result in results.items():
        adjusted = {unit: corrected(result, unit) for unit in units}
        for i, pair in enumerate(result.pairs):
            for unit in units:
                d = pair.by(unit)
                of_pair = (*((who,) if any(results) else ()), pair.better, pair.worse, unit, d.n)
                bounds = (d.mean, d.standard_deviation, d.interval.low, d.interval.high)
                tested = (d.t, d.degrees_of_freedom, d.p_value, adjusted[unit][i], d.reason)
                rows.append((*of_pair, *bounds, *tested))
    return Table(kinds, tuple(rows))


def of_judges(judgments: Judgments, systems: Collection[str]) -> tuple[Json, list[Table]]:
    """All that is known of the judges of some systems, for `bleu-core correlate --judges`."""
    rated = judgments.of_systems(systems)
    groups = compare_groups(rated)
    of_all = krippendorff_alpha(rated), krippendorff_alpha(rated, "ordinal")
    every_two = pairwise_kendall(rated)
    tables = {
        "judges": judges_table(judge_summaries(rated)),
        "krippendorff": alpha_table(alphas(*of_all, groups)),
        "variance": variance_table(judge_variance(rated)),
        "judge_pairs": judge_pairs_table(every_two),
    }
    if groups.pairs:
        tables |= {"groups": groups_table(groups), "group_pairs": group_pairs_table(groups)}
    content: Json = {name: rows_json(table)["rows"] for name, table in tables.items()}
    mean = {"mean": none_if_nan(every_two.mean), "pairs": every_two.pairs}
    remarks = {"reason": every_two.reason, "note": every_two.note}
    content["pairwise_kendall"] = mean | {name: remark for name, remark in remarks.items() if remark}
    return content, [table for name, table in tables.items() if name != "judge_pairs"]  # too long to be read


def of_differences(
    judgments: Judgments, systems: Collection[str], pairs: Literal["neighbours", "all"]
) -> tuple[Json, list[Table]]:
    """How far raters put systems apart, for `bleu-core correlate --differences`."""
    found = rater_differences(judgments.of_systems(systems).table, pairs=pairs)
    table = differences_table({"": found}, UNITS)
    return {"rater_differences": rows_json(table)["rows"]}, [table]


def rows_json(table: Table) -> Json:
    """A table for programs: what is undefined is null, and an empty note is left out."""
    rows: list[Json] = []
    for row in table.rows:
        cells = {name: none_if_nan(c) if isinstance(c, float) else c for name, c in zip(table.kinds, row, strict=True)}
        rows.append({name: cell for name, cell in cells.items() if name != "note" or cell})
    return {"rows": rows}


def _reason(pair: GroupPair) -> str:
    return next((c.reason for c in (pair.pearson, pair.spearman, pair.kendall) if c.reason), "")
