"""Scores printed by sacreBLEU compared with ours."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bleu_core.dataset import Corpus, PrintedScore
from bleu_core.results.reproduction import reproduced_scores, reproduction_sentence, reproduction_table
from bleu_core.scoring import BleuSettings, evaluate, score_metric

CORPUS = Corpus(
    systems={"A": ("the cat sat on the mat today", "a dog barks at night"), "B": ("a cat", "the dog barks at us")},
    references={"r": ("the cat sat on the mat", "the dog barks at night")},
)
SIGNATURE = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:{version}"
EVALUATION = evaluate(CORPUS)
VERSION = EVALUATION.signature.rpartition(":")[2]
GIVEN = PrintedScore(
    system="A",
    metric="BLEU",
    score=round(float(EVALUATION.scores.score[0]), 2),
    decimals=2,
    signature=SIGNATURE.format(version=VERSION),
    hypothesis_length=12,
    reference_length=11,
    origin="A.json",
)


def compared(score: PrintedScore, settings: BleuSettings | None = None) -> tuple[str, str]:
    evaluation = evaluate(CORPUS, settings)
    (found,) = reproduced_scores([score], evaluation, lambda key: score_metric(CORPUS, evaluation, key))
    return found.verdict, found.explanation


@pytest.mark.parametrize("decimals", [0, 1, 2, 6])
def test_a_score_is_equal_in_the_digits_that_were_printed(decimals: int) -> None:
    score = round(float(EVALUATION.scores.score[0]), decimals)
    assert compared(replace(GIVEN, score=score, decimals=decimals)) == ("equal", "")
    off = replace(GIVEN, score=score + 10**-decimals, decimals=decimals)
    assert compared(off) == ("different", "the signatures are the same, so the texts must differ")


def test_settings_that_differ_are_named_key_by_key() -> None:
    verdict, why = compared(GIVEN, BleuSettings(tokenizer="char", lowercase=True))
    assert verdict == "different"
    assert why == "the file has case:mixed, tok:13a; the score here has case:lc, tok:char"


def test_a_key_that_only_one_has_is_named_and_resampling_is_not() -> None:
    other = replace(GIVEN, score=1.0, signature=GIVEN.signature.replace("|smooth:exp", ""))
    assert compared(other)[1] == "the file has no smooth; the score here has smooth:exp"
    resampled = replace(GIVEN, signature=f"bs:1000|seed:12345|{GIVEN.signature}")
    assert compared(resampled) == ("equal", "")


def test_other_texts_and_versions_are_named_where_settings_are_the_same() -> None:
    other = replace(GIVEN, score=1.0, hypothesis_length=13)
    assert compared(other)[1].startswith("the text of the system had 13 tokens, here it has 12")
    older = replace(GIVEN, score=1.0, signature=SIGNATURE.format(version="1.0.0"))
    assert compared(older)[1] == f"the file is of another version of sacreBLEU (1.0.0; here {VERSION})"


def test_what_cannot_be_compared_is_said() -> None:
    assert compared(replace(GIVEN, metric="chrF3")) == ("not compared", "chrF3 is not computed here")
    assert compared(replace(GIVEN, system="C"))[0] == "not compared"
    assert "no signature" in compared(replace(GIVEN, score=1.0, signature=""))[1]


def test_the_sentence_and_the_table_count_them() -> None:
    both = reproduced_scores(
        [GIVEN, replace(GIVEN, score=1.0, origin="B.json")],
        EVALUATION,
        lambda key: score_metric(CORPUS, EVALUATION, key),
    )
    assert reproduction_sentence(both).startswith("1 of 2 scores in A.json, B.json equals the one computed here")
    assert "explanation" in reproduction_table(both).columns
    assert "explanation" not in reproduction_table(both[:1]).columns
