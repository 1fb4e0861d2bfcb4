"""Replicates: runs of one system, with several seeds for example, and comparisons of groups of runs.

Runs and segments both vary. The variance of a mean over runs is estimated by two-way clustering: the variance between
runs, plus that between segments, minus that of the residuals of runs on segments, which both contain.

Sources:
    Cameron, Gelbach and Miller (2011), Robust inference with multiway clustering, equation 2.11; Satterthwaite (1946),
    An approximate distribution of estimates of variance components, equation 17. For one group of a metric that is a
    mean over segments, the variance is that of the mean in a two-way random-effects analysis of variance.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import combinations
from types import MappingProxyType

import numpy as np

from bleu_core.arrays import Floats, best_first
from bleu_core.collection.scores import ScoredSet, statistics_of_mean
from bleu_core.dataset import normal_name, plural
from bleu_core.errors import SettingsError, listed, shortened
from bleu_core.fields import (
    BASELINE,
    DEGREES_OF_FREEDOM,
    P_VALUE,
    P_VALUE_ADJUSTED,
    REASON,
    SYSTEM,
    Field,
    T,
    bounds,
    field,
    inline,
    result,
)
from bleu_core.inference import (
    ALPHA,
    CONFIDENCE,
    ENOUGH_UNITS,
    MIN_COMMON_SEGMENTS,
    MIN_ERROR,
    MIN_UNITS,
    NO_VARIANCE,
    UNDEFINED_SCORE,
    Blocks,
    Correction,
    Design,
    Interval,
    Pair,
    Unit,
    adjust,
    effects,
    family_name,
    few_units_warning,
    method_for,
    satterthwaite,
    student_interval,
    student_p,
    t_quantile,
    too_few_units_reason,
)
from bleu_core.scoring import SegmentStatistics

#: Minimum number of runs of a group.
MIN_RUNS = 2

#: Minimum degrees of freedom of the variance between runs, and of that of each group, for Satterthwaite's
#: approximation. With fewer it rejects up to 13 % of equal groups at the 5 % level (docs/replicates.md).
MIN_RUN_DEGREES, MIN_GROUP_DEGREES = 4, 2

#: The wildcards of a pattern: any characters, one character, and one of a set of characters.
#: Wildcards; the limit on characters in brackets lets the pattern take linear time.
_WILDCARD = re.compile(r"(\*|\?|\[!?\]?[^\]]{0,99}+\])")

_NO_SEEDS: Mapping[str, tuple[str, ...]] = MappingProxyType({})


@result
class RunScore:
    """A run and its score."""

    system: str = field(SYSTEM)
    score: float = field("points", "Corpus score of the run.")


@result
class GroupScores:
    """The scores of the runs of a group, or of a single system, which is a group of one run.

    Attributes:
        group: name.
        runs: n, the number of runs.
        score: mean over runs, points.
        standard_deviation: between runs, with n - 1 in the denominator, points; NaN for one run.
        lowest, highest: scores of runs, points.
        interval: of the mean, by Student's t; NaN with a reason.
        varies: what the interval takes as a sample: runs and segments, or segments alone.
        systems: each run with its score.
        segments: number of segments that all runs have a score of, where the scores are computed; None if every run
            has a score of every segment.
        reason: why a value is undefined, else empty.
    """

    group: str = field("text", "Name of the group, or of a single system.")
    runs: int = field("count", "Number of runs.")
    segments: int | None = field(
        "count", "Number of segments with scores by all runs, where not all have one.", default=None
    )
    score: float = field("points", "Mean corpus score of the runs.", label="mean")
    standard_deviation: float = field(
        "points", "Standard deviation of the runs' scores.", label="SD of runs", undefined="only one run"
    )
    lowest: float = field("points", "Lowest score of a run.")
    highest: float = field("points", "Highest score of a run.")
    interval: Interval = inline(
        {
            **bounds("points", f"{100 * CONFIDENCE:g}% interval of the mean"),
            "confidence": Field("fraction", "Confidence of the interval.", only="json"),
        }
    )
    varies: str = field("text", "What the interval takes as a sample: runs and segments, or segments alone.")
    systems: tuple[RunScore, ...] = field("object", "Score of each run.")
    reason: str = field(REASON, default="")


@result
class GroupComparison:
    """The comparison of a group of runs with a baseline; each can be a single system.

    Attributes:
        system, baseline: names of the groups.
        runs, baseline_runs: numbers of runs.
        delta: difference of the mean scores, points.
        interval: of delta, by Student's t.
        standard_error: of delta, points.
        run_error, segment_error: standard errors of delta if only runs, or only segments, varied, points. Both contain
            the residuals of runs on segments, so that the square of the standard error is at most the sum of their
            squares. The run error is NaN if both sides have one run.
        t: delta over its standard error.
        degrees_of_freedom: of t, by Satterthwaite's approximation; not a whole number.
        p_value: two-sided, never 0; NaN with a reason.
        p_value_adjusted: corrected for the number of pairs.
        runs_paired: whether runs of the same seed are paired.
        varies: what the test takes as a sample: runs and segments, or segments alone.
        segments: number of segments that all these runs have a score of; None if every run has a score of every
            segment.
        reason: why a value is undefined, else empty.
    """

    system: str = field(SYSTEM, "Name of the group, or of a single system.")
    baseline: str = field(BASELINE, "Group or system that it is compared with.")
    runs: int = field("count", "Number of runs of the system.")
    baseline_runs: int = field("count", "Number of runs of the baseline.")
    segments: int | None = field(
        "count", "Number of segments with scores by all these runs, where not all have one.", default=None
    )
    delta: float = field("difference", "Mean score of the system's runs minus that of the baseline's.")
    interval: Interval = inline(
        {
            **bounds("difference", f"{100 * CONFIDENCE:g}% interval of the difference"),
            "confidence": Field("fraction", "Confidence of the interval.", only="json"),
        }
    )
    standard_error: float = field("points", "Standard error of the difference.", only="json")
    run_error: float = field(
        "points",
        "Standard error of the difference if only runs varied.",
        label="SE of runs",
        undefined="one run each",
    )
    segment_error: float = field(
        "points", "Standard error of the difference if only segments varied.", label="SE of segments"
    )
    t: float = field(T, "Difference divided by its standard error.")
    degrees_of_freedom: float = field(
        "decimal", "Degrees of freedom of t, by Satterthwaite's approximation.", label=DEGREES_OF_FREEDOM.label
    )
    runs_paired: bool = field("text", "Whether runs with the same seed are paired.", only="json")
    varies: str = field("text", "What the test takes as a sample: runs and segments, or segments alone.")
    p_value: float = field(P_VALUE, "Two-sided p-value of this pair, not corrected.")
    p_value_adjusted: float = field(P_VALUE_ADJUSTED)
    reason: str = field(REASON, default="")

    @property
    def tested_difference(self) -> float:
        """The difference that p refers to."""
        return self.delta


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupComparisons(Design):
    """Comparisons of groups of runs.

    Attributes:
        groups: the groups and single systems with their scores.
        pairs: the comparisons.
    """

    groups: tuple[GroupScores, ...]
    pairs: tuple[GroupComparison, ...]


def groups_of(patterns: Sequence[str], systems: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """Return groups of runs.

    >>> groups_of(["base=base.s*"], ["base.s1", "base.s2", "other"])["base"]
    ('base.s1', 'base.s2')

    Args:
        patterns: NAME=PATTERN each: the name of a group and a pattern of the names of its runs, in which * means any
            characters, ? one character and [ab] one of a set. Upper and lower case differ.
        systems: names of all systems.

    Returns:
        Name of a group -> its runs, in the order of the systems.

    Raises:
        SettingsError: a pattern is empty or matches fewer than two systems, two groups share a name or a run, or a
            group has the name of a system outside it.
    """
    parsed: dict[str, tuple[str]] = {}
    for text in patterns:
        name, pattern = _parsed(text)
        if name in parsed:
            raise SettingsError(f"two groups called {name!r} found, different names expected; rename one")
        parsed[name] = (pattern,)
    return groups_matching(parsed, systems)


def groups_matching(patterns: Mapping[str, Sequence[str]], systems: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """Return groups of runs; as groups_of, for groups with one or several patterns each, by name."""
    groups: dict[str, tuple[str, ...]] = {}
    group_of: dict[str, str] = {}
    for name, own in patterns.items():
        matching: dict[str, None] = {}
        for pattern in own:
            own_runs = [system for system in systems if fnmatchcase(system, pattern)]
            if not own_runs:
                raise SettingsError(
                    f"group {name!r}: no system that matches {pattern!r} found, a pattern of at least {MIN_RUNS} of "
                    f"{listed(systems)} expected"
                )
            matching |= dict.fromkeys(own_runs)
        runs = tuple(matching)
        if len(runs) < MIN_RUNS:
            raise SettingsError(
                f"group {name!r}: 1 run found ({shortened(runs[0])}), at least {MIN_RUNS} expected; extend the "
                "pattern, or remove the group"
            )
        if name in systems and name not in runs:
            raise SettingsError(
                f"group {name!r}: the name of another system found, a name that no system outside the group has "
                "expected"
            )
        for run in runs:
            if run in group_of:
                raise SettingsError(
                    f"run {run!r} found in the groups {group_of[run]!r} and {name!r}, one group per run expected"
                )
            group_of[run] = name
        groups[name] = runs
    return MappingProxyType(groups)


def seeds_of(patterns: Sequence[str], systems: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the seeds of the runs of groups: the part of each run's name that the wildcards of the pattern match.

    >>> seeds_of(["base=base.s*"], ["base.s1", "base.s2", "other"])["base"]
    ('1', '2')

    The arguments and errors are those of `groups_of`.

    Returns:
        Name of a group -> the seeds of its runs, in the order of `groups_of`; the parts of several wildcards are
        joined by spaces.
    """
    groups = groups_of(patterns, systems)
    seeds: dict[str, tuple[str, ...]] = {}
    for text in patterns:
        name, pattern = _parsed(text)
        expression = re.compile(_with_captured_wildcards(pattern), re.DOTALL)
        matches = {run: expression.fullmatch(run) for run in groups[name]}
        seeds[name] = tuple(" ".join(match.groups()) if match else run for run, match in matches.items())
    return MappingProxyType(seeds)


def with_single_systems(groups: Mapping[str, tuple[str, ...]], systems: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """Return groups together with the systems that are in none, as groups of one run, in the order of the systems."""
    group_of = {run: name for name, runs in groups.items() for run in runs}
    names = dict.fromkeys(group_of.get(system, system) for system in systems)
    return MappingProxyType({name: groups.get(name, (name,)) for name in names})


def ranked_group_pairs(groups: Sequence[GroupScores], *, higher_is_better: bool) -> tuple[Pair, ...]:
    """Return all pairs of groups as indices, with the worse as baseline; pairs of the best group come first."""
    names, means = [group.group for group in groups], [group.score for group in groups]
    return tuple(combinations(best_first(names, means, higher_is_better=higher_is_better), 2))


def group_scores(
    statistics: SegmentStatistics, groups: Mapping[str, tuple[str, ...]], *, units: Blocks | None = None
) -> tuple[GroupScores, ...]:
    """Return the mean score of each group with its spread and an interval in which runs and segments vary.

    Args:
        statistics: of all runs.
        groups: name of a group -> its runs; a single system is a group of one run.
        units: documents that vary as a whole; segments if None.
    """
    linearised = None if statistics.has_gaps else _Linearised.of(statistics, units)
    return tuple(
        _group_scores(name, runs, linearised or _common(statistics, runs, units)) for name, runs in groups.items()
    )


def compare_groups(
    statistics: SegmentStatistics,
    groups: Mapping[str, tuple[str, ...]],
    pairs: Sequence[Pair],
    *,
    units: Blocks | None = None,
    seeds: Mapping[str, tuple[str, ...]] = _NO_SEEDS,
    correction: Correction = "holm",
    alpha: float = ALPHA,
) -> GroupComparisons:
    """Compare the mean scores of groups of runs by a t-test in which runs and segments both vary.

    The metric can be any function of sums over segments: scores are linear in the effects of segments (see
    `bleu_core.inference.effects`), and for fewer than 100 units in those of the jackknife. Segments are always paired.
    The variance of a difference is the sum of the variances of the two means between runs and of the variance between
    segments, minus the variance of the residuals of runs on segments. It is never less than the variance between runs,
    or that between segments, alone: a negative estimate of the remaining part counts as 0. Its degrees of freedom
    are those of Satterthwaite, in which the variances between runs of the two groups need not be equal. If a group has
    two runs, or all variances between runs together have fewer than 4 degrees of freedom, they are those for which the
    critical value of t at the 5 % level is the mean of those of the two parts of the variance, weighted by these parts
    (Cochran and Cox 1957): Satterthwaite's approximation then rejects too often.

    A single system compared with a group is taken as one run whose scores vary between runs as much as those of the
    group. If both are single systems, only segments vary. The interval and the uncorrected p of a pair depend on its
    two groups only.

    Args:
        statistics: of all runs.
        groups: name of a group -> its runs; a single system is a group of one run.
        pairs: indices of a group and its baseline, in the order of the groups.
        units: documents that vary as a whole; segments if None.
        seeds: name of a group -> the seed of each of its runs. Runs of two groups with the same set of seeds are
            paired. Without seeds, the default, or with other sets, runs are independent: runs of different systems
            with the same seed rarely have more in common than others, and pairing halves the degrees of freedom.
        correction: for the number of pairs.
        alpha: level of significance, a fraction.

    Raises:
        SettingsError: alpha is not between 0 and 1.
    """
    if not 0 < alpha < 1:
        raise SettingsError(f"alpha {alpha:g} found, a number between 0 and 1 expected")
    linearised = None if statistics.has_gaps else _Linearised.of(statistics, units)
    names, runs = tuple(groups), tuple(groups.values())
    compared: list[GroupComparison] = []
    for system, baseline in pairs:
        one = linearised or _common(statistics, (*runs[system], *runs[baseline]), units)
        paired = _pairing(seeds.get(names[system], ()), seeds.get(names[baseline], ()))
        compared.append(_comparison((names[system], names[baseline]), (runs[system], runs[baseline]), one, paired))
    adjusted = adjust(np.array([pair.p_value for pair in compared]), correction).tolist()
    unit, number = _unit(statistics, units)
    return GroupComparisons(
        groups=tuple(
            _group_scores(name, members, linearised or _common(statistics, members, units))
            for name, members in groups.items()
        ),
        pairs=tuple(replace(pair, p_value_adjusted=p_value) for pair, p_value in zip(compared, adjusted, strict=True)),
        higher_is_better=statistics.higher_is_better,
        unit=unit,
        units=number,
        segments=statistics.all_segments,
        correction=correction,
        alpha=alpha,
        family=family_name(names, pairs),
        decimals=statistics.decimals,
        warnings=_warnings(compared, unit, number),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Linearised:
    """Scores of runs as sums of effects of units.

    Attributes:
        index: run -> its position.
        scores: (K,) points.
        effects: (K, units) points; they add up to 0 for each run. Without columns if there is a reason.
        unit: name of the units.
        units: their number.
        segments: number of common segments; None if no run lacks scores.
        reason: why there are neither intervals nor tests, else empty.
    """

    index: Mapping[str, int]
    scores: Floats
    effects: Floats
    unit: Unit
    units: int
    segments: int | None
    reason: str

    @classmethod
    def of(cls, statistics: SegmentStatistics, units: Blocks | None, segments: int | None = None) -> _Linearised:
        """Return the effects of segments, or of documents, on the scores of runs without gaps."""
        unit, number = _unit(statistics, units)
        reason = statistics.untested
        if not reason and segments is not None and segments < MIN_COMMON_SEGMENTS:
            common = f"{segments:,} {plural(segments, 'segment')}"
            reason = f"only {common} with scores by all runs, {MIN_COMMON_SEGMENTS} expected"
        if not reason and number < MIN_UNITS:
            reason = too_few_units_reason(number, unit)
        of_units = statistics if reason or units is None else statistics.grouped(units.labels)
        return cls(
            index={system: k for k, system in enumerate(statistics.systems)},
            scores=np.asarray(statistics.score(statistics.sums()), np.float64),
            effects=np.zeros((len(statistics.systems), 0)) if reason else _effects(of_units),
            unit=unit,
            units=number,
            segments=segments,
            reason=reason,
        )

    def runs(self, names: Sequence[str]) -> tuple[Floats, Floats]:
        """Return the scores of runs, (n,), and the effects of units on them, (n, units)."""
        rows = [self.index[name] for name in names]
        return self.scores[rows], self.effects[rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spread:
    """The spread of n runs.

    Attributes:
        between: variance between the runs' scores, points squared; NaN for one run.
        residual: the part of it that residuals of runs on units cause.
        degrees_of_freedom: n - 1.
    """

    between: float
    residual: float
    degrees_of_freedom: int

    @classmethod
    def of(cls, scores: Floats, effects_on_runs: Floats) -> _Spread:
        """Return the spread of runs with scores (n,) and effects of units on them, (n, units)."""
        runs, units = effects_on_runs.shape
        if runs < MIN_RUNS:
            return cls(between=math.nan, residual=math.nan, degrees_of_freedom=0)
        residuals = effects_on_runs - effects_on_runs.mean(axis=0)
        residual = float(np.square(residuals).sum()) / (runs - 1) * units / (units - 1)
        return cls(between=float(scores.var(ddof=1)), residual=residual, degrees_of_freedom=runs - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Error:
    """The standard error of a mean over runs, or of a difference of means, with its degrees of freedom.

    Attributes:
        standard_error, run_error, segment_error: as in GroupComparison, points.
        degrees_of_freedom: by Satterthwaite, or with few runs those of the weighted quantile; NaN without variance.
    """

    standard_error: float
    run_error: float
    segment_error: float
    degrees_of_freedom: float

    @classmethod
    def of(cls, spreads: Sequence[tuple[_Spread, float]], unit_effects: Floats) -> _Error:
        """Combine the variance between runs and that between units.

        Args:
            spreads: of each group with several runs, and the factor by which the variance of a run is that of the mean.
            unit_effects: (units,) effects of units on the mean or on the difference.
        """
        units = len(unit_effects)
        between_units = float(np.square(unit_effects).sum()) * units / (units - 1)
        runs = [(factor * spread.between, spread.degrees_of_freedom) for spread, factor in spreads]
        residuals = [(factor * spread.residual, spread.degrees_of_freedom * (units - 1)) for spread, factor in spreads]
        between_runs = sum(variance for variance, _ in runs)
        without_residuals = max(between_units - sum(variance for variance, _ in residuals), 0.0)
        variance = max(between_runs + without_residuals, between_units)
        degrees = satterthwaite([*runs, *residuals, (between_units, units - 1)], variance)
        if spreads and _has_few_runs([spread for spread, _ in spreads]):
            degrees = _of_weighted_quantiles(
                (between_runs, satterthwaite(runs, between_runs)), (without_residuals, units - 1)
            )
        return cls(
            standard_error=math.sqrt(variance),
            run_error=math.sqrt(between_runs) if spreads else math.nan,
            segment_error=math.sqrt(between_units),
            degrees_of_freedom=degrees,
        )

    def interval(self, estimate: float) -> Interval:
        """Return Student's interval of an estimate with this error; NaN without variance."""
        return student_interval(
            estimate, standard_error=self.standard_error, degrees_of_freedom=self.degrees_of_freedom
        )

    def p_value(self, estimate: float) -> float:
        """Return the two-sided p of an estimate with this error: 1 for 0, NaN if only the error is 0."""
        return float(student_p(np.array(estimate), np.array(self.standard_error), self.degrees_of_freedom))


def _has_few_runs(spreads: Sequence[_Spread]) -> bool:
    """Return whether there are too few runs for Satterthwaite's approximation."""
    degrees = [spread.degrees_of_freedom for spread in spreads]
    return sum(degrees) < MIN_RUN_DEGREES or min(degrees) < MIN_GROUP_DEGREES


def _of_weighted_quantiles(*parts: tuple[float, float]) -> float:
    """Return the degrees of freedom of which t has the mean of the critical values of the parts of a variance.

    Critical values are two-sided at the 5 % level and weighted by the variances (Cochran and Cox 1957, Experimental
    designs, section 4.14).

    Args:
        parts: variances with their degrees of freedom.
    """
    from scipy import special  # loaded when first needed: scoring does without

    share = (1 + CONFIDENCE) / 2
    known = [(variance, t_quantile(share, degrees)) for variance, degrees in parts if variance > 0]
    if not known:
        return math.nan
    critical = sum(variance * quantile for variance, quantile in known) / sum(variance for variance, _ in known)
    return float(special.stdtridf(share, critical))


_UNKNOWN = _Error(standard_error=math.nan, run_error=math.nan, segment_error=math.nan, degrees_of_freedom=math.nan)


def _parsed(text: str) -> tuple[str, str]:
    """Return the name of a group and its pattern."""
    name, equals, pattern = text.partition("=")
    name, pattern = normal_name(name), normal_name(pattern)
    if not equals or not name or not pattern:
        raise SettingsError(f"group {text!r} found, NAME=PATTERN expected, such as base=base.s*")
    return name, pattern


def _with_captured_wildcards(pattern: str) -> str:
    """Return a pattern of names as a regular expression that has a group for each wildcard."""
    parts: list[str] = []
    for number, part in enumerate(_WILDCARD.split(pattern)):
        if not number % 2:
            parts.append(re.escape(part))
        elif part in "*?":
            parts.append("(.*)" if part == "*" else "(.)")
        else:
            negated = part[1] == "!"
            members = part[1 + negated : -1].replace("\\", r"\\").replace("[", r"\[").replace("^", r"\^")
            members = members.replace("]", r"\]")
            parts.append(f"([{'^' * negated}{members}])")
    return "".join(parts)


def _pairing(seeds: Sequence[str], baseline_seeds: Sequence[str]) -> Sequence[int] | None:
    """Return the position of the baseline's run with the seed of each run; None if the sets of seeds differ."""
    if not seeds or sorted(seeds) != sorted(baseline_seeds) or len(set(seeds)) < len(seeds):
        return None
    return [list(baseline_seeds).index(seed) for seed in seeds]


def _unit(statistics: SegmentStatistics, units: Blocks | None) -> tuple[Unit, int]:
    """Return the name of the units that vary beside runs, and their number."""
    if units is not None:
        return units.unit, len(units.names)
    return "segment" if statistics.bundled is None else "bundle", statistics.segments


def _common(statistics: SegmentStatistics, runs: Sequence[str], units: Blocks | None) -> _Linearised:
    """Return the effects of those segments that all of some runs have scores of."""
    common, rows = statistics.select(runs).on_common_segments()
    return _Linearised.of(common, None if units is None else units.subset(rows), len(rows))


def _effects(statistics: SegmentStatistics) -> Floats:
    """Return the effects of units on scores, (K, units): by the gradient, or of few units by leaving each out."""
    if method_for(statistics.segments) != "jackknife":
        return effects(statistics).effects
    units = statistics.segments
    without = statistics.score(statistics.sums()[:, None].astype(np.float64) - statistics.values)
    return np.asarray((units - 1) / units * (without.mean(axis=1, keepdims=True) - without), np.float64)


def _varies(unit: Unit, *, runs: bool) -> str:
    return f"runs and {unit}s" if runs else f"{unit}s"


def _group_scores(name: str, runs: Sequence[str], linearised: _Linearised) -> GroupScores:
    scores, unit_effects = linearised.runs(runs)
    several = len(runs) >= MIN_RUNS
    mean = float(scores.mean())
    reason = UNDEFINED_SCORE if math.isnan(mean) else linearised.reason
    error = _UNKNOWN
    if not reason:
        spread = _Spread.of(scores, unit_effects)
        error = _Error.of([(spread, 1 / len(runs))] if several else [], unit_effects.mean(axis=0))
        reason = _without_error(error)
    return GroupScores(
        group=name,
        runs=len(runs),
        segments=linearised.segments,
        score=mean,
        standard_deviation=float(scores.std(ddof=1)) if several else math.nan,
        lowest=float(scores.min()),
        highest=float(scores.max()),
        interval=error.interval(mean),
        varies=_varies(linearised.unit, runs=several),
        systems=tuple(RunScore(system=run, score=score) for run, score in zip(runs, scores.tolist(), strict=True)),
        reason=reason,
    )


def _comparison(
    names: tuple[str, str],
    runs: tuple[Sequence[str], Sequence[str]],
    linearised: _Linearised,
    pairing: Sequence[int] | None,
) -> GroupComparison:
    """Compare two groups.

    Args:
        names: of the system and the baseline.
        runs: of the two.
        linearised: their scores.
        pairing: the baseline's run that each run of the system is paired with; None if runs are independent.
    """
    (scores, on_system), (baseline_scores, on_baseline) = map(linearised.runs, runs)
    delta = float(scores.mean() - baseline_scores.mean())
    reason = UNDEFINED_SCORE if math.isnan(delta) else linearised.reason
    error = _UNKNOWN
    if not reason:
        if pairing is not None:
            rows = list(pairing)
            spreads = [(_Spread.of(scores - baseline_scores[rows], on_system - on_baseline[rows]), 1 / len(rows))]
        else:
            spreads = _independent([_Spread.of(scores, on_system), _Spread.of(baseline_scores, on_baseline)])
        error = _Error.of(spreads, on_system.mean(axis=0) - on_baseline.mean(axis=0))
        reason = _without_error(error)
    p_value = math.nan if reason == UNDEFINED_SCORE else error.p_value(delta) if error is not _UNKNOWN else math.nan
    return GroupComparison(
        system=names[0],
        baseline=names[1],
        runs=len(runs[0]),
        baseline_runs=len(runs[1]),
        segments=linearised.segments,
        delta=delta,
        interval=error.interval(delta),
        standard_error=error.standard_error,
        run_error=error.run_error,
        segment_error=error.segment_error,
        t=delta / error.standard_error if error.standard_error >= MIN_ERROR else math.nan,
        degrees_of_freedom=error.degrees_of_freedom,
        runs_paired=pairing is not None,
        varies=_varies(linearised.unit, runs=max(map(len, runs)) >= MIN_RUNS),
        p_value=p_value,
        p_value_adjusted=p_value,
        reason=reason,
    )


def _independent(spreads: Sequence[_Spread]) -> list[tuple[_Spread, float]]:
    """Return the spreads of two groups with the factors for the variance of the difference of their means.

    The runs of a single system are taken to vary as those of the other group.
    """
    several = [(spread, 1 / (spread.degrees_of_freedom + 1)) for spread in spreads if spread.degrees_of_freedom]
    if len(several) == 1:
        ((spread, factor),) = several
        return [(spread, factor + 1)]
    return several


def _without_error(error: _Error) -> str:
    """Return why there is no interval; empty if there is one."""
    if math.isnan(error.standard_error):
        return f"{UNDEFINED_SCORE} without one of the units"
    return NO_VARIANCE if error.standard_error < MIN_ERROR else ""


def _warnings(compared: Sequence[GroupComparison], unit: Unit, units: int) -> tuple[str, ...]:
    """Return warnings about single runs and about few units."""
    warnings: list[str] = []
    single_pairs = [pair for pair in compared if pair.runs == pair.baseline_runs == 1]
    if single_pairs:
        names = dict.fromkeys(name for pair in single_pairs for name in (pair.system, pair.baseline))
        warnings.append(f"{listed(names)}: one run each: differences between runs are not considered")
    single = dict.fromkeys(
        pair.system if pair.runs == 1 else pair.baseline
        for pair in compared
        if min(pair.runs, pair.baseline_runs) == 1 < max(pair.runs, pair.baseline_runs)
    )
    if single:
        warnings.append(
            f"{listed(single)}: one run: its scores are assumed to vary between runs as much as those of the group it "
            "is compared with"
        )
    if units < ENOUGH_UNITS:
        warnings.append(few_units_warning(units, unit))
    return tuple(warnings)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupsOverSets:
    """Groups of runs over test sets by a metric.

    Attributes:
        sets: the test sets that all runs, and all systems in no group, have.
        comparisons: of the mean scores over these sets; runs vary together on all sets, segments within each.
        on_sets: test set -> the scores of the groups on it.
        reason: why nothing is compared, else empty.
    """

    sets: tuple[str, ...]
    comparisons: GroupComparisons | None
    on_sets: Mapping[str, tuple[GroupScores, ...]]
    reason: str = ""


def groups_over_sets(
    sets: Sequence[ScoredSet],
    groups: Mapping[str, tuple[str, ...]],
    *,
    baseline: str = "",
    alpha: float = ALPHA,
) -> GroupsOverSets:
    """Compare groups of runs by their mean scores over test sets.

    A run is the same system on all sets, so that its deviation from other runs is shared by them.

    Args:
        sets: the test sets, under one metric.
        groups: name of a group -> its runs. Other systems are groups of one run.
        baseline: the group or system that the others are compared with; all pairs are compared if it is empty.
        alpha: level of significance.

    Raises:
        SettingsError: alpha is not between 0 and 1.
    """
    systems = tuple(dict.fromkeys(name for each in sets for name in each.systems))
    present = {name: tuple(run for run in runs if run in systems) for name, runs in groups.items()}
    all_groups = with_single_systems({name: runs for name, runs in present.items() if runs}, systems)
    runs = [run for own in all_groups.values() for run in own]
    common = [each for each in sets if set(runs) <= set(each.systems) and not each.scored.statistics.has_gaps]
    on_sets = {
        each.name: group_scores(
            each.scored.statistics,
            {name: own for name, own in all_groups.items() if set(own) <= set(each.scored.systems)},
        )
        for each in sets
    }
    untested = next((each.scored.statistics.untested for each in common if each.scored.statistics.untested), "")
    if not common or len(all_groups) == 1 or untested:
        reason = untested or ("only one group" if common else "no test set has all runs and systems")
        return GroupsOverSets(sets=(), comparisons=None, on_sets=on_sets, reason=reason)
    statistics = statistics_of_mean(common, runs)
    names = tuple(all_groups)
    if baseline in names:
        pairs = tuple((k, names.index(baseline)) for k in range(len(names)) if names[k] != baseline)
    else:
        scores = group_scores(statistics, all_groups)
        pairs = ranked_group_pairs(scores, higher_is_better=statistics.higher_is_better)
    comparisons = compare_groups(statistics, all_groups, pairs, alpha=alpha)
    return GroupsOverSets(sets=tuple(each.name for each in common), comparisons=comparisons, on_sets=on_sets)
