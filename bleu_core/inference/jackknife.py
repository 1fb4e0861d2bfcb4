"""Differences of systems and their standard errors, by linear approximation: what resampling gives, without a draw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.scoring import SumTable


@dataclass(frozen=True, slots=True)
class Effects:
    """Corpus scores of K systems, and what each of S segments adds to them.

    Attributes:
        scores: (K,) points.
        effects: (K, S) points: how far a system's score would change if the segment were there once more, by the
            gradient of the score. They add up to 0.
    """

    scores: Floats
    effects: Floats

    def delta(self, system: int, baseline: int) -> float:
        """The difference of two systems, points."""
        return float(self.scores[system] - self.scores[baseline])

    def error(self, system: int, baseline: int) -> float:
        """The standard error of the difference of two systems, points."""
        return float(np.sqrt(np.square(self.effects[system] - self.effects[baseline]).sum()))

    @property
    def errors(self) -> Floats:
        """(K, K) the standard errors of all differences."""
        inner = self.effects @ self.effects.T
        own = np.diagonal(inner)
        return np.sqrt(np.maximum(own[:, None] + own[None] - 2 * inner, 0))


def effects(table: SumTable) -> Effects:
    """What each segment adds to the systems' scores (the infinitesimal jackknife; Efron 1982, chapter 6)."""
    sums = table.sums().astype(np.float64)
    step = np.maximum(np.abs(sums) / max(table.segments, 1), 1e-9)
    steps = step[:, :, None] * np.eye(sums.shape[1])
    with np.errstate(all="ignore"):  # counts of which none is left cannot become fewer
        slope = (table.score(sums[:, None] + steps) - table.score(sums[:, None] - steps)) / (2 * step)
    slope = np.where(np.isfinite(slope), slope, 0.0)
    added = np.einsum("ksc,kc->ks", table.table, slope)
    return Effects(np.asarray(table.score(sums), np.float64), added - added.mean(axis=1, keepdims=True))
