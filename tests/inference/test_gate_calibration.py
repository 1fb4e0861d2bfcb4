"""Do the answers of the gate keep their levels, and its promises of power? Slow, on real test sets.

    BLEU_CONFORMANCE_DATA=/path/to/the/folder python -m pytest -m slow -s tests/inference/test_gate_calibration.py

prints what docs/measurements.md reports. A real set is all the text there is, and each test set is drawn from it: the
candidate then truly is worse than the baseline by a known difference, which is taken as the margin. It lies on the
boundary of both null hypotheses, at which either test is most often wrong. Seeds were chosen once; nothing was tuned to
pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from null_pairs import RUEN, TED, WMT23, counted, evaluation_data, null_pair, within
from printed import Printed, printed_at_the_end

from bleu_core.inference import blocks_of_size, gate
from bleu_core.scoring import SegmentStatistics

pytestmark = pytest.mark.slow

TEST_SETS, RESAMPLES, SEED, ALPHA = 2000, 1000, 4, 0.05
#: Test sets of so many units: segments, or runs of so many segments in place of documents.
SIZES = {"segments": (400, 1), "documents of 5": (20, 5), "documents of 4": (8, 4)}
#: A level of 5 %, and a power of 80 %, may be missed by so much, in per cent.
MAX_LEVEL, POWER = 6.5, (75, 86)


@pytest.fixture(scope="module")
def printed() -> Iterator[Printed]:
    with printed_at_the_end(decimals=1) as found:
        yield found


@pytest.fixture(scope="module")
def folder() -> Path:
    return evaluation_data()


def population(folder: Path, name: str, segments: int) -> SegmentStatistics:
    """All the text there is, as units of so many segments."""
    table = counted(folder, name).statistics
    return table if segments == 1 else table.grouped(blocks_of_size(table.segments, segments).labels)


@pytest.mark.parametrize("units", SIZES)
@pytest.mark.parametrize("name", [TED, RUEN, WMT23])
def test_a_loss_of_exactly_the_margin_is_seldom_called_worse_or_not_worse(
    folder: Path, printed: Printed, name: str, units: str
) -> None:
    size, segments = SIZES[units]
    whole = population(folder, name, segments)
    scores, generator = whole.score(whole.sums()), np.random.default_rng(SEED)
    verdicts: list[str] = []
    for seed in range(TEST_SETS):
        pair = generator.choice(len(scores), 2, replace=False)
        worse, better = sorted(pair.tolist(), key=lambda k: float(scores[k]))
        drawn = whole.subset(generator.integers(0, whole.segments, size).tolist())
        tested = drawn.select([drawn.systems[better], drawn.systems[worse]])
        margin = float(scores[better] - scores[worse])
        verdicts.append(gate(tested, margin=margin, alpha=ALPHA, resamples=RESAMPLES, seed=seed).verdict)
    shares = {answer: 100 * verdicts.count(answer) / TEST_SETS for answer in ("worse", "not worse")}
    title = f"Answers of the gate to a loss of exactly the margin, {TEST_SETS:,} test sets, alpha {ALPHA:g}, %"
    printed.add(title, {"set": name, "units": f"{size} {units}", **shares})
    for share in shares.values():
        within(share, 2, MAX_LEVEL, TEST_SETS)


@pytest.mark.parametrize(("name", "segments"), [(TED, 1), (RUEN, 1), (TED, 20)])
def test_an_equally_good_candidate_is_not_worse_with_the_promised_probability(
    folder: Path, printed: Printed, name: str, segments: int
) -> None:
    whole = population(folder, name, segments)
    two, generator = whole.select(whole.systems[:2]), np.random.default_rng(SEED)
    first = gate(null_pair(two, generator), resamples=RESAMPLES)
    margin = first.detectable_margin
    fewer = int(gate(null_pair(two, generator), margin=2 * margin, resamples=RESAMPLES).segments_needed)
    answers: list[tuple[bool, bool]] = []
    for seed in range(TEST_SETS):
        null = null_pair(two, generator)
        part = null.subset(generator.permutation(null.segments)[:fewer].tolist())
        answers.append(
            (
                gate(null, margin=margin, resamples=RESAMPLES, seed=seed).verdict == "not worse",
                gate(part, margin=2 * margin, resamples=RESAMPLES, seed=seed).verdict == "not worse",
            )
        )
    at_margin, at_needed = (100 * np.mean(answers, axis=0)).tolist()
    title = f'Equally good candidates answered "not worse", {TEST_SETS:,} null pairs, %'
    row = {"set": name, "units": whole.segments, "at the detectable margin": at_margin}
    printed.add(title, {**row, "units needed": fewer, "at the units needed": at_needed})
    within(at_margin, *POWER, TEST_SETS)
    within(at_needed, *POWER, TEST_SETS)
