"""What a difference means to judges, in words."""

from __future__ import annotations

import numpy as np
import pytest

from bleu_core.agreement import DifferenceCurve, agreement_of_scores, difference_curve
from dashboard import words


def curve(systems: int, metric: str = "BLEU") -> DifferenceCurve:
    scores = {f"s{k}": float(k) for k in range(systems)}
    ratings = {f"s{k}": k + 2.5 * (-1) ** k for k in range(systems)}
    return difference_curve(agreement_of_scores(scores, ratings, metric=metric))


def test_a_difference_with_ratings_is_worded_with_its_interval() -> None:
    found = curve(10)
    bounds = found.share_interval(2)
    assert words.meaning_to_raters(-2, "BLEU", found) == (
        f"On these data, judges prefer the system with the better score in {100 * found.share(2):.0f}% of the pairs "
        f"that differ by 2.00 BLEU (estimate; 95% interval {100 * bounds.low:.0f}% to {100 * bounds.high:.0f}%)."
    )


def test_few_systems_have_no_interval_and_a_difference_beyond_all_is_called_so() -> None:
    sentence = words.meaning_to_raters(9, "BLEU", curve(5))
    assert "(estimate; no interval: fewer than 8 systems)" in sentence
    assert sentence.endswith("The greatest difference found here is 4.00.")


@pytest.mark.parametrize("systems", [0, 4])
def test_without_a_curve_the_published_one_is_quoted(systems: int) -> None:
    found = curve(systems) if systems else None
    assert words.meaning_to_raters(2.34, "BLEU", found) == (
        "In a study of 6,530 pairs of systems (Kocmi et al. 2024), judges agreed with a difference of 2.34 BLEU in 80% "
        "of pairs."
    )
    assert words.meaning_to_raters(0.1, "BLEU", found).endswith(
        "judges agreed with differences of up to 0.27 BLEU no more often than by chance."
    )
    assert words.meaning_to_raters(2, "TER", found) == ""
    assert words.meaning_to_raters(float("nan"), "BLEU", found) == ""


def test_pairs_with_a_greater_difference_are_counted() -> None:
    found = curve(5)
    assert words.pairs_beyond(3.5, "BLEU", found) == (
        "1 pair of systems differs by more than 3.50 BLEU; judges agree with the order in 1."
    )
    assert words.pairs_beyond(4, "BLEU", found) == "No two systems differ by more than 4.00 BLEU."
    assert words.pairs_beyond(0.01, "m", found).startswith("10 pairs of systems differ by more than 0.01 m;")


def test_the_basis_says_how_often_the_interval_covered() -> None:
    assert "jackknife" in words.basis_of_curve(curve(8))
    assert "92% to 98% of cases" in words.basis_of_curve(curve(8))
    assert words.basis_of_curve(curve(5)) == "Logistic curve through 10 pairs of 5 systems, which is 50% at 0."
    assert "0.27 BLEU" in words.basis_of_published("BLEU")
    assert words.basis_of_published("WER") == ""


def test_the_published_share_is_that_of_the_equation() -> None:
    assert words.published_meaning(1, "BLEU").split(" in ")[-1] == f"{88.33 / (1 + np.exp(-0.9664)):.0f}% of pairs."
