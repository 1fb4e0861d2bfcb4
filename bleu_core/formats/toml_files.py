"""Reading of TOML within limits: Python's parser may take memory quadratic in the number of parts of a key."""

from __future__ import annotations

import re
from typing import Any

from bleu_core.errors import FormatError

#: The most bytes of a file.
MAX_BYTES = 2**20
#: The most parts of a key: sets.en-de.settings.max_order has four.
MAX_PARTS = 10
#: The most characters of a number or of a part of a key without quotation marks. Python reads up to 4,300 digits.
MAX_LENGTH = 300
#: The most names, values, lists and tables, for each of which the parser takes up to 1.3 kB.
MAX_ITEMS = 100_000
#: A part of a key, or a value. A string whose end is missing ends with its line, where the parser finds the error.
_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\[^\n])*+"?+|'[^'\n]*+'?+)"""
#: Comments, strings of several lines, which may end with five quotation marks, and keys and values.
ITEM = rf"""
    \#[^\n]*+
    | (?:\"{{3}}(?:[^"\\]|\\.|"(?!""))*+(?:"{{3,5}}+)?+ | '{{3}}(?:[^']|'(?!''))*+(?:'{{3,5}}+)?+)
    | (?P<length>[\w-]{{{MAX_LENGTH + 1}}})
    | (?P<parts>{_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MAX_PARTS}}})
    | {_PART}
    | [\[{{]
"""
FLAGS = re.ASCII | re.DOTALL | re.VERBOSE
#: The place of an error in a message of tomllib.
_PLACE = r"(.*) \(at line (\d++), column \d++\)"
_REASONS = {
    "length": f"a key or number of more than {MAX_LENGTH:,} characters found, a shorter one expected",
    "parts": f"a key of more than {MAX_PARTS:,} parts found, at most {MAX_PARTS:,} expected",
}


def parse_toml(data: bytes, origin: str) -> dict[str, Any]:
    """Parse a file in TOML, which takes at most some hundred megabytes and a second.

    Args:
        data: the file, in UTF-8.
        origin: the file, for messages.

    Raises:
        FormatError: it is no TOML, or exceeds the limits above.
    """
    import tomllib  # loaded when first needed

    if len(data) > MAX_BYTES:
        raise FormatError(f"{origin}: {len(data):,} bytes found, at most {MAX_BYTES:,} expected")
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise FormatError(f"{origin}: byte {error.start:,} is not UTF-8; save the file as UTF-8") from None
    _check_size(text, origin)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = re.fullmatch(_PLACE, str(error), re.DOTALL)
        at, reason = (f"{origin}, line {match[2]}", match[1]) if match else (origin, str(error))
        raise FormatError(f"{at}: not valid TOML: {reason}") from None
    except RecursionError:
        raise FormatError(f"{origin}: deeply nested values found, tables expected") from None


def _check_size(text: str, origin: str) -> None:
    """Check the lengths and numbers of keys and values, as far as the text is valid TOML."""
    for n, item in enumerate(re.finditer(ITEM, text, FLAGS), start=1):
        reason = _REASONS.get(item.lastgroup or "")
        if n > MAX_ITEMS:
            reason = f"more than {MAX_ITEMS:,} names and values found, at most {MAX_ITEMS:,} expected"
        if reason is not None:
            raise FormatError(f"{origin}, line {text.count(chr(10), 0, item.start()) + 1:,}: {reason}")
