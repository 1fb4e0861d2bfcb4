"""Least squares of ratings on systems, segments and judges, and what it becomes without some of them.

K systems, J judges, S segments, n ratings, U units (segments, or documents of several), P = K + J columns. Segments are
eliminated first: around the mean of its segment, a rating depends on systems and judges alone, so only (P, P) matrices
are solved. All that depends on who rated what, and not on the ratings, is computed once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits  # pyright: ignore[reportMissingTypeStubs] # it has none

from bleu_core.arrays import Floats, Integers

#: Eigenvalues of products whose diagonal is 1, and parts of their vectors, below this are float noise.
NOISE = 1e-9
#: More judges are left out of the jackknife in so many groups instead of one by one (Kott 2001).
MAX_GROUPS = 30
MIN_GROUPS = 3
#: Matrices with more cells in all than these, or inverses that take more multiplications, are not made; the units are
#: then left out by linear approximation (the infinitesimal jackknife).
MAX_CELLS = 40_000_000
MAX_MULTIPLICATIONS = 20_000_000_000


@dataclass(frozen=True, slots=True)
class Fit:
    """A least-squares fit, and its jackknife.

    Attributes:
        effects: (K,) of systems around their mean, as far as they can be estimated.
        severities: (J,) effects of judges around their mean.
        residuals: (n,).
        residual_variance: unbiased; 0 without degrees of freedom.
        without_units: (U, K) what each unit adds to the effects of systems: all ratings less all but the unit's.
        without_judges: (groups of judges, K) likewise.
        of_cells: (cells, K) likewise of the ratings of one unit by one judge, by linear approximation.
    """

    effects: Floats
    severities: Floats
    residuals: Floats
    residual_variance: float
    without_units: Floats
    without_judges: Floats
    of_cells: Floats


class Roster:
    """Who rated what.

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
        with threadpool_limits(1, user_api="blas"):  # on a busy machine more threads give nothing but trouble
            self.products: Floats = self.within.T @ self.within
            self.inverse, self.null = _inverse(self.products)
        #: (K, P) makes estimates of the systems' effects, around their mean, of products with the ratings.
        self.estimator = _centred(self.inverse[: self.systems])
        self.rank = self.columns - self.null.shape[1] + self.segments
        groups = max(MIN_GROUPS, min(MAX_GROUPS, MAX_CELLS // (self.systems * self.n)))
        self.group = _grouped(judge, self.judges, groups)
        self.groups = int(self.group.max()) + 1
        self.cell = np.unique(self.unit * self.judges + judge, return_inverse=True)[1]

    @staticmethod
    def sums_of(codes: Integers, values: Floats, count: int) -> Floats:
        """(count, columns) the sums of (n, columns) values by code."""
        from scipy import sparse  # loaded when first needed: scoring does without

        n = len(codes)
        member: Any = sparse.csr_array((np.ones(n), (codes, np.arange(n))), shape=(count, n))
        return np.asarray(member @ values, np.float64)

    @cached_property
    def components(self) -> Integers:
        """(K,) the component of each system: differences of systems can be estimated within components alone."""
        return _classes(self.null[: self.systems])

    @cached_property
    def per_unit(self) -> Floats:
        """(U, K, P), or (1, K, P) for all: the estimator without each unit."""
        cells = self.units * self.systems * self.columns
        if cells > MAX_CELLS or self.units * self.columns**3 > MAX_MULTIPLICATIONS:
            return self.estimator[None]
        found = np.empty((self.units, self.systems, self.columns))
        order = np.argsort(self.unit, kind="stable")
        bounds = np.searchsorted(self.unit[order], np.arange(self.units + 1))
        with threadpool_limits(1, user_api="blas"):
            for unit in range(self.units):
                own = self.within[order[bounds[unit] : bounds[unit + 1]]]
                found[unit] = _centred(_inverse(self.products - own.T @ own)[0][: self.systems])
        return found

    @cached_property
    def per_group(self) -> tuple[Floats, Floats, Integers]:
        """(G, K, P) the estimator without each group of judges, (G, K, S) its products with the others' segment means.

        And (G, K) the components of the systems without the group.
        """
        estimators = np.empty((self.groups, self.systems, self.columns))
        means = np.empty((self.groups, self.systems, self.segments))
        components = np.empty((self.groups, self.systems), np.int64)
        with threadpool_limits(1, user_api="blas"):
            for group in range(self.groups):
                own = self.group == group
                counts = self.counts - self.sums_of(self.segment[own], self.design[own], self.segments)
                size = self.size - np.bincount(self.segment[own], minlength=self.segments)
                mean = np.divide(counts, size[:, None], out=np.zeros_like(counts), where=size[:, None] > 0)
                others = self.design[~own]
                inverse, null = _inverse(others.T @ others - counts.T @ mean)
                estimators[group] = _centred(inverse[: self.systems])
                means[group] = estimators[group] @ mean.T
                components[group] = _classes(null[: self.systems])
        return estimators, means, components

    @cached_property
    def pooled(self) -> Pooled:
        """What the jackknife over judges is expected to be."""
        estimators, means, _ = self.per_group
        linear = np.zeros((self.groups, self.systems, self.n))
        with threadpool_limits(1, user_api="blas"):
            for group in range(self.groups):
                own = self.group == group
                linear[group][:, own] = estimators[group] @ self.design[own].T - means[group][:, self.segment[own]]
                linear[group] = self._of_residuals(linear[group])
            centred = (linear - linear.mean(axis=0)).reshape(-1, self.n)
            # A judge's view of a system is the same in all segments.
            view = np.unique(self.judge * self.systems + self.system, return_inverse=True)[1]
            views = int(view.max()) + 1
            estimate = self.estimator @ self.within.T
            of_views = self.sums_of(view, centred.T, views).T
            return Pooled(
                by_rating=centred @ centred.T,
                by_view=of_views @ of_views.T,
                contrasts=self.sums_of(view, estimate.T, views).T,
                squares=float(np.square(estimate).sum()),
            )

    def _of_residuals(self, linear: Floats) -> Floats:
        """(K, n) the same function of ratings, where (K, n) is one of residuals."""
        fitted = (linear @ self.within) @ self.inverse @ self.within.T
        means = self.sums_of(self.segment, linear.T, self.segments) / self.size[:, None]
        return linear - fitted - means[self.segment].T

    def solve(self, ratings: Floats) -> tuple[Floats, Floats, Floats]:
        """Fit (n,) ratings: (K,) effects of systems and (J,) of judges, each around its mean, and (n,) residuals."""
        means = np.bincount(self.segment, ratings) / self.size
        centred = ratings - means[self.segment]
        with threadpool_limits(1, user_api="blas"):
            solution = self.inverse @ (self.within.T @ centred)
            residuals = centred - self.within @ solution
        effects, severities = solution[: self.systems], solution[self.systems :]
        return effects - effects.mean(), severities - severities.mean(), residuals

    def fit(self, ratings: Floats) -> Fit:
        """Fit (n,) ratings, with the jackknife."""
        effects, severities, residuals = self.solve(ratings)
        weighted = self.within * residuals[:, None]
        degrees = self.n - self.rank
        with threadpool_limits(1, user_api="blas"):
            return Fit(
                effects=effects,
                severities=severities,
                residuals=residuals,
                residual_variance=float(residuals @ residuals) / degrees if degrees > 0 else 0.0,
                without_units=_applied(self.per_unit, self.sums_of(self.unit, weighted, self.units)),
                without_judges=self._without_judges(residuals),
                of_cells=self.sums_of(self.cell, weighted, int(self.cell.max()) + 1) @ self.estimator.T,
            )

    def _without_judges(self, residuals: Floats) -> Floats:
        if self.groups < 2:  # noqa: PLR2004 # nothing is left
            return np.zeros((self.groups, self.systems))
        estimators, means, _ = self.per_group
        own = self.sums_of(self.group, self.design * residuals[:, None], self.groups)
        place = self.group * self.segments + self.segment
        of_segments: Floats = np.zeros((self.groups, self.segments))
        of_segments += np.bincount(place, residuals, of_segments.size).reshape(of_segments.shape)
        return _applied(estimators, own) - _applied(means, of_segments)


@dataclass(frozen=True, slots=True)
class Pooled:
    """The expected jackknife over G groups of judges, if ratings have variance, or judges' views of systems have.

    Attributes:
        by_rating: (G K, G K) the covariance of what groups add, if ratings are independent with variance 1.
        by_view: (G K, G K) likewise if each judge's view of each system is, and the same in all segments.
        contrasts: (K, views) the weight of each view in the effect of each system.
        squares: the sum of squares of the weights of ratings in the effects.
    """

    by_rating: Floats
    by_view: Floats
    contrasts: Floats
    squares: float


def _applied(estimators: Floats, values: Floats) -> Floats:
    """(m, K): each of m estimators, or the only one, (K, P), times its (P,) values."""
    if len(estimators) == 1:
        return values @ estimators[0].T
    return np.matmul(estimators, values[:, :, None])[:, :, 0]


def _centred(rows: Floats) -> Floats:
    return rows - rows.mean(axis=0)


def _inverse(products: Floats) -> tuple[Floats, Floats]:
    """A generalised inverse of a matrix of products, and a basis of what it maps to 0, (P, dimensions)."""
    sizes = products.diagonal()
    root = 1 / np.sqrt(np.where(sizes > NOISE, sizes, 1.0))
    values, vectors = np.linalg.eigh(products * root * root[:, None])
    kept = values > NOISE
    scaled = vectors * root[:, None]
    return (scaled[:, kept] / values[kept]) @ scaled[:, kept].T, scaled[:, ~kept]


def _classes(null: Floats) -> Integers:
    """(K,) numbers from 0: rows that are equal, so that no change of the solution tells them apart, share a number."""
    found = np.full(len(null), -1, np.int64)
    scale = max(float(np.abs(null).max(initial=0.0)), NOISE)
    number = 0
    for row in range(len(null)):
        if found[row] < 0:
            same = np.abs(null - null[row]).max(axis=1, initial=0.0) <= np.sqrt(NOISE) * scale
            found[same & (found < 0)] = number
            number += 1
    return found


def _grouped(judge: Integers, judges: int, groups: int) -> Integers:
    """(n,) the group of each rating's judge: the judge, or one of some groups with about as many ratings."""
    if judges <= groups:
        return judge
    counts = np.bincount(judge, minlength=judges)
    group, sizes = np.empty(judges, np.int64), np.zeros(groups)
    for one in np.argsort(-counts, kind="stable"):
        smallest = int(np.argmin(sizes))
        group[one] = smallest
        sizes[smallest] += counts[one]
    return group[judge]
