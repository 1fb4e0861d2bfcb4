"""Whether texts correspond to the references line by line, and are in their language, by a sample of segments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats
from bleu_core.dataset import UNSPACED, Script, plural
from bleu_core.diagnostics.characters import code_points, count_scripts_of, script_counts
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.function_words import LANGUAGE_SHARE, LANGUAGES, sum_function_words
from bleu_core.diagnostics.wording import percent

Marks = npt.NDArray[np.bool_]

#: Maximum number of segments in the sample, and of characters of a line that are compared.
MAX_SEGMENTS, MAX_CHARACTERS = 200, 300

#: Minimum number of lines that are compared, and of distinct n-grams of a line.
MIN_LINES, MIN_NGRAMS = 10, 5

#: Length of character n-grams in scripts with and without blanks between words, and bits of their hash values.
ORDER, UNSPACED_ORDER, HASH_BITS = 3, 1, 13

#: Minimum surplus of the likeness of lines of the same segment over that of lines of different ones, in real
#: translations, as a share of the possible one; the number of standard errors that are added to the surplus of a text,
#: and the minimum standard deviation of the surplus of a line.
MIN_SURPLUS, ERRORS, MIN_DEVIATION = 0.06, 2.33, 0.05

#: Maximum likeness of lines of the same segment of texts that do not correspond, and of those that differ in language.
MAX_UNRELATED_LIKENESS, MAX_FOREIGN_LIKENESS = 0.7, 0.35

#: Minimum cosine of the n-grams of two texts in one language, in samples of at least so many lines and of fewer.
MIN_COSINE, MIN_COSINE_OF_FEW, MANY_LINES = 0.6, 0.45, 50

#: Minimum number of letters to identify a script, and maximum share of a script in a text that is in another.
MIN_LETTERS, MAX_SCRIPT_SHARE = 40, 0.2

#: Minimum number of function words, and of different ones, as a single one may be a word of another language; and their
#: minimum ratio to those of the language of the other text.
MIN_WORDS, MIN_DIFFERENT_WORDS, MIN_WORDS_RATIO = 10, 3, 1.5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Correspondence:
    """A comparison of T texts, the systems and then the references in use, with these R references.

    Attributes:
        segments: the number of segments in the sample.
        likeness: (T, R) mean share of the n-grams of characters that lines of the same segment share.
        shuffled: (T, R) the same of lines of different segments.
        is_unrelated: (T, R) whether the texts are in one language and their lines do not correspond.
        is_foreign: (T, R) whether the texts are in different scripts or languages.
        languages: (T) the language by function words (ISO 639-1), empty if it is not recognised.
    """

    segments: int
    likeness: Floats
    shuffled: Floats
    is_unrelated: Marks
    is_foreign: Marks
    languages: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TextProfile:
    """The features of a text by which it is compared.

    Attributes:
        letters: number of letters by script; kana count as Chinese characters.
        words: number of function words by language.
        language: the position in LANGUAGES of the language by function words; None if it is not recognised.
        order: length of its n-grams.
        ngrams: (lines, bytes) one bit for each hash value, 1 if an n-gram of the line has it.
        sizes: (lines) number of distinct hash values.
        profile: number of lines by hash value.
    """

    letters: npt.NDArray[np.int64]
    words: Floats
    language: int | None
    order: int
    ngrams: npt.NDArray[np.uint8]
    sizes: npt.NDArray[np.int64]
    profile: Floats

    @property
    def script(self) -> int:
        """The script of most letters."""
        return int(self.letters.argmax())


def correspondence(data: DiagnosticInput) -> Correspondence:
    """Return the comparison of systems and references with the references in use, computed once."""
    return data.computed_once(_compare_all)


def profile_of(text: Sequence[str | None]) -> TextProfile:
    """Return the features of the first MANY_LINES lines of a text."""
    lines = [line or "" for line in text[:MANY_LINES]]
    return _text([*lines, *[""] * (MANY_LINES - len(lines))], count_scripts_of(lines).sum(axis=0))


def likeness_of(text: TextProfile, reference: TextProfile) -> float:
    """Return the mean share of the n-grams of characters that lines with the same number share.

    Args:
        text: the features of a text by profile_of.
        reference: those of another one.

    Returns:
        A fraction; 0 if only one of the scripts has blanks between words, NaN if no line is long enough in both.
    """
    if text.order != reference.order:
        return 0.0
    rows = (text.sizes >= MIN_NGRAMS) & (reference.sizes >= MIN_NGRAMS)
    return float(_likeness(text, reference, rows, 0).mean()) if rows.any() else math.nan


def are_foreign(text: TextProfile, reference: TextProfile) -> bool:
    """Return whether two texts are in different scripts or languages, as far as it can be recognised."""
    return _compared(text, reference)[3]


def likeness_sentence(compared: Correspondence, text: int, reference: int | None = None) -> str:
    """Return the likeness of a text to a reference, by default the one it is most like, as the end of a sentence.

    Args:
        compared: the comparison.
        text: the position of the text.
        reference: the position of the reference.
    """
    r = int(compared.likeness[text].argmax()) if reference is None else reference
    return (
        f"lines of the same segment share {percent(compared.likeness[text, r])} of their n-grams of characters, and "
        f"lines of different segments {percent(compared.shuffled[text, r])} (a sample of {compared.segments:,} "
        f"{plural(compared.segments, 'segment')})."
    )


def _compare_all(data: DiagnosticInput) -> Correspondence:
    sample = data.sample(MAX_SEGMENTS)
    letters = script_counts(sample).sum(axis=1)
    texts = [
        _text(["" if line is None else line for line in lines], letters[t])
        for t, ((role, _), lines) in enumerate(sample.texts.items())
        if role != "source"
    ]
    references = texts[sample.reference_rows]
    shape = (len(texts), len(references))
    likeness, shuffled = np.zeros(shape), np.zeros(shape)
    is_unrelated, is_foreign = np.zeros(shape, np.bool_), np.zeros(shape, np.bool_)
    for t, text in enumerate(texts):
        for r, reference in enumerate(references):
            if text is reference:
                continue
            likeness[t, r], shuffled[t, r], is_unrelated[t, r], is_foreign[t, r] = _compared(text, reference)
    return Correspondence(
        segments=sample.segments,
        likeness=likeness,
        shuffled=shuffled,
        is_unrelated=is_unrelated,
        is_foreign=is_foreign,
        languages=tuple("" if text.language is None else LANGUAGES[text.language] for text in texts),
    )


def _text(lines: Sequence[str], letters: npt.NDArray[np.int64]) -> TextProfile:
    letters = letters.copy()
    letters[Script.HAN] += letters[Script.KANA]
    letters[Script.KANA] = 0
    words, different, tokens = sum_function_words(lines)
    best = int(words.argmax())
    is_clear = words[best] >= max(MIN_WORDS, LANGUAGE_SHARE * tokens) and different[best] >= MIN_DIFFERENT_WORDS
    order = UNSPACED_ORDER if letters.argmax() in UNSPACED else ORDER
    is_present = _ngrams(lines, order)
    ngrams = np.packbits(is_present, axis=1)
    return TextProfile(
        letters=letters,
        words=words,
        language=best if is_clear else None,
        order=order,
        ngrams=ngrams,
        sizes=np.bitwise_count(ngrams).sum(axis=1, dtype=np.int64),
        profile=np.add.reduce(is_present.view(np.uint8), axis=0, dtype=np.int64).astype(np.float64),
    )


def _ngrams(lines: Sequence[str], order: int) -> Marks:
    """Return which hash values the n-grams of characters of each line have, (lines, hash values)."""
    codes, rows = code_points([line[:MAX_CHARACTERS].lower() for line in lines])
    size = max(len(codes) - order + 1, 0)
    hashes, is_within = np.zeros(size, np.uint64), np.ones(size, np.bool_)
    for k in range(order):
        part = codes[k : k + size]
        is_within &= part != ord("\n")
        hashes = (hashes ^ part) * np.uint64(0x9E3779B97F4A7C15)
        hashes ^= hashes >> np.uint64(29)
    is_present = np.zeros((len(lines), 1 << HASH_BITS), np.bool_)
    values = (hashes[is_within] >> np.uint64(64 - HASH_BITS)).astype(np.int64)
    is_present[rows[:size][is_within], values] = True
    return is_present


def _compared(text: TextProfile, reference: TextProfile) -> tuple[float, float, bool, bool]:
    """Return the likeness of lines of the same segment and of others, and whether texts are unrelated or foreign."""
    if _scripts_differ(text, reference) or _words_differ(text, reference):
        return 0.0, 0.0, False, True
    if text.order != reference.order:
        return 0.0, 0.0, False, False
    rows = (text.sizes >= MIN_NGRAMS) & (reference.sizes >= MIN_NGRAMS)
    lines = int(rows.sum())
    if lines < MIN_LINES:
        return 0.0, 0.0, False, False
    same = _likeness(text, reference, rows, 0)
    different = (_likeness(text, reference, rows, lines // 3) + _likeness(text, reference, rows, 2 * lines // 3)) / 2
    surplus = same - different
    error = max(float(surplus.std()), MIN_DEVIATION) / np.sqrt(lines)
    likeness, shuffled = float(same.mean()), float(different.mean())
    if likeness <= MAX_FOREIGN_LIKENESS:
        product = np.sqrt((text.profile @ text.profile) * (reference.profile @ reference.profile))
        min_cosine = MIN_COSINE if lines >= MANY_LINES else MIN_COSINE_OF_FEW
        if text.profile @ reference.profile < min_cosine * product:
            return likeness, shuffled, False, True
    max_surplus = float(surplus.mean()) + ERRORS * error
    is_unrelated = likeness <= MAX_UNRELATED_LIKENESS and max_surplus < MIN_SURPLUS * (1 - shuffled)
    return likeness, shuffled, is_unrelated, False


def _likeness(text: TextProfile, reference: TextProfile, rows: Marks, shift: int) -> Floats:
    """Return the share of common n-grams of each line and the line of the reference that is so many lines before it."""
    ngrams, sizes = np.roll(reference.ngrams[rows], shift, axis=0), np.roll(reference.sizes[rows], shift)
    common = np.bitwise_count(text.ngrams[rows] & ngrams).sum(axis=1, dtype=np.int64)
    return np.asarray(2 * common / (text.sizes[rows] + sizes), np.float64)


def _scripts_differ(text: TextProfile, reference: TextProfile) -> bool:
    """Return whether the letters of each text are of a script that the other hardly uses."""
    if min(text.letters.sum(), reference.letters.sum()) < MIN_LETTERS or text.script == reference.script:
        return False
    shares = (one.letters[other.script] / one.letters.sum() for one, other in ((text, reference), (reference, text)))
    return max(shares) <= MAX_SCRIPT_SHARE


def _words_differ(text: TextProfile, reference: TextProfile) -> bool:
    """Return whether each text has clearly more function words of its language than of the other's."""
    if text.language is None or reference.language is None or text.language == reference.language:
        return False
    own, other = text.words[[text.language, reference.language]]
    of_reference, of_text = reference.words[[reference.language, text.language]]
    return bool(own >= MIN_WORDS_RATIO * other and of_reference >= MIN_WORDS_RATIO * of_text)
