"""N-grams won and lost, overused and missing: counts equal those of a plain Counter, effects those of sacreBLEU."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
import sample
from hypothesis import given
from hypothesis import strategies as st
from plain_counter import ngrams_of
from sacrebleu.metrics.bleu import BLEU
from texts import SEGMENTS

from bleu_core.dataset import Corpus
from bleu_core.errors import SettingsError
from bleu_core.scoring import BleuEvaluation, BleuSettings, evaluate
from bleu_core.segments import NgramDifference, NgramDifferences, NgramSums, Side, compare_ngrams
from bleu_core.slicing import group_segments

Ngram = tuple[str, ...]
ALL = 10**6

#: Two outputs and two references of each segment, of which the second may be absent.
ROWS = st.lists(st.tuples(SEGMENTS, SEGMENTS, SEGMENTS, st.none() | SEGMENTS), min_size=1, max_size=6)
Rows = list[tuple[str, str, str, str | None]]


def counted(rows: Rows, order: int = 4) -> tuple[Corpus, BleuEvaluation]:
    """The corpus of the rows, and its counts."""
    one, other, first, second = zip(*rows, strict=True)
    corpus = Corpus({"A": one, "B": other}, {"r1": first, "r2": second})
    return corpus, evaluate(corpus, BleuSettings(max_order=order))


def plain_counts(texts: Sequence[str | None], order: int) -> list[Counter[Ngram]]:
    """The n-grams of each segment."""
    return [ngrams_of((text or "").split(), order) for text in texts]


def limits(rows: Rows, order: int) -> list[Counter[Ngram]]:
    """How often each n-gram can match in each segment."""
    of_references = (plain_counts([row[r] for row in rows], order) for r in (2, 3))
    return [first | second for first, second in zip(*of_references, strict=True)]


def expected(
    surplus: Sequence[Counter[Ngram]], deficit: Sequence[Counter[Ngram]]
) -> dict[Ngram, tuple[int, int, tuple[int, ...], tuple[int, ...]]]:
    """Of each n-gram its surplus and deficit, and the segments in which they are."""
    ngrams = {ngram for side in (surplus, deficit) for of_segment in side for ngram in of_segment}
    return {
        ngram: (
            sum(of_segment[ngram] for of_segment in surplus),
            sum(of_segment[ngram] for of_segment in deficit),
            tuple(s for s, of_segment in enumerate(surplus, start=1) if of_segment[ngram]),
            tuple(s for s, of_segment in enumerate(deficit, start=1) if of_segment[ngram]),
        )
        for ngram in ngrams
    }


def listed(differences: NgramDifferences, side: Side) -> dict[Ngram, tuple[int, int, tuple[int, ...], tuple[int, ...]]]:
    """All n-grams of a side."""
    found = differences.largest(side, number=ALL)
    assert len({one.ngram for one in found}) == len(found)
    return {
        tuple(one.ngram.split(" ")): (one.surplus, one.deficit, one.surplus_segments, one.deficit_segments)
        for one in found
    }


def sacrebleu_score(evaluation: BleuEvaluation, system: str, order: int = 1, more: int = 0) -> float:
    """The corpus score, by sacreBLEU's own formula, with more matches of one order."""
    sums = evaluation.statistics.sums()[evaluation.systems.index(system)].tolist()
    n = evaluation.settings.max_order
    matches, totals = sums[2 : 2 + n], sums[2 + n :]
    matches[order - 1] = min(matches[order - 1] + more, totals[order - 1])
    return float(BLEU.compute_bleu(matches, totals, sums[0], sums[1], "exp", max_ngram_order=n).score)


@given(ROWS, st.sampled_from([1, 4, 6]))
def test_ngrams_won_and_lost_are_those_of_a_plain_counter(rows: Rows, order: int) -> None:
    corpus, evaluation = counted(rows, order)
    found = compare_ngrams(corpus, evaluation, "A", "B")
    most = limits(rows, order)
    one, other = (
        [of_segment & limit for of_segment, limit in zip(plain_counts(texts, order), most, strict=True)]
        for texts in corpus.systems.values()
    )
    gained = [a - b for a, b in zip(one, other, strict=True)]
    lost = [b - a for a, b in zip(one, other, strict=True)]
    every = expected(gained, lost)
    assert listed(found, "surplus") == {ngram: row for ngram, row in every.items() if row[0] > row[1]}
    assert listed(found, "deficit") == {ngram: row for ngram, row in every.items() if row[0] < row[1]}
    matches = evaluation.stats.matches.sum(axis=1)
    for n, sums in enumerate(found.orders, start=1):
        assert (sums.order, sums.matches, sums.baseline_matches) == (n, *matches[:, n - 1])
        assert sums.surplus - sums.deficit == sums.matches - sums.baseline_matches
        assert sums.surplus == sum(row[0] for ngram, row in every.items() if len(ngram) == n)
        assert sums.in_references == sum(count for each in most for ngram, count in each.items() if len(ngram) == n)


@given(ROWS)
def test_ngrams_overused_and_missing_are_those_of_a_plain_counter(rows: Rows) -> None:
    corpus, evaluation = counted(rows)
    found = compare_ngrams(corpus, evaluation, "A")
    outputs, most = plain_counts(corpus.systems["A"], 4), limits(rows, 4)
    overused = [output - limit for output, limit in zip(outputs, most, strict=True)]
    missing = [limit - output for output, limit in zip(outputs, most, strict=True)]
    every = expected(overused, missing)
    assert listed(found, "surplus") == {ngram: row for ngram, row in every.items() if row[0]}
    assert listed(found, "deficit") == {ngram: row for ngram, row in every.items() if row[1]}
    for one in (*found.largest("surplus", number=ALL), *found.largest("deficit", number=ALL)):
        assert one.in_references == sum(limit[tuple(one.ngram.split(" "))] for limit in most)
    totals = evaluation.stats.totals[0].sum(axis=0)
    for sums in found.orders:
        assert sums.occurrences == totals[sums.order - 1] == sums.matches + sums.surplus
        assert sums.in_references == sums.matches + sums.deficit


@given(ROWS, st.sampled_from(["B", ""]))
def test_effects_are_those_of_sacrebleu_with_other_matches(rows: Rows, baseline: str) -> None:
    corpus, evaluation = counted(rows)
    found = compare_ngrams(corpus, evaluation, "A", baseline)
    a, b = (sacrebleu_score(evaluation, name) for name in "AB")
    for one in found.largest("surplus", number=ALL):
        net = one.surplus - one.deficit
        if baseline:
            effect = a - sacrebleu_score(evaluation, "A", one.order, -net)
        else:
            effect = sacrebleu_score(evaluation, "A", one.order, one.surplus) - a
        assert one.effect == pytest.approx(effect, abs=1e-9)
    for one in found.largest("deficit", number=ALL):
        net = one.surplus - one.deficit
        if baseline:
            effect = sacrebleu_score(evaluation, "B", one.order, net) - b
        else:
            effect = sacrebleu_score(evaluation, "A", one.order, one.deficit) - a
        assert one.effect == pytest.approx(effect, abs=1e-9)


@given(ROWS)
def test_exchanging_the_systems_exchanges_gains_and_losses_and_the_sign_of_effects(rows: Rows) -> None:
    corpus, evaluation = counted(rows)
    found, other = (compare_ngrams(corpus, evaluation, *names) for names in ("AB", "BA"))
    won = {one.ngram: (one.surplus, one.deficit, one.effect) for one in found.largest("surplus", number=ALL)}
    lost = {one.ngram: (one.deficit, one.surplus, -one.effect) for one in other.largest("deficit", number=ALL)}
    assert won == lost


@given(ROWS, st.sampled_from(["B", ""]))
def test_every_division_adds_up_to_the_whole_of_each_order(rows: Rows, baseline: str) -> None:
    found = compare_ngrams(*counted(rows), "A", baseline)
    columns = ("in_references", "occurrences", "matches", "baseline_matches", "surplus", "deficit")
    for groups in found.groups.values():
        for whole in found.orders:
            parts = [group for group in groups if group.order == whole.order]
            for column in columns:
                assert sum(getattr(part, column) for part in parts) == getattr(whole, column)


def of_sample() -> tuple[Corpus, BleuEvaluation]:
    """The sample data with two references."""
    whole = sample.corpus()
    corpus = Corpus(
        {name: whole.systems[name] for name in ("S1", "S3")}, {name: whole.references[name] for name in ("R1", "R2")}
    )
    return corpus, evaluate(corpus)


def test_groups_hold_the_ngrams_of_their_kind_frequency_and_length() -> None:
    corpus, evaluation = of_sample()
    found = compare_ngrams(corpus, evaluation, "S1", "S3")
    listed = [*found.largest("surplus", number=ALL), *found.largest("deficit", number=ALL)]

    def net(of_group: Sequence[NgramDifference]) -> int:
        return sum(one.surplus - one.deficit for one in of_group)

    def difference(group: NgramSums) -> int:
        return group.matches - group.baseline_matches

    for group in found.groups["kind"]:
        assert difference(group) == net([one for one in listed if (one.kind, one.order) == (group.group, group.order)])
    ranges = {"0": (0, 0), "1": (1, 1), "2-4": (2, 4), "5-9": (5, 9), "10-99": (10, 99), "100-999": (100, 999)}
    for group in found.groups["frequency"]:
        low, high = ranges.get(group.group or "", (1000, ALL))
        inside = [one for one in listed if one.order == group.order and low <= one.in_references <= high]
        assert difference(group) == net(inside)
    grouping = group_segments(corpus, "length")
    matches = evaluation.stats.matches
    for group in found.groups["length"]:
        rows = [s for s, label in enumerate(grouping.labels) if label == group.group]
        assert rows
        of_systems = matches[:, rows, group.order - 1].sum(axis=1)
        assert (group.matches, group.baseline_matches) == tuple(of_systems.tolist())


def test_an_ngram_is_of_the_strongest_kind_of_its_tokens() -> None:
    text = "in May 2019 , he said ½ ! नमस्ते 三"
    corpus = Corpus({"A": ("",)}, {"r": (text,)})
    found = compare_ngrams(corpus, evaluate(corpus, BleuSettings(tokenizer="none", max_order=2)), "A")
    kinds = {one.ngram: one.kind for one in found.largest("deficit", number=ALL)}
    assert {one for one, kind in kinds.items() if kind == "numbers"} == {
        "2019",
        "½",
        "May 2019",
        "2019 ,",
        "said ½",
        "½ !",
    }
    assert {one for one, kind in kinds.items() if kind == "punctuation"} == {",", "!", ", he", "! नमस्ते"}
    assert kinds["in May"] == kinds["नमस्ते 三"] == "words"
    assert [one.ngram for one in found.largest("deficit", kind="punctuation", order=1)] == [",", "!"]


def test_the_greatest_effects_of_each_order_come_first() -> None:
    found = compare_ngrams(*of_sample(), "S1", "S3")
    for side in ("surplus", "deficit"):
        every, few = found.largest(side, number=ALL), found.largest(side, number=3)
        for order in range(1, 5):
            effects = [abs(one.effect) for one in every if one.order == order]
            assert effects == sorted(effects, reverse=True)
            assert [one for one in every if one.order == order][:3] == [one for one in few if one.order == order]
        assert found.largest(side, number=3, order=2) == tuple(one for one in few if one.order == 2)


def test_settings_of_counting_decide_what_an_ngram_is() -> None:
    corpus = Corpus({"A": ("The Cat.",)}, {"r": ("the cat .",)})
    settings = BleuSettings(lowercase=True)
    assert not compare_ngrams(corpus, evaluate(corpus, settings), "A").largest("deficit")
    missing = compare_ngrams(corpus, evaluate(corpus), "A").largest("deficit", order=1)
    assert {one.ngram for one in missing} == {"the", "cat"}


def test_references_that_are_not_in_use_do_not_count() -> None:
    corpus = Corpus({"A": ("a b",)}, {"r1": ("a c",), "r2": ("a b",)})
    found = compare_ngrams(corpus, evaluate(corpus, references=["r1"]), "A")
    assert [one.ngram for one in found.largest("surplus", order=1)] == ["b"]


def test_texts_without_tokens_have_no_ngrams() -> None:
    corpus = Corpus({"A": ("", ""), "B": ("", "")}, {"r": ("", "")})
    for baseline in ("B", ""):
        found = compare_ngrams(corpus, evaluate(corpus), "A", baseline)
        assert found.largest("surplus") == found.largest("deficit") == ()
        assert all(sums.in_references == sums.surplus == 0 for sums in found.orders)


def test_numbers_that_mean_nothing_are_refused() -> None:
    corpus = Corpus({"A": ("a",)}, {"r": ("a",)})
    found = compare_ngrams(corpus, evaluate(corpus), "A")
    with pytest.raises(SettingsError, match="0 n-grams found, at least 1 expected"):
        found.largest("surplus", number=0)
    with pytest.raises(SettingsError, match="order 5 found, 1 to 4 expected"):
        found.largest("surplus", order=5)
    with pytest.raises(ValueError, match="not in"):
        compare_ngrams(corpus, evaluate(corpus), "A", "B")


def test_effects_are_finite_where_a_score_is_zero() -> None:
    corpus = Corpus({"A": ("x",), "B": ("a",)}, {"r": ("a",)})
    for smoothing in ("none", "exp"):
        evaluation = evaluate(corpus, BleuSettings(smoothing=smoothing))
        found = compare_ngrams(corpus, evaluation, "A", "B")
        effects = [one.effect for one in found.largest("deficit")]
        assert len(effects) == 1
        assert np.isfinite(effects).all()
