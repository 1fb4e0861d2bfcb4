"""The page Test sets in a real browser: a cell by the keyboard, the way to its test set, both themes, and a phone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from accessibility import problems
from places import PLACES
from several_sets import ratings, several
from visitor import Visitor, serve

from bleu_core.project import SavedWorkspace, write_workspace
from dashboard.plots import theme as theming

if TYPE_CHECKING:
    from playwright.sync_api import Browser

#: Every run sees the part with the table of all scores in test_arriving_sets.py.
pytestmark = pytest.mark.slow

PARTS = sorted(path.partition("/")[2] for path in PLACES if path.startswith("test-sets/"))

#: Pixels, of a telephone.
PHONE = 390

#: Whether something makes the page wider than its window; tables and charts scroll in their own places.
OVERFLOW = """() => {
    const main = document.querySelector('[data-testid=stMain]');
    return main.scrollWidth > main.clientWidth;
}"""

BACKGROUND = """color => {
    const probe = document.createElement('i');
    probe.style.color = color;
    const app = getComputedStyle(document.querySelector('[data-testid="stApp"]'));
    return app.backgroundColor === probe.style.color;
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A dashboard with five test sets, two of them rated, of which the last one lacks a system."""
    home = tmp_path_factory.mktemp("home")
    files = (*several(("en-de", "en-fr", "en-cs", "news *x* $y$", "en-uk")), ratings("en-de"), ratings("en-fr"))
    write_workspace(SavedWorkspace(files=files), home / "sets.bleu.zip")
    with serve(home, ["--workspace", str(home / "sets.bleu.zip")]) as address:
        yield address


@pytest.fixture
def reader(browser: Browser, address: str) -> Iterator[Visitor]:
    someone = Visitor(browser, address)
    yield someone
    someone.close()
    assert someone.faults == []


def test_a_cell_is_chosen_by_the_keyboard_and_opens_its_test_set(reader: Visitor) -> None:
    reader.goto("/test-sets?sets_baseline=B")
    names = reader.table("test-sets")[0]
    assert {"en-de", "en-fr", "news *x* $y$"} <= set(names)
    canvas = reader.page.locator(".st-key-table-test-sets canvas").first
    canvas.focus()
    for _ in range(names.index("en-fr")):  # the first cell has the focus
        reader.page.keyboard.press("ArrowRight")
    reader.idle()
    button = reader.page.get_by_role("button", name="Open en-fr")
    button.wait_for()
    assert "A on en-fr: " in reader.text()
    button.focus()
    reader.page.keyboard.press("Enter")
    reader.page.wait_for_selector('h1:has-text("Overview")')
    reader.idle()
    assert "set=en-fr" in reader.page.url


def test_the_name_of_a_test_set_is_shown_as_it_is(reader: Visitor) -> None:
    reader.goto("/test-sets")
    reader.page.get_by_role("button", name="news *x* $y$").click()
    reader.page.wait_for_selector('h1:has-text("Overview")')
    reader.idle()
    assert "set=news+%2Ax%2A+%24y%24" in reader.page.url


def test_a_point_of_the_forest_opens_its_test_set(reader: Visitor) -> None:
    reader.goto("/test-sets?test_sets_part=next")
    points = reader.page.locator(".st-key-chart-next-test-set .scatterlayer .points path.point")
    points.first.wait_for()
    box = points.nth(2).bounding_box()
    assert box
    reader.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    reader.page.locator(".st-key-chart-next-test-set .hoverlayer .hovertext").first.wait_for()
    reader.page.mouse.down()
    reader.page.mouse.up()
    reader.page.wait_for_selector('h1:has-text("Overview")')
    reader.idle()
    assert "set=en-cs" in reader.page.url


@pytest.mark.parametrize("part", PARTS)
def test_a_part_is_accessible_in_both_themes_and_fits_a_phone(reader: Visitor, part: str) -> None:
    extra = "&sets_baseline=B&replicates=group%3D%5BAB%5D" if part in ("scores", "replicates") else ""
    reader.goto(f"/test-sets?test_sets_part={part}{extra}")
    for theme, rules in (("light", ()), ("dark", ("color-contrast", "link-in-text-block"))):
        reader.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        reader.page.wait_for_function(BACKGROUND, arg=theming.PAGES[theme == "dark"])
        reader.idle()
        assert problems(reader, *rules) == [], theme
    reader.page.set_viewport_size({"width": PHONE, "height": 844})
    reader.idle()
    assert not reader.page.evaluate(OVERFLOW)
