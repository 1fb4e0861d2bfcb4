"""Sensitivity of a metric's agreement with the judges to single systems and to the text.

The three are kept apart, as system_level explains; none is a substitute for another.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bleu_core.agreement.correlation import MINIMUM_PAIRS, Agreement, agreement_of_scores
from bleu_core.agreement.meta_evaluation import MetricScores, SystemLevel, segment_ratings
from bleu_core.agreement.segment_agreement import METHODS
from bleu_core.agreement.system_agreement import (
    RESAMPLES,
    STABILITY_RESAMPLES,
    LeaveOneOut,
    Outliers,
    SoftPairwiseAccuracy,
    Stability,
    SystemsBootstrap,
    bootstrap_systems,
    leave_one_out,
    outliers,
    permutation_p_values,
    permutation_p_values_of_sums,
    soft_pairwise_accuracy,
    stability,
)
from bleu_core.arrays import Floats
from bleu_core.dataset import Judgments
from bleu_core.inference import SEED
from bleu_core.progress import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Robustness:
    """How much a metric's agreement with the judges depends on single systems.

    Attributes:
        systems: K names.
        soft_pairwise_accuracy: with an interval over systems.
        over_systems: of each coefficient, its interval over systems by the bootstrap.
        over_segments: of each coefficient, how it moves when segments are drawn anew; no confidence interval.
        leave_one_out: of each coefficient, without each system in turn.
        outliers: systems that people put far from the rest.
    """

    systems: tuple[str, ...]
    soft_pairwise_accuracy: SoftPairwiseAccuracy
    over_systems: tuple[SystemsBootstrap, ...]
    over_segments: tuple[Stability, ...]
    leave_one_out: tuple[LeaveOneOut, ...]
    outliers: Outliers

    @property
    def outlying(self) -> tuple[str, ...]:
        """The names of the outliers."""
        return tuple(self.systems[k] for k in self.outliers.indices)


def robustness(
    metric: MetricScores,
    means: Floats,
    ratings: Floats,
    *,
    resamples: int = RESAMPLES,
    stability_resamples: int = STABILITY_RESAMPLES,
    seed: int = SEED,
    progress: Progress | None = None,
) -> Robustness:
    """See what the agreement of a metric with people rests on.

    Args:
        metric: of K systems.
        means: (K,) their mean ratings.
        ratings: (K, S) mean ratings of their segments; NaN where nobody rated one.
        resamples: draws of systems.
        stability_resamples: draws of segments.
        seed: of all draws.
        progress: told, now and then, how many of the steps are done.
    """
    steps = 2 * len(METHODS) + 2
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        if progress:
            progress(done, steps)

    sums = metric.sums
    of_segments = metric.segment_scores.shape[1] > 0
    if sums is not None:
        of_metric = permutation_p_values_of_sums(sums, seed=seed)
    elif of_segments:
        of_metric = permutation_p_values(metric.segment_scores, seed=seed)
    else:
        of_metric = np.full((len(metric.systems),) * 2, math.nan)
    step()
    soft = soft_pairwise_accuracy(of_metric, permutation_p_values(ratings, seed=seed), resamples=resamples, seed=seed)
    step()
    over_systems: list[SystemsBootstrap] = []
    over_segments: list[Stability] = []
    for method in METHODS:
        over_systems.append(bootstrap_systems(metric.system_scores, means, method, resamples=resamples, seed=seed))
        step()
        if sums is not None or of_segments:
            scores = metric.segment_scores if sums is None else sums
            over_segments.append(stability(scores, ratings, method, resamples=stability_resamples, seed=seed))
        step()
    return Robustness(
        systems=metric.systems,
        soft_pairwise_accuracy=soft,
        over_systems=tuple(over_systems),
        over_segments=tuple(over_segments),
        leave_one_out=tuple(leave_one_out(metric.system_scores, means, method) for method in METHODS),
        outliers=outliers(means),
    )


def metrics_robustness(
    result: SystemLevel,
    metrics: Sequence[MetricScores],
    judgments: Judgments,
    segments: int,
    *,
    seed: int = SEED,
) -> Mapping[str, Robustness]:
    """See what the agreement of each metric rests on.

    Args:
        result: the metrics against mean ratings.
        metrics: their scores, in the same order.
        judgments: the ratings.
        segments: S.
        seed: of all draws.
    """
    found: dict[str, Robustness] = {}
    for one, metric in zip(result.agreements, metrics, strict=True):
        ratings = segment_ratings(judgments, one.systems, segments)
        found[one.metric] = robustness(metric.select(one.systems), one.human, ratings, seed=seed)
    return found


def without_systems(result: Agreement, left_out: Sequence[str]) -> Agreement | None:
    """The agreement on the other systems; None where fewer than three are left."""
    kept = [k for k, name in enumerate(result.systems) if name not in left_out]
    if len(kept) < MINIMUM_PAIRS:
        return None
    scores, means = (
        {result.systems[k]: float(values[k]) for k in kept} for values in (result.oriented_scores, result.human)
    )
    found = agreement_of_scores(
        scores,
        means,
        metric=result.metric,
        signature=result.signature,
        higher_is_better=result.higher_is_better,
    )
    return replace(found, rated=result.rated)
