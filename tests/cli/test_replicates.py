"""`--group`: runs of one system, their spread in `score` and the comparison of groups in `compare`."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from calls import FORMATS, SAMPLE, assert_refused
from conftest import Runner, Writer

from bleu_core.collection import compare_groups
from bleu_core.dataset import Corpus
from bleu_core.scoring import evaluate

BASE, LARGE = "base=base.s*", "large=large.s*"


@pytest.fixture
def runs(sample: dict[str, Path], write: Writer) -> dict[str, Path]:
    """Runs that mix outputs of two systems of the sample, three of each group, and a single system."""
    generator = random.Random(1)
    files: dict[str, Path] = {}
    for group, (one, other) in {"base": ("S1", "S2"), "large": ("S3", "H2")}.items():
        for seed in (1, 2, 3):
            share = generator.uniform(0.45, 0.55)
            lines = (
                first if generator.random() < share else second
                for first, second in zip(SAMPLE[one], SAMPLE[other], strict=True)
            )
            files[f"{group}.s{seed}"] = write(f"{group}.s{seed}.txt", "\n".join(lines) + "\n")
    return files | {"online": write("online.txt", sample["S1"].read_bytes()), "ref": sample["ref"]}


def call(command: str, runs: Mapping[str, Path], *options: object) -> list[object]:
    """A call of a command on all runs."""
    return [command, "--ref", runs["ref"], *options, *(path for name, path in runs.items() if name != "ref")]


def of_json(run: Runner, command: str, runs: Mapping[str, Path], *options: object) -> Any:
    """The JSON of a command on all runs."""
    return run(*call(command, runs, "--format", "json", *options)).json


def test_compare_compares_groups_and_the_systems_in_none(run: Runner, runs: dict[str, Path]) -> None:
    found = of_json(run, "compare", runs, "--group", BASE, "--group", LARGE)
    assert [group["group"] for group in found["groups"]] == ["base", "large", "online"]
    assert [(pair["system"], pair["baseline"]) for pair in found["pairs"]] == [("large", "base"), ("online", "base")]
    assert [pair["runs"] for pair in found["pairs"]] == [3, 1]
    assert {pair["varies"] for pair in found["pairs"]} == {"runs and segments"}
    assert [run["system"] for run in found["groups"][0]["systems"]] == ["base.s1", "base.s2", "base.s3"]
    assert (found["test"], found["family"], found["unit"]) == ("two-way clustering", "2 pairs with base", "segment")
    assert found["warnings"] == [
        "online: one run: its scores are assumed to vary between runs as much as those of the group it is compared with"
    ]


def test_the_numbers_are_those_of_the_library(run: Runner, runs: dict[str, Path]) -> None:
    systems = {name: path.read_text("utf-8").removesuffix("\n") for name, path in runs.items()}
    reference = systems.pop("ref")
    texts = {name: tuple(text.split("\n")) for name, text in systems.items()}
    statistics = evaluate(Corpus(texts, {"ref": tuple(reference.split("\n"))})).statistics
    groups = {"base": tuple(list(texts)[:3]), "large": tuple(list(texts)[3:6])}
    (expected,) = compare_groups(statistics, groups, [(1, 0)]).pairs
    (pair, _) = of_json(run, "compare", runs, "--group", BASE, "--group", LARGE)["pairs"]
    for key in ("delta", "standard_error", "p_value", "degrees_of_freedom", "t", "run_error", "segment_error"):
        assert pair[key] == pytest.approx(getattr(expected, key))
    assert (pair["low"], pair["high"]) == pytest.approx((expected.interval.low, expected.interval.high))


def test_the_mean_of_a_group_is_that_of_the_scores_of_its_runs(run: Runner, runs: dict[str, Path]) -> None:
    found = of_json(run, "score", runs, "--group", BASE)
    scores = {system["system"]: system["bleu"] for system in found["systems"]}
    (group,) = found["groups"]
    members = [scores[name] for name in ("base.s1", "base.s2", "base.s3")]
    assert group["score"] == pytest.approx(sum(members) / 3)
    assert (group["lowest"], group["highest"]) == pytest.approx((min(members), max(members)))
    assert {one["system"]: one["score"] for one in group["systems"]} == pytest.approx(
        dict(zip(("base.s1", "base.s2", "base.s3"), members, strict=True))
    )
    assert group["low"] < group["score"] < group["high"]
    assert "groups" not in of_json(run, "score", runs)


def test_all_pairs_have_the_worse_group_as_baseline_and_the_first_line_is_the_answer(
    run: Runner, runs: dict[str, Path]
) -> None:
    options = ["--group", BASE, "--group", LARGE, "--all-pairs"]
    pairs = of_json(run, "compare", runs, *options)["pairs"]
    assert [(pair["system"], pair["baseline"]) for pair in pairs] == [
        ("large", "base"),
        ("large", "online"),
        ("base", "online"),
    ]
    assert all(pair["delta"] > 0 for pair in pairs)
    lines = run(*call("compare", runs, *options)).out.split("\n")
    for line, pair in zip(lines, pairs, strict=False):
        one, other = pair["system"], pair["baseline"]
        if pair["verdict"] == "better":
            start = f"{one} scores significantly higher than {other}, where runs and segments vary: the difference is "
        else:
            start = f"The difference between {one} and {other} is not significant, where runs and segments vary: "
        assert line.startswith(f"{start}{pair['delta']:.2f} BLEU (95% interval ")
        assert line.endswith(").")
        assert "; p (Holm) " in line
    assert lines[3] == ""
    assert {pair["verdict"] for pair in pairs} == {"better", "not significant"}


def test_many_pairs_are_counted_in_the_first_line(run: Runner, runs: dict[str, Path], sample: dict[str, Path]) -> None:
    options = ["--group", BASE, "--group", LARGE, "--all-pairs"]
    more = runs | {"S3": sample["S3"]}
    pairs = of_json(run, "compare", more, *options)["pairs"]
    assert len(pairs) == 6
    found = sum(pair["verdict"] != "not significant" for pair in pairs)
    assert 0 < found < 6
    first = run(*call("compare", more, *options)).out.split("\n")[0]
    verb = "is" if found == 1 else "are"
    assert first == f"{found} of 6 differences in BLEU {verb} significant, where runs and segments vary."


def test_by_a_metric_of_errors_the_lower_group_is_better(
    run: Runner, runs: dict[str, Path], sample: dict[str, Path]
) -> None:
    """Runs that repeat one output each; that of H2 has the fewer errors."""
    texts = {"ref": runs["ref"], **{name: path for name, path in runs.items() if name.startswith("base")}}
    for seed in (1, 2):
        texts[f"h.s{seed}"] = runs["ref"].with_name(f"h.s{seed}.txt")
        texts[f"h.s{seed}"].write_bytes(sample["H2"].read_bytes())
    options = ["--group", BASE, "--group", "h=h.s*", "--metric", "ter", "--all-pairs"]
    (pair,) = of_json(run, "compare", texts, *options)["pairs"]
    assert (pair["system"], pair["baseline"], pair["verdict"]) == ("h", "base", "better")
    assert pair["high"] < 0
    assert run(*call("compare", texts, *options)).out.startswith("h scores significantly lower than base, where runs")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("command", ["score", "compare"])
@pytest.mark.parametrize("metrics", [("bleu",), ("bleu", "chrf2")])
def test_every_format_has_groups_and_single_runs(
    run: Runner, runs: dict[str, Path], command: str, form: str, metrics: tuple[str, ...]
) -> None:
    named = [part for metric in metrics for part in ("--metric", metric)]
    result = run(*call(command, runs, "--group", BASE, "--group", LARGE, *named, "--format", form))
    assert result.status == 0
    for name in ("base", "base.s3", "large", "large.s2", "online"):
        assert name in result.out


def test_runs_are_paired_by_the_part_of_the_name_that_the_wildcard_matches(run: Runner, runs: dict[str, Path]) -> None:
    groups = ["--group", BASE, "--group", LARGE, "--baseline", "base"]
    independent, _ = of_json(run, "compare", runs, *groups)["pairs"]
    paired, single = of_json(run, "compare", runs, *groups, "--paired-runs")["pairs"]
    assert (independent["runs_paired"], paired["runs_paired"], single["runs_paired"]) == (False, True, False)
    assert paired["delta"] == independent["delta"]
    assert paired["run_error"] != independent["run_error"]
    assert paired["segment_error"] == independent["segment_error"]


def test_documents_vary_as_a_whole(run: Runner, runs: dict[str, Path], sample: dict[str, Path]) -> None:
    found = of_json(run, "compare", runs, "--group", BASE, "--group", LARGE, "--documents", sample["docs"])
    assert (found["unit"], found["pairs"][0]["varies"]) == ("document", "runs and documents")


def test_a_slice_of_few_segments_has_scores_and_a_reason(run: Runner, runs: dict[str, Path]) -> None:
    found = of_json(run, "compare", runs, "--group", BASE, "--group", LARGE, "--slice", "segment <= 4")
    pair = found["pairs"][0]
    assert (pair["p_value"], pair["low"], pair["verdict"]) == (None, None, "not tested")
    assert pair["reason"] == "only 4 segments, at least 6 needed"
    assert found["groups"][0]["score"] is not None
    first = run(*call("compare", runs, "--group", BASE, "--group", LARGE, "--slice", "segment <= 4")).out
    assert first.startswith("The difference between large and base is not tested: only 4 segments")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--group", "base"], "argument --group: group 'base' found, NAME=PATTERN expected"),
        (["--group", "x=nothing*"], "argument --group: group 'x': no system that matches 'nothing*' found"),
        (["--group", "all=*"], "argument --group: all systems are runs of all, at least 2 groups or systems expected"),
        (["--group", BASE, "--baseline", "base.s1"], "argument --baseline: base.s1 is a run of base"),
        (["--group", BASE, "--baseline", "unknown"], "baseline 'unknown' found, one of base, large.s1"),
        (["--group", BASE, "--paired-runs"], "argument --paired-runs: no two groups with the same seeds found"),
        (["--paired-runs"], "argument --paired-runs: name the groups of runs with --group"),
        (["--group", BASE, "--test", "bootstrap"], "argument --test: not allowed with --group"),
        (["--group", BASE, "--resamples", 100], "argument --resamples: not allowed with --group"),
        (["--group", BASE, "--seed", 1], "argument --seed: not allowed with --group"),
        (["--group", BASE, "--reversal"], "argument --reversal: not allowed with --group"),
    ],
)
def test_wrong_calls_are_refused_in_one_line(
    run: Runner, runs: dict[str, Path], options: list[object], message: str
) -> None:
    assert_refused(run(*call("compare", runs, *options)), message)


def test_a_wrong_group_of_score_is_refused(run: Runner, runs: dict[str, Path]) -> None:
    assert_refused(run(*call("score", runs, "--group", "online=base*")), "the name of another system found")


def test_runs_that_were_optimised_for_a_metric_are_not_compared_by_it(run: Runner, runs: dict[str, Path]) -> None:
    options = ["--group", BASE, "--group", LARGE, "--optimised", "base.s3=BLEU"]
    found = of_json(run, "compare", runs, *options)
    assert [one["system"] for one in found["groups"][0]["systems"]] == ["base.s1", "base.s2"]
    assert found["not_ranked"][0]["system"] == "base.s3"


def test_counts_files_have_groups_too(run: Runner, runs: dict[str, Path], tmp_path: Path) -> None:
    counts = tmp_path / "all.counts"
    names = [path for name, path in runs.items() if name != "ref"]
    assert run("count", "--ref", runs["ref"], "--out", counts, *names).status == 0
    options = ["--group", BASE, "--group", LARGE, "--format", "json"]
    of_counts = run("compare", *options, counts).json
    assert of_counts["pairs"] == of_json(run, "compare", runs, *options[:4])["pairs"]
    assert run("score", *options, counts).json["groups"] == of_json(run, "score", runs, *options[:4])["groups"]
