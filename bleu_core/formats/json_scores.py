"""Shared parts of the readers of scores in JSON: numbers, and names of systems from file names."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import cast

from bleu_core.errors import FormatError
from bleu_core.formats.cells import MAX_SCORE, MISSING
from bleu_core.formats.compression import stem_of


def parse_number(value: object, what: str, origin: str) -> float:
    """Return a score that is given as a number or as text.

    Args:
        value: the value in the file.
        what: a description of the score, for messages.
        origin: the file, for messages.

    Raises:
        FormatError: it is not a finite number.
    """
    score = math.nan
    if isinstance(value, (int, float, str)) and not isinstance(value, bool):
        try:
            score = float(value)
        except (ValueError, OverflowError):
            score = math.nan
    if not abs(score) <= MAX_SCORE or (isinstance(value, str) and "_" in value):
        raise FormatError(f"{origin}: {str(value)[:40]!r} found as {what}, a number expected")
    return score


def is_missing(value: object) -> bool:
    """Return whether a value is null or NaN, or text for a missing score."""
    if isinstance(value, str):
        return value.strip().lower() in MISSING
    return value is None or (isinstance(value, float) and math.isnan(value))


def as_mapping(value: object) -> Mapping[str, object] | None:
    """Return a value as a JSON object; None if it is not one."""
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else None


def check_writable(name: str, origin: str) -> str:
    """Return the name of a system or a metric after checking that it can be written.

    Raises:
        FormatError: it has a lone surrogate, which JSON can express and a text file cannot.
    """
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raise FormatError(f"{origin}: the name {ascii(name)[:60]} has half of a surrogate pair; rename it") from None
    return name


def system_of_path(path: str, known: Mapping[str, str], origin: str) -> str:
    """Return the name of a system by the path of its output: the file name without folders and its last ending.

    Args:
        path: the path of the output, on any machine.
        known: system that has been read -> its path.
        origin: the file of scores, for messages.

    Raises:
        FormatError: the name is empty, belongs to another system, or cannot be written.
    """
    name = check_writable(stem_of(path.replace("\\", "/").strip()), origin)
    if not name:
        raise FormatError(f"{origin}: {path[:40]!r} found as a system, the name of its file expected")
    if name in known:
        raise FormatError(f"{origin}: both {known[name]!r} and {path!r} are scores of {name}; rename one of the two")
    return name
