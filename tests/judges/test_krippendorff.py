"""Krippendorff's alpha against published examples and its definition."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_core.inference import percentile_interval
from bleu_core.judges.krippendorff import Metric, alpha

METRICS: tuple[Metric, ...] = ("interval", "ordinal", "nominal")
Table = list[list[int | None]]

# Krippendorff (2011), section C: four observers, twelve units, a column a unit.
KRIPPENDORFF_2011 = """
1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .
"""
# Hayes and Krippendorff (2007), table 1: forty articles, five observers, a column an article.
HAYES_KRIPPENDORFF_2007 = """
1 1 2 . 0 0 1 1 2 2 . 0 1 3 1 1 2 1 1 0 0 0 2 0 1 0 0 1 1 1 1 2 2 3 2 2 2 2 2 1
1 1 3 0 0 0 0 . 2 1 1 0 2 3 1 1 1 2 1 0 0 0 3 0 2 1 0 2 1 1 1 1 2 2 2 2 2 2 2 1
2 0 3 0 0 0 2 2 2 1 0 0 2 2 1 1 2 3 0 0 1 . 3 0 . 1 0 1 2 2 0 2 . 2 2 3 2 . 2 1
. 1 3 . . . . 0 . 1 0 0 2 2 . . . 3 1 . 1 0 3 0 2 1 1 2 2 . . 1 2 2 . . . 1 2 .
2 . . 0 0 0 1 . 2 . . . . 3 1 1 2 . . 0 . 0 . . 2 . 0 . . 2 0 . 2 . 2 2 2 2 . 1
"""


def units(text: str) -> Table:
    """The ratings of each unit."""
    observers = [line.split() for line in text.split("\n") if line]
    return [[None if cell == "." else int(cell) for cell in unit] for unit in zip(*observers, strict=True)]


def flat(table: Table) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    cells = [(u, math.nan if value is None else value) for u, unit in enumerate(table) for value in unit]
    return np.array([u for u, _ in cells], np.int64), np.array([value for _, value in cells], np.float64)


def by_definition(table: Table, metric: Metric) -> Fraction | None:
    """Every pair of ratings, in exact arithmetic; None where nothing varies or no unit has two ratings."""
    given_units = [[v for v in unit if v is not None] for unit in table]
    given_units = [unit for unit in given_units if len(unit) > 1]
    values = [v for unit in given_units for v in unit]
    n = len(values)

    def squared(c: int, k: int) -> Fraction:
        if metric == "nominal":
            return Fraction(c != k)
        if metric == "interval":
            return Fraction((c - k) ** 2)
        # The sum of how often each value between c and k was given, less half of both ends.
        between = sum(min(c, k) <= v <= max(c, k) for v in values)
        return (between - Fraction(values.count(c) + values.count(k), 2)) ** 2

    expected = sum((squared(c, k) for c, k in permutations(values, 2)), Fraction(0))
    if len(given_units) < 2 or not expected:
        return None
    observed = sum(
        (sum((squared(c, k) for c, k in permutations(unit, 2)), Fraction(0)) / (len(unit) - 1) for unit in given_units),
        Fraction(0),
    )
    return 1 - (n - 1) * observed / expected


@pytest.mark.parametrize(("metric", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_krippendorffs_example_is_reproduced(metric: Metric, published: float) -> None:
    table = units(KRIPPENDORFF_2011)
    found = alpha(*flat(table), metric)
    exact = by_definition(table, metric)
    assert exact is not None
    assert found.coefficient == pytest.approx(float(exact), abs=1e-14)
    assert round(found.coefficient, 3) == published
    # Unit 12 has a single rating; 41 ratings are left less that one.
    assert (found.items, found.ratings, found.rated_once) == (11, 40, 1)


def test_nominal_disagreement_by_hand() -> None:
    # Krippendorff (2011): of 40 pairable values 9, 13, 10, 5, 3 are 1 to 5. Coincidences off the diagonal sum to 8:
    # D_o = 8 / 40, and D_e = (40**2 - (81 + 169 + 100 + 25 + 9)) / (40 * 39).
    found = alpha(*flat(units(KRIPPENDORFF_2011)), "nominal")
    assert found.observed == pytest.approx(8 / 40)
    assert found.expected == pytest.approx((1600 - 384) / (40 * 39))
    assert found.coefficient == pytest.approx(1 - 8 / 40 * (40 * 39) / 1216)


@pytest.mark.parametrize(("metric", "digits", "published"), [("ordinal", 4, 0.7598), ("interval", 3, 0.757)])
def test_hayess_and_krippendorffs_example_is_reproduced(metric: Metric, digits: int, published: float) -> None:
    # The paper prints the ordinal one; the interval one is of Grill's krippendorff_alpha.py.
    table = units(HAYES_KRIPPENDORFF_2007)
    found = alpha(*flat(table), metric)
    exact = by_definition(table, metric)
    assert exact is not None
    assert found.coefficient == pytest.approx(float(exact), abs=1e-14)
    assert round(found.coefficient, digits) == published
    assert found.items == 40
    assert found.interval.low < found.coefficient < found.interval.high


TABLES: st.SearchStrategy[Table] = st.lists(
    st.lists(st.none() | st.integers(-3, 4), min_size=0, max_size=5), min_size=1, max_size=8
)


@given(TABLES, st.sampled_from(METRICS))
def test_alpha_is_its_definition_over_all_pairs(table: Table, metric: Metric) -> None:
    found = alpha(*flat(table), metric, resamples=0)
    exact = by_definition(table, metric)
    if exact is None:
        assert math.isnan(found.coefficient)
        assert found.reason
    else:
        assert found.coefficient == pytest.approx(float(exact), abs=1e-12)
        assert found.reason == ""
        assert found.coefficient == pytest.approx(1 - found.observed / found.expected, abs=1e-12)


@given(TABLES, st.sampled_from(METRICS), st.integers(0, 99))
def test_the_order_of_ratings_does_not_matter(table: Table, metric: Metric, seed: int) -> None:
    items, ratings = flat(table)
    order = np.random.default_rng(seed).permutation(len(items))
    first, second = (alpha(i, r, metric, resamples=20) for i, r in ((items, ratings), (items[order], ratings[order])))
    assert repr(first) == repr(second)  # NaN equals NaN


@given(TABLES)
def test_interval_alpha_has_no_unit_and_ordinal_alpha_only_ranks(table: Table) -> None:
    items, ratings = flat(table)
    cases: list[tuple[Metric, npt.NDArray[np.float64]]] = [
        ("interval", ratings * 1e90 - 3e90),
        ("ordinal", np.exp(ratings)),
    ]
    for metric, changed in cases:
        before, after = alpha(items, ratings, metric, resamples=0), alpha(items, changed, metric, resamples=0)
        assert after.coefficient == pytest.approx(before.coefficient, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("metric", METRICS)
def test_perfect_agreement_is_exactly_1(metric: Metric) -> None:
    items = np.repeat(np.arange(9), 3)
    found = alpha(items, items / 7, metric)
    assert found.coefficient == 1
    assert (found.interval.low, found.interval.high) == (1, 1)


@pytest.mark.parametrize("metric", METRICS)
def test_chance_agreement_is_near_0_and_inside_the_interval(metric: Metric) -> None:
    items = np.repeat(np.arange(400), 4)
    found = alpha(items, np.random.default_rng(3).integers(1, 6, 1600).astype(np.float64), metric)
    assert abs(found.coefficient) < 0.05
    assert found.interval.low < 0 < found.interval.high


@pytest.mark.parametrize("metric", METRICS)
def test_the_interval_is_that_of_alphas_of_drawn_items(metric: Metric) -> None:
    table = units(KRIPPENDORFF_2011)[:11]
    found = alpha(*flat(table), metric, resamples=20, seed=7)
    draws = np.random.default_rng(7).integers(0, 11, (20, 11))
    alphas = [by_definition([table[u] for u in draw], metric) for draw in draws]
    known = np.array([float(a) for a in alphas if a is not None])
    wanted = percentile_interval(known, expanded_for=11)
    assert (found.interval.low, found.interval.high) == (pytest.approx(wanted.low), pytest.approx(wanted.high))


def test_the_seed_fixes_the_interval() -> None:
    data = flat(units(HAYES_KRIPPENDORFF_2007))
    assert alpha(*data, seed=1).interval == alpha(*data, seed=1).interval
    assert alpha(*data, seed=1).interval != alpha(*data, seed=2).interval


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([], "0 items with two ratings or more, at least 2 needed"),
        ([[None, None], [None]], "0 items with two ratings or more, at least 2 needed"),
        ([[1], [2], [3]], "0 items with two ratings or more, at least 2 needed"),
        ([[1, 2, 3], [2]], "1 item with two ratings or more, at least 2 needed"),
        ([[2, 2], [2, 2, 2], [5]], "all ratings are equal"),
    ],
)
def test_without_variation_or_shared_items_there_is_no_alpha(metric: Metric, table: Table, reason: str) -> None:
    found = alpha(*flat(table), metric)
    assert math.isnan(found.coefficient)
    assert math.isnan(found.interval.low)
    assert math.isnan(found.observed)
    assert found.reason == reason


def test_ratings_that_differ_by_float_noise_are_equal() -> None:
    items = np.repeat(np.arange(3), 2)
    assert alpha(items, np.array([0.3, 0.1 + 0.2] * 3)).reason == "all ratings are equal"
