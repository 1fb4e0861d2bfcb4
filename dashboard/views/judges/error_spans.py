"""Error spans: the errors that judges and metrics marked, and how well their spans agree."""

from __future__ import annotations

import streamlit as st

from bleu_core.results.encoding import table_json
from bleu_core.results.error_spans import (
    agreement_method,
    agreement_notes,
    error_rates_table,
    profile_method,
    profiled_systems_table,
    span_agreement_table,
)
from dashboard import analysis, words
from dashboard.literal import literal
from dashboard.widgets import (
    LONG_TABLE_HEIGHT_PX,
    answer,
    begin_people_page,
    downloads,
    error_options,
    show_table,
)


def render() -> None:
    """Show how well error spans agree, and errors per 1,000 tokens of each system."""
    first, row, ratings = begin_people_page()
    view = ratings.view
    try:
        sources = analysis.error_sources(view)
    except analysis.MissingDataError as error:
        first.info(literal(str(error)))
        return
    options = error_options(row, sources)
    agreement = analysis.agreement_of_spans(view)
    with first:
        answer(words.agreement_of_error_spans(agreement))
        st.caption(literal(" ".join([agreement_method(agreement), *agreement_notes(agreement)])))
    if agreement.pairs:
        st.subheader("Agreement of error spans", anchor=False)
        show_table(
            span_agreement_table(agreement),
            key="span-agreement",
            alt="Precision, recall and F1 of the error spans of pairs of annotators",
            max_height=LONG_TABLE_HEIGHT_PX,
        )
        data = span_agreement_table(agreement, details=True)
        downloads(data, key="span-agreement", content=table_json(data))
    profile = analysis.profile_of_errors(view, options)
    st.subheader("Errors per 1,000 tokens", anchor=False)
    st.caption(literal(profile_method(view.evaluation, options.metric)))
    data = error_rates_table(profile)
    show_table(
        data,
        key="error-profile",
        alt=f"Errors per 1,000 tokens of each system by {options.by}",
        max_height=LONG_TABLE_HEIGHT_PX,
    )
    downloads(data, key="error-profile", content=table_json(data))
    st.subheader("Annotated segments", anchor=False)
    data = profiled_systems_table(profile)
    show_table(data, key="annotated-systems", alt="Annotated segments, judges, tokens and errors of each system")
    downloads(data, key="annotated-systems", content=table_json(data))
