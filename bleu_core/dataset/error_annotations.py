"""Errors that judges and metrics marked in translations: their place in the text, severity and category."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Integers
from bleu_core.dataset.corpus import Corpus, plural
from bleu_core.dataset.judgments import Judgments, ScoreTable, UnusedRows
from bleu_core.dataset.marked_errors import NO_PLACE, OUTSIDE, MarkedError, code_points, shown_text
from bleu_core.dataset.text_bridge import FindSpan, bridge
from bleu_core.errors import one_line

#: Why a mark has no place in the text of the corpus.
OTHER_TEXT = "the {side} in which it is marked is not that of the segment"
NO_SOURCE = "it is marked in the source, which is not loaded"
#: The name of the text, by whether it is the source.
SIDES = ("translation", "source")
EMPTY = "its span is empty"
INEXACT = "the {side} differs at its ends in white space or in the composition of characters"


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
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

    @property
    def item_cells(self) -> Integers:
        """(I,), the translation of each item: the index of its system and segment among K times S."""
        return self.item_system * self.segments + self.item_segment

    def of_items(self, kept: npt.NDArray[np.bool_]) -> ErrorAnnotations:
        """Return some of the items with their spans; systems, segments and annotators stay.

        Args:
            kept: (I,), whether each item is among them.
        """
        in_kept = kept[self.span_item]
        of_items = {name: getattr(self, name)[kept] for name in ("item_annotator", "item_system", "item_segment")}
        names = ("span_in_source", "span_start", "span_end", "span_severity", "span_category")
        of_spans = {name: getattr(self, name)[in_kept] for name in names}
        return replace(self, span_item=(np.cumsum(kept) - 1)[self.span_item[in_kept]], **of_items, **of_spans)


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorReport:
    """The errors of a file, or of a metric, that could be placed in the texts.

    Attributes:
        errors: number of errors that belong to segments of the texts.
        items: number of items (a segment of a system) that annotators looked at, with and without errors.
        placed: number of errors with a place in the text.
        unmarked: number of errors that the file gives no place, such as omissions.
        unplaced: the others by reason: errors that keep their severity and category and have no place.
        repeated: number of further errors, in items that the same annotator had looked at before; they are not used.
        of_no_segment: number of further errors, of ratings that are of no segment; they are not used.
        unit: what the numbers of `unplaced` count: lines of the file, or segments in a file without lines.
    """

    errors: int
    items: int
    placed: int
    unmarked: int
    unplaced: tuple[UnusedRows, ...] = ()
    repeated: int = 0
    of_no_segment: int = 0
    unit: Literal["line", "segment"] = "line"

    @property
    def is_empty(self) -> bool:
        """Whether there is neither an annotated item nor an error."""
        return not (self.items or self.of_no_segment)

    @property
    def sentence(self) -> str:
        """A sentence on the numbers, without a full stop."""
        count = sum(rows.count for rows in self.unplaced)
        parts = [
            f"{self.placed:,} placed in the texts",
            *([f"{self.unmarked:,} without a mark in a text"] if self.unmarked else []),
            *([f"{count:,} without a place because of a problem"] if count else []),
        ]
        more = "more" if self.items else plural(self.of_no_segment, "error")
        further = [
            *([f"{self.repeated:,} more in repeated annotations not used"] if self.repeated else []),
            *([f"{self.of_no_segment:,} {more} of no segment of the texts not used"] if self.of_no_segment else []),
        ]
        items = f"{self.items:,} annotated {plural(self.items, 'item')}"
        errors = f"{self.errors:,} {plural(self.errors, 'error')} in {items}"
        of_items = [errors + (f": {', '.join(parts)}" if self.errors else "")] if self.items else []
        return "; ".join([*of_items, *further])

    @property
    def problems(self) -> tuple[str, ...]:
        """A sentence for each reason why errors have no place, with the number and the first line."""
        return tuple(
            one_line(
                f"{rows.count:,} {plural(rows.count, 'error')} kept without {'its' if rows.count == 1 else 'their'} "
                f"place (first: {self.unit} {rows.line:,}): {rows.reason}"
            )
            for rows in self.unplaced
        )


def annotated_errors(
    corpus: Corpus,
    judgments: Judgments | None,
    scores: Iterable[ScoreTable] = (),
    *,
    systems: Sequence[str] | None = None,
) -> ErrorAnnotations | None:
    """Return the errors that judges and metrics marked in the segments of a corpus.

    If a judge annotated an item several times, the first annotation counts, as a judge's first rating does. Marks are
    found in the texts of the corpus exactly, also where its white space or Unicode normalisation differs; a mark whose
    text is not in the corpus has no place.

    Args:
        corpus: the texts.
        judgments: ratings aligned with the texts; None if there are none.
        scores: scores of metrics, aligned with the texts.
        systems: the systems whose errors are wanted, in order; all of the corpus if None. Errors in systems without
            text have no place.

    Returns:
        None if nobody annotated a segment of these systems.
    """
    names = tuple(corpus.systems) if systems is None else tuple(systems)
    builder = _Builder(corpus, names)
    if judgments is not None:
        builder.add_judgments(judgments)
    for table in scores:
        builder.add_scores(table)
    return builder.annotations()


def error_report(corpus: Corpus, source: Judgments | ScoreTable) -> ErrorReport:
    """Return how many errors in a file's ratings, or of its metric, aligned with the texts, could be placed."""
    builder = _Builder(corpus, tuple(corpus.systems))
    if isinstance(source, ScoreTable):
        builder.add_scores(source)
        return replace(builder.report(source.origin), unit="segment")
    builder.add_judgments(source)
    return builder.report(str(source.table["origin"].iloc[0]), of_no_segment=source.errors_of_no_segment)


class _Builder:
    """Collects items and spans as lists."""

    def __init__(self, corpus: Corpus, systems: tuple[str, ...]) -> None:
        self._corpus = corpus
        self._systems = {name: k for k, name in enumerate(systems)}
        self._bridges: dict[tuple[str, str], FindSpan | None] = {}
        self._annotators: dict[Annotator, int] = {}
        self._items: dict[tuple[int, int, int], int] = {}
        self._severities: dict[str, int] = {}
        self._categories: dict[str, int] = {}
        self._spans: list[tuple[int, bool, int, int, int, int]] = []
        self._unplaced: list[tuple[str, int]] = []
        self._repeated = 0

    def add_judgments(self, judgments: Judgments) -> None:
        """Add the errors that judges marked in segments of the systems."""
        for segment, system, group, judge, errors in judgments.annotations():
            if system in self._systems and 1 <= segment <= self._corpus.segments:
                self._add(Annotator(judge, group), system, segment - 1, errors)

    def add_scores(self, table: ScoreTable) -> None:
        """Add the errors that a metric marked in segments of the systems."""
        annotator = Annotator(table.name, is_metric=True)
        for system, marked in zip(table.systems, table.errors or (), strict=False):
            for segment, errors in enumerate(marked[: self._corpus.segments] if system in self._systems else ()):
                if errors is not None:
                    self._add(annotator, system, segment, errors)

    def _add(self, annotator: Annotator, system: str, segment: int, errors: Sequence[MarkedError]) -> None:
        a = self._annotators.setdefault(annotator, len(self._annotators))
        item = len(self._items)
        if self._items.setdefault((a, self._systems[system], segment), item) != item:
            self._repeated += len(errors)
            return
        for error in errors:
            start, end, problem = self._place(error, system, segment)
            if problem:
                self._unplaced.append((problem, error.line or segment + 1))
            severity = self._severities.setdefault(error.severity, len(self._severities))
            category = self._categories.setdefault(error.category, len(self._categories))
            self._spans.append((item, error.in_source, start, end, severity, category))

    def annotations(self) -> ErrorAnnotations | None:
        """Return all errors; None without an annotated item."""
        if not self._items:
            return None
        items = np.array(list(self._items), np.int64).reshape(-1, 3)
        spans = np.array(self._spans, np.int64).reshape(-1, 6)
        return ErrorAnnotations(
            systems=tuple(self._systems),
            segments=self._corpus.segments,
            annotators=tuple(self._annotators),
            item_annotator=items[:, 0],
            item_system=items[:, 1],
            item_segment=items[:, 2],
            severities=tuple(self._severities),
            categories=tuple(self._categories),
            span_item=spans[:, 0],
            span_in_source=spans[:, 1].astype(np.bool_),
            span_start=spans[:, 2],
            span_end=spans[:, 3],
            span_severity=spans[:, 4],
            span_category=spans[:, 5],
        )

    def report(self, origin: str, *, of_no_segment: int = 0) -> ErrorReport:
        """Return the counts of a file."""
        placed = sum(start != NO_PLACE for _, _, start, _, _, _ in self._spans)
        return ErrorReport(
            errors=len(self._spans),
            items=len(self._items),
            placed=placed,
            unmarked=len(self._spans) - placed - len(self._unplaced),
            unplaced=UnusedRows.tally(self._unplaced, origin),
            repeated=self._repeated,
            of_no_segment=of_no_segment,
        )

    def _place(self, error: MarkedError, system: str, segment: int) -> tuple[int, int, str]:
        """Return the start and end of an error in the text, NO_PLACE without a place, and why a mark has none."""
        if error.problem or error.start == error.end == NO_PLACE:
            return NO_PLACE, NO_PLACE, error.problem
        side = self._corpus.source if error.in_source else self._corpus.systems.get(system)
        span, problem = (None, NO_SOURCE) if side is None else self._span(error, side[segment])
        return (*span, "") if span else (NO_PLACE, NO_PLACE, problem.format(side=SIDES[error.in_source]))

    def _span(self, error: MarkedError, text: str) -> tuple[tuple[int, int] | None, str]:
        """Return the start and end of an error in a text of the corpus, or why it has no place."""
        annotated = error.text
        if annotated is None:
            annotated = shown_text(text) if error.utf16 else text
        start: int | None = error.start
        end: int | None = error.end
        if error.utf16:
            start, end = code_points(annotated, error.start), code_points(annotated, error.end)
        if start is None or end is None or not 0 <= start <= end <= len(annotated):
            return None, OUTSIDE
        if start == end:
            return None, EMPTY
        if annotated == text:
            return (start, end), ""
        if (annotated, text) not in self._bridges:
            self._bridges[annotated, text] = bridge(annotated, text)
        find = self._bridges[annotated, text]
        return (None, OTHER_TEXT) if find is None else (find(start, end), INEXACT)
