"""The sample data in a real browser: settings in the address, links, downloads."""

from __future__ import annotations

import importlib.util
import re
import struct
import xml.etree.ElementTree as ET
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sacrebleu.metrics.bleu import BLEU
from visitor import Visitor, serve

import sample_data
from dashboard.export.figure_files import CLOSE_TIMEOUT_S, MAX_TRIES, TIMEOUT_S

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def expected(system: str, **settings: object) -> float:
    """SacreBLEU's score of a sample system against all sample references."""
    texts = lines(sample_data.FOLDER / "systems" / f"{system}.txt")
    return BLEU(**settings).corpus_score(texts, [lines(path) for path in sample_data.references()]).score  # pyright: ignore[reportArgumentType]


def dots_per_metre(picture: Path) -> int:
    """What a PNG says of its resolution, read by the definition of the format: every chunk with its checksum."""
    content, at, found = picture.read_bytes(), 8, 0
    while at < len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        kind, data = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        assert struct.unpack(">I", content[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + data)
        if kind == b"pHYs":
            assert not found
            found, down, unit = struct.unpack(">IIB", data)
            assert (down, unit) == (found, 1)
        at += 12 + length
    return found


def scores(visitor: Visitor) -> dict[str, float]:
    return {row[0]: float(row[1]) for row in visitor.table("scores")[1:]}


@pytest.mark.slow
def test_a_link_shows_the_same_view_to_somebody_else(visitor: Visitor, browser: Browser, server: str) -> None:
    visitor.goto("/ranking")
    visitor.score_by("Preset", "Papineni et al. (2002)")
    visitor.tick("references", "R3")
    signature = visitor.signature()
    assert signature.startswith("nrefs:3|case:lc|eff:no|tok:none|smooth:none")
    somebody = Visitor(browser, server)
    somebody.goto(visitor.page.url.removeprefix(server))
    assert somebody.signature() == signature
    assert scores(somebody) == scores(visitor)
    somebody.close()
    assert somebody.faults == []


@pytest.mark.slow
def test_every_chart_has_its_data_and_words_for_those_who_cannot_see_it(visitor: Visitor, tmp_path: Path) -> None:
    for path in ("/", "/scores", "/precision", "/blocks", "/significance", "/two-systems", "/system-agreement"):
        visitor.goto(path)
        visitor.page.wait_for_selector(".js-plotly-plot")
        charts = visitor.page.locator("[class*=st-key-chart-]")
        assert charts.count() > 0
        for i in range(charts.count()):
            assert charts.nth(i).locator("[aria-label]").first.get_attribute("aria-label")
            data = visitor.download(charts.nth(i), "Data (TSV)", tmp_path)
            header, *rows = data.read_text(encoding="utf-8").split("\n")[:-1]
            assert "\t" in header
            assert rows
            assert all(len(row.split("\t")) == len(header.split("\t")) for row in rows)


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_a_figure_is_saved_as_it_is_printed_at_the_width_that_is_chosen(
    visitor: Visitor, tmp_path: Path, theme: str
) -> None:
    visitor.page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    visitor.goto("/precision?rank_humans=true")
    visitor.page.wait_for_selector(".js-plotly-plot .main-svg")
    chart = visitor.page.locator(".st-key-chart-precision")
    before = chart.locator(".main-svg").first.bounding_box()
    drawn = visitor.download(chart, "Figure (SVG)", tmp_path)
    assert drawn.name == "precision-5-systems-84.svg"
    svg = ET.fromstring(drawn.read_text(encoding="utf-8"))  # noqa: S314 # drawn just now
    chart.get_by_role("button", name="Download").click()
    for saved in ("Figure (SVG)", "Data (TSV)"):  # one after the other, as the menu stays open
        with visitor.page.expect_download():
            visitor.page.get_by_role("button", name=saved, exact=True).click()
    visitor.page.keyboard.press("Escape")
    assert float(svg.attrib["width"]) * 25.4 / 96 == pytest.approx(84)
    text = list(svg.iter("{http://www.w3.org/2000/svg}text"))
    assert any("".join(each.itertext()).endswith("H2") for each in text)
    sizes = {float(size) for each in text for size in re.findall(r"font-size: ([\d.]+)px", each.attrib["style"])}
    assert sizes
    assert all(8 <= round(size * 72 / 96, 2) <= 9 for size in sizes)
    assert "fill: rgb(255, 255, 255)" in drawn.read_text(encoding="utf-8")[:800]  # white paper
    if theme == "dark":
        column = visitor.download(chart, "Figure (PNG)", tmp_path)
        width = struct.unpack(">I", column.read_bytes()[16:20])[0]
        assert width / dots_per_metre(column) == pytest.approx(0.084, abs=1e-4)
        return
    chart.get_by_role("button", name="Download").click()
    visitor.page.get_by_label("Width").select_option("slide")
    visitor.page.keyboard.press("Escape")
    picture = visitor.download(chart, "Figure (PNG)", tmp_path)
    assert picture.name == "precision-5-systems-slide.png"
    assert struct.unpack(">II", picture.read_bytes()[16:24]) == (3840, 2160)
    assert dots_per_metre(picture) == round(288 / 0.0254)
    assert chart.locator(".main-svg").first.bounding_box() == before


@pytest.mark.slow
def test_the_toolbar_of_a_chart_is_seen_under_the_pointer_only_and_the_keyboard_passes_it_by(visitor: Visitor) -> None:
    visitor.goto("/ranking")
    visitor.page.wait_for_selector(".js-plotly-plot .main-svg")
    chart, tools = visitor.page.locator(".js-plotly-plot").first, visitor.page.locator(".modebar").first
    assert not tools.is_visible()
    chart.hover()
    assert tools.is_visible()
    visitor.page.mouse.move(0, 0)
    visitor.page.locator("h1").click()
    stop = "() => [!!document.activeElement.closest('.modebar'), document.activeElement.textContent]"
    stops = []
    while not stops or not any("Download figure" in text for _, text in stops):
        assert len(stops) < 40
        visitor.page.keyboard.press("Tab")
        stops.append(visitor.page.evaluate(stop))
    assert not any(within for within, _ in stops)


@pytest.mark.slow
def test_a_table_is_sorted_by_number_with_a_click_on_a_header(visitor: Visitor) -> None:
    visitor.goto("/ranking?ranking_part=pairs")
    before = [float(p) for p in visitor.column("comparisons", "delta")]
    box = visitor.page.locator(".st-key-table-comparisons canvas").first.bounding_box()
    assert box is not None
    sorted_by, header, rows = "", [""], [[""]]
    for x in range(20, int(box["width"]), 40):  # the widths of columns are known to the canvas alone
        visitor.page.mouse.click(box["x"] + x, box["y"] + 15)
        header, *rows = visitor.table("comparisons")
        sorted_by = next((name for name in header if name.startswith(("↑", "↓"))), "")  # an arrow marks the column
        if sorted_by.endswith("delta"):
            break
    place = header.index(sorted_by)
    assert [float(row[place]) for row in rows] == sorted(before, reverse=sorted_by.startswith("↓")) != before


@pytest.mark.slow
def test_the_switches_of_the_pages_redraw_and_are_kept(visitor: Visitor) -> None:
    visitor.goto("/precision")
    visitor.page.wait_for_selector(".st-key-precision .js-plotly-plot .plot-container")
    axis = "() => document.querySelector('.st-key-precision .js-plotly-plot')._fullLayout.yaxis.type"
    visitor.eventually(lambda: visitor.page.evaluate(axis), "log")
    visitor.unfold("options")
    visitor.page.get_by_text("Logarithmic axis").click()
    visitor.idle()
    visitor.page.wait_for_function(f"() => ({axis})() === 'linear'")
    visitor.open_page("Scores")
    visitor.open_page("Precision")
    visitor.page.wait_for_selector(".st-key-precision .js-plotly-plot .plot-container")
    visitor.eventually(lambda: visitor.page.evaluate(axis), "linear")
    visitor.unfold("options")
    visitor.page.get_by_role("radio", name="bars").click()
    visitor.idle()
    kinds = "() => document.querySelector('.st-key-precision .js-plotly-plot').data.map(t => t.type)"
    visitor.page.wait_for_function(f"() => ({kinds})().every(type => type === 'bar')")
    visitor.goto("/blocks?violin=true")
    kinds = kinds.replace("precision", "blocks")
    visitor.page.wait_for_selector(".st-key-blocks .js-plotly-plot .plot-container")
    visitor.eventually(lambda: visitor.page.evaluate(kinds), ["violin"] * 3)  # human translations are not ranked


@pytest.mark.slow
def test_files_named_on_the_command_line_are_open(browser: Browser, tmp_path: Path) -> None:
    reference, *_ = sample_data.references()
    files = ["--ref", str(reference), str(sample_data.FOLDER / "systems" / "S3.txt")]
    with serve(tmp_path, files) as address:
        someone = Visitor(browser, address)
        someone.goto("/ranking")
        score = BLEU().corpus_score(lines(sample_data.FOLDER / "systems" / "S3.txt"), [lines(reference)]).score
        assert scores(someone) == {"S3": pytest.approx(score, rel=1e-9)}
        link = someone.page.url.removeprefix(address)
        somebody = Visitor(browser, address)
        somebody.goto(link)
        assert scores(somebody) == scores(someone)
        for one in (someone, somebody):
            one.close()
            assert one.faults == []


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("kaleido") is None, reason="kaleido is not installed")
def test_data_and_figure_are_saved_from_a_menu_that_is_opened_once(visitor: Visitor, tmp_path: Path) -> None:
    visitor.goto("/precision")
    visitor.page.wait_for_selector(".js-plotly-plot .main-svg")
    visitor.page.locator(".st-key-chart-precision").get_by_role("button", name="Download").click()
    for name, ending in (
        ("Data (TSV)", "tsv"),
        ("Figure (PDF)", "pdf"),
    ):  # the menu stays open between them
        with visitor.page.expect_download(timeout=1000 * MAX_TRIES * (TIMEOUT_S + CLOSE_TIMEOUT_S)) as found:
            visitor.page.get_by_role("button", name=name, exact=True).click()
        assert found.value.suggested_filename.endswith(f".{ending}")
    found.value.save_as(tmp_path / "a.pdf")
    content = (tmp_path / "a.pdf").read_bytes()
    page = re.search(rb"/MediaBox \[0 0 ([\d.]+) ", content)
    assert page is not None
    assert float(page[1]) / 72 * 25.4 == pytest.approx(84, abs=0.01)
    assert b"/FontFile" in content


@pytest.mark.slow
def test_without_what_draws_it_pdf_is_disabled_and_the_menu_says_why(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROWSER_PATH", str(tmp_path / "nowhere"))
    with serve(tmp_path) as address:
        someone = Visitor(browser, address)
        someone.goto("/precision")
        someone.page.locator(".st-key-chart-precision").get_by_role("button", name="Download").click()
        button = someone.page.get_by_role("button", name="Figure (PDF)")
        assert button.is_disabled()
        assert someone.page.get_by_role("button", name="Figure (SVG)").is_enabled()
        assert "apt-get install chromium" in (someone.page.locator(".figure-files p").text_content() or "")
        someone.close()
        assert someone.faults == []
