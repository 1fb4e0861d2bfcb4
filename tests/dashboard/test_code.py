"""The code that each page shows: run on the same files, it gives the page's numbers."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import Downloads, Runner
from pages import visit, with_parameters, with_state
from places import PLACES
from streamlit.testing.v1 import AppTest

import sample_data
from bleu_core.results.encoding import to_json
from bleu_core.results.table import to_tsv

#: Path of a page -> the download of its table, and that of the JSON that its command prints.
TABLES: Mapping[str, tuple[str, str]] = {
    "": ("data-overview-scores", ""),
    "ranking/scores": ("tsv-scores", "json-scores"),
    "ranking/by-metric": ("tsv-by-metric", "json-by-metric"),
    "ranking/pairs": ("tsv-comparisons", "json-comparisons"),
    "two-systems/difference": ("tsv-tests", ""),
    "two-systems/slices": ("tsv-slice-pairs", "json-slice-pairs"),
    "ranking/by-reference": ("tsv-reference-scores", "json-reference-scores"),
    "precision": ("data-precision", ""),
    "blocks": ("tsv-blocks", "json-blocks"),
    "segments": ("tsv-segments-listed", ""),
    "two-systems/ngrams": ("tsv-ngrams", "json-ngrams"),
    "agreement/by-system": ("tsv-agreement", "json-agreement"),
    "agreement/by-segment": ("tsv-segment-correlations", "json-segment-correlations"),
    "agreement/by-class": ("tsv-class-agreement", ""),
    "metrics/best-agreement": ("tsv-metric-ranking", "json-metric-ranking"),
    "judges/agreement": ("tsv-judges", ""),
    "judges/human-ranking": ("tsv-rater-differences", ""),
    "metrics/meaning-of-a-difference": ("tsv-score-pairs", ""),
    "metrics/unread-segments": ("tsv-review-thresholds", "json-review-thresholds"),
    "paper": ("", "paper-json"),
}

#: Parameters of the address: settings, left-out names, a slice, and controls of pages.
CHOSEN = {
    "slice": "segment <= 90 and document != story-02",
    "without_systems": "S3",
    "without_references": "R3",
    "without_judges": "M01",
    "zscore": "true",
    "adjust_judges": "adjusted",
    "tokenizer": "char",
    "max_order": "3",
    "weights": "0.5 0.25 0.25",
    "lowercase": "true",
    "metric": "chrF2",
    "test": "approximate randomisation",
    "units": "documents",
    "compare_with": "S2",
    "draws": "100",
    "seed": "7",
    "divide_into": "size",
    "blocks_size": "20",
    "ngrams_with": "the references",
    "ngrams_order": "2",
    "slices_by": "half",
    "level_of": "segments",
    "score": "chrF2",
    "segment_metric": "chrF2",
    "review_metric": "chrF2",
    "max_unacceptable": "20",
    "review_seed": "5",
    "language": "de",
    "class_method": "Pairwise accuracy",
    "rated_pairs": "all pairs",
    "paper_settings": "sidebar",
}

RANKED = {"rank_humans": "true"}

#: A slice that a command cannot find without systems that are left out.
SAVED = CHOSEN | {"slice": 'segment <= 90 and score "S3" < 60', "test": "paired bootstrap"}


def shown_code(app: AppTest) -> tuple[list[list[str]], str]:
    """The commands, as words, and the lines of Python."""
    blocks = [block for block in app.code if block.language in ("bash", "python")]
    python = next(block.value for block in blocks if block.language == "python")
    commands = [line for block in blocks if block.language == "bash" for line in block.value.splitlines()]
    return [shlex.split(command) for command in commands], python


def executed(python: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(python, names)  # noqa: S102 # this is what people do with it
    return names


def check_table(path: str, names: Mapping[str, Any], downloads: Downloads) -> None:
    """The table of the lines equals that of the page."""
    table, content = TABLES[path]
    if path == "paper":
        report, found = to_json(names["report"]), json.loads(downloads[content]())
        of_data = ("assessment", "warnings")  # which the lines do not assess
        assert {key: value for key, value in report.items() if key not in of_data}.items() <= found.items()
    elif path == "segments":
        header, *rows = [line.split("\t") for line in downloads[table]().decode().splitlines()]
        frame = names["frame"].set_index("segment")
        for column in frame:
            place = header.index(column)
            assert [frame[column][int(row[0])] for row in rows] == [float(row[place]) for row in rows]
    else:
        page, lines = downloads[table]().decode().splitlines(), to_tsv(names["table"]).splitlines()
        if path == "agreement/by-segment":  # the lines have BLEU beside the metric of the page
            assert set(page) <= set(lines)
        else:
            assert lines == page


def check_command(path: str, printed: dict[str, Any], downloads: Downloads) -> None:
    """What a command prints has all that the page offers as JSON."""
    found = json.loads(downloads[TABLES[path][1]]())
    about_options = [text for text in printed["warnings"] if re.match(r"--[\w-]+ has no effect: ", text)]
    printed = {**printed, "warnings": [text for text in printed["warnings"] if text not in about_options]}
    if path == "agreement/by-system" and found["metric"] != printed["metric"]:  # of which the command prints a part
        assert found["pearson"] in [each["pearson"] for each in printed["metrics"]]
        return
    for key, value in found.items():
        if path == "metrics/best-agreement" and key == "metrics":  # the command also prints what agreement rests on
            for part, whole in zip(value, printed[key], strict=True):
                assert part.items() <= whole.items()
        elif path == "agreement/by-segment" and key in ("correlations", "calibrated_accuracy"):  # beside those of BLEU
            metrics = {each["metric"] for each in value}
            assert [each for each in printed[key] if each["metric"] in metrics] == value
        else:
            assert printed[key] == value, key


@pytest.mark.parametrize(
    ("page", "chosen"),
    [("segments", {})]
    + [
        pytest.param(page, {}, marks=pytest.mark.slow)
        for page in (
            "ranking/scores",
            "ranking/pairs",
            "two-systems/difference",
            "precision",
            "blocks",
            "two-systems/ngrams",
        )
    ]
    + [(page, CHOSEN) for page in TABLES]
    + [("ranking/pairs", SAVED), pytest.param("agreement/by-system", SAVED, marks=pytest.mark.slow)]
    + [("ranking/pairs", CHOSEN | RANKED)]
    + [
        pytest.param(page, CHOSEN | RANKED, marks=pytest.mark.slow)
        for page in ("ranking/scores", "two-systems/slices", "ranking/by-reference", "agreement/by-segment")
    ],
)
def test_the_code_of_a_page_gives_its_numbers(
    page: str, chosen: Mapping[str, str], app: AppTest, downloads: Downloads, run: Runner
) -> None:
    session = visit(with_state(with_parameters(app, **chosen), {"section-code": True}), page)
    assert not session.exception
    commands, python = shown_code(session)
    if chosen is SAVED or (page == "paper" and chosen):
        assert "workspace.bleu.zip" in python
        Path("workspace.bleu.zip").write_bytes(downloads["save-workspace"]())
    else:
        os.chdir(sample_data.FOLDER.parent)  # the fixture goes back
    check_table(page, executed(python), downloads)
    for program, *arguments in commands:
        assert program == "bleu-core"
        printed = run(*arguments, "--format", "json")
        assert printed.status == 0, printed.err
        if TABLES[page][1]:
            check_command(page, printed.json, downloads)


def test_every_page_with_numbers_has_code() -> None:
    # A report names the commands of its parts, a campaign draws at random, and how much text is enough is no command.
    # The sample data are one test set; test_test_sets_page.py has several.
    others = ("campaign", "data", "report", "test-sets")
    paths = {path for path in PLACES if path.partition("/")[0] not in others}
    assert set(TABLES) == paths - {"two-systems/how-much-text"}
