"""TOML that Python's parser would take too much memory or time for, and TOML that is read."""

from __future__ import annotations

import re
import tomllib
import tracemalloc
from importlib import import_module
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nightly import nightly
from timed import within_seconds

from bleu_core.errors import FormatError
from bleu_core.formats import parse_toml
from bleu_core.formats.toml_files import FLAGS, ITEM, MAX_BYTES, MAX_ITEMS, MAX_LENGTH, MAX_PARTS

#: The most memory that a file may take, and the time.
MAX_MEMORY, MAX_SECONDS = 200 * 2**20, 10.0
#: Repetitions with different names, of which as many are parsed as the limits allow, and what is around them.
SHAPES: dict[str, tuple[str, str, str]] = {
    "headers of lists": ("", "[[{n}.a.a.a.a.a.a.a.a.a]]\n", ""),
    "keys": ("", "{n}.a.a.a.a.a.a.a.a.a=1\n", ""),
    "keys below a long header": ("[a.a.a.a.a.a.a.a.a.a]\n", "{n}.b.b.b.b.b.b.b.b.b=1\n", ""),
    "short keys": ("", "{n}.a=1\n", ""),
    "tables": ("", "[{n}]\n", ""),
    "tables in lists": ("", "[[a]]\n{n}.b=1\n", ""),
    "inline tables": ("a={", "{n}={{}},", "b=1}"),
    "long keys in an inline table": ("a={", "{n}.a.a.a.a.a.a.a.a.a={{}},", "b=1}"),
    "a list of tables": ("a=[", "{{a.b.c.d=1}},", "]"),
    "nested tables": ("a=[", "{{a={{a={{a={{a={{}}}}}}}}}},", "]"),
    "a list of lists": ("a=[", "[],", "]"),
    "quoted keys": ("", "'{n}'.\"a\".'a'.'a'.'a'.'a'.'a'.'a'.'a'.'a'=1\n", ""),
    "escapes": ('a="""', "\\u00e9", '"""'),
    "quotation marks": ('a="""', '""a', '"""'),
    "comments": ("a=[", "#\n", "]"),
    "dates": ("a=[", "1979-05-27T07:32:00Z,", "]"),
}
EVERY_RUN = ("headers of lists", "long keys in an inline table")


def largest(shape: str) -> bytes:
    """About the largest file of a shape that is accepted."""
    begin, piece, end = SHAPES[shape]
    example = piece.format(n=10_000)
    items = sum(1 for _ in re.finditer(ITEM, example, FLAGS))
    number = min(MAX_BYTES // len(example), MAX_ITEMS // max(items, 1)) - 10
    return (begin + "".join(piece.format(n=n) for n in range(number)) + end).encode()


@pytest.mark.parametrize("shape", [*EVERY_RUN, *nightly([shape for shape in SHAPES if shape not in EVERY_RUN])])
def test_what_is_accepted_takes_bounded_memory_and_time(shape: str) -> None:
    data = largest(shape)
    tracemalloc.start()
    try:
        parse_toml(data, "bleu.toml")
        assert tracemalloc.get_traced_memory()[1] < MAX_MEMORY
    finally:
        tracemalloc.stop()
    within_seconds(MAX_SECONDS, lambda: parse_toml(data, "bleu.toml"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\n" + "a." * 40_000 + "b=1", "line 2: a key of more than 10 parts found, at most 10 expected"),
        ("x = 1\r\n[" + "a . " * 40_000 + "b]", "line 2: a key of more than 10 parts"),
        ("x = {y = '''\n''''', " + "'a'.\"b\"." * 20_000 + "b=1}", "line 2: a key of more than 10 parts"),
        ('x = {y = """\\"""", ' + "a." * 40_000 + "b=1}", "line 1: a key of more than 10 parts"),
        ("[[" + '"\\"]".' * 10 + "b]]", "line 1: a key of more than 10 parts"),
        ("a" * 301 + " = 1", "line 1: a key or number of more than 300 characters"),
        ("a = 0x" + "f" * 100_000, "line 1: a key or number of more than 300 characters"),
        ("a = 1" + "_1" * 5000, "line 1: a key or number of more than 300 characters"),
        ("a = [\n" + "1,\n" * 100_000 + "]", "line 100,000: more than 100,000 names and values found"),
        ("a = 1\n" + "#" * 2**20, "1,048,582 bytes found, at most 1,048,576 expected"),
        ("a = " + "[" * 5000, "deeply nested values found"),
        ("a = 1979-02-31", "line 1: not valid TOML: Invalid date"),
        ("a = ", "not valid TOML: Invalid value (at end of document)"),
    ],
)
def test_what_takes_too_much_is_refused_with_its_line(text: str, message: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(FormatError) as refused:
            parse_toml(text.encode(), "bleu.toml")
        assert tracemalloc.get_traced_memory()[1] < 20 * 2**20
    finally:
        tracemalloc.stop()
    assert str(refused.value).startswith("bleu.toml")
    assert message in str(refused.value)


def test_text_in_strings_and_comments_is_no_key() -> None:
    dotted = "a." * 100 + "b"
    text = f"# {dotted}\nx = '{dotted}'  # {dotted}\n"
    text += f"y = \"{dotted}\"\nz = '''\n{dotted}'''''\n[v]\nw = \"\"\"{dotted}\"\"\"\n"
    assert parse_toml(text.encode(), "x") == tomllib.loads(text)


PIECES = [
    "a", "b1", ".", ".", " ", "=", "=1", "\n", "\n", "[", "]", "[[", "]]", "{", "}", ",", "'", '"', "'''", '"""', "\\",
    '\\"', "#", "1.5", "'x'", '"y"', "x = 1\n", "[t]\n", "{a=", "\r\n", "\t", "é", "-", "_", "true",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_what_is_valid_is_read_as_the_parser_does(text: str) -> None:
    try:
        expected = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(FormatError):
            parse_toml(text.encode(), "x")
        return
    assert parse_toml(text.encode(), "x") == expected


@pytest.mark.parametrize("seed", range(300))
def test_long_keys_are_found_wherever_the_parser_finds_them(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(seed)
    lengths: list[int] = []

    def recorded(src: str, pos: int) -> tuple[int, tuple[str, ...]]:
        place, key = parse_key(src, pos)
        lengths.append(len(key))
        return place, key

    parse_key = vars(import_module("tomllib._parser"))["parse_key"]
    monkeypatch.setattr("tomllib._parser.parse_key", recorded)
    refused = 0
    for _ in range(20):
        long = ".".join(random.choices(("a", "'b'", '"c"', "1", "-", "'\"'", '"\\""', "''"), k=MAX_PARTS + 1))
        pieces = random.choices(PIECES, k=random.randrange(8))
        valid = random.choice(("x = '''a'''''\n", 'x = """b"""""\n', "[x]\n", "# 'c\n", 'x = "\'"\n', "x = {y = 1}\n"))
        before = "".join([valid, *pieces, random.choice(("", "\n", "\nz = {"))])
        text = f"{before}{long} = 1\n"
        lengths.clear()
        try:
            parse_toml(text.encode(), "x")
        except FormatError as error:
            refused += "a key of more than" in str(error)
        assert max(lengths, default=0) <= MAX_PARTS
    assert refused


def test_limits_are_for_manifests_of_thousands_of_test_sets() -> None:
    sets = "".join(
        f'[sets.wmt{n}-en-de]\nreferences = "wmt{n}/ref.A.txt"\nsystems = ["wmt{n}/out/*.txt", "x/*"]\n'
        f'source = "wmt{n}/src.txt"\nsettings.max_order = 3\n'
        for n in range(4000)
    )
    assert len(parse_toml(sets.encode(), "x")["sets"]) == 4000
    assert MAX_ITEMS == 100_000
    assert MAX_LENGTH == 300
