"""Overall: the systems by their mean scores over test sets, in tiers, with the tested differences."""

from __future__ import annotations

from functools import partial

import streamlit as st

from bleu_core.results.test_sets import mean_pairs_table, methods_over_sets, systems_table
from dashboard import analysis, session, words
from dashboard.export import over_sets_code
from dashboard.literal import literal
from dashboard.views.test_sets.controls import choose_metric, compared_or_stop, note_left_out, options_of
from dashboard.widgets import (
    LONG_TABLE_HEIGHT_PX,
    answer,
    downloads,
    page_controls,
    sets_or_stop,
    show_code,
    show_table,
    slice_of_sets,
)


def render() -> None:
    """Show the tiers of systems by mean score, and the tested differences of mean scores."""
    sets = sets_or_stop()
    first = st.container(key="answer")
    row = page_controls()
    with row.in_view:
        metric = choose_metric(sets)
    with row:
        options = options_of(metric, "")
    over = compared_or_stop(sets, options)
    results, tested = over.results, not session.selection().descriptive
    methods = methods_over_sets(results)
    with first:
        if results.comparisons is None or not results.comparisons.tested or not tested:
            answer(words.what_the_mean_is(results))
        else:
            answer(words.tiers_over_sets(results))
            st.markdown(literal(words.what_the_mean_is(results)))
    note_left_out(over)
    table = systems_table(results) if tested else systems_table(results).without("tier")
    content = partial(analysis.report_over_sets, over)
    if not results.mean_reason:
        show_table(table, key="over-sets", alt=f"Mean {metric} of each system over test sets", bold_best=True)
        together = words.all_segments_together(results)
        if together:
            st.caption(literal(together))
        downloads(table, key="over-sets", content=content, caption=methods, within=slice_of_sets())
    pairs = mean_pairs_table(results)
    if pairs is None:
        return
    st.subheader("Differences of mean scores", anchor=False)
    st.caption(literal(words.pairs_shown(results)))
    show_table(
        pairs, key="mean-pairs", alt="Differences of mean scores: interval and p", max_height=LONG_TABLE_HEIGHT_PX
    )
    downloads(pairs, key="mean-pairs", content=content, caption=methods, within=slice_of_sets())
    st.subheader("To quote", anchor=False)
    st.caption("A sentence for the methods section.")
    st.code(methods, language=None, wrap_lines=True)
    show_code(over_sets_code(over))
