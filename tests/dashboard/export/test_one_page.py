"""How many examples fit a page, and to how many lines their texts are cut."""

from __future__ import annotations

from dashboard.export.one_page import fit_examples
from dashboard.export.section import Example

SHORT = ("The system A leads.", "It is significantly better than B.")


def examples(length: int) -> list[Example]:
    return [Example(f"Segment {n}", tuple((what, "x" * length) for what in "rab")) for n in range(1, 11)]


def test_ten_examples_of_usual_texts_fit_with_two_lines_each() -> None:
    shown, lines = fit_examples(SHORT, [*examples(100)[:5], *examples(200)[5:]])
    assert (len(shown), lines) == (10, 2)


def test_texts_are_cut_to_one_line_before_examples_are_left_out() -> None:
    shown, lines = fit_examples(["x" * 105 * 10], examples(400))
    assert (len(shown), lines) == (10, 1)


def test_the_first_examples_stay_where_a_long_introduction_leaves_little_room() -> None:
    found = examples(400)
    shown, lines = fit_examples(["x\n" * 40], found)
    assert 1 <= len(shown) < 10
    assert shown == tuple(found[: len(shown)])
    assert lines == 1
    assert fit_examples(["x\n" * 4000], found) == (tuple(found[:1]), 1)


def test_wide_characters_take_the_room_of_two() -> None:
    narrow, wide = (
        [Example("Segment 1", tuple((what, text) for what in "abcd")) for _ in range(10)]
        for text in ("x" * 90, "\u6f22" * 90)
    )
    above = ["x" * 105 * 14]
    assert fit_examples(above, narrow)[1] == 2
    assert fit_examples(above, wide)[1] == 1
