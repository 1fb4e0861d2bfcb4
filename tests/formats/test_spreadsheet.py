"""Spreadsheets: a sheet is read like the same table as text, within the limits."""

from __future__ import annotations

import datetime as dt
import io
import random
import resource
import zipfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest
import xlsxwriter
from small_files import OPEN_DOCUMENT, open_document, open_document_rows, workbook
from timed import within_seconds

from bleu_core import cli
from bleu_core.errors import FormatError
from bleu_core.formats import Contents, FileRole, inspect, option_values, read, recognise, recognise_format_key
from bleu_core.limits import DEFAULT_LIMITS, LimitError, Limits
from bleu_core.uploads import assemble, create_file

TEXTS = [["source", "ref A", "S1"], ["uno", "one", "one"], ["dos", "two", ""], ["tres", "three", "tree"]]
RATINGS = [["segment", "system", "judge", "score"], [1, "S1", "x", 3], [2, "S1", "x", 2.5], [3, "S1", "x", ""]]
SCORES = [["system", "metric", "segment", "score"], ["S1", "M", 1, 0.5], ["S1", "M", 2, 1]]
LABELS = [["segment", "domain"], [1, "news"], [2, "talk"]]
MQM = [
    ["system", "doc", "seg_id", "rater", "source", "target", "category", "severity"],
    ["S1", "d", 1, "r", "uno", 'on "e', "Style", "Minor"],
]

BOOKS: dict[str, Callable[[list[list[object]]], bytes]] = {
    ".xlsx": workbook,
    ".ods": lambda rows: open_document(open_document_rows(rows)),
}


def tsv(rows: list[list[object]]) -> bytes:
    return "".join("\t".join(map(str, row)) + "\n" for row in rows).encode()


@pytest.mark.parametrize("ending", BOOKS)
@pytest.mark.parametrize(
    ("rows", "role"),
    [(TEXTS, "system"), (RATINGS, "judgments"), (SCORES, "scores"), (LABELS, "labels"), (MQM, "judgments")],
)
def test_a_sheet_is_read_like_the_same_table_as_text(ending: str, rows: list[list[object]], role: FileRole) -> None:
    data, expected = BOOKS[ending](rows), read(tsv(rows), "a.tsv", role)
    for name in (f"a{ending}", "a.txt", "a"):
        assert recognise(data, name) == role
        assert inspect(data, name).format == "spreadsheet"
        found = read(data, name, role)
        assert found.report.format == f"spreadsheet: {expected.report.format}"
        assert found.report.encoding == ending[1:].upper()
        assert [(c.role, c.name, c.segments) for c in found.columns] == [
            (c.role, c.name, c.segments) for c in expected.columns
        ]
        for found_side, side in ((found.judgments, expected.judgments), (found.labels, expected.labels)):
            assert (found_side is None) == (side is None)
        if found.judgments is not None and expected.judgments is not None:
            assert found.judgments.digest == expected.judgments.digest
        assert [t.scores.tolist() for t in found.scores] == [t.scores.tolist() for t in expected.scores]


@pytest.mark.parametrize("ending", BOOKS)
def test_a_single_column_is_a_text(ending: str) -> None:
    column = read(BOOKS[ending]([["the cat"], ["a, b; c"], ['"'], ["the end"]]), f"S1{ending}", "system").columns[0]
    assert (column.name, column.segments) == ("S1", ("the cat", "a, b; c", '"', "the end"))


def book(fill: Callable[[xlsxwriter.Workbook], None]) -> bytes:
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream) as made:
        fill(made)
    return stream.getvalue()


def test_cells_are_read_as_a_sheet_shows_them() -> None:
    def fill(made: xlsxwriter.Workbook) -> None:
        sheet = made.add_worksheet()
        for i, value in enumerate(["some words", 3.0, 0.1, True, 1e15, 1.5e-7, -2, "007"]):
            sheet.write(i, 0, value)
        sheet.write_formula(8, 0, "=1+1", None, 2)
        sheet.write_formula(9, 0, '="a"&"b"', None, "ab")  # pyright: ignore[reportArgumentType] # it takes texts
        sheet.write_datetime(10, 0, dt.datetime(2020, 1, 2), made.add_format({"num_format": "yyyy-mm-dd"}))  # noqa: DTZ001
        sheet.write_rich_string(11, 0, "a ", made.add_format({"bold": True}), "b", " c")

    found = read(book(fill), "a.xlsx", "system").columns[0].segments
    assert found == (
        *(
            "some words",
            "3",
            "0.1",
            "TRUE",
            "1000000000000000",
            "1.5e-07",
            "-2",
            "007",
            "2",
            "ab",
            "2020-01-02",
            "a b c",
        ),
    )


def test_line_breaks_and_tabs_in_cells_become_blanks_and_are_counted() -> None:
    found = read(workbook([["A", "B"], ["one\ntwo", "x\ty\r\nz"], ["a b", "c"]]), "a.xlsx", "system")
    assert [column.segments for column in found.columns] == [("one two", "a b"), ("x y z", "c")]
    assert found.report.repairs == ("line breaks or tabs in 2 cells read as blanks",)


def test_what_surrounds_a_table_is_skipped() -> None:
    rows: list[list[object]] = [
        ["", ""],
        ["", "", "source", "", "S1"],
        ["", "", "uno", "", "one"],
        ["", "", "", "", ""],
        ["", "", "d", "", "e"],
    ]
    for ending, make in BOOKS.items():
        found = read(make([*rows, ["", ""], [""]]), f"a{ending}", "system")
        assert [(c.name, c.segments) for c in found.columns] == [("source", ("uno", "", "d")), ("S1", ("one", "", "e"))]
        assert found.report.repairs == ("1 empty row above the table skipped",)


def test_empty_rows_at_the_end_are_left_out_with_a_note() -> None:
    for ending, make in BOOKS.items():
        found = read(make([["ref", "S1"], ["one", "two"], ["", ""], [" ", ""]]), f"a{ending}", "system")
        assert [column.segments for column in found.columns] == [("one",), ("two",)]
        assert found.report.notes == ("2 empty rows at the end left out",)


def test_a_sheet_is_chosen_by_name_or_number() -> None:
    data = workbook([], [["the cat"]], [["the dog"]])
    assert read(data, "a.xlsx", "system").columns[0].segments == ("the cat",)
    for sheet, text in (("2", "the cat"), ("3", "the dog"), ("Sheet3", "the dog")):
        assert read(data, "a.xlsx", "system", own={"sheet": sheet}).columns[0].segments == (text,)
        inspection = inspect(data, "a.xlsx")
        again = read(data, "a.xlsx", "system", own={"sheet": sheet}, inspection=inspection)
        assert again.columns[0].segments == (text,)
    assert read(data, "a.xlsx", "system").report.decisions == ("sheet Sheet2 read; other sheets: Sheet1, Sheet3",)
    with pytest.raises(
        FormatError, match=r"^a\.xlsx: sheet 'Sheet9' found, one of Sheet1, Sheet2, Sheet3 or its number"
    ):
        read(data, "a.xlsx", "system", own={"sheet": "Sheet9"})
    with pytest.raises(FormatError, match=r"^a\.xlsx: no cell found in the sheet, a table expected"):
        read(data, "a.xlsx", "system", own={"sheet": "1"})
    with pytest.raises(FormatError, match=r"^a\.xlsx: no cell found in 1 sheet, a table expected"):
        read(workbook([]), "a.xlsx", "system")


@pytest.mark.parametrize("ending", BOOKS)
def test_the_sheets_of_a_file_are_listed(ending: str) -> None:
    two = open_document("", "") if ending == ".ods" else workbook([], [["the cat"]])
    names = ["T1", "T2"] if ending == ".ods" else ["Sheet1", "Sheet2"]
    assert option_values(two, "a", "spreadsheet")["sheet"] == names
    assert recognise_format_key(two, "a") == "spreadsheet"
    with pytest.raises(FormatError, match=r"^a: cannot be read as a zip"):
        option_values(two[: len(two) // 2], "a", "spreadsheet")


def test_hidden_sheets_come_last() -> None:
    def fill(made: xlsxwriter.Workbook) -> None:
        made.add_chartsheet()
        hidden, shown = made.add_worksheet("x"), made.add_worksheet("y")
        hidden.write(0, 0, "hidden")
        hidden.hide()
        shown.write(0, 0, "shown")
        shown.activate()
        shown.set_first_sheet()

    assert read(book(fill), "a.xlsx", "system").columns[0].segments == ("shown",)


def test_errors_name_the_row_of_the_sheet() -> None:
    with pytest.raises(FormatError, match=r"^h\.xlsx, line 3: score 'x' found, a number expected"):
        read(workbook([["system", "score"], ["A", 1], ["B", "x"]]), "h.xlsx", "judgments")


def test_a_format_that_is_chosen_is_that_of_the_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = workbook([["system", "rating"], ["A", 1]])
    assert read(data, "h.xlsx", "judgments", format="ratings").judgments is not None
    assert read(data, "h.xlsx", "judgments", format="spreadsheet").judgments is not None
    (tmp_path / "out.xlsx").write_bytes(workbook([["nothing"]], [["S1", "S2"], ["a b c d", "a b c d e"]]))
    (tmp_path / "ref.ods").write_bytes(open_document(open_document_rows([["a b c d e"]])))
    out, ref = str(tmp_path / "out.xlsx"), str(tmp_path / "ref.ods")
    call = ["score", "--format", "tsv", "--ref", ref, out, "--format-of", f"{out}=spreadsheet:sheet=2"]
    assert cli.main(call) == 0
    assert capsys.readouterr().out.split("\n")[2].startswith("S2\t100")


def test_the_page_reads_sheets_and_chooses_them() -> None:
    data = workbook([["source", "S1"], ["uno", "one"]], [["source", "S2"], ["uno", "on"]])
    file = create_file("a.xlsx", data, None)
    assert assemble([file]).corpus.systems == {"S1": ("one",)}
    report = assemble([create_file("a.xlsx", data, "system")]).entries[0].report
    assert report is not None
    assert report.format_key == "spreadsheet"


# --- damaged and hostile files -----------------------------------------------------------------------------------


def zipped(files: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def with_files(data: bytes, changes: Mapping[str, Callable[[str], str]]) -> bytes:
    """A spreadsheet with other contents of some of its files."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    return zipped(files | {name: change(files[name]) for name, change in changes.items()})


SHEET = "xl/worksheets/sheet1.xml"


def sheet_with(cells: str) -> bytes:
    """A workbook with the XML of the rows given."""
    start = workbook([["a"]])
    return with_files(start, {SHEET: lambda old: old[: old.index("<row")] + cells + old[old.index("</sheetData>") :]})


def test_a_sheet_in_other_words_is_read() -> None:
    text = 't="inlineStr"><is><t>{}</t></is></c>'
    first = f'<c {text.format("a")}<c r="C1" {text.format("b")}'
    cells = f'<row>{first}</row><row r="3"><c><v>2</v></c></row>'
    found = read(sheet_with(cells), "a.xlsx", "system", own={"header": "no"})
    assert [column.segments for column in found.columns] == [("a", "", "2"), ("b", "", "")]


FAR: dict[str, tuple[bytes, str]] = {
    "a cell far away": (sheet_with('<row r="1"><c r="A1"><v>1</v></c><c r="XFD1000"><v>1</v></c></row>'), "columns"),
    "a row far away": (
        sheet_with('<row r="1"><c r="E1"><v>1</v></c></row><row r="1048576"><c r="A1048576"><v>1</v></c></row>'),
        "cells in the sheet",
    ),
    "a column without end": (sheet_with(f'<row r="1"><c r="{"Z" * 500}1"><v>1</v></c></row>'), "columns"),
    "many cells without places": (sheet_with(f"<row>{'<c><v>1</v></c>' * 2000}</row>"), "columns"),
    "a cell repeated": (
        open_document(
            '<table:table-row><table:table-cell table:number-columns-repeated="2000000000" '
            'office:value-type="float" office:value="1"/></table:table-row>'
        ),
        "columns",
    ),
    "a row repeated": (
        open_document(
            '<table:table-row table:number-rows-repeated="2000000000"><table:table-cell office:value-type="float" '
            'office:value="1"/></table:table-row>'
        ),
        "cells in the sheet",
    ),
    "empty rows before a value": (
        open_document('<table:table-row table:number-rows-repeated="1000000"/>' + open_document_rows([["a"]])),
        "cells in the sheet",
    ),
}


@pytest.mark.parametrize("file", FAR)
def test_sheets_that_are_too_large_are_refused(file: str) -> None:
    data, what = FAR[file]
    with pytest.raises(LimitError, match=rf"^a\.x: [\d,]+ {what} found, at most"):
        read(data, "a.x", "system")


@pytest.mark.parametrize("place", ["XFD1048576", "ALL1048576"])
def test_a_sheet_too_large_for_the_memory_stops_its_reader_only(place: str) -> None:
    data = sheet_with(f'<row r="1"><c r="A1"><v>1</v></c></row><row><c r="{place}"><v>1</v></c></row>')
    with pytest.raises(FormatError, match=r"^a\.x: cannot be read: the (file makes the )?spreadsheet reader "):
        read(data, "a.x", "system", limits=Limits(reader_memory=400_000_000))


def test_empty_cells_to_the_end_of_a_sheet_do_not_count() -> None:
    row, cell, text = "<table:table-row", "<table:table-cell", "><text:p>b</text:p></table:table-cell>"
    value = (
        f'{row}>{cell} office:value-type="string"{text}{cell} table:number-columns-repeated="16383"/></table:table-row>'
    )
    end = f'{row} table:number-rows-repeated="1048573">{cell} table:number-columns-repeated="16384"/></table:table-row>'
    data = open_document(open_document_rows([["a"]]) + value + end)
    assert read(data, "a.ods", "system").columns[0].segments == ("a", "b")


def bomb(size: int) -> bytes:
    content = f"<worksheet><sheetData>{' ' * size}</sheetData></worksheet>"
    return zipped({"[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>", SHEET: content})


@pytest.mark.usefixtures("readers_here")
def test_bombs_are_refused_before_they_are_unpacked() -> None:
    data = bomb(2**25)
    ratio = r"^a\.xlsx: [\d,]+ unpacked bytes per packed byte found, at most 100 allowed"
    size = r"^a\.xlsx, unpacked: [\d,]+ bytes found, at most 1,000,000 allowed"
    for limits, message in ((DEFAULT_LIMITS, ratio), (Limits(file_bytes=1_000_000), size)):

        def refuse(limits: Limits = limits, message: str = message) -> None:
            with pytest.raises(LimitError, match=message):
                read(data, "a.xlsx", "system", limits=limits)

        within_seconds(0.5, refuse)


def test_a_size_that_is_not_true_is_found() -> None:
    rows = "".join(f'<row r="{i}"><c r="A{i}" t="str"><v>{"a" * 10_000}</v></c></row>' for i in range(1, 3001))
    data = bytearray(sheet_with(rows))
    at = data.rindex(b"PK\x01\x02", 0, data.rindex(SHEET.encode()))
    data[at + 24 : at + 28] = (100).to_bytes(4, "little")
    with pytest.raises(FormatError, match=r"^a\.xlsx: cannot be read as a spreadsheet: .*; save the file again"):
        read(bytes(data), "a.xlsx", "system")


@pytest.mark.parametrize("ending", BOOKS)
def test_two_files_of_one_name_are_refused(ending: str) -> None:
    path = {".xlsx": SHEET, ".ods": "content.xml"}[ending]
    stream = io.BytesIO(BOOKS[ending]([["source", "S1"], ["uno", "one"]]))
    with zipfile.ZipFile(stream, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr(path, "<x/>")
    with pytest.raises(
        FormatError, match=rf"^a\.x: two files in it are named '{path}', 1 expected; save the file again"
    ):
        read(stream.getvalue(), "a.x", "system")


def test_what_follows_the_rows_of_a_sheet_is_no_value() -> None:
    empty = '<table:table-row><table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
    after = "<table:named-expressions><table:named-range/></table:named-expressions>"
    data = open_document(open_document_rows([["a"], ["b"]]) + empty + after)
    assert read(data, "a.ods", "system").columns[0].segments == ("a", "b")


def test_a_spreadsheet_with_a_password_and_one_of_another_kind_are_refused() -> None:
    with pytest.raises(FormatError, match=r"^a\.xlsx: a file of an older Microsoft Office found"):
        read(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "a.xlsx", "system")
    with pytest.raises(FormatError, match=r"^a\.xlsx: a zip that is not a spreadsheet found"):
        read(zipped({"a": "b"}), "a.xlsx", "system", format="spreadsheet")
    with pytest.raises(FormatError, match=r"^a\.xlsx: an Office Open XML file found"):
        read(workbook([["a"]]), "a.xlsx", "archive")
    with pytest.raises(FormatError, match=r"^a\.ods: cannot be read as a spreadsheet: "):
        read(zipped({"mimetype": OPEN_DOCUMENT}), "a.ods", "system")


def read_or_told(data: bytes, name: str) -> Contents | str:
    """What was read, or the message."""
    try:
        return read(data, name, recognise(data, name), limits=Limits(reader_memory=400_000_000))
    except FormatError as error:
        return str(error)


@pytest.mark.parametrize("ending", BOOKS)
def test_damaged_files_are_read_or_refused_by_name(ending: str) -> None:
    chance = random.Random(3)
    whole = BOOKS[ending]([["source", "S1", "n"], *([f"text {n}", f"the text {n}", n] for n in range(40))])
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    damaged = [whole[: chance.randrange(len(whole))] for _ in range(20)]
    for _ in range(40):
        at = chance.randrange(len(whole))
        damaged.append(whole[:at] + chance.randbytes(chance.randint(1, 8)) + whole[at + 4 :])
    inner = [name for name in files if name.endswith((".xml", ".rels"))]
    for _ in range(100):  # well packed, with damage inside; tests.fuzz tries thousands
        name = chance.choice(inner)
        content = files[name]
        at = chance.randrange(len(content))
        piece = chance.choice(
            [b"", b"<", b">", b"&", b'"', b"9" * 12, b"\xff", b"\0", b"<c/>", b"<row>", b"-", content[:80]]
        )
        damaged.append(zipped(files | {name: content[:at] + piece + content[at + chance.randint(0, 6) :]}))
    for name in inner:
        damaged.append(zipped({other: content for other, content in files.items() if other != name}))
        damaged.append(zipped(files | {name: files[name].decode().encode("utf-16")}))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    refused = 0
    for data in damaged:
        found = within_seconds(2, partial(read_or_told, data, f"a{ending}"))
        if not isinstance(found, Contents):
            assert found.startswith(f"a{ending}")
            refused += 1
    assert refused > 100
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 * 1024
