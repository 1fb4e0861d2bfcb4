"""A running campaign for its lead: state, progress, results, links and files."""

from __future__ import annotations

import streamlit as st

from bleu_core.campaigns import CampaignStore
from bleu_core.errors import BleuCoreError
from dashboard import session
from dashboard.analysis import status_of_campaign
from dashboard.literal import literal
from dashboard.views.campaign.analysis.results import has_interim_analyses, proposed_exclusions
from dashboard.views.campaign.analysis.running import judges_with_link
from dashboard.views.campaign.control import exclusions_part, files_part, flow_part, links_part, state_buttons
from dashboard.views.campaign.hosted import hosted_part
from dashboard.views.campaign.progress import progress_part, results_part
from dashboard.views.campaign.words.state import campaign_headline
from dashboard.widgets import answer

#: Path of the page.
PATH = "campaign"


def render() -> None:
    """Show the campaign that this session leads."""
    try:
        store = session.served_campaign()
        if store is not None:
            _lead(store)
    except BleuCoreError as error:
        st.error(literal(str(error)))


def _lead(store: CampaignStore) -> None:
    status = status_of_campaign(store)
    answer(campaign_headline(status))
    state_buttons(store, may_stop=status.stop)
    if session.is_hosted():
        hosted_part(store, PATH)
    begun = status.state != "new" and bool(judges_with_link(store, store.judges))
    if not begun:
        _links(store)
    st.subheader("Progress", anchor=False)
    progress_part(store)
    st.subheader("Excluded judges", anchor=False)
    exclusions_part(store, proposed_exclusions(status))
    st.subheader("Results", anchor=False)
    looks = has_interim_analyses(store)
    results_part(status, looks=looks)
    if begun:
        _links(store)
    st.subheader("Ratings on the other pages", anchor=False)
    flow_part(store, between_looks=looks and status.next_look is not None)
    st.subheader("Files", anchor=False)
    files_part(store)


def _links(store: CampaignStore) -> None:
    st.subheader("Links of the judges", anchor=False)
    links_part(store, PATH)
