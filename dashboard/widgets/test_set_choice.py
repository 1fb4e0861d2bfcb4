"""The select box with the test set that all pages show, where there are several."""

from __future__ import annotations

import streamlit as st

from dashboard import session
from dashboard.literal import literal
from dashboard.widgets.navigation import SEGMENT, WITHIN
from dashboard.widgets.slice_filter import slice_or_problem

#: Key of the select box.
SHOWN_SET = "shown_set"


def test_set_choice() -> None:
    """Draw the select box with the chosen test set; nothing where there is only one."""
    names = session.test_sets()
    if len(names) < 2:  # noqa: PLR2004 # nothing to choose
        return
    session.set_controls(**{SHOWN_SET: session.chosen_set()})
    st.selectbox(
        "Test set",
        names,
        key=SHOWN_SET,
        format_func=session.set_label,
        on_change=_choose,
        label_visibility="collapsed",
        width=220,
    )


def open_test_set(name: str, *titles: str) -> None:
    """Show a test set, on the page of a title if one is given; for callbacks."""
    session.choose_set(name, without=(WITHIN, SEGMENT))
    for title in titles:
        session.go_to(title)


def keep_usable_slice() -> None:
    """Show all segments of a test set that was just chosen, if the slice cannot be used in it."""
    if session.takes_slice_along():
        session.select()
        if isinstance(slice_or_problem(), str):
            session.set_slice_aside()


def note_unused_slice() -> None:
    """Say which slice is not used since the chosen test set does not support it, if any."""
    expression = session.slice_of_other_sets()
    if expression:
        name = session.set_label(session.chosen_set())
        st.caption(literal(f"All segments are shown: the slice “{expression}” cannot be used in the test set {name}."))


def _choose() -> None:
    open_test_set(str(session.control_value(SHOWN_SET)))
