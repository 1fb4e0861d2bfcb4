"""Invisible characters in texts: which are counted, and where the count is shown."""

from __future__ import annotations

import io
import re
import unicodedata
import zipfile

import pytest
from small_files import SAMPLES

from bleu_core.formats import read
from bleu_core.formats.invisible import INVISIBLE, InvisibleCharacters

SENTENCE = "invisible characters in the texts, which may keep words from matching: "


@pytest.mark.parametrize("character", INVISIBLE)
def test_each_is_an_invisible_character_of_unicode(character: str) -> None:
    assert unicodedata.category(character) == "Cf"
    assert not character.isspace()


def test_all_are_counted_by_kind_over_all_texts() -> None:
    texts = ["co\u00adoperate\n\u200fab\u200f", "c\u200bd", "e\u00adf", "plain", "über"]
    found = InvisibleCharacters()
    for text in texts:
        found.add(text)
    assert found.sentences == (f"{SENTENCE}2 right-to-left marks, 2 soft hyphens, 1 zero-width space",)


@pytest.mark.parametrize(
    "text",
    ["", "plain", "naïve façade", "می\u200cخواهم", "क्\u200dष", "\U0001f469\u200d\U0001f4bb", "\u2028", "a\u00a0b"],
)
def test_what_scripts_and_emoji_need_is_not_counted(text: str) -> None:
    found = InvisibleCharacters()
    found.add(text)
    assert found.sentences == ()


def test_a_file_of_text_says_how_many_it_has() -> None:
    data = "one\u200b two\n\u200ethree\n".encode()
    assert read(data, "A.txt", "system").report.about_texts == (f"{SENTENCE}1 left-to-right mark, 1 zero-width space",)
    assert read(b"one two\nthree\n", "A.txt", "system").report.about_texts == ()


def test_the_mark_at_the_beginning_of_a_file_is_none_of_its_text() -> None:
    assert read("\ufeffone\n".encode(), "A.txt", "system").report.about_texts == ()


def test_names_of_documents_are_no_texts() -> None:
    assert read("a\u200b\nb\n".encode(), "docs.txt", "document").report.about_texts == ()


WORDS = {"text": "cat", "table": "dog", "xliff": "tres", "tmx": "tres", "po": "tres", "json-lines": "dos"}


@pytest.mark.parametrize(("key", "word"), WORDS.items())
def test_every_format_of_texts_says_it(key: str, word: str) -> None:
    as_it_is = read(SAMPLES[key], "a", "system", format=key).report
    changed = read(SAMPLES[key].replace(word.encode(), f"{word}\u00ad".encode()), "a", "system", format=key).report
    assert changed.notes == as_it_is.notes
    assert re.fullmatch(rf"{SENTENCE}\d soft hyphens?", changed.invisible)


@pytest.mark.parametrize("key", ["wmt-xml", "sgml"])
def test_documents_say_it(key: str) -> None:
    changed = read(SAMPLES[key].replace(b"</seg>", "\u00ad.</seg>".encode()), "a", "archive", format=key).report
    assert re.fullmatch(rf"{SENTENCE}\d soft hyphens?", changed.invisible)


def test_a_test_set_says_it() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(SAMPLES["archive"])) as files, zipfile.ZipFile(stream, "w") as changed:
        for name in files.namelist():
            mark = "\u200f\n" if "/system-outputs/" in name else "\n"
            changed.writestr(name, files.read(name).replace(b"\n", mark.encode()))
    assert f"{SENTENCE}2 right-to-left marks" == read(stream.getvalue(), "a.zip", "archive").report.invisible
