"""The gate for nightly checks: is a candidate significantly worse than the baseline?"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from bleu_core.errors import SettingsError
from bleu_core.inference.blocks import Blocks
from bleu_core.inference.intervals import ALPHA, ENOUGH_UNITS, MIN_UNITS, expanded_share
from bleu_core.inference.paired_tests import check, resampled_deltas
from bleu_core.inference.resampling import SEED
from bleu_core.inference.significance import drawn_units, too_few
from bleu_core.scoring import SumTable

#: Points by which a candidate may be worse.
MARGIN = 0.3

#: Resamples: a bound at 1 - alpha needs more than an interval's width does.
GATE_RESAMPLES = 10_000

#: At this alpha both bounds are the median.
HIGHEST_ALPHA = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """Whether a candidate is shown to be worse than a baseline by more than a margin.

    Attributes:
        system, baseline: names; the system is the candidate.
        delta: system - baseline, points.
        margin: points, not negative.
        alpha: of the one-sided bound.
        low, high: one-sided bounds of delta at 1 - alpha each, points.
        passed: False if the candidate is shown to be worse by more than the margin.
        resamples, seed: of the bootstrap.
        warnings: what to mind, in sentences.
    """

    system: str
    baseline: str
    delta: float
    low: float
    high: float
    margin: float
    alpha: float
    passed: bool
    resamples: int
    seed: int
    warnings: tuple[str, ...] = ()


def gate(
    table: SumTable,
    *,
    margin: float = MARGIN,
    alpha: float = ALPHA,
    groups: Blocks | None = None,
    resamples: int = GATE_RESAMPLES,
    seed: int = SEED,
) -> Gate:
    """Look whether a candidate is worse than a baseline by more than a margin.

    That is shown when the one-sided upper bound of how much better the candidate is, at 1 - alpha, lies below
    -margin. Where fewer than 30 units are drawn, the bound is expanded (Hesterberg 2015).

    Args:
        table: T of two systems, the baseline first.
        margin: points, not negative.
        alpha: a fraction.
        groups: what is drawn as a whole; segments if None.
        resamples: of the bootstrap.
        seed: of the draws.

    Raises:
        SettingsError: a number is out of its range, a score is undefined, or there are fewer than 6 units.
    """
    check(table, resamples, trials=None, seed=seed, alpha=alpha)
    if not alpha < HIGHEST_ALPHA:
        raise SettingsError(f"alpha {alpha:g} found, less than {HIGHEST_ALPHA:g} expected for a one-sided bound")
    if not (math.isfinite(margin) and margin >= 0):
        raise SettingsError(f"margin {margin:g} found, 0 or more points expected")
    drawn, unit = drawn_units(table, groups)
    units = drawn.segments
    if units < MIN_UNITS:
        raise SettingsError(too_few(units, unit))
    warnings = (too_few(units, unit),) if units < ENOUGH_UNITS else ()
    scores = table.score(table.sums())
    deltas = resampled_deltas(drawn, [(1, 0)], "bootstrap", resamples, seed=seed)[0]
    if np.isnan(scores).any() or np.isnan(deltas).any():
        raise SettingsError(
            "a score is undefined, so the systems cannot be compared; choose another metric or more text"
        )
    share = expanded_share(alpha, units) if units < ENOUGH_UNITS else alpha
    low, high = (float(bound) for bound in np.quantile(deltas, [share, 1 - share]))
    at_best = high if table.higher_is_better else -low
    baseline, system = table.systems
    delta = float(scores[1] - scores[0])
    return Gate(
        system=system,
        baseline=baseline,
        delta=delta,
        low=low,
        high=high,
        margin=margin,
        alpha=alpha,
        passed=not at_best < -margin,
        resamples=resamples,
        seed=seed,
        warnings=warnings,
    )
