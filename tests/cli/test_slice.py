"""`--slice`: every number equals that of files which hold only the lines of the slice."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from calls import COMMANDS, COMPARING, SAMPLE, SEGMENTS, TRUTH, arguments, assert_refused
from conftest import Runner, Writer
from nightly import nightly

from bleu_core.dataset import FIELDS
from bleu_core.slicing import FIELDS_OF_ERRORS

SYSTEMS = ("S1", "S2", "S3", "H1")
RATINGS = [
    (segment, system, judge, (7 * segment + 3 * len(judge) + SYSTEMS.index(system) * 5) % 11)
    for segment in range(1, SEGMENTS + 1)
    for system in SYSTEMS
    for judge in ("x", "yy")
    if (segment + len(judge)) % 3
]
CALLS: Mapping[str, Sequence[object]] = {
    "score": ["--intervals"],
    "score by chrF2": ["--metric", "chrf2"],
    "blocks": ["--blocks", 3],
    "compare": ["--all-pairs", "--resamples", 100],
    "compare by randomisation": ["--test", "randomization", "--trials", 100, "--resamples", 100],
    "correlate": ["--trials", 50],
    "correlate by segment": ["--level", "segment", "--grouping", "none", "--trials", 50],
}


def without_slice(found: Any) -> Any:
    """The JSON without the description of the slice, and without the words of the headline, which mention it."""
    rest = {key: value for key, value in found.items() if key != "slice"}
    if "headline" in found:
        rest["headline"] = {key: found["headline"][key] for key in ("class", "systems")}
    return rest


def chosen_segments(count: int, seed: int) -> list[list[int]]:
    """Random sets of segments, from one to all."""
    chance = random.Random(seed)
    sizes = [1, SEGMENTS, *(chance.randint(8, SEGMENTS) for _ in range(count))]
    return [sorted(chance.sample(range(1, SEGMENTS + 1), size)) for size in sizes]


def ratings(segments: Sequence[int]) -> str:
    """A file of the ratings of some segments, numbered anew."""
    number = {segment: n for n, segment in enumerate(segments, start=1)}
    rows = [f"{number[s]},{system},{judge},{score}\n" for s, system, judge, score in RATINGS if s in number]
    return "segment,system,judge,score\n" + "".join(rows)


@pytest.mark.parametrize(
    "call", [*(call for call in CALLS if call != "correlate by segment"), *nightly(["correlate by segment"])]
)
@pytest.mark.parametrize("count", [2, pytest.param(200, marks=pytest.mark.slow)])
def test_numbers_equal_those_of_files_with_only_these_lines(run: Runner, write: Writer, call: str, count: int) -> None:
    texts = {**{name: SAMPLE[name] for name in SYSTEMS}, "ref": TRUTH}
    for i, segments in enumerate(chosen_segments(count, seed=len(call))):
        whole = {name: write(f"{name}.txt", "\n".join(lines) + "\n") for name, lines in texts.items()}
        human = write("human.csv", ratings(range(1, SEGMENTS + 1)))
        command = call.split(maxsplit=1)[0]
        judged: list[object] = ["--human", human] if command == "correlate" else []
        expression = f"segment in {', '.join(map(str, segments))}"
        options = [command, *CALLS[call], "--format", "json"]
        files = [whole[name] for name in SYSTEMS]
        sliced = run(*options, *judged, "--slice", expression, "--ref", whole["ref"], *files)
        for name, lines in texts.items():
            write(f"{name}.txt", "\n".join(lines[n - 1] for n in segments) + "\n")
        write("human.csv", ratings(segments))
        alone = run(*options, *judged, "--ref", whole["ref"], *files)
        assert sliced.status == alone.status, f"slice {i}: {sliced.err} {alone.err}"
        if alone.status:
            assert len(segments) == 1
            continue
        assert sliced.json["slice"] == {"expression": expression, "segments": len(segments), "of": SEGMENTS}
        assert without_slice(sliced.json) == without_slice(alone.json)


def test_the_gate_takes_a_slice(run: Runner, longer: dict[str, Path]) -> None:
    found = json.loads(run(*arguments("gate", longer), "--slice", "segment <= 6", "--format", "json").out)
    assert found["slice"] == {"expression": "segment <= 6", "segments": 6, "of": 6}
    refused = run(*arguments("gate", longer), "--slice", "segment < 6")
    assert_refused(refused, "5 segments found, at least 6 expected")


@pytest.mark.parametrize("command", [command for command in (*COMMANDS, *COMPARING) if command != "gate"])
def test_every_command_takes_a_slice(run: Runner, corpus: dict[str, Path], write: Writer, command: str) -> None:
    labels = write("labels.tsv", "segment\tdomain\n1\tnews\n2\tnews\n3\ttalk\n")
    source = write("source.txt", "eins\nzwei\ndrei\n")
    more = ["--slice", 'domain = news and not source = "drei"', "--labels", labels, "--source", source]
    call = [2 if option == 3 else option for option in arguments(command, corpus)]  # as many blocks as segments
    found = json.loads(run(*call, *more, "--format", "json").out)
    assert found["slice"] == {"expression": more[1], "segments": 2, "of": 3}
    assert found["segments"] == 2


def test_the_slice_is_named_below_the_tables(run: Runner, corpus: dict[str, Path]) -> None:
    found = run("score", "--ref", corpus["ref"], corpus["better"], "--slice", "segment < 3")
    assert found.out.endswith("slice: 2 of 3 segments (segment < 3)\n")
    latex = run("score", "--ref", corpus["ref"], corpus["better"], "--slice", "segment < 3", "--format", "latex")
    assert latex.out.endswith("% slice: 2 of 3 segments (segment < 3)\n")
    assert "slice" not in run("score", "--ref", corpus["ref"], corpus["better"], "--format", "json").json


def test_beside_tables_in_tsv_standard_error_names_the_slice(run: Runner, corpus: dict[str, Path]) -> None:
    call = ["score", "--ref", corpus["ref"], corpus["better"], "--format", "tsv"]
    sliced, whole = run(*call, "--slice", "segment < 3"), run(*call)
    assert sliced.err == "bleu-core score: slice: 2 of 3 segments (segment < 3)\n"
    assert (whole.err, sliced.out.splitlines()[0]) == ("", whole.out.splitlines()[0])
    assert "slice" not in sliced.out


def test_documents_can_be_chosen(run: Runner, sample: dict[str, Path]) -> None:
    call = ["score", "--ref", sample["ref"], sample["S1"], "--documents", sample["docs"], "--format", "json"]
    assert run(*call, "--slice", "document in d1, d3").json["slice"]["segments"] == 4
    assert run(*call, "--slice", 'document ~ "^d1[0-9]$"').json["slice"]["segments"] == 20


def test_scores_and_ratings_of_whole_systems_are_left_out_with_a_warning(
    run: Runner, corpus: dict[str, Path], write: Writer
) -> None:
    scores = write("scores.csv", "system,metric,score\nbetter,M,1\nworse,M,2\nthird,M,3\n")
    human = write("more.csv", "system,judge,score\nbetter,z,1\nworse,z,2\n")
    call = [*arguments("correlate", corpus), "--metric-scores", scores, "--human", human]
    found = run(*call, "--slice", "segment < 3", "--format", "json")
    assert "scores of whole systems are not used in a slice: M" in found.json["warnings"]
    assert "2 ratings of no single segment not used in a slice" in found.json["warnings"]


def test_ratings_can_be_asked_for_where_they_are_read(run: Runner, corpus: dict[str, Path], write: Writer) -> None:
    human = write("more.csv", "segment,system,judge,score\n1,better,z,1\n2,better,z,4\n")
    call = [*arguments("correlate", corpus), "--human", human, "--format", "json"]
    assert run(*call, "--slice", "ratings > 3 and segment < 3").json["slice"]["segments"] == 2
    assert run(*call, "--slice", "disputed = 4 or segment = 3").json["slice"]["segments"] == 2
    for command in ("score", "compare", "slices", "gate", "blocks"):
        assert_refused(
            run(*arguments(command, corpus), "--slice", "segment = 1 or not disputed > 3"),
            "slice: field disputed found, but no ratings are read; name a file of ratings with --human",
        )
    assert_refused(
        run(*arguments("ngrams", corpus), "--slice", "segment = 1 or not disputed > 3"),
        "slice: field disputed found, but ngrams reads no ratings; use a command with --human",
    )
    assert_refused(run(*arguments("correlate", corpus)[:3], corpus["better"], "--slice", "ratings = 1"), "--human")


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("segment = 9", "slice 'segment = 9': holds for none of 3 segments, at least 1 expected"),
        (
            "genre = news",
            f"slice: field 'genre' found, one of {', '.join((*FIELDS, *FIELDS_OF_ERRORS))} expected",
        ),
        ("segment =", "slice: the end found, a value expected"),
        ("document = d1", "slice: the document of the segments is not known; add a file with one document id per line"),
    ],
)
@pytest.mark.parametrize("command", [*COMMANDS, *COMPARING])
def test_a_slice_that_cannot_be_found_is_bad_input(
    run: Runner, corpus: dict[str, Path], command: str, expression: str, message: str
) -> None:
    if command == "slices":  # whose call has a label
        message = message.replace("severity expected", "severity, kind expected")
    assert_refused(run(*arguments(command, corpus), "--slice", expression), message)
