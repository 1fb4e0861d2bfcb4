"""Does the comparison of groups of runs reject as often as it says? Slow, on simulated scores and on a real test set.

    BLEU_CONFORMANCE_DATA=/path/to/data python -m pytest -m slow -s tests/collection/test_replicates_calibration.py

prints what docs/replicates.md reports. Groups are equal on average: their runs come from one distribution, or in the
simulation, from two with the same mean. Seeds were chosen once.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from null_pairs import TED, counted, evaluation_data, within
from printed import Printed, printed_at_the_end

from bleu_core.arrays import Floats, Numbers
from bleu_core.collection import GroupComparisons, compare_groups
from bleu_core.scoring import SegmentStatistics

pytestmark = pytest.mark.slow

LEVEL, TRIALS, REAL_TRIALS = 0.05, 4000, 2000

#: Trials that are compared by one call.
BATCH = 250

SEGMENTS = 100
SIZES = [(3, 3), (3, 5), (5, 5)]

#: Points: standard deviations of the effects of segments on the difference of two systems, and of residuals.
SHARED, RESIDUAL = 5.0, 5.0


@pytest.fixture(scope="module")
def printed() -> Iterator[Printed]:
    with printed_at_the_end(decimals=1) as found:
        yield found


@pytest.fixture(scope="module")
def real() -> SegmentStatistics:
    return counted(Path(evaluation_data()), TED).statistics


def batch_of(values: Numbers, sizes: tuple[int, int], score: object, *, paired: bool = False) -> GroupComparisons:
    """The comparison of each trial's two groups.

    Args:
        values: (trials, runs, S, columns), the runs of the first group first.
        sizes: numbers of runs.
        score: converts sums to scores.
        paired: whether runs are paired.
    """
    trials, runs = values.shape[:2]
    names = tuple(f"{trial}.{run}" for trial in range(trials) for run in range(runs))
    groups: dict[str, tuple[str, ...]] = {}
    for trial in range(trials):
        of_trial = names[trial * runs : (trial + 1) * runs]
        groups[f"a{trial}"], groups[f"b{trial}"] = of_trial[: sizes[0]], of_trial[sizes[0] :]
    statistics = SegmentStatistics(names, values.reshape(trials * runs, *values.shape[2:]), score)  # pyright: ignore[reportArgumentType]
    seeds = {group: tuple(map(str, range(len(members)))) for group, members in groups.items()} if paired else {}
    pairs = [(2 * trial, 2 * trial + 1) for trial in range(trials)]
    return compare_groups(statistics, groups, pairs, seeds=seeds, correction="none")


def mean(sums: Numbers) -> Floats:
    """The mean of segment scores."""
    return np.asarray(sums[..., 0] / sums[..., 1], np.float64)


def rates(batches: Iterator[GroupComparisons], truth: float | None = None) -> dict[str, float]:
    """The share of trials that are rejected, in per cent, and what the variance of the difference consists of.

    Args:
        batches: of trials.
        truth: of the mean of each group, to see how often its interval covers it.
    """
    pairs, covered = [], []
    for batch in batches:
        pairs += batch.pairs
        covered += [group.interval.low <= (truth or 0) <= group.interval.high for group in batch.groups]
    assert len(pairs) in (TRIALS, REAL_TRIALS)
    assert not any(pair.reason for pair in pairs)
    found = {"rejected": 100 * float(np.mean([pair.p_value < LEVEL for pair in pairs]))}
    if truth is not None:
        found["covered"] = 100 * float(np.mean(covered))
    return found


def simulated(
    generator: np.random.Generator,
    sizes: tuple[int, int],
    ratio: float,
    *,
    paired: bool = False,
    spreads: tuple[float, float] = (1, 1),
) -> Iterator[GroupComparisons]:
    """Trials with known components of variance, in batches.

    Args:
        generator: of random numbers.
        sizes: numbers of runs.
        ratio: the variance of the difference that is due to runs, divided by that due to segments.
        paired: whether runs are paired; a part of the effect of a run is then that of its seed.
        spreads: standard deviations between the runs of each group, relative to each other.
    """
    runs = sum(sizes)
    spread = np.repeat(spreads, sizes)[:, None]
    between = np.sqrt(ratio * 2 * SHARED**2 / SEGMENTS / (spreads[0] ** 2 / sizes[0] + spreads[1] ** 2 / sizes[1]))
    for _ in range(TRIALS // BATCH):
        of_group = SHARED * generator.standard_normal((BATCH, 2, SEGMENTS))
        scores = 30 + np.repeat(of_group, sizes, axis=1)
        scores += RESIDUAL * generator.standard_normal((BATCH, runs, SEGMENTS))
        scores += between * spread * generator.standard_normal((BATCH, runs, 1))
        if paired:
            scores += np.tile(2 * between * generator.standard_normal((BATCH, sizes[0], 1)), (1, 2, 1))
        yield batch_of(np.stack([scores, np.ones_like(scores)], axis=3), sizes, mean, paired=paired)


@pytest.mark.parametrize("ratio", [0, 0.5, 1, 3])
@pytest.mark.parametrize("sizes", [*SIZES, (1, 3), (1, 5), (1, 2), (2, 2), (2, 3), (2, 5)])
def test_equal_groups_with_known_components_of_variance(printed: Printed, sizes: tuple[int, int], ratio: float) -> None:
    found = rates(simulated(np.random.default_rng(1), sizes, ratio), truth=30 if min(sizes) > 1 else None)
    title = f"Simulated equal groups that differ at the 5 % level, {TRIALS:,} trials, %"
    printed.add(title, {"runs": f"{sizes[0]} and {sizes[1]}", "run variance / segment variance": ratio} | found)
    within(found["rejected"], 3 if ratio and sizes in SIZES else 0, 6, TRIALS)


@pytest.mark.parametrize("ratio", [1, 3])
@pytest.mark.parametrize(("sizes", "spreads"), [((3, 3), (1, 4)), ((3, 5), (1, 4)), ((3, 5), (4, 1)), ((5, 5), (1, 4))])
def test_equal_groups_whose_runs_vary_differently(
    printed: Printed, sizes: tuple[int, int], spreads: tuple[float, float], ratio: float
) -> None:
    found = rates(simulated(np.random.default_rng(5), sizes, ratio, spreads=spreads))
    title = f"Simulated equal groups with different variances of runs, at the 5 % level, {TRIALS:,} trials, %"
    described = {"runs": f"{sizes[0]} and {sizes[1]}", "standard deviations": f"{spreads[0]} to {spreads[1]}"}
    printed.add(title, described | {"run variance / segment variance": ratio} | found)
    within(found["rejected"], 3, 6, TRIALS)


@pytest.mark.parametrize("ratio", [0, 0.5, 1, 3])
@pytest.mark.parametrize("sizes", [(2, 2), (3, 3), (4, 4), (5, 5)])
def test_equal_groups_with_paired_runs(printed: Printed, sizes: tuple[int, int], ratio: float) -> None:
    found = rates(simulated(np.random.default_rng(2), sizes, ratio, paired=True))
    title = f"Simulated equal groups with paired runs that differ at the 5 % level, {TRIALS:,} trials, %"
    printed.add(title, {"runs": f"{sizes[0]} and {sizes[1]}", "run variance / segment variance": ratio} | found)
    within(found["rejected"], 0, 6, TRIALS)


def mixtures(
    generator: np.random.Generator, real: SegmentStatistics, sizes: tuple[int, int], width: float
) -> Iterator[GroupComparisons]:
    """Trials whose runs take the output of one of two real systems for each segment, on resampled segments.

    Args:
        generator: of random numbers.
        real: the real systems.
        sizes: numbers of runs.
        width: the share of the one system in a run lies between a half minus and plus this.
    """
    runs = sum(sizes)
    values = real.values
    for _ in range(REAL_TRIALS // BATCH):
        trials: list[Numbers] = []
        for _ in range(BATCH):
            segments = generator.integers(real.segments, size=real.segments)
            one, other = values[generator.choice(len(values), 2, replace=False)][:, segments]
            share = 0.5 + width * generator.uniform(-1, 1, (runs, 1))
            taken = generator.random((runs, real.segments)) < share
            trials.append(np.where(taken[:, :, None], one, other))
        yield batch_of(np.stack(trials), sizes, real.score)


@pytest.mark.parametrize("width", [0, 0.5])
@pytest.mark.parametrize("sizes", SIZES)
def test_equal_groups_of_mixed_real_outputs(
    printed: Printed, real: SegmentStatistics, sizes: tuple[int, int], width: float
) -> None:
    found = rates(mixtures(np.random.default_rng(3), real, sizes, width))
    title = f"Equal groups of mixed outputs of {TED} that differ in BLEU at the 5 % level, {REAL_TRIALS:,} trials, %"
    effect = "yes" if width else "no"
    printed.add(title, {"runs": f"{sizes[0]} and {sizes[1]}", "runs differ": effect} | found)
    within(found["rejected"], 3 if width else 0, 6, REAL_TRIALS)


@pytest.mark.parametrize("sizes", SIZES)
def test_equal_groups_of_identical_runs(printed: Printed, real: SegmentStatistics, sizes: tuple[int, int]) -> None:
    """Each group repeats one text: outputs of two systems, swapped at random by segment."""
    generator = np.random.default_rng(4)

    def batches() -> Iterator[GroupComparisons]:
        for _ in range(REAL_TRIALS // BATCH):
            trials: list[Numbers] = []
            for _ in range(BATCH):
                one, other = real.values[generator.choice(len(real.values), 2, replace=False)]
                swapped = generator.integers(2, size=(real.segments, 1)).astype(bool)
                both = [np.where(swapped, other, one), np.where(swapped, one, other)]
                trials.append(np.repeat(np.stack(both), sizes, axis=0))
            yield batch_of(np.stack(trials), sizes, real.score)

    found = rates(batches())
    title = f"Equal groups of identical runs of {TED} that differ in BLEU at the 5 % level, {REAL_TRIALS:,} trials, %"
    printed.add(title, {"runs": f"{sizes[0]} and {sizes[1]}"} | found)
    within(found["rejected"], 4, 6, REAL_TRIALS)
