"""Tokens of many texts as numbers, for whoever needs each n-gram and not only how many match."""

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


@dataclass(frozen=True, slots=True)
class NumberedTokens:
    """The tokens of texts of S segments each, one text after the other.

    Attributes:
        numbers: (T,) the number of each token in the vocabulary.
        rows: (T,) where each token stands: the number of its text, from 0, times S, plus the position of its segment.
        vocabulary: the distinct tokens, in the order of their first occurrence.
        segments: S.
    """

    numbers: Integers
    rows: Integers
    vocabulary: tuple[str, ...]
    segments: int

    def text(self, start: int, order: int) -> tuple[str, ...]:
        """The tokens of the n-gram that begins at a position."""
        found: list[int] = self.numbers[start : start + order].tolist()
        return tuple(self.vocabulary[number] for number in found)


def number_tokens(texts: Sequence[Sequence[str | None]], counting: Counting) -> NumberedTokens:
    """Number the tokens of texts, which are those that counting sees.

    Args:
        texts: each of S segments; None where a reference is absent, which has no tokens.
        counting: how texts become tokens.

    Raises:
        SettingsError: the tokeniser lacks what it needs.
    """
    tokenize = line_tokenizer(counting)
    vocabulary: defaultdict[bytes, int] = defaultdict(count().__next__)
    numbers: list[Integers] = []
    rows: list[Integers] = []
    for number, text in enumerate(texts):
        for chunk in chunks(text):
            found = tokenize([line or "" for line in text[chunk]])
            ends_line = np.frombuffer(found.data, np.uint8)[found.starts] == NEWLINE
            of_line = ends_line.cumsum() - 1 + chunk.start + number * len(text)
            starts, ends = (bounds[~ends_line].tolist() for bounds in (found.starts, found.ends))
            tokens = [found.data[start:end] for start, end in zip(starts, ends, strict=True)]
            numbers.append(np.fromiter(map(vocabulary.__getitem__, tokens), np.int64, len(tokens)))
            rows.append(of_line[~ends_line])
    words = tuple(token.decode("utf-8", "surrogatepass") for token in vocabulary)
    return NumberedTokens(np.concatenate(numbers), np.concatenate(rows), words, len(texts[0]))
