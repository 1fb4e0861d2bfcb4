"""What limits and orders the list of segments: a stretch of the curve, an expression, a search, switches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from bleu_core.dataset import plural
from bleu_core.slicing import TextSearch
from dashboard import analysis, session, words
from dashboard.exhibits import INFLUENCE, Influence
from dashboard.literal import literal
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
    WORD_DIFFERENCES,
    add_to_slice,
    legend,
    section,
    show_exhibit,
    switch,
)

#: The expression that limited the list when it was drawn last.
SHOWN_WITHIN = "segments_shown_within"


def chosen_ranks(read: analysis.SegmentAnalysis) -> tuple[int, int] | None:
    """The ranks by effect, from 1, between which segments are listed; None for all, and where there is no order."""
    if not read.has_curve:
        return None
    for key, usual in zip(RANKS, (1, read.segments), strict=True):
        session.restore_number(key, 1, read.segments, usual)
    first, last = sorted(int(session.control_value(key)) for key in RANKS)
    return None if last - first + 1 == read.segments else (first, last)


def rank_line(read: analysis.SegmentAnalysis, first: int, last: int) -> None:
    """Show which ranks limit the list, and how much of the difference lies there, with a button that drops the limit.

    Args:
        read: all segments of two systems.
        first: the first rank by effect, from 1.
        last: the last rank.
    """
    with st.container(horizontal=True, vertical_alignment="center", key="segments-ranks"):
        st.markdown(literal(words.difference_in_part(analysis.stretch_scores(read, first, last))), width="content")
        st.button("List all ranks", key="influence-all", on_click=_forget_limits, args=(RANKS,))


def influence_of_segments(read: analysis.SegmentAnalysis, stretch: tuple[int, int] | None) -> None:
    """Show, on demand, how the difference of two systems comes about, as a curve of which a stretch can be selected.

    Args:
        read: all segments of one or two systems.
        stretch: the ranks by effect, from 1, between which segments are listed; None for all.
    """
    if not read.has_curve:
        return
    part = section("influence", INFLUENCE.title)
    if part is None:
        return
    with part:
        curve = analysis.influence_curve(read)
        if curve is None:
            return
        half = words.fewest_for_half(curve)
        if half:
            st.text(half)
        st.caption(literal(words.how_replaced(curve, read.metric.label)))
        show_exhibit(
            INFLUENCE,
            Influence(read=read, curve=curve),
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


def limit_line(read: analysis.SegmentAnalysis, within: str, inside: analysis.Mask | str) -> None:
    """Show the expression that limits the list, with buttons that drop it or make it the slice of all pages.

    Args:
        read: all segments of one or two systems.
        within: the expression.
        inside: (S,) for which segments it holds, or why that is unknown.
    """
    if isinstance(inside, str):
        st.error(literal(f"{inside[:1].upper()}{inside[1:]}."))
    with st.container(horizontal=True, vertical_alignment="center", key="segments-within"):
        if not isinstance(inside, str):
            st.markdown(literal(words.only_within(within, int(inside.sum()), read.segments)), width="content")
        st.button("Show all", key="within-all", on_click=_forget_limits, args=((WITHIN,),))
        if not isinstance(inside, str):
            st.button("Use as slice on every page", key="within-slice", on_click=_use_as_slice, args=(within,))


def limited_elsewhere(within: str) -> bool:
    """Return whether another expression limits the list since it was drawn last, as after a click on another page."""
    before = session.control_value(SHOWN_WITHIN)
    session.set_controls(**{SHOWN_WITHIN: within})
    return before not in (None, within)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListChoices:
    """What is chosen above the list.

    Attributes:
        order: of the segments.
        search: what is searched for; None for nothing.
        masks: of each switch that is on, the segments (S,) it leaves.
        all_systems: whether the outputs of all systems are shown.
    """

    order: analysis.SegmentOrder
    search: TextSearch | None
    masks: list[analysis.Mask]
    all_systems: bool


def list_controls(read: analysis.SegmentAnalysis, notes: Notes, others: int) -> ListChoices:
    """Controls of the list, inside a row.

    Args:
        read: all segments of one or two systems.
        notes: what is noted about them, by number.
        others: how many more systems there are.
    """
    labels = [words.ORDER_LABELS[order] for order in read.orders]
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
    masks, regular = _filters(read, notes)
    all_systems = bool(others) and switch(
        "All systems", key=ALL_SYSTEMS, help="Show the outputs of all systems for each segment."
    )
    return ListChoices(
        order=read.orders[labels.index(order)],
        search=TextSearch(wanted, regular) if wanted else None,
        masks=masks,
        all_systems=all_systems,
    )


def _filters(read: analysis.SegmentAnalysis, notes: Notes) -> tuple[list[analysis.Mask], bool]:
    """Switches that limit the list; gives the segments (S,) that each leaves, and whether an expression is searched."""
    masks: list[analysis.Mask] = []
    active = sum(bool(session.control_value(key)) for key in (DIFFERING, NOTED, REGULAR))
    with st.popover(f"Filter ({active})" if active else "Filter", icon=":material/filter_list:", key="segments-filter"):
        if read.systems[1:]:
            st.caption(literal(words.segments_that_differ(read)))
            help_text = "Leave out segments in which both outputs are the same."
            if switch("Only segments that differ", key=DIFFERING, help=help_text, on_change=_first_of_list):
                masks.append(read.differs)
        if notes and switch("Only starred or noted", key=NOTED, on_change=_first_of_list):
            masks.append(read.noted(notes))
        help_text = "Case-sensitive, in the syntax of Python. Without this switch, upper and lower case are the same."
        regular = switch("Find a regular expression", key=REGULAR, help=help_text, on_change=_first_of_list)
    return masks, regular


def legend_menu(read: analysis.SegmentAnalysis, max_order: int, *, all_systems: bool) -> None:
    """A button that opens what marks, orders and keys mean, and the choice of marks.

    Args:
        read: all segments of one or two systems.
        max_order: of the n-grams that are counted.
        all_systems: whether the outputs of all systems are shown.
    """
    first, *other = read.systems
    with st.popover("Legend", icon=":material/info:", key="segments-legend"):
        st.markdown("**Outputs**")
        differences = bool(other or all_systems) and switch(
            "Mark word differences",
            key=WORD_DIFFERENCES,
            help="Mark the words that the other output lacks, in place of the n-grams that match the references.",
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
            meanings = ("in neither output", *(f"not in the output of {name}" for name in read.systems))
            legend(dict(zip(marks, meanings, strict=True)))
        st.markdown("**Order**")
        st.caption(words.ORDER_HELP)
        st.markdown("**Keys**")
        st.caption(words.KEYS_HELP)


def list_segments(
    view: analysis.View,
    read: analysis.SegmentAnalysis,
    order: analysis.SegmentOrder,
    search: TextSearch | None,
    chosen: Sequence[analysis.Mask],
) -> analysis.SegmentList | None:
    """Find the segments of the list; if there are none, show why.

    Args:
        view: the data and settings.
        read: all segments of one or two systems.
        order: of the list.
        search: what is searched for; None for nothing.
        chosen: masks (S,) of segments; those that all have are listed.
    """
    limits = list(chosen)
    if search is not None:
        found = analysis.find_segments(view, search)
        if isinstance(found, str):
            st.error(literal(f"{found[:1].upper()}{found[1:]}."))
            return None
        limits.append(found)
    listed = read.listed(order, *limits)
    if not len(listed):
        st.info("No segment is left. Change the search, or switch off what limits the list.")
        return None
    return listed


def _select_stretch(segments: int, left: float, right: float) -> None:
    """List the segments of a stretch of the curve, where the segment of rank r is between r - 1 and r."""
    first = min(max(math.floor(left) + 1, 1), segments)
    last = min(max(math.ceil(right), first), segments)
    session.set_controls(**dict(zip(RANKS, (first, last), strict=True)))
    _first_of_list()


def _first_of_list() -> None:
    """Read the first segment of the list that comes about."""
    session.forget((SEGMENT,))


def _forget_limits(keys: Sequence[str]) -> None:
    session.forget(keys)
    _first_of_list()


def _use_as_slice(within: str) -> None:
    """Let all pages look at the segments that the list is limited to."""
    add_to_slice(within)
    _forget_limits((WITHIN,))
