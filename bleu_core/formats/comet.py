"""Segment scores as `comet-score --to_json` writes them: for each system's file, one object per segment.

Models such as xCOMET also predict error spans, which are in the key `errors` of segments with errors. Their start and
exclusive end are offsets of the tokeniser, which count Unicode code points (decode in unified_metric.py).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import numpy as np

from bleu_core.dataset import NO_PLACE, Errors, MarkedError, ScoreTable, normal_severity, plural
from bleu_core.errors import FormatError
from bleu_core.formats.cells import check_equal_counts
from bleu_core.formats.contents import Contents, score_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.directions import with_direction
from bleu_core.formats.error_spans import NO_NUMBERS
from bleu_core.formats.json_objects import parse_json
from bleu_core.formats.json_scores import as_mapping, is_missing, parse_number, system_of_path
from bleu_core.formats.source import Source
from bleu_core.formats.text import HEAD_CHARS, Text
from bleu_core.limits import DEFAULT_LIMITS, Limits

LABEL = "scores of comet-score (JSON)"
#: The key of a segment's score, for all models.
SCORE = "COMET"
#: The keys of the texts that every segment has.
TEXT_KEYS = frozenset({"src", "mt"})
#: Keys of a segment's error spans.
ERROR_KEYS = ("errors", "error_spans")
#: The beginning of a file: an object of systems, or in early versions the segments of a single system.
BEGIN = re.compile(r'\s*+(?:\{\s*+"(?:[^"\\]|\\.)*+"\s*+:\s*+)?+\[\s*+\{\s*+"(?:src|mt)"\s*+:')


class _Score:
    """A score that replaces a segment's object during parsing, so that other texts need not stay in memory."""

    __slots__ = ("errors", "text", "value")

    def __init__(self, item: Mapping[str, object]) -> None:
        self.value = item[SCORE]
        spans = next((item[key] for key in ERROR_KEYS if key in item), None)
        text = item.get("mt")
        self.text = text if isinstance(text, str) else ""
        self.errors = None if spans is None else _errors(spans, self.text or None)


def read_comet(
    text: Text, origin: str, *, system: str, metric: str = SCORE, limits: Limits = DEFAULT_LIMITS
) -> ScoreTable:
    """Read segment scores in the order of the texts, and error spans; each system is named after its file.

    If a segment has error spans, all scored segments are annotated, since the program leaves out empty lists.

    Args:
        text: the file's text.
        origin: the file, for messages.
        system: the name of the system if the file has only one and does not name it.
        metric: the name of the scores, which the file does not have.
        limits: the limits for the file.

    Raises:
        FormatError: the file is not such JSON, a score is not a number, systems differ in their number of segments, or
            there is no score.
        LimitError: there are too many systems or segments.
    """
    value = parse_json(text.content, origin, limits, _reduced)
    systems = {system: cast("object", value)} if isinstance(value, list) else as_mapping(value)
    if not systems:
        raise FormatError(f"{origin}: no system found, an object with a list of segments for each system expected")
    limits.check("systems", len(systems), origin)
    rows: dict[str, list[float]] = {}
    marked: dict[str, tuple[Errors | None, ...]] = {}
    texts: dict[str, tuple[str, ...]] = {}
    paths: dict[str, str] = {}
    for path, items in systems.items():
        name = path if isinstance(value, list) else system_of_path(path, paths, origin)
        paths[name] = path
        rows[name] = _scores(items, name, origin, limits)
        texts[name] = tuple(item.text if isinstance(item, _Score) else "" for item in cast("list[object]", items))
        marked[name] = tuple(
            (item.errors or ()) if isinstance(item, _Score) and not math.isnan(score) else None
            for item, score in zip(cast("list[object]", items), rows[name], strict=True)
        )
    expected = check_equal_counts({name: len(scores) for name, scores in rows.items()}, "score", origin)
    values = np.array(list(rows.values()), np.float64)
    if np.isnan(values).all():
        raise FormatError(f"{origin}: no score in {expected:,} {plural(expected, 'segment')}, at least 1 expected")
    table = replace(ScoreTable.of_segments(metric, tuple(rows), values, origin=origin), texts=tuple(texts.values()))
    return replace(table, errors=tuple(marked.values())) if any(map(any, marked.values())) else table


def _reduced(item: dict[str, object]) -> object:
    return _Score(item) if SCORE in item else item


def _errors(spans: object, text: str | None) -> Errors:
    """Return the errors of a segment."""
    items = cast("list[object]", spans if isinstance(spans, list) else [])
    return tuple(_error(as_mapping(item) or {}, text) for item in items)


def _error(span: Mapping[str, object], text: str | None) -> MarkedError:
    severity, start, end = span.get("severity"), span.get("start"), span.get("end")
    name = normal_severity(severity) if isinstance(severity, str) else ""
    if not (type(start) is type(end) is int):
        return MarkedError(NO_PLACE, NO_PLACE, name, "", text=text, problem=NO_NUMBERS)
    return MarkedError(cast("int", start), cast("int", end), name, "", text=text)


def _scores(items: object, name: str, origin: str, limits: Limits) -> list[float]:
    """Return the scores of a system; NaN for an absent, null or NaN score."""
    if not isinstance(items, list):
        raise FormatError(f"{origin}: {name} without a list of segments found, one expected")
    segments = cast("list[object]", items)
    limits.check("lines", len(segments), f"{origin}, segments of {name}")
    values: list[float] = []
    for place, item in enumerate(segments, start=1):
        if not isinstance(item, _Score):
            texts = as_mapping(item)
            if texts is None or not texts.keys() >= TEXT_KEYS:
                raise FormatError(f"{origin}: segment {place:,} of {name} without {SCORE} found, a score expected")
            values.append(math.nan)
            continue
        what = f"the score of segment {place:,} of {name}"
        values.append(math.nan if is_missing(item.value) else parse_number(item.value, what, origin))
    return values


def _sniff(source: Source) -> float:
    head = source.text.beginning[:HEAD_CHARS]
    return 0.9 if BEGIN.match(head) and ('"mt"' in head or f'"{SCORE}"' in head) else 0


def _read(source: Source, options: Options) -> Contents:
    metric = options.own.get("metric") or SCORE
    table = read_comet(source.text, source.name, system=source.stem, metric=metric, limits=source.limits)
    return score_contents([with_direction(table)], source, LABEL, options.lower_is_better)


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
