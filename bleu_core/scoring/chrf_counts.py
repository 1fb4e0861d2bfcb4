"""Counting for chrF: character n-grams of orders 1 to 6 without white space, and n-grams of words.

The counts are sacreBLEU's to the last one. `character_matches` matches characters; words, and characters where too many
are different, are tokens of the same hash join that counts for BLEU. Unlike BLEU, chrF clips matches to one reference:
with several references a segment has the counts against the reference with the highest segment score, of equal ones the
first.
"""

from __future__ import annotations

import string
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Integers
from bleu_core.progress import Progress
from bleu_core.scoring.bytetokens import ByteTokens, take, tokenize_lines
from bleu_core.scoring.character_matches import HYPOTHESIS_END, REFERENCE_END, LineCharacters, match_characters
from bleu_core.scoring.chrf_score import chrf
from bleu_core.scoring.ngrams import LineTokenizer, chunks, match_ngrams, ngram_totals
from bleu_core.scoring.token_keys import LineTokens, hash_tokens

Lines = Sequence[str]
#: What has a number of characters or words for each line.
WithLengths = LineCharacters | LineTokens

#: The highest order of character n-grams.
CHARACTER_ORDER = 6

#: Words have about so many characters: chunks of characters that stay in the processor's cache have fewer lines.
CHARACTERS_PER_WORD = 8

#: Which bytes sacreBLEU sets apart at the end of a word, or else at its beginning: ASCII punctuation.
IS_PUNCTUATION = np.isin(np.arange(256), list(string.punctuation.encode()))

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
    for chunk in chunks(systems[0], references[0]):
        texts = [[line or "" for line in text[chunk]] for text in (*systems, *references)]
        if lowercase:
            texts = [[line.lower() for line in lines] for lines in texts]
        against = _count_chunk(texts[: len(systems)], texts[len(systems) :], word_order)
        counts[:, chunk] = _of_best_reference(against, [text[chunk] for text in references])
        if progress:
            progress(chunk.stop * len(systems), segments * len(systems))
    return counts


def _count_chunk(systems: Sequence[Lines], references: Sequence[Lines], word_order: int) -> Integers:
    """The counts of a chunk against each reference by itself, (R, K, n, 3 * orders)."""
    parts = [
        _of_characters([lines[part] for lines in systems], [lines[part] for lines in references])
        for part in chunks(systems[0], references[0], tokens_per_word=CHARACTERS_PER_WORD)
    ]
    of_characters = np.concatenate(parts, axis=2)
    if not word_order:
        return of_characters
    return np.concatenate([of_characters, _of_words(systems, references, word_order)], axis=-1)


def _of_characters(systems: Sequence[Lines], references: Sequence[Lines]) -> Integers:
    hypotheses = [LineCharacters.of(lines, HYPOTHESIS_END, CHARACTER_ORDER) for lines in systems]
    targets = [LineCharacters.of(lines, REFERENCE_END, CHARACTER_ORDER) for lines in references]
    matches = match_characters(hypotheses, targets, CHARACTER_ORDER)
    if matches is None:
        matches = _joined(_hashed(systems, _characters), _hashed(references, _characters), CHARACTER_ORDER)
    return _columns(matches, hypotheses, targets)


def _of_words(systems: Sequence[Lines], references: Sequence[Lines], word_order: int) -> Integers:
    hypotheses, targets = _hashed(systems, _words), _hashed(references, _words)
    return _columns(_joined(hypotheses, targets, word_order), hypotheses, targets)


def _hashed(texts: Sequence[Lines], tokenize: LineTokenizer) -> list[LineTokens]:
    return [hash_tokens(tokenize(lines)) for lines in texts]


def _joined(hypotheses: Sequence[LineTokens], targets: Sequence[LineTokens], max_order: int) -> Integers:
    """Matches with each reference by itself, (R, K, n, N)."""
    return np.stack([match_ngrams(hypotheses, [target], max_order) for target in targets])


def _columns(matches: Integers, hypotheses: Sequence[WithLengths], targets: Sequence[WithLengths]) -> Integers:
    """For each order n-grams of the hypothesis, of the reference, and matches.

    Args:
        matches: (R, K, n, N).
        hypotheses: K texts of n lines.
        targets: R texts of n lines.

    Returns:
        (R, K, n, 3 * N).
    """
    of_hypotheses, of_references = (
        ngram_totals(np.stack([text.lengths for text in texts]), matches.shape[-1]) for texts in (hypotheses, targets)
    )
    columns = np.empty((*matches.shape, 3), np.int64)
    columns[..., 0] = of_hypotheses * (of_references[:, None] > 0)  # sacreBLEU has 0 where the reference has none
    columns[..., 1] = of_references[:, None]
    columns[..., 2] = matches
    return columns.reshape(*matches.shape[:-1], -1)


def _of_best_reference(against: Integers, references: Sequence[Sequence[str | None]]) -> Integers:
    """Choose the reference with the highest score of each segment, the first of equal ones.

    Args:
        against: (R, K, n, columns).
        references: R times n, None where absent.

    Returns:
        (K, n, columns).
    """
    if len(references) == 1:
        return against[0]
    absent = np.array([[line is None for line in lines] for lines in references])
    scores: npt.NDArray[np.float64] = np.where(absent[:, None], NO_SCORE, chrf(against))
    best = scores.argmax(axis=0)
    return np.take_along_axis(against, best[None, ..., None], axis=0)[0]


def _characters(lines: Lines) -> ByteTokens:
    """Every character but white space."""
    return tokenize_lines(lines, "char", lowercase=False)


def _words(lines: Lines) -> ByteTokens:
    """Words between white space, with a punctuation mark that ends or, if none does, begins a longer word set apart.

    Only one is, as in sacreBLEU: "(hi)" becomes "(hi" and ")".
    """
    words = tokenize_lines(lines, "none", lowercase=False)
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
