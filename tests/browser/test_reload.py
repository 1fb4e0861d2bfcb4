"""A page that is reloaded has its files again; no other tab has them, and after some time nobody has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from visitor import Server, Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Browser

REFERENCE = "the cat sat on the mat\nit was a sunny day in the park\nwe all went home at night\n"
TEXTS = {
    "ref.txt": REFERENCE,
    "ours.txt": REFERENCE.replace("the mat", "a mat"),
    "other.txt": REFERENCE.replace("cat", "dog"),
}

OTHER_TAB = "Another tab of this browser has files; this tab has none."

#: Seconds for which files are kept after a tab was closed, and the program that starts a server with them.
SHORT = 2
FORGETFUL = f"""
import sys
from dashboard import __main__, launch
from dashboard.session import work

launch.PROTECTION = {{**launch.PROTECTION, "server.disconnectedSessionTTL": {SHORT}}}
work.SWEEP_INTERVAL_S, work.FILES_TTL_S = 0.2, {SHORT}
sys.exit(__main__.main())
"""

#: A browser that lets no page keep anything, and one in which no component runs.
BLOCKED = "Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('blocked') } })"
SILENT = """
const make = URL.createObjectURL;
URL.createObjectURL = () => make(new Blob(["export default () => {}"], { type: "text/javascript" }));
"""


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """A reference and two systems."""
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return [tmp_path / name for name in TEXTS]


@pytest.fixture
def visitor(browser: Browser, server: str) -> Iterator[Visitor]:
    """Someone in a window."""
    someone = Visitor(browser, server)
    yield someone
    someone.close()
    assert someone.faults == []


def reload(visitor: Visitor) -> None:
    visitor.goto(address(visitor))


def address(visitor: Visitor) -> str:
    return visitor.page.evaluate("location.pathname + location.search")


def key(visitor: Visitor) -> str:
    """The key that the tab keeps."""
    return json.loads(visitor.page.evaluate("sessionStorage.getItem('bleu-dashboard')"))["key"]


def systems(visitor: Visitor) -> set[str]:
    return set(visitor.column("scores", "system"))


def duplicate(visitor: Visitor, browser: Browser) -> Visitor:
    """Someone at the tab once more: with what it keeps, and with its address."""
    kept = visitor.page.evaluate("JSON.stringify(sessionStorage)")
    twin = Visitor(browser, visitor.address, beside=visitor)
    twin.page.goto(f"{visitor.address}/_stcore/health")
    twin.page.evaluate("kept => Object.assign(sessionStorage, JSON.parse(kept))", kept)
    twin.goto(address(visitor))
    return twin


def test_a_reload_keeps_files_corrections_settings_notes_and_what_can_be_undone(
    visitor: Visitor, files: list[Path]
) -> None:
    page = visitor.page
    visitor.goto("/data")
    visitor.upload(files)
    visitor.select_file(1)
    page.get_by_role("textbox", name="Name", exact=True).fill("mine")
    page.keyboard.press("Enter")
    visitor.idle()
    visitor.select_file(2)
    page.get_by_role("button", name="Remove", exact=True).click()
    visitor.idle()
    visitor.open_page("Segments")
    page.keyboard.press("s")
    page.get_by_role("button", name="Starred").wait_for()
    visitor.open_page("Scores")
    visitor.score_by("Tokeniser", "char")
    visitor.eventually(lambda: systems(visitor), {"mine"})
    before, where = visitor.table("scores"), address(visitor)
    page.reload()
    visitor.eventually(lambda: visitor.table("scores"), before)
    assert address(visitor) == where
    assert key(visitor) not in where
    assert key(visitor) not in page.content()

    page.go_back()  # to before the tokeniser
    visitor.idle()
    visitor.eventually(lambda: "tokenizer" in address(visitor), expected=False)
    assert systems(visitor) == {"mine"}
    page.go_back()  # to the page of the star
    visitor.idle()
    page.get_by_role("button", name="Starred").wait_for()

    visitor.open_page("Data")
    assert visitor.column("files", "file") == ["ref.txt", "ours.txt"]
    page.get_by_role("button", name="Undo", exact=True).click()
    visitor.eventually(lambda: visitor.column("files", "file"), list(TEXTS))


@pytest.mark.slow
def test_another_tab_of_the_same_window_has_none_of_the_files(
    visitor: Visitor, browser: Browser, files: list[Path]
) -> None:
    visitor.goto("/data")
    visitor.upload(files)
    visitor.open_page("Scores")
    where = address(visitor)
    stranger = Visitor(browser, visitor.address, beside=visitor)  # a tab shares what the browser keeps
    try:
        stranger.goto(where)
        assert "The data of this address are not loaded (ref.txt, ours.txt, other.txt)" in stranger.text()
        assert stranger.page.locator("[data-testid=stDataFrame], .js-plotly-plot").count() == 0
        stranger.page.get_by_text(OTHER_TAB).wait_for()
    finally:
        stranger.close()


def test_a_second_tab_says_that_another_one_has_files_and_names_none(
    visitor: Visitor, browser: Browser, files: list[Path]
) -> None:
    visitor.goto("/data")
    second = Visitor(browser, visitor.address, beside=visitor)
    stranger = Visitor(browser, visitor.address, new=True)  # in another browser
    try:
        second.goto("/")
        assert OTHER_TAB not in second.text()  # there are none yet
        visitor.upload(files)
        for tab in (second, stranger):
            tab.goto("/")
        second.page.get_by_text(OTHER_TAB).wait_for()
        second.idle()
        assert not [name for name in TEXTS if name in second.page.content()]
        assert systems_of_sample(second)
        assert OTHER_TAB not in stranger.text()
        assert OTHER_TAB not in visitor.text()
        assert second.faults == stranger.faults == []
    finally:
        second.close()
        stranger.close()


def systems_of_sample(visitor: Visitor) -> bool:
    return "S3" in visitor.text()


@pytest.mark.slow
def test_an_address_typed_in_a_tab_with_own_files_opens_the_part_that_it_names(
    visitor: Visitor, files: list[Path]
) -> None:
    visitor.goto("/data")
    visitor.upload(files)
    for path, title, part in (
        ("/ranking?ranking_part=pairs", "Ranking", "Pairs of systems"),
        ("/ranking?ranking_part=scores", "Ranking", "Scores"),
        ("/two-systems?two_systems_part=ngrams", "Two systems", "N-grams"),
    ):
        visitor.goto(path)
        visitor.page.get_by_role("heading", name=title, exact=True).wait_for()
        visitor.page.get_by_role("radio", name=part, exact=True, checked=True).wait_for()


@pytest.mark.slow
def test_a_duplicated_tab_goes_on_with_the_same_files_by_itself(
    visitor: Visitor, browser: Browser, files: list[Path]
) -> None:
    visitor.goto("/data")
    visitor.upload(files)
    visitor.open_page("Scores")
    twin = duplicate(visitor, browser)
    assert systems(twin) == systems(visitor) == {"ours", "other"}
    assert key(twin) != key(visitor)
    twin.open_page("Data")
    twin.select_file(2)
    twin.page.get_by_role("button", name="Remove", exact=True).click()
    twin.idle()
    for each, left in ((visitor, {"ours", "other"}), (twin, {"ours"})):
        reload(each)
        each.open_page("Scores")
        each.eventually(lambda each=each: systems(each), left)


@pytest.mark.slow
def test_files_are_gone_some_time_after_the_tab_was_closed(browser: Browser, tmp_path: Path, files: list[Path]) -> None:
    server = Server(tmp_path, program=("-c", FORGETFUL))
    server.start()
    visitor = Visitor(browser, server.address, new=True)
    try:
        visitor.goto("/data")
        visitor.upload(files)
        visitor.open_page("Scores")
        where = address(visitor)
        visitor.page.goto("about:blank")
        visitor.page.wait_for_timeout(1000 * SHORT + 1500)
        visitor.goto(where)
        visitor.alerts().filter(
            has_text="Your files are no longer on the server (ref.txt, ours.txt, other.txt)"
        ).wait_for()
        visitor.idle()
        assert address(visitor) == where
        assert visitor.page.locator("[data-testid=stDataFrame], .js-plotly-plot").count() == 0
        assert "BLEU" not in visitor.text().replace("BLEU dashboard", "")
        assert visitor.faults == []
    finally:
        visitor.close()
        server.stop()
    assert "Traceback" not in server.log.read_text()


@pytest.mark.slow
def test_a_session_begins_without_what_the_tab_keeps(visitor: Visitor, browser: Browser, files: list[Path]) -> None:
    visitor.goto("/data")
    visitor.upload(files)  # so that there is something to wait for
    for without_answer in (BLOCKED, SILENT):
        other = Visitor(browser, visitor.address, new=True)
        try:
            other.page.add_init_script(without_answer)
            other.goto("/ranking")
            assert "H2" in systems(other)
            assert other.faults == []
        finally:
            other.close()
