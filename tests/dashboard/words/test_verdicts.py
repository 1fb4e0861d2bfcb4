"""Plain sentences about differences: they claim no more than the tests, in the right direction, with honest numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bleu_core.inference import Comparison, Comparisons, Interval, PairedT, Test, TextNeeded
from bleu_core.scoring import Decomposition
from dashboard.words import verdicts


def pair(
    delta: float = 1.0,
    bounds: tuple[float, float] = (0.4, 1.7),
    p: float = 0.002,
    adjusted: float | None = None,
    *,
    mean: float | None = None,
) -> Comparison:
    """A against B; with a mean difference it is what the paired t found."""
    t = (
        None
        if mean is None
        else PairedT(mean_difference=mean, standard_error=0.1, t=mean / 0.1, degrees_of_freedom=19, p_value=p)
    )
    reason = "no variance" if math.isnan(p) else ""
    return Comparison(
        system="A",
        baseline="B",
        delta=delta,
        interval=Interval(*bounds, 0.95),
        p_value=p,
        p_value_adjusted=p if adjusted is None else adjusted,
        paired_t=t,
        reason=reason,
    )


def result(*pairs: Comparison, test: Test | None = None, higher_is_better: bool = True, **changes: Any) -> Comparisons:
    """All that a test found."""
    systems = tuple(dict.fromkeys(name for one in pairs for name in (one.system, one.baseline)))
    usual = "t" if pairs[0].paired_t else "bootstrap"
    scores = np.arange(len(systems), 0, -1, dtype=np.float64)
    made = Comparisons(
        test=test or usual,
        systems=systems,
        scores=scores,
        pairs=pairs,
        higher_is_better=higher_is_better,
        unit="segment",
        units=500,
        segments=500,
        resamples=1000,
        trials=0,
        seed=12345,
        correction="holm",
        alpha=0.05,
    )
    return replace(made, **changes)


def said_of(one: Comparison, **changes: Any) -> str:
    return verdicts.meaning_of_p(result(one, **changes), one)


# --- two systems ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("p", "often"),
    [
        (1.0, "nearly every test"),
        (0.5, "about 50 of 100 tests"),
        (0.05, "about 5 of 100 tests"),
        (0.02, "about 2 of 100 tests"),
        (0.012, "about 1 of 83 tests"),
        (0.01, "about 1 of 100 tests"),
        (0.002, "about 1 of 500 tests"),
        (0.001, "about 1 of 1,000 tests"),
        (0.0005, "fewer than 1 of 1,000 tests"),
        (5e-324, "fewer than 1 of 1,000 tests"),
    ],
)
def test_p_is_explained_as_a_number_of_tests(p: float, often: str) -> None:
    said = f"If the two systems were equally good, a difference this large would appear in {often}."
    for bounds in ((0.4, 1.7), (-0.4, 1.7)):
        assert said_of(pair(p=p, bounds=bounds), alpha=0.0) == said  # nothing is significant, so each p is explained
    assert said_of(pair(p=p), alpha=1.1) == said


def test_it_is_said_where_the_correction_takes_significance_away() -> None:
    tested, one = result(*[pair(p=0.02, adjusted=0.06)] * 3), pair(p=0.02, adjusted=0.06)
    assert verdicts.meaning_of_p(tested, one) == (
        "On its own, p = 0.020 would be significant, but not after correcting for 3 comparisons."
    )


def test_there_is_nothing_to_explain_of_equal_scores_or_without_p() -> None:
    assert not said_of(pair(0.0, (0.0, 0.00), 1.00))
    assert not said_of(pair(1e-12, (-0.5, 0.50), 0.90))
    assert not said_of(pair(0.7, (math.nan, math.nan), math.nan))


def test_sacrebleus_p_is_not_told_as_how_often_chance_makes_such_a_difference() -> None:
    # It is about half of that.
    said = said_of(pair(p=0.002), test="sacrebleu-bootstrap")
    assert "about half of a two-sided one" in said
    assert "1 of 500 tests" not in said


# --- many systems -----------------------------------------------------------------------------------------------


def test_tiers_are_counted_and_the_first_is_named() -> None:
    many = replace(result(pair()), systems=tuple("ABCDE"))
    assert verdicts.tiers_verdict(many, [list("ABCDE")]).startswith("The systems do not fall into tiers: ")
    assert verdicts.tiers_verdict(many, ["A", "BCDE"]).startswith("2 tiers; A is in the first. Every system")
    assert "3 tiers; A, B and C are in the first." in verdicts.tiers_verdict(many, ["ABC", "D", "E"])
    assert "2 tiers; A and B are in the first." in verdicts.tiers_verdict(many, ["AB", "CDE"])
    crowd = replace(many, systems=tuple("ABCDEFG"))
    assert "2 tiers; 5 of 7 systems are in the first." in verdicts.tiers_verdict(crowd, ["ABCDE", "FG"])


@pytest.mark.parametrize(
    ("wins", "others", "said"),
    [
        ({"A": 0, "B": 0, "C": 0}, 2, "No system is significantly better than another."),
        ({"A": 5, "B": 0}, 12, "A is significantly better than 5 of the 12 others."),
        ({"A": 2, "B": 0, "C": 0}, 2, "A is significantly better than both others."),
        ({"A": 3, "B": 2, "C": 0}, 4, "A is significantly better than 3 of the 4 others and B than 2."),
        ({"A": 0, "B": 2, "C": 3}, 4, "C is significantly better than 3 of the 4 others and B than 2."),
        ({"A": 1, "B": 0}, 1, "A is significantly better than the other system."),
        (
            dict.fromkeys("ABCDEF", 1) | {"G": 0},
            6,
            "A is significantly better than 1 of the 6 others, B than 1, C than 1 and D than 1.",
        ),
    ],
)
def test_the_others_that_the_best_systems_beat_are_counted(wins: dict[str, int], others: int, said: str) -> None:
    assert verdicts.wins_verdict(wins, others) == said


def test_what_was_done_is_said_with_its_numbers() -> None:
    said = verdicts.comparison_method(result(pair(), pair()))
    assert said.startswith("Paired bootstrap: 1,000 resamples of 500 segments with replacement, seed 12345; 2 pairs")
    assert "p corrected by Holm's method" in said
    assert "Null hypothesis: " in said
    assert "not corrected" in verdicts.comparison_method(result(pair(), pair(), correction="none"))
    assert "pairs" not in verdicts.comparison_method(result(pair()))
    assert "seed" not in verdicts.comparison_method(result(pair(), test="t", unit="block", units=20))
    assert verdicts.comparison_method(result(pair(), test="sacrebleu-bootstrap")).startswith(
        "Paired bootstrap, sacreBLEU's rule: "
    )


def three(*found: float) -> list[Comparisons]:
    """Three tests, each of which finds A better (above 0), worse (below), or neither."""
    tests: Sequence[Test] = ("bootstrap", "randomization", "t")
    return [
        result(
            pair(1.0, (-9.0, 9.0), 0.001 if delta else 0.5, mean=delta if test == "t" else None)
            if delta >= 0 or test == "t"
            else pair(delta, (-9.0, 9.0), 0.001),
            test=test,
        )
        for test, delta in zip(tests, found, strict=True)
    ]


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ((1, 1, 1), "All three tests find the difference significant."),
        ((-1, -1, -1), "All three tests find the difference significant."),
        ((0, 0, 0), "None of the three tests finds the difference significant."),
        ((1, 0, 0), "The tests disagree: only the paired bootstrap finds the difference significant."),
        ((0, 0, 1), "The tests disagree: only the paired t finds the difference significant."),
        (
            (0, 1, 1),
            "The tests disagree: only approximate randomisation and the paired t find the difference significant.",
        ),
    ],
)
def test_whether_three_tests_agree(found: tuple[float, float, float], said: str) -> None:
    assert verdicts.three_tests_verdict(three(*found)).startswith(said)


def test_tests_that_find_opposite_differences_do_not_agree() -> None:
    said = verdicts.three_tests_verdict(three(1, 1, -1))
    assert said.startswith("The tests disagree")
    assert "only the" not in said


def test_each_test_is_explained_on_a_line_of_its_own() -> None:
    said = verdicts.meaning_of_tests(three(1, 1, 1)).split("\n")
    assert [line.split(":")[0] for line in said] == ["paired bootstrap", "approximate randomisation", "paired t"]
    assert all(". Null hypothesis: " in line for line in said)


# --- how much text ----------------------------------------------------------------------------------------------


def needed(delta: float, error: float, segments: int = 500) -> TextNeeded:
    return TextNeeded(
        system="A",
        baseline="B",
        delta=delta,
        segments=segments,
        sizes=np.array([segments]),
        widths=np.array([1.0]),
        standard_error=error,
    )


def test_what_the_text_can_find_and_what_the_difference_takes() -> None:
    # A two-sided test has 80% power at (1.96 + 0.84) standard errors.
    said = verdicts.enough_text(needed(0.5, 0.5), "BLEU")
    assert said == (
        "On 500 segments, this test finds a true difference of about 1.4 BLEU in 80% of cases, and smaller ones "
        "less often. To detect "
        "a true difference of 0.50, as observed, in 80% of cases takes about 3,900 segments like these."
    )
    assert "For a true difference of 2.00, as observed, about 250 segments are enough." in verdicts.enough_text(
        needed(-2.0, 0.5), "TER"
    )


def test_equal_systems_need_no_number_of_segments() -> None:
    assert "more text of this kind would show no difference" in verdicts.enough_text(needed(0.0, 0.0), "BLEU")
    said = verdicts.enough_text(needed(0.0, 0.5), "BLEU")
    assert said.endswith(" in 80% of cases, and smaller ones less often.")
    assert "inf" not in said


def test_without_a_spread_systems_that_differ_are_not_called_the_same() -> None:
    # One segment, or segments that all say the same.
    said = verdicts.enough_text(needed(17.7, 0.0, segments=1), "BLEU")
    assert "the same on every segment" not in said
    assert "nan" not in said


def test_small_differences_are_not_printed_as_nothing() -> None:
    said = verdicts.enough_text(needed(0.003, 0.001), "BLEU")
    assert "difference of 0.00 " not in said
    assert "of 0.00, as observed" not in said


def test_one_segment_is_not_plural() -> None:
    assert "1 segments" not in verdicts.enough_text(needed(1.0, 0.5, segments=1), "BLEU")


def terms(*points: float, brevity: float, **others: Any) -> Decomposition:
    delta = sum(points) + brevity
    return Decomposition(system="A", baseline="B", delta=delta, precisions=np.array(points), brevity=brevity, **others)


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (
            terms(0.15, 0.05, brevity=0.9),
            "Brevity accounts for 0.90 of the 1.10 points by which A leads B, and the precisions for 0.20.",
        ),
        (
            terms(-1.0, -0.5, brevity=-0.25),
            "The precisions account for 1.50 of the 1.75 points by which B leads A, and brevity for 0.25.",
        ),
        (
            terms(1.0, 1.0, brevity=-0.5),
            "A minus B: the precisions contribute +2.00 points and brevity −0.50, +1.50 in all.",
        ),
        (
            terms(-1.0, -1.0, brevity=0.5),
            "B minus A: the precisions contribute +2.00 points and brevity −0.50, +1.50 in all.",
        ),
        (terms(0.0, 0.0, brevity=0.0), "The scores of A and B do not differ."),
        (
            terms(0.0, 0.0, brevity=0.0, vanished=(1, 2), reason="both scores are 0"),
            (
                "The scores of A and B do not differ. The precisions of orders 1 and 2 are 0 for at least one of the "
                "two systems, so that a score is 0."
            ),
        ),
        (
            terms(1.0, 0.5, brevity=0.0, smoothed=(2,)),
            (
                "All of the 1.50 points by which A leads B are due to the precisions. The precision of order 2 is "
                "smoothed for at least one of the two systems."
            ),
        ),
    ],
)
def test_causes_of_a_difference_are_shares_only_where_all_have_one_sign(found: Decomposition, sentence: str) -> None:
    assert verdicts.causes_of_difference(found) == sentence
