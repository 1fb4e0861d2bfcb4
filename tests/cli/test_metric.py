"""`--metric`: any metric of the register in score, blocks, compare and gate."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jiwer
import pytest
from calls import BETTER, ENVELOPE, REFERENCE, THIRD, WORSE, arguments, assert_refused
from conftest import Runner, Writer
from plugins.installed import installed, shared_words_installed
from sacrebleu.metrics.base import Metric
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from bleu_core.scoring import BUILT_IN_METRICS

SACREBLEU: dict[str, Metric] = {"chrf2": CHRF(), "chrf2++": CHRF(word_order=2), "ter": TER()}
TEXTS = {"better": BETTER, "worse": WORSE, "third": THIRD}
KEYS = ("bleu", *SACREBLEU, "wer")
BUILT_IN = ", ".join(BUILT_IN_METRICS)
COMMANDS = ("score", "blocks", "compare", "slices", "gate")


@pytest.fixture
def shared_words(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with shared_words_installed(tmp_path_factory.mktemp("site"), monkeypatch):
        yield


def lines(text: str) -> list[str]:
    return text.split("\n")[:-1]


@pytest.mark.parametrize("key", SACREBLEU)
def test_scores_and_signature_are_sacrebleus(run: Runner, corpus: dict[str, Path], key: str) -> None:
    found = run(*arguments("score", corpus), "--metric", key, "--format", "json").json
    assert set(found) == ENVELOPE | {"metrics", "systems"}
    assert found["metric"] == key
    for system in found["systems"]:
        assert set(system) == {"system", "score", "scores"}
        assert system["scores"] == {key: system["score"]}
        wanted = SACREBLEU[key].corpus_score(lines(TEXTS[system["system"]]), [lines(REFERENCE)])
        assert system["score"] == pytest.approx(wanted.score, rel=1e-12)
        assert found["signature"] == SACREBLEU[key].get_signature().format(short=False)


def test_wer_is_jiwers_in_points(run: Runner, corpus: dict[str, Path]) -> None:
    found = run(*arguments("score", corpus), "--metric", "wer", "--format", "json").json
    for system in found["systems"]:
        wanted = 100 * jiwer.wer(lines(REFERENCE), lines(TEXTS[system["system"]]))
        assert system["score"] == pytest.approx(wanted, rel=1e-12)
    assert found["signature"].startswith("nrefs:1|case:mixed|tok:13a|version:")


@pytest.mark.parametrize("key", KEYS[1:])
def test_intervals_are_of_the_metric(run: Runner, sample: dict[str, Path], key: str) -> None:
    files = [sample[name] for name in ("S1", "H2")]
    call = ["score", "--metric", key, "--ref", sample["ref"], *files]
    plain = run(*call, "--format", "json").json["systems"]
    for system, bare in zip(run(*call, "--intervals", "--format", "json").json["systems"], plain, strict=True):
        assert set(system) == {"system", "score", "scores", "score_low", "score_high", "confidence", "resamples"}
        assert system["score"] == bare["score"]
        assert system["score_low"] < system["score"] < system["score_high"]
    rows = list(csv.DictReader(io.StringIO(run(*call, "--intervals", "--format", "tsv").out), dialect="excel-tab"))
    assert list(rows[0]) == ["system", "score", "score_low", "score_high"]
    assert [float(row["score"]) for row in rows] == [system["score"] for system in plain]


def test_bleu_by_its_name_is_what_there_is_without_the_option(run: Runner, corpus: dict[str, Path]) -> None:
    for command in ("score", "blocks"):
        call = arguments(command, corpus)
        assert run(*call, "--metric", "bleu").out == run(*call).out
        assert run(*call, "--format", "json").json["metric"] == "bleu"


@pytest.mark.parametrize("key", KEYS)
def test_blocks_run_from_the_worst_system_to_the_best(run: Runner, sample: dict[str, Path], key: str) -> None:
    files = [sample[name] for name in sample if name not in ("ref", "docs")]
    call = ["--metric", key, "--ref", sample["ref"], *files]
    found = run("blocks", *call, "--blocks", 4, "--format", "json").json
    score = "bleu" if key == "bleu" else "score"
    of_systems = [system[score] for system in found["systems"]]
    assert found["metric"] == key
    assert of_systems == sorted(of_systems, reverse=key in ("ter", "wer"))
    assert len(of_systems) == len(files)
    assert all(("zero_blocks" in system) == (key == "bleu") for system in found["systems"])
    for pair, system, baseline in zip(found["pairs"], found["systems"][1:], found["systems"], strict=False):
        assert (pair["system"], pair["baseline"]) == (system["system"], baseline["system"])
        assert pair["delta"] == pytest.approx(system[score] - baseline[score])
        assert pair["mean_difference"] == pytest.approx(system["mean"] - baseline["mean"])


def test_a_blocks_score_is_that_of_its_segments_alone(run: Runner, corpus: dict[str, Path]) -> None:
    call = ["blocks", "--metric", "ter", "--ref", corpus["ref"], "--blocks", 3, "--format", "json", corpus["worse"]]
    wanted = [
        TER().corpus_score([text], [[reference]]).score
        for text, reference in zip(lines(WORSE), lines(REFERENCE), strict=True)
    ]
    assert run(*call).json["systems"][0]["scores"] == pytest.approx(wanted, rel=1e-12)


def undefined(write: Writer) -> list[object]:
    return [
        "--metric",
        "wer",
        "--ref",
        write("ref.txt", "\n \n"),
        write("A.txt", "a\nb\n"),
        write("B.txt", "\nx\n"),
    ]


def test_without_a_reference_token_scores_are_null_with_a_reason(run: Runner, write: Writer) -> None:
    call = undefined(write)
    reason = "the references have no tokens"
    for system in run("score", *call, "--format", "json").json["systems"]:
        assert (system["score"], system["reason"]) == (None, reason)
    assert f"WER of A, B is undefined: {reason}" in run("score", *call, "--intervals").out
    blocks = run("blocks", *call, "--blocks", 2, "--format", "json").json
    assert [system["scores"] for system in blocks["systems"]] == [[None, None]] * 2
    assert {system["reason"] for system in blocks["systems"]} == {reason}
    assert (blocks["pairs"][0]["p_value"], blocks["pairs"][0]["reason"]) == (None, "a score of a block is undefined")
    resamples = ["--resamples", 20]
    draws = {"randomization": [*resamples, "--trials", 20], "t": ["--blocks", 2]}
    for test in ("bootstrap", "randomization", "t", "sacrebleu-bootstrap"):
        compared = run("compare", *call, "--test", test, *draws.get(test, resamples), "--format", "json").json
        assert [system["reason"] for system in compared["systems"]] == [reason] * 2
        pair = compared["pairs"][0]
        assert pair["p_value"] is pair["delta"] is pair["low"] is None
        assert "undefined" in pair["reason"]
    assert_refused(run("gate", *call), "no text found in the references")


def test_a_resample_without_a_reference_token_leaves_p_undefined(run: Runner, write: Writer) -> None:
    call = [
        "--metric",
        "wer",
        "--ref",
        write("ref.txt", "a b\n" + "\n" * 119),
        write("A.txt", "x y\n" + "\n" * 119),
        write("B.txt", "a x\n" + "\n" * 119),
    ]
    found = run("compare", *call, "--resamples", 1000, "--format", "json").json
    assert [system["score"] for system in found["systems"]] == [100, 50]
    assert (found["pairs"][0]["p_value"], found["pairs"][0]["reason"]) == (None, "a score is undefined")
    assert_refused(run("gate", *call), "a score is undefined")


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_metric_is_refused_before_any_file_is_read(
    run: Runner, corpus: dict[str, Path], command: str
) -> None:
    call = ["missing.txt" if value == corpus["better"] else value for value in arguments(command, corpus)]
    assert_refused(run(*call, "--metric", "meteor"), f"metric 'meteor' found, one of {BUILT_IN} expected")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.usefixtures("shared_words")
def test_a_metric_of_another_package_is_accepted_and_listed(
    run: Runner, corpus: dict[str, Path], longer: dict[str, Path], command: str
) -> None:
    call = [*arguments(command, longer if command == "gate" else corpus), "--format", "json"]
    found: Any = run(*call, "--metric", "shared-words").json if command != "gate" else None
    if found is not None:
        assert found["metric"] == "shared-words"
        score = {system["system"]: system["score"] for system in found["systems"]}
        words = [(set(a.split()), set(b.split())) for a, b in zip(lines(BETTER), lines(REFERENCE), strict=True)]
        assert score["better"] == pytest.approx(100 * sum(len(a & b) for a, b in words) / sum(len(a) for a, _ in words))
    else:
        assert '"metric": "shared-words"' in run(*call, "--metric", "shared-words").out
    assert_refused(run(*call, "--metric", "meteor"), f"{BUILT_IN}, shared-words expected")


def test_a_broken_package_is_named_and_leaves_the_others_alone(
    run: Runner, corpus: dict[str, Path], tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = arguments("score", corpus)
    with installed(tmp_path_factory.mktemp("site"), monkeypatch, {"bad-comet": {"comet": "not_there:METRIC"}}):
        assert_refused(run(*call, "--metric", "comet"), "metric 'comet' of package bad-comet cannot be loaded")
        assert run(*call, "--metric", "ter").status == 0


def test_help_names_the_built_in_metrics(run: Runner) -> None:
    for command in COMMANDS:
        shown = " ".join(run(command, "--help").out.split())
        assert f"--metric METRIC {BUILT_IN}, a metric added by an installed package" in shown


def test_correlate_takes_any_metric_of_the_register_beside_bleu(
    run: Runner, corpus: dict[str, Path], tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = [*arguments("correlate", corpus), "--format", "json"]
    found = run(*call, "--metric", "bleu", "--metric", "WER").json["metrics"]
    assert [metric["metric"] for metric in found] == ["WER"]
    assert found[0]["pearson"]["coefficient"] is not None
    with shared_words_installed(tmp_path_factory.mktemp("site"), monkeypatch):
        found = run(*call, "--metric", "bleu", "--metric", "Shared words").json["metrics"]
        assert [metric["metric"] for metric in found] == ["Shared words"]
        assert_refused(
            run(*call, "--metric", "bleu", "--metric", "METEOR"),
            "metric 'METEOR' found",
            ", TER, WER, ",
            ", Shared words, BLEU-",
        )


@pytest.mark.parametrize("command", ["score", "blocks", "compare"])
@pytest.mark.parametrize(
    ("key", "options", "warns"),
    [
        ("ter", "--tokenizer zh", True),
        ("ter", "--ter-asian-support", False),
        ("ter", "--ter-normalized --ter-no-punct", True),
        ("wer", "--tokenizer zh", False),
        ("wer", "", True),
        ("chrf2++", "--tokenizer zh", True),
        ("chrf2", "", False),
    ],
)
def test_a_metric_of_words_warns_of_text_without_blanks(
    run: Runner, write: Writer, command: str, key: str, *, options: str, warns: bool
) -> None:
    chinese = ["\u6211\u559c\u6b22\u5403\u82f9\u679c\u3002", "\u5317\u4eac\u662f\u9996\u90fd"] * 4
    other = [line.replace("\u559c\u6b22", "\u7231").replace("\u9996\u90fd", "\u57ce") for line in chinese]
    ref, a, b = (
        write(f"{name}.txt", "".join(f"{line}\n" for line in lines))
        for name, lines in (("ref", chinese), ("A", other), ("B", other[:4] + chinese[4:]))
    )
    blocks = ("--blocks", "2") if command == "blocks" else ()
    found = run(command, *blocks, "--metric", key, *options.split(), "--ref", ref, a, b, "--format", "json")
    said = [warning for warning in found.json["warnings"] if "treats the text between blanks" in warning]
    assert len(said) == warns
    assert all("100% of the letters of ref are Chinese" in each and "--ter-asian-support" in each for each in said)
    assert TER(normalized=True, asian_support=True).corpus_score(other, [chinese]).score < 50  # as the warning advises
    assert TER().corpus_score(other, [chinese]).score == 100
