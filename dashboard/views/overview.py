"""Overview: the answer first, then the figures that carry it."""

from __future__ import annotations

import streamlit as st

from bleu_core.errors import AlignmentError
from bleu_core.reports import agreement_table, block_score_table, precision_table, score_table
from dashboard import analysis, session, words
from dashboard.figures import bleu_and_ratings, block_distributions, decay_lines, score_bars
from dashboard.widgets import answer, chart, literal, note_left_out, system_styles, view_or_stop

FIGURE_HEIGHT = 400


def render() -> None:
    """Show who leads, by how much and how far people agree, and the three figures behind that."""
    st.title(PAGE.title)
    _welcome()
    view = view_or_stop()
    agreement = _agreement(view)
    _answer(view, agreement)
    note_left_out(view)
    intervals = view.intervals
    left, right = st.columns(2, gap="large")
    evaluation = view.compared
    names = [name for name in view.ordered_systems() if name in evaluation.systems]
    with left:
        st.subheader("Scores", anchor=False)
        st.caption("Corpus BLEU of each system, best first.")
        score = dict(zip(evaluation.systems, evaluation.scores.score.tolist(), strict=True))
        bounds = intervals and [intervals.scores[name] for name in names]
        figure = score_bars(
            names, [score[name] for name in names], system_styles(view), intervals=bounds, height=FIGURE_HEIGHT
        )
        chart(figure, score_table(evaluation, intervals), key="overview-scores", alt=words.leading_system(view))
        session.page_link("Scores", "All numbers and the signature to quote")
    with right:
        st.subheader("Precision", anchor=False)
        decays = analysis.fitted_decays(view)
        kept = words.precision_kept(evaluation.systems, evaluation.scores, decays)
        st.caption(literal(kept))
        figure = decay_lines(
            evaluation.systems,
            evaluation.scores,
            decays,
            system_styles(view),
            fits=False,
            intervals=intervals and intervals.precisions,
            height=FIGURE_HEIGHT,
        )
        chart(figure, precision_table(evaluation, intervals), key="overview-precision", alt=kept)
        session.page_link("Precision", "How fast precision decays")
    _third(view, agreement)


def _welcome() -> None:
    """Introduce the sample data, with a link to the page where files are added."""
    if session.dataset() != "sample":
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="welcome"):
        st.markdown(
            "These are **sample data**, written by a program: five systems, four references, invented news. "
            "Everything works the same on your own files.",
            width="content",
        )
        session.page_link("Data", "Use your own files")


def _agreement(view: analysis.View) -> analysis.Agreement | None:
    if view.workspace.judgments is None:
        return None
    if view.workspace.human_systems:
        session.restore_toggle(analysis.MACHINES_ONLY)
        if session.get(analysis.MACHINES_ONLY):
            session.write_query_params(**{analysis.MACHINES_ONLY: "true"})
    try:
        return analysis.choose_ratings(view).agreement
    except AlignmentError:  # the Human judgments page shows the reason
        return None


def _answer(view: analysis.View, agreement: analysis.Agreement | None) -> None:
    sentences = [words.leading_system(view)]
    order = [name for name, _ in view.best_first]
    if len(order) > 1 and view.workspace.corpus.segments > 1:
        lead = analysis.compare_leaders(view, order[0], order[1])
        sentences.append(words.pair_verdict(lead, lead.pairs[0]))
        sentences += [f"Mind: {warning}." for warning in lead.warnings]
    if agreement is not None:
        sentences.append(words.agreement_with_people(agreement))
    with st.container(key="answer"):
        answer(sentences[0])
        for sentence in filter(None, sentences[1:]):
            st.markdown(literal(sentence))


def _third(view: analysis.View, agreement: analysis.Agreement | None) -> None:
    """Agreement with people, if there are ratings, and the spread over blocks."""
    left, right = st.columns(2, gap="large")
    if agreement is not None:
        with left:
            st.subheader("Human judgments", anchor=False)
            sentence = words.agreement_with_people(agreement)
            without = " Human translators are left out." if session.get(analysis.MACHINES_ONLY) else ""
            st.caption(f"Mean rating over BLEU, with the regression line and its 95 % band.{without}")
            intervals = view.intervals
            figure = bleu_and_ratings(
                agreement,
                system_styles(view),
                view.workspace.human_systems,
                intervals=intervals and intervals.scores,
                height=FIGURE_HEIGHT,
            )
            chart(figure, agreement_table(agreement, intervals), key="overview-human", alt=sentence)
            session.page_link("Human judgments", "Agreement in numbers")
    with left if agreement is None else right:
        st.subheader("Blocks", anchor=False)
        result = analysis.score_blocks(view, "blocks", analysis.BLOCKS, analysis.BLOCKS)
        spread = words.spread_of_blocks(result)
        st.caption(literal(spread))
        figure = block_distributions(result, system_styles(view), height=FIGURE_HEIGHT)
        chart(figure, block_score_table(result), key="overview-blocks", alt=spread)
        session.page_link("Blocks", "Spread over the text, and neighbours tested")


PAGE = session.Page("Overview", "", "Who leads, by how much, could that be chance, and do people agree?", render)
