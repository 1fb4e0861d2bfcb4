"""Ways to combine precisions, and their correlation with judges: Papineni et al. (2002), section 2.1.3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from bleu_core.agreement import Correlation, pearson, spearman
from bleu_core.arrays import Floats
from bleu_core.fields import derived, field, result, rows_of
from bleu_core.paper.shared import GROUP, SystemBleu
from bleu_core.scoring import MAX_ORDER, BleuEvaluation

Mean = Literal["geometric", "arithmetic"]
MEANS: tuple[Mean, ...] = get_args(Mean)


@result
class Combination:
    """Scores of K systems by one way to combine precisions; the geometric mean gives BLEU.

    Attributes:
        mean: of the weighted precisions p_1 to p_N; both means are multiplied by the brevity penalty.
        max_order: N.
        systems: K names.
        scores: (K,) points.
    """

    mean: Mean = field("text", "How precisions are averaged: geometric (BLEU) or arithmetic mean.")
    max_order: int = field("count", "Highest n-gram order.")
    weights: tuple[float, ...] | None = field("object", "Weight of each order; null if uniform.", null=True)
    systems: tuple[str, ...]
    scores: Floats

    @derived("object", "Scores by system.", key="systems")
    def by_system(self) -> tuple[SystemBleu, ...]:
        """The score of each system."""
        return rows_of(SystemBleu, system=self.systems, bleu=self.scores)


@result
class SystemCorrelation(Correlation):
    """A correlation over systems, with their number."""

    @derived("count", "Number of systems.")
    def systems(self) -> int:
        """The number of systems."""
        return self.pairs

    @classmethod
    def of(cls, correlation: Correlation) -> SystemCorrelation:
        """Return a correlation with its number of systems."""
        return cls(**vars(correlation))


@result
class CombinationAgreement:
    """Correlation of a combination with the mean ratings of a group, over the systems that have both."""

    combination: Combination
    group: str | None = field(GROUP)
    pearson: SystemCorrelation = field("object", "Pearson's correlation.")
    spearman: SystemCorrelation = field("object", "Spearman's rank correlation.")


def combine(
    evaluation: BleuEvaluation, mean: Mean, max_order: int, weights: tuple[float, ...] | None = None
) -> Combination:
    """Score by a mean of the precisions of orders 1 to N, times the brevity penalty, from existing counts.

    Args:
        evaluation: counted up to order N at least.
        mean: which.
        max_order: N.
        weights: N positive numbers that sum to 1; None is uniform.

    Raises:
        SettingsError: the weights do not fit.
        ValueError: fewer orders were counted.
    """
    settings = replace(evaluation.settings, max_order=max_order, weights=weights)
    bleu_scores = evaluation.with_settings(settings).scores
    scores = bleu_scores.score
    if mean == "arithmetic":
        scores = 100 * bleu_scores.brevity_penalty * (bleu_scores.precisions @ settings.order_weights)
    return Combination(mean=mean, max_order=max_order, weights=weights, systems=evaluation.systems, scores=scores)


def combinations(
    evaluation: BleuEvaluation, weights: Sequence[tuple[float, ...]] = (), *, highest: int = MAX_ORDER
) -> tuple[Combination, ...]:
    """Return both means with uniform weights for every N, and with each of the weights given.

    Args:
        evaluation: counted up to the highest order and up to the number of weights.
        weights: tuples of N weights each.
        highest: largest N.
    """
    orders_and_weights: list[tuple[int, tuple[float, ...] | None]] = [(n, None) for n in range(1, highest + 1)]
    orders_and_weights += [(len(own), own) for own in weights]
    return tuple(combine(evaluation, mean, n, own) for mean in MEANS for n, own in orders_and_weights)


def correlate_combinations(
    scored: Sequence[Combination], ratings: Mapping[str | None, Mapping[str, float]]
) -> tuple[CombinationAgreement, ...]:
    """Correlate combinations with mean ratings.

    Args:
        scored: the combinations.
        ratings: group -> system -> mean rating; None is all judges. Systems without a rating are ignored.
    """
    results: list[CombinationAgreement] = []
    for group, means in ratings.items():
        for combination in scored:
            human = np.array([means.get(name, np.nan) for name in combination.systems])
            r, rho = (SystemCorrelation.of(method(combination.scores, human)) for method in (pearson, spearman))
            results.append(CombinationAgreement(combination=combination, group=group, pearson=r, spearman=rho))
    return tuple(results)
