"""The tokens of texts, segment by segment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from bleu_core.scoring import Counting, NumberedTokens, number_tokens


def tokens_by_segment(
    texts: Sequence[Sequence[str | None]], counting: Counting
) -> tuple[NumberedTokens, list[list[list[int]]]]:
    """Return the vocabulary of texts, and text -> segment -> numbers of its tokens; none for absent texts."""
    numbered = number_tokens(texts, counting)
    ends = np.searchsorted(numbered.rows, np.arange(1, len(texts) * numbered.segments))
    rows = [row.tolist() for row in np.split(numbered.numbers, ends)]
    return numbered, [rows[start : start + numbered.segments] for start in range(0, len(rows), numbered.segments)]


def joined_tokens(vocabulary: Sequence[str], rows: Sequence[Sequence[int]]) -> Iterator[str]:
    """Join tokens by blanks, a text for each row of their numbers."""
    return (" ".join(vocabulary[token] for token in row) for row in rows)


def tokenized_text(text: Sequence[str | None], counting: Counting) -> tuple[str | None, ...]:
    """Return a text as tokens joined by blanks; None where it is absent."""
    numbered, (rows,) = tokens_by_segment([text], counting)
    joined = joined_tokens(numbered.vocabulary, rows)
    return tuple(None if segment is None else tokens for segment, tokens in zip(text, joined, strict=True))
