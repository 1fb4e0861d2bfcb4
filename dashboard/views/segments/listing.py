"""Ten segments of the list: their marked texts, numbers, stars and details."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from bleu_core.slicing import TextSearch
from dashboard import analysis, session, words
from dashboard.literal import literal
from dashboard.views.segments.analysis import (
    FoundPlaces,
    SegmentTexts,
    SelectedErrors,
    mark_found,
    places_found,
    read_texts,
)
from dashboard.views.segments.details import segment_details
from dashboard.views.segments.notes import Notes, star_button
from dashboard.widgets import (
    DETAILS,
    SEGMENT,
    WORD_DIFFERENCES,
    LabelledText,
    Marks,
    ShownErrors,
    different_marks,
    integer_input,
    into_view,
    labelled_texts,
    marked_html,
    missing_marks,
    ngram_marks,
    plain_html,
    segment_heading,
)

#: Key of the position in the list.
POSITION = "list_position"


def show_list(
    view: analysis.View,
    segments: analysis.SegmentAnalysis,
    listed: analysis.SegmentList,
    number: int,
    *,
    shown: analysis.OutputNumbers,
    notes: Notes,
    search: TextSearch | None,
    errors: SelectedErrors | None,
) -> None:
    """Show the ten segments of the list around the current one; it comes first if it is not in the list.

    Args:
        view: the data and settings.
        segments: all segments of one or two systems.
        listed: the list.
        number: of the current segment, to which keyboard shortcuts apply.
        shown: the numbers of the displayed outputs.
        notes: notes about segments, by number.
        search: the search, whose hits are marked; None without one.
        errors: those that are shown in the texts; None for none.
    """
    numbers = [listed.number(position) for position in listed.around(number)]
    if number not in numbers:
        numbers.insert(0, number)
    segment_texts = [read_texts(view, shown.systems, n, errors) for n in numbers]
    places, reason = mark_found(segment_texts, search or TextSearch(""))
    if reason:
        st.caption(literal(f"Not marked: {reason}."))
    with st.container(key="segment-list", gap=None):
        for slot, (texts, hits) in enumerate(zip(segment_texts, places, strict=True)):
            current = texts.number == number
            opened = current and session.control_value(DETAILS)
            with st.container(horizontal=True, key=f"segment-card-{slot}", gap=None):
                with st.container(key=f"segment-rail-{slot}", gap=None):
                    segment_heading(texts.number, _facts(segments, listed, texts), current=current)
                    with st.container(
                        horizontal=True, vertical_alignment="center", key=f"segment-buttons-{slot}", gap=None
                    ):
                        star_button(texts.number, notes, slot, current=current)
                        st.button(
                            "Less" if opened else "More",
                            key="reader-details" if current else f"details-{slot}",
                            type="tertiary",
                            on_click=partial(session.set_controls, **{SEGMENT: texts.number, DETAILS: not opened}),
                        )
                with st.container(key=f"segment-body-{slot}", gap=None):
                    labelled_texts(_texts(segments, shown, texts, hits))
                    _remarks(view, texts, notes, search)
                if opened:
                    segment_details(view, segments, texts, notes)
    heading = f'.segment-number[aria-current="true"][data-number="{number}"]'
    card = f'[class*="st-key-segment-card-"]:has({heading})'
    into_view(card, f"{number}", opened=number != listed.number(0))


def list_steps(segments: analysis.SegmentAnalysis, listed: analysis.SegmentList, number: int) -> None:
    """Draw controls that go to the previous or next segment, a position in the list, or any segment.

    Args:
        segments: all segments.
        listed: the list.
        number: of the current segment.
    """
    rows, position, last = listed.around(number), listed.position(number), len(listed) - 1
    with st.container(horizontal=True, vertical_alignment="bottom", key="list-steps"):
        size = analysis.ROWS_SHOWN
        for name, first in (("before", rows.start - size), ("behind", rows.start + size)):
            if 0 <= first <= last:
                st.button(
                    f"Show segments {first + 1:,} to {min(first + size, last + 1):,}",
                    key=f"list-{name}",
                    on_click=partial(session.set_controls, **{SEGMENT: listed.number(first)}),
                )
        before = last if position is None else max(position - 1, 0)
        behind = 0 if position is None else min(position + 1, last)
        for title, shortcut, place in (("Previous", "K", before), ("Next", "J", behind)):
            st.button(
                title,
                key=f"reader-{title.lower()}",
                shortcut=shortcut,
                disabled=place == position,
                on_click=partial(session.set_controls, **{SEGMENT: listed.number(place)}),
            )
        session.set_controls(**{POSITION: None if position is None else position + 1})
        st.number_input(
            f"Position in the list (1 to {last + 1:,})",
            1,
            last + 1,
            key=POSITION,
            width=210,
            placeholder="not in the list",
            on_change=session.callback(POSITION, partial(_go_to, listed)),
        )
        integer_input(f"Segment (1 to {segments.last:,})", 1, segments.last, listed.number(0), key=SEGMENT, width=180)


def _go_to(listed: analysis.SegmentList) -> None:
    position = session.control_value(POSITION)
    if position is not None:
        session.set_controls(**{SEGMENT: listed.number(position - 1)})


def _facts(
    segments: analysis.SegmentAnalysis, listed: analysis.SegmentList, texts: SegmentTexts
) -> list[tuple[str, str]]:
    """Return facts about a segment, as names (which may be empty) and values."""
    effect = words.effect(float(segments.influence[texts.place]), segments.metric.decimals)
    facts = [("", texts.document)] if texts.document else []
    facts.append((f"effect on {segments.metric.label}", effect))
    facts += texts.labels.items()
    if listed.position(texts.number) is None:
        facts.append(("", "not in the list"))
    return facts


def _texts(
    segments: analysis.SegmentAnalysis, shown: analysis.OutputNumbers, texts: SegmentTexts, hits: FoundPlaces
) -> list[LabelledText]:
    """Return the source, the references with the words that outputs lack, and the outputs with their matches."""
    cells: list[LabelledText] = []
    if texts.source is not None:
        cells.append(LabelledText(label="Source", html=plain_html(texts.source, hits.source, _source_errors(texts))))
    marks = _reference_marks(texts)
    for k, name in enumerate(texts.references):
        length = words.tokens(int(segments.reference_lengths[texts.place])) if k == 0 else ""
        html = marked_html(texts.outputs[0].references[k], marks[k], hits.references[k])
        cells.append(LabelledText(label=name, html=html, numbers=length))
    above = len(cells)
    for k, (name, output) in enumerate(zip(texts.systems, texts.outputs, strict=True)):
        different = texts.different and session.control_value(WORD_DIFFERENCES)
        token_marks = different_marks(texts.different[k]) if different else ngram_marks(output)
        score, length = words.output_numbers(shown, k, texts.place, segments.metric)
        html = marked_html(output, token_marks, hits.outputs[k], _output_errors(texts, k))
        cells.append(LabelledText(label=name, html=html, score=score, numbers=length, output=True))
    if above % 2:
        cells[0] = replace(cells[0], across=True)
    return cells


def _source_errors(texts: SegmentTexts) -> ShownErrors | None:
    if texts.errors is None:
        return None
    marks, several = texts.errors.source, len(texts.systems) > 1
    return ShownErrors(
        marks=marks,
        annotators=words.lines_of_annotators(marks, (), with_system=several),
        key=f"error-{texts.number}-source",
        with_system=several,
    )


def _output_errors(texts: SegmentTexts, k: int) -> ShownErrors | None:
    if texts.errors is None:
        return None
    marks, items = texts.errors.outputs[k], texts.errors.items[k]
    return ShownErrors(marks=marks, annotators=words.lines_of_annotators(marks, items), key=f"error-{texts.number}-{k}")


def _reference_marks(texts: SegmentTexts) -> Sequence[Marks]:
    """Return the marks of the words of each reference that outputs lack; with more than two, that all lack."""
    lacking = [texts.lacking(k) for k in range(len(texts.references))]
    if len(texts.systems) > 2:  # noqa: PLR2004 # a pair
        lacking = [(tuple(all(outputs) for outputs in zip(*rows, strict=True)),) for rows in lacking]
    return [missing_marks(rows) for rows in lacking]


def _remarks(view: analysis.View, texts: SegmentTexts, notes: Notes, search: TextSearch | None) -> None:
    """Show the note about a segment, and the texts that contain the search text."""
    note = notes.get(texts.number)
    if note is not None and note.text:
        st.caption(literal(f"Note: {note.text}"))
    if search is not None:
        sentence = words.texts_found(places_found(view, search, texts.number))
        if sentence:
            st.caption(literal(sentence))
