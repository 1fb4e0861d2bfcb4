"""PO: messages, plurals, states, encodings, and what polib must not do with a text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polib
import pytest
from hypothesis import given
from hypothesis import strategies as st
from timed import within_seconds

from bleu_core.errors import FormatError
from bleu_core.formats import FileRole, inspect, read
from bleu_core.formats.po import is_po
from bleu_core.limits import LimitError, Limits

HEADER = 'msgid ""\nmsgstr "Content-Type: text/plain; charset={}\\n"\n\n'
MESSAGES = r"""
# translator
#. extracted
#: a.c:1 b.c:2
#| msgid "older"
msgctxt "menu"
msgid "one"
msgstr "eins"

#, fuzzy, c-format
msgid ""
"two "
"\"%d\"\n"
"lines"
msgstr "zwei \"%d\"\n"
"Zeilen"

msgid "%d file"
msgid_plural "%d files"
msgstr[0] "%d Datei"
msgstr[1] "%d wenige"
msgstr[2] "%d Dateien"

msgid "none"
msgstr ""

#~ msgid "old"
#~ msgstr "alt"
"""
SOURCE = ("one", 'two "%d" lines', "%d file", "%d files", "none")


@pytest.mark.parametrize("data", [MESSAGES, HEADER.format("UTF-8") + MESSAGES, HEADER.format("CHARSET") + MESSAGES])
@pytest.mark.parametrize(
    ("name", "role", "missing"), [("A.po", "system", ""), ("ref.po", "reference", None), ("A.pot", "source", "")]
)
def test_messages_are_read_in_order(data: str, name: str, role: FileRole, missing: str | None) -> None:
    found = inspect(data.encode(), name)
    assert (found.format, found.role) == ("po", role)
    contents = read(data.encode(), name, role)
    columns = {column.role: column.segments for column in contents.columns}
    assert columns.pop("source") == SOURCE
    expected = ("eins", 'zwei "%d" Zeilen', "%d Datei", "%d Dateien", missing)
    assert columns == ({} if role == "source" else {role: expected})
    assert contents.report.repairs[0] == "line breaks in 1 segment read as blanks"
    assert contents.labels is not None
    assert contents.labels.columns["state"] == ("translated", "fuzzy", "translated", "translated", "untranslated")


@pytest.mark.parametrize(("encoding", "text"), [("ISO-8859-1", "Käse"), ("Shift_JIS", "猫"), ("utf-8", "猫\u2028\x85")])
def test_the_encoding_of_the_header_is_used(encoding: str, text: str) -> None:
    data = (HEADER.format(encoding) + f'msgid "{text}"\nmsgstr "x"\n').encode(encoding)
    contents = read(data, "a.po", "system")
    assert contents.columns[0].segments == (text,)
    assert contents.report.encoding == encoding


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'msgid "a"\nmsgstr "b"\nnonsense\n', "a.po, line 3: no keyword or text found, the syntax of PO expected"),
        (b'msgid "a"\nmsgstr "b"c"\n', "a.po, line 2: unescaped double quote found, the syntax of PO expected"),
        (b'msgstr "b"\n', "a.po, line 1: no keyword or text found, the syntax of PO expected"),
        (b'msgid "a"\nmsgstr[x] "b"\n', "a.po, line 2: no keyword or text found, the syntax of PO expected"),
        (HEADER.format("utf-8").encode(), "a.po: 0 segments found, at least 1 expected"),
        (b'msgid "a"\nmsgstr ""\n', "a.po: no translation in 1 segment found"),
        (b'msgid "a\xff"\nmsgstr "b"\n', "a.po, line 1: byte 0xFF at offset 8 is not UTF-8"),
        (b'msgid "a"\nmsgstr ""\n' + b'"b"\n' * 10_001, "a.po, line 10003: a text of more than 10,000 lines found"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(data: bytes, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(data, "a.po", "system", format="po")
    assert str(error.value).startswith(message)


def test_a_text_that_is_a_path_opens_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = tmp_path / "secret.po"
    secret.write_text('msgid "secret"\nmsgstr "hidden"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for text in (str(secret), "secret.po"):
        assert polib.pofile(text)[0].msgid == "secret"  # what polib does with a path
        with pytest.raises(FormatError) as error:
            read(text.encode(), "a.po", "system", format="po")
        assert "hidden" not in str(error.value)


def test_headers_of_files_that_were_joined_are_no_messages() -> None:
    data = HEADER.format("UTF-8") + 'msgid "a"\nmsgstr "b"\n\n'
    assert [column.segments for column in read((data * 2).encode(), "a.po", "system").columns] == [
        ("a",) * 2,
        ("b",) * 2,
    ]


def test_limits_hold() -> None:
    data = b'msgid "a"\nmsgstr "bbbb"\n"bbbb"\n\nmsgid "c"\nmsgstr "d"\n'
    for limits, message in (
        (Limits(line_length=15), "a.po, line 3: 19 characters found, at most 15 allowed"),
        (Limits(lines=5), "a.po: 6 lines found, at most 5 allowed"),
    ):
        with pytest.raises(LimitError) as error:
            read(data, "a.po", "system", limits=limits)
        assert str(error.value).startswith(message)


def test_many_comments_take_little_time() -> None:
    data = b"# x" * 3 + b"\n" + b"# comment\n" * 300_000 + b'msgid "a"\nmsgstr "b"\n'
    assert within_seconds(2, lambda: read(data, "a.po", "system", format="po")).report.segments == 1


@given(st.lists(st.tuples(st.text(st.characters(exclude_categories=["Cs"])), st.text(min_size=1)), min_size=1))
def test_what_polib_writes_is_read_back(pairs: list[tuple[str, str]]) -> None:
    kept = [(f"{n} {a}", f"{b} {n}") for n, (a, b) in enumerate(pairs) if "\0" not in a + b]
    kept = [(a, b) for a, b in kept if a.isprintable() and b.isprintable()]
    if not kept:
        return
    file = polib.POFile()
    file.metadata = {"Content-Type": "text/plain; charset=UTF-8"}
    for message, translation in kept:
        file.append(polib.POEntry(msgid=message, msgstr=translation))
    contents = read(str(file).encode(), "a.po", "system")
    assert [column.segments for column in contents.columns] == [tuple(side) for side in zip(*kept, strict=True)]


@pytest.mark.parametrize("begin", [b"", b"# comment", b"msgid is a word", b'the msgid "', b'"msgid', b"\xff\xfe"])
def test_other_texts_are_no_po(begin: bytes) -> None:
    assert not is_po(begin + b"\nmore\n")


def test_the_command_line_does_not_take_it_for_lines_of_text(tmp_path: Path, run: Callable[..., Any]) -> None:
    for name in ("A", "R"):
        (tmp_path / f"{name}.txt").write_text(
            HEADER.format("UTF-8") + MESSAGES.replace('"none"\nmsgstr ""', '"none"\nmsgstr "x"'), encoding="utf-8"
        )
    found = run("score", "--ref", tmp_path / "R.txt", tmp_path / "A.txt", "--format", "json").json
    assert (found["segments"], found["systems"][0]["bleu"]) == (5, pytest.approx(100))


def test_too_many_texts_are_refused_before_polib_reads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b'msgid ""\nmsgstr ""\n\nmsgid "a"\nmsgstr "b"\n'
    assert read(data, "a.po", "system", limits=Limits(messages=4)).report.segments == 1
    monkeypatch.delattr(polib, "pofile")
    with pytest.raises(LimitError, match=r"a\.po: 4 texts of messages found, at most 3 allowed"):
        read(data, "a.po", "system", limits=Limits(messages=3))
