"""Parquet: values as tables of text show them, many rows at a time, and nothing that unpacks to far more than it is."""

from __future__ import annotations

import datetime as dt
import decimal
import io
import resource
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pytest
from nightly import nightly
from pyarrow.parquet import write_table
from small_files import SAMPLES, parquet
from timed import within_seconds

from bleu_core.errors import FormatError
from bleu_core.formats import Contents, inspect, read
from bleu_core.formats.delimited import table_to_text
from bleu_core.limits import LimitError, Limits


def written(arrays: Mapping[str, Any], **options: Any) -> bytes:
    stream = io.BytesIO()
    write_table(pa.table(dict(arrays)), stream, **options)
    return stream.getvalue()


def content(data: bytes, limits: Limits | None = None) -> str:
    """The text of the table in a file."""
    table = inspect(data, "a.parquet", limits=limits or Limits()).table
    assert table is not None
    return table.text.content


def columns(found: Contents) -> dict[str, tuple[str | None, ...]]:
    return {column.name: column.segments for column in found.columns}


DAY = dt.datetime(2020, 1, 2, 3, 4, 5)  # noqa: DTZ001
VALUES: dict[str, Any] = {
    "text": ["a", "tab\there", None, "\r\n", "ä\u2028b", "", "x\ny\nz", "last"],
    "large": pa.array(["a", None, "b", "c", "d", "e", "f", "g"], pa.large_string()),
    "view": pa.array(["a", None, "b", "c", "d", "e", "f", "g"], pa.string_view()),
    "category": pa.array(["u", "v", None, "u", "u", "v", "u", "v"]).dictionary_encode(),
    "whole": [1, -2, None, 2**62, 0, 5, 6, 7],
    "number": [0.5, 1.0, None, 1e20, 1e-7, float("nan"), -0.0, 2.0**53],
    "single": pa.array([0.5, 1.0, None, 0.1, 1e-7, 3.25, -1, 7], pa.float32()),
    "truth": [True, False, None, True, True, True, True, False],
    "day": [DAY.date()] * 7 + [None],
    "moment": [DAY] * 7 + [None],
    "decimal": [decimal.Decimal("1.50")] * 7 + [None],
    "nothing": pa.nulls(8),
    "na\tme": ["x"] * 8,
}


@pytest.mark.parametrize("options", [{}, {"use_dictionary": False}, {"row_group_size": 3}])
def test_values_are_those_of_a_table_of_pyarrows_objects(options: dict[str, Any]) -> None:
    whole = pa.table(VALUES)
    rows = [list(VALUES), *([record[name] for name in VALUES] for record in whole.to_pylist())]
    expected, _ = table_to_text(rows, "Parquet", "a.parquet", limits=Limits())
    found = inspect(written(VALUES, **options), "a.parquet").table
    assert found is not None
    assert found.text.content == expected.content
    assert found.text.repairs == expected.repairs


def test_empty_rows_at_the_end_are_left_out_and_counted() -> None:
    found = inspect(parquet({"A": ["x", None, "y", "", None], "B": [None, "z", None, None, ""]}), "a").table
    assert found is not None
    assert found.text.content == "A\tB\nx\t\n\tz\ny\t\n"
    assert found.notes == ("2 empty rows at the end left out",)


def test_lists_grow_from_group_to_group() -> None:
    refs = [["a"], None, ["b", "c"], [], ["d", None, "e"]]
    data = written({"refs": refs, "S": ["1 x", "2 x", "3 x", "4 x", "5 x"]}, row_group_size=2)
    assert content(data) == ("refs.1\tS\trefs.2\trefs.3\na\t1 x\t\t\n\t2 x\t\t\nb\t3 x\tc\t\n\t4 x\t\t\nd\t5 x\t\te\n")


def test_more_columns_than_are_read_at_a_time_stay_in_order() -> None:
    table = {f"c{n}": [f"{n} a", None, f"{n} b"] for n in range(250)}
    lines = ["\t".join(table), *("\t".join(cells[i] or "" for cells in table.values()) for i in range(3))]
    assert content(written(table, row_group_size=2)) == "".join(f"{line}\n" for line in lines)


def test_names_with_dots_are_no_objects() -> None:
    found = read(written({"S": ["a b", "c"], "S.x": ["d e", "f"], "T": [{"x": "g h"}, None]}), "a.parquet", "system")
    assert columns(found) == {"S": ("a b", "c"), "S.x": ("d e", "f"), "T.x": ("g h", "")}


@pytest.mark.parametrize(
    "arrays",
    [
        pa.Table.from_arrays([pa.array(["a b"]), pa.array(["c"])], names=["A", "A"]),
        pa.table({"A.x": ["a b"], "A": [{"x": "c"}]}),
        pa.table({"refs": [["a b"]], "refs.1": ["c"]}),
    ],
)
def test_two_columns_of_one_name_are_refused(arrays: Any) -> None:
    stream = io.BytesIO()
    write_table(arrays, stream)
    with pytest.raises(FormatError, match=r"^a\.parquet: two columns are named '.*'; rename one"):
        read(stream.getvalue(), "a.parquet", "system")


def test_bytes_are_read_where_they_are_text() -> None:
    arrays = {
        "A": pa.array([b"a b", None, "ä".encode()]),
        "picture": pa.array([b"a", b"\xff\xd8", None]),
        "key": pa.array([b"x" * 50] * 3, pa.binary(50)),
    }
    found = read(written(arrays), "a.parquet", "system")
    assert columns(found) == {"A": ("a b", "", "ä")}
    assert found.report.notes == ("not used, since they are bytes that are not text: key, picture",)


def test_text_that_is_not_utf_8_is_refused() -> None:
    bad = pa.StringArray.from_buffers(1, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xfe"))
    with pytest.raises(FormatError, match=r"^a\.parquet: cannot be read as Parquet: 'utf-?8' codec can't decode"):
        read(written({"A": bad}), "a.parquet", "system")


def test_a_nul_is_refused_with_its_line() -> None:
    with pytest.raises(FormatError, match=r"^a\.parquet, line 3: NUL character found"):
        read(parquet({"A": ["x", "y\0", "z"]}), "a.parquet", "system")


@pytest.mark.parametrize("encoding", ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"])
def test_texts_in_encodings_that_cannot_be_read_are_refused_with_what_to_do(encoding: str) -> None:
    data = written({"n": [1, 2], "A": ["a", "ab"]}, use_dictionary=False, column_encoding={"A": encoding})
    with pytest.raises(FormatError, match=rf"^a\.parquet: column A has the encoding {encoding}, PLAIN or a dictionary"):
        read(data, "a.parquet", "system")


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (Limits(rows=2), "a.parquet: 3 rows found, at most 2 allowed"),
        (Limits(chunks=5), "a.parquet: 6 column chunks found, at most 5 allowed"),
        (Limits(cells=7), "a.parquet: 8 cells found, at most 7 allowed"),
        (Limits(table_bytes=15), r"a.parquet: \d+ bytes in the table found, at most 15 allowed"),
        (Limits(lines=3), "a.parquet: 4 lines found, at most 3 allowed"),
    ],
)
def test_what_is_too_large_is_refused(limits: Limits, message: str) -> None:
    data = written({"A": ["x y", "z", "z"], "B": ["x", "y", "z"]}, row_group_size=1)
    assert len(read(data, "a.parquet", "system").columns) == 2
    with pytest.raises(LimitError, match=f"^{message}"):
        read(data, "a.parquet", "system", limits=limits)


def test_a_description_that_is_too_large_is_refused() -> None:
    table = pa.table({"A": ["x"]}).replace_schema_metadata({"x": "y" * 2**24})
    stream = io.BytesIO()
    write_table(table, stream)
    with pytest.raises(FormatError, match=r"^a\.parquet: a description of [\d,]+ bytes found, at most 16,777,216"):
        read(stream.getvalue(), "a.parquet", "system")


REPEATED = "x" * 900_000
BOMBS: dict[str, tuple[Callable[[], Mapping[str, Sequence[object]]], str]] = {
    "in an object": (lambda: {"A": [{"b": REPEATED}] * 200}, "bytes in the table"),
    "in lists": (lambda: {"refs": [[REPEATED] * 20] * 20}, "bytes in the table"),
    "in a list": (lambda: {"refs": [[REPEATED] * 900]}, "bytes in the table"),
    "in large texts": (lambda: {"A": pa.array([REPEATED] * 200, pa.large_string())}, "bytes in the table"),
    "as bytes": (lambda: {"A": [REPEATED.encode()] * 200}, "bytes in the table"),
    "in a long list": (lambda: {"refs": [["x"] * 2000]}, "columns"),
    "in many items": (lambda: {"refs": [["x"] * 900] * 6000}, "cells"),
    "as long keys": (lambda: {"A": pa.array([REPEATED.encode()] * 200, pa.binary(len(REPEATED)))}, "segments"),
}

#: Those that take long to write, beside others with objects and lists.
BOMBS_OF_NIGHTS = ("in an object", "in a list")


@pytest.mark.usefixtures("readers_here")
@pytest.mark.parametrize("bomb", [*(b for b in BOMBS if b not in BOMBS_OF_NIGHTS), *nightly(BOMBS_OF_NIGHTS)])
def test_texts_that_are_repeated_are_not_written_out(bomb: str) -> None:
    table_of, what = BOMBS[bomb]
    read(SAMPLES["parquet"], "a", "system")  # loads pyarrow, once
    data = written(table_of())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def refuse() -> None:
        with pytest.raises(FormatError, match=rf"^a\.parquet: .*{what}"):
            read(data, "a.parquet", "system")

    within_seconds(2, refuse)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 * 1024


@pytest.mark.usefixtures("readers_here")
def test_many_short_rows_take_no_long_time() -> None:
    read(SAMPLES["parquet"], "a", "system")  # loads pyarrow, once
    count = 400_000
    data = parquet({"src": [f"s{n}" for n in range(count)], "A": [f"t {n % 1000}" for n in range(count)]})
    assert within_seconds(2, lambda: content(data)).count("\n") == count + 1  # a few tenths
