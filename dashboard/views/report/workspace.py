"""The workspace as one file, and the link to a view of it."""

from __future__ import annotations

import streamlit as st

from dashboard import session
from dashboard.literal import literal
from dashboard.widgets import LINK_TEXT, SAVE_HELP, WORKSPACE_TEXT, answer, offer_workspace, show_table, texts_or_stop


def render() -> None:
    """List the content of the workspace file, and offer it and the link."""
    texts_or_stop()
    answer("Everything in one file, or a link for people who have the files.")
    st.caption(literal(SAVE_HELP))
    offer_workspace(key="save-workspace-report")
    show_table(session.file_table(session.current_workspace()), key="workspace-files", alt="The files in the workspace")
    st.subheader("Link", anchor=False)
    st.caption(literal(f"{LINK_TEXT} {WORKSPACE_TEXT}"))
    st.code(session.shared_link(), language=None, wrap_lines=True)
