"""What a researcher takes along for a paper: two figures, a table, and a sentence on the method."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from visitor import Visitor

SVG = "{http://www.w3.org/2000/svg}"


def figure(visitor: Visitor, page: str, tmp_path: Path) -> ET.Element:
    """The figure of a page, as a file of the width of a column."""
    visitor.open_page(page)
    chart = visitor.page.locator(f".st-key-chart-{page.lower()}")
    chart.locator(".main-svg").first.wait_for()
    drawn = visitor.download(chart, "Figure (SVG)", tmp_path)
    assert re.fullmatch(rf"(ranking-)?{page.lower()}-.*-84\.svg", drawn.name)
    return ET.fromstring(drawn.read_text(encoding="utf-8"))  # noqa: S314 # drawn just now


def labels(svg: ET.Element) -> str:
    return " ".join("".join(each.itertext()) for each in svg.iter(f"{SVG}text"))


@pytest.mark.slow
def test_two_figures_a_table_and_a_sentence_have_the_numbers_of_the_pages(visitor: Visitor, tmp_path: Path) -> None:
    visitor.goto("/?rank_humans=true")
    scores = figure(visitor, "Scores", tmp_path)
    systems = visitor.column("scores", "system")
    values = [f"{float(score):.2f}" for score in visitor.column("scores", "BLEU")]
    assert [text for text in (*systems, *values) if text not in labels(scores)] == []
    precision = figure(visitor, "Precision", tmp_path)
    assert [name for name in systems if name not in labels(precision)] == []
    assert "modified precision" in labels(precision)

    visitor.open_page("Pairs of systems")
    deltas = [f"{abs(float(delta)):.2f}" for delta in visitor.column("comparisons", "delta")]
    assert len(deltas) == 10
    menu = visitor.page.locator(".st-key-downloads-comparisons")
    latex = visitor.download(menu, "Table (LaTeX)", tmp_path).read_text(encoding="utf-8")
    rows = latex[latex.index(r"\midrule") : latex.index(r"\bottomrule")].count(r"\\")
    assert rows == len(deltas)
    plain = latex.replace("$", "").replace(r"\textbf", "").replace("{", "").replace("}", "")
    assert [delta for delta in deltas if delta not in plain] == []

    sentence = visitor.page.get_by_test_id("stMain").locator("code").filter(has_text="Systems were compared").first
    method = " ".join(sentence.inner_text().split())
    bleu = re.search(r"by BLEU \((\S+)\) on (\d+) segments with (\d) references", method)
    assert bleu
    assert bleu.groups()[1:] == ("500", "4")
    assert "10,000 resamples" in method
    assert "corrected for 10 pairs of 5 systems by Holm's method" in method
    visitor.open_page("Scores")
    assert visitor.signature() == bleu.group(1)
