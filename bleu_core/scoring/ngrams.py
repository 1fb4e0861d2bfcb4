"""Counting n-grams.

What is counted is kept apart from what is chosen. The counts depend on the texts, the settings of Counting and the
highest order; reference length, smoothing and weights come later.

Texts are counted in chunks of lines that stay in the processor's cache, all systems of a chunk together, so that
references are tokenised and indexed once for all of them. The steps of a chunk are `bytetokens`, `token_keys` and
`join`. The plain way, a Counter for each segment, is the oracle of the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol, cast

import numpy as np

from bleu_core.arrays import Integers, read_only
from bleu_core.progress import Progress
from bleu_core.scoring.bytetokens import BYTE_TOKENIZERS, NEWLINE, ByteTokens, tokenize_lines
from bleu_core.scoring.ngram_match import NOWHERE, match_tokens
from bleu_core.scoring.settings import DEFAULT_COUNTING, Counting
from bleu_core.scoring.token_keys import LineTokens, hash_tokens
from bleu_core.scoring.tokenizers import tokenizer

LineTokenizer = Callable[[Sequence[str]], ByteTokens]

#: The length of a reference that does not exist for a segment.
ABSENT = -1

#: Maximum lines, and approximate maximum characters, of a chunk of a text; larger ones exceed the processor's cache.
CHUNK_LINES, CHUNK_CHARACTERS = 2048, 1 << 20

#: glibc returns freed memory to the system unless a larger array was freed before (mallopt(3), M_MMAP_THRESHOLD).
#: Without this array, those of each chunk are mapped again, which takes a quarter of the time. It is never written to,
#: so it takes no memory; from 32 MiB on it would have no effect.
np.empty(31 << 20, np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class NgramStats:
    """The counts of K systems, S segments and R references up to order N; arrays are read-only.

    Attributes:
        systems: K names.
        matches: (K, S, N), n-grams that occur in a reference, each clipped to its maximum count in any single
            reference of its segment (Papineni et al. 2002, section 2.1).
        hypothesis_lengths: (K, S), tokens.
        reference_lengths: (R, S), tokens; ABSENT for an absent reference.
    """

    systems: tuple[str, ...]
    matches: Integers
    hypothesis_lengths: Integers
    reference_lengths: Integers

    def __post_init__(self) -> None:
        for name in ("matches", "hypothesis_lengths", "reference_lengths"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @property
    def max_order(self) -> int:
        """N, the highest order counted."""
        return self.matches.shape[2]

    @property
    def totals(self) -> Integers:
        """(K, S, N), n-grams of the hypothesis: m - n + 1 in a segment of m tokens, none in a shorter one."""
        totals = ngram_totals(self.hypothesis_lengths, self.max_order)
        totals.flags.writeable = False
        return totals

    def select(self, systems: Sequence[str]) -> NgramStats:
        """Return the counts of some of the systems, in the order given."""
        if tuple(systems) == self.systems:
            return self  # its arrays are read-only: no copy is needed
        rows = [self.systems.index(name) for name in systems]
        return NgramStats(tuple(systems), self.matches[rows], self.hypothesis_lengths[rows], self.reference_lengths)

    def subset(self, rows: Sequence[int]) -> NgramStats:
        """Return the counts of some of the segments, by their positions from 0."""
        positions = list(rows)
        return NgramStats(
            self.systems,
            self.matches[:, positions],
            self.hypothesis_lengths[:, positions],
            self.reference_lengths[:, positions],
        )


class Count(Protocol):
    """A function that counts as count_ngrams does, in this process or in others."""

    def __call__(
        self,
        systems: Mapping[str, Sequence[str]],
        references: Mapping[str, Sequence[str | None]],
        *,
        counting: Counting = ...,
        max_order: int = ...,
        progress: Progress | None = ...,
    ) -> NgramStats:
        """Return the counts; arguments and errors are those of count_ngrams."""
        ...


def count_ngrams(
    systems: Mapping[str, Sequence[str]],
    references: Mapping[str, Sequence[str | None]],
    *,
    counting: Counting = DEFAULT_COUNTING,
    max_order: int = 4,
    progress: Progress | None = None,
) -> NgramStats:
    """Count clipped matches and lengths for every system, segment and order.

    Args:
        systems: name -> S hypotheses.
        references: name -> S references, None where absent.
        counting: how texts become tokens.
        max_order: N, the highest order to count.
        progress: called after each chunk with the segments done and their total; may raise, which cancels the count.

    Raises:
        SettingsError: a requirement of the tokeniser is not installed.
    """
    tokenize = line_tokenizer(counting)
    segments = len(next(iter(systems.values())))
    matches = np.zeros((len(systems), segments, max_order), np.int64)
    hypothesis_lengths = np.zeros((len(systems), segments), np.int64)
    reference_lengths = np.zeros((len(references), segments), np.int64)
    for chunk in chunks(next(iter(systems.values())), next(iter(references.values()))):
        matches[:, chunk], hypothesis_lengths[:, chunk], reference_lengths[:, chunk] = count_chunk(
            [texts[chunk] for texts in systems.values()],
            [texts[chunk] for texts in references.values()],
            tokenize,
            max_order,
        )
        if progress:
            progress(chunk.stop, segments)
    return NgramStats(tuple(systems), matches, hypothesis_lengths, reference_lengths)


def chunks(*texts: Sequence[str | None], tokens_per_word: int = 1) -> Iterator[slice]:
    """Divide aligned texts into slices of a bounded number of lines and, nearly, of characters.

    Args:
        texts: aligned.
        tokens_per_word: number of tokens per word, by which the size of chunks is divided.
    """
    segments = len(texts[0])
    lines, characters = max(1, CHUNK_LINES // tokens_per_word), CHUNK_CHARACTERS // tokens_per_word
    for first in range(0, segments, lines):
        stop = min(first + lines, segments)
        if max(_characters(text[first:stop]) for text in texts) <= characters:
            yield slice(first, stop)
        else:
            yield from _smaller_chunks(texts, first, stop, characters)


def _smaller_chunks(
    texts: Sequence[Sequence[str | None]], start: int, stop: int, max_characters: int
) -> Iterator[slice]:
    """Divide a slice with too many characters; lines are not divided."""
    characters = [0] * len(texts)
    for i in range(start, stop):
        line = [len(text[i] or "") for text in texts]
        characters = [sum(pair) for pair in zip(characters, line, strict=True)]
        if i > start and max(characters) > max_characters:
            yield slice(start, i)
            start, characters = i, line
    yield slice(start, stop)


def _characters(text: Sequence[str | None]) -> int:
    return sum(map(len, filter(None, text)))


def line_tokenizer(counting: Counting) -> LineTokenizer:
    """Return the function that converts lines to tokens before n-grams are counted.

    Tokenisers other than BYTE_TOKENIZERS are called line by line; their tokens, joined by blanks, are then split at
    white space.

    Raises:
        SettingsError: a requirement of the tokeniser is not installed.
    """
    name, lowercase = counting.tokenizer, counting.lowercase
    if name in BYTE_TOKENIZERS:
        return partial(tokenize_lines, tokenizer=name, lowercase=lowercase)
    split = tokenizer(name)

    def tokenize(lines: Sequence[str]) -> ByteTokens:
        tokenized = [split((line.lower() if lowercase else line).rstrip()) for line in lines]
        return tokenize_lines(tokenized, "none", lowercase=False)

    return tokenize


def tokens_of(text: str, counting: Counting) -> tuple[str, ...]:
    """Return the tokens of a text, as used for counting.

    Raises:
        SettingsError: a requirement of the tokeniser is not installed.
    """
    tokens = line_tokenizer(counting)([text])
    bounds = list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True))[1:-1]  # without the newlines around
    return tuple(tokens.data[start:end].decode("utf-8", "surrogatepass") for start, end in bounds)


def token_counts(texts: Sequence[str], counting: Counting) -> Integers:
    """Return the number of tokens of each text, (S,), as used for counting.

    Raises:
        SettingsError: a requirement of the tokeniser is not installed.
    """
    tokenize = line_tokenizer(counting)
    counts = [np.zeros(0, np.int64)]
    for start in range(0, len(texts), CHUNK_LINES):
        tokens = tokenize(texts[start : start + CHUNK_LINES])
        newlines = np.flatnonzero(np.frombuffer(tokens.data, np.uint8)[tokens.starts] == NEWLINE)
        counts.append(np.diff(newlines) - 1)
    return np.concatenate(counts)


def count_chunk(
    systems: Sequence[Sequence[str]],
    references: Sequence[Sequence[str | None]],
    tokenize: LineTokenizer,
    max_order: int,
) -> tuple[Integers, Integers, Integers]:
    """Count one chunk of n lines.

    Args:
        systems: K times n hypotheses.
        references: R times n references, None where absent.
        tokenize: lines to tokens.
        max_order: N.

    Returns:
        Matches (K, n, N), hypothesis lengths (K, n), reference lengths (R, n).
    """
    hypotheses = [hash_tokens(tokenize(lines)) for lines in systems]
    absent = {
        r: [i for i, line in enumerate(lines) if line is None] for r, lines in enumerate(references) if not all(lines)
    }
    targets = [
        hash_tokens(tokenize([line or "" for line in lines] if r in absent else cast("Sequence[str]", lines)))
        for r, lines in enumerate(references)
    ]
    reference_lengths = np.stack([target.lengths for target in targets])
    for r, lines in absent.items():
        reference_lengths[r, lines] = ABSENT
    matches = match_ngrams(hypotheses, targets, max_order)
    return matches, np.stack([h.lengths for h in hypotheses]), reference_lengths


def ngram_totals(lengths: Integers, max_order: int) -> Integers:
    """Return the number of n-grams, (..., N), of texts of (...) tokens: m - n + 1 of m tokens, 0 if m < n."""
    return np.maximum(lengths[..., None] - np.arange(max_order), 0)


def match_ngrams(hypotheses: Sequence[LineTokens], targets: Sequence[LineTokens], max_order: int) -> Integers:
    """Count the clipped matches of a chunk, order by order.

    The n-grams at a position of a hypothesis match up to some order, and none beyond it. So it suffices to count the
    positions of each line by the order that they reach, and to subtract the clipped matches.

    Args:
        hypotheses: K texts of n lines.
        targets: R references of n lines.
        max_order: N.

    Returns:
        (K, n, N).
    """
    segments = len(hypotheses[0].lengths)
    matches = np.zeros((len(hypotheses), segments, max_order), np.int64)
    references, texts = match_tokens(hypotheses, targets)
    reached = [np.zeros(len(h.keys), np.uint8) for h in hypotheses]
    for order in range(max_order):
        if order:
            texts = references.extend(texts)
        for k, text in enumerate(texts):
            reached[k][: len(text.representatives)] += text.representatives != NOWHERE
            np.subtract.at(matches[k, :, order], text.rows % segments, text.excess)
    for k, hypothesis in enumerate(hypotheses):
        cells = np.repeat(np.arange(segments) * (max_order + 1), hypothesis.lengths + 1)
        cells += reached[k][1:]  # without the newline before the first line
        counts = np.bincount(cells, minlength=segments * (max_order + 1)).reshape(segments, max_order + 1)
        matches[k] += counts[:, :0:-1].cumsum(axis=1)[:, ::-1]  # a match of order n implies matches of all lower orders
    return matches
