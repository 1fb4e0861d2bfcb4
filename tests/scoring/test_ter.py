"""TER of our own: sacreBLEU's edits and lengths, whatever is shifted, under all settings."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import lib_ter
from sacrebleu.metrics.ter import TER
from shifted_texts import shifted_segment

from bleu_core.dataset import Corpus
from bleu_core.scoring import BleuSettings, ScoredCorpus, edit_alignment, evaluate, score_metric, shifted_edits
from bleu_core.scoring.edit_alignment import NumberedReference, distance_of_leaving_the_beam
from bleu_core.scoring.shifted_edits import fewest_edits

#: All settings of TER.
SETTINGS = [
    BleuSettings(ter_normalized=normalized, ter_no_punct=no_punct, ter_asian_support=asian)
    for normalized, no_punct, asian in product((False, True), repeat=3)
]

#: Texts of one script and of several, with what normalisation and punctuation do something about.
WORDS = """
the The cat's 's 1,000.5 x-y 3-4 &amp; ( ! . , ... 漢字 テスト ひらがな 。 、 （ ） ß İ ไทย
"""
ODD = ("\N{HALFWIDTH KATAKANA MIDDLE DOT}", "\N{IDEOGRAPHIC SPACE}", "\N{NO-BREAK SPACE}", " ", "")
PIECES = st.sampled_from([*WORDS.split(), *ODD])
TEXTS = st.lists(PIECES, max_size=8).map(" ".join) | st.lists(PIECES, max_size=6).map("".join) | st.text(max_size=8)


def of(systems: Sequence[str], references: Sequence[Sequence[str | None]], settings: BleuSettings) -> ScoredCorpus:
    corpus = Corpus({"A": tuple(systems)}, {f"R{r}": tuple(texts) for r, texts in enumerate(references)})
    return score_metric(corpus, evaluate(corpus, settings), "ter")


def sacrebleus_under(settings: BleuSettings) -> TER:
    asian = settings.ter_asian_support  # which has no effect there by itself
    normalized = settings.ter_normalized or asian
    return TER(normalized=normalized, no_punct=settings.ter_no_punct, asian_support=asian)


def edits(hypothesis: Sequence[str], references: Sequence[Sequence[str]]) -> int:
    return fewest_edits(hypothesis, [NumberedReference(reference) for reference in references])


def sacrebleus(hypothesis: Sequence[str], references: Sequence[Sequence[str]]) -> int:
    return min(lib_ter.translation_edit_rate(list(hypothesis), list(reference))[0] for reference in references)


def assert_equal_to_sacrebleu(rng: random.Random, segments: int, longest: int | None = None) -> None:
    for _ in range(segments):
        hypothesis, references = shifted_segment(rng, longest)
        found, expected = edits(hypothesis, references), sacrebleus(hypothesis, references)
        assert found == expected, (hypothesis, references)


@contextmanager
def beam_of(monkeypatch: pytest.MonkeyPatch, width: int) -> Iterator[None]:
    """Another width of the beam, here and in sacreBLEU."""
    cached = (edit_alignment._beam, distance_of_leaving_the_beam)  # noqa: SLF001
    with monkeypatch.context() as patch:
        patch.setattr(lib_ter, "_BEAM_WIDTH", width)
        patch.setattr(edit_alignment, "BEAM_WIDTH", width)
        for function in cached:
            function.cache_clear()
        yield
    for function in cached:
        function.cache_clear()


def test_edits_are_sacrebleus() -> None:
    assert_equal_to_sacrebleu(random.Random(1), 1000)


@pytest.mark.parametrize("width", [1, 2, 3, 5, 8])
def test_edits_are_sacrebleus_where_alignments_leave_the_beam(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    with beam_of(monkeypatch, width):
        assert_equal_to_sacrebleu(random.Random(width), 100)
        assert_equal_to_sacrebleu(random.Random(width), 8, longest=20)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_edits_of_many_segments_are_sacrebleus(seed: int) -> None:
    assert_equal_to_sacrebleu(random.Random(f"many {seed}"), 10_000)


@pytest.mark.slow
@pytest.mark.parametrize("width", [1, 2, 3, 5, 8])
def test_edits_of_many_segments_that_leave_the_beam_are_sacrebleus(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    with beam_of(monkeypatch, width):
        assert_equal_to_sacrebleu(random.Random(f"many {width}"), 4_000)


def test_edits_of_long_segments_are_sacrebleus() -> None:
    rng = random.Random(2)
    for longest in (60, 80):  # words which leave a beam of 25 on each side
        texts = [[str(rng.randrange(longest)) for _ in range(rng.randint(longest // 2, longest))] for _ in range(2)]
        assert edits(texts[0], texts[1:]) == sacrebleus(texts[0], texts[1:])
    reference = [str(number) for number in range(120)]
    moved = [*reference[70:80], *reference[:70], *reference[80:]]  # farther than any shift looks
    assert edits(moved, [reference]) == sacrebleus(moved, [reference]) == 20


def test_a_hypothesis_far_shorter_or_longer_than_the_reference_has_sacrebleus_edits() -> None:
    reference = [str(number % 7) for number in range(150)]
    for length in (1, 2, 3, 10):
        assert edits(reference[-length:], [reference]) == sacrebleus(reference[-length:], [reference])
        assert edits(reference, [reference[-length:]]) == sacrebleus(reference, [reference[-length:]])


def test_the_round_that_tries_too_many_shifts_makes_none(monkeypatch: pytest.MonkeyPatch) -> None:
    found: set[tuple[int, int]] = set()
    for limit in (1, 5, 20, 60, 1000):
        monkeypatch.setattr(lib_ter, "_MAX_SHIFT_CANDIDATES", limit)
        monkeypatch.setattr(shifted_edits, "MAX_SHIFT_CANDIDATES", limit)
        rng = random.Random(3)
        total = 0
        for _ in range(100):
            hypothesis, references = shifted_segment(rng, 12)
            assert edits(hypothesis, references) == sacrebleus(hypothesis, references)
            total += edits(hypothesis, references)
        found.add((limit, total))
    assert len({total for _, total in found}) > 3  # the limit matters


def test_edits_by_hand() -> None:
    assert edits(["b", "c", "a"], [["a", "b", "c"]]) == 1  # a shift of one word, or of two
    assert edits(["c", "b", "a"], [["a", "b", "c"]]) == 2
    assert edits(["a", "b", "x"], [["a", "b", "c", "d"]]) == 2  # a substitution and an insertion
    assert edits([], [["a", "b"]]) == edits(["a", "b"], [[]]) == 2
    assert edits([], [[]]) == edits(["a"], [["a"]]) == 0
    assert edits(["a", "b"], [["c", "d", "e"], ["b", "a"], []]) == 1


@given(
    segments=st.lists(st.tuples(TEXTS, TEXTS, st.none() | TEXTS), min_size=1, max_size=4),
    settings=st.sampled_from(SETTINGS),
)
def test_edits_and_lengths_of_any_texts_are_sacrebleus_under_all_settings(
    segments: list[tuple[str, str, str | None]], settings: BleuSettings
) -> None:
    systems = [text.replace("\n", " ") for text, *_ in segments]
    references: list[Any] = [
        [text if text is None else text.replace("\n", " ") for text in texts]
        for texts in list(zip(*segments, strict=True))[1:]
    ]
    theirs = sacrebleus_under(settings)
    found = of(systems, references, settings)
    assert found.statistics.values[0].tolist() == theirs._extract_corpus_statistics(systems, references)  # noqa: SLF001
    assert found.scores[0] == pytest.approx(theirs.corpus_score(systems, references).score, rel=1e-12)
    assert found.signature == theirs.get_signature().format(short=False)


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("text", ["", " ", ".", "... !", "。、", "a cat, a dog.", "猫が座った。"])
def test_a_text_that_equals_its_reference_has_no_edits(settings: BleuSettings, text: str) -> None:
    (score,) = of([text], [[text]], settings).scores
    assert score == 0


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize(
    ("text", "reference"), [("", "a cat."), ("a cat.", ""), (". , !", "..."), ("", "。"), ("?!", "")]
)
def test_texts_that_are_empty_or_only_punctuation_have_sacrebleus_score(
    settings: BleuSettings, text: str, reference: str
) -> None:
    theirs = sacrebleus_under(settings)
    (score,) = of([text], [[reference]], settings).scores
    assert score == pytest.approx(theirs.corpus_score([text], [[reference]]).score, rel=1e-12)


def test_asian_support_takes_each_chinese_character_for_a_word() -> None:
    texts, reference = ["他喜欢红色的猫"], [["他喜欢黑色的猫"]]
    whole = of(texts, reference, BleuSettings()).statistics.values[0, 0].tolist()
    split = of(texts, reference, BleuSettings(ter_asian_support=True))
    assert whole == [1, 1]
    assert split.statistics.values[0, 0].tolist() == [1, 7]
    assert "|case:lc|tok:tercom|norm:yes|punct:yes|asian:yes|" in split.signature


def test_numbered_words_are_those_of_the_reference_and_one_for_all_others() -> None:
    reference = NumberedReference(["a", "b", "a", "c"])
    assert len(set(reference.text)) == 3
    numbered = reference.numbered(["b", "x", "a", "y"])
    assert numbered[0] == reference.text[1]
    assert numbered[2] == reference.text[0]
    assert numbered[1] == numbered[3]
    assert numbered[1] not in reference.text


def test_counts_in_processes_are_the_same_under_settings() -> None:
    from bleu_core.processes import use_workers

    texts = ["a (cat).", "the 猫, sat"] * 200
    references = [["a cat", "the 犬 sat!"] * 200]
    settings = BleuSettings(ter_asian_support=True, ter_no_punct=True)
    with use_workers(2):
        found = of(texts, references, settings).statistics.values
    assert np.array_equal(found, of(texts, references, settings).statistics.values)


def test_a_line_of_too_many_words_has_a_reason_at_once_and_the_others_a_score() -> None:
    long = [f"w{n}" for n in range(60_000)]
    swapped = [word for n in range(0, len(long), 6) for word in (*long[n + 3 : n + 6], *long[n : n + 3])]
    corpus = Corpus(
        systems={"A": ("a cat", " ".join(swapped)), "B": ("a dog", "short")},
        references={"R": ("a cat", " ".join(long))},
    )
    start = time.process_time()
    scored = score_metric(corpus, evaluate(corpus), "ter")
    assert time.process_time() - start < 5
    statistics = scored.statistics
    assert np.isnan(statistics.score(statistics.values.sum(axis=1))).all()
    segments = statistics.score(statistics.values)
    assert segments[:, 0].tolist() == [0, 50]
    assert np.isnan(segments[:, 1]).all()
    assert scored.metric.undefined == (
        "line 2 of R has 60,000 words, line 2 of A has 60,000 words; with more than 5,000 words, TER takes too long; "
        "divide such lines into segments"
    )
