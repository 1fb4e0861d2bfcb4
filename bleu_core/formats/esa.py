"""Error span annotation in JSONL as published by WMT24 and WMT25: one object per judgment, or one per segment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import compress
from typing import cast

from bleu_core.dataset import Numbering, check_characters
from bleu_core.errors import FormatError
from bleu_core.formats.cells import parse_name, parse_score, parse_whole_number, required_name
from bleu_core.formats.contents import Contents, judgment_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.document_ids import parse_segment_id, select_pair
from bleu_core.formats.error_spans import Rating, appraise_errors, columns_of, judgments_of
from bleu_core.formats.json_objects import as_mapping, first_object, iter_objects, text_or_none, wrong_object
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text

LABEL = "ESA (JSONL)"
#: The keys of a judgment.
JUDGMENT_KEYS = frozenset({"system", "line_id"})
#: Keys of which a judgment has at least one; without a score it is a row without a rating.
ESA_KEYS = frozenset({"esa_score", "esa_spans"})
#: The keys of the judge, the score and the errors in a judgment.
RATING_KEYS = ("annotator", "esa_score", "esa_spans")
#: The keys of a segment with its ratings.
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
EXPLANATIONS: Mapping[Numbering, str] = {"line": CANARY, "document": NO_LINES, "item": NO_LINES}


def _sniff(source: Source) -> float:
    record = first_object(source.first_line)
    return 0.8 if _is_judgment(record) or record.keys() >= SEGMENT_KEYS else 0


def _is_judgment(record: Mapping[str, object]) -> bool:
    return record.keys() >= JUDGMENT_KEYS and not ESA_KEYS.isdisjoint(record)


def _ratings(text: Text, origin: str) -> Iterator[Rating]:
    """Yield the ratings of every line.

    Raises:
        FormatError: a line is not such an object, or one of its values is wrong.
    """
    for line, place, record in iter_objects(text, origin, EXPECTED):
        if _is_judgment(record):
            yield _rating(record, line, place)
        elif record.keys() >= SEGMENT_KEYS and isinstance(record["scores"], dict):
            for judgment in _judgments(record, cast("Mapping[str, object]", record["scores"]), place):
                yield _rating(judgment, line, place)
        else:
            raise wrong_object(place, record, EXPECTED)


def _rating(judgment: Mapping[str, object], line: int, place: str) -> Rating:
    translation = judgment.get("tgt")
    return Rating(
        line=line,
        pair=parse_name(judgment.get("langs"), place),
        document=parse_name(judgment.get("doc_id"), place),
        number=parse_whole_number(judgment["line_id"], place),
        system=required_name(judgment["system"], place),
        judge=parse_name(judgment.get("annotator"), place),
        score=parse_score(judgment.get("esa_score"), place),
        errors=appraise_errors(judgment.get("esa_spans"), translation, line),
        source=text_or_none(judgment.get("src")),
        translation=text_or_none(translation),
    )


def _judgments(
    segment: Mapping[str, object], annotations: Mapping[str, object], place: str
) -> Iterator[Mapping[str, object]]:
    """Yield the objects of judgments in that of a segment, by all judges of all systems."""
    item = parse_name(segment["doc_id"], place)
    parts = parse_segment_id(item)
    if parts is None:
        raise FormatError(f"{place}: doc_id {item!r} found, PAIR_#_..._#_DOCUMENT_#_LINE expected")
    shared = {**dict(zip(("langs", "doc_id", "line_id"), parts, strict=True)), "src": segment.get("src_text")}
    texts = as_mapping(segment.get("tgt_text")) or {}
    for system, values in annotations.items():
        for value in cast("list[object]", values if isinstance(values, list) else [values]):
            annotation = as_mapping(value) or {}
            rounds = [key[1] for key in map(ROUND.fullmatch, annotation) if key is not None]
            keys = [("annotator", "score", "errors")]
            if "score" not in annotation and rounds:
                keys = [(f"annotator{n}", f"human{n}", f"errors{n}") for n in rounds]
            elif annotation.keys().isdisjoint(keys[0][:2]):
                raise FormatError(f"{place}: rating of {system} without a score found, an object with one expected")
            for own_keys in keys:
                own = dict(zip(RATING_KEYS, map(annotation.get, own_keys), strict=True))
                yield {**shared, "system": system, "tgt": texts.get(system), **own}


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
    columns = columns_of(_ratings(source.text, origin))
    lines, pairs_of_lines = columns["line"], columns["pair"]
    pairs = tuple(dict.fromkeys(pairs_of_lines))
    check_characters(pairs, pairs_of_lines, lines, origin)
    selected = select_pair(origin, pairs, next(iter(pairs), None) if pair is None else pair)
    others = [
        (f"another language pair, {own}", line)
        for own, line in zip(pairs_of_lines, lines, strict=True)
        if own != selected
    ]
    is_selected = [own == selected for own in pairs_of_lines]
    judgments = judgments_of(
        {name: list(compress(column, is_selected)) for name, column in columns.items()},
        origin,
        LABEL,
        pair=selected,
        first_segment=options.first_segment,
        explanations=EXPLANATIONS,
        unused_rows=others,
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
