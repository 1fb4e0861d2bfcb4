"""Precisions by order: Figures 1 and 2."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import Texts, corpora

from bleu_core.dataset import Corpus
from bleu_core.errors import SettingsError
from bleu_core.paper.precision_orders import figure_1, sum_precisions
from bleu_core.scoring import BleuSettings, evaluate

WORDS = BleuSettings(tokenizer="none", max_order=2)
CORPUS = Corpus(
    {"M": ("a x", "a b", "x"), "N": ("a b", "a b", "x"), "H": ("a b", "a b", "c")}, {"R": ("a b", "a b", "c")}
)


def test_precisions_are_unsmoothed_sums_over_the_first_segments() -> None:
    # M: "a x" and "a b": 3 of 4 words, 1 of 2 bigrams; with "x" 3 of 5.
    evaluation = evaluate(CORPUS, WORDS)
    found = sum_precisions(evaluation, segments=2)
    assert (found.segments, found.references) == (2, ("R",))
    assert found.precisions.tolist() == [[3 / 4, 1 / 2], [1, 1], [1, 1]]
    assert sum_precisions(evaluation).precisions[0].tolist() == [3 / 5, 1 / 2]
    assert sum_precisions(evaluation, segments=100).segments == 3


def test_the_pair_is_the_poorest_machine_and_the_best_human() -> None:
    evaluation = evaluate(CORPUS, WORDS)
    assert figure_1(evaluation, ["H"]).systems == ("M", "H")
    assert figure_1(evaluation, ["H", "N"]).systems == ("M", "H")
    assert figure_1(evaluation, ["M"]).systems == ("N", "M")  # the human may be the worse
    assert figure_1(evaluation).systems == ("M", "H")  # nobody named: the lowest and the highest
    assert figure_1(evaluation, ["M", "N", "H"]).systems == ("M", "H")
    assert figure_1(evaluation.select(["N"])).systems == ("N",)
    assert figure_1(evaluation, ["H"], segments=2).ratios.tolist() == [4 / 3, 2]


def test_orders_rank_alike_or_not() -> None:
    corpus = Corpus({"A": ("a b x y",), "B": ("b a y c",)}, {"R": ("a b c",)})
    found = sum_precisions(evaluate(corpus, WORDS))
    # A has 2 of 4 words and 1 of 3 bigrams, B 3 of 4 and none.
    assert found.rankings == (("A", "B"), ("B", "A"))


def test_a_system_without_n_grams_has_no_precision_and_ranks_first() -> None:
    corpus = Corpus({"A": ("a b",), "B": ("",)}, {"R": ("a b",)})
    found = sum_precisions(evaluate(corpus, WORDS), ["B", "A"])
    assert np.isnan(found.precisions[0]).all()
    assert np.isnan(found.ratios).all()
    assert found.rankings == (("B", "A"), ("B", "A"))
    assert math.isnan(sum_precisions(evaluate(corpus, WORDS), ["B"]).ratios[0])


@pytest.mark.parametrize("segments", [0, -1])
def test_no_segment_is_refused(segments: int) -> None:
    with pytest.raises(SettingsError, match=f"{segments} segments found, at least 1 expected"):
        sum_precisions(evaluate(CORPUS, WORDS), segments=segments)


@given(corpora(), st.integers(1, 6))
def test_the_first_segments_count_as_a_corpus_of_their_own(texts: Texts, segments: int) -> None:
    found = sum_precisions(evaluate(texts.corpus, WORDS), segments=segments)
    cut = Texts(
        {name: lines[:segments] for name, lines in texts.systems.items()},
        {name: lines[:segments] for name, lines in texts.references.items()},
    )
    wanted = evaluate(cut.corpus, WORDS).scores
    assert found.matches.tolist() == wanted.matches.tolist()
    assert found.totals.tolist() == wanted.totals.tolist()
