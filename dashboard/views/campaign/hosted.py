"""A campaign that was opened on the page: the lead's link, and where the campaign is stored."""

from __future__ import annotations

import shlex

import streamlit as st

from bleu_core.campaigns import CampaignStore, StoreError
from bleu_core.invocation import invocation
from dashboard import session
from dashboard.literal import literal
from dashboard.open_campaigns import hosting
from dashboard.views.campaign.analysis.running import base_address, link_of_lead
from dashboard.views.campaign.result import LEAD_TOKEN
from dashboard.views.campaign.words.hosted import LEAD_LINK_SHOWN_ONCE, LEAVE_HELP, NEW_LEAD_LINK_HELP, where_stored
from dashboard.widgets import into_view

#: Key of the reason why no new link of the lead could be made.
PROBLEM = "campaign_lead_problem"


def hosted_part(store: CampaignStore, page: str) -> None:
    """Show the lead's link while it is new, where the campaign is stored, and ways to make a new link and to leave.

    Args:
        store: the campaign.
        page: the path of this page, with which the browser's address ends.
    """
    token: str | None = session.control_value(LEAD_TOKEN)
    if token:
        into_view("campaign-lead-link", str(store.token_created(None)))
        with st.container(border=True, key="campaign-lead-link"):
            st.warning(LEAD_LINK_SHOWN_ONCE)
            st.code(link_of_lead(token, base_address(st.context.url or "", page)), language=None, wrap_lines=True)
            st.button(
                "Hide the link", on_click=session.set_controls, kwargs={LEAD_TOKEN: None}, key="campaign-hide-lead-link"
            )
    problem = session.control_value(PROBLEM)
    if problem:
        st.error(literal(problem))
    hosted = hosting()
    path = str(store.path) if hosted is not None and hosted.local else ""
    command = f"{invocation('bleu-dashboard')} --campaign {shlex.quote(path)}"
    st.caption(literal(where_stored(store.path.name, path, command)))
    with st.container(horizontal=True, key="campaign-hosted"):
        make = {"on_click": _make_link, "args": (store,)}
        st.button("Make a new lead's link", key="campaign-new-lead-link", help=NEW_LEAD_LINK_HELP, **make)
        leave = {"on_click": _leave, "help": LEAVE_HELP}
        st.button("Design another campaign", key="campaign-leave", type="tertiary", **leave)


def _make_link(store: CampaignStore) -> None:
    try:
        session.set_controls(**{LEAD_TOKEN: session.lead_hosted_campaign(store), PROBLEM: ""})
    except StoreError as error:
        session.set_controls(**{PROBLEM: str(error)})


def _leave() -> None:
    session.set_controls(**{LEAD_TOKEN: None})
    session.leave_campaign()
