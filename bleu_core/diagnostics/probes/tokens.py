"""The tokens of texts, segment by segment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from bleu_core.scoring import Counting, NumberedTokens, number_tokens


def tokens_by_segment(
    texts: Sequence[Sequence[str | None]], counting: Counting
) -> tuple[NumberedTokens, list[list[list[int]]]]:
    """The vocabulary of texts, and text -> segment -> the numbers of its tokens; an absent text has none."""
    numbered = number_tokens(texts, counting)
    ends = np.searchsorted(numbered.rows, np.arange(1, len(texts) * numbered.segments))
    rows = [row.tolist() for row in np.split(numbered.numbers, ends)]
    return numbered, [rows[start : start + numbered.segments] for start in range(0, len(rows), numbered.segments)]


def joined_tokens(vocabulary: Sequence[str], rows: Sequence[Sequence[int]]) -> Iterator[str]:
    """Tokens with blanks between them, a text for each row of their numbers."""
    return (" ".join(vocabulary[token] for token in row) for row in rows)


def tokenized_text(text: Sequence[str | None], counting: Counting) -> tuple[str | None, ...]:
    """A text as tokens with blanks between them; None where it is absent."""
    numbered, (rows,) = tokens_by_segment([text], counting)
    joined = joined_tokens(numbered.vocabulary, rows)
    return tuple(None if one is None else tokens for one, tokens in zip(text, joined, strict=True))
