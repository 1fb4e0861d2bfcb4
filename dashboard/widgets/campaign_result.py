"""What a plan of a campaign comes to, and its file."""

from __future__ import annotations

from functools import partial

import streamlit as st

from bleu_core.campaigns import Design
from bleu_core.errors import SettingsError
from dashboard import analysis, session, words
from dashboard.literal import literal
from dashboard.widgets.campaign_boxes import width_boxes
from dashboard.widgets.charts import file_download


def show_design(design: Design) -> None:
    """The numbers of a design, and what its size does not allow."""
    size = analysis.size_of_design(design)
    st.markdown(literal(words.size_of_campaign(size)))
    st.markdown(literal(words.work_of_judges(size)))
    if design.shortfalls:
        st.warning("\n".join(["What this size does not allow:", "", *(f"- {literal(x)}" for x in design.shortfalls)]))
        st.caption("A campaign can be made all the same. Other numbers of segments or judges may allow it.")
    else:
        st.caption("This size allows everything that the plan asks for.")


def show_width(design: Design) -> None:
    """How narrow the interval of two systems' difference will be, and what a narrower one takes."""
    try:
        spread, wanted = width_boxes(design.plan, session.current_workspace().judgments)
        found = analysis.width_of_design(design, spread, wanted)
    except SettingsError as error:
        st.error(literal(words.plan_problem(str(error))))
        return
    st.markdown(literal(words.width_expected(found)))
    for sentence in words.ways_to_width(found):
        st.markdown(literal(sentence))
    st.caption(literal(words.basis_of_width(spread)))


def offer_campaign(design: Design) -> None:
    """The file of a campaign, its plan, and how to serve it."""
    workspace, sample = session.current_workspace(), session.dataset() == "sample"
    with st.container(horizontal=True, key="campaign-files"):
        make = analysis.CampaignFile(design, workspace.corpus)
        file_download("Create the campaign file", make, analysis.CAMPAIGN_FILE, key="campaign-file", kind="primary")
        file_download("Plan (TOML)", partial(analysis.plan_file, design.plan), "campaign.toml", key="campaign-toml")
    st.markdown(literal(words.how_to_serve(sample=sample)))
    st.code(analysis.serving_command(workspace, sample=sample), language=None, wrap_lines=True)
    st.caption(words.SERVING_EXPLAINED)
