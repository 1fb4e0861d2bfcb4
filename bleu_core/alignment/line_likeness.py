"""How well lines of two texts go together: by the tokens they share, weighted by rarity, and by their lengths.

The score of two lines is about the logarithm of how much more likely they are if one is the other's counterpart than if
they are lines chosen at random.
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

#: Characters of a word that count, so that inflected forms of a word are alike.
_STEM = 5

#: Rows whose tokens are compared at a time.
_CHUNK = 256


@dataclass(frozen=True, slots=True)
class Weights:
    """How much shared tokens say.

    Attributes:
        slope: score per unit of the cosine between the tokens of two lines.
        usual: cosine from which on it speaks for the two lines.
        one: score if only one of the two lines has a token.
        none: score if neither has a token.
    """

    slope: float
    usual: float
    one: float
    none: float


#: For two texts in one language.
SAME_LANGUAGE = Weights(slope=10.0, usual=0.2, one=-1.0, none=1.0)
#: For two languages, of which only tokens that are spelt alike are compared.
OTHER_LANGUAGE = Weights(slope=5.0, usual=0.1, one=-0.3, none=0.0)

#: Variance of the logarithm of the ratio of two lines' lengths: a part for all lines, and one that falls with their
#: length in characters. It is that of systems, references and sources of WMT test sets.
_VARIANCE, _VARIANCE_OF_SHORT = 0.02, 2.0
#: Characters added to each length, so that empty lines have a ratio, too.
_ADDED = 3.0
#: The least score of two lengths: any translation may be far too long or short.
_MIN_LOG_LENGTH_SCORE = -4.0


@dataclass(frozen=True)
class Lines:
    """What lines are compared by.

    Attributes:
        tokens: lines × tokens, how often each line has each token.
        lengths: of the lines, in characters; NaN for a line that a reference lacks.
    """

    tokens: Any
    lengths: npt.NDArray[np.float64]

    def weighted(self, weights: npt.NDArray[np.float32]) -> Lines:
        """The lines with a weight for each token; tokens of weight 0 are left out."""
        kept = np.flatnonzero(weights)
        tokens = self.tokens[:, kept] if len(kept) < len(weights) else self.tokens
        return Lines(tokens.multiply(weights[kept]).tocsr(), self.lengths)

    @cached_property
    def norms(self) -> npt.NDArray[np.float32]:
        """Euclidean length of each line's tokens."""
        return np.sqrt(self._squares)

    @cached_property
    def joined_norms(self) -> npt.NDArray[np.float32]:
        """Euclidean length of the tokens of each line and the next one; of the last line, its own."""
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
    """The tokens and lengths of texts, over one vocabulary."""
    from scipy import sparse  # loaded when first needed: it costs more than scoring

    vocabulary: dict[str, int] = {}
    counted = [_token_numbers(text, vocabulary) for text in texts]
    found: list[Lines] = []
    for text, (numbers, ends) in zip(texts, counted, strict=True):
        ones = np.ones(len(numbers), dtype=np.float32)
        tokens: Any = sparse.csr_matrix((ones, numbers, ends), shape=(len(text), len(vocabulary)))
        tokens.sum_duplicates()
        lengths = [np.nan if line is None else len(line.strip()) for line in text]
        found.append(Lines(tokens, np.array(lengths, dtype=np.float64)))
    return found


def rarity(texts: Sequence[Lines]) -> npt.NDArray[np.float32]:
    """The weight of each token: the rarer in these texts, the greater."""
    total: Any = sum((text.tokens for text in texts[1:]), texts[0].tokens)
    lines = np.bincount(total.indices, minlength=total.shape[1])
    return np.log1p(total.shape[0] / np.maximum(lines, 1)).astype(np.float32)


class Likeness:
    """The scores of the lines of one text, the rows, beside those of another, the columns.

    Args:
        rows: one text.
        columns: the other.
        weights: of the tokens they share.
    """

    def __init__(self, rows: Lines, columns: Lines, weights: Weights) -> None:
        self._rows, self._columns, self._weights = rows, columns, weights
        self._transposed = columns.tokens.T.tocsc()
        known = [np.log(lines.lengths[~np.isnan(lines.lengths)] + _ADDED) for lines in (rows, columns)]
        totals = [float(np.nansum(lines.lengths)) + _ADDED for lines in (rows, columns)]
        self._ratio = np.float32(np.log(totals[0] / len(rows.lengths)) - np.log(totals[1] / len(columns.lengths)))
        self._spread = np.float32(sum(float(lengths.var()) if len(lengths) else 0.0 for lengths in known))

    def band(self, low: int, high: int) -> tuple[Scores, Scores, Scores]:
        """Scores of the rows i and the columns i + d, for all d from low to high.

        Returns:
            Three arrays (rows, high - low + 1): of row i and column j; of row i and the columns j and j + 1; of the
            rows i and i + 1 and column j. -inf where there is no such row or column.
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
        one = self._score(
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
        for scores in (one, two_columns, two_rows):
            scores[absent] = -np.inf
        two_columns[positions >= len(columns.lengths) - 1] = -np.inf
        two_rows[-1] = -np.inf
        return one, two_columns, two_rows

    def of(self, rows: range, columns: range) -> float:
        """The score of several rows, joined, and several columns, joined; each at least one."""
        tokens = [
            np.asarray(lines.tokens[span.start : span.stop].sum(axis=0), dtype=np.float32).ravel()
            for lines, span in ((self._rows, rows), (self._columns, columns))
        ]
        lengths = [
            np.array([np.nansum(lines.lengths[span.start : span.stop])])
            for lines, span in ((self._rows, rows), (self._columns, columns))
        ]
        norms = [np.array([np.linalg.norm(each)], dtype=np.float32) for each in tokens]
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
        """Products of the tokens of the rows i and the columns i + d, for all d from low to high."""
        count, columns = len(self._rows.lengths), len(self._columns.lengths)
        found = np.zeros((count, high - low + 1), dtype=np.float32)
        for start in range(0, count, _CHUNK):
            stop = min(start + _CHUNK, count)
            first, last = max(start + low, 0), min(stop + high, columns)
            if first >= last:
                continue
            product = self._rows.tokens[start:stop] @ self._transposed[:, first:last]
            padded = np.zeros((stop - start, stop - start + high - low), dtype=np.float32)
            padded[:, first - start - low : last - start - low] = product.toarray()[:, : stop - start + high - low]
            offset = padded.strides[0] + padded.strides[1]
            found[start:stop] = np.lib.stride_tricks.as_strided(
                padded, (stop - start, high - low + 1), (offset, padded.strides[1])
            )
        return found

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
            scores = weights.slope * (dots / norms - np.float32(weights.usual))
            no_tokens = (row_norms == 0)[:, None].astype(np.int8) + (column_norms == 0)
            scores = np.where(no_tokens == 0, scores, np.where(no_tokens == 1, weights.one, weights.none))
            rows = (row_lengths[:, None] + _ADDED).astype(np.float32)
            columns = column_lengths + np.float32(_ADDED)
            difference = np.log(rows / columns) - self._ratio
            variance = np.float32(_VARIANCE) + np.float32(2 * _VARIANCE_OF_SHORT) / (rows + columns)
            at_random = np.maximum(self._spread, variance)
            lengths = (np.log(at_random / variance) - difference**2 * (1 / variance - 1 / at_random)) / 2
        unknown = np.isnan(lengths)
        return np.where(unknown, 0, scores + np.maximum(lengths, _MIN_LOG_LENGTH_SCORE)).astype(np.float32)


def _windows(values: npt.NDArray[np.float32], count: int, low: int, high: int, fill: float) -> npt.NDArray[np.float32]:
    """Row i has values[i + low] to values[i + high]; fill stands for values that do not exist."""
    padded = np.full(count + high - low, fill, dtype=np.float32)
    first, last = max(low, 0), min(len(values), count + high)
    if first < last:
        padded[first - low : last - low] = values[first:last]
    return np.lib.stride_tricks.sliding_window_view(padded, high - low + 1)


def _token_numbers(text: Sequence[str | None], vocabulary: dict[str, int]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The tokens of all lines, as numbers, and where each line ends."""
    numbers = array("i")
    ends = np.zeros(len(text) + 1, dtype=np.int32)
    for i, line in enumerate(text):
        numbers.extend([vocabulary.setdefault(token, len(vocabulary)) for token in _tokens(line or "")])
        ends[i + 1] = len(numbers)
    return np.frombuffer(numbers, dtype=np.int32) if numbers else np.zeros(0, dtype=np.int32), ends


def _tokens(line: str) -> list[str]:
    lower = line.lower()
    if not _HAS_UNSPACED.search(lower):
        return [word[:_STEM] for word in _WORDS.findall(lower)]
    found: list[str] = []
    for word in _WORDS_OR_UNSPACED.findall(lower):
        if _HAS_UNSPACED.match(word):
            found += word
            found += map("".join, pairwise(word))
        else:
            found.append(word[:_STEM])
    return found


def shared_tokens(one: Sequence[Lines], other: Sequence[Lines]) -> npt.NDArray[np.float32]:
    """1 for each token that some text of one language and some of the other have, 0 for all others."""
    size = one[0].tokens.shape[1]
    counts = [[np.bincount(text.tokens.indices, minlength=size) for text in texts] for texts in (one, other)]
    in_both = np.any(counts[0], axis=0) & np.any(counts[1], axis=0)
    return in_both.astype(np.float32)
