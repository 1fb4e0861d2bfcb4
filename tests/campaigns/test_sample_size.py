"""The width that a design can expect: against simulated campaigns, the definitions, and a search of all numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from campaigned import plan
from judged import table
from nightly import nightly
from simulated_campaigns import People, table_of_ratings

from bleu_core.campaigns import (
    DifferenceComponents,
    JudgeGroup,
    assumed_components,
    difference_components,
    expected_width,
)
from bleu_core.campaigns.two_way_random_effects import crossed_mean
from bleu_core.dataset import Judgments
from bleu_core.errors import SettingsError


def judgments(people: People, seed: int = 5) -> Judgments:
    ratings = people.ratings_of(np.random.default_rng(seed))
    places = np.argwhere(~np.isnan(ratings))
    return table(*((int(s) + 1, f"S{k}", f"judge {j}", float(ratings[s, j, k]), None) for s, j, k in places))


def deviations(people: People) -> tuple[float, float, float]:
    """Of the difference of two systems, if ratings are not rounded."""
    root = math.sqrt(2)
    return root * people.own, root * people.taste, root * people.noise


NAMES = ("segment_deviation", "judge_deviation", "residual_deviation")


def test_components_are_those_that_ratings_were_drawn_with() -> None:
    people = People(segments=400, judges=60, systems=3, taste=0.4, drift=0, rounded=False)
    found = difference_components(judgments(people))
    assert tuple(getattr(found, name) for name in NAMES) == pytest.approx(deviations(people), rel=0.1)
    assert (found.differences, found.segments, found.judges) == (3 * 400 * 60, 400, 60)


def test_components_of_balanced_ratings_are_those_of_the_analysis_of_variance() -> None:
    people = People(segments=8, judges=5, systems=2, taste=1.0)
    ratings = people.ratings_of(np.random.default_rng(5))
    d = ratings[:, :, 0] - ratings[:, :, 1]
    rest = d - d.mean(axis=1, keepdims=True) - d.mean(axis=0) + d.mean()
    residual = (rest**2).sum() / (7 * 4)
    found = difference_components(judgments(people))
    assert found.residual_deviation**2 == pytest.approx(residual)
    assert found.segment_deviation**2 == pytest.approx(max(0, d.mean(axis=1).var(ddof=1) - residual / 5))
    assert found.judge_deviation**2 == pytest.approx(max(0, d.mean(axis=0).var(ddof=1) - residual / 8))


def test_components_of_one_judge_are_undefined_and_say_so() -> None:
    found = difference_components(table((1, "A", "x", 3, None), (1, "B", "x", 4, None), (2, "A", "x", 3, None)))
    assert math.isnan(found.judge_deviation)
    assert found.reason == (
        "two systems of the same 1 segment were rated by 1 judge; at least 2 segments and 2 judges needed"
    )
    assert math.isnan(expected_width(plan(), found).width)
    assert expected_width(plan(), found).reason == found.reason


@pytest.mark.parametrize(
    "people",
    [
        *nightly([People(systems=2, rounded=False, drift=0), People(systems=2, rounded=False, drift=0, ratings=3)]),
        People(systems=2, rounded=False, drift=0, segments=20, judges=4, taste=0.4),
        People(systems=2, rounded=False, drift=0, segments=100, judges=10, ratings=1),
    ],
    ids=["50 × 20", "3 of 20 judges", "20 × 4", "1 judge per segment"],
)
def test_the_expected_width_is_that_of_the_median_campaign(people: People) -> None:
    given = plan(people.segments, systems=2, judges=people.judges, ratings=people.ratings)
    expected = expected_width(given, assumed_components(*deviations(people))).width
    random = np.random.default_rng(2)
    found = [crossed_mean(*table_of_ratings(people.ratings_of(random)).paired(0, 1)) for _ in range(300)]
    assert expected == pytest.approx(np.median([each.high - each.low for each in found]), rel=0.1)


def test_a_narrower_width_takes_the_least_number_that_reaches_it() -> None:
    components = assumed_components(0.7, 0.2, 1.1)
    given = plan(50, judges=20, ratings=3)
    found = expected_width(given, components, wanted=0.48)
    assert found.width > 0.48
    segments, judges, ratings = found.changes
    assert (segments.what, segments.now) == ("segments", 50)
    assert (judges.what, judges.now) == ("judges", 20)
    assert (ratings.what, ratings.now) == ("ratings", 3)
    assert segments.needed is not None
    assert ratings.needed is not None
    for count, narrow in ((segments.needed, True), (segments.needed - 1, False)):
        assert (expected_width(plan(count, judges=20, ratings=3), components).width <= 0.48) == narrow
    for count, narrow in ((ratings.needed, True), (ratings.needed - 1, False)):
        assert (expected_width(plan(50, judges=20, ratings=count), components).width <= 0.48) == narrow
    assert judges.needed is None
    assert judges.reason.startswith("1,000 judges reach a width of")


def test_more_segments_do_not_make_up_for_judges_of_different_tastes() -> None:
    found = expected_width(plan(50, judges=4), assumed_components(0.5, 0.5, 1.0), wanted=0.3)
    segments = found.changes[0]
    assert segments.needed is None
    assert segments.width == pytest.approx(found.smallest)
    assert segments.reason.endswith("the variation between judges remains (standard deviation 0.50)")
    # Four judges' means have a standard error of .25 and three degrees of freedom: 2 * 3.182 * .25.
    assert found.smallest == pytest.approx(1.591, abs=0.01)
    judges = found.changes[1]
    assert judges.needed is not None
    assert judges.needed > 4


def test_where_every_judge_rates_everything_more_judges_are_more_ratings() -> None:
    found = expected_width(plan(50, judges=4), assumed_components(0.5, 0.1, 1.0), wanted=0.4)
    _, judges, ratings = found.changes
    assert judges.needed is not None
    assert expected_width(plan(50, judges=judges.needed), assumed_components(0.5, 0.1, 1.0)).width <= 0.4
    assert (ratings.needed, ratings.reason.split(":")[0]) == (
        None,
        f"4 ratings per item reach a width of {found.width:.2f}",
    )


def test_judges_of_all_groups_count_together() -> None:
    groups = (JudgeGroup("monolingual", 10), JudgeGroup("bilingual", 10))
    components = assumed_components(0.7, 0.2, 1.1)
    found = expected_width(plan(50, groups=groups), components)
    assert (found.judges, found.ratings) == (20, 20)
    assert found.width == expected_width(plan(50, judges=20), components).width


def test_a_design_with_one_judge_has_no_interval() -> None:
    found = expected_width(plan(50, judges=1), assumed_components(0.7, 0.2, 1.1), wanted=0.3)
    assert math.isnan(found.width)
    assert found.reason == "50 segments and 1 judge, at least 2 needed"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: assumed_components(-1, 0, 1), "segment_deviation: -1 found, a number from 0 on expected"),
        (lambda: assumed_components(0, math.nan, 1), "judge_deviation: nan found"),
        (lambda: assumed_components(0, 0, 0), "0 found, one above 0 expected"),
        (lambda: expected_width(plan(None, documents=3), some()), "segments: none found"),
        (lambda: expected_width(plan(), some(), segments=0), "segments: 0 found"),
        (lambda: expected_width(plan(), some(), wanted=0), "wanted: 0 found"),
    ],
)
def test_numbers_that_mean_nothing_are_refused(call: object, message: str) -> None:
    assert callable(call)
    with pytest.raises(SettingsError, match=message):
        call()


def some() -> DifferenceComponents:
    return assumed_components(0.5, 0.2, 1.0)
