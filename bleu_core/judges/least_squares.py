"""Least squares of ratings on systems, segments and judges, with the jackknife over units and judges.

K systems, J judges, S segments, n ratings, U units (segments or documents), P = K + J columns. Segments are eliminated
first: relative to the mean of its segment, a rating depends on systems and judges only, so that only (P, P) matrices
have to be solved. Everything that depends on the roster alone, and not on the ratings, is computed once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits  # pyright: ignore[reportMissingTypeStubs] # it has none

from bleu_core.arrays import Floats, Integers

#: Eigenvalues of products with a unit diagonal, and components of their vectors, below this are rounding errors.
ROUNDING_TOLERANCE = 1e-9
#: With more judges, the jackknife deletes groups of judges instead of single judges (Kott 2001).
MAX_GROUPS = 30
MIN_GROUPS = 3
#: Limits on the total cells of matrices and the multiplications of inverses; beyond them the jackknife over units is
#: replaced by its linear approximation (the infinitesimal jackknife).
MAX_CELLS = 40_000_000
MAX_MULTIPLICATIONS = 20_000_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A least-squares fit with its jackknife.

    Attributes:
        effects: (K,) centred effects of systems, as far as they can be estimated.
        severities: (J,) centred effects of judges.
        residuals: (n,).
        residual_variance: unbiased; 0 without degrees of freedom.
        unit_influence: (U, K) effects of systems from all ratings minus those without each unit.
        judge_influence: (groups of judges, K) the same for each group of judges.
        cell_influence: (cells, K) the same for the ratings of one unit by one judge, by linear approximation.
    """

    effects: Floats
    severities: Floats
    residuals: Floats
    residual_variance: float
    unit_influence: Floats
    judge_influence: Floats
    cell_influence: Floats


class Roster:
    """A roster: the system, segment and judge of each rating.

    Args:
        system, segment, judge: (n,) numbers from 0 without gaps.
        unit: (S,) the unit of each segment, numbers from 0 without gaps.
    """

    def __init__(self, system: Integers, segment: Integers, judge: Integers, unit: Integers) -> None:
        self.system, self.segment, self.judge = system, segment, judge
        self.n = len(system)
        self.systems, self.judges = int(system.max()) + 1, int(judge.max()) + 1
        self.segments, self.units = len(unit), int(unit.max()) + 1
        self.unit = unit[segment]
        self.columns = self.systems + self.judges
        self.size: Floats = np.bincount(segment).astype(np.float64)
        rows = np.arange(self.n)
        design = np.zeros((self.n, self.columns))
        design[rows, system] = 1
        design[rows, self.systems + judge] = 1
        self.design = design
        self.counts = self.sums_of(segment, design, self.segments)
        self.within = design - (self.counts / self.size[:, None])[segment]
        with threadpool_limits(1, user_api="blas"):  # more threads slow it down on a busy machine
            self.products: Floats = self.within.T @ self.within
            self.inverse, self.null = _inverse(self.products)
        #: (K, P) maps products with the ratings to the centred effects of the systems.
        self.estimator = _centred(self.inverse[: self.systems])
        self.rank = self.columns - self.null.shape[1] + self.segments
        groups = max(MIN_GROUPS, min(MAX_GROUPS, MAX_CELLS // (self.systems * self.n)))
        self.group = _grouped(judge, self.judges, groups)
        self.groups = int(self.group.max()) + 1
        self.cell = np.unique(self.unit * self.judges + judge, return_inverse=True)[1]

    @staticmethod
    def sums_of(codes: Integers, values: Floats, count: int) -> Floats:
        """Return the sums (count, columns) of values (n, columns) by code."""
        from scipy import sparse  # loaded when first needed: scoring does without

        n = len(codes)
        indicator: Any = sparse.csr_array((np.ones(n), (codes, np.arange(n))), shape=(count, n))
        return np.asarray(indicator @ values, np.float64)

    @cached_property
    def components(self) -> Integers:
        """The connected component of each system (K,); only differences within components can be estimated."""
        return _classes(self.null[: self.systems])

    @cached_property
    def per_unit(self) -> Floats:
        """The estimators without each unit (U, K, P), or the common estimator (1, K, P) as an approximation."""
        cells = self.units * self.systems * self.columns
        if cells > MAX_CELLS or self.units * self.columns**3 > MAX_MULTIPLICATIONS:
            return self.estimator[None]
        estimators = np.empty((self.units, self.systems, self.columns))
        order = np.argsort(self.unit, kind="stable")
        bounds = np.searchsorted(self.unit[order], np.arange(self.units + 1))
        with threadpool_limits(1, user_api="blas"):
            for unit in range(self.units):
                deleted = self.within[order[bounds[unit] : bounds[unit + 1]]]
                estimators[unit] = _centred(_inverse(self.products - deleted.T @ deleted)[0][: self.systems])
        return estimators

    @cached_property
    def per_group(self) -> tuple[Floats, Floats, Integers]:
        """The estimators without each of G groups of judges (G, K, P), and two arrays derived from them.

        These are the products of the estimators with the segment means of the other judges (G, K, S), and the connected
        components of the systems without the group (G, K).
        """
        estimators = np.empty((self.groups, self.systems, self.columns))
        means = np.empty((self.groups, self.systems, self.segments))
        components = np.empty((self.groups, self.systems), np.int64)
        with threadpool_limits(1, user_api="blas"):
            for group in range(self.groups):
                deleted = self.group == group
                counts = self.counts - self.sums_of(self.segment[deleted], self.design[deleted], self.segments)
                size = self.size - np.bincount(self.segment[deleted], minlength=self.segments)
                mean = np.divide(counts, size[:, None], out=np.zeros_like(counts), where=size[:, None] > 0)
                others = self.design[~deleted]
                inverse, null = _inverse(others.T @ others - counts.T @ mean)
                estimators[group] = _centred(inverse[: self.systems])
                means[group] = estimators[group] @ mean.T
                components[group] = _classes(null[: self.systems])
        return estimators, means, components

    @cached_property
    def pooled(self) -> Pooled:
        """The expectation of the jackknife over judges."""
        estimators, means, _ = self.per_group
        linear = np.zeros((self.groups, self.systems, self.n))
        with threadpool_limits(1, user_api="blas"):
            for group in range(self.groups):
                deleted = self.group == group
                linear[group][:, deleted] = (
                    estimators[group] @ self.design[deleted].T - means[group][:, self.segment[deleted]]
                )
                linear[group] = self._of_residuals(linear[group])
            centred = (linear - linear.mean(axis=0)).reshape(-1, self.n)
            # A judge's preference for a system is the same in all segments.
            preference = np.unique(self.judge * self.systems + self.system, return_inverse=True)[1]
            preferences = int(preference.max()) + 1
            estimate = self.estimator @ self.within.T
            preference_sums = self.sums_of(preference, centred.T, preferences).T
            return Pooled(
                by_rating=centred @ centred.T,
                by_preference=preference_sums @ preference_sums.T,
                contrasts=self.sums_of(preference, estimate.T, preferences).T,
                squares=float(np.square(estimate).sum()),
            )

    def _of_residuals(self, linear: Floats) -> Floats:
        """Convert a linear function of residuals (K, n) into the same function of ratings (K, n)."""
        fitted = (linear @ self.within) @ self.inverse @ self.within.T
        means = self.sums_of(self.segment, linear.T, self.segments) / self.size[:, None]
        return linear - fitted - means[self.segment].T

    def solve(self, ratings: Floats) -> tuple[Floats, Floats, Floats]:
        """Fit ratings (n,) and return centred effects of systems (K,) and of judges (J,), and residuals (n,)."""
        means = np.bincount(self.segment, ratings) / self.size
        centred = ratings - means[self.segment]
        with threadpool_limits(1, user_api="blas"):
            solution = self.inverse @ (self.within.T @ centred)
            residuals = centred - self.within @ solution
        effects, severities = solution[: self.systems], solution[self.systems :]
        return effects - effects.mean(), severities - severities.mean(), residuals

    def fit(self, ratings: Floats) -> Fit:
        """Fit ratings (n,), with the jackknife."""
        effects, severities, residuals = self.solve(ratings)
        weighted = self.within * residuals[:, None]
        degrees = self.n - self.rank
        with threadpool_limits(1, user_api="blas"):
            return Fit(
                effects=effects,
                severities=severities,
                residuals=residuals,
                residual_variance=float(residuals @ residuals) / degrees if degrees > 0 else 0.0,
                unit_influence=_applied(self.per_unit, self.sums_of(self.unit, weighted, self.units)),
                judge_influence=self._judge_influence(residuals),
                cell_influence=self.sums_of(self.cell, weighted, int(self.cell.max()) + 1) @ self.estimator.T,
            )

    def _judge_influence(self, residuals: Floats) -> Floats:
        if self.groups < 2:  # noqa: PLR2004 # no ratings remain
            return np.zeros((self.groups, self.systems))
        estimators, means, _ = self.per_group
        sums = self.sums_of(self.group, self.design * residuals[:, None], self.groups)
        cell = self.group * self.segments + self.segment
        segment_sums: Floats = np.zeros((self.groups, self.segments))
        segment_sums += np.bincount(cell, residuals, segment_sums.size).reshape(segment_sums.shape)
        return _applied(estimators, sums) - _applied(means, segment_sums)


@dataclass(frozen=True, slots=True, eq=False)
class Pooled:
    """The expected jackknife over G groups of judges under two sources of variance: ratings and preferences.

    A preference is a judge's deviation for one system, which is the same in all segments.

    Attributes:
        by_rating: (G K, G K) covariance of the groups' influences if ratings are independent with variance 1.
        by_preference: (G K, G K) the same if preferences are independent with variance 1.
        contrasts: (K, preferences) weight of each preference in the effect of each system.
        squares: sum of squares of the weights of ratings in the effects.
    """

    by_rating: Floats
    by_preference: Floats
    contrasts: Floats
    squares: float


def _applied(estimators: Floats, values: Floats) -> Floats:
    """Return (m, K): each of m estimators (K, P), or the common one, times its values (P,)."""
    if len(estimators) == 1:
        return values @ estimators[0].T
    return np.matmul(estimators, values[:, :, None])[:, :, 0]


def _centred(rows: Floats) -> Floats:
    return rows - rows.mean(axis=0)


def _inverse(products: Floats) -> tuple[Floats, Floats]:
    """Return a generalised inverse of a matrix of products, and a basis of its null space, (P, dimensions)."""
    sizes = products.diagonal()
    root = 1 / np.sqrt(np.where(sizes > ROUNDING_TOLERANCE, sizes, 1.0))
    values, vectors = np.linalg.eigh(products * root * root[:, None])
    is_nonzero = values > ROUNDING_TOLERANCE
    scaled = vectors * root[:, None]
    return (scaled[:, is_nonzero] / values[is_nonzero]) @ scaled[:, is_nonzero].T, scaled[:, ~is_nonzero]


def _classes(null: Floats) -> Integers:
    """Return class numbers (K,) from 0; equal rows of the null space are indistinguishable and share a number."""
    classes = np.full(len(null), -1, np.int64)
    scale = max(float(np.abs(null).max(initial=0.0)), ROUNDING_TOLERANCE)
    number = 0
    for row in range(len(null)):
        if classes[row] < 0:
            is_equal = np.abs(null - null[row]).max(axis=1, initial=0.0) <= np.sqrt(ROUNDING_TOLERANCE) * scale
            classes[is_equal & (classes < 0)] = number
            number += 1
    return classes


def _grouped(judge: Integers, judges: int, groups: int) -> Integers:
    """Return the group (n,) of each rating's judge: the judge, or one of several groups of similar total size."""
    if judges <= groups:
        return judge
    counts = np.bincount(judge, minlength=judges)
    group, sizes = np.empty(judges, np.int64), np.zeros(groups)
    for judge_number in np.argsort(-counts, kind="stable"):
        smallest = int(np.argmin(sizes))
        group[judge_number] = smallest
        sizes[smallest] += counts[judge_number]
    return group[judge]
