"""Every page, from the sidebar: its address, headings, charts in a narrow and a wide window, and axe-core."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import pytest
from accessibility import problems
from places import PLACES
from visitor import HEADERS, Visitor

from dashboard.plots import theme as theming
from dashboard.views import PAGES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

#: Whether the page has that colour.
BACKGROUND = """color => {
    const probe = document.createElement('i');
    probe.style.color = color;
    const app = getComputedStyle(document.querySelector('[data-testid="stApp"]'));
    return app.backgroundColor === probe.style.color;
}"""

LEVELS = "() => [...document.querySelectorAll('h1,h2,h3,h4')].filter(e => e.checkVisibility()).map(e => +e.tagName[1])"

#: The rules of axe-core that are checked in each theme: the themes differ in colours only.
RULES = {"light": (), "dark": ("color-contrast", "link-in-text-block")}

#: The place that every run checks in both themes, the others in the light one: that with most kinds of marks.
IN_BOTH_THEMES = {"ranking/pairs"}

#: What every run looks at: the first part of each page; of Ranking the pairs of systems, which have a grid. The other
#: parts are made of the same widgets.
EVERY_RUN = {next(path for path, of in PLACES.items() if of == page) for page in PAGES} - {"ranking/scores"}
EVERY_RUN |= IN_BOTH_THEMES

#: Places that axe-core looks at in every run with data of other tests: files that are edited, hostile and marked texts,
#: several test sets.
ACCESSIBLE_ELSEWHERE = {"data", "segments", "test-sets/scores"}

#: Places whose widths are checked in every run: several charts beside each other, a grid, and charts with many labels.
IN_BOTH_WIDTHS = {"", "ranking/pairs", "judges/agreement"}

#: Pixels, of a telephone's window and of a computer's.
NARROW, WIDE, HEIGHT = 420, 1366, 2000

#: Places whose charts are in folds, and those that have none of the sample: three systems are too few to rank metrics.
WITHOUT_CHARTS = {
    "ranking/by-metric",
    "agreement/by-class",
    "campaign/design",
    "data",
    "metrics/best-agreement",
    "segments",
    *(path for path in PLACES if path.startswith("test-sets/")),  # the sample data are one test set
} | {f"report/{part}" for part in ("printed", "code", "workspace")}


@pytest.fixture(scope="module")
def reader(browser: Browser, server: str) -> Iterator[Visitor]:
    """Someone who has a setting of the address and goes from page to page."""
    someone = Visitor(browser, server)
    someone.goto("/?tokenizer=char")
    yield someone
    someone.close()
    assert someone.faults == []


def open_place(reader: Visitor, path: str) -> None:
    page, place = PLACES[path], path.partition("/")[2]
    reader.open_page(next(part.title for part in page.parts if part.path == place) or page.title)


def check_accessible(reader: Visitor, theme: Literal["light", "dark"]) -> None:
    reader.page.emulate_media(color_scheme=theme)
    reader.page.wait_for_function(BACKGROUND, arg=theming.PAGES[theme == "dark"])
    reader.idle()
    assert problems(reader, *RULES[theme]) == [], theme


def check_widths(reader: Visitor) -> None:
    reader.page.wait_for_selector(".js-plotly-plot .plot-container")
    reader.page.set_viewport_size({"width": NARROW, "height": HEIGHT})
    reader.eventually(lambda: reach(reader) <= inside(reader) <= NARROW, expected=True)
    reader.page.set_viewport_size({"width": WIDE, "height": HEIGHT})
    reader.eventually(lambda: reach(reader) > NARROW, expected=True)
    reader.idle()
    assert reach(reader) <= inside(reader)


@pytest.mark.parametrize(
    "path", [pytest.param(path, marks=[] if path in EVERY_RUN else [pytest.mark.slow]) for path in PLACES]
)
def test_a_page_is_reached_with_the_settings_is_accessible_and_fits_its_window(reader: Visitor, path: str) -> None:
    page = PLACES[path]
    reader.page.emulate_media(color_scheme="light")
    open_place(reader, path)
    assert re.search(rf":\d+/{page.path}\?", reader.page.url)
    assert "tokenizer=char" in reader.page.url
    assert "data=" in reader.page.url
    assert reader.page.locator("h1").all_inner_texts() == [page.title]
    levels = reader.page.evaluate(LEVELS)
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels)), levels
    if path not in ACCESSIBLE_ELSEWHERE:
        check_accessible(reader, "light")
    if path in IN_BOTH_THEMES:
        check_accessible(reader, "dark")
    if path in IN_BOTH_WIDTHS:
        check_widths(reader)


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(ACCESSIBLE_ELSEWHERE))
def test_a_page_of_the_sample_is_accessible(reader: Visitor, path: str) -> None:
    open_place(reader, path)
    check_accessible(reader, "light")


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(PLACES.keys() - WITHOUT_CHARTS - IN_BOTH_WIDTHS))
def test_the_charts_of_a_page_fit_its_window(reader: Visitor, path: str) -> None:
    open_place(reader, path)
    check_widths(reader)


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(PLACES.keys() - IN_BOTH_THEMES))
def test_the_colours_of_a_page_can_be_read_in_the_dark_theme(reader: Visitor, path: str) -> None:
    open_place(reader, path)
    check_accessible(reader, "dark")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.title)
def test_a_page_is_sent_with_protective_headers(server: str, page: Any) -> None:
    with urllib.request.urlopen(f"{server}/{page.path}", timeout=30) as answer:
        assert {name.lower() for name in answer.headers} >= HEADERS


def reach(visitor: Visitor) -> float:
    """How far the charts reach to the right, in pixels; rounding may add one."""
    ends = "() => [...document.querySelectorAll('.js-plotly-plot')].map(e => e.getBoundingClientRect().right)"
    return max(visitor.page.evaluate(ends)) - 1


def inside(visitor: Visitor) -> int:
    """How wide a page is without its scroll bar, in pixels."""
    return visitor.page.evaluate("() => document.documentElement.clientWidth")
