"""Saving and sharing the state of the pages: the file of the workspace, and the link."""

from __future__ import annotations

import streamlit as st

from dashboard import analysis, session
from dashboard.widgets.charts import file_download

SAVE_HELP = (
    "One file with all files as you added them, your corrections and repairs, the settings, the slice, stars and "
    "notes, and the heading and introduction of the report. Drop it on the Data page to see the same again, "
    "or give it to bleu-core with --workspace."
)

LINK_TEXT = "This link shows the same view to people who have loaded the same files."

WORKSPACE_TEXT = "People without the files need the workspace: save it and send them the file."

TOO_LARGE = "The files are too large together to be saved as a workspace."


def share() -> None:
    """Offer the file of the workspace, and the link."""
    with st.container(horizontal=True, key="share"):
        offer_workspace(key="save-workspace")
        with st.popover("Share", type="tertiary", icon=":material/share:", key="share-popover"):
            st.text(LINK_TEXT)
            st.code(session.shared_link(), language=None, wrap_lines=True, width=420)
            st.text(WORKSPACE_TEXT)


def offer_workspace(*, key: str) -> None:
    """Offer the file of the workspace.

    Args:
        key: of the button.
    """
    if session.is_too_large_to_save():
        st.caption(TOO_LARGE)
        return
    content = session.workspace_file(session.choices_in_use())
    file_download("Save workspace", content, analysis.WORKSPACE_NAME, key=key, help=SAVE_HELP)
