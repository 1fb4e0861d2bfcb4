"""Judges who are confounded with systems: one policy on all pages with mean ratings, and one switch."""

from __future__ import annotations

import pytest
from judges.rosters import confounded_rows, judgments_of
from pages import UnopenedSession, load, said, visit, with_parameters
from streamlit.testing.v1 import AppTest

from bleu_core.agreement import pearson
from bleu_core.judges import adjusted_means

SYSTEMS = "ABCD"

#: Addresses of all parts with results of mean ratings.
PARTS = [
    "",
    "agreement/by-system",
    "metrics/best-agreement",
    "metrics/meaning-of-a-difference",
    "judges/human-ranking",
    "ranking/by-reference",
    "ranking/by-metric",
    "two-systems/difference",
]

ADJUSTED = "Ratings are adjusted for judges, as these are confounded with systems"


def confounded(app: AppTest) -> AppTest:
    """A session with four systems, of which a severe judge rated the first most often."""
    words = [f"word{n}" for n in range(16)]
    texts = {
        name: "".join(
            f"{' '.join(words[(s + i) % len(words)] for i in range(length + s % 2))} {s}\n" for s in range(60)
        )
        for name, length in {"ref": 13, "ref2": 14, "A": 7, "B": 8, "C": 9, "D": 10}.items()
    }
    rows = "".join(f"{s},{k},{j},{y!r}\n" for s, k, j, y in confounded_rows(SYSTEMS, segments=60, better=2.0))
    files = [(f"{name}.txt", text.encode()) for name, text in texts.items()]
    return load(app, *files, ("human.csv", f"segment,system,judge,score\n{rows}".encode()))


@pytest.mark.parametrize("path", PARTS)
def test_adjusted_means_are_used_and_the_result_of_raw_ones_is_named(app: UnopenedSession, path: str) -> None:
    visit(confounded(app), path)
    assert not app.exception
    assert ADJUSTED in said(app)
    assert "With raw ratings: " in said(app) or path == "ranking/by-metric"  # where they are a column
    (switch,) = [one for one in app.button_group if (one.key or "").startswith("adjust_judges")]
    assert switch.value == "automatic"


@pytest.mark.parametrize("path", PARTS)
def test_raw_means_are_not_compared(app: UnopenedSession, path: str) -> None:
    visit(confounded(with_parameters(app, adjust_judges="raw")), path)
    assert not app.exception
    assert ADJUSTED not in said(app)
    if path != "two-systems/difference":  # which then has no sentence on judges
        assert "Not comparable: judges are confounded with systems" in said(app)


def test_the_raw_correlation_is_that_of_raw_means(app: UnopenedSession) -> None:
    visit(confounded(app), "agreement/by-system")
    assert "With raw ratings: Pearson's r = " in said(app)
    means = adjusted_means(judgments_of(confounded_rows(SYSTEMS, segments=60, better=2.0)), tuple(SYSTEMS))
    visit(app, "ranking/by-metric")
    table = next(one.value for one in app.dataframe if "human_raw" in one.value).sort_values("system")
    assert table["human"].tolist() == pytest.approx(means.adjusted.tolist())
    assert table["human_raw"].tolist() == pytest.approx(means.raw.tolist())
    raw = pearson(table["score_BLEU"].to_numpy(float), means.raw).coefficient
    visit(app, "")
    assert f"With raw ratings: Pearson's r = {raw:.2f}".replace("-", "−") in said(app)


@pytest.mark.parametrize(("former", "value"), [("true", "adjusted"), ("false", "automatic")])
def test_links_of_former_versions_keep_their_choice(app: UnopenedSession, former: str, value: str) -> None:
    visit(confounded(with_parameters(app, adjust_judges=former)), "agreement/by-system")
    (switch,) = [one for one in app.button_group if (one.key or "").startswith("adjust_judges")]
    assert switch.value == value


def test_judges_are_found_confounded_by_all_systems_although_two_are_selected(app: UnopenedSession) -> None:
    visit(confounded(with_parameters(app, without_systems=["C", "D"])), "agreement/by-system")
    assert not app.exception
    assert ADJUSTED in said(app)
