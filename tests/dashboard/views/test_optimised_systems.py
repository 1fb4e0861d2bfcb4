"""Systems that were optimised for a metric: marked on the Data page, and not ranked by that metric on any page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Downloads, Opener
from nightly import nightly
from pages import load, said, select_file, upload, visit, with_parameters, with_state
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
    "two-systems/ngrams",
    "segments",
    "precision",
    "blocks",
    "agreement/by-system",
    "agreement/by-segment",
    "metrics/best-agreement",
    "metrics/meaning-of-a-difference",
    "metrics/unread-segments",
    "paper",
    "report/printed",
)


#: Pages that show marked systems, and say what this means.
SHOWN_ON = ("segments", "two-systems/ngrams", "paper")
SHOWN = "S3 was optimised for BLEU, so its scores by BLEU must not be read as quality."


def text(path: Path) -> bytes:
    return "".join(path.read_text("utf-8").splitlines(keepends=True)[:LINES]).encode()


def ratings() -> bytes:
    """Return the sample's ratings of the segments in use."""
    header, *rows = sample_data.JUDGMENTS.read_text("utf-8").splitlines(keepends=True)
    place = header.strip().split(",").index("segment")
    return (header + "".join(row for row in rows if int(row.split(",")[place]) <= LINES)).encode()


FILES = [
    *((f"ref{n}.txt", text(path)) for n, path in enumerate(sample_data.references()[:2], start=1)),
    *((path.name, text(path)) for path in sample_data.systems()),
    ("judgments.csv", ratings()),
]


@pytest.fixture
def loaded(app: AppTest) -> AppTest:
    return load(app, *FILES)


def with_mark(app: AppTest, mark: str = "S3=BLEU") -> AppTest:
    """Files of which one system is marked by the address."""
    return with_parameters(app, optimised=mark)


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


@pytest.mark.parametrize("path", [*PAGES[::3], *nightly(PAGES[1::3] + PAGES[2::3])])
def test_every_page_works_with_a_marked_system(path: str, loaded: AppTest) -> None:
    visit(with_state(with_mark(loaded), {"section-code": True}), path)
    assert not loaded.exception, loaded.exception
    assert not loaded.error, [error.value for error in loaded.error]
    # The page of the report also shows the report; some pages show the system in spite of the mark.
    assert said(loaded).count(NOTE) == {"report/printed": 2}.get(path, int(path not in SHOWN_ON))


def test_where_all_systems_but_one_are_marked_the_page_says_that_nothing_is_left_to_compare(loaded: AppTest) -> None:
    with_parameters(loaded, optimised=[f"{path.stem}=BLEU" for path in sample_data.systems()[1:]])
    visit(loaded, "ranking/pairs")
    assert "Only one system is left" in said(loaded)
    visit(loaded, "two-systems/difference")
    assert not loaded.exception


def test_the_json_of_a_page_lists_the_marked_system(loaded: AppTest, downloads: Downloads) -> None:
    visit(with_mark(loaded), "ranking/pairs")
    report = json.loads(next(data() for key, data in downloads.items() if "json" in key))
    assert {"system": "S3", "reason": "optimised for BLEU", "metric": "BLEU"} in report["not_ranked"]


def test_the_agreement_of_that_metric_is_without_the_system(loaded: AppTest, downloads: Downloads) -> None:
    visit(with_mark(loaded, "S3=chrF2"), "agreement/by-system")

    def systems(metric: str) -> set[str]:
        loaded.selectbox(key="score").set_value(metric).run()
        report = json.loads(next(data() for key, data in downloads.items() if "json" in key))
        return {row["system"] for row in report["systems"]}

    assert systems("BLEU") - systems("chrF2") == {"S3"}


def test_a_link_restores_the_marks_where_the_same_files_are_loaded(loaded: AppTest, opened: Opener) -> None:
    mark(loaded, "BLEU", "chrF2")
    visit(loaded, "ranking/pairs")
    link = dict(loaded.query_params)
    assert link["optimised"] == ["S3=BLEU", "S3=chrF2"]
    other = opened("ranking", **link)
    assert "The data of this address are not loaded" in said(other)
    upload(other, *FILES)
    assert "S3" not in compared(other)
    assert NOTE.replace("S3 (optimised for BLEU)", "S3 (optimised for BLEU), S3 (optimised for chrF2)") in said(other)
    assert dict(other.query_params) == dict(loaded.query_params)
    visit(other, "data")
    select_file(other, 2 + [path.stem for path in sample_data.systems()].index("S3"))
    box = next(box for box in other.multiselect if box.label == "Optimised for")
    assert box.value == ["BLEU", "chrF2"]
    box.set_value(["chrF2"]).run()
    assert other.query_params["optimised"] == "S3=chrF2"


@pytest.mark.unknown_choices
def test_marks_of_unknown_systems_and_metrics_in_a_url_are_ignored_with_a_message(opened: Opener) -> None:
    app = opened("ranking", ranking_part="pairs", optimised=["S3=BLEU", "S9=BLEU", "S1=COMET", "S1"])
    assert not app.exception
    assert "Ignored unknown values in the URL: optimised=S9=BLEU, S1=COMET, S1." in said(app)
    assert NOTE in said(app)


def test_a_mark_follows_a_renamed_system(loaded: AppTest) -> None:
    mark(loaded, "BLEU")
    name = next(box for box in loaded.text_input if box.label == "Name" and box.value == "S3")
    name.set_value("a=b").run()
    assert loaded.query_params["optimised"] == "a=b=BLEU"
    visit(loaded, "ranking/pairs")
    assert NOTE.replace("S3", "a=b") in said(loaded)


@pytest.mark.parametrize("path", SHOWN_ON)
def test_pages_that_show_a_marked_system_say_that_its_scores_are_not_quality(path: str, loaded: AppTest) -> None:
    visit(with_parameters(with_mark(loaded), pair_system="S3"), path)
    assert not loaded.exception
    assert said(loaded).count(SHOWN) == 1
    if path == "segments":  # by another metric, or without the system, there is nothing to say
        loaded.selectbox(key="metric").set_value("chrF2").run()
        assert SHOWN not in said(loaded)
        loaded.selectbox(key="metric").set_value("BLEU").run()
        loaded.selectbox(key="pair_system").set_value("S2").run()
        assert SHOWN not in said(loaded)


def test_precision_is_without_a_system_that_was_optimised_for_bleu(loaded: AppTest) -> None:
    def shown() -> set[str]:
        visit(loaded, "precision")
        assert not loaded.exception
        return set(loaded.dataframe[0].value["system"])

    before = shown()
    mark(loaded, "chrF2")
    assert shown() == before
    mark(loaded, "BLEU")
    assert shown() == before - {"S3"}
    assert "S3" not in said(loaded).replace(NOTE, "")


def test_by_metric_never_calls_a_marked_system_the_best_by_that_metric(loaded: AppTest, downloads: Downloads) -> None:
    def latex_rows() -> dict[str, list[str]]:
        latex = downloads["tex-by-metric"]().decode()
        return {line.split(" & ")[0]: line.split(" & ") for line in latex.split("\n") if " & " in line}

    visit(loaded, "ranking/by-metric")
    assert "H2 has the best score by all 3 metrics." in said(loaded)
    mark(loaded, "BLEU", system="H2")
    visit(loaded, "ranking/by-metric")
    assert "Best score by BLEU: H1; by chrF2, TER: H2." in said(loaded)
    assert list(loaded.dataframe[0].value["system"])[-1] == "H2"  # ordered by BLEU
    rows = latex_rows()
    assert "textbf" not in rows["H2"][1]
    assert "textbf" in rows["H1"][1]


@pytest.mark.parametrize(
    ("path", "options", "marked"),
    [
        ("ranking/pairs", {}, False),  # it leaves the system out
        ("ranking/pairs", {"metric": "chrF2"}, False),
        ("ranking/by-metric", {}, True),
        ("agreement/by-system", {}, True),
    ],
)
def test_commands_that_pages_show_mark_the_systems_of_their_metrics(
    path: str, options: dict[str, str], *, marked: bool, loaded: AppTest
) -> None:
    visit(with_state(with_parameters(with_mark(loaded), **options), {"section-code": True}), path)
    calls = [block.value for block in loaded.code if block.value.startswith("bleu-core ")]
    assert calls
    assert all(("--optimised S3=BLEU" in call) == marked for call in calls)
    assert all(("--exclude-system S3" in call) == (path == "ranking/pairs" and not options) for call in calls)
