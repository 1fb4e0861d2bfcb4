"""Rows of ratings that are exact copies of others."""

from __future__ import annotations

import json
from collections.abc import Sequence
from statistics import mean

import pytest
from small_files import workbook

from bleu_core.formats import read
from bleu_core.formats.contents import Contents

HEADER = ("segment", "system", "judge", "score", "time")
ROWS = [
    (1, "A", "x", 50, "10:00"),
    (1, "A", "x", 50, "10:00"),  # a copy
    (1, "A", "x", 50, "10:05"),  # the same rating at another time
    (1, "A", "y", 80, "10:00"),
    (2, "A", "x", 20, "10:07"),
    (1, "A", "x", 50, "10:00"),  # a second copy
]


def csv_rows(rows: Sequence[tuple[object, ...]], header: tuple[str, ...] = HEADER) -> bytes:
    return "\n".join(",".join(map(str, row)) for row in (header, *rows)).encode()


def json_rows(rows: Sequence[tuple[object, ...]]) -> bytes:
    return "\n".join(json.dumps(dict(zip(HEADER, row, strict=True))) for row in rows).encode()


def sheet_rows(rows: Sequence[tuple[object, ...]]) -> bytes:
    return workbook([list(HEADER), *map(list, rows)])


WAYS = {"h.csv": csv_rows, "h.jsonl": json_rows, "h.xlsx": sheet_rows}


def told(contents: Contents) -> list[str]:
    return [str(rows) for rows in contents.report.unused_rows]


@pytest.mark.parametrize("name", WAYS)
def test_a_copy_of_a_rating_counts_once_and_is_named(name: str) -> None:
    found = read(WAYS[name](ROWS), name, "judgments")
    assert told(found) == [f"{name}: 2 rows not used (first: line 3): an exact copy of another row"]
    assert found.judgments is not None
    assert found.report.ratings == 4
    assert found.judgments.repeated == 1
    assert dict(found.judgments.system_means()) == {"A": mean([mean([50, 80]), 20])}


def test_ratings_without_a_judge_may_be_of_two_people() -> None:
    rows = [(1, "A", "", 50, ""), (1, "A", "", 50, "")]
    assert told(read(csv_rows(rows), "h.csv", "judgments")) == []
    assert told(read(csv_rows([(1, "A", 50)] * 2, ("segment", "system", "score")), "h.csv", "judgments")) == []


def test_rows_that_differ_in_a_column_that_is_not_read_are_no_copies() -> None:
    rows = [(*row[:4], n) for n, row in enumerate(ROWS)]
    assert told(read(csv_rows(rows, (*HEADER[:4], "comment")), "h.csv", "judgments")) == []


def test_errors_that_are_copies_all_count_and_are_named() -> None:
    header = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity")
    row = ("A", "d", "1", "1", "r", "s", "t", "Accuracy/Mistranslation", "Major")
    other = (*row[:3], "2", *row[4:-1], "Minor")
    content = "\n".join("\t".join(cells) for cells in (header, row, row, other)).encode()
    found = read(content, "m.tsv", "judgments")
    assert found.judgments is not None
    assert found.judgments.table["score"].tolist() == [-10, -1]
    assert found.report.notes == (
        "1 row is an exact copy of another one: both count, since two errors may look the same",
    )


def test_a_line_of_several_ratings_is_no_copy_of_itself() -> None:
    line = json.dumps({"doc_id": "en-de_#_d_#_1", "scores": {"A": [{"annotator": "x", "score": 5}] * 2}})
    lines = [line, line.replace("_1", "_2")]
    found = read("\n".join(lines).encode(), "e.jsonl", "judgments", format="esa")
    assert told(found) == []
