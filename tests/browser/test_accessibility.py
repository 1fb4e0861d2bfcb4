"""Every page under axe-core, light and dark: nothing serious, nothing critical."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from visitor import Visitor

from dashboard.figures import theme as theming
from dashboard.views import PAGES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

#: Rule -> selectors of elements of Streamlit's own that break it, and that a page cannot change.
STREAMLITS_OWN: Mapping[str, tuple[str, ...]] = {
    # Streamlit wraps the links of each group of the navigation in a div inside the list.
    "list": ("[data-testid=stSidebarNavItems]",),
    "listitem": ("[data-testid=stSidebarNavItems] li",),
}

#: Whether the page has that colour.
BACKGROUND = """color => {
    const probe = document.createElement('i');
    probe.style.color = color;
    const app = getComputedStyle(document.querySelector('[data-testid="stApp"]'));
    return app.backgroundColor === probe.style.color;
}"""

LEVELS = "() => [...document.querySelectorAll('h1,h2,h3,h4')].filter(e => e.checkVisibility()).map(e => +e.tagName[1])"

SERIOUS = {"serious", "critical"}


@pytest.fixture(scope="module")
def reader(browser: Browser, server: str) -> Iterator[Visitor]:
    """Someone who goes from page to page."""
    someone = Visitor(browser, server)
    someone.goto("/")
    yield someone
    someone.close()


def show(reader: Visitor, title: str, theme: str) -> None:
    """Go to a page, unless it is shown, in a light or a dark theme; pages follow the browser's."""
    reader.page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    if reader.page.locator("h1").inner_text() != title:
        reader.open_page(title)
    reader.page.wait_for_function(BACKGROUND, arg=theming.PAGES[theme == "dark"])
    reader.idle()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.title)
@pytest.mark.parametrize("theme", ["light", "dark"])  # one after the other on each page
def test_a_page_has_no_serious_finding_and_its_headings_skip_no_level(reader: Visitor, page: Any, theme: str) -> None:
    show(reader, page.title, theme)
    found = Axe().run(reader.page, options={"resultTypes": ["violations"]}).response["violations"]
    problems = [
        f"{rule['id']}: {node['target']} {node['html'][:200]} {node['failureSummary'][:300]}"
        for rule in found
        if rule["impact"] in SERIOUS
        for node in rule["nodes"]
        if not _own(reader, rule["id"], node["target"])
    ]
    assert problems == []
    levels = reader.page.evaluate(LEVELS)
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels)), levels


def _own(reader: Visitor, rule: str, target: list[str]) -> bool:
    """Whether a finding is one of Streamlit's own."""
    return any(
        reader.page.locator(target[-1]).first.evaluate("(element, selector) => element.matches(selector)", selector)
        for selector in STREAMLITS_OWN.get(rule, ())
    )
