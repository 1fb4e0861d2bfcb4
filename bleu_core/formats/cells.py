"""Reads cells with scores and segment numbers, whole columns at once; the faulty line is searched only on failure."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bleu_core.dataset import Numbering, plural
from bleu_core.errors import FormatError

#: The most digits of a segment number: no file has more lines.
MAX_NUMBER_LENGTH = 12
#: Sums of larger scores would overflow.
MAX_SCORE = 1e100
#: A number as spreadsheets in half of Europe write it, and one that may be a whole number with its thousands separated.
DECIMAL_COMMA = re.compile(r"[+-]?\d*+,\d++(?:[eE][+-]?\d++)?")
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
#: A whole number as pandas and R write it in columns with missing values.
WHOLE_DECIMAL = re.compile(r"(\d+)\.0*", re.ASCII)
MISSING = frozenset({"", "none", "na", "n/a", "nan", "null", "-"})
#: The share of documents that begin with number 0 or 1 from which on numbers are taken to count within documents.
MIN_RESTARTING_SHARE = 0.5
#: The fewest rows of a judge that can show that their numbers are positions.
MIN_BATCH_SIZE = 10


def join_cells(cells: Sequence[str], separator: str = ", ") -> str:
    """Cells as one line, for messages."""
    return separator.join(" ".join(cell.split()) for cell in cells)


def cell_count(cells: Sequence[str]) -> str:
    """Return the number of cells in a row, for messages."""
    return f"{len(cells)} {plural(len(cells), 'cell')}"


def normal_header(header: str) -> str:
    """Return a header as lists of known ones have it.

    >>> normal_header(" Seg-ID")
    'seg_id'
    """
    return header.strip().lower().replace(" ", "_").replace("-", "_")


def strip_cells(cells: Sequence[str]) -> list[str]:
    """Cells without the white space around them."""
    return list(map(str.strip, cells))


def parse_scores(
    cells: Sequence[str], lines: Sequence[int], origin: str, *, decimal_commas: bool = False
) -> NDArray[np.float64]:
    """Read scores, one per cell; NaN if a cell is empty, none or n/a.

    Decimal commas are read only if all cells that have a comma or a point have one comma, and not if each of these may
    be a whole number with its thousands separated, as 1,000.

    Args:
        cells: as in the file.
        lines: the file's line of each, for messages.
        origin: the file, for messages.
        decimal_commas: whether scores may have decimal commas.

    Raises:
        FormatError: a cell is not a finite number.
    """
    try:
        found = np.array(list(map(float, cells)), np.float64)
    except ValueError:
        found = np.full(1, np.nan)
    if np.isfinite(found).all() and (np.abs(found) <= MAX_SCORE).all() and "_" not in "".join(cells):
        return found
    if decimal_commas and _has_decimal_commas(cells):
        cells = [cell.replace(",", ".") for cell in cells]
    return np.array([parse_score(cell, line, origin) for cell, line in zip(cells, lines, strict=True)], np.float64)


def _has_decimal_commas(cells: Sequence[str]) -> bool:
    written = [cell.strip() for cell in cells if "," in cell or "." in cell]
    return all(map(DECIMAL_COMMA.fullmatch, written)) and not all(map(THOUSANDS.fullmatch, written))


def parse_score(cell: str, line: int, origin: str) -> float:
    """Read one score, NaN if there is none.

    Raises:
        FormatError: the cell is not a finite number.
    """
    cell = cell.strip()
    if cell.lower() in MISSING:
        return math.nan
    try:
        found = float(cell)
    except ValueError:
        found = math.nan
    if not math.isfinite(found) or "_" in cell:  # float() reads 1_000, which no spreadsheet writes
        advice = "; write it with a decimal point" if "," in cell else ""
        raise FormatError(f"{origin}, line {line}: score {cell!r} found, a number expected{advice}")
    if abs(found) > MAX_SCORE:
        raise FormatError(f"{origin}, line {line}: score {cell} found, at most {MAX_SCORE:g} expected")
    return found


def parse_whole_numbers(cells: Sequence[str], lines: Sequence[int], origin: str, what: str = "segment") -> list[int]:
    """Read whole numbers from 0 on, one per cell, which may be written as 1.0.

    Raises:
        FormatError: a cell is not such a number.
    """
    digits = "".join(cells)
    if not (digits.isascii() and digits.isdigit() and all(cells) and max(map(len, cells)) <= MAX_NUMBER_LENGTH):
        cells = [cell if (found := WHOLE_DECIMAL.fullmatch(cell)) is None else found[1] for cell in cells]
        for cell, line in zip(cells, lines, strict=True):
            if not (cell.isascii() and cell.isdigit() and len(cell) <= MAX_NUMBER_LENGTH):
                raise FormatError(f"{origin}, line {line}: {what} {cell!r} found, a whole number expected")
    return list(map(int, cells))


def parse_segments(cells: Sequence[str], lines: Sequence[int], origin: str, first_segment: int) -> list[int]:
    """Read segment numbers and count them from 1.

    Args:
        cells: as in the file.
        lines: the file's line of each, for messages.
        origin: the file, for messages.
        first_segment: the number the file gives the first segment, 1 or 0.

    Raises:
        FormatError: a cell is not a whole number from first_segment on.
    """
    return renumber_from_1(parse_whole_numbers(cells, lines, origin), lines, origin, first_segment)


def renumber_from_1(found: Sequence[int], lines: Sequence[int], origin: str, first_segment: int) -> list[int]:
    """Renumber segments so that the first one is 1.

    Raises:
        FormatError: one is less than first_segment.
    """
    if min(found, default=first_segment) < first_segment:
        number, line = next(pair for pair in zip(found, lines, strict=True) if pair[0] < first_segment)
        raise FormatError(
            f"{origin}, line {line}: segment {number} found, {first_segment} or more expected; "
            "if the file counts from 0, set --first-segment 0, or First segment on the Data page"
        )
    shift = 1 - first_segment
    return [number + shift for number in found] if shift else list(found)


def numbers_restart(numbers: Sequence[int | str], documents: Sequence[str | None]) -> bool:
    """Return whether segments are numbered within documents: a number that occurs in two documents is no line.

    >>> numbers_restart([1, 2, 1], ["x", "x", "y"]), numbers_restart([1, 2, 3], ["x", "x", "y"])
    (True, False)
    """
    first: dict[int | str, str] = {}
    return any(
        first.setdefault(number, document) != document
        for number, document in zip(numbers, documents, strict=True)
        if document
    )


def detect_numbering(numbers: Sequence[int], documents: Sequence[str], judges: Sequence[str]) -> Numbering:
    """What item numbers count, judged by the documents and judges in the same rows.

    A line belongs to one document, so that a number that occurs with two documents is not a line. Such numbers are
    positions in what a judge saw if every judge has each number once and without gaps; they count within documents if
    most documents begin with 0 or 1. Without documents, numbers are positions if every judge has them from 1 on, each
    once and without gaps.

    Args:
        numbers: of all rows, including those of quality control.
        documents: of all rows; empty if the file names none.
        judges: of all rows.
    """
    seen: defaultdict[str, list[int]] = defaultdict(list)
    beside: defaultdict[int, set[str]] = defaultdict(set)
    least: dict[str, int] = {}
    for number, document, judge in zip(numbers, documents, judges, strict=True):
        seen[judge].append(number)
        beside[number].add(document)
        least[document] = min(number, least.get(document, number))
    runs = all(len(set(found)) == len(found) == max(found) - min(found) + 1 for found in seen.values())
    if not any(documents):
        from_1 = all(min(found) == 1 and len(found) >= MIN_BATCH_SIZE for found in seen.values())
        return "item" if runs and from_1 and len(seen) > 1 else "line"
    if all(len(found) == 1 for found in beside.values()):
        return "line"
    beginning = sum(number <= 1 for number in least.values())
    return "document" if beginning >= MIN_RESTARTING_SHARE * len(least) and not runs else "item"
