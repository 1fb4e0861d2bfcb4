"""The button at the top of each page that chooses which part of the text all pages look at."""

from __future__ import annotations

from functools import partial

import streamlit as st

from bleu_core.errors import BleuCoreError
from dashboard import analysis, session, words
from dashboard.literal import literal
from dashboard.widgets.controls import few_choices, switch

#: The keys of the slice, of the half of the text, and of whether the slice was chosen beforehand.
SLICE, HALF, PLANNED = "slice", "half", "slice_planned"

#: How a new condition is combined with those there are.
JOINED = ("and", "or")


def slice_or_problem() -> analysis.Slice | str:
    """The slice; if it cannot be found, why."""
    try:
        return analysis.current_slice()
    except BleuCoreError as error:
        return str(error)


def slice_bar() -> None:
    """Choose the part of the text that all pages look at."""
    workspace = session.current_workspace()
    if session.unmatched_link() is not None or not workspace.corpus.references:
        return
    session.restore_text(SLICE)
    session.restore_choice(HALF, analysis.HALF_CHOICES)
    expression = analysis.slice_expression()
    title = words.slice_title(slice_or_problem()) if expression else "All segments"
    rated = workspace.judgments is not None
    bar = st.container(horizontal=True, horizontal_alignment="right", key="slice-bar")
    with bar.popover(literal(title), icon=":material/filter_alt:", key="slice-popover"):
        st.text_input(
            "Slice",
            key=SLICE,
            placeholder='length > 40 and not reference ~ "[0-9]"',
            help=literal(f"{words.SLICE_HELP} {words.slice_fields(workspace.corpus, rated=rated)}"),
            width=420,
        )
        _new_condition()
        few_choices("Half of the text", analysis.HALF_CHOICES, key=HALF, help=words.HALF_HELP)
        switch("Chosen before looking at the results", key=PLANNED, help=words.PLANNED_HELP)
        whole = partial(session.forget, (SLICE, HALF, PLANNED))
        st.button("Use all segments", key="slice-whole", on_click=whole, disabled=not expression)
    if analysis.only_describes():
        st.caption(words.SLICE_CAUTION)


@st.fragment
def _new_condition() -> None:
    """Boxes that write a condition of the slice; alone, so that a choice in them does not draw the page again."""
    fields = {words.slice_field(field): field for field in analysis.slice_fields(session.current_workspace())}
    with st.container(border=True, key="new-condition"):
        first = st.container(horizontal=True, vertical_alignment="bottom")
        with first:
            field = fields[st.selectbox("Add a condition on", list(fields), key="condition_field", width=230)]
            names = tuple(
                st.selectbox(title, options, key=f"condition_{field.name}_{place}", index=place, width=150)
                for place, (title, options) in enumerate(zip(words.names_of_field(field), field.names, strict=True))
            )
        second = st.container(horizontal=True, vertical_alignment="bottom")
        with second:
            comparisons = list(analysis.COMPARISONS[field.kind])
            comparison = st.selectbox("Comparison", comparisons, key=f"condition_that_{field.kind}", width=150)
            value = _value(field)
            joined = "and"
            if session.get(SLICE):
                joined = st.segmented_control(
                    "Combine by", JOINED, key="condition_joined", default=JOINED[0], required=True
                )
            add = partial(_add, analysis.condition(field, names, comparison, value), joined)
            if st.button("Add", key="condition_add", on_click=add, disabled=not value):
                st.rerun()  # of the whole page


def _value(field: analysis.SliceField) -> str:
    """What is compared with; empty where nothing was entered."""
    if field.kind == "choice":
        shown = {words.shown_value(value): value for value in field.values}
        return shown[st.selectbox("Value", list(shown), key=f"condition_value_{field.name}", width=190)]
    if field.kind == "number":
        number = st.number_input("Number", value=None, step=1.0, format="%g", key="condition_number", width=150)
        return "" if number is None else f"{number:g}"
    return st.text_input("Text", key="condition_text", width=230)


def _add(condition: str, joined: str) -> None:
    """Combine the slice with another condition."""
    before = str(session.get(SLICE, "")).strip()
    session.put(**{SLICE: analysis.joined(before, joined, condition)})
