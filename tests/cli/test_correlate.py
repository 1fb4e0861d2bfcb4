"""`bleu-core correlate`: its contract, and what it refuses."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from calls import BETTER, ENVELOPE, HUMAN, THIRD, WORSE, arguments, assert_refused
from conftest import Runner, Writer
from judges.rosters import confounded_rows, judgments_of
from scipy import stats

import sample_data
from bleu_core.judges import adjusted_means


def test_correlate_json_has_exactly_the_keys_of_the_contract(run: Runner, corpus: dict[str, Path]) -> None:
    found = run(*arguments("correlate", corpus), "--format", "json").json
    assert set(found) == ENVELOPE | {
        "level",
        "excluded",
        "systems",
        "pearson",
        "spearman",
        "kendall",
        "pairwise_accuracy",
        "regression",
        "soft_pairwise_accuracy",
        "bootstrap_systems",
        "bootstrap_segments",
        "over_systems",
        "over_segments",
        "leave_one_out",
        "outliers",
        "score_differences",
    }
    assert found["level"] == "system"
    assert all(set(system) == {"system", "bleu", "score", "scores", "human"} for system in found["systems"])
    for method in ("pearson", "spearman", "kendall"):
        assert set(found[method]) == {"coefficient", "low", "high", "p_value"}
    assert set(found["pairwise_accuracy"]) == {"value", "agreeing", "pairs"}
    assert set(found["regression"]) == {"slope", "intercept"}


def test_every_metric_has_its_scores_in_its_own_direction(run: Runner, corpus: dict[str, Path]) -> None:
    call = [
        *arguments("correlate", corpus),
        "--metric",
        "bleu",
        "--metric",
        "TER",
        "--metric",
        "chrF2",
        "--metric",
        "BLEU-2",
    ]
    found = run(*call, "--format", "json").json
    assert [system["score"] for system in found["systems"]] == [system["bleu"] for system in found["systems"]]
    texts = [corpus[name] for name in ("better", "worse", "third")]
    for metric in found["metrics"]:
        named = {"TER": "ter", "chrF2": "chrf2"}.get(metric["metric"])
        assert all(("bleu" in system) is (named is None) for system in metric["systems"])
        if named is None:
            continue
        direct = run("score", "--metric", named, "--ref", corpus["ref"], *texts, "--format", "json").json["systems"]
        expected = {system["system"]: system["score"] for system in direct}
        assert {system["system"]: system["score"] for system in metric["systems"]} == pytest.approx(expected)
        scores, human = ([system[key] for system in metric["systems"]] for key in ("score", "human"))
        slope, intercept = np.polyfit(scores, human, 1).tolist()
        assert metric["regression"] == pytest.approx({"slope": slope, "intercept": intercept})


def test_score_differences_say_why_there_is_no_curve_and_what_was_published(
    run: Runner, corpus: dict[str, Path]
) -> None:
    found = run(*arguments("correlate", corpus), "--format", "json").json["score_differences"]
    assert found["pairs"] == 3
    assert found["slope"] is None
    assert found["reason"] == "3 pairs of systems with ratings found, at least 10 are needed"
    needed = {row["share"]: row["published"] for row in found["needed"]}
    # Table 2 of Kocmi et al. (2024) has 0.78, 1.79 and 2.34 for these.
    assert [needed[share] for share in (0.6, 0.75, 0.8)] == pytest.approx([0.78, 1.79, 2.34], abs=0.01)


def test_human_means_are_over_segments_of_means_over_judges(run: Runner, corpus: dict[str, Path]) -> None:
    found = run(*arguments("correlate", corpus), "--format", "json").json
    # The ratings of better are 5, 4 and 4, of worse 2, 3 and 1, of third 3, 4 and 3.
    human = {system["system"]: system["human"] for system in found["systems"]}
    assert human == pytest.approx({"better": 13 / 3, "worse": 2.0, "third": 10 / 3})


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
        "nobody": "has ratings, but no text in use",
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
    none = {"value": None, "agreeing": 0, "pairs": 0, "reason": "no pair of systems"}
    assert pairs == (none if systems == 1 else {"value": 1, "agreeing": 1, "pairs": 1})


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
    f"{system}\td\t1\t{segment}\tr\t\t\t{category}\n"
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
            "critical": 25,
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
        assert note in run(*call, "table", *changed, "--level", level, "--standardise").out


def test_weights_of_errors_without_a_file_of_errors_are_told(run: Runner, corpus: dict[str, Path]) -> None:
    result = run(*arguments("correlate", corpus), "--mqm-weights", "major=10", "--format", "json")
    assert "mqm_weights" not in result.json
    assert "--mqm-weights has no effect: no file of MQM errors is among the judgments" in result.err


@pytest.mark.parametrize(
    ("weights", "fragment"),
    [
        ("major=-1", "MQM weight major=-1 found, a number from 0 to 1,000,000 expected"),
        ("major=nan", "MQM weight major=nan found, a number from 0"),
        ("minor=inf", "MQM weight minor=inf found, a number from 0"),
        ("minor=1e7", "MQM weight minor=1e+07 found, a number from 0"),
        ("minor=x", "'minor=x' found, a number of at least 0 expected"),
        ("fatal=3", "'fatal' found, one of critical, major, minor, minor_punctuation, non_translation, neutral, other"),
        ("5,1", "'5' found, NAME=WEIGHT expected, as in major=5,minor=1"),
        ("major=5,Major=6", "major occurs twice; keep one"),
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
    note = "lower is better, so the sign of the scores is flipped: TER, mine"
    assert note in run(*call, "--lower-is-better", "mine").out


@pytest.mark.parametrize(
    ("options", "fragment"),
    [
        (["--lower-is-better", "ter"], "metric 'ter' found, one of TER, mine expected"),
        (["--higher-is-better", "BLEU"], "metric 'BLEU' found, one of TER, mine expected"),
        (
            ["--lower-is-better", "TER", "--higher-is-better", "TER"],
            "metric 'TER' is given both as",
        ),
    ],
)
def test_a_metric_that_cannot_be_turned_is_refused(
    run: Runner, corpus: dict[str, Path], write: Writer, options: list[str], fragment: str
) -> None:
    call = [*arguments("correlate", corpus), *options]
    assert_refused(run(*call, "--metric-scores", write("m.csv", OF_ERRORS)), fragment)
    assert_refused(run(*call), options[0], "a metric of --metric-scores expected")


BAD_JUDGMENTS: dict[str, tuple[str | bytes, tuple[str, ...]]] = {
    "a segment out of range": (HUMAN + "4,better,x,1\n", ("line 11", "segment 4 found", "the texts have 3 segments")),
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
    "no rating": ("segment,system,judge,score\n1,better,x,\n", ("no rating in 1 row,",)),
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
    assert_refused(result, "bad.csv, line 3", "segment 3 found", "the texts have 3 segments, 0 to 2")


def test_ratings_whose_mean_is_too_large_for_a_number_are_refused(
    run: Runner, corpus: dict[str, Path], write: Writer
) -> None:
    bad = write("bad.csv", HUMAN + "1,better,y,1.7e308\n1,better,z,1.7e308\n1,better,w,1.7e308\n")
    assert_refused(run(*arguments("correlate", corpus | {"human": bad}), "--format", "json"), "bad.csv")


def test_judgments_of_other_systems_only_are_refused(run: Runner, corpus: dict[str, Path], write: Writer) -> None:
    other = write("other.csv", "system,score\nnobody,3\n")
    assert_refused(
        run(*arguments("correlate", corpus | {"human": other})),
        "no rating can be used: they are of nobody, but the systems loaded are better, worse, third",
    )


def test_an_unknown_human_system_is_named(run: Runner, corpus: dict[str, Path]) -> None:
    assert_refused(run(*arguments("correlate", corpus), "--human-system", "me"), "'me'", "better, worse, third")


def test_classes_have_agreement_inside_and_outside_or_a_reason(run: Runner, corpus: dict[str, Path]) -> None:
    call = (*arguments("correlate", corpus), "--level", "segment", "--classes", "--language", "en", "--trials", 9)
    (found,) = run(*call, "--format", "json").json["classes"]
    assert (found["metric"], found["method"], found["language"], found["unit"]) == ("BLEU", "kendall", "en", "segment")
    keys = ["numbers", "names", "negation", "quotation", "question", "short", "long"]
    assert [one["key"] for one in found["classes"]] == keys
    assert all(one["p_value"] is None and one["reason"] for one in found["classes"])
    assert "at least 20 expected" in run(*call).out


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (("--classes",), "--classes is for segments: add --level segment --grouping item"),
        (("--level", "segment", "--classes", "--language", "xx"), "language 'xx' found, one of"),
        (("--language", "en"), "--language is for --classes"),
    ],
)
def test_classes_that_cannot_be_are_refused(
    run: Runner, corpus: dict[str, Path], extra: tuple[str, ...], message: str
) -> None:
    assert_refused(run(*arguments("correlate", corpus), *extra), message)


@pytest.mark.parametrize("level", ["system", "segment"])
def test_a_metric_that_contradicts_the_judges_is_warned_of_until_its_direction_is_given(
    run: Runner, write: Writer, level: str
) -> None:
    rng = np.random.default_rng(3)
    human = rng.normal(50, 10, (3, 30))
    words = rng.integers(0, 50, (4, 30, 8))
    texts = [
        write(name, "".join(" ".join(f"w{w}" for w in line) + "\n" for line in of).encode())
        for name, of in zip(("ref.txt", "S0.txt", "S1.txt", "S2.txt"), words, strict=True)
    ]
    cells = [(k, s) for k in range(3) for s in range(30)]
    rated = write(
        "human.csv", ("system,segment,score\n" + "".join(f"S{k},{s + 1},{human[k, s]}\n" for k, s in cells)).encode()
    )
    errors = write(
        "m.csv",
        (
            "system,segment,metric,score\n" + "".join(f"S{k},{s + 1},Faults,{100 - human[k, s]}\n" for k, s in cells)
        ).encode(),
    )
    call = ["correlate", "--level", level, "--ref", *texts[:1], *texts[1:], "--human", rated, "--metric-scores", errors]
    found = run(*call, "--format", "json")
    (warning,) = [sentence for sentence in found.json["warnings"] if "direction" in sentence]
    assert warning.startswith(
        "Faults: its direction may be wrong: its scores are read as higher is better, and Kendall"
    )
    assert warning in found.err
    assert not any(
        "direction" in w for w in run(*call, "--lower-is-better", "Faults", "--format", "json").json["warnings"]
    )


@pytest.mark.parametrize(("segments", "few"), [(19, True), (20, False)])
def test_numbers_from_few_rated_segments_have_a_note(run: Runner, write: Writer, segments: int, *, few: bool) -> None:
    words = ["the", "cat", "sat", "on", "the", "mat", "and", "looked", "at", "me"]
    text = [" ".join(words[n % 4 :]) for n in range(segments)]
    systems = [write(f"{name}.txt", "\n".join(f"{line} {name * n}" for n, line in enumerate(text))) for name in "AB"]
    rows = [f"{n + 1},{name},x,{n % 5 + (name == 'A')}" for n in range(segments) for name in "AB"]
    human = write("human.csv", "\n".join(["segment,system,judge,score", *rows]) + "\n")
    call = ["--ref", write("ref.txt", "\n".join(text)), "--human", human, *systems, "--format", "json"]
    for command in (["correlate"], ["correlate", "--level", "segment"], ["paper"]):
        warnings = run(*command, *call).json["warnings"]
        assert any(one.startswith(f"Only {segments} segments are rated") for one in warnings) is few


@pytest.fixture
def confounded(write: Writer) -> list[object]:
    """A call on four systems of 60 segments, of which a severe judge rated the first most often."""
    words = list(dict.fromkeys(BETTER.split()))
    lengths = {"ref": 12, "A": 7, "B": 8, "C": 9, "D": 10}
    texts = {
        name: "".join(f"{' '.join(words[(s + i) % len(words)] for i in range(length))} {s}\n" for s in range(60))
        for name, length in lengths.items()
    }
    rows = confounded_rows("ABCD", segments=60, better=2.0)
    ratings = "segment,system,judge,score\n" + "".join(f"{s},{k},{j},{y!r}\n" for s, k, j, y in rows)
    reference, *paths = (write(f"{name}.txt", text) for name, text in texts.items())
    return ["correlate", "--ref", reference, "--human", write("human.csv", ratings), *paths]


def test_adjust_judges_gives_adjusted_means_and_the_raw_ones_beside_them(run: Runner, confounded: list[object]) -> None:
    raw = run(*confounded, "--format", "json").json
    found = run(*confounded, "--adjust-judges", "--format", "json").json
    assert found["adjusted_for_judges"] is True
    assert "adjusted_for_judges" not in raw
    means = adjusted_means(judgments_of(confounded_rows("ABCD", segments=60, better=2.0)), tuple("ABCD"))
    assert [system["human"] for system in found["systems"]] == pytest.approx(means.adjusted.tolist())
    assert [system["human_raw"] for system in found["systems"]] == pytest.approx(means.raw.tolist())
    assert [system["human"] for system in raw["systems"]] == pytest.approx(means.raw.tolist())
    assert not any("human_raw" in system for system in raw["systems"])
    assert found["pearson"]["coefficient"] != pytest.approx(raw["pearson"]["coefficient"])


@pytest.mark.parametrize("command", ["correlate", "references"])
def test_confounded_judges_are_adjusted_for_in_tables_and_beside_raw_values_in_json(
    command: str, run: Runner, confounded: list[object], write: Writer
) -> None:
    other = write("other.txt", "".join(f"{BETTER.split()[s % 5]} two three {s}\n" for s in range(60)))
    call = [command, *confounded[1:3], *(["--ref", other] if command == "references" else []), *confounded[3:]]
    raw, adjusted = (run(*call, *more, "--format", "json").json for more in ([], ["--adjust-judges"]))
    if command == "correlate":
        (beside,) = raw["adjusted"]
        assert "adjusted" not in adjusted
        assert "adjusted_for_judges" not in raw
        assert beside["systems"] == [
            {key: system[key] for key in ("system", "bleu", "score", "human", "human_raw")}
            for system in adjusted["systems"]
        ]
        pairs = [(beside, adjusted, raw)]
    else:
        assert not any("agreement_adjusted" in each for each in adjusted["rankings"])
        pairs = [
            (one["agreement_adjusted"], other["agreement"], one["agreement"])
            for one, other in zip(raw["rankings"], adjusted["rankings"], strict=True)
        ]
    for beside, expected, given in pairs:
        assert beside["pearson"] == expected["pearson"]
        assert given["pearson"]["coefficient"] != pytest.approx(expected["pearson"]["coefficient"])
    table, requested = run(*call).out, run(*call, "--adjust-judges").out
    note = ", as these are confounded with systems (--format json has raw means)"
    assert note in table
    assert table.replace(note, "") == requested


def test_raw_means_of_confounded_judges_have_a_warning(run: Runner, confounded: list[object]) -> None:
    (warning,) = run(*confounded, "--format", "json").json["warnings"]
    assert "J3" in warning
    assert "--adjust-judges" in warning
    assert run(*confounded, "--adjust-judges", "--format", "json").json["warnings"] == []


def test_segments_are_compared_by_ratings_less_severity(run: Runner, confounded: list[object]) -> None:
    raw, found = (
        run(*confounded, "--level", "segment", *more, "--format", "json").json["correlations"]
        for more in ([], ["--adjust-judges"])
    )
    assert [one["coefficient"] for one in raw] != [one["coefficient"] for one in found]


def test_the_human_ranking_has_tiers_pairs_and_judges_by_systems(run: Runner, confounded: list[object]) -> None:
    found = run(*confounded, "--human-ranking", "auto", "--format", "json").json
    best = found["human_ranking"][0]
    assert (best["system"], best["tier"]) == ("D", 1)
    assert {one["tier"] for one in found["human_ranking"][1:]} == {2}
    assert len(found["human_pairs"]) == 6
    assert found["confounding"]["confounded"] is True
    shares = dict.fromkeys("ABCD", 0.0)
    for one in found["judge_systems"]:
        shares[one["system"]] += one["share"]
    assert shares == pytest.approx(dict.fromkeys("ABCD", 1.0))
    raw = run(*confounded, "--human-ranking", "raw", "--format", "json").json["human_ranking"]
    assert not any("tier" in one for one in raw)
    assert all("confounded" in one["reason"] for one in raw)
    latex = run(*confounded, "--human-ranking", "auto", "--format", "latex").out
    assert "mean adjusted" in latex


def test_systems_that_cannot_be_adjusted_for_judges_are_refused(
    run: Runner, corpus: dict[str, Path], write: Writer
) -> None:
    names = [corpus[name].stem for name in ("better", "worse", "third")]
    rows = "".join(f"{s},{name},J{k},{s + k}\n" for s in (1, 2, 3) for k, name in enumerate(names))
    human = write("apart.csv", f"segment,system,judge,score\n{rows}")
    call = arguments("correlate", {**corpus, "human": human})
    assert_refused(run(*call, "--adjust-judges"), "cannot be adjusted for judges", "not connected")


def test_the_sentinel_is_compared_over_segments_and_left_out_over_systems(
    run: Runner, corpus: dict[str, Path], write: Writer
) -> None:
    source = write("source.txt", "ein langer Satz hier\nkurz\nmittel lang\n")
    call = [*arguments("correlate", corpus), "--source", source, "--also", "source length", "--format", "json"]
    over_systems = run(*call).json
    assert "metrics" not in over_systems
    assert over_systems["sentinel"].startswith("left out: source length: it is the same for all systems")
    over_segments = run(*call, "--level", "segment", "--grouping", "none").json
    found = next(
        c
        for c in over_segments["correlations"]
        if (c["metric"], c["method"], c["grouping"]) == ("source length", "kendall", "none")
    )
    # Ratings of better, worse and third, against lengths 20, 4 and 11, of which smaller is better.
    ratings, lengths = [5, 4, 4, 2, 3, 1, 3, 4, 3], [20, 4, 11] * 3
    assert found["coefficient"] == pytest.approx(stats.kendalltau(np.negative(lengths), ratings).statistic)
    assert "source length" in over_segments["sentinel"]


def test_the_sentinel_of_texts_without_a_source_is_that_of_the_reference(run: Runner, corpus: dict[str, Path]) -> None:
    call = [*arguments("correlate", corpus), "--also", "source length", "--level", "segment", "--format", "json"]
    assert "length of the reference" in {c["metric"] for c in run(*call).json["correlations"]}


def test_a_judge_is_compared_with_the_others_beside_the_metrics(run: Runner) -> None:
    systems = [str(path) for path in sample_data.systems()]
    call = ["correlate", "--ref", str(sample_data.references()[0]), "--human", str(sample_data.JUDGMENTS)]
    call += ["--level", "segment", "--method", "pearson", "--grouping", "none", "--also", "chrF2", "--trials", "20"]
    report = run(*call, "--judge-as-metric", "--format", "json", *systems).json["judge_as_metric"]
    assert (report["level"], report["method"], report["grouping"]) == ("segment", "pearson", "none")
    assert {row["name"] for row in report["compared"]} == {"a judge", "BLEU", "chrF2"}
    mean = next(row for row in report["compared"] if row["name"] == "a judge")
    assert mean["coefficient"] == pytest.approx(np.mean([judge["coefficient"] for judge in report["judges"]]))
    assert "judge_as_metric" not in run(*call, "--format", "json", *systems).json
    printed = run(*call, "--judge-as-metric", *systems).out
    assert "A judge and the metrics are compared with the mean rating of all other judges" in printed


def test_without_named_judges_the_command_says_why_no_judge_is_compared(run: Runner, corpus: dict[str, Path]) -> None:
    found = run(*arguments("correlate", corpus), "--judge-as-metric", "--format", "json").json["judge_as_metric"]
    assert found["judges"] == []
    assert found["reason"].endswith("needed") or found["reason"].startswith("no ")
