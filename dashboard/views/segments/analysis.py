"""The marked texts of segments, with the ratings of their outputs; and as examples for a paper."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bleu_core.dataset import NO_PLACE, Role
from bleu_core.errors import BleuCoreError
from bleu_core.fields import Cell, Field, Table, field, result, table_of, table_of_columns
from bleu_core.results.examples import TextMark, TextMarks
from bleu_core.scoring import BleuSettings
from bleu_core.segments import (
    AnnotatedItem,
    ErrorIndex,
    ErrorMarks,
    MarkedOutput,
    MarkedText,
    SegmentError,
    mark_errors,
    mark_output,
    word_differences,
)
from bleu_core.slicing import TextSearch, find_hits, texts_with
from dashboard.analysis import (
    ROWS_SHOWN,
    OutputNumbers,
    SegmentAnalysis,
    View,
    error_cells,
    ratings_of_segment,
    ratings_or_none,
)

#: Maximum seconds of the search within the displayed texts.
MAX_SEARCH_S = 1.0

#: Half-open ranges in characters.
Places = tuple[tuple[int, int], ...]


@result
class _OrderOfSegment:
    """The precision of an n-gram order, a step to BLEU of a segment."""

    order: int = field("count", "Length of the n-grams, in tokens.")
    ngrams: int = field("count", "N-grams of the output: the denominator of the precision.", label="n-grams")
    in_references: int = field("count", "N-grams that occur in any reference.")
    matches: int = field("count", "Matches after clipping: the numerator of the precision.")
    precision: float = field("fraction", "Matches divided by n-grams; empty where the output has none.")
    as_scored: float = field("fraction", "The precision after smoothing, used in the mean.")


@dataclass(frozen=True, slots=True)
class SelectedErrors:
    """The errors of the selected judges and metrics.

    Attributes:
        index: all errors.
        without: names of judges and metrics whose errors are not shown.
    """

    index: ErrorIndex
    without: tuple[str, ...] = ()

    def items(self, system: str, segment: int) -> tuple[AnnotatedItem, ...]:
        """Return what they found in a segment of a system, by its index, from 0."""
        items = self.index.items(system, segment)
        return tuple(item for item in items if item.annotator not in self.without)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextErrors:
    """The errors in the texts of a segment.

    Attributes:
        source: the errors in the source, found with any of the outputs.
        items: per output, what judges and metrics found.
        outputs: per output, the errors in it.
    """

    source: ErrorMarks
    items: tuple[tuple[AnnotatedItem, ...], ...]
    outputs: tuple[ErrorMarks, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentTexts:
    """A segment of one or more systems.

    Attributes:
        number: from 1.
        place: its position in the data in use, from 0.
        document: its document; empty if it is not known.
        labels: label -> its value.
        source: its source text; None where there is none.
        references: names of the references in use that it has.
        systems: the system, the baseline if there is one, and others if they are shown.
        outputs: the marked outputs; each has the references in the same order.
        different: per token of each output, whether it differs from the first output, or in the first output from the
            second; empty for one system.
        settings: of the counting of n-grams.
        errors: marked in the texts; None if none are shown.
    """

    number: int
    place: int
    document: str
    labels: Mapping[str, str]
    source: str | None
    references: tuple[str, ...]
    systems: tuple[str, ...]
    outputs: tuple[MarkedOutput, ...]
    different: tuple[tuple[bool, ...], ...]
    settings: BleuSettings
    errors: TextErrors | None

    def lacking(self, reference: int) -> tuple[tuple[bool, ...], ...]:
        """Return whether each of the outputs lacks each token of a reference."""
        return tuple(output.references[reference].missing for output in self.outputs)

    @property
    def shown(self) -> tuple[str, ...]:
        """All displayed texts: the source (empty if there is none), the references and the outputs."""
        references = (reference.shown for reference in self.outputs[0].references)
        return (self.source or "", *references, *(self._shown_output(k) for k in range(len(self.outputs))))

    def _shown_output(self, k: int) -> str:
        """Return the displayed text of an output: with errors the text itself, in which they have their places."""
        has_errors = self.errors is not None and bool(self.errors.outputs[k].runs)
        return self.outputs[k].text if has_errors else self.outputs[k].shown


@dataclass(frozen=True, slots=True)
class FoundPlaces:
    """Search hits in a segment, as half-open ranges in characters.

    Attributes:
        source: hits in the source.
        references: hits in each of the references.
        outputs: hits in each of the outputs.
    """

    source: Places
    references: tuple[Places, ...]
    outputs: tuple[Places, ...]


def read_texts(view: View, systems: tuple[str, ...], number: int, errors: SelectedErrors | None = None) -> SegmentTexts:
    """Read the segment of that number of one or more systems.

    Args:
        view: the data and settings.
        systems: whose outputs are read.
        number: of the segment, from 1.
        errors: those to show; None for none.
    """
    corpus, evaluation, place = view.workspace.corpus, view.evaluation, view.numbers.index(number)
    texts = ((name, corpus.references[name][place]) for name in evaluation.references)
    references = {name: text for name, text in texts if text is not None}
    outputs = tuple(
        mark_output(corpus.systems[name][place], list(references.values()), evaluation.settings) for name in systems
    )
    pairs = [word_differences(outputs[0].tokens, other.tokens) for other in outputs[1:]]
    return SegmentTexts(
        number=number,
        place=place,
        document=corpus.documents[place] if corpus.documents is not None else "",
        labels={label: values[place] for label, values in corpus.labels.items() if values[place]},
        source=corpus.source[place] if corpus.source is not None else None,
        references=tuple(references),
        systems=systems,
        outputs=outputs,
        different=(pairs[0][0], *(other for _, other in pairs)) if pairs else (),
        settings=evaluation.settings,
        errors=None if errors is None else _text_errors(view, systems, place, errors),
    )


def _text_errors(view: View, systems: tuple[str, ...], place: int, errors: SelectedErrors) -> TextErrors:
    """Return the errors in the texts of the segment at a position, from 0."""
    corpus = view.workspace.corpus
    items = tuple(errors.items(name, place) for name in systems)
    errors_of = [[error for item in of_output for error in item.errors] for of_output in items]
    if corpus.source is None:  # errors in the source are listed below the output
        source, in_source = "", list[SegmentError]()
        errors_of = [
            [replace(error, start=NO_PLACE, end=NO_PLACE) if error.in_source else error for error in of]
            for of in errors_of
        ]
    else:
        source, in_source = corpus.source[place], [error for of in errors_of for error in of if error.in_source]
        errors_of = [[error for error in of if not error.in_source] for of in errors_of]
    outputs = (mark_errors(corpus.systems[name][place], of) for name, of in zip(systems, errors_of, strict=True))
    return TextErrors(source=mark_errors(source, in_source), items=items, outputs=tuple(outputs))


def segment_examples(
    view: View,
    segments: SegmentAnalysis,
    shown: OutputNumbers,
    notes: Mapping[int, str],
    *,
    errors: ErrorIndex | None = None,
) -> tuple[Table, Mapping[tuple[int, str], TextMarks]]:
    """Return the texts of some segments as examples, with the scores of the outputs.

    Args:
        view: the data.
        segments: all segments of one or two systems.
        shown: the numbers of the systems whose outputs are included.
        notes: number of each segment to include -> its note; segments outside a slice are ignored.
        errors: that judges and metrics marked in the outputs; None without any.

    Returns:
        The table, and the marks of its texts by row, from 0, and column.
    """
    corpus, places = view.workspace.corpus, {n: place for n in notes if (place := segments.place(n)) is not None}
    text: dict[str, tuple[Field, Sequence[Cell]]] = {"segment": (Field("count", "Number of the segment."), [*places])}

    def add(name: str, column: Field, cells: Sequence[str | float | None]) -> None:
        selected = (cells[place] for place in places.values())
        text[name] = (column, [math.nan if cell is None else cell for cell in selected])

    if corpus.documents is not None:
        add("document", Field("text", "Document of the segment."), corpus.documents)
    if corpus.source is not None:
        add("source", Field("text", "Source text."), corpus.source)
    for name in view.evaluation.references:
        add(f"reference {name}", Field("text", "Reference."), corpus.references[name])
    for k, name in enumerate(shown.systems):
        add(f"output of {name}", Field("text", "Output."), corpus.systems[name])
        score = Field("points", "Score of the segment.", decimals=segments.metric.decimals)
        add(f"{segments.metric.label} of {name}", score, shown.scores[k].tolist())
        if errors is not None:
            cells = error_cells(corpus, errors, name, places.values())
            text[f"errors of {name}"] = (
                Field("text", "Errors by judge or metric."),
                [cell or math.nan for cell in cells],
            )
    text["note"] = (Field("text", "The note."), [notes[number] or math.nan for number in places])
    marks: dict[tuple[int, str], TextMarks] = {}
    for row, number in enumerate(places):
        texts = read_texts(view, shown.systems, number)
        for k, name in enumerate(texts.references):
            lacking = [all(outputs) for outputs in zip(*texts.lacking(k), strict=True)]
            marks[row, f"reference {name}"] = _marks(texts.outputs[0].references[k], unmatched=lacking)
        for name, output in zip(texts.systems, texts.outputs, strict=True):
            matched = [order > 0 for order in output.matched]
            marks[row, f"output of {name}"] = _marks(
                output, matched=matched, unmatched=[not is_matched for is_matched in matched]
            )
    return table_of_columns(text), marks


def _marks(text: MarkedText, *, unmatched: Sequence[bool], matched: Sequence[bool] | None = None) -> TextMarks:
    """Return marks of the tokens of a text; none if its tokens do not occur in it literally."""
    if text.spans is None:
        return ()
    marks: list[TextMark] = []
    for token, (start, end) in enumerate(text.spans):
        if unmatched[token]:
            marks.append((start, end, "unmatched"))
        elif matched is not None and matched[token]:
            marks.append((start, end, "matched"))
    return tuple(mark for mark in marks if mark[0] < mark[1])


def places_found(view: View, search: TextSearch, number: int) -> tuple[tuple[Role, str], ...]:
    """Return the texts of a segment, by its number, that contain a text, as (role, name) pairs; none on failure."""
    try:
        return texts_with(
            view.workspace.corpus,
            search,
            view.numbers.index(number),
            systems=view.evaluation.systems,
            seconds=MAX_SEARCH_S / ROWS_SHOWN,
        )
    except BleuCoreError:
        return ()


def mark_found(segments: Sequence[SegmentTexts], search: TextSearch) -> tuple[tuple[FoundPlaces, ...], str]:
    """Return the hits in the displayed texts of segments, and the reason if the search failed; else empty."""
    shown = [texts.shown for texts in segments]
    try:
        hits = iter(find_hits([text for texts in shown for text in texts], search, seconds=MAX_SEARCH_S))
    except BleuCoreError as error:
        hits, reason = iter([()] * sum(map(len, shown))), str(error)
    else:
        reason = ""
    places: list[FoundPlaces] = []
    for texts in segments:
        source, *others = (next(hits) for _ in texts.shown)
        references = len(texts.references)
        places.append(FoundPlaces(source, tuple(others[:references]), tuple(others[references:])))
    return tuple(places), reason


def ratings_by_judge(view: View, systems: tuple[str, ...], place: int) -> tuple[Table, ...]:
    """Return the ratings by judge of the segment at a position, from 0, per system; empty where there are none."""
    ratings = ratings_or_none(view)
    if ratings is None:
        return ()
    return tuple(ratings_of_segment(ratings, system, place + 1) for system in systems)


def precision_steps(output: MarkedOutput) -> Table:
    """Return n-grams, matches and precisions of each order, from which BLEU of a segment is computed."""
    rows = [
        _OrderOfSegment(
            order=o.order,
            ngrams=o.total,
            in_references=o.standard_matches,
            matches=o.matches,
            precision=o.modified_precision,
            as_scored=float(scored),
        )
        for o, scored in zip(output.worked.orders, output.worked.bleu.precisions, strict=True)
    ]
    return table_of(rows, _OrderOfSegment)
