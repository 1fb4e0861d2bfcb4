"""Errors as a file has them: marked in the texts that the annotator saw, which may differ from those of the corpus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

#: The start and end of an error without a place in the text, such as an omission.
NO_PLACE = -1

#: Why a mark has no place in a text.
OUTSIDE = "its place is outside the text, or within a character"
#: Spaces from the en quad to the hair space.
_QUADS = "".join(map(chr, range(0x2000, 0x200B)))
#: White space as String.prototype.trim() of ECMAScript removes it.
BROWSER_SPACE = f"\t\n\v\f\r \u00a0\u1680{_QUADS}\u2028\u2029\u202f\u205f\u3000\ufeff"


class MarkedError(NamedTuple):
    """An error that an annotator marked.

    Attributes:
        start: the index of the first Unicode code point of the span in the text; NO_PLACE without a mark.
        end: the index after the last one; NO_PLACE without a mark.
        severity: in lower case, such as "major".
        category: as the file writes it, such as "Fluency/Grammar"; "" without one.
        in_source: whether it is marked in the source, not in the translation.
        text: the text in which it is marked; None if the file does not have it.
        line: the line of the file, from 1, for messages; 0 for a metric, whose messages name segments.
        utf16: whether start and end count UTF-16 code units of the text of the corpus as `shown_text` returns it; only
            without a text.
        problem: why a mark in the file has no place; "" if it has one, or if there is no mark.
    """

    start: int
    end: int
    severity: str
    category: str
    in_source: bool = False
    text: str | None = None
    line: int = 0
    utf16: bool = False
    problem: str = ""


#: The errors of an item by one annotator, () if there are none.
Errors: TypeAlias = tuple[MarkedError, ...]


def normal_severity(severity: str) -> str:
    """Return a severity as annotations write it: in lower case, without white space around it."""
    return severity.strip().lower()


def code_points(text: str, units: int) -> int | None:
    r"""Return the number of code points in the first UTF-16 code units of a text.

    Args:
        text: any text.
        units: a number of code units.

    Returns:
        None if the text has fewer units, or if the last one is the first half of a code point.

    >>> code_points("a\U0001f600b", 3)
    2
    """
    if units < 0:
        return None
    encoded = b"" if text.isascii() else text.encode("utf-16-le", "surrogatepass")
    if len(encoded) in (0, 2 * len(text)):  # each code point is one unit
        return units if units <= len(text) else None
    if 2 * units > len(encoded):
        return None
    index = len(encoded[: 2 * units].decode("utf-16-le", "surrogatepass"))
    rest = len(encoded[2 * units :].decode("utf-16-le", "surrogatepass"))
    return index if index + rest == len(text) else None


def shown_text(text: str) -> str:
    """Return a text without white space around it, as Appraise shows it in a browser."""
    return text.strip(BROWSER_SPACE)


def column_of_errors(errors: Sequence[Errors | None]) -> npt.NDArray[np.object_]:
    """Return errors as a column of a table; None for rows that are no annotation."""
    column = np.empty(len(errors), dtype=object)
    for row, marked in enumerate(errors):
        column[row] = marked
    return column


def errors_in(cell: object) -> Errors | None:
    """Return the errors in a cell of a column of errors; None if the row is no annotation."""
    return cast("Errors", cell) if isinstance(cell, tuple) else None


def hashes_of_errors(column: Iterable[object]) -> npt.NDArray[np.int64]:
    """Return a hash of each cell of a column of errors, the same only within this process; 0 without an annotation."""
    return np.array([0 if (errors := errors_in(cell)) is None else hash(errors) for cell in column], np.int64)
