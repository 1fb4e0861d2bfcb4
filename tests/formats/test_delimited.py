"""Cells of tab-separated and comma-separated files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from bleu_core.errors import FormatError
from bleu_core.formats import delimited, is_delimited
from bleu_core.formats.delimited import (
    MIN_PANDAS_CHARS,
    Table,
    check_cells,
    guess_delimiter,
    iter_rows,
    parse_table,
)
from bleu_core.formats.text import Text
from bleu_core.limits import Limits


def cells(content: str, name: str) -> list[tuple[str, ...]]:
    return rows(parse_table(Text(content, "UTF-8"), name))


def rows(table: Table | None) -> list[tuple[str, ...]]:
    return [] if table is None else [table.header, *zip(*table.columns, strict=True)]


def line_numbers(table: Table | None) -> list[int]:
    return [] if table is None else [table.line, *table.lines]


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
    assert guess_delimiter(line) == wanted


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
    found = parse_table(Text('a,b\n"x\ny",z\nc,d\n', "UTF-8"), "t.csv")
    assert rows(found) == [("a", "b"), ("x\ny", "z"), ("c", "d")]
    assert line_numbers(found) == [1, 2, 4]


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


@pytest.mark.parametrize("separator", ["\t", ",", ";"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_empty_rows_at_the_end_and_blank_lines_are_left_out_with_their_number(separator: str, end: str) -> None:
    lines = ["a{0}b", "", "c{0}", "{0}", '"d"{0}e', "{0}", " {0}", "{0}", ""]
    content = end.join(lines).format(separator)
    found = parse_table(Text(content, "UTF-8"), "t.tsv" if separator == "\t" else "t.csv")
    assert found is not None
    last = '"d"' if separator == "\t" else "d"
    assert rows(found) == [("a", "b"), ("c", ""), ("", ""), (last, "e")]  # a segment may have no text
    assert line_numbers(found) == [1, 3, 4, 5]
    assert found.notes == ("1 blank line between rows left out", "3 empty rows at the end left out")


def test_empty_rows_at_the_end_of_a_large_table_are_left_out() -> None:
    content = "a;b\n" + "x y;z\n" * (MIN_PANDAS_CHARS // 6) + ";\n;\n"
    found = parse_table(Text(content, "UTF-8"), "t.csv")
    assert found is not None
    assert set(found.columns[1]) == {"z"}
    assert found.notes == ("2 empty rows at the end left out",)


@pytest.mark.parametrize("separator", ["\t", ","])
@pytest.mark.parametrize(("row", "count"), [("c", 1), ("c{0}d{0}e", 3)])
def test_rows_of_another_width_are_refused_with_both_counts(separator: str, row: str, count: int) -> None:
    content = f"a{separator}b\n{row.format(separator)}\nx{separator}y\n"
    name = "t.tsv" if separator == "\t" else "t.csv"
    noun = "cell" if count == 1 else "cells"
    with pytest.raises(FormatError, match=f"^{name}, line 2: {count} {noun} found, 2 expected as in line 1$"):
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


# --- quotation marks between tabs ---------------------------------------------------------------------------------


def excel_tab(table: Sequence[Sequence[str]], **options: int) -> str:
    """A table as Excel's text (tab delimited) and the dialect excel-tab of the csv module have it."""
    out = io.StringIO(newline="")
    csv.writer(out, dialect="excel-tab", **options).writerows(table)  # pyright: ignore[reportArgumentType]
    return out.getvalue()


QUOTES = [
    ["sysA", "sysB"],
    ['He said "no" to me today.', 'He said "yes" to me today.'],
    ['"All of it."', "The dog, then."],
]


@pytest.mark.parametrize("name", ["t.tsv", "t.csv"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_cells_that_excel_has_quoted_are_read_without_the_marks_and_this_is_said(name: str, quoting: int) -> None:
    content = excel_tab(QUOTES, quoting=quoting)
    found = parse_table(Text(content, "UTF-8"), name)
    assert found is not None
    assert rows(found) == list(map(tuple, QUOTES))
    count = 3 if quoting == csv.QUOTE_MINIMAL else 6
    assert found.notes == (f"quotation marks around {count} cells, as Excel writes them, removed",)


@pytest.mark.parametrize(
    "table",
    [
        [["a", "b"], ["one\ntwo", "x"], ["y", "z"]],  # a line break in a cell
        [["a", "b"], ["one\ttwo", "x"], ["y", "z"]],
        [["a", "b"], ["x", 'the "z"'], ["a\n\nb", "y"]],
    ],
)
def test_quoted_cells_with_line_breaks_and_tabs_are_one_cell(table: list[list[str]]) -> None:
    assert cells(excel_tab(table), "t.tsv") == list(map(tuple, table))


def test_excel_quotes_cells_with_commas_too() -> None:
    content = 'a\tb\n"Yes, well"\tx\n"No, no"\ty\nz\t"a, b"\n'
    assert cells(content, "t.tsv") == [("a", "b"), ("Yes, well", "x"), ("No, no", "y"), ("z", "a, b")]


@pytest.mark.parametrize(
    "content",
    [
        'a\tb\n"Hello."\tx\n',  # a text in quotation marks: Excel would have written three
        'a\tb\n"He said ""no""."\tx\ny\t5" pipe\n',  # another cell has a mark that is not quoted
        'a\tb\n"Hello," she said.\t"Hallo"\n',
        'a\tb\n"Hello, you."\tHallo, du.\n"Yes, you."\tx\n"Well, no."\ty\n',  # as above, and with commas
        'a\tb\n"x\ty"\n',  # regular as it is
        '"Hello."\n"Yes."\n',  # one column: may be texts
        "a\tb\n'x'\ty\n",
        'a\tb\n" x\ty\nz\t"\n',
        'a\tb\n"\ty\n',
    ],
)
def test_marks_that_may_be_part_of_the_texts_are_kept(content: str) -> None:
    found = parse_table(Text(content, "UTF-8"), "t.tsv")
    assert found is not None
    assert rows(found) == [tuple(line.split("\t")) for line in content.splitlines()]
    assert found.notes == ()


def test_a_large_table_that_excel_has_quoted_is_read_like_a_small_one() -> None:
    table = [["a", "b"], *([f'"{n}" is, he said', f"x {n}"] for n in range(MIN_PANDAS_CHARS // 20))]
    text = Text(excel_tab(table), "UTF-8")
    check_cells(text, "t.tsv", Limits())
    found = parse_table(text, "t.tsv")
    assert found is not None
    assert [list(column) for column in found.columns] == [[row[i] for row in table[1:]] for i in range(2)]
    assert len(found.notes) == 1


@given(
    st.integers(2, 3).flatmap(lambda n: st.lists(st.lists(st.text('ab",\n\t ', max_size=5), min_size=n, max_size=n)))
)
def test_a_table_of_the_csv_module_is_read_as_it_was_or_with_all_its_marks(table: list[list[str]]) -> None:
    width = len(table[0]) if table else 2
    table = [["x"] * width, *table, ["y"] * width]
    text = Text(excel_tab(table), "UTF-8")
    if text.quoted_cells:
        assert rows(parse_table(text, "t.tsv")) == [tuple(row) for row in table]
    else:  # there is nothing that has to be quoted, or tabs and line breaks in cells look like those between them
        marks = any('"' in cell for row in table for cell in row)
        assert not marks or any(set("\n\t") & set(cell) for row in table for cell in row)


# --- round trips ------------------------------------------------------------------------------------------------

CELLS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0\t\n\r"), min_size=1, max_size=6)
TABLES = st.integers(2, 4).flatmap(
    lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=5)
)


@given(TABLES)
def test_tab_separated_cells_are_read_as_written(table: list[list[str]]) -> None:
    content = "".join("\t".join(row) + "\n" for row in [*table, ["end"] * len(table[0])])
    assume(not Text(content, "UTF-8").quoted_cells)
    table.append(["end"] * len(table[0]))
    assert cells(content, "t.tsv") == [tuple(row) for row in table]


@given(st.text('ab",;\t\n\r ', min_size=1, max_size=40), st.sampled_from(["t.tsv", "t.csv"]))
def test_a_large_table_of_repeated_cells_is_read_like_a_small_one(content: str, name: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        small = _outcome(content, name)
        patch.setattr(delimited, "MIN_PANDAS_CHARS", 1)
        patch.setattr(delimited, "MAX_DISTINCT_SHARE", 1.0)
        assert _outcome(content, name) == small


def _outcome(content: str, name: str) -> object:
    try:
        table = parse_table(Text(content, "UTF-8"), name)
    except FormatError as error:
        return str(error)
    return None if table is None else (rows(table), line_numbers(table), table.notes, table.decimal_commas)


@given(TABLES)
def test_what_the_csv_module_writes_is_read(table: list[list[str]]) -> None:
    # The first line decides between comma and semicolon, and empty rows at the end would be left out.
    plain = [["a"] * len(table[0]), *table, ["end"] * len(table[0])]
    out = io.StringIO(newline="")
    csv.writer(out).writerows(plain)
    assert cells(out.getvalue(), "t.csv") == [tuple(row) for row in plain]


@contextmanager
def limit_of_the_csv_module(length: int) -> Iterator[None]:
    before = csv.field_size_limit(length)
    try:
        yield
    finally:
        csv.field_size_limit(before)


@example(content='a,"b""c\r\nd', strict=False, separator=",")
@example(content='"ab"c"d",e\n', strict=False, separator=",")
@given(content=st.text('ab",;\t\n\r ', max_size=40), strict=st.booleans(), separator=st.sampled_from(",;\t"))
def test_cells_longer_than_the_limit_of_the_csv_module_are_read_like_shorter_ones(
    content: str,
    strict: bool,  # noqa: FBT001
    separator: str,
) -> None:
    def read() -> object:
        try:
            return list(iter_rows(lambda: (content,), separator, "t", quoted=True, strict=strict))
        except FormatError as error:
            return str(error)

    with limit_of_the_csv_module(0 if len(content) % 2 else 2):
        found = read()
    assert found == read()


@pytest.mark.parametrize("name", ["t.csv", "t.tsv"])
def test_a_cell_of_megabytes_is_read(name: str) -> None:
    mark = "," if name.endswith("csv") else "\t"
    long = "a\n" * 2**20
    content = f'id{mark}text\n1{mark}x\n"2"{mark}"{long}"\n3{mark}"{mark}"\n'
    assert cells(content, name) == [("id", "text"), ("1", "x"), ("2", long), ("3", mark)]
