"""Figures in a real browser: what the pointer does to lines, and where labels stand."""

from __future__ import annotations

import pytest
from visitor import Visitor

PALE = """plot => [...plot.querySelectorAll('.scatterlayer .trace, .annotation')]
    .filter(drawn => drawn.style.opacity !== '' && Number(drawn.style.opacity) < 0.5).length"""


@pytest.mark.parametrize(
    ("path", "key", "left"),
    [("/precision", "precision", 2), ("/ranking?ranking_part=by-reference", "reference-ranks", 1)],
)
def test_a_line_under_the_pointer_stands_out(visitor: Visitor, path: str, key: str, left: int) -> None:
    visitor.goto(path)
    plot = visitor.page.locator(f".st-key-{key} .js-plotly-plot")
    plot.wait_for()
    lines = plot.locator(".scatterlayer .trace").count()
    names = plot.locator(".annotation").count()
    assert lines == names * left
    assert names >= 3
    assert plot.evaluate(PALE) == 0
    plot.locator(".scatterlayer .trace").first.locator(".points path").last.hover(force=True)
    visitor.eventually(lambda: plot.evaluate(PALE), lines - left + names - 1)
    plot.locator(".xtitle, .xtick").first.hover(force=True)
    visitor.eventually(lambda: plot.evaluate(PALE), 0)
