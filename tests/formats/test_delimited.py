"""Rows of tab-separated and comma-separated files."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_core.errors import FormatError
from bleu_core.formats import is_delimited
from bleu_core.formats.delimited import Row, delimiter, rows
from bleu_core.formats.text import Text


def cells(content: str, name: str) -> list[tuple[str, ...]]:
    return [row.cells for row in rows(Text(content, "UTF-8"), name)]


@pytest.mark.parametrize("name", ["a.tsv", "a.TSV", "a.tab", "dir/a.csv", "a.b.csv"])
def test_tables_are_known_by_their_suffix(name: str) -> None:
    assert is_delimited(name)


@pytest.mark.parametrize("name", ["a.txt", "a", "csv", "tsv.txt", ".csv"])
def test_other_files_are_no_tables(name: str) -> None:
    assert not is_delimited(name)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [("a\tb,c", "\t"), ("a,b", ","), ("a;b", ";"), ("a;b,c;d", ";"), ("a;b,c", ","), ("a", ","), ("", ",")],
)
def test_the_delimiter_is_found_in_the_first_line(line: str, wanted: str) -> None:
    assert delimiter(line) == wanted


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        ("Yes, well, no;Ja\nGood;Gut\n", [("Yes, well, no", "Ja"), ("Good", "Gut")]),
        ("Yes; well; no,Ja\nGood,Gut\n", [("Yes; well; no", "Ja"), ("Good", "Gut")]),
        ('a,b;c\n"d,e";f\n', [("a,b", "c"), ("d,e", "f")]),
        ("a,b\nx;y,z\n", [("a", "b"), ("x;y", "z")]),
        ("a,b;c,d\n1,2;3,4\n", [("a", "b;c", "d"), ("1", "2;3", "4")]),
    ],
)
def test_the_next_lines_show_what_separates_cells(content: str, wanted: list[tuple[str, ...]]) -> None:
    assert cells(content, "t.csv") == wanted


def test_rows_know_the_line_they_begin_on() -> None:
    found = rows(Text('a,b\n"x\ny",z\nc,d\n', "UTF-8"), "t.csv")
    assert found == (Row(1, ("a", "b")), Row(2, ("x\ny", "z")), Row(4, ("c", "d")))


def test_tab_separated_files_have_no_quoting() -> None:
    content = 'a\t"b\n"x" y\tz"\n'
    assert cells(content, "t.tsv") == [("a", '"b'), ('"x" y', 'z"')]


def test_comma_separated_files_are_quoted_as_spreadsheets_do() -> None:
    assert cells('"a ""b""",c\n"d, e",\n', "t.csv") == [('a "b"', "c"), ("d, e", "")]
    assert cells('"a;b";c\nd;e\n', "t.csv") == [("a;b", "c"), ("d", "e")]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("separator", ["\t", ",", ";"])
def test_line_ends_are_no_part_of_a_cell(end: str, separator: str) -> None:
    content = f"a{separator}b{end}c{separator}d{end}"
    assert cells(content, "t.tsv" if separator == "\t" else "t.csv") == [("a", "b"), ("c", "d")]


@pytest.mark.parametrize("separator", ["\t", ","])
def test_blank_lines_at_the_end_are_ignored(separator: str) -> None:
    content = f"a{separator}b\nc{separator}d\n\n\n"
    assert cells(content, "t.tsv" if separator == "\t" else "t.csv") == [("a", "b"), ("c", "d")]


@pytest.mark.parametrize("separator", ["\t", ","])
@pytest.mark.parametrize(("row", "count"), [("c", 1), ("c{0}d{0}e", 3), ("", 1)])
def test_rows_of_another_width_are_refused_with_both_counts(separator: str, row: str, count: int) -> None:
    content = f"a{separator}b\n{row.format(separator)}\nx{separator}y\n"
    name = "t.tsv" if separator == "\t" else "t.csv"
    found = 0 if separator == "," and not row else count  # a blank line holds no cell
    noun = "cell" if found == 1 else "cells"
    with pytest.raises(FormatError, match=f"^{name}, line 2: {found} {noun} found, 2 expected as in line 1$"):
        cells(content, name)


@pytest.mark.parametrize("content", ["a\nb,c\n", "a\n\nb,c\n", "Hello\nOne, two\n"])
def test_a_wider_row_below_a_single_column_is_refused(content: str) -> None:
    line = content.count("\n")
    with pytest.raises(FormatError, match=f"^t.csv, line {line}: 2 cells found, 1 expected as in line 1$"):
        cells(content, "t.csv")


def test_a_row_of_another_width_is_named_by_its_line_after_a_cell_of_two_lines() -> None:
    with pytest.raises(FormatError, match=r"^t\.csv, line 4: 1 cell found, 2 expected"):
        cells('a,b\n"x\ny",z\nc\n', "t.csv")


@pytest.mark.parametrize(("content", "line"), [('a,b\n"c,d\n', 2), ('a,b\nc,"d" e\n', 2), ('"a', 1)])
def test_quotation_marks_that_do_not_match_are_refused(content: str, line: int) -> None:
    with pytest.raises(FormatError, match=f"^t.csv, line {line}: cannot be read as a table: .*quotation marks$"):
        cells(content, "t.csv")


def test_an_empty_file_has_no_rows() -> None:
    assert cells("", "t.tsv") == cells("", "t.csv") == cells("\n\n", "t.csv") == []


def test_cells_may_be_longer_than_the_csv_modules_default() -> None:
    long = "x" * 200_000
    assert cells(f"a,{long}\n", "t.csv") == [("a", long)]


# --- what the suffix .tsv says ----------------------------------------------------------------------------------


@pytest.mark.parametrize("content", ["Hello, world\nOne, two\n", "a; b\nc\n", 'She said "no", then left\n"x" y\n'])
def test_a_tsv_of_one_column_is_split_at_nothing(content: str) -> None:
    assert cells(content, "t.tsv") == [(line,) for line in content.removesuffix("\n").split("\n")]


def test_empty_cells_of_a_single_column_are_cells() -> None:
    # Empty lines are segments, in a table as in a plain file.
    assert cells("a\n\nb\n\n", "t.tsv") == [("a",), ("",), ("b",), ("",)]


def test_a_tab_in_a_quoted_cell_does_not_make_a_csv_tab_separated() -> None:
    assert cells('"a\tb",c\nd,e\n', "t.csv") == [("a\tb", "c"), ("d", "e")]


# --- round trips ------------------------------------------------------------------------------------------------

CELLS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0\t\n\r"), min_size=1, max_size=6)
TABLES = st.integers(2, 4).flatmap(
    lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=5)
)


@given(TABLES)
def test_tab_separated_cells_are_read_as_written(table: list[list[str]]) -> None:
    content = "".join("\t".join(row) + "\n" for row in table)
    assert cells(content, "t.tsv") == [tuple(row) for row in table]


@given(TABLES)
def test_what_the_csv_module_writes_is_read(table: list[list[str]]) -> None:
    plain = [["a"] * len(table[0]), *table]  # the first line decides between comma and semicolon
    out = io.StringIO(newline="")
    csv.writer(out).writerows(plain)
    assert cells(out.getvalue(), "t.csv") == [tuple(row) for row in plain]
