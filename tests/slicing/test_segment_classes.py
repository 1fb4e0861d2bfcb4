"""Which segments belong to which class."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest

from bleu_core.dataset import Corpus
from bleu_core.errors import AlignmentError
from bleu_core.scoring import BleuSettings
from bleu_core.slicing import ClassMembers, classify_segments, slice_corpus
from bleu_core.slicing.segment_classes import QUESTION_MARKS

TEXTS = (
    "He paid 5 dollars .",
    "We met Anna in Rome .",
    "It is not so .",
    "She said : “ go ” .",
    "Do you know ?",
    "One two three four five six seven eight .",
    "Yes .",
    "A short text here",
)


def corpus(*texts: str | None) -> Corpus:
    return Corpus({"s": tuple(text or "" for text in texts)}, {"r": texts})


def found(*texts: str | None, language: str = "en") -> dict[str, ClassMembers]:
    classes = classify_segments(corpus(*texts), references=["r"], settings=BleuSettings(), language=language)
    return {one.segment_class.key: one for one in classes}


def numbers(one: ClassMembers) -> list[int]:
    return (np.flatnonzero(one.members) + 1).tolist()


def test_each_class_has_its_segments() -> None:
    classes = found(*TEXTS)
    assert {key: numbers(one) for key, one in classes.items()} == {
        "numbers": [1],
        "names": [2],
        "negation": [3],
        "quotation": [4],
        "question": [5],
        "short": [5, 7, 8],
        "long": [4, 6],
    } | {key: numbers(classes[key]) for key in ("short", "long")}
    assert 7 in numbers(classes["short"])
    assert 6 in numbers(classes["long"])


@pytest.mark.parametrize(
    ("key", "expression"),
    [
        ("numbers", "numbers > 0"),
        ("names", "capitalised > 0"),
        ("negation", 'negations "en" > 0'),
        ("quotation", "quotes > 0"),
    ],
)
def test_a_class_is_the_slice_of_its_field(key: str, expression: str) -> None:
    assert numbers(found(*TEXTS)[key]) == list(slice_corpus(expression, corpus(*TEXTS)).numbers)


@pytest.mark.parametrize(
    ("language", "key", "reason"),
    [
        ("de", "names", "all nouns of language de are capitalised, so names are not recognised"),
        ("fi", "negation", "no list of negation words for language fi"),
        ("", "negation", "language of the references not known"),
    ],
)
def test_a_class_that_cannot_be_told_in_a_language_says_why(language: str, key: str, reason: str) -> None:
    one = found(*TEXTS, language=language)[key]
    assert one.reason.startswith(reason)
    assert not one.members.any()


def test_names_need_a_script_with_capital_letters() -> None:
    assert "no capital letter" in found("他买了三本书。", "我们去北京。", language="zh")["names"].reason


def test_texts_of_few_lengths_have_no_quarters() -> None:
    assert found("a b", "c d", "e f")["short"].reason == "1 group by length found, 4 expected"


def test_question_marks_are_all_that_unicode_calls_so() -> None:
    names = {mark: unicodedata.name(mark) for mark in QUESTION_MARKS}
    assert all("QUESTION" in name or name == "INTERROBANG" for name in names.values())
    assert all(numbers(found(f"Ναι{mark}")["question"]) == [1] for mark in QUESTION_MARKS)


def test_a_semicolon_asks_in_greek_alone() -> None:
    assert numbers(found("Τι κάνεις;", language="el")["question"]) == [1]
    assert not numbers(found("I came; I saw")["question"])


def test_the_first_reference_that_has_the_segment_decides() -> None:
    texts = Corpus({"s": ("a", "b")}, {"one": (None, "no digit"), "two": ("5", "6")})
    classes = classify_segments(texts, references=["one", "two"], settings=BleuSettings(), language="en")
    assert classes[0].members.tolist() == [True, False]


def test_without_a_reference_there_are_no_classes() -> None:
    with pytest.raises(AlignmentError, match="no reference is in use, at least 1 expected"):
        classify_segments(corpus("a"), references=[], settings=BleuSettings(), language="en")
