"""Filters and order of the list of segments: a range of the curve, an expression, a search, switches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from bleu_core.dataset import plural
from bleu_core.errors import as_sentence
from bleu_core.segments import ErrorIndex
from bleu_core.slicing import TextSearch
from dashboard import analysis, session, words
from dashboard.exhibits import INFLUENCE, Influence
from dashboard.literal import literal
from dashboard.views.segments.analysis import SelectedErrors
from dashboard.views.segments.notes import Notes
from dashboard.widgets import (
    ALL_SYSTEMS,
    DIFFERING,
    NOTED,
    ORDER,
    RANKS,
    REGULAR,
    SEARCH,
    SEGMENT,
    SHADES,
    WITHIN,
    WITHOUT_ERRORS_OF,
    WORD_DIFFERENCES,
    add_to_slice,
    check_list,
    error_legend,
    legend,
    section,
    show_exhibit,
    switch,
)

#: Key of the expression that filtered the list when it was last drawn.
SHOWN_WITHIN = "segments_shown_within"


def chosen_ranks(segments: analysis.SegmentAnalysis) -> tuple[int, int] | None:
    """Return the ranks by effect, from 1, between which segments are listed; None for all, or without an order."""
    if not segments.has_curve:
        return None
    for key, default in zip(RANKS, (1, segments.segments), strict=True):
        session.restore_number(key, 1, segments.segments, default)
    first, last = sorted(int(session.control_value(key)) for key in RANKS)
    return None if last - first + 1 == segments.segments else (first, last)


def rank_line(segments: analysis.SegmentAnalysis, first: int, last: int) -> None:
    """Show which ranks are listed, and their share of the difference, with a button that removes this filter.

    Args:
        segments: all segments of two systems.
        first: the first rank by effect, from 1.
        last: the last rank.
    """
    with st.container(horizontal=True, vertical_alignment="center", key="segments-ranks"):
        st.markdown(literal(words.difference_in_part(analysis.stretch_scores(segments, first, last))), width="content")
        st.button("List all ranks", key="influence-all", on_click=_forget_limits, args=(RANKS,))


def influence_of_segments(segments: analysis.SegmentAnalysis, stretch: tuple[int, int] | None) -> None:
    """Show, on demand, the curve of the cumulative difference of two systems, of which a range can be selected.

    Args:
        segments: all segments of one or two systems.
        stretch: the ranks by effect, from 1, between which segments are listed; None for all.
    """
    if not segments.has_curve:
        return
    part = section("influence", INFLUENCE.title)
    if part is None:
        return
    with part:
        curve = analysis.influence_curve(segments)
        if curve is None:
            return
        half = words.fewest_for_half(curve)
        if half:
            st.text(half)
        st.caption(literal(words.how_replaced(curve, segments.metric.label)))
        show_exhibit(
            INFLUENCE,
            Influence(read=segments, curve=curve),
            stretch=stretch,
            key=INFLUENCE.key if stretch is None else f"influence-{stretch[0]}-{stretch[1]}",
            alt=f"The difference so far by number of segments replaced. {half}",
            on_stretch=partial(_select_stretch, curve.segments),
        )
        with st.container(horizontal=True, vertical_alignment="bottom", key="influence-stretch"):
            for key, title in zip(RANKS, ("Show segments", "to"), strict=True):
                st.number_input(
                    title, 1, curve.segments, key=key, width=150, help=words.RANKS_HELP, on_change=_first_of_list
                )


def limit_line(segments: analysis.SegmentAnalysis, within: str, inside: analysis.Mask | str) -> None:
    """Show the expression that filters the list, with buttons that remove it or make it the slice of all pages.

    Args:
        segments: all segments of one or two systems.
        within: the expression.
        inside: (S,) whether it holds for each segment, or the error.
    """
    if isinstance(inside, str):
        st.error(literal(as_sentence(inside)))
    with st.container(horizontal=True, vertical_alignment="center", key="segments-within"):
        if not isinstance(inside, str):
            st.markdown(literal(words.only_within(within, int(inside.sum()), segments.segments)), width="content")
        st.button("Show all", key="within-all", on_click=_forget_limits, args=((WITHIN,),))
        if not isinstance(inside, str):
            st.button("Use as slice on every page", key="within-slice", on_click=_use_as_slice, args=(within,))


def limited_elsewhere(within: str) -> bool:
    """Return whether another expression filters the list since it was last drawn, as after a click on another page."""
    before = session.control_value(SHOWN_WITHIN)
    session.set_controls(**{SHOWN_WITHIN: within})
    return before not in (None, within)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ListChoices:
    """The values of the controls above the list.

    Attributes:
        order: of the segments.
        search: the search; None without one.
        masks: of each active switch, the segments (S,) that it includes.
        all_systems: whether the outputs of all systems are shown.
    """

    order: analysis.SegmentOrder
    search: TextSearch | None
    masks: list[analysis.Mask]
    all_systems: bool


def list_controls(segments: analysis.SegmentAnalysis, notes: Notes, others: int) -> ListChoices:
    """Draw controls of the list, inside a row, and return their values.

    Args:
        segments: all segments of one or two systems.
        notes: notes about segments, by number.
        others: number of further systems.
    """
    labels = [words.ORDER_LABELS[order] for order in segments.orders]
    session.restore_choice(ORDER, labels)
    order = st.selectbox("Order", labels, key=ORDER, width=210, label_visibility="collapsed", on_change=_first_of_list)
    session.restore_text(SEARCH)
    wanted = st.text_input(
        "Find text",
        key=SEARCH,
        width=160,
        label_visibility="collapsed",
        placeholder="Find in the texts",
        on_change=_first_of_list,
    )
    masks, regular = _filters(segments, notes)
    all_systems = bool(others) and switch(
        "All systems", key=ALL_SYSTEMS, help="Show the outputs of all systems for each segment."
    )
    return ListChoices(
        order=segments.orders[labels.index(order)],
        search=TextSearch(wanted, regular) if wanted else None,
        masks=masks,
        all_systems=all_systems,
    )


def _filters(segments: analysis.SegmentAnalysis, notes: Notes) -> tuple[list[analysis.Mask], bool]:
    """Draw switches that filter the list; return the segments (S,) of each, and whether the search is a regex."""
    masks: list[analysis.Mask] = []
    active = sum(bool(session.control_value(key)) for key in (DIFFERING, NOTED, REGULAR))
    title = f"Filter ({active})" if active else "Filter"
    with st.popover(title, icon=":material/filter_list:", key="segments-filter"), session.popover_content():
        if segments.systems[1:]:
            st.caption(literal(words.segments_that_differ(segments)))
            help_text = "Exclude segments in which both outputs are the same."
            if switch("Only segments that differ", key=DIFFERING, help=help_text, on_change=_first_of_list):
                masks.append(segments.differs)
        if notes and switch("Only starred or noted", key=NOTED, on_change=_first_of_list):
            masks.append(segments.noted(notes))
        help_text = "Case-sensitive, in the syntax of Python. Without this switch, upper and lower case are the same."
        regular = switch("Find a regular expression", key=REGULAR, help=help_text, on_change=_first_of_list)
    return masks, regular


def select_errors(index: ErrorIndex) -> SelectedErrors | None:
    """Draw the list of judges and metrics whose errors are shown in the texts; return None if there are none."""
    check_list("Error spans", index.names, key=WITHOUT_ERRORS_OF)
    without = tuple(session.control_value(WITHOUT_ERRORS_OF))
    return SelectedErrors(index, without) if len(without) < len(index.names) else None


def legend_menu(
    segments: analysis.SegmentAnalysis, max_order: int, *, all_systems: bool, errors: SelectedErrors | None
) -> None:
    """Draw a button that opens a legend of marks, orders and keys, and the choice of marks.

    Args:
        segments: all segments of one or two systems.
        max_order: of the counted n-grams.
        all_systems: whether the outputs of all systems are shown.
        errors: those that are shown in the texts; None for none.
    """
    first, *other = segments.systems
    with st.popover("Legend", icon=":material/info:", key="segments-legend"), session.popover_content():
        st.markdown("**Outputs**")
        differences = bool(other or all_systems) and switch(
            "Mark word differences",
            key=WORD_DIFFERENCES,
            help="Mark the words that the other output lacks, instead of the n-grams that match the references.",
        )
        if differences:
            legend({"different": f"not in the output of {first}" if all_systems else "not in the other output"})
        else:
            orders = range(1, min(SHADES, max_order) + 1)
            longer = " or more" if max_order > SHADES else ""
            named = {f"order-{n}": f"{n}{longer if n == SHADES else ''} {plural(n, 'token')}" for n in orders}
            legend({**named, "clipped": "counted less"})
        st.markdown("**References**")
        if all_systems or not other:
            legend({"missing-both": "in no output" if all_systems else f"not in the output of {first}"})
        else:
            marks = ("missing-both", "missing-first", "missing-second")
            meanings = ("in neither output", *(f"not in the output of {name}" for name in segments.systems))
            legend(dict(zip(marks, meanings, strict=True)))
        if errors is not None:
            st.markdown("**Errors**")
            severities = errors.index.annotations.severities
            error_legend([severity for severity in severities if severity not in words.SEVERITY_LINES])
            st.caption(words.ERROR_SPANS_HELP)
        st.markdown("**Order**")
        st.caption(words.ORDER_HELP)
        st.markdown("**Keys**")
        st.caption(words.KEYS_HELP)


def list_segments(
    view: analysis.View,
    segments: analysis.SegmentAnalysis,
    order: analysis.SegmentOrder,
    search: TextSearch | None,
    masks: Sequence[analysis.Mask],
) -> analysis.SegmentList | None:
    """Return the segments of the list; if there are none, show why and return None.

    Args:
        view: the data and settings.
        segments: all segments of one or two systems.
        order: of the list.
        search: the search; None without one.
        masks: masks (S,) of segments, whose intersection is listed.
    """
    limits = list(masks)
    if search is not None:
        hits = analysis.find_segments(view, search)
        if isinstance(hits, str):
            st.error(literal(as_sentence(hits)))
            return None
        limits.append(hits)
    listed = segments.listed(order, *limits)
    if not len(listed):
        st.info("No segment is left. Change the search, or switch off a filter.")
        return None
    return listed


def _select_stretch(segments: int, left: float, right: float) -> None:
    """List the segments of a range of the curve, where the segment of rank r is between r - 1 and r."""
    first = min(max(math.floor(left) + 1, 1), segments)
    last = min(max(math.ceil(right), first), segments)
    session.set_controls(**dict(zip(RANKS, (first, last), strict=True)))
    _first_of_list()


def _first_of_list() -> None:
    """Select the first segment of the new list."""
    session.forget((SEGMENT,))


def _forget_limits(keys: Sequence[str]) -> None:
    session.forget(keys)
    _first_of_list()


def _use_as_slice(within: str) -> None:
    """Make the filter of the list the slice of all pages."""
    add_to_slice(within)
    _forget_limits((WITHIN,))
