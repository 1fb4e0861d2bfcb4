"""Counting for chrF: character n-grams of orders 1 to 6 without white space, and n-grams of words.

The counts are the same as sacreBLEU's. `character_matches` matches characters; words, and characters if too many are
different, are tokens of the hash join that also counts for BLEU. Unlike BLEU, chrF clips matches to one reference: with
several references a segment has the counts against the reference with the highest segment score, the first of equal
ones.
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
#: Text with a number of characters or words per line.
WithLengths = LineCharacters | LineTokens

#: The highest order of character n-grams.
CHARACTER_ORDER = 6

#: Approximate characters per word: chunks of characters that fit into the processor's cache have fewer lines.
CHARACTERS_PER_WORD = 8

#: Bytes that sacreBLEU separates at the end of a word, or else at its beginning: ASCII punctuation.
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
    """Count the n-grams of each segment for chrF; a function of the texts alone.

    Args:
        systems: K times S hypotheses.
        references: R times S references, None where absent.
        word_order: the highest order of word n-grams; 0 is none.
        lowercase: whether case is ignored.
        progress: called after each chunk with the hypotheses done, of K times S; may raise, which cancels the count.

    Returns:
        (K, S, 3 * orders), for each order n-grams of the hypothesis, of the reference, and matches. If the reference
        has no n-gram of an order, those of the hypothesis are not counted. All are 0 without a reference.
    """
    segments = len(systems[0])
    counts = np.zeros((len(systems), segments, 3 * (CHARACTER_ORDER + word_order)), np.int64)
    for chunk in chunks(systems[0], references[0]):
        texts = [[line or "" for line in text[chunk]] for text in (*systems, *references)]
        if lowercase:
            texts = [[line.lower() for line in lines] for lines in texts]
        by_reference = _count_chunk(texts[: len(systems)], texts[len(systems) :], word_order)
        counts[:, chunk] = _with_best_reference(by_reference, [text[chunk] for text in references])
        if progress:
            progress(chunk.stop * len(systems), segments * len(systems))
    return counts


def _count_chunk(systems: Sequence[Lines], references: Sequence[Lines], word_order: int) -> Integers:
    """Return the counts of a chunk against each reference alone, (R, K, n, 3 * orders)."""
    parts = [
        _character_columns([lines[part] for lines in systems], [lines[part] for lines in references])
        for part in chunks(systems[0], references[0], tokens_per_word=CHARACTERS_PER_WORD)
    ]
    character_columns = np.concatenate(parts, axis=2)
    if not word_order:
        return character_columns
    return np.concatenate([character_columns, _word_columns(systems, references, word_order)], axis=-1)


def _character_columns(systems: Sequence[Lines], references: Sequence[Lines]) -> Integers:
    hypotheses = [LineCharacters.of(lines, HYPOTHESIS_END, CHARACTER_ORDER) for lines in systems]
    targets = [LineCharacters.of(lines, REFERENCE_END, CHARACTER_ORDER) for lines in references]
    matches = match_characters(hypotheses, targets, CHARACTER_ORDER)
    if matches is None:
        matches = _joined(_hashed(systems, _characters), _hashed(references, _characters), CHARACTER_ORDER)
    return _columns(matches, hypotheses, targets)


def _word_columns(systems: Sequence[Lines], references: Sequence[Lines], word_order: int) -> Integers:
    hypotheses, targets = _hashed(systems, _words), _hashed(references, _words)
    return _columns(_joined(hypotheses, targets, word_order), hypotheses, targets)


def _hashed(texts: Sequence[Lines], tokenize: LineTokenizer) -> list[LineTokens]:
    return [hash_tokens(tokenize(lines)) for lines in texts]


def _joined(hypotheses: Sequence[LineTokens], targets: Sequence[LineTokens], max_order: int) -> Integers:
    """Return the matches with each reference alone, (R, K, n, N)."""
    return np.stack([match_ngrams(hypotheses, [target], max_order) for target in targets])


def _columns(matches: Integers, hypotheses: Sequence[WithLengths], targets: Sequence[WithLengths]) -> Integers:
    """Return, for each order, n-grams of the hypothesis, of the reference, and matches.

    Args:
        matches: (R, K, n, N).
        hypotheses: K texts of n lines.
        targets: R texts of n lines.

    Returns:
        (R, K, n, 3 * N).
    """
    hypothesis_totals, reference_totals = (
        ngram_totals(np.stack([text.lengths for text in texts]), matches.shape[-1]) for texts in (hypotheses, targets)
    )
    columns = np.empty((*matches.shape, 3), np.int64)
    columns[..., 0] = hypothesis_totals * (
        reference_totals[:, None] > 0
    )  # sacreBLEU has 0 where the reference has none
    columns[..., 1] = reference_totals[:, None]
    columns[..., 2] = matches
    return columns.reshape(*matches.shape[:-1], -1)


def _with_best_reference(by_reference: Integers, references: Sequence[Sequence[str | None]]) -> Integers:
    """Choose the reference with the highest score per segment, the first of equal ones.

    Args:
        by_reference: (R, K, n, columns).
        references: R times n, None where absent.

    Returns:
        (K, n, columns).
    """
    if len(references) == 1:
        return by_reference[0]
    absent = np.array([[line is None for line in lines] for lines in references])
    scores: npt.NDArray[np.float64] = np.where(absent[:, None], NO_SCORE, chrf(by_reference))
    best = scores.argmax(axis=0)
    return np.take_along_axis(by_reference, best[None, ..., None], axis=0)[0]


def _characters(lines: Lines) -> ByteTokens:
    """Split into all characters except white space."""
    return tokenize_lines(lines, "char", lowercase=False)


def _words(lines: Lines) -> ByteTokens:
    """Split at white space, and separate a punctuation mark at the end or else at the beginning of a word.

    Only one mark is separated, as in sacreBLEU: "(hi)" becomes "(hi" and ")".
    """
    words = tokenize_lines(lines, "none", lowercase=False)
    data = np.frombuffer(words.data, np.uint8)
    long = words.ends - words.starts > 1  # a mark has one byte, so that another character remains
    has_final_mark = long & IS_PUNCTUATION[take(data, words.ends - 1)]
    has_first_mark = long & ~has_final_mark & IS_PUNCTUATION[take(data, words.starts)]
    cuts = np.concatenate([words.ends[has_final_mark] - 1, words.starts[has_first_mark] + 1])
    return ByteTokens(words.data, _with(words.starts, cuts), _with(words.ends, cuts))


def _with(bounds: Integers, cuts: Integers) -> Integers:
    """Add bounds of tokens, and sort them."""
    return np.sort(np.concatenate([bounds, cuts]))
