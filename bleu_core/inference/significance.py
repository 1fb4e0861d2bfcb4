"""Significance of differences between systems: paired tests, intervals, corrections and tiers.

All functions work on SegmentStatistics, and so for any metric that is a function of sums over segments. All pairs share
the same draws. If documents are known, whole documents can be drawn instead of segments.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypedDict

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats, best_first
from bleu_core.dataset import plural
from bleu_core.errors import SettingsError
from bleu_core.inference.blocks import Blocks, equal_blocks, paired_t, without_test
from bleu_core.inference.comparison import (
    TESTS,
    Comparison,
    Comparisons,
    PairTests,
    Test,
    Unit,
    family_name,
    undefined_reasons,
)
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
from bleu_core.inference.jackknife import jackknife_errors
from bleu_core.inference.paired_tests import (
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
from bleu_core.inference.student_t import student_interval, student_p
from bleu_core.progress import Progress, offset_progress
from bleu_core.scoring import BleuEvaluation, CorpusScores, ScoredCorpus, SegmentStatistics

#: Resamples for intervals of scores, and blocks of the paired t.
RESAMPLES, BLOCKS = 1000, 20

#: Resamples, and trials, for the comparison of two systems. Their number does not depend on other pairs, and neither do
#: the interval and the uncorrected p of a pair.
PAIR_RESAMPLES = TRIALS = 10_000

#: Factor of pairs / alpha for the minimum number of draws with which sacreBLEU's rule can be significant after
#: correction: its smallest p is then half of Holm's threshold for the most significant pair.
MIN_DRAWS_FACTOR = 2

#: Minimum number of segments with scores by two systems for a comparison of the two, if there are others without.
MIN_COMMON_SEGMENTS = 20

#: Intervals of scores of more units than MAX_UNBUNDLED_UNITS use this number of bundles of units.
MAX_UNBUNDLED_UNITS, BUNDLES = 20_000, 5_000


@dataclass(frozen=True, slots=True)
class ScoreIntervals:
    """Intervals of corpus scores from the bootstrap.

    Attributes:
        scores: system -> interval of its score.
        precisions: system -> N intervals of its precisions, fractions; of BLEU only.
        resamples: number of resamples.
    """

    scores: Mapping[str, Interval]
    precisions: Mapping[str, tuple[Interval, ...]]
    resamples: int


def all_pairs(systems: Sequence[str]) -> tuple[Pair, ...]:
    """Return all pairs of systems as indices, the later with the earlier as baseline."""
    return tuple((later, earlier) for earlier, later in combinations(range(len(systems)), 2))


def baseline_pairs(systems: Sequence[str], baseline: str) -> tuple[Pair, ...]:
    """Return the pairs of each other system with a baseline, as indices.

    Raises:
        SettingsError: there is no system of the baseline's name.
    """
    if baseline not in systems:
        raise SettingsError(f"baseline {baseline!r} found, one of {', '.join(systems)} expected")
    index = list(systems).index(baseline)
    return tuple((k, index) for k in range(len(systems)) if k != index)


def ranked_pairs(statistics: SegmentStatistics) -> tuple[Pair, ...]:
    """Return all pairs of systems as indices, with the worse as baseline; pairs of the best system come first."""
    order = best_first(
        statistics.systems, statistics.score(statistics.sums()), higher_is_better=statistics.higher_is_better
    )
    return tuple(combinations(order, 2))


def resampling_units(statistics: SegmentStatistics, groups: Blocks | None) -> tuple[SegmentStatistics, Unit]:
    """Return the statistics of the units that are resampled, groups if given or else segments, and their name."""
    if groups is None:
        return statistics, "segment" if statistics.bundled is None else "bundle"
    return statistics.grouped(groups.labels), groups.unit


def number_of_draws(test: Test, *, resamples: int | None = None, trials: int | None = None) -> tuple[int, int]:
    """Return the numbers of resamples and trials of a comparison: those chosen, or 10,000.

    Args:
        test: the test.
        resamples: chosen number; None for the default.
        trials: chosen number; None for the default.

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

    The interval and the uncorrected p of a pair depend on the two systems, the units, the number of draws and the seed.
    Only the correction depends on the other pairs.

    If fewer than 100 units are resampled, intervals, and p-values if test is "bootstrap", come from the jackknife over
    units with Student's t instead of percentiles (see METHODS). For fewer than 6 units all tests but "t" give no p and
    no interval; for fewer than 6 documents "t" gives none either.

    If systems lack scores of segments, each pair is compared on the segments that both have. With fewer than 20 of
    them, it has no p and no interval; neither have any pairs of statistics that say why they are not tested.

    Memory is needed for the scores of all resamples, 8 bytes per system and resample (4 MB for 50 systems and 10,000
    resamples), and for the differences of a few pairs at a time.

    Args:
        statistics: of all systems.
        pairs: indices of a system and its baseline.
        test: "bootstrap" (paired, differences centred: Koehn 2004, W04-3250, with the two-sided p of Efron and
            Tibshirani 1993, chapter 16), "randomization" (Riezler and Maxwell 2005, W05-0908; trials that equal the
            observed difference count), "t" (paired, over blocks: Papineni et al. 2002, section 3) or
            "sacrebleu-bootstrap" (sacreBLEU's rule, whose p is about half of a two-sided one). If fewer than 10 draws
            of the first two are as extreme, p is from extrapolated_p.
        groups: units that are drawn or swapped as a whole, documents for example; segments if None. For "t" the blocks;
            20 equal ones if None.
        resamples: of the bootstrap; 10,000 if None.
        trials: of approximate randomisation; 10,000 if None.
        seed: of the draws, which all pairs share.
        correction: for the number of pairs.
        alpha: level of significance, a fraction.
        keep_deltas: whether the result has all resampled differences, which take much memory for many pairs.
        resampled_scores: (K, any number) result of bootstrap_scores for these systems, units and seed, to be reused;
            scores are drawn if it is None or has fewer than `resamples`.
        progress: called repeatedly with the draws done and their total, or the pairs if nothing is drawn.

    Raises:
        SettingsError: a number is out of its range, or there is no such test.
        ValueError: the scores of resamples are of another number of systems.
    """
    if test not in TESTS:
        raise SettingsError(f"test {test!r} found, one of {', '.join(TESTS)} expected")
    check_arguments(statistics, resamples, trials=trials, seed=seed, alpha=alpha)
    scores = statistics.score(statistics.sums())
    if statistics.has_gaps or statistics.untested:
        options = _Options(
            test=test,
            resamples=resamples,
            trials=trials,
            seed=seed,
            alpha=alpha,
            keep_deltas=keep_deltas,
            progress=progress,
        )
        return _on_common_segments(statistics, pairs, groups, correction=correction, options=options)
    deltas = np.array([scores[k] - scores[b] for k, b in pairs])
    if test == "t":
        results = _by_t(statistics, pairs, groups)
    else:
        unit_statistics, unit = resampling_units(statistics, groups)
        draw_counts = number_of_draws(test, resamples=resamples, trials=trials)
        plan = _ResamplingPlan(
            statistics=unit_statistics,
            pairs=pairs,
            resamples=draw_counts[0],
            trials=draw_counts[1],
            seed=seed,
            progress=progress,
            resampled=resampled_scores,
        )
        results = _by_draws(plan, deltas, test, unit, keep_deltas=keep_deltas)
    return Comparisons(
        test=test,
        systems=statistics.systems,
        scores=scores,
        pairs=results.tests.comparisons(statistics.systems, pairs, deltas, correction),
        family=family_name(statistics.systems, pairs),
        method=results.method,
        higher_is_better=statistics.higher_is_better,
        unit=results.unit,
        units=results.units,
        segments=statistics.all_segments,
        resamples=results.resamples,
        trials=results.trials,
        seed=seed,
        correction=correction,
        alpha=alpha,
        warnings=_warnings(test, results, pairs=len(pairs), alpha=alpha, correction=correction),
        deltas=results.deltas,
        decimals=statistics.decimals,
    )


class _Options(TypedDict):
    """The arguments of compare that do not depend on the segments."""

    test: Test
    resamples: int | None
    trials: int | None
    seed: int
    alpha: float
    keep_deltas: bool
    progress: Progress | None


def _on_common_segments(
    statistics: SegmentStatistics,
    pairs: Sequence[Pair],
    groups: Blocks | None,
    *,
    correction: Correction,
    options: _Options,
) -> Comparisons:
    """Compare each pair of systems on the segments that both have a score of.

    Pairs with the same segments are compared together, so that they share their draws.
    """
    scored = statistics.scored
    by_segments: dict[bytes, list[int]] = {}
    for i, (k, b) in enumerate(pairs):
        by_segments.setdefault((scored[k] & scored[b]).tobytes(), []).append(i)
    compared: dict[int, Comparison] = {}
    parts: list[Comparisons] = []
    names = statistics.systems
    for members in by_segments.values():
        first, second = pairs[members[0]]
        rows = np.flatnonzero(scored[first] & scored[second])
        reason = statistics.untested or _too_few_common(len(rows))
        if reason:
            for i in members:
                compared[i] = _without_test(statistics.common([names[k] for k in pairs[i]]), len(rows), reason)
            continue
        used = sorted({k for i in members for k in pairs[i]})
        part = statistics.select([names[k] for k in used]).subset(rows.tolist())
        chosen = [(used.index(pairs[i][0]), used.index(pairs[i][1])) for i in members]
        part_groups = None if groups is None else groups.subset(rows.tolist())
        result = compare(part, chosen, groups=part_groups, correction="none", **options)
        parts.append(result)
        means = dict(zip(part.systems, part.score(part.sums()).tolist(), strict=True))
        compared |= {
            i: replace(pair, segments=len(rows), score=means[pair.system], baseline_score=means[pair.baseline])
            for i, pair in zip(members, result.pairs, strict=True)
        }
    ordered = [compared[i] for i in range(len(pairs))]
    adjusted = adjust(np.array([pair.p_value for pair in ordered]), correction)
    largest = max(parts, key=lambda part: part.units, default=None)
    numbers = sorted({pair.segments or 0 for pair in ordered})
    between = f"{numbers[0]:,}" if len(numbers) == 1 else f"{numbers[0]:,} to {numbers[-1]:,}"
    gaps = (
        "systems lack scores of segments: two systems are compared on the segments that both have "
        f"({between} of {statistics.all_segments:,})"
    )
    warnings = dict.fromkeys(warning for part in parts for warning in part.warnings)
    return Comparisons(
        test=options["test"],
        systems=names,
        scores=statistics.score(statistics.sums()),
        pairs=tuple(
            replace(pair, p_value_adjusted=type(pair.p_value)(p)) for pair, p in zip(ordered, adjusted, strict=True)
        ),
        family=family_name(names, pairs),
        method=None if largest is None else largest.method,
        higher_is_better=statistics.higher_is_better,
        unit="segment" if largest is None else largest.unit,
        units=numbers[-1] if largest is None else largest.units,
        segments=statistics.all_segments,
        decimals=statistics.decimals,
        resamples=0 if largest is None else largest.resamples,
        trials=0 if largest is None else largest.trials,
        seed=options["seed"],
        correction=correction,
        alpha=options["alpha"],
        warnings=(
            *((f"differences are not tested: {statistics.untested}",) if statistics.untested else ()),
            *((gaps,) if statistics.has_gaps else ()),
            *warnings,
        ),
    )


def why_pair_untested(statistics: SegmentStatistics) -> str:
    """Return why the difference of two systems is not tested, whatever the test; empty if it is.

    Args:
        statistics: of the two systems.
    """
    if statistics.untested or not statistics.has_gaps:  # a text of few segments is reported by the tests
        return statistics.untested
    return _too_few_common(int(statistics.scored.all(axis=0).sum()))


def _too_few_common(segments: int) -> str:
    """Return why two systems with scores of that many common segments are not tested; empty if they are."""
    if segments >= MIN_COMMON_SEGMENTS:
        return ""
    number = f"{segments:,} {plural(segments, 'segment')}"
    return f"only {number} with scores by both systems, {MIN_COMMON_SEGMENTS} expected"


def _without_test(statistics: SegmentStatistics, segments: int, reason: str) -> Comparison:
    """Return the difference of two systems, without a test.

    Args:
        statistics: of the system and the baseline on the segments that both have.
        segments: their number.
        reason: why there is no test.
    """
    system, baseline = statistics.score(statistics.sums()).tolist()
    nan = math.nan
    return Comparison(
        system=statistics.systems[0],
        baseline=statistics.systems[1],
        delta=system - baseline,
        interval=Interval(nan, nan, CONFIDENCE),
        p_value=nan,
        p_value_adjusted=nan,
        reason=reason,
        segments=segments,
        score=system,
        baseline_score=baseline,
    )


def score_intervals(
    scored: BleuEvaluation | CorpusScores | ScoredCorpus | SegmentStatistics,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
    progress: Progress | None = None,
) -> ScoreIntervals:
    """Compute percentile intervals of scores by the bootstrap over segments (Koehn 2004, W04-3250).

    They are NaN for fewer than 6 segments, and expanded for fewer than 30.

    Args:
        scored: the systems; of a metric with precisions, BLEU, the intervals of these are computed, too.
        resamples: number of resamples.
        seed: of the draws.
        confidence: a fraction.
        progress: called repeatedly with the resamples done and their total.

    Raises:
        SettingsError: a number is out of its range.
    """
    statistics = scored if isinstance(scored, SegmentStatistics) else scored.statistics
    units = statistics.segments
    check_arguments(statistics, resamples, trials=None, seed=seed, alpha=1 - confidence)
    scores: list[Floats] = []
    precisions: list[Floats] = []
    for sums in bootstrap_batches(_bundled(statistics, seed), resamples, seed, progress=progress):
        if statistics.factors is None:
            scores.append(statistics.score(sums))
            continue
        resampled = statistics.factors(sums)
        scores.append(resampled.score)
        precisions.append(resampled.precisions)
    if statistics.segments < MIN_UNITS:
        scores, precisions = ([np.full_like(part, np.nan) for part in parts] for parts in (scores, precisions))
    all_precisions = (
        np.concatenate(precisions, axis=1) if precisions else np.empty((len(statistics.systems), resamples, 0))
    )
    orders = [percentile_intervals(all_precisions[..., n], confidence, units) for n in range(all_precisions.shape[2])]
    precision_intervals = {
        name: tuple(intervals_of_order[k] for intervals_of_order in orders) for k, name in enumerate(statistics.systems)
    }
    return ScoreIntervals(
        dict(
            zip(
                statistics.systems, percentile_intervals(np.concatenate(scores, axis=1), confidence, units), strict=True
            )
        ),
        precision_intervals if statistics.factors is not None else {},
        resamples,
    )


def metric_intervals(
    statistics: SegmentStatistics,
    *,
    groups: Blocks | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    resampled_scores: Floats | None = None,
    progress: Progress | None = None,
) -> Mapping[str, Interval]:
    """Return percentile intervals of scores: system -> 95 % interval, points; NaN for fewer than 6 units.

    Args:
        statistics: of all systems.
        groups: units that are drawn as a whole; segments if None.
        resamples: of the bootstrap.
        seed: of the draws.
        resampled_scores: (K, any number) result of bootstrap_scores for these systems, units and seed, to be reused;
            scores are drawn if it is None or has fewer than `resamples`, or if units are bundled.
        progress: called with the resamples done and their total.

    Raises:
        SettingsError: a number is out of its range.
    """
    check_arguments(statistics, resamples, trials=None, seed=seed, alpha=ALPHA)
    unit_statistics, _ = resampling_units(statistics, groups)
    bundled = _bundled(unit_statistics, seed)
    if resampled_scores is not None and resampled_scores.shape[1] >= resamples and bundled is unit_statistics:
        scores = resampled_scores[:, :resamples]
    else:
        scores = bootstrap_scores(bundled, resamples, seed, progress=progress)
    if unit_statistics.segments < MIN_UNITS:
        scores = np.full_like(scores, np.nan)
    return dict(
        zip(statistics.systems, percentile_intervals(scores, CONFIDENCE, unit_statistics.segments), strict=True)
    )


def _bundled(statistics: SegmentStatistics, seed: int) -> SegmentStatistics:
    """Replace the units of long texts by random bundles of units.

    A sum over randomly drawn bundles has the same variance as one over as many single units, since bundles are random;
    drawing fewer bundles limits the time for a million segments to seconds.
    """
    if statistics.segments <= MAX_UNBUNDLED_UNITS:
        return statistics
    labels = np.random.default_rng(seed).permutation(statistics.segments) % BUNDLES
    return statistics.grouped(labels)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Tested:
    """Tests of pairs, with the units and draws that they used."""

    tests: PairTests
    unit: Unit
    units: int
    method: Method | None = None
    resamples: int = 0
    trials: int = 0
    deltas: Floats | None = None


def _by_t(statistics: SegmentStatistics, pairs: Sequence[Pair], blocks: Blocks | None) -> _Tested:
    blocks = blocks or equal_blocks(statistics.segments, min(BLOCKS, statistics.segments))
    scores = statistics.score(statistics.sums_by_label(blocks.labels))
    tests = [paired_t(scores[k], scores[b]) for k, b in pairs]
    if blocks.unit == "document" and len(blocks.names) < MIN_UNITS:
        tests = [without_test(t, too_few_units_reason(len(blocks.names), blocks.unit)) for t in tests]
    results = PairTests(
        p_values=np.array([t.p_value for t in tests]),
        intervals=[t.interval(CONFIDENCE) for t in tests],
        errors=[t.standard_error for t in tests],
        paired_t=tests,
        reasons=[t.reason for t in tests],
    )
    return _Tested(tests=results, unit=blocks.unit, units=len(blocks.names))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _ResamplingPlan:
    """The statistics that are resampled, the numbers of draws, and the progress callback."""

    statistics: SegmentStatistics
    pairs: Sequence[Pair]
    resamples: int
    trials: int
    seed: int
    progress: Progress | None
    resampled: Floats | None

    def scores(self) -> Floats:
        """Return the scores of the bootstrap's resamples, (K, resamples)."""
        if self.resampled is None or self.resampled.shape[1] < self.resamples:
            progress = offset_progress(self.progress, self.trials, self._drawn)
            return bootstrap_scores(self.statistics, self.resamples, self.seed, progress=progress)
        if len(self.resampled) != len(self.statistics.systems):
            raise ValueError(f"scores of {len(self.resampled)} systems found, {len(self.statistics.systems)} expected")
        return self.resampled[:, : self.resamples]

    def report_pairs(self, done: int, total: int) -> None:
        """Report the pairs done, or that all draws are done, so that the callback can still cancel the work."""
        if self.progress and self._drawn:
            self.progress(self._drawn, self._drawn)
        elif self.progress:
            self.progress(done, total)

    def by_swapping(
        self, observed: Floats, *, keep_deltas: bool
    ) -> tuple[Floats, npt.NDArray[np.bool_], Floats | None]:
        """Return p-values of approximate randomisation, which are extrapolated, and the differences, if kept."""
        progress = offset_progress(self.progress, 0, self._drawn)
        if not keep_deltas:
            p_values, extrapolated = run_randomization(
                self.statistics, self.pairs, observed, self.trials, seed=self.seed, progress=progress
            )
            return p_values, extrapolated, None
        deltas = resampled_deltas(
            self.statistics, self.pairs, "randomization", self.trials, seed=self.seed, progress=progress
        )
        return (*p_of_shuffled(deltas, observed, self.statistics.segments), deltas)

    @property
    def _drawn(self) -> int:
        """The number of draws, of both kinds."""
        is_reused = self.resampled is not None and self.resampled.shape[1] >= self.resamples
        return self.trials + (0 if is_reused else self.resamples)


def _by_draws(plan: _ResamplingPlan, observed: Floats, test: Test, unit: Unit, *, keep_deltas: bool) -> _Tested:
    """Compute p-values and intervals; shuffles give p-values only, so their intervals come from other draws."""
    pairs = len(plan.pairs)
    units = plan.statistics.segments
    method = method_for(units)
    if not pairs or method is None:
        return _no_results(plan, observed, unit, keep_deltas=keep_deltas)
    by_jackknife = method == "jackknife"
    if by_jackknife and test != "sacrebleu-bootstrap" and not keep_deltas:
        plan = replace(plan, resamples=0)
    undefined = np.isnan(observed)
    p_values, errors = np.full(pairs, np.nan), np.full(pairs, np.nan)
    bounds: Sequence[Interval] = ()
    extrapolated: npt.NDArray[np.bool_] | None = None
    deltas: Floats | None = None
    if test == "randomization":
        p_values, extrapolated, deltas = plan.by_swapping(observed, keep_deltas=keep_deltas)
        undefined |= np.isnan(p_values)
    if plan.resamples:
        scores = plan.scores()
        rule = "sacrebleu" if test == "sacrebleu-bootstrap" else "centred"
        bootstrap = run_bootstrap(scores, plan.pairs, observed, rule, progress=plan.report_pairs)
        bounds, errors = bootstrap.bounds, bootstrap.errors
        undefined |= bootstrap.undefined
        if test != "randomization":
            p_values, extrapolated = bootstrap.p_values, bootstrap.extrapolated
        if keep_deltas and deltas is None:
            systems, baselines = (np.array(side, np.intp) for side in zip(*plan.pairs, strict=True))
            deltas = scores[systems] - scores[baselines]
    if by_jackknife:
        errors = jackknife_errors(plan.statistics, plan.pairs)
        bounds = [
            student_interval(delta, standard_error=error, degrees_of_freedom=units - 1)
            for delta, error in zip(observed.tolist(), errors.tolist(), strict=True)
        ]
        undefined |= np.isnan(errors)
        if test == "bootstrap":
            p_values, extrapolated = student_p(observed, errors, units - 1), None
    tests = PairTests(
        p_values=np.where(undefined, np.nan, p_values),  # p and bounds are not meaningful
        intervals=bounds,
        errors=errors,
        reasons=undefined_reasons(undefined, p_values),
        extrapolated=extrapolated,
        least_p=1 / (plan.resamples + 1) if test == "sacrebleu-bootstrap" else 0,
    )
    return _Tested(
        tests=tests,
        unit=unit,
        units=units,
        method=method,
        resamples=plan.resamples,
        trials=plan.trials,
        deltas=deltas,
    )


def _no_results(plan: _ResamplingPlan, observed: Floats, unit: Unit, *, keep_deltas: bool) -> _Tested:
    """Return the results for no pairs, or for too few units."""
    pairs, units = len(plan.pairs), plan.statistics.segments
    too_few = too_few_units_reason(units, unit)
    return _Tested(
        tests=PairTests.none([UNDEFINED_SCORE if is_undefined else too_few for is_undefined in np.isnan(observed)]),
        unit=unit,
        units=units,
        resamples=plan.resamples,
        trials=plan.trials,
        deltas=np.zeros((pairs, 0)) if keep_deltas else None,
    )


def _warnings(test: Test, results: _Tested, pairs: int, alpha: float, correction: Correction) -> tuple[str, ...]:
    """Return warnings about the draws and about too few units."""
    if test == "t":
        few = results.unit == "document" and results.units < MIN_UNITS
        return (few_units_warning(results.units, results.unit),) if few else ()
    warnings: list[str] = []
    needed = math.ceil(min(MIN_DRAWS_FACTOR * pairs / alpha, MAX_DRAWS))  # a tiny alpha would need infinitely many
    if test == "sacrebleu-bootstrap" and correction != "none" and results.resamples < needed:
        warnings.append(
            f"{results.resamples:,} draws found, at least {needed:,} recommended: with fewer, corrected p-values can "
            "hardly be significant with so many pairs"
        )
    if results.units < MIN_UNITS:
        return (*warnings, few_units_warning(results.units, results.unit))
    tests = max(pairs, 1) if correction == "holm" else 1  # with the other method equal p-values are not increased
    if test == "randomization" and not significant(tests * 2.0 ** (1 - results.units), alpha):
        warnings.append(
            f"{results.units} {plural(results.units, results.unit)} found: with so few, no difference can be "
            f"significant at {alpha:g}"
        )
    if results.units < ENOUGH_UNITS:
        warnings.append(few_units_warning(results.units, results.unit))
    return tuple(warnings)


def few_units_warning(units: int, unit: Unit) -> str:
    """Return the warning for few units."""
    beginning = f"{units} {plural(units, unit)} found, at least"
    if units < MIN_UNITS:
        return f"{beginning} {MIN_UNITS} expected: with fewer, there are no intervals and no p-values"
    return f"{beginning} {ENOUGH_UNITS} recommended: intervals and p-values allow for so few, but are rough"


def too_few_units_reason(units: int, unit: Unit) -> str:
    """Return the reason for undefined results with fewer than 6 units."""
    return f"only one {unit}" if units == 1 else f"only {units} {unit}s, at least {MIN_UNITS} needed"
