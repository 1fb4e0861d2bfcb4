"""Which differences between systems are significant: paired tests, intervals, corrections and tiers.

Everything works on a SumTable, and so for any metric that is a function of sums over segments. Draws are made once
and shared by all pairs. Where documents are known, whole documents can be drawn in place of segments.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats, best_first
from bleu_core.dataset import plural
from bleu_core.errors import SettingsError
from bleu_core.fields import Approximate, AtMost
from bleu_core.inference.blocks import Blocks, PairedT, equal_blocks, paired_t, without_test
from bleu_core.inference.intervals import (
    ALPHA,
    CONFIDENCE,
    ENOUGH_UNITS,
    MIN_UNITS,
    Interval,
    Method,
    method_for,
    significant,
)
from bleu_core.inference.jackknife import jackknife_errors, student_intervals, student_p
from bleu_core.inference.paired_tests import (
    NO_VARIANCE,
    UNDEFINED_SCORE,
    Correction,
    adjust,
    check_arguments,
    p_of_shuffled,
    percentile_intervals,
    resampled_deltas,
    run_bootstrap,
    run_randomization,
)
from bleu_core.inference.resampling import MAX_DRAWS, SEED, Pair, bootstrap_batches, bootstrap_scores
from bleu_core.progress import Progress, offset_progress
from bleu_core.scoring import BleuEvaluation, SegmentStatistics, bleu

Test = Literal["bootstrap", "randomization", "t", "sacrebleu-bootstrap"]

Unit = Literal["segment", "document", "block", "bundle"]

TESTS: tuple[Test, ...] = get_args(Test)

#: Resamples for intervals of scores, and blocks of the paired t.
RESAMPLES, BLOCKS = 1000, 20

#: Resamples, and trials, for the comparison of two systems. Their number is the same whatever else is compared, and so
#: are the interval and the uncorrected p of a pair.
PAIR_RESAMPLES = TRIALS = 10_000

#: The fewest draws for each pair and unit of alpha with which sacreBLEU's rule can pass a correction: its smallest p is
#: then half of what Holm's correction asks of the most significant of all pairs.
MIN_DRAWS_FACTOR = 2

#: Intervals of scores of more units than this come from so many bundles of units.
MAX_UNBUNDLED_UNITS, BUNDLES = 20_000, 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A system against a baseline.

    Attributes:
        system, baseline: names.
        delta: system - baseline, of corpus scores, points.
        interval: of delta, by the method of the comparisons; of the mean difference over blocks where t was asked for.
        p_value: two-sided; NaN where it is undefined, never 0. It is an Approximate where fewer than 10 draws differ by
            as much as the systems do (see extrapolated_p), and by sacreBLEU's rule an AtMost where none does.
        p_value_adjusted: corrected for the number of comparisons; an Approximate or AtMost where p_value is one.
        paired_t: what t found, where it was asked for.
        reason: why p is undefined, else empty.
        standard_error: of delta, points, by the method of the comparisons; of the mean difference over blocks where t
            was asked for.
    """

    system: str
    baseline: str
    delta: float
    interval: Interval
    p_value: float
    p_value_adjusted: float
    paired_t: PairedT | None = None
    reason: str = ""
    standard_error: float = math.nan

    @property
    def extrapolated(self) -> bool:
        """Return whether fewer than 10 draws are as extreme, so that p is not their share."""
        return isinstance(self.p_value, Approximate)

    @property
    def tested_difference(self) -> float:
        """The difference that p and the interval refer to: of a paired t, the mean over its units."""
        return self.paired_t.mean_difference if self.paired_t else self.delta

    @property
    def spans_zero(self) -> bool:
        """Return whether the interval leaves the sign of delta open, or there is no interval."""
        return not (self.interval.low > 0 or self.interval.high < 0)

    def reversed(self) -> Comparison:
        """The baseline against the system."""
        # Taken from 0, so that no zero gets a sign.
        bounds = Interval(0 - self.interval.high, 0 - self.interval.low, self.interval.confidence)
        t = self.paired_t
        if t:
            t = replace(t, mean_difference=0 - t.mean_difference, t=0 - t.t)
        names = {"system": self.baseline, "baseline": self.system}
        return replace(self, **names, delta=0 - self.delta, interval=bounds, paired_t=t)


@dataclass(frozen=True, kw_only=True)  # without slots, so that pairs are looked up in a dictionary that is made once
class Comparisons:
    """Pairs of systems under one test, with all that describes the test.

    Attributes:
        test: which.
        systems: K names.
        scores: (K,) points.
        pairs: what was compared.
        higher_is_better: of the metric.
        unit: what was drawn, swapped or averaged over.
        units: how many of them.
        segments: S.
        resamples: of the bootstrap; 0 where there was none.
        trials: of approximate randomisation; 0 where there was none.
        seed: of all draws.
        correction: for the number of pairs.
        alpha: level of significance; a fraction.
        family: what p-values are corrected for, such as "78 pairs of 13 systems". Intervals and uncorrected p-values do
            not depend on it.
        method: how differences are bounded, and tested where test is "bootstrap"; None where t was asked for, and where
            there are too few units.
        warnings: what to mind, in sentences.
        deltas: (pairs, draws) the differences drawn that p comes from, points, where they were to be kept; no draws
            of a single unit, which has none.
    """

    test: Test
    systems: tuple[str, ...]
    scores: Floats
    pairs: tuple[Comparison, ...]
    higher_is_better: bool
    unit: Unit
    units: int
    segments: int
    resamples: int
    trials: int
    seed: int
    correction: Correction
    alpha: float
    family: str = ""
    method: Method | None = "percentile"
    warnings: tuple[str, ...] = ()
    deltas: Floats | None = None

    @cached_property
    def ranked(self) -> tuple[str, ...]:
        """The systems, best first, equal ones by name."""
        order = best_first(self.systems, self.scores, higher_is_better=self.higher_is_better)
        return tuple(self.systems[k] for k in order)

    @property
    def complete(self) -> bool:
        """Return whether all pairs of systems were compared."""
        compared = {frozenset((pair.system, pair.baseline)) for pair in self.pairs}
        return len(compared) == math.comb(len(self.systems), 2)

    @property
    def corrected_for(self) -> str:
        """The family, or "none" where p-values are not corrected."""
        return "none" if self.correction == "none" else self.family

    @property
    def null_hypothesis(self) -> str:
        """What p is the probability under."""
        if self.test == "randomization":
            return f"for each {self.unit}, the two outputs are equally likely to come from either system"
        if self.test == "t":
            return f"the mean difference between the scores of {self.unit}s is zero"
        return "over all texts of this kind, the expected difference is zero"

    @property
    def resampled(self) -> str:
        """What was drawn, swapped or averaged over, and how often."""
        units = f"{self.units:,} {plural(self.units, self.unit)}"
        if self.test == "randomization":
            return f"{self.trials:,} random swaps of the outputs of {units}"
        if self.test == "t":
            return f"{units}{' of text' * (self.unit == 'block')}, without resampling"
        if self.test == "bootstrap" and self.method == "jackknife":
            return f"{units}, each left out once"
        return f"{self.resamples:,} resamples of {units} with replacement"

    def between(self, system: str, baseline: str) -> Comparison | None:
        """The comparison of two systems in this direction; None if they were not compared."""
        pair = self._by_names.get((system, baseline))
        if pair is None and (turned := self._by_names.get((baseline, system))) is not None:
            pair = turned.reversed()
        return pair

    @cached_property
    def _by_names(self) -> Mapping[tuple[str, str], Comparison]:
        """System and baseline -> their comparison."""
        return {(pair.system, pair.baseline): pair for pair in self.pairs}

    def verdict(self, pair: Comparison) -> int:
        """1 where the system is significantly better than the baseline after correction, -1 worse, 0 neither."""
        if not significant(pair.p_value_adjusted, self.alpha):
            return 0
        return int(np.sign(pair.tested_difference)) * (1 if self.higher_is_better else -1)


@dataclass(frozen=True, slots=True)
class ScoreIntervals:
    """Intervals of corpus scores from the bootstrap.

    Attributes:
        scores: system -> interval of its score.
        precisions: system -> N intervals of its precisions, fractions; of BLEU only.
        resamples: how many.
    """

    scores: Mapping[str, Interval]
    precisions: Mapping[str, tuple[Interval, ...]]
    resamples: int


def all_pairs(systems: Sequence[str]) -> tuple[Pair, ...]:
    """Each two systems, the later against the earlier, as indices."""
    return tuple((later, earlier) for earlier, later in combinations(range(len(systems)), 2))


def baseline_pairs(systems: Sequence[str], baseline: str) -> tuple[Pair, ...]:
    """Each other system against a baseline, as indices.

    Raises:
        SettingsError: the baseline is none of the systems.
    """
    if baseline not in systems:
        raise SettingsError(f"baseline {baseline!r} found, one of {', '.join(systems)} expected")
    index = list(systems).index(baseline)
    return tuple((k, index) for k in range(len(systems)) if k != index)


def ranked_pairs(statistics: SegmentStatistics) -> tuple[Pair, ...]:
    """Each two systems, the better against the worse, as indices; the pairs of the best system come first."""
    order = best_first(
        statistics.systems, statistics.score(statistics.sums()), higher_is_better=statistics.higher_is_better
    )
    return tuple(combinations(order, 2))


def resampling_units(statistics: SegmentStatistics, groups: Blocks | None) -> tuple[SegmentStatistics, Unit]:
    """What is drawn, or swapped, as a whole, and what it is called: groups where there are some, else segments."""
    if groups is None:
        return statistics, "segment" if statistics.bundled is None else "bundle"
    return statistics.grouped(groups.labels), groups.unit


def family_name(systems: Sequence[str], pairs: Sequence[Pair]) -> str:
    """What p-values of pairs, as indices, are corrected for, in words."""
    number = len(pairs)
    if len({frozenset(pair) for pair in pairs}) == number == math.comb(len(systems), 2) and number > 1:
        return f"{number:,} pairs of {len(systems):,} systems"
    baselines = {baseline for _, baseline in pairs}
    if len(baselines) == 1 and number > 1:
        return f"{number:,} pairs with {systems[baselines.pop()]}"
    return f"{number:,} {plural(number, 'pair')}"


def number_of_draws(test: Test, *, resamples: int | None = None, trials: int | None = None) -> tuple[int, int]:
    """How many resamples and trials a comparison takes: as many as were chosen, or else 10,000, whatever is compared.

    Args:
        test: the test.
        resamples: chosen by a person; None if nobody chose.
        trials: the same.

    Returns:
        Resamples of the bootstrap, which intervals always need, and trials of approximate randomisation.
    """
    if test == "t":
        return 0, 0
    return resamples or PAIR_RESAMPLES, (trials or TRIALS) if test == "randomization" else 0


def compare(
    statistics: SegmentStatistics,
    pairs: Sequence[Pair],
    *,
    test: Test = "bootstrap",
    groups: Blocks | None = None,
    resamples: int | None = None,
    trials: int | None = None,
    seed: int = SEED,
    correction: Correction = "holm",
    alpha: float = ALPHA,
    keep_deltas: bool = False,
    resampled_scores: Floats | None = None,
    progress: Progress | None = None,
) -> Comparisons:
    """Compare pairs of systems by one test.

    The interval and the uncorrected p of a pair depend on the two systems, the units, the number of draws and the seed,
    and not on what else is compared; the correction alone does.

    Where fewer than 100 units are resampled, differences are bounded, and tested where test is "bootstrap", by the
    jackknife over units with Student's t in place of percentiles (see METHODS). Of fewer than 6 units all tests but t
    give no p and no interval; of fewer than 6 documents t gives none either.

    Memory holds the scores of all resamples, 8 bytes for each system and resample (4 MB for 50 systems and 10,000
    resamples), and of the differences only those of a few pairs at a time.

    Args:
        statistics: T of all systems.
        pairs: indices of a system and its baseline.
        test: "bootstrap" (paired, differences centred: Koehn 2004, W04-3250, with the two-sided p of Efron and
            Tibshirani 1993, chapter 16), "randomization" (Riezler and Maxwell 2005, W05-0908; trials that equal the
            observed difference count), "t" (paired, over blocks: Papineni et al. 2002, section 3) or
            "sacrebleu-bootstrap" (sacreBLEU's own rule, whose p is about half of a two-sided one). Where fewer than 10
            draws of the first two are as extreme, p is that of extrapolated_p.
        groups: what is drawn or swapped as a whole, documents for example; segments if None. For t the blocks; 20
            equal ones if None.
        resamples: of the bootstrap; 10,000 if None.
        trials: of approximate randomisation; 10,000 if None.
        seed: of the draws, which all pairs share.
        correction: for the number of pairs.
        alpha: level of significance, a fraction.
        keep_deltas: whether the result holds all differences drawn: for many pairs that is much.
        resampled_scores: (K, any number) what bootstrap_scores gives for these systems, the units and the seed, where
            it is at hand; it is drawn if None, or fewer than resamples.
        progress: told, now and then, how many draws of how many are done; or how many pairs, where nothing is drawn.

    Raises:
        SettingsError: a number is out of its range, or there is no such test.
        ValueError: the scores of resamples are of another number of systems.
    """
    if test not in TESTS:
        raise SettingsError(f"test {test!r} found, one of {', '.join(TESTS)} expected")
    check_arguments(statistics, resamples, trials=trials, seed=seed, alpha=alpha)
    scores = statistics.score(statistics.sums())
    deltas = np.array([scores[k] - scores[b] for k, b in pairs])
    if test == "t":
        done = _by_t(statistics, pairs, groups)
    else:
        drawn, unit = resampling_units(statistics, groups)
        numbers = number_of_draws(test, resamples=resamples, trials=trials)
        draws = _ResamplingPlan(
            table=drawn,
            pairs=pairs,
            resamples=numbers[0],
            trials=numbers[1],
            seed=seed,
            progress=progress,
            resampled=resampled_scores,
        )
        done = _by_draws(draws, deltas, test, unit, keep_deltas=keep_deltas)
    adjusted = adjust(done.p_values, correction)
    return Comparisons(
        test=test,
        systems=statistics.systems,
        scores=scores,
        pairs=tuple(
            Comparison(
                system=statistics.systems[k],
                baseline=statistics.systems[b],
                delta=float(deltas[i]),
                interval=done.bounds[i],
                p_value=done.kind(i)(done.p_values[i]),
                p_value_adjusted=done.kind(i)(adjusted[i]),
                paired_t=done.paired_t[i],
                reason=done.reasons[i],
                standard_error=float(done.errors[i]),
            )
            for i, (k, b) in enumerate(pairs)
        ),
        family=family_name(statistics.systems, pairs),
        method=done.method,
        higher_is_better=statistics.higher_is_better,
        unit=done.unit,
        units=done.units,
        segments=statistics.all_segments,
        resamples=done.resamples,
        trials=done.trials,
        seed=seed,
        correction=correction,
        alpha=alpha,
        warnings=_warnings(test, done, pairs=len(pairs), alpha=alpha, correction=correction),
        deltas=done.deltas,
    )


def tiers(comparisons: Comparisons) -> tuple[tuple[str, ...], ...]:
    """Part the systems, best first, where every one above is significantly better than every one below.

    Source:
        The clusters of WMT's findings, Bojar et al. (2016), W16-2301, section 3.4.

    Raises:
        ValueError: some pair was not compared.
    """
    order = comparisons.ranked
    better: dict[tuple[str, str], bool] = {}
    for pair in comparisons.pairs:
        verdict = comparisons.verdict(pair)
        better[pair.system, pair.baseline] = verdict > 0
        better[pair.baseline, pair.system] = verdict < 0
    if not comparisons.complete:
        raise ValueError(f"{len(comparisons.pairs)} pairs of {len(order)} systems found, all expected")
    found: list[list[str]] = [[]]
    for cut, system in enumerate(order):
        if cut and all(better[above, below] for above in order[:cut] for below in order[cut:]):
            found.append([])
        found[-1].append(system)
    return tuple(tuple(tier) for tier in found)


def systems_beaten(comparisons: Comparisons) -> Mapping[str, int]:
    """How many of the others each system is significantly better than, after correction.

    Returns:
        System -> count, best system first; systems that were not compared have 0.
    """
    beaten: dict[str, set[str]] = {name: set() for name in comparisons.ranked}
    for pair in comparisons.pairs:
        verdict = comparisons.verdict(pair)
        if verdict:
            better, worse = (pair.system, pair.baseline)[::verdict]
            beaten[better].add(worse)
    return {name: len(others) for name, others in beaten.items()}


def score_intervals(
    scored: BleuEvaluation | SegmentStatistics,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
    progress: Progress | None = None,
) -> ScoreIntervals:
    """Percentile intervals of scores, from the bootstrap over segments (Koehn 2004, W04-3250).

    Of fewer than 6 segments they are NaN, and of fewer than 30 expanded.

    Args:
        scored: an evaluation for intervals of BLEU and of its precisions; any metric's table for those of its scores.
        resamples: how many.
        seed: of the draws.
        confidence: a fraction.
        progress: told, now and then, how many resamples of how many are done.

    Raises:
        SettingsError: a number is out of its range.
    """
    evaluation = scored if isinstance(scored, BleuEvaluation) else None
    table = scored.statistics if isinstance(scored, BleuEvaluation) else scored
    units = table.segments
    check_arguments(table, resamples, trials=None, seed=seed, alpha=1 - confidence)
    scores: list[Floats] = []
    precisions: list[Floats] = []
    for sums in bootstrap_batches(_bundled(table, seed), resamples, seed, progress=progress):
        if evaluation is None:
            scores.append(table.score(sums))
            continue
        found = bleu(sums, evaluation.settings)
        scores.append(found.score)
        precisions.append(found.precisions)
    if table.segments < MIN_UNITS:
        scores, precisions = ([np.full_like(found, np.nan) for found in parts] for parts in (scores, precisions))
    of_precisions = np.concatenate(precisions, axis=1) if precisions else np.empty((len(table.systems), resamples, 0))
    orders = [percentile_intervals(of_precisions[..., n], confidence, units) for n in range(of_precisions.shape[2])]
    of_system = {name: tuple(of_order[k] for of_order in orders) for k, name in enumerate(table.systems)}
    return ScoreIntervals(
        dict(zip(table.systems, percentile_intervals(np.concatenate(scores, axis=1), confidence, units), strict=True)),
        of_system if evaluation is not None else {},
        resamples,
    )


def metric_intervals(
    statistics: SegmentStatistics,
    *,
    groups: Blocks | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    progress: Progress | None = None,
) -> Mapping[str, Interval]:
    """Percentile intervals of any metric's scores: system -> 95 % interval, points; NaN of fewer than 6 units.

    Raises:
        SettingsError: a number is out of its range.
    """
    check_arguments(statistics, resamples, trials=None, seed=seed, alpha=ALPHA)
    drawn, _ = resampling_units(statistics, groups)
    scores = bootstrap_scores(_bundled(drawn, seed), resamples, seed, progress=progress)
    if drawn.segments < MIN_UNITS:
        scores = np.full_like(scores, np.nan)
    return dict(zip(statistics.systems, percentile_intervals(scores, CONFIDENCE, drawn.segments), strict=True))


def _bundled(statistics: SegmentStatistics, seed: int) -> SegmentStatistics:
    """A long table with random bundles of units in place of single ones.

    A sum over bundles drawn at random varies as much as one over as many single units, since units are bundled by
    chance; drawing fewer bundles keeps a million segments to seconds.
    """
    if statistics.segments <= MAX_UNBUNDLED_UNITS:
        return statistics
    labels = np.random.default_rng(seed).permutation(statistics.segments) % BUNDLES
    return statistics.grouped(labels)


@dataclass(frozen=True, slots=True, kw_only=True)
class _PairTestResults:
    """What a test found of P pairs, and on what."""

    p_values: Floats
    bounds: Sequence[Interval]
    errors: Sequence[float] | Floats
    paired_t: Sequence[PairedT | None]
    reasons: Sequence[str]
    unit: Unit
    units: int
    method: Method | None = None
    resamples: int = 0
    trials: int = 0
    extrapolated: npt.NDArray[np.bool_] | None = None
    least_p: float = 0
    deltas: Floats | None = None

    def kind(self, pair: int) -> type[float]:
        """The type of the p-values of a pair, which says how people should read them."""
        if self.extrapolated is not None and self.extrapolated[pair] and not math.isnan(self.p_values[pair]):
            return Approximate
        return AtMost if self.p_values[pair] <= self.least_p else float


def _by_t(statistics: SegmentStatistics, pairs: Sequence[Pair], blocks: Blocks | None) -> _PairTestResults:
    blocks = blocks or equal_blocks(statistics.segments, min(BLOCKS, statistics.segments))
    scores = statistics.score(statistics.sums_by_label(blocks.labels))
    found = [paired_t(scores[k], scores[b]) for k, b in pairs]
    if blocks.unit == "document" and len(blocks.names) < MIN_UNITS:
        found = [without_test(t, too_few_units_reason(len(blocks.names), blocks.unit)) for t in found]
    return _PairTestResults(
        p_values=np.array([t.p_value for t in found]),
        bounds=[t.interval(CONFIDENCE) for t in found],
        errors=[t.standard_error for t in found],
        paired_t=found,
        reasons=[t.reason for t in found],
        unit=blocks.unit,
        units=len(blocks.names),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _ResamplingPlan:
    """What is resampled, how often, and who is told of the progress."""

    table: SegmentStatistics
    pairs: Sequence[Pair]
    resamples: int
    trials: int
    seed: int
    progress: Progress | None
    resampled: Floats | None

    def scores(self) -> Floats:
        """The scores of the bootstrap's resamples, (K, resamples)."""
        if self.resampled is None or self.resampled.shape[1] < self.resamples:
            progress = offset_progress(self.progress, self.trials, self._drawn)
            return bootstrap_scores(self.table, self.resamples, self.seed, progress=progress)
        if len(self.resampled) != len(self.table.systems):
            raise ValueError(f"scores of {len(self.resampled)} systems found, {len(self.table.systems)} expected")
        return self.resampled[:, : self.resamples]

    def tell_pairs(self, done: int, total: int) -> None:
        """Tell how many pairs are done, or that all is drawn, so that the work can still be stopped then."""
        if self.progress and self._drawn:
            self.progress(self._drawn, self._drawn)
        elif self.progress:
            self.progress(done, total)

    def by_swapping(
        self, observed: Floats, *, keep_deltas: bool
    ) -> tuple[Floats, npt.NDArray[np.bool_], Floats | None]:
        """The p-values of approximate randomisation, which are extrapolated, and the differences drawn, if kept."""
        progress = offset_progress(self.progress, 0, self._drawn)
        if not keep_deltas:
            found = run_randomization(self.table, self.pairs, observed, self.trials, seed=self.seed, progress=progress)
            return (*found, None)
        deltas = resampled_deltas(
            self.table, self.pairs, "randomization", self.trials, seed=self.seed, progress=progress
        )
        return (*p_of_shuffled(deltas, observed, self.table.segments), deltas)

    @property
    def _drawn(self) -> int:
        """How many draws are made, of both kinds."""
        at_hand = self.resampled is not None and self.resampled.shape[1] >= self.resamples
        return self.trials + (0 if at_hand else self.resamples)


def _by_draws(
    draws: _ResamplingPlan, observed: Floats, test: Test, unit: Unit, *, keep_deltas: bool
) -> _PairTestResults:
    """The p-values, and the intervals, which do not come from the draws of p where these are shuffles."""
    pairs = len(draws.pairs)
    units = draws.table.segments
    method = method_for(units)
    if not pairs or method is None:
        return _nothing(draws, observed, unit, keep_deltas=keep_deltas)
    by_jackknife = method == "jackknife"
    if by_jackknife and test != "sacrebleu-bootstrap" and not keep_deltas:
        draws = replace(draws, resamples=0)
    undefined = np.isnan(observed)
    p_values, errors = np.full(pairs, np.nan), np.full(pairs, np.nan)
    bounds: Sequence[Interval] = ()
    extrapolated: npt.NDArray[np.bool_] | None = None
    deltas: Floats | None = None
    if test == "randomization":
        p_values, extrapolated, deltas = draws.by_swapping(observed, keep_deltas=keep_deltas)
        undefined |= np.isnan(p_values)
    if draws.resamples:
        scores = draws.scores()
        rule = "sacrebleu" if test == "sacrebleu-bootstrap" else "centred"
        found = run_bootstrap(scores, draws.pairs, observed, rule, progress=draws.tell_pairs)
        bounds, errors = found.bounds, found.errors
        undefined |= found.undefined
        if test != "randomization":
            p_values, extrapolated = found.p_values, found.extrapolated
        if keep_deltas and deltas is None:
            systems, baselines = (np.array(side, np.intp) for side in zip(*draws.pairs, strict=True))
            deltas = scores[systems] - scores[baselines]
    if by_jackknife:
        errors = jackknife_errors(draws.table, draws.pairs)
        bounds = student_intervals(observed, errors, units)
        undefined |= np.isnan(errors)
        if test == "bootstrap":
            p_values, extrapolated = student_p(observed, errors, units), None
    return _PairTestResults(
        p_values=np.where(undefined, np.nan, p_values),  # p and bounds would mean nothing
        bounds=bounds,
        errors=errors,
        paired_t=[None] * pairs,
        reasons=[
            UNDEFINED_SCORE if of_pair else NO_VARIANCE if math.isnan(p) else ""
            for of_pair, p in zip(undefined, p_values, strict=True)
        ],
        unit=unit,
        units=units,
        method=method,
        resamples=draws.resamples,
        trials=draws.trials,
        extrapolated=extrapolated,
        least_p=1 / (draws.resamples + 1) if test == "sacrebleu-bootstrap" else 0,
        deltas=deltas,
    )


def _nothing(draws: _ResamplingPlan, observed: Floats, unit: Unit, *, keep_deltas: bool) -> _PairTestResults:
    """What is found of no pair, and of too few units."""
    pairs, units = len(draws.pairs), draws.table.segments
    nan = np.full(pairs, np.nan)
    return _PairTestResults(
        p_values=nan,
        bounds=[Interval(math.nan, math.nan, CONFIDENCE)] * pairs,
        errors=nan,
        paired_t=[None] * pairs,
        reasons=[UNDEFINED_SCORE if of_pair else too_few_units_reason(units, unit) for of_pair in np.isnan(observed)],
        unit=unit,
        units=units,
        resamples=draws.resamples,
        trials=draws.trials,
        deltas=np.zeros((pairs, 0)) if keep_deltas else None,
    )


def _warnings(test: Test, done: _PairTestResults, pairs: int, alpha: float, correction: Correction) -> tuple[str, ...]:
    """What to mind about the draws, and about too few units."""
    if test == "t":
        few = done.unit == "document" and done.units < MIN_UNITS
        return (few_units_warning(done.units, done.unit),) if few else ()
    said: list[str] = []
    needed = math.ceil(min(MIN_DRAWS_FACTOR * pairs / alpha, MAX_DRAWS))  # a tiny alpha would take infinitely many
    if test == "sacrebleu-bootstrap" and correction != "none" and done.resamples < needed:
        said.append(
            f"{done.resamples:,} draws found, at least {needed:,} recommended: with fewer, corrected p-values can "
            "hardly be significant with so many pairs"
        )
    if done.units < MIN_UNITS:
        return (*said, few_units_warning(done.units, done.unit))
    tests = max(pairs, 1) if correction == "holm" else 1  # by the other method equal p-values pass as they are
    if test == "randomization" and not significant(tests * 2.0 ** (1 - done.units), alpha):
        said.append(
            f"{done.units} {plural(done.units, done.unit)} found: with so few, no difference can be "
            f"significant at {alpha:g}"
        )
    if done.units < ENOUGH_UNITS:
        said.append(few_units_warning(done.units, done.unit))
    return tuple(said)


def few_units_warning(units: int, unit: Unit) -> str:
    """What to mind when few units are resampled."""
    said = f"{units} {plural(units, unit)} found, at least"
    if units < MIN_UNITS:
        return f"{said} {MIN_UNITS} expected: with fewer, there are no intervals and no p-values"
    return f"{said} {ENOUGH_UNITS} recommended: intervals and p-values allow for so few, but are rough"


def too_few_units_reason(units: int, unit: Unit) -> str:
    """Why nothing is concluded from resampling fewer than 6 units."""
    return f"only one {unit}" if units == 1 else f"only {units} {unit}s, at least {MIN_UNITS} needed"
