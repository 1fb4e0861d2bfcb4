"""Human judgments: how well scores agree with people, and how people agree with each other; one module per part."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from bleu_core.errors import AlignmentError
from dashboard import analysis, session, words
from dashboard.views.human import differences, judges, metrics, segments, systems
from dashboard.widgets import answer, literal, switch, view_or_stop

#: The parts of the page, each drawn by a function of the ratings in use.
PARTS: Mapping[str, Callable[[analysis.RatingsInUse], None]] = {
    "Systems": systems.render,
    "Segments": segments.render,
    "Metrics": metrics.render,
    "Judges": judges.render,
    "Differences": differences.render,
}


def render() -> None:
    """Show how far people agree with BLEU, then the chosen part."""
    st.title(PAGE.title)
    view = view_or_stop(judgments=True)
    place = st.container()
    session.restore_choice("show", list(PARTS))
    part = st.segmented_control("Show", list(PARTS), key="show", bind="query-params", required=True)
    if view.workspace.human_systems:
        switch(
            "Machine systems only",
            key=analysis.MACHINES_ONLY,
            help="Leave out the human translators among the systems. The Overview follows.",
        )
    try:
        ratings = analysis.choose_ratings(view)
        sentence = words.agreement_with_people(ratings.agreement)
    except AlignmentError as error:
        st.error(literal(str(error)))
        return
    with place:
        answer(sentence)
        st.caption(literal(words.who_rated(ratings)))
    PARTS[part or "Systems"](ratings)


PAGE = session.Page(
    "Human judgments",
    "human",
    "How well do metrics agree with people, by system and by segment, and judges with each other?",
    render,
)
