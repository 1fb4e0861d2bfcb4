"""No command states a result of data that are not comparable without saying so."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from conftest import Run, Runner, Writer
from nightly import nightly

from bleu_core.cli.commands import COMMANDS, supplied_commands
from bleu_core.diagnostics import OBSTRUCTS

#: Commands without results of texts, and those that only read counts files, which `score` and `compare` test.
WITHOUT_RESULTS = ("campaign", "merge")

FORMATS = ("table", "json", "tsv", "latex", "markdown")

SEGMENTS = 60

#: Words of a statement that systems differ.
CLAIMS = ("significantly", "pass:", "fail:", "tier")

Files = dict[str, Path]


@pytest.fixture
def files(write: Writer, tmp_path: Path) -> Files:
    """Texts of which half of the reference is the output of A, ratings, scores, and a collection of two such sets."""
    words = [[f"w{(17 * i + 31 * j) % 997}" for j in range(12)] for i in range(SEGMENTS)]
    reference = [" ".join(line) for line in words]
    outputs = {
        "A": [text if i % 2 else f"x{i} {text}" for i, text in enumerate(reference)],
        "B": [" ".join(["y", *line[: 3 + i % 4], "z", *line[6:]]) for i, line in enumerate(words)],
        "C": [" ".join(["q", *line[: 2 + i % 5], "r", *line[7:]]) for i, line in enumerate(words)],
    }
    made = {name: write(f"{name}.txt", "\n".join(lines) + "\n") for name, lines in outputs.items()}
    made["ref"] = write("ref.txt", "\n".join(reference) + "\n")
    made["other"] = write("other.txt", "".join(f"{' '.join(reversed(line))}\n" for line in words))
    made["docs"] = write("docs.txt", "".join(f"d{i // 6}\n" for i in range(SEGMENTS)))
    header = "system,segment,rater,score,category,severity\n"
    rows = (
        f"{name},{i + 1},r{j},{70 + 3 * k + (7 * i + 5 * j) % 9},Accuracy,Minor\n"
        for k, name in enumerate(outputs)
        for i in range(SEGMENTS)
        for j in range(2)
    )
    made["human"] = write("human.csv", header + "".join(rows))
    for number, name in enumerate(("one", "two")):
        folder = tmp_path / "sets" / name
        folder.mkdir(parents=True)
        for text, lines in {**outputs, "reference": reference}.items():
            part = lines[number * SEGMENTS // 2 :][: SEGMENTS // 2]
            (folder / f"{text}.txt").write_text("\n".join(part) + "\n", encoding="utf-8")
    made["sets"] = tmp_path / "sets"
    made["counts"] = tmp_path / "all.counts"
    return made


Arguments = Callable[[Files], Sequence[object]]


def _texts(*options: object) -> Arguments:
    return lambda files: [*options, "--ref", files["ref"], files["A"], files["B"], files["C"]]


def _rated(*options: object) -> Arguments:
    return lambda files: [*_texts("--human", files["human"], *options)(files)]


#: Every command that states results of texts -> its arguments.
CALLS: dict[str, Arguments] = {
    "score": _texts(),
    "blocks": _texts("--blocks", 5),
    "compare": _texts("--all-pairs", "--resamples", 200),
    "table": lambda files: [files["sets"], "--resamples", 200],
    "slices": lambda files: [*_texts("--by", "length", "--resamples", 200, "--trials", 200)(files)],
    "references": lambda files: [*_texts("--ref", files["other"])(files)],
    "ngrams": _texts("--baseline", "B"),
    "check": _texts(),
    "gate": lambda files: ["--ref", files["ref"], files["B"], files["A"]],
    "correlate": _rated(),
    "review": _rated(),
    "probe": _texts("--probe", "cut", "--language", "en"),
    "paper": _rated("--human-system", "C"),
    "count": lambda files: [*_texts("--out", files["counts"])(files)],
    "figure": lambda files: [*_texts("scores", "--out", files["counts"].with_suffix(".svg"))(files)],
    "report": lambda files: [*_texts("--out", files["counts"].with_suffix(".html"), "--resamples", 200)(files)],
}


def test_every_command_with_results_is_called() -> None:
    assert {*CALLS, *WITHOUT_RESULTS, "errors"} == {
        *COMMANDS,
        *supplied_commands(),
    }  # errors rest on ratings alone, see below


@pytest.fixture(autouse=True)
def _without_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.export.figure_file", lambda *_: b"")


def _call(run: Runner, command: str, files: Files, *options: object) -> Run:
    return run(command, *CALLS[command](files), *options)


def _is_stated(text: str) -> bool:
    return re.search(r"segments (of the reference ref )?equal A's output", " ".join(text.split())) is not None


@pytest.mark.parametrize("command", CALLS)
def test_json_and_standard_error_say_that_systems_are_not_comparable(run: Runner, files: Files, command: str) -> None:
    result = _call(run, command, files, "--format", "json")
    assert _is_stated(result.err), result.err
    found: Any = json.loads(result.out)
    assert _is_stated(" ".join(found["warnings"]))
    for assessed in [found["assessment"]] if "assessment" in found else [each["assessment"] for each in found["sets"]]:
        assert assessed["status"] == "not comparable"
        assert [alarm["warning"] for alarm in assessed["obstructions"]] == ["close-reference"]
        assert not assessed["obstructions"][0]["accepted"]
    assert result.status == {"gate": 4, "check": 1}.get(command, 0)


@pytest.mark.parametrize(
    ("command", "form"),
    [
        *(("compare", "table"), ("table", "latex"), ("gate", "table"), ("score", "markdown"), ("score", "latex")),
        *nightly([(command, form) for command in CALLS for form in FORMATS]),
    ],
)
def test_no_format_claims_a_difference(run: Runner, files: Files, command: str, form: str) -> None:
    result = _call(run, command, files, "--format", form)
    assert _is_stated(result.err)
    if form in ("latex", "markdown"):
        assert _is_stated(result.out.replace("\\%", "%"))
    if command in ("compare", "table", "gate", "slices") and form != "json":
        claims = [word for word in CLAIMS if word in result.out.split("Systems were compared")[0].lower()]
        assert not claims, result.out
    assert r"\textbf" not in result.out  # of the best value


def test_no_claim_of_the_paper_that_compares_systems_by_bleu_is_tested(run: Runner, files: Files) -> None:
    result = _call(run, "paper", files, "--format", "json")
    tested: dict[str, Any] = {claim["key"]: claim for claim in json.loads(result.out)["claims"]}
    assert {key for key, claim in tested.items() if claim["holds"] is not None} == {
        *("exponential-decay", "no-vanished-precision", "averaged-penalties", "short-segments", "block-means"),
        *("judges-tell-neighbours-apart", "large-gap"),  # by ratings alone
    }
    assert _is_stated(tested["neighbours-differ"]["reason"])


def test_counts_files_have_the_assessment(run: Runner, files: Files) -> None:
    assert _call(run, "count", files).status == 0
    result = run("compare", files["counts"], "--format", "json")
    assert _is_stated(result.err)
    assert result.json["assessment"]["status"] == "not comparable"
    assert result.json["headline"]["class"] == "not-comparable"
    assert run("gate", files["counts"]).status != 0


def test_a_gate_that_is_not_comparable_has_an_error_in_junit(run: Runner, files: Files, tmp_path: Path) -> None:
    junit = tmp_path / "junit.xml"
    result = _call(run, "gate", files, "--junit", junit)
    assert (result.status, result.out.count("\n")) == (4, 1)
    assert result.out.startswith("not comparable: ")
    suite = ET.fromstring(junit.read_text(encoding="utf-8"))  # noqa: S314 # our own file
    assert (suite.get("errors"), suite.get("failures")) == ("1", "0")
    error = suite.find("testcase/error")
    assert error is not None
    assert _is_stated(error.get("message", ""))


@pytest.mark.parametrize("command", ["gate", "compare", "table"])
def test_an_accepted_warning_is_recorded_and_obstructs_nothing(run: Runner, files: Files, command: str) -> None:
    result = _call(run, command, files, "--accept", "close-reference", "--format", "json")
    assert result.status in (0, 1)
    found = result.json
    of_sets = [each["assessment"] for each in found["sets"]] if command == "table" else [found["assessment"]]
    assert {each["status"] for each in of_sets} == {"comparable"}
    assert all(alarm["accepted"] for each in of_sets for alarm in each["obstructions"])
    assert "close-reference is accepted" in result.err or command == "table"


def test_only_a_warning_that_obstructs_something_can_be_accepted(run: Runner, files: Files) -> None:
    result = _call(run, "gate", files, "--accept", "length")
    assert (result.status, result.out) == (2, "")
    assert f"argument --accept: 'length' found, one of {', '.join(OBSTRUCTS)} expected" in result.err


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (["--metric", "human"], "comparable"),
        (["--metric", "KIWI-QE"], "comparable"),
        (["--metric", "COMET-22"], "not comparable"),
        (["--metric", "chrf2"], "not comparable"),
        (["--metric", "my metric"], "comparable"),
    ],
)
def test_a_reference_obstructs_only_what_rests_on_it(
    run: Runner, files: Files, write: Writer, options: list[str], status: str
) -> None:
    rows = "".join(
        f"{name},{i + 1},{metric},{50 + (3 * i + k) % 11}\n"
        for k, name in enumerate("ABC")
        for i in range(SEGMENTS)
        for metric in ("KIWI-QE", "COMET-22", "my metric")
    )
    scores = write("scores.csv", f"system,segment,metric,score\n{rows}")
    added: list[object] = []
    if "human" in options:
        added = ["--human", files["human"]]
    elif "chrf2" not in options:
        added = ["--metric-scores", scores]
    result = _call(run, "compare", files, "--format", "json", *added, *options)
    assert result.json["assessment"]["status"] == status, result.err
