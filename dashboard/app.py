"""The app: page config, navigation, the sidebar, and the page chosen."""

from __future__ import annotations

import sys

import streamlit as st

from bleu_core.dataset import plural
from dashboard import session
from dashboard.launch import parse
from dashboard.literal import literal
from dashboard.views import blocks, data, human, overview, paper, precision, scores, significance
from dashboard.widgets import settings_form


def main() -> None:
    """Draw the page that the address names."""
    st.set_page_config(page_icon="📊", layout="wide", initial_sidebar_state="auto")
    session.start(parse(sys.argv[1:]))
    session.follow_link()
    pages = {
        "Overview": st.Page(overview.render, title="Overview", default=True),
        "Data": st.Page(data.render, title="Data", url_path="data"),
        "Scores": st.Page(scores.render, title="Scores", url_path="scores"),
        "Precision": st.Page(precision.render, title="Precision", url_path="precision"),
        "Blocks": st.Page(blocks.render, title="Blocks", url_path="blocks"),
        "Significance": st.Page(significance.render, title="Significance", url_path="significance"),
        "Human judgments": st.Page(human.render, title="Human judgments", url_path="human"),
        "Paper": st.Page(paper.render, title="Paper", url_path="paper"),
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
