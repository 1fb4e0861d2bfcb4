"""Decomposition of a difference in BLEU into contributions of each precision and of the brevity penalty."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats, read_only
from bleu_core.scoring.evaluation import BleuEvaluation

BOTH_ZERO = "both scores are 0"

#: Below this difference of logarithms, the logarithmic mean is the arithmetic mean to the last digit.
_MIN_LOG_DIFFERENCE = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Decomposition:
    """The difference of two corpus BLEU scores as a sum of one term per precision and one for the brevity penalty.

    The logarithm of BLEU is the weighted sum of the logarithms of the precisions, plus that of the brevity penalty.
    So is its difference between two systems. Each term of this sum, times the logarithmic mean of the two scores
    (their difference divided by the difference of their logarithms), is a number of points, and the terms add up to the
    difference of the scores.

    Precisions are those that are scored, smoothing included. If a score is 0 because precisions vanish, or the brevity
    penalty does, the terms are the limits as these factors approach 0: they alone make the difference. Several
    precisions that vanish share it by their weights. A brevity penalty of 0, of a system without any output, makes the
    difference alone.

    Attributes:
        system, baseline: names.
        delta: system - baseline, points.
        precisions: (N,) the terms of the precisions, by order from 1, points.
        brevity: the term of the brevity penalty, points.
        smoothed: orders at which the precision of one of the systems is not its matches divided by its totals.
        vanished: orders at which the precision of one of the systems is 0.
        reason: why all terms are 0 although the systems may differ; else empty.
    """

    system: str
    baseline: str
    delta: float
    precisions: Floats
    brevity: float
    smoothed: tuple[int, ...] = ()
    vanished: tuple[int, ...] = ()
    reason: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "precisions", read_only(self.precisions))

    @property
    def terms(self) -> Floats:
        """(N + 1,) the terms of the precisions, then that of the brevity penalty."""
        return np.append(self.precisions, self.brevity)

    @property
    def one_sign(self) -> bool:
        """Return whether no two terms have opposite signs, so that each is a share of the difference."""
        return not ((self.terms > 0).any() and (self.terms < 0).any())


def decompose(evaluation: BleuEvaluation, system: str, baseline: str) -> Decomposition:
    """Divide the difference of two systems' corpus BLEU into terms of the precisions and of the brevity penalty.

    Args:
        evaluation: of the systems.
        system: its name.
        baseline: the name of the other system.

    Raises:
        ValueError: there is no system of that name.
    """
    scores, settings = evaluation.scores, evaluation.settings
    pair = [evaluation.systems.index(name) for name in (system, baseline)]
    points, precisions, penalty = scores.score[pair], scores.precisions[pair], scores.brevity_penalty[pair]
    matches, totals = scores.matches[pair], scores.totals[pair]
    delta = float(points[0] - points[1])

    # With effective_order, an order that a text is too short for has no weight in its score.
    left_out = (totals == 0) & (precisions == 0) & bool(settings.effective_order)
    weights = np.where(left_out, 0.0, settings.order_weights)
    if settings.effective_order:
        weights /= np.maximum(weights.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    zero = (precisions == 0) & ~left_out

    with np.errstate(divide="ignore", invalid="ignore"):
        counted = np.where(totals > 0, matches / totals, 0.0)
    smoothed = _orders(~np.isclose(precisions, counted, rtol=1e-12, atol=0) & (precisions > 0))
    vanished = _orders(zero)

    terms, brevity = np.zeros(settings.max_order), 0.0
    if points.all():
        logs = weights * np.log(np.where(left_out, 1.0, precisions))
        log_terms = logs[0] - logs[1]
        log_brevity = float(np.log(penalty[0]) - np.log(penalty[1]))
        mean = _logarithmic_mean(delta, log_terms.sum() + log_brevity, points)
        terms, brevity = mean * log_terms, mean * log_brevity
    elif points.any():
        empty = int(points.argmin())  # the system whose score is 0
        if penalty[empty] == 0:
            brevity = delta
        else:
            shares = np.where(zero[empty], weights[empty], 0.0)
            terms = delta * shares / shares.sum()
    reason = "" if points.any() else BOTH_ZERO
    return Decomposition(
        system=system,
        baseline=baseline,
        delta=delta,
        precisions=terms,
        brevity=brevity,
        smoothed=smoothed,
        vanished=vanished,
        reason=reason,
    )


def _logarithmic_mean(delta: float, log_difference: float, points: Floats) -> float:
    """Return the difference of two scores divided by the difference of their logarithms."""
    return float(points.mean()) if math.fabs(log_difference) < _MIN_LOG_DIFFERENCE else delta / log_difference


def _orders(which: npt.NDArray[np.bool_]) -> tuple[int, ...]:
    """Return the n-gram orders, from 1, that are true for either system, (2, N)."""
    return tuple((np.flatnonzero(np.logical_or(which[0], which[1])) + 1).tolist())
