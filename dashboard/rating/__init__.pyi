from .access import CampaignAccess as CampaignAccess
from .served_campaign import ServedCampaign as ServedCampaign
