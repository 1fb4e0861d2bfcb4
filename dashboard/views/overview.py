"""Overview: the answer first, then the figures that carry it."""

from __future__ import annotations

import streamlit as st

from bleu_core.agreement import Agreement
from bleu_core.errors import AlignmentError
from bleu_core.reports import agreement_table, block_score_table, precision_table, score_table
from dashboard import analysis, session, words
from dashboard.figures import bleu_and_ratings, block_distributions, decay_lines, score_bars
from dashboard.widgets import answer, chart, literal, note_left_out

BLOCKS = 20
FIGURE_HEIGHT = 400


def render() -> None:
    """Say who leads, by how much and how far people agree; show the three figures behind that."""
    st.title("Overview")
    _welcome()
    view = analysis.view_or_stop()
    agreement = _agreement(view)
    order = words.best_first(view)
    _answer(view, agreement, [name for name, _ in order])
    note_left_out(view)
    found = view.intervals
    left, right = st.columns(2, gap="large")
    evaluation = view.compared
    names = [name for name in words.systems_in_order(view, by_name=False) if name in evaluation.systems]
    with left:
        st.subheader("Scores", anchor=False)
        st.caption("Corpus BLEU of each system, best first.")
        score = dict(zip(evaluation.systems, evaluation.scores.score.tolist(), strict=True))
        bounds = found and [found.scores[name] for name in names]
        figure = score_bars(names, [score[name] for name in names], view.styles, intervals=bounds, height=FIGURE_HEIGHT)
        chart(figure, score_table(evaluation, found), key="overview-scores", alt=words.leading_system(view))
        session.page_link("Scores", "All numbers and the signature to quote")
    with right:
        st.subheader("Precision", anchor=False)
        decays = analysis.fitted_decays(view)
        said = words.precision_kept(evaluation.systems, evaluation.scores, decays)
        st.caption(literal(said))
        figure = decay_lines(
            evaluation.systems,
            evaluation.scores,
            decays,
            view.styles,
            fits=False,
            intervals=found and found.precisions,
            height=FIGURE_HEIGHT,
        )
        chart(figure, precision_table(evaluation, found), key="overview-precision", alt=said)
        session.page_link("Precision", "How fast precision decays")
    _third(view, agreement)


def _welcome() -> None:
    """On the sample data, say so and show the way to one's own."""
    if session.dataset() != "sample":
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="welcome"):
        st.markdown(
            "These are **sample data**, written by a program: five systems, four references, invented news. "
            "Everything works the same on your own files.",
            width="content",
        )
        session.page_link("Data", "Use your own files")


def _agreement(view: analysis.View) -> Agreement | None:
    if view.workspace.judgments is None:
        return None
    if view.workspace.human_systems:
        session.keep_switch(analysis.MACHINES_ONLY)
        if session.get(analysis.MACHINES_ONLY):
            session.say_in_address(**{analysis.MACHINES_ONLY: "true"})
    try:
        return analysis.ratings_or_stop(view).agreement
    except AlignmentError:  # the Human judgments page tells why
        return None


def _answer(view: analysis.View, agreement: Agreement | None, order: list[str]) -> None:
    said = [words.leading_system(view)]
    if len(order) > 1 and view.workspace.corpus.segments > 1:
        lead = analysis.two_best(view, order[0], order[1])
        said.append(words.pair_verdict(lead, lead.pairs[0]))
        said += [f"Mind: {warning}." for warning in lead.warnings]
    if agreement is not None:
        said.append(words.agreement_with_people(agreement))
    with st.container(key="answer"):
        answer(said[0])
        for sentence in filter(None, said[1:]):
            st.markdown(literal(sentence))


def _third(view: analysis.View, agreement: Agreement | None) -> None:
    """People's view where there is one, else the spread over blocks."""
    left, right = st.columns(2, gap="large")
    if agreement is not None:
        with left:
            st.subheader("Human judgments", anchor=False)
            said = words.agreement_with_people(agreement)
            without = " Human translators are left out." if session.get(analysis.MACHINES_ONLY) else ""
            st.caption(f"Mean rating over BLEU, with the regression line and its 95 % band.{without}")
            found = view.intervals
            figure = bleu_and_ratings(
                agreement,
                view.styles,
                view.workspace.human_systems,
                intervals=found and found.scores,
                height=FIGURE_HEIGHT,
            )
            chart(figure, agreement_table(agreement, found), key="overview-human", alt=said)
            session.page_link("Human judgments", "Agreement in numbers")
    with left if agreement is None else right:
        st.subheader("Blocks", anchor=False)
        result = analysis.scores_of_blocks(view, "blocks", BLOCKS, BLOCKS)
        said = words.spread_of_blocks(result)
        st.caption(literal(said))
        figure = block_distributions(result, view.styles, height=FIGURE_HEIGHT)
        chart(figure, block_score_table(result), key="overview-blocks", alt=said)
        session.page_link("Blocks", "Spread over the text, and neighbours tested")
