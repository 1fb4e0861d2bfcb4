"""Error annotations, item by item."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bleu_core.dataset import NO_PLACE, Annotator, ErrorAnnotations

#: Start and end, or None without a place; severity and category; whether it is in the source.
Error = tuple[tuple[int, int] | None, str, str, bool]

#: System, number of the segment from 0, annotator and errors.
Item = tuple[str, int, Annotator | str, Sequence[Error]]


def error(
    start: int | None = None,
    end: int | None = None,
    severity: str = "minor",
    category: str = "",
    *,
    in_source: bool = False,
) -> Error:
    """An error, without a place if it has no start."""
    place = None if start is None else (start, start + 1 if end is None else end)
    return place, severity, category, in_source


def annotated(*items: Item, systems: Sequence[str] = (), segments: int = 0) -> ErrorAnnotations:
    """Annotations of these items; systems and segments are those of the items, unless there are more."""
    given = [(s, n, a if isinstance(a, Annotator) else Annotator(a), errors) for s, n, a, errors in items]
    names = list(dict.fromkeys([*systems, *(system for system, *_ in given)]))
    annotators = list(dict.fromkeys(annotator for _, _, annotator, _ in given))
    spans = [(number, *one) for number, (*_, errors) in enumerate(given) for one in errors]
    severities = list(dict.fromkeys(severity for _, _, severity, _, _ in spans))
    categories = list(dict.fromkeys(category for _, _, _, category, _ in spans))

    def integers(values: Sequence[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.array(values, np.int64)

    return ErrorAnnotations(
        systems=tuple(names),
        segments=max([segments, *(segment + 1 for _, segment, *_ in given)]),
        annotators=tuple(annotators),
        item_annotator=integers([annotators.index(annotator) for _, _, annotator, _ in given]),
        item_system=integers([names.index(system) for system, *_ in given]),
        item_segment=integers([segment for _, segment, *_ in given]),
        severities=tuple(severities),
        categories=tuple(categories),
        span_item=integers([number for number, *_ in spans]),
        span_in_source=np.array([in_source for *_, in_source in spans], np.bool_),
        span_start=integers([NO_PLACE if place is None else place[0] for _, place, *_ in spans]),
        span_end=integers([NO_PLACE if place is None else place[1] for _, place, *_ in spans]),
        span_severity=integers([severities.index(severity) for _, _, severity, _, _ in spans]),
        span_category=integers([categories.index(category) for _, _, _, category, _ in spans]),
    )
