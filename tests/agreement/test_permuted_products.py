"""Pearson's r under swaps: sums that are linear in the swaps equal the plain way, trial by trial."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_core.agreement.permuted_products import swapped_products
from bleu_core.agreement.segment_agreement import row_coefficients
from bleu_core.inference import DECIMALS


def plainly(scores: np.ndarray, human: np.ndarray) -> np.ndarray:
    """The mean coefficient over groups, a trial at a time."""
    found = [row_coefficients(trial, human, "pearson") for trial in scores]
    return np.array([np.nan if np.isnan(f).all() else np.nanmean(f) for f in found])


def check(a: np.ndarray, b: np.ndarray, h: np.ndarray, swapped: np.ndarray, tolerance: float = 1e-12) -> None:
    expected = plainly(np.where(swapped, b, a), h) - plainly(np.where(swapped, a, b), h)
    np.testing.assert_allclose(swapped_products(a, b, h).deltas(swapped), expected, atol=tolerance)


@given(
    seed=st.integers(0, 2**32 - 1),
    groups=st.integers(1, 6),
    size=st.integers(1, 9),
    missing=st.floats(0, 0.7),
    tied=st.booleans(),
    far=st.sampled_from([0, 1e3, 1e6]),
)
def test_coefficients_are_those_of_the_plain_way(
    seed: int, groups: int, size: int, missing: float, far: float, *, tied: bool
) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(1, 5)
    a, b, h = (
        rng.integers(0, values, (groups, size)).astype(float) if tied else rng.normal(size=(groups, size)).round(6)
        for _ in range(3)
    )
    a, b = a + far, b + far  # a distant mean takes digits, which the plain way loses, too
    gone = rng.random((groups, size)) < missing
    for scores in (a, b, h):
        scores[gone] = np.nan
    check(a, b, h=h, swapped=rng.random((7, groups, size)) < 0.5, tolerance=1e-12 if far < 1e6 else 1e-9)


@pytest.mark.parametrize("near", [0, 1e-8, 1e-6, 1e-3])
def test_scores_that_hardly_differ_keep_their_digits(near: float) -> None:
    # Where all are swapped one way the row is nearly constant, and no digit of a difference of squares is right.
    rng = np.random.default_rng(3)
    a, b, h = 5 + near * rng.normal(size=(1, 6)), rng.normal(size=(1, 6)), rng.normal(size=(1, 6))
    swapped = np.array([[[n >= k for n in range(6)]] for k in range(7)])
    check(a.round(DECIMALS), b.round(DECIMALS), h=h.round(DECIMALS), swapped=swapped, tolerance=1e-11)


def test_a_row_without_a_coefficient_counts_for_nothing() -> None:
    a, b = np.array([[1.0, 1, 1], [1, 2, 4]]), np.array([[2.0, 2, 2], [3, 1, 2]])
    h = np.array([[1.0, 2, 3], [2, 2, 3]])
    swapped = np.zeros((1, 2, 3), np.bool_)
    check(a, b, h, swapped)
    check(a[:1], b[:1], h[:1], swapped[:, :1])
    assert np.isnan(swapped_products(a[:1], b[:1], h[:1]).deltas(swapped[:, :1])).all()
