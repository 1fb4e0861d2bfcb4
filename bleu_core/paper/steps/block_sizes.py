"""Table 2 with other block sizes: the paired t of neighbouring systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleu_core.fields import BASELINE, SYSTEM, Field, Table, field, result, table_of
from bleu_core.inference import BlockSizes
from bleu_core.paper.step import PaperInput, Step, StepResult
from bleu_core.paper.steps.shared import COMPUTED, TestedDifference

BLOCKS = Field("count", "Number of blocks.")


@result
class SizeTest(TestedDifference):
    """The paired t test with one block size."""

    blocks: int = field(BLOCKS)
    segments: float = field("number", "Mean number of segments per block.")


@result
class PairSizes:
    """Tests of a system and its neighbour by block size."""

    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    tests: tuple[SizeTest, ...] = field("object", "Tests by block size.")


@result
class BlockSizeNumbers:
    """The tests in the JSON."""

    computed: tuple[PairSizes, ...] = field(COMPUTED)


@result
class Row:
    """The tests with one block size."""

    blocks: int = field(BLOCKS)
    segments: float = field("decimal", "Mean number of segments per block.")
    t: Mapping[tuple[str, str], float] = field(
        "decimal", "Paired t of the two systems over the blocks.", columns="t_{0}_{1}", label="t of {0} and {1}"
    )


def compute(data: PaperInput) -> StepResult:
    """Return the tests by block size."""
    pairs = data.results.block_sizes
    numbers = tuple(
        PairSizes(
            system=pair.system,
            baseline=pair.baseline,
            tests=tuple(
                SizeTest(blocks=int(blocks), segments=float(size), **test.reported)
                for blocks, size, test in zip(pair.blocks, pair.sizes, pair.tests, strict=True)
            ),
        )
        for pair in pairs
    )
    return StepResult(BlockSizeNumbers(computed=numbers), tables=(_table(pairs),))


def _table(pairs: Sequence[BlockSizes]) -> Table:
    sizes = zip(pairs[0].blocks, pairs[0].sizes, strict=True) if pairs else ()
    rows = [
        Row(blocks=blocks, segments=size, t={(pair.system, pair.baseline): pair.tests[i].t for pair in pairs})
        for i, (blocks, size) in enumerate(sizes)
    ]
    return table_of(rows, Row)


STEP = Step(
    key="block_sizes",
    heading="Table 2 with other block sizes: t",
    look="The paper's 20 blocks of 25 segments are one choice among many. Where a line crosses the dotted line, "
    "significance depends on that choice.",
    compute=compute,
    numbers=BlockSizeNumbers,
)
