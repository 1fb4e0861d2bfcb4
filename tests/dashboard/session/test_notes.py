"""Stars and notes: their file holds them exactly, and one that is about other texts or is no such file is refused."""

from __future__ import annotations

import csv

import pytest
import streamlit as st

from bleu_core.dataset import Corpus
from bleu_core.errors import FormatError
from bleu_core.results.table import to_tsv
from dashboard.session.cache import SessionState
from dashboard.session.notes import MAX_NOTE_LENGTH, SegmentNote, add_notes, note_segment, notes_table, segment_notes

CORPUS = Corpus({"A": ("a", "b", "c")}, {"r": ("x", None, "z"), "s": ("x", "y", "z")})
NOTES = {
    1: SegmentNote(starred=True, text="<b>x</b> & =1+1"),
    3: SegmentNote(text='tab\t, quote ", line\u2028, "all"'),
}


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {"held": SessionState()})


def written() -> str:
    for number, note in NOTES.items():
        note_segment(CORPUS, number, note)
    return to_tsv(notes_table(CORPUS))


def test_a_file_gives_back_what_was_noted() -> None:
    data = written().encode()
    st.session_state["held"].clear()
    assert segment_notes(CORPUS) == {}
    assert add_notes(CORPUS, data, "n.tsv") == 2
    assert segment_notes(CORPUS) == NOTES


def test_notes_of_a_file_replace_those_about_the_same_segments() -> None:
    data = written().encode()
    note_segment(CORPUS, 1, SegmentNote(text="other"))
    note_segment(CORPUS, 2, SegmentNote(text="kept"))
    add_notes(CORPUS, data, "n.tsv")
    assert segment_notes(CORPUS) == {**NOTES, 2: SegmentNote(text="kept")}


def test_notes_are_about_the_first_reference() -> None:
    written()
    more = Corpus({"A": ("a", "b", "c"), "B": ("", "", "")}, CORPUS.references)
    other = Corpus(CORPUS.systems, {"r": ("x", "y", "z")})
    assert segment_notes(more) == NOTES
    assert segment_notes(other) == {}
    with pytest.raises(FormatError, match="line 2: notes about other texts"):
        add_notes(other, written().encode(), "n.tsv")


def test_notes_are_about_the_first_reference_in_whatever_order_another_session_has_them() -> None:
    texts: dict[str, tuple[str, ...]] = {"r": ("x", "y"), "s": ("u", "v")}
    one, other = Corpus({}, texts), Corpus({}, dict(reversed(texts.items())))
    assert one.digest == other.digest
    note_segment(one, 1, SegmentNote(text="about r"))
    note_segment(other, 1, SegmentNote(text="about s"))
    assert [segment_notes(each)[1].text for each in (one, other)] == ["about r", "about s"]


def test_a_note_that_is_empty_again_is_gone() -> None:
    written()
    note_segment(CORPUS, 3, SegmentNote())
    assert list(segment_notes(CORPUS)) == [1]


def digest() -> str:
    return str(notes_table(CORPUS).rows[0][0]) if segment_notes(CORPUS) else written().split("\n")[1].split("\t")[0]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{}\t4\tyes\tx", r"n\.tsv, line 2: segment '4' found, 1 to 3 expected"),
        ("{}\t0\tyes\tx", "segment '0' found"),
        ("{}\tx\tyes\tx", "segment 'x' found"),
        ("{}\t" + "9" * 5000 + "\tyes\tx", "1 to 3 expected"),
        ("{}\t1\tmaybe\tx", "starred 'maybe' found, yes or no expected"),
        ("{}\t1\tyes", "3 cells found, 4 expected"),
        ("\n{}\t1\tyes", r"n\.tsv, line 2: 0 cells found"),
    ],
)
def test_a_row_that_is_wrong_is_named(row: str, message: str) -> None:
    row = row.format(digest())
    with pytest.raises(FormatError, match=message):
        add_notes(CORPUS, f"data\tsegment\tstarred\tnote\n{row}\n".encode(), "n.tsv")


def test_a_cell_that_is_too_long_to_be_read_is_named() -> None:
    row, before = f"{digest()}\t1\tyes\t{'x' * 2000}", csv.field_size_limit(1000)
    try:
        with pytest.raises(FormatError, match=r"n\.tsv, line 2: field larger than"):
            add_notes(CORPUS, f"data\tsegment\tstarred\tnote\n{row}\n".encode(), "n.tsv")
    finally:
        csv.field_size_limit(before)


@pytest.mark.parametrize("data", [b"", b"a\tb\n", b"\xff\xfe\x00", b"\x00" * 100, b'"' * 50])
def test_another_file_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"n\.tsv"):
        add_notes(CORPUS, data, "n.tsv")


def test_a_file_with_a_wrong_row_changes_nothing_and_a_long_note_is_cut() -> None:
    start = f"data\tsegment\tstarred\tnote\n{digest()}\t2\tno\t{'x' * 5000}\n"
    st.session_state["held"].clear()
    with pytest.raises(FormatError):
        add_notes(CORPUS, f"{start}wrong\n".encode(), "n.tsv")
    assert segment_notes(CORPUS) == {}
    add_notes(CORPUS, start.encode(), "n.tsv")
    assert len(segment_notes(CORPUS)[2].text) == MAX_NOTE_LENGTH
