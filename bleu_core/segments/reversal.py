"""The segments that decide a lead: a small set of segments without which the order of two systems is reversed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats, Integers
from bleu_core.fields import Approximate, AtMost
from bleu_core.inference import TOLERANCE, UNDEFINED_SCORE, Comparison, Pair
from bleu_core.progress import Progress
from bleu_core.scoring import Numbers, SegmentStatistics
from bleu_core.segments.influence import NO_DIFFERENCE

#: The search stops at this percentage of the segments.
MAX_PERCENT = 10

NO_SMALL_SET = f"over {MAX_PERCENT}% of segments"

#: Segments are ranked anew at most so often; the count stops falling after two or three times.
_ROUNDS = 8

#: The last segments of a set are chosen one by one, each from so many candidates, all of which are scored.
_SINGLE_STEPS, _CANDIDATES = 8, 32

#: Quantiles of the normal distribution beyond which no share lies that differs from 0 or 1.
_MAX_WIDTH = 37.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reversal:
    """The smallest set found of segments without which the order of two systems is reversed.

    The set is an upper bound: a smaller one may exist. It is no second test of the difference. A difference that is
    hardly significant, or not at all, depends on few segments whatever they are; `usual_share` gives the share that
    is to be expected from the p-value alone.

    Attributes:
        system, baseline: names.
        delta: system - baseline, of corpus scores, points.
        segments: S, all segments.
        positions: positions of the segments of the set, from 0, ascending; None where there is no set.
        rest: the difference without these segments, points, whose sign is that of -delta; NaN where there is no set.
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
        """The number of segments in the set divided by S; a fraction, NaN where there is no set."""
        return math.nan if self.positions is None else len(self.positions) / self.segments


def reversals(
    statistics: SegmentStatistics, pairs: Sequence[Pair], *, progress: Progress | None = None
) -> tuple[Reversal, ...]:
    """Search, for each pair of systems, the fewest segments whose removal reverses the order of the two.

    Segments are ranked by what they add to the difference according to the gradient of the score, and the first ones
    are left out until the order is reversed. The ranking is then repeated with the gradient at that point, where it
    matters most, as long as the set becomes smaller. The last 8 segments are chosen again one by one, each as the best
    of 32 candidates that are all scored, and segments that turn out not to be needed are put back. Whether the order
    is reversed is always decided by scores of what is left; the gradient only decides what is tried.

    Args:
        statistics: of K systems and S segments, of any metric.
        pairs: indices of a system and its baseline.
        progress: told how many pairs of how many are done.

    Returns:
        A result for each pair. There is no set if it would need more than 10 % of the segments, as far as the search
        finds, if the scores do not differ, or if one is undefined.
    """
    scores = statistics.score(statistics.sums())
    most = statistics.segments * MAX_PERCENT // 100
    found: list[Reversal] = []
    for done, (k, b) in enumerate(pairs, start=1):
        delta = float(scores[k] - scores[b])
        reason = ""
        if not abs(delta) > TOLERANCE:
            reason = UNDEFINED_SCORE if math.isnan(delta) else NO_DIFFERENCE
        one = Reversal(
            system=statistics.systems[k],
            baseline=statistics.systems[b],
            delta=delta,
            segments=statistics.segments,
            reason=reason,
        )
        found.append(
            one if reason else _reversed(one, _LeadFunction(statistics, *((k, b) if delta > 0 else (b, k))), most)
        )
        if progress:
            progress(done, len(pairs))
    return tuple(found)


def expected_share(pair: Comparison, segments: int) -> float:
    """The share of segments whose removal is usually enough to reverse a difference with this p-value.

    If what segments add to a difference is distributed normally with mean m > 0 and standard deviation s, the
    difference is z = m sqrt(S) / s standard errors from 0, and z follows from the two-sided p-value. Leaving out all
    segments above m + c s leaves a sum proportional to m Phi(c) - s phi(c). Its sign changes where phi(c) / Phi(c) =
    m / s = z / sqrt(S), and the share that is left out is 1 - Phi(c). For the same p-value the share therefore falls
    with the number of segments, about as 1 / sqrt(S). What real segments add has heavier tails than the normal
    distribution, so that fewer of them are often enough.

    Args:
        pair: the difference, tested as if segments were independent. Where its p-value is a bound or an
            approximation, z is the difference divided by its standard error.
        segments: S.

    Returns:
        A fraction, of a whole number of segments; NaN if the p-value is undefined.
    """
    from scipy.optimize import brentq  # loaded when first needed: it costs more than scoring
    from scipy.special import ndtr, ndtri

    estimated = isinstance(pair.p_value, AtMost | Approximate)
    z = abs(pair.delta) / pair.standard_error if estimated and pair.standard_error else -float(ndtri(pair.p_value / 2))
    if math.isnan(z):
        return math.nan
    ratio = z / math.sqrt(segments)
    if ratio <= math.exp(_log_ratio(_MAX_WIDTH)):
        return 1 / segments
    if ratio >= math.exp(_log_ratio(-_MAX_WIDTH)):
        return 1.0
    logarithm = math.log(ratio)
    cut: float = brentq(lambda c: _log_ratio(c) - logarithm, -_MAX_WIDTH, _MAX_WIDTH)
    return math.ceil(segments * float(ndtr(-cut))) / segments


def _log_ratio(cut: float) -> float:
    """The logarithm of phi(cut) / Phi(cut)."""
    from scipy.special import log_ndtr  # loaded when first needed: it costs more than scoring

    return -(cut**2) / 2 - math.log(2 * math.pi) / 2 - float(log_ndtr(cut))


class _LeadFunction:
    """The difference between the system with the higher score and the other one, while segments are left out.

    Attributes:
        rows: (2, S, columns) the sums of the two systems' segments.
        whole: (2, columns) those of all segments.
    """

    def __init__(self, statistics: SegmentStatistics, higher: int, lower: int) -> None:
        self._score = statistics.score
        self.rows = statistics.values[[higher, lower]]
        self.whole: Numbers = self.rows.sum(axis=1)
        self._sizes = np.abs(self.rows).mean(axis=1)

    def of(self, sums: Numbers) -> Floats:
        """The lead, (...), given sums of the segments that are left, (2, ..., columns); infinite if undefined."""
        scores = self._score(sums)
        lead = scores[0] - scores[1]
        return np.where(np.isnan(lead), np.inf, lead)

    def without(self, positions: npt.NDArray[np.integer]) -> Numbers:
        """The sums of all other segments, (2, columns)."""
        return np.subtract(self.whole, self.rows[:, positions].sum(axis=1))

    def verified(self, positions: Integers) -> float:
        """The lead on the segments that are left, which are summed anew."""
        return float(self.of(np.delete(self.rows, positions, axis=1).sum(axis=1)))

    def effects(self, sums: Numbers, left: int) -> Floats:
        """(S,) what segments add to the lead, by the gradient of the score at the sums of those that are left.

        Args:
            sums: (2, columns).
            left: how many segments are left.
        """
        slope = self._gradient(sums, left)
        return self.rows[0] @ slope[0] - self.rows[1] @ slope[1]

    def _gradient(self, sums: Numbers, left: int) -> Floats:
        """(2, columns) central differences of the scores; each step is as large as a mean segment."""
        step = np.asarray(np.where(sums == 0, self._sizes, np.abs(sums) / left), np.float64)
        steps = step[:, :, None] * np.eye(step.shape[1])
        with np.errstate(all="ignore"):  # counts of which none is left cannot become fewer
            scores = self._score(np.stack([sums[:, None] + steps, sums[:, None] - steps]))
            slope = (scores[0] - scores[1]) / (2 * step)
        return np.where(np.isfinite(slope), slope, 0.0)

    @property
    def segments(self) -> int:
        """S."""
        return self.rows.shape[1]


def _reversed(pair: Reversal, lead: _LeadFunction, most: int) -> Reversal:
    """The pair with the smallest set found, of up to `most` segments, or with the reason why there is none."""
    chosen = _first_of_ranking(lead, most) if most else None
    if chosen is not None:
        chosen = _thinned(lead, _one_by_one(lead, chosen))
        rest = math.copysign(1, pair.delta) * lead.verified(chosen)
        if rest * pair.delta < 0:
            return replace(pair, positions=tuple(np.sort(chosen).tolist()), rest=rest)
    return replace(pair, reason=NO_SMALL_SET)


def _first_of_ranking(lead: _LeadFunction, most: int) -> Integers | None:
    """The first segments of a ranking by their effect, as few as reverse the order; best first."""
    found: Integers | None = None
    sums, left = lead.whole, lead.segments
    for _ in range(_ROUNDS):
        ranked = _largest(lead.effects(sums, left), most)
        rest: Numbers = np.subtract(lead.whole[:, None], np.cumsum(lead.rows[:, ranked], axis=1))
        reversed_by = np.flatnonzero(lead.of(rest) < -TOLERANCE)
        count = int(reversed_by[0]) + 1 if len(reversed_by) else most
        if found is not None and count >= len(found):
            break
        if len(reversed_by):
            found = ranked[:count]
        elif left == lead.segments - most:  # ranked at this point already, in vain
            break
        sums, left = rest[:, count - 1], lead.segments - count
    return found


def _one_by_one(lead: _LeadFunction, found: Integers) -> Integers:
    """A smaller set whose last segments are chosen one after the other; the same set if this finds none."""
    chosen = found[:-_SINGLE_STEPS].tolist()
    while len(chosen) < len(found) - 1:
        sums = lead.without(np.array(chosen, np.int64))
        effects = lead.effects(sums, lead.segments - len(chosen))
        effects[chosen] = -np.inf
        candidates = _largest(effects, _CANDIDATES)
        leads = lead.of(np.subtract(sums[:, None], lead.rows[:, candidates]))
        best = int(leads.argmin())
        chosen.append(int(candidates[best]))
        if leads[best] < -TOLERANCE:
            return np.array(chosen)
    return found


def _thinned(lead: _LeadFunction, chosen: Integers) -> Integers:
    """The set without segments that are not needed."""
    while len(chosen) > 1:
        leads = lead.of(np.add(lead.without(chosen)[:, None], lead.rows[:, chosen]))
        least = int(leads.argmin())
        if not leads[least] < -TOLERANCE:
            break
        chosen = np.delete(chosen, least)
    return chosen


def _largest(values: Floats, count: int) -> Integers:
    """Positions of the largest values, largest first, equal ones in their order."""
    count = min(count, len(values))
    # Of values that equal the smallest one kept, those that come first.
    least = np.partition(values, len(values) - count)[len(values) - count]
    kept = np.flatnonzero(values >= least)
    return kept[np.argsort(-values[kept], kind="stable")][:count]
