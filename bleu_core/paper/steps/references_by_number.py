"""Section 3: BLEU by number of references."""

from __future__ import annotations

import math

from bleu_core.fields import SYSTEM, Field, field, result, table_of
from bleu_core.paper.printed import H2_BY_REFERENCES, corresponds
from bleu_core.paper.reference_number import ReferenceNumbers
from bleu_core.paper.step import PaperInput, Step, StepResult
from bleu_core.paper.steps.shared import BLEU_POINTS, COMPUTED, POINTS, PUBLISHED

REFERENCES = Field("count", "Number of references.")

#: The system for which the paper prints BLEU with two and with four references.
PRINTED_SYSTEM = "H2"


@result
class SystemRange:
    """BLEU of a system with one number of references."""

    system: str = field(SYSTEM)
    mean: float = field("points", "Mean BLEU over the sets of references.")
    low: float = field("points", "Lowest BLEU over the sets of references.")
    high: float = field("points", "Highest BLEU over the sets of references.")


@result
class NumberScores:
    """BLEU with one number of references."""

    references: int = field(REFERENCES)
    sets: tuple[tuple[str, ...], ...] = field("object", "Sets of references that were used.")
    possible_sets: int = field("count", "Number of possible sets of this size.")
    systems: tuple[SystemRange, ...] = field("object", "BLEU by system.")


@result
class PublishedBleu:
    """A BLEU score that the paper prints."""

    system: str = field(SYSTEM)
    references: int = field(REFERENCES)
    bleu: float = field(BLEU_POINTS)


@result
class ByNumberNumbers:
    """BLEU by number of references in the JSON."""

    computed: tuple[NumberScores, ...] = field(COMPUTED)
    published: tuple[PublishedBleu, ...] = field(PUBLISHED)


@result
class Row:
    """BLEU of a system with one number of references."""

    system: str = field(SYSTEM)
    references: int = field(REFERENCES)
    sets: int = field("count", "Number of sets of references that were used.")
    mean: float = field("bleu", "Mean BLEU over the sets, 0 to 1.")
    low: float = field("bleu", "Lowest BLEU over the sets, 0 to 1.")
    high: float = field("bleu", "Highest BLEU over the sets, 0 to 1.")
    published_bleu: float | None = field(
        "bleu", "Value printed in the paper, 0 to 1.", label="published BLEU", default=None
    )


def compute(data: PaperInput) -> StepResult:
    """Return mean and range of BLEU over the sets of references."""
    numbers = data.results.references_by_number
    published = tuple(
        PublishedBleu(system=PRINTED_SYSTEM, references=number, bleu=value)
        for number, value in sorted(H2_BY_REFERENCES.items())
    )
    return StepResult(
        ByNumberNumbers(computed=_numbers(numbers), published=published),
        tables=(table_of(_rows(numbers), Row),),
    )


def _numbers(numbers: ReferenceNumbers) -> tuple[NumberScores, ...]:
    return tuple(
        NumberScores(
            references=number.number,
            sets=number.subsets,
            possible_sets=number.possible,
            systems=tuple(
                SystemRange(system=name, mean=mean, low=low, high=high)
                for name, mean, low, high in zip(
                    numbers.systems, number.means.tolist(), number.lows.tolist(), number.highs.tolist(), strict=True
                )
            ),
        )
        for number in numbers.numbers
    )


def _rows(numbers: ReferenceNumbers) -> list[Row]:
    published = corresponds(numbers.systems)
    return [
        Row(
            system=name,
            references=number.number,
            sets=len(number.subsets),
            mean=float(number.means[k]) / POINTS,
            low=float(number.lows[k]) / POINTS,
            high=float(number.highs[k]) / POINTS,
            published_bleu=_printed(name, number.number) if published else None,
        )
        for k, name in enumerate(numbers.systems)
        for number in numbers.numbers
    ]


def _printed(system: str, references: int) -> float:
    """Return the printed BLEU from 0 to 1; NaN if there is none."""
    return H2_BY_REFERENCES.get(references, math.nan) / POINTS if system == PRINTED_SYSTEM else math.nan


STEP = Step(
    key="references_by_number",
    heading="Section 3: BLEU by number of references",
    look="The more references, the higher the score: scores computed with different numbers of references cannot "
    "be compared.",
    compute=compute,
    numbers=ByNumberNumbers,
)
