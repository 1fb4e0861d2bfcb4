"""Two test sets in one session: created, filled by moving files, switched, shared, renamed and removed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from accessibility import problems
from sacrebleu.metrics.bleu import BLEU
from visitor import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NEWS = "the cat sat on the mat\nit was a sunny day in the park\nwe all went home at night\n"
TALKS = "thank you all for coming here\nthis is about our work of ten years\n"
TEXTS = {
    "ref": NEWS,
    "ours": NEWS.replace("the mat", "a mat"),
    "theirs": NEWS.replace("sunny day", "bright morning"),
    "talks-ref": TALKS,
    "ours-talks": TALKS.replace("thank you", "thanks"),
}


def written(folder: Path) -> list[Path]:
    for name, text in TEXTS.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return [folder / f"{name}.txt" for name in TEXTS]


def score(system: str, reference: str) -> float:
    return BLEU().corpus_score(TEXTS[system].split("\n")[:-1], [TEXTS[reference].split("\n")[:-1]]).score


def scores(visitor: Visitor) -> dict[str, float]:
    return {row[0]: float(row[1]) for row in visitor.table("scores")[1:]}


def named(visitor: Visitor, popover: str, label: str, name: str, button: str) -> None:
    """Enter a name in one of the forms of test sets."""
    visitor.unfold(popover)
    box = visitor.page.get_by_role("textbox", name=label)
    box.fill(name)
    box.press("Tab")
    visitor.page.get_by_role("button", name=button, exact=True).click()
    visitor.idle()


def shown_set(visitor: Visitor) -> str:
    return visitor.page.get_by_role("combobox", name="Test set", exact=True).input_value()


def two_sets(visitor: Visitor, folder: Path) -> None:
    """Upload the files of two test sets, and move those of the second one to it."""
    visitor.goto("/data")
    visitor.upload(written(folder))
    named(visitor, "new-set-popover", "Name of the new test set", "talks", "Create test set")
    visitor.eventually(lambda: shown_set(visitor), "talks")
    visitor.choose("Test set", "Unnamed")
    visitor.unfold("move-files-popover")
    for name in ("talks-ref.txt", "ours-talks.txt"):
        visitor.page.get_by_role("combobox", name="Files to move").click()
        visitor.page.get_by_role("option", name=name, exact=True).click()
    visitor.page.keyboard.press("Escape")
    visitor.unfold("move-files-popover")
    visitor.page.get_by_test_id("stFormSubmitButton").get_by_role("button", name="Move files").click()
    visitor.idle()
    visitor.eventually(lambda: visitor.column("files", "file"), ["ref.txt", "ours.txt", "theirs.txt"])


def test_a_second_set_is_made_and_shown_and_back_shows_the_first(visitor: Visitor, tmp_path: Path) -> None:
    two_sets(visitor, tmp_path)
    assert visitor.column("test-sets", "test set") == ["Unnamed", "talks"]
    assert visitor.column("test-sets", "systems") == ["2", "1"]
    visitor.open_page("Scores")
    first = {"ours": pytest.approx(score("ours", "ref")), "theirs": pytest.approx(score("theirs", "ref"))}
    second = {"ours-talks": pytest.approx(score("ours-talks", "talks-ref"))}
    assert scores(visitor) == first
    visitor.choose("Test set", "talks")
    visitor.eventually(lambda: scores(visitor), second)
    assert "set=talks" in visitor.page.url
    visitor.page.go_back()
    visitor.eventually(lambda: shown_set(visitor), "Unnamed")
    visitor.idle()
    assert scores(visitor) == first
    visitor.page.go_forward()
    visitor.eventually(lambda: shown_set(visitor), "talks")
    visitor.idle()
    assert scores(visitor) == second


@pytest.mark.slow
def test_a_second_set_is_shared_renamed_and_removed(
    visitor: Visitor, browser: Browser, server: str, tmp_path: Path
) -> None:
    two_sets(visitor, tmp_path)
    visitor.open_page("Scores")
    visitor.choose("Test set", "talks")
    second = {"ours-talks": pytest.approx(score("ours-talks", "talks-ref"))}
    visitor.eventually(lambda: scores(visitor), second)
    link, path = visitor.page.url.removeprefix(server), tmp_path / "workspace.bleu.zip"
    with visitor.page.expect_download() as saved:
        visitor.page.get_by_role("button", name="Save workspace").click()
    saved.value.save_as(path)
    other = Visitor(browser, server)
    other.goto(link)
    assert "The data of this address are not loaded" in other.text()
    other.goto("/data")
    other.upload([path])
    assert shown_set(other) == "talks"
    other.goto(link)
    other.eventually(lambda: scores(other), second)
    other.open_page("Data")
    assert other.column("files", "file") == ["talks-ref.txt", "ours-talks.txt"]
    other.close()
    assert other.faults == []

    visitor.open_page("Data")
    named(visitor, "rename-set-popover", "New name of talks", "TED talks", "Rename test set")
    visitor.eventually(lambda: shown_set(visitor), "TED talks")
    assert "set=TED+talks" in visitor.page.url
    visitor.page.get_by_role("button", name="Remove this test set").click()
    visitor.idle()
    assert "Removed the test set TED talks with 2 files." in visitor.text()
    assert visitor.page.locator(".st-key-shown_set").count() == 0
    assert visitor.column("files", "file") == ["ref.txt", "ours.txt", "theirs.txt"]
    visitor.page.get_by_role("button", name="Undo").click()
    visitor.idle()
    assert visitor.column("test-sets", "test set") == ["Unnamed", "TED talks"]


@pytest.mark.slow
def test_the_box_works_by_keyboard_and_fits_on_a_telephone(browser: Browser, server: str, tmp_path: Path) -> None:
    someone = Visitor(browser, server, dark=True, width=390, height=844)
    two_sets(someone, tmp_path)
    assert someone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    someone.page.get_by_role("combobox", name="Test set").focus()
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        someone.page.keyboard.press(key)
    someone.idle()
    someone.eventually(lambda: shown_set(someone), "talks")
    assert problems(someone) == []
    someone.close()
    assert someone.faults == []
