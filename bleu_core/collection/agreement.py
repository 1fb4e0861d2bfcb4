"""Agreement of metrics with judges over several test sets, averaged with equal weights.

Each test set contributes two tasks, as in the WMT24 and WMT25 metrics shared tasks: soft pairwise accuracy of systems,
and tie-calibrated accuracy (acc_eq) of segments, compared within segments. K systems, S segments, M metrics.

Source:
    Freitag et al. (2024), 2024.wmt-1.2; Lavie et al. (2025), 2025.wmt-1.24; mt-metrics-eval, tasks.py, WMT24 and
    AverageCorrMatrix. Soft pairwise accuracy: Thompson et al. (2024), arXiv 2409.09598; acc_eq: Deutsch, Foster and
    Freitag (2023), arXiv 2305.14324.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from bleu_core.agreement import (
    ACCURACY,
    MIN_ENTRIES,
    PERMUTATIONS,
    ROUNDING_ERROR,
    TRIALS,
    Alternative,
    CalibratedAccuracy,
    Exclusion,
    HumanSystems,
    MetricScores,
    RatedScores,
    SoftPairwiseAccuracy,
    SwappedDifferences,
    calibrated_accuracy,
    correlate,
    permutation_p_values,
    rank_clusters,
    segment_ratings,
    soft_pairwise_accuracy,
    swap_p_values,
    swapped_differences,
    swapped_soft_accuracies,
)
from bleu_core.arrays import Floats
from bleu_core.dataset import Corpus, Judgments, RatedSegments, plural
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.fields import P_VALUE, P_VALUE_ADJUSTED, REASON, Field, field, fields_of, result
from bleu_core.inference import ALPHA, SEED, Correction, adjust, check_draws
from bleu_core.progress import Progress, offset_progress
from bleu_core.scoring import BleuEvaluation

#: What a task compares: systems, by soft pairwise accuracy, or segments, by acc_eq.
Level = Literal["system", "segment"]

LEVELS: tuple[Level, ...] = get_args(Level)

METRIC = Field("text", "Name of the metric.")
SOFT_PAIRWISE_ACCURACY = fields_of(SoftPairwiseAccuracy)["value"]
SYSTEM_AVERAGE = Field("number", "Mean soft pairwise accuracy over the test sets.", "SPA", best="highest")
SEGMENT_AVERAGE = Field("number", "Mean tie-calibrated accuracy over the test sets.", "acc_eq", best="highest")

#: Minimum number of systems for a pair.
MIN_SYSTEMS = 2

_Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedTestSet:
    """A test set on which metrics are compared with judges.

    Attributes:
        name: its name, unique among the test sets.
        corpus: the texts that were evaluated.
        evaluation: of them.
        metrics: scores of the same systems; a metric has the same name in all test sets. If `sums` is None, the score
            of a system is the mean over its segments.
        judgments: the ratings; None if there are none.
        without: human translators to exclude, or each with the reason.
    """

    name: str
    corpus: Corpus
    evaluation: BleuEvaluation
    metrics: tuple[MetricScores, ...]
    judgments: Judgments | None = None
    without: HumanSystems = ()


@result
class SetAgreement:
    """Agreement of a metric with judges on one test set.

    Attributes:
        test_set: name of the test set.
        signature: of the metric, if it has one.
        soft_pairwise_accuracy, calibrated_accuracy: 0 to 1; NaN if undefined.
        threshold: of the ties of acc_eq, in the metric's unit.
        reason: why one of them is undefined; empty if both are defined.
    """

    test_set: str = field("text", "Name of the test set.", key="set")
    signature: str = field("text", "Signature to quote with the scores of the metric.")
    soft_pairwise_accuracy: float = field(SOFT_PAIRWISE_ACCURACY)
    calibrated_accuracy: float = field(ACCURACY)
    threshold: float = field(fields_of(CalibratedAccuracy)["threshold"])
    reason: str = field(REASON, default="")

    def value(self, level: Level) -> float:
        """The agreement at a level."""
        return self.soft_pairwise_accuracy if level == "system" else self.calibrated_accuracy


@result
class AveragedMetric:
    """A metric with its average agreement with judges over test sets."""

    metric: str = field(METRIC)
    average: float = field("number", "Mean of the agreement over all tasks, with equal weights.", best="highest")
    rank: int = field("count", "Rank by the average, from 1, the best; equal averages have the same rank.")
    cluster: int = field(
        "count", "Cluster, from 1: no metric of a cluster has a significantly better average than another one of it."
    )
    system_average: float | None = field(SYSTEM_AVERAGE, default=None)
    segment_average: float | None = field(SEGMENT_AVERAGE, default=None)
    sets: tuple[SetAgreement, ...] = field("object", "Agreement on each test set.")


@result
class NotAveragedMetric:
    """A metric that is not averaged, since it has no agreement on some test set."""

    metric: str = field(METRIC)
    reason: str = field("text", "Why the metric is left out of the average, by test set.")
    sets: tuple[SetAgreement, ...] = field("object", "Agreement on each test set.")


@result
class ComparedSet:
    """A test set that is part of the average.

    Attributes:
        systems: the compared systems.
        excluded: systems that are not compared, with the reason.
        rated: how many segments of the systems are rated; None if that is unknown.
    """

    test_set: str = field("text", "Name of the test set.", key="set")
    systems: tuple[str, ...] = field("object", "Systems that are compared.")
    segments: int = field("count", "Segments with ratings.")
    excluded: tuple[Exclusion, ...] = field("object", "Systems that are left out, with the reason.")
    rated: RatedSegments | None = None


@result
class LeftOutSet:
    """A test set that is not part of the average."""

    test_set: str = field("text", "Name of the test set.", key="set")
    reason: str = field("text", "Why the test set is left out.")


@result
class AveragePair:
    """The difference between two metrics' averages."""

    metric: str = field("text", "The metric with the better average.")
    other: str = field("text", "The other metric.")
    delta: float = field("number", "Average of the metric minus that of the other.")
    p_value: float = field(P_VALUE)
    p_value_adjusted: float = field(P_VALUE_ADJUSTED)
    reason: str = field(REASON, default="")


@result
class AgreementOverSets:
    """Metrics ranked by their average agreement with judges over test sets.

    Attributes:
        levels: levels of the tasks of each test set.
        sets: test sets of the average, in the order given.
        left_out_sets: test sets without ratings, or otherwise without agreement.
        metrics: M metrics, the best average first, ties by name.
        left_out_metrics: metrics without agreement on one of the test sets.
        pairs: all pairs of metrics, in the order of the metrics.
        p_values, p_values_adjusted: (M, M) two-sided and symmetric, or, for the alternative "greater", of "row agrees
            better than column", above the diagonal only; NaN on the diagonal.
    """

    levels: tuple[Level, ...] = field("object", "Levels of the tasks of each test set: system, segment, or both.")
    tasks: int = field("count", "Number of tasks, each of which has the same weight.")
    alternative: Alternative = field(
        "text", "Alternative of the tests: two-sided, or greater, that the better average is better."
    )
    correction: Correction = field("text", "Correction of p-values for the number of pairs.")
    alpha: float = field("fraction", "Significance level.")
    trials: int = field("count", "Permutations.")
    seed: int = field("count", "Seed of the permutations.")
    sets: tuple[ComparedSet, ...] = field("object", "Test sets of the average.")
    left_out_sets: tuple[LeftOutSet, ...] = field("object", "Test sets that are left out.")
    metrics: tuple[AveragedMetric, ...] = field("object", "Metrics, best average first.")
    left_out_metrics: tuple[NotAveragedMetric, ...] = field("object", "Metrics that are left out of the average.")
    pairs: tuple[AveragePair, ...] = field("object", "Pairs of metrics, the better average first.")
    p_values: Floats
    p_values_adjusted: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Ratings:
    """The ratings of K systems of a test set.

    Attributes:
        name: of the test set.
        compared: its systems.
        human: (K, S) mean ratings; NaN for unrated segments.
        certainty: (K, K) one-sided p-values of the ratings.
    """

    name: str
    compared: ComparedSet
    human: Floats
    certainty: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Scores:
    """A metric's scores of the K systems of a test set, higher is better.

    Attributes:
        segments: (K, S) of segments; NaN if missing.
        systems: scores of systems on the rated segments.
        signature: of the metric, if it has one.
    """

    segments: Floats
    systems: RatedScores
    signature: str

    def exceeds(self, masks: tuple[_Mask, _Mask]) -> bool:
        """Return whether there are other entries than those of two masks (K, S), for systems and for segments."""
        return any(
            (np.isfinite(scores) & ~mask).any()
            for scores, mask in zip((self.systems.contributions, self.segments), masks, strict=True)
        )

    def within(self, masks: tuple[_Mask, _Mask]) -> _Scores:
        """Return the scores without entries other than those of two masks, for systems and for segments."""
        for_systems, for_segments = masks
        return replace(
            self, systems=self.systems.within(for_systems), segments=np.where(for_segments, self.segments, np.nan)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draws:
    """How many random draws there are, and their seed."""

    permutations: int
    trials: int
    seed: int


def agreement_over_sets(
    sets: Sequence[RatedTestSet],
    *,
    levels: Sequence[Level] = LEVELS,
    alternative: Alternative = "two-sided",
    correction: Correction = "holm",
    alpha: float = ALPHA,
    permutations: int = PERMUTATIONS,
    trials: int = TRIALS,
    seed: int = SEED,
    progress: Progress | None = None,
) -> AgreementOverSets:
    """Rank metrics by their agreement with judges, averaged over test sets with equal weights.

    The tasks of a test set are soft pairwise accuracy and acc_eq. Metrics that have both on all rated test sets are
    averaged, and compared on the entries that all of them have.

    Two averages are compared by a permutation test: in each trial, the scores of the two metrics are swapped at random,
    independently in each test set, and the differences of all tasks are averaged. Both tasks of a test set have the
    same swaps, since their observed differences are correlated, too: with independent swaps, as in mt-metrics-eval, the
    test would reject too many equally good metrics (tests/collection/test_agreement_calibration.py). On a single test
    set with the level "segment", it is the test of rank_metrics. In the test, a score of systems that is a function of
    sums, such as BLEU, is linearised: the contributions of segments are jackknife pseudo-values, shifted so that their
    mean is the score.

    Args:
        sets: the test sets.
        levels: of the tasks of each test set.
        alternative: "two-sided", or "greater", as in mt-metrics-eval, which tests the higher of two averages. As that
            is known only afterwards, it separates twice as many equally good metrics.
        correction: of p-values for the number of pairs; mt-metrics-eval uses "none".
        alpha: significance level of corrected p-values, a fraction.
        permutations: number of random swaps for the p-value of two systems.
        trials: number of random swaps between two metrics.
        seed: of all draws. The draws do not depend on the order of the test sets.
        progress: called with the number of trials that are done and the number of all, over all pairs and tasks.

    Raises:
        AlignmentError: no test set has ratings by which metrics can be compared.
        SettingsError: two test sets, or two metrics of a test set, have the same name, there is no level, or a number
            is out of its range.
    """
    draws = _Draws(permutations=permutations, trials=trials, seed=seed)
    _check(sets, levels, draws)
    rated: list[_Ratings] = []
    scores: dict[tuple[str, str], _Scores] = {}
    agreements: dict[tuple[str, str], SetAgreement] = {}
    left_out: dict[str, str] = {}
    names = list(dict.fromkeys(metric.name for test_set in sets for metric in test_set.metrics))
    for test_set in sets:
        ratings = _ratings(test_set, draws)
        if isinstance(ratings, str):
            left_out[test_set.name] = ratings
            continue
        rated.append(ratings)
        metrics = {metric.name: metric for metric in test_set.metrics}
        for name in names:
            of_metric = _scores(metrics.get(name), ratings)
            if isinstance(of_metric, str):
                agreements[name, ratings.name] = _undefined(ratings, metrics.get(name), of_metric)
            else:
                scores[name, ratings.name] = of_metric
                everything = np.ones(ratings.human.shape, np.bool_)
                agreements[name, ratings.name] = _agreement(of_metric, ratings, (everything, everything), draws)
    averaged = [name for name in names if not any(agreements[name, ratings.name].reason for ratings in rated)]
    for ratings in tuple(rated):
        of_set = {name: scores[name, ratings.name] for name in averaged}
        reason = ""
        masks = _common_entries(tuple(of_set.values()), ratings)
        for name, of_metric in of_set.items():
            if of_metric.exceeds(masks):
                agreements[name, ratings.name] = _agreement(of_metric, ratings, masks, draws)
                reason = reason or agreements[name, ratings.name].reason
            scores[name, ratings.name] = of_metric.within(masks)
        if reason:
            left_out[ratings.name] = f"on the entries that all metrics have scores of: {reason}"
            rated.remove(ratings)
    if not rated:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in left_out.items())
        raise AlignmentError(f"no test set with ratings to compare metrics with found ({reasons or 'no test set'})")
    return _ranked(
        rated,
        averaged,
        {name: tuple(agreements[name, ratings.name] for ratings in rated) for name in names},
        scores,
        left_out={test_set.name: left_out[test_set.name] for test_set in sets if test_set.name in left_out},
        levels=tuple(level for level in LEVELS if level in levels),
        alternative=alternative,
        correction=correction,
        alpha=alpha,
        draws=draws,
        progress=progress,
    )


def _ranked(
    rated: Sequence[_Ratings],
    averaged: Sequence[str],
    agreements: Mapping[str, tuple[SetAgreement, ...]],
    scores: Mapping[tuple[str, str], _Scores],
    *,
    left_out: Mapping[str, str],
    levels: tuple[Level, ...],
    alternative: Alternative,
    correction: Correction,
    alpha: float,
    draws: _Draws,
    progress: Progress | None,
) -> AgreementOverSets:
    """Average the agreement of metrics that have it on all test sets, and test the differences of all pairs."""
    averages = {name: _average(agreements[name], levels) for name in averaged}
    names = sorted(averaged, key=lambda name: (-averages[name], name))
    pairs = list(combinations(range(len(names)), 2))
    tasks = len(rated) * len(levels)
    p_values = np.full((len(names),) * 2, np.nan)
    reasons: dict[tuple[int, int], str] = {}
    for done, (i, j) in enumerate(pairs):
        report = offset_progress(progress, done * tasks * draws.trials, len(pairs) * tasks * draws.trials)
        p_values[i, j], reasons[i, j] = _p_value(
            [(ratings, scores[names[i], ratings.name], scores[names[j], ratings.name]) for ratings in rated],
            levels,
            alternative,
            draws,
            progress=report,
        )
    upper = np.triu_indices(len(names), k=1)
    adjusted = np.full_like(p_values, np.nan)
    adjusted[upper] = adjust(p_values[upper], correction)
    clusters = rank_clusters(adjusted, alpha)
    of_pairs = tuple(
        AveragePair(
            metric=names[i],
            other=names[j],
            delta=averages[names[i]] - averages[names[j]],
            p_value=float(p_values[i, j]),
            p_value_adjusted=float(adjusted[i, j]),
            reason=reasons[i, j],
        )
        for i, j in pairs
    )
    if alternative == "two-sided":
        for matrix in (p_values, adjusted):
            matrix.T[upper] = matrix[upper]
    return AgreementOverSets(
        levels=levels,
        tasks=tasks,
        alternative=alternative,
        correction=correction,
        alpha=alpha,
        trials=draws.trials,
        seed=draws.seed,
        sets=tuple(ratings.compared for ratings in rated),
        left_out_sets=tuple(LeftOutSet(test_set=name, reason=reason) for name, reason in left_out.items()),
        metrics=tuple(
            AveragedMetric(
                metric=name,
                average=averages[name],
                rank=1 + sum(averages[other] > averages[name] + ROUNDING_ERROR for other in names),
                cluster=int(cluster),
                system_average=_average(agreements[name], ("system",)) if "system" in levels else None,
                segment_average=_average(agreements[name], ("segment",)) if "segment" in levels else None,
                sets=agreements[name],
            )
            for name, cluster in zip(names, clusters, strict=True)
        ),
        left_out_metrics=tuple(
            NotAveragedMetric(
                metric=name,
                reason="; ".join(f"{each.test_set}: {each.reason}" for each in of_sets if each.reason),
                sets=of_sets,
            )
            for name, of_sets in agreements.items()
            if name not in averages
        ),
        pairs=of_pairs,
        p_values=p_values,
        p_values_adjusted=adjusted,
    )


def _check(sets: Sequence[RatedTestSet], levels: Sequence[Level], draws: _Draws) -> None:
    """Check settings, and that the names of test sets, and of metrics of each, are unique."""
    check_draws(draws.seed, trials=draws.trials, permutations=draws.permutations)
    if not levels:
        raise SettingsError("no level found, system, segment or both expected")
    _check_unique("test sets", (test_set.name for test_set in sets))
    for test_set in sets:
        _check_unique(f"metrics of {test_set.name}", (metric.name for metric in test_set.metrics))


def _check_unique(noun: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise SettingsError(f"two {noun} are called {name}; rename one")
        seen.add(name)


def _ratings(test_set: RatedTestSet, draws: _Draws) -> _Ratings | str:
    """Return the ratings of a test set, or why metrics cannot be compared with them."""
    if test_set.judgments is None:
        return "no ratings"
    try:
        agreement = correlate(test_set.corpus, test_set.evaluation, test_set.judgments, without=test_set.without)
    except AlignmentError as error:
        return str(error)
    systems = agreement.systems
    if len(systems) < MIN_SYSTEMS:
        return f"{len(systems)} {plural(len(systems), 'system')} with ratings, at least {MIN_SYSTEMS} needed"
    human = segment_ratings(test_set.judgments, systems, test_set.corpus.segments)
    if not np.isfinite(human).any():
        return "only whole systems are rated"
    certainty = permutation_p_values(human, permutations=draws.permutations, seed=draws.seed)
    if not np.isfinite(certainty).any():
        return "no segment has ratings of two systems"
    compared = ComparedSet(
        test_set=test_set.name,
        systems=systems,
        segments=int(np.isfinite(human).any(axis=0).sum()),
        excluded=agreement.excluded,
        rated=agreement.rated,
    )
    return _Ratings(name=test_set.name, compared=compared, human=human, certainty=certainty)


def _scores(metric: MetricScores | None, ratings: _Ratings) -> _Scores | str:
    """Return a metric's scores of the systems of a test set, or why there are none."""
    if metric is None:
        return "no scores by this metric"
    try:
        selected = metric.select(ratings.compared.systems)
    except AlignmentError as error:
        return str(error)
    if not selected.has_segments:
        return "it has only system scores"
    segments, expected = selected.segment_scores.shape[1], ratings.human.shape[1]
    if segments != expected:
        return f"scores of {segments} segments found, of {expected} segments expected"
    return _Scores(
        segments=selected.segment_scores, systems=selected.on_rated(ratings.human), signature=selected.signature
    )


def _undefined(ratings: _Ratings, metric: MetricScores | None, reason: str) -> SetAgreement:
    return SetAgreement(
        test_set=ratings.name,
        signature="" if metric is None else metric.signature,
        soft_pairwise_accuracy=np.nan,
        calibrated_accuracy=np.nan,
        threshold=np.nan,
        reason=reason,
    )


def _agreement(scores: _Scores, ratings: _Ratings, masks: tuple[_Mask, _Mask], draws: _Draws) -> SetAgreement:
    """Return both agreements of a metric on the entries of two masks (K, S), for systems and for segments."""
    scores = scores.within(masks)
    certainty = scores.systems.certainty(permutations=draws.permutations, seed=draws.seed)
    soft = soft_pairwise_accuracy(certainty, ratings.certainty)
    calibrated = calibrated_accuracy(scores.segments, ratings.human)
    accuracy, threshold, reason = calibrated.accuracy, calibrated.threshold, calibrated.reason
    if not reason and calibrated.entries <= MIN_ENTRIES:
        accuracy = threshold = np.nan
        reason = f"{calibrated.entries} entries with both scores, at least {MIN_ENTRIES + 1} needed"
    return SetAgreement(
        test_set=ratings.name,
        signature=scores.signature,
        soft_pairwise_accuracy=soft.value,
        calibrated_accuracy=accuracy,
        threshold=threshold,
        reason="; ".join(dict.fromkeys(filter(None, (soft.reason, reason)))),
    )


def _common_entries(scores: Sequence[_Scores], ratings: _Ratings) -> tuple[_Mask, _Mask]:
    """Return the entries (K, S) that all metrics have, for systems and for segments."""
    for_systems, for_segments = (np.ones(ratings.human.shape, np.bool_) for _ in LEVELS)
    for of_metric in scores:
        for_systems &= np.isfinite(of_metric.systems.contributions)
        for_segments &= np.isfinite(of_metric.segments)
    return for_systems, for_segments


def _average(agreements: Sequence[SetAgreement], levels: Sequence[Level]) -> float:
    """Return the mean over all tasks; equal for any order of the test sets."""
    return float(np.mean(sorted(agreement.value(level) for agreement in agreements for level in levels)))


def _p_value(
    sets: Sequence[tuple[_Ratings, _Scores, _Scores]],
    levels: Sequence[Level],
    alternative: Alternative,
    draws: _Draws,
    *,
    progress: Progress | None,
) -> tuple[float, str]:
    """Return the p of the difference between two metrics' averages, and why it is undefined.

    Args:
        sets: for each test set its ratings and the scores of both metrics, on the entries that all metrics have.
        levels: of the tasks.
        alternative: of the test.
        draws: of the permutations.
        progress: called with the number of trials that are done.
    """
    ordered = sorted(sets, key=lambda of_set: of_set[0].name)  # the draws do not depend on the order given
    tasks = len(sets) * len(levels)
    delta, deltas = 0.0, np.zeros(draws.trials)
    for number, (position, level) in enumerate(product(range(len(sets)), levels)):
        ratings, first, second = ordered[position]
        report = offset_progress(progress, number * draws.trials, tasks * draws.trials)
        # Both levels have the same swaps, which are not drawn with the seed of the permutations of systems.
        seed = draws.seed + position + ("system" in levels)
        differences = _differences(level, ratings, (first, second), draws, seed=seed, progress=report)
        if differences.reason:
            return np.nan, f"{ratings.name}: {differences.reason}"
        delta += differences.delta / tasks
        deltas += differences.deltas / tasks
    two_sided, greater = swap_p_values(delta, deltas)
    return (two_sided if alternative == "two-sided" else greater), ""


def _differences(
    level: Level,
    ratings: _Ratings,
    scores: tuple[_Scores, _Scores],
    draws: _Draws,
    *,
    seed: int,
    progress: Progress | None,
) -> SwappedDifferences:
    """Return the differences of two metrics in one task under random swaps."""
    first, second = scores
    if level == "segment":
        return swapped_differences(
            first.segments,
            second.segments,
            ratings.human,
            method="acc-eq",
            grouping="item",
            trials=draws.trials,
            seed=seed,
            progress=progress,
        )
    return swapped_soft_accuracies(
        first.systems.contributions,
        second.systems.contributions,
        ratings.certainty,
        permutations=draws.permutations,
        trials=draws.trials,
        seed=draws.seed,
        swap_seed=seed,
        progress=progress,
    )
