"""Systems ranked by judges, and the confounding of judges with systems, as tables and JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

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
    """A system in the ranking by judges."""

    tier: int | None = field(
        "count",
        "Tier: every system of a tier is significantly better than every system of the tiers below.",
        default=None,
    )
    system: str = field(SYSTEM)
    mean: float = field(
        "decimal", "Mean rating, adjusted for judges if the ranking is, see `human_method`.", best="highest"
    )
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
        "Variance of the difference: over units plus over judges minus the residual, but at least the larger of the "
        "two.",
    )
    variance_units: float = field("number", _BY_UNITS)
    variance_judges: float = field("number", "Variance by the jackknife over judges, pooled over pairs of systems.")
    variance_residual: float = field(
        "number",
        "Residual variance, of single ratings, which is part of both: from ratings of a segment or document by a "
        "judge.",
    )
    reason: str = field(REASON, default="")


@result
class JudgeEffectRow:
    """The effect of the adjustment for judges on the difference of two systems."""

    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    delta_raw: float = field("difference", "Raw mean rating of the system minus that of the baseline.")
    delta_adjusted: float = field("difference", "Difference of the mean ratings adjusted for judges.")
    effect: float = field("difference", "Raw minus adjusted difference.")
    standard_error: float = field(
        "number", "Standard error of the effect over segments or documents, with the assignment of judges held fixed."
    )
    p_value_raw: float = field(Field("p", "p (Holm) of the raw difference.", "p raw"))
    p_value_adjusted: float = field(Field("p", "p (Holm) of the adjusted difference.", "p adjusted"))
    misleading: bool = field(
        "text", "Whether the raw difference is significant, and the adjusted one is not or has the other sign."
    )
    reason: str = field(REASON, default="")


@result
class ConfoundingReport:
    """The confounding of judges with systems."""

    confounded: bool = field(
        "text", "Whether the roster is unbalanced, judges differ in severity, and a raw difference is misleading."
    )
    imbalance: float = field(
        "number", "Standard deviation over systems of the mean severity of their judges, in the unit of the ratings."
    )
    imbalance_expected: float = field("number", "Expected imbalance if judges rated systems at random within segments.")
    imbalance_p_value: float = field("p", "p-value of the imbalance, by permutations within segments.")
    severity_p_value: float = field("p", "p-value of the F test that all judges are equally severe.")
    effects: tuple[JudgeEffectRow, ...] = field("object", "Pairs of systems.")
    reason: str = field(REASON, default="")


@result
class JudgeSystemRow:
    """The ratings of a system by a judge."""

    system: str = field(SYSTEM)
    judge: str = field("text", "Name of the judge.")
    items: int = field("count", "Translated segments of the system that the judge rated.")
    share: float = field("fraction", "Share of the judge in the mean rating of the system.")
    mean: float = field("decimal", "Mean rating of the system by the judge.")
    reason: str = field(REASON, default="")


@result
class HumanRankingReport:
    """The fields of `bleu-core correlate --human-ranking`."""

    human_ranking: tuple[HumanRankRow, ...] | None = field(
        "object", "Systems ranked by judges, best first; with `--human-ranking`.", default=None
    )
    human_pairs: tuple[HumanPairRow, ...] | None = field(
        "object", "All pairs of these systems; with `--human-ranking`.", default=None
    )
    human_method: str | None = field("text", "Method of the ranking; with `--human-ranking`.", default=None)
    confounding: ConfoundingReport | None = field(
        "object", "Whether judges are confounded with systems; with `--human-ranking`.", default=None
    )
    judge_systems: tuple[JudgeSystemRow, ...] | None = field(
        "object", "Judges by systems; with `--human-ranking`.", default=None
    )


def human_ranking_report(ranking: HumanRanking) -> HumanRankingReport:
    """Return the JSON of a ranking by judges."""
    return HumanRankingReport(
        human_ranking=_ranks(ranking),
        human_pairs=_pairs(ranking),
        human_method=method(ranking),
        confounding=confounding_report(ranking.confounding),
        judge_systems=_judge_systems(ranking.means),
    )


def human_ranking_table(ranking: HumanRanking) -> Table:
    """Return the ranking: tiers, means and intervals."""
    return table_of(_ranks(ranking), HumanRankRow)


def human_pairs_table(ranking: HumanRanking) -> Table:
    """Return all pairs of the ranked systems."""
    return table_of(_pairs(ranking), HumanPairRow)


@result
class _Roster:
    """The judges of a system."""

    system: str = field(SYSTEM)
    shares: Mapping[str, float] = field("fraction", "Share of {} in the mean rating of the system.", columns="{}")
    mean_severity: float = field(
        "decimal",
        "Mean severity of the system's judges: what it adds to the mean rating; negative if judges are severe.",
    )


@result
class _JudgeMeans:
    """The mean ratings of a system."""

    system: str = field(SYSTEM)
    by_judge: Mapping[str, float] = field("decimal", "Mean rating of the system by {}.", columns="{}")
    raw: float = field("decimal", "Mean rating: over judges, then over segments.")
    adjusted: float = field("decimal", "Mean rating adjusted for judges and segments by least squares.")


def roster_table(means: AdjustedMeans) -> Table:
    """Return each judge's share in the mean of each system, and the mean severity of the system's judges."""
    names, shares, severity = judge_names(means.judges), means.shares.tolist(), means.roster_severity.tolist()
    rows = [
        _Roster(system=system, shares=dict(zip(names, shares[k], strict=True)), mean_severity=severity[k])
        for k, system in enumerate(means.systems)
    ]
    return table_of(rows, _Roster)


def judge_means_table(means: AdjustedMeans) -> Table:
    """Return the mean rating of each system by each judge, with raw and adjusted means."""
    names, by_judge = judge_names(means.judges), means.judge_means.tolist()
    rows = [
        _JudgeMeans(
            system=system,
            by_judge=dict(zip(names, by_judge[k], strict=True)),
            raw=float(means.raw[k]),
            adjusted=float(means.adjusted[k]),
        )
        for k, system in enumerate(means.systems)
    ]
    return table_of(rows, _JudgeMeans)


def method(ranking: HumanRanking) -> str:
    """Return sentences on the method of the ranking, for a caption."""
    how = (
        "Mean ratings adjusted for judges and segments (ordinary least squares with systems, segments and judges)"
        if ranking.adjusted
        else "Mean ratings over judges, then over segments"
    )
    with_judges = ranking.adjusted and len(ranking.means.judges) >= MIN_JUDGES
    over = f"{ranking.unit}s and judges" if with_judges else f"{ranking.unit}s"
    parts = [f"{how}; standard errors of differences by the jackknife over {over}; p corrected for all pairs (Holm)."]
    parts += [f"No tiers: {ranking.reason}."] if ranking.reason else []
    return " ".join([*parts, *ranking.notes])


def confounding_report(confounding: Confounding) -> ConfoundingReport:
    """Return the JSON of the confounding of judges with systems, with all pairs, the largest effect first."""
    effects = sorted(
        confounding.effects, key=lambda effect: -abs(effect.effect) if not math.isnan(effect.effect) else math.inf
    )
    return ConfoundingReport(
        confounded=confounding.confounded,
        imbalance=confounding.imbalance.deviation,
        imbalance_expected=confounding.imbalance.expected,
        imbalance_p_value=confounding.imbalance.p_value,
        severity_p_value=confounding.means.severity_p,
        effects=tuple(
            JudgeEffectRow(
                system=effect.system,
                baseline=effect.baseline,
                delta_raw=effect.raw,
                delta_adjusted=effect.adjusted,
                effect=effect.effect,
                standard_error=effect.standard_error,
                p_value_raw=effect.raw_p_adjusted,
                p_value_adjusted=effect.p_value_adjusted,
                misleading=effect.misleading,
                reason=_reason(
                    confounding.means, effect.standard_error, effect.p_value_adjusted, effect.raw_p_adjusted
                ),
            )
            for effect in effects
        ),
        reason=confounding.reason,
    )


def confounding_sentences(confounding: Confounding) -> tuple[str, ...]:
    """Return sentences on the confounding of judges with systems."""
    if confounding.reason:
        return (f"It is not known whether judges are confounded with systems: {confounding.reason}.",)
    imbalance = confounding.imbalance
    spread = (
        f"The mean severity of a system's judges varies over systems with a standard deviation of "
        f"{decimal(imbalance.deviation)}; {decimal(imbalance.expected)} is expected if judges rate systems at random "
        f"within segments (p {_equals(imbalance.p_value)}{format_p(imbalance.p_value)})."
    )
    if not confounding.confounded:
        return ("No sign that judges are confounded with systems.", spread)
    misleading, pairs = len(confounding.misleading), len(confounding.effects)
    confounded = (
        f"Judges are confounded with systems: {misleading:,} of {pairs:,} differences are significant in raw means, "
        "and not significant or reversed in means adjusted for judges."
    )
    return confounded, spread


def _equals(p_value: float) -> str:
    return "" if format_p(p_value).startswith(("<", "≤", "≈")) else "= "


def _ranks(ranking: HumanRanking) -> tuple[HumanRankRow, ...]:
    return tuple(
        HumanRankRow(
            tier=rank.tier,
            system=rank.system,
            mean=rank.mean,
            low=rank.interval.low,
            high=rank.interval.high,
            mean_raw=rank.raw,
            mean_adjusted=rank.adjusted,
            segments=rank.segments,
            judges=rank.judges,
            reason=ranking.reason or _reason(ranking.means, rank.interval.low, rank.adjusted),
        )
        for rank in ranking.ranks
    )


def _pairs(ranking: HumanRanking) -> tuple[HumanPairRow, ...]:
    return tuple(
        HumanPairRow(
            system=pair.system,
            baseline=pair.baseline,
            delta=pair.delta,
            low=pair.interval.low,
            high=pair.interval.high,
            degrees_of_freedom=pair.degrees_of_freedom,
            p_value=pair.p_value,
            p_value_adjusted=pair.p_value_adjusted,
            variance=pair.variance,
            variance_units=pair.over_units,
            variance_judges=pair.over_judges,
            variance_residual=pair.residual,
            reason=_pair_reason(ranking, pair.variance, pair.over_judges),
        )
        for pair in ranking.pairs
    )


def _pair_reason(ranking: HumanRanking, variance: float, over_judges: float) -> str:
    if math.isnan(over_judges) and not math.isnan(variance):
        if not ranking.adjusted:
            return "raw means have no variance over judges"
        return f"fewer than {MIN_JUDGES} judges have no variance over judges"
    return _reason(ranking.means, variance)


def _reason(means: AdjustedMeans, *values: float) -> str:
    """Return why one of the values is undefined; empty if none is."""
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
