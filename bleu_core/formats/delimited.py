"""Rows of tab-separated and comma-separated files, with the line each row begins on."""

from __future__ import annotations

import csv
import io
import re
import sys
from dataclasses import dataclass
from pathlib import PurePath

from bleu_core.errors import FormatError
from bleu_core.formats.text import Text

QUOTED = re.compile(r'"[^"]*"')
TAB_SUFFIXES = (".tsv", ".tab")
SUFFIXES = (*TAB_SUFFIXES, ".csv")


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one row and the file's line (1-based) on which it begins."""

    line: int
    cells: tuple[str, ...]


def is_delimited(name: str) -> bool:
    """Whether a file's name says that it is a table."""
    return PurePath(name).suffix.lower() in SUFFIXES


def delimiter(first_line: str, name: str = "") -> str:
    """What separates cells: a tab as the file's suffix says, or where there is one outside quotation marks.

    Else the more frequent of semicolon and comma. Tab-separated files called .csv do exist.
    """
    unquoted = QUOTED.sub("", first_line)
    if PurePath(name).suffix.lower() in TAB_SUFFIXES or "\t" in unquoted:
        return "\t"
    return ";" if unquoted.count(";") > unquoted.count(",") else ","


def rows(text: Text, name: str) -> tuple[Row, ...]:
    """Read rows of equal width; blank lines at the end are ignored, but for tables of a single column.

    Tab-separated files have no quoting: a quotation mark is a character like any other. Files separated by
    commas or semicolons are quoted as spreadsheets do.

    Raises:
        FormatError: a row has more or fewer cells than the first.
    """
    content = text.content
    separator = delimiter(content.split("\n", 1)[0], name)
    found = _tab_separated(content) if separator == "\t" else _quoted(content, separator, name)
    if not any(cell for row in found for cell in row.cells):
        return ()
    if len(found[0].cells) <= 1:  # a blank line is an empty cell, as in plain text
        found = [Row(row.line, row.cells or ("",)) for row in found]
    else:
        while found[-1].cells in ((), ("",)):
            found.pop()
    for row in found:
        if len(row.cells) != len(found[0].cells):
            raise FormatError(
                f"{name}, line {row.line}: {len(row.cells)} cells found, {len(found[0].cells)} expected as in line 1"
            )
    return tuple(found)


def _tab_separated(content: str) -> list[Row]:
    lines = content.removesuffix("\n").split("\n") if content else []
    return [Row(n, tuple(line.removesuffix("\r").split("\t"))) for n, line in enumerate(lines, start=1)]


def _quoted(content: str, separator: str, name: str) -> list[Row]:
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # a document may well be longer than the default of 128 KiB
    reader = csv.reader(io.StringIO(content, newline=""), delimiter=separator, strict=True)
    found: list[Row] = []
    line = 1
    try:
        for cells in reader:
            found.append(Row(line, tuple(cells)))
            line = reader.line_num + 1
    except csv.Error as error:
        raise FormatError(
            f"{name}, line {line}: cannot be read as a table: {error}; check its quotation marks"
        ) from None
    return found
