"""A whole test set of mt-metrics-eval as one zip, or as a folder: it fills the Data page, with the scores published.

The data are those of tests/conformance; without BLEU_CONFORMANCE_DATA the tests are skipped.
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


@pytest.mark.slow
def test_an_archive_fills_the_data_page_and_scores_as_published(visitor: Visitor, tmp_path: Path) -> None:
    shared = Path(DATA or "")
    truth = json.loads((shared / "expected" / "formats-mtme-wmt23-ende.json").read_text(encoding="utf-8"))
    archive = packed(shared / "data" / "formats" / "mt-metrics-eval" / "wmt23", tmp_path / "wmt23.zip")
    visitor.goto("/data")
    visitor.upload([archive])
    visitor.eventually(lambda: visitor.column("files", "type"), ["archive"])
    visitor.select_file(0)
    text = visitor.text()
    for counted in (
        "6 systems, 2 references, 557 segments, ",
        " documents, 2,300 segment scores (judges not named), ",
        "Read as mt-metrics-eval directory, en-de",
        "4 metrics (BLEU-refA, BLEU-synthetic_ref, chrF-refA, chrF-synthetic_ref)",
        "human scores in use: mqm; available: da-sqm, mqm",
        "refA is identical to the reference refA",
    ):
        assert counted in text
    assert "Not used" not in text

    visitor.open_page("Scores")
    visitor.tick("references", "synthetic_ref")
    wanted = {name: values["sacrebleu_13a"] for name, values in truth["en-de"]["refA"].items()}
    assert wanted["AIRC"] == pytest.approx(26.4818, abs=1e-4)

    def scores() -> dict[str, float]:
        return {row[0]: float(row[1]) for row in visitor.table("scores")[1:]}

    visitor.eventually(lambda: scores()["AIRC"] == pytest.approx(wanted["AIRC"], rel=1e-9), expected=True)
    assert scores() == pytest.approx({**wanted, "refA": 100}, rel=1e-9)


FOLDER = "Folder"


@pytest.mark.slow
def test_a_folder_fills_the_page_as_its_zip_does_and_its_human_scores_are_chosen(visitor: Visitor) -> None:
    folder = Path(DATA or "") / "data" / "formats" / "mt-metrics-eval" / "wmt23"
    visitor.goto("/data")
    visitor.upload([folder], role=FOLDER)
    visitor.eventually(lambda: visitor.column("files", "file"), ["wmt23"])
    visitor.select_file(0)
    for counted in (
        "6 systems, 2 references, 557 segments, ",
        "Read as mt-metrics-eval directory, en-de",
        "human scores in use: mqm; available: da-sqm, mqm",
    ):
        assert counted in visitor.text()
    visitor.choose("Human scores", "da-sqm")
    assert "human scores in use: da-sqm; available: da-sqm, mqm" in visitor.text()
    assert "Not used" not in visitor.text()


@pytest.mark.slow
def test_a_folder_that_is_dropped_has_lost_its_structure_which_is_told(visitor: Visitor) -> None:
    folder = Path(DATA or "") / "data" / "formats" / "mt-metrics-eval" / "wmt23"
    visitor.goto("/data")
    visitor.page.get_by_role("radio", name=FOLDER, exact=True).click()
    visitor.idle()
    box = visitor.page.get_by_test_id("stFileUploaderDropzone").bounding_box()
    assert box
    remote = visitor.context.new_cdp_session(visitor.page)
    data = {"items": [], "files": [str(folder)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        where = {"x": box["x"] + 20, "y": box["y"] + 20}
        remote.send("Input.dispatchDragEvent", {"type": kind, "data": data, **where})
    visitor.page.get_by_text("28 files arrived without a folder").wait_for()
    assert "choose it with the button, or pack it as a zip" in visitor.text()
    assert "Sample data (synthetic)" in visitor.text()
