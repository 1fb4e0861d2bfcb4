"""What is seen of pages without scrolling, on a screen and on a phone."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from visitor import Visitor, serve

import sample_data

if TYPE_CHECKING:
    from playwright.sync_api import Browser

DATA = os.environ.get("BLEU_CONFORMANCE_DATA")

SCREEN, PHONE = (1440, 900), (390, 844)

VERDICT, RANKING, PRECISION = ".st-key-answer", ".st-key-overview-scores", ".st-key-overview-precision"
CHIPS = ":is(.st-key-warning-chips, .st-key-awaited-warning-chips)"


@pytest.fixture(scope="module")
def ted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A dashboard that opens on 15 systems, two references and ratings."""
    if not DATA:
        pytest.skip("BLEU_CONFORMANCE_DATA is unset; see tests/conformance/README.md")
    folder = Path(DATA) / "data" / "ted-zhen"
    files = [option for path in sorted((folder / "refs").glob("*.txt")) for option in ("--ref", str(path))]
    files += ["--source", str(folder / "source.txt"), "--human", str(folder / "human.csv")]
    files += map(str, sorted((folder / "systems").glob("*.txt")))
    with serve(tmp_path_factory.mktemp("ted"), files) as address:
        yield address


def opened(browser: Browser, address: str, size: tuple[int, int], path: str = "/") -> Visitor:
    width, height = size
    visitor = Visitor(browser, address, width=width, height=height)
    visitor.goto(path)
    visitor.page.locator(".js-plotly-plot").first.wait_for()
    visitor.idle()
    return visitor


def box(visitor: Visitor, place: str) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of what is first found there."""
    found = visitor.page.locator(place).first.bounding_box()
    assert found is not None, place
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


def chips(visitor: Visitor) -> list[tuple[float, float, float, float]]:
    """The boxes of the chips of warnings."""
    found = (chip.bounding_box() for chip in visitor.page.locator(f"{CHIPS} [data-testid=stPopover]").all())
    return [(b["x"], b["y"], b["x"] + b["width"], b["y"] + b["height"]) for b in found if b is not None]


def assert_within(visitor: Visitor, size: tuple[int, int], places: Sequence[str]) -> None:
    for place in places:
        left, top, right, bottom = box(visitor, place)
        assert left >= 0, place
        assert top >= 0, place
        assert right <= size[0], place
        assert bottom <= size[1], place


def check_screen(visitor: Visitor) -> None:
    assert_within(visitor, SCREEN, (VERDICT, CHIPS, RANKING, PRECISION))
    assert box(visitor, RANKING)[2] <= box(visitor, PRECISION)[0]  # beside each other
    assert box(visitor, RANKING)[3] == pytest.approx(box(visitor, PRECISION)[3], abs=2)
    assert box(visitor, VERDICT)[3] - box(visitor, VERDICT)[1] < 100  # one or two sentences
    found = chips(visitor)
    assert found
    assert len({top for _, top, _, _ in found}) == 1  # one line
    for after in (".st-key-overview-blocks", ".st-key-overview-human"):
        top = box(visitor, after)[1]
        assert SCREEN[1] <= top < 2 * SCREEN[1], after


def check_phone(visitor: Visitor) -> None:
    assert_within(visitor, PHONE, (VERDICT, RANKING))
    for left, _, right, _ in chips(visitor):
        assert left >= 0
        assert right <= PHONE[0]


def test_the_overview_of_the_sample_has_verdict_ranking_and_precision_on_the_first_screen(
    browser: Browser, server: str
) -> None:
    visitor = opened(browser, server, SCREEN)
    check_screen(visitor)
    visitor.close()


def test_on_a_phone_the_overview_has_verdict_and_ranking_and_the_menu_closes_when_a_page_is_chosen(
    browser: Browser, server: str
) -> None:
    visitor = opened(browser, server, PHONE)
    check_phone(visitor)
    page, sidebar = visitor.page, visitor.page.get_by_test_id("stSidebar")
    page.get_by_test_id("stExpandSidebarButton").click()
    visitor.eventually(lambda: sidebar.get_attribute("data-collapsed"), "false")
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Precision").click()
    page.wait_for_selector('h1:has-text("Precision")')
    visitor.idle()
    visitor.eventually(lambda: sidebar.get_attribute("data-collapsed"), "true")
    assert box(visitor, "h1")[0] >= 0
    assert visitor.faults == []
    visitor.close()


@pytest.mark.slow
def test_the_overview_of_fifteen_systems_has_verdict_ranking_and_precision_on_the_first_screen(
    browser: Browser, ted: str
) -> None:
    visitor = opened(browser, ted, SCREEN)
    check_screen(visitor)
    assert len(chips(visitor)) == 4
    visitor.close()


@pytest.mark.slow
def test_the_overview_of_fifteen_systems_has_verdict_and_ranking_on_a_phone(browser: Browser, ted: str) -> None:
    visitor = opened(browser, ted, PHONE)
    check_phone(visitor)
    visitor.close()


@pytest.mark.slow
@pytest.mark.parametrize("size", [SCREEN, PHONE], ids=["screen", "phone"])
def test_warnings_have_their_place_before_they_are_found(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    files = [option for path in sample_data.references() for option in ("--ref", str(path))]
    files += map(str, sample_data.systems()[:3])
    with serve(tmp_path, files) as address:  # which knows nothing of them yet
        visitor = opened(browser, address, size)
        assert len(chips(visitor)) > 1
        with_chips = box(visitor, ".st-key-options")
        visitor.page.add_style_tag(content=".st-key-awaited-warning-chips > * { display: none }")
        assert not chips(visitor)
        assert box(visitor, ".st-key-options") == with_chips
        visitor.close()


@pytest.mark.slow
@pytest.mark.parametrize("data", ["sample", "ted"])
def test_the_first_chart_of_two_systems_is_on_the_first_screen(
    browser: Browser, server: str, request: pytest.FixtureRequest, data: str
) -> None:
    address = server if data == "sample" else request.getfixturevalue("ted")
    visitor = opened(browser, address, SCREEN, "/two-systems")
    assert_within(visitor, SCREEN, (".js-plotly-plot",))
    assert box(visitor, ".js-plotly-plot")[3] <= SCREEN[1]
    visitor.close()


@pytest.mark.slow
def test_on_a_screen_the_menu_stays_when_a_page_is_chosen(browser: Browser, server: str) -> None:
    visitor = opened(browser, server, SCREEN)
    visitor.open_page("Precision")
    assert visitor.page.get_by_test_id("stSidebar").get_attribute("data-collapsed") == "false"
    visitor.close()
