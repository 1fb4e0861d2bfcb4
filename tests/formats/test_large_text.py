"""Texts of large files are decoded piece by piece, with the results and the messages of decoding them as a whole."""

from __future__ import annotations

import codecs
import random
from collections.abc import Iterator
from encodings.aliases import aliases

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bleu_core.errors import FormatError, SettingsError
from bleu_core.formats import large_text, read, source, text
from bleu_core.formats.contents import count_ascii_words
from bleu_core.formats.large_text import LargeText
from bleu_core.formats.reading import inspect
from bleu_core.formats.register import FORMATS
from bleu_core.formats.source import Source
from bleu_core.formats.text import NO_TEXT_ENCODINGS, Text, decode, split_lines
from bleu_core.limits import Limits

ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252", "gb18030")
#: Line ends of all kinds, what looks like one, characters of 1 to 4 bytes, of surrogate pairs, NUL, and marks.
CHARACTERS = "ab \t\n\r\x0b\x85\u2028\xe4\u0444\u4e2d\U0001f469\u200b\xad\ufeff\0"
TEXTS = st.lists(st.sampled_from(["\n", "\r\n", "\r", *CHARACTERS]), max_size=40).map("".join)
DAMAGE = st.sampled_from([b"", b"\xff", b"\xc3", b"\xe4\xb8", b"\xed\xa0\x80", b"\x00", b"\xd8", b"\n"])
LIMITS = st.sampled_from([Limits(), Limits(lines=2), Limits(line_length=3), Limits(lines=4, line_length=8)])


@pytest.fixture(autouse=True, params=[1, 2, 3, 7])
def _small_pieces(request: pytest.FixtureRequest) -> Iterator[None]:
    """Pieces of a few bytes, so that every character and line end is divided somewhere."""
    tuple(FORMATS.values())  # loaded before, since their modules keep the constants
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(large_text, "PIECE_BYTES", request.param)
        patch.setattr(text, "PIECE_CHARS", request.param)
        patch.setattr(source, "MIN_LARGE_BYTES", 0)
        patch.setattr(large_text, "HEAD_CHARS", 4)
        patch.setattr(text, "HEAD_CHARS", 4)
        yield


def outcome(found: Text) -> object:
    return found.content, found.encoding, found.repairs, found.line_ends, split_lines(found)


def as_a_whole(data: bytes, encoding: str | None, limits: Limits) -> object:
    try:
        return outcome(decode(data, "a.txt", encoding, limits=limits))
    except (FormatError, SettingsError) as error:
        return type(error), str(error)


def by_pieces(data: bytes, encoding: str | None, limits: Limits) -> object:
    try:
        found = LargeText(data, "a.txt", encoding, limits=limits)
        lines, ends = split_lines(found), found.line_ends
    except (FormatError, SettingsError) as error:
        return type(error), str(error)
    return found.content, found.encoding, found.repairs, ends, lines


def check(data: bytes, encoding: str | None = None, limits: Limits | None = None) -> None:
    limits = Limits() if limits is None else limits
    assert by_pieces(data, encoding, limits) == as_a_whole(data, encoding, limits)


@given(TEXTS, st.sampled_from(ENCODINGS), LIMITS)
def test_texts_are_those_of_the_whole_file(content: str, encoding: str, limits: Limits) -> None:
    data = content.encode(encoding, "replace")
    check(data, encoding, limits)
    check(data, None, limits)


@given(st.lists(TEXTS.map(str.encode) | DAMAGE, max_size=5).map(b"".join), st.sampled_from((None, *ENCODINGS)), LIMITS)
def test_damaged_texts_are_refused_with_the_same_message(data: bytes, encoding: str | None, limits: Limits) -> None:
    check(data, encoding, limits)


def test_every_encoding_is_decoded_by_pieces_as_it_is_as_a_whole() -> None:
    rng = random.Random(1)
    checked = 0
    for encoding in sorted({*aliases.values()} - {"mbcs", "oem"}):  # which only Windows has
        found = codecs.lookup(encoding)
        if found.name in NO_TEXT_ENCODINGS or not getattr(found, "_is_text_encoding", True):
            continue
        for _ in range(10):
            sample = "".join(rng.choice("ab \n\r\xe4\u0444\u4e2d\u3042\uac00") for _ in range(12))
            check(sample.encode(encoding, "ignore"), encoding)
            check(rng.randbytes(rng.randint(1, 12)), encoding)
        checked += 1
    assert checked > 80


@given(TEXTS.filter(lambda content: "\0" not in content))
def test_the_beginning_has_the_first_lines(content: str) -> None:
    data = content.encode()
    try:
        expected = Source(b"", "a.txt", table=decode(data, "a.txt"))
    except FormatError:
        return
    found = Source(data, "a.txt")
    assert isinstance(found.text, LargeText)
    assert found.text.beginning == expected.text.content[: len(found.text.beginning)]
    assert (found.first_line, found.first_lines) == (expected.first_line, expected.first_lines)
    assert found.repairs == expected.repairs


@given(TEXTS | st.text(st.sampled_from('a1 ,;\t"\n\r\xe4'), max_size=30), st.sampled_from(["a.txt", "a.csv", "a.tsv"]))
@example("\na\tb\na", "a.csv")
@example("\na\tb\na", "a.tsv")
def test_a_file_is_read_as_a_small_one_is(content: str, name: str) -> None:
    def outcome(large: int) -> object:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(source, "MIN_LARGE_BYTES", large)
            try:
                inspection = inspect(data, name)
                return (
                    inspection.format,
                    inspection.role,
                    repr(read(data, name, inspection.role, inspection=inspection)),
                )
            except FormatError as error:
                return str(error)

    data = content.encode()
    assert outcome(0) == outcome(2**20)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16-le", "latin-1"])
def test_lines_are_split_without_the_whole_text(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    found = LargeText("sch\xf6n\r\n\r\nund gut".encode(encoding), "a.txt", encoding)
    monkeypatch.delattr(large_text, "decode")
    assert split_lines(found)[0] == ("sch\xf6n", "", "und gut")


def test_recognition_decodes_only_the_beginning() -> None:
    data = b"one two three\n" * 1000 + b"\xff\n"
    assert inspect(data, "a.txt").format == "text"
    with pytest.raises(FormatError, match="line 1001: byte 0xFF at offset 14000 is not UTF-8"):
        read(data, "a.txt", "system")


@given(st.text(st.sampled_from([*map(chr, range(33)), "a", "b"])))
def test_words_of_ascii_are_counted_as_split_gives_them(content: str) -> None:
    assert count_ascii_words(content) == len(content.split())
