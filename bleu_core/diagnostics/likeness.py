"""How like a reference outputs are, segment by segment, and how many near copies are expected of a system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats, Integers
from bleu_core.scoring import ABSENT, BleuEvaluation

Marks = npt.NDArray[np.bool_]

#: Bins of expected likeness, in each of which the other systems say how usual near copies are.
BINS = 12

#: The least standard deviation of the logarithm of observed by expected numbers between systems.
MIN_SPREAD = 0.25

#: Shorter texts, in tokens, are alike by chance.
MIN_TOKENS = 8

#: Systems that are compared need so many others.
MIN_OTHER_SYSTEMS = 4


def likeness(evaluation: BleuEvaluation) -> Floats:
    """(K, S) matches of all orders by the n-grams of the longer side; 1 for the same n-grams, 0 for none in common.

    Args:
        evaluation: against one reference.
    """
    stats = evaluation.stats
    orders = np.arange(stats.max_order)
    lengths = np.where(stats.reference_lengths[0] == ABSENT, 0, stats.reference_lengths[0])
    longer = np.maximum(stats.hypothesis_lengths, lengths[None])
    ngrams = np.maximum(longer[..., None] - orders, 0).sum(axis=-1)
    return np.asarray(stats.matches.sum(axis=-1) / np.maximum(ngrams, 1), np.float64)


@dataclass(frozen=True, slots=True)
class NearCopies:
    """Near copies of a reference by K systems, and how many are expected.

    Attributes:
        observed: (K,) segments that are near copies.
        expected: (K,) how many near copies the other systems have where they are as like the reference as this system
            usually is: on the same segments, at the system's level, the median of its distance from the others.
        excess: (K,) the logarithm of observed by expected, above the median of the other systems, in standard
            deviations between them.
    """

    observed: Integers
    expected: Floats
    excess: Floats


def near_copies(like: Floats, near: Marks) -> NearCopies:
    """How many near copies each system has and is expected to have.

    Args:
        like: (K, S) how like the reference each output is.
        near: (K, S) the near copies.
    """
    systems = range(len(like))
    usual = _usual(like)
    level = np.median(like - usual, axis=1)  # which a minority of near copies hardly moves
    foreseen = usual + level[:, None]
    edges = np.unique(np.quantile(foreseen, np.linspace(0, 1, BINS + 1)[1:-1]))
    bins = np.searchsorted(edges, foreseen, side="right")
    size = len(edges) + 1
    all_of = np.stack([np.bincount(bins[k], minlength=size) for k in systems]).astype(np.float64)
    near_of = np.stack([np.bincount(bins[k][near[k]], minlength=size) for k in systems]).astype(np.float64)
    rates = _rates(near_of.sum(axis=0) - near_of, all_of.sum(axis=0) - all_of)
    expected = (all_of * rates).sum(axis=1)
    observed = near.sum(axis=1)
    ratios = np.log((observed + 1) / (expected + 1))
    excess = np.zeros(len(like))
    for k in systems:
        others = np.delete(ratios, k)
        middle = float(np.median(others))
        spread = 1.4826 * float(np.median(np.abs(others - middle)))
        by_chance = 1 / np.sqrt(expected[k] + 1)
        excess[k] = (ratios[k] - middle) / np.sqrt(max(spread, MIN_SPREAD) ** 2 + by_chance**2)
    return NearCopies(observed, expected, excess)


def _usual(like: Floats) -> Floats:
    """(K, S) the median of the other systems."""
    return np.stack([np.median(np.delete(like, k, axis=0), axis=0) for k in range(len(like))])


def _rates(near: Floats, of: Floats) -> Floats:
    """(K, bins) shares of near copies, smoothed; they do not fall with what is foreseen."""
    shares = near / np.maximum(of, 1)
    return np.maximum.accumulate(shares, axis=1)


def long_enough(evaluation: BleuEvaluation) -> Marks:
    """(K, S) where neither side is so short that they are alike by chance."""
    stats = evaluation.stats
    return np.minimum(stats.hypothesis_lengths, stats.reference_lengths[0]) >= MIN_TOKENS


def longest_match(hypothesis: Sequence[str], reference: Sequence[str]) -> int:
    """The number of tokens of the longest run that two texts have in common."""
    found = SequenceMatcher(None, hypothesis, reference, autojunk=False)
    return found.find_longest_match(0, len(hypothesis), 0, len(reference)).size
