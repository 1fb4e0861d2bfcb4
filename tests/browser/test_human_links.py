"""The addresses of the pages about people show somebody else the same."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser
from visitor import Visitor

#: Page -> the boxes to change, each with what to choose in it.
CHANGES = {
    "System agreement": (("Score", "BLEU-2"), ("Exclude one system", "S2"), ("Interval over systems", "bootstrap")),
    "Metrics": (("Level", "segments"), ("Compared", "by system"), ("Correction", "none")),
    "Rater differences": (("Pairs", "one pair"), ("Baseline", "S3"), ("Rated by", "each group"), ("Unit", "judge")),
}
SWITCHES = {
    "System agreement": ("Machine systems only", "Exclude outliers"),
    "Rater differences": ("Standardise judges",),
}


def switched(visitor: Visitor) -> dict[str, bool]:
    """The page's switches, not those of the sidebar."""
    main = visitor.page.get_by_test_id("stMain")
    boxes = main.get_by_role("switch").all() or main.get_by_role("checkbox").all()
    return {str(box.get_attribute("aria-label")): box.is_checked() for box in boxes}


def without_icons(text: str) -> list[str]:
    """The lines of a page but the icon of a fold, which another one replaces while the mouse is over it."""
    return [line for line in text.split("\n") if line not in ("tune", "keyboard_arrow_down")]


@pytest.mark.parametrize("page", CHANGES)
def test_the_address_of_a_page_shows_somebody_else_the_same(
    visitor: Visitor, browser: Browser, server: str, page: str
) -> None:
    visitor.goto("/")
    visitor.open_page(page)
    for label in SWITCHES.get(page, ()):
        visitor.page.get_by_test_id("stMain").locator("label").filter(has_text=label).first.click()
        visitor.idle()
    visitor.score_by("Smoothing", "floor")
    for label, option in CHANGES[page]:
        visitor.choose(label, option)
    visitor.idle()

    somebody = Visitor(browser, server)
    somebody.goto(visitor.page.url.removeprefix(server))
    somebody.eventually(lambda: without_icons(somebody.text()), without_icons(visitor.text()))
    assert switched(somebody) == switched(visitor)
    assert sum(switched(visitor).values()) == len(SWITCHES.get(page, ()))
    somebody.close()
    assert somebody.faults == []


def test_machine_systems_only_holds_on_the_overview_and_in_its_address(
    visitor: Visitor, browser: Browser, server: str
) -> None:
    visitor.goto("/system-agreement")
    visitor.page.locator("label").filter(has_text="Machine systems only").first.click()
    visitor.idle()
    visitor.open_page("Overview")
    assert "over 3 systems" in visitor.text()
    assert "Human translators are left out." in visitor.text()

    somebody = Visitor(browser, server)
    somebody.goto(visitor.page.url.removeprefix(server))
    assert "over 3 systems" in somebody.text()
    somebody.open_page("System agreement")
    assert "over 3 systems" in somebody.text()
    assert switched(somebody)["Machine systems only"]
    somebody.close()
    assert somebody.faults == []
