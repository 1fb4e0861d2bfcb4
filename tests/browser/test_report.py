"""Reports and printed pages in a real browser: without network, on A4 and Letter, light and dark."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from visitor import Visitor

from bleu_core.dataset import Corpus
from bleu_core.scoring import evaluate
from bleu_core.uploads import Workspace
from dashboard.analysis.view import View
from dashboard.exhibits import Data
from dashboard.export import Source, make_short_report

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

#: CSS pixels between the margins of A4.
PAPER = 703

#: The right ends of all charts and tables on paper, of which none may be beyond the paper's.
ENDS = """() => [...document.querySelectorAll('.js-plotly-plot .main-svg, .printed table')]
    .map(each => each.getBoundingClientRect()).filter(box => box.width).map(box => Math.floor(box.right))"""

#: Colours of text that can be read on white paper: dark ones.
BRIGHT = """() => [...document.querySelectorAll('h1, h2, p, td, .xtick text, .legendtext')]
    .map(each => getComputedStyle(each)).map(style => style.fill !== 'rgb(0, 0, 0)' ? style.fill : style.color)
    .filter(color => color.match(/\\d+/g).slice(0, 3).every(part => part > 128))"""


def sheets(page: Page, size: str) -> int:
    """How many sheets of paper a page takes."""
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(format=size)))


@pytest.fixture
def at_night(browser: Browser, server: str) -> Visitor:
    return Visitor(browser, server, dark=True, width=1440)


def test_pages_are_printed_whole_and_dark_on_white(at_night: Visitor) -> None:
    page = at_night.page
    for path in ("ranking?ranking_part=pairs&rank_humans=true",):
        at_night.goto(f"/{path}")
        page.locator(".js-plotly-plot .main-svg").first.wait_for()
        rows = page.locator(".printed tr").count()
        assert rows > 10
        assert not page.locator(".printed").first.is_visible()
        at_night.eventually(lambda: sheets(page, "A4") > 1, expected=True)
        page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print", color_scheme="dark")
        page.set_viewport_size({"width": PAPER, "height": 1000})
        assert page.locator(".printed").first.is_visible()
        assert not page.locator(".stDataFrame, [data-testid=stSidebar], .stButton").locator("visible=true").count()
        ends = page.evaluate(ENDS)
        assert ends
        assert max(ends) <= PAPER
        assert page.evaluate(BRIGHT) == []
        assert page.evaluate("() => getComputedStyle(document.querySelector('.stApp')).backgroundColor") == (
            "rgb(255, 255, 255)"
        )
        page.emulate_media(media="screen", color_scheme="dark")
        page.set_viewport_size({"width": 1440, "height": 2000})
        page.evaluate("() => window.dispatchEvent(new Event('afterprint'))")
        assert not page.locator(".main-svg[viewBox]").count()
    at_night.close()
    assert at_night.faults == []


def test_the_short_form_of_long_texts_and_names_fits_a_sheet(browser: Browser, tmp_path: Path) -> None:
    texts = tuple(f"{n} " + "Wörter und 漢字 " * 200 for n in range(30))
    others = tuple(text.replace("und", "oder", n) for n, text in enumerate(texts))
    corpus = Corpus({"N" * 90: texts, "m" * 90: others}, {"r" * 90: texts})
    view = View(Workspace.of_data(corpus, None, (), ()), evaluate(corpus))
    content = make_short_report(Source(Data(view)), introduction="One.\n\nTwo.").html()
    file = tmp_path / "long.html"
    file.write_bytes(content)
    page = browser.new_page()
    page.goto(file.as_uri())
    assert page.locator(".example").count() == 10
    assert [sheets(page, size) for size in ("A4", "Letter")] == [1, 1]
    page.close()


@pytest.mark.parametrize(
    ("form", "most"),
    [
        ("full", {"A4": 20}),
        pytest.param("full", {"Letter": 20}, marks=pytest.mark.slow),
        pytest.param("short", {"A4": 1, "Letter": 1}, marks=pytest.mark.slow),
    ],
    ids=["full on A4", "full on Letter", "short"],
)
def test_a_report_needs_no_network_and_the_short_one_fits_a_sheet(
    visitor: Visitor, browser: Browser, tmp_path: Path, form: str, most: Mapping[str, int]
) -> None:
    visitor.goto("/report")
    visitor.page.get_by_role("textbox", name="Heading").fill("<img src=http://127.0.0.1:9/x> & <b>co</b>")
    visitor.page.get_by_role("textbox", name="Heading").press("Enter")
    visitor.idle()
    visitor.unfold("options")
    visitor.page.get_by_role("radio", name=form, exact=True).click()
    visitor.idle()
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="Report (HTML)").click()
    file = tmp_path / f"{form}.html"
    download.value.save_as(file)
    context = browser.new_context(offline=True)
    requests: list[str] = []
    faults: list[str] = []
    context.on("request", lambda request: requests.append(request.url))
    page = context.new_page()
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(file.as_uri())
    assert page.locator("h1").inner_text() == "<img src=http://127.0.0.1:9/x> & <b>co</b>"
    drawn = "() => [...document.querySelectorAll('figure')].every(each => each.querySelector('.main-svg'))"
    page.wait_for_function(drawn)
    assert page.locator("figure").count() == (0 if form == "short" else 7)
    for size, number in most.items():
        assert 1 <= sheets(page, size) <= number
    page.emulate_media(media="print")
    page.set_viewport_size({"width": PAPER, "height": 1000})
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PAPER
    context.close()
    assert requests == [file.as_uri()]
    assert faults == []
