"""Figures and reports by a metric whose segment scores are in a file: their numbers are those of `bleu-core`."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calls import assert_refused
from conftest import Runner

import sample_data

SYSTEMS = sample_data.systems()[:3]
NAMES = [path.stem for path in SYSTEMS]
TEXTS = ["--ref", *map(str, sample_data.references()[:1]), *map(str, SYSTEMS)]
SEGMENTS = len(SYSTEMS[0].read_text(encoding="utf-8").split("\n")) - 1


@pytest.fixture
def given(tmp_path: Path) -> list[str]:
    """Segment scores by COMET and MetricX, whose lower scores are better, and scores of whole systems by W."""
    generator = np.random.default_rng(2)
    levels = {"COMET": (0.70, 0.75, 0.80), "MetricX": (4.0, 3.0, 2.0)}
    rows = [
        f"{name},{s},{metric},{level + generator.normal(0, 0.2 * level):.6f}"
        for metric, of_systems in levels.items()
        for name, level in zip(NAMES, of_systems, strict=True)
        for s in range(1, SEGMENTS + 1)
    ]
    (tmp_path / "scores.csv").write_text("\n".join(["system,segment,metric,score", *rows]) + "\n", encoding="utf-8")
    whole = "".join(f"{name},W,{k}\n" for k, name in enumerate(NAMES))
    (tmp_path / "whole.csv").write_text("system,metric,score\n" + whole, encoding="utf-8")
    files = ["--metric-scores", str(tmp_path / "scores.csv"), "--metric-scores", str(tmp_path / "whole.csv")]
    return [*files, "--lower-is-better", "MetricX", *TEXTS]


@pytest.fixture
def numbers(run: Runner, given: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """The rows of the table of a figure; the figure is made, and not written as a file."""
    monkeypatch.setattr("dashboard.export.figure_file", lambda *_: b"")

    def rows(name: str, *options: str) -> list[dict[str, str]]:
        call = ["figure", name, *given, "--out", str(tmp_path / "a.svg"), "--force", "--format", "tsv", *options]
        result = run(*call)
        assert result.status == 0, result.err
        return list(csv.DictReader(io.StringIO(result.out), delimiter="\t"))

    return rows


@pytest.mark.parametrize("metric", ["COMET", "MetricX"])
def test_figures_have_the_numbers_of_the_commands(
    run: Runner, given: list[str], numbers: Callable[..., Any], metric: str
) -> None:
    scores = run("score", *given, "--metric", metric, "--intervals", "--format", "json").json["systems"]
    for row in numbers("scores", "--metric", metric):
        expected = next(system for system in scores if system["system"] == row["system"])
        for key in ("score", "score_low", "score_high"):
            assert float(row[key]) == pytest.approx(expected[key])
    call = ["compare", *given, "--metric", metric, "--all-pairs", "--resamples", "300"]
    compared = run(*call, "--format", "json").json
    tiers = {row["system"]: int(row["tier"]) for row in numbers("score-intervals", "--metric", metric)}
    assert tiers == {name: n for n, tier in enumerate(compared["tiers"], start=1) for name in tier}
    blocks = numbers("blocks", "--metric", metric, "--blocks", "4")
    assert len(blocks) == 4 * len(NAMES)
    by_block = run("blocks", *given, "--metric", metric, "--blocks", "4", "--format", "json").json["systems"]
    for system in by_block:
        shown = [float(row["score"]) for row in blocks if row["system"] == system["system"]]
        assert shown == pytest.approx(system["scores"])


def test_without_a_metric_figures_are_of_bleu(run: Runner, numbers: Callable[..., Any]) -> None:
    scores = run("score", *TEXTS, "--format", "json").json["systems"]
    expected = {system["system"]: system["bleu"] for system in scores}
    assert {row["system"]: float(row["bleu"]) for row in numbers("scores")} == pytest.approx(expected)


def test_a_report_is_by_the_metric_of_the_file(run: Runner, given: list[str], tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    call = ["report", *given, "--metric", "COMET", "--out", str(out), "--format", "json"]
    report = run(*call).json
    assert report["metric"] == "COMET"
    assert report["signature"].startswith("COMET|scores:")
    assert {"scores", "blocks", "significance", "method"} <= set(report["parts"])
    text = out.read_text("utf-8")
    assert report["signature"] in text
    score = run("score", *given, "--metric", "COMET", "--format", "json").json["systems"][-1]["score"]
    assert "mean of the segment scores in scores.csv." in text
    assert str(tmp_path) not in text
    assert f"({score:.4f} COMET)" in text  # four decimals, as on the scale of COMET


def test_what_has_no_figure_by_a_file_gives_the_reason(run: Runner, given: list[str], tmp_path: Path) -> None:
    out = ["--out", str(tmp_path / "a.svg")]
    second = ["--ref", str(sample_data.references()[1])]
    answer = run("figure", "reference-ranks", *given, *second, *out, "--metric", "COMET")
    assert_refused(answer, "the scores of COMET are from a file, of one set of references; choose a metric that is")
    answer = run("figure", "causes", *given, *out, "--metric", "COMET")
    assert_refused(answer, "only a BLEU difference can be decomposed; choose the metric bleu")
    answer = run("figure", "scores", *given, *out, "--metric", "BLEURT")
    assert_refused(answer, "argument --metric: metric 'BLEURT' found", "the metrics of the files are COMET, MetricX, W")
    answer = run("figure", "scores", *given, *out, "--metric", "W")
    assert_refused(
        answer, "argument --metric: the file has scores of whole systems only by W, scores of segments expected"
    )
    assert not Path(out[1]).exists()
