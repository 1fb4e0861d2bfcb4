"""Numbering of the tokens of texts, for analyses of the n-grams themselves and not only of their matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from bleu_core.arrays import Integers
from bleu_core.scoring.bytetokens import NEWLINE
from bleu_core.scoring.ngrams import chunks, line_tokenizer
from bleu_core.scoring.settings import Counting


@dataclass(frozen=True, slots=True, eq=False)
class NumberedTokens:
    """The tokens of texts of S segments each, in sequence.

    Attributes:
        numbers: (T,) the number of each token in the vocabulary.
        rows: (T,) the place of each token: the number of its text, from 0, times S, plus the position of its segment.
        vocabulary: the distinct tokens, in the order of their first occurrence.
        segments: S.
    """

    numbers: Integers
    rows: Integers
    vocabulary: tuple[str, ...]
    segments: int

    def ngram(self, start: int, order: int) -> tuple[str, ...]:
        """Return the tokens of the n-gram at a position."""
        numbers: list[int] = self.numbers[start : start + order].tolist()
        return tuple(self.vocabulary[number] for number in numbers)


def number_tokens(texts: Sequence[Sequence[str | None]], counting: Counting) -> NumberedTokens:
    """Number the tokens of texts, as used for counting.

    Args:
        texts: each of S segments; None for an absent reference, which has no tokens.
        counting: how texts become tokens.

    Raises:
        SettingsError: a requirement of the tokeniser is not installed.
    """
    tokenize = line_tokenizer(counting)
    vocabulary: defaultdict[bytes, int] = defaultdict(count().__next__)
    numbers: list[Integers] = []
    rows: list[Integers] = []
    for number, text in enumerate(texts):
        for chunk in chunks(text):
            chunk_tokens = tokenize([line or "" for line in text[chunk]])
            ends_line = np.frombuffer(chunk_tokens.data, np.uint8)[chunk_tokens.starts] == NEWLINE
            rows_of_tokens = ends_line.cumsum() - 1 + chunk.start + number * len(text)
            starts, ends = (bounds[~ends_line].tolist() for bounds in (chunk_tokens.starts, chunk_tokens.ends))
            tokens = [chunk_tokens.data[start:end] for start, end in zip(starts, ends, strict=True)]
            numbers.append(np.fromiter(map(vocabulary.__getitem__, tokens), np.int64, len(tokens)))
            rows.append(rows_of_tokens[~ends_line])
    words = tuple(token.decode("utf-8", "surrogatepass") for token in vocabulary)
    return NumberedTokens(np.concatenate(numbers), np.concatenate(rows), words, len(texts[0]))
