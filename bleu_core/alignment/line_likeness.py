"""Scores for pairs of lines of two texts, by shared tokens, weighted by rarity, and by lengths.

The score of two lines approximates the logarithm of their likelihood ratio: as counterparts of each other, and as lines
chosen at random.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float32]

#: Scripts without spaces between words: Han, Kana, Thai, Lao, Burmese and Khmer. Their tokens are characters and pairs.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HAS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_WORDS = re.compile(r"\w+")
_WORDS_OR_UNSPACED = re.compile(f"[{_UNSPACED}]+|[^\\W{_UNSPACED}]+")

#: Length to which words are cut, so that inflected forms of a word are equal.
_STEM_LENGTH = 5

#: Rows per batch of comparisons.
_BATCH_ROWS = 256


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of shared tokens.

    Attributes:
        slope: score per unit of the cosine between the tokens of two lines.
        threshold: cosine with the score 0.
        one_empty: score if only one of the two lines has tokens.
        both_empty: score if neither has tokens.
    """

    slope: float
    threshold: float
    one_empty: float
    both_empty: float


#: For two texts in one language.
SAME_LANGUAGE = Weights(slope=10.0, threshold=0.2, one_empty=-1.0, both_empty=1.0)
#: For two languages, in which only tokens with the same spelling are compared.
OTHER_LANGUAGE = Weights(slope=5.0, threshold=0.1, one_empty=-0.3, both_empty=0.0)

#: Variance of the logarithm of the ratio of two lines' lengths: a constant part, and one that falls with their length
#: in characters; estimated on systems, references and sources of WMT test sets.
_VARIANCE, _VARIANCE_OF_SHORT = 0.02, 2.0
#: Offset of lengths in characters, so that empty lines have a ratio, too.
_LENGTH_OFFSET = 3.0
#: Minimum score of two lengths, as any translation may be far too long or short.
_MIN_LOG_LENGTH_SCORE = -4.0


@dataclass(frozen=True, eq=False)
class Lines:
    """The features by which lines are compared.

    Attributes:
        tokens: lines × tokens, counts of tokens by line.
        lengths: of the lines, in characters; NaN for a line that a reference lacks.
    """

    tokens: Any
    lengths: npt.NDArray[np.float64]

    def weighted(self, weights: npt.NDArray[np.float32]) -> Lines:
        """Return the lines with weighted tokens, without tokens of weight 0."""
        kept = np.flatnonzero(weights)
        tokens = self.tokens[:, kept] if len(kept) < len(weights) else self.tokens
        return Lines(tokens.multiply(weights[kept]).tocsr(), self.lengths)

    @cached_property
    def norms(self) -> npt.NDArray[np.float32]:
        """Euclidean norm of each line's tokens."""
        return np.sqrt(self._squares)

    @cached_property
    def joined_norms(self) -> npt.NDArray[np.float32]:
        """Euclidean norm of the tokens of each line and the next one; of the last line, its own."""
        products = self.tokens[:-1].multiply(self.tokens[1:]).sum(axis=1)
        squares = self._squares.copy()
        squares[:-1] += squares[1:] + 2 * np.asarray(products, dtype=np.float32).ravel()
        return np.sqrt(np.maximum(squares, 0))

    @cached_property
    def joined_lengths(self) -> npt.NDArray[np.float64]:
        """Characters of each line and the next one; of the last line, its own."""
        lengths = self.lengths.copy()
        lengths[:-1] = np.where(np.isnan(lengths[:-1]), lengths[1:], lengths[:-1] + np.nan_to_num(lengths[1:]))
        return lengths

    @cached_property
    def _squares(self) -> npt.NDArray[np.float32]:
        return np.asarray(self.tokens.multiply(self.tokens).sum(axis=1), dtype=np.float32).ravel()


def count_tokens(texts: Sequence[Sequence[str | None]]) -> list[Lines]:
    """Count the tokens and lengths of texts, with a common vocabulary."""
    from scipy import sparse  # loaded when first needed: it costs more than scoring

    vocabulary: dict[str, int] = {}
    counted = [_token_numbers(text, vocabulary) for text in texts]
    results: list[Lines] = []
    for text, (numbers, ends) in zip(texts, counted, strict=True):
        ones = np.ones(len(numbers), dtype=np.float32)
        tokens: Any = sparse.csr_matrix((ones, numbers, ends), shape=(len(text), len(vocabulary)))
        tokens.sum_duplicates()
        lengths = [np.nan if line is None else len(line.strip()) for line in text]
        results.append(Lines(tokens, np.array(lengths, dtype=np.float64)))
    return results


def rarity(texts: Sequence[Lines]) -> npt.NDArray[np.float32]:
    """Return the weight of each token, greater for rarer tokens of these texts."""
    total: Any = sum((text.tokens for text in texts[1:]), texts[0].tokens)
    lines = np.bincount(total.indices, minlength=total.shape[1])
    return np.log1p(total.shape[0] / np.maximum(lines, 1)).astype(np.float32)


class Likeness:
    """The scores of pairs of lines of two texts, the rows and the columns.

    Args:
        rows: the first text.
        columns: the second text.
        weights: of shared tokens.
    """

    def __init__(self, rows: Lines, columns: Lines, weights: Weights) -> None:
        self._rows, self._columns, self._weights = rows, columns, weights
        self._transposed = columns.tokens.T.tocsc()
        known = [np.log(lines.lengths[~np.isnan(lines.lengths)] + _LENGTH_OFFSET) for lines in (rows, columns)]
        totals = [float(np.nansum(lines.lengths)) + _LENGTH_OFFSET for lines in (rows, columns)]
        self._ratio = np.float32(np.log(totals[0] / len(rows.lengths)) - np.log(totals[1] / len(columns.lengths)))
        self._spread = np.float32(sum(float(lengths.var()) if len(lengths) else 0.0 for lengths in known))

    def band(self, low: int, high: int) -> tuple[Scores, Scores, Scores]:
        """Return scores of the rows i and the columns i + d, for all d from low to high.

        Returns:
            Three arrays (rows, high - low + 1): of row i and column j; of row i and the columns j and j + 1; of the
            rows i and i + 1 and column j. -inf if there is no such row or column.
        """
        rows, columns = self._rows, self._columns
        count = len(rows.lengths)
        dots = self._dots(low - 1, high + 1)
        below = np.zeros_like(dots)
        below[:-1] = dots[1:]

        def window(values: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
            return _windows(values.astype(np.float32), count, low=low, high=high, fill=np.nan)

        joined_columns = columns.norms.copy(), columns.lengths.copy()
        joined_columns[0][:-1], joined_columns[1][:-1] = columns.joined_norms[:-1], columns.joined_lengths[:-1]
        single = self._score(
            dots[:, 1:-1],
            rows.norms,
            column_norms=window(columns.norms),
            row_lengths=rows.lengths,
            column_lengths=window(columns.lengths),
        )
        two_columns = self._score(
            dots[:, 1:-1] + dots[:, 2:],
            rows.norms,
            column_norms=window(joined_columns[0]),
            row_lengths=rows.lengths,
            column_lengths=window(joined_columns[1]),
        )
        two_rows = self._score(
            dots[:, 1:-1] + below[:, :-2],
            rows.joined_norms,
            column_norms=window(columns.norms),
            row_lengths=rows.joined_lengths,
            column_lengths=window(columns.lengths),
        )
        positions = np.arange(count)[:, None] + np.arange(low, high + 1)
        absent = (positions < 0) | (positions >= len(columns.lengths))
        for scores in (single, two_columns, two_rows):
            scores[absent] = -np.inf
        two_columns[positions >= len(columns.lengths) - 1] = -np.inf
        two_rows[-1] = -np.inf
        return single, two_columns, two_rows

    def of(self, rows: range, columns: range) -> float:
        """Return the score of joined rows and joined columns, at least one of each."""
        tokens = [
            np.asarray(lines.tokens[span.start : span.stop].sum(axis=0), dtype=np.float32).ravel()
            for lines, span in ((self._rows, rows), (self._columns, columns))
        ]
        lengths = [
            np.array([np.nansum(lines.lengths[span.start : span.stop])])
            for lines, span in ((self._rows, rows), (self._columns, columns))
        ]
        norms = [np.array([np.linalg.norm(counts)], dtype=np.float32) for counts in tokens]
        dot = np.array([[tokens[0] @ tokens[1]]])
        return float(
            self._score(
                dot,
                norms[0],
                column_norms=norms[1][:, None],
                row_lengths=lengths[0],
                column_lengths=lengths[1][:, None],
            )[0, 0]
        )

    def _dots(self, low: int, high: int) -> Scores:
        """Return dot products of the rows i and the columns i + d, for all d from low to high."""
        count, columns = len(self._rows.lengths), len(self._columns.lengths)
        dots = np.zeros((count, high - low + 1), dtype=np.float32)
        for start in range(0, count, _BATCH_ROWS):
            stop = min(start + _BATCH_ROWS, count)
            first, last = max(start + low, 0), min(stop + high, columns)
            if first >= last:
                continue
            product = self._rows.tokens[start:stop] @ self._transposed[:, first:last]
            padded = np.zeros((stop - start, stop - start + high - low), dtype=np.float32)
            padded[:, first - start - low : last - start - low] = product.toarray()[:, : stop - start + high - low]
            offset = padded.strides[0] + padded.strides[1]
            dots[start:stop] = np.lib.stride_tricks.as_strided(
                padded, (stop - start, high - low + 1), (offset, padded.strides[1])
            )
        return dots

    def _score(
        self,
        dots: Scores,
        row_norms: npt.NDArray[np.float32],
        column_norms: npt.NDArray[np.float32],
        row_lengths: npt.NDArray[np.float64],
        column_lengths: npt.NDArray[Any],
    ) -> Scores:
        weights = self._weights
        norms = row_norms[:, None] * column_norms
        with np.errstate(invalid="ignore", divide="ignore"):
            scores = weights.slope * (dots / norms - np.float32(weights.threshold))
            no_tokens = (row_norms == 0)[:, None].astype(np.int8) + (column_norms == 0)
            scores = np.where(no_tokens == 0, scores, np.where(no_tokens == 1, weights.one_empty, weights.both_empty))
            rows = (row_lengths[:, None] + _LENGTH_OFFSET).astype(np.float32)
            columns = column_lengths + np.float32(_LENGTH_OFFSET)
            difference = np.log(rows / columns) - self._ratio
            variance = np.float32(_VARIANCE) + np.float32(2 * _VARIANCE_OF_SHORT) / (rows + columns)
            at_random = np.maximum(self._spread, variance)
            lengths = (np.log(at_random / variance) - difference**2 * (1 / variance - 1 / at_random)) / 2
        unknown = np.isnan(lengths)
        return np.where(unknown, 0, scores + np.maximum(lengths, _MIN_LOG_LENGTH_SCORE)).astype(np.float32)


def _windows(values: npt.NDArray[np.float32], count: int, low: int, high: int, fill: float) -> npt.NDArray[np.float32]:
    """Return rows i with values[i + low] to values[i + high], or fill for values that do not exist."""
    padded = np.full(count + high - low, fill, dtype=np.float32)
    first, last = max(low, 0), min(len(values), count + high)
    if first < last:
        padded[first - low : last - low] = values[first:last]
    return np.lib.stride_tricks.sliding_window_view(padded, high - low + 1)


def _token_numbers(text: Sequence[str | None], vocabulary: dict[str, int]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return the tokens of all lines, as numbers, and the end of each line."""
    numbers = array("i")
    ends = np.zeros(len(text) + 1, dtype=np.int32)
    for i, line in enumerate(text):
        numbers.extend([vocabulary.setdefault(token, len(vocabulary)) for token in _tokens(line or "")])
        ends[i + 1] = len(numbers)
    return np.frombuffer(numbers, dtype=np.int32) if numbers else np.zeros(0, dtype=np.int32), ends


def _tokens(line: str) -> list[str]:
    lower = line.lower()
    if not _HAS_UNSPACED.search(lower):
        return [word[:_STEM_LENGTH] for word in _WORDS.findall(lower)]
    tokens: list[str] = []
    for word in _WORDS_OR_UNSPACED.findall(lower):
        if _HAS_UNSPACED.match(word):
            tokens += word
            tokens += map("".join, pairwise(word))
        else:
            tokens.append(word[:_STEM_LENGTH])
    return tokens


def shared_tokens(first: Sequence[Lines], second: Sequence[Lines]) -> npt.NDArray[np.float32]:
    """Return 1 for each token that occurs in texts of both languages, 0 for all others."""
    size = first[0].tokens.shape[1]
    counts = [[np.bincount(text.tokens.indices, minlength=size) for text in texts] for texts in (first, second)]
    in_both = np.any(counts[0], axis=0) & np.any(counts[1], axis=0)
    return in_both.astype(np.float32)
