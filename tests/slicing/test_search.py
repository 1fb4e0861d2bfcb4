"""Finding segments by their text."""

from __future__ import annotations

import re
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_core.dataset import Corpus
from bleu_core.errors import SettingsError
from bleu_core.slicing import SearchStoppedError, TextSearch, find_hits, find_text, texts_with

CORPUS = Corpus(
    {"A": ("The cat", "one", "2 dogs"), "B": ("a dog", "ONE", "")},
    {"r1": ("the CAT", None, "(two)"), "r2": ("x", "y", None)},
    source=("die Katze", "ein", "zwei"),
)


@pytest.mark.parametrize(
    ("wanted", "regular", "segments"),
    [
        ("cat", False, [1]),
        ("DOG", False, [1, 3]),
        ("ein", False, [2]),
        ("(two", False, [3]),
        ("", False, [1, 2, 3]),
        (r"\d", True, [3]),
        ("ONE", True, [2]),
        ("^one$", True, [2]),
        ("(?i)katze", True, [1]),
        ("[xy]", True, [1, 2]),
        ("nowhere", True, []),
    ],
)
def test_every_text_is_searched(wanted: str, *, regular: bool, segments: list[int]) -> None:
    found = find_text(CORPUS, TextSearch(wanted, regular))
    assert (found.nonzero()[0] + 1).tolist() == segments


def test_the_texts_of_a_segment_that_have_it_are_named() -> None:
    assert texts_with(CORPUS, TextSearch("cat"), 0) == (("reference", "r1"), ("system", "A"))
    assert texts_with(CORPUS, TextSearch("^(ein|ONE)$", regular=True), 1) == (("source", ""), ("system", "B"))
    assert texts_with(CORPUS, TextSearch("cat"), 1) == ()


def test_only_the_outputs_of_the_systems_given_are_searched() -> None:
    assert find_text(CORPUS, TextSearch("dog"), systems=["A"]).tolist() == [False, False, True]


def test_a_regular_expression_that_takes_too_long_is_stopped() -> None:
    endless = Corpus({"A": ("x" * 200,)}, {"r": ("y",)})
    with pytest.raises(SearchStoppedError, match=r"longer than 0\.2 seconds"):
        find_text(endless, TextSearch(r"(x|xx|x\w)+\d", regular=True), seconds=0.2)


@pytest.mark.parametrize(
    ("pattern", "what"),
    [
        ("(", "is not valid"),
        ("a{100000000}", "100,000,000 repetitions"),
        ("((a{1000}){1000}){1000}", "1,000,000,000 repetitions"),
        ("(?x)a{1 0 0 0 0 0 0 0 0}", "verbose"),
        ("(?ix:a)", "verbose"),
        ("(?R)a", "recursion"),
        ("(a)(?1)", "recursion"),
        ("(?P<n>a)(?&n)", "recursion"),
        ("a" * 1001, "1,001 characters"),
    ],
)
def test_regular_expressions_that_cannot_be_used_are_refused(pattern: str, what: str) -> None:
    with pytest.raises(SettingsError, match=what):
        find_text(CORPUS, TextSearch(pattern, regular=True))


def test_other_threads_go_on_while_a_regular_expression_is_searched_for() -> None:
    def search() -> None:
        with pytest.raises(SearchStoppedError):
            find_hits(["x" * 200], TextSearch(r"(x|xx|x\w)+\d", regular=True), seconds=0.3)

    thread = Thread(target=search)
    thread.start()
    steps = 0
    while thread.is_alive():
        steps += 1
    assert steps > 1000


@pytest.mark.parametrize("pattern", ["a", "a+", "a|ab", "(?i)B", "^a", r"\b", "", "(a)(b)?", "[^a]$"])
@pytest.mark.parametrize("text", ["aab ab", "", "b", "ABab\nba"])
def test_places_of_a_regular_expression_are_those_of_python(pattern: str, text: str) -> None:
    expected = tuple(found.span() for found in re.finditer(pattern, text) if found[0])
    assert find_hits([text, "x", text], TextSearch(pattern, regular=True))[::2] == (expected, expected)


@given(st.text("aAbİßéΣσς. "), st.text("aAbİßéσ ", min_size=1, max_size=3))
def test_places_of_a_text_are_equal_to_it_but_for_case(text: str, wanted: str) -> None:
    (places,) = find_hits([text], TextSearch(wanted))
    ends = [0, *(end for place in places for end in place)]
    assert ends == sorted(ends)
    for start, end in places:
        assert wanted.lower() in text[start:end].lower()
    if text.isascii():
        assert len(places) == text.lower().count(wanted.lower())


def test_only_so_many_places_are_found_in_a_text() -> None:
    for regular in (False, True):
        assert [len(places) for places in find_hits(["a" * 5000, "aa"], TextSearch("a", regular))] == [1000, 2]


def test_marking_is_stopped_like_a_search() -> None:
    with pytest.raises(SearchStoppedError, match=r"took longer than 0\.1 seconds and was stopped"):
        find_hits(["x" * 200, "x" * 200], TextSearch(r"(x|xx|x\w)+\d", regular=True), seconds=0.1)
