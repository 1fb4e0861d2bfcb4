"""Files of figures are called after the page, the figure, the systems and the slice."""

from __future__ import annotations

from pathlib import PureWindowsPath

import pytest

from dashboard.exhibits import EXHIBITS
from dashboard.views import PAGES
from dashboard.widgets.figure_downloads import MAX_NAME_LENGTH, file_name


@pytest.mark.parametrize(
    ("parts", "within", "expected"),
    [
        (["Precision", "precision", "5 systems"], "", "precision-5-systems"),
        (
            ["Significance", "tiers", "A", "B"],
            'domain = "TED?" and length > 4',
            "significance-tiers-a-b-domain-ted-and-length-4",
        ),
        (["Two systems", "causes", "a/b", "vs", "..\\c:*"], "", "two-systems-causes-a-b-vs-c"),
        (["Scores", "scores", "Überset\u202ezung", "翻訳"], "", "scores-überset-zung-翻訳"),
    ],
)
def test_a_name_has_no_character_that_a_system_forbids(parts: list[str], within: str, expected: str) -> None:
    assert file_name(parts, within) == expected


def test_a_long_name_is_cut() -> None:
    name = file_name(["Scores", "scores", *("x" * 300 for _ in range(4))])
    assert len(name) <= MAX_NAME_LENGTH
    assert PureWindowsPath(name).name == name


def test_figures_name_pages_that_exist_and_charts_of_their_own() -> None:
    parts = {(page.title, part.title) for page in PAGES for part in page.parts}
    assert {(figure.page, figure.part) for figure in EXHIBITS.values()} <= parts
    keys = [figure.key for figure in EXHIBITS.values() if figure.key]
    assert len(set(keys)) == len(keys)
