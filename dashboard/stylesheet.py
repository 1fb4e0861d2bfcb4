"""The stylesheet in addition to Streamlit's theme, for screen and print, and scripts that complete it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.components import v2

STYLESHEET = Path(__file__).with_name("page.css")

#: Scripts for what CSS cannot do: charts as wide as the paper, the line under the pointer, a menu that closes on
#: phones, notes that Escape hides, the words for a server that does not respond.
SCRIPTS = {
    name: STYLESHEET.with_name(f"{name}.js").read_text("utf-8")
    for name in ("printing", "isolation", "menu", "error_notes", "connection")
}


def apply_stylesheet() -> None:
    """Load the stylesheet and scripts; called once per run by the app."""
    st.html(STYLESHEET)
    with st.container(key="page-scripts"):  # hidden by page.css
        for name, script in SCRIPTS.items():
            v2.component(name, js=script, isolate_styles=False)(key=f"{name}-script")
