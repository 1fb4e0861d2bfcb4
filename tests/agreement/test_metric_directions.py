"""Metrics that are read in the wrong direction."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from bleu_core.agreement import MetricScores, doubtful_directions
from bleu_core.agreement.metric_directions import MIN_SEGMENTS, MIN_SYSTEMS
from bleu_core.arrays import Floats


def metric(of_segments: Floats, *, higher_is_better: bool = True, name: str = "M") -> MetricScores:
    systems = tuple(f"s{k}" for k in range(len(of_segments)))
    return MetricScores(
        name=name,
        systems=systems,
        system_scores=of_segments.mean(axis=1),
        segment_scores=of_segments,
        higher_is_better=higher_is_better,
    )


def systems_only(values: Floats) -> MetricScores:
    return MetricScores(
        name="M",
        systems=tuple(f"s{k}" for k in range(len(values))),
        system_scores=values,
        segment_scores=np.empty((len(values), 0)),
    )


def sentences(scores: MetricScores, human: Floats) -> list[str]:
    found = doubtful_directions([scores], scores.systems, human.mean(axis=1), human)
    return [each.sentence for each in found]


def test_a_metric_whose_sign_is_turned_is_named_with_the_option_that_turns_it() -> None:
    rng = np.random.default_rng(1)
    human = rng.normal(size=(4, 60))
    scores = 0.5 * human + rng.normal(size=human.shape)
    assert sentences(metric(scores), human) == []
    taus = np.array([stats.kendalltau(-scores[:, s], human[:, s]).statistic for s in range(60)])
    assert stats.ttest_1samp(taus, 0).pvalue < 0.05
    evidence = f"Kendall's tau with the ratings by segment is \N{MINUS SIGN}{-taus.mean():.3f} on average"
    (sentence,) = sentences(metric(-scores), human)
    assert sentence == (
        f"M: its direction may be wrong: its scores are read as higher is better, and {evidence}; if lower is better, "
        "say so with --lower-is-better M, or by Lower is better on the Data page"
    )
    (other,) = sentences(metric(-scores, higher_is_better=False), human)
    assert "read as lower is better" in other
    assert "--higher-is-better M" in other


def test_a_metric_of_systems_is_named_below_its_limit_and_with_enough_systems() -> None:
    human = np.arange(float(MIN_SYSTEMS))[:, None]
    assert len(sentences(systems_only(-human[:, 0]), human)) == 1
    assert (
        "Pearson's r with the mean ratings of 8 systems is \N{MINUS SIGN}1.000"
        in sentences(systems_only(-human[:, 0]), human)[0]
    )
    assert sentences(systems_only(-human[1:, 0]), human[1:]) == []
    noisy = -human[:, 0] + np.array([0, 9, -9, 9, 0, -9, 0, 0])
    assert -0.8 < stats.pearsonr(noisy, human[:, 0]).statistic < 0
    assert sentences(systems_only(noisy), human) == []


def test_a_metric_that_prefers_other_systems_but_agrees_within_each_is_not_named() -> None:
    rng = np.random.default_rng(2)
    within = rng.normal(size=60)
    human = np.array([within, within + 3])
    scores = np.array([within + 3, within]) + 0.1 * rng.normal(size=human.shape)
    taus = [stats.kendalltau(scores[:, s], human[:, s]).statistic for s in range(60)]
    assert np.mean(taus) < -0.9
    assert sentences(metric(scores), human) == []


def test_few_segments_name_no_metric() -> None:
    human = np.arange(4.0)[:, None] + np.zeros(MIN_SEGMENTS - 1)
    assert sentences(metric(-human), human) == []


@pytest.mark.parametrize("seed", range(3))
def test_metrics_without_any_relation_are_seldom_named(seed: int) -> None:
    rng = np.random.default_rng(seed)
    named = sum(bool(sentences(metric(rng.normal(size=(5, 40))), human)) for human in rng.normal(size=(200, 5, 40)))
    assert named <= 10  # 2.5% at most by the test over segments, and half of those agree within systems
