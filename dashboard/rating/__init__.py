"""What the server of a campaign lets whom reach: judges the rating page and its API, and the lead all else."""

from .access import CampaignAccess as CampaignAccess
from .hosted_access import HostedAccess as HostedAccess
from .served_campaign import ServedCampaign as ServedCampaign
