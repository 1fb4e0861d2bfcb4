"""Detection of a header in the first row of a table, by comparison with the cells below it."""

from __future__ import annotations

import re
import statistics
from collections.abc import Sequence
from typing import NamedTuple

from bleu_core.errors import FormatError
from bleu_core.formats.column_kinds import why_not_text
from bleu_core.formats.delimited import SNIFFED_LINES, Table, are_tabbed_rows, guess_delimiter, is_regular
from bleu_core.formats.headers import TEXT_KINDS, classify_header
from bleu_core.formats.text import first_line_of
from bleu_core.invocation import format_option

#: The label of the option for the row of the header.
HEADER_LABEL = "Header row"
#: Its values for no header, and for a header in the first row.
NO_HEADER, FIRST_ROW = "no", "yes"
#: Rows below the first that are compared with it.
MAX_COMPARED_ROWS = 200
#: The most characters of a header without a known word.
MAX_HEADER_LENGTH = 60
#: The end of a sentence in any script, with closing quotation marks or brackets, but not of a question with marks for
#: it, which a header may be.
SENTENCE_END = re.compile(r"[^?\uff1f]*[.!…。！।॥۔][\"'»”’“)\]」』）]*")  # noqa: RUF001 # full-width marks
#: A header as programs write it, and a mark in it that words lack.
IDENTIFIER = re.compile(r"[A-Za-z0-9_.+-]{1,60}")
IDENTIFIER_MARK = re.compile(r"[\d_.]|[a-z][A-Z]")
#: The evidence of a known word, and the least that decides in either way, such as that of a name above values.
KNOWN, MIN_CONCLUSIVE = 3.0, 2.0
#: Rows from which on the lengths of cells, and few different values, are reliable.
MIN_RELIABLE_ROWS = 8
#: The share of cells below a header that are not shorter, and the ratio of their median length to its own from which on
#: it is one.
MIN_LONG, MIN_RATIO = 0.9, 2.0
LATIN = re.compile(r"[A-Za-z]")


class HeaderDecision(NamedTuple):
    """The decision about the first row.

    Attributes:
        header: whether it is a header.
        sure: whether the evidence is conclusive.
    """

    header: bool
    sure: bool


def detect_header(table: Table) -> HeaderDecision:
    """Decide whether the first row of a table is its header.

    Evidence for a header in each column: a known word; a first cell that is not a number, date or code above such
    cells; a short cell above longer ones. Evidence against it: a first cell that is repeated below, is empty, ends like
    a sentence, or is not shorter than those below. Only a known word, or a name above values, is conclusive, as a first
    segment may be short.

    Args:
        table: a table, with its first row as its header.
    """
    first = [cell.strip() for cell in table.header]
    votes = [
        _vote(cell, [text.strip() for text in cells[:MAX_COMPARED_ROWS] if text.strip()])
        for cell, cells in zip(first, table.columns, strict=True)
    ]
    repeated = 0 if KNOWN in votes else len(first) - len(set(first))
    total = sum(votes) - 2 * repeated
    if total > 0 or (min(votes) > -MIN_CONCLUSIVE and _are_names_above_few_texts(table)):
        return HeaderDecision(header=True, sure=total >= len(first) and max(votes) >= MIN_CONCLUSIVE)
    return HeaderDecision(header=False, sure=min(votes) <= -MIN_CONCLUSIVE)


def are_rows(head: str) -> bool:
    """Return whether lines at the beginning of a text are rows of a table, whatever the file's name is.

    All have equally many tabs, or all have equally many cells in CSV and the first is a header with a known word.
    """
    if are_tabbed_rows(head):
        return True
    first = first_line_of(head).removesuffix("\r")
    cells = [cell.strip('"') for cell in first.split(guess_delimiter(first))]
    is_header = len(cells) == len(set(cells)) > 1 and all(map(IDENTIFIER.fullmatch, cells))
    known = is_header and any(classify_header(cell) in (*TEXT_KINDS, "number") for cell in cells)
    return known and is_regular(head.split("\n")[:-1][:SNIFFED_LINES], guess_delimiter(first))


def check_repeated_header(table: Table, origin: str, *, kind: str) -> None:
    """Check that no row repeats the first one if that has a known header, as in several tables that were joined.

    Args:
        table: a table, with its first row as its header.
        origin: the file, for messages.
        kind: the key of its format.

    Raises:
        FormatError: a row repeats it; the error has the option that reads all rows of one column as segments.
    """
    header = table.header
    if not any(classify_header(cell) in TEXT_KINDS for cell in header):
        return
    rows = (i for i, cell in enumerate(table.columns[0]) if cell == header[0])
    repeated = next((i for i in rows if tuple(cells[i] for cells in table.columns) == header), None)
    if repeated is not None:
        problem = f"{origin}, line {table.lines[repeated]}: the header of line {table.line} found again"
        option = format_option(origin, kind, header=NO_HEADER)
        how = f", or if they are segments, read the file with {option}" if len(header) == 1 else ""
        raise FormatError(f"{problem}, a segment expected; remove such rows if tables were joined{how}")


def _are_names_above_few_texts(table: Table) -> bool:
    """Return whether the first row has different names without blanks, above rows too few to compare lengths."""
    first = table.header
    is_few = 0 < len(table.lines) < MIN_RELIABLE_ROWS and len(set(first)) == len(first)
    are_names = all(IDENTIFIER.fullmatch(cell) and not SENTENCE_END.fullmatch(cell) for cell in first)
    return is_few and are_names and not all(IDENTIFIER.fullmatch(text) for cells in table.columns for text in cells)


def _vote(cell: str, below: Sequence[str]) -> float:
    """Return the evidence that the first cell of a column is its header, from -MIN_CONCLUSIVE to KNOWN."""
    reason = why_not_text(below) if below else None
    if cell in below or not cell:
        return 1.0 if reason is not None and not cell else -MIN_CONCLUSIVE
    if classify_header(cell) is not None:
        return KNOWN if len(cell) <= MAX_HEADER_LENGTH else -1.0
    if reason is not None:
        are_few = reason in ("the same value in all rows", "few different values")
        if not are_few and why_not_text([*below, cell]) == reason:
            return -1.0 if reason == "codes only" else -MIN_CONCLUSIVE
        return MIN_CONCLUSIVE if not are_few else 1.0 if len(below) >= MIN_RELIABLE_ROWS else 0.5
    return _vote_above_text(cell, below)


def _vote_above_text(cell: str, below: Sequence[str]) -> float:
    """Return the evidence that a cell without a known word is the header of a column of text."""
    if len(cell) > MAX_HEADER_LENGTH or SENTENCE_END.fullmatch(cell):
        return -MIN_CONCLUSIVE
    if not below:
        return 0.0
    is_name = IDENTIFIER_MARK.search(cell) and IDENTIFIER.fullmatch(cell) and any(" " in text for text in below)
    if is_name or (LATIN.search(cell) and not any(map(LATIN.search, below))):
        return 1.0
    ratio = statistics.median(map(len, below)) / len(cell)
    are_long = sum(len(text) >= len(cell) for text in below) >= MIN_LONG * len(below)
    return -1.0 if ratio < 1 or not are_long else 1.0 if ratio >= MIN_RATIO else 0.0
