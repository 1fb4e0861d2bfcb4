"""JSON in the shapes in which programs write tables is read like the same JSON lines; other JSON is refused."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping

import pandas as pd
import pytest
from conftest import Runner, Writer
from sacrebleu import corpus_bleu

from bleu_core.errors import FormatError
from bleu_core.formats import FileRole, inspect, read
from bleu_core.limits import LimitError, Limits

ROWS: list[dict[str, object]] = [
    {
        "source": f"uno {n}",
        "reference": f"one {n} and\ttwo",
        "A": f"on {n} [x] {{y}} and two",
        "B": f'"{n}" and' if n else None,
    }
    for n in range(5)
]
LINES = "".join(f"{json.dumps(row)}\n" for row in ROWS)
FRAME = pd.DataFrame(ROWS)
NAMES = [f"seg-{n}" for n in range(5)]

SHAPES: Mapping[str, Callable[[], str]] = {
    "array": lambda: json.dumps(ROWS),
    "array over lines": lambda: json.dumps(ROWS, indent=2),
    "lines of pandas": lambda: FRAME.to_json(orient="records", lines=True),
    "array of pandas": lambda: FRAME.to_json(orient="records"),
    "columns of pandas": FRAME.to_json,
    "rows of pandas": lambda: FRAME.to_json(orient="index"),
    "cells of pandas": lambda: FRAME.to_json(orient="split"),
    "columns": lambda: json.dumps(FRAME.to_dict("list")),
    "columns over lines": lambda: json.dumps({"model": "x", **FRAME.to_dict("list")}, indent=1),
    "a list in an object": lambda: json.dumps({"data": ROWS}),
    "a list in an object over lines": lambda: json.dumps({"version": 1, "meta": {"a": [1]}, "rows": ROWS}, indent=4),
    "objects over lines": lambda: "\n".join(json.dumps(row, indent=2) for row in ROWS),
    "objects without line breaks": lambda: "".join(map(json.dumps, ROWS)),
    "lists of one text": lambda: "\n".join(json.dumps({**row, "A": [[row["A"]]]}) for row in ROWS),
}


def texts(data: str, name: str, role: FileRole = "system") -> list[tuple[str, str, tuple[str | None, ...]]]:
    return [(column.role, column.name, column.segments) for column in read(data.encode(), name, role).columns]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ["x.json", "x.jsonl", "x.txt"])
def test_every_shape_is_the_same_table(shape: str, name: str) -> None:
    data = SHAPES[shape]()
    expected = texts(LINES, "x.jsonl")
    assert [column[:2] for column in expected] == [
        ("source", "source"),
        ("reference", "reference"),
        ("system", "A"),
        ("system", "B"),
    ]
    assert texts(data, name) == expected
    found = inspect(data.encode(), name)
    assert (found.format, found.role) == ("json-lines", "system")


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_scored_as_sacrebleu_does(shape: str, run: Runner, write: Writer) -> None:
    path = write("x.json", SHAPES[shape]())
    found = run("score", "--ref", path, "--format", "json", "--columns", "reference=reference,A=system", path).json
    expected = corpus_bleu(_lines("A"), [_lines("reference")]).score
    assert [row["bleu"] for row in found["systems"]] == [pytest.approx(expected)]


def _lines(column: str) -> list[str]:
    return [str(row[column]) for row in ROWS]


@pytest.mark.parametrize(
    "data",
    [
        json.dumps(dict(zip(NAMES, ROWS, strict=True))),
        json.dumps(dict(zip(NAMES, ROWS, strict=True)), indent=1),
        FRAME.set_axis(NAMES).to_json(),
        FRAME.set_axis(NAMES).to_json(orient="index"),
        FRAME.set_axis(NAMES).to_json(orient="split"),
    ],
)
def test_names_of_rows_are_ids(data: str) -> None:
    column = read(data.encode(), "x.json", "system").columns[2]
    assert (column.name, column.segments) == ("A", tuple(row["A"] for row in ROWS))
    assert [row_id.segment for row_id in column.ids or ()] == NAMES


@pytest.mark.parametrize("indent", [None, 1])
def test_an_array_of_texts_has_a_segment_per_item(indent: int | None) -> None:
    data = json.dumps(["one two", "[Music]", "", "three\nfour"], indent=indent)
    for role in ("system", "reference", "source"):
        expected = [(role, "x", ("one two", "[Music]", "", "three four"))]
        assert texts(data, "x.json", role) == expected
        assert texts(data, "x.txt", role) == expected


def test_what_is_not_used_is_named() -> None:
    wrapped = read(json.dumps({"version": 1, "rows": ROWS}).encode(), "x.json", "system")
    assert wrapped.report.notes == ("the rows are the list rows; not used: version",)
    columns = read(json.dumps({"model": "m", "src": ["a b"], "mt": ["c d"]}).encode(), "x.json", "system")
    assert columns.report.notes == ("not used, since they are not lists: model",)
    rows = [{"src": "a b", "mt": "c d", "n": ["e f", "g h"]}, {"src": "i j", "mt": "k l", "n": ["m n"]}]
    mixed = read("\n".join(map(json.dumps, rows)).encode(), "x.jsonl", "system")
    assert [column.name for column in mixed.columns] == ["src", "x"]
    assert mixed.report.notes == ("not used, since they are lists or nested too deeply: n",)


def test_an_empty_list_is_no_text() -> None:
    rows = [{"src": "a b", "mt": []}, {"src": "c d", "mt": ["e f"]}]
    assert texts("\n".join(map(json.dumps, rows)), "x.jsonl")[1] == ("system", "x", ("", "e f"))


#: The content, and what is said of it.
REFUSED: Mapping[str, tuple[str, str]] = {
    "several lists": (
        json.dumps({"train": ROWS, "test": ROWS}),
        r": a JSON object with several lists of objects \(train, test\) found",
    ),
    "a list deeper": (json.dumps({"a": {"b": ROWS}}), ": a JSON file that is not a table found"),
    "arrays of cells": (json.dumps([["a", "b"], ["c", "d"]]), ": a JSON array of values that are neither texts nor"),
    "columns of other lengths": (
        json.dumps({"src": ["a", "b"], "A": ["c"]}),
        ": a JSON file that is not a table found",
    ),
    "texts with keys": (json.dumps({"a": {"b": "c d"}, "e": {"f": "g h"}}), ": a JSON file that is not a table found"),
    "numbered messages": (json.dumps({"errors": {"404": "No such page"}}), ": a JSON file that is not a table found"),
    "a line of cells": ('["a b", "c d"]\n["e f", "g h"]\n', r", line 1: '\[\"a b\", \"c d\"\]' found, an object"),
    "a line that is no JSON": (
        "Loading\n" + "".join(f"{json.dumps(row)}\n" for row in ROWS),
        ", line 1: 'Loading' found",
    ),
    "a last line that is no JSON": ("".join(f"{json.dumps(row)}\n" for row in ROWS) + "ok\n", ", line 6: 'ok' found"),
    "half an object": (json.dumps({"data": ROWS}, indent=1)[:-9], ", line 3[0-9]: .* found, JSON expected"),
}


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("ending", [".json", ".jsonl", ".txt"])
def test_other_json_is_never_scored_as_lines(case: str, ending: str) -> None:
    data, message = REFUSED[case]
    with pytest.raises(FormatError, match=f"^x{ending}{message}"):
        read(data.encode(), f"x{ending}", "system")
    lines = read(data.encode(), f"x{ending}", "system", format="text").columns[0].segments
    assert lines == tuple(data.removesuffix("\n").split("\n"))


def test_half_a_file_is_refused() -> None:
    for data in (json.dumps({"data": ROWS}, indent=1)[:-9], json.dumps(ROWS)[:-9], LINES[:-9]):
        with pytest.raises(FormatError, match=r"^x\.json, line [0-9]+: .* found, (JSON|an object with a value)"):
            read(data.encode(), "x.json", "system")


@pytest.mark.parametrize("ending", [".json", ".jsonl", ".ndjson", ".xml", ".html", ".xhtml"])
def test_text_with_the_ending_of_another_format_is_refused(ending: str) -> None:
    with pytest.raises(FormatError, match=rf"with --format-of x{ending}=text$"):
        read(b"one two\nthree four\n", f"x{ending}", "system")


@pytest.mark.parametrize(
    "text",
    [
        "[Music]\n[Applause] Thank you.\n{0} files\n<b>Now</b>\n",
        '"Yes," he said.\n["No"] was the answer.\n{"x" y\n',
        "[1] Smith, 2020\nas shown in [2]\n",
        "[Music]\n" * 4,
        "<i>One</i>\n<b>Two</b>\n<p>Three</p>\n",
        "{name}\n{0}\n{1}\n",
        "'One'\n['Two] three\n",
        '"one two"\n"three four"\n',
    ],
)
def test_translations_with_brackets_marks_and_tags_are_text(text: str) -> None:
    assert inspect(text.encode(), "x.txt").format == "text"
    assert texts(text, "x.txt")[0][2] == tuple(text.removesuffix("\n").split("\n"))


def test_random_texts_among_brackets_are_text() -> None:
    chance = random.Random(5)
    begin = ["[Music] ", "{0} ", '"', "<b>", "['", '["', "(", "[1] ", "{", "", "", ""]
    for _ in range(300):
        lines = [f"{chance.choice(begin)}word {n} and more" for n in range(chance.randint(2, 9))]
        assert texts("\n".join(lines), "x.txt") == [("system", "x", tuple(lines))]


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"{row!r}\n" for row in ROWS),
        repr(ROWS),
        "".join(f"{[row['A']]!r}\n" for row in ROWS),
    ],
)
def test_lists_and_dictionaries_of_python_are_no_lines_of_text(text: str) -> None:
    with pytest.raises(FormatError, match=r"Python prints them found, which cannot be read; ") as error:
        read(text.encode(), "x.txt", "system")
    assert "=text" not in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "".join(f'<seg id="{n}">one {n}</seg>\n' for n in range(4)),
        "<texts>\n<t>one</t>\n<t>two</t>\n</texts>\n",
    ],
)
def test_markup_in_nearly_all_lines_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match=r"found, which cannot be read; .*--format-of x\.txt=text"):
        read(text.encode(), "x.txt", "system")


@pytest.mark.parametrize("shape", ["objects over lines", "a list in an object", "columns", "rows of pandas"])
def test_the_limits_hold(shape: str) -> None:
    data = SHAPES[shape]().encode()
    for limits, message in ((Limits(columns=2), "columns found"), (Limits(json_bytes=20), "bytes of JSON found")):
        with pytest.raises(LimitError, match=message):
            read(data, "x.json", "system", limits=limits)
