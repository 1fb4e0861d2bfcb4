"""Section 3: a single random reference per document."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from bleu_core.dataset import plural
from bleu_core.fields import SYSTEM, Table, field, result, table_of
from bleu_core.paper.reference_number import SingleReference
from bleu_core.paper.step import PaperInput, Step, StepResult
from bleu_core.paper.steps.shared import COMPUTED, POINTS, PUBLISHED


@result
class SystemDraws:
    """Scores of a system against single references."""

    system: str = field(SYSTEM)
    all_references: float = field("points", "BLEU against all references.")
    mean: float = field("points", "Mean BLEU over the draws.")
    low: float = field("points", "Lowest BLEU over the draws.")
    high: float = field("points", "Highest BLEU over the draws.")
    alone: tuple[float, ...] = field(
        "points", "BLEU against each single reference.", undefined="the reference lacks segments"
    )


@result
class Draws:
    """The draws of single references."""

    unit: str = field("text", "Unit for which one reference is drawn: document or segment.")
    units: int = field("count", "Number of units.")
    draws: int = field("count", "Number of draws.")
    seed: int = field("count", "Seed of the draws.")
    systems: tuple[SystemDraws, ...] = field("object", "BLEU by system, lowest first.")
    neighbours_kept: tuple[float, ...] = field(
        "fraction",
        (
            "Share of the draws in which each system and the one before it keep the order that they have with "
            "all references."
        ),
    )
    why_unit: str | None = field("text", "Why references are not drawn per document.", default=None)
    order_kept: float = field(
        "fraction",
        "Share of the draws in which all systems keep their order.",
        undefined="1 system, at least 2 needed",
    )


@result
class PublishedOrder:
    """The result that the paper reports."""

    order_kept: bool = field("text", "Whether the systems keep their order.")


@result
class SingleReferenceNumbers:
    """The draws in the JSON."""

    computed: Draws = field(COMPUTED)
    published: PublishedOrder = field(PUBLISHED)


@result
class Row:
    """BLEU of a system against all references and against single ones."""

    system: str = field(SYSTEM)
    all_references: float = field("bleu", "BLEU against all references, 0 to 1.")
    alone: Mapping[str, float] = field("bleu", "BLEU against this reference only, 0 to 1.", columns="{} only")
    mean: float = field("bleu", "Mean BLEU over the draws, 0 to 1.")
    low: float = field("bleu", "Lowest BLEU over the draws, 0 to 1.")
    high: float = field("bleu", "Highest BLEU over the draws, 0 to 1.")
    stays_above_the_row_before: float = field(
        "fraction", "Share of the draws in which the system scores above the one in the row before."
    )


def compute(data: PaperInput) -> StepResult:
    """Return the draws of single references."""
    single = data.results.single_reference
    return StepResult(
        SingleReferenceNumbers(computed=_numbers(single), published=PublishedOrder(order_kept=True)),
        tables=(_table(single),),
        notes=_notes(single),
    )


def _numbers(single: SingleReference) -> Draws:
    return Draws(
        unit=single.unit,
        units=single.units,
        draws=len(single.scores),
        seed=single.seed,
        systems=tuple(
            SystemDraws(
                system=name,
                all_references=float(single.all_references[k]),
                mean=float(single.scores[:, k].mean()),
                low=float(single.scores[:, k].min()),
                high=float(single.scores[:, k].max()),
                alone=tuple(single.alone[:, k].tolist()),
            )
            for k, name in enumerate(single.systems)
        ),
        neighbours_kept=tuple(single.neighbours_kept.tolist()),
        why_unit=single.reason or None,
        order_kept=single.order_kept,
    )


def _table(single: SingleReference) -> Table:
    kept = [math.nan, *single.neighbours_kept.tolist()]
    rows = [
        Row(
            system=name,
            all_references=float(single.all_references[k]) / POINTS,
            alone=dict(zip(single.references, (single.alone[:, k] / POINTS).tolist(), strict=True)),
            mean=float(np.mean(single.scores[:, k])) / POINTS,
            low=float(np.min(single.scores[:, k])) / POINTS,
            high=float(np.max(single.scores[:, k])) / POINTS,
            stays_above_the_row_before=kept[k],
        )
        for k, name in enumerate(single.systems)
    ]
    return table_of(rows, Row)


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
    numbers=SingleReferenceNumbers,
)
