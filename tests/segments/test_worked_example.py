"""One candidate against its references, n-gram by n-gram."""

from __future__ import annotations

import math
from collections import Counter

import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import LINES, SEGMENTS

from bleu_core.dataset import Corpus
from bleu_core.errors import AlignmentError
from bleu_core.paper import EXAMPLES
from bleu_core.scoring import PRESETS, BleuSettings, evaluate, tokens_of
from bleu_core.segments import NgramCount, work_example

TEXTS = st.one_of(SEGMENTS, st.sampled_from([line for line in LINES if "\n" not in line]))


def test_a_word_is_exhausted_after_its_matches() -> None:
    # Example 2: seven "the"; the first reference has two, the second one: two match, five are exhausted.
    (candidate,) = EXAMPLES[1].candidates
    found = work_example(candidate, EXAMPLES[1].references)
    (word,) = found.orders[0].ngrams
    assert word == NgramCount(ngram=("the",), count=7, in_references=(2, 1))
    assert (word.max_in_references, word.clipped, word.exhausted) == (2, 2, 5)
    assert found.orders[0].standard_precision == 1
    assert found.orders[0].modified_precision == 2 / 7
    assert found.marks(1) == ("matched",) * 2 + ("exhausted",) * 5
    assert found.marks(2) == ("not found",) * 6


def test_naive_recall_prefers_the_worse_candidate() -> None:
    # Example 4: the references have five distinct words; candidate 1 has all of them, candidate 2 three.
    references = EXAMPLES[3].references
    all_words, one_choice = (work_example(text, references) for text in EXAMPLES[3].candidates)
    assert (all_words.recall.value, one_choice.recall.value) == (1, 3 / 5)
    assert one_choice.recall.recalled == ("i", "always", "do")
    assert one_choice.recall.missed == ("invariably", "perpetually")


def test_a_candidate_too_short_for_an_order_has_no_precision_of_it() -> None:
    found = work_example("of the", EXAMPLES[2].references)
    assert math.isnan(found.orders[2].modified_precision)
    assert math.isnan(found.orders[2].standard_precision)
    assert found.marks(3) == ()
    # Two words for the closest reference of 16: exp(1 - 16/2).
    assert found.brevity.penalty == pytest.approx(math.exp(-7))


def test_an_empty_candidate_and_empty_references_are_worked() -> None:
    found = work_example("", ["", ""])
    assert (found.candidate, found.score) == ((), 0)
    assert math.isnan(found.recall.value)
    assert all(math.isnan(order.modified_precision) for order in found.orders)


def test_without_a_reference_nothing_can_be_counted() -> None:
    with pytest.raises(AlignmentError, match="no reference"):
        work_example("a", [])


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3), st.sampled_from(["13a", "none", "intl", "char", "zh"]))
def test_counts_and_score_are_the_engines(candidate: str, references: list[str], tokenizer: str) -> None:
    settings = BleuSettings(tokenizer=tokenizer, lowercase=True, max_order=3)
    found = work_example(candidate, references, settings)
    scores = evaluate(Corpus({"C": (candidate,)}, {str(i): (r,) for i, r in enumerate(references)}), settings).scores
    assert [order.matches for order in found.orders] == scores.matches[0].tolist()
    assert [order.total for order in found.orders] == scores.totals[0].tolist()
    assert found.brevity.effective == scores.reference_length[0]
    assert found.brevity.penalty == scores.brevity_penalty[0]
    assert found.score == pytest.approx(scores.score[0])


@given(SEGMENTS, st.lists(SEGMENTS, min_size=1, max_size=3))
def test_n_grams_are_counted_as_the_paper_says(candidate: str, references: list[str]) -> None:
    found = work_example(candidate, references, PRESETS["paper"])
    words, others = candidate.split(), [reference.split() for reference in references]
    for order in found.orders:
        assert (order.matches, order.total) == oracle.clipped(words, others, order.order)
        for ngram in order.ngrams:
            assert ngram.count == oracle.ngrams(words, order.order)[ngram.ngram]
            assert ngram.in_references == tuple(oracle.ngrams(o, order.order)[ngram.ngram] for o in others)
        marks = Counter(found.marks(order.order))
        assert marks["matched"] == order.matches
        assert marks["matched"] + marks["exhausted"] == order.standard_matches
        assert sum(marks.values()) == order.total
        assert order.matches <= order.standard_matches <= order.total
    known, distinct = set(words), {word for other in others for word in other}
    assert set(found.recall.recalled) == known & distinct
    assert set(found.recall.missed) == distinct - known


def test_tokens_are_those_of_any_tokeniser() -> None:
    assert tokens_of("The cat, sat.", BleuSettings(lowercase=True)) == ("the", "cat", ",", "sat", ".")
    assert tokens_of("a\nb", BleuSettings(tokenizer="none")) == ("a", "b")
    assert tokens_of("half a pair \ud800", BleuSettings(tokenizer="none")) == ("half", "a", "pair", "\ud800")
