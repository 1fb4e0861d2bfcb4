"""Conditions that people choose from boxes are in the language of slices, and hold where they should."""

from __future__ import annotations

import pytest

from bleu_core.dataset import Corpus
from bleu_core.slicing import slice_corpus
from dashboard.analysis import COMPARISONS, SliceField, condition

CORPUS = Corpus(
    systems={'A "1"': ("a (b) c", "x", "No, not here"), "B": ("a", "x", "c")},
    references={"R": ("The (b) 5", "a B c", "one two three four")},
    source=("q", "r", "s"),
    documents=("d\\1", 'd"2', "and"),
    labels={"kind of text": ("news", "", "talk, or not"), "length": ("1", "2", "3")},
)
SYSTEMS = tuple(CORPUS.systems)


def held(*chosen: object) -> tuple[int, ...]:
    return slice_corpus(condition(*chosen), CORPUS).numbers  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("field", "names", "comparison", "value", "expected"),
    [
        (SliceField("reference", "text"), (), "contains", "(B)", (1,)),
        (SliceField("reference", "text"), (), "does not contain", "b", (3,)),
        (SliceField("system", "text", names=(SYSTEMS,)), ('A "1"',), "is", "x", (2,)),
        (SliceField("document", "choice"), (), "is", 'd"2', (2,)),
        (SliceField("document", "choice"), (), "is not", "d\\1", (2, 3)),
        (SliceField("document", "choice"), (), "is", "and", (3,)),
        (SliceField("kind of text", "choice", is_label=True), (), "is", "talk, or not", (3,)),
        (SliceField("kind of text", "choice", is_label=True), (), "is", "", (2,)),
        (SliceField("length", "choice", is_label=True), (), "is", "3", (3,)),
        (SliceField("length", "number"), (), "more than", "4", (1,)),
        (SliceField("segment", "number"), (), "at most", "2", (1, 2)),
        (SliceField("equal", "choice", names=(SYSTEMS, SYSTEMS)), SYSTEMS, "is", "yes", (2,)),
        (SliceField("negations", "number", names=(("en",),)), ("en",), "is", "0", (1, 2, 3)),
    ],
)
def test_a_chosen_condition_holds_where_it_should(
    field: SliceField, names: tuple[str, ...], comparison: str, value: str, expected: tuple[int, ...]
) -> None:
    assert held(field, names, comparison, value) == expected


def test_each_comparison_is_of_a_kind_and_has_an_operator() -> None:
    assert {kind: len(of_kind) for kind, of_kind in COMPARISONS.items()} == {"number": 6, "text": 4, "choice": 2}


def test_a_condition_on_errors_names_its_system() -> None:
    field = SliceField("category", "choice", names=(SYSTEMS,), values=("Fluency",))
    assert condition(field, ('A "1"',), "is not", "Fluency") == 'category of "A \\"1\\"" != "Fluency"'
    label = SliceField("category", "choice", is_label=True, values=("Fluency",))
    assert condition(label, (), "is", "Fluency") == '"category" = "Fluency"'
