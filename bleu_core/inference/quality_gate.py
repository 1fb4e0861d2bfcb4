"""A quality gate for automatic checks: whether a system is worse than a baseline by more than a margin."""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np

from bleu_core.errors import SettingsError
from bleu_core.fields import BASELINE, DELTA, REASON, derived, field, result
from bleu_core.inference.blocks import Blocks
from bleu_core.inference.intervals import ALPHA, ENOUGH_UNITS, METHODS, MIN_UNITS, method_for
from bleu_core.inference.jackknife import jackknife_errors
from bleu_core.inference.paired_tests import TOLERANCE, check_arguments, resampled_deltas
from bleu_core.inference.power import POWER
from bleu_core.inference.resampling import SEED
from bleu_core.inference.significance import (
    MIN_COMMON_SEGMENTS,
    PAIR_RESAMPLES,
    Unit,
    few_units_warning,
    resampling_units,
)
from bleu_core.inference.student_t import normal_quantile, t_quantile
from bleu_core.scoring import SegmentStatistics

#: Points by which a candidate may be worse.
MARGIN = 0.3

#: Upper limit of alpha, at which both bounds are the median.
MAX_ALPHA = 0.5

Verdict = Literal["worse", "not worse", "inconclusive", "not comparable"]

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

#: Why no number of segments is enough.
NO_MARGIN = "with a margin of 0, no number of segments is enough for a candidate that is equally good"
NO_SPREAD = "the difference does not vary, so the number of segments needed is unknown"


@result
class Gate:
    """The decision whether a candidate is worse than a baseline by more than a margin.

    Attributes:
        delta: points.
        margin: not negative.
        alpha: of both one-sided tests.
        low, high: one-sided bounds of delta at 1 - alpha each, points.
        verdict: "worse" if even the bound that favours the candidate is a loss of more than the margin, "not worse" if
            even the bound that disfavours it is no such loss, else "inconclusive"; "not comparable" if an alarm
            obstructs the comparison.
        segments_needed: for a candidate whose difference varies as much; NaN if undefined.
        reason: why segments_needed is undefined, else empty.
        warnings: in sentences.
    """

    system: str = field("text", "Name of the candidate.")
    baseline: str = field(BASELINE)
    delta: float = field(DELTA)
    low: float = field("difference", "Lower end of the one-sided interval of the difference.")
    high: float = field("difference", "Upper end of the one-sided interval of the difference.")
    margin: float = field("points", "Points by which the candidate may be worse.")
    alpha: float = field("fraction", "Significance level.", only="json")

    @derived("text", "Whether the candidate passes: the verdict is not worse, or inconclusive.")
    def passed(self) -> bool:
        """False if the candidate is significantly worse by more than the margin, or not comparable."""
        return self.verdict in ("not worse", "inconclusive")

    verdict: Verdict = field(
        "text",
        "worse: significantly worse than the baseline by more than the margin; not worse: the interval excludes a loss "
        "greater than the margin; inconclusive: neither; not comparable: an alarm obstructs the comparison.",
    )
    segments_needed: float = field(
        "count",
        f"Number of segments (documents, if unit is document) at which an equally good candidate gets the verdict not "
        f"worse with a probability of {100 * POWER:g}%.",
    )
    detectable_margin: float = field(
        "points",
        "Margin at which an equally good candidate gets the verdict not worse on this text with a probability of "
        f"{100 * POWER:g}%.",
    )
    unit: Unit = field("text", "Unit that is resampled: segment, document or bundle of segments.")
    units: int = field("count", "Number of units.")
    reason: str = field(REASON, default="")
    resamples: int | None = field(
        "count",
        "Number of resamples of the bootstrap; absent if the bounds come from the jackknife.",
        only="json",
        default=None,
    )
    seed: int = field("count", "Seed of all draws.", only="json")
    warnings: tuple[str, ...] = ()


def gate(
    statistics: SegmentStatistics,
    *,
    margin: float = MARGIN,
    alpha: float = ALPHA,
    groups: Blocks | None = None,
    resamples: int = PAIR_RESAMPLES,
    seed: int = SEED,
) -> Gate:
    """Test whether a candidate is worse than a baseline by more than a margin, and whether it is not.

    Both tests use a one-sided bound of the difference at 1 - alpha, from percentiles of bootstrap resamples, or where
    fewer than 100 units are resampled, from the jackknife with Student's t (see METHODS). Only one of them can be
    significant.

    Args:
        statistics: of two systems, the baseline first.
        margin: points, not negative.
        alpha: a fraction.
        groups: units that are drawn as a whole; segments if None.
        resamples: of the bootstrap.
        seed: of the draws.

    Raises:
        SettingsError: a number is out of its range, a score is undefined, differences of these scores are not tested,
            or there are fewer than 6 units.

    Source:
        The second test is one of non-inferiority: Blackwelder (1982), "Proving the null hypothesis" in clinical trials.
    """
    check_arguments(statistics, resamples, trials=None, seed=seed, alpha=alpha)
    if not alpha < MAX_ALPHA:
        raise SettingsError(f"alpha {alpha:g} found, less than {MAX_ALPHA:g} expected for a one-sided bound")
    if not (math.isfinite(margin) and margin >= 0):
        raise SettingsError(f"margin {margin:g} found, 0 or more points expected")
    if statistics.untested:
        raise SettingsError(f"differences are not tested: {statistics.untested}; choose another metric")
    statistics, groups = _on_common_segments(statistics, groups)
    drawn, unit = resampling_units(statistics, groups)
    units = drawn.segments
    if units < MIN_UNITS:
        raise SettingsError(few_units_warning(units, unit))
    scores = statistics.score(statistics.sums())
    delta = float(scores[1] - scores[0])
    if method_for(units) == "jackknife":
        resamples = 0
        low, high, error = _by_jackknife(drawn, delta, alpha)
    else:
        low, high, error = _by_percentiles(drawn, alpha, resamples, seed)
    if math.isnan(delta) or math.isnan(low):
        raise SettingsError(
            "a score is undefined, so the systems cannot be compared; choose another metric or more text"
        )
    best, worst = (high, low) if statistics.higher_is_better else (-low, -high)
    baseline, system = statistics.systems
    needed, reason = _units_needed(error, units, margin, alpha)
    return Gate(
        system=system,
        baseline=baseline,
        delta=delta,
        low=low,
        high=high,
        margin=margin,
        alpha=alpha,
        verdict="worse" if best < -margin else "not worse" if worst >= -margin else "inconclusive",
        unit=unit,
        units=units,
        segments_needed=_in_segments(needed, statistics) if unit == "bundle" else needed,
        detectable_margin=_detectable_errors(units, alpha) * error,
        reason=reason,
        resamples=resamples or None,
        seed=seed,
        warnings=(few_units_warning(units, unit),) if units < ENOUGH_UNITS else (),
    )


def _on_common_segments(
    statistics: SegmentStatistics, groups: Blocks | None
) -> tuple[SegmentStatistics, Blocks | None]:
    """Return the statistics of the segments that both systems have a score of, and their groups.

    Raises:
        SettingsError: there are fewer than 20.
    """
    if not statistics.has_gaps:
        return statistics, groups
    common, rows = statistics.on_common_segments()
    if len(rows) < MIN_COMMON_SEGMENTS:
        raise SettingsError(
            f"{len(rows):,} segments with scores by both systems found, at least {MIN_COMMON_SEGMENTS} expected"
        )
    return common, None if groups is None else groups.subset(rows)


def _by_percentiles(drawn: SegmentStatistics, alpha: float, resamples: int, seed: int) -> tuple[float, float, float]:
    """Return both one-sided bounds of the difference, and its standard error, points; NaN if a score is undefined."""
    deltas = resampled_deltas(drawn, [(1, 0)], "bootstrap", resamples, seed=seed)[0]
    low, high = np.quantile(deltas, [alpha, 1 - alpha])
    return float(low), float(high), float(deltas.std(ddof=1)) if resamples > 1 else math.nan


def _by_jackknife(drawn: SegmentStatistics, delta: float, alpha: float) -> tuple[float, float, float]:
    """Return the results of _by_percentiles from the jackknife and Student's t."""
    error = float(jackknife_errors(drawn, [(1, 0)])[0])
    width = t_quantile(1 - alpha, drawn.segments - 1) * error
    return delta - width, delta + width, error


def _detectable_errors(units: int, alpha: float) -> float:
    """Return the margin, in standard errors, for which an equally good candidate is "not worse" at 80% power."""
    if method_for(units) == "jackknife":
        return t_quantile(1 - alpha, units - 1) + t_quantile(POWER, units - 1)
    return normal_quantile(1 - alpha) + normal_quantile(POWER)


def _units_needed(error: float, units: int, margin: float, alpha: float) -> tuple[float, str]:
    """Return the units for which an equally good candidate is "not worse" at 80% power, or why they are unknown.

    Args:
        error: the standard error of the difference on these units, points.
        units: number of units.
        margin: points.
        alpha: of the test.
    """
    if margin < TOLERANCE:
        return math.nan, NO_MARGIN
    if not error >= TOLERANCE:
        return math.nan, NO_SPREAD
    max_units = max(METHODS)
    needed = max(MIN_UNITS, math.ceil(units * (_detectable_errors(max_units, alpha) * error / margin) ** 2))
    while needed < max_units and _detectable_errors(needed, alpha) * error * math.sqrt(units / needed) > margin:
        needed += 1  # Student's t with few units needs more of them
    return needed, ""


def _in_segments(bundles: float, statistics: SegmentStatistics) -> float:
    """Convert bundles to the number of segments whose sum has the same variance."""
    return bundles if math.isnan(bundles) else math.ceil(bundles * statistics.all_segments / statistics.segments)
