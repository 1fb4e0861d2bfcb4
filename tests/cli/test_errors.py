"""`bleu-core errors`: its contract, that its numbers are those of the library, and what it refuses."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calls import ENVELOPE, FORMATS, assert_refused
from conftest import Runner, Writer

SYSTEMS = ("S1", "S2", "S3")
SEGMENTS = 48
CATEGORIES = ("Accuracy/Mistranslation", "Accuracy/Omission", "Fluency/Grammar", "Source error")


@pytest.fixture
def files(write: Writer) -> dict[str, Path]:
    """Three systems, of which S3 has most errors, annotated by two judges; documents of four segments."""
    generator = np.random.default_rng(1)
    text = [f"one two three four five {n}" for n in range(SEGMENTS)]
    rows = ["system\tdoc\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity"]
    for number, system in enumerate(SYSTEMS):
        for segment, line in enumerate(text):
            for judge in ("J1", "J2"):
                beginning = f"{system}\td{segment // 4}\t{segment + 1}\t{judge}\t-\t"
                errors = int(generator.poisson(0.2 + 0.5 * number))
                for _ in range(errors):
                    words = line.split()
                    place = int(generator.integers(5))
                    words[place] = f"<v>{words[place]}</v>"
                    category = CATEGORIES[int(generator.integers(4))]
                    rows.append(f"{beginning}{' '.join(words)}\t{category}\t{generator.choice(['Major', 'Minor'])}")
                if not errors:
                    rows.append(f"{beginning}{line}\tNo-error\tNo-error")
    return {
        **{name: write(f"{name}.txt", "\n".join(text) + "\n") for name in (*SYSTEMS, "ref")},
        "mqm": write("mqm.tsv", "\n".join(rows) + "\n"),
        "docs": write("docs.txt", "".join(f"d{n // 4}\n" for n in range(SEGMENTS))),
    }


def call(files: dict[str, Path], *options: object) -> list[object]:
    """A call that works, with further options."""
    human = [] if "--human" in options else ["--human", files["mqm"]]
    return ["--ref", files["ref"], *human, "--trials", 500, "--resamples", 100, *options, *(files[n] for n in SYSTEMS)]


def errors(run: Runner, files: dict[str, Path], *options: object) -> Any:
    return run("errors", *call(files, *options, "--format", "json")).json


def test_json_has_exactly_the_keys_of_the_contract(run: Runner, files: dict[str, Path]) -> None:
    report = errors(run, files, "--documents", files["docs"])
    keys = {"annotations", "judges", "systems", "profiles", "differences", "agreement", "seed", "methods"}
    assert set(report) == ENVELOPE | keys
    assert (report["annotations"], report["judges"]) == ("judges", ["J1", "J2"])
    assert [profile["by"] for profile in report["profiles"]] == ["severity", "category"]
    pairs = [(each["by"], each["system"], each["baseline"]) for each in report["differences"]]
    assert pairs == [(by, system, "S1") for system in ("S2", "S3") for by in ("severity", "category")]
    for each in report["differences"]:
        assert (each["unit"], each["units"], each["segments"], each["trials"]) == ("document", 12, SEGMENTS, 500)
        assert each["interval_method"] == "jackknife with Student's t"
    (pair,) = report["agreement"]["pairs"]
    assert (pair["kind"], pair["first"], pair["second"], pair["items"]) == ("judges", "J1", "J2", 3 * SEGMENTS)


def test_judges_are_found_confounded_from_all_systems_of_the_file(run: Runner, write: Writer) -> None:
    """Judge J3 is severe and looked at A most often; A and B alone are compared."""
    generator = np.random.default_rng(5)
    rows = ["system\tdoc\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity"]
    for segment in range(120):
        judges = generator.permutation(4).tolist()
        if judges[0] != 3 and generator.random() < 0.7:
            place = judges.index(3)
            judges[0], judges[place] = judges[place], judges[0]
        for system, judge in zip("ABCD", judges, strict=True):
            beginning = f"{system}\td{segment // 4}\t{segment + 1}\tJ{judge}\t-\t"
            marked = [f"<v>one</v> two {segment}\tFluency\tMajor"] * int(generator.poisson(3.0 if judge == 3 else 0.4))
            rows += [beginning + mark for mark in marked or [f"one two {segment}\tNo-error\tNo-error"]]
    text = "".join(f"one two {segment}\n" for segment in range(120))
    reference, a, b = (write(f"{name}.txt", text if name != "ref" else text.upper()) for name in ("ref", "A", "B"))
    mqm = write("mqm.tsv", "\n".join(rows) + "\n")
    report = run(
        "errors", "--ref", reference, "--human", mqm, "--trials", 200, "--resamples", 100, "--format", "json", a, b
    ).json
    for difference in report["differences"]:
        for row in difference["rows"]:
            assert row["delta"] < 0  # B minus A
            assert (row["p_value"], row["low"]) == (None, None)
            assert abs(row["adjusted_delta"]) < abs(row["delta"]) / 2
            assert row["adjusted_p_value_adjusted"] > 0.05
            assert row["reason"].startswith("judges are confounded with systems")


def test_rates_count_marks_per_judge_and_tokens(run: Runner, files: dict[str, Path]) -> None:
    report = errors(run, files)
    rows = [line.split("\t") for line in files["mqm"].read_text(encoding="utf-8").splitlines()[1:]]
    for number, system in enumerate(SYSTEMS):
        major = sum(row[0] == system and row[7] == "Major" for row in rows)
        rate = report["profiles"][0]["rows"][1]["systems"][number]
        assert (report["profiles"][0]["rows"][1]["name"], rate["system"]) == ("major", system)
        assert rate["rate"] == pytest.approx(1000 * major / 2 / (6 * SEGMENTS))
    accuracy = next(row for row in report["profiles"][1]["rows"] if row["part"] == "group")
    assert accuracy["name"] == "Accuracy"
    marked = sum(row[0] == "S1" and row[6].startswith("Accuracy/") for row in rows)
    assert accuracy["systems"][0]["rate"] == pytest.approx(1000 * marked / 2 / (6 * SEGMENTS))


def test_more_errors_are_significant(run: Runner, files: dict[str, Path]) -> None:
    all_errors = errors(run, files, "--system", "S3")["differences"][0]["rows"][0]
    assert all_errors["name"] == "all errors"
    assert 0 < all_errors["low"] < all_errors["delta"] == all_errors["rate"] - all_errors["baseline_rate"]
    assert all_errors["p_value"] < all_errors["p_value_adjusted"] < 0.05


def test_documents_that_are_too_few_are_said_to_be(run: Runner, files: dict[str, Path], write: Writer) -> None:
    few = write("few.txt", "".join(f"d{n // 12}\n" for n in range(SEGMENTS)))
    header, *rows = (line.split("\t") for line in files["mqm"].read_text(encoding="utf-8").splitlines())
    lines = ["\t".join([row[0], f"d{(int(row[2]) - 1) // 12}", *row[2:]]) for row in rows]
    files["mqm"].write_text("\n".join(["\t".join(header), *lines]) + "\n", encoding="utf-8")
    warned = run("errors", *call(files, "--documents", few, "--format", "json"))
    assert "4 documents found, at least 10 needed" in warned.err
    assert {each["unit"] for each in warned.json["differences"]} == {"segment"}
    assert "documents found" not in run("errors", *call(files)).err


def test_judges_and_breakdowns_are_chosen(run: Runner, files: dict[str, Path]) -> None:
    report = errors(run, files, "--judge", "J2", "--by", "place", "--baseline", "S3", "--system", "S1")
    assert report["judges"] == ["J2"]
    assert [(each["by"], each["system"], each["baseline"]) for each in report["differences"]] == [("place", "S1", "S3")]
    names = [row["name"] for row in report["profiles"][0]["rows"]]
    assert names == ["all errors", "translation", "source", "omission"]


def test_other_judges_of_each_system_leave_no_p(run: Runner, files: dict[str, Path]) -> None:
    lines = files["mqm"].read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines[1:] if (line.split("\t")[0] == "S1") == (line.split("\t")[3] == "J1")]
    files["mqm"].write_text("\n".join([lines[0], *kept]) + "\n", encoding="utf-8")
    for row in errors(run, files)["differences"][0]["rows"]:
        assert (row["p_value"], row["p_value_adjusted"], row["low"]) == (None, None, None)
        assert row["reason"].startswith("judges are confounded with systems")
        assert math.isfinite(row["delta"])


def test_a_metric_has_a_profile_of_its_own_and_is_compared_with_judges(
    run: Runner, files: dict[str, Path], write: Writer
) -> None:
    lines = files["S1"].read_text(encoding="utf-8").splitlines()
    spans = [{"text": "two", "confidence": 0.9, "severity": "critical", "start": 4, "end": 7}]
    segments = [{"src": "", "mt": line, "COMET": 0.5, "errors": spans if n % 2 else []} for n, line in enumerate(lines)]
    scores = write("xcomet.json", json.dumps({f"{name}.txt": segments for name in SYSTEMS}))
    judged = errors(run, files, "--metric-scores", scores)
    assert judged["profiles"] == errors(run, files)["profiles"]
    assert [pair["kind"] for pair in judged["agreement"]["pairs"]] == ["judges", "metric"]
    of_metric = judged["agreement"]["pairs"][1]
    assert (of_metric["second"], of_metric["items"]) == ("judges", 2 * 3 * SEGMENTS)
    assert of_metric["first_spans"] == 2 * 3 * SEGMENTS / 2
    report = errors(run, files, "--metric-scores", scores, "--annotations", of_metric["first"])
    assert (report["annotations"], report["judges"]) == (of_metric["first"], [of_metric["first"]])
    assert [row["name"] for row in report["profiles"][0]["rows"]] == ["all errors", "critical"]
    assert report["profiles"][0]["rows"][0]["systems"][0]["rate"] == pytest.approx(1000 * 0.5 / 6)


def test_excluded_judges_are_left_out_everywhere(run: Runner, files: dict[str, Path]) -> None:
    report = errors(run, files, "--exclude-judge", "J1")
    assert (report["judges"], report["agreement"]["pairs"]) == (["J2"], [])
    assert report["agreement"]["reason"].startswith("no two annotators")


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_has_the_systems_and_kinds_of_errors(run: Runner, files: dict[str, Path], form: str) -> None:
    result = run("errors", *call(files, "--format", form))
    assert result.status == 0
    for name in (*SYSTEMS, "all errors", "major", "Fluency/Grammar", "J1"):
        assert name in result.out
    assert ("severity_recall_low" in result.out) == (form in ("json", "tsv"))


def test_what_cannot_be_chosen_is_refused(run: Runner, files: dict[str, Path], write: Writer) -> None:
    def refused(*options: object) -> Any:
        return run("errors", *call(files, *options))

    assert_refused(refused("--baseline", "S9"), "--baseline", "'S9' found, one of S1, S2, S3 expected")
    assert_refused(refused("--system", "S1"), "--system", "'S1' is the baseline")
    assert_refused(refused("--judge", "J9"), "judge 'J9' found, one of J1, J2 expected")
    assert_refused(refused("--annotations", "xCOMET"), "metric 'xCOMET' found, one of none expected")
    assert_refused(refused("--annotations", "xCOMET", "--judge", "J1"), "--annotations", "--judge")
    assert_refused(refused("--seed", -1), "seed -1 found")
    plain = write("plain.csv", "segment,system,judge,score\n1,S1,J,3\n")
    assert_refused(refused("--human", plain), "no marked errors found")
