"""What a campaign has found so far: agreement and care of judges, the looks of its rule, means of systems."""

from __future__ import annotations

from bleu_core.campaigns import (
    CampaignStatus,
    CampaignStore,
    JudgeStatus,
    Look,
    SystemDifference,
    SystemMean,
    flagged_judges,
)
from bleu_core.fields import Table, table_of

#: Columns of the table of judges that are seen without scrolling.
IN_FRONT = ("judge", "flags", "share", "seconds", "checks_lower", "checks", "repeats_equal", "repeats", "correlation")


def judges_of_campaign(status: CampaignStatus) -> Table:
    """How far each judge is, and how carefully the judge rates; flagged judges and what decides stand in front."""
    flagged = flagged_judges(status)
    found = table_of((*flagged, *(judge for judge in status.judges if judge not in flagged)), JudgeStatus)
    names = sorted(found.columns, key=lambda name: IN_FRONT.index(name) if name in IN_FRONT else len(IN_FRONT))
    order = [list(found.columns).index(name) for name in names]
    return Table(
        {name: found.columns[name] for name in names}, tuple(tuple(row[i] for i in order) for row in found.rows)
    )


def looks_of_campaign(status: CampaignStatus) -> Table:
    """The looks of the stopping rule, those made and those to come."""
    return table_of(status.looks, Look)


def means_of_campaign(status: CampaignStatus) -> Table:
    """The systems' mean ratings."""
    return table_of(status.means, SystemMean)


def differences_of_campaign(status: CampaignStatus) -> Table:
    """The differences of all pairs of systems."""
    return table_of(status.differences, SystemDifference)


def proposed_exclusions(status: CampaignStatus) -> dict[str, str]:
    """Judges whose ratings look careless and who still count -> why."""
    return {one.judge: one.proposed for one in status.judges if one.proposed and not one.excluded}


def has_looks(store: CampaignStore) -> bool:
    """Return whether the rule looks at the results before the end."""
    return store.plan.stopping.width is not None
