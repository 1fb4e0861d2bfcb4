"""Do intervals and tests of mean differences over test sets keep their level? Slow, on real test sets.

    BLEU_CONFORMANCE_DATA=/path/to/the/folder python -m pytest -m slow -s tests/collection/test_mean_calibration.py

prints what docs/test-sets.md reports. Seeds were chosen once; nothing was tuned to pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from null_pairs import RUEN, TED, WMT23, counted, evaluation_data, null_pair, within
from printed import Printed, printed_at_the_end

from bleu_core.collection import ScoredSet, score_over_sets
from bleu_core.inference import ALPHA
from bleu_core.scoring import ScoredCorpus, SegmentStatistics, find_metric

pytestmark = pytest.mark.slow

RUNS, NULL_PAIRS, DRAWS, SEED = 2000, 2000, 1000, 11
#: The sets of a null pair: four parts of each of three test sets, drawn without replacement.
PARTS = 4


@pytest.fixture(scope="module")
def printed() -> Iterator[Printed]:
    with printed_at_the_end(decimals=1) as found:
        yield found


@pytest.fixture(scope="module")
def tables() -> dict[str, SegmentStatistics]:
    folder: Path = evaluation_data()
    return {name: counted(folder, name).statistics for name in (TED, RUEN, WMT23)}


def scored(name: str, statistics: SegmentStatistics) -> ScoredSet:
    named = SegmentStatistics(("A", "B"), statistics.values, statistics.score)
    return ScoredSet(name=name, scored=ScoredCorpus(find_metric("bleu"), "bleu", named))


def compared(sets: Sequence[ScoredSet], seed: int) -> tuple[float, float, float, float]:
    """B minus A over the sets: the difference of means, its interval, and p."""
    comparisons = score_over_sets(sets, intervals=False, resamples=DRAWS, seed=seed).comparisons
    assert comparisons is not None
    pair = comparisons.between("B", "A")
    assert pair is not None
    return pair.delta, pair.interval.low, pair.interval.high, pair.p_value


def test_intervals_of_the_mean_difference_cover_the_true_one(
    tables: dict[str, SegmentStatistics], printed: Printed
) -> None:
    """The segments of two test sets are the population, from which sets of the same size are drawn."""
    generator = np.random.default_rng(SEED)
    chosen = {name: tables[name].select(tables[name].systems[:2]) for name in (TED, RUEN)}
    truth = compared([scored(name, table) for name, table in chosen.items()], SEED)[0]
    covered = 0
    for seed in range(RUNS):
        drawn = [
            scored(name, table.subset(generator.integers(0, table.segments, table.segments).tolist()))
            for name, table in chosen.items()
        ]
        _, low, high, _ = compared(drawn, seed)
        covered += low <= truth <= high
    share = 100 * covered / RUNS
    printed.add(
        "Coverage of 95% intervals of the mean difference, per cent", {"sets": 2, "runs": RUNS, "covered": share}
    )
    within(share, 94, 96, RUNS)


def test_null_pairs_over_twelve_sets_are_rejected_at_the_level(
    tables: dict[str, SegmentStatistics], printed: Printed
) -> None:
    generator = np.random.default_rng(SEED)
    rejected = 0
    for seed in range(NULL_PAIRS):
        sets: list[ScoredSet] = []
        for name, table in tables.items():
            null = null_pair(table, generator)
            order = generator.permutation(null.segments)
            for number, rows in enumerate(np.array_split(order, PARTS)):
                sets.append(scored(f"{name} {number}", null.subset(rows.tolist())))
        rejected += compared(sets, seed)[3] < ALPHA
    share = 100 * rejected / NULL_PAIRS
    printed.add("Null pairs rejected at 5%, per cent", {"sets": 12, "pairs": NULL_PAIRS, "rejected": share})
    within(share, 4, 6, NULL_PAIRS)
