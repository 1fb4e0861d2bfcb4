"""The table of segments: numbers, documents, labels, notes, scores and ratings, but no texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy.typing as npt

from bleu_core.arrays import Integers
from bleu_core.dataset import Corpus
from bleu_core.fields import Cell, Field, Table, table_of_columns
from bleu_core.segments import ErrorIndex
from dashboard import session
from dashboard.analysis.segment_errors import error_cells
from dashboard.analysis.segment_order import SegmentAnalysis, SegmentList
from dashboard.analysis.view import View

SEGMENT = Field("count", "Number of the segment.")

#: Columns: name -> declaration and cells.
Columns = dict[str, tuple[Field, Sequence[Cell]]]


def segment_rows(
    view: View,
    analysis: SegmentAnalysis,
    listed: SegmentList,
    positions: range | None = None,
    *,
    notes: Mapping[int, session.SegmentNote],
    errors: ErrorIndex | None = None,
) -> Table:
    """Return a table of segments, without their texts.

    Args:
        view: the data.
        analysis: all segments.
        listed: the list of segments.
        positions: positions in the list to show; all if None.
        notes: notes about segments, by number.
        errors: that judges and metrics marked in the outputs; None without any.
    """
    places = listed.places if positions is None else listed.places[positions.start : positions.stop]
    corpus = view.workspace.corpus
    numbers: list[int] = analysis.numbers[places].tolist()
    measured = _measured(analysis, places)
    known: Columns = {"segment": (SEGMENT, numbers)}
    if corpus.documents is not None:
        known["document"] = (Field("text", "Document of the segment."), [corpus.documents[p] for p in places.tolist()])
    noted: Columns = {}
    if notes:
        row_notes = [notes.get(number, session.SegmentNote()) for number in numbers]
        stars = ["★" if note.starred else "" for note in row_notes]
        noted["star"] = (Field("text", "Whether the segment is starred."), stars)
        noted["note"] = (Field("text", "The note."), [note.text for note in row_notes])
    labels = _labels(corpus, places, [*known, *noted, *measured])
    marked = {} if errors is None else _errors(corpus, errors, analysis.systems, places)
    return table_of_columns({**known, **labels, **noted, **measured, **marked})


def _errors(corpus: Corpus, errors: ErrorIndex, systems: Sequence[str], places: Integers) -> Columns:
    """Return the errors in the outputs of some segments."""
    columns: Columns = {}
    for name in systems:
        column = Field("text", "Errors in the output by judge or metric.", f"errors of {name}")
        columns[f"errors_{name}"] = (column, error_cells(corpus, errors, name, places.tolist()))
    return columns


def _labels(corpus: Corpus, places: Integers, names: Sequence[str]) -> Columns:
    """Return the labels of some segments, under unique names."""
    columns: Columns = {}
    for label, values in corpus.labels.items():
        name = label
        while name in (*names, *columns):
            name += " (label)"
        columns[name] = (Field("text", "Label of the segment.", name), [values[place] for place in places.tolist()])
    return columns


def _measured(analysis: SegmentAnalysis, places: Integers) -> Columns:
    """Return influence, scores, lengths and ratings of some segments."""
    columns: Columns = {}

    def add(name: str, column: Field, values: npt.NDArray[Any]) -> None:
        columns[name] = (column, values[places].tolist())

    what = "difference" if analysis.systems[1:] else "score"
    favours = f"above 0 if the segment is in favour of {analysis.systems[0]}"
    help_text = f"Corpus {what} with all segments minus that without this one; {favours}."
    metric = analysis.metric
    unit, digits = f" ({metric.unit})" if metric.unit else "", metric.decimals + 1  # a segment has little influence
    influence = Field("number", help_text, f"effect on {metric.label}{unit}", decimals=digits)
    add("influence", influence, analysis.influence)
    for name, row in zip(analysis.systems, analysis.scores, strict=True):
        column = Field("points", f"{metric.label} of this segment.", f"score of {name}", decimals=metric.decimals)
        add(f"score_{name}", column, row)
    if analysis.systems[1:]:
        difference = analysis.scores[0] - analysis.scores[1]
        help_text = "Score of the system minus that of the baseline."
        add("difference", Field("difference", help_text, decimals=metric.decimals), difference)
    add("reference_length", Field("count", "Tokens of the first reference."), analysis.reference_lengths)
    for name, row in zip(analysis.systems, analysis.lengths, strict=True):
        add(f"length_{name}", Field("count", "Tokens of the output.", f"length of {name}"), row)
    if analysis.ratings is not None:
        for name, row in zip(analysis.systems, analysis.ratings, strict=True):
            add(f"rating_{name}", Field("number", "Mean rating over judges.", f"rating of {name}"), row)
    return columns
