"""One rule wherever a p-value is compared with a level: p is significant below it, and not where the two are equal."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bleu_core.agreement import MetricRanking
from bleu_core.agreement.metric_tests import rank_clusters
from bleu_core.inference import ALPHA, BlockScores, Comparison, Comparisons, Interval, PairedT, compare, equal_blocks
from bleu_core.inference.blocks import NeighbourPair
from bleu_core.judges import PairedDifference, RatingDifference, RatingDifferences, Unit
from bleu_core.scoring import SegmentStatistics, find_metric
from dashboard.exhibits.metrics import metric_p_values
from dashboard.exhibits.rater_differences import mean_differences
from dashboard.words import judge_sentences, sentences, verdicts

BELOW = math.nextafter(ALPHA, 0)
LEVELS = pytest.mark.parametrize(("p", "significant"), [(BELOW, True), (ALPHA, False), (math.nan, False)])


def compared(p: float, adjusted: float) -> Comparisons:
    """A against B, with that p and that corrected p."""
    pair = Comparison(
        system="A",
        baseline="B",
        delta=1.0,
        interval=Interval(0.1, 1.9, 0.95),
        p_value=p,
        p_value_adjusted=adjusted,
        reason="no variance" if math.isnan(p) else "",
    )
    return Comparisons(
        test="bootstrap",
        systems=("A", "B"),
        scores=np.array([2.0, 1.0]),
        pairs=(pair,),
        higher_is_better=True,
        unit="segment",
        units=100,
        segments=100,
        resamples=1000,
        trials=0,
        seed=1,
        correction="holm",
        alpha=ALPHA,
    )


def ranked(p: float) -> MetricRanking:
    """Two metrics whose difference has that corrected p."""
    p_values = np.array([[np.nan, p], [p, np.nan]])
    ranks = rank_clusters(p_values)
    return MetricRanking(
        test="perm-both",
        method="pearson",
        grouping="none",
        metrics=("a", "b"),
        coefficients=np.array([0.9, 0.1]),
        p_values=p_values,
        p_values_adjusted=p_values,
        ranks=ranks,
        alternative="two-sided",
        correction="holm",
        alpha=ALPHA,
        entries=12,
    )


def rated(p: float) -> RatingDifferences:
    """Two systems whose difference has that p over every unit."""

    def of(unit: Unit) -> PairedDifference:
        return PairedDifference(
            unit=unit,
            n=30,
            mean=1.0,
            standard_deviation=1.0,
            t=2.0,
            degrees_of_freedom=29,
            p_value=p,
            interval=Interval(0.0, 2.0, 0.95),
        )

    pair = RatingDifference(
        better="A",
        worse="B",
        difference_of_means=1.0,
        by_judge_and_segment=of("judge and segment"),
        by_segment=of("segment"),
        by_judge=of("judge"),
    )
    return RatingDifferences(("B", "A"), np.array([1.0, 2.0]), (pair,))


def rated_twice(p: float) -> RatingDifferences:
    """Two such pairs; Holm's method multiplies the smaller p by two."""
    one = rated(p / 2)
    return replace(one, pairs=(one.pairs[0], replace(rated(1.0).pairs[0], better="C")))


@LEVELS
def test_verdicts_of_systems(p: float, *, significant: bool) -> None:
    found = compared(p, p)
    assert bool(found.verdict(found.pairs[0])) is significant


@pytest.mark.parametrize(("p", "significant"), [(BELOW, True), (ALPHA, False)])
def test_what_the_correction_takes_away_was_significant_alone(p: float, *, significant: bool) -> None:
    found = compared(p, 0.5)
    assert verdicts.meaning_of_p(found, found.pairs[0]).startswith("On its own, p") is significant


@pytest.mark.parametrize(("alpha", "possible"), [(0.03126, True), (0.03125, False)])
def test_so_few_swaps_that_no_p_can_be_below_the_level_are_warned_of(alpha: float, *, possible: bool) -> None:
    # Of 6 segments the outputs can be swapped in 2 ** 5 ways that differ, so that p is 1 / 32 at least.
    table = SegmentStatistics(
        ("A", "B"), np.arange(12.0).reshape(2, 6, 1), lambda sums: np.asarray(sums[..., 0], np.float64)
    )
    found = compare(table, [(1, 0)], test="randomization", trials=200, alpha=alpha)
    assert any("no difference can be significant" in warning for warning in found.warnings) is not possible


@LEVELS
def test_ranks_of_metrics(p: float, *, significant: bool) -> None:
    assert ranked(p).ranks.tolist() == ([1, 2] if significant else [1, 1])


@LEVELS
def test_the_sentence_on_the_best_metric(p: float, *, significant: bool) -> None:
    assert ("significantly better than the other" in sentences.best_metric(ranked(p))) is significant


@LEVELS
def test_the_cells_of_metrics_told_apart(p: float, *, significant: bool) -> None:
    cells: Any = metric_p_values(ranked(p)).data[0]
    assert bool(cells.z[0][1] == 1) is significant


@LEVELS
def test_neighbours_on_blocks(p: float, *, significant: bool) -> None:
    pair = NeighbourPair(
        system="B",
        baseline="A",
        delta=1.0,
        test=PairedT(mean_difference=1.0, standard_error=0.5, t=2.0, degrees_of_freedom=1, p_value=p),
    )
    scores = np.array([[1.0, 2.0], [2.0, 3.5]])
    found = BlockScores(
        metric=find_metric("bleu"),
        signature="",
        systems=("A", "B"),
        blocks=equal_blocks(4, 2),
        corpus_scores=np.array([1.5, 2.5]),
        scores=scores,
        pairs=(pair,),
    )
    verdict = f"The two systems {'differ' if significant else 'do not differ'} significantly"
    assert verdict in sentences.spread_of_blocks(found)


@pytest.mark.parametrize(("p", "significant"), [(BELOW, True), (ALPHA, False)])
def test_systems_told_apart_by_raters(p: float, *, significant: bool) -> None:
    assert ("No significant difference" not in judge_sentences.raters_verdict(rated(p), neighbours=True)) is significant
    count = "1 of 2" if significant else "None of 2"
    assert f"{count} pairs of systems differ" in judge_sentences.raters_verdict(rated_twice(p), neighbours=False)


@LEVELS
def test_the_markers_of_rater_differences(p: float, *, significant: bool) -> None:
    drawn = mean_differences(rated(p), ["segment"]).to_dict()["data"]
    (symbol,) = next(trace["marker"]["symbol"] for trace in drawn if trace.get("name") == "by segment" and trace["x"])
    assert symbol.endswith("-open") is not significant
