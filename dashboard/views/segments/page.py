"""Segments: their influence on a score or the difference of two systems, and their marked texts."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bleu_core.scoring import Metric
from bleu_core.segments import ErrorIndex
from dashboard import analysis, session, words
from dashboard.export import segments_code
from dashboard.literal import literal
from dashboard.views.segments.analysis import SelectedErrors
from dashboard.views.segments.limits import (
    chosen_ranks,
    influence_of_segments,
    legend_menu,
    limit_line,
    limited_elsewhere,
    list_controls,
    list_segments,
    rank_line,
    select_errors,
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
    described_slice,
    file_download,
    metric_choice,
    name_in_slice,
    note_humans,
    note_optimised_but_shown,
    select_one,
    show_code,
    swap_button,
    switch,
    table_tsv,
    view_or_stop,
)


def render() -> None:
    """Select one or two systems, and read their segments."""
    view = view_or_stop()
    first = st.container(key="answer")
    controls = st.container(horizontal=True, vertical_alignment="center", key="list-controls")
    metric, systems = _options(view, controls)
    if len(set(systems)) < len(systems):
        first.info("Choose two different systems.")
        return
    segments = analysis.segments_of(view, metric.key, systems)
    session.restore_text(WITHIN)
    within = str(session.control_value(WITHIN)).strip()
    inside = analysis.segments_within(view, within) if within else None
    with first:
        _answer(view, segments, within, None if isinstance(inside, str) else inside)
        significance = st.empty()
    session.restore_toggle(DETAILS)
    notes, index = notes_of_text(), analysis.errors_of(view)
    with controls:
        choices = list_controls(segments, notes, len(view.compared.systems) - len(systems))
        errors = None if index is None else select_errors(index)
        legend_menu(segments, view.evaluation.settings.max_order, all_systems=choices.all_systems, errors=errors)
    note_optimised_but_shown(view, metric, view.compared.systems if choices.all_systems else systems)
    ranks, limits = chosen_ranks(segments), choices.masks
    if inside is not None:
        limit_line(segments, within, inside)
        if isinstance(inside, str):
            return
        limits.append(inside)
    if ranks is not None:
        rank_line(segments, *ranks)
        limits.append(segments.ranked(*ranks))
    listed = list_segments(view, segments, order=choices.order, search=choices.search, masks=limits)
    if listed is not None:
        shown = analysis.outputs_of_all(view, metric.key, systems) if choices.all_systems else segments.outputs
        number = _number(segments, listed, within)
        st.caption(
            literal(" ".join([words.rows_listed(segments, listed, listed.around(number)), *_marks_help(errors)]))
        )
        show_list(view, segments, listed, number, shown=shown, notes=notes, search=choices.search, errors=errors)
        list_steps(segments, listed, number)
        note_by_key()
        _files(view, segments, listed, shown=shown, notes=notes, errors=index)
    influence_of_segments(segments, ranks)
    if systems[1:] and segments.differs.any():  # last, as the tests of all pairs may take a moment
        scores = analysis.score_systems(view, metric.key)
        comparisons = analysis.compare_leaders(scores)
        if comparisons is not None and comparisons.between(*systems) is not None and not comparisons.obstacle:
            tested = analysis.headline_of(scores, comparisons, systems=systems).text
            significance.caption(literal(tested))
    show_code(segments_code(data_in_use(view), metric.key, systems))


def _marks_help(errors: SelectedErrors | None) -> tuple[str, ...]:
    return (words.SHADE_HELP,) if errors is None else (words.SHADE_HELP, words.ERROR_LINES_HELP)


def _answer(view: analysis.View, segments: analysis.SegmentAnalysis, within: str, inside: analysis.Mask | None) -> None:
    """Show how the difference depends on a few segments, and the share of the part in use."""
    undefined = words.undefined_scores(segments.scored)
    if undefined:
        st.info(literal(undefined))
    else:
        answer(words.effect_of_largest(segments, analysis.N_LARGEST))
    part = analysis.part_scores(view, segments.metric.key, systems=segments.systems, within=within, inside=inside)
    if part is not None:
        st.text(words.difference_in_part(part))


def _number(segments: analysis.SegmentAnalysis, listed: analysis.SegmentList, within: str) -> int:
    """Return the number of the current segment: that of the URL, else the first of the list."""
    default = listed.number(0)
    session.restore_number(SEGMENT, 1, segments.last, default)
    number = int(session.control_value(SEGMENT))
    if limited_elsewhere(within) and listed.position(number) is None:
        number = default
        session.set_controls(**{SEGMENT: default})
    if segments.place(number) is None:
        st.info(f"Segment {number:,} is not in the slice; segment {default:,} is shown.")
        number = default
    return number


def _options(view: analysis.View, row: DeltaGenerator) -> tuple[Metric, tuple[str, ...]]:
    """Draw the metric, and one or two systems, by default the best two, behind a button; return them."""
    with row.popover("Options", icon=":material/tune:", key="options"), session.popover_content():
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
    segments: analysis.SegmentAnalysis,
    listed: analysis.SegmentList,
    *,
    shown: analysis.OutputNumbers,
    notes: Notes,
    errors: ErrorIndex | None,
) -> None:
    """Offer the list, stars and notes as files."""
    with st.container(horizontal=True, key="list-files"):
        file_download(
            "All rows (TSV)",
            lambda: table_tsv(analysis.segment_rows(view, segments, listed, notes=notes, errors=errors)),
            f"{name_in_slice('segments', described_slice())}.tsv",
            key="tsv-segments-listed",
            help="All segments of the list in this order, with their numbers.",
        )
        notes_menu(view, segments, shown, notes, errors=errors)


PAGE = session.Page(
    title="Segments",
    path="segments",
    question="Which segments make the difference between two systems, and why?",
    parts=(session.Part(render=render, needs="systems"),),
    group="Compare",
    icon=":material/article_shortcut:",
)
