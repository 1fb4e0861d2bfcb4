"""Precision: modified n-gram precision by order, and its decay."""

from __future__ import annotations

from functools import partial

import streamlit as st

from bleu_core.results.precisions import decay_table
from dashboard import session, words
from dashboard.exhibits import PRECISION, PRECISION_BARS, precision_of
from dashboard.export import precision_code
from dashboard.widgets import (
    BAR_HINT,
    POINT_HINT,
    ROW_HINT,
    answer,
    data_in_use,
    downloads,
    note_humans,
    note_optimised,
    open_row,
    open_segments,
    page_controls,
    select_button,
    show_code,
    show_exhibit,
    show_table,
    switch,
    system_styles,
    view_or_stop,
)


def render() -> None:
    """Show the decay of precision as lines or bars, and each system's fitted rate."""
    view = view_or_stop()
    precision = precision_of(view)
    evaluation, decays = precision.evaluation, precision.decays
    scores = evaluation.scores
    kept = words.precision_kept(evaluation.systems, scores, decays)
    answer(kept)
    with page_controls():
        drawn = select_button(
            "Draw",
            ["lines", "bars"],
            key="precision_as",
            help="Bars are grouped as in Figures 1 and 2 of the 2002 paper.",
        )
        lines = drawn != "bars"
        logarithmic = switch(
            "Logarithmic axis",
            key="logarithmic",
            default=True,
            disabled=not lines,
            help="On a logarithmic axis, exponential decay is a straight line.",
        )
        fits = switch("Fitted decay", key="fits", default=True, disabled=not lines)
        note_humans(view)
    note_optimised(view)
    shown = partial(
        show_exhibit,
        key=PRECISION.key,
        alt=f"Precision by n-gram order. {kept}",
        on_pick=lambda point: open_segments(evaluation.systems[point[-1]]),
        hint=POINT_HINT if lines else BAR_HINT,
    )
    if lines:
        shown(PRECISION, precision, system_styles(view), logarithmic=logarithmic, fits=fits)
    else:
        shown(PRECISION_BARS, precision, system_styles(view))
    if scores.unmatched.any():
        st.caption("Hollow markers: no n-gram of that order matches, so the precision comes from smoothing only.")
    st.subheader("Rate of decay", anchor=False)
    st.caption("Least-squares line fitted to log precision by n-gram order.")
    data = decay_table(evaluation.systems, decays)
    show_table(
        data.without("r_squared"),
        key="decay",
        alt="Fitted decay of each system",
        on_pick=open_row(data),
        hint=ROW_HINT,
    )
    downloads(data, key="decay")
    show_code(precision_code(data_in_use(view), intervals=precision.intervals is not None))


PAGE = session.Page(
    title="Precision",
    path="precision",
    question="How fast does n-gram precision decay with the order?",
    parts=(session.Part(render=render, needs="systems"),),
    group="BLEU",
    icon=":material/trending_down:",
)
