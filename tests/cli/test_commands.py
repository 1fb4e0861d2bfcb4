"""The command line: its contract, and that bad input is one line and status 2."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import sacrebleu
from conftest import Run, Runner, Writer
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from scipy import stats

import sample_data
from bleu_core.cli.commands import main
from bleu_core.inference import TESTS

REFERENCE = "the cat sat on the mat\na dog ran in the park\nit is late now\n"
BETTER = "the cat sat on the mat\na dog ran in a park\nit is very late now\n"
WORSE = "a cat sat on a mat\none dog walks in the park\nlate it is\n"
THIRD = "the cat on the mat\nthe dog ran in the park today\nit is late\n"
HUMAN = "segment,system,judge,score\n" + "".join(
    f"{segment},{system},x,{score}\n"
    for system, scores in (("better", (5, 4, 4)), ("worse", (2, 3, 1)), ("third", (3, 4, 3)))
    for segment, score in enumerate(scores, start=1)
)

FORMATS = ("table", "json", "tsv", "latex")
COMMANDS = ("score", "blocks", "correlate", "paper")
COMPARING = ("compare", "gate")


@pytest.fixture
def corpus(write: Writer) -> dict[str, Path]:
    """One reference, three systems of three segments, and ratings of them."""
    return {
        "ref": write("ref.txt", REFERENCE),
        "better": write("better.txt", BETTER),
        "worse": write("worse.txt", WORSE),
        "third": write("third.txt", THIRD),
        "human": write("human.csv", HUMAN),
    }


def arguments(command: str, corpus: Mapping[str, Path]) -> list[object]:
    """A call of a command that works, on three systems."""
    extra: dict[str, list[object]] = {
        "score": [],
        "blocks": ["--blocks", 3],
        "correlate": ["--human", corpus["human"]],
        "compare": ["--resamples", 20],
        "gate": ["--resamples", 20],
        "paper": ["--human", corpus["human"], "--draws", 20, "--preset", "sacrebleu"],
    }
    systems = [corpus[name] for name in ("better", "worse", "third")][: 2 if command == "gate" else 3]
    return [command, "--ref", corpus["ref"], *extra[command], *systems]


def assert_refused(result: Run, *fragments: str) -> None:
    """Status 2, nothing printed, one line on standard error that says all of the fragments."""
    assert result.status == 2
    assert result.out == ""
    assert result.err.endswith("\n")
    assert result.err.count("\n") == 1, result.err
    assert result.err.startswith("bleu-core")
    assert "Traceback" not in result.err
    for fragment in fragments:
        assert fragment in result.err


# --- what works -------------------------------------------------------------------------------------------------


def test_score_json_has_exactly_the_keys_of_the_contract(run: Runner, corpus: dict[str, Path]) -> None:
    found = run(*arguments("score", corpus), "--format", "json").json
    assert set(found) == {"signature", "settings", "references", "segments", "systems"}
    assert found["references"] == ["ref"]
    assert found["segments"] == 3
    assert [system["system"] for system in found["systems"]] == ["better", "worse", "third"]
    for system in found["systems"]:
        assert set(system) == {
            "system",
            "bleu",
            "precisions",
            "brevity_penalty",
            "hypothesis_length",
            "reference_length",
            "matches",
            "totals",
        }
    assert set(found["settings"]) == {
        "tokenizer",
        "lowercase",
        "max_order",
        "weights",
        "smoothing",
        "smoothing_value",
        "reference_length",
        "effective_order",
    }


def test_blocks_json_has_exactly_the_keys_of_the_contract(run: Runner, corpus: dict[str, Path]) -> None:
    found = run(*arguments("blocks", corpus), "--format", "json").json
    assert set(found) == {"signature", "block_sizes", "systems", "pairs"}
    assert found["block_sizes"] == [1, 1, 1]
    for system in found["systems"]:
        assert set(system) == {"system", "bleu", "mean", "standard_deviation", "zero_blocks", "scores"}
    for pair in found["pairs"]:
        keys = {"system", "baseline", "delta", "mean_difference", "t", "degrees_of_freedom", "p_value"}
        assert set(pair) - {"reason"} == keys


def test_correlate_json_has_exactly_the_keys_of_the_contract(run: Runner, corpus: dict[str, Path]) -> None:
    found = run(*arguments("correlate", corpus), "--format", "json").json
    assert set(found) == {
        "signature",
        "level",
        "excluded",
        "systems",
        "pearson",
        "spearman",
        "kendall",
        "pairwise_accuracy",
        "regression",
        "soft_pairwise_accuracy",
        "over_systems",
        "over_segments",
        "leave_one_out",
        "outliers",
    }
    assert found["level"] == "system"
    assert all(set(system) == {"system", "bleu", "human"} for system in found["systems"])
    for method in ("pearson", "spearman", "kendall"):
        assert set(found[method]) == {"coefficient", "low", "high", "p_value"}
    assert set(found["pairwise_accuracy"]) == {"value", "agreeing", "pairs"}
    assert set(found["regression"]) == {"slope", "intercept"}


def test_human_means_are_over_segments_of_means_over_judges(run: Runner, corpus: dict[str, Path]) -> None:
    found = run(*arguments("correlate", corpus), "--format", "json").json
    # The ratings of better are 5, 4 and 4, of worse 2, 3 and 1, of third 3, 4 and 3.
    human = {system["system"]: system["human"] for system in found["systems"]}
    assert human == pytest.approx({"better": 13 / 3, "worse": 2.0, "third": 10 / 3})


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("form", FORMATS)
def test_every_command_prints_every_format(run: Runner, corpus: dict[str, Path], command: str, form: str) -> None:
    result = run(*arguments(command, corpus), "--format", form)
    assert result.status == 0
    assert result.err == ""
    for name in ("better", "worse", "third"):
        assert name in result.out


@pytest.mark.parametrize("command", COMMANDS)
def test_the_table_names_the_signature(run: Runner, corpus: dict[str, Path], command: str) -> None:
    assert (
        f"nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:{sacrebleu.__version__}"
        in run(*arguments(command, corpus)).out
    )


def test_score_tsv_has_all_digits(run: Runner, corpus: dict[str, Path]) -> None:
    call = arguments("score", corpus)
    rows = list(csv.DictReader(io.StringIO(run(*call, "--format", "tsv").out), dialect="excel-tab"))
    systems = run(*call, "--format", "json").json["systems"]
    assert [row["system"] for row in rows] == [system["system"] for system in systems]
    assert [float(row["bleu"]) for row in rows] == [system["bleu"] for system in systems]
    assert [float(row["precision_4"]) for row in rows] == [system["precisions"][3] for system in systems]


def test_score_equals_sacrebleu(run: Runner, corpus: dict[str, Path]) -> None:
    found = run(*arguments("score", corpus), "--format", "json").json
    for system, text in zip(found["systems"], (BETTER, WORSE, THIRD), strict=True):
        wanted = sacrebleu.corpus_bleu(text.split("\n")[:-1], [REFERENCE.split("\n")[:-1]], force=True)
        assert system["bleu"] == pytest.approx(wanted.score, rel=1e-9)
        assert (system["matches"], system["totals"]) == (wanted.counts, wanted.totals)


def test_blocks_lists_systems_lowest_first_and_equal_ones_by_name(run: Runner, write: Writer) -> None:
    reference = write("ref.txt", REFERENCE)
    systems = [write(f"{name}.txt", text) for name, text in (("z", WORSE), ("b", BETTER), ("a", WORSE))]
    found = run("blocks", "--ref", reference, "--blocks", 3, "--format", "json", *systems).json
    assert [system["system"] for system in found["systems"]] == ["a", "z", "b"]
    assert [(pair["baseline"], pair["system"]) for pair in found["pairs"]] == [("a", "z"), ("z", "b")]


def test_blocks_of_identical_systems_have_no_t(run: Runner, write: Writer) -> None:
    systems = [write("a.txt", WORSE), write("b.txt", WORSE)]
    found = run("blocks", "--ref", write("ref.txt", REFERENCE), "--blocks", 3, "--format", "json", *systems).json
    (pair,) = found["pairs"]
    assert pair["t"] is pair["p_value"] is None
    assert pair["delta"] == pair["mean_difference"] == 0


def test_blocks_scores_are_of_the_blocks_alone(run: Runner, write: Writer) -> None:
    reference, system = write("ref.txt", REFERENCE), write("s.txt", BETTER)
    found = run("blocks", "--ref", reference, "--blocks", 2, "--format", "json", system).json
    assert found["block_sizes"] == [2, 1]
    hypotheses, references = BETTER.split("\n")[:-1], REFERENCE.split("\n")[:-1]
    wanted = [
        sacrebleu.corpus_bleu(hypotheses[part], [references[part]], force=True).score
        for part in (slice(0, 2), slice(2, 3))
    ]
    assert found["systems"][0]["scores"] == pytest.approx(wanted, rel=1e-9)


def test_a_short_last_block_is_kept_and_reported(run: Runner, corpus: dict[str, Path]) -> None:
    call = ["blocks", "--ref", corpus["ref"], "--block-size", 2, corpus["better"]]
    assert run(*call, "--format", "json").json["block_sizes"] == [2, 1]
    assert "the last block is short" in run(*call).out


def test_documents_are_blocks(run: Runner, corpus: dict[str, Path], write: Writer) -> None:
    documents = write("docs.txt", "d1\nd2\nd1\n")
    call = ["blocks", "--ref", corpus["ref"], "--documents", documents, "--format", "json", corpus["better"]]
    assert run(*call).json["block_sizes"] == [2, 1]


@pytest.mark.parametrize(("option", "sizes"), [(("--block-size", 2), [2, 1]), (("--blocks", 3), [1, 1, 1])])
def test_the_division_asked_for_wins_over_documents_in_a_table(
    run: Runner, corpus: dict[str, Path], write: Writer, option: tuple[str, int], sizes: list[int]
) -> None:
    rows = zip(("d1", "d2", "d2"), BETTER.split("\n"), strict=False)
    table = write("t.tsv", "doc\tmine\n" + "".join(f"{document}\t{text}\n" for document, text in rows))
    found = run("blocks", "--ref", corpus["ref"], *option, "--format", "json", table).json
    assert found["block_sizes"] == sizes


def test_a_single_block_has_no_deviation_and_no_t(run: Runner, corpus: dict[str, Path]) -> None:
    call = ["blocks", "--ref", corpus["ref"], "--blocks", 1, "--format", "json", corpus["better"], corpus["worse"]]
    found = run(*call).json
    assert [system["standard_deviation"] for system in found["systems"]] == [None, None]
    (pair,) = found["pairs"]
    assert (pair["t"], pair["p_value"], pair["degrees_of_freedom"]) == (None, None, 0)


def test_a_block_without_matches_scores_0_and_is_counted(run: Runner, write: Writer) -> None:
    reference = write("ref.txt", "a b c d e\nf g h i j\n")
    system = write("s.txt", "a b c d e\nx x x x x\n")
    found = run("blocks", "--ref", reference, "--blocks", 2, "--format", "json", system).json
    assert found["systems"][0]["scores"] == [pytest.approx(100), 0]
    assert found["systems"][0]["zero_blocks"] == 1


def test_zero_overlap_scores_0(run: Runner, write: Writer) -> None:
    call = ["score", "--ref", write("ref.txt", "a b c d\n"), "--format", "json", write("s.txt", "w x y z\n")]
    (system,) = run(*call).json["systems"]
    assert system["bleu"] == 0
    assert system["precisions"] == [0, 0, 0, 0]
    assert system["matches"] == [0, 0, 0, 0]


def test_one_segment_scores_as_sacrebleu_scores_a_corpus_of_one(run: Runner, write: Writer) -> None:
    call = ["score", "--ref", write("ref.txt", "a b c d e\n"), "--format", "json", write("s.txt", "a b c x e\n")]
    (system,) = run(*call).json["systems"]
    wanted = sacrebleu.corpus_bleu(["a b c x e"], [["a b c d e"]])
    assert system["bleu"] == pytest.approx(wanted.score, rel=1e-9)


def test_segments_shorter_than_the_order_score_0_without_effective_order(run: Runner, write: Writer) -> None:
    # Two tokens have no 3-gram, so the geometric mean over four orders vanishes, as in sacreBLEU.
    call = ["score", "--ref", write("ref.txt", "a b\n"), "--format", "json", write("s.txt", "a b\n")]
    (system,) = run(*call).json["systems"]
    assert system["bleu"] == 0
    assert system["totals"] == [2, 1, 0, 0]


def test_empty_segments_are_segments(run: Runner, write: Writer) -> None:
    call = ["score", "--ref", write("ref.txt", "a b c d\n\ne f g h\n"), "--format", "json"]
    found = run(*call, write("s.txt", "a b c d\n\n\n")).json
    assert found["segments"] == 3
    assert found["systems"][0]["hypothesis_length"] == 4
    assert found["systems"][0]["reference_length"] == 8
    # The only penalty is brevity: exp(1 - 8/4).
    assert found["systems"][0]["bleu"] == pytest.approx(100 * math.exp(-1))


def test_a_system_equal_to_a_reference_is_kept_with_a_warning(run: Runner, corpus: dict[str, Path]) -> None:
    result = run("score", "--ref", corpus["ref"], "--format", "json", corpus["better"], corpus["ref"])
    assert [system["system"] for system in result.json["systems"]] == ["better", "ref"]
    assert result.err.count("\n") == 1
    assert "warning" in result.err
    assert "ref" in result.err


def test_a_system_equal_to_a_reference_is_left_out_of_correlations(run: Runner, corpus: dict[str, Path]) -> None:
    result = run(*arguments("correlate", corpus), corpus["ref"], "--format", "json")
    assert [system["system"] for system in result.json["systems"]] == ["better", "worse", "third"]
    (excluded,) = result.json["excluded"]
    assert excluded["system"] == "ref"
    assert "reference" in excluded["reason"]


def test_unrated_unknown_and_human_systems_are_listed_as_excluded(
    run: Runner, corpus: dict[str, Path], write: Writer
) -> None:
    human = write("human.csv", HUMAN + "1,nobody,x,3\n1,translator,x,5\n")
    unrated, translator = write("unrated.txt", WORSE), write("translator.txt", THIRD)
    call = [*arguments("correlate", corpus | {"human": human}), unrated, translator]
    found = run(*call, "--human-system", "translator", "--format", "json").json
    assert {e["system"]: e["reason"] for e in found["excluded"]} == {
        "unrated": "no ratings",
        "nobody": "rated, but no text",
        "translator": "human translator",
    }
    assert [system["system"] for system in found["systems"]] == ["better", "worse", "third"]


def test_missing_scores_are_passed_over(run: Runner, corpus: dict[str, Path], write: Writer) -> None:
    human = write("human.csv", HUMAN + "1,better,y,\n2,better,y,n/a\n3,better,y,None\n")
    call = arguments("correlate", corpus)
    without = run(*call, "--format", "json").json
    assert run(*arguments("correlate", corpus | {"human": human}), "--format", "json").json == without


def test_several_files_of_judgments_are_put_together(run: Runner, corpus: dict[str, Path], write: Writer) -> None:
    header, *rows = HUMAN.splitlines(keepends=True)
    parts = [write("one.csv", header + "".join(rows[:4])), write("two.csv", header + "".join(rows[4:]))]
    whole = arguments("correlate", corpus)
    split = [argument for argument in whole if argument not in ("--human", corpus["human"])]
    found = run(*split, "--human", parts[0], "--human", parts[1], "--format", "json").json
    assert found == run(*whole, "--format", "json").json


def test_segments_may_count_from_0(run: Runner, corpus: dict[str, Path], write: Writer) -> None:
    header, *rows = HUMAN.splitlines(keepends=True)
    shifted = write("zero.csv", header + "".join(f"{int(row[0]) - 1}{row[1:]}" for row in rows))
    call = arguments("correlate", corpus | {"human": shifted})
    found = run(*call, "--first-segment", 0, "--format", "json").json
    assert found == run(*arguments("correlate", corpus), "--format", "json").json


@pytest.mark.parametrize("systems", [1, 2])
def test_one_or_two_systems_have_no_correlation_and_a_reason(
    run: Runner, corpus: dict[str, Path], systems: int
) -> None:
    chosen = [corpus[name] for name in ("better", "worse")[:systems]]
    call = ["correlate", "--ref", corpus["ref"], "--human", corpus["human"], "--format", "json", *chosen]
    found = run(*call).json
    for method in ("pearson", "spearman", "kendall"):
        assert {key: found[method][key] for key in ("coefficient", "low", "high", "p_value")} == dict.fromkeys(
            ("coefficient", "low", "high", "p_value")
        )
        assert "at least 3 needed" in found[method]["reason"]
    assert found["regression"]["slope"] is found["regression"]["intercept"] is None
    assert found["regression"]["reason"]
    pairs = found["pairwise_accuracy"]
    # Two systems are one pair, which agrees: better has both the higher BLEU and the higher rating.
    assert pairs == (
        {"value": None, "agreeing": 0, "pairs": 0} if systems == 1 else {"value": 1, "agreeing": 1, "pairs": 1}
    )


def test_constant_ratings_have_no_correlation_and_a_reason(run: Runner, corpus: dict[str, Path], write: Writer) -> None:
    human = write("human.csv", re.sub(r",\d\n", ",3\n", HUMAN))
    found = run(*arguments("correlate", corpus | {"human": human}), "--format", "json").json
    for method in ("pearson", "spearman", "kendall"):
        assert found[method]["coefficient"] is None
        assert found[method]["reason"] == "all systems have the same mean rating"
    # A constant is a line, of slope 0.
    assert found["regression"] == {"slope": pytest.approx(0), "intercept": pytest.approx(3)}


def test_constant_bleu_has_no_correlation_and_a_reason(run: Runner, corpus: dict[str, Path], write: Writer) -> None:
    same = {name: write(f"{name}.txt", WORSE) for name in ("better", "worse", "third")}
    found = run(*arguments("correlate", corpus | same), "--format", "json").json
    for method in ("pearson", "spearman", "kendall", "regression"):
        assert found[method]["reason"] == "all systems have the same BLEU"
    assert found["regression"]["slope"] is None


def test_a_tie_agrees_with_a_tie_only(run: Runner, corpus: dict[str, Path], write: Writer) -> None:
    # BLEU ties better with third, people tie worse with third: of three pairs only better > worse agrees.
    human = write("human.csv", "system,score\nbetter,5\nworse,2\nthird,2\n")
    files = corpus | {"human": human, "third": write("third.txt", BETTER)}
    found = run(*arguments("correlate", files), "--format", "json").json
    assert found["pairwise_accuracy"] == {"value": pytest.approx(1 / 3), "agreeing": 1, "pairs": 3}


MQM = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n" + "".join(
    f"{system}\td\t1\t{segment}\tr\tx\ty\t{category}\n"
    for system, segment, category in (
        ("better", 1, "No-error\tno-error"),
        ("worse", 1, "Style\tMajor"),
        ("worse", 1, "Fluency/Punctuation\tMinor"),
        ("third", 1, "Style\tMinor"),
    )
)


def test_weights_of_errors_are_the_published_ones_unless_given(
    run: Runner, corpus: dict[str, Path], write: Writer
) -> None:
    call = [*arguments("correlate", corpus | {"human": write("mqm.tsv", MQM)}), "--format"]

    def human(*options: object) -> dict[str, float]:
        return {row["system"]: row["human"] for row in run(*call, "json", *options).json["systems"]}

    assert human() == {"better": 0, "worse": -5.1, "third": -1}
    changed = ["--mqm-weights", "major=10, minor-punctuation=0.5"]
    assert human(*changed) == {"better": 0, "worse": -10.5, "third": -1}
    for level in ("system", "segment"):
        told = run(*call, "json", *changed, "--level", level).json
        assert told["mqm_weights"] == {
            "major": 10,
            "minor": 1,
            "minor_punctuation": 0.5,
            "non_translation": 25,
            "neutral": 0,
            "other": 0,
        }
        assert "mqm_weights" not in run(*call, "json", "--level", level).json
        note = "MQM weights: major 10 instead of 5, minor_punctuation 0.5 instead of 0.1"
        assert note in run(*call, "table", *changed, "--level", level).out
        assert note in run(*call, "table", *changed, "--level", level, "--zscore").out


def test_weights_of_errors_without_a_file_of_errors_are_told(run: Runner, corpus: dict[str, Path]) -> None:
    result = run(*arguments("correlate", corpus), "--mqm-weights", "major=10", "--format", "json")
    assert "mqm_weights" not in result.json
    assert "--mqm-weights changes nothing: no file of MQM errors among the judgments" in result.err


@pytest.mark.parametrize(
    ("weights", "fragment"),
    [
        ("major=-1", "MQM weight major=-1 found, a number from 0 to 1,000,000 expected"),
        ("major=nan", "MQM weight major=nan found, a number from 0"),
        ("minor=inf", "MQM weight minor=inf found, a number from 0"),
        ("minor=1e7", "MQM weight minor=1e+07 found, a number from 0"),
        ("minor=x", "'minor=x' found, a number from 0 on expected"),
        ("critical=3", "'critical' found, one of major, minor, minor_punctuation, non_translation, neutral, other"),
        ("5,1", "'5' found, NAME=WEIGHT expected, as in major=5,minor=1"),
        ("major=5,Major=6", "major found twice, once expected"),
        (" , ", "none found, NAME=WEIGHT expected"),
    ],
)
def test_bad_weights_of_errors_are_refused(run: Runner, corpus: dict[str, Path], weights: str, fragment: str) -> None:
    assert_refused(run(*arguments("correlate", corpus), "--mqm-weights", weights), "--mqm-weights", fragment)


#: Better translations have the lower score, as BLEU and people say, too.
OF_ERRORS = "system,metric,score\n" + "".join(
    f"{system},{metric},{score}\n"
    for metric in ("TER", "mine")
    for system, score in (("better", 10), ("third", 60), ("worse", 50))
)


def test_metrics_of_which_lower_is_better_are_turned_and_told(
    run: Runner, corpus: dict[str, Path], write: Writer
) -> None:
    call = [*arguments("correlate", corpus), "--metric-scores", write("m.csv", OF_ERRORS)]

    def found(*options: object) -> tuple[list[float], list[str]]:
        told = run(*call, "--format", "json", *options).json
        return [m["kendall"]["coefficient"] for m in told["metrics"]], told.get("lower_is_better", [])

    (ter, mine), lower = found()
    assert (ter, lower) == (-mine, ["TER"])
    assert found("--lower-is-better", "mine") == ([ter, ter], ["TER", "mine"])
    assert found("--higher-is-better", "TER") == ([mine, mine], [])
    note = "lower is better, so the sign of the scores is turned: TER, mine"
    assert note in run(*call, "--lower-is-better", "mine").out


@pytest.mark.parametrize(
    ("options", "fragment"),
    [
        (["--lower-is-better", "ter"], "metric 'ter' found, one of TER, mine expected"),
        (["--higher-is-better", "BLEU"], "metric 'BLEU' found, one of TER, mine expected"),
        (["--lower-is-better", "TER", "--higher-is-better", "TER"], "metric 'TER' found as both lower and higher"),
    ],
)
def test_a_metric_that_cannot_be_turned_is_refused(
    run: Runner, corpus: dict[str, Path], write: Writer, options: list[str], fragment: str
) -> None:
    call = [*arguments("correlate", corpus), *options]
    assert_refused(run(*call, "--metric-scores", write("m.csv", OF_ERRORS)), fragment)
    assert_refused(run(*call), "found, --metric-scores with it expected")


@pytest.mark.parametrize("preset", ["sacrebleu", "paper", "shortest-reference"])
def test_presets_set_what_they_say(run: Runner, corpus: dict[str, Path], preset: str) -> None:
    found = run(*arguments("score", corpus), "--preset", preset, "--format", "json").json["settings"]
    wanted = {"tokenizer": "13a", "lowercase": False, "smoothing": "exp", "reference_length": "closest"}
    wanted |= {
        "sacrebleu": {},
        "paper": {"tokenizer": "none", "lowercase": True, "smoothing": "none"},
        "shortest-reference": {"reference_length": "shortest"},
    }[preset]
    assert {key: found[key] for key in wanted} == wanted


def test_options_change_a_preset(run: Runner, corpus: dict[str, Path]) -> None:
    call = [*arguments("score", corpus), "--preset", "paper", "--no-lowercase", "--smoothing", "floor"]
    found = run(*call, "--smoothing-value", "0.2", "--format", "json").json["settings"]
    assert (found["tokenizer"], found["lowercase"]) == ("none", False)
    assert (found["smoothing"], found["smoothing_value"]) == ("floor", 0.2)


def test_weights_and_order_are_taken(run: Runner, corpus: dict[str, Path]) -> None:
    call = [*arguments("score", corpus), "--max-order", 2, "--weights", "0.75,0.25", "--format", "json"]
    found = run(*call).json
    assert found["settings"]["weights"] == [0.75, 0.25]
    for system in found["systems"]:
        p1, p2 = system["precisions"]
        mean = math.exp(0.75 * math.log(p1) + 0.25 * math.log(p2))
        assert system["bleu"] == pytest.approx(100 * system["brevity_penalty"] * mean)


# --- streams of text --------------------------------------------------------------------------------------------

ENCODED: dict[str, tuple[bytes, list[str]]] = {
    "UTF-8 with a byte order mark": (b"\xef\xbb\xbf" + BETTER.encode(), []),
    "UTF-16-LE with a byte order mark": (b"\xff\xfe" + BETTER.encode("utf-16-le"), []),
    "UTF-16-BE with a byte order mark": (b"\xfe\xff" + BETTER.encode("utf-16-be"), []),
    "CRLF": (BETTER.replace("\n", "\r\n").encode(), []),
    "no last newline": (BETTER.removesuffix("\n").encode(), []),
    "Latin-1 that is named": (BETTER.encode("latin-1"), ["--encoding", "latin-1"]),
}


@pytest.mark.parametrize("kind", ENCODED)
def test_encodings_and_line_ends_change_no_score(
    run: Runner, corpus: dict[str, Path], write: Writer, kind: str
) -> None:
    data, options = ENCODED[kind]
    plain = run("score", "--ref", corpus["ref"], "--format", "json", corpus["better"]).json
    other = write("other/better.txt", data)
    assert run("score", "--ref", corpus["ref"], *options, "--format", "json", other).json == plain


def test_latin_1_is_read_when_named(run: Runner, write: Writer) -> None:
    text = "le caf\u00e9 est ferm\u00e9 ce soir\n"
    reference, system = write("ref.txt", text.encode("latin-1")), write("s.txt", text.encode("latin-1"))
    call = ["score", "--ref", reference, "--encoding", "latin-1", "--format", "json", system]
    assert run(*call).json["systems"][0]["bleu"] == pytest.approx(100)


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\u0085", "\f", "\v", "\x1c", "\x1d", "\x1e", "\r"])
def test_only_newlines_split_segments(run: Runner, corpus: dict[str, Path], write: Writer, character: str) -> None:
    system = write("s.txt", BETTER.replace("cat sat", f"cat{character}sat"))
    call = ["score", "--ref", corpus["ref"], "--format", "json"]
    found = run(*call, system).json
    assert found["segments"] == 3
    # All of these are white space to every tokeniser, so the score is that of a blank.
    assert found["systems"][0]["bleu"] == run(*call, corpus["better"]).json["systems"][0]["bleu"]


# --- names ------------------------------------------------------------------------------------------------------

HOSTILE = (
    "=1+1",
    "+cmd",
    "@sum",
    "**bold** _it_ `co`",
    "[L](javascript:alert(3))",
    "<img src=x onerror=alert(1)>",
    "&lt;b&gt; &amp; x",
    "cost $5 and 10% of #1 {x} a_b ~ ^",
    "\\input{x} \\\\",
    ":red[RED]",
    "# heading",
    "a|b|c",
    'say "hi"',
    '"',
    "tab\there",
    "two\nlines",
    "comma, semi;",
    "1e5",
    "\u65e5\u672c \U0001f600 \u00e9",
    "nan",
    "None",
)
POSIX_ONLY = pytest.mark.skipif(sys.platform == "win32", reason="such file names are not possible")


@pytest.fixture
def hostile(write: Writer) -> list[Path]:
    """A reference and systems whose names and segments mean something to Markdown, HTML, LaTeX or a spreadsheet."""
    text = "".join(f"{name} on the mat\n".replace("\nl", " l") for name in HOSTILE)
    return [write("ref.txt", text), *(write(f"{name}.txt", text.replace("mat", "rug")) for name in HOSTILE)]


@POSIX_ONLY
def test_json_keeps_hostile_names(run: Runner, hostile: list[Path]) -> None:
    found = run("score", "--ref", hostile[0], "--format", "json", *hostile[1:]).json
    assert tuple(system["system"] for system in found["systems"]) == HOSTILE


@POSIX_ONLY
def test_tsv_keeps_hostile_names(run: Runner, hostile: list[Path]) -> None:
    printed = run("score", "--ref", hostile[0], "--format", "tsv", *hostile[1:]).out
    rows = list(csv.reader(io.StringIO(printed, newline=""), dialect="excel-tab"))
    assert tuple(row[0] for row in rows[1:]) == HOSTILE
    assert {len(row) for row in rows} == {len(rows[0])}


LATEX = {
    "=1+1": "=1+1",
    "cost $5 and 10% of #1 {x} a_b ~ ^": r"cost \$5 and 10\% of \#1 \{x\} a\_b \textasciitilde{} \^{}",
    "\\input{x} \\\\": r"\textbackslash{}input\{x\} \textbackslash{}\textbackslash{}",
    "<img src=x onerror=alert(1)>": r"\ensuremath{<}img src=x onerror=alert(1)\ensuremath{>}",
    "a|b|c": "a|b|c",
    "&lt;b&gt; &amp; x": r"\&lt;b\&gt; \&amp; x",
}


@POSIX_ONLY
@pytest.mark.parametrize("name", LATEX)
def test_latex_escapes_hostile_names(run: Runner, write: Writer, name: str) -> None:
    result = run("score", "--ref", write("ref.txt", REFERENCE), "--format", "latex", write(f"{name}.txt", WORSE))
    (row,) = [line for line in result.out.split("\n") if line.endswith(r"\\")][1:]
    assert row.split(" & ")[0].strip() == LATEX[name]


@POSIX_ONLY
@pytest.mark.parametrize("name", ["[L](javascript:alert(3))", "**bold** _it_ `co`"])
def test_latex_names_are_no_argument_of_the_line_before(run: Runner, write: Writer, name: str) -> None:
    # LaTeX looks past blanks and line ends after \\ and \midrule for a star or an optional argument in brackets.
    systems = [write("a.txt", WORSE), write(f"{name}.txt", WORSE)]
    for order in (systems, systems[::-1]):
        result = run("score", "--ref", write("ref.txt", REFERENCE), "--format", "latex", *order)
        assert not re.search(r"(\\\\|\\midrule)\s*[*\[]", result.out)


@POSIX_ONLY
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("command", ["blocks", "correlate", "paper"])
def test_other_commands_print_hostile_names(
    run: Runner, write: Writer, hostile: list[Path], command: str, form: str
) -> None:
    def quoted(name: str) -> str:
        return '"' + name.replace('"', '""') + '"'

    human = write("human.csv", "system,score\n" + "".join(f"{quoted(n)},{i}\n" for i, n in enumerate(HOSTILE)))
    options: list[object] = ["--blocks", 2] if command == "blocks" else ["--human", human]
    result = run(command, "--ref", hostile[0], *options, "--format", form, *hostile[1:])
    assert result.status == 0
    assert result.err == ""
    if form == "json":
        systems = result.json["table_1"]["computed"] if command == "paper" else result.json["systems"]
        assert {system["system"] for system in systems} == set(HOSTILE)


def test_hostile_segments_score_as_sacrebleu(run: Runner, hostile: list[Path]) -> None:
    found = run("score", "--ref", hostile[0], "--format", "json", hostile[1]).json
    reference, hypothesis = (path.read_text(encoding="utf-8").split("\n")[:-1] for path in hostile[:2])
    wanted = BLEU(force=True).corpus_score(hypothesis, [reference])
    assert found["systems"][0]["bleu"] == pytest.approx(wanted.score, rel=1e-9)


# --- bad input --------------------------------------------------------------------------------------------------

BAD_FILES: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "too short": (b"a\nb\n", ("line 3 is missing", "2 segments found", "3 expected")),
    "too long": (b"a\nb\nc\nd\n", ("line 4 is one too many", "4 segments found", "3 expected")),
    "empty": (b"", ("the file is empty", "0 segments", "1 expected")),
    "binary": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", ("line 1", "0x89", "offset 0")),
    "NUL": (b"one\ntwo\x00\nthree\n", ("line 2", "NUL")),
    "Latin-1": (b"one\ntwo\ncaf\xe9 noir\n", ("line 3", "0xE9", "offset 11", "UTF-8")),
    "UTF-16 without a mark": ("one\ntwo\nthree\n".encode("utf-16-le"), ("line 1", "NUL", "UTF-16")),
    "truncated UTF-16": (b"\xff\xfeo\x00n", ("UTF-16-LE", "offset 4")),
    "only a mark": (b"\xef\xbb\xbf", ("the file is empty",)),
    "UTF-32": ("one\ntwo\n".encode("utf-32"), ("NUL",)),
}


@pytest.mark.parametrize("kind", BAD_FILES)
@pytest.mark.parametrize("role", ["system", "reference"])
@pytest.mark.parametrize("command", [*COMMANDS, "compare"])
def test_a_bad_text_file_is_refused(
    run: Runner, corpus: dict[str, Path], write: Writer, *, kind: str, role: str, command: str
) -> None:
    data, fragments = BAD_FILES[kind]
    bad = write("bad.txt", data)
    extra: list[object] = [bad] if role == "system" else ["--ref", bad]
    assert_refused(run(*arguments(command, corpus), *extra), "bad.txt", *fragments)


def test_a_short_reference_is_blamed_when_all_else_agrees(run: Runner, corpus: dict[str, Path], write: Writer) -> None:
    short = write("short.txt", "one\ntwo\n")
    result = run("score", "--ref", short, *(corpus[name] for name in ("better", "worse", "third")))
    assert_refused(result, "short.txt: line 3 is missing: 2 segments found, 3 expected")


def test_a_single_system_is_held_against_the_reference(run: Runner, corpus: dict[str, Path], write: Writer) -> None:
    result = run("score", "--ref", corpus["ref"], write("short.txt", "one\n"))
    assert_refused(result, "short.txt: line 2 is missing: 1 segment found, 3 expected", "ref.txt")


def test_two_files_of_one_stem_are_both_named(run: Runner, corpus: dict[str, Path], write: Writer) -> None:
    one, two = write("monday/mine.txt", WORSE), write("friday/mine.txt", BETTER)
    assert_refused(run("score", "--ref", corpus["ref"], one, two), str(one), str(two), "mine")


def test_two_references_of_one_stem_are_both_named(run: Runner, corpus: dict[str, Path], write: Writer) -> None:
    one, two = write("monday/ref.txt", REFERENCE), write("friday/ref.txt", REFERENCE)
    assert_refused(run("score", "--ref", one, "--ref", two, corpus["better"]), str(one), str(two), "references")


@pytest.mark.parametrize("role", ["system", "reference", "documents", "judgments"])
def test_a_missing_file_is_named(run: Runner, corpus: dict[str, Path], tmp_path: Path, role: str) -> None:
    missing = tmp_path / "missing.txt"
    call: list[object] = {
        "system": ["score", "--ref", corpus["ref"], missing],
        "reference": ["score", "--ref", missing, corpus["better"]],
        "documents": ["blocks", "--ref", corpus["ref"], "--documents", missing, corpus["better"]],
        "judgments": ["correlate", "--ref", corpus["ref"], "--human", missing, corpus["better"]],
    }[role]
    assert_refused(run(*call), "missing.txt", "no such file")


def test_a_directory_is_named(run: Runner, corpus: dict[str, Path], tmp_path: Path) -> None:
    assert_refused(run("score", "--ref", corpus["ref"], tmp_path), str(tmp_path), "directory")


@pytest.mark.parametrize("encoding", ["no-such-encoding", "rot13", "hex", "base64"])
def test_an_unknown_encoding_is_named(run: Runner, corpus: dict[str, Path], encoding: str) -> None:
    assert_refused(run(*arguments("score", corpus), "--encoding", encoding), encoding)


def test_documents_of_another_length_are_refused(run: Runner, corpus: dict[str, Path], write: Writer) -> None:
    call = ["blocks", "--ref", corpus["ref"], "--documents", write("docs.txt", "a\nb\n"), corpus["better"]]
    assert_refused(run(*call), "docs.txt", "line 3", "2 segments found", "3 expected")


BAD_JUDGMENTS: dict[str, tuple[str | bytes, tuple[str, ...]]] = {
    "a segment out of range": (HUMAN + "4,better,x,1\n", ("line 11", "segment 4 found", "1 to 3 expected")),
    "segment 0": (HUMAN + "0,better,x,1\n", ("line 11", "segment 0 found", "--first-segment 0")),
    "a negative segment": (HUMAN + "-1,better,x,1\n", ("line 11", "'-1'", "whole number")),
    "a fraction of a segment": (HUMAN + "1.5,better,x,1\n", ("line 11", "'1.5'", "whole number")),
    "a segment beyond 64 bits": (HUMAN + "99999999999999999999,better,x,1\n", ("line 11", "99999999999999999999")),
    "a segment of 5,000 digits": (HUMAN + "9" * 5000 + ",better,x,1\n", ("line 11",)),
    "text for a score": (HUMAN + "1,better,x,good\n", ("line 11", "score 'good' found", "number expected")),
    "inf": (HUMAN + "1,better,x,inf\n", ("line 11", "'inf'", "number expected")),
    "a number too large": (HUMAN + "1,better,x,1e999\n", ("line 11", "'1e999'", "number expected")),
    "a decimal comma": (HUMAN + '1,better,x,"3,5"\n', ("line 11", "'3,5'", "number expected")),
    "no system": (HUMAN + "1,,x,3\n", ("line 11", "no system")),
    "too few cells": (HUMAN + "1,better,x\n", ("line 11", "3 cells found", "4 expected")),
    "too many cells": (HUMAN + "1,better,x,3,y\n", ("line 11", "5 cells found", "4 expected")),
    "an open quotation mark": (HUMAN + '1,"better,x,3\n', ("line 11", "quotation marks")),
    "no score column": ("segment,system,judge\n1,better,x\n", ("line 1", "no column score")),
    "no system column": ("segment,judge,score\n1,x,3\n", ("line 1", "no column system")),
    "two score columns": ("system,score,rating\nbetter,1,2\n", ("line 1", "'score' and 'rating'")),
    "no rating": ("segment,system,judge,score\n1,better,x,\n", ("no rating in 1 rows",)),
    "only a header": ("segment,system,judge,score\n", ("no rating in 0 rows",)),
    "empty": ("", ("the file is empty",)),
    "binary": (b"system,score\n\xff\xfe\x00", ("line 2", "0xFF")),
}


@pytest.mark.parametrize("kind", BAD_JUDGMENTS)
def test_bad_judgments_are_refused(run: Runner, corpus: dict[str, Path], write: Writer, kind: str) -> None:
    content, fragments = BAD_JUDGMENTS[kind]
    bad = write("bad.csv", content)
    assert_refused(run(*arguments("correlate", corpus | {"human": bad})), "bad.csv", *fragments)


def test_a_segment_out_of_range_is_named_as_the_file_numbers_it(
    run: Runner, corpus: dict[str, Path], write: Writer
) -> None:
    bad = write("bad.csv", "segment,system,score\n0,better,1\n3,better,1\n")
    result = run(*arguments("correlate", corpus | {"human": bad}), "--first-segment", 0)
    assert_refused(result, "bad.csv, line 3", "segment 3 found", "0 to 2 expected")


def test_ratings_whose_mean_is_too_large_for_a_number_are_refused(
    run: Runner, corpus: dict[str, Path], write: Writer
) -> None:
    bad = write("bad.csv", HUMAN + "1,better,y,1.7e308\n1,better,z,1.7e308\n1,better,w,1.7e308\n")
    assert_refused(run(*arguments("correlate", corpus | {"human": bad}), "--format", "json"), "bad.csv")


def test_judgments_of_other_systems_only_are_refused(run: Runner, corpus: dict[str, Path], write: Writer) -> None:
    other = write("other.csv", "system,score\nnobody,3\n")
    assert_refused(run(*arguments("correlate", corpus | {"human": other})), "no system has both", "better", "nobody")


def test_an_unknown_human_system_is_named(run: Runner, corpus: dict[str, Path]) -> None:
    assert_refused(run(*arguments("correlate", corpus), "--human-system", "me"), "'me'", "better, worse, third")


BAD_TABLES: dict[str, tuple[str, tuple[str, ...]]] = {
    "only numbers the rows": ("id\n1\n2\n3\n", ("bad.csv",)),
    "a row too short": ("doc,mine\nd,a b\nd\nd,c d\n", ("bad.csv, line 3", "1 cells found", "2 expected")),
    "only a header": ("doc,mine\n", ("bad.csv", "only a header")),
    "a name twice": ("reference,reference\na b,c d\ne f,g h\n", ("bad.csv, line 1", "'reference'")),
    "only a source": ("source,id\na b,1\nc d,2\ne f,3\n", ()),
}


@pytest.mark.parametrize("kind", BAD_TABLES)
@pytest.mark.parametrize("role", ["system", "reference"])
def test_a_bad_table_of_texts_is_refused(
    run: Runner, corpus: dict[str, Path], write: Writer, kind: str, role: str
) -> None:
    content, fragments = BAD_TABLES[kind]
    bad = write("bad.csv", content)
    call = ["--ref", corpus["ref"], bad] if role == "system" else ["--ref", bad, corpus["better"]]
    assert_refused(run("score", *call), *fragments)


BAD_OPTIONS: dict[str, tuple[list[str], tuple[str, ...]]] = {
    "weights that do not sum to 1": (["--weights", "0.5,0.5,0.5,0.5"], ("2", "a sum of 1 expected")),
    "too few weights": (["--weights", "0.5,0.5"], ("2 weights found", "4 expected")),
    "a weight of 0": (["--weights", "1,0,0,0"], ("positive numbers expected",)),
    "a negative weight": (["--weights=0.5,0.5,0.5,-0.5"], ("positive numbers expected",)),
    "weights that are no numbers": (["--weights", "a,b"], ("--weights", "'a,b'")),
    "a weight that is nan": (["--weights", "nan,0.5,0.25,0.25"], ("positive numbers expected",)),
    "no weights": (["--weights", ""], ("0 weights found", "4 expected")),
    "order 0": (["--max-order", "0"], ("0 found", "1 to 9 expected")),
    "order 10": (["--max-order", "10"], ("10 found", "1 to 9 expected")),
    "order -1": (["--max-order=-1"], ("-1 found", "1 to 9 expected")),
    "an order that is no number": (["--max-order", "four"], ("--max-order", "'four'")),
    "a value for exp": (["--smoothing-value", "1"], ("exp takes no value",)),
    "a value for none": (["--smoothing", "none", "--smoothing-value", "1"], ("none takes no value",)),
    "a value of 0": (["--smoothing", "floor", "--smoothing-value", "0"], ("0 found", "positive")),
    "a value of inf": (["--smoothing", "add-k", "--smoothing-value", "inf"], ("inf found", "positive")),
    "unknown smoothing": (["--smoothing", "magic"], ("--smoothing", "'magic'")),
    "unknown tokenizer": (["--tokenizer", "magic"], ("--tokenizer", "'magic'")),
    "unknown reference length": (["--reference-length", "longest"], ("--reference-length", "'longest'")),
    "unknown preset": (["--preset", "magic"], ("--preset", "'magic'")),
    "unknown format": (["--format", "xml"], ("--format", "'xml'")),
    "unknown option": (["--magic"], ("--magic",)),
}


@pytest.mark.parametrize("kind", BAD_OPTIONS)
@pytest.mark.parametrize("command", [*COMMANDS, *COMPARING])
def test_a_bad_setting_is_refused(run: Runner, corpus: dict[str, Path], kind: str, command: str) -> None:
    options, fragments = BAD_OPTIONS[kind]
    assert_refused(run(*arguments(command, corpus), *options), *fragments)


BAD_BLOCKS: dict[str, tuple[list[str], tuple[str, ...]]] = {
    "more blocks than segments": (["--blocks", "4"], ("4 blocks found", "1 to 3 expected", "3 segments")),
    "more blocks than segments by default": ([], ("20 blocks found", "1 to 3 expected", "3 segments")),
    "no blocks": (["--blocks", "0"], ("0 blocks found", "1 to 3 expected")),
    "a block larger than the corpus": (["--block-size", "4"], ("block size 4 found", "1 to 3 expected")),
    "a block of nothing": (["--block-size", "0"], ("block size 0 found", "1 to 3 expected")),
    "blocks and a size": (["--blocks", "2", "--block-size", "2"], ("--block-size", "--blocks")),
    "half a block": (["--blocks", "1.5"], ("--blocks", "'1.5'")),
}


@pytest.mark.parametrize("kind", BAD_BLOCKS)
def test_bad_blocks_are_refused(run: Runner, corpus: dict[str, Path], kind: str) -> None:
    options, fragments = BAD_BLOCKS[kind]
    assert_refused(run("blocks", "--ref", corpus["ref"], *options, corpus["better"]), *fragments)


@pytest.mark.parametrize(
    "options", [["score", "--max-order", "0"], ["score", "--weights", "1"], ["blocks", "--blocks", "99"]]
)
def test_an_error_is_one_line_even_where_a_system_equals_a_reference(
    run: Runner, corpus: dict[str, Path], options: list[str]
) -> None:
    assert_refused(run(*options, "--ref", corpus["ref"], corpus["ref"]))


@pytest.mark.parametrize(
    "call",
    [
        [],
        ["score"],
        ["magic"],
        ["score", "x.txt"],
        ["score", "--ref", "x.txt"],
        ["compare", "--ref", "x.txt"],
        ["gate", "--ref", "x.txt", "one.txt"],
        ["gate", "--ref", "x.txt", "one.txt", "two.txt", "three.txt"],
    ],
)
def test_an_incomplete_call_is_refused(run: Runner, call: list[str]) -> None:
    assert_refused(run(*call), "--help")


@pytest.mark.parametrize("call", [["--help"], *([command, "--help"] for command in (*COMMANDS, *COMPARING))])
def test_help_is_printed(run: Runner, call: list[str]) -> None:
    result = run(*call)
    assert result.status == 0
    assert "usage: bleu-core" in result.out


def test_a_tokenizer_that_is_not_installed_says_what_it_needs(
    run: Runner, corpus: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "MeCab", None)  # an import of None raises ImportError
    result = run(*arguments("score", corpus), "--tokenizer", "ja-mecab")
    assert_refused(result, "ja-mecab", "pip install 'sacrebleu[ja]'")


# --- compare ----------------------------------------------------------------------------------------------------

SEGMENTS = 60
SAMPLE = {path.stem: path.read_text(encoding="utf-8").split("\n")[:SEGMENTS] for path in sample_data.systems()}
TRUTH = sample_data.references()[0].read_text(encoding="utf-8").split("\n")[:SEGMENTS]


@pytest.fixture
def sample(write: Writer) -> dict[str, Path]:
    """The beginning of the sample data: a reference, five systems, and documents of two segments."""
    files = {name: write(f"{name}.txt", "\n".join(lines) + "\n") for name, lines in SAMPLE.items()}
    documents = write("docs.txt", "".join(f"d{n // 2}\n" for n in range(SEGMENTS)))
    return files | {"ref": write("ref.txt", "\n".join(TRUTH) + "\n"), "docs": documents}


def compared(run: Runner, sample: Mapping[str, Path], *options: object, systems: str = "S1 S2 S3") -> Any:
    """The JSON of `compare` on some systems of the sample, with few draws unless said otherwise."""
    draws = [] if "--resamples" in options else ["--resamples", 200, "--trials", 200]
    files = [sample[name] for name in systems.split()]
    return run("compare", "--ref", sample["ref"], *draws, *options, "--format", "json", *files).json


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("every", [False, True])
def test_compare_json_has_exactly_the_keys_of_the_contract(
    run: Runner, sample: dict[str, Path], test: str, *, every: bool
) -> None:
    found = compared(run, sample, "--test", test, *(["--all-pairs"] if every else []))
    drawn = {"t": {"blocks": 20}, "randomization": {"resamples": 200, "trials": 200}}.get(test, {"resamples": 200})
    assert {key: found[key] for key in drawn} == drawn
    assert set(found) == {
        "signature",
        "metric",
        "segments",
        "references",
        "test",
        "seed",
        "unit",
        "units",
        "correction",
        "alpha",
        "null_hypothesis",
        "resampled",
        "systems",
        "pairs",
        "warnings",
        "methods",
    } | set(drawn) | ({"tiers"} if every else set())
    keys = {"system", "baseline", "delta", "low", "high", "confidence", "p_value", "p_value_adjusted", "verdict"}
    if test == "t":
        keys |= {"mean_difference", "t", "degrees_of_freedom"}
    assert all(set(pair) == keys for pair in found["pairs"])
    assert [set(system) for system in found["systems"]] == [{"system", "score"}] * 3
    assert (found["segments"], found["references"], found["metric"]) == (SEGMENTS, ["ref"], "bleu")
    assert (found["seed"], found["alpha"], found["correction"]) == (12345, 0.05, "holm")
    assert found["test"] == test


def test_compare_takes_the_first_system_as_baseline_unless_one_is_named(run: Runner, sample: dict[str, Path]) -> None:
    def pairs(*options: object) -> list[tuple[str, str]]:
        return [(pair["system"], pair["baseline"]) for pair in compared(run, sample, *options)["pairs"]]

    assert pairs() == [("S2", "S1"), ("S3", "S1")]
    assert pairs("--baseline", "S2") == [("S1", "S2"), ("S3", "S2")]
    assert pairs("--all-pairs") == [("S2", "S1"), ("S3", "S1"), ("S3", "S2")]


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
        assert pair["verdict"] == "not shown"
    else:
        assert (pair["low"], pair["high"]) == (0, 0)
    if test in ("bootstrap", "randomization"):
        assert (pair["p_value"], pair["verdict"]) == (1, "not shown")


@pytest.mark.parametrize("test", TESTS)
def test_one_segment_gives_no_p_and_a_reason(run: Runner, write: Writer, test: str) -> None:
    systems = [write("a.txt", "a b c d e\n"), write("b.txt", "a b c d x\n")]
    options = ["--test", test, "--blocks", 1, "--format", "json"]
    found = run("compare", "--ref", write("ref.txt", "a b c d e f\n"), *options, *systems).json
    (pair,) = found["pairs"]
    assert pair["p_value"] is pair["p_value_adjusted"] is pair["low"] is pair["high"] is None
    assert "one" in pair["reason"]
    assert (pair["verdict"], found["tiers"]) == ("not shown", [["a", "b"]])


@pytest.mark.parametrize("metric", ["bleu", "chrf2", "chrf2++", "ter"])
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
def test_the_seed_decides_what_is_drawn(run: Runner, sample: dict[str, Path], test: str) -> None:
    first, again, other = (compared(run, sample, "--test", test, "--seed", seed) for seed in (7, 7, 8))
    assert first == again
    assert first["seed"] == 7
    assert [pair["low"] for pair in first["pairs"]] != [pair["low"] for pair in other["pairs"]]


@pytest.mark.parametrize(("test", "number"), [("bootstrap", "resamples"), ("randomization", "trials")])
def test_there_are_as_many_draws_as_the_correction_takes(
    run: Runner, sample: dict[str, Path], test: str, number: str
) -> None:
    call = ["compare", "--ref", sample["ref"], "--all-pairs", "--test", test, "--format", "json"]
    systems = [sample[name] for name in ("S1", "S2", "S3")]
    found = run(*call, "--alpha", 0.001, *systems).json
    assert found[number] == 10 * 3 / 0.001
    few = run(*call, f"--{number}", 30, *systems)
    assert few.json[number] == 30
    assert "30 draws, at least 600 expected" in few.err
    assert few.json["warnings"] == [few.err.removeprefix("bleu-core compare: warning: ").rstrip("\n")]


@pytest.mark.parametrize("test", TESTS)
def test_whole_documents_are_drawn_swapped_or_averaged(run: Runner, sample: dict[str, Path], test: str) -> None:
    found = compared(run, sample, "--test", test, "--documents", sample["docs"], systems="S1 S3")
    assert (found["unit"], found["units"], found["segments"]) == ("document", SEGMENTS // 2, SEGMENTS)
    assert found.get("blocks", SEGMENTS // 2) == SEGMENTS // 2
    assert "30 documents" in found["resampled"]
    assert "30 documents" in found["methods"]
    assert found["warnings"] == []
    by_segment = compared(run, sample, "--test", test, systems="S1 S3")
    assert [pair["p_value"] for pair in found["pairs"]] != [pair["p_value"] for pair in by_segment["pairs"]]


def test_few_documents_are_warned_of_on_standard_error(run: Runner, sample: dict[str, Path], write: Writer) -> None:
    documents = write("few.txt", "".join(f"d{n // 20}\n" for n in range(SEGMENTS)))
    result = run("compare", "--ref", sample["ref"], "--documents", documents, sample["S1"], sample["S2"])
    assert (result.status, result.err.count("\n")) == (0, 1)
    assert result.err.startswith("bleu-core compare: warning: 3 documents, at least 30 expected")


def test_the_blocks_asked_for_win_over_documents_in_a_table(
    run: Runner, sample: dict[str, Path], write: Writer
) -> None:
    rows = zip(SAMPLE["S1"], SAMPLE["S2"], strict=True)
    table = write("t.tsv", "doc\tS1\tS2\n" + "".join(f"d{n // 20}\t{a}\t{b}\n" for n, (a, b) in enumerate(rows)))
    call = ["compare", "--ref", sample["ref"], "--test", "t", "--blocks", 12, "--format", "json", table]
    assert run(*call).json["blocks"] == 12


def test_compare_warns_of_a_system_that_equals_a_reference(run: Runner, sample: dict[str, Path]) -> None:
    result = run("compare", "--ref", sample["ref"], "--resamples", 200, sample["S1"], sample["ref"])
    assert (result.status, result.err.count("\n")) == (0, 1)
    assert "warning: ref is identical to the reference ref" in result.err


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
        assert {pair["baseline"] for pair in result.json["pairs"]} == set(HOSTILE[:-1])
    if form == "tsv":
        rows = list(csv.reader(io.StringIO(result.out, newline=""), dialect="excel-tab"))
        pairs = rows[1 : rows.index([])]
        assert {row[0] for row in pairs} == set(HOSTILE[1:])
        assert {row[1] for row in pairs} == set(HOSTILE[:-1])
        assert {len(row) for row in pairs} == {len(rows[0])}
    if form == "latex":
        assert not re.search(r"(\\\\|\\midrule)\s*[*\[]", result.out)
        assert all(name in result.out for name in LATEX.values())
        assert not re.search(r"(?<!\\)[$#]", result.out.split("%")[0])


BAD_COMPARISONS: dict[str, tuple[list[object], tuple[str, ...]]] = {
    "an unknown baseline": (["--baseline", "nobody"], ("'nobody' found", "better, worse, third")),
    "no resamples": (["--resamples", 0], ("0 resamples found", "at least 1 expected")),
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
    assert_refused(run(*arguments("compare", corpus), *options, "--format", form), *fragments)


def test_one_system_cannot_be_compared(run: Runner, corpus: dict[str, Path]) -> None:
    assert_refused(run("compare", "--ref", corpus["ref"], corpus["better"]), "1 system found, at least 2 expected")


@pytest.mark.parametrize("command", COMPARING)
def test_files_that_do_not_fit_cannot_be_compared(
    run: Runner, corpus: dict[str, Path], write: Writer, command: str
) -> None:
    call = [command, "--ref", corpus["ref"], corpus["better"]]
    short, twin = write("short.txt", "one\n"), write("sub/better.txt", WORSE)
    assert_refused(run(*call, short), "short.txt: line 2 is missing: 1 segment found, 3 expected")
    assert_refused(run(*call, corpus["better"].parent / "missing.txt"), "missing.txt", "no such file")
    assert_refused(run(*call, twin), str(corpus["better"]), str(twin), "two systems have the name better")
    documents = write("docs.txt", "d\nd\n")
    assert_refused(run(*call, corpus["worse"], "--documents", documents), "docs.txt", "2 segments found, 3 expected")


# --- gate -------------------------------------------------------------------------------------------------------


def gated(run: Runner, sample: Mapping[str, Path], *options: object, systems: str = "S3 S1") -> Run:
    """`gate` on a baseline and a candidate of the sample."""
    return run("gate", "--ref", sample["ref"], "--resamples", 500, *options, *(sample[s] for s in systems.split()))


def test_a_candidate_that_is_shown_to_be_worse_fails_in_one_line(run: Runner, sample: dict[str, Path]) -> None:
    result = gated(run, sample)
    assert (result.status, result.err, result.out.count("\n")) == (1, "", 1)
    assert result.out.startswith("fail: S1 is worse than S3 by more than 0.3 BLEU: delta -")


@pytest.mark.parametrize("systems", ["S1 S3", "S2 S3"])
def test_a_candidate_that_is_not_shown_to_be_worse_passes_in_one_line(
    run: Runner, sample: dict[str, Path], systems: str
) -> None:
    result = gated(run, sample, systems=systems)
    assert (result.status, result.err, result.out.count("\n")) == (0, "", 1)
    assert result.out.startswith(f"pass: S3 is not shown to be worse than {systems[:2]} by more than 0.3 BLEU: delta ")


def test_a_margin_forgives(run: Runner, sample: dict[str, Path]) -> None:
    assert gated(run, sample, "--margin", 0).status == 1
    assert gated(run, sample, "--margin", 50).status == 0


def test_the_gate_compares_the_upper_bound_with_the_margin(run: Runner, sample: dict[str, Path]) -> None:
    found = json.loads(gated(run, sample, "--format", "json").out)
    assert set(found) == {
        "signature",
        "metric",
        "system",
        "baseline",
        "delta",
        "low",
        "high",
        "margin",
        "alpha",
        "passed",
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
    assert worse.out.startswith("fail: S1 is worse (higher) than H2 by more than 0.3 TER: delta +")


def test_the_same_text_under_another_name_passes(run: Runner, sample: dict[str, Path], write: Writer) -> None:
    twin = write("twin.txt", sample["S1"].read_bytes())
    result = gated(run, sample | {"twin": twin}, "--margin", 0, systems="S1 twin")
    assert result.status == 0
    assert "delta +0.00, one-sided 95 % bounds +0.00 and +0.00" in result.out


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
    assert "no" in {row[-1] for row in rows}


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
    "no resamples": (["--resamples", 0], ("0 resamples found",)),
    "a negative seed": (["--seed=-3"], ("seed -3 found",)),
    "a folder that is not there": (["--junit", "/nowhere/at/all.xml"], ("/nowhere/at/all.xml", "no such file")),
}


@pytest.mark.parametrize("kind", BAD_GATES)
def test_a_bad_gate_is_refused(run: Runner, corpus: dict[str, Path], kind: str) -> None:
    options, fragments = BAD_GATES[kind]
    assert_refused(run(*arguments("gate", corpus), *options), *fragments)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_refuses_the_gate_and_names_the_file(run: Runner, corpus: dict[str, Path]) -> None:
    assert_refused(run(*arguments("gate", corpus), "--junit", "/dev/full"), "/dev/full", "no space left")


def test_one_segment_cannot_be_gated(run: Runner, write: Writer) -> None:
    systems = [write("a.txt", "a b c d e\n"), write("b.txt", "a b c d x\n")]
    assert_refused(run("gate", "--ref", write("ref.txt", "a b c d e\n"), *systems), "at least 2 expected")


# --- intervals --------------------------------------------------------------------------------------------------


def test_intervals_of_scores_are_as_wide_as_sacrebleus(run: Runner, sample: dict[str, Path]) -> None:
    call = ["score", "--ref", sample["ref"], "--format", "json", sample["S1"], sample["H2"]]
    plain, found = run(*call).json, run(*call, "--intervals").json
    for system, without in zip(found["systems"], plain["systems"], strict=True):
        assert set(system) - set(without) == {"bleu_low", "bleu_high", "confidence", "resamples"}
        assert {key: system[key] for key in without} == without
        assert (system["confidence"], system["resamples"]) == (0.95, 1000)
        wanted = BLEU().corpus_score(SAMPLE[system["system"]], [TRUTH], n_bootstrap=1000)
        # sacreBLEU takes the 26th and the 975th of its 1,000 sorted scores, and the half of what lies between.
        assert (system["bleu_high"] - system["bleu_low"]) / 2 == pytest.approx(wanted._ci, rel=0.02)  # noqa: SLF001 # pyright: ignore[reportAttributeAccessIssue]
        assert system["bleu_low"] < system["bleu"] < system["bleu_high"]


@pytest.mark.parametrize("form", FORMATS)
def test_a_single_segment_has_a_score_but_no_interval(run: Runner, write: Writer, form: str) -> None:
    call = ["score", "--intervals", "--ref", write("ref.txt", "a b c d e\n"), "--format", form]
    result = run(*call, write("s.txt", "a b c d x\n"))
    assert result.status == 0
    assert "nan" not in result.out.lower()
    if form == "json":
        (system,) = result.json["systems"]
        assert system["bleu_low"] is system["bleu_high"] is None


# --- as its own process -----------------------------------------------------------------------------------------

Console = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def console() -> Console:
    """The command as a process of its own, as the console script runs it."""

    def call(*arguments: object, **environment: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [
                sys.executable,
                "-c",
                "import sys; from bleu_core.cli import main; sys.exit(main())",
                *map(str, arguments),
            ],
            capture_output=True,
            check=False,
            cwd=Path(__file__).parents[2],
            env=os.environ | environment,
        )

    return call


def test_a_process_prints_json_and_ends_with_0(console: Console, corpus: dict[str, Path]) -> None:
    result = console(*arguments("score", corpus), "--format", "json")
    assert (result.returncode, result.stderr) == (0, b"")
    assert [system["system"] for system in json.loads(result.stdout)["systems"]] == ["better", "worse", "third"]


def test_a_process_refuses_bad_input_with_2(console: Console, corpus: dict[str, Path], write: Writer) -> None:
    data, fragments = BAD_FILES["too short"]
    result = console("score", "--ref", corpus["ref"], write("bad.txt", data))
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.count(b"\n") == 1
    assert all(fragment.encode() in result.stderr for fragment in fragments)


def test_a_process_refuses_a_bad_call_with_2(console: Console) -> None:
    result = console("score")
    assert (result.returncode, result.stdout, result.stderr.count(b"\n")) == (2, b"", 1)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_json_is_json_whatever_the_terminal_can_show(console: Console, write: Writer, encoding: str) -> None:
    names = ["\u00e9t\u00e9", "\u65e5\u672c", "\U0001f600"]
    systems = [write(f"{name}.txt", WORSE) for name in names]
    reference = write("ref.txt", REFERENCE)
    result = console("score", "--ref", reference, "--format", "json", *systems, PYTHONIOENCODING=encoding)
    assert result.returncode == 0
    found = json.loads(result.stdout.decode(encoding))
    assert [system["system"] for system in found["systems"]] == names


def test_a_table_is_printed_whatever_the_terminal_can_show(console: Console, write: Writer) -> None:
    reference, system = write("ref.txt", REFERENCE), write("\u65e5\u672c.txt", WORSE)
    result = console("score", "--ref", reference, system, PYTHONIOENCODING="ascii")
    assert (result.returncode, result.stderr) == (0, b"")


@POSIX_ONLY
def test_a_reader_that_has_seen_enough_is_no_error(corpus: dict[str, Path]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        result = subprocess.run(
            [
                sys.executable,
                "-c",
                "import sys; from bleu_core.cli import main; sys.exit(main())",
                *map(str, arguments("score", corpus)),
            ],
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
            cwd=Path(__file__).parents[2],
        )
    finally:
        os.close(writing)
    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_one_line(corpus: dict[str, Path]) -> None:
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            [
                sys.executable,
                "-c",
                "import sys; from bleu_core.cli import main; sys.exit(main())",
                *map(str, arguments("score", corpus)),
            ],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            cwd=Path(__file__).parents[2],
        )
    assert result.returncode != 0
    assert b"Traceback" not in result.stderr
    assert result.stderr.count(b"\n") == 1


LOADED = """
import sys
{what}
print(*sorted(name for name in {names!r} if name in sys.modules))
"""


@pytest.mark.parametrize(
    ("what", "names"),
    [
        ("import bleu_core", ("pandas", "scipy", "scipy.stats", "sacrebleu", "tabulate")),
        (
            "import bleu_core.cli.commands, bleu_core.reports.scores, bleu_core.formats.reading",
            ("streamlit", "plotly", "dashboard", "sample_data", "pandas", "scipy.stats", "sacrebleu"),
        ),
    ],
)
def test_importing_the_core_loads_nothing_heavy_and_no_screen(what: str, names: tuple[str, ...]) -> None:
    result = subprocess.run(
        [sys.executable, "-c", LOADED.format(what=what, names=names)],
        capture_output=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert result.stdout.strip() == b""


@pytest.mark.parametrize("command", ["score", "correlate", "compare"])
def test_running_a_command_loads_no_screen(corpus: dict[str, Path], command: str) -> None:
    call = [*map(str, arguments(command, corpus)), "--format", "json"]
    what = f"from bleu_core.cli import main; main({call!r})"
    names = ["streamlit", "plotly", "dashboard", "sample_data"]
    if command == "score":  # scoring alone needs neither tables nor statistics
        names += ["pandas", "scipy.stats"]
    result = subprocess.run(
        [sys.executable, "-c", LOADED.format(what=what, names=names)],
        capture_output=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert result.stdout.splitlines()[-1].strip() == b""


def test_the_program_takes_its_arguments_from_the_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], corpus: dict[str, Path]
) -> None:
    monkeypatch.setattr(sys, "argv", ["bleu-core", *map(str, arguments("score", corpus))])
    assert main() == 0
    assert "better" in capsys.readouterr().out
