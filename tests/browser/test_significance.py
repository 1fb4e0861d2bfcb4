"""The Significance page in a real browser: grid, tiers, sentences, what is copied and downloaded, links."""

from __future__ import annotations

import io
import json
import zipfile
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from visitor import Visitor

import sample_data
from bleu_core.dataset import Corpus
from bleu_core.inference import Comparisons, compare, tiers
from bleu_core.scoring import evaluate

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8").split("\n")[:-1])


@pytest.fixture(scope="module")
def expected() -> Comparisons:
    """All pairs of the sample's systems, the better one first, as the library compares them."""
    systems = {path.stem: lines(path) for path in sample_data.systems()}
    evaluation = evaluate(Corpus(systems, {path.stem: lines(path) for path in sample_data.references()}))
    order = sorted(range(len(systems)), key=lambda k: -evaluation.scores.score[k])
    return compare(evaluation.statistics, list(combinations(order, 2)))


def figure(visitor: Visitor, key: str) -> Any:
    """What Plotly has drawn: its traces and the layout."""
    plot = f".st-key-{key} .js-plotly-plot"
    visitor.page.wait_for_selector(f"{plot} .plot-container")
    return json.loads(
        visitor.page.evaluate(
            f"() => {{const p = document.querySelector('{plot}');"
            " return JSON.stringify({data: p.data, layout: p.layout, ranges: p._fullLayout.yaxis.range})}"
        )
    )


def quoted(visitor: Visitor) -> Locator:
    """The sentences to quote."""
    return visitor.page.get_by_test_id("stMain").get_by_test_id("stCode")


def download(visitor: Visitor, place: str, name: str, folder: Path) -> bytes:
    return visitor.download(visitor.page.locator(place), name, folder).read_bytes()


@pytest.mark.slow
def test_the_grid_the_tiers_and_the_sentence_are_the_librarys(visitor: Visitor, expected: Comparisons) -> None:
    visitor.goto("/?rank_humans=true")
    visitor.open_page("Pairs of systems")
    assert visitor.page.locator("h1").all_inner_texts() == ["Ranking"]
    order = expected.ranked
    drawn = figure(visitor, "grid")
    assert drawn["layout"]["yaxis"]["ticktext"] == list(order)
    assert drawn["layout"]["xaxis"]["ticktext"] == list(order)
    cells = drawn["data"][0]["text"]
    for i, row in enumerate(order):
        assert cells[i][i] == ""
        for j in range(i + 1, len(order)):
            pair = expected.between(row, order[j])
            assert pair is not None
            assert cells[i][j] == f"{pair.delta:+.1f}"
            assert cells[j][i].startswith("<") == (pair.p_value_adjusted < 0.001)
            assert drawn["data"][0]["z"][i][j] == expected.verdict(pair) == -drawn["data"][0]["z"][j][i]
    shown = visitor.page.locator(".st-key-grid .js-plotly-plot text")
    numbers = {cell for row in cells for cell in row if cell}
    # None is left out for want of room.
    visitor.eventually(lambda: numbers - {text.strip() for text in shown.all_text_contents()}, set())

    parts = tiers(expected)
    lined = figure(visitor, "score-intervals")
    assert [trace["y"][0] for trace in lined["data"]] == list(order)
    places = [shape["y0"] for shape in lined["layout"].get("shapes", [])]
    assert places == [sum(map(len, parts[: n + 1])) - 0.5 for n in range(len(parts) - 1)]

    text = visitor.text()
    assert f"{len(parts)} tiers; {order[0]} is in the first." in text
    assert visitor.column("comparisons", "system") == [p.system for p in expected.pairs]
    assert [float(d) for d in visitor.column("comparisons", "delta")] == pytest.approx(
        [p.delta for p in expected.pairs]
    )

    visitor.open_page("Two systems")
    pair = expected.pairs[0]
    assert f"{pair.system} scores significantly higher than {pair.baseline} (" in visitor.text()
    assert f"The difference is {pair.delta:.2f} BLEU (95% interval" in visitor.text()


@pytest.mark.slow
def test_the_sentences_to_quote_are_copied_as_they_are_shown(visitor: Visitor) -> None:
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.goto("/ranking?ranking_part=pairs&test=approximate+randomisation")
    blocks = quoted(visitor)
    visitor.eventually(blocks.count, 2)
    for block, start in zip(
        blocks.all(), ("Systems were compared by BLEU (nrefs:4", "Differences in BLEU"), strict=True
    ):
        shown = block.locator("code").inner_text()
        assert shown.startswith(start)
        assert "trials" in shown
        block.hover()
        block.get_by_role("button", name="Copy to clipboard").click()
        visitor.eventually(lambda: visitor.page.evaluate("() => navigator.clipboard.readText()"), shown)


@pytest.mark.slow
def test_pairs_are_downloaded_as_workbook_tsv_and_json(visitor: Visitor, expected: Comparisons, tmp_path: Path) -> None:
    visitor.goto("/ranking?ranking_part=pairs&rank_humans=true")
    place = ".st-key-downloads-comparisons"
    content = json.loads(download(visitor, place, "Table (JSON)", tmp_path))
    deltas = [pair.delta for pair in expected.pairs]
    assert [pair["delta"] for pair in content["pairs"]] == pytest.approx(deltas)
    assert content["methods"] == quoted(visitor).first.locator("code").inner_text()
    tsv = [line.split("\t") for line in download(visitor, place, "Table (TSV)", tmp_path).decode().split("\n")[:-1]]
    assert tsv[0][:3] == ["system", "baseline", "delta"]
    with zipfile.ZipFile(io.BytesIO(download(visitor, place, "Table (XLSX)", tmp_path))) as book:
        sheet = ET.fromstring(book.read("xl/worksheets/sheet1.xml"))  # noqa: S314 # written just now
    rows = list(sheet.iter(f"{SHEET}row"))
    assert len(rows) == len(tsv) == len(deltas) + 1
    cells = [[cell.findtext(f"{SHEET}v") for cell in row if cell.get("t") != "s"] for row in rows[1:]]
    assert [float(row[0] or "nan") for row in cells] == pytest.approx(deltas)
    assert (tmp_path / "comparisons.xlsx").exists()


@pytest.mark.slow
def test_a_link_to_a_comparison_shows_it_to_somebody_else(visitor: Visitor, browser: Browser, server: str) -> None:
    visitor.goto("/ranking?ranking_part=pairs&rank_humans=true")
    visitor.unfold("options")
    visitor.choose("Compare systems with", "S1")
    visitor.choose("Correction", "Benjamini-Hochberg")
    visitor.page.wait_for_selector(".st-key-against .js-plotly-plot .plot-container")
    visitor.page.wait_for_function("() => location.search.includes('compare_with=S1')")
    visitor.page.wait_for_function("() => location.search.includes('correction=Benjamini-Hochberg')")
    visitor.goto(visitor.page.url.removeprefix(server) + "&test=paired+t&pair_system=S3&pair_baseline=S2")
    somebody = Visitor(browser, server)
    somebody.goto(visitor.page.url.removeprefix(server))
    assert somebody.table("comparisons") == visitor.table("comparisons")
    said = "All 4 others score significantly higher than S1; none scores significantly lower."
    for one in (visitor, somebody):
        assert said in one.text()
        one.open_page("Two systems")
        assert "S3 scores significantly higher than S2 (" in one.text()
    assert somebody.table("tests") == visitor.table("tests")
    # The choice stays while other pages are looked at.
    somebody.open_page("Scores")
    somebody.open_page("Pairs of systems")
    assert said in somebody.text()
    assert "compare_with=S1" in somebody.page.url
    somebody.close()
    assert somebody.faults == []


@pytest.mark.slow
def test_hostile_names_are_drawn_letter_by_letter(visitor: Visitor, tmp_path: Path) -> None:
    names = ["<b>B<br>x<img src=x onerror=alert(1)>", "&lt;i&gt; %{x} $x^2$", "**m** :red[r] [l](javascript:a)"]
    truth = "".join(f"the cat number {n} sat on the mat in the hall\n" for n in range(40))
    (tmp_path / "ref.txt").write_text(truth, encoding="utf-8")
    files = [tmp_path / "ref.txt"]
    for k, name in enumerate(names):
        files.append(tmp_path / f"{name}.txt")
        changed = [line.replace("cat", "dog") if n % (k + 2) else line for n, line in enumerate(truth.split("\n"))]
        files[-1].write_text("\n".join(changed), encoding="utf-8")
    visitor.goto("/data")
    visitor.upload(files)
    visitor.open_page("Pairs of systems")
    labels = visitor.page.locator(".st-key-score-intervals .js-plotly-plot .ytick")
    starts = {"<b>B<", "&lt;i", "**m**"}
    visitor.eventually(lambda: {text.strip()[:5] for text in labels.all_text_contents()}, starts)
    visitor.page.wait_for_selector(".st-key-grid .js-plotly-plot .plot-container")
    assert visitor.page.locator(".stMain img, .js-plotly-plot a").count() == 0
    said = visitor.text().replace("\u2060", "")
    assert len([name for name in names if name in said]) >= 2  # the two that are held side by side
    shown_in_table = {*visitor.column("comparisons", "system"), *visitor.column("comparisons", "baseline")}
    assert shown_in_table == set(names)
    visitor.page.locator(".st-key-score-intervals .js-plotly-plot .points path").nth(0).hover(force=True)
    visitor.page.wait_for_selector(".st-key-score-intervals .hoverlayer .hovertext")
    first = visitor.page.locator(".st-key-score-intervals .hoverlayer .hovertext").text_content() or ""
    assert any(name.split("%")[0] in first for name in names)
