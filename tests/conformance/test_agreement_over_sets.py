"""Agreement over two real test sets, against the definitions of mt-metrics-eval in plain numpy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conformance.test_agreement import TED, WMT23, corpus, counted

from bleu_core.agreement import MetricScores, RankingTest, metrics_robustness, segment_level, system_level
from bleu_core.arrays import Floats
from bleu_core.collection import AgreementOverSets, RatedTestSet, agreement_over_sets
from bleu_core.formats import read
from bleu_core.inference import SEED
from bleu_core.scoring import score_metric

#: Random swaps of mt-metrics-eval for the p-value of two systems.
PERMUTATIONS = 1000

TRIALS = 40


def rated(data: Path, name: str) -> RatedTestSet:
    """A test set with three metrics; the score of a system is that of the corpus."""
    texts, evaluation = corpus(data / name), counted(data / name, "ref.A")
    others = (MetricScores.of_metric(score_metric(texts, evaluation, key)) for key in ("chrf2", "wer"))
    return RatedTestSet(
        name=name,
        corpus=texts,
        evaluation=evaluation,
        judgments=read((data / name / "human.csv").read_bytes(), "human.csv", "judgments").judgments,
        metrics=(MetricScores.of_bleu(evaluation), *others),
        without=tuple(system for system in texts.systems if system.startswith("ref.")),
    )


@pytest.fixture(scope="module")
def sets(folder: Path) -> tuple[RatedTestSet, ...]:
    return tuple(rated(folder / "data", name) for name in (TED, WMT23))


def by_segments(test_set: RatedTestSet) -> RatedTestSet:
    """The test set as mt-metrics-eval has it: the score of a system is the mean over its segments."""
    metrics = tuple(
        replace(each, sums=None, system_scores=each.segment_scores.mean(axis=1)) for each in test_set.metrics
    )
    return replace(test_set, metrics=metrics)


@pytest.fixture(scope="module")
def averaged(sets: tuple[RatedTestSet, ...]) -> AgreementOverSets:
    return agreement_over_sets([by_segments(test_set) for test_set in sets], trials=TRIALS)


def p_values_by_hand(scores: Floats, *, ties: float) -> Floats:
    """One-sided p of each pair of systems by random swaps; those that equal the observed difference count `ties`."""
    signs = np.where(np.random.default_rng(SEED).random((PERMUTATIONS, scores.shape[1]), np.float32) > 0.5, 1, -1)
    p_values: list[float] = []
    for i, j in combinations(range(len(scores)), 2):
        differences = scores[i] - scores[j]
        excess = signs @ differences - differences.sum()
        p_values.append((excess > 1e-6).mean() + ties * (np.abs(excess) <= 1e-6).mean())
    return np.array(p_values)


def machines(test_set: RatedTestSet) -> list[str]:
    return [system for system in test_set.corpus.systems if not system.startswith("ref.")]


def ratings_by_system(test_set: RatedTestSet) -> Floats:
    """The mean rating of each segment by each machine, (K, S)."""
    assert test_set.judgments is not None
    table = test_set.judgments.table.groupby(["system", "segment"])["score"].mean().round(9)
    return np.array([[table[system, s + 1] for s in range(test_set.corpus.segments)] for system in machines(test_set)])


def accuracy_by_hand(scores: Floats, human: Floats) -> float:
    """The highest mean over segments of the share of pairs in the right order, over all thresholds of ties."""
    first, second = np.triu_indices(len(scores), k=1)
    differences, truth = scores[first] - scores[second], np.sign(human[first] - human[second])
    sizes = np.abs(differences).round(9).ravel()
    right = (np.sign(differences.round(9)) == truth).ravel()
    order = np.argsort(sizes)
    tied = np.append(0, np.cumsum((truth == 0).ravel()[order]))  # right if the smallest differences are ties
    untied = right.sum() - np.append(0, np.cumsum(right[order]))  # right of the others
    sizes = np.append(sizes[order], np.inf)
    is_threshold = np.append(sizes[0] > 0, sizes[1:] > sizes[:-1])  # equal differences are ties together
    return float((tied + untied)[is_threshold].max()) / differences.size


def test_the_average_equals_the_definitions_of_mt_metrics_eval(
    sets: tuple[RatedTestSet, ...], averaged: AgreementOverSets
) -> None:
    of_people = {
        (test_set.name, ties): p_values_by_hand(ratings_by_system(test_set), ties=ties)
        for test_set in sets
        for ties in (0.5, 1)
    }
    for metric in averaged.metrics:
        tasks: list[float] = []
        for test_set, on_set in zip(sets, metric.sets, strict=True):
            (scored,) = (each for each in test_set.metrics if each.name == metric.metric)
            systems = machines(test_set)
            scores = scored.segment_scores[[scored.systems.index(system) for system in systems]]
            of_metric, of_judges = p_values_by_hand(scores, ties=0.5), of_people[test_set.name, 0.5]
            human = ratings_by_system(test_set)
            tasks += [1 - float(np.abs(of_metric - of_judges).mean()), accuracy_by_hand(scores, human)]
            assert on_set.soft_pairwise_accuracy == pytest.approx(tasks[-2], abs=1e-9)
            assert on_set.calibrated_accuracy == pytest.approx(tasks[-1], abs=1e-9)
            # mt-metrics-eval counts permutations that equal the observed difference fully, and its p of a pair and of
            # the reversed pair sum to more than 1.
            of_metric, of_judges = p_values_by_hand(scores, ties=1), of_people[test_set.name, 1]
            assert on_set.soft_pairwise_accuracy == pytest.approx(1 - np.abs(of_metric - of_judges).mean(), abs=0.01)
        assert metric.average == pytest.approx(np.mean(tasks), abs=1e-9)
    assert [metric.average for metric in averaged.metrics] == sorted(
        (metric.average for metric in averaged.metrics), reverse=True
    )


def test_one_set_equals_the_agreement_of_that_set(sets: tuple[RatedTestSet, ...]) -> None:
    for test_set in sets:
        assert test_set.judgments is not None
        found = agreement_over_sets([test_set], levels=["segment"], trials=TRIALS)
        ranking = RankingTest(method="acc-eq", trials=TRIALS)
        data = test_set.corpus, test_set.evaluation, test_set.judgments, test_set.metrics
        single = segment_level(*data, ranking=ranking, without=test_set.without).ranking
        assert single is not None
        assert tuple(metric.metric for metric in found.metrics) == single.metrics
        assert [metric.average for metric in found.metrics] == single.coefficients.tolist()
        assert [metric.cluster for metric in found.metrics] == single.ranks.tolist()
        np.testing.assert_array_equal(found.p_values, single.p_values)
        level = system_level(*data, ranking=RankingTest(trials=1), without=test_set.without)
        robust = metrics_robustness(level, test_set.metrics, test_set.judgments, test_set.corpus.segments)
        for metric in found.metrics:
            assert metric.sets[0].soft_pairwise_accuracy == robust[metric.metric].soft_pairwise_accuracy.value


#: Soft pairwise accuracy by mt-metrics-eval's pce.py (commit 68a481a), with its 1,000 permutations and its seed, of the
#: 460 rated segments of 557, for the four systems that are here.
OF_PCE = {"BLEU-refA": 0.8608333333333333, "chrF-refA": 0.8636666666666667}
SEED_OF_PCE = 4


def test_soft_pairwise_accuracy_equals_that_of_mt_metrics_eval_where_not_all_segments_are_rated(
    folder: Path, command: Callable[..., Any]
) -> None:
    archive = "--archive", folder / "data" / "formats" / "mt-metrics-eval"
    named = [option for name in OF_PCE for option in ("--metric", name)]
    report = command("correlate", *archive, *named, "--method", "spa", "--seed", SEED_OF_PCE, "--trials", 20)
    found = {each["metric"]: each["coefficient"] for each in report["ranking"]["metrics"]}
    assert found == pytest.approx(OF_PCE, abs=0.0005)


def test_segments_that_nobody_rated_do_not_make_a_metric_more_certain(
    folder: Path, command: Callable[..., Any]
) -> None:
    case = folder / "cases" / "47-spa-unrated-segments"
    texts = ["--ref", case / "ref.txt", *(case / f"{name}.txt" for name in "ABCD")]
    report = command(
        "correlate", *texts, "--human", case / "human.csv", "--metric-scores", case / "scores.csv", "--metric", "X"
    )
    assert 0.809 < report["soft_pairwise_accuracy"]["value"] < 0.812
