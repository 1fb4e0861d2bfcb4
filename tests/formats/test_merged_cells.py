"""Merged cells of sheets: grouped headers are found, and values stand in all rows that they cover.

Exports as CSV have empty cells instead, and are refused where these matter.
"""

from __future__ import annotations

import io
import json
import shlex
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

import pytest
import xlsxwriter
from small_files import open_document

from bleu_core import cli
from bleu_core.errors import FormatError
from bleu_core.formats import FileRole, read

Rows = Sequence[Sequence[str]]
#: First and last rows and columns, from 0.
Ranges = Sequence[tuple[int, int, int, int]]

TEXTS: Rows = [
    ["Document", "Source", "Reference", "Engine 1"],
    ["d1", "uno dos", "one two", "one too"],
    ["", "tres", "three", "tree"],
    ["d2", "cuatro", "four", "for"],
    ["", "cinco", "five", "five"],
]
DOCUMENTS: Ranges = [(1, 0, 2, 0), (3, 0, 4, 0)]
LONG: Rows = [
    ["segment", "source", "system", "translation"],
    ["1", "uno", "A", "one"],
    ["", "", "B", "on"],
    ["2", "dos", "A", "two"],
    ["", "", "B", "to"],
]


def xlsx(rows: Rows, ranges: Ranges) -> bytes:
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream) as book:
        sheet = book.add_worksheet()
        for top, left, bottom, right in ranges:
            sheet.merge_range(top, left, bottom, right, "")
        for i, row in enumerate(rows):
            for j, text in enumerate(row):
                if text:
                    sheet.write_string(i, j, text)
    return stream.getvalue()


def ods(rows: Rows, ranges: Ranges) -> bytes:
    spans: dict[tuple[int, int], str] = {}
    covered: set[tuple[int, int]] = set()
    for top, left, bottom, right in ranges:
        height, width = bottom - top + 1, right - left + 1
        spans[top, left] = f' table:number-rows-spanned="{height}" table:number-columns-spanned="{width}"'
        covered |= {(i, j) for i in range(top, bottom + 1) for j in range(left, right + 1)} - {(top, left)}

    def cell(i: int, j: int, text: str) -> str:
        name = "table:covered-table-cell" if (i, j) in covered else "table:table-cell"
        value = f' office:value-type="string"><text:p>{escape(text)}</text:p>' if text else ">"
        return f"<{name}{spans.get((i, j), '')}{value}</{name}>"

    lines = ("".join(cell(i, j, text) for j, text in enumerate(row)) for i, row in enumerate(rows))
    return open_document(
        "<table:table-row><table:table-cell/></table:table-row>",
        "".join(f"<table:table-row>{line}</table:table-row>" for line in lines),
    )


BOOKS: dict[str, Callable[[Rows, Ranges], bytes]] = {"a.xlsx": xlsx, "a.ods": ods}


@pytest.fixture(params=BOOKS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def columns(
    name: str, rows: Rows, ranges: Ranges, header: str = "", role: FileRole = "system"
) -> dict[str, tuple[str | None, ...]]:
    own = {"header": header} if header else {}
    return {column.name: column.segments for column in read(BOOKS[name](rows, ranges), name, role, own=own).columns}


def test_a_value_stands_in_all_rows_that_it_covers(name: str) -> None:
    found = read(BOOKS[name](TEXTS, DOCUMENTS), name, "system")
    documents = next(column for column in found.columns if column.role == "document")
    assert documents.segments == ("d1", "d1", "d2", "d2")
    assert "merged cells in Document read as one value in each of their rows" in found.report.notes


def test_segments_and_sources_merged_over_the_rows_of_systems_are_filled(name: str) -> None:
    ranges = [(row, column, row + 1, column) for row in (1, 3) for column in (0, 1)]
    assert columns(name, LONG, ranges) == {"source": ("uno", "dos"), "A": ("one", "two"), "B": ("on", "to")}


def test_systems_merged_over_their_ratings_are_filled(name: str) -> None:
    rows = [["system", "segment", "score"], ["A", "1", "4"], ["", "2", "3"], ["B", "1", "5"], ["", "2", "2"]]
    judgments = read(BOOKS[name](rows, [(1, 0, 2, 0), (3, 0, 4, 0)]), name, "judgments").judgments
    assert judgments is not None
    assert judgments.table["system"].tolist() == ["A", "A", "B", "B"]
    assert judgments.table["score"].tolist() == [4, 3, 5, 2]


GROUPED = ["Texts", "", "MT output", ""], ["Source", "Reference", "Engine 1", "Engine 2"]
BODY: Rows = [["uno dos", "one two", "one too", "on two"], ["tres", "three", "tree", "the tree"]]
EXPECTED = {"Source": ("uno dos", "tres"), "Engine 1": ("one too", "tree"), "Engine 2": ("on two", "the tree")}


@pytest.mark.parametrize(
    ("above", "ranges", "row"),
    [
        ([*GROUPED], [(0, 0, 0, 1), (0, 2, 0, 3)], 2),
        # the headers of single columns are merged with the cells below them, or stand in the first row
        (
            [["Source", "Reference", "MT output", ""], ["", "", "Engine 1", "Engine 2"]],
            [(0, 0, 1, 0), (0, 1, 1, 1), (0, 2, 0, 3)],
            2,
        ),
        ([["Source", "Reference", "MT output", ""], ["", "", "Engine 1", "Engine 2"]], [(0, 2, 0, 3)], 2),
        ([["Source", "Reference", "Engine 1", "Engine 2"], ["", "", "", ""]], [(0, i, 1, i) for i in range(4)], 2),
        ([["May 2024", "", "", ""], *GROUPED], [(0, 0, 0, 3), (1, 0, 1, 1), (1, 2, 1, 3)], 3),
        ([["May 2024", "", "", ""], ["", "", "", ""], *GROUPED], [(0, 0, 0, 3), (2, 0, 2, 1), (2, 2, 2, 3)], 4),
        ([["May 2024", "", "", ""], *GROUPED], [(1, 0, 1, 1), (1, 2, 1, 3)], 3),
    ],
)
def test_the_headers_below_merged_ones_are_found(name: str, above: Rows, ranges: Ranges, row: int) -> None:
    found = read(BOOKS[name]([*above, *BODY], ranges), name, "system")
    assert {c.name: c.segments for c in found.columns if c.name in EXPECTED} == EXPECTED
    assert [c.segments for c in found.columns if c.role == "reference"] == [("one two", "three")]
    what = "row 1 is" if row == 2 else f"rows 1 to {row - 1} are"
    assert f"{what} not used: the headers of the table are in row {row}" in found.report.notes
    assert columns(name, [*above, *BODY], ranges) == columns(name, [*above, *BODY], ranges, header=str(row))


def test_a_header_that_may_end_in_two_rows_is_refused_with_the_option(name: str) -> None:
    rows = [["Source", "Engine 1", "Engine 2"], ["", "small", "large"], ["uno", "one", "on"], ["dos", "two", "to"]]
    ranges = [(0, 0, 1, 0)]
    with pytest.raises(FormatError, match=rf"^{name}: only some .* --format-of {name}=spreadsheet:header=2, or with"):
        columns(name, rows, ranges)
    assert list(columns(name, rows, ranges, header="2")) == ["Source", "small", "large"]


def test_merged_cells_of_a_sheet_without_headers_are_filled(name: str) -> None:
    rows = [["uno dos", "one two."], ["", "one to."], ["tres", "three."]]
    texts = columns(name, rows, [(0, 0, 1, 0)], header="no")
    assert texts == {"a.1": ("uno dos", "uno dos", "tres"), "a.2": ("one two.", "one to.", "three.")}


def test_a_text_merged_over_two_systems_is_that_of_both(name: str) -> None:
    rows = [["Source", "Engine 1", "Engine 2"], ["uno", "one", ""], ["dos", "two", "to"]]
    assert columns(name, rows, [(1, 1, 1, 2)])["Engine 2"] == ("one", "to")


def test_columns_without_headers_and_empty_rows_are_not_filled(name: str) -> None:
    wide = [["Document", "Source", "Engine 1", ""], ["d1", "uno", "one", ""], ["", "dos", "two", ""], ["", "", "", ""]]
    found = read(BOOKS[name](wide, [(0, 2, 0, 3), (1, 2, 1, 3), (2, 2, 2, 3), (1, 0, 3, 0)]), name, "system")
    assert {c.name: c.segments for c in found.columns if c.role != "document"} == {
        "Source": ("uno", "dos"),
        "Engine 1": ("one", "two"),
    }


def test_a_heading_between_rows_is_no_segment(name: str) -> None:
    rows = [["Source", "Reference", "Engine 1"], ["uno", "one", "on"], ["Part two", "", ""], ["dos", "two", "to"]]
    found = read(BOOKS[name](rows, [(2, 0, 2, 2)]), name, "system")
    assert [column.segments for column in found.columns] == [("uno", "", "dos"), ("one", "", "two"), ("on", "", "to")]
    assert "row 3 not used: only a merged cell found, such as a heading" in found.report.notes


def test_the_commands_use_filled_documents(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [["Document", "Source", "Reference", "Engine 1", "Engine 2"]]
    for i in range(12):
        reference = f"the cat sat on the mat and looked {i}{' times' * (i % 5)} at the dog"
        rows.append(["" if i % 2 else f"d{i}", f"s {i}", reference, reference.replace("cat", "dog"), f"so {reference}"])
    plain = [row if row[0] else [above[0], *row[1:]] for above, row in zip([rows[0], *rows], rows, strict=False)]
    outputs: list[str] = []
    for table, ranges in ((rows, [(i, 0, i + 1, 0) for i in range(1, 12, 2)]), (plain, [])):
        Path(name).write_bytes(BOOKS[name](table, ranges))
        assert cli.main(["compare", "--units", "documents", "--ref", name, name]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    assert "over 6 documents" in outputs[0]


# --- exports as CSV, in which all but the first of the merged cells are empty -------------------------------------


def csv(rows: Rows) -> bytes:
    return "".join(",".join(row) + "\n" for row in rows).encode()


def test_documents_that_some_rows_lack_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = read(csv(TEXTS), "a.csv", "system")
    assert {column.role for column in found.columns} == {"source", "reference", "system"}
    note = (
        "column Document not used: no document found in 2 of 4 rows (lines 3, 5); to use the documents, write the "
        "document in every row, also where cells were merged"
    )
    assert note in found.report.notes
    with pytest.raises(FormatError, match=r"^a\.csv: no document found in 2 of 4 rows \(lines 3, 5\); write"):
        read(csv(TEXTS), "a.csv", "document")
    with pytest.raises(FormatError, match=r"^a\.txt, line 2: no document found, a name expected in every line$"):
        read(b"d1\n\nd2\n", "a.txt", "document")
    monkeypatch.chdir(tmp_path)
    others = ("Engine 2", "on", "the", "four", "five")
    Path("a.csv").write_bytes(csv([[*row, other] for row, other in zip(TEXTS, others, strict=True)]))
    assert cli.main(["compare", "--units", "documents", "--ref", "a.csv", "a.csv"]) == 2
    assert "or a document in every row of the table" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        (LONG, "segment"),
        ([["system", "segment", "translation"], ["A", "1", "one"], ["", "2", "two"]], "system"),
        (
            [["document", "segment", "system", "translation"], ["d", "1", "A", "one"], ["", "2", "A", "two"]],
            "document",
        ),
    ],
)
def test_rows_of_systems_without_the_values_of_merged_cells_are_refused(rows: Rows, what: str) -> None:
    with pytest.raises(
        FormatError, match=rf"^a\.csv, line 3: no {what} found, a name expected; .* write the {what} in"
    ):
        read(csv(rows), "a.csv", "system")


def test_ratings_numbered_within_documents_need_them_in_every_row() -> None:
    rows = [["document", "segment", "system", "score"], ["d", "1", "A", "3"], ["", "2", "A", "4"], ["e", "1", "A", "5"]]
    with pytest.raises(FormatError, match=r"^a\.csv, line 3: no document found, a name expected"):
        read(csv(rows), "a.csv", "judgments")
    numbered = [*rows[:3], ["e", "3", "A", "5"]]
    judgments = read(csv(numbered), "a.csv", "judgments").judgments
    assert judgments is not None
    assert judgments.table["segment"].tolist() == [1, 2, 3]


# --- commands ------------------------------------------------------------------------------------------------------

SENTENCES: Rows = [
    ["The report was late.", "Der Bericht kam zu spät an.", "Der Bericht kam spät an.", "Der Bericht war zu spät."],
    [
        "Our neighbour has a bicycle.",
        "Unser Nachbar hat ein Fahrrad.",
        "Unser Nachbar hat ein Rad.",
        "Der Nachbar hat ein Fahrrad.",
    ],
    [
        "The soup is still too hot.",
        "Die Suppe ist noch zu heiß.",
        "Die Suppe ist noch zu heiß.",
        "Die Suppe ist zu heiß.",
    ],
]
SMALL_HEADS: Rows = [["Source", "Reference", "Engine 1", "Engine 2"], ["", "", "small", "large"]]


@pytest.mark.parametrize(
    ("name", "above", "ranges", "systems"),
    [
        # with the right scores at once, or with the option of the message
        ("a.xlsx", GROUPED, [(0, 0, 0, 1), (0, 2, 0, 3)], ("Engine 1", "Engine 2")),
        ("a.ods", GROUPED, [(0, 0, 0, 1), (0, 2, 0, 3)], ("Engine 1", "Engine 2")),
        ("a.xlsx", GROUPED, [], ("Engine 1", "Engine 2")),
        ("a.csv", GROUPED, [], ("Engine 1", "Engine 2")),
        ("a b.ods", SMALL_HEADS, [(0, 0, 1, 0), (0, 1, 1, 1)], ("small", "large")),
    ],
)
def test_grouped_headers_give_the_right_scores(  # noqa: PLR0917 # fixtures
    name: str,
    above: Rows,
    ranges: Ranges,
    systems: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [*above, *SENTENCES]
    Path(name).write_bytes(csv(rows) if name == "a.csv" else BOOKS[f"a{Path(name).suffix}"](rows, ranges))
    call = ["score", "--format", "json", "--ref", name, name]
    if cli.main(call):
        message = capsys.readouterr().err
        words = shlex.split(message[message.index("--format-of") :])
        assert cli.main([*call, words[0], words[1].rstrip(",")]) == 0
    scores = {row["system"]: row["bleu"] for row in json.loads(capsys.readouterr().out)["systems"]}
    # sacreBLEU 2.6.0: corpus_bleu(outputs, [references]).score
    assert scores == pytest.approx(dict(zip(systems, (68.1625, 43.3090), strict=True)), abs=1e-4)
