"""How long the comparison of two metrics takes in a ranking of metrics by segments, by coefficient and grouping.

    uv run --extra test python -m tests.benchmarks.rankings [--metrics 4] [--systems 12] [--segments 460] [--trials 100]

Ratings and scores are made at random; as with MQM, ratings have many ties, and one metric does, too. Times are
milliseconds of the processor in one process, per pair of metrics with all its trials.
"""

from __future__ import annotations

import argparse
import time
from math import comb

import numpy as np
from tabulate import tabulate

from bleu_core.agreement import GROUPINGS, Grouping, TestedMethod
from bleu_core.agreement.metric_tests import rank_metrics
from bleu_core.arrays import Floats
from bleu_core.processes import use_workers

METHODS: tuple[TestedMethod, ...] = ("pearson", "spearman", "kendall", "pairwise-accuracy", "acc-eq")


def main() -> None:
    """Print the time of each coefficient in each grouping."""
    options = argparse.ArgumentParser(prog="python -m tests.benchmarks.rankings", description="Time rankings.")
    options.add_argument("--metrics", type=int, default=4)
    options.add_argument("--systems", type=int, default=12)
    options.add_argument("--segments", type=int, default=460)
    options.add_argument("--trials", type=int, default=100)
    chosen = options.parse_args()
    generator = np.random.default_rng(1)
    quality = generator.normal(size=(chosen.systems, chosen.segments))
    human = -np.round(np.exp(-quality)).clip(0, 25)
    metrics = {f"metric {k}": quality + generator.normal(scale=k, size=quality.shape) for k in range(1, chosen.metrics)}
    metrics["errors"] = np.round(quality + generator.normal(size=quality.shape))
    rows = [
        [method, *(milliseconds(metrics, human, method, grouping, chosen.trials) for grouping in GROUPINGS)]
        for method in METHODS
    ]
    print(tabulate(rows, headers=["ms a pair", *GROUPINGS], floatfmt=".0f", missingval="-"))


def milliseconds(
    metrics: dict[str, Floats], human: Floats, method: TestedMethod, grouping: Grouping, trials: int
) -> float | None:
    """Return the time per pair of metrics; None for the one combination that has too many pairs of entries."""
    if method == "acc-eq" and grouping == "none":
        return None
    with use_workers(1):
        rank_metrics(metrics, human, method, grouping, trials=1)  # so that everything is loaded
        begun = time.process_time()
        rank_metrics(metrics, human, method, grouping, trials=trials)
    return 1000 * (time.process_time() - begun) / comb(len(metrics), 2)


if __name__ == "__main__":
    main()
