"""Rules of style on top of Streamlit's theme, on the screen and on paper, and scripts that complete them."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.components import v2

STYLESHEET = Path(__file__).with_name("page.css")

#: Of what rules cannot do: charts as wide as the paper, the line under the pointer, and a menu that closes on a phone.
SCRIPTS = {name: STYLESHEET.with_name(f"{name}.js").read_text("utf-8") for name in ("printing", "isolation", "menu")}


def apply_stylesheet() -> None:
    """Load the rules and scripts; once in each run, by the app."""
    st.html(STYLESHEET)
    with st.container(key="page-scripts"):  # page.css hides it
        for name, script in SCRIPTS.items():
            v2.component(name, js=script, isolate_styles=False)(key=f"{name}-script")
