"""Robustness of a metric's agreement with judges to the choice of systems and of text.

The analyses answer different questions, as system_agreement explains; none replaces another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bleu_core.agreement.correlation import (
    ACCURACY,
    KENDALL,
    MIN_ENTRIES,
    PEARSON,
    SPEARMAN,
    Agreement,
    agreement_of_scores,
)
from bleu_core.agreement.meta_evaluation import MetricScores, SystemLevel, segment_ratings
from bleu_core.agreement.segment_agreement import METHODS, Method
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
    soft_pairwise_accuracy,
    stability,
)
from bleu_core.arrays import Floats
from bleu_core.dataset import Judgments
from bleu_core.fields import derived, field, result
from bleu_core.inference import SEED
from bleu_core.progress import Progress

#: Reason of an undefined coefficient without one system.
FEW_OTHERS = "too few other systems, or all their values are equal"


@result
class WithoutSystem:
    """Coefficients without one of the systems; NaN if undefined."""

    system: str = field("text", "System that is excluded.")
    pearson: float | None = field(PEARSON, undefined=FEW_OTHERS)
    spearman: float | None = field(SPEARMAN, undefined=FEW_OTHERS)
    kendall: float | None = field(KENDALL, undefined=FEW_OTHERS)
    pairwise_accuracy: float | None = field(ACCURACY, undefined=FEW_OTHERS)


@result
class Robustness:
    """Robustness of a metric's agreement with judges.

    Attributes:
        systems: K names.
        soft_pairwise_accuracy: with an interval over systems.
        over_systems: bootstrap interval over systems of each coefficient.
        over_segments: variation of each coefficient over resampled segments; not a confidence interval.
        leave_one_out: each coefficient without each system in turn.
        outliers: systems with outlying mean ratings.
    """

    systems: tuple[str, ...]
    soft_pairwise_accuracy: SoftPairwiseAccuracy = field("object", "Soft pairwise accuracy.")
    over_systems: tuple[SystemsBootstrap, ...]
    over_segments: tuple[Stability, ...]
    leave_one_out: tuple[LeaveOneOut, ...]
    outliers: Outliers

    @derived("object", "Bootstrap intervals over systems, by coefficient.", former="over_systems")
    def bootstrap_systems(self) -> Mapping[str, SystemsBootstrap]:
        """Coefficient, as a key of JSON -> its bootstrap interval over systems."""
        return {_key(b.method): b for b in self.over_systems}

    @derived("object", "Distribution of each coefficient over resamples of the segments.", former="over_segments")
    def bootstrap_segments(self) -> Mapping[str, Stability]:
        """Coefficient, as a key of JSON -> its distribution over resamples of the segments."""
        return {_key(s.method): s for s in self.over_segments}

    @derived("object", "Coefficients with one system excluded at a time.", key="leave_one_out")
    def without_each(self) -> tuple[WithoutSystem, ...]:
        """The coefficients without each system in turn."""
        return tuple(
            WithoutSystem(
                system=name, **{_key(omission.method): float(omission.without[k]) for omission in self.leave_one_out}
            )
            for k, name in enumerate(self.systems)
        )

    @derived("object", "Systems whose mean rating is far from the median.", key="outliers")
    def outlying(self) -> tuple[str, ...]:
        """The names of the outliers."""
        return tuple(self.systems[k] for k in self.outliers.indices)


def _key(method: Method) -> str:
    return method.replace("-", "_")


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
    """Compute the robustness of a metric's agreement with judges.

    Args:
        metric: of K systems.
        means: (K,) their mean ratings.
        ratings: (K, S) mean ratings of their segments; NaN for unrated segments.
        resamples: number of resamples of systems.
        stability_resamples: number of resamples of segments.
        seed: of all resamples.
        progress: called with the number of steps that are done and the number of all.
    """
    steps = 2 * len(METHODS) + 2
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        if progress:
            progress(done, steps)

    metric_p = metric.on_rated(ratings).certainty(seed=seed)
    step()
    soft = soft_pairwise_accuracy(metric_p, permutation_p_values(ratings, seed=seed), resamples=resamples, seed=seed)
    step()
    over_systems: list[SystemsBootstrap] = []
    over_segments: list[Stability] = []
    for method in METHODS:
        over_systems.append(bootstrap_systems(metric.system_scores, means, method, resamples=resamples, seed=seed))
        step()
        if metric.sums is not None or metric.has_segments:
            scores = metric.segment_scores if metric.sums is None else metric.sums
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
    """Compute the robustness of each metric's agreement with judges.

    Args:
        result: agreement of the metrics with mean ratings.
        metrics: their scores, in the same order.
        judgments: the ratings.
        segments: number of segments S.
        seed: of all resamples.
    """
    by_metric: dict[str, Robustness] = {}
    for agreement, metric in zip(result.agreements, metrics, strict=True):
        ratings = segment_ratings(judgments, agreement.systems, segments)
        by_metric[agreement.metric] = robustness(metric.select(agreement.systems), agreement.human, ratings, seed=seed)
    return by_metric


def without_systems(result: Agreement, left_out: Sequence[str]) -> Agreement | None:
    """Return the agreement without some systems; None if fewer than three remain."""
    positions = [k for k, name in enumerate(result.systems) if name not in left_out]
    if len(positions) < MIN_ENTRIES:
        return None
    scores, means = (
        {result.systems[k]: float(values[k]) for k in positions} for values in (result.oriented_scores, result.human)
    )
    remaining = agreement_of_scores(
        scores,
        means,
        metric=result.metric,
        signature=result.signature,
        higher_is_better=result.higher_is_better,
    )
    return replace(remaining, rated=result.rated)
