"""Stars and notes of segments: their controls, their file, and starred segments as examples for a paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import streamlit as st

from bleu_core.dataset import Corpus, plural
from bleu_core.errors import FormatError
from bleu_core.fields import Table
from bleu_core.results.examples import Marks, examples_latex, examples_markdown
from bleu_core.results.table import to_xlsx
from bleu_core.segments import ErrorIndex
from dashboard import analysis, session
from dashboard.views.segments.analysis import segment_examples
from dashboard.widgets import described_slice, file_download, focus_by_key, name_in_slice, table_tsv

#: Key of the box for a note.
NOTE = "segment_note"

#: Number of a segment -> its note.
Notes = Mapping[int, session.SegmentNote]


def notes_of_text() -> Notes:
    """Return the notes about the segments of the whole text; a page may show a slice of it."""
    return session.segment_notes(_whole_text())


def notes_menu(
    view: analysis.View,
    segments: analysis.SegmentAnalysis,
    shown: analysis.OutputNumbers,
    notes: Notes,
    *,
    errors: ErrorIndex | None,
) -> None:
    """Draw a button that opens the files of stars and notes.

    Args:
        view: the data and settings.
        segments: all segments of one or two systems.
        shown: the numbers of the displayed outputs.
        notes: notes about segments, by number.
        errors: that judges and metrics marked; None without any.
    """
    with st.popover("Stars and notes", type="tertiary", icon=":material/star:", key="notes-files"):
        _notes_files()
        _examples(view, segments, shown, notes, errors=errors)


def star_button(number: int, notes: Notes, slot: int, *, current: bool) -> None:
    """Draw the star of a segment.

    Args:
        number: of the segment.
        notes: notes about segments, by number.
        slot: its position among the displayed segments, from 0.
        current: whether keyboard shortcuts apply to it.
    """
    note, key = notes.get(number, session.SegmentNote()), "reader-star" if current else f"star-{slot}"
    st.button(
        "Starred" if note.starred else "Star",
        key=key,
        shortcut="S" if current else None,
        type="tertiary",
        icon=":material/star:" if note.starred else ":material/star_border:",
        on_click=session.callback(
            key, partial(session.note_segment, _whole_text(), number, replace(note, starred=not note.starred))
        ),
    )


def note_box(number: int, notes: Notes) -> None:
    """Draw the box for the note about the current segment."""
    corpus, note = _whole_text(), notes.get(number, session.SegmentNote())
    session.set_controls(**{NOTE: note.text})
    st.text_input(
        "Note (press N)",
        key=NOTE,
        max_chars=session.MAX_NOTE_LENGTH,
        width=480,
        on_change=session.callback(
            NOTE, lambda: session.note_segment(corpus, number, replace(note, text=session.control_value(NOTE)))
        ),
    )


def note_by_key() -> None:
    """Let the key N focus the box of the note, and open folded details first."""
    focus_by_key("n", NOTE, opener="reader-details")


def _notes_files() -> None:
    """Offer stars and notes as a file, and a box to add one."""
    st.text("Stars and notes are deleted some time after the tab is closed. Download them to keep them.")
    noted = session.notes_table(_whole_text())  # a download has no session to read
    if noted.rows:
        file_download("Stars and notes (TSV)", partial(table_tsv, noted), "notes.tsv", key="tsv-notes")
    added = st.file_uploader("Add a file of stars and notes", type="tsv", key="notes_added")
    if added is not None:
        st.button("Add to the session", key="add-notes", on_click=_add_notes, args=(added.getvalue(), added.name))
        outcome = session.control_value("notes_outcome")
        if outcome:
            st.text(outcome)


def _examples(
    view: analysis.View,
    segments: analysis.SegmentAnalysis,
    shown: analysis.OutputNumbers,
    notes: Notes,
    *,
    errors: ErrorIndex | None,
) -> None:
    """Offer the starred segments with their texts, for a paper."""
    starred = {
        number: note.text for number, note in notes.items() if note.starred and segments.place(number) is not None
    }
    if not starred:
        return
    examples, marks = segment_examples(
        view, segments, shown, starred, errors=errors
    )  # a download has no session to read
    count, name = len(starred), name_in_slice("examples", described_slice())
    st.text(f"{count:,} starred {plural(count, 'segment')} with {'their' if count > 1 else 'its'} texts as examples:")
    with st.container(horizontal=True, key="examples"):
        for title, ending, content in (
            ("Markdown", "md", partial(_encoded, examples_markdown, examples, marks)),
            ("LaTeX", "tex", partial(_encoded, examples_latex, examples, marks)),
            ("XLSX", "xlsx", partial(to_xlsx, examples)),
        ):
            file_download(f"Examples ({title})", content, f"{name}.{ending}", key=f"{ending}-examples")


def _encoded(write: Callable[[Table, Marks], str], examples: Table, marks: Marks) -> bytes:
    return write(examples, marks).encode("utf-8", "surrogatepass")


def _add_notes(data: bytes, name: str) -> None:
    try:
        count = session.add_notes(_whole_text(), data, name)
    except FormatError as error:
        session.set_controls(notes_outcome=f"{error}.")
    else:
        session.set_controls(notes_outcome=f"Stars and notes of {count:,} {plural(count, 'segment')} added.")


def _whole_text() -> Corpus:
    """Return the whole text, which stars and notes are about; the page may show a slice of it."""
    return session.current_workspace().corpus
