"""The comparison of systems: the tests of pairs, what all tests of a family share, verdicts, and tiers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, Protocol, TypeVar, get_args

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats, best_first
from bleu_core.dataset import plural
from bleu_core.fields import (
    BASELINE,
    DELTA,
    P_VALUE,
    P_VALUE_ADJUSTED,
    REASON,
    SYSTEM,
    Approximate,
    AtMost,
    Field,
    bounds,
    derived,
    field,
    fields_of,
    inline,
    result,
)
from bleu_core.inference.blocks import PairedT
from bleu_core.inference.intervals import CONFIDENCE, Interval, Method, significant
from bleu_core.inference.paired_tests import MIN_EXTREME_DRAWS, NO_VARIANCE, UNDEFINED_SCORE, Correction, adjust
from bleu_core.inference.resampling import Pair

Test = Literal["bootstrap", "randomization", "t", "sacrebleu-bootstrap"]

Unit = Literal["segment", "document", "block", "bundle"]

TESTS: tuple[Test, ...] = get_args(Test)

_System = TypeVar("_System")


@result
class Comparison:
    """The comparison of a system with a baseline.

    Attributes:
        system, baseline: names.
        delta: system - baseline, of corpus scores, points.
        interval: of delta, by the method of the comparisons; for test "t" of the mean difference over blocks.
        p_value: two-sided; NaN if undefined, never 0. It is an Approximate if fewer than 10 draws differ by as much as
            the systems do (see extrapolated_p), and for sacreBLEU's rule an AtMost if none does.
        p_value_adjusted: corrected for the number of comparisons; an Approximate or AtMost if p_value is one.
        paired_t: result of test "t", else None.
        reason: why p is undefined, else empty.
        standard_error: of delta, points, by the method of the comparisons; for test "t" of the mean difference over
            blocks.
        segments: number of segments that both systems have a score of, where delta and all else are computed; None if
            every system has a score of every segment.
        score, baseline_score: of the two on these segments; None as above.
    """

    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    segments: int | None = field(
        "count", "Number of segments with scores by both systems, where not all have one.", default=None
    )
    score: float | None = field("points", "Score of the system on these segments.", default=None)
    baseline_score: float | None = field("points", "Score of the baseline on these segments.", default=None)
    delta: float = field(DELTA)

    @derived(fields_of(PairedT)["mean_difference"])
    def mean_difference(self) -> float | None:
        """The mean over blocks, points; None for other tests."""
        return self.paired_t.mean_difference if self.paired_t else None

    interval: Interval = inline(
        {
            **bounds("difference", f"{100 * CONFIDENCE:g}% interval of the difference"),
            "confidence": Field("fraction", "Confidence of the interval.", only="json"),
        }
    )
    paired_t: PairedT | None = inline(PairedT, "t", "degrees_of_freedom", default=None)
    p_value: float = field(
        P_VALUE,
        "Two-sided p-value of this pair, not corrected: probability that two equally good systems differ at least this "
        "much. It does not depend on other comparisons.",
    )

    @derived(
        "text",
        f"Whether fewer than {MIN_EXTREME_DRAWS} of the draws are as extreme; p_value is then the smaller of "
        f"{MIN_EXTREME_DRAWS + 1} / (draws + 1) and the tails of a normal distribution, and written with ≈ in tables.",
        key="p_value_extrapolated",
        only="json",
    )
    def extrapolated(self) -> bool:
        """Whether p is extrapolated, as few draws are as extreme."""
        return isinstance(self.p_value, Approximate)

    p_value_adjusted: float = field(
        P_VALUE_ADJUSTED, "p-value corrected for all comparisons of the family, which determines significance."
    )
    reason: str = field(REASON, default="")
    standard_error: float = math.nan

    @property
    def tested_difference(self) -> float:
        """The difference that p and the interval refer to: for a paired t, the mean over its units."""
        return self.paired_t.mean_difference if self.paired_t else self.delta

    @property
    def spans_zero(self) -> bool:
        """Whether the interval contains 0 or is undefined."""
        return not (self.interval.low > 0 or self.interval.high < 0)

    def reversed(self) -> Comparison:
        """Return the comparison of the baseline with the system."""
        # Subtracted from 0, so that no zero gets a sign.
        bounds = Interval(0 - self.interval.high, 0 - self.interval.low, self.interval.confidence)
        t = self.paired_t
        if t:
            t = replace(t, mean_difference=0 - t.mean_difference, t=0 - t.t)
        names = {"system": self.baseline, "baseline": self.system}
        scores = {"score": self.baseline_score, "baseline_score": self.score}
        return replace(self, **names, **scores, delta=0 - self.delta, interval=bounds, paired_t=t)


class Difference(Protocol):
    """A tested difference between a system and a baseline."""

    @property
    def p_value_adjusted(self) -> float:
        """p, corrected for the family; NaN if undefined."""
        ...

    @property
    def tested_difference(self) -> float:
        """The difference that p refers to, system minus baseline."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class Design:
    """What the tests of a family of pairs share.

    Attributes:
        unit: that was drawn, swapped, left out or averaged over.
        units: number of units.
        segments: S.
        correction: for the number of pairs.
        alpha: level of significance; a fraction.
        family: of p-values for the correction, such as "78 pairs of 13 systems". Intervals and uncorrected p-values do
            not depend on it.
        higher_is_better: of the metric.
        decimals: of scores and differences for people.
        warnings: in sentences.
        obstacle: why the systems are not comparable, a sentence, so that no difference is called significant; empty if
            they are.
    """

    unit: Unit
    units: int
    segments: int
    correction: Correction
    alpha: float
    family: str = ""
    higher_is_better: bool = True
    decimals: int = 2
    warnings: tuple[str, ...] = ()
    obstacle: str = ""

    @property
    def corrected_for(self) -> str:
        """The family, or "none" if p-values are not corrected."""
        return "none" if self.correction == "none" else self.family

    def verdict(self, pair: Difference) -> int:
        """Return 1 if the system is significantly better than the baseline after correction, -1 if worse, else 0.

        It is 0 if the systems are not comparable.
        """
        if self.obstacle or not significant(pair.p_value_adjusted, self.alpha):
            return 0
        return int(np.sign(pair.tested_difference)) * (1 if self.higher_is_better else -1)


@dataclass(frozen=True, kw_only=True, eq=False)  # without slots, which exclude cached properties
class Comparisons(Design):
    """Comparisons of pairs of systems by one test, with its description.

    Attributes:
        test: name of the test.
        systems: K names.
        scores: (K,) points.
        pairs: the comparisons.
        resamples: of the bootstrap; 0 if it was not used.
        trials: of approximate randomisation; 0 if it was not used.
        seed: of all draws.
        method: of intervals, and of p-values if test is "bootstrap"; None for test "t" and for too few units.
        deltas: (pairs, draws) the resampled differences that p is based on, points, if they were kept; no draws for
            too few units.
    """

    test: Test
    systems: tuple[str, ...]
    scores: Floats
    pairs: tuple[Comparison, ...]
    resamples: int
    trials: int
    seed: int
    method: Method | None = "percentile"
    deltas: Floats | None = None

    @cached_property
    def ranked(self) -> tuple[str, ...]:
        """The systems, best first, equal ones by name."""
        order = best_first(self.systems, self.scores, higher_is_better=self.higher_is_better)
        return tuple(self.systems[k] for k in order)

    @property
    def complete(self) -> bool:
        """Whether all pairs of systems were compared."""
        compared = {frozenset((pair.system, pair.baseline)) for pair in self.pairs}
        return len(compared) == math.comb(len(self.systems), 2)

    @property
    def tested(self) -> bool:
        """Whether any pair has a p-value, and the systems are comparable."""
        return not self.obstacle and any(not math.isnan(pair.p_value) for pair in self.pairs)

    @property
    def null_hypothesis(self) -> str:
        """The null hypothesis, as a clause."""
        if self.test == "randomization":
            return f"for each {self.unit}, the two outputs are equally likely to come from either system"
        if self.test == "t":
            return f"the mean difference between the scores of {self.unit}s is zero"
        return "over all texts of this kind, the expected difference is zero"

    @property
    def resampled(self) -> str:
        """The resampling scheme and its numbers, in words."""
        units = f"{self.units:,} {plural(self.units, self.unit)}"
        if self.test == "randomization":
            return f"{self.trials:,} random swaps of the outputs of {units}"
        if self.test == "t":
            return f"{units}{' of text' * (self.unit == 'block')}, without resampling"
        if self.test == "bootstrap" and self.method == "jackknife":
            return f"{units}, each left out once"
        return f"{self.resamples:,} resamples of {units} with replacement"

    def between(self, system: str, baseline: str) -> Comparison | None:
        """Return the comparison of a system with a baseline; None if they were not compared."""
        pair = self._by_names.get((system, baseline))
        if pair is None and (turned := self._by_names.get((baseline, system))) is not None:
            pair = turned.reversed()
        return pair

    @cached_property
    def _by_names(self) -> Mapping[tuple[str, str], Comparison]:
        """System and baseline -> their comparison."""
        return {(pair.system, pair.baseline): pair for pair in self.pairs}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairTests:
    """The tests of P pairs.

    Attributes:
        p_values: (P,) two-sided; NaN if undefined.
        intervals: P, of the differences.
        errors: (P,) standard errors of the differences, points; NaN if unknown.
        reasons: P reasons why p is undefined, or empty texts.
        paired_t: P results of the paired t; empty for other tests.
        extrapolated: (P,) whether p is extrapolated; None if none is.
        least_p: the smallest value that the test gives to p, which is then a bound; 0 if there is none.
    """

    p_values: Floats
    intervals: Sequence[Interval]
    errors: Sequence[float] | Floats
    reasons: Sequence[str]
    paired_t: Sequence[PairedT] = ()
    extrapolated: npt.NDArray[np.bool_] | None = None
    least_p: float = 0

    @classmethod
    def none(cls, reasons: Sequence[str]) -> PairTests:
        """Return the tests of pairs that are not tested, for a reason each."""
        nan = np.full(len(reasons), np.nan)
        undefined = Interval(math.nan, math.nan, CONFIDENCE)
        return cls(p_values=nan, intervals=[undefined] * len(reasons), errors=nan, reasons=reasons)

    def comparisons(
        self, systems: Sequence[str], pairs: Sequence[Pair], observed: Floats, correction: Correction
    ) -> tuple[Comparison, ...]:
        """Return the comparisons of the pairs, with p corrected for their number.

        Args:
            systems: K names.
            pairs: P pairs of a system's and its baseline's index.
            observed: (P,) differences, points.
            correction: for the number of pairs.
        """
        adjusted = adjust(self.p_values, correction)
        return tuple(
            Comparison(
                system=systems[k],
                baseline=systems[b],
                delta=float(observed[i]),
                interval=self.intervals[i],
                p_value=self._p_type(i)(self.p_values[i]),
                p_value_adjusted=self._p_type(i)(adjusted[i]),
                paired_t=self.paired_t[i] if self.paired_t else None,
                reason=self.reasons[i],
                standard_error=float(self.errors[i]),
            )
            for i, (k, b) in enumerate(pairs)
        )

    def _p_type(self, pair: int) -> type[float]:
        """Return the type of the p-values of a pair: Approximate, AtMost or float."""
        if self.extrapolated is not None and self.extrapolated[pair] and not math.isnan(self.p_values[pair]):
            return Approximate
        return AtMost if self.p_values[pair] <= self.least_p else float


def undefined_reasons(undefined: npt.NDArray[np.bool_], p_values: Floats) -> list[str]:
    """Return why the p-values of pairs are undefined, or empty texts.

    Args:
        undefined: (P,) whether a score, on the text or a resample, is undefined.
        p_values: (P,) NaN if they are.
    """
    return [
        UNDEFINED_SCORE if is_undefined else NO_VARIANCE if math.isnan(p) else ""
        for is_undefined, p in zip(undefined, p_values, strict=True)
    ]


def family_name(systems: Sequence[str], pairs: Sequence[Pair]) -> str:
    """Describe the family of pairs, as indices, that p-values are corrected for."""
    number = len(pairs)
    if len({frozenset(pair) for pair in pairs}) == number == math.comb(len(systems), 2) and number > 1:
        return f"{number:,} pairs of {len(systems):,} systems"
    baselines = {baseline for _, baseline in pairs}
    if len(baselines) == 1 and number > 1:
        return f"{number:,} pairs with {systems[baselines.pop()]}"
    return f"{number:,} {plural(number, 'pair')}"


def tiers(comparisons: Comparisons) -> tuple[tuple[str, ...], ...]:
    """Divide the systems, best first, where all above are significantly better than all below.

    Source:
        The clusters of WMT's findings, Bojar et al. (2016), W16-2301, section 3.4.

    Raises:
        ValueError: a pair was not compared.
    """
    order = comparisons.ranked
    better: dict[tuple[str, str], bool] = {}
    for pair in comparisons.pairs:
        verdict = comparisons.verdict(pair)
        better[pair.system, pair.baseline] = verdict > 0
        better[pair.baseline, pair.system] = verdict < 0
    if not comparisons.complete:
        raise ValueError(f"{len(comparisons.pairs)} pairs of {len(order)} systems found, all expected")
    return divide_into_tiers(order, lambda above, below: better[above, below])


def divide_into_tiers(
    order: Sequence[_System], is_better: Callable[[_System, _System], bool]
) -> tuple[tuple[_System, ...], ...]:
    """Divide systems, best first, where each above is significantly better than each below; see tiers."""
    groups: list[list[_System]] = [[]]
    for cut, system in enumerate(order):
        if cut and all(is_better(above, below) for above in order[:cut] for below in order[cut:]):
            groups.append([])
        groups[-1].append(system)
    return tuple(tuple(tier) for tier in groups)


def systems_beaten(comparisons: Comparisons) -> Mapping[str, int]:
    """Count the systems that each system is significantly better than, after correction.

    Returns:
        System -> count, best system first; 0 for systems that were not compared.
    """
    beaten: dict[str, set[str]] = {name: set() for name in comparisons.ranked}
    for pair in comparisons.pairs:
        verdict = comparisons.verdict(pair)
        if verdict:
            better, worse = (pair.system, pair.baseline)[::verdict]
            beaten[better].add(worse)
    return {name: len(others) for name, others in beaten.items()}
