"""BLEU by number of references, and the single-reference experiment."""

from __future__ import annotations

import math
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from texts import Texts, corpora

from bleu_core.dataset import Corpus
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.paper import reference_number
from bleu_core.paper.reference_number import ReferenceNumber, ReferenceSets, SingleReference, reference_subsets
from bleu_core.scoring import BleuSettings, evaluate

WORDS = BleuSettings(tokenizer="none", max_order=2, smoothing="none")
TWO = Corpus(
    {"A": ("a b", "c d", "e f"), "B": ("a x", "c d", "y z")},
    {"R": ("a b", "x y", "e f"), "Q": ("z z", "c d", "x x")},
    documents=("one", "one", "two"),
)


def scores_by_number(corpus: Corpus, of_bleu: BleuSettings, **options: int) -> tuple[ReferenceNumber, ...]:
    subsets = reference_subsets(corpus, **options)
    return reference_number.scores_by_number(corpus, ReferenceSets(corpus, of_bleu), subsets)


def single_reference(corpus: Corpus, of_bleu: BleuSettings, **options: Any) -> SingleReference:
    return reference_number.single_reference(corpus, ReferenceSets(corpus, of_bleu), **options)


@given(corpora())
@settings(deadline=None)
def test_each_subset_scores_as_it_does_alone(texts: Texts) -> None:
    found = scores_by_number(texts.corpus, WORDS)
    assert [n.number for n in found] == list(range(1, len(texts.references) + 1))
    for number in found:
        assert list(number.subsets) == list(combinations(texts.references, number.number))
        assert number.possible == math.comb(len(texts.references), number.number)
        for subset, scores in zip(number.subsets, number.scores, strict=True):
            assert scores == pytest.approx(evaluate(texts.corpus, WORDS, references=subset).scores.score)


def test_means_and_ranges_by_hand() -> None:
    # Of words only: A has 4 of 6 words of R, and the two of segment 2 of Q; together all six.
    words = BleuSettings(tokenizer="none", max_order=1, smoothing="none")
    one, both = scores_by_number(TWO, words)
    assert one.scores[:, 0] == pytest.approx([400 / 6, 200 / 6])
    first, _ = one.by_system
    assert (first.system, first.mean, first.low, first.high) == ("A", *map(pytest.approx, (50, 200 / 6, 400 / 6)))
    assert both.scores[0, 0] == both.by_system[0].mean == both.by_system[0].low == 100


def test_of_many_subsets_some_are_drawn_the_same_ones_for_a_seed() -> None:
    corpus = Corpus({"A": ("a b c",)}, {f"R{i}": (f"a b {i}",) for i in range(7)})
    found = scores_by_number(corpus, WORDS, max_subsets=5, seed=1)
    assert [len(n.subsets) for n in found] == [5, 5, 5, 5, 5, 5, 1]
    assert all(len(set(n.subsets)) == len(n.subsets) for n in found)
    assert [n.possible for n in found] == [math.comb(7, n) for n in range(1, 8)]
    again, other = (scores_by_number(corpus, WORDS, max_subsets=5, seed=seed) for seed in (1, 2))
    assert [n.subsets for n in again] == [n.subsets for n in found]
    assert [n.subsets for n in other] != [n.subsets for n in found]


def test_subsets_that_leave_a_segment_without_reference_are_left_out() -> None:
    corpus = Corpus({"A": ("a", "b")}, {"R": ("a", None), "Q": (None, "b"), "P": ("a", "b")})
    one, two, three = scores_by_number(corpus, WORDS)
    assert (one.subsets, one.possible) == ((("P",),), 3)
    assert len(two.subsets) == len(list(combinations("RQP", 2)))
    assert three.number == 3
    (both,) = scores_by_number(Corpus(corpus.systems, {r: corpus.references[r] for r in "RQ"}), WORDS)
    assert both.number == 2


def test_draws_by_hand() -> None:
    # Words only. Document one is segments 1 and 2, two is segment 3. Of R: A 2 + 2, B 1 + 0; of Q: A 2 + 0, B 2 + 0.
    words = BleuSettings(tokenizer="none", max_order=1, smoothing="none")
    found = single_reference(TWO, words, draws=400)
    assert (found.unit, found.units, found.reason) == ("document", 2, "")
    assert found.systems == ("B", "A")
    assert found.all_references == pytest.approx([50, 100])
    assert found.alone == pytest.approx(np.array([[1, 4], [2, 2]]) * 100 / 6)
    drawn = {tuple(row) for row in (found.scores * 6 / 100).round(9).tolist()}
    assert drawn == {(1, 4), (1, 2), (2, 4), (2, 2)}
    # A tie is no order: of the four equally likely draws one fails.
    assert found.order_kept == pytest.approx(3 / 4, abs=0.08)
    assert found.neighbours_kept.tolist() == [found.order_kept]


@given(corpora(segments=4, fewest_systems=2), st.integers(0, 5), st.sampled_from([None, ("a", "b", "a", "b")]))
@settings(deadline=None, max_examples=40)
def test_every_draw_is_the_score_of_a_corpus_put_together(
    texts: Texts, seed: int, documents: tuple[str, ...] | None
) -> None:
    documents = documents and documents[: texts.segments]
    corpus = Corpus(texts.corpus.systems, texts.corpus.references, documents=documents)
    found = single_reference(corpus, WORDS, draws=3, seed=seed)
    unit_of = documents or tuple(map(str, range(texts.segments)))
    units = list(dict.fromkeys(unit_of))
    assert found.units == len(units)
    possible: set[tuple[float, ...]] = set()
    for way in product(texts.references, repeat=len(units)):
        chosen = dict(zip(units, way, strict=True))
        mixed = {"R": tuple(texts.references[chosen[unit]][s] for s, unit in enumerate(unit_of))}
        scores = evaluate(Corpus(corpus.systems, mixed), WORDS).select(found.systems).scores.score
        possible.add(tuple(scores.round(6).tolist()))
    assert {tuple(row) for row in found.scores.round(6).tolist()} <= possible


def test_the_same_seed_draws_the_same() -> None:
    first, again, other = (single_reference(TWO, WORDS, draws=50, seed=seed).scores.tolist() for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_without_documents_segments_are_drawn_for() -> None:
    found = single_reference(Corpus(TWO.systems, TWO.references), WORDS, draws=10)
    assert (found.unit, found.units, found.reason) == ("segment", 3, "no documents")


def test_only_references_that_are_whole_are_drawn() -> None:
    corpus = Corpus(
        {"A": ("a b", "c d"), "B": ("a b", "x y")},
        {"R": ("a b", None), "Q": ("x x", "c d")},
        documents=("one", "two"),
    )
    found = single_reference(corpus, WORDS, draws=50)
    assert found.unit == "document"
    # Document two always gets Q: A scores 2 or 4 words of 4.
    assert set((found.scores[:, 1] > 0).tolist()) == {True}
    assert np.isnan(found.alone[0]).all()
    assert not np.isnan(found.alone[1]).any()
    together = Corpus(corpus.systems, {"R": ("a b", None), "Q": (None, "c d")}, documents=("one", "one"))
    found = single_reference(together, WORDS, draws=5)
    assert (found.unit, found.units) == ("segment", 2)
    assert found.reason == "no reference has the whole document one"
    assert found.scores[:, 1].tolist() == [100] * 5


def test_one_system_has_no_order_and_one_reference_no_choice() -> None:
    alone = single_reference(Corpus({"A": TWO.systems["A"]}, TWO.references), WORDS, draws=5)
    assert math.isnan(alone.order_kept)
    assert alone.neighbours_kept.shape == (0,)
    single = single_reference(Corpus(TWO.systems, {"R": TWO.references["R"]}), WORDS, draws=5)
    assert single.order_kept == 1
    assert np.ptp(single.scores, axis=0).tolist() == [0, 0]


def test_identical_systems_stay_tied() -> None:
    found = single_reference(Corpus({"A": ("a b",), "B": ("a b",)}, {"R": ("a b",), "Q": ("a c",)}), WORDS, draws=9)
    assert found.systems == ("B", "A")
    assert found.order_kept == 1


def test_bad_numbers_and_missing_texts_are_refused() -> None:
    with pytest.raises(SettingsError, match="0 draws found"):
        single_reference(TWO, WORDS, draws=0)
    with pytest.raises(SettingsError, match="0 subsets found"):
        scores_by_number(TWO, WORDS, max_subsets=0)
    for function in (single_reference, scores_by_number):
        with pytest.raises(AlignmentError, match="no system"):
            function(Corpus({}, TWO.references), WORDS)
        with pytest.raises(AlignmentError, match="no reference"):
            function(Corpus(TWO.systems, {}), WORDS)


def test_progress_ends_with_all_segments() -> None:
    for function, arguments in (
        (reference_number.single_reference, ()),
        (reference_number.scores_by_number, (reference_subsets(TWO),)),
    ):
        told: list[tuple[int, int]] = []
        evaluations = ReferenceSets(TWO, WORDS, counts=3, progress=lambda *counts, told=told: told.append(counts))
        function(TWO, evaluations, *arguments)
        assert told == sorted(told)
        assert told[-1] == (9, 9)  # three counts of three segments


def test_drawing_is_told_and_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference_number, "BATCH_CELLS", 1)
    told: list[tuple[int, int]] = []
    single_reference(TWO, WORDS, draws=5, drawing=lambda *counts: told.append(counts))
    assert told == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]

    def stop(*_: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        single_reference(TWO, WORDS, draws=5, drawing=stop)
