"""Ratings by people as the metric of the pages."""

from __future__ import annotations

import re

import numpy as np
import pytest
from nightly import nightly
from pages import load, said, visit, widget_of, with_parameters
from streamlit.testing.v1 import AppTest

SEGMENTS = 40
SYSTEMS = ("first", "second", "third")
LINES = [f"the sentence number {s} of this text" + " is long" * (s % 3) for s in range(SEGMENTS)]
LEVELS = {"first": 60.0, "second": 75.0, "third": 62.0}
PAGES = (
    "",
    "ranking/scores",
    "ranking/by-metric",
    "ranking/pairs",
    "two-systems/difference",
    "two-systems/slices",
    "two-systems/how-much-text",
    "segments",
    "blocks",
    "slices",
    "report/printed",
    "report/figures",
)


def rating_rows(*, confounded: bool = False, gaps: bool = False) -> list[tuple[str, int, str, float]]:
    """Rows of system, segment, judge and score; confounded if a severe judge rates mostly the first system."""
    generator = np.random.default_rng(7)
    rows: list[tuple[str, int, str, float]] = []
    for system in SYSTEMS:
        for segment in range(1, SEGMENTS + 1):
            if gaps and system == "second" and segment % 4 == 0:
                continue
            severe = (segment % 10 < 9) == (system == "first") if confounded else segment % 2 == 0
            level = 60.0 if confounded else LEVELS[system]
            score = level + generator.normal(0, 4) - (25 if severe else 0)
            rows.append((system, segment, "severe" if severe else "mild", round(float(score), 1)))
    return rows


def rated(app: AppTest, rows: list[tuple[str, int, str, float]]) -> AppTest:
    content = "\n".join(["system,segment,judge,score", *(",".join(map(str, row)) for row in rows)])
    systems = [(f"{name}.txt", "".join(f"{line} {name}\n" for line in LINES).encode()) for name in SYSTEMS]
    return load(
        app, ("ref.txt", "".join(f"{line} ref\n" for line in LINES).encode()), *systems, ("r.csv", content.encode())
    )


@pytest.mark.parametrize("kind", ["confounded", *nightly(["balanced", "gaps"])])
def test_every_page_with_a_metric_shows_ratings(kind: str, app: AppTest) -> None:
    rated(
        with_parameters(app, metric="Human ratings"), rating_rows(confounded=kind == "confounded", gaps=kind == "gaps")
    )
    for path in PAGES:
        visit(app, path)
        assert not app.exception, (path, app.exception)
        assert not app.error, (path, [error.value for error in app.error])
        assert "Human ratings" in said(app), path


def test_scores_are_the_means_of_the_ratings(app: AppTest) -> None:
    rows = rating_rows(gaps=True)
    rated(app, rows)
    visit(app, "ranking/scores").selectbox(key="metric").set_value("Human ratings").run()
    listed = next(frame.value for frame in app.dataframe if "score" in frame.value)
    means = {name: np.mean([score for system, _, _, score in rows if system == name]) for name in SYSTEMS}
    assert dict(zip(listed["system"], listed["score"], strict=True)) == pytest.approx(means)
    signature = re.compile(r"human\|scores:\w{8}\|segments:40\|better:higher")
    assert any(signature.search(str(block.value)) for block in app.code)
    assert "second scores significantly higher" in said(app)


def test_raw_ratings_of_confounded_judges_leave_no_tests_and_no_tiers(app: AppTest) -> None:
    rated(with_parameters(app, metric="Human ratings", adjust_judges="raw"), rating_rows(confounded=True))
    reason = "judges are confounded with systems: raw means depend on which judges rated which system"
    visit(app, "")
    assert "Not comparable: raw mean ratings depend on who rated which system" in said(app)
    for path in ("", "ranking/pairs", "report/printed"):
        visit(app, path)
        for claim in ("No system is significantly better", "do not differ significantly", "do not fall into tiers"):
            assert claim not in said(app), (path, claim)
    visit(app, "ranking/by-metric")
    app.multiselect(key="metrics_shown").set_value(["BLEU", "Human ratings"]).run()
    table = next(frame.value for frame in app.dataframe if "score_Human ratings" in frame.value)
    assert "tier_BLEU" in table
    assert "tier_Human ratings" not in table
    assert "human" not in table
    assert "Tier 1 by BLEU" in said(app)
    assert "Tier 1 by Human ratings" not in said(app)
    app.multiselect(key="metrics_shown").set_value(["Human ratings"]).run()
    assert "Tier 1" not in said(app)
    assert "." not in [caption.value for caption in app.caption]
    visit(app, "judges")
    widget_of(app.button_group, "adjust_judges").set_value("automatic").run()
    visit(app, "")
    assert reason not in said(app)
    assert not app.exception


def test_ratings_of_whole_systems_are_no_metric(app: AppTest) -> None:
    rows = "system,judge,score\n" + "".join(f"{name},j,{LEVELS[name]}\n" for name in SYSTEMS)
    load(rated(app, []), ("r.csv", rows.encode()))
    visit(app, "ranking/scores")
    assert "Human ratings" not in app.selectbox(key="metric").options
