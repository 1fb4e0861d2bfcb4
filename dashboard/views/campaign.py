"""Campaign: have translations rated by people, from the design to the results."""

from __future__ import annotations

import streamlit as st

from bleu_core.errors import SettingsError
from dashboard import analysis, session, words
from dashboard.literal import literal
from dashboard.widgets import (
    answer,
    campaign_form,
    campaign_start,
    offer_campaign,
    show_design,
    show_width,
    texts_or_stop,
)


def render() -> None:
    """Design a campaign."""
    st.title(PAGE.title)
    corpus = texts_or_stop().corpus
    answer("Have translations rated by people.")
    st.caption(words.CAMPAIGN_INTRODUCTION)
    if analysis.slice_expression():
        st.caption(words.DRAWN_FROM_ALL)
    campaign_start(corpus)
    left, right = st.columns([3, 2], gap="large")
    with left:
        values = campaign_form(corpus)
    with right:
        st.subheader("What this design gives", anchor=False)
        try:
            design = analysis.design_of(analysis.plan_of_values(values, corpus), corpus)
        except SettingsError as error:
            st.error(literal(words.plan_problem(str(error))))
            return
        show_design(design)
        st.subheader("How sure the result will be", anchor=False)
        show_width(design)
        st.subheader("Create the campaign", anchor=False)
        offer_campaign(design)


PAGE = session.Page(
    "Campaign",
    "campaign",
    "How do people rate these translations?",
    render,
    group="People",
    icon=":material/rate_review:",
)
