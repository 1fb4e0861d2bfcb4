"""Errors in texts, written down as tests need them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bleu_core.dataset import NO_PLACE, Annotator, ErrorAnnotations
from bleu_core.segments import SegmentError
from tests.marked_errors import annotated, error

#: Start, end, severity and category of an error, and whether it is in the source.
Marked = tuple[int, int, str, str, bool]


def error_annotations(items: Mapping[tuple[Annotator, str, int], Sequence[Marked]], segments: int) -> ErrorAnnotations:
    """Put items of annotators, systems and segments, counted from 0, together."""
    given = [
        (
            system,
            segment,
            annotator,
            [
                error(None if start == NO_PLACE else start, end, severity, category, in_source=in_source)
                for start, end, severity, category, in_source in errors
            ],
        )
        for (annotator, system, segment), errors in items.items()
    ]
    return annotated(*given, segments=segments)


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
