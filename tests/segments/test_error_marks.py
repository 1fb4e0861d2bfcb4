"""Errors in texts: which are found for a segment, and the pieces into which they cut a text."""

from __future__ import annotations

import numpy as np
import pytest
from annotated_errors import Marked, error_annotations, error_at, omission
from hypothesis import given
from hypothesis import strategies as st

from bleu_core.dataset import NO_PLACE, Annotator
from bleu_core.segments import (
    AnnotatedItem,
    ErrorIndex,
    SegmentError,
    annotator_names,
    error_list,
    mark_errors,
)

TEXT = "The quick brown fox"

#: A judge, another, and a metric.
J, K, X = Annotator("J"), Annotator("K"), Annotator("X", is_metric=True)

SPANS = st.lists(st.tuples(st.sampled_from("JKX"), st.integers(-1, 12), st.integers(-1, 12)), max_size=8).map(
    lambda spans: sorted(spans, key=lambda span: span[0])
)


def cut(text: str, *errors: SegmentError) -> list[tuple[str, list[str], bool]]:
    """Each piece with an error, who marked it, and whether an error begins there."""
    marks = mark_errors(text, errors)
    return [
        (text[run.start : run.end], [marks.errors[error].annotator for error in run.errors], run.begins)
        for run in marks.runs
    ]


def test_a_text_without_errors_is_not_cut() -> None:
    marks = mark_errors(TEXT, [])
    assert (marks.errors, marks.layers, marks.runs, marks.layer_count) == ((), (), (), 0)


def test_overlapping_errors_of_two_judges_are_cut_into_pieces_in_two_layers() -> None:
    errors = [error_at(4, 15), error_at(10, 19, "K")]
    assert cut(TEXT, *errors) == [("quick ", ["J"], True), ("brown", ["J", "K"], True), (" fox", ["K"], False)]
    marks = mark_errors(TEXT, errors)
    assert marks.layers == (0, 1)
    assert [marks.marked(error) for error in (0, 1)] == ["quick brown", "brown fox"]


def test_adjacent_errors_of_a_judge_share_a_layer_and_no_piece() -> None:
    assert cut(TEXT, error_at(0, 3), error_at(3, 9)) == [("The", ["J"], True), (" quick", ["J"], True)]
    assert mark_errors(TEXT, [error_at(3, 9), error_at(0, 3)]).layers == (0, 0)


def test_overlapping_errors_of_one_judge_have_layers_of_their_own() -> None:
    marks = mark_errors(TEXT, [error_at(0, 9), error_at(4, 9), error_at(10, 15), error_at(0, 3, "K")])
    assert marks.layers == (0, 1, 0, 2)
    assert marks.layer_count == 3


def test_errors_that_coincide_are_one_piece() -> None:
    assert cut(TEXT, error_at(4, 9), error_at(4, 9, "K"), error_at(4, 9, "X")) == [("quick", ["J", "K", "X"], True)]


@pytest.mark.parametrize("place", [(NO_PLACE, NO_PLACE), (4, 4), (19, 25), (9, 4), (400, 500)])
def test_an_error_of_no_character_has_no_place_and_comes_last(place: tuple[int, int]) -> None:
    marks = mark_errors(TEXT, [error_at(*place), error_at(0, 3, "K")])
    assert [error.annotator for error in marks.errors] == ["K", "J"]
    assert marks.layers == (0, NO_PLACE)
    assert marks.marked(1) == ""
    assert [run.errors for run in marks.runs] == [(0,)]


def test_what_exceeds_the_text_is_cut_off() -> None:
    assert cut(TEXT, error_at(16, 99)) == [("fox", ["J"], True)]


def test_places_are_code_points() -> None:
    text = "\U0001f469\u200d\U0001f680 e\u0301 שלום"
    assert cut(text, error_at(0, 3), error_at(4, 6), error_at(7, 11)) == [
        ("\U0001f469\u200d\U0001f680", ["J"], True),
        ("e\u0301", ["J"], True),
        ("שלום", ["J"], True),
    ]


@given(SPANS)
def test_each_character_has_the_errors_whose_range_has_it(spans: list[tuple[str, int, int]]) -> None:
    text = "0123456789"
    marks = mark_errors(text, [error_at(start, end, annotator) for annotator, start, end in spans])
    expected = [
        sorted((start, end, annotator) for annotator, start, end in spans if 0 <= start <= place < end)
        for place in range(len(text))
    ]
    shown: list[list[tuple[int, int, str]]] = [[] for _ in text]
    for run in marks.runs:
        for place in range(run.start, run.end):
            assert not shown[place]
            of_run = [marks.errors[error] for error in run.errors]
            shown[place] = sorted((error.start, error.end, error.annotator) for error in of_run)
        layers = [marks.layers[error] for error in run.errors]
        assert len(set(layers)) == len(layers)
        assert run.begins == any(marks.errors[error].start == run.start for error in run.errors)
    assert shown == expected
    assert len(marks.errors) == len(spans)
    assert [marks.marked(k) != "" for k in range(len(spans))] == [layer != NO_PLACE for layer in marks.layers]
    of_layer = {layer: marks.errors[k].annotator for k, layer in enumerate(marks.layers) if layer != NO_PLACE}
    assert sorted(of_layer) == list(range(marks.layer_count))
    for k, layer in enumerate(marks.layers):
        assert layer == NO_PLACE or of_layer[layer] == marks.errors[k].annotator


def test_an_index_finds_the_items_of_a_segment_by_annotator() -> None:
    grammar: Marked = (4, 9, "minor", "Fluency/Grammar", False)
    omitted: Marked = (NO_PLACE, NO_PLACE, "major", "Accuracy/Omission", True)
    index = ErrorIndex(
        error_annotations(
            {(X, "B", 1): [grammar], (J, "A", 1): [], (K, "B", 1): [omitted, grammar], (J, "B", 0): [grammar]},
            segments=3,
        )
    )
    assert index.names == ("X (metric)", "J", "K")
    assert [(item.annotator, len(item.errors)) for item in index.items("B", 1)] == [("X (metric)", 1), ("K", 2)]
    first = index.items("B", 1)[1].errors[0]
    assert first == omission("K", system="B", in_source=True)
    assert index.items("A", 1) == (AnnotatedItem(system="A", annotator="J", errors=()),)
    assert index.items("A", 0) == index.items("B", 2) == index.items("C", 0) == ()


def test_an_index_of_random_errors_has_all_of_them() -> None:
    rng = np.random.default_rng(1)
    items: dict[tuple[Annotator, str, int], list[Marked]] = {}
    for _ in range(300):
        key = ((J, K, X)[rng.integers(3)], "AB"[rng.integers(2)], int(rng.integers(40)))
        places = [sorted(rng.integers(0, 9, 2).tolist()) for _ in range(rng.integers(4))]
        items[key] = [(start, end, f"s{start}", f"c{end}", start > 4) for start, end in places]
    index = ErrorIndex(error_annotations(items, segments=40))
    names = dict(zip((J, K, X), ("J", "K", "X (metric)"), strict=True))
    found = {
        (item.annotator, system, segment): [
            (error.start, error.end, error.severity, error.category, error.in_source) for error in item.errors
        ]
        for system in "AB"
        for segment in range(40)
        for item in index.items(system, segment)
    }
    assert found == {(names[annotator], *where): errors for (annotator, *where), errors in items.items()}


def test_annotators_of_the_same_name_are_told_apart() -> None:
    annotators = [Annotator("J", "one"), Annotator("J"), Annotator("J", is_metric=True), Annotator("K", "one")]
    assert annotator_names(annotators) == ("J (one)", "J (no group)", "J (metric)", "K")
    assert len(set(annotator_names([Annotator("J (metric)"), Annotator("J", is_metric=True)]))) == 2


def test_errors_are_listed_in_one_cell() -> None:
    found = (error_at(4, 9), omission(), error_at(0, 2, in_source=True, category=""))
    items = [
        AnnotatedItem(system="A", annotator="J", errors=found),
        AnnotatedItem(system="A", annotator="K", errors=()),
    ]
    assert error_list(items, TEXT, "Der Fuchs") == (
        "J: minor, Fluency/Grammar [4-9] “quick”; major, Accuracy/Omission, no place; minor, in the source [0-2] “De”"
        " | K: no errors"
    )
    assert error_list([], TEXT, None) == ""
