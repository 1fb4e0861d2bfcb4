"""`bleu-core probe`: its contract, and that its scores are those of `score`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from calls import ENVELOPE, FORMATS, SAMPLE, SEGMENTS, assert_refused
from conftest import Runner, Writer

from bleu_core.diagnostics import PROBES

SCORE = {"metric", "before", "after", "delta", "before_changed", "after_changed", "delta_changed"}
RESULT = {"probe", "system", "changed", "share", "tokens_before", "tokens_after", "scores", "examples"}


@pytest.fixture
def texts(write: Writer) -> list[object]:
    """A call with two references and two systems, as options."""
    names = ("ref2", "S1", "S3")
    files = {name: write(f"{name}.txt", "\n".join(SAMPLE.get(name, SAMPLE["H1"])) + "\n") for name in names}
    tail = ["He did not go. In 1999 Anna met Paul and Mary.", *SAMPLE["S2"][1:]]
    files["ref1"] = write("ref1.txt", "\n".join(tail) + "\n")
    return ["--ref", files["ref1"], "--ref", files["ref2"], files["S1"], files["S3"]]


def probe(run: Runner, texts: list[object], *options: object) -> Any:
    """The JSON of `probe`."""
    return run("probe", *texts, *options, "--format", "json").json


def test_json_has_exactly_the_keys_of_the_contract(run: Runner, texts: list[object]) -> None:
    found = probe(run, texts)
    assert set(found) == ENVELOPE | {"seed", "language", "probes"}
    assert (found["seed"], found["language"], found["segments"]) == (12345, "en", SEGMENTS)
    assert list(dict.fromkeys(one["probe"] for one in found["probes"])) == list(PROBES)
    for one in found["probes"]:
        extra = {"reorder": {"orders"}, "reference": {"reference"}}.get(one["probe"], set())
        assert set(one) == RESULT | extra | ({"reason"} if not one["changed"] else set())
        assert one["share"] == one["changed"] / SEGMENTS
        assert [set(score) for score in one["scores"]] == [SCORE] * (5 if one["changed"] else 0)
        assert len(one["examples"]) == min(3, one["changed"])
        for example in one["examples"]:
            assert set(example) == {"segment", "before", "after", "reference"} | (
                {"orders"} if one["probe"] == "reorder" else set()
            )
            assert example["before"] != example["after"]


def test_scores_before_are_those_of_score(run: Runner, texts: list[object]) -> None:
    scores = {
        metric: {
            one["system"]: one.get("bleu", one.get("score"))
            for one in run("score", *texts, "--metric", metric, "--format", "json").json["systems"]
        }
        for metric in ("bleu", "chrf2", "wer")
    }
    found = probe(run, texts, *(part for metric in scores for part in ("--metric", metric)))
    for one in found["probes"]:
        for score in one["scores"]:
            if one["probe"] != "reference" and (one["probe"] != "reorder" or score["metric"] == "bleu"):
                assert score["before"] == scores[score["metric"]][one["system"]]


def test_options_choose_probes_metrics_language_seed_and_examples(run: Runner, texts: list[object]) -> None:
    some = ["--probe", "number", "--probe", "reorder", "--metric", "wer", "--examples", 1, "--seed", 7]
    found = probe(run, texts, *some, "--language", "de")
    assert (found["seed"], found["language"]) == (7, "de")
    assert list(dict.fromkeys(one["probe"] for one in found["probes"])) == ["number", "reorder"]
    for one in found["probes"]:
        assert {score["metric"] for score in one["scores"]} <= {"wer"}
        assert len(one["examples"]) <= 1
    assert probe(run, texts, *some, "--language", "de") == found


def test_every_format_is_printed(run: Runner, texts: list[object]) -> None:
    printed = {form: run("probe", *texts, "--metric", "bleu", "--format", form).out for form in FORMATS}
    report = json.loads(printed["json"])
    assert "Putting the chunks into another order in" in printed["table"]
    assert "Nothing is changed: " in printed["table"]
    assert "Scored against the other references, the human translation ref1 has" in printed["table"]
    assert report["signature"] in printed["table"]
    assert "\\begin{tabular}" in printed["latex"]
    example = report["probes"][0]["examples"][0]
    assert example["after"] not in printed["table"]
    rows = list(csv.reader(io.StringIO(printed["tsv"]), delimiter="\t", quoting=csv.QUOTE_NONE))
    assert any(example["after"] in row for row in rows)


def test_segments_of_a_slice_keep_their_numbers(run: Runner, texts: list[object]) -> None:
    found = probe(run, texts, "--slice", "segment in 11-20", "--probe", "reorder", "--examples", 100)
    numbers = [example["segment"] for one in found["probes"] for example in one["examples"]]
    assert numbers
    assert set(numbers) <= set(range(11, 21))


@pytest.mark.parametrize(
    ("options", "fragment"),
    [
        (["--probe", "x"], "argument --probe: probe 'x' found, one of reorder, negation"),
        (["--metric", "x"], "argument --metric: metric 'x' found, one of bleu"),
        (["--language", "x"], "argument --language: language 'x' found, one of ar"),
        (["--examples", "-1"], "argument --examples: -1 found, 0 or more expected"),
        (["--seed", "-1"], "argument --seed: seed -1 found, 0 or more expected"),
    ],
)
def test_what_there_is_not_is_refused_before_any_file_is_read(
    run: Runner, options: list[str], fragment: str, tmp_path: Path
) -> None:
    assert_refused(run("probe", "--ref", tmp_path / "none.txt", tmp_path / "no.txt", *options), fragment)
