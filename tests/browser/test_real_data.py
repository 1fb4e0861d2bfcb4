"""Whole journeys with real test sets: 15 systems, two references, documents, MQM ratings; two systems and their t.

The data are those of tests/conformance; without BLEU_CONFORMANCE_DATA the tests are skipped.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from visitor import Visitor

DATA = os.environ.get("BLEU_CONFORMANCE_DATA")

pytestmark = pytest.mark.skipif(not DATA, reason="BLEU_CONFORMANCE_DATA is unset; see tests/conformance/README.md")

NOTE = "not ranked: ref.A (identical to the reference ref.A), ref.B (identical to the reference ref.B)"


def agree(table: list[list[str]], expected: dict[str, Any]) -> bool:
    """Whether the table of scores has sacreBLEU's numbers, system by system."""
    rows = {row[0]: dict(zip(table[0], row, strict=True)) for row in table[1:]}
    return all(
        float(rows[name]["BLEU"]) == pytest.approx(found["score"], rel=1e-9)
        and int(rows[name]["hypothesis length"]) == found["sys_len"]
        and int(rows[name]["reference length"]) == found["ref_len"]
        for name, found in expected.items()
    )


@pytest.mark.slow
def test_fifteen_systems_from_upload_to_every_page(visitor: Visitor) -> None:
    folder = Path(DATA or "") / "data" / "ted-zhen"
    truth = json.loads((Path(DATA or "") / "expected" / "ted-zhen.json").read_text(encoding="utf-8"))
    visitor.goto("/data")
    visitor.upload(sorted((folder / "systems").glob("*.txt")), role="Systems")
    visitor.upload(
        [*sorted((folder / "refs").glob("*.txt")), folder / "docs.txt", folder / "human.csv", folder / "source.txt"],
        role="Recognise by name and content",
    )
    others = ["reference", "reference", "documents", "judgments", "source"]
    visitor.eventually(lambda: visitor.column("files", "type"), ["system"] * 15 + others)
    visitor.select_file(13)
    assert "ref.A is identical to the reference ref.A" in visitor.text()

    visitor.open_page("Scores")
    for tokenizer in ("13a", "none"):
        visitor.score_by("Tokeniser", tokenizer)
        expected = truth["bleu"][f"ref.A+ref.B|tok={tokenizer}|lc=false"]
        visitor.eventually(lambda e=expected: agree(visitor.table("scores"), e), expected=True)
    visitor.score_by("Tokeniser", "13a")

    visitor.tick("references", "ref.A")
    visitor.open_page("Scores")
    leaders = "No clear winner: IIE-MT scores highest (43.75 BLEU), but "
    visitor.eventually(lambda: leaders in visitor.text(), expected=True)

    visitor.open_page("Precision")
    visitor.unfold("options")
    assert NOTE in visitor.text()
    visitor.page.keyboard.press("Escape")
    visitor.eventually(lambda: len(visitor.column("decay", "system")), 13)

    visitor.open_page("Blocks")
    assert "20 blocks of 26 to 27 segments" in visitor.text()
    table = visitor.table("blocks")
    rows = {row[0]: dict(zip(table[0], row, strict=True)) for row in table[1:]}
    per_system = truth["blocks"]["ref.B|array_split"]["per_system"]
    for name, block in ((name, block) for name, block in per_system.items() if name != "ref.A"):
        assert float(rows[name]["mean"]) == pytest.approx(block["mean"], rel=1e-6)
        assert float(rows[name]["standard deviation"]) == pytest.approx(block["std"], rel=1e-6)
    visitor.unfold("options")
    visitor.page.get_by_role("radio", name="documents").click()
    visitor.idle()
    assert "5 blocks of" in visitor.text()

    visitor.open_page("By system")
    visitor.page.get_by_role("radio", name="raw", exact=True).click()
    visitor.idle()
    level = truth["system_level"]["ref.B|mt_only"]  # ref.A is loaded, and not ranked either
    coefficients = {row[0]: row for row in visitor.table("correlations")[1:]}
    assert float(coefficients["pearson"][1]) == pytest.approx(level["pearson"]["r"], rel=1e-6)
    assert float(coefficients["kendall"][1]) == pytest.approx(level["kendall_tau_b"]["tau"], rel=1e-6)
    visitor.unfold("options")
    assert NOTE in visitor.text()
    visitor.page.keyboard.press("Escape")
    visitor.page.get_by_role("radio", name="automatic", exact=True).click()
    visitor.idle()

    visitor.open_page("Overview")
    assert leaders in visitor.text()
    assert "pairs of systems the same way" in visitor.text()


@pytest.mark.slow
def test_two_systems_differ_by_the_t_of_twenty_blocks(visitor: Visitor) -> None:
    folder = Path(DATA or "") / "data" / "newstest2020-ruen-2sys"
    visitor.goto("/data")
    visitor.upload(sorted((folder / "systems").glob("*.txt")), role="Systems")
    visitor.upload(sorted((folder / "refs").glob("*.txt")), role="References")
    visitor.open_page("Scores")
    scores = {row[0]: float(row[1]) for row in visitor.table("scores")[1:]}
    assert scores == {"Online-A": pytest.approx(36.387, abs=5e-4), "Online-B": pytest.approx(38.112, abs=5e-4)}
    visitor.open_page("Pairs of systems")
    visitor.unfold("options")
    visitor.choose("Test", "paired t")
    header, *rows = visitor.table("comparisons")
    assert len(rows) == 1
    pair = dict(zip(header, rows[0], strict=True))
    assert (pair["system"], pair["baseline"], pair["verdict"]) == ("Online-B", "Online-A", "better")
    assert float(pair["t"]) == pytest.approx(2.292, abs=5e-4)
    assert float(pair["df"]) == 19
    assert float(pair["p"]) == float(pair["corrected p"]) == pytest.approx(0.0335, abs=5e-5)
    assert "paired t-tests over 20 blocks" in visitor.text()
    visitor.open_page("Two systems")
    assert "Online-B scores significantly higher than Online-A (" in visitor.text()
    assert "in about 3 of 100 tests" in visitor.text()
    header, *tests = visitor.table("tests")
    assert [row[header.index("p")] for row in tests if row[0] == "paired t"] == [pair["p"]]
