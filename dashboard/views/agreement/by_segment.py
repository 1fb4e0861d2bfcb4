"""Segments: agreement of a metric with judges on single segments, and the texts where they disagree."""

from __future__ import annotations

from functools import partial

import streamlit as st

from bleu_core.results.agreement import scatter_table, segment_level_report, segment_summary, segment_table
from dashboard import analysis, session, words
from dashboard.exhibits import SEGMENT_AGREEMENT
from dashboard.export import segment_agreement_code
from dashboard.literal import in_its_direction, literal
from dashboard.widgets import (
    RATED_SEGMENT,
    RATED_SYSTEM,
    answer,
    begin_people_page,
    data_in_use,
    downloads,
    integer_input,
    select_one,
    show_code,
    show_exhibit,
    show_table,
    system_styles,
    warn_of_directions,
)

#: Maximum height in pixels of the list of a square, and of the list of ratings.
LIST_HEIGHT_PX = 320
RATINGS_HEIGHT_PX = 500


def render() -> None:
    """Select a metric, show its scores and ratings, and read segments."""
    first, row, ratings = begin_people_page()
    with row:
        metric = select_one("Metric", analysis.segment_metrics(ratings), key="segment_metric", width=300)
    with st.container(key="segment-metric"):  # so that the progress bar does not move the content below
        agreement = analysis.compare_segments(ratings, metric)
    if agreement.level.left_out:
        names = ", ".join(name for name, _ in agreement.level.left_out)
        st.caption(literal(f"Unavailable (system scores only): {names}."))
    if agreement.reason:
        first.info(literal(f"Segments cannot be compared: {agreement.reason}."))
    else:
        with first:
            answer(words.agreement_by_segment(agreement))
            st.caption(literal(words.who_rated(ratings)))
        if not agreement.higher_is_better:
            st.caption(literal(words.flipped_signs([metric])))
        warn_of_directions(ratings, [metric])
        summary = segment_summary(agreement.level, metric)
        show_table(summary, key="segment-correlations", alt="Coefficients of agreement by segment")
        data = segment_table(agreement.level)
        downloads(data, key="segment-correlations", content=segment_level_report(agreement.level, ratings.evaluation))
    chart_place, text_place = st.columns([3, 2], gap="large")
    with text_place:
        system, segment = _chosen(ratings, agreement)
        reading = analysis.segment_details(ratings, agreement, system, segment)
        _texts(reading)
    if not agreement.reason:
        with chart_place:
            _points(ratings, agreement, system, segment)
    lists_place, ratings_place = st.columns([3, 2], gap="large")
    with lists_place:
        _lists(agreement, system, segment)
    with ratings_place:
        _ratings(reading, system, segment)
    if not agreement.reason:
        show_code(segment_agreement_code(data_in_use(ratings.view), ratings, metric))


def _chosen(ratings: analysis.RatingsInUse, agreement: analysis.SegmentAgreement) -> tuple[str, int]:
    """Return the selected segment, by default the one where metric and judges differ most."""
    furthest = agreement.furthest
    default = agreement.entry(furthest[0]) if furthest else (ratings.systems[0], agreement.numbers[0])
    last = agreement.numbers[-1]
    st.subheader("Read a segment", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", key="segment-controls"):
        system = select_one("System", list(ratings.systems), key=RATED_SYSTEM, default=default[0], width=190)
        segment = integer_input(f"Segment (1 to {last:,})", 1, last, default[1], key=RATED_SEGMENT, width=150)
    if segment not in agreement.numbers:
        st.info(f"Segment {segment:,} is not in the slice; segment {default[1]:,} is shown.")
        segment = default[1]
    return system, segment


def _texts(reading: analysis.SegmentDetails) -> None:
    for number, (title, text) in enumerate(reading.texts):
        with st.container(key=f"segment-text-{number}", gap=None):
            st.caption(literal(title))
            st.text(in_its_direction(text))
    st.text(words.segment_scores(reading))


def _ratings(reading: analysis.SegmentDetails, system: str, segment: int) -> None:
    st.markdown("**Ratings**")
    st.caption(literal(f"Ratings of segment {segment} of {system} by judge."))
    if reading.ratings.rows:
        alt = f"Each judge's rating of segment {segment} of {system}"
        show_table(reading.ratings, key="segment-ratings", alt=alt, max_height=RATINGS_HEIGHT_PX)
    else:
        st.text("It has no ratings.")


def _points(ratings: analysis.RatingsInUse, agreement: analysis.SegmentAgreement, system: str, segment: int) -> None:
    st.subheader("Scores and ratings", anchor=False)
    st.caption("Click a point to read its segment. A ring marks the segment shown.")
    sentence = words.agreement_by_segment(agreement)
    show_exhibit(
        SEGMENT_AGREEMENT,
        agreement,
        system_styles(ratings.view),
        chosen=agreement.position(system, segment),
        alt=f"Mean rating by {agreement.metric} of each segment. {sentence}",
        on_pick=partial(_open, agreement),
    )


def _lists(agreement: analysis.SegmentAgreement, system: str, segment: int) -> None:
    """List the segments in the same cell as the selected one, and those where metric and judges differ most."""
    here, there = agreement.position(system, segment), agreement.neighbours(system, segment)
    if len(there) > 1:
        cut = f"; the first {analysis.MAX_LISTED} are listed" if len(there) > analysis.MAX_LISTED else ""
        st.markdown("**Segments at this point**")
        st.caption(literal(f"{len(there):,} segments have about this score and rating{cut}. Select one to read it."))
        _list(agreement, there[: analysis.MAX_LISTED], here, key="segments-here", alt="Segments at this point")
    if not agreement.furthest:
        return
    st.markdown(f"**Largest disagreements between {literal(agreement.metric)} and the judges**")
    st.caption("By rank among all segments. Select one to read it.")
    _list(agreement, agreement.furthest, here, key="segments-furthest", alt="Segments with the largest disagreements")


def _list(
    agreement: analysis.SegmentAgreement, positions: tuple[int, ...], here: int | None, *, key: str, alt: str
) -> None:
    show_table(
        scatter_table(agreement.points, agreement.systems, positions, agreement.numbers, decimals=agreement.decimals),
        key=key,
        alt=alt,
        max_height=LIST_HEIGHT_PX if len(positions) > len(agreement.furthest) else 1000,
        on_pick=lambda row: _open(agreement, positions[row]),
        picked=positions.index(here) if here in positions else None,
    )


def _open(agreement: analysis.SegmentAgreement, position: int) -> None:
    system, segment = agreement.entry(position)
    session.set_controls(**{RATED_SYSTEM: system, RATED_SEGMENT: segment})
