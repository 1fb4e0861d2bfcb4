"""Systems that were optimised for a metric: marked on the Data page, and not ranked by that metric on any page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Downloads
from nightly import nightly
from pages import said, select_file, upload, visit
from streamlit.testing.v1 import AppTest

import sample_data

NOTE = "Systems that are not ranked by the metric they were optimised for: S3 (optimised for BLEU)."
LINES = 60

#: Pages that rank or compare systems by the selected metric.
PAGES = (
    "",
    "ranking/scores",
    "ranking/pairs",
    "ranking/by-metric",
    "ranking/by-reference",
    "two-systems/difference",
    "two-systems/slices",
    "segments",
    "blocks",
    "agreement/by-system",
    "agreement/by-segment",
    "metrics/best-agreement",
    "metrics/meaning-of-a-difference",
    "report/printed",
)


def text(path: Path) -> bytes:
    return "".join(path.read_text("utf-8").splitlines(keepends=True)[:LINES]).encode()


def ratings() -> bytes:
    """Return the sample's ratings of the segments in use."""
    header, *rows = sample_data.JUDGMENTS.read_text("utf-8").splitlines(keepends=True)
    place = header.strip().split(",").index("segment")
    return (header + "".join(row for row in rows if int(row.split(",")[place]) <= LINES)).encode()


@pytest.fixture
def loaded(app: AppTest) -> AppTest:
    systems = [(path.name, text(path)) for path in sample_data.systems()]
    references = [(f"ref{n}.txt", text(path)) for n, path in enumerate(sample_data.references()[:2], start=1)]
    upload(app, *references, *systems, ("judgments.csv", ratings()))
    assert not app.exception
    return app


def mark(app: AppTest, *metrics: str, system: str = "S3") -> AppTest:
    """Mark a system on the Data page."""
    visit(app, "data")
    select_file(app, 2 + [path.stem for path in sample_data.systems()].index(system))
    box = next(box for box in app.multiselect if box.label == "Optimised for")
    box.set_value(list(metrics)).run()
    assert not app.exception
    return app


def compared(app: AppTest) -> set[str]:
    """Return the systems that the page of pairs offers as baselines."""
    visit(app, "ranking/pairs")
    return set(app.selectbox(key="compare_with").options[1:])


def test_a_marked_system_is_not_compared_by_that_metric_and_by_others_it_is(loaded: AppTest) -> None:
    before = compared(loaded)
    mark(loaded, "BLEU")
    assert compared(loaded) == before - {"S3"}
    assert NOTE in said(loaded)
    loaded.selectbox(key="metric").set_value("chrF2").run()
    assert set(loaded.selectbox(key="compare_with").options[1:]) == before
    loaded.selectbox(key="metric").set_value("BLEU").run()
    mark(loaded)
    assert compared(loaded) == before
    assert NOTE not in said(loaded)


@pytest.mark.parametrize("path", [*PAGES[::2], *nightly(PAGES[1::2])])
def test_every_page_works_with_a_marked_system(path: str, loaded: AppTest) -> None:
    visit(mark(loaded, "BLEU"), path)
    loaded.session_state["section-code"] = True
    loaded.run()
    assert not loaded.exception, loaded.exception
    assert not loaded.error, [error.value for error in loaded.error]
    # The page of the report also shows the report, and Segments ranks no systems.
    assert said(loaded).count(NOTE) == {"report/printed": 2, "segments": 0}.get(path, 1)


def test_where_all_systems_but_one_are_marked_the_page_says_that_nothing_is_left_to_compare(loaded: AppTest) -> None:
    for system in [path.stem for path in sample_data.systems()][1:]:
        mark(loaded, "BLEU", system=system)
    visit(loaded, "ranking/pairs")
    assert "Only one system is left" in said(loaded)
    visit(loaded, "two-systems/difference")
    assert not loaded.exception


def test_the_json_of_a_page_lists_the_marked_system(loaded: AppTest, downloads: Downloads) -> None:
    visit(mark(loaded, "BLEU"), "ranking/pairs")
    report = json.loads(next(data() for key, data in downloads.items() if "json" in key))
    assert {"system": "S3", "reason": "optimised for BLEU", "metric": "BLEU"} in report["not_ranked"]


def test_the_agreement_of_that_metric_is_without_the_system(loaded: AppTest, downloads: Downloads) -> None:
    visit(mark(loaded, "chrF2"), "agreement/by-system")

    def systems(metric: str) -> set[str]:
        loaded.selectbox(key="score").set_value(metric).run()
        report = json.loads(next(data() for key, data in downloads.items() if "json" in key))
        return {row["system"] for row in report["systems"]}

    assert systems("BLEU") - systems("chrF2") == {"S3"}
