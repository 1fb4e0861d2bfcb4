"""Sentences about the design of a campaign. Pure functions."""

from __future__ import annotations

import math

from bleu_core.campaigns import ExpectedWidth
from bleu_core.dataset import plural
from dashboard.views.campaign.analysis.design import SECONDS_PER_ITEM, CampaignSize
from dashboard.views.campaign.analysis.width import Spread
from dashboard.words import INTERVAL


def size_of_campaign(size: CampaignSize) -> str:
    """Describe how much is rated by how many judges."""
    judges = "1 judge gives" if size.judges == 1 else f"{size.judges:,} judges give"
    return (
        f"{judges} {size.ratings:,} {plural(size.ratings, 'rating')} of {size.items:,} "
        f"{plural(size.items, 'translation')} ({size.segments:,} {plural(size.segments, 'segment')})."
    )


def work_of_judges(size: CampaignSize) -> str:
    """Describe how long a judge is busy, and the assumption behind it."""
    per_judge = (
        f"{size.max_ratings:,}"
        if size.min_ratings == size.max_ratings
        else f"{size.min_ratings:,} to {size.max_ratings:,}"
    )
    checks = f", up to {size.max_checks:,} of them checks" if size.checks else ""
    time = f"{size.minutes:.0f} {plural(round(size.minutes), 'minute')}"
    return (
        f"Each judge rates {per_judge} {plural(size.max_ratings, 'translation')}{checks}. That takes up to {time}, if "
        f"a translation takes {SECONDS_PER_ITEM} seconds, which is an assumption."
    )


def width_expected(expected: ExpectedWidth) -> str:
    """Describe the expected width of the interval of two systems' difference, and its meaning."""
    if math.isnan(expected.width):
        return f"The expected precision is undefined: {expected.reason}."
    return (
        f"The {INTERVAL} of the difference of two systems can be expected to be {expected.width:.2f} points wide. Two "
        f"systems whose mean ratings differ by more than {expected.width / 2:.2f} points are then significantly "
        "different."
    )


def basis_of_width(spread: Spread) -> str:
    """Describe the basis of the expected width."""
    components = spread.components
    numbers = (
        f"standard deviations of {components.segment_deviation:.2f} between segments, "
        f"{components.judge_deviation:.2f} between judges, and {components.residual_deviation:.2f} for the residual"
    )
    if spread.basis == "assumptions":
        return f"This rests on assumptions about the difference of two systems: {numbers}. A pilot gives better ones."
    return (
        f"This rests on {components.differences:,} {plural(components.differences, 'difference')} of two systems in "
        f"the loaded ratings, of {components.segments:,} {plural(components.segments, 'segment')} and "
        f"{components.judges:,} "
        f"{plural(components.judges, 'judge')}: {numbers}."
    )


def ways_to_width(expected: ExpectedWidth) -> list[str]:
    """List ways to reach the wanted width, one sentence each."""
    if expected.wanted is None or math.isnan(expected.width):
        return []
    if expected.width <= expected.wanted:
        return [f"That is at most the wanted {expected.wanted:.2f} points."]
    names = {"segments": "segments", "judges": "judges", "ratings": "judges per translation"}
    reached = [
        f"{change.needed:,} {names[change.what]} instead of {change.now:,}"
        for change in expected.changes
        if change.needed is not None
    ]
    ways = [f"A width of {expected.wanted:.2f} points takes {', or '.join(reached)}."] if reached else []
    others = [change for change in expected.changes if change.needed is None]
    return ways + [f"More {names[change.what]} alone are not enough: {change.reason}." for change in others]


def plan_problem(problem: str) -> str:
    """Explain why there is no design."""
    return f"The plan cannot be used: {problem}."


def how_to_serve(*, sample: bool) -> str:
    """Explain what to do with the file of a campaign."""
    data_files = " and the files of the data" if not sample else ""
    return (
        f"Then start the dashboard with this file{data_files}. The server prints a link for you; on this page you then "
        "make the links of the judges."
    )
