"""The design of a campaign in plain words. Pure functions."""

from __future__ import annotations

from bleu_core.dataset import plural
from dashboard.analysis import SECONDS_PER_ITEM, CampaignSize


def size_of_campaign(size: CampaignSize) -> str:
    """How much is rated by how many."""
    return (
        f"{size.judges:,} {plural(size.judges, 'judge')} give {size.ratings:,} {plural(size.ratings, 'rating')} of "
        f"{size.items:,} {plural(size.items, 'translation')} ({size.segments:,} {plural(size.segments, 'segment')})."
    )


def work_of_judges(size: CampaignSize) -> str:
    """How long a judge is busy, and what that assumes."""
    each = f"{size.most:,}" if size.fewest == size.most else f"{size.fewest:,} to {size.most:,}"
    checks = f", checks included ({size.checks:,} in all lists together)" if size.checks else ""
    time = f"{size.minutes:.0f} {plural(round(size.minutes), 'minute')}"
    return (
        f"Each judge rates {each} {plural(size.most, 'translation')}{checks}. That takes up to {time}, if a "
        f"translation takes {SECONDS_PER_ITEM} seconds, which is an assumption."
    )


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
