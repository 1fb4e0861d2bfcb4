"""Rosters of real campaigns with ratings drawn anew: how often are systems told apart, and judges called confounded?

Ratings are the sum of the effects of systems (or none), segments and judges as least squares estimates them, of judges'
views of systems, and of residuals drawn from those of the same judge, inflated for the degrees of freedom that the fit
takes. BLEU_CONFORMANCE_DATA=/path/to/the/folder python -m pytest -m slow -s tests/judges/test_calibration.py prints the
tables of docs/human-ranking.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import Judge
from bleu_core.inference import adjust
from bleu_core.judges.least_squares import Roster
from bleu_core.judges.roster_balance import CONFOUNDING_ALPHA, imbalance_of, judge_effects
from bleu_core.judges.system_means import (
    AdjustedMeans,
    PairVariances,
    means_of_roster,
    preference_variance,
    raw_weights,
)

ALPHA = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """Real ratings: (n,) numbers of system, segment and judge, (S,) the unit of each segment, (n,) ratings."""

    system: Integers
    segment: Integers
    judge: Integers
    unit: Integers
    ratings: Floats

    @property
    def roster(self) -> Roster:
        """Who rated what."""
        return Roster(self.system, self.segment, self.judge, self.unit)


def campaign(folder: Path, *, machines: bool, documents: bool) -> Campaign:
    """The ratings of a set, perhaps of machine translations alone; units are its documents or segments."""
    table = pd.read_csv(folder / "human.csv")
    if machines:
        table = table[~table["system"].str.startswith("ref.")]
    codes: dict[str, Any] = {
        name: np.unique(table[name], return_inverse=True)[1] for name in ("system", "seg_id", "rater")
    }
    of_segment = table.groupby("seg_id", sort=True)["doc"].first()
    unit: Any = np.unique(of_segment, return_inverse=True)[1] if documents else np.arange(len(of_segment))
    return Campaign(
        system=codes["system"],
        segment=codes["seg_id"],
        judge=codes["rater"],
        unit=unit,
        ratings=table["score"].to_numpy(np.float64),
    )


class Simulation:
    """Ratings of a roster drawn anew.

    Args:
        real: where effects and residuals come from.
        severity: what judges' effects are multiplied by.
        views: the standard deviation of judges' views of systems, as a multiple of the estimated one.
        equal: whether all systems are equally good.
    """

    def __init__(self, real: Campaign, *, severity: float = 1.0, views: float = 0.0, equal: bool = True) -> None:
        self.real, roster = real, real.roster
        self.roster = roster
        effects, severities, residuals = roster.solve(real.ratings)
        rest = real.ratings - effects[real.system] - severities[real.judge] - residuals
        self.of_segments = np.bincount(real.segment, rest) / roster.size
        self.effects = np.zeros_like(effects) if equal else effects
        self.severities = severity * severities
        self.residuals = residuals * np.sqrt(roster.n / (roster.n - roster.rank))
        self.views = views * np.sqrt(preference_variance(roster, roster.fit(real.ratings))) if views else 0.0
        order = np.argsort(real.judge, kind="stable")
        bounds = np.searchsorted(real.judge[order], np.arange(roster.judges + 1))
        self.of_judge = [order[start:end] for start, end in pairwise(bounds.tolist())]

    def draw(self, generator: np.random.Generator, system: Integers, segment: Integers, judge: Integers) -> Floats:
        """Ratings of who rated what."""
        drawn = self.effects[system] + self.of_segments[segment] + self.severities[judge]
        if self.views:
            drawn += self.views * generator.standard_normal((len(self.of_judge), len(self.effects)))[judge, system]
        for number, own in enumerate(self.of_judge):
            rows = np.flatnonzero(judge == number)
            drawn[rows] += self.residuals[generator.choice(own, len(rows))]
        return drawn

    def same_roster(self, generator: np.random.Generator) -> Floats:
        """Ratings of the real roster."""
        return self.draw(generator, self.real.system, self.real.segment, self.real.judge)

    def random_roster(self, generator: np.random.Generator) -> tuple[Integers, Integers, Integers]:
        """Who rated what, where each item has one of its segment's ratings' judges, at random."""
        real = self.real
        shuffled = np.argsort(generator.random(len(real.segment)) + real.segment)
        order = np.argsort(real.segment, kind="stable")
        judge = np.empty_like(real.judge)
        judge[order] = real.judge[shuffled]
        item = real.system * self.roster.segments + real.segment
        first = np.unique(item, return_index=True)[1]
        return real.system[first], real.segment[first], judge[first]


def means_of(roster: Roster, ratings: Floats) -> AdjustedMeans:
    """Means of a roster, named by numbers."""
    systems = tuple(f"S{k}" for k in range(roster.systems))
    judges = tuple(Judge(None, f"J{j}") for j in range(roster.judges))
    return means_of_roster(roster, ratings, names=systems, judges=judges, kind="segment")


def is_confounded(roster: Roster, ratings: Floats, seed: int) -> bool:
    """Whether the rule says so; the quick part of it comes first."""
    if not is_unbalanced(roster, ratings, seed):
        return False
    means = means_of(roster, ratings)
    return means.severity_p < CONFOUNDING_ALPHA and any(effect.misleading for effect in judge_effects(means))


def is_unbalanced(roster: Roster, ratings: Floats, seed: int) -> bool:
    """Whether the roster is significantly unbalanced, the quick part of the rule."""
    severities = roster.solve(ratings)[1]
    weights = raw_weights(roster)
    imbalance = imbalance_of(
        roster.system, roster.segment, weights=weights, severity=severities[roster.judge], seed=seed
    )
    return imbalance.p_value < CONFOUNDING_ALPHA


def alarms(simulation: Simulation, samples: int, *, random: bool, seed: int) -> float:
    """The share of samples, in per cent, in which judges are called confounded."""
    generator = np.random.default_rng(seed)
    raised = 0
    real, roster = simulation.real, simulation.roster
    for number in range(samples):
        if random:
            system, segment, judge = simulation.random_roster(generator)
            present, of_present = np.unique(judge, return_inverse=True)
            drawn = Roster(system, segment, of_present, real.unit)
            raised += is_confounded(drawn, simulation.draw(generator, system, segment, present[of_present]), number)
        else:
            raised += is_confounded(roster, simulation.same_roster(generator), number)
    return 100 * raised / samples


@dataclass(frozen=True, slots=True)
class Levels:
    """Shares, in per cent, of pairs of equal systems that are told apart at 5%, and of families with such a pair.

    Attributes:
        adjusted: share of samples, in per cent, whose means are adjusted.
    """

    pairs: float
    lowest: float
    highest: float
    families: float
    adjusted: float


#: Whether means are raw, adjusted, or what the rule makes of each sample: adjusted where judges are confounded.
Means = Literal["raw", "adjusted", "auto"]


def levels(simulation: Simulation, samples: int, *, means: Means, seed: int, random: bool = False) -> Levels:
    """How often equal systems are told apart: each pair by its own p, and any of a family by p (Holm)."""
    generator = np.random.default_rng(seed)
    first, second = np.triu_indices(simulation.roster.systems, 1)
    drawn = [_sample(simulation, generator, means=means, seed=number, random=random) for number in range(samples)]
    p_values = np.array([p[first, second] for p, _ in drawn])
    told = p_values < ALPHA
    families = np.array([(adjust(row, "holm") < ALPHA).any() for row in p_values])
    by_pair = 100 * told.mean(axis=0)
    adjusted = np.mean([adjusted for _, adjusted in drawn])
    return Levels(100 * told.mean(), by_pair.min(), by_pair.max(), 100 * families.mean(), 100 * float(adjusted))


def _sample(
    simulation: Simulation, generator: np.random.Generator, *, means: Means, seed: int, random: bool
) -> tuple[Floats, bool]:
    """p-values of all pairs in a sample, and whether its means are adjusted."""
    roster = simulation.roster
    if random:
        system, segment, judge = simulation.random_roster(generator)
        present, of_present = np.unique(judge, return_inverse=True)
        roster = Roster(system, segment, of_present, simulation.real.unit)
        ratings = simulation.draw(generator, system, segment, present[of_present])
    else:
        ratings = simulation.same_roster(generator)
    of_sample = means_of(roster, ratings)
    adjusted = means == "adjusted"
    if means == "auto" and is_unbalanced(roster, ratings, seed):
        misleading = any(effect.misleading for effect in judge_effects(of_sample))
        adjusted = of_sample.severity_p < CONFOUNDING_ALPHA and misleading
    variances: PairVariances | None = of_sample.variances if adjusted else of_sample.raw_variances
    assert variances is not None
    return variances.p_values(of_sample.adjusted if adjusted else of_sample.raw), adjusted
