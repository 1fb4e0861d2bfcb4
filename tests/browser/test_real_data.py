"""A whole journey with a real test set: 15 systems, two references, documents, MQM ratings.

The data are those of tests/conformance; without BLEU_CONFORMANCE_DATA the test is skipped.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from visitor import Visitor

DATA = os.environ.get("BLEU_CONFORMANCE_DATA")

pytestmark = pytest.mark.skipif(not DATA, reason="BLEU_CONFORMANCE_DATA is unset; see tests/conformance/README.md")


def test_fifteen_systems_from_upload_to_every_page(visitor: Visitor) -> None:
    folder = Path(DATA or "") / "data" / "ted-zhen"
    truth = json.loads((Path(DATA or "") / "expected" / "ted-zhen.json").read_text(encoding="utf-8"))
    visitor.goto("/data")
    visitor.upload(sorted((folder / "systems").glob("*.txt")), role="Systems")
    visitor.upload(
        [*sorted((folder / "refs").glob("*.txt")), folder / "docs.txt", folder / "human.csv", folder / "source.txt"],
        role="Sort by name and content",
    )
    others = ["reference", "reference", "documents", "judgments", "source"]
    visitor.eventually(lambda: visitor.column("files", "holds"), ["system"] * 15 + others)
    assert "ref.A is identical to the reference ref.A" in visitor.text()

    visitor.open_page("Scores")
    scores = visitor.table("scores")
    for row in scores[1:]:
        found = truth["bleu"]["ref.A+ref.B|tok=13a|lc=false"].get(row[0])
        if found:
            assert float(row[1]) == pytest.approx(found["score"], rel=1e-9)
            assert [int(row[7]), int(row[8])] == [found["sys_len"], found["ref_len"]]
    visitor.choose("Tokeniser", "none")
    for row in visitor.table("scores")[1:]:
        found = truth["bleu"]["ref.A+ref.B|tok=none|lc=false"].get(row[0])
        if found:
            assert float(row[1]) == pytest.approx(found["score"], rel=1e-9)
    visitor.choose("Tokeniser", "13a")

    visitor.choose("Leave out references", "ref.A")
    visitor.page.keyboard.press("Escape")
    visitor.open_page("Scores")
    assert "IIE-MT leads with 43.75 BLEU" in visitor.text()

    visitor.open_page("Precision")
    assert len(visitor.table("decay")) == 16

    visitor.open_page("Blocks")
    assert "20 blocks of 26 to 27 segments" in visitor.text()
    table = visitor.table("blocks")
    rows = {row[0]: dict(zip(table[0], row, strict=True)) for row in table[1:]}
    for name, block in truth["blocks"]["ref.B|array_split"]["per_system"].items():
        assert float(rows[name]["mean"]) == pytest.approx(block["mean"], rel=1e-6)
        assert float(rows[name]["standard deviation"]) == pytest.approx(block["std"], rel=1e-6)
    visitor.page.get_by_role("radio", name="documents").click()
    visitor.idle()
    assert "5 blocks of" in visitor.text()

    visitor.open_page("Human judgments")
    level = truth["system_level"]["ref.B|all_non_self"]
    coefficients = {row[0]: row for row in visitor.table("correlations")[1:]}
    assert float(coefficients["pearson"][1]) == pytest.approx(level["pearson"]["r"], rel=1e-6)
    assert float(coefficients["kendall"][1]) == pytest.approx(level["kendall_tau_b"]["tau"], rel=1e-6)
    assert "ref.B: its text equals the reference ref.B" in visitor.text()

    visitor.open_page("Overview")
    assert "IIE-MT leads with 43.75 BLEU" in visitor.text()
    assert "pairs of systems in the same order" in visitor.text()
