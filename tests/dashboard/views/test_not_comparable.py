"""No part of a page states results of data that are not comparable without saying so."""

from __future__ import annotations

import re

import pytest
from nightly import nightly
from pages import UnopenedSession, load, said, visit, with_parameters
from streamlit.testing.v1 import AppTest

from dashboard.session import Page, Part
from dashboard.views import PAGES

SEGMENTS = 60

#: Parts without results of texts, or of ratings alone.
WITHOUT_RESULTS = {
    ("data", ""),
    ("campaign", "run"),
    ("campaign", "design"),
    ("judges", "agreement"),
    ("judges", "human-ranking"),
    ("judges", "error-spans"),
    ("ranking", "counts-files"),
    ("report", "code"),
    ("report", "workspace"),
}

#: Parts of several test sets, which have a test of their own.
OF_SETS = "test-sets"


def parts() -> list[tuple[Page, Part]]:
    """All parts of pages with results of one test set."""
    return [
        (page, part)
        for page in PAGES
        for part in page.parts
        if (page.path, part.path) not in WITHOUT_RESULTS and page.path != OF_SETS
    ]


def address(page: Page, part: Part) -> str:
    return f"{page.path}/{part.path}".removesuffix("/")


ADDRESSES = [address(page, part) for page, part in parts() if not part.hidden]

#: Tried by day: pages with a headline of their own, and others.
BY_DAY = ("", "ranking/pairs", "two-systems/difference", "blocks", "agreement/by-system", "report/printed")


def obstructed(app: AppTest) -> AppTest:
    """A session with three systems, of which one has the text of half of the reference, and ratings."""
    words = [[f"w{(17 * i + 31 * j) % 997}" for j in range(12)] for i in range(SEGMENTS)]
    reference = [" ".join(line) for line in words]
    texts = {
        "ref": reference,
        "ref2": [" ".join(reversed(line)) for line in words],
        "A": [text if i % 2 else f"x{i} {text}" for i, text in enumerate(reference)],
        "B": [" ".join(["y", *line[: 3 + i % 4], "z", *line[6:]]) for i, line in enumerate(words)],
        "C": [" ".join(["q", *line[: 2 + i % 5], "r", *line[7:]]) for i, line in enumerate(words)],
    }
    rows = "".join(
        f"{i + 1},{name},j{j},{70 + 3 * k + (7 * i + 5 * j) % 9}\n"
        for k, name in enumerate("ABC")
        for i in range(SEGMENTS)
        for j in range(2)
    )
    files = [(f"{name}.txt", ("\n".join(lines) + "\n").encode()) for name, lines in texts.items()]
    return load(app, *files, ("human.csv", f"segment,system,judge,score\n{rows}".encode()))


def is_stated(app: AppTest) -> bool:
    """Whether the page says that systems are not comparable, and why."""
    text = " ".join(said(app).replace("\\", "").split())
    return re.search(r"Not comparable: 50% of the segments of the reference ref equal A's output", text) is not None


def test_every_part_is_tried() -> None:
    known = {(page.path, part.path) for page in PAGES for part in page.parts}
    assert known >= WITHOUT_RESULTS
    assert {*BY_DAY} <= {*ADDRESSES}


@pytest.mark.parametrize("path", [*BY_DAY, *nightly([path for path in ADDRESSES if path not in BY_DAY])])
def test_a_part_says_that_its_results_are_not_comparable(app: UnopenedSession, path: str) -> None:
    visit(obstructed(app), path)
    assert not app.exception
    assert is_stated(app), said(app)
    if path in ("", "ranking/pairs", "two-systems/difference"):
        assert "significantly" not in re.sub(r"not significantly|[Nn]ot significant", "", said(app))


def test_a_dismissed_warning_obstructs_nothing(app: UnopenedSession) -> None:
    visit(obstructed(with_parameters(app, dismissed=["close-reference"])), "blocks")
    assert not is_stated(app)
