"""The judges of a campaign whose ratings should be checked first."""

from __future__ import annotations

import streamlit as st

from bleu_core.campaigns import CampaignStatus, flagged_judges
from dashboard import words
from dashboard.literal import literal


def flagged_part(status: CampaignStatus) -> None:
    """Warn of the judges whose ratings should be checked first, with the evidence; nothing without any."""
    flagged = words.flagged_judges(flagged_judges(status))
    if flagged:
        st.warning("\n".join([words.FLAGGED, "", *(f"- {literal(judge)}" for judge in flagged)]))
