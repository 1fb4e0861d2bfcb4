"""The chart of n-grams shows the greatest effects of both lists; n-grams and names in it stay literal."""

from __future__ import annotations

from typing import Any

import pytest

from bleu_core.dataset import Corpus
from bleu_core.results.ngrams import NgramPair, NgramSystem, ngram_lists
from bleu_core.scoring import evaluate
from bleu_core.segments import compare_ngrams
from dashboard.exhibits.ngrams import ngram_effects
from dashboard.plots.theme import styles

ONE, OTHER = "<b>one</b>", "other"
CORPUS = Corpus(
    {ONE: ("a <i>c</i> d e f", "the cat sat"), OTHER: ("a b d x f", "the dog sat down")},
    {"r": ("a <i>c</i> d e f g", "the dog sat down again")},
)


@pytest.fixture(scope="module")
def pair() -> NgramPair:
    found = ngram_lists(compare_ngrams(CORPUS, evaluate(CORPUS), ONE, OTHER))
    assert isinstance(found, NgramPair)
    return found


@pytest.fixture(scope="module")
def system() -> NgramSystem:
    found = ngram_lists(compare_ngrams(CORPUS, evaluate(CORPUS), ONE, ""))
    assert isinstance(found, NgramSystem)
    return found


def drawn(found: NgramPair | NgramSystem) -> dict[str, Any]:
    return ngram_effects(found, styles([ONE, OTHER])).to_dict()


def test_bars_are_the_greatest_effects_of_both_lists(pair: NgramPair) -> None:
    won, lost, _ = drawn(pair)["data"]
    for bars, listed, key in ((won, pair.surplus, "won"), (lost, pair.deficit, "lost")):
        assert list(bars["x"]) == sorted((one.effect for one in listed), key=lambda x: -abs(x))[:10]
        assert [listed[row].effect for _, row in bars["customdata"]] == list(bars["x"])
        assert {name for name, _ in bars["customdata"]} == {key}
    assert min(won["x"]) > 0 > max(lost["x"])


def test_ngrams_of_a_pair_stand_where_their_rows_have_no_bar(pair: NgramPair) -> None:
    won, lost, names = drawn(pair)["data"]
    assert len(names["text"]) == len(won["x"]) + len(lost["x"])
    sides = dict(zip(names["y"], names["textposition"], strict=True))
    assert {sides[row] for row in won["y"]} == {"middle left"}
    assert {sides[row] for row in lost["y"]} == {"middle right"}
    low, high = drawn(pair)["layout"]["xaxis"]["range"]
    assert low == -high
    assert high > max(map(abs, (*won["x"], *lost["x"])))


def test_beside_the_references_the_missing_come_first(system: NgramSystem) -> None:
    missing, overused = drawn(system)["data"]
    assert (missing["name"], overused["name"]) == ("missing", "overused")
    assert [system.surplus[row].effect for _, row in overused["customdata"]] == list(overused["x"])
    assert max(missing["y"]) < min(overused["y"])


def test_names_and_ngrams_are_literal(pair: NgramPair) -> None:
    figure = drawn(pair)
    texts = [
        *figure["data"][-1]["text"],
        *figure["data"][0]["text"],
        figure["layout"]["xaxis"]["title"]["text"],
    ]
    texts += [bars["name"] for bars in figure["data"][:-1]]
    assert not any("<i>" in text or "<b>" in text for text in texts)
    assert any("&lt;" in text for text in texts)
