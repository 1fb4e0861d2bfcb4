"""`bleu-core compare --reversal`: its contract, and that the sets reverse the order of what is scored without them."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from calls import FORMATS, POSIX_ONLY, SAMPLE, SEGMENTS, TRUTH
from conftest import Runner, Writer

BEYOND = "over 10% of segments"


def compared(run: Runner, files: dict[str, Path], *options: object, systems: str = "S1 S2 S3") -> Any:
    """The JSON of `compare --reversal`."""
    draws = [] if "--test" in options else ["--resamples", 200]
    call = ["compare", "--reversal", "--ref", files["ref"], *draws, *options, "--format", "json"]
    return run(*call, *(files[name] for name in systems.split())).json


def test_every_pair_has_a_reversal_with_the_keys_of_the_contract(run: Runner, sample: dict[str, Path]) -> None:
    found = compared(run, sample, "--all-pairs")
    assert len(found["pairs"]) == 3
    for pair in found["pairs"]:
        reversal = pair["reversal"]
        if reversal["segments"] is None:
            assert (reversal["share"], reversal["reason"]) == (None, BEYOND)
            assert set(reversal) == {"segments", "share", "usual_share", "reason"}
        else:
            assert set(reversal) == {"segments", "share", "usual_share"}
            assert reversal["share"] == len(reversal["segments"]) / SEGMENTS
        assert 1 / SEGMENTS <= reversal["usual_share"] < 1


def test_without_the_option_there_is_no_reversal(run: Runner, sample: dict[str, Path]) -> None:
    call = ["compare", "--ref", sample["ref"], "--resamples", 200, "--format", "json", sample["S1"], sample["S2"]]
    found = run(*call).json
    assert all("reversal" not in pair for pair in found["pairs"])
    asked = compared(run, sample, systems="S1 S2")
    for pair in asked["pairs"]:
        del pair["reversal"]
    assert asked["pairs"] == found["pairs"]
    assert asked["methods"].startswith(found["methods"])


@pytest.mark.parametrize("metric", ["bleu", "chrf2", pytest.param("ter", marks=pytest.mark.slow)])
def test_files_without_the_lines_of_the_set_have_the_opposite_order(
    run: Runner, sample: dict[str, Path], write: Writer, metric: str
) -> None:
    found = compared(run, sample, "--metric", metric, "--all-pairs", systems="S1 S2 S3 H1 H2")
    sets = {(pair["system"], pair["baseline"]): pair for pair in found["pairs"] if pair["reversal"]["segments"]}
    assert sets
    for (system, baseline), pair in sets.items():
        numbers = pair["reversal"]["segments"]
        texts = {"ref": TRUTH, system: SAMPLE[system], baseline: SAMPLE[baseline]}
        left = {
            name: write(f"left/{name}.txt", "".join(f"{line}\n" for n, line in enumerate(lines, 1) if n not in numbers))
            for name, lines in texts.items()
        }
        call = ["compare", "--ref", left["ref"], "--metric", metric, "--resamples", 20, "--format", "json"]
        (rest,) = run(*call, left[baseline], left[system]).json["pairs"]
        assert (rest["system"], rest["baseline"]) == (system, baseline)
        assert rest["delta"] * pair["delta"] < 0


def test_segments_of_a_slice_keep_their_numbers(run: Runner, sample: dict[str, Path]) -> None:
    first, last = 11, 50
    found = compared(run, sample, "--slice", f"segment in {first}-{last}", "--all-pairs")
    assert found["segments"] == last - first + 1
    sets = [pair for pair in found["pairs"] if pair["reversal"]["segments"]]
    assert sets
    for pair in sets:
        numbers = pair["reversal"]["segments"]
        assert all(first <= number <= last for number in numbers)
        assert pair["reversal"]["share"] == len(numbers) / found["segments"]
        left = f"segment in {first}-{last} and not segment in {', '.join(map(str, numbers))}"
        again = compared(run, sample, "--slice", left, "--all-pairs")
        assert (pair["baseline"], pair["system"]) in [(one["system"], one["baseline"]) for one in again["pairs"]]


def test_equal_outputs_have_no_set_and_a_reason(run: Runner, sample: dict[str, Path], write: Writer) -> None:
    twin = write("twin.txt", sample["S1"].read_bytes())
    (pair,) = compared(run, sample | {"twin": twin}, systems="S1 twin")["pairs"]
    assert pair["reversal"]["segments"] is pair["reversal"]["share"] is None
    assert pair["reversal"]["reason"] == "the scores do not differ"


@pytest.mark.parametrize("options", [("--test", "t"), ("--test", "sacrebleu-bootstrap")])
def test_the_usual_share_is_left_out_where_p_is_not_that_of_resampled_segments(
    run: Runner, sample: dict[str, Path], options: tuple[str, ...]
) -> None:
    for pair in compared(run, sample, *options)["pairs"]:
        assert "usual_share" not in pair["reversal"]


def test_tables_name_the_segments(run: Runner, sample: dict[str, Path]) -> None:
    (pair,) = compared(run, sample, systems="S3 S2")["pairs"]
    numbers = ", ".join(map(str, pair["reversal"]["segments"]))
    call = ["compare", "--reversal", "--ref", sample["ref"], "--resamples", 200, sample["S3"], sample["S2"]]
    tsv, table, latex = (run(*call, "--format", form).out for form in ("tsv", "table", "latex"))
    sets = list(csv.DictReader(io.StringIO(tsv.split("\n\n")[1]), dialect="excel-tab"))
    assert [row["segments"] for row in sets] == [numbers]
    assert float(sets[0]["left_out"]) == len(pair["reversal"]["segments"])
    assert float(sets[0]["rest"]) * pair["delta"] < 0
    plural = "segments" if "," in numbers else "segment"
    sentence = f"The order of S2 and S3 is reversed without {plural} {numbers}."
    assert table.endswith(f"{sentence}\n")
    assert latex.endswith(f"% {sentence}\n")


@POSIX_ONLY
@pytest.mark.parametrize("form", FORMATS)
def test_hostile_names_are_printed(run: Runner, hostile: list[Path], form: str) -> None:
    call = ["compare", "--reversal", "--ref", hostile[0], "--resamples", 20, "--format", form]
    assert run(*call, *hostile[1:4]).status == 0
