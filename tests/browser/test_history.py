"""Back undoes one step per press: a change of page, of a control, of a setting; an upload is not undone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from visitor import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Browser

REFERENCE = "the cat sat on the mat\nit was a sunny day in the park\nwe all went home at night\n"


@pytest.fixture
def visitor(browser: Browser, server: str) -> Iterator[Visitor]:
    """Someone at the sample data, in a window without a history."""
    someone = Visitor(browser, server, new=True)
    yield someone
    someone.close()
    assert someone.faults == []


#: What can be told of a page without asking Streamlit: heading, signature, systems ticked, address.
State = tuple[str, str, str, str]


def state(visitor: Visitor) -> State:
    page, sidebar = visitor.page, visitor.page.get_by_test_id("stSidebar")
    heading = " ".join(page.locator("h1").all_inner_texts())  # two while one page takes the place of another
    signature = sidebar.locator("code").inner_text()
    ticked = sidebar.get_by_text(re.compile(r"^Systems: \d+ of \d+$")).first.inner_text()
    return heading, signature, ticked, page.evaluate("location.pathname + location.search")


def entries(visitor: Visitor) -> int:
    return visitor.page.evaluate("history.length")


def taken(visitor: Visitor, *steps: Callable[[], object]) -> list[State]:
    """What is seen before the steps, and after each; each makes one entry in the browser's history."""
    found = [state(visitor)]
    for step in steps:
        before = entries(visitor)
        step()
        visitor.idle()
        visitor.eventually(lambda: entries(visitor), before + 1)
        found.append(state(visitor))
    assert len({address for *_, address in found}) == len(found)
    return found


def check_back_and_forward(visitor: Visitor, seen: list[State]) -> None:
    """Whether each press of Back undoes one of the steps, and each press of Forward takes it again."""
    for earlier in seen[-2::-1]:
        visitor.page.go_back()
        visitor.eventually(lambda: state(visitor), earlier)
        visitor.idle()
    for later in seen[1:]:
        visitor.page.go_forward()
        visitor.eventually(lambda: state(visitor), later)
        visitor.idle()
    assert entries(visitor) == len(seen) + 1  # the blank page that a browser begins with


@pytest.mark.slow
def test_back_undoes_pages_controls_and_settings_one_by_one(visitor: Visitor) -> None:
    visitor.goto("/")
    visitor.unfold("scoring")
    seen = taken(
        visitor,
        lambda: visitor.open_page("Scores"),
        lambda: visitor.score_by("Tokeniser", "char"),
        lambda: visitor.score_by("Preset", "Papineni et al. (2002)"),  # one step, though it changes many settings
    )
    *_, preset = seen
    assert "case:lc|eff:no|tok:none|smooth:none" in preset[1]
    check_back_and_forward(visitor, seen)


@pytest.mark.slow
def test_back_undoes_a_tick_and_a_reset(visitor: Visitor) -> None:
    visitor.goto("/")
    visitor.unfold("scoring")
    visitor.unfold("without_systems-list")
    seen = taken(
        visitor,
        lambda: visitor.open_page("Scores"),
        lambda: visitor.score_by("Tokeniser", "char"),
        lambda: visitor.tick("systems", "S1"),
        lambda: visitor.page.get_by_role("button", name="Reset all").click(),
    )
    *_, ticked, reset = seen
    assert ticked[::2] == ("Ranking", "Systems: 4 of 5")
    assert "tok:char" in ticked[1]
    assert reset[2] == "Systems: 5 of 5"
    assert "case:mixed" in reset[1]
    check_back_and_forward(visitor, seen)


@pytest.mark.slow
def test_back_undoes_a_preset_a_metric_and_a_segment_one_by_one(visitor: Visitor) -> None:
    visitor.goto("/agreement?agreement_part=by-segment")
    visitor.unfold("scoring")
    number = visitor.page.get_by_label("Segment (1 to")
    visitor.eventually(lambda: number.input_value() != "1", expected=True)  # what it shows before it has its value
    first = number.input_value()

    def read(segment: str) -> None:
        number.fill(segment)
        number.press("Enter")

    seen = taken(
        visitor,
        lambda: (visitor.unfold("options"), visitor.choose("Metric", "chrF2")),
        lambda: read("7"),
        lambda: visitor.score_by("Preset", "Papineni et al. (2002)"),
        lambda: visitor.open_page("Scores"),
    )
    check_back_and_forward(visitor, seen)
    for _ in seen[1:]:
        visitor.page.go_back()
        visitor.idle()
    visitor.eventually(number.input_value, first)
    visitor.unfold("options")
    visitor.eventually(visitor.page.get_by_role("combobox", name="Metric").input_value, "BLEU")


@pytest.mark.slow
def test_an_upload_is_not_undone(visitor: Visitor, tmp_path: Path) -> None:
    texts = {"ref": REFERENCE, "ours": REFERENCE.replace("the mat", "a mat"), "other": REFERENCE.replace("cat", "dog")}
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    visitor.goto("/ranking")
    visitor.open_page("Data")
    visitor.upload([tmp_path / f"{name}.txt" for name in texts])
    visitor.open_page("Scores")
    visitor.eventually(lambda: set(visitor.column("scores", "system")), {"ours", "other"})
    for _ in range(2):  # to the Data page, and to before the upload
        visitor.page.go_back()
        visitor.idle()
    visitor.open_page("Scores")
    visitor.eventually(lambda: set(visitor.column("scores", "system")), {"ours", "other"})
