"""Sentences about systems compared on slices of the text."""

from __future__ import annotations

import pytest

from bleu_core.slicing import Variation
from dashboard.words import slices_drawn, variation_verdict

NAN = float("nan")


@pytest.mark.parametrize(
    ("variation", "sentence"),
    [
        (
            Variation(system="A", baseline="B", q=12.345, p_value=0.0012),
            "The difference varies significantly between the slices (Cochran's Q = 12.35, p = 0.0012).",
        ),
        (
            Variation(system="A", baseline="B", q=1.5, p_value=0.5),
            "The difference does not vary significantly between the slices (Cochran's Q = 1.50, p = 0.50).",
        ),
        (
            Variation(system="A", baseline="B", q=NAN, p_value=NAN, reason="only one slice"),
            "Whether the difference varies between the slices is not tested: only one slice.",
        ),
    ],
)
def test_a_sentence_says_whether_the_difference_varies(variation: Variation, sentence: str) -> None:
    assert variation_verdict(variation, 0.05) == sentence


def test_a_sentence_says_which_slices_are_drawn() -> None:
    assert slices_drawn(60, 1200) == (
        "The figure has the 60 slices with the most segments of 1,200; the table has all."
    )
