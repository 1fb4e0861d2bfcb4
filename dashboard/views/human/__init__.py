"""Human judgments: how well scores agree with people, and how people agree with each other; a module a part."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from bleu_core.errors import AlignmentError
from dashboard.analysis import ratings_in_use as people
from dashboard.analysis import results
from dashboard.session import state
from dashboard.views.human import differences, judges, metrics, segments, systems
from dashboard.widgets import answer, literal, switch
from dashboard.words import sentences

#: What the page can show, each a function of the ratings in use.
PARTS: Mapping[str, Callable[[people.People], None]] = {
    "Systems": systems.render,
    "Segments": segments.render,
    "Metrics": metrics.render,
    "Judges": judges.render,
    "Differences": differences.render,
}


def render() -> None:
    """Say how far people agree with BLEU, then show the part chosen."""
    st.title("Human judgments")
    view = results.require(judgments=True)
    place = st.container()
    state.keep_one_of("show", list(PARTS))
    part = st.segmented_control("Show", list(PARTS), key="show", bind="query-params", required=True)
    if view.workspace.human_systems:
        switch(
            "Machine systems only",
            key=people.MACHINES_ONLY,
            help="Leave out the human translators among the systems. The Overview follows.",
        )
    try:
        found = people.require(view)
        said = sentences.people(found.agreement)
    except AlignmentError as error:
        st.error(literal(str(error)))
        return
    with place:
        answer(said)
        st.caption(literal(sentences.judges(found)))
    PARTS[part or "Systems"](found)
