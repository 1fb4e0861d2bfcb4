"""Table 2: BLEU on blocks of text, and the paired t test of neighbouring systems."""

from __future__ import annotations

import math
from itertools import pairwise

from bleu_core.fields import BASELINE, DEGREES_OF_FREEDOM, P_VALUE, REASON, SYSTEM, Field, T, field, result, table_of
from bleu_core.inference import BlockScores
from bleu_core.paper.printed import (
    BLOCK_SIZE,
    BLOCKS,
    CRITICAL_T,
    SYSTEMS,
    TABLE_2_DEVIATIONS,
    TABLE_2_MEANS,
    TABLE_2_T,
    corresponds,
)
from bleu_core.paper.step import PaperInput, Step, StepResult
from bleu_core.paper.steps.shared import COMPUTED, POINTS, PUBLISHED, TestedDifference, number_of, published_of

ZERO_BLOCKS = Field("count", "Blocks that score 0 because some order has no matching n-gram.")
CRITICAL = Field("decimal", "t above which a difference is significant at the one-sided 5% level.")


@result
class SystemBlocks:
    """A system's BLEU over the blocks."""

    system: str = field(SYSTEM)
    mean: float = field("points", "Mean BLEU over the blocks.")
    zero_blocks: int = field(ZERO_BLOCKS)
    standard_deviation: float = field("points", "Standard deviation over the blocks.", undefined="only one block")


@result
class PairOfSystems(TestedDifference):
    """A system and its neighbour."""

    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    delta: float = field("difference", "Corpus BLEU of the system minus that of the baseline.")


@result
class Blocks:
    """BLEU on the blocks."""

    block_sizes: tuple[int, ...] = field("object", "Number of segments of each block.")
    systems: tuple[SystemBlocks, ...] = field("object", "Block scores by system, lowest corpus BLEU first.")
    pairs: tuple[PairOfSystems, ...] = field("object", "Each system and its neighbour with lower BLEU.")
    critical_t: float = field(CRITICAL, undefined="only one block")


@result
class PublishedSystem:
    """Values that the paper prints for a system."""

    system: str = field(SYSTEM)
    mean: float = field("points", "Mean BLEU over the blocks.")
    standard_deviation: float = field("points", "Standard deviation over the blocks.")


@result
class PublishedPair:
    """Values that the paper prints for a system and its neighbour."""

    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    t: float = field(T)


@result
class PublishedBlocks:
    """Values that the paper prints."""

    blocks: int = field("count", "Number of blocks.")
    block_size: int = field("count", "Number of segments of each block.")
    systems: tuple[PublishedSystem, ...] = field("object", "Block scores by system.")
    pairs: tuple[PublishedPair, ...] = field("object", "Each system and its neighbour.")
    critical_t: float = field(CRITICAL)


@result
class Table2Numbers:
    """Table 2 in the JSON."""

    computed: Blocks = field(COMPUTED)
    published: PublishedBlocks = field(PUBLISHED)


@result
class Row:
    """A system, tested against the one above it."""

    system: str = field(SYSTEM)
    mean: float = field("bleu", "Mean BLEU over the blocks, 0 to 1.")
    standard_deviation: float = field("bleu", "Standard deviation of BLEU over the blocks, 0 to 1.")
    zero_blocks: int = field(ZERO_BLOCKS)
    t: float = field(T, help="Paired t over the blocks, against the system in the row above.")
    degrees_of_freedom: float = field(DEGREES_OF_FREEDOM)
    p_value: float = field(P_VALUE)
    published_mean: float | None = field("bleu", "Mean printed in the paper, 0 to 1.", default=None)
    published_deviation: float | None = field("bleu", "Standard deviation printed in the paper, 0 to 1.", default=None)
    published_t: float | None = field("decimal", "t printed in the paper.", default=None)
    reason: str = field(REASON, default="")


def compute(data: PaperInput) -> StepResult:
    """Return BLEU on the blocks, with systems from worst to best."""
    table = data.results.table_2
    sizes = table.blocks.sizes
    return StepResult(
        Table2Numbers(computed=_computed(table), published=_published()),
        tables=(table_of(_rows(table), Row),),
        notes=(
            f"{number_of(sizes, 'block')} of {' to '.join(map(str, sorted({min(sizes), max(sizes)})))} segments",
            f"one-sided 5% critical value of t: {table.one_sided_critical_t:.3g}",
        ),
    )


def published_t(system: str, baseline: str) -> float:
    """Return the t that Table 2 prints for a pair; NaN if there is none."""
    neighbours = {(right, left) for left, right in pairwise(SYSTEMS)}
    return TABLE_2_T[system] if (system, baseline) in neighbours else math.nan


def _computed(table: BlockScores) -> Blocks:
    rows = zip(
        table.systems,
        table.means.tolist(),
        table.standard_deviations.tolist(),
        table.zero_blocks.tolist(),
        strict=True,
    )
    return Blocks(
        block_sizes=table.blocks.sizes,
        systems=tuple(
            SystemBlocks(system=name, mean=mean, zero_blocks=zero, standard_deviation=deviation)
            for name, mean, deviation, zero in rows
        ),
        pairs=tuple(
            PairOfSystems(system=pair.system, baseline=pair.baseline, delta=pair.delta, **pair.test.reported)
            for pair in table.pairs
        ),
        critical_t=table.one_sided_critical_t,
    )


def _published() -> PublishedBlocks:
    return PublishedBlocks(
        blocks=BLOCKS,
        block_size=BLOCK_SIZE,
        systems=tuple(
            PublishedSystem(system=name, mean=mean, standard_deviation=TABLE_2_DEVIATIONS[name])
            for name, mean in TABLE_2_MEANS.items()
        ),
        pairs=tuple(
            PublishedPair(system=name, baseline=baseline, t=TABLE_2_T[name]) for baseline, name in pairwise(SYSTEMS)
        ),
        critical_t=CRITICAL_T,
    )


def _rows(table: BlockScores) -> list[Row]:
    has_published = corresponds(table.systems)
    means, deviations = (published_of(table.systems, printed) for printed in (TABLE_2_MEANS, TABLE_2_DEVIATIONS))
    printed_t = [math.nan, *(published_t(pair.system, pair.baseline) for pair in table.pairs)]
    tests = [None, *(pair.test for pair in table.pairs)]
    return [
        Row(
            system=name,
            mean=float(table.means[k]) / POINTS,
            standard_deviation=float(table.standard_deviations[k]) / POINTS,
            zero_blocks=int(table.zero_blocks[k]),
            t=test.t if test else math.nan,
            degrees_of_freedom=test.degrees_of_freedom if test else math.nan,
            p_value=test.p_value if test else math.nan,
            published_mean=means[k] / POINTS if has_published else None,
            published_deviation=deviations[k] / POINTS if has_published else None,
            published_t=printed_t[k] if has_published else None,
            reason=test.reason if test else "",
        )
        for k, (name, test) in enumerate(zip(table.systems, tests, strict=True))
    ]


STEP = Step(
    key="table_2",
    heading="Table 2: BLEU on blocks",
    look="The mean over blocks stays close to the corpus score. t shows whether neighbouring systems differ by "
    "more than the variation between blocks explains.",
    compute=compute,
    numbers=Table2Numbers,
)
