"""The reader of a segment: its texts side by side, marked, with its scores, ratings and notes."""

from __future__ import annotations

from functools import partial

import streamlit as st

from bleu_core.dataset import plural
from bleu_core.paper import ngram_table
from bleu_core.slicing import TextSearch
from dashboard import analysis, session, words
from dashboard.literal import literal
from dashboard.views.segments.analysis import (
    FoundPlaces,
    SegmentTexts,
    mark_found,
    places_found,
    precision_steps,
    read_texts,
)
from dashboard.views.segments.notes import Notes, note_controls
from dashboard.widgets import (
    FOUND,
    SEGMENT,
    SHADES,
    different_marks,
    downloads,
    legend,
    marked_text,
    missing_marks,
    ngram_marks,
    plain_text,
    section,
    switch,
    table,
    whole_number,
)

#: The key of the position in the list.
POSITION = "list_position"


def show_segment(
    view: analysis.View,
    read: analysis.SegmentsRead,
    listed: analysis.SegmentList,
    number: int,
    *,
    notes: Notes,
    search: TextSearch | None,
) -> None:
    """Show a segment's texts below each other or side by side, and what can be done with it.

    Args:
        view: the data and settings.
        read: all segments of one or two systems.
        listed: those in the list, through which to go.
        number: of the segment.
        notes: what is noted about segments, by number.
        search: what is searched for, and marked; None for nothing.
    """
    texts = read_texts(view, read.systems, number)
    found = mark_found(texts, search or TextSearch(""))
    with st.container(key="reader"):
        document = f" (document {texts.document})" if texts.document else ""
        st.subheader(literal(f"Segment {number:,}{document}"), anchor=False)
        _steps(read, listed, number)
        note_controls(number, notes)
        if search is not None:
            _found(words.texts_found(places_found(view, search, number)), found)
        of_differences = bool(texts.different) and switch(
            "Mark word differences",
            key="word_differences",
            help="Mark the words that the other output lacks, in place of the n-grams that match the references.",
        )
        if texts.source is not None:
            with st.container(key="reader-source", gap=None):
                st.caption("Source")
                plain_text(texts.source, found.source)
        _references(texts, found)
        _outputs(read, texts, found, of_differences=of_differences)


def _steps(read: analysis.SegmentsRead, listed: analysis.SegmentList, number: int) -> None:
    """Go to the previous or next segment of the list, to a position in it, or to any segment."""
    position, last = listed.position(number), len(listed) - 1
    before = last if position is None else max(position - 1, 0)
    behind = 0 if position is None else min(position + 1, last)
    with st.container(horizontal=True, vertical_alignment="bottom", key="reader-steps"):
        for title, shortcut, place in (("Previous", "K", before), ("Next", "J", behind)):
            st.button(
                title,
                key=f"reader-{title.lower()}",
                shortcut=shortcut,
                disabled=place == position,
                on_click=partial(session.put, **{SEGMENT: listed.number(place)}),
            )
        session.put(**{POSITION: None if position is None else position + 1})
        st.number_input(
            f"Position in the list (1 to {last + 1:,})",
            1,
            last + 1,
            key=POSITION,
            width=210,
            placeholder="not in the list",
            on_change=session.callback(POSITION, partial(_go_to, listed)),
        )
        whole_number(f"Segment (1 to {read.last:,})", 1, read.last, listed.number(0), key=SEGMENT, width=180)


def _go_to(listed: analysis.SegmentList) -> None:
    position = session.get(POSITION)
    if position is not None:
        session.put(**{SEGMENT: listed.number(position - 1)})


def _found(sentence: str, found: FoundPlaces) -> None:
    """In which texts a text was found, and how it is marked."""
    if sentence:
        st.caption(literal(sentence))
    if found.reason:
        st.caption(literal(f"Not marked: {found.reason}."))
    elif any((found.source, *found.references, *found.outputs)):
        legend({FOUND: "found"})


def _references(texts: SegmentTexts, found: FoundPlaces) -> None:
    """The references, with the words that outputs lack."""
    for place, name in enumerate(texts.references):
        with st.container(key=f"reader-reference-{place}", gap=None):
            st.caption(literal(f"Reference {name}" if texts.references[1:] else "Reference"))
            reference = texts.outputs[0].references[place]
            marked_text(reference, missing_marks(texts.lacking(place)), found.references[place])
    if len(texts.systems) == 1:
        legend({"missing-both": f"not in the output of {texts.systems[0]}"})
        return
    marks = ("missing-both", "missing-first", "missing-second")
    meanings = ("in neither output", *(f"not in the output of {name}" for name in texts.systems))
    legend(dict(zip(marks, meanings, strict=True)))


def _outputs(read: analysis.SegmentsRead, texts: SegmentTexts, found: FoundPlaces, *, of_differences: bool) -> None:
    """The outputs side by side, each with its score, what is clipped, why it has its score, and its ratings."""
    places = st.columns(len(texts.systems), gap="large")
    for k, (place, name, output) in enumerate(zip(places, texts.systems, texts.outputs, strict=True)):
        with place, st.container(key=f"reader-output-{k}", gap=None):
            score = read.score(k, texts.number)
            st.markdown(f"**{literal(words.segment_score(name, read.metric.label, score))}**")
            marks = different_marks(texts.different[k]) if of_differences else ngram_marks(output)
            marked_text(output, marks, found.outputs[k])
    if of_differences:
        legend({"different": "not in the other output"})
    else:
        orders = range(1, min(SHADES, texts.settings.max_order) + 1)
        longer = " or more" if texts.settings.max_order > SHADES else ""
        named = {f"order-{n}": f"{n}{longer if n == SHADES else ''} {plural(n, 'token')}" for n in orders}
        st.caption("Shade of a token: the longest n-gram around it that is in a reference. Wavy line: clipped.")
        legend({**named, "clipped": "clipped"})
    places = st.columns(len(texts.systems), gap="large")
    for k, (place, output) in enumerate(zip(places, texts.outputs, strict=True)):
        with place:
            clipped = words.clipped_ngrams(output)
            if clipped:
                st.caption(literal(clipped))
            _why(texts, k)
            if texts.ratings:
                _ratings(texts, k)


def _why(texts: SegmentTexts, k: int) -> None:
    """The steps to BLEU of the segment, folded."""
    output = texts.outputs[k]
    part = section(f"why-{k}", f"Why this score: BLEU {output.worked.score:.2f} of {texts.systems[k]}")
    if part is None:
        return
    with part:
        for step in words.why_this_score(output, texts.settings):
            st.markdown(literal(step))
        of = f"segment {texts.number} of {texts.systems[k]}"
        table(precision_steps(output), key=f"why-{k}", alt=f"N-grams and precisions of {of}")
        data = ngram_table(output.worked)
        table(data, key=f"why-ngrams-{k}", alt=f"All n-grams of {of}", highest=320)
        downloads(data, key=f"why-ngrams-{k}")


def _ratings(texts: SegmentTexts, k: int) -> None:
    system, ratings = texts.systems[k], texts.ratings[k]
    st.markdown("**Ratings**")
    if ratings.rows:
        table(ratings, key=f"reader-ratings-{k}", alt=f"Each judge's rating of segment {texts.number} of {system}")
    else:
        st.text("It has no ratings.")
