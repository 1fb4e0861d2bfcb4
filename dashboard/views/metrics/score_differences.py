"""Score differences: how often judges agree with a difference of some size."""

from __future__ import annotations

import streamlit as st

from bleu_core.agreement import DifferenceCurve
from bleu_core.errors import AlignmentError
from bleu_core.results.encoding import table_json
from bleu_core.results.score_differences import differences_needed_table, score_differences_table
from dashboard import analysis, session, words
from dashboard.exhibits import SCORE_DIFFERENCES, DifferenceCurves
from dashboard.export import score_differences_code
from dashboard.literal import literal
from dashboard.widgets import (
    LONG_TABLE_HEIGHT_PX,
    ROW_HINT,
    answer,
    begin_people_page,
    data_in_use,
    decimal_input,
    downloads,
    note_adjustment,
    open_row,
    page_controls,
    select_one,
    show_code,
    show_exhibit,
    show_table,
    view_or_stop,
)

#: Default difference in points, which many papers report as an improvement.
DEFAULT_DIFFERENCE = 1.0

#: Maximum of the box for a difference.
MAX_DIFFERENCE = 100.0

DIFFERENCE_HELP = "Difference between two systems' scores, in the metric's unit."


def render() -> None:
    """Show the curve through all pairs of systems with the published one, and the meaning of a difference."""
    if session.current_workspace().judgments is None:
        _published_only()
        return
    first, row, ratings = begin_people_page()
    with row:
        labels = list(analysis.metric_choices(ratings))
        label = select_one("Score", labels, key="score", width=230, help="Metric that is compared with the ratings.")
        difference = decimal_input(
            "Difference", 0.0, MAX_DIFFERENCE, DEFAULT_DIFFERENCE, key="difference", help=DIFFERENCE_HELP
        )
    try:
        curve = analysis.curve_of_ratings(ratings, label)
    except AlignmentError as error:
        st.error(literal(str(error)))
        return
    raw = analysis.raw_ratings(ratings)
    raw_curve = None if raw is None else analysis.curve_of_ratings(raw, label)
    with first:
        answer(_meaning(difference, label, curve))
        note_adjustment(ratings, "" if raw_curve is None else _meaning(difference, label, raw_curve))
        if not curve.is_fitted:
            st.info(literal(f"No curve can be fitted to these data: {curve.reason}."))
        st.markdown(literal(words.pairs_beyond(difference, label, curve)))
        st.caption(literal(words.who_rated(ratings)))
    _figure(label, curve, difference)
    _needed(label, curve)
    st.subheader("All pairs", anchor=False)
    pairs = score_differences_table(curve)
    show_table(
        pairs,
        key="score-pairs",
        alt="All pairs of systems: difference, and whether judges agree",
        max_height=LONG_TABLE_HEIGHT_PX,
        on_pick=open_row(pairs),
        hint=ROW_HINT,
    )
    downloads(pairs, key="score-pairs", content=table_json(pairs))
    show_code(score_differences_code(data_in_use(ratings.view), ratings, label))


def _meaning(difference: float, label: str, curve: DifferenceCurve) -> str:
    return words.meaning_to_raters(difference, label, curve) or words.pairs_beyond(difference, label, curve)


def _published_only() -> None:
    """Show the published curves, as there are no ratings."""
    view = view_or_stop()
    first = st.container(key="answer")
    with page_controls():
        label = select_one("Score", analysis.PUBLISHED_METRICS, key="score", width=230)
        difference = decimal_input(
            "Difference", 0.0, MAX_DIFFERENCE, DEFAULT_DIFFERENCE, key="difference", help=DIFFERENCE_HELP
        )
    with first:
        answer(words.published_meaning(difference, label))
        st.info(
            "No human judgments are loaded. This is the published curve; with ratings, the page also shows a "
            "curve of your data."
        )
    _figure(label, None, difference)
    _needed(label, None)
    show_code(score_differences_code(data_in_use(view), None, label))


def _figure(label: str, curve: DifferenceCurve | None, difference: float) -> None:
    shown = words.meaning_to_raters(difference, label, curve)
    show_exhibit(
        SCORE_DIFFERENCES,
        DifferenceCurves(metric=label, curve=curve),
        marked=difference,
        alt=f"Share of pairs in which judges agree, by difference in {label}. {shown}",
    )
    if curve is not None:
        st.caption(literal(words.basis_of_curve(curve)))
    st.caption(literal(words.basis_of_published(label)))


def _needed(label: str, curve: DifferenceCurve | None) -> None:
    st.subheader("Difference needed", anchor=False)
    st.caption(literal(f"Difference in {label} at which judges agree in a share of pairs; empty where it is never so."))
    data = differences_needed_table(curve, analysis.published_curve(label))
    show_table(data, key="differences-needed", alt="Difference at which judges agree in a share of pairs")
    downloads(data, key="differences-needed", content=table_json(data))
