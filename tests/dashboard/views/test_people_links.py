"""The addresses of the pages about people show somebody else the same."""

from __future__ import annotations

import pytest
from conftest import Opener
from nightly import nightly
from pages import said, visit
from streamlit.testing.v1 import AppTest

#: Page -> the boxes to change, each with what to choose in it, and the switches to turn on.
CHANGES = {
    "system-agreement": (
        {"Score": "BLEU-2", "Exclude one system": "S2", "Interval over systems": "bootstrap"},
        ("Rank human translations", "Exclude outliers"),
    ),
    "metrics": ({"Level": "segments", "Compared": "by system", "Correction": "none"}, ()),
    "rater-differences": (
        {"Pairs": "one pair", "Baseline": "S3", "Rated by": "each group", "Unit": "judge"},
        ("Standardise judges",),
    ),
}


def choose(app: AppTest, label: str, option: str) -> None:
    box = next(box for box in app.main.selectbox if box.label == label)
    box.select_index(next(n for n, shown in enumerate(box.options) if shown == option)).run()


def switched_on(app: AppTest) -> set[str]:
    return {toggle.label for toggle in app.main.toggle if toggle.value}


@pytest.mark.parametrize("page", ["system-agreement", "rater-differences", *nightly(["metrics"])])
def test_the_address_of_a_page_shows_somebody_else_the_same(opened: Opener, page: str) -> None:
    choices, switches = CHANGES[page]
    app = opened(page)
    for label in switches:
        next(toggle for toggle in app.main.toggle if toggle.label.startswith(label)).set_value(True)
    app.selectbox(key="smoothing").set_value("floor").run()
    for label, option in choices.items():
        choose(app, label, option)

    somebody = opened(page, **dict(app.query_params))
    assert said(somebody) == said(app)
    assert switched_on(somebody) == switched_on(app)
    assert len(switched_on(app)) == len(switches)
    values = {box.label: box.value for box in somebody.main.selectbox}
    assert choices.items() <= values.items()


def test_ranked_human_translations_are_compared_on_the_overview_and_by_its_address(opened: Opener) -> None:
    app = opened("agreement/by-system")
    assert "over 3 systems" in said(app)
    app.toggle(key="rank_humans").set_value(True).run()
    visit(app, "")
    assert "over 5 systems" in said(app)

    somebody = opened("", **dict(app.query_params))
    assert "over 5 systems" in said(somebody)
    visit(somebody, "agreement/by-system")
    assert "over 5 systems" in said(somebody)
    assert "Rank human translations" in switched_on(somebody)
