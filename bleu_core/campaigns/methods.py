"""The methods paragraph about a campaign, for a paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bleu_core.campaigns.counterbalancing import MIN_SPACING
from bleu_core.dataset import plural
from bleu_core.errors import listed
from bleu_core.version import VERSION

if TYPE_CHECKING:
    from bleu_core.campaigns.declaration import CampaignPlan, StoppingRule
    from bleu_core.campaigns.store import CampaignStore


def methods_paragraph(store: CampaignStore) -> str:
    """Describe the design of a campaign and its data: judges, items, checks, exclusions, stopping rule and seed."""
    plan = store.plan
    parts = [
        _sample(store),
        _judges(plan),
        _rating(plan),
        _lists(plan),
        _checks(plan),
        _rule(plan.stopping),
        *_data_sentences(store),
        _software(store),
    ]
    return " ".join(filter(None, parts))


def _sample(store: CampaignStore) -> str:
    plan = store.plan
    segments = len(store.segments)
    drawn = f"{segments:,} of {store.corpus_segments:,} segments"
    if plan.documents is not None:
        how = f"which make up {plan.documents:,} {plural(plan.documents, 'document')} drawn at random as a whole"
    elif segments == store.corpus_segments:
        drawn, how = f"all {segments:,} segments", ""
    elif plan.strata:
        how = f"drawn at random in proportion to the values of {plan.strata}"
    else:
        how = "drawn at random"
    systems = f"{len(plan.systems):,} {plural(len(plan.systems), 'system')} ({listed(plan.systems, max_items=20)})"
    return f"Human judges rated the translations of {drawn} by {systems}{'; the segments were ' + how if how else ''}."


def _judges(plan: CampaignPlan) -> str:
    groups = [
        f"{group.judges:,} {plural(group.judges, 'judge')} of the group {group.name}, who "
        f"{'saw' if group.source else 'did not see'} the source"
        for group in plan.groups
    ]
    assigned = [
        f"{count:,} {plural(count, 'judge')} of the group {group.name}"
        for group in plan.groups
        for count in [plan.ratings_in(group)]
    ]
    return f"There were {_joined(groups)}. Each translation was assigned to {_joined(assigned)}."


def _rating(plan: CampaignPlan) -> str:
    scale = plan.scale
    names = [f"{number:g}: {name}" for number, name in sorted(scale.names.items())]
    named = f" ({'; '.join(names)})" if names else ""
    shown = (
        "The translations of a segment by all systems were shown side by side, without the systems' names"
        if plan.presentation == "side by side"
        else "Translations were shown one at a time, without the system's name"
    )
    trained = (
        f" Before they began, judges rated {len(plan.training):,} {plural(len(plan.training), 'example')} and were "
        "shown the expected scores."
        if plan.training
        else ""
    )
    return (
        f'{shown}. Judges answered the question "{plan.question}" with a number from {scale.lowest:g} to '
        f"{scale.highest:g} in steps of {scale.step:g}{named}.{trained}"
    )


def _lists(plan: CampaignPlan) -> str:
    if plan.mode == "paper":
        return (
            "All judges rated all translations in the same random order, in which the translations of a segment were "
            "dispersed (Papineni et al., 2002, section 4)."
        )
    spacing = f", at least {MIN_SPACING} places apart where the number of segments allows it" * (
        plan.presentation == "single"
    )
    return (
        f"A judge who was assigned a segment rated the translations of all systems{spacing}. The positions of systems "
        "within a segment, and the systems that follow each other, were balanced for each judge."
    )


def _checks(plan: CampaignPlan) -> str:
    shares = [
        f"{share:.0%} of a judge's {noun}"
        for share, noun in (
            (plan.repeats, "items were shown a second time"),
            (plan.degraded, "items were shown again with a phrase dropped or moved"),
        )
        if share > 0
    ]
    if not shares:
        return "No item was rated twice, and there were no degraded copies."
    return f"As checks, {' and '.join(shares)}; these ratings are not among the results."


def _rule(rule: StoppingRule) -> str:
    if rule.ratings is not None:
        return f"The campaign was to stop after {rule.ratings:,} ratings, as was fixed before the first rating."
    if rule.width is not None:
        return (
            "The campaign was to stop when the 95% interval of the difference between the two closest systems was "
            f"narrower than {rule.width:g} points; this was fixed before the first rating, as were the {rule.looks} "
            "numbers of ratings at which the interval was checked."
        )
    return "The campaign was to stop when all items were rated, as was fixed before the first rating."


def _software(store: CampaignStore) -> str:
    return (
        f"The campaign was designed and its ratings were stored with bleu-core {VERSION} (seed {store.plan.seed}, "
        f"design {store.digest})."
    )


def _joined(parts: Sequence[str]) -> str:
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def _data_sentences(store: CampaignStore) -> list[str]:
    answers = store.answers()
    first = [answer for answer in answers if answer.kind == "first"]
    if not first:
        return ["No rating has been given yet."]
    planned = sum(len(slot.items) for judge in store.judges for slot in store.slots(judge) if slot.kind == "first")
    rated = [answer for answer in first if answer.score is not None]
    begin, end = (f"{datetime.fromtimestamp(dates, UTC):%Y-%m-%d}" for dates in (first[0].stored, answers[-1].stored))
    dates = f"On {begin}" if begin == end else f"From {begin} to {end}"
    skipped = len(first) - len(rated)
    counts = Counter(answer.judge for answer in rated)
    gave = f"{dates}, {len(counts):,} {plural(len(counts), 'judge')} gave {len(rated):,} of {planned:,} planned ratings"
    sentences = [f"{gave} and skipped {skipped:,}." if skipped else f"{gave}."]
    exclusions = store.exclusions
    if exclusions:
        reasons = listed(
            [f"{exclusion.judge} ({exclusion.reason})" for exclusion in exclusions], max_items=len(exclusions)
        )
        n_excluded = sum(counts[exclusion.judge] for exclusion in exclusions)
        sentences.append(
            f"The {n_excluded:,} {plural(n_excluded, 'rating')} of {len(exclusions):,} "
            f"{plural(len(exclusions), 'judge')} {'is' if n_excluded == 1 else 'are'} excluded: {reasons}."
        )
    else:
        sentences.append("No judge was excluded.")
    return sentences
