"""Figures in a real browser: what the pointer does to lines, and where labels stand."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from plotly.offline import get_plotlyjs
from visitor import Visitor

import sample_data
from bleu_core.cli.arguments import parse
from bleu_core.cli.commands import COMMANDS as COMMANDS_OF_CORE
from bleu_core.cli.commands import load, supplied_commands
from bleu_core.errors import BleuCoreError
from dashboard.commands.gathering import gather
from dashboard.exhibits import EXHIBITS, Data
from dashboard.plots.on_paper import PRINT_SIZES, printed

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

DATA = os.environ.get("BLEU_CONFORMANCE_DATA")

real_data = pytest.mark.skipif(not DATA, reason="BLEU_CONFORMANCE_DATA is unset; see tests/conformance/README.md")

PALE = """plot => [...plot.querySelectorAll('.scatterlayer .trace, .annotation')]
    .filter(drawn => drawn.style.opacity !== '' && Number(drawn.style.opacity) < 0.5).length"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "key", "left"),
    [
        ("/precision", "precision", 2),
        ("/ranking?ranking_part=by-reference", "reference-ranks", 1),
    ],
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


# --- labels on paper ------------------------------------------------------------------------------------------------

LABELS = Path(__file__).with_name("labels.js")


@pytest.fixture(scope="module")
def paper(browser: Browser) -> Iterator[Page]:
    """A page that draws figures, and finds what is wrong with their labels."""
    page = browser.new_page(viewport={"width": 1200, "height": 1600})
    page.set_content("<body style='margin: 0'><div id='figure'></div></body>")
    page.add_script_tag(content=get_plotlyjs())
    page.add_script_tag(path=LABELS)
    yield page
    page.close()


def faults(paper: Page, data: Data, width: str = "84") -> tuple[list[str], list[str]]:
    """What is clipped or overlaps in all figures of data; and the figures of which data lack something."""
    found: list[str] = []
    missing: list[str] = []
    for name, exhibit in EXHIBITS.items():
        try:
            figure = exhibit.draw(data)
        except BleuCoreError:
            missing.append(name)
            continue
        spec = printed(figure, PRINT_SIZES[width]).to_json()
        found += [f"{name}: {fault}" for fault in paper.evaluate("labelFaults", spec)]
    return found, missing


def data_of(*arguments: str) -> Data:
    """What `bleu-core figure` draws figures of."""
    call = ["figure", next(iter(EXHIBITS)), "--out", "none.svg", "--resamples", "200", *arguments]
    return gather(parse(COMMANDS_OF_CORE, load, call, supplied=supplied_commands), as_pages=True).data


def of_folder(name: str, *files: str) -> Data:
    folder = Path(DATA or "") / "data" / name
    references = [part for path in sorted((folder / "refs").glob("*.txt")) for part in ("--ref", str(path))]
    systems = map(str, sorted((folder / "systems").glob("*.txt")))
    given = [part if part.startswith("--") else str(folder / part) for part in files]
    return data_of(*references, *given, *systems)


#: Figures of marked errors, which these data do not have.
ERRORS = [name for name, exhibit in EXHIBITS.items() if "marked errors" in exhibit.needs]


def test_no_label_of_the_sample_data_is_clipped_or_overlaps_at_the_width_of_a_column(paper: Page) -> None:
    references = [part for path in sample_data.references() for part in ("--ref", str(path))]
    others = ["--human", str(sample_data.JUDGMENTS), "--documents", str(sample_data.DOCUMENTS)]
    assert faults(paper, data_of(*references, *others, *map(str, sample_data.systems()))) == ([], ERRORS)


@pytest.mark.slow
@real_data
@pytest.mark.parametrize(
    ("name", "files", "lacking"),
    [
        ("ted-zhen", ["--human", "human.csv", "--documents", "docs.txt"], ["judge-pairs", *ERRORS]),
        (
            "newstest2020-ruen-2sys",
            [],
            [name for name, exhibit in EXHIBITS.items() if {"judgments", "two references"} & set(exhibit.needs)],
        ),
    ],
)
def test_no_label_of_real_data_is_clipped_or_overlaps(
    paper: Page, name: str, files: Sequence[str], lacking: list[str]
) -> None:
    assert faults(paper, of_folder(name, *files)) == ([], lacking)


def test_faults_of_labels_are_found(paper: Page) -> None:
    def spec(**layout: Any) -> str:
        margin = {"l": 40, "r": 20, "t": 20, "b": 30}
        axis = {"range": [0, 1], "tickvals": [0, 1], "ticktext": ["one", "two"]}
        figure = {
            "data": [{"x": [0.5], "y": [0.5]}],
            "layout": {"width": 300, "height": 200, "margin": margin, "xaxis": axis, "yaxis": axis, **layout},
        }
        return json.dumps(figure)

    def note(text: str, x: float, y: float, **more: Any) -> dict[str, Any]:
        return {"text": text, "x": x, "y": y, "showarrow": False, **more}

    def found(**layout: Any) -> list[str]:
        return list(paper.evaluate("labelFaults", spec(**layout)))

    assert found() == []
    assert found(annotations=[note("here", 0.5, 0.5), note("there", 0.5, 0.9)]) == []
    assert found(annotations=[note("here", 0.5, 0.5), note("there", 0.52, 0.51)]) == ["'here' overlaps 'there'"]
    assert found(annotations=[note("beyond", 1, 0.5, xanchor="left", xshift=60)]) == ["'beyond' is clipped"]
    turned = [note("one long name", 0.4, 0.5, textangle=45), note("one long name", 0.5, 0.5, textangle=45)]
    assert found(annotations=turned) == []
    assert found(annotations=[turned[0], note("one long name", 0.42, 0.5, textangle=45)]) != []
