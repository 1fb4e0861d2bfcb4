"""The fast count against the plain one: every integer equal, whatever the text."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_counter import plain_count, same_counts
from sacrebleu.metrics.bleu import BLEU
from texts import ATOMS

from bleu_core.scoring import BYTE_TOKENIZERS, Counting, chunks, count_ngrams, ngrams, tokenize_lines, tokenizer
from bleu_core.scoring.ngram_match import HashIndex

#: `python -m tests.fuzz counting` compares more.
SEEDED_SEGMENTS = 3_000


def line(chance: random.Random) -> str:
    size = chance.choice([0, 0, 1, 2, 3, 5, 8, 13, 25])
    return "".join(chance.choice(ATOMS) + chance.choice(["", " ", " ", "  "]) for _ in range(size))


def varied(text: str, chance: random.Random) -> str:
    """A text that shares much with another."""
    if chance.random() < 0.3:
        return line(chance)
    characters = list(text)
    for _ in range(chance.choice([0, 1, 3])):
        if characters:
            characters[chance.randrange(len(characters))] = chance.choice(ATOMS)
    return "".join(characters)


def compare_some(chance: random.Random) -> int:
    """Count a random corpus both ways; gives the number of hypotheses compared."""
    size, systems = chance.choice([1, 3, 50, 300]), chance.choice([1, 2])
    base = [line(chance) for _ in range(size)]
    references: dict[str, Sequence[str | None]] = {
        str(r): [None if r and chance.random() < 0.2 else varied(text, chance) for text in base]
        for r in range(chance.choice([1, 2, 4]))
    }
    outputs = {str(k): [varied(text, chance) for text in base] for k in range(systems)}
    name, lowercase, order = chance.choice(BYTE_TOKENIZERS), chance.random() < 0.4, chance.choice([1, 2, 4, 9])
    fast = count_ngrams(outputs, references, counting=Counting(tokenizer=name, lowercase=lowercase), max_order=order)
    plain = plain_count(outputs, references, tokenize=name, lowercase=lowercase, max_order=order)
    assert same_counts(fast, plain), (name, lowercase, order, outputs, references)
    return size * systems


def test_seeded_random_corpora_are_counted_alike() -> None:
    chance, compared = random.Random(5), 0
    while compared < SEEDED_SEGMENTS:
        compared += compare_some(chance)


@pytest.mark.parametrize("name", BYTE_TOKENIZERS)
@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.text(), st.text()), min_size=1, max_size=4), st.booleans())
def test_any_unicode_text_is_counted_alike(name: str, pairs: list[tuple[str, str]], lowercase: bool) -> None:  # noqa: FBT001
    systems, references = {"A": [h for h, _ in pairs]}, {"R": [r + h for h, r in pairs]}
    fast = count_ngrams(systems, references, counting=Counting(tokenizer=name, lowercase=lowercase))
    assert same_counts(fast, plain_count(systems, references, tokenize=name, lowercase=lowercase))


@pytest.mark.parametrize("name", BYTE_TOKENIZERS)
@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(ATOMS), max_size=12).map("".join))
def test_tokens_are_sacrebleus(name: str, text: str) -> None:
    found = tokenize_lines([text], name, lowercase=False)
    tokens = [found.data[a:b].decode("utf-8", "surrogatepass") for a, b in zip(found.starts, found.ends, strict=True)]
    assert tokens == ["\n", *tokenizer(name)(text.rstrip()).split(), "\n"]


@pytest.mark.parametrize("name", BYTE_TOKENIZERS)
@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.sampled_from(ATOMS), max_size=6).map("".join), min_size=2, max_size=5), st.booleans())
def test_lines_tokenised_together_are_tokenised_as_sacrebleu_does_each(
    name: str,
    texts: list[str],
    lowercase: bool,  # noqa: FBT001
) -> None:
    found = tokenize_lines(texts, name, lowercase=lowercase)
    tokens = [found.data[a:b].decode("utf-8", "surrogatepass") for a, b in zip(found.starts, found.ends, strict=True)]
    cased = [text.lower() if lowercase else text for text in texts]
    assert tokens == ["\n", *(token for text in cased for token in (*tokenizer(name)(text.rstrip()).split(), "\n"))]


def test_a_newline_inside_one_line_changes_no_other() -> None:
    nested = "a <ski<skipped>pped> cat sat on the mat"
    systems, references = {"A": [nested, "two\nlines"]}, {"R": [nested.replace("sat", "is"), "two lines"]}
    alone = BLEU().corpus_score([nested], [[references["R"][0]]])
    assert alone.counts == count_ngrams(systems, references).matches[0, 0].tolist()
    assert alone.sys_len == count_ngrams(systems, references).hypothesis_lengths[0, 0]


@pytest.mark.parametrize("name", BYTE_TOKENIZERS)
def test_giant_lines_and_tokens_are_counted_alike(name: str) -> None:
    texts = ["x" * 70_000 + " y", "the cat , sat 3.5 " * 3_000, "", "é" * 5_000 + "." * 999]
    others = [text[: len(text) // 2] + " z " + text[len(text) // 2 :] for text in texts]
    systems, references = {"A": texts}, {"R": others, "Q": texts[::-1]}
    assert same_counts(
        count_ngrams(systems, references, counting=Counting(tokenizer=name)),
        plain_count(systems, references, tokenize=name),
    )


def test_chunks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(7)
    systems = {"A": [line(chance) for _ in range(200)]}
    references = {"R": [varied(text, chance) for text in systems["A"]], "Q": [line(chance) for _ in range(200)]}
    whole = count_ngrams(systems, references)
    for lines, characters in ((1, 1 << 20), (7, 1 << 20), (2048, 50)):
        monkeypatch.setattr(ngrams, "CHUNK_LINES", lines)
        monkeypatch.setattr(ngrams, "CHUNK_CHARACTERS", characters)
        assert same_counts(count_ngrams(systems, references), whole)


def test_chunks_are_bounded_in_lines_and_characters() -> None:
    assert [c.stop - c.start for c in chunks(["a"] * 5000)] == [2048, 2048, 904]
    giant = "a" * (ngrams.CHUNK_CHARACTERS + 1)
    assert [(c.start, c.stop) for c in chunks([giant, "b", giant, "c"], ["d"] * 4)] == [(0, 1), (1, 2), (2, 3), (3, 4)]


@given(st.lists(st.integers(0, 50)), st.lists(st.integers(0, 60)))
def test_an_index_finds_what_a_dictionary_finds(keys: list[int], wanted: list[int]) -> None:
    index = HashIndex(np.array(keys, np.uint64))
    for key, representative in zip(keys, index.representative, strict=True):
        assert keys[representative] == key
    assert len(set(index.representative.tolist())) == len(set(keys))
    found = index.find(np.array(wanted, np.uint64)).tolist()
    expected = {keys[r]: int(r) for r in index.representative}
    assert found == [expected.get(key, -1) for key in wanted]


few_words = st.lists(st.sampled_from("abc"), max_size=14).map(" ".join)


@settings(max_examples=120, deadline=None)
@given(st.lists(st.tuples(few_words, few_words, few_words, few_words), min_size=1, max_size=3))
def test_ngrams_that_go_on_in_several_ways_are_counted_alike(lines: list[tuple[str, str, str, str]]) -> None:
    one, other, reference, second = (list(texts) for texts in zip(*lines, strict=True))
    systems, references = {"A": one, "B": other}, {"R": reference, "Q": second}
    for some in ({"R": reference}, references):
        fast = count_ngrams(systems, some, counting=Counting(tokenizer="none"), max_order=9)
        assert same_counts(fast, plain_count(systems, some, tokenize="none", max_order=9))
