"""Do p-values beyond what draws can count keep their level? Slow, on real test sets.

    BLEU_CONFORMANCE_DATA=/path/to/the/folder python -m pytest -m slow -s tests/inference/test_extrapolated_p.py

prints what docs/measurements.md reports. Null pairs are made of two real systems by swapping each segment at random,
and null families of all systems by permuting them in each segment. Seeds were chosen once; nothing was tuned to pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from null_pairs import RUEN, TED, WMT23, counted, evaluation_data, null_pair, within
from printed import Printed, printed_at_the_end

from bleu_core.inference import PAIR_RESAMPLES, Test, all_pairs, compare

pytestmark = pytest.mark.slow

#: With so few draws, p-values below 1.1 % are extrapolated; with 10,000 those below 0.11 %.
DRAWS, SEED = 1000, 4
#: More of the short set, which is quick and where the bootstrap is least exact.
NULL_PAIRS = {TED: 6000, RUEN: 6000, WMT23: 20_000}
#: Levels, in per cent, and how far the share of rejected null pairs may be from them.
LEVELS = {1.0: (0.7, 1.4), 0.5: (0.3, 0.8), 0.1: (0.03, 0.2)}
FAMILIES = 200

TESTS: tuple[Test, ...] = ("bootstrap", "randomization")


@pytest.fixture(scope="module")
def printed() -> Iterator[Printed]:
    with printed_at_the_end(decimals=2) as found:
        yield found


@pytest.fixture(scope="module")
def folder() -> Path:
    return evaluation_data()


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("name", [TED, RUEN, WMT23])
def test_small_p_values_are_as_rare_as_they_say(folder: Path, printed: Printed, name: str, test: Test) -> None:
    table, generator = counted(folder, name).statistics, np.random.default_rng(SEED)
    p_values: list[float] = []
    for seed in range(NULL_PAIRS[name]):
        null = null_pair(table, generator)
        resamples = DRAWS if test == "bootstrap" else 1  # for intervals, which are not looked at
        (pair,) = compare(null, [(1, 0)], test=test, resamples=resamples, trials=DRAWS, seed=seed).pairs
        p_values.append(pair.p_value)
    shares = {level: 100 * float(np.mean(np.array(p_values) <= level / 100)) for level in LEVELS}
    title = f"Null pairs with a p of at most so many per cent, {DRAWS:,} draws, %"
    row = {f"{level:g} %": share for level, share in shares.items()}
    printed.add(title, {"set": name, "null pairs": NULL_PAIRS[name], "test": test, **row})
    for level, (low, high) in LEVELS.items():
        within(shares[level], low, high, NULL_PAIRS[name])


def test_of_families_of_equal_systems_one_in_twenty_has_a_significant_pair(folder: Path, printed: Printed) -> None:
    table, generator = counted(folder, TED).statistics, np.random.default_rng(SEED)
    systems = len(table.systems)
    pairs = all_pairs(table.systems)
    false_claims: list[bool] = []
    for seed in range(FAMILIES):
        order = generator.permuted(np.tile(np.arange(systems)[:, None], table.segments), axis=0)
        null = replace(table, values=np.take_along_axis(table.values, order[..., None], axis=0))
        found = compare(null, pairs, seed=seed)
        false_claims.append(any(map(found.verdict, found.pairs)))
    share = 100 * float(np.mean(false_claims))
    title = f"Families of equal systems with a significant pair (Holm, 5 %), {PAIR_RESAMPLES:,} resamples, %"
    printed.add(title, {"set": TED, "pairs": len(pairs), "families": FAMILIES, "significant": share})
    within(share, 0.5, 6, FAMILIES)
