"""Workload and expected precision of a campaign's design, and its file."""

from __future__ import annotations

from functools import partial
from typing import Literal

import streamlit as st

from bleu_core.campaigns import Design
from bleu_core.errors import BleuCoreError, SettingsError
from dashboard import session
from dashboard.literal import literal
from dashboard.open_campaigns import hosting
from dashboard.views.campaign.analysis.design import CAMPAIGN_FILE, CampaignFile, serving_command, size_of_design
from dashboard.views.campaign.analysis.plan import plan_file
from dashboard.views.campaign.analysis.width import width_of_design
from dashboard.views.campaign.boxes import width_boxes
from dashboard.views.campaign.words.form_help import SERVING_EXPLAINED
from dashboard.views.campaign.words.hosted import NOT_HOSTED, OTHER_RATINGS, where_hosted
from dashboard.views.campaign.words.sentences import (
    basis_of_width,
    how_to_serve,
    plan_problem,
    size_of_campaign,
    ways_to_width,
    width_expected,
    work_of_judges,
)
from dashboard.widgets import file_download

#: Keys of the reason why a campaign could not be opened here, and of the token of its lead's link, which is shown once.
PROBLEM, LEAD_TOKEN = "campaign_open_problem", "campaign_lead_token"


def show_design(design: Design) -> None:
    """Show the size of a design, and what it does not allow."""
    size = size_of_design(design)
    st.markdown(literal(size_of_campaign(size)))
    st.markdown(literal(work_of_judges(size)))
    if design.shortfalls:
        st.warning("\n".join(["What this size does not allow:", "", *(f"- {literal(x)}" for x in design.shortfalls)]))
        st.caption("A campaign can be made all the same. Other numbers of segments or judges may allow it.")
    else:
        st.caption("This size allows everything that the plan asks for.")


def show_width(design: Design) -> None:
    """Show the expected width of the interval of two systems' difference, and what a narrower one takes."""
    try:
        spread, wanted = width_boxes(design.plan, session.current_workspace().judgments)
        expected = width_of_design(design, spread, wanted)
    except SettingsError as error:
        st.error(literal(plan_problem(str(error))))
        return
    st.markdown(literal(width_expected(expected)))
    for sentence in ways_to_width(expected):
        st.markdown(literal(sentence))
    st.caption(literal(basis_of_width(spread)))


def offer_campaign(design: Design) -> None:
    """Offer to open the campaign on this server, or to create its file, which another server serves."""
    workspace, sample = session.current_workspace(), session.dataset() == "sample"
    hosted = hosting()
    make = CampaignFile(design, workspace.corpus)
    if hosted is None:
        st.caption(NOT_HOSTED)
        _offer_file(make, design, primary=True)
        return
    st.button(
        "Open this campaign now",
        on_click=_open,
        args=(make,),
        key="campaign-open-now",
        icon=":material/play_arrow:",
        type="primary",
    )
    problem = session.control_value(PROBLEM)
    if problem:
        st.error(literal(f"The campaign was not opened: {problem}."))
    st.caption(literal(where_hosted(str(hosted.folder) if hosted.local else "")))
    if workspace.judgments is not None and not sample:
        st.caption(literal(OTHER_RATINGS))
    with st.expander("By the command line", key="campaign-by-command"):
        _offer_file(make, design, primary=False)


def _open(make: CampaignFile) -> None:
    """Open the campaign on this server; a callback."""
    try:
        token = session.open_hosted_campaign(make())
    except (BleuCoreError, OSError) as error:
        session.set_controls(**{PROBLEM: str(error)})
    else:
        session.set_controls(**{PROBLEM: "", LEAD_TOKEN: token})


def _offer_file(make: CampaignFile, design: Design, *, primary: bool) -> None:
    """Offer the file of a campaign and its plan, with the command that serves it."""
    workspace, sample = session.current_workspace(), session.dataset() == "sample"
    with st.container(horizontal=True, key="campaign-files"):
        kind: Literal["primary", "tertiary"] = "primary" if primary else "tertiary"
        file_download("Create the campaign file", make, CAMPAIGN_FILE, key="campaign-file", kind=kind)
        file_download("Plan (TOML)", partial(plan_file, design.plan), "campaign.toml", key="campaign-toml")
    st.markdown(literal(how_to_serve(sample=sample)))
    st.code(serving_command(workspace, sample=sample), language=None, wrap_lines=True)
    st.caption(SERVING_EXPLAINED)
