"""Campaign: have translations rated by people, from the design to the results."""

from __future__ import annotations

import streamlit as st

from bleu_core.campaigns import CampaignStore
from bleu_core.errors import BleuCoreError, SettingsError
from dashboard import analysis, session, words
from dashboard.literal import literal
from dashboard.widgets import (
    answer,
    campaign_form,
    campaign_start,
    exclusions_part,
    files_part,
    flow_part,
    links_part,
    offer_campaign,
    progress_part,
    results_part,
    show_design,
    show_width,
    state_buttons,
    texts_or_stop,
)


def render() -> None:
    """Show the campaign that the server was started with; without one, design one."""
    st.title(PAGE.title)
    try:
        store = session.served_campaign()
        if store is None:
            _design()
        else:
            _run(store)
    except BleuCoreError as error:
        st.error(literal(str(error)))


def _design() -> None:
    corpus = texts_or_stop().corpus
    answer("Have translations rated by people.")
    st.caption(words.CAMPAIGN_INTRODUCTION)
    if session.selection().expression:
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


def _run(store: CampaignStore) -> None:
    status = analysis.status_of_campaign(store)
    answer(words.campaign_headline(status))
    state_buttons(store, may_stop=status.stop)
    begun = status.state != "new"
    if not begun:
        _links(store)
    st.subheader("Progress", anchor=False)
    progress_part(store)
    st.subheader("Judges who are left out", anchor=False)
    exclusions_part(store, analysis.proposed_exclusions(status))
    st.subheader("Results", anchor=False)
    looks = analysis.has_looks(store)
    results_part(status, looks=looks)
    if begun:
        _links(store)
    st.subheader("The ratings on the other pages", anchor=False)
    flow_part(store, between_looks=looks and status.next_look is not None)
    st.subheader("Files", anchor=False)
    files_part(store)


def _links(store: CampaignStore) -> None:
    st.subheader("Links of the judges", anchor=False)
    links_part(store, PAGE.path)


PAGE = session.Page(
    "Campaign",
    "campaign",
    "How do people rate these translations?",
    render,
    group="People",
    icon=":material/rate_review:",
)
