"""JSON of few bytes that becomes much in memory is refused before it is parsed, and large tables are read."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nightly import nightly

from bleu_core.counts import Texts, count_texts, decode_counts, encode_counts
from bleu_core.errors import FormatError
from bleu_core.formats import FileRole, read, recognise
from bleu_core.formats.json_objects import iterate_array, parse_json
from bleu_core.limits import DEFAULT_LIMITS, LimitError, Limits
from bleu_core.project import SavedWorkspace, open_workspace, pack_workspace
from bleu_core.scoring import Counting
from bleu_core.uploads import create_file

#: What is around and between repetitions, which have numbers where all are different.
SHAPES: dict[str, tuple[str, str, str]] = {
    "empty lists": ("[", "[],", "[]]"),
    "empty objects": ("[", "{{}},", "{{}}]"),
    "lists in lists": ("[", "[[]],", "[]]"),
    "lists of a number": ("[", "[1.5],", "[]]"),
    "objects of a number": ("[", '{{"a":1}},', "[]]"),
    "objects of a list": ("[", '{{"a":[]}},', "[]]"),
    "objects in objects": ("[", '{{"a":{{}}}},', "[]]"),
    "objects of six entries": ("[", '{{"a":1.5,"b":1.5,"c":1.5,"d":1.5,"e":1.5,"f":1.5}},', "[]]"),
    "numbers": ("[", "999,", "1]"),
    "short texts": ("[", '"\u00e9\u00e9",', '""]'),
    "texts with wide characters": ("[", '"\U0001f600 a cat sat on the mat",', '""]'),
    "different keys": ("{{", '"{n}":1.5,', '"a":1}}'),
    "different keys of lists": ("{{", '"\u00e9{n}":[],', '"a":1}}'),
    "nested lists": ("", "[[[[[[[[[[]]]]]]]]]]", ""),
}
#: The limit of runs by day; the memory is in proportion.
SMALL = 4 * 2**20


def largest(shape: str, limit: int) -> str:
    """About the largest JSON of a shape that the limit admits."""
    begin, piece, end = (part.format(n=100_000) for part in SHAPES[shape])
    if not begin:
        begin, piece, end = "[", f"{piece},", "[]]"
    lowest, highest = 0, limit
    text = begin + end
    while highest - lowest > lowest // 100 + 1:
        middle = (lowest + highest) // 2
        given = SHAPES[shape][1]
        pieces = (
            "".join(given.format(n=100_000 + n) for n in range(middle // 50))
            if "{n}" in given
            else piece * (middle // 50)
        )
        try:
            parse_json(begin + pieces + "!", "x", Limits(json_memory=limit))
        except LimitError:
            highest = middle
        except FormatError:
            lowest, text = middle, begin + pieces + end
    return text


@pytest.mark.parametrize(("shape", "limit"), [*((s, SMALL) for s in SHAPES), *nightly([("empty lists", 300 * 2**20)])])
def test_what_is_accepted_takes_no_more_memory_than_the_limit(shape: str, limit: int) -> None:
    text = largest(shape, limit)
    tracemalloc.start()
    try:
        parse_json(text, "a.json", Limits(json_memory=limit))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert limit / 8 < peak < limit
    assert DEFAULT_LIMITS.json_memory == 300 * 2**20


def of_workspace(data: bytes, limits: Limits) -> object:
    return open_workspace(data, "a.json", limits=limits)


def of_counts(data: bytes, limits: Limits) -> object:
    return decode_counts(data, "a.json", limits)


def reader(role: FileRole, key: str) -> Callable[[bytes, Limits], object]:
    return lambda data, limits: read(data, "a.json", role, format=key, limits=limits)


WORKSPACE = pack_workspace(SavedWorkspace(files=(create_file("a.txt", b"a\n", "system"),)))
COUNTS = encode_counts(count_texts(Texts({"A": ["a"]}, {"R": ["a"]}), counting=Counting("13a", lowercase=False)))
SCORE = b'{"name":"BLEU","score":1,"signature":"x"}'
ITEM = '{"annotation":[{"A":{"score":1}}],"item":[{"item_id":"a"}],"user_id":"x"}'
READERS: dict[str, tuple[bytes, Callable[[bytes, Limits], object]]] = {
    "sacrebleu": (SCORE, reader("scores", "sacrebleu")),
    "comet": (b'{"A":[{"COMET":0.5}]}', reader("scores", "comet")),
    "pearmut, log": (f"{ITEM}\n".encode(), reader("judgments", "pearmut")),
    "pearmut, download": (f'{{"campaign": [{ITEM}]}}'.encode(), reader("judgments", "pearmut")),
    "wmt-scores": (b'{"document_id":"d","metric_scores":{"m":[1,2]}}\n', reader("scores", "wmt-scores")),
    "wmt-documents": (b'{"doc_id":"en-de_#_d","hypothesis":"x"}\n', reader("system", "wmt-documents")),
    "esa": (b'{"system":"A","line_id":1,"esa_score":1}\n', reader("judgments", "esa")),
    "workspace": (WORKSPACE, of_workspace),
    "counts": (COUNTS, of_counts),
}


@pytest.mark.parametrize("name", READERS)
def test_every_reader_that_keeps_values_checks_their_memory(name: str) -> None:
    data, read_it = READERS[name]
    read_it(data, DEFAULT_LIMITS)
    with pytest.raises(
        LimitError, match=r"^a\.json.*: [\d,]+ bytes of memory for JSON found.*--limit json_memory=\d+$"
    ):
        read_it(data, Limits(json_memory=100))


@pytest.mark.parametrize("name", [name for name in READERS if name not in ("workspace", "counts")])
def test_deeply_nested_values_are_refused_with_a_sentence(name: str) -> None:
    with pytest.raises(FormatError, match=r"^a\.json"):
        READERS[name][1](b'{"a":' + b"[" * 100_000, DEFAULT_LIMITS)
    with pytest.raises(FormatError, match=r"^a\.json"):
        read(b'[{"a":' + b"[" * 100_000, "a.json", "system", format="json-lines")


def rows(number: int) -> list[str]:
    return [f'{{"system":"sys{n % 20}","segment":{n // 20 + 1},"score":{n % 100}}}' for n in range(number)]


@pytest.mark.parametrize("number", [2000, *nightly([1_000_000])])
def test_a_table_in_an_array_is_read_as_in_lines_whatever_all_values_would_take(number: int) -> None:
    limits = DEFAULT_LIMITS if number > 2000 else Limits(json_memory=1)
    array = ("[\n" + ",\n".join(rows(number)) + "\n]\n").encode()
    lines = "\n".join(rows(number)).encode()
    tables = [read(data, "a.json", "judgments", limits=limits).judgments for data in (array, lines)]
    assert tables[0] is not None
    assert tables[1] is not None
    assert tables[0].table.equals(tables[1].table)


@pytest.mark.parametrize("text", ["[]", "{}", "[[]]"])
def test_lists_in_an_array_of_objects_are_refused_before_they_fill_memory(text: str) -> None:
    data = f'[{{"a":1}},\n{f"{text},{chr(10)}" * 1_000_000}[]]'.encode()
    long = f'[{{"a":[\n{f"{text},{chr(10)}" * 1_000_000}[]]}}]'.encode()
    tracemalloc.start()
    try:
        for given, message in ((data, r"a\.json, item 2: "), (long, r"a\.json, line 1: an item that has not ended")):
            if text == "{}" and given is data:
                continue  # a row of an object without a value
            with pytest.raises(FormatError, match=message):
                read(given, "a.json", "system", format="json-lines")
        assert tracemalloc.get_traced_memory()[1] < 120 * 2**20
    finally:
        tracemalloc.stop()


VALUES = st.recursive(
    st.none() | st.booleans() | st.text(max_size=3) | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=6,
)


@given(st.lists(st.dictionaries(st.text(max_size=2), VALUES, max_size=3)), st.sampled_from([None, 1]), st.data())
def test_items_are_those_of_the_whole_array(items: list[object], indent: int | None, data: st.DataObject) -> None:
    text = f" {json.dumps(items, indent=indent)}\n"
    longest = max((len(json.dumps(item, indent=4)) for item in items), default=1)
    length = data.draw(st.integers(2 * longest, 4 * longest + 9))
    assert [item for _, item in iterate_array(text, "x", Limits(line_length=length))] == items


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"a":1},\n{"a":', "x, line 2: '{\"a\":' found, JSON expected"),
        ('[{"a":1}\n{"a":2}]', "x, line 2: '{\"a\":2}]' found, JSON expected (Expecting ',' delimiter)"),
        ('[{"a":1}]\n\n]', "x, line 3: ']' found, JSON expected (Extra data)"),
        ('[{"a":1},]', "x, line 1: '[{\"a\":1},]' found, JSON expected (Expecting value)"),
        ('[{"a":1}', "x, line 1: '[{\"a\":1}' found, JSON expected (Expecting ',' delimiter)"),
        ('[{"a":' + "1" * 5000 + "}]", "x: a number or nesting that is too long found, JSON expected"),
    ],
)
def test_what_is_no_array_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        list(iterate_array(text, "x"))
    assert str(error.value).startswith(message)


def test_a_long_header_is_not_repeated_in_advice() -> None:
    header = "[" * 5000
    data = f"source\ttarget\t{header}system\n".encode() + b"a b c\td e f\tg h i\n" * 9
    for note in read(data, "a.tsv", "system", format="table").report.notes:
        assert len(note) < 1000
    assert recognise(data, "a.tsv") == "system"
