"""Systems: BLEU beside mean ratings, coefficients, and which systems decide."""

from __future__ import annotations

import streamlit as st

from bleu_core.report import agreement_table, correlate_json, correlation_table
from dashboard import people, sentences
from dashboard.figures.human import bleu_and_ratings, normalised_lines
from dashboard.widgets import chart, downloads, literal, table

HELP = {
    "value": "Pearson: how nearly the points lie on a line. Spearman and Kendall: how alike the two orders are. "
    "Pairwise accuracy: the fraction of pairs of systems in the same order.",
    "low": "Lower end of the 95 % interval over systems.",
    "high": "Upper end of the 95 % interval over systems.",
    "p_value": "Two-sided: how often unrelated scores would agree or disagree this much.",
}


def render(found: people.People) -> None:
    """Show ratings over BLEU, the coefficients, and both scaled to their range."""
    result = found.agreement
    bounds = found.view.intervals
    chart(
        bleu_and_ratings(result, found.view.styles, found.humans, intervals=bounds and bounds.scores),
        agreement_table(result, bounds),
        key="human",
        alt=f"Mean rating over BLEU with the regression line. {sentences.people(result)}",
    )
    ringed = " Human translators are ringed." if found.humans else ""
    st.caption(literal(sentences.regression(result) + ringed))
    st.subheader("Agreement", anchor=False)
    data = correlation_table(result)
    table(data, key="correlations", alt="Coefficients of agreement", help_of=HELP)
    downloads(data, key="agreement", content=correlate_json(result))
    _left_out(found)
    _normalised(found)


def _left_out(found: people.People) -> None:
    excluded = found.agreement.excluded
    if excluded:
        st.markdown("**Left out**")
        st.text("\n".join(f"{e.system}: {e.reason}" for e in excluded))


def _normalised(found: people.People) -> None:
    st.subheader("Scaled to the range", anchor=False)
    st.caption("BLEU and mean ratings, each from its lowest (0) to its highest (1), as Figure 7 of the 2002 paper.")
    systems, lines = people.normalised(found)
    chart(
        normalised_lines(systems, lines),
        agreement_table(found.agreement),
        key="normalised",
        alt="BLEU and mean ratings of each system, each scaled to its range.",
    )
