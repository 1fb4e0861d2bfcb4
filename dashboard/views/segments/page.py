"""Segments: which segments make the score or the difference of two systems, and their texts, marked for reading."""

from __future__ import annotations

import streamlit as st

from bleu_core.scoring import Metric
from dashboard import analysis, session, words
from dashboard.export import segments_code
from dashboard.literal import literal
from dashboard.views.segments.limits import (
    influence_stretch,
    limit_line,
    limited_elsewhere,
    list_controls,
    list_segments,
)
from dashboard.views.segments.notes import Notes, notes_menu, notes_of_text
from dashboard.views.segments.reader import show_segment
from dashboard.widgets import (
    ONE_SYSTEM,
    SEGMENT,
    WITHIN,
    answer,
    choice,
    data_in_use,
    file_download,
    metric_choice,
    note_humans,
    page_controls,
    show_code,
    swap_button,
    switch,
    table,
    table_tsv,
    view_or_stop,
)


def render() -> None:
    """Choose one or two systems, list their segments, and read one."""
    view = view_or_stop()
    first = st.container(key="answer")
    metric, systems = _controls(view)
    if len(set(systems)) < len(systems):
        first.info("Choose two different systems.")
        return
    read = analysis.segments_of(view, metric.key, systems)
    session.restore_text(WITHIN)
    within = str(session.get(WITHIN)).strip()
    inside = analysis.segments_within(view, within) if within else None
    undefined = words.undefined_scores(read.scored)
    with first:
        if undefined:
            st.info(literal(undefined))
        else:
            answer(words.effect_of_largest(read, analysis.LARGEST))
        part = analysis.part_scores(
            view, metric.key, systems=systems, within=within, inside=None if isinstance(inside, str) else inside
        )
        if part is not None:
            st.text(words.difference_in_part(part))
        outputs = words.segments_that_differ(read)
        if outputs:
            st.caption(literal(outputs))
        note_humans(view)
    limits = influence_stretch(read)
    notes = notes_of_text()
    order, search, chosen = list_controls(read, notes)
    if inside is not None:
        limit_line(read, within, inside)
        if isinstance(inside, str):
            return
        limits.append(inside)
    listed = list_segments(view, read, order=order, search=search, chosen=[*limits, *chosen])
    if listed is None:
        return
    usual = listed.number(0)
    session.restore_number(SEGMENT, 1, read.last, usual)
    number = int(session.get(SEGMENT))
    if limited_elsewhere(within) and listed.position(number) is None:
        number = usual
        session.put(**{SEGMENT: usual})
    if read.place(number) is None:
        st.info(f"Segment {number:,} is not in the slice; segment {usual:,} is shown.")
        number = usual
    _list(view, read, listed=listed, number=number, notes=notes)
    show_segment(view, read, listed, number, notes=notes, search=search)
    show_code(segments_code(data_in_use(view), metric.key, systems))


def _controls(view: analysis.View) -> tuple[Metric, tuple[str, ...]]:
    """The metric, and one or two systems: the best two at first."""
    with page_controls():
        session.restore_choice("metric", list(analysis.metrics_on_offer(view)))
        order = analysis.systems_best_first(view, analysis.metrics_on_offer(view)[session.get("metric")].key)
        system = choice("System", order, key=analysis.PAIR_KEYS[0])
        systems: tuple[str, ...] = (system,)
        if order[1:]:
            alone = switch("One system only", key=ONE_SYSTEM, help="Read one system without a baseline.")
            if not alone:
                baseline = choice("Baseline", order, key=analysis.PAIR_KEYS[1], usual=order[1])
                swap_button(system, baseline)
                systems = (system, baseline)
        return metric_choice(view), systems


def _list(
    view: analysis.View, read: analysis.SegmentsRead, listed: analysis.SegmentList, number: int, notes: Notes
) -> None:
    """The rows around the segment that is read."""
    rows = listed.around(number)
    position = listed.position(number)
    st.caption(literal(words.rows_listed(read, listed, rows)))
    table(
        analysis.segment_rows(view, read, listed, rows, notes=notes),
        key="segments-listed",
        alt="The segments in this order; select one to read it",
        on_pick=lambda row: session.put(**{SEGMENT: listed.number(rows[row])}),
        picked=None if position is None else position - rows.start,
    )
    with st.container(horizontal=True, key="list-files"):
        file_download(
            "All rows (TSV)",
            lambda: table_tsv(analysis.segment_rows(view, read, listed, notes=notes, in_points=True)),
            "segments.tsv",
            key="tsv-segments-listed",
            help="All segments of the list in this order, with the influence in points.",
        )
        notes_menu(view, read, notes)


PAGE = session.Page(
    title="Segments",
    path="segments",
    question="Which segments make the difference between two systems, and why?",
    parts=(session.Part(render=render, needs="systems"),),
    group="Compare",
    icon=":material/article_shortcut:",
)
