"""A whole test set of mt-metrics-eval as one zip: it fills the Data page, and its scores are those published.

The data are those of tests/conformance; without BLEU_CONFORMANCE_DATA the test is skipped.
"""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pytest
from visitor import Visitor

DATA = os.environ.get("BLEU_CONFORMANCE_DATA")

pytestmark = pytest.mark.skipif(not DATA, reason="BLEU_CONFORMANCE_DATA is unset; see tests/conformance/README.md")


def packed(folder: Path, archive: Path) -> Path:
    """The folder as a zip."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for path in sorted(folder.rglob("*")):
            target.write(path, path.relative_to(folder.parent))
    return archive


def test_an_archive_fills_the_data_page_and_scores_as_published(visitor: Visitor, tmp_path: Path) -> None:
    shared = Path(DATA or "")
    truth = json.loads((shared / "expected" / "formats-mtme-wmt23-ende.json").read_text(encoding="utf-8"))
    archive = packed(shared / "data" / "formats" / "mt-metrics-eval" / "wmt23", tmp_path / "wmt23.zip")
    visitor.goto("/data")
    visitor.upload([archive])
    visitor.eventually(lambda: visitor.column("files", "holds"), ["archive"])
    assert visitor.column("files", "format") == ["mt-metrics-eval directory, en-de"]
    text = visitor.text()
    for counted in (
        "6 systems, 2 references, 557 segments, ",
        " documents, 2,300 ratings, 1 judge, ",
        "4 metrics (BLEU-refA, BLEU-synthetic_ref, chrF-refA, chrF-synthetic_ref)",
        "wmt23.zip: human scores: mqm, of da-sqm, mqm",
        "wmt23.zip: refA is identical to the reference refA",
    ):
        assert counted in text
    assert "Set aside" not in text

    visitor.open_page("Scores")
    visitor.choose("Leave out references", "synthetic_ref")
    visitor.page.keyboard.press("Escape")
    wanted = {name: values["sacrebleu_13a"] for name, values in truth["en-de"]["refA"].items()}
    assert wanted["AIRC"] == pytest.approx(26.4818, abs=1e-4)

    def scores() -> dict[str, float]:
        return {row[0]: float(row[1]) for row in visitor.table("scores")[1:]}

    visitor.eventually(lambda: scores()["AIRC"] == pytest.approx(wanted["AIRC"], rel=1e-9), expected=True)
    assert scores() == pytest.approx({**wanted, "refA": 100}, rel=1e-9)
