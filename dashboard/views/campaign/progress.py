"""Progress and results of a campaign, updated while it is open."""

from __future__ import annotations

import streamlit as st

from bleu_core.campaigns import CampaignStatus, CampaignStore
from bleu_core.errors import BleuCoreError
from bleu_core.results.encoding import table_json
from dashboard import session
from dashboard.analysis import status_of_campaign
from dashboard.literal import literal
from dashboard.views.campaign.analysis.results import (
    analyses_of_campaign,
    differences_of_campaign,
    judges_of_campaign,
    means_of_campaign,
)
from dashboard.views.campaign.words.state import (
    NO_MEANS,
    agreement_so_far,
    answered_so_far,
    basis_of_means,
    hidden_means,
)
from dashboard.widgets import downloads, flagged_part, show_table
from dashboard.words import checks_so_far

#: Seconds between two updates of the progress of an open campaign.
UPDATE_INTERVAL_S = 15

#: Key of the box that shows means before the next interim analysis.
SHOW_MEANS = "campaign_peek"


def progress_part(store: CampaignStore) -> None:
    """Show each judge's progress and care, and the state of the stopping rule."""

    @st.fragment(run_every=UPDATE_INTERVAL_S if store.state == "open" else None)
    def progress() -> None:
        with session.error_boundary("The progress"):
            try:
                _show(store)
            except BleuCoreError as error:  # such as a missing file
                st.error(literal(str(error)))

    progress()


def results_part(status: CampaignStatus, *, looks: bool) -> None:
    """Show the interim analyses, and the systems' means at the newest one, unless the user asks for more.

    Args:
        status: of the campaign.
        looks: whether the rule has interim analyses.
    """
    st.markdown(literal(status.rule))
    st.markdown(f"**{literal(status.verdict)}**")
    if looks:
        data = analyses_of_campaign(status)
        show_table(data, key="campaign-looks", alt="Planned interim analyses and their results")
    if not status.means_shown:
        st.caption(hidden_means(looks=looks))
        if not st.checkbox(
            f"Show the means before {'the next interim analysis' if looks else 'the end'}", key=SHOW_MEANS
        ):
            return
    if not status.means:
        st.info(NO_MEANS)
        return
    st.caption(basis_of_means(status))
    means, differences = means_of_campaign(status), differences_of_campaign(status)
    for data, key, alt in (
        (means, "campaign-means", "Mean rating of each system, with its interval"),
        (differences, "campaign-differences", "Differences of all pairs of systems, with their intervals"),
    ):
        show_table(data, key=key, alt=alt)
        downloads(data, key=key, content=table_json(data), escaped=True, within="")


def _show(store: CampaignStore) -> None:
    status = status_of_campaign(store)
    flagged_part(status)
    share = 0.0 if status.expected == 0 else status.share
    st.progress(min(share, 1.0), answered_so_far(status))
    data = judges_of_campaign(status)
    alt = "Progress and care of each judge"
    show_table(data, key="campaign-judges", alt=alt, bars=("share",), max_height=600)
    st.markdown(literal(agreement_so_far(status)))
    st.markdown(literal(checks_so_far(status)))
    if store.state == "open":
        st.caption(f"Updated every {UPDATE_INTERVAL_S} seconds.")
    downloads(data, key="campaign-judges", content=table_json(data), escaped=True, within="")
