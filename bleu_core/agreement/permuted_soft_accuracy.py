"""Soft pairwise accuracy of two metrics under many random swaps of their scores.

The direct method, permutation_p_values, tests all pairs of systems anew in each trial. But the random signs of these
tests are the same in all trials, and the second metric has the scores that the first does not have: the signed sums of
both metrics together are constant. So one matrix product gives the signed sums of many trials, and the second metric's
are the constant minus the first's.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.agreement.metric_tests import TRIALS, SwappedDifferences, random_swaps, standardised
from bleu_core.agreement.system_agreement import PERMUTATIONS
from bleu_core.arrays import Floats, Integers
from bleu_core.inference import SEED, TOLERANCE
from bleu_core.progress import Progress

#: Maximum number of random signs that are used at once, and approximate number of a pair's signed sums: few enough for
#: the processor's cache.
BATCH_SIGNS = 4_000_000
BATCH_SUMS = 128_000

_Swaps = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SwappedCertainty:
    """Two metrics' certainty about P pairs of systems as a function of swaps, for K systems and S segments.

    Attributes:
        metric_a, metric_b: (K, S) scores; 0 if missing.
        present: (K, S) whether there are scores.
        first, second: (P,) positions of each pair's systems.
        human: (P,) one-sided p-values of the ratings.
        is_plus: (permutations, S) the random signs of all tests of systems, true for +1.
    """

    metric_a: Floats
    metric_b: Floats
    present: _Swaps
    first: Integers
    second: Integers
    human: Floats
    is_plus: _Swaps

    def deltas(self, swapped: _Swaps) -> Floats:
        """Return first minus second metric's soft pairwise accuracy, (trials,), after swaps (trials, K, S)."""
        size = max(1, BATCH_SUMS // self._rows)
        batches = [self.accuracies(swapped[start : start + size]) for start in range(0, len(swapped), size)]
        return np.concatenate([first - second for first, second in batches])

    def accuracies(self, swapped: _Swaps) -> Floats:
        """Return both metrics' soft pairwise accuracies, (2, trials), after swaps (trials, K, S)."""
        scores = np.where(swapped, self.metric_b, self.metric_a)
        both = self.metric_a + self.metric_b
        sizes = np.stack((np.abs(scores).sum(axis=2), np.abs(both - scores).sum(axis=2)))  # (2, trials, K)
        counts = np.zeros((2, len(self.first), len(swapped)))
        for signs in self._signs():
            for pair, (observed, permuted) in enumerate(self._signed_sums(signs, scores, both)):
                tolerance = TOLERANCE * sizes[:, :, [self.first[pair], self.second[pair]]].sum(axis=2)
                for metric in range(2):
                    low, high = observed[metric] - tolerance[metric], observed[metric] + tolerance[metric]
                    counts[metric, pair] += np.count_nonzero(permuted[metric] > high[:, None], axis=1)
                    counts[metric, pair] += np.count_nonzero(permuted[metric] >= low[:, None], axis=1)
        p_values = counts / (2 * len(self.is_plus))  # permutations that equal the observed difference count half
        return 1 - np.abs(p_values - self.human[:, None]).mean(axis=1)

    @property
    def _rows(self) -> int:
        """The number of permutations whose signs are used at once."""
        return max(1, min(len(self.is_plus), BATCH_SIGNS // max(self.is_plus.shape[1], 1)))

    def _signs(self) -> Iterator[Floats]:
        for start in range(0, len(self.is_plus), self._rows):
            yield np.where(self.is_plus[start : start + self._rows], 1.0, -1.0)

    def _signed_sums(
        self, signs: Floats, scores: Floats, both: Floats
    ) -> Iterator[tuple[tuple[Floats, Floats], tuple[Floats, Floats]]]:
        """Yield for each pair of systems the sums of their differences by both metrics: (trials,), (trials, rows).

        Args:
            signs: (rows, S).
            scores: (trials, K, S) of the first metric; 0 if missing.
            both: (K, S) sums of both metrics' scores.
        """
        if not (self.present == self.present[:1]).all():  # systems have scores of different segments
            for i, j in zip(self.first, self.second, strict=True):
                common = self.present[i] & self.present[j]
                differences, total = (scores[:, i] - scores[:, j])[:, common], (both[i] - both[j])[common]
                observed, permuted = differences.sum(axis=1), differences @ signs[:, common].T
                yield (observed, total.sum() - observed), (permuted, total @ signs[:, common].T - permuted)
            return
        trials, systems, segments = scores.shape
        sums = (scores.reshape(trials * systems, segments) @ signs.T).reshape(trials, systems, len(signs))
        totals, plain, plain_totals = both @ signs.T, scores.sum(axis=2), both.sum(axis=1)
        for i, j in zip(self.first, self.second, strict=True):
            observed, permuted = plain[:, i] - plain[:, j], sums[:, i] - sums[:, j]
            observed_total, signed_total = plain_totals[i] - plain_totals[j], totals[i] - totals[j]
            yield (observed, observed_total - observed), (permuted, signed_total - permuted)


def swapped_certainty(
    metric_a: Floats, metric_b: Floats, human: Floats, *, permutations: int = PERMUTATIONS, seed: int = SEED
) -> SwappedCertainty:
    """Prepare the tests of all pairs of systems.

    Args:
        metric_a: (K, S) scores; NaN if missing.
        metric_b: scores by the other metric, with the same missing values.
        human: (K, K) one-sided p-values of the ratings, from permutation_p_values.
        permutations: number of random swaps of two systems' scores, as in permutation_p_values.
        seed: of these swaps.
    """
    present = np.isfinite(metric_a)
    first, second = np.triu_indices(len(present), k=1)
    is_pair = np.isfinite(human[first, second]) & (present[first] & present[second]).any(axis=1)
    first, second = first[is_pair], second[is_pair]
    scored = present.any(axis=0)
    uniform = np.random.default_rng(seed).random((permutations, int(scored.sum())), np.float32)
    return SwappedCertainty(
        metric_a=np.where(present, metric_a, 0)[:, scored],
        metric_b=np.where(present, metric_b, 0)[:, scored],
        present=present[:, scored],
        first=first,
        second=second,
        human=human[first, second],
        is_plus=uniform > 1 / 2,
    )


def swapped_soft_accuracies(
    first: Floats,
    second: Floats,
    human: Floats,
    *,
    permutations: int = PERMUTATIONS,
    trials: int = TRIALS,
    seed: int = SEED,
    swap_seed: int | None = None,
    progress: Progress | None = None,
) -> SwappedDifferences:
    """Return the differences of two metrics' soft pairwise accuracies under random swaps (PERM-BOTH).

    Both metrics are standardised over all their scores; then in each trial the score of each segment of each system is
    swapped between them at random, and the pairs of systems are tested anew by each metric. With the same seed, the
    swaps are those of swapped_differences with segments as groups ("item"), so that the trials of both can be added.

    Args:
        first: (K, S) scores of segments, whose mean is the system's score; entries without both scores are ignored.
        second: scores by the other metric, of the same shape.
        human: (K, K) one-sided p-values of the ratings, from permutation_p_values.
        permutations: number of random swaps of two systems' scores, as in permutation_p_values.
        trials: number of swaps between the metrics.
        seed: of the permutations of systems.
        swap_seed: of the swaps between the metrics; `seed` if None.
        progress: called with the number of trials that are done and the number of all.

    Raises:
        ValueError: the shapes differ.

    Source:
        mt-metrics-eval, data.py, CompareMetricsWithPairwiseConfidenceError; Deutsch, Dror and Roth (2021), arXiv
        2104.00054 (PERM-BOTH); Thompson et al. (2024), arXiv 2409.09598.
    """
    if first.shape != second.shape or human.shape != (len(first),) * 2:
        raise ValueError(
            f"shapes {first.shape}, {second.shape} and {human.shape} found, twice (systems, segments) and "
            "(systems, systems) expected"
        )
    present = np.isfinite(first) & np.isfinite(second)
    a, b = (standardised(np.where(present, scores, np.nan)) for scores in (first, second))
    certainty = swapped_certainty(a, b, human, permutations=permutations, seed=seed)
    entries = int(present.sum())
    if not len(certainty.first):
        reason = "no pair of systems has scores of both metrics and ratings"
        return SwappedDifferences(first=math.nan, second=math.nan, deltas=np.zeros(0), entries=entries, reason=reason)
    scored = present.any(axis=0)
    observed = certainty.accuracies(np.zeros((1, *certainty.present.shape), np.bool_))[:, 0].tolist()
    batches: list[Floats] = []
    for done, swapped in random_swaps(present.T.shape, trials, seed if swap_seed is None else swap_seed):
        batches.append(certainty.deltas(swapped[:, scored].transpose(0, 2, 1)))
        if progress:
            progress(done, trials)
    return SwappedDifferences(first=observed[0], second=observed[1], deltas=np.concatenate(batches), entries=entries)
