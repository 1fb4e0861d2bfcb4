"""Systems that lack segments by the ids in their tables: a switch, a link and Back, in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from visitor import Visitor

COUNT = 40
#: Segments that each system lacks.
HOLES = {"Alpha": (), "Beta": (3, 17), "Gamma": (17,)}


@pytest.mark.slow
def test_systems_are_compared_on_the_segments_that_they_share(visitor: Visitor, tmp_path: Path) -> None:
    rows = {n: f"the cat number {n} sat on the mat in the sun" for n in range(1, COUNT + 1)}
    files = {"ref": ("reference", rows)}
    for place, (name, holes) in enumerate(HOLES.items()):
        texts = {n: text.replace("mat", ("hat", "rug", "bed")[place]) for n, text in rows.items() if n not in holes}
        files[name] = ("output", dict(reversed(texts.items())))
    for name, (column, texts) in files.items():
        lines = [f"id,{column}", *(f"{n},{text}" for n, text in texts.items())]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines), encoding="utf-8")
    visitor.goto("/data")
    visitor.upload([tmp_path / f"{name}.csv" for name in files])
    page = visitor.page
    page.get_by_text("Beta, Gamma lack segments and have no score.").wait_for()
    page.get_by_text("Not used: Beta.csv: no text for 2 of 40 segments (3, 17)").wait_for()
    page.get_by_role("switch", name="Shared segments only").press("Space")
    visitor.idle()
    page.get_by_text("38 of 40 segments are compared: all systems have them.").wait_for()
    visitor.open_page("Scores")
    visitor.eventually(lambda: len(visitor.table("scores")), 1 + len(HOLES))
    page.get_by_text("Shared segments only").first.wait_for()
    assert "shared_segments=true" in page.url
    page.get_by_role("button", name="Reset all").click()
    visitor.idle()
    visitor.eventually(lambda: "shared_segments" in page.url, expected=False)
    page.go_back()
    visitor.idle()
    page.get_by_text("Shared segments only").first.wait_for()
