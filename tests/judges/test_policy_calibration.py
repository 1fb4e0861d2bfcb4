"""The policy for confounded judges on a few samples, by day; test_calibration.py has the rates, at night."""

from __future__ import annotations

import numpy as np
import pytest
from judges.calibration import Campaign, Simulation, levels

#: Ratings of four systems by five judges, one of whom is severe, each system by one judge per segment.
SYSTEMS, SEGMENTS, JUDGES, SEVERE = 4, 80, 5, 4


def rated(*, confounded: bool) -> Campaign:
    """A campaign whose severe judge rated the first system most often, or systems at random."""
    generator = np.random.default_rng(11)
    judges = np.array([generator.permutation(JUDGES)[:SYSTEMS] for _ in range(SEGMENTS)])
    for row in judges if confounded else []:
        if generator.random() < 0.7:
            row[row == SEVERE] = row[0]
            row[0] = SEVERE
    judge = judges.ravel()
    system, segment = np.tile(np.arange(SYSTEMS), SEGMENTS), np.repeat(np.arange(SEGMENTS), SYSTEMS)
    ratings = generator.normal(size=len(judge)) - 4.0 * (judge == SEVERE)
    return Campaign(system=system, segment=segment, judge=judge, unit=np.arange(SEGMENTS), ratings=ratings)


@pytest.mark.parametrize("confounded", [True, False])
def test_equal_systems_are_told_apart_in_about_one_of_twenty_pairs(*, confounded: bool) -> None:
    found = levels(Simulation(rated(confounded=confounded)), 60, means="auto", seed=3)
    assert found.adjusted == 100 if confounded else found.adjusted <= 5
    assert found.pairs <= 9  # 360 pairs, of which 5% with a standard error of 1.9, as pairs share systems
    assert found.families <= 15


def test_raw_means_of_the_confounded_campaign_would_mislead() -> None:
    assert levels(Simulation(rated(confounded=True)), 20, means="raw", seed=3).families == 100
