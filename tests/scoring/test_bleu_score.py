"""The formula: hand arithmetic, sacreBLEU, the slow oracle."""

from __future__ import annotations

import itertools
import math

import numpy as np
import oracle
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from texts import FOURTH, HYPOTHESES, REFERENCE, SECOND, THIRD, Texts, corpora

from bleu_core.dataset import Corpus
from bleu_core.errors import SettingsError
from bleu_core.scoring import (
    PRESETS,
    REFERENCE_LENGTHS,
    SMOOTHINGS,
    BleuSettings,
    Counting,
    bleu,
    bleu_statistics,
    count_ngrams,
    evaluate,
)
from bleu_core.scoring.bleu_score import ReferenceLength, Smoothing, brevity_penalty, effective_reference_lengths

# Smoothings with the values sacreBLEU gives them by default, and with others.
SMOOTHED: list[tuple[Smoothing, float | None]] = [
    ("none", None),
    ("exp", None),
    ("floor", None),
    ("floor", 0.01),
    ("floor", 1.5),
    ("add-k", None),
    ("add-k", 0.3),
    ("add-k", 2.0),
]
TOKENIZERS = ("13a", "none", "intl", "char", "zh")


def as_sacrebleu(settings: BleuSettings) -> BLEU:
    """SacreBLEU's metric under the same settings."""
    return BLEU(
        lowercase=settings.lowercase,
        force=True,
        tokenize=settings.tokenizer,
        smooth_method=settings.smoothing,
        smooth_value=settings.smoothing_value,
        max_ngram_order=settings.max_order,
        effective_order=bool(settings.effective_order),
    )


def assert_corpus_equals_sacrebleu(
    hypotheses: tuple[str, ...], streams: list[tuple[str | None, ...]], settings: BleuSettings
) -> None:
    corpus = Corpus(systems={"A": hypotheses}, references={str(i): stream for i, stream in enumerate(streams)})
    evaluation = evaluate(corpus, settings)
    found = evaluation.scores
    metric = as_sacrebleu(settings)
    wanted = metric.corpus_score(hypotheses, streams)  # pyright: ignore[reportArgumentType]
    if settings.smoothing != "add-k":  # sacreBLEU reports counts with what add-k added
        assert found.matches[0].tolist() == wanted.counts
        assert found.totals[0].tolist() == wanted.totals
    assert found.hypothesis_length[0] == wanted.sys_len
    assert found.reference_length[0] == wanted.ref_len
    assert found.brevity_penalty[0] == pytest.approx(wanted.bp, rel=1e-9)
    assert (100 * found.precisions[0]).tolist() == pytest.approx(wanted.precisions, rel=1e-9)
    assert found.score[0] == pytest.approx(wanted.score, rel=1e-9, abs=1e-12)
    if settings.max_order == 4:
        assert evaluation.signature == metric.get_signature().format()


# --- hand arithmetic --------------------------------------------------------------------------------------------


def score_of(hypotheses: list[str], *references: list[str], settings: BleuSettings) -> float:
    stats = count_ngrams(
        {"A": hypotheses},
        {str(i): r for i, r in enumerate(references)},
        counting=Counting(tokenizer=settings.tokenizer),
    )
    return float(bleu(bleu_statistics(stats, settings).sums(), settings).score[0])


PLAIN = BleuSettings(tokenizer="none", smoothing="none")


def test_identical_text_scores_100() -> None:
    assert score_of(["a b c d e"], ["a b c d e"], settings=PLAIN) == pytest.approx(100)


def test_bleu_is_penalty_times_geometric_mean() -> None:
    # Hypothesis a b c d x y, 6 words; reference a b c d e f g, 7 words.
    # p1 = 4/6, p2 = 3/5 (ab bc cd), p3 = 2/4, p4 = 1/3; product 24/360 = 1/15; BP = exp(1 - 7/6).
    wanted = 100 * math.exp(-1 / 6) * (1 / 15) ** 0.25
    assert score_of(["a b c d x y"], ["a b c d e f g"], settings=PLAIN) == pytest.approx(wanted)


def test_counts_are_summed_over_segments_before_they_are_divided() -> None:
    # Order 1 only: (1 + 3) of (2 + 3) words match, 4/5, not the mean of 1/2 and 3/3.
    settings = BleuSettings(tokenizer="none", smoothing="none", max_order=1)
    assert score_of(["a x", "a b c"], ["a b", "a b c"], settings=settings) == pytest.approx(80)


def test_weights_are_exponents() -> None:
    # p1 = 4/6, p2 = 3/5; weights .75 and .25; six words against six.
    settings = BleuSettings(tokenizer="none", smoothing="none", max_order=2, weights=(0.75, 0.25))
    wanted = 100 * (4 / 6) ** 0.75 * (3 / 5) ** 0.25
    assert score_of(["a b c d x y"], ["a b c d e f"], settings=settings) == pytest.approx(wanted)


def test_uniform_weights_given_equal_uniform_weights_by_default() -> None:
    given_weights = BleuSettings(tokenizer="none", weights=(0.25, 0.25, 0.25, 0.25))
    texts = ["a b c d x y"], ["a b c d e f g"]
    assert score_of(texts[0], texts[1], settings=given_weights) == pytest.approx(
        score_of(texts[0], texts[1], settings=BleuSettings(tokenizer="none"))
    )


@pytest.mark.parametrize(
    ("smoothing", "value", "p3", "p4"),
    [
        ("none", None, 0.0, 0.0),
        # Halved anew for each order without a match: 1/(2 * 3) and 1/(4 * 2).
        ("exp", None, 1 / 6, 1 / 8),
        # The value in place of the 0 matches.
        ("floor", None, 0.1 / 3, 0.1 / 2),
        ("floor", 0.5, 0.5 / 3, 0.5 / 2),
        # k more of both, from bigrams on: (0 + 1)/(3 + 1) and (0 + 1)/(2 + 1).
        ("add-k", None, 1 / 4, 1 / 3),
        ("add-k", 2.0, 2 / 5, 2 / 4),
    ],
)
def test_smoothing_by_hand(smoothing: Smoothing, value: float | None, p3: float, p4: float) -> None:
    # a b x c d against a b y c d: 4 of 5 words, 2 of 4 bigrams (ab cd), 0 of 3, 0 of 2.
    settings = BleuSettings(tokenizer="none", smoothing=smoothing, smoothing_value=value)
    stats = count_ngrams({"A": ["a b x c d"]}, {"R": ["a b y c d"]}, counting=Counting(tokenizer="none"))
    found = bleu(bleu_statistics(stats, settings).sums(), settings)
    k = {"add-k": 1.0 if value is None else value}.get(smoothing, 0.0)
    p1, p2 = 4 / 5, (2 + k) / (4 + k)
    assert found.precisions[0].tolist() == pytest.approx([p1, p2, p3, p4])
    assert found.score[0] == pytest.approx(100 * (p1 * p2 * p3 * p4) ** 0.25)
    assert found.unmatched[0].tolist() == [False, False, True, True]
    assert found.matches[0].tolist() == [4, 2, 0, 0]


def test_nothing_is_smoothed_where_nothing_matches() -> None:
    for smoothing in SMOOTHINGS:
        settings = BleuSettings(tokenizer="none", smoothing=smoothing)
        stats = count_ngrams({"A": ["a b c d"]}, {"R": ["w x y z"]}, counting=Counting(tokenizer="none"))
        found = bleu(bleu_statistics(stats, settings).sums(), settings)
        assert found.score[0] == 0
        assert found.precisions[0].tolist() == [0, 0, 0, 0]


def test_effective_order_leaves_out_orders_the_text_is_too_short_for() -> None:
    # Two words, both right, of three: p1 = p2 = 1 and BP = exp(1 - 3/2); orders 3 and 4 do not exist.
    stats = count_ngrams({"A": ["a b"]}, {"R": ["a b c"]}, counting=Counting(tokenizer="none"))
    on = BleuSettings(tokenizer="none", effective_order=True)
    off = BleuSettings(tokenizer="none", effective_order=False)
    unsaid = BleuSettings(tokenizer="none")
    sums = bleu_statistics(stats, on).sums()
    assert bleu(sums, on).score[0] == pytest.approx(100 * math.exp(-0.5))
    assert bleu(sums, off).score[0] == 0
    assert bleu(sums, unsaid).score[0] == 0
    assert bleu(sums, unsaid, single_segments=True).score[0] == pytest.approx(100 * math.exp(-0.5))
    assert bleu(sums, off, single_segments=True).score[0] == 0


def test_weights_under_effective_order_are_scaled_to_sum_to_one() -> None:
    # Orders 1 and 2 exist, with weights .4 and .2 of .6: p1 = 1/2, p2 would be 0/1, smoothed to 1/2.
    settings = BleuSettings(tokenizer="none", weights=(0.4, 0.2, 0.2, 0.2), effective_order=True)
    stats = count_ngrams({"A": ["a x"]}, {"R": ["a b"]}, counting=Counting(tokenizer="none"))
    wanted = 100 * (1 / 2) ** (0.4 / 0.6) * (1 / 2) ** (0.2 / 0.6)
    assert bleu(bleu_statistics(stats, settings).sums(), settings).score[0] == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "penalty"),
    [
        (10, 10, 1.0),
        (11, 10, 1.0),
        (9, 10, math.exp(1 - 10 / 9)),
        (5, 10, math.exp(-1)),
        (1, 10, math.exp(-9)),
        (0, 10, 0.0),
        (0, 0, 1.0),
    ],
)
def test_brevity_penalty_by_hand(hypothesis: int, reference: int, penalty: float) -> None:
    assert brevity_penalty(np.array(hypothesis), np.array(reference)) == pytest.approx(penalty)


@pytest.mark.parametrize(
    ("choice", "wanted"),
    [
        # Lengths 4, 8 and 12 against hypotheses of 6 (a tie of 4 and 8: the shorter), 7, 10 (a tie: 8) and 30.
        ("closest", [[4, 8, 8, 12]]),
        ("shortest", [[4, 4, 4, 4]]),
        ("average", [[8.0, 8.0, 8.0, 8.0]]),
    ],
)
def test_reference_length_by_hand(choice: ReferenceLength, wanted: list[list[float]]) -> None:
    stats = count_ngrams(
        {"A": ["w " * n for n in (6, 7, 10, 30)]},
        {str(n): ["w " * n] * 4 for n in (12, 4, 8)},
        counting=Counting(tokenizer="none"),
    )
    assert effective_reference_lengths(stats, choice).tolist() == wanted


@pytest.mark.parametrize(
    ("choice", "wanted"),
    [
        # Segment 1 has references of 2 words and none; segment 2 one of 3 words and an empty one; 3 has none at all.
        ("closest", [2, 0, 0]),
        ("shortest", [2, 0, 0]),
        ("average", [2.0, 1.5, 0.0]),
    ],
)
def test_absent_references_have_no_length(choice: ReferenceLength, wanted: list[float]) -> None:
    stats = count_ngrams({"A": ["w", "w", "w"]}, {"1": ["a b", "a b c", None], "2": [None, "", None]})
    assert effective_reference_lengths(stats, choice).tolist() == [wanted]


def test_the_closest_length_depends_on_the_system() -> None:
    stats = count_ngrams(
        {"A": ["w w"], "B": ["w w w w w"]}, {"1": ["w"], "2": ["w w w w"]}, counting=Counting(tokenizer="none")
    )
    assert effective_reference_lengths(stats, "closest").tolist() == [[1], [4]]


def test_reference_length_decides_the_brevity_penalty() -> None:
    # Three words against references of 3, 4 and 8: closest 3, shortest 3, average 5.
    stats = count_ngrams(
        {"A": ["a b c"]}, {"1": ["a b c d"], "2": ["a " * 8], "3": ["b b b"]}, counting=Counting(tokenizer="none")
    )
    penalties = {}
    for choice in REFERENCE_LENGTHS:
        settings = BleuSettings(tokenizer="none", reference_length=choice)
        penalties[choice] = float(bleu(bleu_statistics(stats, settings).sums(), settings).brevity_penalty[0])
    assert penalties == pytest.approx({"closest": 1.0, "shortest": 1.0, "average": math.exp(1 - 5 / 3)})


def test_average_reference_lengths_need_not_be_whole() -> None:
    settings = BleuSettings(tokenizer="none", reference_length="average", max_order=1)
    stats = count_ngrams({"A": ["a"]}, {"1": ["a"], "2": ["a b"]}, counting=Counting(tokenizer="none"))
    found = bleu(bleu_statistics(stats, settings).sums(), settings)
    assert found.reference_length[0] == 1.5
    assert found.score[0] == pytest.approx(100 * math.exp(1 - 1.5))


def test_bleu_keeps_any_leading_shape() -> None:
    sums = np.arange(1, 11) * np.ones((2, 3, 1), np.int64)
    assert bleu(sums, BleuSettings()).score.shape == (2, 3)
    assert bleu(sums[0, 0], BleuSettings()).score.shape == ()


def test_sums_of_another_order_are_refused() -> None:
    with pytest.raises(ValueError, match="10 expected for order 4"):
        bleu(np.ones(8, np.int64), BleuSettings())


def test_more_orders_than_were_counted_are_refused() -> None:
    stats = count_ngrams({"A": ["a"]}, {"R": ["a"]}, max_order=2)
    with pytest.raises(ValueError, match="n-grams are counted up to order 2, but order 4 is needed"):
        bleu_statistics(stats, BleuSettings())


# --- sacreBLEU --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("smoothing", "value"), SMOOTHED)
@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize("lowercase", [False, True])
def test_corpus_bleu_equals_sacrebleu_for_every_tokenizer_and_smoothing(
    tokenizer: str, smoothing: Smoothing, value: float | None, *, lowercase: bool
) -> None:
    settings = BleuSettings(tokenizer=tokenizer, lowercase=lowercase, smoothing=smoothing, smoothing_value=value)
    assert_corpus_equals_sacrebleu(HYPOTHESES, [REFERENCE, SECOND], settings)


@pytest.mark.parametrize("order", range(1, 10))
@pytest.mark.parametrize(("smoothing", "value"), SMOOTHED)
def test_corpus_bleu_equals_sacrebleu_for_every_order(order: int, smoothing: Smoothing, value: float | None) -> None:
    settings = BleuSettings(max_order=order, smoothing=smoothing, smoothing_value=value)
    assert_corpus_equals_sacrebleu(HYPOTHESES, [REFERENCE], settings)
    assert_corpus_equals_sacrebleu(HYPOTHESES[:3], [HYPOTHESES[:2] + REFERENCE[:1]], settings)


@pytest.mark.parametrize("references", [1, 2, 3, 4])
@pytest.mark.parametrize("effective", [False, True])
def test_corpus_bleu_equals_sacrebleu_for_several_references(references: int, *, effective: bool) -> None:
    streams: list[tuple[str | None, ...]] = [REFERENCE, SECOND, HYPOTHESES[::-1], FOURTH]
    assert_corpus_equals_sacrebleu(HYPOTHESES, streams[:references], BleuSettings(effective_order=effective))


def test_corpus_bleu_equals_sacrebleu_for_a_variable_number_of_references() -> None:
    assert_corpus_equals_sacrebleu(HYPOTHESES, [REFERENCE, THIRD], BleuSettings())
    assert_corpus_equals_sacrebleu(HYPOTHESES, [THIRD, REFERENCE, SECOND], BleuSettings(smoothing="floor"))


@given(corpora(systems=1, references=4), st.sampled_from(SMOOTHED), st.integers(1, 9), st.booleans())
def test_corpus_bleu_of_any_corpus_equals_sacrebleu(
    texts: Texts,
    smoothed: tuple[Smoothing, float | None],
    order: int,
    effective: bool,  # noqa: FBT001
) -> None:
    smoothing, value = smoothed
    settings = BleuSettings(
        tokenizer="none", max_order=order, smoothing=smoothing, smoothing_value=value, effective_order=effective
    )
    streams: list[tuple[str | None, ...]] = [tuple(stream) for stream in texts.references.values()]
    assert_corpus_equals_sacrebleu(tuple(texts.systems["s0"]), streams, settings)


@pytest.mark.parametrize("references", [1, 2, 3])
def test_single_segments_equal_sacrebleu_sentence_bleu(references: int) -> None:
    streams: list[tuple[str | None, ...]] = [REFERENCE, THIRD, SECOND]
    corpus = Corpus(systems={"A": HYPOTHESES}, references={str(i): s for i, s in enumerate(streams[:references])})
    scores = evaluate(corpus).segment_scores.score[0]
    for s, hypothesis in enumerate(HYPOTHESES):
        present = [stream[s] for stream in streams[:references]]
        wanted = sacrebleu.sentence_bleu(hypothesis, [text for text in present if text is not None])
        assert scores[s] == pytest.approx(wanted.score, rel=1e-9, abs=1e-12)


@st.composite
def counted_sums(draw: st.DrawFn) -> tuple[int, list[int], list[int], int, int]:
    """Matches never more than totals, totals falling with the order, as texts give them."""
    order = draw(st.integers(1, 9))
    totals = sorted(draw(st.lists(st.integers(0, 60), min_size=order, max_size=order)), reverse=True)
    matches = [draw(st.integers(0, total)) for total in totals]
    return order, matches, totals, totals[0], draw(st.integers(0, 90))


@given(counted_sums(), st.sampled_from(SMOOTHED), st.booleans())
def test_the_formula_equals_sacrebleus_for_any_counts(
    counts: tuple[int, list[int], list[int], int, int],
    smoothed: tuple[Smoothing, float | None],
    effective: bool,  # noqa: FBT001
) -> None:
    order, matches, totals, hypothesis_length, reference_length = counts
    smoothing, value = smoothed
    settings = BleuSettings(max_order=order, smoothing=smoothing, smoothing_value=value, effective_order=effective)
    found = bleu(np.array([hypothesis_length, reference_length, *matches, *totals]), settings)
    wanted = BLEU.compute_bleu(
        list(matches), list(totals), hypothesis_length, reference_length, smoothing, value, effective, order
    )
    assert float(found.score) == pytest.approx(wanted.score, rel=1e-9, abs=1e-12)
    assert float(found.brevity_penalty) == pytest.approx(wanted.bp, rel=1e-9)


# --- the oracle -------------------------------------------------------------------------------------------------


@given(corpora(), st.integers(1, 9))
def test_unsmoothed_bleu_equals_the_oracle(texts: Texts, order: int) -> None:
    settings = BleuSettings(tokenizer="none", smoothing="none", max_order=order)
    scores = evaluate(texts.corpus, settings).scores
    references = texts.reference_tokens()
    for k, name in enumerate(texts.systems):
        hypotheses = texts.tokens(name)
        assert scores.score[k] == pytest.approx(oracle.bleu(hypotheses, references, order), rel=1e-9, abs=1e-12)
        precisions = [float(oracle.precision(hypotheses, references, n)) for n in range(1, order + 1)]
        # A precision beyond the longest segment is 0 for both; without any match all are reported as 0.
        assert scores.precisions[k].tolist() == pytest.approx(precisions, rel=1e-12)
        closest = sum(map(oracle.best_match_length, hypotheses, references))
        assert scores.reference_length[k] == closest


# --- properties -------------------------------------------------------------------------------------------------

ALL = [
    BleuSettings(tokenizer="none", smoothing=smoothing, reference_length=length)
    for smoothing, length in itertools.product(SMOOTHINGS, REFERENCE_LENGTHS)
]


@given(corpora(), st.permutations(range(6)), st.sampled_from(ALL))
def test_permuting_segments_changes_nothing(texts: Texts, order: list[int], settings: BleuSettings) -> None:
    chosen = [s for s in order if s < texts.segments]
    straight = texts.corpus
    permuted = Corpus(
        {name: tuple(t[s] for s in chosen) for name, t in texts.systems.items()},
        {name: tuple(t[s] for s in chosen) for name, t in texts.references.items()},
    )
    found, wanted = (evaluate(c, settings).scores.score for c in (permuted, straight))
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


@given(corpora(systems=3, fewest_systems=2), st.sampled_from(ALL))
def test_the_order_of_systems_and_references_changes_nothing(texts: Texts, settings: BleuSettings) -> None:
    systems = {name: tuple(t) for name, t in texts.systems.items()}
    references = {name: tuple(t) for name, t in texts.references.items()}
    straight = evaluate(Corpus(systems, references), settings)
    turned = evaluate(Corpus(dict(reversed(systems.items())), dict(reversed(references.items()))), settings)
    np.testing.assert_allclose(turned.scores.score[::-1], straight.scores.score, rtol=1e-12)


@given(corpora(systems=3), st.sampled_from(ALL))
def test_scores_lie_between_0_and_100(texts: Texts, settings: BleuSettings) -> None:
    evaluation = evaluate(texts.corpus, settings)
    for scores in (evaluation.scores.score, evaluation.segment_scores.score):
        assert ((scores >= 0) & (scores <= 100 + 1e-9)).all()


@given(corpora(systems=1, references=1))
def test_a_text_against_itself_scores_100_if_it_reaches_the_order(texts: Texts) -> None:
    text = tuple(texts.systems["s0"])
    scores = evaluate(Corpus({"A": text}, {"R": text}), BleuSettings(tokenizer="none")).scores
    reaches = max(len(segment.split()) for segment in text) >= 4
    assert scores.score[0] == pytest.approx(100 if reaches else 0)


@given(corpora())
def test_segment_bleu_is_the_bleu_of_the_segment_alone(texts: Texts) -> None:
    settings = BleuSettings(tokenizer="none", effective_order=True)
    corpus = texts.corpus
    segments = evaluate(corpus, settings).segment_scores.score
    for s in range(texts.segments):
        alone = Corpus(
            {n: (t[s],) for n, t in corpus.systems.items()}, {n: (t[s],) for n, t in corpus.references.items()}
        )
        np.testing.assert_allclose(segments[:, s], evaluate(alone, settings).scores.score, rtol=1e-12)


# --- settings ---------------------------------------------------------------------------------------------------

REFUSED: list[tuple[dict[str, object], str]] = [
    ({"max_order": 0}, "maximum order 0 found, 1 to 9 expected"),
    ({"max_order": 10}, "maximum order 10 found, 1 to 9 expected"),
    ({"weights": (0.5, 0.5)}, r"enter 4 weights, one per n-gram order \(2 given\)"),
    ({"weights": ()}, r"enter 4 weights, one per n-gram order \(0 given\)"),
    ({"weights": (0.4, 0.4, 0.4, 0.4)}, r"enter weights that sum to 1 \(the sum is 1.6\)"),
    ({"weights": (1.0, 0.0, 0.0, 0.0)}, "enter positive weights"),
    ({"weights": (math.inf, 0.5, 0.25, 0.25)}, "enter positive weights"),
    ({"weights": (math.nan, 0.5, 0.25, 0.25)}, "enter positive weights"),
    ({"smoothing": "magic"}, "smoothing 'magic' found, one of exp, none, floor, add-k expected"),
    ({"smoothing_value": 1.0}, "smoothing exp takes no value"),
    ({"smoothing": "none", "smoothing_value": 1.0}, "smoothing none takes no value"),
    ({"smoothing": "floor", "smoothing_value": 0.0}, "0 found, a positive number expected"),
    ({"smoothing": "floor", "smoothing_value": -1.0}, "-1 found, a positive number expected"),
    ({"smoothing": "add-k", "smoothing_value": math.nan}, "nan found, a positive number expected"),
    ({"smoothing": "add-k", "smoothing_value": math.inf}, "inf found, a positive number expected"),
    ({"tokenizer": "words"}, "tokeniser 'words' found"),
    ({"reference_length": "longest"}, "reference length 'longest' found"),
]


@pytest.mark.parametrize(("settings", "message"), REFUSED)
def test_settings_out_of_range_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        BleuSettings(**settings)  # pyright: ignore[reportArgumentType]


def test_the_defaults_are_sacrebleus() -> None:
    assert PRESETS["sacrebleu"] == BleuSettings()
    assert evaluate(Corpus({"A": ("a",)}, {"R": ("a",)})).settings == BleuSettings()


def test_the_papers_preset_is_unsmoothed_words_in_lower_case() -> None:
    assert PRESETS["paper"] == BleuSettings(tokenizer="none", lowercase=True, smoothing="none")


def test_the_weights_in_use_sum_to_one() -> None:
    for order in range(1, 10):
        assert BleuSettings(max_order=order).order_weights.tolist() == pytest.approx([1 / order] * order)
    assert BleuSettings(max_order=2, weights=(0.9, 0.1)).order_weights.tolist() == [0.9, 0.1]
