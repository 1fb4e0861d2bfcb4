"""Does the test of variation between slices reject as often as it says? Slow, on real test sets.

    BLEU_CONFORMANCE_DATA=/path/to/the/folder python -m pytest -m slow -s tests/slicing/test_variation_calibration.py

prints what docs/measurements.md reports. The outputs of two real systems are swapped at random by segment, so that
their difference is 0 in every slice; the slices themselves are made of real lengths and real documents. Seeds were
chosen once; nothing was tuned to pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from null_pairs import RUEN, TED, WMT23, counted, evaluation_data, lines, null_pair, within
from printed import Printed, printed_at_the_end

from bleu_core.arrays import Integers
from bleu_core.inference import document_blocks, equal_blocks
from bleu_core.scoring import SegmentStatistics
from bleu_core.slicing.heterogeneity import variation

pytestmark = pytest.mark.slow

#: With so many permutations p can be 0.05, and is at most that in exactly 5 % of null pairs if p is exact.
TRIALS, LEVEL = 199, 0.05
NULL_PAIRS = 2000
SEED = 4


@pytest.fixture(scope="module")
def printed() -> Iterator[Printed]:
    with printed_at_the_end(decimals=1) as found:
        yield found


@pytest.fixture(scope="module")
def folder() -> Path:
    return evaluation_data()


def by_length(table: SegmentStatistics, slices: int) -> Integers:
    """Slices of about equal numbers of segments, from the shortest references to the longest."""
    rank = np.argsort(np.argsort(table.values[0, :, 1], kind="stable"), kind="stable")
    return rank * slices // table.segments


def rejected(table: SegmentStatistics, labels: Integers, documents: Integers | None = None) -> float:
    """The share of null pairs that are rejected, in per cent.

    Args:
        table: of real systems.
        labels: of segments; of documents, where there are some.
        documents: of each segment, where the labels are permuted over documents.
    """
    generator = np.random.default_rng(SEED)
    found = 0
    for seed in range(NULL_PAIRS):
        null = null_pair(table, generator)
        units = null if documents is None else null.grouped(documents)
        (one,) = variation(units, labels, [(1, 0)], trials=TRIALS, seed=seed)
        assert one.reason == ""
        found += one.p_value <= LEVEL
    return 100 * found / NULL_PAIRS


def check(printed: Printed, name: str, slices: str, units: str, share: float) -> None:
    """See that 4 to 6 % are rejected, and print it."""
    title = f"Null pairs whose difference is found to vary between slices at the 5 % level, {NULL_PAIRS:,} null pairs"
    printed.add(
        f"{title}, {TRIALS} permutations, % (standard error 0.5)",
        {"set": name, "slices": slices, "permuted": units, "rejected": share},
    )
    within(share, 4, 6, NULL_PAIRS)


@pytest.mark.parametrize(("name", "slices"), [(TED, 4), (TED, 10), (RUEN, 4), (WMT23, 3)])
def test_slices_by_length_reject_one_null_pair_in_twenty(
    folder: Path, printed: Printed, name: str, slices: int
) -> None:
    table = counted(folder, name).statistics
    share = rejected(table, by_length(table, slices))
    check(printed, name, slices=f"{slices} by length", units=f"{table.segments} segments", share=share)


def test_slices_that_are_documents_reject_one_null_pair_in_twenty(folder: Path, printed: Printed) -> None:
    table = counted(folder, TED).statistics
    talks = document_blocks(lines(folder / TED / "docs.txt"))
    share = rejected(table, talks.labels)
    check(printed, TED, slices=f"{len(talks.names)} talks", units=f"{table.segments} segments", share=share)


@pytest.mark.parametrize(("name", "slices"), [(TED, 2), (TED, 4), (RUEN, 4), (WMT23, 2), (WMT23, 3)])
def test_slices_of_documents_reject_one_null_pair_in_twenty(
    folder: Path, printed: Printed, name: str, slices: int
) -> None:
    table = counted(folder, name).statistics
    named = folder / name / "docs.txt"
    # The talks are too few to be permuted, and one set has no documents: there, runs of about 8 segments are taken.
    documents = document_blocks(lines(named)) if name == WMT23 else equal_blocks(table.segments, table.segments // 8)
    number = len(documents.names)
    share = rejected(table, np.arange(number) * slices // number, documents.labels)
    check(printed, name, slices=f"{slices} of documents", units=f"{number} documents", share=share)
