"""Shares of the variance of ratings that are due to systems, segments and judges."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits  # pyright: ignore[reportMissingTypeStubs] # it has none

from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import Judgments, plural
from bleu_core.judges.ratings import judge_ratings

#: Eigenvalues below this, and sums of squares below this part of the whole, are float noise.
NOISE = 1e-9
MIN_LEVELS = 2
#: Levels of all factors but the largest: time grows with their third power, to some ten seconds.
MAX_LEVELS = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceComponent:
    """One source of the variance.

    Attributes:
        name: "system", "segment", "judge" or "residual".
        levels: how many systems, segments or judges there are; degrees of freedom of the residual.
        estimate: of its variance, in squared units of the ratings; unbiased, so that it can be negative; NaN where
            it is undefined.
        share: of the sum of all components, a negative one counted as 0; a fraction, NaN where it is undefined.
        note: what was done about a negative estimate, else empty.
    """

    name: str
    levels: int
    estimate: float
    share: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class VarianceComponents:
    """The variance of a rating, divided into components.

    Attributes:
        components: the factors, and the residual at the end; their shares sum to 1.
        ratings: how many it rests on.
        reason: why the shares are undefined, else empty.
    """

    components: tuple[VarianceComponent, ...]
    ratings: int
    reason: str = ""

    @property
    def shares(self) -> Mapping[str, float]:
        """The share of each component, a fraction."""
        return {component.name: component.share for component in self.components}


def judge_variance(judgments: Judgments) -> VarianceComponents:
    """The shares of system, segment and judge in the variance of one judge's rating of one item.

    A judge's repeated ratings of an item are averaged first; ratings of no segment are left out. The residual is all
    the rest: what is particular to a judge's view of a system or a segment, to a system's text of a segment, and
    chance. (Of what is particular to a system's text of a segment, a part 1 / K goes with the segments, K systems.)
    """
    ratings = judge_ratings(judgments)
    kept = ratings.segment >= 0
    factors = {"system": ratings.system, "segment": ratings.segment, "judge": ratings.judge}
    found = variance_components({name: codes[kept] for name, codes in factors.items()}, ratings.ratings[kept])
    return replace(found, reason="no rating refers to a segment") if len(kept) and not kept.any() else found


def variance_components(factors: Mapping[str, Integers], ratings: Floats) -> VarianceComponents:
    """Estimate the components of a random model of main effects, whatever the numbers of ratings.

    Henderson's method 3 (fitting constants), each factor fitted after all others: what it adds to the sum of squares
    is set equal to its expectation, which holds no component but its own and the residual's; the residual is that of
    the least-squares fit of all. Unbiased without any assumption of normality, and for balanced crossed data the
    estimates of the textbook's analysis of variance. Which judge rated what must not depend on the ratings.

    Args:
        factors: by name, (n,) the level of each rating; any numbers.
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
    with threadpool_limits(1, user_api="blas"):  # on a busy machine more threads give nothing but trouble
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fit:
    """Least squares of all factors, the one with the most levels absorbed: only small matrices are solved.

    Attributes:
        absorbed: the factor with the most levels, L of them.
        blocks: where each other factor has its P columns.
        within: (P, P) cross products of the other factors' columns, each around the means of the absorbed levels.
        crossed: (P, P) the same around nothing.
        shared: (P, P) products of the counts, level by level of the absorbed factor, summed.
        right, right_crossed: (P,) products with the ratings, around those means and around nothing.
        explained, rank: what the other factors add to the absorbed one's sum of squares, and their columns' rank.
        squares, degrees: residual sum of squares, and its degrees of freedom.
        total: sum of squares of the ratings; n: how many there are.
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
            squares=squares if squares > NOISE * total else 0.0,
            degrees=n - levels[absorbed] - rank,
            total=total,
            n=n,
        )

    def added_by(self, name: str) -> tuple[float, int, float]:
        """What a factor adds to the others' sum of squares, its degrees of freedom, its variance's coefficient.

        The coefficient is the trace of Z'MZ: Z are the factor's columns, M takes away what the others explain.
        """
        sizes = self.crossed.diagonal()
        if name == self.absorbed:
            explained, rank, inverse = _fitted(self.crossed, self.right_crossed, sizes)
            added = self.total - explained - self.squares
            coefficient = self.n - float((inverse * self.shared).sum())
            return added, self.n - rank - self.degrees, coefficient
        own = self.blocks[name]
        rest = np.ones(len(self.right), bool)
        rest[own] = False
        explained, rank, inverse = _fitted(self.within[np.ix_(rest, rest)], self.right[rest], sizes[rest])
        across = self.within[own][:, rest]
        coefficient = float(np.trace(self.within[own, own])) - float((across @ inverse * across).sum())
        return self.explained - explained, self.rank - rank, coefficient


def _fitted(products: Floats, right: Floats, sizes: Floats) -> tuple[float, int, Floats]:
    """The sum of squares explained, b'A⁻b, the rank of A, and A⁻, a generalised inverse.

    Divided by how often each level was rated, A has eigenvalues of order 1 and float noise for those that are 0.
    """
    root = 1 / np.sqrt(sizes)
    values, vectors = np.linalg.eigh(products * root * root[:, None])
    kept = values > NOISE
    vectors = vectors[:, kept] * root[:, None]
    inverse = (vectors / values[kept]) @ vectors.T
    return float(right @ inverse @ right), int(kept.sum()), inverse


def _shares(levels: Mapping[str, int], estimates: Mapping[str, float], unit: float, n: int) -> VarianceComponents:
    # Estimates are on the scale of the ratings' range.
    counted = {name: estimate if estimate > NOISE else 0.0 for name, estimate in estimates.items()}
    whole = sum(counted.values())
    if not whole:
        return _undefined(levels, n, "the ratings vary only between parts that share no system, segment or judge")
    components = tuple(
        VarianceComponent(
            name=name,
            levels=levels[name],
            estimate=estimate * unit,
            share=counted[name] / whole,
            note="the estimate was negative and is set to 0" if estimate < -NOISE else "",
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
