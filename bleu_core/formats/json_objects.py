"""Objects in lines and files of JSON, with messages that name the place of what is wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import cast

from bleu_core.errors import FormatError
from bleu_core.formats.delimited import SURROGATE


def parse_object(line: str) -> Mapping[str, object] | None:
    """Return the object in a line; None if there is none."""
    try:
        found: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return cast("Mapping[str, object]", found) if isinstance(found, dict) else None


def mapping_at(place: str, value: object, what: str) -> Mapping[str, object]:
    """Return a value that is an object.

    Raises:
        FormatError: it is none.
    """
    if not isinstance(value, dict):
        raise FormatError(f"{place}: {what} without names found, an object expected")
    return cast("Mapping[str, object]", value)


def list_at(place: str, value: object, what: str) -> Sequence[object]:
    """Return a value that is a list.

    Raises:
        FormatError: it is none.
    """
    if not isinstance(value, list):
        raise FormatError(f"{place}: {what} found that is no list, a list expected")
    return cast("Sequence[object]", value)


def text_at(place: str, value: object, what: str) -> str | None:
    """Return a text with its line breaks; None if there is none.

    Raises:
        FormatError: it is no text, or has a character that no text has.
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
