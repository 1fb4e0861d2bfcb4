"""The texts of segments, marked for reading, with the ratings of their outputs; and as examples for a paper."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bleu_core.dataset import Role
from bleu_core.errors import BleuCoreError
from bleu_core.fields import Cell, Field, Table
from bleu_core.results.examples import TextMark, TextMarks
from bleu_core.scoring import BleuSettings
from bleu_core.segments import MarkedOutput, MarkedText, mark_output, word_differences
from bleu_core.slicing import TextSearch, find_hits, texts_with
from dashboard.analysis import (
    ROWS_SHOWN,
    OutputNumbers,
    SegmentAnalysis,
    View,
    ratings_of_segment,
    ratings_or_none,
)

#: Seconds after which the search within the texts that are shown is stopped.
MARKING = 1.0

#: Starts, and positions behind ends, in characters.
Places = tuple[tuple[int, int], ...]

#: Columns of the steps to BLEU of a segment.
STEPS: Mapping[str, Field] = {
    "order": Field("count", "Length of the n-grams, in tokens."),
    "ngrams": Field("count", "N-grams of the output: the denominator of the precision.", "n-grams"),
    "in_references": Field("count", "N-grams that occur in any reference."),
    "matches": Field("count", "Matches after clipping: the numerator of the precision."),
    "precision": Field("fraction", "Matches divided by n-grams; empty where the output has none."),
    "as_scored": Field("fraction", "The precision after smoothing, which the mean is taken of."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentTexts:
    """A segment of one or more systems.

    Attributes:
        number: from 1.
        place: its position in the data in use, from 0.
        document: its document; empty where that is not known.
        labels: label -> its value.
        source: its source text; None where there is none.
        references: the names of the references in use that it has.
        systems: the system, the baseline if there is one, and others if they are shown.
        outputs: their outputs, marked; each holds the references in the same order.
        different: of each output's tokens, whether they differ from the first one's, or in the first output from the
            second one's; empty for one system.
        settings: under which n-grams are counted.
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

    def lacking(self, reference: int) -> tuple[tuple[bool, ...], ...]:
        """Of a reference's tokens, whether each of the outputs lacks them."""
        return tuple(output.references[reference].missing for output in self.outputs)

    @property
    def shown(self) -> tuple[str, ...]:
        """All texts as they are shown: the source (empty if there is none), the references and the outputs."""
        references = (reference.shown for reference in self.outputs[0].references)
        return (self.source or "", *references, *(output.shown for output in self.outputs))


@dataclass(frozen=True, slots=True)
class FoundPlaces:
    """Where a text was found in a segment: starts, and positions behind ends, in characters.

    Attributes:
        source: places in the source.
        references: places in each of the references.
        outputs: places in each of the outputs.
    """

    source: Places
    references: tuple[Places, ...]
    outputs: tuple[Places, ...]


def read_texts(view: View, systems: tuple[str, ...], number: int) -> SegmentTexts:
    """Read the segment of that number of one or more systems."""
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
    )


def segment_examples(
    view: View, read: SegmentAnalysis, shown: OutputNumbers, notes: Mapping[int, str]
) -> tuple[Table, Mapping[tuple[int, str], TextMarks]]:
    """The texts of some segments as examples, with the scores of the outputs.

    Args:
        view: the data.
        read: all segments of one or two systems.
        shown: the numbers of the systems whose outputs are taken.
        notes: number of each segment to take -> the note about it; ones that a slice does not have are left out.

    Returns:
        The table, and the marks of its texts by row, from 0, and column.
    """
    corpus, places = view.workspace.corpus, {n: place for n in notes if (place := read.place(n)) is not None}
    text: dict[str, tuple[Field, Sequence[Cell]]] = {"segment": (Field("count", "Number of the segment."), [*places])}

    def add(name: str, column: Field, cells: Sequence[str | float | None]) -> None:
        taken = (cells[place] for place in places.values())
        text[name] = (column, [math.nan if cell is None else cell for cell in taken])

    if corpus.documents is not None:
        add("document", Field("text", "Document of the segment."), corpus.documents)
    if corpus.source is not None:
        add("source", Field("text", "Source text."), corpus.source)
    for name in view.evaluation.references:
        add(f"reference {name}", Field("text", "Reference."), corpus.references[name])
    for k, name in enumerate(shown.systems):
        add(f"output of {name}", Field("text", "Output."), corpus.systems[name])
        add(f"{read.metric.label} of {name}", Field("points", "Score of the segment."), shown.scores[k].tolist())
    text["note"] = (Field("text", "The note."), [notes[number] or math.nan for number in places])
    rows = zip(*(cells for _, cells in text.values()), strict=True)
    marks: dict[tuple[int, str], TextMarks] = {}
    for row, number in enumerate(places):
        texts = read_texts(view, shown.systems, number)
        for k, name in enumerate(texts.references):
            lacking = [all(of_token) for of_token in zip(*texts.lacking(k), strict=True)]
            marks[row, f"reference {name}"] = _marks(texts.outputs[0].references[k], unmatched=lacking)
        for name, output in zip(texts.systems, texts.outputs, strict=True):
            matched = [order > 0 for order in output.matched]
            marks[row, f"output of {name}"] = _marks(output, matched=matched, unmatched=[not each for each in matched])
    return Table({name: column for name, (column, _) in text.items()}, tuple(rows)), marks


def _marks(text: MarkedText, *, unmatched: Sequence[bool], matched: Sequence[bool] | None = None) -> TextMarks:
    """Marks of the tokens of a text; none where its tokens do not stand in it."""
    if text.spans is None:
        return ()
    found: list[TextMark] = []
    for token, (start, end) in enumerate(text.spans):
        if unmatched[token]:
            found.append((start, end, "unmatched"))
        elif matched is not None and matched[token]:
            found.append((start, end, "matched"))
    return tuple(mark for mark in found if mark[0] < mark[1])


def places_found(view: View, search: TextSearch, number: int) -> tuple[tuple[Role, str], ...]:
    """The texts of a segment, by its number, in which a text was found: (role, name) pairs, none where it fails."""
    try:
        return texts_with(
            view.workspace.corpus,
            search,
            view.numbers.index(number),
            systems=view.evaluation.systems,
            seconds=MARKING / ROWS_SHOWN,
        )
    except BleuCoreError:
        return ()


def mark_found(segments: Sequence[SegmentTexts], search: TextSearch) -> tuple[tuple[FoundPlaces, ...], str]:
    """Where a text was found in the texts of segments that are shown, and why no place is known; else empty."""
    shown = [texts.shown for texts in segments]
    try:
        hits = iter(find_hits([text for texts in shown for text in texts], search, seconds=MARKING))
    except BleuCoreError as error:
        hits, reason = iter([()] * sum(map(len, shown))), str(error)
    else:
        reason = ""
    found: list[FoundPlaces] = []
    for texts in segments:
        source, *others = (next(hits) for _ in texts.shown)
        references = len(texts.references)
        found.append(FoundPlaces(source, tuple(others[:references]), tuple(others[references:])))
    return tuple(found), reason


def ratings_by_judge(view: View, systems: tuple[str, ...], place: int) -> tuple[Table, ...]:
    """Of each system, the ratings of the segment at a position, from 0, by judge; empty where there are none."""
    ratings = ratings_or_none(view)
    if ratings is None:
        return ()
    return tuple(ratings_of_segment(ratings, system, place + 1) for system in systems)


def precision_steps(output: MarkedOutput) -> Table:
    """N-grams, matches and precisions of each order, from which BLEU of a segment comes about."""
    rows = [
        (o.order, o.total, o.standard_matches, o.matches, o.modified_precision, float(scored))
        for o, scored in zip(output.worked.orders, output.worked.bleu.precisions, strict=True)
    ]
    return Table(STEPS, tuple(rows))
