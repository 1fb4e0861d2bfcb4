"""A manager with files from several programs, in a browser: from dropping them to a page for her superior."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import sacrebleu
from same_content import BILINGUAL
from small_files import workbook
from visitor import Visitor

import sample_data

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ViewportSize

FOLDER = Path(sample_data.__file__).parent
SEGMENTS = 120
LOST = 47

#: A window in which nothing scrolls: a list of options closes when the page moves.
LARGE: ViewportSize = {"width": 1366, "height": 3000}


def lines(path: str) -> list[str]:
    return (FOLDER / path).read_text(encoding="utf-8").split("\n")[:SEGMENTS]


def bleu_on_the_page(visitor: Visitor) -> dict[str, str]:
    """The scores of the page Scores."""
    visitor.open_page("Scores")
    found = zip(visitor.column("scores", "system"), visitor.column("scores", "BLEU"), strict=True)
    return {name: f"{float(score):.2f}" for name, score in found}


def bleu(hypotheses: list[str], references: list[str]) -> str:
    return f"{sacrebleu.corpus_bleu(hypotheses, [references]).score:.2f}"


@pytest.mark.slow
def test_an_xliff_per_engine_with_the_same_source_needs_no_correction(visitor: Visitor, tmp_path: Path) -> None:
    ending, write = BILINGUAL["XLIFF 1.2"]
    texts = {"reference": lines("references/R1.txt"), **{name: lines(f"systems/{name}.txt") for name in ("S1", "S2")}}
    source = [f"frase número {n}" for n in range(SEGMENTS)]
    for name, text in texts.items():
        (tmp_path / f"{name}{ending}").write_bytes(write(source, text).encode())
    visitor.goto("/data")
    visitor.upload([tmp_path / f"{name}{ending}" for name in texts])
    visitor.page.get_by_text(f"In use: 2 systems, 1 reference, {SEGMENTS} segments").wait_for()
    assert visitor.column("files", "status") == ["in use"] * 3
    assert visitor.column("files", "type") == ["reference", "system", "system"]
    assert visitor.alerts().count() == 0
    expected = {name: bleu(texts[name], texts["reference"]) for name in ("S1", "S2")}
    assert bleu_on_the_page(visitor) == expected


@pytest.mark.slow
def test_a_table_with_a_title_semicolons_and_decimal_commas(visitor: Visitor, tmp_path: Path) -> None:
    texts = {"Gold": lines("references/R1.txt"), **{name: lines(f"systems/{name}.txt") for name in ("S1", "S2")}}
    header = ["Gold", "Engine A", "Engine B", "Note A"]
    rows = [[*row, f"{n % 5},5"] for n, row in enumerate(zip(*texts.values(), strict=True))]
    with (tmp_path / "engines.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=";").writerows([["Engines in May", "", "", ""], [""] * 4, header, *rows])
    visitor.page.set_viewport_size(LARGE)
    visitor.goto("/data")
    visitor.upload([tmp_path / "engines.csv"])
    visitor.page.get_by_role("button", name="Choose the columns").click()
    visitor.idle()
    for column, title in zip(header, ("reference", "system", "system", "rating"), strict=True):
        visitor.choose(column, title)
    visitor.page.get_by_label("Rated system").fill("Engine A")
    visitor.page.get_by_role("button", name="Use these columns").click()
    visitor.idle()
    visitor.page.get_by_text(f"In use: 2 systems, 1 reference, {SEGMENTS} segments, {SEGMENTS} ratings").wait_for()
    expected = {name: bleu(texts[of], texts["Gold"]) for name, of in (("Engine A", "S1"), ("Engine B", "S2"))}
    assert bleu_on_the_page(visitor) == expected


@pytest.mark.slow
def test_files_of_a_manager_lead_to_a_verdict_on_one_sheet(visitor: Visitor, browser: Browser, tmp_path: Path) -> None:
    ending, write = BILINGUAL["XLIFF 1.2"]
    texts = {name: lines(f"systems/{name}.txt") for name in ("S1", "S2", "S3", "H1")}
    gold = lines("references/R1.txt")
    (tmp_path / f"Alpha{ending}").write_bytes(
        write([f"frase número {n}" for n in range(SEGMENTS)], texts["S1"]).encode()
    )
    pairs = zip(gold, texts["S2"], strict=True)
    sheet = [["Nr.", "Gold *", "Beta"], *([str(n), *pair] for n, pair in enumerate(pairs, start=1))]
    (tmp_path / "engines.xlsx").write_bytes(workbook(sheet))
    (tmp_path / "Gamma.txt").write_bytes(b"\xef\xbb\xbf" + "\r\n".join([*texts["S3"], ""]).encode())
    short = [line for n, line in enumerate(texts["H1"], start=1) if n != LOST]
    (tmp_path / "Delta.txt").write_text("".join(f"{line}\n" for line in short), encoding="utf-8")
    visitor.page.set_viewport_size(LARGE)
    visitor.goto("/data")
    visitor.upload([tmp_path / name for name in (f"Alpha{ending}", "engines.xlsx", "Gamma.txt", "Delta.txt")])
    visitor.page.get_by_role("button", name="Choose the columns").first.click()
    visitor.idle()
    for column, title in (("Gold", "reference"), ("Beta", "system")):
        visitor.choose(column, title)
    visitor.page.get_by_role("button", name="Use these columns").click()
    visitor.idle()
    visitor.page.get_by_text(f"Delta.txt has {SEGMENTS - 1} lines, 1 fewer than").first.wait_for()
    visitor.page.get_by_role("button", name="Repair Delta.txt").click()
    visitor.idle()
    visitor.page.get_by_text(f"Repaired Delta.txt: line {LOST} is missing").wait_for()
    kept = [n for n in range(SEGMENTS) if n != LOST - 1]
    of = {"Alpha": "S1", "Beta": "S2", "Gamma": "S3", "Delta": "H1"}
    expected = {name: bleu([texts[of[name]][n] for n in kept], [gold[n] for n in kept]) for name in of}
    assert bleu_on_the_page(visitor) == expected
    visitor.page.get_by_role("link", name="Overview").first.click()
    leads = visitor.page.get_by_text(f"({max(expected.values(), key=float)} BLEU)").first
    leads.wait_for()
    verdict = [leads.inner_text(), visitor.page.get_by_text("The difference to the next, ").first.inner_text()]
    visitor.open_page("Report")
    visitor.unfold("options")
    visitor.page.get_by_role("radio", name="short", exact=True).click()
    visitor.idle()
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="Report (HTML)").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    page = browser.new_page()
    page.goto(file.as_uri())
    text = page.locator("body").inner_text()
    assert [said for said in verdict if said not in text] == []
    assert page.locator(".example").count() == 10
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(format="A4"))) == 1
    page.close()
