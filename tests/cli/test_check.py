"""`bleu-core check`: its contract, its exit status, and what is bad input."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from calls import ENVELOPE, FORMATS, SAMPLE, SEGMENTS, TRUTH, assert_refused
from conftest import Runner, Writer

from bleu_core.cli.check import why_not_scored
from bleu_core.dataset import Column
from sample_data import references, systems


@pytest.fixture
def files(write: Writer) -> dict[str, Path]:
    """A reference, two systems, one without its line 11, and one with its line 20 twice and without its last."""
    texts = {
        "ref": TRUTH,
        "S1": SAMPLE["S1"],
        "S2": SAMPLE["S2"],
        "short": [*SAMPLE["S3"][:10], *SAMPLE["S3"][11:]],
        "shifted": [*SAMPLE["S3"][:20], *SAMPLE["S3"][19:-1]],
    }
    return {name: write(f"{name}.txt", "\n".join(lines) + "\n") for name, lines in texts.items()}


def check(run: Runner, files: dict[str, Path], *names: str, ref: str = "ref") -> tuple[int, Any]:
    """The exit status and the JSON."""
    result = run("check", "--ref", files[ref], *(files[name] for name in names), "--format", "json")
    return result.status, json.loads(result.out)


def test_json_has_exactly_the_keys_of_the_contract(run: Runner, files: dict[str, Path]) -> None:
    status, found = check(run, files, "S1", "short", "shifted")
    assert status == 1
    assert set(found) == ENVELOPE | {"texts", "places", "findings", "reason"}
    assert (found["findings"], found["reason"]) == (None, "the texts differ in their numbers of lines")
    assert found["segments"] == SEGMENTS
    assert found["places"] == [
        {"file": str(files["short"]), "line": 11, "kind": "missing", "lines": 1},
        {"file": str(files["shifted"]), "line": 21, "kind": "shifted", "lines": SEGMENTS - 20},
    ]
    assert [(text["file"], text["role"], text["lines"], text["places"]) for text in found["texts"]] == [
        (str(files["ref"]), "reference", SEGMENTS, 0),
        (str(files["S1"]), "system", SEGMENTS, 0),
        (str(files["short"]), "system", SEGMENTS - 1, 1),
        (str(files["shifted"]), "system", SEGMENTS, 1),
    ]


def test_findings_have_exactly_the_keys_of_the_contract(run: Runner, files: dict[str, Path]) -> None:
    status, found = check(run, files, "S1", "S2")
    assert status == 0
    assert set(found) == ENVELOPE | {"texts", "places", "findings"}
    keys = {"key", "systems", "references", "found", "strength", "advice", "segments"}
    assert [set(one) for one in found["findings"]] == [keys] * len(found["findings"])
    of_one = next(one for one in found["findings"] if one["key"] == "one-reference")
    assert of_one == {
        "key": "one-reference",
        "systems": [],
        "references": ["ref"],
        "found": "The systems are scored against one reference, ref.",
        "strength": "note",
        "advice": "Add a second reference if there is one, and read small differences with care.",
        "segments": [],
    }


def test_a_warning_about_a_file_is_printed_once(run: Runner, files: dict[str, Path], write: Writer) -> None:
    odd = write("odd.txt", "\n".join([f"a\u200b {line}" for line in SAMPLE["S1"]]) + "\n")
    result = run("check", "--ref", files["ref"], odd, files["S2"])
    assert result.err.count("invisible characters") == 1


def test_only_an_alarm_gives_status_1(run: Runner, files: dict[str, Path], write: Writer) -> None:
    empty = {2: "empty", SEGMENTS // 2: "half"}
    found = {}
    for number, name in empty.items():
        files[name] = write(f"{name}.txt", "\n".join([*[""] * number, *SAMPLE["S3"][number:]]) + "\n")
        status, report = check(run, files, "S1", name)
        (one,) = [one for one in report["findings"] if one["key"] == "empty"]
        found[name] = (status, one["strength"], one["segments"], one["systems"])
    assert found == {
        "empty": (0, "caution", [1, 2], ["empty"]),
        "half": (1, "alarm", list(range(1, SEGMENTS // 2 + 1)), ["half"]),
    }


def test_ratings_and_documents_are_looked_at(run: Runner, files: dict[str, Path], write: Writer) -> None:
    human = write(
        "human.csv",
        "segment,system,judge,score\n"
        + "".join(f"{n},S1,x,4\n{n},S2,x,3\n{n},ref,x,1\n" for n in range(1, SEGMENTS + 1)),
    )
    documents = write("documents.txt", "".join(f"d{i // 10}\n" for i in range(SEGMENTS)))
    options = ("--human", human, "--documents", documents, "--format", "json")
    result = run("check", "--ref", files["ref"], files["S1"], files["S2"], *options)
    (low,) = [one for one in json.loads(result.out)["findings"] if one["key"] == "reference-rated-low"]
    assert (result.status, low["strength"], low["systems"], low["references"]) == (1, "alarm", ["S1", "S2"], ["ref"])
    beyond = write("beyond.csv", f"segment,system,judge,score\n{SEGMENTS + 1},S1,x,4\n")
    assert_refused(run("check", "--ref", files["ref"], files["S1"], "--human", beyond), "beyond.csv")


@pytest.mark.parametrize(
    ("references", "reason"),
    [
        ([("a", None), ("b", None)], "segment 2 has no reference"),
        ([("a", None), (None, "b")], ""),
        ([], "there is no reference"),
        ([("a", "b", "c")], "the texts differ in their numbers of lines"),
    ],
)
def test_texts_that_cannot_be_scored_have_a_reason(references: list[tuple[str | None, ...]], reason: str) -> None:
    columns = [Column("reference", f"R{number}", text) for number, text in enumerate(references)]
    assert why_not_scored([Column("system", "S", ("a", "b")), *columns]) == reason


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_has_the_findings(run: Runner, files: dict[str, Path], write: Writer, form: str) -> None:
    files["half"] = write("half.txt", "\n" * (SEGMENTS // 2) + "\n".join(SAMPLE["S3"][SEGMENTS // 2 :]) + "\n")
    result = run("check", "--ref", files["ref"], files["S1"], files["half"], "--format", form)
    assert result.status == 1
    assert "half has no text in" in result.out
    assert "Find out why the text is missing" in result.out
    if form == "table":
        assert "1. Empty segments (alarm): half has no text in" in result.out
        assert "Segments: 1, 2, 3, 4, 5 and " in result.out


def test_texts_as_they_are_have_no_place_and_status_0(run: Runner, files: dict[str, Path]) -> None:
    status, found = check(run, files, "S1", "S2")
    assert (status, found["places"]) == (0, [])
    result = run("check", "--ref", files["ref"], files["S1"])
    assert result.status == 0
    assert result.out.endswith("\nNo line of the 2 texts is missing, doubled, split, joined or shifted.\n")


def test_the_sample_data_have_no_place(run: Runner) -> None:
    given = [each for path in references() for each in ("--ref", path)]
    assert run("check", *given, *systems()).status == 0


def test_a_reference_and_a_source_can_be_out_of_line(run: Runner, files: dict[str, Path], write: Writer) -> None:
    status, found = check(run, files, "S1", "S2", ref="short")
    assert (status, [place["file"] for place in found["places"]]) == (1, [str(files["short"])])
    source = write("source.txt", "\n".join([*TRUTH[:30], *TRUTH[31:]]) + "\n")
    result = run("check", "--ref", files["ref"], "--source", source, files["S1"], "--format", "json")
    assert result.status == 1
    assert json.loads(result.out)["places"] == [{"file": str(source), "line": 31, "kind": "missing", "lines": 1}]


def test_files_are_named_as_on_the_command_line(
    run: Runner, files: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files["ref"].parent)
    result = run("check", "--ref", "./ref.txt", "S1.txt", "./short.txt", "--format", "json")
    assert [place["file"] for place in json.loads(result.out)["places"]] == ["./short.txt"]


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_has_the_place(run: Runner, files: dict[str, Path], form: str) -> None:
    result = run("check", "--ref", files["ref"], files["S1"], files["short"], "--format", form)
    assert result.status == 1
    assert "missing" in result.out
    if form == "tsv":
        rows = list(csv.reader(io.StringIO(result.out), delimiter="\t"))
        assert rows[-1] == [str(files["short"]), "11", "missing", "1"]
    if form == "table":
        assert result.out.endswith("\n1 place found in 1 of 3 texts.\n")


def test_a_column_of_a_table_is_named(run: Runner, files: dict[str, Path], write: Writer) -> None:
    rows = zip(SAMPLE["S1"], [*SAMPLE["S2"][:20], *SAMPLE["S2"][19:-1]], strict=True)
    table = write("both.tsv", "one\tother\n" + "".join(f"{a}\t{b}\n" for a, b in rows))
    result = run("check", "--ref", files["ref"], table, "--format", "json")
    expected = {"file": str(table), "name": "other", "line": 21, "kind": "shifted", "lines": SEGMENTS - 20}
    assert json.loads(result.out)["places"] == [expected]


def test_texts_of_other_lengths_with_nothing_in_common_are_bad_input(
    run: Runner, files: dict[str, Path], write: Writer
) -> None:
    other = write("other.txt", "".join(f"{n} {'x' * (n % 7 + 1)}{n}\n" for n in range(SEGMENTS - 1)))
    assert_refused(
        run("check", "--ref", files["ref"], files["S1"], other),
        f"other.txt has {SEGMENTS - 1} lines, 1 fewer than the 2 other files ({SEGMENTS}).",
    )


def test_a_name_given_twice_is_bad_input(run: Runner, files: dict[str, Path]) -> None:
    assert_refused(
        run("check", "--ref", files["ref"], files["S1"], files["S1"]),
        "S1.txt: another column already holds a system called S1",
    )


def test_a_slice_is_refused(run: Runner, files: dict[str, Path]) -> None:
    assert_refused(
        run("check", "--ref", files["ref"], "--slice", "length > 3", files["S1"]),
        "argument --slice: check compares whole texts; remove --slice",
    )
