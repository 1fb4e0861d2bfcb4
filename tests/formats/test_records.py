"""Tables in JSON lines and in Parquet: read like the same tables as text."""

from __future__ import annotations

import json
import random
import resource
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pytest
from small_files import SAMPLES, parquet
from timed import within_seconds

from bleu_core.errors import FormatError
from bleu_core.formats import Contents, FileRole, inspect, read, recognise
from bleu_core.limits import LimitError, Limits

Rows = Sequence[Mapping[str, object]]


def json_lines(rows: Rows) -> bytes:
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def in_parquet(rows: Rows) -> bytes:
    names = list(dict.fromkeys(name for row in rows for name in row))
    return parquet({name: [row.get(name) for row in rows] for name in names})


WAYS: dict[str, Callable[[Rows], bytes]] = {"json-lines": json_lines, "parquet": in_parquet}
ENDINGS = {"json-lines": ".jsonl", "parquet": ".parquet"}


def read_rows(rows: Rows, way: str, role: FileRole = "system") -> Contents:
    return read(WAYS[way](rows), f"a{ENDINGS[way]}", role)


def texts(contents: Contents) -> list[tuple[str, str, tuple[str | None, ...]]]:
    return [(column.role, column.name, column.segments) for column in contents.columns]


TEXTS = [{"src": "uno", "ref.A": "one", "S1": "on\u2028e"}, {"src": "dos", "ref.A": "two", "S1": None}]


@pytest.mark.parametrize("way", WAYS)
def test_rows_are_segments(way: str) -> None:
    data = WAYS[way](TEXTS)
    for name in ("a", "a.txt", f"a{ENDINGS[way]}"):
        assert inspect(data, name).format == way
        assert recognise(data, name) == "system"
    assert texts(read_rows(TEXTS, way)) == [
        ("source", "src", ("uno", "dos")),
        ("reference", "ref.A", ("one", "two")),
        ("system", "S1", ("on\u2028e", "")),
    ]


@pytest.mark.parametrize("way", WAYS)
def test_columns_of_numbers_are_no_texts(way: str) -> None:
    rows = [{"src": "uno", "S1": "1", "S2": 0.5, "n": 1}, {"src": "dos", "S1": "two", "S2": None, "n": 2}]
    found = read_rows(rows, way)
    assert [column.name for column in found.columns] == ["src", "S1"]
    assert found.report.notes == ("columns used: src (source), S1 (system); not used: S2, n (numbers only)",)


@pytest.mark.parametrize("way", WAYS)
def test_values_of_objects_and_references_in_lists_are_columns(way: str) -> None:
    rows = [
        {"src": "uno", "refs": ["one", "1"], "S": {"x": "on", "y": "ein"}, "spans": [1, 2]},
        {"src": "dos", "refs": ["two", "2"], "S": {"x": "tw", "y": "zwei"}, "spans": []},
    ]
    found = read_rows(rows, way)
    assert [(column.role, column.name) for column in found.columns] == [
        ("source", "src"),
        ("reference", "refs.1"),
        ("reference", "refs.2"),
        ("system", "S.x"),
        ("system", "S.y"),
    ]
    assert found.report.notes == ("not used, since they are lists or nested too deeply: spans",)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("rows", "role"),
    [
        ([{"segment": 1, "system": "A", "judge": "x", "score": 2.5}], "judgments"),
        ([{"system": "A", "metric": "M", "segment": 1, "score": 0.5}], "scores"),
        ([{"segment": 1, "domain": "news"}, {"segment": 2, "domain": "talk"}], "labels"),
    ],
)
def test_other_tables_are_recognised(way: str, rows: Rows, role: FileRole) -> None:
    data = WAYS[way](rows)
    assert recognise(data, f"a{ENDINGS[way]}") == role
    found = read(data, "a", role)
    assert found.report.format_key == way
    assert found.judgments is not None or found.scores or found.labels is not None


LONG = [
    {"doc": d, "seg_id": n, "system": s, "src": f"{d} {n}", "hyp": f"{s} {d} {n}"}
    for s in ("A", "B")
    for d in ("x", "y")
    for n in (1, 2)
]


@pytest.mark.parametrize("way", [*WAYS, "tsv"])
@pytest.mark.parametrize("shuffled", [False, True])
def test_rows_of_segments_and_systems_are_put_together(way: str, shuffled: bool) -> None:  # noqa: FBT001
    rows = [*LONG, LONG[3]]  # a row twice
    if shuffled:
        random.Random(1).shuffle(rows)
    if way == "tsv":
        cells = [list(rows[0]), *(row.values() for row in rows)]
        data = "".join("\t".join(map(str, row)) + "\n" for row in cells).encode()
        found = read(data, "a.tsv", "system").columns
    else:
        found = read_rows(rows, way).columns
    order = list(dict.fromkeys((row["doc"], row["seg_id"]) for row in rows))
    expected = {
        "A": tuple(f"A {d} {n}" for d, n in order),
        "B": tuple(f"B {d} {n}" for d, n in order),
        "src": tuple(f"{d} {n}" for d, n in order),
        "doc": tuple(d for d, _ in order),
    }
    assert {column.name: column.segments for column in found} == expected
    assert {column.name: column.role for column in found} == {
        "A": "system",
        "B": "system",
        "src": "source",
        "doc": "document",
    }


def test_segments_of_several_language_pairs_are_apart() -> None:
    rows = [{**row, "lp": pair, "hyp": f"{pair} {row['hyp']}"} for pair in ("en-de", "en-cs") for row in LONG]
    found = read_rows(rows, "json-lines")
    assert found.columns[0].segments == tuple(
        f"{p} A {d} {n}" for p in ("en-de", "en-cs") for d in "xy" for n in (1, 2)
    )
    assert [str(key) for key in found.columns[0].ids or ()][::3] == ["en-de x 1", "en-de y 2", "en-cs y 1"]
    assert found.report.notes[0].startswith(
        "2 language pairs in one table (en-de, en-cs): all rows with a reference are"
    )


def test_without_numbers_the_order_of_each_systems_rows_counts() -> None:
    rows = [{"system": s, "target": f"{s}{n}"} for n in range(3) for s in "AB"]
    assert texts(read_rows(rows, "json-lines")) == [
        ("system", "A", ("A0", "A1", "A2")),
        ("system", "B", ("B0", "B1", "B2")),
    ]


def test_a_system_lacks_a_numbered_segment_or_is_refused_without_numbers() -> None:
    found = {column.name: column for column in read_rows(LONG[:-1], "json-lines").columns}
    assert found["A"].ids is not None
    assert found["B"].ids == found["A"].ids[:-1]
    assert len(found["B"].segments) == len(found["A"].segments) - 1
    unnumbered: Rows = [{"system": s, "target": "x"} for s in "ABA"]
    with pytest.raises(
        FormatError, match=r"^a\.jsonl: no text of B found for the segment that begins in line 4, 1 row"
    ):
        read_rows(unnumbered, "json-lines")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: [*rows, rows[0] | {"hyp": "x"}], r"a\.jsonl, line 10: another text of A of a segment found than"),
        (lambda rows: [*rows[:-1], rows[-1] | {"src": "x"}], r"a\.jsonl, line 9: another source text of a segment"),
    ],
)
def test_rows_that_do_not_fit_are_refused(change: Callable[[list[dict[str, object]]], Rows], message: str) -> None:
    with pytest.raises(FormatError, match=f"^{message}"):
        read_rows(change(LONG), "json-lines")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"A": "x"}\n\n{"A": "y"}\n', r"a\.jsonl, line 2: '' found, an object with a value for each column expected"),
        (b'{"A": "x"}\n[1]\n', r"a\.jsonl, line 2: '\[1\]' found"),
        (b'{"A": "x", "B": "\\ud800"}\n', r"a\.jsonl, line 2: half of a surrogate pair found"),
        (b'{"A": "x", "B": "\\u0000"}\n', r"a\.jsonl, line 2: NUL character found"),
        (b'{"A": "x"}\n{"A": ' + b"[" * 100_000 + b"\n", r"a\.jsonl, line 2: "),
    ],
)
def test_bad_lines_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=f"^{message}"):
        read(data, "a.jsonl", "system", format="json-lines")


def test_blank_lines_at_the_end_are_ignored() -> None:
    assert read(b'{"A": "x"}\n{"A": "y"}\n\n \n', "a.jsonl", "system").columns[0].segments == ("x", "y")


def test_a_text_that_begins_with_a_brace_is_no_table() -> None:
    data = b"{is} a bracket\n{\n"
    assert read(data, "a.txt", "system").columns[0].segments == ("{is} a bracket", "{")
    assert read(b'{"A": "x"}\n', "a.jsonl", "system", format="text").columns[0].segments == ('{"A": "x"}',)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (Limits(columns=2), r"3 columns found, at most 2 allowed"),
        (Limits(lines=2), r"[34] lines found, at most 2 allowed"),
    ],
)
def test_what_is_too_large_is_refused(way: str, limits: Limits, message: str) -> None:
    with pytest.raises(LimitError, match=message):
        read(WAYS[way](TEXTS + TEXTS[:1]) if limits.lines == 2 else WAYS[way](TEXTS), "a", "system", limits=limits)


BOMBS = {
    "a text repeated": (lambda: parquet({"A": ["x" * 900_000] * 200}), r"a\.parquet: [\d,]+ bytes in the table found"),
    "rows": (lambda: parquet({"A": [None] * 6_000_000}), r"a\.parquet: 6,000,001 lines found"),
    "texts that pack well": (
        lambda: parquet({"A": [f"{n}{'x' * 1_000_000}" for n in range(60)]}, use_dictionary=False, compression="zstd"),
        r"a\.parquet: [\d,]+ unpacked bytes per packed byte found",
    ),
}


@pytest.mark.usefixtures("readers_here")
@pytest.mark.parametrize("bomb", BOMBS)
def test_bombs_are_refused_soon(bomb: str) -> None:
    make, message = BOMBS[bomb]
    read(SAMPLES["parquet"], "a", "system")  # loads pyarrow, once
    data = make()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def refuse() -> None:
        with pytest.raises(LimitError, match=f"^{message}"):
            read(data, "a.parquet", "system", limits=Limits(file_bytes=2**27))

    within_seconds(5, refuse)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2**20


def test_damaged_files_are_read_or_refused_by_name() -> None:
    chance = random.Random(2)
    rows = [{"src": f"uno {n}", "S1": f"one {n % 7}", "n": n, "refs": [f"{n}", "x"]} for n in range(50)]
    for way, make in WAYS.items():
        whole, name = make(rows), f"a{ENDINGS[way]}"
        damaged = [whole[: chance.randrange(len(whole))] for _ in range(100)]
        for _ in range(300):
            at = chance.randrange(len(whole))
            damaged.append(whole[:at] + chance.randbytes(chance.randint(1, 8)) + whole[at + chance.randint(0, 8) :])
        refused = 0
        for data in damaged:
            try:
                within_seconds(1, partial(read, data, name, "system", format=way))
            except FormatError as error:
                refused += str(error).startswith(name)
        assert refused > 100


@pytest.mark.parametrize(
    ("record", "name"),
    [
        ({"ref.a": "one", "ref": {"a": "two"}}, "ref.a"),
        ({"refs": ["one", "two"], "refs.2": "three"}, "refs.2"),
        ({"a": {"b.c": "one", "b": {"c": "two"}}}, "a.b.c"),
        ({"a.b": {"c": None}, "a": {"b": {"c": "two"}}}, "a.b.c"),
    ],
)
@pytest.mark.parametrize("as_array", [False, True])
def test_two_values_of_one_column_are_refused(record: Mapping[str, object], name: str, as_array: bool) -> None:  # noqa: FBT001
    rows = [{"S1": "x"}, record]
    data = json.dumps(rows).encode() if as_array else json_lines(rows)
    place = f"a.jsonl, {'item' if as_array else 'line'} 2"
    with pytest.raises(
        FormatError, match=f"^{place}: two values of the column '{name}' found, 1 expected; rename one of the keys$"
    ):
        read(data, "a.jsonl", "system")


def test_rows_may_name_a_column_in_two_ways() -> None:
    contents = read_rows([{"ref.a": "one", "S1": "x"}, {"ref": {"a": "two"}, "S1": "y"}], "json-lines")
    assert ("reference", "ref.a", ("one", "two")) in texts(contents)
