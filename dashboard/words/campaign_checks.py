"""How carefully the judges of a campaign rate, in plain words. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.campaigns import CampaignStatus, JudgeStatus
from bleu_core.dataset import plural
from dashboard.words.formatting import percent

FLAGGED = (
    "Look at the ratings of these judges first: they are far faster than the others, or fail more checks. There can be "
    "good reasons, and nobody is left out automatically."
)
NO_REPEATS = "The ratings have no item that a judge rated twice, so the judges' consistency is unknown."
CHECKS_ELSEWHERE = "Repeats and degraded copies of the campaign are not among these ratings."


def flagged_judges(judges: Sequence[JudgeStatus]) -> tuple[str, ...]:
    """What speaks against the care of each of these judges."""
    return tuple(f"{one.judge} ({one.flags}): {one.evidence}.{one.proposed and ' '}{one.proposed}" for one in judges)


def checks_so_far(status: CampaignStatus) -> str:
    """What the checks of all judges have shown."""
    repeats = sum(one.repeats for one in status.judges)
    equal = sum(one.repeats * one.repeats_equal for one in status.judges if one.repeats)
    checks, lower = (sum(getattr(one, name) for one in status.judges) for name in ("checks", "checks_lower"))
    found: list[str] = []
    if repeats:
        twice = f"{repeats:,} {plural(repeats, 'translation')} rated twice"
        found.append(f"Of {twice}, {percent(equal / repeats)} got the same rating again.")
    if checks:
        copies, were = "copy" if checks == 1 else "copies", "was" if lower == 1 else "were"
        found.append(f"Of {checks:,} degraded {copies}, {lower:,} {were} rated lower than the translation copied.")
    return " ".join(found) or "No repeat and no degraded copy has been rated."
