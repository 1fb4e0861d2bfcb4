"""Parse scores, segment numbers and names, whole columns at once; the faulty line is located only on failure."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from bleu_core.dataset import Numbering, plural
from bleu_core.errors import FormatError

#: The most digits of a segment number.
MAX_NUMBER_LENGTH = 12
#: The most characters of a faulty cell that messages show.
MAX_SHOWN = 40
#: Sums of larger scores would overflow.
MAX_SCORE = 1e100
#: A number with a decimal comma, as spreadsheets of many European languages write it.
DECIMAL_COMMA = re.compile(r"[+-]?\d*+,\d++(?:[eE][+-]?\d++)?")
#: A number with a comma that may be a whole number with a thousands separator.
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
#: A whole number as pandas and R write it in columns with missing values: 1.0.
WHOLE_DECIMAL = re.compile(r"(\d+)\.0*", re.ASCII)
#: Headers of segment numbers, systems, judges and documents in tables of ratings and scores.
SEGMENT_HEADERS = ("segment", "segment_id", "seg_id", "segid", "seg", "line", "line_id", "item", "item_id")
SYSTEM_HEADERS = ("system", "system_id", "sys", "sys_id", "sysid", "system_name")
JUDGE_HEADERS = ("judge", "judge_id", "rater", "rater_id", "annotator", "annotator_id", "worker", "worker_id")
DOCUMENT_HEADERS = ("document", "document_id", "doc", "doc_id")
MISSING = frozenset({"", "none", "na", "n/a", "nan", "null", "-"})
#: The share of documents whose numbers begin with 0 or 1 from which on numbers count within documents.
MIN_RESTARTING_SHARE = 0.5
#: The fewest rows of a judge that can show that numbers are positions.
MIN_BATCH_SIZE = 10


def join_cells(cells: Sequence[str], separator: str = ", ") -> str:
    """Join cells to one line, for messages."""
    return separator.join(" ".join(cell.split()) for cell in cells)


def cell_count(cells: Sequence[str]) -> str:
    """Return the number of cells in a row with its unit, for messages."""
    return f"{len(cells)} {plural(len(cells), 'cell')}"


def normal_header(header: str) -> str:
    """Return a header as the lists of known headers have it.

    >>> normal_header(" Seg-ID")
    'seg_id'
    """
    return header.strip().lower().replace(" ", "_").replace("-", "_")


def strip_cells(cells: Sequence[str]) -> list[str]:
    """Return cells without surrounding white space."""
    return list(map(str.strip, cells))


def check_filled(cells: Sequence[str], lines: Sequence[int], origin: str, what: str = "system") -> None:
    """Check that no cell of a column, without surrounding white space, is empty, as in an export of merged cells.

    Raises:
        FormatError: a cell is empty; the error names its line.
    """
    if "" in cells:
        line = lines[cells.index("")]
        raise FormatError(
            f"{origin}, line {line}: no {what} found, a name expected; if its cell was merged with those above, write "
            f"the {what} in every row"
        )


def check_equal_counts(counts: Mapping[str, int], what: str, origin: str, of: str = "system") -> int:
    """Check that all systems have equally many rows where each is a segment, and return their number.

    Args:
        counts: system -> its number of rows, at least one system.
        what: what a row is, for messages.
        origin: the file, for messages.
        of: what has rows, if not a system.

    Raises:
        FormatError: a system has another number than most.
    """
    expected = Counter(counts.values()).most_common(1)[0][0]
    for system, count in counts.items():
        if count != expected:
            raise FormatError(
                f"{origin}: {count:,} {plural(count, what)} of {system} found, {expected:,} expected as for the other "
                f"{of}s"
            )
    return expected


def parse_scores(
    cells: Sequence[object], lines: Sequence[int], origin: str, *, unit: str = "line", decimal_commas: bool = False
) -> NDArray[np.float64]:
    """Parse scores, one per cell; NaN where a cell is empty, none or n/a, or null in JSON.

    Decimal commas are accepted only if every cell with a comma or a point has exactly one comma, and not if each of
    these may be a whole number with a thousands separator, such as 1,000.

    Args:
        cells: the cells of the file, or values in JSON.
        lines: the line of each cell, for messages.
        origin: the file, for messages.
        unit: what is counted instead of lines, for messages.
        decimal_commas: whether scores may have decimal commas.

    Raises:
        FormatError: a cell is not a finite number.
    """
    texts = [cell for cell in cells if isinstance(cell, str)]
    try:
        values = np.array(list(map(float, texts)), np.float64)
    except ValueError:
        values = np.empty(0)
    if len(values) == len(cells) and (np.abs(values) <= MAX_SCORE).all() and "_" not in "".join(texts):
        return values
    if decimal_commas and _has_decimal_commas(texts):
        cells = [cell.replace(",", ".") for cell in texts]
    scores = (parse_score(cell, f"{origin}, {unit} {line}") for cell, line in zip(cells, lines, strict=True))
    return np.array(list(scores), np.float64)


def _has_decimal_commas(cells: Sequence[str]) -> bool:
    candidates = [cell.strip() for cell in cells if "," in cell or "." in cell]
    return all(map(DECIMAL_COMMA.fullmatch, candidates)) and not all(map(THOUSANDS.fullmatch, candidates))


def parse_score(cell: object, place: str, *, optional: bool = True) -> float:
    """Parse one score, a cell or a value in JSON.

    Args:
        cell: the cell or the value.
        place: the file and the line, or the item, for messages.
        optional: whether the score is NaN if it is missing.

    Raises:
        FormatError: the cell is not a finite number.
    """
    if (type(cell) is int or type(cell) is float) and abs(cell) <= MAX_SCORE:  # true and false are no scores
        return float(cell)
    text = parse_name(cell, place)
    if optional and text.lower() in MISSING:
        return math.nan
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or "_" in text:  # float() accepts 1_000, which no spreadsheet writes
        advice = "; write it with a decimal point" if "," in text else ""
        raise FormatError(f"{place}: score {text[:MAX_SHOWN]!r} found, a number expected{advice}")
    if abs(value) > MAX_SCORE:
        raise FormatError(f"{place}: score {text[:MAX_SHOWN]} found, at most {MAX_SCORE:g} expected")
    return value


def parse_name(value: object, place: str) -> str:
    """Return a name or a number, a cell or a value in JSON, as text without white space around it; "" for null.

    Raises:
        FormatError: it is a list or an object.
    """
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, (list, dict)):
        kind = "a list" if isinstance(value, list) else "an object"
        raise FormatError(f"{place}: {kind} found, text or a number expected")
    return "" if value is None else str(value)


def required_name(value: object, place: str, what: str = "system") -> str:
    """Return a name like `parse_name`.

    Raises:
        FormatError: it is a list or an object, or empty.
    """
    name = parse_name(value, place)
    if not name:
        raise FormatError(f"{place}: no {what} found, a name expected")
    return name


def parse_whole_numbers(cells: Sequence[str], lines: Sequence[int], origin: str, what: str = "segment") -> list[int]:
    """Parse whole numbers from 0, one per cell, which may be written as 1.0.

    Raises:
        FormatError: a cell is not such a number.
    """
    digits = "".join(cells)
    if digits.isascii() and digits.isdigit() and all(cells) and max(map(len, cells)) <= MAX_NUMBER_LENGTH:
        return list(map(int, cells))
    return [parse_whole_number(cell, f"{origin}, line {n}", what) for cell, n in zip(cells, lines, strict=True)]


def parse_whole_number(cell: object, place: str, what: str = "segment") -> int:
    """Parse a whole number from 0, a cell or a value in JSON, which may be written as 1.0.

    Raises:
        FormatError: it is not such a number.
    """
    text = parse_name(cell, place)
    match = WHOLE_DECIMAL.fullmatch(text)
    digits = text if match is None else match[1]
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MAX_NUMBER_LENGTH):
        raise FormatError(f"{place}: {what} {digits[:MAX_SHOWN]!r} found, a whole number expected")
    return int(digits)


def parse_segments(cells: Sequence[str], lines: Sequence[int], origin: str, first_segment: int) -> list[int]:
    """Parse segment numbers and renumber them from 1.

    Args:
        cells: the cells of the file.
        lines: the line of each cell, for messages.
        origin: the file, for messages.
        first_segment: the number the file gives the first segment, 1 or 0.

    Raises:
        FormatError: a cell is not a whole number from first_segment on.
    """
    return renumber_from_1(parse_whole_numbers(cells, lines, origin), lines, origin, first_segment)


def renumber_from_1(numbers: Sequence[int], lines: Sequence[int], origin: str, first_segment: int) -> list[int]:
    """Renumber segments so that the first one is 1.

    Raises:
        FormatError: a number is less than first_segment.
    """
    if min(numbers, default=first_segment) < first_segment:
        number, line = next(pair for pair in zip(numbers, lines, strict=True) if pair[0] < first_segment)
        raise FormatError(
            f"{origin}, line {line}: segment {number} found, {first_segment} or more expected; "
            "if the file counts from 0, set --first-segment 0, or First segment on the Data page"
        )
    shift = 1 - first_segment
    return [number + shift for number in numbers] if shift else list(numbers)


def numbers_restart(numbers: Sequence[int | str], documents: Sequence[str | None]) -> bool:
    """Return whether segments are numbered within documents, since a number occurs in two documents.

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
    """Return what item numbers count, judged by the documents and judges in the same rows.

    A line belongs to one document, so a number that occurs in two documents is not a line. Such numbers are positions
    in a judge's items if every judge has each number once and without gaps; they count within documents if most
    documents begin with 0 or 1. Without documents, numbers are positions if every judge has them from 1 on, each once
    and without gaps.

    Args:
        numbers: the item numbers of all rows, including those of quality control.
        documents: the documents of all rows; empty if the file names none.
        judges: the judges of all rows.
    """
    numbers_of_judges: defaultdict[str, list[int]] = defaultdict(list)
    documents_of_numbers: defaultdict[int, set[str]] = defaultdict(set)
    first_numbers: dict[str, int] = {}
    for number, document, judge in zip(numbers, documents, judges, strict=True):
        numbers_of_judges[judge].append(number)
        documents_of_numbers[number].add(document)
        first_numbers[document] = min(number, first_numbers.get(document, number))
    without_gaps = all(
        len(set(values)) == len(values) == max(values) - min(values) + 1 for values in numbers_of_judges.values()
    )
    if not any(documents):
        from_1 = all(min(values) == 1 and len(values) >= MIN_BATCH_SIZE for values in numbers_of_judges.values())
        return "item" if without_gaps and from_1 and len(numbers_of_judges) > 1 else "line"
    if all(len(values) == 1 for values in documents_of_numbers.values()):
        return "line"
    n_restarting = sum(number <= 1 for number in first_numbers.values())
    return "document" if n_restarting >= MIN_RESTARTING_SHARE * len(first_numbers) and not without_gaps else "item"
