"""Controls in popovers: what is reset while the popover is closed stays reset, though the browser had another value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from visitor import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture
def visitor(browser: Browser, server: str) -> Iterator[Visitor]:
    """Someone at the sample data, in a window without a history."""
    someone = Visitor(browser, server, new=True)
    yield someone
    someone.close()
    assert someone.faults == []


def query(visitor: Visitor) -> dict[str, list[str]]:
    return parse_qs(urlsplit(visitor.page.evaluate("location.href")).query)


def type_into(visitor: Visitor, popover: str, key: str, text: str) -> None:
    """Type into a box in a popover, and close it."""
    visitor.unfold(popover)
    box = visitor.page.locator(f"[class*=st-key-{key}] input:not([type=checkbox])")
    box.fill(text)
    box.press("Enter")
    visitor.idle()
    visitor.page.keyboard.press("Escape")
    box.wait_for(state="detached")
    visitor.idle()


def switch_intervals(visitor: Visitor) -> None:
    """Send the browser's values of all controls by a click that concerns none of them."""
    visitor.page.locator(".st-key-intervals label").first.click()
    visitor.idle()


def test_reset_all_lasts_for_controls_in_closed_popovers(visitor: Visitor) -> None:
    visitor.goto("/ranking?ranking_part=pairs")
    type_into(visitor, "slice-popover", "slice", "length > 25")
    visitor.unfold("options")
    type_into(visitor, "draws-popover", "draws", "300")
    assert {"slice", "draws"} <= query(visitor).keys()
    visitor.page.get_by_role("button", name="Reset all").click()
    visitor.idle()
    assert not {"slice", "draws"} & query(visitor).keys()
    switch_intervals(visitor)
    visitor.open_page("Precision")
    switch_intervals(visitor)
    assert not {"slice", "draws"} & query(visitor).keys()
    visitor.page.reload()
    visitor.idle()
    assert not {"slice", "draws"} & query(visitor).keys()
    visitor.unfold("slice-popover")
    assert visitor.page.locator("[class*=st-key-slice] input[type=text]").first.input_value() == ""


#: Controls in popovers that "Reset all" resets.
IN_POPOVERS = {"slice", "half", "slice_planned", "draws", "seed", "t_blocks", "without_groups", "without_judges"}


@pytest.mark.slow
def test_reset_all_lasts_for_every_control_in_a_closed_popover(visitor: Visitor) -> None:
    page = visitor.page
    visitor.goto("/ranking?ranking_part=pairs")
    visitor.unfold("slice-popover")
    page.locator("[class*=st-key-half]").get_by_role("radio", name="test", exact=True).click()
    visitor.idle()
    page.locator("[class*=st-key-slice_planned] label").first.click()
    visitor.idle()
    type_into(visitor, "slice-popover", "slice", "length > 25")
    visitor.unfold("options")
    for key, text in {"draws": "300", "seed": "7", "t_blocks": "5"}.items():
        type_into(visitor, "draws-popover", key, text)
    visitor.goto(f"/judges?{urlsplit(page.url).query}&judges_part=agreement")
    visitor.unfold("options")
    for what, name in {"groups": "bilingual", "judges": "M03"}.items():
        visitor.tick(what, name)
        page.keyboard.press("Escape")
        visitor.idle()
    assert query(visitor).keys() >= IN_POPOVERS
    page.get_by_role("button", name="Reset all").click()
    visitor.idle()
    for name in ("Judges", "Precision", "Ranking", "Judges"):
        assert not query(visitor).keys() & IN_POPOVERS, name
        switch_intervals(visitor)
        assert not query(visitor).keys() & IN_POPOVERS, name
        visitor.open_page(name)


@pytest.mark.slow
def test_back_lasts_for_controls_in_closed_popovers(visitor: Visitor) -> None:
    visitor.goto("/ranking?ranking_part=pairs")
    type_into(visitor, "slice-popover", "slice", "length > 25")
    visitor.page.go_back()
    visitor.idle()
    visitor.eventually(lambda: "slice" in query(visitor), expected=False)
    switch_intervals(visitor)
    assert "slice" not in query(visitor)


@pytest.mark.slow
def test_another_slice_replaces_the_one_typed_in_a_popover(visitor: Visitor) -> None:
    visitor.goto("/segments?segments_within=segment+%3C+9")
    type_into(visitor, "slice-popover", "slice", "length > 5")
    visitor.page.get_by_role("button", name="Use as slice on every page").click()
    visitor.idle()
    expected = query(visitor)["slice"]
    assert expected == ["length > 5 and segment < 9"]
    switch_intervals(visitor)
    assert query(visitor)["slice"] == expected
