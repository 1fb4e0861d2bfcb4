"""A file with a line missing: found, shown, repaired, and undone again, in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from visitor import Visitor

import sample_data

FOLDER = Path(sample_data.__file__).parent
LOST = 117


@pytest.mark.slow
def test_a_short_file_is_found_shown_repaired_and_undone(visitor: Visitor, tmp_path: Path) -> None:
    lines = (FOLDER / "systems/S2.txt").read_bytes().split(b"\n")
    (tmp_path / "S2.txt").write_bytes(b"\n".join([*lines[: LOST - 1], *lines[LOST:]]))
    (tmp_path / "ref.txt").write_bytes((FOLDER / "references/R1.txt").read_bytes())
    visitor.goto("/data")
    visitor.upload([FOLDER / "systems/S1.txt", tmp_path / "S2.txt", FOLDER / "systems/S3.txt", tmp_path / "ref.txt"])
    visitor.page.get_by_text("S2.txt has 499 lines, 1 fewer than the 3 other files (500).").wait_for()
    visitor.page.get_by_text(f"Line {LOST} is missing:").wait_for()
    cells = visitor.page.locator(".st-key-table-lines-0-0 td")
    cells.first.wait_for(state="attached")
    around = cells.all_text_contents()
    assert sum(line.decode() in around for line in (lines[LOST - 2], lines[LOST])) == 2
    assert lines[LOST - 1].decode() not in around
    visitor.page.get_by_role("button", name="Repair S2.txt").click()
    visitor.idle()
    visitor.page.get_by_text(
        f"Repaired S2.txt: line {LOST} is missing: an empty segment was put in its place."
    ).wait_for()
    visitor.page.get_by_text("499 of 500 segments").wait_for()
    visitor.open_page("Ranking")
    visitor.page.get_by_text("Repaired: S2.txt (1 place)").wait_for()
    visitor.page.get_by_text("Score missing lines as empty").click()
    visitor.idle()
    visitor.page.get_by_text("Missing lines scored as empty").wait_for()
    visitor.open_page("Data")
    visitor.page.get_by_role("button", name="Undo").click()
    visitor.idle()
    visitor.page.get_by_text(f"Line {LOST} is missing:").wait_for()
