"""Error span annotation in JSONL, as WMT24 published it: an object a judgment, or an object a segment."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple, cast

from bleu_core.errors import FormatError
from bleu_core.formats.cells import counted_from_1, numbering, score, whole_numbers
from bleu_core.formats.text import Text, split_lines
from bleu_core.judgments import Judgments, SetAside

FORMAT = "ESA (JSONL)"
JUDGMENT = frozenset({"system", "line_id", "esa_score"})
SEGMENT = frozenset({"doc_id", "scores"})
SEPARATOR = "_#_"
CANARY = (
    "line_id counts lines from 0 in files whose first line is the canary string, which is from 1 without it: "
    "texts that still begin with the canary need the first segment 0"
)


class _Rating(NamedTuple):
    line: int
    pair: str
    document: str
    number: str
    system: str
    judge: str
    score: float


def is_esa(first_line: str) -> bool:
    """Whether a file's first line is an object of one of the two shapes."""
    if not first_line.lstrip().startswith("{"):
        return False
    try:
        found = json.loads(first_line)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and (found.keys() >= JUDGMENT or found.keys() >= SEGMENT)


def read_esa(text: Text, origin: str, *, pair: str | None = None, first_segment: int = 1) -> Judgments:
    """Read ratings of one language pair; those of all others are set aside.

    Of an object a judgment line_id is the segment, of an object a segment the number at the end of doc_id. WMT24
    counts lines from 0 in texts that begin with a canary line, so that its numbers count from 1 without that line.

    Args:
        text: the file's text.
        origin: the file, for messages.
        pair: the language pair, as the file writes it; the first it names when None.
        first_segment: the number the file gives the first segment, 1 or 0.

    Raises:
        FormatError: a line is no such object, a score or segment is no number, or the pair has no rating.
    """
    lines, _ = split_lines(text)
    found = [rating for number, line in enumerate(lines, start=1) for rating in _ratings(line, number, origin)]
    pairs = tuple(dict.fromkeys(rating.pair for rating in found))
    chosen = pairs[0] if pair is None and pairs else pair
    kept = [rating for rating in found if rating.pair == chosen]
    if found and not kept:
        raise FormatError(f"{origin}: no rating of the language pair {pair}; there are {', '.join(pairs)}")
    places = [rating.line for rating in kept]
    numbers = whole_numbers([rating.number for rating in kept], places, origin)
    documents = [rating.document for rating in kept]
    judges = [rating.judge for rating in kept]
    counting = numbering(numbers, documents, judges)
    others = [(f"of the language pair {rating.pair}", rating.line) for rating in found if rating.pair != chosen]
    as_lines = counted_from_1(numbers, places, origin, first_segment) if counting == "line" else None
    return Judgments.from_ratings(
        [rating.system for rating in kept],
        [rating.score for rating in kept],
        places,
        origin,
        segments=as_lines,
        positions=None if as_lines else numbers,
        judges=judges,
        documents=[document or None for document in documents],
        first_segment=first_segment,
        format=f"{FORMAT}, {chosen}" if chosen else FORMAT,
        numbering=counting,
        set_aside=SetAside.tally(others, origin),
        notes=[CANARY] if counting == "line" else ["the segment numbers are no lines: one stands in two documents"],
    )


def _ratings(line: str, number: int, origin: str) -> Iterator[_Rating]:
    try:
        found = cast("object", json.loads(line))
    except (ValueError, RecursionError):
        raise FormatError(f"{origin}, line {number}: {line[:40]!r} found, a JSON object expected") from None
    keys = cast("Mapping[str, object]", found if isinstance(found, dict) else {})
    if keys.keys() >= JUDGMENT:
        yield _rating(keys, number, origin)
    elif keys.keys() >= SEGMENT and isinstance(keys["scores"], dict):
        yield from _of_segment(keys, cast("Mapping[str, object]", keys["scores"]), number, origin)
    else:
        raise FormatError(
            f"{origin}, line {number}: {line[:40]!r} found, an object with system, line_id and esa_score, "
            "or with doc_id and scores, expected"
        )


def _of_segment(
    found: Mapping[str, object], scores: Mapping[str, object], number: int, origin: str
) -> Iterator[_Rating]:
    place = f"{origin}, line {number}"
    parts = _text(found["doc_id"]).split(SEPARATOR)
    if len(parts) < 3:  # noqa: PLR2004 # language pair, document, line
        raise FormatError(f"{place}: doc_id {found['doc_id']!r} found, PAIR_#_..._#_DOCUMENT_#_LINE expected")
    for system, ratings in scores.items():
        for rating in cast("list[object]", ratings if isinstance(ratings, list) else [ratings]):
            if not isinstance(rating, dict) or "score" not in rating:
                raise FormatError(f"{place}: a rating of {system} without a score found, an object with one expected")
            given = cast("Mapping[str, object]", rating)
            yield _Rating(
                number,
                parts[0],
                SEPARATOR.join(parts[1:-1]),
                parts[-1].strip(),
                _name(system, number, origin),
                _text(given.get("annotator")),
                score(_text(given["score"]), number, origin),
            )


def _rating(found: Mapping[str, object], number: int, origin: str) -> _Rating:
    return _Rating(
        number,
        _text(found.get("langs")),
        _text(found.get("doc_id")),
        _text(found["line_id"]),
        _name(_text(found["system"]), number, origin),
        _text(found.get("annotator")),
        score(_text(found["esa_score"]), number, origin),
    )


def _name(system: str, number: int, origin: str) -> str:
    if not system.strip():
        raise FormatError(f"{origin}, line {number}: no system, a name expected")
    return system.strip()


def _text(value: object) -> str:
    """A JSON value as a cell; null is an empty one."""
    return "" if value is None else str(value).strip()
