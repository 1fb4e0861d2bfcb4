"""By metric: the systems by several metrics at once, with tiers by each, and mean ratings."""

from __future__ import annotations

import streamlit as st

from bleu_core.results.metric_scores import disagreement_sentence, metric_scores_table, whole_systems_note
from bleu_core.results.scores import scores_report
from dashboard import analysis
from dashboard.export import metric_scores_code
from dashboard.literal import literal
from dashboard.views.ranking import words
from dashboard.widgets import (
    ROW_HINT,
    adjustment_switch,
    answer,
    comparison_options,
    data_in_use,
    downloads,
    note_humans,
    note_optimised,
    open_row,
    open_segments,
    page_controls,
    select_many,
    select_one,
    show_code,
    show_table,
    switch,
    view_or_stop,
)
from dashboard.words import adjustment

#: The order of the rows by name.
NAME = "name"

#: Maximum number of pairs of systems on which metrics disagree that are listed; further ones are counted.
MAX_DISAGREEMENTS = 5


def render() -> None:
    """Show a row per system and a column per metric, with the signature of each."""
    view = view_or_stop()
    first = st.container(key="answer")
    with page_controls():
        labels = select_many(
            "Metrics",
            analysis.offered_labels(view),
            key="metrics_shown",
            default=analysis.default_labels(view),
            help="One column each. To add COMET, MetricX or an LLM judge, upload its segment scores on the Data page.",
        )
        tiers = switch(
            "Tiers", key="metric_tiers", default=True, help="Number the tiers by each metric. All pairs are tested."
        )
        bounds = switch("Intervals", key="metric_intervals", help="Show the interval of each score.")
        note_humans(view)
    note_optimised(view)
    if not labels:
        st.info("Choose at least one metric.")
        return
    tested = tiers and not view.descriptive
    options = comparison_options(view)
    result = analysis.scores_by_metric(view, labels, options, tiers=tested, intervals=bounds)
    orders = [*labels, *([analysis.PEOPLE] if result.human is not None else []), NAME]
    order = select_one("Order by", orders, key="order_by_metric", width=220)
    systems = analysis.systems_in_order(result, order)
    table = metric_scores_table(
        result.columns,
        systems=systems,
        whole=result.whole,
        human=result.human,
        human_raw=result.human_raw,
        human_best=result.ratings is None or not result.ratings.policy.obstacle,
        not_ranked=result.not_ranked,
    )
    with first:
        _answer(result)
        if result.human is not None and result.ratings is not None:
            adjustment_switch(result.ratings)
            sentence = adjustment(result.ratings)
            if sentence:
                st.caption(literal(sentence))
    show_table(
        table,
        key="by-metric",
        alt="Scores of each system by each metric",
        on_pick=open_row(table),
        hint=ROW_HINT,
        bold_best=True,
    )
    if result.whole:
        st.caption(literal(whole_systems_note(result.whole)))
    metrics = [column.scored for column in result.columns]
    intervals = {column.scored.name: column.intervals for column in result.columns if column.intervals is not None}
    content = (
        scores_report(view.evaluation, metrics, intervals, whole=result.whole, missing=view.missing)
        if metrics
        else None
    )
    downloads(table, key="by-metric", content=content)
    st.subheader("Signatures", anchor=False)
    st.caption("Quote the signature of each metric with its scores.")
    st.code("\n".join(f"{metric.label}: {metric.signature}" for metric in metrics), language=None, wrap_lines=True)
    show_code(metric_scores_code(data_in_use(view), result, systems, options, intervals=bool(intervals)))


def _answer(result: analysis.ScoresByMetric) -> None:
    """Say which system has the best score by each metric, which tier that is, and on which pairs metrics disagree."""
    answer(words.best_by_metric(result))
    if not result.comparisons:
        st.caption("Switch on “Tiers” to see which differences are significant by each metric.")
        return
    first = words.first_tiers(result)
    if first:
        st.caption(literal(first))
    if not result.disagreements:
        st.caption(words.NO_DISAGREEMENT)
    for number, pair in enumerate(result.disagreements[:MAX_DISAGREEMENTS]):
        text = literal(disagreement_sentence(pair))
        st.button(text, key=f"disagreement-{number}", type="tertiary", on_click=open_segments, args=pair.systems)
    rest = len(result.disagreements) - MAX_DISAGREEMENTS
    if rest > 0:
        st.caption(f"Metrics disagree on {rest:,} more pairs of systems.")
