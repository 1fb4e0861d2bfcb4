"""The files to compare before and after a change hold every page, exhibit and command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dashboard.exhibits import EXHIBITS
from dashboard.views import PAGES

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_every_page_and_exhibit_of_the_sample_data_is_written_the_same_twice(tmp_path: Path) -> None:
    written = [tmp_path / name for name in ("first", "second")]
    for folder in written:
        subprocess.run([sys.executable, "-m", "tests.golden", str(folder)], cwd=ROOT, check=True, capture_output=True)
    first, second = ({p.relative_to(f): p.read_bytes() for p in f.rglob("*.*") if p.is_file()} for f in written)
    assert first == second
    assert {Path("pages", f"{page.path or 'overview'}.txt") for page in PAGES} <= first.keys()
    assert {Path("figures", f"{name}.{ending}") for name in EXHIBITS for ending in ("json", "tsv")} <= first.keys()
    assert all(first.values())
    refused = [path for path, content in first.items() if path.parts[0] == "commands" and b"\nstatus 2" in content]
    assert refused == []
    scores = first[Path("pages", "scores.txt")].decode()
    assert "[plotly_chart] {" in scores
    assert "\tbrevity_penalty\t" in scores
