"""What is said of judges and of the systems they tell apart claims no more than the numbers."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from judged import read_ratings

from bleu_core.dataset import Judgments
from bleu_core.formats.text import Text
from bleu_core.inference import Interval
from bleu_core.judges import (
    UNITS,
    KrippendorffAlpha,
    RatingDifferences,
    VarianceComponents,
    compare_groups,
    compare_ratings,
    pairwise_kendall,
)
from bleu_core.judges.variance_components import VarianceComponent
from dashboard.words import judge_sentences as sentences


def ratings(*rows: str, header: str = "segment,system,judge,score") -> Judgments:
    return read_ratings(Text("\n".join([header, *rows]), "UTF-8"), "h.csv")


def alpha(low: float, high: float) -> KrippendorffAlpha:
    return KrippendorffAlpha(
        metric="interval",
        coefficient=(low + high) / 2,
        interval=Interval(low, high, 0.95),
        items=10,
        ratings=20,
        rated_once=0,
        observed=0.5,
        expected=1.0,
    )


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (-0.5, -0.1, "less than chance agreement"),
        (-0.1, 0.2, "not distinguishable from chance agreement"),
        (0.1, 0.3, "below 0.667"),
        (0.6, 0.7, "either side of 0.667"),
        (0.68, 0.75, "enough for tentative conclusions from single ratings"),
        (0.7, 0.9, "perhaps for firm ones (from 0.8)"),
        (0.82, 0.9, "at least 0.8, so single ratings count as reliable"),
    ],
)
def test_alpha_is_judged_by_its_interval(low: float, high: float, words: str) -> None:
    assert words in sentences.krippendorff_alpha(alpha(low, high))


def test_alpha_without_a_value_or_an_interval_says_so() -> None:
    undefined = replace(alpha(0, 0), coefficient=math.nan, items=0, reason="0 items with two ratings or more")
    assert (
        sentences.krippendorff_alpha(undefined) == "Krippendorff's alpha is undefined: no item was rated by two judges."
    )
    assert "its interval is undefined" in sentences.krippendorff_alpha(alpha(math.nan, math.nan))
    assert "1 item with only one rating was left out" in sentences.basis_of_alpha(replace(alpha(0, 1), rated_once=1))
    assert "3 items with only one rating were left out" in sentences.basis_of_alpha(replace(alpha(0, 1), rated_once=3))


def test_shares_of_the_variance_and_what_was_negative() -> None:
    shares = {"system": 0.5, "segment": 0.25, "judge": 0.0, "residual": 0.25}
    found = VarianceComponents(
        tuple(VarianceComponent(name=n, levels=2, estimate=s, share=s) for n, s in shares.items()), 8
    )
    said = sentences.variance_of_ratings(found)
    assert said.endswith("50% is due to systems, 25% to segments and 0% to judges.")
    noted = replace(found.components[2], note="the estimate -0.1 is counted as 0")
    found = replace(found, components=(*found.components[:2], noted))
    assert sentences.residual_variance(found).endswith("Judge: the estimate -0.1 is counted as 0.")


def test_pairs_of_judges_without_a_coefficient_are_counted() -> None:
    rows = [f"{s},A,{j},{v}" for j, vs in {"x": (1, 2, 3), "y": (1, 2, 3)}.items() for s, v in enumerate(vs, 1)]
    assert "is 1.00 on average over 1 pair of judges" in sentences.agreement_of_two_judges(
        pairwise_kendall(ratings(*rows))
    )
    assert "over 1 of 3 pairs of judges" in sentences.agreement_of_two_judges(
        pairwise_kendall(ratings(*rows, "9,A,z,1"))
    )
    assert "is undefined: 1 judge" in sentences.agreement_of_two_judges(pairwise_kendall(ratings("1,A,x,1")))


def test_the_higher_group_is_named_first() -> None:
    header = "segment,system,judge,group,score"
    rows = [f"1,{name},x,g,{k}" for k, name in enumerate("ABC")]
    higher = [f"1,{name},y,h,{2 * k + 2}" for k, name in enumerate("ABC")]
    # Means of g are 0, 1, 2, those of h 2, 4, 6: on average 3 higher, and on a line.
    found = compare_groups(ratings(*rows, *higher, header=header))
    assert sentences.difference_of_groups(found).startswith("Group h rates 3.00 higher than group g on average. ")
    assert "r = 1.00" in sentences.difference_of_groups(found)
    same = compare_groups(ratings(*rows, *(row.replace("x,g", "y,h") for row in rows), header=header))
    assert sentences.difference_of_groups(same).startswith("Groups g and h give the same ratings on average")
    apart = compare_groups(ratings(rows[0], higher[1], header=header))
    assert sentences.difference_of_groups(apart) == "g and h did not rate any of the same systems."
    three = compare_groups(ratings(rows[0], higher[0], "1,A,z,i,3", header=header))
    assert sentences.difference_of_groups(three) == "3 groups of judges, 3 pairs of groups."


def made(*means: float, segments: int = 40) -> RatingDifferences:
    return compare_ratings(made_table(*means, segments=segments))


def made_table(*means: float, segments: int = 40) -> pd.DataFrame:
    generator = np.random.default_rng(3)
    rows = [
        (segment, f"S{k}", judge, mean + generator.normal())
        for k, mean in enumerate(means)
        for segment in range(segments)
        for judge in "xy"
    ]
    columns = pd.Index(["segment", "system", "judge", "score"])
    return pd.DataFrame(rows, columns=columns).assign(group=None)


def test_only_significant_pairs_are_said_to_differ() -> None:
    assert sentences.raters_verdict(made(0, 5, 10), neighbours=True) == (
        "Both pairs of neighbours differ significantly in their ratings: S1 is above S0 and S2 is above S1."
    )
    level = made(0, 0.01, 0.02)
    assert (
        sentences.raters_verdict(level, neighbours=True)
        == "None of 2 pairs of neighbours differs significantly in their ratings."
    )
    mixed = sentences.raters_verdict(made(0, 0.001, 9, 18, 27), neighbours=True)
    assert mixed.startswith(
        "3 of 4 pairs of neighbours differ significantly in their ratings; no significant difference between S"
    )
    assert "corrected for 2 pairs" in sentences.raters_test(level)


def test_one_pair_is_told_with_its_interval() -> None:
    assert "S1 is rated 5." in sentences.raters_verdict(made(0, 5), neighbours=False)
    assert sentences.raters_verdict(made(0, 0.001), neighbours=False).startswith("No significant difference: ")
    assert sentences.raters_test(made(0, 5)) == ("Tested by a paired t-test over segments at the 5% level.")
    alone = compare_ratings(ratings("A,1", "B,3", header="system,score").table)
    assert sentences.raters_verdict(alone, neighbours=False) == (
        "B is rated 2.00 higher than A. The ratings are of whole systems, without segments: there is no interval over "
        "segments."
    )
    none = compare_ratings(ratings("1,A,x,1", "2,B,x,3").table)
    assert sentences.raters_verdict(none, neighbours=False) == "B and A cannot be compared: no segment in common."


def test_what_cannot_be_tested_has_its_reason() -> None:
    systems = compare_ratings(ratings("A,1", "B,3", "C,5", header="system,score").table)
    assert "no two systems have ratings of two segments in common" in sentences.raters_verdict(systems, neighbours=True)
    assert sentences.raters_test(systems) == ""
    rows = [f"{s},{name},x,{k}" for s in range(1, 21) for k, name in enumerate("ABC")]
    assert "no pair has differences that vary between segments" in sentences.raters_verdict(
        compare_ratings(ratings(*rows).table), neighbours=True
    )
    nobody = compare_ratings(ratings("1,A,x,1").table)
    assert (
        sentences.raters_verdict(nobody, neighbours=True)
        == "Only one system has ratings, so there is nothing to compare."
    )


def test_fewer_than_20_rated_segments_rank_no_systems() -> None:
    assert sentences.raters_verdict(made(0, 5, 10, segments=19), neighbours=True) == (
        "Only 19 segments are rated for both systems of any pair, too few to say which system is rated higher: at "
        "least 20 are needed."
    )
    assert sentences.raters_verdict(made(0, 5, segments=1), neighbours=False) == (
        "Only 1 segment is rated for both systems, too few to say which system is rated higher: at least 20 are needed."
    )
    assert "differ significantly" in sentences.raters_verdict(made(0, 5, 10, segments=20), neighbours=True)
    table = made_table(0, 5, 10, segments=40)
    short = table[~((table["system"] == "S2") & (table["segment"] >= 5))]
    said = sentences.raters_verdict(compare_ratings(short), neighbours=True)
    assert said == (
        "1 of 2 pairs of neighbours differs significantly in their ratings: S1 is above S0; 1 could not be tested."
    )


def test_every_unit_is_explained_and_the_narrow_one_is_named_as_such() -> None:
    assert "41% to 84%" in sentences.meaning_of_units(["judge and segment"])
    assert "41% to 84%" not in sentences.meaning_of_units(["segment", "judge"])
    assert all(sentences.UNIT_MEANINGS[unit] in sentences.meaning_of_units(UNITS) for unit in UNITS)
