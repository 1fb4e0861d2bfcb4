"""Bytes to text, and text to segments."""

from __future__ import annotations

import codecs
import encodings
import pkgutil
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_core.errors import FormatError, SettingsError
from bleu_core.formats import read
from bleu_core.formats.text import Text, decode, split_lines

GERMAN = "sch\u00f6n\nund gut\n"


def segments(data: bytes, encoding: str | None = None) -> tuple[str, ...]:
    return split_lines(decode(data, "a.txt", encoding))[0]


@pytest.mark.parametrize(
    ("data", "encoding", "read_as", "repairs"),
    [
        (GERMAN.encode(), None, "UTF-8", ()),
        (codecs.BOM_UTF8 + GERMAN.encode(), None, "UTF-8", ("byte order mark removed",)),
        (codecs.BOM_UTF16_LE + GERMAN.encode("utf-16-le"), None, "UTF-16-LE", ("byte order mark removed",)),
        (codecs.BOM_UTF16_BE + GERMAN.encode("utf-16-be"), None, "UTF-16-BE", ("byte order mark removed",)),
        (GERMAN.encode("latin-1"), "latin-1", "latin-1", ()),
        (GERMAN.encode("utf-16-le"), "utf-16-le", "utf-16-le", ()),
        (GERMAN.encode("cp1252"), "cp1252", "cp1252", ()),
        # A mark is proof; a named encoding is for files without one.
        (codecs.BOM_UTF8 + GERMAN.encode(), "latin-1", "UTF-8", ("byte order mark removed",)),
        (codecs.BOM_UTF16_LE + GERMAN.encode("utf-16-le"), "utf-16", "UTF-16-LE", ("byte order mark removed",)),
    ],
)
def test_encodings_are_read(data: bytes, encoding: str | None, read_as: str, repairs: tuple[str, ...]) -> None:
    assert decode(data, "a.txt", encoding) == Text(GERMAN, read_as, repairs)


def test_only_the_first_byte_order_mark_is_removed() -> None:
    assert segments(codecs.BOM_UTF8 * 2 + b"a\n") == ("\ufeffa",)
    assert segments("a\n\ufeffb\n".encode()) == ("a", "\ufeffb")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("un caf\u00e9\n".encode("latin-1"), "a.txt, line 1: byte 0xE9 at offset 6 is not UTF-8"),
        ("un\ndeux\ncaf\u00e9\n".encode("latin-1"), "a.txt, line 3: byte 0xE9 at offset 11 is not UTF-8"),
        (b"\x89PNG\r\n\x1a\n", "a.txt, line 1: byte 0x89 at offset 0 is not UTF-8"),
        (b"a\n\xff\xfe", "a.txt, line 2: byte 0xFF at offset 2 is not UTF-8"),
        # A mark counts for the offset; UTF-8 that breaks off is wrong where its last character begins.
        (codecs.BOM_UTF8 + b"ab\xe9\n", "a.txt, line 1: byte 0xE9 at offset 5 is not UTF-8"),
        (b"ab\xc3", "a.txt, line 1: byte 0xC3 at offset 2 is not UTF-8"),
        (codecs.BOM_UTF16_LE + b"a\x00b", "a.txt, line 1: byte 0x62 at offset 4 is not UTF-16-LE"),
    ],
)
def test_bytes_that_are_no_text_are_refused_with_line_and_offset(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=f"^{re.escape(message)}; save the file as UTF-8 or name its encoding$"):
        decode(data, "a.txt")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a\nb\0c\n", "a.txt, line 2: NUL character found, text expected; is it a binary file, or UTF-16"),
        ("a\nb\n".encode("utf-16-le"), "a.txt, line 1: NUL character found, text expected; is it a binary file"),
        ("a\nb\n".encode("utf-16-be"), "a.txt, line 1: NUL character found, text expected; is it a binary file"),
        ("a\nb\n".encode("utf-32"), "a.txt, line 1: NUL character found, text expected; save it as plain text"),
        (codecs.BOM_UTF8 + b"\0", "a.txt, line 1: NUL character found, text expected; save it as plain text"),
    ],
)
def test_nul_is_refused_with_its_line(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=re.escape(message)):
        decode(data, "a.txt")


@pytest.mark.parametrize("encoding", ["no-such", "rot13", "hex", "zlib", "../os", "latin-1\0", "x\ud800", " "])
def test_what_is_no_text_encoding_is_refused(encoding: str) -> None:
    with pytest.raises(SettingsError, match=r"^a\.txt: unknown encoding '"):
        decode(b"a", "a.txt", encoding)


@pytest.mark.parametrize("encoding", ["unicode_escape", "Raw-Unicode-Escape", "UTF7", "idna", "punycode", "undefined"])
def test_codecs_that_interpret_escapes_are_no_text_encodings(encoding: str) -> None:
    with pytest.raises(SettingsError, match=f"^a\\.txt: unknown encoding '{encoding}'"):
        decode(b"a\\ud800", "a.txt", encoding)


@pytest.mark.parametrize("encoding", sorted({module.name for module in pkgutil.iter_modules(encodings.__path__)}))
def test_no_encoding_of_python_gives_lone_surrogates_or_another_error(encoding: str) -> None:
    pieces = [b"\\ud800", b"+2AA-", b"\xed\xa0\x80", b"\x00\xd8", b"\xd8\x00", b"\xff", b"~{", b"\x1b$B", b"a", b"-"]
    chance = random.Random(7)
    for _ in range(50):
        data = b"".join(chance.choices(pieces, k=chance.randint(1, 6)))
        try:
            found = decode(data, "a.txt", encoding)
        except (FormatError, SettingsError):
            continue
        found.content.encode()


@pytest.mark.parametrize("data", [b"a\rb", b"a\rb\r", b"\ra", b"a,b\r1,2\r"])
@pytest.mark.parametrize("name", ["a.txt", "a.csv"])
def test_lines_that_end_in_cr_alone_are_refused(data: bytes, name: str) -> None:
    with pytest.raises(FormatError, match=r"^a\.[a-z]+: line ends are CR alone \(old Macintosh\), LF or CRLF expec"):
        decode(data, name)


@pytest.mark.parametrize("data", [b"a\r", b"\r", b"a\rb\n", b"a\r\nb", b"a\r\n"])
def test_other_lines_may_hold_cr(data: bytes) -> None:
    assert decode(data, "a.txt").content == data.decode()


def test_bytes_that_are_not_in_the_named_encoding_are_refused() -> None:
    with pytest.raises(FormatError, match="byte 0xE9 at offset 3 is not ascii"):
        decode("caf\u00e9".encode("latin-1"), "a.txt", "ascii")


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("", ()),
        ("\n", ("",)),
        ("a", ("a",)),
        ("a\n", ("a",)),
        ("a\nb", ("a", "b")),
        ("a\n\n", ("a", "")),
        ("\na", ("", "a")),
        ("a\r\nb\r\n", ("a", "b")),
        ("a\r\nb", ("a", "b")),
        ("a\nb\r\n", ("a", "b")),
        ("\r\n\r\n", ("", "")),
        # A \r that no \n follows ends nothing.
        ("a\rb\n", ("a\rb",)),
        ("a\r", ("a\r",)),
        ("a\r\nb\r", ("a", "b\r")),
    ],
)
def test_segments_end_at_newlines(content: str, lines: tuple[str, ...]) -> None:
    assert segments(content.encode()) == lines


# All that str.splitlines splits at, but for the newline.
SEPARATORS = ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\r"]


@pytest.mark.parametrize("separator", SEPARATORS)
def test_segments_end_nowhere_else(separator: str) -> None:
    assert len(f"a{separator}b".splitlines()) == 2
    assert segments(f"a{separator}b\nc\n".encode()) == (f"a{separator}b", "c")


@pytest.mark.parametrize(
    ("content", "repairs"),
    [
        ("a\nb\n", ()),
        ("a\r\nb\n", ("1 Windows line end (CRLF) read as LF",)),
        ("a\r\nb\r\n", ("2 Windows line ends (CRLF) read as LF",)),
        ("a\r", ()),
    ],
)
def test_repaired_line_ends_are_reported(content: str, repairs: tuple[str, ...]) -> None:
    assert split_lines(decode(content.encode(), "a.txt"))[1] == repairs


def test_all_repairs_are_reported_together() -> None:
    found = read(codecs.BOM_UTF8 + b"a\r\n", "a.txt", "system")
    assert found.report.repairs == ("byte order mark removed", "1 Windows line end (CRLF) read as LF")


LINES = st.lists(
    st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\n\0"), max_size=8).filter(
        lambda line: not line.endswith("\r")
    ),
    min_size=1,
    max_size=6,
)


@given(LINES, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.sampled_from(["utf-8-sig", "utf-16"]))
def test_what_was_written_is_read(lines: list[str], end: str, last: bool, encoding: str) -> None:  # noqa: FBT001
    content = end.join(lines) + (end if last or not lines[-1] else "")
    assert segments(content.encode(encoding)) == tuple(lines)


def test_a_plain_file_is_a_column() -> None:
    found = read(b"one\n\nthree\n", "dir/A.txt", "system")
    (column,) = found.columns
    assert (column.role, column.name, column.origin) == ("system", "A", "dir/A.txt")
    assert column.segments == ("one", "", "three")
    assert found.report.repairs == ()


@pytest.mark.parametrize("data", [b"", codecs.BOM_UTF8, codecs.BOM_UTF16_LE])
def test_an_empty_file_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"^A\.txt: the file is empty: 0 segments, at least 1 expected$"):
        read(data, "A.txt", "system")
