"""The slice filter above each page, which selects the part of the text that all pages use."""

from __future__ import annotations

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bleu_core.errors import BleuCoreError
from bleu_core.fields import exact
from bleu_core.results.envelope import slice_described, slice_of_each
from bleu_core.slicing import FIELDS_OF_ERRORS, Slice, combine_expressions
from dashboard import analysis, session, words
from dashboard.literal import literal
from dashboard.widgets.controls import select_button, switch

#: Operators that combine a new condition with the present slice, and the key of their control.
OPERATORS, OPERATOR_KEY = ("and", "or"), "condition_joined"


def slice_or_problem() -> Slice | str | None:
    """Return the slice, None for the whole text; if it is invalid, the reason."""
    try:
        return analysis.slice_in_use(session.current_workspace(), session.selection())
    except BleuCoreError as error:
        return str(error)


def described_slice() -> str:
    """Describe the slice of the test set that is shown, as in the files made of it; empty for the whole text."""
    text_slice = slice_or_problem()
    return slice_described(text_slice) if isinstance(text_slice, Slice) else ""


def slice_of_sets() -> str:
    """Describe the slice of all test sets, as in the files made of them; empty for the whole texts."""
    return slice_of_each(session.selection().expression)


def add_to_slice(expression: str, by: str = OPERATORS[0]) -> None:
    """Combine the slice of all pages with another expression."""
    session.set_controls(**{session.SLICE: combine_expressions(session.typed_slice(), by, expression)})


def slice_controls(line: DeltaGenerator) -> None:
    """Draw the controls of the part of the text that all pages use.

    Args:
        line: the container of the button.
    """
    workspace = session.current_workspace()
    if not workspace.corpus.references:
        return
    selection = session.selection()
    title = words.slice_title(slice_or_problem())
    rated, annotated = workspace.judgments is not None, workspace.has_errors
    popover = line.popover(literal(title), icon=":material/filter_alt:", key="slice-popover", type="tertiary")
    with popover, session.popover_content():
        st.text_input(
            "Slice",
            key=session.widget_key(session.SLICE),
            placeholder='length > 40 and not reference ~ "[0-9]"',
            help=literal(
                f"{words.SLICE_HELP} {words.slice_fields(workspace.corpus, rated=rated, annotated=annotated)}"
            ),
            width=420,
        )
        lacking = words.segments_without_text(workspace, scored=selection.score_missing)
        if lacking:
            st.caption(literal(lacking))
        _new_condition()
        select_button("Half of the text", session.HALF_CHOICES, key=session.HALF, help=words.HALF_HELP)
        switch("Chosen before looking at the results", key=session.PLANNED, help=words.PLANNED_HELP)
        whole = partial(session.forget, (session.SLICE, session.HALF, session.PLANNED))
        st.button("Use all segments", key="slice-whole", on_click=whole, disabled=not selection.expression)
    if selection.descriptive:
        st.caption(words.SLICE_CAUTION)
    elif selection.slice and selection.half == session.HALF_CHOICES[-1]:
        st.caption(words.TESTED_HALF)


@st.fragment
def _new_condition() -> None:
    """Draw boxes that add a condition to the slice; as a fragment, so that their changes do not redraw the page."""
    fields = {words.slice_field(field): field for field in analysis.slice_fields(session.current_workspace())}
    with st.container(border=True, key="new-condition"):
        first = st.container(horizontal=True, vertical_alignment="bottom")
        with first:
            field = fields[st.selectbox("Add a condition on", list(fields), key="condition_field", width=290)]
            names = tuple(
                st.selectbox(title, options, key=f"condition_{field.name}_{place}", index=place, width=150)
                for place, (title, options) in enumerate(zip(words.names_of_field(field), field.names, strict=True))
            )
        with st.form("condition-form", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
            st.selectbox("Comparison", list(analysis.COMPARISONS[field.kind]), key=_comparison_key(field), width=150)
            _value(field)
            if session.control_value(session.SLICE):
                st.segmented_control("Combine by", OPERATORS, key=OPERATOR_KEY, default=OPERATORS[0], required=True)
            if st.form_submit_button("Add", key="condition_add", on_click=_add, args=(field, names)):
                st.rerun()  # of the whole page


def _value(field: analysis.SliceField) -> None:
    """Draw the box for the value of a condition."""
    key = _value_key(field)
    if field.kind == "choice":
        st.selectbox("Value", field.values, key=key, format_func=words.shown_value, width=190)
    elif field.kind == "number":
        st.number_input("Number", value=1.0, step=1.0, format="%g", key=key, width=150)
    else:
        st.text_input("Text", key=key, width=230)


def _comparison_key(field: analysis.SliceField) -> str:
    return f"condition_that_{field.kind}"


def _value_key(field: analysis.SliceField) -> str:
    if field.kind != "choice":
        return f"condition_{field.kind}"
    is_of_errors = field.name in FIELDS_OF_ERRORS and not field.is_label  # a label may have the same name
    return f"condition_value_{'marked_' if is_of_errors else ''}{field.name}"


def _add(field: analysis.SliceField, names: tuple[str, ...]) -> None:
    """Combine the slice with the condition in the boxes, unless no text was entered."""
    value = session.control_value(_value_key(field))
    shown = exact(value) if isinstance(value, float) else str(value)
    if not shown and field.kind == "text":
        return
    condition = analysis.condition(field, names, session.control_value(_comparison_key(field)), shown)
    add_to_slice(condition, session.control_value(OPERATOR_KEY, OPERATORS[0]))
