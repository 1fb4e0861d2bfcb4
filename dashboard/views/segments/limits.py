"""What limits and orders the list of segments: a stretch of the curve, an expression, a search, switches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import streamlit as st

from bleu_core.slicing import TextSearch
from dashboard import analysis, session, words
from dashboard.exhibits import INFLUENCE, Influence
from dashboard.literal import literal
from dashboard.views.segments.notes import Notes
from dashboard.widgets import (
    DIFFERING,
    NOTED,
    ORDER,
    RANKS,
    REGULAR,
    SEARCH,
    SEGMENT,
    WITHIN,
    add_to_slice,
    choice,
    show,
    switch,
)

#: The expression that limited the list when it was drawn last.
SHOWN_WITHIN = "segments_shown_within"


def influence_stretch(read: analysis.SegmentsRead) -> list[analysis.Mask]:
    """Show how the difference of two systems comes about, as a curve of which a stretch can be selected.

    Args:
        read: all segments of one or two systems.

    Returns:
        A mask (S,) of the segments in the stretch, if one is selected.
    """
    curve = analysis.influence_curve(read)
    if curve is None:
        return []
    for key, usual in zip(RANKS, (1, curve.segments), strict=True):
        session.restore_number(key, 1, curve.segments, usual)
    first, last = sorted(int(session.get(key)) for key in RANKS)
    stretch = None if last - first + 1 == curve.segments else (first, last)
    st.subheader("Influence of segments", anchor=False)
    half = words.fewest_for_half(curve)
    if half:
        st.text(half)
    st.caption(literal(words.how_replaced(curve, read.metric.label)))
    show(
        INFLUENCE,
        Influence(read=read, curve=curve),
        stretch=stretch,
        key=INFLUENCE.key if stretch is None else f"influence-{first}-{last}",
        alt=f"The difference so far by number of segments replaced. {half}",
        on_stretch=partial(_select_stretch, curve.segments),
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="influence-stretch"):
        for key, title in zip(RANKS, ("Segments from rank", "to rank"), strict=True):
            st.number_input(title, 1, curve.segments, key=key, width=150, on_change=_first_of_list)
        if stretch is not None:
            st.button("List all ranks", key="influence-all", on_click=_forget_limits, args=(RANKS,))
    if stretch is None:
        return []
    st.text(words.difference_in_part(analysis.stretch_scores(read, first, last)))
    return [read.ranked(first, last)]


def limit_line(read: analysis.SegmentsRead, within: str, inside: analysis.Mask | str) -> None:
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
    """Whether another expression limits the list since it was drawn last, as after a click on another page."""
    before = session.get(SHOWN_WITHIN)
    session.put(**{SHOWN_WITHIN: within})
    return before not in (None, within)


def list_controls(
    read: analysis.SegmentsRead, notes: Notes
) -> tuple[analysis.SegmentOrder, TextSearch | None, list[analysis.Mask]]:
    """Controls of the list.

    Args:
        read: all segments of one or two systems.
        notes: what is noted about them, by number.

    Returns:
        The order, what is searched for (None for nothing), and of each switch that is on the segments (S,) it leaves.
    """
    st.subheader("List of segments", anchor=False)
    orders: dict[str, analysis.SegmentOrder] = {words.ORDER_LABELS[order]: order for order in read.orders}
    differing = noted = False
    with st.container(horizontal=True, vertical_alignment="bottom", key="list-controls"):
        order = orders[
            choice("Order", list(orders), key=ORDER, width=230, help=words.ORDER_HELP, on_change=_first_of_list)
        ]
        session.restore_text(SEARCH)
        wanted = st.text_input(
            "Find text",
            key=SEARCH,
            width=260,
            placeholder="in source, references or outputs",
            help="Lists the segments whose source, references or outputs contain this text.",
            on_change=_first_of_list,
        )
        help_text = "Case-sensitive, in the syntax of Python. Without this switch, upper and lower case are the same."
        regular = switch("Regular expression", key=REGULAR, help=help_text, on_change=_first_of_list)
        if read.systems[1:]:
            help_text = "Leave out segments in which both outputs are the same."
            differing = switch("Only segments that differ", key=DIFFERING, help=help_text, on_change=_first_of_list)
        if notes:
            noted = switch("Only starred or noted", key=NOTED, on_change=_first_of_list)
    chosen = [read.differs] if differing else []
    if noted:
        chosen.append(read.noted(notes))
    return order, TextSearch(wanted, regular) if wanted else None, chosen


def list_segments(
    view: analysis.View,
    read: analysis.SegmentsRead,
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
    session.put(**dict(zip(RANKS, (first, last), strict=True)))
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
