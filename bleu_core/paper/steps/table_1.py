"""Table 1: BLEU of each system."""

from __future__ import annotations

from bleu_core.fields import SYSTEM, field, result, table_of
from bleu_core.paper.printed import TABLE_1, corresponds
from bleu_core.paper.step import PaperInput, Step, StepResult
from bleu_core.paper.steps.shared import (
    BLEU,
    COMPUTED,
    POINTS,
    PUBLISHED,
    SystemBleu,
    bleu_of_systems,
    published_of,
    references_note,
)


@result
class Table1Numbers:
    """Table 1 in the JSON."""

    computed: tuple[SystemBleu, ...] = field(COMPUTED)
    published: tuple[SystemBleu, ...] = field(PUBLISHED)


@result
class Row:
    """BLEU of a system."""

    system: str = field(SYSTEM)
    bleu: float = field(BLEU)
    published_bleu: float | None = field(
        "bleu", "Value printed in the paper, 0 to 1.", label="published BLEU", default=None
    )


def compute(data: PaperInput) -> StepResult:
    """Return BLEU of the systems, from worst to best."""
    table = data.results.table_2
    systems = table.systems
    computed = (table.corpus_scores / POINTS).tolist()
    has_published = corresponds(systems)
    printed = [value / POINTS for value in published_of(systems, TABLE_1)]
    rows = [
        Row(system=name, bleu=value, published_bleu=published_value if has_published else None)
        for name, value, published_value in zip(systems, computed, printed, strict=True)
    ]
    return StepResult(
        Table1Numbers(
            computed=bleu_of_systems(systems, table.corpus_scores),
            published=tuple(SystemBleu(system=name, bleu=value) for name, value in TABLE_1.items()),
        ),
        tables=(table_of(rows, Row),),
        notes=(references_note(data.results),),
    )


STEP = Step(
    key="table_1",
    heading="Table 1: BLEU",
    look="Corpus BLEU of each system, the score that all other steps refer to.",
    compute=compute,
    numbers=Table1Numbers,
)
