"""Kinds of files that are not read: refused by what they hold, with what to do, in every role."""

from __future__ import annotations

import gzip
import io
import pickle
import re
import tarfile
import zipfile
from collections.abc import Mapping

import pytest

from bleu_core.errors import FormatError
from bleu_core.formats import FileRole, read, recognise

ROLES: tuple[FileRole, ...] = ("system", "reference", "source", "document", "judgments", "scores", "archive")


def packed(files: Mapping[str, str], compression: int = zipfile.ZIP_STORED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def tar() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.txt"))
    return stream.getvalue()


FILES: dict[str, tuple[bytes, str]] = {
    "PDF": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "PDF"),
    "RTF": (b"{\\rtf1\\ansi the cat}", "RTF"),
    "gzip in gzip": (gzip.compress(gzip.compress(b"the cat\n")), "gzip"),
    "tar in gzip": (gzip.compress(tar()), "a tar archive"),
    "NumPy": (b"\x93NUMPY\x01\0v\0", "an array of NumPy"),
    "pickle": (pickle.dumps(["the cat"]), "a pickle of Python"),
    "SQLite": (b"SQLite format 3\0\x10", "SQLite"),
    "7z": (b"7z\xbc\xaf\x27\x1c\0\4", "7z"),
    "RAR": (b"Rar!\x1a\x07\x01\0", "RAR"),
    "an old workbook": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", "a file of an older Microsoft Office"),
    "DOCX": (packed({"[Content_Types].xml": "<Types/>", "word/document.xml": "<w/>"}), "a Word document (DOCX)"),
    "an unknown office file": (packed({"a/b.xml": "", "[Content_Types].xml": "<Types/>"}), "an Office Open XML file"),
    "ODT": (packed({"mimetype": "application/vnd.oasis.opendocument.text"}), "an OpenDocument text (ODT)"),
    "ODT, its media type last and compressed": (
        packed({"a": "", "mimetype": "application/vnd.oasis.opendocument.text\n"}, zipfile.ZIP_DEFLATED),
        "an OpenDocument text (ODT)",
    ),
}


@pytest.mark.parametrize("file", FILES)
def test_a_file_that_is_not_read_is_refused_with_what_to_do(file: str) -> None:
    data, kind = FILES[file]
    for name in ("x.txt", "x.csv", "x"):
        with pytest.raises(FormatError) as error:
            recognise(data, name)
        start, _, advice = str(error.value).partition("; ")
        assert start == f"{name}: {kind} found, which cannot be read"
        assert advice


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("role", ROLES)
def test_a_file_that_is_not_read_is_refused_in_every_role(file: str, role: FileRole) -> None:
    data, kind = FILES[file]
    with pytest.raises(FormatError, match=rf"^x\.txt: {re.escape(kind)} found, which cannot be read; "):
        read(data, "x.txt", role)


def test_a_named_encoding_does_not_hide_what_a_file_is() -> None:
    with pytest.raises(FormatError, match="PDF found"):
        recognise(b"%PDF-1.7\n", "x.pdf", "cp1252")


@pytest.mark.parametrize(
    "line",
    [
        "<b>Hello</b> world",
        "<doc> is a tag",
        "<doc id=1> opens a document",
        "< 5 %",
        "<",
        "<xliff> is a format",
        "<tmx> and <xliff version=1.2> are formats",
        "<xliffs a=1>",
        "<dataset> is what we call it",
        '<dataset id="x"> is what we call it',
        "<srcset>",
        "<!-- a comment",
        "<!-- a comment --> and text",
        '<?xml version="1.0"?> begins a file',
        "<!DOCTYPE html>",
        "<html><body>the cat",
        'He wrote <xliff version="1.2">',
        "%PDF- is how they begin",
        "PK is a code",
        "BZhat",
        "{\\rt",
        "[Content_Types].xml",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_text_that_begins_with_markup_is_read(line: str, encoding: str) -> None:
    contents = read(
        f"{line}\nthe cat\n".encode(encoding), "x.txt", recognise(f"{line}\nthe cat\n".encode(encoding), "x")
    )
    assert contents.columns[0].segments == (line, "the cat")


def test_a_folder_called_word_makes_no_office_file() -> None:
    data = packed({"word/sources/aa-bb.txt": "a\n", "word/system-outputs/aa-bb/S.txt": "b\n", "mimetype": ""})
    assert recognise(data, "x.zip") == "archive"
    assert len(read(data, "x.zip", "archive").columns) == 2
