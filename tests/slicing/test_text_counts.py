"""Numbers, capitalised words inside sentences and quotation marks are counted in texts of several scripts."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_core.slicing.text_counts import capitalised_words, numbers, quotation_marks


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("no digits", 0),
        ("1,000.50 dollars", 1),
        ("10\u00a0000 or 10\u202f000 or 10 000", 4),
        ("Fr. 10'000.-", 1),
        ("3 May 2019-2020, 12:30", 5),
        ("\u0663\u0664\u0665 and \u0967\u0968", 2),  # Arabic, Devanagari
        ("A4, 5G", 2),
    ],
)
def test_numbers_are_runs_of_digits_with_their_signs(text: str, count: int) -> None:
    assert numbers(text) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("The first word. And Another sentence", 1),
        ("We saw Anna Maria in Rome", 3),
        ("Der Hund von Anna", 2),
        ("Jean-Luc met Jean-Luc", 1),
        ("Then I saw NATO and Dr. Smith", 2),
        ("a price of 3.5 Million", 1),
        ("the U.S. President", 1),
        ("Why? Because! He: Yes\u2026 No. (So)", 0),
        ('He met "Anna" in Rome', 1),
        ("He met \u201cAnna\u201d and \u00ab\u00a0Eva\u00a0\u00bb and \u00bbIda\u00ab in Rome", 1),
        ("\u201eJa\u201c Peter", 1),
        ("He met 'Anna' in Rome", 1),
        ("the l'Europe and the O\u2019Brien", 2),
        ("\u041e\u043d \u0432\u0438\u0434\u0435\u043b \u0410\u043d\u043d\u0443", 1),  # Cyrillic
        ("\u4ed6\u770b\u5230 Anna\u3002Bob", 1),  # after an ideographic full stop
        ("\u10d4\u10da\u10d4\u10dc\u10d4 \u05d7\u05d9\u05d9\u05dd \u0645\u0631\u062d\u0628\u0627", 0),  # without case
        ("foo " + unicodedata.normalize("NFD", "\u00c9cole"), 1),
    ],
)
def test_words_inside_sentences_that_begin_with_a_capital_letter_are_counted(text: str, count: int) -> None:
    assert capitalised_words(text) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ('"yes" and "no"', 4),
        ("\u201cIt's the dogs' bowl\u201d", 2),
        ("he said 'it\u2019s mine' and \u2018yours\u2019", 4),
        ("the '90s", 0),
        ("the dogs' and the cats' bowls", 0),
        ("\u201eJa\u201c, \u201anein\u2018, \u00bbso\u00ab, \u2039so\u203a", 8),
        ("\u00ab oui \u00bb", 2),
        ("\u300c\u306f\u3044\u300d\u3068\u300e\u672c\u300f", 4),
        ("\u4ed6\u8bf4\u201c\u4f60\u597d\u201d\u4e86\uff0c\u2018\u597d\u2019\u7684", 4),
        ('\u05e6\u05d4"\u05dc \u05d0\u05de\u05e8 "\u05db\u05df"', 2),  # of a Hebrew abbreviation, and of a quotation
        ("`` yes ''", 2),
        ("5' tall", 0),
    ],
)
def test_quotation_marks_of_all_scripts_are_counted_and_apostrophes_are_not(text: str, count: int) -> None:
    assert quotation_marks(text) == count


@given(st.text(st.characters(exclude_categories=["Cs", "Cn"])))  # unassigned ones may be assigned in regex
def test_any_text_can_be_counted(text: str) -> None:
    digits = sum(unicodedata.category(character) == "Nd" for character in text)
    assert (numbers(text) > 0) == (digits > 0)
    assert numbers(text) <= digits
    assert quotation_marks(text) >= sum(text.count(mark) for mark in "\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d")
    if not any(unicodedata.category(character) in ("Lu", "Lt") for character in text):
        assert capitalised_words(text) == 0
