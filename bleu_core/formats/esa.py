"""Error span annotation in JSONL, as WMT24 published it: an object a judgment, or an object a segment."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from bleu_core.dataset import Judgments, SetAside, check_characters
from bleu_core.errors import FormatError, listed
from bleu_core.formats.cells import counted_from_1, numbering, scores, whole_numbers
from bleu_core.formats.contents import Contents, of_judgments
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text
from bleu_core.limits import DEFAULT_LIMITS, Limits

LABEL = "ESA (JSONL)"
JUDGMENT = frozenset({"system", "line_id", "esa_score"})
SEGMENT = frozenset({"doc_id", "scores"})
SEPARATOR = "_#_"
#: Ratings that are rows at a time: Python's collector of garbage, which looks through all columns, wakes when 700
#: objects more than before are there.
BATCH = 2**8
CANARY = (
    "line_id counts lines from 0 in files whose first line is the canary string, which is from 1 without it: "
    "texts that still begin with the canary need the first segment 0"
)


#: The file's line of a rating, and JSON's values: language pair, document, segment, system, judge, score.
_Row = tuple[int, object, object, object, object, object, object]


class _Ratings(NamedTuple):
    """Ratings by columns, an entry a rating, those of all language pairs."""

    lines: Sequence[int]
    pairs: Sequence[str]
    documents: Sequence[str]
    numbers: Sequence[str]
    systems: Sequence[str]
    judges: Sequence[str]
    scores: NDArray[np.float64]


def is_esa(first_line: str) -> bool:
    """Whether a file's first line is an object of one of the two shapes."""
    if not first_line.lstrip().startswith("{"):
        return False
    try:
        found = json.loads(first_line)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and (found.keys() >= JUDGMENT or found.keys() >= SEGMENT)


def read_esa(
    text: Text, origin: str, *, pair: str | None = None, first_segment: int = 1, limits: Limits = DEFAULT_LIMITS
) -> Judgments:
    """Read ratings of one language pair; those of all others are set aside.

    Of an object a judgment line_id is the segment, of an object a segment the number at the end of doc_id. WMT24
    counts lines from 0 in texts that begin with a canary line, so that its numbers count from 1 without that line.

    A score that is null or NaN is missing. Where an object has a key twice, the last one counts, as in most readers of
    JSON. Names may be numbers, but no lists or objects.

    Args:
        text: the file's text.
        origin: the file, for messages.
        pair: the language pair, as the file writes it; the first it names when None.
        first_segment: the number the file gives the first segment, 1 or 0.
        limits: the most that the file may hold.

    Raises:
        FormatError: a line is no such object, a score or segment is no number, a name holds a lone surrogate, or the
            pair has no rating.
        LimitError: there are too many systems or judges.
    """
    found = _ratings(text.content, origin)
    pairs = tuple(dict.fromkeys(found.pairs))
    check_characters(pairs, found.pairs, found.lines, origin)
    chosen = pairs[0] if pair is None and pairs else pair
    if pairs and chosen not in pairs:
        raise FormatError(f"{origin}: no rating of the language pair {pair}; there are {listed(pairs)}")
    of_pair = [name == chosen for name in found.pairs]
    others = [(f"of the language pair {p}", n) for p, n in zip(found.pairs, found.lines, strict=True) if p != chosen]
    places = list(compress(found.lines, of_pair))
    numbers = whole_numbers(list(compress(found.numbers, of_pair)), places, origin)
    documents = list(compress(found.documents, of_pair))
    judges = list(compress(found.judges, of_pair))
    counting = numbering(numbers, documents, judges)
    as_lines = counted_from_1(numbers, places, origin, first_segment) if counting == "line" else None
    return Judgments.from_ratings(
        list(compress(found.systems, of_pair)),
        found.scores[np.array(of_pair, bool)],
        places,
        origin,
        segments=as_lines,
        positions=None if as_lines else numbers,
        judges=judges,
        documents=[document or None for document in documents],
        first_segment=first_segment,
        format=f"{LABEL}, {chosen}" if chosen else LABEL,
        numbering=counting,
        set_aside=SetAside.tally(others, origin),
        notes=[CANARY] if counting == "line" else ["the segment numbers are no lines: one stands in two documents"],
        limits=limits,
    )


def _ratings(content: str, origin: str) -> _Ratings:
    """All ratings, by columns: what is said of a million cells at once costs a fraction of what each costs alone.

    Raises:
        FormatError: of the first line that is at fault, whether it is no such object or a cell of it is wrong.
    """
    columns: tuple[list[object], ...] = ([], [], [], [], [], [], [])
    rows: list[_Row] = []
    fault: FormatError | None = None
    try:
        for row in _rows(content, origin):
            rows.append(row)
            if len(rows) == BATCH:
                _move(rows, columns)
    except FormatError as error:  # what stands before it may be at fault, too
        fault = error
    _move(rows, columns)
    lines = cast("list[int]", columns[0])
    pairs, documents, numbers, systems, judges, cells = (_texts(column, lines, origin) for column in columns[1:])
    unnamed = systems.index("") if "" in systems else None
    values = scores(cells[:unnamed], lines[:unnamed], origin)
    if unnamed is not None:
        raise FormatError(f"{origin}, line {lines[unnamed]}: no system, a name expected")
    if fault:
        raise fault
    return _Ratings(lines, pairs, documents, numbers, systems, judges, values)


def _move(rows: list[_Row], columns: Sequence[list[object]]) -> None:
    """Move the cells of the rows to the ends of the columns."""
    for column, cells in zip(columns, zip(*rows, strict=True), strict=False):  # of no row there are no cells
        column.extend(cells)
    rows.clear()


def _rows(content: str, origin: str) -> Iterator[_Row]:
    """The ratings of every line, which is parsed where it stands: lines of their own would be all text once more."""
    decode = json.JSONDecoder().raw_decode
    start = number = 0
    while start < len(content):
        number += 1
        newline = content.find("\n", start)
        following = newline + 1 if newline >= 0 else len(content)
        end = newline - content.startswith("\r\n", newline - 1) if newline >= 0 else following
        try:
            # Elsewhere than in a line of its own the decoder passes over no white space, and may go on beyond the line.
            found, stop = decode(content, start) if content.startswith("{", start) else (None, -1)
            if stop != end:
                found = cast("object", json.loads(content[start:end]))
        except (ValueError, RecursionError):
            line = content[start:end]
            raise FormatError(f"{origin}, line {number}: {line[:40]!r} found, a JSON object expected") from None
        keys = cast("Mapping[str, object]", found if isinstance(found, dict) else {})
        if keys.keys() >= JUDGMENT:
            yield (
                number,
                keys.get("langs"),
                keys.get("doc_id"),
                keys["line_id"],
                keys["system"],
                keys.get("annotator"),
                keys["esa_score"],
            )
        elif keys.keys() >= SEGMENT and isinstance(keys["scores"], dict):
            yield from _of_segment(keys, cast("Mapping[str, object]", keys["scores"]), number, origin)
        else:
            line = content[start:end]
            raise FormatError(
                f"{origin}, line {number}: {line[:40]!r} found, an object with system, line_id and esa_score, "
                "or with doc_id and scores, expected"
            )
        start = following


def _of_segment(found: Mapping[str, object], scores: Mapping[str, object], number: int, origin: str) -> Iterator[_Row]:
    """The ratings of a segment: of every system those of every judge."""
    place = f"{origin}, line {number}"
    item = _text(found["doc_id"], place)
    parts = item.split(SEPARATOR)
    if len(parts) < 3:  # noqa: PLR2004 # language pair, document, line
        raise FormatError(f"{place}: doc_id {item!r} found, PAIR_#_..._#_DOCUMENT_#_LINE expected")
    pair, document, last = parts[0], SEPARATOR.join(parts[1:-1]), parts[-1].strip()
    for system, ratings in scores.items():
        for rating in cast("list[object]", ratings if isinstance(ratings, list) else [ratings]):
            if not isinstance(rating, dict) or "score" not in rating:
                raise FormatError(f"{place}: a rating of {system} without a score found, an object with one expected")
            given = cast("Mapping[str, object]", rating)
            yield (number, pair, document, last, system, given.get("annotator"), given["score"])


def _texts(values: Sequence[object], lines: Sequence[int], origin: str) -> list[str]:
    """JSON's values as cells."""
    try:
        return list(map(str.strip, cast("Sequence[str]", values)))
    except TypeError:  # not all are texts
        return [_text(value, f"{origin}, line {line}") for value, line in zip(values, lines, strict=True)]


def _text(value: object, place: str) -> str:
    """A JSON value as a cell; null is an empty one.

    Raises:
        FormatError: it is a list or an object.
    """
    if isinstance(value, (list, dict)):
        kind = "a list" if isinstance(value, list) else "an object"
        raise FormatError(f"{place}: {kind} found as a name or number, text or a number expected")
    return "" if value is None else str(value).strip()


def _sniff(source: Source) -> float:
    return 0.8 if is_esa(source.first_line) else 0


def _read(source: Source, options: Options) -> Contents:
    pair, first = options.pair, options.first_segment
    return of_judgments(
        read_esa(source.text, source.name, pair=pair, first_segment=first, limits=source.limits), source
    )


FORMAT = Format(
    key="esa",
    label=LABEL,
    description="ESA annotations (JSON lines)",
    roles=("judgments",),
    sniff=_sniff,
    read=_read,
    endings=(".jsonl",),
    pairs=True,
)
