"""Small sets of segments whose removal reverses the order of two systems."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats, Integers
from bleu_core.fields import Approximate, AtMost
from bleu_core.inference import TOLERANCE, UNDEFINED_SCORE, Comparison, Pair, normal_probability, normal_quantile
from bleu_core.progress import Progress
from bleu_core.scoring import Numbers, SegmentStatistics
from bleu_core.segments.influence import NO_DIFFERENCE

#: Maximum size of a set, as a percentage of the segments.
MAX_PERCENT = 10

NO_SMALL_SET = f"over {MAX_PERCENT}% of segments"

#: Maximum number of rankings of segments; the size of the set stops falling after two or three.
_MAX_ROUNDS = 8

#: Number of segments of a set that are chosen one by one, and of the candidates for each, all of which are scored.
_SINGLE_STEPS, _CANDIDATES = 8, 32

#: Quantile of the normal distribution beyond which shares equal 0 or 1 in floating point.
_MAX_WIDTH = 37.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reversal:
    """The smallest set found of segments without which the order of two systems is reversed.

    The set is an upper bound: a smaller one may exist. It is not another test of the difference. Any difference that is
    barely significant, or not significant, depends on few segments; `expected_share` returns the share that is expected
    from the p-value alone.

    Attributes:
        system, baseline: names.
        delta: system - baseline, of corpus scores, points.
        segments: S, all segments.
        positions: of the segments of the set, from 0, ascending; None if there is no set.
        remaining_delta: the difference without these segments, points, with the sign of -delta; NaN if there is no set.
        reason: why there is no set, else empty.
    """

    system: str
    baseline: str
    delta: float
    segments: int
    positions: tuple[int, ...] | None = None
    remaining_delta: float = math.nan
    reason: str = ""

    @property
    def share(self) -> float:
        """The number of segments in the set divided by S; a fraction, NaN if there is no set."""
        return math.nan if self.positions is None else len(self.positions) / self.segments


def reversals(
    statistics: SegmentStatistics, pairs: Sequence[Pair], *, progress: Progress | None = None
) -> tuple[Reversal, ...]:
    """Search, for each pair of systems, the smallest set of segments whose removal reverses the order of the two.

    Segments are ranked by their contribution to the difference according to the gradient of the score, and the first
    ones are left out until the order is reversed. The ranking is then repeated with the gradient at that point, where
    it matters most, as long as the set becomes smaller. The last 8 segments are chosen again one by one, each as the
    best of 32 candidates that are all scored, and segments that are not needed are put back. Reversal is always
    verified by scores of the remaining segments; the gradient only selects candidates.

    Args:
        statistics: of K systems and S segments, of any metric. Two systems are compared on the segments of
            which both have a score.
        pairs: indices of a system and its baseline.
        progress: called with the pairs done and their total.

    Returns:
        A result for each pair. There is no set if the search finds none of at most 10 % of the segments, if the scores
        do not differ, or if one is undefined.
    """
    max_size = statistics.segments * MAX_PERCENT // 100
    results: list[Reversal] = []
    for done, (k, b) in enumerate(pairs, start=1):
        two = statistics.common([statistics.systems[k], statistics.systems[b]])
        system, baseline = two.score(two.sums()).tolist()
        delta = system - baseline
        reason = ""
        if not abs(delta) > TOLERANCE:
            reason = UNDEFINED_SCORE if math.isnan(delta) else NO_DIFFERENCE
        result = Reversal(
            system=statistics.systems[k],
            baseline=statistics.systems[b],
            delta=delta,
            segments=statistics.segments,
            reason=reason,
        )
        results.append(
            result
            if reason
            else _with_reversal(result, _LeadFunction(two, *((0, 1) if delta > 0 else (1, 0))), max_size)
        )
        if progress:
            progress(done, len(pairs))
    return tuple(results)


def expected_share(pair: Comparison, segments: int) -> float:
    """Return the expected share of segments whose removal reverses a difference with this p-value.

    If the contributions of segments to a difference are distributed normally with mean m > 0 and standard deviation s,
    the difference is z = m sqrt(S) / s standard errors from 0, and z follows from the two-sided p-value. Leaving out
    all segments above m + c s leaves a sum proportional to m Phi(c) - s phi(c). Its sign changes where
    phi(c) / Phi(c) = m / s = z / sqrt(S), and the share that is left out is 1 - Phi(c). For the same p-value the share
    therefore falls with the number of segments, about as 1 / sqrt(S). The contributions of real segments have heavier
    tails than the normal distribution, so that fewer segments often suffice.

    Args:
        pair: the difference, tested with independent segments. If its p-value is a bound or an approximation, z is the
            difference divided by its standard error.
        segments: S.

    Returns:
        A fraction that corresponds to a whole number of segments; NaN if the p-value is undefined.
    """
    from scipy.optimize import brentq  # loaded when first needed: it costs more than scoring

    estimated = isinstance(pair.p_value, AtMost | Approximate)
    z = (
        abs(pair.delta) / pair.standard_error
        if estimated and pair.standard_error
        else -normal_quantile(pair.p_value / 2)
    )
    if math.isnan(z):
        return math.nan
    ratio = z / math.sqrt(segments)
    if ratio <= math.exp(_log_ratio(_MAX_WIDTH)):
        return 1 / segments
    if ratio >= math.exp(_log_ratio(-_MAX_WIDTH)):
        return 1.0
    logarithm = math.log(ratio)
    cut: float = brentq(lambda c: _log_ratio(c) - logarithm, -_MAX_WIDTH, _MAX_WIDTH)
    return math.ceil(segments * normal_probability(-cut)) / segments


def _log_ratio(cut: float) -> float:
    """Return the logarithm of phi(cut) / Phi(cut)."""
    from scipy.special import log_ndtr  # loaded when first needed: it costs more than scoring

    return -(cut**2) / 2 - math.log(2 * math.pi) / 2 - float(log_ndtr(cut))


class _LeadFunction:
    """The difference between the system with the higher score and the other one, as a function of removed segments.

    Attributes:
        rows: (2, S, columns) the statistics of the two systems' segments.
        total: (2, columns) their sums over all segments.
    """

    def __init__(self, statistics: SegmentStatistics, higher: int, lower: int) -> None:
        self._score = statistics.score
        self.rows = statistics.values[[higher, lower]]
        self.total: Numbers = self.rows.sum(axis=1)
        self._sizes = np.abs(self.rows).mean(axis=1)

    def of(self, sums: Numbers) -> Floats:
        """Return the lead, (...), for sums of the remaining segments, (2, ..., columns); infinite if undefined."""
        scores = self._score(sums)
        lead = scores[0] - scores[1]
        return np.where(np.isnan(lead), np.inf, lead)

    def without(self, positions: npt.NDArray[np.integer]) -> Numbers:
        """Return the sums of all other segments, (2, columns)."""
        return np.subtract(self.total, self.rows[:, positions].sum(axis=1))

    def verified(self, positions: Integers) -> float:
        """Return the lead on the remaining segments, from their statistics."""
        return float(self.of(np.delete(self.rows, positions, axis=1).sum(axis=1)))

    def effects(self, sums: Numbers, remaining: int) -> Floats:
        """Return the contributions of segments to the lead, (S,), by the gradient of the score at the current sums.

        Args:
            sums: (2, columns).
            remaining: number of remaining segments.
        """
        slope = self._gradient(sums, remaining)
        return self.rows[0] @ slope[0] - self.rows[1] @ slope[1]

    def _gradient(self, sums: Numbers, remaining: int) -> Floats:
        """Return central differences of the scores, (2, columns), with steps of the size of a mean segment."""
        step = np.asarray(np.where(sums == 0, self._sizes, np.abs(sums) / remaining), np.float64)
        steps = step[:, :, None] * np.eye(step.shape[1])
        with np.errstate(all="ignore"):  # counts of 0 cannot decrease
            scores = self._score(np.stack([sums[:, None] + steps, sums[:, None] - steps]))
            slope = (scores[0] - scores[1]) / (2 * step)
        return np.where(np.isfinite(slope), slope, 0.0)

    @property
    def segments(self) -> int:
        """S."""
        return self.rows.shape[1]


def _with_reversal(pair: Reversal, lead: _LeadFunction, max_size: int) -> Reversal:
    """Return the pair with the smallest set found, of up to max_size segments, or with the reason for none."""
    positions = _ranked_set(lead, max_size) if max_size else None
    if positions is not None:
        positions = _without_unneeded(lead, _refined_set(lead, positions))
        remaining_delta = math.copysign(1, pair.delta) * lead.verified(positions)
        if remaining_delta * pair.delta < 0:
            return replace(pair, positions=tuple(np.sort(positions).tolist()), remaining_delta=remaining_delta)
    return replace(pair, reason=NO_SMALL_SET)


def _ranked_set(lead: _LeadFunction, max_size: int) -> Integers | None:
    """Return the first segments of a ranking by effect that reverse the order, best first."""
    positions: Integers | None = None
    sums, remaining = lead.total, lead.segments
    for _ in range(_MAX_ROUNDS):
        ranked = _largest(lead.effects(sums, remaining), max_size)
        remaining_sums: Numbers = np.subtract(lead.total[:, None], np.cumsum(lead.rows[:, ranked], axis=1))
        reversed_by = np.flatnonzero(lead.of(remaining_sums) < -TOLERANCE)
        count = int(reversed_by[0]) + 1 if len(reversed_by) else max_size
        if positions is not None and count >= len(positions):
            break
        if len(reversed_by):
            positions = ranked[:count]
        elif remaining == lead.segments - max_size:  # this point has been tried without success
            break
        sums, remaining = remaining_sums[:, count - 1], lead.segments - count
    return positions


def _refined_set(lead: _LeadFunction, positions: Integers) -> Integers:
    """Return a smaller set whose last segments are chosen one by one; the same set if there is none."""
    refined = positions[:-_SINGLE_STEPS].tolist()
    while len(refined) < len(positions) - 1:
        sums = lead.without(np.array(refined, np.int64))
        effects = lead.effects(sums, lead.segments - len(refined))
        effects[refined] = -np.inf
        candidates = _largest(effects, _CANDIDATES)
        leads = lead.of(np.subtract(sums[:, None], lead.rows[:, candidates]))
        best = int(leads.argmin())
        refined.append(int(candidates[best]))
        if leads[best] < -TOLERANCE:
            return np.array(refined)
    return positions


def _without_unneeded(lead: _LeadFunction, positions: Integers) -> Integers:
    """Return the set without segments that are not needed."""
    while len(positions) > 1:
        leads = lead.of(np.add(lead.without(positions)[:, None], lead.rows[:, positions]))
        best = int(leads.argmin())
        if not leads[best] < -TOLERANCE:
            break
        positions = np.delete(positions, best)
    return positions


def _largest(values: Floats, count: int) -> Integers:
    """Return the positions of the largest values, largest first, equal ones in their order."""
    count = min(count, len(values))
    # Of values equal to the smallest selected one, the first are kept.
    threshold = np.partition(values, len(values) - count)[len(values) - count]
    kept = np.flatnonzero(values >= threshold)
    return kept[np.argsort(-values[kept], kind="stable")][:count]
