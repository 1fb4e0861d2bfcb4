"""How often do prediction intervals cover, and equal systems differ over test sets? Slow: a minute of simulations.

    python -m pytest -m slow -s tests/collection/test_prediction_calibration.py

prints what docs/test-sets.md reports. True differences of test sets are normal around a mean, and observed ones normal
around these with known standard errors. Whether an interval covers the difference on a new set is not drawn: the
probability is computed for each run. Seeds were chosen once; nothing was tuned to pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import numpy as np
import pytest
from null_pairs import within
from printed import Printed, printed_at_the_end
from scipy import stats

from bleu_core.arrays import Floats
from bleu_core.collection import PREDICTION_COVERAGE, TRUE_PREDICTION_COVERAGE
from bleu_core.collection.meta_analysis import Estimates
from bleu_core.inference import CONFIDENCE

pytestmark = pytest.mark.slow

RUNS, NULL_RUNS, BATCH, SEED = 2000, 20_000, 250, 5

#: Standard deviation of true differences, in median standard errors.
HETEROGENEITY = (0.0, 0.5, 1.0, 3.0)

#: Lowest coverage of the observed difference that is acceptable, in per cent.
MIN_COVERAGE = 93

Errors = Literal["equal", "unequal"]


@pytest.fixture(scope="module")
def printed() -> Iterator[Printed]:
    with printed_at_the_end(decimals=1) as tables:
        yield tables


def errors_of(number: int, errors: Errors) -> Floats:
    """Errors of 1, or from 0.58 to 1.73 at equal ratios, the largest 3 times the smallest, with a median of about 1."""
    return np.ones(number) if errors == "equal" else 3 ** np.linspace(-0.5, 0.5, number)


def simulated(number: int, errors: Errors, tau: float, runs: int) -> Iterator[Estimates]:
    """Meta-analyses of systems whose mean difference is 0, in batches."""
    generator = np.random.default_rng((SEED, number, int(10 * tau), len(errors)))
    standard_errors = errors_of(number, errors)
    for _ in range(runs // BATCH):
        deltas = generator.normal(0, np.hypot(tau, standard_errors), (BATCH, number))
        yield Estimates.of(deltas, np.broadcast_to(standard_errors, deltas.shape))


def coverage(low: Floats, high: Floats, deviation: float) -> float:
    """The probability that a normal value around 0 lies between the bounds, the mean over runs, in per cent."""
    if not deviation:
        return 100 * float(((low <= 0) & (high >= 0)).mean())
    return 100 * float((stats.norm.cdf(high / deviation) - stats.norm.cdf(low / deviation)).mean())


def coverages(number: int, errors: Errors, tau: float) -> Mapping[str, float]:
    """Coverage of prediction intervals of the observed and the true difference, and of alternatives, in per cent."""
    bounds: dict[str, list[tuple[Floats, Floats]]] = {}
    error = float(np.median(errors_of(number, errors)))
    for estimates in simulated(number, errors, tau, RUNS):
        observed = estimates.prediction_half_width(CONFIDENCE)
        variance = estimates.standard_error**2 + estimates.tau_squared
        t, wider_t = (float(stats.t.ppf(0.975, number - lost)) for lost in (1, 2))
        raised = np.maximum(estimates.standard_error, estimates.weighted_error) ** 2 + estimates.tau_squared
        half_widths = {
            "observed": observed,
            "observed, n - 1 degrees of freedom": t * np.sqrt(variance + error**2),
            "true, formula": wider_t * np.sqrt(variance),
            "true, formula with the larger standard error": wider_t * np.sqrt(raised),
        }
        for name, half_width in half_widths.items():
            bounds.setdefault(name, []).append((estimates.delta - half_width, estimates.delta + half_width))
        bounds.setdefault("true", []).append(estimates.true_bounds(CONFIDENCE))
    covered: dict[str, float] = {}
    for name, parts in bounds.items():
        low, high = (np.concatenate(ends) for ends in zip(*parts, strict=True))
        covered[name] = coverage(low, high, tau if name.startswith("true") else float(np.hypot(tau, error)))
    return covered


@pytest.mark.parametrize("number", [4, 8, 20])
@pytest.mark.parametrize("errors", ["equal", "unequal"])
def test_prediction_intervals_cover_the_difference_on_a_new_set(number: int, errors: Errors, printed: Printed) -> None:
    covered = {tau: coverages(number, errors, tau) for tau in HETEROGENEITY}
    for name in next(iter(covered.values())):
        row = {f"tau {tau:g}": shares[name] for tau, shares in covered.items()}
        title = f"Coverage of 95 % prediction intervals, {RUNS:,} runs, %: {name}"
        printed.add(title, {"sets": number, "errors": errors, **row})
    for shares in covered.values():
        assert shares["observed"] >= MIN_COVERAGE
        assert round(shares["observed"]) >= 100 * PREDICTION_COVERAGE
        assert round(shares["true"]) >= 100 * TRUE_PREDICTION_COVERAGE


def rejected(number: int, errors: Errors, tau: float, shift: float = 0) -> Mapping[str, float]:
    """The share of intervals of the pooled difference that exclude 0, in per cent.

    Args:
        number: of test sets.
        errors: of their differences.
        tau: of the true differences.
        shift: of all differences, so that the mean difference is not 0, in median errors.
    """
    counts = {"Hartung-Knapp": 0, "raised": 0, "wider of two": 0}
    t, z = float(stats.t.ppf(0.975, number - 1)), float(stats.norm.ppf(0.975))
    for estimates in simulated(number, errors, tau, NULL_RUNS):
        half_width, classic = estimates.half_width(CONFIDENCE), estimates.weighted_error
        for name, width in {
            "Hartung-Knapp": half_width,
            "raised": np.maximum(half_width, t * classic),
            "wider of two": np.maximum(half_width, z * classic),
        }.items():
            counts[name] += int((np.abs(estimates.delta + shift) > width).sum())
    return {name: 100 * count / NULL_RUNS for name, count in counts.items()}


@pytest.mark.parametrize("number", [2, 3, 4, 8, 12, 20])
@pytest.mark.parametrize("errors", ["equal", "unequal"])
def test_equal_systems_differ_significantly_over_sets_in_one_of_twenty(
    number: int, errors: Errors, printed: Printed
) -> None:
    shares = {tau: rejected(number, errors, tau) for tau in HETEROGENEITY}
    power = rejected(number, errors, 0, shift=3 / number**0.5)
    for name in power:
        row = {f"tau {tau:g}": rates[name] for tau, rates in shares.items()}
        title = f"Equal systems with a significant pooled difference at the 5 % level, {NULL_RUNS:,} runs, %: {name}"
        printed.add(title, {"sets": number, "errors": errors, **row, "power at tau 0": power[name]})
    for rates in shares.values():
        if errors == "equal":  # then the interval is that of a sample of normal values
            within(rates["Hartung-Knapp"], 5, 5, NULL_RUNS // 4)
        else:
            assert 4 <= rates["Hartung-Knapp"] <= (8.5 if number < 4 else 7.5)
        assert rates["raised"] <= 6
