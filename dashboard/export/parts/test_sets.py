"""Test sets: the systems over all test sets of the session, their mean scores, and what to expect on a new one."""

from __future__ import annotations

from bleu_core.errors import AlignmentError, as_sentence
from bleu_core.results.test_sets import (
    dagger_note,
    headline_over_sets,
    mean_pairs_table,
    methods_over_sets,
    missing_cells_notes,
    next_set_sentence,
    over_sets_table,
)
from dashboard import analysis, words
from dashboard.exhibits import FOREST
from dashboard.export.parts.declaration import Part
from dashboard.export.section import Drawing, Section
from dashboard.export.source import Source


def test_sets(source: Source) -> Section:
    """Return the scores by test set, the tested differences of means, and the difference on each test set."""
    over = source.data.over_sets
    results = over.results
    sentences = [
        *headline_over_sets(results, analysis.obstructed_sets(over), slice_chosen=over.slice_chosen),
        words.what_the_mean_is(results),
    ]
    pairs = mean_pairs_table(results)
    drawings: tuple[Drawing, ...] = ()
    try:
        forest = FOREST.compute(source.data)
    except AlignmentError:  # there is only one system
        pass
    else:
        if forest.row.pooled.number:
            sentences += [words.pooled_sentence(forest.row, over.metric), next_set_sentence(forest.row, over.metric)]
            drawings = (Drawing(FOREST.title, FOREST.drawn(forest, source.data.styles)),)
    notes = [
        words.sets_left_out(over.left_out),
        *map(as_sentence, missing_cells_notes(results)[:1]),
    ]
    notes += [dagger_note(results), methods_over_sets(results)]
    return Section(
        key=PART.key,
        title=PART.title,
        sentences=tuple(sentences),
        drawings=drawings,
        tables=(over_sets_table(results), *([] if pairs is None else [pairs])),
        notes=tuple(filter(None, notes)),
    )


PART = Part("test-sets", "Test sets", test_sets, ("test sets",))
