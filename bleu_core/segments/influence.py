"""The influence of segments on the difference of two systems' corpus scores, and the part of it in a slice."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats, Integers
from bleu_core.inference import TOLERANCE, UNDEFINED_SCORE
from bleu_core.scoring import Numbers, SegmentStatistics

ONE_SEGMENT = "only one segment"
NO_DIFFERENCE = "the scores do not differ"
EMPTY_INSIDE, EMPTY_OUTSIDE = "no segment inside", "no segment outside"

#: Part of a difference for which the minimum number of segments is counted.
HALF = 0.5

#: Approximate number of sums per batch, so that long texts take no more memory than short ones.
BATCH_SUMS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Influence:
    """The influence of each segment on the difference of two systems.

    Attributes:
        system, baseline: names.
        delta: system - baseline, of corpus scores, points.
        values: (S,) the difference of all segments minus that without the segment, in points. Positive values favour
            the system, also if lower scores are better. NaN if undefined.
        reason: why values are undefined, else empty.
    """

    system: str
    baseline: str
    delta: float
    values: Floats
    reason: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Influences:
    """Corpus scores of K systems with all segments and without each of them, from which influences for any pair follow.

    The influences of all segments do not add up to the difference. BLEU, chrF and TER are ratios of sums, so leaving a
    segment out changes the difference only as far as the segment differs from the others, and the influences add up to
    about 0.

    Attributes:
        systems: K names.
        scores: (K,) points, with all segments.
        without: (K, S) points, without each segment; NaN if there is only one.
        higher_is_better: of the metric.
    """

    systems: tuple[str, ...]
    scores: Floats
    without: Floats
    higher_is_better: bool = True

    def between(self, system: str, baseline: str) -> Influence:
        """Return the influence of each segment on the difference of a pair.

        Raises:
            ValueError: there is no system of that name.
        """
        k, b = (self.systems.index(name) for name in (system, baseline))
        delta = float(self.scores[k] - self.scores[b])
        values = delta - (self.without[k] - self.without[b])
        if not self.higher_is_better:
            values = 0 - values  # so that no zero gets a sign
        values.flags.writeable = False
        reason = ""
        if np.isnan(values).any():
            reason = ONE_SEGMENT if len(values) == 1 else UNDEFINED_SCORE
        return Influence(system=system, baseline=baseline, delta=delta, values=values, reason=reason)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Replacement:
    """The scores of a baseline while its outputs are replaced by those of a system, segment by segment.

    Attributes:
        system, baseline: names.
        order: (S,) the positions of the segments, from 0, in the order in which they are replaced.
        scores: (S + 1,) points: the baseline's score, the scores after 1, 2, ... segments, and finally the system's.
        higher_is_better: of the metric.
        decimals: of scores and differences for people.
    """

    system: str
    baseline: str
    order: Integers
    scores: Floats
    higher_is_better: bool = True
    decimals: int = 2

    @property
    def segments(self) -> int:
        """S."""
        return len(self.order)

    @property
    def differences(self) -> Floats:
        """(S + 1,) each score minus the baseline's, in points; the last is the whole difference."""
        return self.scores - self.scores[0]

    @property
    def delta(self) -> float:
        """The whole difference: system - baseline, points."""
        return float(self.scores[-1] - self.scores[0])

    @property
    def leader(self) -> str:
        """The better system; empty if the scores are equal or one is undefined."""
        if not abs(self.delta) > TOLERANCE:
            return ""
        return self.system if (self.delta > 0) == self.higher_is_better else self.baseline

    @property
    def half(self) -> int:
        """The minimum number of segments for half of the difference: the first ones, or the last if the baseline leads.

        0 if there is no difference.
        """
        if not self.leader:
            return 0
        gained = self.differences if self.leader == self.system else self.delta - self.differences[::-1]
        return int(np.argmax(gained / self.delta >= HALF))

    @property
    def half_at(self) -> int:
        """The number of replaced segments at the end of that half, or at its start if the baseline leads."""
        return self.half if self.leader == self.system else self.segments - self.half


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceShare:
    """The part of the difference of two systems that is due to a slice.

    The part is the contribution of the slice if the baseline's outputs are replaced by the system's in two steps,
    inside the slice and outside it: the change of the score by the inner step, averaged over both orders of the steps
    (the Shapley value of two players). The parts of a slice and of its complement therefore add up to the whole
    difference, exchanging the systems only changes the sign, a slice in which both outputs are the same has a part of
    0, and for a metric that is a mean over segments the part is the slice's sum of differences divided by S. The
    difference of all segments minus that outside the slice has none of these properties: it is 0 if the difference is
    the same inside and outside, however large the slice is.

    Attributes:
        system, baseline: names.
        segments: in the slice.
        total: S, all segments.
        delta: system - baseline, of corpus scores, points.
        inside: the difference of the scores of the slice alone, points; NaN if the slice is empty.
        outside: that of all other segments; NaN if there are none.
        part: of delta, due to the slice, points.
        share: the part divided by delta; a fraction, which is negative or above 1 if the two sides differ in sign. NaN
            if delta is 0.
        reason: why a value is undefined, else empty.
    """

    system: str
    baseline: str
    segments: int
    total: int
    delta: float
    inside: float
    outside: float
    part: float
    share: float
    reason: str = ""


def scores_without_each(statistics: SegmentStatistics) -> Floats:
    """Return the corpus score of every system without each segment in turn.

    Args:
        statistics: of K systems and S segments.

    Returns:
        (K, S), in points; NaN if there is only one segment.
    """
    scores = np.full((len(statistics.systems), statistics.segments), np.nan)
    if statistics.segments == 1:
        return scores
    sums = statistics.sums()[:, None]
    step = max(1, BATCH_SUMS // len(statistics.systems))
    for start in range(0, statistics.segments, step):
        batch = slice(start, start + step)
        scores[:, batch] = statistics.score(np.subtract(sums, statistics.values[:, batch]))
    return scores


def influences(statistics: SegmentStatistics) -> Influences:
    """Compute the influence of each segment on the differences of all pairs, exactly, by leaving it out.

    Args:
        statistics: of K systems and S segments.
    """
    return Influences(
        statistics.systems,
        statistics.score(statistics.sums()),
        scores_without_each(statistics),
        higher_is_better=statistics.higher_is_better,
    )


def replace_outputs(statistics: SegmentStatistics, system: str, baseline: str, order: Integers) -> Replacement:
    """Score the text while the baseline's outputs are replaced by the system's, one segment after the other.

    Args:
        statistics: of the systems.
        system: its name.
        baseline: the name of the other system.
        order: (S,) the positions of the segments, from 0, in the order in which they are replaced.

    Raises:
        ValueError: there is no system of that name.
    """
    k, b = (statistics.systems.index(name) for name in (system, baseline))
    scores = np.empty(statistics.segments + 1)
    sums = statistics.values[b].sum(axis=0)
    scores[0] = statistics.score(sums)
    for start in range(0, statistics.segments, BATCH_SUMS):
        batch = order[start : start + BATCH_SUMS]
        replaced = sums + np.cumsum(statistics.values[k, batch] - statistics.values[b, batch], axis=0)
        scores[start + 1 : start + 1 + len(batch)] = statistics.score(replaced)
        sums = replaced[-1]
    scores.flags.writeable = False
    return Replacement(
        system=system,
        baseline=baseline,
        order=order,
        scores=scores,
        higher_is_better=statistics.higher_is_better,
        decimals=statistics.decimals,
    )


def slice_share(statistics: SegmentStatistics, system: str, baseline: str, mask: npt.NDArray[np.bool_]) -> SliceShare:
    """Compute the difference of two systems inside and outside a slice, and the part of it that is due to the slice.

    Args:
        statistics: of the systems.
        system: its name.
        baseline: the name of the other system.
        mask: (S,) which segments are in the slice.

    Raises:
        ValueError: there is no system of that name, or the mask does not have S values.
    """
    if mask.shape != (statistics.segments,):
        raise ValueError(f"a mask of shape {mask.shape} found, ({statistics.segments},) expected")
    k, b = (statistics.systems.index(name) for name in (system, baseline))
    sums = statistics.weighted_sums(np.stack([mask, ~mask]).astype(np.int64))
    inner, outer = sums[:, 0], sums[:, 1]
    # The system, the baseline, and the two combinations of both.
    mixed = inner[[k, b, k, b]] + outer[[k, b, b, k]]
    whole_k, whole_b, k_inside, k_outside = statistics.score(mixed).tolist()
    delta = whole_k - whole_b
    part = ((k_inside - whole_b) + (whole_k - k_outside)) / 2
    segments = int(mask.sum())
    inside = _difference(statistics, inner, k, b) if segments else math.nan
    outside = _difference(statistics, outer, k, b) if segments < statistics.segments else math.nan
    reason = ""
    if not segments or segments == statistics.segments:
        reason = EMPTY_OUTSIDE if segments else EMPTY_INSIDE
    elif np.isnan([delta, part, inside, outside]).any():
        reason = UNDEFINED_SCORE
    elif abs(delta) <= TOLERANCE:
        reason = NO_DIFFERENCE
    fraction = math.nan if abs(delta) <= TOLERANCE else part / delta
    return SliceShare(
        system=system,
        baseline=baseline,
        segments=segments,
        total=statistics.segments,
        delta=delta,
        inside=inside,
        outside=outside,
        part=part,
        share=fraction,
        reason=reason,
    )


def _difference(statistics: SegmentStatistics, sums: Numbers, system: int, baseline: int) -> float:
    scores = statistics.score(sums[[system, baseline]])
    return float(scores[0] - scores[1])
