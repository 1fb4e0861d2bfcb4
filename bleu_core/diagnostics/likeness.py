"""Similarity of outputs to a reference by segment, and the expected number of near copies of a system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats, Integers
from bleu_core.scoring import ABSENT, BleuEvaluation

Marks = npt.NDArray[np.bool_]

#: Number of bins of expected likeness, in each of which the other systems determine the rate of near copies.
BINS = 12

#: Minimum standard deviation between systems of the logarithm of observed by expected numbers.
MIN_SPREAD = 0.25

#: Minimum length in tokens; shorter texts are similar by chance.
MIN_TOKENS = 8

#: Minimum number of other systems for a comparison.
MIN_OTHER_SYSTEMS = 4


def likeness(evaluation: BleuEvaluation) -> Floats:
    """Return the matches of all orders divided by the n-grams of the longer side, (K, S): 1 for equal n-grams.

    Args:
        evaluation: against one reference.
    """
    stats = evaluation.stats
    orders = np.arange(stats.max_order)
    lengths = np.where(stats.reference_lengths[0] == ABSENT, 0, stats.reference_lengths[0])
    longer = np.maximum(stats.hypothesis_lengths, lengths[None])
    ngrams = np.maximum(longer[..., None] - orders, 0).sum(axis=-1)
    return np.asarray(stats.matches.sum(axis=-1) / np.maximum(ngrams, 1), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class NearCopies:
    """Near copies of a reference by K systems, and how many are expected.

    Attributes:
        observed: (K,) segments that are near copies.
        expected: (K,) number expected from the rate of the other systems at the expected likeness of this system: that
            of the others on the same segments plus the median of its distance from them.
        excess: (K,) the logarithm of observed by expected, minus the median of the other systems, in standard
            deviations between them.
    """

    observed: Integers
    expected: Floats
    excess: Floats


def near_copies(like: Floats, near: Marks) -> NearCopies:
    """Return the observed and the expected number of near copies of each system.

    Args:
        like: (K, S) likeness of each output to the reference.
        near: (K, S) the near copies.
    """
    systems = range(len(like))
    median_likeness = _median_of_others(like)
    level = _median((like - median_likeness).T)  # hardly influenced by a minority of near copies
    expected_likeness = median_likeness + level[:, None]
    ordered = np.sort(expected_likeness, axis=None)
    places = np.linspace(0, 1, BINS + 1)[1:-1] * (len(ordered) - 1)
    edges = np.array(sorted(set(np.interp(places, np.arange(len(ordered)), ordered).tolist())))
    bins = np.searchsorted(edges, expected_likeness, side="right")
    size = len(edges) + 1
    segment_counts = np.stack([np.bincount(bins[k], minlength=size) for k in systems]).astype(np.float64)
    near_counts = np.stack([np.bincount(bins[k][near[k]], minlength=size) for k in systems]).astype(np.float64)
    rates = _rates(near_counts.sum(axis=0) - near_counts, segment_counts.sum(axis=0) - segment_counts)
    expected = (segment_counts * rates).sum(axis=1)
    observed = near.sum(axis=1)
    ratios = np.log((observed + 1) / (expected + 1))
    excess = np.zeros(len(like))
    for k in systems:
        others = np.delete(ratios, k)
        middle = float(_median(others))
        spread = 1.4826 * float(_median(np.abs(others - middle)))
        by_chance = 1 / np.sqrt(expected[k] + 1)
        excess[k] = (ratios[k] - middle) / np.sqrt(max(spread, MIN_SPREAD) ** 2 + by_chance**2)
    return NearCopies(observed, expected, excess)


def _median_of_others(like: Floats) -> Floats:
    """Return the median of the other systems, (K, S)."""
    return np.stack([_median(np.delete(like, k, axis=0)) for k in range(len(like))])


def _median(values: Floats) -> Floats:
    """Return the median over the first axis; np.median imports numpy.ma, which takes a tenth of a short command."""
    ordered = np.sort(values, axis=0)
    return np.asarray((ordered[(len(values) - 1) // 2] + ordered[len(values) // 2]) / 2)


def _rates(near: Floats, total: Floats) -> Floats:
    """Return rates of near copies, (K, bins), that do not decrease with the expected likeness."""
    shares = near / np.maximum(total, 1)
    return np.maximum.accumulate(shares, axis=1)


def long_enough(evaluation: BleuEvaluation) -> Marks:
    """Return where both sides are long enough for a comparison, (K, S)."""
    stats = evaluation.stats
    return np.minimum(stats.hypothesis_lengths, stats.reference_lengths[0]) >= MIN_TOKENS


def longest_match(hypothesis: Sequence[str], reference: Sequence[str]) -> int:
    """Return the number of tokens of the longest common run of two texts."""
    matcher = SequenceMatcher(None, hypothesis, reference, autojunk=False)
    return matcher.find_longest_match(0, len(hypothesis), 0, len(reference)).size
