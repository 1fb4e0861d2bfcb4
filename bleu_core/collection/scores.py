"""Systems over test sets by a metric: scores, mean scores, ranks, differences, and their tests.

In tests of mean differences, the segments of each test set are resampled within the set.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as field_of_class
from functools import cached_property
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats, Numbers, best_first
from bleu_core.errors import SettingsError, listed
from bleu_core.fields import (
    BASELINE,
    DELTA,
    P_VALUE,
    REASON,
    SYSTEM,
    bounds,
    derived,
    field,
    inline,
    result,
)
from bleu_core.inference import (
    ALPHA,
    CONFIDENCE,
    DECIMALS,
    MIN_PERCENTILE_UNITS,
    MIN_UNITS,
    PAIR_RESAMPLES,
    RESAMPLES,
    SEED,
    UNDEFINED_SCORE,
    Comparison,
    Comparisons,
    Interval,
    Pair,
    PairTests,
    adjust,
    all_pairs,
    baseline_pairs,
    bootstrap_scores,
    compare,
    effects,
    family_name,
    jackknife_errors,
    metric_intervals,
    percentile_intervals,
    run_bootstrap,
    significant,
    student_interval,
    student_p,
    tiers,
    too_few_units_reason,
    undefined_reasons,
)
from bleu_core.progress import Progress, scaled_progress
from bleu_core.scoring import ScoredCorpus, SegmentStatistics

#: Differences for which p-values of a table are corrected together: those of a test set and a metric, or all.
CorrectedOver = Literal["column", "table"]
CORRECTED_OVER: tuple[CorrectedOver, ...] = get_args(CorrectedOver)

#: Why a system has no mean score.
NO_COMMON_SET = "no test set has all compared systems"

#: Maximum number of names in a message; further ones are counted.
MAX_NAMED = 3

#: With more cells than this, test sets are resampled less often by default, so that results take seconds.
MAX_CELLS, RESAMPLES_OF_MANY = 500, 2_000

#: Steps of the progress for each test set.
STEPS = 1000

_INTERVAL = f"{100 * CONFIDENCE:g}% interval"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoredSet:
    """The systems of a test set under a metric.

    Attributes:
        name: the test set.
        scored: the K systems of the set and their statistics.
        target_language: the code of the target language; empty if it is unknown.
        not_ranked: systems that are not compared: human translations, and systems that were optimised for the metric.
        missing: system whose output cannot be used -> the reason.
        draws: (K, at least as many as are used) the scores of bootstrap_scores for these systems, to be reused; they
            are drawn if None.
    """

    name: str
    scored: ScoredCorpus
    target_language: str = ""
    not_ranked: tuple[str, ...] = ()
    missing: Mapping[str, str] = field_of_class(default_factory=dict[str, str])
    draws: Floats | None = None

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that are compared."""
        return tuple(name for name in self.scored.systems if name not in self.not_ranked)

    @property
    def scores(self) -> Mapping[str, float]:
        """System -> score, points; NaN if undefined."""
        return dict(zip(self.scored.systems, self.scored.scores.tolist(), strict=True))

    def resampled(self, resamples: int, seed: int, progress: Progress | None = None) -> Floats:
        """Return the scores of resamples, (K, resamples), points; they are drawn unless the set has as many."""
        if self.draws is not None and self.draws.shape[1] >= resamples:
            return self.draws[:, :resamples]
        return bootstrap_scores(self.scored.statistics, resamples, seed, progress=progress)


@result
class SystemOnSet:
    """A system on a test set by a metric."""

    test_set: str = field("text", "Name of the test set.", key="set")
    system: str = field(SYSTEM)
    metric: str = field("text", "Key of the metric.")
    score: float = field("points", "Corpus score of the system on the test set.")
    interval: Interval | None = inline(bounds("points", f"{_INTERVAL} of the score"), default=None)
    baseline: str | None = field(BASELINE, default=None)
    delta: float | None = field(DELTA, default=None)
    difference_interval: Interval | None = inline(
        bounds("difference", f"{_INTERVAL} of the difference"), prefix="delta_", default=None
    )
    p_value: float | None = field(P_VALUE, "Two-sided p-value of the difference, not corrected.", default=None)
    p_value_adjusted: float | None = field(
        P_VALUE, "p-value of the difference, corrected for the family.", label="corrected p", default=None
    )
    alpha: float = ALPHA
    comparable: bool = True

    @derived("text", "Whether the difference from the baseline is significant after correction.", only="json")
    def significant(self) -> bool | None:
        """Whether the difference is significant; None without a baseline, or if systems are not comparable."""
        if self.p_value_adjusted is None or not self.comparable:
            return None
        return bool(significant(self.p_value_adjusted, self.alpha))

    reason: str = field(REASON, default="")


@result
class SystemOverSets:
    """A system over all test sets by a metric.

    Attributes:
        missing: the test sets that the system lacks.
    """

    metric: str = field("text", "Key of the metric.")
    system: str = field(SYSTEM)
    tier: int | None = field(
        "count",
        "Tier of the system by its mean score; every system of a tier is significantly better than every one of the "
        "tiers below.",
        default=None,
    )
    mean: float = field(
        "points", "Mean of the scores on the test sets that all compared systems have; each set counts alike."
    )
    interval: Interval = inline(bounds("points", f"{_INTERVAL} of the mean score"))
    mean_rank: float = field("decimal", "Mean rank on these sets; 1 is the best.", label="mean rank")
    first: int | None = field(
        "count", "Number of these sets on which no other system is better.", label="first", default=None
    )
    all_segments: float | None = field(
        "points",
        "Score of all segments of these sets together; only of sets with the same settings and target language.",
        label="all segments",
        default=None,
    )
    sets: int = field("count", "Number of test sets on which the system has a score.")
    missing: tuple[str, ...] = field("object", "Test sets on which the system has no score.")
    reason: str = field(REASON, default="")


@dataclass(frozen=True, kw_only=True)  # without slots, which exclude cached properties
class ScoresOverSets:
    """Systems over test sets by one metric.

    Attributes:
        sets: the test sets with their scores.
        cells: one for each set and each system of any set; without a score where the set lacks the system.
        common: the test sets that all compared systems have.
        comparisons: the differences of mean scores of all pairs of compared systems, the better one first; None if
            there are no two systems or no common sets.
        systems: the compared systems over all sets, the best mean first.
        baseline: the system that differences in cells refer to; empty without one.
        corrected_over: the differences for which p-values in cells are corrected together.
        mean_reason: why there are no mean scores; empty if there are.
        pooled_reason: why there is no score of all segments together; empty if there is one.
        alpha: the level of significance.
        resamples: of the bootstrap.
    """

    sets: tuple[ScoredSet, ...]
    cells: tuple[SystemOnSet, ...]
    common: tuple[str, ...]
    comparisons: Comparisons | None
    systems: tuple[SystemOverSets, ...]
    baseline: str = ""
    corrected_over: CorrectedOver = "column"
    mean_reason: str = ""
    pooled_reason: str = ""
    alpha: float = ALPHA
    resamples: int = PAIR_RESAMPLES

    def obstructed(self, obstacle: str, sets: Collection[str]) -> ScoresOverSets:
        """Return the results without statements of significance where systems are not comparable.

        Args:
            obstacle: why the systems are not comparable on some test sets, a sentence.
            sets: the test sets on which they are not.
        """
        comparisons, systems = self.comparisons, self.systems
        if comparisons is not None and not set(self.common).isdisjoint(sets):
            comparisons = replace(comparisons, obstacle=obstacle)
            systems = tuple(replace(row, tier=None) for row in systems)
        cells = tuple(replace(cell, comparable=cell.test_set not in sets) for cell in self.cells)
        return replace(self, comparisons=comparisons, systems=systems, cells=cells)

    @property
    def scored(self) -> ScoredCorpus:
        """The systems of the first set, which has the metric."""
        return self.sets[0].scored

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the test sets."""
        return tuple(scored_set.name for scored_set in self.sets)

    @property
    def missing_cells(self) -> Mapping[str, tuple[str, ...]]:
        """System -> the test sets on which it has no score, of the systems that lack any."""
        lacking: dict[str, list[str]] = {}
        for cell in self.cells:
            if math.isnan(cell.score):
                lacking.setdefault(cell.system, []).append(cell.test_set)
        return {system: tuple(names) for system, names in lacking.items()}

    @cached_property
    def by_set_and_system(self) -> Mapping[tuple[str, str], SystemOnSet]:
        """Test set and system -> cell."""
        return {(cell.test_set, cell.system): cell for cell in self.cells}


def score_over_sets(
    sets: Sequence[ScoredSet],
    *,
    baseline: str = "",
    systems: Sequence[str] = (),
    intervals: bool = True,
    resamples: int | None = None,
    seed: int = SEED,
    alpha: float = ALPHA,
    progress: Progress | None = None,
) -> ScoresOverSets:
    """Score systems over test sets by one metric.

    Intervals of scores equal those of `bleu-core score`, and differences from the baseline, with their intervals and
    uncorrected p-values, those of `bleu-core compare` on the test set.

    The mean score is taken over the sets that all compared systems have; each set counts alike. Its interval and the
    p-values of its differences are from the joint bootstrap: the segments of each set are resampled within the set, the
    same for all systems, and independently of the other sets. If a set has fewer than 100 segments, the standard error
    of the mean is from the jackknife over the segments of each set, with Satterthwaite's degrees of freedom. With a
    single set all equal the results of `compare`.

    Args:
        sets: the test sets, all under the same metric, with unique names.
        baseline: the system from which the differences in cells are; empty for none. A set that lacks it has none.
        systems: the systems to compare; all that are ranked if empty.
        intervals: whether scores in cells have intervals.
        resamples: of the bootstrap; None for the default, see `default_resamples`.
        seed: of the draws.
        alpha: the level of significance.
        progress: called with the parts done and their total.

    Raises:
        SettingsError: there is no test set, or no set has the baseline.
    """
    if not sets:
        raise SettingsError("no test set found, at least 1 expected")
    names = [name for name in _all_systems(sets) if not systems or name in systems]
    if baseline and not any(baseline in scored_set.scored.systems for scored_set in sets):
        raise SettingsError(f"baseline {baseline!r} found, one of {listed(names)} expected")
    resamples = default_resamples(sets) if resamples is None else resamples
    drawn: list[ScoredSet] = []
    cells: list[SystemOnSet] = []
    for number, scored_set in enumerate(sets):
        part = scaled_progress(progress, number * STEPS, STEPS, (len(sets) + 1) * STEPS)
        with_draws = replace(scored_set, draws=scored_set.resampled(resamples, seed, part))
        drawn.append(with_draws)
        cells += _cells(with_draws, names, baseline, intervals=intervals, seed=seed, alpha=alpha)
    scored = [name for name in names if any(name in scored_set.scored.systems for scored_set in sets)]
    ranked = [name for name in scored if not any(name in scored_set.not_ranked for scored_set in sets)]
    common = [scored_set for scored_set in drawn if _has_all(scored_set, ranked)]
    mean_reason = _why_no_mean(drawn, ranked, common)
    comparisons = None if mean_reason else _compare_means(common, ranked, resamples=resamples, seed=seed, alpha=alpha)
    no_pooled = mean_reason or _why_not_pooled(common)
    over_sets = ScoresOverSets(
        sets=tuple(drawn),
        cells=tuple(cells),
        common=() if mean_reason else tuple(scored_set.name for scored_set in common),
        comparisons=comparisons,
        systems=(),
        baseline=baseline,
        mean_reason=mean_reason,
        pooled_reason=no_pooled,
        alpha=alpha,
        resamples=resamples,
    )
    rows = _over_sets(over_sets, [] if mean_reason else common, ranked, pooled=not no_pooled, seed=seed)
    if progress:
        progress(1, 1)
    return corrected([replace(over_sets, systems=rows)], "column")[0]


def default_resamples(sets: Sequence[ScoredSet]) -> int:
    """Return the default number of resamples of each test set: 10,000, or 2,000 for more than 500 scores."""
    cells = sum(len(scored_set.scored.systems) for scored_set in sets)
    return PAIR_RESAMPLES if cells <= MAX_CELLS else RESAMPLES_OF_MANY


def corrected(results: Sequence[ScoresOverSets], over: CorrectedOver) -> tuple[ScoresOverSets, ...]:
    """Correct the p-values of differences in cells by Holm's method.

    Args:
        results: by one metric each.
        over: "column" for the differences on one set by one metric, "table" for those of all sets and metrics.
    """
    families: dict[object, list[float]] = {}
    for number, of_metric in enumerate(results):
        for cell in of_metric.cells:
            if cell.p_value is not None:
                families.setdefault(_family(number, cell, over), []).append(cell.p_value)
    # In each family, the corrected p-values are in the order of its cells.
    adjusted = {family: iter(adjust(np.array(values)).tolist()) for family, values in families.items()}
    changed: list[ScoresOverSets] = []
    for number, of_metric in enumerate(results):
        cells: list[SystemOnSet] = []
        for cell in of_metric.cells:
            if cell.p_value is None:
                cells.append(cell)
                continue
            p_value = next(adjusted[_family(number, cell, over)])
            cells.append(replace(cell, p_value_adjusted=type(cell.p_value)(p_value)))
        changed.append(replace(of_metric, cells=tuple(cells), corrected_over=over))
    return tuple(changed)


def _family(number: int, cell: SystemOnSet, over: CorrectedOver) -> object:
    """Return the family of the cell of a result."""
    return () if over == "table" else (number, cell.test_set)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DifferencesOverSets:
    """The difference of two systems on each test set that has both.

    Attributes:
        system, baseline: the systems.
        sets: n names of the test sets.
        differences: (n,) system minus baseline, points.
        errors: (n,) their standard errors, points; NaN if unknown.
    """

    system: str
    baseline: str
    sets: tuple[str, ...]
    differences: Floats
    errors: Floats


def differences_over_sets(results: ScoresOverSets, system: str, baseline: str) -> DifferencesOverSets:
    """Return the differences of two systems, with the standard errors that their tests on each set have."""
    names: list[str] = []
    deltas: list[float] = []
    errors: list[float] = []
    for scored_set in results.sets:
        if not {system, baseline} <= set(scored_set.scored.systems):
            continue
        statistics = scored_set.scored.statistics.select([system, baseline])
        places = [scored_set.scored.systems.index(name) for name in (system, baseline)]
        draws = None if scored_set.draws is None else scored_set.draws[places]
        compared = compare(
            statistics, [(0, 1)], resamples=None if draws is None else draws.shape[1], resampled_scores=draws
        ).pairs[0]
        names.append(scored_set.name)
        deltas.append(compared.delta)
        errors.append(compared.standard_error)
    return DifferencesOverSets(
        system=system, baseline=baseline, sets=tuple(names), differences=np.array(deltas), errors=np.array(errors)
    )


def _all_systems(sets: Sequence[ScoredSet]) -> tuple[str, ...]:
    """Return the systems of any set, in the order in which they appear; those without any usable output come last."""
    scored = (name for scored_set in sets for name in scored_set.scored.systems)
    return tuple(dict.fromkeys((*scored, *(name for scored_set in sets for name in scored_set.missing))))


def _cells(
    scored_set: ScoredSet, names: Sequence[str], baseline: str, *, intervals: bool, seed: int, alpha: float
) -> list[SystemOnSet]:
    """Return the cells of a test set."""
    scores, metric = scored_set.scores, scored_set.scored.metric
    of_scores: Mapping[str, Interval] = {}
    if intervals:
        of_scores = metric_intervals(scored_set.scored.statistics, seed=seed, resampled_scores=scored_set.draws)
    differences = _differences(scored_set, names, baseline)
    cells: list[SystemOnSet] = []
    segments = scored_set.scored.statistics.segments
    for name in names:
        interval = of_scores.get(name)
        if name not in scores:
            reason = scored_set.missing.get(name, f"{scored_set.name} has no output of {name}")
        elif math.isnan(scores[name]):
            reason = metric.undefined
        elif interval is None or not math.isnan(interval.low):
            reason = ""
        else:
            reason = too_few_units_reason(segments, "segment") if segments < MIN_UNITS else UNDEFINED_SCORE
        cell = SystemOnSet(
            test_set=scored_set.name,
            system=name,
            metric=scored_set.scored.name,
            score=scores.get(name, math.nan),
            interval=interval,
            alpha=alpha,
            reason=reason,
        )
        pair = differences.get(name)
        if pair is not None:
            cell = replace(
                cell,
                baseline=baseline,
                delta=pair.delta,
                difference_interval=pair.interval,
                p_value=pair.p_value,
                reason=reason or pair.reason,
            )
        cells.append(cell)
    return cells


def _differences(scored_set: ScoredSet, names: Sequence[str], baseline: str) -> Mapping[str, Comparison]:
    """Return the uncorrected comparisons with the baseline; empty without one."""
    systems = [name for name in scored_set.systems if name in names or name == baseline]
    if not baseline or baseline not in systems:
        return {}
    statistics = scored_set.scored.statistics
    pairs = [(k, b) for k, b in baseline_pairs(statistics.systems, baseline) if statistics.systems[k] in systems]
    resamples = None if scored_set.draws is None else scored_set.draws.shape[1]
    compared = compare(statistics, pairs, resamples=resamples, resampled_scores=scored_set.draws, correction="none")
    return {pair.system: pair for pair in compared.pairs}


def _has_all(scored_set: ScoredSet, systems: Sequence[str]) -> bool:
    """Return whether a set has a score of each system."""
    scores = scored_set.scores
    return all(not math.isnan(scores.get(name, math.nan)) for name in systems)


def _why_no_mean(sets: Sequence[ScoredSet], ranked: Sequence[str], common: Sequence[ScoredSet]) -> str:
    """Return why there are no mean scores; empty if there are."""
    if not ranked:
        return "there is no system to compare"
    if common:
        return ""
    lacking = {name: sum(not _has_all(scored_set, [name]) for scored_set in sets) for name in ranked}
    most = sorted((name for name in ranked if lacking[name]), key=lambda name: -lacking[name])[:MAX_NAMED]
    examples = listed(f"{name} lacks {lacking[name]} of {len(sets)} test sets" for name in most)
    return (
        f"no test set has all {len(ranked)} compared systems ({examples}); exclude systems that lack test sets, or add "
        "their outputs"
    )


def _why_not_pooled(sets: Sequence[ScoredSet]) -> str:
    """Return why the segments of sets have no common score; empty if they have one."""
    signatures = dict.fromkeys(scored_set.scored.signature for scored_set in sets)
    if sets[0].scored.metric.digest:  # the digest of scores in files differs between sets
        signatures = dict.fromkeys(scored_set.scored.metric.key for scored_set in sets)
    if len(signatures) > 1:
        return f"the test sets have different settings ({listed(signatures, max_items=2)})"
    languages = dict.fromkeys(scored_set.target_language for scored_set in sets)
    if len(sets) > 1 and (len(languages) > 1 or "" in languages):
        known = listed((language or "unknown" for language in languages), max_items=MAX_NAMED)
        return (
            f"the test sets have different target languages ({known})"
            if len(languages) > 1
            else ("the target languages of the test sets are unknown")
        )
    return ""


def _compare_means(
    sets: Sequence[ScoredSet], systems: Sequence[str], *, resamples: int, seed: int, alpha: float
) -> Comparisons:
    """Compare the mean scores over sets of all pairs of systems, the better system first."""
    selected = [scored_set.scored.statistics.select(systems) for scored_set in sets]
    statistics = selected[0]
    means = np.mean([of_set.score(of_set.sums()) for of_set in selected], axis=0)
    order = best_first(systems, means, higher_is_better=statistics.higher_is_better)
    pairs = [(order[first], order[second]) for second, first in all_pairs(systems)]
    pairs = sorted(pairs, key=lambda pair: (order.index(pair[0]), order.index(pair[1])))
    observed = np.array([means[k] - means[b] for k, b in pairs], np.float64)
    units = [of_set.segments for of_set in selected]
    reason = next(filter(None, (_why_untested(scored_set, systems) for scored_set in sets)), "")
    percentiles = min(units) >= MIN_PERCENTILE_UNITS
    tested = PairTests.none([reason] * len(pairs))
    if pairs and not reason:
        tested = (
            _by_bootstrap(sets, systems, pairs, observed, resamples=resamples, seed=seed)
            if percentiles
            else _by_jackknife(selected, pairs, observed)
        )
    warnings = () if not reason else (f"mean differences are not tested: {reason}",)
    return Comparisons(
        test="bootstrap",
        systems=tuple(systems),
        scores=np.asarray(means, np.float64),
        pairs=tested.comparisons(systems, pairs, observed, "holm"),
        higher_is_better=statistics.higher_is_better,
        unit="segment",
        units=sum(units),
        segments=sum(units),
        resamples=resamples if percentiles else 0,
        trials=0,
        seed=seed,
        correction="holm",
        alpha=alpha,
        family=family_name(systems, pairs),
        method=None if reason else "percentile" if percentiles else "jackknife",
        warnings=warnings,
        decimals=sets[0].scored.metric.decimals,
    )


def _why_untested(scored_set: ScoredSet, systems: Sequence[str]) -> str:
    """Return why mean differences are not tested because of a set; empty if they are."""
    statistics = scored_set.scored.statistics.select(systems)
    if statistics.untested:
        return f"{scored_set.name}: {statistics.untested}"
    if statistics.has_gaps and not statistics.scored.all():
        complete: list[bool] = [bool(own.all()) for own in statistics.scored]
        lacking = [name for name, own in zip(systems, complete, strict=True) if not own]
        return f"{scored_set.name}: not all segments have a score by {listed(lacking, max_items=MAX_NAMED)}"
    return _too_few_segments(scored_set)


def _too_few_segments(scored_set: ScoredSet) -> str:
    """Return why there are no intervals and tests because of a set; empty if it has enough segments."""
    segments = scored_set.scored.statistics.segments
    return f"{scored_set.name}: {too_few_units_reason(segments, 'segment')}" if segments < MIN_UNITS else ""


def _by_bootstrap(
    sets: Sequence[ScoredSet],
    systems: Sequence[str],
    pairs: Sequence[Pair],
    observed: Floats,
    *,
    resamples: int,
    seed: int,
) -> PairTests:
    """Test pairs by the joint bootstrap."""
    tests = run_bootstrap(mean_draws(sets, systems, resamples=resamples, seed=seed), pairs, observed)
    undefined = tests.undefined | np.isnan(observed)
    return PairTests(
        p_values=np.where(undefined, np.nan, tests.p_values),
        intervals=tests.bounds,
        errors=tests.errors,
        reasons=undefined_reasons(undefined, tests.p_values),
        extrapolated=tests.extrapolated,
    )


def mean_draws(sets: Sequence[ScoredSet], systems: Sequence[str], *, resamples: int, seed: int) -> Floats:
    """Return the mean scores over sets of joint resamples, (systems, resamples), points.

    Each set has its own resamples, whose order is shuffled from the second set on: sets of equal length have the same
    draws, which must not be combined with themselves.

    Args:
        sets: that have all systems and their draws.
        systems: the systems.
        resamples: of each set.
        seed: of the draws and of the order.
    """
    total = np.zeros((len(systems), resamples))
    for number, scored_set in enumerate(sets):
        places = [scored_set.scored.systems.index(name) for name in systems]
        draws = scored_set.resampled(resamples, seed)[places]
        if number:
            draws = draws[:, np.random.default_rng((seed, number)).permutation(resamples)]
        total += draws
    return total / len(sets)


def statistics_of_mean(sets: Sequence[ScoredSet], systems: Sequence[str]) -> SegmentStatistics:
    """Return statistics of the segments of all sets, of which the sum is the mean score over the sets.

    A score is linear in the effects of segments on it (see `bleu_core.inference.effects`): each segment has its effect
    on the mean score, plus an equal part of the mean score itself. So functions of the statistics of one text, such as
    `compare_groups`, can be applied to the mean.

    Args:
        sets: that have all systems, with scores of all segments.
        systems: K names.

    Returns:
        Statistics of (K, segments of all sets, 1).
    """
    of_sets = [effects(scored_set.scored.statistics.select(systems)) for scored_set in sets]
    contributions = np.concatenate([of_set.effects for of_set in of_sets], axis=1) / len(sets)
    means = np.mean([of_set.scores for of_set in of_sets], axis=0)
    first = sets[0].scored.statistics
    return SegmentStatistics(
        tuple(systems),
        (contributions + means[:, None] / contributions.shape[1])[..., None],
        _only_column,
        higher_is_better=first.higher_is_better,
        decimals=sets[0].scored.metric.decimals,
    )


def _only_column(sums: Numbers) -> Floats:
    return np.asarray(sums[..., 0], np.float64)


def _by_jackknife(selected: Sequence[SegmentStatistics], pairs: Sequence[Pair], observed: Floats) -> PairTests:
    """Test pairs by the jackknife over the segments of each set, with Satterthwaite's degrees of freedom."""
    variances = np.array([np.square(jackknife_errors(of_set, pairs)) for of_set in selected]) / len(selected) ** 2
    freedom = np.array([[of_set.segments - 1] for of_set in selected], np.float64)
    total: Floats = variances.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        satterthwaite = np.square(total) / (np.square(variances) / freedom).sum(axis=0)
    degrees: Floats = np.where(np.isfinite(satterthwaite), satterthwaite, float(freedom.min()))
    errors = np.sqrt(total)
    undefined = np.isnan(errors) | np.isnan(observed)
    p_values = student_p(observed, errors, degrees)
    bounds_of_pairs = zip(observed.tolist(), errors.tolist(), degrees.tolist(), strict=True)
    return PairTests(
        p_values=np.where(undefined, np.nan, p_values),
        intervals=[student_interval(d, standard_error=e, degrees_of_freedom=f) for d, e, f in bounds_of_pairs],
        errors=errors,
        reasons=undefined_reasons(undefined, p_values),
    )


def _over_sets(
    results: ScoresOverSets, common: Sequence[ScoredSet], ranked: Sequence[str], *, pooled: bool, seed: int
) -> tuple[SystemOverSets, ...]:
    """Return the compared systems over all sets, the best mean first."""
    missing_cells, comparisons = results.missing_cells, results.comparisons
    tier_of: dict[str, int] = {}
    if comparisons is not None and comparisons.tested:
        tier_of = {name: number for number, tier in enumerate(tiers(comparisons), start=1) for name in tier}
    ranks = [_ranks(scored_set, ranked) for scored_set in common]
    mean_ranks = np.mean([own for own, _ in ranks], axis=0) if ranks else np.full(len(ranked), np.nan)
    firsts = np.sum([best for _, best in ranks], axis=0) if ranks else np.zeros(len(ranked))
    of_all: Mapping[str, float] = _scores_of_all_segments(common, ranked) if pooled else {}
    intervals = _mean_intervals(common, ranked, results, seed)
    reason = (
        NO_COMMON_SET if results.mean_reason else next((why for each in common if (why := _too_few_segments(each))), "")
    )
    means = {} if comparisons is None else dict(zip(comparisons.systems, comparisons.scores.tolist(), strict=True))
    rows = [
        SystemOverSets(
            metric=results.scored.name,
            system=name,
            tier=tier_of.get(name),
            mean=means.get(name, math.nan),
            interval=intervals[place],
            mean_rank=float(mean_ranks[place]),
            first=int(firsts[place]) if ranks else None,
            all_segments=of_all.get(name),
            sets=len(results.sets) - len(missing_cells.get(name, ())),
            missing=missing_cells.get(name, ()),
            reason=reason or (UNDEFINED_SCORE if math.isnan(intervals[place].low) else ""),
        )
        for place, name in enumerate(ranked)
    ]
    order = {name: place for place, name in enumerate(comparisons.ranked)} if comparisons else {}
    return tuple(sorted(rows, key=lambda row: order.get(row.system, 0)))


def _ranks(scored_set: ScoredSet, systems: Sequence[str]) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return the ranks of systems on a set, 1 for the best, and whether no other is better, each (systems,).

    Equal scores share the mean of their ranks.
    """
    from scipy import stats  # loaded when first needed

    scores = scored_set.scores
    sign = -1 if scored_set.scored.metric.higher_is_better else 1
    values = np.round([sign * scores[name] for name in systems], DECIMALS)
    return stats.rankdata(values), values == values.min()


def _scores_of_all_segments(sets: Sequence[ScoredSet], systems: Sequence[str]) -> Mapping[str, float]:
    """Return the scores of the segments of all sets together."""
    statistics = [scored_set.scored.statistics.select(systems) for scored_set in sets]
    sums = np.sum([of_set.sums() for of_set in statistics], axis=0)
    return dict(zip(systems, statistics[0].score(sums).tolist(), strict=True))


def _mean_intervals(
    sets: Sequence[ScoredSet], systems: Sequence[str], results: ScoresOverSets, seed: int
) -> list[Interval]:
    """Return the intervals of mean scores: percentiles of the joint bootstrap; NaN if a set has too few segments."""
    undefined = Interval(math.nan, math.nan, CONFIDENCE)
    fewest = min((scored_set.scored.statistics.segments for scored_set in sets), default=0)
    if results.mean_reason or fewest < MIN_UNITS:
        return [undefined] * len(systems)
    draws = mean_draws(sets, systems, resamples=RESAMPLES, seed=seed)
    return percentile_intervals(draws, CONFIDENCE, fewest)
