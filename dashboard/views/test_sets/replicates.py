"""Replicates: groups of runs of one system, with several seeds for example, compared on one or several test sets."""

from __future__ import annotations

from functools import partial

import streamlit as st

from bleu_core.errors import BleuCoreError, as_sentence
from bleu_core.results.replicates import group_comparison_table, group_sentences, group_table, run_table
from bleu_core.results.test_sets import groups_by_set_table, groups_methods
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

#: Key of the box with the groups.
GROUPS = "replicates"

GROUPS_HELP = (
    "One group per line: its name, an equals sign, and a pattern of the names of its runs, in which * means any "
    "characters and ? one character. Other systems are compared as single runs."
)


def render() -> None:
    """Show the groups on each test set, with the spread of their runs, and compare their means."""
    sets = sets_or_stop(1)
    first = st.container(key="answer")
    row = page_controls()
    with row.in_view:
        metric = choose_metric(sets)
        session.restore_text(GROUPS)
        typed = st.text_area(
            "Groups of runs", key=GROUPS, placeholder="base=base.s*", height=100, width=320, help=GROUPS_HELP
        )
    with row:
        options = options_of(metric, "")
    patterns = [line.strip() for line in typed.split("\n") if line.strip()]
    if not patterns:
        with first:
            answer("Runs of one system, such as several seeds, can be compared as a group.")
            st.markdown(literal("Enter a group, such as base=base.s* for the runs base.s1, base.s2 and base.s3."))
        if len(sets.views) < analysis.MIN_SETS:
            st.info(words.ONE_SET)
            session.page_link("Data", "Go to the Data page")
        return
    over = compared_or_stop(sets, options)
    try:
        groups = analysis.compare_runs(over, patterns)
    except BleuCoreError as error:
        first.error(literal(as_sentence(str(error))))
        return
    scored, methods = over.results.scored, groups_methods(groups, metric)
    comparisons = groups.comparisons
    with first:
        if comparisons is None:
            answer(as_sentence(methods))
        else:
            lead, *others = group_sentences(comparisons, scored)
            answer(lead)
            for sentence in others:
                st.markdown(literal(sentence))
    note_left_out(over)
    content = partial(analysis.report_over_sets, over, groups)
    if comparisons is not None:
        for warning in comparisons.warnings:
            st.warning(literal(warning))
        for key, alt, table in (
            ("groups-compared", "Differences between groups of runs", group_comparison_table(comparisons)),
            ("groups", "Mean score of each group over test sets", group_table(comparisons.groups, scored)),
            ("runs", "Mean score of each run over test sets", run_table(comparisons.groups, scored)),
        ):
            st.subheader(f"{alt}", anchor=False)
            show_table(table, key=key, alt=alt, max_height=LONG_TABLE_HEIGHT_PX)
            downloads(table, key=key, content=content, caption=methods, within=slice_of_sets())
    by_set = groups_by_set_table(groups, over.metric)
    st.subheader("Groups on each test set", anchor=False)
    show_table(by_set, key="groups-by-set", alt="Mean score and spread of the runs of each group on each test set")
    downloads(by_set, key="groups-by-set", content=content, caption=methods, within=slice_of_sets())
    show_code(over_sets_code(over, groups=patterns))
