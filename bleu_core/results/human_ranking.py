"""Systems ranked by judges, and what judges have to do with it, as tables and JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from bleu_core.fields import (
    BASELINE,
    P_VALUE,
    P_VALUE_ADJUSTED,
    REASON,
    SYSTEM,
    Field,
    Table,
    decimal,
    field,
    result,
    table_of,
)
from bleu_core.inference import CONFIDENCE
from bleu_core.judges import MIN_JUDGES, AdjustedMeans, Confounding, HumanRanking
from bleu_core.results.judges import judge_names
from bleu_core.results.table import format_p

_INTERVAL = f"{100 * CONFIDENCE:g}% interval"
_BY_UNITS = "Variance by the jackknife over segments or documents."


@result
class HumanRankRow:
    """A system as judges rank it."""

    tier: int | None = field(
        "count",
        "Tier: every system of a tier is significantly better than every one of the tiers below.",
        default=None,
    )
    system: str = field(SYSTEM)
    mean: float = field("decimal", "Mean rating, adjusted for judges where `adjusted` says so.", best="highest")
    low: float = field(
        "decimal",
        f"Lower end of the {_INTERVAL} of the difference from the mean of all systems, placed around the mean rating.",
    )
    high: float = field("decimal", f"Upper end of this {_INTERVAL}.")
    mean_raw: float = field("decimal", "Mean rating: over judges, then over segments.")
    mean_adjusted: float = field("decimal", "Mean rating adjusted for judges and segments by least squares.")
    segments: int = field("count", "Rated segments.")
    judges: int = field("count", "Judges who rated the system.")
    reason: str = field(REASON, "Why there is no interval, no tier or no adjusted mean.", default="")


@result
class HumanPairRow:
    """The difference of two systems' mean ratings."""

    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    delta: float = field("difference", "Mean rating of the system minus that of the baseline.")
    low: float = field("difference", f"Lower end of the {_INTERVAL} (Student's t).")
    high: float = field("difference", f"Upper end of the {_INTERVAL}.")
    degrees_of_freedom: float = field(Field("decimal", "Degrees of freedom of t, by Satterthwaite's formula.", "df"))
    p_value: float = field(P_VALUE)
    p_value_adjusted: float = field(P_VALUE_ADJUSTED, "p-value corrected for all pairs of systems (Holm).")
    variance: float = field(
        "number",
        "Variance of the difference: of units plus of judges minus what both have in common, at least the larger.",
    )
    variance_units: float = field("number", _BY_UNITS)
    variance_judges: float = field("number", "Variance by the jackknife over judges, pooled over pairs of systems.")
    variance_residual: float = field(
        "number", "What both have in common: by the ratings of one segment or document by one judge."
    )
    reason: str = field(REASON, default="")


@result
class JudgeEffectRow:
    """What the adjustment for judges changes in the difference of two systems."""

    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    delta_raw: float = field("difference", "Raw mean rating of the system minus that of the baseline.")
    delta_adjusted: float = field("difference", "The same, adjusted for judges.")
    effect: float = field("difference", "Raw minus adjusted difference.")
    standard_error: float = field(
        "number", "Standard error of the effect over segments or documents, who rated what held fixed."
    )
    p_value_raw: float = field(Field("p", "p (Holm) of the raw difference.", "p raw"))
    p_value_adjusted: float = field(Field("p", "p (Holm) of the adjusted difference.", "p adjusted"))
    misleading: bool = field(
        "text", "Whether the raw difference is significant, and the adjusted one is not or has the other sign."
    )
    reason: str = field(REASON, default="")


@result
class ConfoundingReport:
    """Whether judges are confounded with systems."""

    confounded: bool = field(
        "text", "Whether the roster is unbalanced, judges differ in severity, and a raw difference is misleading."
    )
    imbalance: float = field(
        "number", "Standard deviation over systems of the mean severity of their judges, in the unit of the ratings."
    )
    imbalance_expected: float = field("number", "Its mean if judges rated systems at random within segments.")
    imbalance_p_value: float = field("p", "p-value of the imbalance, by permutations within segments.")
    severity_p_value: float = field("p", "p-value of the F test that all judges are equally severe.")
    effects: tuple[JudgeEffectRow, ...] = field("object", "Pairs of systems.")
    reason: str = field(REASON, default="")


@result
class JudgeSystemRow:
    """What a judge rated of a system."""

    system: str = field(SYSTEM)
    judge: str = field("text", "Name of the judge.")
    items: int = field("count", "Translated segments of the system that the judge rated.")
    share: float = field("fraction", "Share of the judge in the mean rating of the system.")
    mean: float = field("decimal", "Mean rating of the system by the judge.")
    reason: str = field(REASON, default="")


@result
class HumanRankingReport:
    """What `bleu-core correlate --human-ranking` reports."""

    human_ranking: tuple[HumanRankRow, ...] | None = field(
        "object", "Systems ranked by judges, best first; with `--human-ranking`.", default=None
    )
    human_pairs: tuple[HumanPairRow, ...] | None = field(
        "object", "All pairs of these systems; with `--human-ranking`.", default=None
    )
    human_method: str | None = field("text", "How systems are ranked; with `--human-ranking`.", default=None)
    confounding: ConfoundingReport | None = field(
        "object", "Whether judges are confounded with systems; with `--human-ranking`.", default=None
    )
    judge_systems: tuple[JudgeSystemRow, ...] | None = field(
        "object", "Judges by systems; with `--human-ranking`.", default=None
    )


def human_ranking_report(found: HumanRanking) -> HumanRankingReport:
    """The JSON of a ranking by judges."""
    return HumanRankingReport(
        human_ranking=_ranks(found),
        human_pairs=_pairs(found),
        human_method=method(found),
        confounding=confounding_report(found.confounding),
        judge_systems=_judge_systems(found.means),
    )


def human_ranking_table(found: HumanRanking) -> Table:
    """The ranking: tiers, means and intervals."""
    return table_of(_ranks(found), HumanRankRow)


def human_pairs_table(found: HumanRanking) -> Table:
    """All pairs of the systems ranked."""
    return table_of(_pairs(found), HumanPairRow)


def roster_table(means: AdjustedMeans) -> Table:
    """The share of each judge in the mean of each system, and the mean severity of the system's judges."""
    names = judge_names(means.judges)
    columns: dict[str, Field] = {"system": SYSTEM}
    columns |= {name: Field("fraction", f"Share of {name} in the mean rating of the system.") for name in names}
    columns["mean severity"] = Field(
        "decimal", "Mean severity of the system's judges: how much it adds to the mean rating, negative where severe."
    )
    shares, severity = means.shares.tolist(), means.roster_severity.tolist()
    return Table(
        columns,
        tuple((system, *shares[k], severity[k]) for k, system in enumerate(means.systems)),
    )


def judge_means_table(means: AdjustedMeans) -> Table:
    """The mean rating of each system by each judge, with the severity of judges in the last row."""
    names = judge_names(means.judges)
    columns: dict[str, Field] = {"system": SYSTEM}
    columns |= {name: Field("decimal", f"Mean rating of the system by {name}.") for name in names}
    columns |= {
        "raw": Field("decimal", "Mean rating: over judges, then over segments."),
        "adjusted": Field("decimal", "Mean rating adjusted for judges and segments by least squares."),
    }
    rows = zip(means.systems, means.judge_means.tolist(), means.raw.tolist(), means.adjusted.tolist(), strict=True)
    return Table(columns, tuple((system, *of_judges, raw, adjusted) for system, of_judges, raw, adjusted in rows))


def method(found: HumanRanking) -> str:
    """How systems are ranked, in sentences for a caption."""
    how = (
        "Mean ratings adjusted for judges and segments (ordinary least squares with systems, segments and judges)"
        if found.adjusted
        else "Mean ratings over judges, then over segments"
    )
    with_judges = found.adjusted and len(found.means.judges) >= MIN_JUDGES
    over = f"{found.unit}s and judges" if with_judges else f"{found.unit}s"
    parts = [f"{how}; standard errors of differences by the jackknife over {over}; p corrected for all pairs (Holm)."]
    parts += [f"No tiers: {found.reason}."] if found.reason else []
    return " ".join([*parts, *found.notes])


def confounding_report(found: Confounding) -> ConfoundingReport:
    """Whether judges are confounded with systems, with all pairs, the largest effect first."""
    effects = sorted(found.effects, key=lambda one: -abs(one.effect) if not math.isnan(one.effect) else math.inf)
    return ConfoundingReport(
        confounded=found.confounded,
        imbalance=found.imbalance.deviation,
        imbalance_expected=found.imbalance.expected,
        imbalance_p_value=found.imbalance.p_value,
        severity_p_value=found.means.severity_p,
        effects=tuple(
            JudgeEffectRow(
                system=one.system,
                baseline=one.baseline,
                delta_raw=one.raw,
                delta_adjusted=one.adjusted,
                effect=one.effect,
                standard_error=one.standard_error,
                p_value_raw=one.raw_p_adjusted,
                p_value_adjusted=one.p_value_adjusted,
                misleading=one.misleading,
                reason=_reason(found.means, one.standard_error, one.p_value_adjusted, one.raw_p_adjusted),
            )
            for one in effects
        ),
        reason=found.reason,
    )


def confounding_sentences(found: Confounding) -> tuple[str, ...]:
    """What is known of judges and systems, in sentences."""
    if found.reason:
        return (f"It is not known whether judges are confounded with systems: {found.reason}.",)
    imbalance = found.imbalance
    spread = (
        f"The mean severity of a system's judges varies over systems with a standard deviation of "
        f"{decimal(imbalance.deviation)}; {decimal(imbalance.expected)} is expected if judges rate systems at random "
        f"within segments (p {_equals(imbalance.p_value)}{format_p(imbalance.p_value)})."
    )
    if not found.confounded:
        return ("No sign that judges are confounded with systems.", spread)
    misleading, pairs = len(found.misleading), len(found.effects)
    confounded = (
        f"Judges are confounded with systems: {misleading:,} of {pairs:,} differences are significant in raw means, "
        "and not significant or reversed in means adjusted for judges."
    )
    return confounded, spread


def _equals(p_value: float) -> str:
    return "" if format_p(p_value).startswith(("<", "≤", "≈")) else "= "


def _ranks(found: HumanRanking) -> tuple[HumanRankRow, ...]:
    return tuple(
        HumanRankRow(
            tier=one.tier,
            system=one.system,
            mean=one.mean,
            low=one.interval.low,
            high=one.interval.high,
            mean_raw=one.raw,
            mean_adjusted=one.adjusted,
            segments=one.segments,
            judges=one.judges,
            reason=found.reason or _reason(found.means, one.interval.low, one.adjusted),
        )
        for one in found.ranks
    )


def _pairs(found: HumanRanking) -> tuple[HumanPairRow, ...]:
    return tuple(
        HumanPairRow(
            system=one.system,
            baseline=one.baseline,
            delta=one.delta,
            low=one.interval.low,
            high=one.interval.high,
            degrees_of_freedom=one.degrees_of_freedom,
            p_value=one.p_value,
            p_value_adjusted=one.p_value_adjusted,
            variance=one.variance,
            variance_units=one.over_units,
            variance_judges=one.over_judges,
            variance_residual=one.residual,
            reason=_pair_reason(found, one.variance, one.over_judges),
        )
        for one in found.pairs
    )


def _pair_reason(found: HumanRanking, variance: float, over_judges: float) -> str:
    if math.isnan(over_judges) and not math.isnan(variance):
        if not found.adjusted:
            return "raw means have no variance over judges"
        return f"fewer than {MIN_JUDGES} judges have no variance over judges"
    return _reason(found.means, variance)


def _reason(means: AdjustedMeans, *values: float) -> str:
    """Why one of the values is undefined; empty where none is."""
    if not any(math.isnan(value) for value in values):
        return ""
    return means.reason or " ".join(means.notes).removesuffix(".") or "the system has no ratings of segments"


def _judge_systems(means: AdjustedMeans) -> tuple[JudgeSystemRow, ...]:
    names: Sequence[str] = judge_names(means.judges)
    return tuple(
        JudgeSystemRow(
            system=means.systems[k],
            judge=names[j],
            items=int(means.counts[k, j]),
            share=float(means.shares[k, j]),
            mean=float(means.judge_means[k, j]),
        )
        for k, j in np.argwhere(means.counts > 0).tolist()
    )
