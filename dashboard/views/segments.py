"""Segments: which segments make the score or the difference of two systems, and their texts, marked for reading."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from bleu_core.dataset import Corpus, plural
from bleu_core.errors import FormatError
from bleu_core.fields import Table
from bleu_core.reports import examples_latex, examples_markdown, to_xlsx
from dashboard import analysis, session, words
from dashboard.figures import influence_curve
from dashboard.literal import literal
from dashboard.widgets import (
    SHADES,
    SLICE,
    answer,
    chart,
    choice,
    different_marks,
    downloads,
    file_download,
    focus_by_key,
    legend,
    marked_text,
    metric_choice,
    missing_marks,
    ngram_marks,
    note_left_out,
    page_controls,
    plain_text,
    section,
    switch,
    table,
    table_tsv,
    view_or_stop,
    whole_number,
)

Notes = Mapping[int, session.SegmentNote]

PAIR_KEYS = ("pair_system", "pair_baseline")

#: What is listed; a change of these shows the first segment of the new list.
ORDER, SEARCH, REGULAR, DIFFERING = "segments_order", "segments_search", "segments_regular", "segments_differing"
NOTED, WITHIN = "segments_noted", "segments_within"
SHOWN_WITHIN = "segments_shown_within"
RANKS = ("segments_from", "segments_to")
SEGMENT, POSITION, NOTE = "read_segment", "list_position", "segment_note"


def render() -> None:
    """Choose one or two systems, list their segments, and read one."""
    st.title(PAGE.title)
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
        part = analysis.part_scores(view, metric.key, systems, "" if isinstance(inside, str) else within)
        if part is not None:
            st.text(words.difference_in_part(part))
        outputs = words.segments_that_differ(read)
        if outputs:
            st.caption(literal(outputs))
        note_left_out(view)
    limits = _curve(view, read)
    notes = session.segment_notes(_whole())
    order, search, chosen = _list_controls(read, notes)
    if inside is not None:
        _within(view, read, within, inside)
        if isinstance(inside, str):
            return
        limits.append(inside)
    listed = _listed(view, read, order, search, [*limits, *chosen])
    if listed is None:
        return
    usual = listed.number(0)
    session.restore_number(SEGMENT, 1, read.last, usual)
    number = int(session.get(SEGMENT))
    if _changed_elsewhere(within) and listed.position(number) is None:
        number = usual
        session.put(**{SEGMENT: usual})
    if read.place(number) is None:
        st.info(f"Segment {number:,} is not in the slice; segment {usual:,} is shown.")
        number = usual
    _list(view, read, listed, number, notes)
    _reader(view, read, listed, number, notes=notes, search=search)


def _controls(view: analysis.View) -> tuple[analysis.Metric, tuple[str, ...]]:
    """The metric, and one or two systems: the best two at first."""
    with page_controls():
        session.restore_choice("metric", list(analysis.metrics_on_offer(view)))
        order = analysis.systems_best_first(view, analysis.metrics_on_offer(view)[session.get("metric")].key)
        system = choice("System", order, key=PAIR_KEYS[0])
        systems: tuple[str, ...] = (system,)
        if order[1:]:
            alone = switch("One system only", key="one_system", help="Read one system without a baseline.")
            if not alone:
                baseline = choice("Baseline", order, key=PAIR_KEYS[1], usual=order[1])
                swapped = dict(zip(PAIR_KEYS, (baseline, system), strict=True))
                icon = ":material/swap_horiz:"
                st.button("Swap", key="swap-pair", icon=icon, on_click=partial(session.put, **swapped))
                systems = (system, baseline)
        return metric_choice(view), systems


def _curve(view: analysis.View, read: analysis.SegmentsRead) -> list[analysis.Mask]:
    """How the difference comes about; which segments a selected stretch of the curve has, if there is one."""
    curve = analysis.influence_curve(view, read)
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
    chart(
        influence_curve(curve, read.numbers, read.metric.label, stretch),
        partial(analysis.curve_table, read, curve),
        key="influence" if stretch is None else f"influence-{first}-{last}",
        alt=f"The difference so far by number of segments replaced. {half}",
        on_stretch=partial(_select_stretch, curve.segments),
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="influence-stretch"):
        for key, title in zip(RANKS, ("List from rank", "to rank"), strict=True):
            st.number_input(title, 1, curve.segments, key=key, width=150, on_change=_first_of_list)
        if stretch is not None:
            st.button("List all ranks", key="influence-all", on_click=_forget_limits, args=(RANKS,))
    if stretch is None:
        return []
    st.text(words.difference_in_part(analysis.stretch_scores(view, read, first, last)))
    return [read.ranked(first, last)]


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


def _within(view: analysis.View, read: analysis.SegmentsRead, within: str, inside: analysis.Mask | str) -> None:
    """The line about the expression that limits the list."""
    if isinstance(inside, str):
        st.error(literal(f"{inside[:1].upper()}{inside[1:]}."))
    with st.container(horizontal=True, vertical_alignment="center", key="segments-within"):
        if not isinstance(inside, str):
            st.markdown(literal(words.only_within(within, int(inside.sum()), read.segments)), width="content")
        st.button("Show all", key="within-all", on_click=_forget_limits, args=((WITHIN,),))
        if not isinstance(inside, str):
            st.button("Use as slice on every page", key="within-slice", on_click=_use_as_slice, args=(view, within))


def _changed_elsewhere(within: str) -> bool:
    """Whether a click on another page has limited the list to other segments since it was drawn last."""
    before = session.get(SHOWN_WITHIN)
    session.put(**{SHOWN_WITHIN: within})
    return before not in (None, within)


def _use_as_slice(view: analysis.View, within: str) -> None:
    """Let all pages look at the segments that the list is limited to."""
    session.put(**{SLICE: analysis.both_hold(view.slice.expression if view.slice else "", within)})
    _forget_limits((WITHIN,))


def _list_controls(
    read: analysis.SegmentsRead, notes: Notes
) -> tuple[analysis.SegmentOrder, analysis.TextSearch | None, list[analysis.Mask]]:
    """The order of the list, what is searched for, and which segments each of the switches leaves."""
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
    return order, analysis.TextSearch(wanted, regular) if wanted else None, chosen


def _listed(
    view: analysis.View,
    read: analysis.SegmentsRead,
    order: analysis.SegmentOrder,
    search: analysis.TextSearch | None,
    chosen: Sequence[analysis.Mask],
) -> analysis.SegmentList | None:
    """The segments in the list; None, with the reason, if there are none."""
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
        with st.popover("Stars and notes", type="tertiary", icon=":material/star:", key="notes-files"):
            _notes_files()
            _examples(view, read, notes)


def _whole() -> Corpus:
    """The whole text, which stars and notes are about; the page may show a slice of it."""
    return session.current_workspace().corpus


def _notes_files() -> None:
    """Stars and notes as a file, to keep them or to pass them on."""
    st.text("Stars and notes last as long as this session. Download them to keep them.")
    noted = session.notes_table(_whole())  # a download has no session to ask
    if noted.rows:
        file_download("Stars and notes (TSV)", partial(table_tsv, noted), "notes.tsv", key="tsv-notes")
    added = st.file_uploader("Add a file of stars and notes", type="tsv", key="notes_added")
    if added is not None:
        st.button("Add to the session", key="add-notes", on_click=_add_notes, args=(added.getvalue(), added.name))
        outcome = session.get("notes_outcome")
        if outcome:
            st.text(outcome)


def _examples(view: analysis.View, read: analysis.SegmentsRead, notes: Notes) -> None:
    """The starred segments with their texts, for a paper."""
    starred = {number: note.text for number, note in notes.items() if note.starred and read.place(number) is not None}
    if not starred:
        return
    examples = analysis.segment_examples(view, read, starred)  # a download has no session to ask
    count = len(starred)
    st.text(f"{count:,} starred {plural(count, 'segment')} with {'their' if count > 1 else 'its'} texts as examples:")
    for title, ending, content in (
        ("Markdown", "md", partial(_encoded, examples_markdown, examples)),
        ("LaTeX", "tex", partial(_encoded, examples_latex, examples)),
        ("XLSX", "xlsx", partial(to_xlsx, examples)),
    ):
        file_download(f"Examples ({title})", content, f"examples.{ending}", key=f"{ending}-examples")


def _encoded(write: Callable[[Table], str], examples: Table) -> bytes:
    return write(examples).encode("utf-8", "surrogatepass")


def _add_notes(data: bytes, name: str) -> None:
    try:
        count = session.add_notes(_whole(), data, name)
    except FormatError as error:
        session.put(notes_outcome=f"{error}.")
    else:
        session.put(notes_outcome=f"Stars and notes of {count:,} {plural(count, 'segment')} added.")


def _note(number: int, notes: Notes) -> None:
    """The star and the note of the segment that is read."""
    corpus, note = _whole(), notes.get(number, session.SegmentNote())
    with st.container(horizontal=True, vertical_alignment="bottom", key="reader-note"):
        st.button(
            "Starred" if note.starred else "Star",
            key="reader-star",
            shortcut="S",
            type="primary" if note.starred else "secondary",
            icon=":material/star:",
            on_click=session.note_segment,
            args=(corpus, number, replace(note, starred=not note.starred)),
        )
        session.put(**{NOTE: note.text})
        st.text_input(
            "Note (press N)",
            key=NOTE,
            max_chars=session.LONGEST_NOTE,
            width=420,
            on_change=lambda: session.note_segment(corpus, number, replace(note, text=session.get(NOTE))),
        )
        focus_by_key("n", NOTE)


def _reader(
    view: analysis.View,
    read: analysis.SegmentsRead,
    listed: analysis.SegmentList,
    number: int,
    *,
    notes: Notes,
    search: analysis.TextSearch | None,
) -> None:
    texts = analysis.read_texts(view, read.systems, number)
    with st.container(key="reader"):
        document = f" (document {texts.document})" if texts.document else ""
        st.subheader(literal(f"Segment {number:,}{document}"), anchor=False)
        _steps(read, listed, number)
        _note(number, notes)
        if search is not None:
            found = words.texts_found(analysis.places_found(view, search, number))
            if found:
                st.caption(literal(found))
        of_differences = bool(texts.different) and switch(
            "Mark word differences",
            key="word_differences",
            help="Mark the words that the other output lacks, in place of the n-grams that match the references.",
        )
        if texts.source is not None:
            with st.container(key="reader-source", gap=None):
                st.caption("Source")
                plain_text(texts.source)
        _references(texts)
        _outputs(read, texts, of_differences=of_differences)


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
            on_change=partial(_go_to, listed),
        )
        whole_number(f"Segment (1 to {read.last:,})", 1, read.last, listed.number(0), key=SEGMENT, width=180)


def _go_to(listed: analysis.SegmentList) -> None:
    position = session.get(POSITION)
    if position is not None:
        session.put(**{SEGMENT: listed.number(position - 1)})


def _references(texts: analysis.SegmentTexts) -> None:
    """The references, with the words that outputs lack."""
    for place, name in enumerate(texts.references):
        with st.container(key=f"reader-reference-{place}", gap=None):
            st.caption(literal(f"Reference {name}" if texts.references[1:] else "Reference"))
            marked_text(texts.outputs[0].references[place], missing_marks(texts.lacking(place)))
    if len(texts.systems) == 1:
        legend({"missing-both": f"not in the output of {texts.systems[0]}"})
        return
    marks = ("missing-both", "missing-first", "missing-second")
    meanings = ("in neither output", *(f"not in the output of {name}" for name in texts.systems))
    legend(dict(zip(marks, meanings, strict=True)))


def _outputs(read: analysis.SegmentsRead, texts: analysis.SegmentTexts, *, of_differences: bool) -> None:
    """The outputs side by side, each with its score, what is clipped, why it has its score, and its ratings."""
    places = st.columns(len(texts.systems), gap="large")
    for k, (place, name, output) in enumerate(zip(places, texts.systems, texts.outputs, strict=True)):
        with place, st.container(key=f"reader-output-{k}", gap=None):
            score = read.score(k, texts.number)
            st.markdown(f"**{literal(words.segment_score(name, read.metric.label, score))}**")
            marks = different_marks(texts.different[k]) if of_differences else ngram_marks(output)
            marked_text(output, marks)
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


def _why(texts: analysis.SegmentTexts, k: int) -> None:
    """The steps to BLEU of the segment, folded."""
    output = texts.outputs[k]
    part = section(f"why-{k}", f"Why this score: BLEU {output.worked.score:.2f} of {texts.systems[k]}")
    if part is None:
        return
    with part:
        for step in words.why_this_score(output, texts.settings):
            st.markdown(literal(step))
        of = f"segment {texts.number} of {texts.systems[k]}"
        table(analysis.precision_steps(output), key=f"why-{k}", alt=f"N-grams and precisions of {of}")
        data = analysis.ngram_table(output.worked)
        table(data, key=f"why-ngrams-{k}", alt=f"All n-grams of {of}", highest=320)
        downloads(data, key=f"why-ngrams-{k}")


def _ratings(texts: analysis.SegmentTexts, k: int) -> None:
    system, ratings = texts.systems[k], texts.ratings[k]
    st.markdown("**Ratings**")
    if ratings.rows:
        table(ratings, key=f"reader-ratings-{k}", alt=f"Each judge's rating of segment {texts.number} of {system}")
    else:
        st.text("It has no ratings.")


PAGE = session.Page(
    "Segments",
    "segments",
    "Which segments make the difference between two systems, and why?",
    render,
    group="Why",
    icon=":material/article_shortcut:",
)
