"""Human judgments: how well scores agree with people, and how people agree with each other; a module a part."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from bleu_core.errors import AlignmentError
from dashboard import people, results, sentences
from dashboard.views.human import differences, judges, metrics, segments, systems
from dashboard.widgets import answer, literal

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
    with st.container(horizontal=True, vertical_alignment="bottom", key="human-controls"):
        part = st.segmented_control(
            "Show", list(PARTS), default="Systems", key="show", bind="query-params", required=True
        )
        machines_only = False
        if view.workspace.human_systems:
            machines_only = st.toggle(
                "Machine systems only",
                key="machines_only",
                bind="query-params",
                persist_state="session",
                help="Leave out the human translators among the systems.",
            )
    try:
        found = people.require(view, machines_only=machines_only)
        said = sentences.people(found.agreement)
    except AlignmentError as error:
        st.error(literal(str(error)))
        return
    with place:
        answer(said)
        st.caption(literal(sentences.judges(found)))
    PARTS[part or "Systems"](found)
