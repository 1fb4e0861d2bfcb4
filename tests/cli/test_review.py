"""`bleu-core review`: its contract, its directions, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from calls import ENVELOPE, arguments, assert_refused
from conftest import Runner, Writer

from bleu_core.agreement import MetricScores, review_threshold

SEGMENTS, SYSTEMS = 300, ("a", "b")
WORDS = ("one", "two", "three", "four", "five", "six")


@pytest.fixture
def rated(write: Writer) -> dict[str, Path]:
    """Two systems, ratings from 0 to 100, a metric whose higher scores are better and one whose lower scores are."""
    generator = np.random.default_rng(1)
    ratings = (80 + 15 * generator.normal(size=(2, SEGMENTS))).clip(0, 100).round()
    kiwi = (0.5 + ratings / 200 + 0.01 * generator.normal(size=ratings.shape)).round(3)
    rows = [(name, s + 1, k, s) for k, name in enumerate(SYSTEMS) for s in range(SEGMENTS)]
    files = {
        "ref": "".join(f"{WORDS[s % 6]} {WORDS[s % 5]} {WORDS[s % 4]}\n" for s in range(SEGMENTS)),
        "human": "segment,system,judge,score\n"
        + "".join(f"{n},{name},x,{ratings[k, s]:g}\n" for name, n, k, s in rows),
        "COMETKiwi": "system,segment,score\n" + "".join(f"{name},{n},{kiwi[k, s]}\n" for name, n, k, s in rows),
        "MetricX": "system,segment,score\n" + "".join(f"{name},{n},{1 - kiwi[k, s]:.3f}\n" for name, n, k, s in rows),
        "docs": "".join(f"d{s // 15}\n" for s in range(SEGMENTS)),
        "a": "".join(f"{WORDS[s % 6]} {WORDS[s % 5]} {WORDS[s % 3]}\n" for s in range(SEGMENTS)),
        "b": "".join(f"{WORDS[s % 6]} {WORDS[s % 4]} {WORDS[s % 2]}\n" for s in range(SEGMENTS)),
    }
    tables = ("human", "COMETKiwi", "MetricX")
    return {name: write(f"{name}.{'csv' if name in tables else 'txt'}", text) for name, text in files.items()}


def call(files: dict[str, Path], *more: object, scores: bool = True) -> list[object]:
    given = [part for name in ("COMETKiwi", "MetricX") if scores for part in ("--metric-scores", files[name])]
    return ["review", "--ref", files["ref"], "--human", files["human"], *given, *more, files["a"], files["b"]]


def test_json_has_exactly_the_keys_of_the_contract(run: Runner, rated: dict[str, Path]) -> None:
    found = run(*call(rated, "--documents", rated["docs"], "--format", "json")).json
    assert set(found) == ENVELOPE | {
        "acceptable",
        "acceptable_is_default",
        "max_unacceptable",
        "seed",
        "metrics",
        "excluded",
    }
    assert (found["acceptable"], found["acceptable_is_default"], found["max_unacceptable"]) == (75, True, 0.05)
    kiwi = found["metrics"][0]
    assert kiwi["unit"] == "document"
    assert [part["part"] for part in kiwi["parts"]] == ["choice", "test"]
    assert [part["units"] for part in kiwi["parts"]] == [6, 14]
    share = kiwi["parts"][1]["unacceptable"]
    assert share["share"] == pytest.approx(share["count"] / share["of"])
    assert share["low"] < share["share"] < share["high"]
    assert [row["threshold"] for row in kiwi["thresholds"] if row["chosen"] == "yes"] == [kiwi["threshold"]]
    assert kiwi["upper_bound"] <= 0.05


def test_the_numbers_are_those_of_the_library_and_of_the_scores_themselves(run: Runner, rated: dict[str, Path]) -> None:
    found = run(*call(rated, "--acceptable", 80, "--max-unacceptable", "10%", "--seed", 7, "--format", "json")).json
    lines = [line.split(",") for line in rated["COMETKiwi"].read_text().splitlines()[1:]]
    kiwi = np.array([float(cells[2]) for cells in lines]).reshape(2, SEGMENTS)
    ratings = [float(line.split(",")[3]) for line in rated["human"].read_text().splitlines()[1:]]
    metric = MetricScores(name="COMETKiwi", systems=SYSTEMS, system_scores=kiwi.mean(axis=1), segment_scores=kiwi)
    expected = review_threshold(
        metric, np.array(ratings).reshape(2, SEGMENTS), acceptable=80, max_unacceptable=0.1, seed=7
    )
    assert expected.test is not None
    result = next(metric for metric in found["metrics"] if metric["metric"] == "COMETKiwi")
    assert result["threshold"] == expected.threshold
    assert result["parts"][1]["unacceptable"]["count"] == expected.test.unacceptable.count
    assert result["parts"][1]["recall"]["low"] == pytest.approx(expected.test.recall.interval.low)


def test_lower_scores_that_are_better_let_about_the_same_segments_skip(run: Runner, rated: dict[str, Path]) -> None:
    found = run(*call(rated, "--lower-is-better", "MetricX", "--format", "json")).json
    kiwi, metricx = found["metrics"]
    assert (kiwi["higher_is_better"], metricx["higher_is_better"]) == (True, False)
    assert "or above" in kiwi["headline"]
    assert "or below" in metricx["headline"]
    for part in (0, 1):  # the scores are the same ones but for the direction
        assert metricx["parts"][part]["skipping"] == kiwi["parts"][part]["skipping"]
    thresholds = [row["threshold"] for row in metricx["thresholds"]]
    assert thresholds == sorted(thresholds)


def test_a_table_begins_with_the_headline_and_names_all_choices(run: Runner, rated: dict[str, Path]) -> None:
    result = run(*call(rated, "--higher-is-better", "COMETKiwi", "--lower-is-better", "MetricX"))
    first = result.out.splitlines()[0]
    assert first.split(" of segments can be published unread: at COMETKiwi 0.")[0].endswith("%")
    assert "have a mean rating below 75 in the 200 segments for the test, at most " in first
    assert result.out.count("In samples of known populations, ") == 1
    assert "acceptable: 75, derived from the scale of the ratings; set it by --acceptable" in result.out
    assert "the two parts are of segments, and segments of the same document can be in both" in result.out
    assert "acceptable:" not in run(*call(rated, "--acceptable", 75)).out


@pytest.mark.parametrize("form", ["tsv", "latex"])
def test_other_formats_have_both_tables(run: Runner, rated: dict[str, Path], form: str) -> None:
    result = run(*call(rated, "--metric", "chrf2", "--metric", "ter", "--format", form, scores=False))
    assert "chrF2" in result.out
    assert "TER" in result.out
    if form == "tsv":
        assert result.out.startswith("metric\tpart\tthreshold\tsegments\tskipping\tshare_skipping\tunacceptable\t")
        assert (
            "\nthreshold\tchosen\tshare_skipping\tshare_unacceptable\tlow\thigh\tbound\tprecision\trecall\t"
            in result.out
        )
    else:
        assert result.out.count(r"\begin{table}") == 4
        assert "Segments that skip review on 300 segments with 1 reference." in result.out.replace("\n", "")


def test_without_scores_of_a_file_bleu_is_the_metric(run: Runner, rated: dict[str, Path]) -> None:
    found = run(*call(rated, "--format", "json", scores=False)).json
    assert [metric["metric"] for metric in found["metrics"]] == ["BLEU"]
    assert found["signature"] == found["metrics"][0]["signature"] != ""


def test_few_segments_are_a_reason_and_no_number(run: Runner, corpus: dict[str, Path]) -> None:
    found = run(*arguments("review", corpus), "--format", "json").json["metrics"][0]
    assert found["threshold"] is None
    assert found["parts"] == []
    assert found["reason"] == "3 segments with a score and a rating found, at least 20 expected"
    assert found["headline"].startswith(
        "No threshold of BLEU can be recommended with 4 as the lowest acceptable rating: 3 segments"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--max-unacceptable", "5"], "--max-unacceptable: '5' found, a share between 0 and 1 expected"),
        (["--max-unacceptable", "x%"], "--max-unacceptable: 'x%' found"),
        (["--max-unacceptable", "0"], "--max-unacceptable: '0' found"),
        (["--max-unacceptable", "100%"], "--max-unacceptable: '100%' found"),
        (["--acceptable", "nan"], "acceptable rating nan found, a finite number expected"),
        (["--metric", "chrf9"], "metric 'chrf9' found, expected one of chrF2, "),
        (["--among", "0"], "0 metrics to choose from found, at least 1 expected"),
        (["--among", "1"], "--among 1 found, at least 2 expected: the number of metrics of this call"),
        (["--seed", "-1"], "seed -1 found, 0 or more expected"),
    ],
)
def test_bad_options_are_refused(run: Runner, rated: dict[str, Path], options: list[str], message: str) -> None:
    assert_refused(run(*call(rated, *options)), message)


def test_metrics_that_are_named_are_selected_and_their_number_makes_the_test_stricter(
    run: Runner, rated: dict[str, Path]
) -> None:
    one = run(*call(rated, "--metric", "COMETKiwi", "--format", "json")).json["metrics"]
    assert [metric["metric"] for metric in one] == ["COMETKiwi"]
    assert one[0]["headline"].endswith("with 95% confidence.")
    three = run(*call(rated, "--metric", "chrf2", "--format", "json")).json["metrics"]
    assert [metric["metric"] for metric in three] == ["chrF2", "COMETKiwi", "MetricX"]  # none of the files' is named
    assert three[1]["headline"].endswith("with 95% confidence for 3 metrics together.")
    among = run(*call(rated, "--metric", "COMETKiwi", "--among", 3, "--format", "json")).json["metrics"]
    assert among == [three[1]]
    thresholds = [{row["threshold"]: row["bound"] for row in metric["thresholds"]} for metric in (one[0], three[1])]
    both = thresholds[0].keys() & thresholds[1].keys()
    assert len(both) > 10
    assert all(thresholds[0][threshold] <= thresholds[1][threshold] for threshold in both)


def test_the_first_sentence_names_the_limit_and_whether_the_interval_exceeds_it(
    run: Runner, rated: dict[str, Path]
) -> None:
    said: set[str] = set()
    for seed in range(6):
        result = run(*call(rated, "--metric", "COMETKiwi", "--seed", seed, "--format", "json")).json["metrics"][0]
        high = result["parts"][1]["unacceptable"]["high"]
        verb = "exceeds" if high > 0.05 else "does not exceed"
        assert f", which {verb} the limit of 5%) of them" in result["headline"]
        assert result["upper_bound"] <= 0.05
        said.add(verb)
    assert said
