"""Sentences about errors in texts."""

from __future__ import annotations

import pytest
from annotated_errors import error_at, omission

from bleu_core.segments import AnnotatedItem, mark_errors
from dashboard.words import error_described, error_listed, errors_of_output, lines_of_annotators

TEXT = "The quick brown fox"
NOBODY = AnnotatedItem(system="A", annotator="L", errors=())


def test_an_error_is_described_by_severity_category_and_judge() -> None:
    assert error_described(error_at(0, 3)) == "minor, Fluency/Grammar (J)"
    assert error_described(error_at(0, 3, category="")) == "minor (J)"
    assert error_described(error_at(0, 3, category="", severity="")) == "error (J)"
    in_source = error_at(0, 3, in_source=True)
    assert error_described(in_source, with_system=True) == "minor, Fluency/Grammar, in the source (J, output of A)"


def test_an_error_is_listed_with_its_words_or_without_a_place() -> None:
    marks = mark_errors(TEXT, [error_at(4, 9), omission(), omission("K", category="Other")])
    assert [error_listed(marks, error) for error in range(3)] == [
        "“quick”: minor, Fluency/Grammar (J)",
        "Missing text: major, Accuracy/Omission (J)",
        "Without a place in the text: major, Other (K)",
    ]


@pytest.mark.parametrize("name", ["נועה", "a\u202eb", "ar عربي\u202e"])
def test_names_do_not_turn_what_is_around_them(name: str) -> None:
    described = error_described(error_at(0, 3, name, category=name))
    assert "\u202e" not in described
    assert described.count("\u2068") == described.count("\u2069") == (0 if name.isascii() or "a\u202e" in name else 2)


def test_annotators_are_named_in_the_order_of_their_lines() -> None:
    two = [error_at(4, 9), error_at(10, 15), error_at(0, 9, "K")]
    assert lines_of_annotators(mark_errors(TEXT, two), [NOBODY]) == (
        "Lines from top to bottom: J (2 errors), K (1 error). No errors: L."
    )
    assert lines_of_annotators(mark_errors(TEXT, two[:1]), []) == "Marked by J (1 error)."
    assert lines_of_annotators(mark_errors(TEXT, [omission()]), []) == ""
    assert lines_of_annotators(mark_errors(TEXT, []), [NOBODY]) == "No errors: L."
    source = [error_at(0, 3, in_source=True), error_at(0, 3, in_source=True, system="B")]
    assert lines_of_annotators(mark_errors(TEXT, source), [], with_system=True) == (
        "Lines from top to bottom: J (output of A: 1 error), J (output of B: 1 error)."
    )


def test_errors_of_an_output_are_one_line() -> None:
    output = mark_errors(TEXT, [error_at(4, 9)])
    source = mark_errors("Der Fuchs", [error_at(4, 9, in_source=True)])
    assert errors_of_output((output, source), [NOBODY]) == (
        "“quick”: minor, Fluency/Grammar (J); “Fuchs”: minor, Fluency/Grammar, in the source (J); no errors (L)"
    )
