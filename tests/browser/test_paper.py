"""The Paper page and its printable version in a real browser, on the sample data and on real test sets."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from visitor import Visitor, serve

from bleu_core.paper import printed as paper
from dashboard.session.settings import INITIAL_VALUES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

DATA = os.environ.get("BLEU_CONFORMANCE_DATA")

real_data = pytest.mark.skipif(not DATA, reason="BLEU_CONFORMANCE_DATA is unset; see tests/conformance/README.md")

AS_IN_PAPER = "Computed as in the paper: preset Papineni et al. (2002)"

Rows = list[dict[str, str]]


def files(name: str, *humans: str) -> list[str]:
    """What the command is given to open a data set."""
    folder = Path(DATA or "") / "data" / name
    found = ["--human", str(folder / "human.csv"), "--documents", str(folder / "docs.txt")]
    for path in sorted((folder / "refs").glob("*.txt")):
        found += ["--ref", str(path)]
    for human in humans:
        found += ["--human-system", human]
    return [*found, *(str(path) for path in sorted((folder / "systems").glob("*.txt")))]


def truth(name: str) -> Any:
    return json.loads((Path(DATA or "") / "expected" / f"{name}.json").read_text(encoding="utf-8"))


def shows(cell: str, value: float) -> bool:
    """Whether a number is that of a cell, whose text has all digits; the expected ones are rounded."""
    return abs(float(cell) - value) < 1e-8


def settings(visitor: Visitor) -> dict[str, list[str]]:
    """What the address says about settings, the page's and the sidebar's."""
    query = parse_qs(urlsplit(visitor.page.url).query)
    return {key: value for key, value in query.items() if key == "paper_settings" or key in INITIAL_VALUES}


def choose_settings(visitor: Visitor, name: str) -> None:
    visitor.page.get_by_role("radio", name=name, exact=True).click()
    visitor.idle()


def left(someone: Visitor) -> None:
    someone.close()
    assert someone.faults == []


@pytest.mark.slow
def test_the_sample_data_are_computed_as_in_the_paper(visitor: Visitor) -> None:
    visitor.goto("/paper")
    assert AS_IN_PAPER in visitor.text()
    visitor.unfold("scoring")
    assert visitor.page.get_by_role("combobox", name="Tokeniser").input_value() == "13a"
    assert "18 of the paper's 20 claims hold on these data" in visitor.text()
    visitor.page.get_by_role("link", name="Table 1", exact=True).click()
    visitor.page.locator(".st-key-table-1-figure .plot-container").wait_for()
    found = visitor.rows("table-1")
    assert [row["system"] for row in found] == list(paper.SYSTEMS)
    assert [float(row["published BLEU"]) for row in found] == [value / 100 for value in paper.TABLE_1.values()]
    assert all(abs(float(row["BLEU"]) - float(row["published BLEU"])) < 0.01 for row in found)


@pytest.mark.slow
def test_visiting_the_page_changes_no_setting_in_the_address_and_no_other_page(visitor: Visitor) -> None:
    visitor.goto("/ranking")
    visitor.score_by("Smoothing", "floor")
    before = visitor.signature(), visitor.table("scores")
    chosen = {"smoothing": ["floor"], "paper_settings": ["paper"]}
    assert settings(visitor) == chosen
    visitor.open_page("The 2002 paper")
    assert AS_IN_PAPER in visitor.text()
    assert settings(visitor) == chosen
    choose_settings(visitor, "As in the sidebar")
    visitor.eventually(lambda: settings(visitor), {"smoothing": ["floor"]})
    visitor.open_page("Scores")
    assert (visitor.signature(), visitor.table("scores")) == before
    assert settings(visitor) == {"smoothing": ["floor"]}


@pytest.mark.slow
def test_back_leaves_the_page_after_its_settings_were_chosen(visitor: Visitor) -> None:
    visitor.goto("/ranking")
    visitor.open_page("The 2002 paper")
    choose_settings(visitor, "As in the sidebar")
    for _ in range(5):
        visitor.page.go_back()
        visitor.idle()
        if visitor.page.locator("h1").inner_text() == "Ranking":
            break
    assert visitor.page.locator("h1").inner_text() == "Ranking"


@pytest.mark.slow
def test_a_link_of_the_contents_opens_its_section_and_stays_in_view(visitor: Visitor) -> None:
    visitor.goto("/paper")
    page, contents = visitor.page, visitor.page.get_by_role("navigation", name="Contents")
    page.set_viewport_size({"width": 1366, "height": 768})
    visitor.eventually(lambda: page.locator("[class*=st-key-chart-] .js-plotly-plot").count(), 13)
    assert page.get_by_test_id("stDataFrame").count() == 0
    contents.get_by_role("link", name="Figure 2", exact=True).click()
    visitor.idle()
    page.wait_for_selector(".st-key-chart-figure-2-figure .js-plotly-plot")
    page.wait_for_selector(".st-key-table-figure-2")
    top = "() => document.getElementById('figure-2').getBoundingClientRect().top"
    visitor.eventually(lambda: 0 <= page.evaluate(top) < 768, expected=True)
    assert urlsplit(page.url).fragment == ""
    back = contents.get_by_role("link", name="Back to the top")
    assert 0 <= (back.bounding_box() or {"y": -1})["y"] < 768
    back.click()
    title = "() => document.querySelector('h1').getBoundingClientRect().top >= 0"
    visitor.eventually(lambda: page.evaluate(title), expected=True)
    page.emulate_media(media="print")
    assert not contents.is_visible()
    page.emulate_media(media="screen")


@pytest.mark.slow
def test_the_printable_page_needs_nothing_from_anywhere(visitor: Visitor, browser: Browser, tmp_path: Path) -> None:
    visitor.goto("/paper")
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="Report of this page (HTML)").click()
    file = tmp_path / "paper.html"
    download.value.save_as(file)
    context = browser.new_context(viewport={"width": 900, "height": 1200})
    requests: list[str] = []
    faults: list[str] = []
    context.on("request", lambda request: requests.append(request.url))
    context.route("**/*", lambda route: route.continue_() if route.request.url == file.as_uri() else route.abort())
    page = context.new_page()
    page.on("console", lambda message: faults.append(message.text) if message.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(file.as_uri())
    figures = page.locator("figure")
    page.wait_for_function("() => [...document.querySelectorAll('figure')].every(f => f.querySelector('.main-svg'))")
    assert figures.count() == 13
    assert page.locator("figure .plot-container").count() == 13
    marks = "f => f.querySelectorAll('.cartesianlayer path').length"
    assert all(figures.nth(i).evaluate(marks) for i in range(13))
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 688, "height": 1000})  # A4 within its margins
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 688
    cells = "t => [...t.rows].map(r => [...r.cells].map(c => c.textContent))"
    header, *printed = page.locator("#table_1 table").evaluate(cells)
    found = visitor.rows("table-1")
    assert header == list(found[0])
    assert printed == [[row["system"], *(f"{float(row[name]):.4f}" for name in header[1:])] for row in found]
    assert len(page.pdf()) > 10_000
    page.wait_for_timeout(300)
    context.close()
    assert requests == [file.as_uri()]
    assert faults == []


@pytest.mark.slow
@real_data
def test_rater_differences_regression_and_normalised_values_of_real_judges(browser: Browser, tmp_path: Path) -> None:
    expected = truth("wmt23-ende-3raters")
    folder = Path(DATA or "") / "data" / "wmt23-ende-3raters"
    with serve(tmp_path) as address:
        someone = Visitor(browser, address, width=2400)  # where all columns of a table are in view
        someone.goto("/data")
        someone.upload(sorted((folder / "systems").glob("*.txt")), role="Systems")
        others = [*sorted((folder / "refs").glob("*.txt")), folder / "docs.txt", folder / "human.csv"]
        someone.upload(others, role="Recognise by name and content")
        someone.open_page("The 2002 paper")
        assert "Compared by ratings only: ref.A" in someone.text()
        someone.unfold("scoring")
        assert someone.page.get_by_role("combobox", name="Tokeniser").input_value() == "13a"

        _check_differences(someone.all_rows("figures-3-4"), expected["rater_differences"]["adjacent"])

        level = expected["system_level"]["ref.A+synthetic_ref|all_non_self"]
        found = someone.rows("figures-5-6")[0]
        line = level["regression_human_on_bleu"]
        assert int(found["systems"]) == level["n"]
        assert shows(found["r"], line["r"])
        assert shows(found["slope"], 100 * line["slope"])  # BLEU is from 0 to 1 on this page
        assert shows(found["intercept"], line["intercept"])

        scaled = {row["system"]: row for row in someone.rows("figure-7")}
        both = level["range_normalised"]
        for name, bleu, human in zip(level["systems"], both["bleu"], both["human"], strict=True):
            assert shows(scaled[name]["BLEU"], bleu)
            assert shows(scaled[name]["all judges"], human)
        left(someone)


@pytest.mark.slow
@real_data
def test_the_choice_of_reference_flips_the_sign_of_the_correlation(browser: Browser, tmp_path: Path) -> None:
    expected = truth("ted-zhen")["system_level"]
    with serve(tmp_path, files("ted-zhen", "ref.A", "ref.B")) as address:
        someone = Visitor(browser, address)
        someone.goto("/paper")
        found = {(row["references"], row["who"]): row for row in someone.rows("agreement-by-reference")}
        for reference, value in (("ref.B", 0.3315), ("ref.A", -0.3668)):
            machines = found[reference, "machine systems only"]
            assert round(float(machines["r"]), 4) == value
            assert int(machines["systems"]) == 13
            assert shows(machines["r"], expected[f"{reference}|mt_only"]["pearson"]["r"])
            everyone = found[reference, "all systems"]
            assert shows(everyone["r"], expected[f"{reference}|all_non_self"]["pearson"]["r"])
        left(someone)


def _check_differences(found: Rows, pairs: list[Any]) -> None:
    units = {"judge and segment": "rater_segment", "segment": "segment", "judge": "rater"}
    shown = {(row["system"], row["baseline"], row["over"]): row for row in found}
    assert len(shown) == len(pairs) * len(units)
    for pair in pairs:
        for unit, name in units.items():
            row, of = shown[pair["better"], pair["worse"], unit], pair[name]
            assert int(row["N"]) == of["n"]
            assert shows(row["mean difference"], of["mean_diff"])
            assert shows(row["t"], of["t"])
            assert all(shows(row[side], bound) for side, bound in zip(("low", "high"), of["ci95"], strict=True))
