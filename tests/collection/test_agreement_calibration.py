"""How often the test of averages over test sets rejects equally good metrics. Slow, on simulated data.

    python -m pytest -m slow -s tests/collection/test_agreement_calibration.py

prints the table.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from null_pairs import within
from printed import Printed, printed_at_the_end

from bleu_core.agreement import (
    MetricScores,
    permutation_p_values,
    swap_p_values,
    swapped_differences,
    swapped_soft_accuracies,
)
from bleu_core.collection import LEVELS, Level, RatedTestSet, agreement_over_sets
from bleu_core.dataset import Corpus, Judgments
from bleu_core.scoring import evaluate

pytestmark = pytest.mark.slow

#: Numbers of test sets, of their systems and segments, and of simulated collections.
SETS, SYSTEMS, SEGMENTS, SAMPLES = 12, 6, 30, 500

#: With 199 trials and the observed difference, a share of 5% is a whole number of them.
TRIALS, PERMUTATIONS = 199, 200

SAMPLES_OF_ONE = 2000

NAMES = tuple("ABCDEF")


@pytest.fixture(scope="module")
def printed() -> Iterator[Printed]:
    with printed_at_the_end(decimals=2) as found:
        yield found


def simulated(generator: np.random.Generator) -> tuple[RatedTestSet, ...]:
    """Test sets with ratings in whole numbers, a metric and its exchangeable twin: equal parts and noise of each."""
    corpus = Corpus(
        {name: tuple(f"{name} {s}" for s in range(SEGMENTS)) for name in NAMES},
        {"R": tuple(f"R {s}" for s in range(SEGMENTS))},
    )
    evaluation = evaluate(corpus)
    sets: list[RatedTestSet] = []
    for number in range(SETS):
        quality = generator.normal(size=(SYSTEMS, 1)) / 2 + generator.normal(size=(SYSTEMS, SEGMENTS))
        human = np.round(quality + generator.normal(size=quality.shape) / 2)
        shared = quality + generator.normal(size=quality.shape)
        metrics: list[MetricScores] = []
        for name in ("metric", "twin"):
            scores = (shared + generator.normal(size=shared.shape)).round(9)
            metrics.append(
                MetricScores(name=name, systems=NAMES, system_scores=scores.mean(axis=1), segment_scores=scores)
            )
        judgments = Judgments.from_ratings(
            np.repeat(NAMES, SEGMENTS).tolist(),
            human.ravel(),
            list(range(1, human.size + 1)),
            "ratings.csv",
            segments=list(range(1, SEGMENTS + 1)) * SYSTEMS,
        )
        sets.append(
            RatedTestSet(
                name=f"set {number:02}",
                corpus=corpus,
                evaluation=evaluation,
                judgments=judgments,
                metrics=tuple(metrics),
            )
        )
    return tuple(sets)


@pytest.mark.parametrize("levels", [LEVELS, ("system",), ("segment",)], ids="+".join)
def test_equally_good_metrics_are_rejected_as_often_as_the_level_says(
    printed: Printed, levels: tuple[Level, ...]
) -> None:
    generator = np.random.default_rng(5)
    p_values = np.array(
        [
            agreement_over_sets(
                simulated(generator), levels=levels, trials=TRIALS, permutations=PERMUTATIONS, seed=seed
            )
            .pairs[0]
            .p_value
            for seed in range(SAMPLES)
        ]
    )
    shares = {f"p ≤ {level:g}": 100 * float((p_values <= level + 1e-9).mean()) for level in (0.01, 0.05, 0.1, 0.5)}
    printed.add(
        f"Equally good metrics over {SETS} test sets that are rejected, {SAMPLES:,} samples, %",
        {"tasks": " and ".join(levels), **shares},
    )
    within(shares["p ≤ 0.05"], 0, 5, SAMPLES)


def test_independent_swaps_of_both_tasks_reject_too_often(printed: Printed) -> None:
    # Of one test set, since test sets are independent. Both tests have the same data and trials of segments.
    generator = np.random.default_rng(9)
    p_values: dict[str, list[float]] = {"the same": [], "independent": []}
    for seed in range(SAMPLES_OF_ONE):
        quality = generator.normal(size=(SYSTEMS, 1)) / 2 + generator.normal(size=(SYSTEMS, SEGMENTS))
        human = np.round(quality + generator.normal(size=quality.shape) / 2)
        shared = quality + generator.normal(size=quality.shape)
        a, b = ((shared + generator.normal(size=shared.shape)).round(9) for _ in range(2))
        certainty = permutation_p_values(human, permutations=PERMUTATIONS)
        segments = swapped_differences(a, b, human, method="acc-eq", grouping="item", trials=TRIALS, seed=seed)
        for swaps, swap_seed in (("the same", seed), ("independent", seed + SAMPLES_OF_ONE)):
            systems = swapped_soft_accuracies(
                a, b, certainty, permutations=PERMUTATIONS, trials=TRIALS, swap_seed=swap_seed
            )
            p_values[swaps].append(swap_p_values(systems.delta + segments.delta, systems.deltas + segments.deltas)[0])
    shares = {swaps: 100 * float((np.array(values) <= 0.05 + 1e-9).mean()) for swaps, values in p_values.items()}
    for swaps, share in shares.items():
        printed.add(
            f"Equally good metrics that are rejected at the 5% level by the sum of both tasks, {SAMPLES_OF_ONE:,} "
            "samples, %",
            {"swaps of both tasks": swaps, "rejected": share},
        )
    within(shares["the same"], 0, 5, SAMPLES_OF_ONE)
    assert shares["independent"] > shares["the same"] + 1
