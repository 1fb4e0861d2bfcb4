"""`bleu-core score`: its contract, and that its scores are sacreBLEU's."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path

import pytest
import sacrebleu
from calls import BETTER, ENVELOPE, FORMATS, REFERENCE, SAMPLE, THIRD, TRUTH, WORSE, arguments
from conftest import Runner, Writer
from sacrebleu.metrics.bleu import BLEU


def test_score_json_has_exactly_the_keys_of_the_contract(run: Runner, corpus: dict[str, Path]) -> None:
    found = run(*arguments("score", corpus), "--format", "json").json
    assert set(found) == ENVELOPE | {"metrics", "systems"}
    assert found["references"] == ["ref"]
    assert found["segments"] == 3
    assert [system["system"] for system in found["systems"]] == ["better", "worse", "third"]
    for system in found["systems"]:
        assert set(system) == {
            "system",
            "bleu",
            "score",
            "scores",
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
        "ter_normalized",
        "ter_no_punct",
        "ter_asian_support",
    }


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


def test_hostile_segments_score_as_sacrebleu(run: Runner, hostile: list[Path]) -> None:
    found = run("score", "--ref", hostile[0], "--format", "json", hostile[1]).json
    reference, hypothesis = (path.read_text(encoding="utf-8").split("\n")[:-1] for path in hostile[:2])
    wanted = BLEU(force=True).corpus_score(hypothesis, [reference])
    assert found["systems"][0]["bleu"] == pytest.approx(wanted.score, rel=1e-9)


def test_intervals_of_scores_are_as_wide_as_sacrebleus(run: Runner, sample: dict[str, Path]) -> None:
    call = ["score", "--ref", sample["ref"], "--format", "json", sample["S1"], sample["H2"]]
    plain, found = run(*call).json, run(*call, "--intervals").json
    for system, without in zip(found["systems"], plain["systems"], strict=True):
        assert set(system) - set(without) == {
            *(f"{key}_{end}" for key in ("bleu", "score") for end in ("low", "high")),
            "confidence",
            "resamples",
        }
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


def test_printed_scores_are_compared_and_scores_of_systems_refused(
    run: Runner, corpus: dict[str, Path], write: Writer
) -> None:
    reference, hypothesis = (corpus[name].read_text("utf-8").splitlines() for name in ("ref", "better"))
    same, other = BLEU(), BLEU(lowercase=True, tokenize="char")
    files: list[str] = []
    for name, scorer in (("better.json", same), ("other/better.json", other)):
        score = scorer.corpus_score(hypothesis, [reference])
        text = score.format(2, False, str(scorer.get_signature()), True)  # noqa: FBT003 # positional in sacreBLEU
        files += ["--metric-scores", str(write(name, text))]
    call = arguments("score", corpus)
    first, second = run(*call, *files, "--format", "json").json["reproduced"]
    assert (first["system"], first["metric"], first["verdict"], first["explanation"]) == ("better", "BLEU", "equal", "")
    assert first["printed"] == pytest.approx(first["computed"], abs=0.005)
    assert second["verdict"] == "different"
    assert second["explanation"] == "the file has case:lc, tok:char; the score here has case:mixed, tok:13a"
    assert "1 of 2 scores in" in run(*call, *files).out
    assert "remove --slice" in run(*call, *files, "--slice", "length > 1").err
    table = write("m.csv", "system,metric,score\nbetter,M,1\n")
    whole = run(*call, "--metric-scores", str(table), "--intervals", "--format", "json").json
    assert [metric["metric"] for metric in whole["metrics"]] == ["bleu", "M"]
    assert whole["metrics"][1]["reason"] == "scores of whole systems only"
    assert [system["scores"]["M"] for system in whole["systems"]] == [1, None, None]
    assert [sorted(system["intervals"]) for system in whole["systems"]] == [["bleu"]] * 3
    assert "M: the file has scores of whole systems only" in run(*call, "--metric-scores", str(table)).out
    refused = run(*arguments("compare", corpus), "--metric-scores", str(table))
    assert "M has scores of whole systems only, scores of segments expected" in refused.err
    assert refused.status == 2
