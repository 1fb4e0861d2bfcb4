"""How far the judges of a campaign are and what they have found; brought up to date while the campaign is open."""

from __future__ import annotations

import streamlit as st

from bleu_core.campaigns import CampaignStatus, CampaignStore
from bleu_core.errors import BleuCoreError
from bleu_core.results.encoding import table_json
from dashboard import session
from dashboard.analysis import status_of_campaign
from dashboard.literal import literal
from dashboard.views.campaign.analysis.results import (
    differences_of_campaign,
    judges_of_campaign,
    looks_of_campaign,
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

#: Seconds after which the progress of an open campaign is shown anew.
EVERY = 15

#: Key of the box that shows means before the next look.
PEEK = "campaign_peek"


def progress_part(store: CampaignStore) -> None:
    """How far each judge is and how carefully each rates, and what the rule says."""

    @st.fragment(run_every=EVERY if store.state == "open" else None)
    def progress() -> None:
        with session.error_boundary("The progress"):
            try:
                _show(store)
            except BleuCoreError as error:  # such as a file that is gone
                st.error(literal(str(error)))

    progress()


def results_part(status: CampaignStatus, *, looks: bool) -> None:
    """The looks of the rule, and the systems' means: those of the newest look, unless somebody asks for more.

    Args:
        status: of the campaign.
        looks: whether the rule looks at results before the end.
    """
    st.markdown(literal(status.rule))
    st.markdown(f"**{literal(status.verdict)}**")
    if looks:
        data = looks_of_campaign(status)
        show_table(data, key="campaign-looks", alt="The looks that the rule announces, and what they found")
    if not status.means_shown:
        st.caption(hidden_means(looks=looks))
        if not st.checkbox(f"Show the means before {'the next look' if looks else 'the end'}", key=PEEK):
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
        downloads(data, key=key, content=table_json(data), escaped=True)


def _show(store: CampaignStore) -> None:
    status = status_of_campaign(store)
    flagged_part(status)
    share = 0.0 if status.expected == 0 else status.share
    st.progress(min(share, 1.0), answered_so_far(status))
    data = judges_of_campaign(status)
    alt = "How far each judge is, and how carefully the judge rates"
    show_table(data, key="campaign-judges", alt=alt, bars=("share",), max_height=600)
    st.markdown(literal(agreement_so_far(status)))
    st.markdown(literal(checks_so_far(status)))
    if store.state == "open":
        st.caption(f"Brought up to date every {EVERY} seconds.")
    downloads(data, key="campaign-judges", content=table_json(data), escaped=True)
