"""The address of every part of the Human judgments page shows somebody else the same."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser
from visitor import Visitor

#: Part -> the boxes to change, each with what to choose in it.
CHANGES = {
    "Systems": (("Score", "BLEU-2"), ("Exclude one system", "S2"), ("Interval over systems", "bootstrap")),
    "Metrics": (("Level", "segments"), ("Compared", "by system"), ("Correction", "none")),
    "Differences": (("Pairs", "one pair"), ("against", "S3"), ("Rated by", "each group"), ("Unit", "judge")),
}
SWITCHES = {"Systems": ("Machine systems only", "Exclude outliers"), "Differences": ("Standardise judges",)}


def switched(visitor: Visitor) -> dict[str, bool]:
    boxes = visitor.page.get_by_role("switch").all() or visitor.page.get_by_role("checkbox").all()
    return {str(box.get_attribute("aria-label")): box.is_checked() for box in boxes}


@pytest.mark.parametrize("part", CHANGES)
def test_the_address_of_a_part_shows_somebody_else_the_same(
    visitor: Visitor, browser: Browser, server: str, part: str
) -> None:
    visitor.goto("/human")
    visitor.page.get_by_role("radio", name=part, exact=True).click()
    visitor.idle()
    for label in SWITCHES.get(part, ()):
        visitor.page.locator("label").filter(has_text=label).first.click()
        visitor.idle()
    visitor.choose("Smoothing", "floor")
    for label, option in CHANGES[part]:
        visitor.choose(label, option)
    visitor.idle()

    somebody = Visitor(browser, server)
    somebody.goto(visitor.page.url.removeprefix(server))
    somebody.eventually(somebody.text, visitor.text())
    assert switched(somebody) == switched(visitor)
    assert sum(switched(visitor).values()) == 1 + len(SWITCHES.get(part, ()))  # intervals are on at first
    somebody.close()
    assert somebody.faults == []


def test_machine_systems_only_holds_on_the_overview_and_in_its_address(
    visitor: Visitor, browser: Browser, server: str
) -> None:
    visitor.goto("/human")
    visitor.page.locator("label").filter(has_text="Machine systems only").first.click()
    visitor.idle()
    visitor.open_page("Overview")
    assert "over 3 systems" in visitor.text()
    assert "Human translators are left out." in visitor.text()

    somebody = Visitor(browser, server)
    somebody.goto(visitor.page.url.removeprefix(server))
    assert "over 3 systems" in somebody.text()
    somebody.open_page("Human judgments")
    assert "over 3 systems" in somebody.text()
    assert switched(somebody)["Machine systems only"]
    somebody.close()
    assert somebody.faults == []
