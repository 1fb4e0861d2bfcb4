"""The terms of a difference of BLEU add up to it, and each is that of its factor."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import sample
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from texts import Texts, corpora

from bleu_core.dataset import Corpus
from bleu_core.scoring import MAX_ORDER, SMOOTHINGS, BleuSettings, decompose, evaluate

ADDS_UP = 1e-9


def corpus_of(first: str, second: str, reference: str) -> Corpus:
    """One segment, two systems and a reference."""
    return Corpus({"A": (first,), "B": (second,)}, {"R": (reference,)})


def test_terms_are_those_of_sacrebleus_precisions_and_penalties() -> None:
    corpus = sample.corpus()
    references = [list(map(str, texts)) for texts in corpus.references.values()]
    one, other = (BLEU().corpus_score(list(corpus.systems[name]), references) for name in ("S3", "S1"))
    found = decompose(evaluate(corpus), "S3", "S1")
    mean = (one.score - other.score) / math.log(one.score / other.score)
    expected = [mean * math.log(p / q) / 4 for p, q in zip(one.precisions, other.precisions, strict=True)]
    assert found.precisions.tolist() == pytest.approx(expected, abs=ADDS_UP)
    assert found.brevity == pytest.approx(mean * math.log(one.bp / other.bp), abs=ADDS_UP)
    assert found.delta == pytest.approx(one.score - other.score)
    assert (found.smoothed, found.vanished, found.reason) == ((), (), "")


@given(
    corpora(systems=2, fewest_systems=2, segments=8),
    st.integers(1, MAX_ORDER),
    st.sampled_from(SMOOTHINGS),
    st.sampled_from([None, True]),
)
def test_terms_add_up_whatever_is_empty(texts: Texts, order: int, smoothing: str, effective: bool | None) -> None:  # noqa: FBT001 # drawn
    settings = BleuSettings(max_order=order, smoothing=smoothing, effective_order=effective)  # type: ignore[arg-type]
    evaluation = evaluate(texts.corpus, settings)
    first, second = evaluation.systems
    found = decompose(evaluation, first, second)
    scores = evaluation.scores.score
    assert found.delta == scores[0] - scores[1]
    assert found.terms.sum() == pytest.approx(found.delta, abs=ADDS_UP)
    assert bool(found.reason) == (not scores.any())
    turned = decompose(evaluation, second, first)
    assert turned.terms.tolist() == pytest.approx((-found.terms).tolist(), abs=ADDS_UP)
    assert (turned.smoothed, turned.vanished) == (found.smoothed, found.vanished)


def test_weights_count() -> None:
    weights = (0.7, 0.1, 0.1, 0.1)
    evaluation = evaluate(sample.corpus())
    plain = decompose(evaluation, "S3", "S1")
    weighted = decompose(evaluation.with_settings(replace(evaluation.settings, weights=weights)), "S3", "S1")
    assert weighted.terms.sum() == pytest.approx(weighted.delta, abs=ADDS_UP)
    ratios = weighted.precisions / plain.precisions
    assert ratios[0] / ratios[1] == pytest.approx(7)


def test_only_brevity_differs() -> None:
    # Both have perfect precisions; the second has half of the reference.
    found = decompose(evaluate(corpus_of("a b c d e f g h", "a b c d", "a b c d e f g h")), "A", "B")
    assert found.precisions.tolist() == pytest.approx([0] * 4, abs=1e-12)
    assert found.brevity == pytest.approx(100 - 100 * math.exp(-1))
    assert found.one_sign


def test_terms_of_opposite_signs_are_no_shares() -> None:
    # The first is longer and less precise.
    found = decompose(evaluate(corpus_of("a b c d x f g h", "a b c d e", "a b c d e f g h")), "A", "B")
    assert found.brevity > 0
    assert (found.precisions < 0).all()
    assert not found.one_sign


def test_equal_scores_have_terms_that_cancel() -> None:
    evaluation = evaluate(corpus_of("a b c d x", "a b c d x", "a b c d e"))
    found = decompose(evaluation, "A", "B")
    assert (found.delta, found.terms.tolist(), found.reason) == (0, [0] * 5, "")


def test_smoothed_precisions_are_named() -> None:
    corpus = corpus_of("a b c x e f", "a b c d e f", "a b c d e f")
    found = decompose(evaluate(corpus), "A", "B")
    assert (found.smoothed, found.vanished) == ((4,), ())
    assert found.terms.sum() == pytest.approx(found.delta, abs=ADDS_UP)
    add_k = decompose(evaluate(corpus, BleuSettings(smoothing="add-k")), "B", "A")
    assert add_k.smoothed == (2, 3, 4)  # a perfect precision stays what it is, that of the other system does not


def test_a_precision_that_vanishes_makes_the_whole_difference() -> None:
    corpus = corpus_of("a b c x e f", "a b c d e f", "a b c d e f")
    found = decompose(evaluate(corpus, BleuSettings(smoothing="none")), "A", "B")
    assert found.delta == pytest.approx(-100)
    assert found.terms.tolist() == pytest.approx([0, 0, 0, -100, 0])
    assert (found.smoothed, found.vanished, found.reason) == ((), (4,), "")


def test_several_precisions_that_vanish_share_the_difference_by_weight() -> None:
    corpus = corpus_of("a b x d y f", "a b c d e f", "a b c d e f")
    settings = BleuSettings(smoothing="none", weights=(0.4, 0.3, 0.2, 0.1))
    found = decompose(evaluate(corpus, settings), "B", "A")
    assert found.terms.tolist() == pytest.approx([0, 0, 200 / 3, 100 / 3, 0])
    assert found.vanished == (3, 4)


def test_vanishing_precisions_are_the_limit_of_tiny_ones() -> None:
    corpus = corpus_of("a b x d y f", "a b c d e f", "a b c d e f")
    limit = decompose(evaluate(corpus, BleuSettings(smoothing="none")), "A", "B").terms
    nearer = [
        abs(decompose(evaluate(corpus, BleuSettings(smoothing="floor", smoothing_value=tiny)), "A", "B").terms - limit)
        for tiny in (1e-3, 1e-30, 1e-300)
    ]
    assert nearer[0].max() > nearer[1].max() > nearer[2].max()
    assert nearer[2].max() < 1


def test_an_empty_output_differs_by_brevity() -> None:
    found = decompose(evaluate(corpus_of("", "a b c d", "a b c d e")), "A", "B")
    assert found.terms.tolist() == [0, 0, 0, 0, found.delta]
    assert found.delta < 0


def test_two_scores_of_0_have_a_reason() -> None:
    found = decompose(evaluate(corpus_of("x y", "z", "a b c d e")), "A", "B")
    assert (found.delta, found.terms.tolist(), found.reason) == (0, [0] * 5, "both scores are 0")


def test_an_order_that_is_left_out_has_no_term() -> None:
    settings = BleuSettings(effective_order=True)
    corpus = corpus_of("a b c", "a b x", "a b c")
    found = decompose(evaluate(corpus, settings), "A", "B")
    assert found.precisions[3] == 0
    assert found.terms.sum() == pytest.approx(found.delta, abs=ADDS_UP)
    assert 4 not in found.vanished


def test_an_unknown_system_is_refused() -> None:
    with pytest.raises(ValueError, match="not in"):
        decompose(evaluate(sample.corpus()), "S3", "nobody")
