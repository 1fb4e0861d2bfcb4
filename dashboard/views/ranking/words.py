"""Sentences about the order of systems by each metric and with each reference. Pure functions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bleu_core.dataset import plural
from bleu_core.errors import enumeration, listed
from bleu_core.inference import tiers
from dashboard.analysis import ScoresByMetric, systems_in_order
from dashboard.words import INTERVAL, coefficient, p_of, signed, too_few_rated

if TYPE_CHECKING:
    from bleu_core.agreement import ReferenceRankings

#: Minimum tau at which 90% of pairs of systems are in the same order.
NEARLY_THE_SAME = 0.8


def rankings_verdict(rankings: ReferenceRankings) -> str:
    """State whether the order of the systems depends on the reference, and which system leads."""
    return f"{_order(rankings)} {_leaders(rankings)}"


def most_favoured(rankings: ReferenceRankings) -> str:
    """Name the system that a reference favours most, and count the other significant advantages."""
    if not rankings.favoured:
        return "No reference favours a system significantly."
    first, *others = rankings.favoured
    metric = rankings.together.scored.metric
    low, high = (signed(end, metric.decimals) for end in (first.interval.low, first.interval.high))
    bounds = f"{INTERVAL} {low} to {high}"
    points = f"{first.points:.{metric.decimals}f} {metric.unit}".rstrip()
    sentence = f"{first.reference} favours {first.system} most: by {points} "
    sentence += f"({bounds}; corrected p {p_of(first.p_value_adjusted)})"
    return f"{sentence}; {len(others)} more of such advantages are significant." if others else f"{sentence}."


def agreement_by_reference(rankings: ReferenceRankings) -> str:
    """State with which reference the order agrees most and least with judges; empty without ratings."""
    agreements = [ranking.agreement for ranking in rankings.rankings if ranking.agreement is not None]
    few = [agreement.rated for agreement in agreements if agreement.rated is not None]
    if any(rated.too_few for rated in few):
        return too_few_rated(few[0], "the scores agree better with the judges with one reference than with another")
    tau = {
        ranking.reference: ranking.agreement.kendall.coefficient
        for ranking in rankings.rankings
        if ranking.agreement is not None and not math.isnan(ranking.agreement.kendall.coefficient)
    }
    if len(tau) < 2:  # noqa: PLR2004 # to compare
        return ""
    best, worst = max(tau, key=lambda name: tau[name]), min(tau, key=lambda name: tau[name])
    if tau[best] == tau[worst]:
        return (
            f"The scores agree with judges equally well with each reference (Kendall's tau {coefficient(tau[best])})."
        )
    return (
        f"The scores agree best with judges with {best} (Kendall's tau {coefficient(tau[best])}), and worst with "
        f"{worst} ({coefficient(tau[worst])})."
    )


def meaning_of_advantages(rankings: ReferenceRankings) -> str:
    """Explain an advantage, and how it is tested."""
    tests = f"{rankings.tests:,} {plural(rankings.tests, 'test')}"
    return (
        "How much higher a system scores with a reference than its mean over the references and the reference's mean "
        "over the systems suggest. In parentheses: not significant at the level of "
        f"{rankings.alpha:g}, corrected for {tests} by Holm; standard errors over {rankings.unit}s."
    )


def advantages_mirrored(first: str, second: str) -> str:
    """State which advantages the table omits with two references."""
    return f"The table lists the advantages with {first}; those with {second} are the same with the opposite sign."


def cannot_be_ranked(reason: str) -> str:
    """Explain why the systems cannot be ranked with each reference, and what to do."""
    return f"This page compares references, and needs two: {reason}."


def _order(rankings: ReferenceRankings) -> str:
    known = [pair.kendall.coefficient for pair in rankings.alone if not math.isnan(pair.kendall.coefficient)]
    if not any(pair.reversed_pairs for pair in rankings.alone):
        return "The order of the systems is the same with each reference."
    if not known:
        return "The order of the systems depends on the reference."
    low, high = coefficient(min(known)), coefficient(max(known))
    evidence = f"(Kendall's tau {low})" if low == high else f"(Kendall's tau {low} to {high})"
    if min(known) >= NEARLY_THE_SAME:
        return f"The order of the systems is nearly the same with each reference {evidence}."
    return f"The order of the systems depends on the reference {evidence}."


def _leaders(rankings: ReferenceRankings) -> str:
    by_leader: dict[str, list[str]] = {}
    for ranking, name in zip(rankings.rankings, rankings.references, strict=True):
        by_leader.setdefault(enumeration(ranking.leaders), []).append(name)
    if len(by_leader) == 1:
        return f"{next(iter(by_leader))} leads with each."
    return f"{enumeration([f'{who} leads with {enumeration(names)}' for who, names in by_leader.items()])}."


#: What is said where no two metrics contradict each other.
NO_DISAGREEMENT = "No two systems are ordered differently by two metrics, each significantly."


def best_by_metric(result: ScoresByMetric) -> str:
    """Return the systems with the best scores, each with the metrics by which it is the best."""
    leaders: dict[str, list[str]] = {}
    for column in result.columns:
        label = column.scored.label
        leaders.setdefault(systems_in_order(result, label)[0], []).append(label)
    if not leaders:
        return "None of the chosen metrics has scores of segments."
    if len(leaders) == 1:
        number = len(result.columns)
        by = f"all {number} metrics" if number > 1 else result.columns[0].scored.label
        return f"{next(iter(leaders))} has the best score by {by}."
    return f"Best score {'; '.join(f'by {listed(by)}: {name}' for name, by in leaders.items())}."


def first_tiers(result: ScoresByMetric) -> str:
    """Return the systems of the first tier by each metric, which do not differ significantly; empty without tests."""
    first: dict[tuple[str, ...], list[str]] = {}
    for label, comparisons in result.comparisons.items():
        if comparisons.tested:
            first.setdefault(tiers(comparisons)[0], []).append(label)
    parts = [f"Tier 1 by {listed(labels)}: {listed(names)}" for names, labels in first.items()]
    return f"{'; '.join(parts)}." if parts else ""
