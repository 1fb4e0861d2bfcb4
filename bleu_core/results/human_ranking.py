"""Systems ranked by judges, and the confounding of judges with systems, as tables and JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from bleu_core.fields import (
    REASON,
    SYSTEM,
    Table,
    decimal,
    field,
    inline,
    result,
    table_of,
)
from bleu_core.judges import MIN_JUDGES, AdjustedMeans, Confounding, HumanPair, HumanRank, HumanRanking, JudgeEffect
from bleu_core.results.judges import judge_names
from bleu_core.results.table import format_p


@result
class HumanRankRow:
    """A system in the ranking by judges."""

    rank: HumanRank = inline(HumanRank)
    reason: str = field(REASON, "Why there is no interval, no tier or no adjusted mean.", default="")


@result
class HumanPairRow:
    """The difference of two systems' mean ratings."""

    pair: HumanPair = inline(HumanPair)
    reason: str = field(REASON, default="")


@result
class JudgeEffectRow:
    """The effect of the adjustment for judges on the difference of two systems."""

    effect: JudgeEffect = inline(JudgeEffect)
    reason: str = field(REASON, default="")


@result
class ConfoundingReport:
    """The confounding of judges with systems."""

    confounding: Confounding = inline(Confounding)
    effects: tuple[JudgeEffectRow, ...] = field("object", "Pairs of systems.")


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
    means = confounding.means
    return ConfoundingReport(
        confounding=confounding,
        effects=tuple(
            JudgeEffectRow(effect=e, reason=_reason(means, e.standard_error, e.p_value_adjusted, e.raw_p_adjusted))
            for e in effects
        ),
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
        HumanRankRow(rank=rank, reason=ranking.reason or _reason(ranking.means, rank.interval.low, rank.adjusted))
        for rank in ranking.ranks
    )


def _pairs(ranking: HumanRanking) -> tuple[HumanPairRow, ...]:
    return tuple(
        HumanPairRow(pair=pair, reason=_pair_reason(ranking, pair.variance, pair.over_judges)) for pair in ranking.pairs
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
