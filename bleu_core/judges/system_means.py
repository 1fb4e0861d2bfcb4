"""Mean ratings of systems, adjusted for judges and segments.

The raw mean of a system is biased downwards if severe judges rated it, or if it was rated on difficult segments.
Ordinary least squares with systems, segments and judges as fixed effects removes this bias (least-squares means of an
unbalanced design: Searle, Speed and Milliken 1980). If every judge of a segment rates all systems, the differences are
those of the raw means.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import Judge, Judgments, plural
from bleu_core.errors import AlignmentError, listed
from bleu_core.inference import CONFIDENCE, MIN_UNITS, Interval, student_interval, two_sided_p
from bleu_core.judges.least_squares import MAX_CELLS, Fit, Roster
from bleu_core.judges.ratings import JudgeRatings, judge_ratings

#: Minimum number of documents as units; with fewer, segments are the units.
MIN_DOCUMENTS = 10
#: Minimum number of judges for a variance over judges.
MIN_JUDGES = 3
#: Standard errors below this fraction of the ratings' range are rounding errors.
ROUNDING_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairVariances:
    """Variances of the differences of K systems and their components: symmetric matrices (K, K), in squared units.

    Attributes:
        total: units plus judges minus residual, and at least the larger of the two; NaN if it is undefined.
        units: by the jackknife over segments or documents.
        judges: by the jackknife over judges, pooled over pairs; NaN if there is none.
        residual: the part common to both, by the ratings of one unit by one judge; NaN without a variance over judges.
        degrees_of_freedom: of the total, by Satterthwaite's formula.
        means: (K,) total variance of each system's difference from the mean of all K.
        means_degrees: (K,) degrees of freedom of `means`.
    """

    total: Floats
    units: Floats
    judges: Floats
    residual: Floats
    degrees_of_freedom: Floats
    means: Floats
    means_degrees: Floats

    def interval(self, system: int, baseline: int, difference: float, confidence: float = CONFIDENCE) -> Interval:
        """Return Student's interval of a difference; NaN if it has no variance."""
        error, degrees = self.total[system, baseline] ** 0.5, self.degrees_of_freedom[system, baseline]
        return student_interval(difference, standard_error=error, degrees_of_freedom=degrees, confidence=confidence)

    def mean_interval(self, system: int, mean: float, confidence: float = CONFIDENCE) -> Interval:
        """Return Student's interval of the difference from the mean of all systems, centred at the system's mean."""
        error, degrees = self.means[system] ** 0.5, self.means_degrees[system]
        return student_interval(mean, standard_error=error, degrees_of_freedom=degrees, confidence=confidence)

    def p_values(self, means: Floats) -> Floats:
        """Return two-sided p-values (K, K) of the differences of means (K,) by Student's t; NaN if undefined."""
        differences = means[:, None] - means
        p_values = np.where((self.total == 0) & (differences == 0), 1.0, math.nan)
        known = self.total > 0
        t = np.abs(differences[known]) / np.sqrt(self.total[known])
        p_values[known] = two_sided_p(t, self.degrees_of_freedom[known])
        np.fill_diagonal(p_values, math.nan)
        return p_values


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AdjustedMeans:
    """Raw and adjusted mean ratings of K systems, with the variances of their differences.

    Attributes:
        systems: K names.
        raw: (K,) mean over a system's rated segments of the mean over judges; NaN without ratings.
        adjusted: (K,) the mean of the raw means plus the system's effect; NaN if it is undefined.
        differences: (K, K) differences of the adjusted means, row minus column; NaN between unconnected systems.
        components: systems connected by common judges and segments; all means are defined if there is one component.
        judges: J judges, sorted by group and name.
        severities: (J,) centred effect of each judge on a rating, negative for severe judges; NaN if nothing is
            adjusted.
        shares: (K, J) the share of each judge in a system's raw mean.
        counts: (K, J) number of items of a system that each judge rated.
        judge_means: (K, J) mean rating of a system by each judge; NaN without ratings.
        severity_p: p of the F test of equal severity of all judges; NaN without degrees of freedom.
        unit: "segment" or "document".
        units: number of units.
        variances: of the adjusted means; None if these are undefined.
        raw_variances: of the raw means, over units only.
        effect_variances: (K, K) variances of raw minus adjusted differences, over units; the roster and the severities
            are held fixed.
        reason: why means are not adjusted; empty if they are.
        notes: sentences about limitations of the standard errors.
    """

    systems: tuple[str, ...]
    raw: Floats
    adjusted: Floats
    differences: Floats
    components: tuple[tuple[str, ...], ...]
    judges: tuple[Judge, ...]
    severities: Floats
    shares: Floats
    counts: Integers
    judge_means: Floats
    severity_p: float
    unit: str
    units: int
    variances: PairVariances | None
    raw_variances: PairVariances | None
    effect_variances: Floats | None
    reason: str = ""
    notes: tuple[str, ...] = ()

    @property
    def roster_severity(self) -> Floats:
        """The mean severity of the judges of each system (K,), weighted as in its raw mean."""
        return self.shares @ self.severities


def adjusted_means(
    judgments: Judgments, systems: Sequence[str] = (), documents: Sequence[str] | None = None
) -> AdjustedMeans:
    """Adjust the mean ratings of systems for judges and segments, by least squares.

    A judge's repeated ratings of an item are averaged first; ratings without a segment are ignored. The variance of a
    difference is that of the jackknife over judges plus that over units minus their common residual part, as in
    two-way clustering (Cameron, Gelbach and Miller 2011), and at least the larger of the two. Units are segments, or
    documents if there are at least MIN_DOCUMENTS. With few judges, the variance over judges of a single pair is hardly
    more than noise. It is therefore pooled over pairs of systems: the excess of the jackknife over the residual part is
    set equal to its expectation for this roster if all judges' preferences have one variance. Degrees of freedom are
    Satterthwaite's (1946), with those of the pooled sum of squares for the part over judges. docs/human-ranking.md has
    the measured levels.

    Args:
        judgments: the ratings; those of other systems are ignored.
        systems: names; all rated systems by default.
        documents: the document of each line of the texts; if None, those in the ratings.
    """
    names = tuple(systems) or judgments.systems
    rated = judgments.of_systems(names)
    data = judge_ratings(rated if documents is None else _with_documents(rated, documents))
    has_segment = data.segment >= 0
    position = {name: k for k, name in enumerate(names)}
    position_of_system = np.array([position[name] for name in data.systems], np.int64)
    means = rated.system_means()
    raw = np.array([means.get(name, math.nan) for name in names])
    reason = why_not_adjusted(rated, data, has_segment)
    if reason:
        return _undefined(names, raw, data, position_of_system=position_of_system, reason=reason)
    present_systems, system = np.unique(position_of_system[data.system[has_segment]], return_inverse=True)
    present_judges, judge = np.unique(data.judge[has_segment], return_inverse=True)
    segments, segment = np.unique(data.segment[has_segment], return_inverse=True)
    unit, unit_name = _units(data.document[has_segment], segment, len(segments))
    roster = Roster(system, segment, judge, unit)
    judges = tuple(data.judges[int(j)] for j in present_judges)
    means_of_present = means_of_roster(
        roster,
        data.ratings[has_segment],
        names=tuple(names[int(k)] for k in present_systems),
        judges=judges,
        kind=unit_name,
    )
    return _for_all_systems(means_of_present, names, raw, present_systems)


def adjusted_for_judges(
    judgments: Judgments, systems: Sequence[str] = (), documents: Sequence[str] | None = None
) -> Judgments:
    """Subtract the judge's severity from every rating; the means of systems become the adjusted ones.

    Args:
        judgments: the ratings.
        systems: compared systems, whose ratings determine severities and means; all rated systems by default.
        documents: the document of each line of the texts, if they are known.

    Returns:
        The same rows in the same order. Severities are subtracted from ratings of other systems, too.

    Raises:
        AlignmentError: the means cannot be adjusted.
    """
    result = adjusted_means(judgments, systems, documents)
    if result.reason:
        raise AlignmentError(f"means cannot be adjusted for judges: {result.reason}")
    severity = dict(zip(result.judges, result.severities.tolist(), strict=True))
    table = judgments.table
    group, name = table["group"].astype(object), table["judge"].astype(object)
    row_severities = [
        severity.get(Judge(g if isinstance(g, str) else None, j if isinstance(j, str) else ""), 0.0)
        for g, j in zip(group, name, strict=True)
    ]
    means = dict(zip(result.systems, result.adjusted.tolist(), strict=True))
    return replace(
        judgments,
        table=table.assign(score=table["score"] - np.array(row_severities, np.float64)),
        adjusted_means={system: mean for system, mean in means.items() if not math.isnan(mean)},
        raw_means=dict(judgments.system_means()),
    )


def why_not_adjusted(
    judgments: Judgments, data: JudgeRatings, has_segment: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> str:
    """Return why ratings cannot be adjusted for judges, whatever the roster; empty if they can.

    Args:
        judgments: the ratings.
        data: the same, numbered.
        has_segment: (n,) whether each rating refers to a segment.
    """
    if not len(data.ratings):
        return "there are no ratings"
    if not judgments.named:
        return "the ratings do not name their judges"
    if not has_segment.any():
        return "no rating refers to a segment"
    columns = len(data.systems) + len(data.judges)
    if len(data.ratings) * columns > MAX_CELLS:
        return (
            f"{len(data.ratings):,} ratings of {columns:,} systems and judges found, at most {MAX_CELLS // columns:,} "
            "can be fitted"
        )
    return ""


def why_not_connected(judgments: Judgments, systems: Sequence[str] = ()) -> str:
    """Return why differences of systems cannot be told from those of their judges; empty if they can.

    If judges are not named, or ratings are not of segments, this is not known, and the reason is empty.

    Args:
        judgments: the ratings.
        systems: names; all rated systems by default.
    """
    rated = judgments.of_systems(tuple(systems) or judgments.systems)
    roster = roster_of(rated)
    if roster is None:
        return ""
    data = judge_ratings(rated)
    names = tuple(data.systems[int(k)] for k in np.unique(data.system[data.segment >= 0]))
    components = _components(roster.components, names)
    return _not_connected(components) if len(components) > 1 else ""


def roster_of(judgments: Judgments) -> Roster | None:
    """Return who rated what, with segments as units; None if ratings cannot be adjusted for judges."""
    data = judge_ratings(judgments)
    has_segment = data.segment >= 0
    if why_not_adjusted(judgments, data, has_segment):
        return None
    system, segment, judge = (
        np.unique(codes[has_segment], return_inverse=True)[1] for codes in (data.system, data.segment, data.judge)
    )
    return Roster(system, segment, judge, np.arange(int(segment.max()) + 1))


def _with_documents(judgments: Judgments, documents: Sequence[str]) -> Judgments:
    lines = judgments.table["segment"]
    document_of_line = dict(enumerate(documents, start=1))
    documents_of_rows = lines.map(document_of_line).astype("object")
    return replace(
        judgments, table=judgments.table.assign(document=documents_of_rows.where(documents_of_rows.notna(), None))
    )


def _units(document: Integers, segment: Integers, segments: int) -> tuple[Integers, str]:
    """Return the unit of each segment, and the name of the units."""
    if (document >= 0).all():
        document_of_segment = np.zeros(segments, np.int64)
        document_of_segment[segment] = document
        unit_documents, unit = np.unique(document_of_segment, return_inverse=True)
        if len(unit_documents) >= MIN_DOCUMENTS:
            return unit.astype(np.int64), "document"
    return np.arange(segments, dtype=np.int64), "segment"


def means_of_roster(
    roster: Roster, ratings: Floats, *, names: tuple[str, ...], judges: tuple[Judge, ...], kind: str
) -> AdjustedMeans:
    """Return the means of the systems of a roster.

    Args:
        roster: system, segment and judge of each rating.
        ratings: (n,).
        names: of the systems.
        judges: of the roster.
        kind: name of the units.
    """
    fit = roster.fit(ratings)
    weights = raw_weights(roster)
    raw = np.asarray(np.bincount(roster.system, weights * ratings), np.float64)
    components = _components(roster.components, names)
    differences = fit.effects[:, None] - fit.effects
    differences[roster.components[:, None] != roster.components] = math.nan
    connected = len(components) == 1
    has_variance = roster.units >= MIN_UNITS
    variances, notes = _variances(roster, fit, judges, names) if has_variance else (None, [])
    raw_influence = raw_unit_influence(roster, ratings, weights, raw)
    raw_pair_variances = pair_variances(covariance(raw_influence)) if has_variance else None
    if not has_variance:
        notes.append(
            f"{roster.units} {plural(roster.units, kind)} found, at least {MIN_UNITS} needed for a standard error."
        )
    if len(judges) < MIN_JUDGES:
        notes.append(
            f"{len(judges)} {plural(len(judges), 'judge')} found: with fewer than {MIN_JUDGES} there is no variance "
            "over judges, and standard errors hold for these judges only."
        )
    cell = roster.system * roster.judges + roster.judge
    shape = roster.systems, roster.judges
    return AdjustedMeans(
        systems=names,
        raw=raw,
        adjusted=raw.mean() + fit.effects if connected else np.full(len(names), math.nan),
        differences=differences,
        components=components,
        judges=judges,
        severities=fit.severities,
        shares=np.asarray(np.bincount(cell, weights, math.prod(shape)), np.float64).reshape(shape),
        counts=np.bincount(cell, minlength=math.prod(shape)).reshape(shape),
        judge_means=_means_of_cells(cell, ratings, shape),
        severity_p=severity_p(roster, ratings, fit),
        unit=kind,
        units=roster.units,
        variances=variances,
        raw_variances=None if raw_pair_variances is None else _unit_variances(covariance(raw_influence), roster.units),
        effect_variances=pair_variances(covariance(raw_influence - fit.unit_influence)) if has_variance else None,
        reason="" if connected else _not_connected(components),
        notes=tuple(notes),
    )


def raw_weights(roster: Roster) -> Floats:
    """Return the weight (n,) of each rating in its system's mean over segments of the mean over judges."""
    item = roster.system * roster.segments + roster.segment
    numbers, item = np.unique(item, return_inverse=True)
    ratings_of_item = np.bincount(item)
    items = np.bincount(numbers // roster.segments, minlength=roster.systems)
    return 1 / (ratings_of_item[item] * items[roster.system])


def raw_unit_influence(roster: Roster, ratings: Floats, weights: Floats, raw: Floats) -> Floats:
    """Return the influence (U, K) of each unit on the raw means: the mean of all minus that without the unit."""
    cell = roster.unit * roster.systems + roster.system
    shape = roster.units, roster.systems
    sums = np.bincount(cell, weights * ratings, math.prod(shape)).reshape(shape)
    unit_weights = np.bincount(cell, weights, math.prod(shape)).reshape(shape)
    remaining = 1 - unit_weights
    means_without = np.divide(
        raw - sums, remaining, out=np.broadcast_to(raw, shape).copy(), where=remaining > ROUNDING_TOLERANCE
    )
    return raw - means_without


def covariance(influence: Floats) -> Floats:
    """Return the jackknife covariance (K, K) (Tukey 1958) of the influences of m units, (m, K)."""
    centred = influence - influence.mean(axis=0)
    return (len(influence) - 1) / len(influence) * (centred.T @ centred)


def pair_variances(covariances: Floats) -> Floats:
    """Return the variances (K, K) of the differences."""
    own = covariances.diagonal()
    return np.maximum(own[:, None] + own - 2 * covariances, 0.0)


def _mean_variances(covariances: Floats) -> Floats:
    """Return the variances (K,) of the differences from the mean of all systems."""
    centred = covariances - covariances.mean(axis=0)
    return np.maximum((centred - centred.mean(axis=1, keepdims=True)).diagonal(), 0.0)


def _unit_variances(covariances: Floats, units: int) -> PairVariances:
    """Return the variances over units only."""
    pairs, means = pair_variances(covariances), _mean_variances(covariances)
    none = np.full_like(pairs, math.nan)
    return PairVariances(
        total=pairs,
        units=pairs,
        judges=none,
        residual=none,
        degrees_of_freedom=np.full_like(pairs, units - 1),
        means=means,
        means_degrees=np.full_like(means, units - 1),
    )


def combined_variances(roster: Roster, fit: Fit) -> PairVariances:
    """Return the variances over units and judges."""
    over_units = covariance(fit.unit_influence)
    if roster.judges < MIN_JUDGES:
        return _unit_variances(over_units, roster.units)
    residual = residual_covariance(roster, fit)
    pooled = roster.pooled
    preference_var = preference_variance(roster, fit)
    excess = preference_var * (pooled.contrasts @ pooled.contrasts.T)
    judge_degrees = _pooled_degrees(roster, preference_var, fit.residual_variance)

    def total(kind: str) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        variance_of = pair_variances if kind == "pairs" else _mean_variances
        units, shared, preference_part = variance_of(over_units), variance_of(residual), variance_of(excess)
        judges = shared + preference_part
        total_variance = np.maximum(units, shared) + preference_part
        denominator = preference_part * judges / judge_degrees + units**2 / (roster.units - 1)
        degrees = np.divide(
            total_variance**2, denominator, out=np.full_like(total_variance, roster.units - 1), where=denominator > 0
        )
        return total_variance, units, judges, shared, np.maximum(degrees, 1.0)

    pairs, means = total("pairs"), total("means")
    return PairVariances(
        total=pairs[0],
        units=pairs[1],
        judges=pairs[2],
        residual=pairs[3],
        degrees_of_freedom=pairs[4],
        means=means[0],
        means_degrees=means[4],
    )


def residual_covariance(roster: Roster, fit: Fit) -> Floats:
    """Return the covariance (K, K) of the systems' effects, by the ratings of one unit by one judge."""
    degrees = roster.n - roster.rank
    covariances: Floats = fit.cell_influence.T @ fit.cell_influence
    return covariances * (roster.n / degrees if degrees > 0 else math.nan)


def preference_variance(roster: Roster, fit: Fit) -> float:
    """Return the variance of judges' preferences: their deviations for single systems beyond their severity.

    It is the excess of the jackknife over judges over the residual part, divided by its expectation for variance 1.
    """
    pooled = roster.pooled
    # Pooled over all pairs of systems; as effects sum to 0, this is K times the sum over systems.
    observed = float(np.trace(covariance(fit.judge_influence)))
    scale = (roster.groups - 1) / roster.groups
    rating_scale = scale * float(np.trace(pooled.by_rating)) / pooled.squares
    preference_scale = scale * float(np.trace(pooled.by_preference))
    if preference_scale <= 0:
        return math.nan
    return max((observed - rating_scale * float(np.trace(residual_covariance(roster, fit)))) / preference_scale, 0.0)


def _pooled_degrees(roster: Roster, preference_var: float, residual_variance: float) -> float:
    """Return Satterthwaite's degrees of freedom of the pooled sum of squares over judges, a quadratic form."""
    pooled = roster.pooled
    covariances = preference_var * pooled.by_preference + residual_variance * pooled.by_rating
    squares = float(np.square(covariances).sum())
    return float(np.trace(covariances)) ** 2 / squares if squares > 0 else math.nan


def _variances(
    roster: Roster, fit: Fit, judges: tuple[Judge, ...], names: tuple[str, ...]
) -> tuple[PairVariances, list[str]]:
    """Return the variances, undefined for systems that only one judge or group connects, and notes."""
    variances, notes = combined_variances(roster, fit), list[str]()
    undefined = roster.components[:, None] != roster.components
    if roster.judges >= MIN_JUDGES:
        for group, components in enumerate(roster.per_group[2]):
            disconnected = (components[:, None] != components) & (roster.components[:, None] == roster.components)
            if disconnected.any():
                undefined |= disconnected
                deleted_judges = [judges[int(j)].name for j in np.unique(roster.judge[roster.group == group])]
                parts = _components(components, names)
                notes.append(
                    f"Without {listed(deleted_judges)}, {_enumerated(parts)} are not connected; their differences have "
                    "no standard error over judges."
                )
    has_undefined = np.array([len(members) < len(names) for members in _members(undefined)], bool)
    return (
        replace(
            variances,
            total=np.where(undefined, math.nan, variances.total),
            means=np.where(has_undefined, math.nan, variances.means),
        ),
        notes,
    )


def _members(undefined: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> list[Integers]:
    return [np.flatnonzero(~row).astype(np.int64) for row in undefined]


def severity_p(roster: Roster, ratings: Floats, fit: Fit) -> float:
    """Return p of the F test of equal severity of all judges; NaN without degrees of freedom."""
    from scipy import stats  # loaded when first needed: scoring does without

    degrees = roster.n - roster.rank
    reduced = Roster(roster.system, roster.segment, np.zeros_like(roster.judge), np.arange(roster.segments))
    extra_degrees = roster.rank - reduced.rank
    if extra_degrees < 1 or degrees < 1:
        return math.nan
    centred = ratings - (np.bincount(reduced.segment, ratings) / reduced.size)[reduced.segment]
    products = reduced.within.T @ centred
    reduced_squares = float(centred @ centred) - float(products @ reduced.inverse @ products)
    squares = float(fit.residuals @ fit.residuals)
    if squares <= ROUNDING_TOLERANCE**2 * float(centred @ centred):
        return 0.0 if reduced_squares > squares + ROUNDING_TOLERANCE * float(centred @ centred) else math.nan
    ratio = max(reduced_squares - squares, 0.0) / extra_degrees / (squares / degrees)
    f_distribution: Any = stats.f
    return float(f_distribution.sf(ratio, extra_degrees, degrees))


def _components(numbers: Integers, names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(
        tuple(names[int(k)] for k in np.flatnonzero(numbers == number))
        for number in range(int(numbers.max(initial=-1)) + 1)
    )


def _enumerated(components: Sequence[Sequence[str]]) -> str:
    return " and ".join(f"({listed(list(part))})" if len(part) > 1 else part[0] for part in components)


def _not_connected(components: Sequence[Sequence[str]]) -> str:
    return (
        f"{len(components)} groups of systems are not connected by common judges and segments: "
        f"{_enumerated(components)}; ratings of systems of different groups on the same segment by one judge, for "
        "more than one segment, would connect them"
    )


def _for_all_systems(means: AdjustedMeans, names: tuple[str, ...], raw: Floats, present: Integers) -> AdjustedMeans:
    """Return the means for all systems; those without ratings of segments are undefined."""
    if len(present) == len(names):
        return replace(means, raw=raw)
    size = len(names)

    def vector(values: Floats) -> Floats:
        full = np.full(size, math.nan)
        full[present] = values
        return full

    def matrix(values: Floats) -> Floats:
        full = np.full((size, size), math.nan)
        full[np.ix_(present, present)] = values
        return full

    def variances(known: PairVariances | None) -> PairVariances | None:
        if known is None:
            return None
        return PairVariances(
            total=matrix(known.total),
            units=matrix(known.units),
            judges=matrix(known.judges),
            residual=matrix(known.residual),
            degrees_of_freedom=matrix(known.degrees_of_freedom),
            means=vector(known.means),
            means_degrees=vector(known.means_degrees),
        )

    shares = np.zeros((size, len(means.judges)))
    counts = np.zeros((size, len(means.judges)), np.int64)
    judge_means = np.full((size, len(means.judges)), math.nan)
    shares[present], counts[present], judge_means[present] = means.shares, means.counts, means.judge_means
    return replace(
        means,
        systems=names,
        raw=raw,
        adjusted=vector(means.adjusted),
        differences=matrix(means.differences),
        shares=shares,
        counts=counts,
        judge_means=judge_means,
        variances=variances(means.variances),
        raw_variances=variances(means.raw_variances),
        effect_variances=None if means.effect_variances is None else matrix(means.effect_variances),
    )


def _undefined(
    names: tuple[str, ...], raw: Floats, data: JudgeRatings, *, position_of_system: Integers, reason: str
) -> AdjustedMeans:
    shape = len(names), len(data.judges)
    counts, judge_means = np.zeros(shape, np.int64), np.full(shape, math.nan)
    if len(data.ratings):
        cell = position_of_system[data.system] * shape[1] + data.judge
        counts = np.bincount(cell, minlength=math.prod(shape)).reshape(shape)
        judge_means = _means_of_cells(cell, data.ratings, shape)
    sums = counts.sum(axis=1, keepdims=True)
    return AdjustedMeans(
        systems=names,
        raw=raw,
        adjusted=np.full(len(names), math.nan),
        differences=np.full((len(names), len(names)), math.nan),
        components=(),
        judges=data.judges,
        severities=np.full(shape[1], math.nan),
        shares=np.divide(counts, sums, out=np.zeros(shape), where=sums > 0),
        counts=counts,
        judge_means=judge_means,
        severity_p=math.nan,
        unit="segment",
        units=0,
        variances=None,
        raw_variances=None,
        effect_variances=None,
        reason=reason,
    )


def _means_of_cells(cell: Integers, ratings: Floats, shape: tuple[int, int]) -> Floats:
    """Return the mean rating of each cell; NaN in empty cells."""
    counts = np.bincount(cell, minlength=math.prod(shape))
    sums = np.bincount(cell, ratings, math.prod(shape))
    return np.divide(sums, counts, out=np.full(len(counts), math.nan), where=counts > 0).reshape(shape)
