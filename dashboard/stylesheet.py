"""The pages' own rules of style, on top of Streamlit's theme, and the scripts of all figures."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.components import v2

STYLESHEET = Path(__file__).with_name("page.css")

#: Scripts of all pages, by the names of their components.
SCRIPTS = {name: Path(__file__).with_name(f"{name}.js") for name in ("printing", "isolation")}


def apply_stylesheet() -> None:
    """Load the rules and scripts; once in each run, by the app."""
    st.html(STYLESHEET)
    with st.container(key="page-scripts"):  # page.css hides it
        for name, script in SCRIPTS.items():
            v2.component(name, js=script.read_text("utf-8"), isolate_styles=False)(key=f"{name}-script")
