"""The table of segments: numbers, documents, labels, notes, scores and ratings, but no texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy.typing as npt

from bleu_core.arrays import Integers
from bleu_core.dataset import Corpus
from bleu_core.fields import Cell, Field, Table
from dashboard import session
from dashboard.analysis.segment_order import SegmentList, SegmentsRead
from dashboard.analysis.view import View

SEGMENT = Field("count", "Number of the segment.")

#: Columns: name -> declaration, and the cell of each row.
Columns = dict[str, tuple[Field, Sequence[Cell]]]


def segment_rows(
    view: View,
    read: SegmentsRead,
    listed: SegmentList,
    positions: range | None = None,
    *,
    notes: Mapping[int, session.SegmentNote],
) -> Table:
    """A table of segments, without their texts.

    Args:
        view: the data.
        read: all segments.
        listed: those in the list.
        positions: of the list, those to show; all if None.
        notes: what is noted about segments, by number.
    """
    places = listed.places if positions is None else listed.places[positions.start : positions.stop]
    corpus = view.workspace.corpus
    numbers: list[int] = read.numbers[places].tolist()
    measured = _measured(read, places)
    known: Columns = {"segment": (SEGMENT, numbers)}
    if corpus.documents is not None:
        known["document"] = (Field("text", "Document of the segment."), [corpus.documents[p] for p in places.tolist()])
    noted: Columns = {}
    if notes:
        of_rows = [notes.get(number, session.SegmentNote()) for number in numbers]
        stars = ["★" if note.starred else "" for note in of_rows]
        noted["star"] = (Field("text", "Whether the segment is starred."), stars)
        noted["note"] = (Field("text", "The note."), [note.text for note in of_rows])
    columns = {**known, **_labels(corpus, places, [*known, *noted, *measured]), **noted, **measured}
    cells = zip(*(of_column for _, of_column in columns.values()), strict=True)
    return Table({name: column for name, (column, _) in columns.items()}, tuple(cells))


def _labels(corpus: Corpus, places: Integers, names: Sequence[str]) -> Columns:
    """The labels of some segments, under names that no other column has."""
    found: Columns = {}
    for label, of_segments in corpus.labels.items():
        name = label
        while name in (*names, *found):
            name += " (label)"
        found[name] = (Field("text", "Label of the segment.", name), [of_segments[place] for place in places.tolist()])
    return found


def _measured(read: SegmentsRead, places: Integers) -> Columns:
    """Influence, scores, lengths and ratings of some segments."""
    found: Columns = {}

    def add(name: str, column: Field, values: npt.NDArray[Any]) -> None:
        found[name] = (column, values[places].tolist())

    what = "difference" if read.systems[1:] else "score"
    favours = f"above 0 if the segment is in favour of {read.systems[0]}"
    help_text = f"Corpus {what} with all segments minus that without this one; {favours}."
    add("influence", Field("number", help_text, f"effect on {read.metric.label} (points)"), read.influence)
    for name, of_system in zip(read.systems, read.scores, strict=True):
        column = Field("points", f"{read.metric.label} of this segment.", f"score of {name}")
        add(f"score_{name}", column, of_system)
    if read.systems[1:]:
        difference = read.scores[0] - read.scores[1]
        add("difference", Field("difference", "Score of the system minus that of the baseline."), difference)
    add("reference_length", Field("count", "Tokens of the first reference."), read.reference_lengths)
    for name, of_system in zip(read.systems, read.lengths, strict=True):
        add(f"length_{name}", Field("count", "Tokens of the output.", f"length of {name}"), of_system)
    if read.ratings is not None:
        for name, of_system in zip(read.systems, read.ratings, strict=True):
            add(f"rating_{name}", Field("number", "Mean rating over judges.", f"rating of {name}"), of_system)
    return found
