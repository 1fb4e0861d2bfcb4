"""The page Segment agreement in a real browser: a click on a point, a square or a row opens a segment."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from typing import Any

import pytest
from visitor import Visitor

import sample_data

PLOT = ".st-key-segments .js-plotly-plot"


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def traces(visitor: Visitor) -> list[dict[str, Any]]:
    """What Plotly has drawn, and the place of each point on the page."""
    visitor.page.wait_for_selector(f"{PLOT} .plot-container")
    visitor.page.wait_for_function(f"() => document.querySelector('{PLOT}')._fullLayout !== undefined")
    return json.loads(
        visitor.page.evaluate(
            f"""() => {{
            const p = document.querySelector('{PLOT}'), l = p._fullLayout, box = p.getBoundingClientRect();
            return JSON.stringify(p._fullData.filter(t => t.type === 'scatter').map(t => ({{
                name: t.name,
                customdata: Array.from(t.customdata),
                text: Array.isArray(t.text) ? t.text : [],
                at: Array.from(t.x).map((x, i) => [
                    box.x + l.xaxis._offset + l.xaxis.d2p(x), box.y + l.yaxis._offset + l.yaxis.d2p(t.y[i])])
            }})))}}"""
        )
    )


def ring(visitor: Visitor) -> list[float]:
    return next(trace for trace in traces(visitor) if trace["name"] == "segment shown")["at"][0]


def is_read(visitor: Visitor, system: str, segment: int) -> None:
    box = visitor.page.get_by_label("Segment (1 to")
    visitor.eventually(box.input_value, str(segment))
    visitor.page.wait_for_function(f"() => document.body.innerText.includes('Output of {system}')")
    visitor.page.wait_for_function(f"() => /read_segment={segment}(&|$)/.test(location.search)")


@pytest.mark.slow
def test_a_click_on_a_point_opens_its_segment(visitor: Visitor) -> None:
    visitor.goto("/agreement?agreement_part=by-segment&rank_humans=true")
    first = visitor.page.url
    for name in ("S3", "H2"):
        of_system = next(trace for trace in traces(visitor) if trace["name"] == name)
        place = max(range(len(of_system["at"])), key=lambda i: of_system["at"][i][0])  # highest BLEU, far from others
        segment = int(of_system["text"][place].split()[-1])
        visitor.page.mouse.click(*of_system["at"][place])
        visitor.idle()
        is_read(visitor, name, segment)
        said = visitor.text()
        assert lines(sample_data.FOLDER / "systems" / f"{name}.txt")[segment - 1] in said
        for path in sample_data.references():
            assert lines(path)[segment - 1] in said
        assert ring(visitor) == pytest.approx(of_system["at"][place], abs=3)
        with sample_data.JUDGMENTS.open(encoding="utf-8", newline="") as file:
            rated = [r for r in csv.DictReader(file) if r["system"] == name and r["segment"] == str(segment)]
        names, given = (visitor.column("segment-ratings", column) for column in ("judge", "rating"))
        assert len(names) > 5  # those in view
        shown = {(judge, float(rating)) for judge, rating in zip(names, given, strict=True)}
        assert shown <= {(row["judge"], float(row["score"])) for row in rated}
    assert visitor.page.url != first


@pytest.mark.slow
def test_a_row_of_the_largest_differences_opens_its_segment(visitor: Visitor) -> None:
    visitor.goto("/agreement?agreement_part=by-segment")
    header, *rows = visitor.table("segments-furthest")
    system, segment = rows[3][header.index("system")], int(rows[3][header.index("segment")])
    visitor.select_row("segments-furthest", 3)
    is_read(visitor, system, segment)
    assert lines(sample_data.FOLDER / "systems" / f"{system}.txt")[segment - 1] in visitor.text()


@pytest.mark.slow
def test_a_click_on_a_square_lists_its_segments_and_texts_stay_literal(visitor: Visitor, tmp_path: Path) -> None:
    chance = random.Random(5)
    words = [f"w{n}" for n in range(50)]
    truth = [[chance.choice(words) for _ in range(12)] for _ in range(1100)]
    hostile = "<img src=x onerror=alert(1)> ![i](http://127.0.0.1:9/x.png) **b** $x^2$ [l](javascript:a) :red[r]"
    rows = []
    for name, kept in (("A", 0.5), ("B", 0.7)):
        outputs = [" ".join(w if chance.random() < kept else "-" for w in line) for line in truth]
        outputs[6] = hostile
        (tmp_path / f"{name}.txt").write_text("\n".join(outputs) + "\n", encoding="utf-8")
        rows += [f"{s},{name},j,{chance.randint(1, 5)}" for s in range(1, 1101)]
    (tmp_path / "ref-R.txt").write_text("\n".join(map(" ".join, truth)) + "\n", encoding="utf-8")
    (tmp_path / "human.csv").write_text("\n".join(["segment,system,judge,score", *rows]) + "\n", encoding="utf-8")
    visitor.goto("/data")
    visitor.upload([tmp_path / name for name in ("ref-R.txt", "A.txt", "B.txt", "human.csv")])
    visitor.open_page("By segment")
    squares = next(trace for trace in traces(visitor) if trace["name"] != "segment shown")
    fullest = max(range(len(squares["at"])), key=lambda i: int(squares["text"][i].split()[0].replace(",", "")))
    visitor.page.mouse.click(*squares["at"][fullest])
    visitor.idle()
    system, number = "AB"[squares["customdata"][fullest] // 1100], squares["customdata"][fullest] % 1100 + 1
    is_read(visitor, system, number)
    assert f"{squares['text'][fullest]} have about this score and rating" in visitor.text()
    header, *listed = visitor.table("segments-here")
    assert [listed[0][header.index(name)] for name in ("system", "segment")] == [system, str(number)]
    visitor.select_row("segments-here", 2)
    is_read(visitor, listed[2][header.index("system")], int(listed[2][header.index("segment")]))

    box = visitor.page.get_by_label("Segment (1 to")
    box.fill("7")
    box.press("Enter")
    visitor.idle()
    is_read(visitor, listed[2][header.index("system")], 7)
    assert hostile in visitor.text()
    assert visitor.page.locator(".stMain .stText img, .stMain .stText a, .stMain .katex").count() == 0
