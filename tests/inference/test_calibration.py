"""Do the tests reject as often as they say, and do the intervals cover? Slow, on real test sets.

    BLEU_CONFORMANCE_DATA=/path/to/the/folder python -m pytest -m slow -s tests/inference/test_calibration.py

prints what README reports. Null pairs are made of two real systems by swapping each segment at random: whatever is
then found is found by chance alone. Seeds were chosen once; nothing was tuned to pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from null_pairs import RUEN, TED, WMT23, counted, evaluation_data, null_pair, within
from printed import Printed, printed_at_the_end

from bleu_core.inference import equal_blocks, resampled_deltas, score_intervals
from bleu_core.inference.blocks import paired_t
from bleu_core.inference.paired_tests import bootstrap_p, percentile_intervals, randomization_p, sacrebleu_p
from bleu_core.scoring import BleuEvaluation, SegmentStatistics

pytestmark = pytest.mark.slow

SETS = (TED, RUEN, WMT23)
#: More of the short set, which is quick and where the bootstrap is least exact.
NULL_PAIRS = {TED: 10_000, RUEN: 10_000, WMT23: 20_000}

DRAWS, BLOCKS, ALPHA, CONFIDENCE = 1000, 20, 0.05, 0.95
#: Test sets drawn from a real one, and their size.
TEST_SETS, SEGMENTS = 2000, 400
SEED = 4

Shares = Mapping[str, float]


@pytest.fixture(scope="module")
def printed() -> Iterator[Printed]:
    with printed_at_the_end(decimals=1) as found:
        yield found


@pytest.fixture(scope="module")
def folder() -> Path:
    return evaluation_data()


def shares(table: SegmentStatistics, pairs: int) -> Shares:
    """The share of null pairs that each test rejects, and of intervals that cover 0, in per cent.

    Args:
        table: of real systems.
        pairs: how many null pairs, each with draws of its own.
    """
    generator = np.random.default_rng(SEED)
    blocks = equal_blocks(table.segments, BLOCKS)
    found: list[list[bool]] = []
    for seed in range(pairs):
        null = null_pair(table, generator)
        scores = null.score(null.sums())
        observed = scores[1:] - scores[:1]
        deltas = resampled_deltas(null, [(1, 0)], "bootstrap", DRAWS, seed=seed)
        shuffled = resampled_deltas(null, [(1, 0)], "randomization", DRAWS, seed=seed)
        of_blocks = null.score(null.sums_by_label(blocks.labels))
        (interval,) = percentile_intervals(deltas, CONFIDENCE)
        p_values = (
            float(bootstrap_p(deltas, observed)[0]),
            float(randomization_p(shuffled, observed)[0]),
            paired_t(of_blocks[1], of_blocks[0]).p_value,
            float(sacrebleu_p(deltas, observed)[0]),
        )
        found.append([*(p < ALPHA for p in p_values), interval.low <= 0 <= interval.high])
    names = ("bootstrap", "randomization", "t", "sacrebleu-bootstrap", "interval covers 0")
    return dict(zip(names, (100 * np.mean(found, axis=0)).tolist(), strict=True))


def drawn_from(evaluation: BleuEvaluation, segments: npt.NDArray[np.int64]) -> BleuEvaluation:
    """A test set of some of the segments, as often as they were drawn."""
    stats = evaluation.stats
    return replace(
        evaluation,
        stats=replace(
            stats,
            matches=stats.matches[:, segments],
            hypothesis_lengths=stats.hypothesis_lengths[:, segments],
            reference_lengths=stats.reference_lengths[:, segments],
        ),
    )


@pytest.mark.parametrize("name", SETS)
def test_each_test_rejects_one_null_pair_in_twenty(folder: Path, printed: Printed, name: str) -> None:
    table = counted(folder, name).statistics
    found = shares(table, NULL_PAIRS[name])
    title = (
        f"Null pairs called different at the 5 % level, {DRAWS:,} draws, {BLOCKS} blocks, % (standard error up to 0.3)"
    )
    printed.add(title, {"set": name, "segments": table.segments, "null pairs": NULL_PAIRS[name], **found})
    for test in ("bootstrap", "randomization", "t"):
        within(found[test], 4, 6, NULL_PAIRS[name])
    within(found["sacrebleu-bootstrap"], 9, 13, NULL_PAIRS[name])  # near enough twice as many
    within(found["interval covers 0"], 94, 96, NULL_PAIRS[name])


@pytest.mark.parametrize("name", SETS)
def test_intervals_cover_what_test_sets_are_drawn_from(folder: Path, printed: Printed, name: str) -> None:
    # The real set is all the text there is; each test set is drawn from it, and knows nothing else.
    population = counted(folder, name)
    truth, systems = population.scores, population.systems
    pairs = [(k, k - 1) for k in range(1, len(systems))]
    deltas = [truth.score[k] - truth.score[b] for k, b in pairs]
    generator = np.random.default_rng(SEED)
    covered: list[tuple[float, float, float, float]] = []
    for seed in range(TEST_SETS):
        test_set = drawn_from(population, generator.integers(0, population.segments, SEGMENTS))
        found = score_intervals(test_set, resamples=DRAWS, seed=seed)
        of_deltas = percentile_intervals(
            resampled_deltas(test_set.statistics, pairs, "bootstrap", DRAWS, seed=seed), CONFIDENCE
        )
        inside = [
            [
                found.scores[system].low <= truth.score[k] <= found.scores[system].high,
                found.precisions[system][0].low <= truth.precisions[k, 0] <= found.precisions[system][0].high,
                found.precisions[system][-1].low <= truth.precisions[k, -1] <= found.precisions[system][-1].high,
            ]
            for k, system in enumerate(systems)
        ]
        bleu, first, last = np.mean(inside, axis=0).tolist()
        delta = np.mean([i.low <= d <= i.high for i, d in zip(of_deltas, deltas, strict=True)])
        covered.append((bleu, float(delta), first, last))
    bleu, delta, first, last = (100 * np.mean(covered, axis=0)).tolist()
    error = 100 * float(np.std([of_bleu for of_bleu, *_ in covered]) / np.sqrt(TEST_SETS))
    title = f"Share of 95 % intervals that cover, {TEST_SETS:,} test sets of {SEGMENTS} segments, %"
    row = {"set": name, "systems": len(systems), "BLEU": bleu, "standard error": error}
    printed.add(title, {**row, "delta": delta, "p1": first, "p4": last})
    assert 93.5 <= bleu <= 96.5
    assert 94 <= delta <= 96
