"""How carefully the judges of a campaign rate, in plain language. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.campaigns import CampaignStatus, JudgeStatus
from bleu_core.dataset import plural
from dashboard.words.formatting import percent

FLAGGED = (
    "Look at the ratings of these judges first: they are far faster than the others, or fail more checks. There can be "
    "good reasons; judges are never excluded automatically."
)
NO_REPEATS = "The ratings have no item that a judge rated twice, so the judges' consistency is unknown."
CHECKS_NOT_INCLUDED = "Repeats and degraded copies of the campaign are not among these ratings."


def flagged_judges(judges: Sequence[JudgeStatus]) -> tuple[str, ...]:
    """Describe the evidence of careless ratings, for each of these judges."""
    return tuple(f"{j.judge} ({j.flags}): {j.evidence}.{j.proposed and ' '}{j.proposed}" for j in judges)


def checks_so_far(status: CampaignStatus) -> str:
    """Describe the results of the checks of all judges."""
    repeats = sum(judge.repeats.count for judge in status.judges)
    equal = sum(judge.repeats.count * judge.repeats.equal for judge in status.judges if judge.repeats.count)
    checks, lower = (sum(getattr(judge.checks, name) for judge in status.judges) for name in ("count", "lower"))
    sentences: list[str] = []
    if repeats:
        twice = f"{repeats:,} {plural(repeats, 'translation')} rated twice"
        sentences.append(f"Of {twice}, {percent(equal / repeats)} got the same rating again.")
    if checks:
        copies, were = "copy" if checks == 1 else "copies", "was" if lower == 1 else "were"
        sentences.append(f"Of {checks:,} degraded {copies}, {lower:,} {were} rated lower than the translation copied.")
    return " ".join(sentences) or "No repeat and no degraded copy has been rated."
