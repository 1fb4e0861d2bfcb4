"""Scores: each system by BLEU or another metric, and the components of BLEU."""

from __future__ import annotations

from functools import partial

import streamlit as st

from bleu_core.fields import Table
from bleu_core.results.envelope import Envelope
from bleu_core.results.scores import score_report
from dashboard import analysis, session, words
from dashboard.exhibits import SCORES, scores_table
from dashboard.export import scores_code
from dashboard.literal import literal
from dashboard.widgets import (
    BAR_HINT,
    ROW_HINT,
    comparison_options,
    data_in_use,
    downloads,
    headline,
    metric_choice,
    note_humans,
    note_optimised,
    open_row,
    open_segments,
    page_controls,
    select_button,
    show_code,
    show_exhibit,
    show_table,
    system_styles,
    view_or_stop,
)

#: Maximum number of reasons for missing scores below the table.
MAX_REASONS = 10


def render() -> None:
    """Show the scores as bars and as a table, with the signature to quote."""
    view = view_or_stop()
    first = st.container(key="answer")
    with page_controls():
        metric = metric_choice(view)
        order = select_button("Order", ["score", "name"], key="order")
        note_humans(view)
    note_optimised(view)
    scores = analysis.score_systems(view, metric.key)
    comparisons = None if view.descriptive else analysis.compare_leaders(scores, comparison_options(view))
    with first:
        headline(analysis.headline_of(scores, comparisons))
    names = scores.ordered_systems(by_name=order == "name")
    drawn = [name for name in names if name in analysis.compared_by(view, metric.key)]
    data = scores_table(scores, names)
    show_exhibit(
        SCORES,
        scores,
        system_styles(view),
        names=drawn,
        data=partial(scores_table, scores, list(analysis.compared_by(view, metric.key))),
        alt=f"Bars of corpus {metric.label}, best first",
        on_pick=lambda bar: open_segments(drawn[bar[-1]]),
        hint=BAR_HINT,
    )
    factors = metric.from_ngram_counts
    st.subheader("Components of the scores" if factors else "Scores as a table", anchor=False)
    alt = f"{metric.label}, precisions, brevity penalty and lengths" if factors else f"{metric.label} of each system"
    show_table(data, key="scores", alt=alt, on_pick=partial(_open, data, len(names)), hint=ROW_HINT)
    if view.missing:  # in the table, the reason is beyond the edge of most windows
        st.caption("  \n".join(literal(words.why_missing(text)) for text in view.missing[:MAX_REASONS]))
    downloads(data, key="scores", content=_report(scores))
    st.subheader("Signature", anchor=False)
    st.caption("Quote the signature with the scores: it records how they were computed.")
    st.code(scores.scored.signature, language=None)
    show_code(scores_code(data_in_use(view), metric.key, names, intervals=scores.intervals is not None))


def _open(data: Table, scored: int, row: int) -> None:
    """Open the segments of the selected system; if it has no score, open the Data page, which explains it."""
    if row < scored:
        open_row(data)(row)
    else:
        session.go_to("Data")


def _report(scores: analysis.SystemScores) -> Envelope:
    """Return the report of the command line."""
    view = scores.view
    return score_report(view.evaluation, scores.intervals, scored=scores.scored, missing=view.missing)
