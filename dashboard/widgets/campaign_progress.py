"""How far the judges of a campaign are; brought up to date by itself while the campaign is open."""

from __future__ import annotations

import streamlit as st

from dashboard import analysis, session
from dashboard.widgets.charts import table

#: Seconds after which the progress of an open campaign is shown anew.
EVERY = 15


def progress_part(store: analysis.CampaignStore) -> None:
    """How far each judge is."""

    @st.fragment(run_every=EVERY if store.state == "open" else None)
    def progress() -> None:
        with session.going_on("The progress"):
            _show(store)

    progress()


def _show(store: analysis.CampaignStore) -> None:
    done, places = analysis.places_answered(store)
    st.progress(done / places if places else 0.0, f"{done:,} of {places:,} places answered")
    alt = "How far each judge is"
    table(analysis.progress_table(store), key="campaign-judges", alt=alt, bars=("share",), highest=600)
    if store.state == "open":
        st.caption(f"Brought up to date every {EVERY} seconds.")
