"""Detection of a header in the first row of a table, by comparison with the cells below it."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Sequence
from typing import NamedTuple

from bleu_core.formats.cells import normal_header
from bleu_core.formats.column_kinds import why_not_text
from bleu_core.formats.delimited import Table
from bleu_core.formats.headers import classify_header

#: The label of the option for the row of the header.
HEADER_LABEL = "Header row"
#: Its values for no header, and for a header in the first row.
NO_HEADER, FIRST_ROW = "no", "yes"
#: Rows below the first that are compared with it.
MAX_COMPARED_ROWS = 200
#: The most characters of a header without a known word.
MAX_HEADER_LENGTH = 60
#: Rows from which on the lengths and punctuation of a column are reliable.
MIN_RELIABLE_ROWS = 8
#: The total evidence per column from which on the decision needs no note.
MIN_SURE_EVIDENCE = 1.0
#: The evidence of a name above numbers, dates, addresses or codes.
NAME_ABOVE_VALUES = 2.0
#: The end of a sentence in any script, with closing quotation marks or brackets.
SENTENCE_END = re.compile(r"[.!?…。！？।॥؟۔][\"'»”’“)\]」』）]*$")  # noqa: RUF001 # full-width marks
#: The end of a question, which a header may be.
QUESTION = re.compile("[?\uff1f]")
LATIN = re.compile(r"[A-Za-z]")
WORD = re.compile(r"[^\W\d_]")
IDENTIFIER = re.compile(r"[A-Za-z0-9_.+-]{1,60}")
IDENTIFIER_MARK = re.compile(r"[\d_.]|[a-z][A-Z]")


class HeaderDecision(NamedTuple):
    """The decision about the first row.

    Attributes:
        header: whether it is a header.
        sure: whether the evidence is conclusive.
    """

    header: bool
    sure: bool


def detect_header(table: Table, known: frozenset[str] = frozenset()) -> HeaderDecision:
    """Decide whether the first row of a table is its header.

    Evidence for a header in each column: a known word; a first cell that is not a number, date or code above such
    cells; a short cell above longer ones; a cell without final punctuation above sentences; another script. Evidence
    against it: a first cell that is repeated below, is empty, ends like a sentence, or is longer than those below.

    Args:
        table: a table, with its first row as its header.
        known: further known headers, in lower case with underscores.
    """
    first = table.header
    words = [normal_header(cell) in known for cell in first]
    named = [is_known or classify_header(cell) is not None for is_known, cell in zip(words, first, strict=True)]
    columns = [[cell for cell in cells[:MAX_COMPARED_ROWS] if cell.strip()] for cells in table.columns]
    evidence = [_evidence(cell, cells, n) for cell, cells, n in zip(first, columns, named, strict=True)]
    repeated = sum(cell.strip() in map(str.strip, cells) for cell, cells in zip(first, columns, strict=True))
    if any(words) and all(w or IDENTIFIER.fullmatch(c) for w, c in zip(words, first, strict=True)) and not repeated:
        return HeaderDecision(header=True, sure=len(first) > 1 or not _are_words(columns))
    if not table.lines:
        return HeaderDecision(header=all(named), sure=all(named))
    # A short first segment looks like a header; only known words, or names above values, are conclusive.
    proof = any(named) or any(
        value_evidence == NAME_ABOVE_VALUES and why_not_text(cells)
        for value_evidence, cells in zip(evidence, columns, strict=True)
    )
    total = sum(evidence) - 2 * (len(first) - len(set(first)))
    if len(table.lines) < MIN_RELIABLE_ROWS and not repeated and _are_identifiers(first) and _is_running_text(columns):
        return HeaderDecision(header=True, sure=total >= MIN_SURE_EVIDENCE * len(first) and proof)
    return HeaderDecision(header=total > 0, sure=abs(total) >= MIN_SURE_EVIDENCE * len(first) and (proof or total <= 0))


def _are_identifiers(cells: Sequence[str]) -> bool:
    return len(set(cells)) == len(cells) and all(
        IDENTIFIER.fullmatch(cell) and not SENTENCE_END.search(cell) for cell in cells
    )


def _is_running_text(columns: Sequence[Sequence[str]]) -> bool:
    return any(not IDENTIFIER.fullmatch(cell) for cells in columns for cell in cells[:5])


def _are_words(columns: Sequence[Sequence[str]]) -> bool:
    """Return whether no cell below is longer than a word, so that the first row may be one of many words."""
    return not any(len(cell.split()) > 1 or not cell.isalpha() for cells in columns for cell in cells)


def _evidence(cell: str, below: Sequence[str], named: bool) -> float:  # noqa: FBT001 # private
    """Return the evidence that the first cell of a column is its header."""
    cell = cell.strip()
    reason = why_not_text(below) if below else None
    if not cell:
        return 1.0 if reason is not None and below else -2.0
    if cell in map(str.strip, below):
        return -3.0
    if reason is not None and below and not named:
        return _evidence_above_values(cell, below, reason)
    evidence = 3.0 if named else 0.0
    if len(cell) > MAX_HEADER_LENGTH:
        return evidence - 4.0
    if not below:
        return evidence
    weight = min(1.0, len(below) / MIN_RELIABLE_ROWS)
    ends = sum(SENTENCE_END.search(text.strip()) is not None for text in below) / len(below)
    if SENTENCE_END.search(cell) and not named:
        evidence -= 1.0 if QUESTION.search(cell) else 2.0
    else:
        evidence += 2.0 * weight * max(ends - 0.3, 0)
    longer = sum(len(text) > len(cell) for text in below) / len(below)
    ratio = statistics.median(map(len, below)) / len(cell)
    if longer < 0.9 or ratio <= 1:  # noqa: PLR2004 # nearly all
        evidence -= 1.5
    else:
        evidence += min(2.0, math.log2(ratio)) * (0.4 + 0.6 * weight) - (0.5 if longer < 1 else 0)
    if not LATIN.search(cell) and WORD.search(cell) and sum(LATIN.search(t) is not None for t in below) == len(below):
        evidence += 0.5
    elif LATIN.search(cell) and not any(map(LATIN.search, below)):
        evidence += 1.0
    has_spaces = any(" " in text for text in below)
    return evidence + (1.0 if has_spaces and IDENTIFIER.fullmatch(cell) and IDENTIFIER_MARK.search(cell) else 0)


def _evidence_above_values(cell: str, below: Sequence[str], reason: str) -> float:
    """Return the evidence in a column of values that are not text."""
    if reason == "codes only" and why_not_text((cell,)) == reason:
        return -1.0
    if reason in ("the same value in all rows", "few different values"):
        return 1.5 if len(below) >= MIN_RELIABLE_ROWS else 0.5
    same = why_not_text([*below, cell]) == reason
    return -3.0 if same else NAME_ABOVE_VALUES
