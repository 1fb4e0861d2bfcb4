"""Table 2: BLEU on blocks of text, and the paired t test of neighbouring systems."""

from __future__ import annotations

import math
from itertools import pairwise

from bleu_core.fields import BASELINE, SYSTEM, Field, T, Table, field, result, rows_of, table_of
from bleu_core.inference import BlockScores, NeighbourPair, PairedT
from bleu_core.paper.printed import (
    BLOCK_SIZE,
    BLOCKS,
    CRITICAL_T,
    SYSTEMS,
    TABLE_2_DEVIATIONS,
    TABLE_2_MEANS,
    TABLE_2_T,
    corresponds,
    published_of,
)
from bleu_core.paper.shared import from_0_to_1, number_of
from bleu_core.paper.step import PaperInput, Step, StepResult

CRITICAL = Field("decimal", "t above which a difference is significant at the one-sided 5% level.")


@result
class MeanOverBlocks:
    """A system's BLEU over the blocks."""

    system: str = field(SYSTEM)
    mean: float = field("points", "Mean BLEU over the blocks.")
    standard_deviation: float = field(
        "points", "Standard deviation of BLEU over the blocks.", undefined="only one block"
    )


@result
class SystemBlocks(MeanOverBlocks):
    """A system's BLEU over the blocks of these data."""

    zero_blocks: int = field("count", "Blocks that score 0 because some order has no matching n-gram.")


@result
class Blocks:
    """BLEU on the blocks."""

    block_sizes: tuple[int, ...] = field("object", "Number of segments of each block.")
    systems: tuple[SystemBlocks, ...] = field("object", "Block scores by system, lowest corpus BLEU first.")
    pairs: tuple[NeighbourPair, ...] = field("object", "Each system and its neighbour with lower BLEU.")
    critical_t: float = field(CRITICAL, undefined="only one block")


@result
class PublishedPair:
    """The paired t of a system and its neighbour in the paper."""

    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    t: float = field(T)


@result
class PublishedBlocks:
    """Values that the paper prints."""

    blocks: int = field("count", "Number of blocks.")
    block_size: int = field("count", "Number of segments of each block.")
    systems: tuple[MeanOverBlocks, ...] = field("object", "Block scores by system.")
    pairs: tuple[PublishedPair, ...] = field("object", "Each system and its neighbour.")
    critical_t: float = field(CRITICAL)


@result
class _Published:
    """Values in the row of a system that the paper prints."""

    published_mean: float = field("points", "Mean printed in the paper.")
    published_deviation: float = field("points", "Standard deviation printed in the paper.")
    published_t: float = field("decimal", "t printed in the paper.")


def compute(data: PaperInput) -> StepResult:
    """Return BLEU on the blocks, with systems from worst to best."""
    scores = data.results.table_2
    sizes = scores.blocks.sizes
    numbers = Blocks(
        block_sizes=sizes,
        systems=rows_of(
            SystemBlocks,
            system=scores.systems,
            mean=scores.means,
            standard_deviation=scores.standard_deviations,
            zero_blocks=scores.zero_blocks,
        ),
        pairs=scores.pairs,
        critical_t=scores.one_sided_critical_t,
    )
    return StepResult(
        numbers,
        tables=(_table(scores, numbers),),
        notes=(
            f"{number_of(sizes, 'block')} of {' to '.join(map(str, sorted({min(sizes), max(sizes)})))} segments",
            f"one-sided 5% critical value of t: {scores.one_sided_critical_t:.3g}",
        ),
    )


def published_t(system: str, baseline: str) -> float:
    """Return the t that Table 2 prints for a pair; NaN if there is none."""
    neighbours = {(right, left) for left, right in pairwise(SYSTEMS)}
    return TABLE_2_T[system] if (system, baseline) in neighbours else math.nan


def _table(scores: BlockScores, numbers: Blocks) -> Table:
    """Return a row for each system, tested against the one above it."""
    published = rows_of(
        _Published,
        published_mean=published_of(scores.systems, TABLE_2_MEANS),
        published_deviation=published_of(scores.systems, TABLE_2_DEVIATIONS),
        published_t=[math.nan, *(published_t(pair.system, pair.baseline) for pair in scores.pairs)],
    )
    tests = [None, *(pair.test for pair in scores.pairs)]
    table = table_of(list(zip(numbers.systems, tests, published, strict=True)), SystemBlocks, PairedT, _Published)
    last = ("published_mean", "published_deviation", "published_t", "reason")
    table = table.without("mean_difference").ordered(*(name for name in table.columns if name not in last), *last)
    table = table if corresponds(scores.systems) else table.without(*last[:-1])
    help_of_t = Field("decimal", "Paired t over the blocks, against the system in the row above.", "t")
    return from_0_to_1(table.redeclared({"t": help_of_t}))


STEP = Step(
    key="table_2",
    heading="Table 2: BLEU on blocks",
    look="The mean over blocks stays close to the corpus score. t shows whether neighbouring systems differ by "
    "more than the variation between blocks explains.",
    compute=compute,
    numbers=Blocks,
    published=PublishedBlocks(
        blocks=BLOCKS,
        block_size=BLOCK_SIZE,
        systems=rows_of(
            MeanOverBlocks,
            system=TABLE_2_MEANS,
            mean=TABLE_2_MEANS.values(),
            standard_deviation=TABLE_2_DEVIATIONS.values(),
        ),
        pairs=rows_of(PublishedPair, system=TABLE_2_T, baseline=SYSTEMS[:-1], t=TABLE_2_T.values()),
        critical_t=CRITICAL_T,
    ),
)
