"""Looks at a file's name and bytes and picks the reader, and says what it found in a report."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePath
from typing import Literal

from bleu_core.corpus import Column, Role
from bleu_core.formats.columns import read_columns
from bleu_core.formats.delimited import is_delimited
from bleu_core.formats.plain import read_plain
from bleu_core.formats.ratings import is_ratings, read_ratings
from bleu_core.formats.text import Text, decode, line_end_repairs
from bleu_core.judgments import Judgments

FileRole = Literal["system", "reference", "source", "document", "judgments"]

NAME_HINTS: tuple[tuple[FileRole, re.Pattern[str]], ...] = (
    ("reference", re.compile(r"(^|[._-])(refs?|references?)([._-]|\d|$)|^ref[A-Z]\b|_ref$")),
    ("source", re.compile(r"(^|[._-])(src|sources?)([._-]|$)")),
    ("document", re.compile(r"(^|[._-])(docs?|documents?|docids?)([._-]|$)")),
)


#: Fewer lines tell nothing about what a file holds.
FEWEST_LINES = 4


@dataclass(frozen=True, slots=True)
class FileReport:
    """What was found in a file.

    Attributes:
        name: the file's name.
        role: what its contents are taken for.
        segments: segments in each of its columns, or rated segments; system-level scores count as 0.
        empty_segments: segments without any text, over all columns.
        tokens: words between white space, over all columns.
        ratings: scores in a file of judgments.
        encoding: how its bytes were read.
        repairs: what was put right while reading.
    """

    name: str
    role: FileRole
    segments: int
    empty_segments: int
    tokens: int
    encoding: str
    repairs: tuple[str, ...]
    ratings: int = 0


@dataclass(frozen=True, slots=True)
class Contents:
    """A file, read: columns of text, or judgments, and the report."""

    report: FileReport
    columns: tuple[Column, ...] = ()
    judgments: Judgments | None = None


def recognise(data: bytes, name: str, encoding: str | None = None) -> FileRole:
    """Guess what a file holds, from its content first and its name second.

    Raises:
        FormatError, SettingsError: as decode.
    """
    text = decode(data, name, encoding)
    first = text.content.split("\n", 1)[0]
    if is_ratings(first, name):
        return "judgments"
    stem = PurePath(name).stem
    for role, hint in NAME_HINTS:
        if hint.search(stem) or hint.search(stem.lower()):
            return role
    return "document" if _looks_like_documents(text) else "system"


def read(
    data: bytes,
    name: str,
    role: FileRole,
    *,
    encoding: str | None = None,
    header: bool | None = None,
    first_segment: int = 1,
) -> Contents:
    """Read a file in a role: a table when its name says so, else one segment a line.

    Args:
        data: the file's bytes.
        name: the file, for messages; its stem names a plain file's system or reference.
        role: what it holds.
        encoding: as in decode.
        header: as in read_columns.
        first_segment: as in read_ratings.

    Raises:
        FormatError: the bytes are not such a file.
        SettingsError: there is no such encoding.
    """
    text = decode(data, name, encoding)
    if role == "judgments":
        judgments = read_ratings(text, name, first_segment=first_segment)
        rated = judgments.rated
        segments = int(rated["segment"].nunique())
        repairs = text.repairs + line_end_repairs(text.content.count("\r\n"))
        report = FileReport(name, role, segments, 0, 0, text.encoding, repairs, ratings=len(rated))
        return Contents(report, judgments=judgments)
    if is_delimited(name):
        columns, repairs = (
            read_columns(text, role, name, header=header),
            text.repairs + line_end_repairs(text.content.count("\r\n")),
        )
    else:
        column, repairs = read_plain(text, role, PurePath(name).stem, name)
        columns = (column,)
    return Contents(_report(columns, name, role, text.encoding, repairs), columns)


def _report(columns: tuple[Column, ...], name: str, role: Role, encoding: str, repairs: tuple[str, ...]) -> FileReport:
    texts = [segment or "" for column in columns for segment in column.segments]
    empty = sum(not text.strip() for text in texts)
    return FileReport(
        name, role, len(columns[0].segments), empty, sum(len(text.split()) for text in texts), encoding, repairs
    )


def _looks_like_documents(text: Text) -> bool:
    """A document id a line: few different lines, none with a blank, each in one run."""
    lines = text.content.removesuffix("\n").split("\n")
    if len(lines) < FEWEST_LINES or any(len(line.split()) != 1 for line in lines):
        return False
    runs = sum(a != b for a, b in pairwise(lines)) + 1
    return runs == len(set(lines)) <= len(lines) // 2
