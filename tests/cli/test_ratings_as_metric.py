"""Ratings by people as the metric of a command."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import Runner
from scipy import stats

from bleu_core.judges.ranked_systems import CONFOUNDED

SEGMENTS = 60
LEVELS = {"first": 60.0, "second": 66.0, "third": 62.0}

Rows = list[tuple[str, int, str, float]]


def rating_rows(*, confounded: bool = False) -> Rows:
    """Rows of system, segment, judge and score; confounded if a severe judge rates mostly the first system."""
    generator = np.random.default_rng(11)
    rows: Rows = []
    for system, level in LEVELS.items():
        for segment in range(1, SEGMENTS + 1):
            severe = (segment % 10 < 9) == (system == "first") if confounded else segment % 2 == 0
            score = (60.0 if confounded else level) + generator.normal(0, 4) - (25 if severe else 0)
            rows.append((system, segment, "severe" if severe else "mild", round(float(score), 1)))
    return rows


@pytest.fixture
def call(tmp_path: Path) -> list[str]:
    """The texts of a call: the reference with its option, and the systems."""
    paths: list[str] = []
    for name in ("ref", *LEVELS):
        path = tmp_path / f"{name}.txt"
        lines = (f"the sentence number {s} of the text {name}" for s in range(SEGMENTS))
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        paths.append(str(path))
    return ["--ref", *paths]


def human(folder: Path, rows: Rows) -> list[str]:
    path = folder / "ratings.csv"
    path.write_text("\n".join(["system,segment,judge,score", *(",".join(map(str, row)) for row in rows)]), "utf-8")
    return ["--human", str(path)]


def of_system(rows: Rows, system: str) -> np.ndarray:
    return np.array([score for name, _, _, score in rows if name == system])


def test_scores_and_the_paired_t_are_scipys(run: Runner, call: list[str], tmp_path: Path) -> None:
    rows = rating_rows()
    ratings = [*human(tmp_path, rows), "--metric", "human", "--format", "json"]
    scored = run("score", *call, *ratings).json
    assert {entry["system"]: entry["score"] for entry in scored["systems"]} == pytest.approx(
        {name: of_system(rows, name).mean() for name in LEVELS}
    )
    (metric,) = scored["metrics"]
    assert metric["metric"] == "human"
    assert metric["signature"].endswith("|segments:60|better:higher")
    compared = run("compare", *call, *ratings, "--test", "t", "--blocks", str(SEGMENTS)).json
    pair = next(pair for pair in compared["pairs"] if pair["system"] == "second")
    expected = stats.ttest_rel(of_system(rows, "second"), of_system(rows, "first"))
    assert pair["p_value"] == pytest.approx(expected.pvalue)


def test_a_judge_can_be_excluded_and_missing_ratings_are_gaps(run: Runner, call: list[str], tmp_path: Path) -> None:
    rows = rating_rows()
    options = [*human(tmp_path, rows), "--metric", "human", "--exclude-judge", "severe", "--format", "json"]
    systems = run("score", *call, *options).json["systems"]
    assert [entry["scored_segments"] for entry in systems] == [SEGMENTS // 2] * 3
    mild = [score for name, _, judge, score in rows if name == "first" and judge == "mild"]
    assert systems[0]["score"] == pytest.approx(np.mean(mild))


@pytest.mark.parametrize("command", ["score", "compare", "slices", "blocks"])
def test_ratings_are_adjusted_if_judges_are_confounded(
    command: str, run: Runner, call: list[str], tmp_path: Path
) -> None:
    ratings = [*human(tmp_path, rating_rows(confounded=True)), "--metric", "human"]
    more = {"compare": ["--all-pairs"], "slices": ["--by", "length"]}.get(command, [])
    text = run(command, *call, *ratings, *more)
    assert "ratings are adjusted for judges" in text.err
    assert "raw mean ratings: first" in text.err
    assert "Not comparable" not in text.err
    chosen = run(command, *call, *ratings, *more, "--adjust-judges")
    assert chosen.out == text.out
    report = run(command, *call, *ratings, *more, "--format", "json").json
    assert [found["warning"] for found in report["assessment"]["obstructions"]] == ["confounded-judges"]
    adjusted = report["by_adjusted_ratings"]
    assert adjusted["assessment"]["status"] == "comparable"
    assert adjusted == run(command, *call, *ratings, *more, "--adjust-judges", "--format", "json").json


@pytest.mark.parametrize("command", ["compare", "slices", "blocks"])
def test_raw_ratings_of_confounded_judges_leave_no_p_and_no_tiers(
    command: str, run: Runner, call: list[str], tmp_path: Path
) -> None:
    ratings = [*human(tmp_path, rating_rows(confounded=True)), "--metric", "human", "--format", "json"]
    more = {"compare": ["--all-pairs"], "slices": ["--by", "length"], "blocks": []}[command]
    report = run(command, *call, *ratings, *more).json
    pairs = report["pairs"] if command != "slices" else [p for part in report["slices"] for p in part["pairs"]]
    assert pairs
    assert all(pair["p_value"] is None and pair["reason"] == CONFOUNDED for pair in pairs)
    if command == "compare":
        assert "tiers" not in report
        assert {pair["verdict"] for pair in pairs} == {"not comparable"}
        assert report["by_adjusted_ratings"]["tiers"]


def test_the_gate_has_one_outcome_for_confounded_judges_in_all_formats(
    run: Runner, call: list[str], tmp_path: Path
) -> None:
    ratings = [*human(tmp_path, rating_rows(confounded=True)), "--metric", "human", "--margin", "1"]
    answer = run("gate", *call[:2], *call[3:5], *ratings)
    assert answer.status == 0
    assert "adjusted for judges" in answer.err
    assert answer.out == run("gate", *call[:2], *call[3:5], *ratings, "--adjust-judges").out
    report = run("gate", *call[:2], *call[3:5], *ratings, "--format", "json").json
    assert report["assessment"]["status"] == "comparable"
    assert report["verdict"] == "inconclusive"
    assert "by_adjusted_ratings" not in report


def test_human_is_one_of_several_metrics(run: Runner, call: list[str], tmp_path: Path) -> None:
    rows = rating_rows()
    answer = run("score", *call, *human(tmp_path, rows), "--metric", "bleu", "--metric", "human", "--format", "json")
    assert [metric["metric"] for metric in answer.json["metrics"]] == ["bleu", "human"]
    first = answer.json["systems"][0]
    assert first["scores"]["human"] == pytest.approx(of_system(rows, "first").mean())


def test_a_slice_by_ratings_needs_a_file_of_them(run: Runner, call: list[str], tmp_path: Path) -> None:
    answer = run("score", *call, "--slice", "ratings >= 1")
    assert answer.status == 2
    assert "no ratings are read; name a file of ratings with --human" in answer.err
    assert run("score", *call, "--slice", "ratings >= 1", *human(tmp_path, rating_rows())).status == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--metric", "human"], "argument --metric: human found, but there are no ratings; add a file with --human"),
        (["--adjust-judges"], "argument --adjust-judges: no ratings are used; add --metric human"),
    ],
)
def test_missing_ratings_are_asked_for(options: list[str], message: str, run: Runner, call: list[str]) -> None:
    answer = run("score", *call, *options)
    assert (answer.status, answer.out) == (2, "")
    assert message in answer.err


def test_ratings_of_whole_systems_are_no_metric(run: Runner, call: list[str], tmp_path: Path) -> None:
    path = tmp_path / "whole.csv"
    path.write_text("system,judge,score\n" + "".join(f"{name},j,{level}\n" for name, level in LEVELS.items()), "utf-8")
    answer = run("score", *call, "--human", str(path), "--metric", "human")
    assert answer.status == 2
    assert "scores of whole systems only, scores of segments expected" in answer.err
