"""Warnings in a real browser: counted, unfolded, read, dismissed with a reason, and named in the report."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from visitor import Visitor

import sample_data

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

FOLDER = Path(sample_data.__file__).parent
SEGMENTS = 100

#: An output that is missing, from 1.
EMPTY = 7

CHIPS = ":is(.st-key-warning-chips, .st-key-awaited-warning-chips)"

REASON = "known <b>and</b> *wanted*"

#: Pixels by which an element is wider than the window: 0 unless something is cut.
BEYOND = "() => document.querySelector('[data-testid=stMain]').scrollWidth - window.innerWidth"


def lines(path: str) -> list[str]:
    return (FOLDER / path).read_text(encoding="utf-8").split("\n")[:SEGMENTS]


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """A reference, a system, one that is tokenised, and one that lacks an output."""
    tokenised = [re.sub(r"([.,;:!?])", r" \1", line) for line in lines("systems/S2.txt")]
    hollow = lines("systems/S3.txt")
    hollow[EMPTY - 1] = ""
    texts = {"reference": lines("references/R1.txt"), "plain": lines("systems/S1.txt")}
    texts |= {"tokenised": tokenised, "hollow": hollow}
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(text) + "\n", encoding="utf-8")
    return [tmp_path / f"{name}.txt" for name in texts]


def open_overview(visitor: Visitor, files: list[Path]) -> None:
    visitor.goto("/data")
    visitor.upload(files)
    visitor.page.get_by_text(f"In use: 3 systems, 1 reference, {SEGMENTS} segments").wait_for()
    visitor.open_page("Overview")


@pytest.mark.slow
def test_a_warning_is_found_from_any_page_read_dismissed_and_named_in_the_report(
    visitor: Visitor, browser: Browser, files: list[Path], tmp_path: Path
) -> None:
    page = visitor.page
    open_overview(visitor, files)
    first = page.locator(".st-key-warnings")  # the chip of the strongest
    assert first.get_by_role("button").inner_text().startswith("error Different typography or tokenisation")
    visitor.open_page("Scores")
    count = page.locator(".st-key-open-warnings").get_by_role("button")
    before = count.inner_text()
    count.click()
    page.wait_for_selector('h1:has-text("Overview")')
    visitor.idle()
    unfolded = page.get_by_test_id("stPopoverBody").filter(visible=True)
    unfolded.get_by_text("Alarm: Different typography or tokenisation.").wait_for()
    page.keyboard.press("Escape")
    hollow = unfold_with(visitor, "Empty segments")
    hollow.get_by_role("button", name="Read").click()
    page.wait_for_selector('h1:has-text("Segments")')
    visitor.idle()
    assert visitor.listed_segments() == [str(EMPTY)]
    page.go_back()
    page.wait_for_selector('h1:has-text("Overview")')
    visitor.idle()
    hollow = unfold_with(visitor, "Empty segments")
    hollow.get_by_role("textbox").fill(REASON)
    hollow.get_by_role("textbox").press("Tab")
    visitor.idle()
    hollow.get_by_role("button", name="Dismiss", exact=True).click()
    visitor.idle()
    page.locator(".st-key-dismissed-warnings").get_by_role("button").click()
    unfolded.get_by_text(f"Dismissed: Empty segments. Reason: {REASON}.").wait_for()
    assert count.inner_text() != before
    visitor.open_page("Report")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Report (HTML)").click()
    report = tmp_path / "report.html"
    saved.value.save_as(report)
    reader = browser.new_page()
    reader.goto(report.as_uri())
    assert f"Dismissed: Empty segments. Reason: {REASON}." in reader.inner_text("body")
    reader.close()


def unfold_with(visitor: Visitor, title: str) -> Locator:
    """Unfold the chip that has a warning; returns the warning."""
    line = visitor.page.locator(CHIPS)
    own = line.get_by_role("button").filter(has_text=title)
    (own if own.count() else line.get_by_role("button").filter(has_text="more")).first.click()
    found = visitor.page.locator("[class*='st-key-warning-']").filter(has_text=f": {title}.").last
    found.wait_for()
    visitor.idle()
    return found


@pytest.mark.slow
def test_on_a_telephone_nothing_of_a_warning_is_cut(visitor: Visitor, files: list[Path]) -> None:
    open_overview(visitor, files)
    visitor.page.set_viewport_size({"width": 390, "height": 844})
    chips = visitor.page.locator(CHIPS).get_by_role("button").all()
    assert chips
    for chip in chips:
        assert_within(chip)
        chip.click()
        dismiss = visitor.page.get_by_role("button", name="Dismiss", exact=True).filter(visible=True)
        dismiss.first.wait_for()
        visitor.idle()
        for button in dismiss.all():
            assert_within(button)
        visitor.page.keyboard.press("Escape")
        visitor.idle()
    assert visitor.page.evaluate(BEYOND) <= 0


def assert_within(element: Locator) -> None:
    """Nothing of it is cut at the sides."""
    box = element.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
