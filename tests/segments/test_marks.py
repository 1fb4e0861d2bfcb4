"""Marks of one segment: what matches, what is clipped, what is missing, and where tokens stand in the text."""

from __future__ import annotations

from collections import Counter
from html import unescape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_counter import ngrams_of
from texts import LINES, SEGMENTS

from bleu_core.dataset import Corpus
from bleu_core.scoring import BleuSettings, evaluate, is_installed, tokens_of
from bleu_core.segments import MarkedText, mark_output, token_spans, word_differences

#: Those that are there without a download.
TOKENIZERS = [name for name in ("13a", "none", "intl", "char", "zh", "ja-mecab", "ko-mecab") if is_installed(name)]
TEXTS = st.one_of(SEGMENTS, st.sampled_from([line for line in LINES if "\n" not in line]))
SETTINGS = st.builds(
    BleuSettings,
    tokenizer=st.sampled_from(TOKENIZERS),
    lowercase=st.booleans(),
    max_order=st.sampled_from([1, 2, 4, 6]),
    smoothing=st.sampled_from(["exp", "none", "floor", "add-k"]),
    reference_length=st.sampled_from(["closest", "shortest", "average"]),
    effective_order=st.sampled_from([None, True, False]),
)


@given(st.lists(st.tuples(TEXTS, TEXTS, st.none() | TEXTS), min_size=1, max_size=4), SETTINGS)
def test_counts_and_scores_are_those_of_the_corpus_segment_by_segment(
    segments: list[tuple[str, str, str | None]], settings: BleuSettings
) -> None:
    outputs, first, second = zip(*segments, strict=True)
    found = evaluate(Corpus({"A": outputs}, {"r1": first, "r2": second}), settings)
    scores = found.segment_scores
    for s, (output, *references) in enumerate(segments):
        marked = mark_output(output, [text for text in references if text is not None], settings)
        worked = marked.worked
        assert [order.matches for order in worked.orders] == found.stats.matches[0, s].tolist()
        assert [order.total for order in worked.orders] == found.stats.totals[0, s].tolist()
        assert worked.brevity.effective == scores.reference_length[0, s]
        assert worked.score == pytest.approx(scores.score[0, s], rel=1e-12)
        assert np.array_equal(worked.bleu.precisions, scores.precisions[0, s])


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3), SETTINGS)
def test_tokens_are_marked_by_the_ngrams_that_cover_them(
    output: str, references: list[str], settings: BleuSettings
) -> None:
    marked = mark_output(output, references, settings)
    tokens = list(marked.tokens)
    most: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        most |= ngrams_of(tokens_of(reference, settings), settings.max_order)
    for place in range(len(tokens)):
        covering = [
            (order, start)
            for order in range(1, settings.max_order + 1)
            for start in range(max(0, place - order + 1), min(place, len(tokens) - order) + 1)
        ]
        matching, used_up = [0], [0]
        for order, start in covering:
            ngram = tuple(tokens[start : start + order])
            before = ngrams_of(tokens[: start + order - 1], order)[ngram]
            if before < most[ngram]:
                matching.append(order)
            elif most[ngram]:
                used_up.append(order)
        assert (marked.matched[place], marked.clipped[place]) == (max(matching), max(used_up))
    assert all(0 < n.clipped < n.count and n.clipped == most[n.ngram] for n in marked.clipped_ngrams)
    assert bool(marked.clipped_ngrams) == any(marked.clipped)


@given(TEXTS, TEXTS, SETTINGS)
def test_missing_tokens_are_those_the_reference_has_more_often(
    output: str, reference: str, settings: BleuSettings
) -> None:
    marked = mark_output(output, [reference], settings)
    (other,) = marked.references
    missing = Counter(token for token, lacks in zip(other.tokens, other.missing, strict=True) if lacks)
    assert missing == Counter(other.tokens) - Counter(marked.tokens)


@given(TEXTS, SETTINGS)
def test_spans_hold_the_tokens(text: str, settings: BleuSettings) -> None:
    tokens = tokens_of(text, settings)
    spans = token_spans(text, tokens, lowercase=settings.lowercase)
    if spans is None:  # characters were changed before the text was split
        assert "<skipped>" in text or "İ" in text
        return
    shown = [text[start:end] for start, end in spans]
    if settings.tokenizer == "13a":
        shown = [unescape(unescape(token)) if "&" in token else token for token in shown]
    assert [token.lower() if settings.lowercase else token for token in shown] == list(tokens)
    rest = [
        text[end:start]
        for end, start in zip([0, *(e for _, e in spans)], [s for s, _ in spans] + [len(text)], strict=True)
    ]
    assert not "".join(rest).strip()


@pytest.mark.parametrize(
    ("text", "tokens", "spans"),
    [
        ("Hello, world", ("Hello", ",", "world"), ((0, 5), (5, 6), (7, 12))),
        ("&quot;a &amp;lt;&quot;", ('"', "a", "<", '"'), ((0, 6), (6, 7), (8, 16), (16, 22))),
        ("&amp; &lt;", ("&amp;", "&lt;"), ((0, 5), (6, 10))),
        ("a<skipped>b", ("ab",), None),
        ("İ", ("i̇",), None),
        ("a b", ("a",), None),
        ("Hello world", ("\u2581Hello", "\u2581wor", "ld"), ((0, 5), (6, 9), (9, 11))),
    ],
)
def test_tokens_that_are_not_in_the_text_have_no_spans(
    text: str, tokens: tuple[str, ...], spans: tuple[tuple[int, int], ...] | None
) -> None:
    assert token_spans(text, tokens, lowercase=text == "İ") == spans


def test_a_clipped_word_is_marked_after_its_matches() -> None:
    marked = mark_output("the the the cat", ["the cat the dog", "a cat"], BleuSettings())
    assert marked.matched == (1, 1, 2, 2)
    assert marked.clipped == (0, 0, 1, 0)
    (the,) = marked.clipped_ngrams
    assert (the.ngram, the.clipped, the.count) == (("the",), 2, 3)


def test_word_differences_are_what_is_outside_of_the_common_words() -> None:
    one, other = word_differences(list("abcd"), list("axcde"))
    assert one == (False, True, False, False)
    assert other == (False, True, False, False, True)


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_without_the_differences_two_outputs_are_equal(one: list[str], other: list[str]) -> None:
    left, right = word_differences(one, other)
    kept = [token for token, different in zip(one, left, strict=True) if not different]
    assert kept == [token for token, different in zip(other, right, strict=True) if not different]


@pytest.mark.parametrize("text", ["a &amp; b", "don't stop", "a\u00adb c", "", "  x  "])
@pytest.mark.parametrize("tokenizer", ["13a", "none", "char"])
def test_tokens_stand_in_what_is_shown(text: str, tokenizer: str) -> None:
    output = mark_output(text, ["b"], BleuSettings(tokenizer=tokenizer))
    assert len(output.shown_spans) == len(output.tokens)
    if output.spans is None:
        assert [output.shown[start:end] for start, end in output.shown_spans] == list(output.tokens)
    else:
        assert (output.shown, output.shown_spans) == (text, output.spans)


def test_tokens_are_shown_where_they_do_not_stand_in_the_text() -> None:
    found = MarkedText("raw", ("one", "two", "x"), None)
    assert found.shown == "one two x"
    assert [found.shown[start:end] for start, end in found.shown_spans] == ["one", "two", "x"]
