"""From a number to its text: what a click on a point, a bar, a cell or a row shows on the page Segments."""

from __future__ import annotations

import re

import pytest
from visitor import Visitor

MARKS = {
    "bar": ".barlayer .point path",
    "point": ".scatterlayer .points path.point",
    "point of a box": ".boxlayer .points path.point",
}


def click_mark(visitor: Visitor, chart: str, kind: str, number: int) -> str:
    """Click a mark of a chart, which opens the page; gives what was shown beside the pointer."""
    box = visitor.page.locator(f".st-key-chart-{chart} {MARKS[kind]}").nth(number).bounding_box()
    assert box
    visitor.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    hover = visitor.page.locator(f".st-key-chart-{chart} .hoverlayer .hovertext").first
    hover.wait_for()
    lines: list[str] = hover.locator(".line").all_text_contents() or hover.locator("text").all_text_contents()
    visitor.page.mouse.down()
    visitor.page.mouse.up()
    visitor.page.wait_for_selector('h1:has-text("Segments")')
    visitor.idle()
    return "\n".join(lines)


def controls(visitor: Visitor) -> dict[str, str]:
    """What the address says of the page's controls."""
    found: dict[str, str] = visitor.page.evaluate("Object.fromEntries(new URLSearchParams(location.search))")
    return {key: value for key, value in found.items() if key not in ("data", "ranking_part")}


@pytest.mark.parametrize(
    ("path", "chart", "mark"),
    [
        ("/ranking", "scores", ("bar", 1)),
        pytest.param("/precision", "precision", ("point", 5), marks=pytest.mark.slow),
        pytest.param("/ranking?ranking_part=pairs", "score-intervals", ("point", 1), marks=pytest.mark.slow),
    ],
)
def test_the_mark_of_a_system_opens_its_segments(
    visitor: Visitor, path: str, chart: str, mark: tuple[str, int]
) -> None:
    visitor.goto(path)
    heading = visitor.page.locator("h1").inner_text()
    system = click_mark(visitor, chart, *mark).split("\n")[0]
    assert controls(visitor) == {"pair_system": system, "one_system": "true"}
    visitor.page.go_back()
    visitor.page.wait_for_selector(f'h1:has-text("{heading}")')


@pytest.mark.slow
def test_a_cell_of_the_grid_opens_the_segments_of_its_two_systems(visitor: Visitor) -> None:
    visitor.goto("/ranking?ranking_part=pairs")
    system, baseline = click_mark(visitor, "grid", "point", 5).split("\n")[0].split(" against ")
    assert controls(visitor) == {"pair_system": system, "pair_baseline": baseline}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "chart", "kind"),
    [
        ("/blocks", "blocks", "point of a box"),
        ("/two-systems", "block-differences", "bar"),
    ],
)
def test_the_mark_of_a_block_opens_its_segments(visitor: Visitor, path: str, chart: str, kind: str) -> None:
    visitor.goto(path)
    block = re.search(r"block (\d+) \(25 segments\)", click_mark(visitor, chart, kind, 3))
    assert block
    last = 25 * int(block[1])
    assert controls(visitor)["segments_within"] == f"segment in {last - 24}-{last}"


@pytest.mark.slow
def test_the_row_of_an_ngram_opens_the_segments_that_have_it(visitor: Visitor) -> None:
    visitor.goto("/two-systems?two_systems_part=ngrams&ngrams_order=1")
    segments = int(visitor.column("ngrams-won", "segments gained")[1])
    visitor.select_row("ngrams-won", 1)
    visitor.page.wait_for_selector('h1:has-text("Segments")')
    visitor.idle()
    assert controls(visitor)["segments_within"].startswith("segment in ")
    assert f"{segments} of 500 segments" in visitor.text()


@pytest.mark.slow
def test_a_row_opens_the_segments_of_its_systems_inside_the_slice(visitor: Visitor) -> None:
    visitor.goto("/ranking?ranking_part=pairs&slice=segment+in+1-60")
    pair = [visitor.column("comparisons", name)[2] for name in ("system", "baseline")]
    visitor.select_row("comparisons", 2)
    visitor.page.wait_for_selector('h1:has-text("Segments")')
    visitor.idle()
    assert controls(visitor) == {"slice": "segment in 1-60", "pair_system": pair[0], "pair_baseline": pair[1]}
    assert "Segments 1 to 10 of 60." in visitor.text()


@pytest.mark.slow
def test_the_bar_of_an_ngram_opens_the_segments_that_have_it(visitor: Visitor) -> None:
    visitor.goto("/two-systems?two_systems_part=ngrams")
    click_mark(visitor, "ngram-effects", "bar", 0)
    chosen = controls(visitor)
    assert {"pair_system", "pair_baseline", "segments_within"} <= chosen.keys()
    assert re.fullmatch(r"segment in [0-9, -]+", chosen["segments_within"])


@pytest.mark.slow
def test_ticks_leave_segments_out_of_the_pair(visitor: Visitor) -> None:
    visitor.goto("/two-systems?pair_system=S3&pair_baseline=S2")
    visitor.page.get_by_text("Leave segments out").click()
    visitor.idle()
    cells = visitor.page.locator("[class*=st-key-table-left-out] canvas")
    cells.first.scroll_into_view_if_needed()
    rows = visitor.page.locator("[class*=st-key-table-left-out-pairs] canvas")
    label = visitor.page.locator("[class*=st-key-table-left-out-pairs] td[role=gridcell]").get_by_text(
        re.compile("without the")
    )
    before = label.first.text_content()
    assert rows.count()
    box = cells.first.bounding_box()
    assert box
    visitor.page.mouse.click(box["x"] + 15, box["y"] + 52)
    visitor.idle()
    found = re.compile(r"without the (\d+) ticked")
    first = found.search(before or "")
    assert first
    label.get_by_text(f"without the {int(first[1]) - 1} ticked").wait_for(state="attached")
    visitor.page.get_by_role("button", name="Leave these out on every page").click()
    visitor.idle()
    visitor.page.wait_for_function("new URLSearchParams(location.search).get('slice')")
    assert controls(visitor)["slice"].startswith("not segment in ")
