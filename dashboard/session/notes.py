"""Stars and notes on segments, stored in the session by text, and their file."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from bleu_core.dataset import Corpus
from bleu_core.errors import FormatError
from bleu_core.fields import Table, field, fields_of, result, table_of
from bleu_core.progress import Progress
from bleu_core.project import NoteRecord
from dashboard.session import work
from dashboard.session.report_text import printable_text

if TYPE_CHECKING:
    import _csv

#: Maximum number of characters of a note.
MAX_NOTE_LENGTH = 2000


@result
class _NoteRow:
    """A row of a file of notes."""

    data: str = field("text", "Digest of the first reference, whose segments the notes are about.")
    segment: int = field("count", "Number of the segment.")
    starred: bool = field("text", "Whether the segment is starred.")
    note: str = field("text", "The note.")


COLUMNS = tuple(fields_of(_NoteRow))


@dataclass(frozen=True, slots=True)
class SegmentNote:
    """A user's note about a segment.

    Attributes:
        starred: whether it is starred.
        text: the note; empty for none.
    """

    starred: bool = False
    text: str = ""


def segment_notes(corpus: Corpus) -> Mapping[int, SegmentNote]:
    """Return the notes about a corpus's segments, by their numbers, in that order."""
    return dict(sorted(_all_notes().get(_digest(corpus), {}).items()))


def saved_notes(notes: Iterable[NoteRecord], corpus: Corpus) -> Mapping[int, SegmentNote]:
    """Return the notes of a saved workspace about a corpus's segments, by their numbers, in that order."""
    digest = _digest(corpus)
    by_number = {record.segment: _note(record) for record in notes if record.data == digest}
    return dict(sorted(by_number.items()))


def note_segment(corpus: Corpus, number: int, note: SegmentNote) -> None:
    """Set the note about a segment."""
    notes = _all_notes().setdefault(_digest(corpus), {})
    notes.pop(number, None)
    if note != SegmentNote():
        notes[number] = note


def all_notes() -> tuple[NoteRecord, ...]:
    """Return the stars and notes about all texts."""
    return tuple(
        NoteRecord(data=digest, segment=number, starred=note.starred, note=note.text)
        for digest, notes in sorted(_all_notes().items())
        for number, note in sorted(notes.items())
    )


def put_notes(notes: Iterable[NoteRecord]) -> None:
    """Replace all stars and notes."""
    stored = _all_notes()
    stored.clear()
    for record in notes:
        stored.setdefault(record.data, {})[record.segment] = _note(record)


def notes_table(corpus: Corpus) -> Table:
    """Return the stars and notes as a table, with the digest of the text that they are about."""
    digest = _digest(corpus)
    rows = [
        _NoteRow(data=digest, segment=number, starred=note.starred, note=note.text)
        for number, note in segment_notes(corpus).items()
    ]
    return table_of(rows, _NoteRow)


def add_notes(corpus: Corpus, data: bytes, name: str) -> int:
    """Add the stars and notes of a file; they replace those about the same segments.

    Args:
        corpus: the texts.
        data: content of a file written by notes_table.
        name: of the file, for messages.

    Returns:
        The number of segments with notes in the file.

    Raises:
        FormatError: it is not such a file, or is about other texts.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"{name}: byte {error.start:,} is not UTF-8; save the file as UTF-8") from error
    rows = csv.reader((f"{line}\n" for line in text.removesuffix("\n").split("\n")), "excel-tab")
    try:
        added = dict(_read(corpus, rows, name))
    except csv.Error as error:
        raise FormatError(f"{name}, line {rows.line_num}: {error}") from error
    for number, note in added.items():
        note_segment(corpus, number, note)
    return len(added)


def _read(corpus: Corpus, rows: _csv.Reader, name: str) -> Iterator[tuple[int, SegmentNote]]:
    header = next(rows, [])
    if header != list(COLUMNS):
        columns, expected = ", ".join(header) or "nothing", ", ".join(COLUMNS)
        raise FormatError(f"{name}, line 1: columns {columns} found, {expected} expected")
    digest = _digest(corpus)
    for row in rows:
        where = f"{name}, line {rows.line_num}"
        if len(row) != len(COLUMNS):
            raise FormatError(f"{where}: {len(row)} cells found, {len(COLUMNS)} expected")
        data, number, starred, text = row
        if data != digest:
            raise FormatError(f"{where}: notes about other texts found ({data!r}); load the files that they are about")
        if not number.isdecimal() or not 1 <= int(number[:10]) <= corpus.segments:
            raise FormatError(f"{where}: segment {number!r} found, 1 to {corpus.segments:,} expected")
        if starred not in ("yes", "no"):
            raise FormatError(f"{where}: starred {starred!r} found, yes or no expected")
        yield int(number), SegmentNote(starred == "yes", text[:MAX_NOTE_LENGTH])


def _note(record: NoteRecord) -> SegmentNote:
    return SegmentNote(record.starred, printable_text(record.note, MAX_NOTE_LENGTH))


def _all_notes() -> dict[str, dict[int, SegmentNote]]:
    """Return digest of a text -> number of a segment -> note."""
    return st.session_state["held"].notes


def _digest(corpus: Corpus) -> str:
    """Return the digest of the first reference, so that notes stay when other systems are added."""
    return _digest_of(work.scope(), corpus)


@work.cached("Reading the reference", "segments")
def _digest_of(_: Progress, corpus: Corpus) -> str:
    content = hashlib.blake2b(digest_size=8)
    for text in next(iter(corpus.references.values())):
        content.update(("\0" if text is None else f"{text}\n").encode("utf-8", "surrogatepass"))
    return content.hexdigest()
