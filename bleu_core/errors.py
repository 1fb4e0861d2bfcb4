"""Errors for invalid files and settings, whose messages say what to do.

Every message is one line and names the file, the line (1-based), what was found and what was expected. Messages quote
user text, such as file names: `one_line`, `listed` and `shortened` limit its length and escape control characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice

#: Maximum length of a message, in characters. Longer ones are cut in the middle, since the end says what to do.
MAX_MESSAGE_LENGTH = 1000
TAIL_LENGTH = 300
ELLIPSIS = "…"
#: Maximum length of a name in a list, or of a value, and the part of it that is kept at the end.
MAX_LISTED_LENGTH = 80
LISTED_TAIL_LENGTH = 20
# C0 and C1 controls, line and paragraph separators, marks and overrides of direction, and lone surrogates, which no
# terminal can print.
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class BleuCoreError(ValueError):
    """An error in user input: a file, the alignment of files, or a setting.

    Args:
        message: what was found, what was expected and what to do; `one_line` is applied to it.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(one_line(message))

    @property
    def without_option(self) -> str:
        """The message for where options of the command line are of no use, as on pages."""
        return str(self)


class FormatError(BleuCoreError):
    """A file does not have the expected format."""


class EmptyFileError(FormatError):
    """A text file has no segments."""


class LanguagePairError(FormatError):
    """A file has several language pairs and none was chosen, or it lacks the chosen one.

    Args:
        message: as in BleuCoreError.
        pairs: the language pairs of the file.
    """

    def __init__(self, message: str, pairs: Iterable[str]) -> None:
        super().__init__(message)
        self.pairs = tuple(pairs)


class AlignmentError(BleuCoreError):
    """Files can be read but do not fit together."""


class SettingsError(BleuCoreError):
    """A setting has an invalid value."""


def one_line(text: str) -> str:
    r"""Return the text as one line of bounded length, safe to print.

    Control characters, line separators, marks of writing direction and lone surrogates become visible escapes.

    >>> one_line("a.txt\nb\x1b[31m")
    'a.txt\\nb\\x1b[31m'
    """
    return _shortened(UNPRINTABLE.sub(_escape, _shortened(text)))


def enumeration(names: Sequence[str]) -> str:
    """Join one or more names as in a sentence: "A", "A and B", "A, B and C"."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def as_sentence(note: str) -> str:
    """Return a note or a message as a sentence, with a capital letter and one full stop; empty if it is empty."""
    return f"{note[0].upper()}{note[1:].removesuffix('.')}." if note else ""


def listed(names: Iterable[object], max_items: int = 10) -> str:
    """Join names to a list of bounded length; long names are cut in the middle.

    >>> listed(["A", "B", "C"])
    'A, B, C'
    >>> listed(range(1, 100_001), max_items=3)
    '1, 2, 3 and 99,997 more'
    """
    iterator = iter(names)
    shown = ", ".join(shortened(name) for name in islice(iterator, max_items))
    more = sum(1 for _ in iterator)
    return f"{shown} and {more:,} more" if more else shown


def shortened(value: object) -> str:
    """Return a value as text of bounded length, cut in the middle.

    >>> shortened(10**400)
    '10000000000000000000000000000000000000000000000000000000000…00000000000000000000'
    """
    return _shortened(str(value), MAX_LISTED_LENGTH, LISTED_TAIL_LENGTH)


def _shortened(text: str, max_length: int = MAX_MESSAGE_LENGTH, tail_length: int = TAIL_LENGTH) -> str:
    if len(text) <= max_length:
        return text
    return text[: max_length - tail_length - len(ELLIPSIS)] + ELLIPSIS + text[-tail_length:]


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")
