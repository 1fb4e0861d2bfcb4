"""The design of a campaign: the form, the workload and precision of the design, and the campaign's file."""

from __future__ import annotations

import streamlit as st

from bleu_core.errors import SettingsError
from dashboard import session
from dashboard.literal import literal
from dashboard.views.campaign.analysis.design import design_of
from dashboard.views.campaign.analysis.plan import plan_of_values
from dashboard.views.campaign.boxes import campaign_form, campaign_start
from dashboard.views.campaign.result import offer_campaign, show_design, show_width
from dashboard.views.campaign.words.form_help import CAMPAIGN_INTRODUCTION, DRAWN_FROM_ALL
from dashboard.views.campaign.words.sentences import plan_problem
from dashboard.widgets import answer, texts_or_stop


def render() -> None:
    """Design a campaign of the loaded systems, and create or open it."""
    corpus = texts_or_stop().corpus
    answer("Have translations rated by people.")
    st.caption(CAMPAIGN_INTRODUCTION)
    if session.selection().expression:
        st.caption(DRAWN_FROM_ALL)
    campaign_start(corpus)
    left, right = st.columns([3, 2], gap="large")
    with left:
        values = campaign_form(corpus)
    with right:
        st.subheader("Workload", anchor=False)
        try:
            design = design_of(plan_of_values(values, corpus), corpus)
        except SettingsError as error:
            st.error(literal(plan_problem(str(error))))
            return
        show_design(design)
        st.subheader("Expected precision", anchor=False)
        show_width(design)
        st.subheader("Create the campaign", anchor=False)
        offer_campaign(design)
