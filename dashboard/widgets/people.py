"""Components of the pages about human ratings: the selection of judges, and the ratings in use."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bleu_core.errors import AlignmentError
from dashboard import analysis, session, words
from dashboard.literal import literal
from dashboard.widgets.controls import PageControls, check_list, page_controls, select_button, switch
from dashboard.widgets.page import note_humans, note_optimised, view_or_stop

STANDARDISE_HELP = (
    "Turn ratings into z-scores: subtract the judge's mean and divide by the judge's standard deviation, so "
    "that severe and lenient judges have the same influence, as in WMT's direct assessment. The original "
    "ratings are kept."
)
ADJUST_HELP = (
    "Adjust for who rated what: mean ratings of systems by least squares with systems, segments and judges; from other "
    "ratings, the severity of their judge is subtracted. automatic: if judges are confounded with systems."
)


def _rating_controls(view: analysis.View) -> None:
    """Draw controls of the judges in use and the scale of their ratings; the same on all pages about human ratings."""
    judgments = view.workspace.judgments
    if judgments is None:
        return
    groups, judges = judgments.groups, list(session.judge_labels(view.workspace))
    if len(groups) > 1:
        check_list("Groups", groups, key="without_groups")
    if len(judges) > 1:
        check_list("Judges", judges, key="without_judges")
    switch("Standardise judges", key="zscore", help=STANDARDISE_HELP)
    ratings = analysis.ratings_or_none(view)
    with PageControls.place_in_view() if ratings is not None and ratings.policy.confounded else nullcontext():
        _adjustment()


def _adjustment() -> None:
    """Draw the switch of how ratings are adjusted for judges; the same on all pages with mean ratings."""
    select_button("Adjust for judges", list(session.ADJUSTMENTS), key=session.ADJUST_JUDGES, help=ADJUST_HELP)


def adjustment_switch(ratings: analysis.RatingsInUse | None) -> None:
    """Draw the switch of how ratings are adjusted where judges are confounded; for pages not about ratings."""
    if ratings is not None and ratings.policy.confounded:
        _adjustment()


def note_adjustment(ratings: analysis.RatingsInUse | None, with_raw: str | None = None) -> None:
    """Say that ratings are adjusted for judges, if they are.

    Args:
        ratings: in use, if there are any.
        with_raw: a sentence on the same result of raw ratings.
    """
    sentence = "" if ratings is None or ratings.policy.obstacle else words.adjustment(ratings, with_raw or "")
    if sentence:
        st.caption(literal(sentence))


def begin_people_page() -> tuple[DeltaGenerator, PageControls, analysis.RatingsInUse]:
    """Begin a page about human ratings; if no ratings can be compared, show why and stop the page.

    Returns:
        The container of the page's answer, the row of its controls, which has those of the judges in use, and the
        ratings in use.
    """
    view = view_or_stop(judgments=True)
    answer, row = st.container(key="answer"), page_controls()
    with row:
        _rating_controls(view)
        note_humans(view)
    note_optimised(view)
    ratings = _ratings_or_stop(view)
    if ratings.policy.obstacle:
        answer.warning(literal(words.adjustment(ratings)))
    return answer, row, ratings


def warn_of_directions(ratings: analysis.RatingsInUse, labels: Sequence[str]) -> None:
    """Warn of uploaded metrics whose direction may be wrong."""
    for sentence in analysis.direction_warnings(ratings, labels):
        st.warning(literal(sentence))


def _ratings_or_stop(view: analysis.View) -> analysis.RatingsInUse:
    try:
        ratings = analysis.choose_ratings(view)
        _ = ratings.agreement
    except AlignmentError as error:
        st.error(literal(str(error)))
        st.stop()
    return ratings
