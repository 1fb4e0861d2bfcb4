"""The scripts of letters, and the languages that are recognised by their script."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum

#: Maximum number of segments of each text whose letters are counted.
SAMPLE = 200

#: Minimum share of a script among the letters, and of kana for Japanese rather than Chinese.
MIN_SHARE, KANA_SHARE = 0.3, 0.05


class Script(IntEnum):
    """Scripts of letters, as far as relevant for BLEU and its tokenisers."""

    NONE = 0
    LATIN = 1
    CYRILLIC = 2
    GREEK = 3
    HAN = 4
    KANA = 5
    HANGUL = 6
    THAI = 7
    LAO = 8
    KHMER = 9
    MYANMAR = 10
    ARABIC = 11
    HEBREW = 12
    INDIC = 13
    OTHER = 14


#: Unicode blocks: first and last code point of the letters of a script.
BLOCKS: tuple[tuple[int, int, Script], ...] = (
    *((0x41, 0x24F, Script.LATIN), (0x250, 0x2AF, Script.LATIN), (0x1E00, 0x1EFF, Script.LATIN)),
    *((0x370, 0x3FF, Script.GREEK), (0x1F00, 0x1FFF, Script.GREEK), (0x400, 0x52F, Script.CYRILLIC)),
    *((0x590, 0x5FF, Script.HEBREW), (0x600, 0x6FF, Script.ARABIC), (0x750, 0x77F, Script.ARABIC)),
    *((0x8A0, 0x8FF, Script.ARABIC), (0xFB50, 0xFDFF, Script.ARABIC), (0xFE70, 0xFEFC, Script.ARABIC)),
    *((0x900, 0xDFF, Script.INDIC), (0xE01, 0xE3A, Script.THAI), (0xE40, 0xE4E, Script.THAI)),
    *((0xE80, 0xEDF, Script.LAO), (0x1780, 0x17D3, Script.KHMER), (0x1000, 0x109F, Script.MYANMAR)),
    *((0x1100, 0x11FF, Script.HANGUL), (0x3130, 0x318F, Script.HANGUL), (0xAC00, 0xD7AF, Script.HANGUL)),
    *((0x3041, 0x30FF, Script.KANA), (0x31F0, 0x31FF, Script.KANA), (0xFF66, 0xFF9D, Script.KANA)),
    *((0x3400, 0x4DBF, Script.HAN), (0x4E00, 0x9FFF, Script.HAN), (0xF900, 0xFAFF, Script.HAN)),
    (0x20000, 0x3FFFF, Script.HAN),
)

_SORTED = sorted(BLOCKS)
_FIRST = [first for first, _, _ in _SORTED]

#: Scripts that are written without blanks between words.
UNSPACED = (Script.HAN, Script.KANA, Script.THAI, Script.LAO, Script.KHMER, Script.MYANMAR)

#: The languages that are recognised by their script alone, beside Chinese and Japanese.
_OF_ONE_SCRIPT: Mapping[Script, str] = {
    Script.THAI: "Thai",
    Script.LAO: "Lao",
    Script.KHMER: "Khmer",
    Script.MYANMAR: "Burmese",
    Script.HANGUL: "Korean",
}


def _sampled(text: Sequence[str | None]) -> list[str]:
    """Return up to SAMPLE segments of a text, at equal distances."""
    step = max(1, -(-len(text) // SAMPLE))
    return [segment for segment in text[::step] if segment]


def language_of_script(texts: Iterable[Sequence[str | None]]) -> tuple[float, str]:
    """Return the language that the script of texts in one language says, and its share of the letters, on a sample.

    Args:
        texts: the segments of each text, None where it has none.

    Returns:
        The share of the script, and the language; 0 and an empty string if its share is below MIN_SHARE.

    >>> [language_of_script([[text]]) for text in ("我来了。", "今日は雨です。", "It rains.")]
    [(1.0, 'Chinese'), (1.0, 'Japanese'), (0.0, '')]
    """
    letters = _letters("".join(segment for text in texts for segment in _sampled(text)))
    total = max(letters.total(), 1)
    east_asian = letters[Script.HAN] + letters[Script.KANA]
    counts = {language: letters[script] for script, language in _OF_ONE_SCRIPT.items()}
    counts["Japanese" if letters[Script.KANA] >= KANA_SHARE * east_asian else "Chinese"] = east_asian
    language = max(counts, key=counts.__getitem__)
    share = counts[language] / total
    return (share, language) if share >= MIN_SHARE else (0.0, "")


def _letters(text: str) -> Counter[Script]:
    """Return the number of letters by script."""
    letters = Counter[Script]()
    for character, count in Counter(text).items():
        if unicodedata.category(character)[0] in "LM":  # combining marks belong to the letters of their block
            place = bisect_right(_FIRST, ord(character)) - 1
            in_block = place >= 0 and ord(character) <= _SORTED[place][1]
            letters[_SORTED[place][2] if in_block else Script.OTHER] += count
    return letters
