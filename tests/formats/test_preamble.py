"""Tables below a title: the row of the headers is found where it is plain, and chosen where it is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from small_files import open_document, open_document_rows, workbook

from bleu_core.errors import FormatError
from bleu_core.formats import FileRole, inspect, option_values, parse_columns, preview_table, read

Rows = Sequence[Sequence[str]]

TEXTS: Rows = [
    ["source", "A", "Engine_B"],
    ["uno dos", "one two", "one or two"],
    ["tres", "three", ""],
    ["cuatro cinco", "four five", "for five"],
]
TITLE = ["Engines, May 2024", "", ""]
EMPTY = ["", "", ""]
NAMES: Rows = [["Third *", "Engine A", "Engine B"], *TEXTS[1:]]
RATINGS: Rows = [["system", "score", "segment"], ["A", "3", "1"], ["A", "4", "2"]]
LABELS: Rows = [["segment", "domain", "topic"], ["1", "news", "long"], ["2", "talk", "long"]]


def joined(separator: str) -> Callable[[Rows], bytes]:
    return lambda rows: "".join(separator.join(row) + "\n" for row in rows).encode()


def ragged(rows: Rows) -> bytes:
    """As a program writes it: rows above the table have one cell."""
    return "".join((";".join(row) if len("".join(row[1:])) else row[0]) + "\n" for row in rows).encode()


def ods(rows: Rows) -> bytes:
    return open_document(open_document_rows(rows))


FILES: dict[str, tuple[str, Callable[[Rows], bytes]]] = {
    "semicolons": ("a.csv", joined(";")),
    "tabs": ("a.tsv", joined("\t")),
    "xlsx": ("a.xlsx", workbook),
    "ods": ("a.ods", ods),
    "ragged": ("a.csv", ragged),
}


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize(
    ("above", "table", "role"),
    [
        ([TITLE], TEXTS, "system"),
        ([TITLE, EMPTY], NAMES, "system"),
        ([TITLE, ["Client", "X", ""], EMPTY], NAMES, "system"),
        ([TITLE], RATINGS, "judgments"),
        ([TITLE, EMPTY], LABELS, "labels"),
    ],
)
def test_a_table_below_a_title_is_read_like_the_table_alone(
    kind: str, above: Rows, table: Rows, role: FileRole
) -> None:
    name, write = FILES[kind]
    found = read(write([*above, *table]), name, role)
    alone = read(joined("\t")(table), "a.tsv", role)
    if table is not NAMES:  # whose headers are known to be headers only below a title
        assert [(c.role, c.name, c.segments) for c in found.columns] == [
            (c.role, c.name, c.segments) for c in alone.columns
        ]
        sides = ((found.judgments, alone.judgments), (found.labels, alone.labels))
        assert [one and one.table["score"].tolist() for one, _ in sides[:1]] == [
            other and other.table["score"].tolist() for _, other in sides[:1]
        ]
        assert [one and one.columns for one, _ in sides[1:]] == [other and other.columns for _, other in sides[1:]]
    else:
        assert [c.name for c in found.columns] == ["Third *", "Engine A", "Engine B"]
        assert found.columns[1].segments == ("one two", "three", "four five")
    row = len(above) + 1
    what = "row 1 is" if row == 2 else f"rows 1 to {row - 1} are"
    assert f"{what} not used: the headers of the table are in row {row}" in found.report.notes
    assert any("above the header skipped" in repair for repair in found.report.repairs)


@pytest.mark.parametrize("kind", ["semicolons", "tabs", "xlsx", "ods"])
@pytest.mark.parametrize(
    "rows",
    [
        [["a b", ""], ["c d", "e f"], ["g h", "i j"]],  # texts without headers, of which the first lacks one
        [["a b", "", ""], ["c d", "e f", "g"], ["h i", "j k", "l m"]],
        [["", "A"], ["x y", "a b"], ["z", "c d"]],
        [["title", ""], ["1 a", "2 b"], ["3 c", "4 d"]],
        [["title", ""], ["A b", "A b"], ["c d", "e f"]],
    ],
)
def test_no_row_is_taken_for_a_title_where_that_is_not_plain(kind: str, rows: Rows) -> None:
    name, write = FILES[kind]
    assert inspect(write(rows), name).format != "titled-table"
    report = read(write(rows), name, "system").report
    assert not report.repairs
    assert not any("above the header" in note or "is not used: the headers" in note for note in report.notes)
    assert report.segments >= len(rows) - 1


def test_prose_with_commas_is_no_table_below_a_title() -> None:
    for text in ("Well.\nYes, no\nNo, yes\nWell, well, well\n", "One two\nthree, four\nfive; six\n", "\n\n"):
        assert inspect(text.encode(), "a.csv").format == "table"


def test_rows_that_are_quoted_over_several_lines_are_skipped_whole() -> None:
    data = b'"Engines,\nMay";;\n;;\nsource;A;"B ""x"""\nuno;"on\ne";two\ndos;four;five\n'
    found = read(data, "a.csv", "system")
    assert [c.name for c in found.columns] == ["source", "A", 'B "x"']
    with pytest.raises(FormatError, match=r"^a\.csv, line 5: 2 cells found, 3 expected as in line 4"):
        read(data.replace(b'uno;"on\ne"', b"uno"), "a.csv", "system")


def test_rows_that_end_with_cr_alone_are_no_lines_above_a_header() -> None:
    for data in (b"Title\r\rsource;A\runo;on\rdos;two\n", b'1\r;\n\n1"\n\r\n\r \r,;1,a\n a"'):
        with pytest.raises(FormatError):
            read(data, "a.csv", "system")


@pytest.mark.parametrize(("name", "write"), [FILES["xlsx"], FILES["semicolons"]])
def test_the_row_of_the_headers_can_be_chosen(name: str, write: Callable[[Rows], bytes]) -> None:
    key = "spreadsheet" if name == "a.xlsx" else "titled-table"
    data = write([TITLE, ["Engine A", "Engine B", "x"], *TEXTS])
    assert list(option_values(data, name, key)["header"])[:3] == ["1", "2", "3"]
    found = read(data, name, "system", format=key, own={"header": "3"})
    assert [c.name for c in found.columns] == list(TEXTS[0])
    assert found.report.notes == ()
    columns = parse_columns("Engine_B=system:B,source=reference")
    mapped = read(data, name, "system", format=key, own={"header": "3"}, columns=columns)
    assert [(c.role, c.name) for c in mapped.columns] == [("system", "B"), ("reference", "source")]
    beginning = preview_table(data, name, "system", format=key, own={"header": "3"})
    assert beginning is not None
    assert (beginning.header, beginning.rows[0]) == (tuple(TEXTS[0]), tuple(TEXTS[1]))
    for row in ("0", "6", "99", "x", "-1"):
        with pytest.raises(FormatError, match=rf"^{name}: header row '{row}' found, a number from 1 to 5 expected$"):
            read(data, name, "system", format=key, own={"header": row})


def test_lines_in_messages_are_rows_of_the_sheet() -> None:
    rows = [[], TITLE, EMPTY, *RATINGS, ["A", "four", "3"]]
    with pytest.raises(FormatError, match=r"^a\.xlsx, line 7: score 'four' found"):
        read(workbook(rows), "a.xlsx", "judgments")
    with pytest.raises(FormatError, match=r"^a\.xlsx, line 4: no column system"):
        read(workbook([[], TITLE, EMPTY, ["segment", "score", "z"], ["1", "2", "3"]]), "a.xlsx", "judgments")
    with pytest.raises(FormatError, match=r"^a\.csv, line 5: score 'four' found"):
        read(joined(";")([TITLE, *RATINGS, ["A", "four", "3"]]), "a.csv", "judgments")


GROUPS = ["Texts", "", "Outputs of MT", ""]
GROUPED: Rows = [
    ["Source", "Reference", "Engine 1", "Engine 2"],
    ["uno dos", "one two", "one too", "on two"],
    ["tres cuatro", "three four", "tree four", "three for"],
]


@pytest.mark.parametrize("kind", ["semicolons", "tabs", "xlsx", "ods"])
@pytest.mark.parametrize(
    ("rows", "places"),
    [
        ([GROUPS, *GROUPED], "columns 2, 4"),
        ([row[:3] for row in [GROUPS, *GROUPED]], "column 2"),
    ],
)
def test_headers_in_two_rows_are_refused_with_the_option_that_reads_them(kind: str, rows: Rows, places: str) -> None:
    name, write = FILES[kind]
    with pytest.raises(FormatError, match=rf"^{name}, line 1: no header found above {places}, a name") as caught:
        read(write(rows), name, "system")
    option = str(caught.value).rpartition("--format-of ")[2]
    assert option == f"{name}={'spreadsheet' if name in ('a.xlsx', 'a.ods') else 'titled-table'}:header=2"
    found = read(write(rows), name, "system", format=option.split("=")[1].split(":")[0], own={"header": "2"})
    outputs = [(c.name, c.segments) for c in found.columns if c.role == "system"]
    expected = [("Engine 1", ("one too", "tree four")), ("Engine 2", ("on two", "three for"))]
    assert outputs == expected[: len(rows[0]) - 2]


def test_columns_that_are_no_text_need_no_header() -> None:
    rows = [["", "source", "A"], ["1", "uno", "one two"], ["2", "dos tres", "two three"]]
    found = read(joined(";")(rows), "a.csv", "system")
    assert [c.name for c in found.columns] == ["source", "A"]
