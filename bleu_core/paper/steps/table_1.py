"""Table 1: BLEU of each system."""

from __future__ import annotations

from bleu_core.fields import field, result, rows_of, table_of
from bleu_core.paper.printed import TABLE_1, corresponds, published_of
from bleu_core.paper.shared import SystemBleu, from_0_to_1
from bleu_core.paper.step import PaperInput, Step, StepResult


@result
class _Published:
    """BLEU of a system in the paper."""

    published_bleu: float | None = field("points", "Value printed in the paper.", label="published BLEU", default=None)


def compute(data: PaperInput) -> StepResult:
    """Return BLEU of the systems, from worst to best."""
    table = data.results.table_2
    numbers = rows_of(SystemBleu, system=table.systems, bleu=table.corpus_scores)
    printed = published_of(table.systems, TABLE_1) if corresponds(table.systems) else [None] * len(numbers)
    rows = list(zip(numbers, rows_of(_Published, published_bleu=printed), strict=True))
    return StepResult(
        numbers, tables=(from_0_to_1(table_of(rows, SystemBleu, _Published)),), notes=(data.references_note,)
    )


STEP = Step(
    key="table_1",
    heading="Table 1: BLEU",
    look="Corpus BLEU of each system, the score that all other steps refer to.",
    compute=compute,
    numbers=tuple[SystemBleu, ...],
    published=rows_of(SystemBleu, system=TABLE_1, bleu=TABLE_1.values()),
)
