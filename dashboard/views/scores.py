"""Scores: BLEU of each system, and what it is made of."""

from __future__ import annotations

import streamlit as st

from bleu_core.reports import score_report, score_table
from dashboard import session, words
from dashboard.figures import score_bars
from dashboard.widgets import answer, chart, downloads, literal, system_styles, table, view_or_stop


def render() -> None:
    """Show BLEU as bars and as a table, with the signature to quote."""
    st.title(PAGE.title)
    view = view_or_stop()
    evaluation = view.evaluation
    answer(words.leading_system(view))
    for name in view.copies:
        st.warning(literal(f"{name} is identical to a reference in use; its score says nothing."))
    order = st.segmented_control(
        "Order",
        ["score", "name"],
        default="score",
        key="order",
        bind="query-params",
        persist_state="session",
        required=True,
    )
    names = view.ordered_systems(by_name=order == "name")
    score = dict(zip(evaluation.systems, evaluation.scores.score.tolist(), strict=True))
    intervals = view.intervals
    bounds = intervals and [intervals.scores[name] for name in names]
    chart(
        score_bars(names, [score[name] for name in names], system_styles(view), intervals=bounds),
        score_table(evaluation, intervals),
        key="scores",
        alt=f"Bars of corpus BLEU. {words.leading_system(view)}",
    )
    st.subheader("What the scores are made of", anchor=False)
    data = score_table(evaluation.select(names), intervals)
    table(data, key="scores", alt="BLEU, precisions, brevity penalty and lengths")
    downloads(data, key="scores", content=score_report(evaluation, intervals))
    st.subheader("Signature", anchor=False)
    st.caption("Quote it with the scores; it says how they were computed.")
    st.code(evaluation.signature, language=None)


PAGE = session.Page(
    "Scores",
    "scores",
    "What does each system score, by BLEU or another metric, and what is the score made of?",
    render,
)
