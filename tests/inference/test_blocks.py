"""Blocks of text and the paired t between neighbours."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from texts import Texts, corpora

from bleu_core.dataset import Corpus
from bleu_core.errors import SettingsError
from bleu_core.inference import (
    Blocks,
    BlockScores,
    block_scores,
    blocks_of_size,
    document_blocks,
    equal_blocks,
    significant,
)
from bleu_core.inference.blocks import NeighbourPair, paired_t
from bleu_core.scoring import BleuSettings, evaluate, find_metric
from dashboard.words import spread_of_blocks

WORDS = BleuSettings(tokenizer="none")


@given(st.integers(1, 200), st.data())
def test_equal_blocks_split_as_numpy_array_split(segments: int, data: st.DataObject) -> None:
    blocks = data.draw(st.integers(1, segments))
    found = equal_blocks(segments, blocks)
    wanted = np.array_split(np.arange(segments), blocks)
    assert found.sizes == tuple(len(part) for part in wanted)
    for block, part in enumerate(wanted):
        np.testing.assert_array_equal(np.flatnonzero(found.labels == block), part)
    assert found.names == tuple(str(n) for n in range(1, blocks + 1))


def test_blocks_are_20_unless_said_otherwise() -> None:
    # 529 = 9 * 27 + 11 * 26.
    assert equal_blocks(529).sizes == (27,) * 9 + (26,) * 11


@pytest.mark.parametrize(
    ("segments", "size", "sizes"),
    [(6, 2, (2, 2, 2)), (7, 3, (3, 3, 1)), (5, 5, (5,)), (5, 1, (1,) * 5), (60, 25, (25, 25, 10))],
)
def test_blocks_of_a_size_keep_a_short_last_one(segments: int, size: int, sizes: tuple[int, ...]) -> None:
    assert blocks_of_size(segments, size).sizes == sizes


@pytest.mark.parametrize("blocks", [0, -1, 6])
def test_a_number_of_blocks_that_cannot_be_is_refused(blocks: int) -> None:
    with pytest.raises(SettingsError, match=f"{blocks} blocks found, 1 to 5 expected for 5 segments"):
        equal_blocks(5, blocks)


@pytest.mark.parametrize("size", [0, -1, 6])
def test_a_size_of_blocks_that_cannot_be_is_refused(size: int) -> None:
    with pytest.raises(SettingsError, match=f"block size {size} found, 1 to 5 expected for 5 segments"):
        blocks_of_size(5, size)


def test_documents_are_blocks_in_the_order_of_their_first_segment() -> None:
    found = document_blocks(["b", "b", "a", "b", "c"])
    assert found.names == ("b", "a", "c")
    assert found.labels.tolist() == [0, 0, 1, 0, 2]
    assert found.sizes == (3, 1, 1)


TEXT = ("the cat sat on the mat", "a dog ran in the park", "it is late now , he said", "we will go home at noon") * 3
GOOD = tuple(text.replace("the", "this") for text in TEXT)
POOR = tuple(" ".join(word for i, word in enumerate(text.split()) if (i + s) % 4) for s, text in enumerate(GOOD))
CORPUS = Corpus({"poor": POOR, "good": GOOD}, {"R": TEXT})


def test_systems_are_in_the_reverse_of_their_order_by_corpus_bleu_with_equal_ones_by_name() -> None:
    corpus = Corpus({"z": POOR, "m": GOOD, "a": POOR}, {"R": TEXT})
    found = block_scores(evaluate(corpus, WORDS), equal_blocks(12, 3))
    assert found.systems == ("z", "a", "m")
    assert found.corpus_scores.tolist() == sorted(found.corpus_scores.tolist())
    assert [(pair.baseline, pair.system) for pair in found.pairs] == [("z", "a"), ("a", "m")]


def test_the_paired_t_equals_scipys() -> None:
    smoothed = BleuSettings(tokenizer="none", smoothing="floor")
    found = block_scores(evaluate(CORPUS, smoothed), equal_blocks(12, 6))
    (pair,) = found.pairs
    wanted = stats.ttest_rel(found.scores[1], found.scores[0])
    assert pair.test.t == pytest.approx(wanted.statistic, rel=1e-12)
    assert pair.test.p_value == pytest.approx(wanted.pvalue, rel=1e-12)
    assert pair.test.degrees_of_freedom == wanted.df == 5
    assert pair.test.reason == ""


def test_the_paired_t_by_hand() -> None:
    # Order 1, three blocks of four words. A matches 1, 1, 1 of 4 and B 2, 3, 4 of 4: differences 25, 50, 75 points.
    # Mean 50, standard deviation 25, t = 50 / (25 / sqrt(3)) = 2 sqrt(3) with 2 degrees of freedom.
    corpus = Corpus(
        {"A": ("a x x x", "a x x x", "a x x x"), "B": ("a b x x", "a b c x", "a b c d")}, {"R": ("a b c d",) * 3}
    )
    found = block_scores(evaluate(corpus, BleuSettings(tokenizer="none", max_order=1)), equal_blocks(3, 3))
    assert found.scores.tolist() == [pytest.approx([25, 25, 25]), pytest.approx([50, 75, 100])]
    (pair,) = found.pairs
    assert pair.test.mean_difference == pytest.approx(50)
    assert pair.test.t == pytest.approx(2 * math.sqrt(3))
    assert pair.test.degrees_of_freedom == 2
    # Two-sided with 2 degrees of freedom: 1 - t / sqrt(t**2 + 2).
    assert pair.test.p_value == pytest.approx(1 - pair.test.t / math.sqrt(pair.test.t**2 + 2))
    assert found.standard_deviations.tolist() == pytest.approx([0, 25])


def test_delta_is_of_corpus_bleu_and_not_of_the_blocks() -> None:
    found = block_scores(evaluate(CORPUS, WORDS), equal_blocks(12, 5))
    (pair,) = found.pairs
    scores = dict(zip(("poor", "good"), evaluate(CORPUS, WORDS).scores.score.tolist(), strict=True))
    assert pair.delta == pytest.approx(scores["good"] - scores["poor"])
    assert pair.test.mean_difference == pytest.approx(found.means[1] - found.means[0])
    assert abs(pair.delta - pair.test.mean_difference) > 1e-6


@given(corpora(systems=3), st.integers(1, 6))
def test_a_blocks_score_is_that_of_a_corpus_of_its_segments(texts: Texts, blocks: int) -> None:
    division = equal_blocks(texts.segments, min(blocks, texts.segments))
    found = block_scores(evaluate(texts.corpus, WORDS), division)
    for block, (start, size) in enumerate(
        zip(np.cumsum((0, *division.sizes[:-1])).tolist(), division.sizes, strict=True)
    ):
        part = Texts(
            {name: segments[start : start + size] for name, segments in texts.systems.items()},
            {name: segments[start : start + size] for name, segments in texts.references.items()},
        )
        alone = evaluate(part.corpus, WORDS)
        wanted = [alone.scores.score[alone.systems.index(name)] for name in found.systems]
        np.testing.assert_allclose(found.scores[:, block], wanted, rtol=1e-12)


def test_one_block_is_the_corpus() -> None:
    found = block_scores(evaluate(CORPUS, WORDS), equal_blocks(12, 1))
    np.testing.assert_allclose(found.scores[:, 0], found.corpus_scores)
    assert np.isnan(found.standard_deviations).all()
    (pair,) = found.pairs
    assert math.isnan(pair.test.t)
    assert math.isnan(pair.test.p_value)
    assert (pair.test.degrees_of_freedom, pair.test.reason) == (0, "only one block")


def test_identical_systems_have_no_t_and_a_reason() -> None:
    corpus = Corpus({"a": GOOD, "b": GOOD}, {"R": TEXT})
    (pair,) = block_scores(evaluate(corpus, WORDS), equal_blocks(12, 4)).pairs
    assert (pair.delta, pair.test.mean_difference) == (0, 0)
    assert math.isnan(pair.test.t)
    assert math.isnan(pair.test.p_value)
    assert pair.test.reason


def test_float_noise_in_a_constant_difference_makes_no_t() -> None:
    # Order 2. B has 3 of 4 words and 2 of 3 bigrams right in the first block, 3 of 3 and 1 of 2 in the second: both
    # products are 1/2, but not to the last digit of a float. A has nothing right.
    corpus = Corpus({"A": ("z z z z", "z z z"), "B": ("a b c x", "b c a")}, {"R": ("a b c d", "a b c")})
    found = block_scores(evaluate(corpus, BleuSettings(tokenizer="none", max_order=2)), equal_blocks(2, 2))
    assert found.scores[1].tolist() == pytest.approx([100 / math.sqrt(2)] * 2)
    assert 0 < np.ptp(found.scores[1]) < 1e-12
    (pair,) = found.pairs
    assert math.isnan(pair.test.t)
    assert math.isnan(pair.test.p_value)
    assert pair.test.reason


def test_blocks_where_a_precision_vanishes_score_0_and_are_counted() -> None:
    corpus = Corpus({"A": ("a b c d e", "x x x x x", "")}, {"R": ("a b c d e",) * 3})
    found = block_scores(evaluate(corpus, WORDS), equal_blocks(3, 3))
    assert found.scores.tolist() == [[pytest.approx(100), 0, 0]]
    assert found.zero_blocks.tolist() == [2]


@pytest.mark.parametrize(
    ("segments", "size", "short"), [(12, 5, True), (12, 4, False), (12, 12, False), (12, 1, False)]
)
def test_a_short_last_block_is_reported(segments: int, size: int, short: bool) -> None:  # noqa: FBT001
    assert block_scores(evaluate(CORPUS, WORDS), blocks_of_size(segments, size)).short_block is short


def test_the_critical_t_of_20_blocks_is_the_papers() -> None:
    # "1.7 or above" in section 3 of Papineni et al. (2002); t(.95, 19) = 1.7291 in printed tables.
    corpus = Corpus({"A": TEXT * 2}, {"R": TEXT * 2})
    found = block_scores(evaluate(corpus, WORDS), equal_blocks(24, 20))
    assert found.one_sided_critical_t == pytest.approx(1.7291, abs=5e-5)
    assert found.critical_t == pytest.approx(2.0930, abs=5e-5)  # t(.975, 19) there
    assert math.isnan(block_scores(evaluate(corpus, WORDS), equal_blocks(24, 1)).critical_t)


@pytest.mark.parametrize("seed", range(40))
def test_neighbours_differ_where_t_is_beyond_the_critical_one_and_the_sentence_counts_them(seed: int) -> None:
    generator = np.random.default_rng(seed)
    blocks = int(generator.integers(2, 30))
    scores = generator.normal(size=(4, blocks)) + generator.normal(scale=2 / math.sqrt(blocks), size=(4, 1))
    pairs = tuple(
        NeighbourPair(system="B", baseline="A", delta=1.0, test=paired_t(scores[k], scores[k - 1])) for k in range(1, 4)
    )
    found = BlockScores(
        metric=find_metric("bleu"),
        signature="",
        systems=("A", "B", "C", "D"),
        blocks=equal_blocks(blocks, blocks),
        corpus_scores=np.arange(4.0),
        scores=scores,
        pairs=pairs,
    )
    assert found.critical_t == pytest.approx(stats.t.ppf(0.975, blocks - 1), rel=1e-12)
    beyond = sum(abs(pair.test.t) > found.critical_t for pair in pairs)
    assert beyond == sum(significant(pair.test.p_value) for pair in pairs)
    assert f"{beyond or 'None'} of 3 pairs of neighbours" in spread_of_blocks(found)


def test_a_single_system_has_no_pair() -> None:
    assert block_scores(evaluate(CORPUS, WORDS).select(["good"]), equal_blocks(12, 3)).pairs == ()


def test_blocks_know_their_sizes() -> None:
    assert Blocks(("x", "y"), np.array([1, 0, 1])).sizes == (1, 2)
