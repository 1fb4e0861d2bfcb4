"""Means, orders and weights of precisions, and which of them follows judges."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from texts import Texts, corpora

from bleu_core.dataset import Corpus
from bleu_core.errors import SettingsError
from bleu_core.paper import combinations, correlate_combinations
from bleu_core.paper.combining import combine
from bleu_core.scoring import BleuEvaluation, BleuSettings, evaluate

WORDS = BleuSettings(tokenizer="none", smoothing="none")


def counted(texts: Corpus) -> BleuEvaluation:
    return evaluate(texts, WORDS, counted_order=9)


def test_means_by_hand() -> None:
    # Four words of five, for five: penalty exp(1 - 5/4). Words 3/4, bigrams 1/3 ("a b" of "a b", "b x", "x c").
    evaluation = counted(Corpus({"A": ("a b x c",)}, {"R": ("a b c d e",)}))
    penalty = 100 * math.exp(1 - 5 / 4)
    assert combine(evaluation, "geometric", 2).scores == pytest.approx([penalty * math.sqrt(1 / 4)])
    assert combine(evaluation, "arithmetic", 2).scores == pytest.approx([penalty * 13 / 24])
    assert combine(evaluation, "arithmetic", 2, (0.9, 0.1)).scores == pytest.approx([penalty * (0.675 + 1 / 30)])
    assert combine(evaluation, "geometric", 3).scores == [0]
    assert combine(evaluation, "arithmetic", 3).scores == pytest.approx([penalty * 13 / 36])


@given(corpora())
def test_geometric_means_are_bleu_and_at_most_arithmetic_ones(texts: Texts) -> None:
    evaluation = counted(texts.corpus)
    found = combinations(evaluation)
    assert [(c.mean, c.max_order) for c in found] == [(m, n) for m in ("geometric", "arithmetic") for n in range(1, 10)]
    for geometric, arithmetic in zip(found[:9], found[9:], strict=True):
        settings = BleuSettings(tokenizer="none", smoothing="none", max_order=geometric.max_order)
        assert geometric.scores == pytest.approx(evaluate(texts.corpus, settings).scores.score)
        assert (geometric.scores <= arithmetic.scores + 1e-9).all()
    assert found[0].scores == pytest.approx(found[9].scores)  # of a single order all means are the same


def test_own_weights_come_last_of_each_mean() -> None:
    evaluation = counted(Corpus({"A": ("a b c",)}, {"R": ("a b c",)}))
    found = combinations(evaluation, [(0.75, 0.25)], highest=2)
    assert [(c.mean, c.max_order, c.weights) for c in found] == [
        (mean, n, w) for mean in ("geometric", "arithmetic") for n, w in ((1, None), (2, None), (2, (0.75, 0.25)))
    ]
    with pytest.raises(SettingsError, match="enter 2 weights, one per n-gram order \\(1 given\\)"):
        combine(evaluation, "geometric", 2, (1.0,))


def test_a_combination_that_orders_as_judges_do_follows_them_best() -> None:
    # A has more words of the reference, B longer stretches: judges who like B follow longer n-grams.
    corpus = Corpus(
        {"A": ("a x b y c z d e",), "B": ("a b c d w v u t",), "C": ("t u v w t u v a",)}, {"R": ("a b c d e f g h",)}
    )
    found = combinations(counted(corpus), highest=4)
    ratings = {None: {"A": 2.0, "B": 5.0, "C": 1.0}, "words": {"A": 5.0, "B": 4.0, "C": 1.0}, "few": {"A": 1.0}}
    results = correlate_combinations(found, ratings)
    assert len(results) == len(found) * 3
    of_words, of_all = (
        {(r.combination.mean, r.combination.max_order): r.pearson.coefficient for r in results if r.group == group}
        for group in ("words", None)
    )
    assert max(of_words.values()) == of_words["geometric", 1] == pytest.approx(of_words["arithmetic", 1])
    for mean in ("geometric", "arithmetic"):
        assert of_all[mean, 1] < max(of_all[mean, n] for n in (2, 3, 4))
    # One system has no correlation.
    assert all("at least 3 needed" in r.pearson.reason for r in results if r.group == "few")


def test_correlations_are_those_of_numpy() -> None:
    corpus = Corpus({"A": ("a b",), "B": ("a x",), "C": ("x y",), "D": ("b a",)}, {"R": ("a b",)})
    (result,) = correlate_combinations(
        [combine(counted(corpus), "arithmetic", 2)], {None: {"A": 5, "B": 2, "C": 1, "D": 4}}
    )
    # Words 1, 1/2, 0, 1; bigrams 1, 0, 0, 0.
    wanted = np.corrcoef([100, 25, 0, 50], [5, 2, 1, 4])[0, 1]
    assert result.pearson.coefficient == pytest.approx(wanted)
    assert result.spearman.coefficient == 1
