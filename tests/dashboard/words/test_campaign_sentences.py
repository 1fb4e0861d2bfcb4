"""Sentences about the design of a campaign, and about one that is served."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from bleu_core.campaigns import CampaignStatus, DesignChange, ExpectedWidth, assumed_components
from dashboard.views.campaign.analysis.design import CampaignSize
from dashboard.views.campaign.analysis.width import Spread
from dashboard.views.campaign.words.sentences import (
    basis_of_width,
    size_of_campaign,
    ways_to_width,
    width_expected,
    work_of_judges,
)
from dashboard.views.campaign.words.state import frozen_since, only_this_computer, systems_not_loaded
from dashboard.words import checks_so_far

NAN = float("nan")


def expected(width: float, *changes: DesignChange, reason: str = "") -> ExpectedWidth:
    return ExpectedWidth(
        width=width, segments=50, judges=6, ratings=3, smallest=0.1, wanted=0.4, changes=changes, reason=reason
    )


def test_the_size_and_the_work_are_said_with_the_assumption() -> None:
    size = CampaignSize(
        segments=2, items=4, judges=1, min_ratings=4, max_ratings=4, ratings=4, checks=0, minutes=4 * 25 / 60
    )
    assert size_of_campaign(size) == "1 judge gives 4 ratings of 4 translations (2 segments)."
    assert work_of_judges(size) == (
        "Each judge rates 4 translations. That takes up to 2 minutes, if a translation takes 25 seconds, which is an "
        "assumption."
    )


def test_checks_are_counted_per_judge() -> None:
    size = CampaignSize(
        segments=50,
        items=250,
        judges=6,
        min_ratings=411,
        max_ratings=413,
        ratings=2250,
        checks=228,
        minutes=172,
        max_checks=38,
    )
    assert work_of_judges(size).startswith("Each judge rates 411 to 413 translations, up to 38 of them checks. ")


def test_a_width_is_explained_by_the_difference_that_it_lets_through() -> None:
    assert width_expected(expected(0.5)) == (
        "The 95% interval of the difference of two systems can be expected to be 0.50 points wide. Two systems whose "
        "mean ratings differ by more than 0.25 points are then significantly different."
    )
    assert width_expected(expected(NAN, reason="1 judge")) == "The expected precision is undefined: 1 judge."


def test_what_reaches_a_width_is_named_and_what_does_not_is_explained() -> None:
    more = DesignChange(what="segments", now=50, needed=80, width=0.39)
    others = DesignChange(what="ratings", now=3, needed=None, width=0.45, reason="there are no more judges")
    assert ways_to_width(expected(0.5, more, others)) == [
        "A width of 0.40 points takes 80 segments instead of 50.",
        "More judges per translation alone are not enough: there are no more judges.",
    ]
    assert ways_to_width(expected(0.3, more)) == ["That is at most the wanted 0.40 points."]
    assert ways_to_width(expected(NAN)) == []


@pytest.mark.parametrize(
    ("repeats", "checks", "sentences"),
    [
        (
            1,
            1,
            (
                "Of 1 translation rated twice, 100% got the same rating again. Of 1 degraded copy, 1 was rated lower "
                "than the translation copied."
            ),
        ),
        (
            2,
            2,
            (
                "Of 2 translations rated twice, 100% got the same rating again. Of 2 degraded copies, 2 were rated "
                "lower than the translation copied."
            ),
        ),
        (0, 0, "No repeat and no degraded copy has been rated."),
    ],
)
def test_checks_so_far_are_counted(repeats: int, checks: int, sentences: str) -> None:
    judge = SimpleNamespace(
        repeats=SimpleNamespace(count=repeats, equal=1.0), checks=SimpleNamespace(count=checks, lower=checks)
    )
    assert checks_so_far(cast("CampaignStatus", SimpleNamespace(judges=[judge]))) == sentences


def test_assumptions_are_called_so() -> None:
    assert basis_of_width(Spread(assumed_components(0.6, 0.2, 1.0), "assumptions")) == (
        "This rests on assumptions about the difference of two systems: standard deviations of 0.60 between segments, "
        "0.20 between judges, and 1.00 for the residual. A pilot gives better ones."
    )


@pytest.mark.parametrize(
    ("url", "warned"),
    [
        ("http://localhost:8501", True),
        ("http://127.0.0.1", True),
        ("http://[::1]:8501/mt", True),
        ("https://mt.example/localhost", False),
        ("http://192.168.0.7:8501", False),
        ("nonsense", False),
        ("", False),
    ],
)
def test_an_address_that_only_this_computer_reaches_is_noticed(url: str, *, warned: bool) -> None:
    assert bool(only_this_computer(url)) is warned


def test_what_is_missing_and_what_is_frozen_is_said() -> None:
    assert systems_not_loaded(["A"]).startswith("1 system of the campaign is not loaded: A. ")
    assert systems_not_loaded(["A", "B"]).startswith("2 systems of the campaign are not loaded: A, B. ")
    assert frozen_since("12:00", newer=False) == "Frozen at 12:00. Nothing has changed since."
