"""The page Score differences in a session without a browser: with ratings, without, and with too few systems."""

from __future__ import annotations

import pytest
from pages import load, said, untick, visit, with_parameters
from streamlit.testing.v1 import AppTest

REFERENCE = b"the cat sat on the mat\nit rains today\na dog barks\nhello world again my friend\n"
GOOD = b"the cat sat on the mat\nit rains today\na dog barks loud\nhello world again my dear\n"


@pytest.fixture
def app(app: AppTest) -> AppTest:
    """A session on the sample data, of which all five systems are ranked."""
    return with_parameters(app, rank_humans="true")


def test_the_curve_of_the_data_stands_beside_the_published_one(app: AppTest) -> None:
    visit(app, "metrics/meaning-of-a-difference")
    assert not app.exception
    text = said(app)
    assert "of the pairs that differ by 1.00 BLEU (estimate; " in text
    assert "10 pairs of systems differ by more than 1.00 BLEU; judges agree with the order in 10." in text
    assert "6,530 pairs of systems in 94 languages" in text
    app.number_input(key="difference").set_value(6.0).run()
    assert "differ by 6.00 BLEU" in said(app)
    app.selectbox(key="score").set_value("WER").run()
    assert not app.exception
    assert "6,530 pairs" not in said(app)  # there is no published curve of this metric


def test_fewer_than_ten_pairs_leave_the_published_curve(app: AppTest) -> None:
    visit(app, "metrics/meaning-of-a-difference")
    untick(app, "systems", "S1")
    text = said(app)
    assert not app.exception
    assert (
        "No curve can be fitted to these data: 6 pairs of systems with ratings found, at least 10 are needed." in text
    )
    assert "In a study of 6,530 pairs of systems (Kocmi et al. 2024)" in text


def test_without_ratings_the_published_curve_is_shown(app: AppTest) -> None:
    load(app, ("reference.txt", REFERENCE), ("good.txt", GOOD))
    visit(app, "metrics/meaning-of-a-difference")
    assert not app.exception
    text = said(app)
    assert "judges agreed with a difference of 1.00 BLEU in 64% of pairs." in text
    assert "No human judgments are loaded." in text
    app.selectbox(key="score").set_value("chrF2").run()
    assert "a difference of 1.00 chrF2 in 70% of pairs." in said(app)


def test_the_overview_says_it_of_the_lead(app: AppTest) -> None:
    assert "of the pairs that differ by 6.68 BLEU (estimate; " in said(app)
