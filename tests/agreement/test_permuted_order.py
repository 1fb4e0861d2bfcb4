"""Tau-b, pairwise accuracy and Spearman's r under swaps: the polynomial equals the plain way, trial by trial."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_core.agreement.permuted_order import swapped_order
from bleu_core.agreement.segment_agreement import row_coefficients


def plainly(scores: np.ndarray, human: np.ndarray, method: str) -> np.ndarray:
    """The mean coefficient over groups, a trial at a time."""
    found = [row_coefficients(trial, human, method) for trial in scores]  # type: ignore[arg-type]
    with np.errstate(invalid="ignore"):
        return np.array([np.nan if np.isnan(f).all() else np.nanmean(f) for f in found])


@given(
    seed=st.integers(0, 2**32 - 1),
    groups=st.integers(1, 6),
    size=st.integers(1, 9),
    missing=st.floats(0, 0.7),
)
@pytest.mark.parametrize("method", ["kendall", "spearman", "pairwise-accuracy"])
def test_counts_are_those_of_the_plain_way(method: str, seed: int, groups: int, size: int, missing: float) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(1, 9)
    a, b, h = (rng.integers(0, values, (groups, size)).astype(float) for _ in range(3))
    gone = rng.random((groups, size)) < missing
    for scores in (a, b, h):
        scores[gone] = np.nan
    swapped = rng.random((7, groups, size)) < 0.5
    prepared = swapped_order(a, b, h, method)  # type: ignore[arg-type]
    assert prepared is not None
    first = plainly(np.where(swapped, b, a), h, method)
    second = plainly(np.where(swapped, a, b), h, method)
    np.testing.assert_allclose(prepared.deltas(swapped), first - second, atol=1e-12)


@pytest.mark.parametrize("method", ["kendall", "spearman"])
def test_long_rows_are_counted_exactly(method: Literal["kendall", "spearman"]) -> None:
    rng = np.random.default_rng(5)
    a, b, h = (rng.normal(size=(2, 700)).round(2) for _ in range(3))
    swapped = rng.random((3, 2, 700)) < 0.5
    prepared = swapped_order(a, b, h, method)
    assert prepared is not None
    expected = plainly(np.where(swapped, b, a), h, method) - plainly(np.where(swapped, a, b), h, method)
    np.testing.assert_allclose(prepared.deltas(swapped), expected, atol=1e-12)


@pytest.mark.parametrize(("method", "entries"), [("spearman", 2001), ("kendall", 50_001)])
def test_too_many_pairs_are_left_to_the_plain_way(method: Literal["kendall", "spearman"], entries: int) -> None:
    scores = np.zeros((1, entries))
    assert swapped_order(scores, scores, scores, method) is None
