"""The app: page configuration, navigation, the sidebar, and the selected page."""

from __future__ import annotations

import sys
from functools import partial

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from dashboard import session
from dashboard.launch import parse
from dashboard.stylesheet import apply_stylesheet
from dashboard.views import DATA, FORMER_ADDRESSES, PAGES
from dashboard.widgets import (
    NAME,
    changed_settings,
    count_warnings,
    dim_pages,
    draw_page,
    header,
    keep_usable_slice,
    settings_named,
    sidebar,
)


def main() -> None:
    """Draw the page that the URL names."""
    st.set_page_config(page_title=NAME, page_icon="📊", layout="wide", initial_sidebar_state="auto")
    apply_stylesheet()
    if session.waits_for_tab():
        _navigation()  # otherwise the answer would open the first page
        session.wait_for_tab()
    with session.turn(), session.callbacks_of_run():
        _run()


def _run() -> None:
    """Draw a page: read the files, follow the URL, make the selection, draw, and write the URL."""
    session.start(parse(sys.argv[1:], check_files=False))
    session.take_in_ratings()
    session.read_files()
    session.follow_url()
    keep_usable_slice()
    session.leave_for_page()
    session.write_url()  # before the navigation, so that a change of page and of controls is one step back
    page = _navigation()
    session.update_tab()  # after the navigation: an answer before it would open the first page
    if page.url_path in FORMER_ADDRESSES:
        page.run()  # shows the page that has replaced it
    session.select()
    if session.unmatched_link() is None:  # no other numbers are shown under its URL
        with st.sidebar, session.error_boundary("The sidebar"):
            dim_pages(PAGES)
            sidebar()
    with session.error_boundary("This page"):
        header()
        named = changed_settings()
        page.run()
        session.write_url()  # a control may have changed, as its options have changed
        if session.unmatched_link() is None and page.url_path != DATA.path:  # there, nothing is counted
            with st.sidebar, session.error_boundary("The number of warnings"):
                count_warnings()  # last, so that the page does not wait for it
        if settings_named() != named:  # a control of this page has just taken its value from the URL
            st.rerun()


def _navigation() -> StreamlitPage:
    """Return the page that the URL names; the pages are listed in groups."""
    pages = {
        page.title: st.Page(
            partial(draw_page, page), title=page.title, url_path=page.path, default=not page.path, icon=page.icon
        )
        for page in PAGES
    }
    session.remember_pages(pages, PAGES)
    groups: dict[str, list[StreamlitPage]] = {}
    for page in PAGES:
        groups.setdefault(page.group, []).append(pages[page.title])
    groups[PAGES[0].group] += [
        st.Page(partial(session.forward, titles), title=path, url_path=path, visibility="hidden")
        for path, titles in FORMER_ADDRESSES.items()
    ]
    return st.navigation(groups, expanded=True)


main()
