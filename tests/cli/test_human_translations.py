"""Human translations among the systems: named in one note, ranked nowhere, whichever references are in use."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from calls import BETTER, HUMAN, REFERENCE, SECOND, THIRD, WORSE, assert_refused
from conftest import Runner, Writer

#: Commands that rank systems, with the options that they need.
RANKING = {
    "score": [],
    "compare": ["--all-pairs", "--resamples", "20"],
    "blocks": ["--blocks", "3"],
    "slices": ["--by", "half", "--resamples", "20", "--trials", "9"],
    "correlate": [],
    "check": [],
}
SYSTEMS = ("better", "worse", "third")
NOTE = "human translations, which are not ranked: A (identical to the reference A), B (identical to the reference B)"


@pytest.fixture
def files(write: Writer) -> dict[str, Path]:
    """Two references of six segments, three systems, and ratings of these and of the references."""
    rated = HUMAN + "".join(f"{segment},{name},x,{6 - segment}\n" for name in "AB" for segment in (1, 2, 3))
    texts = {"A": REFERENCE, "B": SECOND, "better": BETTER, "worse": WORSE, "third": THIRD}
    found = {name: write(f"{name}.txt", 2 * text) for name, text in texts.items()}
    return found | {"human": write("human.csv", rated)}


def call(command: str, files: Mapping[str, Path], *options: str) -> list[object]:
    """A call of a command with both references, which are systems, too."""
    ratings = ["--human", files["human"]] if command in ("correlate", "check") else []
    references = ["--ref", files["A"], "--ref", files["B"]]
    systems = [files[name] for name in (*SYSTEMS, "A", "B")]
    return [command, *references, *ratings, *RANKING[command], *options, *systems, "--format", "json"]


def ranked(command: str, found: Any) -> set[str]:
    """The systems that the JSON of a command compares."""
    if command == "check":
        return {name for one in found["findings"] if one["strength"] != "note" for name in one["systems"]}
    if command in ("compare", "slices"):
        return {pair[side] for pair in found["pairs"] for side in ("system", "baseline")}
    return {row["system"] for row in found["systems"]}


@pytest.mark.parametrize("command", RANKING)
@pytest.mark.parametrize("options", [(), ("--exclude-reference", "A"), ("--exclude-reference", "B")])
def test_human_translations_are_not_ranked_whichever_references_are_in_use(
    run: Runner, files: dict[str, Path], command: str, options: tuple[str, ...]
) -> None:
    result = run(*call(command, files, *options))
    found = result.json
    assert found["not_ranked"] == [
        {"system": name, "reason": f"identical to the reference {name}"} for name in ("A", "B")
    ]
    if command == "score":  # which scores all and ranks none
        assert ranked(command, found) == {*SYSTEMS, "A", "B"}
    elif command == "check":
        assert not ranked(command, found) & {"A", "B"}
        (note,) = (one for one in found["findings"] if "A" in one["systems"])
        assert (note["key"], note["strength"], note["systems"]) == ("identical-systems", "note", ["A", "B"])
    else:
        assert ranked(command, found) == set(SYSTEMS)
    notes = [line for line in result.err.splitlines() if "not ranked" in line]
    assert notes == ([] if command == "check" else [f"bleu-core {command}: warning: {NOTE}"])
    assert "not informative" not in result.err


@pytest.mark.parametrize("command", [name for name in RANKING if name != "check"])
def test_a_human_translation_that_is_included_is_ranked_against_the_other_references(
    run: Runner, files: dict[str, Path], command: str
) -> None:
    found = run(*call(command, files, "--include-human", "A")).json
    assert found["references"] == ["B"]
    assert [one["system"] for one in found["not_ranked"]] == ["B"]
    assert ranked(command, found) - {"B"} == {*SYSTEMS, "A"}
    assert found["signature"].startswith("nrefs:1")
    if command == "score":
        alone = run("score", "--ref", files["B"], files["A"], "--format", "json").json
        assert alone["systems"][0] in found["systems"]


@pytest.mark.parametrize("command", RANKING)
def test_systems_that_are_marked_as_human_translations_are_not_ranked(
    run: Runner, files: dict[str, Path], command: str
) -> None:
    found = run(*call(command, files, "--human-system", "third")).json
    reasons = {one["system"]: one["reason"] for one in found["not_ranked"]}
    assert list(reasons) == ["third", "A", "B"]
    assert reasons["third"] == "human translator"
    if command == "check":
        assert "third" not in ranked(command, found)
    elif command != "score":
        assert ranked(command, found) == {"better", "worse"}
    again = run(*call(command, files, "--human-system", "third", "--include-human", "third")).json
    assert [one["system"] for one in again["not_ranked"]] == ["A", "B"]
    assert again["references"] == ["A", "B"]


@pytest.mark.parametrize("command", RANKING)
@pytest.mark.parametrize("option", ["--human-system", "--include-human"])
def test_a_human_translation_that_is_no_system_is_refused(
    run: Runner, files: dict[str, Path], command: str, option: str
) -> None:
    assert_refused(
        run(*call(command, files, option, "nobody")),
        "human system 'nobody' found, one of better, worse, third, A, B expected",
    )


@pytest.mark.parametrize("command", RANKING)
def test_a_human_translation_cannot_be_ranked_without_another_reference(
    run: Runner, files: dict[str, Path], command: str
) -> None:
    both = ("--include-human", "A", "--include-human", "B")
    assert_refused(run(*call(command, files, *both)), "A, B cannot be ranked, as no other reference is left")


@pytest.mark.parametrize("command", ["compare", "blocks"])
def test_human_translations_alone_cannot_be_ranked(run: Runner, files: dict[str, Path], command: str) -> None:
    result = run(command, "--ref", files["A"], *RANKING[command], files["A"])
    assert_refused(result, "no system to rank found (human translations, which are not ranked: A", "--include-human")


def test_references_ranks_no_human_translation(run: Runner, files: dict[str, Path]) -> None:
    options = ["references", "--ref", files["A"], "--ref", files["B"], "--human-system", "third", "--format", "json"]
    found = run(*options, *(files[name] for name in (*SYSTEMS, "A", "B"))).json
    assert [one["system"] for one in found["not_ranked"]] == ["third", "A", "B"]
    assert [one["system"] for one in found["left_out"]] == ["third", "A", "B"]


def test_counts_have_the_same_note(run: Runner, files: dict[str, Path], tmp_path: Path) -> None:
    out = tmp_path / "all.counts"
    run("count", "--ref", files["A"], *(files[name] for name in ("better", "worse", "A")), "--out", out)
    for command in ("score", "blocks", "compare"):
        found = run(command, out, *RANKING[command], "--format", "json").json
        assert [one["system"] for one in found["not_ranked"]] == ["A"]
        assert ("A" in ranked(command, found)) is (command == "score")
    refused = run("compare", out, "--include-human", "A")
    assert_refused(refused, "argument --include-human: counts files hold no texts")


def test_the_rating_of_a_reference_is_still_compared_with_the_systems(run: Runner, files: dict[str, Path]) -> None:
    for name in ("A", "B", *SYSTEMS):  # 24 segments, as few rated ones are no reason for a warning
        files[name].write_text(4 * files[name].read_text("utf-8"), encoding="utf-8")
    files["human"].write_text(
        "segment,system,judge,score\n"
        + "".join(
            f"{segment},{name},x,{score}\n"
            for name, score in (("A", 1), ("B", 5), ("better", 4), ("worse", 3), ("third", 2))
            for segment in range(1, 25)
        ),
        encoding="utf-8",
    )
    result = run(*call("check", files))
    assert result.status == 1
    found = json.loads(result.out)["findings"]
    rated_low = [one for one in found if one["key"] == "reference-rated-low"]
    assert [(one["references"], one["systems"]) for one in rated_low] == [(["A"], list(SYSTEMS))]
