"""Counts in a text: numbers, capitalised words inside sentences, quotation marks."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # loaded when first needed
    from regex import Pattern


def numbers(text: str) -> int:
    """Count the numbers in digits; signs and no-break spaces between digits belong to a number.

    >>> numbers("1,000.50 dollars on 3 May 2019-2020")
    4
    """
    return len(_pattern(r"\p{Nd}+(?:[.,'\u2019\u00a0\u2009\u202f]\p{Nd}+)*").findall(text))


def capitalised_words(text: str) -> int:
    """Count the words inside sentences that begin with a capital letter.

    The first word of the text, and words after a full stop, an exclamation or question mark, a colon, an ellipsis or
    an opening quotation mark do not count, nor do words of one letter, such as the English I. Apostrophes divide words,
    hyphens do not. Scripts without capital letters have no such words.

    >>> capitalised_words("He said: “Yes, Anna Jean-Luc is not in the l'Europe.” But I saw NATO.")
    4
    """
    words = list(_pattern(r"[\p{L}\p{M}\p{N}]+(?:[.,\-\u2010\u2011][\p{L}\p{M}\p{N}]+)*").finditer(text))
    capital, opening = _pattern(r"[\p{Lu}\p{Lt}]\p{M}*[\p{L}\p{N}\-\u2010\u2011.]"), _pattern(_BEGINS)
    return sum(
        capital.match(text, word.start()) is not None and not opening.search(text, before.end(), word.start())
        for before, word in pairwise(words)
    )


def quotation_marks(text: str) -> int:
    """Count the quotation marks of all scripts.

    Apostrophes and gershayim inside a word do not count. Since a single mark may be an apostrophe at the end of a
    word, too, single marks count in pairs. The marks `` and '' of tokenised texts count as one each.

    >>> quotation_marks("“It's the dogs' bowl”, he said, 'not mine'.")
    4
    """
    number = len(_pattern(_DOUBLE_MARKS).findall(text))
    is_open = False
    for mark in _pattern(rf"(?<!')[{_SINGLE_MARKS}](?!')").finditer(text):
        before, after = text[mark.start() - 1 : mark.start()], text[mark.end() : mark.end() + 1]
        in_word_before, in_word_after = _is_of_word(before), _is_of_word(after)
        if in_word_before and in_word_after:
            continue
        if is_open and before.strip() and not in_word_after:
            number += 2
            is_open = False
        elif not in_word_before and after.strip():
            is_open = True
    return number


#: Apostrophes or single quotation marks: ' and its typeset, low, reversed and full-width forms.
_SINGLE_MARKS = "'\u2018\u2019\u201a\u201b\uff07"

#: Full stops, exclamation and question marks, colons and ellipses, also those of Chinese, Arabic, Urdu, Hindi and
#: Amharic.
_FINAL_MARKS = ".!?:\u2026\u3002\uff01\uff1f\uff1a\u061f\u06d4\u0964\u1362"

#: End of the characters between two words if the second one begins a sentence or a quotation: a mark directly before
#: the word, or an opening one and a blank, as in French. A single mark alone between two words is an apostrophe.
_BEGINS = (
    rf"[{_FINAL_MARKS}]"
    rf"|(?:[\p{{Quotation_Mark}}--[{_SINGLE_MARKS}]]|(?<=\P{{L}})[{_SINGLE_MARKS}])$"
    "|(?<=\\s)[\u00ab\u2039]\\s*$"
)

#: Two marks of tokenised texts, and all double marks except " inside a Hebrew word, which is part of the spelling.
_DOUBLE_MARKS = rf"``|''|(?!(?<=\p{{Hebrew}})\"(?=\p{{Hebrew}}))[\p{{Quotation_Mark}}--[{_SINGLE_MARKS}]]"


def _is_of_word(character: str) -> bool:
    """Return whether a character is part of a word that may have an apostrophe, unlike Chinese and Japanese words."""
    return _pattern(r"[[\p{L}\p{M}\p{N}]--[\p{Han}\p{Hiragana}\p{Katakana}]]").match(character) is not None


@cache
def _pattern(expression: str) -> Pattern[str]:
    import regex

    return regex.compile(expression, regex.VERSION1)
