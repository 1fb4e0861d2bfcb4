"""Variance components of ratings: systems, segments, judges and residual."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits  # pyright: ignore[reportMissingTypeStubs] # it has none

from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import Judgments, plural
from bleu_core.fields import REASON, field, result
from bleu_core.judges.ratings import judge_ratings

#: Eigenvalues, and fractions of sums of squares, below this are rounding errors.
ROUNDING_TOLERANCE = 1e-9
MIN_LEVELS = 2
#: Maximum number of levels of all factors except the largest; time grows with its third power, to some ten seconds.
MAX_LEVELS = 2000


@result
class VarianceComponent:
    """A component of the variance.

    Attributes:
        name: "system", "segment", "judge" or "residual".
        levels: number of systems, segments or judges; of the residual, the degrees of freedom.
        estimate: unbiased estimate of the variance, in squared units of the ratings, which can be negative; NaN if it
            is undefined.
        share: fraction of the sum of all components, with negative ones set to 0; NaN if it is undefined.
        note: how a negative estimate was treated; empty if the estimate is not negative.
    """

    name: str = field("text", "Component of the variance.", key="source")
    levels: int = field("count", "Number of systems, segments or judges.")
    estimate: float = field("number", "Estimated variance.", key="variance")
    share: float = field("fraction", "Share of the variance of a single rating.")
    note: str = field(REASON, default="", key="reason")


@dataclass(frozen=True, slots=True)
class VarianceComponents:
    """The components of the variance of a rating.

    Attributes:
        components: the factors, then the residual; their shares sum to 1.
        ratings: number of ratings used.
        reason: why the shares are undefined; empty if they are defined.
    """

    components: tuple[VarianceComponent, ...]
    ratings: int
    reason: str = ""

    @property
    def shares(self) -> Mapping[str, float]:
        """The share of each component, a fraction."""
        return {component.name: component.share for component in self.components}


def judge_variance(judgments: Judgments) -> VarianceComponents:
    """Return the shares of system, segment and judge in the variance of one judge's rating of one item.

    A judge's repeated ratings of an item are averaged first; ratings without a segment are ignored. The residual
    contains the interactions of judges with systems and segments, and of systems with segments, and the error. (With K
    systems, 1 / K of the interaction of systems and segments is counted with the segments.)
    """
    ratings = judge_ratings(judgments)
    has_segment = ratings.segment >= 0
    factors = {"system": ratings.system, "segment": ratings.segment, "judge": ratings.judge}
    components = variance_components(
        {name: codes[has_segment] for name, codes in factors.items()}, ratings.ratings[has_segment]
    )
    return (
        replace(components, reason="no rating refers to a segment")
        if len(has_segment) and not has_segment.any()
        else components
    )


def variance_components(factors: Mapping[str, Integers], ratings: Floats) -> VarianceComponents:
    """Estimate the components of a random-effects model with main effects, from balanced or unbalanced data.

    Henderson's method 3 (fitting constants), each factor fitted after all others: its additional sum of squares is set
    equal to its expectation, which contains only its own component and the residual; the residual is that of the
    least-squares fit of all factors. The estimates are unbiased without normality, and for balanced crossed data they
    are those of the analysis of variance. The assignment of judges must not depend on the ratings.

    Args:
        factors: name -> (n,) level of each rating; any numbers.
        ratings: (n,) without NaN.

    Source:
        Henderson (1953), Estimation of variance and covariance components; Searle, Casella and McCulloch (1992),
        Variance Components, section 5.5.
    """
    coded = {name: np.unique(codes, return_inverse=True)[1] for name, codes in factors.items()}
    levels = {name: int(codes.max(initial=-1)) + 1 for name, codes in coded.items()}
    for name, count in levels.items():
        if count < MIN_LEVELS:
            return _undefined(levels, len(ratings), f"{count} {plural(count, name)}, at least {MIN_LEVELS} needed")
    largest = max(levels, key=lambda name: levels[name])
    fitted = sum(levels.values()) - levels[largest]
    if fitted > MAX_LEVELS:
        others = " and ".join(plural(2, name) for name in levels if name != largest)
        return _undefined(levels, len(ratings), f"{fitted:,} {others} found, at most {MAX_LEVELS:,} can be fitted")
    spread = float(np.ptp(ratings))
    if spread == 0:
        return _undefined(levels, len(ratings), "all ratings are equal")
    with threadpool_limits(1, user_api="blas"):  # more threads slow it down on a busy machine
        fit = _Fit.of(coded, levels, (ratings - ratings.mean()) / spread)
        if fit.degrees < 1:
            return _undefined(levels, len(ratings), "too few ratings to separate the residual from the effects")
        added = {name: fit.added_by(name) for name in coded}
    residual = fit.squares / fit.degrees
    estimates: dict[str, float] = {}
    for name, (squares, rank, coefficient) in added.items():
        if rank < 1:
            others = " and ".join(other for other in coded if other != name)
            return _undefined(
                levels,
                len(ratings),
                f"{name} cannot be separated from {others}, because they do not vary independently",
            )
        estimates[name] = (squares - rank * residual) / coefficient
    estimates["residual"] = residual
    return _shares({**levels, "residual": fit.degrees}, estimates, spread**2, len(ratings))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Fit:
    """Least-squares fit of all factors, with the largest one absorbed, so that only small matrices are solved.

    Attributes:
        absorbed: the factor with the most levels.
        blocks: columns of each other factor, P in all.
        within: (P, P) cross products of the other factors' columns, centred within the absorbed levels.
        crossed: (P, P) cross products without centring.
        shared: (P, P) products of the counts per absorbed level, summed over levels.
        right, right_crossed: (P,) products with the ratings, with and without centring.
        explained, rank: additional sum of squares of the other factors after the absorbed one, and their rank.
        squares, degrees: residual sum of squares, and its degrees of freedom.
        total: sum of squares of the ratings; n: their number.
    """

    absorbed: str
    blocks: Mapping[str, slice]
    within: Floats
    crossed: Floats
    shared: Floats
    right: Floats
    right_crossed: Floats
    explained: float
    rank: int
    squares: float
    degrees: int
    total: float
    n: int

    @classmethod
    def of(cls, coded: Mapping[str, Integers], levels: Mapping[str, int], ratings: Floats) -> _Fit:
        from scipy import sparse  # loaded when first needed: scoring does without

        n, ones = len(ratings), np.ones(len(ratings))
        absorbed = max(levels, key=lambda name: levels[name])
        others = [name for name in coded if name != absorbed]
        ends = np.cumsum([0, *(levels[name] for name in others)])
        blocks = {name: slice(int(ends[i]), int(ends[i + 1])) for i, name in enumerate(others)}
        columns = np.concatenate([coded[name] + blocks[name].start for name in others])
        rows = np.tile(np.arange(n), len(others))
        design: Any = sparse.csr_array((np.tile(ones, len(others)), (rows, columns)), shape=(n, int(ends[-1])))
        level: Any = sparse.csr_array((ones, (np.arange(n), coded[absorbed])), shape=(n, levels[absorbed]))
        counts = level.T @ design
        size = np.bincount(coded[absorbed])
        means = np.bincount(coded[absorbed], ratings) / size
        centred = ratings - means[coded[absorbed]]
        crossed = (design.T @ design).toarray()
        within = crossed - (counts.T @ (counts / size[:, None])).toarray()
        right = design.T @ centred
        explained, rank, _ = _fitted(within, right, crossed.diagonal())
        squares = float(centred @ centred) - explained
        total = float(ratings @ ratings)
        return cls(
            absorbed=absorbed,
            blocks=blocks,
            within=within,
            crossed=crossed,
            shared=(counts.T @ counts).toarray(),
            right=right,
            right_crossed=design.T @ ratings,
            explained=explained,
            rank=rank,
            squares=squares if squares > ROUNDING_TOLERANCE * total else 0.0,
            degrees=n - levels[absorbed] - rank,
            total=total,
            n=n,
        )

    def added_by(self, name: str) -> tuple[float, int, float]:
        """Return a factor's additional sum of squares, its degrees of freedom, and the coefficient of its variance.

        The coefficient is the trace of Z'MZ, where Z are the factor's columns and M projects out all other factors.
        """
        sizes = self.crossed.diagonal()
        if name == self.absorbed:
            explained, rank, inverse = _fitted(self.crossed, self.right_crossed, sizes)
            added = self.total - explained - self.squares
            coefficient = self.n - float((inverse * self.shared).sum())
            return added, self.n - rank - self.degrees, coefficient
        columns = self.blocks[name]
        other_columns = np.ones(len(self.right), bool)
        other_columns[columns] = False
        explained, rank, inverse = _fitted(
            self.within[np.ix_(other_columns, other_columns)], self.right[other_columns], sizes[other_columns]
        )
        cross_products = self.within[columns][:, other_columns]
        coefficient = float(np.trace(self.within[columns, columns])) - float(
            (cross_products @ inverse * cross_products).sum()
        )
        return self.explained - explained, self.rank - rank, coefficient


def _fitted(products: Floats, right: Floats, sizes: Floats) -> tuple[float, int, Floats]:
    """Return the explained sum of squares b'A⁻b, the rank of A, and a generalised inverse A⁻.

    Scaled by the number of ratings of each level, A has eigenvalues of order 1, and rounding errors in place of 0.
    """
    root = 1 / np.sqrt(sizes)
    values, vectors = np.linalg.eigh(products * root * root[:, None])
    is_nonzero = values > ROUNDING_TOLERANCE
    vectors = vectors[:, is_nonzero] * root[:, None]
    inverse = (vectors / values[is_nonzero]) @ vectors.T
    return float(right @ inverse @ right), int(is_nonzero.sum()), inverse


def _shares(levels: Mapping[str, int], estimates: Mapping[str, float], unit: float, n: int) -> VarianceComponents:
    # Estimates are in units of the ratings' range.
    nonnegative = {name: estimate if estimate > ROUNDING_TOLERANCE else 0.0 for name, estimate in estimates.items()}
    total = sum(nonnegative.values())
    if not total:
        return _undefined(levels, n, "the ratings vary only between parts that share no system, segment or judge")
    components = tuple(
        VarianceComponent(
            name=name,
            levels=levels[name],
            estimate=estimate * unit,
            share=nonnegative[name] / total,
            note="the estimate was negative and is set to 0" if estimate < -ROUNDING_TOLERANCE else "",
        )
        for name, estimate in estimates.items()
    )
    return VarianceComponents(components, n)


def _undefined(levels: Mapping[str, int], n: int, reason: str) -> VarianceComponents:
    names = (*(name for name in levels if name != "residual"), "residual")
    components = (
        VarianceComponent(name=name, levels=levels.get(name, 0), estimate=math.nan, share=math.nan) for name in names
    )
    return VarianceComponents(tuple(components), n, reason)
