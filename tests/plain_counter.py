"""Counting the plain way, a Counter for each segment: the oracle of the fast count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from bleu_core.scoring import NgramStats, tokenizer
from bleu_core.scoring.ngrams import ABSENT
from bleu_core.scoring.tokenizers import Tokenizer


def plain_count(
    systems: Mapping[str, Sequence[str]],
    references: Mapping[str, Sequence[str | None]],
    *,
    tokenize: str = "13a",
    lowercase: bool = False,
    max_order: int = 4,
) -> NgramStats:
    """As bleu_core.ngrams.count_ngrams, segment by segment."""
    split = tokenizer(tokenize)
    segments = len(next(iter(systems.values())))
    matches = np.zeros((len(systems), segments, max_order), np.int64)
    hypothesis_lengths = np.zeros((len(systems), segments), np.int64)
    reference_lengths = np.full((len(references), segments), ABSENT, np.int64)
    for s in range(segments):
        limit: Counter[tuple[str, ...]] = Counter()
        for r, texts in enumerate(references.values()):
            text = texts[s]
            if text is not None:
                tokens = tokens_of(text, split, lowercase=lowercase)
                reference_lengths[r, s] = len(tokens)
                limit |= ngrams_of(tokens, max_order)
        for k, texts in enumerate(systems.values()):
            tokens = tokens_of(texts[s], split, lowercase=lowercase)
            hypothesis_lengths[k, s] = len(tokens)
            for ngram, count in ngrams_of(tokens, max_order).items():
                matches[k, s, len(ngram) - 1] += min(count, limit[ngram])
    return NgramStats(tuple(systems), matches, hypothesis_lengths, reference_lengths)


def same_counts(one: NgramStats, other: NgramStats) -> bool:
    """Whether all counts of two texts are equal."""
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("matches", "totals", "hypothesis_lengths", "reference_lengths")
    )


def tokens_of(text: str, split: Tokenizer, *, lowercase: bool) -> list[str]:
    """Tokens of one segment: lower-cased, trailing white space dropped, tokenised, as sacreBLEU does."""
    return split((text.lower() if lowercase else text).rstrip()).split()


def ngrams_of(tokens: Sequence[str], max_order: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram of order 1 to max_order occurs."""
    return Counter(tuple(tokens[i : i + n]) for n in range(1, max_order + 1) for i in range(len(tokens) - n + 1))
