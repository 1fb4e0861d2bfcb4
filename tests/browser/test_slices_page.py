"""The page Slices in a real browser: its JSON is the command's, and a point opens the segments of its slice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from visitor import Visitor

import sample_data
from bleu_core.cli.commands import main


@pytest.mark.slow
def test_slices_are_downloaded_as_the_command_prints_them_and_opened_by_a_click(
    visitor: Visitor, tmp_path: Path, capsys: Any
) -> None:
    visitor.goto("/two-systems?two_systems_part=slices&slices_by=length&pair_system=S2&pair_baseline=S1")
    place = visitor.page.locator(".st-key-downloads-slice-pairs")
    found = json.loads(visitor.download(place, "Table (JSON)", tmp_path).read_text("utf-8"))
    references = [part for path in sample_data.references() for part in ("--ref", str(path))]
    systems = [str(path) for path in sample_data.systems()]
    call = ["slices", "--by", "length", "--baseline", "S1", "--format", "json", *references, *systems]
    call += ["--human-system", "H1", "--human-system", "H2"]
    assert main(call) == 0
    expected = json.loads(capsys.readouterr().out)
    assert found == expected

    points = visitor.page.locator(".st-key-chart-slice-differences .scatterlayer .points path.point")
    box = points.nth(2).bounding_box()  # the first is of all segments
    assert box
    visitor.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    visitor.page.locator(".st-key-chart-slice-differences .hoverlayer .hovertext").first.wait_for()
    visitor.page.mouse.down()
    visitor.page.mouse.up()
    visitor.page.wait_for_selector('h1:has-text("Segments")')
    visitor.idle()
    label, size = expected["slices"][1]["label"], expected["slices"][1]["segments"]
    address: dict[str, str] = visitor.page.evaluate("Object.fromEntries(new URLSearchParams(location.search))")
    assert address["segments_within"] == f"length in {label}"
    assert f"{size:,} of 500 segments" in visitor.text()
