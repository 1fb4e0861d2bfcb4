"""What protects visitors lets every page work, asks no other host, and keeps uploads out of files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from offline import Offline
from visitor import HEADERS, Visitor, serve

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ELSEWHERE = "http://127.0.0.1:9/"


@pytest.fixture
def offline(tmp_path: Path) -> Offline:
    folder = tmp_path / "offline"
    folder.mkdir()
    return Offline(folder)


def refused(page: Page, code: str) -> str:
    """The directive by which the browser refuses what a script on the page tries; empty where it does not."""
    return page.evaluate(
        """async () => {
            const violated = new Promise(done => {
                document.addEventListener('securitypolicyviolation', e => done(e.effectiveDirective), {once: true});
                setTimeout(() => done(''), 5000);
            });
            try { await (CODE) } catch {}
            return violated;
        }""".replace("CODE", code)
    )


def element(tag: str, **properties: str) -> str:
    """A script that adds an element to the page."""
    return f"document.body.append(Object.assign(document.createElement('{tag}'), {json.dumps(properties)}))"


def test_charts_and_menus_work_under_the_headers_that_protect(visitor: Visitor, tmp_path: Path) -> None:
    """That every page has them, and works, is seen where all pages are opened by their addresses."""
    with visitor.page.expect_response(lambda answer: answer.request.resource_type == "document") as document:
        visitor.goto("/ranking")
    assert document.value.headers.keys() >= HEADERS
    chart = visitor.page.locator(".st-key-chart-scores")
    chart.locator(".plot-container").wait_for()
    with visitor.page.expect_download() as image:
        chart.hover()
        chart.locator(".modebar-btn").first.click()  # Plotly makes the image in the browser
    image.value.save_as(tmp_path / "chart.svg")
    assert "<svg" in (tmp_path / "chart.svg").read_text(encoding="utf-8")
    chart.hover()
    chart.get_by_role("button", name="Fullscreen").click()
    visitor.page.get_by_role("button", name="Close fullscreen").click()
    visitor.page.get_by_test_id("stMainMenu").click()
    visitor.page.get_by_test_id("stMainMenuPopover").wait_for()


@pytest.mark.parametrize(
    ("code", "directive"),
    [
        (f"fetch('{ELSEWHERE}')", "connect-src"),
        (f"new WebSocket('{ELSEWHERE.replace('http', 'ws')}')", "connect-src"),
        (f"navigator.sendBeacon('{ELSEWHERE}')", "connect-src"),
        (element("img", src=ELSEWHERE), "img-src"),
        (element("iframe", src=ELSEWHERE), "frame-src"),
        (element("object", data=ELSEWHERE), "object-src"),
        (element("link", rel="stylesheet", href=ELSEWHERE), "style-src-elem"),
        (element("script", src=ELSEWHERE), "script-src-elem"),
        (element("script", textContent="1"), "script-src-elem"),
        (f"new FontFace('f', 'url({ELSEWHERE})').load()", "font-src"),
    ],
)
def test_a_script_on_the_page_cannot_reach_another_server(
    browser: Browser, server: str, code: str, directive: str
) -> None:
    someone = Visitor(browser, server)
    someone.page.goto(f"{server}/_stcore/health")  # any answer of the server will do
    assert refused(someone.page, code) == directive
    someone.close()


@pytest.mark.slow
def test_a_theme_in_the_working_folder_loads_nothing_from_elsewhere(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / ".streamlit").mkdir()
    theme = '[theme]\nfont = "Other:http://127.0.0.1:9/other.css"\n'
    (tmp_path / ".streamlit" / "config.toml").write_text(theme, encoding="utf-8")
    with serve(tmp_path) as address:
        someone = Visitor(browser, address, new=True)
        arrived: list[str] = []
        someone.page.on("response", lambda answer: arrived.append(answer.url))
        reasons: list[str | None] = []
        someone.page.on("requestfailed", lambda request: reasons.append(request.failure))
        someone.goto("/data")
        assert someone.page.locator("h1").inner_text() == "Data"
        assert all(url.startswith((address, "data:", "blob:")) for url in arrived)
        assert set(reasons) <= {"csp"}
        someone.close()


@pytest.mark.slow
def test_an_upload_needs_no_room_for_temporary_files(browser: Browser, offline: Offline, tmp_path: Path) -> None:
    lines = 60_000
    large = tmp_path / "large.txt"
    large.write_text("A sentence that is repeated very often, as it happens.\n" * lines, encoding="utf-8")
    assert large.stat().st_size > 2**20  # where uploads used to go to the disk
    with serve(tmp_path, (), offline.environment) as address:
        someone = Visitor(browser, address)
        someone.goto("/data")
        someone.upload([large])
        assert f"{lines:,}" in someone.text()
        someone.close()
        assert someone.faults == []
    assert offline.asked == []
