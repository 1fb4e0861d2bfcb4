"""The status of a campaign: progress, care and agreement of judges, systems' means, and what the stopping rule says."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.campaigns.declaration import CampaignPlan
from bleu_core.campaigns.differences import (
    LEVEL,
    SystemDifference,
    SystemMean,
    closest,
    system_differences,
    system_means,
)
from bleu_core.campaigns.interim_analyses import InterimAnalysis, interim_analyses, planned_ratings, rule_sentence
from bleu_core.campaigns.judge_quality import (
    JudgeStatus,
    Pace,
    Repeats,
    agreement_with_others,
    care_of,
    checks_of,
    proposals,
    repeats_of,
)
from bleu_core.campaigns.store import Answer, CampaignStore, JudgeProgress, State
from bleu_core.campaigns.stored_ratings import StoredRatings
from bleu_core.dataset import plural
from bleu_core.fields import REASON, Table, decimal, field, result, table_of
from bleu_core.judges import krippendorff_alpha

ENDED: tuple[State, ...] = ("closed", "stopped")


@result
class Agreement:
    """Krippendorff's alpha of the judges who count."""

    alpha: float = field("number", "Krippendorff's alpha (interval): 1 is perfect agreement, 0 is chance.")
    low: float = field("number", f"Lower end of the {LEVEL} interval of alpha, over items.")
    high: float = field("number", f"Upper end of the {LEVEL} interval of alpha, over items.")
    items: int = field("count", "Items with two or more ratings.")
    ratings: int = field("count", "Ratings of these.")
    reason: str = field(REASON, default="")


@result
class CampaignStatus:
    """Where a campaign stands."""

    title: str = field("text", "Title of the campaign.")
    state: State = field("text", "The state: new, open, paused, closed or stopped.")
    answered: int = field("count", "Items with an answer, a rating or a skip, over all judges; no repeats or checks.")
    ratings: int = field("count", "Those with a rating.")
    skipped: int = field("count", "Those with a skip.")
    expected: int = field("count", "Items of all judges' lists; no repeats or checks.")
    share: float = field("fraction", "Share of the items with an answer.")
    judges: tuple[JudgeStatus, ...] = field("object", "The judges, in their order.")
    alpha: Agreement = field("object", "Agreement of the judges who are not excluded.")
    means_shown: bool = field(
        "text",
        "Whether the lead may see means and differences without peeking: at a look, or when the campaign has ended.",
    )
    means_ratings: int = field("count", "How many stored ratings the means and the differences rest on.")
    means: tuple[SystemMean, ...] = field("object", "The systems' mean ratings, highest first.")
    differences: tuple[SystemDifference, ...] = field("object", "The differences of all pairs, the largest first.")
    closest: SystemDifference | None = field("object", "The pair with the smallest difference.", default=None)
    rule: str = field("text", "The stopping rule.")
    looks: tuple[InterimAnalysis, ...] = field("object", "The looks at the closest pair, those made and those to come.")
    next_look: int | None = field("count", "After how many ratings the next look is made; null: none.", null=True)
    stop: bool = field("text", "Whether the stopping rule ends the campaign.")
    verdict: str = field("text", "What the stopping rule says now.")


def campaign_status(store: CampaignStore) -> CampaignStatus:
    """Where a campaign stands.

    Excluded judges' ratings are left out of means, differences, looks and alpha, and stay in the table of judges. Means
    and differences rest on the ratings of the newest look, so that who reads them has not looked more often than the
    plan says; on all ratings when the campaign has ended, and before the first look.

    Args:
        store: an open campaign.
    """
    answers = store.answers(all_revisions=True)
    excluded = {gone.judge: gone.reason for gone in store.exclusions}
    state, plan, expected = store.state, store.plan, planned_ratings(store)
    stored = StoredRatings.of(plan.systems, store.judges, answers, documents=plan.documents is not None)
    now = stored.in_force()
    skipped = int(np.isnan(stored.scores[now]).sum())
    complete = len(now) >= expected
    found = interim_analyses(plan, stored, expected, complete=complete, without=excluded)
    made = [look for look in found if look.made]
    stops = [look for look in made if look.stop]
    ended = complete or bool(stops) or state in ENDED
    newest = None if ended or not made else made[-1].ratings
    table = stored.table(newest, excluded)
    differences = system_differences(table)
    next_look = None if ended else next((look.ratings for look in found if not look.made), None)
    return CampaignStatus(
        title=plan.title,
        state=state,
        answered=len(now),
        ratings=len(now) - skipped,
        skipped=skipped,
        expected=expected,
        share=len(now) / expected if expected else math.nan,
        judges=_judges(store, stored, answers, excluded),
        alpha=_alpha(store),
        means_shown=ended or bool(made),
        means_ratings=newest or len(now) - skipped,
        means=system_means(table),
        differences=differences,
        closest=closest(differences),
        rule=rule_sentence(plan, expected),
        looks=found,
        next_look=next_look,
        stop=complete or bool(stops),
        verdict=_verdict(plan, state, stops=stops, next_look=next_look, rated=stored.rated, complete=complete),
    )


def status_tables(status: CampaignStatus) -> tuple[Table, ...]:
    """The judges, and the looks; where they may be shown, the systems' means and differences, too."""
    judges, looked = table_of(status.judges, JudgeStatus), table_of(status.looks, InterimAnalysis)
    if not status.means_shown:
        return judges, looked
    return judges, table_of(status.means, SystemMean), table_of(status.differences, SystemDifference), looked


def status_sentences(status: CampaignStatus) -> tuple[str, ...]:
    """Flagged judges, progress, the stopping rule and what it says, agreement, and exclusions."""
    alpha = status.alpha
    agreement = (
        f"Krippendorff's alpha is undefined: {alpha.reason}."
        if alpha.reason
        else f"Krippendorff's alpha: {decimal(alpha.alpha, 3)} ({LEVEL} interval {decimal(alpha.low, 3)} to "
        f"{decimal(alpha.high, 3)})."
    )
    hidden = () if status.means_shown else ("Means of systems are shown from the first look on.",)
    flagged = tuple(
        f"Look at the ratings of {judge.judge} ({judge.flags}): {judge.evidence}." for judge in flagged_judges(status)
    )
    proposed = tuple(
        f"Exclusion proposed: {judge.judge}. {judge.proposed}" for judge in status.judges if judge.proposed
    )
    excluded = tuple(f"Excluded: {judge.judge}. {judge.excluded}" for judge in status.judges if judge.excluded)
    answered = (
        f"The campaign is {status.state}: {status.answered:,} of {status.expected:,} items have an answer "
        f"({status.skipped:,} skipped)."
    )
    return *flagged, *proposed, answered, status.rule, status.verdict, agreement, *hidden, *excluded


def flagged_judges(status: CampaignStatus) -> tuple[JudgeStatus, ...]:
    """The judges with a flag, those with the most first."""
    flagged = [judge for judge in status.judges if judge.flags]
    return tuple(sorted(flagged, key=lambda judge: -len(judge.flags.split(", "))))


def _judges(
    store: CampaignStore, stored: StoredRatings, answers: Sequence[Answer], excluded: Mapping[str, str]
) -> tuple[JudgeStatus, ...]:
    progress, scale = store.progress(), store.plan.scale.highest - store.plan.scale.lowest
    newest = {(a.judge, a.place, a.item): a for a in answers}.values()
    first: dict[str, dict[int, float]] = {}
    original: dict[tuple[str, int, str], float] = {}
    for a in newest:
        if a.kind == "first" and a.score is not None:
            first.setdefault(a.judge, {})[a.item] = a.score
            original[a.judge, a.segment, a.system] = a.score
    twice: dict[str, list[tuple[float, float]]] = {}
    copies: dict[str, list[tuple[float, float]]] = {}
    for a in newest:
        if a.score is None:
            continue
        if a.kind == "repeat" and a.item in first.get(a.judge, {}):
            twice.setdefault(a.judge, []).append((first[a.judge][a.item], a.score))
        if a.degraded and (a.judge, a.segment, a.system) in original:
            copies.setdefault(a.judge, []).append((original[a.judge, a.segment, a.system], a.score))
    counting = [one.judge not in excluded for one in progress]
    repeats = [repeats_of(*_columns(twice.get(one.judge, [])), scale) for one in progress]
    checks = [checks_of(*_columns(copies.get(one.judge, []))) for one in progress]
    rows = stored.in_force()
    rows = rows[~np.isnan(stored.scores[rows])]
    item = stored.segment[rows] * len(stored.systems) + stored.system[rows]
    others = agreement_with_others(
        item, stored.judge[rows], ratings=stored.scores[rows], judges=len(progress), counting=counting
    )
    proposed = proposals(repeats, checks, others, counting)
    paces = [Pace(one.rated + one.skipped, one.seconds) for one in progress]
    care = care_of(paces, repeats, checks=checks, proposed=proposed, counting=counting)
    return tuple(
        JudgeStatus(
            judge=one.judge,
            flags=", ".join(care[n].flags),
            evidence=care[n].evidence,
            group=one.group,
            places=one.slots,
            rated=one.rated,
            skipped=one.skipped,
            share=(one.rated + one.skipped) / one.slots if one.slots else math.nan,
            seconds=one.seconds,
            repeats=repeats[n].count,
            repeat_difference=repeats[n].difference,
            repeats_equal=repeats[n].equal,
            checks=checks[n].count,
            checks_lower=checks[n].lower,
            p_value=checks[n].p_value,
            shared=others[n].shared,
            deviation=others[n].deviation,
            correlation=others[n].correlation,
            proposed=proposed[n],
            excluded=excluded.get(one.judge, ""),
            reason=_why_undefined(
                one, repeats[n], checks=checks[n].count, shared=others[n].shared, correlation=others[n].correlation
            ),
        )
        for n, one in enumerate(progress)
    )


def _columns(pairs: Sequence[tuple[float, float]]) -> tuple[Floats, Floats]:
    both = np.array(pairs, np.float64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def _why_undefined(one: JudgeProgress, repeats: Repeats, checks: int, shared: int, correlation: float) -> str:
    found = [] if one.slots else ["no place in the list"]
    if one.slots and math.isnan(one.seconds):
        found.append("nothing rated")
    else:
        found += [] if repeats.count else ["no repeats rated"]
        found += [] if checks else ["no degraded copies rated"]
        if not shared:
            found.append("no items that others have rated")
        elif math.isnan(correlation):
            found.append("the ratings do not vary")
    return "; ".join(found)


def _alpha(store: CampaignStore) -> Agreement:
    judgments = store.judgments()
    if judgments is None:
        return Agreement(
            alpha=math.nan, low=math.nan, high=math.nan, items=0, ratings=0, reason="no rating has been stored"
        )
    found = krippendorff_alpha(judgments)
    return Agreement(
        alpha=found.coefficient,
        low=found.interval.low,
        high=found.interval.high,
        items=found.items,
        ratings=found.ratings,
        reason=found.reason,
    )


def _verdict(
    plan: CampaignPlan,
    state: State,
    stops: Sequence[InterimAnalysis],
    next_look: int | None,
    rated: int,
    *,
    complete: bool,
) -> str:
    by_width = plan.stopping.width is not None
    if by_width and stops:
        look = stops[0]
        return (
            f"Stop: look {look.look}, after {look.ratings:,} {plural(look.ratings, 'rating')}, found an interval "
            f"{look.width:.2f} points wide for {look.system} and {look.baseline}."
        )
    if complete:
        return "Done: every translation is rated."
    if stops:
        return f"Stop: {rated:,} {plural(rated, 'rating')} {'is' if rated == 1 else 'are'} stored."
    if next_look is None:
        return f"The campaign is {state}; the stopping rule has not ended it."
    what = "the next look is" if by_width else "the campaign ends"
    more = next_look - rated
    needed = f"{more:,} more {'is' if more == 1 else 'are'} needed"
    return f"Continue: {what} after {next_look:,} {plural(next_look, 'rating')}; {needed}."
