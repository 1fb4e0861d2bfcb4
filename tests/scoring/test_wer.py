"""The word error rate: jiwer's for one reference, a plain oracle's for several, undefined without a token."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import jiwer
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import HYPOTHESES, REFERENCE

from bleu_core.dataset import Corpus
from bleu_core.scoring import BleuSettings, ScoredCorpus, evaluate, score_metric, tokenizer

#: Few words, so that texts share some; blanks of all kinds, an empty text, and words that tokenisers split.
WORDS = st.sampled_from(["a", "b", "A", "the", "The", "cat.", "1,000", "x-y", "ß", "漢字", "\N{NO-BREAK SPACE}", "  "])
TEXTS = st.lists(WORDS, max_size=6).map(" ".join) | st.text(max_size=12).filter(lambda text: "\n" not in text)


def of(corpus: Corpus, **settings: object) -> ScoredCorpus:
    return score_metric(corpus, evaluate(corpus, BleuSettings(**settings)), "wer")  # pyright: ignore[reportArgumentType]


def jiwers(
    hypotheses: Sequence[str], references: Sequence[str], name: str = "13a", *, lowercase: bool = False
) -> float:
    def joined(text: str) -> str:
        return " ".join(tokenizer(name)((text.lower() if lowercase else text).rstrip()).split())

    return 100 * jiwer.wer([joined(text) for text in references], [joined(text) for text in hypotheses])


@given(pairs=st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5), lowercase=st.booleans())
@pytest.mark.parametrize("name", ["13a", "none", "intl", "char", "zh"])
def test_with_one_reference_it_is_jiwers(pairs: list[tuple[str, str]], name: str, *, lowercase: bool) -> None:
    hypotheses, references = zip(*pairs, strict=True)
    corpus = Corpus({"A": hypotheses}, {"R": references})
    (score,) = of(corpus, tokenizer=name, lowercase=lowercase).scores
    if any(tokenizer(name)(text.rstrip()).split() for text in references):
        assert score == pytest.approx(jiwers(hypotheses, references, name, lowercase=lowercase), rel=1e-12)
    else:
        assert math.isnan(score)


def test_odd_lines_are_jiwers_too() -> None:
    (score,) = of(Corpus({"A": HYPOTHESES}, {"R": REFERENCE})).scores
    assert score == pytest.approx(jiwers(HYPOTHESES, [text or "" for text in REFERENCE]), rel=1e-12)


def plain_edits(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """The edits between two lists of words, by the recursion that defines them."""

    @cache
    def edits(i: int, j: int) -> int:
        if not i or not j:
            return i + j
        return min(edits(i - 1, j) + 1, edits(i, j - 1) + 1, edits(i - 1, j - 1) + (one[i - 1] != other[j - 1]))

    return edits(len(one), len(other))


@given(st.lists(st.lists(TEXTS | st.none(), min_size=4, max_size=4).filter(lambda t: t[1] is not None), min_size=1))
def test_with_several_references_it_is_that_of_the_fewest_edits_and_of_equal_ones_the_longest(
    segments: list[list[str | None]],
) -> None:
    hypotheses = [texts[0] or "" for texts in segments]
    references = {name: [texts[r] for texts in segments] for r, name in enumerate("QRS", start=1)}
    found = of(
        Corpus({"A": tuple(hypotheses)}, {n: tuple(t) for n, t in references.items()}), tokenizer="none"
    ).statistics
    expected: list[list[int]] = []
    for text, *others in zip(hypotheses, *references.values(), strict=True):
        words = tuple(text.split())
        present = [tuple(other.split()) for other in others if other is not None]
        fewest = min(plain_edits(other, words) for other in present)
        expected.append([fewest, max(len(other) for other in present if plain_edits(other, words) == fewest)])
    assert found.values[0].tolist() == expected


def test_an_absent_reference_does_not_count_and_an_empty_one_makes_every_token_an_insertion() -> None:
    def columns(other: str | None) -> list[int]:
        return of(Corpus({"A": ("a b x",)}, {"R": ("a b c d e f g",), "Q": (other,)})).statistics.values[0, 0].tolist()

    assert columns(None) == [5, 7]
    assert columns("") == [3, 0]
    corpus = Corpus({"A": ("a b x", "c d")}, {"R": ("", "c e")})
    assert of(corpus).scores[0] == 100 * jiwer.wer(["", "c e"], ["a b x", "c d"]) == 200


def test_it_is_undefined_without_a_token_in_the_references() -> None:
    found = of(Corpus({"A": ("a b", ""), "B": ("", "")}, {"R": ("", " ")}))
    assert np.isnan(found.scores).all()
    assert "the references have no tokens" in found.metric.undefined


def test_its_lengths_are_those_of_bleu() -> None:
    corpus = Corpus({"A": HYPOTHESES}, {"R": tuple(text or "" for text in REFERENCE)})
    for name in ("13a", "none", "intl", "char", "zh"):
        evaluation = evaluate(corpus, BleuSettings(tokenizer=name))
        found = score_metric(corpus, evaluation, "wer").statistics.values
        assert found[0, :, 1].tolist() == evaluation.stats.reference_lengths[0].tolist()
        assert found.dtype == np.int64


def test_the_signature_has_sacrebleus_form() -> None:
    corpus = Corpus({"A": ("a", "b")}, {"R": ("a", "b"), "Q": ("a", None)})
    version = evaluate(corpus).signature.rpartition("|")[2]
    assert of(corpus).signature == f"nrefs:var|case:mixed|tok:13a|{version}"
    one = Corpus({"A": ("a",)}, {"R": ("a",)})
    assert of(one, tokenizer="none", lowercase=True).signature == f"nrefs:1|case:lc|tok:none|{version}"


def test_progress_reaches_the_total() -> None:
    calls: list[tuple[int, int]] = []
    corpus = Corpus({"A": ("a",) * 100}, {"R": ("a",) * 100})
    score_metric(corpus, evaluate(corpus), "wer", progress=lambda *counts: calls.append(counts))
    assert calls == [(64, 100), (100, 100)]
