"""Objects in JSON lines and files, with error messages that name the place."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from bleu_core.errors import FormatError
from bleu_core.formats.delimited import SURROGATE
from bleu_core.formats.text import Text
from bleu_core.limits import DEFAULT_LIMITS, Limits
from bleu_core.progress import report_progress

#: The most bytes of memory that Python's parser takes for a list, for an object with its first entry, for an entry with
#: a key of its own, and for a value of a few characters with its place in a list or an object.
BYTES_OF_VALUES: Mapping[str, int] = {"[": 96, "{": 184, ":": 140, ",": 88}
#: The share of lines that are JSON from which on a text is JSON lines.
MIN_SHARE_OF_LINES = 0.75
#: Lines after which progress is reported.
LINES_PER_REPORT = 2**10
BLANKS = re.compile(r"[ \t\r\n]*+")
#: Faster for short texts than json.loads, which looks for an encoding and for options first.
DECODER = json.JSONDecoder()


def check_json(content: str, origin: str, limits: Limits) -> None:
    """Check that what the parser makes of JSON does not take too much memory: [] has 2 bytes, and an empty list 64.

    Args:
        content: the JSON; marks within texts count, too.
        origin: the file, for messages.
        limits: the limit json_memory applies.

    Raises:
        LimitError: it may take more than the limit allows.
    """
    of_values = sum(size * content.count(mark) for mark, size in BYTES_OF_VALUES.items())
    limits.check("json_memory", sys.getsizeof(content) + of_values, origin)


def parse_json(
    content: str,
    origin: str,
    limits: Limits = DEFAULT_LIMITS,
    hook: Callable[[dict[str, object]], object] | None = None,
) -> object:
    """Return the value in a JSON file.

    Args:
        content: the file's text.
        origin: the file, for messages.
        limits: the limits for the file.
        hook: called with every object; its result replaces the object.

    Raises:
        FormatError: the text is not JSON.
        LimitError: as check_json.
    """
    check_json(content, origin, limits)
    try:
        return json.loads(content, object_hook=hook)
    except (ValueError, RecursionError) as error:
        raise _no_json(error, content, 0, origin) from None


def iterate_array(content: str, origin: str, limits: Limits = DEFAULT_LIMITS) -> Iterator[tuple[int, object]]:
    """Yield the items of an array one by one, each with the place of its end, so that they need not fit into memory.

    Args:
        content: the array, which begins with [.
        origin: the file, for messages.
        limits: no item may have more characters than line_length allows.

    Raises:
        FormatError: the text is not JSON, or an item is too long.
    """
    place = _skip_blanks(content, content.index("[") + 1)
    more = not content.startswith("]", place)
    values = _iterate(content, place, origin, limits)
    while more:
        end, value = next(values)
        yield end, value
        place = _skip_blanks(content, end)
        more = content.startswith(",", place)
        if not more and not content.startswith("]", place):
            raise _no_json(json.JSONDecodeError("Expecting ',' delimiter", content, place), content, 0, origin)
    end = _skip_blanks(content, place + 1)
    if end < len(content):
        raise _no_json(json.JSONDecodeError("Extra data", content, end), content, 0, origin)


def iterate_values(content: str, origin: str, limits: Limits = DEFAULT_LIMITS) -> Iterator[tuple[int, object]]:
    """Yield values that follow each other, with or without line breaks in and between them, as iterate_array does."""
    place = _skip_blanks(content, 0)
    values = _iterate(content, place, origin, limits)
    while place < len(content):
        end, value = next(values)
        yield end, value
        place = _skip_blanks(content, end)


def _iterate(content: str, place: int, origin: str, limits: Limits) -> Iterator[tuple[int, object]]:
    """Yield one value after the other from a place on, each with the place of its end; a comma may follow it."""
    decode, length = DECODER.raw_decode, limits.line_length
    begin, window = place, content[place : place + length]
    while True:
        try:
            value, stop = decode(window, place - begin)
        except (ValueError, RecursionError) as error:
            if place > begin:  # the item may go on after the window
                begin, window = place, content[place : place + length]
                continue
            if len(window) < len(content) - begin:
                raise FormatError(
                    f"{_at(content, begin, origin)}: an item that has not ended after {length:,} characters, or is not "
                    "JSON, found, a shorter one expected"
                ) from None
            raise _no_json(error, content, begin, origin) from None
        end = begin + stop
        yield end, value
        place = _skip_blanks(content, end)
        if content.startswith(",", place):
            place = _skip_blanks(content, place + 1)


def _skip_blanks(content: str, place: int) -> int:
    return cast("re.Match[str]", BLANKS.match(content, place)).end()


def _at(content: str, place: int, origin: str) -> str:
    return f"{origin}, line {content.count(chr(10), 0, place) + 1:,}"


def _no_json(error: Exception, content: str, begin: int, origin: str) -> FormatError:
    """Return the error for what the parser says of the text from a place on."""
    if not isinstance(error, json.JSONDecodeError):  # a number of thousands of digits, or thousands of brackets
        return FormatError(f"{origin}: a number or nesting that is too long found, JSON expected")
    place = begin + error.pos
    start = content.rfind("\n", 0, place) + 1
    beginning = content[start : start + 40].partition("\n")[0]
    return FormatError(
        f"{_at(content, place, origin)}: {beginning!r} found, JSON expected ({error.msg}); is the file complete?"
    )


def parse_object(line: str) -> Mapping[str, object] | None:
    """Return the object in a line; None if it has none."""
    try:
        value: object = DECODER.decode(line)
    except (ValueError, RecursionError):
        return None
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else None


def first_object(first_line: str) -> Mapping[str, object]:
    """Return the object in the first line of a file; an empty one if it has none."""
    return (parse_object(first_line) if first_line.lstrip().startswith("{") else None) or {}


def iter_objects(text: Text, origin: str, expected: str) -> Iterator[tuple[int, str, Mapping[str, object]]]:
    """Yield the number and the place of each line that has text, and the object in it.

    Args:
        text: the file's text.
        origin: the file, for messages.
        expected: what a line should have, for messages.

    Raises:
        FormatError: a line has no object.
    """
    number = done = 0
    for piece in text.pieces():
        for line in piece.removesuffix("\n").split("\n"):
            number, done = number + 1, done + len(line) + 1
            if not line.strip():
                continue
            place = f"{origin}, line {number}"
            record = parse_object(line)
            if record is None:
                raise wrong_object(place, line, expected)
            yield number, place, record
            if not number % LINES_PER_REPORT:
                report_progress(min(done, text.size), text.size)


def wrong_object(place: str, value: str | Mapping[str, object], expected: str) -> FormatError:
    """Return the error for a line or an object that is not the expected one."""
    written = value if isinstance(value, str) else json.dumps(value)
    return FormatError(f"{place}: {written[:40]!r} found, {expected} expected")


def is_structure(line: str) -> bool:
    """Return whether a line is an object or a list in JSON."""
    try:
        return isinstance(json.loads(line), (dict, list))
    except (ValueError, RecursionError):
        return False


def are_json_lines(head: str) -> bool:
    """Return whether nearly all lines that have text are objects or lists in JSON."""
    lines = [line for line in head.split("\n") if line.strip()]
    candidates = [line for line in lines if line.lstrip()[0] in "{["]
    enough = MIN_SHARE_OF_LINES * len(lines)
    return 0 < enough <= len(candidates) and sum(map(is_structure, candidates)) >= enough


def as_mapping(value: object) -> Mapping[str, object] | None:
    """Return a value as an object; None if it is not one."""
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else None


def text_or_none(value: object) -> str | None:
    """Return a value as a text; None if it is not one."""
    return value if isinstance(value, str) else None


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
