"""What the readers of scores in JSON files share: parsing a whole file, numbers, and systems named after files."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import cast

from bleu_core.errors import FormatError
from bleu_core.formats.cells import MAX_SCORE, MISSING
from bleu_core.formats.compression import stem_of
from bleu_core.formats.text import Text


def parse_json(text: Text, origin: str, hook: Callable[[dict[str, object]], object] | None = None) -> object:
    """Return the value in a file of JSON.

    Args:
        text: the file's text.
        origin: the file, for messages.
        hook: is given every object, and gives what takes its place.

    Raises:
        FormatError: the text is not JSON.
    """
    try:
        return json.loads(text.content, object_hook=hook)
    except json.JSONDecodeError as error:
        start = text.content.rfind("\n", 0, error.pos) + 1
        found = text.content[start : start + 40].partition("\n")[0]
        raise FormatError(
            f"{origin}, line {error.lineno}: {found!r} found, JSON expected ({error.msg}); is the file complete?"
        ) from None
    except (ValueError, RecursionError):  # a number of thousands of digits, or thousands of brackets
        raise FormatError(f"{origin}: a number or nesting that is too long found, scores in JSON expected") from None


def parse_number(value: object, what: str, origin: str) -> float:
    """Return a score, given as a number or as text.

    Args:
        value: as in the file.
        what: whose score, for messages.
        origin: the file, for messages.

    Raises:
        FormatError: it is not a finite number.
    """
    found = math.nan
    if isinstance(value, (int, float, str)) and not isinstance(value, bool):
        try:
            found = float(value)
        except (ValueError, OverflowError):
            found = math.nan
    if not abs(found) <= MAX_SCORE or (isinstance(value, str) and "_" in value):
        raise FormatError(f"{origin}: {str(value)[:40]!r} found as {what}, a number expected")
    return found


def is_missing(value: object) -> bool:
    """Return whether a value is null or NaN, or text that means this: a score that is missing."""
    if isinstance(value, str):
        return value.strip().lower() in MISSING
    return value is None or (isinstance(value, float) and math.isnan(value))


def as_mapping(value: object) -> Mapping[str, object] | None:
    """Return a value as an object of JSON; None if it is not."""
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else None


def check_writable(name: str, origin: str) -> str:
    """Return the name of a system or a metric, if it can be written.

    Raises:
        FormatError: it has half a character: JSON may, where text in a file may not.
    """
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raise FormatError(f"{origin}: the name {ascii(name)[:60]} has half a character; rename it") from None
    return name


def system_of_path(path: str, known: Mapping[str, str], origin: str) -> str:
    """Return the name of a system whose output was in a file: the file's name without folders and its last ending.

    Args:
        path: of the output, on whatever machine.
        known: systems that have been read already -> their paths.
        origin: the file of scores, for messages.

    Raises:
        FormatError: there is no name, another system has it, or it cannot be written.
    """
    name = check_writable(stem_of(path.replace("\\", "/").strip()), origin)
    if not name:
        raise FormatError(f"{origin}: {path[:40]!r} found as a system, the name of its file expected")
    if name in known:
        raise FormatError(f"{origin}: both {known[name]!r} and {path!r} are scores of {name}; rename one of the two")
    return name
