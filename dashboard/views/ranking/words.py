"""The order of systems with each reference, in plain words. Pure functions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bleu_core.dataset import plural
from bleu_core.errors import enumeration
from dashboard.words import INTERVAL, coefficient, p_of, signed, too_few_rated

if TYPE_CHECKING:
    from bleu_core.agreement import ReferenceRankings

#: From this tau on, 90% of pairs of systems are in the same order.
NEARLY_THE_SAME = 0.8


def rankings_verdict(found: ReferenceRankings) -> str:
    """Return whether the order of the systems depends on the reference, and who leads."""
    return f"{_order(found)} {_leaders(found)}"


def most_favoured(found: ReferenceRankings) -> str:
    """Which system a reference favours most, and how many other advantages are significant."""
    if not found.favoured:
        return "No reference favours a system significantly."
    first, *others = found.favoured
    bounds = f"{INTERVAL} {signed(first.interval.low)} to {signed(first.interval.high)}"
    unit = found.together.scored.metric.unit
    said = f"{first.reference} favours {first.system} most: by {f'{first.points:.2f} {unit}'.rstrip()} "
    said += f"({bounds}; corrected p {p_of(first.p_value_adjusted)})"
    return f"{said}; {len(others)} more of such advantages are significant." if others else f"{said}."


def agreement_by_reference(found: ReferenceRankings) -> str:
    """With which reference the order agrees most and least with judges; empty without ratings."""
    few = [
        one.agreement.rated for one in found.rankings if one.agreement is not None and one.agreement.rated is not None
    ]
    if any(rated.too_few for rated in few):
        return too_few_rated(few[0], "the scores agree better with the judges with one reference than with another")
    tau = {
        one.reference: one.agreement.kendall.coefficient
        for one in found.rankings
        if one.agreement is not None and not math.isnan(one.agreement.kendall.coefficient)
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


def meaning_of_advantages(found: ReferenceRankings) -> str:
    """What an advantage is, and how it is tested."""
    return (
        "How much higher a system scores with a reference than its mean over the references and the reference's mean "
        "over the systems suggest. In parentheses: not significant at the level of "
        f"{found.alpha:g}, corrected for {found.tests:,} {plural(found.tests, 'test')} by Holm; standard errors "
        f"over {found.unit}s."
    )


def advantages_mirrored(first: str, second: str) -> str:
    """Say what the table of advantages leaves out with two references."""
    return f"The table lists the advantages with {first}; those with {second} are the same with the opposite sign."


def cannot_be_ranked(reason: str) -> str:
    """Why the systems cannot be ranked with each reference, and what to do."""
    return f"This page compares references, and needs two: {reason}."


def _order(found: ReferenceRankings) -> str:
    known = [one.kendall.coefficient for one in found.alone if not math.isnan(one.kendall.coefficient)]
    if not any(one.reversed_pairs for one in found.alone):
        return "The order of the systems is the same with each reference."
    if not known:
        return "The order of the systems depends on the reference."
    low, high = coefficient(min(known)), coefficient(max(known))
    evidence = f"(Kendall's tau {low})" if low == high else f"(Kendall's tau {low} to {high})"
    if min(known) >= NEARLY_THE_SAME:
        return f"The order of the systems is nearly the same with each reference {evidence}."
    return f"The order of the systems depends on the reference {evidence}."


def _leaders(found: ReferenceRankings) -> str:
    by_leader: dict[str, list[str]] = {}
    for one, name in zip(found.rankings, found.references, strict=True):
        by_leader.setdefault(enumeration(one.leaders), []).append(name)
    if len(by_leader) == 1:
        return f"{next(iter(by_leader))} leads with each."
    return f"{enumeration([f'{who} leads with {enumeration(names)}' for who, names in by_leader.items()])}."
