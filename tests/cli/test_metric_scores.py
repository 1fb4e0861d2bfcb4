"""Segment scores in files as the metric of a command: COMET as JSON, MetricX as JSON lines, and tables."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import Runner

SEGMENTS = 60
SYSTEMS = ("first", "second", "third")


@pytest.fixture
def scores() -> dict[str, list[float]]:
    generator = np.random.default_rng(3)
    difficulty = generator.normal(0, 0.05, SEGMENTS)
    return {
        name: (level + difficulty + generator.normal(0, 0.04, SEGMENTS)).round(6).tolist()
        for name, level in zip(SYSTEMS, (0.70, 0.78, 0.74), strict=True)
    }


@pytest.fixture
def call(tmp_path: Path) -> list[str]:
    reference = [f"the sentence number {s} of the text" for s in range(SEGMENTS)]
    paths: list[str] = []
    for name in ("ref", *SYSTEMS):
        path = tmp_path / f"{name}.txt"
        path.write_text("\n".join(f"{line} {name}" for line in reference) + "\n", encoding="utf-8")
        paths.append(str(path))
    return ["--ref", *paths]


def comet(folder: Path, scores: dict[str, list[float]]) -> list[str]:
    """Write the JSON of comet-score: system -> segments with COMET."""
    path = folder / "comet.json"
    content = {
        f"{name}.txt": [{"src": "s", "mt": "", "ref": "r", "COMET": value} for value in values]
        for name, values in scores.items()
    }
    path.write_text(json.dumps(content), encoding="utf-8")
    return ["--metric-scores", str(path)]


def metricx(folder: Path, scores: dict[str, list[float]]) -> list[str]:
    """Write the JSON lines of MetricX, a file per system; lower is better."""
    options: list[str] = []
    for name, values in scores.items():
        path = folder / f"{name}.jsonl"
        rows = [{"source": "s", "hypothesis": "", "reference": "r", "prediction": value} for value in values]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        options += ["--metric-scores", str(path)]
    return options


def table(folder: Path, scores: dict[str, list[float]], *, name: str = "judge") -> list[str]:
    path = folder / f"{name}.csv"
    rows = [f"{system},{s},{name},{value}" for system, values in scores.items() for s, value in enumerate(values, 1)]
    path.write_text("\n".join(["system,segment,metric,score", *rows]) + "\n", encoding="utf-8")
    return ["--metric-scores", str(path)]


Writer = Callable[[Path, dict[str, list[float]]], list[str]]


@pytest.mark.parametrize("write", [comet, metricx, table])
def test_all_commands_use_the_scores_of_the_file(
    write: Writer, run: Runner, call: list[str], scores: dict[str, list[float]], tmp_path: Path
) -> None:
    given = write(tmp_path, scores)
    means = {name: float(np.mean(values)) for name, values in scores.items()}
    report = run("score", *given, *call, "--intervals", "--format", "json").json
    assert {row["system"]: row["score"] for row in report["systems"]} == pytest.approx(means)
    assert report["signature"].startswith(f"{report['metric']}|scores:")
    lower = report["signature"].endswith("better:lower")
    assert lower == (write is metricx)
    for row in report["systems"]:
        assert row["score_low"] < row["score"] < row["score_high"]
    order = sorted(means, key=means.__getitem__, reverse=not lower)
    compared = run("compare", *given, *call, "--all-pairs", "--format", "json").json
    assert [name for tier in compared["tiers"] for name in tier] == order
    assert compared["pairs"][0]["delta"] == pytest.approx(means[order[0]] - means[order[1]])
    blocks = run("blocks", *given, *call, "--blocks", "6", "--format", "json").json
    assert [row["system"] for row in blocks["systems"]] == order[::-1]
    assert blocks["systems"][0]["mean"] == pytest.approx(means[order[-1]])
    slices = run("slices", *given, *call, "--by", "length", "--format", "json")
    assert slices.status == 0, slices.err
    two = write(tmp_path, {name: scores[name] for name in SYSTEMS[:2]})
    gate = run("gate", *two, *call[:4], "--margin", "0.01", "--format", "json")
    assert gate.status == (1 if lower else 0)
    assert json.loads(gate.out)["delta"] == pytest.approx(means["second"] - means["first"])


def test_scores_for_people_have_the_decimals_of_their_scale(
    run: Runner, call: list[str], scores: dict[str, list[float]], tmp_path: Path
) -> None:
    given = comet(tmp_path, scores)
    shown = run("score", *given, *call).out
    assert f"{np.mean(scores['first']):.4f}" in shown
    compared = run("compare", *given, *call).out
    assert f"{np.mean(scores['second']) - np.mean(scores['first']):+.4f}" in compared
    assert f"({np.mean(scores['second']):.4f} COMET)" in run("compare", *given, *call, "--all-pairs").out
    large = table(tmp_path, {name: [100 * v for v in values] for name, values in scores.items()})
    assert f"{100 * np.mean(scores['first']):.2f}\n" in run("score", *large, *call).out


def test_gaps_are_counted_and_pairs_compared_on_common_segments(
    run: Runner, call: list[str], scores: dict[str, list[float]], tmp_path: Path
) -> None:
    path = tmp_path / "gaps.csv"
    rows = [
        f"{n},{s},M,{v}" for n, values in scores.items() for s, v in enumerate(values, 1) if n != "second" or s > 15
    ]
    path.write_text("\n".join(["system,segment,metric,score", *rows]) + "\n", encoding="utf-8")
    given = ["--metric-scores", str(path)]
    report = run("score", *given, *call, "--format", "json").json
    assert [row.get("scored_segments") for row in report["systems"]] == [60, 45, 60]
    assert report["systems"][1]["score"] == pytest.approx(np.mean(scores["second"][15:]))
    compared = run("compare", *given, *call, "--format", "json").json
    second, third = compared["pairs"]
    assert second["delta"] == pytest.approx(np.mean(scores["second"][15:]) - np.mean(scores["first"][15:]))
    assert third["delta"] == pytest.approx(np.mean(scores["third"]) - np.mean(scores["first"]))
    assert any("compared on the segments that both have (45 to 60 of 60)" in text for text in compared["warnings"])


def test_a_call_must_name_one_of_several_metrics(
    run: Runner, call: list[str], scores: dict[str, list[float]], tmp_path: Path
) -> None:
    given = [*comet(tmp_path, scores), *table(tmp_path, scores, name="BLEU")]
    error = run("blocks", *given, *call)
    assert error.status == 2
    assert "argument --metric: name one of the metrics of the files (COMET, BLEU (uploaded))" in error.err
    assert run("blocks", *given, *call, "--metric", "COMET", "--format", "json").json["metric"] == "COMET"
    named = run("blocks", *given, *call, "--metric", "BLEU (uploaded)", "--format", "json").json
    assert named["metric"] == "BLEU (uploaded)"
    computed = run("blocks", *given, *call, "--metric", "bleu", "--format", "json").json
    assert computed["metric"] == "bleu"
    unknown = run("blocks", *given, *call, "--metric", "MetricX")
    assert "metric 'MetricX' found, one of bleu, " in unknown.err
    assert "the metrics of the files are COMET, BLEU (uploaded)" in unknown.err


def test_a_gate_needs_a_margin_on_the_scale_of_the_file(
    run: Runner, call: list[str], scores: dict[str, list[float]], tmp_path: Path
) -> None:
    error = run("gate", *comet(tmp_path, scores), *call[:4])
    assert error.status == 2
    assert "argument --margin: needed for COMET, whose scale is that of its file" in error.err
    assert run("gate", *call[:4], "--format", "json").json["margin"] == 0.3


def test_rankings_by_reference_take_no_scores_of_files(
    run: Runner, call: list[str], scores: dict[str, list[float]], tmp_path: Path
) -> None:
    for metric in ([], ["--metric", "COMET"]):
        error = run("references", *comet(tmp_path, scores), *call, *metric)
        assert error.status == 2
        assert "argument --metric-scores: the scores in files are of one set of references" in error.err


def test_several_metrics_are_one_table(
    run: Runner, call: list[str], scores: dict[str, list[float]], tmp_path: Path
) -> None:
    given = [*comet(tmp_path, scores), *table(tmp_path, scores, name="judge")]
    several = ["--metric", "bleu", "--metric", "ter", *given]
    report = run("score", *several, *call, "--intervals", "--format", "json").json
    assert [metric["metric"] for metric in report["metrics"]] == ["bleu", "ter", "COMET", "judge"]
    assert [metric["higher_is_better"] for metric in report["metrics"]] == [True, False, True, True]
    for metric in report["metrics"]:
        key = metric["metric"]
        named = given if key in ("COMET", "judge") else []
        alone = run("score", "--metric", key, *named, *call, "--intervals", "--format", "json").json
        assert alone["metrics"] == [metric]
        assert metric["signature"] == alone["signature"]
        field = "bleu" if key == "bleu" else "score"
        for row, other in zip(report["systems"], alone["systems"], strict=True):
            assert row["scores"][key] == other[field] == other["scores"][key]
            assert row["intervals"][key]["low"] == other[f"{field}_low"]
            assert row["intervals"][key]["high"] == other[f"{field}_high"]
    assert "precisions" not in report["systems"][0]
    shown = run("score", *several, *call).out.splitlines()
    assert shown[0].split() == ["system", "BLEU", "TER", "COMET", "judge"]
    assert [line.split(": ")[0] for line in shown[-4:]] == ["BLEU", "TER", "COMET", "judge"]
    latex = run("score", *several, *call, "--format", "latex").out
    assert r"\textbf{" in latex
    for metric in report["metrics"]:
        assert metric["signature"].split("|")[-1] in latex


def test_only_the_named_metrics_of_a_file_are_used(
    run: Runner, call: list[str], scores: dict[str, list[float]], tmp_path: Path
) -> None:
    given = [*comet(tmp_path, scores), *table(tmp_path, scores, name="judge")]
    report = run("score", "--metric", "bleu", "--metric", "judge", *given, *call, "--format", "json").json
    assert [metric["metric"] for metric in report["metrics"]] == ["bleu", "judge"]
    of_files = run("score", *given, *call, "--format", "json").json
    assert [metric["metric"] for metric in of_files["metrics"]] == ["COMET", "judge"]
