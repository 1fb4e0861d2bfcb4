"""Campaign: have translations rated by people, from the design to the results."""

from __future__ import annotations

import streamlit as st

from bleu_core.campaigns import CampaignStore
from bleu_core.errors import BleuCoreError, SettingsError
from dashboard import session
from dashboard.analysis import status_of_campaign
from dashboard.literal import literal
from dashboard.views.campaign.analysis.design import design_of
from dashboard.views.campaign.analysis.plan import plan_of_values
from dashboard.views.campaign.analysis.results import has_looks, proposed_exclusions
from dashboard.views.campaign.analysis.running import judges_with_link
from dashboard.views.campaign.boxes import campaign_form, campaign_start
from dashboard.views.campaign.control import exclusions_part, files_part, flow_part, links_part, state_buttons
from dashboard.views.campaign.hosted import hosted_part
from dashboard.views.campaign.progress import progress_part, results_part
from dashboard.views.campaign.result import offer_campaign, show_design, show_width
from dashboard.views.campaign.words.form_help import CAMPAIGN_INTRODUCTION, DRAWN_FROM_ALL
from dashboard.views.campaign.words.sentences import plan_problem
from dashboard.views.campaign.words.state import campaign_headline
from dashboard.widgets import answer, texts_or_stop


def render() -> None:
    """Show the campaign that this session leads; without one, design one."""
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
    st.caption(CAMPAIGN_INTRODUCTION)
    if session.selection().expression:
        st.caption(DRAWN_FROM_ALL)
    campaign_start(corpus)
    left, right = st.columns([3, 2], gap="large")
    with left:
        values = campaign_form(corpus)
    with right:
        st.subheader("What this design gives", anchor=False)
        try:
            design = design_of(plan_of_values(values, corpus), corpus)
        except SettingsError as error:
            st.error(literal(plan_problem(str(error))))
            return
        show_design(design)
        st.subheader("How sure the result will be", anchor=False)
        show_width(design)
        st.subheader("Create the campaign", anchor=False)
        offer_campaign(design)


def _run(store: CampaignStore) -> None:
    status = status_of_campaign(store)
    answer(campaign_headline(status))
    state_buttons(store, may_stop=status.stop)
    if session.is_hosted():
        hosted_part(store, PAGE.path)
    begun = status.state != "new" and bool(judges_with_link(store, store.judges))
    if not begun:
        _links(store)
    st.subheader("Progress", anchor=False)
    progress_part(store)
    st.subheader("Judges who are left out", anchor=False)
    exclusions_part(store, proposed_exclusions(status))
    st.subheader("Results", anchor=False)
    looks = has_looks(store)
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
    title="Campaign",
    path="campaign",
    question="How do people rate these translations?",
    parts=(session.Part(render=render, needs="systems"),),
    group="People",
    icon=":material/rate_review:",
)
