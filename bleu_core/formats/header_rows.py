"""Whether the first row of a table holds headers, by what it is beside the cells below it."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Sequence
from typing import NamedTuple

from bleu_core.formats.cells import normal_header
from bleu_core.formats.column_kinds import why_not_text
from bleu_core.formats.delimited import Row
from bleu_core.formats.headers import classify_header

#: Rows below the first that are compared with it.
MAX_COMPARED_ROWS = 200
#: The longest cell that may be a header without a known word, in characters.
MAX_HEADER_LENGTH = 60
#: Rows from which on the lengths and the punctuation of a column are known well.
MIN_RELIABLE_ROWS = 8
#: The sum of evidence, per column, from which on a reading needs no remark.
MIN_SURE_EVIDENCE = 1.0
#: What a name above numbers, dates, addresses or codes is worth.
NAME_ABOVE_VALUES = 2.0
#: The end of a sentence in any script, with closing quotation marks or brackets.
SENTENCE_END = re.compile(r"[.!?…。！？।॥؟۔][\"'»”’“)\]」』）]*$")  # noqa: RUF001 # full-width marks
#: That of a question, which a header may be.
QUESTION = re.compile("[?\uff1f]")
LATIN = re.compile(r"[A-Za-z]")
WORD = re.compile(r"[^\W\d_]")
IDENTIFIER = re.compile(r"[A-Za-z0-9_.+-]{1,60}")
IDENTIFIER_MARK = re.compile(r"[\d_.]|[a-z][A-Z]")


class HeaderDecision(NamedTuple):
    """What the first row is.

    Attributes:
        header: whether it holds headers.
        sure: whether the evidence leaves no doubt.
    """

    header: bool
    sure: bool


def detect_header(table: Sequence[Row], known: frozenset[str] = frozenset()) -> HeaderDecision:
    """Decide whether the first row of a table is its header.

    The evidence of each column, for a header where it is positive: a known word; a first cell that is no number, date
    or code above such ones; a shorter one above longer ones; no end of a sentence above sentences; another script.
    Against it: a first cell that is repeated below, is empty, ends like a sentence, or is longer than those below.

    Args:
        table: rows of equal length.
        known: further headers that are known, in lower case with underscores.
    """
    first, below = table[0].cells, table[1 : MAX_COMPARED_ROWS + 1]
    words = [normal_header(cell) in known for cell in first]
    named = [is_known or classify_header(cell) is not None for is_known, cell in zip(words, first, strict=True)]
    columns = [[row.cells[i] for row in below if row.cells[i].strip()] for i in range(len(first))]
    evidence = [_evidence(cell, cells, n) for cell, cells, n in zip(first, columns, named, strict=True)]
    repeated = sum(cell.strip() in map(str.strip, cells) for cell, cells in zip(first, columns, strict=True))
    if any(words) and all(w or IDENTIFIER.fullmatch(c) for w, c in zip(words, first, strict=True)) and not repeated:
        return HeaderDecision(header=True, sure=len(first) > 1 or not _are_words(columns))
    if not below:
        return HeaderDecision(header=all(named), sure=all(named))
    # A short first segment looks like a header: only words that are known, or names above values, leave no doubt.
    proof = any(named) or any(
        found == NAME_ABOVE_VALUES and why_not_text(cells) for found, cells in zip(evidence, columns, strict=True)
    )
    total = sum(evidence) - 2 * (len(first) - len(set(first)))
    if len(below) < MIN_RELIABLE_ROWS and not repeated and _are_identifiers(first) and _is_running_text(columns):
        return HeaderDecision(header=True, sure=total >= MIN_SURE_EVIDENCE * len(first) and proof)
    return HeaderDecision(header=total > 0, sure=abs(total) >= MIN_SURE_EVIDENCE * len(first) and (proof or total <= 0))


def _are_identifiers(cells: Sequence[str]) -> bool:
    return len(set(cells)) == len(cells) and all(
        IDENTIFIER.fullmatch(cell) and not SENTENCE_END.search(cell) for cell in cells
    )


def _is_running_text(columns: Sequence[Sequence[str]]) -> bool:
    return any(not IDENTIFIER.fullmatch(cell) for cells in columns for cell in cells[:5])


def _are_words(columns: Sequence[Sequence[str]]) -> bool:
    """Return whether nothing below is longer than a word, so that the first row may be one of many words."""
    return not any(len(cell.split()) > 1 or not cell.isalpha() for cells in columns for cell in cells)


def _evidence(cell: str, below: Sequence[str], named: bool) -> float:  # noqa: FBT001 # private
    """How much speaks for the first cell of a column being its header."""
    cell = cell.strip()
    reason = why_not_text(below) if below else None
    if not cell:
        return 1.0 if reason is not None and below else -2.0
    if cell in map(str.strip, below):
        return -3.0
    if reason is not None and below and not named:
        return _beside_values(cell, below, reason)
    found = 3.0 if named else 0.0
    if len(cell) > MAX_HEADER_LENGTH:
        return found - 4.0
    if not below:
        return found
    weight = min(1.0, len(below) / MIN_RELIABLE_ROWS)
    ends = sum(SENTENCE_END.search(text.strip()) is not None for text in below) / len(below)
    if SENTENCE_END.search(cell) and not named:
        found -= 1.0 if QUESTION.search(cell) else 2.0
    else:
        found += 2.0 * weight * max(ends - 0.3, 0)
    longer = sum(len(text) > len(cell) for text in below) / len(below)
    ratio = statistics.median(map(len, below)) / len(cell)
    if longer < 0.9 or ratio <= 1:  # noqa: PLR2004 # nearly all
        found -= 1.5
    else:
        found += min(2.0, math.log2(ratio)) * (0.4 + 0.6 * weight) - (0.5 if longer < 1 else 0)
    if not LATIN.search(cell) and WORD.search(cell) and sum(LATIN.search(t) is not None for t in below) == len(below):
        found += 0.5
    elif LATIN.search(cell) and not any(map(LATIN.search, below)):
        found += 1.0
    running = any(" " in text for text in below)
    return found + (1.0 if running and IDENTIFIER.fullmatch(cell) and IDENTIFIER_MARK.search(cell) else 0)


def _beside_values(cell: str, below: Sequence[str], reason: str) -> float:
    """Return the same for a column of values that are no text."""
    if reason == "codes only" and why_not_text((cell,)) == reason:
        return -1.0
    if reason in ("the same value in all rows", "few different values"):
        return 1.5 if len(below) >= MIN_RELIABLE_ROWS else 0.5
    same = why_not_text([*below, cell]) == reason
    return -3.0 if same else NAME_ABOVE_VALUES
