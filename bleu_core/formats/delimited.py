"""Rows and columns of tab-separated and comma-separated files, with the line each row begins on."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bleu_core.errors import FormatError
from bleu_core.formats.compression import suffix_of
from bleu_core.formats.text import Text, first_line
from bleu_core.limits import DEFAULT_LIMITS, Limits

#: The most characters of a cell, more than any file may have. The csv module has one such limit for the whole process,
#: 128 KiB by default, and a document may be longer; all users of csv import this module first.
LONGEST_CELL = 2**31 - 1
csv.field_size_limit(LONGEST_CELL)

QUOTED = re.compile(r'"[^"]*"')
TAB_SUFFIXES = (".tsv", ".tab")
SUFFIXES = (*TAB_SUFFIXES, ".csv")
#: Characters of a table from which on pandas is worth the time to load it.
LARGE = 2**20


class Row(NamedTuple):
    """The cells of one row and the file's line (1-based) on which it begins."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table by columns, with a header.

    Attributes:
        header: the cells of the first row.
        columns: the cells of all other rows, one sequence per cell of the header.
        lines: the file's line (1-based) on which each row begins.
    """

    header: tuple[str, ...]
    columns: tuple[Sequence[str], ...]
    lines: Sequence[int]


def is_delimited(name: str) -> bool:
    """Whether a file's name is that of a table."""
    return suffix_of(name) in SUFFIXES


def delimiter(first_line: str, name: str = "") -> str:
    """The character between cells: a tab if the file's suffix means that or a tab occurs outside quotation marks.

    Else the more frequent of semicolon and comma. There are tab-separated files with the suffix .csv.
    """
    unquoted = QUOTED.sub("", first_line)
    if suffix_of(name) in TAB_SUFFIXES or "\t" in unquoted:
        return "\t"
    return ";" if unquoted.count(";") > unquoted.count(",") else ","


def rows(text: Text, name: str, *, limits: Limits = DEFAULT_LIMITS) -> tuple[Row, ...]:
    """Read rows of equal width; blank lines at the end are ignored, except in tables of a single column.

    Tab-separated files have no quoting: a quotation mark is an ordinary character. Files separated by commas or
    semicolons are quoted as spreadsheets do it.

    Raises:
        FormatError: a row has more or fewer cells than the first.
        LimitError: a row has too many cells.
    """
    found = ragged_rows(text, name, limits=limits)
    for row in found:
        if len(row.cells) != len(found[0].cells):
            cells = f"{len(row.cells)} {'cell' if len(row.cells) == 1 else 'cells'}"
            raise FormatError(f"{name}, line {row.line}: {cells} found, {len(found[0].cells)} expected as in line 1")
    return found


def ragged_rows(
    text: Text, name: str, separator: str | None = None, *, limits: Limits = DEFAULT_LIMITS
) -> tuple[Row, ...]:
    """Read rows that may differ in width, otherwise like rows().

    Args:
        text: the file's text.
        name: the file, for messages.
        separator: between cells; None finds it as delimiter does.
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
    """Read a table with a header by columns: the same cells as rows() gives, in less time.

    Returns:
        None where the file is empty.

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
    """Read a large table in which every row is one line: the cells of its columns, including those of the first row.

    Returns:
        None where the table is small, a row may take several lines, or something is wrong: rows() explains that.
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
    except ValueError:  # rows of different width, or text that cannot be parsed: rows() explains it
        return None
    found = [frame[i].tolist() for i in frame.columns]
    # pandas fills up short rows, and the lines of cells with line breaks are lost. In a table of one column blank
    # lines are cells.
    complete = bare.count(separator) == (len(found) - 1) * len(frame) and content.count("\n") + 1 == len(frame)
    if not complete or len(found) == 1 or not any(map(any, found)):
        return None
    return found


def _without_quoted(content: str, separator: str) -> str:
    """The content without quoted cells of one line; any quotation mark that remains is misplaced."""
    # The pattern begins with the mark and looks behind afterwards: there are few marks, and they are found at once.
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
            f"{name}, line {line}: cannot be read as a table: {error}; check the quotation marks"
        ) from None
