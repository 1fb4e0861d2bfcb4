"""Sentences about single segments name the step that decides a score."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import SEGMENTS

from bleu_core.scoring import BleuSettings, find_metric
from bleu_core.segments import SliceShare, mark_output
from dashboard.analysis import PartScores
from dashboard.words import clipped_ngrams, difference_in_part, texts_found, why_this_score


def why(output: str, *references: str, **settings: Any) -> str:
    chosen = BleuSettings(**settings)
    return " ".join(why_this_score(mark_output(output, references, chosen), chosen))


@pytest.mark.parametrize(
    ("output", "references", "settings", "sentence"),
    [
        ("", ["a b"], {}, "The output has no token, so BLEU is 0."),
        ("x y", ["a b"], {}, "No token of the output occurs in a reference, so BLEU is 0."),
        (
            "a b c d e",
            ["a b c d e"],
            {},
            "BLEU = 100 × brevity penalty × mean precision = 100 × 1.000 × 1.000 = 100.00.",
        ),
        ("a b c d e", ["a b c d e"], {}, "the reference has 5. The output is not shorter, so the penalty is 1."),
        ("a b c d", ["a b c d e f", "a"], {}, "the references have 6 and 1, of which the closest length, 6, counts."),
        ("a b c d", ["a b c d e f", "a"], {}, "The output is shorter: exp(1 − 6/4) = 0.607."),
        ("a b", ["a b c", "a"], {"reference_length": "average"}, "of which the mean length, 2, counts."),
        ("a b", ["a b"], {}, "the output is too short for orders 3 and 4, which are left out."),
        ("a b c", ["a b c"], {}, "the output is too short for order 4, which is left out."),
        ("a b", ["a b"], {"effective_order": False}, "too short for orders 3 and 4, so the mean is 0."),
        ("a x b y", ["a b"], {}, "Orders 2, 3 and 4 have no match; smoothing exp counts 1/2, 1/4 and 1/8 of a match"),
        ("a b x c", ["a b c"], {"max_order": 3}, "Order 3 has no match; smoothing exp counts 1/2 of a match instead."),
        ("a x b y", ["a b"], {"smoothing": "floor"}, "smoothing floor counts 0.1 of a match instead."),
        ("a b x c", ["a b c"], {"smoothing": "none"}, "and smoothing is off, so the precision and BLEU are 0."),
        ("a b", ["a b"], {"smoothing": "add-k"}, "Smoothing add-k adds 1 to the matches and to the n-grams"),
        ("a b", ["a b"], {"weights": (0.4, 0.3, 0.2, 0.1)}, "the weighted geometric mean of the precisions"),
    ],
)
def test_the_step_that_decides_is_named(
    output: str, references: list[str], settings: dict[str, Any], sentence: str
) -> None:
    assert sentence in why(output, *references, **settings)


@given(
    SEGMENTS,
    st.lists(SEGMENTS, min_size=1, max_size=3),
    st.sampled_from(["exp", "none", "floor", "add-k"]),
    st.sampled_from([None, True, False]),
)
def test_the_numbers_give_the_score(
    output: str,
    references: list[str],
    smoothing: Any,
    effective: bool | None,  # noqa: FBT001 # of Hypothesis
) -> None:
    settings = BleuSettings(smoothing=smoothing, effective_order=effective)
    marked = mark_output(output, references, settings)
    text = " ".join(why_this_score(marked, settings))
    numbers = re.search(r"= 100 × ([\d.]+) × ([\d.]+) = ([\d.]+)\.", text)
    if numbers is None:
        assert marked.worked.score == 0
        assert "so BLEU is 0" in text
        return
    penalty, mean, score = map(float, numbers.groups())
    assert score == pytest.approx(marked.worked.score, abs=0.005)
    assert 100 * penalty * mean == pytest.approx(marked.worked.score, abs=0.11)
    if score == 0:
        assert "is 0" in text or "are 0" in text


def test_clipped_n_grams_are_named_with_their_counts() -> None:
    settings = BleuSettings()
    marked = mark_output("the the the cat", ["the cat the", "a"], settings)
    assert clipped_ngrams(marked) == "Clipped, because no reference has them as often: “the” (2 of 3 counted)."
    assert clipped_ngrams(mark_output("a b", ["a b"], settings)) == ""


def test_places_of_a_text_are_named() -> None:
    assert texts_found([]) == ""
    assert texts_found([("source", ""), ("reference", "r"), ("system", "A")]) == (
        "Found in the source, reference r and the output of A."
    )


@pytest.mark.parametrize(
    ("differences", "part", "there", "share"),
    [
        ((1.2, 0.3, 0.5), 0.1, "A scores 1.20 BLEU higher than B; elsewhere 0.30 higher.", "+0.10 (20%)"),
        ((-1.2, 0.3, 0.5), -0.1, "A scores 1.20 BLEU lower than B; elsewhere 0.30 higher.", "−0.10 (−20%)"),
        ((1.2, -0.3, 0.5), 0.6, "A scores 1.20 BLEU higher than B; elsewhere 0.30 lower.", "+0.60 (120%)"),
        ((0.0, 0.001, 0.0), 0.0, "A and B have the same BLEU score; elsewhere the same score.", ""),
        ((math.nan,) * 3, math.nan, "the BLEU difference of A and B is undefined; elsewhere undefined.", ""),
    ],
)
def test_a_difference_in_a_part_is_compared_with_that_elsewhere(
    differences: tuple[float, float, float], part: float, there: str, share: str
) -> None:
    inside, outside, delta = differences
    found = SliceShare(
        system="A",
        baseline="B",
        segments=3,
        total=1000,
        delta=delta,
        inside=inside,
        outside=outside,
        part=part,
        share=part / delta if delta else math.nan,
    )
    scores = PartScores(
        expression="x = 1",
        systems=("A", "B"),
        metric=find_metric("bleu"),
        segments=3,
        of=1000,
        inside=(0.0, 0.0),
        outside=(0.0, 0.0),
        share=found,
    )
    whole = f" Of the whole difference of +0.50, {share} lies there." if share else ""
    assert difference_in_part(scores) == f"Where x = 1 (3 of 1,000 segments), {there}{whole}"


def test_one_system_is_scored_in_a_part_and_elsewhere() -> None:
    scores = PartScores(
        expression="x = 1",
        systems=("A",),
        metric=find_metric("ter"),
        segments=3,
        of=1000,
        inside=(50.0,),
        outside=(math.nan,),
        share=None,
    )
    assert difference_in_part(scores) == "Where x = 1 (3 of 1,000 segments), A scores 50.00 TER; elsewhere undefined."
