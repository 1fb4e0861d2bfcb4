"""What a file is taken for, and the report of what was found in it."""

from __future__ import annotations

import codecs

import pytest

from bleu_core.errors import FormatError, SettingsError
from bleu_core.formats.recognise import FileReport, FileRole, read, recognise

TEXT = b"the cat sat\non the mat\n"
DOCUMENTS = b"d1\nd1\nd1\nd2\nd2\n"


@pytest.mark.parametrize(
    ("data", "name", "role"),
    [
        (TEXT, "Online-A.txt", "system"),
        (TEXT, "A", "system"),
        (TEXT, "refined.txt", "system"),
        (TEXT, "preferred.txt", "system"),
        (TEXT, "documentary-mt.txt", "system"),
        (TEXT, "opensource.txt", "system"),
        (TEXT, "ref.txt", "reference"),
        (TEXT, "ref.A.txt", "reference"),
        (TEXT, "refA.txt", "reference"),
        (TEXT, "ref1.txt", "reference"),
        (TEXT, "newstest2020-ref.en.txt", "reference"),
        (TEXT, "REFERENCES.txt", "reference"),
        (TEXT, "synthetic_ref.txt", "reference"),
        (TEXT, "source.txt", "source"),
        (TEXT, "newstest2020-src.de.txt", "source"),
        (TEXT, "docs.txt", "document"),
        (TEXT, "en-de.docs", "system"),
        (DOCUMENTS, "en-de.txt", "document"),
        (DOCUMENTS, "Online-A.txt", "document"),
        (b"yes\nno\nyes\nno\n", "A.txt", "system"),
        (b"d1\nd1\n", "A.txt", "system"),
        (b"a\nb\nc\nd\n", "A.txt", "system"),
        (b"segment,system,score\n1,A,2\n", "ref.csv", "judgments"),
        (b"system\tscore\nA\t2\n", "A.txt", "judgments"),
        (codecs.BOM_UTF8 + b"system,score\r\nA,2\r\n", "A.csv", "judgments"),
    ],
)
def test_a_file_is_recognised_by_content_and_name(data: bytes, name: str, role: FileRole) -> None:
    assert recognise(data, name) == role


def test_a_file_that_cannot_be_read_is_not_guessed_at() -> None:
    with pytest.raises(FormatError, match=r"a\.txt, line 1"):
        recognise(b"\xff\xff", "a.txt")
    with pytest.raises(SettingsError, match="no text encoding"):
        recognise(b"a", "a.txt", "no-such")


def test_a_plain_file_is_a_column_of_its_stem() -> None:
    contents = read(codecs.BOM_UTF8 + b"the cat\r\n\r\n  \r\n", "dir/Online-A.v2.txt", "system")
    (column,) = contents.columns
    assert (column.name, column.origin, column.segments) == (
        "Online-A.v2",
        "dir/Online-A.v2.txt",
        ("the cat", "", "  "),
    )
    assert contents.judgments is None
    assert contents.report == FileReport(
        name="dir/Online-A.v2.txt",
        role="system",
        segments=3,
        empty_segments=2,
        tokens=2,
        encoding="UTF-8",
        repairs=("byte order mark removed", "3 Windows line ends (CRLF) read as LF"),
    )


def test_a_table_is_columns() -> None:
    contents = read(b"ref_1\tref_2\r\nthe cat\t\r\nit is\tthis is it\r\n", "refs.tsv", "reference", header=True)
    assert [column.name for column in contents.columns] == ["ref_1", "ref_2"]
    report = contents.report
    assert (report.segments, report.empty_segments, report.tokens) == (2, 1, 7)
    assert report.repairs == ("3 Windows line ends (CRLF) read as LF",)


def test_judgments_are_counted() -> None:
    data = b"segment,system,judge,score\n1,A,x,1\n1,B,x,2\n2,A,x,\n3,A,x,4\n"
    contents = read(data, "h.csv", "judgments")
    assert contents.columns == ()
    assert contents.judgments is not None
    assert contents.report == FileReport("h.csv", "judgments", 2, 0, 0, "UTF-8", (), ratings=3)


def test_system_level_judgments_are_of_no_segment() -> None:
    assert read(b"system,score\nA,1\n", "h.csv", "judgments").report.segments == 0


def test_judgments_need_no_suffix() -> None:
    assert read(b"system\tscore\nA\t1\n", "h.txt", "judgments").report.ratings == 1


def test_segments_that_count_from_0_are_shifted() -> None:
    contents = read(b"segment,system,score\n0,A,1\n", "h.csv", "judgments", first_segment=0)
    assert contents.judgments is not None
    assert contents.judgments.table["segment"].tolist() == [1]


def test_the_encoding_that_was_named_is_reported() -> None:
    contents = read("caf\u00e9\n".encode("latin-1"), "a.txt", "system", encoding="latin-1")
    assert contents.report.encoding == "latin-1"
    assert contents.columns[0].segments == ("caf\u00e9",)
