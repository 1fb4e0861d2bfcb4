"""Error span annotation in JSONL as published by WMT24 and WMT25: one object per judgment, or one per segment."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from bleu_core.dataset import Errors, Judgments, UnusedRows, check_characters
from bleu_core.errors import FormatError, listed
from bleu_core.formats.cells import detect_numbering, parse_scores, parse_whole_numbers, renumber_from_1
from bleu_core.formats.contents import Contents, judgment_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.error_spans import appraise_errors, text_or_none
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text
from bleu_core.limits import DEFAULT_LIMITS, Limits

LABEL = "ESA (JSONL)"
#: The keys of a judgment.
JUDGMENT_KEYS = frozenset({"system", "line_id"})
#: Keys of which a judgment has at least one; without a score it is a row without a rating.
ESA_KEYS = frozenset({"esa_score", "esa_spans"})
SEGMENT_KEYS = frozenset({"doc_id", "scores"})
SEPARATOR = "_#_"
#: The most bytes of memory that an object takes as a marked error; all errors are kept.
BYTES_OF_OBJECT = 150
#: The score of an annotation round, in early versions of WMT25's file; its judge is annotator1.
ROUND = re.compile(r"human(\d{0,3})")
#: The most ratings that are kept as rows: creating 700 objects starts the garbage collector, which searches all
#: columns.
BATCH = 2**8
CANARY = (
    "line_id counts from 0 in texts whose first line is the canary string, so from 1 without that line; "
    "if your texts still have it, set the first segment to 0"
)


#: A rating: the line of the file, the JSON values of language pair, document, segment, system, judge and score, the
#: marked errors, and the source and the translation, None if the file does not have them.
_Row = tuple[int, object, object, object, object, object, object, Errors | None, str | None, str | None]


class _Ratings(NamedTuple):
    """Ratings of all language pairs, by column; each column has one entry per rating."""

    lines: Sequence[int]
    pairs: Sequence[str]
    documents: Sequence[str]
    numbers: Sequence[str]
    systems: Sequence[str]
    judges: Sequence[str]
    scores: NDArray[np.float64]
    errors: Sequence[Errors | None]
    sources: Sequence[str | None]
    translations: Sequence[str | None]


def is_esa(first_line: str) -> bool:
    """Return whether the first line of a file is an object of one of the two kinds."""
    if not first_line.lstrip().startswith("{"):
        return False
    try:
        value = json.loads(first_line)
    except (ValueError, RecursionError):
        return False
    record = cast("Mapping[str, object]", value if isinstance(value, dict) else {})
    return _is_judgment(record) or record.keys() >= SEGMENT_KEYS


def _is_judgment(record: Mapping[str, object]) -> bool:
    return record.keys() >= JUDGMENT_KEYS and not ESA_KEYS.isdisjoint(record)


def read_esa(
    text: Text, origin: str, *, pair: str | None = None, first_segment: int = 1, limits: Limits = DEFAULT_LIMITS
) -> Judgments:
    """Read ratings of one language pair; those of other pairs are unused rows.

    The segment is line_id in objects of judgments, and the number at the end of doc_id in objects of segments. WMT24
    counts lines from 0 in texts that begin with a canary line, so that the numbers count from 1 without that line.

    A score that is null or NaN is missing. If an object has a key twice, the last one counts, as in most readers of
    JSON. Names may be numbers, but not lists or objects.

    Args:
        text: the file's text.
        origin: the file, for messages.
        pair: the language pair as written in the file; None reads the first.
        first_segment: the number the file gives the first segment, 1 or 0.
        limits: the limits for the file.

    Raises:
        FormatError: a line is not such an object, a score or segment is not a number, a name holds a lone surrogate, or
            the pair has no rating.
        LimitError: there are too many systems, judges or errors.
    """
    limits.check("json_memory", BYTES_OF_OBJECT * text.content.count("{"), origin)
    ratings = _ratings(text.content, origin)
    pairs = tuple(dict.fromkeys(ratings.pairs))
    check_characters(pairs, ratings.pairs, ratings.lines, origin)
    selected = pairs[0] if pair is None and pairs else pair
    if pairs and selected not in pairs:
        raise FormatError(f"{origin}: no rating of the language pair {pair}; choose one of {listed(pairs)}")
    in_pair = [name == selected for name in ratings.pairs]
    unused_rows = [
        (f"another language pair, {p}", n) for p, n in zip(ratings.pairs, ratings.lines, strict=True) if p != selected
    ]
    lines_in_pair = list(compress(ratings.lines, in_pair))
    numbers = parse_whole_numbers(list(compress(ratings.numbers, in_pair)), lines_in_pair, origin)
    documents = list(compress(ratings.documents, in_pair))
    judges = list(compress(ratings.judges, in_pair))
    detected_numbering = detect_numbering(numbers, documents, judges)
    line_numbers = (
        renumber_from_1(numbers, lines_in_pair, origin, first_segment) if detected_numbering == "line" else None
    )
    return Judgments.from_ratings(
        list(compress(ratings.systems, in_pair)),
        ratings.scores[np.array(in_pair, bool)],
        lines_in_pair,
        origin,
        segments=line_numbers,
        positions=None if line_numbers else numbers,
        judges=judges,
        documents=[document or None for document in documents],
        errors=list(compress(ratings.errors, in_pair)),
        sources=list(compress(ratings.sources, in_pair)),
        translations=list(compress(ratings.translations, in_pair)),
        first_segment=first_segment,
        format=f"{LABEL}, {selected}" if selected else LABEL,
        numbering=detected_numbering,
        unused_rows=UnusedRows.tally(unused_rows, origin),
        notes=[CANARY]
        if detected_numbering == "line"
        else ["the segment numbers are not lines of the texts: one occurs in two documents"],
        limits=limits,
    )


def _ratings(content: str, origin: str) -> _Ratings:
    """Return all ratings by column; checking whole columns takes a fraction of the time.

    Raises:
        FormatError: a line is not such an object or a cell is wrong; the message names the first faulty line.
    """
    columns: tuple[list[object], ...] = ([], [], [], [], [], [], [], [], [], [])
    rows: list[_Row] = []
    fault: FormatError | None = None
    try:
        for row in _rows(content, origin):
            rows.append(row)
            if len(rows) == BATCH:
                _move(rows, columns)
    except FormatError as error:  # an earlier row may be faulty, too
        fault = error
    _move(rows, columns)
    lines = cast("list[int]", columns[0])
    pairs, documents, numbers, systems, judges, cells = (_texts(column, lines, origin) for column in columns[1:7])
    unnamed = systems.index("") if "" in systems else None
    values = parse_scores(cells[:unnamed], lines[:unnamed], origin)
    if unnamed is not None:
        raise FormatError(f"{origin}, line {lines[unnamed]}: no system found, a name expected")
    if fault:
        raise fault
    return _Ratings(
        lines=lines,
        pairs=pairs,
        documents=documents,
        numbers=numbers,
        systems=systems,
        judges=judges,
        scores=values,
        errors=cast("list[Errors | None]", columns[7]),
        sources=cast("list[str | None]", columns[8]),
        translations=cast("list[str | None]", columns[9]),
    )


def _move(rows: list[_Row], columns: Sequence[list[object]]) -> None:
    """Move the cells of the rows to the columns."""
    for column, cells in zip(columns, zip(*rows, strict=True), strict=False):  # there are no cells without rows
        column.extend(cells)
    rows.clear()


def _rows(content: str, origin: str) -> Iterator[_Row]:
    """Yield the ratings of every line, one line at a time: all of them would copy the whole text."""
    start = number = 0
    while start < len(content):
        number += 1
        newline = content.find("\n", start)
        following = newline + 1 if newline >= 0 else len(content)
        line = content[start:following].rstrip("\n").removesuffix("\r")
        start = following
        if not line.strip():
            continue
        try:
            value: object = json.loads(line)
        except (ValueError, RecursionError):
            raise FormatError(f"{origin}, line {number}: {line[:40]!r} found, a JSON object expected") from None
        record = cast("Mapping[str, object]", value if isinstance(value, dict) else {})
        if _is_judgment(record):
            yield (
                number,
                record.get("langs"),
                record.get("doc_id"),
                record["line_id"],
                record["system"],
                record.get("annotator"),
                record.get("esa_score"),
                _errors(record.get("esa_spans"), record.get("tgt"), number),
                text_or_none(record.get("src")),
                text_or_none(record.get("tgt")),
            )
        elif record.keys() >= SEGMENT_KEYS and isinstance(record["scores"], dict):
            yield from _ratings_of_segment(record, cast("Mapping[str, object]", record["scores"]), number, origin)
        else:
            raise FormatError(
                f"{origin}, line {number}: {line[:40]!r} found, an object with system, line_id and esa_score, "
                "or with doc_id and scores, expected"
            )


def _ratings_of_segment(
    record: Mapping[str, object], ratings_of_systems: Mapping[str, object], number: int, origin: str
) -> Iterator[_Row]:
    """Yield the ratings of a segment, by all judges of all systems."""
    place = f"{origin}, line {number}"
    item = _text(record["doc_id"], place)
    parts = item.split(SEPARATOR)
    if len(parts) < 3:  # noqa: PLR2004 # language pair, document, line
        raise FormatError(f"{place}: doc_id {item!r} found, PAIR_#_..._#_DOCUMENT_#_LINE expected")
    pair, document, last = parts[0], SEPARATOR.join(parts[1:-1]), parts[-1].strip()
    texts = record.get("tgt_text")
    text_of = cast("Mapping[str, object]", texts if isinstance(texts, dict) else {})
    source = text_or_none(record.get("src_text"))
    for system, ratings in ratings_of_systems.items():
        text = text_of.get(system)
        rated = source, text_or_none(text)
        for rating in cast("list[object]", ratings if isinstance(ratings, list) else [ratings]):
            annotation = cast("Mapping[str, object]", rating if isinstance(rating, dict) else {})
            rounds = [key[1] for key in map(ROUND.fullmatch, annotation) if key is not None]
            errors = _errors(annotation.get("errors"), text, number)
            if "score" in annotation:
                judge, score = annotation.get("annotator"), annotation["score"]
                yield (number, pair, document, last, system, judge, score, errors, *rated)
            elif not rounds and "annotator" in annotation:
                yield (number, pair, document, last, system, annotation["annotator"], None, errors, *rated)
            elif not rounds:
                raise FormatError(f"{place}: rating of {system} without a score found, an object with one expected")
            else:
                for round_number in rounds:
                    yield (
                        number,
                        pair,
                        document,
                        last,
                        system,
                        annotation.get(f"annotator{round_number}"),
                        annotation[f"human{round_number}"],
                        _errors(annotation.get(f"errors{round_number}"), text, number),
                        *rated,
                    )


def _errors(spans: object, text: object, number: int) -> Errors | None:
    """Return the errors of a rating; None if it has no list of them."""
    if not isinstance(spans, list):
        return None
    return appraise_errors(cast("list[object]", spans), text, number) if spans else ()


def _texts(values: Sequence[object], lines: Sequence[int], origin: str) -> list[str]:
    """Convert JSON values to cells."""
    try:
        return list(map(str.strip, cast("Sequence[str]", values)))
    except TypeError:  # not all are texts
        return [_text(value, f"{origin}, line {line}") for value, line in zip(values, lines, strict=True)]


def _text(value: object, place: str) -> str:
    """Convert a JSON value to a cell; null is an empty cell.

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


def _list_pairs(source: Source) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, _ratings(source.text.content, source.name).pairs)))


FORMAT = Format(
    key="esa",
    label=LABEL,
    description="ESA annotations (JSON lines)",
    roles=("judgments",),
    sniff=_sniff,
    read=_read,
    endings=(".jsonl",),
    pairs=True,
    list_pairs=_list_pairs,
    json=True,
)
