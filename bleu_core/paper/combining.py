"""Ways to combine precisions, and their correlation with judges: Papineni et al. (2002), section 2.1.3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from bleu_core.agreement import Correlation, pearson, spearman
from bleu_core.arrays import Floats
from bleu_core.scoring import MAX_ORDER, BleuEvaluation

Mean = Literal["geometric", "arithmetic"]
MEANS: tuple[Mean, ...] = get_args(Mean)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Combination:
    """Scores of K systems by one way to combine precisions; the geometric mean gives BLEU.

    Attributes:
        mean: of the weighted precisions p_1 to p_N; both means are multiplied by the brevity penalty.
        max_order: N.
        weights: N numbers; None is uniform.
        systems: K names.
        scores: (K,) points.
    """

    mean: Mean
    max_order: int
    weights: tuple[float, ...] | None
    systems: tuple[str, ...]
    scores: Floats


@dataclass(frozen=True, slots=True)
class CombinationAgreement:
    """Correlation of a combination with the mean ratings of a group, over the systems that have both.

    Attributes:
        combination: which.
        group: name of the group of judges; None for all judges.
        pearson, spearman: the correlations.
    """

    combination: Combination
    group: str | None
    pearson: Correlation
    spearman: Correlation


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
            results.append(
                CombinationAgreement(
                    combination, group, pearson(combination.scores, human), spearman(combination.scores, human)
                )
            )
    return tuple(results)


def best(
    results: Sequence[CombinationAgreement], group: str | None, mean: Mean | None = None
) -> CombinationAgreement | None:
    """Return the first combination with uniform weights that has the highest Pearson correlation with a group.

    Args:
        results: of all combinations.
        group: whose ratings.
        mean: only combinations by this mean; None for both.

    Returns:
        None if no correlation is defined.
    """
    defined = [
        r
        for r in results
        if r.group == group
        and r.combination.weights is None
        and mean in (None, r.combination.mean)
        and not np.isnan(r.pearson.coefficient)
    ]
    return max(defined, key=lambda r: r.pearson.coefficient, default=None)
