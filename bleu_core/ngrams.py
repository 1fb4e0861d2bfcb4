"""Counting: what every BLEU of a corpus is computed from.

What is counted is kept apart from what is chosen. The counts depend on the texts, the tokeniser, lower-casing
and the highest order; reference length, smoothing and weights come later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.tokenizers import Tokenizer, tokenizer

Counts = npt.NDArray[np.int64]

#: The length of a reference that does not exist for a segment.
ABSENT = -1

#: Segments between two words on the progress.
REPORT_EVERY = 256


@dataclass(frozen=True, slots=True)
class NgramStats:
    """What was counted of K systems, S segments and R references up to order N; arrays are read-only.

    Attributes:
        systems: K names.
        matches: (K, S, N), n-grams that occur in a reference, each clipped to the most that any single
            reference of its segment has (Papineni et al. 2002, section 2.1).
        totals: (K, S, N), n-grams of the hypothesis.
        hypothesis_lengths: (K, S), tokens.
        reference_lengths: (R, S), tokens; ABSENT where there is no such reference.
    """

    systems: tuple[str, ...]
    matches: Counts
    totals: Counts
    hypothesis_lengths: Counts
    reference_lengths: Counts

    def __post_init__(self) -> None:
        for counts in (self.matches, self.totals, self.hypothesis_lengths, self.reference_lengths):
            counts.flags.writeable = False

    @property
    def max_order(self) -> int:
        """N, the highest order counted."""
        return self.matches.shape[2]

    def select(self, systems: Sequence[str]) -> NgramStats:
        """The counts of some of the systems, in the order given."""
        rows = [self.systems.index(name) for name in systems]
        return NgramStats(
            tuple(systems), self.matches[rows], self.totals[rows], self.hypothesis_lengths[rows], self.reference_lengths
        )


def count_ngrams(
    systems: Mapping[str, Sequence[str]],
    references: Mapping[str, Sequence[str | None]],
    *,
    tokenize: str = "13a",
    lowercase: bool = False,
    max_order: int = 4,
    progress: Callable[[int, int], None] | None = None,
) -> NgramStats:
    """Count clipped matches and totals for every system, segment and order.

    Args:
        systems: name -> S hypotheses.
        references: name -> S references, None where absent.
        tokenize: a tokeniser's name.
        lowercase: whether texts are lower-cased first.
        max_order: N, the highest order to count.
        progress: told, now and then, how many segments of how many are done.

    Raises:
        SettingsError: the tokeniser is unknown or lacks what it needs.
    """
    split = tokenizer(tokenize)
    segments = len(next(iter(systems.values())))
    shape = (len(systems), segments, max_order)
    matches = np.zeros(shape, np.int64)
    hypothesis_lengths = np.zeros(shape[:2], np.int64)
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
            counts = ngrams_of(tokens, max_order)
            matched = [0] * max_order
            for ngram in counts.keys() & limit.keys():
                matched[len(ngram) - 1] += min(counts[ngram], limit[ngram])
            matches[k, s] = matched
        if progress and (s + 1) % REPORT_EVERY == 0:
            progress(s + 1, segments)
    # A segment of m tokens has m - n + 1 n-grams, and none where it is shorter than the order.
    totals = np.maximum(hypothesis_lengths[:, :, None] - np.arange(max_order), 0)
    return NgramStats(tuple(systems), matches, totals, hypothesis_lengths, reference_lengths)


def tokens_of(text: str, split: Tokenizer, *, lowercase: bool) -> list[str]:
    """Tokens of one segment: lower-cased, trailing white space dropped, tokenised, as sacreBLEU does."""
    return split((text.lower() if lowercase else text).rstrip()).split()


def ngrams_of(tokens: Sequence[str], max_order: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram of order 1 to max_order occurs."""
    return Counter(tuple(tokens[i : i + n]) for n in range(1, max_order + 1) for i in range(len(tokens) - n + 1))
