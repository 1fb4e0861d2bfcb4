"""Ways of combining precisions, and their correlation with the judges: Papineni et al. (2002), section 2.1.3."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Combination:
    """BLEU of K systems by one way to combine precisions; with the geometric mean it is BLEU proper.

    Attributes:
        mean: of the precisions p_1 to p_N, with the weights; the brevity penalty goes with either.
        max_order: N.
        weights: N of them; None is uniform.
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
    """How well a combination follows the mean ratings of a group, over the systems that have both.

    Attributes:
        combination: which.
        group: the judges' name; None for all of them.
        pearson, spearman: of values, and of ranks.
    """

    combination: Combination
    group: str | None
    pearson: Correlation
    spearman: Correlation


def combine(
    evaluation: BleuEvaluation, mean: Mean, max_order: int, weights: tuple[float, ...] | None = None
) -> Combination:
    """Score by a mean of the precisions of order 1 to N, times the brevity penalty; nothing is counted again.

    Args:
        evaluation: counted up to that order at least.
        mean: which.
        max_order: N.
        weights: N positive numbers that sum to one; None is uniform.

    Raises:
        SettingsError: the weights do not fit.
        ValueError: fewer orders were counted.
    """
    settings = replace(evaluation.settings, max_order=max_order, weights=weights)
    found = evaluation.with_settings(settings).scores
    scores = found.score
    if mean == "arithmetic":
        scores = 100 * found.brevity_penalty * (found.precisions @ settings.order_weights)
    return Combination(mean=mean, max_order=max_order, weights=weights, systems=evaluation.systems, scores=scores)


def combinations(
    evaluation: BleuEvaluation, weights: Sequence[tuple[float, ...]] = (), *, highest: int = MAX_ORDER
) -> tuple[Combination, ...]:
    """Both means with uniform weights for every N, and with each of one's own weights.

    Args:
        evaluation: counted up to the highest order and to as many orders as there are weights.
        weights: own ones, a tuple of N each.
        highest: N goes from 1 to this.
    """
    ways: list[tuple[int, tuple[float, ...] | None]] = [(n, None) for n in range(1, highest + 1)]
    ways += [(len(own), own) for own in weights]
    return tuple(combine(evaluation, mean, n, own) for mean in MEANS for n, own in ways)


def correlate_combinations(
    found: Sequence[Combination], ratings: Mapping[str | None, Mapping[str, float]]
) -> tuple[CombinationAgreement, ...]:
    """Correlate combinations with mean ratings.

    Args:
        found: the combinations.
        ratings: group -> system -> mean rating; None is all judges. Systems without a rating are left out.
    """
    results: list[CombinationAgreement] = []
    for group, means in ratings.items():
        for one in found:
            human = np.array([means.get(name, np.nan) for name in one.systems])
            results.append(CombinationAgreement(one, group, pearson(one.scores, human), spearman(one.scores, human)))
    return tuple(results)


def best(
    results: Sequence[CombinationAgreement], group: str | None, mean: Mean | None = None
) -> CombinationAgreement | None:
    """The combination with uniform weights whose Pearson correlation with a group is highest, of equals the first.

    Args:
        results: of all combinations.
        group: whose ratings.
        mean: only of this kind; None of either.

    Returns:
        None where no correlation is defined.
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
