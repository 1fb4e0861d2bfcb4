"""Segments: which segments make the score or the difference of two systems, and their texts, marked for reading."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bleu_core.scoring import Metric
from dashboard import analysis, session, words
from dashboard.export import segments_code
from dashboard.literal import literal
from dashboard.views.segments.limits import (
    chosen_ranks,
    influence_of_segments,
    legend_menu,
    limit_line,
    limited_elsewhere,
    list_controls,
    list_segments,
    rank_line,
)
from dashboard.views.segments.listing import list_steps, show_list
from dashboard.views.segments.notes import Notes, note_by_key, notes_menu, notes_of_text
from dashboard.widgets import (
    DETAILS,
    ONE_SYSTEM,
    SEGMENT,
    WITHIN,
    answer,
    data_in_use,
    file_download,
    metric_choice,
    note_humans,
    select_one,
    show_code,
    swap_button,
    switch,
    table_tsv,
    view_or_stop,
)


def render() -> None:
    """Choose one or two systems, and read their segments."""
    view = view_or_stop()
    first = st.container(key="answer")
    controls = st.container(horizontal=True, vertical_alignment="center", key="list-controls")
    metric, systems = _options(view, controls)
    if len(set(systems)) < len(systems):
        first.info("Choose two different systems.")
        return
    read = analysis.segments_of(view, metric.key, systems)
    session.restore_text(WITHIN)
    within = str(session.control_value(WITHIN)).strip()
    inside = analysis.segments_within(view, within) if within else None
    with first:
        _answer(view, read, within, None if isinstance(inside, str) else inside)
    session.restore_toggle(DETAILS)
    notes = notes_of_text()
    with controls:
        choices = list_controls(read, notes, len(view.compared.systems) - len(systems))
        legend_menu(read, view.evaluation.settings.max_order, all_systems=choices.all_systems)
    ranks, limits = chosen_ranks(read), choices.masks
    if inside is not None:
        limit_line(read, within, inside)
        if isinstance(inside, str):
            return
        limits.append(inside)
    if ranks is not None:
        rank_line(read, *ranks)
        limits.append(read.ranked(*ranks))
    listed = list_segments(view, read, order=choices.order, search=choices.search, chosen=limits)
    if listed is not None:
        shown = analysis.outputs_of_all(view, metric.key, systems) if choices.all_systems else read.outputs
        number = _number(read, listed, within)
        st.caption(literal(f"{words.rows_listed(read, listed, listed.around(number))} {words.SHADE_HELP}"))
        show_list(view, read, listed, number, shown=shown, notes=notes, search=choices.search)
        list_steps(read, listed, number)
        note_by_key()
        _files(view, read, listed, shown=shown, notes=notes)
    influence_of_segments(read, ranks)
    show_code(segments_code(data_in_use(view), metric.key, systems))


def _answer(view: analysis.View, read: analysis.SegmentAnalysis, within: str, inside: analysis.Mask | None) -> None:
    """How the difference depends on a few segments, and how much of it lies in the part that is looked at."""
    undefined = words.undefined_scores(read.scored)
    if undefined:
        st.info(literal(undefined))
    else:
        answer(words.effect_of_largest(read, analysis.N_LARGEST))
    part = analysis.part_scores(view, read.metric.key, systems=read.systems, within=within, inside=inside)
    if part is not None:
        st.text(words.difference_in_part(part))


def _number(read: analysis.SegmentAnalysis, listed: analysis.SegmentList, within: str) -> int:
    """The number of the segment that keys act on: the one of the address, else the first of the list."""
    usual = listed.number(0)
    session.restore_number(SEGMENT, 1, read.last, usual)
    number = int(session.control_value(SEGMENT))
    if limited_elsewhere(within) and listed.position(number) is None:
        number = usual
        session.set_controls(**{SEGMENT: usual})
    if read.place(number) is None:
        st.info(f"Segment {number:,} is not in the slice; segment {usual:,} is shown.")
        number = usual
    return number


def _options(view: analysis.View, row: DeltaGenerator) -> tuple[Metric, tuple[str, ...]]:
    """The metric, and one or two systems, the best two at first, behind a button."""
    with row.popover("Options", icon=":material/tune:", key="options"):
        session.restore_choice("metric", list(analysis.metrics_on_offer(view)))
        order = analysis.systems_best_first(view, analysis.metrics_on_offer(view)[session.control_value("metric")].key)
        system = select_one("System", order, key=analysis.PAIR_KEYS[0])
        systems: tuple[str, ...] = (system,)
        if order[1:]:
            alone = switch("One system only", key=ONE_SYSTEM, help="Read one system without a baseline.")
            if not alone:
                baseline = select_one("Baseline", order, key=analysis.PAIR_KEYS[1], default=order[1])
                swap_button(system, baseline)
                systems = (system, baseline)
        metric = metric_choice(view)
        note_humans(view)
        return metric, systems


def _files(
    view: analysis.View,
    read: analysis.SegmentAnalysis,
    listed: analysis.SegmentList,
    *,
    shown: analysis.OutputNumbers,
    notes: Notes,
) -> None:
    """The list, stars and notes as files."""
    with st.container(horizontal=True, key="list-files"):
        file_download(
            "All rows (TSV)",
            lambda: table_tsv(analysis.segment_rows(view, read, listed, notes=notes)),
            "segments.tsv",
            key="tsv-segments-listed",
            help="All segments of the list in this order, with their numbers.",
        )
        notes_menu(view, read, shown, notes)


PAGE = session.Page(
    title="Segments",
    path="segments",
    question="Which segments make the difference between two systems, and why?",
    parts=(session.Part(render=render, needs="systems"),),
    group="Compare",
    icon=":material/article_shortcut:",
)
