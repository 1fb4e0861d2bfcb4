"""Rows and columns of tab-separated and comma-separated files, with the line each row begins on."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import NamedTuple

from bleu_core.errors import FormatError
from bleu_core.formats.text import Text, first_line
from bleu_core.limits import DEFAULT_LIMITS, Limits

#: Characters of a cell at most: more than any file may have. The csv module has one such number for the whole process,
#: by default 128 KiB, and a document may well be longer; all that use the module import this one first.
LONGEST_CELL = 2**31 - 1
csv.field_size_limit(LONGEST_CELL)

QUOTED = re.compile(r'"[^"]*"')
TAB_SUFFIXES = (".tsv", ".tab")
SUFFIXES = (*TAB_SUFFIXES, ".csv")
#: Characters of a table from which on loading pandas is worth its while.
LARGE = 2**20


class Row(NamedTuple):
    """The cells of one row and the file's line (1-based) on which it begins."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table by columns, below its header.

    Attributes:
        header: the cells of the first row.
        columns: the cells of all other rows, a sequence for each cell of the header.
        lines: the file's line (1-based) on which each row begins.
    """

    header: tuple[str, ...]
    columns: tuple[Sequence[str], ...]
    lines: Sequence[int]


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


def rows(text: Text, name: str, *, limits: Limits = DEFAULT_LIMITS) -> tuple[Row, ...]:
    """Read rows of equal width; blank lines at the end are ignored, but for tables of a single column.

    Tab-separated files have no quoting: a quotation mark is a character like any other. Files separated by
    commas or semicolons are quoted as spreadsheets do.

    Raises:
        FormatError: a row has more or fewer cells than the first.
        LimitError: a row has too many cells.
    """
    found = ragged_rows(text, name, limits=limits)
    for row in found:
        if len(row.cells) != len(found[0].cells):
            raise FormatError(
                f"{name}, line {row.line}: {len(row.cells)} cells found, {len(found[0].cells)} expected as in line 1"
            )
    return found


def ragged_rows(
    text: Text, name: str, separator: str | None = None, *, limits: Limits = DEFAULT_LIMITS
) -> tuple[Row, ...]:
    """Read rows that may differ in width; else as rows.

    Args:
        text: the file's text.
        name: the file, for messages.
        separator: between cells; None looks for it as delimiter does.
        limits: the most that a row may hold.

    Raises:
        FormatError: quotation marks do not match.
        LimitError: a row has too many cells.
    """
    content = text.content
    separator = separator or delimiter(first_line(content), name)
    read = _tab_separated(content) if separator == "\t" else _quoted(content, separator, name)
    found: list[Row] = []
    for row in read:
        if len(row.cells) > limits.columns:
            limits.check("columns", len(row.cells), f"{name}, line {row.line}")
        found.append(row)
    if not any(cell for row in found for cell in row.cells):
        return ()
    if len(found[0].cells) <= 1:  # a blank line is an empty cell, as in plain text
        return tuple(Row(row.line, row.cells or ("",)) for row in found)
    while found[-1].cells in ((), ("",)):
        found.pop()
    return tuple(found)


def columns(text: Text, name: str, *, limits: Limits = DEFAULT_LIMITS) -> Table | None:
    """Read a table with a header by columns: the same cells as rows, sooner.

    Returns:
        None when the file holds nothing.

    Raises:
        FormatError, LimitError: as rows.
    """
    quick = regular_columns(text, delimiter(first_line(text.content), name), limits=limits)
    if quick is not None:
        lines = range(2, len(quick[0]) + 1)
        return Table(tuple(cells[0] for cells in quick), tuple(cells[1:] for cells in quick), lines)
    found = rows(text, name, limits=limits)
    if not found:
        return None
    header, body = found[0].cells, found[1:]
    return Table(header, tuple([row.cells[i] for row in body] for i in range(len(header))), [row.line for row in body])


def regular_columns(text: Text, separator: str, *, limits: Limits = DEFAULT_LIMITS) -> Sequence[Sequence[str]] | None:
    """Read a large table whose every row is a line: the cells of its columns, those of the first row among them.

    Returns:
        None where the table is small, a row may not be a line, or something is at fault: the careful way tells.
    """
    content = text.content
    if len(content) < LARGE or first_line(content).count(separator) >= limits.columns:
        return None
    import pandas as pd  # loaded when first needed: scoring does without

    quoted = separator != "\t" and '"' in content
    strange = content.count("\r") != content.count("\r\n") or content.startswith("\ufeff")
    content = content.rstrip("\r\n")
    bare = _without_quoted(content, separator) if quoted else content
    if strange or (quoted and '"' in bare):
        return None
    try:
        frame = pd.read_csv(
            io.BytesIO(content.encode()),
            sep=separator,
            header=None,
            dtype=object,
            keep_default_na=False,
            na_filter=False,
            skip_blank_lines=False,
            quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
        )
    except ValueError:  # rows of different width, or no text for a parser: the careful way tells
        return None
    found = [frame[i].tolist() for i in frame.columns]
    # Rows too short are filled up by pandas, and cells of several lines have lost their line. Of a table of one
    # column blank lines are cells.
    complete = bare.count(separator) == (len(found) - 1) * len(frame) and content.count("\n") + 1 == len(frame)
    if not complete or len(found) == 1 or not any(map(any, found)):
        return None
    return found


def _without_quoted(content: str, separator: str) -> str:
    """The content without its quoted cells of one line; what is left holds a quotation mark if one is misplaced."""
    # The mark comes first, before what must not stand in front of it: marks are found at once, and few.
    cell = rf'"(?<![^{separator}\n]")[^"\n]*+(?:""[^"\n]*+)*+"(?![^{separator}\r\n])'
    return re.sub(cell, "", content)


def _tab_separated(content: str) -> Iterator[Row]:
    lines = content.removesuffix("\n").split("\n") if content else []
    return (Row(n, tuple(line.removesuffix("\r").split("\t"))) for n, line in enumerate(lines, start=1))


def _quoted(content: str, separator: str, name: str) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(content, newline=""), delimiter=separator, strict=True)
    line = 1
    try:
        for cells in reader:
            yield Row(line, tuple(cells))
            line = reader.line_num + 1
    except csv.Error as error:
        raise FormatError(
            f"{name}, line {line}: cannot be read as a table: {error}; check its quotation marks"
        ) from None
