"""References: the order of the systems with each reference, and the systems that each reference favours."""

from __future__ import annotations

import streamlit as st

from bleu_core.agreement import ReferenceRankings
from bleu_core.errors import AlignmentError
from bleu_core.results.reference_rankings import (
    left_out_notes,
    ranking_pairs_table,
    rankings_agreement_table,
    references_methods,
    references_report,
)
from dashboard import analysis, session, words
from dashboard.exhibits import REFERENCE_ADVANTAGES, REFERENCE_RANKS
from dashboard.export import references_code
from dashboard.literal import literal
from dashboard.views.ranking.words import (
    advantages_mirrored,
    agreement_by_reference,
    cannot_be_ranked,
    meaning_of_advantages,
    most_favoured,
    rankings_verdict,
)
from dashboard.widgets import (
    ROW_HINT,
    adjustment_switch,
    answer,
    comparison_options,
    data_in_use,
    downloads,
    note_adjustment,
    note_humans,
    note_optimised,
    open_row,
    page_controls,
    reference_controls,
    show_code,
    show_exhibit,
    show_table,
    system_styles,
    view_or_stop,
)


def render() -> None:
    """Rank the systems with each reference."""
    view = view_or_stop(systems=2)
    first = st.container(key="answer")
    with page_controls():
        reference_controls(view)
        note_humans(view)
    note_optimised(view)
    options, ratings = comparison_options(view), analysis.ratings_or_none(view)
    try:
        rankings = analysis.rankings_of_view(view, ratings, options)
    except AlignmentError as error:
        first.info(literal(cannot_be_ranked(str(error))))
        session.page_link("Data", "Add a reference on the Data page")
        return
    with first:
        answer(rankings_verdict(rankings))
        st.markdown(literal(most_favoured(rankings)))
        agreeing = agreement_by_reference(rankings)
        if agreeing:
            adjustment_switch(ratings)
            if ratings is not None and ratings.policy.obstacle:
                agreeing = words.adjustment(ratings)
            st.markdown(literal(agreeing))
        raw = None if ratings is None else analysis.raw_ratings(ratings)
        if raw is not None:
            note_adjustment(ratings, agreement_by_reference(analysis.rankings_of_view(view, raw, options)))
        optimised = [mark.system for mark in view.optimised]  # which another note names
        for note in left_out_notes(rankings, (*view.not_ranked, *optimised)):
            st.caption(literal(note))
        for warning in rankings.warnings:
            st.warning(literal(warning))
    _ranks(view, rankings)
    _advantages(rankings)
    _pairs(rankings)
    st.subheader("To quote", anchor=False)
    st.caption("Sentences for the methods section.")
    st.code(references_methods(rankings), language=None, wrap_lines=True)
    show_code(references_code(data_in_use(view), ratings, options))


def _ranks(view: analysis.View, rankings: ReferenceRankings) -> None:
    """Show the ranks and scores with each reference, and the agreement with judges."""
    st.subheader("Ranks with each reference", anchor=False)
    shown = "Rank of each system with each reference alone and with all together."
    st.caption(shown)
    scores = REFERENCE_RANKS.table(rankings)
    show_exhibit(REFERENCE_RANKS, rankings, system_styles(view), alt=shown)
    show_table(
        scores,
        key="reference-scores",
        alt="Scores and ranks of the systems with each reference",
        on_pick=open_row(scores),
        hint=ROW_HINT,
    )
    downloads(scores, key="reference-scores", content=references_report(rankings, view.evaluation))
    agreement = rankings_agreement_table(rankings)
    if agreement.rows:
        st.subheader("Agreement with judges", anchor=False)
        show_table(agreement, key="reference-agreement", alt="Agreement of scores and judges with each reference")
        downloads(agreement, key="reference-agreement", caption=references_methods(rankings))


def _advantages(rankings: ReferenceRankings) -> None:
    """Show how much each reference favours each system."""
    st.subheader("Systems that a reference favours", anchor=False)
    st.caption(literal(meaning_of_advantages(rankings)))
    data = REFERENCE_ADVANTAGES.table(rankings)
    show_exhibit(REFERENCE_ADVANTAGES, rankings, alt="Advantage of each system with each reference")
    first, *others = rankings.references
    shown = data
    if len(others) == 1:
        st.caption(literal(advantages_mirrored(first, others[0])))
        shown = data.where("reference", first)
    show_table(
        shown,
        key="advantages",
        alt="Advantage of each system with each reference, its interval and p",
        on_pick=open_row(shown),
        hint=ROW_HINT,
    )
    downloads(data, key="advantages", caption=references_methods(rankings))


def _pairs(rankings: ReferenceRankings) -> None:
    """Show Kendall's tau of all pairs of rankings."""
    st.subheader("Pairs of rankings", anchor=False)
    data = ranking_pairs_table(rankings)
    show_table(
        data,
        key="ranking-pairs",
        alt="Kendall's tau of all pairs of rankings, and pairs of systems whose order differs",
    )
    downloads(data, key="ranking-pairs", caption=references_methods(rankings))
