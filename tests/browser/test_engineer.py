"""An engineer whose nightly check has failed: from the exit status to the segments, and a link for a colleague."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from visitor import Visitor

import sample_data
from bleu_core.cli.commands import main

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BASELINE, CANDIDATE = "S2", "S1"


@pytest.mark.slow
def test_a_red_gate_is_followed_to_the_segments_and_sent_as_a_link(
    visitor: Visitor, browser: Browser, server: str, capsys: Any
) -> None:
    folder = sample_data.systems()[0].parent
    references = [part for path in sample_data.references() for part in ("--ref", str(path))]
    status = main(["gate", *references, str(folder / f"{BASELINE}.txt"), str(folder / f"{CANDIDATE}.txt")])
    assert status == 1
    (line,) = capsys.readouterr().out.strip().split("\n")
    assert "worse" in line

    visitor.goto(f"/two-systems?pair_system={CANDIDATE}&pair_baseline={BASELINE}")
    page = visitor.page
    page.get_by_text(f"{BASELINE} scores significantly higher than {CANDIDATE}").first.wait_for()
    visitor.open_page("N-grams")
    assert len(visitor.column("ngrams-lost", "n-gram")) >= 10  # which the candidate has lost

    # Everything follows a slice, which Segments lists too.
    page.get_by_role("button", name="All segments").press("Enter")
    page.get_by_label("Slice", exact=True).fill("numbers >= 1")
    page.keyboard.press("Enter")
    visitor.idle()
    page.keyboard.press("Escape")
    visitor.open_page("Segments")
    page.wait_for_selector(".segment-text")
    listed = visitor.listed_segments()
    assert len(listed) == 10
    reference = sample_data.references()[0].read_text(encoding="utf-8").split("\n")
    assert [n for n in listed if not any(letter.isdigit() for letter in reference[int(n) - 1])] == []
    assert page.locator("mark").count() > 0

    other = Visitor(browser, server)
    other.goto(page.url.removeprefix(server))
    other.page.wait_for_selector(".segment-text")
    other.eventually(other.listed_segments, listed)
    other.close()
