"""`bleu-core ngrams`: its contract, and that its matches are those of `score`."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from calls import ENVELOPE, FORMATS, SAMPLE, assert_refused
from conftest import Runner, Writer

PAIR_COUNTS = {"order", "in_references", "matches", "baseline_matches", "gained", "lost"}
SYSTEM_COUNTS = {"order", "in_references", "occurrences", "matches", "overused", "missing"}
NGRAM = {"order", "ngram", "kind", "in_references", "effect"}


def ngrams(run: Runner, sample: dict[str, Path], *options: object, systems: str = "S1 S2 S3") -> Any:
    """The JSON of `ngrams`."""
    call = ["ngrams", "--ref", sample["ref"], *options, "--format", "json"]
    return run(*call, *(sample[name] for name in systems.split())).json


def scores(run: Runner, sample: dict[str, Path], *options: object) -> dict[str, Any]:
    """The JSON of `score`, by system."""
    call = ["score", "--ref", sample["ref"], *options, "--format", "json"]
    return {one["system"]: one for one in run(*call, *(sample[name] for name in ("S1", "S2", "S3"))).json["systems"]}


def test_json_with_a_baseline_has_exactly_the_keys_of_the_contract(run: Runner, sample: dict[str, Path]) -> None:
    found = ngrams(run, sample, "--baseline", "S2")
    assert set(found) == ENVELOPE | {"pairs"}
    assert [(pair["system"], pair["baseline"]) for pair in found["pairs"]] == [("S1", "S2"), ("S3", "S2")]
    for pair in found["pairs"]:
        assert set(pair) == {"system", "baseline", "orders", "won", "lost", "kinds", "frequencies", "lengths"}
        assert all(set(one) == PAIR_COUNTS for one in pair["orders"])
        for name in ("kinds", "frequencies", "lengths"):
            assert pair[name]
            assert all(set(one) == PAIR_COUNTS | {"group"} for one in pair[name])
        for name in ("won", "lost"):
            orders = [one["order"] for one in pair[name]]
            assert orders == sorted(orders)
            assert [orders.count(order) for order in (1, 2, 3)] == [10, 10, 10]
            for one in pair[name]:
                assert set(one) == NGRAM | {"gained", "lost", "segments_gained", "segments_lost"}
                assert (one["effect"] > 0) == (name == "won") == (one["gained"] > one["lost"])
                assert len(one["segments_gained"]) <= one["gained"]
                assert len(one["ngram"].split(" ")) == one["order"]


def test_json_without_a_baseline_has_exactly_the_keys_of_the_contract(run: Runner, sample: dict[str, Path]) -> None:
    found = ngrams(run, sample, systems="S1 S2")
    assert set(found) == ENVELOPE | {"systems"}
    assert [one["system"] for one in found["systems"]] == ["S1", "S2"]
    for system in found["systems"]:
        assert set(system) == {"system", "orders", "overused", "missing", "kinds", "frequencies", "lengths"}
        assert all(set(one) == SYSTEM_COUNTS for one in system["orders"])
        for name in ("kinds", "frequencies", "lengths"):
            assert all(set(one) == SYSTEM_COUNTS | {"group"} for one in system[name])
        for name in ("overused", "missing"):
            for one in system[name]:
                assert set(one) == NGRAM | {"overused", "missing", "segments_overused", "segments_missing"}
                assert one[name] > 0


@pytest.mark.parametrize("options", [[], ["--lowercase", "--tokenizer", "char"], ["--max-order", "6"]])
def test_matches_are_those_of_score(run: Runner, sample: dict[str, Path], options: list[str]) -> None:
    expected = scores(run, sample, *options)
    for pair in ngrams(run, sample, "--baseline", "S1", *options)["pairs"]:
        for column, name in (("matches", pair["system"]), ("baseline_matches", "S1")):
            assert [one[column] for one in pair["orders"]] == expected[name]["matches"]
        for one in pair["orders"]:
            assert one["gained"] - one["lost"] == one["matches"] - one["baseline_matches"]
    for system in ngrams(run, sample, *options)["systems"]:
        assert [one["matches"] for one in system["orders"]] == expected[system["system"]]["matches"]
        assert [one["occurrences"] for one in system["orders"]] == expected[system["system"]]["totals"]


def test_lists_and_groups_are_limited_by_options(run: Runner, sample: dict[str, Path]) -> None:
    options = ["--order", 2, "--top", 3, "--kind", "punctuation"]
    (pair,) = ngrams(run, sample, "--baseline", "S1", *options, systems="S1 S2")["pairs"]
    assert len(pair["won"]) == len(pair["lost"]) == 3
    assert {(one["order"], one["kind"]) for one in (*pair["won"], *pair["lost"])} == {(2, "punctuation")}
    assert {one["order"] for name in ("kinds", "frequencies", "lengths") for one in pair[name]} == {2}
    assert [one["order"] for one in pair["orders"]] == [1, 2, 3, 4]


def test_segments_of_a_slice_have_their_numbers_in_the_whole_text(
    run: Runner, sample: dict[str, Path], write: Writer
) -> None:
    options = ["--baseline", "S1", "--top", 1000]
    (part,) = ngrams(run, sample, *options, "--slice", "segment in 20-40", systems="S1 S2")["pairs"]
    rows = range(19, 40)
    texts = {"ref": sample["ref"].read_text(encoding="utf-8").split("\n"), "S1": SAMPLE["S1"], "S2": SAMPLE["S2"]}
    files = {
        name: write(f"part/{name}.txt", "".join(f"{lines[row]}\n" for row in rows)) for name, lines in texts.items()
    }
    (alone,) = ngrams(run, files, *options, systems="S1 S2")["pairs"]
    for name in ("won", "lost"):
        for one in alone[name]:
            for side in ("segments_gained", "segments_lost"):
                one[side] = [number + 19 for number in one[side]]
    assert part == alone


def test_documents_serve_slices(run: Runner, sample: dict[str, Path]) -> None:
    found = ngrams(run, sample, "--documents", sample["docs"], "--slice", "document = d1", systems="S1")
    assert found["slice"]["segments"] == found["segments"] == 2


@pytest.mark.parametrize("form", FORMATS)
def test_hostile_ngrams_are_shown_literally(run: Runner, write: Writer, form: str) -> None:
    reference = write("ref.txt", "=1+1 a_b $5 10% \\input{x} & <b>\n")
    call = ["ngrams", "--ref", reference, "--tokenizer", "none", "--format", form]
    result = run(*call, write("S.txt", "x\n"))
    assert result.status == 0
    if form == "latex":
        assert r"a\_b \$5 10\% \textbackslash{}input\{x\}" in result.out
    elif form == "tsv":
        listed = list(csv.reader(io.StringIO(result.out.split("\n\n")[1].lstrip("\n")), delimiter="\t"))
        column = listed[0].index("ngram")
        assert "=1+1 a_b $5 10%" in [row[column].lstrip("'") for row in listed[1:]]
    elif form == "markdown":
        assert r"| =1+1 a\_b \$5 10% |" in result.out
    else:
        assert "=1+1 a_b $5 10%" in result.out


def test_tables_show_what_json_shows(run: Runner, sample: dict[str, Path]) -> None:
    call = ["ngrams", "--ref", sample["ref"], "--baseline", "S1", sample["S1"], sample["S2"]]
    (pair,) = run(*call, "--format", "json").json["pairs"]
    orders, listed, divided = (
        list(csv.DictReader(io.StringIO(table), delimiter="\t"))
        for table in run(*call, "--format", "tsv").out.split("\n\n")
    )
    assert [int(row["gained"]) for row in orders] == [one["gained"] for one in pair["orders"]]
    assert [row["ngram"] for row in listed] == [one["ngram"] for one in (*pair["won"], *pair["lost"])]
    assert [row["list"] for row in listed] == ["won"] * len(pair["won"]) + ["lost"] * len(pair["lost"])
    for row, one in zip(listed, (*pair["won"], *pair["lost"]), strict=True):
        assert (int(row["gained_in"]), int(row["lost_in"])) == (len(one["segments_gained"]), len(one["segments_lost"]))
        assert float(row["effect"]) == one["effect"]
    groups = [one["group"] for name in ("kinds", "frequencies", "lengths") for one in pair[name]]
    assert [row["group"] for row in divided] == groups


def test_what_cannot_be_compared_is_refused(run: Runner, sample: dict[str, Path]) -> None:
    call = ["ngrams", "--ref", sample["ref"], sample["S1"]]
    assert_refused(run(*call, "--baseline", "S1"), "1 system found, at least 2 expected")
    assert_refused(run(*call, "--baseline", "S9"), "baseline 'S9' found, one of S1 expected")
    assert_refused(run(*call, "--top", 0), "0 n-grams found, at least 1 expected")
    assert_refused(run(*call, "--order", 5), "order 5 found, 1 to 4 expected")
    assert run(*call, "--order", 5, "--max-order", 5).status == 0
    assert_refused(run(*call, "--kind", "verbs"), "verbs")
