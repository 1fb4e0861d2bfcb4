"""Errors in texts, written down as tests need them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bleu_core.dataset import NO_PLACE, Annotator, ErrorAnnotations
from bleu_core.segments import SegmentError

#: Start, end, severity and category of an error, and whether it is in the source.
Marked = tuple[int, int, str, str, bool]


def error_annotations(items: Mapping[tuple[Annotator, str, int], Sequence[Marked]], segments: int) -> ErrorAnnotations:
    """Put items of annotators, systems and segments, counted from 0, together."""
    spans = [(item, error) for item, errors in enumerate(items.values()) for error in errors]
    systems = tuple(dict.fromkeys(system for _, system, _ in items))
    annotators = tuple(dict.fromkeys(annotator for annotator, _, _ in items))
    severities = tuple(dict.fromkeys(error[2] for _, error in spans))
    categories = tuple(dict.fromkeys(error[3] for _, error in spans))
    return ErrorAnnotations(
        systems=systems,
        segments=segments,
        annotators=annotators,
        item_annotator=np.array([annotators.index(annotator) for annotator, _, _ in items], np.int64),
        item_system=np.array([systems.index(system) for _, system, _ in items], np.int64),
        item_segment=np.array([segment for _, _, segment in items], np.int64),
        severities=severities,
        categories=categories,
        span_item=np.array([item for item, _ in spans], np.int64),
        span_in_source=np.array([error[4] for _, error in spans], np.bool_),
        span_start=np.array([error[0] for _, error in spans], np.int64),
        span_end=np.array([error[1] for _, error in spans], np.int64),
        span_severity=np.array([severities.index(error[2]) for _, error in spans], np.int64),
        span_category=np.array([categories.index(error[3]) for _, error in spans], np.int64),
    )


#: A minor error of the system A.
MINOR = SegmentError(
    system="A", annotator="J", in_source=False, start=0, end=1, severity="minor", category="Fluency/Grammar"
)


def error_at(start: int, end: int, annotator: str = "J", **fields: Any) -> SegmentError:
    """Return a minor error of a system A, with some fields of its own."""
    return replace(MINOR, start=start, end=end, annotator=annotator, **fields)


def omission(annotator: str = "J", **fields: Any) -> SegmentError:
    """Return an error without a place."""
    return error_at(NO_PLACE, NO_PLACE, annotator, **{"severity": "major", "category": "Accuracy/Omission"} | fields)
