"""Tables whose columns are texts."""

from __future__ import annotations

import re

import pytest

from bleu_core.dataset import Column, Role
from bleu_core.errors import FormatError
from bleu_core.formats import Contents, parse_columns, read
from bleu_core.formats.delimited import parse_table
from bleu_core.formats.header_rows import detect_header
from bleu_core.formats.text import Text


def columns(content: str, role: Role = "system", name: str = "t.tsv", *, header: str = "") -> list[Column]:
    return list(read_table(content, role, name, header=header).columns)


def read_table(content: str, role: Role, name: str = "t.tsv", *, header: str = "") -> Contents:
    return read(content.encode(), name, role, own={"header": header}, format="table")


def told(found: list[Column]) -> list[tuple[str, str, tuple[str | None, ...]]]:
    return [(column.role, column.name, column.segments) for column in found]


def test_a_headers_names_are_systems() -> None:
    found = columns("A\tB\nthe cat\ta cat\nit is\tthis is\n")
    assert told(found) == [("system", "A", ("the cat", "it is")), ("system", "B", ("a cat", "this is"))]
    assert {column.origin for column in found} == {"t.tsv"}


def test_a_headers_names_decide_roles() -> None:
    found = columns("doc\tsource\tref\tA\nd1\tle chat\tthe cat\ta cat\nd1\til est\tit is\tthis is\n")
    assert [(column.role, column.name) for column in found] == [
        ("document", "doc"),
        ("source", "source"),
        ("reference", "ref"),
        ("system", "A"),
    ]


@pytest.mark.parametrize("name", ["ref_1", "ref.A", "ref-B", "reference_2", "Ref1", "REFERENCE:3"])
def test_numbered_references_are_references(name: str) -> None:
    found = columns(f"{name}\tA\nthe cat\ta cat\n", header="yes")
    assert [column.role for column in found] == ["reference", "system"]


@pytest.mark.parametrize("name", ["refined", "myref", "preference"])
def test_other_names_that_hold_ref_are_no_references(name: str) -> None:
    assert [column.role for column in columns(f"{name}\tA\nthe cat\ta cat\n")] == ["system", "system"]


@pytest.mark.parametrize("name", ["segment", "seg_id", "SEGMENT_ID", "line", "id", "index"])
def test_columns_that_number_the_rows_are_passed_over(name: str) -> None:
    assert told(columns(f"{name}\tA\n1\tx\n2\ty\n")) == [("system", "A", ("x", "y"))]


@pytest.mark.parametrize("role", ["system", "reference", "document"])
@pytest.mark.parametrize("content", ["id\n1\n2\n", "id\tline\n1\t1\n"])
def test_a_table_that_only_numbers_its_rows_is_refused(role: Role, content: str) -> None:
    with pytest.raises(FormatError, match=r"^t\.tsv"):
        columns(content, role)


def test_columns_without_a_header_are_named_after_the_file() -> None:
    found = columns("the cat\ta cat\nit is\tthis is\n", "reference", "dir/mine.v2.tsv")
    assert [(column.role, column.name) for column in found] == [("reference", "mine.v2.1"), ("reference", "mine.v2.2")]


def test_a_single_column_without_a_header_is_named_like_the_file() -> None:
    assert told(columns("the cat\nit is\n", "system", "mine.tsv")) == [("system", "mine", ("the cat", "it is"))]


def test_whether_there_is_a_header_can_be_said() -> None:
    assert told(columns("A\tB\nx\ty\n", header="yes")) == [("system", "A", ("x",)), ("system", "B", ("y",))]
    assert told(columns("A\tB\nthe cat\ty\n", header="no")) == [
        ("system", "t.1", ("A", "the cat")),
        ("system", "t.2", ("B", "y")),
    ]


@pytest.mark.parametrize(
    ("content", "header"),
    [
        ("A\tB\nthe cat\ta cat\n", True),
        ("A.v2-x\tB_1+2\nthe cat\ta cat\n", True),
        # A known name settles it.
        ("source\tA\nx\ty\n", True),
        ("seg_id\tA\n1\ty\n", True),
        ("ref\tA\n", True),
        # Text in the first row, the same word twice, or nothing but words below.
        ("the cat\ta cat\nx\ty\n", False),
        ("yes\tyes\nthe cat\ta cat\n", False),
        ("A\tB\nx\ty\n", False),
        ("A\tB\n", False),
        ("\tB\nthe cat\ta cat\n", False),
        ("A" * 61 + "\tB\nthe cat\ta cat\n", False),
    ],
)
def test_headers_are_told_from_text(content: str, header: bool) -> None:  # noqa: FBT001
    table = parse_table(Text(content, "UTF-8"), "t.tsv")
    assert table is not None
    assert detect_header(table).header is header


def test_an_empty_cell_among_several_references_is_no_reference() -> None:
    found = columns("ref_1\tref_2\tid\nthe cat\t\t1\nit is\tthis is\t2\n")
    assert told(found) == [("reference", "ref_1", ("the cat", "it is")), ("reference", "ref_2", (None, "this is"))]


def test_an_empty_cell_of_a_single_reference_is_an_empty_reference() -> None:
    found = columns("ref\tA\nthe cat\tx\n\ty\n", header="yes")
    assert found[0].segments == ("the cat", "")


def test_an_empty_cell_of_a_system_is_an_empty_segment() -> None:
    assert columns("A\tB\nthe cat\tx\n\ty\n", header="yes")[0].segments == ("the cat", "")


def test_of_a_table_that_describes_segments_only_the_documents_are_read() -> None:
    content = "seg_id\tdoc\tdomain\n1\td1\tnews\n2\td2\tnews\n"
    assert told(columns(content, "document")) == [("document", "doc", ("d1", "d2"))]


@pytest.mark.parametrize("role", ["system", "reference"])
def test_a_header_that_is_repeated_below_is_refused(role: Role) -> None:
    joined = "ref\tmt\nthe cat\ta cat\nref\tmt\nthe dog\ta dog\n"
    with pytest.raises(FormatError, match=r"^t\.tsv, line 3: the header of line 1 found again, .* were joined$"):
        columns(joined, role)
    column = "mt\nthe cat\nmt\nthe dog\n"
    with pytest.raises(FormatError, match=r"read the file with --format-of t\.tsv=table:header=no$"):
        columns(column, role)
    (read_column,) = columns(column, role, header="no")
    assert read_column.segments == ("mt", "the cat", "mt", "the dog")
    assert columns(joined.replace("ref\tmt\nthe dog", "ref\tmy\nthe dog"), role)


def test_documents_without_a_header_are_the_first_column() -> None:
    assert told(columns("d1\t1\nd1\t2\n", "document")) == [("document", "t.1", ("d1", "d1"))]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "t.tsv: the file is empty: 0 segments, at least 1 expected"),
        ("ref\tA\n", "t.tsv: the table has only a header: 0 segments, at least 1 expected"),
        ("ref\tA\nx\n", "t.tsv, line 2: 1 cell found, 2 expected as in line 1"),
    ],
)
def test_a_table_without_texts_is_refused(content: str, message: str) -> None:
    with pytest.raises(FormatError, match=f"^{re.escape(message)}$"):
        columns(content)


def test_two_columns_of_one_name_are_refused() -> None:
    with pytest.raises(FormatError, match=r"^t\.tsv, line 1: two columns are named 'A'; rename one$"):
        columns("A\tB\tA\nx\ty\tz\n", header="yes")


@pytest.mark.parametrize("content", ["ref\tref\nthe cat\ta cat\n", "source\tA\tA\nle chat\tx\ty\n"])
def test_a_header_with_a_known_name_is_one_even_when_a_name_stands_twice(content: str) -> None:
    with pytest.raises(FormatError, match="line 1: two columns are named"):
        columns(content)


@pytest.mark.parametrize(
    ("header", "role", "used", "note"),
    [
        (
            "doc\tdoc_id\tA",
            "system",
            [("document", "doc"), ("system", "A")],
            "doc_id (the documents are in doc)",
        ),
        (
            "doc_id\tdocument\tdoc\tA",
            "system",
            [("document", "doc_id"), ("system", "A")],
            "document, doc (the documents are in doc_id)",
        ),
        (
            "source\tsrc\tA",
            "system",
            [("source", "source"), ("system", "A")],
            "src (the source is in source)",
        ),
        (
            "A\tsrc\tref",
            "source",
            [("source", "src"), ("reference", "ref")],
            "A (the source is in src)",
        ),
        (
            "doc\tdocument\tB",
            "document",
            [("document", "doc")],
            "document (the documents are in doc)",
        ),
    ],
)
def test_of_several_columns_of_the_source_or_the_documents_one_is_used(
    header: str, role: Role, used: list[tuple[str, str]], note: str
) -> None:
    rows = "\t".join(["a b"] * len(header.split("\t")))
    contents = read_table(f"{header}\n{rows}\n", role)
    assert [(column.role, column.name) for column in contents.columns] == used
    words = {"system": "system", "source": "source", "reference": "reference", "document": "documents"}
    columns_used = ", ".join(f"{name} ({words[role]})" for role, name in used)
    assert contents.report.notes == (f"columns used: {columns_used}; not used: {note}",)


def test_columns_without_a_header_are_addressed_by_their_numbers() -> None:
    content = b"le chat\tthe cat\nil est\tit is\n"
    with pytest.raises(FormatError, match=r"several columns may be the source \(t\.1, t\.2\).* t\.tsv:t\.1=source$"):
        read(content, "t.tsv", "source", format="table")
    contents = read(content, "t.tsv", "source", columns=parse_columns("t.1=source"))
    assert told(list(contents.columns)) == [("source", "t.1", ("le chat", "il est"))]


def test_what_is_not_used_is_in_the_report() -> None:
    report = read(b"doc\tdoc_id\ttext\nd1\t1\ta b\n", "t.tsv", "system").report
    assert report.notes == (
        "columns used: doc (documents), text (system); not used: doc_id (the documents are in doc)",
    )


# --- headers that say nothing about whose text it is -------------------------------------------------------------

WORDS = ["Target", "Translation", "Hypothesis", "MT", "Output", "text", "TARGET", "tgt", "Target text", "MT-output"]


@pytest.mark.parametrize("word", WORDS)
def test_a_column_with_a_generic_header_is_named_after_the_file(word: str) -> None:
    found = columns(f"ID;Source;{word}\n1;le chat;the cat\n2;il est;it is\n", name="folder/DeepX.v2.csv")
    assert told(found) == [("source", "Source", ("le chat", "il est")), ("system", "DeepX.v2", ("the cat", "it is"))]


def test_a_single_generic_header_names_the_column_after_the_file_in_any_role() -> None:
    content = "Translation\nthe cat\nit is\n"
    assert told(columns(content, "reference", "mine.tsv")) == [("reference", "mine", ("the cat", "it is"))]


def test_several_generic_headers_of_a_file_stay_apart() -> None:
    found = columns("Source,MT 1,MT 2\nle chat,a cat,the cat\n", name="all.csv")
    assert [column.name for column in found] == ["Source", "MT 1", "MT 2"]


@pytest.mark.parametrize("word", ["targets", "MTX", "my text", "GPT4", "outputs_v2"])
def test_a_header_of_its_own_names_its_column(word: str) -> None:
    content = f"source\t{word}\nle chat\tthe cat\n"
    assert columns(content, header="yes")[1].name == word


def test_a_long_name_of_a_column_is_cut_in_a_note() -> None:
    header = f"source{'.' * 5000}\tsrc\tA"
    notes = read_table(f"{header}\nuno\tuno\tone\n", "source").report.notes
    (note,) = (each for each in notes if "the source is in" in each)
    assert len(note) < 400


def test_a_table_of_nothing_but_documents_with_an_empty_cell_is_refused() -> None:
    message = r"t\.tsv: no column of text found \(document, segment\); check the header and the cells"
    with pytest.raises(FormatError, match=message):
        columns("document\tsegment\nd1\t1\n\t2\n")
