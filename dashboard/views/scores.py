"""Scores: each system by BLEU or another metric, and what BLEU is made of."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from bleu_core.reports import Json, Table, metric_score_json, metric_score_table, score_json, score_table
from dashboard import analysis, words
from dashboard.figures import score_bars
from dashboard.widgets import answer, chart, downloads, literal, metric_choice, system_styles, table, view_or_stop

LOW = f"Lower end of the 95 % interval, from {analysis.RESAMPLES:,} bootstrap resamples of the segments."
HIGH = f"Upper end of the 95 % interval, from {analysis.RESAMPLES:,} bootstrap resamples of the segments."
HELP = {
    "bleu": "Points, 0 to 100.",
    "bleu_low": LOW,
    "bleu_high": HIGH,
    "brevity_penalty": "Factor for texts shorter than the reference; 1 is none.",
    "hypothesis_length": "Tokens of the system's text.",
    "reference_length": "Tokens of the reference it is held against, as chosen by Reference length.",
    "length_ratio": "Hypothesis length over reference length.",
}


def render() -> None:
    """Show the scores as bars and as a table, with the signature to quote."""
    st.title("Scores")
    view = view_or_stop()
    first, warnings = st.container(), st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", key="scores-controls"):
        metric = metric_choice(view)
        order = st.segmented_control(
            "Order",
            ["score", "name"],
            default="score",
            key="order",
            bind="query-params",
            persist_state="session",
            required=True,
        )
    scores = analysis.score_systems(view, metric.key)
    lead = words.leading_system(scores)
    with first:
        answer(lead)
    for name in view.copies:
        warnings.warning(literal(f"{name} is identical to a reference in use; its score says nothing."))
    names = scores.ordered_systems(by_name=order == "name")
    intervals = scores.intervals
    chart(
        score_bars(
            names,
            [scores.of_system[name] for name in names],
            system_styles(view),
            intervals=intervals and [intervals.scores[name] for name in names],
            label=metric.label,
            unit=metric.unit,
        ),
        _table(scores, list(view.evaluation.systems)),
        key="scores",
        alt=f"Bars of corpus {metric.label}. {lead}",
    )
    of_bleu = metric.key == "bleu"
    st.subheader("What the scores are made of" if of_bleu else "The same as a table", anchor=False)
    data = _table(scores, names)
    alt = "BLEU, precisions, brevity penalty and lengths" if of_bleu else f"{metric.label} of each system"
    table(data, key="scores", alt=alt, help_of=_help(metric))
    downloads(data, key="scores", content=_json(scores))
    st.subheader("Signature", anchor=False)
    st.caption("Quote it with the scores; it says how they were computed.")
    st.code(scores.scored.signature, language=None)


def _table(scores: analysis.SystemScores, names: list[str]) -> Table:
    """The scores of the systems in that order."""
    if scores.metric.key == "bleu":
        return score_table(scores.view.evaluation.select(names), scores.intervals)
    return metric_score_table(scores.scored.select(names), scores.intervals)


def _json(scores: analysis.SystemScores) -> Json:
    """As of the command line."""
    evaluation = scores.view.evaluation
    if scores.metric.key == "bleu":
        return score_json(evaluation, scores.intervals)
    return metric_score_json(scores.scored, evaluation, scores.intervals)


def _help(metric: analysis.Metric) -> Mapping[str, str]:
    """Column -> an explanation of its term."""
    if metric.key != "bleu":
        better = "higher" if metric.higher_is_better else "lower"
        what = metric.help[0].upper() + metric.help[1:]
        return {"score": f"{what}; {better} is better.", "low": LOW, "high": HIGH}
    return HELP | {
        f"precision_{n + 1}": f"Modified {n + 1}-gram precision, as scored; a fraction."
        for n in range(analysis.HIGHEST_ORDER)
    }
