"""Results of a campaign so far: agreement and care of judges, interim analyses, means of systems."""

from __future__ import annotations

from bleu_core.campaigns import (
    CampaignStatus,
    CampaignStore,
    InterimAnalysis,
    JudgeStatus,
    SystemDifference,
    SystemMean,
    flagged_judges,
)
from bleu_core.fields import Table, table_of

#: First columns of the table of judges, visible without scrolling.
FIRST_COLUMNS = (
    "judge",
    "flags",
    "share",
    "seconds",
    "degraded_lower",
    "checks",
    "repeats_identical",
    "repeats",
    "correlation",
)


def judges_of_campaign(status: CampaignStatus) -> Table:
    """Return each judge's progress and care; flagged judges and the decisive columns come first."""
    flagged = flagged_judges(status)
    judges = (*flagged, *(judge for judge in status.judges if judge not in flagged))
    return table_of(judges, JudgeStatus).ordered(*FIRST_COLUMNS)


def analyses_of_campaign(status: CampaignStatus) -> Table:
    """Return the interim analyses of the stopping rule, past and future ones."""
    return table_of(status.looks, InterimAnalysis)


def means_of_campaign(status: CampaignStatus) -> Table:
    """Return the systems' mean ratings."""
    return table_of(status.means, SystemMean)


def differences_of_campaign(status: CampaignStatus) -> Table:
    """Return the differences of all pairs of systems."""
    return table_of(status.differences, SystemDifference)


def proposed_exclusions(status: CampaignStatus) -> dict[str, str]:
    """Return judge whose ratings look careless and who is not excluded -> the reason."""
    return {judge.judge: judge.proposed for judge in status.judges if judge.proposed and not judge.excluded}


def has_interim_analyses(store: CampaignStore) -> bool:
    """Return whether the rule has interim analyses."""
    return store.plan.stopping.width is not None
