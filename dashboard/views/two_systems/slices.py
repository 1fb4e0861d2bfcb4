"""Slices: where in the text one system is better than another, and whether their difference varies."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from bleu_core.results.slices import slice_score_table, slices_methods, slices_report, variation_table
from dashboard import analysis, session, words
from dashboard.exhibits import SLICES, SlicedPair
from dashboard.export import slices_code
from dashboard.literal import literal
from dashboard.widgets import (
    BLOCK_HINT,
    ROW_HINT,
    answer,
    compared_or_stop,
    comparison_controls,
    comparison_options,
    data_in_use,
    downloads,
    note_humans,
    note_optimised,
    open_segments,
    page_controls,
    pair_choice,
    select_one,
    show_code,
    show_exhibit,
    show_table,
    system_styles,
)

BY = "slices_by"

BY_HELP = (
    "Division of the text: by a column of labels, by document, by the length of the first reference (in quarters), or "
    "into two halves, one to explore and one to test."
)


def render() -> None:
    """Divide the text, and compare the systems on each part."""
    view = compared_or_stop()
    first = st.container(key="answer")
    with page_controls():
        by = select_one("Slices by", analysis.divisions(view), key=BY, help=BY_HELP)
        order = analysis.ranked_systems(view, comparison_options(view).metric)
        system, baseline = pair_choice(order)
        comparison_controls(view, of_pair=True, of_slices=True)
        note_humans(view)
    note_optimised(view)
    if not view.workspace.corpus.labels:
        st.caption("To divide the text by domain, topic or the like, add a file of labels.")
        session.page_link("Data", "Add labels on the Data page")
    options = replace(comparison_options(view), baseline=baseline)
    problem = words.pair_problem(analysis.score_under(view, options.metric), system, baseline)
    if problem:
        first.info(literal(problem))
        return
    divided = analysis.compare_divided(view, by, options)
    with first:
        answer(words.slices_verdict(divided, system))
        st.markdown(literal(words.variation_verdict(divided.variation_of(system), options.alpha)))
        st.caption(literal(words.division(divided)))
        for warning in divided.comparisons.warnings:
            st.warning(literal(warning))
    _differences(view, divided, system)
    _scores(divided, (system, baseline))
    _variation(divided, baseline)
    st.subheader("To quote", anchor=False)
    st.caption("Sentences for the methods section.")
    st.code(slices_methods(divided.comparisons, divided.scored, by), language=None, wrap_lines=True)
    show_code(slices_code(data_in_use(view), by, options, system))


def _differences(view: analysis.View, divided: analysis.SlicedComparison, system: str) -> None:
    """Show the difference of the two systems on all segments and on each slice."""
    scored, comparisons, by = divided.scored, divided.comparisons, divided.grouping.by
    whole, *slices = divided.rows_of(system)
    pair = whole[2]
    st.subheader("Difference in each slice", anchor=False)
    shown_pair = SlicedPair(divided=divided, system=system)
    drawn = shown_pair.drawn
    shown = f"Difference between {system} and {pair.baseline} on all segments and on each slice, with its interval."
    explanation = (
        "In parentheses: segments. Hollow: not significant after correction; the intervals are not corrected. Dotted: "
        "the difference on all segments."
    )
    st.caption(literal(f"{shown} {explanation}"))

    if len(drawn) < len(slices):
        st.caption(words.slices_drawn(len(drawn), len(slices)))
    data = SLICES.table(shown_pair)
    rows = (0, *(n + 1 for n in drawn))
    open_row = partial(_open, divided, (system, pair.baseline))
    show_exhibit(
        SLICES,
        shown_pair,
        system_styles(view, (system, pair.baseline)),
        alt=shown,
        on_pick=lambda point: open_row(rows[point[0]]),
        hint=BLOCK_HINT.format(mark="point", unit="slice"),
    )
    show_table(
        data,
        key="slice-pairs",
        alt=f"Difference between {system} and {pair.baseline} in each slice, interval and p",
        on_pick=open_row,
        hint=ROW_HINT,
    )
    downloads(data, key="slice-pairs", content=slices_report(comparisons, scored, view.compared, by))


def _scores(divided: analysis.SlicedComparison, pair: tuple[str, str]) -> None:
    """Show the scores of all systems on all segments and on each slice."""
    st.subheader("Scores in each slice", anchor=False)
    data = slice_score_table(divided.comparisons, divided.grouping.by)
    show_table(
        data,
        key="slice-scores",
        alt="Scores of all systems on all segments and on each slice",
        on_pick=partial(_open, divided, pair),
        hint=ROW_HINT,
    )
    downloads(
        data, key="slice-scores", caption=slices_methods(divided.comparisons, divided.scored, divided.grouping.by)
    )


def _open(divided: analysis.SlicedComparison, pair: tuple[str, str], row: int) -> None:
    """Open the segments of a slice on the page Segments, or all of them for the first row."""
    within = divided.grouping.expression(divided.comparisons.slices[row - 1].label) if row else ""
    open_segments(*pair, within=within)


def _variation(divided: analysis.SlicedComparison, baseline: str) -> None:
    """Show whether the difference of each system to the baseline varies between the slices."""
    if len(divided.comparisons.variation) == 1:  # shown in the answer
        return
    st.subheader("Variation between slices", anchor=False)
    st.caption(
        literal(
            f"Whether the difference of each system to {baseline} varies between the slices more than chance: "
            "Cochran's Q, with the labels permuted. p is not corrected for the number of systems."
        )
    )
    data = variation_table(divided.comparisons)
    show_table(data, key="slice-variation", alt="Cochran's Q and p of each system and the baseline")
    downloads(
        data, key="slice-variation", caption=slices_methods(divided.comparisons, divided.scored, divided.grouping.by)
    )
