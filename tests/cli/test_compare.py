"""`bleu-core compare`: its contract, and that its numbers are SciPy's and sacreBLEU's."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from calls import (
    BETTER,
    COMPARING,
    ENVELOPE,
    FORMATS,
    HOSTILE,
    LATEX,
    POSIX_ONLY,
    SAMPLE,
    SEGMENTS,
    TRUTH,
    WHOLE,
    WORSE,
    arguments,
    assert_refused,
)
from conftest import Runner, Writer
from many_systems import MANY, files_of, many_systems
from nightly import nightly
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from scipy import stats

from bleu_core.inference import TESTS


def compared(run: Runner, sample: Mapping[str, Path], *options: object, systems: str = "S1 S2 S3") -> Any:
    """The JSON of `compare` on some systems of the sample, with few draws unless said otherwise."""
    test = options[options.index("--test") + 1] if "--test" in options else "bootstrap"
    draws = [] if test == "t" or "--resamples" in options else ["--resamples", 200]
    draws += ["--trials", 200] if test == "randomization" and "--trials" not in options else []
    files = [sample[name] for name in systems.split()]
    return run("compare", "--ref", sample["ref"], *draws, *options, "--format", "json", *files).json


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("every", [False, True])
def test_compare_json_has_exactly_the_keys_of_the_contract(run: Runner, test: str, *, every: bool) -> None:
    found = compared(run, WHOLE, "--test", test, *(["--all-pairs"] if every else []))
    drawn = {"t": {"blocks": 20}, "randomization": {"resamples": 200, "trials": 200}}.get(test, {"resamples": 200})
    assert {key: found[key] for key in drawn} == drawn
    assert set(found) == ENVELOPE | {
        "headline",
        "test",
        "seed",
        "interval_method",
        "unit",
        "units",
        "correction",
        "family",
        "alpha",
        "null_hypothesis",
        "resampled",
        "metrics",
        "systems",
        "pairs",
        "methods",
    } | set(drawn) | ({"tiers"} if every else set())
    keys = {"system", "baseline", "delta", "low", "high", "confidence", "p_value", "p_value_adjusted", "verdict"}
    keys |= {"p_value_extrapolated", "family"}
    if test == "t":
        keys |= {"mean_difference", "t", "degrees_of_freedom"}
    assert all(set(pair) == keys for pair in found["pairs"])
    assert [set(system) for system in found["systems"]] == [{"system", "score", "scores"}] * 3
    assert all(system["scores"] == {"bleu": system["score"]} for system in found["systems"])
    assert found["metrics"] == [{"metric": "bleu", "signature": found["signature"], "higher_is_better": True}]
    assert (found["segments"], found["references"], found["metric"]) == (500, ["R1"], "bleu")
    family = "3 pairs of 3 systems" if every else "2 pairs with S1"
    assert {found["family"], *(pair["family"] for pair in found["pairs"])} == {family}
    assert found["interval_method"] == ("Student's t" if test == "t" else "bootstrap percentiles")
    assert (found["seed"], found["alpha"], found["correction"]) == (12345, 0.05, "holm")
    assert found["test"] == test


def test_compare_says_first_what_the_data_support(run: Runner, sample: dict[str, Path]) -> None:
    call = ["compare", "--ref", sample["ref"], "--resamples", 200]
    systems = [sample[name] for name in ("S1", "S2", "S3")]
    for options, kind in ((["--all-pairs"], ("leader", "leaders")), (["--baseline", "S2"], ("baseline",))):
        made = run(*call, *options, "--format", "json", *systems).json["headline"]
        assert made["class"] in kind
        assert made["systems"] == (["S2"] if kind == ("baseline",) else [by_score(compared(run, sample))[0]])
        assert run(*call, *options, *systems).out.split("\n")[:3] == [made["text"], made["detail"], ""]
        assert f"% {made['text']}\n% {made['detail']}\n" in run(*call, *options, "--format", "latex", *systems).out


def test_the_headline_of_a_lower_metric_and_of_a_slice(run: Runner, sample: dict[str, Path]) -> None:
    made = compared(run, sample, "--metric", "ter", "--all-pairs", systems="S1 H2")["headline"]
    assert (made["class"], made["systems"]) == ("leader", ["H2", "S1"])
    assert "H2 has the lowest TER" in made["text"]
    few = compared(run, sample, "--slice", "segment <= 4", systems="S1 H2")["headline"]
    assert few["class"] == "too-few-units"
    assert few["text"] == "Too few segments for a test: there are 4, and at least 6 are needed."


def test_a_copy_of_the_reference_is_no_leader(run: Runner, sample: dict[str, Path], write: Writer) -> None:
    copy = write("copy.txt", sample["ref"].read_bytes())
    made = compared(run, sample | {"copy": copy}, "--all-pairs", systems="S1 S2 copy")["headline"]
    assert "copy" not in made["systems"]
    assert made["text"].startswith(("S2 scores significantly higher than S1", "No clear winner: S2"))


def test_systems_are_not_comparable_where_the_reference_is_made_of_one(
    run: Runner, sample: dict[str, Path], write: Writer
) -> None:
    names = ("S1", "S2", "S3", "H1", "H2")
    lines = {name: sample[name].read_text("utf-8").split("\n") for name in (*names, "ref")}
    mixed = [one if n % 3 else ref for n, (one, ref) in enumerate(zip(lines["S1"], lines["ref"], strict=True))]
    reference = write("mixed.txt", "\n".join(mixed))
    systems = [sample[name] for name in names]
    made = run("compare", "--ref", reference, "--all-pairs", "--resamples", 200, *systems)
    first, second, *_ = made.out.split("\n")
    assert first.startswith("Not comparable: ")
    assert "S1" in first
    assert "67% of the reference's segments" in first
    assert "may have" in second
    others = [sample[name] for name in names if name != "S1"]
    assert "Not comparable" not in run("compare", "--ref", reference, "--all-pairs", "--resamples", 200, *others).out


@pytest.fixture
def opposed(write: Writer) -> dict[str, Path]:
    """A reference, a system with whole words right that is better by BLEU, and one with endings wrong by chrF2."""
    words = [*dict.fromkeys(f"{WORSE} {BETTER}".split())]
    lines = [[words[(s + k) % len(words)] + "ing" for k in range(14)] for s in range(60)]
    whole = [[*line[: 8 + s % 2], *(["qqq"] * (6 - s % 2))] for s, line in enumerate(lines)]
    endings = [
        [word[:-1] + "x" if (k + s) % 3 == 2 else word for k, word in enumerate(line)] for s, line in enumerate(lines)
    ]
    texts = {"ref": lines, "whole": whole, "endings": endings}
    return {name: write(f"{name}.txt", "".join(" ".join(line) + "\n" for line in text)) for name, text in texts.items()}


def test_a_second_metric_that_contradicts_the_headline_is_named(run: Runner, opposed: dict[str, Path]) -> None:
    call = ["compare", "--ref", opposed["ref"], opposed["whole"], opposed["endings"]]
    found = run(*call, "--format", "json").json
    sentence = "whole is significantly better than endings by BLEU, and significantly worse by chrF2."
    assert found["headline"]["systems"] == ["whole", "endings"]
    assert found["headline"]["detail"].startswith(f"{sentence} The difference is ")
    expected = {"system": "whole", "baseline": "endings", "metrics": ["bleu"], "others": ["chrf2"]}
    assert found["disagreements"] == [expected]
    assert "chrF2 (" in found["methods"]
    assert all(set(system["scores"]) == {"bleu"} for system in found["systems"])
    assert run(*call).out.split("\n")[1].startswith(sentence)
    both = run(*call, "--metric", "bleu", "--metric", "chrf2", "--format", "json").json
    assert both["disagreements"] == [expected]
    by_chrf = run(*call, "--metric", "chrf2", "--format", "json").json
    assert "disagreements" not in by_chrf


def test_ratings_that_contradict_the_headline_are_named(run: Runner, opposed: dict[str, Path], write: Writer) -> None:
    call = ["compare", "--ref", opposed["ref"], opposed["whole"], opposed["endings"]]
    rows = [(s, name, (s * 7 + 3 * k) % 5 + 3 * k) for s in range(1, 61) for k, name in enumerate(("whole", "endings"))]
    ratings = write(
        "human.csv", "segment,system,judge,score\n" + "".join(f"{s},{n},J{s % 3},{y}\n" for s, n, y in rows)
    )
    found = run(*call, "--human", ratings, "--format", "json").json
    assert found["headline"]["detail"].startswith("Judges rate whole significantly lower than endings (mean rating ")
    assert not [warning for warning in found["warnings"] if "--human" in warning or "ratings are used" in warning]
    turned = (
        ratings.read_text("utf-8").replace("whole", "other").replace("endings", "whole").replace("other", "endings")
    )
    agreeing = run(*call, "--human", write("turned.csv", turned), "--format", "json").json
    assert "Judges" not in agreeing["headline"]["detail"]
    assert "--human has no effect: the ratings are no evidence against the first sentence" in agreeing["warnings"]


def by_score(found: dict[str, Any]) -> list[str]:
    """The systems, best first, and by name where they are equal."""
    return [each["system"] for each in sorted(found["systems"], key=lambda each: (-each["score"], each["system"]))]


def test_compare_takes_the_first_system_as_baseline_unless_one_is_named(run: Runner, sample: dict[str, Path]) -> None:
    def pairs(*options: object) -> list[tuple[str, str]]:
        return [(pair["system"], pair["baseline"]) for pair in compared(run, sample, *options)["pairs"]]

    assert pairs() == [("S2", "S1"), ("S3", "S1")]
    assert pairs("--baseline", "S2") == [("S1", "S2"), ("S3", "S2")]
    assert pairs("--all-pairs") == list(combinations(by_score(compared(run, sample)), 2))


@pytest.mark.parametrize("test", TESTS)
def test_delta_is_system_minus_baseline_and_p_has_no_side(run: Runner, sample: dict[str, Path], test: str) -> None:
    one, other = (compared(run, sample, "--test", test, systems=systems) for systems in ("S1 S3", "S3 S1"))
    scores = {system["system"]: system["score"] for system in one["systems"]}
    (ahead,), (behind,) = one["pairs"], other["pairs"]
    assert ahead["delta"] == pytest.approx(scores["S3"] - scores["S1"])
    assert behind["delta"] == pytest.approx(-ahead["delta"])
    assert [behind["low"], behind["high"]] == pytest.approx([-ahead["high"], -ahead["low"]])
    assert ahead["p_value"] == pytest.approx(behind["p_value"])
    assert 0 < ahead["p_value"] <= 1
    assert ahead["confidence"] == 0.95


def test_the_t_of_compare_is_scipys_on_the_scores_of_blocks(run: Runner, sample: dict[str, Path]) -> None:
    call = ["blocks", "--ref", sample["ref"], "--blocks", 12, "--format", "json", sample["S1"], sample["S3"]]
    scores = {system["system"]: system["scores"] for system in run(*call).json["systems"]}
    wanted: Any = stats.ttest_rel(scores["S3"], scores["S1"])
    (pair,) = compared(run, sample, "--test", "t", "--blocks", 12, systems="S1 S3")["pairs"]
    assert (pair["t"], pair["p_value"]) == (pytest.approx(wanted.statistic), pytest.approx(wanted.pvalue))
    bounds = wanted.confidence_interval(0.95)
    assert (pair["low"], pair["high"]) == (pytest.approx(bounds.low), pytest.approx(bounds.high))
    assert pair["degrees_of_freedom"] == 11


def test_bounds_of_randomisation_are_the_bootstraps(run: Runner, sample: dict[str, Path]) -> None:
    bootstrap, shuffled = (compared(run, sample, "--test", test) for test in ("bootstrap", "randomization"))
    for one, other in zip(bootstrap["pairs"], shuffled["pairs"], strict=True):
        assert (one["low"], one["high"]) == (other["low"], other["high"])
    assert [p["p_value"] for p in bootstrap["pairs"]] != [p["p_value"] for p in shuffled["pairs"]]


@pytest.mark.parametrize("test", TESTS)
def test_identical_systems_do_not_differ(run: Runner, sample: dict[str, Path], write: Writer, test: str) -> None:
    twin = write("twin.txt", sample["S1"].read_bytes())
    (pair,) = compared(run, sample | {"twin": twin}, "--test", test, systems="S1 twin")["pairs"]
    assert pair["delta"] == 0
    if test == "t":
        assert pair["t"] is pair["p_value"] is pair["p_value_adjusted"] is pair["low"] is None
        assert (pair["reason"], pair["mean_difference"], pair["degrees_of_freedom"]) == ("no variance", 0, 19)
        assert pair["verdict"] == "not tested"
    else:
        assert (pair["low"], pair["high"]) == (0, 0)
    if test in ("bootstrap", "randomization"):
        assert (pair["p_value"], pair["verdict"]) == (1, "not significant")


@pytest.mark.parametrize("test", TESTS)
def test_one_segment_gives_no_p_and_a_reason(run: Runner, write: Writer, test: str) -> None:
    systems = [write("a.txt", "a b c d e\n"), write("b.txt", "a b c d x\n")]
    options = ["--test", test, *(["--blocks", 1] if test == "t" else []), "--format", "json"]
    found = run("compare", "--ref", write("ref.txt", "a b c d e f\n"), *options, *systems).json
    (pair,) = found["pairs"]
    assert pair["p_value"] is pair["p_value_adjusted"] is pair["low"] is pair["high"] is None
    assert "one" in pair["reason"]
    assert pair["verdict"] == "not tested"
    assert "tiers" not in found


@pytest.mark.parametrize("metric", ["bleu", "chrf2", *nightly(["chrf2++", "ter"])])
def test_compare_has_sacrebleus_scores_of_every_metric(run: Runner, sample: dict[str, Path], metric: str) -> None:
    found = compared(run, sample, "--metric", metric, systems="S1 S3")
    scorer: Any = {"bleu": BLEU, "chrf2": CHRF, "chrf2++": lambda: CHRF(word_order=2), "ter": TER}[metric]()
    wanted = [scorer.corpus_score(SAMPLE[name], [TRUTH]).score for name in ("S1", "S3")]
    assert [system["score"] for system in found["systems"]] == pytest.approx(wanted, rel=1e-9)
    assert found["pairs"][0]["delta"] == pytest.approx(wanted[1] - wanted[0])
    assert found["signature"] == str(scorer.get_signature())
    assert found["metric"] == metric


def test_a_lower_ter_is_better(run: Runner, sample: dict[str, Path]) -> None:
    found = compared(run, sample, "--metric", "ter", "--all-pairs", systems="S1 H2")
    (pair,) = found["pairs"]
    assert pair["delta"] < pair["high"] < 0
    assert (pair["system"], pair["verdict"]) == ("H2", "better")
    assert found["tiers"] == [["H2"], ["S1"]]


def test_corrections_are_holms_and_benjamini_and_hochbergs(run: Runner, sample: dict[str, Path]) -> None:
    def p_values(correction: str) -> tuple[list[float], list[float]]:
        found = compared(run, sample, "--all-pairs", "--correction", correction)
        assert found["correction"] == correction
        return [pair["p_value"] for pair in found["pairs"]], [pair["p_value_adjusted"] for pair in found["pairs"]]

    raw, unchanged = p_values("none")
    assert unchanged == raw
    first, second, third = sorted(raw)
    holm = [3 * first, max(3 * first, 2 * second), max(3 * first, 2 * second, third)]
    assert sorted(p_values("holm")[1]) == pytest.approx(holm)
    assert sorted(p_values("benjamini-hochberg")[1]) == pytest.approx(stats.false_discovery_control(sorted(raw)))
    assert holm != pytest.approx(sorted(raw))


@pytest.mark.parametrize("test", [test for test in TESTS if test != "t"])
def test_the_seed_decides_what_is_drawn(run: Runner, test: str) -> None:
    first, again, other = (compared(run, WHOLE, "--test", test, "--seed", seed) for seed in (7, 7, 8))
    assert first == again
    assert first["seed"] == 7
    assert [pair["low"] for pair in first["pairs"]] != [pair["low"] for pair in other["pairs"]]


@pytest.mark.parametrize(("test", "number"), [("bootstrap", "resamples"), ("randomization", "trials")])
def test_there_are_10_000_draws_whatever_is_compared(run: Runner, test: str, number: str) -> None:
    call = ["compare", "--ref", WHOLE["ref"], "--all-pairs", "--test", test, "--format", "json"]
    systems = [WHOLE[name] for name in ("S1", "S2", "S3")]
    for found in (run(*call, "--alpha", 0.001, *systems).json, run(*call, *systems[:2]).json):
        assert found[number] == 10_000
    few = run(*call, f"--{number}", 30, *systems)
    assert few.json[number] == 30
    assert few.err == ""


def test_few_draws_of_sacrebleus_rule_are_warned_of(run: Runner) -> None:
    call = ["compare", "--ref", WHOLE["ref"], "--all-pairs", "--test", "sacrebleu-bootstrap", "--format", "json"]
    few = run(*call, "--resamples", 30, *(WHOLE[name] for name in ("S1", "S2", "S3")))
    assert "30 draws found, at least 120 recommended" in few.err
    assert few.json["warnings"] == [few.err.removeprefix("bleu-core compare: warning: ").rstrip("\n")]


@pytest.mark.parametrize("test", TESTS)
def test_whole_documents_are_drawn_swapped_or_averaged(run: Runner, sample: dict[str, Path], test: str) -> None:
    found = compared(run, sample, "--test", test, "--documents", sample["docs"], systems="S1 S3")
    assert (found["unit"], found["units"], found["segments"]) == ("document", SEGMENTS // 2, SEGMENTS)
    assert found.get("blocks", SEGMENTS // 2) == SEGMENTS // 2
    assert "30 documents" in found["resampled"]
    assert "30 documents" in found["methods"]
    undrawn = test in ("bootstrap", "randomization")  # 30 units; the other tests draw, or have no such option
    few = "--resamples has no effect: fewer than 100 units are compared by the jackknife, which draws nothing"
    assert found["warnings"] == [few] * undrawn
    by_segment = compared(run, sample, "--test", test, systems="S1 S3")
    assert [pair["p_value"] for pair in found["pairs"]] != [pair["p_value"] for pair in by_segment["pairs"]]


def test_a_slice_by_documents_may_still_resample_segments(run: Runner, sample: dict[str, Path]) -> None:
    call = ("--documents", sample["docs"], "--slice", "document in d0, d1, d2")
    for units in ([], ["--units", "segments"]):
        by_segment = compared(run, sample, *call, *units, systems="S1 S3")
        assert (by_segment["unit"], by_segment["units"]) == ("segment", 6)
        assert bool(by_segment["warnings"]) == (not units or by_segment["units"] < 30)
    by_document = compared(run, sample, *call, "--units", "documents", systems="S1 S3")
    assert (by_document["unit"], by_document["units"]) == ("document", 3)
    assert "only 3 documents, at least 6 needed" in by_document["methods"]
    refused = run("compare", "--ref", sample["ref"], "--units", "documents", sample["S1"], sample["S2"])
    assert (refused.status, refused.out) == (2, "")
    assert "add --documents" in refused.err


def test_the_text_is_divided_into_blocks_unless_documents_are_these(run: Runner, sample: dict[str, Path]) -> None:
    options = ("--test", "t", "--blocks", 12)
    documents = ("--documents", sample["docs"])
    by_segment = compared(run, sample, *options, *documents, "--units", "segments")
    assert by_segment["pairs"] == compared(run, sample, *options)["pairs"]
    sliced = ("--slice", "document = d0", *documents, "--units", "documents")
    for given in (documents, sliced):
        refused = run("compare", "--ref", sample["ref"], *options, *given, sample["S1"], sample["S2"])
        assert_refused(refused, "--blocks: documents are the blocks; add --units segments, or remove the option")


def test_few_documents_give_way_to_segments_with_a_note(run: Runner, sample: dict[str, Path], write: Writer) -> None:
    documents = write("few.txt", "".join(f"d{n // 20}\n" for n in range(SEGMENTS)))
    call = ["compare", "--ref", sample["ref"], "--format", "json"]
    noted = run(*call, "--documents", documents, sample["S1"], sample["S2"])
    plain = run(*call, sample["S1"], sample["S2"])
    assert (noted.json["unit"], noted.json["pairs"]) == ("segment", plain.json["pairs"])
    assert noted.err == (
        "bleu-core compare: warning: 3 documents found, at least 6 needed to resample documents: segments are "
        "resampled instead\n"
    )
    asked = run(*call, "--documents", documents, "--units", "documents", sample["S1"], sample["S2"])
    (pair,) = asked.json["pairs"]
    assert (pair["p_value"], pair["reason"]) == (None, "only 3 documents, at least 6 needed")
    assert pair["verdict"] == "not tested"
    assert asked.err.startswith("bleu-core compare: warning: 3 documents found, at least 6 expected")


def test_the_blocks_asked_for_win_over_documents_in_a_table(
    run: Runner, sample: dict[str, Path], write: Writer
) -> None:
    rows = zip(SAMPLE["S1"], SAMPLE["S2"], strict=True)
    table = write("t.tsv", "doc\tS1\tS2\n" + "".join(f"d{n // 20}\t{a}\t{b}\n" for n, (a, b) in enumerate(rows)))
    call = ["compare", "--ref", sample["ref"], "--test", "t", "--blocks", 12, "--format", "json", table]
    assert run(*call).json["blocks"] == 12


def test_compare_compares_no_system_that_equals_a_reference(run: Runner, sample: dict[str, Path]) -> None:
    call = ["compare", "--ref", sample["ref"], "--all-pairs", sample["S1"], sample["S2"]]
    result = run(*call, sample["ref"])
    assert (result.status, result.err.count("\n")) == (0, 1)
    assert "human translations, which are not ranked: ref (identical to the reference ref)" in result.err
    assert result.out == run(*call).out
    assert_refused(run(*call[:-1], sample["ref"]), "1 system found, at least 2 expected (human translations")
    call.remove("--all-pairs")
    assert_refused(run(*call, sample["ref"], "--baseline", "ref"), "ref is not ranked (identical to the reference ref)")


def test_tables_of_comparisons_quote_what_was_done(run: Runner, sample: dict[str, Path]) -> None:
    call = ["compare", "--ref", sample["ref"], "--all-pairs", sample["S1"], sample["S2"], sample["S3"]]
    table, latex, tsv = (run(*call, "--format", form) for form in ("table", "latex", "tsv"))
    found = run(*call, "--format", "json").json
    assert table.out.rstrip("\n").split("\n")[-1] == found["methods"]
    assert latex.out.rstrip("\n").split("\n")[-1] == f"% {found['methods']}"
    assert latex.out.count(r"\begin{tabular}") == latex.out.count(r"\bottomrule") == 2
    pairs, tiers = tsv.out.rstrip("\n").split("\n\n")
    assert pairs.split("\n")[0].split("\t")[:3] == ["system", "baseline", "delta"]
    best_first = sorted(found["systems"], key=lambda system: -system["score"])
    assert [row.split("\t")[1] for row in tiers.split("\n")[1:]] == [system["system"] for system in best_first]
    assert table.err == latex.err == tsv.err == ""


def test_compare_tsv_has_all_digits(run: Runner, sample: dict[str, Path]) -> None:
    call = ["compare", "--ref", sample["ref"], "--test", "t", sample["S1"], sample["S2"]]
    (row,) = csv.DictReader(io.StringIO(run(*call, "--format", "tsv").out), dialect="excel-tab")
    (pair,) = run(*call, "--format", "json").json["pairs"]
    for key in ("delta", "mean_difference", "low", "high", "t", "p_value", "p_value_adjusted"):
        assert float(row[key]) == pair[key]


@POSIX_ONLY
@pytest.mark.parametrize("form", FORMATS)
def test_compare_prints_hostile_names(run: Runner, hostile: list[Path], form: str) -> None:
    options = ["--all-pairs", "--resamples", 20, "--format", form]
    result = run("compare", "--ref", hostile[0], *options, *hostile[1:])
    assert result.status == 0
    assert "Traceback" not in result.err
    if form == "json":
        assert tuple(system["system"] for system in result.json["systems"]) == HOSTILE
        pairs = [(pair["system"], pair["baseline"]) for pair in result.json["pairs"]]
        assert pairs == list(combinations(by_score(result.json), 2))
    if form == "tsv":
        rows = list(csv.reader(io.StringIO(result.out, newline=""), dialect="excel-tab"))
        pairs = rows[1 : rows.index([])]
        assert {frozenset(row[:2]) for row in pairs} == set(map(frozenset, combinations(HOSTILE, 2)))
        assert {len(row) for row in pairs} == {len(rows[0])}
    if form == "latex":
        assert not re.search(r"(\\\\|\\midrule)\s*[*\[]", result.out)
        assert all(name in result.out for name in LATEX.values())
        assert not re.search(r"(?<!\\)[$#]", result.out.split("%")[0])


BAD_COMPARISONS: dict[str, tuple[list[object], tuple[str, ...]]] = {
    "an unknown baseline": (["--baseline", "nobody"], ("'nobody' found", "better, worse, third")),
    "resamples given twice": (["--resamples", 0], ("argument --resamples: given twice",)),
    "no trials": (["--test", "randomization", "--trials", 0], ("0 trials found", "at least 1 expected")),
    "resamples that are no number": (["--resamples", "many"], ("--resamples", "'many'")),
    "a negative seed": (["--seed=-1"], ("seed -1 found", "0 or more expected")),
    "alpha 0": (["--alpha", 0], ("alpha 0 found", "between 0 and 1")),
    "alpha 2": (["--alpha", 2], ("alpha 2 found", "between 0 and 1")),
    "alpha nan": (["--alpha", "nan"], ("alpha nan found", "between 0 and 1")),
    "no blocks": (["--test", "t", "--blocks", 0], ("0 blocks found", "1 to 3 expected")),
    "more blocks than segments": (["--test", "t", "--blocks", 4], ("4 blocks found", "1 to 3 expected")),
    "more blocks than segments by default": (["--test", "t"], ("20 blocks found", "1 to 3 expected")),
    "an unknown test": (["--test", "anova"], ("--test", "'anova'")),
    "an unknown metric": (["--metric", "comet"], ("--metric", "'comet'")),
    "an unknown correction": (["--correction", "bonferroni"], ("--correction", "'bonferroni'")),
    "an unknown option": (["--magic"], ("--magic",)),
}


@pytest.mark.parametrize("kind", BAD_COMPARISONS)
@pytest.mark.parametrize("form", ["table", "json"])
def test_a_bad_comparison_is_refused(run: Runner, corpus: dict[str, Path], kind: str, form: str) -> None:
    options, fragments = BAD_COMPARISONS[kind]
    call = arguments("compare", corpus)
    if "t" in options:  # which draws nothing
        del call[call.index("--resamples") : call.index("--resamples") + 2]
    assert_refused(run(*call, *options, "--format", form), *fragments)


def test_no_resamples_are_refused(run: Runner, corpus: dict[str, Path]) -> None:
    call = ["compare", "--ref", corpus["ref"], "--resamples", 0, corpus["better"], corpus["worse"]]
    assert_refused(run(*call), "0 resamples found", "at least 1 expected")


def test_one_system_cannot_be_compared(run: Runner, corpus: dict[str, Path]) -> None:
    assert_refused(run("compare", "--ref", corpus["ref"], corpus["better"]), "1 system found, at least 2 expected")


@pytest.mark.parametrize("command", COMPARING)
def test_files_that_do_not_fit_cannot_be_compared(
    run: Runner, corpus: dict[str, Path], write: Writer, command: str
) -> None:
    by = ["--by", "kind", "--labels", corpus["labels"]] if command == "slices" else []
    call = [command, *by, "--ref", corpus["ref"], corpus["better"]]
    short, twin = write("short.txt", "one\n"), write("sub/better.txt", WORSE)
    assert_refused(run(*call, short), "short.txt has 1 line, 2 fewer than")
    assert_refused(run(*call, corpus["better"].parent / "missing.txt"), "missing.txt", "no such file")
    assert_refused(run(*call, twin), str(corpus["better"]), str(twin), "already holds a system called better")
    documents = write("docs.txt", "d\nd\n")
    assert_refused(
        run(*call, corpus["worse"], "--documents", documents),
        "docs.txt has 2 lines, 1 fewer than the 3 other files (3).",
    )


# --- many systems -----------------------------------------------------------------------------------------------


def compared_many(run: Runner, write: Writer, *options: object) -> str:
    paths = [write(name, text) for name, text in files_of(many_systems()).items()]
    *systems, reference = paths
    return run("compare", "--all-pairs", "--resamples", 100, "--ref", reference, *options, *systems).out


def test_tables_of_many_systems_have_the_pairs_of_the_leader_and_of_neighbours(run: Runner, write: Writer) -> None:
    names = many_systems().systems
    leader = min(names, key=lambda name: int(name.removeprefix("System-")))
    note = (
        f"49 of 325 pairs are shown: those of {leader}, which scores best, and of systems next to each other in the "
        "ranking; p is corrected for all 325 pairs, since these were chosen by their scores. All pairs: --format json "
        "or tsv."
    )
    for form in ("table", "latex"):
        out = compared_many(run, write, "--format", form)
        rows = [line for line in out.splitlines() if "325 pairs of 26 systems" in line and "compared by" not in line]
        rows = [line for line in rows if line.startswith("System-")]
        assert len(rows) == 2 * MANY - 3
        assert note in out


def test_files_for_programs_have_all_pairs_of_many_systems(run: Runner, write: Writer) -> None:
    pairs = json.loads(compared_many(run, write, "--format", "json"))["pairs"]
    assert len(pairs) == 325
    tsv, *_ = compared_many(run, write, "--format", "tsv").split("\n\n")
    rows = list(csv.DictReader(io.StringIO(tsv), delimiter="\t", quoting=csv.QUOTE_NONE))
    assert [(row["system"], row["baseline"]) for row in rows] == [(pair["system"], pair["baseline"]) for pair in pairs]
    assert [float(row["p_value_adjusted"]) for row in rows] == [pair["p_value_adjusted"] for pair in pairs]


def test_reversing_sets_of_many_systems_are_those_of_the_shown_pairs(run: Runner, write: Writer) -> None:
    out = compared_many(run, write, "--reversal")
    table = out.split("\n\n")[3]
    assert "left out" in table
    rows = [line for line in table.splitlines() if line.startswith("System-")]
    assert len(rows) == 2 * MANY - 3
    found = json.loads(compared_many(run, write, "--reversal", "--format", "json"))["pairs"]
    assert sum("reversal" in pair for pair in found) == 325


def test_tables_of_many_systems_by_several_metrics_have_a_note_each(run: Runner, write: Writer) -> None:
    metrics = ["--metric", "bleu", "--metric", "chrf2"]
    table = compared_many(run, write, *metrics)
    assert len(re.findall(r"49 of 325 pairs are shown: .* All pairs: --format json or tsv\.", table)) == 2
    assert sum("325 pairs of 26 systems" in line for line in table.splitlines() if line.startswith("System-")) == 98
    tsv = compared_many(run, write, *metrics, "--format", "tsv")
    assert "pairs are shown" not in tsv
    assert sum("325 pairs of 26 systems" in line for line in tsv.splitlines() if line.startswith("System-")) == 650
