"""Segments with their texts, as a reader of a report sees them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import chain, islice

from bleu_core.results.table import format_cell
from dashboard.export.section import Example
from dashboard.export.source import Source


def examples(source: Source, numbers: Iterable[int], *, references: int | None = None) -> tuple[Example, ...]:
    """Some segments with their texts and the scores of the outputs.

    Args:
        source: what the report is about.
        numbers: of the segments, which are in the text.
        references: how many references are shown at most; all in use if None.
    """
    return tuple(_example(source, number, references) for number in numbers)


def telling_segments(source: Source, most: int) -> tuple[int, ...]:
    """The segments that show best how two systems differ; of one system alone, those with the lowest scores.

    Starred segments come first, then, in turn, those that add most to the difference in favour of either system.
    """
    read = source.data.segments
    if source.has_pair:
        gains, losses = (read.listed(order) for order in ("gain", "loss"))
        turns = (order.number(n) for n in range(min(most, len(gains))) for order in (gains, losses))
    else:
        lowest = read.listed("lowest")
        turns = (lowest.number(n) for n in range(min(most, len(lowest))))
    return tuple(islice(dict.fromkeys(chain(source.starred, turns)), most))


def _example(source: Source, number: int, most: int | None) -> Example:
    view, read = source.data.view, source.data.segments
    corpus, place = view.workspace.corpus, view.numbers.index(number)
    document = "" if corpus.documents is None else f" ({corpus.documents[place]})"
    texts: list[tuple[str, str]] = []
    if corpus.source is not None:
        texts.append(("Source", corpus.source[place]))
    found = ((name, corpus.references[name][place]) for name in view.evaluation.references)
    given = [(name, text) for name, text in found if text is not None]
    texts += [(f"Reference {name}", text) for name, text in given[:most]]
    for k, name in enumerate(read.systems):
        score = read.score(k, number)
        points = "undefined" if math.isnan(score) else format_cell(score, "points")
        texts.append((f"{name}: {points} {read.metric.label}", corpus.systems[name][place]))
    note = source.notes.get(number)
    return Example(f"Segment {number:,}{document}", tuple(texts), note.text if note else "")
