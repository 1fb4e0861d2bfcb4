"""What length does to BLEU."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import Texts, corpora

from bleu_core.dataset import Corpus
from bleu_core.scoring import PRESETS, BleuSettings, brevity, definitions, evaluate, sentence_penalties

WORDS = BleuSettings(tokenizer="none", max_order=2, smoothing="none")


def test_twelve_words_are_not_penalised_where_a_reference_has_twelve() -> None:
    # Section 2.2.2: references of 12, 15 and 17 words.
    found = brevity(12, (12, 15, 17))
    assert (found.effective, found.penalty) == (12, 1)
    # Between them the closest counts, and of 13 and 14 that is 12 and 15: exp(1 - 15/14).
    assert brevity(13, (12, 15, 17)).penalty == 1
    assert brevity(14, (12, 15, 17)).penalty == pytest.approx(math.exp(1 - 15 / 14))
    assert brevity(14, (12, 15, 17), "shortest").penalty == 1
    assert brevity(11, (12, 15, 18), "average").penalty == pytest.approx(math.exp(1 - 15 / 11))
    assert brevity(0, (12,)).penalty == 0


@given(st.integers(0, 30), st.lists(st.integers(0, 30), min_size=1, max_size=4))
def test_the_shortest_reference_is_never_harsher(words: int, references: list[int]) -> None:
    assert brevity(words, references, "shortest").penalty >= brevity(words, references).penalty


def test_averaged_penalties_by_hand() -> None:
    # Segments of 2 and 8 words; the first lacks a word, the second has one too many: the corpus is not too short,
    # the first segment alone is: exp(1 - 2/1).
    corpus = Corpus({"A": ("a", "a b c d e f g h i")}, {"R": ("a b", "a b c d e f g h")})
    found = sentence_penalties(evaluate(corpus, WORDS))
    (system,) = found.systems
    assert (system.corpus, system.mean_of_segments) == (1, pytest.approx((math.exp(-1) + 1) / 2))
    assert [(b.segments, b.shortest, b.longest) for b in found.bands] == [(1, 2, 2), (1, 8, 8)]
    assert [b.penalties[0] for b in found.bands] == pytest.approx([math.exp(-1), 1])


@given(corpora())
def test_bands_average_to_the_mean(texts: Texts) -> None:
    found = sentence_penalties(evaluate(texts.corpus, WORDS))
    sizes = np.array([band.segments for band in found.bands])
    assert sizes.sum() == texts.segments
    weighted = np.array([band.penalties for band in found.bands]).T @ sizes / texts.segments
    assert weighted == pytest.approx([system.mean_of_segments for system in found.systems])
    assert [b.shortest for b in found.bands] == sorted(b.shortest for b in found.bands)


def test_both_definitions_by_hand() -> None:
    # Five words for references of 6 and 4: 6 is as close as 4, of which the shorter counts. With 7 and 2, 7 counts.
    corpus = Corpus({"A": ("a b c d e",)}, {"R": ("a b c d e f g",), "Q": ("a b",)})
    closest, shortest = definitions(evaluate(corpus, WORDS))
    assert (closest.choice, shortest.choice) == ("closest", "shortest")
    (by_closest,), (by_shortest,) = closest.systems, shortest.systems
    assert (by_closest.reference_length, by_shortest.reference_length) == (7, 2)
    assert by_closest.brevity_penalty == pytest.approx(math.exp(1 - 7 / 5))
    assert by_closest.bleu == pytest.approx(100 * math.exp(1 - 7 / 5))
    assert by_shortest.bleu == pytest.approx(100)
    assert by_closest.log_bleu == pytest.approx(1 - 7 / 5)
    assert "length:shortest" in shortest.signature


@given(corpora())
def test_log_bleu_is_the_logarithm_of_bleu_and_ranks_alike(texts: Texts) -> None:
    for found in definitions(evaluate(texts.corpus, PRESETS["paper"])):
        assert [math.exp(s.log_bleu) for s in found.systems] == pytest.approx([s.bleu / 100 for s in found.systems])
        scores = {s.system: round(s.bleu, 9) for s in found.systems}
        assert [scores[name] for name in found.ranking] == sorted(scores.values())


@given(corpora())
def test_the_other_definition_never_scores_lower(texts: Texts) -> None:
    closest, shortest = definitions(evaluate(texts.corpus, PRESETS["paper"]))
    for by_closest, by_shortest in zip(closest.systems, shortest.systems, strict=True):
        assert by_shortest.bleu >= by_closest.bleu - 1e-9
