"""Error span annotation in JSONL as WMT24 and WMT25 published it: one object per judgment, or one per segment."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from bleu_core.dataset import Judgments, SetAside, check_characters
from bleu_core.errors import FormatError, listed
from bleu_core.formats.cells import detect_numbering, parse_scores, parse_whole_numbers, renumber_from_1
from bleu_core.formats.contents import Contents, judgment_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text
from bleu_core.limits import DEFAULT_LIMITS, Limits

LABEL = "ESA (JSONL)"
#: The keys of a judgment, which has one of the others, too; without a score it is a row without a rating.
JUDGMENT_KEYS = frozenset({"system", "line_id"})
ESA_KEYS = frozenset({"esa_score", "esa_spans"})
SEGMENT_KEYS = frozenset({"doc_id", "scores"})
SEPARATOR = "_#_"
#: The score of a round of annotations, in the first versions of WMT25's file; its annotator is annotator1.
ROUND = re.compile(r"human(\d{0,3})")
#: The most ratings that are rows at the same time: every 700 new objects start Python's garbage collector, which looks
#: through all columns.
BATCH = 2**8
CANARY = (
    "line_id counts from 0 in texts whose first line is the canary string, so from 1 without that line; "
    "if your texts still have it, set the first segment to 0"
)


#: The file's line of a rating, and JSON's values: language pair, document, segment, system, judge, score.
_Row = tuple[int, object, object, object, object, object, object]


class _Ratings(NamedTuple):
    """Ratings of all language pairs by columns, with one entry per rating in each."""

    lines: Sequence[int]
    pairs: Sequence[str]
    documents: Sequence[str]
    numbers: Sequence[str]
    systems: Sequence[str]
    judges: Sequence[str]
    scores: NDArray[np.float64]


def is_esa(first_line: str) -> bool:
    """Return whether a file's first line is an object of one of the two kinds."""
    if not first_line.lstrip().startswith("{"):
        return False
    try:
        found = json.loads(first_line)
    except (ValueError, RecursionError):
        return False
    keys = cast("Mapping[str, object]", found if isinstance(found, dict) else {})
    return _is_judgment(keys) or keys.keys() >= SEGMENT_KEYS


def _is_judgment(found: Mapping[str, object]) -> bool:
    return found.keys() >= JUDGMENT_KEYS and not ESA_KEYS.isdisjoint(found)


def read_esa(
    text: Text, origin: str, *, pair: str | None = None, first_segment: int = 1, limits: Limits = DEFAULT_LIMITS
) -> Judgments:
    """Read ratings of one language pair; those of all others are not used.

    In objects of judgments line_id is the segment, in objects of segments the number at the end of doc_id. WMT24 counts
    lines from 0 in texts that begin with a canary line, so that its numbers count from 1 without that line.

    A score that is null or NaN is missing. If an object has a key twice, the last one counts, as in most readers of
    JSON. Names may be numbers, but not lists or objects.

    Args:
        text: the file's text.
        origin: the file, for messages.
        pair: the language pair as written in the file; its first when None.
        first_segment: the number the file gives the first segment, 1 or 0.
        limits: the limits for the file.

    Raises:
        FormatError: a line is not such an object, a score or segment is not a number, a name holds a lone surrogate, or
            the pair has no rating.
        LimitError: there are too many systems or judges.
    """
    found = _ratings(text.content, origin)
    pairs = tuple(dict.fromkeys(found.pairs))
    check_characters(pairs, found.pairs, found.lines, origin)
    chosen = pairs[0] if pair is None and pairs else pair
    if pairs and chosen not in pairs:
        raise FormatError(f"{origin}: no rating of the language pair {pair}; choose one of {listed(pairs)}")
    of_pair = [name == chosen for name in found.pairs]
    others = [(f"another language pair, {p}", n) for p, n in zip(found.pairs, found.lines, strict=True) if p != chosen]
    places = list(compress(found.lines, of_pair))
    numbers = parse_whole_numbers(list(compress(found.numbers, of_pair)), places, origin)
    documents = list(compress(found.documents, of_pair))
    judges = list(compress(found.judges, of_pair))
    counting = detect_numbering(numbers, documents, judges)
    as_lines = renumber_from_1(numbers, places, origin, first_segment) if counting == "line" else None
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
        notes=[CANARY]
        if counting == "line"
        else ["the segment numbers are not lines of the texts: one occurs in two documents"],
        limits=limits,
    )


def _ratings(content: str, origin: str) -> _Ratings:
    """Return all ratings, by columns, which are checked as a whole because that takes a fraction of the time.

    Raises:
        FormatError: for the first faulty line, whether it is not such an object or one of its cells is wrong.
    """
    columns: tuple[list[object], ...] = ([], [], [], [], [], [], [])
    rows: list[_Row] = []
    fault: FormatError | None = None
    try:
        for row in _rows(content, origin):
            rows.append(row)
            if len(rows) == BATCH:
                _move(rows, columns)
    except FormatError as error:  # a row before it may be faulty too
        fault = error
    _move(rows, columns)
    lines = cast("list[int]", columns[0])
    pairs, documents, numbers, systems, judges, cells = (_texts(column, lines, origin) for column in columns[1:])
    unnamed = systems.index("") if "" in systems else None
    values = parse_scores(cells[:unnamed], lines[:unnamed], origin)
    if unnamed is not None:
        raise FormatError(f"{origin}, line {lines[unnamed]}: no system found, a name expected")
    if fault:
        raise fault
    return _Ratings(
        lines=lines, pairs=pairs, documents=documents, numbers=numbers, systems=systems, judges=judges, scores=values
    )


def _move(rows: list[_Row], columns: Sequence[list[object]]) -> None:
    """Move the cells of the rows to the ends of the columns."""
    for column, cells in zip(columns, zip(*rows, strict=True), strict=False):  # without rows there are no cells
        column.extend(cells)
    rows.clear()


def _rows(content: str, origin: str) -> Iterator[_Row]:
    """Return the ratings of every line, parsed in place: separate lines would be a copy of the whole text."""
    decode = json.JSONDecoder().raw_decode
    start = number = 0
    while start < len(content):
        number += 1
        newline = content.find("\n", start)
        following = newline + 1 if newline >= 0 else len(content)
        end = newline - content.startswith("\r\n", newline - 1) if newline >= 0 else following
        try:
            # In place, the decoder does not skip white space and may continue beyond the line.
            if content.startswith(("\n", "\r\n"), start) or not content[start:end].strip():
                start = following
                continue
            found, stop = decode(content, start) if content.startswith("{", start) else (None, -1)
            if stop != end:
                found = cast("object", json.loads(content[start:end]))
        except (ValueError, RecursionError):
            line = content[start:end]
            raise FormatError(f"{origin}, line {number}: {line[:40]!r} found, a JSON object expected") from None
        keys = cast("Mapping[str, object]", found if isinstance(found, dict) else {})
        if _is_judgment(keys):
            yield (
                number,
                keys.get("langs"),
                keys.get("doc_id"),
                keys["line_id"],
                keys["system"],
                keys.get("annotator"),
                keys.get("esa_score"),
            )
        elif keys.keys() >= SEGMENT_KEYS and isinstance(keys["scores"], dict):
            yield from _of_segment(keys, cast("Mapping[str, object]", keys["scores"]), number, origin)
        else:
            line = content[start:end]
            raise FormatError(
                f"{origin}, line {number}: {line[:40]!r} found, an object with system, line_id and esa_score, "
                "or with doc_id and scores, expected"
            )
        start = following


def _of_segment(
    found: Mapping[str, object], ratings_of_systems: Mapping[str, object], number: int, origin: str
) -> Iterator[_Row]:
    """Return the ratings of a segment, by all judges of all systems."""
    place = f"{origin}, line {number}"
    item = _text(found["doc_id"], place)
    parts = item.split(SEPARATOR)
    if len(parts) < 3:  # noqa: PLR2004 # language pair, document, line
        raise FormatError(f"{place}: doc_id {item!r} found, PAIR_#_..._#_DOCUMENT_#_LINE expected")
    pair, document, last = parts[0], SEPARATOR.join(parts[1:-1]), parts[-1].strip()
    for system, ratings in ratings_of_systems.items():
        for rating in cast("list[object]", ratings if isinstance(ratings, list) else [ratings]):
            given = cast("Mapping[str, object]", rating if isinstance(rating, dict) else {})
            rounds = [key[1] for key in map(ROUND.fullmatch, given) if key is not None]
            if "score" in given:
                yield (number, pair, document, last, system, given.get("annotator"), given["score"])
            elif not rounds and "annotator" in given:
                yield (number, pair, document, last, system, given["annotator"], None)
            elif not rounds:
                raise FormatError(f"{place}: rating of {system} without a score found, an object with one expected")
            else:
                for each in rounds:
                    yield (number, pair, document, last, system, given.get(f"annotator{each}"), given[f"human{each}"])


def _texts(values: Sequence[object], lines: Sequence[int], origin: str) -> list[str]:
    """JSON values as cells."""
    try:
        return list(map(str.strip, cast("Sequence[str]", values)))
    except TypeError:  # not all are texts
        return [_text(value, f"{origin}, line {line}") for value, line in zip(values, lines, strict=True)]


def _text(value: object, place: str) -> str:
    """Return a JSON value as a cell; null is an empty one.

    Raises:
        FormatError: it is a list or an object.
    """
    if isinstance(value, (list, dict)):
        kind = "a list" if isinstance(value, list) else "an object"
        raise FormatError(f"{place}: {kind} found, text or a number expected")
    return "" if value is None else str(value).strip()


def _sniff(source: Source) -> float:
    return 0.8 if is_esa(source.first_line) else 0


def _read(source: Source, options: Options) -> Contents:
    pair, first = options.pair, options.first_segment
    return judgment_contents(
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
    json=True,
)
