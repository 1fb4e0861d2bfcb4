"""Errors for bad files and settings, whose messages say what to do.

Every message is one line and names the file, the line (1-based), what was found and what was expected. Messages quote
what users wrote, names of files among it: `one_line`, `listed` and `shortened` keep them short and free of control
characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice

#: Characters of a message at most. A longer one is cut in its middle: its end tells what to do.
MAX_MESSAGE_LENGTH = 1000
KEPT_AT_END = 300
CUT = "…"
#: Characters of a name in a list, or of a value, at most, and those kept at its end.
MAX_LISTED_LENGTH = 80
LISTED_AT_END = 20
# C0 and C1 controls, line and paragraph separators, marks and overrides of direction, and lone surrogates, which no
# terminal can print.
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class BleuCoreError(ValueError):
    """Any mistake in what a person gave: a file, its alignment, a setting.

    Args:
        message: what was found, what was expected and what to do; `one_line` is applied to it.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(one_line(message))


class FormatError(BleuCoreError):
    """A file cannot be read as what it should be."""


class EmptyFileError(FormatError):
    """A file of texts has no segment."""


class LanguagePairError(FormatError):
    """A file has several language pairs, of which one has to be chosen, or none that was chosen.

    Args:
        message: as of FormatError.
        pairs: those of the file.
    """

    def __init__(self, message: str, pairs: Iterable[str]) -> None:
        super().__init__(message)
        self.pairs = tuple(pairs)


class AlignmentError(BleuCoreError):
    """Files are each readable but do not fit together."""


class SettingsError(BleuCoreError):
    """A setting has a value that means nothing."""


def one_line(text: str) -> str:
    r"""The text as one line of bounded length, safe to print.

    Control characters, line separators, marks of writing direction and lone surrogates become visible escapes.

    >>> one_line("a.txt\nb\x1b[31m")
    'a.txt\\nb\\x1b[31m'
    """
    return _shortened(UNPRINTABLE.sub(_escape, _shortened(text)))


def enumeration(names: Sequence[str]) -> str:
    """One or more names joined as in a sentence: "A", "A and B", "A, B and C"."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def listed(names: Iterable[object], most: int = 10) -> str:
    """Names as a list of bounded length; long names are cut in their middle.

    >>> listed(["A", "B", "C"])
    'A, B, C'
    >>> listed(range(1, 100_001), most=3)
    '1, 2, 3 and 99,997 more'
    """
    rest = iter(names)
    shown = ", ".join(shortened(name) for name in islice(rest, most))
    more = sum(1 for _ in rest)
    return f"{shown} and {more:,} more" if more else shown


def shortened(value: object) -> str:
    """Return a value that was found in a file as text of bounded length, cut in its middle.

    >>> shortened(10**400)
    '10000000000000000000000000000000000000000000000000000000000…00000000000000000000'
    """
    return _shortened(str(value), MAX_LISTED_LENGTH, LISTED_AT_END)


def _shortened(text: str, longest: int = MAX_MESSAGE_LENGTH, at_end: int = KEPT_AT_END) -> str:
    if len(text) <= longest:
        return text
    return text[: longest - at_end - len(CUT)] + CUT + text[-at_end:]


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")
