"""The pages' own rules of style, on top of Streamlit's theme, on the screen and on paper."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.components import v2

STYLESHEET, PRINTING = Path(__file__).with_name("page.css"), Path(__file__).with_name("print.js")


def apply_stylesheet() -> None:
    """Load the rules; once in each run, by the app."""
    st.html(STYLESHEET)
    with st.container(key="printing"):  # page.css hides it
        v2.component("printing", js=PRINTING.read_text("utf-8"), isolate_styles=False)(key="printing-script")
