"""Spans found again in a text with other white space or another Unicode normalisation."""

from __future__ import annotations

import random
import unicodedata

import pytest

from bleu_core.dataset.text_bridge import bridge

FAMILY = "\U0001f469\u200d\U0001f467"


def found(given: str, other: str, part: str) -> str | None:
    """Return the text that corresponds to the first occurrence of a part of the given text; None without one."""
    find = bridge(given, other)
    assert find is not None
    start = given.index(part)
    span = find(start, start + len(part))
    return None if span is None else other[slice(*span)]


@pytest.mark.parametrize(
    ("given", "other", "part", "expected"),
    [
        ("a  cat", "a cat", "cat", "cat"),
        (" a cat ", "a cat", "a", "a"),
        ("a cat", "a\u00a0cat", "cat", "cat"),
        ("a cat", "a\u00a0cat", " ", "\u00a0"),
        ("a  cat", "a cat", "  ", " "),
        ("a  cat", "a cat", "a  c", "a c"),
        ("acat", "a cat", "ac", "a c"),
        ("cafe\u0301s", "caf\u00e9s", "e\u0301", "\u00e9"),
        ("cafe\u0301s", "caf\u00e9s", "s", "s"),
        ("caf\u00e9s", "cafe\u0301s", "\u00e9", "e\u0301"),
        (
            "\ud55c\uad6d",
            unicodedata.normalize("NFD", "\ud55c\uad6d"),
            "\uad6d",
            unicodedata.normalize("NFD", "\uad6d"),
        ),
        (f"{FAMILY}  e\u0301 x", f"{FAMILY} \u00e9 x", "x", "x"),
        (f"{FAMILY}  x", f"{FAMILY} x", FAMILY, FAMILY),
        ("q\u0307\u0323 x", "q\u0323\u0307  x", "x", "x"),
        ("q\u0307\u0323 x", "q\u0323\u0307  x", "q\u0307\u0323", "q\u0323\u0307"),
    ],
)
def test_parts_are_found_exactly(given: str, other: str, part: str, expected: str) -> None:
    assert found(given, other, part) == expected


@pytest.mark.parametrize(
    ("given", "other", "part"),
    [
        ("cafe\u0301s", "caf\u00e9s", "e"),  # cuts through a character of the other text
        ("cafe\u0301s", "caf\u00e9s", "\u0301"),
        ("a   cat", "a  cat", "  "),  # a part of white space that differs
        ("a cat", "acat", " "),  # white space that the other text lacks
        ("q\u0307\u0323 x", "q\u0323\u0307  x", "q\u0307"),  # between marks in another order
    ],
)
def test_parts_without_an_exact_counterpart_are_not_found(given: str, other: str, part: str) -> None:
    assert found(given, other, part) is None


@pytest.mark.parametrize(("given", "other"), [("a", "b"), ("a", "A"), ("a", ""), ("ab", "ba"), ("\u00e9", "e")])
def test_other_texts_have_no_bridge(given: str, other: str) -> None:
    assert bridge(given, other) is None


def test_random_texts_agree_with_a_search_by_characters() -> None:
    """Spans of whole words are found at the same words, whatever the white space and the normalisation."""
    rng = random.Random(7)
    letters = ["a", "e\u0301", "\u00e9", "\u1ebf", FAMILY, "\u0915\u094d\u0937", "\ud55c", "\u6f22"]
    for _ in range(300):
        words = ["".join(rng.choices(letters, k=rng.randint(1, 4))) for _ in range(rng.randint(1, 6))]
        spaces = [" ", "  ", "\u3000", "\u2009 "]
        given = "".join(word + rng.choice(spaces) for word in words)
        form = rng.choice(("NFC", "NFD"))
        other_words = [unicodedata.normalize(form, word) for word in words]
        other = "".join(rng.choice(spaces) + word for word in other_words)
        find = bridge(given, other)
        assert find is not None
        end = other_end = 0
        for word, other_word in zip(words, other_words, strict=True):
            start = given.index(word, end)
            other_start = other.index(other_word, other_end)
            end, other_end = start + len(word), other_start + len(other_word)
            assert find(start, end) == (other_start, other_end)
