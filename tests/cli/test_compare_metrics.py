"""`bleu-core compare` with several metrics: each as alone, on shared resamples, and where they disagree."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Runner

SEGMENTS = 150
SYSTEMS = ("first", "second", "third")

#: Mean of the scores of each system by two metrics of a file, which order the first two systems differently.
LEVELS = {"COMET": (0.80, 0.70, 0.75), "MetricX": (4.0, 2.0, 3.0)}


@pytest.fixture
def call(tmp_path: Path) -> list[str]:
    """A reference, three systems, and scores by two metrics; lower MetricX is better."""
    generator = np.random.default_rng(5)
    paths: list[str] = []
    for number, name in enumerate(("ref", *SYSTEMS)):
        words = [["the", "cat", "sat", "on", "mat", f"w{s % 7}"] for s in range(SEGMENTS)]
        for segment in words:
            for place in range(6):
                if generator.random() < 0.12 * number:
                    segment[place] = "x"
        path = tmp_path / f"{name}.txt"
        path.write_text("".join(" ".join(segment) + "\n" for segment in words), encoding="utf-8")
        paths.append(str(path))
    rows = [
        f"{system},{s},{metric},{level + generator.normal(0, 0.1 * level):.6f}"
        for metric, levels in LEVELS.items()
        for system, level in zip(SYSTEMS, levels, strict=True)
        for s in range(1, SEGMENTS + 1)
    ]
    scores = tmp_path / "scores.csv"
    scores.write_text("\n".join(["system,segment,metric,score", *rows]) + "\n", encoding="utf-8")
    return ["--ref", *paths, "--metric-scores", str(scores), "--lower-is-better", "MetricX"]


SEVERAL = ["--metric", "bleu", "--metric", "COMET", "--metric", "MetricX", "--resamples", "500"]


def alone(run: Runner, call: list[str], metric: str, *options: str) -> Any:
    """The JSON of the comparison by one metric."""
    given = (
        call[:5] if metric == "bleu" else call
    )  # without the file, all of whose metrics are used unless one is named
    return run("compare", *given, "--metric", metric, "--resamples", "500", *options, "--format", "json").json


@pytest.mark.parametrize("options", [(), ("--all-pairs",), ("--test", "randomization", "--trials", "300")])
def test_each_metric_has_the_numbers_that_it_has_alone(run: Runner, call: list[str], options: tuple[str, ...]) -> None:
    report = run("compare", *call, *SEVERAL, *options, "--format", "json").json
    assert [metric["metric"] for metric in report["metrics"]] == ["bleu", "COMET", "MetricX"]
    assert not {"tiers", "headline"} & set(report)
    for metric in report["metrics"]:
        key = metric["metric"]
        by_one = alone(run, call, key, *options)
        assert by_one["metrics"] == [{name: metric[name] for name in ("metric", "signature", "higher_is_better")}]
        assert metric["headline"] == by_one["headline"]
        assert metric.get("tiers") == by_one.get("tiers")
        pairs = [{k: v for k, v in pair.items() if k != "metric"} for pair in report["pairs"] if pair["metric"] == key]
        assert pairs == by_one["pairs"]
        assert [row["scores"][key] for row in report["systems"]] == [row["score"] for row in by_one["systems"]]
    assert all(set(row) == {"system", "scores"} for row in report["systems"])


def test_metrics_share_their_resamples(run: Runner, call: list[str], tmp_path: Path) -> None:
    """The same scores under a second name, plus a constant, have the same intervals and p-values."""
    rows = list(csv.DictReader((tmp_path / "scores.csv").read_text(encoding="utf-8").splitlines()))
    shifted = [f"{r['system']},{r['segment']},shifted,{float(r['score']) + 1}" for r in rows if r["metric"] == "COMET"]
    path = tmp_path / "shifted.csv"
    path.write_text("\n".join(["system,segment,metric,score", *shifted]) + "\n", encoding="utf-8")
    options = ["--metric", "COMET", "--metric", "shifted", "--metric-scores", str(path), "--resamples", "500"]
    pairs = run("compare", *call, *options, "--format", "json").json["pairs"]
    for pair, other in zip(pairs[:2], pairs[2:], strict=True):
        assert (pair["metric"], other["metric"]) == ("COMET", "shifted")
        for name in ("delta", "low", "high", "p_value", "p_value_adjusted"):
            assert pair[name] == pytest.approx(other[name], abs=1e-9)


def test_pairs_on_which_metrics_disagree_are_named(run: Runner, call: list[str]) -> None:
    report = run("compare", *call, *SEVERAL, "--all-pairs", "--format", "json").json
    verdicts = {
        (pair["metric"], *sorted((pair["system"], pair["baseline"]))): pair["system"]
        for pair in report["pairs"]
        if pair["p_value_adjusted"] < 0.05
    }
    expected = {
        frozenset(pair)
        for pair in (("first", "second"), ("first", "third"), ("second", "third"))
        if len({verdicts[key] for key in verdicts if key[1:] == pair}) == 2
    }
    disagreements = report["disagreements"]
    assert {frozenset((d["system"], d["baseline"])) for d in disagreements} == expected
    first = next(d for d in disagreements if {d["system"], d["baseline"]} == {"first", "second"})
    assert first == {
        "system": "first",
        "baseline": "second",
        "metrics": ["bleu", "COMET"],
        "others": ["MetricX"],
    }
    shown = run("compare", *call, *SEVERAL, "--all-pairs").out
    assert "first is significantly better than second by BLEU, COMET, and significantly worse by MetricX." in shown
    baseline = run("compare", *call, *SEVERAL).out
    assert "significantly worse by MetricX." in baseline


def test_the_output_for_people_has_a_titled_table_for_each_metric(run: Runner, call: list[str]) -> None:
    shown = run("compare", *call, *SEVERAL, "--all-pairs").out
    headings = ["Systems by metric", *(f"Pairs of systems by {name}" for name in ("BLEU", "COMET", "MetricX"))]
    places = [shown.index(f"\n{heading}\n") for heading in headings]
    assert places == sorted(places)
    assert shown.startswith("BLEU: ")
    header = shown[places[0] :].split("Systems by metric\n")[1].strip().splitlines()[0]
    assert header.split() == ["system", "BLEU", "BLEU", "tier", "COMET", "COMET", "tier", "MetricX", "MetricX", "tier"]
    by_two = run("compare", *call, "--metric", "bleu", "--metric", "COMET").out
    assert "Systems by metric" not in by_two
    assert shown.count("Systems were compared by BLEU (") == 1  # in one sentence with the others, tested alike
    tables = run("compare", *call, *SEVERAL, "--format", "tsv").out.split("# Pairs of systems by ")[1:]
    assert [table.partition("\n")[0] for table in tables] == ["BLEU", "COMET", "MetricX"]
    rows = list(csv.DictReader(io.StringIO(tables[1].partition("\n")[2]), delimiter="\t"))
    assert [row["system"] for row in rows if row["system"]] == ["second", "third"]
    latex = run("compare", *call, *SEVERAL, "--all-pairs", "--format", "latex").out
    assert latex.count(r"\begin{table}") == 4
    for metric in run("compare", *call, *SEVERAL, "--format", "json").json["metrics"]:
        assert latex.count(metric["signature"].split("|")[-2]) >= 2  # in the captions of two tables


def test_all_metrics_of_the_files_are_the_default(run: Runner, call: list[str]) -> None:
    report = run("compare", *call, "--format", "json").json
    assert [metric["metric"] for metric in report["metrics"]] == ["COMET", "MetricX"]


def test_reversing_sets_need_one_metric(run: Runner, call: list[str]) -> None:
    for options in (SEVERAL, []):
        error = run("compare", *call, *options, "--reversal")
        assert error.status == 2
        assert "argument --reversal: the segments to remove differ from metric to metric" in error.err
    assert run("compare", *call, "--metric", "COMET", "--reversal").status == 0


def test_warnings_about_one_metric_name_it(run: Runner, call: list[str], tmp_path: Path) -> None:
    lines = (tmp_path / "scores.csv").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if not line.startswith(tuple(f"second,{s},COMET" for s in range(1, 11)))]
    (tmp_path / "scores.csv").write_text("\n".join(kept) + "\n", encoding="utf-8")
    warnings = run("compare", *call, *SEVERAL, "--format", "json").json["warnings"]
    about = [text for text in warnings if "compared on the segments that both have" in text]
    assert len(about) == 1
    assert about[0].startswith("COMET: ")
