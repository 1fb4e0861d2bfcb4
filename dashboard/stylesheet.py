"""The pages' own rules of style, on top of Streamlit's theme."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

STYLESHEET = Path(__file__).with_name("page.css")


def apply_stylesheet() -> None:
    """Load the rules; once in each run, by the app."""
    st.html(STYLESHEET)
