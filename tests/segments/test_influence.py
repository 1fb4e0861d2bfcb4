"""What segments add to a difference equals scoring the text without them; parts of a difference add up to it."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sample
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from texts import Texts, corpora

from bleu_core.arrays import Floats
from bleu_core.dataset import Corpus
from bleu_core.scoring import BUILT_IN_METRICS, Numbers, SegmentStatistics, evaluate, score_metric
from bleu_core.segments import Influences, influence, influences, replace_outputs, scores_without_each, slice_share

FEW = 12


def without(corpus: Corpus, segment: int) -> Corpus:
    """The corpus without one of its segments."""
    return Corpus(
        {name: texts[:segment] + texts[segment + 1 :] for name, texts in corpus.systems.items()},
        {name: texts[:segment] + texts[segment + 1 :] for name, texts in corpus.references.items()},
    )


def few_segments() -> Corpus:
    """The beginning of the sample data."""
    whole = sample.corpus()
    return Corpus(
        {name: whole.systems[name][:FEW] for name in ("S1", "S3", "H1")},
        {name: whole.references[name][:FEW] for name in ("R1", "R2")},
    )


def tables(corpus: Corpus, key: str) -> SegmentStatistics:
    return score_metric(corpus, evaluate(corpus), key).statistics


def mean_table(values: list[list[float]], *, higher_is_better: bool = True) -> SegmentStatistics:
    """A metric that is the mean of values of segments, (K, S)."""
    table = np.stack([np.array(values, np.float64), np.ones(np.shape(values))], axis=-1)

    def mean(sums: Numbers) -> Floats:
        with np.errstate(invalid="ignore"):
            return (sums[..., 0] / sums[..., 1]).astype(np.float64)

    return SegmentStatistics(tuple("ABC"[: len(values)]), table, mean, higher_is_better=higher_is_better)


@pytest.mark.parametrize("key", BUILT_IN_METRICS)
def test_influence_equals_scoring_the_text_without_the_segment(key: str) -> None:
    corpus = few_segments()
    table = tables(corpus, key)
    whole, left = table.score(table.sums()), [tables(without(corpus, s), key) for s in range(FEW)]
    scores = np.array([one.score(one.sums()) for one in left]).T
    np.testing.assert_allclose(scores_without_each(table), scores, rtol=1e-12)
    sign = 1 if table.higher_is_better else -1
    found = influences(table).between("S3", "S1")
    expected = sign * ((whole[1] - whole[0]) - (scores[1] - scores[0]))
    np.testing.assert_allclose(found.values, expected, rtol=0, atol=1e-9)
    assert found.delta == whole[1] - whole[0]
    assert found.reason == ""


def test_influence_equals_sacrebleus_scores() -> None:
    corpus = few_segments()
    found = influences(tables(corpus, "bleu")).between("H1", "S1")

    def delta(one: Corpus) -> float:
        references = [list(map(str, texts)) for texts in one.references.values()]
        return (
            BLEU().corpus_score(list(one.systems["H1"]), references).score
            - BLEU().corpus_score(list(one.systems["S1"]), references).score
        )

    whole = delta(corpus)
    assert found.values.tolist() == pytest.approx([whole - delta(without(corpus, s)) for s in range(FEW)], abs=1e-9)


@given(corpora(systems=2, fewest_systems=2))
def test_influences_equal_plain_rescoring_whatever_is_empty(texts: Texts) -> None:
    corpus = texts.corpus
    found = influences(evaluate(corpus).statistics)
    if texts.segments == 1:
        assert np.isnan(found.without).all()
        return
    for segment in range(texts.segments):
        rest = evaluate(without(corpus, segment))
        np.testing.assert_array_equal(found.without[:, segment], rest.scores.score)


def test_a_worse_output_counts_against_the_system_also_where_lower_is_better() -> None:
    values = [[1.0, 5.0, 3.0], [1.0, 1.0, 3.0]]
    higher = influences(mean_table(values)).between("A", "B")
    lower = influences(mean_table(values, higher_is_better=False)).between("A", "B")
    assert higher.delta == lower.delta == pytest.approx(4 / 3)
    assert higher.values.tolist() == pytest.approx([-2 / 3, 4 / 3, -2 / 3])
    assert lower.values.tolist() == pytest.approx([2 / 3, -4 / 3, 2 / 3])


def test_the_baselines_influences_are_the_systems_with_the_other_sign() -> None:
    found = influences(tables(few_segments(), "bleu"))
    np.testing.assert_allclose(found.between("S1", "H1").values, -found.between("H1", "S1").values, atol=1e-12)


def test_a_single_segment_has_no_influence_and_a_reason() -> None:
    found = influences(mean_table([[1.0], [2.0]])).between("B", "A")
    assert np.isnan(found.values).all()
    assert (found.delta, found.reason) == (1.0, "only one segment")


def test_an_undefined_score_is_named_as_the_reason() -> None:
    found = Influences(("A", "B"), np.array([1.0, 2.0]), np.array([[1.0, np.nan], [2.0, 1.0]])).between("A", "B")
    assert found.reason == "a score is undefined"


def test_long_texts_are_scored_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    table = tables(few_segments(), "bleu")
    at_once = scores_without_each(table)
    monkeypatch.setattr(influence, "BATCH_SUMS", 7)
    np.testing.assert_array_equal(scores_without_each(table), at_once)


MASKS = st.lists(st.booleans(), min_size=FEW, max_size=FEW).map(np.array)


@pytest.mark.parametrize("key", BUILT_IN_METRICS)
def test_inside_and_outside_are_scores_of_those_segments_alone(key: str) -> None:
    corpus = few_segments()
    mask = np.arange(FEW) % 3 == 0
    found = slice_share(tables(corpus, key), "S3", "S1", mask)

    def delta(chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> float:
        kept = np.flatnonzero(chosen).tolist()
        part = Corpus(
            {name: tuple(texts[s] for s in kept) for name, texts in corpus.systems.items()},
            {name: tuple(texts[s] for s in kept) for name, texts in corpus.references.items()},
        )
        table = tables(part, key)
        scores = dict(zip(table.systems, table.score(table.sums()), strict=True))
        return scores["S3"] - scores["S1"]

    assert (found.segments, found.total, found.reason) == (int(mask.sum()), FEW, "")
    assert found.inside == pytest.approx(delta(mask), abs=1e-9)
    assert found.outside == pytest.approx(delta(~mask), abs=1e-9)
    assert found.delta == pytest.approx(delta(mask | True), abs=1e-9)


@given(MASKS)
def test_parts_of_a_slice_and_of_its_complement_add_up_to_the_difference(
    mask: np.ndarray[tuple[int], np.dtype[np.bool_]],
) -> None:
    table = tables(few_segments(), "bleu")
    one, rest, turned = (
        slice_share(table, "S3", "S1", mask),
        slice_share(table, "S3", "S1", ~mask),
        slice_share(table, "S1", "S3", mask),
    )
    assert one.part + rest.part == pytest.approx(one.delta, abs=1e-9)
    assert one.share + rest.share == pytest.approx(1, abs=1e-9)
    assert turned.part == pytest.approx(-one.part, abs=1e-9)
    assert turned.share == pytest.approx(one.share, abs=1e-9)


def test_the_part_of_a_mean_is_its_sum_of_differences_over_all_segments() -> None:
    found = slice_share(mean_table([[1, 5, 3, 4], [1, 1, 2, 6]]), "A", "B", np.array([False, True, True, False]))
    assert found.part == pytest.approx((4 + 1) / 4)
    assert found.inside == pytest.approx(2.5)
    assert found.outside == pytest.approx(-1)
    assert found.share == pytest.approx(5 / 3)  # the rest takes some of the difference away


def test_a_slice_in_which_the_outputs_are_equal_has_no_part_in_the_difference() -> None:
    whole = few_segments()
    mask = np.arange(FEW) < FEW // 2
    texts = tuple(np.where(mask, whole.systems["S1"], whole.systems["S3"]).tolist())
    corpus = Corpus({"S1": whole.systems["S1"], "half": texts}, whole.references)
    found = slice_share(evaluate(corpus).statistics, "half", "S1", mask)
    assert (found.inside, found.part, found.share) == (0, 0, 0)
    assert slice_share(evaluate(corpus).statistics, "half", "S1", ~mask).share == 1


@pytest.mark.parametrize(
    ("chosen", "reason", "part"), [(False, "no segment inside", 0.0), (True, "no segment outside", 1.0)]
)
def test_an_empty_side_is_undefined_and_a_reason_is_given(*, chosen: bool, reason: str, part: float) -> None:
    table = mean_table([[1, 4, 4], [1, 2, 3]])
    found = slice_share(table, "A", "B", np.full(3, chosen))
    assert math.isnan(found.outside if chosen else found.inside)
    assert (found.outside if not chosen else found.inside) == pytest.approx(found.delta)
    assert (found.reason, found.share) == (reason, part)


def test_systems_that_do_not_differ_have_no_share() -> None:
    found = slice_share(mean_table([[1, 3], [3, 1]]), "A", "B", np.array([True, False]))
    assert (found.delta, found.inside, found.outside, found.part) == (0, -2, 2, -1)
    assert math.isnan(found.share)
    assert found.reason == "the scores do not differ"


def test_a_mask_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="a mask of shape"):
        slice_share(mean_table([[1, 3], [3, 1]]), "A", "B", np.array([True]))


@pytest.mark.parametrize("key", BUILT_IN_METRICS)
@pytest.mark.parametrize("at_once", [1, 5, FEW, 100_000])
def test_scores_while_outputs_are_replaced_are_those_of_mixed_texts(
    key: str, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(influence, "BATCH_SUMS", at_once)
    corpus, order = few_segments(), np.random.default_rng(1).permutation(FEW)
    systems = corpus.systems
    mixed = {
        str(count): tuple(
            systems["S1" if segment in order[:count].tolist() else "H1"][segment] for segment in range(FEW)
        )
        for count in range(FEW + 1)
    }
    expected = tables(Corpus(mixed, corpus.references), key)
    found = replace_outputs(tables(corpus, key), "S1", "H1", order).scores
    assert found == pytest.approx(expected.score(expected.sums()), abs=1e-9)


def test_sacrebleu_gives_the_same_scores_while_outputs_are_replaced() -> None:
    corpus, order = few_segments(), np.arange(FEW)[::-1]
    found = replace_outputs(tables(corpus, "bleu"), "S3", "S1", order).scores
    for count in (0, 5, FEW):
        texts = [corpus.systems["S3" if segment >= FEW - count else "S1"][segment] for segment in range(FEW)]
        references = [list(map(str, reference)) for reference in corpus.references.values()]
        assert found[count] == pytest.approx(BLEU().corpus_score(texts, references).score)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("higher_is_better", [True, False])
def test_half_of_a_difference_is_made_by_the_first_segments_of_the_leader(sign: int, *, higher_is_better: bool) -> None:
    ours, theirs = [4.0, 3.0, 0.0, -1.0, -1.0], [0.0] * 5  # 5 in all
    if sign < 0:
        ours = [1.0, 1.0, -1.0, -2.0, -4.0]
    if not higher_is_better:
        ours = [-value for value in ours]
    table = mean_table([ours, theirs], higher_is_better=higher_is_better)
    found = replace_outputs(table, "A", "B", np.arange(5))
    assert found.leader == ("A" if sign > 0 else "B")
    assert found.differences == pytest.approx(np.cumsum([0.0, *ours]) / 5)
    made = [abs(found.differences[n] if sign > 0 else found.delta - found.differences[5 - n]) for n in range(6)]
    few = next(n for n in range(6) if made[n] >= abs(found.delta) / 2)
    assert found.half == few
    assert found.half_at == (few if sign > 0 else 5 - few)


def test_no_difference_has_no_half() -> None:
    found = replace_outputs(mean_table([[1.0, 2.0], [2.0, 1.0]]), "A", "B", np.arange(2))
    assert (found.leader, found.half, found.delta) == ("", 0, 0)
