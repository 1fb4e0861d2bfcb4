"""Human judgments: how well BLEU agrees with people."""

from __future__ import annotations

import streamlit as st

from bleu_core.correlation import Agreement
from bleu_core.errors import AlignmentError
from bleu_core.report import agreement_table, correlate_json, correlation_table
from dashboard import results, sentences
from dashboard.figures.human import bleu_and_ratings, normalised_lines
from dashboard.widgets import answer, chart, downloads, literal, table

ALL = "all judges"
HELP = {
    "value": "Pearson: how nearly the points lie on a line. Spearman and Kendall: how alike the two orders are. "
    "Pairwise accuracy: the fraction of pairs of systems in the same order.",
    "low": "Lower end of the 95 % interval over systems.",
    "high": "Upper end of the 95 % interval over systems.",
    "p_value": "Two-sided: how often unrelated scores would agree or disagree this much.",
}


def render() -> None:
    """Show ratings over BLEU, the coefficients, and both scaled to their range."""
    st.title("Human judgments")
    view = results.require(judgments=True)
    group, machines_only = _chosen(view)
    try:
        result = results.agreements(view, group, machines_only=machines_only)
    except AlignmentError as error:
        st.error(literal(str(error)))
        return
    answer(sentences.people(result))
    humans = [name for name in view.workspace.human_systems if name in result.systems]
    st.caption(literal(sentences.judges(view, humans)))
    found = view.intervals
    chart(
        bleu_and_ratings(result, view.styles, humans, intervals=found and found.scores),
        agreement_table(result, found),
        key="human",
        alt=f"Mean rating over BLEU with the regression line. {sentences.people(result)}",
    )
    st.caption(literal(sentences.regression(result)))
    st.subheader("Agreement", anchor=False)
    data = correlation_table(result)
    table(data, key="correlations", alt="Coefficients of agreement", help_of=HELP)
    downloads(data, key="agreement", content=correlate_json(result))
    _left_out(result)
    _normalised(view, result, machines_only=machines_only)


def _chosen(view: results.View) -> tuple[str | None, bool]:
    """Which judges and systems are compared."""
    judgments = view.workspace.judgments
    groups = judgments.groups if judgments is not None else ()
    group, machines_only = ALL, False
    with st.container(horizontal=True, vertical_alignment="bottom", key="human-controls"):
        if groups:
            group = st.selectbox(
                "Judges", [ALL, *groups], key="group", bind="query-params", persist_state="session", width=260
            )
        if view.workspace.human_systems:
            machines_only = st.toggle(
                "Machine systems only",
                key="machines_only",
                bind="query-params",
                persist_state="session",
                help="Leave out the human translators among the systems.",
            )
    return (None if group in (ALL, None) else group), machines_only


def _left_out(result: Agreement) -> None:
    if result.excluded:
        st.markdown("**Left out**")
        st.text("\n".join(f"{e.system}: {e.reason}" for e in result.excluded))


def _normalised(view: results.View, result: Agreement, *, machines_only: bool) -> None:
    st.subheader("Scaled to the range", anchor=False)
    st.caption("BLEU and mean ratings, each from its lowest (0) to its highest (1), as Figure 7 of the 2002 paper.")
    systems, lines = results.normalised(view, result, machines_only=machines_only)
    chart(
        normalised_lines(systems, lines),
        agreement_table(result),
        key="normalised",
        alt="BLEU and mean ratings of each system, each scaled to its range.",
    )
