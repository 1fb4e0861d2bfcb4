"""Commands take counts files in place of texts, with the same results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from calls import assert_refused
from conftest import Runner, Writer
from nightly import nightly

import sample_data
from bleu_core.counts import read_counts, write_counts

SYSTEMS = [str(path) for path in sample_data.systems()][:3]
REFERENCES = [argument for path in sample_data.references() for argument in ("--ref", str(path))]


@pytest.fixture
def counted(run: Runner, tmp_path: Path) -> str:
    return count(run, tmp_path / "all.counts")


def count(run: Runner, out: Path, *options: object, systems: Sequence[str] = SYSTEMS) -> str:
    done = run("count", *REFERENCES, *systems, "--out", out, *options)
    assert done.status == 0, done.err
    return str(out)


CALLS = (
    ["score"],
    ["score", "--intervals"],
    ["score", "--smoothing", "none", "--reference-length", "shortest", "--max-order", "3"],
    ["score", "--reference-length", "average", "--weights", "0.4,0.3,0.2,0.1"],
    ["blocks", "--block-size", "30"],
    ["compare", "--all-pairs", "--resamples", "50", "--reversal"],
    ["compare", "--test", "t"],
    ["compare", "--test", "randomization", "--trials", "50"],
)


@pytest.mark.parametrize(
    ("call", "form"),
    [
        *((call, "json") for call in CALLS),
        *((CALLS[0], form) for form in ("table", "tsv", "latex")),
        *nightly((call, form) for call in CALLS[1:] for form in ("table", "tsv", "latex")),
    ],
)
def test_results_are_those_of_the_texts(run: Runner, counted: str, call: list[str], form: str) -> None:
    expected = run(*call, *REFERENCES, *SYSTEMS, "--format", form)
    found = run(*call, counted, "--format", form)
    assert (found.status, found.out, found.err) == (expected.status, expected.out, expected.err)


@pytest.mark.parametrize("call", [["blocks"], ["compare"], ["compare", "--units", "documents"], ["gate"]])
def test_documents_of_the_segments_may_be_named(run: Runner, write: Writer, tmp_path: Path, call: list[str]) -> None:
    documents = ["--documents", str(write("docs.txt", "".join(f"d{i // 12}\n" for i in range(500))))]
    files = [count(run, tmp_path / f"{i}.counts", systems=[path]) for i, path in enumerate(SYSTEMS[:2])]
    expected = run(*call, *REFERENCES, *documents, *SYSTEMS[:2], "--format", "json")
    assert run(*call, *documents, *files, "--format", "json").out == expected.out


def test_gate_takes_two_files_of_one_system_each(run: Runner, counted: str, tmp_path: Path) -> None:
    files = [count(run, tmp_path / f"{i}.counts", systems=[path]) for i, path in enumerate(SYSTEMS)]
    for one, other in ((0, 1), (1, 0)):
        expected = run("gate", *REFERENCES, SYSTEMS[one], SYSTEMS[other])
        found = run("gate", files[one], files[other])
        assert (found.status, found.out) == (expected.status, expected.out)
    assert_refused(run("gate", files[0], counted), "all.counts: system 'S1' is in", "0.counts")


def test_systems_of_several_files_are_together(run: Runner, tmp_path: Path) -> None:
    files = [count(run, tmp_path / f"{i}.counts", systems=[path]) for i, path in enumerate(SYSTEMS)]
    assert run("score", *files).out == run("score", *REFERENCES, *SYSTEMS).out


def test_copies_and_what_is_odd_are_told(run: Runner, write: Writer, tmp_path: Path) -> None:
    text, out = write("s.txt", "a b c\n\nd e f\n"), tmp_path / "x.counts"
    reference = write("r.txt", "a b c\n\nd e f\n")
    run("count", "--ref", reference, text, "--out", out)
    found = run("score", out)
    assert "not ranked: s (identical to the reference r)" in found.err
    assert "s: 1 segment without text" in found.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--ref", SYSTEMS[0]], "argument --ref: counts files hold no texts"),
        (["--slice", "length > 3"], "argument --slice: counts files hold no texts"),
        (["--source", SYSTEMS[0]], "argument --source: counts files hold no texts"),
        (["--metric", "chrf2"], "argument --metric: counts files hold n-grams of BLEU; chrf2 needs the texts"),
        (["--tokenizer", "none"], "argument --tokenizer: tokenizer none found, but the texts were counted with 13a"),
        (["--lowercase"], "argument --lowercase: lowercase True found, but the texts were counted with False"),
        (["--preset", "paper"], "argument --preset: tokenizer none found, but the texts were counted with 13a"),
        (["--max-order", "5"], "order 5 is needed, but n-grams were counted up to order 4"),
        ([SYSTEMS[0]], "S1.txt: texts found together with counts files; count the texts first"),
    ],
)
@pytest.mark.parametrize("command", ["score", "compare", "blocks"])
def test_what_needs_the_texts_is_refused(
    run: Runner, counted: str, command: str, options: list[str], message: str
) -> None:
    assert_refused(run(command, counted, *options), message)


@pytest.mark.parametrize("command", ["ngrams", "slices", "references", "check", "correlate", "paper", "probe", "count"])
def test_other_commands_say_that_they_need_the_texts(
    run: Runner, write: Writer, tmp_path: Path, counted: str, command: str
) -> None:
    human = write("h.csv", "segment,system,judge,score\n1,S1,j,1\n")
    options = {
        "correlate": ["--human", human],
        "paper": ["--human", human],
        "slices": ["--by", "kind"],
        "count": ["--out", tmp_path / "x"],
    }
    for references in ([], REFERENCES):
        found = run(command, *references, *options.get(command, []), counted)
        assert_refused(found, "all.counts: a counts file found", "it holds counts and no texts; give the texts")


def test_a_part_alone_and_other_references_are_refused(run: Runner, counted: str, tmp_path: Path) -> None:
    part = count(run, tmp_path / "part.counts", "--part", "2/3")
    assert_refused(run("score", part), "part.counts: lines 168 to 334 of 500 found; merge all parts first")
    other = tmp_path / "other.counts"
    run("count", *REFERENCES[:2], SYSTEMS[0], "--out", other)
    assert_refused(run("score", counted, other), "other.counts: references R1 found", "expected (in ")
    lower = count(run, tmp_path / "lower.counts", "--lowercase")
    assert_refused(run("score", counted, lower), "lower.counts: case:lc", "case:mixed")


def test_counts_of_another_version_of_the_tokenisers_are_told(run: Runner, counted: str) -> None:
    counts = read_counts(counted)
    older = replace(counts.counted, signature="case:mixed|tok:13a|version:1.0")
    write_counts(replace(counts, counted=older), counted)
    found = run("score", counted)
    assert found.status == 0
    assert "warning: the texts were counted with case:mixed|tok:13a|version:1.0, but the signature" in found.err


@pytest.fixture
def bundled(run: Runner, tmp_path: Path) -> str:
    return count(run, tmp_path / "bundled.counts", "--bundles", 200)


def without_resampling(content: Any) -> Any:
    """A result without what is resampled."""
    left_out = {"bleu_low", "bleu_high", "low", "high", "p_value", "p_value_adjusted", "unit", "units", "resampled"}
    left_out |= {"score_low", "score_high", "methods", "null_hypothesis", "warnings", "verdict", "detail"}
    if isinstance(content, dict):
        return {key: without_resampling(value) for key, value in content.items() if key not in left_out}
    return [without_resampling(value) for value in content] if isinstance(content, list) else content


@pytest.mark.parametrize("reference_length", ["closest", "shortest"])
def test_bundles_have_the_scores_of_the_texts(run: Runner, bundled: str, reference_length: str) -> None:
    options = ["--reference-length", reference_length, "--format", "json"]
    for call in (["score"], ["score", "--intervals"], ["compare", "--all-pairs", "--resamples", "500"]):
        found, expected = run(*call, bundled, *options).json, run(*call, *REFERENCES, *SYSTEMS, *options).json
        assert without_resampling(found) == without_resampling(expected)
        for ours, theirs in zip(bounds(found), bounds(expected), strict=True):
            assert ours == pytest.approx(theirs, abs=0.6)  # of intervals 3 points wide


def bounds(content: Any) -> list[float]:
    text = json.loads(json.dumps(content))
    rows = text.get("pairs", text["systems"])
    return [row[name] for row in rows for name in ("low", "high", "bleu_low", "bleu_high") if name in row]


def test_bundles_are_named_as_what_is_resampled(run: Runner, bundled: str, tmp_path: Path) -> None:
    found = run("compare", bundled, "--format", "json").json
    assert found["unit"] == "bundle"
    assert found["units"] <= 200
    assert found["segments"] == 500
    assert f"10,000 resamples of {found['units']} bundles" in found["methods"]
    assert "on 500 segments with" in found["methods"]
    swapped = run("compare", bundled, "--test", "randomization", "--trials", "99", "--format", "json").json
    assert "for each bundle" in swapped["null_hypothesis"]
    files = [count(run, tmp_path / f"{i}.counts", "--bundles", 200, systems=[path]) for i, path in enumerate(SYSTEMS)]
    assert run("gate", *files[:2]).status in {0, 1}


def test_what_needs_single_segments_refuses_bundles(run: Runner, write: Writer, bundled: str) -> None:
    documents = write("docs.txt", "d\n" * 500)
    assert_refused(run("blocks", bundled), "blocks need counts per segment, and these counts are bundled")
    assert_refused(
        run("compare", bundled, "--reversal"), "argument --reversal: the segments of these counts are bundled"
    )
    assert_refused(run("compare", bundled, "--documents", documents), "argument --documents: the segments", "bundled")
