"""Errors: which errors two systems make, as judges or a metric marked them."""

from __future__ import annotations

from functools import partial

import streamlit as st

from bleu_core.results.encoding import table_json
from bleu_core.results.error_spans import differences_methods, error_rates_table, profile_method
from dashboard import analysis, words
from dashboard.exhibits import ERROR_RATES
from dashboard.export import errors_code
from dashboard.literal import literal
from dashboard.widgets import (
    BLOCK_HINT,
    LONG_TABLE_HEIGHT_PX,
    ROW_HINT,
    answer,
    compared_or_stop,
    comparison_options,
    data_in_use,
    downloads,
    error_options,
    note_humans,
    open_segments,
    page_controls,
    pair_choice,
    show_code,
    show_exhibit,
    show_table,
    system_styles,
)


def render() -> None:
    """Show the errors of two systems, and test their differences."""
    view = compared_or_stop()
    first = st.container(key="answer")
    try:
        sources = analysis.error_sources(view)
    except analysis.MissingDataError as error:
        first.info(literal(str(error)))
        return
    row = page_controls()
    with row:
        system, baseline = pair_choice(analysis.ranked_systems(view, comparison_options(view).metric))
    options = error_options(row, sources)
    with row:
        note_humans(view)
    if system == baseline:
        first.info("Choose two different systems.")
        return
    metric = options.metric
    pair = analysis.errors_of_pair(view, options, system, baseline)
    with first:
        answer(words.errors_of_two_systems(pair.differences, metric))
        st.caption(literal(words.evidence_of_errors(pair.differences)))
        for warning in pair.differences.warnings:
            st.warning(literal(warning))
    if pair.differences.rows:
        _differences(view, pair)
    _rates(pair)
    st.caption(literal(" ".join([profile_method(view.evaluation, metric), *differences_methods([pair.differences])])))
    show_code(errors_code(data_in_use(view), options, system, baseline))


def _differences(view: analysis.View, pair: analysis.ErrorPair) -> None:
    """Show the rates of the two systems and their differences; a bar or row opens the segments."""
    system, baseline = pair.differences.system, pair.differences.baseline
    st.subheader("Errors of the two systems", anchor=False)
    alt = f"Errors per 1,000 tokens of {system} and {baseline} by {pair.options.by}."
    open_row = partial(_open, pair)
    show_exhibit(
        ERROR_RATES,
        pair,
        system_styles(view, (system, baseline)),
        alt=alt,
        on_pick=lambda bar: open_row(bar[0]),
        hint=BLOCK_HINT.format(mark="bar", unit="row"),
    )
    data = ERROR_RATES.table(pair)
    show_table(
        data,
        key="error-differences",
        alt=f"Errors of {system} and {baseline} by {pair.options.by}, difference, interval and p",
        max_height=LONG_TABLE_HEIGHT_PX,
        on_pick=open_row,
        hint=ROW_HINT,
    )
    downloads(data, key="error-differences", content=table_json(data))


def _rates(pair: analysis.ErrorPair) -> None:
    st.subheader("Errors of all systems", anchor=False)
    data = error_rates_table(pair.profile)
    show_table(
        data,
        key="error-rates-of-all",
        alt=f"Errors per 1,000 tokens of each system by {pair.options.by}",
        max_height=LONG_TABLE_HEIGHT_PX,
    )
    downloads(data, key="error-rates-of-all", content=table_json(data))


def _open(pair: analysis.ErrorPair, row: int) -> None:
    """Open the segments with errors of a row on the page Segments."""
    open_segments(pair.differences.system, pair.differences.baseline, within=pair.expression(row))
