"""The status of a campaign."""

from __future__ import annotations

from bleu_core.campaigns import CampaignStatus, CampaignStore, campaign_status
from bleu_core.progress import Progress
from dashboard import session


def status_of_campaign(store: CampaignStore) -> CampaignStatus:
    """Return the status of a campaign; recomputed when ratings have been stored."""
    return _status(session.scope(), store)


@session.cached("Reading the ratings", "", can_stop=False)
def _status(_: Progress, store: CampaignStore) -> CampaignStatus:
    return campaign_status(store)
