"""Segment scores as `comet-score --to_json` writes them: for each system's file, one object per segment.

Models such as xCOMET also predict error spans, which are in the key `errors` of segments with errors. Their start and
exclusive end are offsets of the tokeniser, which count Unicode code points (decode in unified_metric.py).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from bleu_core.errors import FormatError
from bleu_core.formats.cells import parse_scores
from bleu_core.formats.contents import Contents, score_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.error_spans import marked_error
from bleu_core.formats.json_objects import as_mapping, list_at, parse_json, text_or_none
from bleu_core.formats.score_tables import system_of_path, tables_of
from bleu_core.formats.source import Source
from bleu_core.formats.text import HEAD_CHARS

LABEL = "scores of comet-score (JSON)"
#: The key of a segment's score, for all models.
SCORE = "COMET"
#: The keys of the texts that every segment has.
TEXT_KEYS = frozenset({"src", "mt"})
#: Keys of a segment's error spans.
ERROR_KEYS = ("errors", "error_spans")
#: The beginning of a file: an object of systems, or in early versions the segments of a single system.
BEGIN = re.compile(r'\s*+(?:\{\s*+"(?:[^"\\]|\\.)*+"\s*+:\s*+)?+\[\s*+\{\s*+"(?:src|mt)"\s*+:')


class _Segment:
    """What replaces a segment's object during parsing, so that other texts need not stay in memory."""

    __slots__ = ("errors", "score", "text")

    def __init__(self, item: Mapping[str, object]) -> None:
        self.score = item.get(SCORE)
        spans = next((item[key] for key in ERROR_KEYS if key in item), None)
        self.text = text_or_none(item.get("mt")) or ""
        self.errors = tuple(
            marked_error(as_mapping(span) or {}, text=self.text or None)
            for span in cast("list[object]", spans if isinstance(spans, list) else [])
        )


def _reduced(item: dict[str, object]) -> object:
    return _Segment(item) if SCORE in item or item.keys() >= TEXT_KEYS else item


def _segments(items: object, name: str, source: Source) -> list[_Segment]:
    """Return the segments of a system."""
    segments = list_at(source.name, items, f"value of {name}")
    source.limits.check("lines", len(segments), f"{source.name}, segments of {name}")
    for place, item in enumerate(segments, start=1):
        if not isinstance(item, _Segment):
            raise FormatError(f"{source.name}: segment {place:,} of {name} without {SCORE} found, a score expected")
    return cast("list[_Segment]", segments)


def _scores(segments: Sequence[_Segment], place: str) -> list[float]:
    numbers = range(1, len(segments) + 1)
    return parse_scores([segment.score for segment in segments], numbers, place, unit="segment").tolist()


def _sniff(source: Source) -> float:
    head = source.text.beginning[:HEAD_CHARS]
    return 0.9 if BEGIN.match(head) and ('"mt"' in head or f'"{SCORE}"' in head) else 0


def _read(source: Source, options: Options) -> Contents:
    """Read segment scores in the order of the texts, and error spans; each system is named after its file.

    If a segment has error spans, all scored segments are annotated, since the program leaves out empty lists.

    Raises:
        FormatError: the file is not such JSON, a score is not a number, systems differ in their number of segments, or
            there is no score.
        LimitError: there are too many systems or segments.
    """
    origin = source.name
    value = parse_json(source.text.content, origin, source.limits, _reduced)
    is_single = isinstance(value, list)
    systems = {source.stem: cast("object", value)} if is_single else as_mapping(value)
    if not systems:
        raise FormatError(f"{origin}: no system found, an object with a list of segments for each system expected")
    paths: dict[str, str] = {}
    segments: dict[str, list[_Segment]] = {}
    for path, items in systems.items():
        name = path if is_single else system_of_path(path, paths, origin)
        segments[name] = _segments(items, name, source)
    scores = {name: _scores(own, f"{origin}, {name}") for name, own in segments.items()}
    (table,) = tables_of({options.own.get("metric") or SCORE: scores}, origin, source.limits, of_segments=True)
    table = replace(table, texts=tuple(tuple(segment.text for segment in own) for own in segments.values()))
    marked = tuple(
        tuple(
            None if math.isnan(score) else segment.errors
            for segment, score in zip(segments[name], scores[name], strict=True)
        )
        for name in segments
    )
    table = replace(table, errors=marked) if any(map(any, marked)) else table
    return score_contents([table], source, LABEL, options.lower_is_better)


FORMAT = Format(
    key="comet",
    label=LABEL,
    description="segment scores that comet-score writes as JSON",
    roles=("scores",),
    sniff=_sniff,
    read=_read,
    endings=(".json",),
    own={"metric": "Metric"},
    json=True,
)
