"""The line through log precision over the order of n-gram."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_core.dataset import Corpus
from bleu_core.scoring import Bleu, BleuSettings, Decay, evaluate, fit_decay


def scores(*precisions: list[float], unmatched: tuple[int, ...] = ()) -> Bleu:
    """BLEU of systems with these precisions; only what the fit reads is filled in."""
    table = np.array(precisions)
    matches = (table > 0).astype(np.int64)
    for order in unmatched:
        matches[:, order - 1] = 0
    zeros = np.zeros(len(table))
    return Bleu(
        score=zeros,
        precisions=table,
        brevity_penalty=zeros,
        hypothesis_length=zeros,
        reference_length=zeros,
        matches=matches,
        totals=np.ones_like(matches),
    )


def fit(*precisions: float, unmatched: tuple[int, ...] = ()) -> Decay:
    (found,) = fit_decay(scores(list(precisions), unmatched=unmatched))
    return found


@given(st.floats(0.05, 0.95), st.floats(0.05, 1), st.integers(3, 9))
def test_exactly_exponential_precisions_lie_on_the_line(kept: float, first: float, orders: int) -> None:
    found = fit(*(first * kept**n for n in range(orders)))
    assert found.r_squared == pytest.approx(1)
    assert found.rate == pytest.approx(math.log(kept))
    assert found.retention == pytest.approx(kept)
    assert found.intercept == pytest.approx(math.log(first / kept), abs=1e-9)
    assert found.orders == tuple(range(1, orders + 1))
    assert found.reason == ""


@given(st.lists(st.floats(0.001, 1), min_size=3, max_size=9).filter(lambda p: np.ptp(np.log(p)) > 1e-6))
def test_the_line_equals_numpys(precisions: list[float]) -> None:
    found = fit(*precisions)
    orders, logs = np.arange(1, len(precisions) + 1), np.log(precisions)
    slope, intercept = np.polyfit(orders, logs, 1)
    assert found.rate == pytest.approx(slope, rel=1e-9, abs=1e-12)
    assert found.intercept == pytest.approx(intercept, rel=1e-9, abs=1e-12)
    # In a simple regression the share of variance is the square of the correlation.
    assert found.r_squared == pytest.approx(np.corrcoef(orders, logs)[0, 1] ** 2, rel=1e-6, abs=1e-9)


def test_the_line_by_hand() -> None:
    # log p = 0, -1, -1, -2 at n = 1..4: slope -0.6, mean -1 at 2.5, so the intercept is 0.5.
    # The line is at -0.1, -0.7, -1.3, -1.9; residuals .1, -.3, .3, -.1 sum to 0.2 squared, of a spread of 2.
    found = fit(1.0, math.exp(-1), math.exp(-1), math.exp(-2))
    assert (found.rate, found.intercept) == (pytest.approx(-0.6), pytest.approx(0.5))
    assert found.r_squared == pytest.approx(0.9)
    np.testing.assert_allclose(found.at(np.array([1.0, 2.5])), np.exp([-0.1, -1.0]))


def test_orders_without_a_match_are_left_out() -> None:
    found = fit(0.8, 0.4, 0.2, 0.05, unmatched=(4,))
    assert found.orders == (1, 2, 3)
    assert found.rate == pytest.approx(math.log(0.5))
    assert found.r_squared == pytest.approx(1)


def test_any_line_fits_two_orders() -> None:
    found = fit(0.8, 0.4, 0.1, 0.1, unmatched=(3, 4))
    assert found.orders == (1, 2)
    assert found.rate == pytest.approx(math.log(0.5))
    assert math.isnan(found.r_squared)
    assert found.reason == ""


@pytest.mark.parametrize(("unmatched", "orders"), [((2, 3, 4), (1,)), ((1, 2, 3, 4), ())])
def test_fewer_than_two_orders_make_no_line(unmatched: tuple[int, ...], orders: tuple[int, ...]) -> None:
    found = fit(0.8, 0.4, 0.2, 0.1, unmatched=unmatched)
    assert found.orders == orders
    assert all(map(math.isnan, (found.rate, found.intercept, found.r_squared, found.retention)))
    assert f"{len(orders)} order" in found.reason
    assert "at least 2" in found.reason


def test_constant_precisions_do_not_decay() -> None:
    found = fit(0.5, 0.5, 0.5, 0.5)
    assert found.rate == pytest.approx(0, abs=1e-12)
    assert found.retention == pytest.approx(1)
    assert math.isnan(found.r_squared)


def test_each_system_has_its_fit() -> None:
    found = fit_decay(scores([0.8, 0.4, 0.2], [0.9, 0.3, 0.1]))
    assert [decay.retention for decay in found] == pytest.approx([0.5, 1 / 3])


def test_identical_text_keeps_all_its_precision() -> None:
    text = ("a b c d e f",)
    (found,) = fit_decay(evaluate(Corpus({"A": text}, {"R": text}), BleuSettings(tokenizer="none")).scores)
    assert found.retention == pytest.approx(1)


def test_smoothed_orders_are_not_fitted() -> None:
    # 4 of 5 words and 2 of 4 bigrams match, no trigram: exp smoothing would add two made-up precisions.
    corpus = Corpus({"A": ("a b x c d",)}, {"R": ("a b y c d",)})
    (found,) = fit_decay(evaluate(corpus, BleuSettings(tokenizer="none")).scores)
    assert found.orders == (1, 2)
    assert found.retention == pytest.approx(0.5 / 0.8)
