"""Objects in JSON lines and files, with error messages that name the place."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import cast

from bleu_core.errors import FormatError
from bleu_core.formats.delimited import SURROGATE


def parse_object(line: str) -> Mapping[str, object] | None:
    """Return the object in a line; None if it has none."""
    try:
        value: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else None


def mapping_at(place: str, value: object, what: str) -> Mapping[str, object]:
    """Return the value as an object.

    Raises:
        FormatError: it is none.
    """
    if not isinstance(value, dict):
        raise FormatError(f"{place}: {what} without names found, an object expected")
    return cast("Mapping[str, object]", value)


def list_at(place: str, value: object, what: str) -> Sequence[object]:
    """Return the value as a list.

    Raises:
        FormatError: it is none.
    """
    if not isinstance(value, list):
        raise FormatError(f"{place}: {what} that is not a list found, a list expected")
    return cast("Sequence[object]", value)


def text_at(place: str, value: object, what: str) -> str | None:
    """Return the value as a text, including its line breaks; None if it is null.

    Raises:
        FormatError: it is not a text, or has an invalid character.
    """
    if value is None:
        return None
    if not isinstance(value, str):
        raise FormatError(f"{place}: {what} {str(value)[:40]!r} found, a text expected")
    if "\0" in value:
        raise FormatError(f"{place}: NUL character found in {what}, text expected; remove it")
    if not value.isascii() and SURROGATE.search(value):
        raise FormatError(f"{place}: half of a surrogate pair found in {what}, text expected; remove it")
    return value
