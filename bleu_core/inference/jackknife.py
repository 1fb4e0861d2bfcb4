"""Standard errors of differences without random draws, by linear approximation and by the jackknife."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.inference.resampling import Pair
from bleu_core.scoring import SegmentStatistics


@dataclass(frozen=True, slots=True, eq=False)
class Effects:
    """Corpus scores of K systems, and the effect of each of S segments on them.

    Attributes:
        scores: (K,) points.
        effects: (K, S) points: the change of a system's score if the segment were added once more, by the gradient of
            the score. They add up to 0.
    """

    scores: Floats
    effects: Floats

    def delta(self, system: int, baseline: int) -> float:
        """Return the difference of two systems, points."""
        return float(self.scores[system] - self.scores[baseline])

    def error(self, system: int, baseline: int) -> float:
        """Return the standard error of the difference of two systems, points."""
        return float(np.sqrt(np.square(self.effects[system] - self.effects[baseline]).sum()))

    @property
    def errors(self) -> Floats:
        """(K, K) standard errors of all differences."""
        inner = self.effects @ self.effects.T
        squares = np.diagonal(inner)
        return np.sqrt(np.maximum(squares[:, None] + squares[None] - 2 * inner, 0))


def effects(statistics: SegmentStatistics) -> Effects:
    """Compute the effects of segments on scores (the infinitesimal jackknife; Efron 1982, chapter 6)."""
    sums = statistics.sums().astype(np.float64)
    step = np.maximum(np.abs(sums) / max(statistics.segments, 1), 1e-9)
    steps = step[:, :, None] * np.eye(sums.shape[1])
    with np.errstate(all="ignore"):  # counts of 0 cannot decrease
        slope = (statistics.score(sums[:, None] + steps) - statistics.score(sums[:, None] - steps)) / (2 * step)
    slope = np.where(np.isfinite(slope), slope, 0.0)
    added = np.einsum("ksc,kc->ks", statistics.values, slope)
    return Effects(np.asarray(statistics.score(sums), np.float64), added - added.mean(axis=1, keepdims=True))


def jackknife_errors(statistics: SegmentStatistics, pairs: Sequence[Pair]) -> Floats:
    """Compute standard errors of differences, by leaving out each unit of the text in turn.

    Args:
        statistics: of n units, at least 2: segments, or documents.
        pairs: P pairs of a system's and its baseline's index.

    Returns:
        (P,) points; NaN if a score without some unit is undefined.

    Source:
        Tukey (1958), Bias and confidence in not quite large samples; Efron (1982), chapter 3.
    """
    units = statistics.segments
    sums = statistics.sums().astype(np.float64)
    scores = statistics.score(sums[:, None] - statistics.values.astype(np.float64))
    systems, baselines = (np.array(side, np.intp) for side in zip(*pairs, strict=True))
    deltas = scores[systems] - scores[baselines]
    return np.asarray(np.sqrt((units - 1) * deltas.var(axis=1)), np.float64)
