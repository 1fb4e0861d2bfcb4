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
    assert set(found) == ENVELOPE | {"texts", "places"}
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


def test_texts_as_they_are_have_no_place_and_status_0(run: Runner, files: dict[str, Path]) -> None:
    status, found = check(run, files, "S1", "S2")
    assert (status, found["places"]) == (0, [])
    result = run("check", "--ref", files["ref"], files["S1"])
    assert result.status == 0
    assert result.out.endswith("\n\nNo line of the 2 texts is missing, doubled, split, joined or shifted.\n")


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
        assert result.out.endswith("\n\n1 place found in 1 of 3 texts.\n")


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
