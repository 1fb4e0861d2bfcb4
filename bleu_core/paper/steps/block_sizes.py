"""Table 2 with other block sizes: the paired t of neighbouring systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleu_core.fields import Table, field, result, table_of
from bleu_core.inference import BlockSizes
from bleu_core.paper.step import PaperInput, Step, StepResult


@result
class Row:
    """The tests with one block size."""

    blocks: int = field("count", "Number of blocks.")
    segments: float = field("decimal", "Mean number of segments per block.")
    t: Mapping[tuple[str, str], float] = field(
        "decimal", "Paired t of the two systems over the blocks.", columns="t_{0}_{1}", label="t of {0} and {1}"
    )


def compute(data: PaperInput) -> StepResult:
    """Return the tests by block size."""
    pairs = data.results.block_sizes
    return StepResult(pairs, tables=(_table(pairs),))


def _table(pairs: Sequence[BlockSizes]) -> Table:
    names = [(pair.system, pair.baseline) for pair in pairs]
    rows = [
        Row(
            blocks=tests[0].blocks,
            segments=tests[0].segments,
            t={name: size.test.t for name, size in zip(names, tests, strict=True)},
        )
        for tests in zip(*(pair.by_size for pair in pairs), strict=True)
    ]
    return table_of(rows, Row)


STEP = Step(
    key="block_sizes",
    heading="Table 2 with other block sizes: t",
    look="The paper's 20 blocks of 25 segments are one choice among many. Where a line crosses the dotted line, "
    "significance depends on that choice.",
    compute=compute,
    numbers=tuple[BlockSizes, ...],
)
