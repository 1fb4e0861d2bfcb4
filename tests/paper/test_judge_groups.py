"""BLEU beside groups of judges: Figures 3 to 7."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bleu_core.dataset import Corpus, Judgments
from bleu_core.errors import AlignmentError
from bleu_core.paper.judge_groups import group_agreements, group_differences, judge_groups, normalised
from bleu_core.scoring import BleuSettings, evaluate

WORDS = BleuSettings(tokenizer="none", max_order=1, smoothing="none")
CORPUS = Corpus(
    {"A": ("a x", "x x"), "B": ("a b", "x x"), "C": ("a b", "c x"), "D": ("a b", "c d")},
    {"R": ("a b", "c d"), "Q": ("b a", "d c")},
)
Rating = tuple[int, str, str, float, str | None]


def ratings(*rows: Rating) -> Judgments:
    segments, systems, judges, scores, groups = zip(*rows, strict=True)
    return Judgments.from_ratings(
        systems, scores, range(len(rows)), "human.csv", segments=segments, judges=judges, groups=groups
    )


# "up" rates A to D as BLEU does, "down" the other way round but by less.
BOTH = ratings(
    *((s, name, "x", score + s, "up") for name, score in zip("ABCD", (1, 3, 5, 9), strict=True) for s in (1, 2)),
    *((s, name, "y", score + s, "down") for name, score in zip("ABCD", (3, 2, 1, 0), strict=True) for s in (1, 2)),
)


def test_groups_follow_all_judges() -> None:
    counts = {group: judgments.judge_count for group, judgments in judge_groups(BOTH).items()}
    assert list(counts.items()) == [(None, 2), ("up", 1), ("down", 1)]
    assert list(judge_groups(ratings((1, "A", "x", 1, None)))) == [None]
    assert list(judge_groups(ratings((1, "A", "x", 1, "alone"), (2, "B", "x", 1, "alone")))) == [None]


def test_neighbours_are_those_of_all_judges_and_keep_their_direction() -> None:
    # Means of both: 2, 2.5, 3, 4.5 (and 1.5 for the segments): A, B, C, D.
    everyone, up, down = group_differences(BOTH, list("ABCD"))
    for group in (everyone, up, down):
        assert group.systems == ("A", "B", "C", "D")
        assert [(p.better, p.worse) for p in group.pairs] == [("B", "A"), ("C", "B"), ("D", "C")]
    assert [p.by_segment.mean for p in up.pairs] == [2, 2, 4]
    assert [p.by_segment.mean for p in down.pairs] == [-1, -1, -1]
    assert [p.by_segment.mean for p in everyone.pairs] == [0.5, 0.5, 1.5]
    assert [p.by("judge and segment").n for p in everyone.pairs] == [4, 4, 4]
    assert [p.by("judge").n for p in everyone.pairs] == [2, 2, 2]
    # B - A over judge and segment: 2, 2, -1, -1: mean .5, deviation sqrt(3), half the interval 3.182 * sqrt(3) / 2.
    pair = everyone.pairs[0].by_judge_and_segment
    assert pair.interval.high == pytest.approx(0.5 + 3.182446 * math.sqrt(3) / 2)
    assert not everyone.pairs[0].significant


def test_a_difference_turned_round_turns_its_interval() -> None:
    rows = [(s, "A", "x", 1.0 + s, "up") for s in (1, 2, 3)] + [(s, "B", "x", 9.0 * s, "up") for s in (1, 2, 3)]
    rows += [(s, "A", "y", 2.0 * s, "down") for s in (1, 2, 3)] + [(s, "B", "y", 1.0, "down") for s in (1, 2, 3)]
    _, _, down = group_differences(ratings(*rows), list("AB"))
    pair = down.pairs[0].by_judge_and_segment  # B - A: -1, -3, -5
    assert (down.pairs[0].better, pair.mean) == ("B", -3)
    assert pair.t == pytest.approx(-3 / (2 / math.sqrt(3)))
    assert pair.interval.low == pytest.approx(-3 - 4.302653 * 2 / math.sqrt(3))
    assert pair.interval.low < pair.mean < pair.interval.high


def test_ratings_of_other_systems_make_no_neighbour() -> None:
    (everyone, *_) = group_differences(BOTH, ["A", "D"])
    assert [(p.better, p.worse) for p in everyone.pairs] == [("D", "A")]


def test_agreement_is_of_each_group_with_and_without_humans() -> None:
    evaluation = evaluate(CORPUS, WORDS, references=["Q"])
    everyone, up, down = group_agreements(CORPUS, evaluation, BOTH)
    assert [a.group for a in (everyone, up, down)] == [None, "up", "down"]
    # BLEU 25, 50, 75, 100; up 1, 3, 5, 9.
    assert up.everyone.pearson.coefficient == pytest.approx(np.corrcoef([25, 50, 75, 100], [1, 3, 5, 9])[0, 1])
    assert down.everyone.pearson.coefficient == -1
    assert up.machines is None
    for one in group_agreements(CORPUS, evaluation, BOTH, humans=["D"]):
        assert one.machines is not None
        assert one.machines.systems == ("A", "B", "C")
        assert one.everyone.systems == ("A", "B", "C", "D")


def test_a_group_that_rated_nothing_comparable_is_left_out() -> None:
    # D equals the reference R and is compared by nobody.
    rows = (*((1, name, "x", score, "up") for name, score in zip("ABC", (1.0, 2.0, 3.0), strict=True)),)
    found = group_agreements(CORPUS, evaluate(CORPUS, WORDS), ratings(*rows, (1, "D", "y", 3, "other")))
    assert [a.group for a in found] == [None, "up"]
    with pytest.raises(AlignmentError, match="no system has both a score and ratings"):
        group_agreements(CORPUS, evaluate(CORPUS, WORDS), ratings((1, "D", "y", 3, "other")))


def test_scores_are_scaled_to_the_range_of_the_systems_all_groups_rated() -> None:
    evaluation = evaluate(CORPUS, WORDS, references=["Q"])
    found = normalised(group_agreements(CORPUS, evaluation, BOTH))
    assert found.systems == ("A", "B", "C", "D")
    assert found.bleu.values == pytest.approx([0, 1 / 3, 2 / 3, 1])
    everyone, up, down = found.groups
    assert (everyone.group, up.group, down.group) == (None, "up", "down")
    assert up.values == pytest.approx([0, 1 / 4, 1 / 2, 1])
    assert down.values == pytest.approx([1, 2 / 3, 1 / 3, 0])
    partly = ratings(*((1, n, "x", ord(n), "up") for n in "ABCD"), *((1, n, "y", ord(n), "few") for n in "DB"))
    assert normalised(group_agreements(CORPUS, evaluation, partly)).systems == ("B", "D")


def test_constant_ratings_have_no_range() -> None:
    constant = ratings(*((1, n, "x", 3.0, None) for n in "ABCD"))
    agreements = group_agreements(CORPUS, evaluate(CORPUS, WORDS, references=["Q"]), constant)
    assert agreements[0].everyone.pearson.reason == "all systems have the same mean rating"
    assert np.isnan(normalised(agreements).groups[0].values).all()
