"""`bleu-core slices`: its contract, and that its numbers are those of `compare` on files of a slice's lines only."""

from __future__ import annotations

import csv
import io
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from calls import ENVELOPE, FORMATS, HOSTILE, LATEX, POSIX_ONLY, SAMPLE, SEGMENTS, TRUTH, WHOLE, assert_refused
from conftest import Runner, Writer

#: Slices of 30, 18 and 12 segments.
TALKS = [*["first talk"] * 30, *["second talk"] * 18, *["third talk"] * 12]


@pytest.fixture
def sliced(sample: dict[str, Path], write: Writer) -> dict[str, Path]:
    """The sample with documents that are slices."""
    return sample | {"docs": write("talks.txt", "".join(f"{talk}\n" for talk in TALKS))}


def by_document(run: Runner, files: dict[str, Path], *options: object, systems: str = "S1 S2 S3") -> Any:
    """The JSON of `slices --by document`, with few draws unless they are given."""
    draws = [] if "--resamples" in options else ["--resamples", 200]
    trials = [] if "--trials" in options else ["--trials", 99]
    call = ["slices", "--by", "document", "--documents", files["docs"], "--ref", files["ref"]]
    return run(*call, *draws, *trials, *options, "--format", "json", *(files[name] for name in systems.split())).json


def without_scores(systems: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The systems of `compare` without their scores by metric, which slices do not report."""
    return [{key: value for key, value in system.items() if key != "scores"} for system in systems]


def test_slices_json_has_exactly_the_keys_of_the_contract(run: Runner, sliced: dict[str, Path]) -> None:
    found = by_document(run, sliced)
    assert set(found) == ENVELOPE | {
        *("by", "unlabelled", "trials", "permuted", "seed", "alpha", "correction"),
        *("systems", "pairs", "slices", "variation", "methods"),
    }
    assert [set(one) for one in found["slices"]] == [{"label", "segments", "systems", "pairs"}] * 3
    keys = {"system", "baseline", "delta", "low", "high", "confidence", "p_value", "p_value_adjusted", "verdict"}
    keys |= {"p_value_extrapolated", "family"}
    assert {pair["family"] for one in found["slices"] for pair in one["pairs"]} == {"3 slices"}
    assert all(set(pair) == keys for one in found["slices"] for pair in one["pairs"])
    assert {pair["family"] for pair in found["pairs"]} == {"2 pairs with S1"}
    assert all(set(pair) == keys for pair in found["pairs"])
    assert all(set(system) == {"system", "score"} for one in found["slices"] for system in one["systems"])
    assert [set(one) for one in found["variation"]] == [{"system", "baseline", "q", "p_value"}] * 2
    assert [(one["label"], one["segments"]) for one in found["slices"]] == [
        ("first talk", 30),
        ("second talk", 18),
        ("third talk", 12),
    ]
    assert (found["by"], found["permuted"], found["correction"]) == ("document", "segment", "holm")
    assert (found["trials"], found["seed"], found["alpha"]) == (99, 12345, 0.05)
    assert (found["segments"], found["unlabelled"]) == (SEGMENTS, 0)


@pytest.mark.parametrize("metric", ["bleu", "chrf2", pytest.param("ter", marks=pytest.mark.slow)])
def test_each_slice_equals_compare_on_files_of_its_lines(
    run: Runner, sliced: dict[str, Path], write: Writer, metric: str
) -> None:
    found = by_document(run, sliced, "--metric", metric)
    for one in found["slices"]:
        rows = [row for row, talk in enumerate(TALKS) if talk == one["label"]]
        texts = {"ref": TRUTH} | {name: SAMPLE[name] for name in ("S1", "S2", "S3")}
        files = {
            name: write(f"{one['label']}/{name}.txt", "".join(f"{lines[row]}\n" for row in rows))
            for name, lines in texts.items()
        }
        call = ["compare", "--ref", files["ref"], "--metric", metric, "--resamples", 200, "--correction", "none"]
        alone = run(*call, "--format", "json", files["S1"], files["S2"], files["S3"]).json
        assert one["systems"] == without_scores(alone["systems"])
        for pair, expected in zip(one["pairs"], alone["pairs"], strict=True):
            for key in ("system", "baseline", "delta", "low", "high", "p_value"):
                assert pair[key] == expected[key]


def test_the_whole_equals_compare_with_the_same_documents(run: Runner, sliced: dict[str, Path]) -> None:
    found = by_document(run, sliced)
    call = ["compare", "--documents", sliced["docs"], "--ref", sliced["ref"], "--resamples", 200, "--format", "json"]
    alone = run(*call, *(sliced[name] for name in ("S1", "S2", "S3"))).json
    assert found["systems"] == without_scores(alone["systems"])
    assert found["pairs"] == alone["pairs"]


def test_the_baseline_and_all_pairs_are_chosen_as_in_compare(run: Runner, sliced: dict[str, Path]) -> None:
    def pairs(*options: object) -> list[tuple[str, str]]:
        found = by_document(run, sliced, *options)
        several = [found["pairs"], *(one["pairs"] for one in found["slices"]), found["variation"]]
        named = [[(pair["system"], pair["baseline"]) for pair in some] for some in several]
        assert all(some == named[0] for some in named)
        return named[0]

    assert pairs() == [("S2", "S1"), ("S3", "S1")]
    assert pairs("--baseline", "S2") == [("S1", "S2"), ("S3", "S2")]
    scores = {one["system"]: one["score"] for one in by_document(run, sliced)["systems"]}
    assert pairs("--all-pairs") == list(combinations(sorted(scores, key=lambda name: -scores[name]), 2))


def test_documents_of_a_table_are_slices_and_segments_are_drawn(
    run: Runner, sample: dict[str, Path], write: Writer
) -> None:
    rows = zip(TALKS, SAMPLE["S1"], SAMPLE["S2"], strict=True)
    table = write("t.tsv", "doc\tS1\tS2\n" + "".join("\t".join(row) + "\n" for row in rows))
    call = ["slices", "--by", "document", "--ref", sample["ref"], "--resamples", 200, "--format", "json", table]
    found = run(*call).json
    assert [one["label"] for one in found["slices"]] == ["first talk", "second talk", "third talk"]
    compared = run("compare", "--ref", sample["ref"], "--resamples", 200, "--format", "json", table).json
    assert found["pairs"] == compared["pairs"]  # of segments, since no file names documents


def test_variation_of_small_slices_is_undefined_with_a_reason(run: Runner, sample: dict[str, Path]) -> None:
    found = by_document(run, sample, systems="S1 S2")  # documents of two segments
    (one,) = found["variation"]
    assert one["q"] is one["p_value"] is None
    assert one["reason"] == "d0 has 2 segments, at least 10 per slice expected"
    assert any("30 of 30 slices with fewer than 30 units found" in warning for warning in found["warnings"])
    assert "Cochran" not in found["methods"]


def test_one_document_is_one_slice(run: Runner, sample: dict[str, Path], write: Writer) -> None:
    files = sample | {"docs": write("one.txt", "only\n" * SEGMENTS)}
    found = by_document(run, files, systems="S1 S2")
    assert found["variation"][0]["reason"] == "only one slice"
    assert found["slices"][0]["pairs"][0]["delta"] == found["pairs"][0]["delta"]


def test_a_slice_of_one_segment_has_no_p_and_a_reason(run: Runner, sample: dict[str, Path], write: Writer) -> None:
    files = sample | {"docs": write("docs.txt", "single\n" + "rest\n" * (SEGMENTS - 1))}
    single, rest = by_document(run, files, systems="S1 S2")["slices"]
    (pair,) = single["pairs"]
    assert pair["p_value"] is pair["p_value_adjusted"] is pair["low"] is None
    assert pair["reason"] == "only one segment"
    assert rest["pairs"][0]["p_value"] == rest["pairs"][0]["p_value_adjusted"] is not None


def test_the_seed_decides_what_is_drawn_and_permuted(run: Runner, write: Writer) -> None:
    halves = WHOLE | {"docs": write("halves.txt", "first\n" * 250 + "second\n" * 250)}
    first, again, other = (by_document(run, halves, "--seed", seed) for seed in (7, 7, 8))
    assert first["resamples"] == 200
    assert first == again
    assert first["slices"][0]["pairs"][0]["low"] != other["slices"][0]["pairs"][0]["low"]
    assert first["variation"][0]["q"] == other["variation"][0]["q"]


def test_tables_have_the_whole_first_then_the_slices(run: Runner, sliced: dict[str, Path]) -> None:
    call = ["slices", "--by", "document", "--documents", sliced["docs"], "--ref", sliced["ref"], "--resamples", 200]
    files = [sliced["S1"], sliced["S2"]]
    tsv, table, latex = (run(*call, "--format", form, *files).out for form in ("tsv", "table", "latex"))
    scores, pairs, variation = (
        list(csv.reader(io.StringIO(part), dialect="excel-tab")) for part in tsv.removesuffix("\n").split("\n\n")
    )
    labels = ["all segments", "first talk", "second talk", "third talk"]
    assert [row[0] for row in scores[1:]] == [row[0] for row in pairs[1:]] == labels
    assert scores[0] == ["label", "segments", "score_S1", "score_S2"]
    assert pairs[0][:5] == ["label", "segments", "system", "baseline", "delta"]
    assert variation[0] == ["system", "baseline", "q", "p_value", "reason"]
    for row, of_pair in zip(scores[1:], pairs[1:], strict=True):
        assert float(of_pair[4]) == pytest.approx(float(row[3]) - float(row[2]))
    found = by_document(run, sliced, "--trials", 1000, systems="S1 S2")
    assert table.rstrip("\n").split("\n")[-1] == found["methods"]
    assert latex.count(r"\begin{tabular}") == 3


@POSIX_ONLY
@pytest.mark.parametrize("form", FORMATS)
def test_slices_prints_hostile_names_and_labels(run: Runner, hostile: list[Path], write: Writer, form: str) -> None:
    lines = hostile[0].read_text(encoding="utf-8").count("\n")
    labels = [name.replace("\n", " ") for name in HOSTILE][:lines]
    documents = write("labels.txt", "".join(f"{label}\n" for label in labels))
    call = ["slices", "--by", "document", "--documents", documents, "--ref", hostile[0], "--resamples", 20]
    result = run(*call, "--format", form, *hostile[1:3])
    assert result.status == 0
    if form == "json":
        assert [one["label"] for one in result.json["slices"]] == labels
    if form == "latex":
        assert all(LATEX[label] in result.out for label in labels if label in LATEX)


def test_an_unknown_label_is_refused_and_the_known_ones_are_listed(run: Runner, sliced: dict[str, Path]) -> None:
    call = ["slices", "--ref", sliced["ref"], "--by", "domain"]
    files = [sliced["S1"], sliced["S2"]]
    assert_refused(
        run(*call, "--documents", sliced["docs"], *files),
        "argument --by: label 'domain' found, one of length, document, half expected",
    )
    assert_refused(run(*call, *files), "argument --by: label 'domain' found, one of length, half expected")
    call[-1] = "document"
    assert_refused(run(*call, *files), "argument --by: the documents of the segments are not known; add a file with")


def test_the_text_is_divided_by_length_and_into_halves(run: Runner, sliced: dict[str, Path]) -> None:
    call = ["--ref", sliced["ref"], "--resamples", 20, "--trials", 9, "--format", "json", sliced["S1"], sliced["S2"]]
    quarters = run("slices", "--by", "length", *call).json["slices"]
    starts = [int(one["label"].split("-")[0]) for one in quarters]
    assert starts == sorted(starts)
    assert (len(starts), sum(one["segments"] for one in quarters)) == (4, SEGMENTS)
    for by, parts in (("length", quarters), ("half", run("slices", "--by", "half", *call).json["slices"])):
        for one in parts:
            expression = f"{by} {'in' if by == 'length' else '='} {one['label']}"
            assert run("score", "--slice", expression, *call[:2], *call[6:]).json["systems"][0][
                "bleu"
            ] == pytest.approx(one["systems"][0]["score"], abs=1e-9)
    part = run("slices", "--by", "half", "--slice", "segment in 20-40", *call).json["slices"]
    whole = run("score", "--slice", "segment in 20-40 and half = test", *call[:2], *call[6:]).json["slice"]
    assert next(one["segments"] for one in part if one["label"] == "test") == whole["segments"]


def test_a_wrong_call_is_refused(run: Runner, sliced: dict[str, Path]) -> None:
    call = ["slices", "--ref", sliced["ref"], "--documents", sliced["docs"]]
    both = [sliced["S1"], sliced["S2"]]
    assert_refused(run(*call, *both), "the following arguments are required: --by")
    call += ["--by", "document"]
    assert_refused(run(*call, sliced["S1"]), "1 system found, at least 2 expected")
    assert_refused(run(*call, "--baseline", "S9", *both), "baseline 'S9' found, one of S1, S2 expected")
    assert_refused(run(*call, "--trials", 0, *both), "0 trials found, at least 1 expected")
    assert_refused(run(*call, "--resamples", 0, *both), "0 resamples found, at least 1 expected")
    assert_refused(run(*call, "--seed", -1, *both), "seed -1 found, 0 or more expected")
    assert_refused(run(*call, "--alpha", 2, *both), "alpha 2 found")


def test_labels_of_a_table_are_slices_and_documents_are_permuted(
    run: Runner, sample: dict[str, Path], write: Writer
) -> None:
    labels = write(
        "labels.tsv", "document\tdomain\n" + "".join(f"d{n}\t{'news' if n < 12 else 'talk'}\n" for n in range(28))
    )
    call = ["slices", "--by", "domain", "--labels", labels, "--documents", sample["docs"], "--ref", sample["ref"]]
    found = run(*call, "--resamples", 200, "--trials", 99, "--format", "json", sample["S1"], sample["S2"]).json
    assert [(one["label"], one["segments"]) for one in found["slices"]] == [("news", 24), ("talk", 32)]
    assert (found["unlabelled"], found["permuted"]) == (4, "document")
    assert "4 segments without a label found, left out of all slices" in found["warnings"]
    assert 0 < found["variation"][0]["p_value"] <= 1
    assert_refused(
        run(*("topic" if part == "domain" else part for part in call), sample["S1"], sample["S2"]),
        "label 'topic' found, one of domain, length, document, half",
    )


def test_slices_of_a_slice_are_those_of_its_segments(run: Runner, sliced: dict[str, Path]) -> None:
    whole, part = by_document(run, sliced), by_document(run, sliced, "--slice", 'not document = "third talk"')
    assert part["slice"] == {"expression": 'not document = "third talk"', "segments": 48, "of": SEGMENTS}
    assert [one["label"] for one in part["slices"]] == ["first talk", "second talk"]
    for one, same in zip(part["slices"], whole["slices"], strict=False):
        assert one["systems"] == same["systems"]
        assert [pair["p_value"] for pair in one["pairs"]] == [pair["p_value"] for pair in same["pairs"]]
