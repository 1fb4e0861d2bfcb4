"""Counting, against the slow oracle and against sacreBLEU."""

from __future__ import annotations

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from texts import HYPOTHESES, REFERENCE, SECOND, THIRD, Texts, corpora

from bleu_core.scoring import Counting, count_ngrams
from bleu_core.scoring.ngrams import ABSENT

TOKENIZERS = ("13a", "none", "intl", "char", "zh")


@given(corpora(), st.integers(1, 9))
def test_counts_equal_the_oracle(texts: Texts, order: int) -> None:
    stats = count_ngrams(texts.systems, texts.references, counting=Counting(tokenizer="none"), max_order=order)
    references = texts.reference_tokens()
    for k, name in enumerate(stats.systems):
        for s, hypothesis in enumerate(texts.tokens(name)):
            wanted = [oracle.clipped(hypothesis, references[s], n) for n in range(1, order + 1)]
            assert list(zip(stats.matches[k, s].tolist(), stats.totals[k, s].tolist(), strict=True)) == wanted
            assert stats.hypothesis_lengths[k, s] == len(hypothesis)
    assert stats.reference_lengths.T.tolist() == [[len(tokens) for tokens in of_segment] for of_segment in references]


@pytest.mark.parametrize("tokenize", TOKENIZERS)
@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("references", [1, 2, 3])
def test_segment_counts_equal_sacrebleu(tokenize: str, references: int, *, lowercase: bool) -> None:
    streams: list[tuple[str | None, ...]] = [REFERENCE, SECOND, THIRD][:references]
    named = {str(i): stream for i, stream in enumerate(streams)}
    stats = count_ngrams(
        {"A": HYPOTHESES}, named, counting=Counting(tokenizer=tokenize, lowercase=lowercase), max_order=9
    )
    metric = BLEU(lowercase=lowercase, force=True, tokenize=tokenize, max_ngram_order=9)
    for s, hypothesis in enumerate(HYPOTHESES):
        wanted = metric.corpus_score([hypothesis], [[stream[s]] for stream in streams])  # pyright: ignore[reportArgumentType]
        assert stats.matches[0, s].tolist() == wanted.counts
        assert stats.totals[0, s].tolist() == wanted.totals
        assert stats.hypothesis_lengths[0, s] == wanted.sys_len


def test_matches_are_clipped_to_the_most_of_any_single_reference() -> None:
    # "the" occurs 2 and 1 times: 2 match, not 3.
    stats = count_ngrams(
        {"A": ["the the the"]},
        {"1": ["the cat the"], "2": ["the dog"]},
        counting=Counting(tokenizer="none"),
        max_order=1,
    )
    assert stats.matches.tolist() == [[[2]]]


@pytest.mark.parametrize(
    ("words", "totals"), [(0, [0, 0, 0, 0]), (1, [1, 0, 0, 0]), (3, [3, 2, 1, 0]), (5, [5, 4, 3, 2])]
)
def test_a_segment_of_m_tokens_has_m_minus_n_plus_1_ngrams(words: int, totals: list[int]) -> None:
    stats = count_ngrams({"A": [" ".join("abcde"[:words])]}, {"R": ["x"]})
    assert stats.totals.tolist() == [[totals]]


def test_an_absent_reference_is_no_reference_of_length_0() -> None:
    stats = count_ngrams({"A": ["a", "b"]}, {"R": [None, ""], "Q": ["a b", "b"]})
    assert stats.reference_lengths.tolist() == [[ABSENT, 0], [2, 1]]


def test_an_absent_reference_matches_nothing() -> None:
    stats = count_ngrams({"A": ["a"]}, {"R": [None]})
    assert stats.matches.sum() == 0


@given(corpora(references=3))
def test_the_order_of_references_changes_no_match(texts: Texts) -> None:
    forward = count_ngrams(texts.systems, texts.references, counting=Counting(tokenizer="none"))
    reverse = count_ngrams(
        texts.systems, dict(reversed(list(texts.references.items()))), counting=Counting(tokenizer="none")
    )
    np.testing.assert_array_equal(forward.matches, reverse.matches)
    np.testing.assert_array_equal(forward.reference_lengths, reverse.reference_lengths[::-1])


@given(corpora(references=3))
def test_a_further_reference_takes_no_match_away(texts: Texts) -> None:
    first = dict(list(texts.references.items())[:1])
    fewer, more = (
        count_ngrams(texts.systems, r, counting=Counting(tokenizer="none")).matches for r in (first, texts.references)
    )
    assert (more >= fewer).all()


@given(corpora(), st.permutations(range(6)))
def test_segments_are_counted_each_by_itself(texts: Texts, order: list[int]) -> None:
    chosen = [s for s in order if s < texts.segments]
    whole = count_ngrams(texts.systems, texts.references, counting=Counting(tokenizer="none"))
    permuted = count_ngrams(
        {name: [segments[s] for s in chosen] for name, segments in texts.systems.items()},
        {name: [segments[s] for s in chosen] for name, segments in texts.references.items()},
        counting=Counting(tokenizer="none"),
    )
    np.testing.assert_array_equal(permuted.matches, whole.matches[:, chosen])
    np.testing.assert_array_equal(permuted.reference_lengths, whole.reference_lengths[:, chosen])


@given(corpora(systems=3, fewest_systems=2))
def test_systems_are_counted_each_by_itself(texts: Texts) -> None:
    whole = count_ngrams(texts.systems, texts.references, counting=Counting(tokenizer="none"))
    for k, name in enumerate(texts.systems):
        alone = count_ngrams({name: texts.systems[name]}, texts.references, counting=Counting(tokenizer="none"))
        np.testing.assert_array_equal(alone.matches[0], whole.matches[k])


@given(corpora(systems=3, fewest_systems=3), st.permutations(["s0", "s1", "s2"]))
def test_selecting_systems_equals_counting_them(texts: Texts, order: list[str]) -> None:
    chosen = order[:2]
    selected = count_ngrams(texts.systems, texts.references, counting=Counting(tokenizer="none")).select(chosen)
    counted = count_ngrams(
        {name: texts.systems[name] for name in chosen}, texts.references, counting=Counting(tokenizer="none")
    )
    assert selected.systems == counted.systems
    np.testing.assert_array_equal(selected.matches, counted.matches)
    np.testing.assert_array_equal(selected.totals, counted.totals)
    np.testing.assert_array_equal(selected.hypothesis_lengths, counted.hypothesis_lengths)


@given(corpora(), st.integers(1, 8))
def test_lower_orders_do_not_depend_on_the_highest(texts: Texts, order: int) -> None:
    nine = count_ngrams(texts.systems, texts.references, counting=Counting(tokenizer="none"), max_order=9)
    fewer = count_ngrams(texts.systems, texts.references, counting=Counting(tokenizer="none"), max_order=order)
    assert (nine.max_order, fewer.max_order) == (9, order)
    np.testing.assert_array_equal(nine.matches[..., :order], fewer.matches)
    np.testing.assert_array_equal(nine.totals[..., :order], fewer.totals)


def test_counts_are_read_only() -> None:
    stats = count_ngrams({"A": ["a b"]}, {"R": ["a b"]})
    for counts in (stats.matches, stats.hypothesis_lengths, stats.reference_lengths):
        with pytest.raises(ValueError, match="read-only"):
            counts[...] = 0


def test_progress_is_told_how_many_segments_are_done() -> None:
    told: list[tuple[int, int]] = []
    count_ngrams({"A": ["a"] * 5000}, {"R": ["a"] * 5000}, progress=lambda *done: told.append(done))
    assert told
    assert {total for _, total in told} == {5000}
    done = [segments for segments, _ in told]
    assert done == sorted(set(done))
    assert 0 < done[0] <= done[-1] <= 5000


def test_lower_casing_is_not_case_folding() -> None:
    # str.lower keeps the sharp s, which folding would write as two letters.
    stats = count_ngrams(
        {"A": ["STRA\u00dfE The"]},
        {"R": ["stra\u00dfe the"]},
        counting=Counting(tokenizer="none", lowercase=True),
        max_order=1,
    )
    assert stats.matches.tolist() == [[[2]]]
    folded = count_ngrams(
        {"A": ["stra\u00dfe"]}, {"R": ["strasse"]}, counting=Counting(tokenizer="none", lowercase=True), max_order=1
    )
    assert folded.matches.tolist() == [[[0]]]


@pytest.mark.parametrize("tokenize", TOKENIZERS)
def test_a_long_corpus_is_counted_as_its_parts(tokenize: str) -> None:
    once = count_ngrams(
        {"A": HYPOTHESES, "B": SECOND}, {"R": REFERENCE, "Q": THIRD}, counting=Counting(tokenizer=tokenize)
    )
    times = 150  # 2,400 lines
    long = count_ngrams(
        {"A": HYPOTHESES * times, "B": SECOND * times},
        {"R": REFERENCE * times, "Q": THIRD * times},
        counting=Counting(tokenizer=tokenize),
    )
    np.testing.assert_array_equal(long.matches, np.tile(once.matches, (1, times, 1)))
    np.testing.assert_array_equal(long.hypothesis_lengths, np.tile(once.hypothesis_lengths, (1, times)))
    np.testing.assert_array_equal(long.reference_lengths, np.tile(once.reference_lengths, (1, times)))


# Characters that tokenisers treat each in its own way: digits of several scripts, punctuation that does or does not
# split beside a digit, all kinds of white space, entities, combining and astral characters, and letters that change
# their length when lower-cased.
ODD = st.lists(
    st.sampled_from(
        [
            *"ab1 2.,-'\"&;:!?()%$<>/\\^`~|\t\n\r\0",
            "&amp;",
            "&quot;",
            "&lt;",
            "<skipped>",
            "-\n",
            *"\u0661\u00b2\u00bd\u00ab\u00bb\u20ac\u00a7\u3002\uff0c\u4f60\u3042\ud55c\u0301\u0130\u03a3\u01c5\u00df",
            *"\x1c\x1f\x85\xa0\u1680\u2001\u2028\u202f\u205f\u3000\u200b\ufeff\U0001f600\U00020000",
        ]
    ),
    max_size=12,
).map("".join)
ODD_PAIRS = st.lists(st.tuples(ODD, ODD), min_size=1, max_size=6)


@pytest.mark.parametrize("tokenize", TOKENIZERS)
@pytest.mark.parametrize("lowercase", [False, True])
@settings(max_examples=20)
@given(pairs=ODD_PAIRS)
def test_counts_of_odd_characters_equal_sacrebleu(
    pairs: list[tuple[str, str]], tokenize: str, *, lowercase: bool
) -> None:
    hypotheses, references = ([pair[side] for pair in pairs] for side in (0, 1))
    stats = count_ngrams(
        {"A": hypotheses}, {"R": references}, counting=Counting(tokenizer=tokenize, lowercase=lowercase)
    )
    metric = BLEU(lowercase=lowercase, force=True, tokenize=tokenize)
    for s, (hypothesis, reference) in enumerate(pairs):
        wanted = metric.corpus_score([hypothesis], [[reference]])
        assert stats.matches[0, s].tolist() == wanted.counts
        assert stats.totals[0, s].tolist() == wanted.totals
        assert stats.reference_lengths[0, s] == wanted.ref_len


def test_stats_know_their_order() -> None:
    assert count_ngrams({"A": ["a"]}, {"R": ["a"]}, max_order=3).max_order == 3
