"""Tokens as numbers are those that counting sees, each in its text and segment."""

from __future__ import annotations

import pytest
from texts import LINES

from bleu_core.scoring import CHUNK_LINES, Counting, number_tokens, tokens_of


@pytest.mark.parametrize("tokenizer", ["13a", "none", "intl", "char", "zh"])
@pytest.mark.parametrize("lowercase", [False, True])
def test_numbered_tokens_are_the_tokens_of_each_segment(tokenizer: str, *, lowercase: bool) -> None:
    counting = Counting(tokenizer, lowercase)
    one = list(LINES)
    other = [None if number % 3 == 0 else line for number, line in enumerate(reversed(LINES))]
    found = number_tokens([one, other], counting)
    assert found.segments == len(one)
    assert len(set(found.vocabulary)) == len(found.vocabulary)
    expected = [tokens_of(line or "", counting) for line in (*one, *other)]
    of_rows: list[list[str]] = [[] for _ in expected]
    for row, number in zip(found.rows.tolist(), found.numbers.tolist(), strict=True):
        of_rows[row].append(found.vocabulary[number])
    assert [tuple(tokens) for tokens in of_rows] == expected


def test_texts_of_several_chunks_keep_their_segments() -> None:
    texts = [[f"{text} {n}" for n in range(CHUNK_LINES + 5)] for text in ("a", "b")]
    found = number_tokens(texts, Counting())
    assert found.rows.tolist() == [row for row in range(2 * (CHUNK_LINES + 5)) for _ in range(2)]
    assert found.ngram(2 * CHUNK_LINES, 2) == ("a", str(CHUNK_LINES))
    assert found.ngram(2 * (CHUNK_LINES + 5), 2) == ("b", "0")
