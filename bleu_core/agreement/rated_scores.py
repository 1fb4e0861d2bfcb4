"""A metric's scores of systems on the rated segments, and rankings of metrics by soft pairwise accuracy.

K systems, S segments. A metric is compared with judges on what they rated: on other segments, it would be more certain
about a pair of systems than judges who saw less text.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from bleu_core.agreement.metric_tests import TRIALS, MetricRanking, ranked, swap_p_values
from bleu_core.agreement.permuted_soft_accuracy import swapped_soft_accuracies
from bleu_core.agreement.system_agreement import (
    PERMUTATIONS,
    Mask,
    permutation_p_values,
    permutation_p_values_of_sums,
    soft_pairwise_accuracy,
)
from bleu_core.arrays import Floats
from bleu_core.inference import ALPHA, SEED, Correction
from bleu_core.progress import Progress, offset_progress
from bleu_core.scoring import SegmentStatistics
from bleu_core.segments import scores_without_each


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RatedScores:
    """A metric's scores of the rated segments of K systems; higher is better.

    Attributes:
        contributions: (K, S) the mean of which is the score of the system on these segments; NaN for others.
        sums: if the score of a system is a function of sums.
    """

    contributions: Floats
    sums: SegmentStatistics | None

    @classmethod
    def of_sums(cls, sums: SegmentStatistics, rated: Mask) -> RatedScores:
        """Linearise a score that is a function of sums, such as BLEU.

        The contributions are jackknife pseudo-values on the rated segments.

        Args:
            sums: of the systems.
            rated: (K, S) whether a segment of a system is rated.
        """
        entries = rated & sums.scored
        on_rated = replace(sums, values=np.where(entries[:, :, None], sums.values, 0))
        return cls(contributions=np.where(entries, _pseudo_values(on_rated, entries), np.nan), sums=sums)

    def within(self, mask: Mask) -> RatedScores:
        """Return the scores without entries (K, S) other than those of a mask."""
        return replace(self, contributions=np.where(mask, self.contributions, np.nan))

    def certainty(self, *, permutations: int = PERMUTATIONS, seed: int = SEED) -> Floats:
        """Return the one-sided p-values (K, K) of all pairs of systems."""
        if self.sums is None:
            return permutation_p_values(self.contributions, permutations=permutations, seed=seed)
        entries = np.isfinite(self.contributions)
        return permutation_p_values_of_sums(self.sums, entries, permutations=permutations, seed=seed)


def _pseudo_values(sums: SegmentStatistics, entries: Mask) -> Floats:
    """Return the jackknife pseudo-values (K, S) of the scores of systems, shifted so that their mean is the score.

    Args:
        sums: whose values are 0 for other entries.
        entries: (K, S) that count.

    Source:
        Efron (1982), The jackknife, the bootstrap and other resampling plans, chapter 2.
    """
    scores = sums.score(sums.sums())[:, None]
    counts = entries.sum(axis=1, keepdims=True)
    values = scores + np.where(counts > 1, (counts - 1) * (scores - scores_without_each(sums)), 0)
    bias = np.where(entries, values - scores, 0).sum(axis=1, keepdims=True) / np.maximum(counts, 1)
    return (values - bias) if sums.higher_is_better else (bias - values)


def rank_by_soft_accuracy(
    metrics: Mapping[str, RatedScores],
    human: Floats,
    *,
    correction: Correction = "holm",
    alpha: float = ALPHA,
    trials: int = TRIALS,
    seed: int = SEED,
    progress: Progress | None = None,
) -> MetricRanking:
    """Rank metrics by soft pairwise accuracy, as rank_metrics does by other coefficients.

    Args:
        metrics: name -> scores of K systems.
        human: (K, S) ratings of their segments.
        correction: of p-values for the number of pairs of metrics.
        alpha: significance level of corrected p-values, a fraction.
        trials: number of swaps per pair of metrics.
        seed: of the permutations of systems.
        progress: called with the number of trials that are done and the number of all, over all pairs.
    """
    certainty = permutation_p_values(human, seed=seed)
    comparable = {
        name: scores for name, scores in metrics.items() if np.isfinite(scores.certainty(permutations=1)).any()
    }
    common = np.isfinite(human)
    for scores in comparable.values():
        common &= np.isfinite(scores.contributions)
    comparable = {name: scores.within(common) for name, scores in comparable.items()}
    coefficient = {
        name: soft_pairwise_accuracy(scores.certainty(seed=seed), certainty).value
        for name, scores in comparable.items()
    }
    names = sorted(coefficient, key=lambda name: (1 if math.isnan(coefficient[name]) else -coefficient[name], name))
    pairs = list(combinations(names, 2))
    p_values: list[float] = []
    for done, (first, second) in enumerate(pairs):
        report = offset_progress(progress, done * trials, len(pairs) * trials)
        differences = swapped_soft_accuracies(
            comparable[first].contributions,
            comparable[second].contributions,
            certainty,
            trials=trials,
            seed=seed,
            swap_seed=seed + 1,  # not that of the permutations of systems
            progress=report,
        )
        p_values.append(math.nan if differences.reason else swap_p_values(differences.delta, differences.deltas)[0])
        if report and differences.reason:
            report(trials, trials)
    return ranked(
        {name: coefficient[name] for name in names},
        np.array(p_values),
        method="spa",
        correction=correction,
        alpha=alpha,
        entries=int(common.any(axis=1).sum()),
        excluded=tuple(
            (name, "no pair of systems has scores of rated segments") for name in metrics if name not in comparable
        ),
    )
