"""Commands that reproduce the numbers of the report."""

from __future__ import annotations

import streamlit as st

from dashboard.views.report.source import source_of
from dashboard.widgets import answer, note_humans, note_optimised, view_or_stop


def render() -> None:
    """Show the commands for the settings, the slice and the selection in force."""
    view = view_or_stop()
    answer("Commands that reproduce the numbers.")
    st.caption(
        "These commands compute the scores, the pairs of systems, the blocks and the agreement with judges under the "
        "settings in force. “Show the code” at the end of each page has its commands and lines of Python."
    )
    st.code("\n".join(source_of(view).calls), language=None, wrap_lines=True)
    note_humans(view)
    note_optimised(view)
