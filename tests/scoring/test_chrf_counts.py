"""Counting for chrF, against sacreBLEU's own statistics of each segment: every integer equal, whatever the text."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nightly import nightly
from sacrebleu.metrics.chrf import CHRF
from texts import ATOMS, FOURTH, HYPOTHESES, REFERENCE, SECOND, THIRD

from bleu_core.scoring import count_chrf, ngrams

#: Those of chrF2 and chrF2++, and what else sacreBLEU can be asked for.
WORD_ORDERS = (0, 2, 1, 4)

Texts = Sequence[Sequence[str]]
References = Sequence[Sequence[str | None]]

#: What Hypothesis makes texts of: any character, and what tokenisers treat in ways of their own.
TEXTS = st.lists(st.sampled_from(ATOMS) | st.sampled_from([" ", "a", "b", "!"]) | st.text(), max_size=8).map("".join)


def sacrebleus(systems: Texts, references: References, *, word_order: int, lowercase: bool) -> list[list[list[int]]]:
    metric = CHRF(word_order=word_order, lowercase=lowercase)
    return [metric._extract_corpus_statistics(texts, references) for texts in systems]  # type: ignore[arg-type] # noqa: SLF001 # None is allowed; there is no public way to the counts of segments


def check(systems: Texts, references: References, *, word_order: int, lowercase: bool = False) -> None:
    found = count_chrf(systems, references, word_order=word_order, lowercase=lowercase)
    assert found.tolist() == sacrebleus(systems, references, word_order=word_order, lowercase=lowercase)


@pytest.mark.parametrize("word_order", WORD_ORDERS)
@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("references", [1, 2, 3, 4])
def test_counts_of_segments_are_sacrebleus(word_order: int, references: int, *, lowercase: bool) -> None:
    streams = [REFERENCE, SECOND, THIRD, FOURTH][:references]
    check([HYPOTHESES, SECOND, REFERENCE], streams, word_order=word_order, lowercase=lowercase)
    check([HYPOTHESES, SECOND, REFERENCE], streams[::-1], word_order=word_order, lowercase=lowercase)


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[list[str]], list[list[str | None]]]:
    """Up to two systems and three references, parts of which are equal; each segment has a reference."""
    size, pool = draw(st.integers(1, 4)), draw(st.lists(TEXTS, min_size=1, max_size=4))
    text = st.lists(st.sampled_from(pool), max_size=2).map("".join) | TEXTS
    column = st.lists(text, min_size=size, max_size=size)
    others = st.lists(st.none() | text, min_size=size, max_size=size)
    first: list[str | None] = [*draw(column)]
    return draw(st.lists(column, min_size=1, max_size=2)), [*draw(st.lists(others, max_size=2)), first]


@settings(max_examples=100, deadline=None)
@given(corpora(), st.sampled_from(WORD_ORDERS), st.booleans())
def test_any_unicode_text_is_counted_as_by_sacrebleu(
    texts: tuple[list[list[str]], list[list[str | None]]],
    word_order: int,
    lowercase: bool,  # noqa: FBT001
) -> None:
    check(*texts, word_order=word_order, lowercase=lowercase)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        *(
            ("(hi)", 2),
            ("(hi", 2),
            ("hi!", 2),
            ("hi!!", 2),
            ("!", 1),
            ("!!", 2),
            ("\N{LEFT DOUBLE QUOTATION MARK}hi", 1),
        ),
        *(("é", 1), ("é.", 2), (".é", 2), ("a-b", 1), ("\u3000a\u2028b.", 3), ("a\x00", 1), ("", 0), (" ", 0)),
    ],
)
def test_one_punctuation_mark_of_a_word_is_set_apart(text: str, words: int) -> None:
    check([[text]], [[text]], word_order=1)
    assert count_chrf([[text]], [[text]], word_order=1, lowercase=False)[0, 0, -3:].tolist() == [words] * 3


@pytest.mark.parametrize("word_order", [2, *nightly([0])])
def test_giant_lines_are_counted_as_by_sacrebleu(word_order: int) -> None:
    chance = random.Random(3)
    scripts = "".join(chance.choices([chr(c) for c in range(0x4E00, 0x9FA5)], k=20_000))
    texts = ["x" * 30_000 + " y", "the cat, sat 3.5 " * 3_000, "", scripts, "a\x00b" * 500]
    others = [text[: len(text) // 2] + " z " + text[len(text) // 2 :] for text in texts]
    check([texts, others[::-1]], [others, texts[::-1]], word_order=word_order)


def test_chunks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(7)
    texts = [["".join(chance.choices(ATOMS, k=chance.randrange(12))) for _ in range(120)] for _ in range(4)]
    shared = [a + b for a, b in zip(texts[0], texts[1], strict=True)]
    whole = count_chrf(texts[:2], [shared, *texts[2:]], word_order=2, lowercase=False)
    for lines, characters in ((1, 1 << 20), (7, 1 << 20), (100, 1 << 20), (2048, 50), (1 << 20, 1 << 30)):
        monkeypatch.setattr(ngrams, "CHUNK_LINES", lines)
        monkeypatch.setattr(ngrams, "CHUNK_CHARACTERS", characters)
        found = count_chrf(texts[:2], [shared, *texts[2:]], word_order=2, lowercase=False)
        np.testing.assert_array_equal(found, whole)


def test_a_segment_without_any_reference_has_no_counts() -> None:
    found = count_chrf([["a b", "c"]], [[None, "c"], [None, None]], word_order=2, lowercase=False)
    assert not found[0, 0].any()
    assert found[0, 1, :3].tolist() == [1, 1, 1]


def test_progress_is_told_after_each_chunk_and_may_end_the_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ngrams, "CHUNK_LINES", 1)
    told: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> None:
        told.append((done, total))
        if len(told) == 3:
            raise StopIteration

    systems, references = [["a"] * 10, ["b"] * 10], [["a"] * 10]
    with pytest.raises(StopIteration):
        count_chrf(systems, references, word_order=0, lowercase=False, progress=stop)
    assert told == [(2, 20), (4, 20), (6, 20)]
