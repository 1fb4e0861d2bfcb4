"""Agreement of metrics with judges over several test sets."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleu_core.agreement import (
    MetricScores,
    RankingTest,
    calibrated_accuracy,
    metrics_robustness,
    permutation_p_values,
    segment_level,
    soft_pairwise_accuracy,
    system_level,
)
from bleu_core.agreement.metric_tests import random_swaps, standardised
from bleu_core.arrays import Floats
from bleu_core.collection import LEVELS, AgreementOverSets, RatedTestSet, agreement_over_sets
from bleu_core.dataset import Corpus, Judgments
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.inference import SEED
from bleu_core.scoring import evaluate, score_metric

TRIALS, PERMUTATIONS = 60, 100


def rated_set(name: str, human: Floats, metrics: dict[str, Floats], systems: tuple[str, ...] = ()) -> RatedTestSet:
    """A test set with these ratings (K, S) and scores of segments (K, S), whose means are the scores of systems."""
    systems = systems or tuple("ABCDEFGH"[: len(human)])
    segments = human.shape[1]
    corpus = Corpus(
        {system: tuple(f"{system} sat on the mat number {s}" for s in range(segments)) for system in systems},
        {"R": tuple(f"the cat sat on the mat number {s}" for s in range(segments))},
    )
    judgments = Judgments.from_ratings(
        np.repeat(systems, segments).tolist(),
        human.ravel(),
        list(range(1, human.size + 1)),
        "ratings.csv",
        segments=list(range(1, segments + 1)) * len(systems),
    )
    return RatedTestSet(
        name=name,
        corpus=corpus,
        evaluation=evaluate(corpus),
        judgments=judgments,
        metrics=tuple(
            MetricScores(name=key, systems=systems, system_scores=scores.mean(axis=1), segment_scores=scores.round(9))
            for key, scores in metrics.items()
        ),
    )


def drawn(name: str, seed: int, shape: tuple[int, int] = (5, 14)) -> RatedTestSet:
    """A test set with three metrics, from good to poor."""
    generator = np.random.default_rng(seed)
    human = generator.integers(0, 5, shape) + np.arange(shape[0])[:, None]
    noise = generator.normal(size=(3, *shape))
    metrics = {"good": human + noise[0], "fair": human + 3 * noise[1], "poor": noise[2]}
    return rated_set(name, human.astype(float), metrics)


SETS = (drawn("first", 1), drawn("second", 2, (4, 20)), drawn("third", 3))


def over(*sets: RatedTestSet, **options: Any) -> AgreementOverSets:
    """The agreement with few draws."""
    return agreement_over_sets(sets, **{"trials": TRIALS, "permutations": PERMUTATIONS, **options})


def matrix(test_set: RatedTestSet, name: str) -> Floats:
    return next(metric.segment_scores for metric in test_set.metrics if metric.name == name)


def ratings_of(test_set: RatedTestSet) -> Floats:
    assert test_set.judgments is not None
    return test_set.judgments.segment_means(tuple(test_set.corpus.systems), test_set.corpus.segments).scores


def soft(scores: Floats, human: Floats) -> float:
    p_values = [permutation_p_values(values, permutations=PERMUTATIONS) for values in (scores, human)]
    return soft_pairwise_accuracy(p_values[0], p_values[1]).value


def accuracy(scores: Floats, human: Floats) -> float:
    return calibrated_accuracy(scores, human, "item").accuracy


def test_the_average_is_the_mean_over_both_tasks_of_all_sets() -> None:
    found = over(*SETS)
    assert found.tasks == 6
    for metric in found.metrics:
        scores = [(matrix(test_set, metric.metric), ratings_of(test_set)) for test_set in SETS]
        systems, segments = [soft(x, y) for x, y in scores], [accuracy(x, y) for x, y in scores]
        assert [each.soft_pairwise_accuracy for each in metric.sets] == pytest.approx(systems)
        assert [each.calibrated_accuracy for each in metric.sets] == pytest.approx(segments)
        assert metric.average == pytest.approx(np.mean(systems + segments))
        assert metric.system_average == pytest.approx(np.mean(systems))
        assert metric.segment_average == pytest.approx(np.mean(segments))
    assert [metric.metric for metric in found.metrics] == ["good", "fair", "poor"]
    assert [metric.rank for metric in found.metrics] == [1, 2, 3]


def test_the_p_of_the_average_is_that_of_a_plain_loop() -> None:
    found = over(*SETS)
    for pair in found.pairs:
        delta, deltas = 0.0, np.zeros(TRIALS)
        for number, test_set in enumerate(SETS):
            human = ratings_of(test_set)
            a, b = (matrix(test_set, name) for name in (pair.metric, pair.other))
            delta += (soft(a, human) - soft(b, human) + accuracy(a, human) - accuracy(b, human)) / 6
            a, b = standardised(a), standardised(b)
            # Both tasks have the same swaps, with a row per segment.
            swaps = np.concatenate([swaps for _, swaps in random_swaps(a.T.shape, TRIALS, SEED + 1 + number)])
            for trial, swapped in enumerate(swaps.swapaxes(1, 2)):
                x, y = np.where(swapped, b, a), np.where(swapped, a, b)
                deltas[trial] += (soft(x, human) - soft(y, human) + accuracy(x, human) - accuracy(y, human)) / 6
        assert pair.delta == pytest.approx(delta)
        assert pair.p_value == pytest.approx((1 + (np.abs(deltas) >= abs(delta) - 1e-9).sum()) / (TRIALS + 1))


@pytest.mark.parametrize("test_set", SETS, ids=lambda each: each.name)
def test_one_set_is_ranked_by_segments_as_alone(test_set: RatedTestSet) -> None:
    found = over(test_set, levels=["segment"])
    assert test_set.judgments is not None
    single = segment_level(
        test_set.corpus,
        test_set.evaluation,
        test_set.judgments,
        test_set.metrics,
        ranking=RankingTest(method="acc-eq", trials=TRIALS),
    ).ranking
    assert single is not None
    assert tuple(metric.metric for metric in found.metrics) == single.metrics
    assert [metric.average for metric in found.metrics] == single.coefficients.tolist()
    assert [metric.cluster for metric in found.metrics] == single.ranks.tolist()
    np.testing.assert_array_equal(found.p_values, single.p_values)
    np.testing.assert_array_equal(found.p_values_adjusted, single.p_values_adjusted)


def words_and_ratings(rated: int) -> RatedTestSet:
    """A test set of 40 segments with BLEU, TER and two other metrics, the first segments of which are rated."""
    generator = np.random.default_rng(8)
    words = ["a", "b", "c", "d", "e", "f", "g", "h"]
    texts = {
        name: tuple(" ".join([*generator.choice(words, 9), *words[:k]]) for _ in range(40))
        for k, name in enumerate("ABCD", start=3)
    }
    corpus = Corpus(texts, {"R": tuple(" ".join(words) for _ in range(40))})
    evaluation = evaluate(corpus)
    drawn_set = drawn("rated", 7, (4, 40))
    human = np.where(np.arange(40) < rated, ratings_of(drawn_set), math.nan)
    given = rated_set("rated", human, {name: matrix(drawn_set, name) for name in ("good", "fair", "poor")})
    ter = MetricScores.of_metric(score_metric(corpus, evaluation, "ter"))
    metrics = (MetricScores.of_bleu(evaluation), ter, *given.metrics)
    return replace(given, corpus=corpus, evaluation=evaluation, metrics=metrics)


def test_one_set_has_the_same_agreement_as_alone() -> None:
    test_set = words_and_ratings(25)
    corpus, evaluation, metrics = test_set.corpus, test_set.evaluation, test_set.metrics
    assert test_set.judgments is not None
    found = agreement_over_sets([test_set], trials=20)
    ranking = RankingTest(trials=20)
    level = system_level(corpus, evaluation, test_set.judgments, metrics, ranking=ranking)
    robust = metrics_robustness(level, metrics, test_set.judgments, 40)
    segments = segment_level(corpus, evaluation, test_set.judgments, metrics, ranking=ranking)
    assert {metric.metric for metric in found.metrics} == {"BLEU", "TER", "good", "fair", "poor"}
    for metric in found.metrics:
        (on_set,) = metric.sets
        assert on_set.soft_pairwise_accuracy == robust[metric.metric].soft_pairwise_accuracy.value
        assert on_set.calibrated_accuracy == segments.calibrated[metric.metric].accuracy
        assert on_set.threshold == segments.calibrated[metric.metric].threshold
        assert 0 < metric.average < 1
    bleu = next(metric for metric in found.metrics if metric.metric == "BLEU")
    assert bleu.sets[0].signature == evaluation.signature


def on_first(test_set: RatedTestSet, segments: int) -> RatedTestSet:
    """The same test set without the other segments."""
    corpus = test_set.corpus.subset(range(segments))
    evaluation = evaluate(corpus)
    others = test_set.metrics[2:]
    assert test_set.judgments is not None
    return replace(
        test_set,
        corpus=corpus,
        evaluation=evaluation,
        judgments=test_set.judgments.subset(range(segments)),
        metrics=(
            MetricScores.of_bleu(evaluation),
            MetricScores.of_metric(score_metric(corpus, evaluation, "ter")),
            *(replace(each, segment_scores=each.segment_scores[:, :segments]) for each in others),
        ),
    )


def test_soft_pairwise_accuracy_is_of_the_rated_segments() -> None:
    test_set = words_and_ratings(25)
    first = on_first(test_set, 25)
    found, wanted = over(test_set, levels=["system"]), over(first, levels=["system"])
    assert [each.metric for each in found.metrics] == [each.metric for each in wanted.metrics]
    assert [each.average for each in found.metrics] == [each.average for each in wanted.metrics]


def test_one_set_is_ranked_by_soft_pairwise_accuracy_as_alone() -> None:
    test_set = words_and_ratings(25)
    assert test_set.judgments is not None
    data = test_set.corpus, test_set.evaluation, test_set.judgments, test_set.metrics
    found = system_level(*data, ranking=RankingTest(method="spa", trials=TRIALS)).ranking
    wanted = over(test_set, levels=["system"], permutations=1000)
    assert found is not None
    assert found.metrics == tuple(each.metric for each in wanted.metrics)
    assert found.coefficients.tolist() == [each.average for each in wanted.metrics]
    assert found.ranks.tolist() == [each.cluster for each in wanted.metrics]
    np.testing.assert_array_equal(found.p_values, wanted.p_values)
    np.testing.assert_array_equal(found.p_values_adjusted, wanted.p_values_adjusted)
    with pytest.raises(SettingsError, match="soft pairwise accuracy found, a coefficient of segments expected"):
        segment_level(*data, ranking=RankingTest(method="spa"))


@settings(max_examples=8)
@given(st.permutations(SETS), st.permutations(range(3)), st.integers(0, 99))
def test_the_order_of_sets_metrics_and_systems_does_not_matter_for_averages(
    sets: list[RatedTestSet], order: list[int], seed: int
) -> None:
    shuffled: list[RatedTestSet] = []
    for test_set in sets:
        positions = list(range(len(test_set.corpus.systems)))
        Random(seed).shuffle(positions)
        systems = tuple(list(test_set.corpus.systems)[k] for k in positions)
        metrics = {test_set.metrics[m].name: test_set.metrics[m].segment_scores[positions] for m in order}
        shuffled.append(rated_set(test_set.name, ratings_of(test_set)[positions], metrics, systems))
    found, wanted = over(*shuffled, trials=1), over(*SETS, trials=1)
    for one, other in zip(found.metrics, wanted.metrics, strict=True):
        assert one.metric == other.metric
        assert one.average == pytest.approx(other.average, abs=1e-12)
        assert (one.system_average, one.segment_average) == pytest.approx((other.system_average, other.segment_average))


def test_draws_do_not_depend_on_the_order_of_sets() -> None:
    np.testing.assert_array_equal(over(*SETS).p_values, over(*reversed(SETS)).p_values)


def test_results_are_reproducible_and_follow_the_seed() -> None:
    assert over(*SETS).pairs == over(*SETS).pairs
    assert over(*SETS).pairs != over(*SETS, seed=1).pairs


def test_a_set_without_ratings_contributes_nothing_and_is_named() -> None:
    unrated = replace(drawn("unrated", 4), judgments=None)
    means = Judgments.from_ratings(["A", "B"], [1.0, 2.0], [1, 2], "means.csv")
    whole = replace(drawn("whole", 5), judgments=means)
    unknown = Judgments.from_ratings(["Z"], [1.0], [1], "z.csv", segments=[1])
    other = replace(drawn("other", 6), judgments=unknown)
    single = rated_set("single", np.ones((1, 6)), {})
    apart = np.full((2, 6), math.nan)
    apart[0, :3], apart[1, 3:] = 1, 2
    found = over(unrated, SETS[0], whole, other, SETS[1], single, rated_set("apart", apart, {}))
    wanted = over(SETS[0], SETS[1])
    assert found.pairs == wanted.pairs
    assert found.metrics == wanted.metrics
    assert [each.test_set for each in found.sets] == ["first", "second"]
    reasons = {each.test_set: each.reason for each in found.left_out_sets}
    assert reasons.pop("other").startswith("no system has both a score and ratings")
    assert reasons == {
        "unrated": "no ratings",
        "whole": "only whole systems are rated",
        "single": "1 system with ratings, at least 2 needed",
        "apart": "no segment has ratings of two systems",
    }


def test_a_metric_that_lacks_a_set_is_named_and_not_averaged() -> None:
    second = replace(SETS[1], metrics=SETS[1].metrics[:2])
    good, fair, poor = SETS[2].metrics
    third = replace(SETS[2], metrics=(good, replace(fair, segment_scores=np.zeros((5, 0))), poor))
    found = over(SETS[0], second, third)
    assert [metric.metric for metric in found.metrics] == ["good"]
    assert not found.pairs
    assert {metric.metric: metric.reason for metric in found.left_out_metrics} == {
        "fair": "third: it has only system scores",
        "poor": "second: no scores by this metric",
    }
    of_fair = next(metric for metric in found.left_out_metrics if metric.metric == "fair")
    assert [math.isfinite(each.calibrated_accuracy) for each in of_fair.sets] == [True, True, False]


def test_a_metric_with_scores_of_other_segments_or_systems_is_left_out() -> None:
    good, fair, poor = SETS[1].metrics
    other = replace(poor, segment_scores=np.ones((4, 3)))
    found = over(SETS[0], replace(SETS[1], metrics=(good, replace(fair, systems=("W", "X", "Y", "Z")), other)))
    reasons = {each.metric: each.reason for each in found.left_out_metrics}
    assert reasons["fair"].startswith("second: scores: fair: scores of W, X, Y, Z found")
    assert reasons["poor"] == "second: scores of 3 segments found, of 20 segments expected"


def test_metrics_are_compared_on_what_all_of_them_have() -> None:
    good, fair, _ = SETS[0].metrics
    gaps = fair.segment_scores.copy()
    gaps[2, :4] = np.nan
    gaps[0] = np.nan
    partial = replace(fair, segment_scores=gaps, system_scores=np.append([np.nan], np.nanmean(gaps[1:], axis=1)))
    found = over(replace(SETS[0], metrics=(good, partial)))
    human = ratings_of(SETS[0])
    assert len(found.metrics) == 2
    for metric in found.metrics:
        scores = np.where(np.isfinite(gaps), matrix(SETS[0], metric.metric), np.nan)
        assert metric.sets[0].calibrated_accuracy == accuracy(scores, human)
        assert metric.sets[0].soft_pairwise_accuracy == pytest.approx(soft(scores, human))


def test_a_set_on_which_metrics_share_nothing_is_left_out() -> None:
    human = ratings_of(SETS[0])
    is_left = np.arange(14) < 7
    halves = {"good": np.where(is_left, human, np.nan), "fair": np.where(is_left, np.nan, human)}
    apart = rated_set("apart", human, halves)
    apart = replace(apart, metrics=tuple(replace(metric, system_scores=np.ones(5)) for metric in apart.metrics))
    first = replace(SETS[0], metrics=SETS[0].metrics[:2])
    found = over(first, apart)
    assert [each.test_set for each in found.sets] == ["first"]
    (left_out,) = found.left_out_sets
    assert left_out.reason == (
        "on the entries that all metrics have scores of: no pair of systems has both scores; "
        "no group has two entries with both scores"
    )
    assert found.pairs == over(first).pairs


def test_human_translators_are_excluded_as_on_one_set() -> None:
    found = over(replace(SETS[0], without={"B": "a person"}))
    (compared,) = found.sets
    assert compared.systems == ("A", "C", "D", "E")
    assert [(each.system, each.reason) for each in compared.excluded] == [("B", "a person")]
    rows = [0, 2, 3, 4]
    good = next(metric for metric in found.metrics if metric.metric == "good")
    assert good.segment_average == accuracy(matrix(SETS[0], "good")[rows], ratings_of(SETS[0])[rows])


def test_better_metrics_form_their_own_clusters() -> None:
    sets = [drawn(str(seed), seed, (6, 40)) for seed in range(3)]
    found = over(*sets, trials=199)
    assert [(metric.metric, metric.cluster) for metric in found.metrics] == [("good", 1), ("fair", 2), ("poor", 3)]
    upper = np.triu_indices(3, k=1)
    assert (found.p_values_adjusted[upper] < 0.05).all()
    np.testing.assert_array_equal(found.p_values, found.p_values.T)
    assert [pair.p_value for pair in found.pairs] == found.p_values[upper].tolist()
    single = over(*sets, trials=199, alternative="greater", correction="none")
    assert np.isnan(single.p_values[np.tril_indices(3)]).all()
    assert [pair.p_value_adjusted for pair in single.pairs] == single.p_values[upper].tolist()


def test_equal_metrics_share_a_rank_and_have_p_1() -> None:
    sets = [replace(each, metrics=(*each.metrics, replace(each.metrics[0], name="also"))) for each in SETS[:2]]
    found = over(*sets)
    assert [(metric.metric, metric.rank) for metric in found.metrics[:3]] == [("also", 1), ("good", 1), ("fair", 3)]
    assert (found.pairs[0].delta, found.pairs[0].p_value) == (0, 1)


def test_progress_counts_the_trials_of_all_pairs_and_tasks() -> None:
    calls: list[tuple[int, int]] = []
    over(*SETS[:2], progress=lambda done, total: calls.append((done, total)))
    total = 3 * 4 * TRIALS
    assert {of for _, of in calls} == {total}
    assert calls == sorted(calls)
    assert calls[-1] == (total, total)


def test_progress_can_cancel() -> None:
    def cancel(*_: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        over(*SETS, progress=cancel)


def test_invalid_input_is_refused() -> None:
    with pytest.raises(AlignmentError, match=r"no test set with ratings to compare metrics with found \(first: no rat"):
        over(replace(SETS[0], judgments=None))
    with pytest.raises(AlignmentError, match="no test set"):
        over()
    with pytest.raises(SettingsError, match="two test sets are called first; rename one"):
        over(SETS[0], SETS[0])
    with pytest.raises(SettingsError, match="two metrics of first are called good; rename one"):
        over(replace(SETS[0], metrics=SETS[0].metrics * 2))
    with pytest.raises(SettingsError, match="no level found, system, segment or both expected"):
        over(SETS[0], levels=[])
    with pytest.raises(SettingsError, match="0 trials found, at least 1 expected"):
        over(SETS[0], trials=0)
    with pytest.raises(SettingsError, match="seed -1 found"):
        over(SETS[0], seed=-1)


def test_levels_are_those_of_tasks() -> None:
    assert LEVELS == ("system", "segment")
    found = over(SETS[0], SETS[1], levels=["system"])
    assert (found.levels, found.tasks) == (("system",), 2)
    assert all(metric.segment_average is None for metric in found.metrics)
    assert [metric.average for metric in found.metrics] == [metric.system_average for metric in found.metrics]
