"""Error span annotation in JSONL as published by WMT24 and WMT25: one object per judgment, or one per segment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import cast

from bleu_core.dataset import check_characters
from bleu_core.errors import FormatError
from bleu_core.formats.cells import detect_numbering, parse_score, parse_whole_numbers
from bleu_core.formats.contents import Contents, judgment_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.document_ids import parse_segment_id, select_pair
from bleu_core.formats.error_spans import Rating, appraise_errors, judgments_of, text_or_none
from bleu_core.formats.json_objects import iter_objects, parse_object, wrong_object
from bleu_core.formats.score_tables import as_mapping
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text

LABEL = "ESA (JSONL)"
#: The keys of a judgment.
JUDGMENT_KEYS = frozenset({"system", "line_id"})
#: Keys of which a judgment has at least one; without a score it is a row without a rating.
ESA_KEYS = frozenset({"esa_score", "esa_spans"})
#: The names and numbers in a judgment.
CELLS = ("langs", "doc_id", "line_id", "system", "annotator", "esa_score")
SEGMENT_KEYS = frozenset({"doc_id", "scores"})
#: The most bytes of memory that an object takes as a marked error; all errors are kept.
BYTES_OF_OBJECT = 150
#: The score of an annotation round, in early versions of WMT25's file; its judge is annotator1.
ROUND = re.compile(r"human(\d{0,3})")
EXPECTED = "an object with system, line_id and esa_score, or with doc_id and scores,"
CANARY = (
    "line_id counts from 0 in texts whose first line is the canary string, so from 1 without that line; "
    "if your texts still have it, set the first segment to 0"
)
NO_LINES = "the segment numbers are not lines of the texts: one occurs in two documents"


def is_esa(first_line: str) -> bool:
    """Return whether the first line of a file is an object of one of the two kinds."""
    record = parse_object(first_line) if first_line.lstrip().startswith("{") else None
    return record is not None and (_is_judgment(record) or record.keys() >= SEGMENT_KEYS)


def _is_judgment(record: Mapping[str, object]) -> bool:
    return record.keys() >= JUDGMENT_KEYS and not ESA_KEYS.isdisjoint(record)


def _ratings(text: Text, origin: str) -> Iterator[Rating]:
    """Yield the ratings of every line.

    Raises:
        FormatError: a line is not such an object, or one of its values is wrong.
    """
    for number, place, record in iter_objects(text, origin, EXPECTED):
        if _is_judgment(record):
            pair, document, cell, system, judge, score = [_text(record.get(key), place) for key in CELLS]
            text_of = record.get("tgt")
            yield Rating(
                line=number,
                pair=pair,
                document=document,
                number=parse_whole_numbers([cell], [number], origin)[0],
                system=_named(system, place),
                judge=judge,
                score=parse_score(score, number, origin),
                errors=appraise_errors(record.get("esa_spans"), text_of, number),
                source=text_or_none(record.get("src")),
                translation=text_or_none(text_of),
            )
        elif record.keys() >= SEGMENT_KEYS and isinstance(record["scores"], dict):
            yield from _ratings_of_segment(record, cast("Mapping[str, object]", record["scores"]), number, origin)
        else:
            raise wrong_object(place, record, EXPECTED)


def _ratings_of_segment(
    record: Mapping[str, object], ratings_of_systems: Mapping[str, object], number: int, origin: str
) -> Iterator[Rating]:
    """Yield the ratings of a segment, by all judges of all systems."""
    place = f"{origin}, line {number}"
    item = _text(record["doc_id"], place)
    segment = parse_segment_id(item)
    if segment is None:
        raise FormatError(f"{place}: doc_id {item!r} found, PAIR_#_..._#_DOCUMENT_#_LINE expected")
    texts = as_mapping(record.get("tgt_text")) or {}
    for system, ratings in ratings_of_systems.items():
        for rating in cast("list[object]", ratings if isinstance(ratings, list) else [ratings]):
            annotation = as_mapping(rating) or {}
            rounds = [key[1] for key in map(ROUND.fullmatch, annotation) if key is not None]
            keys = [("annotator", "score", "errors")]
            if "score" not in annotation and rounds:
                keys = [(f"annotator{n}", f"human{n}", f"errors{n}") for n in rounds]
            elif not annotation.keys() & {"score", "annotator"}:
                raise FormatError(f"{place}: rating of {system} without a score found, an object with one expected")
            for judge, score, errors in keys:
                yield Rating(
                    line=number,
                    pair=segment[0],
                    document=segment[1],
                    number=segment[2],
                    system=_named(system.strip(), place),
                    judge=_text(annotation.get(judge), place),
                    score=parse_score(_text(annotation.get(score), place), number, origin),
                    errors=appraise_errors(annotation.get(errors), texts.get(system), number),
                    source=text_or_none(record.get("src_text")),
                    translation=text_or_none(texts.get(system)),
                )


def _named(system: str, place: str) -> str:
    if not system:
        raise FormatError(f"{place}: no system found, a name expected")
    return system


def _text(value: object, place: str) -> str:
    """Convert a JSON value to a cell; null is an empty cell.

    Raises:
        FormatError: it is a list or an object.
    """
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, (list, dict)):
        kind = "a list" if isinstance(value, list) else "an object"
        raise FormatError(f"{place}: {kind} found, text or a number expected")
    return "" if value is None else str(value)


def _sniff(source: Source) -> float:
    return 0.8 if is_esa(source.first_line) else 0


def _read(source: Source, options: Options) -> Contents:
    """Read ratings of one language pair, the first by default; those of other pairs are unused rows.

    The segment is line_id in objects of judgments, and the number at the end of doc_id in objects of segments. WMT24
    counts lines from 0 in texts that begin with a canary line, so that the numbers count from 1 without that line.

    A score that is null or NaN is missing. If an object has a key twice, the last one counts, as in most readers of
    JSON. Names may be numbers, but not lists or objects.

    Raises:
        FormatError: a line is not such an object, a score or segment is not a number, a name holds a lone surrogate, or
            the pair has no rating.
        LimitError: there are too many systems, judges or errors.
    """
    origin, pair = source.name, options.pair
    source.limits.check("json_memory", BYTES_OF_OBJECT * source.text.content.count("{"), origin)
    ratings = list(_ratings(source.text, origin))
    pairs = tuple(dict.fromkeys(rating.pair for rating in ratings))
    check_characters(pairs, [rating.pair for rating in ratings], [rating.line for rating in ratings], origin)
    selected = select_pair(origin, pairs, next(iter(pairs), None) if pair is None else pair)
    others = [(f"another language pair, {rating.pair}", rating.line) for rating in ratings if rating.pair != selected]
    ratings = [rating for rating in ratings if rating.pair == selected]
    numbering = detect_numbering(
        [rating.number for rating in ratings],
        [rating.document for rating in ratings],
        [rating.judge for rating in ratings],
    )
    judgments = judgments_of(
        ratings,
        origin,
        numbering=numbering,
        first_segment=options.first_segment,
        unused_rows=others,
        format=f"{LABEL}, {selected}" if selected else LABEL,
        notes=[CANARY if numbering == "line" else NO_LINES],
        limits=source.limits,
    )
    return judgment_contents(judgments, source)


def _list_pairs(source: Source) -> tuple[str, ...]:
    return tuple(dict.fromkeys(rating.pair for rating in _ratings(source.text, source.name) if rating.pair))


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
