"""So many systems that tiers take the place of the grid of all pairs: pages, reports and the files that they offer."""

from __future__ import annotations

import io
import json
from typing import Any

import pandas as pd
import pytest
from conftest import Downloads
from many_systems import MANY, MAX_WITH_ALL_PAIRS, files_of, many_systems
from pages import load, said, visit, with_parameters
from streamlit.testing.v1 import AppTest

from bleu_core.counts import Texts, count_texts, encode_counts
from bleu_core.fields import Table
from bleu_core.scoring import Counting, evaluate
from bleu_core.uploads import Workspace
from dashboard.analysis.view import View
from dashboard.exhibits import Data
from dashboard.export.report import make_report
from dashboard.export.section import Section
from dashboard.export.source import Source
from dashboard.views.ranking import pairs

SHOWN, ALL = 2 * MANY - 3, 325
NOTE = (
    f"{SHOWN} of {ALL} pairs are shown: those of System-1, which scores best, and of systems next to each other in the "
    f"ranking; p is corrected for all {ALL} pairs, since these were chosen by their scores."
)


def with_systems(app: AppTest, number: int) -> AppTest:
    return load(app, *((name, text.encode()) for name, text in files_of(many_systems(number)).items()))


def kinds_of_traces(app: AppTest) -> set[str]:
    charts = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    return {trace["type"] for chart in charts for trace in chart["data"]}


def table_of_pairs(app: AppTest) -> pd.DataFrame:
    return next(frame.value for frame in app.dataframe if "family" in frame.value)


def pairs_of(frame: pd.DataFrame) -> list[tuple[str, str]]:
    return list(zip(frame["system"], frame["baseline"], strict=True))


def check_downloads(downloads: Downloads, key: str) -> None:
    """Files have all pairs."""
    tsv = pd.read_csv(io.BytesIO(downloads[f"tsv-{key}"]()), sep="\t")
    content = json.loads(downloads[f"json-{key}"]())["pairs"]
    xlsx = pd.read_excel(io.BytesIO(downloads[f"xlsx-{key}"]()), engine="calamine")
    expected = [(pair["system"], pair["baseline"]) for pair in content]
    assert len(expected) == ALL
    assert pairs_of(tsv) == expected
    assert len(xlsx) == ALL


def test_tiers_and_the_pairs_of_leader_and_neighbours_are_shown(
    app: AppTest, downloads: Downloads, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Table] = []
    monkeypatch.setattr(pairs, "open_row", opened.append)
    visit(with_systems(app, MANY), "ranking/pairs")
    assert not app.exception
    assert "heatmap" not in kinds_of_traces(app)
    headings = [heading.value for heading in app.subheader]
    assert "Pairwise comparison" not in headings
    assert headings.index("Leader and neighbours") > max(
        headings.index(title) for title in headings if title in ("Tiers", "Scores with intervals")
    )
    assert f"{NOTE} The downloads have all pairs." in said(app)
    shown = pairs_of(table_of_pairs(app))
    assert len(shown) == SHOWN
    assert sum("System-1" in pair for pair in shown) == MANY - 1
    assert [row[:2] for row in opened[-1].rows] == shown  # a click opens the segments of the row
    check_downloads(downloads, "comparisons")


def test_up_to_300_pairs_have_a_grid(app: AppTest) -> None:
    visit(with_systems(app, MAX_WITH_ALL_PAIRS), "ranking/pairs")
    assert "heatmap" in kinds_of_traces(app)
    assert "pairs are shown" not in said(app)
    assert len(table_of_pairs(app)) == 300


def test_with_a_baseline_all_of_its_pairs_are_shown(app: AppTest) -> None:
    visit(with_parameters(with_systems(app, MANY), compare_with="System-3"), "ranking/pairs")
    assert "pairs are shown" not in said(app)
    assert len(table_of_pairs(app)) == MANY - 1


def test_counts_files_of_many_systems_have_tiers(app: AppTest, downloads: Downloads) -> None:
    corpus = many_systems()
    counts = count_texts(Texts(corpus.systems, corpus.references), counting=Counting("13a", lowercase=False))
    load(app, ("a.counts", encode_counts(counts)))
    visit(app, "ranking/counts-files")
    assert not app.exception
    assert "heatmap" not in kinds_of_traces(app)
    assert f"{NOTE} The downloads have all pairs." in said(app)
    assert len(table_of_pairs(app)) == SHOWN
    check_downloads(downloads, "counts-comparisons")


def significance_of(systems: int) -> Section:
    corpus = many_systems(systems)
    view = View(Workspace.of_data(corpus, None, (), ()), evaluate(corpus))
    (section,) = make_report(Source(Data(view, None)), ["significance"]).sections
    return section


@pytest.mark.parametrize(("systems", "titles"), [(MANY, 1), (MAX_WITH_ALL_PAIRS, 2)])
def test_a_report_has_a_grid_of_up_to_300_pairs(systems: int, titles: int) -> None:
    section = significance_of(systems)
    large = systems == MANY
    assert len(section.drawings) == titles
    figures: list[Any] = [drawing.figure for drawing in section.drawings]
    assert [figure.data[0].type for figure in figures] == ["heatmap", "scatter"][-titles:]
    assert len(section.tables[0].rows) == (SHOWN if large else 300)
    assert (NOTE in section.notes) == large


def test_the_caption_of_joined_blocks_fits_rows_of_many_systems(app: AppTest) -> None:
    visit(with_systems(app, MANY), "blocks")
    assert not app.exception
    assert "Where all lines lean to the right, the difference between systems does not depend on the block." in said(
        app
    )
    assert "Where all lines rise" not in said(app)
