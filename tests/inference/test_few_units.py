"""Which method tests differences with few documents at the level that it says? Slow, on real test sets.

    BLEU_CONFORMANCE_DATA=/path/to/the/folder python -m pytest -m slow -s tests/inference/test_few_units.py

prints what docs/measurements.md reports. Null pairs are made of two real systems by swapping whole documents at random.
Seeds were chosen once; nothing was tuned to pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest
from null_pairs import RUEN, TED, WMT23, counted, evaluation_data, lines, null_pair, within
from printed import Printed, printed_at_the_end

from bleu_core.inference import (
    ALPHA,
    METHODS,
    Blocks,
    blocks_of_size,
    compare,
    document_blocks,
    jackknife_errors,
    method_for,
    resampled_deltas,
)
from bleu_core.inference.paired_tests import bootstrap_p, percentile_intervals, randomization_p
from bleu_core.inference.student_t import student_p
from bleu_core.scoring import SegmentStatistics

pytestmark = pytest.mark.slow

NULL_PAIRS, DRAWS, SEED = 5000, 1000, 4
#: Levels that a method must keep to, in per cent.
MIN_LEVEL, MAX_LEVEL = 3.5, 6.5
#: Segments of a document where a set has too few documents of its own.
RUN = {TED: 5, RUEN: 4}

NAMES = ("percentile p", "percentile interval", "jackknife", "swaps")


@pytest.fixture(scope="module")
def printed() -> Iterator[Printed]:
    with printed_at_the_end(decimals=1) as found:
        yield found


@pytest.fixture(scope="module")
def folder() -> Path:
    return evaluation_data()


def documents_of(folder: Path, name: str, segments: int) -> Blocks:
    """The documents of a set, or runs of a few segments in place of them."""
    if name in RUN:
        return blocks_of_size(segments, RUN[name])
    return document_blocks(lines(folder / name / "docs.txt"))


def null_documents(table: SegmentStatistics, number: int, generator: np.random.Generator) -> SegmentStatistics:
    """So many documents of two systems, drawn without replacement, each swapped or not at random."""
    null = null_pair(table, generator)
    return null.subset(generator.permutation(null.segments)[:number].tolist())


def rejected(table: SegmentStatistics, number: int) -> Mapping[str, float]:
    """The share of null pairs of so many documents that each method rejects, in per cent."""
    generator = np.random.default_rng(SEED)
    found: list[list[bool]] = []
    for seed in range(NULL_PAIRS):
        null = null_documents(table, number, generator)
        scores = null.score(null.sums())
        observed = scores[1:] - scores[:1]
        deltas = resampled_deltas(null, [(1, 0)], "bootstrap", DRAWS, seed=seed)
        shuffled = resampled_deltas(null, [(1, 0)], "randomization", DRAWS, seed=seed)
        (interval,) = percentile_intervals(deltas, 0.95)
        jackknife = student_p(observed, jackknife_errors(null, [(1, 0)]), number - 1)
        p_values = (bootstrap_p(deltas, observed), jackknife, randomization_p(shuffled, observed))
        percentile, by_jackknife, swaps = (bool(p[0] < ALPHA) for p in p_values)
        found.append([percentile, not interval.low <= 0 <= interval.high, by_jackknife, swaps])
    return dict(zip(NAMES, (100 * np.mean(found, axis=0)).tolist(), strict=True))


@pytest.mark.parametrize("number", METHODS)
@pytest.mark.parametrize("name", [TED, RUEN, WMT23])
def test_the_method_for_a_number_of_documents_keeps_its_level(
    folder: Path, printed: Printed, name: str, number: int
) -> None:
    table = counted(folder, name).statistics
    documents = documents_of(folder, name, table.segments)
    if len(documents.names) < number:
        pytest.skip(f"{name} has {len(documents.names)} documents")
    found = rejected(table.grouped(documents.labels), number)
    title = f"Null pairs of whole documents called different at the 5 % level, {NULL_PAIRS:,} pairs, {DRAWS:,} draws, %"
    printed.add(title, {"set": name, "documents": number, **found, "method": METHODS[number]})
    columns = ("jackknife",) if METHODS[number] == "jackknife" else ("percentile p", "percentile interval")
    for column in columns:
        within(found[column], MIN_LEVEL, MAX_LEVEL, NULL_PAIRS)


@pytest.mark.parametrize("number", [6, 20])
def test_compare_keeps_the_level_with_few_documents(folder: Path, number: int) -> None:
    table = counted(folder, WMT23).statistics
    documents = documents_of(folder, WMT23, table.segments)
    grouped, generator = table.grouped(documents.labels), np.random.default_rng(SEED)
    different: list[bool] = []
    for _ in range(NULL_PAIRS):
        found = compare(null_documents(grouped, number, generator), [(1, 0)])
        assert found.method == method_for(number)
        (pair,) = found.pairs
        different.append(pair.p_value < ALPHA)
        assert different[-1] == (not pair.interval.low <= 0 <= pair.interval.high)
    within(100 * float(np.mean(different)), MIN_LEVEL, MAX_LEVEL, NULL_PAIRS)
