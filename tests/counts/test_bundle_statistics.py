"""Tests and intervals from bundles of segments keep their word.

A long text is drawn from the segments of a real test set, by their counts: what is true of it is known. Two systems
whose segments are swapped at random differ by chance alone.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from null_pairs import TED, counted, evaluation_data, within

from bleu_core.counts import BUNDLES
from bleu_core.counts.bundles import bundles_of_lines
from bleu_core.inference import compare, score_intervals
from bleu_core.scoring import SegmentStatistics

SEGMENTS = 40_000
#: Draws of one test; those of the whole are many times as many.
RESAMPLES = 300

Labels = npt.NDArray[np.int64]


def bundled(table: SegmentStatistics, labels: Labels) -> SegmentStatistics:
    """The sums of bundles, as counts in bundles have them."""
    sums = table.sums_by_label(labels)
    return SegmentStatistics(table.systems, sums, table.score, bundled=table.segments)


def drawn(table: SegmentStatistics, generator: np.random.Generator, *, null: bool) -> SegmentStatistics:
    """A long text of two of the systems; where they are to differ by chance, each segment swapped or not."""
    one, other = generator.choice(len(table.systems), 2, replace=False)
    rows = generator.integers(0, table.segments, SEGMENTS)
    sums = table.values[[one, other]][:, rows]
    if null:
        swapped = generator.integers(2, size=(SEGMENTS, 1)).astype(bool)
        sums = np.stack([np.where(swapped, sums[1], sums[0]), np.where(swapped, sums[0], sums[1])])
    return SegmentStatistics((table.systems[one], table.systems[other]), sums, table.score)


@pytest.mark.slow
def test_null_pairs_are_rejected_and_intervals_cover_as_often_as_promised() -> None:
    table = counted(evaluation_data(), TED).statistics
    truth = dict(zip(table.systems, table.score(table.sums()), strict=True))
    generator = np.random.default_rng(11)
    labels = bundles_of_lines(0, SEGMENTS, BUNDLES)
    rounds = 1500
    rejected = covered = of_difference = 0
    for seed in range(rounds):
        found = compare(bundled(drawn(table, generator, null=True), labels), [(0, 1)], resamples=RESAMPLES, seed=seed)
        assert (found.unit, found.segments) == ("bundle", SEGMENTS)
        rejected += found.pairs[0].p_value <= 0.05
        text = bundled(drawn(table, generator, null=False), labels)
        one, other = text.systems
        interval = score_intervals(text, resamples=RESAMPLES, seed=seed).scores[one]
        covered += interval.low <= truth[one] <= interval.high
        pair = compare(text, [(0, 1)], resamples=RESAMPLES, seed=seed).pairs[0]
        of_difference += pair.interval.low <= truth[one] - truth[other] <= pair.interval.high
    shares = [100 * count / rounds for count in (rejected, covered, of_difference)]
    about = f"{rounds:,} texts of {SEGMENTS:,} segments in {BUNDLES:,} bundles"
    found = "{:.1f}% of null pairs rejected; intervals of {:.1f}% of scores and {:.1f}% of differences cover the truth"
    print(f"\n{about}: {found.format(*shares)}")  # noqa: T201 # for people
    within(shares[0], 4, 6, rounds)
    within(shares[1], 94, 96, rounds)
    within(shares[2], 94, 96, rounds)
