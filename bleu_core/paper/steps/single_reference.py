"""Section 3: a single random reference per document."""

from __future__ import annotations

import math
from collections.abc import Mapping

from bleu_core.dataset import plural
from bleu_core.fields import Table, field, result, table_of
from bleu_core.paper.reference_number import SingleReference, SystemDraws
from bleu_core.paper.shared import from_0_to_1
from bleu_core.paper.step import PaperInput, Step, StepResult


@result
class PublishedOrder:
    """The result that the paper reports."""

    order_kept: bool = field("text", "Whether the systems keep their order.")


@result
class _Columns:
    """BLEU of a system against each single reference, and how often it keeps its place."""

    alone: Mapping[str, float] = field("points", "BLEU against this reference only.", columns="{} only")
    stays_above_the_row_before: float = field(
        "fraction", "Share of the draws in which the system scores above the one in the row before."
    )


def compute(data: PaperInput) -> StepResult:
    """Return the draws of single references."""
    single = data.results.single_reference
    return StepResult(single, tables=(_table(single),), notes=_notes(single))


def _table(single: SingleReference) -> Table:
    systems, kept = single.by_system, [math.nan, *single.neighbours_kept.tolist()]
    further = [
        _Columns(alone=dict(zip(single.references, system.alone, strict=True)), stays_above_the_row_before=share)
        for system, share in zip(systems, kept, strict=True)
    ]
    table = table_of(list(zip(systems, further, strict=True)), SystemDraws, _Columns)
    return from_0_to_1(table.ordered("system", "all_references", *(f"{name} only" for name in single.references)))


def _notes(single: SingleReference) -> tuple[str, ...]:
    units = f"{single.units} {plural(single.units, single.unit)}"
    notes = [f"{len(single.scores):,} draws of one reference for each of {units}, seed {single.seed}"]
    if not math.isnan(single.order_kept):
        notes.append(f"all systems keep their order in {single.order_kept:.1%} of the draws")
    return (*notes, f"drawn by segment: {single.reason}") if single.reason else tuple(notes)


STEP = Step(
    key="single_reference",
    heading="Section 3: a single reference, drawn at random",
    look="A single reference, drawn at random for each document, should still rank the systems in the same order.",
    compute=compute,
    numbers=SingleReference,
    published=PublishedOrder(order_kept=True),
)
