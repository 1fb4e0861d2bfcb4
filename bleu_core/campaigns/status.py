"""Status of a campaign: progress, quality and agreement of judges, means of systems, and the stopping rule."""

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
    compare_copies,
    compare_repeats,
    flag_judges,
    proposals,
)
from bleu_core.campaigns.store import Answer, CampaignStore, JudgeProgress, State
from bleu_core.campaigns.stored_ratings import StoredRatings
from bleu_core.dataset import plural
from bleu_core.fields import Table, decimal, field, inline, result, table_of
from bleu_core.judges import KrippendorffAlpha, krippendorff_alpha, undefined_alpha

ENDED: tuple[State, ...] = ("closed", "stopped")


@result
class Agreement:
    """Krippendorff's alpha of the judges who are not excluded."""

    krippendorff: KrippendorffAlpha = inline(KrippendorffAlpha, "alpha", "low", "high", "items", "ratings", "reason")


@result
class CampaignStatus:
    """Status of a campaign."""

    title: str = field("text", "Title of the campaign.")
    state: State = field("text", "The state: new, open, paused, closed or stopped.")
    answered: int = field("count", "Items of all judges with a rating or a skip, without repeats and checks.")
    ratings: int = field("count", "Items with a rating.")
    skipped: int = field("count", "Items with a skip.")
    expected: int = field("count", "Items of all judges' lists, without repeats and checks.")
    share: float = field("fraction", "Share of the items with an answer.")
    judges: tuple[JudgeStatus, ...] = field("object", "The judges, in their order.")
    alpha: Agreement = field("object", "Agreement of the judges who are not excluded.")
    means_shown: bool = field(
        "text",
        "Whether means and differences are shown: from the first interim analysis on, or when the campaign has ended.",
    )
    ratings_in_means: int = field(
        "count", "Number of stored ratings on which the means and the differences are based.", former="means_ratings"
    )
    means: tuple[SystemMean, ...] = field("object", "The systems' mean ratings, highest first.")
    differences: tuple[SystemDifference, ...] = field("object", "The differences of all pairs, largest first.")
    closest: SystemDifference | None = field("object", "The pair with the smallest difference.", default=None)
    rule: str = field("text", "The stopping rule.")
    looks: tuple[InterimAnalysis, ...] = field(
        "object", "The interim analyses of the closest pair, those made and those to come."
    )
    next_look: int | None = field(
        "count", "Number of ratings at which the next interim analysis is made; null if none is.", null=True
    )
    stop: bool = field("text", "Whether the stopping rule ends the campaign.")
    verdict: str = field("text", "Current result of the stopping rule.")


def campaign_status(store: CampaignStore) -> CampaignStatus:
    """Return the status of a campaign.

    Ratings of excluded judges do not count for means, differences, interim analyses and alpha; the judges remain in the
    table of judges. Means and differences use the ratings of the newest interim analysis, so that nobody sees results
    more often than planned; they use all ratings when the campaign has ended, and before the first analysis.

    Args:
        store: an open campaign.
    """
    answers = store.answers(all_revisions=True)
    excluded = {exclusion.judge: exclusion.reason for exclusion in store.exclusions}
    state, plan, expected = store.state, store.plan, planned_ratings(store)
    stored = StoredRatings.of(plan.systems, store.judges, answers, documents=plan.documents is not None)
    in_force = stored.in_force()
    skipped = int(np.isnan(stored.scores[in_force]).sum())
    complete = len(in_force) >= expected
    analyses = interim_analyses(plan, stored, expected, complete=complete, without=excluded)
    made = [analysis for analysis in analyses if analysis.made]
    stops = [analysis for analysis in made if analysis.stop]
    ended = complete or bool(stops) or state in ENDED
    newest = None if ended or not made else made[-1].ratings
    table = stored.table(newest, excluded)
    differences = system_differences(table)
    next_look = None if ended else next((analysis.ratings for analysis in analyses if not analysis.made), None)
    return CampaignStatus(
        title=plan.title,
        state=state,
        answered=len(in_force),
        ratings=len(in_force) - skipped,
        skipped=skipped,
        expected=expected,
        share=len(in_force) / expected if expected else math.nan,
        judges=_judges(store, stored, answers, excluded),
        alpha=Agreement(krippendorff=_alpha(store)),
        means_shown=ended or bool(made),
        ratings_in_means=newest or len(in_force) - skipped,
        means=system_means(table),
        differences=differences,
        closest=closest(differences),
        rule=rule_sentence(plan, expected),
        looks=analyses,
        next_look=next_look,
        stop=complete or bool(stops),
        verdict=_verdict(plan, state, stops=stops, next_look=next_look, rated=stored.rated, complete=complete),
    )


def status_tables(status: CampaignStatus) -> tuple[Table, ...]:
    """Return tables of the judges and the interim analyses, and, if they may be shown, of means and differences."""
    judges, analyses = table_of(status.judges, JudgeStatus), table_of(status.looks, InterimAnalysis)
    if not status.means_shown:
        return judges, analyses
    return judges, table_of(status.means, SystemMean), table_of(status.differences, SystemDifference), analyses


def status_sentences(status: CampaignStatus) -> tuple[str, ...]:
    """Describe flagged judges, progress, the stopping rule and its result, agreement, and exclusions."""
    alpha = status.alpha.krippendorff
    low, high = decimal(alpha.interval.low, 3), decimal(alpha.interval.high, 3)
    agreement = (
        f"Krippendorff's alpha is undefined: {alpha.reason}."
        if alpha.reason
        else f"Krippendorff's alpha: {decimal(alpha.coefficient, 3)} ({LEVEL} interval {low} to {high})."
    )
    hidden = () if status.means_shown else ("Means of systems are shown from the first interim analysis on.",)
    flagged = tuple(
        f"Inspect the ratings of {judge.judge} ({judge.flags}): {judge.evidence}." for judge in flagged_judges(status)
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
    """Return the judges with a flag, those with the most flags first."""
    flagged = [judge for judge in status.judges if judge.flags]
    return tuple(sorted(flagged, key=lambda judge: -len(judge.flags.split(", "))))


def _judges(
    store: CampaignStore, stored: StoredRatings, answers: Sequence[Answer], excluded: Mapping[str, str]
) -> tuple[JudgeStatus, ...]:
    progress, scale = store.progress(), store.plan.scale.highest - store.plan.scale.lowest
    newest = {(answer.judge, answer.place, answer.item): answer for answer in answers}.values()
    first: dict[str, dict[int, float]] = {}
    original: dict[tuple[str, int, str], float] = {}
    for answer in newest:
        if answer.kind == "first" and answer.score is not None:
            first.setdefault(answer.judge, {})[answer.item] = answer.score
            original[answer.judge, answer.segment, answer.system] = answer.score
    repeated: dict[str, list[tuple[float, float]]] = {}
    copies: dict[str, list[tuple[float, float]]] = {}
    for answer in newest:
        if answer.score is None:
            continue
        if answer.kind == "repeat" and answer.item in first.get(answer.judge, {}):
            repeated.setdefault(answer.judge, []).append((first[answer.judge][answer.item], answer.score))
        if answer.degraded and (answer.judge, answer.segment, answer.system) in original:
            copies.setdefault(answer.judge, []).append(
                (original[answer.judge, answer.segment, answer.system], answer.score)
            )
    included = [judge.judge not in excluded for judge in progress]
    repeats = [compare_repeats(*_columns(repeated.get(judge.judge, [])), scale) for judge in progress]
    checks = [compare_copies(*_columns(copies.get(judge.judge, []))) for judge in progress]
    rows = stored.in_force()
    rows = rows[~np.isnan(stored.scores[rows])]
    item = stored.segment[rows] * len(stored.systems) + stored.system[rows]
    others = agreement_with_others(
        item, stored.judge[rows], ratings=stored.scores[rows], judges=len(progress), included=included
    )
    proposed = proposals(repeats, checks, others, included)
    paces = [Pace(judge.rated + judge.skipped, judge.seconds) for judge in progress]
    quality = flag_judges(paces, repeats, checks=checks, proposed=proposed, included=included)
    return tuple(
        JudgeStatus(
            judge=judge.judge,
            flags=", ".join(quality[n].flags),
            evidence=quality[n].evidence,
            group=judge.group,
            places=judge.slots,
            rated=judge.rated,
            skipped=judge.skipped,
            share=(judge.rated + judge.skipped) / judge.slots if judge.slots else math.nan,
            seconds=judge.seconds,
            repeats=repeats[n],
            checks=checks[n],
            others=others[n],
            proposed=proposed[n],
            excluded=excluded.get(judge.judge, ""),
            reason=_why_undefined(
                judge, repeats[n], checks=checks[n].count, shared=others[n].shared, correlation=others[n].correlation
            ),
        )
        for n, judge in enumerate(progress)
    )


def _columns(pairs: Sequence[tuple[float, float]]) -> tuple[Floats, Floats]:
    both = np.array(pairs, np.float64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def _why_undefined(judge: JudgeProgress, repeats: Repeats, checks: int, shared: int, correlation: float) -> str:
    reasons = [] if judge.slots else ["no place in the list"]
    if judge.slots and math.isnan(judge.seconds):
        reasons.append("nothing rated")
    else:
        reasons += [] if repeats.count else ["no repeats rated"]
        reasons += [] if checks else ["no degraded copies rated"]
        if not shared:
            reasons.append("no items that others have rated")
        elif math.isnan(correlation):
            reasons.append("the ratings do not vary")
    return "; ".join(reasons)


def _alpha(store: CampaignStore) -> KrippendorffAlpha:
    judgments = store.judgments()
    if judgments is None:
        return undefined_alpha("interval", "no rating has been stored")
    return krippendorff_alpha(judgments)


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
        analysis = stops[0]
        return (
            f"Stop: interim analysis {analysis.look}, after {analysis.ratings:,} {plural(analysis.ratings, 'rating')}, "
            f"has an interval {analysis.width:.2f} points wide for {analysis.system} and {analysis.baseline}."
        )
    if complete:
        return "Done: every translation is rated."
    if stops:
        return f"Stop: {rated:,} {plural(rated, 'rating')} {'is' if rated == 1 else 'are'} stored."
    if next_look is None:
        return f"The campaign is {state}; the stopping rule has not ended it."
    event = "the next interim analysis is" if by_width else "the campaign ends"
    more = next_look - rated
    needed = f"{more:,} more {'is' if more == 1 else 'are'} needed"
    return f"Continue: {event} after {next_look:,} {plural(next_look, 'rating')}; {needed}."
