"""Matches of characters by sorting: those of plain Counters, and those of the hash join where keys are too short."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF

from bleu_core.scoring import character_matches, count_chrf
from bleu_core.scoring.character_matches import (
    HYPOTHESIS_END,
    IS_SPACE,
    REFERENCE_END,
    LineCharacters,
    match_characters,
)


def matches(systems: Sequence[Sequence[str]], references: Sequence[Sequence[str]], order: int = 6) -> np.ndarray | None:
    return match_characters(
        [LineCharacters.of(lines, HYPOTHESIS_END, order) for lines in systems],
        [LineCharacters.of(lines, REFERENCE_END, order) for lines in references],
        order,
    )


def plain(hypothesis: str, reference: str, order: int) -> list[int]:
    """min(h, r), summed over the n-grams of each order."""
    one, other = ("".join(text.split()) for text in (hypothesis, reference))

    def ngrams(text: str, n: int) -> Counter[str]:
        return Counter(text[i : i + n] for i in range(len(text) - n + 1))

    return [(ngrams(one, n) & ngrams(other, n)).total() for n in range(1, order + 1)]


FEW = st.text("ab \n\r\x00", max_size=20)
COLUMNS = st.integers(1, 5).flatmap(lambda size: st.lists(st.lists(FEW, min_size=size, max_size=size), min_size=2))


@given(COLUMNS, st.integers(1, 9))
def test_matches_are_those_of_counters_for_each_system_and_reference(texts: list[list[str]], order: int) -> None:
    systems, references = texts[:1] + texts[2:], texts[1:]
    expected = [
        [[plain(h, r, order) for h, r in zip(lines, reference, strict=True)] for lines in systems]
        for reference in references
    ]
    found = matches(systems, references, order)
    assert found is not None
    assert found.tolist() == expected


@given(st.lists(st.text(), min_size=1, max_size=5))
def test_lines_are_without_what_python_takes_for_white_space(lines: list[str]) -> None:
    found = LineCharacters.of(lines, REFERENCE_END, 3)
    stripped = ["".join(line.split()) for line in lines]
    assert found.lengths.tolist() == [len(line) for line in stripped]
    assert found.code_points.tolist() == list(map(ord, "\r".join(stripped) + "\r" * 3))


def test_white_space_is_what_python_takes_for_it() -> None:
    assert IS_SPACE.tolist() == [not chr(number).split() for number in range(len(IS_SPACE))]


@pytest.mark.parametrize(("lines", "fit"), [(1, True), (8, True), (9, False)])
def test_keys_hold_as_many_lines_and_characters_as_they_have_bits_for(lines: int, *, fit: bool) -> None:
    # 10 bits for each of six characters and one for the side leave 3 bits for lines.
    chance = random.Random(lines)
    alphabet = [chr(0x4E00 + number) for number in range(1024 - 2)]  # with the two ends of lines
    hypotheses = ["".join(chance.choices(alphabet, k=300)) for _ in range(lines)]
    references = [text[:150] + "".join(chance.sample(alphabet, len(alphabet))) for text in hypotheses]
    found = matches([hypotheses], [references])
    assert (found is not None) == fit
    if found is not None:
        expected = [plain(h, r, 6) for h, r in zip(hypotheses, references, strict=True)]
        assert found[0, 0].tolist() == expected
    further = [text + chr(0x4E00 - 1) for text in hypotheses]
    assert matches([further], [references]) is None


@pytest.mark.parametrize("bits", [64, 40, 0])
def test_counts_are_the_same_whether_keys_are_long_enough_or_not(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(character_matches, "KEY_BITS", bits)
    hypotheses = ["the cat sat", "aaa", "", "日本語"] * 3
    references = ["the cats sat", "aaaa", "x", "日本"] * 3
    expected = CHRF()._extract_corpus_statistics(hypotheses, [references])  # noqa: SLF001 # there is no public way to the counts of segments
    assert count_chrf([hypotheses], [references], word_order=0, lowercase=False)[0].tolist() == expected
