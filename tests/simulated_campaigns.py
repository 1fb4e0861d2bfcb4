"""Ratings as judges with their leniency, tastes and drift would give them; what they would give on average is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from bleu_core.arrays import Floats
from bleu_core.campaigns.differences import RatingTable


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """Judges and texts: standard deviations in points of a scale from 1 to 5.

    Attributes:
        segments, judges, systems: how many.
        ratings: judges per segment; None: all.
        missing: share of the segments that a judge leaves out.
        uneven: judges leave out up to nine in ten of their segments.
        gap: between the true means of neighbouring systems.
        segment, own, leniency, taste, drift, noise: of segments; of a system's text of a segment; of judges; of a
            judge's view of a system; of a judge's change from the first to the last rating; of one rating.
        rounded: whether ratings are whole numbers from 1 to 5.
    """

    segments: int = 50
    judges: int = 20
    systems: int = 5
    ratings: int | None = None
    missing: float = 0.0
    uneven: bool = False
    gap: float = 0.2
    segment: float = 0.7
    own: float = 0.5
    leniency: float = 0.5
    taste: float = 0.15
    drift: float = 0.3
    noise: float = 0.8
    rounded: bool = True

    @property
    def latent(self) -> Floats:
        """(K,) what the systems' means would be without the ends of the scale."""
        return np.asarray(3 + self.gap * (np.arange(self.systems) - (self.systems - 1) / 2), np.float64)

    def true_means(self) -> Floats:
        """(K,) the mean rating by all judges of all segments there could be."""
        if not self.rounded:
            return self.latent.astype(np.float64)
        fixed = self.segment**2 + self.own**2 + self.leniency**2 + self.taste**2 + self.noise**2
        time = (np.arange(1000) + 0.5) / 1000  # a judge's drift is in proportion to the time of the rating
        deviation = np.sqrt(fixed + self.drift**2 * time**2)
        edges = np.array([1.5, 2.5, 3.5, 4.5])
        above = stats.norm.sf((edges[:, None, None] - self.latent[:, None]) / deviation)
        return 1 + above.mean(axis=2).sum(axis=0)

    def ratings_of(self, random: np.random.Generator, time: Floats | None = None) -> Floats:
        """(S, J, K) ratings, NaN where there is none.

        Args:
            random: draws them.
            time: (S, J, K) of each rating, from 0 to 1; None: any.
        """
        shape = (self.segments, self.judges, self.systems)
        time = random.random(shape) if time is None else time
        found = (
            self.latent
            + self.segment * random.normal(size=(self.segments, 1, 1))
            + self.own * random.normal(size=(self.segments, 1, self.systems))
            + self.leniency * random.normal(size=(1, self.judges, 1))
            + self.taste * random.normal(size=(1, self.judges, self.systems))
            + self.drift * random.normal(size=(1, self.judges, 1)) * time
            + self.noise * random.normal(size=shape)
        )
        found = np.clip(np.round(found), 1, 5) if self.rounded else found
        found[self._left_out(random)] = np.nan
        return found

    def _left_out(self, random: np.random.Generator) -> npt.NDArray[np.bool_]:
        shape = (self.segments, self.judges)
        out = random.random(shape) < self.missing
        if self.uneven:
            out |= random.random(shape) > np.linspace(0.1, 1, self.judges)
        if self.ratings is not None:  # loads are even, and all pairs of judges meet
            order = random.permutation(self.judges)
            for s in range(self.segments):
                first = s * self.ratings
                if s and first % self.judges < self.ratings:
                    order = random.permutation(self.judges)
                out[s, np.setdiff1d(order, order[(first + np.arange(self.ratings)) % self.judges])] = True
        return out


def table_of_ratings(ratings: Floats) -> RatingTable:
    """(S, J, K) ratings as the statistics take them."""
    segment, judge, system = np.nonzero(~np.isnan(ratings))
    names = [f"S{k}" for k in range(ratings.shape[2])]
    return RatingTable.of(names, segment, judge=judge, system=system, ratings=ratings[segment, judge, system])
