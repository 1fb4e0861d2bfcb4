"""The texts of one segment, marked for reading, with the ratings of its outputs; and of several, as examples."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bleu_core.dataset import Role
from bleu_core.errors import BleuCoreError
from bleu_core.fields import Cell, Field, Table
from bleu_core.scoring import BleuSettings
from bleu_core.segments import MarkedOutput, mark_output, word_differences
from bleu_core.slicing import TextSearch, find_hits, texts_with
from dashboard.analysis import SegmentsRead, View, ratings_of_segment, ratings_or_none

#: Seconds after which the search within the texts of one segment is stopped.
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
    """A segment of one or two systems.

    Attributes:
        number: from 1.
        document: its document; empty where that is not known.
        source: its source text; None where there is none.
        references: the names of the references in use that it has.
        systems: the system, and the baseline if there is one.
        outputs: their outputs, marked; each holds the references in the same order.
        different: of each output's tokens, whether they differ from the other's; empty for one system.
        ratings: of each system, its ratings by judge; empty where there are none.
        settings: under which n-grams are counted.
    """

    number: int
    document: str
    source: str | None
    references: tuple[str, ...]
    systems: tuple[str, ...]
    outputs: tuple[MarkedOutput, ...]
    different: tuple[tuple[bool, ...], ...]
    ratings: tuple[Table, ...]
    settings: BleuSettings

    def lacking(self, reference: int) -> tuple[tuple[bool, ...], ...]:
        """Of a reference's tokens, whether each of the outputs lacks them."""
        return tuple(output.references[reference].missing for output in self.outputs)


@dataclass(frozen=True, slots=True)
class FoundPlaces:
    """Where a text was found: starts, and positions behind ends, in characters.

    Attributes:
        source: places in the source.
        references: places in each of the references that are shown.
        outputs: places in each of the outputs.
        reason: why no place is known, else empty.
    """

    source: Places
    references: tuple[Places, ...]
    outputs: tuple[Places, ...]
    reason: str = ""


def read_texts(view: View, systems: tuple[str, ...], number: int) -> SegmentTexts:
    """Read the segment of that number of one or two systems."""
    corpus, evaluation, place = view.workspace.corpus, view.evaluation, view.numbers.index(number)
    texts = ((name, corpus.references[name][place]) for name in evaluation.references)
    references = {name: text for name, text in texts if text is not None}
    outputs = tuple(
        mark_output(corpus.systems[name][place], list(references.values()), evaluation.settings) for name in systems
    )
    different = word_differences(outputs[0].tokens, outputs[1].tokens) if systems[1:] else ()
    return SegmentTexts(
        number=number,
        document=corpus.documents[place] if corpus.documents is not None else "",
        source=corpus.source[place] if corpus.source is not None else None,
        references=tuple(references),
        systems=systems,
        outputs=outputs,
        different=different,
        ratings=_ratings(view, systems, place + 1),
        settings=evaluation.settings,
    )


def segment_examples(view: View, read: SegmentsRead, notes: Mapping[int, str]) -> Table:
    """The texts of some segments as examples, with the scores of the outputs.

    Args:
        view: the data.
        read: all segments of one or two systems.
        notes: number of each segment to take -> the note about it; ones that a slice does not have are left out.
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
    for k, name in enumerate(read.systems):
        add(f"output of {name}", Field("text", "Output."), corpus.systems[name])
        add(f"{read.metric.label} of {name}", Field("points", "Score of the segment."), read.scores[k].tolist())
    text["note"] = (Field("text", "The note."), [notes[number] or math.nan for number in places])
    rows = zip(*(cells for _, cells in text.values()), strict=True)
    return Table({name: column for name, (column, _) in text.items()}, tuple(rows))


def places_found(view: View, search: TextSearch, number: int) -> tuple[tuple[Role, str], ...]:
    """The texts of a segment, by its number, in which a text was found: (role, name) pairs, none where it fails."""
    try:
        return texts_with(view.workspace.corpus, search, view.numbers.index(number), systems=view.evaluation.systems)
    except BleuCoreError:
        return ()


def mark_found(texts: SegmentTexts, search: TextSearch) -> FoundPlaces:
    """Where a text was found in the texts of a segment that are shown."""
    shown = [texts.source or "", *(reference.shown for reference in texts.outputs[0].references)]
    try:
        source, *others = find_hits([*shown, *(output.shown for output in texts.outputs)], search, seconds=MARKING)
    except BleuCoreError as error:
        return FoundPlaces((), ((),) * len(texts.references), ((),) * len(texts.outputs), str(error))
    references = len(texts.references)
    return FoundPlaces(source, tuple(others[:references]), tuple(others[references:]))


def precision_steps(output: MarkedOutput) -> Table:
    """N-grams, matches and precisions of each order, from which BLEU of a segment comes about."""
    rows = [
        (o.order, o.total, o.standard_matches, o.matches, o.modified_precision, float(scored))
        for o, scored in zip(output.worked.orders, output.worked.bleu.precisions, strict=True)
    ]
    return Table(STEPS, tuple(rows))


def _ratings(view: View, systems: tuple[str, ...], number: int) -> tuple[Table, ...]:
    ratings = ratings_or_none(view)
    if ratings is None:
        return ()
    return tuple(ratings_of_segment(ratings, system, number) for system in systems)
