"""Access control of served campaigns: the rating page and its API for judges, everything else for the lead."""

from .access import CampaignAccess as CampaignAccess
from .hosted_access import HostedAccess as HostedAccess
from .served_campaign import ServedCampaign as ServedCampaign
