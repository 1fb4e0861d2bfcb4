"""Segments with their texts, for reports."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import chain, islice

from bleu_core.results.table import format_cell
from bleu_core.segments import ErrorIndex, mark_errors
from dashboard import analysis, words
from dashboard.export.section import Example
from dashboard.export.source import Source


def examples(source: Source, numbers: Iterable[int], *, references: int | None = None) -> tuple[Example, ...]:
    """Return some segments with their texts and the scores of the outputs.

    Args:
        source: the data and user's notes.
        numbers: of the segments, which must be in the text.
        references: maximum number of references to show; all in use if None, and the errors in the outputs, too.
    """
    errors = analysis.errors_of(source.data.view) if references is None else None
    return tuple(_example(source, number, references, errors) for number in numbers)


def telling_segments(source: Source, max_segments: int) -> tuple[int, ...]:
    """Return the segments that best show the difference of two systems, or the lowest scores of a single one.

    Starred segments come first, then, alternately, those that add most to the difference in favour of either system.
    """
    segments = source.data.segments
    if source.has_pair:
        best, worst = (segments.listed(order) for order in ("gain", "loss"))
        turns = (order.number(n) for n in range(min(max_segments, len(best))) for order in (best, worst))
    else:
        lowest = segments.listed("lowest")
        turns = (lowest.number(n) for n in range(min(max_segments, len(lowest))))
    return tuple(islice(dict.fromkeys(chain(source.starred, turns)), max_segments))


def _example(source: Source, number: int, max_references: int | None, errors: ErrorIndex | None) -> Example:
    view, segments = source.data.view, source.data.segments
    corpus, place = view.workspace.corpus, view.numbers.index(number)
    document = "" if corpus.documents is None else f" ({corpus.documents[place]})"
    texts: list[tuple[str, str]] = []
    source_text = "" if corpus.source is None else corpus.source[place]
    if corpus.source is not None:
        texts.append(("Source", source_text))
    named = ((name, corpus.references[name][place]) for name in view.evaluation.references)
    present = [(name, text) for name, text in named if text is not None]
    texts += [(f"Reference {name}", text) for name, text in present[:max_references]]
    for k, name in enumerate(segments.systems):
        score = segments.score(k, number)
        points = "undefined" if math.isnan(score) else format_cell(score, "points", segments.metric.decimals)
        texts.append((f"{name}: {points} {segments.metric.label}", corpus.systems[name][place]))
        if errors is not None and (items := errors.items(name, place)):
            found = [error for item in items for error in item.errors]
            output = mark_errors(corpus.systems[name][place], [error for error in found if not error.in_source])
            in_source = mark_errors(source_text, [error for error in found if error.in_source])
            texts.append((f"Errors of {name}", words.errors_of_output((output, in_source), items)))
    note = source.notes.get(number)
    return Example(f"Segment {number:,}{document}", tuple(texts), note.text if note else "")
