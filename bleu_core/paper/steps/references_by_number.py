"""Section 3: BLEU by number of references."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bleu_core.fields import SYSTEM, Table, field, inline, result, rows_of, table_of
from bleu_core.paper.printed import H2_BY_REFERENCES, PRINTED_SYSTEM, corresponds
from bleu_core.paper.reference_number import BleuRange, ReferenceNumber
from bleu_core.paper.shared import SystemBleu, from_0_to_1
from bleu_core.paper.step import PaperInput, Step, StepResult


@result
class PublishedBleu(SystemBleu):
    """A BLEU score that the paper prints."""

    references: int = field("count", "Number of references.")


@result
class Row:
    """BLEU of a system with one number of references."""

    system: str = field(SYSTEM)
    number: ReferenceNumber = inline(ReferenceNumber, "references")
    sets: tuple[tuple[str, ...], ...] = field("count", "Number of sets of references that were used.", part=len)
    scores: BleuRange = inline(BleuRange, "mean", "low", "high")
    published_bleu: float | None = field("points", "Value printed in the paper.", label="published BLEU", default=None)


def compute(data: PaperInput) -> StepResult:
    """Return mean and range of BLEU over the sets of references."""
    numbers = data.results.references_by_number
    return StepResult(numbers, tables=(_table(numbers),))


def _table(numbers: Sequence[ReferenceNumber]) -> Table:
    systems = numbers[0].systems
    published = corresponds(systems)
    rows = [
        Row(
            system=name,
            number=number,
            sets=number.subsets,
            scores=number.by_system[k],
            published_bleu=_printed(name, number.number) if published else None,
        )
        for k, name in enumerate(systems)
        for number in numbers
    ]
    return from_0_to_1(table_of(rows, Row))


def _printed(system: str, references: int) -> float:
    """Return the printed BLEU, points; NaN if there is none."""
    return H2_BY_REFERENCES.get(references, math.nan) if system == PRINTED_SYSTEM else math.nan


STEP = Step(
    key="references_by_number",
    heading="Section 3: BLEU by number of references",
    look="The more references, the higher the score: scores computed with different numbers of references cannot "
    "be compared.",
    compute=compute,
    numbers=tuple[ReferenceNumber, ...],
    published=rows_of(
        PublishedBleu,
        system=[PRINTED_SYSTEM] * len(H2_BY_REFERENCES),
        references=sorted(H2_BY_REFERENCES),
        bleu=[H2_BY_REFERENCES[number] for number in sorted(H2_BY_REFERENCES)],
    ),
)
