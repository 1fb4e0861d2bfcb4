"""In how many orders chunks can stand: as many as there are when all are written out."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_counter import ngrams_of
from timed import within_seconds

from bleu_core.diagnostics.probes.chunk_orders import Chunk, Orders, count_orders, is_uniquely_decodable, split_chunks

SHORT = st.lists(st.sampled_from("abcd"), min_size=1, max_size=3).map(tuple)


def all_orders(chunks: list[Chunk]) -> set[Chunk]:
    """Every sequence of tokens that the chunks make."""
    return {tuple(itertools.chain(*order)) for order in itertools.permutations(chunks)}


@given(st.lists(SHORT, min_size=1, max_size=6))
def test_the_number_is_that_of_all_orders_written_out(chunks: list[Chunk]) -> None:
    assert count_orders(chunks) == Orders(len(all_orders(chunks)))


@given(st.lists(SHORT, min_size=1, max_size=6))
def test_a_bound_is_no_more_than_the_number(chunks: list[Chunk]) -> None:
    bound, number = count_orders(chunks, max_states=0), len(all_orders(chunks))
    assert 1 <= bound.number <= number
    if bound.exact:
        assert bound.number == number


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("a", 1),
        ("a|a|a", 1),
        ("a|b|c", 6),
        ("a|a|b", 3),
        ("a|a a|a a a", 1),  # the same tokens in any order
        ("a|b|a b", 5),  # [a] [b] [a b] and [a b] [a] [b] are the same
        ("x|y|a|b|a b", 108),  # and stand in different places among others
    ],
)
def test_orders_that_look_the_same_count_once(written: str, number: int) -> None:
    assert count_orders([tuple(chunk.split()) for chunk in written.split("|")]) == Orders(number)


def test_hundreds_of_different_chunks_have_a_factorial_of_orders() -> None:
    assert count_orders([(f"w{n}", "x") for n in range(300)]) == Orders(math.factorial(300))


def test_many_ambiguous_chunks_are_counted_or_bounded_soon() -> None:
    generator = random.Random(1)
    chunks: list[Chunk] = [tuple(generator.choices("abcdefgh", k=generator.randint(1, 3))) for _ in range(60)]
    found = within_seconds(20, lambda: count_orders(chunks))
    assert not found.exact
    assert found.number > 10**9


@pytest.mark.parametrize(
    ("code", "unique"),
    [
        ("a b", True),
        ("a ab", True),
        ("a b ab", False),
        ("0 01 11", True),  # Sardinas and Patterson: decoded with a delay that has no bound
        ("0 01 10", False),  # 010
        ("1 011 01110 1110 10011", False),  # 01110 1110 011 is 011 1 011 10011
        ("aa aaa", False),
        ("ab ba", True),
    ],
)
def test_codes_are_told_apart_by_the_test_of_sardinas_and_patterson(code: str, *, unique: bool) -> None:
    assert is_uniquely_decodable([tuple(word) for word in code.split()]) is unique


@given(st.sets(st.text("ab", min_size=1, max_size=3).map(tuple), min_size=1, max_size=4))
def test_a_code_is_uniquely_decodable_if_no_text_is_two_sequences_of_its_words(code: set[Chunk]) -> None:
    texts: dict[Chunk, tuple[Chunk, ...]] = {}
    sequences = (words for n in range(1, 6) for words in itertools.product(sorted(code), repeat=n))
    twice = any(texts.setdefault(tuple(itertools.chain(*words)), words) != words for words in sequences)
    if twice:
        assert not is_uniquely_decodable(code)
    if is_uniquely_decodable(code):
        assert not twice


@given(
    st.lists(st.sampled_from("abc"), max_size=7),
    st.lists(st.lists(st.sampled_from("abc"), max_size=7), min_size=1, max_size=3),
)
def test_every_order_has_the_matches_of_the_output_or_more(tokens: list[str], references: list[list[str]]) -> None:
    limit = ngrams_of([], 4)
    for reference in references:
        limit |= ngrams_of(reference, 4)

    def matches(some: Chunk | list[str]) -> list[int]:
        found = ngrams_of([str(token) for token in some], 4) & limit
        return [sum(count for ngram, count in found.items() if len(ngram) == n) for n in range(1, 5)]

    chunks = split_chunks(tokens, references)
    assert list(itertools.chain(*chunks)) == tokens
    for order in all_orders(chunks):
        assert all(after >= before for before, after in zip(matches(tokens), matches(order), strict=True))


def test_an_output_is_split_where_no_reference_has_both_neighbours() -> None:
    references = [["the", "cat", "sat"], ["a", "cat", "sat", "on", "the", "mat"]]
    assert split_chunks(["the", "cat", "sat", "on", "a", "mat"], references) == [
        ("the", "cat", "sat", "on"),
        ("a",),
        ("mat",),
    ]
    assert split_chunks([], references) == []
