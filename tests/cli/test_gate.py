"""`bleu-core gate`: its contract."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from calls import ENVELOPE, POSIX_ONLY, WHOLE, assert_refused
from conftest import Run, Runner, Writer


@pytest.fixture
def sample(write: Writer) -> dict[str, Path]:
    """The whole sample data, with documents of two segments."""
    return WHOLE | {"docs": write("docs.txt", "".join(f"d{n // 2}\n" for n in range(500)))}


def gated(run: Runner, sample: Mapping[str, Path], *options: object, systems: str = "S3 S1") -> Run:
    """`gate` on a baseline and a candidate of the sample."""
    return run("gate", "--ref", sample["ref"], "--resamples", 500, *options, *(sample[s] for s in systems.split()))


def test_a_candidate_that_is_shown_to_be_worse_fails_in_one_line(run: Runner, sample: dict[str, Path]) -> None:
    result = gated(run, sample)
    assert (result.status, result.err, result.out.count("\n")) == (1, "", 1)
    assert result.out.startswith("fail: worse, ")
    assert " BLEU: S1 is significantly worse than S3 by more than 0.3 BLEU: difference −" in result.out


@pytest.mark.parametrize("systems", ["S1 S3", "S2 S3"])
def test_a_candidate_that_is_not_shown_to_be_worse_passes_in_one_line(
    run: Runner, sample: dict[str, Path], systems: str
) -> None:
    result = gated(run, sample, systems=systems)
    assert (result.status, result.err, result.out.count("\n")) == (0, "", 1)
    assert result.out.startswith("pass: not worse, ")
    assert f" BLEU: a loss of S3 against {systems[:2]} of more than 0.3 BLEU is excluded: difference " in result.out


def test_a_margin_forgives(run: Runner, sample: dict[str, Path]) -> None:
    assert gated(run, sample, "--margin", 0).status == 1
    assert gated(run, sample, "--margin", 50).status == 0


def test_the_gate_compares_the_upper_bound_with_the_margin(run: Runner, sample: dict[str, Path]) -> None:
    found = json.loads(gated(run, sample, "--format", "json").out)
    assert set(found) == ENVELOPE | {
        "system",
        "baseline",
        "delta",
        "low",
        "high",
        "margin",
        "alpha",
        "passed",
        "verdict",
        "segments_needed",
        "detectable_margin",
        "unit",
        "units",
        "resamples",
        "seed",
    }
    assert (found["system"], found["baseline"], found["passed"]) == ("S1", "S3", False)
    assert (found["margin"], found["alpha"], found["resamples"], found["seed"]) == (0.3, 0.05, 500, 12345)
    assert found["low"] < found["delta"] < found["high"] < -0.3
    assert gated(run, sample, "--margin", -found["high"] - 0.01).status == 1
    assert gated(run, sample, "--margin", -found["high"] + 0.01).status == 0


def test_a_higher_ter_fails(run: Runner, sample: dict[str, Path]) -> None:
    worse, better = (gated(run, sample, "--metric", "ter", systems=systems) for systems in ("H2 S1", "S1 H2"))
    assert (worse.status, better.status) == (1, 0)
    assert worse.out.startswith("fail: worse, ")
    assert " TER: S1 is significantly worse (higher) than H2 by more than 0.3 TER: difference +" in worse.out


def test_the_same_text_under_another_name_passes(run: Runner, sample: dict[str, Path], write: Writer) -> None:
    twin = write("twin.txt", sample["S1"].read_bytes())
    result = gated(run, sample | {"twin": twin}, "--margin", 0, systems="S1 twin")
    assert result.status == 0
    assert "difference +0.00, one-sided 95% bounds +0.00 and +0.00" in result.out


def test_the_gate_may_draw_documents(run: Runner, sample: dict[str, Path]) -> None:
    by_segment, by_document = (
        json.loads(gated(run, sample, "--format", "json", *options).out)
        for options in ((), ("--documents", sample["docs"]))
    )
    assert by_segment["delta"] == by_document["delta"]
    assert by_segment["high"] != by_document["high"]


@pytest.mark.parametrize("form", ["tsv", "latex"])
def test_the_gate_prints_tables(run: Runner, sample: dict[str, Path], form: str) -> None:
    result = gated(run, sample, "--format", form)
    assert (result.status, result.err) == (1, "")
    separator = "\t" if form == "tsv" else "&"
    rows = [[cell.strip(" \\\n") for cell in line.split(separator)] for line in result.out.split("\n")]
    assert ["S1", "S3"] in [row[:2] for row in rows]
    assert any("no" in row and "worse" in row for row in rows)


@pytest.mark.parametrize("systems", ["S3 S1", "S1 S3"])
def test_junit_has_one_case_that_fails_with_the_gate(
    run: Runner, sample: dict[str, Path], tmp_path: Path, systems: str
) -> None:
    report = tmp_path / "gate.xml"
    result = gated(run, sample, "--junit", report, systems=systems)
    suite = ET.parse(report).getroot()  # noqa: S314 # written just now
    assert (suite.tag, suite.get("tests"), suite.get("failures")) == ("testsuite", "1", str(result.status))
    (case,) = suite.findall("testcase")
    assert case.get("name") == " against ".join(reversed(systems.split()))
    said = [element.get("message") for element in case.findall("failure")] + [e.text for e in case.iter("system-out")]
    assert said == [result.out.rstrip("\n")]


@POSIX_ONLY
@pytest.mark.parametrize(
    "name", ["a&b <c> \"d\" 'e' ]]>", "bell\x07 esc\x1b", "two\nlines", "\ufffe\uffff", "\u65e5\U0001f600"]
)
@pytest.mark.parametrize("order", [1, -1])
def test_whatever_the_name_the_gate_is_one_line_and_well_formed(
    run: Runner, sample: dict[str, Path], write: Writer, tmp_path: Path, *, name: str, order: int
) -> None:
    named = write(f"{name}.txt", sample["S1"].read_bytes())
    report = tmp_path / "gate.xml"
    files = [sample["S3"], named][::order]
    result = run("gate", "--ref", sample["ref"], "--resamples", 100, "--junit", report, *files)
    assert result.status == (1 if order == 1 else 0)
    assert result.out.count("\n") == 1
    (case,) = ET.parse(report).getroot()  # noqa: S314 # written just now
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name)
    assert (case.get("name") or "").replace(" against ", "").replace("S3", "") == shown


BAD_GATES: dict[str, tuple[list[object], tuple[str, ...]]] = {
    "a negative margin": (["--margin=-1"], ("margin -1 found", "0 or more points expected")),
    "a margin that is nan": (["--margin", "nan"], ("margin nan found",)),
    "an infinite margin": (["--margin", "inf"], ("margin inf found",)),
    "a margin that is no number": (["--margin", "some"], ("--margin", "'some'")),
    "alpha 1": (["--alpha", 1], ("alpha 1 found", "between 0 and 1")),
    "resamples given twice": (["--resamples", 0], ("argument --resamples: given twice",)),
    "a negative seed": (["--seed=-3"], ("seed -3 found",)),
    "a folder that is not there": (["--junit", "/nowhere/at/all.xml"], ("/nowhere/at/all.xml", "no such file")),
}


@pytest.mark.parametrize("kind", BAD_GATES)
def test_a_bad_gate_is_refused(run: Runner, sample: dict[str, Path], kind: str) -> None:
    options, fragments = BAD_GATES[kind]
    assert_refused(gated(run, sample, *options), *fragments)


def test_no_resamples_are_refused(run: Runner, sample: dict[str, Path]) -> None:
    call = ["gate", "--ref", sample["ref"], "--resamples", 0, sample["S1"], sample["S2"]]
    assert_refused(run(*call), "0 resamples found")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_refuses_the_gate_and_names_the_file(run: Runner, sample: dict[str, Path]) -> None:
    assert_refused(gated(run, sample, "--junit", "/dev/full"), "/dev/full", "no space left")


def test_one_segment_cannot_be_gated(run: Runner, write: Writer) -> None:
    systems = [write("a.txt", "a b c d e\n"), write("b.txt", "a b c d x\n")]
    assert_refused(
        run("gate", "--ref", write("ref.txt", "a b c d e\n"), *systems), "1 segment found, at least 6 expected"
    )


def test_few_documents_cannot_be_gated(run: Runner, sample: dict[str, Path], write: Writer) -> None:
    segments = sample["ref"].read_text(encoding="utf-8").count("\n")
    documents = write("few.txt", "".join(f"d{n % 5}\n" for n in range(segments)))
    refused = gated(run, sample, "--units", "documents", "--documents", documents)
    assert_refused(refused, "5 documents found, at least 6 expected")
    by_segment = gated(run, sample, "--documents", documents)
    assert by_segment.out == gated(run, sample).out
    assert by_segment.err == (
        "bleu-core gate: warning: 5 documents found, at least 6 needed to resample documents: segments are resampled "
        "instead\n"
    )


@pytest.mark.parametrize(
    ("systems", "margin", "verdict", "status", "required"),
    [
        ("S3 S1", 0.3, "worse", 1, 1),
        ("S1 S3", 0.3, "not worse", 0, 0),
        ("S3 S2", 0.3, "inconclusive", 0, 3),
        ("S3 S2", 5, "not worse", 0, 0),
    ],
)
def test_the_gate_has_three_answers(
    run: Runner,
    sample: dict[str, Path],
    tmp_path: Path,
    *,
    systems: str,
    margin: float,
    verdict: str,
    status: int,
    required: int,
) -> None:
    report = tmp_path / "gate.xml"
    call = ("--margin", margin, "--junit", report)
    for more, expected in ((), status), (("--require", "not-worse"), required):
        line = gated(run, sample, *call, *more, systems=systems)
        assert (line.status, line.err) == (expected, "")
        first = "fail" if verdict == "worse" else "pass"
        assert line.out.startswith(f"{first}: {verdict}, ")
        suite = ET.parse(report).getroot()  # noqa: S314 # written just now
        assert suite.get("failures") == str(int(expected != 0))
        found = json.loads(gated(run, sample, *call, *more, "--format", "json", systems=systems).out)
        assert (found["verdict"], found["passed"]) == (verdict, verdict != "worse")
        assert (found["unit"], found["units"]) == ("segment", 500)
        assert f"{found['segments_needed']:,} segments needed" in line.out
        assert f"detectable margin {found['detectable_margin']:.2f} BLEU: " in line.out


def test_the_gate_counts_documents_where_it_draws_them(run: Runner, sample: dict[str, Path]) -> None:
    call = ("--documents", sample["docs"])
    found = json.loads(gated(run, sample, *call, "--format", "json").out)
    assert (found["unit"], found["units"]) == ("document", 250)
    assert f" {found['segments_needed']:,} documents needed, " in gated(run, sample, *call).out


def test_segments_needed_are_undefined_without_a_margin(run: Runner, sample: dict[str, Path]) -> None:
    found = json.loads(gated(run, sample, "--margin", 0, "--format", "json").out)
    assert found["segments_needed"] is None
    assert "margin of 0" in found["reason"]


def test_only_not_worse_can_be_required(run: Runner, sample: dict[str, Path]) -> None:
    assert_refused(gated(run, sample, "--require", "better"), "--require", "'better'", "not-worse")


@pytest.mark.parametrize("metric", ["bleu", "chrf2", "ter", "wer"])
def test_a_gate_without_text_does_not_pass(run: Runner, write: Writer, metric: str) -> None:
    text, empty = write("text.txt", "a b c d e\n" * 8), write("empty.txt", "\n" * 8)
    other = write("other.txt", " \n" * 8)
    for reference, baseline, candidate, fragment in (
        (text, empty, other, "empty: no text found, a baseline with text expected"),
        (text, text, other, "other: no text found, a candidate with text expected"),
        (empty, text, text, "no text found in the references"),
    ):
        named = baseline, write("candidate/copy.txt", candidate.read_bytes()) if candidate == baseline else candidate
        assert_refused(run("gate", "--metric", metric, "--ref", reference, *named), fragment)
    second = ("--ref", text, "--ref", empty)
    assert_refused(
        run("gate", "--metric", metric, *second, text, write("copy.txt", text.read_bytes())),
        "empty: no text found, a reference with text expected",
    )
