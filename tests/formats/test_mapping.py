"""What the columns of a table are, as a person says it."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from small_files import open_document, open_document_rows, parquet, workbook

from bleu_core.errors import FormatError, SettingsError
from bleu_core.formats import MappedColumn, parse_columns, read
from bleu_core.limits import LimitError, Limits

MAPPED = {
    "A=system": [MappedColumn("A", "system")],
    "src=source,A=system,B=system:Engine B,ref=reference": [
        MappedColumn("src", "source"),
        MappedColumn("A", "system"),
        MappedColumn("B", "system", "Engine B"),
        MappedColumn("ref", "reference"),
    ],
    '"a, b=c"=system:X': [MappedColumn("a, b=c", "system", "X")],
    '"say ""so"""=label:"x, y"': [MappedColumn('say "so"', "label", "x, y")],
    "A B = system : C D , E=document": [MappedColumn("A B", "system", "C D"), MappedColumn("E", "document")],
    "a:b=system:v1: new": [MappedColumn("a:b", "system", "v1: new")],
    "q=rating:Ann:A,r=rating::A,s=rating:Ann:B: new": [
        MappedColumn("q", "rating", "Ann", "A"),
        MappedColumn("r", "rating", "", "A"),
        MappedColumn("s", "rating", "Ann", "B: new"),
    ],
    "A=system,": [MappedColumn("A", "system")],
}


@pytest.mark.parametrize("text", MAPPED)
def test_columns_are_parsed(text: str) -> None:
    assert parse_columns(text) == tuple(MAPPED[text])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "columns: none found, COLUMN=ROLE"),
        ("A", "columns: 'A' found, COLUMN=ROLE"),
        ("=system", "columns: '=system' found, COLUMN=ROLE"),
        ("A=system,,B=system", "columns: ',B=system' found, COLUMN=ROLE"),
        ('A=system,"B=system', "columns: '\"B=system' found, COLUMN=ROLE"),
        (
            "A=human",
            "columns: role 'human' found, one of source, reference, system, document, label, rating, id expected",
        ),
        ("A=", "columns: role '' found, one of"),
        ("A=rating:Ann", "column 'A': rating without a system found, rating:JUDGE:SYSTEM expected"),
        ("A=label:length", "column 'A': a label called length found, which has another meaning"),
        ("score=label", "column 'score': a label called score found"),
        ("A=system,A=reference", "columns: column 'A' is given twice"),
        ("A=source,B=source", "columns: both 'A' and 'B' are the source; leave one out or rename it"),
        ("A=system,B=system:A", "columns: both 'A' and 'B' are the system A; leave one out or rename it"),
        ("A=rating:x:S,B=rating:x:S", "columns: both 'A' and 'B' are ratings of S by x"),
    ],
)
def test_what_is_no_mapping_is_refused(text: str, message: str) -> None:
    with pytest.raises(SettingsError) as error:
        parse_columns(text)
    assert str(error.value).startswith(message)


HEADER = ["No.", "Doc", "Quelle", "Engine A", "Engine, B", "Ref", "Ref 2", "Thema", "Ann A", "Ann B", "Remarks"]
ROWS: list[list[object]] = [
    [1, "x", "uno", "one", "on", "one", "", "news", 3, 2.5, "good"],
    [2, "x", "dos", "two", "", "two", "2", "news", "", 1, ""],
    [3, "y", "tres", "three", "tree", "three", "3", "talk", 2, 0.5, "?"],
]
CALL = (
    'Doc=document,Quelle=source,Engine A=system:A,"Engine, B"=system:B,Ref=reference,Ref 2=reference:second,'
    "Thema=label:topic,Ann A=rating:Ann:A,Ann B=rating:Ann:B"
)


def separated(separator: str) -> bytes:
    def cell(value: object) -> str:
        text = str(value)
        text = text.replace(".", ",") if isinstance(value, float) and separator != "," else text
        return f'"{text}"' if separator in text and separator != "\t" else text

    return "".join(separator.join(map(cell, row)) + "\r\n" for row in [HEADER, *ROWS]).encode()


FILES: dict[str, Callable[[], bytes]] = {
    "a.tsv": lambda: separated("\t"),
    "a.txt": lambda: separated("\t"),
    "a.csv": lambda: separated(";"),
    "b.csv": lambda: separated(","),
    "a.xlsx": lambda: workbook([HEADER, *ROWS]),
    "a.ods": lambda: open_document(open_document_rows([HEADER, *ROWS])),
    "a.jsonl": lambda: "".join(json.dumps(dict(zip(HEADER, row, strict=True))) + "\n" for row in ROWS).encode(),
    "a.parquet": lambda: parquet(
        {name: [None if row[i] == "" else row[i] for row in ROWS] for i, name in enumerate(HEADER)}
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_every_table_can_be_mapped(name: str) -> None:
    found = read(FILES[name](), name, "system", columns=parse_columns(CALL))
    assert [(c.role, c.name, c.segments) for c in found.columns] == [
        ("document", "Doc", ("x", "x", "y")),
        ("source", "Quelle", ("uno", "dos", "tres")),
        ("system", "A", ("one", "two", "three")),
        ("system", "B", ("on", "", "tree")),
        ("reference", "Ref", ("one", "two", "three")),
        ("reference", "second", (None, "2", "3")),
    ]
    assert found.labels is not None
    assert found.labels.columns == {"topic": ("news", "news", "talk")}
    assert found.judgments is not None
    rated = found.judgments.rated
    assert list(zip(rated["segment"], rated["system"], rated["judge"], rated["score"], strict=True)) == [
        (1, "A", "Ann", 3),
        (3, "A", "Ann", 2),
        (1, "B", "Ann", 2.5),
        (2, "B", "Ann", 1),
        (3, "B", "Ann", 0.5),
    ]
    assert found.report.ratings == 5
    assert [str(aside) for aside in found.report.unused_rows] == [f"{name}: 1 row not used (line 3): no score"]


def test_a_table_may_hold_ratings_or_labels_alone() -> None:
    found = read(FILES["a.tsv"](), "a.tsv", "system", columns=parse_columns("Ann A=rating:Ann:A"))
    assert (found.columns, found.report.ratings) == ((), 2)
    found = read(FILES["a.tsv"](), "a.tsv", "system", columns=parse_columns("Thema=label"))
    assert found.labels is not None
    assert list(found.labels.columns) == ["Thema"]


@pytest.mark.parametrize(
    ("data", "columns", "message"),
    [
        (b"A,B\nx,y\n", "C=system", r"a\.csv, line 1: no column 'C' found in the header \(A, B\)"),
        (b"A,A\nx,y\n", "A=system", r"a\.csv, line 1: 2 columns called 'A' found; rename one"),
        (b"A,B\n", "A=system", r"a\.csv: no row below the header found"),
        (b"", "A=system", r"a\.csv: no row below the header found"),
        (b"A,B\nx,y\n", "B=rating::A", r"a\.csv, line 2: score 'y' found, a number expected"),
        (b'{"A": "x"}\n', "B=system", r"a\.csv, line 1: no column 'B' found in the header \(A\)"),
    ],
)
def test_what_does_not_fit_a_table_is_refused(data: bytes, columns: str, message: str) -> None:
    with pytest.raises(FormatError, match=f"^{message}"):
        read(data, "a.csv", "system", columns=parse_columns(columns))


def test_columns_need_a_table() -> None:
    with pytest.raises(SettingsError, match=r"^a\.txt: format text found, a table expected"):
        read(b"A\nx\n", "a.txt", "system", format="text", columns=parse_columns("A=system"))
    found = read(FILES["a.xlsx"](), "a.xlsx", "system", format="spreadsheet", columns=parse_columns("Engine A=system"))
    assert found.columns[0].segments == ("one", "two", "three")


def test_limits_hold() -> None:
    with pytest.raises(LimitError, match=r"^a\.tsv: 2 systems found, at most 1 allowed"):
        read(FILES["a.tsv"](), "a.tsv", "system", columns=parse_columns(CALL), limits=Limits(systems=1))


def test_text_that_was_escaped_for_spreadsheets_is_read_as_it_was() -> None:
    content = "document,system,topic,score,escaped_by\n'@d,'=x\\x1b,'-t,-1,bleu-core\nd,it's,u,2,bleu-core\n"
    mapped = parse_columns("document=document,system=system:S,topic=label,score=rating:Ann:S")
    found = read(content.encode(), "t.csv", "system", columns=mapped)
    assert [column.segments for column in found.columns] == [("@d", "d"), ("=x\x1b", "it's")]
    assert found.labels is not None
    assert found.judgments is not None
    assert found.labels.columns == {"topic": ("-t", "u")}
    assert found.judgments.table.score.tolist() == [-1, 2]
