"""`bleu-core paper`: its contract, its formats and its options."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
import sample
from calls import ENVELOPE, assert_refused
from conftest import Runner, Writer

import sample_data
from bleu_core.paper import all_steps, compute_steps
from bleu_core.results.paper import sections

KEYS = ENVELOPE | {
    "table_references",
    "human_systems",
    "left_out",
    "ratings_left_out",
    "published_corresponds",
    "examples",
    "length",
    "penalties",
    "figure_1",
    "figure_2",
    "combining",
    "table_1",
    "table_2",
    "block_sizes",
    "references_by_number",
    "single_reference",
    "figures_3_4",
    "figures_5_6",
    "figure_7",
    "agreement_by_reference",
    "definitions",
    "claims",
}


PUBLISHED = {
    "examples",
    "length",
    "table_1",
    "table_2",
    "references_by_number",
    "single_reference",
    "figures_3_4",
    "figures_5_6",
}


SYSTEMS = {
    "one": "a b c d e\nf g h i j\nk l m n o\n",
    "two": "a b c d x\nf g h i j\nk l x n o\n",
    "three": "a b x d e\nx g h y j\nk l m z o\n",
}


REFERENCES = {"R": "a b c d e\nf g h i y\nk l m n z\n", "Q": "a b c d z\nf g h i j\nk l m n p\n"}


@pytest.fixture
def call(write: Writer) -> list[object]:
    """A call on three systems and two references."""
    options = [part for name, text in REFERENCES.items() for part in ("--ref", write(f"{name}.txt", text))]
    return ["paper", *options, *(write(f"{name}.txt", text) for name, text in SYSTEMS.items())]


@pytest.fixture
def human(write: Writer) -> Path:
    """Two judges' ratings."""
    rows = (
        f"{segment},{system},{judge},{score + (segment == 1) - (judge == 'y') * segment}\n"
        for system, score in (("one", 9), ("two", 7), ("three", 5))
        for segment in (1, 2, 3)
        for judge in ("x", "y")
    )
    return write("human.csv", "segment,system,judge,score\n" + "".join(rows))


def test_json_has_exactly_the_keys_of_the_contract(run: Runner, call: list[object], human: Path) -> None:
    for extra in ([], ["--human", human]):
        found = run(*call, *extra, "--format", "json").json
        assert set(found) == KEYS
        for key in KEYS:
            assert ("published" in found[key] if isinstance(found[key], dict) else False) == (key in PUBLISHED), key
        assert not found["published_corresponds"]


def test_without_judgments_their_sections_are_null_with_the_reason(run: Runner, call: list[object]) -> None:
    found = run(*call, "--format", "json").json
    for key in ("figures_3_4", "figures_5_6", "figure_7", "agreement_by_reference"):
        assert (found[key]["computed"], found[key]["reason"]) == (None, "no judgments")
    assert all(c["correlations"] is None and c["reason"] == "no judgments" for c in found["combining"]["computed"])


def test_the_papers_settings_are_the_preset_unless_said_otherwise(run: Runner, call: list[object]) -> None:
    found = run(*call, "--format", "json").json
    assert {key: found["settings"][key] for key in ("tokenizer", "lowercase", "smoothing")} == {
        "tokenizer": "none",
        "lowercase": True,
        "smoothing": "none",
    }
    assert run(*call, "--preset", "sacrebleu", "--format", "json").json["settings"]["tokenizer"] == "13a"


def test_sections_stand_under_headings(run: Runner, call: list[object], human: Path) -> None:
    headings = [section.heading for section in sections(compute_steps(sample.data(), all_steps()))]
    for extra in ([], ["--human", human]):
        for form, comment in (("table", ""), ("tsv", "# "), ("latex", "% ")):
            lines = run(*call, *extra, "--format", form).out.split("\n")
            printed = [line.removeprefix(comment) for line in lines if line.removeprefix(comment) in headings]
            assert printed == headings
    without = run(*call)
    assert without.out.count("left out: no judgments") == 5
    assert without.out.split("\n")[-2].startswith("nrefs:2|case:lc|eff:no|tok:none|smooth:none|")


def test_printed_values_are_a_table_of_their_own_for_other_systems(run: Runner, call: list[object]) -> None:
    out = run(*call).out
    assert "Values printed in the paper" in out
    assert "published BLEU" not in out
    assert "0.0527" in out
    assert "the paper's values are for its own systems: S1, S2, S3, H1, H2" in out


def test_tsv_tables_are_read_back_with_all_digits(run: Runner, call: list[object]) -> None:
    out = run(*call, "--format", "tsv").out
    part = out.split("# Table 1: BLEU\n")[1].split("\n#")[0]
    rows = list(csv.DictReader(io.StringIO(part), dialect="excel-tab"))
    found = run(*call, "--format", "json").json
    wanted = {s["system"]: s["bleu"] / 100 for s in found["table_1"]["computed"]}
    assert {row["system"]: float(row["bleu"]) for row in rows} == pytest.approx(wanted, rel=1e-12)


def test_options_are_taken(run: Runner, call: list[object], human: Path, write: Writer) -> None:
    documents = write("docs.txt", "one\none\ntwo\n")
    found = run(
        *call,
        *("--human", human, "--human-system", "one", "--documents", documents),
        *("--table-references", 1, "--draws", 7, "--seed", 1, "--format", "json"),
    ).json
    assert (found["references"], found["table_references"]) == (["R", "Q"], ["R"])
    single = found["single_reference"]["computed"]
    assert (single["unit"], single["units"], single["draws"], single["seed"]) == ("document", 2, 7, 1)
    assert found["human_systems"] == ["one"]
    assert [s["system"] for s in found["figure_1"]["computed"]["systems"]] == ["three", "one"]
    (agreement,) = found["figures_5_6"]["computed"]
    assert agreement["machines_only"]["pearson"]["reason"] == "2 systems, at least 3 needed"


def test_groups_may_have_any_name(run: Runner, call: list[object], write: Writer) -> None:
    names = ("BLEU", "all judges", "mean", "")
    rows = [f"{s},{n},{g},{g},{i}\n" for s in (1, 2) for i, n in enumerate(SYSTEMS) for g in names]
    human = write("groups.csv", "segment,system,judge,group,score\n" + "".join(rows))
    for form in ("table", "tsv", "latex", "json"):
        assert run(*call, "--human", human, "--format", form).status == 0


def test_ratings_that_cannot_be_placed_are_listed(run: Runner, call: list[object], human: Path, write: Writer) -> None:
    more = write("more.csv", human.read_text(encoding="utf-8") + "1,nobody,x,3\n")
    found = run(*call, "--human", more, "--format", "json").json
    assert [text.split(": ")[-1] for text in found["ratings_left_out"]] == ["nobody is not loaded as a system"]
    assert "nobody is not loaded as a system" in run(*call, "--human", more).out


def test_copies_of_references_are_left_out(run: Runner, call: list[object], write: Writer) -> None:
    found = run(*call, write("copy.txt", REFERENCES["R"]), "--format", "json").json
    assert found["left_out"] == [{"system": "copy", "reason": "identical to the reference R"}]


def test_bad_input_is_one_line(run: Runner, call: list[object], human: Path, write: Writer) -> None:
    assert_refused(
        run(*call, "--human-system", "nobody"), "human system 'nobody' found, one of one, two, three expected"
    )
    assert_refused(run(*call, "--table-references", 0), "0 references for the tables found")
    assert_refused(run(*call, "--draws", 0), "0 draws found")
    beyond = write("beyond.csv", human.read_text(encoding="utf-8") + "4,one,x,3\n")
    assert_refused(
        run(*call, "--human", beyond), "beyond.csv", "line 20", "segment 4 found, but the texts have 3 segments"
    )
    assert_refused(run(*call, "--documents", write("docs.txt", "one\n")), "docs.txt has 1 line, 2 fewer than")
    others = write("others.csv", "segment,system,score\n1,nobody,3\n")
    assert_refused(run(*call, "--human", others), "no rating")
    copy = write("copy.txt", REFERENCES["R"])
    assert_refused(run("paper", "--ref", copy.with_name("R.txt"), copy), "every system is identical to a reference")


def test_one_system_one_reference_and_one_segment_print_every_format(run: Runner, write: Writer) -> None:
    files = ["--ref", write("ref.txt", "a b c d\n"), write("s.txt", "a b c x\n")]
    for form in ("table", "tsv", "latex"):
        assert run("paper", *files, "--format", form).status == 0
    found = run("paper", *files, "--format", "json").json
    assert found["table_2"]["computed"]["systems"][0]["reason"] == "only one block"
    assert found["single_reference"]["computed"]["order_kept"] is None
    assert found["block_sizes"]["computed"] == []


def test_empty_hypotheses_are_null_with_a_reason(run: Runner, call: list[object], write: Writer) -> None:
    found = run(*call, write("empty.txt", "\n\n\n"), "--format", "json").json
    (empty,) = (s for s in found["figure_2"]["computed"]["systems"] if s["system"] == "empty")
    assert (empty["precisions"], empty["reason"]) == ([None] * 4, "an order has no n-grams")
    (empty,) = (s for s in found["definitions"]["computed"][0]["systems"] if s["system"] == "empty")
    assert (empty["log_bleu"], empty["reason"]) == (None, "the logarithm of 0 is undefined")


def test_the_sample_data_print_their_calibration(run: Runner) -> None:
    references = [part for path in sample_data.references() for part in ("--ref", path)]
    result = run("paper", *references, *sample_data.systems(), "--draws", 10)
    assert "S1        0.0517            0.0527" in result.out
