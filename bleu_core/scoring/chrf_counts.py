"""Counting for chrF: character n-grams of orders 1 to 6 without white space, and n-grams of words.

The counts are sacreBLEU's to the last one. Characters and words are tokens of the same join that counts for BLEU.
Unlike BLEU, chrF clips matches to one reference: with several references a segment has the counts against the reference
with the highest segment score, of equal ones the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Integers
from bleu_core.progress import Progress
from bleu_core.scoring.bytetokens import ByteTokens, take, tokenize_lines
from bleu_core.scoring.chrf_score import chrf
from bleu_core.scoring.ngrams import LineTokenizer, chunks, match_ngrams, ngram_totals
from bleu_core.scoring.token_keys import LineTokens, hash_tokens

#: The highest order of character n-grams.
CHARACTER_ORDER = 6

#: Words have about so many characters: chunks of characters that stay in the processor's cache have fewer lines.
CHARACTERS_PER_WORD = 8

#: Which bytes sacreBLEU sets apart at the end of a word, or else at its beginning: ASCII punctuation.
IS_PUNCTUATION = np.isin(np.arange(256), np.frombuffer(b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", np.uint8))

#: The score of a reference that does not exist, below all others.
NO_SCORE = -1


def count_chrf(
    systems: Sequence[Sequence[str]],
    references: Sequence[Sequence[str | None]],
    *,
    word_order: int,
    lowercase: bool,
    progress: Progress | None = None,
) -> Integers:
    """Count what chrF needs of each segment; a function of the texts alone.

    Args:
        systems: K times S hypotheses.
        references: R times S references, None where absent.
        word_order: the highest order of word n-grams; 0 is none.
        lowercase: whether case is ignored.
        progress: told after each chunk how many hypotheses of K times S are done; may raise, which ends the count.

    Returns:
        (K, S, 3 * orders), for each order n-grams of the hypothesis, of the reference, and matches. Where the reference
        has no n-gram of an order, those of the hypothesis are not counted. All are 0 where there is no reference.
    """
    segments = len(systems[0])
    counts = np.zeros((len(systems), segments, 3 * (CHARACTER_ORDER + word_order)), np.int64)
    for chunk in chunks(systems[0], references[0], tokens_per_word=CHARACTERS_PER_WORD):
        hypotheses, targets = [text[chunk] for text in systems], [text[chunk] for text in references]
        counts[:, chunk] = _count_chunk(hypotheses, targets, word_order, lowercase=lowercase)
        if progress:
            progress(chunk.stop * len(systems), segments * len(systems))
    return counts


def _count_chunk(
    systems: Sequence[Sequence[str]], references: Sequence[Sequence[str | None]], word_order: int, *, lowercase: bool
) -> Integers:
    """The counts of a chunk of n lines, (K, n, 3 * orders)."""
    texts = [[line or "" for line in lines] for lines in references]
    against = _counts_against(systems, texts, partial(_characters, lowercase=lowercase), CHARACTER_ORDER)
    if word_order:
        of_words = _counts_against(systems, texts, partial(_words, lowercase=lowercase), word_order)
        against = np.concatenate([against, of_words], axis=-2)
    against = against.reshape(*against.shape[:-2], -1)
    return against[0] if len(references) == 1 else _of_best_reference(against, references)


def _counts_against(
    systems: Sequence[Sequence[str]], references: Sequence[Sequence[str]], tokenize: LineTokenizer, max_order: int
) -> Integers:
    """(R, K, n, N, 3): n-grams of the hypothesis, of the reference, and matches, for each reference by itself."""
    hypotheses = [hash_tokens(tokenize(lines)) for lines in systems]
    return np.stack([_counts(hypotheses, hash_tokens(tokenize(lines)), max_order) for lines in references])


def _counts(hypotheses: Sequence[LineTokens], reference: LineTokens, max_order: int) -> Integers:
    matches = match_ngrams(hypotheses, [reference], max_order)
    of_reference = np.broadcast_to(ngram_totals(reference.lengths, max_order), matches.shape)
    of_hypotheses = ngram_totals(np.stack([h.lengths for h in hypotheses]), max_order)
    return np.stack([of_hypotheses * (of_reference > 0), of_reference, matches], axis=-1)


def _of_best_reference(against: Integers, references: Sequence[Sequence[str | None]]) -> Integers:
    """Choose the reference with the highest score of each segment, the first of equal ones.

    Args:
        against: (R, K, n, columns).
        references: R times n, None where absent.
    """
    absent = np.array([[line is None for line in lines] for lines in references])
    scores: npt.NDArray[np.float64] = np.where(absent[:, None], NO_SCORE, chrf(against))
    best = scores.argmax(axis=0)
    return np.take_along_axis(against, best[None, ..., None], axis=0)[0]


def _characters(lines: Sequence[str], *, lowercase: bool) -> ByteTokens:
    """Every character but white space."""
    return tokenize_lines(lines, "char", lowercase=lowercase)


def _words(lines: Sequence[str], *, lowercase: bool) -> ByteTokens:
    """Words between white space, with a punctuation mark that ends or, if none does, begins a longer word set apart.

    Only one is, as in sacreBLEU: "(hi)" becomes "(hi" and ")".
    """
    words = tokenize_lines(lines, "none", lowercase=lowercase)
    data = np.frombuffer(words.data, np.uint8)
    long = (
        words.ends - words.starts > 1
    )  # a punctuation mark has one byte, so what else is there is a character or more
    ends_so = long & IS_PUNCTUATION[take(data, words.ends - 1)]
    begins_so = long & ~ends_so & IS_PUNCTUATION[take(data, words.starts)]
    cuts = np.concatenate([words.ends[ends_so] - 1, words.starts[begins_so] + 1])
    return ByteTokens(words.data, _with(words.starts, cuts), _with(words.ends, cuts))


def _with(bounds: Integers, cuts: Integers) -> Integers:
    """Bounds of tokens, in order, with some more."""
    return np.sort(np.concatenate([bounds, cuts]))
