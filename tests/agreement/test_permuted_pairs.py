"""Tau-b and pairwise accuracy of long groups under swaps: the counts of points equal the plain way, trial by trial."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bleu_core.agreement import permuted_pairs
from bleu_core.agreement.permuted_pairs import counts_by_label, swapped_points
from bleu_core.agreement.segment_agreement import row_coefficients
from bleu_core.arrays import Floats

Method = Literal["kendall", "pairwise-accuracy"]


def by_definition(x: Floats, y: Floats, method: Method) -> float:
    """The coefficient, a pair at a time."""
    signs = [(np.sign(x[i] - x[j]), np.sign(y[i] - y[j])) for i, j in combinations(range(len(x)), 2)]
    if method == "pairwise-accuracy":
        return float(np.mean([u == v for u, v in signs])) if signs else math.nan
    untied = math.sqrt(sum(u != 0 for u, _ in signs) * sum(v != 0 for _, v in signs))
    return float(sum(u * v for u, v in signs) / untied) if untied else math.nan


@st.composite
def swapped_scores(draw: st.DrawFn) -> tuple[Floats, Floats, Floats, npt.NDArray[np.bool_]]:
    """Two metrics, ratings and swaps of one group; few or many ties, one frequent value, missing entries."""
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = draw(st.integers(1, 25))
    a, b, h = (generator.integers(0, draw(st.sampled_from([1, 2, 5, 100])), (1, size)).astype(float) for _ in range(3))
    for scores in (a, b, h):
        scores[generator.random((1, size)) < draw(st.sampled_from([0, 0.5]))] = 1
    missing = generator.random((1, size)) < draw(st.sampled_from([0, 0.4]))
    for scores in (a, b, h):
        scores[missing] = math.nan
    return a, b, h, generator.random((4, 1, size)) < 0.5


@given(scores=swapped_scores(), block=st.sampled_from([1, 2, 3, 8, 64]))
@pytest.mark.parametrize("method", get_args(Method))
def test_counts_are_those_of_the_definition_for_blocks_of_any_size(
    method: Method, scores: tuple[Floats, Floats, Floats, npt.NDArray[np.bool_]], block: int
) -> None:
    a, b, h, swapped = scores
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(permuted_pairs, "MIN_BLOCK", block)
        deltas = swapped_points(a, b, h, method).deltas(swapped)
    known = ~np.isnan(h[0])
    expected = [
        by_definition(np.where(swaps, b, a)[0, known], h[0, known], method)
        - by_definition(np.where(swaps, a, b)[0, known], h[0, known], method)
        for swaps in swapped
    ]
    np.testing.assert_allclose(deltas, expected, atol=1e-12)


def test_tau_is_that_of_scipy() -> None:
    generator = np.random.default_rng(7)
    a, b = (generator.normal(size=(1, 900)).round(decimals) for decimals in (1, 9))
    h = -generator.poisson(1.5, size=(1, 900)).astype(float)
    swapped = generator.random((5, 1, 900)) < 0.5
    expected = [
        stats.kendalltau(np.where(swaps, b, a)[0], h[0]).statistic
        - stats.kendalltau(np.where(swaps, a, b)[0], h[0]).statistic
        for swaps in swapped
    ]
    np.testing.assert_allclose(swapped_points(a, b, h, "kendall").deltas(swapped), expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("method", get_args(Method))
@pytest.mark.parametrize(("values", "entries"), [(2, 40_001), (30, 40_001), (10**9, 4_000)])
def test_counts_beyond_the_integers_of_float32_are_exact(method: Method, values: int, entries: int) -> None:
    # With two values of x and of y, two cells have 10,000 entries each, and so 1e8 pairs: more than 2**24.
    generator = np.random.default_rng(3)
    a, b, h = (generator.integers(0, n, (1, entries)).astype(float) for n in (values, values, 2))
    swapped = generator.random((2, 1, entries)) < 0.5
    expected = [
        row_coefficients(np.where(swaps, b, a), h, method) - row_coefficients(np.where(swaps, a, b), h, method)
        for swaps in swapped
    ]
    assert swapped_points(a, b, h, method).deltas(swapped).tolist() == np.ravel(expected).tolist()


def test_groups_are_averaged_and_those_without_a_pair_are_left_out() -> None:
    generator = np.random.default_rng(5)
    a, b, h = (generator.integers(0, 9, (4, 30)).astype(float) for _ in range(3))
    for scores in (a, b, h):
        scores[2, 1:] = scores[3] = math.nan
    swapped = generator.random((3, 4, 30)) < 0.5
    deltas = [swapped_points(a[rows], b[rows], h[rows], "kendall").deltas(swapped[:, rows]) for rows in ([0], [1])]
    found = swapped_points(a, b, h, "kendall").deltas(swapped)
    np.testing.assert_allclose(found, np.mean(deltas, axis=0), atol=1e-15)
    assert np.isnan(swapped_points(a[2:], b[2:], h[2:], "kendall").deltas(swapped[:, 2:])).all()


def test_points_are_counted_by_label() -> None:
    members = np.array([[1, 0], [1, 1], [0, 1]], np.uint8)
    assert counts_by_label(np.array([2, 0, 2]), 3, members).tolist() == [[1, 1], [0, 0], [1, 1]]
