"""Workbooks: numbers are numbers, text is text, and whatever the names are the file is one."""

from __future__ import annotations

import io
import math
import re
import zipfile
from xml.etree import ElementTree as ET

import pytest

from bleu_core.fields import AtMost, Cell, Field, Table
from bleu_core.results.table import best_rows, to_xlsx

NAMESPACE = {"": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
#: How a workbook writes what XML cannot, and what looks like it.
ESCAPED = re.compile("_x([0-9A-F]{4})_")
KINDS = {
    "system": Field("text"),
    "bleu": Field("points"),
    "p_value": Field("p"),
    "n": Field("count"),
    "reason": Field("text"),
}

#: What a spreadsheet could take for a formula, a link, a number or nothing.
ODD = (
    "=1+1",
    '=HYPERLINK("http://127.0.0.1:9/","x")',
    "{=SUM(A1:A2)}",
    "+cmd|' /C calc'!A0",
    "-1",
    "@x",
    "http://127.0.0.1:9/",
    "mailto:a@example.org",
    "internal:Sheet1!A1",
    "www.example.org",
    "1e5",
    "TRUE",
    "#N/A",
    "'quoted",
    " blanks around ",
    "two\nlines\tand a tab",
    "<b>&amp; \"x\" 'y' ]]>",
    "\u65e5\u672c \U0001f600 \u202ebidi",
)
CONTROLS = tuple(f"a{chr(code)}b" for code in (0, 1, 7, 8, 11, 12, 13, 27, 31, 127, 133, 0xFFFE, 0xFFFF))


def parts(workbook: bytes) -> dict[str, ET.Element]:
    """The XML files of a workbook; all of them have to be well-formed."""
    with zipfile.ZipFile(io.BytesIO(workbook)) as files:
        assert files.testzip() is None
        return {name: ET.fromstring(files.read(name)) for name in files.namelist()}  # noqa: S314 # written just now


def read(workbook: bytes) -> dict[str, str | float]:
    """The cells of the one sheet, by their place: text as text, numbers as numbers."""
    files = parts(workbook)
    shared = [
        ESCAPED.sub(lambda found: chr(int(found[1], 16)), "".join(item.itertext()))
        for item in files["xl/sharedStrings.xml"].findall("si", NAMESPACE)
    ]
    (sheet,) = [content for name, content in files.items() if name.startswith("xl/worksheets/")]
    assert not list(sheet.iter(f"{{{NAMESPACE['']}}}f"))  # no formula
    assert not list(sheet.iter(f"{{{NAMESPACE['']}}}hyperlink"))
    assert not [name for name in files if "sheet1.xml.rels" in name]  # where links would be
    cells: dict[str, str | float] = {}
    for cell in sheet.iter(f"{{{NAMESPACE['']}}}c"):
        value = cell.findtext("v", None, NAMESPACE)
        if value is not None:
            assert cell.get("t") in (None, "n", "s")
            cells[str(cell.get("r"))] = shared[int(value)] if cell.get("t") == "s" else float(value)
    return cells


def row(*cells: Cell) -> Table:
    return Table(KINDS, (cells,))


def test_the_first_row_names_the_columns() -> None:
    found = read(to_xlsx(row("A", 1.0, 0.5, 3, "")))
    assert [found[f"{column}1"] for column in "ABCDE"] == list(KINDS)


@pytest.mark.parametrize("number", [12.345678901234567, 1 / 3, -1e-300, 1e300, 0.0, 123456789012345, 0.1 + 0.2])
def test_numbers_are_numbers_with_their_digits(number: float) -> None:
    found = read(to_xlsx(row("A", number, number, 3, "")))
    assert found["B2"] == found["C2"] == pytest.approx(number, rel=1e-15, abs=0)
    assert found["D2"] == 3


def test_numbers_are_shown_with_a_few_decimals() -> None:
    table = Table(
        {"delta": Field("difference"), "precision": Field("fraction"), "p_value": Field("p")},
        ((1.23456, 0.98765, 0.00012),),
    )
    files = parts(to_xlsx(table))
    codes = {str(code.get("formatCode")) for code in files["xl/styles.xml"].iter(f"{{{NAMESPACE['']}}}numFmt")}
    assert codes == {"+0.00;-0.00;0.00", "0.000", "0.0000"}
    assert read(to_xlsx(table))["C2"] == 0.00012


def test_a_p_that_is_a_bound_is_a_number() -> None:
    found = read(to_xlsx(Table({"p_value": Field("p")}, ((AtMost(1 / 1001),),))))
    assert found["A2"] == pytest.approx(1 / 1001, rel=1e-15)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_an_empty_cell(value: float) -> None:
    found = read(to_xlsx(row("A", value, value, 3, "why")))
    assert set(found) == {"A1", "B1", "C1", "D1", "E1", "A2", "D2", "E2"}


@pytest.mark.parametrize("text", [*ODD, *CONTROLS])
def test_text_stays_text_and_nothing_else(text: str) -> None:
    found = read(to_xlsx(Table({"system": Field("text"), f"against {text}": Field("number")}, ((text, 1.5),))))
    assert found == {"A1": "system", "B1": f"against {text}", "A2": text, "B2": 1.5}


def test_a_text_that_is_too_long_for_a_cell_is_cut_visibly() -> None:
    longest, longer = "a" * 32_767, "b" * 32_768
    found = read(to_xlsx(Table({"system": Field("text"), "reason": Field("text")}, ((longest, longer),))))
    assert found["A2"] == longest
    assert found["B2"] == f"{longer[:32_766]}…"


def test_text_that_looks_like_an_escape_is_not_one() -> None:
    files = parts(to_xlsx(row("_x0041_", 1.0, 0.5, 3, "")))
    text = [item.findtext("t", "", NAMESPACE) for item in files["xl/sharedStrings.xml"].findall("si", NAMESPACE)]
    assert "_x005F_x0041_" in text  # which a spreadsheet shows as _x0041_


def test_a_table_without_rows_has_its_header() -> None:
    assert set(read(to_xlsx(Table(KINDS, ()))).values()) == set(KINDS)


def test_text_in_a_column_of_numbers_is_text() -> None:
    table = Table({"system": Field("text"), "against b": Field("number")}, (("a", 0.25), ("b", "")))
    assert read(to_xlsx(table)) == {"A1": "system", "B1": "against b", "A2": "a", "B2": 0.25, "A3": "b", "B3": ""}


def test_the_best_rows_are_those_printed_like_the_best_ranked_value() -> None:
    columns = {
        "system": Field("text"),
        "bleu": Field("points", best="highest", unranked=frozenset({"human"})),
        "ter": Field("points", best="lowest"),
        "same": Field("points", best="highest"),
        "length": Field("count"),
    }
    rows = (
        ("a", 20.001, 61.0, 1.0, 5),
        ("b", 20.004, 59.994, 1.001, 9),
        ("human", 90.0, 59.99, 1.002, 7),
        ("c", math.nan, math.nan, math.nan, 8),
    )
    best = best_rows(Table(columns, rows))
    assert best == {"ter": {1, 2}}  # both ranked systems have 20.00
    worse = Table(columns, (("d", 19.0, 70.0, 1.0, 1), *rows))
    assert best_rows(worse) == {"bleu": {1, 2}, "ter": {2, 3}}
