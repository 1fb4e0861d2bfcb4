"""Systems that were optimised for a metric: not ranked by it, and ranked by all others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from calls import arguments, assert_refused
from conftest import Runner, Writer

import sample_data

SYSTEMS = [str(path) for path in sample_data.systems()]
CORRELATE = ["correlate", "--ref", str(sample_data.references()[0]), "--human", str(sample_data.JUDGMENTS)]


def marked(name: str, metric: str) -> list[dict[str, str]]:
    return [{"system": name, "reason": f"optimised for {metric}", "metric": metric}]


def test_score_scores_a_marked_system_and_says_that_it_is_not_ranked(run: Runner, corpus: dict[str, Path]) -> None:
    plain = run(*arguments("score", corpus), "--format", "json").json
    result = run(*arguments("score", corpus), "--optimised", "better=BLEU", "--format", "json")
    assert result.json["systems"] == plain["systems"]
    assert result.json["not_ranked"] == marked("better", "BLEU")
    note = "systems that are not ranked by the metric they were optimised for: better (optimised for BLEU)"
    assert result.json["warnings"] == [note]
    assert note in result.err


@pytest.mark.parametrize("name", ["bleu", "BLEU", "Bleu"])
def test_compare_leaves_a_marked_system_out_of_that_metric_only(
    name: str, run: Runner, corpus: dict[str, Path]
) -> None:
    call = [*arguments("compare", corpus), "--all-pairs", "--optimised", f"better={name}", "--format", "json"]
    by_bleu = run(*call).json
    assert {(pair["system"], pair["baseline"]) for pair in by_bleu["pairs"]} in (
        {("third", "worse")},
        {("worse", "third")},
    )
    assert by_bleu["not_ranked"] == marked("better", name)
    by_chrf = run(*call, "--metric", "chrf2").json
    assert len(by_chrf["pairs"]) == 3
    assert "not_ranked" not in by_chrf
    assert f"--optimised better={name} has no effect: not a metric of this call" in by_chrf["warnings"]


def test_a_marked_system_changes_no_other_pair_but_in_the_correction(run: Runner) -> None:
    call = ["compare", "--ref", str(sample_data.references()[0]), *SYSTEMS, "--all-pairs", "--format", "json"]
    of_pair = {frozenset((p["system"], p["baseline"])): p for p in run(*call).json["pairs"]}
    (pair,) = (
        p for p in run(*call, "--optimised", "S1=bleu").json["pairs"] if {p["system"], p["baseline"]} == {"S2", "S3"}
    )
    same = of_pair[frozenset(("S2", "S3"))]
    of_family = {"p_value_adjusted", "family"}
    assert {key: pair[key] for key in pair.keys() - of_family} == {key: same[key] for key in pair.keys() - of_family}


def test_a_marked_baseline_and_a_marked_unknown_system_are_refused(run: Runner, corpus: dict[str, Path]) -> None:
    call = arguments("compare", corpus)
    assert_refused(
        run(*call, "--baseline", "better", "--optimised", "better=BLEU"),
        "better is not ranked by BLEU (optimised for it)",
    )
    assert_refused(
        run(*call, "--optimised", "nobody=BLEU"), "system 'nobody' found, one of better, worse, third expected"
    )
    assert_refused(run(*call, "--optimised", "better"), "SYSTEM=METRIC expected")
    everyone = [part for name in ("better", "worse", "third") for part in ("--optimised", f"{name}=BLEU")]
    assert_refused(run(*call, *everyone), "no system to rank by BLEU found")


def test_correlate_leaves_a_marked_system_out_of_the_agreement_of_that_metric_only(run: Runner) -> None:
    call = [*CORRELATE, "--include-human", "H2", "--include-human", "H1", "--also", "chrF2", "--format", "json"]
    plain = run(*call, *SYSTEMS).json
    result = run(*call, "--optimised", "S1=chrf2", *SYSTEMS).json
    assert [row["system"] for row in result["systems"]] == [row["system"] for row in plain["systems"]]
    assert result["pearson"] == plain["pearson"]  # of BLEU
    (chrf,), (full,) = result["metrics"], plain["metrics"]
    rest = [row for row in full["systems"] if row["system"] != "S1"]
    assert chrf["systems"] == rest
    expected = np.corrcoef([row["score"] for row in rest], [row["human"] for row in rest])[0, 1]
    assert chrf["pearson"]["coefficient"] == pytest.approx(expected)
    assert result["ranking"]["entries"] == plain["ranking"]["entries"] - 1  # metrics are ranked on shared systems
    assert result["not_ranked"][-1:] == marked("S1", "chrf2")


def test_correlate_leaves_a_system_optimised_for_bleu_out_of_bleu_only(run: Runner) -> None:
    call = [*CORRELATE, "--include-human", "H2", "--include-human", "H1", "--also", "chrF2", "--format", "json"]
    plain = run(*call, *SYSTEMS).json
    result = run(*call, "--optimised", "S2=BLEU", *SYSTEMS).json
    assert "S2" not in [row["system"] for row in result["systems"]]
    assert {"system": "S2", "reason": "optimised for BLEU"} in result["excluded"]
    assert result["metrics"] == plain["metrics"]


def test_over_segments_the_scores_of_a_marked_system_are_not_used_by_that_metric(run: Runner) -> None:
    call = [*CORRELATE, "--level", "segment", "--also", "chrF2", "--trials", "20", "--format", "json"]
    plain, result = run(*call, *SYSTEMS).json, run(*call, "--optimised", "S1=chrF2", *SYSTEMS).json

    def entries(report: dict[str, list[dict[str, object]]], metric: str) -> set[object]:
        return {row["entries"] for row in report["correlations"] if row["metric"] == metric}

    assert entries(result, "BLEU") == entries(plain, "BLEU")
    (fewer,), (all_entries,) = entries(result, "chrF2"), entries(plain, "chrF2")
    assert isinstance(fewer, int)
    assert isinstance(all_entries, int)
    assert fewer == all_entries * (len(plain["systems"]) - 1) / len(plain["systems"])


@pytest.mark.parametrize("command", ["blocks", "slices", "references"])
def test_other_comparisons_leave_a_marked_system_out_of_that_metric_only(
    command: str, run: Runner, corpus: dict[str, Path]
) -> None:
    call = [*arguments(command, corpus), "--format", "json"]
    others = [part for part in call if part != corpus["better"]]
    result = run(*call, "--optimised", "better=Bleu")
    assert result.json["not_ranked"] == marked("better", "Bleu")
    assert "better (optimised for Bleu)" in result.err
    alone = run(*others).json
    own_keys = {"not_ranked", "warnings", "left_out"}
    assert {k: v for k, v in result.json.items() if k not in own_keys} == {
        k: v for k, v in alone.items() if k not in own_keys
    }
    by_chrf = run(*call, "--metric", "chrf2", "--optimised", "better=BLEU")
    assert "not_ranked" not in by_chrf.json
    assert "--optimised better=BLEU has no effect: not a metric of this call" in by_chrf.err


@pytest.mark.parametrize("command", ["slices", "references", "blocks", "compare"])
def test_the_error_for_too_few_systems_names_the_marked_ones(
    command: str, run: Runner, corpus: dict[str, Path]
) -> None:
    names = ("better", "worse", "third") if command == "blocks" else ("better", "worse")
    marks = [part for name in names for part in ("--optimised", f"{name}=BLEU")]
    assert_refused(run(*arguments(command, corpus), *marks), "worse", "optimised for BLEU")


def test_the_gate_refuses_a_system_that_was_optimised_for_its_metric(run: Runner, longer: dict[str, Path]) -> None:
    call = arguments("gate", longer)
    message = "scores by BLEU must not be read as quality; name another metric by --metric, or remove the mark"
    assert_refused(run(*call, "--optimised", "worse=bleu"), f"worse was optimised for BLEU, so its {message}")
    both = ["--optimised", "worse=bleu", "--optimised", "better=BLEU"]
    assert_refused(run(*call, *both), f"better, worse were optimised for BLEU, so their {message}")
    other = run(*call, "--metric", "chrf2", "--optimised", "worse=bleu")
    assert other.status in (0, 1)
    assert other.out == run(*call, "--metric", "chrf2").out
    assert "has no effect" in other.err
    assert_refused(run(*call, "--optimised", "third=bleu"), "system 'third' found, one of better, worse expected")


def test_review_leaves_a_marked_system_out_of_that_metric_only(run: Runner) -> None:
    call = ["review", *CORRELATE[1:], "--metric", "bleu", "--metric", "chrf2", "--acceptable", "2", "--format", "json"]
    plain = run(*call, *SYSTEMS).json
    result = run(*call, "--optimised", "S1=chrF2", *SYSTEMS).json
    assert result["not_ranked"][-1:] == marked("S1", "chrF2")
    (bleu, chrf), (full_bleu, full_chrf) = result["metrics"], plain["metrics"]
    assert bleu == full_bleu
    names = [row["system"] for row in full_chrf["systems"]]
    assert "S1" in names
    assert [row["system"] for row in chrf["systems"]] == [name for name in names if name != "S1"]


def test_figures_and_reports_leave_a_marked_system_out(
    run: Runner, corpus: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.export.figure_file", lambda *_: b"")  # no browser draws them
    files = ["--ref", corpus["ref"], corpus["better"], corpus["worse"], corpus["third"], "--blocks", "3"]
    call = ["figure", "blocks", *files, "--out", tmp_path / "f.svg", "--force"]
    plain, result = run(*call, "--format", "tsv"), run(*call, "--format", "tsv", "--optimised", "better=BLEU")
    assert "better" in plain.out
    assert "worse" in result.out
    assert "better" not in result.out
    note = "systems that are not ranked by the metric they were optimised for: better (optimised for BLEU)"
    assert note in result.err
    assert run(*call, "--format", "json", "--optimised", "better=BLEU").json["not_ranked"] == marked("better", "BLEU")
    assert "better=COMTE has no effect" in run(*call, "--optimised", "better=COMTE").err
    assert_refused(run(*call, "--optimised", "nobody=BLEU"), "system 'nobody' found")
    pair = [
        "figure",
        "influence",
        *files[:-2],
        "--optimised",
        "better=BLEU",
        "--system",
        "better",
        "--out",
        tmp_path / "g.svg",
    ]
    assert_refused(
        run(*pair), "argument --system: better was optimised for BLEU, so its scores by BLEU must not be read"
    )
    assert run(*pair, "--metric", "chrf2").status == 0
    out = tmp_path / "report.html"
    assert run("report", *files, "--optimised", "better=BLEU", "--out", out).status == 0
    assert f"{note[0].upper()}{note[1:]}" in out.read_text("utf-8")


def test_in_latex_the_best_of_several_metrics_is_that_of_the_ranked_systems(
    run: Runner, corpus: dict[str, Path], write: Writer
) -> None:
    human = write("human.txt", corpus["ref"].read_text(encoding="utf-8"))
    call = [*arguments("score", corpus), human, "--metric", "bleu", "--metric", "chrf2", "--format", "latex"]

    def bold(*options: str) -> dict[str, list[bool]]:
        rows = (line.split(" & ") for line in run(*call, *options).out.split("\n") if " & " in line)
        return {name: ["textbf" in cell for cell in cells] for name, *cells in rows}

    plain, marked_better = bold(), bold("--optimised", "better=BLEU")
    assert plain["better"][0]
    assert not marked_better["better"][0]
    for cells_of in (plain, marked_better):
        assert cells_of["human"] == [False, False]
        assert [sum(column) for column in zip(*cells_of.values(), strict=True)] == [1, 1]
