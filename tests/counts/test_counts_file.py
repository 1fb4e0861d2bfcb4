"""Counts files come back as they were, and say what is wrong with them."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from fuzz.damage import OF_BYTES

from bleu_core.counts import (
    Bundling,
    Counts,
    Part,
    Texts,
    count_texts,
    decode_counts,
    encode_counts,
    is_counts,
    merge,
    read_counts,
    write_counts,
)
from bleu_core.errors import BleuCoreError, FormatError
from bleu_core.limits import LimitError, with_changes
from bleu_core.scoring import Counting

CHANCE = Random(5)
WORDS = ["the", "cat", "sat", "on", "a", "mat", "."]


def line() -> str:
    return " ".join(CHANCE.choices(WORDS, k=CHANCE.randint(0, 9)))


TEXTS = Texts(
    {"A": [line() for _ in range(60)], "ü=1": [line() for _ in range(60)]},
    {"r": [line() for _ in range(60)], "s": [line() if i % 3 else None for i in range(60)]},
    [f"d{i // 7}" for i in range(60)],
)
WAYS: list[dict[str, Any]] = [
    {},
    {"counting": Counting(tokenizer="none", lowercase=True), "max_order": 2},
    {"part": Part(2, 7)},
    {"bundling": Bundling("lines", 9)},
    {"bundling": Bundling("documents", 4), "part": Part(1, 2)},
]


def counts(**changes: Any) -> Counts:
    options: dict[str, Any] = {"counting": Counting()}
    return count_texts(TEXTS, **(options | changes))


@pytest.mark.parametrize("way", WAYS)
def test_counts_come_back_as_they_were(tmp_path: Path, way: dict[str, Any]) -> None:
    made = counts(**way)
    write_counts(made, tmp_path / "x.counts")
    found = read_counts(tmp_path / "x.counts")
    assert (found.counted, found.range, found.oddities) == (made.counted, made.range, made.oddities)
    assert encode_counts(found) == (tmp_path / "x.counts").read_bytes()
    for name in made.data.__slots__:
        assert np.array_equal(getattr(found.data, name), getattr(made.data, name))
    assert [path.name for path in tmp_path.iterdir()] == ["x.counts"]


@pytest.mark.parametrize("bundling", [None, Bundling("lines", 9)])
def test_the_file_of_merged_parts_is_the_file_of_a_single_count(bundling: Bundling | None) -> None:
    parts = [counts(part=Part(i, 5), bundling=bundling) for i in range(1, 6)]
    again = [(str(i), decode_counts(encode_counts(part), "x")) for i, part in enumerate(parts)]
    assert encode_counts(merge(again)) == encode_counts(counts(bundling=bundling))


def test_a_segment_takes_few_bytes() -> None:
    texts = Texts({"A": [line() for _ in range(20_000)]}, {"r": [line() for _ in range(20_000)]})
    assert len(encode_counts(count_texts(texts, counting=Counting()))) < 5 * 20_000


@pytest.mark.parametrize("way", WAYS)
def test_damaged_files_are_refused_with_a_sentence(way: dict[str, Any]) -> None:
    data = encode_counts(counts(**way))
    for damage in OF_BYTES.values():
        for seed in range(25):
            found = damage(data, Random(seed))
            if found == data:
                continue
            message = ""
            try:  # what was damaged may not matter, such as a date in the zip
                assert encode_counts(decode_counts(found, "x.counts")) == data
            except BleuCoreError as error:
                message = str(error)
            assert not message or message.startswith("x.counts")


def changed(data: bytes, **changes: Any) -> bytes:
    """The file with another manifest."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "counts.json":
                content = json.dumps({**json.loads(content), **changes}).encode()
            new.writestr(zipfile.ZipInfo(name), content)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"layout": 2, "version": "9.9"}, "layout 2 found, 1 expected; it was written by version 9.9"),
        ({"segments": 10}, "damaged"),
        ({"segments": "60"}, "damaged"),
        ({"counted_segments": 59}, "damaged"),
        ({"counted_segments": 10**18, "segments": 10**18}, "damaged"),
        ({"systems": []}, "damaged"),
        ({"systems": [{"name": "A"}]}, "damaged"),
        ({"references": [5]}, "damaged"),
        ({"max_order": 99}, "damaged"),
        ({"tokenizer": "no"}, "tokeniser 'no' found"),
        ({"bundles": {"by": "lines", "number": 10**15}}, "damaged"),
        ({"segments": 10**400}, r"damaged \(segments 10{58}…0{20}\)"),
        ({"max_order": "x" * 6000}, r"damaged \(max_order 'x{58}…x{19}'\)"),
        ({"layout": "x" * 6000}, r"layout x{59}…x{20} found"),
        ({"signature": [10**400]}, r"damaged \(\[10{57}…0{19}\] where text"),
    ],
)
def test_a_manifest_that_does_not_fit_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        decode_counts(changed(encode_counts(counts()), **changes), "x.counts")
    assert str(caught.value).startswith("x.counts: ")


def test_counts_that_are_impossible_are_refused() -> None:
    made = counts()
    assert not isinstance(made.data, np.ndarray)
    data = encode_counts(made)
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "matches.npy":
                array = np.load(io.BytesIO(content))
                array[0, 0, 0] = 100
                buffer = io.BytesIO()
                np.save(buffer, array)
                content = buffer.getvalue()
            new.writestr(zipfile.ZipInfo(name), content)
    with pytest.raises(FormatError, match=r"damaged \(more matches than n-grams\)"):
        decode_counts(stream.getvalue(), "x.counts")


@pytest.mark.parametrize("empty", [61, 10**400])
def test_more_empty_lines_than_lines_are_refused(empty: int) -> None:
    text = {"name": "A", "digest": "x", "empty": empty, "invisible": {}}
    with pytest.raises(FormatError, match=r"damaged \(empty (61|10{58}…0{20})\)"):
        decode_counts(changed(encode_counts(counts()), systems=[text, text | {"name": "B"}]), "x.counts")


def claiming(header: str, version: bytes = b"\1\0") -> bytes:
    """An array of this header and one number."""
    line = f"{header}\n".encode("latin-1")
    return b"\x93NUMPY" + version + len(line).to_bytes(2, "little") + line + bytes(8)


HUGE = 2**60


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (claiming(f"{{'descr': '<i8', 'fortran_order': False, 'shape': (2, 4, {HUGE})}}"), "of shape .*in 8 bytes"),
        (claiming("{'descr': '<i8', 'fortran_order': False, 'shape': (2, 4, 60)}"), "of shape .*in 8 bytes"),
        (claiming(f"{{'descr': '<i8', 'fortran_order': False, 'shape': ({10**300}, 4, 60)}}"), r"of shape \(10+…"),
        (claiming("x" * 4000), "the header of an array cannot"),
        (claiming("(" * 4000), "the header of an array cannot"),
        (claiming("{'descr': '|O', 'fortran_order': False, 'shape': (2, 4, 60)}"), "type object"),
        (claiming("{}", b"\x09\0"), "the header of an array cannot"),
        (claiming("{'descr': '<i8', 'fortran_order': False, 'shape': (2, 4, 60)}", b"\2\0"), "of another version"),
    ],
)
@pytest.mark.parametrize("lines", [60, HUGE])
def test_an_array_is_as_large_as_it_says_or_refused(array: bytes, message: str, lines: int) -> None:
    stream = io.BytesIO()
    data = changed(encode_counts(counts()), segments=lines, counted_segments=lines)
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            new.writestr(zipfile.ZipInfo(name), array if name == "matches.npy" else old.read(name))
    with pytest.raises(FormatError, match=rf"^x\.counts: the counts file is damaged \(.*{message}") as caught:
        decode_counts(stream.getvalue(), "x.counts")
    assert len(str(caught.value)) < 200


def test_limits_hold() -> None:
    data = encode_counts(counts())
    with pytest.raises(LimitError, match="2 systems found, at most 1 allowed"):
        decode_counts(data, "x.counts", with_changes(["systems=1"]))
    with pytest.raises(LimitError, match="unpacked bytes found"):
        decode_counts(data, "x.counts", with_changes(["unpacked_bytes=100"]))


def test_what_is_no_counts_file_is_refused() -> None:
    assert not is_counts(b"the cat\n")
    with pytest.raises(FormatError, match="not a counts file"):
        decode_counts(b"the cat\n", "x.txt")
