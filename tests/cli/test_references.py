"""`bleu-core references`: its contract, and that its numbers are those of `score` and `correlate`."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from calls import ENVELOPE, FORMATS, SAMPLE, SEGMENTS, assert_refused
from conftest import Runner, Writer

import sample_data

SYSTEMS = ("S1", "S2", "S3")


@pytest.fixture
def files(write: Writer) -> dict[str, Path]:
    """The beginning of the sample data: three systems, two references and the ratings."""
    found = {name: write(f"{name}.txt", "\n".join(SAMPLE[name]) + "\n") for name in SYSTEMS}
    for path in sample_data.references()[:2]:
        lines = path.read_text(encoding="utf-8").split("\n")[:SEGMENTS]
        found[path.stem] = write(f"{path.stem}.txt", "\n".join(lines) + "\n")
    with sample_data.JUDGMENTS.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if int(row["segment"]) <= SEGMENTS and row["system"] in SYSTEMS]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    found["human"] = write("human.csv", text.getvalue())
    return found


def call(files: dict[str, Path], *options: object) -> list[object]:
    """A call with both references."""
    return ["--ref", files["R1"], "--ref", files["R2"], *options, *(files[name] for name in SYSTEMS)]


def references(run: Runner, files: dict[str, Path], *options: object) -> Any:
    """The JSON of `references`."""
    return run("references", *call(files, *options, "--format", "json")).json


def test_json_has_exactly_the_keys_of_the_contract(run: Runner, files: dict[str, Path]) -> None:
    found = references(run, files, "--human", files["human"])
    keys = {"rankings", "pairs", "advantages", "unit", "tests", "alpha", "left_out", "incomplete", "methods"}
    assert set(found) == ENVELOPE | keys
    assert [one["reference"] for one in found["rankings"]] == ["R1", "R2", None]
    for one in found["rankings"]:
        assert set(one) == {"reference", "signature", "systems", "agreement"}
        assert all(set(system) == {"system", "score", "rank"} for system in one["systems"])
        assert sorted(system["rank"] for system in one["systems"]) == [1, 2, 3]
        assert set(one["agreement"]) == {"systems", "pearson", "kendall"}
    assert [(one["reference"], one["other"]) for one in found["pairs"]] == [("R1", "R2"), ("R1", None), ("R2", None)]
    advantage = {"system", "reference", "advantage", "error", "low", "high", "p_value", "p_value_adjusted"}
    assert [set(one) for one in found["advantages"]] == [advantage | {"significant"}] * 6
    assert (found["unit"], found["tests"], found["alpha"]) == ("segment", 3, 0.05)


@pytest.mark.parametrize("metric", ["bleu", "chrf2", "wer"])
def test_scores_are_those_of_score_with_the_same_reference(run: Runner, files: dict[str, Path], metric: str) -> None:
    found = references(run, files, "--metric", metric)
    for one in found["rankings"]:
        used = ["R1", "R2"] if one["reference"] is None else [one["reference"]]
        refs = [part for name in used for part in ("--ref", files[name])]
        scores = run("score", *refs, "--metric", metric, "--format", "json", *(files[s] for s in SYSTEMS)).json
        expected = {each["system"]: each.get("bleu", each.get("score")) for each in scores["systems"]}
        assert {each["system"]: each["score"] for each in one["systems"]} == expected
        assert one["signature"] == scores["signature"]


def test_agreement_is_that_of_correlate_with_the_same_reference(run: Runner, files: dict[str, Path]) -> None:
    found = references(run, files, "--human", files["human"])
    for one in found["rankings"][:2]:
        human = ["--human", files["human"], "--trials", 1]
        correlated = run(
            *("correlate", "--ref", files[one["reference"]], *human, "--format", "json"),
            *(files[name] for name in SYSTEMS),
        ).json
        for coefficient in ("pearson", "kendall"):
            assert one["agreement"][coefficient] == correlated[coefficient]


def test_documents_are_the_unit_of_standard_errors(run: Runner, files: dict[str, Path], write: Writer) -> None:
    documents = write("docs.txt", "".join(f"d{n // 2}\n" for n in range(SEGMENTS)))
    found = references(run, files, "--documents", documents)
    alone = references(run, files)
    assert (found["unit"], alone["unit"]) == ("document", "segment")
    assert [one["advantage"] for one in found["advantages"]] == [one["advantage"] for one in alone["advantages"]]
    assert [one["error"] for one in found["advantages"]] != [one["error"] for one in alone["advantages"]]


def test_every_format_is_printed(run: Runner, files: dict[str, Path]) -> None:
    options = ["--human", files["human"]]
    printed = {form: run("references", *call(files, *options, "--format", form)).out for form in FORMATS}
    for title in ("rank with R2", "Kendall's tau", "reversed pairs", "advantage"):
        assert title in printed["table"]
    assert "infinitesimal jackknife over segments" in printed["table"]
    assert printed["latex"].count("\\begin{tabular}") == 4
    assert "rank_R2" in printed["tsv"]


def test_a_copy_of_a_reference_is_left_out_with_a_note(run: Runner, files: dict[str, Path]) -> None:
    result = run("references", *call(files), files["R2"])
    note = "human translations, which are not ranked: R2 (identical to the reference R2)"
    assert result.err == f"bleu-core references: warning: {note}\n"
    assert "left out" not in result.out


def test_one_reference_is_refused(run: Runner, files: dict[str, Path]) -> None:
    result = run("references", "--ref", files["R1"], *(files[name] for name in SYSTEMS))
    assert_refused(result, "1 reference in use, at least 2 expected; add another reference")


def test_a_level_out_of_range_is_refused(run: Runner, files: dict[str, Path]) -> None:
    assert_refused(run("references", *call(files, "--alpha", 0)), "alpha 0 found, a number between 0 and 1 expected")
