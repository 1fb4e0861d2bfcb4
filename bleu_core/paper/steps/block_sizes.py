"""Table 2 with other block sizes: the paired t of neighbouring systems."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.fields import BASELINE, SYSTEM, Cell, Field, Table, field, result
from bleu_core.inference import BlockSizes
from bleu_core.paper.figure import HIGHER, Axis, Figure, Lines, Panel
from bleu_core.paper.step import PaperInput, Step, StepResult
from bleu_core.paper.steps.shared import COMPUTED, TestedDifference

BLOCKS = Field("count", "Number of blocks.")


@result
class SizeTest(TestedDifference):
    """The paired t with one size of block."""

    blocks: int = field(BLOCKS)
    segments: float = field("number", "Mean number of segments per block.")


@result
class PairSizes:
    """A system and its neighbour."""

    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    tests: tuple[SizeTest, ...] = field("object", "Tests by block size.")


@result
class BlockSizeNumbers:
    """The tests in the JSON."""

    computed: tuple[PairSizes, ...] = field(COMPUTED)


def compute(data: PaperInput) -> StepResult:
    """Take the tests that the experiment has."""
    found = data.results.block_sizes
    numbers = tuple(
        PairSizes(
            system=pair.system,
            baseline=pair.baseline,
            tests=tuple(
                SizeTest(blocks=int(blocks), segments=float(size), **test.reported)
                for blocks, size, test in zip(pair.blocks, pair.sizes, pair.tests, strict=True)
            ),
        )
        for pair in found
    )
    return StepResult(
        BlockSizeNumbers(computed=numbers), tables=(_table(found),), figures=(_figure(found),) if found else ()
    )


def _table(found: Sequence[BlockSizes]) -> Table:
    columns = {"blocks": BLOCKS, "segments": Field("decimal", "Mean number of segments per block.")}
    columns |= {
        f"t of {pair.system} and {pair.baseline}": Field("decimal", "Paired t of the two systems over the blocks.")
        for pair in found
    }
    rows: list[tuple[Cell, ...]] = []
    if found:
        sizes = zip(found[0].blocks, found[0].sizes, strict=True)
        rows = [(int(n), float(size), *(pair.tests[i].t for pair in found)) for i, (n, size) in enumerate(sizes)]
    return Table(columns, tuple(rows))


def _figure(found: Sequence[BlockSizes]) -> Figure:
    """The size of t over the size of block, with the t that is significant."""
    lines = [
        Lines(
            f"{pair.system} and {pair.baseline}",
            pair.sizes.tolist(),
            [abs(test.t) for test in pair.tests],
            number=number,
            details=pair.blocks.tolist(),
            hover="{detail} blocks of {x:.0f}: t {y:.2f}",
        )
        for number, pair in enumerate(found)
    ]
    critical = Lines(
        "significant above (5%, two-sided)",
        found[0].sizes.tolist(),
        found[0].critical_t.tolist(),
        role="reference",
        hover="{y:.2f}",
    )
    axis = Axis("segments per block", "log")
    return Figure((Panel(axis, (*lines, critical)),), y=Axis("|t|", from_zero=True), height=HIGHER)


STEP = Step(
    key="block_sizes",
    heading="Table 2 with other block sizes: t",
    look="The paper's 20 blocks of 25 segments are one choice among many. Where a line crosses the dotted line, "
    "significance depends on that choice.",
    compute=compute,
    numbers=BlockSizeNumbers,
)
