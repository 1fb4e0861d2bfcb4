"""Marked errors as fields of slices: their number, categories and severities."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import Corpus, ErrorAnnotations, Judgments, ScoreTable, annotated_errors
from bleu_core.errors import AlignmentError, SettingsError, listed
from bleu_core.slicing.expression import quoted


@dataclass(frozen=True, slots=True)
class MarkedValues:
    """The categories or severities of the errors in each segment; a condition holds if it holds for one of them.

    Attributes:
        values: for each segment the different values; None if nobody annotated it.
    """

    values: Sequence[frozenset[str] | None]


class ErrorFields:
    """The fields of the errors that judges and metrics marked."""

    def __init__(self, corpus: Corpus, judgments: Judgments | None, scores: Iterable[ScoreTable]) -> None:
        """Find the errors.

        Args:
            corpus: the texts.
            judgments: the ratings in use, if any.
            scores: of metrics, aligned with the texts.

        Raises:
            AlignmentError: nobody marked errors.
        """
        errors = annotated_errors(corpus, judgments, scores)
        if errors is None:
            raise AlignmentError("slice: the errors of the segments are not known; add ratings with error spans")
        self._errors: ErrorAnnotations = errors

    def counts(self, systems: Sequence[str], annotator: str | None) -> Floats:
        """Return the mean number of errors of each segment over the annotated items, (S,); NaN without any.

        Args:
            systems: those whose items count.
            annotator: the judge or metric whose items count; None for all judges.

        Raises:
            AlignmentError: no judge marked errors.
            SettingsError: there is no such judge or metric.
        """
        items = self._items(systems, annotator)
        segments, errors = self._errors.item_segment[items], self._errors
        numbers = np.bincount(errors.span_item, minlength=len(errors.item_segment))[items]
        count = np.bincount(segments, minlength=errors.segments)
        total = np.bincount(segments, numbers, minlength=errors.segments)
        return np.divide(total, count, out=np.full(errors.segments, np.nan), where=count > 0)

    def values(self, field: str, systems: Sequence[str], annotator: str | None) -> MarkedValues:
        """Return the categories or severities of the errors in each segment; arguments and errors as for counts."""
        errors = self._errors
        names, codes = (
            (errors.categories, errors.span_category)
            if field == "category"
            else (errors.severities, errors.span_severity)
        )
        items = self._items(systems, annotator)
        in_use = np.zeros(len(errors.item_segment), np.bool_)
        in_use[items] = True
        spans = in_use[errors.span_item]
        marked: list[set[str] | None] = [None] * errors.segments
        annotated: list[int] = np.unique(errors.item_segment[items]).tolist()
        for segment in annotated:
            marked[segment] = set()
        segments: list[int] = errors.item_segment[errors.span_item[spans]].tolist()
        codes_in_use: list[int] = codes[spans].tolist()
        for segment, code in dict.fromkeys(zip(segments, codes_in_use, strict=True)):
            own = marked[segment]
            if own is not None:
                own.add(names[code])
        return MarkedValues([None if own is None else frozenset(own) for own in marked])

    def _items(self, systems: Sequence[str], annotator: str | None) -> Integers:
        """Return the items of some systems by an annotator, or by all judges."""
        errors = self._errors
        known = errors.annotators
        wanted = [k for k, a in enumerate(known) if (not a.is_metric if annotator is None else a.name == annotator)]
        if not wanted and annotator is None:
            raise AlignmentError(
                f"slice: no judge marked errors; for those of a metric, add by {quoted(known[0].name)} behind the field"
            )
        if not wanted:
            names = dict.fromkeys(a.name for a in known)
            raise SettingsError(f"slice: judge or metric {annotator!r} found, one of {listed(names)} expected")
        of_systems = [k for k, name in enumerate(errors.systems) if name in systems]
        mask: npt.NDArray[np.bool_] = np.isin(errors.item_annotator, wanted) & np.isin(errors.item_system, of_systems)
        return np.flatnonzero(mask)


def is_marked(value: str, own: str) -> bool:
    """Return whether a category or severity is the wanted one, or the part before the slash is; case is ignored.

    >>> is_marked("fluency", "Fluency/Grammar"), is_marked("grammar", "Fluency/Grammar")
    (True, False)
    """
    wanted, given = value.strip().casefold(), own.strip().casefold()
    return wanted in (given, given.partition("/")[0].rstrip())
