"""`bleu-core correlate --metric`: which metrics are compared, and which of them is the first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calls import assert_refused
from conftest import Runner
from scipy import stats

SEGMENTS = 40
SYSTEMS = ("A", "B", "C", "D", "E")


@pytest.fixture
def call(tmp_path: Path) -> list[str]:
    """A reference, five systems, ratings of their segments, and scores by two metrics; lower MetricX is better."""
    generator = np.random.default_rng(11)
    paths: list[str] = []
    tables: dict[str, list[str]] = {"scores": ["system,segment,metric,score"], "human": ["system,segment,score"]}
    for number, name in enumerate(("ref", *SYSTEMS)):
        words = [["the", "cat", "sat", "on", "the", f"mat {s}"] for s in range(SEGMENTS)]
        for s, segment in enumerate(words, start=1):
            for place in range(6):
                if generator.random() < 0.1 * number:
                    segment[place] = "x"
            if name != "ref":
                quality = -0.1 * number + generator.normal(0, 0.1)
                tables["human"].append(f"{name},{s},{quality + generator.normal(0, 0.3):.4f}")
                tables["scores"].append(f"{name},{s},COMET,{quality + generator.normal(0, 0.1):.4f}")
                tables["scores"].append(f"{name},{s},MetricX,{-10 * quality + generator.normal(0, 2):.4f}")
        path = tmp_path / f"{name}.txt"
        path.write_text("".join(" ".join(segment) + "\n" for segment in words), encoding="utf-8")
        paths.append(str(path))
    for name, rows in tables.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return ["correlate", "--ref", *paths, "--human", str(tmp_path / "human.csv"), "--trials", "50", "--format", "json"]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    return ["--metric-scores", str(tmp_path / "scores.csv"), "--lower-is-better", "MetricX"]


def names(report: Any) -> list[str]:
    """The metrics of a report, the first one first."""
    (first,) = set(report["systems"][0]["scores"]) - {m["metric"] for m in report.get("metrics", ())}
    return [first, *(metric["metric"] for metric in report.get("metrics", ()))]


@pytest.mark.parametrize(
    ("named", "of_files", "expected"),
    [
        ((), False, ["BLEU"]),
        ((), True, ["BLEU", "COMET", "MetricX"]),
        (("chrf2",), False, ["chrF2"]),
        (("chrf2",), True, ["chrF2", "COMET", "MetricX"]),
        (("COMET",), True, ["COMET"]),
        (("MetricX", "bleu"), True, ["MetricX", "BLEU"]),
        (("bleu", "BLEU-2", "TER"), False, ["BLEU", "BLEU-2", "TER"]),
    ],
)
def test_the_first_named_metric_is_the_first(
    run: Runner, call: list[str], files: list[str], *, named: tuple[str, ...], of_files: bool, expected: list[str]
) -> None:
    options = [part for name in named for part in ("--metric", name)] + (files if of_files else [])
    report = run(*call, *options).json
    assert names(report) == expected
    ranked = [m["metric"] for m in report["ranking"]["metrics"]] if len(expected) > 1 else expected
    assert sorted(ranked) == sorted(expected)
    segments = run(*call, *options, "--level", "segment").json
    assert [metric["metric"] for metric in segments["metrics"]] == expected
    assert list(dict.fromkeys(row["metric"] for row in segments["correlations"])) == expected


def test_a_metric_of_a_file_can_stand_for_bleu(run: Runner, call: list[str], files: list[str]) -> None:
    """All numbers of the first metric are those that it has among the others, and SciPy's."""
    first = run(*call, *files, "--metric", "MetricX").json
    (other,) = run(*call, *files, "--metric", "bleu", "--metric", "MetricX").json["metrics"]
    assert first["metric"] == "MetricX"
    scored = run("score", *call[1:-6], *files, "--metric", "MetricX", "--format", "json").json
    assert first["signature"] == other["signature"] == scored["signature"]
    assert first["lower_is_better"] == ["MetricX"]
    assert "metrics" not in first
    for key in ("pearson", "spearman", "kendall", "pairwise_accuracy", "soft_pairwise_accuracy", "leave_one_out"):
        assert first[key] == other[key]
    scores, human = ([row[key] for row in first["systems"]] for key in ("score", "human"))
    assert first["pearson"]["coefficient"] == pytest.approx(-stats.pearsonr(scores, human).statistic)
    assert first["regression"]["slope"] == pytest.approx(stats.linregress(scores, human).slope)
    assert all(row["scores"] == {"MetricX": row["score"]} for row in first["systems"])


def test_metrics_are_ranked_by_soft_pairwise_accuracy(run: Runner, call: list[str], files: list[str]) -> None:
    report = run(*call, *files, "--method", "spa").json
    of_metrics = {m["metric"]: m["soft_pairwise_accuracy"]["value"] for m in report["metrics"]}
    of_metrics["BLEU"] = report["soft_pairwise_accuracy"]["value"]
    assert report["ranking"]["method"] == "spa"
    assert {m["metric"]: m["coefficient"] for m in report["ranking"]["metrics"]} == of_metrics
    rows = {name: f"{name} soft pairwise accuracy {value:.3f} 10" for name, value in of_metrics.items()}
    table = run(*call[:-1], "table", *files, "--method", "spa").out
    lines = [" ".join(line.split()) for line in table.splitlines()]
    assert set(rows.values()) <= set(lines)
    assert any(line.startswith("rank metric spa corrected p to best") for line in lines)
    for written in ("tsv", "latex"):
        output = run(*call[:-1], written, *files).out
        assert output.count("soft pairwise accuracy") == len(of_metrics)


def test_all_metrics_have_their_scores_signatures_and_directions(
    run: Runner, call: list[str], files: list[str]
) -> None:
    report = run(*call, *files, "--metric", "ter", "--metric", "bleu", "--metric", "MetricX").json
    assert report["metric"] == "ter"
    assert report["signature"].startswith("nrefs:1|case:lc|tok:tercom")
    assert {m["metric"]: m["higher_is_better"] for m in report["metrics"]} == {"BLEU": True, "MetricX": False}
    for metric in report["metrics"]:
        for row, whole in zip(metric["systems"], report["systems"], strict=True):
            assert whole["scores"][metric["metric"]] == row["score"]
            assert whole["scores"]["TER"] == whole["score"]


def test_the_former_option_adds_bleu_and_says_how_it_is_called(run: Runner, call: list[str], files: list[str]) -> None:
    former = run(*call, "--also", "chrF2", *files)
    assert "note: --also is now called --metric" in former.err
    assert "works until version 0.4" in former.err
    named = ["bleu", "COMET", "MetricX", "chrF2"]
    current = run(*call, *(part for name in named for part in ("--metric", name)), *files)
    assert "--also" not in current.err
    assert former.json == current.json
    unknown = run(*call, "--also", "BLEU")
    assert unknown.status == 2
    assert "metric 'BLEU' found, expected one of" in unknown.err


def test_a_computed_metric_and_one_of_a_file_can_have_one_name(run: Runner, call: list[str], tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text((tmp_path / "scores.csv").read_text(encoding="utf-8").replace("COMET", "chrF2"), encoding="utf-8")
    options = ["--metric-scores", str(path), "--lower-is-better", "MetricX"]
    assert names(run(*call, *options).json) == ["BLEU", "chrF2", "MetricX"]
    both = run(*call, *options, "--metric", "chrf2", "--metric", "chrF2 (uploaded)").json
    assert names(both) == ["chrF2", "chrF2 (uploaded)"]
    assert both["signature"].startswith("nrefs:")
    (uploaded,) = run(*call, *options, "--metric", "bleu", "--metric", "chrF2 (uploaded)").json["metrics"]
    assert uploaded["systems"] == both["metrics"][0]["systems"]


def test_an_unknown_metric_is_answered_by_all_names(run: Runner, call: list[str], files: list[str]) -> None:
    answer = run(*call, *files, "--metric", "BLEURT")
    assert_refused(answer, "metric 'BLEURT' found, expected one of chrF2, ", "COMET, MetricX, BLEU-1")


def test_scores_of_whole_systems_have_no_agreement_by_segment(run: Runner, call: list[str], tmp_path: Path) -> None:
    path = tmp_path / "whole.csv"
    path.write_text("system,metric,score\n" + "".join(f"{n},W,{k}\n" for k, n in enumerate(SYSTEMS)), encoding="utf-8")
    options = ["--metric-scores", str(path), "--metric", "W"]
    assert run(*call, *options).json["pearson"]["coefficient"] == pytest.approx(-1, abs=0.2)
    answer = run(*call, *options, "--level", "segment")
    assert_refused(answer, "whole.csv: W: scores of whole systems found, scores of segments expected")
    both = run(*call, *options, "--metric", "bleu", "--level", "segment").json
    assert [row["metric"] for row in both["left_out"]] == ["W"]
    assert both["metric"] == "bleu"


def test_a_system_without_a_score_by_a_metric_has_the_reason(run: Runner, call: list[str], tmp_path: Path) -> None:
    path = tmp_path / "some.csv"
    path.write_text("system,metric,score\n" + "".join(f"{n},W,{k}\n" for k, n in enumerate("ABCD")), encoding="utf-8")
    report = run(*call, "--metric-scores", str(path)).json
    assert [row["scores"]["W"] for row in report["systems"]] == [0, 1, 2, 3, None]
    assert [row.get("reason") for row in report["systems"]] == [None] * 4 + ["no score by W"]
    first = run(*call, "--metric-scores", str(path), "--metric", "W", "--metric", "bleu").json
    assert [row["system"] for row in first["systems"]] == ["A", "B", "C", "D"]
    assert first["excluded"][-1] == {"system": "E", "reason": "has ratings, but no score by W"}
