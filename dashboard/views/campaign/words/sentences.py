"""The design of a campaign in plain words. Pure functions."""

from __future__ import annotations

import math

from bleu_core.campaigns import ExpectedWidth
from bleu_core.dataset import plural
from dashboard.views.campaign.analysis.design import SECONDS_PER_ITEM, CampaignSize
from dashboard.views.campaign.analysis.width import Spread
from dashboard.words import INTERVAL


def size_of_campaign(size: CampaignSize) -> str:
    """How much is rated by how many."""
    judges = "1 judge gives" if size.judges == 1 else f"{size.judges:,} judges give"
    return (
        f"{judges} {size.ratings:,} {plural(size.ratings, 'rating')} of {size.items:,} "
        f"{plural(size.items, 'translation')} ({size.segments:,} {plural(size.segments, 'segment')})."
    )


def work_of_judges(size: CampaignSize) -> str:
    """How long a judge is busy, and what that assumes."""
    each = f"{size.most:,}" if size.fewest == size.most else f"{size.fewest:,} to {size.most:,}"
    checks = f", up to {size.most_checks:,} of them checks" if size.checks else ""
    time = f"{size.minutes:.0f} {plural(round(size.minutes), 'minute')}"
    return (
        f"Each judge rates {each} {plural(size.most, 'translation')}{checks}. That takes up to {time}, if a "
        f"translation takes {SECONDS_PER_ITEM} seconds, which is an assumption."
    )


def width_expected(found: ExpectedWidth) -> str:
    """How wide the interval of two systems' difference will be, and what that means."""
    if math.isnan(found.width):
        return f"How sure the result will be cannot be said: {found.reason}."
    return (
        f"The {INTERVAL} of the difference of two systems can be expected to be {found.width:.2f} points wide. Two "
        f"systems whose mean ratings differ by more than {found.width / 2:.2f} points are then significantly different."
    )


def basis_of_width(spread: Spread) -> str:
    """What the expected width rests on."""
    of = spread.components
    numbers = (
        f"standard deviations of {of.segment_deviation:.2f} between segments, {of.judge_deviation:.2f} between judges, "
        f"and {of.residual_deviation:.2f} for the rest"
    )
    if spread.basis == "assumptions":
        return f"This rests on assumptions about the difference of two systems: {numbers}. A pilot gives better ones."
    return (
        f"This rests on {of.differences:,} {plural(of.differences, 'difference')} of two systems in the ratings that "
        f"are loaded, of {of.segments:,} {plural(of.segments, 'segment')} and {of.judges:,} "
        f"{plural(of.judges, 'judge')}: {numbers}."
    )


def ways_to_width(found: ExpectedWidth) -> list[str]:
    """What reaches the width that is wanted, in a sentence each."""
    if found.wanted is None or math.isnan(found.width):
        return []
    if found.width <= found.wanted:
        return [f"That is at most the {found.wanted:.2f} points that you want."]
    names = {"segments": "segments", "judges": "judges", "ratings": "judges per translation"}
    reached = [
        f"{change.needed:,} {names[change.what]} instead of {change.now:,}"
        for change in found.changes
        if change.needed is not None
    ]
    ways = [f"A width of {found.wanted:.2f} points takes {', or '.join(reached)}."] if reached else []
    others = [change for change in found.changes if change.needed is None]
    return ways + [f"More {names[change.what]} alone will not do: {change.reason}." for change in others]


def plan_problem(problem: str) -> str:
    """Why there is no design, as a sentence: what is wrong, what was found, and what is expected."""
    return f"The plan cannot be used: {problem}."


def how_to_serve(*, sample: bool) -> str:
    """What to do with the file of a campaign."""
    of_data = " and the files of the data" if not sample else ""
    return (
        f"Then start the dashboard with this file{of_data}. The server prints a link for you; on this page you then "
        "make the links of the judges."
    )
