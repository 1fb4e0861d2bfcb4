"""The app: page config, navigation, the sidebar, and the page chosen."""

from __future__ import annotations

import sys

import streamlit as st

from bleu_core.dataset import plural
from dashboard import session
from dashboard.launch import parse
from dashboard.literal import literal
from dashboard.stylesheet import apply_stylesheet
from dashboard.views import PAGES
from dashboard.widgets import settings_form


def main() -> None:
    """Draw the page that the address names."""
    st.set_page_config(page_icon="📊", layout="wide", initial_sidebar_state="auto")
    apply_stylesheet()
    session.start(parse(sys.argv[1:]))
    session.follow_link()
    pages = {
        page.title: st.Page(page.render, title=page.title, url_path=page.path, default=page is PAGES[0])
        for page in PAGES
    }
    session.remember_pages(pages)
    page = st.navigation(list(pages.values()))
    if session.unmatched_link() is None:  # no other numbers appear under its address
        with st.sidebar, session.going_on("The sidebar"):
            _which_data()
            settings_form()
    session.write_address()  # before the page, which may stop early
    with session.going_on("This page"):
        page.run()


def _which_data() -> None:
    """Say which data are shown."""
    current = session.current_workspace()
    corpus = current.corpus
    counts = {"system": len(corpus.systems), "reference": len(corpus.references), "segment": corpus.segments}
    kind = "Sample data (synthetic)" if session.dataset() == "sample" else "Your files"
    st.caption(literal(f"{kind}: {', '.join(f'{count} {plural(count, noun)}' for noun, count in counts.items())}"))


main()
