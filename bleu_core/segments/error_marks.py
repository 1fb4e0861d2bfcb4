"""Errors that judges and metrics marked in one segment: their lookup, and the pieces into which they cut its texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np

from bleu_core.arrays import Integers
from bleu_core.dataset import NO_PLACE, Annotator, ErrorAnnotations


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentError:
    """An error in an output or its source.

    Attributes:
        system: whose output was annotated.
        annotator: the name of who marked it, as in ErrorIndex.names.
        in_source: whether it is marked in the source.
        start: the index of its first Unicode code point in the text; NO_PLACE where it has no place.
        end: the index after the last code point; NO_PLACE where it has no place.
        severity: in lower case.
        category: as the file writes it; empty without one.
    """

    system: str
    annotator: str
    in_source: bool
    start: int
    end: int
    severity: str
    category: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatedItem:
    """A segment of a system that an annotator has looked at.

    Attributes:
        system: whose output it is.
        annotator: the name of who has looked at it, as in ErrorIndex.names.
        errors: that they marked, in the order of the file; empty if they found none.
    """

    system: str
    annotator: str
    errors: tuple[SegmentError, ...]


@dataclass(frozen=True)  # without slots, which would exclude cached properties
class ErrorIndex:
    """Errors by system and segment; a lookup takes the time of its result, whatever the number of errors.

    Attributes:
        annotations: all errors.
    """

    annotations: ErrorAnnotations

    @cached_property
    def names(self) -> tuple[str, ...]:
        """(A,) a unique name for each annotator."""
        return annotator_names(self.annotations.annotators)

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {name: place for place, name in enumerate(self.annotations.systems)}

    @cached_property
    def _sorted_items(self) -> tuple[Integers, Integers]:
        """(I,) the items by system, segment and annotator, and the key of system and segment of each."""
        keys = self.annotations.item_cells
        items = np.lexsort((self.annotations.item_annotator, keys))
        return items, keys[items]

    @cached_property
    def _first_spans(self) -> Integers:
        """(I + 1,) the index of the first span of each item, and the number of spans."""
        items = len(self.annotations.item_annotator)
        return np.searchsorted(self.annotations.span_item, np.arange(items + 1))

    def items(self, system: str, segment: int) -> tuple[AnnotatedItem, ...]:
        """Return what annotators found in a segment of a system, in the order of the annotators.

        Args:
            system: its name; one without annotations has no item.
            segment: its index, from 0.
        """
        place = self._places.get(system)
        if place is None:
            return ()
        items, keys = self._sorted_items
        first, last = np.searchsorted(keys, place * self.annotations.segments + segment + np.arange(2))
        return tuple(self._item(system, item) for item in items[first:last].tolist())

    def _item(self, system: str, item: int) -> AnnotatedItem:
        annotations = self.annotations
        annotator = self.names[int(annotations.item_annotator[item])]
        first, last = self._first_spans[item : item + 2].tolist()
        errors = tuple(
            SegmentError(
                system=system,
                annotator=annotator,
                in_source=bool(annotations.span_in_source[span]),
                start=int(annotations.span_start[span]),
                end=int(annotations.span_end[span]),
                severity=annotations.severities[int(annotations.span_severity[span])],
                category=annotations.categories[int(annotations.span_category[span])],
            )
            for span in range(first, last)
        )
        return AnnotatedItem(system=system, annotator=annotator, errors=errors)


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRun:
    """A piece of a text with the same errors from its first to its last character.

    Attributes:
        start: the index of its first code point.
        end: the index after the last one.
        errors: the indices of its errors, in ascending order.
        begins: whether one of them begins here.
    """

    start: int
    end: int
    errors: tuple[int, ...]
    begins: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorMarks:
    """The errors in a text.

    Attributes:
        text: the text.
        errors: its errors, by annotator, then by place; those without a place come last.
        layers: of each error, the layer, from 0, in which it is drawn. Each annotator has layers of their own, so that
            overlapping errors can be told apart; NO_PLACE for an error without marked characters.
        runs: the pieces with errors, from left to right, without overlaps.
    """

    text: str
    errors: tuple[SegmentError, ...]
    layers: tuple[int, ...]
    runs: tuple[ErrorRun, ...]

    @property
    def layer_count(self) -> int:
        """The number of layers."""
        return max(self.layers, default=NO_PLACE) + 1

    def marked(self, error: int) -> str:
        """Return the characters that an error marks; empty without a place."""
        start, end = self.errors[error].start, self.errors[error].end
        return "" if self.layers[error] == NO_PLACE else self.text[start:end]


class _Placed(NamedTuple):
    start: int
    end: int
    error: SegmentError


def mark_errors(text: str, errors: Sequence[SegmentError]) -> ErrorMarks:
    """Cut a text into pieces by the errors that are marked in it.

    Args:
        text: the text.
        errors: of the text, by annotator. What exceeds the text is cut off; an error of which nothing remains, like an
            empty span, has no place in it.
    """
    by_annotator = [list(group) for _, group in groupby(errors, key=lambda error: (error.system, error.annotator))]
    placed: list[_Placed] = []
    layers: list[int] = []
    without_place: list[SegmentError] = []
    for group in by_annotator:
        first_layer = max(layers, default=NO_PLACE) + 1
        spans = [_Placed(error.start, min(error.end, len(text)), error) for error in group]
        without_place += [span.error for span in spans if not 0 <= span.start < span.end]
        spans = sorted((span for span in spans if 0 <= span.start < span.end), key=lambda span: (span.start, -span.end))
        layers += [first_layer + layer for layer in _layers(spans)]
        placed += spans
    return ErrorMarks(
        text=text,
        errors=(*(span.error for span in placed), *without_place),
        layers=(*layers, *(NO_PLACE for _ in without_place)),
        runs=_runs(placed),
    )


def _layers(spans: Sequence[_Placed]) -> list[int]:
    """Return the layer of each of some spans, in the order of their starts; spans in a layer do not overlap."""
    ends: list[int] = []
    layers: list[int] = []
    for span in spans:
        layer = next((layer for layer, end in enumerate(ends) if end <= span.start), len(ends))
        ends[layer : layer + 1] = [span.end]
        layers.append(layer)
    return layers


def _runs(spans: Sequence[_Placed]) -> tuple[ErrorRun, ...]:
    cuts = sorted({cut for span in spans for cut in (span.start, span.end)})
    runs: list[ErrorRun] = []
    for start, end in pairwise(cuts):
        errors = tuple(index for index, span in enumerate(spans) if span.start <= start and end <= span.end)
        if errors:
            begins = any(spans[index].start == start for index in errors)
            runs.append(ErrorRun(start=start, end=end, errors=errors, begins=begins))
    return tuple(runs)


def annotator_names(annotators: Sequence[Annotator]) -> tuple[str, ...]:
    """Return a unique name for each annotator, with the group of judges only where they share a name."""
    count = Counter((annotator.name, annotator.is_metric) for annotator in annotators)
    names: list[str] = []
    for annotator in annotators:
        name = f"{annotator.name} (metric)" if annotator.is_metric else annotator.name
        if count[annotator.name, annotator.is_metric] > 1:
            name = f"{name} ({annotator.group or 'no group'})"
        while name in names:
            name += " (2)"
        names.append(name)
    return tuple(names)


def error_list(items: Sequence[AnnotatedItem], text: str, source: str | None) -> str:
    """Return the errors of a segment of a system in one line, for a cell of a table.

    Args:
        items: what annotators found.
        text: the output.
        source: the source; None where there is none.

    Returns:
        For each annotator the errors, with severity, category, half-open range in code points, and marked characters:
        `A: minor, Style [4-9] “quick”; major, Accuracy/Omission, no place | B: no errors`. Empty without annotators.
    """
    parts: list[str] = []
    for item in items:
        errors = [_in_cell(error, (source or "") if error.in_source else text) for error in item.errors]
        parts.append(f"{item.annotator}: {'; '.join(errors) if errors else 'no errors'}")
    return " | ".join(parts)


def _in_cell(error: SegmentError, text: str) -> str:
    kind = ", ".join(filter(None, (error.severity, error.category, "in the source" if error.in_source else "")))
    if error.start < 0:
        return f"{kind}, no place"
    return f"{kind} [{error.start}-{error.end}] “{text[error.start : error.end]}”"
