"""Next test set: the difference of two systems pooled over test sets, and what to expect on a new one."""

from __future__ import annotations

from functools import partial

import streamlit as st

from bleu_core.results.test_sets import next_set_sentence, next_sets_table, set_differences_table
from dashboard import analysis, session, words
from dashboard.exhibits import FOREST, ForestOfSets
from dashboard.export import over_sets_code
from dashboard.literal import literal
from dashboard.plots.theme import styles
from dashboard.views.test_sets.controls import (
    choose_baseline,
    choose_metric,
    compared_or_stop,
    note_left_out,
    options_of,
)
from dashboard.widgets import (
    answer,
    downloads,
    open_test_set,
    page_controls,
    select_one,
    sets_or_stop,
    show_code,
    show_exhibit,
    show_table,
    slice_of_sets,
)

#: Keys of the pair of systems, which only these test sets have.
SYSTEM, OTHER = "sets_system", "sets_other"

POINT_HINT = "Click a point to open its test set. The area of a marker grows with the weight of its test set."


def render() -> None:
    """Show the differences of two systems as a forest plot, with the pooled difference and the prediction."""
    sets = sets_or_stop()
    first = st.container(key="answer")
    row = page_controls()
    with row.in_view:
        metric = choose_metric(sets)
    with row:
        baseline = choose_baseline(sets)
        options = options_of(metric, baseline)
    over = compared_or_stop(sets, options)
    default = analysis.pairs_of_next_set(over)
    if default is None:
        first.info("Only one system is compared, so there is no difference to pool.")
        return
    with row.in_view:
        names = list(over.compared)
        system = select_one("System", names, key=SYSTEM, default=default[0])
        other = select_one("Minus", names, key=OTHER, default=default[1])
    if system == other:
        first.info("Choose two different systems.")
        return
    result = ForestOfSets(row=analysis.next_set_of(over, system, other), metric=over.metric)
    prediction = result.row.pooled.prediction
    if not result.row.pooled.number:
        first.info(literal(words.pooled_sentence(result.row, over.metric)))
        return
    with first:
        answer(next_set_sentence(result.row, over.metric))
        st.markdown(literal(words.pooled_sentence(result.row, over.metric)))
        variation = words.heterogeneity(result.row, over.metric)
        if variation:
            st.caption(literal(variation))
        if not prediction.reason:
            st.caption(words.coverage_of_prediction())
    note_left_out(over)
    used = [each.name for each in result.row.pooled.sets]
    show_exhibit(
        FOREST,
        result,
        styles(names, (system, other)),
        alt=f"{words.pooled_sentence(result.row, over.metric)} {next_set_sentence(result.row, over.metric)}",
        on_pick=lambda point: _open(used, point[0]),
        hint=POINT_HINT,
        within=slice_of_sets(),
    )
    decimals = over.metric.decimals
    content = partial(analysis.report_over_sets, over)
    table = set_differences_table(result.row, decimals)
    show_table(table, key="set-differences", alt="The difference on each test set with its weight")
    downloads(
        table,
        key="set-differences",
        content=content,
        caption=words.pooled_sentence(result.row, over.metric),
        within=slice_of_sets(),
    )
    summary = next_sets_table([result.row], decimals)
    show_table(summary, key="pooled-difference", alt="The pooled difference, its heterogeneity and its prediction")
    downloads(
        summary,
        key="pooled-difference",
        content=content,
        caption=words.pooled_sentence(result.row, over.metric),
        within=slice_of_sets(),
    )
    show_code(over_sets_code(over, pair=(system, other)))


def _open(names: list[str], place: int | None) -> None:
    """Open the test set of a point, unless it is a summary."""
    if place is not None:
        name = next(name for name in session.test_sets() if session.set_label(name) == names[place])
        open_test_set(name, "Overview")
