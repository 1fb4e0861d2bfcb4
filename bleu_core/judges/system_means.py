"""Mean ratings of systems, adjusted for the judges and segments that each system was rated by and on.

A system that severe judges rated, or on hard segments, has a lower mean than it deserves. Ordinary least squares with
systems, segments and judges as fixed effects removes this (the least-squares means of an unbalanced design: Searle,
Speed and Milliken 1980). Where every judge of a segment rates all systems, the differences are those of the raw means.
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
from bleu_core.inference import CONFIDENCE, MIN_UNITS, Interval
from bleu_core.judges.least_squares import MAX_CELLS, Fit, Roster
from bleu_core.judges.ratings import JudgeRatings, judge_ratings

#: With fewer documents, segments are the units.
MIN_DOCUMENTS = 10
#: With fewer judges there is no variance over judges.
MIN_JUDGES = 3
#: Standard errors below this part of the ratings' range are float noise.
NO_SPREAD = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class PairVariances:
    """The variance of the differences of K systems, and its parts; each (K, K), symmetric, in squared units.

    Attributes:
        total: units plus judges less residual, and never below the larger of the two; NaN where it is undefined.
        units: by the jackknife over segments or documents.
        judges: by the jackknife over judges, pooled over pairs; NaN where there is none.
        residual: what both have in common: by the ratings of one unit by one judge; NaN without a variance over judges.
        degrees_of_freedom: of the total, by Satterthwaite's formula.
        means: (K,) the total of each system's difference from the mean of all K.
        means_degrees: (K,) its degrees of freedom.
    """

    total: Floats
    units: Floats
    judges: Floats
    residual: Floats
    degrees_of_freedom: Floats
    means: Floats
    means_degrees: Floats

    def interval(self, system: int, baseline: int, difference: float, confidence: float = CONFIDENCE) -> Interval:
        """Student's interval of a difference; NaN where it has no variance."""
        return _interval(
            difference, self.total[system, baseline], self.degrees_of_freedom[system, baseline], confidence
        )

    def mean_interval(self, system: int, mean: float, confidence: float = CONFIDENCE) -> Interval:
        """Student's interval of a system's difference from the mean of all systems, placed around its mean."""
        return _interval(mean, self.means[system], self.means_degrees[system], confidence)

    def p_values(self, means: Floats) -> Floats:
        """(K, K) two-sided p-values of the differences of (K,) means by Student's t; NaN where undefined."""
        from scipy import special  # loaded when first needed: scoring does without

        differences = means[:, None] - means
        p_values = np.where((self.total == 0) & (differences == 0), 1.0, math.nan)
        known = self.total > 0
        t = np.abs(differences[known]) / np.sqrt(self.total[known])
        p_values[known] = np.maximum(2 * special.stdtr(self.degrees_of_freedom[known], -t), np.finfo(np.float64).tiny)
        np.fill_diagonal(p_values, math.nan)
        return p_values


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustedMeans:
    """Raw and adjusted mean ratings of K systems, with the variances of their differences.

    Attributes:
        systems: K names.
        raw: (K,) mean over a system's rated segments of the mean over judges; NaN without ratings.
        adjusted: (K,) the mean of the raw means plus the system's effect; NaN where it is undefined.
        differences: (K, K) of the adjusted means, row minus column; NaN between systems that are not connected.
        components: systems connected by common judges and segments; of a single component all means are defined.
        judges: J judges, by group and name.
        severities: (J,) effect of each judge on a rating, around their mean: a severe judge's is negative; NaN where
            nothing is adjusted.
        shares: (K, J) the share of each judge in a system's raw mean.
        counts: (K, J) how many items of a system each judge rated.
        judge_means: (K, J) mean rating of a system by each judge; NaN without any.
        severity_p: of the F test that all judges are equally severe; NaN without degrees of freedom.
        unit: "segment" or "document".
        units: how many.
        variances: of the adjusted means; None where these are undefined.
        raw_variances: of the raw means, over units alone.
        effect_variances: (K, K) of raw less adjusted differences, over units: which judges rated what, and how severe
            these are, is held fixed.
        reason: why means are not adjusted, else empty.
        notes: what limits the standard errors, in sentences.
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
        """(K,) the mean severity of the judges of each system, weighted as in its raw mean."""
        return self.shares @ self.severities


def adjusted_means(
    judgments: Judgments, systems: Sequence[str] = (), documents: Sequence[str] | None = None
) -> AdjustedMeans:
    """Adjust the mean ratings of systems for judges and segments, by least squares.

    A judge's repeated ratings of an item are averaged first; ratings of no segment are left out. The variance of a
    difference is that of the jackknife over judges plus that over units minus their common residual part, as in
    two-way clustering (Cameron, Gelbach and Miller 2011), and never below the larger. Units are segments, or documents
    where there are at least MIN_DOCUMENTS. With few judges a variance over judges of a single pair is hardly more than
    noise. It is therefore pooled over pairs of systems: what the jackknife shows beyond the residual part is set equal
    to what it would show if each judge's view of each system had one variance, for this roster. Degrees of freedom are
    Satterthwaite's (1946), with those of the pooled sum of squares for the part over judges. docs/human-ranking.md has
    the measured levels.

    Args:
        judgments: the ratings; those of other systems are ignored.
        systems: which; all that are rated by default.
        documents: the document of each line of the texts; those that the ratings name if None.
    """
    names = tuple(systems) or judgments.systems
    rated = judgments.of_systems(names)
    data = judge_ratings(rated if documents is None else _with_documents(rated, documents))
    kept = data.segment >= 0
    place = {name: k for k, name in enumerate(names)}
    of_all = np.array([place[name] for name in data.systems], np.int64)
    means = rated.system_means()
    raw = np.array([means.get(name, math.nan) for name in names])
    reason = why_not_adjusted(rated, data, kept)
    if reason:
        return _undefined(names, raw, data, of_all=of_all, reason=reason)
    present, system = np.unique(of_all[data.system[kept]], return_inverse=True)
    judges_present, judge = np.unique(data.judge[kept], return_inverse=True)
    segments, segment = np.unique(data.segment[kept], return_inverse=True)
    unit, kind = _units(data.document[kept], segment, len(segments))
    roster = Roster(system, segment, judge, unit)
    judges = tuple(data.judges[int(j)] for j in judges_present)
    found = means_of_roster(
        roster, data.ratings[kept], names=tuple(names[int(k)] for k in present), judges=judges, kind=kind
    )
    return _spread(found, names, raw, present)


def adjusted_for_judges(
    judgments: Judgments, systems: Sequence[str] = (), documents: Sequence[str] | None = None
) -> Judgments:
    """Take the severity of its judge from every rating; the means of systems become the adjusted ones.

    Args:
        judgments: the ratings.
        systems: those that are compared, whose ratings decide on severities and means; all that are rated by default.
        documents: the document of each line of the texts, if they are known.

    Returns:
        The same rows in the same order. A rating of another system, too, is less its judge's severity.

    Raises:
        AlignmentError: the means cannot be adjusted; says why.
    """
    found = adjusted_means(judgments, systems, documents)
    if found.reason:
        raise AlignmentError(f"means cannot be adjusted for judges: {found.reason}")
    severity = dict(zip(found.judges, found.severities.tolist(), strict=True))
    table = judgments.table
    group, name = table["group"].astype(object), table["judge"].astype(object)
    of_row = [
        severity.get(Judge(g if isinstance(g, str) else None, j if isinstance(j, str) else ""), 0.0)
        for g, j in zip(group, name, strict=True)
    ]
    means = dict(zip(found.systems, found.adjusted.tolist(), strict=True))
    return replace(
        judgments,
        table=table.assign(score=table["score"] - np.array(of_row, np.float64)),
        adjusted_means={system: mean for system, mean in means.items() if not math.isnan(mean)},
        raw_means=dict(judgments.system_means()),
    )


def why_not_adjusted(judgments: Judgments, data: JudgeRatings, kept: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> str:
    """Why ratings cannot be adjusted, whoever rated what; empty if they can.

    Args:
        judgments: the ratings.
        data: the same, numbered.
        kept: (n,) which of them refer to a segment.
    """
    if not len(data.ratings):
        return "there are no ratings"
    if not judgments.named:
        return "the ratings do not name their judges"
    if not kept.any():
        return "no rating refers to a segment"
    columns = len(data.systems) + len(data.judges)
    if len(data.ratings) * columns > MAX_CELLS:
        return (
            f"{len(data.ratings):,} ratings of {columns:,} systems and judges found, at most {MAX_CELLS // columns:,} "
            "can be fitted"
        )
    return ""


def _with_documents(judgments: Judgments, documents: Sequence[str]) -> Judgments:
    lines = judgments.table["segment"]
    of_line = dict(enumerate(documents, start=1))
    found = lines.map(of_line).astype("object")
    return replace(judgments, table=judgments.table.assign(document=found.where(found.notna(), None)))


def _units(document: Integers, segment: Integers, segments: int) -> tuple[Integers, str]:
    """The unit of each segment, and what units are."""
    if (document >= 0).all():
        of_segment = np.zeros(segments, np.int64)
        of_segment[segment] = document
        found, unit = np.unique(of_segment, return_inverse=True)
        if len(found) >= MIN_DOCUMENTS:
            return unit.astype(np.int64), "document"
    return np.arange(segments, dtype=np.int64), "segment"


def means_of_roster(
    roster: Roster, ratings: Floats, *, names: tuple[str, ...], judges: tuple[Judge, ...], kind: str
) -> AdjustedMeans:
    """The means of the systems of a roster.

    Args:
        roster: who rated what.
        ratings: (n,).
        names: of the systems.
        judges: of the roster.
        kind: what its units are.
    """
    fit = roster.fit(ratings)
    weights = raw_weights(roster)
    raw = np.asarray(np.bincount(roster.system, weights * ratings), np.float64)
    components = _components(roster.components, names)
    differences = fit.effects[:, None] - fit.effects
    differences[roster.components[:, None] != roster.components] = math.nan
    connected = len(components) == 1
    enough = roster.units >= MIN_UNITS
    variances, notes = _variances(roster, fit, judges, names) if enough else (None, [])
    without_raw = raw_without_units(roster, ratings, weights, raw)
    raw_parts = pair_variances(covariance(without_raw)) if enough else None
    if not enough:
        notes.append(
            f"{roster.units} {plural(roster.units, kind)} found, at least {MIN_UNITS} needed for a standard error."
        )
    if len(judges) < MIN_JUDGES:
        notes.append(
            f"{len(judges)} {plural(len(judges), 'judge')} found: with fewer than {MIN_JUDGES} there is no variance "
            "over judges, and standard errors hold for these judges alone."
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
        raw_variances=None if raw_parts is None else _of_units(covariance(without_raw), roster.units),
        effect_variances=pair_variances(covariance(without_raw - fit.without_units)) if enough else None,
        reason="" if connected else _not_connected(components),
        notes=tuple(notes),
    )


def raw_weights(roster: Roster) -> Floats:
    """(n,) the weight of each rating in its system's mean over segments of the mean over judges."""
    item = roster.system * roster.segments + roster.segment
    numbers, item = np.unique(item, return_inverse=True)
    of_item = np.bincount(item)
    items = np.bincount(numbers // roster.segments, minlength=roster.systems)
    return 1 / (of_item[item] * items[roster.system])


def raw_without_units(roster: Roster, ratings: Floats, weights: Floats, raw: Floats) -> Floats:
    """(U, K) what each unit adds to the raw means: the mean of all less that of all but the unit."""
    place = roster.unit * roster.systems + roster.system
    shape = roster.units, roster.systems
    sums = np.bincount(place, weights * ratings, math.prod(shape)).reshape(shape)
    part = np.bincount(place, weights, math.prod(shape)).reshape(shape)
    rest = 1 - part
    others = np.divide(raw - sums, rest, out=np.broadcast_to(raw, shape).copy(), where=rest > NO_SPREAD)
    return raw - others


def covariance(without: Floats) -> Floats:
    """(K, K) the jackknife's covariance (Tukey 1958) of what each of m units adds, (m, K)."""
    centred = without - without.mean(axis=0)
    return (len(without) - 1) / len(without) * (centred.T @ centred)


def pair_variances(covariances: Floats) -> Floats:
    """(K, K) the variances of the differences."""
    own = covariances.diagonal()
    return np.maximum(own[:, None] + own - 2 * covariances, 0.0)


def _mean_variances(covariances: Floats) -> Floats:
    """(K,) the variances of the differences from the mean of all systems."""
    centred = covariances - covariances.mean(axis=0)
    return np.maximum((centred - centred.mean(axis=1, keepdims=True)).diagonal(), 0.0)


def _of_units(covariances: Floats, units: int) -> PairVariances:
    """The variances over units alone."""
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


def combined(roster: Roster, fit: Fit) -> PairVariances:
    """The variances over units and judges."""
    over_units = covariance(fit.without_units)
    if roster.judges < MIN_JUDGES:
        return _of_units(over_units, roster.units)
    residual = residual_covariance(roster, fit)
    pooled = roster.pooled
    view_variance = variance_of_views(roster, fit)
    excess = view_variance * (pooled.contrasts @ pooled.contrasts.T)
    judge_degrees = _pooled_degrees(roster, view_variance, fit.residual_variance)

    def total(kind: str) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        make = pair_variances if kind == "pairs" else _mean_variances
        units, common, added = make(over_units), make(residual), make(excess)
        judges = common + added
        whole = np.maximum(units, common) + added
        spread = added * judges / judge_degrees + units**2 / (roster.units - 1)
        freedom = np.divide(whole**2, spread, out=np.full_like(whole, roster.units - 1), where=spread > 0)
        return whole, units, judges, common, np.maximum(freedom, 1.0)

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
    """(K, K) the covariance of the effects of systems by the ratings of one unit by one judge."""
    degrees = roster.n - roster.rank
    covariances: Floats = fit.of_cells.T @ fit.of_cells
    return covariances * (roster.n / degrees if degrees > 0 else math.nan)


def variance_of_views(roster: Roster, fit: Fit) -> float:
    """The variance of judges' views of systems: by how much a judge rates a system otherwise than severity explains.

    What the jackknife over judges shows beyond the residual part, over what it would show if the variance were 1.
    """
    pooled = roster.pooled
    # Of all pairs of systems together, since their effects add up to 0: K times the sum over systems.
    observed = float(np.trace(covariance(fit.without_judges)))
    scale = (roster.groups - 1) / roster.groups
    of_ratings = scale * float(np.trace(pooled.by_rating)) / pooled.squares
    of_views = scale * float(np.trace(pooled.by_view))
    if of_views <= 0:
        return math.nan
    return max((observed - of_ratings * float(np.trace(residual_covariance(roster, fit)))) / of_views, 0.0)


def _pooled_degrees(roster: Roster, view_variance: float, residual_variance: float) -> float:
    """The degrees of freedom of the pooled sum of squares over judges: Satterthwaite's for a quadratic form."""
    pooled = roster.pooled
    covariances = view_variance * pooled.by_view + residual_variance * pooled.by_rating
    squares = float(np.square(covariances).sum())
    return float(np.trace(covariances)) ** 2 / squares if squares > 0 else math.nan


def _variances(
    roster: Roster, fit: Fit, judges: tuple[Judge, ...], names: tuple[str, ...]
) -> tuple[PairVariances, list[str]]:
    """The variances, undefined between systems that are not connected without one of the judges."""
    found, notes = combined(roster, fit), list[str]()
    apart = roster.components[:, None] != roster.components
    if roster.judges >= MIN_JUDGES:
        for group, without in enumerate(roster.per_group[2]):
            lost = (without[:, None] != without) & (roster.components[:, None] == roster.components)
            if lost.any():
                apart |= lost
                left_out = [judges[int(j)].name for j in np.unique(roster.judge[roster.group == group])]
                parts = _components(without, names)
                notes.append(
                    f"Without {listed(left_out)}, {_and(parts)} are not connected; their differences have no standard "
                    "error over judges."
                )
    alone = np.array([len(part) < len(names) for part in _members(apart)], bool)
    return (
        replace(
            found,
            total=np.where(apart, math.nan, found.total),
            means=np.where(alone, math.nan, found.means),
        ),
        notes,
    )


def _members(apart: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> list[Integers]:
    return [np.flatnonzero(~row).astype(np.int64) for row in apart]


def severity_p(roster: Roster, ratings: Floats, fit: Fit) -> float:
    """P of the F test that all judges are equally severe; NaN without degrees of freedom."""
    from scipy import stats  # loaded when first needed: scoring does without

    degrees = roster.n - roster.rank
    one = Roster(roster.system, roster.segment, np.zeros_like(roster.judge), np.arange(roster.segments))
    added = roster.rank - one.rank
    if added < 1 or degrees < 1:
        return math.nan
    centred = ratings - (np.bincount(one.segment, ratings) / one.size)[one.segment]
    products = one.within.T @ centred
    without = float(centred @ centred) - float(products @ one.inverse @ products)
    squares = float(fit.residuals @ fit.residuals)
    if squares <= NO_SPREAD**2 * float(centred @ centred):
        return 0.0 if without > squares + NO_SPREAD * float(centred @ centred) else math.nan
    ratio = max(without - squares, 0.0) / added / (squares / degrees)
    of_f: Any = stats.f
    return float(of_f.sf(ratio, added, degrees))


def _components(numbers: Integers, names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(
        tuple(names[int(k)] for k in np.flatnonzero(numbers == number))
        for number in range(int(numbers.max(initial=-1)) + 1)
    )


def _and(components: Sequence[Sequence[str]]) -> str:
    return " and ".join(f"({listed(list(part))})" if len(part) > 1 else part[0] for part in components)


def _not_connected(components: Sequence[Sequence[str]]) -> str:
    return (
        f"{len(components)} groups of systems are not connected by common judges and segments: {_and(components)}; "
        "ratings of systems of different groups on the same segment by one judge, for more than one segment, would "
        "connect them"
    )


def _spread(found: AdjustedMeans, names: tuple[str, ...], raw: Floats, present: Integers) -> AdjustedMeans:
    """The same for all systems, those without ratings of segments undefined."""
    if len(present) == len(names):
        return replace(found, raw=raw)
    size = len(names)

    def vector(values: Floats) -> Floats:
        whole = np.full(size, math.nan)
        whole[present] = values
        return whole

    def matrix(values: Floats) -> Floats:
        whole = np.full((size, size), math.nan)
        whole[np.ix_(present, present)] = values
        return whole

    def variances(given: PairVariances | None) -> PairVariances | None:
        if given is None:
            return None
        return PairVariances(
            total=matrix(given.total),
            units=matrix(given.units),
            judges=matrix(given.judges),
            residual=matrix(given.residual),
            degrees_of_freedom=matrix(given.degrees_of_freedom),
            means=vector(given.means),
            means_degrees=vector(given.means_degrees),
        )

    shares = np.zeros((size, len(found.judges)))
    counts = np.zeros((size, len(found.judges)), np.int64)
    judge_means = np.full((size, len(found.judges)), math.nan)
    shares[present], counts[present], judge_means[present] = found.shares, found.counts, found.judge_means
    return replace(
        found,
        systems=names,
        raw=raw,
        adjusted=vector(found.adjusted),
        differences=matrix(found.differences),
        shares=shares,
        counts=counts,
        judge_means=judge_means,
        variances=variances(found.variances),
        raw_variances=variances(found.raw_variances),
        effect_variances=None if found.effect_variances is None else matrix(found.effect_variances),
    )


def _undefined(
    names: tuple[str, ...], raw: Floats, data: JudgeRatings, *, of_all: Integers, reason: str
) -> AdjustedMeans:
    shape = len(names), len(data.judges)
    counts, judge_means = np.zeros(shape, np.int64), np.full(shape, math.nan)
    if len(data.ratings):
        cell = of_all[data.system] * shape[1] + data.judge
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
    """The mean rating in each cell; NaN in empty ones."""
    counts = np.bincount(cell, minlength=math.prod(shape))
    sums = np.bincount(cell, ratings, math.prod(shape))
    return np.divide(sums, counts, out=np.full(len(counts), math.nan), where=counts > 0).reshape(shape)


def _interval(middle: float, variance: float, degrees: float, confidence: float) -> Interval:
    from scipy import special

    if math.isnan(variance) or math.isnan(middle):
        return Interval(math.nan, math.nan, confidence)
    reach = float(special.stdtrit(degrees, (1 + confidence) / 2)) * math.sqrt(variance)
    return Interval(middle - reach, middle + reach, confidence)
