"""Errors that judges and metrics marked in translations: their place in the text, severity and category."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Integers

#: The start and end of an error without a place in the text, such as an omission.
NO_PLACE = -1


class Annotator(NamedTuple):
    """Who marked errors.

    Attributes:
        name: the name of the judge or of the metric.
        group: the group of judges, or None.
        is_metric: whether it is a metric, such as xCOMET.
    """

    name: str
    group: str | None = None
    is_metric: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorAnnotations:
    """Error spans in the segments of a corpus, by annotator.

    An item is a segment of a system that an annotator has looked at. An item without spans has no errors; a segment
    that an annotator has not looked at is no item of theirs.

    Attributes:
        systems: K unique names.
        segments: S, the number of segments of the corpus.
        annotators: A unique annotators.
        item_annotator: (I,), the index of the annotator of each item.
        item_system: (I,), the index of its system.
        item_segment: (I,), the index of its segment, from 0. No two items have all three indices in common.
        severities: unique names of severities in lower case, such as "minor" and "major".
        categories: unique names of categories as the file writes them, such as "Fluency/Grammar"; "" without one.
        span_item: (E,), the index of the item of each span, in ascending order.
        span_in_source: (E,), whether the span is marked in the source, not in the translation.
        span_start: (E,), the index of the first Unicode code point of the span in the text of the corpus; NO_PLACE if
            the error has no place in the text, such as an omission, or if its place could not be found.
        span_end: (E,), the index after the last code point; NO_PLACE as for span_start.
        span_severity: (E,), the index of the severity.
        span_category: (E,), the index of the category.
    """

    systems: tuple[str, ...]
    segments: int
    annotators: tuple[Annotator, ...]
    item_annotator: Integers
    item_system: Integers
    item_segment: Integers
    severities: tuple[str, ...]
    categories: tuple[str, ...]
    span_item: Integers
    span_in_source: npt.NDArray[np.bool_]
    span_start: Integers
    span_end: Integers
    span_severity: Integers
    span_category: Integers

    @property
    def placed(self) -> npt.NDArray[np.bool_]:
        """(E,), whether each span has a place in the text."""
        return self.span_start >= 0
