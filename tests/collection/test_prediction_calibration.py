"""How often do prediction intervals cover, and equal systems differ over test sets? Slow: a minute of simulations.

    python -m pytest -m slow -s tests/collection/test_prediction_calibration.py

prints what docs/test-sets.md reports. True differences of test sets are normal around a mean, and observed ones normal
around these with known standard errors. Whether an interval covers the difference on a new set is not drawn, but for
other distributions: the probability is computed for each run. Seeds were chosen once; nothing was tuned to pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import numpy.typing as npt
import pytest
from null_pairs import within
from printed import Printed, printed_at_the_end
from scipy import stats

from bleu_core.arrays import Floats
from bleu_core.collection import PREDICTION_COVERAGE
from bleu_core.collection.meta_analysis import Estimates
from bleu_core.inference import CONFIDENCE

pytestmark = pytest.mark.slow

RUNS, NULL_RUNS, BATCH, NEW_SETS, SEED = 2000, 20_000, 250, 200, 5

#: Standard deviation of true differences, in median standard errors.
HETEROGENEITY = (0.0, 0.5, 1.0, 3.0)

#: Lowest coverage of the observed difference that is acceptable, in per cent.
MIN_COVERAGE = 93

#: Numbers of test sets, and by the ratio of the largest to the smallest error, the percentage of equal systems that
#: differ significantly over so many sets at most, for the tau at which most do. If errors are equal, the interval is
#: that of a sample of normal values.
NUMBERS = (2, 3, 4, 8, 12, 20)
MAX_LEVELS = {1: (5, 5, 5, 5, 5, 5), 3: (8.4, 7.5, 7.2, 6.5, 6, 5.5), 10: (22, 15.5, 14, 9, 8, 7)}

#: Distributions of true differences with mean 0 and standard deviation 1.
Draw = Callable[[np.random.Generator, tuple[int, int]], Floats]
DISTRIBUTIONS: Mapping[str, Draw] = {
    "normal": lambda generator, shape: generator.normal(size=shape),
    "exponential": lambda generator, shape: generator.exponential(size=shape) - 1,
    "t, 3 df": lambda generator, shape: generator.standard_t(3, shape) / 3**0.5,
}


@pytest.fixture(scope="module")
def printed() -> Iterator[Printed]:
    with printed_at_the_end(decimals=1) as tables:
        yield tables


def errors_of(number: int, ratio: int) -> Floats:
    """Errors around 1 in equal ratios, the largest so many times the smallest; their median is about 1."""
    return ratio ** np.linspace(-0.5, 0.5, number)


def simulated(
    number: int, ratio: int, tau: float, *, runs: int = RUNS, draw: Draw = DISTRIBUTIONS["normal"]
) -> Iterator[Estimates]:
    """Meta-analyses of systems whose mean difference is 0, in batches."""
    generator = np.random.default_rng((SEED, number, ratio, int(10 * tau)))
    errors = errors_of(number, ratio)
    for _ in range(runs // BATCH):
        deltas = tau * draw(generator, (BATCH, number)) + errors * generator.normal(size=(BATCH, number))
        yield Estimates.of(deltas, np.broadcast_to(errors, deltas.shape))


def coverage(low: Floats, high: Floats, deviation: float) -> float:
    """The probability that a normal value around 0 lies between the bounds, the mean over runs, in per cent."""
    if not deviation:
        return 100 * float(((low <= 0) & (high >= 0)).mean())
    return 100 * float((stats.norm.cdf(high / deviation) - stats.norm.cdf(low / deviation)).mean())


def coverages(number: int, ratio: int, tau: float) -> Mapping[str, float]:
    """Coverage of the prediction interval of the observed difference, and of an alternative, in per cent."""
    bounds: dict[str, list[tuple[Floats, Floats]]] = {}
    error = float(np.median(errors_of(number, ratio)))
    for estimates in simulated(number, ratio, tau):
        observed = estimates.prediction_half_width(CONFIDENCE)
        variance = estimates.standard_error**2 + estimates.tau_squared
        t = float(stats.t.ppf(0.975, number - 1))
        half_widths = {
            "observed": observed,
            "observed, n - 1 degrees of freedom": t * np.sqrt(variance + error**2),
        }
        for name, half_width in half_widths.items():
            bounds.setdefault(name, []).append((estimates.delta - half_width, estimates.delta + half_width))
    covered: dict[str, float] = {}
    for name, parts in bounds.items():
        low, high = (np.concatenate(ends) for ends in zip(*parts, strict=True))
        covered[name] = coverage(low, high, float(np.hypot(tau, error)))
    return covered


@pytest.mark.parametrize("number", [4, 8, 20])
@pytest.mark.parametrize("ratio", [1, 3, 10])
def test_prediction_intervals_cover_the_difference_on_a_new_set(number: int, ratio: int, printed: Printed) -> None:
    covered = {tau: coverages(number, ratio, tau) for tau in HETEROGENEITY}
    for name in next(iter(covered.values())):
        row = {f"tau {tau:g}": shares[name] for tau, shares in covered.items()}
        title = f"Coverage of 95 % prediction intervals, {RUNS:,} runs, %: {name}"
        printed.add(title, {"sets": number, "ratio of errors": ratio, **row})
    for shares in covered.values():
        assert shares["observed"] >= MIN_COVERAGE
        assert round(shares["observed"]) >= 100 * PREDICTION_COVERAGE


@pytest.mark.parametrize("number", [4, 8, 20])
@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_prediction_intervals_cover_nearly_as_often_if_true_differences_are_not_normal(
    number: int, distribution: str, printed: Printed
) -> None:
    draw, tau, ratio = DISTRIBUTIONS[distribution], HETEROGENEITY[-1], 3
    generator = np.random.default_rng((SEED, number))
    error = float(np.median(errors_of(number, ratio)))
    observed: list[npt.NDArray[np.bool_]] = []
    for estimates in simulated(number, ratio, tau, draw=draw):
        new = tau * draw(generator, (BATCH, NEW_SETS))
        deviations = new + error * generator.normal(size=new.shape) - estimates.delta[:, None]
        observed.append(np.abs(deviations) <= estimates.prediction_half_width(CONFIDENCE)[:, None])
    share = 100 * float(np.mean(observed))
    title = f"Coverage of 95 % prediction intervals, tau {tau:g}, errors in a ratio of {ratio}, {RUNS:,} runs, %"
    printed.add(title, {"true differences": distribution, "sets": number, "observed": share})
    assert share >= 91


def rejected(number: int, ratio: int, tau: float, shift: float = 0) -> Mapping[str, float]:
    """The share of intervals of the pooled difference that exclude 0, in per cent.

    Args:
        number: of test sets.
        ratio: of the largest to the smallest error.
        tau: of the true differences.
        shift: of all differences, so that the mean difference is not 0, in median errors.
    """
    counts = {"Hartung-Knapp": 0, "raised": 0, "wider of two": 0}
    t, z = float(stats.t.ppf(0.975, number - 1)), float(stats.norm.ppf(0.975))
    for estimates in simulated(number, ratio, tau, runs=NULL_RUNS):
        half_width, classic = estimates.half_width(CONFIDENCE), estimates.weighted_error
        for name, width in {
            "Hartung-Knapp": half_width,
            "raised": np.maximum(half_width, t * classic),
            "wider of two": np.maximum(half_width, z * classic),
        }.items():
            counts[name] += int((np.abs(estimates.delta + shift) > width).sum())
    return {name: 100 * count / NULL_RUNS for name, count in counts.items()}


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("ratio", MAX_LEVELS)
def test_equal_systems_differ_significantly_over_sets_no_more_often_than_is_said(
    number: int, ratio: int, printed: Printed
) -> None:
    shares = {tau: rejected(number, ratio, tau) for tau in HETEROGENEITY}
    power = rejected(number, ratio, 0, shift=3 / number**0.5)
    for name in power:
        row = {f"tau {tau:g}": rates[name] for tau, rates in shares.items()}
        title = f"Equal systems with a significant pooled difference at the 5 % level, {NULL_RUNS:,} runs, %: {name}"
        printed.add(title, {"sets": number, "ratio of errors": ratio, **row, "power at tau 0": power[name]})
    levels = [rates["Hartung-Knapp"] for rates in shares.values()]
    within(levels[0], 5, 5, NULL_RUNS // 4)
    for level in levels:
        within(level, 5, MAX_LEVELS[ratio][NUMBERS.index(number)], NULL_RUNS // 4)
